"""Calibrate tile colors on the page: lay one of each in a row, detect, confirm, save."""

import json
from base64 import b64encode
from dataclasses import replace
from typing import Any

import cv2
import numpy as np
from flask import Blueprint, Response, jsonify, render_template

from companion.cases.store import write
from companion.games import game_of
from companion.live.picture import small_jpeg
from companion.live.session import TableSession
from companion.reading.pictures import QUALITY
from companion.web.access.roles import for_hosts, for_players
from companion.web.language import request_words
from companion.web.problems import Problem
from companion.web.request_json import json_body
from companion.web.services import services
from companion.web.tables.opened import session_of

bp = Blueprint("live_colors", __name__)

LEAST = 2
"""Colors that a row has at least."""


@bp.get("/live/<table>/colors")
@for_hosts
def page(table: str) -> str:
    """The page that asks for the row."""
    session = session_of(table)
    colors = list(game_of(session.profile).tiles)
    names = {f"color.{color}": request_words().term(f"color.{color}") for color in colors}
    given = {"table": table, "colors": colors, "learned": session.profile.palette is not None, "terms": names}
    printed = bool(session.profile.zone_markers)
    return render_template("live/colors.html", given=given, printed=printed)


@bp.post("/api/live/<table>/colors/look")
@for_players
def look(table: str) -> Response:
    """What is seen of the row now: each tile's center in the picture (0 to 1) and a close-up."""
    session = session_of(table)
    order = _order(json_body(), session)
    image = session.frame
    if image is None:
        raise Problem("live.problem.no-picture", 409)
    tables = services().tables
    pictures, centers = tables.eyes.row(image, session.profile, len(order))
    height, width = image.shape[:2]
    tables.looked = (table, image)
    return jsonify(
        {
            "tiles": [
                {
                    "color": color,
                    "at": [round(float(x + 0.5) / width, 4), round(float(y + 0.5) / height, 4)],
                    "picture": _inline(picture),
                }
                for color, picture, (x, y) in zip(order, pictures, centers, strict=True)
            ],
            "frame": "data:image/jpeg;base64," + b64encode(small_jpeg(image, 960, QUALITY)).decode(),
            "size": [width, height],
        }
    )


@bp.post("/api/live/<table>/colors/save")
@for_hosts
def save(table: str) -> Response:
    """Save the colors of the row that was detected last; the table is read with them from now on."""
    session = session_of(table)
    order = _order(json_body(), session)
    tables = services().tables
    if tables.looked is None or tables.looked[0] != table:
        raise Problem("problem.request")
    image = tables.looked[1]
    palette = tables.eyes.palette([image], session.profile, order)
    file = session.journal.begun.get("file") or tables.save(session.profile)
    path = tables.store.tables / f"{file}.palette"
    write(path, json.dumps(palette.to_json()).encode())
    profile = replace(session.profile, palette=str(path))
    tables.save(profile, file)
    tables.looked = None
    session.take_profile(profile, file)
    return jsonify({"file": file})


def _order(body: dict[str, Any], session: TableSession) -> list[str]:
    order, known = body.get("order"), game_of(session.profile).tiles
    if not isinstance(order, list) or not all(isinstance(color, str) and color in known for color in order):
        raise Problem("problem.request")
    if len({*order}) != len(order) or len(order) < LEAST:
        raise Problem("problem.request")
    return order


def _inline(picture: np.ndarray) -> str:
    done, data = cv2.imencode(".png", picture)
    return "data:image/png;base64," + b64encode(data.tobytes()).decode() if done else ""
