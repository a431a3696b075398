"""The light and the noise taken off a flattened sheet: what is left is ink on white paper."""

from dataclasses import dataclass
from itertools import pairwise

import cv2
import numpy as np


@dataclass(frozen=True)
class IlluminationSettings:
    """Sizes of the windows by which light is told from print."""

    coarse: int = 5  # pixels in a coarse one
    near: int = 13  # coarse pixels over which marks are bridged: 1.6 cells of 40 pixels
    wide: int = 41  # the same for whole regions of marks: 5 cells of 40 pixels
    deepest: float = 0.5  # how dark a shadow may look beside the light around it before it counts as ink


SETTINGS = IlluminationSettings()


def even_light(flat: np.ndarray) -> np.ndarray:
    """Divide a flattened sheet by the light that falls on its paper.

    Args:
        flat: (H, W, 3) uint8 BGR, 40 pixels a cell.

    Returns:
        (H, W, 3) float32, 1 where the paper is bare, 0 where it is black, at most 1.4.
    """
    h, w = flat.shape[:2]
    return np.minimum(
        flat / cv2.resize(paper_light(flat), (w, h), interpolation=cv2.INTER_LINEAR), 1.4, dtype=np.float32
    )


def darkness(flat: np.ndarray) -> np.ndarray:
    """1 less what `even_light` gives, color by color: (3, H, W) float32, 0 where the paper is bare."""
    h, w = flat.shape[:2]
    out = np.empty((3, h, w), np.float32)
    light = cv2.resize(paper_light(flat), (w, h), interpolation=cv2.INTER_LINEAR)
    cv2.split(cv2.divide(flat, light, dst=light, dtype=cv2.CV_32F), list(out))
    return np.subtract(1, np.minimum(out, 1.4, out=out), out=out)


@dataclass(frozen=True)
class NoiseSettings:
    """How the camera's noise is told from ink, and how much of it may stay. Shares are of the light on bare paper."""

    block: int = 20  # pixels of a square in which noise is measured
    fine: int = 5  # pixels across which bare paper is even, but for noise
    quiet: float = 0.4  # share of a block's pixels that are taken for bare paper, the evenest
    deviation: float = 5.0  # standard deviations of noise for one of the evenest pixels' mean
    lights: int = 5  # classes of light, as many blocks in each
    bare: float = 0.3  # share of the blocks of one light that carry no ink, at least
    darker: float = 2.5  # times the noise of lit paper that there may be in the dark
    most: float = 0.02  # standard deviation that may stay
    widths: tuple[float, ...] = (0.0, 0.7, 1.4, 2.8)  # pixels of the blurs that are mixed


NOISE = NoiseSettings()


def without_noise(flat: np.ndarray) -> np.ndarray:
    """A flattened sheet, (H, W, 3) uint8 BGR, blurred where its noise is as strong as faint ink, and only there.

    In deep shadow the noise of a camera looks like scribble once the light is taken off: a shadow of a twentieth of the
    light makes it twenty times as strong, and a lamp leaves blue in the dark everywhere.
    """
    return without_noise_and_noise(flat)[0]


def without_noise_and_noise(flat: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """As `without_noise`, and how noisy the noisiest color was, in parts of the light on the paper: (H, W) float32."""
    levels = noise_levels(flat)
    smooth = flat
    if levels.max() > NOISE.most:
        colors = zip(cv2.split(flat), levels, strict=True)
        smooth = cv2.merge([_smoothed(color, noise) for color, noise in colors])
    most = cv2.blur(levels.max(0), (3, 3))
    return smooth, np.asarray(cv2.resize(most, flat.shape[1::-1], interpolation=cv2.INTER_LINEAR))


def _smoothed(color: np.ndarray, noise: np.ndarray) -> np.ndarray:
    """One color, (H, W) uint8, blurred where it is noisy, `noise` as `noise_levels` measures it."""
    if noise.max() <= NOISE.most:
        return color
    # A blur of so many pixels leaves 1 / (2 √π width) of white noise.
    width = np.where(noise > NOISE.most, noise / (2 * np.sqrt(np.pi) * NOISE.most), 0).astype(np.float32)
    width = np.asarray(cv2.resize(cv2.blur(width, (3, 3)), color.shape[::-1], interpolation=cv2.INTER_LINEAR))
    out = color
    for less, more in pairwise(NOISE.widths):
        if not (width > less).any():
            break
        share = np.clip((width - less) / (more - less), 0, 1)
        out = cv2.blendLinear(cv2.GaussianBlur(color, (0, 0), more), out, share, 1 - share)
    return out


def noise_levels(flat: np.ndarray) -> np.ndarray:
    """The standard deviation of the camera's noise in each color of a flattened sheet, in parts of the light
    on the paper, block by block: (colors, h, w) float32 of (H, W, colors) uint8.

    Noise goes by the light, ink does not: of the blocks in as much light the evenest tell it.
    """
    size, colors = NOISE.block, flat.shape[2]
    h, w = (n // size for n in flat.shape[:2])
    part = flat[: h * size, : w * size]
    rest = cv2.absdiff(part, cv2.blur(part, (NOISE.fine, NOISE.fine)))[::2, ::2]
    blocks = rest.reshape(h, size // 2, w, size // 2, colors).transpose(4, 0, 2, 1, 3).reshape(colors, h * w, -1)
    k = int(NOISE.quiet * blocks.shape[2])
    # NumPy is slow to partition bytes.
    deviation = NOISE.deviation * np.partition(blocks.astype(np.uint16), k)[..., :k].mean(2)
    small = cv2.resize(part, (w, h), interpolation=cv2.INTER_AREA)
    light = cv2.morphologyEx(small, cv2.MORPH_CLOSE, np.ones((5, 5), np.uint8))
    light = light.reshape(h * w, colors).T.astype(np.float32)
    order = np.array_split(np.argsort(light, kind="stable"), NOISE.lights, 1)
    lights = np.stack([np.take_along_axis(light, c, 1).mean(1) for c in order], 1)
    seen = np.stack([quantile(np.take_along_axis(deviation, c, 1), NOISE.bare) for c in order], 1)
    # Files spread dark tones: less light has more noise, but only so much; beyond it all blocks there carry ink.
    seen = np.minimum(seen, NOISE.darker * np.minimum.accumulate(seen[:, ::-1], 1)[:, ::-1] + 1)
    levels = [np.interp(*of_color) for of_color in zip(light, lights, seen, strict=True)] / np.maximum(light, 4)
    return levels.reshape(colors, h, w).astype(np.float32)


def quantile(values: np.ndarray, share: float) -> np.ndarray:
    """What `np.quantile` gives along the last axis, in a fraction of its time for few values."""
    rising = np.sort(values, -1)
    below, between = divmod(share * (values.shape[-1] - 1), 1)
    less, more = rising[..., int(below)], rising[..., int(below + (between > 0))]
    return np.asarray(less + (more - less) * between)


def paper_light(flat: np.ndarray) -> np.ndarray:
    """The light on the paper, one coarse pixel for about `SETTINGS.coarse`: (h, w, 3) float32."""
    h, w = flat.shape[:2]
    small = cv2.resize(flat, (max(1, w // SETTINGS.coarse), max(1, h // SETTINGS.coarse)), interpolation=cv2.INTER_AREA)
    near = cv2.morphologyEx(small, cv2.MORPH_CLOSE, np.ones((SETTINGS.near, SETTINGS.near), np.uint8))
    wide = cv2.morphologyEx(small, cv2.MORPH_CLOSE, np.ones((SETTINGS.wide, SETTINGS.wide), np.uint8))
    paper = np.maximum(near.astype(np.float32), wide.astype(np.float32) * SETTINGS.deepest)
    return np.maximum(cv2.blur(paper, (5, 5), borderType=cv2.BORDER_REPLICATE), 4.0)
