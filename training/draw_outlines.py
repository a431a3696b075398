"""Draw what a pen covers of letters in circles, some of them outlined twice: the training set of `outlines.onnx`.

    python -m training.draw_outlines OUT.npz --sketches 24000 --seed 2 --fonts FONTS.txt
    python -m training.draw_outlines OUT.npz --prints 160 --seed 7 --fonts FONTS.txt

Sketches are the pen's cover itself, as it would be measured: some hundred a second. Prints are drawn and photographed
by `draw_traces`, and the cover is measured as the reader does. Writes

- `covers` (M, 3, 32, 32) uint8, see `vision.sheet.outlines.pen_cover`: 127 (x + 0.5) of the first layer, 127 x of the
  others,
- `labels` (M, 4): outlined twice (2: a circle without a letter), traced, the print, and the sheet, whose letters stand
  side by side.
"""

import argparse
from dataclasses import dataclass, replace
from pathlib import Path

import cv2
import numpy as np

from training.draw_traces import SHEETS, TARGETS, Face, Manner, draw_sheets, faces
from training.synth import hands
from training.synth.hands import Hand, Rng
from vision.sheet.letter_classifier import SPAN
from vision.sheet.letter_templates import moved_alike, offset, shifted
from vision.sheet.outlines import SIDE, pen_change, pen_cover

TILE = 96
"""Pixels to a side of a sketch."""
CELL = TILE / SPAN
PLAIN_GATES = 0.15, 0.4, 0.6
"""As `draw_traces` has them, but far more: else a traced letter would tell the gate."""
WITHIN = 0.6
"""Share of gates that are two circles around one middle."""
BARE = 8
"""Circles without a letter beside those with one: nobody outlines them twice, so they tell what one looks like."""
TRACED_BROADLY = 0.55
"""Share of tracings as broad as the pen is on circles, whatever is printed."""


@dataclass(frozen=True)
class Sketch:
    """How one sheet's letters are printed, written on and seen. Lengths in cells."""

    hand: Hand
    face: Face
    width: float
    height: float
    off: np.ndarray
    disc: float
    hollow: float
    frame: float
    line: float
    depth: float
    gain: float
    grain: float
    blur: float
    astray: float
    noise: float
    broad: float
    traced: float
    gates: float
    both: bool


def random_sketch(rng: Rng, every: list[Face]) -> Sketch:
    """Anybody's sheet."""
    hand = hands.random_hand(rng)
    if rng.random() < 0.45:
        hand = hands.unlike(rng, hand)
    style = str(rng.choice(["ring", "spiral", "thick"], p=[0.9, 0.05, 0.05]))
    radius = rng.uniform(0.24, 0.4) if hand.radius < 0.23 and rng.random() < 0.5 else hand.radius
    height = float(np.clip(rng.normal(0.36, 0.1), 0.2, 0.7))
    stray = float(np.exp(rng.uniform(np.log(0.015), np.log(0.1))))
    return Sketch(
        hand=replace(hand, gate_style=style, twice=0.0, radius=radius, trace_stray=stray),
        face=every[rng.integers(len(every))],
        width=float(np.exp(rng.uniform(np.log(0.022), np.log(0.22)))),
        height=height,
        off=np.clip(rng.normal(0, 0.1 if rng.random() < 0.3 else 0.02, 2), -0.3, 0.3),
        disc=height * rng.uniform(0.65, 0.95) if rng.random() < 0.15 else 0.0,
        hollow=rng.uniform(0.01, 0.03) if rng.random() < 0.12 else 0.0,
        frame=rng.uniform(0.25, 0.44) if rng.random() < 0.1 else 0.0,
        line=rng.uniform(0.02, 0.09),
        depth=rng.uniform(0.5, 1.1) if rng.random() < 0.75 else rng.uniform(0.1, 0.5),
        gain=rng.uniform(0.75, 1.1),
        grain=float(rng.choice([0, 0.15, 0.35])),
        blur=float(np.exp(rng.uniform(np.log(0.3), np.log(2.2)))),
        astray=float(rng.choice([0.3, 0.8, 1.6])),
        noise=float(rng.choice([0.01, 0.03, 0.08])),
        broad=rng.uniform(0.9, 1.4),
        traced=float(rng.choice([0.1, 0.5, 0.8])),
        gates=float(rng.choice([0.2, 0.5])),
        both=rng.random() < 0.35,
    )


def sketched(rng: Rng, sketch: Sketch, bare: bool = False) -> tuple[np.ndarray, tuple[bool, bool]] | None:
    """One letter in a circle, (3, SIDE, SIDE), whether it is a gate, and whether it is traced; None for a gate that
    nobody could tell. `bare`: a circle without a letter, always a single one."""
    hand, width = sketch.hand, sketch.width
    printed, strokes = _printed(rng, sketch, bare)
    gate = rng.random() < sketch.gates and not bare
    traced = not bare and rng.random() < sketch.traced and (not gate or sketch.both)
    rings = _gate(rng, sketch) if gate else hands.passage(rng, hand)[0]
    ink = _drawn(rng, rings, width)
    if gate and len(rings) > 1:
        once, again = (_drawn(rng, part, width) > 0.1 for part in (rings[:1], rings[1:]))
        if (again & ~once).sum() < 0.3 * again.sum():
            return None
    if traced:
        least = max(0.04, rng.uniform(0.15, 0.3) * sketch.height)
        wide = width * sketch.broad if rng.random() < TRACED_BROADLY else min(width * sketch.broad, least)
        ink = np.maximum(ink, _drawn(rng, hands.traced(rng, hand, strokes), wide))
    for way in np.array([(1, 0), (-1, 0), (0, 1), (0, -1)]):
        if rng.random() < 0.4:
            ink = np.maximum(ink, _neighbor(rng, sketch, way))
    ink = ink * (1 - sketch.grain * rng.random(ink.shape)) * sketch.gain * np.exp(rng.normal(0, 0.08))
    x, y = rng.normal(0, sketch.astray * 0.5, 2)
    beside = cv2.warpAffine(printed, np.float32([[1, 0, x], [0, 1, y]]), (TILE, TILE))
    here, there, cover = (_seen(part.astype(np.float32), sketch.blur) for part in (printed, beside, ink))
    told = np.clip(1 - sketch.depth * here * rng.uniform(0.7, 1.3), 0, 1) ** 2
    cover = cover * (told / (told + 0.05)) + (there - here) * sketch.depth * told * rng.uniform(0.3, 1.5)
    cover = cover + rng.normal(0, sketch.noise, cover.shape)
    cover = cover - rng.choice([0, 0.05]) * cv2.blur(cover, (15, 15))
    return np.stack([cover, told, here * min(sketch.depth, 1)]).astype(np.float32), (gate, traced)


def _printed(rng: Rng, sketch: Sketch, bare: bool) -> tuple[np.ndarray, list[np.ndarray]]:
    """A letter's print, or of a bare cell its lines, (TILE, TILE) from 0 to 1, and the letter's middle lines in cells
    from the cell's middle."""
    names = list(sketch.face)
    mask, lines = sketch.face[names[rng.integers(len(names))]]
    f, middle = sketch.height / mask.shape[0], TILE / 2
    half = np.array([mask.shape[1] * f / 2, sketch.height / 2])
    x, y = middle + (sketch.off - half) * CELL
    out = cv2.warpAffine(mask, np.float32([[f * CELL, 0, x], [0, f * CELL, y]]), (TILE, TILE), flags=cv2.INTER_AREA)
    out = out.astype(np.float32) / 255
    if sketch.hollow:
        reach = 2 * max(1, round(sketch.hollow * CELL)) + 1
        out = cv2.dilate(out, np.ones((reach, reach), np.uint8)) - out
    if sketch.disc:
        disc = np.zeros((TILE, TILE), np.float32)
        at = (middle + sketch.off * CELL).astype(int).tolist()
        out = np.clip(cv2.circle(disc, at, int(sketch.disc * CELL), 1.0, -1) - out, 0, 1)
    if sketch.frame:
        ends = [(int(middle + way * sketch.frame * CELL),) * 2 for way in (-1, 1)]
        cv2.rectangle(out, *ends, 1.0, max(1, int(sketch.line * CELL / 2)), cv2.LINE_AA)
    out *= not bare
    for at in (int(middle - CELL / 2), int(middle + CELL / 2)):
        out[:, at], out[at] = 1.0, 1.0
    return out, [line * f - half + sketch.off for line in lines]


def _gate(rng: Rng, sketch: Sketch) -> list[np.ndarray]:
    """Two outlines: around one middle, or as `hands.gate` has them."""
    hand = sketch.hand
    if rng.random() >= WITHIN:
        return hands.gate(rng, hand)
    return hands.target(rng, hand, sketch.width)


def _drawn(rng: Rng, lines: list[np.ndarray], width: float) -> np.ndarray:
    """Lines in cells from the cell's middle as ink: (TILE, TILE) float32."""
    out = np.zeros((TILE, TILE), np.float32)
    for line in lines:
        points = np.round((line[:, :2] * CELL + TILE / 2) * 16).astype(np.int32).reshape(-1, 1, 2)
        one = np.zeros((TILE, TILE), np.uint8)
        cv2.polylines(one, [points], False, 255, max(1, round(width * CELL)), cv2.LINE_AA, 4)
        out = np.maximum(out, one / np.float32(255) * np.float32(np.clip(rng.normal(1, 0.08), 0.6, 1.2)))
    return out


def _neighbor(rng: Rng, sketch: Sketch, way: np.ndarray) -> np.ndarray:
    """What reaches into the cell from the one beside it: a circle or a wall."""
    if rng.random() < 0.4:
        low, high = ((TILE / 2 + (way + d) * CELL).astype(int).tolist() for d in (-0.45, 0.45))
        return cv2.rectangle(np.zeros((TILE, TILE), np.float32), low, high, 1.0, -1)
    aside = way * rng.uniform(0.93, 1.0)
    return _drawn(rng, [line[:, :2] + aside for line in hands.passage(rng, sketch.hand)[0]], sketch.width)


def _seen(part: np.ndarray, blur: float) -> np.ndarray:
    """A sketch's layer as the reader sees it, (SIDE, SIDE)."""
    soft = cv2.GaussianBlur(part, (0, 0), blur * TILE / SIDE / 2 + 0.6)
    return cv2.resize(soft, (SIDE, SIDE), interpolation=cv2.INTER_AREA)


def laid_blanks(seen: np.ndarray, clean: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The blank sheet's letters laid onto those of a photo, as the reader does, both (n, 64, 64, 3) uint8; how far to
    the right and down each was moved, (n, 2)."""
    grays = ([cv2.cvtColor(crop, cv2.COLOR_BGR2GRAY) for crop in crops] for crops in (seen, clean))
    places = [offset(*pair) for pair in zip(*grays, strict=True)]
    return np.stack([shifted(blank, *place) for blank, place in zip(clean, places, strict=True)]), np.array(places)


def photographed_covers(rng: Rng, every: list[Face], manner: Manner) -> tuple[np.ndarray, np.ndarray]:
    """The circles of one print's sheets: covers (m, 3, SIDE, SIDE), labels (m, 3), the last one the sheet."""
    crops, labels, _ = draw_sheets(rng, every, SHEETS + 1, manner)
    covers, known = [], []
    for k, (seen, told) in enumerate(zip(crops[1:], labels[1:], strict=True)):
        bare = told[:, 2] == 5
        kept = ((told[:, 2] & 1) == 1) & (told[:, 1] < 2)
        if not (kept & ~bare).any():
            continue
        letters, off = laid_blanks(seen[~bare], crops[0][~bare])
        change = pen_change(seen[~bare], letters)
        alone = pen_change(seen[bare], moved_alike(crops[0][bare], off), change.pen)
        covers += [pen_cover(change, kept[~bare]), pen_cover(alone, kept[bare])]
        gate = np.where(bare, 2, told[:, 1] & 1)
        order = [*np.flatnonzero(kept & ~bare), *np.flatnonzero(kept & bare)]
        known.append(np.stack([gate[order], told[order, 0] & 1, np.full(len(order), k)], 1))
    empty = np.zeros((0, 3, SIDE, SIDE), np.float32), np.zeros((0, 3), np.uint8)
    return (np.concatenate(covers), np.concatenate(known)) if covers else empty


def main() -> None:
    """Draw a set."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("out", type=Path)
    parser.add_argument("--sketches", type=int, default=0)
    parser.add_argument("--prints", type=int, default=0)
    parser.add_argument("--targets", type=float, default=TARGETS, help="share of hands whose gates look like targets")
    parser.add_argument("--bright", type=float, default=0.0, help="share of pens that are highlighters")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--fonts", type=Path, help="a font file's path a line")
    args = parser.parse_args()
    rng = np.random.default_rng(args.seed)
    every = faces(args.fonts.read_text().split("\n") if args.fonts else [], rng, 24)
    manner = Manner(plain_gates=PLAIN_GATES, targets=args.targets, bright=args.bright, within=WITHIN, bare=BARE)
    covers, labels = [], []
    while len(covers) < args.sketches:
        sketch, at = random_sketch(rng, every), len(covers)
        for bare in [False] * int(rng.integers(4, 10)) + [True] * BARE:
            if one := sketched(rng, sketch, bare):
                cover, (gate, traced) = one
                covers.append(cover[None])
                labels.append([(2 if bare else gate, traced, 0, at)])
    for k in range(args.prints):
        some, told = photographed_covers(rng, every, manner)
        covers.append(some)
        labels.append(np.column_stack([told[:, :2], np.full(len(told), k), SHEETS * k + told[:, 2].astype(int)]))
    packed = np.concatenate(covers)
    packed[:, 0] += 0.5
    np.savez(args.out, covers=np.clip(packed * 127, 0, 255).astype(np.uint8), labels=np.concatenate(labels))


if __name__ == "__main__":
    main()
