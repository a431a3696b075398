"""Measure from a picture whether mats and stickers were printed at the stated size.

A print that came out smaller as a whole keeps its proportions, so a mat alone cannot show it: stickers that were
printed apart from it can, and so can a ruler. Markers and zone disagree where the profile belongs to other paper, or
where four loose markers were laid out otherwise than it says.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import cv2
import numpy as np

from vision.table.profile import Zone

TOLERANCE = 0.02
"""Part of its length by which a marker is measured wrongly at worst from a usual height; more is a wrong size."""
Size = tuple[float, float]
"""Width and height in mm."""


@dataclass(frozen=True)
class Scale:
    """How large a thing is beside what was stated, across and down: 0.97 is 97 % of its size."""

    across: float
    down: float

    @property
    def true(self) -> bool:
        """Whether it is as stated."""
        return max(abs(self.across - 1), abs(self.down - 1)) <= TOLERANCE


def print_scale(markers: np.ndarray, size_mm: Size, marker_mm: float) -> Scale:
    """How large a zone is beside what its profile says, measured by its own markers.

    Args:
        markers: (4, 4, 2) corners in pixels of the markers at the zone's top left, top right, bottom right and bottom
            left, each from its own top left clockwise.
        size_mm: the zone's stated width and height between the markers' outer corners.
        marker_mm: side of the markers' black squares as printed.
    """
    flat = _flat(np.array([markers[i][i] for i in range(4)]), size_mm)
    seen = cv2.perspectiveTransform(np.asarray(markers, np.float32).reshape(-1, 1, 2), flat).reshape(4, 4, 2)
    across = [np.linalg.norm(seen[:, b] - seen[:, a], axis=1) for a, b in ((0, 1), (3, 2))]
    down = [np.linalg.norm(seen[:, b] - seen[:, a], axis=1) for a, b in ((0, 3), (1, 2))]
    return Scale(float(marker_mm / np.mean(across)), float(marker_mm / np.mean(down)))


def zone_scale(zone: Zone, seen: Mapping[int, np.ndarray], marker_mm: float) -> Scale | None:
    """The same for a zone of a profile and the markers, (4, 2) by id, that were seen; None without size or markers."""
    if zone.markers is None or zone.size_mm is None or not all(number in seen for number in zone.markers):
        return None
    return print_scale(np.array([seen[number] for number in zone.markers]), zone.size_mm, marker_mm)


def sticker_scale(stickers: Sequence[np.ndarray], zone: np.ndarray, size_mm: Size, marker_mm: float) -> np.ndarray:
    """(n,) how large stickers in a zone are beside what was stated, measured in the zone's stated millimetres.

    Above 1: they were printed larger than the zone, or the zone smaller than it says.

    Args:
        stickers: their black squares, (4, 2) pixels each.
        zone: (4, 2) pixels, the zone's corners from its top left.
        marker_mm: side of the stickers' black squares as printed.
    """
    flat = _flat(zone, size_mm)
    sides = []
    for sticker in stickers:
        seen = cv2.perspectiveTransform(np.asarray(sticker, np.float32).reshape(-1, 1, 2), flat).reshape(4, 2)
        sides.append(np.linalg.norm(seen - np.roll(seen, 1, axis=0), axis=1).mean())
    return np.array(sides) / marker_mm


def _flat(zone: np.ndarray, size_mm: Size) -> np.ndarray:
    width, height = size_mm
    return cv2.getPerspectiveTransform(
        np.asarray(zone, np.float32), np.asarray([[0, 0], [width, 0], [width, height], [0, height]], np.float32)
    )
