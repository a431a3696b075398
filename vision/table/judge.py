"""What a tile is: a small network over each tile's picture, then a comparison with its sisters on the table."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from pathlib import Path

import cv2
import numpy as np

from vision.table.plane import Plane, project
from vision.table.reading import COLORS
from vision.table.white import AS_IT_IS, Balance

MODEL = Path(__file__).parents[1] / "models" / "tile_judge.onnx"
COMPARE = MODEL.with_suffix(".npz")
WINDOW, WINDOW_TILES, FEATURES = 32, 1.3, 32
"""Side of a tile's picture, in pixels and in tiles; numbers that describe it."""
KNOWN = 0.9
"""How much the colors of a palette are trusted, 0 to 1."""
TEMPERATURE = 1.0
"""Log odds are divided by this, so that probabilities are frequencies (drawn tables)."""
PRIOR = np.log([1, 1, 1, 1, 1, 1 / 2, 3 / 6])
"""The box holds one rainbow and three gold where the tables of the training had up to two and six."""
LEAST_EDGES = 0.16
"""Share of the edges that agree on a tile's turn, below which it is round for all we know."""
_GRID = (np.mgrid[0:WINDOW, 0:WINDOW][::-1].reshape(2, -1).T + 0.5) / WINDOW * WINDOW_TILES - WINDOW_TILES / 2


@dataclass(frozen=True)
class Judged:
    """`odds` (n, 8): probabilities of the seven colors and of no tile; `turns` (n,) radians, NaN where round;
    `features` (n, 32)."""

    odds: np.ndarray
    turns: np.ndarray
    features: np.ndarray


@cache
def _network() -> cv2.dnn.Net:
    engine = getattr(cv2.dnn, "ENGINE_CLASSIC", None)
    return cv2.dnn.readNetFromONNX(str(MODEL), *([] if engine is None else [engine]))


@cache
def _compare() -> tuple[np.ndarray, ...]:
    with np.load(COMPARE) as file:
        return tuple(file[key].astype(np.float32) for key in file.files)


def tile_windows(image: np.ndarray, plane: Plane, places: np.ndarray, balance: Balance = AS_IT_IS) -> np.ndarray:
    """(n, 32, 32, 3) uint8: each tile's picture from above, upright in the table's frame."""
    if not len(places):
        return np.zeros((0, WINDOW, WINDOW, 3), np.uint8)
    points = (places[:, None, :2] + _GRID[None]).reshape(-1, 2)
    at = project(plane.to_pixels, points).astype(np.float32).reshape(-1, WINDOW, 2)
    flat = cv2.remap(image, at, None, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    return balance(flat).reshape(len(places), WINDOW, WINDOW, 3)


def judge_tiles(windows: np.ndarray, palette: np.ndarray | None = None) -> Judged:
    """Judge one table's tiles together. `palette`: (7, 32) what each color is known to look like, NaN where not."""
    if not len(windows):
        return Judged(np.zeros((0, len(COLORS) + 1)), np.zeros(0), np.zeros((0, FEATURES)))
    net = _network()
    net.setInput(cv2.dnn.blobFromImages(list(windows), 1 / 64, mean=(128, 128, 128)))
    out = net.forward()
    features, first = out[:, :FEATURES], out[:, FEATURES:]
    own = _among(features, first, None) / TEMPERATURE
    none = _softmax(own)[:, -1:]
    told = own if palette is None else _among(features, first, palette) / TEMPERATURE
    odds = np.concatenate([_softmax(told[:, : len(COLORS)] + PRIOR) * (1 - none), none], 1)
    return Judged(odds, _turns(windows), features)


def features_of(windows: np.ndarray) -> np.ndarray:
    """(n, 32): what tiles are compared by."""
    return judge_tiles(windows).features


def _softmax(x: np.ndarray) -> np.ndarray:
    e = np.exp(x - x.max(-1, keepdims=True))
    return e / e.sum(-1, keepdims=True)


def _among(f: np.ndarray, first: np.ndarray, palette: np.ndarray | None) -> np.ndarray:
    """Log odds after a look at the sisters: each color's mean over the table, or what a palette knows."""
    n, k = len(f), len(COLORS)
    p = _softmax(first)[:, :k]
    count = p.sum(0)
    known, weight = (p.T @ f) / (count[:, None] + 0.05), count / (count + 1)
    if palette is not None:
        given = ~np.isnan(palette[:, 0])
        known[given], weight[given] = palette[given], KNOWN
    x = np.concatenate(
        [
            np.broadcast_to(f[:, None], (n, k, FEATURES)),
            np.broadcast_to((known * weight[:, None])[None], (n, k, FEATURES)),
            np.abs(f[:, None] - known[None]) * weight[None, :, None],
            np.broadcast_to(weight[None, :, None], (n, k, 1)),
            first[:, :k, None] / 8,
            np.broadcast_to(np.eye(k)[None], (n, k, k)),
        ],
        axis=2,
    ).astype(np.float32)
    w1, b1, w2, b2, w3, b3 = _compare()
    y = np.maximum(x.reshape(n * k, -1) @ w1.T + b1, 0)
    more = (np.maximum(y @ w2.T + b2, 0) @ w3.T + b3).reshape(n, k)
    return np.concatenate([first[:, :k] + more, first[:, k:]], 1)


def _turns(windows: np.ndarray) -> np.ndarray:
    """How far each tile is turned, -45° to 45° in radians, by the directions of its edges; NaN where they disagree."""
    gray = windows.astype(np.float32).mean(3)
    gx = gray[:, 1:-1, 2:] - gray[:, 1:-1, :-2]
    gy = gray[:, 2:, 1:-1] - gray[:, :-2, 1:-1]
    rim = np.abs(_GRID.reshape(WINDOW, WINDOW, 2)[1:-1, 1:-1]).max(-1) > 0.3
    z = (gx + 1j * gy) * rim
    size = np.abs(z) + 1e-6
    fourfold = (z**4 / size**3).sum((1, 2))
    turn = np.angle(fourfold) / 4
    return np.where(np.abs(fourfold) / size.sum((1, 2)) > LEAST_EDGES, turn, np.nan)
