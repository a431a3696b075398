"""Normalize the illumination of a rectified sheet and reduce the camera's noise, so that ink on white paper remains."""

from dataclasses import dataclass
from itertools import pairwise

import cv2
import numpy as np

from vision.ranks import quantile


@dataclass(frozen=True)
class IlluminationSettings:
    """Windows of the morphological closings that remove print and marks from the estimated illumination."""

    coarse: int = 5  # pixels averaged into one first
    near: int = 13  # coarse pixels that bridge marks: 1.6 cells of 40 pixels
    wide: int = 41  # coarse pixels that bridge whole regions of marks: 5 cells of 40 pixels
    darkest_print: float = 0.15  # print counts as no darker, as a share of the paper's light
    darkest_shadow: float = 0.5  # least illumination as a share of that around: what is darker is ink


SETTINGS = IlluminationSettings()


def normalize_illumination(flat: np.ndarray) -> np.ndarray:
    """Divide a rectified sheet by the estimated illumination of its paper.

    Args:
        flat: (H, W, 3) uint8 BGR, 40 pixels a cell.

    Returns:
        (H, W, 3) float32, 1 where the paper is blank, 0 where it is black, at most 1.4.
    """
    h, w = flat.shape[:2]
    return np.minimum(
        flat / cv2.resize(estimate_illumination(flat), (w, h), interpolation=cv2.INTER_LINEAR), 1.4, dtype=np.float32
    )


def darkness(flat: np.ndarray) -> np.ndarray:
    """1 minus `normalize_illumination`, color by color: (3, H, W) float32, 0 where the paper is blank."""
    h, w = flat.shape[:2]
    out = np.empty((3, h, w), np.float32)
    light = cv2.resize(estimate_illumination(flat), (w, h), interpolation=cv2.INTER_LINEAR)
    cv2.split(cv2.divide(flat, light, dst=light, dtype=cv2.CV_32F), list(out))
    return np.subtract(1, np.minimum(out, 1.4, out=out), out=out)


def unprinted(flat: np.ndarray, blank: np.ndarray) -> np.ndarray:
    """How much darker a rectified sheet is than its blank one, color by color: (3, H, W) float32, 0 where nothing was
    added, as seen in the light that lies on this photo.

    Args:
        flat: (H, W, 3) uint8 BGR, 40 pixels a cell.
        blank: (3, H, W) float32, the blank sheet as `darkness` gives it.
    """
    h, w = flat.shape[:2]
    size = max(1, w // SETTINGS.coarse), max(1, h // SETTINGS.coarse)
    out = np.maximum(1 - blank, SETTINGS.darkest_print)
    small, known = (cv2.resize(p, size, interpolation=cv2.INTER_AREA) for p in (flat, cv2.merge(list(out))))
    # Print that lies a pixel off leaves bright edges, which a median takes away.
    light = cv2.medianBlur(np.clip(small / known, 0, 255).astype(np.uint8), 3)
    near, wide = (
        cv2.morphologyEx(light, cv2.MORPH_CLOSE, np.ones((n, n), np.uint8)) for n in (SETTINGS.near, SETTINGS.wide)
    )
    paper = np.maximum(near.astype(np.float32), wide.astype(np.float32) * SETTINGS.darkest_shadow)
    paper = np.maximum(cv2.blur(paper, (5, 5), borderType=cv2.BORDER_REPLICATE), 4.0)
    bare = cv2.split(cv2.resize(paper, (w, h), interpolation=cv2.INTER_LINEAR))
    # Color by color and in place: sums along a last axis of three are slow, and so is memory never used before.
    for color, light_there, made in zip(cv2.split(flat), bare, out, strict=True):
        cv2.divide(color, cv2.multiply(made, light_there, dst=made), dst=made, dtype=cv2.CV_32F)
    return np.subtract(1, np.minimum(out, 1.4, out=out), out=out)


@dataclass(frozen=True)
class NoiseSettings:
    """How the camera's noise is separated from ink, and how much may stay. Shares are of the light on blank paper."""

    block: int = 20  # pixels: side of a square in which noise is measured
    fine: int = 5  # pixels: window of the mean from which noise deviates
    quiet: float = 0.4  # share of a block's pixels that count as blank paper: those that deviate least
    deviation: float = 5.0  # standard deviation of noise over the mean deviation of these pixels
    lights: int = 5  # classes of illumination, with equally many blocks
    blank: float = 0.3  # least share of a class's blocks that carry no ink
    darker: float = 2.5  # upper bound of a darker class's noise, in times that of brighter ones
    most: float = 0.02  # standard deviation that may stay
    widths: tuple[float, ...] = (0.0, 0.7, 1.4, 2.8)  # pixels of the blurs that are blended


NOISE = NoiseSettings()


def denoise(flat: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Blur a rectified sheet, (H, W, 3) uint8 BGR, where its noise is as strong as faint ink, and estimate the noise.

    In deep shadow a camera's noise looks like scribble once illumination is normalized: a shadow with a twentieth of
    the light makes it twenty times as strong, and under a lamp blue is dark everywhere.

    Returns:
        The sheet, and the noise that the noisiest color had, as a share of the light on the paper: (H, W) float32.
    """
    levels = estimate_noise(flat)
    smooth = flat
    if levels.max() > NOISE.most:
        colors = zip(cv2.split(flat), levels, strict=True)
        smooth = cv2.merge([_smoothed(color, noise) for color, noise in colors])
    most = cv2.blur(levels.max(0), (3, 3))
    return smooth, np.asarray(cv2.resize(most, flat.shape[1::-1], interpolation=cv2.INTER_LINEAR))


def _smoothed(color: np.ndarray, noise: np.ndarray) -> np.ndarray:
    """Blur one color, (H, W) uint8, where `noise`, see `estimate_noise`, is too strong."""
    if noise.max() <= NOISE.most:
        return color
    # A blur of `width` pixels leaves 1 / (2 √π width) of white noise.
    width = np.where(noise > NOISE.most, noise / (2 * np.sqrt(np.pi) * NOISE.most), 0).astype(np.float32)
    width = np.asarray(cv2.resize(cv2.blur(width, (3, 3)), color.shape[::-1], interpolation=cv2.INTER_LINEAR))
    out = color
    for less, more in pairwise(NOISE.widths):
        if not (width > less).any():
            break
        share = np.clip((width - less) / (more - less), 0, 1)
        out = cv2.blendLinear(cv2.GaussianBlur(color, (0, 0), more), out, share, 1 - share)
    return out


def estimate_noise(flat: np.ndarray) -> np.ndarray:
    """Estimate the standard deviation of the camera's noise in each block and color of a rectified sheet, as a share
    of the light on the paper: (colors, h, w) float32 of (H, W, colors) uint8.

    Noise depends on the light, ink does not: it is measured on the most even blocks in about as much light.
    """
    size, colors = NOISE.block, flat.shape[2]
    h, w = (n // size for n in flat.shape[:2])
    part = flat[: h * size, : w * size]
    residual = cv2.absdiff(part, cv2.blur(part, (NOISE.fine, NOISE.fine)))[::2, ::2]
    blocks = residual.reshape(h, size // 2, w, size // 2, colors).transpose(4, 0, 2, 1, 3).reshape(colors, h * w, -1)
    k = int(NOISE.quiet * blocks.shape[2])
    # NumPy is slow to partition bytes.
    deviation = NOISE.deviation * np.partition(blocks.astype(np.uint16), k)[..., :k].mean(2)
    small = cv2.resize(part, (w, h), interpolation=cv2.INTER_AREA)
    light = cv2.morphologyEx(small, cv2.MORPH_CLOSE, np.ones((5, 5), np.uint8))
    light = light.reshape(h * w, colors).T.astype(np.float32)
    order = np.array_split(np.argsort(light, kind="stable"), NOISE.lights, 1)
    lights = np.stack([np.take_along_axis(light, c, 1).mean(1) for c in order], 1)
    seen = np.stack([quantile(np.take_along_axis(deviation, c, 1), NOISE.blank) for c in order], 1)
    # Tone curves amplify dark noise, but only so much: if it seems stronger, all blocks of that class carry ink.
    seen = np.minimum(seen, NOISE.darker * np.minimum.accumulate(seen[:, ::-1], 1)[:, ::-1] + 1)
    levels = [np.interp(*of_color) for of_color in zip(light, lights, seen, strict=True)] / np.maximum(light, 4)
    return levels.reshape(colors, h, w).astype(np.float32)


def estimate_illumination(flat: np.ndarray) -> np.ndarray:
    """Estimate the light on the paper, at about 1 / `SETTINGS.coarse` of the resolution: (h, w, 3) float32."""
    h, w = flat.shape[:2]
    small = cv2.resize(flat, (max(1, w // SETTINGS.coarse), max(1, h // SETTINGS.coarse)), interpolation=cv2.INTER_AREA)
    near = cv2.morphologyEx(small, cv2.MORPH_CLOSE, np.ones((SETTINGS.near, SETTINGS.near), np.uint8))
    wide = cv2.morphologyEx(small, cv2.MORPH_CLOSE, np.ones((SETTINGS.wide, SETTINGS.wide), np.uint8))
    paper = np.maximum(near.astype(np.float32), wide.astype(np.float32) * SETTINGS.darkest_shadow)
    return np.maximum(cv2.blur(paper, (5, 5), borderType=cv2.BORDER_REPLICATE), 4.0)
