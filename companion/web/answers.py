"""Answers of other kinds than pages and JSON: that there is nothing, files, and those that last.

Each that lasts takes one of a limited number of places, and gives it back when its reader goes.
"""

import json
from collections.abc import Iterator, Mapping
from threading import BoundedSemaphore
from typing import Any, TypeVar

from flask import Response

from common.file_kind import marked
from companion.web.problems import Problem

Thing = TypeVar("Thing")


def found(thing: Thing | None, key: str = "problem.not-found") -> Thing:
    """What was asked for. Raises Problem where there is none."""
    if not thing:
        raise Problem(key, 404)
    return thing


def as_file(data: str | bytes, kind: str, name: str) -> Response:
    """A file to be saved under a name; `kind` is its media type."""
    return Response(data, mimetype=kind, headers={"Content-Disposition": f'attachment; filename="{name}"'})


def as_json_file(kind: str, value: Mapping[str, Any], name: str) -> Response:
    """A JSON file of ours, which says its kind."""
    return as_file(json.dumps(marked(kind, value), ensure_ascii=False), "application/json", name)


def streamed(parts: Iterator[Any], places: BoundedSemaphore, kind: str) -> Response:
    """An answer that goes on as its parts come, and has one of the `places` until it ends.

    Raises Problem where all are taken: the page asks now and then instead.
    """
    if not places.acquire(blocking=False):
        raise Problem("problem.busy", 503)
    response = Response(parts, content_type=kind)
    response.call_on_close(places.release)
    response.headers["X-Accel-Buffering"] = "no"
    return response
