"""Photos that come in: read, made small, stripped of what the phone wrote into them, kept."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import cv2
import numpy as np
from flask import Blueprint, Response, request, send_from_directory

from companion.cases.store import ID
from companion.web.problems import Problem
from companion.web.services import services
from companion.web.vision_service import Busy
from vision.sheet.flatten import FlatSheet, SheetMap, flatten
from vision.sheet.letter_classifier import SPAN, WHITE

if TYPE_CHECKING:
    from vision.sheet.letter_templates import Look
    from vision.sheet.profile import SheetProfile
    from vision.sheet.reading import SheetReading

bp = Blueprint("photos", __name__)

SIDE = 2000
"""Pixels of a kept photo's longer side, at most."""
QUALITY = 86
FLAT_QUALITY = 88
FLAT_CELL = 48
"""Pixels a cell of the flattened sheet that the page shows."""
EDGE, AROUND = 0.6, 3.0
"""Cells of paper shown around grid and tracks, and how far off tracks may lie to be shown."""
LETTER_CELL = 96
"""Pixels a cell of the letters' pictures."""
DULL, BRIGHT = 95, 250
"""A letter's paper is its pixels' percentile `DULL`; it is shown as bright as that."""


@bp.get("/photos/<name>.jpg")
def file(name: str) -> Response:
    """A kept photo; what it shows never changes."""
    if not ID.fullmatch(name[:16]) or not all(part.isalnum() for part in name.split("-")):
        raise Problem("problem.not-found", 404)
    response = send_from_directory(services().store.photos, f"{name}.jpg", max_age=86400)
    response.cache_control.private, response.cache_control.public = True, False
    return response


def upload() -> bytes:
    """The photo that this request brings: its body, or a form's field `photo`."""
    files = request.files.getlist("photo") if request.mimetype == "multipart/form-data" else []
    if len(files) > 1:
        raise Problem("problem.one-photo", 400)
    return files[0].read() if files else request.get_data()


def shrink(image: np.ndarray) -> np.ndarray:
    """The photo with at most `SIDE` pixels on its longer side."""
    height, width = image.shape[:2]
    scale = SIDE / max(height, width)
    if scale >= 1:
        return image
    return cv2.resize(
        image, (max(1, round(width * scale)), max(1, round(height * scale))), interpolation=cv2.INTER_AREA
    )


def jpeg(image: np.ndarray, quality: int = QUALITY) -> bytes:
    """The picture as JPEG, made anew: nothing of the phone's file comes along."""
    done, data = cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, quality])
    if not done:
        raise ValueError("expected a picture that JPEG can hold")
    return data.tobytes()


@contextmanager
def turn() -> Iterator[None]:
    """The turn to decode and read. Raises Problem where too many photos wait."""
    try:
        with services().turn.taken():
            yield
    except Busy:
        raise Problem("problem.busy", 503) from None


def shown_box(profile: SheetProfile) -> tuple[float, float, float, float]:
    """The part of a sheet that the page shows, x, y, width, height in cells: the grid, some paper, the tracks."""
    boxes = [box for track in profile.tracks.values() for box in track]
    left, top = (max(-AROUND, min([0.0, *(box[k] for box in boxes)])) - EDGE for k in (0, 1))
    ends = (profile.cols, profile.rows)
    right, bottom = (
        min(ends[k] + AROUND, max([ends[k], *(box[k] + box[k + 2] for box in boxes)])) + EDGE for k in (0, 1)
    )
    return left, top, right - left, bottom - top


def flat_view(image: np.ndarray, lattice: np.ndarray, profile: SheetProfile) -> FlatSheet:
    """The sheet from above as the page shows it; see `shown_box`."""
    return flatten(image, SheetMap(lattice), FLAT_CELL, box=shown_box(profile))


def letters_view(image: np.ndarray, lattice: np.ndarray, profile: SheetProfile) -> np.ndarray:
    """The letters' cells side by side, sorted, all equally lit: (side, side · n, 3) uint8, at least one side wide."""
    rim = (SPAN - 1) / 2
    side = round(LETTER_CELL * SPAN)
    out = np.full((side, side * max(1, len(profile.letters)), 3), BRIGHT, np.uint8)
    sheet_map = SheetMap(lattice)
    for k, (_, (row, col)) in enumerate(sorted(profile.letters.items())):
        box = (col - rim, row - rim, SPAN, SPAN)
        picture = flatten(image, sheet_map, LETTER_CELL, box=box).image
        paper = np.maximum(np.percentile(picture, DULL, axis=(0, 1)), 1)
        out[:, k * side : (k + 1) * side] = np.minimum(picture * (BRIGHT / paper), 255)
    return out


def prints_view(looks: Mapping[str, Look]) -> np.ndarray:
    """The blank sheet's letters side by side, sorted, as bright as in `letters_view`: (side, side · n) uint8."""
    beside = np.concatenate([looks[letter].picture for letter in sorted(looks)], 1)
    return np.minimum(beside * (BRIGHT / WHITE), 255).astype(np.uint8)


def reading_json(reading: SheetReading, flat: FlatSheet, scale: float) -> dict[str, Any]:
    """A reading as it is kept; `scale` leads from the photo to the kept one. Pixels from the first pixel's corner."""
    return {
        **{k: v for k, v in reading.to_json("").items() if k not in ("photo", "grid")},
        "doubtful_cells": [list(c) for c in reading.doubtful_cells],
        "letter_doubts": {letter: round(doubt, 3) for letter, doubt in reading.letter_doubts.items()},
        "lattice": lattice_json(reading.lattice, scale),
        "flat": flat_json(flat),
        "ticked": {track: [round(float(p), 3) for p in row] for track, row in reading.ticked.items()},
    }


def flat_json(flat: FlatSheet) -> dict[str, Any]:
    """Where the grid lies on a flattened picture: pixels a cell, the grid's corner, width and height."""
    return {"cell": flat.cell, "origin": [float(v) for v in flat.origin], "size": list(flat.image.shape[1::-1])}


def lattice_json(lattice: np.ndarray, scale: float) -> list[list[list[float]]]:
    """The grid's crossings in the kept photo, for drawing: [x, y] from the corner of its first pixel."""
    return [
        [[round((float(x) + 0.5) * scale, 2), round((float(y) + 0.5) * scale, 2)] for x, y in row] for row in lattice
    ]


def corners_of(value: Any) -> np.ndarray:
    """Corners that a person gave on the kept photo, from the first pixel's corner; (4, 2) in OpenCV's pixels."""
    good = (
        isinstance(value, list)
        and len(value) == 4
        and all(
            isinstance(p, list) and len(p) == 2 and all(type(v) in (int, float) and abs(v) < 1e5 for v in p)
            for p in value
        )
    )
    if not good:
        raise Problem("problem.corners")
    corners = np.array(value, np.float64) - 0.5
    edges = np.roll(corners, -1, 0) - corners
    turns = edges[:, 0] * np.roll(edges, -1, 0)[:, 1] - edges[:, 1] * np.roll(edges, -1, 0)[:, 0]
    # Clockwise as seen (y grows downward) and convex, and no side of a few pixels.
    if np.any(turns <= 0) or np.any(np.hypot(*edges.T) < 20):
        raise Problem("problem.corners")
    return corners
