"""`python -m companion table`: read photos of a table."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from companion.cli.annotated import annotated
from companion.cli.batch import command as batch
from companion.cli.common import BAD_INPUT, UNREAD, add_language, complain, told
from companion.cli.photo_files import photo_bytes
from companion.words.words import words
from vision.errors import InputError, PhotoError, why
from vision.table.profile import TableProfile

if TYPE_CHECKING:
    import numpy as np

    from companion.cli.batch.table_photos import TablePhotos


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The command's verb and its arguments."""
    verbs = parser.add_subparsers(dest="verb", required=True, metavar="read")
    read = verbs.add_parser("read", help="read photos of a table: tiles, cards and the state they make")
    read.add_argument("--table", metavar="PROFILE.json", required=True)
    batch.add_arguments(read)
    add_language(read)


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
    from companion.cli.batch.table_photos import TablePhotos  # noqa: PLC0415

    profile = TableProfile.load(Path(args.table))
    if said := mistakes(profile):
        complain(words(args.lang).told(said), BAD_INPUT)
    if batch.is_batch(args):
        beside = [Path(path) for path in (profile.palette, *profile.decks) if path]
        return batch.run(args, "table", args.table, [Path(args.table), *beside])
    drawn = annotated(args.annotate, args.photos)
    status = 0
    reader = TablePhotos(args.table, args.lang)
    for number, path in enumerate(args.photos):
        answer, lines = _read_one(reader, path, None if drawn is None else partial(drawn.write, number), args.lang)
        if "error" in answer:
            status = UNREAD
        if args.json:
            print(json.dumps(answer, ensure_ascii=False), flush=True)
        elif "error" in answer:
            print(f"{answer['photo']}: {answer['error']}", file=sys.stderr)
        else:
            print("\n".join(lines), flush=True)
    return status


def _read_one(
    reader: TablePhotos, path: str, draw: Callable[[np.ndarray], None] | None, language: str
) -> tuple[dict[str, Any], list[str]]:
    """A photo's public JSON object, and its lines for people; `{"photo", "error"}` where it cannot be read."""
    try:
        answer, lines, drawn = reader.read(path, photo_bytes(path))
    except PhotoError as error:
        return {"photo": path, "error": words(language).told(error)}, []
    except OSError as error:
        return {"photo": path, "error": words(language).say("photo.no-file", reason=why(error))}, []
    if draw:
        draw(drawn())
    return answer, lines
