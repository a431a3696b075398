"""In the Ruin under a camera: a play's sheets are followed while they are drawn on; each state counts as a photo."""

from __future__ import annotations

import threading
from collections.abc import Mapping
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from flask import Blueprint, Response, jsonify

from companion.cases import pictures
from companion.cases.store import Store
from companion.demo import SHEET
from companion.live.map_session import MapSession
from companion.live.maps import MapTable
from companion.sources import SourceError
from companion.web.access.access_control import here
from companion.web.problems import Problem
from companion.web.request_json import json_body
from companion.web.services import services
from companion.web.sheets import photos
from companion.web.sheets.plays import GAME, Opened, new_player, opened_play
from companion.web.sheets.profiles import load_sheet, save_sheet
from companion.web.tables.table_page import newest_picture, picture_stream
from vision.sheet.profile import SheetProfile
from vision.sheet.tracker import SheetState
from vision.table.profile import MOST_SHEETS

if TYPE_CHECKING:
    from companion.web.news import PlayNews
    from companion.web.tables.vision_service import TableEyes

bp = Blueprint("sheet_camera", __name__)
DEMO, DEMO_SHEETS = "demo-maps", 2
UNSEEN = 900.0
"""Seconds after which sheets that nobody looks at are not followed any more."""


class LiveMaps:
    """At most one play's sheets are followed at a time: following others stops it. Thread-safe."""

    def __init__(self, store: Store, eyes: TableEyes, news: PlayNews) -> None:
        self._store, self._eyes, self._news = store, eyes, news
        self._lock = threading.Lock()
        self.now: MapSession | None = None

    def session(self, play: str) -> MapSession | None:
        """That play's session, while it is followed or until another is."""
        now = self.now
        return now if now is not None and now.play == play else None

    def start(self, play: str, profile: SheetProfile, players: list[str], spec: str, files: bool) -> None:
        """Follow the sheets of these players (ids), from left to right. Raises SourceError."""
        table = MapTable(profile.name, profile, tuple(players))
        source = self._eyes.source(spec, files)

        def settled(state: SheetState, image: np.ndarray) -> None:
            self._store.add_edit(play, _edit(self._store, play, profile, state, image))

        with self._lock:
            if self.now is not None:
                self.now.stop()
            self.now = MapSession(
                play, players, source, table.tracker, settled, partial(self._news.changed, play), UNSEEN
            )
            self.now.start()

    def told(self, play: str, edit: Mapping[str, Any]) -> None:
        """A person said, or took back, this edit: sheets that change places are the other player's from now on."""
        ends = edit["kind"] == "move-photo" and edit["stage"] == edit["to_stage"] == "end"
        if ends and (session := self.session(play)):
            session.exchange(edit["player"], edit["to"])

    def stop(self, play: str) -> None:
        """Stop following this play's sheets."""
        with self._lock:
            if self.now is not None and self.now.play == play:
                self.now.stop()


def _edit(store: Store, play: str, profile: SheetProfile, state: SheetState, image: np.ndarray) -> dict[str, Any]:
    """A sheet at rest as what a photo of it gives, with the cells that are new."""
    small = pictures.shrink(image)
    kept = store.save_photo(pictures.jpeg(small))
    scale = small.shape[1] / image.shape[1]
    reading = pictures.kept_reading(state.reading, scale, profile, photos.view_name(kept, play))
    reading["changed"] = [list(cell) for cell in state.changed]
    size = list(small.shape[1::-1])
    return {"kind": "read", "player": state.player, "stage": "end", "reading": reading, "photo": kept, "size": size}


@bp.post(f"/api/{GAME}/demo-camera")
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
def stop(play_id: str) -> Response:
    """Stop following; what was read stays."""
    opened = opened_play(play_id)
    services().maps.stop(opened.id)
    return jsonify(opened.view())


@bp.get(f"/{GAME}/plays/<play_id>/picture.mjpg")
def moving(play_id: str) -> Response:
    """The moving picture."""
    return picture_stream(_running(play_id))


@bp.get(f"/{GAME}/plays/<play_id>/frame.jpg")
def still(play_id: str) -> Response:
    """The newest frame."""
    return newest_picture(_running(play_id))


def _running(play_id: str) -> MapSession:
    session = services().maps.session(play_id)
    if session is None or not session.running:
        raise Problem("live.problem.no-picture", 404)
    return session
