"""Prints, hands and pens that nobody has drawn before, from a seed: how they are read, and the worst print of them.

    python -m bench.prints --seed 5 [--prints 12] [--photos 3] [--generator strangers] [--keep FOLDER]

Each print is enrolled from a photo of its blank page, with the letters, tracks and boxes that a careful person would
have put right; then photos of it, each filled in by another hand, are read. Seeds below 100 are for setting, others for
reporting. Training draws with the generator `pages` too, by other seeds; `strangers` (`bench/strangers`) is for
reporting only. With `--keep` the photos are kept with what was read drawn over them.
"""

from __future__ import annotations

import argparse
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, NamedTuple, Protocol

import cv2
import numpy as np

from bench import strangers
from training.synth.pages import SIDE, filled_page, page_photo, random_page
from training.synth.sheets import ODD
from vision.annotate import annotate
from vision.errors import PhotoError
from vision.sheet.decisions import TICK_UNSURE
from vision.sheet.flatten import SheetMap, cell_pixels, flatten
from vision.sheet.profile import Cell, SheetProfile
from vision.sheet.read import read_sheet
from vision.sheet.reading import SheetReading
from vision.sheet.tracks import whole_page

FLAT = 48
"""Pixels a cell of the blank sheet's picture, as enrolling keeps it."""
SHARES = ("cells", "silent", "flagged")
"""Figures that are parts of the cells that count; the others are parts of the photos, or as `shares` says."""
WORSE_UP = ("silent", "flagged", "boxes_wrong", "boxes_silent")
"""Figures of which the highest is the worst."""


class Page(Protocol):
    """A blank sheet."""

    def profile(self, name: str) -> dict[str, Any]:
        """Its profile's JSON object, without pictures."""


class Filled(Protocol):
    """The truth of a sheet that somebody filled in; `map` has a `?` where no kind is right or wrong."""

    map: list[str]
    destinations: list[str]
    gates: list[Cell]
    ticks: dict[str, int]
    numbers: list[int | None]
    medium: str
    hand: str


class Photo(Protocol):
    """A photo, (H, W, 3) BGR, and where the grid's lines cross on it, (12, 12, 2) pixels."""

    @property
    def image(self) -> np.ndarray: ...
    @property
    def lattice(self) -> np.ndarray: ...
    @property
    def tags(self) -> dict[str, Any]: ...


class Generator(NamedTuple):
    """Draws a print, a careful photo of its blank page, and a photo of a sheet that somebody filled in."""

    page: Callable[[np.random.Generator], Any]
    blank: Callable[[np.random.Generator, Any], Photo]
    filled: Callable[[np.random.Generator, Any], tuple[Any, Photo]]


def _filled(rng: np.random.Generator, page: Any) -> tuple[Any, Photo]:
    filled = filled_page(rng, page)
    return filled, page_photo(rng, page, filled.image, filled.graphite)


GENERATORS = {
    "pages": Generator(random_page, lambda rng, page: page_photo(rng, page, page.sheet.image, easy=True), _filled),
    "strangers": Generator(strangers.random_page, strangers.blank_photo, strangers.filled_photo),
}


def enrolled(page: Page, blank: Photo, name: str, folder: Path) -> SheetProfile:
    """The page's profile with both pictures, in a folder of its own."""
    sheet_map = SheetMap(blank.lattice)
    pictures = {"blank": flatten(blank.image, sheet_map, FLAT), "page": whole_page(blank.image, sheet_map)}
    for kind, flat in pictures.items():
        (folder / f"{name}-{kind}.png").write_bytes(cv2.imencode(".png", flat.image)[1].tobytes())
    data = page.profile(name) | {kind: f"{name}-{kind}.png" for kind in pictures}
    return SheetProfile.from_json(data | {"places": {k: list(flat.place) for k, flat in pictures.items()}}, folder)


def judged(filled: Filled, photo: Photo, profile: SheetProfile, reading: SheetReading) -> Counter[str]:
    """How one photo was read: counts of cells and, 0 or 1, what is all right."""
    true, read = (np.array([list(row) for row in rows]) for rows in (filled.map, reading.map))
    counts = true != ".o#?"[ODD]
    if profile.entrance is not None:
        counts[profile.entrance] = False
    asked = np.zeros(true.shape, bool)
    for cell in reading.doubtful:
        asked[cell] = True
    wrong = (true != read) & counts
    written = [n.number == want for n, want in zip(reading.written, filled.numbers, strict=False) if want is not None]
    apart = {track: abs(count - filled.ticks[track]) for track, count in reading.ticks.items()}
    unasked = [track for track, doubt in reading.tick_doubts.items() if doubt < TICK_UNSURE]
    off = np.abs(reading.lattice - photo.lattice).max() / cell_pixels(photo.lattice)
    return Counter({
        "photos": 1, "read": 1, "counted": int(counts.sum()), "cells": int((counts & ~wrong).sum()),
        "silent": int((wrong & ~asked).sum()), "flagged": int((asked & counts).sum()), "exact": int(not wrong.any()),
        "grid": int(off < 0.25), "ticks": int(dict(reading.ticks) == filled.ticks),
        "gates": int(sorted(reading.gates) == filled.gates),
        "destinations": int(sorted(reading.destinations) == filled.destinations),
        "numbers": len(written), "written": sum(written), "boxes": sum(map(len, profile.tracks.values())),
        "boxes_wrong": sum(apart.values()), "boxes_silent": sum(apart[track] for track in unasked),
    })  # fmt: skip


def unread(filled: Filled) -> Counter[str]:
    """What a photo counts that could not be read: all its cells are missed."""
    return Counter({"photos": 1, "counted": SIDE * SIDE - 1, "numbers": sum(n is not None for n in filled.numbers)})


def shares(sums: Mapping[str, int]) -> dict[str, float]:
    """The figures, as parts of what they could be."""
    out = {"read": sums["read"] / sums["photos"]}
    out |= {key: sums.get(key, 0) / max(1, sums["counted"]) for key in SHARES}
    out |= {key: sums.get(key, 0) / sums["photos"] for key in ("exact", "grid", "ticks", "gates", "destinations")}
    out |= {key: sums.get(key, 0) / max(1, sums["boxes"]) for key in ("boxes_wrong", "boxes_silent")}
    return out | {"written": sums.get("written", 0) / sums["numbers"] if sums["numbers"] else 1.0}


def missed(one: Mapping[str, int]) -> str:
    """What is wrong on one photo, in a few words."""
    wrong = one["counted"] - one["cells"]
    out = [f"{wrong} cells wrong, {one['silent']} of them silent"] if wrong else []
    out += [key for key in ("grid", "ticks", "gates", "destinations") if not one[key]]
    out += [f"{one['boxes_silent']} boxes silent"] if one["boxes_silent"] else []
    out += [f"{left} of {one['numbers']} numbers"] if (left := one["numbers"] - one["written"]) else []
    return f"{one['flagged']} cells asked; " + (", ".join(out) or "all right")


def worst(each: list[dict[str, float]]) -> dict[str, float]:
    """Of every figure the worst print's."""
    return {k: (max if k in WORSE_UP else min)(one[k] for one in each) for k in each[0]}


def said(figures: Mapping[str, float]) -> str:
    """One line of them."""
    return "  ".join(f"{key} {value:.4f}" for key, value in figures.items())


def main() -> None:
    """Draw, enroll, read and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seed", type=int, default=100)
    parser.add_argument("--prints", type=int, default=12)
    parser.add_argument("--photos", type=int, default=3, help="of each print")
    parser.add_argument("--generator", choices=GENERATORS, default="pages")
    parser.add_argument("--keep", type=Path, help="a folder for the photos, what was read drawn over them")
    args = parser.parse_args()
    drawn_by = GENERATORS[args.generator]
    each, every, seconds = [], Counter[str](), []
    with tempfile.TemporaryDirectory() as folder:
        for k in range(args.prints):
            rng = np.random.default_rng([args.seed, k])
            page, sums = drawn_by.page(rng), Counter[str]()
            blank = drawn_by.blank(rng, page)
            profile = enrolled(page, blank, f"print-{k}", Path(folder))
            for n in range(args.photos):
                filled, photo = drawn_by.filled(rng, page)
                began = time.process_time()
                drawn, one = photo.image, unread(filled)
                try:
                    reading = read_sheet(photo.image, profile)
                except PhotoError as error:
                    print(f"    print {k}, photo {n}: not read, {error}; {filled.medium}, {filled.hand}, {photo.tags}")
                else:
                    one = judged(filled, photo, profile, reading)
                    print(f"    print {k}, photo {n}: {missed(one)}; {filled.medium}, {filled.hand}, {photo.tags}")
                    drawn = annotate(photo.image, reading, profile) if args.keep else drawn
                seconds += [time.process_time() - began] if n else []  # the first measures the blank page as well
                sums += one
                if args.keep:
                    args.keep.mkdir(parents=True, exist_ok=True)
                    cv2.imwrite(str(args.keep / f"print-{k}-{n}.jpg"), drawn)
            each.append(shares(sums))
            every += sums
            print(f"print {k:2}: {said(each[-1])}", flush=True)
    print(f"all:      {said(shares(every))}")
    print(f"worst:    {said(worst(each))}")
    print(f"processor time a photo: median {np.median(seconds):.2f} s, worst {max(seconds):.2f} s")


if __name__ == "__main__":
    main()
