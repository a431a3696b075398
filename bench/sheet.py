"""Photo to points: stage by stage, beside a full decode of the same photo, and accuracy on drawn sheets.

    python -m bench.sheet [PHOTO.jpg --sheet PROFILE.json] [--rounds 15] [--drawn 12]

Without a photo the demo sheet is drawn, enlarged to 12 megapixels and saved as a JPEG. Everything runs in one
process, decode and reading by turns, so that the ratio holds whatever else the machine does. Also shown: the
process's peak memory, before the accuracy is measured.
"""

from __future__ import annotations

import argparse
import json
import resource
import statistics
import sys
import time
from collections import defaultdict
from pathlib import Path

# isort: split
import cv2
import numpy as np

from scoring import score_state
from training.synth import demo
from vision.photo import open_photo
from vision.sheet.profile import SheetProfile
from vision.sheet.read import read_sheet


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("photo", nargs="?", type=Path)
    parser.add_argument("--sheet", type=Path)
    parser.add_argument("--rounds", type=int, default=15)
    parser.add_argument("--drawn", type=int, default=12, help="drawn sheets for the accuracy (0: none)")
    args = parser.parse_args()
    data = args.photo.read_bytes() if args.photo else _twelve_megapixels()
    profile = SheetProfile.load(args.sheet) if args.sheet else SheetProfile.from_json(demo.profile())
    times(data, profile, args.rounds)
    if args.drawn:
        accuracy(args.drawn)


def _twelve_megapixels() -> bytes:
    photo = cv2.resize(demo.filled_photo(seed=0)[0], (4032, 3024), interpolation=cv2.INTER_CUBIC)
    return cv2.imencode(".jpg", photo, [cv2.IMWRITE_JPEG_QUALITY, 92])[1].tobytes()


def times(data: bytes, profile: SheetProfile, rounds: int) -> None:
    """Print each stage's median and the ratio of the whole to a full decode."""
    stages: dict[str, list[float]] = defaultdict(list)
    buffer = np.frombuffer(data, np.uint8)
    for turn in range(rounds + 2):
        marks = [time.perf_counter()]
        photo = open_photo(data, glance=True)
        marks.append(time.perf_counter())
        reading = read_sheet(photo, profile)
        marks.append(time.perf_counter())
        score_state(_state(reading, profile))
        marks.append(time.perf_counter())
        if turn == 0:
            peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
        start = time.perf_counter()
        height, width = cv2.imdecode(buffer, cv2.IMREAD_COLOR).shape[:2]
        full = time.perf_counter() - start
        if turn < 2:
            continue  # the first rounds load weights and fill caches
        stages["full decode (beside)"].append(full)
        stages["decode"].append(marks[1] - marks[0])
        for stage, seconds in reading.seconds.items():
            stages[stage].append(seconds)
        stages["score"].append(marks[3] - marks[2])
        stages["photo to points"].append(marks[3] - marks[0])
    print(f"{width} × {height}, {len(data) / 1e6:.2f} MB, {rounds} rounds, medians")
    base = statistics.median(stages["full decode (beside)"])
    for stage, seconds in stages.items():
        middle = statistics.median(seconds)
        print(f"  {stage:22} {1000 * middle:7.1f} ms   {middle / base:5.2f} × full decode")
    print(f"  peak memory of the first reading: {peak:.0f} MB")


def _state(reading, profile: SheetProfile) -> dict:
    return {
        "game": "in-the-ruin",
        "letters": {k: list(v) for k, v in profile.letters.items()},
        "players": [{"name": "A", "map": list(reading.map), "escaped": 9, "destinations": list(reading.destinations),
                     "gems": reading.ticks.get("gems", 0), "penalties": reading.ticks.get("penalties", 0)}],
    }  # fmt: skip


def accuracy(count: int) -> None:
    """Print how drawn demo sheets of known truth are read. Photographs are the measure; this only notices a break."""
    profile = SheetProfile.from_json(demo.profile())
    cells = wrong = silent = flagged = exact = ticks = 0
    for seed in range(count):
        photo, truth = demo.filled_photo(seed=100 + seed, player=seed % 4)
        reading = read_sheet(photo, profile)
        doubtful = set(reading.doubtful)
        bad = [(r, c) for r in range(11) for c in range(11) if reading.map[r][c] != truth["map"][r][c]]
        cells += 121
        wrong += len(bad)
        silent += sum(cell not in doubtful for cell in bad)
        flagged += len(doubtful)
        exact += not bad
        ticks += reading.ticks == truth["ticks"]
    figures = {"cells": 1 - wrong / cells, "silent": silent / cells, "flagged": flagged / cells,
               "exact": exact / count, "ticks": ticks / count}  # fmt: skip
    print(f"{count} drawn sheets: " + json.dumps({k: round(v, 4) for k, v in figures.items()}))


if __name__ == "__main__":
    sys.exit(main())
