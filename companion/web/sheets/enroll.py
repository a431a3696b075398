"""A blank sheet is photographed, what was found is corrected, the profile is saved, and reopened to be corrected."""

import tempfile
from dataclasses import replace
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from flask import Blueprint, Response, jsonify, render_template, request, send_file

from companion.cases.store import SHEET_NAME, new_id
from companion.games.in_the_ruin import COLS, ROWS
from companion.reading import pictures
from companion.reading.pipeline import see_sheet
from companion.web import photos
from companion.web.access.access_control import clicked
from companion.web.access.roles import for_guests, for_players
from companion.web.answers import found
from companion.web.language import say
from companion.web.problems import Problem
from companion.web.request_body import brought_file
from companion.web.request_json import json_body
from companion.web.services import services
from companion.web.sheet_profiles import free_title, load_sheet, other_titles, save_sheet
from vision.errors import PhotoError
from vision.sheet.decisions import TICK_UNSURE, UNSURE
from vision.sheet.flatten import SheetMap
from vision.sheet.profile import ProfileError, SheetProfile
from vision.sheet.tracks import whole_page

bp = Blueprint("enroll", __name__)
SHEETS = "/in-the-ruin/sheets"
CORRECTABLE = ("name", "letters", "entrance", "tracks")
PICTURE = ("photo", "size", "lattice", "corners", "flat")
"""Where a draft keeps its picture and how the grid lies on it."""


@bp.get(f"{SHEETS}/new")
@for_players
def new() -> str:
    """Ask for the blank sheet's photo."""
    return render_template("ruin/enroll.html", draft=None, demo="demo" in request.args and clicked())


@bp.get(f"{SHEETS}/drafts/<draft_id>")
@for_players
def page(draft_id: str) -> str:
    """What was found, to be corrected."""
    return render_template("ruin/enroll.html", draft=_view(draft_id, _draft(draft_id)), demo=False)


@bp.get(f"{SHEETS}/<name>.json")
@for_guests
def profile_file(name: str) -> Response:
    """A saved profile as a file, for the command line."""
    found(SHEET_NAME.fullmatch(name) and services().store.sheet_file(name).is_file())
    return send_file(services().store.sheet_file(name), max_age=0)


@bp.post(f"/api{SHEETS}/profile")
@for_players
def take_profile() -> Response:
    """Keep a sheet that comes as a file; its pictures stay behind."""
    try:
        profile = SheetProfile.from_json(
            {**json_body(otherwise="problem.file"), "blank": None, "page": None, "places": None}
        )
    except ProfileError as error:
        raise Problem("problem.sheet-file", reason=error) from None
    if (profile.rows, profile.cols) != (ROWS, COLS):
        raise Problem("problem.sheet-size", rows=ROWS, cols=COLS)
    return jsonify({"sheet": save_sheet(profile, {})[0]})


@bp.post(f"/api{SHEETS}/photo")
@for_players
def photo() -> Response:
    """The photo of a blank sheet, or the demo sheet's: a draft of its profile."""
    eyes = services().eyes
    demo = "demo" in request.args
    data = b"" if demo else brought_file()
    name = free_title(say("sheet.demo") if demo else say("game.in-the-ruin"))
    draft: dict[str, Any] = {"name": name, "demo": demo, "said": []}
    with photos.turn():
        image = pictures.shrink(eyes.demo_blank() if demo else eyes.load(data).image)
        draft |= _kept_photo(image)
        try:
            draft |= _enrolled(image, draft["photo"])
        except PhotoError as error:
            (width, height), (x, y) = draft["size"], (0.2 * side for side in draft["size"])
            corners = [[x, y], [width - x, y], [width - x, height - y], [x, height - y]]
            draft |= {"problem": error.to_json(), "corners": corners}
    draft_id = new_id()
    services().store.save_draft(draft_id, draft)
    return jsonify(_view(draft_id, draft))


@bp.post(f"/api{SHEETS}/drafts/<draft_id>")
@for_players
def correct(draft_id: str) -> Response:
    """What a person corrects: corners (everything is read anew from them), or letters, entrance, tracks, name."""
    draft = _draft(draft_id)
    body = json_body()
    if body.keys() - {"corners", "checked", *CORRECTABLE} or ("corners" in body and not draft["photo"]):
        raise Problem("problem.request")
    if "corners" in body:
        grid = photos.corners_of(body["corners"])
        store = services().store
        with photos.turn():
            image = services().eyes.load((store.photos / f"{draft['photo']}.jpg").read_bytes()).image
            seen = _enrolled(image, draft["photo"], grid, _said_letters(draft))
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
    return jsonify(_view(draft_id, draft))


@bp.post(f"/api{SHEETS}/drafts/<draft_id>/try")
@for_players
def try_filled(draft_id: str) -> Response:
    """How well a filled sheet is read with a draft: how much of it would be asked about, and what is wrong with the
    photo; nothing of it is kept. Raises PhotoError where it is not read."""
    draft = _draft(draft_id)
    if draft["problem"]:
        raise Problem("problem.sheet-unread")
    data = brought_file()
    with photos.turn(), tempfile.TemporaryDirectory() as folder:
        profile, (made, places) = _profile(draft), _pictures(draft)
        for kind, picture in made.items():
            (Path(folder) / f"{kind}.png").write_bytes(picture)
        if made:
            told = {**profile.to_json(), **{kind: f"{kind}.png" for kind in made}, "places": places}
            profile = SheetProfile.from_json(told, Path(folder))
        else:
            profile = replace(profile, folder=services().store.sheets)
        reading = see_sheet(data, profile, None, services().eyes).reading
    return jsonify({
        "cells": len(reading.doubtful_cells),
        "letters": sum(doubt > UNSURE for doubt in reading.letter_doubts.values()),
        "ticks": sum(doubt >= TICK_UNSURE for doubt in reading.tick_doubts.values()),
        "numbers": sum(box.doubtful for box in reading.written),
        "troubles": list(reading.troubles),
    })  # fmt: skip


@bp.post(f"/api{SHEETS}/drafts/<draft_id>/save")
@for_players
def save(draft_id: str) -> Response:
    """Save the profile; one that was saved before is replaced, so that its plays go on with it."""
    draft = _draft(draft_id)
    if draft["problem"]:
        raise Problem("problem.sheet-unread")
    made, places = _pictures(draft)
    draft["places"] = places or draft.get("places")
    draft["saved"], files = save_sheet(_profile(draft), made, draft.get("saved"))
    draft |= {"kept": {key: draft[key] for key in PICTURE}, **files}
    services().store.save_draft(draft_id, draft)
    return jsonify({"sheet": draft["saved"], "demo": draft["demo"]})


def _pictures(draft: dict[str, Any]) -> tuple[dict[str, bytes], dict[str, list[float]]]:
    """The blank sheet and its whole page as PNG, and where the grid lies in each; none where those on disk show the
    same already.

    Corrections alone must not write it anew: each time it would come out a little more blurred.
    """
    store = services().store
    if draft["flat"]["image"] is None:
        return {}, {}
    on_disk = bool(draft.get("blank")) and (store.sheets / draft["blank"]).is_file()
    if on_disk and draft["flat"] == draft["kept"]["flat"]:
        return {}, {}
    flat = cv2.imread(str(store.photos / f"{draft['flat']['image']}.jpg"))
    if flat is None:
        raise Problem("problem.not-found", 404)
    photo = services().eyes.load((store.photos / f"{draft['photo']}.jpg").read_bytes()).image
    page = whole_page(photo, SheetMap(np.array(draft["lattice"], np.float64) - 0.5))
    seen = {"blank": flat, "page": page.image}
    places = {"blank": [*draft["flat"]["origin"], float(draft["flat"]["cell"])], "page": list(page.place)}
    return {kind: bytes(cv2.imencode(".png", one)[1].tobytes()) for kind, one in seen.items()}, places


def _kept_photo(image: np.ndarray) -> dict[str, Any]:
    return {"photo": services().store.save_photo(pictures.jpeg(image)), "size": list(image.shape[1::-1])}


def _said_letters(draft: dict[str, Any]) -> dict[str, Any] | None:
    """The letters that a person put right; None where they are as they were read."""
    return draft["letters"] if "letters" in draft["said"] else None


def _enrolled(image: np.ndarray, photo: str, grid: Any = None, letters: Any = None) -> dict[str, Any]:
    """What enrolling finds in a photo, as the draft keeps it. Raises PhotoError."""
    made = services().eyes.enroll(image, letters, grid)
    lattice = pictures.lattice_json(made.lattice, 1.0)
    profile = made.profile.to_json()
    return {
        "problem": None,
        "lattice": lattice,
        "corners": [lattice[0][0], lattice[0][-1], lattice[-1][-1], lattice[-1][0]],
        "flat": {
            "image": services().store.add_views(photo, pictures.jpeg(made.flat.image, pictures.FLAT_QUALITY))[0],
            "cell": made.flat.cell,
            "origin": [float(v) for v in made.flat.origin],
            "size": list(made.flat.image.shape[1::-1]),
        },
        "letters": profile.get("letters", {}),
        "entrance": profile.get("entrance"),
        "tracks": profile.get("tracks", {}),
        "written": profile.get("written", []),
        "doubtful": list(made.doubtful),
        "missing": list(made.missing),
        "marked": list(made.marked),
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
    data |= {key: draft.get(key) for key in ("blank", "page", "written", "places")}
    for place in ("letters", "tracks"):
        if not isinstance(draft[place], dict):
            raise ProfileError(place, "profile.object", draft[place])
    if draft["entrance"]:
        data["entrance"] = draft["entrance"]
    return SheetProfile.from_json(data)


def _draft(draft_id: str) -> dict[str, Any]:
    draft = found(services().store.draft(draft_id))
    found("problem" in draft)  # else it is a deck's
    return draft


def _view(draft_id: str, draft: dict[str, Any]) -> dict[str, Any]:
    """A draft as the page shows it."""
    problem, marked = draft["problem"], draft.get("marked", [])
    message = say(problem["key"], **problem["values"]) if problem else None
    doubt = say("enroll.marked", n=len(marked)) if marked else None
    shown = {"problem": message, "marked": marked, "doubt": doubt, "others": other_titles(draft.get("saved"))}
    return {"id": draft_id, "rows": ROWS, "cols": COLS, **draft, **shown}


@bp.post(f"/api{SHEETS}/<name>/draft")
@for_players
def reopen(name: str) -> Response:
    """A draft of a saved profile; saving it replaces the profile. Earlier drafts stay as they are.

    Three pictures can lie below the corrections, the best that is left of them:

    - the photo that it was enrolled from, with the corners as they were when it was saved;
    - else the blank sheet kept beside the profile, which serves as the photo: the grid is found on it once more.
      Corners can be dragged there too; what was saved stays as it is then, since nobody knows what of it a person said;
    - else none: letters, tracks and name are corrected on a bare grid, and another photo brings the picture back.
    """
    found(SHEET_NAME.fullmatch(name))
    store = services().store
    profile = load_sheet(name)
    data = profile.to_json()
    saved = {"letters": {}, "tracks": {}, "entrance": None, **{k: v for k, v in data.items() if k in CORRECTABLE}}
    earlier = next((body for body in store.drafts_of(name).values() if _kept(body)), {})
    blank = _blank_file(name, profile)
    picture = _kept(earlier) or _of_blank(blank, profile) or _bare(profile)
    draft = {
        **saved,
        **picture,
        "kept": picture,
        "saved": name,
        "correcting": True,
        "blank": blank.name if blank else None,
        "page": profile.page,
        "places": data.get("places"),
        "written": data.get("written", []),
        "demo": False,
        "problem": None,
        "said": [k for k in sorted(CORRECTABLE) if k in earlier.get("said", ()) or earlier.get(k) != saved[k]],
        **_asked(earlier, saved["letters"]),
    }
    draft_id = new_id()
    store.save_draft(draft_id, draft)
    return jsonify(_view(draft_id, draft))


@bp.post(f"/api{SHEETS}/drafts/<draft_id>/photo")
@for_players
def another_photo(draft_id: str) -> Response:
    """Another photo of the same blank sheet: what a person said stays. One that shows no grid changes nothing."""
    draft = _draft(draft_id)
    seen = _looked_at(brought_file(), _said_letters(draft))
    draft = _draft(draft_id)  # what was said while the photo was looked at
    draft |= {k: v for k, v in seen.items() if k not in draft["said"]}
    services().store.save_draft(draft_id, draft)
    return jsonify(_view(draft_id, draft))


def _kept(draft: dict[str, Any]) -> dict[str, Any] | None:
    """A draft's picture as it was when the draft was saved, where its files are still there."""
    picture = draft.get("kept") or {key: draft.get(key) for key in PICTURE}
    folder = services().store.photos
    names = [picture["photo"], (picture["flat"] or {}).get("image")]
    return picture if all(name and (folder / f"{name}.jpg").is_file() for name in names) else None


def _of_blank(path: Path | None, profile: SheetProfile) -> dict[str, Any] | None:
    """The profile's own picture of the blank sheet, taken for the photo; None where it is gone or shows no grid."""
    try:
        seen = _looked_at(path.read_bytes(), profile.to_json().get("letters")) if path else None
    except PhotoError:
        return None
    return {key: seen[key] for key in PICTURE} if seen else None


def _bare(profile: SheetProfile) -> dict[str, Any]:
    """No picture: where the grid and the tracks lie on an empty page."""
    left, top, width, height = pictures.shown_box(profile)
    cell = pictures.FLAT_CELL
    size = [round(width * cell), round(height * cell)]
    flat = {"image": None, "cell": cell, "origin": [-left * cell, -top * cell], "size": size}
    return {**dict.fromkeys(PICTURE), "flat": flat}


def _looked_at(data: bytes, letters: dict[str, Any] | None) -> dict[str, Any]:
    """What a picture of a blank sheet shows, and the picture kept. Raises PhotoError, and keeps nothing then."""
    with photos.turn():
        image = pictures.shrink(services().eyes.load(data).image)
        kept = _kept_photo(image)
        try:
            return kept | _enrolled(image, kept["photo"], None, letters)
        except PhotoError:
            services().store.drop_photo(kept["photo"])
            raise


def _asked(earlier: dict[str, Any], letters: dict[str, Any]) -> dict[str, list[str]]:
    """Letters that were doubtful or missing and that nobody has settled since."""
    before = earlier.get("letters", {})
    return {
        "doubtful": [one for one in earlier.get("doubtful", ()) if one in letters and letters[one] == before.get(one)],
        "missing": [one for one in earlier.get("missing", ()) if one not in letters],
    }


def _blank_file(name: str, profile: SheetProfile) -> Path | None:
    """The picture that a profile names, or the one of its own name, where it lies beside it."""
    folder = services().store.sheets
    path: Path = folder / (profile.blank or f"{name}.png")
    return path if path.parent == folder and path.is_file() else None
