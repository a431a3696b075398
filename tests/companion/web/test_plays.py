"""A play on the page: photos, corrections, entries; what was entered stays."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from functools import cache
from typing import Any
from urllib.parse import parse_qs, urlsplit

import cv2
import demo_sheets as demo
import fake_eyes
import numpy as np
import pytest
from acting import GAME, SENT_BY_THE_PAGE, Page, scores
from fake_eyes import DOUBTFUL, MISREAD, jpeg
from flask import Flask

from companion.cases import address
from companion.demo import FILLED
from companion.reading.pictures import SIDE
from companion.web.access.access_control import let_in
from companion.web.running.devices import Role
from companion.web.services import KEY, services_of
from companion.web.sheets import plays
from companion.web.sheets.reading import expecting
from vision.photo import Photo
from vision.sheet.decisions import UNSURE
from vision.sheet.profile import SheetProfile


@pytest.fixture
def play(page: Page) -> str:
    return page.start()


@pytest.fixture
def player(page: Page, play: str, photos: list[bytes]) -> str:
    return page.photograph(play, photos[0]).json["player"]


def the_player(page: Page, play: str, player: str) -> dict:
    view = page.view(play)
    return next(p for p in view["players"] if p["id"] == player) | scores(view).get(player, {})


def test_a_photo_gives_a_player_with_lines_that_sum_to_the_total(page: Page, play: str, player: str) -> None:
    shown = the_player(page, play, player)
    assert shown["sheets"]["end"]["map"] == demo.filled_photo()[1]["map"]
    assert shown["lines"]
    assert shown["total"] == sum(line["points"] for line in shown["lines"])


def test_what_reading_takes_is_loaded_once_while_nobody_waits(page: Page, app: Flask, play: str, monkeypatch) -> None:
    opened, profile = [], SheetProfile.from_json({**demo.profile(), "name": "nobody has read it yet"})

    class Eyes(fake_eyes.FakeEyes):
        def load(self, data: bytes) -> Photo:
            opened.append(data)
            return super().load(data)

    services = replace(services_of(app), eyes=Eyes())
    monkeypatch.setitem(app.extensions, KEY, services)
    monkeypatch.setattr(plays, "load_sheet", lambda _: profile)
    for _ in range(2):
        assert page.get(f"/in-the-ruin/plays/{play}").status_code == 200
    assert expecting(services.eyes, profile).result() is None
    assert opened == [FILLED[0].read_bytes()]


def test_the_flat_picture_is_where_the_drawing_expects_it(page: Page, app: Flask, play: str, player: str) -> None:
    flat = the_player(page, play, player)["sheets"]["end"]["flat"]
    image = cv2.imdecode(np.frombuffer(page.get(f"/photos/{flat['image']}.jpg").data, np.uint8), cv2.IMREAD_COLOR)
    assert list(image.shape[1::-1]) == flat["size"]
    (x, y), cell = flat["origin"], flat["cell"]
    border = image[round(y) : round(y + 11 * cell), round(x) - 2 : round(x) + 3].mean()
    inside = image[round(y) : round(y + cell), round(x + 0.1 * cell) : round(x + 0.3 * cell)].mean()
    assert border < inside - 30  # the printed border is dark


def test_lines_point_at_cells_of_the_right_player(page: Page, play: str, photos: list[bytes]) -> None:
    for photo in photos:
        page.photograph(play, photo)
    case = page.view(play)["case"]
    for i, player in enumerate(case["answer"]["players"]):
        square = next(line for line in player["lines"] if line["key"] == "ruin.square.second")
        cells = [pointer for pointer in square["because"] if pointer.startswith(f"/players/{i}/map/")]
        assert len(cells) == square["points"] > 0
        assert case["places"][f"/players/{i}/map"] == [f"{i}.end"]
    assert [picture["id"] for picture in case["evidence"]] == ["0.end", "1.end"]


def named(page: Page, play: str, language: str) -> list[str]:
    view = page.get(f"{GAME}/plays/{play}", headers={"Accept-Language": language}).json
    assert [row["name"] for row in view["case"]["state"]["players"]] == [player["name"] for player in view["players"]]
    return [player["name"] for player in view["players"]]


def test_names_that_nobody_has_written_follow_the_language(page: Page, play: str, photos: list[bytes]) -> None:
    first, _ = (page.photograph(play, photo).json["player"] for photo in photos)
    assert named(page, play, "en") == ["Player 1", "Player 2"]
    assert named(page, play, "ja") == ["プレイヤー1", "プレイヤー2"]
    page.tell(play, kind="rename", player=first, name="Aoi 1")
    assert named(page, play, "ja") == ["Aoi 1", "プレイヤー2"]


def test_several_photos_make_several_players_and_a_winner_once_all_is_there(
    page: Page, play: str, photos: list[bytes]
) -> None:
    players = [page.photograph(play, photo).json["player"] for photo in photos]
    said = [{"kind": "goals", "goals": []}, {"kind": "escaped", "round": None}, {"kind": "first-square", "cells": 12}]
    for player in players:
        for edit in said:
            answer = page.view(play)["case"]["answer"]
            best = max(answer["players"], key=lambda player: player["total"])
            assert len(answer["players"]) == 2
            assert (answer["winners"], answer["leading"]) == ([], [best["name"]])
            page.tell(play, player=player, **edit)
    assert page.view(play)["case"]["answer"]["winners"] == [best["name"]]


def test_a_corrected_cell_counts_and_is_no_longer_doubtful(page: Page, play: str, player: str) -> None:
    view = page.tell(play, kind="cell", player=player, stage="end", row=0, col=0, value="o").json
    sheet = view["players"][0]["sheets"]["end"]
    assert sheet["map"][0][0] == "o"
    assert sheet["read"][0][0] == "."
    assert [0, 0] not in sheet["doubtful"]
    assert view["case"]["state"]["players"][0]["map"][0][0] == "o"


def test_what_a_person_said_stays_when_another_photo_comes(
    page: Page, play: str, player: str, photos: list[bytes]
) -> None:
    page.tell(play, kind="cell", player=player, stage="end", row=0, col=0, value="#")
    page.tell(play, kind="destination", player=player, stage="end", letter="A", on=True)
    maps = [demo.filled_photo(player=i)[1]["map"] for i in range(2)]
    gate = next([r, c] for r in range(11) for c in range(11) if maps[0][r][c] == maps[1][r][c] == "o")
    page.tell(play, kind="gate", player=player, stage="end", row=gate[0], col=gate[1], on=True)
    page.tell(play, kind="ticks", player=player, track="gems", count=9)
    page.tell(play, kind="goals", player=player, goals=[["A", "B"]])
    page.tell(play, kind="escaped", player=player, round=7)
    page.tell(play, kind="first-square", player=player, cells=12)
    page.tell(play, kind="rename", player=player, name="Mika")
    before = the_player(page, play, player)
    page.photograph(play, photos[1], player)
    after = the_player(page, play, player)
    assert after["sheets"]["end"]["photo"] != before["sheets"]["end"]["photo"]
    assert after["sheets"]["end"]["map"][0][0] == "#"
    assert "A" in after["sheets"]["end"]["destinations"]
    assert gate in after["sheets"]["end"]["gates"]
    assert after["ticks"]["gems"] == 9
    for key in ("goals", "escaped", "first_square", "name"):
        assert after[key] == before[key]


def test_a_judged_cell_is_asked_again_where_the_paper_has_changed(page: Page, play: str, photos: list[bytes]) -> None:
    maps = [demo.filled_photo(player=i)[1]["map"] for i in range(2)]
    row, col = next((r, c) for r in range(11) for c in range(11) if {maps[0][r][c], maps[1][r][c]} == {".", "#"})
    player = page.photograph(play, photos[0]).json["player"]
    page.tell(play, kind="cell", player=player, stage="end", row=row, col=col, value="o")
    assert [row, col] not in the_player(page, play, player)["sheets"]["end"]["doubtful"]
    page.photograph(play, photos[1], player)
    sheet = the_player(page, play, player)["sheets"]["end"]
    assert sheet["map"][row][col] == "o"
    assert [row, col] in sheet["doubtful"]


NOT_A_SHEET = jpeg(np.full((300, 400, 3), 128, np.uint8))


@pytest.mark.parametrize(("photo", "key"), [(b"", "photo.empty"), (b"hello", "photo.no-image")])
def test_what_is_no_photo_is_refused_in_words_and_nothing_is_lost(
    page: Page, play: str, player: str, photo: bytes, key: str
) -> None:
    before = page.view(play)
    answer = page.photograph(play, photo, player)
    assert answer.status_code == 422
    assert answer.json["error"]["key"] == key
    assert answer.json["error"]["message"].endswith(".")
    assert page.view(play) == before


def test_a_photo_without_a_grid_is_kept_with_a_message_beside_the_old_reading(
    page: Page, play: str, player: str
) -> None:
    before = the_player(page, play, player)
    answer = page.photograph(play, NOT_A_SHEET, player)
    assert answer.status_code == 200
    after = the_player(page, play, player)
    assert "11 × 11" in after["sheets"]["end"]["failed"]["message"]
    assert after["sheets"]["end"]["map"] == before["sheets"]["end"]["map"]
    assert after["total"] == before["total"]


def test_photos_that_cannot_be_read_wait_in_one_place_which_the_next_one_fills(
    page: Page, play: str, player: str, photos: list[bytes]
) -> None:
    other = jpeg(np.full((300, 400, 3), 90, np.uint8))
    waiting = {page.photograph(play, other + bytes(n)).json["player"] for n in range(3)}
    assert len(waiting) == 1
    assert player not in waiting
    assert page.photograph(play, photos[1]).json["player"] in waiting
    view = page.view(play)
    assert [one["name"] for one in view["players"]] == ["Player 1", "Player 2"]
    assert all(one["sheets"]["end"]["known"] and not one["sheets"]["end"]["failed"] for one in view["players"])


def test_a_person_shows_the_corners_of_a_photo_that_could_not_be_read(page: Page, play: str) -> None:
    player = page.photograph(play, NOT_A_SHEET).json["player"]
    failed = the_player(page, play, player)["sheets"]["end"]["failed"]
    corners = [[50, 50], [350, 50], [350, 250], [50, 250]]
    body = {"player": player, "stage": "end", "photo": failed["photo"], "corners": corners}
    view = page.post(f"{GAME}/plays/{play}/corners", body).json
    assert view["players"][0]["sheets"]["end"]["failed"] is None
    assert scores(view)[player]["total"] is not None


@pytest.mark.parametrize(
    "corners",
    [
        None, [], "x", [[0, 0]] * 4, [[0, 0], [1, 1], [2, 2], [3, 3]], [[50, 50], [350, 250], [350, 50], [50, 250]],
        [[50, 50], [50, 250], [350, 250], [350, 50]], [[0, 0], [1, 0], [1, 1], [0, float("1e9")]], [[None, 0]] * 4,
    ],
)  # fmt: skip
def test_corners_that_are_none_are_refused(page: Page, play: str, corners: object) -> None:
    player = page.photograph(play, NOT_A_SHEET).json["player"]
    photo = the_player(page, play, player)["sheets"]["end"]["failed"]["photo"]
    body = {"player": player, "stage": "end", "photo": photo, "corners": corners}
    answer = page.post(f"{GAME}/plays/{play}/corners", body)
    assert (answer.status_code, answer.json["error"]["key"]) == (400, "problem.corners")


def test_the_play_is_the_same_after_a_restart(page: Page, app: Flask, play: str, player: str, eyes: object) -> None:
    from companion.web import create_app  # noqa: PLC0415

    page.tell(play, kind="goals", player=player, goals=[["A", "B"]])
    before = page.view(play)
    again = create_app(services_of(app).store.folder, eyes=eyes).test_client()
    assert again.get(f"{GAME}/plays/{play}").json == before


def test_undo_names_the_goal_card_that_it_takes_back_or_brings_back(page: Page, play: str, player: str) -> None:
    told = []
    for goals in ([], [["A", "F"]], [["A", "F"], ["B", "T"]], [["B", "T"]], []):
        told.append(page.tell(play, kind="goals", player=player, goals=goals).json["steps"]["undo"])
    assert told == [
        "Player 1: no goal cards",
        "Player 1: goal card A–F",
        "Player 1: goal card B–T",
        "Player 1: goal card A–F removed",
        "Player 1: goal card B–T removed",
    ]
    page.tell(play, kind="undo")
    steps = page.tell(play, kind="undo").json["steps"]
    assert (steps["undo"], steps["redo"]) == ("Player 1: goal card B–T", "Player 1: goal card A–F removed")


def test_undo_takes_back_the_last_thing_a_person_did_and_leaves_photos(page: Page, play: str, player: str) -> None:
    before = page.view(play)
    page.tell(play, kind="cell", player=player, stage="end", row=5, col=0, value="#")
    page.tell(play, kind="cell", player=player, stage="end", row=5, col=1, value="#")
    page.tell(play, kind="undo")
    back = page.tell(play, kind="undo").json
    assert back["steps"].pop("redo") == "Player 1: row 6, column 1 is wall"
    assert before["steps"].pop("redo") is None
    assert back.pop("number") > before.pop("number")
    assert back == before
    again = page.tell(play, kind="redo").json
    assert again["steps"]["undo"] == "Player 1: row 6, column 1 is wall"
    assert again["players"][0]["sheets"]["end"]["map"][5][0] == "#"
    page.tell(play, kind="cell", player=player, stage="end", row=9, col=0, value="#")
    assert page.view(play)["steps"]["redo"] is None  # what was said since counts
    assert page.tell(play, kind="redo").json["players"][0]["sheets"]["end"]["map"][5][1] != "#"


@pytest.mark.parametrize(
    ("again", "told"),
    [
        ("photo", "Player 1: the new photo “End of game”"),
        ("once more", "Player 1: the new photo “End of game”"),
        ("corners", "Player 1: the corners on the photo “End of game”"),
    ],
)
def test_undo_brings_back_the_photo_in_whose_place_another_came(
    page: Page, play: str, player: str, photos: list[bytes], again: str, told: str
) -> None:
    page.tell(play, kind="cell", player=player, stage="end", row=5, col=0, value="#")
    before = the_player(page, play, player)
    if again == "corners":
        corners = [[50, 50], [350, 50], [350, 250], [50, 250]]
        body = {"player": player, "stage": "end", "photo": before["sheets"]["end"]["photo"], "corners": corners}
        page.post(f"{GAME}/plays/{play}/corners", body)
    else:
        page.photograph(play, photos[1], player + "&once_more=1" * (again == "once more"))
    after = the_player(page, play, player)
    assert after != before
    assert page.view(play)["steps"]["undo"] == told
    assert page.tell(play, kind="undo").json["steps"] == {"undo": "Player 1: row 6, column 1 is wall", "redo": told}
    assert the_player(page, play, player) == before
    page.tell(play, kind="redo")
    assert the_player(page, play, player) == after
    page.tell(play, kind="undo")
    assert page.photograph(play, photos[1], player).status_code == 200
    assert page.view(play)["steps"]["undo"] == "Player 1: the new photo “End of game”"


def test_what_is_said_again_counts_once(page: Page, play: str, player: str) -> None:
    for col in range(3):
        page.tell(play, kind="cell", player=player, stage="end", row=5, col=col, value="#")
    once = page.tell(play, kind="undo", once="0" * 16).json
    assert page.tell(play, kind="undo", once="0" * 16).json == once
    assert page.tell(play, kind="undo", once="1" * 16).json["players"] != once["players"]
    assert page.tell(play, kind="undo", once=3).status_code == 400


def test_the_same_photo_twice_is_noticed_until_it_is_thrown_away(
    page: Page, play: str, player: str, photos: list[bytes]
) -> None:
    refused = page.photograph(play, photos[0], stage="first")
    assert refused.status_code == 409
    assert "Player 1 has this very photo already (End of game)" in refused.json["error"]["message"]
    before = page.view(play)["players"]
    thrown = page.tell(play, kind="drop-photo", player=player, stage="end").json
    assert (thrown["case"]["state"], thrown["players"][0]["sheets"]["end"]["photo"]) == (None, None)
    assert page.tell(play, kind="drop-photo", player=player, stage="end").status_code == 422  # nothing lies there
    assert page.tell(play, kind="undo").json["players"] == before
    page.tell(play, kind="redo")
    assert page.photograph(play, photos[0], player).status_code == 200


def test_a_photo_changes_places_with_all_that_was_said_of_it(
    page: Page, play: str, player: str, photos: list[bytes]
) -> None:
    other = page.photograph(play, photos[1]).json["player"]
    page.tell(play, kind="cell", player=player, stage="end", row=5, col=0, value="#")
    before = {one["id"]: one["sheets"] for one in page.view(play)["players"]}
    moved = page.tell(play, kind="move-photo", player=player, stage="end", to=other, to_stage="first").json
    after = {one["id"]: one["sheets"] for one in moved["players"]}
    assert after[other] == {"first": before[player]["end"], "end": before[other]["end"]}
    assert after[player] == {"first": before[player]["first"], "end": before[other]["first"]}
    assert moved["steps"]["undo"] == "Player 1: the photo “End of game” is moved"


def test_a_photo_moved_to_a_new_player_is_taken_back_in_one(page: Page, play: str, player: str) -> None:
    before = page.view(play)["players"]
    new = {"player": player, "stage": "end", "to": "9", "to_stage": "first", "name": "Emi"}
    for name in ("Player 1", " Player 1"):
        assert page.tell(play, kind="photo-to-new-player", **{**new, "name": name}).status_code == 422
    moved = page.tell(play, kind="photo-to-new-player", **new).json
    assert [one["name"] for one in moved["players"]] == ["Player 1", "Emi"]
    assert moved["players"][1]["sheets"]["first"] == before[0]["sheets"]["end"]
    assert moved["steps"]["undo"] == "the photo “End of game” is moved to a new player, Emi"
    assert page.tell(play, kind="undo").json["players"] == before
    again = page.tell(play, kind="redo").json["players"]
    assert again == moved["players"]


def test_when_the_first_stage_is_over_the_maps_of_that_moment_are_kept(page: Page, play: str, player: str) -> None:
    def maps(view: dict) -> dict:
        return {stage: sheet["map"] for stage, sheet in view["players"][0]["sheets"].items()}

    before = maps(page.view(play))
    page.tell(play, kind="stage-over")
    after = maps(page.tell(play, kind="cell", player=player, stage="end", row=5, col=0, value="#").json)
    assert after["first"] == before["end"] != after["end"]
    page.tell(play, kind="undo")
    undone = page.tell(play, kind="undo").json
    assert maps(undone) == before
    empty = page.start()
    refused = page.tell(empty, kind="stage-over")
    assert (refused.status_code, refused.json["error"]["message"]) == (422, "No map has been read yet.")


def test_an_escape_that_nobody_entered_is_not_told_as_a_fact(page: Page, play: str, player: str) -> None:
    def told() -> list[str]:
        lines = page.view(play)["case"]["answer"]["players"][0]["lines"]
        return [line["label"] for line in lines if line["key"].startswith("ruin.escape")]

    assert told() == ["Escape: not entered yet, counted as never"]
    assert page.tell(play, kind="escaped", player=player, round=None).status_code == 200
    assert told() == ["Never escaped from the ruin"]


def test_undo_belongs_to_who_did_it(page: Page, app: Flask, play: str, player: str) -> None:
    phone = Page(app.test_client())
    with app.test_request_context():
        let_in(answer := app.response_class(), Role.PLAYER)
    name, _, value = answer.headers["Set-Cookie"].partition(";")[0].partition("=")
    phone.client.set_cookie(name, value)
    page.tell(play, kind="first-square", player=player, cells=12)
    heard = phone.tell(play, kind="undo").json
    assert heard["players"][0]["first_square"] == 12
    assert heard["steps"]["undo"] is None
    assert page.view(play)["steps"]["undo"] is not None


def test_everybody_hears_of_a_change_in_their_own_language(page: Page, play: str, player: str) -> None:
    heard = page.client.get(f"{GAME}/plays/{play}/events", headers={"Accept-Language": "ja"}, buffered=False).response
    events = (bytes(part).decode() for part in heard)
    assert "retry" in next(events)
    assert '{"undo":null,"redo":null}' in next(events)
    assert "プレイヤー1" in next(events)
    page.tell(play, kind="first-square", player=player, cells=12)
    assert "前半のスクエア 12マス" in next(events)
    assert '"first_square":12' in next(events)
    page.client.delete(f"{GAME}/plays/{play}", headers=SENT_BY_THE_PAGE)
    assert "event: end" in next(events)


def test_first_stage_photo_counts_as_such(page: Page, play: str, player: str, photos: list[bytes]) -> None:
    page.photograph(play, photos[0] + b"again", player, "first")
    shown = the_player(page, play, player)
    first = next(line for line in shown["lines"] if line["key"] == "ruin.square.first")
    assert first["points"] > 0
    assert all(pointer.startswith("/players/0/first_") for pointer in first["because"])
    assert page.view(play)["case"]["places"]["/players/0/first_map"] == ["0.first"]


def test_a_sheet_of_the_first_stage_alone_gives_its_square_alone(page: Page, play: str, photos: list[bytes]) -> None:
    player = page.photograph(play, photos[0], stage="first").json["player"]
    shown = the_player(page, play, player)
    assert shown["so_far"]
    (line,) = shown["lines"]
    assert (line["key"], line["points"]) == ("ruin.square.first", shown["total"])
    assert all(place.startswith("/players/0/first_map/") for place in line["because"])
    case, before = tapped(page, play), page.view(play)
    assert "map" not in case["state"]["players"][0]
    assert page.post(f"{GAME}/plays/{play}/case", case).json == before


def test_cells_filled_in_the_first_stage_that_are_something_else_now_are_asked(
    page: Page, play: str, player: str, photos: list[bytes]
) -> None:
    page.photograph(play, photos[1], player, "first")
    assert the_player(page, play, player)["disagree"]


def test_a_sheet_can_be_filled_in_by_hand(page: Page, play: str) -> None:
    page.tell(play, kind="add-player", player="abc", name="Ken")
    page.tell(play, kind="by-hand", player="abc", stage="end")
    view = page.tell(play, kind="cell", player="abc", stage="end", row=5, col=5, value="o").json
    square = next(line for line in scores(view)["abc"]["lines"] if line["key"] == "ruin.square.second")
    assert square["points"] == 1


BAD_EDITS = [
    {}, {"kind": "read"}, {"kind": "failed"}, {"kind": "demo"}, {"kind": "cell"},
    {"kind": "cell", "stage": "end", "row": 11, "col": 0, "value": "o"},
    {"kind": "cell", "stage": "end", "row": 0, "col": 0, "value": "x"},
    {"kind": "cell", "stage": "middle", "row": 0, "col": 0, "value": "o"},
    {"kind": "cell", "stage": "end", "row": True, "col": 0, "value": "o"},
    {"kind": "cell", "stage": "end", "row": 1.0, "col": 0, "value": "o"},
    {"kind": "cell", "stage": "end", "row": 0, "col": 0, "value": "o", "more": 1},
    {"kind": "goals", "goals": [["A", "A"]]}, {"kind": "goals", "goals": [["A", "?"]]},
    {"kind": "goals", "goals": "AB"},
    {"kind": "escaped"}, {"kind": "first-square"}, {"kind": "cell", "stage": "end", "row": 0, "col": 0},
    {"kind": "escaped", "round": 0}, {"kind": "escaped", "round": "9"}, {"kind": "ticks", "track": "gold", "count": 1},
    {"kind": "ticks", "track": "gems", "count": -1}, {"kind": "rename", "name": " "},
    {"kind": "rename", "name": "x" * 99},
    {"kind": "rename", "name": "a\nb"}, {"kind": "first-square", "cells": 122}, {"kind": "charge-blocks", "on": 1},
]  # fmt: skip


@pytest.mark.parametrize("edit", BAD_EDITS, ids=str)
def test_a_bad_edit_is_refused_in_words_and_changes_nothing(page: Page, play: str, player: str, edit: dict) -> None:
    before = page.view(play)
    answer = page.post(f"{GAME}/plays/{play}/edits", {"player": player, **edit} if "on" not in edit else edit)
    assert answer.status_code == 422
    assert answer.json["error"]["key"].startswith("edit.")
    assert page.view(play) == before


@pytest.mark.parametrize("body", [b"", b"{", b"[]", b"null", b"\xff", b'{"kind":' * 5000])
def test_what_is_no_json_is_refused_in_words(page: Page, play: str, body: bytes) -> None:
    headers = {"X-Companion": "1", "Content-Type": "application/json"}
    answer = page.client.post(f"{GAME}/plays/{play}/edits", data=body, headers=headers)
    assert (answer.status_code, answer.json["error"]["key"]) == (400, "problem.request")


@pytest.mark.parametrize("name", ["Player 2", "プレイヤー2"])
def test_two_players_cannot_have_one_name_in_any_language(page: Page, play: str, name: str) -> None:
    for i in (1, 2):
        assert page.tell(play, kind="add-player", player=f"id{i}", name=f"Player {i}").status_code == 200
    page.post("/api/language", {"language": "ja"})
    answer = page.tell(play, kind="rename", player="id1", name=name)
    assert answer.status_code == 422
    assert answer.json["error"]["message"] == f"{name}という名前のプレイヤーがすでにいます。"
    assert [player["name"] for player in page.view(play)["players"]] == ["プレイヤー1", "プレイヤー2"]


def test_kept_photos_are_small_and_say_nothing_of_the_phone(page: Page, app: Flask, play: str) -> None:
    big = cv2.resize(demo.filled_photo()[0], (3000, 2250))
    plain = jpeg(big)
    secret = b"GPS 35.6586N 139.7454E"
    exif = b"\xff\xe1" + (len(secret) + 8).to_bytes(2, "big") + b"Exif\0\0" + secret
    page.photograph(play, plain[:2] + exif + plain[2:])
    files = list(services_of(app).store.photos.glob("*.jpg"))
    assert files
    for file in files:
        data = file.read_bytes()
        assert secret not in data
        assert b"Exif" not in data
        height, width = cv2.imdecode(np.frombuffer(data, np.uint8), 1).shape[:2]
        assert width <= SIDE or height < 150  # letters side by side make a long strip


def test_deleting_a_play_deletes_its_photos(page: Page, app: Flask, play: str, player: str) -> None:
    photo = the_player(page, play, player)["sheets"]["end"]["photo"]
    assert page.get(f"/photos/{photo}.jpg").status_code == 200
    page.client.delete(f"{GAME}/plays/{play}", headers={"X-Companion": "1"})
    assert page.get(f"/photos/{photo}.jpg").status_code == 404
    assert page.get(f"{GAME}/plays/{play}").status_code == 404


@pytest.mark.parametrize(
    "name", ["..%2f..%2fkey", "....", "../key", "0" * 15, "0" * 16, "zz", "0000000000000000-..", "%00"]
)
def test_no_file_but_photos_comes_out(page: Page, name: str) -> None:
    assert page.get(f"/photos/{name}.jpg").status_code == 404


def test_doubtful_cells_are_those_of_the_reading(page: Page, play: str, player: str) -> None:
    assert the_player(page, play, player)["sheets"]["end"]["doubtful"] == [list(c) for c in DOUBTFUL]


def test_doubtful_letters_are_asked_about_until_somebody_says_what_they_are(
    page: Page, play: str, player: str, photos: list[bytes]
) -> None:
    view = page.view(play)
    letters, asked = view["sheet"]["letters"], sorted(letter for letter, doubt in MISREAD.items() if doubt > UNSURE)

    def sheet() -> dict:
        return the_player(page, play, player)["sheets"]["end"]

    assert (sheet()["doubtful_letters"], sheet()["letters_hard"]) == (asked, False)
    value = {"traced": "plain", "plain": "traced"}["traced" if asked[0] in sheet()["destinations"] else "plain"]
    said = [[asked[0], *letters[asked[0]], value]]
    assert page.tell(play, kind="letters", player=player, stage="end", letters=said).status_code == 200
    assert sheet()["doubtful_letters"] == asked[1:]
    assert (asked[0] in sheet()["destinations"]) == (value == "traced")
    page.tell(play, kind="undo")
    assert sheet()["doubtful_letters"] == asked


def test_letters_are_shown_beside_their_print(page: Page, play: str, player: str) -> None:
    view = page.view(play)
    seen, printed = view["players"][0]["sheets"]["end"]["letter_strip"], view["sheet"]["prints"]
    assert [letter for letter, *_ in seen["letters"]] == printed["order"] == sorted(view["sheet"]["letters"])
    rows, cells = view["players"][0]["sheets"]["end"]["map"], view["sheet"]["letters"]
    bare = {letter for letter, (row, col) in cells.items() if rows[row][col] == "."}
    strips = []
    for file in (f"/photos/{seen['image']}.jpg", printed["url"]):
        picture = cv2.imdecode(np.frombuffer(page.get(file).data, np.uint8), cv2.IMREAD_GRAYSCALE)
        side = picture.shape[0]
        assert picture.shape[1] == side * len(printed["order"])
        strips.append([picture[:, k * side : (k + 1) * side] for k in range(len(printed["order"]))])
    # Where nothing is written over it a letter lies on light paper and looks like its own print, not like another's.
    prints = [cv2.resize(one, (110, 110)).astype(np.float32)[30:-30, 30:-30] for one in strips[1]]
    for k in (k for k, letter in enumerate(printed["order"]) if letter in bare):
        one = cv2.resize(strips[0][k], (110, 110)).astype(np.float32)
        assert np.median(one) > 200
        alike = [cv2.matchTemplate(one[24:-24, 24:-24], other, cv2.TM_CCOEFF_NORMED).max() for other in prints]
        assert int(np.argmax(alike)) == k


@pytest.mark.parametrize(("misread", "hard"), [(0.99, False), (1.01, True)])
def test_where_letters_hardly_show_all_of_them_are_to_be_compared(
    page: Page, play: str, photos: list[bytes], monkeypatch: pytest.MonkeyPatch, misread: float, hard: bool
) -> None:
    letters = [letter for letter, cell in demo.profile()["letters"].items() if shown_map()[cell[0]][cell[1]] != "#"]
    each = misread / len(letters)
    monkeypatch.setattr(fake_eyes, "MISREAD", dict.fromkeys(letters, each))
    player = page.photograph(play, photos[0]).json["player"]
    sheet = the_player(page, play, player)["sheets"]["end"]
    assert (sheet["doubtful_letters"], sheet["letters_hard"]) == ([], hard)
    cells = page.view(play)["sheet"]["letters"]
    gate = next(letter for letter in letters if shown_map()[cells[letter][0]][cells[letter][1]] == "o")
    said = [[letter, *cell, "gate" if letter == gate else "plain"] for letter, cell in cells.items()]
    page.tell(play, kind="letters", player=player, stage="end", letters=said)
    sheet = the_player(page, play, player)["sheets"]["end"]
    assert (sheet["destinations"], sheet["gates"], sheet["letters_hard"]) == ([], [cells[gate]], False)


@cache
def shown_map() -> list[str]:
    return demo.filled_photo()[1]["map"]


def test_undoing_takes_no_player_away_who_came_with_a_photo(page: Page, play: str, player: str) -> None:
    page.tell(play, kind="cell", player=player, stage="end", row=0, col=0, value="o")
    for _ in range(3):
        assert [p["id"] for p in page.tell(play, kind="undo").json["players"]] == [player]
    assert the_player(page, play, player)["sheets"]["end"]["map"][0][0] == shown_map()[0][0]


def test_two_photos_in_one_form_are_refused(page: Page, play: str, photos: list[bytes]) -> None:
    import io  # noqa: PLC0415

    form = {"photo": [(io.BytesIO(photo), "a.jpg") for photo in photos]}
    answer = page.client.post(f"{GAME}/plays/{play}/photos", data=form, headers={"X-Companion": "1"})
    assert (answer.status_code, answer.json["error"]["key"]) == (400, "problem.one-photo")


def test_a_file_that_is_too_big_is_refused_in_words(page: Page, app: Flask, play: str) -> None:
    answer = page.photograph(play, b"x" * (app.config["MAX_CONTENT_LENGTH"] + 1))
    assert (answer.status_code, answer.json["error"]["key"]) == (413, "js.too-big")
    assert f"at most {app.config['MAX_CONTENT_LENGTH'] // 2**20} MB" in answer.json["error"]["message"]
    assert f'data-most="{app.config["MAX_CONTENT_LENGTH"] // 2**20}"' in page.get("/").get_data(as_text=True)


def test_an_error_inside_is_said_in_words(page: Page, app: Flask, play: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(data: bytes) -> None:
        raise RuntimeError("secret detail")

    monkeypatch.setattr(services_of(app).eyes, "load", broken)
    answer = page.photograph(play, b"x")
    assert answer.status_code == 500
    assert answer.json["error"]["key"] == "problem.inside"
    assert "secret" not in answer.get_data(as_text=True)


def test_a_full_folder_is_said_in_words(
    page: Page, play: str, photos: list[bytes], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("companion.cases.store.MAX_PICTURES", 0)
    answer = page.photograph(play, photos[0])
    assert (answer.status_code, answer.json["error"]["key"]) == (507, "problem.full")


def test_a_house_rule_is_chosen_and_taken_back(page: Page, play: str, player: str) -> None:
    asked = {
        question["name"]: [one["reading"] for one in question["readings"]] for question in page.view(play)["questions"]
    }
    assert asked["two-by-two"] == ["noted", "charged"]
    said = page.tell(play, kind="house-rule", name="rectangle", reading="one-kind").json["case"]
    assert said["state"]["house_rules"] == {"rectangle": "one-kind"}
    assert said["answer"]["house_rules"] == {"rectangle": "one-kind"}
    page.tell(play, kind="house-rule", name="two-by-two", reading="charged")
    assert page.view(play)["case"]["state"]["charge_blocks"] is True
    page.tell(play, kind="house-rule", name="two-by-two", reading=None)
    after = page.tell(play, kind="house-rule", name="rectangle", reading=None).json["case"]
    assert not {"house_rules", "charge_blocks"} & after["state"].keys()
    for reading in ("noted", 7, []):
        assert page.tell(play, kind="house-rule", name="rectangle", reading=reading).status_code == 422


def test_every_line_of_the_answer_leads_to_places_of_the_case(page: Page, play: str, player: str) -> None:
    case = page.view(play)["case"]
    assert case["answer"]["players"][0]["total"] == the_player(page, play, player)["total"]
    pictures = {picture["id"]: picture for picture in case["evidence"]}
    for line in case["answer"]["players"][0]["lines"]:
        for pointer in line["because"]:
            if pointer.startswith("/players/0/map/"):
                assert case["places"]["/players/0/map"] == ["0.end"]
                assert len(pictures["0.end"]["lattice"]) == 12
    pieces = {piece["id"] for picture in pictures.values() for piece in picture["pieces"]}
    assert {doubt["piece"] for doubt in case["doubts"]} <= pieces
    assert set(case["places"].get("/players/0/gems", [])) <= pieces
    weights = [max(map(abs, doubt["points"] or [0])) for doubt in case["doubts"]]
    assert weights == sorted(weights, reverse=True)


def tapped(page: Page, play: str) -> dict:
    """The state that the dispute page shows of a play, and how many edits the play had: what is handed back."""
    to = page.get(f"/in-the-ruin/plays/{play}/case").headers["Location"]
    query = parse_qs(urlsplit(to).query)
    assert query["from"] == [f"/in-the-ruin/plays/{play}"]
    assert page.get(to).status_code == 200
    return {"state": address.read(address.unpack(query["s"][0])), "was": query["was"][0]}


def test_a_play_is_tapped_and_handed_back(page: Page, play: str, player: str, photos: list[bytes]) -> None:
    page.photograph(play, photos[1])
    page.photograph(play, photos[0] + b"again", player, "first")
    page.tell(play, kind="goals", player=player, goals=[["A", "B"]])
    case, before = tapped(page, play), page.view(play)
    state = case["state"]
    same = page.post(f"{GAME}/plays/{play}/case", case).json
    assert same == before  # nothing differs: nothing is said
    first, second = state["players"]
    first |= {"name": "Aki", "gems": first["gems"] + 1, "escaped": 4, "goals": [["C", "D"]]}
    first["map"][0] = "#" + first["map"][0][1:]
    first["first_map"][0] = "#" + first["first_map"][0][1:]
    first["destinations"] = ["Q"]
    state["players"] = [second, first]  # players may have changed places
    state |= {"charge_blocks": True, "house_rules": {"rectangle": "one-kind"}}
    view = page.post(f"{GAME}/plays/{play}/case", case).json
    assert [row["name"] for row in view["case"]["state"]["players"]] == ["Aki", second["name"]]
    want = {**state, "players": [first, second]}
    assert view["case"]["state"] == {**want, "letters": view["case"]["state"]["letters"]}
    assert view["steps"]["undo"] is not None


def test_a_tapped_state_that_cannot_be_is_refused_and_nothing_of_it_is_said(page: Page, play: str, player: str) -> None:
    case, before = tapped(page, play), page.view(play)
    case["state"]["players"][0] |= {"escaped": 5, "goals": [["A", "?"]]}
    states = (case["state"], {"game": "splendor", "players": []}, {"game": "in-the-ruin", "players": 3}, None)
    for wrong in (
        *(case | {"state": state} for state in states),
        *(tapped(page, play) | {"was": n} for n in (None, "x", -1)),
    ):
        assert page.post(f"{GAME}/plays/{play}/case", wrong).status_code in (400, 422)
    assert page.view(play) == before


def test_players_come_and_go_with_a_tapped_state(page: Page, play: str, player: str) -> None:
    case = tapped(page, play)
    state = case["state"]
    state["players"] = [
        {**state["players"][0], "name": "New"},
        {**state["players"][0], "map": ["o" * 11] * 11, "name": "Ken"},
    ]
    view = page.post(f"{GAME}/plays/{play}/case", case).json
    assert [row["map"][0] for row in view["case"]["state"]["players"]] == [state["players"][0]["map"][0], "o" * 11]
    case = tapped(page, play)
    case["state"]["players"] = case["state"]["players"][1:]
    view = page.post(f"{GAME}/plays/{play}/case", case).json
    assert [row["name"] for row in view["players"]] == ["Ken"]


def test_what_others_said_while_a_play_was_tapped_stays(
    page: Page, play: str, player: str, photos: list[bytes]
) -> None:
    case, more = tapped(page, play), page.photograph(play, photos[1]).json["player"]
    said = [{"kind": "ticks", "track": "gems", "count": 9}, {"kind": "goals", "goals": [["A", "B"]]}]
    for one in said:
        page.tell(play, player=player, **one)
    page.tell(play, kind="cell", player=player, stage="end", row=0, col=1, value="#")
    row = case["state"]["players"][0]
    row["map"][0] = "#" + row["map"][0][1:]
    row["escaped"] = 4
    view = page.post(f"{GAME}/plays/{play}/case", case).json
    first, _ = view["players"]
    assert (first["ticks"]["gems"], first["goals"], first["escaped"]) == (9, [["A", "B"]], 4)
    assert first["sheets"]["end"]["map"][0][:2] == "##"
    assert view["players"][1]["id"] == more


def at_cell(col: int, value: str) -> Callable[[dict], None]:
    def tap(row: dict) -> None:
        row["map"][0] = row["map"][0][:col] + value + row["map"][0][col + 1 :]

    return tap


def meanwhile(kind: str, **more: Any) -> dict:
    return {"kind": kind, **more}


TICKED = meanwhile("ticks", track="gems", count=9)
WALLED = meanwhile("cell", stage="end", row=0, col=0, value="#")
MOVED = meanwhile("move-photo", stage="end", to="other", to_stage="end")
BACK_AGAIN = [  # what is tapped, what others say meanwhile, what is said; None: refused in words
    ("another track", lambda row: row.update(penalties=2), TICKED, {"penalties": 2, "gems": 9}),
    ("ticks that others counted", lambda row: row.update(gems=2), TICKED, None),
    ("ticks that others counted as many", lambda row: row.update(gems=9), TICKED, {"gems": 9}),
    ("another cell", at_cell(1, "#"), WALLED, {"map": "##"}),
    ("a cell that others judged", at_cell(0, "o"), WALLED, None),
    ("a cell that others judged alike", at_cell(0, "#"), WALLED, {"map": "#"}),
    ("a cell of a sheet that was moved", at_cell(0, "#"), MOVED, None),
    ("ticks of a sheet that was moved", lambda row: row.update(gems=2), MOVED, None),
    ("a name, and a sheet was moved", lambda row: row.update(name="Zed"), MOVED, {"name": "Zed"}),
    ("the escape, while others counted ticks", lambda row: row.update(escaped=4), TICKED, {"escaped": 4, "gems": 9}),
    ("never escaped, as others said", lambda row: row.update(escaped=4), meanwhile("escaped", round=None), None),
    ("goal cards", lambda row: row.update(goals=[["C", "D"]]), meanwhile("goals", goals=[["A", "B"]]), None),
    ("a name", lambda row: row.update(name="Zed"), meanwhile("rename", name="Yan"), None),
    ("a player who is removed", lambda row: row.update(gems=2), meanwhile("remove-player"), None),
    ("a player who is left out, of whom others spoke", None, TICKED, None),
    ("a player who is left out, as others did", None, meanwhile("remove-player"), {}),
]


@pytest.mark.parametrize(("what", "tap", "other", "want"), BACK_AGAIN, ids=[row[0] for row in BACK_AGAIN])
def test_what_others_said_at_the_place_that_was_tapped_is_not_overwritten(
    page: Page, play: str, player: str, photos: list[bytes], what: str, tap: Any, other: dict, want: dict | None
) -> None:
    second = page.photograph(play, photos[1]).json["player"]
    case = tapped(page, play)
    if tap is None:
        case["state"]["players"].pop(0)
    else:
        tap(case["state"]["players"][0])
    page.tell(play, player=player, **({**other, "to": second} if "to" in other else other))
    before = page.view(play)
    back = page.post(f"{GAME}/plays/{play}/case", case)
    if want is None:
        assert back.status_code in (409, 422)
        assert back.json["error"]["key"] in ("ruin.problem.moved-on", "edit.player-gone")
        assert page.view(play) == before
    else:
        state = back.json["case"]["state"]["players"]
        assert len(state) == len(case["state"]["players"])
        assert {k: v[0][: len(want[k])] if k == "map" else v for k, v in state[0].items() if k in want} == want


def test_a_case_that_an_older_version_opened_is_held_against_what_is_there_now(
    page: Page, play: str, player: str
) -> None:
    state = tapped(page, play)["state"]
    state["players"][0]["gems"] += 1
    back = page.post(f"{GAME}/plays/{play}/case", {"state": state}).json
    assert back["players"][0]["ticks"]["gems"] == state["players"][0]["gems"]


def test_a_case_is_tapped_on_and_handed_back_once_more(page: Page, play: str, player: str) -> None:
    case = tapped(page, play)
    row = case["state"]["players"][0]
    for more in ({"escaped": 4}, {"penalties": row["penalties"] + 2}):
        row.update(more)
        assert page.post(f"{GAME}/plays/{play}/case", case).json["case"]["state"]["players"][0].items() >= more.items()


def test_games_are_listed_in_pages_the_last_ones_first(page: Page) -> None:
    sheet = page.enroll_demo()
    begun = [page.post(f"{GAME}/plays", {"sheet": sheet}).json["play"] for _ in range(plays.MOST_LISTED + 2)]
    seen: list[str] = []
    at, pages = "/in-the-ruin/", 0
    while at:
        shown = page.get(at).text
        seen += re.findall(r'href="/in-the-ruin/plays/(\w+)"', shown)
        earlier = re.search(r'href="([^"]+)">Earlier games', shown)
        at, pages = (earlier[1] if earlier else ""), pages + 1
    assert (seen, pages) == (begun[::-1], 2)


def test_the_list_shows_the_points_and_the_sheet_that_was_played_last_is_chosen(page: Page) -> None:
    play = page.start()
    first = page.view(play)["sheet"]["file"]
    photograph = page.photograph(play, jpeg(demo.filled_photo()[0]))
    total = photograph.json["view"]["case"]["answer"]["players"][0]["total"]
    page.tell(play, kind="add-player", player="b" * 16, name="Ben")
    page.enroll_demo()  # a newer sheet, of which nothing was played
    shown = page.get("/in-the-ruin/").text
    assert f"Player 1&nbsp;{total}".replace("-", "−") in shown
    assert "Ben&nbsp;–" in shown
    assert re.findall(r'<option value="([^"]+)" selected', shown) == [first]
