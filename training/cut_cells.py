"""Cut pictures that the cell classifier learns from out of real photos of filled-in grids.

    python -m training.cut_cells FOLDER OUT --begin train-

FOLDER holds photos and a truth.json: {"rows", "cols", "photos": [{"photo", "grid": four corners, "cells": rows of
"blank", "digit" (printed or by hand) or "notes"}]}. Writes the same files as `draw_cells`, several windows of each
photo: a digit becomes the kind 4, notes the kind 3.
"""

import argparse
import json
from pathlib import Path

import cv2
import numpy as np

from training.draw_cells import WHITE
from training.synth.camera import smooth_field
from training.synth.hands import Rng
from vision.photo import load_photo
from vision.sheet.flatten import SheetMap, flatten
from vision.sheet.grid import from_corners
from vision.sheet.illumination import denoise, normalize_illumination

CELL = 40
"""Pixels a cell."""
MARGIN = 0.6
"""Cells around a window."""
KIND = {"blank": 0, "notes": 3, "digit": 4}


def windows(
    rng: Rng, lattice: np.ndarray, photo: np.ndarray, size: int, count: int
) -> list[tuple[np.ndarray, int, int]]:
    """`count` windows of size × size cells, each flattened with small errors of its own: (picture, row, column)."""
    rows, cols = lattice.shape[0] - 1, lattice.shape[1] - 1
    step = float(np.linalg.norm(lattice[-1, -1] - lattice[0, 0])) / np.hypot(rows, cols)
    side = round((size + 2 * MARGIN) * CELL)
    out = []
    for _ in range(count):
        slip = np.stack([smooth_field(rng, lattice.shape[:2], int(rng.integers(3, 6))) for _ in range(2)], -1)
        bent = lattice + slip * step * rng.choice([0.01, 0.025, 0.045])
        flat = flatten(_worse(rng, photo, step), SheetMap(bent), CELL, MARGIN).image
        row, col = int(rng.integers(rows - size + 1)), int(rng.integers(cols - size + 1))
        out.append((flat[row * CELL : row * CELL + side, col * CELL : col * CELL + side], row, col))
    return out


def _worse(rng: Rng, photo: np.ndarray, step: float) -> np.ndarray:
    """The photo as it is, or softer and noisier; `step`: pixels a cell."""
    if rng.random() < 0.5:
        return photo
    soft = cv2.GaussianBlur(photo, (0, 0), max(0.3, rng.uniform(0.005, 0.05) * step))
    noisy = soft + rng.normal(0, rng.uniform(0, 6), photo.shape)
    return np.clip(noisy, 0, 255).astype(np.uint8)


def main() -> None:
    """Cut and write."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("out")
    parser.add_argument("--begin", default="", help="only photos whose names begin so")
    parser.add_argument("--windows", type=int, default=8, help="of each photo")
    parser.add_argument("--size", type=int, default=8)
    parser.add_argument("--seed", type=int, default=0)
    args = parser.parse_args()
    rng = np.random.default_rng(args.seed)
    truth = json.loads((args.folder / "truth.json").read_text())
    images, labels = [], []
    for entry in truth["photos"]:
        if not entry["photo"].startswith(args.begin):
            continue
        photo = load_photo((args.folder / entry["photo"]).read_bytes())
        gray = cv2.cvtColor(photo, cv2.COLOR_BGR2GRAY)
        lattice = from_corners(gray, np.array(entry["grid"]) - 0.5, truth["rows"], truth["cols"])
        kinds = np.vectorize(KIND.__getitem__)(np.array(entry["cells"]))
        for flat, row, col in windows(rng, lattice, photo, args.size, args.windows):
            images.append(np.minimum(normalize_illumination(denoise(flat)[0]) * WHITE, 255).astype(np.uint8))
            labels.append(np.zeros((args.size, args.size, 6), np.uint8))
            labels[-1][..., 0] = kinds[row : row + args.size, col : col + args.size]
    np.save(f"{args.out}.images.npy", np.stack(images))
    np.save(f"{args.out}.labels.npy", np.stack(labels))
    print(f"{len(images)} pictures")


if __name__ == "__main__":
    main()
