"""The twenty rule sheets in printed order. Rulebook: list of rules (ルール一覧), Rule 1 to ルール 20.

A sheet is a kind of rule with its numbers. `readings` holds what another reading of a question makes of the kind.
Tables give points for 0, 1, 2, … 8 gems of a color, or in a run of it.
"""

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import lru_cache
from types import MappingProxyType
from typing import Final, NamedTuple

from scoring.twelve_seekers.kinds import (
    ByColor,
    ByNumber,
    ByPlace,
    ByRank,
    ByRun,
    ByVariety,
    PlusMinus,
    Table,
    TwoPlus,
    alike,
    table,
)

AnyKind = ByRank | ByColor | ByNumber | ByVariety | PlusMinus | TwoPlus | ByRun | ByPlace


Change = Callable[[AnyKind], AnyKind]


class Sheet(NamedTuple):
    """A rule sheet: its kind, and what a reading makes of it, by `(question, reading)`; they are made in this order."""

    kind: AnyKind
    readings: Mapping[tuple[str, str], Change] = MappingProxyType({})


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
LENGTHS: Final = table({2: 1, 3: 2, 4: 4, 5: 6, 6: 9, 7: 12, 8: 12})
FIVE_OR_MORE: Final = table(lambda n: 5 if n >= 5 else -n)
THREE: Final = table(lambda n: 6 if n == 3 else -n)
TWO: Final = table({2: 2})
TWO_OR_MORE: Final = table(lambda n: 3 if n >= 2 else 0)

SHEETS: Final = {
    1: Sheet(ByRank((1, 1, -1))),
    2: Sheet(ByColor(alike((0, 2, 4) * 3))),
    3: Sheet(
        ByColor(
            (
                table(lambda red: 2 * red),
                table(lambda yellow: 2 * yellow),
                table(lambda green: green),
                table(lambda blue: -blue),
                table(lambda purple: -2 * purple),
            )
        )
    ),
    4: Sheet(
        ByColor(
            (
                table(lambda red: red // 3 * 5),
                table(lambda yellow: yellow // 2 * 3),
                table(lambda green: green),
                table(lambda blue: blue // 3 * -3),
                FIVE_OR_MORE,
            )
        )
    ),
    5: Sheet(ByColor(alike(FIVE_OR_MORE))),
    6: Sheet(ByNumber(score=4)),
    7: Sheet(ByRun(alike(LENGTHS))),
    8: Sheet(
        ByRun(
            (
                table(lambda red: 2 if red >= 2 else 0),
                table(lambda yellow: 4 if yellow >= 3 else 0),
                table(lambda green: 6 if green >= 4 else 0),
                table(lambda blue: blue if blue >= 2 else -3 * blue),
                table(lambda purple: -purple if purple >= 2 else 2 * purple),
            )
        ),
        {
            ("rule-8-runs", "each-length"): lambda kind: ByRun(
                (
                    table(lambda red: red // 2 * 2),
                    table(lambda yellow: yellow // 3 * 4),
                    table(lambda green: green // 4 * 6),
                    table(lambda blue: blue if blue >= 2 else -3 * blue),
                    table(lambda purple: -purple if purple >= 2 else 2 * purple),
                )
            )
        },
    ),
    9: Sheet(
        ByRun(alike(THREE)),
        {
            ("rule-9-six", "two-threes"): per_run(two_threes),
            ("rule-9-singles", "free"): per_run(free_single),
            **CUT,
        },
    ),
    10: Sheet(ByRun(alike(TWO)), CUT),
    11: Sheet(ByVariety(color=4, gem=-1)),
    12: Sheet(ByVariety(color=-1, gem=1)),
    13: Sheet(
        PlusMinus(plus=2, minus=-2),
        {("rule-13-one-color", "plus-alone"): lambda kind: PlusMinus(plus=2, minus=-2, alone=True)},
    ),
    14: Sheet(PlusMinus(plus=2, minus=-2, cards=2)),
    15: Sheet(TwoPlus(plus=1, minus=-2), {("rule-15-plus", "held"): lambda kind: TwoPlus(plus=1, minus=-2, held=True)}),
    16: Sheet(ByRun(alike(table({2: 2, 3: 4, 4: 6, 5: 8, 6: 10, 7: 13, 8: 13})), cards=2), ONCE_A_COLOR),
    17: Sheet(ByRun(alike(TWO_OR_MORE), cards=2), {**CUT, **ONCE_A_COLOR}),
    18: Sheet(ByRun(alike(LENGTHS))),
    19: Sheet(ByPlace(each=1)),
    20: Sheet(ByPlace(each=1)),
}
