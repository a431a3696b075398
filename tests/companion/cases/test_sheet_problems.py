"""What does not go together on sheets is said: sums that people wrote, one sheet twice, letters that are gone."""

from __future__ import annotations

from typing import Any

import pytest

from companion.cases.sheet import play_case
from companion.games.in_the_ruin.edits import fold
from companion.words.words import words

ROWS = [".....oo....", ".....oo....", *["..........."] * 9]
"""A square of four passages, in row 1 and 2."""
OTHER = [".....oo....", "...........", *ROWS[2:]]
PLAYERS = [{"kind": "add-player", "player": one, "name": name} for one, name in (("a", "Aki"), ("b", "Ben"))]
SAID = [{"kind": "goals", "player": "a", "goals": []}, {"kind": "escaped", "player": "a", "round": None}]


def read(player: str = "a", stage: str = "end", rows: list[str] = ROWS, **more: Any) -> dict[str, Any]:
    reading = {
        "map": rows, "doubtful": [], "gates": [], "destinations": [], "ticks": {"gems": 0, "penalties": 0},
        "confidence": 1.0, **more,
    }  # fmt: skip
    return {"kind": "read", "player": player, "stage": stage, "photo": player, "size": [9, 9], "reading": reading}


def problems(*edits: dict[str, Any], letters: Any = None) -> list[str]:
    """What is said of a play, but for what each player's points come to."""
    case = play_case(fold("sheet", [*PLAYERS, *edits]), letters or {"A": (0, 0), "B": (3, 3)})
    return [words("en").told(message) for message, _ in case.problems]


def wrote(*sums: int | None, doubtful: int | None = None) -> dict[str, Any]:
    return {"written": [{"number": n, "doubtful": i == doubtful} for i, n in enumerate(sums)]}


RIGHT = (None, None, 0, 0, 0, None)


@pytest.mark.parametrize(
    ("edits", "said"),
    [
        ([read(**wrote(*RIGHT))], []),
        ([read(**wrote(None, None, 5, 0, 0, None))], ["Aki wrote 5 (Gems); counted: 0."]),
        ([read(**wrote(None, None, 5, 0, 0, None, doubtful=2))], []),  # it may be another number
        ([read(**wrote(None, None, 0, 7, 0, None))], []),  # nobody has told the goal cards yet
        ([read(**wrote(None, None, 0, 7, 0, None)), SAID[0]], ["Aki wrote 7 (Routes); counted: 0."]),
        ([read(**wrote(None, None, 0, 0, 0, 99))], []),  # of the total not all is known
        ([read(**wrote(5))], []),  # a sheet with other boxes
    ],
)
def test_a_sum_that_was_written_otherwise_is_said_once_all_is_known_that_it_is_made_of(
    edits: list[dict[str, Any]], said: list[str]
) -> None:
    assert problems(*edits) == said


@pytest.mark.parametrize(
    ("one", "two", "twins"),
    [
        (read(), read("b"), True),
        (read(), read("b", rows=OTHER), False),
        (read(), read("b", rows=OTHER, doubtful=[[1, 5], [1, 6]]), True),  # but for cells in doubt
        (read(rows=ROWS[2:3] * 11), read("b", rows=ROWS[2:3] * 11), False),  # blank sheets are all alike
        (read(), read("b", stage="first"), False),
        (read(), read("b", changed=True), False),
    ],
)
def test_two_photos_of_one_sheet_are_said(one: dict[str, Any], two: dict[str, Any], twins: bool) -> None:
    said = "Aki and Ben have the same map (End of game): was one sheet photographed twice?"
    assert (said in problems(one, two)) is twins


def test_a_goal_card_whose_letter_the_sheet_has_lost_is_left_out_and_said() -> None:
    goals = {"kind": "goals", "player": "a", "goals": [["A", "B"], ["A", "Z"]]}
    play = fold("sheet", [*PLAYERS, read(destinations=["A", "Z"]), goals])
    case = play_case(play, {"A": (0, 0), "B": (3, 3)})
    assert case.state is not None
    (row,) = case.state["players"]
    assert (row["goals"], row["destinations"]) == ([["A", "B"]], ["A"])
    assert case.places["/players/0/goals/0"] == ("0.goals.0",)
    ((message, pieces),) = [one for one in case.problems if one[0].key == "ruin.goal-left-out"]
    assert (message.values["card"], tuple(message.values["letters"]), pieces) == ("A–Z", ("Z",), ("0.goals.1",))
