"""Whether a printed mat is as large as its profile says: what the picture can tell of it.

A print that came out smaller as a whole keeps its proportions, so markers alone cannot show it: the tiles lying on it
can (they look larger than they are), and so can a ruler. Markers and zone disagree where the profile belongs to other
paper, or where four loose markers were laid out otherwise than it says.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import cv2
import numpy as np

from vision.table.profile import Zone

TOLERANCE = 0.02
"""Part of its length by which a marker is measured wrongly at worst from a usual height; more is a wrong size."""
LEAST_TILES = 5
"""Tiles from which their median side is worth a word."""


@dataclass(frozen=True)
class Scale:
    """How large a thing is beside what was stated, across and down: 0.97 is 97 % of its size."""

    across: float
    down: float

    @property
    def true(self) -> bool:
        """Whether it is as stated."""
        return max(abs(self.across - 1), abs(self.down - 1)) <= TOLERANCE


def print_scale(markers: np.ndarray, size_mm: tuple[float, float], marker_mm: float) -> Scale:
    """How large a zone is beside what its profile says, measured by its own markers.

    Args:
        markers: (4, 4, 2) corners in pixels of the markers at the zone's top left, top right, bottom right and bottom
            left, each from its own top left clockwise.
        size_mm: the zone's stated width and height between the markers' outer corners.
        marker_mm: side of the markers' black squares as printed.
    """
    width, height = size_mm
    outer = np.float32([markers[i][i] for i in range(4)])
    flat = cv2.getPerspectiveTransform(outer, np.float32([[0, 0], [width, 0], [width, height], [0, height]]))
    seen = cv2.perspectiveTransform(np.float32(markers).reshape(-1, 1, 2), flat).reshape(4, 4, 2)
    across = [np.linalg.norm(seen[:, b] - seen[:, a], axis=1) for a, b in ((0, 1), (3, 2))]
    down = [np.linalg.norm(seen[:, b] - seen[:, a], axis=1) for a, b in ((0, 3), (1, 2))]
    return Scale(float(marker_mm / np.mean(across)), float(marker_mm / np.mean(down)))


def zone_scale(zone: Zone, seen: Mapping[int, np.ndarray], marker_mm: float) -> Scale | None:
    """The same for a zone of a profile and the markers, (4, 2) by id, that were seen; None without size or markers."""
    if zone.markers is None or zone.size_mm is None or not all(number in seen for number in zone.markers):
        return None
    return print_scale(np.array([seen[number] for number in zone.markers]), zone.size_mm, marker_mm)


def scale_by_tiles(sides_mm: np.ndarray, tile_mm: float) -> float | None:
    """How large the print is, measured by the tiles on it: 0.97 where tiles of 22 mm seem 22.7 mm wide.

    `sides_mm` are the sides of tiles in their zones' stated millimetres. None where too few say anything.
    """
    if len(sides_mm) < LEAST_TILES:
        return None
    return float(tile_mm / np.median(sides_mm))
