"""In the Ruin on the page: its home, a play and everything that is done to it."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from typing import TYPE_CHECKING, Any

from flask import Blueprint, Response, jsonify, render_template, request
from flask_babel import format_datetime

from companion.cases.store import ID, new_id
from companion.games.in_the_ruin import STAGES
from companion.games.in_the_ruin.edits import BY_A_PHOTO, EditError, check, fold, last_undoable
from companion.games.in_the_ruin.play import Play
from companion.web.problems import Problem
from companion.web.request_json import json_body
from companion.web.services import services
from companion.web.sheets import photos
from companion.web.sheets.play_view import play_view
from companion.web.sheets.player_names import in_this_language
from companion.web.sheets.profiles import load_sheet, sheet_list
from companion.words.web import language, say
from vision.errors import PhotoError
from vision.sheet.blank import blank_looks

if TYPE_CHECKING:
    import numpy as np

    from vision.sheet.flatten import FlatSheet
    from vision.sheet.profile import SheetProfile
    from vision.sheet.reading import SheetReading

bp = Blueprint("ruin", __name__)
GAME = "in-the-ruin"
MAX_EDITS = 5000
DEMO_PLAYERS = 2
MOST_NAMED = 3
"""Plays named at most where a sheet cannot be deleted because of them."""


@bp.get(f"/{GAME}/")
def home() -> str:
    """Sheets and plays."""
    return render_template("ruin/home.html", sheets=sheet_list(), plays=_plays())


@bp.get(f"/{GAME}/plays/<play_id>")
def page(play_id: str) -> str:
    """A play."""
    row, play = _play(play_id)
    return render_template("ruin/play.html", play_id=play_id, view=play_view(play_id, row, play))


@bp.get(f"/{GAME}/sheets/<name>-letters.jpg")
def prints(name: str) -> Response:
    """The letters of a saved sheet side by side, sorted, as they are printed: where its blank sheet is known."""
    looks = blank_looks(load_sheet(name)) if name in services().store.sheet_names() else None
    if not looks:
        raise Problem("problem.not-found", 404)
    picture = photos.prints_view(looks)
    return Response(photos.jpeg(picture, photos.FLAT_QUALITY), mimetype="image/jpeg")


@bp.post(f"/api/{GAME}/plays")
def start() -> Response:
    """A new play with a saved sheet."""
    body = json_body()
    sheet = body.get("sheet")
    if not isinstance(sheet, str) or sheet not in services().store.sheet_names():
        raise Problem("problem.sheet")
    play_id = services().store.start_play(GAME, sheet)
    if body.get("demo") is True:
        _fill_demo(play_id, sheet)
    return jsonify({"play": play_id})


@bp.get(f"/api/{GAME}/plays/<play_id>")
def show(play_id: str) -> Response:
    """A play as the page shows it."""
    row, play = _play(play_id)
    return jsonify(play_view(play_id, row, play))


@bp.delete(f"/api/{GAME}/plays/<play_id>")
def forget(play_id: str) -> Response:
    """Forget a play and its photos."""
    _play(play_id)
    services().store.delete_play(play_id)
    return jsonify({})


@bp.delete(f"/api/{GAME}/sheets/<name>")
def forget_sheet(name: str) -> Response:
    """Forget a saved sheet. One that plays still count with stays: without it they could not be opened any more."""
    sheet = next((sheet for sheet in sheet_list() if sheet["file"] == name and sheet["deletable"]), None)
    if sheet is None:
        raise Problem("problem.not-found", 404)
    used = [_named(play) for play in _plays() if play["sheet"] == name]
    if used:
        more = [say("ruin.more-games", n=len(used) - MOST_NAMED)] if len(used) > MOST_NAMED else []
        games = say("list.comma").join([*used[:MOST_NAMED], *more])
        raise Problem("problem.sheet-used", 409, name=sheet["name"], games=games)
    services().store.forget_sheet(name)
    return jsonify({})


@bp.post(f"/api/{GAME}/plays/<play_id>/edits")
def edit(play_id: str) -> Response:
    """What a person says: one edit, checked, kept, scored."""
    row, play = _play(play_id)
    store = services().store
    body = json_body()
    if len(store.edits(play_id)) >= MAX_EDITS:
        raise Problem("problem.full", 507)
    if body.get("kind") == "undo":
        number = last_undoable(store.edits(play_id))
        if number is not None:
            store.add_edit(play_id, {"kind": "undo", "edit": number})
    else:
        try:
            store.add_edit(play_id, check(play, body, load_sheet(row["sheet"]).letters))
        except EditError as error:
            raise Problem("problem.edit", field=error.field, expected=error.expected) from None
    return show(play_id)


@bp.post(f"/api/{GAME}/plays/<play_id>/photos")
def photo(play_id: str) -> Response:
    """A photo of a player's sheet; the player `new` is made for it."""
    row, play = _play(play_id)
    store = services().store
    stage, player = request.args.get("stage", "end"), request.args.get("player", "new")
    if stage not in STAGES:
        raise Problem("problem.request")
    if player != "new" and play.player(player) is None:
        raise Problem("problem.no-player", 409)
    data = photos.upload()
    profile = load_sheet(row["sheet"])
    eyes = services().eyes
    made = _taken(lambda: _read_photo(eyes.load(data), profile))
    if player == "new":
        player = _new_player(play_id, play)
    store.add_edit(play_id, {**made, "player": player, "stage": stage})
    return jsonify({"player": player, "view": show(play_id).get_json()})


@bp.post(f"/api/{GAME}/plays/<play_id>/corners")
def corners(play_id: str) -> Response:
    """The grid's corners, shown by a person on a photo that could not be read, or was read askew."""
    row, play = _play(play_id)
    body = json_body()
    player, stage, kept = play.player(str(body.get("player"))), body.get("stage"), body.get("photo")
    if player is None or stage not in STAGES:
        raise Problem("problem.no-player", 409)
    sheet = player.sheets[stage]
    known = {sheet.photo, sheet.failed["photo"] if sheet.failed else None} - {None}
    if kept not in known or not ID.fullmatch(kept):
        raise Problem("problem.not-found", 404)
    store = services().store
    grid = photos.corners_of(body.get("corners"))
    eyes = services().eyes

    def read() -> dict[str, Any]:
        image = eyes.load((store.photos / f"{kept}.jpg").read_bytes())
        profile = load_sheet(row["sheet"])
        reading = eyes.read(image, profile, grid)
        flat, views = _views(image, reading, profile)
        names = store.add_views(kept, *views)
        found = _found(reading, flat, 1.0, profile, names)
        return {"kind": "read", "photo": kept, "size": list(image.shape[1::-1]), "reading": found}

    store.add_edit(play_id, {**_taken(read), "player": player.id, "stage": stage})
    return show(play_id)


def _taken(work: Callable[[], dict[str, Any]]) -> dict[str, Any]:
    """Do the work with a photo when its turn comes; what a photo cannot give is said in words."""
    try:
        with photos.turn():
            return work()
    except PhotoError as error:
        raise Problem(error.key, 422, **error.values) from None


def _read_photo(image: np.ndarray, profile: SheetProfile) -> dict[str, Any]:
    """Read a photo and keep it. One that shows no sheet is kept too: a person may show the corners."""
    small = photos.shrink(image)
    kept = {"": photos.jpeg(small)}
    size = list(small.shape[1::-1])
    try:
        reading = services().eyes.read(image, profile)
    except PhotoError as error:
        return {
            "kind": "failed",
            "key": error.key,
            "values": error.values,
            "photo": services().store.save_photo(kept),
            "size": size,
        }
    flat, views = _views(image, reading, profile)
    photo = services().store.save_photo({**kept, **dict(zip(("-flat", "-letters"), views, strict=True))})
    names = [f"{photo}-flat", f"{photo}-letters"]
    found = _found(reading, flat, small.shape[1] / image.shape[1], profile, names)
    return {"kind": "read", "reading": found, "photo": photo, "size": size}


def _views(image: np.ndarray, reading: SheetReading, profile: SheetProfile) -> tuple[FlatSheet, list[bytes]]:
    """The sheet from above, and the pictures kept beside the photo, as JPEG: that one, and all letters side by side."""
    flat = photos.flat_view(image, reading.lattice, profile)
    letters = photos.letters_view(image, reading.lattice, profile)
    return flat, [photos.jpeg(picture, photos.FLAT_QUALITY) for picture in (flat.image, letters)]


def _found(
    reading: SheetReading, flat: FlatSheet, scale: float, profile: SheetProfile, names: list[str]
) -> dict[str, Any]:
    """A reading as it is kept, with the names of its `_views`."""
    strip = {"image": names[1], "letters": [[letter, *cell] for letter, cell in sorted(profile.letters.items())]}
    return {**photos.reading_json(reading, flat, scale), "image": names[0], "letter_strip": strip}


def _fill_demo(play_id: str, sheet: str) -> None:
    """A play of the demo: filled sheets of two players, read like any photo."""
    store, eyes = services().store, services().eyes
    profile = load_sheet(sheet)
    store.add_edit(play_id, {"kind": "demo"})
    for number in range(DEMO_PLAYERS):
        made = _taken(lambda number=number: _read_photo(eyes.demo_filled(number), profile))
        player = _new_player(play_id, _folded(sheet, play_id))
        store.add_edit(play_id, {**made, "player": player, "stage": "end"})


def _new_player(play_id: str, play: Play) -> str:
    names = {p.name for p in play.players}
    name = next(n for i in range(1, 100) if (n := say("player.name", number=i)) not in names)
    body = {"kind": "add-player", "player": new_id(), "name": name}
    try:
        services().store.add_edit(play_id, {**check(play, body, {}), BY_A_PHOTO: True})
    except EditError as error:
        raise Problem("problem.edit", field=error.field, expected=error.expected) from None
    return body["player"]


def _play(play_id: str) -> tuple[dict[str, Any], Play]:
    store = services().store
    row = store.play(play_id) if ID.fullmatch(play_id) else None
    if row is None or row["game"] != GAME:
        raise Problem("problem.no-play", 404)
    return row, _folded(row["sheet"], play_id)


def _plays() -> list[dict[str, Any]]:
    """All plays as the page lists them, the newest first."""
    plays = []
    for row in services().store.plays(GAME):
        play = _folded(row["sheet"], row["id"])
        date = format_datetime(
            datetime.fromtimestamp(row["started"]),
            "d MMM y HH:mm" if language() == "en" else "y年M月d日 HH:mm",
            rebase=False,
        )
        plays.append({**row, "date": date, "players": [p.name for p in play.players], "demo": play.demo})
    return plays


def _named(play: dict[str, Any]) -> str:
    """A play as a sentence names it: who plays, and since when."""
    names = say("list.comma").join(play["players"]) or say("ruin.no-players")
    return say("ruin.named-game", names=names, date=play["date"])


def _folded(sheet: str, play_id: str) -> Play:
    """A play as it is known, in the language of this request."""
    play = fold(sheet, services().store.edits(play_id))
    for player, name in zip(play.players, in_this_language(p.name for p in play.players), strict=True):
        player.name = name
    return play
