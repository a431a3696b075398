"""Read a source (camera, film, phone) in a thread of its own, for pages that show its newest picture."""

import atexit
import logging
import threading
import time

from companion.live.change_log import Changes
from companion.live.picture import LivePicture
from companion.sources import ENDED, Frame, Source, SourceState
from companion.sources.capture_thread import Slot

PAUSE = 0.2
"""Seconds that are waited for a frame before looking how it is with the source."""
STOPPING = 3.0
"""Seconds that the thread is given to end."""
BROKEN, STOPPED = SourceState("broken", "live.why.inside"), SourceState("stopped")
"""The companion itself failed; nobody follows any more."""

log = logging.getLogger("companion")


class Following:
    """Follows until it is stopped: one thread takes the frames, all else may be called from any thread.

    Args:
        name: what is followed.
        source: gives frames; started and closed here.
        unseen: seconds after which nobody having looked stops it; None: it is followed whoever looks.
    """

    def __init__(self, name: str, source: Source, unseen: float | None) -> None:
        self.source, self.changes = source, Changes()
        self.picture = LivePicture(self.next_frame)
        self._slot = Slot()
        self._unseen, self._looked_at = unseen, time.monotonic()
        self._stopped = threading.Event()
        self._thread = threading.Thread(target=self._run, name=name, daemon=True)

    @property
    def running(self) -> bool:
        return not self._stopped.is_set()

    def looked_at(self) -> None:
        """Note that somebody looks."""
        self._looked_at = time.monotonic()

    def next_frame(self, after: int, timeout: float) -> Frame | None:
        """The newest frame with a number above `after`; None where none came in `timeout` seconds."""
        return self._slot.next(after, timeout)

    def start(self) -> None:
        """Follow from now on. Raises SourceError."""
        self.source.start()
        self._opened()
        self._thread.start()
        atexit.register(self.stop)

    def stop(self) -> None:
        """Stop following; what was read stays."""
        self._stopped.set()
        self.source.close()
        self._slot.close(keep=True)
        if self._thread.is_alive() and threading.current_thread() is not self._thread:
            self._thread.join(STOPPING)
        self._look(STOPPED)
        self.changes.close()
        atexit.unregister(self.stop)

    def _run(self) -> None:
        number = 0
        try:
            while self.running:
                frame = self.source.next(number, PAUSE)
                if frame is not None:
                    number = frame.number
                    self._slot.show(frame)
                    self._take(frame)
                state = self.source.state
                self._look(state)
                if frame is None and state.kind == ENDED:
                    self._stopped.wait(PAUSE)
                if self._unseen is not None and time.monotonic() - self._looked_at > self._unseen:
                    self.stop()
        except Exception:
            log.exception("%s is not followed any more", self._thread.name)
            self._look(BROKEN)
        finally:
            self.source.close()

    def _opened(self) -> None:
        """The source gives frames from now on; how small they are is known."""

    def _take(self, frame: Frame) -> None:
        """A new frame has come."""
        raise NotImplementedError

    def _look(self, state: SourceState) -> None:
        """How it is with the source now, or that it is BROKEN or STOPPED."""
        raise NotImplementedError
