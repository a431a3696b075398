"""The camera over the sheets of a play: start and stop following them, their moving picture."""

from pathlib import Path

from flask import Blueprint, Response, jsonify

from companion.demo import SHEET
from companion.live.map_session import MapSession
from companion.sources import SourceError
from companion.web.access.access_control import here
from companion.web.access.roles import for_guests, for_hosts
from companion.web.answers import found
from companion.web.problems import Problem
from companion.web.request_json import json_body
from companion.web.services import services
from companion.web.sheet_profiles import load_sheet, save_sheet
from companion.web.sheets.plays import GAME, Opened, new_player, opened_play
from companion.web.tables.live_picture import newest_picture, picture_stream
from vision.sheet.profile import SheetProfile
from vision.table.profile import MOST_SHEETS

bp = Blueprint("sheet_camera", __name__)
DEMO, DEMO_SHEETS = "demo-maps", 2


@bp.post(f"/api/{GAME}/demo-camera")
@for_hosts
def demo() -> Response:
    """A new play of the demo: two maps that are drawn in a film."""
    profile = SheetProfile.load(Path(SHEET))
    file = next((name for name in services().store.sheet_names() if load_sheet(name) == profile), None)
    play = services().store.start_play(GAME, file or save_sheet(profile, {})[0])
    opened = opened_play(play)
    opened.add({"kind": "demo"})
    _start(opened, DEMO, DEMO_SHEETS)
    return jsonify({"play": play})


@bp.post(f"/api/{GAME}/plays/<play_id>/camera")
@for_hosts
def start(play_id: str) -> Response:
    """Follow the sheets of this play's first players, from left to right; players who are missing are added."""
    opened, body = opened_play(play_id), json_body()
    spec, count = body.get("source"), body.get("sheets")
    if not isinstance(spec, str) or type(count) is not int or not 1 <= count <= MOST_SHEETS:
        raise Problem("problem.request")
    _start(opened, spec, count)
    return jsonify(opened.view())


def _start(opened: Opened, spec: str, count: int) -> None:
    while len(opened.play().players) < count:
        new_player(opened, opened.play())
    players = [player.id for player in opened.play().players[:count]]
    try:
        services().maps.start(opened.id, load_sheet(opened.sheet), players, spec, here())
    except SourceError as error:
        raise Problem("live.problem.source", 409, why=error) from None


@bp.delete(f"/api/{GAME}/plays/<play_id>/camera")
@for_hosts
def stop(play_id: str) -> Response:
    """Stop following; what was read stays."""
    opened = opened_play(play_id)
    services().maps.stop(opened.id)
    return jsonify(opened.view())


@bp.get(f"/{GAME}/plays/<play_id>/picture.mjpg")
@for_guests
def moving(play_id: str) -> Response:
    return picture_stream(_running(play_id))


@bp.get(f"/{GAME}/plays/<play_id>/frame.jpg")
@for_guests
def still(play_id: str) -> Response:
    """The newest frame."""
    return newest_picture(_running(play_id))


def _running(play_id: str) -> MapSession:
    session = services().maps.session(play_id)
    return found(session if session and session.running else None, "live.problem.no-picture")
