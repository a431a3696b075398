"""What every source gives: frames, and how it is with the source itself."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol

import numpy as np


@dataclass(frozen=True)
class Frame:
    """A picture of the table.

    Attributes:
        number: counts up from 1; frames that nobody fetched in time are left out.
        time: seconds since the source's start; of a film, its own time.
        image: (H, W, 3) BGR.
        settled: whether it is known to show a table at rest: a photo does.
        game: counts the games where the source knows of them: the demo is played over and over.
    """

    number: int
    time: float
    image: np.ndarray
    settled: bool = False
    game: int = 0


OPENING, RUNNING, LOST, ENDED = "opening", "running", "lost", "ended"


@dataclass(frozen=True)
class SourceState:
    """How it is with a source: OPENING, RUNNING, LOST or ENDED; `key` and `values` say why (a row of `REASONS`)."""

    kind: str
    key: str = ""
    values: Mapping[str, Any] = field(default_factory=dict)


class Source(Protocol):
    """Something that gives frames."""

    @property
    def name(self) -> str:
        """What it is, for people."""

    @property
    def live(self) -> bool:
        """Whether frames come at their own pace, so that only the newest counts; else each comes when asked for."""

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


class SourceError(ValueError):
    """A source that cannot be used, and why: `key` names a row of `REASONS`, `values` fill its gaps."""

    def __init__(self, key: str, **values: object) -> None:
        self.key, self.values = key, values
        super().__init__(REASONS[key].format(**values))


REASONS = {
    "source.unknown": "{got}: expected a camera's number (0, 1, …), an address (http, https, rtsp), a video file, "
    "a folder of photos, or demo",
    "source.scheme": "{got}: expected an address with http, https or rtsp, got {scheme}",
    "source.address": "{got}: this is no address: expected for example http://192.168.1.20:8080/video",
    "source.missing": "{got}: there is no such file or folder",
    "source.unreadable": "{got}: the file cannot be read: {why}",
    "source.no-video": "{got}: this is no video that can be read: expected for example MP4, MOV, AVI or MKV",
    "source.no-photos": "{got}: there are no photos in this folder (JPEG, PNG, WebP, HEIC)",
    "source.no-camera": "camera {got} cannot be opened: is it plugged in, and does no other program use it?",
    "source.no-stream": "{got}: expected a video stream, the address answers with {kind}",
    "source.refused": "{got}: the address does not answer: {why}",
    "source.silent": "{got}: no picture came for {seconds} s",
    "source.frozen": "{got}: the picture has not changed at all for {seconds} s: the camera hangs or was unplugged",
    "source.size": "{got}: the picture changed its size from {old} to {new}",
    "source.broken": "{got}: the camera gives no picture any more",
    "source.bad-photo": "{got}: {why}",
    "source.waiting": "waiting for the phone's first picture",
    "source.waiting-photo": "waiting for the first photo",
}
"""Why a source gives no frames, in English; the catalogs `sources` hold the other languages."""
