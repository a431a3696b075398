"""The calibration board as a known camera sees it, lens distortion included."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

import cv2
import numpy as np

from calibration.board import COLS, ROWS, board

SQUARE = 60
"""Pixels a square of the drawn board."""
EDGE = 1
"""White squares around it."""


@dataclass(frozen=True)
class Lens:
    """A camera: its pictures' size, focal length in parts of the width, middle off by parts, distortion."""

    size: tuple[int, int] = (960, 720)
    focal: float = 0.9
    off: tuple[float, float] = (0.01, -0.015)
    distortion: tuple[float, ...] = (-0.18, 0.05, 0.001, -0.0008, 0.0)

    @property
    def matrix(self) -> np.ndarray:
        width, height = self.size
        f = self.focal * width
        return np.array([[f, 0, width * (0.5 + self.off[0])], [0, f, height * (0.5 + self.off[1])], [0, 0, 1]])


@cache
def drawing() -> np.ndarray:
    size = ((COLS + 2 * EDGE) * SQUARE, (ROWS + 2 * EDGE) * SQUARE)
    return board().generateImage(size, marginSize=EDGE * SQUARE)


@cache
def rays_of(lens: Lens) -> np.ndarray:
    """(H * W, 1, 2) the direction in which each pixel looks, one away from the camera."""
    width, height = lens.size
    grid = np.stack(np.meshgrid(np.arange(width), np.arange(height)), 2).reshape(-1, 1, 2).astype(np.float64)
    return cv2.undistortPoints(grid, lens.matrix, np.array(lens.distortion)).astype(np.float32)


def picture(
    lens: Lens,
    at: tuple[float, float] = (0.0, 0.0),
    far: float = 11.0,
    tilt: tuple[float, float, float] = (0.0, 0.0, 0.0),
    blur: tuple[float, float] = (0.7, 0.7),
    seed: int = 0,
) -> np.ndarray:
    """(H, W) uint8: the board's middle at `at` (parts of the picture from its middle), `far` squares away.

    `tilt` in degrees: right side nearer, lower side nearer, turned clockwise. `blur` is the sigma in pixels, x and y.
    """
    width, height = lens.size
    right, lower, turn = np.radians(tilt)
    turned = cv2.Rodrigues(np.array([0, right, 0]))[0] @ cv2.Rodrigues(np.array([-lower, 0, 0]))[0]
    turned = turned @ cv2.Rodrigues(np.array([0, 0, turn]))[0]
    middle = far * np.array([at[0] / lens.focal, at[1] * height / width / lens.focal, 1])
    to_board = np.linalg.inv(np.column_stack([turned[:, 0], turned[:, 1], middle]))
    left, top = ((n / 2 + EDGE) * SQUARE - 0.5 for n in (COLS, ROWS))
    to_drawing = np.array([[SQUARE, 0, left], [0, SQUARE, top], [0, 0, 1]])
    where = cv2.perspectiveTransform(rays_of(lens), to_drawing @ to_board).reshape(height, width, 2)
    # The drawing is softened first where the picture has fewer pixels than it.
    shrink = SQUARE / (lens.focal * width / far)
    texture = cv2.GaussianBlur(drawing(), (0, 0), max(0.5 * shrink, 0.3))
    seen = cv2.remap(texture, where, None, cv2.INTER_LINEAR, borderMode=cv2.BORDER_CONSTANT, borderValue=120)
    seen = cv2.GaussianBlur(seen, (0, 0), sigmaX=blur[0], sigmaY=blur[1]).astype(np.float32)
    noise = np.random.default_rng(seed).normal(0, 3, seen.shape)
    return np.clip(20 + 0.82 * seen + noise, 0, 255).astype(np.uint8)


ROUND = (
    ((0, 0), 8.6, (0, 0, 0)), ((0, 0), 17, (0, 0, 10)), ((0, 0), 10, (24, 0, 0)), ((0, 0), 10, (-24, 0, 0)),
    ((0, 0), 10, (0, 24, 0)), ((0, 0), 10, (0, -24, 0)), ((-0.31, -0.29), 12, (-18, -18, 5)),
    ((0.31, -0.29), 12, (18, -18, -5)), ((0.31, 0.29), 12, (18, 18, 5)), ((-0.31, 0.29), 12, (-18, 18, -5)),
    ((-0.17, 0), 11.5, (10, 10, 30)), ((0.17, 0.02), 11.5, (-12, -20, 90)),
)  # fmt: skip
"""Where a person who follows the guidance holds the board."""


def pictures(lens: Lens) -> list[np.ndarray]:
    """A round of good pictures."""
    return [picture(lens, at, far, tilt, seed=i) for i, (at, far, tilt) in enumerate(ROUND)]
