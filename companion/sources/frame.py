"""What every source provides: frames and its own state."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol

import numpy as np

from common.messages import InputError


@dataclass(frozen=True)
class Frame:
    """A picture of the table."""

    number: int  # counts up from 1; frames that nobody fetched in time are left out
    time: float  # seconds since the source's start; of a film, its own time
    image: np.ndarray  # (H, W, 3) BGR
    settled: bool = False  # whether it is known to show a table at rest: a photo does
    game: int = 0  # counts the games where the source knows of them: the demo is played over and over


OPENING, RUNNING, LOST, ENDED = "opening", "running", "lost", "ended"


@dataclass(frozen=True)
class SourceState:
    """How it is with a source: OPENING, RUNNING, LOST or ENDED, or with who follows it; `key` and `values` say why."""

    kind: str
    key: str = ""
    values: Mapping[str, Any] = field(default_factory=dict)


class Source(Protocol):
    """Something that gives frames."""

    @property
    def name(self) -> str:
        """What it is, for people."""

    @property
    def scale(self) -> float:
        """Pixels of the file for one of a frame: large photos are made smaller."""

    def start(self) -> None:
        """Begin; returns at once. Raises SourceError where the source cannot be one (a missing file, say)."""

    def next(self, after: int = 0, timeout: float = 1.0) -> Frame | None:
        """The newest frame with a number above `after`; None where none came in `timeout` seconds, or at the end."""

    @property
    def state(self) -> SourceState:
        """How it is with the source now."""

    def close(self) -> None:
        """Let go of the device; frames end. May be called from any thread, and twice."""


class SourceError(InputError):
    """A source that cannot be used, and why."""
