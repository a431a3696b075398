"""The twenty rule sheets in printed order. Rulebook: list of rules (ルール一覧), Rule 1 to ルール 20.

A sheet is a kind of rule with its numbers. `readings` holds the kind under another reading of an open question.
Tables give points for 0, 1, 2, … 8 gems of a color, or in a run of it.
"""

from __future__ import annotations

from collections.abc import Mapping
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


class Sheet(NamedTuple):
    """A rule sheet: its kind, and other kinds by `(question, reading)`."""

    kind: AnyKind
    readings: Mapping[tuple[str, str], AnyKind] = MappingProxyType({})


def cut(whole: Table) -> Table:
    """The table of a run that may be cut into several as it pays most."""
    best = [0]
    for n in range(1, len(whole)):
        best.append(max(whole[piece] + best[n - piece] for piece in range(1, n + 1)))
    return tuple(best)


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
            ("rule-8-runs", "each-length"): ByRun(
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
            ("rule-9-six", "two-threes"): ByRun(alike(table(lambda n: n * 2 if n in (3, 6) else -n))),
            ("runs-cut", "cut"): ByRun(alike(cut(THREE))),
        },
    ),
    10: Sheet(ByRun(alike(TWO)), {("runs-cut", "cut"): ByRun(alike(cut(TWO)))}),
    11: Sheet(ByVariety(color=4, gem=-1)),
    12: Sheet(ByVariety(color=-1, gem=1)),
    13: Sheet(
        PlusMinus(plus=2, minus=-2), {("rule-13-one-color", "plus-alone"): PlusMinus(plus=2, minus=-2, alone=True)}
    ),
    14: Sheet(PlusMinus(plus=2, minus=-2, cards=2)),
    15: Sheet(TwoPlus(plus=1, minus=-2), {("rule-15-plus", "held"): TwoPlus(plus=1, minus=-2, held=True)}),
    16: Sheet(ByRun(alike(table({2: 2, 3: 4, 4: 6, 5: 8, 6: 10, 7: 13, 8: 13})), cards=2)),
    17: Sheet(ByRun(alike(TWO_OR_MORE), cards=2), {("runs-cut", "cut"): ByRun(alike(cut(TWO_OR_MORE)), cards=2)}),
    18: Sheet(ByRun(alike(LENGTHS))),
    19: Sheet(ByPlace(each=1)),
    20: Sheet(ByPlace(each=1)),
}
