"""Cards in line with one that is known, by their upper end: in a column that is what is in sight of them."""

from collections.abc import Iterator
from dataclasses import dataclass

import cv2
import numpy as np

from vision.cards.compare import Bank


@dataclass(frozen=True)
class ColumnsSettings:
    """Where cards in line with a known one are looked for, and when a place looks like one."""

    dense: float = 0.5  # pixels per millimetre at which pictures are compared
    shown: float = 24.0  # millimetres of a card's upper end that are compared
    along: float = 62.0  # how far beyond the known card's ends, millimetres
    aside: float = 7.0  # how far to its side
    alike: float = 0.6  # correlation from which a card may lie there
    free: float = 0.6  # share of the strip on which no known card is in sight
    apart: int = 3  # pixels between two places
    most: int = 6  # places that are tried in line with one card, at most


SETTINGS = ColumnsSettings()


def in_line(bank: Bank, image: np.ndarray, to_pixels: np.ndarray, free: np.ndarray) -> Iterator[np.ndarray]:
    """Where cards of the same size may lie, the likeliest first: (3, 3) each, millimetres from their middle to pixels.

    Args:
        bank: the faces of that size.
        image: (H, W, 3) BGR.
        to_pixels: (3, 3) from the middle of the card that is known.
        free: (H, W) uint8, 0 where known cards are in sight.
    """
    dense, (w, h) = SETTINGS.dense, bank.size_mm
    wide, high = w + 2 * SETTINGS.aside, h + 2 * SETTINGS.along
    size = (round(wide * dense), round(high * dense))
    to_own = np.array([[1 / dense, 0, 0.5 / dense - wide / 2], [0, 1 / dense, 0.5 / dense - high / 2], [0, 0, 1]])
    open_ = _seen(free, to_pixels @ to_own, size, cv2.BORDER_CONSTANT).astype(np.float32) / 255
    strips = bank.upper_ends(dense, SETTINGS.shown)
    rows, cols = strips[0].shape[:2]
    share = cv2.blur(open_, (cols, rows), anchor=(0, 0), borderType=cv2.BORDER_CONSTANT)
    spare = np.asarray(share[: size[1] - rows + 1, : size[0] - cols + 1] >= SETTINGS.free)
    if not spare.any():
        return
    # As a camera that is nearer sees it: pixels of the picture are averaged.
    near = _seen(image, to_pixels @ to_own @ np.diag([0.5, 0.5, 1.0]), (2 * size[0], 2 * size[1]), cv2.BORDER_REPLICATE)
    here = cv2.resize(near, size, interpolation=cv2.INTER_AREA)
    like = np.where(spare, np.max([cv2.matchTemplate(here, one, cv2.TM_CCOEFF_NORMED) for one in strips], axis=0), -1.0)
    for _ in range(SETTINGS.most):
        y, x = np.unravel_index(int(like.argmax()), like.shape)
        if like[y, x] < SETTINGS.alike:
            return
        like[max(0, y - SETTINGS.apart) : y + SETTINGS.apart + 1] = -1.0
        moved = np.eye(3)
        moved[:2, 2] = x / dense - SETTINGS.aside, y / dense - SETTINGS.along
        yield to_pixels @ moved


def _seen(picture: np.ndarray, to_picture: np.ndarray, size: tuple[int, int], beyond: int) -> np.ndarray:
    how = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    return np.asarray(cv2.warpPerspective(picture, to_picture, size, flags=how, borderMode=beyond))
