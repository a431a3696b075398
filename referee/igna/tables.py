"""Tables of Igna: what lies before the players and between them, and how it is read off a state."""

import re
from collections.abc import Mapping, Sequence
from typing import Any, Final, NamedTuple

from referee.looks import UNKNOWN, Look, player_rows
from scoring.errors import StateError

PRICE: Final = 3
"""Tokens paid in place of a treasure laid (I3)."""
REST: Final = 1
"""Tokens for a rest (I6), and for a treasure that another player got (I4)."""
FEW: Final = 2
MANY: Final = 8
"""Hands of so many cards or fewer draw two and two, of so many or more none (I2)."""
SET: Final = 3
TAKEN_FROM_HAND: Final = 2
BESIDE: Final = {"I7", "I9", "I10"}
"""Rules that a look shows broken beside what came in a turn."""
EXCHANGED: Final = 2
"""Igna cards that are put away for one treasure drawn (I5)."""

TREASURE: Final = re.compile(r"[a-z]+\d\*?")
"""A treasure in its short form."""
Treasure = str
Treasures = tuple[Treasure, ...]


class Side(NamedTuple):
    """What lies before a player; `tokens`, and how many cards the `hand` holds, None where that is not known."""

    sets: tuple[Treasures, ...] = ()
    tokens: int | None = 0
    hand: int | None = None
    adventurer: str = UNKNOWN


class Table(NamedTuple):
    """A table; `laid` is the treasure offered, `mover` whose turn it is.

    `seen`: the looks that showed the treasure offered, each with what it was read as; `laid_in`: the turn's number.
    `mixed`: treasures that were put to the Igna cards (I7).
    """

    sides: tuple[Side, ...]
    laid: Treasure | None = None
    treasures: Treasures = ()
    played: tuple[str, ...] = ()
    turns: int = 0
    mover: int | None = None
    seen: tuple[tuple[Look, Treasure], ...] = ()
    laid_in: int = 0
    mixed: int = 0


class Reading(NamedTuple):
    """A state as read, None where something is not in it; `ats` are the players' pointers."""

    sides: tuple[Side | None, ...]
    ats: tuple[str, ...]
    laid: Treasure | None
    treasures: Treasures | None
    played: tuple[str, ...] | None
    mixed: int = 0
    place_seen: bool = True
    """Whether the place of the treasure offered is in sight."""

    @property
    def counted(self) -> bool:
        """Whether tokens, the treasure offered and discard places are in sight, not sets alone."""
        tokens = all(side is not None and side.tokens is not None for side in self.sides)
        return tokens and self.place_seen and self.treasures is not None and self.played is not None


def read_state(state: Mapping[str, Any], names: Sequence[str]) -> Reading:
    """Take a look's state apart. Raises StateError where it is none."""
    sides: list[Side | None] = [None] * len(names)
    ats = [""] * len(names)
    for p, at, row in player_rows(state, names):
        sets = row.get("sets", [])
        if not isinstance(sets, list):
            raise StateError(f"{at}/sets", "list", sets)
        ats[p] = at
        hand, tokens = row.get("hand_size"), row.get("tokens")
        sides[p] = Side(
            tuple(_treasures(one, f"{at}/sets/{n}") for n, one in enumerate(sets)),
            tokens if type(tokens) is int else None,
            hand if type(hand) is int else None,
            str(row.get("adventurer", UNKNOWN)),
        )
    laid, gone, played = state.get("laid"), state.get("discard_treasure"), state.get("discard_igna")
    return Reading(
        tuple(sides),
        tuple(ats),
        None if laid in (None, UNKNOWN) else _treasure(laid, "/laid"),
        _treasures(gone, "/discard_treasure") if isinstance(gone, list) else None,
        tuple(map(str, played)) if isinstance(played, list) else None,
        place_seen="laid" in state,
    )


def sorted_out(read: Reading, mixed: list[int]) -> Reading:
    """The reading with treasures that lie among the Igna cards (I7) where they belong; `mixed` is carried on: how many
    treasures had been put away before each of them.
    """
    if read.treasures is None or read.played is None:
        return read
    astray = [card for card in read.played if TREASURE.fullmatch(card)]
    treasures = [*read.treasures]
    for i, card in enumerate(astray):
        if i == len(mixed):
            mixed.append(len(treasures))
        treasures.insert(mixed[i], card)
    played = tuple(card for card in read.played if not TREASURE.fullmatch(card))
    return read._replace(treasures=tuple(treasures), played=played, mixed=len(astray))


def drawn(hand: int) -> int:
    """How many cards are drawn in step 1, of each kind (I2)."""
    return 2 if hand <= FEW else 0 if hand >= MANY else 1


def is_set(cards: Treasures) -> bool:
    """I5: one color and number; one color in a row; three colors and one number."""
    if UNKNOWN in cards:
        return True
    plain = [card.rstrip("*") for card in cards]
    colors = {card.rstrip("0123456789") for card in plain}
    digits = [card[len(card.rstrip("0123456789")) :] for card in plain]
    if len(cards) != SET or not all(digits):
        return False
    numbers = sorted(map(int, digits))
    if len(set(numbers)) == 1:
        return len(colors) in (1, SET)
    return len(colors) == 1 and numbers == list(range(numbers[0], numbers[0] + SET))


def _treasure(value: object, at: str) -> Treasure:
    """A treasure card in its short form."""
    if isinstance(value, str):
        return value
    if isinstance(value, dict) and "color" in value and "number" in value:
        return f"{value['color']}{value['number']}{'*' if value.get('bonus') else ''}"
    raise StateError(at, "igna-card", value)


def _treasures(value: object, at: str) -> Treasures:
    if not isinstance(value, list):
        raise StateError(at, "list", value)
    return tuple(_treasure(one, f"{at}/{i}") for i, one in enumerate(value))
