"""A device's own camera as the camera over the table: its page, how a phone gets there, and its pictures."""

from flask import Blueprint, Response, jsonify, render_template

from companion.sources import PushSource, Source
from companion.sources.undistorted import Straightened
from companion.web.access.pairing_page import FILM
from companion.web.access.phone import link_view
from companion.web.access.roles import for_guests, for_hosts, for_players
from companion.web.answers import as_file, found
from companion.web.problems import Problem
from companion.web.request_body import body
from companion.web.services import services

bp = Blueprint("camera_push", __name__)

MOST_BYTES = 2 * 1024 * 1024
"""Of a picture: 1280 pixels wide it has a tenth of that."""
SIDE = 1280
"""Pixels of a picture's longer side, for tiles and stickers."""
SIDE_OF_SMALL = 1920
"""The same for faces of cards and for cells of sheets."""


@bp.get("/camera/phone")
@for_guests
def how() -> str:
    """How a phone becomes the camera: the code, and how its certificate is trusted."""
    return render_template("camera/phone.html", reach=services().network.reach, waited=_waiting() is not None)


@bp.get("/camera/film")
@for_players
def film() -> str:
    """The page that films."""
    return render_template("camera/film.html")


@bp.get("/camera/table-companion.crt")
@for_guests
def certificate() -> Response:
    """The authority's certificate, to be installed on a phone."""
    secure = found(services().network.reach.secure)
    return as_file(secure.authority, "application/x-x509-ca-cert", "table-companion.crt")


@bp.post("/api/camera/phone/code")
@for_hosts
def code() -> Response:
    """A fresh link to the secure page, as text and as QR code."""
    if (secure := services().network.reach.secure) is None:
        raise Problem("push.problem.no-tls", 409)
    new = services().pairing.new_code()
    return jsonify(link_view(f"https://{secure.address}/pair#{new},{FILM}", new))


@bp.post("/api/live/push")
@for_players
def push() -> Response:
    """A picture for the table that waits for one. Answers how many pixels its longer side needs from now on."""
    if (source := _waiting()) is None:
        raise Problem("push.problem.no-table", 409)
    picture = body(MOST_BYTES)
    with services().pushes.taken():
        frame = source.put(picture)
    if frame is None:
        raise Problem("push.problem.no-table", 409)
    table = services().tables.filmed
    small = bool(services().maps.now) or (table is not None and bool(table.profile.decks))
    return jsonify({"frame": frame.number, "side": SIDE_OF_SMALL if small else SIDE})


def _waiting() -> PushSource | None:
    """What takes a phone's pictures now: that of a table or of sheets that are followed by a phone."""
    running = [one for one in (services().tables.filmed, services().maps.now) if one is not None and one.running]
    sources: list[Source] = [one.source for one in running]
    inner = [one.inner if isinstance(one, Straightened) else one for one in sources]
    return next((one for one in inner if isinstance(one, PushSource)), None)
