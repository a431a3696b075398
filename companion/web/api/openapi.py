"""The description of the public addresses (OpenAPI 3.1)."""

from typing import Any

TEXT, WHOLE, YES_OR_NO = {"type": "string"}, {"type": "integer"}, {"type": "boolean"}
MAYBE_TEXT, MAYBE_WHOLE = {"type": ["string", "null"]}, {"type": ["integer", "null"]}
OBJECT = {"type": "object"}


def _object(**properties: dict[str, Any]) -> dict[str, Any]:
    return {"type": "object", "required": list(properties), "properties": properties}


def _list(items: dict[str, Any]) -> dict[str, Any]:
    return {"type": "array", "items": items}


PLAYER = _object(zone=TEXT, name=TEXT, points=MAYBE_WHOLE, color=MAYBE_WHOLE)
SCORE = _object(event=TEXT, table=TEXT, game=TEXT, number=MAYBE_WHOLE, players=_list(PLAYER), corrected=YES_OR_NO)
LISTED = _object(id=TEXT, game=TEXT, name=TEXT, started={"type": "number"}, running=YES_OR_NO)
WHOLE_GAME = _object(id=TEXT, game=TEXT, state={"type": ["object", "null"]}, result=OBJECT)
"""`result` is what `POST /api/dispute/score` answers: `answer`, or `problem` and `so_far`."""

ANSWERS: dict[str, tuple[str, dict[str, Any]]] = {
    "/api/v1/now": ("What is played now.", _object(table=MAYBE_TEXT, play=MAYBE_TEXT, page=TEXT)),
    "/api/v1/tables": ("Tables that are or were followed, the newest first.", _list(LISTED)),
    "/api/v1/tables/{table}": ("A table: its last state, and every point of it with its reason.", WHOLE_GAME),
    "/api/v1/plays": ("Games on sheets of paper, the newest first.", _list(LISTED)),
    "/api/v1/plays/{play_id}": ("A game on sheets: its state, and every point of it with its reason.", WHOLE_GAME),
}
EVENTS = "/api/v1/events"
MEDIA = {EVENTS: ("The points of the followed table as they change: server-sent events `score`, `stopped`.", SCORE)}


def description(version: str) -> dict[str, Any]:
    """The whole description."""
    answers = {path: _get(path, about, "application/json", schema) for path, (about, schema) in ANSWERS.items()}
    events = {path: _get(path, about, "text/event-stream", schema) for path, (about, schema) in MEDIA.items()}
    info = {"title": "Table Companion", "version": version}
    return {"openapi": "3.1.0", "info": info, "paths": {**answers, **events}}


def _get(path: str, about: str, kind: str, schema: dict[str, Any]) -> dict[str, Any]:
    names = [part[1:-1] for part in path.split("/") if part.startswith("{")]
    parameters = [{"name": name, "in": "path", "required": True, "schema": TEXT} for name in names]
    responses = {"200": {"description": about, "content": {kind: {"schema": schema}}}}
    if names:
        responses["404"] = {"description": "There is none of this id."}
    return {"get": {"summary": about, "parameters": parameters, "responses": responses}}
