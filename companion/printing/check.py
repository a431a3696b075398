"""What a photo of the laid out table says about its prints, in words."""

from __future__ import annotations

import cv2
import numpy as np

from calibration.print_scale import Scale, zone_scale
from companion.printing.words import PrintWords
from vision.table.profile import DICTIONARIES, TableProfile

TILES_TOLERANCE = 0.025
"""Part of their length by which tiles of the stated size may differ from it: cut, photographed, measured."""


def check(image: np.ndarray, table: TableProfile, marker_mm: float, say: PrintWords) -> list[str]:
    """A line for each zone of the profile: as stated, of another size, stretched, or not seen.

    Args:
        image: (H, W, 3) BGR.
        marker_mm: side of the zone markers' black squares, as the prints have it.
    """
    detector = cv2.aruco.ArucoDetector(cv2.aruco.getPredefinedDictionary(DICTIONARIES[table.dictionary]))
    parameters = detector.getDetectorParameters()
    parameters.cornerRefinementMethod = cv2.aruco.CORNER_REFINE_SUBPIX
    detector.setDetectorParameters(parameters)
    corners, ids, _ = detector.detectMarkers(image)
    seen = {} if ids is None else {int(i): c.reshape(4, 2) for i, c in zip(ids.ravel(), corners, strict=True)}
    return [
        words(name, zone.size_mm, zone_scale(zone, seen, marker_mm), say)
        for name, zone in table.zones.items()
        if zone.markers is not None
    ]


def words(zone: str, size_mm: tuple[float, float] | None, scale: Scale | None, say: PrintWords) -> str:
    """What a zone's scale means to the person at the table."""
    if size_mm is None:
        return say("scale.no-size", zone=zone)
    if scale is None:
        return say("scale.unseen", zone=zone)
    if scale.true:
        return say("scale.true", zone=zone)
    stated, found = (f"{w:.0f} × {h:.0f}" for w, h in (size_mm, (size_mm[0] * scale.across, size_mm[1] * scale.down)))
    return say("scale.other", zone=zone, stated=stated, found=found)


def tiles_words(scale: float | None, say: PrintWords) -> str | None:
    """What the size of the tiles says about the print that they lie on; None where it is as it should be."""
    if scale is None or abs(scale - 1) <= TILES_TOLERANCE:
        return None
    return say("scale.percent", percent=f"{100 * scale:.0f}")
