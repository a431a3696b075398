"""The table that is filmed, those that are photographed, earlier ones, and the saved layouts."""

import json
import threading
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from calibration.camera import CameraProfile
from common.file_kind import marked
from companion.camera_address import without_password
from companion.cases.journal import DEMO, FOLLOWED, GAME, STOPPED, Journal
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
MOST_PHOTOGRAPHED = 3
"""Tables that wait for photos at once; the one whose photo is oldest is closed, and opens again with its next photo."""
DEMO_UNSEEN = 300.0
"""Seconds after which a demo that nobody looks at stops."""


class LiveTables:
    """At most one table is filmed at a time: filming another stops it. A few more are photographed. Thread-safe."""

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
        self.filmed: TableSession | None = None
        """The table under a camera, also after its film was broken off."""
        self._photographed: dict[str, TableSession] = {}
        """Tables whose photos people bring, by table, the one opened or photographed last at the end."""
        self._past: dict[str, Journal] = {}
        self.looked: tuple[str, np.ndarray] | None = None
        """The table and the frame in which a row of colors was last looked at."""

    @property
    def open(self) -> list[TableSession]:
        """All tables that are filmed or photographed, the one that is played at the end."""
        filmed, photographed = self.filmed, [*self._photographed.values()]
        if filmed is None:
            return photographed
        return [*photographed, filmed] if filmed.running else [filmed, *photographed]

    @property
    def now(self) -> TableSession | None:
        """The table that is played: the filmed one, else the one photographed last."""
        return next(reversed(self.open), None)

    def start(
        self, spec: str, profile: TableProfile, file: str | None, files: bool, camera: CameraProfile | None = None
    ) -> TableSession:
        """Follow a table from now on; `file` is the saved profile's name, `camera` the lens. Raises SourceError."""
        source = _straight(self.eyes.source(spec, files), camera)
        with self._lock:
            self._make_way(spec == PHOTOS)
            begun = {"source": spec, "profile": profile.to_json(), "file": file, "told": spec != PHOTOS}
            if "://" in spec:
                begun |= {"source": without_password(spec), "sealed": self.store.seal(spec)}
            if camera is not None:
                begun["camera"] = camera.to_json()
            journal = Journal.begin(self.store, profile.name, begun)
            return self._run(journal, profile, source)

    def again(self, table: str, files: bool) -> TableSession | None:
        """Go on following a table that was followed before; one that waits for photos does so already.

        Raises SourceError, TableProfileError.
        """
        journal = self.journal(table)
        if journal is None:
            return None
        profile = usable(TableProfile.from_json(journal.begun["profile"]))
        lens = journal.begun.get("camera")
        camera = None if lens is None else CameraProfile.from_json(lens)
        source = _straight(self.eyes.source(self._spec(journal.begun), files), camera)
        with self._lock:
            if (waits := self._photographed.get(table)) is not None:
                return waits
            self._make_way(journal.begun["source"] == PHOTOS)
            self._past.pop(table, None)
            session = self._run(Journal(self.store, table), profile, source)
            session.journal.tell(FOLLOWED)
            return session

    def _spec(self, begun: dict[str, Any]) -> str:
        """What names the source of a table that was followed before. Raises SourceError."""
        spec = self.store.unseal(begun["sealed"]) if "sealed" in begun else begun["source"]
        if spec is None:
            raise SourceError("source.sealed", got=begun["source"])
        return str(spec)

    def _make_way(self, photos: bool) -> None:
        """Close the table that one which is photographed, or filmed, takes the place of."""
        waiting = [*self._photographed.values()]
        if not photos:
            self._close(self.filmed)
        elif len(waiting) >= MOST_PHOTOGRAPHED:
            self._close(waiting[0])

    def _run(self, journal: Journal, profile: TableProfile, source: Any) -> TableSession:
        photos = journal.begun["source"] == PHOTOS
        profile = self.with_decks(profile)
        unseen = DEMO_UNSEEN if journal.begun["source"] == DEMO else None
        follower = self.eyes.photo_follower if photos else self.eyes.follower
        session = TableSession(journal, profile, source, follower, unseen)
        try:
            session.start()
        except Exception:
            if journal.row() is None:
                self.store.delete_play(journal.table)
            raise
        if photos:
            self._photographed[session.table] = session
        else:
            self.filmed = session
        self.store.in_use.add(session.table)
        return session

    def with_decks(self, profile: TableProfile) -> TableProfile:
        """The profile with the enrolled decks of its game beside its own."""
        kept = [str(path) for path in self.store.deck_files(game_of(profile).slug)]
        return replace(profile, decks=tuple(dict.fromkeys((*profile.decks, *kept))))

    def decks_changed(self, game: str) -> None:
        """A deck of a game was learnt or brought: the tables that are open know it from now on."""
        with self._lock:
            for session in self.open:
                if game_of(session.profile).slug == game:
                    session.take_profile(self.with_decks(session.profile))

    def _close(self, session: TableSession | None, *, told: bool = True) -> None:
        """Follow a table no longer; `told`: because somebody said so, or follows another one."""
        if session is None:
            return
        session.stop()
        if told:
            session.journal.tell(STOPPED)
        self._past[session.table] = session.journal
        if session is self.filmed:
            self.filmed = None
        self._photographed.pop(session.table, None)
        self.store.in_use.discard(session.table)
        give_back()

    def stop(self, table: str | None = None) -> None:
        """Stop following this table, since somebody says so; or all, since the program ends."""
        with self._lock:
            for session in self.open:
                if table in (None, session.table):
                    self._close(session, told=table is not None)

    def close(self) -> None:
        """Stop for good: the program ends."""
        self.closing.set()
        self.stop()

    def session(self, table: str) -> TableSession | None:
        """That table's session while it is open."""
        return next((session for session in self.open if session.table == table), None)

    def photographed(self, table: str) -> None:
        """A photo of this table was brought: of those that wait for photos it is the one that is played."""
        with self._lock:
            if (session := self._photographed.pop(table, None)) is not None:
                self._photographed[table] = session

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
            return {
                "name": profile.name,
                "zones": list(profile.zones),
                "game": game_of(profile).slug,
                "rule": profile.rule,
            }

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
