"""The file of results: one JSON object a line, kept up to the last photo whenever the program ends."""

import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from common.messages import InputError
from common.whole_file import ANYBODY, named
from companion.file_lock import lock

BEGINNING = b'{"photo": '
"""How each line begins, one that was cut off as well."""
CONTENT, PROFILE = "content", "profile"
"""Keys of a line beside the public ones: the hash of the photo's bytes, and that of the profile it was read with."""


class Results:
    """What has been read, by path and by content.

    Args:
        path: the file; what is there is kept, a line that was cut off is removed.
        profile: the hash of the profile.

    Raises InputError where it is no file, another program writes there, or it holds something else or readings with
    another profile; OSError.
    """

    def __init__(self, path: Path, profile: str) -> None:
        self.path, self.profile = path, profile
        self._last: dict[str, int] = {}
        self._content: dict[str, str] = {}
        self._where: dict[str, int] = {}
        if path.exists() and not path.is_file():
            raise InputError("batch.no-file", file=path)
        self._file = os.open(path, os.O_RDWR | os.O_CREAT | getattr(os, "O_BINARY", 0), ANYBODY)
        try:
            if not lock(self._file):
                raise InputError("batch.in-use", file=path)
            self._end = 0
            for at, end, line in self._lines():
                self._known(line, at)
                self._end = end
        except BaseException:
            self.close()
            raise
        os.ftruncate(self._file, self._end)
        os.lseek(self._file, self._end, os.SEEK_SET)

    def __len__(self) -> int:
        return len(self._last)

    def close(self) -> None:
        os.close(self._file)

    def add(self, answer: dict[str, Any], content: str) -> None:
        """Append a photo's line. Raises OSError."""
        line = {**answer, **({CONTENT: content} if content else {}), PROFILE: self.profile}
        data = (json.dumps(line, ensure_ascii=False) + "\n").encode("utf-8", "backslashreplace")
        with named(self.path):
            while data:
                data = data[os.write(self._file, data) :]
        self._known(line, self._end)
        self._end = os.lseek(self._file, 0, os.SEEK_CUR)

    def holds(self, photo: str, content: str) -> bool:
        """Whether this photo was read, as it is now."""
        return self._content.get(photo) == content

    def same(self, photo: str, content: str) -> dict[str, Any] | None:
        """The answer of another path with the same bytes, as this photo's; None where there is none."""
        at = self._where.get(content)
        return None if at is None else {**public(self._read(at)), "photo": photo}

    def answers(self) -> Iterator[dict[str, Any]]:
        """Each photo's last line."""
        return (self._read(at) for at in list(self._last.values()))

    def answer(self, photo: str) -> dict[str, Any] | None:
        """A photo's last line; None where it has none."""
        at = self._last.get(photo)
        return None if at is None else self._read(at)

    def _known(self, line: dict[str, Any], at: int) -> None:
        photo, content = line["photo"], line.get(CONTENT)
        self._last[photo] = at
        self._content.pop(photo, None)
        if content:
            self._content[photo] = content
            self._where.setdefault(content, at)

    def _read(self, at: int) -> dict[str, Any]:
        with self.path.open("rb") as file:
            file.seek(at)
            line: dict[str, Any] = json.loads(file.readline())
        return line

    def _lines(self) -> Iterator[tuple[int, int, dict[str, Any]]]:
        """Each whole line with where it begins and ends."""
        end = 0
        with self.path.open("rb") as file:
            for number, text in enumerate(file, 1):
                if not text.endswith(b"\n") and _cut_off(text):
                    return
                try:
                    line = json.loads(text)
                    fits = text.endswith(b"\n") and isinstance(line, dict) and isinstance(line.get("photo"), str)
                except (ValueError, RecursionError):
                    fits = False
                if not fits:
                    raise InputError("batch.no-results", file=self.path, line=number)
                if line.get(PROFILE) != self.profile:
                    raise InputError("batch.other-profile", file=self.path, line=number)
                yield end, end + len(text), line
                end += len(text)


def _cut_off(text: bytes) -> bool:
    """Whether the end of a file is a line of results that was not written whole; a power cut may leave zeros."""
    text = text.strip(b"\0")
    return text[: len(BEGINNING)] == BEGINNING[: len(text)]


def public(line: dict[str, Any]) -> dict[str, Any]:
    """A line without what only the file of results needs."""
    return {key: value for key, value in line.items() if key not in (CONTENT, PROFILE)}
