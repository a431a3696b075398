"""The light taken off a flattened sheet: what is left is ink on white paper."""

from __future__ import annotations

import cv2
import numpy as np

COARSE = 5
"""Pixels in a coarse one."""
NEAR, WIDE = 13, 41
"""Sizes in coarse pixels over which marks are bridged: 1.6 and 5 cells of 40 pixels."""
DEEPEST = 0.5
"""How dark a shadow may look beside the light around it before it counts as ink."""


def even_light(flat: np.ndarray) -> np.ndarray:
    """Divide a flattened sheet by the light that falls on its paper.

    Args:
        flat: (H, W, 3) uint8 BGR, 40 pixels a cell.

    Returns:
        (H, W, 3) float32, 1 where the paper is bare, 0 where it is black, at most 1.4.
    """
    h, w = flat.shape[:2]
    return np.minimum(flat / cv2.resize(_light(flat), (w, h), interpolation=cv2.INTER_LINEAR), 1.4, dtype=np.float32)


def darkness(flat: np.ndarray) -> np.ndarray:
    """1 less what `even_light` gives, color by color: (3, H, W) float32, 0 where the paper is bare."""
    h, w = flat.shape[:2]
    out = np.empty((3, h, w), np.float32)
    for dark, color, light in zip(out, cv2.split(flat), cv2.split(_light(flat)), strict=True):
        np.divide(color, cv2.resize(light, (w, h), interpolation=cv2.INTER_LINEAR), out=dark)
        cv2.min(dark, 1.4, dst=dark)
        np.subtract(1, dark, out=dark)
    return out


def _light(flat: np.ndarray) -> np.ndarray:
    """The light on the paper, one coarse pixel for about `COARSE`: (h, w, 3) float32."""
    h, w = flat.shape[:2]
    small = cv2.resize(flat, (max(1, w // COARSE), max(1, h // COARSE)), interpolation=cv2.INTER_AREA)
    near = cv2.morphologyEx(small, cv2.MORPH_CLOSE, np.ones((NEAR, NEAR), np.uint8))
    wide = cv2.morphologyEx(small, cv2.MORPH_CLOSE, np.ones((WIDE, WIDE), np.uint8))
    paper = np.maximum(near.astype(np.float32), wide.astype(np.float32) * DEEPEST)
    return np.maximum(cv2.blur(paper, (5, 5), borderType=cv2.BORDER_REPLICATE), 4.0)
