"""Tables of Human Angel Demon: what lies there, what players did, and what a state is read as."""

from collections.abc import Mapping
from typing import Any, Final, NamedTuple

from referee.looks import UNKNOWN, list_at
from scoring.errors import StateError
from scoring.human_angel_demon.sets import CODES, is_big_set

BIG_SET: Final = 3
"""Cards of a set that is opened (H4)."""
KEPT: Final = ("advanced", "winner", "won_by", "discarder", "bonus", "item_win", "house_rules")
"""Keys of the state that no turn changes by itself."""
Cards = tuple[str, ...]
Ids = tuple[int, ...]
"""Cards by their numbers."""
UNSEEN: Final = 0
"""The number of a card that nobody saw."""


class Side(NamedTuple):
    """What lies before a player; `gained`: how many of the discards others have gained."""

    discards: Ids = ()
    open: tuple[Ids, ...] = ()
    ready: bool = False
    gained: int = 0


class Table(NamedTuple):
    """A table; `mover` is whose turn it is (None: not known), `winner` who has goaled in this short game.

    `same` are the cards that ready players took and those that they then discarded, `hand` those of which the mover
    holds one, `sizes` the cards of each hand where they were counted.
    """

    market: Ids
    sides: tuple[Side, ...]
    turns: int = 0
    mover: int | None = None
    short_game: int = 1
    winner: int | None = None
    same: tuple[tuple[int, int], ...] = ()
    hand: Ids = ()
    sizes: tuple[int | None, ...] = ()


class Done(NamedTuple):
    """What a player did, by the cards' numbers. `breaks` are rules that no card's face has a part in."""

    player: int
    kind: str
    took: int = UNSEEN
    opened: Ids = ()
    discarded: int | None = None
    giver: int | None = None
    was_ready: bool = False
    ready: bool = False
    dealt: Ids = ()
    won: tuple[Any, ...] = ()
    breaks: tuple[str, ...] = ()


class Event(NamedTuple):
    """A turn or a gain in the order of a look: whose, the discard, the set opened, whose discard was gained."""

    player: int
    discarded: int | None = None
    opened: Ids = ()
    giver: int | None = None
    goal: bool = False


class ReadSide(NamedTuple):
    """A player's things as read, None where they were not."""

    at: str
    discards: Cards | None
    open: tuple[Cards, ...] | None
    ready: bool | None
    hand: Cards | None
    size: int | None


class Reading(NamedTuple):
    """A state as read."""

    market: Cards | None
    sides: tuple[ReadSide | None, ...]
    short_game: int
    winner: int | None
    state: Mapping[str, Any]


def cards_at(fields: Mapping[str, Any], key: str, at: str) -> Cards | None:
    value = list_at(fields, key, at)
    return None if value is None else card_codes(value, f"{at}/{key}")


def card_codes(value: object, at: str) -> Cards:
    if not isinstance(value, list):
        raise StateError(at, "list", value)
    for i, card in enumerate(value):
        if not isinstance(card, str) or (card not in CODES and card != UNKNOWN):
            raise StateError(f"{at}/{i}", "had-card", card)
    return tuple(value)


def is_set(cards: Cards) -> bool:
    return UNKNOWN in cards or (len(cards) == BIG_SET and is_big_set([CODES[card][0] for card in cards]))


def with_side(sides: tuple[Side, ...], p: int, side: Side) -> tuple[Side, ...]:
    return (*sides[:p], side, *sides[p + 1 :])


def hand_sizes(read: Reading) -> tuple[int | None, ...]:
    return tuple(None if shown is None else shown.size for shown in read.sides)
