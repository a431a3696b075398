"""Frames that a phone takes through the page and sends one by one."""

import threading
import time
from collections.abc import Callable

from common.messages import Message
from companion.sources.capture_thread import Slot
from companion.sources.frame import ENDED, OPENING, Frame, SourceState
from companion.sources.watchdog import Patience, Watchdog
from vision.decoder import OUTSIDE

WAITING = "source.waiting"
"""Why there is no picture: no phone has sent one yet."""
PHONE = Patience(silent=1.8, frozen=float("inf"))
"""A phone sends a few frames a second and sends what it has: the same frame twice is no fault."""


class PushSource:
    """Frames by `put`; see Source. Lost where none comes for a while, running again with the next."""

    scale = 1.0

    def __init__(
        self, name: str = "phone", patience: Patience = PHONE, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self.name, self.clock = name, clock
        self._lock = threading.Lock()
        self._slot = Slot()
        self._began = clock()
        self._dog = Watchdog(Message("source.phone"), patience, self._began)
        self._ended = False
        self._ever = False

    def start(self) -> None:
        """Nothing is to be opened: the phone comes by itself."""

    def put(self, data: bytes) -> Frame | None:
        """Take a JPEG's bytes. Returns the frame, None where it is not taken; raises vision.errors.PhotoError."""
        image = OUTSIDE.open(data).image
        with self._lock:
            if self._ended:
                return None
            now = self.clock()
            self._ever = True
            if not self._dog.saw(image, now):  # turned over, say: the phone knows what it does
                self._dog.saw(image, now)
            return self._slot.put(image, now - self._began)

    def next(self, after: int = 0, timeout: float = 1.0) -> Frame | None:
        return self._slot.next(after, timeout)

    @property
    def state(self) -> SourceState:
        with self._lock:
            if self._ended:
                return SourceState(ENDED)
            return self._dog.state(self.clock()) if self._ever else SourceState(OPENING, WAITING)

    def close(self) -> None:
        with self._lock:
            self._ended = True
        self._slot.close()
