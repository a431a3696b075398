"""A stream by its address: MJPEG as phone apps send it, read here; all else through FFmpeg."""

import socket
import threading
from collections.abc import Iterator
from urllib.parse import urlsplit

import cv2
import numpy as np

from common.messages import Message, why
from companion.camera_address import without_password
from companion.sources.capture_thread import Capture, Device, LiveSource
from companion.sources.frame import SourceError
from companion.sources.http_client import FAILURES, Answer, InsideError, StatusError, ask, inside, named_inside
from companion.sources.opencv_log import quiet
from companion.sources.watchdog import Patience
from vision import MAX_PIXELS
from vision.foreign import ForeignError, picture

FIRST_OPENING = 8.0
"""Seconds until an address is given up at first."""
OPENING = 2.5
"""The same after a loss."""
SILENT = 2.5
"""The same between two frames."""
FRAME = 6.0
"""Seconds in which a whole frame is to be there: one that drips in is none."""
LARGEST = 16 * 1024 * 1024
"""Bytes of a frame at most."""
LINE = 4096
MOST_LINES = 100_000
"""Lines of a stream read in search of a frame, at most: a JPEG of 16 MB has some 65,000 line breaks."""
SNAPSHOTS = 0.1
"""Seconds between two pictures where an address gives single ones."""
VIDEO = ("video/", "application/vnd.apple.mpegurl", "application/x-mpegurl", "application/octet-stream", "audio/")
"""Kinds of answers that FFmpeg is asked to read."""


def stream(address: str) -> LiveSource:
    """A stream by its address (http, https, rtsp)."""
    shown = without_password(address)

    def opened(first: bool) -> Capture:
        patience = FIRST_OPENING if first else OPENING
        if address.lower().startswith("rtsp"):
            _look_up(address, shown)
            return FFmpeg(address, shown, patience)
        return _http(address, shown, patience)

    return LiveSource(shown, opened, Patience(opening=FIRST_OPENING + 1, silent=1.5))


def _look_up(address: str, shown: str) -> None:
    """Raises SourceError where a name leads inside, or nowhere."""
    parts = urlsplit(address)
    host = parts.hostname or ""
    try:
        found = [str(one[4][0]) for one in socket.getaddrinfo(host, parts.port, type=socket.SOCK_STREAM)]
    except OSError as error:
        raise SourceError("source.refused", got=shown, why=_why(error)) from None
    if not named_inside(host) and any(inside(one) for one in found):
        raise SourceError("source.inside", got=shown)


class FFmpeg(Device):
    """A stream through OpenCV's FFmpeg."""

    def __init__(self, address: str, shown: str, patience: float) -> None:
        limits = [
            cv2.CAP_PROP_OPEN_TIMEOUT_MSEC, int(patience * 1000), cv2.CAP_PROP_READ_TIMEOUT_MSEC, int(SILENT * 1000),
        ]  # fmt: skip
        quiet()
        self._device = cv2.VideoCapture(address, cv2.CAP_FFMPEG, limits)
        if not self._device.isOpened():
            self._device.release()
            raise SourceError("source.refused", got=shown, why=Message("net.no-video"))


def _http(address: str, shown: str, patience: float) -> Capture:
    answer = _ask(address, shown, patience)
    if answer.kind.startswith("multipart/"):
        boundary = answer.headers.get_param("boundary")
        return Mjpeg(answer, str(boundary or ""))
    answer.close()
    if answer.kind == "image/jpeg":
        return Snapshots(address, shown, patience)
    if answer.kind.startswith(VIDEO):
        return FFmpeg(address, shown, patience)
    raise SourceError("source.no-stream", got=shown, kind=answer.kind)


def _ask(address: str, shown: str, patience: float) -> Answer:
    """The answer of an address. Raises SourceError."""
    accept = {"Accept": "multipart/x-mixed-replace, image/jpeg, video/*"}
    try:
        return ask(address, patience, headers=accept, own_certificates=True)
    except TimeoutError:
        raise SourceError("source.silent", got=shown, seconds=round(patience)) from None
    except InsideError:
        raise SourceError("source.inside", got=shown) from None
    except StatusError as error:
        said = Message("net.http", {"code": error.status})
        if error.to:
            said = Message("net.moved", {"to": error.to})
        raise SourceError("source.refused", got=shown, why=said) from None
    except FAILURES as error:
        raise SourceError("source.refused", got=shown, why=_why(error)) from None


def _why(reason: object) -> Message:
    return why(reason) if isinstance(reason, OSError) else Message("file.other", {"reason": str(reason)})


class Mjpeg:
    """JPEGs one after the other in one answer that never ends: see Capture."""

    def __init__(self, answer: Answer, boundary: str) -> None:
        self._answer = answer
        self._boundary = b"--" + boundary.strip('"').lstrip("-").encode("latin-1", "replace")
        self._parts = self._frames()

    def read(self) -> np.ndarray | None:
        """The next frame; pictures that are cut off are left out. None where none came in time."""
        self._answer.give(FRAME)
        try:
            return next((image for data in self._parts if (image := decoded(data)) is not None), None)
        except FAILURES:
            return None

    def close(self) -> None:
        """Hang up."""
        self._answer.close()

    def _frames(self) -> Iterator[bytes]:
        lines = taken = 0
        while (line := self._answer.readline(LINE)) and lines < MOST_LINES and taken < LARGEST:
            lines, taken = lines + 1, taken + len(line)
            if not line.strip().lstrip(b"-").startswith(self._boundary.lstrip(b"-")):
                continue
            length = self._length()
            if length is None:
                data = self._until_boundary()
            elif 0 < length <= LARGEST:
                data = self._answer.read(length)
            else:
                return
            lines = taken = 0
            yield data

    def _length(self) -> int | None:
        """What a part's head says of its length."""
        length = None
        for _ in range(40):
            line = self._answer.readline(LINE)
            if not line.strip():
                break
            name, _, value = line.partition(b":")
            if name.strip().lower() == b"content-length" and value.strip().isdigit():
                length = int(value.strip()[:12])
        return length

    def _until_boundary(self) -> bytes:
        """A part whose length nobody said: up to the end of its JPEG; empty where that does not come."""
        data = bytearray()
        for _ in range(MOST_LINES):
            line = self._answer.readline(65536)
            data += line
            if not line or len(data) > LARGEST:
                break
            if data[-4:].rstrip(b"\r\n").endswith(b"\xff\xd9"):
                return bytes(data)
        return b""


class Snapshots:
    """An address that gives one picture, asked again and again: see Capture."""

    def __init__(self, address: str, shown: str, patience: float) -> None:
        self._address, self._shown, self._patience = address, shown, patience
        self._closed = threading.Event()
        self._first = True

    def read(self) -> np.ndarray | None:
        """The next picture."""
        if not self._first and self._closed.wait(SNAPSHOTS):
            return None
        self._first = False
        answer = _ask(self._address, self._shown, self._patience)
        try:
            answer.give(FRAME)
            return decoded(answer.read(LARGEST))
        except FAILURES:
            return None
        finally:
            answer.close()

    def close(self) -> None:
        """Ask no more."""
        self._closed.set()


def decoded(data: bytes) -> np.ndarray | None:
    """A JPEG's pixels, (H, W, 3) BGR; None where it is none."""
    if not data.startswith(b"\xff\xd8"):
        return None
    try:
        return picture(data, MAX_PIXELS)
    except ForeignError:
        return None
