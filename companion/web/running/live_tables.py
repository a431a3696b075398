"""The table being followed, earlier ones, and the saved layouts."""

import json
import threading
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from calibration.camera import CameraProfile
from common.file_kind import marked
from companion.camera_address import without_password
from companion.cases.journal import DEMO, GAME, Journal
from companion.cases.kept import Kept
from companion.cases.people import People
from companion.cases.store import SHEET_NAME, Store, free_name, newest, write
from companion.games import game_of
from companion.live.session import TableSession
from companion.malloc import give_back
from companion.sources import Source, SourceError
from companion.sources.photos import PhotoSource
from companion.sources.undistorted import Straightened
from companion.web.language import saved_files
from companion.web.running.table_eyes import PHOTOS, TableEyes
from vision.table.palette import Palette, PaletteError
from vision.table.profile import TableProfile

MOST_STREAMS = 110
"""Pages that hear of changes as they come; others ask now and then."""
MOST_PICTURES = 16
"""Pages that see the moving picture; others fetch one now and then."""
MOST_SAID = 16
"""Changes kept in words."""
DEMO_UNSEEN = 300.0
"""Seconds after which a demo that nobody looks at stops."""


class LiveTables:
    """At most one table is followed at a time: starting another stops it. Thread-safe."""

    def __init__(self, store: Store, eyes: TableEyes) -> None:
        self.store, self.eyes = store, eyes
        self.people = People(store)
        """Names and colors of whoever plays here."""
        self.streams = threading.BoundedSemaphore(MOST_STREAMS)
        self.pictures = threading.BoundedSemaphore(MOST_PICTURES)
        self.closing = threading.Event()
        """Set when the program ends: nobody waits for news any longer."""
        self.said: Kept[tuple[Any, ...], list[str]] = Kept(MOST_SAID)
        """What listeners hear, worded once a language."""
        self.views: Kept[tuple[str, str, int], dict[str, Any]] = Kept(MOST_SAID)
        """Tables as pages show them, by what was followed, language and change."""
        self._lock = threading.Lock()
        self.now: TableSession | None = None
        """The table that is followed."""
        self._past: dict[str, Journal] = {}
        self.looked: tuple[str, np.ndarray] | None = None
        """The table and the frame in which a row of colors was last looked at."""

    def start(
        self, spec: str, profile: TableProfile, file: str | None, files: bool, camera: CameraProfile | None = None
    ) -> TableSession:
        """Follow a table from now on; `file` is the saved profile's name, `camera` the lens. Raises SourceError."""
        source = _straight(self.eyes.source(spec, files), camera)
        with self._lock:
            self._stop()
            begun = {"source": spec, "profile": profile.to_json(), "file": file}
            if "://" in spec:
                begun |= {"source": without_password(spec), "sealed": self.store.seal(spec)}
            if camera is not None:
                begun["camera"] = camera.to_json()
            journal = Journal.begin(self.store, profile.name, begun)
            return self._run(journal, profile, source)

    def again(self, table: str, files: bool) -> TableSession | None:
        """Go on following a table that was followed before. Raises SourceError, TableProfileError."""
        journal = self.journal(table)
        if journal is None:
            return None
        profile = usable(TableProfile.from_json(journal.begun["profile"]))
        lens = journal.begun.get("camera")
        camera = None if lens is None else CameraProfile.from_json(lens)
        source = _straight(self.eyes.source(self._spec(journal.begun), files), camera)
        with self._lock:
            self._stop()
            self._past.pop(table, None)
            return self._run(Journal(self.store, table), profile, source)

    def _spec(self, begun: dict[str, Any]) -> str:
        """What names the source of a table that was followed before. Raises SourceError."""
        spec = self.store.unseal(begun["sealed"]) if "sealed" in begun else begun["source"]
        if spec is None:
            raise SourceError("source.sealed", got=begun["source"])
        return str(spec)

    def _run(self, journal: Journal, profile: TableProfile, source: Any) -> TableSession:
        profile = self.with_decks(profile)
        unseen = DEMO_UNSEEN if journal.begun["source"] == DEMO else None
        follower = self.eyes.photo_follower if journal.begun["source"] == PHOTOS else self.eyes.follower
        session = TableSession(journal, profile, source, follower, unseen)
        try:
            session.start()
        except Exception:
            if journal.row() is None:
                self.store.delete_play(journal.table)
            raise
        self.now = session
        return session

    def with_decks(self, profile: TableProfile) -> TableProfile:
        """The profile with the enrolled decks of its game beside its own."""
        kept = [str(path) for path in self.store.deck_files(game_of(profile).slug)]
        return replace(profile, decks=tuple(dict.fromkeys((*profile.decks, *kept))))

    def decks_changed(self, game: str) -> None:
        """A deck of a game was learnt or brought: the table that is followed knows it from now on."""
        with self._lock:
            if self.now is not None and game_of(self.now.profile).slug == game:
                self.now.take_profile(self.with_decks(self.now.profile))

    def _stop(self) -> None:
        if self.now is not None:
            self.now.stop()
            self._past[self.now.table] = self.now.journal
            self.now = None
            give_back()

    def stop(self, table: str | None = None) -> None:
        """Stop following, this table or whichever it is."""
        with self._lock:
            if self.now is not None and table in (None, self.now.table):
                self._stop()

    def close(self) -> None:
        """Stop for good: the program ends."""
        self.closing.set()
        self.stop()

    def session(self, table: str) -> TableSession | None:
        """That table's session while it is followed."""
        session = self.now
        return session if session is not None and session.table == table else None

    def journal(self, table: str) -> Journal | None:
        """A table's history, followed or not."""
        session = self.session(table)
        if session is not None:
            return session.journal
        with self._lock:
            row = self.store.play(table)
            if row is None or row["game"] != GAME:
                self._past.pop(table, None)
                return None
            if table not in self._past:
                self._past = {table: Journal(self.store, table)}
            return self._past[table]

    def forget(self, table: str) -> None:
        """Forget a table, its history and pictures."""
        self.stop(table)
        with self._lock:
            self._past.pop(table, None)
            self.store.delete_play(table)

    # Profiles

    def profiles(self) -> list[dict[str, Any]]:
        """Saved profiles, newest first; a broken one says so."""

        def shown(file: str) -> dict[str, Any]:
            profile = self.profile(file)
            return {"name": profile.name, "zones": list(profile.zones), "game": game_of(profile).slug}

        return saved_files(filter(SHEET_NAME.fullmatch, newest(self.store.tables)), shown)

    def profile(self, file: str) -> TableProfile:
        """A saved profile that a table can be followed with. Raises OSError, TableProfileError, PaletteError."""
        if not SHEET_NAME.fullmatch(file):
            raise FileNotFoundError(file)
        return usable(TableProfile.load(self.store.tables / f"{file}.json"))

    def save(self, profile: TableProfile, file: str | None = None) -> str:
        """Keep a profile; returns its file's name, a new one where none is given."""
        name = file or free_name(profile.name, newest(self.store.tables), "table")
        data = profile.to_json()
        if isinstance(data.get("palette"), str):
            data["palette"] = data["palette"].replace("\\", "/").rsplit("/", 1)[-1]
        write(
            self.store.tables / f"{name}.json", json.dumps(marked("table", data), ensure_ascii=False, indent=1).encode()
        )
        return name


def usable(profile: TableProfile) -> TableProfile:
    """The profile, if its game is known and its palette is there. Raises TableProfileError, PaletteError."""
    game_of(profile)
    if profile.palette is not None:
        try:
            Palette.load(Path(profile.palette))
        except OSError:
            name = Path(profile.palette).name
            raise PaletteError("", "profile.file", name, file=name) from None
    return profile


def _straight(source: Source, camera: CameraProfile | None) -> Source:
    return source if camera is None else Straightened(source, camera)


def photo_source(session: TableSession) -> PhotoSource | None:
    """What takes photos of a table; None where it is filmed."""
    source: Source = session.source
    if isinstance(source, Straightened):
        source = source.inner
    return source if isinstance(source, PhotoSource) else None
