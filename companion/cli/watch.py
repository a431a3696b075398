"""`python -m companion watch`: follow a table, and say each state in which it comes to rest."""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import companion.live  # noqa: F401 - sets what OpenCV reads when it is loaded
from calibration.camera import CameraProfile, CameraProfileError
from companion.cases.answer import answer
from companion.cases.table import TableState, check, mistakes, table_state
from companion.cli.common import BAD_INPUT, UNREAD, complain, own_language
from companion.cli.seen import seen_lines
from companion.live.settle_detector import Follower, signature
from companion.sources import ENDED, LOST, Frame, Source, SourceError, SourceState, open_source
from companion.sources.undistorted import Straightened
from companion.words.catalog import LANGUAGES
from companion.words.words import words
from scoring import StateError, score_state
from vision.table.profile import TableProfile, TableProfileError
from vision.table.reading import Problem, TableReading

PAUSE = 0.25
"""Seconds that a frame is waited for before looking how it is with the source."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The command's arguments."""
    parser.add_argument(
        "source", metavar="SOURCE", help="a camera's number, an address, a video file, a folder of photos, or demo"
    )
    parser.add_argument("--table", metavar="PROFILE.json", help="the table's profile (the demo has its own)")
    parser.add_argument(
        "--camera", metavar="LENS.json", help="the camera's profile (calibrate camera): pictures are straightened first"
    )
    parser.add_argument("--json", action="store_true", help="one JSON object for each settled state, one a line")
    parser.add_argument("--lang", choices=LANGUAGES, default=own_language(), help="the language of the texts")


def run(args: argparse.Namespace) -> int:
    """Follow until the source ends. Returns 0, 1 where it gave no picture, 2 for bad input."""
    from vision.table.palette import PaletteError  # noqa: PLC0415
    from vision.table.read import TableReader  # noqa: PLC0415 - the networks

    try:
        profile = _profile(args)
        source = open_source(args.source)
        if args.camera is not None:
            source = Straightened(source, CameraProfile.load(Path(args.camera)))
        source.start()
        reader = TableReader(profile.shrunk(source.scale))
    except (TableProfileError, PaletteError, CameraProfileError) as error:
        return complain(str(error), BAD_INPUT)
    except SourceError as error:
        return complain(words(args.lang).told(error), BAD_INPUT)
    except OSError as error:
        return complain(f"{error.filename}: {error.strerror or error}", BAD_INPUT)
    try:
        return _watch(args, source, profile, Follower(reader))
    finally:
        source.close()


def _watch(args: argparse.Namespace, source: Source, profile: TableProfile, follower: Follower) -> int:
    shown: Any = None
    ran = False
    status = 0
    for news in frames(source):
        if isinstance(news, SourceState):
            why = words(args.lang).told(news)
            if not ran and news.kind == LOST:
                return complain(why, UNREAD)
            status = UNREAD if news.key == "source.bad-photo" else status
            if news.kind == LOST:
                why = words(args.lang).say("watch.lost", why=why)
            complain(why, UNREAD)
            continue
        ran = True
        step = follower.take(news)
        if step.seen is None:
            if news.settled and step.waiting:
                status = complain(words(args.lang).say(step.waiting, **step.values), UNREAD)
            continue
        reading, _ = step.seen
        if (what := signature(reading)) == shown:
            continue
        shown = what
        made = table_state(reading, profile)
        if args.json:
            print(json.dumps(_whole(args, source, step.time, reading, made), ensure_ascii=False), flush=True)
        else:
            print(_for_people(args.lang, step.time, reading, made), flush=True)
    return status


def frames(source: Source) -> Iterator[Frame | SourceState]:
    """A source's frames until it ends, and how it is with it where that changes."""
    after, told_of = 0, ""
    ran = False
    while True:
        frame = source.next(after, PAUSE)
        state = source.state
        if state.key == "source.bad-photo" and frame is None:
            yield state
        elif (state.key if state.kind == LOST else "") != told_of:
            told_of = state.key if state.kind == LOST else ""
            if told_of:
                yield state
            elif ran:
                yield SourceState(state.kind, "watch.again", {"got": source.name})
        if frame is None:
            if state.kind == ENDED:
                return
            continue
        after, ran = frame.number, True
        yield frame


def _whole(
    args: argparse.Namespace, source: Source, time: float, reading: TableReading, made: TableState
) -> dict[str, Any]:
    """The public JSON object."""
    say = words(args.lang)
    try:
        scored = answer(score_state(made.state, explain=True), say)
    except StateError as error:
        scored = {"error": say.error(error)}
    return {
        "photo": photo_of(source),
        "time": round(time, 3),
        **reading.to_json(scale=source.scale),
        "state": made.state,
        "problems": [{"key": p.key, **p.values} for p in _problems(reading, made)],
        "answer": scored,
    }


def photo_of(source: Source) -> str:
    """The photo that a folder gave last, else the source's name."""
    inner = source.inner if isinstance(source, Straightened) else source
    return getattr(inner, "photo", inner.name)


def _for_people(language: str, time: float, reading: TableReading, made: TableState) -> str:
    say = words(language)
    head = say.say("watch.time", time=f"{time:.1f}")
    try:
        players = score_state(made.state, explain=False).players
        totals = [f"{p.name} {'?' if p.total is None else p.total}" for p in players]
        lines = [f"{head}  {'  '.join(totals)}"]
    except StateError as error:
        lines = [f"{head}  {say.error(error)}"]
    lines += seen_lines(language, reading, _problems(reading, made))
    return "\n".join(lines)


def _problems(reading: TableReading, made: TableState) -> tuple[Problem, ...]:
    return (*reading.problems, *made.problems)


def _profile(args: argparse.Namespace) -> TableProfile:
    if args.table is None:
        if args.source.strip() == "demo":
            from companion.sources.demo import demo_profile  # noqa: PLC0415

            return demo_profile()
        raise TableProfileError("--table", "a profile's file (only the demo has one of its own)", "nothing")
    profile = TableProfile.load(Path(args.table))
    check(profile)
    if said := mistakes(profile):
        complain(said, BAD_INPUT)
    return profile
