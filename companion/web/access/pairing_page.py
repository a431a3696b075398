"""Pair a phone: a one-time code that expires soon is exchanged for a cookie.

The code stands in the link's fragment, which browsers send to nobody; the pairing page
takes it from there and posts it.
"""

import time
from dataclasses import dataclass

from flask import Blueprint, Response, jsonify, render_template, request, url_for

from companion.games import game_of
from companion.web.access.access_control import LEAST_BODY, here, let_in
from companion.web.access.roles import for_guests
from companion.web.problems import Problem
from companion.web.request_json import json_body
from companion.web.running.live_tables import photo_source
from companion.web.services import services

FILM = "film"
TARGETS = {FILM: "/camera/film"}
"""Where a link may lead once the device is in; else to what is played."""
RUIN = "in-the-ruin"
EVENING = 12 * 3600.0
"""Seconds for which a game that was begun is taken for the one that is played."""

bp = Blueprint("pairing", __name__)


@bp.get("/pair")
@for_guests
def page() -> str:
    """The pairing page: reads the code off its own address."""
    return render_template("pair.html")


@bp.post("/api/pair")
@for_guests
def exchange() -> Response:
    """A code for a cookie."""
    if not services().pairing.may_try(request.remote_addr or ""):
        raise Problem("problem.too-often", 429)
    body = json_body(LEAST_BODY)
    code, to = body.get("code"), body.get("to")
    pairing, address = services().pairing, request.remote_addr or ""
    if not isinstance(code, str):
        raise Problem("problem.code", 403)
    role = pairing.take(code, here(), address)
    if role is None:
        by = pairing.taken_by(code)
        raise Problem("problem.code" if by is None else f"problem.code-{'mine' if by == address else 'used'}", 403)
    response = jsonify({"to": TARGETS.get(to) or played() if isinstance(to, str) else played()})
    let_in(response, role)
    return response


@dataclass(frozen=True, order=True)
class Begun:
    """A game that is being played: when it was begun, its page, which game it is, who plays (where that is known)."""

    at: float
    page: str
    game: str
    players: tuple[str, ...] = ()


def played() -> str:
    """The page of what is played now; else the shelf."""
    now = played_now()
    return now.page if now else url_for("pages.shelf")


def played_now() -> Begun | None:
    """What is played now: the table that is filmed, or the game begun last, where that was this evening."""
    now, store = services().tables.now, services().store
    begun = [Begun(row["started"], url_for("ruin.page", play_id=row["id"]), RUIN) for row in store.plays(RUIN)[:1]]
    if now is not None and now.running:
        at = (store.play(now.table) or {}).get("started", 0.0)
        table = Begun(at, url_for("live.page", table=now.table), game_of(now.profile).slug)
        if photo_source(now) is None:
            return table
        begun.append(table)  # nobody says when its photos end
    if tapped := services().evenings.newest():
        page = url_for("evenings.game", game_id=tapped.id)
        begun.append(Begun(tapped.begun, page, tapped.game, tuple(filter(None, tapped.players))))
    last = max(begun, default=None)
    return last if last and abs(time.time() - last.at) < EVENING else None
