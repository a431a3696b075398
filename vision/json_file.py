"""JSON files that somebody wrote by hand or by another program."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any


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
