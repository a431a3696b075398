"""Round chips: found like tiles, of their size, then told by their round edge and by their color."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass

import cv2
import numpy as np

from vision.table.detector import find_tiles
from vision.table.plane import Plane, project
from vision.table.white_balance import Balance

CHIP_MM = 40.0
"""Diameter of a chip, about; `REACH` says how far one may be off."""


@dataclass(frozen=True)
class ChipsSettings:
    """When a round spot is a chip, and which color it has."""

    least: float = 0.06  # probability of a tile from which a place is looked at
    edge: float = 10.0  # levels of the best channel by which a chip stands out
    off: float = 0.03  # diameters by which its edge may lie off the circle
    round: float = 0.58  # share of the circle along which there must be an edge
    surely_round: float = 0.8  # the share from which on nobody is asked
    round_if_white: float = 0.3  # the share for white spots
    face: float = 0.40  # distance from the middle up to which a chip shows its color
    apart: float = 13.0  # how far a chip's color may be from what it is called: a standard deviation in L*a*b*
    strange: float = 55.0  # a distance in L*a*b* that no color of the game has
    paler: float = 0.55  # lightness counts so much less than hue: shadow takes it first
    coarse: int = 14  # pixels of a chip's diameter in the copy in which white ones are looked for
    white_from: int = 150  # level of the darkest channel from which on a spot is white
    stands_out: int = 12  # levels by which it is brighter than around
    deep: float = 0.3  # how deep in white, in diameters, a chip's middle lies
    apart_chips: float = 0.8  # two chips closer than this, in diameters, are one that was found twice


SETTINGS = ChipsSettings()
REACH = np.arange(0.36, 0.66, 0.02)
"""Distances from the middle at which the edge is looked for, in diameters."""
ANGLES = np.arange(48) * (2 * np.pi / 48)
LAB = {
    "white": (88.0, 0.0, 2.0), "black": (18.0, 0.0, 0.0), "red": (42.0, 55.0, 35.0), "green": (45.0, -38.0, 20.0),
    "blue": (38.0, 8.0, -45.0), "gold": (75.0, 5.0, 62.0), "yellow": (80.0, 0.0, 70.0), "purple": (38.0, 35.0, -35.0),
}  # fmt: skip
"""CIE L*a*b* of the colors in white light."""


@dataclass(frozen=True)
class Chip:
    """A chip: its middle (2,) and outline (n, 2) in pixels, its color, and how sure both are, 0 to 1."""

    center: np.ndarray
    outline: np.ndarray
    color: str
    confidence: float


def find_chips(
    image: np.ndarray, plane: Plane, colors: Collection[str], balance: Balance, covered: Sequence[np.ndarray]
) -> list[Chip]:
    """The chips that lie flat on a table, one beside the other.

    Args:
        image: (H, W, 3) BGR.
        plane: the table's frame, whose unit is a chip's diameter.
        colors: that chips may have, of LAB.
        balance: brings the light to a common white.
        covered: outlines, (n, 2) in pixels, of the cards: on them nothing is looked for.
    """
    tiles, white = find_tiles(image, plane, balance, least=SETTINGS.least)[:, :2], _white(image, plane, balance)
    places = np.concatenate([tiles, white])
    least = np.repeat([SETTINGS.round, SETTINGS.round_if_white], [len(tiles), len(white)])
    pixels = project(plane.to_pixels, places[:, :2]) if len(places) else np.zeros((0, 2))
    soft = balance(cv2.GaussianBlur(image, (0, 0), 1.0))
    found: list[tuple[float, np.ndarray, Chip]] = []
    for place, at, enough in zip(places, pixels, least, strict=True):
        if any(
            cv2.pointPolygonTest(np.asarray(c, np.float32), (float(at[0]), float(at[1])), False) > 0 for c in covered
        ):
            continue
        middle, radius, share = _circle(soft, plane, place[:2])
        if share < enough or any(np.linalg.norm(middle - other) < SETTINGS.apart_chips for _, other, _ in found):
            continue
        color, sure = _color(image, plane, middle, colors, balance)
        sure *= min(1.0, share / SETTINGS.surely_round)
        ring = middle + radius * np.stack([np.cos(ANGLES[::3]), np.sin(ANGLES[::3])], 1)
        chip = Chip(project(plane.to_pixels, middle[None])[0], project(plane.to_pixels, ring), color, sure)
        found.append((share, middle, chip))
    return [chip for _, _, chip in found]


def _white(image: np.ndarray, plane: Plane, balance: Balance) -> np.ndarray:
    """(n, 2) in the plane's units: middles of white spots as large as chips, that the network has not learnt."""
    to_pixels = plane.to_pixels @ np.diag([1 / SETTINGS.coarse, 1 / SETTINGS.coarse, 1.0])
    size = (int(plane.size[0] * SETTINGS.coarse), int(plane.size[1] * SETTINGS.coarse))
    seen = balance(cv2.warpPerspective(image, to_pixels, size, flags=cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP))
    least = cv2.GaussianBlur(seen.min(2), (0, 0), 0.6)
    around = cv2.medianBlur(least, 2 * SETTINGS.coarse + 1)
    white = ((least > SETTINGS.white_from) & (least > around.astype(int) + SETTINGS.stands_out)).astype(np.uint8)
    depth = cv2.distanceTransform(white, cv2.DIST_L2, 3)
    peak = (
        (depth >= cv2.dilate(depth, np.ones((5, 5))))
        & (depth > SETTINGS.deep * SETTINGS.coarse)
        & (depth < 0.6 * SETTINGS.coarse)
    )
    y, x = np.nonzero(peak)
    return np.stack([x, y], 1) / SETTINGS.coarse


def _circle(soft: np.ndarray, plane: Plane, middle: np.ndarray) -> tuple[np.ndarray, float, float]:
    """The circle about a place: its middle and radius in the plane's units, and along which share it has an edge."""
    around = np.stack([np.cos(ANGLES), np.sin(ANGLES)], 1)
    radius, share = 0.5, 0.0
    for _ in range(2):
        at = middle + around[:, None] * REACH[None, :, None]
        pixels = project(plane.to_pixels, at.reshape(-1, 2)).astype(np.float32).reshape(*at.shape[:2], 2)
        seen = _look(soft, pixels).astype(np.float32)
        steep = np.abs(seen[:, 2:] - seen[:, :-2]).max(2)
        edge = REACH[1:-1][steep.argmax(1)]
        clear = steep.max(1) > SETTINGS.edge
        if not clear.any():
            return middle, radius, 0.0
        # Edges on a circle about another middle: nearer on one side, farther on the other.
        a = np.column_stack([np.ones(len(ANGLES)), around])[clear]
        weight = np.ones(clear.sum())
        fit = np.zeros(3)
        for _ in range(4):
            fit = np.linalg.lstsq(a * weight[:, None], edge[clear] * weight, rcond=None)[0]
            weight = 1 / (1 + ((edge[clear] - a @ fit) / SETTINGS.off) ** 2)
        share = float((np.abs(edge[clear] - a @ fit) < SETTINGS.off).sum() / len(ANGLES))
        radius, middle = float(fit[0]), middle + fit[1:]
    return middle, radius, share


def _color(
    image: np.ndarray, plane: Plane, middle: np.ndarray, colors: Collection[str], balance: Balance
) -> tuple[str, float]:
    """A chip's color, and how sure that is, 0 to 1."""
    y, x = np.mgrid[-SETTINGS.face : SETTINGS.face : 15j, -SETTINGS.face : SETTINGS.face : 15j]
    inside = np.hypot(x, y) <= SETTINGS.face
    at = project(plane.to_pixels, middle + np.stack([x[inside], y[inside]], 1)).astype(np.float32)
    seen = balance(_look(image, at[None]))
    lab = cv2.cvtColor(seen.astype(np.float32) / 255, cv2.COLOR_BGR2LAB)[0]
    own = np.median(lab, axis=0)
    names = list(colors)
    off = (np.array([LAB[name] for name in names]) - own) * (SETTINGS.paler, 1, 1)
    far = np.linalg.norm(off, axis=1)
    odds = np.exp(-0.5 * ((far**2 - far.min() ** 2) / (SETTINGS.apart**2)))
    best = int(far.argmin())
    sure = float(odds[best] / odds.sum())
    return names[best], sure if far[best] < SETTINGS.strange else min(sure, 0.5)


def _look(picture: np.ndarray, at: np.ndarray) -> np.ndarray:
    """(h, w[, 3]): a picture at places (h, w, 2) in pixels."""
    x, y = np.ascontiguousarray(at[..., 0]), np.ascontiguousarray(at[..., 1])
    return cv2.remap(picture, x, y, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
