"""Films and folders of photos: each frame in turn, when it is asked for."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np

import vision  # noqa: F401 - sets the limit on pixels before OpenCV decodes anything
from companion.live.sources.frame import ENDED, OPENING, RUNNING, Frame, SourceError, SourceState
from companion.live.sources.live import usable
from vision.errors import PhotoError
from vision.photo import load_photo

PHOTOS = (".jpg", ".jpeg", ".png", ".webp", ".heic", ".heif")
PHOTO_SECONDS = 1.0
"""What a photo of a folder takes in the folder's time: each is a table at rest."""
PHOTO_FRAMES = 4
"""Frames of that: the table is seen to rest."""
FPS, LEAST_FPS, MOST_FPS = 25.0, 1.0, 240.0
"""Frames a second of a film that does not say so; what else it says is not believed."""
BAD_FRAMES = 30
"""Frames in a row that cannot be decoded before the film is taken to end there."""
LARGEST_PHOTO = 80 * 1024 * 1024


class VideoFile:
    """A film, frame by frame: see Source. Frames have the film's time."""

    live = False

    def __init__(self, path: Path) -> None:
        self.name, self._path = str(path), path
        self._film: cv2.VideoCapture | None = None
        self._number = 0
        self._ended = False
        self.fps = FPS

    def start(self) -> None:
        """Open the file. Raises SourceError."""
        try:
            with self._path.open("rb") as file:
                file.read(1)
        except OSError as error:
            raise SourceError("source.unreadable", got=self.name, why=error.strerror or error) from None
        # Only FFmpeg: the reader of picture series would take a text file's name for a pattern.
        self._film = cv2.VideoCapture(str(self._path), cv2.CAP_FFMPEG)
        fps = self._film.get(cv2.CAP_PROP_FPS)
        self.fps = fps if LEAST_FPS <= fps <= MOST_FPS else FPS
        self._first = self._decoded() if self._film.isOpened() else None
        if self._first is None:
            self.close()
            raise SourceError("source.no-video", got=self.name)

    def next(self, after: int = 0, timeout: float = 1.0) -> Frame | None:
        """The next frame; None at the end."""
        if self._film is None or self._ended:
            return None
        image, self._first = (self._first, None) if self._first is not None else (self._decoded(), None)
        if image is None:
            self.close()
            return None
        self._number += 1
        return Frame(self._number, (self._number - 1) / self.fps, image)

    @property
    def state(self) -> SourceState:
        """See Source.state."""
        return SourceState(ENDED if self._ended else RUNNING if self._film else OPENING)

    def close(self) -> None:
        """Close the file."""
        self._ended = True
        if self._film is not None:
            self._film.release()

    def _decoded(self) -> np.ndarray | None:
        assert self._film is not None
        for _ in range(BAD_FRAMES):
            try:
                taken, image = self._film.read()
            except cv2.error:
                taken, image = False, None
            if taken and usable(image):
                return image
        return None


class PhotoFolder:
    """Photos of tables by their names' order, each shown for a second of its own: see Source."""

    live = False

    def __init__(self, path: Path) -> None:
        self.name, self._path = str(path), path
        self._photos: list[Path] = []
        self._number = 0
        self._image: np.ndarray | None = None
        self._shown = PHOTO_FRAMES
        self._photo = -1
        self._state = SourceState(OPENING)

    def start(self) -> None:
        """List the photos. Raises SourceError where there are none."""
        try:
            found = [path for path in self._path.iterdir() if path.suffix.lower() in PHOTOS and path.is_file()]
        except OSError as error:
            raise SourceError("source.unreadable", got=self.name, why=error.strerror or error) from None
        self._photos = sorted(found, key=lambda path: path.name)
        if not self._photos:
            raise SourceError("source.no-photos", got=self.name)
        self._state = SourceState(RUNNING)

    @property
    def photo(self) -> str:
        """The name of the photo that the last frame shows."""
        return self._photos[self._photo].name if 0 <= self._photo < len(self._photos) else ""

    def next(self, after: int = 0, timeout: float = 1.0) -> Frame | None:
        """The next frame; None at the end. A photo that cannot be read is left out; `state` says so meanwhile."""
        while self._shown >= PHOTO_FRAMES:
            if self._state.kind != RUNNING or self._photo + 1 >= len(self._photos):
                self.close()
                return None
            self._photo += 1
            path = self._photos[self._photo]
            try:
                if path.stat().st_size > LARGEST_PHOTO:
                    raise PhotoError("photo.too-heavy", most=LARGEST_PHOTO // 1024 // 1024)
                self._image, self._shown = load_photo(path.read_bytes()), 0
                self._state = SourceState(RUNNING)
            except (PhotoError, OSError) as error:
                self._state = SourceState(RUNNING, "source.bad-photo", {"got": path.name, "why": str(error)})
        assert self._image is not None
        self._shown += 1
        self._number += 1
        time = (self._photo + (self._shown - 1) / PHOTO_FRAMES) * PHOTO_SECONDS
        return Frame(self._number, time, self._image)

    @property
    def state(self) -> SourceState:
        """See Source.state."""
        return self._state

    def close(self) -> None:
        """Show no more."""
        self._state = SourceState(ENDED)
        self._shown = PHOTO_FRAMES
        self._image = None
