"""The demo tables: recorded films of games, Twelve Seekers if no other is asked for; no camera is needed."""

from pathlib import Path

from companion.demo import FILM
from companion.sources.files import VideoFile
from companion.sources.frame import Frame, SourceState


class DemoFilm:
    """A film, `loops` times over (0: for ever), each time as another game: see Source."""

    scale = 1.0
    name = "demo"

    def __init__(self, loops: int = 1, film: Path = FILM) -> None:
        self._loops, self._game, self._number, self._closed = loops, 0, 0, False
        self._path, self._film = film, VideoFile(film)

    def start(self) -> None:
        """Open the film. Raises SourceError."""
        self._film.start()

    def next(self, after: int = 0, timeout: float = 1.0) -> Frame | None:
        """The next frame; None at the end."""
        frame = self._film.next()
        if frame is None and self._game + 1 != self._loops and not self._closed:
            self._game += 1
            self._film = VideoFile(self._path)
            self._film.start()
            frame = self._film.next()
        if frame is None:
            return None
        self._number += 1
        return Frame(self._number, (self._number - 1) / self._film.fps, frame.image, game=self._game)

    @property
    def state(self) -> SourceState:
        return self._film.state

    def close(self) -> None:
        self._closed = True
        self._film.close()
