"""From the bytes that somebody typed, sent or saved to a JSON value, as strictly as a score deserves."""

import json
from typing import Any, NoReturn

from common.file_kind import kind_of
from common.json_file import said_twice
from scoring.errors import StateError

BYTE_ORDER_MARK = "\ufeff"


def parse(data: bytes) -> Any:
    """The JSON value of UTF-8 text. Raises StateError for anything else.

    Repeated keys, NaN and Infinity, nesting without end, a byte order mark and a file of another kind are refused.
    """
    try:
        text = data.decode()
    except UnicodeDecodeError as error:
        raise StateError("", "utf-8", f"0x{data[error.start]:02x}", {"byte": error.start}) from None
    if text.startswith(BYTE_ORDER_MARK):
        raise StateError("", "no-byte-order-mark", BYTE_ORDER_MARK)
    try:
        value = _decoder.decode(text)
    except json.JSONDecodeError as error:
        got = text[error.pos : error.pos + 20]
        values = {"line": error.lineno, "column": error.colno}
        raise StateError("", "json", got, values) if got else StateError("", "json-end", text[-20:]) from None
    except RecursionError:
        raise StateError("", "shallow", text[:20]) from None
    except StateError:
        raise
    except ValueError:  # a whole number of more digits than Python reads
        raise StateError("", "short-numbers", text[:20]) from None
    if isinstance(value, dict) and (kind := kind_of(value)):
        raise StateError("", "state-file", kind)
    return value


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    fields = dict(pairs)
    if len(fields) < len(pairs):
        raise StateError("", "key-once", said_twice(pairs))
    return fields


def _no_constant(name: str) -> NoReturn:
    raise StateError("", "finite", name)


_decoder = json.JSONDecoder(object_pairs_hook=_once, parse_constant=_no_constant)
