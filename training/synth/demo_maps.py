"""Draw the demo's game of In the Ruin as a film: two players draw their maps under one camera, hands included."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from random import Random
from typing import Any

import cv2
import numpy as np

from training.synth import demo, hands
from training.synth.camera import shade
from training.synth.demo import ENTRANCE, HANDS, LEFT, LETTERS, PENS, SCALE, TOP, TRACKS
from training.synth.games.ruin import Game
from training.synth.letters import glyph_strokes
from training.synth.media import Layer, Medium, lay, paper_tooth
from training.synth.moving_hand import Look, lay_hand

FPS = 10
PIXELS = (1440, 810)
PLAYERS = ("A", "B")
SEED = 5
"""The filmed game."""
SEED_AT_THE_END = 612
"""The game whose last state is photographed: both players found gems."""
STAGES = 6
"""States of each sheet after the blank one: set up, and after each round."""
WIDE = 680
"""Pixels of a sheet's width."""
MIDDLES = ((372, 412), (1070, 408))
TURNS = (0.03, -0.04)
"""Where the sheets lie, and how far they are turned (radians)."""
PUSHED = ((3, 1), (-14.0, 9.0), 0.05)
"""A player pushes a sheet while drawing: which stage and player, how far (pixels), how far it turns."""
FIRST, IN, DRAWING, REST, LAST = 2.0, 0.5, 1.1, 0.9, 2.5
"""Seconds: all rest, a hand comes or goes, it draws, all rest again, the last state lies."""
MM = 2.6
"""Pixels of a millimetre."""
LOOKS = (Look(), Look(skin=(70, 96, 140), sleeve=None, left=True))
PENCIL = (40.0, 150.0, 205.0)


@dataclass(frozen=True)
class Drawn:
    """What stands on a sheet: the public `map`, `destinations`, `gates` and `ticks`."""

    map: tuple[str, ...]
    destinations: tuple[str, ...]
    gates: tuple[tuple[int, int], ...]
    ticks: dict[str, int]


@cache
def _game(seed: int = SEED) -> Game:
    """A game that keeps to the rules, on the demo's print; what lies in its middle is not filmed."""
    return Game(Random(seed), len(PLAYERS), "photo", printed=LETTERS)


@cache
def states(player: int) -> tuple[Drawn, ...]:
    """A player's sheet, blank, set up, and after each of the first rounds.

    Whoever claims a letter in them draws first, as it is told at the table; so the game's players change seats.
    """
    seat = len(PLAYERS) - 1 - player
    shown = [{"map": ["." * demo.N] * demo.N, "destinations": [], "gates": [], **dict.fromkeys(TRACKS, 0)}]
    looks = zip(_game().writes, _game().steps, strict=True)
    shown += [look.state["players"][seat] for (writer, _), look in looks if writer == seat]
    return tuple(_drawn(sheet) for sheet in shown[: STAGES + 1])


def at_the_end(player: int) -> dict[str, Any]:
    """A player's sheet after the whole game, for `demo.filled_photo`."""
    seat = len(PLAYERS) - 1 - player
    sheet = _drawn(_game(SEED_AT_THE_END).state(seat)["players"][seat])
    letters = {cell: letter for letter, cell in LETTERS.items()}
    traced = [*sheet.destinations, *(letters[cell] for cell in sheet.gates)]
    return {"map": sheet.map, "traced": sorted(traced), "gates": sheet.gates, "erased": [], "ticks": sheet.ticks}


def _drawn(sheet: dict[str, Any]) -> Drawn:
    """A player's sheet as it is seen: the entrance is a passage, and no letter shows under a wall."""
    rows = [list(row) for row in sheet["map"]]
    rows[ENTRANCE[0]][ENTRANCE[1]] = "o"
    traced = [letter for letter in sheet["destinations"] if rows[LETTERS[letter][0]][LETTERS[letter][1]] != "#"]
    gates = sorted(tuple(cell) for cell in sheet["gates"])
    return Drawn(tuple(map("".join, rows)), tuple(sorted(traced)), tuple(gates), {k: sheet[k] for k in TRACKS})


@cache
def _paper(player: int, stage: int) -> np.ndarray:
    """The sheet as it stands then, from above, (h, w, 3) float32 0 to 1; what stood there before looks the same."""
    drawn, image = states(player)[stage], demo._paper()
    pen, hand = PENS[player], HANDS[player]
    layer = Layer(pen, image.shape[:2], SCALE)

    def put(seed: int, x: float, y: float, strokes, on: Layer = layer, weight: float = 1.0) -> None:
        on.draw(np.random.default_rng([82, player, seed]), strokes, ((x + LEFT) * SCALE, (y + TOP) * SCALE), weight)

    for r, row in enumerate(drawn.map):
        for c, kind in enumerate(row):
            seed = 100 * r + c
            rng = np.random.default_rng([83, player, seed])
            if kind == "#":
                put(seed, c + 0.5, r + 0.5, demo.wall(rng, hand, (-0.5, -0.5, 1, 1)))
            elif kind == "o" and (r, c) != ENTRANCE:
                gate = (r, c) in drawn.gates
                put(seed, c + 0.5, r + 0.5, hands.gate(rng, hand) if gate else hands.passage(rng, hand)[0])
    bold = Layer(Medium(**{**vars(pen), "width": pen.width * 1.4}), image.shape[:2], SCALE)
    for letter in drawn.destinations:
        r, c = LETTERS[letter]
        strokes = hands.traced(np.random.default_rng([84, player, ord(letter)]), hand, glyph_strokes(letter, 0.4))
        put(ord(letter), c + 0.5, r + 0.5, strokes, bold, 1.2)
    layer.ink = np.maximum(layer.ink, bold.ink)
    for number, (track, count) in enumerate(drawn.ticks.items()):
        for k, (x, y, w, h) in enumerate(TRACKS[track][:count]):
            rng = np.random.default_rng([85, player, number, k])
            put(2000 + 20 * number + k, x + w / 2, y + h / 2, demo._tick(rng))
    rng = np.random.default_rng([86, player])
    return lay(image, layer.opacity(rng, paper_tooth(rng, image.shape[:2], SCALE)), pen)


def _laid(scene: np.ndarray, player: int, stage: int) -> np.ndarray:
    """Lay a sheet into the linear scene, (H, W, 3) float32."""
    paper = _paper(player, stage)
    h, w = paper.shape[:2]
    (x, y), turn, fit = MIDDLES[player], TURNS[player], WIDE / w
    if (PUSHED[0][1]) == player and stage >= PUSHED[0][0]:
        x, y, turn = x + PUSHED[1][0], y + PUSHED[1][1], turn + PUSHED[2]
    spin = np.array([[np.cos(turn), np.sin(turn)], [-np.sin(turn), np.cos(turn)]])
    corners = (np.float32([[0, 0], [w, 0], [w, h], [0, h]]) - (w / 2, h / 2)) * fit
    corners[:2] *= 0.97  # the camera looks a little from below
    to_photo = cv2.getPerspectiveTransform(
        np.float32([[0, 0], [w, 0], [w, h], [0, h]]) - 0.5, (corners @ spin + (x, y)).astype(np.float32)
    )
    there = cv2.warpPerspective(np.ones((h, w), np.float32), to_photo, PIXELS)
    shadow = cv2.GaussianBlur(cv2.warpAffine(there, np.float32([[1, 0, 5], [0, 1, 7]]), PIXELS), (0, 0), 6)
    sheet = cv2.warpPerspective(paper, to_photo, PIXELS, flags=cv2.INTER_AREA, borderMode=cv2.BORDER_REPLICATE)
    scene = scene * (1 - 0.45 * shadow[..., None])
    return scene * (1 - there[..., None]) + sheet * there[..., None]


@cache
def lying(stages: tuple[int, ...]) -> np.ndarray:
    """The table with the sheets after these stages, (H, W, 3) uint8 BGR."""
    rng = np.random.default_rng(87)
    scene = demo._table(rng, PIXELS[1], PIXELS[0])
    for player, stage in enumerate(stages):
        scene = _laid(scene, player, stage)
    light = shade(rng, PIXELS[::-1])
    return np.clip(255 * np.power(np.power(scene, 2.2, dtype=np.float32) * light, 1 / 2.2) * 0.95, 0, 255).astype(
        np.uint8
    )


def script() -> Iterator[tuple[tuple[int, ...], int | None, float]]:
    """For each frame the sheets' stages, whose hand is in it, and seconds since that began to come."""
    stages = [0] * len(PLAYERS)
    yield from [(tuple(stages), None, 0.0)] * round(FIRST * FPS)
    for stage in range(1, STAGES + 1):
        for player in range(len(PLAYERS)):
            for k in range(round((2 * IN + DRAWING) * FPS)):
                if k / FPS > IN + DRAWING / 2:
                    stages[player] = stage
                yield tuple(stages), player, k / FPS
            yield from [(tuple(stages), None, 0.0)] * round(REST * FPS)
    yield from [(tuple(stages), None, 0.0)] * round(LAST * FPS)


def frames() -> Iterator[np.ndarray]:
    """The film's pictures, (H, W, 3) uint8 BGR."""
    for stages, player, t in script():
        yield lying(stages) if player is None else _with_hand(lying(stages), player, t)


def _with_hand(image: np.ndarray, player: int, t: float) -> np.ndarray:
    """The picture with a hand and its pencil; `t`: seconds since it began to come."""
    out = image.copy()
    x, y = MIDDLES[player]
    away = np.array([x + (60 if player else -60), PIXELS[1] + 260.0])
    over = np.array([x + 60 * np.sin(9 * t), y + 40 + 50 * np.cos(7 * t)])
    share = min(1.0, t / IN, (2 * IN + DRAWING - t) / IN)
    share = (3 - 2 * share) * share * share
    tips = away + (over - away) * share
    towards = np.array([-0.25 if player else 0.25, -1.0])
    point, end = tips - (0, 34), tips + np.array([-70.0 if player else 70.0, 60.0])
    cv2.line(out, tuple(np.round(point).astype(int)), tuple(np.round(end).astype(int)), PENCIL, 9, cv2.LINE_AA)
    lay_hand(out, tips, towards, MM, LOOKS[player], 6.0 if 0 < share < 1 else 2.0)
    return out


def profile() -> dict[str, object]:
    """The table profile of the film."""
    return {"name": "demo", "game": "in-the-ruin", "sheet": "sheet.json", "players": list(PLAYERS)}
