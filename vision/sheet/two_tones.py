"""Whether a photo is black and white, without shades between, as scanners and apps make it.

Such a picture has lost what tells pencil from print.
"""

from dataclasses import dataclass

import cv2
import numpy as np

from vision.sheet.flatten import corners


@dataclass(frozen=True)
class TwoToneSettings:
    """What makes a picture one of two tones: nearly all pixels have one of them, or many lie at both ends of the scale
    (which blur leaves of black and white)."""

    step: int = 3  # every so manieth pixel is looked at, both ways
    near: float = 0.2  # distance from a tone at which a pixel has it, in parts of what lies between both tones
    share: float = 0.97  # of the pixels have one of the tones, at least
    ends: tuple[int, int] = (5, 250)  # levels up to which a pixel is black, and from which it is white
    white: float = 0.4  # of the pixels are white, at least
    black: float = 0.05  # of the others are black, at least


SETTINGS = TwoToneSettings()


def two_toned(gray: np.ndarray, lattice: np.ndarray) -> bool:
    """Whether the pixels within a grid have one of two tones, the means of Otsu's two classes, or are black and white.

    Args:
        gray: (H, W) uint8, the photo's own pixels: resampled ones have shades.
        lattice: (rows + 1, cols + 1, 2) the grid's crossings in pixels of `gray`.
    """
    few = np.ascontiguousarray(gray[:: SETTINGS.step, :: SETTINGS.step])
    outline = corners(lattice) / SETTINGS.step
    mask = cv2.fillConvexPoly(np.zeros(few.shape, np.uint8), np.round(outline).astype(np.int32), 1)
    counts = cv2.calcHist([few], [0], mask, [256], [0, 256]).ravel()
    levels, below = np.arange(256), counts.cumsum()
    sums = (counts * levels).cumsum()
    both = (below > 0) & (below < below[-1])
    if not both.any():
        return False
    dark, bright = sums[both] / below[both], (sums[-1] - sums[both]) / (below[-1] - below[both])
    otsu = int((below[both] * (below[-1] - below[both]) * (bright - dark) ** 2).argmax())
    tones = np.array([dark[otsu], bright[otsu]])
    black, not_white = below[SETTINGS.ends[0]], below[SETTINGS.ends[1] - 1]
    if not_white <= (1 - SETTINGS.white) * below[-1] and black >= SETTINGS.black * not_white:
        return True
    away = np.abs(levels[:, None] - tones).min(1)
    return bool(counts[away <= SETTINGS.near * np.ptp(tones)].sum() >= SETTINGS.share * below[-1])
