"""A drawn sheet, photographed and flattened again as a grid finder would: what the cell classifier sees."""

import cv2
import numpy as np

from training.synth.camera import develop, glare, light, random_camera, sheen, smooth_field
from training.synth.clutter import put_clutter
from training.synth.hands import Rng
from training.synth.print import Sheet
from training.synth.sheets import Filled, cell_means


def photographed(
    rng: Rng, filled: Filled, cell: int = 40, margin: float = 0.6, mirrored: float = 0.3
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Photograph the sheet once and flatten the photo, with a grid finder's small errors.

    Returns:
        (H, W, 3) uint8 BGR with `cell` pixels a cell and `margin` cells around;
        (rows, cols) float, the share of each cell that is hidden; and
        (rows, cols) float, how much what was drawn changes each cell in this light, in parts of its brightness.
    """
    sheet = filled.sheet
    scene, hidden = sheet.image, np.zeros(filled.kinds.shape, np.float32)
    if rng.random() < 0.35:
        scene = scene.copy()
        hidden = cell_means(put_clutter(rng, scene, sheet.scale, sheet.margin), sheet)
    shape = scene.shape[:2]
    lit = light(rng, shape, sheet.scale)
    linear, bare = (cv2.pow(np.clip(picture, 0, 1), 2.2) * lit for picture in (scene, filled.blank))
    if filled.graphite.any() and rng.random() < mirrored:
        linear = linear + sheen(rng, filled.graphite)[..., None] * lit
    if rng.random() < 0.12:
        shine = glare(rng, shape)
        linear, bare = linear + shine[..., None], bare + shine[..., None]
        hidden = np.maximum(hidden, cell_means((shine > 1.2).astype(np.float32), sheet))
    shown = cell_means(np.abs(linear - bare).mean(2) / (bare.mean(2) + 1e-4), sheet) / 2.2
    source = float(np.clip(np.exp(rng.normal(np.log(42), 0.4)), 13, 90))
    return _seen(rng, linear, filled.sheet, cell, margin, source), hidden, shown


def enrolled(rng: Rng, filled: Filled, cell: int = 40, margin: float = 0.6) -> np.ndarray:
    """The same sheet before anyone drew on it, in another and a better photo: (H, W, 3) uint8 as `photographed`."""
    shape = filled.blank.shape[:2]
    linear = cv2.pow(np.clip(filled.blank, 0, 1), 2.2) * light(rng, shape, filled.sheet.scale)
    return _seen(rng, linear, filled.sheet, cell, margin, float(np.clip(np.exp(rng.normal(np.log(55), 0.3)), 30, 90)))


def _seen(rng: Rng, linear: np.ndarray, sheet: Sheet, cell: int, margin: float, source: float) -> np.ndarray:
    """Scene light photographed with `source` pixels a cell, and the photo flattened."""
    camera = random_camera(rng, linear.shape[:2], source / sheet.scale)
    photo = develop(rng, camera.see(linear, source / sheet.scale), source)
    return _flatten(rng, photo, camera.to_photo, camera.bend, sheet, cell, margin, source)


def _flatten(rng: Rng, photo: np.ndarray, to_photo: np.ndarray, bend: np.ndarray | None, sheet: Sheet,
             cell: int, margin: float, source: float) -> np.ndarray:  # fmt: skip
    h, w = round((sheet.rows + 2 * margin) * cell), round((sheet.cols + 2 * margin) * cell)
    x, y = np.meshgrid(np.arange(w, dtype=np.float32), np.arange(h, dtype=np.float32))
    u = ((x + 0.5) / cell - margin + sheet.margin) * sheet.scale - 0.5
    v = ((y + 0.5) / cell - margin + sheet.margin) * sheet.scale - 0.5
    if bend is not None:
        b = cv2.remap(bend.astype(np.float32), u, v, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
        u, v = u - b[..., 0], v - b[..., 1]
    err = float(rng.choice([0.01, 0.025, 0.045, 0.09], p=[0.3, 0.3, 0.3, 0.1])) * sheet.scale
    nx, ny = x / w - 0.5, y / h - 0.5

    def slip() -> np.ndarray:
        a, b, c = rng.normal(0, 1, 3) * (0.6, 1, 1)
        return err * (a + b * nx + c * ny + 0.5 * smooth_field(rng, (h, w), int(rng.integers(4, 10))))

    u, v = u + slip(), v + slip()
    p = to_photo
    d = p[2, 0] * u + p[2, 1] * v + p[2, 2]
    px = ((p[0, 0] * u + p[0, 1] * v + p[0, 2]) / d).astype(np.float32)
    py = ((p[1, 0] * u + p[1, 1] * v + p[1, 2]) / d).astype(np.float32)
    shrink = source / cell
    if shrink > 1.6:
        size = (max(1, round(photo.shape[1] / shrink)), max(1, round(photo.shape[0] / shrink)))
        fx, fy = size[0] / photo.shape[1], size[1] / photo.shape[0]
        photo = cv2.resize(photo, size, interpolation=cv2.INTER_AREA)
        px, py = (px + 0.5) * fx - 0.5, (py + 0.5) * fy - 0.5
    way = cv2.INTER_LINEAR if rng.random() < 0.8 else cv2.INTER_CUBIC
    return cv2.remap(photo, px, py, way, borderMode=cv2.BORDER_REPLICATE)
