"""The page that lets a phone in: a QR code with a pairing link."""

from __future__ import annotations

from flask import Blueprint, Response, current_app, jsonify, render_template, request

from companion.web.access import qr
from companion.web.access.access_control import let_in
from companion.web.access.pairing import CODE_SECONDS
from companion.web.problems import Problem
from companion.web.services import services, services_of

bp = Blueprint("phone", __name__)


@bp.get("/phone")
def page() -> str:
    """The QR code, or how to get one."""
    return render_template("phone.html")


@bp.post("/api/phone/code")
def code() -> Response:
    """A fresh pairing link, as text and as QR code."""
    address = current_app.config.get("LAN_ADDRESS")
    if not current_app.config["LAN"] or not address:
        raise Problem("problem.not-lan", 409)
    link = pairing_link(address, services().pairing.new_code())
    return jsonify({"link": link, "qr": qr.svg(link), "seconds": CODE_SECONDS})


@bp.post("/api/phone/forget")
def forget() -> Response:
    """Shut every other device out: the key that signed their cookies is changed."""
    app = current_app
    app.config["SECRET_KEY"] = services_of(app).store.new_key()
    response = jsonify({})
    if app.config["LAN"]:
        let_in(response, request.remote_addr or "")
    return response


def pairing_link(address: str, code: str) -> str:
    """The link that lets one device in; `address` is host:port."""
    return f"http://{address}/pair#{code}"
