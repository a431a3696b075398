"""Enhance faint strokes for the second network, which judges uncertain cells, as where graphite mirrors the lamp.

The network compares each cell with the whole sheet: strokes that are far fainter than elsewhere look like none. They
are amplified as far as the camera's noise allows; print and blank paper stay as they are.
"""

from dataclasses import dataclass

import cv2
import numpy as np

from vision.sheet.print_evidence import stroke_contrast


@dataclass(frozen=True)
class FaintStrokesSettings:
    """Which strokes are faint, and how much they are amplified. Darkness is 0 on blank paper, 1 on black."""

    target: float = 0.03  # mean contrast of strokes with their surroundings that is strong enough
    least_contrast: float = 0.002  # contrast below which there are no strokes
    sharing: float = 1.5  # cells: blur by which neighbors share their contrast
    noise: float = 0.03  # standard deviation to which the camera's noise may be amplified
    max_factor: float = 8.0
    faint: float = 1.5  # factor from which strokes are worth enhancing
    around: float = 5.0  # pixels: blur of a stroke's surroundings
    palest: float = -0.4  # darkness: lower bound of the result


SETTINGS = FaintStrokesSettings()


def enhancement_factors(statistics: np.ndarray) -> np.ndarray:
    """Factors by which cells' strokes are to be amplified, at least 1: (rows, cols) float32, of `cell_statistics`."""
    contrast, noise = stroke_contrast(statistics)
    shared = cv2.GaussianBlur(contrast, (0, 0), SETTINGS.sharing, borderType=cv2.BORDER_REPLICATE)
    wanted = np.minimum(SETTINGS.target / np.maximum(shared, SETTINGS.least_contrast), SETTINGS.noise / noise)
    return np.clip(wanted, 1, SETTINGS.max_factor).astype(np.float32)


def enhance_strokes(dark: np.ndarray, factors: np.ndarray, blank: np.ndarray, margin: int, cell: int) -> np.ndarray:
    """Amplify the strokes of a sheet.

    Args:
        dark: (3, H, W) float32 darkness of its colors.
        factors: (rows, cols), from `enhancement_factors`.
        blank: (3, H, W) float32 the blank sheet, see `print_bounds`.
        margin: pixels around the grid; `cell`: pixels a cell.
    """
    gray, unprinted = dark.mean(0), blank[2]
    v, u = (
        np.clip((np.arange(n, dtype=np.float32) + 0.5 - margin) / cell - 0.5, 0, count - 1)
        for n, count in zip(gray.shape, factors.shape, strict=True)
    )
    gain = cv2.remap(factors, *np.meshgrid(u, v), cv2.INTER_LINEAR) - 1
    around, weight = (cv2.GaussianBlur(part, (0, 0), SETTINGS.around) for part in (gray * unprinted, unprinted))
    stroke = (cv2.GaussianBlur(gray, (0, 0), 0.8) - around / (weight + 0.02)) * unprinted
    return np.clip(dark + gain * stroke, SETTINGS.palest, 1)
