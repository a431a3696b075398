"""Measure blur and contrast near each letter, on the printed lines of its cell, which nobody traces.

Blur and glare vary across a photo, and both look like tracing. The lines around a letter share them with it: its
template (`vision.sheet.letter_templates`), blurred as these lines are, is what the letter would look like untraced.
"""

from dataclasses import dataclass

import cv2
import numpy as np

from vision.sheet.letter_templates import BORDER


@dataclass(frozen=True)
class LocalBlurSettings:
    """How blur and gain are fitted to profiles across the printed lines. Darkness is 0 on blank paper, 1 on black."""

    depth: int = 12  # pixels from a crop's edge in which its lines are searched
    template_depth: int = 15  # the same for the template's
    segment: int = 4
    """Pixels along a line that make one profile: a circle or wall that crosses the line spoils only some of them."""
    max_offset: int = 3  # pixels between a line and the template's once the letters are aligned
    gains: tuple[float, float] = (0.1, 4.0)  # range of a line's darkness relative to the template's
    outlier: float = 0.01  # squared darkness, summed over a profile: with a larger residual it shows more than a line
    ridge: float = 0.01  # squared darkness: regularizes the gain of profiles without a line
    max_weight: float = 0.2  # squared darkness: cap of a profile's weight
    least_blur: float = 0.25  # pixels below which nothing is blurred
    core: float = 0.65  # share of the darkest from which a pixel is in the middle of a stroke
    near: float = 0.7  # pixels: width of the rim just outside a stroke


SETTINGS = LocalBlurSettings()
BLURS = np.array([0, 0.6, 0.9, 1.2, 1.6, 2.0, 2.5, 3.0, 3.6, 4.4])
"""Candidate blurs, standard deviations in pixels."""


@dataclass(frozen=True)
class LineBlur:
    """Blur and gain of the lines around letters, relative to their templates.

    Attributes:
        blur: (n, 2) pixels along x and along y: a shaking hand blurs in one direction.
        gain: (n,) how many times darker the lines are.
        weight: (n,) squared darkness of the lines that this rests on.
    """

    blur: np.ndarray
    gain: np.ndarray
    weight: np.ndarray


def _candidate_operators() -> np.ndarray:
    """(TEMPLATE_DEPTH, candidates, DEPTH): matrices that blur and shift a profile, for all blurs and offsets."""
    at = np.arange(SETTINGS.template_depth)
    candidates = []
    for sigma in BLURS:
        offsets = np.arange(-SETTINGS.template_depth, 2 * SETTINGS.template_depth)
        kernel = np.exp(-0.5 * ((at[:, None] - offsets) / max(sigma, 1e-3)) ** 2)
        kernel /= kernel.sum(1, keepdims=True)
        inside = kernel[:, SETTINGS.template_depth : 2 * SETTINGS.template_depth].copy()
        inside[:, 0] += kernel[:, : SETTINGS.template_depth].sum(1)
        inside[:, -1] += kernel[:, 2 * SETTINGS.template_depth :].sum(1)
        for offset in range(-SETTINGS.max_offset, SETTINGS.max_offset + 1):
            rows = np.clip(np.arange(SETTINGS.depth) + offset, 0, SETTINGS.template_depth - 1)
            candidates.append(inside[rows].T)
    return np.stack(candidates, 1).astype(np.float32)


OPERATORS = _candidate_operators()


def _profiles(dark: np.ndarray) -> np.ndarray:
    """(n, 4, segments, TEMPLATE_DEPTH): darkness of (n, SIDE, SIDE) crops from each edge inwards."""
    transposed = dark.transpose(0, 2, 1)
    edges = [
        a[:, SETTINGS.segment : -SETTINGS.segment, side]
        for a in (dark, transposed)
        for side in (slice(SETTINGS.template_depth), slice(None, -SETTINGS.template_depth - 1, -1))
    ]
    return np.stack(edges, 1).reshape(len(dark), 4, -1, SETTINGS.segment, SETTINGS.template_depth).mean(3)


def line_blur(observed: np.ndarray, model: np.ndarray) -> LineBlur:
    """Fit the lines around letters by those of the templates, both (n, SIDE, SIDE) float32 darkness."""
    profiles, templates = _profiles(observed)[..., : SETTINGS.depth], _profiles(model)
    n, _, segments = templates.shape[:3]
    flat_operators = OPERATORS.reshape(SETTINGS.template_depth, -1)
    candidates = (templates.reshape(-1, SETTINGS.template_depth) @ flat_operators).reshape(
        n, 4, segments, len(BLURS), -1, SETTINGS.depth
    )
    dot = np.einsum("napkbd,napd->napkb", candidates, profiles)
    power = np.einsum("napkbd,napkbd->napkb", candidates, candidates)
    gain = np.clip(dot / (power + SETTINGS.ridge), *SETTINGS.gains)
    observed_power = np.einsum("napd,napd->nap", profiles, profiles)[..., None, None]
    residual = observed_power - 2 * gain * dot + gain * gain * power
    # Each line has its own offset; the blur is the same for left and right, for top and bottom.
    cost = np.minimum(residual, SETTINGS.outlier).sum(2)
    offset, cost = cost.argmin(3), cost.min(3).reshape(n, 2, 2, -1).sum(2)
    best = cost.argmin(2)
    every, edge = np.arange(n)[:, None], np.arange(4)[None]
    blur = best[:, edge[0] // 2]
    chosen = (every, edge, slice(None), blur, offset[every, edge, blur])
    template_power = np.minimum(np.einsum("napd,napd->nap", templates, templates), SETTINGS.max_weight)
    weight = (template_power / (1 + (residual[chosen] / SETTINGS.outlier) ** 2)).reshape(n, -1)
    return LineBlur(_subsample(cost, best), weighted_median(gain[chosen].reshape(n, -1), weight), weight.sum(1))


def weighted_median(values: np.ndarray, weights: np.ndarray) -> np.ndarray:
    """The weighted median of each row of (n, k) values: (n,)."""
    order = values.argsort(1)
    cumulative = np.cumsum(np.take_along_axis(weights, order, 1), 1)
    middle = np.take_along_axis(order, (cumulative >= 0.5 * cumulative[:, -1:]).argmax(1)[:, None], 1)
    return np.take_along_axis(values, middle, 1)[:, 0]


def _subsample(cost: np.ndarray, best: np.ndarray) -> np.ndarray:
    """The blur of least cost (..., blurs) by a parabola through the cheapest candidate, `best`, and its neighbors."""
    at = np.clip(best, 1, len(BLURS) - 2)
    left, here, right = (np.take_along_axis(cost, (at + k)[..., None], -1)[..., 0] for k in (-1, 0, 1))
    before, after = BLURS[at] - BLURS[at - 1], BLURS[at + 1] - BLURS[at]
    rise, fall = (right - here) / after, (left - here) / before
    curvature, slope = (rise + fall) / (before + after), (rise * before - fall * after) / (before + after)
    minimum = BLURS[at] - slope / (2 * np.where(curvature > 0, curvature, 1))
    minimum = np.clip(minimum, BLURS[at - 1], BLURS[at + 1])
    return np.where((best == at) & (curvature > 0), minimum, BLURS[best])


def blurred(model: np.ndarray, blur: np.ndarray) -> np.ndarray:
    """Blur templates (n, SIDE, SIDE) float32 by (n, 2) pixels along x and along y."""
    return np.stack([_blur(template, *sigmas) for template, sigmas in zip(model, blur.tolist(), strict=True)])


def _blur(template: np.ndarray, x: float, y: float) -> np.ndarray:
    if max(x, y) <= SETTINGS.least_blur:
        return template
    return cv2.sepFilter2D(template, -1, _kernel(x), _kernel(y))


def _kernel(sigma: float) -> np.ndarray:
    if sigma <= SETTINGS.least_blur:
        return np.ones((1, 1), np.float32)
    return cv2.getGaussianKernel(2 * int(np.ceil(3 * sigma)) + 1, sigma).astype(np.float32)


@dataclass(frozen=True)
class TemplateComparison:
    """Letters compared with their templates at a given blur.

    Tracing widens strokes, and pale graphite makes black ones paler; blur and haze do neither to the letter alone.

    Attributes:
        residual: (n, SIDE, SIDE) float32 darkness that the template, times the gain, does not explain.
        gain: (n,) how many times darker than its template each letter is.
        near: (n,) mean residual just outside the template's strokes.
        on: (n,) mean residual on them.
        ink: (n,) darkness of the template's strokes.
    """

    residual: np.ndarray
    gain: np.ndarray
    near: np.ndarray
    on: np.ndarray
    ink: np.ndarray


def compare_at_blur(observed: np.ndarray, model: np.ndarray, blur: np.ndarray) -> TemplateComparison:
    """Compare letters with their templates, blurred first.

    Args:
        observed: (n, SIDE, SIDE) float32 darkness of the letters.
        model: (n, SIDE, SIDE) float32, of their templates.
        blur: (n, 2) pixels along x and y.
    """
    whole = blurred(model, blur)
    template, dark = (a[:, BORDER:-BORDER, BORDER:-BORDER] for a in (whole, observed))
    ink = template.max((1, 2), keepdims=True) + 0.02
    core = (template > SETTINGS.core * ink).astype(np.float32)
    rim = np.stack([np.clip(cv2.GaussianBlur(c, (0, 0), SETTINGS.near) * 4, 0, 1) for c in core]) * (1 - core)
    weight = (core + rim) * template
    gain = (weight * dark).sum((1, 2)) / ((weight * template).sum((1, 2)) + 0.05)
    gain = np.clip(gain, *SETTINGS.gains).astype(np.float32)
    residual = observed - gain[:, None, None] * whole
    inner = residual[:, BORDER:-BORDER, BORDER:-BORDER]
    near, on = ((inner * part).sum((1, 2)) / (part.sum((1, 2)) + 1) for part in (rim, core))
    return TemplateComparison(residual, gain, near, on, ink[:, 0, 0])
