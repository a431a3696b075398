"""What a red card pays in the advanced game. Rulebook: how to read the conditions (条件アイコンの読み方).

All sets are the opened ones and the three of the hand.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final, NamedTuple

from scoring.human_angel_demon.sets import ITEM, Card

OPEN_SETS: Final = 3


class Seen(NamedTuple):
    """What conditions look at: all sets, and those of them that are open."""

    sets: Sequence[Sequence[Card]]
    opened: Sequence[Sequence[Card]]


class Paid(NamedTuple):
    """The condition's name, whether it is met, the points it pays then, and the cards that decide it.

    Where it is met these are the cards that meet it; where it is not, those of the first set that breaks it.
    """

    condition: str
    met: bool
    points: int
    proof: Sequence[Card] = ()


def paid(title: str, seen: Seen, item_win: Sequence[int]) -> Paid:
    """What a red card of this title pays. `item_win`: pictures that carry the instant win instead of a point."""
    n = int(title[1])
    if title[0] == ITEM:
        return Paid("item-win", False, 1) if n in item_win else Paid("item", True, 1)
    if n in (3, 5):
        opened = [card for cards in seen.opened for card in cards]
        return Paid("three-open", len(seen.opened) >= OPEN_SETS, 2, opened)
    every = [card for cards in seen.sets for card in cards]
    if n in (1, 7):
        without = next((cards for cards in seen.sets if not any(map(_is_edge_or_item, cards))), None)
        return Paid("edge-in-all", without is None, 2, without or [card for card in every if _is_edge_or_item(card)])
    if n in (2, 6):
        edges = _first(seen.sets, _is_edge_or_item)
        return Paid("edge-in-none", not edges, 2, edges or every)
    others = _first(seen.sets, lambda card: card.title[0] not in (title[0], ITEM))
    return Paid("one-attribute", not others, 5, others or every)


def _first(sets: Sequence[Sequence[Card]], breaks: Callable[[Card], bool]) -> list[Card]:
    """The cards that break a condition in the first set where any does; empty where none does."""
    return next((found for cards in sets if (found := [card for card in cards if breaks(card)])), [])


def _is_edge_or_item(card: Card) -> bool:
    return card.title[0] == ITEM or card.title[1] in "17"
