"""Estimate the white point from the white cells of printed markers, or from a point on white paper."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import cv2
import numpy as np

from vision.table.plane import on_squares


@dataclass(frozen=True)
class WhiteBalanceSettings:
    """Which pixels count as white, and how much a picture may be corrected."""

    white: float = 225.0  # the value that white paper is brought to in every channel
    least_gain: float = 0.5
    most_gain: float = 4.0
    cells: int = 14
    most: int = 8  # markers that are looked at: more tell nothing more
    patch: float = 0.006
    """Half the side of what is looked at about a point on paper, in parts of the picture's longer side."""
    least_white: float = 60.0  # level of the brightest channel from which paper tells its color
    most_white: float = 250.0  # level up to which it does
    least_other: float = 0.3
    """Parts of the brightest channel that each other one has at least, on white paper in whatever light."""
    most_uneven: float = 0.08  # parts of its brightness by which the paper may vary about the point
    two_lamps: float = 0.5
    """Logarithm of red by blue by which the tint of paper differs between the ends of a table that two lamps light."""
    telling: int = 4  # markers from which on it is told
    most_seen: int = 400  # pixels of cards by which white is told
    whitest: float = 95.0  # percentile of their darkest channel from which on they are white


SETTINGS = WhiteBalanceSettings()
_GRID = (np.mgrid[0 : SETTINGS.cells, 0 : SETTINGS.cells].reshape(2, -1).T[:, ::-1] + 0.5) / SETTINGS.cells


def paper_white(
    image: np.ndarray, outlines: Iterable[np.ndarray], known: Sequence[float] | None = None
) -> np.ndarray | None:
    """(3,) BGR of white paper, the median over the markers.

    Args:
        image: (H, W, 3) BGR.
        outlines: the markers, (4, 2) in pixels.
        known: red, green and blue of white paper, for a picture without markers; None there too: None is answered.
    """
    squares = list(outlines)[: SETTINGS.most]
    if not squares:
        return None if known is None else np.array(known[::-1], np.float32)
    _, whites = _whites(image, squares)
    return np.median(whites, axis=0) if len(whites) else None


def _whites(image: np.ndarray, outlines: Sequence[np.ndarray]) -> tuple[np.ndarray, np.ndarray]:
    """The middles, (n, 2), of those markers that lie in the picture, and the white of each one's paper, (n, 3) BGR."""
    squares = np.array(outlines)
    x, y = (np.rint(part).astype(int) for part in on_squares(squares, _GRID))
    within = (x >= 0) & (y >= 0) & (x < image.shape[1]) & (y < image.shape[0])
    within &= within.sum(1, keepdims=True) >= SETTINGS.cells
    here = within.any(1)
    if not here.any():
        return np.zeros((0, 2)), np.zeros((0, 3), np.float32)
    x, y, within = (part[here] for part in (x, y, within))
    colors = image[np.where(within, y, 0), np.where(within, x, 0)]
    light = colors.sum(2, dtype=np.float32)
    most, least = np.where(within, light, -1).max(1), np.where(within, light, 999).min(1)
    middle = (most + least) / 2
    paper = within & (light > (middle + 0.25 * (most - middle))[:, None])
    # Each marker's median: what is not paper is sorted behind all that is.
    level = np.sort(np.where(paper[..., None], colors, 255).astype(np.uint8), axis=1)
    n, each = paper.sum(1), np.arange(len(paper))
    return squares[here].mean(1), (level[each, (n - 1) // 2].astype(np.float32) + level[each, n // 2]) / 2


def evened(image: np.ndarray, outlines: Iterable[np.ndarray]) -> np.ndarray:
    """A picture of a table on which lamps of unlike color shine from two sides, as one light of both would show it.

    Args:
        image: (H, W, 3) BGR.
        outlines: the markers, (4, 2) in pixels. Their paper's tint changes evenly and stays as it is beyond them.

    Returns the very picture where it hardly does, or where too few markers tell.
    """
    squares = list(outlines)
    if len(squares) < SETTINGS.telling:
        return image
    at, whites = _whites(image, squares)
    told = (whites.max(1) >= SETTINGS.least_white) & (whites.max(1) <= SETTINGS.most_white) & (whites.min(1) > 0)
    if told.sum() < SETTINGS.telling:
        return image
    at, level = at[told], np.log(whites[told])
    tints = level - level.mean(1, keepdims=True)
    side = max(image.shape[:2])
    offset, *slopes = np.linalg.lstsq(np.column_stack([np.ones(len(at)), at / side]), tints, rcond=None)[0]
    away = offset + at / side @ np.array(slopes) - tints.mean(0)
    if np.ptp(away[:, 2] - away[:, 0]) < SETTINGS.two_lamps:
        return image
    low, high = at.min(0), at.max(0)
    x, y = (np.clip(np.arange(n), *ends) / side for n, *ends in zip(image.shape[1::-1], low, high, strict=True))
    out = np.empty_like(image)
    for k in range(3):
        gain = np.outer(np.exp(-slopes[1][k] * y), np.exp(tints[:, k].mean() - offset[k] - slopes[0][k] * x))
        out[..., k] = cv2.multiply(image[..., k], gain.astype(np.float32), dtype=cv2.CV_8U)
    return out


def card_white(image: np.ndarray, outlines: Sequence[np.ndarray]) -> np.ndarray | None:
    """(3,) BGR of the white that is printed on cards, (4, 2) in pixels each; None where there are none.

    The brightest of each card's pixels, of which colored print is dimmer in one channel at least.
    """
    mask = np.zeros(image.shape[:2], np.uint8)
    for outline in outlines:
        cv2.fillPoly(mask, [np.round(outline).astype(np.int32)], 255)
    seen = image[mask > 0]
    if len(seen) < SETTINGS.most_seen:
        return None
    least = seen.min(1)
    return np.asarray(np.median(seen[least >= np.percentile(least, SETTINGS.whitest)], axis=0), np.float32)


def white_at(image: np.ndarray, at: tuple[float, float]) -> tuple[float, float, float] | None:
    """Red, green and blue of the white paper about a point in pixels; None where no evenly lit paper lies there."""
    reach = max(2, round(SETTINGS.patch * max(image.shape[:2])))
    x, y = round(at[0]), round(at[1])
    patch = image[max(0, y - reach) : max(0, y + reach + 1), max(0, x - reach) : max(0, x + reach + 1)].reshape(-1, 3)
    if not len(patch):
        return None
    blue, green, red = (float(level) for level in np.median(patch, axis=0))
    least, most = min(blue, green, red), max(blue, green, red)
    dim, light, bright = np.percentile(patch.mean(1), [10, 50, 90])
    is_paper = SETTINGS.least_white <= most <= SETTINGS.most_white and least >= SETTINGS.least_other * most
    return (red, green, blue) if is_paper and bright - dim <= 2 * SETTINGS.most_uneven * light else None


class Balance:
    """Brings pictures taken under one light to a common white."""

    def __init__(self, white: np.ndarray | None) -> None:
        """`white`: (3,) BGR of white paper, which will be WHITE in every channel; None leaves pictures as they are."""
        self._table: np.ndarray | None = None
        self._gain = np.ones(3)
        if white is not None:
            self._gain = np.clip(SETTINGS.white / np.maximum(white, 1), SETTINGS.least_gain, SETTINGS.most_gain)
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
