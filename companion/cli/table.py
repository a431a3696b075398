"""`python -m companion table`: read photos of a table."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from companion.cli.annotated import Annotated, annotated
from companion.cli.common import BAD_INPUT, UNREAD, add_language, complain, told
from companion.cli.photo_files import photo_bytes
from companion.words.words import words
from vision.errors import InputError, PhotoError, why
from vision.table.profile import TableProfile


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The command's verb and its arguments."""
    verbs = parser.add_subparsers(dest="verb", required=True, metavar="read")
    read = verbs.add_parser("read", help="read photos of a table: tiles, cards and the state they make")
    read.add_argument("photos", metavar="PHOTO", nargs="+")
    read.add_argument("--table", metavar="PROFILE.json", required=True)
    read.add_argument("--json", action="store_true", help="one JSON object a photo, one a line")
    add_language(read)
    read.add_argument("--annotate", metavar="DIR", help="write each photo with what was read drawn over it")


def run(args: argparse.Namespace) -> int:
    """Returns 0, 1 where a photo could not be read, 2 for other bad input."""
    try:
        return _read(args)
    except BrokenPipeError:
        raise
    except (InputError, OSError) as error:
        return complain(told(error, words(args.lang)), BAD_INPUT)


def _read(args: argparse.Namespace) -> int:
    from companion.cases.table import mistakes  # noqa: PLC0415

    profile = TableProfile.load(Path(args.table))
    if said := mistakes(profile):
        complain(words(args.lang).told(said), BAD_INPUT)
    drawn = annotated(args.annotate, args.photos)
    status = 0
    for answer, lines in _answers(args.photos, profile, drawn, args.lang):
        if "error" in answer:
            status = UNREAD
        if args.json:
            print(json.dumps(answer, ensure_ascii=False), flush=True)
        elif "error" in answer:
            print(f"{answer['photo']}: {answer['error']}", file=sys.stderr)
        else:
            print("\n".join([answer["photo"], *lines]), flush=True)
    return status


def _answers(
    paths: list[str], profile: TableProfile, drawn: Annotated | None, language: str
) -> Iterator[tuple[dict[str, Any], list[str]]]:
    """Each photo's public JSON object, in order, and its lines for people; `{"photo", "error"}` if unreadable."""
    from companion.cases.pipeline import see_table  # noqa: PLC0415
    from companion.cases.table import table_reader  # noqa: PLC0415
    from companion.cli.seen import seen_lines  # noqa: PLC0415
    from vision.table.annotate import annotate_table  # noqa: PLC0415
    from vision.table.palette import Palette  # noqa: PLC0415

    palette = Palette.load(Path(profile.palette)) if profile.palette else None
    for number, path in enumerate(paths):
        try:
            seen = see_table(photo_bytes(path), profile, lambda shrunk: table_reader(shrunk, palette))
        except PhotoError as error:
            yield {"photo": path, "error": words(language).told(error)}, []
            continue
        except OSError as error:
            yield {"photo": path, "error": words(language).say("photo.no-file", reason=why(error))}, []
            continue
        photo, reading, made = seen.photo, seen.reading, seen.table
        said = (*reading.problems, *made.problems)
        problems = [{"key": p.key, **p.values} for p in said]
        answer = {"photo": path, **reading.to_json(scale=photo.scale), "state": made.state, "problems": problems}
        if drawn:
            drawn.write(number, annotate_table(photo.image, reading))
        yield answer, seen_lines(language, reading, said)
