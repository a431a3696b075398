"""A table's history on disk: settled states with their pictures, and what people typed, in the order of their coming.

Rows are kept light in memory; a whole settled state is read back from disk when somebody looks at it.
"""

from __future__ import annotations

import threading
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from companion.cases.store import Store, StoreFull

GAME = "live-table"
"""What the store files tables under."""
MOST_ROWS = 2000
"""Settled states that are listed, at most: the oldest go."""
MOST_PICTURES = 300
"""Pictures kept of one table, at most: the oldest states are without."""
MOST_TABLES = 4
"""Tables kept, at most: the oldest is forgotten with its pictures when another has come to rest. One demo is kept
beside them."""
DEMO = "demo"


@dataclass(frozen=True)
class Row:
    """A settled state in short.

    Attributes:
        number: its number in the history, from 0.
        at: when the table came to rest, seconds since 1970.
        photo: its picture's id; None where none was kept.
        totals: points by player's zone; None where they are unknown.
        first: whether another game began with it, on the same table.
        edit: where the whole of it lies in the store.
    """

    number: int
    at: float
    photo: str | None
    totals: Mapping[str, int | None]
    edit: int
    first: bool = False


class Journal:
    """One table's history. Thread-safe."""

    def __init__(self, store: Store, table: str) -> None:
        self._store, self.table = store, table
        self._lock = threading.Lock()
        self._rows: dict[int, Row] = {}
        self._next = 0
        self.begun: dict[str, Any] = {}
        self.entries: dict[str, Any] = {}
        for number, edit in enumerate(store.edits(table)):
            self._take(number, edit)

    @classmethod
    def begin(cls, store: Store, profile: str, begun: dict[str, Any]) -> Journal:
        """A new table's history; `begun` says what it was followed with. Tables where nothing came to rest go."""
        _make_room(store, None, begun.get("source") == DEMO)
        table = store.start_play(GAME, profile)
        store.add_edit(table, {"kind": "begun", **begun})
        return cls(store, table)

    def _take(self, number: int, edit: dict[str, Any]) -> None:
        kind = edit.get("kind")
        if kind == "begun":
            self.begun = {key: value for key, value in edit.items() if key != "kind"}
        elif kind == "profile":
            self.begun = {**self.begun, "profile": edit["profile"], "file": edit["file"]}
        elif kind == "entries":
            self.entries = edit["entries"]
        elif kind == "settled":
            at = edit["number"]
            first = edit.get("first", False)
            self._rows[at] = Row(at, edit["at"], edit.get("photo"), edit["totals"], number, first)
            self._next = max(self._next, at + 1)
            while len(self._rows) > MOST_ROWS:
                del self._rows[next(iter(self._rows))]
        elif kind == "changed" and edit["number"] in self._rows:
            row = self._rows[edit["number"]]
            self._rows[row.number] = replace(row, totals=edit["totals"], edit=number)
        elif kind == "no-picture" and edit["number"] in self._rows:
            self._rows[edit["number"]] = replace(self._rows[edit["number"]], photo=None)

    def _add(self, edit: dict[str, Any]) -> None:
        self._take(self._store.add_edit(self.table, edit), edit)

    def rows(self) -> list[Row]:
        """The settled states that are listed, in order."""
        with self._lock:
            return list(self._rows.values())

    def row(self, number: int) -> Row | None:
        """A settled state in short."""
        return self._rows.get(number)

    def whole(self, number: int) -> dict[str, Any] | None:
        """A settled state as it was added."""
        row = self._rows.get(number)
        return self._store.edit(self.table, row.edit) if row else None

    def settled(
        self,
        at: float,
        jpeg: bytes | None,
        totals: Mapping[str, int | None],
        body: Mapping[str, Any],
        first: bool = False,
    ) -> int:
        """Add a settled state, the `first` of another game or not. Returns its number.

        Raises OSError or sqlite3.Error where nothing can be written.
        """
        with self._lock:
            number = self._next
            photo = self._keep(jpeg)
            edit = {"kind": "settled", "number": number, "at": at, "photo": photo, "totals": dict(totals), **body}
            if first:
                edit["first"] = True
            self._add(edit)
            if number == 0:
                _make_room(self._store, self, self.begun.get("source") == DEMO)
            return number

    def changed(self, number: int, totals: Mapping[str, int | None], body: Mapping[str, Any]) -> None:
        """A settled state is another now that people said something."""
        with self._lock:
            self._add({"kind": "changed", "number": number, "totals": dict(totals), **body})

    def typed(self, entries: dict[str, Any]) -> None:
        """What people typed, all of it as it is now."""
        with self._lock:
            self._add({"kind": "entries", "entries": entries})

    def has_profile(self, profile: dict[str, Any], file: str | None) -> None:
        """The table goes on with another profile."""
        with self._lock:
            self._add({"kind": "profile", "profile": profile, "file": file or self.begun.get("file")})

    def _keep(self, jpeg: bytes | None) -> str | None:
        if jpeg is None:
            return None
        with_picture = [row for row in self._rows.values() if row.photo]
        for row in with_picture[: max(0, len(with_picture) - MOST_PICTURES + 1)]:
            self._store.drop_photo(row.photo or "")
            self._add({"kind": "no-picture", "number": row.number})
        try:
            return self._store.save_photo(jpeg)
        except StoreFull:
            return None


def _make_room(store: Store, new: Journal | None, demo: bool) -> None:
    """Forget what another table takes the place of. The oldest game goes only when that table has come to rest."""
    tables = [Journal(store, play["id"]) for play in store.plays(GAME) if new is None or play["id"] != new.table]
    empty = [table for table in tables if not table.rows()]
    demos = [table for table in tables if table.rows() and table.begun.get("source") == DEMO]
    games = [table for table in tables if table.rows() and table.begun.get("source") != DEMO]
    takes = new is not None
    for old in empty + demos[1 - (demo and takes) :] + games[MOST_TABLES - (not demo and takes) :]:
        store.delete_play(old.table)
