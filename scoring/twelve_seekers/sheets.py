"""The twenty rule sheets in printed order. Rulebook: list of rules (ルール一覧), Rule 1 to ルール 20.

A sheet is a kind of rule with its numbers. `readings` holds what another reading of a question makes of the kind.
"""

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import lru_cache
from types import MappingProxyType
from typing import Final, NamedTuple

from scoring.twelve_seekers import rates
from scoring.twelve_seekers.kinds import (
    COLORS,
    ByColor,
    ByNumber,
    ByPlace,
    ByRank,
    ByRun,
    ByVariety,
    Part,
    PlusMinus,
    Table,
    TwoPlus,
)
from scoring.twelve_seekers.rates import NO_CLAUSE, OTHERWISE, Clause, Rate

AnyKind = ByRank | ByColor | ByNumber | ByVariety | PlusMinus | TwoPlus | ByRun | ByPlace


Change = Callable[[AnyKind], AnyKind]
Changes = Mapping[tuple[str, str], Change]
AS_PRINTED: Final[Changes] = MappingProxyType({})


class Sheet(NamedTuple):
    """A rule sheet: its kind, and what a reading makes of it, by `(question, reading)`; they are made in this order.

    `rates`: each color's, where it is paid by its number of gems, or by that of each run.
    """

    kind: AnyKind
    readings: Changes = AS_PRINTED
    rates: tuple[Rate, ...] = ()


def by_color(*of_colors: Rate) -> Sheet:
    """The sheet of a rate for each color."""
    return Sheet(ByColor(tuple(rate.points for rate in of_colors)), rates=of_colors)


def by_run(*of_colors: Rate, cards: int = 0, readings: Changes = AS_PRINTED) -> Sheet:
    """The sheet of a rate for each color's runs."""
    return Sheet(ByRun(tuple(rate.points for rate in of_colors), cards), readings, of_colors)


def alike(rate: Rate) -> tuple[Rate, ...]:
    """The same rate for every color."""
    return (rate,) * len(COLORS)


def cut(whole: Table) -> Table:
    """The table of a run that may be cut into several as it pays most."""
    best = [0]
    for n in range(1, len(whole)):
        best.append(max(whole[piece] + best[n - piece] for piece in range(1, n + 1)))
    return tuple(best)


def per_run(change: Callable[[Table], Table]) -> Change:
    """The change of a kind whose runs are paid by other tables."""

    @lru_cache
    def changed(kind: AnyKind) -> AnyKind:
        assert isinstance(kind, ByRun)
        return replace(kind, tables=tuple(change(one) for one in kind.tables))

    return changed


def once_a_color(kind: AnyKind) -> AnyKind:
    """The kind where each color is paid for one run only."""
    assert isinstance(kind, ByRun)
    return replace(kind, once=True)


def two_threes(whole: Table) -> Table:
    """The table of a run of six that counts as two runs of three."""
    return (*whole[:6], 2 * whole[3], *whole[7:])


def free_single(whole: Table) -> Table:
    """The table under which a gem that is in no run costs nothing."""
    return (0, 0, *whole[2:])


CUT: Final = {("runs-cut", "cut"): per_run(cut)}
ONCE_A_COLOR: Final = {("plus-runs", "once-a-color"): once_a_color}
LENGTHS: Final = rates.by_length(0, 0, 1, 2, 4, 6, 9, 12)
BLUE_8: Final = rates.single_or_each(-3, 1)
PURPLE_8: Final = rates.single_or_each(2, -1)
EACH_LENGTH: Final = by_run(rates.every(2, 2), rates.every(3, 4), rates.every(4, 6), BLUE_8, PURPLE_8).kind
PLUS_RUNS: Final = rates.by_length(0, 0, 2, 4, 6, 8, 10, 13)

SHEETS: Final = {
    1: Sheet(ByRank((1, 1, -1))),
    2: by_color(*alike(rates.by_threes())),
    3: by_color(rates.each(2), rates.each(2), rates.each(1), rates.each(-1), rates.each(-2)),
    4: by_color(rates.every(3, 5), rates.every(2, 3), rates.each(1), rates.every(3, -3), rates.five_or_more()),
    5: by_color(*alike(rates.five_or_more())),
    6: Sheet(ByNumber(score=4)),
    7: by_run(*alike(LENGTHS)),
    8: by_run(
        rates.at_least(2, 2), rates.at_least(3, 4), rates.at_least(4, 6), BLUE_8, PURPLE_8,
        readings={("rule-8-runs", "each-length"): lambda kind: EACH_LENGTH},
    ),
    9: by_run(
        *alike(rates.exactly(3, 6, -1)),
        readings={
            ("rule-9-six", "two-threes"): per_run(two_threes),
            ("rule-9-singles", "free"): per_run(free_single),
            **CUT,
        },
    ),
    10: by_run(*alike(rates.exactly(2, 2)), readings=CUT),
    11: Sheet(ByVariety(color=4, gem=-1)),
    12: Sheet(ByVariety(color=-1, gem=1)),
    13: Sheet(
        PlusMinus(plus=2, minus=-2),
        {("rule-13-one-color", "plus-alone"): lambda kind: PlusMinus(plus=2, minus=-2, alone=True)},
    ),
    14: Sheet(PlusMinus(plus=2, minus=-2, cards=2)),
    15: Sheet(TwoPlus(plus=1, minus=-2), {("rule-15-plus", "held"): lambda kind: TwoPlus(plus=1, minus=-2, held=True)}),
    16: by_run(*alike(PLUS_RUNS), cards=2, readings=ONCE_A_COLOR),
    17: by_run(*alike(rates.at_least(2, 3)), cards=2, readings={**CUT, **ONCE_A_COLOR}),
    18: by_run(*alike(LENGTHS)),
    19: Sheet(ByPlace(each=1)),
    20: Sheet(ByPlace(each=1)),
}  # fmt: skip


def clause(rule: int, part: Part) -> Clause:
    """The clause of a rule sheet that a part of the points rests on; empty where the part's own words say it."""
    points, key, color, n, at = part
    sheet = SHEETS[rule]
    if isinstance(sheet.kind, ByRank):
        paid = sheet.kind.each
        return ("each", {"each": paid[at - 1]}) if at <= len(paid) else ("nothing", {"size": len(paid)})
    if not sheet.rates or key in ("seekers.other-run", "seekers.run-again"):
        return NO_CLAUSE
    rate = sheet.rates[color]
    return rate.clause(n) if points == rate.points[n] else OTHERWISE
