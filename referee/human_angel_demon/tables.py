"""Tables of Human Angel Demon: what lies there, what players did, and what a state is read as."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Final, NamedTuple

from referee.human_angel_demon.cards import Card
from referee.looks import UNKNOWN, list_at
from scoring.errors import StateError
from scoring.human_angel_demon.middle import CARDS
from scoring.human_angel_demon.sets import CODES, IN_THE_BOX

KEPT: Final = ("advanced", "winner", "won_by", "discarder", "bonus", "item_win", "house_rules")
"""Keys of the state that no turn changes by itself."""
HAND: Final = 7
"""Cards of a hand between turns (H8)."""
MOST: Final = {"market": 12, "hand": 20}
"""Cards of a place; more lie on no table. Other places hold no more than the box."""
Codes = tuple[str, ...]
Ids = tuple[int, ...]
"""Cards by their numbers."""
UNSEEN: Final = 0
"""The number of a card that nobody saw."""
NO_TAKE: Final = -1
"""The number of a take that did not happen."""


class Side(NamedTuple):
    """What lies before a player."""

    discards: Ids = ()
    open: tuple[Ids, ...] = ()
    ready: bool = False


@dataclass(frozen=True, eq=False, slots=True)
class Table:
    """A table; each is only itself. A card's number is its place in `cards`, the first one is any card unseen.

    `takes` are the cards that were taken from this market and those before it, turn by turn, UNSEEN where it is not
    known which; `pending` those takes since the market was seen last; `open_` takes with the cards that they took in
    some order, `laid` what was opened, or discarded when ready, after takes of which the card is not known.
    `mover` is whose turn it is (None: not known), `hand` the number of the take whose card is in the mover's hand, or
    in that of the `holder`, who is not the mover,
    `fresh` who discarded last while nobody has moved since, `winner` who has goaled in this short game. `sizes` are the
    cards of each hand, as far as they were counted, `off` the turns by which a hand has too few or too many, `mended`
    those where they came right again. `matched`: turns of which a sure reading is held to be wrong, not the turn.
    """

    cards: tuple[Card, ...]
    market: Ids
    sides: tuple[Side, ...]
    takes: Ids = ()
    pending: Ids = ()
    open_: tuple[tuple[Ids, Ids], ...] = ()
    laid: tuple[tuple[int, Ids], ...] = ()
    turns: int = 0
    mover: int | None = None
    short_game: int = 1
    winner: int | None = None
    hand: int = NO_TAKE
    holder: int | None = None
    fresh: int | None = None
    sizes: Ids = ()
    off: tuple[tuple[int, int], ...] = ()
    mended: frozenset[int] = frozenset()
    matched: Ids = ()

    def codes(self, ids: Ids) -> list[str]:
        """What cards are believed to be."""
        return [self.cards[card].code for card in ids]

    def in_the_box(self) -> Table:
        """The table; where more cards of a kind lie there than there are, some are what looks showed besides."""
        ids = [*self.market, *(card for side in self.sides for row in (side.discards, *side.open) for card in row)]
        counts = Counter(self.codes((*ids,)))
        over = [code for code, n in counts.items() if n > IN_THE_BOX.get(code, n)]
        if not over:
            return self
        cards = list(self.cards)
        for code in over:
            others = [
                (cards[card].cost(way) - cards[card].cost(code), card, way)
                for card in ids
                if cards[card].code == code
                for way, _ in cards[card].ways
                if counts[way] < IN_THE_BOX.get(way, 0)
            ]
            for _, card, way in sorted(others)[: counts[code] - IN_THE_BOX[code]]:
                cards[card] = cards[card].be(way, guessed=True)
        return replace(self, cards=tuple(cards))


@dataclass(frozen=True)
class Done:
    """What a player did: `sign` makes two of them the same, the rest is by the cards' numbers and the table's takes.

    `breaks` are rules that no card's face has a part in, `apart` is what it costs that what was discarded is what was
    taken.
    """

    sign: Any
    player: int = field(compare=False)
    kind: str = field(compare=False)
    take: int = field(default=NO_TAKE, compare=False)
    opened: tuple[Ids, ...] = field(default=(), compare=False)
    discarded: Ids = field(default=(), compare=False)
    giver: int | None = field(default=None, compare=False)
    gained: int = field(default=UNSEEN, compare=False)
    was_ready: bool = field(default=False, compare=False)
    ready: bool = field(default=False, compare=False)
    dealt: Ids = field(default=(), compare=False)
    won: tuple[Any, ...] = field(default=(), compare=False)
    breaks: tuple[str, ...] = field(default=(), compare=False)
    number: int = field(default=0, compare=False)
    apart: float = field(default=0.0, compare=False)


class ReadSide(NamedTuple):
    """A player's things as read, None where they were not."""

    at: str
    discards: Codes | None
    open: tuple[Codes, ...] | None
    ready: bool | None
    hand: Codes | None
    size: int | None


class Reading(NamedTuple):
    """A state as read."""

    market: Codes | None
    sides: tuple[ReadSide | None, ...]
    short_game: int
    winner: int | None
    state: Mapping[str, Any]


def cards_at(fields: Mapping[str, Any], key: str, at: str) -> Codes | None:
    """A list of cards of a state, None where it is not known."""
    value = list_at(fields, key, at)
    if value is not None and len(value) > MOST.get(key, CARDS):
        raise StateError(f"{at}/{key}", "number-between", len(value), {"least": 0, "most": MOST.get(key, CARDS)})
    return None if value is None else card_codes(value, f"{at}/{key}")


def card_codes(value: object, at: str) -> Codes:
    """A list of cards. Raises StateError where it is none."""
    if not isinstance(value, list):
        raise StateError(at, "list", value)
    for i, card in enumerate(value):
        if not isinstance(card, str) or (card not in CODES and card != UNKNOWN):
            raise StateError(f"{at}/{i}", "had-card", card)
    return tuple(value)


def may_have_taken(table: Table, done: Done) -> Ids:
    """The card that a turn took, or those one of which it took; none where no look tells of any."""
    if done.gained != UNSEEN:
        return (done.gained,)
    if done.take == NO_TAKE:
        return ()
    if table.takes[done.take] != UNSEEN:
        return (table.takes[done.take],)
    return next((cards for takes, cards in table.open_ if done.take in takes), ())


def with_side(sides: tuple[Side, ...], p: int, side: Side) -> tuple[Side, ...]:
    """The sides with another one for a player."""
    return (*sides[:p], side, *sides[p + 1 :])


def last_of(ids: Ids) -> int:
    """The last card of a row; UNSEEN where none lies there."""
    return ids[-1] if ids else UNSEEN
