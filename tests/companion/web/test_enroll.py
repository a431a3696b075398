"""A blank sheet: found, corrected, saved."""

from __future__ import annotations

import json

import demo_sheets as demo
import numpy as np
import pytest
from acting import GAME, Page
from fake_eyes import DOUBTFUL, MISREAD, jpeg
from flask import Flask

from companion.web.services import services_of
from vision.sheet.decisions import UNSURE
from vision.sheet.profile import SheetProfile

SHEETS = f"{GAME}/sheets"


@pytest.fixture
def draft(page: Page) -> dict:
    return page.send(f"{SHEETS}/photo", jpeg(demo.blank_photo())).json


def test_what_was_found_is_shown(draft: dict) -> None:
    assert draft["problem"] is None
    assert len(draft["letters"]) == 24
    assert [len(draft["tracks"][track]) for track in ("gems", "penalties")] == [10, 10]
    assert len(draft["corners"]) == 4


def test_corrections_are_kept_over_a_reload_and_saved(page: Page, app: Flask, draft: dict) -> None:
    letters = {**draft["letters"], "Z": [10, 10]}
    page.post(f"{SHEETS}/drafts/{draft['id']}", {"letters": letters})
    swapped = {"gems": draft["tracks"]["penalties"], "penalties": draft["tracks"]["gems"]}
    page.post(f"{SHEETS}/drafts/{draft['id']}", {"tracks": swapped, "name": "Our ruin"})
    assert "Our ruin" in page.get(f"/in-the-ruin/sheets/drafts/{draft['id']}").get_data(as_text=True)
    saved = page.post(f"{SHEETS}/drafts/{draft['id']}/save").json["sheet"]
    profile = SheetProfile.load(services_of(app).store.sheet_file(saved))
    assert profile.letters["Z"] == (10, 10)
    assert [list(b) for b in profile.tracks["gems"]] == swapped["gems"]
    assert profile.blank is not None
    assert (services_of(app).store.sheets / profile.blank).is_file()
    assert json.loads(page.get(f"/in-the-ruin/sheets/{saved}.json").data)["name"] == "Our ruin"


def test_no_two_sheets_have_one_name(page: Page, draft: dict) -> None:
    def names(answer: dict) -> tuple[str, list[str]]:
        return answer["name"], answer["others"]

    assert names(draft) == ("In the Ruin", [])
    first = page.post(f"{SHEETS}/drafts/{draft['id']}/save").json["sheet"]
    second = page.send(f"{SHEETS}/photo", jpeg(demo.blank_photo())).json
    assert names(second) == ("In the Ruin 2", ["In the Ruin"])
    page.post(f"{SHEETS}/drafts/{second['id']}", {"name": "In the Ruin"})
    saved = page.post(f"{SHEETS}/drafts/{second['id']}/save").json["sheet"]
    assert [page.get(f"/in-the-ruin/sheets/{sheet}.json").json["name"] for sheet in (first, saved)] == [
        "In the Ruin", "In the Ruin 2"
    ]  # fmt: skip
    again = page.post(f"{SHEETS}/{saved}/draft").json
    assert names(again) == ("In the Ruin 2", ["In the Ruin"])  # its own name is no other's
    page.post(f"{SHEETS}/drafts/{again['id']}/save")
    assert page.get(f"/in-the-ruin/sheets/{saved}.json").json["name"] == "In the Ruin 2"


def test_a_doubtful_letter_is_settled_by_saying_so_or_by_another(page: Page, draft: dict) -> None:
    assert draft["doubtful"] == ["Q"]
    assert page.post(f"{SHEETS}/drafts/{draft['id']}", {"checked": "Q"}).json["doubtful"] == []
    again = page.send(f"{SHEETS}/photo", jpeg(demo.blank_photo())).json
    moved = {**again["letters"], "Q": [10, 10]}
    assert page.post(f"{SHEETS}/drafts/{again['id']}", {"letters": moved}).json["doubtful"] == []


def test_a_letter_whose_cell_became_another_s_is_missing_until_it_has_one(page: Page, draft: dict) -> None:
    cell = draft["letters"].pop("A")
    replaced = {**draft["letters"], "Z": cell}
    assert page.post(f"{SHEETS}/drafts/{draft['id']}", {"letters": replaced}).json["missing"] == ["A"]
    assert page.post(f"{SHEETS}/drafts/{draft['id']}", {"letters": replaced | {"A": [10, 10]}}).json["missing"] == []
    assert page.post(f"{SHEETS}/drafts/{draft['id']}", {"letters": replaced}).json["missing"] == []


def test_moved_corners_read_anew_and_leave_what_was_said(page: Page, draft: dict) -> None:
    letters = {**draft["letters"], "Z": [10, 10]}
    page.post(f"{SHEETS}/drafts/{draft['id']}", {"letters": letters})
    again = page.post(f"{SHEETS}/drafts/{draft['id']}", {"corners": draft["corners"]}).json
    assert again["letters"]["Z"] == [10, 10]
    assert again["flat"]["image"] != draft["flat"]["image"]


def test_without_a_grid_a_person_is_asked_for_the_corners(page: Page) -> None:
    draft = page.send(f"{SHEETS}/photo", jpeg(np.full((600, 800, 3), 90, np.uint8))).json
    assert "11 × 11" in draft["problem"]
    assert page.post(f"{SHEETS}/drafts/{draft['id']}/save").status_code == 400
    found = page.post(f"{SHEETS}/drafts/{draft['id']}", {"corners": draft["corners"]}).json
    assert found["problem"] is None


BAD = [
    {"letters": {"A": [0, 0], "B": [0, 0]}}, {"letters": {"A": [11, 0]}}, {"letters": []}, {"tracks": {"gems": [[1]]}},
    {"tracks": 3}, {"name": ""}, {"name": 3}, {"entrance": [5]}, {"rows": 9}, {"corners": 1},
]  # fmt: skip


@pytest.mark.parametrize("change", BAD, ids=str)
def test_a_correction_that_makes_no_profile_is_refused_and_changes_nothing(
    page: Page, app: Flask, draft: dict, change: dict
) -> None:
    before = services_of(app).store.draft(draft["id"])
    answer = page.post(f"{SHEETS}/drafts/{draft['id']}", change)
    assert answer.status_code == (400 if change.keys() & {"rows", "corners"} else 422)
    assert services_of(app).store.draft(draft["id"]) == before


def test_two_sheets_of_one_name_are_two_files(page: Page) -> None:
    assert page.enroll_demo() != page.enroll_demo()


def test_a_broken_profile_on_disk_is_named_and_does_not_stop_the_page(page: Page, app: Flask) -> None:
    (services_of(app).store.sheets / "broken.json").write_text("{")
    answer = page.get("/in-the-ruin/")
    assert answer.status_code == 200
    assert "broken" in answer.get_data(as_text=True)


def test_a_filled_sheet_tells_beforehand_what_will_be_asked_and_nothing_of_it_is_kept(
    page: Page, app: Flask, draft: dict
) -> None:
    folder = services_of(app).store.photos
    before = sorted(folder.iterdir())
    tried = page.send(f"{SHEETS}/drafts/{draft['id']}/try", jpeg(demo.filled_photo()[0]))
    letters = sum(doubt > UNSURE for doubt in MISREAD.values())
    expected = {"cells": len(DOUBTFUL), "letters": letters, "ticks": 0, "numbers": 0, "troubles": []}
    assert tried.json == expected
    assert sorted(folder.iterdir()) == before
    assert page.send(f"{SHEETS}/drafts/{draft['id']}/try", b"no photo").status_code == 422
