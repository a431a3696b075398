"""What is on disk: edits in order, the key for its owner only, files whole."""

from __future__ import annotations

import os
import sys
import threading
from pathlib import Path

import pytest

from companion.cases.store import MAX_PICTURES, Store, StoreFull

PHOTO = b"1"
PICTURES = 3
"""Of a photo: itself, the sheet from above, its letters."""
"""What is kept of a photo that was read."""


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
    with pytest.raises(ValueError, match="expected a name"):
        store.sheet_file(name)


def test_no_half_written_file_is_left(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object) -> None:
        raise OSError("disk full")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(OSError, match="disk full"):
        store.save_photo(b"1")
    assert list(store.photos.iterdir()) == []
