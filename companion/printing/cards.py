"""What each game's stickers stand for, in the order of their ids.

An entry is what a table profile says of a card, and what the game's module makes of it when it lies in a zone. Cards
that exist several times are listed as often: each gets a sticker of its own, so that no two on a table are alike.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final

from companion.games import igna
from companion.printing.ids import FIRST_CARD, IDS
from scoring.human_angel_demon.sets import ATTRIBUTES, BLACK, RED
from scoring.splendor import COLORS as JEWELS
from scoring.twelve_seekers.kinds import COLORS
from scoring.twelve_seekers.seekers import ADVANCED, BASIC
from scoring.twelve_seekers.sheets import SHEETS

Entry = dict[str, Any]

TURN_ORDERS: Final = 4
"""Turn-order cards in the box of Twelve Seekers (rulebook: contents)."""

POINTS: Final[Mapping[int, tuple[int, ...]]] = {
    1: (0, 0, 0, 0, 0, 0, 0, 1),
    2: (1, 1, 2, 2, 2, 3),
    3: (3, 4, 4, 5),
}
"""Points of Splendor's development cards of one color, by level: 8, 6 and 4 cards."""

IGNA_PLAIN, IGNA_BONUS = 3, 1
"""Stickers for each color and number of Igna's treasures. The rulebook does not say how many there are: three make a
set of the same, one more may carry the bonus."""


def _twelve_seekers() -> Iterator[Entry]:
    for power, count in BASIC.items():
        for _ in range(count):
            yield {"kind": "seeker", "power": power}
    for name in ADVANCED:
        yield {"kind": "seeker", "seeker": name}
    for color in COLORS:
        yield {"kind": "color", "color": color}
    for rule in SHEETS:
        yield {"kind": "rule", "rule": rule}
    for order in range(1, TURN_ORDERS + 1):
        yield {"kind": "order", "order": order}


def _human_angel_demon() -> Iterator[Entry]:
    for attribute, last in ATTRIBUTES.items():
        for title in range(1, last + 1):
            for red in (*[False] * BLACK, *[True] * RED):
                yield {"kind": "card", "card": f"{attribute}{title}{'r' * red}"}


def _splendor() -> Iterator[Entry]:
    for level, points in POINTS.items():
        for jewel in JEWELS:
            for worth in points:
                yield {"kind": "development", "level": level, "points": worth, "bonus": jewel}
    around = [*JEWELS, *JEWELS]
    for needs, each in ((2, 4), (3, 3)):
        for first in range(len(JEWELS)):
            yield {"kind": "noble", "needs": dict.fromkeys(around[first : first + needs], each)}


def _igna() -> Iterator[Entry]:
    for color in igna.BOX["colors"]:
        for number in range(1, igna.BOX["numbers"] + 1):
            for bonus in (*[False] * IGNA_PLAIN, *[True] * IGNA_BONUS):
                yield {"kind": "treasure", "color": color, "number": number, "bonus": bonus}


DECKS: Final = {
    "twelve-seekers": _twelve_seekers,
    "human-angel-demon": _human_angel_demon,
    "splendor": _splendor,
    "igna": _igna,
}
"""The games whose cards carry stickers, in the order of the box. The sheets of In the Ruin need none."""


def stickers(game: str) -> dict[int, Entry]:
    """Marker id and entry of each of a game's stickers; empty for a game without."""
    deck = list(DECKS[game]()) if game in DECKS else []
    if FIRST_CARD + len(deck) > IDS:
        raise ValueError(f"{game} has {len(deck)} cards: expected at most {IDS - FIRST_CARD}")
    return dict(enumerate(deck, FIRST_CARD))
