"""Detect ArUco markers: first on a small copy, then at full size where expected ones are missing.

OpenCV's detector compares each square that it finds with each marker of the dictionary, one by one, which takes most
of its time. On the small copy it is asked for squares only; `codes` tells which markers they are.
"""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from functools import cache

import cv2
import numpy as np

from vision.table.codes import identify
from vision.table.profile import DICTIONARIES


@dataclass(frozen=True)
class MarkersSettings:
    """How markers are searched for."""

    quick_side: int = 960  # pixels of the longer side of the copy that is searched first
    quick_window: int = 15  # pixels of the threshold's window
    quick_perimeter: float = 0.045  # the least outline of a marker, in parts of QUICK_SIDE
    quick_contrast: float = 0.1
    """How much darker than around it a pixel must be, in parts of the picture's range of light."""
    least_contrast: int = 7  # the same in grey levels, at least
    most_contrast: int = 12  # the same in grey levels, at most
    dark: float = 0.05  # the range of light: so many of the pixels are darker than its dark end
    bright: float = 0.95  # so many are darker than its bright end
    round_about: float = 1.6  # how far around its expected place a hidden marker is searched, in its own sides
    sharpened: tuple[float, ...] = (0.5, 1.0)  # sizes of the copies in which blurred markers are searched
    sharpen_reach: float = 3.0  # pixels of such a copy
    sharpen: float = 2.0  # how much of what is finer than that is added
    same_place: float = 0.5  # two finds of one id closer than this, in sides, are one marker


SETTINGS = MarkersSettings()


@cache
def _detector(dictionary: str, how: str) -> cv2.aruco.ArucoDetector:
    p = cv2.aruco.DetectorParameters()
    if how == "thorough":
        p.adaptiveThreshWinSizeMin, p.adaptiveThreshWinSizeMax, p.adaptiveThreshWinSizeStep = 5, 75, 14
        p.adaptiveThreshConstant, p.polygonalApproxAccuracyRate, p.minMarkerPerimeterRate = 5, 0.05, 0.02
    return cv2.aruco.ArucoDetector(cv2.aruco.getPredefinedDictionary(DICTIONARIES[dictionary]), p)


@cache
def _squares(contrast: int) -> cv2.aruco.ArucoDetector:
    """A detector that knows a single marker: what it finds and what it rejects are all squares."""
    p = cv2.aruco.DetectorParameters()
    p.adaptiveThreshWinSizeMin = p.adaptiveThreshWinSizeMax = SETTINGS.quick_window
    p.adaptiveThreshConstant = contrast
    p.minMarkerPerimeterRate = SETTINGS.quick_perimeter
    p.minMarkerDistanceRate = p.minGroupDistance = 0.0
    p.minOtsuStdDev = 256.0  # no square's bits are read
    book = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_50)
    return cv2.aruco.ArucoDetector(cv2.aruco.Dictionary(book.bytesList[:1].copy(), book.markerSize, 0), p)


class Markers:
    """Markers seen: outlines (4, 2) float32 by id, each marker's own top left corner first; and ids seen twice."""

    def __init__(self) -> None:
        self.outlines: dict[int, np.ndarray] = {}
        self.twice: set[int] = set()

    def add(self, marker: int, outline: np.ndarray) -> None:
        """Take in a find; the same marker found again is not counted twice."""
        if marker in self.outlines:
            side = np.linalg.norm(outline[0] - outline[2]) / np.sqrt(2)
            if np.linalg.norm(self.outlines[marker].mean(0) - outline.mean(0)) > SETTINGS.same_place * side:
                self.twice.add(marker)
            return
        self.outlines[marker] = outline


def find_markers(
    gray: np.ndarray,
    dictionary: str,
    expected: Mapping[int, np.ndarray] | Collection[int] = (),
    thorough: bool = True,
    small: np.ndarray | None = None,
    full_size: bool = False,
) -> Markers:
    """Find all markers of a dictionary.

    Args:
        gray: (H, W) uint8.
        dictionary: its name.
        expected: ids that should be there, with the places (4, 2) where they were seen last, if known.
        thorough: search the whole picture in several ways, too; else only around expected places.
        full_size: search the whole picture, not its small copy alone, also where that is not thorough.
        small: (h, w) uint8, the same as `shrunk` gives it, if there is one already.
    """
    found = Markers()
    if small is None:
        small = shrunk(gray)
    _look_quickly(small, dictionary, found, gray.shape[1] / small.shape[1])
    places = expected if isinstance(expected, Mapping) else {}
    for marker in [m for m in expected if m not in found.outlines]:
        if marker in places:
            _look_around(gray, dictionary, places[marker], found)
    if thorough or full_size:
        _look(gray, dictionary, "default", found)
    if thorough:
        _look(gray, dictionary, "thorough", found)
        if any(marker not in found.outlines for marker in expected):
            flat = cv2.createCLAHE(4.0, (12, 12)).apply(gray)
            _look(flat, dictionary, "thorough", found)
        for scale in SETTINGS.sharpened:
            known = len(found.outlines)
            if all(marker in found.outlines for marker in expected):
                break
            _look(_sharp(gray, scale), dictionary, "default", found, scale=scale)
            if len(found.outlines) == known:  # the picture was sharp enough
                break
    _refine(gray, found)
    return found


def shrunk(picture: np.ndarray) -> np.ndarray:
    """The picture with its longer side at QUICK_SIDE, or as it is where it is smaller."""
    scale = SETTINGS.quick_side / max(picture.shape[:2])
    return picture if scale >= 1 else cv2.resize(picture, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)


def _sharp(gray: np.ndarray, scale: float) -> np.ndarray:
    """A copy so many times as large, in which edges that are out of focus are steep again."""
    copy = cv2.resize(gray, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA) if scale != 1 else gray
    soft = cv2.GaussianBlur(copy, (0, 0), SETTINGS.sharpen_reach)
    return cv2.addWeighted(copy, 1 + SETTINGS.sharpen, soft, -SETTINGS.sharpen, 0)


def _look_quickly(small: np.ndarray, dictionary: str, found: Markers, scale: float) -> None:
    levels = cv2.calcHist([np.ascontiguousarray(small[::4, ::4])], [0], None, [256], [0, 256]).cumsum()
    dark, bright = np.searchsorted(levels, np.array([SETTINGS.dark, SETTINGS.bright]) * levels[-1])
    contrast = int(np.clip(SETTINGS.quick_contrast * (bright - dark), SETTINGS.least_contrast, SETTINGS.most_contrast))
    known, _, others = _squares(contrast).detectMarkers(small)
    squares = np.concatenate([*known, *others]) if known or others else np.zeros((0, 4, 2), np.float32)
    for marker, outline in identify(small, squares, dictionary):
        found.add(marker, ((outline + 0.5) * scale - 0.5).astype(np.float32))


def _look(
    gray: np.ndarray,
    dictionary: str,
    how: str,
    found: Markers,
    shift: tuple[float, float] = (0.0, 0.0),
    scale: float = 1.0,
) -> None:
    outlines, ids, _ = _detector(dictionary, how).detectMarkers(gray)
    for outline, marker in zip(outlines, [] if ids is None else ids.ravel(), strict=True):
        found.add(int(marker), ((outline[0] + 0.5) / scale - 0.5 + shift).astype(np.float32))


def _look_around(gray: np.ndarray, dictionary: str, place: np.ndarray, found: Markers) -> None:
    center, reach = place.mean(0), np.ptp(place, axis=0).max() * SETTINGS.round_about
    lo = np.floor(center - reach).astype(int).clip(0)
    hi = np.ceil(center + reach).astype(int)
    part = gray[lo[1] : hi[1], lo[0] : hi[0]]
    if min(part.shape) > 12:
        _look(part, dictionary, "thorough", found, (float(lo[0]), float(lo[1])))


def _refine(gray: np.ndarray, found: Markers) -> None:
    """Move corners to where the edges meet, to a fraction of a pixel."""
    if not found.outlines:
        return
    outlines = np.array(list(found.outlines.values()), np.float32)
    sides = np.linalg.norm(outlines - np.roll(outlines, 1, 1), axis=2)
    window = int(np.clip(sides.min() / 12, 2, 6))
    corners = outlines.reshape(-1, 2)
    stop = (cv2.TERM_CRITERIA_EPS + cv2.TERM_CRITERIA_MAX_ITER, 12, 0.05)
    moved = cv2.cornerSubPix(gray, corners.copy().reshape(-1, 1, 2), (window, window), (-1, -1), stop).reshape(-1, 2)
    far = np.linalg.norm(moved - corners, axis=1) > window
    moved[far] = corners[far]
    for i, marker in enumerate(found.outlines):
        found.outlines[marker] = moved[4 * i : 4 * i + 4]
