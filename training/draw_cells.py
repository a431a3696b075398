"""Draw the pictures that the cell classifier learns from.

    python -m training.draw_cells OUT --sheets 2000 --views 3 --seed 1 --fonts FONTS.txt

Writes OUT.images.npy (N, 368, 368, 11) uint8: three colors, the light already taken off (180 is white paper), the
blank sheet alike in gray, the noise, the blank sheet's colors, and the sheet's with its print taken off;
and OUT.labels.npy (N, 8, 8, 7) uint8: kind, letter, traced (2: it was, but nobody could see it), gate, ghost, hidden
(0 to 255), shown (thousandths by which the cell was changed).
"""

import argparse
import time
from pathlib import Path

import cv2
import numpy as np

from training.synth.sheets import random_filled
from training.synth.views import enrolled, photographed
from training.synth.writing import Writer
from vision.sheet.illumination import darkness, denoise, normalize_illumination, unprinted

WHITE = 180
NOISE = 500
"""A byte's worth of a noise of one."""


def stored(flat: np.ndarray, blank: np.ndarray) -> np.ndarray:
    """(H, W, 11) uint8: what is learnt from, as it is kept, of two (H, W, 3) uint8 with the light still on."""
    smooth, noise = denoise(flat)
    lit = normalize_illumination(smooth) * WHITE
    even = denoise(blank)[0]
    printed = normalize_illumination(even)
    added = np.moveaxis(1 - unprinted(smooth, darkness(even)), 0, -1) * WHITE
    parts = [lit, printed.mean(2, keepdims=True) * WHITE, noise[..., None] * NOISE, printed * WHITE, added]
    return np.minimum(np.concatenate(parts, 2), 255).astype(np.uint8)


def main() -> None:
    """Draw and write."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("out")
    parser.add_argument("--sheets", type=int, default=2000)
    parser.add_argument("--views", type=int, default=3)
    parser.add_argument("--size", type=int, default=8)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--fonts", type=Path, help="a text file with a font file a line")
    parser.add_argument("--hands", help="the same, of handwriting fonts, for numbers written into cells")
    parser.add_argument("--scans", help="an .npz of handwritten digits: images (n, 28, 28), labels (n,)")
    parser.add_argument("--mirrored", type=float, default=0.3, help="share of photos where graphite mirrors the lamp")
    parser.add_argument("--begun", type=float, default=0.1, help="share of sheets with only one to five marks")
    parser.add_argument("--unlike", type=float, default=0.0, help="share of prints, hands and pens that few have")
    args = parser.parse_args()
    cv2.setNumThreads(1)
    fonts = args.fonts.read_text().split("\n") if args.fonts else []
    fonts = [f for f in fonts if f]
    writer = Writer.load(args.scans, args.hands)
    side, n = round((args.size + 1.2) * 40), args.sheets * args.views
    images = np.lib.format.open_memmap(f"{args.out}.images.npy", "w+", np.uint8, (n, side, side, 11))
    labels = np.lib.format.open_memmap(f"{args.out}.labels.npy", "w+", np.uint8, (n, args.size, args.size, 7))
    began = time.monotonic()
    for i in range(args.sheets):
        rng = np.random.default_rng([args.seed, i])
        filled = random_filled(
            rng, args.size, args.size, fonts=fonts, writer=writer, begun=args.begun, unlike=args.unlike
        )
        blank = enrolled(rng, filled)
        for k in range(args.views):
            flat, hidden, shown = photographed(rng, filled, mirrored=args.mirrored)
            at = i * args.views + k
            images[at] = stored(flat, blank)
            traced = filled.traced + filled.unclear.astype(int)
            marks = [filled.kinds, filled.letter, traced, filled.gate, filled.ghost, np.round(hidden * 255)]
            labels[at] = np.stack([*marks, np.minimum(shown * 1000, 255)], -1)
        if i % 200 == 199:
            print(f"{i + 1} sheets, {(time.monotonic() - began) / (i + 1):.2f} s a sheet", flush=True)


if __name__ == "__main__":
    main()
