"""Tell the slight motion of a camera, a stand that gives or a hand that holds it, from what moves before it."""

from dataclasses import dataclass

import cv2
import numpy as np


@dataclass(frozen=True)
class CameraMotionSettings:
    """When corners of a picture move as one, and how far they may."""

    shake: float = 2.0  # pixels of the small picture by which a camera may move and still count as at rest
    least: float = 0.05  # pixels that are no motion
    corners: int = 100  # corners that are followed, at most
    fewest: int = 12  # corners that must be seen again
    apart: float = 6.0  # pixels between two of them
    quality: float = 0.02  # how marked a corner is, in parts of the most marked one
    within: float = 0.4  # pixels by which a corner may stray
    agree: float = 0.6  # share of them that must move as one


SETTINGS = CameraMotionSettings()


def camera_motion(then: np.ndarray, now: np.ndarray) -> np.ndarray | None:
    """How a camera moved between two small pictures, gray or BGR, uint8, in the same light.

    Returns (2, 3), from pixels of `then` to those of `now`: turned, scaled and shifted; None: it did not move, or too
    far, or too little of the picture moved as one.
    """
    a, b = (one if one.ndim == 2 else cv2.cvtColor(one, cv2.COLOR_BGR2GRAY) for one in (then, now))
    was = cv2.goodFeaturesToTrack(a, SETTINGS.corners, SETTINGS.quality, SETTINGS.apart)
    if was is None or len(was) < SETTINGS.fewest:
        return None
    is_, found, _ = cv2.calcOpticalFlowPyrLK(a, b, was, was.copy(), winSize=(11, 11), maxLevel=1)
    kept = found.ravel() == 1
    if np.count_nonzero(kept) < SETTINGS.fewest:
        return None
    motion, inside = cv2.estimateAffinePartial2D(was[kept], is_[kept], ransacReprojThreshold=SETTINGS.within)
    if motion is None or np.count_nonzero(inside) < SETTINGS.agree * len(was):
        return None
    h, w = a.shape
    corners = np.array([[0, 0, 1], [w, 0, 1], [0, h, 1], [w, h, 1]], np.float64)
    far = np.linalg.norm(corners @ motion.T - corners[:, :2], axis=1).max()
    return np.asarray(motion) if SETTINGS.least < far < SETTINGS.shake else None


def beyond(then: np.ndarray, now: np.ndarray, motion: np.ndarray) -> np.ndarray:
    """By how many levels `now` differs from `then` by more than the camera's motion can make, as they are shaped."""
    h, w = now.shape[:2]
    moved = cv2.warpAffine(then, motion, (w, h), borderMode=cv2.BORDER_REPLICATE)
    # Moved by parts of a pixel a picture is sharper or softer: its grain is blurred, a pixel's neighbors bound it.
    moved, now = (cv2.GaussianBlur(one, (5, 5), 1) for one in (moved, now))
    beside = np.ones((3, 3), np.uint8)
    return cv2.max(cv2.subtract(now, cv2.dilate(moved, beside)), cv2.subtract(cv2.erode(moved, beside), now))
