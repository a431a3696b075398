"""What lies beside the sheets of In the Ruin, and what no score counts on them: checked, never scored.

The keys are those of the looks: what the referee believes can be scored as it is. All raise StateError.
"""

from collections.abc import Collection
from typing import Final

from scoring.errors import MISSING, StateError
from scoring.fields import UNKNOWN, State, an_object, count_or_unknown, each, items, known, number, several

RUIN_GAME: Final = frozenset({"round", "stage", "cards", "discarded", "deck"})
RUIN_PLAYER: Final = frozenset({"gates", "pawn"})
RUIN_CARDS: Final = 100
MOST_CELLS: Final = 8
STAGES: Final = 2


def check(state: State, letters: Collection[str], size: int) -> None:
    """The round, the row of cards, the deck; the players' gates and pawns."""
    count_or_unknown(state, "round", "", least=1)
    count_or_unknown(state, "stage", "", STAGES, 1)
    each(state, "cards", "", _exploration)
    several(state, "discarded", "", letters)
    count_or_unknown(state, "deck", "", RUIN_CARDS)
    for i, row in enumerate(state["players"]):
        each(row, "gates", f"/players/{i}", lambda value, place: _cell(value, place, size))
        if row.get("pawn") not in (None, UNKNOWN):
            _cell(row["pawn"], f"/players/{i}/pawn", size)


def _exploration(value: object, place: str) -> None:
    card = an_object(value, place)
    known(card, frozenset({"letter", "cells", "piece"}), place)
    if "cells" in card:
        number(card["cells"], f"{place}/cells", 1, MOST_CELLS)
    for i, row in enumerate(items(card, "piece", place)):
        if type(row) is not str or not {"#", "."}.issuperset(row):
            raise StateError(f"{place}/piece/{i}", "one-of", row, {"words": ("#", ".")})


def _cell(value: object, place: str, size: int) -> None:
    if type(value) is not list or len(value) != 2:
        raise StateError(place, "cell", value if value is not None else MISSING, {"most": size - 1})
    for i, n in enumerate(value):
        number(n, f"{place}/{i}", 0, size - 1)
