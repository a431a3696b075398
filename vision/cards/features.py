"""Points that stand out on cards and in pictures of tables, and how each tells where a card lies."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np


@dataclass(frozen=True)
class FeaturesSettings:
    """Which points of a picture are described, and when two are the same point of a face."""

    densities: tuple[float, float, float] = (2.4, 1.4, 0.85)
    """Pixels per millimetre at which a face's points are looked for: as it looks from near and from far."""
    contrast: float = 0.02  # the least contrast of a point
    edge: float = 15.0  # how like an edge a point may be: the ratio of its curvatures
    most_of_face: int = 120  # points kept of a face at each distance
    tile: int = 480  # pixels of a side of the tiles in which a picture's points are looked for
    lap: int = 24  # pixels by which they overlap
    most_of_tile: int = 800  # points kept of each
    least_unknown: int = 1500  # pixels of a tile that must be unknown for it to be searched: a strip of a small card
    same_mm: float = 1.5  # millimetres: points of two faces that are closer, and alike in what follows, are one point
    same_turn: float = 20.0  # degrees between their turns
    same_size: float = 1.35  # ratio of their sizes
    same_look: float = 220.0  # distance of their descriptors


SETTINGS = FeaturesSettings()


@dataclass(frozen=True)
class Points:
    """Points that stand out: place (n, 2), size (n,), turn (n,) in radians, look (n, 128) uint8.

    Places and sizes are millimetres from a card's middle, or pixels of a picture.
    """

    place: np.ndarray
    size: np.ndarray
    turn: np.ndarray
    look: np.ndarray

    def __len__(self) -> int:
        return len(self.size)

    def some(self, which: np.ndarray) -> Points:
        """Those that a mask or indices name."""
        return Points(self.place[which], self.size[which], self.turn[which], self.look[which])

    @classmethod
    def joined(cls, parts: Sequence[Points]) -> Points:
        """All points of several."""
        parts = [cls(np.zeros((0, 2)), np.zeros(0), np.zeros(0), np.zeros((0, 128), np.uint8)), *parts]
        return cls(*(np.concatenate([getattr(p, k) for p in parts]) for k in ("place", "size", "turn", "look")))


def points_of(picture: np.ndarray, most: int, where: np.ndarray | None = None) -> Points:
    """The points of a picture (H, W) uint8, where a mask (H, W) uint8 is not 0; the strongest, if more than `most`."""
    sift = cv2.SIFT_create(most, 3, SETTINGS.contrast, SETTINGS.edge, 1.6)  # type: ignore[attr-defined]  # the stubs lack it
    found, looks = sift.detectAndCompute(picture, where)
    if not found:
        return Points.joined([])
    data: Any = np.array([(*k.pt, k.size, k.angle) for k in found], np.float64)
    return Points(data[:, :2], data[:, 2], np.deg2rad(data[:, 3]), looks.astype(np.uint8))


def points_all_over(picture: np.ndarray, scale: float, unknown: np.ndarray) -> Points:
    """The points of a large picture, tile by tile: a coarse cloth leaves room for a card in the shadow.

    Args:
        picture: (H, W) uint8.
        scale: by how much it is made smaller before it is searched, up to 1; places and sizes are the picture's own.
        unknown: (H, W) uint8: where it is 0 nothing is looked for.
    """
    if scale < 1:
        picture = cv2.resize(picture, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
        unknown = cv2.resize(unknown, picture.shape[::-1], interpolation=cv2.INTER_NEAREST)
    height, width = picture.shape
    parts = []
    for top in range(0, height, SETTINGS.tile):
        for left in range(0, width, SETTINGS.tile):
            mine = unknown[top : top + SETTINGS.tile, left : left + SETTINGS.tile]
            if cv2.countNonZero(mine) < SETTINGS.least_unknown:
                continue
            up, back = max(0, top - SETTINGS.lap), max(0, left - SETTINGS.lap)
            part = picture[up : top + SETTINGS.tile + SETTINGS.lap, back : left + SETTINGS.tile + SETTINGS.lap]
            where = np.zeros_like(part)
            where[top - up :, left - back :][: len(mine), : mine.shape[1]] = mine
            p = points_of(part, SETTINGS.most_of_tile, where)
            parts.append(Points((p.place + np.array([back, up]) + 0.5) / scale - 0.5, p.size / scale, p.turn, p.look))
    return Points.joined(parts)


def points_of_face(picture: np.ndarray, size_mm: Sequence[float]) -> Points:
    """A face's points as it looks from near and from far; millimetres from its middle."""
    parts = []
    own = picture.shape[1] / size_mm[0]
    gray = cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY)
    for wanted in SETTINGS.densities:
        dense = min(wanted, own)
        width, height = round(size_mm[0] * dense), round(size_mm[1] * dense)
        pad = round(6 * dense)
        small = cv2.resize(gray, (width, height), interpolation=cv2.INTER_AREA)
        small = cv2.copyMakeBorder(small, pad, pad, pad, pad, cv2.BORDER_CONSTANT, value=90)
        p = points_of(small, SETTINGS.most_of_face)
        scale = np.array([size_mm[0] / width, size_mm[1] / height])
        middle = np.array([width, height]) / 2 + pad - 0.5
        place = (p.place - middle) * scale
        inside = (np.abs(place) < np.array(size_mm) / 2).all(1)
        parts.append(Points(place, p.size * scale[0], p.turn, p.look).some(inside))
    return Points.joined(parts)


def points_of_faces(faces: Sequence[np.ndarray], families: Sequence[int], size_mm: Sequence[float]) -> Points:
    """The points of all faces of a size; those that a face shares with the first of its family only once.

    Args:
        faces: (h, w, 3) each.
        families: for each the index of the first face with the same picture.
        size_mm: their width and height.
    """
    kept: dict[int, Points] = {}
    for face, family in zip(faces, families, strict=True):
        p = points_of_face(face, size_mm)
        kept[family] = Points.joined([kept[family], p.some(_new(p, kept[family]))]) if family in kept else p
    return Points.joined(list(kept.values()))


def _new(p: Points, kept: Points) -> np.ndarray:
    """(n,) bool: which points are not among those that are kept."""
    new = np.ones(len(p), bool)
    apart = np.abs(p.place[:, None] - kept.place[None]).max(2)
    turn = np.abs((p.turn[:, None] - kept.turn[None] + np.pi) % (2 * np.pi) - np.pi)
    ratio = np.abs(np.log(p.size[:, None] / kept.size[None]))
    i, j = np.nonzero(
        (apart < SETTINGS.same_mm) & (turn < np.deg2rad(SETTINGS.same_turn)) & (ratio < np.log(SETTINGS.same_size))
    )
    look = p.look[i].astype(np.float32) - kept.look[j].astype(np.float32)
    new[i[(look**2).sum(1) < SETTINGS.same_look**2]] = False
    return new
