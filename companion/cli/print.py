"""`python -m companion print`: stickers, zone mats, the calibration board, the color strip, as PDF."""

import argparse
from pathlib import Path

from common.file_kind import marked
from common.json_file import write_json
from common.messages import Message, why
from common.whole_file import write_whole
from companion.cli.common import BAD_INPUT, UNREAD, add_language, check_outputs, complain, refused, told
from companion.games import FIRST, GAMES, table_games
from companion.games.entry import Game
from companion.printing.check import check
from companion.printing.paper import PAPERS, RULER_MM
from companion.printing.sets import KINDS, Order, make, profile
from companion.words.words import Words, words
from vision.errors import PhotoError
from vision.photo import load_photo
from vision.table.profile import TableProfile

MOST_JOINED = 4
"""Sheets of a mat in each direction, at most."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The command's arguments."""
    parser.add_argument("what", metavar="WHAT", choices=(*KINDS, "check"), help=f"{', '.join(KINDS)}; or check a photo")
    parser.add_argument("photos", metavar="PHOTO", nargs="*", default=[], help="with check: photos of the printed mats")
    parser.add_argument("--paper", choices=PAPERS, default="A4")
    parser.add_argument(
        "--game", choices=[game.slug for game in table_games()], default=FIRST, help="whose stickers and zones"
    )
    add_language(parser)
    parser.add_argument("--out", type=Path, metavar="FILE.pdf", help="where to write the PDF")
    parser.add_argument("--profile", type=Path, metavar="FILE.json", help="also write the matching table profile")
    parser.add_argument("--zones", default="", metavar="A,B,dungeon", help="whose mats")
    parser.add_argument("--join", type=_joined, metavar="2x1", help="sheets of one mat, across and down")
    parser.add_argument("--ruler", type=_ruler, default=RULER_MM, metavar="MM",
                        help="what a ruler shows on the printed 100 mm; the profile's sizes follow it")  # fmt: skip
    parser.add_argument("--table", type=Path, metavar="PROFILE.json", help="with check: the table profile")


def run(args: argparse.Namespace) -> int:
    """Returns 0, 1 where a photo shows nothing to check, 2 for bad input. Raises TableProfileError, OSError."""
    said = words(args.lang)
    if args.what == "check":
        return _check(args, said)
    if args.photos:
        return complain(said.say("print.no-photos", what=args.what), BAD_INPUT)
    mats = tuple(args.zones.split(",")) if args.zones else ()
    game = GAMES[args.game]
    if (wrong := _wrong(args.what, mats, game)) is not None:
        return complain(said.told(wrong), BAD_INPUT)
    order = Order(args.what, game, args.paper, mats, args.join, args.lang, args.ruler)
    path = args.out or Path(f"{args.game}-{args.what}-{args.paper}.pdf")
    check_outputs([("out", path), ("profile", args.profile)], [])
    pdf, pages = make(order)
    try:
        write_whole(path, pdf)
        print(said.say("print.done", path=path, pages=pages))
        if args.profile:
            path = args.profile
            write_json(path, marked("table", profile(order).to_json()))
            print(said.say("print.profile-done", path=path))
    except OSError as error:
        return complain(told(error, said, path), BAD_INPUT)
    print(said.say("print.how"))
    return 0


def _check(args: argparse.Namespace, said: Words) -> int:
    if not args.photos or not args.table:
        return complain(said.say("print.check-needs"), BAD_INPUT)
    table = TableProfile.load(args.table)
    status = 0
    for photo in args.photos:
        try:
            lines = check(load_photo(Path(photo).read_bytes()), table, said)
        except PhotoError as error:
            lines, status = [said.told(error)], UNREAD
        except OSError as error:
            lines, status = [said.told(why(error))], UNREAD
        for line in lines:
            print(f"{photo}: {line}")
    return status


def _wrong(what: str, mats: tuple[str, ...], game: Game) -> Message | None:
    """What is wrong with what was asked for."""
    if what == "strip" and not game.tiles:
        return Message("argument.tiles", {"games": [one.slug for one in table_games() if one.tiles], "got": game.slug})
    for zone in mats:
        if zone not in game.mats:
            return Message("argument.zones", {"zones": game.mats, "got": zone})
    return None if len(set(mats)) == len(mats) else Message("argument.zones-once", {"got": ",".join(mats)})


def _joined(text: str) -> tuple[int, int]:
    across, _, down = text.partition("x")
    if not all(part.isascii() and part.isdecimal() and 1 <= int(part) <= MOST_JOINED for part in (across, down)):
        raise refused("argument.joined", most=MOST_JOINED, got=text)
    return int(across), int(down)


def _ruler(text: str) -> float:
    try:
        value = float(text)
    except ValueError:
        value = 0.0
    if not 50 <= value <= 200:
        raise refused("argument.ruler", least=50, most=200, got=text)
    return value
