"""The live table's page and API: the reading, each player's points, corrections and typed entries."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict
from typing import Any

from flask import (
    Blueprint,
    Response,
    jsonify,
    redirect,
    render_template,
    request,
    url_for,
)
from werkzeug.wrappers import Response as AnyResponse

from calibration.camera import CameraProfile, CameraProfileError
from companion.cases import address, pictures
from companion.cases.evaluate import questions
from companion.cases.handed_back import table_words
from companion.cases.journal import DEMO, GAME, Journal
from companion.cases.misread import table_misread
from companion.cases.replay import log_of
from companion.cases.store import ID
from companion.cases.table_evidence import READ
from companion.games import FIRST, GAMES, game_of, table_games
from companion.games.entry import Game
from companion.games.shape import fit
from companion.games.zones import players_of
from companion.live.earlier import reading_of
from companion.live.map_session import MapSession
from companion.live.picture import small_jpeg
from companion.live.session import TableSession
from companion.sources import Source, SourceError
from companion.sources.camera_names import camera_names
from companion.sources.photos import PhotoSource
from companion.sources.undistorted import Straightened
from companion.web.access.access_control import clicked, here, stays
from companion.web.cameras.calibrate import camera_profile, cameras
from companion.web.cases.case_page import fields, state_of
from companion.web.language import date, language, request_words, say
from companion.web.news import event_id, event_stream
from companion.web.problems import Problem
from companion.web.request_json import json_body
from companion.web.services import services
from companion.web.sheets.photos import turn
from companion.web.streams import place_of, streamed
from companion.web.tables import view
from companion.web.tables.running import LiveTables, usable
from companion.web.tables.vision_service import PHOTOS
from scoring import StateError
from scoring.fields import known
from vision.photo import Photo
from vision.table.palette import PaletteError
from vision.table.profile import TableProfile, TableProfileError
from vision.table.white_balance import white_at

bp = Blueprint("live", __name__)

STILL = 3.0
"""Seconds after which the picture is sent again though no new frame came, so that a lost viewer is noticed."""
PATIENCE = 1.0
"""Seconds to wait for a frame before looking whether the viewer is still there."""
PAPERS = ("A4", "A3", "Letter")
MOST_ZONES = 16
MOST_SEATS = 4
OF_THIS_COMPUTER = ("palette", "decks", "sheet")
"""What of a layout names other files."""
MOST_ENTRIES = 32 * 1024
BOUNDARY = "frame"
PREVIEW = 6.0
"""Seconds that a camera may take to give a first picture."""
PREVIEW_WIDTH = 480
"""Pixels of its width that are shown."""
READING = 60.0
"""Seconds that photos of a table may take to be read."""


# Pages


@bp.get("/live/")
def home() -> str:
    """Play the demo, follow a table, look at those that were."""
    tables = services().tables
    now = tables.now
    past = [
        {
            "id": row["id"],
            "name": row["sheet"],
            "date": date(row["started"]),
            "now": now is not None and now.table == row["id"] and now.running,
        }
        for row in tables.store.plays(GAME)
    ]
    profiles = tables.profiles()
    game = GAMES.get(request.args.get("game", ""))
    chosen = game.slug if game else next((one["game"] for one in profiles if not one["broken"]), None)
    return render_template(
        "live/home.html", past=past, profiles=profiles, here=here(), games=table_games(), papers=PAPERS,
        demo="demo" in request.args and clicked(), demo_game=FIRST,
        cameras=[one for one in cameras() if not one["broken"]], chosen=chosen, names=camera_names(), game=game,
        way="photo" if request.args.get("way") == "photo" else "camera",
    )  # fmt: skip


@bp.get("/live/profiles/<name>.json")
def profile_file(name: str) -> Response:
    """A saved layout as a file: what `print` and the command line have, and *Open a layout* takes."""
    try:
        data = services().tables.profile(name).to_json()
    except (OSError, TableProfileError, PaletteError):
        raise Problem("problem.not-found", 404) from None
    response = jsonify({key: value for key, value in data.items() if key not in OF_THIS_COMPUTER})
    response.headers["Content-Disposition"] = f'attachment; filename="{name}.json"'
    return response


@bp.post("/api/live/profiles")
def take_profile() -> Response:
    """Keep a layout that comes as a file; files of another computer that it names stay behind."""
    data = {key: value for key, value in json_body().items() if key not in OF_THIS_COMPUTER}
    with _said():
        return jsonify({"file": services().tables.save(usable(TableProfile.from_json(data)))})


@bp.get("/live/<table>")
def page(table: str) -> str:
    """A table."""
    session, journal = table_of(table)
    game = GAMES[journal.begun["profile"].get("game", FIRST.slug)]
    given = {
        "table": table,
        "name": journal.begun["profile"]["name"],
        "game": game.slug,
        "running": session is not None,
        "id": event_id(session.epoch, session.changes.number) if session else None,
        "view": view.all_of(session) if session else view.past(journal),
        "box": game.box,
        "questions": questions(game.slug, language()),
        "terms": dict(request_words().starting("color.", *game.terms)),
        "fields": fields(game),
        "typed": asdict(game.typed),
        "colors": list(game.colors),
        "learns": bool(game.tiles),
        "cards": [game.card_words(card, say) for card in game.deck],
        "areas": game.mats,
        "zones": len(journal.begun["profile"].get("zones", {})),
        "faces": session is not None and bool(session.profile.decks),
        "demo": journal.begun.get("source") == DEMO,
        "photos": journal.begun.get("source") == PHOTOS,
    }
    return render_template("live/table.html", given=given, game=game.slug)


@bp.get("/live/<table>/game.jsonl")
def game_lines(table: str) -> Response:
    """The game as JSON lines that `referee` reads again: the last one, or that of a row of the table's history."""
    session, journal = table_of(table)
    row = request.args.get("row", type=int)
    log = log_of(journal, row) if session is None or row is not None else session.log
    headers = {"Content-Disposition": 'attachment; filename="game.jsonl"'}
    return Response(log.to_lines(), mimetype="application/jsonl", headers=headers)


@bp.get("/live/<table>/case")
def case(table: str) -> AnyResponse:
    """The state as a case on the dispute page: as it is, or a row of the history."""
    session, journal = table_of(table)
    number = request.args.get("row", type=int)
    if number is not None:
        whole = journal.whole(number)
        state = whole["state"] if whole else None
    elif session is not None:
        state = session.settled.table.state if session.settled else None
    else:
        row = journal.last()
        whole = journal.whole(row.number) if row else None
        state = whole["state"] if whole else None
    if state is None:
        raise Problem("live.problem.nothing-yet", 404)
    case: dict[str, Any] = {"game": state["game"], "s": address.pack(state)}
    if session is not None and number is None:
        case["from"] = url_for("live.page", table=table)
    return redirect(url_for("dispute.page", **case))


@bp.get("/live/<table>/misread.zip")
def misread(table: str) -> Response:
    """A table at rest as a case for tests and benches: photo, reading, what people said it shows, profile.

    `row`: that state of the history, else the last; also of a table that is not followed any more.
    """
    session, journal = table_of(table)
    number = request.args.get("row", type=int)
    if number is None and session is not None:
        row = None if session.settled is None or session.settled.number is None else journal.row(session.settled.number)
    else:
        row = journal.last() if number is None else journal.row(number)
    kept = None if row is None else journal.whole(row.number)
    if kept is None or row is None or row.photo is None:
        raise Problem("live.problem.nothing-yet", 404)
    photo = (services().store.photos / f"{row.photo}.jpg").read_bytes()
    read = reading_of({**kept, **kept.get(READ, {})})
    profile = TableProfile.from_json(journal.begun["profile"]).shrunk(kept.get("scale", 1.0))
    return Response(
        table_misread(photo, read, reading_of(kept), profile, kept["size"][0]).to_zip(), mimetype="application/zip"
    )


@bp.post("/api/live/<table>/case")
def hand_back(table: str) -> Response:
    """A tapped state of this table comes back: what differs becomes what people say of tiles, and what they type. One
    of an earlier `row` is what the table was then: all after it is judged anew."""
    session = session_of(table)
    settled, row = session.settled, request.args.get("row", type=int)
    if settled is None:
        raise Problem("live.problem.nothing-yet", 409)
    earlier = None if row in (None, settled.number) else session.journal.whole(row or 0)
    before = settled.table.state if earlier is None else earlier["state"]
    after = state_of(json_body(), before["game"])
    if len(after["players"]) != len(before["players"]):
        raise Problem("live.problem.players", 409, expected=len(before["players"]), got=len(after["players"]))
    if row is not None and row != settled.number:
        if not session.type_earlier(row, after):
            raise Problem("problem.not-found", 404)
        return jsonify(view.table_view(session))
    said = table_words(before, after, settled.table.zones, settled.table.places)
    for place, color in said.tiles.items():
        x, y = settled.reading.tiles[settled.table.places[place][0]].center
        session.say_tile((float(x), float(y)), color)
    if said.table or said.players:
        session.enter(said.table, said.players)
    return jsonify(view.table_view(session))


# What is seen


@bp.post("/live/camera/<int:number>.jpg")
def preview(number: int) -> Response:
    """What a camera of this computer sees now, for whoever chooses one. A post: no link from elsewhere may open it."""
    tables = services().tables
    now = tables.now
    if now is not None and now.running and now.journal.begun.get("source") == str(number):
        image = now.frame
    else:
        with turn(), _said():
            source = tables.eyes.source(str(number), False)
            source.start()
            try:
                frame = source.next(0, PREVIEW)
            finally:
                source.close()
        image = None if frame is None else frame.image
    if image is None:
        raise Problem("live.problem.no-picture", 404)
    return Response(small_jpeg(image, PREVIEW_WIDTH, 80), mimetype="image/jpeg")


@bp.get("/live/<table>/picture.mjpg")
def moving(table: str) -> Response:
    """The moving picture."""
    return picture_stream(session_of(table))


def picture_stream(session: TableSession | MapSession) -> Response:
    """A session's live picture, part after part, until it ends or the viewer goes."""
    taken = place_of(services().tables.pictures)
    here_still = stays()

    def parts() -> Iterator[bytes]:
        # Browsers show the first part only when the next comes, so it comes twice at once.
        number, sent, times = 0, time.monotonic(), 2
        while not session.changes.closed and here_still():
            made = session.picture.next(number if time.monotonic() - sent < STILL else -1, PATIENCE)
            if made is None:
                if times == 2:
                    yield b"\r\n"  # before the first part anything may stand; a viewer who has gone is noticed by it
                continue
            if times == 2:
                yield f"--{BOUNDARY}\r\n".encode()
            number, jpeg = made
            sent = time.monotonic()
            # The boundary follows at once: browsers show a part when they see its end.
            head = f"Content-Type: image/jpeg\r\nContent-Length: {len(jpeg)}\r\n\r\n".encode()
            for _ in range(times):
                yield head + jpeg + f"\r\n--{BOUNDARY}\r\n".encode()
            times = 1

    return streamed(parts(), taken, f"multipart/x-mixed-replace; boundary={BOUNDARY}")


@bp.get("/live/<table>/frame.jpg")
def still(table: str) -> Response:
    """The newest frame."""
    return newest_picture(session_of(table))


def newest_picture(session: TableSession | MapSession) -> Response:
    """A session's newest frame. Raises Problem while there is none."""
    made = session.picture.next(-1, 2.0)
    if made is None:
        raise Problem("live.problem.no-picture", 404)
    return Response(made[1], mimetype="image/jpeg")


@bp.get("/api/live/<table>/events")
def events(table: str) -> Response:
    """What changes, as it does: server-sent events. A page that was away hears what it missed."""
    session = session_of(table)
    return event_stream(session.changes, session.epoch, lambda news: _news(session, news), listening=session.looked_at)


@bp.get("/api/live/<table>")
def show(table: str) -> Response:
    """Everything at once, for a page without events."""
    session, journal = table_of(table)
    if session is not None:
        session.looked_at()
    return jsonify(view.all_of(session) if session else view.past(journal))


@bp.get("/api/live/<table>/rows/<int:number>")
def row(table: str, number: int) -> Response:
    """A settled state of the history."""
    _, journal = table_of(table)
    found = view.kept_view(journal, number)
    if found is None:
        raise Problem("problem.not-found", 404)
    return jsonify(found)


# What people do


@bp.post("/api/live/start")
def start() -> Response:
    """Follow a table: the demo, or a source with a profile (a saved one, one that fits the printed mats, or bare)."""
    body = json_body()
    spec = body.get("source")
    if not isinstance(spec, str) or body.keys() - {"source", "profile", "mats", "name", "game", "rule", "camera"}:
        raise Problem("problem.request")
    tables = services().tables
    now = tables.now
    if spec == DEMO and not body.get("profile"):
        if now is not None and now.running and now.journal.begun.get("source") == DEMO:
            return jsonify({"table": now.table})
        profile, file = tables.eyes.demo_profile(), None
    else:
        profile, file = _chosen(tables, body)
    with _said():
        return jsonify({"table": tables.start(spec, profile, file, here(), _lens(body.get("camera"))).table})


@bp.post("/api/live/<table>/photos")
def photograph(table: str) -> Response:
    """Photos of the table as it lies, to be read in order; everything that the page shows, once they are."""
    session = session_of(table)
    source = _photo_source(session)
    if source is None:
        raise Problem("live.problem.no-photos", 409)
    files = request.files.getlist("photo") if request.mimetype == "multipart/form-data" else []
    brought = [file.read() for file in files] or [request.get_data()]
    with turn():
        photos = [services().eyes.load(data) for data in brought]
    numbers = [_photographed(session, source, photo) for photo in photos]
    if not source.wait(numbers[-1], READING):
        raise Problem("problem.busy", 503)
    return jsonify(view.all_of(session))


def _photo_source(session: TableSession) -> PhotoSource | None:
    """What takes photos of a table; None where it is filmed."""
    source: Source = session.source
    if isinstance(source, Straightened):
        source = source.inner
    return source if isinstance(source, PhotoSource) else None


def _photographed(session: TableSession, source: PhotoSource, photo: Photo) -> int:
    """Keep a photo, then have it read. Returns its number."""
    kept = pictures.shrink(photo.image)
    session.journal.photographed(pictures.jpeg(kept), photo.scale * photo.image.shape[1] / kept.shape[1])
    return source.put(photo)


@bp.post("/api/live/<table>/again")
def again(table: str) -> Response:
    """Go on with a table that was followed before."""
    table_of(table)
    with _said():
        session = services().tables.again(table, here())
    if session:
        _read_again(session)
    return jsonify({})


def _read_again(session: TableSession) -> None:
    """Where a table is photographed, its last photo is read once more."""
    source = _photo_source(session)
    if source and (kept := session.journal.photo):
        photo, scale = kept
        data = (services().store.photos / f"{photo}.jpg").read_bytes()
        source.put(Photo(services().eyes.load(data).image, scale))


@bp.post("/api/live/<table>/stop")
def stop(table: str) -> Response:
    """Stop following; the history stays."""
    table_of(table)
    services().tables.stop(table)
    return jsonify({})


@bp.delete("/api/live/<table>")
def forget(table: str) -> Response:
    """Forget a table with its history and pictures, also one that cannot be read."""
    if (services().store.play(table) or {}).get("game") != GAME:
        raise Problem("live.problem.no-table", 404)
    services().tables.forget(table)
    return jsonify({})


@bp.post("/api/live/<table>/new-game")
def new_game(table: str) -> Response:
    """Another game begins: nothing of the last one counts in it but the players' names, the rule and the areas."""
    session = session_of(table)
    session.new_game()
    return jsonify(view.table_view(session))


@bp.post("/api/live/<table>/entries")
def enter(table: str) -> Response:
    """What no camera sees: values of the state and of players, by zone; null takes one back."""
    session = session_of(table)
    body = json_body()
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
    session.enter(state, players)
    services().tables.people.met(*names.values())
    return jsonify(view.table_view(session))


@bp.post("/api/live/<table>/tile")
def tile(table: str) -> Response:
    """What a person says of a piece that was seen at a point: a tile's `color`, or the number of a `card` in the
    game's list; null where there is none. `row`: of an earlier state, after which all is judged anew."""
    session = session_of(table)
    body = json_body()
    game = game_of(session.profile)
    at, color, card, row = body.get("at"), body.get("color", ""), body.get("card", ""), body.get("row")
    fits = color in (None, *game.colors)
    if "card" in body:
        fits = card is None or (type(card) is int and 0 <= card < len(game.deck))
    if not isinstance(at, list) or not _is_point(at) or not fits or type(row) not in (int, type(None)):
        raise Problem("problem.request")
    where = (at[0] - 0.5, at[1] - 0.5)
    entry = None if type(card) is not int else game.deck[card]
    if row is not None and (session.settled is None or row != session.settled.number):
        there = session.say_earlier(row, where, entry if "card" in body else color, "card" in body)
    elif "card" in body:
        there = session.say_card(where, entry)
    else:
        there = session.say_tile(where, color)
    if not there:
        raise Problem("live.problem.tile-gone", 409)
    return jsonify(view.table_view(session))


@bp.post("/api/live/<table>/move")
def move(table: str) -> Response:
    """What happened, where the referee asks; or, without a question, that the last move was none, or the n-th; or
    whether the game is `over`, where the table is being cleared; or how the house reads a silent rule."""
    session = session_of(table)
    body = json_body()
    if type(body.get("over")) is bool:
        session.game_is_over(body["over"])
        return jsonify(view.table_view(session))
    if "house" in body:
        house = body["house"]
        if not isinstance(house, dict) or len(house) != 1 or not all(session.set_house(*one) for one in house.items()):
            raise Problem("problem.request")
        return jsonify(view.table_view(session))
    question, choice, n = body.get("question", ""), body.get("choice", ""), body.get("n")
    if not isinstance(question, str) or not isinstance(choice, str) or type(n) not in (int, type(None)):
        raise Problem("problem.request")
    session.settle_move(question, choice, n)
    return jsonify(view.table_view(session))


@bp.post("/api/live/<table>/undo", defaults={"redo": False})
@bp.post("/api/live/<table>/redo", defaults={"redo": True})
def step(table: str, redo: bool) -> Response:
    """Take back what people said last; or say again what was taken back last."""
    session = session_of(table)
    if redo:
        session.redo()
    else:
        session.undo()
    return jsonify(view.table_view(session))


@bp.get("/api/live/<table>/areas")
def areas(table: str) -> Response:
    """Areas proposed from where cards lie, for so many `players`."""
    players = request.args.get("players", type=int)
    if players is not None and not 1 <= players <= MOST_SEATS:
        raise Problem("problem.request")
    return jsonify({"areas": view.areas_view(session_of(table).proposed(players))})


@bp.post("/api/live/<table>/zones")
def zones(table: str) -> Response:
    """Zones drawn on the picture, or taken from markers, and what is white there; saved with the profile.

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
    if session.settled is not None:
        data["picture"] = round(session.settled.size[0] * session.scale, 1)
    if "white" in body:
        data["white"] = _white(body["white"], session)
    profile = _profile(data)
    tables = services().tables
    file = tables.save(profile, session.journal.begun.get("file"))
    session.take_profile(profile, file)
    _read_again(session)
    return jsonify({"file": file})


@contextmanager
def _said() -> Iterator[None]:
    """What a source or a profile cannot give is said in words."""
    try:
        yield
    except SourceError as error:
        raise Problem("live.problem.source", 422, why=error) from None
    except (TableProfileError, PaletteError) as error:
        raise Problem("live.problem.profile", 422, why=error) from None


def _zone(given: Any, old: Any, scale: float) -> Any:
    """A zone from the page: a polygon in drawing coordinates, or `markers` as the profile has them already."""
    if isinstance(given, dict) and given.keys() == {"polygon"} and isinstance(given["polygon"], list):
        if not all(_is_point(point) for point in given["polygon"]):
            raise Problem("problem.request")
        return {"polygon": [[round((x - 0.5) * scale, 1), round((y - 0.5) * scale, 1)] for x, y in given["polygon"]]}
    if given == "markers" and isinstance(old, dict) and "markers" in old:
        return old
    raise Problem("problem.request")


def _white(at: Any, session: TableSession) -> list[float] | None:
    """Red, green and blue of the paper that was pointed at; null stays null. Raises Problem: no white paper there."""
    if at is None:
        return None
    if not _is_point(at):
        raise Problem("problem.request")
    white = None if session.frame is None else white_at(session.frame, (at[0] - 0.5, at[1] - 0.5))
    if white is None:
        raise Problem("live.problem.white", 422)
    return list(white)


def _lens(name: Any) -> CameraProfile | None:
    """The calibrated camera of this name. Raises Problem."""
    if name is None:
        return None
    try:
        return camera_profile(name)
    except (CameraProfileError, OSError):
        raise Problem("camera.problem.lens-gone", 409) from None


def _chosen(tables: LiveTables, body: dict[str, Any]) -> tuple[TableProfile, str | None]:
    """The profile that a person chose, with game and rule; and its file where it was saved before."""
    slug, rule, mats, file = body.get("game"), body.get("rule"), body.get("mats"), body.get("profile")
    if slug not in (None, *(one.slug for one in table_games())):
        raise Problem("problem.request")
    game = None if slug is None else GAMES[slug]
    if isinstance(file, str):
        try:
            data = tables.profile(file).to_json()
        except OSError:
            raise Problem("live.problem.profile-gone", 409) from None
        except (TableProfileError, PaletteError) as error:
            raise Problem("live.problem.profile", 422, why=error) from None
    elif isinstance(mats, dict):
        data, file = _printed(mats, game or FIRST), None
    else:
        data, file = {"zones": {}}, None
        if game:
            data |= _cards(game)
    name = body.get("name")
    data["name"] = (
        name.strip()[:40] if isinstance(name, str) and name.strip() else data.get("name") or say("live.new-name")
    )
    if game:
        data["game"] = game.slug
    if rule is not None:
        data["rule"] = rule
    return _profile(data), file


def _printed(mats: dict[str, Any], game: Game) -> dict[str, Any]:
    """The profile of a table with the printed mats."""
    from companion.printing import sets  # noqa: PLC0415 - what draws PDF is needed nowhere else here

    zones, paper, sheets = mats.get("zones"), mats.get("paper", "A4"), mats.get("sheets", 2)
    if not isinstance(zones, list) or not all(isinstance(zone, str) and zone in game.mats for zone in zones):
        raise Problem("problem.request")
    if not zones or len({*zones}) < len(zones) or paper not in PAPERS or sheets not in (1, 2):
        raise Problem("problem.request")
    kind = "corners" if mats.get("corners") else "mats"
    return sets.profile(sets.Order(kind, game, paper, tuple(zones), (sheets, game.mat_rows))).to_json()


def _cards(game: Game) -> dict[str, Any]:
    """Dictionary and cards of a game's printed stickers, for a table whose zones are drawn."""
    from companion.printing import sets  # noqa: PLC0415

    data = sets.profile(sets.Order("mats", game)).to_json()
    return {key: data[key] for key in ("dictionary", "cards") if key in data}


def _profile(data: dict[str, Any]) -> TableProfile:
    try:
        profile = TableProfile.from_json(data)
        game_of(profile)
        return profile
    except TableProfileError as error:
        raise Problem("live.problem.profile", 422, why=error) from None


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


# Helpers


def table_of(table: str) -> tuple[TableSession | None, Journal]:
    """A table's session (None: not followed now) and history. Raises Problem."""
    journal = services().tables.journal(table) if ID.fullmatch(table) else None
    if journal is None or not journal.begun:
        raise Problem("live.problem.no-table", 404)
    return services().tables.session(table), journal


def session_of(table: str) -> TableSession:
    """A table's session. Raises Problem where it is not followed."""
    session, _ = table_of(table)
    if session is None:
        raise Problem("live.problem.stopped", 409)
    return session


def _news(session: TableSession, news: Any) -> Iterator[tuple[str, Any]]:
    if news.everything:
        yield "all", view.all_of(session)
        return
    if news.table:
        yield "table", view.table_view(session)
    for number in news.rows:
        if (row := session.journal.row(number)) is not None:
            yield "row", view.row_view(row)
    if news.status:
        yield "status", view.status_view(session.status)


def _player_zones(session: TableSession) -> set[str]:
    seen = set(session.settled.table.zones) if session.settled else set()
    return seen | set(players_of(session.profile, game_of(session.profile).common))


def _is_point(value: Any) -> bool:
    return isinstance(value, list) and len(value) == 2 and all(type(v) in (int, float) and abs(v) < 1e5 for v in value)
