"""Gem tiles as no one has printed them: their shapes, borders, faces and gems, colors and metals.

A tile's picture is (2·T, 2·T, 4) float32, BGR and alpha, 0 to 1, the tile being T wide in its middle.
"""

from __future__ import annotations

import colorsys
import itertools
from dataclasses import dataclass, replace

import cv2
import numpy as np

from training.synth.hands import Rng

SHAPES = ("square", "hexagon", "round", "octagon")
GEMS = ("facets", "facets", "disc", "star", "diamond", "drop", "face", "rings", "square", "triangle", "dots")
GOLDS = ("flecks", "flecks", "metal", "dull", "bars", "coin", "nugget")
RAINBOWS = ("wedges", "wedges", "stripes", "rings", "sweep", "dots")
HUES = {"red": (348, 371), "yellow": (43, 61), "green": (95, 165), "blue": (200, 236), "purple": (264, 306)}
"""Degrees: how far what people call by one name reaches."""
OTHER = "other"
"""A tile of a color that no game here knows: white, black, orange, pink, brown, turquoise."""


def bgr(hue: float, saturation: float, value: float) -> np.ndarray:
    """A color from HSV: hue in degrees, the others 0 to 1."""
    r, g, b = colorsys.hsv_to_rgb(hue / 360 % 1, float(np.clip(saturation, 0, 1)), float(np.clip(value, 0, 1)))
    return np.array([b, g, r], np.float32)


@dataclass(frozen=True)
class Style:
    """How all tiles of a game look: each field is drawn once a game."""

    shape: str
    corner: float
    border: float
    border_color: np.ndarray
    face: str
    face_color: np.ndarray
    gem: str
    gem_size: float
    gold: str
    rainbow: str
    rainbow_white: bool
    colors: dict[str, np.ndarray]
    dark: float
    sides: int
    seed: int

    @classmethod
    def drawn(cls, rng: Rng) -> Style:
        """Any style."""
        colors = {
            name: bgr(rng.uniform(*hues), rng.uniform(0.55, 1), rng.uniform(0.4, 0.95)) for name, hues in HUES.items()
        }
        colors["yellow"] = bgr(rng.uniform(*HUES["yellow"]), rng.uniform(0.6, 1), rng.uniform(0.72, 1))
        colors["gold"] = bgr(rng.uniform(23, 41), rng.uniform(0.5, 0.95), rng.uniform(0.3, 0.7))
        faces = ["same", "same", "dark", "neutral"]
        gem = str(rng.choice(GEMS))
        border = 0.0 if rng.random() < 0.2 else rng.uniform(0.03, 0.14)
        kind = rng.random()
        if kind < 0.6:
            edge = bgr(rng.uniform(20, 60), rng.uniform(0, 0.2), rng.uniform(0.75, 1))
        elif kind < 0.8:
            edge = bgr(rng.uniform(0, 360), rng.uniform(0, 0.3), rng.uniform(0.05, 0.3))
        else:
            edge = bgr(rng.uniform(18, 38), rng.uniform(0.2, 0.6), rng.uniform(0.3, 0.8))
        plain = bgr(rng.uniform(0, 360), rng.uniform(0, 0.15), rng.choice([rng.uniform(0, 0.3), rng.uniform(0.3, 1)]))
        shape = str(rng.choice(SHAPES, p=[0.55, 0.2, 0.18, 0.07]))
        return cls(
            shape=shape, corner=rng.choice([0, rng.uniform(0.03, 0.12), rng.uniform(0.1, 0.3)]), border=border,
            border_color=edge, face="same" if gem == "face" else str(rng.choice(faces)),
            face_color=plain,
            gem=gem, gem_size=rng.uniform(0.24, 0.42), gold=str(rng.choice(GOLDS)), rainbow=str(rng.choice(RAINBOWS)),
            rainbow_white=bool(rng.random() < 0.3), colors=colors, dark=rng.uniform(0.35, 0.85),
            sides=int(rng.integers(5, 11)), seed=int(rng.integers(1 << 30)),
        )  # fmt: skip

    @classmethod
    def varied(cls, rng: Rng) -> Style:
        """Any style, and those that tiles of other makers have: no rim, a glyph on a dark body, one color more."""
        style = cls.drawn(rng)
        odd = [bgr(rng.uniform(0, 360), rng.uniform(0, 0.15), rng.choice([rng.uniform(0, 0.25), rng.uniform(0.75, 1)])),
               bgr(rng.choice([rng.uniform(16, 30), rng.uniform(170, 190), rng.uniform(312, 338)]),
                   rng.uniform(0.5, 1), rng.uniform(0.5, 1))][rng.integers(2)]  # fmt: skip
        style = replace(style, colors={**style.colors, OTHER: odd})
        if rng.random() < 0.35:
            style = replace(style, border=0.0, shape=str(rng.choice(SHAPES, p=[0.6, 0.3, 0.07, 0.03])))
        if rng.random() < 0.25:
            body = bgr(
                rng.uniform(0, 360), rng.uniform(0, 0.3), rng.choice([rng.uniform(0.02, 0.2), rng.uniform(0.8, 1)])
            )
            gem, size = str(rng.choice(["cross", "star", "disc", "diamond", "square", "drop"])), rng.uniform(0.24, 0.34)
            style = replace(style, face="neutral", face_color=body, gem=gem, gem_size=size, border=0.0,
                            sides=int(rng.choice([4, 4, 8, style.sides])))  # fmt: skip
        return style


def outline(shape: str, corner: float, inset: float = 0.0) -> np.ndarray:
    """(n, 2) float64: a tile's outline, one tile wide about (0, 0)."""
    r = 0.5 - inset
    if shape == "round":
        a = np.arange(40) * np.pi / 20
        return r * np.stack([np.cos(a), np.sin(a)], 1)
    if shape in ("hexagon", "octagon"):
        n = 6 if shape == "hexagon" else 8
        a = (np.arange(n) + 0.5) * 2 * np.pi / n
        return _rounded(r / np.cos(np.pi / n) * np.stack([np.cos(a), np.sin(a)], 1), corner * 0.6)
    return _rounded(r * np.array([[-1.0, -1], [1, -1], [1, 1], [-1, 1]]), max(0.0, corner - inset * 0.6))


def _rounded(p: np.ndarray, radius: float) -> np.ndarray:
    if radius <= 0.005:
        return p
    out = []
    for i, at in enumerate(p):
        for other, ts in ((p[i - 1], (1.0, 0.55, 0.25)), (p[(i + 1) % len(p)], (0.25, 0.55, 1.0))):
            d = (other - at) / np.linalg.norm(other - at)
            out += [at + d * radius * t + (p.mean(0) - at) * radius * 0.3 * (1 - t) for t in ts]
    return np.array(out)


def tile_picture(style: Style, color: str, size: int) -> np.ndarray:
    """(2·size, 2·size, 4): a tile of that color, `size` pixels wide."""
    rng = np.random.default_rng([style.seed, hash_of(color)])
    up = 2
    n = 2 * size * up
    middle, width = n / 2, size * up
    picture = np.zeros((n, n, 3), np.float32)

    def fill(points: np.ndarray, value: np.ndarray) -> None:
        p = np.round((np.asarray(points) * width + middle) * 16).astype(np.int32)
        cv2.fillPoly(picture, [p], value.tolist(), cv2.LINE_AA, 4)

    edge = outline(style.shape, style.corner)
    fill(edge, style.border_color)
    inner = outline(style.shape, style.corner, style.border)
    tone = style.colors.get(color)
    dark = style.dark
    if style.face == "neutral" and color != "gold":
        face = style.face_color
    elif tone is None:
        face = style.face_color if rng.random() < 0.6 else bgr(rng.uniform(0, 360), 0.1, rng.uniform(0.1, 0.9))
    else:
        face = tone * (dark * 0.6 if style.face == "dark" else dark + 0.15)
    fill(inner, np.asarray(face))
    if color == "gold":
        _gold(rng, style, fill)
    elif color == "rainbow":
        _rainbow(rng, style, picture, inner, fill, width, middle)
    else:
        _gem(rng, style, style.colors[color], fill)
    mask = np.zeros((n, n), np.float32)
    p = np.round((edge * width + middle) * 16).astype(np.int32)
    cv2.fillPoly(mask, [p], 1.0, cv2.LINE_AA, 4)
    if rng.random() < 0.5:
        grain = 1 + cv2.resize(rng.normal(0, rng.uniform(0.01, 0.06), (n // 3, n // 3)).astype(np.float32), (n, n))
        picture *= grain[..., None]
    out = np.dstack([np.clip(picture, 0, 1), mask])
    return cv2.resize(out, (2 * size, 2 * size), interpolation=cv2.INTER_AREA)


def hash_of(text: str) -> int:
    """A number for a text, the same in every run."""
    return sum(ord(c) * 31**i for i, c in enumerate(text)) % (1 << 30)


def _ring(n: int, r: float, turn: float, wobble: np.ndarray | float = 0.0) -> np.ndarray:
    a = np.arange(n) * 2 * np.pi / n + turn
    return np.stack([np.cos(a), np.sin(a)], 1) * np.reshape(r + np.asarray(wobble), (-1, 1))


def _gem(rng: Rng, style: Style, tone: np.ndarray, fill) -> None:  # noqa: PLR0912 - a table of shapes
    r, n, turn = style.gem_size, style.sides, style.seed % 628 / 100
    light = np.clip(tone * 1.25 + 0.08, 0, 1)
    if style.gem == "facets":
        outer, inner = _ring(n, r, turn), _ring(n, r * 0.55, turn + np.pi / n)
        for i in range(n):
            j = (i + 1) % n
            for part in ([outer[i], outer[j], inner[i]], [inner[i], inner[j], outer[j]]):
                fill(np.array(part), np.clip(tone * rng.uniform(0.6, 1.25) + rng.uniform(0, 0.08), 0, 1))
        fill(inner, light)
    elif style.gem == "disc":
        fill(_ring(24, r, 0), tone)
        fill(_ring(20, r * 0.45, 0) - r * 0.3, light)
    elif style.gem == "star":
        fill(_ring(2 * n, r * 1.1, turn, np.tile([0, -r * 0.5], n)), light)
    elif style.gem == "cross":
        for arm in (np.array([1.15, 0.42]), np.array([0.42, 1.15])):
            fill(np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * arm * r, tone)
    elif style.gem == "diamond":
        fill(np.array([[0, -r * 1.2], [r, 0], [0, r * 1.2], [-r, 0]]), tone)
        fill(np.array([[0, -r * 1.2], [r, 0], [0, 0]]), light)
    elif style.gem == "drop":
        fill(_ring(20, r * 0.9, 0) + np.array([0, r * 0.2]), tone)
        fill(np.array([[0, -r * 1.3], [r * 0.7, 0], [-r * 0.7, 0]]), tone)
    elif style.gem == "rings":
        fill(_ring(24, r * 1.1, 0), light)
        fill(_ring(24, r * 0.75, 0), tone * 0.6)
        fill(_ring(24, r * 0.4, 0), light)
    elif style.gem == "square":
        fill(_ring(4, r * 1.3, np.pi / 4), tone)
        fill(_ring(4, r * 0.7, np.pi / 4), light)
    elif style.gem == "triangle":
        fill(_ring(3, r * 1.3, -np.pi / 2), tone)
        fill(_ring(3, r * 0.6, -np.pi / 2), light)
    elif style.gem == "dots":
        for i in range(style.sides // 2):
            fill(_ring(12, r * 0.42, 0) + _ring(style.sides // 2, r * 0.75, turn)[i], light)
    if style.seed % 3:
        at = rng.uniform(-0.6, 0.6, 2) * r
        fill(_ring(3, rng.uniform(0.04, 0.09), rng.uniform(0, 6)) + at, np.clip(light + rng.uniform(0.2, 0.6), 0, 1))


def _gold(rng: Rng, style: Style, fill) -> None:
    tone = style.colors["gold"]
    shine = np.clip(tone * rng.uniform(1.3, 2.0) + rng.uniform(0, 0.12), 0, 1)
    if style.gold == "flecks":
        for _ in range(int(rng.integers(14, 40))):
            at, a = rng.normal(0, 0.15, 2).clip(-0.36, 0.36), rng.uniform(0, np.pi)
            d = np.array([np.cos(a), np.sin(a)]) * rng.uniform(0.03, 0.1)
            e = np.array([-d[1], d[0]]) * rng.uniform(0.2, 0.6)
            fill(np.array([at - d, at + e, at + d, at - e]), np.clip(shine * rng.uniform(0.6, 1.25), 0, 1))
    elif style.gold == "metal":
        a = rng.uniform(0, np.pi)
        d = np.array([np.cos(a), np.sin(a)])
        base = outline(style.shape, style.corner, style.border)
        cuts = np.linspace(-0.7, 0.7, 15)
        glint = rng.uniform(-0.3, 0.3)
        for lo, hi in itertools.pairwise(cuts):
            band = _clip_band(base, d, lo, hi)
            if len(band) > 2:
                k = np.exp(-(((lo + hi) / 2 - glint) ** 2) / 0.02)
                fill(band, np.clip(tone * (0.8 + 0.5 * k) + 0.35 * k, 0, 1))
    elif style.gold == "bars":
        for i in range(int(rng.integers(2, 4))):
            y = -0.2 + 0.2 * i
            fill(np.array([[-0.26, y], [0.26, y], [0.2, y + 0.13], [-0.2, y + 0.13]]), shine)
            fill(np.array([[-0.26, y], [0.26, y], [0.22, y - 0.05], [-0.22, y - 0.05]]), np.clip(shine * 1.2, 0, 1))
    elif style.gold == "coin":
        fill(_ring(30, 0.34, 0), shine)
        fill(_ring(30, 0.27, 0), tone)
        fill(_ring(int(rng.integers(3, 8)), 0.15, rng.uniform(0, 3)), shine)
    elif style.gold == "nugget":
        for _ in range(int(rng.integers(2, 6))):
            n = int(rng.integers(5, 9))
            at = rng.normal(0, 0.1, 2)
            ring = _ring(n, rng.uniform(0.12, 0.26), rng.uniform(0, 6), rng.normal(0, 0.03, n)) + at
            fill(ring, np.clip(shine * rng.uniform(0.6, 1.1), 0, 1))
            fill((ring - at) * 0.5 + at - 0.03, np.clip(shine * 1.2, 0, 1))


def _clip_band(poly: np.ndarray, d: np.ndarray, lo: float, hi: float) -> np.ndarray:
    """The part of a convex outline whose projection on `d` lies between two values."""
    for sign, bound in ((1, lo), (-1, -hi)):
        out: list[np.ndarray] = []
        s = sign * (poly @ d) - bound
        for i in range(len(poly)):
            j = (i + 1) % len(poly)
            if s[i] >= 0:
                out.append(poly[i])
            if s[i] * s[j] < 0:
                out.append(poly[i] + (poly[j] - poly[i]) * (s[i] / (s[i] - s[j])))
        poly = np.array(out)
        if len(poly) < 3:
            return poly
    return poly


def _rainbow(rng: Rng, style: Style, picture: np.ndarray, inner: np.ndarray, fill, width: float, middle: float) -> None:  # noqa: PLR0912 - a table of shapes
    n = int(rng.integers(5, 13))
    hue, s, v = rng.uniform(0, 360), rng.uniform(0.55, 1), rng.uniform(0.75, 1)
    hues = [bgr(hue + 360 * i / n, s, v * rng.uniform(0.8, 1)) for i in range(n)]
    r = style.gem_size * rng.uniform(1.0, 1.25)
    whole = style.gem == "face" or rng.random() < 0.25
    if style.rainbow_white:
        fill(inner, np.full(3, rng.uniform(0.85, 1), np.float32))
    if style.rainbow in ("wedges", "sweep"):
        m = n if style.rainbow == "wedges" else 24
        ring = _ring(m, 0.75 if whole else r, rng.uniform(0, 6))
        for i in range(m):
            tone = hues[i] if m == n else bgr(hue + 360 * i / m, s, v)
            fill(np.array([[0, 0], ring[i], ring[(i + 1) % m]]), tone)
        if whole:
            _trim(picture, inner, style, width, middle)
        if rng.random() < 0.6 and not whole:
            core = _ring(n, r * 0.5, rng.uniform(0, 6))
            for i in range(n):
                fill(np.array([[0, 0], core[i], core[(i + 1) % n]]), hues[(i + n // 2) % n])
    elif style.rainbow == "stripes":
        a = rng.uniform(0, np.pi)
        d = np.array([np.cos(a), np.sin(a)])
        base = inner if whole else _ring(24, r, 0)
        reach = np.abs(base).max()
        cuts = np.linspace(-reach * 1.2, reach * 1.2, n + 1)
        for i in range(n):
            band = _clip_band(base, d, cuts[i], cuts[i + 1])
            if len(band) > 2:
                fill(band, hues[i])
    elif style.rainbow == "rings":
        for i in range(min(n, 7)):
            fill(_ring(30, (0.44 if whole else r * 1.15) * (1 - i / min(n, 7)), 0), hues[i])
    else:
        for i in range(min(n, 7)):
            fill(_ring(12, 0.11, 0) + _ring(min(n, 7), r * 0.75, 1)[i], hues[i])


def _trim(picture: np.ndarray, inner: np.ndarray, style: Style, width: float, middle: float) -> None:
    """Give the border back what a picture of the whole face covered."""
    mask = np.zeros(picture.shape[:2], np.float32)
    cv2.fillPoly(mask, [np.round((inner * width + middle) * 16).astype(np.int32)], 1.0, cv2.LINE_AA, 4)
    picture *= mask[..., None]
    picture += style.border_color * (1 - mask[..., None])
