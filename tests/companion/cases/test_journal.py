"""A table's history: what is kept of it, and what goes when there is much."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from companion.cases import journal as history
from companion.cases.evenings import Evenings
from companion.cases.journal import DEMO, FOLLOWED, STOPPED, Journal
from companion.cases.said import entries_of
from companion.cases.store import Store
from companion.cases.table import Entries

PHOTO = b"a picture"


@pytest.fixture
def store(tmp_path: Path) -> Store:
    return Store(tmp_path)


def begun(store: Store, source: str = "0") -> Journal:
    return Journal.begin(store, "evening", {"source": source, "file": "table.json", "profile": {"zones": 1}})


def settled(journal: Journal, n: int, photo: bytes | None = None, first: bool = False) -> int:
    return journal.settled(float(n), photo, {"A": n}, {"n": n, "state": {"game": "splendor", "n": n}}, first)


def test_what_came_to_rest_is_there_by_number_the_newest_without_one(store: Store) -> None:
    journal = begun(store)
    assert journal.row() is None
    assert journal.whole() is None
    assert [settled(journal, n, b"%d" % n) for n in range(3)] == [0, 1, 2]
    again = Journal(store, journal.table)
    assert [(row.number, row.at, row.totals, row.first) for row in again.rows()] == [
        (n, float(n), {"A": n}, False) for n in range(3)
    ]
    assert again.whole(1) == {"n": 1, "state": {"game": "splendor", "n": 1}}
    assert again.whole() == {"n": 2, "state": {"game": "splendor", "n": 2}}
    assert again.row(7) is None
    journal.changed(1, {"A": None}, {"n": 9})
    assert (again.row(1).totals, again.whole(1), again.whole(0)["n"]) == ({"A": None}, {"n": 9}, 0)


def test_beyond_so_many_states_the_oldest_go_with_their_pictures(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(history, "MOST_ROWS", 3)
    monkeypatch.setattr(history, "MOST_PICTURES", 2)
    journal = begun(store)
    kept = []
    for n in range(5):
        settled(journal, n, b"picture %d" % n)
        kept.append(journal.row().photo)
    assert [row.number for row in journal.rows()] == [2, 3, 4]
    assert [row.photo for row in journal.rows()] == [None, *kept[3:]]
    assert [(store.photos / f"{one}.jpg").exists() for one in kept] == [False, False, False, True, True]


def test_games_on_one_table_are_told_apart_and_the_first_has_the_tables_name(store: Store) -> None:
    journal = begun(store)
    for n, first in enumerate([True, False, True, False, False]):
        settled(journal, n, first=first)
    one, other = journal.games()
    assert (one.id, one.begun, one.row.number, one.state["n"]) == (journal.table, 0.0, 1, 1)
    assert (other.begun, other.row.number, other.state["n"]) == (2.0, 4, 4)
    assert other.id != one.id
    assert [game.id for game in journal.games()] == [one.id, other.id]


def test_what_fails_midway_leaves_nothing_and_what_was_said_before_stays(store: Store) -> None:
    journal = begun(store)
    journal.typed(Entries({"rule": 1}, {}))
    journal.corrected([{"at": 1}])

    def half() -> None:
        with journal.together():
            journal.typed(Entries({"rule": 2}, {}))
            journal.corrected([{"at": 2}])
            raise OSError("no room")

    with pytest.raises(OSError, match="no room"):
        half()
    for one in (journal, Journal(store, journal.table)):
        assert one.entries.table == {"rule": 1}
        assert one.pieces == [{"at": 1}]


def test_what_people_said_of_pieces_is_written_where_it_changes(store: Store) -> None:
    journal = begun(store)
    journal.corrected([])
    assert len(journal.events) == 1
    journal.corrected([{"at": 1}])
    journal.corrected([{"at": 1}])
    assert len(journal.events) == 2


def test_of_the_photos_that_people_bring_the_newest_is_kept_with_its_scale(store: Store) -> None:
    journal = begun(store)
    journal.photographed(PHOTO, 2.0)
    first = journal.photo
    journal.photographed(b"another", 4.0)
    assert not (store.photos / f"{first[0]}.jpg").exists()
    assert (store.photos / f"{journal.photo[0]}.jpg").read_bytes() == b"another"
    assert Journal(store, journal.table).photo == (journal.photo[0], 4.0)


@pytest.mark.parametrize(("file", "wanted"), [(None, "table.json"), ("other.json", "other.json")])
def test_a_table_goes_on_with_another_profile_from_where_it_was_unless_that_is_said(
    store: Store, file: str | None, wanted: str
) -> None:
    journal = begun(store)
    journal.has_profile({"zones": 2}, file)
    assert Journal(store, journal.table).begun == {"source": "0", "file": wanted, "profile": {"zones": 2}}


def said(journal: Journal, event: dict[str, Any]) -> dict[str, Any]:
    journal.add(event, "phone")
    return journal.events[-1]


def test_who_said_what_and_when_is_kept(store: Store) -> None:
    journal = begun(store)
    event = said(journal, {"kind": "said", "what": [], "typed": {"table": {"rule": 2}, "players": {}}})
    assert event["by"] == "phone"
    assert entries_of(Journal(store, journal.table).events).table == {"rule": 2}


def test_where_many_tables_are_kept_the_oldest_is_forgotten_when_another_has_come_to_rest(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(history, "MOST_TABLES", 2)
    tables = []
    for n in range(3):
        tables.append(begun(store))
        settled(tables[n], n)
    settled(begun(store, DEMO), 0)
    (moved_over,) = Evenings(store).games()
    assert (moved_over.id, moved_over.begun, moved_over.state["n"]) == (tables[0].table, 0.0, 0)
    there = [bool(Journal(store, journal.table).rows()) for journal in tables]
    assert there == [False, True, True]
    settled(tables[1], 7)
    assert Journal(store, tables[1].table).row().number == 1


def test_a_table_on_which_nothing_came_to_rest_goes_when_another_begins(store: Store) -> None:
    empty = begun(store)
    settled(begun(store), 0)
    assert Journal(store, empty.table).events == []


def test_a_table_that_was_stopped_is_not_broken_off(store: Store) -> None:
    journal = Journal.begin(store, "evening", {"source": "0", "told": True})
    assert journal.broken_off
    for kind, broken in ((STOPPED, False), (FOLLOWED, True), (STOPPED, False)):
        journal.tell(kind)
        assert Journal(store, journal.table).broken_off is broken


def test_as_many_tables_stay_as_may_be_kept_while_a_new_one_is_empty(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(history, "MOST_TABLES", 2)
    tables = []
    for n in range(2):
        tables.append(begun(store))
        settled(tables[n], n)
    new = begun(store)
    assert [len(Journal(store, journal.table).rows()) for journal in tables] == [1, 1]
    settled(new, 9)
    assert [len(Journal(store, journal.table).rows()) for journal in (*tables, new)] == [0, 1, 1]


@pytest.mark.parametrize("demos", [1, 3])
def test_of_demos_the_newest_stays_until_another_has_come_to_rest(store: Store, demos: int) -> None:
    for n in range(demos):
        last = begun(store, DEMO)
        settled(last, n)
    new = begun(store, DEMO)
    assert len(Journal(store, last.table).rows()) == 1
    settled(new, 9)
    assert [len(Journal(store, one.table).rows()) for one in (last, new)] == [0, 1]
