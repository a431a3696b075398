"""Several sheets in one photo: whether each is read or named, and what one sheet's photo costs more for the question.

    python -m bench.several [--seeds 2] [--no-page] [--save DIR]

The sheets are drawn (training/synth/arrangements.py), and so is the blank one that they are enrolled from.
"""

import argparse
import tempfile
import time
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from calibration.sheets import enroll
from common.json_file import write_json
from training.synth.arrangements import ARRANGEMENTS, arranged
from training.synth.demo import blank_photo
from vision.errors import PhotoError
from vision.sheet.flatten import cell_pixels
from vision.sheet.profile import SheetProfile
from vision.sheet.read import read_sheet
from vision.sheet.reading import SheetReading
from vision.sheet.several import UnreadSheet, read_sheets

NEAR = 1.0
"""Cells by which a found sheet's middle may lie off that of the true one."""
TIMED = 5


def enrolled(folder: Path) -> SheetProfile:
    """The demo's sheet, enrolled from its blank one with all its print."""
    made = enroll(blank_photo(), 11, 11, name="demo")
    data = made.profile.to_json()
    for kind, flat in (("blank", made.flat), ("page", made.page)):
        cv2.imwrite(str(folder / f"{kind}.png"), flat.image)
        data[kind] = f"{kind}.png"
    data["places"] = {kind: list(flat.place) for kind, flat in (("blank", made.flat), ("page", made.page))}
    write_json(folder / "sheet.json", data)
    return SheetProfile.load(folder / "sheet.json")


def told(found: list[SheetReading | UnreadSheet], truths: list[dict[str, Any]]) -> list[str]:
    """What became of each sheet that lies there: `read`, `named`, the number of its wrong cells that are not flagged,
    or `passed over`."""
    out = []
    for truth in truths:
        middle, cell = truth["lattice"].mean((0, 1)), cell_pixels(truth["lattice"])
        own = [one for one in found if np.linalg.norm(one.lattice.mean((0, 1)) - middle) < NEAR * cell]
        if not own:
            out.append("passed over")
        elif isinstance(own[0], UnreadSheet):
            out.append(f"named ({own[0].error.key})")
        else:
            out.append(f"read, {_wrong(own[0], truth)} wrong")
    return out


def _wrong(reading: SheetReading, truth: Mapping[str, Any]) -> int:
    cells = np.ndindex(len(truth["map"]), len(truth["map"][0]))
    return sum(reading.map[r][c] != truth["map"][r][c] and (r, c) not in reading.doubtful for r, c in cells)


def main() -> None:
    """Read every arrangement; then time one sheet's photo both ways."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seeds", type=int, default=2)
    parser.add_argument("--no-page", action="store_true", help="with a profile that knows no print but the letters")
    parser.add_argument("--save", metavar="DIR", help="keep the photos")
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        profile = enrolled(Path(folder))
        if args.no_page:
            profile = replace(profile, page=None)
        over = photos = invented = 0
        for seed in range(args.seeds):
            for name in ARRANGEMENTS:
                photo, truths = arranged(seed, name)
                if args.save:
                    cv2.imwrite(str(Path(args.save) / f"{name}-{seed}.jpg"), photo)
                try:
                    found = read_sheets(photo, profile)
                    result = told(found, truths)
                except PhotoError as error:
                    found, result = [], [error.key] * (len(truths) == 1) or ["passed over"] * len(truths)
                extra = max(0, len(found) - len(truths))
                over, invented, photos = over + result.count("passed over"), invented + extra, photos + 1
                print(f"{name}-{seed}: {'; '.join(result)}" + f"; {extra} invented" * bool(extra))
        print(f"{photos} photos: {over} sheets passed over, {invented} invented")
        for name in ("one", "one-aside"):
            photo, _ = arranged(0, name)
            once: list[float] = []
            every: list[float] = []
            for _ in range(TIMED):
                for how, took in ((read_sheet, once), (read_sheets, every)):
                    begun = time.perf_counter()
                    how(photo, profile)
                    took.append(time.perf_counter() - begun)
            print(f"{name}: {min(once) * 1000:.0f} ms alone, {min(every) * 1000:.0f} ms with the question")


if __name__ == "__main__":
    main()
