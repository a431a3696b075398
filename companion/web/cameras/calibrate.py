"""Calibrate a camera on the page: take pictures, show which views are missing, save the profile."""

import json
import re
import threading
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from flask import Blueprint, Response, current_app, jsonify, render_template, request, send_file

from calibration.camera import SETTINGS, CameraError, CameraProfile, View, check, coverage, look, missing, needs, solve
from common.file_kind import marked
from companion.cases.store import SHEET_NAME, new_id, newest, write
from companion.web import photos
from companion.web.access.roles import for_guests, for_hosts, for_players
from companion.web.answers import found
from companion.web.language import request_words, saved_files
from companion.web.problems import Problem
from companion.web.request_body import brought_file
from companion.web.request_json import json_body
from companion.web.services import services

bp = Blueprint("camera", __name__)

STILL = 0.003
"""How far the board may have moved between two live pictures to be held still, in parts of the width."""
MOST_VIEWS = 40
MOST_ROUNDS = 8
"""Calibrations that go on at a time; the oldest is forgotten."""


@dataclass
class Round:
    """A calibration that goes on: the pictures taken, the last one seen, and what they make."""

    views: list[View] = field(default_factory=list)
    last: View | None = None
    profile: CameraProfile | None = None
    lock: threading.Lock = field(default_factory=threading.Lock)


@bp.get("/camera/")
@for_players
def page() -> str:
    """The cameras that are known, and a new calibration."""
    return render_template("camera/page.html", cameras=cameras())


@bp.get("/camera/<name>.json")
@for_guests
def file(name: str) -> Response:
    """A camera profile, for the command line."""
    path = _path(name)
    found(path.is_file())
    return send_file(path, max_age=0)


@bp.post("/api/camera")
@for_players
def begin() -> Response:
    """A new calibration."""
    name, rounds = new_id(), _rounds()
    rounds[name] = Round()
    for old in list(rounds)[:-MOST_ROUNDS]:
        rounds.pop(old, None)
    return jsonify(_view(name, rounds[name]))


@bp.post("/api/camera/<name>/picture")
@for_players
def picture(name: str) -> Response:
    """A picture: of a live camera (`?live`, then it is taken once the board is held still), or a photo."""
    going = _round(name)
    data = brought_file()
    seen: View | None = None
    refused = None
    taken = False
    try:
        with photos.turn():
            image = services().eyes.load(data).image
            seen = look(image)
    except CameraError as error:
        refused = error
    with going.lock:
        still = "live" not in request.args or (seen and going.last and seen.apart(going.last) < STILL)
        going.last = seen
        if seen is not None:
            try:
                if len(going.views) >= MOST_VIEWS:
                    raise CameraError("board.same")
                check(seen, going.views)
                if still:
                    going.views.append(seen)
                    taken = True
                    _solve(going)
            except CameraError as error:
                refused = error
        return jsonify(_view(name, going, seen, refused, taken))


@bp.post("/api/camera/<name>/undo")
@for_players
def undo(name: str) -> Response:
    """Take the last picture back."""
    going = _round(name)
    with going.lock:
        if going.views:
            going.views.pop()
        _solve(going)
        return jsonify(_view(name, going))


@bp.post("/api/camera/<name>/save")
@for_players
def save(name: str) -> Response:
    """Keep the profile under a name."""
    going = _round(name)
    title = json_body().get("name")
    if not isinstance(title, str) or not title.strip() or len(title) > 60:
        raise Problem("camera.problem.name")
    with going.lock:
        profile = solve(going.views, title.strip())
    stem = re.sub(r"[^a-z0-9]+", "-", title.lower()).strip("-")[:36] or f"camera-{new_id()[:4]}"
    path = _path(stem)
    path.parent.mkdir(exist_ok=True)
    write(path, json.dumps(marked("camera", profile.to_json()), ensure_ascii=False).encode())
    return jsonify({"file": stem, "address": f"/camera/{stem}.json"})


@bp.delete("/api/cameras/<name>")
@for_hosts
def forget(name: str) -> Response:
    _path(name).unlink(missing_ok=True)
    return jsonify({})


def cameras() -> list[dict[str, Any]]:
    """The saved camera profiles, the newest first; a broken one says so."""

    def shown(file: str) -> dict[str, Any]:
        profile = CameraProfile.load(folder / f"{file}.json")
        width, height = profile.size
        return {"name": profile.name, "size": f"{width} × {height}", "error": f"{profile.error:.2f}"}

    folder = services().store.folder / "cameras"
    return saved_files(newest(folder), shown)


def camera_profile(name: Any) -> CameraProfile:
    """A saved camera. Raises Problem (no such name), CameraProfileError, OSError."""
    if not isinstance(name, str):
        raise Problem("problem.request")
    return CameraProfile.load(_path(name))


def _solve(going: Round) -> None:
    try:
        going.profile = solve(going.views)
    except CameraError:
        going.profile = None


def _view(
    name: str, going: Round, seen: View | None = None, refused: CameraError | None = None, taken: bool = False
) -> dict[str, Any]:
    """Everything that the page shows."""
    lacking = missing(going.views)
    profile = going.profile
    return {
        "id": name,
        "seen": seen and {"size": list(seen.size), "points": [[round(float(v), 1) for v in p] for p in seen.points]},
        "refused": refused and {"key": refused.key, "message": request_words().told(refused)},
        "taken": taken,
        "views": len(going.views),
        "enough": SETTINGS.views,
        "can_save": profile is not None,
        "needs": [{"key": need.key, "met": need.met} for need in needs(going.views)],
        "next": lacking[0] if lacking else None,
        "coverage": coverage(going.views).tolist(),
        "error": round(profile.error, 2) if profile else None,
    }


def _rounds() -> dict[str, Round]:
    """The calibrations that go on, by id; kept in memory, for they take two minutes."""
    rounds: dict[str, Round] = current_app.extensions.setdefault("camera", {})
    return rounds


def _round(name: str) -> Round:
    """A calibration that goes on. Raises Problem."""
    return found(_rounds().get(name), "camera.problem.gone")


def _path(name: str) -> Path:
    found(SHEET_NAME.fullmatch(name))
    path: Path = services().store.folder / "cameras" / f"{name}.json"
    return path
