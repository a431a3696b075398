"""The live table's home: play the demo, begin to follow a table of one's own, saved layouts, tables of the past."""

from typing import Any

from flask import Blueprint, Response, jsonify, render_template, request

from calibration.camera import CameraProfile, CameraProfileError
from companion.cases.journal import DEMO, GAME
from companion.games import FIRST, GAMES, game_of, table_games
from companion.games.entry import Game
from companion.live.picture import small_jpeg
from companion.printing import sets
from companion.printing.paper import PAPERS
from companion.sources.camera_names import camera_names
from companion.web.access.access_control import clicked, here
from companion.web.access.roles import for_guests, for_hosts
from companion.web.answers import as_json_file
from companion.web.cameras.calibrate import camera_profile, cameras
from companion.web.cases.saved_defaults import kept
from companion.web.language import date, request_words, say
from companion.web.photos import turn
from companion.web.problems import Problem
from companion.web.request_json import json_body
from companion.web.running.live_tables import LiveTables, usable
from companion.web.services import services
from companion.web.tables.opened import checked, in_words, refuse_to_stop_unasked
from vision.table.palette import PaletteError
from vision.table.profile import TableProfile, TableProfileError

bp = Blueprint("live_home", __name__)

OF_THIS_COMPUTER = ("palette", "decks", "sheet")
"""What of a layout names other files."""
STARTED = {"source", "profile", "mats", "name", "game", "rule", "camera", "instead"}
"""What may be said of a table that is to be followed."""
PREVIEW = 6.0
"""Seconds that a camera may take to give a first picture."""
PREVIEW_WIDTH = 480
"""Pixels of its width that are shown."""


@bp.get("/live/")
@for_guests
def home() -> str:
    """Play the demo, follow a table, look at those that were."""
    tables = services().tables
    past = [
        {
            "id": row["id"],
            "name": say("live.demo-name") if row["sheet"] == DEMO else row["sheet"],
            "date": date(row["started"]),
            "now": (session := tables.session(row["id"])) is not None and session.running,
        }
        for row in tables.store.plays(GAME)
    ]
    area = request_words().area
    profiles = [{**one, "zones": [area(zone) for zone in one.get("zones", ())]} for one in tables.profiles()]
    game = GAMES.get(request.args.get("game", ""))
    chosen = game.slug if game else next((one["game"] for one in profiles if not one["broken"]), None)
    return render_template(
        "live/home.html", past=past, profiles=profiles, here=here(), games=table_games(), papers=list(PAPERS),
        demo="demo" in request.args and clicked(), demo_game=GAMES[FIRST],
        cameras=[one for one in cameras() if not one["broken"]], chosen=chosen, names=camera_names(), game=game,
        way="photo" if request.args.get("way") == "photo" else "camera",
    )  # fmt: skip


@bp.get("/live/profiles/<name>.json")
@for_guests
def profile_file(name: str) -> Response:
    """A saved layout as a file: what `print` and the command line have, and *Open a layout* takes."""
    try:
        data = services().tables.profile(name).to_json()
    except (OSError, TableProfileError, PaletteError):
        raise Problem("problem.not-found", 404) from None
    return as_json_file("table", {k: v for k, v in data.items() if k not in OF_THIS_COMPUTER}, f"{name}.json")


@bp.post("/api/live/profiles")
@for_hosts
def take_profile() -> Response:
    """Keep a layout that comes as a file; files of another computer that it names stay behind."""
    data = {key: value for key, value in json_body(otherwise="problem.file").items() if key not in OF_THIS_COMPUTER}
    with in_words():
        return jsonify({"file": services().tables.save(usable(TableProfile.from_json(data)))})


@bp.post("/live/camera/<int:number>.jpg")
@for_hosts
def preview(number: int) -> Response:
    """What a camera of this computer sees now, for whoever chooses one. A post: no link from elsewhere may open it."""
    tables = services().tables
    filmed = tables.filmed
    if filmed is not None and filmed.running and filmed.journal.begun.get("source") == str(number):
        image = filmed.frame
    else:
        with turn(), in_words():
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


@bp.post("/api/live/start")
@for_hosts
def start() -> Response:
    """Follow a table: the demo, or a source with a profile (a saved one, one that fits the printed mats, or bare)."""
    body = json_body()
    spec = body.get("source")
    if not isinstance(spec, str) or body.keys() - STARTED:
        raise Problem("problem.request")
    tables = services().tables
    filmed = tables.filmed
    if spec == DEMO and not body.get("profile"):
        if filmed is not None and filmed.running and filmed.journal.begun.get("source") == DEMO:
            return jsonify({"table": filmed.table})
        profile, file = tables.eyes.demo_profile(), None
    else:
        profile, file = _chosen(tables, body)
    refuse_to_stop_unasked(spec, None, body)
    with in_words():
        session = tables.start(spec, profile, file, here(), _lens(body.get("camera")))
    if values := {key: value for key, value in kept(game_of(profile)).items() if value is not None}:
        session.enter(values, {}, said=False)
    return jsonify({"table": session.table})


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
        data, file = _printed(mats, game or GAMES[FIRST]), None
    else:
        data, file = {"zones": {}}, None
        if game:
            data |= _cards(game)
    name = body.get("name")
    given = data.get("name") if file else say(f"game.{game.slug}") if game else None
    data["name"] = (name.strip()[:40] if isinstance(name, str) else "") or given or say("live.new-name")
    if game:
        data["game"] = game.slug
    if "rule" in body:
        data = {key: value for key, value in data.items() if key != "rule"} | ({} if rule is None else {"rule": rule})
    return checked(data), file


def _printed(mats: dict[str, Any], game: Game) -> dict[str, Any]:
    """The profile of a table with the printed mats."""
    zones, paper, sheets = mats.get("zones"), mats.get("paper", "A4"), mats.get("sheets", 2)
    if not isinstance(zones, list) or not all(isinstance(zone, str) and zone in game.mats for zone in zones):
        raise Problem("problem.request")
    if not zones or len({*zones}) < len(zones) or paper not in tuple(PAPERS) or sheets not in (1, 2):
        raise Problem("problem.request")
    kind = "corners" if mats.get("corners") else "mats"
    return sets.profile(sets.Order(kind, game, paper, tuple(zones), (sheets, game.mat_rows))).to_json()


def _cards(game: Game) -> dict[str, Any]:
    """Dictionary and cards of a game's printed stickers, for a table whose zones are drawn."""
    data = sets.profile(sets.Order("mats", game)).to_json()
    return {key: data[key] for key in ("dictionary", "cards") if key in data}
