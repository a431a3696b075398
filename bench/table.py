"""A frame of the table → breakdown, stage by stage, against OpenCV's own marker detection on the same frame.

    python -m bench.table [--rounds 40] [--frame PICTURE --table PROFILE.json]

Without a picture a drawn table of 39 tiles, 8 cards and 12 markers is read, 1920 × 1080. Each frame stands alone: where
zones and markers lay before is forgotten, which a film's next frame would use.
"""

import argparse
import statistics
import time
from collections import defaultdict
from pathlib import Path

import cv2
import numpy as np

from companion.reading.tables import read_state, table_reader
from scoring import score_state
from training.synth.table_photo import Area, DrawnTable, Placed, Setting
from vision.table.profile import DICTIONARIES, TableProfile
from vision.table.read import TableReader

AGAIN = 19
"""Readings of the same picture after the first: cards that were seen stay seen."""
COLORS = ("red", "yellow", "green", "blue", "purple")
AREAS = {"dungeon": Area(210, 20, 500, 120), "A": Area(20, 150, 430, 280), "B": Area(470, 150, 430, 280)}


def drawn() -> tuple[np.ndarray, TableProfile]:
    """39 tiles, 8 cards, 12 markers."""
    cards = {60 + i: {"kind": "seeker", "power": 1 + i % 5} for i in range(8)}
    setting = Setting(AREAS, size=(920, 520), marker=36, top="felt", seed=3, slant=0.2, cards=cards)
    bag = list(COLORS) * 7 + ["rainbow"] + ["gold"] * 3
    bag = [bag[i] for i in np.random.default_rng(4).permutation(len(bag))]
    placed = [Placed(bag[i], 265 + 28.0 * i, 80, 2) for i in range(13)]
    for x0, first in ((90, 13), (540, 26)):
        placed += [Placed(bag[first + i], x0 + 27.0 * (i % 7), 205 + 30 * (i // 7), 1) for i in range(13)]
    placed += [Placed(60 + i, (90 if i < 4 else 540) + 72.0 * (i % 4), 340, 0) for i in range(8)]
    return DrawnTable(setting, pixels=(1920, 1080)).photo(placed), setting.profile("bench", rule=1)


def breakdown(reader: TableReader, image: np.ndarray) -> tuple[float, dict[str, float]]:
    """Seconds from a frame to the points, in all and for each stage."""
    start = time.perf_counter()
    reading = reader.read(image, thorough=False)
    read = time.perf_counter()
    score_state(read_state(reading, reader.profile).state, explain=False)
    end = time.perf_counter()
    return end - start, {**reading.seconds, "state and score": end - read}


def main() -> None:
    """Measure and print medians in milliseconds."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=40)
    parser.add_argument("--frame", type=Path)
    parser.add_argument("--table", type=Path)
    args = parser.parse_args()
    if args.frame:
        read, profile = cv2.imread(str(args.frame)), TableProfile.load(args.table)
        if read is None:
            parser.error(f"{args.frame}: expected a picture")
        image = np.asarray(read)
    else:
        image, profile = drawn()
    detector = cv2.aruco.ArucoDetector(cv2.aruco.getPredefinedDictionary(DICTIONARIES[profile.dictionary]))
    reader = table_reader(profile)
    reading = reader.read(image)
    print(f"{image.shape[1]} × {image.shape[0]}: {len(reading.tiles)} tiles, {len(reading.cards)} cards, "
          f"{len(reading.zones)} zones, {len(reading.doubtful)} doubtful")  # fmt: skip
    again = [reader.read(image).cards for _ in range(AGAIN)]
    lost = [len(reading.cards) - len(cards) for cards in again]
    print(f"the same picture read {AGAIN} times more: at most {max(lost)} cards lost")
    spent: dict[str, list[float]] = defaultdict(list)
    for _ in range(args.rounds):
        start = time.perf_counter()
        detector.detectMarkers(image)
        spent["OpenCV's marker detection"].append(time.perf_counter() - start)
        reader.forget()
        whole, stages = breakdown(reader, image)
        spent["frame → breakdown"].append(whole)
        for stage, seconds in stages.items():
            spent["  " + stage].append(seconds)
    yardstick = statistics.median(spent["OpenCV's marker detection"])
    for stage, times in sorted(spent.items(), key=lambda item: item[0].startswith("  ")):
        median = statistics.median(times)
        print(f"{stage:28} {median * 1e3:7.2f} ms  {median / yardstick:5.2f} ×")


if __name__ == "__main__":
    main()
