"""`python -m companion referee`: a game followed from look to look, as sentences or JSON lines."""

import argparse
import json
import sys
from collections.abc import Iterable, Iterator
from typing import Any, BinaryIO

from companion.cases.answer import answer, encode
from companion.cases.log_words import Log
from companion.cases.state_text import parse
from companion.cli.common import BAD_INPUT, add_language, complain, told
from companion.words.words import Words, words
from referee import Game
from scoring import StateError, score_state

STANDARD_INPUT = "-"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The command's arguments."""
    parser.add_argument("files", nargs="+", metavar="LOOKS.jsonl", help="one game each; - for standard input")
    parser.add_argument("--json", action="store_true", help="print JSON lines in place of sentences")
    add_language(parser)


def run(args: argparse.Namespace) -> int:
    """Follow the games. Returns 0, or 2 where no file can be read or none has a look."""
    say = words(args.lang)
    log = Log(args.lang, ids=True)
    followed = 0
    for name in args.files:
        try:
            file = open(0 if name == STANDARD_INPUT else name, "rb", closefd=name != STANDARD_INPUT)  # noqa: SIM115
        except OSError as error:
            complain(told(error, say, name), BAD_INPUT)
            continue
        with file:
            for lines in _followed(name, file, say):
                for line in lines:
                    text = encode(line) if args.json else log.sentence(line)
                    if text:
                        sys.stdout.write(text + "\n")
                sys.stdout.flush()
        if lines[-1]["state"] is None:
            complain(say.say("file.no-looks", file=name), BAD_INPUT)
        else:
            followed += 1
    return 0 if followed else BAD_INPUT


def _followed(name: str, file: BinaryIO, say: Words) -> Iterator[list[dict[str, Any]]]:
    """The answers to each line of a file as it comes, and the end."""
    game = Game(name)
    for data in file:
        if not data.strip():
            continue
        try:
            line = parse(data.strip())
        except StateError as error:
            yield _spoken([game.failed(error)], say)
        else:
            yield _spoken(game.take(line), say)
    *rest, end = game.end()
    yield [*_spoken(rest, say), {**end, "answer": _answer(end["state"], say)}]


def _spoken(lines: Iterable[dict[str, Any]], say: Words) -> list[dict[str, Any]]:
    """The lines with their errors in words."""
    return [{**line, "error": say.error(line["error"])} if "error" in line else line for line in lines]


def _answer(state: object, say: Words) -> dict[str, Any]:
    """What `companion score` answers to the last state."""
    try:
        return answer(score_state(json.loads(json.dumps(state))), say)
    except StateError as error:
        return {"error": say.error(error)}
