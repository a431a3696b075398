"""Photos of a table at rest that people bring one by one."""

import threading
from collections import deque

import cv2
import numpy as np

from companion.sources.frame import ENDED, OPENING, RUNNING, Frame, SourceState
from vision.photo import Photo

NO_PHOTO = "source.waiting-photo"
"""Why there is nothing to see of a table that is photographed."""


class PhotoSource:
    """Photos by `put`, each read, in order; see Source. Between them it waits for the next one."""

    name = "photos"
    scale = 1.0

    def __init__(self) -> None:
        self._told = threading.Condition()
        self._waiting: deque[Frame] = deque()
        self._number = 0
        self._done = 0
        self._ended = False

    def start(self) -> None:
        """Nothing is to be opened: photos come by themselves."""

    def put(self, photo: Photo) -> int:
        """Take a photo. Returns the number of its frame."""
        with self._told:
            if not self._number:
                self.scale = float(photo.scale)
            self._number += 1
            image = at_scale(photo, self.scale)
            self._waiting.append(Frame(self._number, float(self._number), image, settled=True))
            self._told.notify_all()
            return self._number

    def wait(self, number: int, seconds: float) -> bool:
        """Wait until the frame of this number has been read; whether it has."""
        with self._told:
            return self._told.wait_for(lambda: self._ended or self._done >= number, seconds) and self._done >= number

    def next(self, after: int = 0, timeout: float = 1.0) -> Frame | None:
        with self._told:
            self._done = max(self._done, after)
            self._told.notify_all()
            self._told.wait_for(lambda: self._ended or self._waiting, timeout)
            return self._waiting.popleft() if self._waiting and not self._ended else None

    @property
    def state(self) -> SourceState:
        with self._told:
            if self._ended:
                return SourceState(ENDED)
            return SourceState(RUNNING) if self._number else SourceState(OPENING, NO_PHOTO)

    def close(self) -> None:
        with self._told:
            self._ended = True
            self._told.notify_all()


def at_scale(photo: Photo, scale: float) -> np.ndarray:
    """A photo's picture as small as others are made: `scale` pixels of the file for one. May raise PhotoError."""
    if photo.scale == scale:
        return photo.image
    height, width = photo.image.shape[:2]
    size = (round(width * photo.scale / scale), round(height * photo.scale / scale))
    return cv2.resize(photo.image, size, interpolation=cv2.INTER_AREA)
