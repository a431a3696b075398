"""Which marker belongs where: the written table that every print and every profile keeps to.

All prints share one dictionary of 250 ids. A player's area has the same ids in every game, so that mats serve them
all; the ids of a game's own areas and of its stickers start anew with each game, for one table plays one game. Marker
ids are stable across releases.
"""

from collections.abc import Mapping
from typing import Final

DICTIONARY: Final = "DICT_5X5_250"
IDS: Final = 250
BITS: Final = 5
MODULES: Final = BITS + 2
"""A marker's width in modules, its black border included."""

Corners = tuple[int, int, int, int]
"""Ids at an area's top left, top right, bottom right, bottom left, as its player sees them."""

ZONES: Final[Mapping[str, Corners]] = {
    "A": (0, 1, 2, 3),
    "B": (4, 5, 6, 7),
    "C": (8, 9, 10, 11),
    "D": (12, 13, 14, 15),
    "strip": (36, 37, 38, 39),
}
"""Areas of every game: those of the players, and the strip for the colors. A game's own areas lie between them,
or at the end of the ids where these are all taken."""

FIRST_CARD: Final = 40
"""Stickers have the ids from here on, in the order of a game's deck."""

LAYOUT: Final = 1
"""Goes up when something moves on the printed pages; stands in each page's code."""

ZONE_MARKER_MM: Final = 28.0
"""Side of a zone marker's black square: modules of 4 mm."""
CARD_MARKER_MM: Final = 17.5
"""Side of a card marker's black square: modules of 2.5 mm."""
MARGIN_MODULES: Final = 1.2
"""White around a marker, in modules: less than one and markers on a dark ground are lost."""


def margin(side_mm: float) -> float:
    """White around a marker of this side, in mm."""
    return MARGIN_MODULES * side_mm / MODULES
