"""Cards known by their faces: seconds to learn a deck, to find the cards of a new table, and to see that it rests.

    python -m bench.cards_speed [--photo PICTURE --deck DECK.json …] [--rounds 5]

Without a photo 100 drawn cards are learnt, twenty pictures with five digits each, and 25 of them are laid on a table of
1920 × 1080 pixels. Seconds are those of the processor, beside OpenCV's own marker detection on the same picture, and of
the clock. The picture is then read 20 times, each time alone, and must give the same answer.
"""

import argparse
import statistics
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from calibration.decks import Laid, Order, enroll_deck
from training.synth.cards import SIZE_MM, face, grid, lay, table
from vision.cards.deck import Deck
from vision.cards.find import CardFinder
from vision.cards.still import FoundCard
from vision.table.profile import DICTIONARIES

PICTURES, DIGITS, COLS, ROWS = 20, 5, 5, 4
LAID, DENSE = 25, 1.7
"""Cards on the table, and their pixels per millimetre there."""
READINGS = 20


def timed(what: Callable[[], Any]) -> tuple[Any, float, float]:
    """What it gives, seconds of the processor, seconds of the clock."""
    cpu, clock = time.process_time(), time.perf_counter()
    out = what()
    return out, time.process_time() - cpu, time.perf_counter() - clock


def drawn() -> tuple[Deck, np.ndarray, list[str]]:
    """A deck that is learnt here, a table, and the ids of the cards on it."""
    faces = {f"{p}-{d}": face(p, d) for p in range(PICTURES) for d in range(1, DIGITS + 1)}
    ids, each = list(faces), COLS * ROWS
    groups = [ids[i : i + each] for i in range(0, len(ids), each)]
    photos = [grid([faces[name] for name in group], COLS) for group in groups]
    laid = tuple(Laid(f"{i}.jpg", ROWS, COLS, tuple({"id": n} for n in group)) for i, group in enumerate(groups))
    deck, cpu, clock = timed(lambda: enroll_deck(photos, Order("drawn", SIZE_MM, laid)))
    print(f"{len(ids)} cards learnt from {len(photos)} photos: {cpu:.1f} s of the processor, {clock:.1f} s")
    rng = np.random.default_rng(1)
    image = table((1080, 1920), 2)
    shown = [ids[i] for i in rng.choice(len(ids), LAID, replace=False)]
    for i, name in enumerate(shown):
        middle = (190 + 385 * (i % 5) + rng.uniform(-60, 60), 108 + 216 * (i // 5) + rng.uniform(-20, 20))
        lay(image, faces[name], middle, DENSE, float(rng.uniform(0, 2 * np.pi)))
    return deck, image, shown


def same(a: tuple[FoundCard, ...], b: tuple[FoundCard, ...]) -> bool:
    """Whether two answers are one to the last bit."""
    return [(c.entry, c.confidence, c.corners.tolist()) for c in a] == [
        (c.entry, c.confidence, c.corners.tolist()) for c in b
    ]


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--photo", type=Path)
    parser.add_argument("--deck", type=Path, nargs="*", default=[])
    parser.add_argument("--rounds", type=int, default=5)
    args = parser.parse_args()
    shown: list[str] | None = None
    if args.photo:
        image, decks = np.asarray(cv2.imread(str(args.photo))), [Deck.load(path) for path in args.deck]
    else:
        deck, image, shown = drawn()
        decks = [deck]
    detector = cv2.aruco.ArucoDetector(cv2.aruco.getPredefinedDictionary(DICTIONARIES["DICT_5X5_250"]))
    finder = CardFinder(decks)
    cards, cpu, clock = timed(lambda: finder.find(image))
    ids = [str(card.entry["id"]) for card in cards if card.entry]
    right = f"{sum(name in ids for name in shown)} of {len(shown)} right, " if shown else ""
    print(f"{len(cards)} cards, {right}{sum(card.doubtful for card in cards)} doubtful")
    print(f"first table of a program: {cpu:.2f} s of the processor, {clock:.2f} s")
    found = [timed(lambda: finder.find(image)) for _ in range(args.rounds)]
    cpu, clock = (statistics.median(one[k] for one in found) for k in (1, 2))
    print(f"a new table: {cpu:.2f} s of the processor, {clock:.2f} s")
    marker = statistics.median(timed(lambda: detector.detectMarkers(image))[1] for _ in range(20))
    finder.follow(image)
    rest = statistics.median(timed(lambda: finder.follow(image))[1] for _ in range(20))
    print(f"at rest: {1e3 * rest:.1f} ms, {rest / marker:.2f} × a marker detection of {1e3 * marker:.1f} ms")
    again = [CardFinder(decks).find(image) for _ in range(READINGS - 1)]
    print(f"read {READINGS} times: {1 + sum(same(one, cards) for one in again)} times the same answer")


if __name__ == "__main__":
    main()
