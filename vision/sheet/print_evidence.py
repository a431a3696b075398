"""What a cell shows beyond its print: the judgement of the cells, corrected by what the blank sheet looks like.

The network judges a cell by itself and its sisters. How much darker a cell is than the blank sheet there, beside the
cells that surely are bare and those that surely are marked on the same photo, tells more: faint marks and noise that
looks like them come apart, and what is bare is surely so. A circle outlined twice shows along rays from its middle,
print taken off. A few sums for each cell and one small layer between (`vision/weights/cells_beside.npz`,
`training/fit_beside.py`).
"""

from dataclasses import dataclass
from functools import lru_cache

import cv2
import numpy as np

from vision.network import WEIGHTS, softmax
from vision.sheet.illumination import quantile

PATH = WEIGHTS / "cells_beside.npz"
NEARBY = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (5, 5))
"""Print may lie so far, in pixels, from where the grid has it."""


@dataclass(frozen=True)
class PrintEvidenceSettings:
    """What is measured of a cell beside its blank print."""

    inside: int = 3  # pixels of a cell's side that are left to its lines
    boldest: int = 20  # of a quarter of a cell's pixels so many are darker than its darkness is said to be
    as_noisy: float = 0.3  # logarithms of noise within which cells are as noisy
    believed: float = 2.0  # so many cells as noisy count as much as all of a photo's
    least: float = 0.002  # darkness below which there is as good as none
    finest: float = 0.0003  # the same of strokes beside what lies around them
    stroke: tuple[float, float] = (0.8, 2.5)  # pixels of blur of a stroke, and of what lies around it
    printed: float = 0.12  # darkness by which the blank sheet changes within `NEARBY` where something is printed
    quiet: float = 0.003  # noise below which there is as good as none
    unsure: float = 0.92  # probability below which the network is not sure of a cell
    lost: tuple[float, float] = (0.3, 0.45)
    """Where it is not sure of so many of a photo's cells, its doubt is let alone, wholly from the second on: there the
    correction would settle what it should not."""
    rays: int = 24  # rays that are followed from a passage's middle
    length: int = 26  # pixels that each of them is followed
    around: int = 4  # pixels around a cell in which its circle's middle is sought


SETTINGS = PrintEvidenceSettings()
GATE = 4
ARRAYS = ("mean", "spread", "trust", "between", "between_bias", "out", "out_bias")
BARE = float(np.log(0.02))
"""What is believed of the darkness of marks, or of bare cells, before any is seen; it counts as half a cell."""


def print_bounds(dark: np.ndarray) -> np.ndarray:
    """The most and the least darkness of the blank sheet near each pixel, and 1 where nothing is printed, else 0:
    (3, H, W), of its darkness (H, W) float32."""
    most, least = cv2.dilate(dark, NEARBY), cv2.erode(dark, NEARBY)
    printed = cv2.dilate((most - least > SETTINGS.printed).astype(np.uint8), np.ones((3, 3), np.uint8))
    return np.stack([most, least, 1 - printed.astype(np.float32)])


def beside_print(
    out: np.ndarray, sums: np.ndarray, dark: np.ndarray, blank: np.ndarray, margin: int, cell: int
) -> np.ndarray:
    """The logits of all that is judged of the cells, (rows, cols, n), as they are with the blank sheet known.

    Args:
        out: (rows, cols, n) what the cells alone tell, first of blank, passage, wall; `GATE` is the gate's place.
        sums: what `cell_sums` makes of the photo.
        dark: (H, W) float32 darkness of the photo, in gray.
        blank: (3, H, W) float32 the blank sheet, see `print_bounds`.
        margin: pixels around the grid, `cell`: pixels a cell.
    """
    after = out.copy()
    kinds = out[..., :3]
    better = corrected("kinds", kinds, evidence(kinds, sums))
    after[..., :3] += (better - kinds) * np.interp(
        (softmax(kinds).max(-1) < SETTINGS.unsure).mean(), SETTINGS.lost, (1, 0)
    )
    at = passages(out)
    if len(at[0]):
        seen = ring_evidence(out, at, dark, blank, margin, cell)
        after[..., GATE][at] = corrected("gate", out[..., GATE][at][:, None], seen)[:, 0]
    return after


def passages(out: np.ndarray) -> tuple[np.ndarray, ...]:
    """Rows and columns of the cells that the network takes for passages."""
    return np.nonzero(out[..., :3].argmax(-1) == 1)


def corrected(what: str, logits: np.ndarray, seen: np.ndarray) -> np.ndarray:
    """Logits (…, k) corrected by what tells of them (…, n)."""
    mean, spread, trust, between, between_bias, out, out_bias = (_weights()[f"{what}_{name}"] for name in ARRAYS)
    hidden = np.maximum((seen - mean) / spread @ between + between_bias, 0)
    return np.asarray(logits * trust + hidden @ out + out_bias)


def cell_sums(dark: np.ndarray, noise: np.ndarray, blank: np.ndarray, margin: int, cell: int) -> np.ndarray:
    """What each cell shows beyond its print, (6, rows, cols) logarithms: how much darker it is, and where it is
    boldest; how much paler; the noise, (H, W) as `dark`; its darker strokes, and all. The rest as in `beside_print`."""
    rows, cols = ((n - 2 * margin) // cell for n in dark.shape)

    def by_cell(picture: np.ndarray, step: int = 1) -> np.ndarray:
        part = picture[margin : margin + rows * cell, margin : margin + cols * cell].reshape(rows, cell, cols, cell)
        return part[:, SETTINGS.inside : -SETTINGS.inside : step, :, SETTINGS.inside : -SETTINGS.inside : step]

    def inside(picture: np.ndarray, step: int = 1) -> np.ndarray:
        return by_cell(picture, step).transpose(0, 2, 1, 3).reshape(rows, cols, -1)

    seen = cv2.GaussianBlur(dark, (0, 0), 1.0)
    more, less = np.maximum(seen - blank[0], 0), np.maximum(blank[1] - seen, 0)
    bold = np.partition(inside(cv2.GaussianBlur(more, (0, 0), 2.0), 2), -SETTINGS.boldest, -1)[..., -SETTINGS.boldest]
    seen_strokes = _strokes(dark, blank)
    counts = by_cell(blank[2]).sum(3).sum(1) + 1
    fine = [by_cell(part).sum(3).sum(1) / counts for part in (np.maximum(seen_strokes, 0), np.abs(seen_strokes))]
    sums = (inside(more).mean(-1), bold, inside(less).mean(-1), inside(noise, 2).mean(-1), *fine)
    least = (SETTINGS.least,) * 3 + (SETTINGS.quiet,) + (SETTINGS.finest,) * 2
    return np.log(np.stack(sums) + np.array(least, np.float32)[:, None, None])


def mean_strokes(sums: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """How dark or pale strokes are beside what lies around them, and the noise: of `cell_sums`, both (rows, cols)."""
    return np.exp(sums[-1]) - SETTINGS.finest, np.exp(sums[3])


def evidence(logits: np.ndarray, sums: np.ndarray) -> np.ndarray:
    """What tells of each cell, (rows, cols, n) float32: of the logits of blank, passage, wall, and its `cell_sums`."""
    rows, cols = logits.shape[:2]
    added, boldest, lost, grain, *fine = sums
    likely = logits - logits.max(-1, keepdims=True)
    likely = likely - np.log(np.exp(likely).sum(-1, keepdims=True))
    bare, passage, wall = np.moveaxis(np.exp(likely), -1, 0)

    alike = np.exp(-(((grain.ravel()[:, None] - grain.ravel()) / SETTINGS.as_noisy) ** 2) / 2)
    np.fill_diagonal(alike, 0)

    def usual(weight: np.ndarray, value: np.ndarray) -> float:
        """The darkness of a kind of cells on this photo."""
        return float(((value * weight).sum() + 0.5 * BARE) / (weight.sum() + 0.5))

    def nearby(weight: np.ndarray, value: np.ndarray) -> np.ndarray:
        """The darkness of a kind of cells where there is as much noise: in deep shadow bare ones look scribbled."""
        weights, believed = weight.ravel(), SETTINGS.believed
        near = (alike @ (weights * value.ravel()) + believed * usual(weight, value)) / (alike @ weights + believed)
        return np.asarray(near.reshape(rows, cols))

    kinds = [usual(weight, added) for weight in (bare, passage, wall)]
    faintest = quantile(added.ravel(), 0.2)
    of_photo = [np.full((rows, cols), value) for value in (*kinds, 1 - bare.mean())]
    compared = [added - value for value in (usual(1 - bare, added), faintest, *kinds)]
    as_noisy = [added - nearby(weight, added) for weight in (bare, passage, wall)]
    said = np.moveaxis(np.maximum(likely, -8), -1, 0)
    own = [added, boldest, lost, grain]
    lines = []
    for part in fine:
        lines.append(part)
        for weight in (bare, passage, wall):
            lines += [part - nearby(weight, part), part - usual(weight, part)]
    return np.stack([*own, *compared, *of_photo, *said, *as_noisy, *lines], -1).astype(np.float32)


def _strokes(dark: np.ndarray, blank: np.ndarray) -> np.ndarray:
    """How much darker each pixel is than what lies around it, 0 on print: (H, W) float32.

    Strokes far fainter than a cell's shade show so, and those of graphite that mirrors the lamp: they are brighter.
    """
    fine, wide = (cv2.GaussianBlur(dark, (0, 0), sigma) for sigma in SETTINGS.stroke)
    return np.asarray((fine - wide) * blank[2])


def ring_evidence(
    out: np.ndarray, at: tuple[np.ndarray, ...], dark: np.ndarray, blank: np.ndarray, margin: int, cell: int
) -> np.ndarray:
    """What tells of each passage, (m, n) float32, whether it is outlined twice: the ink along rays from its middle,
    beside that of the photo's other passages. `at`: their rows and columns; the rest as in `beside_print`."""
    more = np.maximum(cv2.GaussianBlur(dark, (0, 0), 0.8) - blank[0], 0)
    left, top = margin + at[1] * cell, margin + at[0] * cell
    side = np.arange(-SETTINGS.around, cell + SETTINGS.around)
    windows = more[(top[:, None] + side)[:, :, None], (left[:, None] + side)[:, None, :]]
    ink = np.minimum(windows, 3 * windows.mean((1, 2), keepdims=True) + 1e-3)
    total, reach = ink.sum((1, 2)) + 1e-6, cell * 0.2
    x, y = (
        start + np.clip((ink.sum(axis) @ side) / total, cell / 2 - reach, cell / 2 + reach)
        for start, axis in ((left, 1), (top, 2))
    )
    turn, far = (np.arange(SETTINGS.rays) + 0.5) * (2 * np.pi / SETTINGS.rays), np.arange(SETTINGS.length) + 1.0
    ways = np.stack([np.cos(turn), np.sin(turn)])[..., None] * far
    where = [
        (start[:, None, None] + way).reshape(-1, SETTINGS.length).astype(np.float32)
        for start, way in ((x, ways[0]), (y, ways[1]))
    ]
    rays = cv2.remap(more, where[0], where[1], cv2.INTER_LINEAR).reshape(-1, SETTINGS.rays, SETTINGS.length)
    boldest = quantile(rays[:, ::2].reshape(len(rays), -1), 0.97)
    inked = rays > 0.35 * boldest[:, None, None] + 0.01
    crossed = (inked[..., 1:] & ~inked[..., :-1]).sum(2) + inked[..., 0]
    wide, mass = inked.sum(2), rays.sum(2)
    outer = np.where(inked.any(2), SETTINGS.length - 1 - inked[..., ::-1].argmax(2), 0)
    inner = np.where(inked.any(2), inked.argmax(2), SETTINGS.length)
    amounts = [np.log(quantile(mass, q) + 0.02) for q in (0.5, 0.25, 0.8)]
    shape = [
        (crossed > 1).mean(1),
        crossed.mean(1),
        *(quantile(part, q) for part, q in ((wide, 0.5), (wide, 0.25), (outer - inner, 0.5))),
    ]
    own = np.stack([*amounts, *shape, np.log(boldest + 0.005)], 1)
    profile = rays.mean(1) / (rays.mean(1).sum(1, keepdims=True) + 1e-3)
    profile = profile[:, : SETTINGS.length // 3 * 3].reshape(len(own), -1, 3).sum(2)
    said = np.clip(out[at], -8, 8)
    few = np.full((len(own), 1), min(len(own), 30) / 30)
    return np.concatenate([own - np.median(own, 0), own, profile, said, few], 1).astype(np.float32)


@lru_cache(maxsize=1)
def _weights() -> dict[str, np.ndarray]:
    with np.load(PATH) as file:
        return {name: file[name] for name in file.files}
