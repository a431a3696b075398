"""Which doubts of a sheet's reading can change its points, and which of its letters nobody has claimed."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from companion.cases.sheet import Marks, matters, sheet_player, sheet_state, unclaimed

LETTERS = {"A": (0, 0), "B": (0, 4), "K": (9, 1)}
MAP = ["ooooo......"] + ["..........."] * 8 + ["###........"] * 2
FAR, LINK = (7, 7), (0, 2)


@pytest.mark.parametrize(
    ("cells", "letters", "told"),
    [
        ((), {}, []),
        ((FAR,), {"A": 0.4}, []),  # joins nothing; passages count as destinations or not
        ((FAR, LINK), {}, [{"cell": [0, 2], "points": [36, 51]}]),
        ((), {"K": 0.3}, [{"letter": "K", "points": [50, 51]}]),  # a walled destination lies outside the square
        ((), {"K": 0.1}, []),  # sure enough
        ((LINK,), {"K": 0.4}, [{"cell": [0, 2], "points": [36, 51]}, {"letter": "K", "points": [50, 51]}]),
    ],
)
def test_only_doubts_that_change_the_points_are_told(
    cells: Any, letters: dict[str, float], told: list[dict[str, Any]]
) -> None:
    player = sheet_player("A", Marks(MAP, ["A", "B"]), escaped=3, goals=[("A", "B")])
    reading: Any = SimpleNamespace(doubtful_cells=cells, letter_doubts=letters)
    assert matters(reading, sheet_state(LETTERS, [player])) == told


@pytest.mark.parametrize(
    ("gates", "destinations"),
    [
        ((), ["A", "B", "K"]),
        (((9, 1),), ["A", "B"]),  # somebody's gate, a wall here
        (((0, 0),), ["A", "B", "K"]),  # a passage here shows by itself whether it became a gate
        (((5, 5),), ["A", "B", "K"]),
    ],
)
def test_a_letter_under_a_wall_that_is_somebodys_gate_is_claimed(gates: Any, destinations: list[str]) -> None:
    assert unclaimed(Marks(MAP, ["A", "B", "K"]), LETTERS, gates) == Marks(MAP, destinations)
