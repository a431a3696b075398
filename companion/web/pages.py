"""The shelf, the language switch and the static files."""

import gzip
import json
import re
from functools import cache, lru_cache

from flask import Blueprint, Response, jsonify, render_template, request, send_file, send_from_directory, url_for
from markupsafe import Markup

from companion.games import GAMES
from companion.games.entry import Game
from companion.web.access.pairing_page import played_now
from companion.web.access.roles import for_guests
from companion.web.answers import found
from companion.web.language import COOKIE, page_words
from companion.web.problems import Problem
from companion.web.request_json import json_body
from companion.web.services import services
from companion.words.catalog import LANGUAGES

bp = Blueprint("pages", __name__)

FOR_GOOD = 365 * 86400
"""Seconds that a browser may keep what never changes."""
COMPRESSED = ("text/html", "text/css", "text/javascript", "image/svg+xml")

REMARKED = ("text/css", "text/javascript")
REMARKS = re.compile(rb"^[ \t]*(?://.*|/\*(?:[^*]|\*(?!/))*\*/[ \t]*)$", re.MULTILINE)
"""Lines that are remarks and nothing else: they stay empty, so that an error still names its line."""

SAID_FOR_NOTHING = ("Content-Disposition", "Expires", "Accept-Ranges")
"""Headers of a file that a page's part needs none of: a page loads some sixty."""

WORKER = "worker.js"
"""What a browser runs beside the pages: it may answer for all of them."""


@bp.after_request
def compress(response: Response) -> Response:
    """What is the same for everybody goes out compressed: pages that hold secrets are not among it (BREACH)."""
    if response.status_code == 304 or (response.status_code == 200 and response.mimetype in COMPRESSED):
        response.vary.add("Accept-Encoding")
    if response.status_code == 200 and response.mimetype in COMPRESSED and request.accept_encodings.quality("gzip"):
        response.direct_passthrough = False
        response.set_data(_gzip(response.get_data(), response.mimetype))
        response.content_encoding = "gzip"
        for said in SAID_FOR_NOTHING:
            response.headers.pop(said, None)
        if etag := response.get_etag()[0]:
            response.set_etag(etag, weak=True)  # the bytes differ from the plain answer's, what they say does not
    return response


@lru_cache(maxsize=256)
def _gzip(data: bytes, kind: str) -> bytes:
    if kind in REMARKED:
        data = REMARKS.sub(lambda found: b"\n" * found[0].count(b"\n"), data)
    return gzip.compress(data, mtime=0)


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
