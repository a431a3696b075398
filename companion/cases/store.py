"""What is kept on disk: plays as lists of edits, photos, sheet profiles.

One folder holds it all. Edits are only ever added, in SQLite with a write-ahead log that
is flushed before an answer goes out: what the page has acknowledged survives a power cut. A copy of the
database is made each day. All of it is readable by its owner only.
"""

from __future__ import annotations

import base64
import hashlib
import json
import os
import re
import secrets
import sqlite3
import threading
import time
from collections.abc import Collection, Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from datetime import date
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

from common.messages import InputError, OddError, shown
from common.whole_file import write_whole
from companion.camera_address import without_password
from companion.file_lock import lock
from companion.log import signed

if TYPE_CHECKING:
    from cryptography.fernet import Fernet

SCHEMA = (
    """CREATE TABLE IF NOT EXISTS plays (
        id TEXT PRIMARY KEY, game TEXT NOT NULL, sheet TEXT NOT NULL, started REAL NOT NULL)""",
    """CREATE TABLE IF NOT EXISTS edits (
        play TEXT NOT NULL REFERENCES plays (id), number INTEGER NOT NULL, at REAL NOT NULL, body TEXT NOT NULL,
        PRIMARY KEY (play, number))""",
    "CREATE TABLE IF NOT EXISTS drafts (id TEXT PRIMARY KEY, at REAL NOT NULL, body TEXT NOT NULL)",
    """CREATE TABLE IF NOT EXISTS settled (
        play TEXT NOT NULL REFERENCES plays (id), number INTEGER NOT NULL, at REAL NOT NULL, photo TEXT,
        totals TEXT NOT NULL, first INTEGER NOT NULL, body TEXT NOT NULL, PRIMARY KEY (play, number))""",
)
OWNER_ONLY = 0o600
"""The permissions of a new file."""
PLAY = ("id", "game", "sheet", "started")
"""The columns of a play."""
VERSION = 3
"""Of the data folder. 1 had cameras' passwords in clear. 2 kept what people said of a table all anew with each word,
and not who said what: that is read as it is."""
ID = re.compile(r"[0-9a-f]{16}")
SHEET_NAME = re.compile(r"[a-z0-9][a-z0-9-]{0,39}")
SHEET_PICTURES = {"blank": ".png", "page": "-page.png"}
"""How the pictures of a sheet profile end: the blank sheet, its whole page."""
DATABASE = "companion.sqlite3"
COPIES = "copies"
"""The folder of the database's daily copies."""
KEPT_COPIES = 7
"""How many of them are kept."""
ORPHAN_AGE = 3600.0
"""Seconds after which a picture is thrown away that nothing refers to: an upload under way has its picture first."""
PICTURE = re.compile(r"(?<![0-9a-f])[0-9a-f]{16}(?![0-9a-f])")
"""What may be a picture's id."""
MAX_PICTURES = 4000
"""Files kept at most beside photos, four a photo: itself, the sheet from above, its letters as a picture and as they
are judged again (about half a megabyte together)."""


class SheetNameError(InputError):
    """No name that a sheet profile's file may have."""


class NewerDataError(sqlite3.DatabaseError):
    """The data folder was written by a newer companion."""


class DamagedDataError(sqlite3.DatabaseError):
    """The database is damaged, or empty where there was one."""


class InUseError(OSError):
    """Another companion works on the data folder; its address stands in `where`."""

    def __init__(self, where: str) -> None:
        super().__init__(where)
        self.where = where


class StoreFull(Exception):
    """No photo more is taken: the folder holds `MAX_PICTURES` already."""


class Store:
    """The data folder.

    Raises OSError or sqlite3.Error where the folder cannot be written.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.photos = folder / "photos"
        self.sheets = folder / "sheets"
        self.tables = folder / "tables"
        self.copies = folder / COPIES
        self.decks = folder / "decks"
        self.in_use: set[str] = set()
        """Tables that are filmed or photographed now: none of them makes room for another."""
        database = folder / DATABASE
        if not folder.exists() or database.exists() or not any(folder.iterdir()):  # else it is not ours alone
            folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            folder.chmod(0o700)
        for path in (self.photos, self.sheets, self.tables, self.copies, self.decks):
            path.mkdir(mode=0o700, exist_ok=True)
        if database.exists() and not database.stat().st_size and any(self.copies.iterdir()):
            raise DamagedDataError("the file is empty")
        database.touch(OWNER_ONLY)
        database.chmod(OWNER_ONLY)
        self._db = sqlite3.connect(database, timeout=10, isolation_level=None, check_same_thread=False)
        self._lock = threading.RLock()
        with self.open() as db:
            if (said := db.execute("PRAGMA quick_check(1)").fetchone()[0]) != "ok":
                raise DamagedDataError(said)
            db.execute("PRAGMA journal_mode=WAL")
            db.execute("PRAGMA synchronous=FULL")
            db.execute("PRAGMA secure_delete=ON")
            (version,) = db.execute("PRAGMA user_version").fetchone()
            if version > VERSION:
                raise NewerDataError(f"expected version {VERSION} or older, got {version} of a newer companion")
            if version < VERSION:
                self._migrate()

    @contextmanager
    def open(self) -> Iterator[sqlite3.Connection]:
        """The database, for this thread alone meanwhile. Each statement is on disk when it is done."""
        with self._lock:
            yield self._db

    @contextmanager
    def transaction(self) -> Iterator[sqlite3.Connection]:
        """The database; all that is done with it counts, or nothing where something is raised."""
        with self.open() as db:
            db.execute("BEGIN IMMEDIATE")
            try:
                yield db
            except BaseException:
                db.execute("ROLLBACK")
                raise
            db.execute("COMMIT")

    def run(self, statement: str, *values: Any) -> list[Any]:
        """Do a statement; it is on disk when this returns. Returns its rows."""
        with self.open() as db:
            return db.execute(statement, values).fetchall()

    def wipe(self) -> None:
        """What was deleted leaves the write-ahead log too. The copies of the last days keep it until they go."""
        self.run("PRAGMA wal_checkpoint(TRUNCATE)")

    def _migrate(self) -> None:
        with self.transaction() as db:
            for statement in SCHEMA:
                db.execute(statement)
            self._seal_passwords(db)
            db.execute(f"PRAGMA user_version = {VERSION}")

    def _seal_passwords(self, db: sqlite3.Connection) -> None:
        """Addresses of cameras that version 1 wrote down in clear."""
        begun = db.execute('SELECT play, number, body FROM edits WHERE body LIKE \'{"kind": "begun"%://%\'')
        for play, number, text in begun.fetchall():
            with suppress(OddError):
                body = kept_json(number, text)
                source = str(body.get("source"))
                if "sealed" not in body and "://" in source:
                    body |= {"source": without_password(source), "sealed": self.seal(source)}
                    sealed = (json.dumps(body, ensure_ascii=False), play, number)
                    db.execute("UPDATE edits SET body = ? WHERE play = ? AND number = ?", sealed)

    # Plays

    def start_play(self, game: str, sheet: str) -> str:
        """A new play of a game, with the sheet profile it uses; returns its id."""
        play = new_id()
        self.run("INSERT INTO plays VALUES (?, ?, ?, ?)", play, game, sheet, time.time())
        return play

    def play(self, play: str) -> dict[str, Any] | None:
        """A play's row: id, game, sheet, started."""
        return next(iter(self._plays("WHERE id = ?", play)), None)

    def plays(self, game: str) -> list[dict[str, Any]]:
        """All plays of a game, the newest first."""
        return self._plays("WHERE game = ? ORDER BY rowid DESC", game)

    def _plays(self, which: str, value: str) -> list[dict[str, Any]]:
        rows = self.run(f"SELECT {', '.join(PLAY)} FROM plays {which}", value)
        return [dict(zip(PLAY, row, strict=True)) for row in rows]

    def delete_play(self, play: str) -> None:
        """Forget a play, and its photos."""
        with self.transaction() as db:
            bodies = [row[0] for row in db.execute("SELECT body FROM edits WHERE play = ?", (play,))]
            settled = "SELECT photo FROM settled WHERE play = ? AND photo NOT NULL"
            photos = {row[0] for row in db.execute(settled, (play,))}
            for table in ("edits", "settled"):
                db.execute(f"DELETE FROM {table} WHERE play = ?", (play,))
            db.execute("DELETE FROM plays WHERE id = ?", (play,))
        self.wipe()
        for photo in photos.union(*(re.findall(r'"photo": "([0-9a-f]{16})"', str(body)) for body in bodies)):
            self.drop_photo(photo)

    def edits(self, play: str) -> list[dict[str, Any]]:
        """A play's edits, in order. Raises OddError where one cannot be read."""
        rows = self.run("SELECT number, body FROM edits WHERE play = ? ORDER BY number", play)
        return [kept_json(*row) for row in rows]

    def edit(self, play: str, number: int) -> dict[str, Any] | None:
        """One edit of a play, by its number from 0. Raises OddError."""
        rows = self.run("SELECT number, body FROM edits WHERE play = ? AND number = ?", play, number)
        return kept_json(*rows[0]) if rows else None

    def add_edit(self, play: str, edit: dict[str, Any]) -> int:
        """Add an edit to a play; it is on disk when this returns. Returns its number."""
        insert = "INSERT INTO edits SELECT ?, coalesce(max(number), -1) + 1, ?, ? FROM edits WHERE play = ?"
        with self.open():
            self.run(insert, play, time.time(), json.dumps(edit, ensure_ascii=False), play)
            return int(self.run("SELECT max(number) FROM edits WHERE play = ?", play)[0][0])

    def add_edits(self, play: str, edits: Sequence[dict[str, Any]], by: str) -> list[dict[str, Any]]:
        """Add edits that a device made as one thing, all or none; they are on disk when this returns, as they are."""
        with self.transaction():
            first = self.run("SELECT coalesce(max(number), -1) + 1 FROM edits WHERE play = ?", play)[0][0]
            said = signed(edits, by, first)
            for edit in said:
                self.add_edit(play, edit)
        return said

    # Sheets that are being enrolled

    def save_draft(self, draft: str, body: dict[str, Any]) -> None:
        """Keep a sheet that is being enrolled."""
        self.run("INSERT OR REPLACE INTO drafts VALUES (?, ?, ?)", draft, time.time(), json.dumps(body))

    def draft(self, draft: str) -> dict[str, Any] | None:
        """A sheet that is being enrolled. Raises OddError."""
        rows = self.run("SELECT body FROM drafts WHERE id = ?", draft)
        return kept_json(0, rows[0][0]) if rows else None

    def drafts_of(self, sheet: str) -> dict[str, dict[str, Any]]:
        """The drafts that were saved as a sheet profile, by id, the newest first."""
        rows = self.run("SELECT id, body FROM drafts WHERE json_valid(body) ORDER BY at DESC")
        drafts = {draft: json.loads(body) for draft, body in rows}
        return {draft: body for draft, body in drafts.items() if body.get("saved") == sheet}

    def forget_sheet(self, sheet: str) -> None:
        """Forget a sheet profile with its blank sheet, the drafts that became it and their photos."""
        path = self.sheet_file(sheet)
        path.unlink(missing_ok=True)
        for ending in SHEET_PICTURES.values():
            path.with_name(f"{path.stem}{ending}").unlink(missing_ok=True)
        drafts = self.drafts_of(sheet)
        for draft in drafts:
            self.run("DELETE FROM drafts WHERE id = ?", draft)
        self.wipe()
        for photo in {b["photo"] for body in drafts.values() for b in (body, body.get("kept") or {}) if b.get("photo")}:
            self.drop_photo(photo)

    # Files

    def save_photo(self, jpeg: bytes) -> str:
        """Keep a photo; returns its id, which its file is named by. Raises StoreFull."""
        self._room_for(1)
        photo = new_id()
        write(self.photos / f"{photo}.jpg", jpeg)
        return photo

    def letters_file(self, photo: str) -> Path:
        """Where the letters of a kept photo lie as they are judged again."""
        return self.photos / f"{photo}-letters.npz"

    def drop_photo(self, photo: str) -> None:
        """Forget a photo's files."""
        for path in self.photos.glob(f"{photo}*.*"):
            path.unlink(missing_ok=True)

    def add_views(self, photo: str, *views: bytes) -> list[str]:
        """Keep more pictures made from a photo, as JPEG; returns their names."""
        self._room_for(len(views))
        names = [f"{photo}-{secrets.token_hex(4)}" for _ in views]
        for name, data in zip(names, views, strict=True):
            write(self.photos / f"{name}.jpg", data)
        return names

    def _room_for(self, more: int) -> None:
        for tidied in (False, True):
            if sum(1 for _ in self.photos.iterdir()) + more <= MAX_PICTURES:
                return
            if not tidied:
                self.collect()
        raise StoreFull

    def collect(self) -> int:
        """Throw the pictures away that nothing in the database refers to. Returns how many."""
        old = [path for path in self.photos.glob("*.*") if time.time() - path.stat().st_mtime > ORPHAN_AGE]
        with self.open() as db:
            tables = [row[0] for row in db.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
            rows = (row for table in tables for row in db.execute(f'SELECT * FROM "{table}"'))
            named = {name for row in rows for name in PICTURE.findall(" ".join(map(str, row)))}
        gone = [path for path in old if path.name[:16] not in named]
        for path in gone:
            path.unlink(missing_ok=True)
        return len(gone)

    def copy_of_today(self) -> None:
        """Copy the database, once a day; the oldest copies go. Raises OSError, sqlite3.Error; no half copy is left."""
        copy = self.copies / f"{date.today().isoformat()}.sqlite3"
        if not copy.exists():
            half = copy.with_suffix(".half")
            try:
                half.touch(OWNER_ONLY)
                with closing(sqlite3.connect(self.folder / DATABASE)) as whole, closing(sqlite3.connect(half)) as to:
                    whole.backup(to)
                os.replace(half, copy)
            finally:
                half.unlink(missing_ok=True)
        for old in sorted(self.copies.glob("*.sqlite3"))[:-KEPT_COPIES]:
            old.unlink()

    def deck_files(self, game: str) -> list[Path]:
        """The enrolled decks of a game."""
        return sorted((self.decks / game).glob("*.json"))

    def sheet_names(self) -> list[str]:
        """The saved sheet profiles, the newest first."""
        return newest(self.sheets)

    def sheet_file(self, name: str) -> Path:
        """Where a sheet profile lies, or would lie. Raises SheetNameError."""
        if not SHEET_NAME.fullmatch(name):
            raise SheetNameError("profile.name", got=shown(name))
        return self.sheets / f"{name}.json"

    def key(self) -> bytes:
        """The secret that signs cookies: made once, readable by its owner only."""
        path = self.folder / "key"
        try:
            key = path.read_bytes()
        except FileNotFoundError:
            key = b""
        return key if len(key) >= 32 else self.new_key()

    def new_key(self) -> bytes:
        """Another secret; cookies signed with the old one are worth nothing from now on."""
        key = secrets.token_bytes(32)
        write(self.folder / "key", key)
        return key

    def seal(self, text: str) -> str:
        """A text that only this folder's key opens: it may hold a password."""
        return self._seal().encrypt(text.encode()).decode()

    def unseal(self, sealed: str) -> str | None:
        """What was sealed; None where the key is another now."""
        from cryptography.fernet import InvalidToken  # noqa: PLC0415

        try:
            return self._seal().decrypt(sealed.encode()).decode()
        except InvalidToken:
            return None

    def _seal(self) -> Fernet:
        from cryptography.fernet import Fernet  # noqa: PLC0415 - only cameras with an address need it

        return Fernet(base64.urlsafe_b64encode(hashlib.sha256(b"seal" + self.key()).digest()))


def newest(folder: Path) -> list[str]:
    """The names of a folder's JSON files, the newest first."""
    files = sorted(folder.glob("*.json"), key=lambda p: p.stat().st_mtime, reverse=True)
    return [path.stem for path in files]


def free_name(title: str, taken: Collection[str], other: str) -> str:
    """A name for a file that none of these has, like its title; `other` where that has nothing that fits."""
    stem = re.sub(r"[^a-z0-9]+", "-", title.lower()).strip("-")[:32] or other
    return stem if stem not in taken else next(n for i in range(2, 10_000) if (n := f"{stem}-{i}") not in taken)


def kept_json(number: int, text: Any) -> dict[str, Any]:
    """A row's JSON object. Raises OddError."""
    try:
        value = json.loads(text)
    except (ValueError, TypeError, RecursionError):
        value = None
    if not isinstance(value, dict):
        raise OddError("problem.odd", number=number, got=shown(text))
    return value


def claim(folder: Path, address: str) -> IO[str]:
    """Have the data folder for this program alone until the file that is returned is closed. Raises InUseError."""
    file = (folder / "lock").open("a+", encoding="utf-8")
    if not lock(file.fileno()):
        file.seek(0)
        where = file.read(200)
        file.close()
        raise InUseError(where) from None
    file.truncate(0)
    file.write(address)
    file.flush()
    return file


def new_id() -> str:
    """An id that cannot be guessed, fit for file names and addresses."""
    return secrets.token_hex(8)


def write(path: Path, data: bytes) -> None:
    """Write a file whole or not at all, readable by its owner only."""
    write_whole(path, data, OWNER_ONLY)
