"""Drawn tables of known truth: tiles missed, invented, of a wrong color, by what lies under them and by the light.

    python -m bench.tables [--styles 4] [--art FOLDER]

Each table is drawn in `--styles` kinds of tiles under each light; `--art`: pictures that boards are printed with. A
count stands with the share that it is below in 95 of 100 cases. "Surely": without being asked about.
"""

import argparse
from collections import Counter
from pathlib import Path

import numpy as np

from bench.bounds import counted
from training.synth.boards import load_art
from training.synth.table_photo import Area, DrawnTable, Placed, Setting
from training.synth.tables import TOPS
from training.synth.tiles import Style
from vision.table.plane import project
from vision.table.read import TableReader
from vision.table.reading import COLORS

BOARD = "board"
LIGHTS = {"white": 0.0, "warm": 0.5, "orange": 1.0}
AREAS = {"dungeon": Area(140, 20, 480, 120), "A": Area(30, 160, 330, 250), "B": Area(400, 160, 330, 250)}
FIGURES = ("missed", "surely invented", "surely of a wrong color", "asked about")


def laid(rng: np.random.Generator) -> list[Placed]:
    """39 tiles: a row, a block edge to edge, and loose ones."""
    bag = rng.permutation([*COLORS[:5] * 7, "rainbow", *["gold"] * 3]).tolist()
    places = [(200.0 + 27 * i, 80.0, 1.0) for i in range(13)]
    places += [(110.0 + 22 * (i % 5), 240.0 + 22 * (i // 5), 0.0) for i in range(15)]
    places += [(460.0 + 50 * (i % 4), 250.0 + 40 * (i // 4), float(rng.uniform(0, 90))) for i in range(11)]
    return [Placed(color, x, y, turn) for color, (x, y, turn) in zip(bag, places, strict=True)]


def judged(drawn: DrawnTable, placed: list[Placed]) -> Counter[str]:
    """How one photo was read."""
    reading = TableReader(drawn.setting.profile("bench")).read(drawn.photo(placed))
    at = project(np.linalg.inv(drawn.to_photo), np.array([t.center for t in reading.tiles]).reshape(-1, 2))
    out = Counter(tiles=len(placed))
    free = dict(enumerate(placed))
    for tile, (x, y) in zip(reading.tiles, at, strict=True):
        which = min(free, key=lambda i: np.hypot(free[i].x - x, free[i].y - y), default=-1)
        out["asked about"] += tile.doubtful
        if which < 0 or np.hypot(free[which].x - x, free[which].y - y) > drawn.setting.tile / 2:
            out["surely invented"] += not tile.doubtful
        else:
            out["surely of a wrong color"] += free.pop(which).what != tile.color and not tile.doubtful
    out["missed"] = len(free)
    return out


def main() -> None:
    """Draw, read and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--styles", type=int, default=4)
    parser.add_argument("--art", type=Path)
    args = parser.parse_args()
    art = load_art(args.art) if args.art else []
    sums: dict[str, Counter[str]] = {}
    for top in (*TOPS, BOARD):
        for light, warmth in LIGHTS.items():
            for seed in range(args.styles):
                rng = np.random.default_rng([seed, len(top)])
                setting = Setting(AREAS, top=top, warmth=warmth, seed=seed, slant=float(rng.uniform(0, 0.45)))
                one = judged(DrawnTable(setting, Style.varied(rng), art=art), laid(rng))
                for group in (f"on {top}", f"{light} light", "all"):
                    sums.setdefault(group, Counter()).update(one)
    for group, count in sums.items():
        print(group)
        for figure in FIGURES:
            print(f"    {figure:24} {counted(count[figure], count['tiles'])}")


if __name__ == "__main__":
    main()
