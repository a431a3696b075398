"""Features that tell traced letters from plain ones, measured on the residual of a crop against its template.

Some features use the template blurred to fit the letter, others the template blurred as the printed lines around the
letter are (`local_blur`). The letter classifier takes the features and the residuals beside the crops.
"""

from dataclasses import dataclass

import cv2
import numpy as np

from vision.sheet.letter_templates import fit_blur_and_gain
from vision.sheet.local_blur import compare_at_blur, line_blur, weighted_median


@dataclass(frozen=True)
class TracingFeaturesSettings:
    """Windows, thresholds and weights of the features. Darkness is 0 on blank paper, 1 on black."""

    edge: int = 8  # pixels at a crop's edge that are left out
    max_line_weight: float = 4.0  # squared darkness: cap of the lines' weight
    residual_floor: float = 0.005  # darkness added before taking the logarithm of the residual
    spread_floor: float = 0.012  # darkness: least spread among plain letters
    max_deviation: float = 5.0  # spreads by which a letter counts as different, at most
    deviation_weight: float = 0.6  # log odds for each spread beyond the plain peers
    gain_floor: float = 0.05  # logarithm of the gain: least spread among plain letters
    gain_weight: float = 0.4  # log odds for each spread beyond the first, darker or paler
    prior: float = 0.3  # log odds by which real letters are traced less often than the network has learned
    few_peers: float = 2.0  # of so many plain peers the spread counts half
    pen_edge: int = 10  # pixels at a crop's edge where neighbors' marks reach in
    stroke: float = 0.25  # share of the template's darkest from which a pixel is print
    stroke_dilation: int = 3  # pixels around print that are left out with it
    pen_quantile: float = 0.97  # of the residual's pixels: the pen's stroke


SETTINGS = TracingFeaturesSettings()
FEATURES = 28
"""Number of features."""
GAIN, NEAR_STROKES = 2, 20
"""Indices of features: how much darker a letter is than its template, as a logarithm, and just beside its strokes."""


def tracing_features(
    crops: np.ndarray, templates: np.ndarray, confidence: np.ndarray, white: float
) -> tuple[np.ndarray, np.ndarray]:
    """Features of each letter, (n, FEATURES), and residuals against the templates, (n, SIDE, SIDE) darkness.

    The features are the template's confidence; blur and gain relative to the template, residuals and colors, with the
    blur fitted to the letter; the same with the blur of the lines around it; and what these lines measure.

    Args:
        crops: (n, SIDE, SIDE, 3) uint8, normalized.
        templates: (n, SIDE, SIDE) uint8, aligned with the crops.
        confidence: (n,) that the templates are untraced; where it is 0 all features are 0.
        white: gray level of blank paper.
    """
    observed, model = darkness(crops, white), darkness(templates, white)
    fit = fit_blur_and_gain(observed, model)
    inner = (slice(None), slice(SETTINGS.edge, -SETTINGS.edge), slice(SETTINGS.edge, -SETTINGS.edge))
    near = np.stack([cv2.GaussianBlur(m, (0, 0), 3.0) for m in model])[inner]
    dark = model[inner]
    weight = np.clip(near / np.maximum(near.max((1, 2), keepdims=True), 0.02) * 3 - 0.4, 0, 1)
    core = (dark > 0.5 * dark.max((1, 2), keepdims=True)).astype(np.float32)
    rim = np.clip(weight - core, 0, 1)
    # Color by color: sums along a last axis of three are slow.
    color = 1 - np.ascontiguousarray(np.moveaxis(crops[inner], 3, 0)).astype(np.float32) / np.float32(white)
    shade, hue = color.mean(0), color.max(0) - color.min(0)
    residual = fit.residual[inner]
    smooth = np.stack([cv2.GaussianBlur(r, (0, 0), 1.5) for r in fit.residual])[inner]
    ink = (weight * dark).sum((1, 2)) + 0.3

    def mean(values: np.ndarray, where: np.ndarray) -> np.ndarray:
        return (values * where).sum((1, 2)) / (where.sum((1, 2)) + 1)

    lines = line_blur(observed, model)
    local = compare_at_blur(observed, model, lines.blur)
    local_residual = local.residual[inner]
    gain_ratio = np.log(local.gain / lines.gain)
    features = np.stack(
        [
            confidence, fit.blur * 0.25, np.log(fit.gain),
            (weight * np.maximum(residual, 0)).sum((1, 2)) / ink, (weight * np.maximum(-residual, 0)).sum((1, 2)) / ink,
            np.sqrt(mean(residual * residual, weight)),
            mean(shade, core), mean(dark, core), mean(shade, rim), mean(dark, rim), mean(hue, core), mean(hue, rim),
            mean(np.maximum(residual, 0), rim), mean(residual, core), np.sqrt(mean(smooth * smooth, weight)),
            mean(np.maximum(smooth, 0), rim),
            *lines.blur.T, np.log(lines.gain), np.minimum(lines.weight, SETTINGS.max_line_weight),
            local.near, local.on, (local.near - local.on) / (local.gain * local.ink), np.log(local.gain),
            np.log(np.sqrt(mean(local_residual * local_residual, weight)) + SETTINGS.residual_floor),
            mean(np.maximum(local_residual, 0), weight),
            gain_ratio, gain_ratio * np.minimum(lines.weight, SETTINGS.max_line_weight),
        ], 1,
    )  # fmt: skip
    features[confidence <= 0] = 0
    return features.astype(np.float32), np.where(confidence[:, None, None] > 0, local.residual, 0)


def darkness(crops: np.ndarray, white: float) -> np.ndarray:
    """(n, SIDE, SIDE) 0 to 1 of gray crops, or of colored ones, (n, SIDE, SIDE, 3) uint8."""
    gray = np.stack([cv2.cvtColor(crop, cv2.COLOR_BGR2GRAY) for crop in crops]) if crops.ndim == 4 else crops
    return np.clip(1 - gray.astype(np.float32) / np.float32(white), 0, 1)


def pen_darkness(residuals: np.ndarray, templates: np.ndarray, white: float) -> np.ndarray:
    """Darkness of the pen strokes off each letter's print, (n,), such as a circle around it.

    Args:
        residuals: (n, SIDE, SIDE) darkness; `templates`: (n, SIDE, SIDE) uint8.
        white: gray level of blank paper in the templates.
    """
    inner = slice(SETTINGS.pen_edge, -SETTINGS.pen_edge)
    kernel = np.ones((2 * SETTINGS.stroke_dilation + 1,) * 2, np.uint8)
    out = np.zeros(len(residuals))
    for k, (residual, template) in enumerate(zip(residuals, templates, strict=True)):
        dark = 1 - template[inner, inner].astype(np.float32) / white
        print_mask = cv2.dilate((dark > SETTINGS.stroke * max(dark.max(), 0.05)).astype(np.uint8), kernel)
        off_print = cv2.GaussianBlur(residual[inner, inner], (0, 0), 0.8)[print_mask == 0]
        if len(off_print):
            at = int(SETTINGS.pen_quantile * (len(off_print) - 1))
            out[k] = np.partition(off_print, at)[at]
    return out


def relative_to_peers(features: np.ndarray, logits: np.ndarray) -> np.ndarray:
    """Correct the log odds of tracing, (n,), by how far each letter differs from its plain peers on the same photo.

    The network has only seen drawn sheets and takes real letters for traced too readily. How far a letter stands out
    from the plain ones is the same on any photo: tracing widens strokes, makes gray ones darker, and graphite that
    mirrors the light makes black ones paler.

    Args:
        features: (n, FEATURES), see `tracing_features`.
        logits: (n,) the network's log odds of tracing.
    """
    has_template = features[:, 0] > 0
    plain = has_template / (1 + np.exp(np.clip(logits, -6, 6))) + 1e-6
    wider = _deviations(features[:, NEAR_STROKES], plain, SETTINGS.spread_floor)
    gain = np.abs(_deviations(features[:, GAIN], plain, SETTINGS.gain_floor))
    excess = SETTINGS.deviation_weight * wider + SETTINGS.gain_weight * np.maximum(gain - 1, 0) - SETTINGS.prior
    out: np.ndarray = logits + has_template * excess * plain.sum() / (plain.sum() + SETTINGS.few_peers)
    return out


def _deviations(values: np.ndarray, plain: np.ndarray, floor: float) -> np.ndarray:
    """How far values (n,) lie from those of the plain letters, in their spreads, of which the least is `floor`."""
    typical = weighted_median(values[None], plain[None])
    spread = 1.5 * weighted_median(np.abs(values - typical)[None], plain[None]) + floor
    return np.clip((values - typical) / spread, -SETTINGS.max_deviation, SETTINGS.max_deviation)
