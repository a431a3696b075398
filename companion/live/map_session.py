"""Follow pencilled sheets under a camera for a page: each time a sheet comes to rest, its state."""

from collections import deque
from collections.abc import Callable, Sequence

import numpy as np

from common.messages import Message
from companion.live.following import BROKEN, STOPPED, Following
from companion.sources import Frame, Source, SourceState
from vision.sheet.tracker import SheetState, SheetTracker

Settled = Callable[[SheetState, np.ndarray], None]


class MapSession(Following):
    """The sheets of one play under a camera, until it is stopped.

    Args:
        play: whose sheets they are.
        players: ids, from left to right.
        source, unseen: see Following; who waits for a frame has looked.
        tracker: makes what follows the sheets, for frames that are so many times smaller than the source's pictures.
        settled: takes a sheet that has come to rest changed, with the frame, (H, W, 3) BGR; called from the thread.
        told: called when a sheet settled, it is otherwise with the source, or sheets are not read for another reason.
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
        super().__init__(f"sheets {play}", source, unseen)
        self.play, self.players = play, tuple(players)
        self.state = source.state
        """How it is with the source."""
        self.problem: Message | None = None
        """Why sheets are not read now."""
        self._make_tracker, self._settled, self._told = tracker, settled, told
        self._tracker: SheetTracker | None = None
        self._exchanges: deque[tuple[str, str]] = deque()
        self.taken = 0
        """The number of the last frame that was worked on."""

    def next_frame(self, after: int, timeout: float) -> Frame | None:
        self.looked_at()
        return super().next_frame(after, timeout)

    def exchange(self, one: str, other: str) -> None:
        """From the next frame on the sheet of each of these players is the other's."""
        self._exchanges.append((one, other))

    def _take(self, frame: Frame) -> None:
        self._tracker = self._tracker or self._make_tracker(self.source.scale)
        while self._exchanges:
            self._tracker.exchange(*self._exchanges.popleft())
        for state in self._tracker.take(frame.image, frame.time):
            self._settled(state, frame.image)
            self._told()
        if self._tracker.problem != self.problem:
            self.problem = self._tracker.problem
            self._told()
        self.taken = frame.number

    def _look(self, state: SourceState) -> None:
        if state is BROKEN:
            self._stopped.set()  # first: the page has words for sheets that are stopped, and then why
            self.state = state
            self.stop()
        elif state is STOPPED:
            self._told()
        elif state != self.state:
            self.state = state
            self._told()
