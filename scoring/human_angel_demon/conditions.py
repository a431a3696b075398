"""What a red card pays in the advanced game. Rulebook: how to read the conditions (条件アイコンの読み方).

All sets are the opened ones and the three of the hand.
"""

from collections.abc import Callable, Sequence
from typing import Final, NamedTuple

from scoring.human_angel_demon.sets import ITEM, TITLES, Card, cards_of

OPEN_SETS: Final = 3
EDGES: Final = frozenset(title for title in TITLES if title[0] == ITEM or title[1] in "17")
"""The numbers at either end, and the Items, which count as such."""


class Seen:
    """What conditions look at: all sets, those of them that are open, and the cards of either."""

    def __init__(self, sets: Sequence[Sequence[Card]], opened: Sequence[Sequence[Card]]) -> None:
        self.sets, self.cards = sets, cards_of(sets)
        self.opened, self.opened_cards = opened, cards_of(opened)


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
        return Paid("three-open", len(seen.opened) >= OPEN_SETS, 2, seen.opened_cards)
    if n in (1, 7):
        without = next((cards for cards in seen.sets if EDGES.isdisjoint([card.title for card in cards])), None)
        return Paid("edge-in-all", without is None, 2, without or [card for card in seen.cards if card.title in EDGES])
    if n in (2, 6):
        edges = _first(seen.sets, lambda card: card.title in EDGES)
        return Paid("edge-in-none", not edges, 2, edges or seen.cards)
    others = _first(seen.sets, lambda card: card.title[0] not in (title[0], ITEM))
    return Paid("one-attribute", not others, 5, others or seen.cards)


def _first(sets: Sequence[Sequence[Card]], breaks: Callable[[Card], bool]) -> list[Card]:
    """The cards that break a condition in the first set where any does; empty where none does."""
    return next((found for cards in sets if (found := [card for card in cards if breaks(card)])), [])
