"""`python -m companion sheet`: enroll a blank sheet, read filled ones, score them in one go."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from common.file_kind import marked
from common.json_file import NotJsonError, read_json, write_json
from common.messages import InputError, Message, shown
from companion.cli.annotated import drawn_files, save_picture
from companion.cli.batch import command as batch
from companion.cli.batch.job import Read, Task, unread
from companion.cli.batch.photos import pages_of
from companion.cli.common import BAD_INPUT, UNREAD, add_language, check_outputs, complain, refused, whole
from companion.cli.report import report
from companion.cli.seen import photo_answer, photo_lines
from companion.malloc import share_heaps
from companion.photo_files import photo_bytes
from companion.words.words import Words, words
from scoring import StateError
from vision.annotate import annotate, annotate_blank
from vision.errors import PhotoError
from vision.photo import load_photo
from vision.sheet.profile import ProfileError, SheetProfile

if TYPE_CHECKING:
    from companion.reading.pipeline import AnySheet
    from vision.sheet.reading import SheetReading

HEAPS = 2
"""Heaps that the threads share: as many photos are read at a time as there are cores, mostly two."""
MOST_ROUNDS = 48
"""Two stages of 24 exploration cards, of which each round takes off one at least."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The command's three verbs and their arguments."""
    verbs = parser.add_subparsers(dest="verb", required=True, metavar="enroll|read|score")
    enroll = verbs.add_parser("enroll", help="make a profile from the photo of a blank sheet")
    enroll.add_argument("photo", metavar="PHOTO")
    enroll.add_argument(
        "--letters", metavar="FILE", help="JSON object of letters with [row, column], instead of reading them"
    )
    enroll.add_argument("--out", metavar="PROFILE.json", help="where to save the profile (default: print it)")
    enroll.add_argument("--name", default=None, help="the sheet's name (default: the photo's)")
    enroll.add_argument("--rows", type=whole(2, 40), default=11)
    enroll.add_argument("--cols", type=whole(2, 40), default=11)
    enroll.add_argument("--json", action="store_true", help="print the profile, also where --out saves it")
    enroll.add_argument("--annotate", metavar="DIR", help="write the photo with what was found drawn over it")
    read = verbs.add_parser("read", help="read filled sheets")
    read.add_argument("--sheet", metavar="PROFILE.json", required=True)
    batch.add_arguments(read)
    score = verbs.add_parser("score", help="read a filled sheet and score it")
    score.add_argument("photo", metavar="PHOTO")
    score.add_argument("--sheet", metavar="PROFILE.json", required=True)
    score.add_argument("--first", metavar="PHOTO", help="the same sheet at the end of the first stage")
    score.add_argument("--goals", type=_goals, default=[], metavar="AF,BT", help="the goal cards held")
    score.add_argument(
        "--escaped",
        type=whole(1, MOST_ROUNDS),
        default=None,
        metavar="ROUND",
        help="the round of the escape (default: never)",
    )
    score.add_argument("--json", action="store_true", help="one JSON object: the answer, and the state that was scored")
    score.add_argument("--annotate", metavar="DIR", help="write each photo with what was read drawn over it")
    for verb in (enroll, read, score):
        add_language(verb)


def run(args: argparse.Namespace) -> int:
    """Returns 0, 1 where a photo could not be read, 2 for a state that does not score. Raises InputError, OSError."""
    share_heaps(HEAPS)
    try:
        return {"enroll": _enroll, "read": _read, "score": _score}[args.verb](args)
    except PhotoError as error:
        return complain(words(args.lang).say("file.of", file=args.photo, why=error), UNREAD)


def _enroll(args: argparse.Namespace) -> int:
    from calibration.sheets import enroll  # noqa: PLC0415

    beside = {kind: _beside(Path(args.out), kind) for kind in ("blank", "page")} if args.out else {}
    check_outputs([("out", path) for path in (args.out, *beside.values())], [args.photo, args.letters])
    (drawn,) = drawn_files(args.annotate, [args.photo])
    letters = _letters(Path(args.letters), args.rows, args.cols) if args.letters else None
    name = args.name or shown(Path(args.photo).stem)
    image = load_photo(photo_bytes(args.photo))
    made = enroll(image, args.rows, args.cols, name=name, letters=letters)
    data = marked("sheet", made.profile.to_json())
    if drawn:
        save_picture(drawn, annotate_blank(image, made.lattice, made.profile, made.doubtful))
    if args.out:
        pictures = {"blank": made.flat, "page": made.page}
        for kind, path in beside.items():
            save_picture(path, pictures[kind].image)
            data[kind] = path.name
        data["places"] = {kind: list(flat.place) for kind, flat in pictures.items()}
        write_json(Path(args.out), data)
    if args.json or not args.out:
        print(json.dumps(data, ensure_ascii=False))
    else:
        profile = made.profile
        tracks = [Message("enroll.track", {"track": name, "n": len(boxes)}) for name, boxes in profile.tracks.items()]
        values = {"path": args.out, "rows": profile.rows, "cols": profile.cols, "letters": len(profile.letters)}
        print(words(args.lang).say("enroll.done", **values, tracks=tracks))
    for key, found in (("enroll.doubtful", made.doubtful), ("enroll.missing", made.missing)):
        if found:
            print(words(args.lang).say(key, letters=" ".join(found)), file=sys.stderr)
    if made.marked:
        print(words(args.lang).say("enroll.marked", n=len(made.marked)), file=sys.stderr)
    return 0


def _beside(profile: Path, kind: str) -> Path:
    """Where the blank sheet, or its whole page, seen from above is kept with its profile."""
    return profile.with_name(f"{profile.stem}-{kind}.png")


def _profile(path: str, said: Words) -> SheetProfile:
    """A profile; one whose picture of the blank sheet is of no use serves without it, and that is said."""
    from vision.sheet.blank import BlankError, load_blank  # noqa: PLC0415

    profile = SheetProfile.load(Path(path))
    try:
        load_blank(profile)
    except BlankError as error:
        complain(said.say("blank.left-aside", file=path, why=error), UNREAD)
    return profile


def _files(path: str, profile: SheetProfile) -> list[Path]:
    """The files that make a profile: itself, and its pictures of the blank sheet."""
    return [Path(path), *(Path(path).parent / name for name in (profile.blank, profile.page) if name)]


def _read(args: argparse.Namespace) -> int:
    profile = _profile(args.sheet, words(args.lang))
    if batch.is_batch(args):
        return batch.run(args, "sheet", args.sheet, _files(args.sheet, profile))
    tasks = batch.tasks_of(
        args, [page for photo in args.photos for page in pages_of(photo)], _files(args.sheet, profile)
    )
    return batch.show_all(args, _readings(tasks, profile, words(args.lang)))


def _readings(tasks: list[Task], profile: SheetProfile, said: Words) -> Iterator[Read]:
    """What was read from photos that are looked at together, in order."""
    for task, seen in zip(tasks, _seen([task.photo for task in tasks], profile), strict=True):
        if isinstance(seen, (OSError, PhotoError)):
            yield unread(task.photo, seen, said)
            continue
        if task.draw:
            _draw(Path(task.draw), task.photo, _readings_of(seen), profile)
        answer = photo_answer(task.photo, seen, profile, said)
        yield Read(answer, photo_lines(task.photo, answer, said), "")


def _readings_of(sheets: list[AnySheet]) -> list[SheetReading]:
    """Those of a photo's sheets that were read."""
    from companion.reading.pipeline import SeenSheet  # noqa: PLC0415

    return [one.reading for one in sheets if isinstance(one, SeenSheet)]


def _seen(paths: list[str], profile: SheetProfile) -> list[list[AnySheet] | PhotoError | OSError]:
    from companion.reading.pipeline import see_sheets  # noqa: PLC0415

    return see_sheets([partial(photo_bytes, path) for path in paths], profile)


def _draw(file: Path, path: str, readings: list[SheetReading], profile: SheetProfile) -> None:
    save_picture(file, annotate(load_photo(photo_bytes(path)), readings, profile))


def _score(args: argparse.Namespace) -> int:
    from companion.cases.answer import answer, encode  # noqa: PLC0415
    from companion.cases.evaluate import scored  # noqa: PLC0415
    from companion.cases.sheet import matters, read_marks, sheet_player, sheet_state  # noqa: PLC0415

    profile = _profile(args.sheet, words(args.lang))
    for letter in (letter for goal in args.goals for letter in goal):
        if letter not in profile.letters:
            raise InputError("argument.goals", letters="".join(sorted(profile.letters)), got=letter)
    photos = [args.photo, *([args.first] if args.first else [])]
    drawn = drawn_files(args.annotate, photos, _files(args.sheet, profile))
    readings = []
    for path, seen in zip(photos, _seen(photos, profile), strict=True):
        if isinstance(seen, PhotoError):
            return complain(words(args.lang).say("file.of", file=path, why=seen), UNREAD)
        if isinstance(seen, OSError):
            raise seen
        if len(seen) > 1:
            message = words(args.lang).say("sheet.several", n=len(seen))
            complain(words(args.lang).say("file.of", file=path, why=message), 0)
        readings.append(_readings_of(seen)[0])
    reading = readings[0]
    end, *first = map(read_marks, readings)
    name = Path(args.photo).stem
    player = sheet_player(name, end, first[0] if first else None, reading.ticks, args.escaped, args.goals)
    state = sheet_state(dict(sorted(profile.letters.items())), [player])
    say = words(args.lang)
    breakdown = scored(state)
    if isinstance(breakdown, StateError):
        return complain(say.error(breakdown), BAD_INPUT)
    for file, path, read in zip(drawn, photos, readings, strict=True):
        if file:
            _draw(file, path, [read], profile)
    if args.json:
        doubts = {"doubtful": [list(c) for c in reading.doubtful], "matters": matters(reading, state)}
        print(encode({**answer(breakdown, say), "state": state, **doubts}))
    else:
        print(report(breakdown, say, True))
        if reading.doubtful:
            cells = [Message("cell.at", {"row": r + 1, "col": c + 1}) for r, c in reading.doubtful]
            print(say.say("sheet.doubtful", cells=cells), file=sys.stderr)
    return 0


def _letters(path: Path, rows: int, cols: int) -> dict[str, tuple[int, int]]:
    try:
        data = read_json(path)
    except NotJsonError as error:
        raise ProfileError("", "profile.letters", error) from None
    return dict(SheetProfile.from_json({"name": "letters", "rows": rows, "cols": cols, "letters": data}).letters)


def _goals(text: str) -> list[list[str]]:
    goals = [part.strip().upper() for part in text.split(",") if part.strip()]
    for goal in goals:
        if len(goal) != 2 or not goal.isalpha() or goal[0] == goal[1]:
            raise refused("argument.pairs", got=goal)
    return [list(goal) for goal in goals]
