"""How a table is followed: drawn films of one game under many conditions, frames a second, and memory over a long film.

    python -m bench.watch [--only NAME …] [--frames 10000]

Each film is the demo's game with the real reader. `states`: share of the settled states that were answered, in order,
with every gem right; `false`: answers that are no state, in parts of the states; `late`: median of the seconds from a
state's rest to its answer; `speed`: frames followed in a second of this machine, drawing left out.
"""

import argparse
import gc
import itertools
import statistics
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from bench.attack import memory as held
from companion.live.settle_detector import Follower
from companion.reading.tables import table_reader
from companion.sources.frame import Frame
from training.synth.demo_film import DrawnGame, Moment, Play, demo_profile
from training.synth.demo_game import Lying
from training.synth.moving_hand import Look
from vision.table.reading import TableReading

Change = Callable[[np.ndarray, float, np.random.Generator], np.ndarray]
DARK = {"A": Look((38, 44, 58), (30, 30, 34)), "B": Look((38, 44, 58), (30, 30, 34), left=True)}
LIKE_WOOD = {"A": Look((86, 106, 134), (78, 92, 120)), "B": Look((86, 106, 134), None, left=True)}


@dataclass(frozen=True)
class Film:
    """A condition: how the game is played, and what the camera makes of it."""

    play: Play = field(default_factory=Play)
    change: Change | None = None


def _noise(sigma: float) -> Change:
    return lambda image, t, rng: _clipped(image + sigma * rng.standard_normal(image.shape, np.float32))


def _gain(image: np.ndarray, factor: Any) -> np.ndarray:
    return _clipped(image * np.asarray(factor, np.float32))


def _clipped(image: np.ndarray) -> np.ndarray:
    return np.clip(image, 0, 255).astype(np.uint8)


def _flicker(image: np.ndarray, t: float, rng: np.random.Generator) -> np.ndarray:
    """A lamp at 100 Hz before a rolling shutter: bands that wander."""
    rows = 1 + 0.06 * np.sin(np.arange(len(image)) / 130 + 37 * t)
    return _gain(image, rows[:, None, None])


def _exposure(image: np.ndarray, t: float, rng: np.random.Generator) -> np.ndarray:
    """The camera corrects its exposure now and again, in one step."""
    return _gain(image, (1.0, 0.85, 1.1, 0.92)[int(t / 1.7) % 4])


def _white_balance(image: np.ndarray, t: float, rng: np.random.Generator) -> np.ndarray:
    wave = 0.06 * np.sin(t)
    return _gain(image, (1 + wave, 1.0, 1 - wave))


def _bumped(image: np.ndarray, t: float, rng: np.random.Generator) -> np.ndarray:
    """Someone knocks against the camera every 20 seconds."""
    step = int(t / 20)
    return np.roll(image, (4 * step, -6 * step), (0, 1)) if step else image


def _dim(image: np.ndarray, t: float, rng: np.random.Generator) -> np.ndarray:
    return _clipped(image * np.float32(0.35) + 6 * rng.standard_normal(image.shape, np.float32))


FILMS: dict[str, Film] = {
    "as it is": Film(),
    "5 fps": Film(Play(fps=5)),
    "30 fps": Film(Play(fps=30)),
    "60 fps": Film(Play(fps=60)),
    "hands pause 1 s": Film(Play(pause=1.0)),
    "hands pause 3 s": Film(Play(pause=3.0)),
    "dark gloves": Film(Play(hands=DARK)),
    "hands like the table": Film(Play(hands=LIKE_WOOD)),
    "noise 8": Film(change=_noise(8)),
    "noise 20": Film(change=_noise(20)),
    "flicker": Film(change=_flicker),
    "exposure steps": Film(change=_exposure),
    "white balance drifts": Film(change=_white_balance),
    "camera bumped": Film(change=_bumped),
    "dim, noise 6": Film(change=_dim),
}


class Shown(DrawnGame):
    """The demo's film, telling what it shows. Cards are left out: gems are what is measured here."""

    def start(self) -> None:
        """Lay the table."""
        super().start()
        self._tables = [Bare(**vars(table)) for table in self._tables]

    @property
    def moment(self) -> Moment:
        """What the last frame shows."""
        return self._moments[(self._number - 1) % len(self._moments)]

    @property
    def tables(self) -> Sequence[Lying]:
        """What lies there, by Moment.table."""
        return self._tables


class Bare(Lying):
    """A table without its cards."""

    def placed(self) -> list[Any]:
        """Gems only."""
        return [one for one in super().placed() if isinstance(one.what, str)]


def gems(lying: Lying) -> dict[str, tuple[str, ...]]:
    """What lies where, from left to right."""
    return {
        "dungeon": lying.dungeon,
        **{zone: (*line, *["gold"] * lying.gold[zone]) for zone, line in lying.lines.items()},
    }


def seen(reading: TableReading) -> dict[str, tuple[str, ...]]:
    """The same as it was read."""
    return {zone: tuple(t.color for t in reading.tiles if t.zone == zone) for zone in ("dungeon", "A", "B")}


def follow(film: Film) -> tuple[float, float, float, float]:
    """States, false, late, speed."""
    source, rng = Shown(play=film.play), np.random.default_rng(3)
    source.start()
    follower = Follower(table_reader(replace(demo_profile(), cards={})))
    truth: list[tuple[float, dict[str, tuple[str, ...]]]] = []
    answers: list[tuple[float, dict[str, tuple[str, ...]]]] = []
    spent, frames, hand = 0.0, 0, True
    while frame := source.next():
        moment = source.moment
        if not moment.player and hand:
            truth.append((frame.time, gems(source.tables[moment.table])))
        hand = bool(moment.player)
        image = film.change(frame.image, frame.time, rng) if film.change else frame.image
        began = time.perf_counter()
        step = follower.take(replace(frame, image=image))
        spent += time.perf_counter() - began
        frames += 1
        if step.seen is not None and (not answers or answers[-1][1] != seen(step.seen[0])):
            answers.append((step.time, seen(step.seen[0])))
    want = [gems_ for _, gems_ in truth]
    k, late, wrong = 0, [], 0
    for at, got in answers:
        if got not in want:
            wrong += 1
        elif want.index(got) >= k:
            k = want.index(got) + 1
            late.append(at - truth[k - 1][0])
    return len(late) / len(want), wrong / len(want), statistics.median(late) if late else float("inf"), frames / spent


def memory(frames: int) -> Iterator[tuple[int, float]]:
    """Megabytes in use after 1000 frames and after all of them."""
    source = DrawnGame(loops=0)
    source.start()
    follower = Follower(table_reader(demo_profile()))
    marks = (min(1000, frames), frames)
    for number in itertools.count(1):
        frame = source.next()
        assert isinstance(frame, Frame)
        follower.take(frame)
        if number in marks:
            gc.collect()
            yield number, held()
        if number >= frames:
            return


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", nargs="*", choices=FILMS, default=list(FILMS))
    parser.add_argument("--frames", type=int, default=10_000, help="of the long film; 0: none")
    args = parser.parse_args()
    print(f"{'film':24}{'states':>8}{'false':>8}{'late':>8}{'speed':>8}", flush=True)
    for name in args.only:
        states, false, late, speed = follow(FILMS[name])
        print(f"{name:24}{states:8.3f}{false:8.3f}{late:8.2f}{speed:8.0f}", flush=True)
    if args.frames:
        for number, megabytes in memory(args.frames):
            print(f"{f'after {number} frames':24}{megabytes:8.0f} MB", flush=True)


if __name__ == "__main__":
    main()
