"""Draw the boxes with written numbers that the reader of numbers learns from.

    python -m training.draw_numbers OUT --boxes 12000 --seed 1 --hands FONTS.txt --scans DIGITS.npz

Writes OUT.images.npy (N, 32, 64) uint8, ink bright, as `vision.sheet.written` cuts them, and OUT.texts.npy (N,) what
stands there, empty where nothing does.
"""

import argparse
import time

import cv2
import numpy as np

from training.synth.camera import develop, light, sheen
from training.synth.hands import Rng
from training.synth.media import Layer, lay, paper_tooth, random_medium
from training.synth.print import hershey_glyph, stamp
from training.synth.writing import Writer
from vision.sheet.written import AROUND, SIZE, normalize

SCALE = 64
"""Pixels of a box's height in the drawn picture."""


def random_text(rng: Rng) -> str:
    """A sum as players write it: mostly two or three digits, sometimes below zero; or nothing."""
    kind = rng.choice(["none", "one", "two", "three", "minus"], p=[0.1, 0.16, 0.4, 0.24, 0.1])
    if kind == "none":
        return ""
    if kind == "minus":
        return str(-int(rng.integers(1, 60)))
    low, high = {"one": (0, 10), "two": (10, 100), "three": (100, 300)}[str(kind)]
    return str(rng.integers(low, high))


def draw_box(rng: Rng, writer: Writer, text: str) -> np.ndarray:
    """(32, 64) uint8: a printed box with a number written into it, photographed and cut out."""
    wide, room = rng.uniform(1.0, 2.2), 0.7
    h, w = round((1 + 2 * room) * SCALE), round((wide + 2 * room) * SCALE)
    paper = np.clip(0.93 + rng.normal(0, 0.05) + rng.normal(0, 0.03, 3), 0.5, 1).astype(np.float32)
    scene = np.empty((h, w, 3), np.float32)
    scene[:] = paper
    ink = np.full(3, rng.uniform(0, 0.6), np.float32)
    left, top = round(room * SCALE), round(room * SCALE)
    corner = (left + round(wide * SCALE), top + SCALE)
    if rng.random() < 0.2:
        scene[top : corner[1], left : corner[0]] *= np.clip(1 - abs(rng.normal(0, 0.08, 3)), 0.7, 1)
    cv2.rectangle(scene, (left, top), corner, ink.tolist(), int(rng.integers(1, 5)), cv2.LINE_AA)
    if rng.random() < 0.5:
        word = "".join(rng.choice(list("ABCDEFGHIKLMNOPRSTU"), int(rng.integers(1, 5))))
        side = rng.choice([-1, 1])
        at = (w / 2 + rng.normal(0, 6), h / 2 + side * (0.5 + rng.uniform(0.12, 0.3)) * SCALE)
        stamp(scene, hershey_glyph(cv2.FONT_HERSHEY_SIMPLEX, 5)(word), at, rng.uniform(0.1, 0.25) * SCALE, ink)
    medium = random_medium(rng)
    layer = Layer(medium, (h, w), SCALE * rng.uniform(0.7, 1.3))
    if text:
        height = rng.uniform(0.45, 0.92)
        strokes = writer.number(rng, text, height)
        broad = max(float(np.ptp(np.concatenate(strokes)[:, 0])), 0.05)
        fit = min(1.0, wide * rng.uniform(0.8, 1.1) / broad) * SCALE / layer.scale
        # Some numbers touch their box or leave it.
        aside = 0.12 if rng.random() < 0.7 else 0.22
        at = (w / 2 + rng.normal(0, aside) * SCALE, h / 2 + rng.normal(0, 0.07) * SCALE)
        for s in strokes:
            s[:, :2] *= fit
        layer.draw(rng, strokes, at)
    opacity = layer.opacity(rng, paper_tooth(rng, (h, w), SCALE))
    scene = lay(scene, opacity, medium)
    lit = light(rng, (h, w), SCALE)
    linear = cv2.pow(np.clip(scene, 0.01, 1), 2.2) * lit
    if medium.kind == "pencil" and rng.random() < 0.15:
        linear = linear + sheen(rng, opacity)[..., None] * lit
    pixels = float(np.exp(rng.uniform(np.log(20), np.log(64))))
    small = cv2.resize(linear, None, fx=pixels / SCALE, fy=pixels / SCALE, interpolation=cv2.INTER_AREA)
    photo = cv2.cvtColor(develop(rng, small, pixels), cv2.COLOR_BGR2GRAY)
    box = np.float32([[left, top], [corner[0], top], corner, [left, corner[1]]])
    astray = rng.normal(0, 0.08 * SCALE, 2) if rng.random() < 0.25 else 0
    box = (box - box.mean(0)) * AROUND + box.mean(0) + rng.normal(0, 0.03 * SCALE, (4, 2)) + astray
    to = np.float32([[0, 0], [SIZE[0], 0], SIZE, [0, SIZE[1]]])
    place = cv2.getPerspectiveTransform((box * (pixels / SCALE)).astype(np.float32), to)
    return normalize(cv2.warpPerspective(photo, place, SIZE, borderMode=cv2.BORDER_REPLICATE)[None])[0]


def main() -> None:
    """Draw and write."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("out")
    parser.add_argument("--boxes", type=int, default=12000)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--hands", help="a text file with a handwriting font's file a line")
    parser.add_argument("--scans", help="an .npz of handwritten digits: images (n, 28, 28), labels (n,)")
    args = parser.parse_args()
    cv2.setNumThreads(1)
    writer = Writer.load(args.scans, args.hands)
    images = np.lib.format.open_memmap(f"{args.out}.images.npy", "w+", np.uint8, (args.boxes, SIZE[1], SIZE[0]))
    texts = np.lib.format.open_memmap(f"{args.out}.texts.npy", "w+", "<U4", (args.boxes,))
    began = time.monotonic()
    for i in range(args.boxes):
        rng = np.random.default_rng([args.seed, i])
        text = random_text(rng)
        images[i], texts[i] = draw_box(rng, writer, text), text
        if i % 1000 == 999:
            print(f"{i + 1} boxes, {1000 * (time.monotonic() - began) / (i + 1):.0f} ms a box", flush=True)


if __name__ == "__main__":
    main()
