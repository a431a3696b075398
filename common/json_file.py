"""Read JSON files, also ones that somebody wrote by hand or by another program, and write them."""

import json
from collections import Counter
from pathlib import Path
from typing import Any

from common.messages import InputError, MisfitError, shown
from common.whole_file import write_whole

MOST_NUMBER = 1_000_000_000
"""No number that is bounded lies farther from zero: a file with a larger one was not made for a table."""
LARGEST_FILE = 2 * 1024 * 1024
"""Bytes of a JSON file that is read at most: as values they may take forty times as much memory."""


class NotJsonError(InputError):
    """A file that is no JSON, and why."""


def read_json(path: Path, most: int = LARGEST_FILE) -> Any:
    """As `json_value`, of a file. Raises NotJsonError and OSError."""
    with path.open("rb") as file:
        return json_value(file.read(most + 1), most)


def json_value(data: bytes, most: int = LARGEST_FILE) -> Any:
    """The value of JSON text in UTF-8, `most` bytes. Raises NotJsonError, also where an object has a key twice."""
    if len(data) > most:
        raise NotJsonError("json.large", most=most >> 20)
    try:
        text = data.decode()
        if text.startswith("\ufeff"):
            raise NotJsonError("json.mark")
        return json.loads(text, object_pairs_hook=_once)
    except UnicodeDecodeError as error:
        raise NotJsonError("json.utf-8", byte=error.start) from None
    except json.JSONDecodeError as error:
        raise NotJsonError("json.syntax", line=error.lineno, column=error.colno) from None
    except RecursionError:
        raise NotJsonError("json.deep") from None
    except ValueError as error:
        if type(error) is not ValueError:
            raise
        raise NotJsonError("json.digits") from None  # more than Python turns into a number


def read_profile(path: Path, misfit: type[MisfitError], **more: Any) -> Any:
    """As `read_json`, but a file that is no JSON is a misfit, with `more` to be said of it. Raises it, and OSError."""
    try:
        return read_json(path)
    except NotJsonError as error:
        twice = error.key == "profile.twice"
        place, expected = (error.values["what"], "profile.key-once") if twice else ("", "profile.json")
        raise misfit(place, expected, error, **more) from None


def write_json(path: Path, value: Any, indent: int | None = None) -> None:
    """Write a value as UTF-8 JSON, whole or not at all. Raises OSError."""
    write_whole(path, (json.dumps(value, ensure_ascii=False, indent=indent) + "\n").encode())


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    fields = dict(pairs)
    if len(fields) < len(pairs):
        raise NotJsonError("profile.twice", what=shown(said_twice(pairs)))
    return fields


def said_twice(pairs: list[tuple[str, Any]]) -> str:
    """The first key that an object has more than once."""
    return next(key for key, times in Counter(key for key, _ in pairs).items() if times > 1)


def whole(value: object) -> bool:
    """Whether all text in a JSON value, keys too, can be written to a file: JSON can hold halves of characters."""
    try:
        json.dumps(value, default=str, ensure_ascii=False).encode()
    except (ValueError, RecursionError):
        return False
    return True


def bounded(value: object) -> bool:
    """Whether all numbers in a JSON value are finite and lie within `MOST_NUMBER`."""
    waiting = [value]
    while waiting:
        one = waiting.pop()
        if isinstance(one, dict):
            waiting += one.values()
        elif isinstance(one, list):
            waiting += one
        elif isinstance(one, int | float) and not abs(one) <= MOST_NUMBER:
            return False
    return True
