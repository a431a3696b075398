"""Temporal filter: where the pixels have not changed, the earlier reading stays.

A sticker in a glare, a color between gold and yellow: read again, they may come out another way although nobody
touched them. Where the picture is the same, what was read before stands, unless the new reading is much surer.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import cv2
import numpy as np

from vision.table.reading import Card, TableReading, Tile

SAME_PLACE = 0.35
"""Tiles by which the center of an untouched tile may wander from one reading to the next."""
SURER = 0.25
"""By how much more confident a new reading of an untouched tile must be to count."""

Untouched = Callable[[np.ndarray], bool]
"""Whether the picture is as it was within an outline, (n, 2) in pixels."""


def steadied(new: TableReading, last: TableReading, untouched: Untouched) -> TableReading:
    """The new reading, with the colors of tiles and the cards of the last one where nothing has changed."""
    tiles = tuple(_tile(tile, last.tiles, untouched) for tile in new.tiles)
    seen = {_key(card) for card in new.cards}
    kept = tuple(c for c in last.cards if _key(c) not in seen and untouched(c.polygon))
    return replace(new, tiles=tiles, cards=_in_order((*new.cards, *kept))) if tiles != new.tiles or kept else new


def _tile(tile: Tile, before: tuple[Tile, ...], untouched: Untouched) -> Tile:
    reach = SAME_PLACE * float(np.sqrt(max(cv2.contourArea(np.asarray(tile.polygon, np.float32)), 1.0)))
    for old in before:
        if old.zone != tile.zone or np.linalg.norm(np.subtract(old.center, tile.center)) > reach:
            continue
        surer = tile.confidence > old.confidence + SURER or (old.doubtful and not tile.doubtful)
        if old.color == tile.color or surer or not untouched(tile.polygon):
            return tile
        return replace(
            tile, color=old.color, confidence=old.confidence, doubtful=True, doubt=old.doubt or "tile.unsure"
        )
    return tile


def _in_order(cards: tuple[Card, ...]) -> tuple[Card, ...]:
    return tuple(sorted(cards, key=_key))


def _key(card: Card) -> tuple[bool, int, str, str]:
    """What makes two finds the same card."""
    return card.marker is None, card.marker or 0, card.deck or "", card.name
