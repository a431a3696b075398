"""A data folder of an older companion opens: an evening kept by commit 0f09679, version 2 of the data folder.

In `kept_evening`: a photographed sheet of In the Ruin, a followed table of Twelve Seekers with a corrected tile and
typed values, a tapped game of Splendor, and what the pages of that version said of them. Its photos are left out.
"""

from __future__ import annotations

import json
import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from acting import Page
from fake_eyes import FakeEyes
from fake_table import FakeTable

from companion.cases.store import DATABASE, VERSION
from companion.web import create_app
from companion.web.services import services_of

KEPT = Path(__file__).parents[1] / "cases/kept_evening"


@pytest.fixture
def expected() -> dict[str, Any]:
    return json.loads((KEPT / "expected.json").read_text("utf-8"))


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    folder = tmp_path / "data"
    (folder / "sheets").mkdir(parents=True)
    shutil.copy(KEPT / DATABASE, folder)
    shutil.copy(KEPT / "demo-sheet.json", folder / "sheets")
    return folder


@pytest.fixture
def page(folder: Path, eyes: FakeEyes) -> Iterator[Page]:
    app = create_app(folder, eyes=eyes, table_eyes=FakeTable())
    with app.test_client() as client:
        yield Page(client)
    services_of(app).tables.stop()


def version(folder: Path) -> int:
    with closing(sqlite3.connect(folder / DATABASE)) as db:
        return db.execute("PRAGMA user_version").fetchone()[0]


def test_it_becomes_one_of_this_version(folder: Path, eyes: FakeEyes) -> None:
    assert version(folder) == 2
    create_app(folder, eyes=eyes)
    assert version(folder) == VERSION
    create_app(folder, eyes=eyes)
    assert version(folder) == VERSION


def test_a_photographed_sheet_is_as_it_was(page: Page, expected: dict[str, Any]) -> None:
    view = page.view(expected["play"])
    assert {key: value for key, value in view["case"]["state"].items() if key != "letters"} == expected["play_state"]
    assert view["steps"] == expected["play_undo"]
    assert page.tell(expected["play"], kind="redo").json["steps"]["undo"] == expected["play_undo"]["redo"]


def test_a_followed_table_is_as_it_was(page: Page, expected: dict[str, Any]) -> None:
    shown = page.get(f"/api/live/{expected['table']}").json
    assert [row["totals"] for row in shown["rows"]] == expected["rows"]
    state = shown["table"]["settled"]["case"]["state"]
    assert state == {key: value for key, value in expected["table_state"].items() if key != "goes_on"}
    assert shown["table"]["entries"] == expected["entries"]
    moves = shown["table"]["game"]["moves"]
    assert [move["words"] for move in moves[:3]] == expected["moves"][:3]


def test_a_tapped_game_is_as_it_was(page: Page, expected: dict[str, Any]) -> None:
    assert page.get(f"/api/evenings/games/{expected['tapped']}").json["state"] == expected["tapped_state"]
    listed = page.get("/evenings/").get_data(as_text=True)
    assert all(name in listed for name in ("Aki", "Ben"))
