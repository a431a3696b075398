"""Draw what pens cover of letters, some of them traced: the training set of `tracings.onnx`.

    python -m training.draw_tracings OUT.npz --prints 60 --seed 1 --fonts FONTS.txt

Prints are drawn and photographed by `draw_traces`, and what the reader measures is measured. Writes

- `layers` (M, 6, 64, 64) float16, see `vision.sheet.tracings.tracing_layers`,
- `labels` (M, 5): traced, gate, in a circle, as `draw_traces` has them, the print, and the sheet, whose letters stand
  side by side,
- `inks` (M, 16, 16) uint8: where the tracing lies.
"""

import argparse
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np

from training.draw_outlines import laid_blanks
from training.draw_traces import SHEETS, Face, Manner, Print, draw_sheets, faces, random_print
from training.synth.hands import Rng
from vision.sheet.outlines import pen_change
from vision.sheet.tracings import tracing_layers

FEWEST = 3
"""Letters of a sheet to be compared with each other, at least."""


def random_style(rng: Rng, every: list[Face]) -> Print:
    """As `random_print`, with more small letters, letters in corners and at sides, and colored ink."""
    style = random_print(rng, every)
    height = float(np.clip(rng.normal(0.32, 0.07), 0.2, 0.6)) if rng.random() < 0.6 else style.height
    reach, off, ink = max(0.0, 0.42 - height / 2), style.off, style.ink
    if rng.random() < 0.4:
        off = tuple(float(rng.choice([-1, 0, 1]) * reach * rng.uniform(0.8, 1.1)) for _ in "xy")
    if rng.random() < 0.4:
        ink = np.clip(rng.uniform(0.05, 0.55) + rng.normal(0, 0.18, 3), 0, 0.85).astype(np.float32)
    return replace(style, height=height, off=off, ink=ink)


MANNER = Manner(random_style, plain_gates=(0.15, 0.3, 0.05, 0.1), targets=0.1, unlike=0.2, broad=0.15)


def photographed_tracings(rng: Rng, every: list[Face]) -> list[tuple[np.ndarray, np.ndarray, np.ndarray]]:
    """Of each sheet of one print: layers (m, 6, 64, 64), labels (m, 3), inks (m, 16, 16); none under a wall."""
    crops, labels, inks = draw_sheets(rng, every, SHEETS + 1, MANNER)
    out = []
    for seen, told, ink in zip(crops[1:], labels[1:], inks[1:], strict=True):
        kept = told[:, 2] < 2
        if kept.sum() >= FEWEST:
            letters, blanks = seen[kept], laid_blanks(seen[kept], crops[0][kept])[0]
            out.append((tracing_layers(pen_change(letters, blanks), letters, blanks), told[kept], ink[kept, ..., 0]))
    return out


def main() -> None:
    """Draw a set."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("out", type=Path)
    parser.add_argument("--prints", type=int, default=60)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--fonts", type=Path, help="a font file's path a line")
    args = parser.parse_args()
    cv2.setNumThreads(1)
    rng = np.random.default_rng([args.seed, 35])
    fonts = [font for font in args.fonts.read_text().split("\n") if font] if args.fonts else []
    every = faces(fonts, rng, 40)
    layers, labels, inks = [], [], []
    for k in range(args.prints):
        for seen, told, ink in photographed_tracings(rng, every):
            layers.append(seen.astype(np.float16))
            labels.append(np.column_stack([told, np.full((len(told), 2), (k, len(labels)))]).astype(np.int32))
            inks.append(ink)
    np.savez(args.out, layers=np.concatenate(layers), labels=np.concatenate(labels), inks=np.concatenate(inks))


if __name__ == "__main__":
    main()
