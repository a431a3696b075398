"""The newest frame, as a JPEG that all who look share."""

from __future__ import annotations

import threading
import time

import cv2
import numpy as np

WIDTH = 960
"""Pixels of the live picture's width, at most."""
QUALITY = 78
GAP = 0.1
"""Seconds between two pictures, at least: ten a second show how a hand moves."""


class LivePicture:
    """Holds one frame and one JPEG, whatever the number of viewers. Nothing is encoded while nobody looks."""

    def __init__(self, width: int = WIDTH, gap: float = GAP) -> None:
        self._width, self._gap = width, gap
        self._changed = threading.Condition()
        self._encoding = threading.Lock()
        self._frame: np.ndarray | None = None
        self._number = 0
        self._made = (0, b"")
        self._made_at = 0.0
        self._closed = False

    def show(self, frame: np.ndarray) -> None:
        """Take a frame, (H, W, 3) BGR, that nobody changes any more."""
        with self._changed:
            self._frame, self._number = frame, self._number + 1
            self._changed.notify_all()

    def close(self) -> None:
        """No frame will come any more."""
        with self._changed:
            self._closed = True
            self._changed.notify_all()

    def next(self, after: int = 0, seconds: float = 1.0) -> tuple[int, bytes] | None:
        """The newest picture with its number, once it is newer than `after`; None if none came in time."""
        with self._changed:
            self._changed.wait_for(lambda: self._closed or self._number > after, seconds)
            if self._number <= after or self._frame is None:
                return None
        with self._encoding:
            if self._made[0] > after and time.monotonic() - self._made_at < self._gap:
                return self._made
            early = self._made_at + self._gap - time.monotonic()
            if early > 0 and not self._closed:
                time.sleep(early)
            with self._changed:
                frame, number = self._frame, self._number
            if number > self._made[0]:
                self._made = (number, small_jpeg(frame, self._width, QUALITY))
                self._made_at = time.monotonic()
            return self._made


def small_jpeg(frame: np.ndarray, width: int, quality: int) -> bytes:
    """The frame as JPEG of at most that width."""
    height, wide = frame.shape[:2]
    if wide > width:
        frame = cv2.resize(frame, (width, max(1, round(height * width / wide))), interpolation=cv2.INTER_AREA)
    done, data = cv2.imencode(".jpg", frame, [cv2.IMWRITE_JPEG_QUALITY, quality])
    if not done:
        raise ValueError("expected a picture that JPEG can hold")
    return data.tobytes()
