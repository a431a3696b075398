"""Photographs of filled-in sheets: bent paper on some table, under some light, through some phone.

The paper bends about one direction, as paper does, without being stretched. Space is in pixels of the page's raster:
x and y as on the page, z up from the table. What cannot be seen on the photo is not counted: a cell whose mark does not
stand out becomes `ODD`, and a photo on which a tick, traced letter, gate or number does not stand out is taken again.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np

from bench.strangers.hands import ODD, Filled, filled_page
from bench.strangers.press import SIDE, Page
from bench.strangers.strokes import CELL, Rng, noise

STEPS = 450
"""Places along a photo's longer side whose light and page are worked out; those between are interpolated."""
TRIES = 8
"""Photos that are taken at most, until all marks show; the last ones in good light."""
LEAST = 14.0, 0.11
"""What a mark must differ by from the blank page: levels of 255, and part of what the paper there has."""
LAMPS = {
    2700: (0.46, 0.78, 1.16),
    3500: (0.64, 0.88, 1.1),
    4500: (0.82, 0.96, 1.04),
    5500: (1.0, 1.0, 1.0),
    7500: (1.22, 1.02, 0.86),
}
"""BGR of lamps by their temperature in kelvin."""
LINEAR = ((np.arange(256) / 255) ** 2.2).astype(np.float32)
"""Light of a picture's levels."""
UNCAREFUL = (0.36, 0.95), (0.4, 1.5), (0.006, 0.045), (55, 95)
"""Exposure, blur in pixels of a photo 2,000 wide, noise, and JPEG's quality, from and to."""
LOOK = 1600
"""Pixels of a photo's longer side at which marks are looked for."""


@dataclass(frozen=True)
class Photo:
    """A photo, (H, W, 3) uint8 BGR, where the grid's lines cross on it, (12, 12, 2) pixels, and its circumstances."""

    image: np.ndarray
    lattice: np.ndarray
    tags: dict[str, Any]


class Surface:
    """A page that bends about one direction: curled, folded, or both; it lies on the table at z = 0."""

    def __init__(self, rng: Rng, size: tuple[int, int], bend: str) -> None:
        self.middle = np.array(size) / 2
        long = float(np.hypot(*size)) * 0.75
        self.turn = float(rng.choice([0.0, np.pi / 2])) if "fold" in bend else rng.uniform(0, np.pi)
        s = np.linspace(-long, long, 1200)
        curve = np.zeros(s.size)
        if "curl" in bend:
            curve += rng.uniform(-1, 1) * 0.55 / long + rng.uniform(-1, 1) * 0.5 / long * s / long
        half = min(size) / 2
        for at in {"fold": (0.0,), "third folds": (-0.33, 0.33)}.get(bend.replace("curled ", ""), ()):
            sharp = rng.uniform(0.06, 0.3) * rng.choice([-1, 1])
            curve += sharp * np.exp(-(((s - at * half) / 10) ** 2)) / (10 * np.sqrt(np.pi))
        slope = np.cumsum(curve) * (s[1] - s[0])
        slope = np.clip(slope - np.interp(0, s, slope), -0.38, 0.38) + rng.normal(0, 0.015) * ("flat" not in bend)
        self.s, self.slope = s, slope
        self.across = np.cumsum(np.cos(slope)) * (s[1] - s[0])
        self.across -= np.interp(0, s, self.across)
        self.height = np.cumsum(np.sin(slope)) * (s[1] - s[0])
        reach = np.abs(s) < np.hypot(*size) / 2
        self.height -= self.height[reach].min()

    def __call__(self, q: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Places in space and normals, both (n, 3), of page pixels (n, 2)."""
        x, y = (q - self.middle).T
        c, d = np.cos(self.turn), np.sin(self.turn)
        s, t = x * c + y * d, y * c - x * d
        across, high, slope = (np.interp(s, self.s, of) for of in (self.across, self.height, self.slope))
        beyond = s - np.clip(s, self.s[0], self.s[-1])
        across = across + beyond
        lean = -np.sin(slope)
        return np.stack([across * c - t * d, across * d + t * c, high], 1), np.stack(
            [lean * c, lean * d, np.cos(slope)], 1
        )


class Camera:
    """Where a phone is held: tilt from straight above, from which side, turned by how much; all in radians."""

    def __init__(self, rng: Rng, surface: Surface, size: tuple[int, int], tilt: float, long_side: int) -> None:
        side, roll = (
            rng.uniform(0, 2 * np.pi),
            float(rng.choice([0, np.pi / 2, -np.pi / 2, np.pi], p=[0.76, 0.09, 0.09, 0.06])) + rng.normal(0, 0.13),
        )
        away = float(np.hypot(*size)) * rng.uniform(1.1, 1.9)
        self.eye = away * np.array([np.sin(tilt) * np.cos(side), np.sin(tilt) * np.sin(side), np.cos(tilt)])
        ahead = -self.eye / away
        down = np.array([-np.sin(roll), np.cos(roll), 0.0])
        right = np.array([np.cos(roll), np.sin(roll), 0.0])
        down = down - (down @ ahead) * ahead
        down /= np.linalg.norm(down)
        right = right - (right @ ahead) * ahead - (right @ down) * down
        right /= np.linalg.norm(right)
        self.axes = np.stack([right, down, ahead])
        self.bulge = rng.uniform(-0.06, 0.03)
        self.focal, self.center = 1.0, np.zeros(2)
        w, h = size
        rim = np.array([(a * w, b * h) for k in np.linspace(0, 1, 15) for a, b in ((k, 0), (k, 1), (0, k), (1, k))])
        seen = self.project(surface(rim)[0])
        low, high = seen.min(0), seen.max(0)
        wide, tall = high - low
        shape = rng.choice([4 / 3, 16 / 9], p=[0.75, 0.25])
        frame = np.array([long_side, long_side / shape] if wide > tall else [long_side / shape, long_side]).round()
        self.focal = float(min(frame / (high - low)) * rng.uniform(0.78, 0.97))
        spare = frame - (high - low) * self.focal
        self.center = -low * self.focal + spare * rng.uniform(0.15, 0.85, 2)
        self.frame = int(frame[0]), int(frame[1])

    def project(self, points: np.ndarray) -> np.ndarray:
        """Photo pixels, (n, 2), of places in space."""
        x, y, z = ((points - self.eye) @ self.axes.T).T
        n = np.stack([x / z, y / z], 1)
        return n * (1 + self.bulge * (n**2).sum(1, keepdims=True)) * self.focal + self.center

    def table(self, pixels: np.ndarray) -> np.ndarray:
        """Where on the table, (n, 3), photo pixels look."""
        bent = (pixels - self.center) / self.focal
        n = bent.copy()
        for _ in range(4):
            n = bent / (1 + self.bulge * (n**2).sum(1, keepdims=True))
        way = np.concatenate([n, np.ones((len(n), 1))], 1) @ self.axes
        return self.eye + way * (-self.eye[2] / np.minimum(way[:, 2], -1e-3))[:, None]


class View:
    """What each photo pixel shows: page or table, in steps of `step` pixels."""

    def __init__(self, surface: Surface, camera: Camera, size: tuple[int, int]) -> None:
        wide, high = camera.frame
        self.step = step = max(3, round(max(wide, high) / STEPS))
        y, x = np.mgrid[0 : high + step : step, 0 : wide + step : step].astype(float)
        self.shape = x.shape
        pixels = np.stack([x.ravel(), y.ravel()], 1)
        w, h = size
        ends = np.array([(0, 0), (w, 0), (w, h), (0, h)], float)
        plane, _ = cv2.findHomography(camera.project(surface(ends)[0]), ends)
        straight = project(plane, pixels)
        q = straight.copy()
        for _ in range(12):
            q = np.clip(q, -0.6 * max(size), 1.6 * max(size))
            q = q + 0.9 * (straight - project(plane, camera.project(surface(q)[0])))
        self.q = np.clip(q, -0.6 * max(size), 1.6 * max(size))
        self.on = ((self.q >= -0.5) & (self.q <= np.array(size) - 0.5)).all(1)
        self.table = camera.table(pixels)
        place, normal = surface(self.q)
        self.place = np.where(self.on[:, None], place, self.table)
        self.normal = np.where(self.on[:, None], normal, (0.0, 0.0, 1.0))
        self.frame = camera.frame

    def wide(self, values: np.ndarray, shrink: float = 1.0) -> np.ndarray:
        """Values at the steps, (n, ...), for every pixel of the photo, `shrink` times smaller, float32."""
        grid = values.reshape(*self.shape, -1).astype(np.float32)
        w, h = round(self.frame[0] / shrink), round(self.frame[1] / shrink)
        scale = np.array([[shrink, 0, (shrink - 1) / 2], [0, shrink, (shrink - 1) / 2]]) / self.step
        how = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
        return cv2.warpAffine(grid, scale, (w, h), flags=how, borderMode=cv2.BORDER_REPLICATE)


def project(plane: np.ndarray, points: np.ndarray) -> np.ndarray:
    """Points, (n, 2), through a homography."""
    return cv2.perspectiveTransform(points.reshape(-1, 1, 2), plane)[:, 0]


def looked_up(image: np.ndarray, where: np.ndarray, beyond: int) -> np.ndarray:
    """A picture's values at places (H, W, 2) float32, and what lies beyond its edge."""
    return cv2.remap(image, where[..., 0], where[..., 1], cv2.INTER_LINEAR, borderMode=beyond)


def unit(vectors: np.ndarray) -> np.ndarray:
    """Vectors, (n, 3), of length one."""
    return vectors / np.maximum(np.linalg.norm(vectors, axis=1, keepdims=True), 1e-9)


class Light:
    """A room's light and a lamp, in BGR; what stands in the lamp's way; what mirrors it."""

    def __init__(self, rng: Rng, kind: str, size: tuple[int, int], camera: Camera) -> None:
        self.rng, self.kind, self.size = rng, kind, size
        big = float(max(size))
        kelvin = list(LAMPS)
        self.lamp_kelvin = int(rng.choice(kelvin))
        self.room_kelvin = int(rng.choice(kelvin)) if kind == "mixed" or rng.random() < 0.3 else self.lamp_kelvin
        self.lamp, self.room = (np.array(LAMPS[k]) for k in (self.lamp_kelvin, self.room_kelvin))
        self.share = {
            "even": rng.uniform(0.1, 0.4),
            "lamp": rng.uniform(0.6, 0.92),
            "mixed": rng.uniform(0.45, 0.7),
        }.get(kind, rng.uniform(0.4, 0.75))
        a = rng.uniform(0, 2 * np.pi)
        self.at = np.array([np.cos(a), np.sin(a), 0]) * big * rng.uniform(0.4, 1.6) + (
            0,
            0,
            big * rng.uniform(0.7, 2.2),
        )
        self.gleam = 0.0
        if kind in {"glare", "sheen"}:  # the lamp stands where the page mirrors it
            point = np.array([*rng.uniform(-0.3, 0.3, 2) * size, 0.0])
            back = camera.eye - point
            self.at = point + back * (-1, -1, 1) * rng.uniform(0.5, 1.2) + rng.normal(0, 0.05 * big, 3)
            self.gleam = rng.uniform(0.25, 0.9) if kind == "glare" else 0.08
        self.tight = rng.uniform(60, 300)
        self.shadow = self.shadows(kind)

    def shadows(self, kind: str) -> np.ndarray:
        """How much of the lamp gets through, over the table around the page at an eighth of the page's raster."""
        rng, (w, h) = self.rng, self.size
        wide, high = round(w / 4), round(h / 4)  # twice the page, to either side half
        open_ = np.full((high, wide), 255, np.uint8)
        span = np.array([wide, high])
        middle = span * rng.uniform(0.3, 0.7, 2)
        a = rng.uniform(0, 2 * np.pi)
        way, side = np.array([np.cos(a), np.sin(a)]), np.array([-np.sin(a), np.cos(a)])
        big = max(wide, high) / 2

        def capsule(start: np.ndarray, end: np.ndarray, thick: float) -> None:
            cv2.line(open_, start.astype(int).tolist(), end.astype(int).tolist(), 0, max(1, round(thick)), cv2.LINE_AA)

        if kind == "hand":
            tip = middle
            capsule(tip + 0.3 * big * way, tip + 3 * big * way, 0.2 * big)
            capsule(tip + 0.2 * big * way, tip + 0.35 * big * way, 0.3 * big)
            for k in range(4):
                capsule(
                    tip + 0.2 * big * way + (k - 1.5) * 0.075 * big * side,
                    tip - (0.12 - 0.03 * abs(k - 1.4)) * big * way + (k - 1.5) * 0.1 * big * side,
                    0.065 * big,
                )
            capsule(tip + 0.3 * big * way + 0.12 * big * side, tip + 0.1 * big * way + 0.32 * big * side, 0.075 * big)
        elif kind == "edge":
            cv2.fillPoly(
                open_,
                [
                    np.array(
                        [
                            middle - 9 * big * side,
                            middle + 9 * big * side,
                            middle + 9 * big * (side + way),
                            middle + 9 * big * (way - side),
                        ]
                    ).astype(np.int32)
                ],
                0,
            )
        elif kind == "bars":
            for k in np.arange(-4, 5) * rng.uniform(0.25, 0.5):
                capsule(
                    middle + k * big * way - 4 * big * side,
                    middle + k * big * way + 4 * big * side,
                    rng.uniform(0.04, 0.12) * big,
                )
        elif kind == "leaves":
            for _ in range(rng.integers(8, 25)):
                at = span * rng.uniform(0.2, 0.8, 2)
                cv2.ellipse(
                    open_,
                    at.astype(int).tolist(),
                    [round(big * rng.uniform(0.03, 0.12)), round(big * rng.uniform(0.02, 0.05))],
                    rng.uniform(0, 180),
                    0,
                    360,
                    0,
                    -1,
                    cv2.LINE_AA,
                )
        elif kind == "phone":
            cv2.fillPoly(
                open_,
                [cv2.boxPoints((tuple(middle), (0.35 * big, 0.7 * big), float(np.degrees(a)))).astype(np.int32)],
                0,
            )
            capsule(middle, middle + 3 * big * way, 0.25 * big)
        soft = rng.choice([0.6, 2.0, 6.0, 14.0])
        return cv2.GaussianBlur(open_, (0, 0), soft).astype(np.float32) / 255

    def __call__(self, view: View, camera: Camera, waves: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """At the view's steps: light on a dull surface, (n, 3) BGR; what paper and graphite mirror, (n,)."""
        normal = unit(view.normal + np.concatenate([waves, np.zeros((len(waves), 1))], 1) * view.on[:, None])
        to_lamp = self.at - view.place
        far = np.linalg.norm(to_lamp, axis=1)
        to_lamp = unit(to_lamp)
        facing = np.clip((normal * to_lamp).sum(1), 0, 1) * (np.linalg.norm(self.at) / far) ** 2
        facing /= max(0.2, self.at[2] / np.linalg.norm(self.at))
        x, y = ((view.place[:, :2] + np.array(self.size)) / 8).T.reshape(2, *view.shape).astype(np.float32)
        free = cv2.remap(self.shadow, x, y, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE).ravel()
        sky = (
            0.75
            + 0.25 * normal[:, 2]
            + 0.12 * (view.place[:, :2] @ self.at[:2]) / (np.linalg.norm(self.at) * max(self.size))
        )
        light = (self.share * facing * free)[:, None] * self.lamp + ((1 - self.share) * sky)[:, None] * self.room
        half = unit(to_lamp + unit(camera.eye - view.place))
        close = np.clip((normal * half).sum(1), 0, 1)
        return (
            light,
            self.gleam * free * close**self.tight,
            0.3 * free * close**14 + (0.35 if self.kind == "sheen" else 0) * free * close**30,
        )


def tabletop(rng: Rng) -> np.ndarray:
    """A square of some table's top that repeats, (512, 512, 3) uint8 BGR."""
    kind = rng.integers(6)
    base = np.array(
        ((60, 90, 130), (70, 120, 60), (200, 200, 205), (60, 55, 60), (150, 165, 175), (120, 70, 60))[kind], float
    ) * rng.uniform(0.7, 1.2)
    out = np.empty((512, 512, 3), np.float32)
    out[:] = base
    y, x = np.mgrid[0:512, 0:512] / 512 * 2 * np.pi
    if kind == 0:  # wood
        rings = np.sin(14 * y + 2.0 * np.sin(x) + 1.5 * np.sin(2 * x + 3 * y))
        out *= (1 + 0.12 * rings + 0.08 * (noise(rng, (512, 512), 2) - 0.5))[..., None]
        out[(np.arange(512) % 128) < 3] *= 0.5
    elif kind in {1, 3}:  # felt, cloth
        out *= (1 + 0.3 * (noise(rng, (512, 512), 2.0) - 0.5))[..., None]
    elif kind == 2:  # marble
        out *= (1 - 0.25 * np.exp(-((np.sin(3 * x + 2 * np.sin(2 * y) + np.sin(5 * y)) / 0.08) ** 2)))[..., None]
    elif kind == 4:  # woven stripes
        out *= (1 + 0.15 * np.sign(np.sin(32 * x)) * np.sign(np.sin(32 * y)))[..., None]
    else:  # checked cloth
        out *= (1 + 0.45 * (np.sin(4 * x) > 0) + 0.45 * (np.sin(4 * y) > 0))[..., None]
    return out.clip(5, 250).astype(np.uint8)


@dataclass(frozen=True)
class Phone:
    """What a phone makes of light: balance, brightness, blur, noise, sharpening and JPEG."""

    balance: np.ndarray
    exposure: float
    blur: float
    moved: tuple[float, float]
    grain: float
    smooth: float
    sharpen: float
    contrast: float
    quality: int

    def developed(self, light: np.ndarray, rng: Rng | None, shrink: float = 1.0) -> np.ndarray:
        """(H, W, 3) uint8 of linear light, taken `shrink` times smaller; without `rng` there is no noise."""
        image = light * (self.balance * self.exposure).astype(np.float32)
        if self.blur > 0.3 * shrink:
            image = cv2.GaussianBlur(image, (0, 0), self.blur / shrink)
        moved = np.array(self.moved) / shrink
        if (long := float(np.hypot(*moved))) > 0.8:
            n = int(long) * 2 + 3
            kernel = np.zeros((n, n), np.float32)
            ends = [((np.array([n // 2, n // 2]) + s * moved / 2) * 16).astype(int).tolist() for s in (-1, 1)]
            cv2.line(kernel, ends[0], ends[1], 1.0, 1, cv2.LINE_8, 4)
            image = cv2.filter2D(image, -1, kernel / kernel.sum())
        if rng is not None:
            dirt = rng.standard_normal((min(image.shape[0], 1024), *image.shape[1:]), np.float32)
            dirt = np.tile(dirt, (-(-len(image) // len(dirt)), 1, 1))[: len(image)]
            image = image + dirt * (np.float32(self.grain) * np.sqrt(np.maximum(image, 0) + np.float32(0.01)))
            if self.smooth:
                image = cv2.GaussianBlur(image, (0, 0), self.smooth)
        tone = np.linspace(0, 1, 4096) ** (1 / 2.2)
        tone = 255 * (tone * (1 - self.contrast) + self.contrast * tone**2 * (3 - 2 * tone))
        out = np.take(tone.astype(np.float32), (image * 4095).clip(0, 4095).astype(np.uint16))
        if self.sharpen:
            out += self.sharpen * (out - cv2.GaussianBlur(out, (0, 0), 1.4))
        done = np.clip(out, 0, 255).astype(np.uint8)
        if rng is not None:
            packed = cv2.imencode(".jpg", done, [cv2.IMWRITE_JPEG_QUALITY, self.quality])[1]
            return np.asarray(cv2.imdecode(packed, cv2.IMREAD_COLOR))
        return done


def random_phone(rng: Rng, light: Light, wide: int, easy: bool) -> Phone:
    """A phone that corrects the light's color in part."""
    mean = light.share * light.lamp + (1 - light.share) * light.room
    right = rng.uniform(0.75, 1.0) if easy else rng.uniform(0.3, 1.05)
    balance = mean**-right * np.exp(rng.normal(0, 0.02 if easy else 0.04, 3))
    big = wide / 2000
    exposure, blur, grain, quality = ((0.62, 0.85), (0.4, 0.8), (0.004, 0.012), (80, 96)) if easy else UNCAREFUL
    moved = (
        (0.0, 0.0) if easy or rng.random() < 0.7 else (float(rng.normal(0, 1.6 * big)), float(rng.normal(0, 1.6 * big)))
    )
    return Phone(
        balance, rng.uniform(*exposure), rng.uniform(*blur) * max(1.0 if easy else 0.8, big), moved,
        rng.uniform(*grain),
        float(rng.choice([0.0, 0.6, 0.9])), rng.uniform(0.0, 0.9), rng.uniform(0.0, 0.5), int(rng.integers(*quality)),
    )  # fmt: skip


class Scene:
    """One photograph's circumstances; the same ones can show any picture of the page."""

    def __init__(self, rng: Rng, page: Page, easy: bool) -> None:
        self.rng, self.page = rng, page
        size = page.image.shape[1], page.image.shape[0]
        bend = str(rng.choice(["flat", "curl", "fold", "third folds", "curled fold"], p=[0.3, 0.34, 0.14, 0.1, 0.12]))
        bend = ("flat" if rng.random() < 0.6 else "curl") if easy else bend
        tilt = np.radians(rng.uniform(2, 14) if easy else rng.uniform(2, 40))
        long_side = int(rng.choice([1200, 1600, 2000, 2600, 3200, 4000], p=[0.18, 0.25, 0.25, 0.16, 0.08, 0.08]))
        self.surface = Surface(rng, size, bend)
        self.camera = Camera(rng, self.surface, size, float(tilt), max(1600, long_side) if easy else long_side)
        kinds = ("even", "lamp", "mixed", "hand", "edge", "bars", "leaves", "phone", "glare", "sheen")
        kind = "even" if easy else str(rng.choice(kinds, p=[0.14, 0.1, 0.1, 0.12, 0.12, 0.08, 0.08, 0.06, 0.1, 0.1]))
        self.light = Light(rng, kind, size, self.camera)
        self.phone = random_phone(rng, self.light, max(self.camera.frame), easy)
        self.view = View(self.surface, self.camera, size)
        grains = [noise(rng, (40, 40), float(rng.choice([4.0, 9.0]))) for _ in "xy"]
        waves = np.stack([cv2.resize(each, self.view.shape[::-1]).ravel() - 0.5 for each in grains], 1)
        self.lit, self.mirror, self.graphite = self.light(self.view, self.camera, waves * rng.uniform(0.0, 0.14))
        self.top = tabletop(rng)
        self.tags = {
            "light": kind, "bend": bend, "tilt": round(float(np.degrees(tilt))), "pixels": max(self.camera.frame),
            "lamp": self.light.lamp_kelvin, "room": self.light.room_kelvin, "blur": round(self.phone.blur, 1),
            "moved": round(float(np.hypot(*self.phone.moved)), 1), 
            "grain": round(self.phone.grain, 3), "exposure": round(self.phone.exposure, 2), "jpeg": self.phone.quality,
        }  # fmt: skip

    @property
    def lattice(self) -> np.ndarray:
        """Where the grid's lines cross on the photo."""
        v, u = np.mgrid[0 : SIDE + 1, 0 : SIDE + 1]
        return self.pixels(self.page.at(u, v).reshape(-1, 2)).reshape(SIDE + 1, SIDE + 1, 2)

    def pixels(self, q: np.ndarray) -> np.ndarray:
        """Photo pixels of page pixels."""
        return self.camera.project(self.surface(q)[0])

    def light_of(self, image: np.ndarray, gloss: np.ndarray | None, shrink: float = 1.0) -> np.ndarray:
        """What comes into the lens, linear, with this picture on the page; `shrink` times fewer pixels to a side."""
        view = self.view
        q = view.wide(view.q, shrink)
        frame = q.shape[1::-1]
        wide = CELL / self.cell * shrink
        if wide > 1.3:  # finer than the photo's pixels
            image = cv2.GaussianBlur(image, (0, 0), 0.4 * wide)
            gloss = None if gloss is None else cv2.GaussianBlur(gloss, (0, 0), 0.4 * wide)
        sheet = looked_up(image, q, cv2.BORDER_REPLICATE)
        where = view.wide(view.table[:, :2] * 0.5, shrink)
        table = looked_up(self.top, where, cv2.BORDER_WRAP)
        size = np.array(image.shape[1::-1], np.float32)
        near = cv2.min(*cv2.split(cv2.min(q + 0.5, (size - 0.5) - q)))
        inside = np.clip(near / np.float32(wide) + np.float32(0.5), 0, 1)[..., None]
        table = cv2.LUT(table, LINEAR)
        out = table + (cv2.LUT(sheet, LINEAR) - table) * inside
        depth = cv2.GaussianBlur(inside[::8, ::8, 0], (0, 0), max(frame) / 700)
        depth = cv2.resize(depth, frame)[..., None]
        out *= view.wide(self.lit, shrink) * (1 - 0.5 * depth * (1 - inside))
        lamp = self.light.lamp.astype(np.float32)
        out += view.wide(self.mirror, shrink)[..., None] * inside * lamp
        if gloss is not None:
            shine = looked_up(gloss, q, cv2.BORDER_CONSTANT)
            out += (shine * view.wide(self.graphite, shrink))[..., None] * inside * lamp
        return out

    def taken(self, image: np.ndarray, gloss: np.ndarray | None) -> np.ndarray:
        """The photo of a page, (H, W, 3) uint8."""
        return self.phone.developed(self.light_of(image, gloss), self.rng)

    @property
    def cell(self) -> float:
        """Pixels of a cell on the photo."""
        grid = self.lattice
        return float(np.median(np.hypot(*(grid[1:] - grid[:-1]).reshape(-1, 2).T)))


def blank_photo(rng: Rng, page: Page) -> Photo:
    """A careful photo of the blank page."""
    scene = Scene(rng, page, easy=True)
    return Photo(scene.taken(page.image, None), scene.lattice, scene.tags)


def filled_photo(rng: Rng, page: Page) -> tuple[Filled, Photo]:
    """A filled-in sheet and a photo of it, on which every mark that counts can be seen."""
    filled = filled_page(rng, page)
    for tried in range(TRIES):
        scene = Scene(rng, page, easy=tried >= TRIES - 2)
        if scene.cell < 30:
            continue
        shown = Shown(scene, filled)
        if all(shown.legible(mark, part) for mark, part in filled.marks) or tried == TRIES - 1:
            break
    filled.map = [
        "".join(
            ODD if kind in "o#" and (r, c) != page.entrance and not shown.cell(r, c) else kind
            for c, kind in enumerate(row)
        )
        for r, row in enumerate(filled.map)
    ]
    return filled, Photo(scene.taken(filled.image, filled.gloss), scene.lattice, scene.tags | {"tried": tried})


class Shown:
    """How far a filled-in page stands out from the blank one on the same photo, before noise and JPEG."""

    def __init__(self, scene: Scene, filled: Filled) -> None:
        self.scene, self.shrink = scene, max(1.0, max(scene.camera.frame) / LOOK)
        image, blank = (
            scene.phone.developed(scene.light_of(page, gloss, self.shrink), None, self.shrink).astype(np.float32)
            for page, gloss in ((filled.image, filled.gloss), (scene.page.image, None))
        )
        apart = np.abs(image - blank).max(-1)
        paper = cv2.dilate(blank.max(-1), np.ones((5, 5)))
        self.apart = cv2.blur(np.minimum(apart / LEAST[0], apart / np.maximum(1, paper) / LEAST[1]), (2, 2))
        dark = float(np.median(paper))
        self.noise = (
            2.2
            * scene.phone.grain
            * 255
            * 0.5
            / np.sqrt(max(0.05, dark / 255))
            / LEAST[0]
            / (1 + scene.phone.smooth)
            / self.shrink
        )

    def legible(self, corners: np.ndarray, part: float) -> bool:
        """Whether something within these corners, page pixels, can be told from the blank page: all but `part` %."""
        x, y = ((self.scene.pixels(corners) + 0.5) / self.shrink - 0.5).T
        high, wide = self.apart.shape
        if x.min() < 0 or y.min() < 0 or x.max() >= wide - 1 or y.max() >= high - 1:
            return False
        part_ = self.apart[int(y.min()) : int(y.max()) + 1, int(x.min()) : int(x.max()) + 1]
        return bool(np.percentile(part_, part) > max(1.0, self.noise))

    def cell(self, r: int, c: int) -> bool:
        """Whether what stands in a cell can be seen."""
        u, v = np.array([c + 0.06, c + 0.94, c + 0.94, c + 0.06]), np.array([r + 0.06, r + 0.06, r + 0.94, r + 0.94])
        return self.legible(self.scene.page.at(u, v), 95)
