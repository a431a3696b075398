"""`python -m companion score`: table states to breakdowns, for people or as JSON."""

import argparse
import gc
import sys
from collections.abc import Iterable, Iterator
from typing import BinaryIO

from companion.cases.answer import answer, encode, short_answer
from companion.cases.state_text import parse
from companion.cli.common import BAD_INPUT, add_language, told
from companion.words.words import Words, words
from scoring import StateError, score_state

RARELY = 1_000_000
"""How many objects may pile up before Python looks for cycles, of which answers make none."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The command's arguments."""
    parser.add_argument("file", metavar="FILE", help="a table state (JSON), - for standard input")
    form = parser.add_mutually_exclusive_group()
    form.add_argument("--json", action="store_true", help="print the whole answer as one JSON object")
    form.add_argument("--jsonl", action="store_true", help="one state a line in, one answer a line out")
    parser.add_argument("--explain", action="store_true", help="add reasons, alternatives and other readings")
    add_language(parser)


def run(args: argparse.Namespace) -> int:
    """Score FILE. Returns 0, or 2 for bad input; with --jsonl a bad line answers `{"error": …}` in its place."""
    say = words(args.lang)
    try:
        with _open(args.file) as file:
            if args.jsonl:
                gc.set_threshold(RARELY)
                sys.stdout.writelines(answers(file, say, args.explain))
                return 0
            data = file.read()
    except OSError as error:
        return _complain(told(error, say, args.file))
    try:
        breakdown = score_state(parse(data), explain=args.json or args.explain)
    except StateError as error:
        return _complain(say.error(error))
    if args.json:
        print(encode(answer(breakdown, say)))
    else:
        from companion.cli.report import report  # noqa: PLC0415 -- scripts need no table

        print(report(breakdown, say, args.explain))
    return 0


def answers(lines: Iterable[bytes], say: Words, explain: bool) -> Iterator[str]:
    """One line of JSON for each line: the answer, or what is wrong with it."""
    for line in lines:
        try:
            breakdown = score_state(parse(line), explain)
        except StateError as error:
            yield encode({"error": say.error(error)}) + "\n"
        else:
            yield (encode(answer(breakdown, say)) if explain else short_answer(breakdown, say)) + "\n"


def _open(path: str) -> BinaryIO:
    return open(0, "rb", closefd=False) if path == "-" else open(path, "rb")


def _complain(message: str) -> int:
    print(message, file=sys.stderr)
    return BAD_INPUT
