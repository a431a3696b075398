"""The shelf, the language switch and the static files."""

from __future__ import annotations

from flask import Blueprint, Response, jsonify, render_template, send_from_directory

from companion.web.language import COOKIE
from companion.web.problems import Problem
from companion.web.request_json import json_body
from companion.web.services import services
from companion.words.catalog import LANGUAGES

bp = Blueprint("pages", __name__)


@bp.get("/")
def shelf() -> str:
    """The five games."""
    return render_template("shelf.html")


@bp.post("/api/language")
def switch() -> Response:
    """Remember the language."""
    wanted = json_body().get("language")
    if wanted not in LANGUAGES:
        raise Problem("problem.request")
    response = jsonify({})
    response.set_cookie(COOKIE, wanted, max_age=365 * 86400, samesite="Strict", httponly=True)
    return response


@bp.get("/public/<path:name>")
def public(name: str) -> Response:
    """What the pairing page needs, and no more."""
    return send_from_directory(services().static / "public", name, max_age=0)


@bp.get("/static/<path:name>")
def asset(name: str) -> Response:
    """The other pages' styles and modules."""
    return send_from_directory(services().static, name, max_age=0)
