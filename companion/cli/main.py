"""The command line's entry point: a list of commands, each imported only when it runs.

A command NAME lives in `companion/cli/NAME.py` and offers `add_arguments(parser)` and
`run(args) -> int`, the exit status. What it raises of bad input and of files is said here.
Nothing but the chosen command's module is imported, so that `score` starts without the
camera's and the web's libraries.
"""

import argparse
import importlib
import re
import sys
from collections.abc import Sequence
from typing import Any, NoReturn

from common.messages import InputError
from companion import __version__
from companion.cli import output
from companion.cli.common import BAD_INPUT, ask_language, complain, own_language, told
from companion.words.text import one_line
from companion.words.words import words

COMMANDS = {
    "score": "score a table state (JSON): every player's points, line by line",
    "sheet": "enroll, read and score photographed map sheets",
    "table": "read photos of a table: tiles, cards, the state they make",
    "cards": "learn a deck from photos of its cards, to know them again without stickers",
    "watch": "follow a table with a camera, a stream or a film: each state in which it comes to rest",
    "referee": "follow a game from look to look: moves, slips with their rules, readings put right",
    "calibrate": "learn a camera's lens, or the colors of tiles, from photos",
    "print": "make stickers, zone mats, the calibration board and the color strip, as PDF",
    "serve": "open the page: on this computer, or with --lan for the phones at the table",
}

SPEECHLESS = frozenset({"serve"})
"""Commands that do their work where standard output is closed as well."""

FAILED = 1
INTERRUPTED = 130


REFUSALS = {
    r"argument (?P<argument>.+?): (?P<what>.+)": "argument.of",
    r"invalid choice: '?(?P<got>.*?)'?(?:, maybe .*)? \(choose from (?P<choices>.+)\)": "argument.choice",
    r"expected (?:one|at least one) argument": "argument.value",
    r"ignored explicit argument '?(?P<got>.*?)'?": "argument.no-value",
    r"not allowed with argument (?P<other>.+)": "argument.alone",
    r"the following arguments are required: (?P<missing>.+)": "argument.missing",
    r"unrecognized arguments: (?P<got>.+)": "argument.unknown",
    r"ambiguous option: (?P<got>.+) could match (?P<choices>.+)": "argument.ambiguous",
}
"""What `argparse` says of arguments, and the key under which it is said here."""


class Parser(argparse.ArgumentParser):
    """An argument parser that complains in one line, in the reader's language."""

    def error(self, message: str) -> NoReturn:
        self.exit(BAD_INPUT, f"{self.prog}: {one_line(_in_words(message))}\n")


def _in_words(message: str) -> str:
    """What `argparse` says in the reader's language; as it came where it is something else, or in words already."""
    for pattern, key in REFUSALS.items():
        if found := re.fullmatch(pattern, message, re.DOTALL):
            values: dict[str, Any] = found.groupdict()
            if "choices" in values:
                values["choices"] = re.findall(r"[^\s,']+", values["choices"])
            if "what" in values:
                values["what"] = _in_words(values["what"])
            return words(own_language()).say(key, **values)
    return message


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command. Returns the exit status: 0, 1 where a part or the output failed, 2 for bad input."""
    given = list(sys.argv[1:] if argv is None else argv) or ["serve"]
    chosen = next((word for word in given if not word.startswith("-")), None)
    ask_language(given)
    output.prepare(needed=chosen not in SPEECHLESS)
    try:
        try:
            return _run(given, chosen)
        finally:
            sys.stdout.flush()
    except output.OutputFailedError as failed:
        if not isinstance(failed.error, BrokenPipeError):  # a reader who went away is no mistake of anybody's
            print(f"companion: standard output cannot be written: {failed}", file=sys.stderr)
        return FAILED
    except KeyboardInterrupt:
        return INTERRUPTED


def _run(given: Sequence[str], chosen: str | None) -> int:
    installed = sys.argv[0].removesuffix(".exe").endswith("table-companion")
    name = "table-companion" if installed else "python -m companion"
    parser = Parser(prog=name, description="A companion for the physical game table.")
    parser.add_argument("--version", action="version", version=f"%(prog)s {__version__}")
    rows = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")
    command = None
    for name, about in COMMANDS.items():
        row = rows.add_parser(name, help=about, description=about)
        if name == chosen:
            command = importlib.import_module(f"companion.cli.{name}")
            command.add_arguments(row)
    args = parser.parse_args(given)
    try:
        return int(command.run(args)) if command else BAD_INPUT
    except (InputError, OSError) as error:
        return complain(told(error, words(args.lang)), BAD_INPUT)
