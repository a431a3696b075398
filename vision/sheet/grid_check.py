"""Whether a found grid leaves out a row or a column: then the sheet's lines go on beyond its edge."""

from dataclasses import dataclass

import cv2
import numpy as np

from vision.ranks import median
from vision.sheet.flatten import FlatSheet, SheetMap


@dataclass(frozen=True)
class GridCheckSettings:
    """Lengths in cells."""

    beyond: tuple[tuple[float, float], ...] = ((0.15, 0.5), (0.5, 0.85))  # stretches in each of which a line must show
    near: float = 0.125  # how far a line may lie from where it would go on
    beside: tuple[float, float] = (0.2, 0.425)  # how far from it paper is looked at
    darker: float = 0.02  # than that paper, as a share of its light
    dark_paper: float = 0.2  # share of the paper beside a line that may be dark
    noisy: float = 1.5  # times that by which neighboring pixels differ, by which a line is darker too
    lines: float = 0.3  # share of a side's lines that tell


SETTINGS = GridCheckSettings()


def goes_on(flat: FlatSheet, sheet_map: SheetMap, shape: tuple[int, ...]) -> bool:
    """Whether lines of the grid go on beyond one of its sides.

    Args:
        flat: the sheet from above with a margin of one cell around the grid.
        sheet_map: where the grid lies in the photo; `shape`: the photo's height and width.
    """
    cell, rows, cols = flat.cell, sheet_map.rows, sheet_map.cols
    seen, far = flat.image, max(end for _, end in SETTINGS.beyond)
    across, down = np.arange(1.0, cols), np.arange(1.0, rows)
    sides = (
        (_gray(seen[:cell])[::-1], (across, np.full(cols - 1, -far))),
        (_gray(seen[-cell:]), (across, np.full(cols - 1, rows + far))),
        (_gray(seen[:, :cell]).T[::-1], (np.full(rows - 1, -far), down)),
        (_gray(seen[:, -cell:]).T, (np.full(rows - 1, cols + far), down)),
    )
    for margin, ends in sides:
        shown = _shown(margin)
        if shown.mean() < SETTINGS.lines:
            continue
        x, y = np.moveaxis(sheet_map(*ends), -1, 0)
        in_photo = (x > 0) & (y > 0) & (x < shape[1] - 1) & (y < shape[0] - 1)
        if (shown & in_photo).mean() >= SETTINGS.lines:
            return True
    return False


def _gray(part: np.ndarray) -> np.ndarray:
    return cv2.cvtColor(part, cv2.COLOR_BGR2GRAY)


def _shown(margin: np.ndarray) -> np.ndarray:
    """Which of a side's inner lines show in its margin, (cell, (lines + 3) cells) from the grid outwards."""
    cell = len(margin)
    lines = np.arange(2, margin.shape[1] // cell - 1) * cell
    near = round(SETTINGS.near * cell)
    least, most = (round(far * cell) for far in SETTINGS.beside)
    beside = np.concatenate([np.arange(-most, -least + 1), np.arange(least, most + 1)])
    shows = np.ones(len(lines), bool)
    for start, end in SETTINGS.beyond:
        seen = margin[round(start * cell) : round(end * cell)].mean(0)
        light = cv2.blur(seen[None], (3, 1))[0]
        dark = light[lines[:, None] + np.arange(-near, near + 1)].min(1)
        paper = np.sort(light[lines[:, None] + beside], axis=1)[:, round(SETTINGS.dark_paper * len(beside))]
        noise = float(median(np.abs(np.diff(seen))))
        shows &= paper - dark > np.maximum(SETTINGS.darker * paper, SETTINGS.noisy * noise)
        if not shows.any():
            break
    return shows
