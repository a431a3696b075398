"""A kept game: its log again, its file, and states of long ago that people put right, with all after them."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest
from acting import Page
from fake_table import GAME, ZONES, FakeTable, game_scenes
from flask import Flask
from test_tables import lay, show, start, until

from companion.web.services import services_of
from referee import follow

SCENES = game_scenes()


@pytest.fixture
def table() -> FakeTable:
    return FakeTable(GAME)


def play(page: Page, table: FakeTable, scenes: list[Any], **how: Any) -> str:
    """A table on which these scenes were laid after one another; the first row is the empty table's."""
    at = start(page, **how)
    for n, scene in enumerate(scenes):
        lay(page, at, table, scene)
        until(lambda n=n: len(show(page, at)["rows"]) == n + 2)
    return at


def log(page: Page, at: str) -> list[tuple[str, str]]:
    return [(move["words"], move["legal"]) for move in show(page, at)["table"]["game"]["moves"]]


def file(page: Page, at: str, query: str = "") -> list[dict[str, Any]]:
    return [json.loads(line) for line in page.get(f"/live/{at}/game.jsonl{query}").text.splitlines()]


def moves(lines: list[dict[str, Any]]) -> list[tuple[str, str, list[str]]]:
    told: list[dict[str, Any]] = []
    for line in follow(lines):
        if line["line"] == "replaced":
            told = [move for move in told if move["n"] < line["from"]]
        elif line["line"] == "move":
            told.append(line)
    return [(move["who"], move["from"], move["what"]) for move in told]


def test_a_past_table_has_its_log_and_its_file(page: Page, table: FakeTable) -> None:
    at = play(page, table, SCENES)
    page.post(f"/api/live/{at}/entries", {"players": {"A": {"name": "Aki"}}})
    before, lines = log(page, at), file(page, at)
    assert len(before) == 3
    assert moves(lines) == [
        ("Aki", "dungeon.left", ["yellow", "purple"]),
        ("B", "dungeon.right", ["red", "green", "blue"]),
        ("Aki", "dungeon.left", ["red", "rainbow", "blue"]),
    ]
    page.post(f"/api/live/{at}/stop")
    assert log(page, at) == before
    assert file(page, at) == lines
    assert file(page, at, "?row=2") == lines
    assert moves(file(page, at, "?row=0")) == []


def test_a_state_of_an_earlier_game_comes_with_that_games_log(page: Page, table: FakeTable) -> None:
    at = play(page, table, SCENES)
    before = log(page, at)
    table.begin_anew()
    until(lambda: show(page, at)["rows"][-1]["first"])
    assert log(page, at) == []
    rows = [row["number"] for row in show(page, at)["rows"]]
    games = [page.get(f"/api/live/{at}/rows/{row}").json.get("game") for row in rows]
    assert [game and [(move["words"], move["legal"]) for move in game["moves"]] for game in games[1:]] == [
        *[before] * (len(rows) - 2),
        None,
    ]


def test_what_is_said_of_the_last_state_is_one_line_of_the_log_and_none_once_it_is_taken_back(
    page: Page, table: FakeTable
) -> None:
    at = play(page, table, SCENES)
    before = log(page, at), file(page, at)
    last = show(page, at)["table"]["settled"]["case"]["evidence"][0]["pieces"][-1]
    point = [sum(xy) / 4 for xy in zip(*last["polygon"], strict=True)]
    for color in ("red", "yellow"):
        page.post(f"/api/live/{at}/pieces", {"pieces": [{"at": point, "color": color}]})
        (line,) = log(page, at)[3:]
        assert color in line[0]
    page.post(f"/api/live/{at}/undo")
    assert "red" in log(page, at)[3][0]
    page.post(f"/api/live/{at}/undo")
    assert (log(page, at), file(page, at)) == before
    page.post(f"/api/live/{at}/redo")
    (line,) = log(page, at)[3:]
    assert "red" in line[0]
    page.post(f"/api/live/{at}/stop")
    assert line in log(page, at)


def tile(page: Page, at: str, row: int, n: int) -> list[float]:
    """A point of a tile of an earlier state."""
    points = page.get(f"/api/live/{at}/rows/{row}").json["case"]["evidence"][0]["pieces"][n]["polygon"]
    return [sum(xy) / len(points) for xy in zip(*points, strict=True)]


def lines_of(page: Page, at: str, row: int) -> list[list[str]]:
    return [one["line"] for one in page.get(f"/api/live/{at}/rows/{row}").json["case"]["state"]["players"]]


def test_gold_that_was_read_as_a_gem_leaves_the_others_their_places(page: Page, table: FakeTable) -> None:
    scenes = [{**SCENES[0], "dungeon": ("gold", *SCENES[0]["dungeon"][1:])}]
    scenes.append({**SCENES[1], "A": ["yellow?", *SCENES[1]["A"][1:]]})
    at = play(page, table, scenes)
    for told in (show(page, at)["table"]["settled"], page.get(f"/api/live/{at}/rows/2").json):
        case = told["case"]
        (own,) = [one for one in case["state"]["players"] if one["name"] == "A"]
        assert (own["line"], own["gold"]) == (["purple"], 1)
        (piece,) = case["places"]["/players/0/line/0"]
        assert told["case"]["evidence"][0]["pieces"][int(piece[1:])]["color"] == "purple"
        assert "/players/0/line/1" not in case["places"]


def test_a_state_of_long_ago_is_put_right_and_all_after_it_is_judged_anew(page: Page, table: FakeTable) -> None:
    misread = [{**SCENES[0], "dungeon": ("green", *SCENES[0]["dungeon"][1:])}, *SCENES[1:]]
    at = play(page, table, misread)
    assert lines_of(page, at, 2)[0] == ["green", "purple"]  # the first look is the box: the referee goes by it
    before = show(page, at)
    answer = page.post(
        f"/api/live/{at}/pieces", {"pieces": [{"at": tile(page, at, 1, 0), "color": "yellow"}], "row": 1}
    ).json
    assert [lines_of(page, at, row)[0][0] for row in (2, 3, 4)] == ["yellow"] * 3
    assert answer["settled"]["case"]["state"]["players"][0]["line"][0] == "yellow"
    assert "yellow" in answer["game"]["moves"][0]["words"]
    assert page.get(f"/api/live/{at}/rows/1").json["case"]["evidence"][0]["pieces"][0].get("said")
    after = show(page, at)
    assert after["rows"] != before["rows"] or after["table"] != before["table"]
    assert file(page, at)[0]["by"] == "person"
    assert answer["undo"] == "state 2 put right"
    page.post(f"/api/live/{at}/undo")
    back = show(page, at)
    assert (back["rows"], back["table"]["game"]) == (before["rows"], before["table"]["game"])
    assert back["table"]["settled"] == before["table"]["settled"]
    page.post(f"/api/live/{at}/redo")
    again = show(page, at)
    assert (again["rows"], again["table"]["game"]) == (after["rows"], after["table"]["game"])


def test_the_game_goes_on_after_a_state_was_put_right(page: Page, table: FakeTable) -> None:
    misread = [{**SCENES[0], "dungeon": ("green", *SCENES[0]["dungeon"][1:])}, *SCENES[1:3]]
    at = play(page, table, misread)
    page.post(f"/api/live/{at}/pieces", {"pieces": [{"at": tile(page, at, 1, 0), "color": "yellow"}], "row": 1})
    lay(page, at, table, SCENES[3])
    until(lambda: len(show(page, at)["table"]["game"]["moves"]) == 3)
    page.post(f"/api/live/{at}/stop")
    assert len(log(page, at)) == 3
    assert moves(file(page, at))[0] == ("A", "dungeon.left", ["yellow", "purple"])


@pytest.mark.parametrize(
    ("body", "status"),
    [
        ({"pieces": [{"at": [-999.0, 5.0], "color": "red"}], "row": 1}, 409),
        ({"pieces": [{"at": [9.0, 5.0], "color": "red"}], "row": 99}, 409),
        ({"pieces": [{"at": [9.0, 5.0], "color": "red"}], "row": "1"}, 400),
        ({"pieces": [{"at": [9.0, 5.0], "color": "red"}], "row": True}, 400),
    ],
)
def test_what_is_no_piece_of_long_ago(page: Page, table: FakeTable, body: dict[str, Any], status: int) -> None:
    at = play(page, table, SCENES[:2])
    assert page.post(f"/api/live/{at}/pieces", body).status_code == status


def test_a_table_that_is_followed_again_knows_the_game(page: Page, table: FakeTable, app: Flask) -> None:
    at = play(page, table, SCENES[:3], source="0", profile=services_of(app).tables.save(GAME))
    page.post(f"/api/live/{at}/stop")
    page.post(f"/api/live/{at}/again")
    until(lambda: len(show(page, at)["rows"]) == 5)
    assert len(log(page, at)) == 2
    lay(page, at, table, SCENES[3])
    until(lambda: len(log(page, at)) == 3)
    assert moves(file(page, at))[-1] == ("A", "dungeon.left", ["red", "rainbow", "blue"])


def test_nobody_has_won_in_a_state_after_which_the_game_went_on(page: Page, table: FakeTable) -> None:
    at = play(page, table, SCENES)
    page.post(f"/api/live/{at}/entries", {"table": {"goes_on": False}})
    won = [page.get(f"/api/live/{at}/rows/{row}").json["case"]["answer"]["winners"] for row in (2, 3, 4)]
    assert won == [[], [], ["A"]]


def test_every_move_has_its_places_then_and_now(page: Page, table: FakeTable) -> None:
    at = play(page, table, SCENES)
    told = [(move["before"], move["after"], move["now"]) for move in show(page, at)["table"]["game"]["moves"]]
    end = [f"/dungeon/{i}" for i in range(10, 13)]
    theirs, mine = ([f"/players/{p}/line/{i}" for i in range(n)] for p, n in ((1, 3), (0, 2)))
    assert told[0] == (["/dungeon/0", "/dungeon/1"], mine, mine)
    assert told[1] == (end, theirs, theirs)
    assert told[2][0] == ["/dungeon/0", "/dungeon/1", "/dungeon/2"]


@pytest.mark.parametrize("over", [True, False])
def test_a_cleared_table_asks_once_whether_the_game_is_over_and_keeps_its_points(
    page: Page, table: FakeTable, over: bool
) -> None:
    at = play(page, table, SCENES)
    before = show(page, at)["table"]
    assert not before["game"]["over"]
    lay(page, at, table, {"A": ["red"], "B": [], "dungeon": ["blue"]})
    until(lambda: show(page, at)["table"]["game"]["over"])
    page.post(f"/api/live/{at}/move", {"house": {"gold-moves": False}})
    assert show(page, at)["table"]["game"]["over"]  # judged anew, it is still asked
    page.post(f"/api/live/{at}/move", {"over": over})
    now = show(page, at)["table"]
    assert not now["game"]["over"]
    assert [one["words"] for one in now["game"]["moves"]] == [one["words"] for one in before["game"]["moves"]]
    answers = [one["settled"]["case"]["answer"] for one in (before, now)]
    points = [[player["total"] for player in one["players"]] for one in answers]
    assert points[0] == points[1]
    assert answers[1]["winners"] == (["A"] if over else [])


def test_a_house_switch_is_shown_set_judged_anew_and_taken_back(page: Page, table: FakeTable) -> None:
    turned = [SCENES[0], {**SCENES[1], "A": SCENES[1]["A"][::-1]}, {**SCENES[2], "A": SCENES[1]["A"][::-1]}]
    at = play(page, table, turned)
    before = show(page, at)["table"]["game"]
    assert [(one["name"], one["value"]) for one in before["house"]] == [("first-order", "either"), ("gold-moves", True)]
    assert [move["legal"] for move in before["moves"]] == [True, True]
    answer = page.post(f"/api/live/{at}/move", {"house": {"first-order": "strict"}})
    now = answer.json["game"]
    assert [move["legal"] for move in now["moves"]] == [False, True]
    assert now["moves"][0]["words"].endswith("against the rules: the gems go to one end of the line together")
    assert file(page, at)[0] == {"header": {"house": {"first-order": "strict", "gold-moves": True}}}
    page.post(f"/api/live/{at}/undo")
    assert show(page, at)["table"]["game"] == before
    for wrong in ({"no-such": True}, {"gold-moves": 1}, {"first-order": "x"}, {}, [], "x"):
        assert page.post(f"/api/live/{at}/move", {"house": wrong}).status_code == 400


def test_an_earlier_state_may_be_typed_as_a_tapped_case(page: Page, table: FakeTable) -> None:
    misread = [{**SCENES[0], "dungeon": ("green", *SCENES[0]["dungeon"][1:])}, *SCENES[1:]]
    at = play(page, table, misread)
    state = page.get(f"/api/live/{at}/rows/1").json["case"]["state"]
    state["dungeon"][0] = "yellow"
    state["players"][0]["name"] = "Aki"
    assert page.post(f"/api/live/{at}/case?row=9", {"state": state}).status_code == 404
    assert page.post(f"/api/live/{at}/case?row=1", {"state": state}).status_code == 200
    assert [lines_of(page, at, row)[0][0] for row in (2, 3, 4)] == ["yellow"] * 3
    assert page.get(f"/api/live/{at}/rows/1").json["case"]["state"]["players"][0]["name"] == "Aki"
    assert [one[0] for one in moves(file(page, at))] == ["A", "B", "A"]
    assert "/dungeon/0" not in page.get(f"/api/live/{at}/rows/1").json["case"]["places"]  # a person said it
    page.post(f"/api/live/{at}/undo")
    assert lines_of(page, at, 2)[0][0] == "green"


def saved(page: Page) -> str:
    """The game's layout, as a saved one: a table of a camera, not of the demo's film."""
    return services_of(page.client.application).tables.save(GAME)


def settled(page: Page, at: str) -> dict[str, Any]:
    return show(page, at)["table"]["settled"]


def test_what_the_game_put_right_stays_through_another_rule_and_back(page: Page, table: FakeTable) -> None:
    misread = [*SCENES[:2], {**SCENES[2], "A": ["gold?", *SCENES[2]["A"][1:]]}]
    at = play(page, table, misread)
    assert lines_of(page, at, 3)[0] == list(SCENES[2]["A"])
    piece = settled(page, at)["case"]["places"]["/players/0/line/0"][0]
    tile_of = settled(page, at)["case"]["evidence"][0]["pieces"][int(piece[1:])]
    assert (tile_of["color"], tile_of["read"]) == (SCENES[2]["A"][0], "gold")  # the mark is what counts
    before = show(page, at)["table"]
    for rule in (9, 1):
        page.post(f"/api/live/{at}/entries", {"table": {"rule": rule}})
        now = show(page, at)["table"]
        (mine, _) = now["settled"]["case"]["state"]["players"]
        assert mine.get("gold", 0) == 0
        assert len(now["game"]["moves"]) == len(before["game"]["moves"])
    page.post(f"/api/live/{at}/entries", {"table": {"rule": 8}})
    back = show(page, at)["table"]
    assert back["settled"]["case"]["answer"] == before["settled"]["case"]["answer"]
    assert back["game"]["moves"] == before["game"]["moves"]


@pytest.mark.parametrize("what", ["again", "areas"])
def test_what_a_person_said_of_a_piece_stays_when_it_is_followed_again_or_areas_are_drawn(
    page: Page, table: FakeTable, what: str
) -> None:
    seen = [*SCENES[:2], {**SCENES[2], "B": ["red?", *SCENES[2]["B"][1:]]}]
    at = play(page, table, seen, source="0", profile=saved(page))
    number = len(SCENES[2]["A"])
    point = np.mean(settled(page, at)["case"]["evidence"][0]["pieces"][number]["polygon"], axis=0).tolist()
    page.post(f"/api/live/{at}/pieces", {"pieces": [{"at": point, "color": "red"}]})
    before = show(page, at)
    if what == "again":
        page.post(f"/api/live/{at}/stop")
        assert page.post(f"/api/live/{at}/again").status_code == 200
    else:
        drawn = {name: {"polygon": [[a, b], [c, b], [c, d], [a, d]]} for name, (a, b, c, d) in ZONES.items()}
        zones = {name: drawn[name] for name in ("A", "B", "dungeon")}
        assert page.post(f"/api/live/{at}/zones", {"zones": zones}).status_code == 200
    session = services_of(page.client.application).tables.session(at)
    assert session is not None
    until(lambda: session.as_read is not None and session.settled is not None)
    until(lambda: settled(page, at) and settled(page, at)["case"]["evidence"][0]["pieces"][number].get("said"))
    now = show(page, at)["table"]
    assert not now["settled"]["case"]["doubts"]
    assert [one["words"] for one in now["game"]["moves"]] == [one["words"] for one in before["table"]["game"]["moves"]]


def test_half_a_turn_says_of_when_the_points_are(page: Page, table: FakeTable) -> None:
    """The gems left the dungeon and are still in a hand: the points are those of before, and the page says so."""
    at = play(page, table, SCENES[:2])
    before = settled(page, at)
    assert before["waits"] is None
    lay(page, at, table, {**SCENES[1], "dungeon": SCENES[2]["dungeon"]})
    now = settled(page, at)
    assert now["waits"]["at"] == pytest.approx(before["at"])
    assert now["waits"]["for"]
    assert now["case"]["answer"]["players"] == before["case"]["answer"]["players"]
    *_, of_points, of_now = show(page, at)["rows"]
    assert (of_points["number"], of_points["at"]) == (before["number"], before["at"])  # *Show it* leads to its picture
    assert (of_now["number"], of_now["at"]) == (now["number"], now["at"])
    lay(page, at, table, SCENES[2])
    assert settled(page, at)["waits"] is None


def test_who_begins_and_the_order_card_are_said_judged_anew_and_taken_back(page: Page, table: FakeTable) -> None:
    at = play(page, table, SCENES[:1])
    before = show(page, at)["table"]["game"]
    assert before["begins"] == {"start": None, "order": None}
    assert before["orders"] == [1, 2, 3, 4]
    assert before["turn_of"] is None
    assert page.post(f"/api/live/{at}/move", {"begins": {"start": "B"}}).json["game"]["turn_of"] == "B"
    said = page.post(f"/api/live/{at}/move", {"begins": {"order": 1}}).json["game"]
    assert said["begins"] == {"start": "B", "order": 1}
    assert file(page, at)[0] == {"header": {"start": "B", "order": 1}}
    for wrong in ({"start": "C"}, {"start": 1}, {"order": 5}, {"order": True}, {"order": "1"}, {"mode": "chaos"}, []):
        assert page.post(f"/api/live/{at}/move", {"begins": wrong}).status_code == 400
    page.post(f"/api/live/{at}/move", {"house": {"gold-moves": False}})
    assert show(page, at)["table"]["game"]["begins"] == {"start": "B", "order": 1}  # one does not forget the other
    for _ in range(3):
        page.post(f"/api/live/{at}/undo")
    assert show(page, at)["table"]["game"] == before
