"""Detect tiles: a small network on the rectified view of the table, FINE pixels a tile."""

from dataclasses import dataclass

import cv2
import numpy as np

from vision.network import Network, sigmoid
from vision.table.markers import shrunk
from vision.table.plane import Plane, project
from vision.table.white_balance import AS_IT_IS, Balance

NETWORK = Network("tile_detector")


@dataclass(frozen=True)
class DetectorSettings:
    """How the picture is searched for tiles."""

    fine: int = 12  # pixels of a tile in the network's picture
    stride: int = 4  # pixels of that picture in one of its answers
    least_pixels: float = 1.2  # how many of the small picture's pixels a pixel of the network's picture must be wide
    least: float = 0.25  # probability of a tile below which a place is not looked at again
    apart: float = 0.62  # tiles: two centers closer than this are one tile, found twice
    sizes: tuple[float, ...] = (0.012, 0.016, 0.021, 0.028, 0.037, 0.049)
    """Where no marker tells: how large a tile may look, in parts of the picture's longer side."""
    least_seen: float = 2.0
    """How much the likeliest places must sum up to, above LEAST each, before a size is believed without markers."""


SETTINGS = DetectorSettings()


def find_tiles(
    image: np.ndarray,
    plane: Plane,
    balance: Balance = AS_IT_IS,
    small: np.ndarray | None = None,
    least: float = SETTINGS.least,
) -> np.ndarray:
    """(n, 3) float64: the places of tiles in the plane's tiles, and their probabilities, the likeliest first.

    Args:
        image: (H, W, 3) BGR.
        plane: the table's frame.
        balance: brings the light to a common white.
        small: (h, w, 3) the picture made smaller, which is looked at where it still shows enough.
        least: probability from which a place counts.
    """
    width, height = (int(np.ceil(s * SETTINGS.fine / 8)) * 8 for s in plane.size)
    h = np.diag([1 / SETTINGS.fine, 1 / SETTINGS.fine, 1]) @ np.array([[1, 0, 0.5], [0, 1, 0.5], [0, 0, 1]])
    to_pixels = plane.to_pixels @ h
    pixels = np.sqrt(abs(_area_scale(to_pixels, (width / 2, height / 2))))
    if small is None:
        small = shrunk(image)
    source, scale = image, small.shape[1] / image.shape[1]
    if scale < 1 and pixels * scale > SETTINGS.least_pixels:
        shift = (scale - 1) / 2
        source, to_pixels = small, np.array([[scale, 0, shift], [0, scale, shift], [0, 0, 1]]) @ to_pixels
    flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    seen = cv2.warpPerspective(source, to_pixels, (width, height), flags=flags)
    out = _answer(balance.planes(seen))
    places = _peaks(out, least)
    places[:, :2] = (places[:, :2] + 0.5) / SETTINGS.fine
    return _once(places)


def guess_plane(image: np.ndarray) -> Plane | None:
    """Guess the plane without a known tile size: the size at which most tiles are detected; None where none is."""
    best: tuple[float, Plane] | None = None
    small = shrunk(image)
    for size in SETTINGS.sizes:
        tile = size * max(image.shape[:2])
        to_tiles = np.array([[1 / tile, 0, 0.5 / tile], [0, 1 / tile, 0.5 / tile], [0, 0, 1]])
        plane = Plane(to_tiles, (image.shape[1] / tile, image.shape[0] / tile))
        places = find_tiles(image, plane, small=small)
        sure = float((places[:, 2] - SETTINGS.least).clip(0).sum())
        if best is None or sure > best[0]:
            best = sure, plane
    return best[1] if best and best[0] > SETTINGS.least_seen else None


def _answer(planes: np.ndarray) -> np.ndarray:
    """The network's answer (3, h, w) to a picture (3, 4 h, 4 w): it takes the pixels of each answer as channels."""
    _, height, width = planes.shape
    cells = planes.reshape(
        3, height // SETTINGS.stride, SETTINGS.stride, width // SETTINGS.stride, SETTINGS.stride
    ).transpose(0, 2, 4, 1, 3)
    return NETWORK(
        cells.astype(np.float32).reshape(1, 3 * SETTINGS.stride**2, height // SETTINGS.stride, width // SETTINGS.stride)
    )[0]


def _peaks(out: np.ndarray, least: float) -> np.ndarray:
    heat = np.ascontiguousarray(out[0])
    bound = float(np.log(least / (1 - least)))
    y, x = np.nonzero((heat >= cv2.dilate(heat, np.ones((3, 3)))) & (heat > bound))
    p = sigmoid(heat[y, x].astype(np.float64))
    middle = (SETTINGS.stride - 1) / 2
    return np.stack(
        [(x + out[1, y, x]) * SETTINGS.stride + middle, (y + out[2, y, x]) * SETTINGS.stride + middle, p], 1
    )


def _once(places: np.ndarray) -> np.ndarray:
    places = places[np.argsort(-places[:, 2])]
    x, y = places[:, 0], places[:, 1]
    near = (x[:, None] - x) ** 2 + (y[:, None] - y) ** 2 < SETTINGS.apart**2
    kept = np.ones(len(places), bool)
    for i in np.nonzero(near.sum(1) > 1)[0]:
        if kept[i]:
            kept[i + 1 :] &= ~near[i, i + 1 :]
    return places[kept]


def _area_scale(h: np.ndarray, at: tuple[float, float]) -> float:
    x, y = at
    square = project(h, np.array([[x, y], [x + 1, y], [x, y + 1]]))
    (a, b), (c, d) = square[1:] - square[0]
    return float(a * d - b * c)
