"""Cards, sets and the goal form. Rulebook, 2: goal form (ゴール形), sets.

A title is what a set is made of: attribute and number or picture, `H3` or `I2`. Red or black never
matters here. Runs are of neighboring numbers and do not wrap; Items make no runs.
"""

from collections.abc import Iterable, Iterator, Sequence
from typing import Final, NamedTuple

ATTRIBUTES: Final = {"H": 7, "A": 7, "D": 7, "I": 4}
"""How many titles each attribute has: numbers, or pictures of the Items."""
BLACK = 3
"""Black cards of each title."""
RED = 1
"""Red cards of each title."""
ITEM: Final = "I"


class Card(NamedTuple):
    """A card: where it lies in the state, how the state writes it (`D7r`), its title (`D7`), whether that is red."""

    place: str
    code: str
    title: str
    red: bool


TITLES: Final = tuple(f"{attribute}{n}" for attribute, most in ATTRIBUTES.items() for n in range(1, most + 1))
CODES: Final = {title + red: (title, bool(red)) for title in TITLES for red in ("", "r")}
IN_THE_BOX: Final = {code: RED if red else BLACK for code, (_, red) in CODES.items()}
"""How many cards there are of each code."""

Titles = tuple[str, ...]
Form = tuple[Titles, Titles, Titles]
"""Two sets of three and a pair."""


AFTER: Final = {
    f"{attribute}{n}": (f"{attribute}{n + 1}", f"{attribute}{n + 2}")
    for attribute, most in ATTRIBUTES.items()
    if attribute != ITEM
    for n in range(1, most - 1)
}
"""The two titles that make a run with a title; runs do not wrap."""


def cards_of(sets: Iterable[Sequence[Card]]) -> list[Card]:
    """The cards of several sets."""
    return [card for cards in sets for card in cards]


def is_big_set(titles: Iterable[str]) -> bool:
    """Whether three titles are a group (all the same) or a run (three numbers in a row of one attribute)."""
    one, two, three = sorted(titles)
    return one == three or AFTER.get(one) == (two, three)


def goal_forms(titles: Iterable[str]) -> list[Form]:
    """All ways to see eight titles as two sets of three and a pair; empty where there is none.

    With four cards of a title at most, the ways to see a hand never differ in points (the tests try them all).
    """
    hand = sorted(titles)
    forms: list[Form] = []
    for i, title in enumerate(hand[:-1]):
        if hand[i + 1] == title and title not in hand[:i]:
            rest = hand[:i] + hand[i + 2 :]
            forms += [(one, two, (title, title)) for one, two in _two_big_sets(rest)]
    return forms


def _two_big_sets(six: list[str]) -> Iterator[tuple[Titles, Titles]]:
    """The lowest title must go somewhere: into a group or the start of a run. The rest must be a set as well."""
    first = six[0]
    if six[2] == first and is_big_set(six[3:]):
        yield tuple(six[:3]), tuple(six[3:])
    after = AFTER.get(first, ())
    if after and all(title in six for title in after):
        rest = six[1:]
        for title in after:
            rest.remove(title)
        if is_big_set(rest):
            yield (first, *after), tuple(rest)
