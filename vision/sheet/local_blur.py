"""How blurred and how pale a letter's surroundings are: by its cell's printed lines, which nobody traces.

Blur and glare differ from place to place on one photo, and both look like tracing. The lines around a letter share them
with it; so the letter's print (`vision.sheet.letter_templates`), made as blurred as these lines are, is what the letter
would look like here if nobody had traced it.
"""

from dataclasses import dataclass

import cv2
import numpy as np

from vision.sheet.letter_templates import RIM


@dataclass(frozen=True)
class LocalBlurSettings:
    """How blur and ink are measured along the print's lines."""

    deep: int = 12  # pixels from a picture's edge in which its lines are looked for
    reach: int = 15  # pixels from a picture's edge in which its print's lines are looked for
    piece: int = 4
    """Pixels along a line that are judged together: a circle or wall that crosses the line spoils only some."""
    aside: int = 3  # pixels by which a line may lie aside of where the print has it, the letters laid over each other
    gains: tuple[float, float] = (0.1, 4.0)  # how many times darker than its print a line may be
    spoilt: float = 0.01
    """Squared darkness, summed over a piece's profile, that the print may leave over: beyond it lies something else."""
    steady: float = 0.01  # squared darkness of a profile that is hardly a line: it gets a gain near 0
    telling: float = 0.2  # squared darkness of a profile beyond which it says no more of the gain
    least: float = 0.25  # pixels of blur below which none is made
    core: float = 0.65  # how dark the middle of a stroke is, in parts of the darkest
    beside: float = 0.7  # pixels from a stroke by which what is just beside it is told


SETTINGS = LocalBlurSettings()
BLURS = np.array([0, 0.6, 0.9, 1.2, 1.6, 2.0, 2.5, 3.0, 3.6, 4.4])
"""Pixels of blur that are tried."""


@dataclass(frozen=True)
class Lines:
    """What the lines around letters say.

    Attributes:
        blur: (n, 2) pixels of blur more than the print's, along x and along y: a hand that shakes blurs one way.
        gain: (n,) how many times darker than the print's the lines are.
        telling: (n,) how much ink tells that, squared darkness.
    """

    blur: np.ndarray
    gain: np.ndarray
    telling: np.ndarray


def _ways() -> np.ndarray:
    """(REACH, ways, DEEP): a profile of the print, blurred and laid aside in all the ways that are tried."""
    at = np.arange(SETTINGS.reach)
    ways = []
    for sigma in BLURS:
        share = np.exp(-0.5 * ((at[:, None] - np.arange(-SETTINGS.reach, 2 * SETTINGS.reach)) / max(sigma, 1e-3)) ** 2)
        share /= share.sum(1, keepdims=True)
        inside = share[:, SETTINGS.reach : 2 * SETTINGS.reach].copy()
        inside[:, 0] += share[:, : SETTINGS.reach].sum(1)
        inside[:, -1] += share[:, 2 * SETTINGS.reach :].sum(1)
        for aside in range(-SETTINGS.aside, SETTINGS.aside + 1):
            ways.append(inside[np.clip(np.arange(SETTINGS.deep) + aside, 0, SETTINGS.reach - 1)].T)
    return np.stack(ways, 1).astype(np.float32)


WAYS = _ways()


def _profiles(dark: np.ndarray) -> np.ndarray:
    """(n, 4, pieces, REACH): how dark (n, SIDE, SIDE) pictures are from each edge inwards, piece by piece."""
    turned = dark.transpose(0, 2, 1)
    edges = [
        a[:, SETTINGS.piece : -SETTINGS.piece, side]
        for a in (dark, turned)
        for side in (slice(SETTINGS.reach), slice(None, -SETTINGS.reach - 1, -1))
    ]
    return np.stack(edges, 1).reshape(len(dark), 4, -1, SETTINGS.piece, SETTINGS.reach).mean(3)


def lines(seen: np.ndarray, model: np.ndarray) -> Lines:
    """Hold the lines around letters against those of the print; both (n, SIDE, SIDE) float32 darkness."""
    have, known = _profiles(seen)[..., : SETTINGS.deep], _profiles(model)
    n, _, pieces = known.shape[:3]
    made = (known.reshape(-1, SETTINGS.reach) @ WAYS.reshape(SETTINGS.reach, -1)).reshape(
        n, 4, pieces, len(BLURS), -1, SETTINGS.deep
    )
    fits, power = np.einsum("napkbd,napd->napkb", made, have), np.einsum("napkbd,napkbd->napkb", made, made)
    gain = np.clip(fits / (power + SETTINGS.steady), *SETTINGS.gains)
    left = np.einsum("napd,napd->nap", have, have)[..., None, None] - 2 * gain * fits + gain * gain * power
    # Each line may lie aside by itself; the blur is the same for left and right, for top and bottom.
    cost = np.minimum(left, SETTINGS.spoilt).sum(2)
    aside, cost = cost.argmin(3), cost.min(3).reshape(n, 2, 2, -1).sum(2)
    best = cost.argmin(2)
    every, edge = np.arange(n)[:, None], np.arange(4)[None]
    ways = best[:, edge[0] // 2]
    chosen = (every, edge, slice(None), ways, aside[every, edge, ways])
    ink = np.minimum(np.einsum("napd,napd->nap", known, known), SETTINGS.telling) / (
        1 + (left[chosen] / SETTINGS.spoilt) ** 2
    )
    ink, gains = ink.reshape(n, -1), gain[chosen].reshape(n, -1)
    return Lines(_between(cost, best), weighted_median(gains, ink), ink.sum(1))


def weighted_median(values: np.ndarray, weights: np.ndarray) -> np.ndarray:
    """Of each row of (n, k) values the one that is reached with half of the row's weights: (n,)."""
    order = values.argsort(1)
    reached = np.cumsum(np.take_along_axis(weights, order, 1), 1)
    middle = np.take_along_axis(order, (reached >= 0.5 * reached[:, -1:]).argmax(1)[:, None], 1)
    return np.take_along_axis(values, middle, 1)[:, 0]


def _between(cost: np.ndarray, best: np.ndarray) -> np.ndarray:
    """Where among `BLURS` costs (..., blurs) are least, by the parabola through the cheapest, `best`, and those beside
    it: (...)."""
    at = np.clip(best, 1, len(BLURS) - 2)
    less, here, more = (np.take_along_axis(cost, (at + k)[..., None], -1)[..., 0] for k in (-1, 0, 1))
    before, after = BLURS[at] - BLURS[at - 1], BLURS[at + 1] - BLURS[at]
    rise, fall = (more - here) / after, (less - here) / before
    bend, slope = (rise + fall) / (before + after), (rise * before - fall * after) / (before + after)
    peak = np.clip(BLURS[at] - slope / (2 * np.where(bend > 0, bend, 1)), BLURS[at - 1], BLURS[at + 1])
    return np.where((best == at) & (bend > 0), peak, BLURS[best])


def as_blurred(model: np.ndarray, blur: np.ndarray) -> np.ndarray:
    """Pictures (n, SIDE, SIDE) float32 made more blurred, by (n, 2) pixels along x and along y."""
    return np.stack([_blurred(picture, *sigmas) for picture, sigmas in zip(model, blur.tolist(), strict=True)])


def _blurred(picture: np.ndarray, x: float, y: float) -> np.ndarray:
    if max(x, y) <= SETTINGS.least:
        return picture
    return cv2.sepFilter2D(picture, -1, _bell(x), _bell(y))


def _bell(sigma: float) -> np.ndarray:
    if sigma <= SETTINGS.least:
        return np.ones((1, 1), np.float32)
    return cv2.getGaussianKernel(2 * int(np.ceil(3 * sigma)) + 1, sigma).astype(np.float32)


@dataclass(frozen=True)
class Beside:
    """Letters beside their print made as blurred as the lines around them.

    Tracing makes strokes wider, and pale graphite makes black ones paler; blur and veil do neither to the letter alone.

    Attributes:
        rest: (n, SIDE, SIDE) float32 darkness that the print, as dark as the letter, does not explain.
        gain: (n,) how many times darker than its print each letter is.
        more: (n,) how much darker it is just beside the print's strokes.
        on: (n,) how much darker it is on them.
        ink: (n,) darkness of the print's strokes.
    """

    rest: np.ndarray
    gain: np.ndarray
    more: np.ndarray
    on: np.ndarray
    ink: np.ndarray


def beside_print(seen: np.ndarray, model: np.ndarray, blur: np.ndarray) -> Beside:
    """Hold letters against their print, made more blurred.

    Args:
        seen: (n, SIDE, SIDE) float32 darkness of the letters.
        model: (n, SIDE, SIDE) float32, of their print.
        blur: (n, 2) pixels along x and y.
    """
    whole = as_blurred(model, blur)
    made, dark = (a[:, RIM:-RIM, RIM:-RIM] for a in (whole, seen))
    ink = made.max((1, 2), keepdims=True) + 0.02
    core = (made > SETTINGS.core * ink).astype(np.float32)
    near = np.stack([np.clip(cv2.GaussianBlur(c, (0, 0), SETTINGS.beside) * 4, 0, 1) for c in core]) * (1 - core)
    counts = (core + near) * made
    gain = np.clip((counts * dark).sum((1, 2)) / ((counts * made).sum((1, 2)) + 0.05), *SETTINGS.gains).astype(
        np.float32
    )
    rest = seen - gain[:, None, None] * whole
    inner = rest[:, RIM:-RIM, RIM:-RIM]
    more, on = ((inner * part).sum((1, 2)) / (part.sum((1, 2)) + 1) for part in (near, core))
    return Beside(rest, gain, more, on, ink[:, 0, 0])
