"""Answers of other kinds than pages and JSON: that there is nothing, files, and those that last.

Each that lasts takes one of a limited number of places, and gives it back when its reader goes.
"""

import gzip
import json
import re
from collections.abc import Iterator, Mapping
from functools import lru_cache
from threading import BoundedSemaphore
from typing import Any, TypeVar

from flask import Response, request

from common.file_kind import marked
from companion.web.problems import Problem

Thing = TypeVar("Thing")

COMPRESSED = ("text/html", "text/css", "text/javascript", "image/svg+xml")
REMARKED = ("text/css", "text/javascript")
REMARKS = re.compile(rb"^[ \t]*(?://.*|/\*(?:[^*]|\*(?!/))*\*/[ \t]*)$", re.MULTILINE)
"""Lines that are remarks and nothing else: they stay empty, so that an error still names its line."""

SAID_FOR_NOTHING = ("Content-Disposition", "Expires", "Accept-Ranges", "Last-Modified")
"""Headers of a file that a page's part needs none of, having an ETag: a page loads some sixty."""


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


def compressed(response: Response) -> Response:
    """An answer as it goes to a browser that takes gzip.

    Not for a page on which a secret stands beside words of the request: its length would tell them apart (BREACH).
    """
    if response.status_code == 304 or (response.status_code == 200 and response.mimetype in COMPRESSED):
        response.vary.add("Accept-Encoding")
    if response.status_code == 200 and response.mimetype in COMPRESSED and request.accept_encodings.quality("gzip"):
        pack = _packed if response.mimetype == "text/html" else _kept_packed
        response.direct_passthrough = False
        response.set_data(pack(response.get_data(), response.mimetype))
        response.content_encoding = "gzip"
        for said in SAID_FOR_NOTHING:
            response.headers.pop(said, None)
        if response.cache_control.no_cache:
            response.cache_control.max_age = None  # says the same
        if etag := response.get_etag()[0]:
            response.set_etag(etag, weak=True)  # the bytes differ from the plain answer's, what they say does not
    return response


def _packed(data: bytes, kind: str) -> bytes:
    if kind in REMARKED:
        data = REMARKS.sub(lambda found: b"\n" * found[0].count(b"\n"), data)
    return gzip.compress(data, mtime=0)


_kept_packed = lru_cache(maxsize=256)(_packed)
"""For files and words, which are the same for everybody and come again."""


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
