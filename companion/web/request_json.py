"""Parse the JSON body of a request."""

from __future__ import annotations

import json
from typing import Any, NoReturn

from flask import request

from companion.web.problems import Problem
from vision.json_file import whole

MAX_JSON = 256 * 1024
"""Bytes of a request's JSON, at most: parsing takes many times that in memory, and holds up every other request."""


def json_body() -> dict[str, Any]:
    """The request's JSON object. Raises Problem for anything else."""
    data = request.stream.read(MAX_JSON + 1)
    if len(data) > MAX_JSON:
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
