"""JSON files that somebody wrote by hand or by another program, and how messages show what stood in them."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

LONGEST = 60
"""Characters of a value that a message shows."""


class NotJsonError(ValueError):
    """A file that is no JSON, and why."""


def read_json(path: Path, take: Callable[[list[tuple[str, Any]]], Any] | None = None) -> Any:
    """The value that a UTF-8 file holds; `take` makes each object of its pairs, and may raise errors of its own.

    Raises NotJsonError and OSError.
    """
    try:
        return json.loads(path.read_text("utf-8"), object_pairs_hook=take)
    except (UnicodeDecodeError, json.JSONDecodeError) as error:
        raise NotJsonError(str(error)) from None
    except RecursionError:
        raise NotJsonError("lists or objects nested too deeply") from None
    except ValueError as error:
        if type(error) is not ValueError:
            raise
        raise NotJsonError("a number of too many digits") from None  # more than Python turns into a number


def shown(value: object) -> str:
    """A JSON value as a message shows it: one line, shortened, fit for any file and page."""
    try:
        plain = isinstance(value, str) and value.isprintable() and value != ""
        text = str(value) if plain else json.dumps(value, default=str, ensure_ascii=False)
    except (ValueError, RecursionError):
        text = type(value).__name__
    text = text.encode("utf-8", "backslashreplace").decode()
    return text if len(text) <= LONGEST else text[: LONGEST - 3] + "…"


def whole(value: object) -> bool:
    """Whether all text in a JSON value, keys too, can be written to a file: JSON can hold halves of characters."""
    try:
        json.dumps(value, default=str, ensure_ascii=False).encode()
    except (ValueError, RecursionError):
        return False
    return True
