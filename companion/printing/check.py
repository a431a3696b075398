"""Check in a photo whether mats were printed at the stated size, and report it in words."""

import cv2
import numpy as np

from calibration.print_scale import Scale, zone_scale
from companion.games.markers import ZONE_MARKER_MM
from companion.words.words import Words
from vision.table.profile import DICTIONARIES, TableProfile


def check(image: np.ndarray, table: TableProfile, words: Words) -> list[str]:
    """A line for each zone of the profile: as stated, of another size, stretched, not seen. `image`: (H, W, 3) BGR."""
    detector = cv2.aruco.ArucoDetector(cv2.aruco.getPredefinedDictionary(DICTIONARIES[table.dictionary]))
    parameters = detector.getDetectorParameters()
    parameters.cornerRefinementMethod = cv2.aruco.CORNER_REFINE_SUBPIX
    detector.setDetectorParameters(parameters)
    corners, ids, _ = detector.detectMarkers(image)
    seen = {} if ids is None else {int(i): c.reshape(4, 2) for i, c in zip(ids.ravel(), corners, strict=True)}
    return [
        zone_line(name, zone.size_mm, zone_scale(zone, seen, ZONE_MARKER_MM), words)
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
