"""Parse the JSON body of a request."""

import json
from typing import Any, NoReturn

from flask import request

from companion.web.problems import Problem
from vision.json_file import whole

MAX_UPLOAD = 32 * 1024 * 1024
"""Bytes of a request at most: a 48-megapixel JPEG fits."""
MAX_JSON = 256 * 1024
"""Bytes of a request's JSON, at most: parsing takes many times that in memory, and holds up every other request."""


def json_body(most: int = MAX_JSON) -> dict[str, Any]:
    """The request's JSON object, of so many bytes at most. Raises Problem for anything else."""
    data = request.stream.read(most + 1)
    if len(data) > most:
        raise Problem("problem.request", 413)
    try:
        body = json.loads(data, parse_constant=_refuse)
    except (ValueError, RecursionError):
        raise Problem("problem.request") from None
    if not isinstance(body, dict) or not whole(body):
        raise Problem("problem.request")
    return body


def _refuse(constant: str) -> NoReturn:
    raise ValueError(f"{constant} is not JSON")
