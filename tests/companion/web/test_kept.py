"""What could not be written is not acknowledged, on plays and live tables; what is odd sets one game aside."""

from __future__ import annotations

import errno
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from unittest.mock import Mock

import numpy as np
import pytest
from acting import GAME, Page
from fake_table import FakeTable
from flask import Flask
from test_tables import RED_RUN, lay, show, start, until, written

from companion.cases.store import Store
from companion.live import session
from companion.web.problems import unkept
from companion.web.services import services_of

LIVE = "/api/live"


@contextmanager
def read_only(app: Flask) -> Iterator[None]:
    """The database takes nothing more meanwhile, as on a full disk or in a folder turned read-only."""
    store = services_of(app).store
    with store.open() as db:
        db.execute("PRAGMA query_only = ON")
    yield
    with store.open() as db:
        db.execute("PRAGMA query_only = OFF")


def refused(answer: Any) -> bool:
    return bool(answer.status_code >= 500 and "Not kept" in answer.json["error"]["message"])


def test_what_a_play_could_not_keep_is_refused_and_all_of_it_can_be_read(app: Flask, page: Page) -> None:
    play = page.start()
    page.tell(play, kind="add-player", player="0" * 16, name="Ann")
    before = page.view(play)
    with read_only(app):
        assert refused(page.tell(play, kind="rename", player="0" * 16, name="Bea"))
        assert refused(page.post(f"{GAME}/plays", {"sheet": before["sheet"]["file"]}))
        assert page.view(play) == before
        assert page.get("/in-the-ruin/").status_code == 200
    page.tell(play, kind="rename", player="0" * 16, name="Bea")
    assert [player["name"] for player in page.view(play)["players"]] == ["Bea"]


@pytest.mark.parametrize(
    ("address", "body"),
    [
        ("entries", {"table": {}, "players": {"A": {"name": "Full"}}}),
        ("pieces", {"pieces": [{"at": "the second", "color": "green"}]}),
        ("undo", {}),
        ("zones", {"zones": {"A": {"polygon": [[1, 1], [200, 1], [200, 200]]}}}),
    ],
)
def test_what_a_live_table_could_not_keep_is_refused_and_not_shown(
    app: Flask, page: Page, table: FakeTable, address: str, body: dict[str, Any]
) -> None:
    at = start(page)
    tile = lay(page, at, table, {"A": ["red", "red"], "B": []})["case"]["evidence"][0]["pieces"][1]
    page.post(f"{LIVE}/{at}/entries", {"players": {"A": {"name": "Ann"}}})
    before = show(page, at)["table"]
    point = np.mean(tile["polygon"], axis=0).tolist()
    body = body | {"pieces": [piece | {"at": point} for piece in body["pieces"]]} if "pieces" in body else body
    with read_only(app):
        assert refused(page.post(f"{LIVE}/{at}/{address}", body))
        assert show(page, at)["table"] == before
    assert page.get(f"/live/{at}").status_code == 200


def test_a_state_that_could_not_be_kept_says_so_and_is_written_when_there_is_room(
    app: Flask, page: Page, table: FakeTable, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(session, "RETRY", 0.05)
    at = start(page)
    rows = len(show(page, at)["rows"])
    with read_only(app):
        table.lay(RED_RUN)
        until(lambda: show(page, at)["status"]["unkept"])
        assert "not kept" in show(page, at)["status"]["why"]
        assert len(show(page, at)["rows"]) == rows
    written(page, at, rows + 1)
    until(lambda: not show(page, at)["status"]["unkept"])


@pytest.mark.parametrize("body", ["{", '{"kind": "weather"}', '{"kind": "read"}', "{}", '{"kind": "undo"}'])
def test_a_play_that_is_odd_is_set_aside_and_the_others_go_on(app: Flask, page: Page, body: str) -> None:
    good, odd = page.start(), page.start()
    page.tell(odd, kind="add-player", player="0" * 16, name="Ann")
    with services_of(app).store.open() as db:
        db.execute("UPDATE edits SET body = ? WHERE play = ?", (body, odd))
    home = page.get("/in-the-ruin/").get_data(as_text=True)
    assert home.count("It is set aside") == 1
    assert page.get(f"/in-the-ruin/plays/{good}").status_code == 200
    said = page.get(f"/in-the-ruin/plays/{odd}")
    assert said.status_code == 422
    assert "It is set aside" in said.get_data(as_text=True)
    assert page.client.delete(f"{GAME}/plays/{odd}", headers={"X-Companion": "1"}).status_code == 200
    assert "It is set aside" not in page.get("/in-the-ruin/").get_data(as_text=True)


@pytest.mark.parametrize("body", ["{", '{"kind": "entries"}', "{}"])
def test_an_odd_table_keeps_no_other_from_being_started(app: Flask, page: Page, body: str) -> None:
    odd = start(page)
    services_of(app).tables.stop()
    with services_of(app).store.open() as db:
        db.execute("UPDATE edits SET body = ? WHERE play = ?", (body, odd))
    assert page.get("/live/").status_code == 200
    assert start(page) != odd
    assert page.client.delete(f"{LIVE}/{odd}", headers={"X-Companion": "1"}).status_code == 200


@pytest.mark.parametrize(
    ("error", "key"),
    [
        (OSError(errno.ENOSPC, "no space"), "problem.disk-full"),
        (OSError(errno.EROFS, "read-only"), "problem.read-only"),
        (PermissionError(errno.EACCES, "denied"), "problem.read-only"),
        (OSError(errno.EIO, "input/output"), "problem.disk"),
        (sqlite3.OperationalError("locked"), "problem.disk"),
    ],
)
def test_why_nothing_was_kept_is_told_apart(
    error: Exception, key: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert unkept(error, tmp_path)[0] == key
    if isinstance(error, OSError):  # SQLite names none of them: the folder is tried
        unnamed = sqlite3.OperationalError("disk I/O error")
        unnamed.sqlite_errorname = "SQLITE_IOERR_WRITE"
        assert unkept(unnamed, tmp_path)[0] == "problem.disk"
        monkeypatch.setattr("tempfile.TemporaryFile", Mock(side_effect=error))
        assert unkept(unnamed, tmp_path)[0] == key


def test_a_cameras_password_is_not_on_the_disk_and_is_there_when_the_table_is_followed_again(
    app: Flask, page: Page, table: FakeTable, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[str] = []
    source = table.source
    monkeypatch.setattr(table, "source", lambda spec, files: asked.append(spec) or source(spec, files))
    address = "http://me:s3cret@10.0.0.2/video?pwd=s3cret"
    at = page.post(f"{LIVE}/start", {"source": address, "game": "twelve-seekers"}).json["table"]
    services_of(app).tables.stop()
    folder = services_of(app).store.folder
    assert not [path for path in folder.rglob("*") if path.is_file() and b"s3cret" in path.read_bytes()]
    assert page.post(f"{LIVE}/{at}/again").status_code == 200
    assert asked == [address, address]
    services_of(app).tables.stop()
    Store(folder).new_key()
    assert "anew" in page.post(f"{LIVE}/{at}/again").json["error"]["message"]


@pytest.mark.parametrize(
    ("address", "profile", "status"),
    [
        ("/api/live/profiles", {"name": "Ours", "zones": {}}, 200),
        ("/api/live/profiles", {"name": "Ours", "zones": {}, "palette": "/etc/passwd", "decks": ["../x"]}, 200),
        ("/api/live/profiles", {"name": "Ours", "zones": {}, "game": "chess"}, 422),
        ("/api/live/profiles", {"zones": {}}, 422),
        ("/api/in-the-ruin/sheets/profile", {"name": "Ours", "rows": 11, "cols": 11, "letters": {}}, 200),
        ("/api/in-the-ruin/sheets/profile", {"name": "Ours", "rows": 9, "cols": 11, "letters": {}}, 400),
        ("/api/in-the-ruin/sheets/profile", {"name": "Ours", "rows": 11, "cols": 11, "blank": "/etc/passwd"}, 200),
        ("/api/in-the-ruin/sheets/profile", {"zones": {}}, 400),
        ("/api/in-the-ruin/sheets/profile", [], 400),
    ],
)
def test_layouts_and_sheets_come_as_files_that_name_no_others(
    page: Page, app: Flask, address: str, profile: Any, status: int
) -> None:
    assert page.post(address, profile).status_code == status
    store = services_of(app).store
    kept = [path.read_text("utf-8") for folder in (store.tables, store.sheets) for path in folder.glob("*.json")]
    assert len(kept) == (status == 200)
    assert not any(word in text for text in kept for word in ("passwd", "../x"))
    if status == 200 and "live" in address:
        assert page.get("/live/profiles/ours.json").json["name"] == "Ours"
        assert page.get("/live/profiles/theirs.json").status_code == 404
