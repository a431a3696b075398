"""Which records are one game, and what they are under another rule."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from companion.cases.journal import Journal
from companion.cases.replay import Kept, judged, rows_of_game, under_rule
from companion.cases.store import Store
from companion.cases.table import TableState

HEADER = {"header": {"game": "twelve-seekers"}}


def state(rule: int, *gems: str) -> dict[str, Any]:
    return {"game": "twelve-seekers", "rule": rule, "players": [{"name": "A", "line": list(gems)}]}


def look(table: dict[str, Any]) -> dict[str, Any]:
    return {"t": 0.0, "state": table}


def kept(rule: int, *gems: str, begins: bool = False) -> dict[str, Any]:
    table = state(rule, *gems)
    places = {f"/players/0/line/{i}": [i] for i in range(len(gems))}
    looks = [HEADER, look(table)]
    return {"state": table, "players": ["A"], "begins": begins, "places": places, "looks": looks}


@pytest.mark.parametrize(
    ("number", "wanted"),
    [(None, [3, 4]), (4, [3, 4]), (3, [3, 4]), (2, [1, 2]), (1, [1, 2]), (0, []), (9, [])],
)
def test_a_state_belongs_to_the_game_that_was_on(tmp_path: Path, number: int | None, wanted: list[int]) -> None:
    journal = Journal.begin(Store(tmp_path / "data"), "evening", {"source": "0"})
    bodies = [
        {"state": state(8)},  # of a version that kept no looks: it belongs to none
        kept(8),
        kept(8, "red"),
        kept(8, begins=True),
        kept(8, "blue"),
    ]
    for at, body in enumerate(bodies):
        journal.settled(float(at), None, {}, body)
    assert list(rows_of_game(journal, number)) == wanted


def test_under_another_rule_a_record_is_made_anew_and_back_again_it_is_what_was_said() -> None:
    def again(record: Kept) -> tuple[TableState, dict[str, Any]]:
        table = state(3, *record["state"]["players"][0]["line"])
        return TableState(table, {"/players/0/gems/red": (0,)}), look(table)

    rows = {4: kept(8, "red"), 5: kept(3, "red")}
    other = under_rule(rows, 3, again)
    assert other[5] == rows[5]  # it was of that rule
    assert other[4]["looks"] == [HEADER, look(state(3, "red"))]
    assert other[4]["places"] == {"/players/0/gems/red": [0]}
    assert other[4]["other_rules"] == {"8": rows[4]["looks"]}

    def as_first(record: Kept) -> tuple[TableState, dict[str, Any]]:
        return TableState(state(8, "red"), {"/players/0/line/0": (0,)}), look(state(8, "blue"))

    back = under_rule({4: other[4]}, 8, as_first)[4]
    assert back["looks"] == rows[4]["looks"]
    assert (back["state"], back["places"]) == (rows[4]["state"], rows[4]["places"])
    assert list(back["other_rules"]) == ["3"]


def test_each_record_has_its_points_by_area_and_the_game_that_led_to_it() -> None:
    log, found = judged({4: kept(8, "red"), 5: kept(8, "red", "red")})
    assert list(found) == [4, 5]
    assert [one.totals for one in found.values()] == [{"A": 0}, {"A": 2}]
    assert [one.kept["state"]["players"][0]["line"] for one in found.values()] == [["red"], ["red", "red"]]
    assert [len(one.kept["looks"]) for one in found.values()] == [2, 2]
    assert not log.quiet
