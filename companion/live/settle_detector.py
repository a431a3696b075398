"""Turn a stream of frames into settled states of the table.

The table is read only when it rests, twice, on two frames; an event goes out only when what lies there is something
else than before. A hand that lies still is no rest: what came into the picture and is none of the game's pieces is
waited for, for a while. Then it is taken for a thing that somebody put down.
"""

import threading
from collections import Counter
from collections.abc import Hashable, Mapping, Sequence, Set
from dataclasses import dataclass, field
from typing import Any, Protocol

import cv2
import numpy as np

from companion.live.corrections import Correction, Corrections, side
from companion.live.foreground import Scene
from companion.live.stillness import WIDTH, Rest, reduced
from companion.live.temporal_filter import steadied
from companion.record import Said
from companion.sources.frame import Frame
from vision.errors import PhotoError
from vision.table.reading import TableReading


class Reader(Protocol):
    """What reads a picture of a table."""

    def read(self, image: np.ndarray) -> TableReading:
        """(H, W, 3) BGR. Raises vision.errors.PhotoError."""


@dataclass(frozen=True)
class Pace:
    """How long nothing may have moved, in seconds, before something is done."""

    look: float = 0.15  # the table is read
    rest: float = 0.3  # what was read is believed
    fewer: float = 0.4  # the same where tiles have vanished: a hand may hold them
    inner: float = 2.5  # the same where a thing as large as a hand lies within the picture that was not there
    outer: float = 8.0  # the same where it reaches in from the picture's border, as arms do
    hiding: float = 60.0  # the same where it hides tiles: nobody knows whether they still lie there
    tries: int = 8  # readings in one stillness, no two in a row alike, before the most frequent is taken


@dataclass(frozen=True)
class SettleDetectorSettings:
    """When the table counts as at rest."""

    hand: float = 2.5  # tiles' areas that a thing covers at least to be taken for a hand
    again: float = 1.0  # seconds between two looks at a picture that cannot be read
    check: float = 0.25  # seconds between two looks at what lies over the table
    tile: float = 0.022  # a tile's width as a share of the picture's, while none has been seen
    elsewhere: float = 0.3  # tiles that a tile must have moved to lie elsewhere
    card: float = 4.0  # how far a card may reach around its sticker, in stickers' widths
    dark: float = 34.0  # level (of 255) below which almost all of a picture lies in which nothing can be told
    bright: float = 242.0  # level above which almost all of a picture lies that is overexposed
    plain: float = 6.0  # levels by which neighbors differ at a picture's sharpest places, where the lens is covered
    almost: float = 1.0  # share of the pixels, in percent, that may be darker or brighter
    shape: float = 0.03  # share by which a picture's height by width may differ and still be of the same shape
    few: float = 0.1  # share of the neighbors, in percent, that may differ by more


SETTINGS = SettleDetectorSettings()


WAITING, MOVING, COVERED, UNSEEN = "rest.waiting", "rest.moving", "rest.covered", "rest.unseen"
"""Why nothing new is said: nothing has been seen yet; something moves; something lies over the table; it is too dark,
too blurred or too far away for most of its markers."""
DARK, BRIGHT, BLIND = "rest.dark", "rest.bright", "rest.blind"
"""The same of a picture that shows nothing at all: no light, too much of it, something before the lens."""


@dataclass(frozen=True)
class Step:
    """What came of a frame.

    Attributes:
        waiting: why the last settled state still holds, as a message key (those above, or a reason of
            common.messages, which `values` fill); empty while the table rests.
        seen: a newly settled state: the reading, with what people said of tiles and cards, and the indices of those. It
            may be the same state in another place, where the camera or the table was moved.
        time: seconds, of the frame that was read.
    """

    waiting: str = ""
    seen: tuple[TableReading, frozenset[int]] | None = None
    values: Mapping[str, Any] = field(default_factory=dict)
    time: float = 0.0


class Follower:
    """Follows one table.

    Args:
        reader: reads pictures of it.
        pace: how long the table must have rested.
    """

    def __init__(self, reader: Reader, pace: Pace | None = None) -> None:
        self.reader, self._pace = reader, pace or Pace()
        self.corrections = Corrections()
        self.picture: np.ndarray | None = None
        """The frame of the last settled state, (H, W, 3) BGR."""
        self.last: TableReading | None = None
        """The last settled state as the camera saw it, whatever people said of its tiles."""
        self._shown: Hashable = None
        self._rest, self._scene = Rest(), Scene()
        self._size: tuple[int, int] | None = None
        """Height and width of the pictures, in pixels."""
        self._lock = threading.Lock()
        self._stretch = -1
        self._step = Step(WAITING)
        self._done = False
        self._check = 0.0
        self._lit_until = 0.0
        """Until when the picture is taken to show something."""
        self._located: set[str] = set()
        self._looked: list[tuple[Hashable, TableReading, Frame]] = []

    @property
    def step(self) -> Step:
        """What came of the last frame."""
        return self._step

    def take(self, frame: Frame) -> Step:
        """A frame, newer than all before. Not for several threads at once."""
        if frame.image.shape[:2] != self._size:
            self._resize(frame.image.shape[:2])
        if frame.settled:
            return self._photo(frame)
        still = self._rest.see(frame.image, frame.time)
        with self._lock:
            if self._stretch != self._rest.stretch:
                self._stretch, self._done, self._looked = self._rest.stretch, False, []
                self._check = self._lit_until = 0.0
                self._step = Step(WAITING if self.last is None else MOVING)
            if still < self._pace.look:
                return self._step
            if frame.time >= self._lit_until and self._rest.small is not None:
                self._lit_until = frame.time + SETTINGS.check
                if why := blinded(self._rest.small):
                    self._done, self._looked, self._lit_until = False, [], 0.0
                    self._step = Step(why)
                    return self._step
            if self._done:
                return self._step
            seen = self._settled(frame, still)
            return self._step if seen is None else seen

    def _resize(self, size: tuple[int, int]) -> None:
        """Pictures of another size come: nothing that was known in pixels counts, what people said does."""
        with self._lock:
            self._size, self.corrections.width = size, size[1]
            self.last, self._shown, self._looked, self._stretch = None, None, [], -1
            self._rest, self._scene = Rest(), Scene()

    def say(self, said: Sequence[Said]) -> bool:
        """A person says what the pieces at some points are. False, and nothing is said, where none is at one of them.

        May be called from any thread.
        """
        with self._lock:
            if (last := self.last) is None:
                return False
            found = [((card_at if card else tile_at)(last, at), is_) for at, is_, card in said]
            if any(index is None for index, _ in found):
                return False
            for index, is_ in found:
                self.corrections.say(last, int(index or 0), is_)
            self.corrections.apply(last)
            return True

    def take_back(self, said: tuple[Correction, ...]) -> tuple[TableReading, frozenset[int]] | None:
        """Keep only these corrections from now on. As Step.seen; None while nothing has come to rest."""
        with self._lock:
            self.corrections.said = said
            return None if self.last is None else self.corrections.apply(self.last)

    def _settled(self, frame: Frame, still: float) -> Step | None:
        """Nothing has moved for a moment: read, and decide whether that is how the table lies."""
        if frame.time < self._check or (not self._looked and not self._look(frame)):
            return None
        wait = self._wait(still, frame.time)
        if wait > 0:
            self._check = frame.time + min(wait, SETTINGS.check) - 1e-6
            return None
        looked, _, at = self._looked[-1]
        if not self._known(looked) and at is not frame and not self._look(frame):
            return None
        agreed = self._agreed()
        if agreed is None:
            return None
        _, reading, frame = agreed
        if self._rest.small is not None:
            self._scene.settle(self._rest.small)
        return self._take(reading, frame)

    def _look(self, frame: Frame) -> bool:
        """Read the table; False where that cannot be done."""
        try:
            reading = self.reader.read(frame.image)
        except PhotoError as error:
            return self._unread(Step(error.key, values=error.values), frame)
        self._located |= reading.zones.keys()
        if unseen(reading, self._located if self.last else None):
            return self._unread(Step(UNSEEN), frame)
        if self.last is not None and self._rest.small is not None:
            scale = WIDTH / frame.image.shape[1]
            reading = steadied(reading, self.last, self._scene.unchanged(self._rest.small, self._rest.level, scale))
        self._looked.append((signature(reading), reading, frame))
        return True

    def _unread(self, step: Step, frame: Frame) -> bool:
        """What lies there cannot be told; it is looked at again later, since light comes without anything moving."""
        self._step, self._looked, self._check = step, [], frame.time + SETTINGS.again
        return False

    def _photo(self, frame: Frame) -> Step:
        """A picture of a table that rests for sure."""
        with self._lock:
            if why := blinded(reduced(frame.image)):
                return Step(why)
            try:
                reading = self.reader.read(frame.image)
            except PhotoError as error:
                return Step(error.key, values=error.values)
            return self._take(reading, frame) or Step()

    def _take(self, reading: TableReading, frame: Frame) -> Step | None:
        """The table rests and is read; nothing is said where nothing is new."""
        what = signature(reading)
        new = self.last is None or not self._known(what) or elsewhere(self.last, reading)
        self._done, self._looked, self._step = True, [], Step()
        self.last = reading
        said = self.corrections.apply(reading)
        shown, self._shown = self._shown, signature(said[0])
        if not new and shown == self._shown:
            return None
        self.picture = frame.image
        return Step(seen=said, time=frame.time)

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
        return self.last is not None and signature(self.last) == what

    def _wait(self, still: float, time: float) -> float:
        """For how many seconds nothing may move yet, before the last look counts."""
        reading = self._looked[-1][1]
        if self.last is None or self._rest.small is None:
            return self._pace.rest - still
        enough = self._pace.fewer if len(reading.tiles) < len(self.last.tiles) else self._pace.rest
        wait = enough - still
        explained, tile = self._pieces(reading, self._looked[-1][2].image.shape)
        scale = WIDTH / self._looked[-1][2].image.shape[1]
        areas = None if fewer(reading, self.last) else _areas(reading, explained.shape, scale, tile)
        for thing in self._scene.things(self._rest.small, self._rest.level, self._rest.noise, time):
            hides = self._hides(thing.mask, reading, scale)
            if areas is not None and not hides and not (thing.mask & areas).any():
                continue
            patience = self._pace.hiding if hides else self._pace.outer if thing.border else self._pace.inner
            if np.count_nonzero(thing.mask & ~explained) >= SETTINGS.hand * tile * tile and thing.age < patience:
                self._step = Step(COVERED)
                wait = max(wait, patience - thing.age)
        return wait

    def _hides(self, mask: np.ndarray, reading: TableReading, scale: float) -> bool:
        """Whether a tile or card lay, when the table last rested, where a thing lies now and none is seen."""
        assert self.last is not None
        h, w = mask.shape
        names = {card.name for card in reading.cards}
        gone = [(np.mean(card.polygon, 0), card.polygon) for card in self.last.cards if card.name not in names]
        seen = [np.asarray(tile.center) * scale for tile in reading.tiles]
        seen += [np.mean(card.polygon, 0) * scale for card in reading.cards]
        for center, polygon in (*((tile.center, tile.polygon) for tile in self.last.tiles), *gone):
            x, y = np.asarray(center) * scale
            if 0 <= x < w and 0 <= y < h and mask[int(y), int(x)]:
                reach = 0.5 * scale * side(polygon)
                if not any(np.hypot(*(at - (x, y))) < reach for at in seen):
                    return True
        return False

    def _pieces(self, reading: TableReading, shape: tuple[int, ...]) -> tuple[np.ndarray, float]:
        """Where the game's own pieces lie or lay, in the small picture, and a tile's width there."""
        scale = WIDTH / shape[1]
        mask = np.zeros((max(8, round(shape[0] * scale)), WIDTH), np.uint8)
        readings = [reading, *([self.last] if self.last else [])]
        sizes = [side(t.polygon) * scale for r in readings for t in r.tiles]
        tile = float(np.median(sizes)) if sizes else SETTINGS.tile * WIDTH
        for one in readings:
            for piece in one.tiles:
                _grow(mask, np.asarray(piece.polygon) * scale, 0.4 * tile)
        known = {(card.name, _near(card.polygon)) for card in self.last.cards} if self.last else set()
        for card in reading.cards:
            if (card.name, _near(card.polygon)) not in known:
                _grow(mask, np.asarray(card.polygon) * scale, SETTINGS.card * side(card.polygon) * scale)
        return mask.astype(bool), tile


def blinded(small: np.ndarray) -> str:
    """Why a picture made small, (h, w, 3) BGR, shows nothing, as a message key; empty where it may show something."""
    gray = cv2.GaussianBlur(cv2.cvtColor(small, cv2.COLOR_BGR2GRAY), (3, 3), 0)
    low, high = np.percentile(gray, (SETTINGS.almost, 100.0 - SETTINGS.almost))
    if high < SETTINGS.dark:
        return DARK
    if low > SETTINGS.bright:
        return BRIGHT
    across, down = np.abs(np.diff(gray.astype(np.int16), axis=1)), np.abs(np.diff(gray.astype(np.int16), axis=0))
    sharpest = max(float(np.percentile(steps, 100.0 - SETTINGS.few)) for steps in (across, down))
    return BLIND if sharpest < SETTINGS.plain else ""


def signature(reading: TableReading) -> Hashable:
    """What makes two readings the same state: colors by zone, row and column, and cards by zone."""
    tiles = sorted((t.zone, t.row or 0, t.col or 0, t.color) for t in reading.tiles if t.zone is not None)
    cards = sorted((card.name, card.deck or "", card.zone or "") for card in reading.cards)
    return tuple(tiles), tuple(cards)


def unseen(reading: TableReading, located: Set[str] | None) -> bool:
    """Whether the picture shows too little of the table: most of the markers around the areas are not seen.

    Args:
        reading: of the picture.
        located: the areas that have been seen before, since a profile may have more than are laid out; None while
            nothing has come to rest: then one area is enough.
    """
    hidden = {p.values["zone"]: len(p.values["markers"]) for p in reading.problems if p.key in UNSEEN_MARKERS}
    if located is None:
        return bool(hidden) and not reading.zones
    counted = located & (hidden.keys() | reading.zones.keys())
    return sum(hidden.get(zone, 0) for zone in counted) > 2 * len(counted)


UNSEEN_MARKERS = ("zone.missing", "zone.hidden")
"""The problems of an area some of whose four markers are not seen."""


def fewer(reading: TableReading, last: TableReading) -> bool:
    """Whether a card, or a tile in the areas, is not seen any more: a hand may hold it or lie on it."""
    now, then = (
        Counter([*(tile.color for tile in one.tiles if tile.zone is not None), *((c.name, c.deck) for c in one.cards)])
        for one in (reading, last)
    )
    return bool(then - now)


def _areas(reading: TableReading, shape: tuple[int, ...], scale: float, tile: float) -> np.ndarray | None:
    """(h, w) bool: the areas in the small picture, a tile wider; None: there are none, and everything counts."""
    mask = np.zeros(shape, np.uint8)
    for outline in reading.zones.values():
        _grow(mask, outline * scale, tile)
    return mask.astype(bool) if reading.zones else None


def elsewhere(one: TableReading, other: TableReading) -> bool:
    """Whether two readings of the same state lie in different places of the picture."""
    pieces = [(a.center, b.center, b.polygon) for a, b in zip(one.tiles, other.tiles, strict=False)]
    if len(one.tiles) != len(other.tiles):
        return True
    return any(np.linalg.norm(np.subtract(a, b)) > SETTINGS.elsewhere * side(polygon) for a, b, polygon in pieces)


def tile_at(reading: TableReading, at: tuple[float, float]) -> int | None:
    """The tile whose outline holds a point (pixels), else the one that is nearest, not farther than its own width."""
    best, index = 1.0, None
    for i, tile in enumerate(reading.tiles):
        polygon = np.asarray(tile.polygon, np.float32)
        far = -cv2.pointPolygonTest(polygon.reshape(-1, 1, 2), (float(at[0]), float(at[1])), True) / side(polygon)
        if far < best:
            best, index = far, i
    return index


def card_at(reading: TableReading, at: tuple[float, float]) -> int | None:
    """The card on which a point lies, the one whose middle is nearest: its index among tiles and cards."""
    here = [
        (float(np.linalg.norm(np.mean(card.polygon, 0) - at)), i)
        for i, card in enumerate(reading.cards, len(reading.tiles))
        if cv2.pointPolygonTest(np.asarray(card.polygon, np.float32).reshape(-1, 1, 2), at, False) >= 0
    ]
    return min(here)[1] if here else None


def _near(polygon: np.ndarray) -> tuple[int, int]:
    """Where a sticker lies, so roughly that noise does not matter: in its own widths."""
    wide = max(4.0, side(polygon))
    x, y = np.asarray(polygon).mean(0)
    return round(float(x) / wide), round(float(y) / wide)


def _grow(mask: np.ndarray, polygon: np.ndarray, by: float) -> None:
    points = np.round(polygon).astype(np.int32)
    cv2.fillPoly(mask, [points], 1)
    cv2.polylines(mask, [points], True, 1, max(1, round(2 * by)))
