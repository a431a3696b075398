"""Patches of print: cut out of a flattened page, held against what lies around them, found again on a photo's."""

import cv2
import numpy as np

from vision.sheet.letter_templates import subpixel_peak

GRAY = 128
"""Gray level taken off first, so that single precision holds sums of products."""


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


def likenesses(seen: np.ndarray, known: np.ndarray, firsts: np.ndarray, side: int, far: int) -> np.ndarray:
    """Correlation of patches of one picture with places in another, all at once: (n, 2 far + 1, 2 far + 1), by how many
    pixels down and right each place lies, from -far on.

    Args:
        seen: (h, w) uint8 in which they are looked for; `known`: (h, w) uint8 that shows them.
        firsts: (n, 2) int, the first pixel [x, y] of each, `far` at least from the edge; `side`: their width.
    """
    ways = np.arange(-far, far + 1)
    if not len(firsts):
        return np.empty((0, len(ways), len(ways)), np.float32)
    here, there = (picture.astype(np.float32) - GRAY for picture in (seen, known))
    x, y = firsts.T
    inner = np.ascontiguousarray(there[far:-far, far:-far])
    # Patches stand in rows and columns: their rows are summed up, then their columns, and nothing between.
    both = np.empty_like(inner)
    rows_of_patches, row = _windows(both, y - far, side, 0)
    strips = np.empty(rows_of_patches.shape[:2], np.float32)
    columns_of_patches, column = _windows(strips, x - far, side, 1)
    found = np.empty((len(ways), len(ways), *columns_of_patches.shape[:2]), np.float32)

    def sums(picture: np.ndarray) -> np.ndarray:
        """Of the square whose first pixel each is."""
        return cv2.boxFilter(picture, -1, (side, side), anchor=(0, 0), normalize=False)

    rows, cols = seen.shape
    for i, down in enumerate(ways):
        for j, right in enumerate(ways):
            moved = here[far + down : rows - far + down, far + right : cols - far + right]
            cv2.multiply(moved, inner, dst=both)
            np.add.reduce(rows_of_patches, -1, out=strips)
            np.add.reduce(columns_of_patches, -1, out=found[i, j])
    out = np.moveaxis(found[:, :, row, column], -1, 0)
    places = (y[:, None, None] + ways[:, None], x[:, None, None] + ways)
    total, power = sums(here)[places], sums(here * here)[places]
    own, own_power = (sums(picture)[y, x][:, None, None] for picture in (there, there * there))
    count = side * side
    spread = np.maximum(power - total * total / count, 1) * np.maximum(own_power - own * own / count, 1)
    return np.asarray((out - total * own / count) / np.sqrt(spread))


def _windows(picture: np.ndarray, firsts: np.ndarray, side: int, axis: int) -> tuple[np.ndarray, np.ndarray]:
    """A view of a picture's windows of `side` places along an axis, these the last axis, at equal steps so that one
    begins at each of `firsts`, (n,) int; and which one does, (n,)."""
    least = int(firsts.min())
    step = int(np.gcd.reduce(firsts - least)) or 1
    steps = (firsts - least) // step
    which = slice(least, least + step * int(steps.max()) + 1, step)
    every = np.lib.stride_tricks.sliding_window_view(picture, side, axis)
    return (every[which] if axis == 0 else every[:, which]), steps


def peaks(likeness: np.ndarray, least: float) -> tuple[np.ndarray, np.ndarray]:
    """Which of (n, s, s) correlations have a peak of `least` or more, not at the edge, (m,), and how far right and down
    of the middle it lies: (m, 2) pixels."""
    n, side = likeness.shape[:2]
    best = likeness.reshape(n, -1).argmax(1)
    y, x = np.divmod(best, side)
    inner = (
        (np.minimum(x, y) > 0) & (np.maximum(x, y) < side - 1) & (likeness.reshape(n, -1)[np.arange(n), best] >= least)
    )
    which = np.flatnonzero(inner)
    x, y = x[which], y[which]
    off = [
        at + _vertices(likeness[which], *ways) - side // 2
        for at, ways in ((x, [(y, x + k) for k in (-1, 0, 1)]), (y, [(y + k, x) for k in (-1, 0, 1)]))
    ]
    return which, np.stack(off, 1)


def _vertices(likeness: np.ndarray, *ways: tuple[np.ndarray, np.ndarray]) -> np.ndarray:
    """How far from the middle one of three places in each of (n, s, s) correlations the parabola through them peaks."""
    every = np.arange(len(likeness))
    before, here, after = (likeness[every, y, x].astype(np.float64) for y, x in ways)
    curvature = np.minimum(before - 2 * here + after, -1e-6)
    return np.clip((before - after) / (2 * curvature), -0.5, 0.5)
