"""A source whose frames are undistorted with a calibrated camera's profile."""

from __future__ import annotations

from dataclasses import replace

from calibration.camera import CameraError, CameraProfile
from companion.sources.frame import Frame, Source, SourceState


class Straightened:
    """See Source. Pictures of another shape than the camera was calibrated with pass as they are."""

    def __init__(self, source: Source, camera: CameraProfile) -> None:
        self.inner, self.camera = source, camera

    @property
    def name(self) -> str:
        """See Source.name."""
        return self.inner.name

    @property
    def live(self) -> bool:
        """See Source.live."""
        return self.inner.live

    @property
    def scale(self) -> float:
        """See Source.scale."""
        return self.inner.scale

    def start(self) -> None:
        """See Source.start."""
        self.inner.start()

    def next(self, after: int = 0, timeout: float = 1.0) -> Frame | None:
        """See Source.next."""
        frame = self.inner.next(after, timeout)
        if frame is None:
            return None
        try:
            return replace(frame, image=self.camera.undistort(frame.image))
        except CameraError:
            return frame

    @property
    def state(self) -> SourceState:
        """See Source.state."""
        return self.inner.state

    def close(self) -> None:
        """See Source.close."""
        self.inner.close()
