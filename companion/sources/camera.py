"""A camera of this computer, through OpenCV."""

import sys

import cv2

from companion.sources.capture_thread import Device, LiveSource
from companion.sources.frame import SourceError
from companion.sources.opencv_log import quiet

WIDTH = 1920
"""Pixels asked for; a camera that has less gives what it has."""
HEIGHT = 1080
BACKENDS = {"win32": (cv2.CAP_MSMF, cv2.CAP_DSHOW), "darwin": (cv2.CAP_AVFOUNDATION,)}
"""In the order in which they are tried. On Windows the newer one is faster, the older one opens more cameras."""


class Camera(Device):
    """An opened camera."""

    def __init__(self, index: int) -> None:
        quiet()
        for backend in BACKENDS.get(sys.platform, (cv2.CAP_V4L2,)):
            self._device = cv2.VideoCapture(index, backend)
            if self._device.isOpened():
                break
            self._device.release()
        else:
            raise SourceError("source.no-camera", got=index)
        self._device.set(cv2.CAP_PROP_FOURCC, cv2.VideoWriter.fourcc(*"MJPG"))  # else large frames come slowly
        self._device.set(cv2.CAP_PROP_FRAME_WIDTH, WIDTH)
        self._device.set(cv2.CAP_PROP_FRAME_HEIGHT, HEIGHT)
        self._device.set(cv2.CAP_PROP_BUFFERSIZE, 1)


def camera(index: int) -> LiveSource:
    """A camera by its number."""
    return LiveSource(str(index), lambda _first: Camera(index))
