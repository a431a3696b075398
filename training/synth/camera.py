"""A drawn camera: light on the sheet, perspective, lens, sensor and file, and the way back.

`light` works on the flat sheet; `Camera` maps it to a photo; `develop` turns scene light
into the pixels of a file. Floats are 0 to 1, colors BGR.
"""

from dataclasses import dataclass

import cv2
import numpy as np

from training.synth.hands import Rng


def smooth_field(rng: Rng, shape: tuple[int, int], knots: int) -> np.ndarray:
    """(H, W) float32 of smooth noise, about -1 to 1."""
    small = rng.normal(0, 0.6, (knots, knots)).astype(np.float32)
    return cv2.resize(small, shape[::-1], interpolation=cv2.INTER_CUBIC)


def light(rng: Rng, shape: tuple[int, int], scale: float) -> np.ndarray:
    """(H, W, 3) float32: the light that falls on the sheet, about 1 where it is bright. Linear."""
    y, x = np.mgrid[0 : shape[0] // 4 + 1, 0 : shape[1] // 4 + 1].astype(np.float32) * (4 / max(shape))
    a = rng.uniform(0, 2 * np.pi)
    lit = 1 + rng.uniform(0, 0.5) * ((x - 0.5) * np.cos(a) + (y - 0.5) * np.sin(a))
    if rng.random() < 0.3:
        p, r = rng.uniform(-0.3, 1.3, 2), rng.uniform(0.3, 1.2)
        lit *= 0.35 + 0.65 / (1 + ((x - p[0]) ** 2 + (y - p[1]) ** 2) / r**2)
    if rng.random() < 0.3:
        lit *= 1 + rng.uniform(0.03, 0.15) * smooth_field(rng, lit.shape, int(rng.integers(3, 7)))
    if rng.random() < 0.2:
        side = (x - rng.uniform(0.2, 0.8)) * np.cos(a) + (y - rng.uniform(0.2, 0.8)) * np.sin(a)
        lit *= np.where(side > 0, 1, rng.uniform(0.7, 1))
    lit = lit[..., None] * np.ones(3, np.float32)
    for _ in range(rng.choice([0, 1, 2, 3], p=[0.4, 0.35, 0.15, 0.1])):
        lit *= 1 - _shadow(rng, lit.shape[:2], scale / 4)[..., None] * np.clip(
            rng.uniform(0.15, 0.72) + rng.normal(0, 0.04, 3), 0, 0.85
        )
    if rng.random() < 0.12:
        deep = np.clip(rng.uniform(0.85, 0.98) + rng.normal(0, 0.006, 3), 0.8, 0.99)
        lit *= 1 - _shadow(rng, lit.shape[:2], scale / 4)[..., None] * deep
    if rng.random() < 0.15:
        depth = np.clip(1 - rng.uniform(0.03, 0.2) + rng.normal(0, 0.01, 3), 0.7, 0.975)
        lit *= 1 - _shadow(rng, lit.shape[:2], scale / 4)[..., None] * depth
    for _ in range(rng.choice([0, 1, 2], p=[0.8, 0.14, 0.06])):
        lit *= _crease(rng, lit.shape[:2], scale / 4)[..., None]
    return cv2.resize(lit.astype(np.float32), shape[::-1], interpolation=cv2.INTER_LINEAR)


def _crease(rng: Rng, shape: tuple[int, int], scale: float) -> np.ndarray:
    """(h, w) float32: the light along a straight crease: its sides face the lamp differently, its ridge shines."""
    y, x = np.mgrid[0 : shape[0], 0 : shape[1]].astype(np.float32)
    a = rng.choice([0, np.pi / 2]) + rng.normal(0, 0.03) if rng.random() < 0.7 else rng.uniform(0, np.pi)
    p = rng.uniform(0.1, 0.9, 2) * shape[::-1]
    far = ((x - p[0]) * np.cos(a) + (y - p[1]) * np.sin(a)) / scale
    fade = np.exp(-np.abs(far) / rng.uniform(0.3, 6))
    side = 1 + rng.normal(0, 0.12) * np.tanh(far / 0.05) * fade
    ridge = 1 + rng.normal(0, 0.25) * np.exp(-((far / rng.uniform(0.015, 0.06)) ** 2))
    return np.clip(side * ridge, 0.4, 1.6).astype(np.float32)


def _shadow(rng: Rng, shape: tuple[int, int], scale: float) -> np.ndarray:
    """A hand's, a phone's or a stripe's shadow, hard or soft."""
    mask = np.zeros(shape, np.uint8)
    c = rng.random(2) * shape[::-1]
    kind = rng.integers(3)
    if kind == 0:
        n = rng.integers(4, 9)
        t = np.sort(rng.uniform(0, 2 * np.pi, n))
        r = rng.uniform(0.1, 0.7, n) * max(shape)
        cv2.fillPoly(mask, [np.int32(np.stack([c[0] + r * np.cos(t), c[1] + r * np.sin(t)], -1))], 255)
    elif kind == 1:
        box = cv2.boxPoints((c.tolist(), (rng.uniform(0.2, 0.6, 2) * max(shape)).tolist(), rng.uniform(0, 180)))
        cv2.fillConvexPoly(mask, np.int32(box), 255)
    else:
        for k in range(rng.integers(1, 5)):
            a = rng.normal(1.5, 0.3)
            p = np.array([c[0] + k * rng.uniform(0.5, 1.5) * scale, c[1]])
            q = p + np.array([np.cos(a), np.sin(a)]) * max(shape) * rng.choice([-1, 1])
            cv2.line(mask, np.int32(p).tolist(), np.int32(q).tolist(), 255, max(1, int(rng.uniform(0.1, 1.2) * scale)))
    soft = float(np.exp(rng.uniform(np.log(0.03), np.log(1.0)))) * scale
    return cv2.GaussianBlur(mask, (0, 0), max(soft, 0.4)).astype(np.float32) / 255


def glare(rng: Rng, shape: tuple[int, int]) -> np.ndarray:
    """(H, W) float32: light that the paper mirrors, added to the scene."""
    mask = np.zeros((shape[0] // 8 + 1, shape[1] // 8 + 1), np.float32)
    for _ in range(rng.integers(1, 3)):
        c = rng.random(2) * mask.shape[::-1]
        axes = (rng.uniform(0.05, 0.4, 2) * max(mask.shape)).astype(int) + 1
        cv2.ellipse(mask, c.astype(int).tolist(), axes.tolist(), rng.uniform(0, 180), 0, 360, 1.0, -1)
    mask = cv2.GaussianBlur(mask, (0, 0), rng.uniform(0.04, 0.25) * max(mask.shape))
    return cv2.resize(mask, shape[::-1]) * rng.uniform(0.1, 0.9)


def sheen(rng: Rng, graphite: np.ndarray) -> np.ndarray:
    """(H, W) float32: light that graphite mirrors towards the camera, in parts of what falls on it; paper mirrors none.

    Rubbed flat by the hand it mirrors best where most of it lies; strokes may come out as bright as the paper.
    """
    shape = graphite.shape
    lobe = np.clip(glare(rng, shape) * 4, 0, 1) if rng.random() < 0.7 else np.ones(shape, np.float32)
    rough = 1 + rng.uniform(0, 0.4) * smooth_field(rng, shape, int(rng.integers(6, 40)))
    return lobe * np.clip(rough, 0, 2) * graphite ** rng.uniform(0.7, 2) * rng.uniform(0.1, 0.9)


@dataclass(frozen=True)
class Camera:
    """Where the flat sheet's pixels land.

    `to_photo` is a 3 × 3 homography, `size` the photo's (width, height), `bend` (H, W, 2)
    says for each pixel of the bent sheet which flat one it shows, as a shift; or None.
    """

    to_photo: np.ndarray
    size: tuple[int, int]
    bend: np.ndarray | None

    def see(self, flat: np.ndarray, shrink: float) -> np.ndarray:
        """The photo of a flat picture; `shrink` is the photo's pixels for one of the flat picture's."""
        f = min(1.0, max(shrink * 1.25, 0.05))
        if self.bend is not None:
            h, w = flat.shape[:2]
            x, y = np.meshgrid(np.arange(w, dtype=np.float32), np.arange(h, dtype=np.float32))
            flat = cv2.remap(
                flat, x + self.bend[..., 0], y + self.bend[..., 1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE
            )
        if f < 0.95:
            small = cv2.resize(flat, None, fx=f, fy=f, interpolation=cv2.INTER_AREA)
            fx, fy = small.shape[1] / flat.shape[1], small.shape[0] / flat.shape[0]
            flat = small
        else:
            fx = fy = 1.0
        return cv2.warpPerspective(
            flat,
            self.to_photo @ np.diag([1 / fx, 1 / fy, 1]),
            self.size,
            flags=cv2.INTER_LINEAR,
            borderMode=cv2.BORDER_REPLICATE,
        )


def random_camera(rng: Rng, shape: tuple[int, int], shrink: float) -> Camera:
    """A phone held anywhere up to 45° aside, turned at will; `shrink` is photo pixels for a flat one."""
    h, w = shape
    tilt = np.radians(min(abs(rng.normal(0, 20)), 46))
    turn = rng.uniform(0, 2 * np.pi) if rng.random() < 0.5 else rng.normal(0, 0.2) + rng.integers(4) * np.pi / 2
    about = rng.uniform(0, 2 * np.pi)
    far = rng.uniform(1.6, 5) * max(shape)
    middle = np.array([w / 2, h / 2])
    corners = np.float64([[0, 0], [w, 0], [w, h], [0, h]]) - middle
    axis = np.array([np.cos(about), np.sin(about)])
    side = np.array([-axis[1], axis[0]])
    u, v = corners @ axis, corners @ side
    depth = far + v * np.sin(tilt)
    seen = (u[:, None] * axis + (v * np.cos(tilt))[:, None] * side) * (far / depth)[:, None]
    spin = np.array([[np.cos(turn), np.sin(turn)], [-np.sin(turn), np.cos(turn)]])
    seen = seen @ spin * shrink
    low = seen.min(0) - 2
    size = np.ceil(seen.max(0) - low + 2).astype(int)
    to_photo = cv2.getPerspectiveTransform(np.float32(corners + middle), np.float32(seen - low))
    bend = None
    if rng.random() < 0.3:
        k = int(rng.integers(3, 8))
        bend = np.stack([smooth_field(rng, shape, k) for _ in range(2)], -1) * rng.uniform(0, 0.035) * max(shape) / 9
    return Camera(to_photo, (int(size[0]), int(size[1])), bend)


def blur(rng: Rng, photo: np.ndarray, most: float) -> np.ndarray:
    """Out of focus, or moved in any direction; `most` in pixels bounds it."""
    kind = rng.random()
    if kind < 0.55:
        return cv2.GaussianBlur(photo, (0, 0), rng.uniform(0.25, max(0.35, 0.35 * most)))
    if kind < 0.75:
        r = max(1, round(rng.uniform(0, 0.6) * most))
        disk = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (2 * r + 1, 2 * r + 1)).astype(np.float32)
        return cv2.filter2D(photo, -1, disk / disk.sum())
    n = int(max(2, rng.uniform(0.3, 1) * most)) | 1
    kernel = np.zeros((n, n), np.float32)
    a = rng.uniform(0, np.pi)
    c = (n - 1) / 2
    p, q = (c - np.cos(a) * c, c - np.sin(a) * c), (c + np.cos(a) * c, c + np.sin(a) * c)
    cv2.line(kernel, [round(v * 16) for v in p], [round(v * 16) for v in q], 1.0, 1, cv2.LINE_8, 4)
    return cv2.filter2D(photo, -1, kernel / max(kernel.sum(), 1e-6))


def develop(rng: Rng, scene: np.ndarray, cell: float) -> np.ndarray:
    """Turn linear scene light (H, W, 3) into the uint8 pixels of a photo file; `cell` is pixels a cell."""
    warm = rng.normal(0, 0.22)
    cast = np.exp(np.array([-warm, rng.normal(0, 0.04), warm * 0.8])).astype(np.float32)
    if rng.random() < 0.6:
        cast = cast**0.35
    photo = scene * cast
    bright = np.percentile(photo[::4, ::4, 1], 90)
    photo = photo * (float(np.clip(np.exp(rng.normal(-0.45, 0.4)), 0.15, 1.5)) / max(bright, 1e-3))
    photo = blur(rng, photo, cell * float(np.exp(rng.uniform(np.log(0.008), np.log(0.12)))))
    if rng.random() < 0.25:
        photo = _fringes(rng, photo)
    noise = float(np.exp(rng.uniform(np.log(0.002), np.log(0.045))))
    grain = rng.standard_normal(photo.shape, np.float32)
    if rng.random() < 0.5:
        grain = cv2.GaussianBlur(grain, (0, 0), rng.uniform(0.4, 1.4)) * 1.6
    if rng.random() < 0.5:
        grain = grain.mean(2, keepdims=True) * 1.4 + grain * 0.3
    if rng.random() < 0.2:
        blotches = cv2.GaussianBlur(rng.standard_normal(photo.shape, np.float32), (0, 0), rng.uniform(1.5, 5))
        grain = grain + blotches * (rng.uniform(0.2, 1) / max(float(blotches.std()), 1e-6))
    photo = photo + grain * noise * cv2.sqrt(np.clip(photo, 0, 1) + 0.03)
    photo = cv2.pow(np.clip(photo, 0, 1), 1 / rng.uniform(1.9, 2.5))
    s = rng.uniform(-0.2, 0.6)
    photo = photo * (1 - s) + s * photo * photo * (3 - 2 * photo)
    photo = np.round(np.clip(photo, 0, 1) * 255).astype(np.uint8)
    if noise > 0.008 and rng.random() < 0.6:
        photo = [
            lambda p: cv2.bilateralFilter(p, 5, 30, 2),
            lambda p: cv2.medianBlur(p, 3),
            lambda p: cv2.bilateralFilter(p, 7, 18, 3),
        ][rng.integers(3)](photo)
    if rng.random() < 0.6:
        soft = cv2.GaussianBlur(photo, (0, 0), rng.uniform(0.6, 2.2))
        amount = rng.uniform(0.2, 1.5)
        photo = cv2.addWeighted(photo, 1 + amount, soft, -amount, 0)
    for _ in range(1 if rng.random() < 0.75 else 2):
        quality = int(rng.uniform(30, 97)) if rng.random() < 0.4 else int(rng.uniform(80, 98))
        photo = cv2.imdecode(cv2.imencode(".jpg", photo, [cv2.IMWRITE_JPEG_QUALITY, quality])[1], cv2.IMREAD_COLOR)
    return photo


def _fringes(rng: Rng, photo: np.ndarray) -> np.ndarray:
    """Colored edges: red and blue shifted by a fraction of a pixel."""
    h, w = photo.shape[:2]
    out = photo.copy()
    for k in (0, 2):
        dx, dy = rng.normal(0, 0.5, 2)
        out[..., k] = cv2.warpAffine(
            photo[..., k], np.float32([[1, 0, dx], [0, 1, dy]]), (w, h), borderMode=cv2.BORDER_REPLICATE
        )
    return out


def shade(rng: Rng, shape: tuple[int, int]) -> np.ndarray:
    """(H, W, 1) float32: gentle light from one side, as on a good day."""
    y, x = np.mgrid[0 : shape[0], 0 : shape[1]].astype(np.float32) / max(shape)
    a = rng.uniform(0, 2 * np.pi)
    return (0.8 + 0.25 * ((x - 0.5) * np.cos(a) + (y - 0.4) * np.sin(a)))[..., None].astype(np.float32)


def develop_plain(rng: Rng, scene: np.ndarray) -> np.ndarray:
    """A good phone's picture of linear light: a little warm, a little soft, a little noise, one JPEG."""
    photo = cv2.GaussianBlur(scene, (0, 0), 0.6) * np.float32([0.9, 1.0, 1.06])
    photo = photo + rng.normal(0, 0.006, photo.shape[:2])[..., None].astype(np.float32)
    photo = np.round(np.clip(photo, 0, 1) ** (1 / 2.2) * 255).astype(np.uint8)
    return cv2.imdecode(cv2.imencode(".jpg", photo, [cv2.IMWRITE_JPEG_QUALITY, 92])[1], cv2.IMREAD_COLOR)
