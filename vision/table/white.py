"""What white paper looks like under this light: read off the white cells of printed markers."""

from __future__ import annotations

from collections.abc import Iterable

import cv2
import numpy as np

from vision.table.plane import on_squares

WHITE = 225.0
"""The value that white paper is brought to in every channel."""
LEAST_GAIN, MOST_GAIN = 0.5, 4.0
CELLS = 14
MOST = 8
"""Markers that are looked at: more tell nothing more."""
_GRID = (np.mgrid[0:CELLS, 0:CELLS].reshape(2, -1).T[:, ::-1] + 0.5) / CELLS


def paper_white(image: np.ndarray, outlines: Iterable[np.ndarray]) -> np.ndarray | None:
    """(3,) BGR of white paper, the median over the markers; None where there is no marker."""
    squares = np.array(list(outlines)[:MOST])
    if not len(squares):
        return None
    xs, ys = (np.rint(part).astype(int) for part in on_squares(squares, _GRID))
    within = (xs >= 0) & (ys >= 0) & (xs < image.shape[1]) & (ys < image.shape[0])
    whites = []
    for x, y, inside in zip(xs, ys, within, strict=True):
        if inside.sum() < CELLS:
            continue
        colors = image[y[inside], x[inside]]
        light = colors.sum(1, dtype=np.float32)
        middle = (light.min() + light.max()) / 2
        whites.append(_median(colors[light > middle + 0.25 * (light.max() - middle)]))
    return np.median(whites, axis=0).astype(np.float32) if whites else None


def _median(colors: np.ndarray) -> np.ndarray:
    level, n = np.sort(colors, axis=0).astype(np.float32), len(colors)
    return (level[(n - 1) // 2] + level[n // 2]) / 2


class Balance:
    """Brings pictures taken under one light to a common white."""

    def __init__(self, white: np.ndarray | None) -> None:
        """`white`: (3,) BGR of white paper, which will be WHITE in every channel; None leaves pictures as they are."""
        self._table: np.ndarray | None = None
        self._gain = np.ones(3)
        if white is not None:
            self._gain = np.clip(WHITE / np.maximum(white, 1), LEAST_GAIN, MOST_GAIN)
            levels = np.clip(np.arange(256)[:, None] * self._gain, 0, 255).astype(np.uint8)
            self._table = levels.reshape(256, 1, 3)

    def __call__(self, picture: np.ndarray) -> np.ndarray:
        """(H, W, 3) uint8 in and out."""
        return picture if self._table is None else cv2.LUT(picture, self._table)

    def planes(self, picture: np.ndarray) -> np.ndarray:
        """(H, W, 3) uint8 in, (3, H, W) uint8 out: blue, green and red, one after the other."""
        out = np.empty((3, *picture.shape[:2]), np.uint8)
        for plane, into, gain in zip(cv2.split(picture), out, self._gain, strict=True):
            cv2.convertScaleAbs(plane, into, float(gain))
        return out


AS_IT_IS = Balance(None)
"""No balance: where no marker tells what white is."""
