"""`python -m companion cards`: learn a deck from photos of its cards."""

from __future__ import annotations

import argparse
from pathlib import Path

from companion.cli.common import BAD_INPUT, UNREAD, complain
from companion.cli.photo_files import photo_bytes


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The command's verb and its arguments."""
    verbs = parser.add_subparsers(dest="verb", required=True, metavar="enroll")
    enroll = verbs.add_parser("enroll", help="learn a deck from photos of its cards, laid out face up in a grid")
    enroll.add_argument("photos", metavar="PHOTO", nargs="+")
    enroll.add_argument("--order", metavar="ORDER.json", required=True, type=Path, help="which card lies where")
    enroll.add_argument("--out", metavar="DECK.json", required=True, type=Path, help="where to save the deck")


def run(args: argparse.Namespace) -> int:
    """Returns 0, 1 where the cards cannot be made out in a photo, 2 for other bad input."""
    from calibration.decks import Order, OrderError, enroll_deck  # noqa: PLC0415
    from vision.cards.deck import DeckError  # noqa: PLC0415
    from vision.errors import PhotoError  # noqa: PLC0415
    from vision.photo import open_photo  # noqa: PLC0415

    photos = []
    try:
        order = Order.load(args.order)
        for path in args.photos:
            try:
                photos.append(open_photo(photo_bytes(path)).image)
            except PhotoError as error:
                return complain(f"{path}: {error}", UNREAD)
        deck = enroll_deck(photos, order)
        deck.save(args.out)
    except OrderError as error:
        return complain(str(error), BAD_INPUT)
    except DeckError as error:
        return complain(str(error), UNREAD)
    except OSError as error:
        return complain(f"{error.filename}: {error.strerror or error}", BAD_INPUT)
    print(f"{args.out}: {len(deck.faces)} cards from {len(photos)} photo{'s' * (len(photos) > 1)}")
    for one, other in deck.cannot_be_told_apart():
        complain(f"{one} and {other} cannot be told apart: their faces look the same", 0)
    return 0
