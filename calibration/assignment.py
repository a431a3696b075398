"""Solve the assignment problem: the pairing of rows and columns with the largest total gain."""

import numpy as np


def assign(gain: np.ndarray) -> list[tuple[int, int]]:
    """Pair rows with columns, each at most once, so that the summed gain is largest; only pairs that gain are made.

    `gain` is (n, m) float. The Hungarian method with potentials: rows join one by one, each by the
    cheapest alternating path. Every row has a column of its own that gains nothing.
    """
    n, m = gain.shape
    cost = np.concatenate([-np.maximum(gain, 0), np.zeros((n, n))], 1)
    row_level, column_level = np.zeros(n), np.zeros(m + n)
    row_of = np.full(m + n, -1)
    for start in range(n):
        distance, via, done = np.full(m + n, np.inf), np.full(m + n, -1), np.zeros(m + n, bool)
        row, column = start, -1
        while True:
            here = cost[row] - row_level[row] - column_level
            closer = ~done & (here < distance)
            distance[closer], via[closer] = here[closer], column
            column = int(np.where(done, np.inf, distance).argmin())
            step = distance[column]
            row_level[start] += step
            row_level[row_of[done]] += step
            column_level[done] -= step
            distance[~done] -= step
            done[column] = True
            if row_of[column] < 0:
                break
            row = row_of[column]
        while column >= 0:
            before = via[column]
            row_of[column] = start if before < 0 else row_of[before]
            column = before
    return [(int(r), c) for c, r in enumerate(row_of[:m]) if r >= 0 and gain[r, c] > 0]
