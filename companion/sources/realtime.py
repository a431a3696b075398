"""Play a film or photos in real time, as a camera would show them."""

import logging
import threading
import time

from companion.sources.capture_thread import Slot
from companion.sources.frame import ENDED, LOST, OPENING, RUNNING, Frame, Source, SourceState

log = logging.getLogger("companion")


class Paced:
    """Plays a source that comes when asked for, once: see Source. Its last frame stays.

    The first frame is there at once; time begins to run when somebody who has it asks for the next: until then the
    reader may still be getting ready.
    """

    scale = 1.0

    def __init__(self, source: Source) -> None:
        self.name, self._source = source.name, source
        self._slot = Slot()
        self._closing, self._ready = threading.Event(), threading.Event()
        self.state = SourceState(OPENING)
        self._thread = threading.Thread(target=self._play, name=f"play {self.name}", daemon=True)

    def start(self) -> None:
        """Begin to play. Raises SourceError."""
        self._source.start()
        self.scale = self._source.scale
        self.state = SourceState(RUNNING)
        self._thread.start()

    def _play(self) -> None:
        ended = SourceState(ENDED)
        try:
            self._show()
        except Exception:
            log.exception("%s is not played any more", self.name)
            ended = SourceState(LOST, "source.broken", {"got": self.name})
        self.state = ended
        self._source.close()

    def _show(self) -> None:
        began: float | None = None
        while not self._closing.is_set():
            frame = self._source.next()
            if frame is None:
                if self._source.state.kind == ENDED:
                    return
                continue
            if began is not None and self._closing.wait(max(0.0, began + frame.time - time.monotonic())):
                return
            self._slot.put(frame.image, frame.time, frame.settled, frame.game)
            if began is None:
                self._ready.wait()
                began = time.monotonic() - frame.time

    def next(self, after: int = 0, timeout: float = 1.0) -> Frame | None:
        if after:
            self._ready.set()
        return self._slot.next(after, timeout)

    def close(self) -> None:
        self._closing.set()
        self._ready.set()
        self._slot.close()
        self.state = SourceState(ENDED)
