"""Cards, sets and the goal form. Rulebook, 2: goal form (ゴール形), sets.

A title is what a set is made of: attribute and number or picture, `H3` or `I2`. Red or black never
matters here. Runs are of neighboring numbers and do not wrap; Items make no runs.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

ATTRIBUTES: Final = {"H": 7, "A": 7, "D": 7, "I": 4}
"""How many titles each attribute has: numbers, or pictures of the Items."""
BLACK, RED = 3, 1
"""How many cards there are of each title."""
ITEM: Final = "I"


class Card(NamedTuple):
    """A card and where it lies in the state."""

    place: str
    title: str
    red: bool

    @property
    def code(self) -> str:
        """As the state writes it: `H3`, `D7r`."""
        return self.title + "r" * self.red


TITLES: Final = tuple(f"{attribute}{n}" for attribute, most in ATTRIBUTES.items() for n in range(1, most + 1))
CODES: Final = {title + red: (title, bool(red)) for title in TITLES for red in ("", "r")}

Titles = tuple[str, ...]
Form = tuple[Titles, Titles, Titles]
"""Two sets of three and a pair."""


def is_big_set(titles: Sequence[str]) -> bool:
    """Whether three titles are a group (all the same) or a run (three numbers in a row of one attribute)."""
    one, two, three = sorted(titles)
    return one == two == three or (two, three) == _after(one)


def goal_forms(titles: Sequence[str]) -> list[Form]:
    """All ways to see eight titles as two sets of three and a pair; empty where there is none."""
    counts = Counter(titles)
    forms: list[Form] = []
    for title in sorted(counts):
        if counts[title] >= 2:
            rest = counts - Counter({title: 2})
            forms += [(one, two, (title, title)) for one, two in _two_big_sets(rest)]
    return forms


def _two_big_sets(counts: Counter[str]) -> Iterator[tuple[Titles, Titles]]:
    for one in _big_sets_with_the_first(counts):
        for two in _big_sets_with_the_first(counts - Counter(one)):
            yield one, two


def _big_sets_with_the_first(counts: Counter[str]) -> Iterator[Titles]:
    """The sets of three that the lowest title, which must go somewhere, can be in."""
    first = min(counts)
    if counts[first] >= 3:
        yield (first,) * 3
    if (after := _after(first)) and counts[after[0]] and counts[after[1]]:
        yield (first, *after)


def _after(title: str) -> tuple[str, str] | None:
    attribute, n = title[0], int(title[1])
    if attribute == ITEM or n > ATTRIBUTES[attribute] - 2:
        return None
    return f"{attribute}{n + 1}", f"{attribute}{n + 2}"
