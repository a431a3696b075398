"""How a color's gems, or a run of them, are paid: the points by their number, and the clause of the sheet that says so.

A clause is the end of a line's message key and the gaps that it fills: `("every", {"size": 3, "each": 5})` is
"5 for every 3".
"""

from collections.abc import Callable, Mapping
from typing import Final, NamedTuple

from scoring.breakdown import NOTHING, Value
from scoring.twelve_seekers.kinds import MOST, Table

Clause = tuple[str, Mapping[str, Value]]
NO_CLAUSE: Final[Clause] = ("", NOTHING)
OTHERWISE: Final[Clause] = ("otherwise", NOTHING)
"""Where a house rule pays something else than the sheet says."""


class Rate(NamedTuple):
    """Points for 0, 1, 2, … 8 gems, and the clause that pays so many."""

    points: Table
    clause: Callable[[int], Clause]


def _rate(points: Callable[[int], int], clause: Callable[[int], Clause]) -> Rate:
    return Rate(tuple(map(points, range(MOST + 1))), clause)


def each(points: int) -> Rate:
    """So much for each gem."""
    return _rate(lambda n: n * points, lambda n: ("each", {"each": points}))


def single_or_each(single: int, points: int) -> Rate:
    """So much for a single gem, else so much for each."""
    alone: Clause = ("alone", {"each": single})
    return _rate(lambda n: single if n == 1 else n * points, lambda n: alone if n == 1 else ("each", {"each": points}))


def every(size: int, points: int) -> Rate:
    """So much for every so many."""
    return _rate(lambda n: n // size * points, lambda n: ("every", {"size": size, "each": points}))


def at_least(size: int, points: int) -> Rate:
    """So much for so many or more."""
    return _rate(lambda n: points if n >= size else 0, lambda n: ("least", {"size": size, "each": points}))


def exactly(size: int, points: int, other: int = 0) -> Rate:
    """So much for exactly so many, `other` for each gem of any other number."""
    this: Clause = ("exactly", {"size": size, "each": points})
    not_this: Clause = ("not-exactly", {"size": size, "each": other}) if other else this
    return _rate(lambda n: points if n == size else n * other, lambda n: this if n == size else not_this)


def five_or_more() -> Rate:
    """5 for five or more, -1 for each of fewer."""
    many: Clause = ("many", {"size": 5, "each": 5})
    few: Clause = ("few", {"size": 4, "each": -1})
    return _rate(lambda n: 5 if n >= 5 else -n, lambda n: many if n >= 5 else few)


def by_threes() -> Rate:
    """0, 2, 4 for none, one, two, and again from three on."""
    paid = (0, 2, 4)
    numbers = [tuple(range(rest, MOST + 1, 3)) for rest in range(3)]
    return _rate(lambda n: paid[n % 3], lambda n: ("these", {"numbers": numbers[n % 3], "each": paid[n % 3]}))


def by_length(*points: int) -> Rate:
    """A value for each length of a run up to the longest, 7 or 8 gems."""
    paid = (*points, points[-1])
    return Rate(paid, lambda n: ("length", {"numbers": (7, 8) if n >= 7 else (n,), "each": paid[n]}))
