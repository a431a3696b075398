"""Patches of print: cut out of a flattened page, held against what lies around them, found again on a photo's."""

import cv2
import numpy as np

from vision.sheet.letter_templates import subpixel_peak


def even(flat: np.ndarray, cell: int) -> np.ndarray:
    """(h, w) uint8: print on gray, whatever the light."""
    light = cv2.blur(flat, (2 * cell + 1,) * 2)
    return cv2.divide(flat, cv2.max(light, 8), scale=180)  # type: ignore[call-overload]


def patch_at(picture: np.ndarray, x: int, y: int, half: int) -> np.ndarray | None:
    """The square of 2 `half` pixels around a place; None where it does not lie in the picture."""
    inside = min(x, y) >= half and x + half <= picture.shape[1] and y + half <= picture.shape[0]
    return picture[y - half : y + half, x - half : x + half] if inside else None


def like_elsewhere(room: np.ndarray, patch: np.ndarray, own: int) -> float:
    """Correlation of a patch with the place in the room around it that is most like it, `own` pixels from itself on."""
    likeness = cv2.matchTemplate(room, patch, cv2.TM_CCOEFF_NORMED)
    far = len(likeness) // 2
    likeness[far - own : far + own + 1, far - own : far + own + 1] = -1
    return float(likeness.max())


def found_in(room: np.ndarray, patch: np.ndarray, least: float) -> tuple[float, float] | None:
    """Where in a room a patch's first pixel [x, y] lies; None where its correlation is less, or best at the edge."""
    likeness = cv2.matchTemplate(room, patch, cv2.TM_CCOEFF_NORMED)
    _, best, _, (x, y) = cv2.minMaxLoc(likeness)
    if best < least or not (0 < x < likeness.shape[1] - 1 and 0 < y < likeness.shape[0] - 1):
        return None
    return x + subpixel_peak(likeness[y], x), y + subpixel_peak(likeness[:, x], y)
