"""Fitting a grid's lines: follow each printed line on the flattened guess, move the crossings onto it, say how sure.

All is done on a small gray picture of the guess seen from above, in which every line is
nearly straight, horizontal or vertical, and close to its place. A line is followed from
one edge to the other as the darkest smooth path, which hatching and circles cannot imitate over a
whole row; the crossings are then moved together, as a sheet of paper bends.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from typing import Any

import cv2
import numpy as np

from vision.ranks import median
from vision.sheet.flatten import SheetMap, flatten


@dataclass(frozen=True)
class LineRefinementSettings:
    """How a grid's lines are followed, and when one is believed."""

    white: int = 200  # level of bare paper in a normalized picture
    clip: float = 0.06  # contrast beyond which darker is no better: a felt pen must not outweigh a printed hairline
    faint: float = 0.01  # contrast below which nothing is printed
    solid: float = 0.6  # brightness below which ink covers the paper
    clean: float = 0.8  # brightness of clean paper, noise and a letter's edge included
    margin: int = 1  # cells of the flattened picture around the grid
    step: int = 4
    """Pixels along a line over which its position is measured; it may move aside by one from step to step. With longer
    steps it is lost where it rises steeply beyond a fold."""
    widest: float = 0.42
    """How far from its line's place the paper is looked at, in cells: nearly to the middle of the cells."""
    modes: int = 8  # ways of bending along each direction: a plane, a curl, a wave, and enough for a fold
    frame: float = 0.04  # cells by which the middle of a frame's line may lie outside of the grid for its thickness
    border: float = 0.12
    """Cells by which an outer line lies outside of where the inner lines say if it is a second border's, where not all
    sides do."""
    border_reach: float = 0.08  # cells from there within which the grid's own line is looked for then
    border_trust: float = 0.3  # share of the trust in the border's line from which it is taken
    fold_gain: float = 0.15  # share of what the smooth fields leave over that a fold must explain


SETTINGS = LineRefinementSettings()
OUTER: tuple[tuple[Any, ...], ...] = ((1, 0), (1, -1), (0, slice(None), 0), (0, slice(None), -1))
"""Where the moves of the outer lines' crossings, right or down, stand: top, bottom, left, right."""


@dataclass(frozen=True)
class Fit:
    """A lattice and the evidence for it.

    `lattice` (rows + 1, cols + 1, 2) in pixels of the searched picture; `bands`: what was seen along its lines.
    """

    lattice: np.ndarray
    bands: Sequence[_Band]

    @cached_property
    def _sides(self) -> list[tuple[np.ndarray, np.ndarray]]:
        return [side for band in self.bands for side in band.sides()]

    @property
    def across(self) -> np.ndarray:
        """(rows + 1, cols): how clearly a line is printed on each cell's upper or lower side, in contrasts of the
        paper (0: no line; nan: solid ink, which hides any)."""
        return self._sides[0][0]

    @property
    def down(self) -> np.ndarray:
        """(rows, cols + 1): the same for the left and right sides."""
        return self._sides[1][0].T

    @property
    def missing(self) -> float:
        """Share of all sides where clean paper shows that no line is printed; ink, shadow and glare hide lines,
        clean paper does not."""
        return float(np.mean(np.concatenate([bare.ravel() for _, bare in self._sides])))


def normalize(gray: np.ndarray, cell: int) -> np.ndarray:
    """Paper white is `SETTINGS.white` whatever the light: (H, W) uint8 from (H, W) uint8."""
    size = cell | 1
    paper = cv2.blur(cv2.dilate(gray, np.ones((5, 5), np.uint8)), (size, size))
    return cv2.divide(gray, cv2.max(paper, 16), scale=SETTINGS.white)  # type: ignore[call-overload]


def ridge(paper: np.ndarray, cell: int) -> np.ndarray:
    """How much darker each pixel is than both sides above and below, near or farther off: (H, W) uint8, positive on
    horizontal lines, at most CLIP."""
    out = np.zeros_like(paper)
    for reach in (2, max(3, cell // 5)):
        sides = cv2.min(paper[: -2 * reach], paper[2 * reach :])
        inner = out[reach:-reach]
        cv2.max(inner, cv2.subtract(sides, paper[reach:-reach]), dst=inner)
    return cv2.min(out, round(SETTINGS.clip * SETTINGS.white))  # type: ignore[call-overload]


def follow(image: np.ndarray, lattice: np.ndarray, cell: int = 16, stiffness: float = 0.02,
           passes: tuple[tuple[float, float], ...] = ((SETTINGS.widest, 100),), folds: bool = False,
           framed: bool = False) -> Fit:  # fmt: skip
    """Move a guessed lattice onto the printed lines.

    Args:
        image: (H, W) uint8 gray photo.
        lattice: the guess, (rows + 1, cols + 1, 2) in its pixels.
        cell: pixels a cell of the flattened picture that is searched.
        stiffness: cost of a line's path moving sideways by a pixel from one step to the next.
        passes: reach and bend of each pass: how far from the guess, or from what the pass before found, a line is
            looked for, in cells; how strongly crossings hold together (more for a first rough guess).
        folds: also look for one straight fold across the sheet.
        framed: the outer lines may be a frame's, which lies elsewhere than the inner lines say: all sides alike are set
            right in the last pass.
    """
    sheet_map = SheetMap(lattice)
    rows, cols = sheet_map.rows, sheet_map.cols
    paper = normalize(flatten(image, sheet_map, cell, SETTINGS.margin).image, cell)
    # The lines of a square grid are followed both ways at once.
    ways = [(paper, cols), (cv2.transpose(paper), rows)]
    bands = [_Band(group, cell) for group in ([ways] if rows == cols else [[way] for way in ways])]
    units = np.asarray(np.mgrid[0 : rows + 1, 0 : cols + 1][::-1], np.float64)
    # Bending is measured from the plane, not from the guess: repeated following must not crumple the sheet.
    plane = np.linalg.inv(sheet_map.homography)
    start = _planar(sheet_map.lattice, plane) - units

    def offsets(moved: np.ndarray, reach: float) -> tuple[np.ndarray, np.ndarray]:
        """How far from the plane the lines are found near where the crossings moved, and how far that is trusted."""
        # By lines across and lines down: where they were found until now, as the flattened picture shows them.
        near = [(moved - start)[1], (moved - start)[0].T]
        near = [np.stack(near)] if rows == cols else [n[None] for n in near]
        found = [f for band, n in zip(bands, near, strict=True) for f in band.crossings(n, reach, stiffness)]
        (off_v, weight_v), (off_u, weight_u) = found
        off = _planar(sheet_map(units[0] + off_u.T, units[1] + off_v), plane) - units
        return off, np.stack([weight_u.T, weight_v])

    moved = start
    for reach, bend in passes:
        off, weight = offsets(moved, reach)
        moved = _bent(off, weight, bend, folds)
    if framed:
        inner = weight.copy()
        for line in OUTER:
            inner[line] = 0
        inside = _bent(off, inner, bend, folds)
        outside = _outside(moved, inside)
        if min(outside) <= SETTINGS.frame and max(outside) > SETTINGS.border:
            closer, trust = offsets(inside, SETTINGS.border_reach)
            for line in OUTER:
                if median(trust[line]) >= SETTINGS.border_trust * median(weight[line]):
                    off[line], weight[line] = closer[line], trust[line]
            moved = _bent(off, weight, bend, folds)
            outside = _outside(moved, inside)
        moved = _within_frame(moved, inside, float(median(outside)))
    where = np.moveaxis(units + moved, 0, -1).reshape(1, -1, 2)
    fitted = cv2.perspectiveTransform(where, sheet_map.homography).reshape(rows + 1, cols + 1, 2)
    return Fit(fitted, bands)


def _planar(points: np.ndarray, plane: np.ndarray) -> np.ndarray:
    """Pixels (rows, cols, 2) in grid units of the plane: (2, rows, cols)."""
    return np.moveaxis(cv2.perspectiveTransform(points.reshape(1, -1, 2), plane).reshape(points.shape), -1, 0)


def _strips(pixels: np.ndarray, cells: int, cell: int) -> np.ndarray:
    """The mean of each step along the cells: (H, cells · steps) uint8."""
    part = pixels[:, SETTINGS.margin * cell : (SETTINGS.margin + cells) * cell]
    return cv2.resize(part, (cells * (cell // SETTINGS.step), len(part)), interpolation=cv2.INTER_AREA)


@cache
def _between(cells: int, steps: int) -> np.ndarray:
    """From crossings to the middles of the steps between them, so many a cell: (cells + 1, cells · steps)."""
    place = (np.arange(cells * steps) + 0.5) / steps
    return np.maximum(0, 1 - np.abs(place - np.arange(cells + 1)[:, None]))


class _Band:
    """The surroundings of all lines that run one way, or of both ways of a square grid.

    Args:
        ways: each way's normalized picture, its lines horizontal, and how many cells they run along.
        cell: pixels a cell; some `step`s.

    `signal` (ways · lines, offsets, steps): how line-like each place is, in contrasts of the paper; `paper`, the
    same shape: how bright it is.
    """

    def __init__(self, ways: list[tuple[np.ndarray, int]], cell: int) -> None:
        self.cell, self.ways, self.cells = cell, len(ways), ways[0][1]
        self.steps = cell // SETTINGS.step
        self.lines = len(ways[0][0]) // cell - 2 * SETTINGS.margin + 1
        self.half = int(SETTINGS.widest * cell)
        band = ((SETTINGS.margin + np.arange(self.lines)) * cell)[:, None] + np.arange(-self.half, self.half + 1)
        shape = (self.ways * self.lines, 2 * self.half + 1, -1)
        finer = 255 // round(SETTINGS.clip * SETTINGS.white)
        lines = np.stack([_strips(ridge(pixels, cell) * np.uint8(finer), cells, cell) for pixels, cells in ways])
        # Row y of the flat picture is the strip from y to y + 1: a line at y lies between rows y - 1 and y.
        both = np.add(lines[:, band - 1], lines[:, band], dtype=np.float32)
        self.signal = (both * np.float32(0.5 / finer / SETTINGS.white)).reshape(shape)
        paper = np.stack([_strips(pixels, cells, cell) for pixels, cells in ways])
        self.paper = (paper[:, band] * np.float32(1 / SETTINGS.white)).reshape(shape)

    def crossings(self, near: np.ndarray, reach: float, stiffness: float) -> list[tuple[np.ndarray, np.ndarray]]:
        """For each way the offset of each line where it meets each crossing, in cells, and how far that can be
        trusted: two (lines, cells + 1). `near` (ways, lines, cells + 1): where each line is looked for."""
        offset = np.arange(-self.half, self.half + 1, dtype=np.float32) / self.cell
        expected = (near.reshape(len(self.signal), -1) @ _between(self.cells, self.steps)).astype(np.float32)
        away = np.abs(offset[:, None] - expected[:, None])
        cost = np.where(away > reach, np.float32(9.0), np.float32(0.02 / SETTINGS.widest**2) * away * away)
        path = _best_paths(self.signal - cost, stiffness)
        line, place = np.arange(len(path))[:, None], np.arange(path.shape[1])[None]
        level = self.signal[line, path, place]
        left = self.signal[line, np.maximum(path - 1, 0), place]
        right = self.signal[line, np.minimum(path + 1, 2 * self.half), place]
        curve = left - 2 * level + right
        shift = np.where(curve < -1e-6, 0.5 * (left - right) / np.minimum(curve, -1e-6), 0)
        found = (path - self.half + np.clip(shift, -0.5, 0.5)) / self.cell
        middle = np.partition(self.signal, self.half, 1)[:, self.half]
        self.clear = np.maximum(level - middle, 0)
        # A crossing takes its line's place from half a cell on either side of it.
        beside = self.steps // 2
        around = np.arange(self.cells + 1) * self.steps + np.arange(-beside, beside)[:, None]
        around = np.clip(around, 0, self.cells * self.steps - 1)
        weights, values = self.clear[:, around], found[:, around]
        total = weights.sum(1)
        offset = (weights * values).sum(1) / np.maximum(total, 1e-6)
        spread = (weights * (values - offset[:, None]) ** 2).sum(1) / np.maximum(total, 1e-6)
        weight = np.minimum(total / len(around) / 0.05, 1) / (1 + spread / 0.06**2)
        shape = (self.ways, self.lines, -1)
        return list(zip(offset.reshape(shape), weight.reshape(shape), strict=True))

    def sides(self) -> list[tuple[np.ndarray, np.ndarray]]:
        """For each way the contrast of the line along each cell's side, where `crossings` last found it, nan under
        solid ink, and whether it is plainly missing there: two (lines, cells)."""
        by_cell = (len(self.signal), self.cells, self.steps)
        sides = median(self.clear.reshape(by_cell), -1)
        busy = median(self.signal.mean(1).reshape(by_cell), -1)
        near = self.paper.reshape(len(self.paper), -1, self.cells, self.steps)
        missing = (sides < SETTINGS.faint) & (busy < SETTINGS.faint) & (near.min(3).mean(1) > SETTINGS.clean)
        core = near[:, self.half // 2 : -(self.half // 2)]
        solid = (sides < SETTINGS.faint) & (core.mean((1, 3)) < SETTINGS.solid)
        shape = (self.ways, self.lines, -1)
        return list(zip(np.where(solid, np.nan, sides).reshape(shape), missing.reshape(shape), strict=True))


def _best_paths(score: np.ndarray, stiffness: float) -> np.ndarray:
    """For each line the path of most score, moving at most one pixel a step: (lines, steps) offsets' indices."""
    lines, offsets, steps = score.shape
    by_step = np.ascontiguousarray(score.transpose(2, 0, 1), np.float32)
    # From both ends at once: what leads up to a place and what follows it tell how good a path leads through it.
    ends = np.stack([by_step, by_step[::-1]], 1)
    # One offset more on either side, which no path takes, spares every step a test for the edge.
    best = np.full((steps, 2, lines, offsets + 2), -1e6, np.float32)
    best[0, ..., 1:-1] = ends[0]
    move = np.empty((2, lines, offsets), np.float32)
    for k in range(1, steps):
        before = best[k - 1]
        np.maximum(before[..., :-2], before[..., 2:], out=move)
        move -= stiffness
        np.maximum(move, before[..., 1:-1], out=move)
        np.add(move, ends[k], out=best[k, ..., 1:-1])
    through = best[:, 0, :, 1:-1] + best[::-1, 1, :, 1:-1] - by_step
    return through.argmax(2).T


@cache
def _bending(count: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """The smoothest ways in which `count` crossings in a row can move, as columns (count, modes), each one's
    squared second differences, and the products of any two (count, modes²)."""
    second = np.diff(np.eye(count), 2, 0)
    values, modes = np.linalg.eigh(second.T @ second)
    modes = modes[:, : SETTINGS.modes]
    return modes, np.maximum(values[: SETTINGS.modes], 0), (modes[:, :, None] * modes[:, None]).reshape(count, -1)


def _smooth(offset: np.ndarray, weight: np.ndarray, bend: float) -> np.ndarray:
    """The fields closest to weighted offsets, (k, rows, cols), that bend little; outliers lose their weight."""
    count, *shape = offset.shape
    (down, cost_d, pairs_d), (along, cost_a, pairs_a) = map(_bending, shape)
    n_d, n_a = down.shape[1], along.shape[1]
    cost = np.diag(bend * np.add.outer(cost_d, cost_a).ravel() + 1e-6)
    robust = weight
    for _ in range(3):
        # Rows and columns apart: two small products instead of a large one.
        normal = (pairs_d.T @ robust @ pairs_a).reshape(count, n_d, n_d, n_a, n_a).transpose(0, 1, 3, 2, 4)
        right = (down.T @ (robust * offset) @ along).reshape(count, -1, 1)
        found = np.linalg.solve(normal.reshape(count, n_d * n_a, -1) + cost, right)
        field: np.ndarray = down @ found.reshape(count, n_d, n_a) @ along.T
        robust = weight / (1 + ((offset - field) / 0.06) ** 2)
    return field


def _bent(offset: np.ndarray, weight: np.ndarray, bend: float, folds: bool) -> np.ndarray:
    """How the paper bends, from the crossings' weighted offsets, right and down: (2, rows, cols) each."""
    smooth = _smooth(offset, weight, bend)
    folded = _fold(offset - smooth, weight) if folds else None
    if folded is None:
        return smooth
    return folded + _smooth(offset - folded, weight, bend)


def _outside(moved: np.ndarray, inside: np.ndarray) -> tuple[float, ...]:
    """By how many cells each outer line lies outside of where the inner lines say: top, bottom, left, right."""
    return tuple(sign * float(median((moved - inside)[line])) for line, sign in zip(OUTER, (-1, 1, -1, 1), strict=True))


def _within_frame(moved: np.ndarray, inside: np.ndarray, off: float) -> np.ndarray:
    """How the crossings move where the outer lines found are a frame's beside the grid's own.

    A frame is printed all around at one distance: the median of the four sides tells it though a fold spoils one.

    Args:
        moved: (2, rows + 1, cols + 1) by all lines, right and down.
        inside: the same by the inner lines alone.
        off: that median, in cells.
    """
    if 0 <= off <= SETTINGS.frame:
        return moved
    held = inside.copy()
    held[1, 0], held[1, -1] = moved[1, 0] + off, moved[1, -1] - off
    held[0, :, 0], held[0, :, -1] = moved[0, :, 0] + off, moved[0, :, -1] - off
    return held


def _fold(rest: np.ndarray, weight: np.ndarray) -> np.ndarray | None:
    """What one fold straight across the sheet moves: (2, rows, cols) right and down, None where there is none.

    Beyond a fold the sheet turns away evenly, which no smooth field can follow: of all places for a fold
    the one that explains most of `rest`, what the smooth fields leave over.
    """
    trust = weight / (1 + (rest / 0.2) ** 2)
    before = float((trust * rest**2).sum())
    hinges = _hinges(*rest.shape[1:])
    gain, moves = np.zeros(len(hinges)), []
    for k in (0, 1):
        weighted = hinges * trust[k].ravel()
        normal = weighted @ hinges.transpose(0, 2, 1) + 1e-9 * np.eye(2)
        right = weighted @ rest[k].ravel()
        amount = np.linalg.solve(normal, right[..., None])[..., 0]
        gain += (amount * right).sum(1)
        moves.append(amount)
    best = int(gain.argmax())
    if gain[best] < SETTINGS.fold_gain * before:
        return None
    return np.stack([(amount[best] @ hinges[best]).reshape(rest.shape[1:]) for amount in moves])


@cache
def _hinges(rows: int, cols: int) -> np.ndarray:
    """For each place of a fold the two ways in which the sheet can turn there, less what smooth bending does too:
    (places, 2, rows · cols)."""
    v, u = np.mgrid[0:rows, 0:cols].astype(float)
    smooth = np.stack([np.kron(a, b) for a in _bending(rows)[0].T[:4] for b in _bending(cols)[0].T[:4]])
    out = []
    for along, across in ((u, v), (v, u)):
        for place in np.arange(1, along.max(), 0.5):
            turn = np.maximum(along - place, 0)
            hinges = np.stack([turn.ravel(), (turn * (across - across.mean()) / across.max()).ravel()])
            out.append(hinges - (hinges @ smooth.T) @ smooth)
    return np.array(out)
