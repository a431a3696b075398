"""What a cell shows beyond its print: the judgement of the cells, corrected by what the blank sheet looks like.

The network judges a cell by itself and its sisters. How much darker a cell is than the blank sheet there, beside the
cells that surely are bare and those that surely are marked on the same photo, tells more: faint marks and noise that
looks like them come apart, and what is bare is surely so. A few sums for each cell and one small layer between
(`vision/weights/cells_beside.npz`, `training/fit_beside.py`).
"""

from __future__ import annotations

from functools import lru_cache

import cv2
import numpy as np

from vision.network import WEIGHTS

PATH = WEIGHTS / "cells_beside.npz"
NEARBY = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (5, 5))
"""Print may lie so far, in pixels, from where the grid has it."""
INSIDE = 3
"""Pixels of a cell's side that are left to its lines."""
BOLDEST = 20
"""Of a quarter of a cell's pixels so many are darker than its darkness is said to be."""
LEAST, QUIET = 0.002, 0.003
"""Darkness, and noise, below which there is as good as none."""
BARE = float(np.log(0.02))
"""What is believed of the darkness of marks, or of bare cells, before any is seen; it counts as half a cell."""


def beside_print(
    logits: np.ndarray, dark: np.ndarray, noise: np.ndarray, blank: np.ndarray, margin: int, cell: int
) -> np.ndarray:
    """The logits of blank, passage, wall, (rows, cols, 3), as they are with the blank sheet known.

    Args:
        logits: (rows, cols, 3) what the cells alone tell.
        dark: (3, H, W) float32 darkness of the photo, `blank`: (H, W) that of the blank sheet.
        noise: (H, W) float32 the photo's noise.
        margin: pixels around the grid, `cell`: pixels a cell.
    """
    weights = _weights()
    seen = (evidence(logits, dark, noise, blank, margin, cell) - weights["mean"]) / weights["spread"]
    between = np.maximum(seen @ weights["between"] + weights["between_bias"], 0)
    return np.asarray(logits * weights["trust"] + between @ weights["out"] + weights["out_bias"])


def evidence(
    logits: np.ndarray, dark: np.ndarray, noise: np.ndarray, blank: np.ndarray, margin: int, cell: int
) -> np.ndarray:
    """What tells of each cell, (rows, cols, n) float32; arguments as in `beside_print`."""
    rows, cols = logits.shape[:2]

    def inside(picture: np.ndarray, step: int = 1) -> np.ndarray:
        part = picture[margin : margin + rows * cell, margin : margin + cols * cell].reshape(rows, cell, cols, cell)
        kept = part[:, INSIDE:-INSIDE:step, :, INSIDE:-INSIDE:step]
        return kept.transpose(0, 2, 1, 3).reshape(rows, cols, -1)

    seen = cv2.GaussianBlur(dark.mean(0), (0, 0), 1.0)
    more = np.maximum(seen - cv2.dilate(blank, NEARBY), 0)
    less = np.maximum(cv2.erode(blank, NEARBY) - seen, 0)
    bold = np.partition(inside(cv2.GaussianBlur(more, (0, 0), 2.0), 2), -BOLDEST, -1)[..., -BOLDEST]
    added, boldest, lost = (np.log(part + LEAST) for part in (inside(more).mean(-1), bold, inside(less).mean(-1)))
    likely = logits - logits.max(-1, keepdims=True)
    likely = likely - np.log(np.exp(likely).sum(-1, keepdims=True))
    bare, passage, wall = np.moveaxis(np.exp(likely), -1, 0)

    def usual(weight: np.ndarray) -> float:
        """The darkness of a kind of cells on this photo."""
        return float(((added * weight).sum() + 0.5 * BARE) / (weight.sum() + 0.5))

    kinds = [usual(weight) for weight in (bare, passage, wall)]
    faintest = np.quantile(added, 0.2)
    of_photo = [np.full((rows, cols), value) for value in (*kinds, 1 - bare.mean())]
    compared = [added - value for value in (usual(1 - bare), faintest, *kinds)]
    own = [added, boldest, lost, np.log(inside(noise, 2).mean(-1) + QUIET)]
    return np.stack([*own, *compared, *of_photo, *np.moveaxis(np.maximum(likely, -8), -1, 0)], -1).astype(np.float32)


@lru_cache(maxsize=1)
def _weights() -> dict[str, np.ndarray]:
    with np.load(PATH) as file:
        return {name: file[name] for name in file.files}
