"""The newest frame as one JPEG that all viewers share."""

import threading
import time
from collections.abc import Callable

import cv2
import numpy as np

from companion.reading.pictures import jpeg
from companion.sources import Frame

WIDTH = 960
"""Pixels of the live picture's width, at most."""
QUALITY = 78
GAP = 0.1
"""Seconds between two pictures, at least: ten a second show how a hand moves."""


class LivePicture:
    """Keep one JPEG for all viewers; nothing is encoded while there are none.

    `frames(after, timeout)` waits for a frame with a number above `after`.
    """

    def __init__(self, frames: Callable[[int, float], Frame | None], gap: float = GAP) -> None:
        self._frames, self._gap = frames, gap
        self._encoding = threading.Lock()
        self._made = (0, b"")
        self._made_at = 0.0
        self._closed = False

    def close(self) -> None:
        """Nobody waits any longer."""
        self._closed = True

    def next(self, after: int = 0, seconds: float = 1.0) -> tuple[int, bytes] | None:
        """The newest picture with its number, once it is newer than `after`; None if none came in time."""
        if self._closed or self._frames(after, seconds) is None:
            return None
        with self._encoding:
            early = self._made_at + self._gap - time.monotonic()
            if early > 0 and self._made[0] > after:
                return self._made
            if early > 0:
                time.sleep(early)
            frame = self._frames(self._made[0], 0)
            if frame is not None:
                self._made = (frame.number, small_jpeg(frame.image, WIDTH, QUALITY))
                self._made_at = time.monotonic()
            return self._made if self._made[0] > after else None


def small_jpeg(frame: np.ndarray, width: int, quality: int) -> bytes:
    """The frame as JPEG of at most that width."""
    height, wide = frame.shape[:2]
    if wide > width:
        frame = cv2.resize(frame, (width, max(1, round(height * width / wide))), interpolation=cv2.INTER_AREA)
    return jpeg(frame, quality)
