"""Whether stickers and mats of this project were printed at the same scale."""

from typing import Final

import numpy as np

from calibration.print_scale import sticker_scale
from common.messages import Message
from companion.games.entry import Game
from companion.games.markers import CARD_MARKER_MM
from vision.table.profile import TableProfile
from vision.table.reading import TableReading

TOLERANCE: Final = 0.025
"""Part of its side by which a sticker of a few dozen pixels is measured wrongly, the median of some."""
LEAST: Final = 4
"""Stickers that have to be seen for a measurement."""


def problems(reading: TableReading, table: TableProfile, game: Game) -> tuple[Message, ...]:
    """Stickers and mats that were printed at different scales; nothing where too few are seen."""
    if not _printed_here(table, game):
        return ()
    found: list[float] = []
    for name, zone in table.zones.items():
        outline = reading.zones.get(name)
        if zone.size_mm is not None and outline is not None and len(outline) == 4:
            here = [card.polygon for card in reading.cards if card.zone == name and card.marker in table.cards]
            found += sticker_scale(here, outline, zone.size_mm, CARD_MARKER_MM).tolist()
    if len(found) < LEAST:
        return ()
    scale = float(np.median(found))
    if abs(scale - 1) <= TOLERANCE:
        return ()
    return (Message("scale.stickers", {"percent": f"{100 / scale:.0f}"}),)


def _printed_here(table: TableProfile, game: Game) -> bool:
    """Whether the markers of all its zones are those of this project's mats, and its cards have our stickers' ids."""
    known = game.areas
    ours = [zone.markers == known.get(name) for name, zone in table.zones.items() if zone.markers is not None]
    return bool(ours) and all(ours) and bool(table.cards) and dict(table.cards) == game.stickers
