"""Which cards of one picture show the same print in a corner: points stand there, and tell the cards of a row apart."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np


@dataclass(frozen=True)
class CornerSettings:
    """How the corners of cards are compared that were cut and lit alike."""

    part: tuple[float, float] = (0.26, 0.18)  # of a card's width and height that a corner is
    rim: float = 0.03  # of its width along its edge that is left out
    size: tuple[int, int] = (60, 54)  # pixels of a corner, across and down, as it is compared
    blur: float = 0.8  # of these pixels
    reach: int = 5  # pixels of the window in which a pixel looks for one like it
    like: int = 30  # grey levels by which it may differ from all of them
    same: float = 0.008  # share of a corner's pixels that find none, at most, where the print is the same


SETTINGS = CornerSettings()
CORNERS = ((0, 0), (1, 0), (0, 1), (1, 1))
"""Left or right, above or below."""


def same_corners(faces: Sequence[np.ndarray]) -> list[list[int]]:
    """For each corner of a card the number of a group for each face, (h, w, 3) BGR of one picture: faces of a group
    show the same print there."""
    return [_groups([_corner(face, *corner) for face in faces]) for corner in CORNERS]


def _corner(face: np.ndarray, right: int, below: int) -> np.ndarray:
    h, w = face.shape[:2]
    rim, wide, high = round(SETTINGS.rim * w), round(SETTINGS.part[0] * w), round(SETTINGS.part[1] * h)
    x, y = (w - wide if right else rim), (h - high if below else rim)
    part = face[y : y + high - rim, x : x + wide - rim]
    small = cv2.resize(part, SETTINGS.size, interpolation=cv2.INTER_AREA)
    return np.asarray(cv2.GaussianBlur(small, (0, 0), SETTINGS.blur)).astype(np.float32)


def _groups(corners: Sequence[np.ndarray]) -> list[int]:
    window = np.ones((SETTINGS.reach, SETTINGS.reach), np.uint8)
    low, high = ([turn(one, window) for one in corners] for turn in (cv2.erode, cv2.dilate))
    group = list(range(len(corners)))
    for i, one in enumerate(corners):
        for k in range(i):
            off = max(_unlike(one, low[k], high[k]), _unlike(corners[k], low[i], high[i]))
            if off < SETTINGS.same:
                group = [group[k] if other == group[i] else other for other in group]
    return group


def _unlike(corner: np.ndarray, low: np.ndarray, high: np.ndarray) -> float:
    """The share of a corner's pixels that lie outside what another's neighborhood shows."""
    return float((np.maximum(low - corner, corner - high).max(2) > SETTINGS.like).mean())
