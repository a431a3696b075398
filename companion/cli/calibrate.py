"""`python -m companion calibrate`: learn the colors of tiles, or a camera's lens, from photos."""

import argparse
import json
import sys
from pathlib import Path
from typing import Any

from common.json_file import write_json
from companion.cli.common import BAD_INPUT, UNREAD, add_language, check_outputs, complain, refused, told
from companion.photo_files import photo_bytes
from companion.words.words import words
from vision.errors import PhotoError
from vision.photo import load_photo, open_photo
from vision.table.profile import TableProfile
from vision.table.reading import COLORS


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The verbs and their arguments."""
    verbs = parser.add_subparsers(dest="verb", required=True, metavar="colors|camera")
    about = "learn the colors of these tiles from photos of one row of them"
    colors = verbs.add_parser("colors", help=about, description=about)
    colors.add_argument("photos", metavar="PHOTO", nargs="+", help="photos of one row of tiles in a zone")
    colors.add_argument("--table", metavar="PROFILE.json", required=True)
    colors.add_argument("--order", type=_order, default=COLORS, metavar="red,yellow,…",
                        help=f"the row's colors from left to right (default: {','.join(COLORS)})")  # fmt: skip
    colors.add_argument("--out", metavar="PALETTE.json", required=True, type=Path)
    about = "learn a camera's lens from photos of the printed board"
    camera = verbs.add_parser("camera", help=about, description=about)
    camera.add_argument(
        "photos", metavar="PHOTO", nargs="+", help="the board (print it with: print board), ten or more"
    )
    camera.add_argument("--out", type=Path, metavar="CAMERA.json", help="where to save the profile (default: print it)")
    camera.add_argument("--name", default="camera", help="the camera's name")
    for verb in (colors, camera):
        add_language(verb)


def run(args: argparse.Namespace) -> int:
    """Returns 0, 1 where a photo could not be used, 2 for too few of them. Raises InputError, OSError."""
    return _colors(args) if args.verb == "colors" else _camera(args)


def _colors(args: argparse.Namespace) -> int:
    from calibration.colors import ColorsError, learn_palette  # noqa: PLC0415
    from vision.table.palette import Palette  # noqa: PLC0415

    said = words(args.lang)
    check_outputs([("out", args.out)], [args.table, *args.photos])
    path = args.table
    try:
        profile = TableProfile.load(Path(args.table))
        tiles: dict[str, list[Any]] = {color: [] for color in args.order}
        for path in args.photos:
            photo = open_photo(photo_bytes(path))
            learned = learn_palette([photo.image], profile.shrunk(photo.scale), args.order)
            for color, windows in learned.tiles.items():
                tiles[color] += windows
        write_json(args.out, Palette(tiles).to_json())
    except (PhotoError, ColorsError) as error:
        return complain(said.say("file.of", file=path, why=error), UNREAD)
    print(said.say("colors.done", path=args.out, colors=len(args.order), n=len(args.photos)))
    return 0


def _order(text: str) -> tuple[str, ...]:
    order = tuple(part.strip() for part in text.split(","))
    wrong = next((color for color in order if color not in COLORS), None)
    if wrong is not None or len(set(order)) < len(order):
        raise refused("argument.colors", colors=COLORS, got=text if wrong is None else wrong)
    return order


def _camera(args: argparse.Namespace) -> int:
    from calibration.camera import CameraError, View, check, look, missing, solve  # noqa: PLC0415

    said = words(args.lang)
    check_outputs([("out", args.out)], args.photos)
    views: list[View] = []
    status = 0
    for photo in args.photos:
        try:
            view = look(load_photo(photo_bytes(photo)))
            check(view, views)
            views.append(view)
        except (CameraError, PhotoError, OSError) as error:
            why = told(error, said, photo) if isinstance(error, OSError) else said.say("file.of", file=photo, why=error)
            print(why, file=sys.stderr)
            status = UNREAD
    try:
        profile = solve(views, args.name)
    except CameraError as error:
        return complain(said.told(error), BAD_INPUT)
    if args.out is None:
        print(json.dumps(profile.to_json(), ensure_ascii=False))
        return status
    try:
        profile.save(args.out)
    except OSError as error:
        return complain(told(error, said, args.out), BAD_INPUT)
    print(said.say("camera.done", path=args.out, n=profile.views, error=f"{profile.error:.2f}",
              coverage=f"{100 * profile.coverage:.0f}"))  # fmt: skip
    for need in missing(views):
        print(said.say("camera.better", what=said.term(f"need.{need}")))
    return status
