"""A hand over a table: palm, fingers and arm, with a sleeve or a glove, its shadow, and the blur of its motion."""

from dataclasses import dataclass

import cv2
import numpy as np

Color = tuple[float, float, float]


@dataclass(frozen=True)
class Look:
    """Whose hand it is. Colors are BGR, 0 to 255.

    Attributes:
        skin: of hand and arm; of a glove just the same.
        sleeve: its color; None for a bare arm.
        cuff: millimetres from the finger tips to where the sleeve begins.
        left: whether the thumb points to the right, as a left hand's does.
    """

    skin: Color = (140, 172, 222)
    sleeve: Color | None = (110, 74, 48)
    cuff: float = 210.0
    left: bool = False


FINGERS = ((-31, 18, 15), (-11, 3, 17), (10, 0, 17), (30, 9, 16))
"""Of each finger: how far to the side (mm), how much shorter than the longest, how wide."""
SHADOW = (14.0, 12.0, 9.0, 0.4)
"""A shadow's shift to the right and down, its softness (mm), its darkness."""
COARSE = 4
"""Pixels of the picture for one in which the shadow is made soft."""


def lay_hand(
    image: np.ndarray, tips: np.ndarray, towards: np.ndarray, mm: float, look: Look, blur: float = 0.0
) -> None:
    """Draw a hand onto a picture, (H, W, 3) uint8 BGR, in place.

    Args:
        tips: where its longest finger points, in pixels.
        towards: the direction in which it points, from the elbow.
        mm: pixels of a millimetre.
        blur: pixels that it moves while the shutter is open.
    """
    h, w = image.shape[:2]
    along = np.asarray(towards, np.float64) / np.linalg.norm(towards)
    side = np.array([-along[1], along[0]]) * (-1 if look.left else 1)

    def at(*points: tuple[float, float]) -> np.ndarray:
        """From (to the side, back from the tips) in millimetres to pixels."""
        return np.array([np.asarray(tips) + (side * x - along * y) * mm for x, y in points])

    reach = max(w, h) / mm * 1.5
    arm = at((-30, 165), (30, 165), (44, 420), (48, reach), (-48, reach), (-44, 420))
    palm = at((-41, 95), (-20, 82), (20, 80), (41, 92), (42, 130), (31, 175), (-31, 175), (-42, 140))
    pad = (SHADOW[0] + 3 * SHADOW[2]) * mm + 3 * blur + 4
    everything = np.vstack([arm, palm, at((-31, 0), (31, 0), (75, 90))])
    x0, y0 = np.clip(np.floor(everything.min(0) - pad), 0, (w, h)).astype(int)
    x1, y1 = np.clip(np.ceil(everything.max(0) + pad), 0, (w, h)).astype(int)
    if x1 - x0 < COARSE or y1 - y0 < COARSE:
        return
    corner = np.array([x0, y0])
    mask = np.zeros((y1 - y0, x1 - x0), np.uint8)

    def shape(points: np.ndarray) -> np.ndarray:
        return np.round(np.clip(points - corner, -4000, 4000) * 16).astype(np.int32)

    def stroke(ends: np.ndarray, wide: float, value: int) -> None:
        a, b = (tuple(int(v) for v in p) for p in shape(ends))
        cv2.line(mask, a, b, value, max(1, round(wide * mm)), cv2.LINE_AA, 4)

    cv2.fillPoly(mask, [shape(arm)], 255, cv2.LINE_AA, 4)
    cv2.fillPoly(mask, [shape(palm)], 255, cv2.LINE_AA, 4)
    for x, short, wide in FINGERS:
        stroke(at((x * 1.05, short + wide / 2), (x, 95)), wide, 255)
    stroke(at((64, 88), (36, 138)), 20, 255)
    depth = cv2.distanceTransform((mask > 127).astype(np.uint8), cv2.DIST_L2, 3) / mm
    round_ = 0.66 + 0.36 * np.sqrt(np.clip(depth / 22, 0, 1))
    tone = np.broadcast_to(np.float32(look.skin), (*mask.shape, 3)) * round_[..., None]
    if look.sleeve is not None:
        covered = np.zeros_like(mask)
        cuff = look.cuff
        sleeve = at((-46, cuff), (46, cuff), (62, cuff + 250), (64, reach), (-64, reach), (-62, cuff + 250))
        cv2.fillPoly(covered, [shape(sleeve)], 255, cv2.LINE_AA, 4)
        mask = cv2.max(mask, covered)
        depth = cv2.distanceTransform((mask > 127).astype(np.uint8), cv2.DIST_L2, 3) / mm
        folds = 0.7 + 0.3 * np.sqrt(np.clip(depth / 30, 0, 1))
        cloth = np.float32(look.sleeve) * folds[..., None]
        tone = tone + (cloth - tone) * (covered[..., None].astype(np.float32) / 255)
    alpha = mask.astype(np.float32) / 255
    if blur > 1:
        alpha = cv2.GaussianBlur(alpha, (0, 0), blur / 3)
    window = image[y0:y1, x0:x1].astype(np.float32)
    dx, dy, soft, dark = SHADOW
    shift = np.float32([[1, 0, dx * mm], [0, 1, dy * mm]])
    small = cv2.resize(
        cv2.warpAffine(mask, shift, mask.shape[::-1]), None, fx=1 / COARSE, fy=1 / COARSE, interpolation=cv2.INTER_AREA
    )
    small = cv2.GaussianBlur(small, (0, 0), max(0.5, soft * mm / COARSE))
    shade = cv2.resize(small, mask.shape[::-1]).astype(np.float32)
    window *= 1 - shade[..., None] * (dark / 255)
    window += (tone - window) * alpha[..., None]
    image[y0:y1, x0:x1] = np.clip(window, 0, 255).astype(np.uint8)
