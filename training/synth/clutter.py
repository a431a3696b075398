"""Things that lie on a sheet and hide cells: pawns, dice, pencils, fingers, coins.

Drawn into the flat picture in pixels; tall things lean away from the camera.
Images are (H, W, 3) float32 BGR, 0 to 1; masks (H, W) float32.
"""

import cv2
import numpy as np

from training.synth.hands import Rng

Point = tuple[float, float]


def put_clutter(rng: Rng, image: np.ndarray, scale: int, margin: float) -> np.ndarray:
    """Put zero to four things anywhere on the picture, in place. Returns the mask of what they hide."""
    mask = np.zeros(image.shape[:2], np.float32)
    lean = rng.normal(0, 1, 2)
    lean /= max(np.linalg.norm(lean), 1e-6)
    lean *= rng.uniform(0, 1.3)
    things = [pawn, pawn, pawn, die, coin, stick, finger]
    for _ in range(rng.integers(1, 5)):
        m = margin * scale * 0.5
        at = (rng.uniform(m, image.shape[1] - m), rng.uniform(m, image.shape[0] - m))
        things[rng.integers(len(things))](rng, image, mask, at, scale, lean)
    return mask


def _paint(image: np.ndarray, mask: np.ndarray, shape: np.ndarray, color: np.ndarray, shade=None) -> None:
    """Color a shape; `shade` gives the light on it for a window of pixels."""
    x, y, w, h = cv2.boundingRect((shape > 0).astype(np.uint8))
    window = (slice(y, y + h), slice(x, x + w))
    a = shape[window][..., None]
    lit = color if shade is None else color * shade(x, y, w, h)[..., None]
    image[window] = image[window] * (1 - a) + np.clip(lit, 0, 1) * a
    mask[window] = np.maximum(mask[window], shape[window])


def _shadow(rng: Rng, image: np.ndarray, shape: np.ndarray, scale: int) -> None:
    off = rng.normal(0, 0.22, 2) * scale / 4
    small = cv2.resize(shape, None, fx=0.25, fy=0.25, interpolation=cv2.INTER_AREA)
    small = cv2.warpAffine(small, np.float32([[1, 0, off[0]], [0, 1, off[1]]]), small.shape[::-1])
    soft = cv2.resize(cv2.GaussianBlur(small, (0, 0), max(0.5, rng.uniform(0.02, 0.2) * scale / 4)), shape.shape[::-1])
    x, y, w, h = cv2.boundingRect((soft > 0.01).astype(np.uint8))
    image[y : y + h, x : x + w] *= 1 - rng.uniform(0.15, 0.6) * soft[y : y + h, x : x + w, None]


def _color(rng: Rng) -> np.ndarray:
    hsv = np.uint8([[[rng.integers(180), rng.choice([0, 60, 200]) + rng.integers(55), rng.integers(25, 250)]]])
    return (cv2.cvtColor(hsv, cv2.COLOR_HSV2BGR)[0, 0] / 255).astype(np.float32)


def _gradient(rng: Rng, at: Point, scale: int):
    """Light from one side: brighter here, darker there."""
    a, depth = rng.uniform(0, 2 * np.pi), rng.uniform(0.1, 0.5)

    def shade(x: int, y: int, w: int, h: int) -> np.ndarray:
        v, u = np.mgrid[y : y + h, x : x + w].astype(np.float32)
        slope = ((u - at[0]) * np.cos(a) + (v - at[1]) * np.sin(a)) / (0.5 * scale)
        return (0.8 + np.clip(slope, -1, 1) * depth).astype(np.float32)

    return shade


def pawn(rng: Rng, image: np.ndarray, mask: np.ndarray, at: Point, scale: int, lean: np.ndarray) -> None:
    """A base, a body and a head that leans away."""
    shape = np.zeros(mask.shape, np.uint8)
    base, tall = rng.uniform(0.2, 0.5) * scale, rng.uniform(0.5, 1.4) * scale
    top = np.array(at) + lean * tall
    for k in np.linspace(0, 1, 14):
        p = np.array(at) + lean * tall * k
        r = base * (1 - 0.6 * k) if k < 0.8 else base * 0.6
        cv2.circle(shape, np.round(p * 16).astype(int).tolist(), round(r * 16), 255, -1, cv2.LINE_AA, 4)
    cv2.circle(
        shape,
        np.round(top * 16).astype(int).tolist(),
        round(base * 16 * rng.uniform(0.5, 0.75)),
        255,
        -1,
        cv2.LINE_AA,
        4,
    )
    solid = shape.astype(np.float32) / 255
    _shadow(rng, image, solid, scale)
    _paint(image, mask, solid, _color(rng), _gradient(rng, at, scale))
    if rng.random() < 0.6:
        cv2.circle(
            image,
            np.round(top + rng.normal(0, 2, 2)).astype(int).tolist(),
            int(base * 0.2) + 1,
            (0.95, 0.95, 0.95),
            -1,
            cv2.LINE_AA,
        )


def die(rng: Rng, image: np.ndarray, mask: np.ndarray, at: Point, scale: int, lean: np.ndarray) -> None:
    """A cube: its top with pips, its side below."""
    half = rng.uniform(0.25, 0.55) * scale
    color, a = _color(rng), rng.uniform(0, np.pi / 2)
    corners = np.array([[np.cos(a + k * np.pi / 2), np.sin(a + k * np.pi / 2)] for k in range(4)]) * half * 1.3 + at
    shape = np.zeros(mask.shape, np.uint8)
    both = np.vstack([corners, corners + lean * half * 1.4])
    cv2.fillConvexPoly(shape, cv2.convexHull(np.round(both * 16).astype(np.int32)), 255, cv2.LINE_AA, 4)
    solid = shape.astype(np.float32) / 255
    _shadow(rng, image, solid, scale)
    _paint(image, mask, solid, color * 0.6)
    shape[:] = 0
    cv2.fillConvexPoly(shape, np.round((corners + lean * half * 1.4) * 16).astype(np.int32), 255, cv2.LINE_AA, 4)
    _paint(image, mask, shape.astype(np.float32) / 255, color)
    pip = (1 - color).round().tolist()
    for x, y in rng.choice([-0.5, 0, 0.5], (rng.integers(1, 7), 2)) * half * 1.1:
        p = (
            np.array(at)
            + lean * half * 1.4
            + (x * np.cos(a + 0.8) - y * np.sin(a + 0.8), x * np.sin(a + 0.8) + y * np.cos(a + 0.8))
        )
        cv2.circle(image, np.round(p).astype(int).tolist(), max(1, int(half * 0.16)), pip, -1, cv2.LINE_AA)


def coin(rng: Rng, image: np.ndarray, mask: np.ndarray, at: Point, scale: int, lean: np.ndarray) -> None:
    """A flat round or many-cornered token with a rim."""
    shape = np.zeros(mask.shape, np.uint8)
    r = rng.uniform(0.25, 0.7) * scale
    n = int(rng.choice([4, 6, 8, 40]))
    t = np.arange(n) * 2 * np.pi / n + rng.random()
    cv2.fillConvexPoly(
        shape, np.round((np.stack([np.cos(t), np.sin(t)], -1) * r + at) * 16).astype(np.int32), 255, cv2.LINE_AA, 4
    )
    solid = shape.astype(np.float32) / 255
    _shadow(rng, image, solid, scale)
    color = _color(rng)
    _paint(image, mask, solid, color, _gradient(rng, at, scale))
    cv2.circle(
        image,
        np.round(at).astype(int).tolist(),
        int(r * 0.75),
        (color * 0.6).tolist(),
        max(1, int(scale * 0.03)),
        cv2.LINE_AA,
    )


def stick(rng: Rng, image: np.ndarray, mask: np.ndarray, at: Point, scale: int, lean: np.ndarray) -> None:
    """A pencil or a pen across the sheet."""
    shape = np.zeros(mask.shape, np.uint8)
    a = rng.uniform(0, 2 * np.pi)
    end = np.array(at) + np.array([np.cos(a), np.sin(a)]) * rng.uniform(2, 9) * scale
    wide = max(2, int(rng.uniform(0.1, 0.35) * scale))
    cv2.line(shape, np.round(at).astype(int).tolist(), np.round(end).astype(int).tolist(), 255, wide, cv2.LINE_AA)
    solid = shape.astype(np.float32) / 255
    _shadow(rng, image, solid, scale)
    _paint(image, mask, solid, _color(rng), _gradient(rng, at, scale))


def finger(rng: Rng, image: np.ndarray, mask: np.ndarray, at: Point, scale: int, lean: np.ndarray) -> None:
    """A finger that comes in from the nearest edge."""
    shape = np.zeros(mask.shape, np.uint8)
    h, w = mask.shape
    out = np.array(at) - (w / 2, h / 2)
    out = out / max(np.linalg.norm(out), 1) + rng.normal(0, 0.3, 2)
    end = np.array(at) + out * 6 * scale
    cv2.line(
        shape,
        np.round(at).astype(int).tolist(),
        np.round(end).astype(int).tolist(),
        255,
        max(3, int(rng.uniform(0.6, 1.3) * scale)),
        cv2.LINE_AA,
    )
    skin = np.array([0.45, 0.6, 0.85], np.float32) * rng.uniform(0.3, 1.1)
    solid = shape.astype(np.float32) / 255
    _shadow(rng, image, solid, scale)
    _paint(image, mask, solid, skin.astype(np.float32), _gradient(rng, at, scale))
