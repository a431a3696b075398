"""What is on disk: edits in order, the key for its owner only, files whole."""

from __future__ import annotations

import json
import os
import sqlite3
import sys
import threading
from contextlib import closing
from pathlib import Path

import pytest

from companion.cases.journal import Journal, Row
from companion.cases.store import MAX_PICTURES, NewerDataError, Store, StoreFull

PHOTO = b"1"
PICTURES = 3
"""Of a photo: itself, the sheet from above, its letters."""


@pytest.fixture
def store(tmp_path: Path) -> Store:
    return Store(tmp_path / "data")


def test_edits_come_back_in_order(store: Store) -> None:
    play = store.start_play("in-the-ruin", "sheet")
    edits = [{"kind": "cell", "row": n} for n in range(20)]
    for edit in edits:
        store.add_edit(play, edit)
    assert Store(store.folder).edits(play) == edits


def test_edits_from_many_threads_are_all_kept(store: Store) -> None:
    play = store.start_play("in-the-ruin", "sheet")

    def work(name: int) -> None:
        for n in range(15):
            store.add_edit(play, {"thread": name, "n": n})

    threads = [threading.Thread(target=work, args=(name,)) for name in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    kept = store.edits(play)
    assert len(kept) == 90
    for name in range(6):
        assert [edit["n"] for edit in kept if edit["thread"] == name] == list(range(15))


def test_the_key_is_made_once_and_is_the_owners_alone(store: Store) -> None:
    key = store.key()
    assert len(key) == 32
    assert Store(store.folder).key() == key
    if sys.platform != "win32":
        assert (store.folder / "key").stat().st_mode & 0o777 == 0o600
    assert store.new_key() != key


def test_photos_are_limited_in_number(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    assert MAX_PICTURES // PICTURES == 1000
    monkeypatch.setattr("companion.cases.store.MAX_PICTURES", 2)
    for _ in range(2):
        store.save_photo(PHOTO)
    with pytest.raises(StoreFull):
        store.save_photo(b"4")
    with pytest.raises(StoreFull):
        store.add_views("0" * 16, b"4")


@pytest.mark.parametrize("name", ["", "..", "../key", "a/b", "A", "a.b", "x" * 41, "-a"])
def test_only_plain_names_are_sheets(store: Store, name: str) -> None:
    with pytest.raises(ValueError, match=r"profile\.name"):
        store.sheet_file(name)


def test_no_half_written_file_is_left(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object) -> None:
        raise OSError("disk full")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(OSError, match="disk full"):
        store.save_photo(b"1")
    assert list(store.photos.iterdir()) == []


OLD = """
CREATE TABLE plays (id TEXT PRIMARY KEY, game TEXT NOT NULL, sheet TEXT NOT NULL, started REAL NOT NULL);
CREATE TABLE edits (
    play TEXT NOT NULL REFERENCES plays (id), number INTEGER NOT NULL, at REAL NOT NULL, body TEXT NOT NULL,
    PRIMARY KEY (play, number));
CREATE TABLE drafts (id TEXT PRIMARY KEY, at REAL NOT NULL, body TEXT NOT NULL);
INSERT INTO plays VALUES ('0000000000000001', 'live-table', 'evening', 5), ('0000000000000002', 'in-the-ruin', 's', 6);
"""
"""What companions wrote before data folders had a version."""


def test_a_folder_of_an_older_companion_opens_with_all_that_was_in_it(tmp_path: Path) -> None:
    table, play = "0000000000000001", "0000000000000002"
    body = {"size": [4, 3], "tiles": [], "state": {"game": "twelve-seekers"}}
    kept = {"kind": "settled", "at": 7.5, "photo": "a" * 16, "totals": {"A": 1}, **body}
    edits = [
        {"kind": "begun", "source": "0", "profile": {"name": "evening"}},
        {**kept, "number": 0},
        {"kind": "entries", "entries": {"table": {"rule": 3}, "players": {}}},
        {**kept, "number": 1, "first": True},
        {"kind": "changed", "number": 1, "totals": {"A": 9}, **body, "size": [8, 6]},
        {"kind": "no-picture", "number": 0},
    ]
    ruin = [{"kind": "add-player", "player": "p", "name": "settled"}]
    with closing(sqlite3.connect(tmp_path / "companion.sqlite3")) as db:
        db.executescript(OLD)
        for name, log in ((table, edits), (play, ruin)):
            rows = [(name, n, 1.0, json.dumps(edit, ensure_ascii=False)) for n, edit in enumerate(log)]
            db.executemany("INSERT INTO edits VALUES (?, ?, ?, ?)", rows)
        db.commit()
    for _ in range(2):  # and once more, now that it is of this version
        store = Store(tmp_path)
        journal = Journal(store, table)
        assert (journal.begun["source"], journal.entries["table"]) == ("0", {"rule": 3})
        assert journal.rows() == [Row(0, 7.5, None, {"A": 1}), Row(1, 7.5, "a" * 16, {"A": 9}, True)]
        assert [journal.whole(n) for n in (0, 1)] == [body, {**body, "size": [8, 6]}]
        assert store.edits(play) == ruin
    assert journal.settled(8.0, None, {"A": 2}, body) == 2


def test_a_folder_of_a_newer_companion_is_not_touched(store: Store) -> None:
    with store.open() as db:
        db.execute("PRAGMA user_version = 99")
    with pytest.raises(NewerDataError, match="got 99"):
        Store(store.folder)


def test_what_fails_half_way_leaves_nothing(store: Store) -> None:
    def half() -> None:
        with store.transaction() as db:
            db.execute("INSERT INTO plays VALUES ('x', 'g', 's', 1)")
            raise OSError("full")

    with pytest.raises(OSError, match="full"):
        half()
    assert store.play("x") is None
    assert store.plays(store.start_play("g", "s")) == []


def test_rows_beyond_the_limit_are_gone_from_the_disk_too(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("companion.cases.journal.MOST_ROWS", 3)
    journal = Journal.begin(store, "evening", {"profile": {}})
    for n in range(10):
        journal.settled(float(n), b"jpeg", {"A": n}, {"tiles": [n]})
    with store.open() as db:
        assert db.execute("SELECT count(*), min(number) FROM settled").fetchone() == (3, 7)
    assert len(list(store.photos.iterdir())) == 3
    assert [journal.whole(n) for n in (6, 7)] == [None, {"tiles": [7]}]
    assert journal.last() == journal.rows()[-1]
