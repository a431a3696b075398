"""The JSON that a request brings."""

from __future__ import annotations

import json
from typing import Any, NoReturn

from flask import request

from companion.web.problems import Problem
from vision.json_file import whole


def json_body() -> dict[str, Any]:
    """The request's JSON object. Raises Problem for anything else."""
    try:
        body = json.loads(request.get_data(), parse_constant=_refuse)
    except (ValueError, RecursionError):
        raise Problem("problem.request") from None
    if not isinstance(body, dict) or not whole(body):
        raise Problem("problem.request")
    return body


def _refuse(constant: str) -> NoReturn:
    raise ValueError(f"{constant} is not JSON")
