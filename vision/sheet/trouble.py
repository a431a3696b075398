"""What makes a photo of a sheet doubtful as a whole: its light, its sharpness, the side from which it was seen."""

from dataclasses import dataclass

import cv2
import numpy as np

from vision.sheet.cells import CELL, COLORS, MARGIN, sheet_darkness
from vision.sheet.flatten import FlatSheet, SheetMap, corners, flatten

MANY_DOUBTS = 0.08
"""Share of doubtful cells up to which single questions say enough."""
PAPER = 85.0
"""Gray level: darker paper is too dark."""


@dataclass(frozen=True)
class TroubleSettings:
    """From where on a photo is in trouble."""

    shadow: float = 0.5  # brightness of the darkest paper, in parts of the brightest
    burnt: float = 0.5  # share of the cells whose paper is as bright as a pixel can be
    white: int = 250  # gray level of such paper
    tilt: float = 1.35  # how much longer than the opposite one a side of the grid may seem
    sharp: float = 0.6  # contrast of the print's edges, in parts of the blank page's as it was enrolled
    patch: int = 6  # pixels a cell over which light is measured
    fine: float = 1.2  # pixels of 40 a cell: blur that takes away the edges of print
    wide: float = 4.0  # and that takes away the print


SETTINGS = TroubleSettings()


def whole_troubles(
    gray: np.ndarray, lattice: np.ndarray, flat: FlatSheet, blank: np.ndarray | None, bare: np.ndarray
) -> tuple[str, ...]:
    """What may be the cause of many doubts, of `vision.sheet.reading.TROUBLES`; none where the photo is a good one.

    Args:
        gray: (H, W) uint8, the photo.
        lattice: (rows + 1, cols + 1, 2) crossings in its pixels.
        flat: the sheet from above, BGR.
        blank: the blank sheet as `blank_input` makes it, where it is known.
        bare: (rows, cols) bool, cells in which nobody drew.
    """
    sheet_map, rim = SheetMap(lattice), round(MARGIN * CELL)
    light = paper_light(gray, sheet_map)
    out = ["light"] if is_dark(light) or is_shadowed(light) or is_burnt(light) else []
    if blank is not None:
        dark = sheet_darkness(flat.image, flat.cell, flat.origin, sheet_map.rows, sheet_map.cols).mean(0)
        inside = np.pad(np.kron(bare, np.ones((CELL, CELL))) > 0, rim)
        out += ["blur"] if sharpness(dark, blank[COLORS].mean(0), inside) < SETTINGS.sharp else []
    return (*out, "tilt") if is_tilted(lattice) else tuple(out)


def is_tilted(lattice: np.ndarray) -> bool:
    """Whether a sheet is seen so much from the side that one side of its grid seems far longer than the other;
    `lattice` as `SheetMap` takes it."""
    outline = corners(lattice)
    sides = np.linalg.norm(np.roll(outline, -1, 0) - outline, axis=1)
    return bool(max(max(a / b, b / a) for a, b in (sides[::2], sides[1::2])) > SETTINGS.tilt)


def paper_light(gray: np.ndarray, sheet_map: SheetMap) -> np.ndarray:
    """Gray level of the paper around each cell, (rows, cols): the brightest of 3 × 3, as walls are no shadows."""
    side, rows, cols = SETTINGS.patch, sheet_map.rows, sheet_map.cols
    flat = flatten(gray, sheet_map, side, box=(0, 0, cols, rows)).image
    cells = flat[: rows * side, : cols * side].reshape(rows, side, cols, side).astype(np.float32)
    return cv2.dilate(np.percentile(cells, 80, axis=(1, 3)).astype(np.float32), np.ones((3, 3), np.uint8))


def is_dark(light: np.ndarray) -> bool:
    """Whether all of the paper is too dark; `light` as `paper_light` gives it."""
    return bool(light.max() < PAPER)


def is_shadowed(light: np.ndarray) -> bool:
    """Whether a shadow lies on a part of it."""
    return bool(light.min() < SETTINGS.shadow * light.max())


def is_burnt(light: np.ndarray) -> bool:
    """Whether much of it is so bright that faint marks are gone."""
    return bool((light >= SETTINGS.white).mean() >= SETTINGS.burnt)


def sharpness(dark: np.ndarray, blank: np.ndarray, bare: np.ndarray) -> float:
    """How sharp print is, in parts of what it is on the enrolled page: 1 is as sharp.

    Args:
        dark: (H, W) the photo's darkness from above, 40 pixels a cell, and `blank`, the blank page's.
        bare: (H, W) bool, where nobody drew.
    """
    printed = np.abs(blank - cv2.GaussianBlur(blank, (0, 0), SETTINGS.wide))
    seen = bare & (printed > np.quantile(printed, 0.9))
    if not seen.any():
        return 1.0

    def edges(picture: np.ndarray) -> float:
        fine, wide = (cv2.GaussianBlur(picture, (0, 0), sigma) for sigma in (SETTINGS.fine, SETTINGS.wide))
        return float(np.abs(picture - fine)[seen].mean() / (np.abs(fine - wide)[seen].mean() + 1e-6))

    return edges(dark) / max(edges(blank), 1e-6)
