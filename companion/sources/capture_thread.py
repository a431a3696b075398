"""Live sources: one thread reads frames, a second one restarts it when it fails.

Reading may block for ever, which no other thread can end. Then the reading thread is given up: it is told so by its
`Reading.given_up`, and whatever it still brings is thrown away.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from contextlib import suppress
from typing import Protocol

import cv2
import numpy as np

from companion.sources.frame import ENDED, LOST, OPENING, RUNNING, Frame, SourceError, SourceState
from companion.sources.watchdog import Patience, Watchdog

MOST_GIVEN_UP = 4
"""Threads that hang in a driver at most, before no new one is tried."""
LETTING_GO = 0.5
"""Seconds that a thread given up is waited for, so that it closes a device that only one may open."""


class Capture(Protocol):
    """An opened camera or stream."""

    def read(self) -> np.ndarray | None:
        """The next frame, (H, W, 3) BGR; None where there is none. May block, may raise."""

    def close(self) -> None:
        """Let go of the device."""


class Device:
    """What OpenCV has opened: see Capture."""

    _device: cv2.VideoCapture

    def read(self) -> np.ndarray | None:
        taken, image = self._device.read()
        return image if taken else None

    def close(self) -> None:
        self._device.release()


class Slot:
    """Holds the newest frame and wakes who waits for it."""

    def __init__(self) -> None:
        self.newest: Frame | None = None
        self._came = threading.Condition()
        self._closed = self._gone = False

    def put(self, image: np.ndarray, seconds: float, settled: bool = False, game: int = 0) -> Frame:
        """A new frame takes the place of the last."""
        with self._came:
            return self.show(Frame(self.newest.number + 1 if self.newest else 1, seconds, image, settled, game))

    def show(self, frame: Frame) -> Frame:
        """The same with a frame that has its number."""
        with self._came:
            self.newest = frame
            self._came.notify_all()
            return frame

    def next(self, after: int, timeout: float) -> Frame | None:
        """The newest frame above `after`, waited for at most `timeout` seconds."""
        with self._came:
            self._came.wait_for(lambda: self._closed or self._newer(after), timeout)
            return self._newer(after)

    def _newer(self, after: int) -> Frame | None:
        return self.newest if self.newest is not None and self.newest.number > after and not self._gone else None

    def close(self, keep: bool = False) -> None:
        """Nothing comes any more; `keep`: the newest frame stays."""
        with self._came:
            self._closed, self._gone = True, not keep
            self._came.notify_all()


class Reading:
    """One try to read a source, in a thread of its own; `before` is the try that was given up for it."""

    def __init__(self, source: LiveSource, before: Reading | None = None) -> None:
        self.source, self.before = source, before
        self.began = source.clock()
        self.frames = 0
        self.failed = False
        self.given_up = threading.Event()
        self.thread = threading.Thread(target=self._run, name=f"read {source.name}", daemon=True)

    def _run(self) -> None:
        first = self.before is None
        if self.before is not None:
            self.before.thread.join(min(LETTING_GO, self.source.patience.reopening / 4))
            self.before = None
        if self.given_up.is_set():
            return
        capture: Capture | None = None
        try:
            capture = self.source.opener(first)
            while not self.given_up.is_set():
                image = capture.read()
                if image is None or not usable(image):
                    self.source.broke(self, SourceError("source.broken", got=self.source.name))
                    return
                self.source.took(self, image)
        except SourceError as error:
            self.source.broke(self, error)
        except Exception:  # whatever a driver raises, the camera is gone
            self.source.broke(self, SourceError("source.broken", got=self.source.name))
        finally:
            if capture is not None:
                with suppress(Exception):  # a device that is gone cannot be closed
                    capture.close()


class LiveSource:
    """A camera or stream, watched: see Source.

    Args:
        name: for people.
        opener: opens the device, told whether for the first time. Raises SourceError, may block.
        patience: how long it is waited for.
        clock: seconds, for tests.
    """

    scale = 1.0

    def __init__(
        self,
        name: str,
        opener: Callable[[bool], Capture],
        patience: Patience | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.name, self.opener, self.clock = name, opener, clock
        self.patience = patience or Patience()
        self._slot = Slot()
        self._lock = threading.Lock()
        self._closing = threading.Event()
        self._began = 0.0
        self._dog: Watchdog | None = None
        self._reading: Reading | None = None
        self._given_up: list[Reading] = []
        self._watcher = threading.Thread(target=self._watch, name=f"watch {name}", daemon=True)

    def start(self) -> None:
        """Open in the background."""
        with self._lock:
            if self._dog is not None:
                return
            self._began = self.clock()
            self._dog = Watchdog(self.name, self.patience, self._began)
            self._reading = Reading(self)
        self._reading.thread.start()
        self._watcher.start()

    def next(self, after: int = 0, timeout: float = 1.0) -> Frame | None:
        return self._slot.next(after, timeout)

    @property
    def state(self) -> SourceState:
        with self._lock:
            if self._closing.is_set():
                return SourceState(ENDED)
            return self._dog.state(self.clock()) if self._dog else SourceState(OPENING)

    def close(self) -> None:
        self._closing.set()
        with self._lock:
            if self._reading:
                self._reading.given_up.set()
        self._slot.close()

    def took(self, reading: Reading, image: np.ndarray) -> None:
        """A frame came from a reading thread."""
        with self._lock:
            if reading is not self._reading or self._dog is None or self._closing.is_set():
                return
            reading.frames += 1
            now = self.clock()
            good = self._dog.saw(image, now)
        if good:
            self._slot.put(image, now - self._began)

    def broke(self, reading: Reading, error: SourceError) -> None:
        """A reading thread ends."""
        with self._lock:
            reading.failed = True
            if reading is self._reading and self._dog is not None:
                self._dog.broke(error.key, **{key: value for key, value in error.values.items() if key != "got"})

    def _watch(self) -> None:
        """Look at the clock; where the source is lost, begin anew, at most every `backoff` seconds."""
        shortest = self.patience.backoff / 4
        pause = shortest
        while not self._closing.wait(self.patience.look):
            with self._lock:
                reading, dog = self._reading, self._dog
                assert reading is not None
                assert dog is not None
                kind = dog.state(self.clock()).kind
                if not reading.failed and kind != LOST:
                    pause = shortest if kind == RUNNING else pause
                    continue
                wait = pause if reading.failed or reading.frames else self.patience.reopening
                if self.clock() - reading.began < wait:
                    continue
                reading.given_up.set()
                self._given_up = [one for one in (*self._given_up, reading) if one.thread.is_alive()]
                if len(self._given_up) > MOST_GIVEN_UP:
                    self._given_up.remove(reading)
                    continue
                pause = min(self.patience.backoff, pause * 2)
                self._reading = anew = Reading(self, reading)
            anew.thread.start()


def usable(image: object) -> bool:
    """Whether a frame is one: (H, W, 3) uint8 with something in it."""
    return isinstance(image, np.ndarray) and image.ndim == 3 and image.shape[2] == 3 and min(image.shape[:2]) >= 16
