"""Small parts of a photo held against the same parts of the blank page: what was added to the print there."""

from dataclasses import dataclass

import cv2
import numpy as np

from vision.ranks import median


@dataclass(frozen=True)
class BesideBlankSettings:
    """How parts are laid on one another."""

    reach: int = 3  # pixels by which a part may lie otherwise than on the blank page
    shifted: float = 0.002  # what each pixel's shift costs, squared, in ink
    capped: float = 0.3  # a difference in ink that counts no more: what was drawn is none of the print
    darkest: int = 6  # gray level of print in which nothing darker is told apart
    paper: float = 0.7  # share of a part's pixels to which nothing was added, at most


SETTINGS = BesideBlankSettings()


def ink(parts: np.ndarray) -> np.ndarray:
    """How dark parts of a page, (n, h, w, 3) uint8, are against their own paper: (n, 3, h, w), 1 for the darkest print
    usual in them. Graphite that mirrors a lamp is brighter than paper: its ink is below 0."""
    colors = np.moveaxis(parts, 3, 1).astype(np.float32)
    rising = np.sort(colors.reshape(*colors.shape[:2], -1), 2)
    paper = np.maximum(rising[:, :, int(0.8 * rising.shape[2])], 4)
    darkest = 1 - rising[:, :, int(0.03 * rising.shape[2])] / paper
    usual = float(median(darkest.mean(1)))
    return np.clip((1 - colors / paper[:, :, None, None]) / max(usual, 0.08), -1, 2)


def laid_on(parts: np.ndarray, blank: np.ndarray) -> np.ndarray:
    """The blank page's parts moved a little onto the photo's, each by itself: print that is off its place looks like
    ink. All are (n, h, w, 3) uint8."""
    seen, known = (ink(one).mean(1).astype(np.float32) for one in (parts, blank))
    (h, w), reach = seen.shape[1:], SETTINGS.reach
    inner = seen[:, reach : h - reach, reach : w - reach]
    shifts = range(-reach, reach + 1)
    cost = np.empty((len(seen), len(shifts), len(shifts)), np.float32)
    for i, y in enumerate(shifts):
        for j, x in enumerate(shifts):
            part = known[:, reach - y : h - reach - y, reach - x : w - reach - x]
            cost[:, i, j] = np.minimum(np.abs(part - inner), SETTINGS.capped).mean((1, 2)) + SETTINGS.shifted * (
                x * x + y * y
            )
    out = np.empty_like(blank)
    for k, c in enumerate(cost):
        row, column = divmod(int(c.argmin()), len(shifts))
        right, down = shifts[column] + _between(c[row], column), shifts[row] + _between(c[:, column], row)
        move = np.array([[1, 0, right], [0, 1, down]], np.float32)
        out[k] = cv2.warpAffine(blank[k], move, (w, h), borderMode=cv2.BORDER_REPLICATE)
    return out


def added(parts: np.ndarray, blank: np.ndarray) -> np.ndarray:
    """(n, 3, h, w): by how much the photo's parts are darker than the blank page's, laid onto them, in the light that
    falls on each: 0 where nothing was added, 1 at most."""
    seen, known = (np.maximum(np.moveaxis(one, 3, 1).astype(np.float32), SETTINGS.darkest) for one in (parts, blank))
    share = seen / known
    rising = np.sort(share.reshape(*share.shape[:2], -1), 2)
    return np.clip(1 - share / rising[:, :, int(SETTINGS.paper * rising.shape[2]), None, None], -1, 1)


def _between(cost: np.ndarray, at: int) -> float:
    """Where the parabola through a least cost and its neighbors is lowest, from there."""
    if not 0 < at < len(cost) - 1:
        return 0.0
    before, least, after = (float(v) for v in cost[at - 1 : at + 2])
    bend = before + after - 2 * least
    return 0.5 * (before - after) / bend if bend > 1e-6 else 0.0
