"""A table that is being followed: frames come in, states that have come to rest go out, people add what no camera sees.

One thread follows; everything else may be called from any thread.
"""

from __future__ import annotations

import logging
import secrets
import sqlite3
import threading
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from companion.games.table import Entries, TableState, table_state
from companion.live.changes import STATUS, TABLE, Changes
from companion.web.live_journal import Journal
from companion.live.picture import LivePicture, small_jpeg
from companion.live.sources import ENDED, LOST, OPENING, RUNNING, Frame, Source, SourceError, SourceState
from scoring import StateError, score_state
from vision.table.profile import TableProfile
from vision.table.reading import TableReading

KEPT_WIDTH = 1280
KEPT_QUALITY = 82
PAUSE = 0.25
"""Seconds that are waited for a frame before looking whether the camera is still there."""

log = logging.getLogger("companion")


@dataclass(frozen=True)
class Status:
    """How it is with the table: `opening`, `resting`, `waiting`, `lost`, `ended`, `stopped`, `broken`.

    `why` is a message key with its values: a hand, motion, a camera that hangs, …
    """

    phase: str
    why: str = ""
    values: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Settled:
    """A table at rest.

    Attributes:
        number: its number in the history; None while it is not written down.
        at: when, seconds since 1970.
        size: width and height of the frame in pixels.
        reading: what was seen, with people's corrections.
        said: indices of the tiles of which a person said what they are.
        table: the state, and where it was seen.
        totals: points by player's zone; None where the state does not score.
    """

    number: int | None
    at: float
    size: tuple[int, int]
    reading: TableReading
    said: frozenset[int]
    table: TableState
    totals: Mapping[str, int | None]


class TableSession:
    """Follows one table.

    Args:
        journal: where its history is kept.
        profile: the table.
        source: gives frames; started and closed here.
        follower: makes, for a profile, what tells rest from motion and reads.
    """

    def __init__(
        self, journal: Journal, profile: TableProfile, source: Source, follower: Callable[[TableProfile], Any]
    ) -> None:
        self.journal = journal
        self.picture = LivePicture()
        self.changes = Changes()
        self._profile = profile
        self._source, self._make_follower = source, follower
        self._lock = threading.RLock()
        self._entries = Entries(**journal.entries) if journal.entries else Entries()
        self._status = self._rest = Status(OPENING)
        self._settled: Settled | None = None
        self._seen: tuple[TableReading, frozenset[int]] | None = None
        self._frame: np.ndarray | None = None
        self._follower: Any = None
        self.epoch = secrets.token_hex(4)
        """Tells this following from others of the same table: numbers of changes begin anew with each."""
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._run, name=f"table {journal.table}", daemon=True)

    # What it is like now

    @property
    def table(self) -> str:
        """The table's id."""
        return self.journal.table

    @property
    def profile(self) -> TableProfile:
        return self._profile

    @property
    def status(self) -> Status:
        return self._status

    @property
    def settled(self) -> Settled | None:
        """The last state that came to rest; it stays while the camera is lost."""
        return self._settled

    @property
    def entries(self) -> Entries:
        return self._entries

    @property
    def frame(self) -> np.ndarray | None:
        """The newest frame, (H, W, 3) BGR."""
        return self._frame

    @property
    def running(self) -> bool:
        return self._thread.is_alive()

    # What people do

    def start(self) -> None:
        self._thread.start()

    def stop(self, seconds: float = 5.0) -> None:
        """Stop following, and wait that long for the thread's end."""
        self._stop.set()
        self.picture.close()
        if self._thread.is_alive() and threading.current_thread() is not self._thread:
            self._thread.join(seconds)
        self._say(Status("stopped"))
        self.changes.close()

    def enter(self, table: Mapping[str, Any], players: Mapping[str, Mapping[str, Any]]) -> None:
        """Lay typed values over what was seen; None takes a value back."""
        with self._lock:
            old = self._entries
            merged = {zone: dict(values) for zone, values in old.players.items()}
            for zone, values in players.items():
                merged[zone] = _laid(merged.get(zone, {}), values)
            self._entries = Entries(_laid(old.table, table), {zone: v for zone, v in merged.items() if v})
            self._write(lambda: self.journal.typed({"table": self._entries.table, "players": self._entries.players}))
            self._judge_again()

    def say_tile(self, at: tuple[float, float], color: str | None) -> bool:
        """A person says what the tile at a point (pixels) is; None: no tile at all. False where none is there."""
        with self._lock:
            if self._follower is None or self._settled is None:
                return False
            seen = self._follower.say(at, color)
            if seen is None:
                return False
            self._seen = seen
            self._judge_again()
            return True

    def take_profile(self, profile: TableProfile, file: str | None = None) -> None:
        """Go on with another profile of the same table: zones were drawn, a palette was learned."""
        with self._lock:
            self._profile = profile
            self._follower = None
            self._write(lambda: self.journal.has_profile(profile.to_json(), file))
        self.changes.add(TABLE)

    # The thread

    def _run(self) -> None:
        source = self._source
        try:
            source.start()
            number = 0
            while not self._stop.is_set():
                frame = source.next(number, PAUSE)
                if frame is not None:
                    number = frame.number
                    self._take(frame)
                self._watch(source.state)
        except SourceError as error:
            self._say(Status(LOST, error.key, error.values))
        except Exception:
            log.exception("the table %s is not followed any more", self.table)
            self._say(Status("broken"))
        finally:
            source.close()

    def _watch(self, state: SourceState) -> None:
        if state.kind != RUNNING:
            self._say(Status(state.kind, state.key, state.values))
            if state.kind == ENDED:
                self._stop.wait(PAUSE)
        else:
            self._say(self._rest)

    def _take(self, frame: Frame) -> None:
        self._frame = frame.image
        self.picture.show(frame.image)
        with self._lock:
            if self._follower is None:
                self._follower = self._make_follower(self._profile)
            follower = self._follower
        step = follower.take(frame)
        with self._lock:
            if follower is not self._follower:
                return
            self._rest = Status("resting") if not step.waiting else Status("waiting", step.waiting)
            if step.seen is not None:
                self._say(self._rest)
                self._seen = step.seen
                self._settle(frame.image)

    def _settle(self, image: np.ndarray) -> None:
        assert self._seen is not None
        reading, said = self._seen
        state = table_state(reading, self._profile, self._entries)
        at, size = time.time(), (image.shape[1], image.shape[0])
        before = self._settled
        new = Settled(None, at, size, reading, said, state, totals(state))
        if before is not None and before.number is not None and before.table.state == state.state:
            # The same state in another place: nothing has happened in the game.
            self._settled = Settled(before.number, before.at, size, reading, said, state, new.totals)
            self.changes.add(TABLE)
            return
        self._settled = new
        self.changes.add(TABLE)
        # The page has its score by now; writing takes its time.
        number = self._write(
            lambda: self.journal.settled(at, small_jpeg(image, KEPT_WIDTH, KEPT_QUALITY), new.totals, body(new))
        )
        if number is not None:
            self._settled = Settled(number, at, size, reading, said, state, new.totals)
            self.changes.add(number)

    def _judge_again(self) -> None:
        """The same table with other words of people."""
        old = self._settled
        if old is None:
            self.changes.add(TABLE)
            return
        reading, said = self._seen or (old.reading, old.said)
        state = table_state(reading, self._profile, self._entries)
        new = Settled(old.number, old.at, old.size, reading, said, state, totals(state))
        self._settled = new
        self.changes.add(TABLE)
        if new.number is not None:
            self._write(lambda: self.journal.changed(new.number or 0, new.totals, body(new)))
            self.changes.add(new.number)

    def _say(self, status: Status) -> None:
        if status != self._status:
            self._status = status
            self.changes.add(STATUS)

    def _write(self, work: Callable[[], Any]) -> Any:
        try:
            return work()
        except (OSError, sqlite3.Error):
            log.exception("the history of table %s could not be written", self.table)
            return None


def _laid(old: Mapping[str, Any], new: Mapping[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in {**old, **new}.items() if value is not None}


def totals(table: TableState) -> dict[str, int | None]:
    """Points by player's zone; all None where the state does not score."""
    try:
        found: list[int | None] = [player.total for player in score_state(table.state).players]
    except StateError:
        found = [None] * len(table.zones)
    return dict(zip(table.zones, found, strict=False))


def body(settled: Settled) -> dict[str, Any]:
    """A settled state as it is kept: enough to draw it again and to score it again."""
    seen = settled.reading
    return {
        "size": list(settled.size),
        "tiles": [
            {"color": t.color, "zone": t.zone, "polygon": outline(t.polygon), "confidence": round(t.confidence, 3),
             "doubtful": t.doubtful, "doubt": t.doubt, "said": i in settled.said}
            for i, t in enumerate(seen.tiles)
        ],
        "cards": [
            {"marker": c.marker, "card": None if c.card is None else dict(c.card), "zone": c.zone,
             "polygon": outline(c.polygon)}
            for c in seen.cards
        ],
        "zones": {name: outline(polygon) for name, polygon in seen.zones.items()},
        "problems": [[p.key, dict(p.values)] for p in (*seen.problems, *settled.table.problems)],
        "state": settled.table.state,
        "places": {place: list(pieces) for place, pieces in settled.table.places.items()},
        "players": list(settled.table.zones),
    }  # fmt: skip


def outline(polygon: np.ndarray) -> list[list[float]]:
    """Points for drawing: pixels from the first pixel's corner."""
    return [[round(float(x) + 0.5, 1), round(float(y) + 0.5, 1)] for x, y in polygon]
