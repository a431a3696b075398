"""What lies in the middle of a table of Twelve Seekers: checked for its shape and the box, never scored.

The keys are those of the looks: what the referee believes can be scored as it is. All raise StateError.
"""

from collections.abc import Collection, Mapping
from typing import Any, Final

from scoring.errors import StateError
from scoring.fields import UNKNOWN, State, counts, one_of, several, words_of

SEEKERS_GAME: Final = frozenset({"dungeon", "seekers_left", "order_cards", "color_card", "thrown"})
ORDER_CARDS: Final = (1, 2, 3, 4)


def check(state: State, box: Mapping[str, int], seekers: Collection[Any], lying: Mapping[str, int]) -> None:
    """The row, the field, the order cards, rule 19's color, the gems out of the game. `lying`: what players have."""
    row = words_of(state, "dungeon", (*box, UNKNOWN), "")
    thrown = counts(state, "thrown", "", {kind: n for kind, n in box.items() if kind != "gold"})
    several(state, "seekers_left", "", seekers)
    several(state, "order_cards", "", ORDER_CARDS)
    if "color_card" in state and state["color_card"] is not None:
        one_of(
            state["color_card"], (*[kind for kind in box if kind not in ("rainbow", "gold")], UNKNOWN), "/color_card"
        )
    for kind, most in box.items():
        n = row.count(kind) + lying.get(kind, 0) + thrown.get(kind, 0)
        if n > most and kind in row:
            raise StateError("/dungeon", "in-the-box", n, {"kind": kind, "most": most})
