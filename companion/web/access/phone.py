"""The page that lets devices in by a QR code with a pairing link, lists those that are in, and shuts them out."""

from typing import Any

from flask import Blueprint, Response, current_app, jsonify, render_template, request

from companion.web.access import qr
from companion.web.access.access_control import here, let_in, paired
from companion.web.access.roles import for_guests, for_hosts
from companion.web.language import date, say
from companion.web.problems import Problem
from companion.web.request_json import json_body
from companion.web.running.devices import Role
from companion.web.running.pairing import CODE_SECONDS, digest
from companion.web.services import services

bp = Blueprint("phone", __name__)


@bp.get("/phone")
@for_guests
def page() -> str:
    """The QR code, or how to get one; who is in."""
    return render_template("phone.html", here=here(), reach=services().network.reach)


@bp.post("/api/phone/network")
@for_hosts
def network() -> Response:
    """Open the page to the local network, or close it again: only at this computer, whose browser stays in."""
    wanted, listeners = json_body().get("open"), services().network
    if not isinstance(wanted, bool):
        raise Problem("problem.request")
    if not here():
        raise Problem("problem.here-only", 403)
    response = jsonify({})
    if not wanted:
        listeners.close()
    elif not listeners.reach.lan:
        if paired() is None:
            let_in(response, Role.HOST)  # first: where this cannot be kept, nothing is opened and nobody locked out
        listeners.open(current_app._get_current_object())  # type: ignore[attr-defined]
        services().pairing.home_used()  # the terminal shows a link for the other browsers of this computer
    return response


@bp.post("/api/phone/code")
@for_hosts
def code() -> Response:
    """A fresh pairing link, as text and as QR code; `role` says what for."""
    address = services().network.reach.address
    if address is None:
        raise Problem("problem.not-lan", 409)
    role = (json_body() if request.content_length else {}).get("role", "player")
    if role not in [one.name.lower() for one in Role]:
        raise Problem("problem.request")
    new = services().pairing.new_code(Role[role.upper()])
    typed = {"typed": services().pairing.typed(new), "address": f"http://{address}"}
    return jsonify({**link_view(pairing_link(address, new), new), **typed})


@bp.get("/api/phone/devices")
@for_hosts
def devices() -> Response:
    """The devices that are in, and whether the code of `?code=` is still out."""
    mine = paired()
    rows = [
        {
            "id": device.id,
            "name": device.name,
            "role": say(f"role.{device.role}"),
            "since": date(device.since),
            "mine": mine is not None and mine.id == device.id,
        }
        for device in services().devices.all()
    ]
    return jsonify({"devices": rows, "out": services().pairing.out(request.args.get("code", ""))})


@bp.delete("/api/phone/devices/<device>")
@for_hosts
def forget_device(device: str) -> Response:
    """Shut a device out."""
    services().devices.forget(device)
    return jsonify({})


@bp.post("/api/phone/forget")
@for_hosts
def forget() -> Response:
    """Shut every other device out."""
    mine = paired()
    services().devices.forget_all_but(None if mine is None else mine.id)
    return jsonify({})


def pairing_link(address: str, code: str) -> str:
    """The link that lets one device in; `address` is host:port."""
    return f"http://{address}/pair#{code}"


def link_view(link: str, code: str) -> dict[str, Any]:
    """A link with a fresh code, as pages show it."""
    return {"link": link, "qr": qr.svg(link), "seconds": CODE_SECONDS, "code": digest(code)}
