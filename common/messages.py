"""What can be wrong with something that a person gave or did: a key and values, whose words stand in the catalogs."""

import errno
import json
from collections.abc import Mapping
from typing import Any, ClassVar, NamedTuple

LONGEST = 60
"""Characters of a value that a message shows."""


def shown(value: object) -> str:
    """A JSON value as a message shows it: one line, shortened, fit for any file and page."""
    try:
        plain = isinstance(value, str) and value.isprintable() and value != ""
        text = str(value) if plain else json.dumps(value, default=str, ensure_ascii=False)
    except (ValueError, RecursionError):
        text = type(value).__name__
    text = text.encode("utf-8", "backslashreplace").decode()
    return text if len(text) <= LONGEST else text[: LONGEST - 3] + "…"


class Message(NamedTuple):
    """Something to be said: a key of the catalogs, and what fills the gaps of its sentence, other messages among it."""

    key: str
    values: Mapping[str, Any] = {}

    def to_json(self) -> dict[str, Any]:
        """The key and its values, for what is kept."""
        out: dict[str, Any] = _json(self)
        return out

    @classmethod
    def from_json(cls, kept: Mapping[str, Any]) -> "Message":
        """The message that was kept."""
        values = kept["values"].items()
        inner = {name: cls.from_json(one) if _is_message(one) else one for name, one in values}
        return cls(kept["key"], inner)

    def __str__(self) -> str:
        gaps = ", ".join(f"{name} {value}" for name, value in self.values.items())
        return f"{self.key} ({gaps})" if gaps else self.key


class InputError(ValueError):
    """Something that a person gave or did and that does not fit.

    `key` and `values` are a `Message`: catalogs have its sentence in every language. `str(error)` is only the two.
    """

    def __init__(self, key: str, /, **values: Any) -> None:
        self.key, self.values = key, values
        super().__init__(str(self.message))

    @property
    def message(self) -> Message:
        """The key and its values."""
        return Message(self.key, self.values)

    def to_json(self) -> dict[str, Any]:
        """The same for what is kept: messages among the values likewise."""
        out: dict[str, Any] = _json(self)
        return out


def _is_message(value: Any) -> bool:
    return isinstance(value, dict) and value.keys() == {"key", "values"}


def _json(value: Any) -> Any:
    if isinstance(value, (InputError, Message)):
        return {"key": value.key, "values": {name: _json(one) for name, one in value.values.items()}}
    return value


class OddError(InputError):
    """Something that was kept and that this version cannot read: damaged, or of a newer one."""


class MisfitError(InputError):
    """A file with a value that is not what was expected there.

    Args:
        place: where in the file, empty for the whole of it.
        expected: what fits there: a message, or its key.
        got: the value that was found; a message is said as it is.
        more: what fills the gaps of the sentence of `expected`, and what else the sentence of `KEY` names.
    """

    KEY: ClassVar[str]

    def __init__(self, place: str, expected: str | Message, got: object, **more: Any) -> None:
        self.place = shown(place) if place else ""
        self.expected = expected if isinstance(expected, Message) else Message(expected, more)
        found = got if isinstance(got, (Message, InputError)) else shown(got)
        where = self.place or Message("profile.top")
        super().__init__(self.KEY, **more, place=where, expected=self.expected, got=found)


REASONS = {
    errno.ENOENT: "file.missing",
    errno.EACCES: "file.forbidden",
    errno.EPERM: "file.forbidden",
    errno.EISDIR: "file.folder",
    errno.ENOTDIR: "file.no-folder",
    errno.EEXIST: "file.exists",
    errno.ENOSPC: "file.disk-full",
    errno.EROFS: "file.read-only",
    errno.EADDRINUSE: "net.in-use",
    errno.ECONNREFUSED: "net.refused",
    errno.EHOSTUNREACH: "net.unreachable",
    errno.ENETUNREACH: "net.unreachable",
    errno.ECONNRESET: "net.broken-off",
}


def why(error: OSError) -> Message:
    """Why the system could not do something with a file or a connection."""
    key = REASONS.get(error.errno or 0)
    return Message(key) if key else Message("file.other", {"reason": error.strerror or str(error)})
