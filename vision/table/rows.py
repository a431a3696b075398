"""The rows in which tiles lie, and their order, as the zone's player reads them."""

from __future__ import annotations

import numpy as np

SLOPES = np.deg2rad(np.arange(-12, 12.1, 0.5))
GAP = 0.5
"""Tiles: where sorted places jump further than this, another row begins."""
PER_ROW = 0.06
"""What a row more must be worth: mean squared distance from the row's line, in square tiles."""


def rows_and_columns(places: np.ndarray) -> np.ndarray:
    """(n, 2) int: row and column of each place, from 0.

    Args:
        places: (n, 2) x, y in tiles, in the zone's own frame.
    """
    n = len(places)
    if not n:
        return np.zeros((0, 2), int)
    best: tuple[float, np.ndarray] | None = None
    for slope in SLOPES:
        row = _split(places[:, 1] - np.tan(slope) * places[:, 0])
        count = row.max() + 1
        cost = _spread(places, row, slope) + PER_ROW * count + 0.02 * abs(slope)
        if best is None or cost < best[0]:
            best = cost, row
    assert best is not None
    row = best[1]
    order = np.argsort([places[row == r, 1].mean() for r in range(row.max() + 1)])
    out = np.zeros((n, 2), int)
    for r, which in enumerate(order):
        mine = np.nonzero(row == which)[0]
        out[mine, 0] = r
        out[mine[np.argsort(places[mine, 0])], 1] = np.arange(len(mine))
    return out


def _split(level: np.ndarray) -> np.ndarray:
    order = np.argsort(level)
    row = np.zeros(len(level), int)
    row[order] = np.concatenate([[0], np.cumsum(np.diff(level[order]) > GAP)])
    return row


def _spread(places: np.ndarray, row: np.ndarray, slope: float) -> float:
    """Mean squared distance of the tiles from their rows' lines of that slope."""
    level = places[:, 1] - np.tan(slope) * places[:, 0]
    mean = np.bincount(row, level) / np.bincount(row)
    return float(((level - mean[row]) ** 2).mean())
