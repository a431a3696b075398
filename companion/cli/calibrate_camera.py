"""`python -m companion calibrate camera`: photos of the printed board become a camera profile."""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path

from companion.cli.common import BAD_INPUT, UNREAD, add_language, complain, told
from companion.words.words import words


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The verb's arguments."""
    parser.add_argument(
        "photos", metavar="PHOTO", nargs="+", help="the board (print it with: print board), ten or more"
    )
    parser.add_argument("--out", type=Path, metavar="CAMERA.json", help="where to save the profile (default: print it)")
    parser.add_argument("--name", default="camera", help="the camera's name")
    add_language(parser)


def run(args: argparse.Namespace) -> int:
    """Returns 0, 1 where a photo could not be used, 2 where no profile could be made."""
    from calibration.camera import CameraError, View, check, look, missing, solve  # noqa: PLC0415
    from vision.errors import PhotoError  # noqa: PLC0415
    from vision.photo import load_photo  # noqa: PLC0415

    said = words(args.lang)
    views: list[View] = []
    status = 0
    for photo in args.photos:
        try:
            view = look(load_photo(Path(photo).read_bytes()))
            check(view, views)
        except (CameraError, PhotoError) as error:
            status = _refuse(said.say("file.of", file=photo, why=error))
        except OSError as error:
            status = _refuse(told(error, said, photo))
        else:
            views.append(view)
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


def _refuse(reason: str) -> int:
    print(reason, file=sys.stderr)
    return UNREAD
