"""The blank sheet's whole page: what is printed around the grid tells how the paper bends where no grid line does.

Boxes beside the grid are found by following the print outwards, patch by patch, from the grid's edge, where the place
is known, to the boxes: curled paper may lie a whole box off at the page's edge.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path

import cv2
import numpy as np

from vision.errors import PhotoError, why
from vision.photo import load_photo
from vision.sheet.blank import BlankError
from vision.sheet.flatten import SheetMap, flatten
from vision.sheet.grid import find_grid
from vision.sheet.orientation import upright
from vision.sheet.profile import Box, SheetProfile
from vision.sheet.ticks import outline_evidence


@dataclass(frozen=True)
class FollowSettings:
    """How print is followed. Lengths in cells unless said."""

    cell: int = 14  # pixels a cell of the pictures that are compared
    patch: float = 2.2  # width of a patch
    reach: float = 0.4  # how far a patch may lie from where its neighbors say
    like: float = 0.6  # correlation from which a patch is believed
    plain: float = 4.0  # gray levels of deviation below which a patch shows no print
    better: float = 1.1  # times the outline that a track must show where the print has it
    around: float = 1.6  # how much around the boxes is looked at


SETTINGS = FollowSettings()


@dataclass(frozen=True)
class Page:
    """The whole blank page: `image` (H, W) uint8 gray, `lattice` (rows + 1, cols + 1, 2) the grid's crossings in it."""

    image: np.ndarray
    lattice: np.ndarray


def load_page(profile: SheetProfile) -> Page | None:
    """The profile's page; None where it names none. Raises BlankError where the picture is of no use."""
    if profile.page is None or profile.folder is None:
        return None
    path = profile.folder / profile.page
    try:
        stamp = path.stat().st_mtime_ns
    except OSError as error:
        raise BlankError(path, PhotoError("photo.no-file", reason=why(error))) from None
    page, problem = _page(path, stamp, profile.rows, profile.cols, tuple(sorted(profile.letters.items())))
    if problem:
        raise BlankError(path, problem)
    return page


def known_page(profile: SheetProfile) -> Page | None:
    """The profile's page; None where it has none of use."""
    try:
        return load_page(profile)
    except BlankError:
        return None


@lru_cache(maxsize=8)
def _page(
    path: Path, _stamp: int, rows: int, cols: int, letters: tuple[tuple[str, tuple[int, int]], ...]
) -> tuple[Page | None, PhotoError | None]:
    profile = SheetProfile("page", rows, cols, dict(letters))
    try:
        gray = cv2.cvtColor(load_photo(path.read_bytes()), cv2.COLOR_BGR2GRAY)
        lattice, evidence = upright(gray, find_grid(gray, rows, cols).lattice, profile)
    except PhotoError as error:
        return None, PhotoError(error.key, **error.values)
    except OSError as error:
        return None, PhotoError("photo.no-file", reason=why(error))
    if evidence.other(profile):
        return None, PhotoError("sheet.other", name=path.name)
    return Page(gray, lattice), None


def settled(
    gray: np.ndarray, sheet_map: SheetMap, page: Page, profile: SheetProfile, settings: FollowSettings = SETTINGS
) -> tuple[SheetProfile, tuple[bool, ...]]:
    """The profile with its tracks' and numbers' boxes where this photo shows them; whether print told so, by number.

    Args:
        gray: (H, W) uint8 photo.
        sheet_map: where its grid lies.
        page: the blank page.
        profile: the sheet, as it was enrolled.
    """
    groups = [*profile.tracks.values(), profile.written]
    boxes = [box for group in groups for box in group]
    if not boxes:
        return profile, ()
    off, told = offsets(gray, sheet_map, page, boxes, settings)
    moved = iter((x + dx, y + dy, w, h) for (x, y, w, h), (dx, dy) in zip(boxes, off.tolist(), strict=True))
    tracks = {}
    for name, track in profile.tracks.items():
        there = tuple(next(moved) for _ in track)
        # A row of equal boxes may be followed a box too far: their own outlines have the last word.
        shown = [outline_evidence(gray, sheet_map, place) if place else 0.0 for place in (track, there)]
        tracks[name] = there if shown[1] > settings.better * shown[0] else track
    return replace(profile, tracks=tracks, written=tuple(moved)), tuple(
        told.tolist()[len(boxes) - len(profile.written) :]
    )


def offsets(
    gray: np.ndarray, sheet_map: SheetMap, page: Page, boxes: Sequence[Box], settings: FollowSettings = SETTINGS
) -> tuple[np.ndarray, np.ndarray]:
    """How far boxes beside the grid lie from where the grid alone would have them: (n, 2) cells, right and down; and
    whether the print around each tells so, (n,) bool."""
    rows, cols, cell = sheet_map.rows, sheet_map.cols, settings.cell
    x, y, w, h = np.array(boxes, float).T
    half = settings.patch / 2 + settings.reach
    left, top = np.floor(min(x.min() - settings.around, 0) - half), np.floor(min(y.min() - settings.around, 0) - half)
    right = np.ceil(max((x + w).max() + settings.around, cols) + half)
    bottom = np.ceil(max((y + h).max() + settings.around, rows) + half)
    box = (left, top, right - left, bottom - top)
    seen, known = (
        _even(flatten(image, where, cell, box=box).image, cell)
        for image, where in ((gray, sheet_map), (page.image, SheetMap(page.lattice)))
    )
    corners = [
        (px, py) for bx, by, bw, bh in [*boxes, (0, 0, cols, rows)] for px in (bx, bx + bw) for py in (by, by + bh)
    ]
    hull = cv2.convexHull((np.array(corners, np.float32) - (left, top)).astype(np.float32))
    within = np.zeros((round(box[3]) + 1, round(box[2]) + 1), np.uint8)
    cv2.fillConvexPoly(within, np.round(hull).astype(np.int32), 1)
    within = cv2.dilate(within, np.ones((3, 3), np.uint8)) > 0
    found, told = _followed(seen, known, (left, top), (rows, cols), within, settings)
    places = np.stack([x + w / 2 - left, y + h / 2 - top], 1).astype(np.float32)[None]
    out = cv2.remap(found, places[..., 0], places[..., 1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    col, row = np.round(places[0]).astype(int).T
    return out[0], told[row, col]


def _even(flat: np.ndarray, cell: int) -> np.ndarray:
    """(h, w) uint8: print on gray, whatever the light."""
    light = cv2.blur(flat, (2 * cell + 1,) * 2)
    return cv2.divide(flat, cv2.max(light, 8), scale=180)  # type: ignore[call-overload]


def _followed(
    seen: np.ndarray,
    known: np.ndarray,
    corner: tuple[float, float],
    size: tuple[int, int],
    within: np.ndarray,
    settings: FollowSettings,
) -> tuple[np.ndarray, np.ndarray]:
    """(h, w, 2) float32 cells: how far the print lies off at each whole place `within` beyond the grid, 0 in the grid;
    (h, w) bool: where the print tells, there or beside."""
    cell = settings.cell
    v, u = np.mgrid[0 : within.shape[0], 0 : within.shape[1]]
    away = np.maximum(
        np.maximum(-(u + corner[0]), u + corner[0] - size[1]), np.maximum(-(v + corner[1]), v + corner[1] - size[0])
    )
    off = np.zeros((*within.shape, 2), np.float32)
    known_here, told = away <= 0, away <= 0
    half, reach = round(settings.patch * cell / 2), round(settings.reach * cell)
    order = np.argsort(np.maximum(away, 0), axis=None, kind="stable")
    for row, col in zip(*np.unravel_index(order, away.shape), strict=True):
        if known_here[row, col] or not within[row, col]:
            continue
        wide = np.s_[max(0, row - 2) : row + 3, max(0, col - 2) : col + 3]
        near = told[wide] if told[wide].any() else known_here[wide]
        # What the print tells outweighs what was only carried on; the middle one of all is led astray by none.
        guess = np.median(off[wide][near], 0) if near.any() else np.zeros(2, np.float32)
        shift = _shift(seen, known, (col * cell, row * cell), guess * cell, half, reach, settings)
        off[row, col] = guess if shift is None else guess + shift / cell
        known_here[row, col], told[row, col] = True, shift is not None
    smooth = np.stack([cv2.medianBlur(np.ascontiguousarray(off[..., k]), 3) for k in (0, 1)], 2)
    # Writing makes a patch unlike its print: its neighbors tell as well.
    near_told = cv2.dilate(told.astype(np.uint8), np.ones((3, 3), np.uint8)) > 0
    return np.where((away > 0)[..., None], smooth, 0).astype(np.float32), near_told


def _shift(
    seen: np.ndarray,
    known: np.ndarray,
    at: tuple[int, int],
    guess: np.ndarray,
    half: int,
    reach: int,
    settings: FollowSettings,
) -> np.ndarray | None:
    """Pixels, right and down, by which a patch of print lies off from the guess; None where it does not tell."""
    x, y = at
    patch = known[max(0, y - half) : y + half, max(0, x - half) : x + half]
    gx, gy = x + round(float(guess[0])), y + round(float(guess[1]))
    lo_x, lo_y = gx - half - reach, gy - half - reach
    if x < half or y < half or lo_x < 0 or lo_y < 0:
        return None
    room = seen[lo_y : gy + half + reach, lo_x : gx + half + reach]
    if patch.shape != (2 * half, 2 * half) or room.shape != (2 * (half + reach),) * 2 or patch.std() < settings.plain:
        return None
    likeness = cv2.matchTemplate(room, patch, cv2.TM_CCOEFF_NORMED)
    _, best, _, (bx, by) = cv2.minMaxLoc(likeness)
    if best < settings.like or not np.isfinite(best):
        return None
    rounding = np.array([gx - x, gy - y]) - guess
    return (np.array([bx - reach, by - reach]) + rounding).astype(np.float32)
