"""The shelf, the language switch and the static files."""

import json
from functools import cache

from flask import Blueprint, Response, jsonify, render_template, send_file, send_from_directory, url_for
from markupsafe import Markup

from companion.games import GAMES
from companion.games.entry import Game
from companion.web.access.pairing_page import played_now
from companion.web.access.roles import for_guests
from companion.web.answers import compressed, found
from companion.web.language import COOKIE, page_words
from companion.web.problems import Problem
from companion.web.request_json import json_body
from companion.web.services import services
from companion.words.catalog import LANGUAGES

bp = Blueprint("pages", __name__)

FOR_GOOD = 365 * 86400
"""Seconds that a browser may keep what never changes."""
WORKER = "worker.js"
"""What a browser runs beside the pages: it may answer for all of them."""


bp.after_request(compressed)


@bp.get("/")
@for_guests
def shelf() -> str:
    """The games, and the way to what is played now."""
    return render_template("shelf.html", shelf=GAMES.values(), now=played_now())


@bp.post("/api/language")
@for_guests
def switch() -> Response:
    """Remember the language."""
    wanted = json_body().get("language")
    if wanted not in LANGUAGES:
        raise Problem("problem.request")
    response = jsonify({})
    response.set_cookie(COOKIE, wanted, max_age=365 * 86400, samesite="Strict", httponly=True)
    return response


@bp.get("/words/<language>/<version>/<topics>.js")
@for_guests
def words(language: str, version: str, topics: str) -> Response:
    """The words of a page's modules. They may be kept for good: other words have another `version`."""
    found(language in LANGUAGES)
    said = json.dumps(page_words(language, topics.split("+")), ensure_ascii=False)
    response = Response(f"globalThis.WORDS = {said};", mimetype="text/javascript")
    response.cache_control.max_age = FOR_GOOD
    response.cache_control.immutable = True
    return response


@bp.get("/public/<path:name>")
@for_guests
def public(name: str) -> Response:
    """What the pairing page needs, and what browsers ask for by themselves."""
    response = send_from_directory(services().static / "public", name, max_age=0)
    if name == WORKER:
        response.headers["Service-Worker-Allowed"] = "/"
    return response


@bp.get("/offline")
@for_guests
def offline() -> str:
    """What a device keeps, to be shown in place of a page that cannot be had."""
    return render_template("offline.html")


@bp.get("/static/<path:name>")
@for_guests
def asset(name: str) -> Response:
    """The other pages' styles and modules."""
    return send_from_directory(services().static, name, max_age=0)


@bp.get("/games/<slug>/editor.js")
@for_guests
def editor(slug: str) -> Response:
    """The module that lays out a game's pieces."""
    return send_file(found(GAMES.get(slug)).file("editor.js"), "text/javascript", max_age=0)


@cache
def art(slug: str) -> Markup:
    """A game's picture, to stand in a page."""
    return Markup(GAMES[slug].file("icon.svg").read_text("utf-8"))


def ways_into(game: Game) -> dict[str, str]:
    """The pages on which a game is begun: with a photo, with a camera, by hand."""
    if game.table is None:
        photo, camera = url_for("ruin.home"), url_for("ruin.home", _anchor="camera")
    else:
        photo, camera = (url_for("live_home.home", game=game.slug, way=way) for way in ("photo", None))
    return {"photo": photo, "camera": camera, "tapping": url_for("dispute.page", game=game.slug)}
