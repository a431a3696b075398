"""Films and folders of photos: each frame in turn, when it is asked for."""

from pathlib import Path
from threading import Lock

import cv2
import numpy as np

from common.messages import why
from companion.photo_files import PHOTOS, photo_bytes
from companion.sources.capture_thread import usable
from companion.sources.frame import ENDED, OPENING, RUNNING, Frame, SourceError, SourceState
from companion.sources.opencv_log import quiet
from companion.sources.photos import at_scale
from vision.errors import PhotoError
from vision.photo import open_photo

PHOTO_SECONDS = 1.0
"""What a photo of a folder takes in the folder's time: each is a table at rest."""
FPS = 25.0
"""Frames a second of a film that does not say so."""
LEAST_FPS = 1.0
"""A film that says less is not believed."""
MOST_FPS = 240.0
"""A film that says more is not believed."""
BAD_FRAMES = 30
"""Frames in a row that cannot be decoded before the film is taken to end there."""


class VideoFile:
    """A film, frame by frame, `loops` times over (0: for ever), each time as another game: see Source.

    Frames have the film's time, which goes on from one game to the next.
    """

    scale = 1.0

    def __init__(self, path: Path, name: str = "", loops: int = 1) -> None:
        self.name, self._path, self._loops = name or str(path), path, loops
        self._film: cv2.VideoCapture | None = None
        self._number = self._game = 0
        self._ended = False
        self._decoding = Lock()
        """OpenCV hangs where a film is let go of by one thread while another one reads it."""
        self.fps = FPS

    def start(self) -> None:
        """Open the file. Raises SourceError."""
        try:
            with self._path.open("rb") as file:
                file.read(1)
        except OSError as error:
            raise SourceError("source.unreadable", got=self.name, why=why(error)) from None
        self._first = self._begun()
        if self._first is None:
            self.close()
            raise SourceError("source.no-video", got=self.name)

    def next(self, after: int = 0, timeout: float = 1.0) -> Frame | None:
        """The next frame; None at the end."""
        if self._film is None or self._ended:
            return None
        image, self._first = (self._first, None) if self._first is not None else (self._decoded(), None)
        if image is None and self._game + 1 != self._loops and not self._ended:
            self._game += 1
            image = self._begun()
        if image is None:
            self.close()
            return None
        self._number += 1
        return Frame(self._number, (self._number - 1) / self.fps, image, game=self._game)

    @property
    def state(self) -> SourceState:
        return SourceState(ENDED if self._ended else RUNNING if self._film else OPENING)

    def close(self) -> None:
        self._ended = True
        with self._decoding:
            if self._film is not None:
                self._film.release()

    def _begun(self) -> np.ndarray | None:
        """Open the file. Its first frame; None where there is none."""
        quiet()
        # Only FFmpeg: the reader of picture series would take a text file's name for a pattern.
        self._film = cv2.VideoCapture(str(self._path), cv2.CAP_FFMPEG)
        fps = self._film.get(cv2.CAP_PROP_FPS)
        self.fps = fps if LEAST_FPS <= fps <= MOST_FPS else FPS
        return self._decoded() if self._film.isOpened() else None

    def _decoded(self) -> np.ndarray | None:
        assert self._film is not None
        for _ in range(BAD_FRAMES):
            with self._decoding:
                if self._ended:
                    return None
                try:
                    taken, image = self._film.read()
                except cv2.error:
                    taken, image = False, None
            if taken and usable(image):
                return image
        return None


class PhotoFolder:
    """Photos of tables at rest by their names' order, one a second of the folder's time: see Source.

    `photo` is the path of the photo that the last frame shows.
    """

    scale = 1.0
    photo = ""

    def __init__(self, path: Path) -> None:
        self.name, self._path = str(path), path
        self._photos: list[Path] = []
        self._next = 0
        self._number = 0
        self.state = SourceState(OPENING)

    def start(self) -> None:
        """List the photos. Raises SourceError where there are none."""
        try:
            found = [path for path in self._path.iterdir() if path.suffix.lower() in PHOTOS and path.is_file()]
        except OSError as error:
            raise SourceError("source.unreadable", got=self.name, why=why(error)) from None
        self._photos = sorted(found, key=lambda path: path.name)
        if not self._photos:
            raise SourceError("source.no-photos", got=self.name)
        self.state = SourceState(RUNNING)
        self.scale = self._first_scale()

    def next(self, after: int = 0, timeout: float = 1.0) -> Frame | None:
        """The next photo; None at the end, and where one cannot be read: `state` says so until the one after it."""
        if self.state.kind != RUNNING or self._next >= len(self._photos):
            self.close()
            return None
        path = self._photos[self._next]
        self._next += 1
        try:
            image = at_scale(open_photo(photo_bytes(path)), self.scale)
        except (PhotoError, OSError) as error:
            self.state = SourceState(
                RUNNING,
                "source.bad-photo",
                {"got": path.name, "why": why(error) if isinstance(error, OSError) else error.message},
            )
            return None
        self.state = SourceState(RUNNING)
        self.photo = str(path)
        self._number += 1
        return Frame(self._number, (self._next - 1) * PHOTO_SECONDS, image, settled=True)

    def close(self) -> None:
        """Show no more."""
        self.state = SourceState(ENDED)

    def _first_scale(self) -> float:
        for path in self._photos:
            try:
                return open_photo(photo_bytes(path)).scale
            except (PhotoError, OSError):
                continue
        return 1
