"""A camera that is held over the sheets of a play: its page, and what is said of each of its small pictures."""

from flask import Blueprint, Response, jsonify, render_template

from companion.web import photos
from companion.web.access.roles import for_players
from companion.web.request_body import body
from companion.web.services import services
from companion.web.sheet_profiles import load_sheet
from companion.web.sheets.plays import GAME, opened_play
from vision.sheet.aim import aim

bp = Blueprint("shutter", __name__)
MOST_BYTES = 512 * 1024
"""Of a small picture: 640 pixels wide it has a tenth of that."""


@bp.get(f"/{GAME}/plays/<play_id>/hold")
@for_players
def page(play_id: str) -> str:
    """The page that takes the photos by itself."""
    opened_play(play_id)
    return render_template("ruin/hold.html", play_id=play_id)


@bp.post(f"/api/{GAME}/plays/<play_id>/aim")
@for_players
def look(play_id: str) -> Response:
    """Where the sheet lies in a small picture, in shares of its width and height, and what keeps it from a photo."""
    profile = load_sheet(opened_play(play_id).sheet)
    with photos.turn():
        found = aim(services().eyes.load(body(MOST_BYTES)).image, profile)
    grid = None if found.grid is None else [[round(float(x), 4), round(float(y), 4)] for x, y in found.grid]
    return jsonify({"grid": grid, "trouble": found.trouble})
