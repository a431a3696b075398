"""Igna: treasure cards in sets of three, whose values stand on the help card."""

from collections.abc import Iterator
from typing import Any, Final

from common.messages import Message
from companion.games.entry import Card, Game, Laid, Saved, Say, Start, TableRules, Typed
from companion.games.igna import table
from companion.games.igna.due import due
from companion.games.igna.told import TOLD
from companion.games.shape import TABLE, middle
from scoring.fields import an_object, count, known
from scoring.igna import IGNA_GAME, IGNA_PLAYER, KINDS, POINTS_KEYS, SETS_TO_END

CARD = (str, {"color": str, "number": int, "bonus": bool})
PLAYER = {"name": str, "sets": [[CARD]], **middle(IGNA_PLAYER)}
POINTS = {**dict.fromkeys(KINDS, int), "bonus": int}
SHAPE = {**TABLE, **middle(IGNA_GAME), "points": POINTS, "players": [PLAYER]}
BOX: Final[dict[str, Any]] = {
    "colors": ["red", "yellow", "green", "blue", "purple", "white"],
    "numbers": 7,
    "kinds": list(KINDS),
    "sets_to_end": SETS_TO_END,
}
"""The rulebook names neither the colors nor the highest number: these are offered, others are taken as they come."""

PLAIN: Final = 3
"""Stickers for each color and number: three make a set of the same. The rulebook does not say how many there are."""
BONUS: Final = 1
"""Stickers more for each, of cards that carry the bonus."""
MOST_POINTS: Final = 99
"""A value on the help card, at most."""


def _deck() -> Iterator[Card]:
    for color in BOX["colors"]:
        for number in range(1, BOX["numbers"] + 1):
            for bonus in (*[False] * PLAIN, *[True] * BONUS):
                yield {"kind": "treasure", "color": color, "number": number, "bonus": bonus}


def _laid(card: Card) -> Laid:
    row = Message("laid.igna.bonus" if card["bonus"] else "laid.igna.plain", {"color": card["color"]})
    return Laid(row, f"{card['number']}{'*' * card['bonus']}", (card["color"],))


def _label(slug: str, card: Card, say: Say) -> str:
    return say(f"{slug}.card.treasure-bonus" if card.get("bonus") else f"{slug}.card.treasure", **card)


def help_card(values: object) -> dict[str, int]:
    """The values of the help card, each a count. Raises StateError."""
    fields = an_object(values, "")
    known(fields, POINTS_KEYS, "")
    return {key: count(fields, key, "", MOST_POINTS) for key in fields}


GAME = Game(
    "igna",
    SHAPE,
    BOX,
    table=TableRules(table.state, table.player, table.CARDS),
    deck=tuple(_deck()),
    laid=_laid,
    copies=True,
    zones={"laid": 16},
    typed=Typed(stays=("points",)),
    saved=Saved("points", help_card, "igna-help-card.json"),
    label=_label,
    middle="laid",
    followed=frozenset({"laid"}),
    start=Start((2,)),
    grows=("treasure",),
    groups=(((3, "set"), (3, "set")), ((3, "set"),)),
    contradictions=("igna.no-set",),
    rows={
        "same": ("igna.set.same",),
        "run": ("igna.set.run",),
        "mixed": ("igna.",),
        "bonus": ("igna.bonus",),
    },
    due=due,
    told=TOLD,
)
