"""The live table without a browser: what is seen, said, kept and told; what hostile requests get."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any
from unittest.mock import ANY

import cv2
import numpy as np
import pytest
from acting import Page
from fake_table import GAME, HIGH, PROFILE, WIDE, ZONES, FakeTable, game_scenes
from flask import Flask

from common.messages import Message
from companion.cases import address, journal
from companion.cases.journal import Journal
from companion.cases.said import typed_what
from companion.cases.store import Store
from companion.cases.table import Entries
from companion.live.change_log import KEPT, STATUS, TABLE, Changes
from companion.live.corrections import Corrections
from companion.live.picture import LivePicture
from companion.sources import Frame, SourceError
from companion.web import create_app, news
from companion.web.running import live_tables
from companion.web.running.devices import Role
from companion.web.running.network import Reach
from companion.web.services import services_of
from companion.words.words import Words
from vision.table.palette import Palette, PaletteError
from vision.table.plane import locate
from vision.table.profile import TableProfile, Zone
from vision.table.reading import COLORS, Card, TableReading, Tile, tile_problems

PATIENCE = 20.0
ASIDE = np.array([99.0, 99.0])
RED_RUN = {"A": ["red", "red", "blue"], "B": ["green"]}


def until(done: Callable[[], Any]) -> Any:
    """Wait for something; what it is in the end."""
    end = time.monotonic() + PATIENCE
    while not (found := done()):
        assert time.monotonic() < end, "waited too long"
        time.sleep(0.01)
    return found


def start(page: Page, **how: Any) -> str:
    answer = page.post("/api/live/start", {"source": "demo", "instead": True, **how})
    assert answer.status_code == 200, answer.json
    at = answer.json["table"]
    until(lambda: show(page, at)["rows"])
    return at


def show(page: Page, at: str) -> dict[str, Any]:
    return page.get(f"/api/live/{at}").json


def followed(page: Page) -> str | None:
    """The table that is followed now."""
    return next((one["id"] for one in page.get("/api/v1/tables").json if one["running"]), None)


def totals(page: Page, at: str) -> list[int] | None:
    settled = show(page, at)["table"]["settled"]
    return settled and [player["total"] for player in settled["case"]["answer"]["players"]]


def seen_colors(settled: dict[str, Any]) -> list[str]:
    """The colors of the tiles as they were read, whatever the course of the game makes of them."""
    return [one.get("read", one["color"]) for one in settled["case"]["evidence"][0]["pieces"] if "color" in one]


def cards_of(settled: dict[str, Any]) -> list[dict[str, Any]]:
    return [one for one in settled["case"]["evidence"][0]["pieces"] if "color" not in one]


def lay(page: Page, at: str, table: FakeTable, scene: dict[str, list[str]], **more: Any) -> dict[str, Any]:
    """Lay a scene and wait until it has been read."""
    table.lay(scene, **more)
    colors = [color.rstrip("?") for row in scene.values() for color in row]

    def read() -> Any:
        settled = show(page, at)["table"]["settled"]
        return settled if settled and seen_colors(settled) == colors else None

    return until(read)


def written(page: Page, at: str, rows: int) -> list[dict[str, Any]]:
    return until(lambda: (found := show(page, at)["rows"]) and len(found) >= rows and found)


def test_a_turned_camera_says_that_drawn_areas_lie_elsewhere(page: Page, table: FakeTable) -> None:
    at = start(page, source="0", game="twelve-seekers")
    area = {"polygon": [[10, 10], [300, 10], [300, 300], [10, 300]]}
    page.post(f"/api/live/{at}/zones", {"zones": {"A": area}})
    lay(page, at, table, RED_RUN)
    before = show(page, at)["table"]["settled"]["case"]
    upright, read = table._picture, table.read
    table._picture = np.rot90(upright).copy()
    status = until(lambda: "another shape" in (now := show(page, at)["status"])["why"] and now)
    assert status["phase"] == "waiting"
    assert show(page, at)["table"]["settled"]["case"] == before  # what lay there stays
    table._picture = upright
    until(lambda: show(page, at)["status"]["phase"] == "resting")
    table.read = lambda image: read(image[::2, ::2])  # type: ignore[method-assign]
    table._picture = np.repeat(np.repeat(upright, 2, 0), 2, 1)  # the same shape, twice as large: nothing is asked
    until(lambda: show(page, at)["status"]["phase"] == "resting")


def test_a_camera_of_another_shape_says_that_drawn_areas_lie_elsewhere_also_after_a_restart(
    page: Page, app: Flask, table: FakeTable, tmp_path: Path
) -> None:
    at = start(page, source="0", game="twelve-seekers")
    lay(page, at, table, RED_RUN)
    area = {"polygon": [[10, 10], [300, 10], [300, 300], [10, 300]]}
    file = page.post(f"/api/live/{at}/zones", {"zones": {"A": area}}).json["file"]
    services_of(app).tables.stop()
    after = FakeTable()
    after.lay(RED_RUN)
    wide = after._picture
    after._picture = np.rot90(wide).copy()
    other = create_app(tmp_path / "data", table_eyes=after)
    with other.test_client() as client:
        again = Page(client)
        for how in ({}, {"source": "0", "profile": file}):  # the table goes on; another is begun on its saved areas
            answer = again.post(f"/api/live/{at}/again" if not how else "/api/live/start", {**how, "instead": True})
            now = answer.json.get("table", at)
            until(lambda now=now: "another shape" in show(again, now)["status"]["why"])
            assert show(again, now)["table"]["settled"] is None
        anew = {"zones": {"A": area}, "size": [wide.shape[0], wide.shape[1]]}  # drawn on the turned picture
        assert again.post(f"/api/live/{now}/zones", anew).status_code == 200
        until(lambda: show(again, now)["status"]["phase"] == "resting")
    services_of(other).tables.stop()


def test_where_areas_are_drawn_before_the_table_has_come_to_rest_the_first_move_is_told(
    page: Page, table: FakeTable
) -> None:
    before, after, *_ = game_scenes()
    table.hand()
    at = page.post("/api/live/start", {"source": "0", "game": "twelve-seekers", "rule": 8}).json["table"]
    assert show(page, at)["rows"] == []
    corners = {name: ZONES[name] for name in before}
    areas = {name: {"polygon": [[a, b], [c, b], [c, d], [a, d]]} for name, (a, b, c, d) in corners.items()}
    assert page.post(f"/api/live/{at}/zones", {"zones": areas, "size": [WIDE, HIGH]}).status_code == 200
    lay(page, at, table, before)
    lay(page, at, table, after)
    moves = until(lambda: show(page, at)["table"]["game"]["moves"])
    assert [move["words"] for move in moves] == ["1. A takes seeker 2 and yellow, purple from the left"]


def test_areas_are_drawn_in_the_pixels_of_the_picture_that_the_page_shows(page: Page, app: Flask) -> None:
    at = start(page, source="0", game="twelve-seekers")
    half = {"polygon": [[0.5, 0.5], [160.5, 0.5], [160.5, 90.5]]}
    page.post(f"/api/live/{at}/zones", {"zones": {"A": half}, "size": [320, 180]})
    profile = services_of(app).tables.now.profile
    assert (profile.picture, profile.shape) == (320, 180 / 320)
    found = locate(profile, {}, {}, (360, 640, 3))["A"].outline
    assert np.allclose(found, [[-0.5, -0.5], [319.5, -0.5], [319.5, 179.5]])
    for size in ("wide", [320], [0, 180], [320, "180"]):
        assert page.post(f"/api/live/{at}/zones", {"zones": {}, "size": size}).status_code == 400


def test_a_followed_table_stops_only_where_that_is_wanted(page: Page, table: FakeTable) -> None:
    own = start(page, source="0", game="splendor", name="Friday")
    for other in ({"source": "demo"}, {"source": "1", "game": "igna"}, {"source": "demo", "instead": "yes"}):
        answer = page.post("/api/live/start", other)
        assert (answer.status_code, answer.json["error"]["key"]) == (409, "live.problem.running")
        assert "Friday" in answer.json["error"]["message"]
        assert followed(page) == own
    demo = start(page)
    assert followed(page) == demo
    games = {one["id"]: one["game"] for one in page.get("/api/v1/tables").json}
    assert games == {own: "splendor", demo: "twelve-seekers"}
    assert page.post(f"/api/live/{own}/again", {}).status_code == 200  # the demo is nobody's game
    assert followed(page) == own
    assert page.post(f"/api/live/{demo}/again", {}).status_code == 409
    assert page.post(f"/api/live/{demo}/again", {"instead": True}).status_code == 200


def test_who_chooses_a_camera_sees_its_picture(page: Page, table: FakeTable) -> None:
    for _ in range(2):  # one that nobody follows, then the one that is followed
        seen = cv2.imdecode(np.frombuffer(page.post("/live/camera/0.jpg").data, np.uint8), 1)
        assert seen.shape[:2] == (270, 480)
        at = start(page, source="0", game="twelve-seekers")
    page.post(f"/api/live/{at}/stop")
    table.refuse(SourceError("source.busy", got="camera 0"))
    assert page.post("/live/camera/0.jpg").status_code == 422
    assert page.get("/live/camera/0.jpg").status_code == 405  # a link from elsewhere opens no camera


# The table and its score


def test_a_settled_table_is_scored_and_written_down_with_its_picture(page: Page, table: FakeTable) -> None:
    at = start(page)
    lay(page, at, table, RED_RUN)
    rows = written(page, at, 2)
    assert rows[-1]["totals"] == dict(zip("AB", totals(page, at), strict=True))
    picture = page.get(f"/photos/{rows[-1]['photo']}.jpg")
    assert picture.status_code == 200
    assert cv2.imdecode(np.frombuffer(picture.data, np.uint8), 1).shape[:2] == (360, 640)


def test_every_line_leads_to_tiles_and_every_scored_tile_to_a_line(page: Page, table: FakeTable) -> None:
    at = start(page)
    settled = lay(page, at, table, {"A": ["red", "red", "blue", "gold"], "B": ["yellow", "yellow", "yellow"]})
    counted: set[int] = set()
    for player in settled["case"]["answer"]["players"]:
        for line in player["lines"]:
            pieces = [int(one[1:]) for place in line["because"] for one in settled["case"]["places"].get(place, [])]
            assert pieces, line["label"]
            counted |= set(pieces)
    assert counted == set(range(7))


def test_a_hand_holds_the_last_score_and_says_so(page: Page, table: FakeTable) -> None:
    at = start(page)
    lay(page, at, table, RED_RUN)
    before = totals(page, at)
    table.hand()
    status = until(lambda: (s := show(page, at)["status"])["phase"] == "waiting" and s)
    assert status["why"]
    time.sleep(0.2)
    assert totals(page, at) == before
    lay(page, at, table, {"A": ["red"] * 4, "B": ["green"]})
    assert totals(page, at) != before
    until(lambda: show(page, at)["status"]["phase"] == "resting")


def test_what_no_turn_explains_has_its_own_picture_which_a_person_lets_count(
    page: Page, app: Flask, table: FakeTable
) -> None:
    (services_of(app).store.tables / "game.json").write_text(json.dumps(GAME.to_json()))
    scenes = game_scenes()
    table.lay(scenes[0])
    at = start(page, source="0", profile="game")
    photo = show(page, at)["rows"][0]["photo"]
    late = {**scenes[0], "A": ["green"] * 5, "B": ["purple"] * 4, "dungeon": scenes[0]["dungeon"][:6]}
    assert lay(page, at, table, late)["waits"]["unexplained"]
    rows = written(page, at, 2)
    assert [row["photo"] == photo for row in rows] == [True, False]
    assert rows[0]["totals"] == rows[1]["totals"]
    page.post(f"/api/live/{at}/move", {"as_it_lies": True})
    rows = show(page, at)["rows"]
    assert len(rows) == 2
    assert rows[0]["totals"] != rows[1]["totals"]
    assert len(page.get(f"/api/live/{at}/rows/0").json["case"]["evidence"][0]["pieces"]) == len(scenes[0]["dungeon"])


def test_a_lost_camera_is_said_and_the_score_stays(page: Page, table: FakeTable) -> None:
    at = start(page)
    lay(page, at, table, RED_RUN)
    before = totals(page, at)
    table.lose("source.frozen")
    status = until(lambda: (s := show(page, at)["status"])["phase"] == "lost" and s)
    assert "camera 0" in status["why"]
    assert totals(page, at) == before
    table.find()
    until(lambda: show(page, at)["status"]["phase"] == "resting")


def test_a_film_that_ends_keeps_its_last_state(page: Page, table: FakeTable) -> None:
    at = start(page)
    lay(page, at, table, RED_RUN)
    table.end()
    until(lambda: show(page, at)["status"]["phase"] == "ended")
    assert totals(page, at) is not None
    ended = show(page, at)["table"]["settled"]["case"]["answer"]
    assert (ended["winners"], ended["leading"]) == ([], ["B"])  # nobody has said that the game is over
    over = page.post(f"/api/live/{at}/entries", {"table": {"goes_on": False}}).json
    assert over["settled"]["case"]["answer"]["winners"] == ["B"]


def test_the_demo_is_started_once(page: Page, table: FakeTable) -> None:
    assert start(page) == start(page)
    assert table.opened == [("demo", True)]


def test_tables_games_and_areas_are_called_as_people_call_them(page: Page, app: Flask, table: FakeTable) -> None:
    at = start(page)
    zones = {"dungeon": {"polygon": [[0, 0], [9, 0], [9, 9]]}}
    services_of(app).tables.save(TableProfile.from_json({"name": "ours", "game": "twelve-seekers", "zones": zones}))
    paths = ("/live/", f"/live/{at}")
    home, its = (page.get(path, headers={"Accept-Language": "ja"}).get_data(as_text=True) for path in paths)
    assert "<strong>デモテーブル</strong>" in home
    assert "ours (ダンジョン)" in home
    assert json.loads(its.split('id="given">')[1].split("</script>")[0])["title"] == "12シーカー"  # for BG Stats


def test_a_demo_that_nobody_looks_at_stops(page: Page, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(live_tables, "DEMO_UNSEEN", 0.3)
    at = start(page)
    for _ in range(5):
        time.sleep(0.1)
        assert show(page, at)["status"]["phase"] != "stopped"
    time.sleep(0.8)
    assert show(page, at)["status"]["phase"] == "stopped"
    assert start(page) != at


def test_one_table_at_a_time(page: Page, table: FakeTable) -> None:
    first = start(page)
    second = start(page, source="0", game="twelve-seekers", rule=8, mats={"zones": ["A", "B"]})
    assert show(page, first)["status"]["phase"] == "stopped"
    assert show(page, second)["status"]["phase"] != "stopped"
    assert table.closed == 1


# What people say


def test_chips_are_laid_over_what_is_seen_and_can_be_taken_back(page: Page, table: FakeTable) -> None:
    at = start(page)
    lay(page, at, table, RED_RUN)
    before = totals(page, at)
    page.post(f"/api/live/{at}/entries", {"players": {"B": {"chips": 5, "name": "Beni"}}})
    assert totals(page, at) == [before[0], before[1] + 5]
    lay(page, at, table, {"A": ["red"], "B": ["green", "green"]})
    assert show(page, at)["table"]["settled"]["case"]["state"]["players"][1]["chips"] == 5
    page.post(f"/api/live/{at}/entries", {"players": {"B": {"chips": None, "name": None}}})
    assert show(page, at)["table"]["settled"]["case"]["state"]["players"][1] == {
        "name": "B",
        "line": ["green", "green"],
    }


def test_what_people_said_is_taken_back_and_said_again_step_by_step(page: Page, table: FakeTable) -> None:
    at = start(page)
    settled = lay(page, at, table, {"A": ["red", "red"], "B": []})
    nothing = show(page, at)["table"]
    assert (nothing["undo"], nothing["redo"]) == (None, None)
    page.post(f"/api/live/{at}/entries", {"players": {"A": {"chips": 3, "name": "Aki"}}})
    point = np.mean(settled["case"]["evidence"][0]["pieces"][1]["polygon"], axis=0).tolist()
    said = page.post(f"/api/live/{at}/pieces", {"pieces": [{"at": point, "color": "blue"}]}).json
    assert said["undo"] == "red is blue"
    assert said["settled"]["case"]["state"]["players"][0] == {"name": "Aki", "line": ["red", "blue"], "chips": 3}
    once = page.post(f"/api/live/{at}/undo").json
    assert once["settled"]["case"]["state"]["players"][0]["line"] == ["red", "red"]
    assert once["redo"] == "red is blue"
    assert once["undo"] == "Aki, chips: 3, Aki, name: Aki"
    twice = page.post(f"/api/live/{at}/undo").json
    assert twice["settled"]["case"]["state"] == nothing["settled"]["case"]["state"]
    assert (twice["undo"], twice["entries"]) == (None, nothing["entries"])
    for _ in range(3):
        again = page.post(f"/api/live/{at}/redo").json
    assert again["settled"]["case"]["state"] == said["settled"]["case"]["state"]
    assert (again["undo"], again["redo"]) == (said["undo"], None)
    page.post(f"/api/live/{at}/undo")
    after = page.post(f"/api/live/{at}/entries", {"players": {"A": {"chips": 4}}}).json
    assert after["redo"] is None
    assert show(page, at)["rows"][-1]["totals"]["A"] == after["settled"]["case"]["answer"]["players"][0]["total"]


def test_another_rule_is_scored_at_once_and_the_row_of_the_history_follows(page: Page, table: FakeTable) -> None:
    at = start(page)
    lay(page, at, table, RED_RUN)
    rows = written(page, at, 2)
    page.post(f"/api/live/{at}/entries", {"table": {"rule": 1}})
    assert "gems" in show(page, at)["table"]["settled"]["case"]["state"]["players"][0]
    again = show(page, at)["rows"]
    assert len(again) == len(rows)
    assert again[-1]["totals"] == dict(zip("AB", totals(page, at), strict=True))


def test_an_entry_whose_answer_was_lost_is_taken_once(page: Page, table: FakeTable) -> None:
    at = start(page)
    lay(page, at, table, RED_RUN)
    entry = {"players": {"A": {"chips": 3}}, "once": "0" * 16}
    page.post(f"/api/live/{at}/entries", entry)
    page.post(f"/api/live/{at}/entries", {"players": {"A": {"chips": 4}}})
    again = page.post(f"/api/live/{at}/entries", entry).json
    assert again["entries"]["players"]["A"] == {"chips": 4}
    assert page.post(f"/api/live/{at}/entries", {**entry, "once": "?"}).status_code == 400


@pytest.mark.parametrize(
    "body",
    [
        {"players": {"B": {"chips": "5"}}},
        {"players": {"B": {"chips": 1.5}}},
        {"players": {"B": {"chop": 5}}},
        {"players": {"B": {"name": " "}}},
        {"players": {"B": {"name": "x" * 41}}},
        {"players": {"Z": {"chips": 5}}},
        {"players": {"B": 5}},
        {"players": [5]},
        {"table": {"rule": True}},
        {"table": {"players": []}},
        {"table": {"game": "igna"}},
        {"more": 1},
        {"table": {"house_rules": {"x": "y" * 40_000}}},
    ],
)
def test_entries_that_no_state_can_hold_are_refused(page: Page, table: FakeTable, body: dict[str, Any]) -> None:
    at = start(page)
    lay(page, at, table, RED_RUN)
    before = show(page, at)["table"]
    answer = page.post(f"/api/live/{at}/entries", body)
    assert 400 <= answer.status_code < 500
    assert answer.json["error"]["message"]
    assert show(page, at)["table"]["entries"] == before["entries"]


def test_an_entry_that_the_rules_forbid_is_said_and_taken_back(page: Page, table: FakeTable) -> None:
    at = start(page)
    lay(page, at, table, RED_RUN)
    page.post(f"/api/live/{at}/entries", {"table": {"rule": 77}})
    settled = show(page, at)["table"]["settled"]
    assert settled["case"]["problem"]["message"]
    page.post(f"/api/live/{at}/entries", {"table": {"rule": None}})
    assert "answer" in show(page, at)["table"]["settled"]["case"]


def test_a_doubtful_tile_is_asked_about_and_what_is_said_holds_until_it_moves(page: Page, table: FakeTable) -> None:
    at = start(page)
    settled = lay(page, at, table, {"A": ["red", "yellow?"], "B": []})
    asked = [tile for tile in settled["case"]["evidence"][0]["pieces"] if "why" in tile]
    assert len(asked) == 1
    assert asked[0]["why"]
    [doubt] = settled["case"]["doubts"]
    assert (doubt["piece"], doubt["place"]) == ("p1", "/players/0/line/1")
    assert doubt["points"][0] <= 0 < doubt["points"][1]  # one color more, or a second red
    point = np.mean(asked[0]["polygon"], axis=0).tolist()
    said = page.post(f"/api/live/{at}/pieces", {"pieces": [{"at": point, "color": "gold"}]}).json["settled"]
    assert said["case"]["doubts"] == []
    assert said["case"]["state"]["players"][0] == {"name": "A", "line": ["red"], "gold": 1}
    assert [tile.get("said", False) for tile in said["case"]["evidence"][0]["pieces"]] == [False, True]
    assert not any("why" in tile for tile in said["case"]["evidence"][0]["pieces"])
    table.lay({"A": ["red", "yellow?", "blue"], "B": []})
    until(lambda: show(page, at)["table"]["settled"]["case"]["state"]["players"][0]["line"] == ["red", "blue"])
    table.lay({"A": ["red"], "B": []})
    until(lambda: show(page, at)["table"]["settled"]["case"]["state"]["players"][0]["line"] == ["red"])
    table.lay({"A": ["red", "yellow?"], "B": []})
    until(lambda: show(page, at)["table"]["settled"]["case"]["state"]["players"][0]["line"] == ["red", "yellow"])


def test_several_tiles_are_told_at_once_and_taken_back_at_once(page: Page, table: FakeTable) -> None:
    at = start(page)
    settled = lay(page, at, table, {"A": ["red?", "red?", "yellow?", "blue?"], "B": []})
    pieces = settled["case"]["evidence"][0]["pieces"]
    assert [doubt["alike"] for doubt in settled["case"]["doubts"]] == [["p0", "p1", "p2", "p3"]] * 4
    none = [{"at": np.mean(piece["polygon"], axis=0).tolist(), "color": None} for piece in pieces]
    gone = page.post(f"/api/live/{at}/pieces", {"pieces": none}).json["settled"]
    assert gone["case"]["state"]["players"][0]["line"] == []
    back = page.post(f"/api/live/{at}/undo", {}).json["settled"]
    assert len(back["case"]["state"]["players"][0]["line"]) == 4


def test_what_is_no_tile_goes_and_can_come_back(page: Page, table: FakeTable) -> None:
    at = start(page)
    settled = lay(page, at, table, {"A": ["red", "red"], "B": []})
    point = np.mean(settled["case"]["evidence"][0]["pieces"][1]["polygon"], axis=0).tolist()
    gone = page.post(f"/api/live/{at}/pieces", {"pieces": [{"at": point, "color": None}]}).json["settled"]
    assert gone["case"]["state"]["players"][0]["line"] == ["red"]
    assert gone["gone"] == [settled["case"]["evidence"][0]["pieces"][1]["polygon"]]
    back = page.post(f"/api/live/{at}/pieces", {"pieces": [{"at": point, "color": "red"}]}).json["settled"]
    assert back["case"]["state"]["players"][0]["line"] == ["red", "red"]
    assert back["gone"] == []


@pytest.mark.parametrize(
    ("body", "status"),
    [
        ({"pieces": [{"at": [600, 350], "color": "red"}]}, 409),
        ({"pieces": [{"at": [52, 100], "color": "pink"}]}, 400),
        ({"pieces": [{"at": [52, 100]}]}, 400),
        ({"pieces": [{"at": ["a", 1], "color": "red"}]}, 400),
        ({"pieces": [{"at": [1e9, 1], "color": "red"}]}, 400),
        ({"pieces": [{"at": [True, 1], "color": "red"}]}, 400),
        ({"pieces": [{"at": 5, "color": "red"}]}, 400),
        ({"pieces": [{"at": [52, 100], "card": 0.0, "color": "red"}]}, 400),
        ({"pieces": []}, 400),
        ({"pieces": 5}, 400),
        ({"pieces": [5]}, 400),
        ({"at": [52, 100], "color": "red"}, 400),
    ],
)
def test_words_about_no_tile_are_refused(page: Page, table: FakeTable, body: dict[str, Any], status: int) -> None:
    at = start(page)
    lay(page, at, table, RED_RUN)
    assert page.post(f"/api/live/{at}/pieces", body).status_code == status


def test_cards_have_words_and_lay_down_a_rule(page: Page, table: FakeTable) -> None:
    at = start(page)
    square = np.array([[400, 300], [420, 300], [420, 320], [400, 320]], float)
    cards = [Card(90, {"kind": "rule", "rule": 1}, None, square), Card(91, None, "A", square + 40)]
    settled = lay(page, at, table, RED_RUN, cards=cards)
    assert settled["case"]["state"]["rule"] == 1
    assert "1" in cards_of(settled)[0]["label"]
    assert "91" in cards_of(settled)[1]["label"]
    assert settled["case"]["places"]["/rule"] == ["p4"]


def test_a_doubtful_card_is_asked_about_and_what_is_said_holds_until_it_moves(page: Page, table: FakeTable) -> None:
    at = start(page)
    three, four = ({"id": f"s{power}", "kind": "seeker", "power": power} for power in (3, 4))
    square = np.array([[400, 80], [440, 80], [440, 140], [400, 140]], float)
    card = Card(None, three, "B", square, "seekers", 0.6, True, (three, four))
    settled = lay(page, at, table, RED_RUN, cards=[card])
    [doubt] = settled["case"]["doubts"]
    assert doubt["place"] == "/players/1/seekers/0"
    assert cards_of(settled)[0]["label"] == "Seeker, power 3"
    assert [choice["label"] for choice in doubt["choices"][:2]] == [
        cards_of(settled)[0]["label"],
        ANY,
    ]
    point, other = (
        np.mean(cards_of(settled)[0]["polygon"], axis=0).tolist(),
        int(doubt["choices"][1]["key"]),
    )
    said = page.post(f"/api/live/{at}/pieces", {"pieces": [{"at": point, "card": other}]}).json["settled"]
    assert (said["case"]["state"]["players"][1]["seekers"], said["case"]["doubts"]) == ([4], [])
    again = lay(page, at, table, {"A": ["red"], "B": ["green"]}, cards=[card])
    assert again["case"]["state"]["players"][1]["seekers"] == [4]
    gone = page.post(f"/api/live/{at}/pieces", {"pieces": [{"at": point, "card": None}]}).json
    assert gone["settled"]["case"]["state"]["players"][1]["seekers"] == []  # one lay there on the table before
    back = page.post(f"/api/live/{at}/undo").json["settled"]
    assert back["case"]["state"]["players"][1]["seekers"] == [4]
    moved = lay(page, at, table, RED_RUN, cards=[replace(card, polygon=square + 60)])
    assert moved["case"]["state"]["players"][1]["seekers"] == [3]
    for wrong in (-1, 1000, "1", True, 1.0):
        assert page.post(f"/api/live/{at}/pieces", {"pieces": [{"at": point, "card": wrong}]}).status_code == 400


# History


def test_the_history_shows_every_state_again_and_outlives_the_companion(
    page: Page, app: Flask, table: FakeTable, tmp_path: Path
) -> None:
    at = start(page)
    lay(page, at, table, RED_RUN)
    written(page, at, 2)
    lay(page, at, table, {"A": ["red"] * 5, "B": ["green"]})
    rows = written(page, at, 3)
    kept = [page.get(f"/api/live/{at}/rows/{row['number']}").json for row in rows]
    assert [[player["total"] for player in one["case"]["answer"]["players"]] for one in kept] == [
        [row["totals"]["A"], row["totals"]["B"]] for row in rows
    ]
    services_of(app).tables.stop()
    other = create_app(tmp_path / "data", table_eyes=FakeTable())
    with other.test_client() as client:
        again = Page(client)
        view = show(again, at)
        assert view["rows"] == rows
        assert view["status"]["phase"] == "stopped"
        assert view["table"]["settled"]["case"]["state"] == kept[-1]["case"]["state"]
        assert again.get(f"/api/live/{at}/rows/1").json == kept[1]
        assert again.get(f"/api/live/{at}/rows/99").status_code == 404
        assert again.get(f"/live/{at}").status_code == 200


def test_a_table_is_taken_up_again_with_its_history_and_entries(page: Page, table: FakeTable) -> None:
    at = start(page)
    lay(page, at, table, RED_RUN)
    page.post(f"/api/live/{at}/entries", {"players": {"A": {"chips": 3}}})
    rows = written(page, at, 2)
    page.post(f"/api/live/{at}/stop")
    assert page.post(f"/api/live/{at}/entries", {}).status_code == 409
    assert page.post(f"/api/live/{at}/again").status_code == 200
    until(lambda: totals(page, at))
    assert len(written(page, at, 2)) >= len(rows)
    assert show(page, at)["table"]["settled"]["case"]["state"]["players"][0]["chips"] == 3


def test_each_device_takes_back_its_own_words_also_after_a_restart(
    page: Page, app: Flask, table: FakeTable, tmp_path: Path
) -> None:
    at = start(page, source="0", game="twelve-seekers", rule=8, mats={"zones": ["A", "B"]})
    settled = lay(page, at, table, RED_RUN)
    red = settled["case"]["evidence"][0]["pieces"][0]["polygon"]
    page.post(f"/api/live/{at}/pieces", {"pieces": [{"at": np.mean(red, axis=0).tolist(), "color": "blue"}]})
    page.post(f"/api/live/{at}/entries", {"players": {"A": {"chips": 3}}})
    services_of(app).tables.now.enter({}, {"B": {"chips": 5}}, "another device")
    assert page.get(f"/api/live/{at}").json["table"]["undo"] == "A, chips: 3"
    services_of(app).tables.stop()
    after = FakeTable()
    after.lay(RED_RUN)
    other = create_app(tmp_path / "data", table_eyes=after)
    with other.test_client() as client:
        again = Page(client)
        assert again.post(f"/api/live/{at}/again").status_code == 200
        shown = until(lambda: (view := show(again, at)["table"])["settled"] and view)
        assert (shown["undo"], shown["redo"]) == ("A, chips: 3", None)
        assert shown["settled"]["case"]["state"]["players"][0]["line"][0] == "blue"
        once = again.post(f"/api/live/{at}/undo").json
        assert once["entries"]["players"] == {"B": {"chips": 5}}
        assert (once["undo"], once["redo"]) == ("red is blue", "A, chips: 3")
        twice = again.post(f"/api/live/{at}/undo").json
        assert twice["settled"]["case"]["state"]["players"][0]["line"][0] == "red"
        assert twice["undo"] is None
        assert again.post(f"/api/live/{at}/redo").json["settled"]["case"]["state"]["players"][0]["line"][0] == "blue"
    services_of(other).tables.stop()


def test_a_pushed_table_is_no_new_state(page: Page, app: Flask, table: FakeTable) -> None:
    at = start(page)
    lay(page, at, table, RED_RUN)
    rows = written(page, at, 2)
    table.lay(RED_RUN)
    table.hand()
    until(lambda: show(page, at)["status"]["phase"] == "waiting")
    table.lay(RED_RUN)
    until(lambda: show(page, at)["status"]["phase"] == "resting")
    assert show(page, at)["rows"] == rows


def test_only_so_many_pictures_and_tables_are_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(journal, "MOST_PICTURES", 3)
    monkeypatch.setattr(journal, "MOST_ROWS", 5)
    store = Store(tmp_path)
    for name in "abcdef":
        table = Journal.begin(store, name, {"profile": {}})
        table.settled(0.0, None, {"A": 0}, {})
    assert kept(store) == "fedc"
    for i in range(1, 8):
        table.settled(float(i), b"jpeg", {"A": i}, {})
    rows = table.rows()
    assert [row.number for row in rows] == [3, 4, 5, 6, 7]
    assert [row.photo is not None for row in rows] == [False, False, True, True, True]
    assert len(list(store.photos.iterdir())) == 3
    assert Journal(store, table.table).rows() == rows


def kept(store: Store) -> str:
    """The tables that are kept, the newest first, by their one-letter names."""
    return "".join(play["sheet"] for play in store.plays(journal.GAME))


@pytest.mark.parametrize(
    ("begun", "left"),
    [
        ("abcd", "dcba"),
        ("abcdef", "fedc"),
        ("abc-", "-cba"),  # nothing came to rest (an address that does not answer): it stays while it is looked at
        ("abcd----", "-dcba"),
        ("abcd-e", "edcb"),
        ("abcdDDD", "Ddcba"),  # demos take no game's place, and only one is kept
        ("DDabcde", "edcbD"),
        ("D-", "-D"),
    ],
)
def test_games_are_kept_whatever_else_is_tried(tmp_path: Path, begun: str, left: str) -> None:
    store = Store(tmp_path)
    for name in begun:
        table = Journal.begin(store, name, {"profile": {}, "source": "demo" if name == "D" else "0"})
        if name != "-":
            table.settled(0.0, None, {"A": 0}, {})
    assert kept(store) == left


def test_another_game_on_the_same_table_is_told_apart(page: Page, app: Flask, table: FakeTable) -> None:
    at = start(page)
    lay(page, at, table, RED_RUN)
    written(page, at, 2)
    page.post(f"/api/live/{at}/entries", {"table": {"rule": 2}, "players": {"A": {"name": "Aki", "chips": 3}}})
    table.begin_anew()
    rows = written(page, at, 3)  # the same tiles lie there, and yet it is another game
    assert [row["first"] for row in rows] == [False, False, True]
    everything = show(page, at)
    state = everything["table"]["settled"]["case"]["state"]
    assert (state["rule"], state["players"][0]["name"]) == (2, "Aki")
    assert "chips" not in state["players"][0]
    assert everything["table"]["entries"]["players"] == {"A": {"name": "Aki"}}
    until(lambda: not show(page, at)["status"]["new"])
    assert [row.first for row in Journal(services_of(app).store, at).rows()] == [False, False, True]


def test_forgetting_a_table_takes_its_pictures(page: Page, app: Flask, table: FakeTable) -> None:
    at = start(page)
    lay(page, at, table, RED_RUN)
    written(page, at, 2)
    assert page.client.delete(f"/api/live/{at}", headers={"X-Companion": "1"}).status_code == 200
    assert page.get(f"/live/{at}").status_code == 404
    assert list(services_of(app).store.photos.iterdir()) == []


def test_a_disk_that_is_full_does_not_stop_the_score(
    page: Page, table: FakeTable, monkeypatch: pytest.MonkeyPatch
) -> None:
    at = start(page)
    monkeypatch.setattr(Store, "transaction", lambda *_: (_ for _ in ()).throw(OSError("disk full")))
    lay(page, at, table, RED_RUN)
    assert totals(page, at) is not None


def test_the_state_opens_as_a_case(page: Page, table: FakeTable) -> None:
    at = start(page)
    settled = lay(page, at, table, RED_RUN)
    for path in (f"/live/{at}/case", f"/live/{at}/case?row=1"):
        written(page, at, 2)
        to = page.get(path).headers["Location"]
        assert to.startswith("/dispute/twelve-seekers?s=")
        assert (
            json.loads(address.unpack(to.split("s=")[1].split("&")[0])) | {"goes_on": True} == settled["case"]["state"]
        )
    assert page.get(f"/live/{at}/case?row=77").status_code == 404


def test_a_stopped_table_says_why_it_takes_no_tapped_case_back(page: Page, table: FakeTable) -> None:
    at = start(page)
    state = lay(page, at, table, RED_RUN)["case"]["state"]
    page.post(f"/api/live/{at}/stop")
    assert f"from=/live/{at}" in page.get(f"/live/{at}/case").headers["Location"]
    answer = page.post(f"/api/live/{at}/case", {"state": state})
    assert answer.status_code == 409
    assert "“Follow it again” first" in answer.json["error"]["message"]


# News


def events(page: Page, at: str, after: str = "", **headers: str) -> Iterator[dict[str, Any]]:
    """Server-sent events as they come."""
    response = page.client.get(f"/api/live/{at}/events?after={after}", headers=headers, buffered=False)
    assert response.status_code == 200
    assert response.content_type == "text/event-stream"
    try:
        for chunk in response.response:
            text = chunk if isinstance(chunk, str) else chunk.decode()
            event: dict[str, Any] = {}
            for line in text.splitlines():
                key, _, value = line.partition(": ")
                event[key] = json.loads(value) if key == "data" else value
            yield event
    finally:
        response.close()


def first(stream: Iterator[dict[str, Any]], name: str) -> dict[str, Any]:
    return next(event for event in stream if event.get("event") == name)


def test_a_page_hears_everything_first_and_then_what_changes(page: Page, table: FakeTable) -> None:
    at = start(page)
    lay(page, at, table, RED_RUN)
    written(page, at, 2)
    stream = events(page, at)
    everything = first(stream, "all")
    assert everything["data"]["rows"] == show(page, at)["rows"]
    page.post(f"/api/live/{at}/entries", {"players": {"A": {"chips": 2}}})
    heard = first(stream, "table")["data"]["settled"]
    assert heard["case"]["state"]["players"][0]["chips"] == 2
    stream.close()


def test_a_page_that_was_away_hears_what_it_missed_and_no_more(page: Page, table: FakeTable) -> None:
    at = start(page)
    lay(page, at, table, RED_RUN)
    written(page, at, 2)
    stream = events(page, at)
    last = first(stream, "all")["id"]
    stream.close()
    lay(page, at, table, {"A": ["blue"], "B": []})
    lay(page, at, table, {"A": ["blue", "blue"], "B": []})
    rows = written(page, at, 4)
    stream = events(page, at, **{"Last-Event-ID": last})
    heard = []
    for event in stream:
        heard.append(event)
        if "id" in event:
            break
    stream.close()
    assert [event["data"]["number"] for event in heard if event.get("event") == "row"] == [2, 3]
    assert [event["event"] for event in heard if "event" in event].count("table") == 1
    assert rows[-1]["number"] == 3


@pytest.mark.parametrize("after", ["", "x", "-", "12", "deadbeef-5", "{epoch}-99999", "{epoch}--1", "{epoch}-9" * 9])
def test_whoever_heard_something_else_hears_everything(page: Page, app: Flask, table: FakeTable, after: str) -> None:
    at = start(page)
    epoch = services_of(app).tables.now.epoch
    stream = events(page, at, after.replace("{epoch}", epoch))
    told = [next(event for event in stream if "event" in event)["event"] for _ in range(2)]
    assert told == ["steps", "all"]
    stream.close()


def test_a_silent_line_is_pinged_and_the_end_is_said(
    page: Page, table: FakeTable, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(news, "PING", 0.05)
    at = start(page)
    lay(page, at, table, RED_RUN)
    stream = events(page, at)
    first(stream, "all")
    until(lambda: "" in next(stream))
    page.post(f"/api/live/{at}/stop")
    first(stream, "end")
    assert list(stream) == []


def test_lasting_connections_are_bounded_and_given_back(page: Page, app: Flask, table: FakeTable) -> None:
    at = start(page)
    streams = services_of(app).tables.streams
    while streams.acquire(blocking=False):
        pass
    assert page.get(f"/api/live/{at}/events").status_code == 503
    streams.release()
    stream = events(page, at)
    first(stream, "all")
    stream.close()
    assert streams.acquire(blocking=False)


def test_events_speak_the_pages_language(page: Page, table: FakeTable) -> None:
    page.post("/api/language", {"language": "ja"})
    at = start(page)
    lay(page, at, table, RED_RUN)
    stream = events(page, at)
    assert (
        "連続" in first(stream, "all")["data"]["table"]["settled"]["case"]["answer"]["players"][0]["lines"][0]["label"]
    )
    stream.close()


def test_changes_are_told_once_and_forgotten_in_time() -> None:
    changes = Changes()
    changes.add(TABLE, 0)
    news = changes.since(None)
    assert news.everything
    changes.add(STATUS, 1, 1)
    told = changes.since(news.number)
    assert (told.everything, told.table, told.status, told.rows) == (False, False, True, (1,))
    assert not changes.since(told.number, 0.0).rows
    for _ in range(KEPT + 1):
        changes.add(TABLE)
    assert changes.since(told.number).everything


# The picture


def test_the_picture_moves_and_viewers_share_one_encoding(monkeypatch: pytest.MonkeyPatch) -> None:
    frames = [Frame(1, 0.0, np.zeros((1080, 1920, 3), np.uint8))]
    made = []
    real = cv2.imencode
    monkeypatch.setattr(cv2, "imencode", lambda *args: made.append(1) or real(*args))
    picture = LivePicture(lambda after, _: frames[-1] if frames[-1].number > after else None, gap=0.0)
    first, second = picture.next(), picture.next()
    assert first == second
    assert first is not None
    assert len(made) == 1
    assert cv2.imdecode(np.frombuffer(first[1], np.uint8), 1).shape == (540, 960, 3)
    assert picture.next(1, 0.0) is None
    frames.append(Frame(2, 0.1, frames[0].image))
    assert picture.next(1, 0.0)[0] == 2
    picture.close()
    assert picture.next() is None


def test_the_moving_picture_is_a_stream_of_jpegs(page: Page, table: FakeTable) -> None:
    at = start(page)
    response = page.client.get(f"/live/{at}/picture.mjpg", buffered=False)
    assert response.content_type == "multipart/x-mixed-replace; boundary=frame"
    parts = iter(response.response)
    assert next(parts) == b"--frame\r\n"
    for _ in range(2):
        head, _, rest = next(parts).partition(b"\r\n\r\n")
        length = int(head.split(b"Content-Length: ")[1])
        assert cv2.imdecode(np.frombuffer(rest[:length], np.uint8), 1).shape == (360, 640, 3)
        assert rest[length:] == b"\r\n--frame\r\n"
    response.close()
    assert page.get(f"/live/{at}/frame.jpg").mimetype == "image/jpeg"


# Profiles and sources


def test_zones_drawn_on_the_picture_are_saved_and_used(page: Page, app: Flask, table: FakeTable) -> None:
    at = start(page, source="0", game="twelve-seekers", rule=8)
    drawn = {"A": {"polygon": [[10.5, 10.5], [300.5, 10.5], [300.5, 200.5], [10.5, 200.5]]}}
    file = page.post(f"/api/live/{at}/zones", {"zones": drawn}).json["file"]
    saved = TableProfile.load(services_of(app).store.tables / f"{file}.json")
    assert saved.zones["A"] == Zone(None, None, ((10.0, 10.0), (300.0, 10.0), (300.0, 200.0), (10.0, 200.0)))
    assert show(page, at)["table"]["profile"] == drawn
    assert file in page.get("/live/").get_data(as_text=True)
    again = start(page, source="1", profile=file)
    assert show(page, again)["table"]["zones"] == ["A"]


def test_corner_cards_are_taken_for_mats(page: Page, app: Flask, table: FakeTable) -> None:
    at = start(page, source="0", game="splendor", mats={"zones": ["A", "market"], "corners": True})
    session = services_of(app).tables.session(at)
    assert session is not None
    assert session.profile.zones == {
        "A": Zone((0, 1, 2, 3), marker_mm=17.5), "market": Zone((16, 17, 18, 19), marker_mm=17.5)
    }  # fmt: skip


@pytest.mark.parametrize(("language", "words"), [("en", "bring the camera nearer"), ("ja", "カメラを近づける")])
def test_what_the_camera_cannot_resolve_is_said_with_what_to_do(
    page: Page, table: FakeTable, language: str, words: str
) -> None:
    what = {"key": "piece.card", "values": {}}
    table.lay({"A": [], "B": []}, problems=[Message("zone.coarse", {"zone": "A", "what": what, "n": 31, "least": 45})])
    at = start(page)
    [said] = page.get(f"/api/live/{at}", headers={"Accept-Language": language}).json["table"]["settled"]["coarse"]
    assert "31" in said
    assert words in said


def test_areas_are_proposed_for_so_many_players(page: Page, table: FakeTable) -> None:
    at = start(page, source="0", game="igna")
    shape = np.array([[0, 0], [20, 0], [20, 30], [0, 30]])
    treasure = {"kind": "treasure", "color": "red", "number": 1}
    sets = [Card(None, treasure, None, shape + place) for place in ([40, 300], [80, 300], [500, 300], [40, 20])]
    table.lay({}, sets)
    until(lambda: "p3" in str(show(page, at)["table"]["settled"]))
    asked = show(page, at)["table"]
    assert (asked["asks_players"], asked["proposed"]) == (True, {})  # nothing is guessed
    told = page.post(f"/api/live/{at}/seats", {"players": 3}).json
    assert (told["asks_players"], [*told["proposed"]]) == (False, ["A", "B", "C"])
    for players in (2, 3):
        areas = page.get(f"/api/live/{at}/areas?players={players}").json["areas"]
        assert len(areas) == players
        assert all(len(area["polygon"]) == 4 for area in areas.values())
    assert page.get(f"/api/live/{at}/areas?players=9").status_code == 400
    page.post(f"/api/live/{at}/zones", {"zones": areas})
    assert show(page, at)["table"]["zones"] == ["A", "B", "C"]


def test_areas_wait_for_how_many_play_and_who_sits_where(page: Page, table: FakeTable) -> None:
    at = start(page, source="0", game="splendor")
    shape = np.array([[-18, -25], [18, -25], [18, 25], [-18, 25]])
    market = [
        Card(
            None,
            {"kind": "development", "bonus": "red", "level": n},
            None,
            shape + np.array([150 + 40 * k, 50 + 60 * (3 - n)]),
        )
        for n in (1, 2, 3)
        for k in range(4)
    ]
    table.lay({}, market)
    until(lambda: [*show(page, at)["table"]["proposed"]] == ["market"])
    assert show(page, at)["table"]["set_up"]["checks"] == []
    two = page.post(f"/api/live/{at}/seats", {"players": 2}).json
    assert [*two["proposed"]] == ["market", "A", "B"]
    assert two["set_up"]["checks"][0] == {"words": "12 of 12 cards lie open", "fits": True, "asked": False}
    if two["set_up"]["ways"] > 1:
        assert page.post(f"/api/live/{at}/seats", {"players": 2, "seating": 1}).json["proposed"] != two["proposed"]
    for wrong in ({"players": 9}, {"players": True}, {"seating": -1}, {"seats": 2}):
        assert page.post(f"/api/live/{at}/seats", wrong).status_code == 400


def test_white_paper_is_pointed_at_kept_with_the_profile_and_forgotten(
    page: Page, app: Flask, table: FakeTable
) -> None:
    at = start(page, source="0", game="twelve-seekers", rule=8)
    until(lambda: services_of(app).tables.session(at).frame is not None)
    assert not show(page, at)["table"]["white"]
    file = page.post(f"/api/live/{at}/zones", {"zones": {}, "white": [600.5, 340.5]}).json["file"]
    saved = services_of(app).store.tables / f"{file}.json"
    assert TableProfile.load(saved).white == (90.0, 90.0, 90.0)
    assert show(page, at)["table"]["white"]
    for spot, status in (([6000, 340.5], 422), (["x", 1], 400)):
        assert page.post(f"/api/live/{at}/zones", {"zones": {}, "white": spot}).status_code == status
    page.post(f"/api/live/{at}/zones", {"zones": {}})
    assert TableProfile.load(saved).white is not None
    page.post(f"/api/live/{at}/zones", {"zones": {}, "white": None})
    assert TableProfile.load(saved).white is None


@pytest.mark.parametrize(
    "zones",
    [
        None,
        [],
        {"A": None},
        {"A": "markers"},
        {"A": {"polygon": [[1, 1], [2, 2]]}},
        {"A": {"polygon": [[1, 1], [2, 2], ["x", 3]]}},
        {"A": {"polygon": "x"}},
        {"A": {"polygon": [[1, 1], [2, 2], [3, 1]], "markers": [1, 2, 3, 4]}},
        {f"z{i}": {"polygon": [[1, 1], [2, 2], [3, 1]]} for i in range(40)},
    ],
)
def test_zones_that_are_none_are_refused(page: Page, table: FakeTable, zones: Any) -> None:
    at = start(page, source="0", game="twelve-seekers", rule=8)
    answer = page.post(f"/api/live/{at}/zones", {"zones": zones})
    assert 400 <= answer.status_code < 500
    assert show(page, at)["table"]["zones"] == []


def test_the_printed_mats_profile_has_their_markers_and_the_games_cards(page: Page, app: Flask) -> None:
    at = start(page, source="0", game="splendor", mats={"zones": ["A", "C"], "paper": "A4", "sheets": 2})
    profile = TableProfile.from_json(services_of(app).tables.journal(at).begun["profile"])
    assert list(profile.zones) == ["A", "C"]
    assert all(zone.markers for zone in profile.zones.values())
    assert profile.cards


@pytest.mark.parametrize(
    "how",
    [
        {"source": 0},
        {"source": None},
        {"source": "0", "game": "chess"},
        {"source": "0", "game": "twelve-seekers", "rule": 21},
        {"source": "0", "game": "twelve-seekers", "rule": "8"},
        {"source": "0", "profile": "../../key"},
        {"source": "0", "profile": "nothing"},
        {"source": "0", "mats": {"zones": []}},
        {"source": "0", "mats": {"zones": ["A", "A"]}},
        {"source": "0", "mats": {"zones": ["Q"]}},
        {"source": "0", "mats": {"zones": [["A"]]}},
        {"source": "0", "mats": {"zones": ["A"], "paper": "B5"}},
        {"source": "0", "mats": {"zones": ["A"], "paper": ["A4"]}},
        {"source": "0", "mats": {"zones": ["A"], "sheets": 9}},
        {"source": "0", "more": 1},
    ],
)
def test_a_start_that_cannot_be_is_refused_and_what_runs_goes_on(
    page: Page, table: FakeTable, how: dict[str, Any]
) -> None:
    at = start(page)
    answer = page.post("/api/live/start", how)
    assert 400 <= answer.status_code < 500
    assert answer.json["error"]["message"]
    assert show(page, at)["status"]["phase"] != "stopped"


def test_a_source_that_cannot_be_opened_is_said(page: Page, app: Flask, table: FakeTable) -> None:
    table.refuse(SourceError("source.missing", got="film.mp4"))
    answer = page.post("/api/live/start", {"source": "film.mp4", "game": "twelve-seekers"})
    assert answer.status_code == 422
    assert "film.mp4" in answer.json["error"]["message"]
    assert services_of(app).store.plays(journal.GAME) == []


def test_a_palette_that_is_gone_is_said(page: Page, app: Flask, table: FakeTable) -> None:
    def follower(profile: TableProfile) -> Any:
        raise PaletteError("", "profile.json", "x", file="x")

    table.follower = follower  # type: ignore[method-assign]
    answer = page.post("/api/live/start", {"source": "0", "game": "twelve-seekers"})
    assert answer.status_code == 422
    assert "palette x" in answer.json["error"]["message"]
    assert services_of(app).store.plays(journal.GAME) == []


def test_files_of_this_computer_are_named_from_this_computer_only(page: Page, table: FakeTable, app: Flask) -> None:
    services_of(app).network.reach = Reach(lan=True)
    page.post("/api/pair", {"code": services_of(app).pairing.new_code(Role.HOST)})
    body = {"source": "/home/me/film.mp4", "game": "twelve-seekers", "instead": True}
    page.post("/api/live/start", body, environ_base={"REMOTE_ADDR": "192.168.1.30"})
    page.post("/api/live/start", body, environ_base={"REMOTE_ADDR": "127.0.0.1"})
    assert [files for _, files in table.opened] == [False, True]


def test_a_broken_profile_says_so_at_home(page: Page, app: Flask) -> None:
    (services_of(app).store.tables / "broken.json").write_text('{"name": "x", "zoones": {}}')
    assert "zoones" in page.get("/live/").get_data(as_text=True)


@pytest.mark.parametrize(
    ("profile", "why"),
    [
        ({"name": "x", "game": "chess"}, "got chess"),
        ({"name": "\ud800"}, "broken characters"),
        ({"name": "x", "zones": {"\ud800": {"markers": [0, 1, 2, 3]}}}, "broken characters"),
        ({"name": "x", "palette": "gone.palette"}, "gone.palette"),
        ({"name": "x", "palette": "odd.json"}, "expected an object with tiles"),
        ({"name": "x", "cards": {"7": {"kind": "nothing"}}}, None),
    ],
)
def test_a_profile_that_cannot_be_used_is_listed_with_the_reason(
    page: Page, app: Flask, profile: dict[str, Any], why: str | None
) -> None:
    (services_of(app).store.tables / "odd.json").write_text(json.dumps(profile))
    text = page.get("/live/").get_data(as_text=True)
    answer = page.post("/api/live/start", {"source": "0", "profile": "odd"})
    if why is None:
        assert '<option value="odd"' in text
        assert answer.status_code == 200
    else:
        assert '<option value="odd"' not in text
        assert why in text
        assert answer.status_code == 422
        assert why in answer.json["error"]["message"]


# Colors


def test_a_row_of_colors_is_looked_at_and_learned(page: Page, app: Flask, table: FakeTable) -> None:
    at = start(page, source="0", game="twelve-seekers", mats={"zones": ["A", "B"]})
    lay(page, at, table, {"A": list(COLORS)})
    assert page.post(f"/api/live/{at}/colors/save", {"order": list(COLORS)}).status_code == 400
    seen = page.post(f"/api/live/{at}/colors/look", {"order": list(COLORS)}).json
    assert [tile["color"] for tile in seen["tiles"]] == list(COLORS)
    xs = [tile["at"][0] for tile in seen["tiles"]]
    assert xs == sorted(xs)
    file = page.post(f"/api/live/{at}/colors/save", {"order": list(COLORS)}).json["file"]
    profile = TableProfile.load(services_of(app).store.tables / f"{file}.json")
    assert set(Palette.load(Path(profile.palette)).tiles) == set(COLORS)
    assert services_of(app).tables.now.profile.palette == profile.palette


def test_a_row_that_is_none_is_said(page: Page, table: FakeTable) -> None:
    at = start(page, source="0", game="twelve-seekers", mats={"zones": ["A", "B"]})
    lay(page, at, table, {"A": ["red", "blue"]})
    answer = page.post(f"/api/live/{at}/colors/look", {"order": list(COLORS)})
    assert answer.status_code == 422
    assert "2" in answer.json["error"]["message"]
    for order in ([], ["red"], ["red", "red"], ["red", "pink"], "red", None, [["red"], "blue"]):
        assert page.post(f"/api/live/{at}/colors/look", {"order": order}).status_code == 400


# What is wrong, and where


def doubtful(color: str, zone: str | None, doubt: str, *borders: str) -> Tile:
    square = np.array([[0.0, 0], [9, 0], [9, 9], [0, 9]])
    return Tile(color, zone, 0, 0, square.mean(0), square, 0.9, bool(doubt), doubt, borders)


@pytest.mark.parametrize(
    ("tiles", "en", "ja"),
    [
        (
            [doubtful("red", "A", "tile.border", "A"), doubtful("green", None, "tile.border", "A")],
            [("2 tiles lie on the border of Aki: red, green", [0, 1])],
            [("Akiのエリアの境目にタイルが2枚あります：赤、緑", [0, 1])],
        ),
        (
            [doubtful("red", "A", ""), doubtful("red", "A", "tile.border", "A", "B")],
            [("1 tile lies on the border of Aki and B: red", [1])],
            [("AkiとBのエリアの境目にタイルが1枚あります：赤", [1])],
        ),
        (
            [doubtful(c, "B", "tile.stacked") for c in ("red", "red", "blue")]
            + [doubtful("gold", "dungeon", "tile.box")]
            + [doubtful("gold", None, doubt) for doubt in ("tile.stacked", "tile.box", "tile.unsure")],
            [
                ("B: 3 tiles lie on top of one another (red × 2, blue)", [0, 1, 2]),
                ("Dungeon: 1 tile to check: the box does not hold that many of one color (gold)", [3]),
            ],
            [
                ("B：ほかのタイルと重なっているタイルが3枚あります（赤 × 2、青）。", [0, 1, 2]),
                ("ダンジョン：確かめたいタイルが1枚あります。箱には同じ色がそれほど入っていません（黄金）。", [3]),
            ],
        ),
        ([doubtful("red", "A", "tile.unsure"), doubtful("red", None, "")], [], []),
    ],
    ids=["a border", "two borders", "stacks and the box", "nothing to say"],
)
def test_what_is_wrong_with_tiles_is_said_once_a_place(
    page: Page, app: Flask, tiles: list[Tile], en: list[Any], ja: list[Any]
) -> None:
    at = start(page)
    session = services_of(app).tables.now
    page.post(f"/api/live/{at}/entries", {"players": {"A": {"name": "Aki"}}})
    reading = TableReading(tuple(tiles), (), {}, tile_problems(tiles))
    session.settled = session._judged(0.0, (640, 360), reading, frozenset())
    session.changes.add(TABLE)
    for language, said in (("en", en), ("ja", ja)):
        seen = page.get(f"/api/live/{at}", headers={"Accept-Language": language}).json["table"]["settled"]
        assert [(one["message"], [int(p[1:]) for p in one["pieces"]]) for one in seen["case"]["problems"]] == said
        why = [tile.get("why", "") for tile in seen["case"]["evidence"][0]["pieces"]]
        assert [bool(words) for words in why] == [tile.doubtful and bool(tile.doubt) for tile in tiles]
        assert not [words for words in why if "{" in words or "tile." in words]


def test_who_answers_for_a_tile_ends_what_is_said_of_it() -> None:
    tiles = [doubtful("red", "A", "tile.border", "A"), replace(doubtful("red", "A", "tile.border", "A"), center=ASIDE)]
    corrections = Corrections()
    reading = TableReading(tuple(tiles), (), {}, (Message("zone.missing", {"zone": "B"}), *tile_problems(tiles)))
    corrections.say(reading, 0, "blue")
    left, _ = corrections.apply(reading)
    assert [(one.key, one.values.get("tiles")) for one in left.problems] == [
        ("zone.missing", None),
        ("tile.border", [1]),
    ]


def seen(*tiles: tuple[str, str, bool]) -> TableReading:
    """Tiles in a row of areas, each somewhere else: color, area, whether it is hard to read."""
    made = [
        replace(doubtful(color, zone, "tile.color", zone), doubtful=hard, center=np.array([40.0 * ord(zone), 20.0 * i]))
        for i, (color, zone, hard) in enumerate(tiles)
    ]
    return TableReading(tuple(made), (), {})


@pytest.mark.parametrize(
    ("after", "colors"),
    [
        (seen(("gold", "B", True)), ["yellow"]),  # taken out of the dungeon: the same tile
        (seen(("gold", "B", False)), ["gold"]),  # surely gold: another one
        (seen(("gold", "B", True), ("gold", "A", True)), ["gold", "gold"]),  # nobody knows which
        (seen(("red", "B", True)), ["red"]),
        (seen(), []),
    ],
)
def test_what_was_said_of_a_tile_goes_with_it(after: TableReading, colors: list[str]) -> None:
    corrections, before = Corrections(), seen(("gold", "D", True))
    corrections.apply(before)
    corrections.say(before, 0, "yellow")
    corrections.apply(before)
    for _ in range(2):  # and it stays said
        made, said = corrections.apply(after)
        assert [tile.color for tile in made.tiles] == colors
        assert len(said) == colors.count("yellow")


def test_a_new_game_begins_with_nothing_of_the_last_one(page: Page, table: FakeTable) -> None:
    at = start(page)
    lay(page, at, table, RED_RUN)
    page.post(f"/api/live/{at}/entries", {"table": {"rule": 9}, "players": {"A": {"chips": 3, "name": "Aki"}}})
    begun = page.post(f"/api/live/{at}/new-game").json
    assert (begun["settled"], begun["undo"]) == (None, None)
    assert begun["entries"] == {"table": {"rule": 9}, "players": {"A": {"name": "Aki"}}}
    settled = lay(page, at, table, {"A": ["blue"], "B": []})
    assert settled["first"]
    assert settled["case"]["state"]["players"][0] == {"name": "Aki", "line": ["blue"]}


HOUSE = {"fewest-cards": "with-nobles"}
HELP_CARD = {"same": 5, "run": 3, "mixed": 2, "bonus": 1}


@pytest.mark.parametrize(
    ("game", "typed", "stays"),
    [
        (
            "human-angel-demon",
            {"winner": "A", "won_by": "take", "bonus": ["H1"], "short_game": 2, "advanced": True, "item_win": [1]},
            {"advanced": True, "item_win": [1]},
        ),
        ("splendor", {"round_over": True, "house_rules": HOUSE}, {"house_rules": HOUSE}),
        ("igna", {"points": HELP_CARD}, {"points": HELP_CARD}),
    ],
)
def test_of_what_is_typed_for_the_table_only_the_set_up_holds_in_the_next_game(
    page: Page, table: FakeTable, game: str, typed: dict[str, Any], stays: dict[str, Any]
) -> None:
    at = page.post("/api/live/start", {"source": "photos", "game": game}).json["table"]
    page.post(f"/api/live/{at}/entries", {"table": typed})
    assert page.post(f"/api/live/{at}/new-game").json["entries"]["table"] == stays


def test_values_that_are_entered_once_hold_at_a_table_too(page: Page, table: FakeTable) -> None:
    assert page.post("/api/dispute/igna/saved", HELP_CARD).status_code == 200
    at = page.post("/api/live/start", {"source": "photos", "game": "igna"}).json["table"]
    begun = show(page, at)["table"]
    assert (begun["entries"]["table"], begun["undo"]) == ({"points": HELP_CARD}, None)
    other = page.post("/api/live/start", {"source": "photos", "game": "splendor"}).json["table"]
    assert show(page, other)["table"]["entries"]["table"] == {}


# Who comes uninvited


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"[]",
        b"null",
        b"{",
        b'{"source": NaN}',
        rb'{"source": "demo", "name": "\ud800"}',
        b"[" * 5000,
        b"\xff\xfe",
        b'"x"',
        b"{}",
    ],
)
def test_no_body_brings_the_companion_down(page: Page, app: Flask, table: FakeTable, body: bytes) -> None:
    at = start(page)
    for rule in app.url_map.iter_rules():
        if not rule.endpoint.startswith("live") or "POST" not in (rule.methods or ()):
            continue
        if rule.endpoint in ("live.stop", "live.again"):
            continue
        answer = page.send(rule.rule.replace("<table>", at), body)
        assert answer.status_code < 500, (rule.rule, body)


@pytest.mark.parametrize("name", ["0", "x" * 16, "../../key", "0" * 16, "%00", "0" * 400])
def test_unknown_tables_are_not_found(page: Page, app: Flask, name: str) -> None:
    for rule in app.url_map.iter_rules():
        if rule.endpoint.startswith("live") and "<table>" in rule.rule:
            address = rule.rule.replace("<table>", name).replace("<int:number>", "0")
            for method in (rule.methods or set()) - {"OPTIONS", "HEAD"}:
                answer = page.client.open(address, method=method, json={}, headers={"X-Companion": "1"})
                assert answer.status_code in (404, 405), (method, address)


def test_another_games_play_is_no_table(page: Page, app: Flask) -> None:
    play = services_of(app).store.start_play("in-the-ruin", "sheet")
    assert page.get(f"/live/{play}").status_code == 404
    assert page.client.delete(f"/api/live/{play}", headers={"X-Companion": "1"}).status_code == 404


def test_the_demo_profile_is_a_profile() -> None:
    assert TableProfile.from_json(PROFILE.to_json()) == PROFILE


@pytest.mark.parametrize("language", ["en", "ja"])
def test_pages_have_their_words(page: Page, table: FakeTable, language: str) -> None:
    at = start(page)
    for path in ("/live/", f"/live/{at}", f"/live/{at}/colors"):
        text = page.get(path, headers={"Accept-Language": language}).get_data(as_text=True)
        assert f'<html lang="{language}"' in text
        assert ">live." not in text
        assert " style=" not in text


def test_nobody_wins_at_a_table_until_the_game_is_said_to_be_over_and_the_next_one_goes_on(
    page: Page, table: FakeTable
) -> None:
    at = start(page)
    settled = lay(page, at, table, RED_RUN)
    assert (settled["case"]["answer"]["winners"], settled["case"]["answer"]["leading"]) == ([], ["B"])
    over = page.post(f"/api/live/{at}/entries", {"table": {"goes_on": False}}).json
    assert (over["settled"]["case"]["answer"]["winners"], over["undo"]) == (["B"], "the end of the game changed")
    page.post(f"/api/live/{at}/new-game")
    assert lay(page, at, table, RED_RUN)["case"]["answer"]["winners"] == []


def test_evenings_name_a_winner_of_a_table_when_its_page_does(page: Page, table: FakeTable) -> None:
    at = start(page, source="0", game="twelve-seekers", rule=8, mats={"zones": ["A", "B"]})

    def said() -> tuple[int, int]:
        text = page.get("/evenings/").text
        return text.count("Winner: B"), text.count("no winner yet")

    lay(page, at, table, RED_RUN)
    assert said() == (0, 1)
    page.post(f"/api/live/{at}/entries", {"table": {"goes_on": False}})
    assert said() == (1, 0)
    page.post(f"/api/live/{at}/new-game")
    lay(page, at, table, RED_RUN)
    assert said() == (1, 1)


@pytest.mark.parametrize("ended", ["stopped", "said to be over", "another one begun"])
def test_a_table_that_the_programs_end_broke_off_has_no_winner_until_somebody_ends_it(
    page: Page, table: FakeTable, app: Flask, ended: str
) -> None:
    at = start(page, source="0", game="twelve-seekers", rule=8, mats={"zones": ["A", "B"]})
    lay(page, at, table, RED_RUN)
    services_of(app).tables.stop()

    def won() -> tuple[int, list[str]]:
        settled = page.get(f"/api/live/{at}").json["table"]["settled"]
        kept = page.get(f"/api/live/{at}/rows/{settled['number']}").json
        winners = settled["case"]["answer"]["winners"]
        assert kept["case"]["answer"]["winners"] == winners
        return page.get("/evenings/").text.count("Winner: B"), winners

    assert won() == (0, [])
    assert page.post(f"/api/live/{at}/again").status_code == 200
    if ended == "said to be over":
        lay(page, at, table, RED_RUN)
        page.post(f"/api/live/{at}/entries", {"table": {"goes_on": False}})
        services_of(app).tables.stop()
    elif ended == "stopped":
        page.post(f"/api/live/{at}/stop")
    else:
        start(page, source="1", game="twelve-seekers", rule=8, mats={"zones": ["A", "B"]})
    assert won() == (1, ["B"])


@pytest.mark.parametrize("address", ["/api/live/profiles", "/api/in-the-ruin/sheets/profile"])
@pytest.mark.parametrize(("data", "status"), [(b"milk, bread", 400), (b"[1]", 400), (b" " * 300_000, 413)])
def test_a_file_that_is_no_json_is_refused_as_a_file(page: Page, address: str, data: bytes, status: int) -> None:
    answer = page.send(address, data)
    assert (answer.status_code, answer.json["error"]["key"]) == (status, "problem.file")


@pytest.mark.parametrize(
    ("values", "words"),
    [
        ({"won_by": "take"}, "how the goal was reached changed"),
        ({"winner": "Aki", "short_game": 2}, "who reached the goal: Aki, short game: 2"),
        ({"winner": None}, "who reached the goal taken back"),
        ({"round_over": True}, "the end of the round changed"),
    ],
)
def test_what_was_typed_is_told_in_words(values: dict[str, Any], words: str) -> None:
    said = typed_what(values, {}, Entries())
    assert ", ".join(map(Words("en").told, said)) == words


@pytest.mark.parametrize("body", [{"n": "2"}, {"n": True}, {"question": 3}])
def test_a_move_is_taken_back_by_its_number(page: Page, table: FakeTable, body: dict[str, Any]) -> None:
    at = start(page)
    assert page.post(f"/api/live/{at}/move", body).status_code == 400
    assert page.post(f"/api/live/{at}/move", {"n": 4}).status_code == 200
    file = page.get(f"/live/{at}/game.jsonl")
    assert (file.status_code, file.mimetype) == (200, "application/jsonl")
