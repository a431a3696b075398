"""Printed boards of other games: fields full of texture, pictures, numbers and words, none of which is a tile.

Lengths are in pixels, pictures (H, W, 3) float32 BGR, 0 to 1, as in `tables`.
"""

from collections.abc import Sequence
from pathlib import Path

import cv2
import numpy as np

from training.synth.hands import Rng
from training.synth.tiles import bgr

FIELDS = ("squares", "hexagons", "regions", "whole")
FONTS = (cv2.FONT_HERSHEY_DUPLEX, cv2.FONT_HERSHEY_TRIPLEX, cv2.FONT_HERSHEY_SIMPLEX, cv2.FONT_HERSHEY_COMPLEX)


def load_art(folder: Path) -> list[np.ndarray]:
    """Pictures that boards are printed with, (h, w, 4) float32 0 to 1. Raises ValueError: no PNG with alpha there."""
    pictures = [cv2.imread(str(path), cv2.IMREAD_UNCHANGED) for path in sorted(folder.glob("*.png"))]
    art = [p.astype(np.float32) / 255 for p in pictures if p is not None and p.ndim == 3 and p.shape[2] == 4]
    if not art:
        raise ValueError(f"{folder}: expected PNG pictures with an alpha channel, found none")
    return art


def board_top(rng: Rng, shape: tuple[int, int], tile: float, art: Sequence[np.ndarray] = ()) -> np.ndarray:
    """(H, W, 3): a table that is covered by a printed board; `art`: pictures that are printed on it."""
    fields, centers, side = _fields(rng, shape, tile)
    tones = [bgr(rng.uniform(0, 360), rng.uniform(0, 0.95), rng.uniform(0.08, 1)) for _ in range(rng.integers(2, 8))]
    kind = rng.integers(len(tones), size=int(fields.max()) + 1)[fields]
    out = np.zeros((*shape, 3), np.float32)
    for k, tone in enumerate(tones):
        on = kind == k
        if on.any():
            out[on] = (tone * _texture(rng, shape, tile))[on]
    if rng.random() < 0.75:
        edge = (fields != np.roll(fields, 1, 0)) | (fields != np.roll(fields, 1, 1))
        wide = max(1, int(rng.uniform(0.02, 0.2) * min(side, 2 * tile)))
        edge = cv2.GaussianBlur(cv2.dilate(edge.astype(np.float32), np.ones((wide, wide))), (3, 3), 0)[..., None]
        out += (bgr(rng.uniform(0, 360), rng.uniform(0, 0.6), rng.uniform(0, 1)) - out) * edge * rng.uniform(0.4, 1)
    size = tile * np.exp(rng.uniform(np.log(0.3), np.log(2.2)))
    same = rng.integers(max(1, len(art)), size=int(rng.integers(1, 12)))
    for _ in range(int(rng.choice([0, 10, 30, 90], p=[0.15, 0.25, 0.4, 0.2]))):
        at = centers[rng.integers(len(centers))] if rng.random() < 0.5 else rng.uniform(0, 1, 2) * shape[::-1]
        at = at + rng.normal(0, 0.25, 2) * side
        one = size * (1 if rng.random() < 0.6 else np.exp(rng.normal(0, 0.6)))
        turn = rng.choice([0, 90, 180, 270, rng.uniform(0, 360)])
        if rng.random() < 0.3:
            plate = _plate(rng, one * rng.uniform(1.0, 1.6))
            _stamp(out, plate, at, turn, plate.shape[0])
        icon = art[int(rng.choice(same))] if len(art) and rng.random() < 0.7 else _icon(rng)
        _stamp(out, _tinted(rng, icon), at, turn, one)
    return np.clip(out * np.exp(rng.normal(0, 0.15)), 0, 1)


def _fields(rng: Rng, shape: tuple[int, int], tile: float) -> tuple[np.ndarray, np.ndarray, float]:
    """Which field each pixel belongs to, (H, W) int; the fields' centers (n, 2) x, y; about how wide a field is."""
    how = str(rng.choice(FIELDS, p=[0.45, 0.2, 0.2, 0.15]))
    h, w = shape
    if how == "whole":
        return np.zeros(shape, np.int32), rng.uniform(0, 1, (20, 2)) * (w, h), 4 * tile
    side = tile * np.exp(rng.uniform(np.log(1.2), np.log(9)))
    n = int(1.5 * max(shape) / side) + 2
    x, y = (part.ravel().astype(float) for part in np.meshgrid(np.arange(n), np.arange(n)))
    if how == "hexagons":
        x, y = x + 0.5 * (y % 2), y * 0.866
    if how == "regions":
        x, y = x + rng.normal(0, 0.4, x.shape), y + rng.normal(0, 0.4, y.shape)
    a = rng.choice([0.0, rng.uniform(0, 1.57)])
    stretch = rng.choice([1.0, rng.uniform(1, 2)])
    own = np.stack([(x - n / 2) * side * stretch, (y - n / 2) * side], 1)
    centers = own @ np.array([[np.cos(a), np.sin(a)], [-np.sin(a), np.cos(a)]]) + np.array([w, h]) / 2
    coarse = 2
    py, px = np.mgrid[: h // coarse + 1, : w // coarse + 1].astype(np.float32) * coarse
    near, which = np.full(px.shape, np.inf, np.float32), np.zeros(px.shape, np.int32)
    back = np.array([[np.cos(a), -np.sin(a)], [np.sin(a), np.cos(a)]]) / [stretch, 1]
    for i in np.nonzero((np.abs(centers - [w / 2, h / 2]) < np.array([w, h]) / 2 + 1.5 * side * stretch).all(1))[0]:
        r = int(1.6 * side * stretch / coarse)
        cx, cy = (centers[i] / coarse).astype(int)
        window = (slice(max(0, cy - r), max(0, cy + r)), slice(max(0, cx - r), max(0, cx + r)))
        dx, dy = px[window] - centers[i, 0], py[window] - centers[i, 1]
        u, v = np.abs(dx * back[0, 0] + dy * back[1, 0]), np.abs(dx * back[0, 1] + dy * back[1, 1])
        d = np.maximum(u, v) if how == "squares" else u * u + v * v
        closer = d < near[window]
        near[window][closer], which[window][closer] = d[closer], i
    return cv2.resize(which.astype(np.float32), (w, h), interpolation=cv2.INTER_NEAREST).astype(np.int32), centers, side


def _texture(rng: Rng, shape: tuple[int, int], tile: float) -> np.ndarray:
    """(H, W, 3) factors about 1: paint, clumps with outlines, scattered strokes."""
    h, w = shape
    out = np.ones((h, w, 3), np.float32)
    for grain in np.exp(rng.uniform(np.log(0.06), np.log(2.5), int(rng.integers(1, 4)))) * tile:
        small = (int(h / grain) + 2, int(w / grain) + 2)
        noise = rng.normal(0, 1, small)[..., None] + 0.4 * rng.normal(0, 1, (*small, 3))
        out *= 1 + rng.uniform(0.02, 0.22) * cv2.resize(noise.astype(np.float32), (w, h), interpolation=cv2.INTER_CUBIC)
    if rng.random() < 0.45:
        grain = rng.uniform(0.25, 1.4) * tile
        bumps = rng.normal(0, 1, (int(h / grain) + 2, int(w / grain) + 2)).astype(np.float32)
        bumps = cv2.resize(bumps, (w, h), interpolation=cv2.INTER_CUBIC)
        other = 1 + rng.normal(0, 0.5, 3).astype(np.float32)
        inside = 1 / (1 + np.exp(-(bumps - rng.uniform(-0.5, 1)) * 12))[..., None]
        out += out * (other - 1) * inside
        out *= 1 - rng.uniform(0, 0.9) * 4 * inside * (1 - inside)
    return np.clip(out, 0, 3)


def _icon(rng: Rng) -> np.ndarray:
    """(64, 64, 4): a few shapes over one another, or a number, with or without an outline."""
    out = np.zeros((64, 64, 4), np.uint8)
    tone = bgr(rng.uniform(0, 360), rng.uniform(0, 1), rng.uniform(0, 1)) * 255
    edge = (*(tone * rng.uniform(0, 0.5)).tolist(), 255.0)
    if rng.random() < 0.4:
        text = str(rng.choice(["1", "2", "3", "5", "10", "12", "25", "+1", "x2", "VP", "A", "B", "?", "42"]))
        font, size = int(rng.choice(FONTS)), 2.0 / len(text) ** 0.7
        for color, wide in ((edge, 9), ((*tone.tolist(), 255.0), 4)):
            cv2.putText(out, text, (6, 50), font, size, color, wide, cv2.LINE_AA)
        return out.astype(np.float32) / 255
    for _ in range(int(rng.integers(1, 5))):
        n = int(rng.choice([3, 4, 5, 6, 8, 10, 24]))
        a = np.arange(n) * 2 * np.pi / n + rng.uniform(0, 6)
        reach = rng.uniform(8, 22) * (rng.uniform(0.4, 1, n) if rng.random() < 0.5 else np.ones(n))
        ring = np.stack([np.cos(a), np.sin(a) * rng.uniform(0.4, 1)], 1) * reach[:, None]
        points = np.round((ring + 32 + rng.normal(0, 6, 2)) * 16).astype(np.int32)
        fill = (*np.clip(tone * rng.uniform(0.5, 1.5), 0, 255).tolist(), 255.0)
        cv2.fillPoly(out, [points], fill, cv2.LINE_AA, 4)
        if rng.random() < 0.6:
            cv2.polylines(out, [points], True, edge, int(rng.integers(1, 4)), cv2.LINE_AA, 4)
    return out.astype(np.float32) / 255


def _plate(rng: Rng, size: float) -> np.ndarray:
    """(n, n, 4): a pale or dark plate with a rim, round or a rounded square, as numbers stand on."""
    n = max(6, int(size))
    out = np.zeros((n, n, 4), np.float32)
    tone = bgr(rng.uniform(0, 360), rng.uniform(0, 0.3), rng.uniform(0, 1))
    rim = np.clip(tone * rng.uniform(0.2, 1.6), 0, 1)
    middle = ((n - 1) // 2,) * 2
    if rng.random() < 0.6:
        cv2.circle(out, middle, n // 2 - 1, (*rim.tolist(), 1.0), -1, cv2.LINE_AA)
        cv2.circle(out, middle, int(n * rng.uniform(0.36, 0.48)), (*tone.tolist(), 1.0), -1, cv2.LINE_AA)
    else:
        cv2.rectangle(out, (1, n // 5), (n - 2, n - n // 5), (*rim.tolist(), 1.0), -1)
        cv2.rectangle(out, (2, n // 5 + 1), (n - 3, n - n // 5 - 1), (*tone.tolist(), 1.0), -1)
    return out


def _tinted(rng: Rng, icon: np.ndarray) -> np.ndarray:
    """The picture as it is, or in one tone, or paler, or half transparent."""
    out = icon.copy()
    if rng.random() < 0.3:
        gray = out[..., :3].mean(2, keepdims=True)
        out[..., :3] = np.clip(gray + 0.3, 0, 1) * bgr(rng.uniform(0, 360), rng.uniform(0, 0.8), rng.uniform(0.2, 1))
    if rng.random() < 0.3:
        out[..., 3] *= rng.uniform(0.3, 1)
    return out


def _stamp(out: np.ndarray, icon: np.ndarray, at: np.ndarray, turn: float, size: float) -> None:
    """Print a square picture about `at`, `size` pixels wide."""
    r = int(size * 0.72) + 2
    x, y = int(at[0]) - r, int(at[1]) - r
    x0, y0, x1, y1 = max(0, x), max(0, y), min(out.shape[1], x + 2 * r), min(out.shape[0], y + 2 * r)
    if x1 <= x0 or y1 <= y0:
        return
    n = icon.shape[0]
    if size < n / 2:  # averaged, not picked
        icon = cv2.resize(icon, (max(2, int(size * 1.5)),) * 2, interpolation=cv2.INTER_AREA)
        n = icon.shape[0]
    m = cv2.getRotationMatrix2D(((n - 1) / 2, (n - 1) / 2), float(turn), size / n)
    m[:, 2] += [at[0] - x0 - (n - 1) / 2, at[1] - y0 - (n - 1) / 2]
    patch = cv2.warpAffine(icon, m, (x1 - x0, y1 - y0), flags=cv2.INTER_LINEAR)
    window = out[y0:y1, x0:x1]
    window += (patch[..., :3] - window) * patch[..., 3:]
