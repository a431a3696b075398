"""Classify tiles by color: a small network on each crop, then a comparison with the table's other tiles."""

from dataclasses import dataclass
from functools import cache

import cv2
import numpy as np

from vision.network import Network, softmax
from vision.table.plane import Plane, project
from vision.table.reading import COLORS
from vision.table.white_balance import AS_IT_IS, Balance

NETWORK = Network("tile_classifier")
COMPARE = NETWORK.path.with_suffix(".npz")
WINDOW = 32
"""Pixels of a side of a tile's picture."""


@dataclass(frozen=True)
class ClassifierSettings:
    """How a tile is cut out, and when its color is known."""

    window_tiles: float = 1.3  # the same in tiles
    known: float = 0.9  # how much the colors of a palette are trusted, 0 to 1
    sure: float = 0.9  # probability below which a tile is looked at again
    temperature: float = 1.0  # log odds are divided by this, so that probabilities are frequencies (drawn tables)
    least_edges: float = 0.16  # share of the edges that agree on a tile's turn, below which it is round for all we know


SETTINGS = ClassifierSettings()
FEATURES = 32
"""Numbers that describe a tile."""
PRIOR = np.log([1, 1, 1, 1, 1, 1 / 2, 3 / 6])
"""The box holds one rainbow and three gold where the tables of the training had up to two and six."""
NONE_PRIOR = np.array([0, 0, 0, 0, 0, 0, 0, -1.0])
"""Half of the training's crops were none; of the places that the finder gives, fewer are."""
_PIXELS = np.mgrid[0:WINDOW, 0:WINDOW][::-1].reshape(2, -1).T
_GRID = (((_PIXELS + 0.5) / WINDOW - 0.5) * SETTINGS.window_tiles).astype(np.float32)
_RIM = (np.abs(_GRID.reshape(WINDOW, WINDOW, 2)[1:-1, 1:-1]).max(-1) > 0.3).astype(np.float32)
_STRAIGHT = np.concatenate([_GRID, np.ones((len(_GRID), 1), np.float32)], 1).T.copy()


@dataclass(frozen=True)
class Judged:
    """`odds` (n, 8): probabilities of the seven colors and of no tile; `turns` (n,) radians, NaN where round;
    `features` (n, 32)."""

    odds: np.ndarray
    turns: np.ndarray
    features: np.ndarray


@cache
def _compare() -> tuple[np.ndarray, ...]:
    """The comparison's layers, the first split by its inputs: the tile, the color's mean, their gap, and the rest."""
    with np.load(COMPARE) as file:
        w1, b1, w2, b2, w3, b3 = (file[key].astype(np.float32) for key in file.files)
    by_input = np.split(np.ascontiguousarray(w1.T), np.cumsum([FEATURES, FEATURES, FEATURES, 1, 1]))
    return (*by_input, b1, w2.T.copy(), b2, w3.T.copy(), b3)


def tile_windows(image: np.ndarray, plane: Plane, places: np.ndarray, balance: Balance = AS_IT_IS) -> np.ndarray:
    """(n, 32, 32, 3) uint8: each tile's picture from above, upright in the table's frame."""
    if not len(places):
        return np.zeros((0, WINDOW, WINDOW, 3), np.uint8)
    # Within one tile the table's perspective is a straight map: its middle and how far a tile reaches right and down.
    steps = np.array([[0, 0], [0.5, 0], [-0.5, 0], [0, 0.5], [0, -0.5]])
    ends = project(plane.to_pixels, (places[:, None, :2] + steps).reshape(-1, 2)).reshape(-1, 5, 2)
    maps = np.stack([ends[:, 1] - ends[:, 2], ends[:, 3] - ends[:, 4], ends[:, 0]], 2).astype(np.float32)
    x, y = (part @ _STRAIGHT for part in np.moveaxis(maps, 1, 0))
    flat = cv2.remap(image, x, y, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    return balance(flat).reshape(len(places), WINDOW, WINDOW, 3)


def judge_tiles(windows: np.ndarray, palette: np.ndarray | None = None) -> Judged:
    """Classify one table's tiles together. `palette`: (7, 32) what each color is known to look like, NaN where not."""
    if not len(windows):
        return Judged(np.zeros((0, len(COLORS) + 1)), np.zeros(0), np.zeros((0, FEATURES)))
    out = _answers(windows)
    own = _among(out, slice(None), None) / SETTINGS.temperature
    unsure = np.nonzero(softmax(own).max(1) < SETTINGS.sure)[0]
    if len(unsure):
        # What is unsure is looked at again from every side: a tile has no upper edge.
        seen = [np.rot90(windows[unsure], k, (1, 2)) for k in range(1, 4)]
        seen += [one[:, :, ::-1] for one in (windows[unsure], *seen)]
        again = _answers(np.concatenate(seen)).reshape(len(seen), len(unsure), -1)
        out[unsure] = (out[unsure] + again.sum(0)) / (1 + len(seen))
        own[unsure] = _among(out, unsure, None) / SETTINGS.temperature
    none = softmax(own + NONE_PRIOR)[:, -1:]
    told = own if palette is None else (own + _among(out, slice(None), palette) / SETTINGS.temperature) / 2
    odds = np.concatenate([softmax(told[:, : len(COLORS)] + PRIOR) * (1 - none), none], 1)
    return Judged(odds, _turns(windows), out[:, :FEATURES])


def _answers(windows: np.ndarray) -> np.ndarray:
    blob = windows.transpose(0, 3, 1, 2).astype(np.float32, order="C")
    blob -= 128
    blob *= 1 / 64
    return NETWORK(blob)


def features_of(windows: np.ndarray) -> np.ndarray:
    """(n, 32): what tiles are compared by."""
    return judge_tiles(windows).features


def _among(out: np.ndarray, which: slice | np.ndarray, palette: np.ndarray | None) -> np.ndarray:
    """Log odds of some of the tiles after a look at all: each color's mean over the table, or what a palette knows."""
    f, first, k = out[:, :FEATURES], out[:, FEATURES:], len(COLORS)
    p = softmax(first)[:, :k]
    count = p.sum(0)
    known, weight = (p.T @ f) / (count[:, None] + 0.05), count / (count + 1)
    if palette is not None:
        given = ~np.isnan(palette[:, 0])
        known[given], weight[given] = palette[given], SETTINGS.known
    f, first = f[which], first[which]
    # The first layer, applied to its inputs one by one: the tile, the color's mean, how far they differ, and the rest.
    tile, mean, gap, sure, odd, color, b1, w2, b2, w3, b3 = _compare()
    known, weight = known.astype(np.float32), weight.astype(np.float32)[:, None]
    apart = (np.abs(f[:, None] - known[None]) * weight) @ gap
    of_color = (known * weight) @ mean + weight * sure + color + b1
    y = (f @ tile)[:, None] + of_color[None] + (first[:, :k, None] / 8) * odd[0] + apart
    more = (np.maximum(np.maximum(y, 0) @ w2 + b2, 0) @ w3 + b3)[..., 0]
    return np.concatenate([first[:, :k] + more, first[:, k:]], 1)


def _turns(windows: np.ndarray) -> np.ndarray:
    """How far each tile is turned, -45° to 45° in radians, by the directions of its edges; NaN where they disagree."""
    gray = windows[..., 1].astype(np.float32)
    gx = gray[:, 1:-1, 2:] - gray[:, 1:-1, :-2]
    gy = gray[:, 2:, 1:-1] - gray[:, :-2, 1:-1]
    # (gx + i gy)², and its square: an edge and its three sisters around a square are then one direction.
    a, b = gx * gx, gy * gy
    square = a + b + np.float32(1e-6)
    across, slanted = a - b, 2 * gx * gy
    size = np.sqrt(square)
    weight = _RIM / (square * size)
    real = ((across * across - slanted * slanted) * weight).sum((1, 2))
    imaginary = 2 * (across * slanted * weight).sum((1, 2))
    agree = np.hypot(real, imaginary) / (size * _RIM).sum((1, 2))
    return np.where(agree > SETTINGS.least_edges, np.arctan2(imaginary, real) / 4, np.nan)
