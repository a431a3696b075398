"""A camera that tests play: what it gives is written down, step by step."""

from __future__ import annotations

import threading
import time

import numpy as np

from companion.sources.capture_thread import LiveSource
from companion.sources.frame import LOST, RUNNING
from companion.sources.watchdog import Patience

QUICK = Patience(opening=0.5, silent=0.15, frozen=0.15, reopening=0.3, backoff=0.08, look=0.01)
"""A tenth of the real patience."""
EVERY = 0.01


def noisy(number, size=(64, 48)):
    """A frame as a camera gives it: never the same twice."""
    return np.random.default_rng(number).integers(0, 255, (size[1], size[0], 3)).astype(np.uint8)


class FakeCamera:
    """A device: `fault` is what goes wrong now; `opened` counts how often it was opened."""

    def __init__(self):
        self.fault = ""
        self.opened = 0
        self.number = 0
        self.size = (64, 48)
        self.block = threading.Event()

    def open(self, first):
        self.opened += 1
        if self.fault in ("gone", "raises", "none"):
            raise OSError("no such device")
        return self

    def read(self):
        time.sleep(EVERY)
        if self.fault == "raises":
            raise RuntimeError("the driver says something")
        if self.fault in ("none", "gone"):
            return None
        if self.fault == "empty":
            return np.zeros((0, 0, 3), np.uint8)
        if self.fault == "blocks":
            self.block.wait(20)
            return None
        if self.fault != "frozen":
            self.number += 1
        return noisy(self.number, self.size)

    def close(self):
        pass

    def source(self):
        return LiveSource("fake", self.open, QUICK)


def until(condition, seconds=5.0):
    """Wait for something that happens in another thread."""
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, "it did not happen"
        time.sleep(0.005)


def is_lost(source):
    return source.state.kind == LOST


def is_running(source):
    return source.state.kind == RUNNING
