"""Drawn sheets of known truth: cells misread, missed by the questions, asked about, by print, medium and light.

    python -m bench.sheets [--sheets 300] [--fonts FONTS.txt]

Any print, hand, pen, light and camera of `training.synth`, each sheet beside its blank one and alone. A count stands
with the share that it is below in 95 of 100 cases. Marks that the light leaves invisible and cells under something
that lies there are left out. Last, what a person's answers to 1,000 sheets would take.
"""

import argparse
from collections import Counter
from pathlib import Path

import numpy as np

from bench.bounds import counted
from training.synth.sheets import BLANK, ODD, Filled, random_filled
from training.synth.views import enrolled, photographed
from vision.sheet.cells import CELL, KINDS, MARGIN, CellReadings, blank_input, classify_cells
from vision.sheet.illumination import estimate_illumination
from vision.sheet.profile import SheetProfile

SIZE = 8
"""Cells in a row."""
HIDDEN, SHOWN = 0.1, 0.008
"""At most so much of a cell may be hidden; by so much of its brightness a mark must change it."""
LIGHTS = (("even light", 2.0), ("uneven light", 6.0), ("deep shadow", np.inf))
"""How much brighter the brightest part of the grid may be than the darkest."""
FIGURES = ("misread", "misread and not asked about", "asked about")
CELLS = 121
"""Cells of the game's sheet."""
SECONDS = 3
"""What a person takes for a question, guessed: a look at the enlarged cell and one key."""


def lit(flat: np.ndarray) -> str:
    """What light lies on a flattened sheet."""
    darkest, brightest = np.quantile(estimate_illumination(flat).mean(2), (0.05, 0.95))
    return next(name for name, most in LIGHTS if (brightest / darkest) ** 2.2 <= most)


def judged(filled: Filled, read: CellReadings, counts: np.ndarray) -> Counter[str]:
    """How the cells that count, (rows, cols) bool, were read."""
    wrong = np.array([list(row) for row in read.map]) != np.array(list(KINDS + "?"))[filled.kinds]
    return Counter({
        "cells": int(counts.sum()),
        "misread": int((wrong & counts).sum()),
        "misread and not asked about": int((wrong & counts & ~read.doubtful).sum()),
        "asked about": int((read.doubtful & counts).sum()),
    })  # fmt: skip


def main() -> None:
    """Draw, read and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sheets", type=int, default=300)
    parser.add_argument("--fonts", type=Path, help="a text file with a font file a line")
    args = parser.parse_args()
    fonts = args.fonts.read_text().split() if args.fonts else []
    profile = SheetProfile("bench", SIZE, SIZE)
    sums: dict[str, dict[str, Counter[str]]] = {"beside": {}, "alone": {}}
    for seed in range(args.sheets):
        rng = np.random.default_rng([7, seed])
        filled = random_filled(rng, SIZE, SIZE, fonts=fonts)
        flat, hidden, shown = photographed(rng, filled)
        origin = (MARGIN * CELL,) * 2
        counts = (hidden < HIDDEN) & (filled.kinds != ODD) & ((filled.kinds == BLANK) | (shown >= SHOWN))
        groups = (f"print: {filled.sheet.style}", f"medium: {filled.medium}", lit(flat), "all")
        blank = blank_input(enrolled(rng, filled), CELL, origin, SIZE, SIZE)
        for way, beside in (("beside", blank), ("alone", None)):
            one = judged(filled, classify_cells(flat, CELL, origin, profile, beside), counts)
            for group in groups:
                sums[way].setdefault(group, Counter()).update(one)
    for way, by in sums.items():
        print({"beside": "beside the blank sheet", "alone": "without a blank sheet"}[way])
        for group, count in sorted(by.items()):
            told = (f"{figure} {counted(count[figure], count['cells'])}" for figure in FIGURES)
            print(f"    {group:20} {'; '.join(told)}")
        asked = 1000 * CELLS * by["all"]["asked about"] / by["all"]["cells"]
        print(f"    1,000 sheets: {asked:.0f} questions about cells, {asked * SECONDS / 60:.0f} minutes of a person")


if __name__ == "__main__":
    main()
