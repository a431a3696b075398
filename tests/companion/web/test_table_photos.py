"""Photos of a table on the page: the same session, history, corrections and lines as of a table that is filmed."""

from __future__ import annotations

import io
import json
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

import cv2
import numpy as np
import pytest
from acting import Page
from fake_capture import until
from fake_table import GAME, WIDE, FakeTable, game_scenes
from flask import Flask

from companion.cases import address, evaluate
from companion.cases.journal import MOST_TABLES
from companion.cli.main import main
from companion.web import create_app
from companion.web.running.live_tables import MOST_PHOTOGRAPHED
from companion.web.services import services_of
from scoring import score_state
from training.synth.table_photo import Area, DrawnTable, Placed, Setting
from vision.table.reading import COLORS, Card

PROFILE = {"name": "evening", "rule": 8, "zones": {"A": {"markers": [0, 1, 2, 3]}, "B": {"markers": [4, 5, 6, 7]}}}


@pytest.fixture
def at(app: Flask, page: Page) -> str:
    """A table that is photographed."""
    (services_of(app).store.tables / "evening.json").write_text(json.dumps(PROFILE))
    return page.post("/api/live/start", {"source": "photos", "profile": "evening"}).json["table"]


def photographed(page: Page, at: str, table: FakeTable, scene: dict[str, list[str]]) -> dict[str, Any]:
    table.lay(scene)
    answer = page.send(f"/api/live/{at}/photos", table.photo())
    assert answer.status_code == 200, answer.json
    return answer.json


def test_a_game_begun_after_a_photographed_table_is_what_is_played_now(page: Page, at: str) -> None:
    assert page.get("/api/v1/now").json["page"] == f"/live/{at}"
    game = "0123456789abcdef"
    page.post(f"/api/evenings/games/{game}", {"state": {"game": "splendor", "players": [{"name": "A"}]}})
    assert page.get("/api/v1/now").json["page"] == f"/evenings/games/{game}"


def test_a_photo_is_answered_with_points_and_goes_into_the_history(page: Page, at: str, table: FakeTable) -> None:
    assert page.get(f"/live/{at}").status_code == 200
    assert page.get(f"/api/live/{at}").json["status"]["phase"] == "opening"
    first = photographed(page, at, table, {"A": ["red", "red", "red"], "B": ["blue"]})
    assert first["status"]["words"] == "The score as the last photo shows the table"
    settled = first["table"]["settled"]
    assert settled["case"]["answer"]["players"][0]["lines"]
    assert settled["case"]["places"]["/players/0/line/2"] == ["p2"]
    assert [row["totals"] for row in first["rows"]] == [
        {name: one["total"] for name, one in zip("AB", settled["case"]["answer"]["players"], strict=True)}
    ]
    second = photographed(page, at, table, {"A": ["red", "red", "red", "green"], "B": ["blue"]})
    assert [row["number"] for row in second["rows"]] == [0, 1]
    assert page.get(f"/photos/{second['rows'][1]['photo']}.jpg").status_code == 200
    assert len(page.get(f"/api/live/{at}/rows/0").json["case"]["evidence"][0]["pieces"]) == 4


def test_four_viewers_of_a_settled_table_cost_one_scoring(
    page: Page, at: str, table: FakeTable, monkeypatch: pytest.MonkeyPatch
) -> None:
    scored: list[Any] = []

    def counted(state: Any, **how: Any) -> Any:
        scored.append(state)
        return score_state(state, **how)

    monkeypatch.setattr(evaluate, "score_state", counted)
    photographed(page, at, table, {"A": ["red", "green", "red", "green", "gold"], "B": ["purple", "yellow"]})
    seen = [page.get(f"/api/live/{at}", headers={"Accept-Language": language}).json for language in ["en", "ja"] * 2]
    assert seen[0]["table"] == seen[2]["table"] != seen[1]["table"]
    assert len(scored) == 1


def test_a_photo_taken_turns_later_counts_when_a_person_says_so(page: Page, app: Flask, table: FakeTable) -> None:
    (services_of(app).store.tables / "game.json").write_text(json.dumps(GAME.to_json()))
    at = page.post("/api/live/start", {"source": "photos", "profile": "game"}).json["table"]
    scenes = game_scenes()
    begun = photographed(page, at, table, scenes[0])["table"]["settled"]["case"]["answer"]
    late = {**scenes[0], "A": ["green"] * 5, "B": ["purple"] * 4, "dungeon": scenes[0]["dungeon"][:6]}
    held = photographed(page, at, table, late)["table"]["settled"]
    assert held["waits"]["unexplained"]
    assert held["case"]["answer"] == begun
    counted = page.post(f"/api/live/{at}/move", {"as_it_lies": True}).json
    assert counted["settled"]["waits"] is None
    assert [row["line"] for row in counted["settled"]["case"]["state"]["players"]] == [late["A"], late["B"]]
    assert counted["undo"] == "the table counts as it lies"
    assert len(counted["settled"]["case"]["places"]["/players/0/line/4"]) == 1  # a line lights its pieces
    back = page.post(f"/api/live/{at}/undo").json
    assert back["settled"]["waits"]["unexplained"]
    assert back["settled"]["case"]["answer"] == begun


def test_a_photo_of_a_game_in_its_midst_misses_nothing_of_the_set_up(page: Page, table: FakeTable) -> None:
    at = page.post("/api/live/start", {"source": "photos", "name": "late", "game": "splendor"}).json["table"]
    shape = np.array([[-18, -25], [18, -25], [18, 25], [-18, 25]])
    level = {"kind": "development", "bonus": "red"}
    spots = [(n, 150 + 40 * k, 50 + 60 * (3 - n)) for n in (1, 2, 3) for k in range(4 - (n == 1))]
    market = [Card(None, {**level, "level": n}, None, shape + np.array([x, y])) for n, x, y in spots]
    table.lay({}, market)
    assert page.send(f"/api/live/{at}/photos", table.photo()).status_code == 200
    shown = page.post(f"/api/live/{at}/seats", {"players": 2}).json
    assert [*shown["proposed"]] == ["market", "A", "B"]
    assert shown["set_up"]["checks"] == []


def test_a_photo_of_another_shape_than_that_on_which_areas_were_drawn_is_named(page: Page, table: FakeTable) -> None:
    at = page.post("/api/live/start", {"source": "photos", "name": "drawn", "game": "twelve-seekers"}).json["table"]
    photographed(page, at, table, {"A": ["red"], "B": []})
    area = {"polygon": [[10, 10], [300, 10], [300, 300], [10, 300]]}
    page.post(f"/api/live/{at}/zones", {"zones": {"A": area}})
    before = photographed(page, at, table, {"A": ["red", "red"], "B": []})
    turned = cv2.imencode(".jpg", np.rot90(table.picture(0)))[1].tobytes()
    now = page.send(f"/api/live/{at}/photos", turned).json
    assert (now["status"]["phase"], now["rows"]) == ("waiting", before["rows"])
    assert "another shape" in now["status"]["why"]
    assert page.send(f"/api/live/{at}/photos", table.photo()).json["status"]["phase"] == "resting"
    page.send(f"/api/live/{at}/photos", turned)
    page.post(f"/api/live/{at}/zones", {"zones": {"A": area}, "size": [table.picture(0).shape[0], WIDE]})
    until(lambda: page.get(f"/api/live/{at}").json["status"]["phase"] == "resting")  # drawn on the turned photo


def test_the_same_photo_again_is_no_new_state(page: Page, at: str, table: FakeTable) -> None:
    scene = {"A": ["red"], "B": ["blue"]}
    before = photographed(page, at, table, scene)
    assert photographed(page, at, table, scene)["rows"] == before["rows"]


def test_a_photo_from_elsewhere_is_kept_with_its_own_pieces(page: Page, at: str, table: FakeTable) -> None:
    outline = np.array([[40, 300], [60, 300], [60, 320], [40, 320]], float)
    for n in (1, 2):
        table.lay({"A": ["red"], "B": []}, [Card(200 + i, None, None, outline + 30 * i) for i in range(n)])
        rows = page.send(f"/api/live/{at}/photos", table.photo()).json["rows"]
        assert len(rows) == n
    assert rows[0]["photo"] != rows[1]["photo"]


def test_what_people_say_and_type_holds_as_on_a_filmed_table(page: Page, at: str, table: FakeTable) -> None:
    settled = photographed(page, at, table, {"A": ["red", "yellow?"], "B": ["blue"]})["table"]["settled"]
    [doubt] = settled["case"]["doubts"]
    assert doubt["piece"] == "p1"
    point = np.mean(settled["case"]["evidence"][0]["pieces"][1]["polygon"], axis=0).tolist()
    page.post(f"/api/live/{at}/pieces", {"pieces": [{"at": point, "color": "green"}]})
    page.post(f"/api/live/{at}/entries", {"players": {"B": {"chips": 2}}})
    after = photographed(page, at, table, {"A": ["red", "yellow?"], "B": ["blue", "red"]})["table"]
    players = after["settled"]["case"]["state"]["players"]
    assert players[0]["line"] == ["red", "green"]
    assert players[1] == {"name": "B", "line": ["blue", "red"], "chips": 2}
    assert after["undo"] == "B, chips: 2"
    assert page.get(f"/live/{at}/case").status_code == 302


def test_a_table_is_tapped_and_handed_back(page: Page, at: str, table: FakeTable) -> None:
    settled = photographed(page, at, table, {"A": ["red", "yellow"], "B": ["blue"]})["table"]["settled"]
    to = page.get(f"/live/{at}/case").headers["Location"]
    query = parse_qs(urlsplit(to).query)
    assert query["from"] == [f"/live/{at}"]
    state, was = settled["case"]["state"], query["was"][0]
    same = page.post(f"/api/live/{at}/case", {"state": state, "was": was})
    assert same.json["undo"] is None  # nothing differs: nothing is said
    state["players"][0] |= {"line": ["red", "green"], "chips": 3}
    state["players"][1]["line"] = ["blue", "blue"]
    state["rule"] = 9
    back = page.post(f"/api/live/{at}/case", {"state": state, "was": was}).json
    assert back["settled"]["case"]["state"] == state
    assert [tile.get("said", False) for tile in back["settled"]["case"]["evidence"][0]["pieces"]] == [
        False,
        True,
        False,
    ]  # a color is said of its tile
    assert back["entries"] == {"table": {"rule": 9}, "players": {"A": {"chips": 3}, "B": {"line": ["blue", "blue"]}}}
    more = {**state, "players": [*state["players"], {"name": "C", "line": []}]}
    wrong = page.post(f"/api/live/{at}/case", {"state": more, "was": was})
    assert wrong.json["error"]["key"] == "live.problem.players"
    for body in ({"state": 7, "was": was}, {"state": state, "was": 7}, {"state": state, "was": None}):
        assert page.post(f"/api/live/{at}/case", body).status_code in (400, 422)
    old = page.post(f"/api/live/{at}/case", {"state": {**state, "rule": 5}})  # an address of an older version
    assert old.json["entries"]["table"] == {"rule": 5}


def row_opened(page: Page, at: str, row: int) -> tuple[dict[str, Any], str]:
    """A row of the history as it is opened for tapping: its state, and what it `was`."""
    query = parse_qs(urlsplit(page.get(f"/live/{at}/case?row={row}").headers["Location"]).query)
    return address.read(address.unpack(query["s"][0])), query["was"][0]


@pytest.mark.parametrize(
    ("one", "other", "want"),
    [
        ({"chips": 5}, {"rule": 9}, {"chips": 5, "rule": 9}),
        ({"chips": 5}, {"chips": 5}, {"chips": 5, "rule": 8}),
        ({"chips": 5}, {"chips": 4}, None),
    ],
)
def test_two_devices_tap_one_row_of_the_history(
    page: Page, at: str, table: FakeTable, one: dict, other: dict, want: dict | None
) -> None:
    photographed(page, at, table, {"A": ["red"], "B": ["blue"]})
    photographed(page, at, table, {"A": ["red", "red"], "B": ["blue"]})
    codes = []
    for tapped, (state, was) in zip((one, other), [row_opened(page, at, 0) for _ in range(2)], strict=True):
        (state if "rule" in tapped else state["players"][0]).update(tapped)
        codes.append(page.post(f"/api/live/{at}/case?row=0", {"state": state, "was": was}).status_code)
    state, _ = row_opened(page, at, 0)
    assert codes == [200, 409 if want is None else 200]
    want = want or {**one, "rule": 8}
    assert {"chips": state["players"][0]["chips"], "rule": state.get("rule")} == want


TAPPED_MEANWHILE = [  # what is tapped, what it is then; None: refused
    ("another reading of a rule", lambda state: state.update(rule=9), {"rule": 9}),
    ("chips of one who did not move", lambda state: state["players"][1].update(chips=2), {"B": {"chips": 2}}),
    ("the line that has grown", lambda state: state["players"][0].update(line=["green"]), None),
]


@pytest.mark.parametrize(("what", "tap", "typed"), TAPPED_MEANWHILE, ids=[row[0] for row in TAPPED_MEANWHILE])
def test_what_lies_on_the_table_meanwhile_is_not_typed_over(
    page: Page, at: str, table: FakeTable, what: str, tap: Any, typed: dict | None
) -> None:
    photographed(page, at, table, {"A": ["red"], "B": ["blue"]})
    query = parse_qs(urlsplit(page.get(f"/live/{at}/case").headers["Location"]).query)
    state = page.get(f"/api/live/{at}").json["table"]["settled"]["case"]["state"]
    tap(state)
    photographed(page, at, table, {"A": ["red", "green"], "B": ["blue"]})
    back = page.post(f"/api/live/{at}/case", {"state": state, "was": query["was"][0]})
    if typed is None:
        assert (back.status_code, back.json["error"]["key"]) == (409, "live.problem.moved-on")
        back = page.get(f"/api/live/{at}").json["table"]
    else:
        back = back.json
    assert back["settled"]["case"]["state"]["players"][0]["line"] == ["red", "green"]
    entries = {"table": {}, "players": {}}
    if typed:
        entries["table" if "rule" in typed else "players"] = typed
    assert back["entries"] == entries


def test_several_photos_are_read_in_order(page: Page, at: str, table: FakeTable) -> None:
    photos = []
    for reds in (1, 2, 3):
        table.lay({"A": ["red"] * reds, "B": []})
        photos.append((io.BytesIO(table.photo()), f"{reds}.jpg"))
    sent = page.client.post(f"/api/live/{at}/photos", data={"photo": photos}, headers={"X-Companion": "1"})
    assert len(sent.json["rows"]) == 3
    assert len(sent.json["table"]["settled"]["case"]["evidence"][0]["pieces"]) == 3


def test_every_game_of_a_table_is_on_the_list_of_evenings_also_once_the_table_is_forgotten(
    page: Page, at: str, table: FakeTable, app: Flask
) -> None:
    reds = [3, 1]
    for n in reds:
        photographed(page, at, table, {"A": ["blue"], "B": []})
        photographed(page, at, table, {"A": ["red"] * n, "B": []})
        page.post(f"/api/live/{at}/new-game")

    def games() -> dict[str, dict[str, Any]]:
        day = page.get("/evenings/").text.split('href="/evenings/2')[1].split(".json")[0]
        return {one["id"]: one["state"] for one in page.get(f"/evenings/2{day}.json").json["games"]}

    assert f"/live/{at}?row=1" in page.get("/evenings/").text
    before = games()
    assert [len(state["players"][0]["line"]) for state in before.values()] == reds
    for _ in range(MOST_TABLES):
        other = page.post("/api/live/start", {"source": "photos", "profile": "evening"}).json["table"]
        photographed(page, other, table, {"A": ["red"], "B": ["blue"]})
    assert page.get(f"/live/{at}").status_code == 404
    assert len(games()) == len(reds) + MOST_TABLES
    assert before.items() <= games().items()


def test_taken_up_again_it_shows_the_newest_photo(page: Page, at: str, table: FakeTable, app: Flask) -> None:
    photographed(page, at, table, {"A": ["red"], "B": ["blue"]})
    before = photographed(page, at, table, {"A": ["red", "red"], "B": ["blue"]})["table"]["settled"]
    services_of(app).tables.stop()
    closed = page.get(f"/api/live/{at}").json
    assert (closed["status"]["phase"], closed["table"]["settled"]["case"]["state"]) == (
        "resting",
        before["case"]["state"],
    )
    again = page.post(f"/api/live/{at}/open").json["settled"]
    assert again["case"]["state"] == before["case"]["state"]
    page.client.delete(f"/api/live/{at}", headers={"X-Companion": "1"})
    assert list(services_of(app).store.photos.iterdir()) == []


PHOTOS, FILMED = {"source": "photos", "profile": "evening"}, {"source": "7", "profile": "evening"}
TOGETHER = [  # tables that are begun one after the other, and which of them go on
    ("photos beside a camera", [FILMED, PHOTOS], [True, True]),
    ("a camera beside photos", [PHOTOS, FILMED], [True, True]),
    ("photos beside the demo", [{"source": "demo"}, PHOTOS], [True, True]),
    ("two tables by photos", [PHOTOS, PHOTOS], [True, True]),
    ("a second camera", [FILMED, PHOTOS, FILMED | {"instead": True}], [False, True, True]),
]


@pytest.mark.parametrize(("what", "begun", "goes_on"), TOGETHER, ids=[row[0] for row in TOGETHER])
def test_photos_stop_no_table(
    page: Page, table: FakeTable, app: Flask, what: str, begun: list[dict], goes_on: list[bool]
) -> None:
    (services_of(app).store.tables / "evening.json").write_text(json.dumps(PROFILE))
    tables = [page.post("/api/live/start", body).json["table"] for body in begun]
    assert [services_of(app).tables.session(at) is not None for at in tables] == goes_on
    table.lay({"A": ["red"], "B": []})
    for body, at in zip(begun, tables, strict=True):
        if body is PHOTOS:
            photographed(page, at, table, {"A": ["red", "red"], "B": []})


def test_a_second_camera_asks_before_it_stops_the_first_one(page: Page, at: str) -> None:
    assert page.post("/api/live/start", FILMED).status_code == 200
    asked = page.post("/api/live/start", FILMED)
    assert (asked.status_code, asked.json["error"]["key"]) == (409, "live.problem.running")


def test_of_many_photographed_tables_each_takes_its_next_photo(page: Page, at: str, table: FakeTable) -> None:
    tables = []
    for reds in range(1, MOST_PHOTOGRAPHED + 2):
        tables.append(page.post("/api/live/start", PHOTOS).json["table"])
        photographed(page, tables[-1], table, {"A": ["red"] * reds, "B": []})
    for reds, one in enumerate(tables, 1):
        entered = page.post(f"/api/live/{one}/entries", {"players": {"B": {"chips": reds}}}).json["settled"]
        assert [entered["case"]["state"]["players"][p][key] for p, key in ((0, "line"), (1, "chips"))] == [
            ["red"] * reds,
            reds,
        ]


def test_what_is_no_photo_is_refused_and_nothing_is_lost(page: Page, at: str, table: FakeTable) -> None:
    before = photographed(page, at, table, {"A": ["red"], "B": ["blue"]})
    answer = page.send(f"/api/live/{at}/photos", b"hello")
    assert (answer.status_code, answer.json["error"]["key"]) == (422, "photo.no-image")
    assert page.get(f"/api/live/{at}").json["table"] == before["table"]


def test_a_filmed_table_takes_no_photos(page: Page, table: FakeTable) -> None:
    filmed = page.post("/api/live/start", {"source": "demo"}).json["table"]
    answer = page.send(f"/api/live/{filmed}/photos", table.photo())
    assert (answer.status_code, answer.json["error"]["key"]) == (409, "live.problem.no-photos")


def test_the_page_reads_a_photo_as_the_command_line_does(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    setting = Setting({"A": Area(120, 120, 420, 260)}, top="felt", seed=2, cards={60: {"kind": "seeker", "power": 3}})
    row = [Placed(color, 190 + 30 * i, 200, 1) for i, color in enumerate(COLORS)]
    drawn = DrawnTable(setting).photo([*row, Placed(60, 640, 250)])
    cv2.imwrite(str(tmp_path / "row.jpg"), drawn)
    app = create_app(tmp_path / "data")
    profile = tmp_path / "data" / "tables" / "evening.json"
    profile.write_text(json.dumps(setting.profile("evening", rule=1).to_json()))
    assert main(["table", "read", str(tmp_path / "row.jpg"), "--table", str(profile), "--json"]) == 0
    read = json.loads(capsys.readouterr().out)
    with app.test_client() as client:
        page = Page(client)
        at = page.post("/api/live/start", {"source": "photos", "profile": "evening"}).json["table"]
        settled = page.send(f"/api/live/{at}/photos", (tmp_path / "row.jpg").read_bytes()).json["table"]["settled"]
        bare = cv2.imencode(".jpg", np.full((600, 800, 3), 200, np.uint8))[1].tobytes()
        refused = page.send(f"/api/live/{at}/photos", bare)
        assert (refused.status_code, refused.json["error"]["key"]) == (422, "live.problem.elsewhere")
        assert page.get(f"/api/live/{at}").json["table"]["settled"] == settled
        # Areas that are drawn then hold for this photo already.
        page.post(f"/api/live/{at}/zones", {"zones": {"B": {"polygon": settled["zones"]["A"]}}})
        until(lambda: list(page.get(f"/api/live/{at}").json["table"]["settled"]["zones"]) == ["B"])
    services_of(app).tables.stop()
    assert settled["case"]["state"] == read["state"]
    tiles = [one for one in settled["case"]["evidence"][0]["pieces"] if "color" in one]
    assert [tile["color"] for tile in tiles] == [tile["color"] for tile in read["tiles"]]
    for shown, told in zip(tiles, read["tiles"], strict=True):
        np.testing.assert_allclose(shown["polygon"], told["polygon"], atol=0.6)
