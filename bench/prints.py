"""Prints, hands and pens that nobody has drawn before, from a seed: how they are read, and the worst print of them.

    python -m bench.prints --seed 5 [--prints 12] [--photos 3] [--keep FOLDER]

Each print is enrolled from a photo of its blank page, with the letters, tracks and boxes that a careful person would
have put right; then photos of it, each filled in by another hand, are read. Seeds below 100 are for setting, others for
reporting; training draws with other generators. With `--keep` the photos are kept with what is wrong drawn over them.
"""

from __future__ import annotations

import argparse
import tempfile
import time
from collections import Counter
from collections.abc import Mapping
from pathlib import Path

import cv2
import numpy as np

from training.synth.pages import SIDE, FilledPage, Page, PagePhoto, filled_page, page_photo, random_page
from training.synth.sheets import ODD
from vision.annotate import annotate
from vision.errors import PhotoError
from vision.sheet.flatten import SheetMap, cell_pixels, flatten
from vision.sheet.profile import SheetProfile
from vision.sheet.read import read_sheet
from vision.sheet.reading import SheetReading
from vision.sheet.tracks import whole_page

FLAT = 48
"""Pixels a cell of the blank sheet's picture, as enrolling keeps it."""
SHARES = ("cells", "silent", "flagged")
"""Figures that are parts of the cells that count; the others are parts of the photos."""


def enrolled(page: Page, blank: PagePhoto, name: str, folder: Path) -> SheetProfile:
    """The page's profile with both pictures, in a folder of its own."""
    sheet_map = SheetMap(blank.lattice)
    pictures = {"blank": flatten(blank.image, sheet_map, FLAT), "page": whole_page(blank.image, sheet_map)}
    for kind, flat in pictures.items():
        (folder / f"{name}-{kind}.png").write_bytes(cv2.imencode(".png", flat.image)[1].tobytes())
    data = page.profile(name) | {kind: f"{name}-{kind}.png" for kind in pictures}
    return SheetProfile.from_json(data | {"places": {k: list(flat.place) for k, flat in pictures.items()}}, folder)


def judged(filled: FilledPage, photo: PagePhoto, profile: SheetProfile, reading: SheetReading) -> Counter[str]:
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
    off = np.abs(reading.lattice - photo.lattice).max() / cell_pixels(photo.lattice)
    return Counter({
        "photos": 1, "read": 1, "counted": int(counts.sum()), "cells": int((counts & ~wrong).sum()),
        "silent": int((wrong & ~asked).sum()), "flagged": int((asked & counts).sum()), "exact": int(not wrong.any()),
        "grid": int(off < 0.25), "ticks": int(dict(reading.ticks) == filled.ticks),
        "gates": int(sorted(reading.gates) == filled.gates),
        "destinations": int(sorted(reading.destinations) == filled.destinations),
        "numbers": len(written), "written": sum(written),
    })  # fmt: skip


def unread(filled: FilledPage) -> Counter[str]:
    """What a photo counts that could not be read: all its cells are missed."""
    return Counter({"photos": 1, "counted": SIDE * SIDE - 1, "numbers": sum(n is not None for n in filled.numbers)})


def shares(sums: Mapping[str, int]) -> dict[str, float]:
    """The figures, as parts of what they could be."""
    out = {"read": sums["read"] / sums["photos"]}
    out |= {key: sums.get(key, 0) / max(1, sums["counted"]) for key in SHARES}
    out |= {key: sums.get(key, 0) / sums["photos"] for key in ("exact", "grid", "ticks", "gates", "destinations")}
    return out | {"written": sums.get("written", 0) / sums["numbers"] if sums["numbers"] else 1.0}


def worst(each: list[dict[str, float]]) -> dict[str, float]:
    """Of every figure the worst print's."""
    return {k: (max if k in ("silent", "flagged") else min)(one[k] for one in each) for k in each[0]}


def said(figures: Mapping[str, float]) -> str:
    """One line of them."""
    return "  ".join(f"{key} {value:.4f}" for key, value in figures.items())


def main() -> None:
    """Draw, enroll, read and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seed", type=int, default=100)
    parser.add_argument("--prints", type=int, default=12)
    parser.add_argument("--photos", type=int, default=3, help="of each print")
    parser.add_argument("--keep", type=Path, help="a folder for the photos, what was read drawn over them")
    args = parser.parse_args()
    each, every, seconds = [], Counter[str](), []
    with tempfile.TemporaryDirectory() as folder:
        for k in range(args.prints):
            rng = np.random.default_rng([args.seed, k])
            page, sums = random_page(rng), Counter[str]()
            profile = enrolled(page, page_photo(rng, page, page.sheet.image, easy=True), f"print-{k}", Path(folder))
            for n in range(args.photos):
                filled = filled_page(rng, page)
                photo = page_photo(rng, page, filled.image, filled.graphite)
                began = time.process_time()
                drawn, one = photo.image, unread(filled)
                try:
                    reading = read_sheet(photo.image, profile)
                except PhotoError as error:
                    print(f"    print {k}, photo {n}: not read, {error}; {filled.medium}, {filled.hand}, {photo.tags}")
                else:
                    one = judged(filled, photo, profile, reading)
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
