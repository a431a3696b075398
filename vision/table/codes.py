"""Decode ArUco markers: match all candidate squares against the whole dictionary at once."""

from dataclasses import dataclass
from functools import cache

import cv2
import numpy as np

from vision.table.plane import on_squares
from vision.table.profile import DICTIONARIES


@dataclass(frozen=True)
class CodesSettings:
    """How a marker's bits are sampled and believed."""

    samples: tuple[float, float] = (-0.2, 0.2)
    """Where a cell's light is measured, right and down from its middle, in cells."""
    least_contrast: float = 10.0  # grey levels between a marker's black and white, at least
    least_apart: float = 0.75
    """How much of the light's variance over the cells is told by which are black and which white, at least."""
    most_border: float = 0.13  # share of the black border's cells that may look white
    corrected: float = 0.6  # share of the bits that a dictionary can correct which are corrected, as OpenCV does


SETTINGS = CodesSettings()


@dataclass(frozen=True)
class _Codes:
    """`size` cells a side; `bits` (4, size², n) of n markers turned each way, 1 white and -1 black; `most` wrong."""

    size: int
    bits: np.ndarray
    most: int


@cache
def _codes(dictionary: str) -> _Codes:
    book = cv2.aruco.getPredefinedDictionary(DICTIONARIES[dictionary])
    size, n = book.markerSize, len(book.bytesList)
    plain = np.array([cv2.aruco.Dictionary.getBitsFromByteList(book.bytesList[i : i + 1], size) for i in range(n)])
    turned = np.stack([np.rot90(plain, k, (1, 2)) for k in range(4)]).reshape(4, n, size * size)
    bits = np.ascontiguousarray(np.moveaxis(turned, 1, 2), np.float32) * 2 - 1
    return _Codes(size, bits, int(book.maxCorrectionBits * SETTINGS.corrected))


@cache
def _grid(size: int) -> np.ndarray:
    """(samples², cells², 2) points of a marker's cells, border and all, on the unit square."""
    middle = (np.arange(size + 2) + 0.5) / (size + 2)
    cells = np.stack(np.meshgrid(middle, middle), -1).reshape(1, -1, 2)
    samples = np.stack(np.meshgrid(SETTINGS.samples, SETTINGS.samples), -1).reshape(-1, 1, 2) / (size + 2)
    return cells + samples


@cache
def _is_border(size: int) -> np.ndarray:
    return np.pad(np.zeros((size, size), bool), 1, constant_values=True).ravel()


def identify(gray: np.ndarray, squares: np.ndarray, dictionary: str) -> list[tuple[int, np.ndarray]]:
    """Ids and outlines (4, 2), the marker's own top left first, of those squares that are markers.

    Args:
        gray: (H, W) uint8.
        squares: (n, 4, 2) corners in pixels, clockwise.
        dictionary: its name.
    """
    if not len(squares):
        return []
    codes = _codes(dictionary)
    grid, border = _grid(codes.size), _is_border(codes.size)
    x, y = on_squares(squares, grid.reshape(-1, 2))
    seen = cv2.remap(gray, x, y, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    white = _white(seen.reshape(-1, *grid.shape[:2]).mean(1, dtype=np.float32))
    framed = np.nonzero(white[:, border].sum(1) <= SETTINGS.most_border * border.sum())[0]
    bits = np.where(white[np.ix_(framed, ~border)], np.float32(1), np.float32(-1))
    alike = np.matmul(bits, codes.bits)
    best = np.moveaxis(alike, 0, 1).reshape(len(framed), codes.bits[:, 0].size).argmax(1)
    turn, marker = np.divmod(best, codes.bits.shape[2])
    wrong = (codes.size**2 - alike[turn, np.arange(len(framed)), marker]) / 2
    return [(int(marker[i]), np.roll(squares[framed[i]], int(turn[i]), 0)) for i in np.nonzero(wrong <= codes.most)[0]]


def _white(cells: np.ndarray) -> np.ndarray:
    """Which cells (n, m) of each square are white: split where both sides differ most; all of them without contrast."""
    n = cells.shape[1]
    level = np.sort(cells, axis=1)
    total = np.cumsum(level, axis=1)
    count = np.arange(1, n, dtype=np.float32)
    gap = (total[:, -1:] - total[:, :-1]) / (n - count) - total[:, :-1] / count
    split = (count * (n - count) * gap**2).argmax(1)
    rows = np.arange(len(cells))
    bound = (level[rows, split] + level[rows, split + 1]) / 2
    apart = gap[rows, split] ** 2 * count[split] * (n - count[split])
    bound[(gap[rows, split] < SETTINGS.least_contrast) | (apart < SETTINGS.least_apart * n * n * cells.var(1))] = -1
    return cells > bound[:, None]
