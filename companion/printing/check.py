"""What a photo of the laid out table says about its prints, in words."""

from __future__ import annotations

import cv2
import numpy as np

from calibration.print_scale import Scale, sticker_scale, zone_scale
from companion.printing.cards import stickers
from companion.printing.ids import CARD_MARKER_MM, zones
from companion.words.words import Words
from vision.table.profile import DICTIONARIES, TableProfile
from vision.table.reading import Problem, TableReading

STICKERS_TOLERANCE = 0.025
"""Part of its side by which a sticker of a few dozen pixels is measured wrongly, the median of some."""
LEAST_STICKERS = 4


def check(image: np.ndarray, table: TableProfile, marker_mm: float, words: Words) -> list[str]:
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
        zone_line(name, zone.size_mm, zone_scale(zone, seen, marker_mm), words)
        for name, zone in table.zones.items()
        if zone.markers is not None
    ]


def zone_line(zone: str, size_mm: tuple[float, float] | None, scale: Scale | None, words: Words) -> str:
    """What a zone's scale means to the person at the table."""
    if size_mm is None:
        return words.say("scale.no-size", zone=zone)
    if scale is None:
        return words.say("scale.unseen", zone=zone)
    if scale.true:
        return words.say("scale.true", zone=zone)
    stated, found = (f"{w:.0f} × {h:.0f}" for w, h in (size_mm, (size_mm[0] * scale.across, size_mm[1] * scale.down)))
    return words.say("scale.other", zone=zone, stated=stated, found=found)


def problems(reading: TableReading, table: TableProfile) -> tuple[Problem, ...]:
    """Stickers and mats of this project that were printed at different scales; nothing where too few are seen."""
    if not _printed_here(table):
        return ()
    found: list[float] = []
    for name, zone in table.zones.items():
        outline = reading.zones.get(name)
        if zone.size_mm is not None and outline is not None and len(outline) == 4:
            here = [card.polygon for card in reading.cards if card.zone == name and card.marker in table.cards]
            found += sticker_scale(here, outline, zone.size_mm, CARD_MARKER_MM).tolist()
    if len(found) < LEAST_STICKERS:
        return ()
    scale = float(np.median(found))
    if abs(scale - 1) <= STICKERS_TOLERANCE:
        return ()
    return (Problem("scale.stickers", {"percent": f"{100 / scale:.0f}"}),)


def _printed_here(table: TableProfile) -> bool:
    """Whether the markers of all its zones are those of this project's mats, and its cards have our stickers' ids."""
    known = zones(table.game)
    ours = [zone.markers == known.get(name) for name, zone in table.zones.items() if zone.markers is not None]
    return bool(ours) and all(ours) and bool(table.cards) and dict(table.cards) == stickers(table.game)
