"""Check a reading against the box's inventory: more tiles of a color than the box holds are doubtful."""

from collections.abc import Mapping

import numpy as np

from vision.table.reading import COLORS

NONE = len(COLORS)
LEAST_ODDS = 0.004
"""A tile is read as its second best color for the box's sake only where that is at least this likely."""
LEAST_NONE = 0.3
"""The same for a tile that is read as none: nothing that is likely a tile is dropped in silence."""


def fit_box(odds: np.ndarray, box: Mapping[str, int] | None) -> tuple[np.ndarray, np.ndarray]:
    """Colors (n,) as indices, len(COLORS) for no tile, as the box allows as far as possible; and which are doubtful.

    Args:
        odds: (n, 8) probabilities of the colors, and of no tile.
        box: how many tiles of each color there are; None: any number.

    Where a color is read too often, the tile that costs least is read as another color that is still free, or as
    none; where nothing else is likely, the color's least certain tiles are doubtful.
    """
    color = odds.argmax(1)
    doubtful = np.zeros(len(odds), bool)
    if box is None:
        return color, doubtful
    least = np.array([*[LEAST_ODDS] * len(COLORS), LEAST_NONE])
    most = np.array([*(box.get(name, 0) for name in COLORS), len(odds)])
    for _ in range(len(odds)):
        count = np.bincount(color, minlength=len(most))
        over = np.nonzero(count > most)[0]
        if not len(over):
            break
        mine = np.nonzero(np.isin(color, over))[0]
        free = np.broadcast_to(count < most, (len(mine), len(most))) & (odds[mine] >= least)
        ratio = np.where(free, odds[mine], 0) / np.maximum(odds[mine, color[mine]], 1e-9)[:, None]
        k, to = np.unravel_index(np.argmax(ratio), ratio.shape)
        if not free[k, to]:
            for c in over:
                which = np.nonzero(color == c)[0]
                doubtful[which[np.argsort(odds[which, c])][: 2 * (count[c] - most[c])]] = True
            break
        color[mine[k]] = to
        doubtful[mine[k]] = to != NONE
    return color, doubtful
