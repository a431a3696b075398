"""Parse the JSON body of a request."""

import json
from typing import Any, NoReturn

from common.json_file import whole
from companion.cases.store import ID
from companion.web.problems import Problem
from companion.web.request_body import body

MAX_JSON = 256 * 1024
"""Bytes of a request's JSON, at most: parsing takes many times that in memory, and holds up every other request."""


def json_body(most: int = MAX_JSON, otherwise: str = "problem.request") -> dict[str, Any]:
    """The request's JSON object, of so many bytes at most. For anything else it raises Problem: `otherwise`."""
    data = body(most, Problem(otherwise, 413))
    try:
        value = json.loads(data, parse_constant=_refuse)
    except (ValueError, RecursionError):
        raise Problem(otherwise) from None
    if not isinstance(value, dict) or not whole(value):
        raise Problem(otherwise)
    return value


def once_of(said: Any) -> str | None:
    """The id by which a request that comes a second time is known; None where it has none. Raises Problem."""
    if said is None or (isinstance(said, str) and ID.fullmatch(said)):
        return said
    raise Problem("problem.request")


def _refuse(constant: str) -> NoReturn:
    raise ValueError(f"{constant} is not JSON")
