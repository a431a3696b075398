"""Frames in, settled states out.

The table is read only when it rests, twice, on two frames; an event goes out only when what lies there is something
else than before. A hand that lies still is no rest: what came into the picture and is none of the game's pieces is
waited for, for a while. Then it is taken for a thing that somebody put down.
"""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Hashable
from dataclasses import dataclass
from typing import Any, Protocol

import cv2
import numpy as np

from companion.answer import answer
from companion.games.table import Entries, TableState, table_state
from companion.live.corrections import Corrections
from companion.live.rest import WIDTH, Rest
from companion.live.sources.frame import Frame
from companion.words import Words
from scoring import Breakdown, StateError, score_state
from vision.errors import PhotoError
from vision.table.profile import TableProfile
from vision.table.read import TableReader
from vision.table.reading import TableReading


class Reader(Protocol):
    """What reads a picture of a table."""

    def read(self, image: np.ndarray) -> TableReading:
        """(H, W, 3) BGR. Raises vision.errors.PhotoError."""


@dataclass(frozen=True)
class Pace:
    """How long nothing may have moved, in seconds, before something is done.

    Attributes:
        look: the table is read.
        rest: what was read is believed.
        fewer: the same where tiles have vanished: a hand may hold them.
        inner: the same where a thing as large as a hand lies within the picture that was not there.
        outer: the same where it reaches in from the picture's border, as arms do.
        tries: readings in one stretch of stillness, of which no two in a row agree, before the most frequent is taken.
    """

    look: float = 0.15
    rest: float = 0.3
    fewer: float = 1.0
    inner: float = 2.5
    outer: float = 8.0
    tries: int = 8


HAND = 2.5
"""Tiles' areas that a thing covers at least to be taken for a hand."""
TILE = 0.022
"""A tile's width as a share of the picture's, while none has been seen."""
CARD = 4.0
"""How far a card may reach around its sticker, in stickers' widths."""

WAITING, MOVING, COVERED, RESTING, UNREADABLE = "waiting", "moving", "covered", "resting", "unreadable"


@dataclass(frozen=True)
class Status:
    """What the follower is about.

    WAITING: nothing has been seen yet. MOVING: something moves, the last state holds. COVERED: something lies over
    the table, the last state holds. RESTING: the last event is the table as it lies. UNREADABLE: `key` and `values`
    say why (a reason of vision.errors).
    """

    kind: str
    key: str = ""
    values: Any = None


@dataclass(frozen=True)
class Event:
    """A settled state of the table.

    Attributes:
        number: counts up from 1.
        time: seconds, the frame's.
        picture: the frame that was read, (H, W, 3) BGR.
        seen: what the camera saw in it.
        reading: the same with what people said of tiles.
        table: the state, and where each place of it was seen (indices into `reading`).
        breakdown, error: its score, or why there is none.
        cause: `table`, `entries` or `correction`: what made it.
    """

    number: int
    time: float
    picture: np.ndarray
    seen: TableReading
    reading: TableReading
    table: TableState
    breakdown: Breakdown | None
    error: StateError | None
    cause: str = "table"

    def answer(self, words: Words) -> dict[str, Any]:
        """The public answer; `{"error": …}` where the state cannot be scored."""
        if self.breakdown is None:
            return {"error": words.error(self.error) if self.error else ""}
        return answer(self.breakdown, words)


class Follower:
    """Follows one table. `see` is for one thread; the others may call the rest at any time.

    Args:
        profile: the table.
        reader: reads pictures of it.
        entries: what people typed already.
        pace: how long the table must have rested.
    """

    def __init__(
        self,
        profile: TableProfile,
        reader: Reader | None = None,
        entries: Entries | None = None,
        pace: Pace | None = None,
    ) -> None:
        self.profile, self.entries = profile, entries or Entries()
        self.reader: Reader = reader or TableReader(profile)
        self.corrections = Corrections()
        self.status = Status(WAITING)
        self.last: Event | None = None
        self._pace = pace or Pace()
        self._rest = Rest()
        self._lock = threading.RLock()
        self._stretch = -1
        self._done = False
        self._looked: list[tuple[Hashable, TableReading, Frame]] = []

    def see(self, frame: Frame) -> Event | None:
        """A frame, newer than all before. Returns what came of it, mostly nothing."""
        still = self._rest.see(frame.image, frame.time)
        if self._stretch != self._rest.stretch:
            self._stretch, self._done, self._looked = self._rest.stretch, False, []
        if still < self._pace.look:
            self.status = Status(WAITING if self.last is None else MOVING)
            return None
        if self._done:
            return None
        return self._settled(frame, still)

    def look_again(self) -> None:
        """Read the table anew although nothing has moved."""
        self._stretch = -1

    def enter(self, entries: Entries) -> Event | None:
        """People typed something. Returns the last state with it, as a new event; None while there is none."""
        with self._lock:
            self.entries = entries
            return self._again("entries")

    def correct(self, index: int, color: str | None) -> Event | None:
        """A person says that tile `index` of the last event's reading is of that color; None: that it is no tile."""
        with self._lock:
            if self.last is None or not 0 <= index < len(self.last.reading.tiles):
                return None
            tile, seen = self.last.reading.tiles[index], self.last.seen
            raw = next(i for i, one in enumerate(seen.tiles) if one.polygon is tile.polygon)
            self.corrections.say(seen, raw, color)
            return self._again("correction")

    def _again(self, cause: str) -> Event | None:
        if self.last is None:
            return None
        self.last = self._event(self.last.seen, self.last.time, self.last.picture, cause)
        return self.last

    def _event(self, seen: TableReading, time: float, picture: np.ndarray, cause: str) -> Event:
        reading = self.corrections.apply(seen)
        table = table_state(reading, self.profile, self.entries)
        breakdown, error = None, None
        try:
            breakdown = score_state(table.state, explain=True)
        except StateError as wrong:
            error = wrong
        number = self.last.number + 1 if self.last else 1
        return Event(number, time, picture, seen, reading, table, breakdown, error, cause)

    def _settled(self, frame: Frame, still: float) -> Event | None:
        """Nothing has moved for a moment: read, and decide whether that is how the table lies."""
        if self._looked and still < self._patience():
            return None
        if not self._looked or not self._known(self._looked[-1][0]):
            try:
                reading = self.reader.read(frame.image)
            except PhotoError as error:
                self._done = True
                self.status = Status(UNREADABLE, error.key, error.values)
                return None
            self._looked.append((signature(reading), reading, frame))
        if still < self._patience():
            return None
        agreed = self._agreed()
        if agreed is None:
            return None
        _, reading, frame = agreed
        self._done, self._looked = True, []
        self._rest.settle()
        self.status = Status(RESTING)
        with self._lock:
            if self._known(signature(reading)):
                self.corrections.apply(reading)
                return None
            self.last = self._event(reading, frame.time, frame.image, "table")
            return self.last

    def _agreed(self) -> tuple[Hashable, TableReading, Frame] | None:
        """What two readings in a row say, or the most frequent of many; one suffices for what is known already."""
        last = self._looked[-1]
        if self._known(last[0]):
            return last
        if len(self._looked) > 1 and self._looked[-2][0] == last[0]:
            return last
        if len(self._looked) < self._pace.tries:
            return None
        most = Counter(one[0] for one in self._looked).most_common(1)[0][0]
        return next(one for one in reversed(self._looked) if one[0] == most)

    def _known(self, what: Hashable) -> bool:
        return self.last is not None and signature(self.last.seen) == what

    def _patience(self) -> float:
        """How long the table must have rested for the last look at it to count."""
        reading = self._looked[-1][1]
        enough = self._pace.rest
        if self.last is None:
            return enough
        if len(reading.tiles) < len(self.last.seen.tiles):
            enough = self._pace.fewer
        shape = self._looked[-1][2].image.shape
        explained, tile = self._pieces(reading, shape)
        for region in self._rest.regions():
            if not region.thing:
                continue
            left = np.count_nonzero(region.mask & ~explained)
            if left >= HAND * tile * tile:
                self.status = Status(COVERED)
                enough = max(enough, self._pace.outer if region.border else self._pace.inner)
        return enough

    def _pieces(self, reading: TableReading, shape: tuple[int, ...]) -> tuple[np.ndarray, float]:
        """Where the game's own pieces lie or lay, in the small picture, and a tile's width there."""
        scale = WIDTH / shape[1]
        mask = np.zeros((max(8, round(shape[0] * scale)), WIDTH), np.uint8)
        readings = [reading, *([self.last.seen] if self.last else [])]
        sizes = [np.sqrt(cv2.contourArea(np.float32(t.polygon))) * scale for r in readings for t in r.tiles]
        tile = float(np.median(sizes)) if sizes else TILE * WIDTH
        for one in readings:
            for piece in one.tiles:
                _grow(mask, np.asarray(piece.polygon) * scale, 0.4 * tile)
        known = {(card.marker, _near(card.polygon)) for card in self.last.seen.cards} if self.last else set()
        for card in reading.cards:
            if (card.marker, _near(card.polygon)) not in known:
                side = float(np.sqrt(max(cv2.contourArea(np.float32(card.polygon)), 1)))
                _grow(mask, np.asarray(card.polygon) * scale, CARD * side * scale)
        return mask.astype(bool), tile


def signature(reading: TableReading) -> Hashable:
    """What makes two readings the same state: colors by zone, row and column, and cards by zone."""
    tiles = sorted((t.zone, t.row or 0, t.col or 0, t.color) for t in reading.tiles if t.zone is not None)
    cards = sorted((card.marker, card.zone or "") for card in reading.cards)
    return tuple(tiles), tuple(cards)


def _near(polygon: np.ndarray) -> tuple[int, int]:
    """Where a sticker lies, so roughly that noise does not matter: in its own widths."""
    side = max(4.0, float(np.sqrt(cv2.contourArea(np.float32(polygon)))))
    x, y = np.asarray(polygon).mean(0)
    return round(float(x) / side), round(float(y) / side)


def _grow(mask: np.ndarray, polygon: np.ndarray, by: float) -> None:
    points = np.round(polygon).astype(np.int32)
    cv2.fillPoly(mask, [points], 1)
    cv2.polylines(mask, [points], True, 1, max(1, round(2 * by)))
