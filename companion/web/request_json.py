"""Parse the JSON body of a request."""

import json
from typing import Any, NoReturn

from flask import request

from common.json_file import whole
from companion.web.problems import Problem

MAX_UPLOAD = 32 * 1024 * 1024
"""Bytes of a request at most: a 48-megapixel JPEG fits."""
MAX_JSON = 256 * 1024
"""Bytes of a request's JSON, at most: parsing takes many times that in memory, and holds up every other request."""


def json_body(most: int = MAX_JSON, otherwise: str = "problem.request") -> dict[str, Any]:
    """The request's JSON object, of so many bytes at most. For anything else it raises Problem: `otherwise`."""
    data = request.stream.read(most + 1)
    if len(data) > most:
        raise Problem(otherwise, 413)
    try:
        body = json.loads(data, parse_constant=_refuse)
    except (ValueError, RecursionError):
        raise Problem(otherwise) from None
    if not isinstance(body, dict) or not whole(body):
        raise Problem(otherwise)
    return body


def _refuse(constant: str) -> NoReturn:
    raise ValueError(f"{constant} is not JSON")
