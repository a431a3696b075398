"""Group a zone's tiles into rows and order them as its player reads them."""

import numpy as np

SLOPES = np.deg2rad(np.arange(-12, 12.1, 0.5))
_STEEP = np.tan(SLOPES)[:, None]
GAP = 0.5
"""Tiles: where sorted places jump further than this, another row begins."""
PER_ROW = 0.06
"""What a row more must be worth: mean squared distance from the row's line, in square tiles."""
PER_SLOPE = 0.02
"""The same for a slope more, a radian."""


def rows_and_columns(places: np.ndarray) -> np.ndarray:
    """(n, 2) int: row and column of each place, from 0.

    Args:
        places: (n, 2) x, y in tiles, in the zone's own frame.
    """
    n = len(places)
    if not n:
        return np.zeros((0, 2), int)
    level = places[:, 1] - _STEEP * places[:, 0]
    order = level.argsort(1)
    level.sort(1)
    rows = np.zeros(level.shape, int)
    np.cumsum(level[:, 1:] - level[:, :-1] > GAP, axis=1, out=rows[:, 1:])
    key = (rows + n * np.arange(len(SLOPES))[:, None]).ravel()
    # Squares about a row's mean: the squares' sum less each row's.
    count, total = (np.bincount(key, w, n * len(SLOPES)).reshape(len(SLOPES), n) for w in (None, level.ravel()))
    spread = ((level**2).sum(1) - (total**2 / np.maximum(count, 1)).sum(1)) / n
    best = int(np.argmin(spread + PER_ROW * (rows[:, -1] + 1) + PER_SLOPE * np.abs(SLOPES)))
    row = np.zeros(n, int)
    row[order[best]] = rows[best]
    high = np.bincount(row, places[:, 1]) / np.bincount(row)
    row = high.argsort().argsort()[row]
    line = np.lexsort((places[:, 0], row))
    start = np.searchsorted(row[line], row)
    col = np.empty(n, int)
    col[line] = np.arange(n)
    return np.stack([row, col - start], 1)
