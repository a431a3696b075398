"""Draw the demo's game of Twelve Seekers as a film, hands passing over the table included.

Each thing that changes on the table is drawn once, ahead of its time, and kept as a JPEG; a frame is such a picture
with a hand over it and a camera's noise.
"""

from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import Any

import cv2
import numpy as np

from companion.sources.frame import ENDED, OPENING, RUNNING, Frame, SourceState
from training.synth import demo_game as game
from training.synth.demo_game import SIZE, Lying, Take
from training.synth.moving_hand import Look, lay_hand
from training.synth.table_photo import DrawnTable
from vision.table.profile import TableProfile

FPS = 10
PIXELS = (1920, 1080)
NOISE = 1.6
"""Levels, one standard deviation."""
FIRST, REST, PAUSE, END = 4.0, 2.2, 0.3, 5.0
"""Seconds that the table rests before the game and after a turn, that a hand stays where it takes or lays, that the
last state lies."""
SPEED = 800.0
"""Millimetres a second, about, that a hand moves."""
SHUTTER = 0.012
"""Seconds that the camera's shutter is open."""
QUALITY = 95
AHEAD = 4
HANDS = {
    "A": Look(),
    "B": Look(skin=(70, 96, 140), sleeve=None, left=True),
}
ELBOWS = {"A": (280.0, 920.0), "B": (785.0, 920.0)}
"""Where a player sits: millimetres on the table's plane, in front of it."""


def demo_profile() -> TableProfile:
    """The table that the demo plays on."""
    return game.setting().profile("demo")


@dataclass(frozen=True)
class Play:
    """How the game is played: frames a second, seconds that a hand pauses, whose hands."""

    fps: float = FPS
    pause: float = PAUSE
    hands: Mapping[str, Look] = field(default_factory=lambda: HANDS)


@dataclass(frozen=True)
class Moment:
    """What a frame shows: the number of a drawn table, whose hand, and where its finger tips are (mm)."""

    table: int
    player: str = ""
    tips: tuple[float, float] = (0.0, 0.0)
    speed: float = 0.0


def script(play: Play | None = None) -> tuple[list[Lying], list[Moment]]:
    """All tables that lie there in the course of the game, and what each frame shows."""
    play = play or Play()
    lying = game.beginning()
    tables, moments = [lying], [Moment(0)] * round(FIRST * play.fps)
    for take in game.TAKES:
        for player, tips, speed, after in _turn(lying, take, play):
            if after is not None and after is not lying:
                lying = after
                tables.append(lying)
            moments.append(Moment(len(tables) - 1, player, tips, speed))
        moments += [Moment(len(tables) - 1)] * round(REST * play.fps)
    return tables, moments + [Moment(len(tables) - 1)] * round((END - REST) * play.fps)


def _turn(lying: Lying, take: Take, play: Play) -> Iterator[tuple[str, tuple[float, float], float, Lying | None]]:
    """A hand's way: to the seeker, home with it, to the gems, home with them, away."""
    player = take.player
    away = (ELBOWS[player][0], SIZE[1] + 140.0)
    marker, without = game.takes_seeker(lying, take)
    with_seeker = game.lays_seeker(without, take, marker)
    gems, fewer = game.takes_gems(with_seeker, take)
    done = game.lays_gems(fewer, take, gems)
    first = (
        with_seeker.gone_left if take.end == "left" else with_seeker.gone_left + len(with_seeker.dungeon) - len(gems)
    )
    line = len(with_seeker.lines[player])
    stops = (
        (game.stock_at(game.stock().index(marker)), without),
        (game.card_at(player, len(lying.seekers[player])), with_seeker),
        (_middle(game.dungeon_at(first), game.dungeon_at(first + len(gems) - 1)), fewer),
        (_middle(game.line_at(player, line), game.line_at(player, line + len(gems) - 1)), done),
        (away, done),
    )
    yield from hand_way(player, away, stops, play)


def hand_way(
    player: str, away: tuple[float, float], stops: Sequence[tuple[tuple[float, float], Any]], play: Play
) -> Iterator[tuple[str, tuple[float, float], float, Any]]:
    """A hand that comes from `away` and stops here and there: each frame's player, tips, speed, what lies there then.

    `stops`: where, and what lies there once it has been.
    """
    here = away
    reach = 45.0 if away[1] > 0 else -45.0  # the palm, not the tips, is over what it takes
    for (x, y), after in stops:
        there = (x, y) if (x, y) == away else (x, y - reach)
        far = float(np.hypot(there[0] - here[0], there[1] - here[1]))
        steps = max(3, round(far / SPEED * play.fps))
        for k in range(1, steps + 1):
            s, before = ((3 - 2 * t) * t * t for t in (k / steps, (k - 1) / steps))
            at = (here[0] + (there[0] - here[0]) * s, here[1] + (there[1] - here[1]) * s)
            yield player, at, far * (s - before) * play.fps, None
        if there != away:
            for k in range(max(2, round(play.pause * play.fps))):
                yield player, there, 0.0, after if k else None
        here = there


def _middle(a: tuple[float, float], b: tuple[float, float]) -> tuple[float, float]:
    return (a[0] + b[0]) / 2, (a[1] + b[1]) / 2


class DrawnGame:
    """The game as a film, frame by frame: see companion.sources.frame.Source. `loops` times over; 0: for ever.

    Another game says what is laid (`laid`), what each frame shows (`script`), how large its table is, who sits where.
    """

    scale = 1.0
    name = "demo"
    size = SIZE
    elbows: Mapping[str, tuple[float, float]] = ELBOWS

    def __init__(self, loops: int = 1, play: Play | None = None, noise: float = NOISE) -> None:
        self._loops, self.play, self.noise = loops, play or Play(), noise
        self._state = SourceState(OPENING)
        self._number = 0

    def start(self) -> None:
        """Lay the table."""
        self._tables, self._moments = self.script()
        self._drawn: dict[int, Future[np.ndarray]] = {}
        self._pool = ThreadPoolExecutor(1, "draw the demo")
        self._table: DrawnTable | None = None
        rng = np.random.default_rng(5)
        w, h = PIXELS
        self._noise = rng.normal(0, self.noise, (h + 64, w + 64, 3)).astype(np.int8)
        self._rng = rng
        self._shown: tuple[int, np.ndarray | None] = (-1, None)
        self._state = SourceState(RUNNING)

    def script(self) -> tuple[Sequence[Any], list[Moment]]:
        """All tables, and what each frame shows."""
        return script(self.play)

    def laid(self) -> DrawnTable:
        """The table before anything lies on it."""
        return DrawnTable(game.setting(), pixels=PIXELS)

    def next(self, after: int = 0, timeout: float = 1.0) -> Frame | None:
        """The next frame."""
        n = len(self._moments) if self._state.kind == RUNNING else 0
        if not n or (self._loops and self._number >= n * self._loops):
            self.close()
            return None
        image = self._frame(self._moments[self._number % n])
        self._number += 1
        return Frame(self._number, (self._number - 1) / self.play.fps, image, game=(self._number - 1) // n)

    @property
    def state(self) -> SourceState:
        """See Source.state."""
        return self._state

    def close(self) -> None:
        """Play no more."""
        if self._state.kind == RUNNING:
            self._state = SourceState(ENDED)
            self._pool.shutdown(wait=False, cancel_futures=True)
            self._drawn, self._table, self._shown = {}, None, (-1, None)

    def _frame(self, moment: Moment) -> np.ndarray:
        image = self._lying(moment.table).copy()
        if moment.player:
            assert self._table is not None
            elbow = self._table.to_photo @ (*self.elbows[moment.player], 1.0)
            tips = self._table.to_photo @ (*moment.tips, 1.0)
            mm = PIXELS[0] / self.size[0]
            towards = tips[:2] / tips[2] - elbow[:2] / elbow[2]
            blur = moment.speed * SHUTTER * mm
            lay_hand(image, tips[:2] / tips[2], towards, mm, self.play.hands[moment.player], blur)
        y, x = self._rng.integers(0, 64, 2)
        noise = self._noise[y : y + image.shape[0], x : x + image.shape[1]]
        return cv2.add(image, noise, dtype=cv2.CV_8U)

    def _lying(self, number: int) -> np.ndarray:
        """The picture of a table; the next ones are drawn meanwhile."""
        for ahead in range(number, number + AHEAD):
            wanted = ahead % len(self._tables)
            if wanted not in self._drawn:
                self._drawn[wanted] = self._pool.submit(self._draw, wanted)
        shown, image = self._shown
        if shown != number or image is None:
            image = cv2.imdecode(self._drawn[number].result(), cv2.IMREAD_COLOR)
            self._shown = (number, image)
        return image

    def _draw(self, number: int) -> np.ndarray:
        if self._table is None:
            self._table = self.laid()
        image = self._table.photo(self._tables[number].placed(), noise=0)
        return cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, QUALITY])[1]
