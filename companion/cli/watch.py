"""`python -m companion watch`: follow a table, and say each state in which it comes to rest."""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable, Hashable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import companion.sources  # noqa: F401 - first: sets what OpenCV reads when it is loaded
from calibration.camera import CameraProfile
from companion.cases.answer import answer
from companion.cases.evaluate import scored
from companion.cases.game_log import Followed, GameLog, doubtful_places, put_right
from companion.cases.table import TableState, mistakes, table_reader, table_state
from companion.cli.common import BAD_INPUT, UNREAD, add_language, complain, told
from companion.cli.seen import seen_lines
from companion.games import game_of
from companion.live.maps import GAME, MapTable, public, told_state
from companion.live.settle_detector import Follower, signature
from companion.sources import ENDED, LOST, Frame, Source, SourceState, open_source
from companion.sources.undistorted import Straightened
from companion.words.referee import Log
from companion.words.words import words
from scoring import StateError
from vision.errors import InputError
from vision.sheet.tracker import SheetTracker
from vision.table.profile import TableProfile
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
    parser.add_argument("--no-referee", action="store_true", help="read each state by itself; name no moves")
    add_language(parser)


def run(args: argparse.Namespace) -> int:
    """Follow until the source ends. Returns 0, 1 where it gave no picture, 2 for bad input."""

    try:
        profile = _profile(args)
        maps = MapTable.of(profile) if profile.game == GAME else None
        source = open_source(args.source)
        if args.camera is not None:
            source = Straightened(source, CameraProfile.load(Path(args.camera)))
        source.start()
        follower = None if maps else Follower(table_reader(profile.shrunk(source.scale)))
    except (InputError, OSError) as error:
        return complain(told(error, words(args.lang)), BAD_INPUT)
    try:
        if maps is not None:
            log = None if args.no_referee else GameLog(maps.players)
            return _followed(args, source, partial(_take_maps, args, source, maps, maps.tracker(source.scale), log))
        assert follower is not None
        return _followed(args, source, partial(_take, args, source, profile, follower, Shown()))
    finally:
        source.close()


def _followed(args: argparse.Namespace, source: Source, take: Callable[[Frame], int]) -> int:
    """Give each frame to `take`, which prints and returns a status other than 0 where it failed."""
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
        status = take(news) or status
    return status


@dataclass
class Shown:
    """What was printed last, and the log of the game so far."""

    what: Hashable = None
    log: GameLog | None = None


def _take(
    args: argparse.Namespace, source: Source, profile: TableProfile, follower: Follower, shown: Shown, frame: Frame
) -> int:
    step = follower.take(frame)
    if step.seen is None:
        if frame.settled and step.waiting:
            return complain(words(args.lang).say(step.waiting, **step.values), UNREAD)
        return 0
    reading, _ = step.seen
    if (what := signature(reading)) == shown.what:
        return 0
    shown.what = what
    made = table_state(reading, profile)
    shown.log = shown.log or GameLog(made.zones)
    game = None if args.no_referee else shown.log.look(made.state, doubtful_places(reading, made), step.time)
    if game is not None:
        reading = put_right(reading, made, game)
    if args.json:
        print(json.dumps(_whole(args, source, step.time, reading, made, game), ensure_ascii=False), flush=True)
    else:
        print(_for_people(args.lang, step.time, reading, made, game), flush=True)
    return 0


def _take_maps(
    args: argparse.Namespace, source: Source, maps: MapTable, tracker: SheetTracker, log: GameLog | None, frame: Frame
) -> int:
    changed = tracker.take(frame.image, frame.time)
    if not changed:
        return 0
    state = maps.state(tracker.states)
    game = None if log is None else log.look(*maps.look(changed, tracker.states), frame.time)
    believed = state if game is None else maps.believed(state, game.state)
    if args.json:
        whole = {"photo": photo_of(source), "time": round(frame.time, 3)}
        whole |= {
            "sheets": public(tracker.states, changed, source.scale),
            "state": state,
            "answer": _scored(args, believed),
            **({} if game is None else game.to_json()),
        }
        print(json.dumps(whole, ensure_ascii=False), flush=True)
    else:
        head = _head(args.lang, frame.time, believed)
        print("\n".join([head, *_said(args.lang, game), *map(told_state, changed)]), flush=True)
    return 0


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
    args: argparse.Namespace,
    source: Source,
    time: float,
    reading: TableReading,
    made: TableState,
    game: Followed | None,
) -> dict[str, Any]:
    """The public JSON object; `game`: what the referee made of the state."""
    return {
        "photo": photo_of(source),
        "time": round(time, 3),
        **reading.to_json(scale=source.scale),
        "state": made.state,
        "problems": [{"key": p.key, **p.values} for p in _problems(reading, made)],
        "answer": _scored(args, made.state if game is None else game.state),
        **({} if game is None else game.to_json()),
    }


def _scored(args: argparse.Namespace, state: Mapping[str, Any]) -> dict[str, Any]:
    """The public answer, or why the state does not score."""
    found, say = scored(state), words(args.lang)
    return {"error": say.error(found)} if isinstance(found, StateError) else answer(found, say)


def photo_of(source: Source) -> str:
    """The photo that a folder gave last, else the source's name."""
    inner = source.inner if isinstance(source, Straightened) else source
    return getattr(inner, "photo", inner.name)


def _for_people(language: str, time: float, reading: TableReading, made: TableState, game: Followed | None) -> str:
    head = _head(language, time, made.state if game is None else game.state)
    return "\n".join([head, *_said(language, game), *seen_lines(language, reading, _problems(reading, made))])


def _said(language: str, game: Followed | None) -> list[str]:
    """What the referee made of a state, a sentence each."""
    told = () if game is None else (*game.corrected, *game.moves, *game.slips, *game.questions)
    return [f"  {sentence}" for sentence in map(Log(language).sentence, told) if sentence]


def _head(language: str, time: float, state: Mapping[str, Any]) -> str:
    """The time and everyone's points."""
    head = words(language).say("watch.time", time=f"{time:.1f}")
    found = scored(state)
    if isinstance(found, StateError):
        return f"{head}  {words(language).error(found)}"
    return f"{head}  " + "  ".join(f"{p.name} {'?' if p.total is None else p.total}" for p in found.players)


def _problems(reading: TableReading, made: TableState) -> tuple[Problem, ...]:
    return (*reading.problems, *made.problems)


def _profile(args: argparse.Namespace) -> TableProfile:
    if args.table is None:
        if args.source.strip() == "demo":
            from companion.sources.demo import demo_profile  # noqa: PLC0415

            return demo_profile()
        raise InputError("argument.table")
    profile = TableProfile.load(Path(args.table))
    if profile.game == GAME:
        return profile
    game_of(profile)
    if said := mistakes(profile):
        complain(words(args.lang).told(said), BAD_INPUT)
    return profile
