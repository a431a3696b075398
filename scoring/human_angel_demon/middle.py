"""What lies in the middle of a table of Human Angel Demon, and hands that are not seen: checked, never scored.

The keys are those of the looks: what the referee believes can be scored as it is. All raise StateError.
"""

from collections.abc import Callable
from typing import Final

from scoring.fields import State, count_or_unknown, each

CARDS_GAME: Final = frozenset({"market", "deck"})
CARDS_PLAYER: Final = frozenset({"hand_size"})
CARDS: Final = 100


def check(state: State, check: Callable[[object, str], object]) -> None:
    """The market and the deck; the hands' sizes."""
    each(state, "market", "", check)
    count_or_unknown(state, "deck", "", CARDS)
    for i, row in enumerate(state["players"]):
        count_or_unknown(row, "hand_size", f"/players/{i}", CARDS)
