"""Temporal filter: where the pixels have not changed, the earlier reading stays.

A sticker in a glare, a color between gold and yellow: read again, they may come out another way although nobody
touched them. Where the picture is the same, what was read before stands, unless the new reading is much surer.
"""

from collections.abc import Callable
from dataclasses import replace

import numpy as np

from common.messages import Message
from companion.live.corrections import side
from vision.table.reading import Card, TableReading, Tile

SAME_PLACE = 0.35
"""Tiles by which the center of an untouched tile may wander from one reading to the next."""
SURER = 0.25
"""By how much more confident a new reading of an untouched tile must be to count."""

Untouched = Callable[[np.ndarray], bool]
"""Whether the picture is as it was within an outline, (n, 2) in pixels."""


def steadied(new: TableReading, last: TableReading, untouched: Untouched) -> TableReading:
    """The new reading, with the colors of tiles and the cards of the last one where nothing has changed.

    A card that is not made out any more where nobody touched it is a problem that people are told of.
    """
    tiles = tuple(_tile(tile, last.tiles, untouched) for tile in new.tiles)
    seen = {_key(card) for card in new.cards}
    kept = [old for old in last.cards if _key(old) not in seen and untouched(old.polygon)]
    here = {_key(old): [card for card in new.cards if _one_place(card, old)] for old in kept}
    kept = [old for old in kept if not any(_surer(card, old) for card in here[_key(old)])]
    if tiles == new.tiles and not kept:
        return new
    renamed = {_key(card) for old in kept for card in here[_key(old)]}
    cards = tuple(sorted((*(card for card in new.cards if _key(card) not in renamed), *kept), key=_key))
    gone = sum(not here[_key(old)] for old in kept)
    said = (Message("card.kept", {"n": gone}),) if gone else ()
    return replace(new, tiles=tiles, cards=cards, problems=(*new.problems, *said))


def _surer(new: Card | Tile, old: Card | Tile) -> bool:
    return new.confidence > old.confidence + SURER or (old.doubtful and not new.doubtful)


def _one_place(one: Card, other: Card) -> bool:
    """Whether two faces lie at one place: one of them was read wrong."""
    if one.marker is not None or other.marker is not None:
        return False
    reach = SAME_PLACE * side(one.polygon)
    return float(np.linalg.norm(np.mean(one.polygon, 0) - np.mean(other.polygon, 0))) < reach


def _tile(tile: Tile, before: tuple[Tile, ...], untouched: Untouched) -> Tile:
    reach = SAME_PLACE * side(tile.polygon)
    for old in before:
        if old.zone != tile.zone or np.linalg.norm(np.subtract(old.center, tile.center)) > reach:
            continue
        if old.color == tile.color or _surer(tile, old) or not untouched(tile.polygon):
            return tile
        return replace(
            tile, color=old.color, confidence=old.confidence, doubtful=True, doubt=old.doubt or "tile.unsure"
        )
    return tile


def _key(card: Card) -> tuple[bool, int, str, str]:
    """What makes two finds the same card."""
    return card.marker is None, card.marker or 0, card.deck or "", card.name
