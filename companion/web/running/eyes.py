"""Vision and calibration as the pages use them, behind one interface that tests can replace."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np

from calibration.sheets import Enrolment, enroll
from companion import demo
from companion.reading import pipeline
from companion.web.problems import Problem
from vision.decoder import OUTSIDE
from vision.photo import Photo, load_photo


class Eyes(pipeline.Eyes):
    """Photo in, values out. Raises vision.errors.PhotoError where a photo cannot be read."""

    def pages(self, data: bytes) -> list[bytes]:
        """The pages of a file from outside."""
        return OUTSIDE.pages(data)

    def load(self, data: bytes) -> Photo:
        """A photo from outside, turned as a person sees it."""
        return OUTSIDE.open(data)

    def enroll(self, image: np.ndarray, letters: dict[str, Any] | None = None, grid: Any = None) -> Enrolment:
        """A blank sheet; `letters` ([row, column] each, as JSON has them) and `grid` are what a person said already."""
        cells = None if letters is None else {letter: tuple(cell) for letter, cell in letters.items()}
        return enroll(image, letters=cells, grid=grid)

    def demo_blank(self) -> np.ndarray:
        """The demo sheet without a mark, (H, W, 3) BGR."""
        return load_photo(demo.BLANK.read_bytes())


class Turn:
    """One photo at a time is decoded and read; a few may wait, more are sent away."""

    def __init__(self, waiting: int = 12) -> None:
        self._one = threading.Semaphore(1)
        self._places = threading.Semaphore(waiting)

    @contextmanager
    def taken(self) -> Iterator[None]:
        """Wait for the turn. Raises Problem where too many wait."""
        if not self._places.acquire(blocking=False):
            raise Problem("problem.busy", 503)
        try:
            with self._one:
                yield
        finally:
            self._places.release()
