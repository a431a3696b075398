"""All patches held against their surroundings at once: as OpenCV tells of each by itself."""

import cv2
import numpy as np
import pytest

from vision.sheet.patches import likenesses

SIDE, FAR = 12, 3


@pytest.mark.parametrize(("where", "firsts"), [
    ("in rows and columns", [(3, 3), (10, 3), (24, 3), (3, 17), (24, 17)]),
    ("anywhere", [(3, 4), (10, 9), (11, 22), (23, 5)]),
    ("one", [(9, 7)]),
    ("none", []),
])  # fmt: skip
def test_patches_are_as_like_as_each_by_itself(where: str, firsts: list[tuple[int, int]]) -> None:
    rng = np.random.default_rng(4)
    known = cv2.GaussianBlur(rng.integers(0, 255, (44, 52), np.uint8), (0, 0), 1.5)
    seen = cv2.add(np.roll(known, (1, -2), (0, 1)), rng.integers(0, 30, known.shape, np.uint8))
    found = likenesses(seen, known, np.array(firsts, int).reshape(-1, 2), SIDE, FAR)
    assert found.shape == (len(firsts), 2 * FAR + 1, 2 * FAR + 1), where
    for (x, y), likeness in zip(firsts, found, strict=True):
        room = seen[y - FAR : y + SIDE + FAR, x - FAR : x + SIDE + FAR]
        alone = cv2.matchTemplate(room, known[y : y + SIDE, x : x + SIDE], cv2.TM_CCOEFF_NORMED)
        assert likeness == pytest.approx(alone, abs=1e-4)
        assert np.unravel_index(likeness.argmax(), likeness.shape) == (FAR + 1, FAR - 2)
