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
CLEAN = 0.8
"""Brightness of clean paper, noise and a letter's edge included."""
STEPS = 4
"""Places a cell at which a line's position is measured."""
WIDEST = 0.42
"""How far from its line's place the paper is looked at, in cells: nearly to the middle of the cells."""


@dataclass(frozen=True)
class Fit:
    """A lattice and the evidence for it.

    `lattice` (rows + 1, cols + 1, 2) in pixels of the searched picture; `across` (rows + 1, cols)
    and `down` (rows, cols + 1): how clearly a line is printed on each side of each cell,
    in contrasts of the paper (0: no line). `missing`: share of all sides where clean paper shows that no
    line is printed; ink, shadow and glare hide lines, clean paper does not.
    """

    lattice: np.ndarray
    across: np.ndarray
    down: np.ndarray
    missing: float


def ridge(flat: np.ndarray, reach: int) -> np.ndarray:
    """How much darker each pixel is than both sides above and below: (H, W) float32, >= 0 where a horizontal line runs."""
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
           bend: float = 100) -> Fit:  # fmt: skip
    """Move a guessed lattice onto the printed lines.

    Args:
        image: (H, W) uint8 gray photo.
        lattice: the guess, (rows + 1, cols + 1, 2) in its pixels.
        cell: pixels a cell of the flattened picture that is searched.
        reach: how far from the guess a line is looked for, in cells.
        stiffness: cost of a line's path moving sideways by a pixel from one step to the next.
        bend: how strongly crossings hold together (more for a first rough guess).
    """
    sheet_map = SheetMap(lattice)
    margin = 1
    flat = flatten(image, sheet_map, cell, margin)
    paper = normalize(flat.image, cell)
    rows, cols = sheet_map.rows, sheet_map.cols
    offsets_v, weight_v, across, missing_a = _paths(paper, rows, cols, cell, margin, reach, stiffness)
    offsets_u, weight_u, down, missing_d = _paths(paper.T, cols, rows, cell, margin, reach, stiffness)
    v, u = np.mgrid[0 : rows + 1, 0 : cols + 1].astype(np.float64)
    # Bending is measured from the plane, not from the guess: repeated following must not crumple the sheet.
    seen = cv2.perspectiveTransform(
        sheet_map(u + offsets_u.T, v + offsets_v).reshape(1, -1, 2), np.linalg.inv(sheet_map.homography)
    ).reshape(rows + 1, cols + 1, 2)
    u += _smooth(seen[..., 0] - u, weight_u.T, bend)
    v += _smooth(seen[..., 1] - v, weight_v, bend)
    moved = cv2.perspectiveTransform(np.stack([u, v], -1).reshape(1, -1, 2), sheet_map.homography)
    return Fit(
        moved.reshape(rows + 1, cols + 1, 2),
        across,
        down.T,
        float(np.mean(np.concatenate([missing_a.ravel(), missing_d.ravel()]))),
    )


def _paths(paper, rows, cols, cell, margin, reach, stiffness):
    """Follow the rows + 1 horizontal lines of a flattened picture.

    Returns, in cells: (rows + 1, cols + 1) offset of each line where it meets each crossing, the weight
    of that measurement, and (rows + 1, cols) contrast of the line along each cell's side.
    """
    response = np.maximum(ridge(paper, 2), ridge(paper, max(3, cell // 5)))
    step = cell // STEPS
    strips = response[:, margin * cell : (margin + cols) * cell].reshape(response.shape[0], cols * STEPS, step)
    response = np.clip(strips, 0, CLIP).mean(2)
    half = int(WIDEST * cell)
    centers = (margin + np.arange(rows + 1)) * cell
    band = centers[:, None] + np.arange(-half, half + 1)[None]
    # Row y of the flat picture is the strip from y to y + 1: a line at y lies between rows y - 1 and y.
    signal = (response[band - 1] + response[band]) / 2  # (lines, offsets, steps)
    offset = np.arange(-half, half + 1) / cell
    cost = np.where(np.abs(offset) > reach, 9.0, 0.02 * (offset / WIDEST) ** 2)
    score = signal - cost[None, :, None]
    path = _best_paths(score, stiffness)
    lines, places = np.arange(rows + 1)[:, None], np.arange(cols * STEPS)[None]
    level = signal[lines, path, places]
    left = signal[lines, np.maximum(path - 1, 0), places]
    right = signal[lines, np.minimum(path + 1, 2 * half), places]
    curve = left - 2 * level + right
    shift = np.where(curve < -1e-6, 0.5 * (left - right) / np.where(curve < -1e-6, curve, 1), 0)
    shift = np.clip(shift, -0.5, 0.5)
    found = (path - half + shift) / cell
    clear = np.clip(level - np.median(signal, 1), 0, None)
    # A crossing takes its line's place from the two steps on either side of it.
    pad_f, pad_w = (np.pad(a, ((0, 0), (2, 2)), mode="edge") for a in (found, clear))
    weights = np.stack([pad_w[:, k : k + cols * STEPS + 1 : STEPS] for k in range(4)])
    values = np.stack([pad_f[:, k : k + cols * STEPS + 1 : STEPS] for k in range(4)])
    total = weights.sum(0)
    offset = (weights * values).sum(0) / np.maximum(total, 1e-6)
    spread = np.sqrt((weights * (values - offset) ** 2).sum(0) / np.maximum(total, 1e-6))
    weight = np.clip(total / 4 / 0.05, 0, 1) / (1 + (spread / 0.06) ** 2)
    sides = np.median(clear.reshape(rows + 1, cols, STEPS), 2)
    busy = np.median(signal.mean(1).reshape(rows + 1, cols, STEPS), 2)
    strips = paper[:, margin * cell : (margin + cols) * cell].reshape(paper.shape[0], cols, cell).min(2)
    white = strips[band].mean(1)
    missing = (sides < FAINT) & (busy < FAINT) & (white > CLEAN)
    return offset, weight, sides, missing


def _best_paths(score: np.ndarray, stiffness: float) -> np.ndarray:
    """For each line the path of most score, moving at most one pixel a step: (lines, steps) offsets' indices."""
    lines, offsets, steps = score.shape
    best = np.empty((steps, lines, offsets), np.float32)
    came = np.zeros((steps, lines, offsets), np.int8)
    best[0] = score[:, :, 0]
    for k in range(1, steps):
        before = best[k - 1]
        stay = before.copy()
        up = np.full_like(before, -np.inf)
        up[:, 1:] = before[:, :-1] - stiffness
        down = np.full_like(before, -np.inf)
        down[:, :-1] = before[:, 1:] - stiffness
        move = np.where(up > stay, -1, 0)
        stay = np.maximum(stay, up)
        move = np.where(down > stay, 1, move)
        best[k] = np.maximum(stay, down) + score[:, :, k]
        came[k] = move
    path = np.empty((lines, steps), np.int64)
    path[:, -1] = best[-1].argmax(1)
    every = np.arange(lines)
    for k in range(steps - 1, 0, -1):
        path[:, k - 1] = path[:, k] + came[k][every, path[:, k]]
    return path


MODES = 7
"""Ways of bending along each direction: a plane, a curl, a wave, and enough for a fold."""


@cache
def _bending(rows: int, cols: int) -> tuple[np.ndarray, np.ndarray]:
    """The smoothest fields on (rows, cols) crossings, as columns, and what each costs: its squared second differences."""
    (values_r, modes_r), (values_c, modes_c) = (
        np.linalg.eigh(d.T @ d) for d in (np.diff(np.eye(n), 2, 0) for n in (rows, cols))
    )
    modes = np.kron(modes_r[:, :MODES], modes_c[:, :MODES])
    return modes, np.add.outer(np.maximum(values_r[:MODES], 0), np.maximum(values_c[:MODES], 0)).ravel()


def _smooth(offset: np.ndarray, weight: np.ndarray, bend: float) -> np.ndarray:
    """The field closest to the weighted offsets that bends little; outliers lose their weight."""
    modes, cost = _bending(*offset.shape)
    value, w = offset.ravel(), weight.ravel()
    robust = w
    for _ in range(3):
        weighted = modes * robust[:, None]
        field = modes @ np.linalg.solve(modes.T @ weighted + np.diag(bend * cost + 1e-6), weighted.T @ value)
        robust = w / (1 + ((value - field) / 0.06) ** 2)
    return field.reshape(offset.shape)
