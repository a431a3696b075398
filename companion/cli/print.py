"""`python -m companion print`: stickers, zone mats, the calibration board, the color strip, as PDF."""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path

from companion.cli.common import BAD_INPUT, UNREAD
from companion.games import FIRST, GAMES, table_games
from companion.games.entry import Game
from companion.games.markers import ZONE_MARKER_MM
from companion.printing.paper import PAPERS, RULER_MM
from companion.printing.sets import KINDS, Order, make, profile
from companion.words.catalog import LANGUAGES
from companion.words.words import Words, words

MOST_JOINED = 4
"""Sheets of a mat in each direction, at most."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The command's arguments."""
    parser.add_argument("what", metavar="WHAT", choices=(*KINDS, "check"), help=f"{', '.join(KINDS)}; or check a photo")
    parser.add_argument("photos", metavar="PHOTO", nargs="*", help="with check: photos of the printed mats")
    parser.add_argument("--paper", choices=PAPERS, default="A4")
    parser.add_argument(
        "--game", choices=[game.slug for game in table_games()], default=FIRST.slug, help="whose stickers and zones"
    )
    parser.add_argument("--lang", choices=LANGUAGES, default="en", help="the language of the texts")
    parser.add_argument("--out", type=Path, metavar="FILE.pdf", help="where to write the PDF")
    parser.add_argument("--profile", type=Path, metavar="FILE.json", help="also write the matching table profile")
    parser.add_argument("--zones", default="", metavar="A,B,dungeon", help="whose mats")
    parser.add_argument("--join", type=_joined, metavar="2x1", help="sheets of one mat, across and down")
    parser.add_argument("--ruler", type=_ruler, default=RULER_MM, metavar="MM",
                        help="what a ruler shows on the printed 100 mm; the profile's sizes follow it")  # fmt: skip
    parser.add_argument("--table", type=Path, metavar="PROFILE.json", help="with check: the table profile")


def run(args: argparse.Namespace) -> int:
    """Returns 0, 1 where a photo shows nothing to check, 2 for bad input."""
    said = words(args.lang)
    if args.what == "check":
        return _check(args, said)
    if args.photos:
        return _complain(said.say("print.no-photos", what=args.what))
    mats = tuple(args.zones.split(",")) if args.zones else ()
    game = GAMES[args.game]
    if (wrong := _wrong(args.what, mats, game)) is not None:
        return _complain(wrong)
    order = Order(args.what, game, args.paper, mats, args.join, args.lang, args.ruler)
    pdf, pages = make(order)
    path = args.out or Path(f"{args.game}-{args.what}-{args.paper}.pdf")
    try:
        path.write_bytes(pdf)
        print(said.say("print.done", path=path, pages=pages))
        if args.profile:
            path = args.profile
            path.write_text(json.dumps(profile(order).to_json(), ensure_ascii=False) + "\n", "utf-8")
            print(said.say("print.profile-done", path=path))
    except OSError as error:
        return _complain(f"{path}: {error.strerror or error}")
    print(said.say("print.how"))
    return 0


def _check(args: argparse.Namespace, said: Words) -> int:
    from companion.printing.check import check  # noqa: PLC0415
    from vision.errors import PhotoError  # noqa: PLC0415
    from vision.photo import load_photo  # noqa: PLC0415
    from vision.table.profile import TableProfile, TableProfileError  # noqa: PLC0415

    if not args.photos or not args.table:
        return _complain(said.say("print.check-needs"))
    try:
        table = TableProfile.load(args.table)
    except TableProfileError as error:
        return _complain(str(error))
    except OSError as error:
        return _complain(f"{args.table}: {error.strerror or error}")
    status = 0
    for photo in args.photos:
        try:
            lines = check(load_photo(Path(photo).read_bytes()), table, ZONE_MARKER_MM, said)
        except PhotoError as error:
            lines, status = [str(error)], UNREAD
        except OSError as error:
            lines, status = [error.strerror or str(error)], UNREAD
        for line in lines:
            print(f"{photo}: {line}")
    return status


def _wrong(what: str, mats: tuple[str, ...], game: Game) -> str | None:
    """What is wrong with what was asked for."""
    if what == "strip" and not game.tiles:
        tiled = ", ".join(one.slug for one in table_games() if one.tiles)
        return f"--game: expected a game with tiles for the color strip ({tiled}), got {game.slug}"
    for zone in mats:
        if zone not in game.mats:
            return f"--zones: expected zones out of {', '.join(game.mats)}, got {zone!r}"
    return None if len(set(mats)) == len(mats) else f"--zones: expected each zone once, got {','.join(mats)!r}"


def _joined(text: str) -> tuple[int, int]:
    across, _, down = text.partition("x")
    if not all(part.isascii() and part.isdecimal() and 1 <= int(part) <= MOST_JOINED for part in (across, down)):
        raise argparse.ArgumentTypeError(f"expected sheets across and down such as 2x1, at most 4x4, got {text!r}")
    return int(across), int(down)


def _ruler(text: str) -> float:
    try:
        value = float(text)
    except ValueError:
        value = 0.0
    if not 50 <= value <= 200:
        raise argparse.ArgumentTypeError(f"expected millimetres from 50 to 200, got {text!r}")
    return value


def _complain(message: str) -> int:
    print(f"companion print: {message}", file=sys.stderr)
    return BAD_INPUT
