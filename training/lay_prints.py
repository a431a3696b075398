"""Compute templates, residuals and features for drawn letters from other sheets of the same print, as the reader does.

    python -m training.lay_prints SET.npz …

For each set of `draw_traces` writes `SET.templates`, for all its letters in the same order

- `known` (M, 64, 64) uint8: the template, white where there is none,
- `rest` (M, 64, 64) uint8: the residual against the template, 128 is none, 127 more is black,
- `cues` (M, FEATURES): see `vision.sheet.tracing_features`.

A letter's template is pooled from all, some or the clean one of the other sheets; which letters are plain there is
estimated by the current network without templates. Run it again with a better one.
"""

import argparse
from itertools import pairwise
from pathlib import Path

import cv2
import numpy as np

from training.draw_traces import SHEETS
from vision.sheet.letter_classifier import SIDE, WHITE, classify_letters
from vision.sheet.letter_templates import align_to_plainest, plainness, pooled_median, sharpness, shifted
from vision.sheet.tracing_features import tracing_features

CLEAN = 0.5
"""Share of sheets whose templates come from the clean one, which stands for a pool of many photos."""
FORGOTTEN = 0.08
"""Share of single crops that a pool misses."""
Prints = tuple[np.ndarray, np.ndarray, np.ndarray]
"""One sheet's `known`, `rest` and `cues`."""


def sheet_prints(crops: list[np.ndarray], labels: list[np.ndarray], rng: np.random.Generator) -> list[Prints]:
    """What is written for each of the sheets of one print, all with the same letters; the first is clean.

    Args:
        crops: (n, SIDE, SIDE, 3) uint8 of each sheet, normalized.
        labels: (n, 3) of each, as `draw_traces` writes them.
        rng: draws which sheets a sheet's templates come from.
    """
    plain = np.array(
        [plainness(classify_letters(c).traced, known[:, 2] == 1) for c, known in zip(crops, labels, strict=True)]
    )
    for row, known in zip(plain, labels, strict=True):
        row[known[:, 1] > 1] *= 0.2
        row[known[:, 2] > 1] *= 0.05
    gray = [[cv2.cvtColor(p, cv2.COLOR_BGR2GRAY) for p in c] for c in crops]
    sharp = [sharpness(g) for g in gray]
    aligned = [align_to_plainest([g[k] for g in gray], plain[:, k].tolist()) for k in range(len(gray[0]))]
    out = []
    for sheet in range(len(crops)):
        others = _chosen(sheet, len(crops), rng) if sheet else []
        known, sure = np.full((len(aligned), SIDE, SIDE), WHITE, np.uint8), np.zeros(len(aligned), np.float32)
        for k, (letters, offsets) in enumerate(aligned):
            mine = [j for j in others if rng.random() > FORGOTTEN]
            if mine:
                picture, sure[k] = pooled_median(
                    [letters[j] for j in mine], plain[mine, k].tolist(), [sharp[j] for j in mine]
                )
                known[k] = shifted(picture, *offsets[sheet])
        features, rest = tracing_features(crops[sheet], known, sure, WHITE)
        out.append((known, np.clip(128 + rest * 127, 0, 255).astype(np.uint8), features))
    return out


def _chosen(sheet: int, count: int, rng: np.random.Generator) -> list[int]:
    """Which other sheets a sheet's templates come from: the clean one, or some of all."""
    if rng.random() < CLEAN:
        return [0]
    keep = rng.choice([0.2, 0.5, 1.0], p=[0.2, 0.3, 0.5])
    return [j for j in range(count) if j != sheet and rng.random() < keep]


def lay(path: Path) -> None:
    """Write a set's templates, residuals and features."""
    with np.load(path) as file:
        crops, labels, starts = file["crops"], file["labels"], file["starts"]
    rng, parts = np.random.default_rng(len(crops)), []
    for group in range(0, len(starts) - SHEETS, SHEETS):
        cut = [slice(a, b) for a, b in pairwise(starts[group : group + SHEETS + 1])]
        parts += sheet_prints([crops[c] for c in cut], [labels[c] for c in cut], rng)
    known, rest, features = (np.concatenate(part) for part in zip(*parts, strict=True))
    unfinished = path.with_suffix(".templates.part")
    with open(unfinished, "wb") as file:
        np.savez(file, known=known, rest=rest, cues=features)
    unfinished.rename(path.with_suffix(".templates"))


def main() -> None:
    """Lay out all the sets named."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("sets", nargs="+", type=Path)
    cv2.setNumThreads(1)
    for path in parser.parse_args().sets:
        lay(path)
        print(path, flush=True)


if __name__ == "__main__":
    main()
