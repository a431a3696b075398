"""Finding the tick tracks on a blank sheet: rows or columns of equal little boxes beside the grid.

The sheet is looked at flattened, far beyond the grid. Every small outlined shape (square, circle, diamond) is a
candidate; tracks are chains of equal ones, equally spaced and close together. Score boxes are larger, checkboxes
of a printed list lie farther apart or each has its drawing beside it.
"""

from collections.abc import Iterator
from dataclasses import dataclass

import cv2
import numpy as np

from vision.sheet.flatten import FlatSheet, SheetMap, cut_part, flatten
from vision.sheet.profile import Box


@dataclass(frozen=True)
class TrackSettings:
    """Lengths in cells of the grid, or in parts of a box's width where said."""

    reach: float = 16.0  # how far beyond the grid boxes are looked for
    cell: int = 48  # pixels a cell of the flattened picture, at most
    windows: tuple[float, ...] = (0.6, 1.5)  # neighborhoods of the local threshold
    contrasts: tuple[float, ...] = (0.05, 0.1, 0.025)  # how much darker than it an outline is
    least: float = 0.13  # width of a box
    most: float = 0.95
    longest: float = 1.5  # longer side of a box, in shorter ones
    alike: float = 0.27  # difference of size within a track, in widths
    aligned: float = 0.22  # sideways deviation between neighbors, in widths
    farthest: float = 2.6  # step from box to box, in widths
    gap: float = 0.35  # likeness to a box of its run below which a gap holds none
    least_boxes: int = 4
    most_boxes: int = 24
    dimmest: float = 0.3  # inside of a box in the shade, in parts of the sheet's brightness


SETTINGS = TrackSettings()


@dataclass(frozen=True)
class Track:
    """Boxes in reading order, (n, 4) float [x, y, w, h] in grid units; `score`, how much they look like a track."""

    boxes: np.ndarray
    score: float

    @property
    def bounds(self) -> tuple[float, float, float, float]:
        """Left, top, right, bottom in grid units."""
        x, y, w, h = self.boxes.T
        return x.min(), y.min(), (x + w).max(), (y + h).max()


def find_tracks(image: np.ndarray, sheet_map: SheetMap) -> list[Track]:
    """The sheet's tick tracks, at most two, in reading order.

    Args:
        image: (H, W, 3) BGR or (H, W) gray photo of a blank sheet.
        sheet_map: where its grid lies, turned the right way up.
    """
    flat, gray, candidates = _candidates(image, sheet_map, SETTINGS)
    tone = _tone(gray, flat)
    runs = [whole for run in _linked(_runs(candidates, SETTINGS)) for whole in _completed(run, tone, flat)]
    runs = _without_overlaps(runs)
    tracks = [Track(run, _score(run, runs, tone, flat)) for run in runs]
    return in_reading_order(_best_two(tracks))


WRITTEN = TrackSettings(
    windows=(1.5, 3.0), least=0.5, most=3.5, longest=3.0, alike=0.12, farthest=2.6, least_boxes=3, most_boxes=12
)
"""Boxes for written numbers: larger than ticks' boxes, wider than high."""
ROOM = 1.25
"""Times as wide as a tick's box that a box for numbers is, at least."""


def find_written(image: np.ndarray, sheet_map: SheetMap, tracks: list[Track]) -> tuple[Box, ...]:
    """The printed boxes for the players' own sums: equal boxes in a row or a column beside the grid, in reading order.

    Args:
        image: (H, W, 3) BGR or (H, W) gray photo of a blank sheet.
        sheet_map: where its grid lies, turned the right way up.
        tracks: the tick tracks, whose boxes are none of these.
    """
    candidates = _candidates(image, sheet_map, WRITTEN)[2]
    small = max((float(t.boxes[:, 2:].max()) for t in tracks), default=0.0)
    candidates = candidates[candidates[:, 2:].mean(1) > ROOM * small]
    runs = _runs(candidates, WRITTEN)
    if not runs:
        return ()
    # Their outlines lie around what was found, half a line further out.
    best = max(runs, key=lambda run: (len(run), run[:, 2:].mean()))
    edge = 0.02
    best = best + np.array([-edge, -edge, 2 * edge, 2 * edge])
    across = np.ptp(best[:, 0]) >= np.ptp(best[:, 1])
    return boxes_of(Track(best[np.argsort(best[:, 0 if across else 1])], 0.0))


PAGE = TrackSettings(cell=32)


def whole_page(image: np.ndarray, sheet_map: SheetMap) -> FlatSheet:
    """The page from above as far as the photo shows it, in color or gray as the photo is."""
    return _wide(image, sheet_map, PAGE)


def in_reading_order(tracks: list[Track]) -> list[Track]:
    """The upper first, of those side by side the left one."""

    def before(a: Track, b: Track) -> bool:
        (la, ta, _, ba), (lb, tb, _, bb) = a.bounds, b.bounds
        shared = min(ba, bb) - max(ta, tb)
        return la < lb if shared > 0.3 * min(ba - ta, bb - tb) else ta < tb

    out: list[Track] = []
    for track in tracks:
        place = next((k for k, other in enumerate(out) if before(track, other)), len(out))
        out.insert(place, track)
    return out


def boxes_of(track: Track) -> tuple[Box, ...]:
    """The profile's way to write a track."""
    return tuple((float(x), float(y), float(w), float(h)) for x, y, w, h in np.round(track.boxes, 4))


def _wide(image: np.ndarray, sheet_map: SheetMap, settings: TrackSettings) -> FlatSheet:
    """The photo flattened as far as it goes, at most `reach` beyond the grid."""
    height, width = image.shape[:2]
    edge = np.linspace(0, 1, 9)
    frame = np.concatenate([
        np.stack([edge * width, 0 * edge], 1), np.stack([edge * width, 0 * edge + height], 1),
        np.stack([0 * edge, edge * height], 1), np.stack([0 * edge + width, edge * height], 1),
    ])  # fmt: skip
    inverse = np.linalg.inv(sheet_map.homography)
    mapped = np.c_[frame, np.ones(len(frame))] @ inverse.T
    ahead = mapped[:, 2] * np.sign((np.r_[sheet_map.lattice.mean((0, 1)), 1] @ inverse.T)[2]) > 1e-9
    units = mapped[ahead, :2] / mapped[ahead, 2:]
    lo = np.maximum(units.min(0), -settings.reach)
    hi = np.minimum(units.max(0), np.array([sheet_map.cols, sheet_map.rows]) + settings.reach)
    # Far around a small grid fewer pixels a cell do, and the mapping takes no more than 32,000 places.
    most = np.sqrt(30_000 * 64 / np.prod(hi - lo + 1))
    cell = int(np.clip(sheet_map.cell_pixels, 16, min(settings.cell, most)))
    return flatten(image, sheet_map, cell, box=(lo[0], lo[1], hi[0] - lo[0], hi[1] - lo[1]))


def _candidates(
    image: np.ndarray, sheet_map: SheetMap, settings: TrackSettings
) -> tuple[FlatSheet, np.ndarray, np.ndarray]:
    """The photo flattened, the same in gray, and the outlined shapes that lie on it beside the grid, see `_shapes`."""
    flat = _wide(image, sheet_map, settings)
    gray = flat.image if flat.image.ndim == 2 else cv2.cvtColor(flat.image, cv2.COLOR_BGR2GRAY)
    found = _shapes(gray, flat, settings)
    return flat, gray, found[_on_paper(found, image.shape, gray, flat, sheet_map, settings)] if len(found) else found


def _shapes(gray: np.ndarray, flat: FlatSheet, settings: TrackSettings) -> np.ndarray:
    """White insides of outlined shapes, about as wide as high: (n, 4) [x, y, w, h] in grid units."""
    found: list[np.ndarray] = []
    for window in settings.windows:
        size = int(window * flat.cell) | 1
        local = cv2.blur(gray, (size, size))
        for contrast in settings.contrasts:
            mask = cv2.compare(gray, cv2.convertScaleAbs(local, alpha=1 - contrast), cv2.CMP_LT)
            for closed in (mask, cv2.morphologyEx(mask, cv2.MORPH_CLOSE, np.ones((3, 3), np.uint8))):
                found += list(_holes(closed, flat, settings))
    return _merged(np.array(found).reshape(-1, 4))


def _on_paper(
    boxes: np.ndarray,
    shape: tuple[int, ...],
    gray: np.ndarray,
    flat: FlatSheet,
    sheet_map: SheetMap,
    settings: TrackSettings,
) -> np.ndarray:
    """Which boxes lie in the photo, outside the grid, and are as bright inside as the sheet about is: (n,) bool."""
    center = boxes[:, :2] + boxes[:, 2:] / 2
    outside = np.any((center < 0) | (center > [sheet_map.cols, sheet_map.rows]), 1)
    photo = sheet_map(center[:, 0], center[:, 1])
    inside = np.all((photo > 1) & (photo < np.array(shape[1::-1]) - 2), 1)

    def level(x: float, y: float, w: float, h: float) -> float:
        left, top = (max(0, round(o + v * flat.cell)) for o, v in zip(flat.origin, (x, y), strict=True))
        part = gray[top : top + max(1, round(h * flat.cell)), left : left + max(1, round(w * flat.cell))]
        return float(np.percentile(part, 80)) if part.size else 0.0

    sheet = level(0, 0, sheet_map.cols, sheet_map.rows)
    bright = np.array([level(*box) > settings.dimmest * sheet for box in boxes], bool)
    return outside & inside & bright


def _holes(mask: np.ndarray, flat: FlatSheet, settings: TrackSettings) -> Iterator[np.ndarray]:
    contours, hierarchy = cv2.findContours(mask, cv2.RETR_CCOMP, cv2.CHAIN_APPROX_SIMPLE)
    if hierarchy is None:
        return
    least, most = settings.least * flat.cell * 0.75, settings.most * flat.cell
    for index in np.flatnonzero(hierarchy[0, :, 3] >= 0):
        contour = contours[int(index)]
        if len(contour) < 4:
            continue
        x, y, w, h = cv2.boundingRect(contour)
        # The contour of a hole runs on the dark pixels around it: their middles are the outline's inner edge.
        w, h = w - 1, h - 1
        if not (least <= w <= most and least <= h <= most) or max(w, h) > settings.longest * min(w, h):
            continue
        hull = cv2.convexHull(contour)
        area = cv2.contourArea(hull)
        if cv2.contourArea(contour) < 0.78 * area or area < 0.42 * w * h:
            continue
        left, top = (x + 0.5 - flat.origin[0]) / flat.cell, (y + 0.5 - flat.origin[1]) / flat.cell
        yield np.array([left, top, w / flat.cell, h / flat.cell])


def _merged(boxes: np.ndarray) -> np.ndarray:
    """One box for those found at the same place by several thresholds: their median."""
    center = boxes[:, :2] + boxes[:, 2:] / 2
    across = np.argsort(center[:, 0])
    reach = 0.25 * boxes[:, 2:].min(1)
    # A patterned table gives 15,000 of them: each is compared with those in its own upright strip only.
    first, last = np.searchsorted(center[across, 0], np.stack([center[:, 0] - reach, center[:, 0] + reach]))
    free = np.ones(len(boxes), bool)
    out = []
    for k in range(len(boxes)):
        if not free[k]:
            continue
        strip = across[first[k] : last[k] + 1]
        near = np.abs(center[strip] - center[k]).max(1) < reach[k]
        near &= np.abs(np.log(boxes[strip, 2:] / boxes[k, 2:])).max(1) < 0.3
        free[strip[near]] = False
        out.append(np.median(boxes[strip[near]], 0))
    return np.array(out).reshape(-1, 4)


def _runs(boxes: np.ndarray, settings: TrackSettings) -> list[np.ndarray]:
    """Chains of equal boxes in a row or a column at equal steps; each (n, 4), in order."""
    if len(boxes) == 0:
        return []
    center, size = boxes[:, :2] + boxes[:, 2:] / 2, boxes[:, 2:]
    width = size.mean(1)
    alike = (np.abs(np.log(size[:, None] / size[None])) < settings.alike).all(2)
    runs: list[np.ndarray] = []
    for axis in (0, 1):
        along = (center[None, :, axis] - center[:, None, axis]) / width[:, None]
        beside = np.abs(center[None, :, 1 - axis] - center[:, None, 1 - axis]) / width[:, None]
        linked = alike & (along > 0.85) & (along < settings.farthest) & (beside < settings.aligned)
        follower = np.where(linked.any(1), np.where(linked, along, np.inf).argmin(1), -1)
        started = np.ones(len(boxes), bool)
        started[follower[follower >= 0]] = False
        for start in np.flatnonzero(started):
            chain = [int(start)]
            while follower[chain[-1]] >= 0 and len(chain) <= 2 * settings.most_boxes:
                chain.append(int(follower[chain[-1]]))
            runs += _equal_steps(boxes[chain], axis, settings)
    return runs


def _equal_steps(chain: np.ndarray, axis: int, settings: TrackSettings) -> list[np.ndarray]:
    """Cut a chain where a step is wider than its usual one, as between two tracks in one line."""
    if len(chain) < settings.least_boxes:
        return []
    middle = chain[:, axis] + chain[:, 2 + axis] / 2
    steps = np.diff(middle)
    usual = np.median(steps)
    whole = np.round(steps / usual)
    # A box that was missed leaves a step of twice the usual one: kept together, filled in later.
    regular = (np.abs(steps - whole * usual) < 0.12 * usual) & (whole >= 1) & (whole <= 2)
    parts = np.split(chain, np.flatnonzero(~regular) + 1)
    return [p for p in parts if len(p) >= settings.least_boxes]


def _linked(runs: list[np.ndarray]) -> list[np.ndarray]:
    """The runs, and each pair in line with one box missing between, joined: `_completed` then checks the gap."""
    out = list(runs)
    for a in runs:
        axis, size = _axis(a), np.median(a[:, 2:], 0)
        step = np.median(np.diff(a[:, axis] + a[:, 2 + axis] / 2))
        for b in runs:
            way = np.median(b[:, :2], 0) - np.median(a[:, :2], 0)
            gap = b[0, axis] + b[0, 2 + axis] / 2 - a[-1, axis] - a[-1, 2 + axis] / 2
            alike = np.abs(np.log(np.median(b[:, 2:], 0) / size)).max() < SETTINGS.alike
            in_line = _axis(b) == axis and abs(way[1 - axis]) < SETTINGS.aligned * size.mean()
            if alike and in_line and abs(gap - 2 * step) < 0.12 * step:
                out.append(np.concatenate([a, b]))
    return out


def _axis(run: np.ndarray) -> int:
    """0 where boxes stand in a row, 1 in a column."""
    return int(np.ptp(run[:, 1]) > np.ptp(run[:, 0]))


def _completed(run: np.ndarray, tone: np.ndarray, flat: FlatSheet) -> list[np.ndarray]:
    """Fill a run's gaps and lengthen it by what looks like its boxes; straighten it; outlines' middles as edges.

    Where nothing like a box stands in a gap, as between two tracks in one line, the run is cut in two.
    """
    axis = _axis(run)
    center = run[:, :2] + run[:, 2:] / 2
    size = np.median(run[:, 2:], 0)
    step = np.median(np.diff(center[:, axis]))
    index = np.round((center[:, axis] - center[0, axis]) / step)

    def line(degree: int) -> np.ndarray:
        return np.polyfit(index, center, min(degree, len(index) - 1))

    def patch(at: np.ndarray, span: float = 1.3, side: int = 24) -> np.ndarray:
        scale = span * size * flat.cell / side
        corner = np.array(flat.origin) + (at - span / 2 * size) * flat.cell
        return cut_part(tone, corner, scale, (side, side))

    usual = np.median([patch(c) for c in center], 0)
    usual -= usual.mean()

    def likeness(at: np.ndarray) -> tuple[float, np.ndarray]:
        best, where = -1.0, at
        for dy in (-0.1, 0, 0.1):
            for dx in (-0.1, 0, 0.1):
                p = patch(at + np.array([dx, dy]) * size)
                p = p - p.mean()
                value = float((p * usual).sum() / (np.linalg.norm(p) * np.linalg.norm(usual) + 1e-6))
                if value > best and np.abs(p).mean() > 0.35 * np.abs(usual).mean():
                    best, where = value, at + np.array([dx, dy]) * size
        return best, where

    known = {int(i): c for i, c in zip(index, center, strict=True)}
    for k in range(int(index.max())):
        if k not in known:
            known[k] = np.array([np.polyval(line(1)[:, d], k) for d in (0, 1)])
            if likeness(known[k])[0] < SETTINGS.gap:
                parts = (part for part in (run[index < k], run[index > k]) if len(part) >= SETTINGS.least_boxes)
                return [whole for part in parts for whole in _completed(part, tone, flat)]
    own = sorted(likeness(c)[0] for c in center)
    bar = max(0.55, min(0.8, own[len(own) // 4] - 0.15))
    for way in (-1, 1):
        while len(known) < len(run) + 6:
            end = min(known) if way < 0 else max(known)
            value, where = likeness(known[end] + (known[end] - known[end - way]))
            if value < bar:
                break
            known[end + way] = where
    order = sorted(known)
    places = np.array([known[k] for k in order])
    line_of = np.polyfit(order, places, 2 if len(order) > 5 else 1)
    smooth = np.stack([np.polyval(line_of[:, d], order) for d in (0, 1)], 1)
    wide = np.median([patch(p, 2, 48) for p in smooth], 0)
    full = size * _outline(wide, step / size[axis])
    return [np.concatenate([smooth - full / 2, np.tile(full, (len(order), 1))], 1)]


def _tone(gray: np.ndarray, flat: FlatSheet) -> np.ndarray:
    """Darkness against the paper around: (H, W) float32, 0 on paper."""
    kernel = np.ones((max(3, flat.cell // 4),) * 2, np.uint8)
    paper = cv2.blur(
        cv2.dilate(cv2.resize(gray, None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA), kernel),
        (flat.cell // 2 | 1,) * 2,
    )
    paper = cv2.resize(paper, gray.shape[::-1])
    return 1 - gray.astype(np.float32) / np.maximum(paper, 16)


def _outline(usual: np.ndarray, step: float) -> float:
    """How much wider the box is than its inside: out to the darkest place of its outline.

    `usual` shows twice the inside, `step` is the way to the next box in widths of the inside.
    """
    side = len(usual)
    middle = usual[:, side // 2 - 1 : side // 2 + 1].mean(1) + usual[side // 2 - 1 : side // 2 + 1].mean(0)
    outward = (middle[side // 2 :] + middle[side // 2 - 1 :: -1]) / 4  # from the box's middle
    first = side // 4 - 1
    last = min(round(0.82 * side / 2), round(step / 2 * side / 2) + 1)
    return float(first + np.argmax(outward[first : max(last, first + 1)]) + 0.5) / (side / 4)


def _without_overlaps(runs: list[np.ndarray]) -> list[np.ndarray]:
    """Of runs that share boxes the longest is kept, of equals the one with the smaller steps."""

    def step(run: np.ndarray) -> float:
        return np.linalg.norm(np.diff(run[:, :2], axis=0), axis=1).mean() / run[0, 2:].mean()

    kept: list[np.ndarray] = []
    for run in sorted(runs, key=lambda r: (-len(r), step(r))):
        center = run[:, :2] + run[:, 2:] / 2
        taken = np.zeros(len(run), bool)
        for other in kept:
            far = np.abs(center[:, None] - (other[:, :2] + other[:, 2:] / 2)[None]) / other[0, 2:]
            taken |= (far.max(2) < 0.5).any(1)
        if not taken.any():
            kept.append(run)
    return kept


def _score(run: np.ndarray, runs: list[np.ndarray], tone: np.ndarray, flat: FlatSheet) -> float:
    """Many boxes, little ones, close together, with nothing printed right beside each but other such boxes."""
    axis = _axis(run)
    size = run[0, 2:].mean()
    step = np.median(np.diff(run[:, axis])) / size
    score = min(len(run), 10) / 10 - 0.9 * max(0, step - 1.55) - 0.8 * max(0, size - 0.7) - 3 * max(0, 0.22 - size)
    others = np.concatenate([r for r in runs if r is not run] or [np.empty((0, 4))])
    company = []
    for way in (-1, 1):
        beside = run.copy()
        beside[:, 1 - axis] += way * 1.25 * run[:, 3 - axis]
        dark = []
        for x, y, w, h in beside:
            if len(others) and np.abs(others - (x, y, w, h)).max(1).min() < 0.5 * size:
                continue
            left, top = int(x * flat.cell + flat.origin[0]), int(y * flat.cell + flat.origin[1])
            part = tone[max(0, top) : top + int(h * flat.cell), max(0, left) : left + int(w * flat.cell)]
            dark.append(part.size > 0 and float((part > 0.12).mean()) > 0.08)
        company.append(np.mean(dark) if dark else 0)
    return float(score - 0.4 * max(company))


def _best_two(tracks: list[Track]) -> list[Track]:
    """The two that look most like tracks, better still alike; blocks of two rows are joined when more remain."""
    likely = sorted((t for t in tracks if t.score > 0.1), key=lambda t: -t.score)[:8]
    likely = _joined(likely) if len(likely) > 2 else likely
    if len(likely) <= 2:
        return likely

    def pair(a: Track, b: Track) -> float:
        unlike = np.abs(np.log(a.boxes[0, 2:] / b.boxes[0, 2:])).mean()
        return a.score + b.score - 0.6 * min(1.0, float(unlike))

    pairs = [(pair(a, b), i, j) for i, a in enumerate(likely) for j, b in enumerate(likely) if i < j]
    _, i, j = max(pairs)
    return [likely[i], likely[j]]


def _joined(tracks: list[Track]) -> list[Track]:
    """Rows of one block become one track: equal boxes, the rows as close together as the boxes in them."""
    out = list(tracks)
    while len(out) > 2:
        options = []
        for i, a in enumerate(out):
            for j, b in enumerate(out):
                if i != j and (gap := _block_gap(a, b)) is not None:
                    options.append((gap, i, j))
        if not options:
            break
        _, i, j = min(options)
        a, b = out[i], out[j]
        # Read as text is: columns side by side go row by row as well.
        boxes = np.stack([a.boxes, b.boxes], _axis(a.boxes)).reshape(-1, 4)
        joined = Track(boxes, max(a.score, b.score) + 0.1)
        out = [t for k, t in enumerate(out) if k not in (i, j)] + [joined]
    return out


def _block_gap(a: Track, b: Track) -> float | None:
    """Distance of row (or column) b just after a in steps within them, None where they are no block."""
    if len(a.boxes) != len(b.boxes):
        return None
    axis = _axis(a.boxes)
    size, step = a.boxes[0, 2:].mean(), np.median(np.diff(a.boxes[:, axis]))
    if np.abs(np.log(a.boxes[0, 2:] / b.boxes[0, 2:])).max() > 0.15:
        return None
    offset = np.median(b.boxes[:, :2] - a.boxes[:, :2], axis=0)
    if abs(offset[axis]) > 0.3 * size or not 0.85 * size < offset[1 - axis] < 1.35 * max(step, size):
        return None
    return float(offset[1 - axis] / step)
