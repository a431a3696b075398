"""Following pencilled sheets under one camera: what was drawn when, sheet by sheet.

Each sheet rests by itself: a hand or a pencil over one holds only that one. It is read when nothing has moved over it
for a moment, on the mean of the frames between which the camera did not move either; what was seen before is held
against it. Marks stay: a shadow or a glare takes none away, a letter seen traced is known when a wall covers it, and
the blank sheet of the first moments shows what each letter looks like where nobody traced it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from itertools import permutations
from typing import Any

import cv2
import numpy as np

from common.messages import Message
from vision.camera_motion import beyond, camera_motion
from vision.errors import PhotoError
from vision.sheet.blank import NONE, Blank, measure_blank
from vision.sheet.cells import CELL
from vision.sheet.decisions import TICKED
from vision.sheet.diagnose import SETTINGS as DIAGNOSE
from vision.sheet.diagnose import explain, wrong_light
from vision.sheet.flatten import SheetMap, flatten, of_one_sheet
from vision.sheet.grid import find_grid, refined_nearby
from vision.sheet.illumination import normalize_illumination
from vision.sheet.orientation import is_mirrored, upright
from vision.sheet.profile import Cell, SheetProfile
from vision.sheet.read import read_lattice
from vision.sheet.reading import SheetReading

BLANK, PASSAGE, WALL = ".o#"


@dataclass(frozen=True)
class TrackSettings:
    """When a sheet rests, and what counts as changed."""

    width: int = 480  # pixels of the small picture in which motion is looked for
    level: float = 10.0  # gray levels by which a pixel of it differs
    spot: int = 2  # squares of 2 × 2 of them that differ before something has moved
    around: float = 1.4  # cells around the grid, with its tracks, that belong to a sheet
    again: float = 5.0  # cells around a sheet's old place in which it is looked for once it was moved
    rim: float = 0.3  # cells around a grid that are painted over with it
    rest: float = 0.24  # seconds without motion before a sheet is read
    pause: float = 0.5  # seconds between two looks for sheets that have not been found, or at one that is covered
    frames: int = 4  # whose mean is read, at most
    ring: tuple[float, float] = (0.25, 1.25)  # cells outside the grid where arms come in
    ring_level: float = 0.12  # share of the light by which the ring differs under an arm from what is around
    ring_share: float = 0.025  # share of the ring that must differ
    bare: float = 0.8  # parts of the light from which paper is bare
    soft: int = 4  # cells over which a shadow's edge is spread
    lying: float = 4.0  # seconds after which what lies still over a sheet, now and again or at once, was put down
    coarse: int = 10  # pixels a cell when two pictures of a sheet are compared
    changed: float = 0.045  # mean difference of a cell, in parts of the light, that is more than noise
    likely: float = 0.6  # confidence from which a mark is new in a cell that hardly changed
    believed: float = 0.97  # confidence from which a mark may vanish, if it is seen twice
    confirm: float = 1.0  # seconds between these two
    turned: float = 6.0  # log odds from which letters tell that a sheet was turned where it lay
    ticked: float = 0.8  # probability from which a box is newly ticked: noise and compression draw strokes, too
    moved: float = 0.12  # cells by which a sheet may lie off before it has been moved
    several: int = 3  # marks that came or went at once, from which a sheet may be another player's
    unread: float = 10.0  # seconds without a reading from which it is told why a sheet in sight is not read
    turned_sides: float = 0.02  # parts by which a frame's sides differ from those before once the picture is turned
    retry: float = 2.0  # seconds between two looks for a sheet that is not seen where it lay


SETTINGS = TrackSettings()


@dataclass(frozen=True)
class SheetState:
    """A sheet at rest.

    Attributes:
        player: whose it is.
        time: seconds of the frame that was read.
        reading: what stands on it, with what was seen before.
        changed: the cells that are new since its last state.
    """

    player: str
    time: float
    reading: SheetReading
    changed: tuple[Cell, ...] = ()

    def to_json(self, scale: float = 1.0) -> dict[str, Any]:
        """The public JSON object; `scale`: pixels of the source for one of a frame."""
        answer = self.reading.to_json("")
        del answer["photo"]
        corners = (self.reading.grid + 0.5) * scale
        answer["grid"] = [[round(x, 2), round(y, 2)] for x, y in corners.tolist()]
        return {"player": self.player, **answer, "changed": [list(c) for c in self.changed]}


@dataclass
class _Memory:
    """What is known of one sheet from before.

    `raw`, `flat`: (h, w) float32, the sheet from above, `SETTINGS.coarse` pixels a cell, as it was and with the light
    taken off; `going`: marks that were not seen the
    last time, and since when.
    """

    state: SheetState
    raw: np.ndarray
    flat: np.ndarray
    going: dict[Cell | str, float] = field(default_factory=dict)


class SheetTracker:
    """Follows one to four sheets of one kind under one camera.

    Args:
        profile: the sheet.
        players: whose sheets lie in the picture, from left to right, the upper ones first.
        zones: (n, 2) polygons in pixels of the first frame by player, where the order does not tell.
    """

    def __init__(
        self, profile: SheetProfile, players: Sequence[str], zones: Mapping[str, np.ndarray] | None = None
    ) -> None:
        self.profile = profile
        self.players = tuple(players)
        self._zones = {k: np.asarray(v, np.float32) for k, v in (zones or {}).items()}
        self._sheets: dict[str, _Followed] = {}
        self._before: dict[str, _Followed] = {}
        """Sheets as they were followed in frames of another size, until they are found in those of now."""
        self._size: tuple[int, ...] = ()
        self._looked = -np.inf
        self.problem: Message | None = None
        """Why sheets are missing that have not been seen yet, or why none is read now."""

    def take(self, image: np.ndarray, time: float) -> tuple[SheetState, ...]:
        """A frame, (H, W, 3) BGR, `time` in seconds, later than all before: the sheets that came to rest changed."""
        if image.shape[:2] != self._size:
            self._begin_anew(image.shape[:2])
        small = _small(image, SETTINGS.width)
        if unlit := wrong_light(small):
            self.problem = unlit.message
            for sheet in self._sheets.values():
                sheet.unseen()
            return ()
        if len(self._sheets) == len(self.players):
            self.problem = None
        elif time - self._looked >= SETTINGS.pause:
            self._looked, self.problem = time, None
            self._find(image)
        resting = [sheet for sheet in self._sheets.values() if sheet.rests(image, small, time)]
        if resting:
            # One a frame, so that none takes long: whoever was looked at longest ago.
            sheet = min(resting, key=lambda sheet: sheet.looked)
            state = sheet.settled(time, [other for other in self._sheets.values() if other is not sheet])
            states: tuple[SheetState, ...] = () if state is None else (state,)
        else:
            states = self._told_apart(time)
        self.problem = self.problem or self._unread(time)
        return states

    def _begin_anew(self, size: tuple[int, ...]) -> None:
        """Frames have another size from now on: where sheets lie is looked for again, what stands on them stays."""
        if self._size:
            self._before |= self._sheets
            self._sheets, self._looked = {}, -np.inf
            high, wide = size[0] / self._size[0], size[1] / self._size[1]
            alike = abs(high / wide - 1) < SETTINGS.turned_sides
            # A turned picture shows other things where zones were drawn: then the order tells.
            times = np.array([wide, high], np.float32)
            self._zones = {player: zone * times for player, zone in self._zones.items()} if alike else {}
        self._size = size

    def _unread(self, time: float) -> Message | None:
        """Why a sheet that lies in sight has not been read for long, and which."""
        ordered = [self._sheets[player] for player in self.players if player in self._sheets]
        for number, sheet in enumerate(ordered, 1):
            if (why := sheet.unread(time)) is not None:
                return Message("sheet.unread", {"number": number, "of": len(self.players), "why": why})
        return None

    def exchange(self, one: str, other: str) -> None:
        """The sheet that was taken for one player's is the other's, and the other way round."""
        names = {one: other, other: one}
        self._sheets = {names.get(player, player): sheet for player, sheet in self._sheets.items()}
        self._before = {names.get(player, player): sheet for player, sheet in self._before.items()}
        self._zones = {names.get(player, player): zone for player, zone in self._zones.items()}
        for player, sheet in (*self._before.items(), *self._sheets.items()):
            sheet.belongs(player)

    @property
    def states(self) -> tuple[SheetState, ...]:
        """The last state of each sheet that has been seen clearly, in the players' order."""
        known = self._before | self._sheets
        return tuple(state for p in self.players if p in known and (state := known[p].state) is not None)

    def _told_apart(self, time: float) -> tuple[SheetState, ...]:
        """Once all sheets rest, those that may have changed places go to whose marks they show."""
        unclear = [sheet for sheet in self._sheets.values() if sheet.unclear]
        if not unclear or any(not sheet.done for sheet in self._sheets.values()):
            return ()
        seen = [(sheet.unclear, sheet.lattice) for sheet in unclear if sheet.unclear]

        def lost(order: Sequence[int]) -> int:
            """The marks that would have vanished if the sheets lay in that order."""
            return sum(
                len(_vanished(sheet.state.reading, seen[k][0].reading, self.profile))
                for sheet, k in zip(unclear, order, strict=True)
                if sheet.state
            )

        stayed = tuple(range(len(unclear)))
        best = min(permutations(stayed), key=lost)
        best = best if lost(best) + SETTINGS.several <= lost(stayed) else stayed
        states = [sheet.lies(*seen[k], time) for sheet, k in zip(unclear, best, strict=True)]
        return tuple(state for state in states if state)

    def _find(self, image: np.ndarray) -> None:
        """Look for the sheets that have no place yet."""
        if self._zones:
            for player, zone in self._zones.items():
                if player in self.players and player not in self._sheets:
                    try:
                        self._follow(player, _searched(image, self.profile, zone))
                    except PhotoError as error:
                        self.problem = error.message
            return
        gray = cv2.cvtColor(image, cv2.COLOR_BGR2GRAY)
        found: list[np.ndarray] = []
        for _ in self.players:
            try:
                lattice = _searched(gray, self.profile)
            except PhotoError as error:
                fewer = Message("sheet.fewer", {"n": len(found), "of": len(self.players)})
                self.problem = fewer if found else explain(gray, error).message
                break
            found.append(lattice)
            _cover(gray, lattice)
        if len(found) == len(self.players):
            for player, lattice in zip(self.players, _in_order(found), strict=True):
                self._follow(player, lattice)

    def _follow(self, player: str, lattice: np.ndarray) -> None:
        self._sheets[player] = _Followed(player, self.profile, lattice, self._before.pop(player, None))


def find_sheet(image: np.ndarray, profile: SheetProfile, zone: np.ndarray | None = None) -> np.ndarray | None:
    """A sheet's lattice in a frame, (rows + 1, cols + 1, 2), its own top first; None where none is seen.

    Args:
        image: (H, W, 3) BGR or (H, W) gray.
        profile: the sheet.
        zone: (n, 2) polygon in which it lies.
    """
    with suppress(PhotoError):
        return _searched(image, profile, zone)
    return None


def _searched(image: np.ndarray, profile: SheetProfile, zone: np.ndarray | None = None) -> np.ndarray:
    """As `find_sheet`; raises PhotoError where none is seen."""
    left, top = 0, 0
    if zone is not None:
        lo = np.clip(np.floor(zone.min(0)), 0, np.array(image.shape[1::-1]) - 2).astype(int)
        hi = np.clip(np.ceil(zone.max(0)), lo + 2, image.shape[1::-1]).astype(int)
        (left, top), image = lo, image[lo[1] : hi[1], lo[0] : hi[0]]
    lattice, evidence = upright(image, find_grid(image, profile.rows, profile.cols).lattice, profile)
    if evidence.margin < np.inf and is_mirrored(image, lattice, profile):
        raise PhotoError("sheet.mirrored")
    if evidence.other(profile):
        raise PhotoError("sheet.other", name=profile.name)
    if evidence.unseen(profile):
        raise PhotoError("sheet.unseen", name=profile.name)
    if (cell := SheetMap(lattice).cell_pixels) < DIAGNOSE.least_cell:
        raise PhotoError("sheet.too-small", cell=round(cell))
    return lattice + np.array([left, top])


def _in_order(lattices: Sequence[np.ndarray]) -> list[np.ndarray]:
    """Lattices of one picture from left to right, those that lie above others first."""
    rows: list[list[np.ndarray]] = []
    for lattice in sorted(lattices, key=lambda one: float(one[..., 1].mean())):
        if not rows or lattice[..., 1].mean() > rows[-1][0][..., 1].max():
            rows.append([])
        rows[-1].append(lattice)
    return [one for row in rows for one in sorted(row, key=lambda one: float(one[..., 0].mean()))]


def _cover(gray: np.ndarray, lattice: np.ndarray) -> None:
    """Paint a found grid over, so that the next search finds another."""
    frame = SheetMap(lattice).frame(around=SETTINGS.rim)
    cv2.fillConvexPoly(gray, np.round(frame).astype(np.int32), float(np.median(gray)))


@dataclass(frozen=True)
class _Seen:
    """What was seen of a sheet at rest; `raw`, `flat` as _Memory has them."""

    reading: SheetReading
    raw: np.ndarray
    flat: np.ndarray


class _Followed:
    """One sheet; `before`: the same in frames of another size, of which only what stands on it is taken over."""

    def __init__(
        self, player: str, profile: SheetProfile, lattice: np.ndarray, before: _Followed | None = None
    ) -> None:
        self.player, self.profile = player, profile
        self.lattice = lattice
        self._memory: _Memory | None = before._memory if before else None
        self._blank: Blank = before._blank if before else NONE
        self._read_at: float | None = None
        """Seconds when it was last read, or first followed."""
        self._why: Message | None = None
        """Why it could not be read when it was last looked at."""
        self._lost = False
        """Whether it was not seen when it was last looked at for longer."""
        self._anchor: np.ndarray | None = None
        self._mask: np.ndarray | None = None
        self._shape: tuple[int, ...] = ()
        self._since = 0.0
        self._frames: list[tuple[np.ndarray, np.ndarray]] = []
        self.done = False
        """Whether it has been read since something last moved over it, or cannot be."""
        self.looked = -np.inf
        """Seconds when it was looked at closely."""
        self.unclear: _Seen | None = None
        """What lies there, while it may be another player's sheet."""
        self._cover: tuple[np.ndarray, np.ndarray, float] | None = None
        """How the sheet looked (`raw`, `flat`) when something lay over it that was not there before, and for how many
        seconds in all it has looked so. Where an arm lay there in the first look, it looks so without one."""

    @property
    def state(self) -> SheetState | None:
        return self._memory.state if self._memory else None

    def belongs(self, player: str) -> None:
        """Whose it is from now on."""
        self.player = player
        if self._memory:
            self._memory.state = replace(self._memory.state, player=player)

    def unseen(self) -> None:
        """A frame shows nothing of it: what is seen later may be something else."""
        self._anchor = None

    def rests(self, image: np.ndarray, small: np.ndarray, time: float) -> bool:
        """Whether nothing has moved over the sheet for a while, and it has not been read since."""
        if self._mask is None or self._shape != image.shape:
            self._mask, self._shape = self._region(image.shape, small.shape), image.shape
            self._anchor = None
        if self._anchor is None or self._moved(small, self._anchor, self._mask):
            if self._anchor is not None:
                # Who draws on a sheet that is known need not be told that nobody reads it meanwhile.
                self._why = None if self._memory else Message("sheet.moving")
            self._anchor, self._since, self._frames, self.done = small, time, [], False
            self.looked, self.unclear = -np.inf, None
        if self._read_at is None or (self.done and not self._lost):
            self._read_at = time
        if self.done and not (self._lost and time - self.looked >= SETTINGS.retry):
            return False
        self._frames = [*self._frames[1 - SETTINGS.frames :], (image, small)]
        return time - self._since >= SETTINGS.rest and time - self.looked >= SETTINGS.pause

    def _region(self, shape: tuple[int, ...], small: tuple[int, ...]) -> np.ndarray:
        """(h, w) uint8, 255 where the small picture shows the sheet's grid and tracks and what lies close by."""
        boxes = [box for track in self.profile.tracks.values() for box in track]
        frame = SheetMap(self.lattice).frame(boxes, SETTINGS.around)
        mask = np.zeros(small, np.uint8)
        cv2.fillConvexPoly(mask, np.round(frame * (small[1] / shape[1])).astype(np.int32), 255)
        return mask

    def _moved(self, now: np.ndarray, then: np.ndarray, mask: np.ndarray) -> bool:
        """Whether anything but the light and, by a little, the camera has changed over the sheet."""
        seen = _over(then, now, mask)
        if seen is None or not _differs(cv2.absdiff(*seen[:2]), seen[2]):
            return False
        motion = camera_motion(*seen[:2])
        return motion is None or _differs(beyond(*seen[:2], motion), seen[2])

    def _mean(self) -> np.ndarray:
        """(H, W, 3) uint8: the mean of the last frames, without those between which and the newest the camera moved."""
        newest, now = self._frames[-1]

        def alike(small: np.ndarray) -> bool:
            seen = None if self._mask is None else _over(small, now, self._mask)
            if seen is None or _differs(cv2.absdiff(*seen[:2]), seen[2]):
                return seen is None
            return camera_motion(*seen[:2]) is None

        return _mean([*(image for image, small in self._frames[:-1] if alike(small)), newest])

    def unread(self, time: float) -> Message | None:
        """Why it has not been read for long; None where it has, or nobody knows."""
        late = self._read_at is not None and time - self._read_at >= SETTINGS.unread
        return self._why if late else None

    def settled(self, time: float, others: Sequence[_Followed]) -> SheetState | None:
        """Read the sheet, unless something lies over it; None too where nothing is new on it, or `unclear` whose it is.

        `others`: the other sheets.
        """
        self.looked = time
        image = self._mean()
        gray = cv2.cvtColor(image, cv2.COLOR_BGR2GRAY)
        waited = time - self._since >= SETTINGS.lying
        lattice = self._nearby(gray)
        if lattice is not None and self._off(lattice):
            # Lines may have been followed to their neighbors: a sheet that was moved is looked for anew.
            found = self._again(image, others)
            lattice = lattice if found is None and waited else found
        elif lattice is None and (waited or self._memory is None or time - self._since >= 3 * SETTINGS.rest):
            lattice = self._again(image, others)
            self.done = self._lost = waited and lattice is None
        if lattice is None:
            self._why = Message("sheet.lost")
            return None
        raw, flat = _coarse(gray, lattice, SETTINGS.coarse)
        if self._memory and not waited and self._covered(raw, self._memory.raw, self._memory.flat, self._off(lattice)):
            for_long = 0.0
            if self._cover and not self._covered(raw, *self._cover[:2], moved=False):
                for_long = self._cover[2] + SETTINGS.pause
            if for_long < SETTINGS.lying:
                self._cover = raw, flat, for_long
                return None
            self._cover = None
        try:
            reading = read_lattice(image, gray, lattice, self.profile, self._blank)
        except PhotoError as error:
            self._why = error.message
            return None
        reading = _surely_ticked(reading, self.state.reading if self.state else None)
        self.done, self._lost, self._read_at, self._why = True, False, time, None
        if self._off(lattice):
            self._mask = None
        self.lattice = lattice
        if self._blank is NONE and self.profile.letters and _is_blank(reading, self.profile):
            self._blank = measure_blank(image, lattice, self.profile)
            if self._blank.letters:
                again = read_lattice(image, gray, lattice, self.profile, self._blank)
                reading = replace(again, ticks=reading.ticks, ticked=reading.ticked)
        if self._memory is None:
            state = SheetState(self.player, time, reading, _marks(reading))
            self._memory = _Memory(state, raw, flat)
            return state
        seen = _Seen(reading, raw, flat)
        known = [other.state.reading for other in others if other.state]
        if _is_others(self._memory.state.reading, reading, known, self.profile, SETTINGS.several):
            self.unclear = seen
            return None
        return self._believed(self._memory, seen, time)

    def lies(self, seen: _Seen, lattice: np.ndarray, time: float) -> SheetState | None:
        """It is this sheet that was seen there; None where nothing is new on it."""
        assert self._memory is not None
        if lattice is not self.lattice:
            self.lattice, self._mask = lattice, None
        self.unclear = None
        return self._believed(self._memory, seen, time)

    def _off(self, lattice: np.ndarray) -> bool:
        """Whether the sheet lies elsewhere than it did."""
        return bool(SheetMap(self.lattice).cell_pixels * SETTINGS.moved < np.abs(lattice - self.lattice).max())

    def _nearby(self, gray: np.ndarray) -> np.ndarray | None:
        """The lattice where it was, or a little off, turned as the letters say; None where it is not seen there."""
        lattice = refined_nearby(gray, self.lattice)
        if lattice is None:
            return None
        turned, evidence = upright(gray, lattice, self.profile)
        if evidence.other(self.profile):
            return None
        return lattice if evidence.margin < SETTINGS.turned else turned

    def _again(self, image: np.ndarray, others: Sequence[_Followed]) -> np.ndarray | None:
        """Where a sheet lies that is not where it was: around its old place, and not where another rests."""
        frame = SheetMap(self.lattice).frame(around=SETTINGS.again)
        lattice = find_sheet(image, self.profile, frame.astype(np.float32))
        resting = [other.lattice for other in others if other.done and not other._lost]
        if lattice is None or any(of_one_sheet(lattice, other) for other in resting):
            return None
        return lattice

    def _covered(self, raw: np.ndarray, before: np.ndarray, flat: np.ndarray, moved: bool) -> bool:
        """Whether something reaches in over the paper beside the grid, as arms do, that was not there `before` (`flat`
        with the light taken off); a shadow's edge is softer.

        Where a sheet was moved only what was bare paper is compared: the table below it is another one.
        """
        cell = SETTINGS.coarse
        now, before = raw + np.float32(4), before + np.float32(4)
        light = cv2.blur(now / before, (SETTINGS.soft * cell + 1,) * 2)
        # The lattice may lie off by a pixel: what was beside it is no change.
        beside = np.ones((3, 3), np.uint8)
        low, high = cv2.erode(before, beside) * light, cv2.dilate(before, beside) * light
        far = np.maximum(now / high - 1, 1 - now / low)
        ring = _ring(self.profile)
        if moved:
            bare = (flat > SETTINGS.bare).astype(np.uint8)
            ring = ring & (cv2.erode(bare, np.ones((cell // 2 + 1,) * 2, np.uint8)) > 0)
        return int(np.count_nonzero(far[ring] > SETTINGS.ring_level)) > SETTINGS.ring_share * ring.sum()

    def _believed(self, before: _Memory, seen: _Seen, time: float) -> SheetState | None:
        """The reading with what was seen before; None where nothing is new."""
        still = self._unchanged(seen.flat, before.flat)
        merged, going = _merged(before, seen.reading, still, time, self.profile)
        old = before.state.reading
        cells = np.ndindex(self.profile.rows, self.profile.cols)
        changed = tuple((r, c) for r, c in cells if old.map[r][c] != merged.map[r][c])
        state = SheetState(self.player, time, merged, changed)
        self._memory = _Memory(state, seen.raw, seen.flat, going)
        if going:
            # A mark that may be gone is looked for again.
            self.done, self._since = False, time
        return state if _signature(merged) != _signature(old) else None

    def _unchanged(self, flat: np.ndarray, before: np.ndarray) -> np.ndarray:
        """(rows, cols) bool: cells that look as they did."""
        n, pad = SETTINGS.coarse, round(MARGIN * SETTINGS.coarse)
        rows, cols = self.profile.rows, self.profile.cols
        # The lattice may lie off by a pixel: the best of the shifts counts.
        best = np.full((rows, cols), np.inf, np.float32)
        for dy in (-1, 0, 1):
            for dx in (-1, 0, 1):
                far = np.abs(np.roll(flat, (dy, dx), (0, 1)) - before)
                inner = far[pad : pad + rows * n, pad : pad + cols * n].reshape(rows, n, cols, n)[:, 1:-1, :, 1:-1]
                best = np.minimum(best, inner.mean((1, 3)))
        unchanged: np.ndarray = best < SETTINGS.changed
        return unchanged


def _over(then: np.ndarray, now: np.ndarray, mask: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray] | None:
    """Where a mask lies: `then` in the light of `now`, `now`, and the mask; None where it is empty."""
    x, y, w, h = cv2.boundingRect(mask)
    if not w:
        return None
    then, now, inside = (one[y : y + h, x : x + w] for one in (then, now, mask))
    some = inside[::3, ::3] > 0
    gain = np.median((now[::3, ::3][some] + np.float32(4)) / (then[::3, ::3][some] + np.float32(4)))
    return cv2.convertScaleAbs(then, alpha=float(gain)), now, inside


def _differs(far: np.ndarray, inside: np.ndarray) -> bool:
    """Whether levels by which pictures differ are more than shimmer along edges, a pixel wide: what moves is wider."""
    wide = cv2.erode((far > SETTINGS.level).astype(np.uint8) & inside, np.ones((2, 2), np.uint8))
    return int(np.count_nonzero(wide)) >= SETTINGS.spot


MARGIN = 1.6
"""Cells around the grid in the coarse picture."""


def _small(image: np.ndarray, width: int) -> np.ndarray:
    """(h, width) uint8 gray: a frame made small."""
    h, w = image.shape[:2]
    size = width, max(8, round(h * width / w))
    while image.shape[1] >= 4 * width:  # OpenCV halves five times as fast as it shrinks
        image = cv2.resize(image, (image.shape[1] // 2, image.shape[0] // 2), interpolation=cv2.INTER_AREA)
    return cv2.cvtColor(cv2.resize(image, size, interpolation=cv2.INTER_AREA), cv2.COLOR_BGR2GRAY)


def _mean(frames: Sequence[np.ndarray]) -> np.ndarray:
    """(H, W, 3) uint8: the mean of several frames."""
    if len(frames) == 1:
        return frames[0]
    total = np.zeros(frames[0].shape, np.float32)
    for frame in frames:
        cv2.accumulate(frame, total)
    return cv2.convertScaleAbs(total, alpha=1 / len(frames))


def _coarse(gray: np.ndarray, lattice: np.ndarray, cell: int) -> tuple[np.ndarray, np.ndarray]:
    """Two (h, w) float32: the sheet from above with `MARGIN` around its grid, as it is, and 1 where paper is bare."""
    flat = flatten(gray, SheetMap(lattice), CELL, MARGIN).image
    even = normalize_illumination(cv2.cvtColor(flat, cv2.COLOR_GRAY2BGR))[..., 0]
    size = (round(flat.shape[1] * cell / CELL), round(flat.shape[0] * cell / CELL))
    raw, light_off = (cv2.resize(one, size, interpolation=cv2.INTER_AREA) for one in (flat, even))
    return raw.astype(np.float32), light_off


def _ring(profile: SheetProfile) -> np.ndarray:
    """(h, w) bool: where in the coarse picture arms come in: outside the grid, but for tracks and boxes."""
    n = SETTINGS.coarse
    h, w = (round((k + 2 * MARGIN) * n) for k in (profile.rows, profile.cols))
    y, x = (np.mgrid[0:h, 0:w] + 0.5) / n - MARGIN
    near = np.maximum(np.maximum(-x, x - profile.cols), np.maximum(-y, y - profile.rows))
    ring: np.ndarray = (near > SETTINGS.ring[0]) & (near < SETTINGS.ring[1])
    for bx, by, bw, bh in (box for track in profile.tracks.values() for box in track):
        ring &= ~((x > bx - 0.2) & (x < bx + bw + 0.2) & (y > by - 0.2) & (y < by + bh + 0.2))
    return ring


def _is_blank(reading: SheetReading, profile: SheetProfile) -> bool:
    """Nothing has been drawn but what the rules put there."""
    return not (set(_marks(reading)) - {profile.entrance}) and not any(reading.ticks.values())


def _signature(reading: SheetReading) -> tuple[object, ...]:
    """What makes a state another one."""
    return reading.map, reading.destinations, reading.gates, tuple(sorted(reading.ticks.items()))


def _marks(reading: SheetReading) -> tuple[Cell, ...]:
    return tuple((r, c) for r, row in enumerate(reading.map) for c, kind in enumerate(row) if kind != BLANK)


def _surely_ticked(reading: SheetReading, known: SheetReading | None) -> SheetReading:
    """The reading without counting boxes that seem ticked, but not surely, and were not before, as `known` says.

    `ticked` still says how likely they are: a count that leaves one out is in doubt.
    """
    ticks = {}
    for track, boxes in reading.ticked.items():
        were = known.ticked[track] if known else boxes
        before = sorted(range(len(were)), key=lambda k: -were[k])[: known.ticks[track] if known else 0]
        ticks[track] = sum(p >= (TICKED if k in before else SETTINGS.ticked) for k, p in enumerate(boxes))
    return replace(reading, ticks=ticks)


def _vanished(old: SheetReading, new: SheetReading, profile: SheetProfile) -> list[Cell]:
    """The marks that no rule takes away, and that are not seen any more where nothing hides them."""
    return [
        (r, c)
        for r, c in np.ndindex(profile.rows, profile.cols)
        if (old.map[r][c], new.map[r][c]) in VANISHING
        and (r, c) != profile.entrance
        and not (new.hidden is not None and new.hidden[r, c] > HIDDEN)
    ]


def _is_others(
    own: SheetReading, new: SheetReading, known: Sequence[SheetReading], profile: SheetProfile, several: int
) -> bool:
    """Whether a sheet may have changed places with another: marks of its own are gone, or all of another's came."""
    others = [one for one in known if one is not own]
    if not others:
        return False
    if len(_vanished(own, new, profile)) >= several:
        return True
    came = set(_marks(new)) - set(_marks(own))
    return any(len(came & set(_marks(one))) >= several and not _vanished(one, new, profile) for one in others)


def _merged(
    before: _Memory, reading: SheetReading, still: np.ndarray, time: float, profile: SheetProfile
) -> tuple[SheetReading, dict[Cell | str, float]]:
    """The new reading with what was seen before, and the marks that may be vanishing, each with since when."""
    old = before.state.reading
    rows = [list(row) for row in reading.map]
    confidence = reading.confidence.copy()
    doubtful = set(reading.doubtful)
    going: dict[Cell | str, float] = {}

    def goes(key: Cell | str) -> bool:
        """Whether a mark that is not seen any more is believed to be gone; else it is looked for again."""
        since = before.going.get(key, time)
        if time - since >= SETTINGS.confirm:
            return True
        going[key] = since
        return False

    for cell in ((r, c) for r in range(profile.rows) for c in range(profile.cols)):
        r, c = cell
        was, now = old.map[r][c], rows[r][c]
        hidden = reading.hidden is not None and reading.hidden[cell] > HIDDEN
        if was == now and not hidden:
            confidence[cell] = max(confidence[cell], old.confidence[cell]) if still[cell] else confidence[cell]
            if still[cell] and cell not in old.doubtful:
                doubtful.discard(cell)
            continue
        unlikely = (was, now) in VANISHING
        # A thin circle hardly changes a cell's look: only what is seen very unsurely counts less than before.
        vague = confidence[cell] < SETTINGS.likely
        kept = hidden or (still[cell] and cell not in old.doubtful and (unlikely or vague))
        if unlikely and not kept:
            doubtful.add(cell)
            kept = confidence[cell] < SETTINGS.believed or not goes(cell)
        if kept:
            rows[r][c], confidence[cell] = was, old.confidence[cell]
            if still[cell] and cell not in old.doubtful and unlikely:
                doubtful.discard(cell)
    merged = tuple("".join(row) for row in rows)
    destinations, gates = _letters_known(old, reading, merged, still, profile)
    ticks, ticked = dict(reading.ticks), dict(reading.ticked)
    for track, count in reading.ticks.items():
        if count < old.ticks[track] and not goes(track):
            ticks[track], ticked[track] = old.ticks[track], old.ticked[track]
    return replace(
        reading,
        map=merged,
        confidence=confidence,
        doubtful=tuple(sorted(doubtful)),
        destinations=destinations,
        gates=gates,
        ticked=ticked,
        ticks=ticks,
    ), going


HIDDEN = 0.5
VANISHING = {(WALL, BLANK), (WALL, PASSAGE), (PASSAGE, BLANK)}
"""No rule takes a mark away: what was seen, and what is."""


def _letters_known(
    old: SheetReading, new: SheetReading, merged: Sequence[str], still: np.ndarray, profile: SheetProfile
) -> tuple[tuple[str, ...], tuple[Cell, ...]]:
    """Destinations and gates: what was traced stays traced, also under a wall or a circle; what looks as it did is
    believed as it was seen best."""
    destinations, gates = [], []
    for letter, cell in sorted(profile.letters.items()):
        kind = merged[cell[0]][cell[1]]
        was = letter in old.destinations, cell in old.gates
        now = letter in new.destinations, cell in new.gates
        seen = letter in new.letter_doubts and kind != WALL
        better = new.letter_doubts.get(letter, 1.0) <= old.letter_doubts.get(letter, 1.0)
        if not seen:
            traced, gate = was[0], False
        elif still[cell]:
            traced, gate = now if better else was
        else:
            traced, gate = was[0] or now[0], now[1] or (was[1] and kind == PASSAGE)
        if gate:
            gates.append(cell)
        elif traced:
            destinations.append(letter)
    bare = () if profile.letters else new.gates
    return tuple(destinations), tuple(sorted(gates)) or bare
