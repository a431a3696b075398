"""What a red card pays in the advanced game. Rulebook: how to read the conditions (条件アイコンの読み方).

All sets are the opened ones and the three of the hand.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

from scoring.human_angel_demon.sets import ITEM, Titles

OPEN_SETS: Final = 3


class Seen(NamedTuple):
    """What conditions look at: all sets by their titles, and how many sets are open."""

    sets: Sequence[Titles]
    opened: int


class Paid(NamedTuple):
    """The condition's name, whether it is met, the points it pays then."""

    condition: str
    met: bool
    points: int


def paid(title: str, seen: Seen, item_win: Sequence[int]) -> Paid:
    """What a red card of this title pays. `item_win`: pictures that carry the instant win instead of a point."""
    n = int(title[1])
    if title[0] == ITEM:
        return Paid("item-win", False, 1) if n in item_win else Paid("item", True, 1)
    if n in (1, 7):
        return Paid("edge-in-all", all(any(map(_is_edge_or_item, titles)) for titles in seen.sets), 2)
    if n in (2, 6):
        return Paid("edge-in-none", not any(_is_edge_or_item(t) for titles in seen.sets for t in titles), 2)
    if n in (3, 5):
        return Paid("three-open", seen.opened >= OPEN_SETS, 2)
    return Paid("one-attribute", all(t[0] in (title[0], ITEM) for titles in seen.sets for t in titles), 5)


def _is_edge_or_item(title: str) -> bool:
    return title[0] == ITEM or title[1] in "17"
