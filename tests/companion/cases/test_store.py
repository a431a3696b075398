"""What is on disk: edits in order, the key for its owner only, files whole."""

from __future__ import annotations

import json
import os
import sqlite3
import sys
import threading
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from common.messages import OddError
from companion.cases.journal import Journal
from companion.cases.store import (
    DATABASE,
    KEPT_COPIES,
    MAX_PICTURES,
    DamagedDataError,
    InUseError,
    NewerDataError,
    Store,
    StoreFull,
    claim,
)

PHOTO = b"1"
PICTURES = 4
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


@pytest.mark.parametrize(
    ("source", "shown"),
    [("rtsp://me:pass-word@cam/live", "rtsp://cam/live"), ("http://cam/?key=pass-word", "http://cam/?…"), ("0", "0")],
)
def test_passwords_of_cameras_that_lay_there_in_clear_are_sealed(store: Store, source: str, shown: str) -> None:
    play = store.start_play("live-table", "evening")
    store.add_edit(play, {"kind": "begun", "source": source, "profile": {}})
    with store.open() as db:
        db.execute("PRAGMA user_version = 1")
    again = Store(store.folder)
    begun = Journal(again, play).begun
    assert (begun["source"], again.unseal(begun["sealed"]) if "sealed" in begun else source) == (shown, source)
    with again.open() as db:
        db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    assert b"pass-word" not in (store.folder / "companion.sqlite3").read_bytes()


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
    assert journal.row() == journal.rows()[-1]


@pytest.mark.parametrize("body", ["", "{", "[]", "null", "[" * 99999, '"settled"'])
def test_a_row_that_cannot_be_read_sets_its_game_aside_and_no_other(store: Store, body: str) -> None:
    odd, good = store.start_play("g", "s"), store.start_play("g", "s")
    for play in (odd, good):
        store.add_edit(play, {"kind": "begun", "profile": {"name": "t"}})
    with store.open() as db:
        db.execute("UPDATE edits SET body = ? WHERE play = ?", (body, odd))
    with pytest.raises(OddError, match=r"problem\.odd"):
        store.edits(odd)
    with pytest.raises(OddError):
        Journal(store, odd)
    assert store.edits(good)[0]["kind"] == "begun"
    assert Journal.begin(store, "evening", {"source": "0"}).begun == {"source": "0"}
    store.delete_play(odd)
    assert [row["id"] for row in store.plays("g")] == [good]


def test_the_game_begun_last_is_the_first_though_the_clock_was_set_back(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = store.start_play("g", "s")
    monkeypatch.setattr("companion.cases.store.time.time", lambda: 5.0)
    second = store.start_play("g", "s")
    assert [row["id"] for row in store.plays("g")] == [second, first]


def test_pictures_that_nothing_refers_to_are_thrown_away(store: Store) -> None:
    play = store.start_play("g", "s")
    photos = [store.save_photo(PHOTO) for _ in range(5)]
    views = store.add_views(photos[1], PHOTO)
    store.add_edit(play, {"kind": "read", "photo": photos[0]})
    store.add_edit(play, {"kind": "read", "deep": [{"image": views[0]}]})
    store.save_draft("0" * 16, {"photo": photos[2]})
    for path in store.photos.iterdir():
        if not path.name.startswith(photos[4]):  # that one is just being used
            os.utime(path, (1.0, 1.0))
    assert store.collect() == 1
    kept = {path.stem for path in store.photos.iterdir()}
    assert kept == {*photos[:3], *views, photos[4]}
    assert store.collect() == 0


def test_pictures_that_nothing_refers_to_make_room(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("companion.cases.store.MAX_PICTURES", 2)
    old = [store.save_photo(PHOTO) for _ in range(2)]
    for photo in old:
        os.utime(store.photos / f"{photo}.jpg", (1.0, 1.0))
    new = store.save_photo(PHOTO)
    assert [path.stem for path in store.photos.iterdir()] == [new]


def test_a_day_has_one_copy_of_all_and_a_week_of_them_is_kept(store: Store) -> None:
    play = store.start_play("g", "s")
    store.add_edit(play, {"kind": "before"})
    for day in range(1, 10):
        (store.copies / f"2020-01-0{day}.sqlite3").touch()
    store.copy_of_today()
    store.add_edit(play, {"kind": "after"})
    store.copy_of_today()
    copies = sorted(path.name for path in store.copies.iterdir())
    assert len(copies) == KEPT_COPIES
    with closing(sqlite3.connect(store.copies / copies[-1])) as db:
        assert [json.loads(row[0])["kind"] for row in db.execute("SELECT body FROM edits")] == ["before"]


def test_going_back_to_a_copy_is_putting_it_in_the_databases_place(tmp_path: Path) -> None:
    store = Store(tmp_path)
    play = store.start_play("g", "s")
    store.copy_of_today()
    store._db.close()
    database = tmp_path / DATABASE
    database.write_bytes(b"")
    with pytest.raises(DamagedDataError):
        Store(tmp_path)
    database.write_bytes(next(store.copies.iterdir()).read_bytes())
    assert Store(tmp_path).play(play) is not None


def test_damage_is_noticed_at_the_start(tmp_path: Path) -> None:
    store = Store(tmp_path)
    play = store.start_play("g", "s")
    for n in range(300):
        store.add_edit(play, {"kind": "k", "text": "x" * 200, "n": n})
    store._db.close()
    database = tmp_path / DATABASE
    data = bytearray(database.read_bytes())
    data[3 * 4096 : 8 * 4096] = b"\xff" * (5 * 4096)
    database.write_bytes(data)
    with pytest.raises(sqlite3.DatabaseError):
        Store(tmp_path)


def test_what_is_sealed_opens_with_this_folders_key_alone(store: Store) -> None:
    sealed = store.seal("rtsp://me:sécret@10.0.0.2/")
    assert "cret" not in sealed
    assert store.unseal(sealed) == "rtsp://me:sécret@10.0.0.2/"
    store.new_key()
    assert store.unseal(sealed) is None


@pytest.mark.skipif(sys.platform == "win32", reason="other rights there")
def test_all_is_the_owners_alone(tmp_path: Path) -> None:
    folder = tmp_path / "data"
    store = Store(folder)
    play = store.start_play("g", "s")
    store.add_edit(play, {"kind": "k"})
    store.save_photo(PHOTO)
    store.copy_of_today()
    modes = {path.name: path.stat().st_mode & 0o777 for path in (folder, *folder.rglob("*"))}
    assert {name: mode for name, mode in modes.items() if mode & 0o077} == {}


@pytest.mark.skipif(sys.platform == "win32", reason="other rights there")
@pytest.mark.parametrize("kept", [False, True], ids=["empty", "of an older companion"])
def test_a_folder_that_others_could_read_is_the_owners_alone_from_now_on(tmp_path: Path, kept: bool) -> None:
    """Made by hand before the first start, or brought back from a copy."""
    tmp_path.chmod(0o755)
    if kept:
        Store(tmp_path)._db.close()
        tmp_path.chmod(0o755)
        (tmp_path / DATABASE).chmod(0o644)
    Store(tmp_path)
    assert (tmp_path.stat().st_mode & 0o777, (tmp_path / DATABASE).stat().st_mode & 0o777) == (0o700, 0o600)


@pytest.mark.parametrize("own", ["OFF", "ON"])
def test_what_was_deleted_is_zeroed_whatever_this_computers_sqlite_does_by_itself(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, own: str
) -> None:
    real = sqlite3.connect

    def connect(*how: Any, **more: Any) -> sqlite3.Connection:
        made = real(*how, **more)
        made.execute(f"PRAGMA secure_delete={own}")
        return made

    monkeypatch.setattr(sqlite3, "connect", connect)
    store = Store(tmp_path / "data")
    play, other = (store.start_play("in-the-ruin", "sheet") for _ in range(2))
    store.add_edit(play, {"kind": "add-player", "name": "Zaphod"})
    store.add_edit(other, {"kind": "add-player", "name": "Trillian"})  # its page is not given back as a whole
    store.wipe()
    database = store.folder / DATABASE
    assert b"Zaphod" in database.read_bytes()
    store.delete_play(play)
    there = {path.name: path.read_bytes() for path in store.folder.glob(f"{DATABASE}*")}
    assert [name for name, data in there.items() if b"Zaphod" in data] == []
    assert b"Trillian" in there[DATABASE]


def test_a_folder_of_other_things_keeps_its_rights(tmp_path: Path) -> None:
    tmp_path.chmod(0o755)
    (tmp_path / "letter.txt").touch()
    Store(tmp_path)
    assert tmp_path.stat().st_mode & 0o777 == 0o755


def test_a_folder_is_worked_with_by_one_program_and_the_other_learns_where_that_is(tmp_path: Path) -> None:
    with claim(tmp_path, "http://127.0.0.1:8137/"), pytest.raises(InUseError) as refused:
        claim(tmp_path, "http://127.0.0.1:8138/")
    assert refused.value.where == "http://127.0.0.1:8137/"
    claim(tmp_path, "http://127.0.0.1:8138/").close()


def test_a_full_disk_is_said_nothing_is_half_kept_and_all_can_be_read(store: Store) -> None:
    play = store.start_play("g", "s")
    store.add_edit(play, {"kind": "first"})
    with store.open() as db:
        (pages,) = db.execute("PRAGMA page_count").fetchone()
        db.execute(f"PRAGMA max_page_count = {pages}")

    def fill() -> None:
        for n in range(100):
            store.add_edit(play, {"kind": "k", "n": n, "text": "x" * 500})

    with pytest.raises(sqlite3.OperationalError) as refused:
        fill()
    assert refused.value.sqlite_errorname == "SQLITE_FULL"
    kept = store.edits(play)
    assert [edit["kind"] for edit in kept[:2]] == ["first", "k"][: len(kept)]
    with store.open() as db:
        db.execute("PRAGMA max_page_count = 100000")
    assert store.add_edit(play, {"kind": "last"}) == len(kept)
