"""A saved sheet: opened again, corrected, renamed, deleted."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from html import unescape
from pathlib import Path
from typing import Any

import cv2
import demo_sheets as demo
import numpy as np
import pytest
from acting import GAME, SENT_BY_THE_PAGE, Page, scores
from fake_eyes import FakeEyes, jpeg
from flask import Flask
from werkzeug.test import TestResponse

from companion.cases.store import Store
from companion.web import create_app
from companion.web.running.eyes import Eyes, Turn
from companion.web.services import KEY, services_of
from vision.photo import Photo
from vision.sheet.profile import SheetProfile

SHEETS = f"{GAME}/sheets"
CORRECTIONS: dict[str, Any] = {
    "name": "Our ruin", "letters": {"A": [0, 0], "B": [9, 9]}, "entrance": [3, 4],
    "tracks": {"gems": [[0.5, -1.4, 0.5, 0.5], [1.5, -1.4, 0.5, 0.5]]},
}  # fmt: skip


@pytest.fixture
def store(app: Flask) -> Store:
    return services_of(app).store


@pytest.fixture
def sheet(page: Page) -> str:
    return page.enroll_demo()


def reopen(page: Page, sheet: str) -> dict:
    answer = page.post(f"{SHEETS}/{sheet}/draft")
    assert answer.status_code == 200, answer.json
    return answer.json


def correct(page: Page, draft: dict, change: dict) -> TestResponse:
    return page.post(f"{SHEETS}/drafts/{draft['id']}", change)


def save(page: Page, draft: dict) -> str:
    return page.post(f"{SHEETS}/drafts/{draft['id']}/save").json["sheet"]


def delete(page: Page, sheet: str) -> TestResponse:
    return page.client.delete(f"{SHEETS}/{sheet}", headers={**SENT_BY_THE_PAGE, "Accept-Language": "en"})


def as_saved(store: Store, sheet: str) -> dict:
    return json.loads(store.sheet_file(sheet).read_text("utf-8"))


def forget_drafts(store: Store) -> None:
    """As if the sheet had been enrolled elsewhere: only its two files are left."""
    with store.open() as db:
        db.execute("DELETE FROM drafts")
    for photo in store.photos.iterdir():
        photo.unlink()


def no_picture(store: Store, sheet: str) -> None:
    forget_drafts(store)
    (store.sheets / f"{sheet}.png").unlink()


def picture_of_something_else(store: Store, sheet: str) -> None:
    forget_drafts(store)
    cv2.imwrite(str(store.sheets / f"{sheet}.png"), np.full((300, 400, 3), 90, np.uint8))


def broken_picture(store: Store, sheet: str) -> None:
    forget_drafts(store)
    (store.sheets / f"{sheet}.png").write_bytes(b"\x89PNG")


def drafts_only(store: Store, sheet: str) -> None:
    (store.sheets / f"{sheet}.png").unlink()


def nothing_lost(store: Store, sheet: str) -> None:
    """All is there."""


STATES = [nothing_lost, drafts_only, no_picture, picture_of_something_else, broken_picture]


@pytest.mark.parametrize("state", STATES)
def test_it_opens_with_what_is_saved_whatever_is_left_of_its_picture(
    page: Page, store: Store, sheet: str, state: Callable[[Store, str], None]
) -> None:
    state(store, sheet)
    saved = as_saved(store, sheet)
    draft = reopen(page, sheet)
    assert {key: draft[key] for key in CORRECTIONS} == {key: saved[key] for key in CORRECTIONS}
    kept = state in (nothing_lost, drafts_only)
    assert (draft["photo"] is not None, draft["flat"]["image"] is not None) == (kept, kept)
    assert page.get(f"/in-the-ruin/sheets/drafts/{draft['id']}").status_code == 200


@pytest.mark.parametrize("state", STATES)
@pytest.mark.parametrize("what", CORRECTIONS)
def test_a_correction_replaces_the_same_profile_and_nothing_else_of_it(
    page: Page, store: Store, sheet: str, state: Callable[[Store, str], None], what: str
) -> None:
    state(store, sheet)
    before = as_saved(store, sheet)
    draft = reopen(page, sheet)
    assert correct(page, draft, {what: CORRECTIONS[what]}).status_code == 200
    assert save(page, draft) == sheet
    expected = {**before, what: CORRECTIONS[what]}
    if state is no_picture:
        del expected["blank"]  # nothing is there that it could name
    assert as_saved(store, sheet) == expected
    assert store.sheet_names() == [sheet]


@pytest.mark.parametrize("state", STATES)
def test_corrections_alone_leave_the_picture_as_it_is(
    page: Page, store: Store, sheet: str, state: Callable[[Store, str], None]
) -> None:
    state(store, sheet)
    path = store.sheets / f"{sheet}.png"
    before = path.read_bytes() if path.is_file() else None
    for name in ("One", "Two"):
        draft = reopen(page, sheet)
        correct(page, draft, {"name": name})
        save(page, draft)
    if state is drafts_only:
        assert cv2.imread(str(path)) is not None  # it could be made again
    else:
        assert (path.read_bytes() if path.is_file() else None) == before


def test_what_is_not_saved_changes_nothing(page: Page, store: Store, sheet: str) -> None:
    before = as_saved(store, sheet)
    correct(page, reopen(page, sheet), CORRECTIONS)
    assert as_saved(store, sheet) == before
    assert reopen(page, sheet)["letters"] == before["letters"]


def test_a_running_play_goes_on_with_the_corrected_sheet(page: Page, store: Store, photos: list[bytes]) -> None:
    play = page.start()
    page.photograph(play, photos[0])
    sheet = page.view(play)["sheet"]["file"]
    draft = reopen(page, sheet)
    letters = {**draft["letters"], "Z": [10, 10]}
    correct(page, draft, {"letters": letters, "name": "Our ruin"})
    save(page, draft)
    view = page.view(play)
    assert (view["sheet"]["name"], view["sheet"]["letters"]) == ("Our ruin", letters)
    assert [player["total"] is not None for player in scores(view).values()] == [True]


def test_a_letter_that_is_taken_away_leaves_plays_that_had_it_scored(page: Page, photos: list[bytes]) -> None:
    play = page.start()
    player = page.photograph(play, photos[0]).json["player"]
    page.tell(play, kind="destination", player=player, stage="end", letter="A", on=True)
    page.tell(play, kind="goals", player=player, goals=[["A", "B"], ["B", "C"]])
    other = page.photograph(play, photos[1]).json["player"]
    before = scores(page.view(play))[other]["total"]
    draft = reopen(page, page.view(play)["sheet"]["file"])
    correct(page, draft, {"letters": {letter: cell for letter, cell in draft["letters"].items() if letter != "A"}})
    save(page, draft)
    view = page.view(play)
    assert scores(view)[player]["total"] is not None
    assert scores(view)[other]["total"] == before
    assert view["players"][0]["goals"] == [["A", "B"], ["B", "C"]]
    assert view["case"]["places"]["/players/0/goals/0"] == ["0.goals.1"]  # of the cards that the player holds
    (note,) = view["case"]["problems"]
    assert note["pieces"] == ["0.goals.0"]
    said = "Player 1: the goal card A–B is not counted because the saved sheet no longer has the letter A."
    assert note["message"] == said
    page.post("/api/language", {"language": "ja"})
    said = "プレイヤー1：登録済みのシートから文字Aがなくなったため、目標カードA–Bは得点に数えていません。"
    assert page.view(play)["case"]["problems"][0]["message"] == said


def test_it_opens_over_its_photo_and_corners_read_it_anew_but_for_what_a_person_said(
    page: Page, store: Store, sheet: str
) -> None:
    draft = reopen(page, sheet)
    tracks = CORRECTIONS["tracks"]
    correct(page, draft, {"tracks": tracks})
    again = correct(page, draft, {"corners": draft["corners"]}).json
    assert again["flat"]["image"] != draft["flat"]["image"]
    assert again["tracks"] == tracks
    before = (store.sheets / f"{sheet}.png").stat().st_mtime_ns
    save(page, draft)
    assert (store.sheets / f"{sheet}.png").stat().st_mtime_ns > before
    assert reopen(page, sheet)["flat"]["image"] == again["flat"]["image"]


def test_corners_that_were_moved_and_not_saved_are_not_those_of_the_next_opening(page: Page, sheet: str) -> None:
    draft = reopen(page, sheet)
    moved = [[x + 3, y] for x, y in draft["corners"]]
    correct(page, draft, {"corners": moved})
    assert reopen(page, sheet)["flat"] == draft["flat"]


def test_without_a_picture_another_photo_brings_it_back(page: Page, store: Store, sheet: str) -> None:
    no_picture(store, sheet)
    draft = reopen(page, sheet)
    correct(page, draft, {"letters": CORRECTIONS["letters"]})
    assert correct(page, draft, {"corners": [[0, 0], [90, 0], [90, 90], [0, 90]]}).status_code == 400
    refused = page.send(f"{SHEETS}/drafts/{draft['id']}/photo", jpeg(np.full((300, 400, 3), 90, np.uint8)))
    assert (refused.status_code, refused.json["error"]["key"]) == (422, "sheet.no-grid")
    assert list(store.photos.iterdir()) == []
    seen = page.send(f"{SHEETS}/drafts/{draft['id']}/photo", jpeg(demo.blank_photo())).json
    assert seen["photo"]
    assert seen["letters"] == CORRECTIONS["letters"]
    save(page, draft)
    assert (as_saved(store, sheet)["blank"], as_saved(store, sheet)["page"]) == (f"{sheet}.png", f"{sheet}-page.png")
    for name in (f"{sheet}.png", f"{sheet}-page.png"):
        assert cv2.imread(str(store.sheets / name)) is not None


def test_what_is_said_while_another_photo_is_looked_at_stays(
    page: Page, store: Store, sheet: str, eyes: FakeEyes, monkeypatch: pytest.MonkeyPatch
) -> None:
    draft = reopen(page, sheet)

    def slow(data: bytes) -> Photo:
        said = {**store.draft(draft["id"]), "letters": CORRECTIONS["letters"], "said": ["letters"]}
        store.save_draft(draft["id"], said)
        return Photo(demo.blank_photo(), 1)

    monkeypatch.setattr(eyes, "load", slow)
    seen = page.send(f"{SHEETS}/drafts/{draft['id']}/photo", b"x").json
    assert seen["photo"] != draft["photo"]
    assert seen["letters"] == CORRECTIONS["letters"]


def test_where_too_many_photos_wait_that_is_said(page: Page, app: Flask, store: Store, sheet: str) -> None:
    forget_drafts(store)
    app.extensions[KEY] = replace(services_of(app), turn=Turn(waiting=0))
    answers = [page.post(f"{SHEETS}/{sheet}/draft"), page.send(f"{SHEETS}/photo", jpeg(demo.blank_photo()))]
    assert [(a.status_code, a.json["error"]["key"]) for a in answers] == [(503, "problem.busy")] * 2


WHOLE = {"name": "x", "rows": 11, "cols": 11}
UNUSABLE: dict[str, tuple[object, str, str]] = {
    "broken": ("{", "the whole file: expected JSON, got ", "ファイル全体：正しくはJSON、実際は"),
    "empty": ("", "the whole file: expected JSON, got ", "ファイル全体：正しくはJSON、実際は"),
    "endless": (
        f'{{"name": "x", "rows": {"9" * 5000}, "cols": 11}}',
        "the whole file: expected JSON, got ", "ファイル全体：正しくはJSON、実際は",
    ),
    "list": (
        [], "the whole file: expected a JSON object, got []", "ファイル全体：正しくはJSONオブジェクト、実際は[]",
    ),
    "nameless": (
        {**WHOLE, "name": ""}, 'name: expected text that is not empty, got ""',
        'name：正しくは空でない文字列、実際は""',
    ),
    "half": (
        {**WHOLE, "name": "\ud800"}, "name: expected text without broken characters, got ",
        "name：正しくは壊れた文字のない文字列、実際は",
    ),
    "halves": (
        {**WHOLE, "rows": "\ud800"}, "rows: expected a whole number from 2 to 40, got ",
        "rows：正しくは2から40までの整数、実際は",
    ),
    "many": (
        {**WHOLE, "rows": 41}, "rows: expected a whole number from 2 to 40, got 41",
        "rows：正しくは2から40までの整数、実際は41",
    ),
    "letterless": (
        {**WHOLE, "letters": {"A": 3}}, "letters/A: expected [row, column] within 11 × 11, got 3",
        "letters/A：正しくは11 × 11の中の[行, 列]、実際は3",
    ),
    "unknown": (
        {**WHOLE, "hue": 1},
        "hue: expected one of name, rows, cols, letters, entrance, tracks, written, blank, page, places, got hue",
        "hue：正しくはname、rows、cols、letters、entrance、tracks、written、blank、page、placesのどれか、実際はhue",
    ),
    "small": (
        {**WHOLE, "rows": 9, "cols": 9}, "rows, cols: expected 11 × 11, got 9 × 9",
        "rows, cols：正しくは11 × 11、実際は9 × 9",
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", UNUSABLE)
def test_a_broken_profile_says_so_and_can_be_deleted(page: Page, store: Store, name: str) -> None:
    profile, *said = UNUSABLE[name]
    store.sheet_file(name).write_text(profile if isinstance(profile, str) else json.dumps(profile))
    for language, why in zip(("en", "ja"), said, strict=True):
        there = {"Accept-Language": language}
        answer = page.client.post(f"{SHEETS}/{name}/draft", json={}, headers={**SENT_BY_THE_PAGE, **there})
        assert (answer.status_code, answer.json["error"]["key"]) == (409, "problem.sheet-broken")
        assert name in answer.json["error"]["message"]
        assert why in answer.json["error"]["message"]
        assert why in unescape(page.get("/in-the-ruin/", headers=there).get_data(as_text=True))
    home = page.get("/in-the-ruin/").get_data(as_text=True)
    assert f'data-correct="{name}"' not in home
    assert f'data-forget="{SHEETS}/{name}"' in home
    assert 'id="start"' not in home  # no game can be played with it
    assert delete(page, name).status_code == 200
    assert store.sheet_names() == []


def test_a_file_whose_name_the_page_cannot_use_does_not_stop_it(page: Page, store: Store) -> None:
    (store.sheets / "My Sheet.json").write_text("{}")
    home = page.get("/in-the-ruin/", headers={"Accept-Language": "en"})
    assert home.status_code == 200
    assert "My Sheet" in home.get_data(as_text=True)
    assert "may have a–z, 0–9 and - only" in home.get_data(as_text=True)
    assert delete(page, "My%20Sheet").status_code == 404


@pytest.mark.parametrize("name", ["nothing", "..", "../key", "A", "x" * 41, "%00"])
def test_what_is_no_sheet_is_neither_opened_nor_deleted(page: Page, name: str) -> None:
    for answer in (page.post(f"{SHEETS}/{name}/draft"), delete(page, name)):
        assert answer.status_code in (404, 405, 409)
        assert answer.json["error"]["message"]


def test_a_deleted_sheet_is_gone_with_its_photos_and_leaves_the_others(page: Page, store: Store, sheet: str) -> None:
    draft = reopen(page, sheet)
    correct(page, draft, {"corners": draft["corners"]})
    mine = set(store.photos.iterdir())
    other = page.enroll_demo()
    assert delete(page, sheet).status_code == 200
    assert store.sheet_names() == [other]
    assert [path for path in store.sheets.iterdir() if path.name.startswith(f"{sheet}.")] == []
    assert not (store.sheets / f"{sheet}-page.png").exists()
    assert not mine & set(store.photos.iterdir())
    assert reopen(page, other)["photo"]
    assert page.get(f"/in-the-ruin/sheets/drafts/{draft['id']}").status_code == 404
    assert page.post(f"{SHEETS}/drafts/{draft['id']}/save").status_code == 404
    assert sheet == page.enroll_demo()  # the name is free again
    assert len(store.drafts_of(sheet)) == 1


def test_a_sheet_that_plays_count_with_stays_and_they_are_named(page: Page, store: Store, sheet: str) -> None:
    plays = [page.post(f"{GAME}/plays", {"sheet": sheet}).json["play"] for _ in range(5)]
    page.tell(plays[-1], kind="add-player", player="abc", name="Mika")
    page.tell(plays[0], kind="add-player", player="abc", name="Ken")
    before = as_saved(store, sheet)
    answer = delete(page, sheet)
    assert (answer.status_code, answer.json["error"]["key"]) == (409, "problem.sheet-used")
    said = answer.json["error"]["message"]
    assert "Mika" in said
    assert "2 more" in said
    assert "Ken" not in said  # the oldest of five
    assert as_saved(store, sheet) == before
    for play in plays:
        page.client.delete(f"{GAME}/plays/{play}", headers=SENT_BY_THE_PAGE)
    assert delete(page, sheet).status_code == 200


def test_a_sheet_known_only_by_its_files_opens_over_its_kept_picture(tmp_path: Path) -> None:
    """With real eyes: the grid is found on the flattened picture, at its crossings."""
    eyes = Eyes()
    enrolled = eyes.enroll(demo.blank_photo(), letters=demo.profile()["letters"])
    app = create_app(tmp_path / "data", eyes=eyes)
    folder = services_of(app).store.sheets
    cv2.imwrite(str(folder / "ours.png"), enrolled.flat.image)
    profile = {**enrolled.profile.to_json(), "name": "Ours", "blank": "ours.png"}
    (folder / "ours.json").write_text(json.dumps(profile), "utf-8")
    with app.test_client() as client:
        page = Page(client)
        draft = reopen(page, "ours")
        (left, top), cell = enrolled.flat.origin, enrolled.flat.cell
        crossings = [[[left + c * cell, top + r * cell] for c in range(12)] for r in range(12)]
        assert np.abs(np.array(draft["lattice"]) - crossings).max() < 0.1 * cell
        assert draft["letters"] == profile["letters"]
        image = cv2.imread(str(services_of(app).store.photos / f"{draft['flat']['image']}.jpg"))
        assert list(image.shape[1::-1]) == draft["flat"]["size"]
        moved = correct(page, draft, {"corners": draft["corners"]}).json
        assert {key: moved[key] for key in ("letters", "tracks")} == {
            key: profile[key] for key in ("letters", "tracks")
        }
        assert save(page, draft) == "ours"
        assert SheetProfile.load(folder / "ours.json").letters == enrolled.profile.letters


def test_fake_eyes_know_no_flattened_picture(eyes: FakeEyes, page: Page, store: Store, sheet: str) -> None:
    """Else the tables above would not be of what they say."""
    forget_drafts(store)
    assert reopen(page, sheet)["photo"] is None
    assert (store.sheets / f"{sheet}.png").is_file()
