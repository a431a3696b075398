"""`/api/v1`: what is played, for other programs to read; and the page that a video stream lays over its picture."""

import json
from collections.abc import Iterator
from typing import Any

from flask import Blueprint, Response, jsonify, render_template

from companion import __version__
from companion.cases.evaluate import evaluate
from companion.cases.journal import GAME as TABLES
from companion.cases.sheet import play_state
from companion.games import FIRST
from companion.web.access.access_control import stays
from companion.web.access.pairing_page import played
from companion.web.access.roles import for_guests
from companion.web.answers import streamed
from companion.web.api.openapi import description
from companion.web.api.scores import scores
from companion.web.language import language
from companion.web.services import services
from companion.web.sheet_profiles import load_sheet
from companion.web.sheets.plays import GAME, opened_play
from companion.web.tables.opened import state_of_table, table_of

bp = Blueprint("api", __name__)

SILENCE = 10.0
"""Seconds after which a listener hears that the line still stands."""


@bp.get("/api/v1/openapi.json")
@for_guests
def openapi() -> Response:
    """The description of these addresses."""
    return jsonify(description(__version__))


@bp.get("/api/v1/")
@for_guests
def about() -> str:
    """The same for people."""
    return render_template("api.html", api=description(__version__))


@bp.get("/overlay")
@for_guests
def overlay() -> str:
    """The points in large letters on nothing, to be laid over a picture."""
    return render_template("overlay.html")


@bp.get("/api/v1/now")
@for_guests
def now() -> Response:
    """What is played now."""
    page = played()
    found = page.rpartition("/")[2] if page != "/" else None
    table = found if page.startswith("/live/") else None
    return jsonify({"table": table, "play": None if table else found, "page": page})


@bp.get("/api/v1/tables", defaults={"kind": TABLES})
@bp.get("/api/v1/plays", defaults={"kind": GAME})
@for_guests
def listed(kind: str) -> Response:
    """Tables, or games on sheets, the newest first."""
    return jsonify([_listed(row) for row in services().store.plays(kind)])


@bp.get("/api/v1/tables/<table>")
@for_guests
def table(table: str) -> Response:
    """A table's last state and what it is worth."""
    return _whole(table, _game_of_table(table), state_of_table(table))


@bp.get("/api/v1/plays/<play_id>")
@for_guests
def play(play_id: str) -> Response:
    """A game on sheets and what it is worth."""
    found = opened_play(play_id)
    return _whole(play_id, GAME, play_state(found.play(), load_sheet(found.sheet).letters).state)


@bp.get("/api/v1/events")
@for_guests
def events() -> Response:
    """The points as they change, as server-sent events."""
    all_tables, here_still = services().tables, stays()

    def messages() -> Iterator[str]:
        yield "retry: 1000\n\n"
        for event in scores(all_tables, SILENCE, here_still):
            if event is None:
                yield ": still here\n\n"
            else:
                yield f"event: {event['event']}\ndata: {json.dumps(event, ensure_ascii=False)}\n\n"

    return streamed(messages(), all_tables.streams, "text/event-stream")


def _game_of_table(table: str) -> str:
    _, journal = table_of(table)
    return str(journal.begun["profile"].get("game", FIRST))


def _listed(row: dict[str, Any]) -> dict[str, Any]:
    session = services().tables.session(row["id"])
    running = session is not None and session.running
    game = _game_of_table(row["id"]) if row["game"] == TABLES else row["game"]
    return {"id": row["id"], "game": game, "name": row["sheet"], "started": row["started"], "running": running}


def _whole(name: str, game: str, state: dict[str, Any] | None) -> Response:
    result = {} if state is None else evaluate(state, language())
    return jsonify({"id": name, "game": game, "state": state, "result": result})
