"""The dispute page: a case of any game laid out by tapping its pieces, scored at each tap, its state in the address."""

import json
from collections.abc import Sequence
from typing import Any

from flask import Blueprint, Response, jsonify, redirect, render_template, request, url_for
from qrcode.exceptions import DataOverflowError
from werkzeug.wrappers import Response as AnyResponse

from companion.cases import address
from companion.cases.evaluate import evaluate, problem, questions
from companion.cases.evenings import Played
from companion.cases.tapped import steps
from companion.games import GAMES
from companion.games.entry import Game
from companion.games.shape import ANYTHING
from companion.log import Event
from companion.web.access import qr
from companion.web.access.access_control import asking
from companion.web.access.roles import for_guests, for_players
from companion.web.answers import found
from companion.web.cases.saved_defaults import keep, kept
from companion.web.language import date, language, request_words
from companion.web.problems import Problem
from companion.web.request_body import body
from companion.web.request_json import json_body
from companion.web.services import services
from scoring import StateError

bp = Blueprint("dispute", __name__)


@bp.get("/dispute/<game>")
@for_guests
def page(game: str) -> str | AnyResponse:
    """A case; `?s=` holds its state."""
    rules, state, message = found(GAMES.get(game)), None, None
    if code := request.args.get("s", ""):
        try:
            state = _read(address.unpack(code))
        except (address.AddressError, Problem) as error:
            message = request_words().told(error)
    if state and state["game"] != game:
        return redirect(url_for("dispute.page", game=state["game"], s=code))
    kept_as = request.args.get("kept", "")
    played = services().evenings.game(kept_as)
    case = {
        "game": game,
        "name": request_words().term(f"game.{game}"),
        "state": state,
        "message": message,
        "last": None if state or kept_as else _last(game),
        "there": played and kept_case(played.id),
        "match": played and played.match,
        "begun": played and played.begun,
        "people": services().everybody(),
        "box": rules.box,
        "kept": kept(rules),
        "questions": questions(game, language()),
        "terms": dict(request_words().starting(*rules.terms)),
        "fields": fields(rules),
    }
    return render_template("dispute/page.html", game=game, played=rules, case=case)


def kept_case(game_id: str) -> dict[str, Any] | None:
    """A tapped game as it is kept now, with what this device can take back; None where there is none."""
    there = services().evenings.with_log(game_id)
    return there and {**_shared(*there), "steps": _steps(*there)}


def shared_case(game_id: str) -> dict[str, Any] | None:
    """The same for all devices: its state, when it was `begun`, the `number` of its events, where the `next` one is."""
    there = services().evenings.with_log(game_id)
    return there and _shared(*there)


def own_steps(game_id: str) -> dict[str, Any] | None:
    """What of a tapped game this device can take back (`undo`) and tap again (`redo`); None where there is none."""
    there = services().evenings.with_log(game_id)
    return there and _steps(*there)


def _shared(played: Played, log: Sequence[Event]) -> dict[str, Any]:
    return {"state": played.state, "begun": played.begun, "number": len(log), "next": next_game(played.id)}


def _steps(played: Played, log: Sequence[Event]) -> dict[str, Any]:
    return steps(log, played.state or {}, asking())


def next_game(game_id: str) -> str | None:
    """The address of the game that was begun after a tapped one."""
    then = services().evenings.next_of(game_id)
    return then and url_for("evenings.game", game_id=then)


def _last(game: str) -> dict[str, Any] | None:
    """The case of a game that was tapped last, to go on with or to begin anew with its players."""
    last = services().evenings.latest(game)
    if last is None:
        return None
    return {
        "address": url_for("evenings.game", game_id=last.id),
        "date": date(last.begun),
        "players": last.players,
    }


@bp.post("/api/dispute/score")
@for_guests
def score() -> Response:
    """The answer to a state, or what it still lacks."""
    return jsonify(evaluate(_read(_text()), language()))


@bp.post("/api/dispute/read")
@for_guests
def read() -> Response:
    """A state out of a file: `state`, and the address of its page."""
    state = _read(_text())
    return jsonify({"state": state, "address": _address(state["game"], address.pack(state))})


@bp.post("/api/dispute/<game>/link")
@for_guests
def link(game: str) -> Response:
    """A link to a packed state, as other devices see this computer, with its QR code."""
    code = json_body().get("code")
    if game not in GAMES or not isinstance(code, str) or not address.CODE.fullmatch(code):
        raise Problem("problem.request")
    lan = services().network.reach.address
    link_address = f"{request.scheme}://{lan or request.host}{_address(game, code)}"
    try:
        drawing = qr.svg(link_address)
    except (DataOverflowError, ValueError):
        drawing = None
    return jsonify({"link": link_address, "qr": drawing, "lan": lan is not None})


@bp.post("/api/dispute/<game>/saved")
@for_players
def save(game: str) -> Response:
    """Keep what is the same in every game of this box for all cases to come."""
    keep(found(GAMES.get(game)), json_body())
    return jsonify({})


def _text() -> bytes:
    return body(address.MOST, Problem("dispute.problem.too-big", 413, most=address.MOST // 1024))


def _read(text: bytes) -> dict[str, Any]:
    """A state that the page can show. Raises Problem with one line."""
    try:
        return address.read(text)
    except StateError as error:
        raise Problem("dispute.problem.state", 422, message=problem(error, None, language())["message"]) from None


def fields(game: Game) -> dict[str, str]:
    """What the fields of a game's state are called."""
    shapes = {**game.shape["players"][0], **game.shape}
    keys = {key for key, shape in shapes.items() if shape is not ANYTHING} - {"game", "players"}
    return {key: request_words().term(f"dispute.field.{key}") for key in sorted(keys)}


def state_of(body: dict[str, Any], game: str) -> dict[str, Any]:
    """The tapped state of a game that a request brings as `state`. Raises Problem."""
    state = state_of_text(body.get("state"))
    if state["game"] != game:
        raise Problem("problem.request")
    return state


def packed_state(code: Any, game: str) -> dict[str, Any]:
    """The state of a game in an address. Raises Problem, AddressError."""
    state = _read(address.unpack(code if isinstance(code, str) else ""))
    if state["game"] != game:
        raise Problem("problem.request")
    return state


def state_of_text(value: Any) -> dict[str, Any]:
    """A tapped state that came within other JSON. Raises Problem with one line."""
    return _read(json.dumps(value).encode())


def _address(game: str, code: str) -> str:
    return url_for("dispute.page", game=game, s=code)
