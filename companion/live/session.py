"""A table that is being followed, for a page: source and follower in a thread, and news for whoever listens."""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass

from companion.games.table import Entries
from companion.live.follow import WAITING, Event, Follower, Status
from companion.live.sources.frame import ENDED, Frame, Source, SourceState


@dataclass(frozen=True)
class Now:
    """How a session stands.

    Attributes:
        version: goes up with each change of what else stands here.
        source: how it is with the source.
        status: what the follower is about; what it says holds only while the source runs.
        event: the last settled state, which stays whatever the source does.
    """

    version: int
    source: SourceState
    status: Status
    event: Event | None


class Session:
    """Follows a source in a thread of its own.

    `told` is called with each event, from the thread that made it, one at a time.
    """

    def __init__(self, source: Source, follower: Follower, told: Callable[[Event], None] | None = None) -> None:
        self.source, self.follower, self._told = source, follower, told
        self.frame: Frame | None = None
        """The newest frame."""
        self._news = threading.Condition()
        self._telling = threading.Lock()
        self._now = Now(0, source.state, Status(WAITING), None)
        self._closing = threading.Event()
        self._thread = threading.Thread(target=self._follow, name=f"follow {source.name}", daemon=True)

    def start(self) -> None:
        """Start the source and follow it. Raises SourceError."""
        self.source.start()
        self._thread.start()

    def close(self) -> None:
        """End it; who waits is woken."""
        self._closing.set()
        self.source.close()
        self._publish()

    @property
    def now(self) -> Now:
        """How it stands."""
        return self._now

    def wait(self, version: int, timeout: float) -> Now:
        """How it stands once it is another version than that one, or after `timeout` seconds."""
        with self._news:
            self._news.wait_for(lambda: self._now.version != version or self._closing.is_set(), timeout)
            return self._now

    def next_frame(self, after: int, timeout: float) -> Frame | None:
        """The newest frame with a number above `after`, for a live picture; None where none came in time."""
        with self._news:
            self._news.wait_for(lambda: self.frame is not None and self.frame.number > after, timeout)
            return self.frame if self.frame is not None and self.frame.number > after else None

    def enter(self, entries: Entries) -> Event | None:
        """See Follower.enter; who listens is told."""
        with self._telling:
            return self._tell(self.follower.enter(entries))

    def correct(self, index: int, color: str | None) -> Event | None:
        """See Follower.correct; who listens is told."""
        with self._telling:
            return self._tell(self.follower.correct(index, color))

    def _follow(self) -> None:
        after = 0
        while not self._closing.is_set():
            frame = self.source.next(after, timeout=0.2)
            if frame is None:
                self._publish()
                if self.source.state.kind == ENDED:
                    return
                continue
            after = frame.number
            self.frame = frame
            with self._telling:
                self._tell(self.follower.see(frame))

    def _tell(self, event: Event | None) -> Event | None:
        self._publish()
        if event is not None and self._told is not None:
            self._told(event)
        return event

    def _publish(self) -> None:
        state, status, event = self.source.state, self.follower.status, self.follower.last
        with self._news:
            now = self._now
            if (
                (state.kind, state.key) != (now.source.kind, now.source.key)
                or status != now.status
                or event is not now.event
            ):
                self._now = Now(now.version + 1, state, status, event)
            self._news.notify_all()
