"""A table's history on disk: settled states with their pictures, and what people typed, in the order of their coming.

Nothing of a settled state stays in memory: rows are listed, and a whole one is read, when somebody looks at it.
"""

import json
import sqlite3
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from hashlib import sha256
from itertools import pairwise
from typing import Any, Self

from common.messages import OddError, shown
from companion.cases.evenings import Evenings
from companion.cases.said import AGAIN, ENTRIES, entries_of
from companion.cases.store import Store, StoreFull, kept_json
from companion.cases.table import Entries
from companion.log import signed

GAME = "live-table"
"""What the store files tables under."""
MOST_ROWS = 2000
"""Settled states that are listed, at most: the oldest go."""
MOST_PICTURES = 300
"""Pictures kept of one table, at most: the oldest states are without."""
MOST_TABLES = 4
"""Tables kept, at most: the oldest is forgotten with its pictures when another has come to rest, and its games stay on
the list of evenings as tapped ones. One demo is kept beside them."""
DEMO = "demo"
FOLLOWED, STOPPED = "followed", "stopped"
"""Somebody follows the table again; it is followed no longer because somebody said so, or began another one."""


COLUMNS = "number, at, photo, totals, first"


@dataclass(frozen=True)
class Row:
    """A settled state in short."""

    number: int  # its number in the history, from 0
    at: float  # when the table came to rest, seconds since 1970
    photo: str | None  # its picture's id; None where none was kept
    totals: Mapping[str, int | None]  # points by player's zone; None where they are unknown
    first: bool = False  # whether another game began with it, on the same table


@dataclass(frozen=True)
class Game:
    """A game that was played on a table, as it was last seen."""

    id: str  # its name among all games
    begun: float
    row: Row  # its last one
    state: dict[str, Any]


class Journal:
    """One table's history. Thread-safe. Raises common.messages.OddError where a row of it cannot be read."""

    def __init__(self, store: Store, table: str) -> None:
        self._store, self.table = store, table
        self.begun: dict[str, Any] = {}
        self.events: list[dict[str, Any]] = []
        """All that happened beside its states: what people said is a fold of it, see `companion.cases.said`."""
        self.pieces: list[Mapping[str, Any]] = []
        """What people said of the pieces that lie there, as `corrected` took it."""
        self.photo: tuple[str, float] | None = None
        """The newest photo that people brought: its id, and how many pixels of its file one of it stands for."""
        for number, edit in enumerate(store.edits(table)):
            try:
                self._take(edit)
            except (KeyError, TypeError) as error:
                raise OddError("problem.odd", number=number, got=shown(edit)) from error

    @classmethod
    def begin(cls, store: Store, profile: str, begun: dict[str, Any]) -> Self:
        """A new table's history; `begun` says what it was followed with. Tables where nothing came to rest go."""
        _make_room(store, None, begun.get("source") == DEMO)
        table = store.start_play(GAME, profile)
        store.add_edit(table, {"kind": "begun", **begun})
        return cls(store, table)

    def _take(self, edit: dict[str, Any]) -> None:
        kind = edit["kind"]
        self.events.append(edit)
        if kind == "begun":
            self.begun = {key: value for key, value in edit.items() if key != "kind"}
        elif kind == "profile":
            self.begun = {**self.begun, "profile": edit["profile"], "file": edit["file"]}
        elif kind == "pieces":
            self.pieces = edit["pieces"]
        elif kind == "photo":
            self.photo = edit["photo"], edit["scale"]

    @contextmanager
    def together(self) -> Iterator[None]:
        """All that is written meanwhile is on disk at the end, or nothing of it where something is raised."""
        before = [*self.events], self.pieces
        try:
            with self._store.transaction():
                yield
        except BaseException:
            self.events, self.pieces = before
            raise

    @property
    def entries(self) -> Entries:
        """What people typed."""
        return entries_of(self.events)

    @property
    def broken_off(self) -> bool:
        """Whether nobody stopped following: the program ended before. Tables of which that is not `told` are none."""
        told = [event["kind"] for event in self.events if event["kind"] in (FOLLOWED, STOPPED)]
        return bool(self.begun.get("told")) and told[-1:] != [STOPPED]

    def tell(self, kind: str) -> None:
        """The table is FOLLOWED again, or STOPPED."""
        self._add({"kind": kind})

    def add(self, event: Mapping[str, Any], by: str) -> None:
        """A device said something, or takes it back."""
        (said,) = signed([event], by, len(self.events))
        self._add(said)

    def _add(self, edit: dict[str, Any]) -> None:
        self._store.add_edit(self.table, edit)
        self._take(edit)

    def rows(self) -> list[Row]:
        """The settled states that are listed, in order."""
        found = self._store.run(f"SELECT {COLUMNS} FROM settled WHERE play = ? ORDER BY number", self.table)
        return [_row(*one) for one in found]

    def games(self) -> Iterator[Game]:
        """The games that were played on the table, one after the other."""
        rows = self.rows()
        starts = [i for i, row in enumerate(rows) if i == 0 or row.first]
        for start, after in pairwise([*starts, len(rows)]):
            first, last = rows[start], rows[after - 1]
            name = sha256(f"{self.table} {first.number}".encode()).hexdigest()[: len(self.table)]
            if whole := self.whole(last.number):
                yield Game(name if start else self.table, first.at, last, whole["state"])

    def row(self, number: int | None = None) -> Row | None:
        """A settled state in short, the newest where no number is given."""
        found = self._one(COLUMNS, number)
        return _row(*found[0]) if found else None

    def whole(self, number: int | None = None) -> dict[str, Any] | None:
        """A settled state as it was added, likewise."""
        found = self._one("number, body", number)
        return kept_json(*found[0]) if found else None

    def _one(self, columns: str, number: int | None) -> list[Any]:
        one = "coalesce(?, (SELECT max(number) FROM settled WHERE play = ?))"
        asked = f"SELECT {columns} FROM settled WHERE play = ? AND number = {one}"
        return self._store.run(asked, self.table, number, self.table)

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
        photo = self._keep(jpeg)
        try:
            with self._store.transaction() as db:
                newest = "SELECT coalesce(max(number), -1) + 1 FROM settled WHERE play = ?"
                (number,) = db.execute(newest, (self.table,)).fetchone()
                values = (self.table, number, at, photo, _text(totals), first, _text(body))
                db.execute("INSERT INTO settled VALUES (?, ?, ?, ?, ?, ?, ?)", values)
                gone = self._shorten(db, number)
        except sqlite3.Error:
            self._store.drop_photo(photo or "-")
            raise
        for old in gone:
            self._store.drop_photo(old)
        if number == 0:
            _make_room(self._store, self.table, self.begun.get("source") == DEMO)
        return int(number)

    def _shorten(self, db: sqlite3.Connection, newest: int) -> list[str]:
        """Forget the oldest rows and pictures beyond the limits. Returns the ids of the pictures to drop."""
        photos = db.execute(
            "SELECT number, photo FROM settled WHERE play = ? AND photo NOT NULL ORDER BY number DESC", (self.table,)
        ).fetchall()
        too_old = newest - MOST_ROWS
        gone = [(n, photo) for i, (n, photo) in enumerate(photos) if i >= MOST_PICTURES or n <= too_old]
        for n, _ in gone:
            db.execute("UPDATE settled SET photo = NULL WHERE play = ? AND number = ?", (self.table, n))
        db.execute("DELETE FROM settled WHERE play = ? AND number <= ?", (self.table, too_old))
        return [photo for _, photo in gone]

    def changed(self, number: int, totals: Mapping[str, int | None], body: Mapping[str, Any]) -> None:
        """A settled state is another now that people said something."""
        update = "UPDATE settled SET totals = ?, body = ? WHERE play = ? AND number = ?"
        self._store.run(update, _text(totals), _text(body), self.table, number)

    def typed(self, entries: Entries) -> None:
        """All that is typed from now on: nothing of it can be taken back."""
        self._add({"kind": ENTRIES, "entries": {"table": dict(entries.table), "players": dict(entries.players)}})

    def again(self) -> None:
        """A film is followed from its beginning."""
        self._add({"kind": AGAIN})

    def corrected(self, pieces: list[Mapping[str, Any]]) -> None:
        """What people said of pieces, all of it as it is now."""
        if pieces != self.pieces:
            self._add({"kind": "pieces", "pieces": pieces})

    def photographed(self, jpeg: bytes, scale: float) -> None:
        """A photo that people brought, see `photo`: only the newest is kept whole. Raises StoreFull."""
        old = self.photo
        self._add({"kind": "photo", "photo": self._store.save_photo(jpeg), "scale": scale})
        if old:
            self._store.drop_photo(old[0])

    def has_profile(self, profile: dict[str, Any], file: str | None) -> None:
        """The table goes on with another profile."""
        self._add({"kind": "profile", "profile": profile, "file": file or self.begun.get("file")})

    def _keep(self, jpeg: bytes | None) -> str | None:
        try:
            return None if jpeg is None else self._store.save_photo(jpeg)
        except StoreFull:
            return None


def _row(number: int, at: float, photo: str | None, totals: str, first: int) -> Row:
    return Row(number, at, photo, kept_json(number, totals), bool(first))


def _text(value: Mapping[str, Any]) -> str:
    return json.dumps(dict(value), ensure_ascii=False)


def _make_room(store: Store, new: str | None, demo: bool) -> None:
    """Forget what a table takes the place of. The oldest game goes only when the `new` table has come to rest."""
    rested = {row[0] for row in store.run("SELECT DISTINCT play FROM settled")}
    others = [play["id"] for play in store.plays(GAME) if play["id"] != new]
    empty = [table for table in others if table not in rested]
    of_demo = {table for table in others if _begun(store, table).get("source") == DEMO}
    demos = [table for table in others if table in rested & of_demo]
    games = [table for table in others if table in rested - of_demo]
    takes = new is not None
    too_many = [table for table in games[MOST_TABLES - (not demo and takes) :] if table not in store.in_use]
    for old in too_many:
        with suppress(OddError, StoreFull):
            for game in Journal(store, old).games():
                if any(total is not None for total in game.row.totals.values()):
                    Evenings(store).keep(game.id, game.state, begun=game.begun)
    for old in {*empty, *demos[1 - (demo and takes) :], *too_many} - store.in_use:
        store.delete_play(old)


def _begun(store: Store, table: str) -> dict[str, Any]:
    """What a table was followed with; nothing where that cannot be read."""
    try:
        return store.edit(table, 0) or {}
    except OddError:
        return {}
