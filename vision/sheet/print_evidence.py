"""Correct the cell classifier's logits by comparing each cell with the blank sheet.

How much darker a cell is than the blank sheet, relative to clearly blank and clearly marked cells of the same photo,
separates faint marks from noise that looks like them. Doubled circles show along rays from the cell's middle, print
subtracted. The features go through one hidden layer (`vision/weights/cells_beside.npz`, `training/fit_beside.py`).
"""

from dataclasses import dataclass
from functools import lru_cache

import cv2
import numpy as np

from vision.network import WEIGHTS, softmax
from vision.ranks import median, quantile

PATH = WEIGHTS / "cells_beside.npz"
NEARBY = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (5, 5))
"""Kernel of the distance, in pixels, by which print may be off its place in the grid."""


@dataclass(frozen=True)
class PrintEvidenceSettings:
    """Windows and floors of the features. Darkness is 0 on blank paper, 1 on black."""

    inside: int = 3  # pixels at a cell's sides that are left out with its lines
    boldest: int = 20  # rank, from the darkest, of the pixel that measures a cell's darkest part
    noise_width: float = 0.3  # difference in log noise, standard deviation, up to which cells count as equally noisy
    prior_cells: float = 2.0  # equally noisy cells that weigh as much as all of a photo's
    darkness_floor: float = 0.002  # added before the logarithm is taken
    contrast_floor: float = 0.0003  # the same for strokes relative to their surroundings
    noise_floor: float = 0.003  # the same for noise
    stroke_blurs: tuple[float, float] = (0.8, 2.5)  # pixels: a stroke is the difference of these two blurs
    printed: float = 0.12  # darkness by which the blank sheet varies within `NEARBY` where something is printed
    unsure: float = 0.92  # probability below which the network is not sure of a cell
    unsure_share: tuple[float, float] = (0.3, 0.45)
    """Share of such cells from which the correction is faded out, and from which there is none: on photos that bad it
    would remove doubts that are right."""
    rays: int = 24  # from a passage's middle
    ray_length: int = 26  # pixels
    around: int = 4  # pixels around a cell in which its circle's middle is located


SETTINGS = PrintEvidenceSettings()
GATE = 4
"""Index of the gate's logit."""
ARRAYS = ("mean", "spread", "trust", "between", "between_bias", "out", "out_bias")
PRIOR = float(np.log(0.02))
"""Prior of the log darkness of each kind of cells, with the weight of half a cell."""


def print_bounds(dark: np.ndarray) -> np.ndarray:
    """Upper and lower bounds of the blank sheet's darkness (H, W) float32 near each pixel, and a mask that is 1 where
    nothing is printed: (3, H, W)."""
    upper, lower = cv2.dilate(dark, NEARBY), cv2.erode(dark, NEARBY)
    printed = cv2.dilate((upper - lower > SETTINGS.printed).astype(np.uint8), np.ones((3, 3), np.uint8))
    return np.stack([upper, lower, 1 - printed.astype(np.float32)])


def correct_logits(
    logits: np.ndarray, statistics: np.ndarray, dark: np.ndarray, blank: np.ndarray, margin: int, cell: int
) -> np.ndarray:
    """Correct the logits of kinds and gates by comparing the photo with the blank sheet: (rows, cols, n).

    Args:
        logits: (rows, cols, n) of the network, first those of blank, passage, wall.
        statistics: of the photo, see `cell_statistics`.
        dark: (H, W) float32 darkness of the photo, in gray.
        blank: (3, H, W) float32 the blank sheet, see `print_bounds`.
        margin: pixels around the grid, `cell`: pixels a cell.
    """
    after = logits.copy()
    kinds = logits[..., :3]
    better = apply_correction("kinds", kinds, cell_features(kinds, statistics))
    unsure_share = (softmax(kinds).max(-1) < SETTINGS.unsure).mean()
    after[..., :3] += (better - kinds) * np.interp(unsure_share, SETTINGS.unsure_share, (1, 0))
    at = passage_cells(logits)
    if len(at[0]):
        features = ring_features(logits, at, dark, blank, margin, cell)
        after[..., GATE][at] = apply_correction("gate", logits[..., GATE][at][:, None], features)[:, 0]
    return after


def passage_cells(logits: np.ndarray) -> tuple[np.ndarray, ...]:
    """Rows and columns of the cells that the network takes for passages."""
    return np.nonzero(logits[..., :3].argmax(-1) == 1)


def apply_correction(what: str, logits: np.ndarray, features: np.ndarray) -> np.ndarray:
    """Correct logits (…, k) by features (…, n) through the hidden layer; `what`: "kinds" or "gate"."""
    mean, spread, trust, between, between_bias, out, out_bias = (_weights()[f"{what}_{name}"] for name in ARRAYS)
    hidden = np.maximum((features - mean) / spread @ between + between_bias, 0)
    return np.asarray(logits * trust + hidden @ out + out_bias)


def cell_statistics(dark: np.ndarray, noise: np.ndarray, blank: np.ndarray, margin: int, cell: int) -> np.ndarray:
    """Measure each cell against the blank sheet, (6, rows, cols) logarithms.

    They are the mean excess darkness, that of the darkest part, the mean lack of darkness, the noise, and the contrast
    of darker strokes and of all strokes. `noise`: (H, W) as `dark`; the other arguments as in `correct_logits`.
    """
    rows, cols = ((n - 2 * margin) // cell for n in dark.shape)

    def by_cell(picture: np.ndarray, step: int = 1) -> np.ndarray:
        part = picture[margin : margin + rows * cell, margin : margin + cols * cell].reshape(rows, cell, cols, cell)
        return part[:, SETTINGS.inside : -SETTINGS.inside : step, :, SETTINGS.inside : -SETTINGS.inside : step]

    def inside(picture: np.ndarray, step: int = 1) -> np.ndarray:
        return by_cell(picture, step).transpose(0, 2, 1, 3).reshape(rows, cols, -1)

    smooth = cv2.GaussianBlur(dark, (0, 0), 1.0)
    excess, lack = np.maximum(smooth - blank[0], 0), np.maximum(blank[1] - smooth, 0)
    quarter = inside(cv2.GaussianBlur(excess, (0, 0), 2.0), 2)
    boldest = np.partition(quarter, -SETTINGS.boldest, -1)[..., -SETTINGS.boldest]
    strokes = _strokes(dark, blank)
    unprinted = by_cell(blank[2]).sum(3).sum(1) + 1
    contrasts = [by_cell(part).sum(3).sum(1) / unprinted for part in (np.maximum(strokes, 0), np.abs(strokes))]
    values = (inside(excess).mean(-1), boldest, inside(lack).mean(-1), inside(noise, 2).mean(-1), *contrasts)
    floors = (SETTINGS.darkness_floor,) * 3 + (SETTINGS.noise_floor,) + (SETTINGS.contrast_floor,) * 2
    return np.log(np.stack(values) + np.array(floors, np.float32)[:, None, None])


def cell_features(logits: np.ndarray, statistics: np.ndarray) -> np.ndarray:
    """Features of each cell, (rows, cols, n) float32, of the logits of blank, passage, wall and `cell_statistics`."""
    rows, cols = logits.shape[:2]
    excess, boldest, lack, noise, *contrasts = statistics
    log_softmax = logits - logits.max(-1, keepdims=True)
    log_softmax = log_softmax - np.log(np.exp(log_softmax).sum(-1, keepdims=True))
    weights = blank, *_ = tuple(np.moveaxis(np.exp(log_softmax), -1, 0))

    similar_noise = np.exp(-(((noise.ravel()[:, None] - noise.ravel()) / SETTINGS.noise_width) ** 2) / 2)
    np.fill_diagonal(similar_noise, 0)

    def typical(weight: np.ndarray, value: np.ndarray) -> float:
        """The mean of a kind of cells on this photo."""
        return float(((value * weight).sum() + 0.5 * PRIOR) / (weight.sum() + 0.5))

    def typical_by_noise(weight: np.ndarray, value: np.ndarray) -> np.ndarray:
        """The mean of a kind of cells that are equally noisy: in deep shadow blank ones look scribbled."""
        flat, prior = weight.ravel(), SETTINGS.prior_cells
        total = similar_noise @ (flat * value.ravel()) + prior * typical(weight, value)
        return np.asarray((total / (similar_noise @ flat + prior)).reshape(rows, cols))

    kinds = [typical(weight, excess) for weight in weights]
    faintest = quantile(excess.ravel(), 0.2)
    of_photo = [np.full((rows, cols), value) for value in (*kinds, 1 - blank.mean())]
    relative = [excess - value for value in (typical(1 - blank, excess), faintest, *kinds)]
    relative_by_noise = [excess - typical_by_noise(weight, excess) for weight in weights]
    likely = np.moveaxis(np.maximum(log_softmax, -8), -1, 0)
    strokes = []
    for contrast in contrasts:
        strokes.append(contrast)
        for weight in weights:
            strokes += [contrast - typical_by_noise(weight, contrast), contrast - typical(weight, contrast)]
    own = [excess, boldest, lack, noise]
    return np.stack([*own, *relative, *of_photo, *likely, *relative_by_noise, *strokes], -1).astype(np.float32)


def _strokes(dark: np.ndarray, blank: np.ndarray) -> np.ndarray:
    """How much darker each pixel is than its surroundings, 0 on print: (H, W) float32.

    This shows strokes far fainter than a cell's shade, and those of graphite that mirrors the lamp: they are brighter.
    """
    fine, wide = (cv2.GaussianBlur(dark, (0, 0), sigma) for sigma in SETTINGS.stroke_blurs)
    return np.asarray((fine - wide) * blank[2])


def ring_features(
    logits: np.ndarray, at: tuple[np.ndarray, ...], dark: np.ndarray, blank: np.ndarray, margin: int, cell: int
) -> np.ndarray:
    """Features of doubled circles, (m, n) float32: the ink along rays from each passage's middle, and relative to the
    photo's other passages. `at`: their rows and columns; the other arguments as in `correct_logits`."""
    excess = np.maximum(cv2.GaussianBlur(dark, (0, 0), 0.8) - blank[0], 0)
    left, top = margin + at[1] * cell, margin + at[0] * cell
    side = np.arange(-SETTINGS.around, cell + SETTINGS.around)
    windows = excess[(top[:, None] + side)[:, :, None], (left[:, None] + side)[:, None, :]]
    ink = np.minimum(windows, 3 * windows.mean((1, 2), keepdims=True) + 1e-3)
    total, reach = ink.sum((1, 2)) + 1e-6, cell * 0.2
    x, y = (
        start + np.clip((ink.sum(axis) @ side) / total, cell / 2 - reach, cell / 2 + reach)
        for start, axis in ((left, 1), (top, 2))
    )
    length = SETTINGS.ray_length
    angle, radius = (np.arange(SETTINGS.rays) + 0.5) * (2 * np.pi / SETTINGS.rays), np.arange(length) + 1.0
    directions = np.stack([np.cos(angle), np.sin(angle)])[..., None] * radius
    where = [
        (start[:, None, None] + direction).reshape(-1, length).astype(np.float32)
        for start, direction in ((x, directions[0]), (y, directions[1]))
    ]
    rays = cv2.remap(excess, where[0], where[1], cv2.INTER_LINEAR).reshape(-1, SETTINGS.rays, length)
    boldest = quantile(rays[:, ::2].reshape(len(rays), -1), 0.97)
    inked = rays > 0.35 * boldest[:, None, None] + 0.01
    crossed = (inked[..., 1:] & ~inked[..., :-1]).sum(2) + inked[..., 0]
    wide, mass = inked.sum(2), rays.sum(2)
    outer = np.where(inked.any(2), length - 1 - inked[..., ::-1].argmax(2), 0)
    inner = np.where(inked.any(2), inked.argmax(2), length)
    amounts = [np.log(quantile(mass, q) + 0.02) for q in (0.5, 0.25, 0.8)]
    shape = [
        (crossed > 1).mean(1),
        crossed.mean(1),
        *(quantile(part, q) for part, q in ((wide, 0.5), (wide, 0.25), (outer - inner, 0.5))),
    ]
    own = np.stack([*amounts, *shape, np.log(boldest + 0.005)], 1)
    profile = rays.mean(1) / (rays.mean(1).sum(1, keepdims=True) + 1e-3)
    profile = profile[:, : length // 3 * 3].reshape(len(own), -1, 3).sum(2)
    clipped = np.clip(logits[at], -8, 8)
    few = np.full((len(own), 1), min(len(own), 30) / 30)
    return np.concatenate([own - median(own, 0), own, profile, clipped, few], 1).astype(np.float32)


@lru_cache(maxsize=1)
def _weights() -> dict[str, np.ndarray]:
    with np.load(PATH) as file:
        return {name: file[name] for name in file.files}
