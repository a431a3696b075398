"""Enrolling a blank sheet: its letters, its entrance and its tick tracks, from one photo."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import cv2
import numpy as np

from calibration.assignment import assign
from vision.errors import PhotoError
from vision.sheet.flatten import FlatSheet, SheetMap, flatten
from vision.sheet.grid import find_grid
from vision.sheet.letters import ALPHABET, NONE, read_letters
from vision.sheet.lines import follow
from vision.sheet.profile import Cell, SheetProfile
from vision.sheet.tracks import Track, boxes_of, find_tracks
from vision.sheet.upright import upright

TRACKS = ("gems", "penalties")
"""Names of the tracks in reading order."""


@dataclass(frozen=True)
class EnrolSettings:
    """Lengths in cells unless said."""

    cell: int = 48  # pixels a cell of the flattened sheet
    least_cell: float = 12  # pixels a cell in the photo
    least: float = 0.3  # probability from which a letter is taken at all
    sure: float = 0.9  # below it a letter is doubtful
    drag: float = 0.45  # farthest that a corner set by hand is moved onto the printed lines
    symbol: float = 0.02  # least share of a cell that an entrance's symbol covers


SETTINGS = EnrolSettings()


@dataclass(frozen=True)
class Enrolment:
    """What was found on a blank sheet.

    Attributes:
        profile: to be saved, once a person has looked at it.
        lattice: (rows + 1, cols + 1, 2) float, crossings in photo pixels, [0, 0] the sheet's top left.
        flat: (H, W, 3) BGR, the sheet from above with its tracks; a cell is `flat_cell` pixels, the grid's
            top left corner lies at `flat_origin` [x, y].
        letter_confidence: how sure each letter of the profile is, 0 to 1.
        doubtful: letters that a person should look at.
        missing: letters before the last one found that were not found.
    """

    profile: SheetProfile
    lattice: np.ndarray
    flat: np.ndarray
    flat_cell: int
    flat_origin: tuple[float, float]
    letter_confidence: Mapping[str, float]
    doubtful: tuple[str, ...]
    missing: tuple[str, ...]


def enroll(
    image: np.ndarray,
    rows: int = 11,
    cols: int = 11,
    name: str = "sheet",
    letters: Mapping[str, Cell] | None = None,
    grid: np.ndarray | None = None,
    settings: EnrolSettings = SETTINGS,
) -> Enrolment:
    """Make a profile of a blank sheet's photo.

    Args:
        image: (H, W, 3) BGR uint8.
        letters: what is printed where, by a person who knows; else it is read.
        grid: (4, 2) corners set by a person (top left, top right, bottom right, bottom left), instead of the search.

    Raises PhotoError where no grid is found or the photo is too small.
    """
    lattice = find_grid(image, rows, cols).lattice if grid is None else _from_corners(image, grid, rows, cols, settings)
    cell = SheetMap(lattice).cell_pixels
    if cell < settings.least_cell:
        raise PhotoError("sheet.too-small", cell=cell)
    if letters is None:
        lattice, found, confidence = _read(image, lattice, rows, cols, settings)
    else:
        found, confidence = dict(letters), dict.fromkeys(letters, 1.0)
        lattice, _ = upright(image, lattice, SheetProfile(name, rows, cols, found))
    sheet_map = SheetMap(lattice)
    tracks = find_tracks(image, sheet_map)
    flat = _shown(image, sheet_map, tracks, settings)
    profile = SheetProfile(
        name, rows, cols, found,
        _entrance(flat, rows, cols, set(found.values()), settings),
        {k: boxes_of(t) for k, t in zip(TRACKS, tracks, strict=False)},
    )  # fmt: skip
    last = max(map(ALPHABET.find, found), default=-1)
    return Enrolment(
        profile, lattice, flat.image, flat.cell, flat.origin, confidence,
        tuple(k for k in sorted(confidence) if confidence[k] < settings.sure),
        tuple(k for k in ALPHABET[: last + 1] if k not in found),
    )  # fmt: skip


def _from_corners(image: np.ndarray, grid: np.ndarray, rows: int, cols: int, settings: EnrolSettings) -> np.ndarray:
    """The lattice between four corners, moved onto the printed lines where those are near."""
    corners = np.asarray(grid, np.float32).reshape(4, 2)
    units = np.array([[0, 0], [cols, 0], [cols, rows], [0, rows]], np.float32)
    plane = cv2.getPerspectiveTransform(units, corners)
    v, u = np.mgrid[0 : rows + 1, 0 : cols + 1].astype(np.float64)
    lattice = cv2.perspectiveTransform(np.stack([u, v], -1).reshape(1, -1, 2), plane).reshape(rows + 1, cols + 1, 2)
    if abs(cv2.contourArea(corners)) < rows * cols or not cv2.isContourConvex(corners):
        raise PhotoError("sheet.no-grid", rows=rows, cols=cols)
    gray = cv2.cvtColor(image, cv2.COLOR_BGR2GRAY) if image.ndim == 3 else image
    followed = lattice
    for reach, bend in ((0.3, 4.0), (0.12, 0.5)):
        followed = follow(gray, followed, cell=24, reach=reach, bend=bend).lattice
    near = np.abs(followed - lattice).max() < settings.drag * SheetMap(lattice).cell_pixels
    return followed if near and np.all(np.isfinite(followed)) else lattice


def _read(
    image: np.ndarray, lattice: np.ndarray, rows: int, cols: int, settings: EnrolSettings
) -> tuple[np.ndarray, dict[str, Cell], dict[str, float]]:
    """The turn at which the letters read best, the letters, and how sure each is."""
    best = None
    for turn in range(4):
        turned = np.rot90(lattice, turn)
        if turned.shape[:2] != (rows + 1, cols + 1):
            continue
        seen = read_letters(flatten(image, SheetMap(turned), settings.cell, 0.2), rows, cols).reshape(-1, NONE + 1)
        # How much better each letter explains a cell than nothing does; each letter once, a cell one letter.
        gain = np.log((seen[:, :NONE].T + 1e-4) / (seen[:, NONE] + settings.least / 10 + 1e-4))
        pairs = assign(gain)
        value = sum(gain[k, c] for k, c in pairs)
        if best is None or value > best[0]:
            best = value, turned, seen, pairs
    _, turned, seen, pairs = best
    pairs = [(k, c) for k, c in pairs if seen[c, k] > settings.least * (1 - seen[c, NONE])]
    found = {ALPHABET[k]: divmod(int(c), cols) for k, c in pairs}
    return turned, found, {ALPHABET[k]: round(float(seen[c, k]), 4) for k, c in pairs}


def _shown(image: np.ndarray, sheet_map: SheetMap, tracks: list[Track], settings: EnrolSettings) -> FlatSheet:
    """The grid and its tracks from above, half a cell around."""
    corners = [(0, 0, sheet_map.cols, sheet_map.rows), *(t.bounds for t in tracks)]
    left, top = (min(c[k] for c in corners) - 0.5 for k in (0, 1))
    right, bottom = (max(c[k] for c in corners) + 0.5 for k in (2, 3))
    return flatten(image, sheet_map, settings.cell, box=(left, top, right - left, bottom - top))


def _entrance(flat: FlatSheet, rows: int, cols: int, taken: set[Cell], settings: EnrolSettings) -> Cell | None:
    """The cell with a printed symbol that is no letter; else the center, where there is one."""
    gray = cv2.cvtColor(flat.image, cv2.COLOR_BGR2GRAY) if flat.image.ndim == 3 else flat.image
    best, where = settings.symbol, None
    inset = round(0.14 * flat.cell)
    for row in range(rows):
        for col in range(cols):
            if (row, col) in taken:
                continue
            top, left = (round(o + k * flat.cell) for o, k in ((flat.origin[1], row), (flat.origin[0], col)))
            part = gray[top + inset : top + flat.cell - inset, left + inset : left + flat.cell - inset].astype(np.float32)
            ink = 1 - part / max(float(np.percentile(part, 85)), 8)
            covered = float((ink > 0.2).mean())
            if covered > best:
                best, where = covered, (row, col)
    if where is None and rows % 2 and cols % 2:
        return rows // 2, cols // 2
    return where
