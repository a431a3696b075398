"""Twelve Seekers: gems, gold, seeker cards, color cards, and twenty rule sheets of which one is in play."""

from collections.abc import Iterator
from typing import Final

from common.messages import Message
from companion.games.entry import Card, Game, Laid, Say, Start, TableRules, Typed, label
from companion.games.shape import ANY_KEY, TABLE, middle
from companion.games.twelve_seekers import table
from companion.games.twelve_seekers.due import due
from companion.games.twelve_seekers.hidden import hands
from companion.games.twelve_seekers.told import TOLD
from scoring.twelve_seekers.bonuses import PAYING
from scoring.twelve_seekers.kinds import COLORS
from scoring.twelve_seekers.middle import SEEKERS_GAME
from scoring.twelve_seekers.seekers import ADVANCED, BASIC
from scoring.twelve_seekers.sheets import SHEETS
from scoring.twelve_seekers.table import GOLD, OF_A_COLOR

RAINBOW: Final = 1
"""Rainbow gems in the box."""
COUNTS = {ANY_KEY: int}
PLAYER = {
    "name": str, "gems": COUNTS, "line": [str], "valid": COUNTS, "invalid": COUNTS, "gold": int, "chips": int,
    "seekers": [(int, str)], "bonuses": [{"seeker": str, "gems": [str], "held": [str]}], "color_cards": [str],
    "choices": {"rainbow": str, "number": int, "plus": ([str], str), "minus": str},
}  # fmt: skip
BOX: Final = {
    "colors": list(COLORS),
    "of_a_color": OF_A_COLOR,
    "rainbow": RAINBOW,
    "gold": GOLD,
    "basic": BASIC,
    "advanced": ADVANCED,
    "paying": list(PAYING),
    "rules": [{"rule": rule, "collects": s.kind.collects, "cards": s.kind.cards} for rule, s in SHEETS.items()],
}

TURN_ORDERS: Final = 4
"""Turn-order cards in the box (rulebook: contents)."""


def _deck() -> Iterator[Card]:
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


def _laid(card: Card) -> Laid:
    kind = "advanced" if "seeker" in card else card["kind"]
    sign = str(card.get("power", card.get("rule", card.get("order", ""))))
    return Laid(Message(f"laid.twelve-seekers.{kind}", {}), sign, (card["color"],) if "color" in card else ())


def _label(slug: str, card: Card, say: Say) -> str:
    return say(f"seeker.{card['seeker']}") if "seeker" in card else label(slug, {"order": "?", **card}, say)


GAME = Game(
    "twelve-seekers",
    {**TABLE, **middle(SEEKERS_GAME), "rule": int, "goes_on": bool, "players": [PLAYER]},
    BOX,
    table=TableRules(table.state, table.player, table.CARDS, table.set_up),
    tiles={**dict.fromkeys(COLORS, OF_A_COLOR), "rainbow": RAINBOW, "gold": GOLD},
    deck=tuple(_deck()),
    laid=_laid,
    zones={"dungeon": 16, "A.valid": 20, "A.invalid": 24, "B.valid": 28, "B.invalid": 32},
    players=(2,),
    seats=("A", "B", "dungeon"),
    mat_rows=1,
    sheets=tuple(SHEETS),
    typed=Typed(
        table=("rule", "goes_on", "house_rules"),
        player=("name", "chips", "gold", "seekers", "bonuses", "color_cards", "choices"),
        counter="chips",
        asked="rule",
    ),
    terms=("color.", "sheet.", "seeker.", "choice."),
    label=_label,
    demo=True,
    middle="dungeon",
    followed=frozenset({"dungeon"}),
    unseen={"gold": 0},
    start=Start((2,)),
    rows={
        "gems": ("seekers.",),
        "gold": ("seekers.gold",),
        "chips": ("seekers.chips", "seekers.bonus.", "seekers.no-bonus."),
    },
    hands=hands,
    due=due,
    told=TOLD,
)
