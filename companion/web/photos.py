"""Take uploaded photos: decode, shrink, strip their metadata, store."""

from contextlib import AbstractContextManager
from typing import Any

import numpy as np
from flask import Blueprint, Response, send_from_directory

from companion.cases.store import ID, write
from companion.reading import pictures
from companion.web.access.roles import for_guests
from companion.web.answers import found
from companion.web.problems import Problem
from companion.web.services import services

bp = Blueprint("photos", __name__)


@bp.get("/photos/<name>.jpg")
@for_guests
def file(name: str) -> Response:
    """A kept photo, or a picture made of one; what it shows never changes."""
    found(ID.fullmatch(name[:16]) and all(part.isalnum() for part in name.split("-")))
    if not (services().store.photos / f"{name}.jpg").is_file():
        _make(name)
    response = send_from_directory(services().store.photos, f"{name}.jpg", max_age=86400)
    response.cache_control.private, response.cache_control.public = True, False
    return response


def _make(name: str) -> None:
    """Make a picture that a reading of a play names, when it is first looked at. Nothing where none names it."""
    store = services().store
    photo, play = name[:16], name.rpartition("-")[2]
    readings = [edit["reading"] for edit in store.edits(play) if edit.get("kind") == "read" and edit["photo"] == photo]
    reading = next((one for one in readings if name in pictures.views(one)), None)
    kept = store.photos / f"{photo}.jpg"
    if reading is not None and kept.is_file():
        with turn():
            made = pictures.view(services().eyes.load(kept.read_bytes()).image, reading, name)
        write(store.photos / f"{name}.jpg", made)


def turn() -> AbstractContextManager[None]:
    """The turn to decode and read. Raises Problem where too many photos wait."""
    return services().turn.taken()


def is_point(value: Any) -> bool:
    """Whether this is a point of a picture, [x, y]."""
    return isinstance(value, list) and len(value) == 2 and all(type(v) in (int, float) and abs(v) < 1e5 for v in value)


def corners_of(value: Any) -> np.ndarray:
    """Corners that a person gave on the kept photo, from the first pixel's corner; (4, 2) in OpenCV's pixels."""
    if not isinstance(value, list) or len(value) != 4 or not all(map(is_point, value)):
        raise Problem("problem.corners")
    corners = np.array(value, np.float64) - 0.5
    edges = np.roll(corners, -1, 0) - corners
    turns = edges[:, 0] * np.roll(edges, -1, 0)[:, 1] - edges[:, 1] * np.roll(edges, -1, 0)[:, 0]
    # Clockwise as seen (y grows downward) and convex, and no side of a few pixels.
    if np.any(turns <= 0) or np.any(np.hypot(*edges.T) < 20):
        raise Problem("problem.corners")
    return corners
