"""The picture of what is followed, as it moves or as it is now."""

import time
from collections.abc import Iterator

from flask import Blueprint, Response

from companion.live.map_session import MapSession
from companion.live.session import TableSession
from companion.web.access.access_control import stays
from companion.web.access.roles import for_guests
from companion.web.answers import found, streamed
from companion.web.services import services
from companion.web.tables.opened import followed

bp = Blueprint("live_picture", __name__)

STILL = 3.0
"""Seconds after which the picture is sent again though no new frame came, so that a lost viewer is noticed."""
PATIENCE = 1.0
"""Seconds to wait for a frame before looking whether the viewer is still there."""
BOUNDARY = "frame"


@bp.get("/live/<table>/picture.mjpg")
@for_guests
def moving(table: str) -> Response:
    return picture_stream(followed(table))


def picture_stream(session: TableSession | MapSession) -> Response:
    """A session's live picture, part after part, until it ends or the viewer goes."""
    here_still = stays()

    def parts() -> Iterator[bytes]:
        # Browsers show the first part only when the next comes, so it comes twice at once.
        number, sent, times = 0, time.monotonic(), 2
        yield f"--{BOUNDARY}\r\n".encode()
        while not session.changes.closed and here_still():
            made = session.picture.next(number if time.monotonic() - sent < STILL else -1, PATIENCE)
            if made is None:
                if times == 2:
                    # A viewer who has gone is noticed by it; blank lines Chromium takes for a picture.
                    yield b"X-Wait: 1\r\n"
                continue
            number, jpeg = made
            sent = time.monotonic()
            # The boundary follows at once: browsers show a part when they see its end.
            head = f"Content-Type: image/jpeg\r\nContent-Length: {len(jpeg)}\r\n\r\n".encode()
            for _ in range(times):
                yield head + jpeg + f"\r\n--{BOUNDARY}\r\n".encode()
            times = 1

    return streamed(parts(), services().tables.pictures, f"multipart/x-mixed-replace; boundary={BOUNDARY}")


@bp.get("/live/<table>/frame.jpg")
@for_guests
def still(table: str) -> Response:
    """The newest frame."""
    return newest_picture(followed(table))


def newest_picture(session: TableSession | MapSession) -> Response:
    """A session's newest frame. Raises Problem while there is none."""
    _, jpeg = found(session.picture.next(-1, 2.0), "live.problem.no-picture")
    return Response(jpeg, mimetype="image/jpeg")
