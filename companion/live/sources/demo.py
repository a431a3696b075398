"""The demo table: a game that plays without a camera, over and over."""

from __future__ import annotations

from companion.live.sources.frame import OPENING, Frame, SourceState


class DemoSource:
    """See Source. (To come.)"""

    live = True
    scale = 1.0
    name = "demo"

    def start(self) -> None:
        raise NotImplementedError

    def next(self, after: int = 0, timeout: float = 1.0) -> Frame | None:
        raise NotImplementedError

    @property
    def state(self) -> SourceState:
        return SourceState(OPENING)

    def close(self) -> None:
        pass
