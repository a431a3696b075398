"""Reopen a saved sheet for correction: its profile becomes a draft, as after enrolling.

Three pictures can lie below the corrections, the best that is left of them:

- the photo that it was enrolled from, with the corners as they were when it was saved;
- else the blank sheet kept beside the profile, which serves as the photo: the grid is found on it once more. Corners
  can be dragged there too; what was saved stays as it is then, since nobody knows what of it a person had said;
- else none: letters, tracks and name are corrected on a bare grid, and another photo brings the picture back.
"""

from pathlib import Path
from typing import Any

from flask import Blueprint, Response, jsonify

from companion.cases import pictures
from companion.cases.store import SHEET_NAME, new_id
from companion.web.problems import Problem
from companion.web.services import services
from companion.web.sheets import photos
from companion.web.sheets.enroll import CORRECTABLE, PICTURE, SHEETS, draft_of, looked_at, view
from companion.web.sheets.profiles import load_sheet
from vision.errors import PhotoError
from vision.sheet.profile import SheetProfile

bp = Blueprint("reopen", __name__)


@bp.post(f"/api{SHEETS}/<name>/draft")
def reopen(name: str) -> Response:
    """A draft of a saved profile; saving it replaces the profile. Earlier drafts stay as they are."""
    if not SHEET_NAME.fullmatch(name):
        raise Problem("problem.not-found", 404)
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
        "written": data.get("written", []),
        "demo": False,
        "problem": None,
        "said": [k for k in sorted(CORRECTABLE) if k in earlier.get("said", ()) or earlier.get(k) != saved[k]],
        **_asked(earlier, saved["letters"]),
    }
    draft_id = new_id()
    store.save_draft(draft_id, draft)
    return jsonify(view(draft_id, draft))


@bp.post(f"/api{SHEETS}/drafts/<draft_id>/photo")
def another_photo(draft_id: str) -> Response:
    """Another photo of the same blank sheet: what a person said stays. One that shows no grid changes nothing."""
    draft = draft_of(draft_id)
    seen = _looked_at(photos.upload(), draft["letters"] if "letters" in draft["said"] else None)
    draft = draft_of(draft_id)  # what was said while the photo was looked at
    draft |= {k: v for k, v in seen.items() if k not in draft["said"]}
    services().store.save_draft(draft_id, draft)
    return jsonify(view(draft_id, draft))


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
        seen = looked_at(pictures.shrink(services().eyes.load(data).image), letters)
    if seen["problem"]:
        services().store.drop_photo(seen["photo"])
        raise PhotoError(seen["problem"]["key"], **seen["problem"]["values"])
    return seen


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
