"""Watch a camera for silence, frozen pictures and changes of size.

A picture that is the very same for long is no picture: a real camera's noise always changes.
"""

import zlib
from dataclasses import dataclass

import numpy as np

from common.messages import Message
from companion.sources.frame import LOST, OPENING, RUNNING, SourceState

EVERY = 8
"""Of so many rows of a frame one is compared: noise reaches all of them."""


@dataclass(frozen=True)
class Patience:
    """How long a live source is waited for, in seconds."""

    opening: float = 10.0  # for the first picture of all; a stream may take its time
    silent: float = 1.5  # between two pictures
    frozen: float = 1.5  # for a picture that is not the very same as the one before
    reopening: float = 3.0  # for the first picture after a loss
    backoff: float = 1.0  # between two tries, at most
    look: float = 0.1  # between two looks at the clock


def fingerprint(image: np.ndarray) -> int:
    """A number that differs where two frames differ in anything that a camera's noise touches."""
    return zlib.crc32(np.ascontiguousarray(image[::EVERY]).data)


class Watchdog:
    """Judges from what came and when. Times are of one clock, in seconds."""

    def __init__(self, name: str | Message, patience: Patience, now: float) -> None:
        self.name, self.patience = name, patience
        self._began = self._came = self._changed = now
        self._print: int | None = None
        self._size: tuple[int, int] | None = None
        self._ever = False
        self._wrong: SourceState | None = None

    def saw(self, image: np.ndarray, now: float) -> bool:
        """A frame came. Returns whether it is one to go on with: not while a frozen picture is still the same."""
        print_, size = fingerprint(image), (image.shape[1], image.shape[0])
        new = print_ != self._print
        self._came = now
        if new:
            self._print, self._changed = print_, now
        old, self._size = self._size, size
        if old is not None and old != size and self._wrong is None:
            values = {"got": self.name, "old": f"{old[0]} × {old[1]}", "new": f"{size[0]} × {size[1]}"}
            self._wrong = SourceState(LOST, "source.size", values)
            return False
        if self._wrong is not None and not new and self._wrong.key == "source.frozen":
            return False
        self._wrong, self._ever = None, True
        return True

    def broke(self, key: str = "source.broken", **values: object) -> None:
        """Opening or reading failed."""
        self._wrong = SourceState(LOST, key, {"got": self.name, **values})

    def state(self, now: float) -> SourceState:
        """How it is now. A source once lost is so until a good frame comes."""
        if self._wrong is None:
            limit = self.patience.silent if self._ever else self.patience.opening
            if now - self._came > limit:
                self._wrong = SourceState(LOST, "source.silent", {"got": self.name, "seconds": round(now - self._came)})
            elif self._ever and now - self._changed > self.patience.frozen:
                seconds = round(now - self._changed)
                self._wrong = SourceState(LOST, "source.frozen", {"got": self.name, "seconds": seconds})
        return self._wrong or SourceState(RUNNING if self._ever else OPENING)
