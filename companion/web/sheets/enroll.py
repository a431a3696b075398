"""A blank sheet is photographed, what was found is corrected, the profile is saved."""

from typing import Any

import cv2
import numpy as np
from flask import Blueprint, Response, jsonify, render_template, request, send_file

from companion.cases import pictures
from companion.cases.store import ID, SHEET_NAME, new_id
from companion.games.in_the_ruin import COLS, ROWS
from companion.web.access.access_control import clicked
from companion.web.language import say
from companion.web.problems import Problem
from companion.web.request_json import json_body
from companion.web.services import services
from companion.web.sheets import photos
from companion.web.sheets.profiles import save_sheet
from vision.errors import PhotoError
from vision.sheet.flatten import SheetMap
from vision.sheet.profile import ProfileError, SheetProfile
from vision.sheet.tracks import whole_page

bp = Blueprint("enroll", __name__)
SHEETS = "/in-the-ruin/sheets"
CORRECTABLE = ("name", "letters", "entrance", "tracks")
PICTURE = ("photo", "size", "lattice", "corners", "flat")
"""Where a draft keeps its picture and how the grid lies on it."""


@bp.get(f"{SHEETS}/new")
def new() -> str:
    """Ask for the blank sheet's photo."""
    return render_template("ruin/enroll.html", draft=None, demo="demo" in request.args and clicked())


@bp.get(f"{SHEETS}/drafts/<draft_id>")
def page(draft_id: str) -> str:
    """What was found, to be corrected."""
    return render_template("ruin/enroll.html", draft=view(draft_id, draft_of(draft_id)), demo=False)


@bp.get(f"{SHEETS}/<name>.json")
def profile_file(name: str) -> Response:
    """A saved profile as a file, for the command line."""
    path = services().store.sheet_file(name) if SHEET_NAME.fullmatch(name) else None
    if path is None or not path.is_file():
        raise Problem("problem.not-found", 404)
    return send_file(path, max_age=0)


@bp.post(f"/api{SHEETS}/profile")
def take_profile() -> Response:
    """Keep a sheet that comes as a file; its pictures stay behind."""
    try:
        profile = SheetProfile.from_json({**json_body(otherwise="problem.file"), "blank": None, "page": None})
    except ProfileError as error:
        raise Problem("problem.sheet-file", reason=error) from None
    if (profile.rows, profile.cols) != (ROWS, COLS):
        raise Problem("problem.sheet-size", rows=ROWS, cols=COLS)
    return jsonify({"sheet": save_sheet(profile, {})[0]})


@bp.post(f"/api{SHEETS}/photo")
def photo() -> Response:
    """The photo of a blank sheet, or the demo sheet's: a draft of its profile."""
    eyes = services().eyes
    demo = "demo" in request.args
    data = b"" if demo else photos.upload()
    with photos.turn():
        image = pictures.shrink(eyes.demo_blank() if demo else eyes.load(data).image)
        name = say("sheet.demo") if demo else "in-the-ruin"
        draft = {"name": name, "demo": demo, "said": [], **looked_at(image)}
    draft_id = new_id()
    services().store.save_draft(draft_id, draft)
    return jsonify(view(draft_id, draft))


@bp.post(f"/api{SHEETS}/drafts/<draft_id>")
def correct(draft_id: str) -> Response:
    """What a person corrects: corners (everything is read anew from them), or letters, entrance, tracks, name."""
    draft = draft_of(draft_id)
    body = json_body()
    if body.keys() - {"corners", "checked", *CORRECTABLE} or ("corners" in body and not draft["photo"]):
        raise Problem("problem.request")
    if "corners" in body:
        grid = photos.corners_of(body["corners"])
        store = services().store
        with photos.turn():
            image = services().eyes.load((store.photos / f"{draft['photo']}.jpg").read_bytes()).image
            seen = found(image, draft["photo"], grid, draft["letters"] if "letters" in draft["said"] else None)
        if seen["problem"]:
            raise Problem(seen["problem"]["key"], 422, **seen["problem"]["values"])
        draft |= {k: v for k, v in seen.items() if k not in draft["said"]}
    if isinstance(body.get("letters"), dict):
        _judge_letters(draft, body["letters"])
    draft["doubtful"] = [letter for letter in draft.get("doubtful", []) if letter != body.get("checked")]
    for key in body.keys() & set(CORRECTABLE):
        draft[key] = body[key]
        draft["said"] = sorted({*draft["said"], key})
    if not draft["problem"]:
        _profile(draft)
    services().store.save_draft(draft_id, draft)
    return jsonify(view(draft_id, draft))


@bp.post(f"/api{SHEETS}/drafts/<draft_id>/save")
def save(draft_id: str) -> Response:
    """Save the profile; one that was saved before is replaced, so that its plays go on with it."""
    draft = draft_of(draft_id)
    if draft["problem"]:
        raise Problem("problem.sheet-unread")
    made = _pictures(draft)
    draft["saved"], files = save_sheet(_profile(draft), made, draft.get("saved"))
    draft |= {"kept": {key: draft[key] for key in PICTURE}, **files}
    services().store.save_draft(draft_id, draft)
    return jsonify({"sheet": draft["saved"], "demo": draft["demo"]})


def _pictures(draft: dict[str, Any]) -> dict[str, bytes]:
    """The blank sheet and its whole page as PNG; none where those on disk show the same already.

    Corrections alone must not write it anew: each time it would come out a little more blurred.
    """
    store = services().store
    if draft["flat"]["image"] is None:
        return {}
    on_disk = bool(draft.get("blank")) and (store.sheets / draft["blank"]).is_file()
    if on_disk and draft["flat"] == draft["kept"]["flat"]:
        return {}
    flat = cv2.imread(str(store.photos / f"{draft['flat']['image']}.jpg"))
    if flat is None:
        raise Problem("problem.not-found", 404)
    photo = services().eyes.load((store.photos / f"{draft['photo']}.jpg").read_bytes()).image
    page = whole_page(photo, SheetMap(np.array(draft["lattice"], np.float64) - 0.5))
    return {kind: bytes(cv2.imencode(".png", seen)[1].tobytes()) for kind, seen in (("blank", flat), ("page", page))}


def looked_at(image: np.ndarray, letters: Any = None) -> dict[str, Any]:
    """A picture of a blank sheet, kept, and what it shows: see `found`."""
    photo = services().store.save_photo(pictures.jpeg(image))
    return {"photo": photo, "size": list(image.shape[1::-1]), **found(image, photo, None, letters)}


def found(image: Any, photo: str, grid: Any = None, letters: Any = None) -> dict[str, Any]:
    """What enrolling finds in a photo, as the draft keeps it; `problem` where it finds nothing."""
    height, width = image.shape[:2]
    try:
        found = services().eyes.enroll(image, letters, grid)
    except PhotoError as error:
        x, y = width * 0.2, height * 0.2
        corners = [[x, y], [width - x, y], [width - x, height - y], [x, height - y]]
        return {"problem": error.to_json(), "corners": corners}
    lattice = pictures.lattice_json(found.lattice, 1.0)
    profile = found.profile.to_json()
    return {
        "problem": None,
        "lattice": lattice,
        "corners": [lattice[0][0], lattice[0][-1], lattice[-1][-1], lattice[-1][0]],
        "flat": {
            "image": services().store.add_views(photo, pictures.jpeg(found.flat.image, pictures.FLAT_QUALITY))[0],
            "cell": found.flat.cell,
            "origin": [float(v) for v in found.flat.origin],
            "size": list(found.flat.image.shape[1::-1]),
        },
        "letters": profile.get("letters", {}),
        "entrance": profile.get("entrance"),
        "tracks": profile.get("tracks", {}),
        "written": profile.get("written", []),
        "doubtful": list(found.doubtful),
        "missing": list(found.missing),
    }


def _judge_letters(draft: dict[str, Any], letters: dict[str, Any]) -> None:
    """Letters that a person has put somewhere, or taken away, are neither doubtful nor missing any more; one whose cell
    became another's is missing."""
    moved = {letter for letter in {*letters, *draft["letters"]} if letters.get(letter) != draft["letters"].get(letter)}
    for kind in ("doubtful", "missing"):
        draft[kind] = [letter for letter in draft[kind] if letter not in moved]
    draft["missing"] += sorted(a for a in moved - letters.keys() if draft["letters"][a] in letters.values())


def _profile(draft: dict[str, Any]) -> SheetProfile:
    data = {"name": draft["name"], "rows": ROWS, "cols": COLS, "letters": draft["letters"], "tracks": draft["tracks"]}
    data |= {key: draft.get(key) for key in ("blank", "page", "written")}
    for place in ("letters", "tracks"):
        if not isinstance(draft[place], dict):
            raise ProfileError(place, "profile.object", draft[place])
    if draft["entrance"]:
        data["entrance"] = draft["entrance"]
    return SheetProfile.from_json(data)


def draft_of(draft_id: str) -> dict[str, Any]:
    """A draft by its id. Raises Problem where there is none."""
    draft: dict[str, Any] | None = services().store.draft(draft_id) if ID.fullmatch(draft_id) else None
    if draft is None:
        raise Problem("problem.not-found", 404)
    return draft


def view(draft_id: str, draft: dict[str, Any]) -> dict[str, Any]:
    """A draft as the page shows it."""
    problem = draft["problem"]
    message = say(problem["key"], **problem["values"]) if problem else None
    return {"id": draft_id, "rows": ROWS, "cols": COLS, **draft, "problem": message}
