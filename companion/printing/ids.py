"""Which marker belongs where: the written table that every print and every profile keeps to.

All prints share one dictionary of 250 ids. A player's zone has the same ids in every game, so that mats serve them all;
the stickers' ids start anew with each game, for one table plays one game. Ids once printed stay as they are.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

DICTIONARY: Final = "DICT_5X5_250"
IDS: Final = 250
BITS: Final = 5
MODULES: Final = BITS + 2
"""A marker's width in modules, its black border included."""

ZONES: Final[Mapping[str, tuple[int, int, int, int]]] = {
    "A": (0, 1, 2, 3),
    "B": (4, 5, 6, 7),
    "C": (8, 9, 10, 11),
    "D": (12, 13, 14, 15),
    "strip": (36, 37, 38, 39),
}
"""Ids at each zone's top left, top right, bottom right, bottom left, as its player sees them: zones of every game."""

OWN_ZONES: Final[Mapping[str, Mapping[str, tuple[int, int, int, int]]]] = {
    "twelve-seekers": {
        "dungeon": (16, 17, 18, 19),
        "A.valid": (20, 21, 22, 23),
        "A.invalid": (24, 25, 26, 27),
        "B.valid": (28, 29, 30, 31),
        "B.invalid": (32, 33, 34, 35),
    },
    "human-angel-demon": {
        "bonus": (16, 17, 18, 19),
        "A.discards": (20, 21, 22, 23),
        "B.discards": (24, 25, 26, 27),
        "C.discards": (28, 29, 30, 31),
        "D.discards": (32, 33, 34, 35),
    },
    "splendor": {
        "A.reserved": (20, 21, 22, 23),
        "B.reserved": (24, 25, 26, 27),
        "C.reserved": (28, 29, 30, 31),
        "D.reserved": (32, 33, 34, 35),
    },
}
"""Zones that one game has beside those; games share their ids."""


SEATS: Final[Mapping[str, tuple[str, ...]]] = {
    "twelve-seekers": ("A", "B", "dungeon"),
    "human-angel-demon": ("A", "B", "C", "D", "bonus"),
    "splendor": ("A", "B", "C", "D"),
    "igna": ("A", "B", "C", "D"),
}
"""The zones of each game, where nothing else is asked for."""


def mats(game: str) -> list[str]:
    """The zones that a mat may be for: all but the color strip's."""
    return [zone for zone in zones(game) if zone != "strip"]


def zones(game: str) -> dict[str, tuple[int, int, int, int]]:
    """The ids of every zone that a game may have."""
    return {**ZONES, **OWN_ZONES.get(game, {})}


FIRST_CARD: Final = 40
"""Stickers have the ids from here on, in the order of `cards`."""

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
