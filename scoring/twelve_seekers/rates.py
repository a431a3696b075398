"""What a line says of its rate: the clause of the rule sheet that pays, with its numbers.

A clause is the end of a line's message key and the gaps that it fills: `("every", {"size": 3, "each": 5})` is
"5 for every 3". Where a house rule pays something else than the sheet says, the clause is `otherwise`.
"""

from collections.abc import Callable, Mapping
from typing import Final

from scoring.breakdown import NOTHING, Value
from scoring.twelve_seekers.kinds import MOST, ByColor, ByRank, ByRun, Part
from scoring.twelve_seekers.sheets import SHEETS

Clause = tuple[str, Mapping[str, Value]]
ByNumberOfGems = Callable[[int], Clause]
"""The clause that pays so many gems of a color, or a run of so many."""

OTHERWISE: Final[Clause] = ("otherwise", NOTHING)


def _each(points: int) -> ByNumberOfGems:
    return lambda n: ("each", {"each": points})


def _every(size: int, points: int) -> ByNumberOfGems:
    return lambda n: ("every", {"size": size, "each": points})


def _five_or_more(n: int) -> Clause:
    return ("many", {"size": 5, "each": 5}) if n >= 5 else ("few", {"size": 4, "each": -1})


def _by_threes(n: int) -> Clause:
    return "these", {"numbers": tuple(range(n % 3, MOST + 1, 3)), "each": (0, 2, 4)[n % 3]}


def _at_least(size: int, points: int) -> ByNumberOfGems:
    return lambda n: ("least", {"size": size, "each": points})


def _single_or_each(single: int, each: int) -> ByNumberOfGems:
    return lambda n: ("alone", {"each": single}) if n == 1 else ("each", {"each": each})


def _exactly(size: int, points: int, other: int) -> ByNumberOfGems:
    exactly: Clause = ("exactly", {"size": size, "each": points})
    return lambda n: exactly if n == size or not other else ("not-exactly", {"size": size, "each": other})


def _by_length(points: tuple[int, ...]) -> ByNumberOfGems:
    return lambda n: ("length", {"numbers": (7, 8) if n >= 7 else (n,), "each": points[n]})


def _lengths(rule: int) -> ByNumberOfGems:
    kind = SHEETS[rule].kind
    assert isinstance(kind, ByRun)
    return _by_length(kind.tables[0])


CLAUSES: Final[Mapping[int, tuple[ByNumberOfGems, ...]]] = {
    2: (_by_threes,) * 5,
    3: (_each(2), _each(2), _each(1), _each(-1), _each(-2)),
    4: (_every(3, 5), _every(2, 3), _each(1), _every(3, -3), _five_or_more),
    5: (_five_or_more,) * 5,
    7: (_lengths(7),) * 5,
    8: (_at_least(2, 2), _at_least(3, 4), _at_least(4, 6), _single_or_each(-3, 1), _single_or_each(2, -1)),
    9: (_exactly(3, 6, -1),) * 5,
    10: (_exactly(2, 2, 0),) * 5,
    16: (_lengths(16),) * 5,
    17: (_at_least(2, 3),) * 5,
    18: (_lengths(18),) * 5,
}
"""Of the rules that pay each color, or each run, by its number of gems: one function a color."""


def clause(rule: int, part: Part) -> Clause:
    """The clause of a rule sheet that a part of the points rests on; empty where the part's own words say it."""
    points, key, color, n, at = part
    kind = SHEETS[rule].kind
    if isinstance(kind, ByRank):
        return ("each", {"each": kind.each[at - 1]}) if at <= len(kind.each) else ("nothing", {"size": len(kind.each)})
    if rule not in CLAUSES or key in ("seekers.other-run", "seekers.run-again"):
        return "", NOTHING
    assert isinstance(kind, (ByColor, ByRun))
    return CLAUSES[rule][color](n) if points == kind.tables[color][n] else OTHERWISE
