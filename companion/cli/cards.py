"""`python -m companion cards`: learn a deck from photos of its cards."""

import argparse
from pathlib import Path

from companion.cli.common import UNREAD, add_language, check_outputs, complain
from companion.words.words import words


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The command's verb and its arguments."""
    verbs = parser.add_subparsers(dest="verb", required=True, metavar="enroll")
    enroll = verbs.add_parser("enroll", help="learn a deck from photos of its cards, laid out face up in a grid")
    enroll.add_argument("photos", metavar="PHOTO", nargs="+")
    enroll.add_argument("--order", metavar="ORDER.json", required=True, type=Path, help="which card lies where")
    enroll.add_argument("--out", metavar="DECK.json", required=True, type=Path, help="where to save the deck")
    add_language(enroll)


def run(args: argparse.Namespace) -> int:
    """Returns 0, 1 where the cards cannot be made out in a photo. Raises OrderError, OSError."""
    from calibration.deck_check import not_told_apart  # noqa: PLC0415
    from calibration.decks import Order, enroll_deck  # noqa: PLC0415
    from companion.photo_files import photo_bytes  # noqa: PLC0415
    from vision.cards.deck import DeckError, look_the_same  # noqa: PLC0415
    from vision.errors import PhotoError  # noqa: PLC0415
    from vision.photo import open_photo  # noqa: PLC0415

    said = words(args.lang)
    beside = args.out.with_suffix(".npz")
    check_outputs([("out", args.out), ("out", beside)], [*args.photos, args.order])
    photos = []
    try:
        order = Order.load(args.order)
        for path in args.photos:
            try:
                photos.append(open_photo(photo_bytes(path)).image)
            except PhotoError as error:
                return complain(said.say("file.of", file=path, why=error), UNREAD)
        deck = enroll_deck(photos, order)
        deck.save(args.out)
    except DeckError as error:
        return complain(said.told(error), UNREAD)
    print(said.say("deck.done", path=args.out, cards=len(deck.faces), n=len(photos)))
    alike = look_the_same(deck.faces)
    for one, other in alike:
        complain(said.say("deck.alike", one=one, other=other), 0)
    ids = [str(face.entry["id"]) for face in deck.faces]
    for card, taken_for in not_told_apart(deck):
        if taken_for is None:
            complain(said.say("deck.unknown", one=ids[card]), 0)
        elif not any({ids[card], ids[taken_for]} <= {*pair} for pair in alike):
            complain(said.say("deck.unsure", one=ids[card], other=ids[taken_for]), 0)
    return 0
