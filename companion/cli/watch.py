"""`python -m companion watch`: follow a table, and say each state in which it comes to rest."""

import argparse
import json
import math
from collections.abc import Hashable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

import companion.sources  # noqa: F401 - first: sets what OpenCV reads when it is loaded
from calibration.camera import CameraProfile
from common.messages import InputError, Message
from companion.cases.answer import answer
from companion.cases.evaluate import scored
from companion.cases.game_log import Followed, GameLog, doubtful_places, put_right
from companion.cases.log_words import Log
from companion.cases.table import mistakes
from companion.cli.common import BAD_INPUT, UNREAD, add_language, complain
from companion.cli.seen import seen_lines
from companion.demo import TABLE
from companion.games import game_of
from companion.live.maps import GAME, MapTable, public, told_state
from companion.live.settle_detector import WAITING, Follower, signature
from companion.reading.tables import read_state, table_reader
from companion.sources import ENDED, LOST, Frame, Source, SourceState, open_source
from companion.sources.undistorted import Straightened
from companion.words.words import words
from scoring import StateError
from vision.table.profile import TableProfile

PATIENCE = 10.0
"""Seconds of the source after which it is said why nothing has been read yet."""
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
    """Follow until the source ends. Returns 0, 1 where it gave no picture. Raises InputError, OSError."""
    profile = _profile(args)
    maps = MapTable.of(profile) if profile.game == GAME else None
    source = open_source(args.source)
    if args.camera is not None:
        source = Straightened(source, CameraProfile.load(Path(args.camera)))
    source.start()
    watched = WatchedMaps(args, source, maps) if maps else WatchedTable(args, source, profile)
    try:
        return _followed(args, source, watched)
    finally:
        source.close()


def _followed(args: argparse.Namespace, source: Source, watched: "WatchedTable | WatchedMaps") -> int:
    """Have each frame taken, which prints and returns a status other than 0 where it failed."""
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
        status = watched.take(news) or status
        watched.explain(news.time)
    watched.explain()
    return status if watched.shown_any else UNREAD


class Watched:
    """What is watched, and the log of its game so far; None where no referee is wanted, or nothing was seen yet."""

    log: GameLog | None = None

    def __init__(self, args: argparse.Namespace, source: Source) -> None:
        self.args, self.source, self.say = args, source, words(args.lang)
        self.shown_any, self._explained = False, False

    def why(self) -> Message | None:
        """Why nothing has been read yet; None where that is said already."""
        raise NotImplementedError

    def explain(self, time: float = math.inf) -> None:
        """Say once why nothing has been read yet, from `PATIENCE` seconds on."""
        if time >= PATIENCE and not (self.shown_any or self._explained) and (why := self.why()):
            self._explained = True
            ended = Message("watch.ended", {"got": self.source.name, "why": why})
            complain(self.say.told(why if math.isfinite(time) else ended), UNREAD)

    def show(
        self, time: float, whole: dict[str, Any], state: Mapping[str, Any], game: Followed | None, lines: Iterable[str]
    ) -> None:
        """Print a settled state.

        Args:
            time: seconds.
            whole: what stands in the public JSON object beside photo, time, answer and what the referee said.
            state: the state that is believed.
            game: what the referee made of it.
            lines: what is said to people of what was read.
        """
        self.shown_any = True
        found = scored(state)
        wrong = self.say.error(found) if isinstance(found, StateError) else None
        if self.args.json:
            whole = {"photo": photo_of(self.source), "time": round(time, 3), **whole}
            whole["answer"] = {"error": wrong} if isinstance(found, StateError) else answer(found, self.say)
            print(json.dumps({**whole, **(game.to_json() if game else {})}, ensure_ascii=False), flush=True)
            return
        points = [] if isinstance(found, StateError) else found.players
        head = wrong or "  ".join(f"{p.name} {'?' if p.total is None else p.total}" for p in points)
        told = (*game.corrected, *game.moves, *game.slips, *game.questions) if game else ()
        log = Log(self.args.lang, state["game"], ids=True)
        said = [f"  {sentence}" for sentence in map(log.sentence, told) if sentence]
        print("\n".join([f"{self.say.say('watch.time', time=f'{time:.1f}')}  {head}", *said, *lines]), flush=True)


class WatchedTable(Watched):
    """A table with tiles and cards. Raises as `table_reader`."""

    def __init__(self, args: argparse.Namespace, source: Source, profile: TableProfile) -> None:
        super().__init__(args, source)
        self.profile, self.follower = profile, Follower(table_reader(profile.shrunk(source.scale)))
        self.shown: Hashable = None
        self.kinds: frozenset[str] = frozenset()
        self._photos = False

    def why(self) -> Message | None:
        step = self.follower.step
        return Message(step.waiting, step.values) if step.waiting and not self._photos else None

    def take(self, frame: Frame) -> int:
        """A frame: what it settles is printed. Returns 1 where a photo cannot be read."""
        step, self._photos = self.follower.take(frame), frame.settled
        if step.seen is None:
            if frame.settled and step.waiting:
                return complain(self.say.say(step.waiting, **step.values), UNREAD)
            return 0
        reading, _ = step.seen
        if (what := signature(reading)) == self.shown:
            return 0
        self.shown = what
        made, game = read_state(reading, self.profile, kinds=self.kinds), None
        self.kinds = made.kinds
        if not self.args.no_referee:
            self.log = self.log or GameLog(made.zones)
            game = self.log.look(made.state, doubtful_places(reading, made), step.time)
            reading = put_right(reading, made, (line for line in game.corrected if line["look"] == game.look))
        problems = made.problems
        whole = {
            **reading.to_json(scale=self.source.scale),
            "state": made.state,
            "problems": [{"key": p.key, **p.values} for p in problems],
        }
        state = made.state if game is None else game.state
        self.show(step.time, whole, state, game, seen_lines(self.args.lang, reading, problems))
        return 0


class WatchedMaps(Watched):
    """Pencilled sheets."""

    def __init__(self, args: argparse.Namespace, source: Source, maps: MapTable) -> None:
        super().__init__(args, source)
        self.maps, self.tracker = maps, maps.tracker(source.scale)
        self.log = None if args.no_referee else GameLog(maps.players)

    def why(self) -> Message:
        return self.tracker.problem or Message(WAITING)

    def take(self, frame: Frame) -> int:
        """A frame: what it settles is printed."""
        if changed := self.tracker.take(frame.image, frame.time):
            sheets, state = self.tracker.states, self.maps.state(self.tracker.states)
            game = None if self.log is None else self.log.look(*self.maps.look(changed, sheets), frame.time)
            believed = state if game is None else self.maps.believed(state, game.state)
            whole = {"sheets": public(sheets, changed, self.source.scale), "state": state}
            self.show(frame.time, whole, believed, game, map(told_state, changed))
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


def photo_of(source: Source) -> str:
    """The photo that a folder gave last, else the source's name."""
    inner = source.inner if isinstance(source, Straightened) else source
    return getattr(inner, "photo", inner.name)


def _profile(args: argparse.Namespace) -> TableProfile:
    if args.table is None:
        if args.source.strip() == "demo":
            return TableProfile.load(TABLE)
        raise InputError("argument.table")
    profile = TableProfile.load(Path(args.table))
    if profile.game == GAME:
        return profile
    game_of(profile)
    if said := mistakes(profile):
        complain(words(args.lang).told(said), BAD_INPUT)
    return profile
