"""Estimate the homography from pixels to millimetres on the table, and locate its zones.

Each zone has its own frame: (0, 0) its top left corner as its player sees it, x to the right, y down, in
millimetres. The table's frame is common to all: turned like the picture, in tiles.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import cv2
import numpy as np

from vision.table.profile import TableProfile, Zone

ROUNDS = 3
FARTHEST = 3.0
"""How many times smaller than at the zones a tile may look at the far end of what is searched."""
LARGEST = 72.0
"""Tiles along the longer side of what is searched, at most."""


@dataclass(frozen=True)
class Located:
    """A zone in a picture: its outline (n, 2) in pixels; and from pixels to its own millimetres, (3, 3)."""

    outline: np.ndarray
    to_mm: np.ndarray


@dataclass(frozen=True)
class Plane:
    """The table's frame: `to_tiles` (3, 3) takes pixels to tiles; what is searched reaches from (0, 0) to `size`."""

    to_tiles: np.ndarray
    size: tuple[float, float]

    @cached_property
    def to_pixels(self) -> np.ndarray:
        """(3, 3), tiles to pixels."""
        return np.linalg.inv(self.to_tiles)


def project(h: np.ndarray, points: np.ndarray) -> np.ndarray:
    """(n, 2) points through a homography."""
    p = np.asarray(points, np.float64).reshape(-1, 2)
    q = p @ h[:, :2].T + h[:, 2]
    return q[:, :2] / q[:, 2:]


def on_squares(squares: np.ndarray, points: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """x and y, (n, m) float32: points of the unit square, as they lie on each of n squares seen in perspective.

    Args:
        squares: (n, 4, 2) where the corners (0, 0), (1, 0), (1, 1), (0, 1) lie.
        points: (m, 2).
    """
    p0, p1, p2, p3 = np.moveaxis(np.asarray(squares, np.float64), 1, 0)
    a, b, c = p1 - p2, p3 - p2, p0 - p1 + p2 - p3
    area = a[:, 0] * b[:, 1] - a[:, 1] * b[:, 0]
    area = np.where(np.abs(area) < 1e-9, 1e-9, area)
    g = (c[:, 0] * b[:, 1] - c[:, 1] * b[:, 0]) / area
    h = (a[:, 0] * c[:, 1] - a[:, 1] * c[:, 0]) / area
    to_pixels = np.empty((len(p0), 3, 3), np.float32)
    to_pixels[:, :2, 0], to_pixels[:, :2, 1] = p1 - p0 + g[:, None] * p1, p3 - p0 + h[:, None] * p3
    to_pixels[:, :2, 2] = p0
    to_pixels[:, 2, 0], to_pixels[:, 2, 1], to_pixels[:, 2, 2] = g, h, 1
    x, y, weight = np.moveaxis(to_pixels @ np.stack([*points.T, np.ones(len(points))]).astype(np.float32), 1, 0)
    weight = np.where(np.abs(weight) < 1e-6, np.float32(1e-6), weight)
    return x / weight, y / weight


def locate(
    profile: TableProfile, markers: Mapping[int, np.ndarray], before: Mapping[str, Located], shape: tuple[int, ...]
) -> dict[str, Located]:
    """Every zone that can be located: by its markers, by some of them, from the picture before, by its polygon."""
    found: dict[str, Located] = {}
    for name, zone in profile.zones.items():
        if zone.polygon is not None:
            found[name] = _by_polygon(zone, shape[1] / (profile.picture or shape[1]))
            continue
        seen = {i: markers[m] for i, m in enumerate(zone.markers or ()) if m in markers}
        located = None
        loose = zone.marker_mm is not None and zone.size_mm is None
        if len(seen) == 4 or (loose and len(seen) == 3 and name not in before):
            located = _by_four(zone, seen)
        elif len(seen) >= 2 and name not in before:
            located = _by_some(zone, seen)
        elif name in before:
            located = _as_before(zone, before[name], seen)
        if located is not None:
            found[name] = located
    return found


def _rectangle(zone: Zone) -> np.ndarray:
    w, h = zone.size_mm or (0.0, 0.0)
    return np.array([[0, 0], [w, 0], [w, h], [0, h]], np.float64)


def _by_polygon(zone: Zone, larger: float) -> Located:
    """`larger`: how many times larger the picture is than that on which the polygon was drawn."""
    outline = np.array(zone.polygon, np.float64) * larger - 0.5
    if zone.size_mm is not None and len(outline) == 4:
        return Located(
            outline,
            cv2.getPerspectiveTransform(np.asarray(outline, np.float32), np.asarray(_rectangle(zone), np.float32)),
        )
    return Located(outline, np.eye(3))


def _outer(outline: np.ndarray, center: np.ndarray) -> np.ndarray:
    return outline[np.argmax(((outline - center) ** 2).sum(1))]


def _by_four(zone: Zone, seen: Mapping[int, np.ndarray]) -> Located | None:
    """By the outer corners of its markers; of three loose cards' the fourth is the corner of a parallelogram."""
    middles = {i: outline.mean(0) for i, outline in seen.items()}
    ends = [i for i in range(4) if i in seen and (i + 2) % 4 in seen]
    center = np.mean([middles[i] for i in ends], axis=0)
    outer = {i: _outer(outline, center) for i, outline in seen.items()}
    for i in {*range(4)} - seen.keys():
        outer[i] = outer[(i - 1) % 4] + outer[(i + 1) % 4] - outer[(i + 2) % 4]
    corners = np.array([outer[i] for i in range(4)], np.float32)
    if not cv2.isContourConvex(corners.reshape(-1, 1, 2)):
        return None
    # Where a profile gives neither the zone's size nor the markers', these are 40 mm wide.
    size = zone.size_mm or _guessed_size(corners, seen, zone.marker_mm or 40.0)
    target = np.asarray([[0, 0], [size[0], 0], size, [0, size[1]]], np.float32)
    to_mm = cv2.getPerspectiveTransform(corners, target)
    if zone.marker_mm is not None and zone.size_mm is None:
        # Cards are laid by hand: no rectangle, but each marker is a square of known size.
        square = zone.marker_mm * np.array([[0, 0], [1, 0], [1, 1], [0, 1]], np.float64)
        pixels = np.concatenate([np.asarray(outline, np.float64) for outline in seen.values()])
        to_mm = _fitted(to_mm, _Rectangles([square] * len(seen)), pixels)
        flat = project(to_mm, corners)
        for i in {*range(4)} - seen.keys():
            flat[i] = flat[(i - 1) % 4] + flat[(i + 1) % 4] - flat[(i + 2) % 4]
            corners[i] = project(np.linalg.inv(to_mm), flat[i])[0]
    return Located(corners.astype(np.float64), to_mm)


def _guessed_size(corners: np.ndarray, seen: Mapping[int, np.ndarray], marker_mm: float) -> tuple[float, float]:
    """As large as the markers say."""
    side = np.mean([np.linalg.norm(o - np.roll(o, 1, 0), axis=1).mean() for o in seen.values()]) / marker_mm
    edges = np.linalg.norm(corners - np.roll(corners, -1, 0), axis=1)
    return float((edges[0] + edges[2]) / 2 / side), float((edges[1] + edges[3]) / 2 / side)


def _by_some(zone: Zone, seen: Mapping[int, np.ndarray]) -> Located | None:
    """Two or three markers, printed upright in their corners, all of one size: the size that fits best is taken."""
    if zone.size_mm is None:
        return None
    w, h = zone.size_mm
    best: tuple[float, np.ndarray] | None = None
    pixels = np.concatenate([seen[i] for i in sorted(seen)]).astype(np.float64)
    for side in np.linspace(0.05, 0.45, 41) * min(w, h):
        square = np.array([[0, 0], [side, 0], [side, side], [0, side]])
        corner = {0: (0, 0), 1: (w - side, 0), 2: (w - side, h - side), 3: (0, h - side)}
        mm = np.concatenate([square + corner[i] for i in sorted(seen)])
        to_pixels, _ = cv2.findHomography(mm, pixels)
        if to_pixels is None:
            continue
        error = float(np.abs(project(to_pixels, mm) - pixels).mean())
        if best is None or error < best[0]:
            best = error, to_pixels
    if best is None or best[0] > 0.03 * np.ptp(pixels, axis=0).max():
        return None
    return Located(project(best[1], _rectangle(zone)), np.linalg.inv(best[1]))


def _as_before(zone: Zone, before: Located, seen: Mapping[int, np.ndarray]) -> Located | None:
    """A zone some of whose markers are hidden: where it was, moved as those that are seen have moved."""
    if not seen:
        return before
    mm = _rectangle(zone) if zone.size_mm else project(before.to_mm, before.outline)
    corners = before.outline
    center = corners.mean(0)
    moves = [_outer(outline, center) - corners[i] for i, outline in seen.items()]
    shift = np.mean(moves, axis=0)
    outline = corners + shift
    return Located(outline, cv2.getPerspectiveTransform(np.asarray(outline, np.float32), np.asarray(mm, np.float32)))


def table_plane(profile: TableProfile, zones: Mapping[str, Located], shape: tuple[int, ...]) -> Plane | None:
    """The table's frame, fitted to all zones that have a size; None where none has."""
    sized = {
        name: zone
        for name, zone in zones.items()
        if profile.zones[name].markers is not None or profile.zones[name].size_mm is not None
    }
    if not sized:
        return None
    first = max(sized, key=lambda name: cv2.contourArea(sized[name].outline.astype(np.float32)))
    to_mm = sized[first].to_mm
    own = _Rectangles([project(zone.to_mm, zone.outline) for zone in sized.values()])
    pixels = np.concatenate([zone.outline for zone in sized.values()])
    if len(sized) > 1:
        to_mm = _fitted(to_mm, own, pixels)
    return framed(to_mm, profile.tile_mm, shape, np.concatenate([zone.outline for zone in sized.values()]))


def _fitted(to_mm: np.ndarray, own: _Rectangles, pixels: np.ndarray) -> np.ndarray:
    """(3, 3): the homography to millimetres under which rectangles seen at `pixels` (n, 2) have their true sizes."""
    here = project(to_mm, pixels)
    for _ in range(ROUNDS):
        fitted, _ = cv2.findHomography(pixels, own.laid_on(here))
        if fitted is None:
            break
        to_mm, here = fitted, project(fitted, pixels)
    return to_mm


class _Rectangles:
    """Rectangles of true size, to be laid on what was measured of them."""

    def __init__(self, corners: Sequence[np.ndarray]) -> None:
        """`corners`: (n, 2) of each, in millimetres."""
        count = np.array([len(own) for own in corners])
        self._first, self._count = np.cumsum(count) - count, count[:, None]
        self._of = np.repeat(np.arange(len(count)), count)
        true = np.concatenate(corners)
        self._true = true - self._means(true)

    def _means(self, points: np.ndarray) -> np.ndarray:
        return (np.add.reduceat(points, self._first) / self._count)[self._of]

    def laid_on(self, points: np.ndarray) -> np.ndarray:
        """(n, 2): all corners, each rectangle turned and moved so that it lies best on its points."""
        middle = self._means(points)
        # As complex numbers: a turn is a factor, and the best one has the angle of the summed quotients.
        true, at = (np.ascontiguousarray(p).view(complex)[:, 0] for p in (self._true, points - middle))
        turn = np.add.reduceat(at * true.conj(), self._first)
        laid = true * (turn / np.abs(turn))[self._of]
        return laid[:, None].view(float) + middle


def framed(to_mm: np.ndarray, unit_mm: float, shape: tuple[int, ...], corners: np.ndarray) -> Plane:
    """Turn the frame like the picture, and cut it to what can be seen well enough.

    Args:
        to_mm: (3, 3) pixels to millimetres on the table.
        unit_mm: the plane's unit: a tile's width.
        shape: of the picture.
        corners: (n, 2) in pixels, about what the frame lies.
    """
    to_tiles = to_mm / unit_mm * np.array([[1], [1], [unit_mm]])
    center = corners.mean(0)
    step = project(to_tiles, np.stack([center, center + np.array([8.0, 0.0])]))
    a = np.arctan2(*(step[1] - step[0])[::-1])
    turn = np.array([[np.cos(a), np.sin(a), 0], [-np.sin(a), np.cos(a), 0], [0, 0, 1]])
    h = turn @ to_tiles
    height, width = shape[:2]
    edge = np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float64) - 0.5
    weight = corners @ h[2, :2] + h[2, 2]
    sign = np.sign(np.median(weight))
    seen = _cut(edge, h[2] * sign, float(np.median(weight * sign)) / FARTHEST)
    lo, hi = project(h, seen).min(0), project(h, seen).max(0)
    middle = project(h, corners)
    lo = np.maximum(lo, middle.max(0) - LARGEST)
    hi = np.minimum(hi, lo + LARGEST)
    move = np.array([[1, 0, -lo[0]], [0, 1, -lo[1]], [0, 0, 1]])
    return Plane(move @ h, (float(hi[0] - lo[0]), float(hi[1] - lo[1])))


def _cut(polygon: np.ndarray, line: np.ndarray, least: float) -> np.ndarray:
    """The part of a convex polygon where `line` (a, b, c), as a·x + b·y + c, is not below a value."""
    out: list[np.ndarray] = []
    s = polygon @ line[:2] + line[2] - least
    for i in range(len(polygon)):
        j = (i + 1) % len(polygon)
        if s[i] >= 0:
            out.append(polygon[i])
        if s[i] * s[j] < 0:
            out.append(polygon[i] + (polygon[j] - polygon[i]) * (s[i] / (s[i] - s[j])))
    return np.array(out) if len(out) > 2 else polygon
