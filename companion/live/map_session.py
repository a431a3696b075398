"""Pencilled sheets that are followed for a page: the camera's thread, the live picture, each state as it settles."""

from __future__ import annotations

import atexit
import logging
import threading
import time
from collections import deque
from collections.abc import Callable, Sequence

import numpy as np

from companion.live.change_log import Changes
from companion.live.picture import LivePicture
from companion.sources import ENDED, RUNNING, Frame, Source, SourceState
from vision.sheet.tracker import SheetState, SheetTracker

PAUSE = 0.2
"""Seconds that are waited for a frame before looking how it is with the source."""
STOPPING = 3.0
"""Seconds that the thread is given to end."""
BROKEN = SourceState(ENDED, "live.why.inside")

log = logging.getLogger("companion")
Settled = Callable[[SheetState, np.ndarray], None]


class MapSession:
    """The sheets of one play under a camera, until it is stopped.

    Args:
        play: whose sheets they are.
        players: ids, from left to right.
        source: gives frames; started and closed here.
        tracker: makes what follows the sheets, for frames that are so many times smaller than the source's pictures.
        settled: takes a sheet that has come to rest changed, with the frame, (H, W, 3) BGR; called from the thread.
        told: called when a sheet settled or it is otherwise with the source.
        unseen: seconds after which nobody having seen the picture stops it.
    """

    def __init__(
        self,
        play: str,
        players: Sequence[str],
        source: Source,
        tracker: Callable[[float], SheetTracker],
        settled: Settled,
        told: Callable[[], None],
        unseen: float,
    ) -> None:
        self.play, self.players, self.source, self.changes = play, tuple(players), source, Changes()
        self.picture = LivePicture(self.next_frame)
        self.state = source.state
        """How it is with the source."""
        self._tracker, self._settled, self._told, self._unseen = tracker, settled, told, unseen
        self._looked_at = time.monotonic()
        self._came, self._stopped = threading.Condition(), threading.Event()
        self._frame: Frame | None = None
        self._exchanges: deque[tuple[str, str]] = deque()
        self._thread = threading.Thread(target=self._run, name=f"sheets {play}", daemon=True)

    @property
    def running(self) -> bool:
        return not self._stopped.is_set()

    def next_frame(self, after: int, timeout: float) -> Frame | None:
        """The newest frame with a number above `after`; None where none came in `timeout` seconds."""

        def newer() -> bool:
            return self._frame is not None and self._frame.number > after

        self._looked_at = time.monotonic()
        with self._came:
            self._came.wait_for(lambda: self._stopped.is_set() or newer(), timeout)
            return self._frame if newer() else None

    def exchange(self, one: str, other: str) -> None:
        """From the next frame on the sheet of each of these players is the other's."""
        self._exchanges.append((one, other))

    def start(self) -> None:
        """Follow from now on. Raises SourceError."""
        self.source.start()
        self._thread.start()
        atexit.register(self.stop)

    def stop(self) -> None:
        """Stop following; what was read stays."""
        self._stopped.set()
        self.source.close()
        with self._came:
            self._came.notify_all()
        if self._thread.is_alive() and threading.current_thread() is not self._thread:
            self._thread.join(STOPPING)
        self.changes.close()
        atexit.unregister(self.stop)
        self._told()

    def _run(self) -> None:
        tracker, number = None, 0
        try:
            while not self._stopped.is_set() and time.monotonic() - self._looked_at < self._unseen:
                frame = self.source.next(number, PAUSE)
                if frame is not None:
                    number = frame.number
                    with self._came:
                        self._frame = frame
                        self._came.notify_all()
                    tracker = tracker or self._tracker(self.source.scale)
                    while self._exchanges:
                        tracker.exchange(*self._exchanges.popleft())
                    for state in tracker.take(frame.image, frame.time):
                        self._settled(state, frame.image)
                        self._told()
                self._say(self.source.state)
                if frame is None and self.state.kind != RUNNING:
                    self._stopped.wait(PAUSE)
        except Exception:
            log.exception("the sheets of %s are not followed any more", self.play)
            self._say(BROKEN)
        finally:
            self.stop()

    def _say(self, state: SourceState) -> None:
        if state != self.state:
            self.state = state
            self._told()
