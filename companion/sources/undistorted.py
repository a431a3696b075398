"""A source whose frames are undistorted with a calibrated camera's profile."""

from dataclasses import replace

from calibration.camera import CameraError, CameraProfile
from companion.sources.frame import Frame, Source, SourceState


class Straightened:
    """See Source. Pictures of another shape than the camera was calibrated with pass as they are."""

    def __init__(self, source: Source, camera: CameraProfile) -> None:
        self.inner, self.camera, self.name = source, camera, source.name

    @property
    def scale(self) -> float:
        return self.inner.scale

    def start(self) -> None:
        self.inner.start()

    def next(self, after: int = 0, timeout: float = 1.0) -> Frame | None:
        frame = self.inner.next(after, timeout)
        if frame is None:
            return None
        try:
            return replace(frame, image=self.camera.undistort(frame.image))
        except CameraError:
            return frame

    @property
    def state(self) -> SourceState:
        return self.inner.state

    def close(self) -> None:
        self.inner.close()
