"""`python -m companion table`: read photos of a table."""

import argparse
from pathlib import Path

from companion.cli.batch import command as batch
from companion.cli.batch.job import read_one
from companion.cli.batch.photos import pages_of
from companion.cli.common import BAD_INPUT, add_language, complain
from companion.words.words import words
from vision.table.profile import TableProfile


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The command's verb and its arguments."""
    verbs = parser.add_subparsers(dest="verb", required=True, metavar="read")
    read = verbs.add_parser("read", help="read photos of a table: tiles, cards and the state they make")
    read.add_argument("--table", metavar="PROFILE.json", required=True)
    batch.add_arguments(read)
    add_language(read)


def run(args: argparse.Namespace) -> int:
    """Returns 0, 1 where a photo could not be read. Raises InputError, OSError."""
    from companion.cases.table import mistakes  # noqa: PLC0415
    from companion.cli.batch.table_photos import TablePhotos  # noqa: PLC0415

    profile = TableProfile.load(Path(args.table))
    if said := mistakes(profile):
        complain(words(args.lang).told(said), BAD_INPUT)
    if batch.is_batch(args):
        beside = [Path(path) for path in (profile.palette, *profile.decks) if path]
        return batch.run(args, "table", args.table, [Path(args.table), *beside])
    tasks, reader = (
        batch.tasks_of(args, [page for photo in args.photos for page in pages_of(photo)]),
        TablePhotos(args.table, args.lang),
    )
    return batch.show_all(args, (read_one(reader, task, words(args.lang)) for task in tasks))
