"""A second look at doubtful cells whose strokes are faint, as where graphite mirrors the lamp.

The network holds each cell against the whole sheet: strokes that are far fainter than elsewhere look like none. Made
bolder, as far as the camera's noise allows, they show what they are. Print stays as it is, and so does bare paper.
"""

from dataclasses import dataclass

import cv2
import numpy as np

from vision.sheet.print_evidence import mean_strokes


@dataclass(frozen=True)
class FaintStrokesSettings:
    """Which strokes are faint, and how much bolder they are made. Darkness is 0 on bare paper, 1 on black."""

    usual: float = 0.03  # mean darkness of strokes beside what lies around them that no longer wants raising
    none: float = 0.002  # the same below which there are as good as no strokes
    reach: float = 1.5  # cells of blur over which cells share their strokes' darkness
    noise: float = 0.03  # standard deviation of the camera's noise that may be made of it
    most: float = 8.0  # times bolder
    faint: float = 1.5  # times bolder that strokes are to be made for a second look to be worth its time
    around: float = 5.0  # pixels of blur of what lies around a stroke
    say: float = 0.5  # the second look's share of what is said of a cell
    palest: float = -0.4  # darkness


SETTINGS = FaintStrokesSettings()


def boldening(sums: np.ndarray) -> np.ndarray:
    """How many times bolder cells' strokes are to be made, at least 1: (rows, cols) float32, of their `cell_sums`."""
    seen, noise = mean_strokes(sums)
    near = cv2.GaussianBlur(seen, (0, 0), SETTINGS.reach, borderType=cv2.BORDER_REPLICATE)
    wanted = np.minimum(SETTINGS.usual / np.maximum(near, SETTINGS.none), SETTINGS.noise / noise)
    return np.clip(wanted, 1, SETTINGS.most).astype(np.float32)


def bolder(dark: np.ndarray, times: np.ndarray, blank: np.ndarray, margin: int, cell: int) -> np.ndarray:
    """A sheet with its strokes made bolder.

    Args:
        dark: (3, H, W) float32 darkness of its colors.
        times: (rows, cols) how many times bolder, from `boldening`.
        blank: (3, H, W) float32 the blank sheet, see `print_bounds`.
        margin: pixels around the grid; `cell`: pixels a cell.
    """
    gray, plain = dark.mean(0), blank[2]
    v, u = (
        np.clip((np.arange(n, dtype=np.float32) + 0.5 - margin) / cell - 0.5, 0, count - 1)
        for n, count in zip(gray.shape, times.shape, strict=True)
    )
    more = cv2.remap(times, *np.meshgrid(u, v), cv2.INTER_LINEAR) - 1
    around, counted = (cv2.GaussianBlur(part, (0, 0), SETTINGS.around) for part in (gray * plain, plain))
    stroke = (cv2.GaussianBlur(gray, (0, 0), 0.8) - around / (counted + 0.02)) * plain
    return np.clip(dark + more * stroke, SETTINGS.palest, 1)
