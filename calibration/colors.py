"""Calibrate tile colors from photos of one row of tiles in a known order."""

from collections.abc import Sequence

import cv2
import numpy as np

from common.messages import InputError
from vision.table.classifier import judge_tiles, tile_windows
from vision.table.detector import find_tiles
from vision.table.markers import find_markers
from vision.table.palette import Palette
from vision.table.plane import locate, project, table_plane
from vision.table.profile import TableProfile
from vision.table.reading import COLORS
from vision.table.rows import rows_and_columns
from vision.table.white_balance import Balance, paper_white


class ColorsError(InputError):
    """A photo that shows no such row, and why."""


def learn_palette(images: Sequence[np.ndarray], profile: TableProfile, order: Sequence[str] = COLORS) -> Palette:
    """A palette from one or more photos, (H, W, 3) BGR, of one row of tiles in that order, in a zone.

    Raises ColorsError where a photo shows no such row.
    """
    tiles: dict[str, list[np.ndarray]] = {color: [] for color in order}
    for image in images:
        for color, window in zip(order, find_row(image, profile, len(order))[0], strict=True):
            tiles[color].append(window)
    return Palette(tiles)


def find_row(image: np.ndarray, profile: TableProfile, count: int) -> tuple[np.ndarray, np.ndarray]:
    """The tiles of the row, left to right: their pictures (count, 32, 32, 3), and their centers (count, 2) in pixels.

    Raises ColorsError.
    """
    gray = cv2.cvtColor(image, cv2.COLOR_BGR2GRAY)
    markers = find_markers(gray, profile.dictionary, profile.zone_markers)
    zones = locate(profile, markers.outlines, {}, image.shape)
    plane = table_plane(profile, zones, image.shape)
    if plane is None:
        raise ColorsError("colors.no-markers")
    balance = Balance(paper_white(image, markers.outlines.values(), profile.white))
    places = find_tiles(image, plane, balance)
    odds = judge_tiles(tile_windows(image, plane, places, balance)).odds
    most = 0
    for zone in zones.values():
        outline = zone.outline.astype(np.float32).reshape(-1, 1, 2)
        centers = project(plane.to_pixels, places[:, :2])
        inside = [cv2.pointPolygonTest(outline, tuple(map(float, c)), False) >= 0 for c in centers]
        mine = np.nonzero(np.array(inside, bool) & (odds[:, -1] < 0.9))[0]
        own = project(zone.to_mm, centers[mine]) / profile.tile_mm
        cells = rows_and_columns(own)
        for row in range(cells[:, 0].max(initial=-1) + 1):
            line = mine[cells[:, 0] == row][np.argsort(cells[cells[:, 0] == row, 1])]
            if len(line) == count:
                return tile_windows(image, plane, places[line], balance), centers[line]
            most = max(most, len(line))
    raise ColorsError("colors.no-row", count=count, found=most)
