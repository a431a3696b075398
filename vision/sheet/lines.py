"""Fitting a grid's lines: follow each printed line on the flattened guess, move the crossings onto it, say how sure.

All is done on a small gray picture of the guess seen from above, in which every line is
nearly straight, horizontal or vertical, and close to its place. A line is followed from
one edge to the other as the darkest smooth path, which hatching and circles cannot imitate over a
whole row; the crossings are then moved together, as a sheet of paper bends.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

import cv2
import numpy as np

from vision.sheet.flatten import SheetMap, flatten

CLIP = 0.06
"""Contrast beyond which darker is no better: a felt pen must not outweigh a printed hairline."""
FAINT = 0.01
"""Contrast below which nothing is printed."""
SOLID = 0.6
"""Brightness below which ink covers the paper."""
CLEAN = 0.8
"""Brightness of clean paper, noise and a letter's edge included."""
MARGIN = 1
"""Cells of the flattened picture around the grid."""
STEPS = 4
"""Places a cell at which a line's position is measured."""
WIDEST = 0.42
"""How far from its line's place the paper is looked at, in cells: nearly to the middle of the cells."""


@dataclass(frozen=True)
class Fit:
    """A lattice and the evidence for it.

    `lattice` (rows + 1, cols + 1, 2) in pixels of the searched picture; `across` (rows + 1, cols)
    and `down` (rows, cols + 1): how clearly a line is printed on each side of each cell,
    in contrasts of the paper (0: no line; nan: solid ink, which hides any). `missing`: share of all sides
    where clean paper shows that no line is printed; ink, shadow and glare hide lines, clean paper does not.
    """

    lattice: np.ndarray
    across: np.ndarray
    down: np.ndarray
    missing: float


def ridge(flat: np.ndarray, reach: int) -> np.ndarray:
    """How much darker each pixel is than both sides above and below: (H, W) float32, positive on horizontal lines."""
    above = np.roll(flat, reach, 0)
    below = np.roll(flat, -reach, 0)
    out = np.minimum(above, below) - flat
    out[:reach] = 0
    out[-reach:] = 0
    return out


def normalize(gray: np.ndarray, cell: int) -> np.ndarray:
    """Paper white is 1 whatever the light: (H, W) float32 from (H, W) uint8."""
    size = cell | 1
    paper = cv2.blur(cv2.dilate(gray, np.ones((5, 5), np.uint8)), (size, size))
    return gray.astype(np.float32) / np.maximum(paper, 16).astype(np.float32)


def follow(image: np.ndarray, lattice: np.ndarray, cell: int = 16, reach: float = WIDEST, stiffness: float = 0.02,
           bend: float = 100, folds: bool = False) -> Fit:  # fmt: skip
    """Move a guessed lattice onto the printed lines.

    Args:
        image: (H, W) uint8 gray photo.
        lattice: the guess, (rows + 1, cols + 1, 2) in its pixels.
        cell: pixels a cell of the flattened picture that is searched.
        reach: how far from the guess a line is looked for, in cells.
        stiffness: cost of a line's path moving sideways by a pixel from one step to the next.
        bend: how strongly crossings hold together (more for a first rough guess).
        folds: also look for one straight fold across the sheet.
    """
    sheet_map = SheetMap(lattice)
    flat = flatten(image, sheet_map, cell, MARGIN)
    paper = normalize(flat.image, cell)
    rows, cols = sheet_map.rows, sheet_map.cols
    signal_v, signal_u = _signal(paper, rows, cols, cell), _signal(paper.T, cols, rows, cell)
    if rows == cols:
        paths_v, paths_u = np.split(_followed(np.concatenate([signal_v, signal_u]), cell, reach, stiffness), 2)
    else:
        paths_v, paths_u = (_followed(signal, cell, reach, stiffness) for signal in (signal_v, signal_u))
    offsets_v, weight_v, across, missing_a = _measured(paper, signal_v, paths_v, cell)
    offsets_u, weight_u, down, missing_d = _measured(paper.T, signal_u, paths_u, cell)
    v, u = np.mgrid[0 : rows + 1, 0 : cols + 1].astype(np.float64)
    # Bending is measured from the plane, not from the guess: repeated following must not crumple the sheet.
    seen = cv2.perspectiveTransform(
        sheet_map(u + offsets_u.T, v + offsets_v).reshape(1, -1, 2), np.linalg.inv(sheet_map.homography)
    ).reshape(rows + 1, cols + 1, 2)
    moved_by = np.stack([seen[..., 0] - u, seen[..., 1] - v])
    weights = np.stack([weight_u.T, weight_v])
    folded = _fold(moved_by, weights, bend) if folds else np.zeros_like(moved_by)
    u += folded[0] + _smooth(moved_by[0] - folded[0], weights[0], bend)
    v += folded[1] + _smooth(moved_by[1] - folded[1], weights[1], bend)
    moved = cv2.perspectiveTransform(np.stack([u, v], -1).reshape(1, -1, 2), sheet_map.homography)
    return Fit(
        moved.reshape(rows + 1, cols + 1, 2),
        across,
        down.T,
        float(np.mean(np.concatenate([missing_a.ravel(), missing_d.ravel()]))),
    )


def _band(lines: int, cell: int) -> np.ndarray:
    """Rows of the flat picture around each line: (lines, offsets)."""
    half = int(WIDEST * cell)
    return ((MARGIN + np.arange(lines)) * cell)[:, None] + np.arange(-half, half + 1)


def _signal(paper: np.ndarray, rows: int, cols: int, cell: int) -> np.ndarray:
    """How line-like the paper is around each of the rows + 1 horizontal lines: (lines, offsets, steps)."""
    strips = paper[:, MARGIN * cell : (MARGIN + cols) * cell]
    response = np.clip(np.maximum(ridge(strips, 2), ridge(strips, max(3, cell // 5))), 0, CLIP)
    response = response.reshape(len(response), cols * STEPS, cell // STEPS).mean(2)
    band = _band(rows + 1, cell)
    # Row y of the flat picture is the strip from y to y + 1: a line at y lies between rows y - 1 and y.
    return (response[band - 1] + response[band]) / 2


def _followed(signal: np.ndarray, cell: int, reach: float, stiffness: float) -> np.ndarray:
    """Each line's path through its band: (lines, steps) indices of offsets."""
    half = signal.shape[1] // 2
    offset = np.arange(-half, half + 1) / cell
    cost = np.where(np.abs(offset) > reach, 9.0, 0.02 * (offset / WIDEST) ** 2)
    return _best_paths(signal - cost[None, :, None], stiffness)


def _measured(paper, signal, path, cell):
    """What the paths of rows + 1 lines over cols cells tell.

    Returns, in cells: (rows + 1, cols + 1) offset of each line where it meets each crossing, the weight
    of that measurement, (rows + 1, cols) contrast of the line along each cell's side, and whether it is
    plainly missing there.
    """
    lines, half, cols = len(signal), signal.shape[1] // 2, signal.shape[2] // STEPS
    line, place = np.arange(lines)[:, None], np.arange(cols * STEPS)[None]
    level = signal[line, path, place]
    left = signal[line, np.maximum(path - 1, 0), place]
    right = signal[line, np.minimum(path + 1, 2 * half), place]
    curve = left - 2 * level + right
    shift = np.where(curve < -1e-6, 0.5 * (left - right) / np.where(curve < -1e-6, curve, 1), 0)
    found = (path - half + np.clip(shift, -0.5, 0.5)) / cell
    clear = np.clip(level - np.median(signal, 1), 0, None)
    # A crossing takes its line's place from the two steps on either side of it.
    pad_f, pad_w = (np.pad(a, ((0, 0), (2, 2)), mode="edge") for a in (found, clear))
    weights = np.stack([pad_w[:, k : k + cols * STEPS + 1 : STEPS] for k in range(4)])
    values = np.stack([pad_f[:, k : k + cols * STEPS + 1 : STEPS] for k in range(4)])
    total = weights.sum(0)
    offset = (weights * values).sum(0) / np.maximum(total, 1e-6)
    spread = np.sqrt((weights * (values - offset) ** 2).sum(0) / np.maximum(total, 1e-6))
    weight = np.clip(total / 4 / 0.05, 0, 1) / (1 + (spread / 0.06) ** 2)
    sides = np.median(clear.reshape(lines, cols, STEPS), 2)
    busy = np.median(signal.mean(1).reshape(lines, cols, STEPS), 2)
    near = paper[:, MARGIN * cell : (MARGIN + cols) * cell].reshape(len(paper), cols, cell)
    band = _band(lines, cell)
    missing = (sides < FAINT) & (busy < FAINT) & (near.min(2)[band].mean(1) > CLEAN)
    solid = (sides < FAINT) & (near.mean(2)[band[:, half // 2 : -half // 2]].mean(1) < SOLID)
    return offset, weight, np.where(solid, np.nan, sides), missing


def _best_paths(score: np.ndarray, stiffness: float) -> np.ndarray:
    """For each line the path of most score, moving at most one pixel a step: (lines, steps) offsets' indices."""
    lines, offsets, steps = score.shape
    # One offset more on either side, which no path takes, spares every step a test for the edge.
    best = np.full((steps, lines, offsets + 2), -1e6, np.float32)
    by_step = np.ascontiguousarray(score.transpose(2, 0, 1), np.float32)
    best[0, :, 1:-1] = by_step[0]
    move = np.empty((lines, offsets), np.float32)
    for k in range(1, steps):
        before = best[k - 1]
        np.maximum(before[:, :-2], before[:, 2:], out=move)
        move -= stiffness
        np.maximum(move, before[:, 1:-1], out=move)
        np.add(move, by_step[k], out=best[k, :, 1:-1])
    path = np.empty((lines, steps), np.int64)
    path[:, -1] = best[-1].argmax(1)
    every, turns = np.arange(lines)[:, None], np.array([0, -1, 1])
    toll = np.array([0, stiffness, stiffness], np.float32)
    for k in range(steps - 1, 0, -1):
        came = path[:, k, None] + turns
        path[:, k - 1] = came[every[:, 0], (best[k - 1][every, came] - toll).argmax(1)]
    return path - 1


MODES = 8
"""Ways of bending along each direction: a plane, a curl, a wave, and enough for a fold."""


@cache
def _bending(count: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """The smoothest ways in which `count` crossings in a row can move, as columns (count, modes), each one's
    squared second differences, and the products of any two (count, modes²)."""
    second = np.diff(np.eye(count), 2, 0)
    values, modes = np.linalg.eigh(second.T @ second)
    modes = modes[:, :MODES]
    return modes, np.maximum(values[:MODES], 0), (modes[:, :, None] * modes[:, None]).reshape(count, -1)


def _smooth(offset: np.ndarray, weight: np.ndarray, bend: float) -> np.ndarray:
    """The field closest to the weighted offsets that bends little; outliers lose their weight."""
    (down, cost_d, pairs_d), (along, cost_a, pairs_a) = map(_bending, offset.shape)
    n_d, n_a = down.shape[1], along.shape[1]
    cost = np.diag(bend * np.add.outer(cost_d, cost_a).ravel() + 1e-6)
    robust = weight
    for _ in range(3):
        # Rows and columns apart: the products stay so small that no second thread is waited for.
        normal = (pairs_d.T @ robust @ pairs_a).reshape(n_d, n_d, n_a, n_a).transpose(0, 2, 1, 3)
        right = (down.T @ (robust * offset) @ along).reshape(-1, 1)
        found = cv2.solve(normal.reshape(n_d * n_a, -1) + cost, right, flags=cv2.DECOMP_CHOLESKY)[1]
        field = down @ found.reshape(n_d, n_a) @ along.T
        robust = weight / (1 + ((offset - field) / 0.06) ** 2)
    return field


def _fold(offset: np.ndarray, weight: np.ndarray, bend: float) -> np.ndarray:
    """What one fold straight across the sheet moves: (2, rows, cols) right and down, zeros where there is none.

    Beyond a fold the sheet turns away evenly, which no smooth field can follow: of all places for a fold
    the one that explains most of what the smooth fields leave over.
    """
    rest = offset - np.stack([_smooth(offset[k], weight[k], bend) for k in (0, 1)])
    trust = weight / (1 + (rest / 0.2) ** 2)
    before = float((trust * rest**2).sum())
    hinges = _hinges(*offset.shape[1:])
    gain, moves = np.zeros(len(hinges)), []
    for k in (0, 1):
        weighted = hinges * trust[k].ravel()
        normal = weighted @ hinges.transpose(0, 2, 1) + 1e-9 * np.eye(2)
        right = weighted @ rest[k].ravel()
        amount = np.linalg.solve(normal, right[..., None])[..., 0]
        gain += (amount * right).sum(1)
        moves.append(amount)
    best = int(gain.argmax())
    if gain[best] < FOLD_GAIN * before:
        return np.zeros_like(offset)
    return np.stack([(amount[best] @ hinges[best]).reshape(offset.shape[1:]) for amount in moves])


FOLD_GAIN = 0.15
"""Share of what the smooth fields leave over that a fold must explain."""


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
