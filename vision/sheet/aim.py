"""What a camera that is held over a sheet sees: where the sheet lies, and what keeps it from a good photo."""

from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np

from vision.errors import PhotoError
from vision.sheet.flatten import SheetMap, cell_pixels, corners
from vision.sheet.grid import refined, rough_grid
from vision.sheet.profile import SheetProfile
from vision.sheet.registration import printed_page, register
from vision.sheet.trouble import PAPER, is_dark, is_shadowed, is_tilted, paper_light

TROUBLES: Final = ("none", "dark", "whole", "closer", "tilt", "shadow")
"""No sheet is seen; it is too dark; a part of it is outside; it is too small, seen from the side; a shadow is on it."""


@dataclass(frozen=True)
class AimSettings:
    """From where on a picture is not worth a photo."""

    side: int = 640  # pixels of the picture's longer side: more are not looked at
    cell: float = 0.02  # of the longer side: a smaller cell of the grid is too far away


SETTINGS = AimSettings()


@dataclass(frozen=True)
class Aim:
    """`grid`: (4, 2) corners in shares of the picture's width and height, from the sheet's top left; None where no
    sheet is seen. `trouble`: of `TROUBLES`; None: take the photo."""

    grid: np.ndarray | None
    trouble: str | None


def aim(image: np.ndarray, profile: SheetProfile) -> Aim:
    """What a camera's picture, (H, W, 3) BGR, shows of a sheet."""
    gray = cv2.cvtColor(image, cv2.COLOR_BGR2GRAY)
    scale = min(1.0, SETTINGS.side / max(gray.shape))
    if scale < 1:
        gray = cv2.resize(gray, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    lattice = _found(gray, profile)
    if lattice is None:
        return Aim(None, "dark" if np.percentile(gray, 90) < PAPER else "none")
    size = np.array(gray.shape[1::-1], float)
    return Aim((corners(lattice) + 0.5) / size, _trouble(gray, lattice, profile))


def _found(gray: np.ndarray, profile: SheetProfile) -> np.ndarray | None:
    page = printed_page(profile)
    if page is not None:
        found = register(gray, page, profile.rows, profile.cols)
        return None if found is None else found.lattice
    try:
        return refined(gray, rough_grid(gray, profile.rows, profile.cols)).lattice
    except PhotoError:
        return None


def _trouble(gray: np.ndarray, lattice: np.ndarray, profile: SheetProfile) -> str | None:
    sheet_map = SheetMap(lattice)
    boxes = [box for track in profile.tracks.values() for box in track]
    frame = sheet_map.frame([(0, 0, profile.cols, profile.rows), *boxes], 0.0)
    if frame.min() < 0 or np.any(frame.max(0) > np.array(gray.shape[1::-1]) - 1):
        return "whole"
    if cell_pixels(lattice) < SETTINGS.cell * max(gray.shape):
        return "closer"
    if is_tilted(lattice):
        return "tilt"
    light = paper_light(gray, sheet_map)
    if is_dark(light):
        return "dark"
    return "shadow" if is_shadowed(light) else None
