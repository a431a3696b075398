"""Finding the printed grid in a photo: the crossings of its lines, whatever lies around it.

The stages: guesses (`seeds`) on a small picture, each followed along its lines (`lines`) and placed
so that the lines end where the grid ends, the best one refined on the photo itself.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import islice
from typing import Any

import cv2
import numpy as np

from vision.errors import PhotoError
from vision.sheet import grid_candidates
from vision.sheet.flatten import SheetMap, cell_pixels, projected
from vision.sheet.line_refinement import Fit, follow


@dataclass(frozen=True)
class GridSettings:
    """In pixels of the searched picture, or in parts of what a printed line's side shows."""

    guesses: int = 5  # followed at most, for each contrast
    quick: int = 2  # looked at where only what is as bright as paper is
    line: float = 0.012  # contrast from which a cell's side counts as printed
    sure_inner: float = 0.53  # shares of printed sides that end the search
    sure_edge: float = 0.9
    clean: float = 0.012  # share of sides that clean paper shows missing, at most, to end the search at first sight
    refining: tuple[tuple[float, float], ...] = ((0.3, 0.5), (0.2, 0.5))
    """Reach and bend of each last pass, on the photo itself."""
    seen: float = 0.5  # share of the sides that must be free of solid ink to count alone
    fine: int = 24  # pixels a cell for the last passes
    pulled: tuple[float, ...] = (0.6, 1.2, 1.8, 2.4)  # cells by which a frame's corner is pulled in
    enough: float = 0.6  # value from which a guess with cells all over the grid is taken though an edge is hidden
    settling: tuple[tuple[float, float], ...] = ((0.42, 100.0), (0.2, 4.0))  # reach and bend, of a guess of full size
    steps: int = 5  # by which a guess moves to where the grid ends, at most
    rough: int = 24  # frames with a corner pulled in that are followed
    rivals: int = 6  # fits with an edge moved that are followed
    nudged: int = 4  # guesses with a row too many or too few that are tried


SETTINGS = GridSettings()


@dataclass(frozen=True)
class Search:
    """How thoroughly a grid is looked for, and what is believed."""

    sides: tuple[int, ...] = (800, 1000)  # pixels of the searched picture's longer side, the next where in doubt
    contrasts: tuple[float, ...] = (0.045, 0.09, 0.02, 0.15)  # of a line against its surroundings, tried in turn
    least: float = 0.35  # value below which no grid was found


FIRST = Search()


@dataclass(frozen=True)
class Grid:
    """A found grid: `lattice` (rows + 1, cols + 1, 2) in photo pixels, [0, 0] nearest to the photo's own
    top left; `evidence` 0 to 1, how much of it is seen printed; `searched`: the gray picture in which it was found, at
    `scale` of the photo's size."""

    lattice: np.ndarray
    evidence: float
    searched: np.ndarray
    scale: float


def find_grid(image: np.ndarray, rows: int, cols: int) -> Grid:
    """Find a printed grid of `rows` × `cols` cells in a photo, (H, W, 3) BGR or (H, W) gray uint8.

    Raises PhotoError where there is none, or where an edge of it is cut off.
    """
    gray = _gray(image)
    return refined(gray, rough_grid(gray, rows, cols))


def rough_grid(gray: np.ndarray, rows: int, cols: int, search: Search = FIRST) -> Grid:
    """What `find_grid` finds before it looks closely: crossings off by up to a fifth of a cell. Gray photo only."""
    for side in search.sides:
        scale = min(1.0, side / max(gray.shape))
        small = shrunk(gray, scale)
        best = _quickly(small, rows, cols, search.contrasts[0]) if side == search.sides[0] else None
        if best is None:
            best = _searched(small, rows, cols, search, last=side == search.sides[-1] or scale == 1)
        if best is not None or scale == 1:
            break
    if best is None or best.value < search.least:
        raise PhotoError("sheet.no-grid", rows=rows, cols=cols)
    return Grid(_turned_up((best.lattice + 0.5) / scale - 0.5), best.value, small, scale)


def refined(gray: np.ndarray, rough: Grid) -> Grid:
    """A roughly found grid with its crossings moved onto the printed lines of the photo it was found in."""
    small, lattice, scale = rough.searched, rough.lattice, rough.scale
    if scale < 1 and scale * cell_pixels(lattice) < SETTINGS.fine:
        small, scale = gray, 1.0
    lattice = (lattice + 0.5) * scale - 0.5
    for one in SETTINGS.refining:
        # Each pass sees the sheet anew: the straighter its lines lie, the closer they are followed.
        framed = one == SETTINGS.refining[-1]
        lattice = follow(small, lattice, SETTINGS.fine, 0.01, (one,), folds=True, framed=framed).lattice
    return Grid((lattice + 0.5) / scale - 0.5, rough.evidence, small, scale)


def followed(gray: np.ndarray, lattice: np.ndarray) -> tuple[np.ndarray, float]:
    """A lattice that is known to half a cell moved onto the printed lines of its photo, (H, W) uint8; and how much of
    it is seen printed, up to 1."""
    scale = min(1.0, FIRST.sides[0] / max(gray.shape))
    found = refined(gray, Grid(lattice, 1.0, shrunk(gray, scale), scale))
    fit = follow(found.searched, (found.lattice + 0.5) * found.scale - 0.5, passes=((0.12, 4.0),))
    return found.lattice, _judge(fit).value


def _gray(image: np.ndarray) -> np.ndarray:
    return image if image.ndim == 2 else cv2.cvtColor(image, cv2.COLOR_BGR2GRAY)


def shrunk(gray: np.ndarray, scale: float) -> np.ndarray:
    """The picture at a scale up to 1: halved as often as that goes, which is quick, then interpolated."""
    while scale <= 0.5:
        gray, scale = cv2.resize(gray, None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA), 2 * scale
    return cv2.resize(gray, None, fx=scale, fy=scale, interpolation=cv2.INTER_LINEAR) if scale < 1 else gray


def _searched(small: np.ndarray, rows: int, cols: int, search: Search, last: bool) -> Candidate | None:
    """The guess whose lines are printed best, the first that leaves no doubt; unless `last`, none but such a one."""
    found: list[Candidate] = []
    tried: list[np.ndarray] = []
    challenged: list[np.ndarray] = []
    for guess, supported in _guesses(small, rows, cols, search.contrasts if last else search.contrasts[:2]):
        if not supported and any(_alike(guess, other, 0.02 * max(small.shape)) for other in tried):
            continue
        tried.append(guess)
        settled = _settle(small, guess, rows, cols)
        if settled is None:
            continue
        if settled.sure and supported:
            return settled
        near = 0.25 * cell_pixels(settled.lattice)
        if settled.sure and not any(_alike(settled.lattice, other, near) for other in challenged):
            challenged.append(settled.lattice)
            settled = _unrivaled(small, settled, rows, cols)
            if settled.sure and settled.value >= SETTINGS.enough:
                return settled
        found.append(replace(settled, supported=supported))
    if not last:
        return None
    found.sort(key=lambda c: -c.value)
    if not found or (found[0].supported and found[0].value >= SETTINGS.enough):
        return found[0] if found else None
    found += _pulled_in(small, rows, cols, search.contrasts)
    found.sort(key=lambda c: -c.value)
    for candidate in _unlike(found)[: SETTINGS.nudged]:
        found.append(_polished(small, _unrivaled(small, candidate, rows, cols)))
        if found[-1].sure:
            break
    return max(found, key=lambda c: c.value)


def _quickly(small: np.ndarray, rows: int, cols: int, contrast: float) -> Candidate | None:
    """A guess that leaves no doubt, where only what is as bright as paper is looked at: the table is full of lines."""
    mask = grid_candidates.bright_line_mask(cv2.GaussianBlur(small, (3, 3), 0), contrast)
    for guess, _, whole in islice(_seeded(mask, rows, cols), SETTINGS.quick) if mask is not None else ():
        at_once = _at_once(small, guess) if whole and guess.shape[:2] == (rows + 1, cols + 1) else None
        if at_once is not None and at_once.missing <= SETTINGS.clean:
            return at_once
    return None


def _at_once(small: np.ndarray, guess: np.ndarray) -> Candidate | None:
    """A guess of full size whose lines are plainly all there: nothing around it need be looked at then."""
    fit = _judge(follow(small, guess, passes=SETTINGS.settling))
    return fit if fit.sure and _plausible(fit.lattice, small.shape) else None


def _alike(one: np.ndarray, other: np.ndarray, near: float) -> bool:
    return one.shape == other.shape and bool(np.abs(one - other).max() < near)


def _pulled_in(small: np.ndarray, rows: int, cols: int, contrasts: tuple[float, ...]) -> list[Candidate]:
    """Frames with one corner pulled in along one of its edges: a pawn, a shadow or a title that touches the grid
    pushes one corner of its outline out and leaves the other three."""
    corners = np.array([[0, 0], [cols, 0], [cols, rows], [0, rows]], np.float32)
    moves = []
    for corner in range(4):
        for neighbor in ((corner + 1) % 4, (corner + 3) % 4):
            way = np.sign(corners[neighbor] - corners[corner])
            for far in SETTINGS.pulled:
                moves.append(np.zeros((4, 2), np.float32))
                moves[-1][corner] = far * way
    starts = [_within(frame, rows, cols) for frame in _frames(small, contrasts)]
    pulled = [lattice for start in starts for lattice in _moved(start, moves, small.shape)]
    rough = [_judge(follow(small, lattice)) for lattice in _likely(small, pulled, SETTINGS.rough)]
    best = sorted(rough, key=lambda c: -c.value)[: SETTINGS.guesses]
    settled = (_settle(small, candidate.lattice, rows, cols) for candidate in best)
    return [_polished(small, candidate) for candidate in settled if candidate is not None]


def _moved(lattice: np.ndarray, moves: list[np.ndarray], shape: tuple[int, ...]) -> list[np.ndarray]:
    """The lattice with its corners moved in each of these ways, (4, 2) cells each, as far as that is plausible."""
    start = SheetMap(lattice)
    rows, cols = start.rows, start.cols
    corners = np.array([[0, 0], [cols, 0], [cols, rows], [0, rows]], np.float32)
    planes = [cv2.getPerspectiveTransform(corners, (corners + move).astype(np.float32)) for move in moves]
    units = np.stack([projected(plane, rows, cols) for plane in planes])
    return [moved for moved in start(units[..., 0], units[..., 1]) if _plausible(moved, shape)]


def _likely(small: np.ndarray, lattices: list[np.ndarray], most: int) -> list[np.ndarray]:
    """Those of many lattices along whose sides most is dark, the likeliest first: quickly told, roughly right."""
    if not lattices:
        return []
    mask = grid_candidates.line_mask(cv2.GaussianBlur(small, (3, 3), 0), LIKELY_CONTRAST)
    wide = round(LIKELY_NEAR * cell_pixels(lattices[0])) * 2 + 1
    near = cv2.dilate(mask, np.ones((wide, wide), np.uint8))
    every = np.stack(lattices).astype(np.float32)
    share = []
    for one, other in ((every[:, :, :-1], every[:, :, 1:]), (every[:, :-1], every[:, 1:])):
        points = np.stack([one + t * (other - one) for t in (0.2, 0.4, 0.6, 0.8)], 1).reshape(len(every), -1, 2)
        points = np.clip(np.round(points).astype(np.int32), 0, np.array(small.shape[1::-1]) - 1)
        share.append((near[points[..., 1], points[..., 0]] > 0).mean(1))
    return [lattices[k] for k in np.argsort(-np.add(*share), kind="stable")[:most]]


LIKELY_CONTRAST = 0.045
"""Contrast of a dark line, in parts of the paper's light."""
LIKELY_NEAR = 0.12
"""Cells from a dark line within which a lattice's side counts as on it."""


def _frames(small: np.ndarray, contrasts: tuple[float, ...]) -> list[np.ndarray]:
    """The frames of all contrasts, each once."""
    soft = cv2.GaussianBlur(small, (3, 3), 0)
    every = [f for contrast in contrasts for f in grid_candidates.frames(grid_candidates.line_mask(soft, contrast))]
    apart = 0.02 * max(small.shape)
    return [f for k, f in enumerate(every) if all(np.abs(f - other).max() > apart for other in every[:k])]


def _unlike(candidates: list[Candidate]) -> list[Candidate]:
    """The candidates that are not nearly the same as a better one."""
    kept: list[Candidate] = []
    for candidate in candidates:
        near = 0.5 * cell_pixels(candidate.lattice)
        if all(np.abs(candidate.lattice - other.lattice).max() > near for other in kept):
            kept.append(candidate)
    return kept


def _polished(small: np.ndarray, candidate: Candidate) -> Candidate:
    """The fit with the paper's folds followed: a right one gains by that, a wrong one hardly does."""
    lattice = candidate.lattice
    lattice = follow(small, lattice, passes=((0.2, 1.0), (0.15, 0.5))).lattice
    if not _plausible(lattice, small.shape):
        return candidate
    polished = _judge(follow(small, lattice, passes=((0.1, 2.0),)))
    return polished if polished.value > candidate.value else candidate


def from_corners(image: np.ndarray, corners: np.ndarray, rows: int, cols: int) -> np.ndarray:
    """The lattice between four corners that a person gave, moved onto the printed lines where those are near.

    Args:
        image: (H, W, 3) BGR or (H, W) gray uint8 photo.
        corners: (4, 2) pixels: the sheet's top left, top right, bottom right, bottom left.

    Returns (rows + 1, cols + 1, 2). Raises PhotoError where the corners span no grid.
    """
    frame = np.asarray(corners, np.float32).reshape(4, 2)
    if abs(cv2.contourArea(frame)) < rows * cols or not cv2.isContourConvex(frame):
        raise PhotoError("sheet.no-grid", rows=rows, cols=cols)
    lattice = _within(frame, rows, cols)
    gray = _gray(image)
    followed = follow(gray, lattice, 24, passes=((0.3, 4.0), (0.12, 0.5))).lattice
    near = np.abs(followed - lattice).max() < 0.45 * cell_pixels(lattice)
    return followed if near and np.all(np.isfinite(followed)) else lattice


def refined_nearby(gray: np.ndarray, lattice: np.ndarray) -> np.ndarray | None:
    """A lattice known from the picture before, moved onto the printed lines; None where they are not there any more.

    Args:
        gray: (H, W) uint8.
        lattice: (rows + 1, cols + 1, 2) pixels; the lines may lie up to a third of a cell off.
    """
    if not _plausible(lattice, gray.shape):
        return None
    fit = follow(gray, lattice, SETTINGS.fine, passes=((0.35, 4.0), *SETTINGS.refining))
    found = _judge(fit)
    return fit.lattice if found.value >= FIRST.least and _plausible(fit.lattice, gray.shape) else None


def _guesses(
    small: np.ndarray, rows: int, cols: int, contrasts: tuple[float, ...]
) -> Iterator[tuple[np.ndarray, bool]]:
    """Lattices worth following, likely ones first: of any size from seeds, of rows × cols from frames; and
    whether cells seen all over the grid leave no room for a row too many or too few."""
    soft = cv2.GaussianBlur(small, (3, 3), 0)
    for contrast in contrasts:
        mask = grid_candidates.line_mask(soft, contrast)
        parts: list[tuple[np.ndarray, bool]] = []
        for guess, supported, whole in _seeded(mask, rows, cols):
            if whole:
                yield guess, True
            else:
                parts.append((guess, supported))
        yield from (part for part in parts if part[1])
        yield from ((_within(frame, rows, cols), False) for frame in grid_candidates.frames(mask))
        yield from (part for part in parts if not part[1])


def _seeded(mask: np.ndarray, rows: int, cols: int) -> Iterator[tuple[np.ndarray, bool, bool]]:
    """Lattices through cells seen side by side, whether cells are seen all over the grid, and from edge to edge."""
    for seed in islice(grid_candidates.clusters(grid_candidates.quadrilaterals(mask)), SETTINGS.guesses):
        cells = _densest(seed.cells, max(rows, cols))
        lo, hi = cells.min(0).astype(int), cells.max(0).astype(int) + 1
        supported = bool(np.all(hi - lo >= min(rows, cols) / 2)) and len(cells) >= rows * cols / 8
        guess = projected(seed.homography, hi[1] - lo[1], hi[0] - lo[0], lo[0], lo[1])
        yield guess, supported, supported and set(hi - lo) == {rows, cols}


def _within(frame: np.ndarray, rows: int, cols: int) -> np.ndarray:
    """The lattice that divides a frame of four corners evenly, as seen in perspective."""
    units = np.array([[0, 0], [cols, 0], [cols, rows], [0, rows]], np.float32)
    return projected(cv2.getPerspectiveTransform(units, frame.astype(np.float32)), rows, cols)


def _densest(cells: np.ndarray, most: int) -> np.ndarray:
    """The cells in the fullest window of `most` columns and rows: a stray box beside the grid may lie in step."""
    for axis in (0, 1):
        place = cells[:, axis]
        starts = np.arange(place.min(), max(place.max() - most + 1, place.min()) + 1)
        first = max(starts, key=lambda s: np.count_nonzero((place >= s) & (place < s + most)))
        cells = cells[(place >= first) & (place < first + most)]
    return cells


def _settle(small: np.ndarray, guess: np.ndarray, rows: int, cols: int) -> Candidate | None:
    """Follow a guess's lines, grow it by a cell on each side and cut it back to the window that is printed best,
    until that window stays where it is."""
    if guess.shape[:2] == (rows + 1, cols + 1):
        at_once = _at_once(small, guess)
        if at_once is not None:
            return at_once
    lattice = guess
    for _ in range(SETTINGS.steps):
        n = np.array(lattice.shape[:2]) - 1
        by = 2 if np.all(n >= min(rows, cols) - 1) else 3
        v, u = np.mgrid[-by : n[0] + by + 1, -by : n[1] + by + 1].astype(np.float64)
        wider = SheetMap(lattice)(u, v)
        if not _plausible(wider, small.shape):
            return None
        fit = follow(small, wider)
        window = _best_window(fit, rows, cols)
        top, left, height, width = window
        lattice_next = fit.lattice[top : top + height + 1, left : left + width + 1]
        same = lattice_next.shape == lattice.shape
        if same and np.abs(lattice_next - lattice).max() < 0.25 * cell_pixels(lattice_next):
            lattice = lattice_next
            break
        lattice = lattice_next
    if (lattice.shape[0] - 1, lattice.shape[1] - 1) == (cols, rows) != (rows, cols):
        lattice = np.rot90(lattice)
    if lattice.shape[:2] != (rows + 1, cols + 1) or not _plausible(lattice, small.shape):
        return None
    fit = follow(small, lattice, passes=SETTINGS.settling)
    return _judge(fit) if _plausible(fit.lattice, small.shape) else None


def _plausible(lattice: np.ndarray, shape: tuple[int, ...]) -> bool:
    """Finite, not folded over, no larger than a few photos."""
    if not np.all(np.isfinite(lattice)) or np.abs(lattice).max() > 6 * max(shape):
        return False
    inside = np.all((lattice > 0) & (lattice < (shape[1], shape[0])), axis=-1)
    if inside.mean() < 0.5:
        return False
    right, down = np.diff(lattice, axis=1)[:-1], np.diff(lattice, axis=0)[:, :-1]
    turn = right[..., 0] * down[..., 1] - right[..., 1] * down[..., 0]
    return bool(np.all(turn > 4))


def _best_window(fit: Fit, rows: int, cols: int) -> tuple[int, int, int, int]:
    """Top, left, height and width of the part of a followed lattice whose lines are printed best, at most
    rows × cols (either way round)."""
    have = np.array(fit.lattice.shape[:2]) - 1
    across, down = (np.nan_to_num(np.clip(a, 0, 3 * SETTINGS.line) - SETTINGS.line) for a in (fit.across, fit.down))
    sum_a, sum_d = (np.pad(np.cumsum(np.cumsum(a, 0), 1), ((1, 0), (1, 0))) for a in (across, down))

    def total(s: np.ndarray, top: int, left: int, height: int, width: int) -> Any:
        return s[top + height, left + width] - s[top, left + width] - s[top + height, left] + s[top, left]

    best, where = -np.inf, (0, 0, 1, 1)
    for n in {(rows, cols), (cols, rows)}:
        height, width = min(n[0], have[0]), min(n[1], have[1])
        for top in range(have[0] - height + 1):
            for left in range(have[1] - width + 1):
                value = total(sum_a, top, left, height + 1, width) + total(sum_d, top, left, height, width + 1)
                if value > best:
                    best, where = value, (top, left, height, width)
    return where


def _unrivaled(small: np.ndarray, best: Candidate, rows: int, cols: int) -> Candidate:
    """Where few cells were seen, a row too many or too few may have been squeezed in: try the fit again with
    each edge, and each end of it, a cell further out or in, as long as that helps."""
    moves = []
    for side, axis in ((0, 1), (1, 0), (2, 1), (3, 0)):
        for by in (-1.0, 1.0):
            for ends in ((side, (side + 1) % 4), (side,), ((side + 1) % 4,)):
                move = np.zeros((4, 2))
                move[list(ends), axis] = by
                moves.append(move)
    for _ in range(3):
        rivals = _likely(small, _moved(best.lattice, moves, small.shape), SETTINGS.rivals)
        tried = [_judge(follow(small, lattice, passes=SETTINGS.settling)) for lattice in rivals]
        better = max((c for c in tried if _plausible(c.lattice, small.shape)), key=lambda c: c.value, default=best)
        if better.value <= best.value:
            break
        best = better
    return best


@dataclass(frozen=True)
class Candidate:
    """A followed lattice; `value`: how much of it is seen printed, up to 1; `sure`: enough to end the search;
    `missing`: share of its sides where clean paper shows no line."""

    lattice: np.ndarray
    value: float
    sure: bool
    missing: float
    supported: bool = False


def _judge(fit: Fit) -> Candidate:
    """Marks hide inner lines, hardly ever an edge, and clean paper hides nothing: a window that is
    one row off shows it there."""
    across, down = (np.where(np.isnan(a), np.nan, a > SETTINGS.line) for a in (fit.across, fit.down))
    every = np.concatenate([across.ravel(), down.ravel()])
    inner = float(np.nansum(every) / max(np.count_nonzero(~np.isnan(every)), SETTINGS.seen * every.size))
    edge = min(_share(side) for side in (across[0], across[-1], down[:, 0], down[:, -1]))
    value = inner * (1 + edge) / 2 - 2 * fit.missing
    sure = inner >= SETTINGS.sure_inner and edge >= SETTINGS.sure_edge
    return Candidate(fit.lattice, value, sure, fit.missing)


def _share(printed: np.ndarray) -> float:
    """Share of an edge's sides that are printed, of those that no solid ink covers."""
    counted = printed[~np.isnan(printed)]
    return float(counted.mean()) if len(counted) > len(printed) / 4 else 0.5


def _turned_up(lattice: np.ndarray) -> np.ndarray:
    """Of the four turns (two where rows and columns differ) the one whose rows run most to the right."""
    turns = (np.rot90(lattice, k) for k in range(4))
    return max((t for t in turns if t.shape == lattice.shape), key=lambda t: (t[:, -1] - t[:, 0])[:, 0].sum())
