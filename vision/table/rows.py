"""Group a zone's tiles into rows and order them as its player reads them."""

from dataclasses import dataclass

import cv2
import numpy as np

SLOPES = np.deg2rad(np.arange(-12, 12.1, 0.5))


@dataclass(frozen=True)
class RowSettings:
    """When tiles are one row, and how rows may slope."""

    gap: float = 0.5  # tiles: where sorted places jump further than this, another row begins
    per_row: float = 0.06  # what a row more must be worth: mean squared distance from the row's line, in square tiles
    per_slope: float = 0.02  # the same for a slope more, a radian
    narrow: float = 4.0  # how much longer than wide an area is along which its rows lie, at least
    straight: float = 0.028  # radians by which they may slope there: few tiles left of two rows are no slanting one


SETTINGS = RowSettings()


def rows_and_columns(places: np.ndarray, outline: np.ndarray | None = None) -> np.ndarray:
    """(n, 2) int: row and column of each place, from 0.

    Args:
        places: (n, 2) x, y in tiles, in the zone's own frame or the table's.
        outline: the zone's corners (m, 2) in the same frame, where they are known: rows in a narrow one lie along it.
    """
    n = len(places)
    if not n:
        return np.zeros((0, 2), int)
    slopes = SLOPES if outline is None else _slopes_in(outline)
    level = places[:, 1] - np.tan(slopes)[:, None] * places[:, 0]
    order = level.argsort(1)
    level.sort(1)
    rows = np.zeros(level.shape, int)
    np.cumsum(level[:, 1:] - level[:, :-1] > SETTINGS.gap, axis=1, out=rows[:, 1:])
    key = (rows + n * np.arange(len(slopes))[:, None]).ravel()
    # Squares about a row's mean: the squares' sum less each row's.
    count, total = (np.bincount(key, w, n * len(slopes)).reshape(len(slopes), n) for w in (None, level.ravel()))
    spread = ((level**2).sum(1) - (total**2 / np.maximum(count, 1)).sum(1)) / n
    worth = SETTINGS.per_row * (rows[:, -1] + 1) + SETTINGS.per_slope * np.abs(slopes)
    best = int(np.argmin(spread + worth))
    row = np.zeros(n, int)
    row[order[best]] = rows[best]
    high = np.bincount(row, places[:, 1] - np.tan(slopes[best]) * places[:, 0]) / np.bincount(row)
    row = high.argsort().argsort()[row]
    line = np.lexsort((places[:, 0], row))
    start = np.searchsorted(row[line], row)
    col = np.empty(n, int)
    col[line] = np.arange(n)
    return np.stack([row, col - start], 1)


def _slopes_in(outline: np.ndarray) -> np.ndarray:
    """How rows may slope in an area, in radians: any way, but along it where it is narrow and lies across."""
    _, (wide, high), turn = cv2.minAreaRect(outline.astype(np.float32))
    long, short, along = (wide, high, turn) if wide >= high else (high, wide, turn + 90)
    slope = np.deg2rad((along + 90) % 180 - 90)
    if long < SETTINGS.narrow * short or abs(slope) > SLOPES[-1]:
        return SLOPES
    straight: np.ndarray = SLOPES[np.abs(SLOPES) <= SETTINGS.straight] + slope
    return straight
