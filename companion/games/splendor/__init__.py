"""Splendor: bought cards, nobles, tokens."""

from collections.abc import Iterator, Mapping
from typing import Final

from common.messages import Message
from companion.games.entry import Card, Game, Laid, Say, Start, TableRules, label
from companion.games.shape import ANY_KEY, TABLE, middle
from companion.games.splendor import table
from companion.games.splendor.due import due
from companion.games.splendor.told import TOLD
from scoring.splendor import (
    CARDS,
    COLORS,
    GOAL,
    GOLD,
    LAID_OUT,
    NOBLES,
    OF_A_COLOR,
    SPLENDOR_CARD,
    SPLENDOR_GAME,
    SPLENDOR_PLAYER,
    TOKEN_LIMIT,
    TOKENS,
)

COUNTS = {ANY_KEY: int}
PLAYER = {
    "name": str, "cards": [{"points": int, "bonus": str, **middle(SPLENDOR_CARD)}],
    "nobles": (int, [COUNTS]), "tokens": COUNTS, "reserved": int, **middle(SPLENDOR_PLAYER),
}  # fmt: skip
CHIPS = {color: GOLD if color == "gold" else OF_A_COLOR for color in TOKENS}
BOX = {
    "colors": list(COLORS),
    "tokens": list(TOKENS),
    "token_limit": TOKEN_LIMIT,
    "most_tokens": CHIPS,
    "most_nobles": NOBLES,
    "most_cards": CARDS,
    "goal": GOAL,
    "most_points": 5,
}

POINTS: Final[Mapping[int, tuple[int, ...]]] = {
    1: (0, 0, 0, 0, 0, 0, 0, 1),
    2: (1, 1, 2, 2, 2, 3),
    3: (3, 4, 4, 5),
}
"""Points of the development cards of one color, by level: 8, 6 and 4 cards."""


NOBLE_MM: Final = (60.0, 60.0)
"""Sides of a noble."""


def _deck() -> Iterator[Card]:
    for level, points in POINTS.items():
        for jewel in COLORS:
            for worth in points:
                yield {"kind": "development", "level": level, "points": worth, "bonus": jewel}
    around = [*COLORS, *COLORS]
    for needs, each in ((2, 4), (3, 3)):
        for first in range(len(COLORS)):
            yield {"kind": "noble", "needs": dict.fromkeys(around[first : first + needs], each)}


def _laid(card: Card) -> Laid:
    if card["kind"] == "noble":
        needs = tuple(color for color, n in card["needs"].items() for _ in range(n))
        return Laid(Message("laid.splendor.nobles", {}), "", needs)
    row = Message("laid.splendor.development", {"level": card["level"], "bonus": card["bonus"]})
    return Laid(row, str(card["points"]), (card["bonus"],))


def _label(slug: str, card: Card, say: Say) -> str:
    if card["kind"] == "noble":
        return say(f"{slug}.card.noble", needs=[color for color, n in card["needs"].items() for _ in range(n)])
    return label(slug, {"level": "?", "points": 0, **card}, say)


GAME = Game(
    "splendor",
    {**TABLE, **middle(SPLENDOR_GAME), "round_over": bool, "players": [PLAYER]},
    BOX,
    table=TableRules(table.state, table.player, table.CARDS, table.set_up),
    chips=CHIPS,
    deck=tuple(_deck()),
    laid=_laid,
    sizes={"noble": NOBLE_MM},
    zones={"market": 16, "A.reserved": 20, "B.reserved": 24, "C.reserved": 28, "D.reserved": 32},
    label=_label,
    middle="market",
    followed=frozenset({"market", "supply"}),
    start=Start((2, 3, 4), lambda n: {"nobles": n + 1, "tokens": LAID_OUT.get(n, OF_A_COLOR)}),
    grows=("development",),
    contradictions=("splendor.card-points", "splendor.noble-twice", "splendor.noble-unknown", "splendor.noble-unmet"),
    rows={"cards": ("splendor.card", "splendor.plain"), "nobles": ("splendor.noble",)},
    due=due,
    told=TOLD,
)
