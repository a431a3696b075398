"""`python -m companion calibrate colors`: learn the colors of these tiles from photos of one row of them."""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import Any

from companion.cli.common import BAD_INPUT, UNREAD, add_language, complain, refused, told
from companion.cli.photo_files import photo_bytes
from companion.words.words import words
from vision.errors import InputError, PhotoError
from vision.table.profile import TableProfile
from vision.table.reading import COLORS


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The command's arguments."""
    parser.add_argument("photos", metavar="PHOTO", nargs="+", help="photos of one row of tiles in a zone")
    parser.add_argument("--table", metavar="PROFILE.json", required=True)
    parser.add_argument("--order", type=_order, default=COLORS, metavar="red,yellow,…",
                        help=f"the row's colors from left to right (default: {','.join(COLORS)})")  # fmt: skip
    parser.add_argument("--out", metavar="PALETTE.json", required=True, type=Path)
    add_language(parser)


def run(args: argparse.Namespace) -> int:
    """Returns 0, 1 where a photo shows no such row, 2 for other bad input."""
    from calibration.colors import ColorsError, learn_palette  # noqa: PLC0415
    from vision.photo import open_photo  # noqa: PLC0415
    from vision.table.palette import Palette  # noqa: PLC0415

    said = words(args.lang)
    path = args.table
    try:
        profile = TableProfile.load(Path(args.table))
        tiles: dict[str, list[Any]] = {color: [] for color in args.order}
        for path in args.photos:
            photo = open_photo(photo_bytes(path))
            learned = learn_palette([photo.image], profile.shrunk(photo.scale), args.order)
            for color, windows in learned.tiles.items():
                tiles[color] += windows
        args.out.write_text(json.dumps(Palette(tiles).to_json()) + "\n", "utf-8")
    except (PhotoError, ColorsError) as error:
        return complain(said.say("file.of", file=path, why=error), UNREAD)
    except (InputError, OSError) as error:
        return complain(told(error, said), BAD_INPUT)
    print(said.say("colors.done", path=args.out, colors=len(args.order), n=len(args.photos)))
    return 0


def _order(text: str) -> tuple[str, ...]:
    order = tuple(part.strip() for part in text.split(","))
    wrong = next((color for color in order if color not in COLORS), None)
    if wrong is not None or len(set(order)) < len(order):
        raise refused("argument.colors", colors=COLORS, got=text if wrong is None else wrong)
    return order
