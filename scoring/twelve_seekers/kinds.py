"""The few kinds of rule that the twenty sheets are made of.

Every kind has one signature, `parts(gems, extra)`: what the gems earn under a choice, as tuples
`(points, key, color, n, at)`. Colors are numbers, 0 to 4 as in `COLORS`, -1 for all of them. What `n` and `at`
mean depends on the key: how many gems, and the rank, the first place in the line, or the number chosen.
`points(gems, extras)` are their sums under several choices, quickly: choices are compared by them, and only the
best one is taken apart.

`gems` are five counts, or the runs of a line as `(color, start, length)`. `extra` is what a player chooses
besides the rainbow gem's color: `()`, `(number,)`, `(plus, minus)` or `(plus, plus, minus)`.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from itertools import combinations, permutations
from operator import getitem, mul
from typing import Final

from scoring.breakdown import Choice

COLORS: Final = ("red", "yellow", "green", "blue", "purple")
COLORLESS: Final = 5
"""The color of a rainbow gem that took none (a house rule)."""
MOST: Final = 8
"""Gems of one color, the rainbow included."""

Part = tuple[int, str, int, int, int]
Extra = tuple[int, ...]
Table = tuple[int, ...]
"""Points by the number of gems (of one color, or in one run), 0 to 8."""
UNPAID: Final[Table] = (0,) * (MOST + 1)
NUMBERS: Final = tuple((number,) for number in range(1, MOST + 1))
TWO_OTHERS: Final = tuple(
    tuple((*two, color) for two in combinations([other for other in range(5) if other != color], 2))
    for color in range(5)
)
"""For each color every two others, and it."""
NO_PAIR: Final[tuple[Extra]] = ((),)
"""The one choice where two colors are needed, and there are no two."""


@cache
def pairs(colors: Extra) -> tuple[Extra, ...]:
    """Every two of these colors, in either order."""
    return tuple(permutations(colors, 2))


class Kind:
    """A kind of rule. `collects` names the state's field: `gems`, `line` or `valid`."""

    collects = "gems"
    cards = 0
    """How many color cards a player holds."""
    chosen: tuple[str, ...] = ("rainbow",)
    """What a state's `choices` may name."""

    def extras(self, gems: Sequence[int], cards: Extra) -> tuple[Extra, ...]:
        """Every legal choice besides the rainbow's color."""
        return ((),)

    def named(self, extra: Extra) -> dict[str, Choice]:
        """A choice as the state writes it."""
        return {}


@dataclass(frozen=True)
class ByRank(Kind):
    """Colors in order of their number of gems; `each` says what a gem of the first, second, … color is worth.

    Equal numbers take different ranks; the points do not depend on which.
    """

    each: tuple[int, ...]

    def points(self, gems: Sequence[int], extras: Sequence[Extra]) -> list[int]:
        return [sum(map(mul, sorted(gems, reverse=True), self.each))]

    def parts(self, gems: Sequence[int], extra: Extra) -> list[Part]:
        order = sorted((-n, color) for color, n in enumerate(gems) if n)
        each = self.each
        return [
            (-n * each[rank] if rank < len(each) else 0, "seekers.rank", color, -n, rank + 1)
            for rank, (n, color) in enumerate(order)
        ]


@dataclass(frozen=True)
class ByColor(Kind):
    """Each color by its number of gems: one table a color."""

    tables: tuple[Table, ...]

    def points(self, gems: Sequence[int], extras: Sequence[Extra]) -> list[int]:
        return [sum(map(getitem, self.tables, gems))]

    def parts(self, gems: Sequence[int], extra: Extra) -> list[Part]:
        tables = self.tables
        return [(tables[color][n], "seekers.count", color, n, 0) for color, n in enumerate(gems) if n]


@dataclass(frozen=True)
class ByNumber(Kind):
    """A number is chosen; each color with exactly as many gems earns `score`."""

    score: int
    chosen = "rainbow", "number"

    def extras(self, gems: Sequence[int], cards: Extra) -> tuple[Extra, ...]:
        return NUMBERS

    def named(self, extra: Extra) -> dict[str, Choice]:
        return {"number": extra[0]}

    def points(self, gems: Sequence[int], extras: Sequence[Extra]) -> list[int]:
        return [self.score * gems.count(number) for (number,) in extras]

    def parts(self, gems: Sequence[int], extra: Extra) -> list[Part]:
        number, points = extra[0], self.score
        return [
            (points, "seekers.number", color, n, number)
            if n == number
            else (0, "seekers.other-number", color, n, number)
            for color, n in enumerate(gems)
            if n
        ]


@dataclass(frozen=True)
class ByVariety(Kind):
    """So much for each color of which there is a gem, and so much for each gem."""

    color: int
    gem: int

    def points(self, gems: Sequence[int], extras: Sequence[Extra]) -> list[int]:
        return [self.color * (5 - gems.count(0)) + self.gem * sum(gems)]

    def parts(self, gems: Sequence[int], extra: Extra) -> list[Part]:
        colors, total = 5 - gems.count(0), sum(gems)
        return [
            (self.color * colors, "seekers.colors", -1, colors, self.color),
            (self.gem * total, "seekers.gems", -1, total, self.gem),
        ]


@dataclass(frozen=True)
class PlusMinus(Kind):
    """One color's gems earn `plus` each, another's cost `minus` each: two colors with gems, or those of two cards.

    Whose gems are all of one color has no choice, or takes it as plus where that may be `alone`.
    """

    plus: int
    minus: int
    cards: int = 0
    alone: bool = False
    chosen = "rainbow", "plus", "minus"

    def extras(self, gems: Sequence[int], cards: Extra) -> tuple[Extra, ...]:
        colors = cards or tuple([color for color, n in enumerate(gems) if n])
        return (colors,) if self.alone and len(colors) == 1 else pairs(colors)

    def named(self, extra: Extra) -> dict[str, Choice]:
        return {word: COLORS[color] for word, color in zip(("plus", "minus"), extra, strict=False)}

    def points(self, gems: Sequence[int], extras: Sequence[Extra]) -> list[int]:
        if extras == NO_PAIR:
            return [0]
        plus, minus = self.plus, self.minus
        if self.alone and len(extras[0]) == 1:
            return [plus * gems[one] for (one,) in extras]
        return [plus * gems[one] + minus * gems[other] for one, other in extras]

    def parts(self, gems: Sequence[int], extra: Extra) -> list[Part]:
        return _of_colors(gems, extra, ((self.plus, "seekers.plus"), (self.minus, "seekers.minus")))


@dataclass(frozen=True)
class TwoPlus(Kind):
    """The gems of the card's color cost `minus` each, those of two other colors earn `plus` each.

    Where the two must be `held`, who has gems of fewer others has no choice, and no points.
    """

    plus: int
    minus: int
    cards: int = 1
    held: bool = False
    chosen = "rainbow", "plus"

    def extras(self, gems: Sequence[int], cards: Extra) -> tuple[Extra, ...]:
        (minus,) = cards
        if self.held:
            return tuple([extra for extra in TWO_OTHERS[minus] if gems[extra[0]] and gems[extra[1]]])
        return TWO_OTHERS[minus]

    def named(self, extra: Extra) -> dict[str, Choice]:
        return {"plus": (COLORS[extra[0]], COLORS[extra[1]])}

    def points(self, gems: Sequence[int], extras: Sequence[Extra]) -> list[int]:
        if extras == NO_PAIR:
            return [0]
        plus, minus = self.plus, self.minus
        return [plus * (gems[one] + gems[two]) + minus * gems[other] for one, two, other in extras]

    def parts(self, gems: Sequence[int], extra: Extra) -> list[Part]:
        plus = self.plus, "seekers.plus"
        return _of_colors(gems, extra, (plus, plus, (self.minus, "seekers.minus")))


def _of_colors(gems: Sequence[int], extra: Extra, each: Sequence[tuple[int, str]]) -> list[Part]:
    """The parts of chosen colors, which may be fewer than there are to choose: what each gem is worth, and as what."""
    chosen = zip(extra, each, strict=False)
    return [(worth * gems[color], key, color, gems[color], worth) for color, (worth, key) in chosen]


@dataclass(frozen=True)
class ByRun(Kind):
    """Each run of one color in the line by its length: one table a color; `cards`: only the colors of the cards.

    Where a color is paid `once`, its best run pays, the first of several.
    """

    tables: tuple[Table, ...]
    cards: int = 0
    once: bool = False
    collects = "line"

    def extras(self, gems: Sequence[int], cards: Extra) -> tuple[Extra, ...]:
        return (cards,)

    def points(self, gems: Sequence[tuple[int, int, int]], extras: Sequence[Extra]) -> list[int]:
        if self.once:
            return [sum([part[0] for part in self.parts(gems, extra)]) for extra in extras]
        return [sum([paid[color][length] for color, _, length in gems]) for paid in map(self._paid, extras)]

    def _paid(self, extra: Extra) -> Sequence[Table]:
        """The table of each color, the colorless rainbow's last."""
        paid = (
            [one if color in extra else UNPAID for color, one in enumerate(self.tables)] if self.cards else self.tables
        )
        return (*paid, UNPAID)

    def parts(self, gems: Sequence[tuple[int, int, int]], extra: Extra) -> list[Part]:
        parts: list[Part] = []
        paid = self._paid(extra)
        for color, start, length in gems:
            points = paid[color][length]
            if points or length > 1:
                single = "seekers.run" if length > 1 else "seekers.single"
                parts.append((points, "seekers.other-run" if paid[color] is UNPAID else single, color, length, start))
        return _once_a_color(parts) if self.once else parts


def _once_a_color(parts: Sequence[Part]) -> list[Part]:
    """The parts, of those of a color only the best one paid."""
    best: dict[int, Part] = {}
    for part in parts:
        if part[0] > best.get(part[2], (0,))[0]:
            best[part[2]] = part
    return [part if part is best.get(part[2], part) else (0, "seekers.run-again", *part[2:]) for part in parts]


@dataclass(frozen=True)
class ByPlace(Kind):
    """Every gem in the valid place earns `each`, whatever its color."""

    each: int
    collects = "valid"
    chosen = ()

    def points(self, gems: Sequence[int], extras: Sequence[Extra]) -> list[int]:
        return [self.each * sum(gems)]

    def parts(self, gems: Sequence[int], extra: Extra) -> list[Part]:
        return [(self.each * sum(gems), "seekers.valid", -1, sum(gems), self.each)]


def runs(line: Sequence[int]) -> list[tuple[int, int, int]]:
    """The maximal runs of one color in a line, as `(color, start, length)`."""
    found = []
    start = 0
    for i in range(1, len(line) + 1):
        if i == len(line) or line[i] != line[start]:
            found.append((line[start], start, i - start))
            start = i
    return found
