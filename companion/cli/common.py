"""What commands share: exit statuses, complaints, the language of who sits there."""

import argparse
import errno
import os
import re
import sys
from collections.abc import Callable, Iterable, Sequence
from contextvars import ContextVar
from pathlib import Path
from typing import Any

from common.messages import InputError, why
from companion.words.catalog import LANGUAGES
from companion.words.text import one_line
from companion.words.words import Message, Words, words
from scoring.errors import StateError

BAD_INPUT = 2
"""Exit status: something that was given makes no sense."""
UNREAD = 1
"""Exit status: a photo or film could not be read."""

ASKED: ContextVar[str | None] = ContextVar("ASKED", default=None)
"""The language that `--lang` asks for, known before the arguments are read: what is wrong with them is said in it."""


def ask_language(given: Sequence[str]) -> None:
    """Note which language the arguments of a command ask for, where it is one of ours."""
    asked = re.search(rf"^--lang[=\n]({'|'.join(LANGUAGES)})$", "\n".join(given), re.MULTILINE)
    ASKED.set(asked and asked[1])


def add_language(parser: argparse.ArgumentParser) -> None:
    """The option `--lang`."""
    parser.add_argument("--lang", choices=LANGUAGES, default=own_language(), help="the language of the texts")


def own_language() -> str:
    """The language that was asked for, else that of the person's environment, if it is one of ours."""
    if asked := ASKED.get():
        return asked
    for name in ("LC_ALL", "LC_MESSAGES", "LANG"):
        if wanted := os.environ.get(name, "")[:2]:
            return wanted if wanted in LANGUAGES else LANGUAGES[0]
    return LANGUAGES[0]


def complain(text: str, status: int) -> int:
    """One line on standard error; returns the exit status."""
    print(f"companion: {one_line(text)}", file=sys.stderr, flush=True)
    return status


def told(error: Message | StateError | OSError, said: Words, path: object = None) -> str:
    """What is wrong, in words; what the system could not do with a file begins with its path."""
    if not isinstance(error, OSError):
        return said.told(error)
    file = path or error.filename
    return said.say("file.of", file=file, why=why(error)) if file else said.told(why(error))


def refused(key: str, /, **values: Any) -> argparse.ArgumentTypeError:
    """What is wrong with an argument, in words."""
    return argparse.ArgumentTypeError(words(own_language()).say(key, **values))


def check_outputs(outputs: Iterable[tuple[str, str | Path | None]], inputs: Iterable[str | Path | None]) -> None:
    """See that files can be written, before any work is done, and that none takes another's place.

    Args:
        outputs: the files that will be written, each with the option that names it.
        inputs: the files that are read.

    Raises InputError, and OSError where a folder is in the way.
    """
    taken = {which_file(path) for path in inputs if path}
    for option, path in outputs:
        if not path:
            continue
        if (which := which_file(path)) in taken:
            raise InputError("output.taken", option=option, file=path)
        if os.path.isdir(path):
            raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), str(path))
        if not Path(path).resolve().parent.is_dir():
            raise InputError("output.no-folder", option=option, file=path)
        taken.add(which)


def which_file(path: str | Path) -> tuple[int, int] | str:
    """Which file this is, whatever its name; where there is none, the path that it would have."""
    try:
        found = os.stat(path)
    except OSError:
        return os.path.realpath(path)
    return found.st_dev, found.st_ino


def whole(least: int, most: int) -> Callable[[str], int]:
    """Reads an argument that is a whole number within limits."""

    def read(text: str) -> int:
        if not text.isascii() or not text.isdecimal() or not least <= int(text) <= most:
            raise refused("argument.number", least=least, most=most, got=text)
        return int(text)

    return read
