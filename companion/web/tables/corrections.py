"""What people say of a table: typed values, pieces, moves, areas, undo."""

from collections.abc import Callable, Sequence
from typing import Any

from flask import Blueprint, Response, jsonify, request

from companion.cases.evaluate import place_in_words
from companion.cases.handed_back import laid_on, moved_on, table_words
from companion.games import game_of
from companion.games.entry import Game
from companion.games.shape import fit
from companion.games.zones import players_of
from companion.live.session import TableSession
from companion.log import ONCE, REDO, UNDO, heard
from companion.record import Said
from companion.web.access.access_control import asking
from companion.web.access.roles import for_guests, for_hosts, for_players
from companion.web.cases.case_page import packed_state, state_of
from companion.web.language import language, request_words
from companion.web.photos import is_point
from companion.web.problems import Problem
from companion.web.request_json import json_body, once_of
from companion.web.services import services
from companion.web.tables import view
from companion.web.tables.opened import checked, followed, read_again, session_of
from scoring import StateError
from scoring.fields import known
from vision.table.white_balance import white_at

bp = Blueprint("live_corrections", __name__)

MOST_ZONES = 16
MOST_SEATS = 4
MOST_PIECES = 400
MOST_SEATINGS = 1000
MOST_ENTRIES = 32 * 1024


@bp.post("/api/live/<table>/entries")
@for_players
def enter(table: str) -> Response:
    """What no camera sees: values of the state and of players, by zone; null takes one back."""
    session = session_of(table)
    body = json_body()
    once = once_of(body.pop(ONCE, None))
    if heard(session.journal.events, once):
        return jsonify(view.table_view(session))
    if body.keys() - {"table", "players"} or (request.content_length or 0) > MOST_ENTRIES:
        raise Problem("problem.request")
    state, players = body.get("table", {}), body.get("players", {})
    if not isinstance(state, dict) or not isinstance(players, dict):
        raise Problem("problem.request")
    if players.keys() - _player_zones(session):
        raise Problem("problem.request")
    shape = game_of(session.profile).shape
    _check(state, {key: one for key, one in shape.items() if key not in ("game", "players")})
    for values in players.values():
        _check(values, shape["players"][0])
    names = {zone: values["name"] for zone, values in players.items() if isinstance(values.get("name"), str)}
    if any(not name.strip() or len(name) > 40 for name in names.values()):
        raise Problem("live.problem.name")
    session.enter(state, players, asking(), once=once)
    services().tables.people.met(*names.values())
    return jsonify(view.table_view(session))


def _check(values: Any, shape: dict[str, Any]) -> None:
    """Nothing if every value fits the state's shape (or is null). Raises Problem."""
    if not isinstance(values, dict):
        raise Problem("problem.request")
    try:
        known(values, frozenset(shape), "")
        for key, value in values.items():
            if value is not None:
                fit(value, shape[key], f"/{key}")
    except StateError as error:
        raise Problem("dispute.problem.state", 422, message=request_words().error(error)) from None


def _player_zones(session: TableSession) -> set[str]:
    seen = set(session.settled.table.zones) if session.settled else set()
    return seen | set(players_of(session.profile, game_of(session.profile).common))


@bp.post("/api/live/<table>/pieces")
@for_players
def pieces(table: str) -> Response:
    """What a person says of `pieces`, each seen `at` a point: a tile's `color`, or the number of a `card` in the game's
    list; null where there is none. `row`: of an earlier state, after which all is judged anew."""
    session = session_of(table)
    body = json_body()
    given, row = body.get("pieces"), body.get("row")
    if not isinstance(given, list) or not 0 < len(given) <= MOST_PIECES or type(row) not in (int, type(None)):
        raise Problem("problem.request")
    if not session.say_pieces([_said(one, game_of(session.profile)) for one in given], asking(), row):
        raise Problem("live.problem.tile-gone", 409)
    return jsonify(view.table_view(session))


def _said(one: Any, game: Game) -> Said:
    """What a request says of a piece. Raises Problem where it is something else."""
    if not isinstance(one, dict) or not is_point(one.get("at")):
        raise Problem("problem.request")
    at, card = (one["at"][0] - 0.5, one["at"][1] - 0.5), one.get("card", "")
    if card is None or (type(card) is int and 0 <= card < len(game.deck)):
        return Said(at, None if card is None else game.deck[card], True)
    if "card" in one or one.get("color", "") not in (None, *game.colors):
        raise Problem("problem.request")
    return Said(at, one["color"])


@bp.post("/api/live/<table>/move")
@for_players
def move(table: str) -> Response:
    """What happened, where the referee asks; or, without a question, that the last move was none, or the n-th; or
    whether the game is `over`, where the table is being cleared; or that it counts `as_it_lies`, whichever turns led
    there; or how the house reads a silent rule; or how the game `begins`: who begins (`start`), which card tells the
    order of turns (`order`)."""
    session = session_of(table)
    body = json_body()
    if type(body.get("over")) is bool:
        session.game_is_over(body["over"])
    elif body.get("as_it_lies") is True:
        session.count_as_it_lies(asking())
    elif "house" in body:
        _each(body["house"], session.set_house)
    elif "begins" in body:
        _each(body["begins"], session.set_begin)
    else:
        question, choice, n = body.get("question", ""), body.get("choice", ""), body.get("n")
        if not isinstance(question, str) or not isinstance(choice, str) or type(n) not in (int, type(None)):
            raise Problem("problem.request")
        session.settle_move(question, choice, n)
    return jsonify(view.table_view(session))


def _each(said: Any, put: Callable[[str, object, str], bool]) -> None:
    """Say one thing of the game, by its name. Raises Problem where the game has no such thing."""
    if not isinstance(said, dict) or len(said) != 1 or not all(put(*one, asking()) for one in said.items()):
        raise Problem("problem.request")


@bp.post("/api/live/<table>/undo", defaults={"kind": UNDO})
@bp.post("/api/live/<table>/redo", defaults={"kind": REDO})
@for_players
def step(table: str, kind: str) -> Response:
    """Take back what this device said last; or say again what it took back last."""
    session = session_of(table)
    session.step(kind, asking())
    return jsonify(view.table_view(session))


@bp.post("/api/live/<table>/case")
@for_players
def hand_back(table: str) -> Response:
    """A tapped state of this table comes back: what differs from the packed state that it `was` becomes what people say
    of tiles, and what they type. One of an earlier `row` is what the table was then: all after it is judged anew."""
    session = session_of(table)
    settled, row = session.settled, request.args.get("row", type=int)
    if settled is None:
        raise Problem("live.problem.nothing-yet", 409)
    earlier = None if row in (None, settled.number) else session.journal.whole(row or 0)
    now, body = settled.table.state if earlier is None else earlier["state"], json_body()
    after = state_of(body, now["game"])
    before = packed_state(body["was"], now["game"]) if "was" in body else now  # addresses of older versions have none
    for state in (after, before):
        if len(state["players"]) != len(now["players"]):
            raise Problem("live.problem.players", 409, expected=len(now["players"]), got=len(state["players"]))
    if (place := moved_on(before, after, now)) is not None:
        raise Problem("live.problem.moved-on", 409, what=place_in_words(place, now, language()))
    if row is not None and row != settled.number:
        if not session.type_earlier(row, laid_on(now, before, after), asking()):
            raise Problem("problem.not-found", 404)
        return jsonify(view.table_view(session))
    said = table_words(before, after, settled.table.zones, settled.table.places)
    if said.tiles:
        tiles = {place: settled.reading.tiles[settled.table.places[place][0]] for place in said.tiles}
        at = {place: (float(tile.center[0]), float(tile.center[1])) for place, tile in tiles.items()}
        if not session.say_pieces([Said(at[place], color) for place, color in said.tiles.items()], asking()):
            raise Problem("live.problem.tile-gone", 409)
    if said.table or said.players:
        session.enter(said.table, said.players, asking())
    return jsonify(view.table_view(session))


@bp.get("/api/live/<table>/areas")
@for_guests
def areas(table: str) -> Response:
    """Areas proposed from where cards lie, for so many `players`."""
    players = request.args.get("players", type=int)
    if players is not None and not 1 <= players <= MOST_SEATS:
        raise Problem("problem.request")
    return jsonify({"areas": view.areas_view(followed(table).proposed(players).areas)})


@bp.post("/api/live/<table>/seats")
@for_hosts
def seats(table: str) -> Response:
    """So many `players` play, and sit in the n-th way (`seating`): areas are proposed accordingly."""
    session = session_of(table)
    body = json_body()
    players, seating = body.get("players"), body.get("seating", 0)
    if body.keys() - {"players", "seating"} or type(seating) is not int or not 0 <= seating < MOST_SEATINGS:
        raise Problem("problem.request")
    if players is not None and (type(players) is not int or not 1 <= players <= MOST_SEATS):
        raise Problem("problem.request")
    session.sit(players, seating)
    return jsonify(view.table_view(session))


@bp.post("/api/live/<table>/zones")
@for_hosts
def zones(table: str) -> Response:
    """Zones drawn on the picture, or taken from markers, and what is white there; saved with the profile.

    `size`: width and height of the picture in whose pixels they are drawn, where that is not the one last read.
    `white`: a point of the picture where white paper lies, or null: what was known of it is forgotten.
    """
    session = session_of(table)
    body = json_body()
    given = body.get("zones")
    if not isinstance(given, dict) or len(given) > MOST_ZONES:
        raise Problem("problem.request")
    data = session.profile.to_json()
    old = data["zones"]
    data["zones"] = {name: _zone(zone, old.get(name), session.scale) for name, zone in given.items()}
    size = body.get("size") or (list(session.settled.size) if session.settled else None)
    if size is not None:
        if not is_point(size) or min(size) < 1:
            raise Problem("problem.request")
        data |= {"picture": round(size[0] * session.scale, 1), "shape": round(size[1] / size[0], 4)}
    if "white" in body:
        data["white"] = _white(body["white"], session, size)
    profile = checked(data)
    tables = services().tables
    file = tables.save(profile, session.journal.begun.get("file"))
    session.take_profile(profile, file)
    read_again(session)
    return jsonify({"file": file})


def _zone(given: Any, old: Any, scale: float) -> Any:
    """A zone from the page: a polygon in drawing coordinates, or `markers` as the profile has them already."""
    if isinstance(given, dict) and given.keys() == {"polygon"} and isinstance(given["polygon"], list):
        if not all(is_point(point) for point in given["polygon"]):
            raise Problem("problem.request")
        return {"polygon": [[round((x - 0.5) * scale, 1), round((y - 0.5) * scale, 1)] for x, y in given["polygon"]]}
    if given == "markers" and isinstance(old, dict) and "markers" in old:
        return old
    raise Problem("problem.request")


def _white(at: Any, session: TableSession, size: Sequence[float] | None) -> list[float] | None:
    """Red, green and blue of the paper that was pointed at in a picture of that size; null stays null.

    Raises Problem: no white paper there.
    """
    if at is None:
        return None
    if not is_point(at):
        raise Problem("problem.request")
    frame, white = session.frame, None
    if frame is not None:
        larger = frame.shape[1] / size[0] if size else 1.0
        white = white_at(frame, (at[0] * larger - 0.5, at[1] * larger - 0.5))
    if white is None:
        raise Problem("live.problem.white", 422)
    return list(white)
