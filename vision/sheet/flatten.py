"""From the photo to the sheet seen straight from above, and back.

The grid's crossings carry the whole geometry: a homography says where the sheet lies,
and what is left at each crossing (curl, folds, lens) is interpolated between them and
carried on beyond the grid's edge, where no line tells.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

import cv2
import numpy as np

from vision.sheet.profile import Box, Cell, Place

ROW = 256
APART = 0.5
"""Sides of a sheet by which the middles of two are apart at least."""
STEP = 8
"""Pixels from one that is mapped exactly to the next; places between are interpolated: bends are far wider."""


def crossings(rows: int, cols: int, left: int = 0, top: int = 0) -> np.ndarray:
    """(rows + 1, cols + 1, 2): the crossings of a grid's lines in grid units, from `left` and `top` on."""
    v, u = np.mgrid[top : top + rows + 1, left : left + cols + 1].astype(np.float64)
    return np.stack([u, v], -1)


def projected(homography: np.ndarray, rows: int, cols: int, left: int = 0, top: int = 0) -> np.ndarray:
    """The lattice, (rows + 1, cols + 1, 2) pixels, as a homography from grid units lays these crossings."""
    units = crossings(rows, cols, left, top)
    return cv2.perspectiveTransform(units.reshape(1, -1, 2), homography).reshape(units.shape)


class SheetMap:
    """Grid units to photo pixels for one photographed sheet.

    Args:
        lattice: (rows + 1, cols + 1, 2) float, the crossings of the grid's lines in photo
            pixels [x, y] (OpenCV's: the center of the first pixel is 0, 0).
    """

    def __init__(self, lattice: np.ndarray) -> None:
        self.lattice = np.asarray(lattice, np.float64)
        self.rows, self.cols = self.lattice.shape[0] - 1, self.lattice.shape[1] - 1
        units = crossings(self.rows, self.cols)
        homography, _ = cv2.findHomography(units.reshape(-1, 2), self.lattice.reshape(-1, 2), 0)
        if homography is None:
            raise ValueError("expected a lattice that spans a plane")
        self.homography = homography
        self.residual = (self.lattice - self._plane(units[..., 0], units[..., 1])).astype(np.float32)

    def _plane(self, u: np.ndarray, v: np.ndarray) -> np.ndarray:
        h = self.homography
        w = h[2, 0] * u + h[2, 1] * v + h[2, 2]
        return np.stack([(h[0, 0] * u + h[0, 1] * v + h[0, 2]) / w, (h[1, 0] * u + h[1, 1] * v + h[1, 2]) / w], -1)

    def __call__(self, u: np.ndarray, v: np.ndarray) -> np.ndarray:
        """Photo pixels of grid coordinates: `u` to the right, `v` down, any equal shape; returns (..., 2)."""
        u, v = np.asarray(u, np.float64), np.asarray(v, np.float64)
        if not u.size:
            return np.zeros((*u.shape, 2))
        # OpenCV's remap takes no row longer than 32,767 points: the points go down a column of short rows.
        points = np.zeros((2, -(-u.size // ROW) * ROW), np.float32)
        points[:, : u.size] = u.ravel(), v.ravel()
        where = points.reshape(2, -1, ROW)
        bend = cv2.remap(self.residual, where[0], where[1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
        return self._plane(u, v) + bend.reshape(-1, 2)[: u.size].reshape(*u.shape, 2)

    def frame(self, boxes: Sequence[Box] = (), around: float = 0.0) -> np.ndarray:
        """Photo pixels, (4, 2), of the corners around the grid, boxes beside it, and `around` cells more."""
        x, y, w, h = np.array([(0, 0, self.cols, self.rows), *boxes], np.float64).T
        (left, top), (right, bottom) = (x.min(), y.min()), ((x + w).max(), (y + h).max())
        left, top, right, bottom = left - around, top - around, right + around, bottom + around
        return self(np.array([left, right, right, left]), np.array([top, top, bottom, bottom]))

    def units(self, points: np.ndarray) -> np.ndarray:
        """Grid coordinates [u, v] of photo pixels (n, 2): (n, 2)."""
        if not len(points):
            return np.zeros((0, 2))
        plane, points = np.linalg.inv(self.homography), np.asarray(points, np.float64).reshape(-1, 1, 2)
        found = cv2.perspectiveTransform(points, plane)
        for _ in range(2):
            u, v = found[..., 0], found[..., 1]
            found = cv2.perspectiveTransform(points - (self(u, v) - self._plane(u, v)), plane)
        return found[:, 0]

    @property
    def cell_pixels(self) -> float:
        """The mean width of a cell in the photo, in pixels."""
        return cell_pixels(self.lattice)


def cell_pixels(lattice: np.ndarray) -> float:
    """The mean width of a cell between crossings (rows + 1, cols + 1, 2), in the same unit."""
    area = abs(cv2.contourArea(corners(lattice).astype(np.float32)))
    return float(np.sqrt(area / ((lattice.shape[0] - 1) * (lattice.shape[1] - 1))))


def of_one_sheet(one: np.ndarray, other: np.ndarray) -> bool:
    """Whether two lattices are too close to be of two sheets."""
    side = min(cell_pixels(lattice) * (len(lattice) - 1) for lattice in (one, other))
    return float(np.linalg.norm(one.mean((0, 1)) - other.mean((0, 1)))) < APART * side


def corners(lattice: np.ndarray) -> np.ndarray:
    """The grid's corners, (4, 2), of its crossings: top left, top right, bottom right, bottom left."""
    return lattice[[0, 0, -1, -1], [0, -1, -1, 0]]


@dataclass(frozen=True)
class FlatSheet:
    """The sheet seen straight from above.

    `image` is (H, W, 3) BGR; one cell is `cell` pixels; the grid's top left corner lies at
    `origin` [x, y], in pixels from the corner of the first pixel.
    """

    image: np.ndarray
    cell: int
    origin: tuple[float, float]

    @property
    def place(self) -> Place:
        """Where the grid lies, as a profile has it."""
        return round(float(self.origin[0]), 4), round(float(self.origin[1]), 4), float(self.cell)


def flatten(
    image: np.ndarray,
    sheet_map: SheetMap,
    cell: int = 40,
    margin: float = 1.0,
    box: tuple[float, float, float, float] | None = None,
) -> FlatSheet:
    """Resample the sheet to `cell` pixels a cell.

    Args:
        image: (H, W, 3) BGR or (H, W) gray photo.
        sheet_map: where the grid lies in it.
        cell: pixels a cell in the result.
        margin: cells shown around the grid, unless `box` is given.
        box: x, y, width, height in grid units: the part of the sheet to show.
    """
    x, y, w, h = box or (-margin, -margin, sheet_map.cols + 2 * margin, sheet_map.rows + 2 * margin)
    width, height = round(w * cell), round(h * cell)
    us = x + (np.arange(-1, -(-width // STEP) + 1) + 0.5) * (STEP / cell)
    vs = y + (np.arange(-1, -(-height // STEP) + 1) + 0.5) * (STEP / cell)
    where = sheet_map(*np.meshgrid(us, vs)).astype(np.float32)
    if (shrink := round(sheet_map.cell_pixels / cell)) > 1:
        image, first = _shrunk(image, where, shrink)
        where = ((where - first + 0.5) / shrink - 0.5).astype(np.float32)
    full = cv2.resize(where, None, fx=STEP, fy=STEP, interpolation=cv2.INTER_LINEAR)
    flat = _resampled(image, full[STEP : STEP + height, STEP : STEP + width])
    return FlatSheet(flat, cell, (-x * cell, -y * cell))


def cut_part(
    picture: np.ndarray, first: Sequence[float] | np.ndarray, step: Sequence[float] | np.ndarray, size: tuple[int, int]
) -> np.ndarray:
    """A part of a picture, (h, w) or (h, w, 3), resampled to `size` (width, height); its edge is carried on beyond it.

    Args:
        first: [x, y] of the part's upper left corner, in pixels from the corner of the picture's first one.
        step: [x, y] pixels of the picture for one of the part.
    """
    (left, top), (across, down) = first, step
    where = np.array([[across, 0, left + across / 2 - 0.5], [0, down, top + down / 2 - 0.5]])
    how = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    return cv2.warpAffine(picture, where, size, flags=how, borderMode=cv2.BORDER_REPLICATE)


def _shrunk(image: np.ndarray, where: np.ndarray, shrink: int) -> tuple[np.ndarray, np.ndarray]:
    """The part of a photo around places, (…, w, 2) in its pixels, with `shrink` × `shrink` of them made one, and its
    first pixel [x, y]; what is at the photo's edge where they lie outside."""
    rows, size = where.reshape(-1, 2 * where.shape[-2]), np.array(image.shape[1::-1])
    # Row by row first: along an axis of two NumPy is slow.
    lo, hi = (ends.reshape(-1, 2) for ends in (rows.min(0), rows.max(0)))
    first = np.clip(np.floor(lo.min(0)).astype(int) - shrink, 0, size - 2 * shrink)
    end = np.clip(np.ceil(hi.max(0)).astype(int) + 2 * shrink, first + 2 * shrink, size)
    end -= (end - first) % shrink
    part = image[first[1] : end[1], first[0] : end[0]]
    return cv2.resize(part, None, fx=1 / shrink, fy=1 / shrink, interpolation=cv2.INTER_AREA), first


def _resampled(image: np.ndarray, where: np.ndarray) -> np.ndarray:
    """A picture at places (h, w, 2) float32 in its pixels [x, y]."""
    # OpenCV takes half the time for four colors that it takes for three, and gives the same.
    four = image.ndim == 3 and image.size < 4 * where.size
    seen = cv2.cvtColor(image, cv2.COLOR_BGR2BGRA) if four else image
    out = cv2.remap(seen, where, None, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)  # type: ignore[call-overload]
    return cv2.cvtColor(out, cv2.COLOR_BGRA2BGR) if four else out


@cache
def _knots(side: int, span: float) -> tuple[np.ndarray, np.ndarray]:
    """Cells from a cell's upper left corner to what is mapped exactly of its picture, and the shares of these places
    in each pixel's: (side, knots)."""
    every = np.arange(side // STEP + 2)
    shares = np.maximum(0, 1 - np.abs((np.arange(side)[:, None] + STEP / 2) / STEP - every)).astype(np.float32)
    return ((every - 0.5) * STEP + 0.5) / side * span + (0.5 - span / 2), shares


def cut_cells(
    image: np.ndarray, sheet_map: SheetMap, cells: Sequence[Cell] | np.ndarray, side: int, span: float
) -> np.ndarray:
    """Cut single cells out of the photo, straight from above: (n, side, side, 3) or (n, side, side) uint8.

    Args:
        image: (H, W, 3) BGR or (H, W) gray uint8 photo.
        sheet_map: where the grid lies in it.
        cells: their rows and columns.
        side: pixels of each picture; `span`: cells that it shows, its own in the middle.
    """
    if not len(cells):
        return np.empty((0, side, side, *image.shape[2:]), np.uint8)
    rows, cols = np.array(cells, np.float64).reshape(-1, 2).T
    knots, shares = _knots(side, span)
    u = np.broadcast_to((cols[:, None] + knots)[:, None, :], (len(cols), len(knots), len(knots)))
    v = (rows[:, None] + knots)[:, :, None]
    where = sheet_map(u, np.broadcast_to(v, u.shape)).astype(np.float32)
    full = np.einsum("yi,nijk,xj->nyxk", shares, where, shares, optimize=True)
    full = full.reshape(len(full), side * side, 2)  # a cell a row: OpenCV fills no picture of 32,767 rows
    if (shrink := round(sheet_map.cell_pixels * span / side)) > 1:
        image, first = _shrunk(image, where, shrink)
        full = (full - (first - 0.5).astype(np.float32)) / shrink - 0.5
    return _resampled(image, full).reshape(-1, side, side, *image.shape[2:])
