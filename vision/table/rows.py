"""The rows in which tiles lie, and their order, as the zone's player reads them."""

from __future__ import annotations

import numpy as np

SLOPES = np.deg2rad(np.arange(-12, 12.1, 0.5))
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
    level = places[None, :, 1] - np.tan(SLOPES)[:, None] * places[None, :, 0]
    order = np.argsort(level, axis=1)
    level = np.take_along_axis(level, order, 1)
    rows = np.pad(np.cumsum(np.diff(level, axis=1) > GAP, axis=1), ((0, 0), (1, 0)))
    key = rows + n * np.arange(len(SLOPES))[:, None]
    sums = [np.bincount(key.ravel(), w, n * len(SLOPES)) for w in (None, level.ravel(), (level**2).ravel())]
    count, total, squares = (s.reshape(len(SLOPES), n) for s in sums)
    spread = (squares - total**2 / np.maximum(count, 1)).sum(1) / n
    best = int(np.argmin(spread + PER_ROW * (rows[:, -1] + 1) + PER_SLOPE * np.abs(SLOPES)))
    row = np.zeros(n, int)
    row[order[best]] = rows[best]
    order = np.argsort([places[row == r, 1].mean() for r in range(row.max() + 1)])
    out = np.zeros((n, 2), int)
    for r, which in enumerate(order):
        mine = np.nonzero(row == which)[0]
        out[mine, 0] = r
        out[mine[np.argsort(places[mine, 0])], 1] = np.arange(len(mine))
    return out
