"""Draws the pictures that `letters_train` learns from: cells of printed sheets, photographed badly.

A block of 5 × 5 cells is drawn as print (letters of one font, symbols, lines), marked by a hand or left blank,
photographed (small, blurred, noisy, unevenly lit, JPEG) and cut into patches by a lattice that is a little off.
"""

from collections.abc import Sequence
from pathlib import Path

import cv2
import numpy as np
from PIL import Image, ImageDraw, ImageFont

from vision.sheet.printed_letters import ALPHABET, NONE, SIDE, SPAN, normalize

SCALE = 48
CELLS = 5
IGNORE = -1
"""The label of a patch that nobody could name: covered, or a letter turned into what may be another."""

TURNS_ALIKE = {2: "HINOSXZMWAVQLJ", 1: "OXHINZQECUVWMLJD", 3: "OXHINZQECUVWMLJD"}
"""Letters that, turned by so many quarters, could be taken for a letter."""

HERSHEY = [
    (face, weight)
    for face in (cv2.FONT_HERSHEY_SIMPLEX, cv2.FONT_HERSHEY_PLAIN, cv2.FONT_HERSHEY_DUPLEX, cv2.FONT_HERSHEY_COMPLEX)
    for weight in (1, 2, 4, 7)
]


def glyphs(folders: Sequence[Path], most_of_a_folder: int = 7) -> np.ndarray:
    """(fonts, 26, 96, 96) uint8: each font's capitals, 62 pixels high, in the middle; odd fonts left out."""
    by_folder: dict[Path, list[Path]] = {}
    for folder in folders:
        for path in sorted([*folder.rglob("*.[ot]tf"), *folder.rglob("*.[OT]TF")]):
            by_folder.setdefault(path.parent, []).append(path)
    fonts = []
    chosen = np.random.default_rng(1)
    for paths in by_folder.values():
        for path in chosen.permutation(np.array(paths, object))[:most_of_a_folder]:
            font = _font(path)
            if font is not None:
                fonts.append(font)
    fonts += [_hershey(face, weight) for face, weight in HERSHEY]
    every = np.array(fonts)
    # Symbol fonts and blackletter: capitals that look like nobody else's.
    small = np.array([[cv2.resize(g, (24, 24), interpolation=cv2.INTER_AREA) for g in f] for f in every], np.float32)
    small -= small.mean((2, 3), keepdims=True)
    small /= np.linalg.norm(small, axis=(2, 3), keepdims=True) + 1e-3
    alike = (small * np.median(small, 0)).sum((2, 3)).mean(1)
    return every[alike > 0.45]


def _font(path: Path) -> np.ndarray | None:
    try:
        font = ImageFont.truetype(str(path), 64)
        high = font.getbbox("H")[3] - font.getbbox("H")[1]
        font = ImageFont.truetype(str(path), max(8, round(64 * 62 / max(high, 8))))
        top, bottom = font.getbbox("H", anchor="ls")[1::2]
        out = []
        for letter in ALPHABET:
            picture = Image.new("L", (96, 96))
            left, _, right, _ = font.getbbox(letter, anchor="ls")
            ImageDraw.Draw(picture).text(
                (48 - (left + right) / 2, 48 - (top + bottom) / 2), letter, 255, font, anchor="ls"
            )
            out.append(np.array(picture))
    except (OSError, ValueError):
        return None
    flat = np.array(out).reshape(26, -1)
    if (flat > 128).sum(1).min() < 40 or len(np.unique(flat, axis=0)) < 24:
        return None
    return np.array(out)


def _hershey(face: int, weight: int) -> np.ndarray:
    out = []
    for letter in ALPHABET:
        (_, high), _ = cv2.getTextSize("H", face, 1, weight)
        scale = 58 / high
        (wide, high), _ = cv2.getTextSize(letter, face, scale, weight)
        picture = np.zeros((96, 96), np.uint8)
        cv2.putText(picture, letter, (48 - wide // 2, 48 + high // 2), face, scale, 255, weight, cv2.LINE_AA)
        out.append(picture)
    return np.array(out)


def block(rng: np.random.Generator, fonts: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """(25, 1, SIDE, SIDE) float32 patches, normalized as `letters.normalize` does, and their (25,) labels."""
    n = CELLS + 2
    side = n * SCALE
    ink = np.zeros((side, side), np.float32)
    labels = np.full((n, n), NONE)
    _lines(rng, ink)
    tint = rng.random() < 0.12
    font = fonts[rng.integers(len(fonts))]
    size = np.clip(np.exp(rng.normal(np.log(0.42), 0.33)), 0.18, 0.8)
    place = rng.uniform(-0.5, 0.5, 2) * max(0, 0.92 - size) if rng.random() < 0.35 else rng.normal(0, 0.02, 2)
    level = rng.uniform(0.5, 1)
    share = rng.uniform(0.25, 0.85)
    for row in range(n):
        for col in range(n):
            y, x = row * SCALE, col * SCALE
            cell = ink[y : y + SCALE, x : x + SCALE]
            if tint and rng.random() < 0.3:
                np.maximum(cell, rng.uniform(0.05, 0.35), out=cell)
            if rng.random() < share:
                letter = int(rng.integers(26))
                labels[row, col] = letter
                _stamp(ink, font[letter], (x, y), place + rng.normal(0, 0.01, 2), size, level, rng.normal(0, 1.5))
            elif rng.random() < 0.2 and symbol(rng, cell, rng.uniform(0.3, 1)):
                labels[row, col] = IGNORE
    if rng.random() < 0.55:
        medium = _medium(rng)
        for row in range(n):
            for col in range(n):
                if rng.random() < 0.6 and _mark(rng, ink, row, col, medium, font, labels[row, col], place, size):
                    labels[row, col] = IGNORE
    turn = int(rng.integers(1, 4)) if rng.random() < 0.25 else 0
    if turn:
        ink, labels = np.rot90(ink, turn), np.rot90(labels, turn).copy()
        for value in np.unique(labels[(labels >= 0) & (labels != NONE)]):
            labels[labels == value] = IGNORE if ALPHABET[value] in TURNS_ALIKE[turn] else NONE
    patches = _photographed(rng, np.ascontiguousarray(ink))
    return patches, labels[1:-1, 1:-1].ravel()


def _lines(rng: np.random.Generator, ink: np.ndarray) -> None:
    n = CELLS + 2
    width, level = rng.uniform(0.008, 0.07), rng.uniform(0.15, 1)
    frame = rng.uniform(0.03, 0.13)
    edges = rng.random(4) < 0.3  # the block lies at these edges of its grid
    lo = [1 if e else 0 for e in edges[:2]]
    hi = [n - 1 if e else n for e in edges[2:]]
    for axis in range(2):
        target = ink if axis == 0 else ink.T
        start, stop = lo[1 - axis] * SCALE, hi[1 - axis] * SCALE
        for k in range(lo[axis], hi[axis] + 1):
            outer = (k == lo[axis] and edges[axis]) or (k == hi[axis] and edges[2 + axis])
            half = (frame if outer else width) * SCALE / 2
            a, b = max(0, k * SCALE - half), min(n * SCALE, k * SCALE + half)
            for y in range(int(a), int(np.ceil(b))):
                cover = min(b, y + 1) - max(a, y)
                target[y, start:stop] = np.maximum(target[y, start:stop], cover * (max(level, 0.6) if outer else level))


def _stamp(ink, glyph, corner, place, size, level, tilt):
    scale = size * SCALE / 64
    center = np.array(corner) + SCALE / 2 + place * SCALE
    turn = cv2.getRotationMatrix2D((0, 0), tilt, scale)
    turn[:, 2] = center - turn[:, :2] @ np.array([48, 48])
    shrunk = cv2.GaussianBlur(glyph, (0, 0), 0.4 / scale) if scale < 0.6 else glyph
    stamp = cv2.warpAffine(shrunk, turn, ink.shape[::-1], flags=cv2.INTER_LINEAR)
    np.maximum(ink, stamp.astype(np.float32) * (level / 255), out=ink)


def symbol(rng: np.random.Generator, cell: np.ndarray, level: float) -> bool:
    """Draw something printed that is no letter into a cell, (S, S) float32; True where it might be one."""
    side = cell.shape[0]
    c = (side - 1) / 2 + rng.normal(0, 1, 2)
    r = rng.uniform(0.14, 0.44) * side
    kind = rng.integers(7)
    fill = -1 if rng.random() < 0.6 else int(rng.integers(1, 4))
    if kind == 0:
        cv2.circle(cell, np.round(c * 16).astype(int).tolist(), int(r * 16), level, fill, cv2.LINE_AA, 4)
    elif kind == 1:  # a regular polygon, a star
        k = int(rng.integers(3, 9))
        angle = rng.uniform(0, 7) + np.arange(2 * k) * np.pi / k
        radius = np.where(np.arange(2 * k) % 2, r * rng.choice([0.4, 0.6, np.cos(np.pi / k)]), r)
        points = c + np.stack([np.cos(angle), np.sin(angle)], 1) * radius[:, None]
        _poly(cell, points, level, fill)
    elif kind == 2:  # a door
        w, h = r * rng.uniform(0.5, 0.9), r
        cv2.rectangle(
            cell, *(tuple(int(v) for v in c + d) for d in ((-w, -h * 0.4), (w, h))), level * rng.uniform(0.4, 1), fill
        )
        cv2.ellipse(
            cell, (int(c[0]), int(c[1] - h * 0.4)), (int(w), int(h * 0.6)), 0, 180, 360, level, fill, cv2.LINE_AA
        )
    elif kind == 3:  # an arrow or a cross
        a = rng.integers(8) * np.pi / 4
        d = np.array([np.cos(a), np.sin(a)]) * r
        cv2.arrowedLine(
            cell,
            tuple(int(v) for v in c - d),
            tuple(int(v) for v in c + d),
            level,
            int(rng.integers(1, 5)),
            cv2.LINE_AA,
            0,
            0.4,
        )
    elif kind == 4:  # blobs
        for _ in range(rng.integers(2, 7)):
            at = c + rng.normal(0, r * 0.5, 2)
            cv2.circle(
                cell,
                tuple(int(v) for v in at),
                int(r * rng.uniform(0.08, 0.4)),
                level * rng.uniform(0.4, 1),
                -1,
                cv2.LINE_AA,
            )
    elif kind == 5:  # any closed drawing
        k = int(rng.integers(5, 12))
        angle = np.sort(rng.uniform(0, 2 * np.pi, k))
        _poly(
            cell, c + np.stack([np.cos(angle), np.sin(angle)], 1) * (r * rng.uniform(0.4, 1, k))[:, None], level, fill
        )
    else:  # steps, a house, rings
        for k in range(rng.integers(2, 5)):
            cv2.ellipse(
                cell,
                (int(c[0]), int(c[1])),
                (int(r * (1 - k * 0.25)), int(r * (1 - k * 0.25))),
                0,
                0,
                rng.choice([180, 360]),
                level,
                int(rng.integers(1, 3)),
                cv2.LINE_AA,
            )
    return kind == 6 or (kind == 0 and fill > 0)


def _poly(cell, points, level, fill):
    points = [np.round(points * 16).astype(np.int32)]
    if fill < 0:
        cv2.fillPoly(cell, points, level, cv2.LINE_AA, 4)
    else:
        cv2.polylines(cell, points, True, level, fill, cv2.LINE_AA, 4)


def _medium(rng) -> tuple[float, float, float]:
    """Darkness, width in cells and unevenness of a pen."""
    return rng.uniform(0.12, 1), rng.uniform(0.015, 0.09), rng.uniform(0, 0.7)


def _mark(rng, ink, row, col, medium, font, label, place, size) -> bool:
    """Draw what a hand does to a cell; True where a letter beneath can no longer be read."""
    dark, width, uneven = medium
    layer = np.zeros((3 * SCALE, 3 * SCALE), np.float32)
    weight = max(1, round(width * SCALE))
    center = np.full(2, 1.5 * SCALE) + rng.normal(0, 0.05, 2) * SCALE
    kind = rng.choice(["circle", "circle", "circle", "hatch", "scribble", "solid", "trace", "stroke"])
    hidden = False
    if kind == "circle":
        radius = rng.uniform(0.25, 0.5) * SCALE
        for _ in range(2 if rng.random() < 0.25 else 1):
            angle = rng.uniform(0, 7) + np.linspace(0, 2 * np.pi * rng.uniform(0.9, 1.15), 40)
            wobble = 1 + sum(rng.normal(0, 0.05) * np.cos(k * angle + rng.uniform(0, 7)) for k in (1, 2, 3, 4))
            points = (
                center
                + np.stack([np.cos(angle), np.sin(angle) * rng.uniform(0.8, 1.2)], 1) * (radius * wobble)[:, None]
            )
            _strokes(layer, [points], weight)
    elif kind in ("hatch", "scribble"):
        step = rng.uniform(0.06, 0.2) * SCALE
        for angle in rng.uniform(0, np.pi, 1 if rng.random() < 0.65 else 2):
            along = np.array([np.cos(angle), np.sin(angle)])
            across = np.array([-along[1], along[0]])
            k = int(0.9 * SCALE / step)
            ends = []
            for i in range(k + 1):
                rung = center + across * ((i - k / 2) * step + rng.normal(0, step * 0.15))
                ends += [rung + along * s * SCALE * rng.uniform(0.35, 0.6) for s in ((-1, 1) if i % 2 else (1, -1))]
            _strokes(layer, [np.array(ends)] if kind == "scribble" else np.array(ends).reshape(-1, 2, 2), weight)
        hidden = bool(layer[SCALE:-SCALE, SCALE:-SCALE].mean() > 0.75 and dark > 0.5)
    elif kind == "solid":
        half = rng.uniform(0.38, 0.52, 2) * SCALE
        cv2.rectangle(layer, *(tuple(int(v) for v in center + s * half) for s in (-1, 1)), 1.0, -1)
        hidden = dark > 0.45
    elif kind == "trace" and label < 26:
        shift = rng.normal(0, 0.012, 2)
        _stamp(
            layer,
            cv2.dilate(font[label], np.ones((3, 3), np.uint8), iterations=int(rng.integers(0, 4))),
            (SCALE, SCALE),
            place + shift,
            size * rng.uniform(0.97, 1.06),
            1,
            rng.normal(0, 3),
        )
    else:
        points = center + np.cumsum(rng.normal(0, 0.15 * SCALE, (int(rng.integers(2, 5)), 2)), 0)
        _strokes(layer, [points], weight)
    if uneven:
        grain = cv2.GaussianBlur(rng.random(layer.shape, np.float32), (0, 0), rng.uniform(0.4, 2))
        layer *= 1 - uneven * np.clip((grain - grain.mean()) / (grain.std() + 1e-6) * 0.5 + 0.4, 0, 1)
    layer *= dark
    top, left = (row - 1) * SCALE, (col - 1) * SCALE
    a, b = max(0, -top), max(0, -left)
    part = ink[max(0, top) : top + 3 * SCALE, max(0, left) : left + 3 * SCALE]
    over = layer[a : a + part.shape[0], b : b + part.shape[1]]
    part[:] = 1 - (1 - part) * (1 - over)
    return bool(hidden and label != NONE)


def _strokes(layer, lines, weight):
    for points in lines:
        cv2.polylines(layer, [np.round(np.asarray(points) * 16).astype(np.int32)], False, 1.0, weight, cv2.LINE_AA, 4)


def _photographed(rng: np.random.Generator, ink: np.ndarray) -> np.ndarray:
    """What a phone makes of it, cut by a lattice that is a little off: (25, 1, SIDE, SIDE)."""
    n = CELLS + 2
    pixels = np.exp(rng.uniform(np.log(14), np.log(64)))
    out = round(n * pixels)
    ink = 1 - (1 - ink) * (1 - np.abs(cv2.resize(rng.normal(0, 0.02, (60, 60)).astype(np.float32), ink.shape)))
    corners = np.array([[0, 0], [out, 0], [out, out], [0, out]], np.float32)
    moved = corners + rng.normal(0, 0.015 * out, (4, 2)).astype(np.float32)
    lens = cv2.getPerspectiveTransform(
        np.float32([[0, 0], [ink.shape[0], 0], [ink.shape[0]] * 2, [0, ink.shape[0]]]), moved
    )
    ink = cv2.GaussianBlur(ink, (0, 0), max(0.3, 0.42 * SCALE / pixels))
    photo = cv2.warpPerspective(ink, lens, (out, out), flags=cv2.INTER_LINEAR)
    photo = 1 - photo * rng.uniform(0.55, 0.97)
    light = cv2.resize(rng.uniform(0.55, 1, (3, 3)).astype(np.float32), (out, out), interpolation=cv2.INTER_CUBIC)
    if rng.random() < 0.3:  # a shadow's edge
        a, b, c = rng.normal(0, 1, 3)
        y, x = np.mgrid[0:out, 0:out].astype(np.float32) / out - 0.5
        light *= 1 - rng.uniform(0.1, 0.6) / (1 + np.exp(-(a * x + b * y + c * 0.2) * rng.uniform(4, 60)))
    photo = photo * light * rng.uniform(0.25, 0.95)
    if rng.random() < 0.75:
        photo = cv2.GaussianBlur(photo, (0, 0), rng.uniform(0.3, max(0.5, min(2.2, 0.07 * pixels))))
    if rng.random() < 0.2:
        length = rng.uniform(0.05, 0.2) * pixels
        kernel = np.zeros((15, 15), np.float32)
        a = rng.uniform(0, np.pi)
        d = np.array([np.cos(a), np.sin(a)]) * min(length, 13) / 2
        cv2.line(
            kernel, *(tuple(np.round((7 + s * d) * 16).astype(int).tolist()) for s in (-1, 1)), 1.0, 1, cv2.LINE_AA, 4
        )
        photo = cv2.filter2D(photo, -1, kernel / kernel.sum())
    photo = photo + rng.normal(0, 0.03 * rng.random() ** 2, photo.shape).astype(np.float32)
    if rng.random() < 0.3:
        photo = photo + rng.uniform(0, 1) * (photo - cv2.GaussianBlur(photo, (0, 0), 1))
    picture = np.clip(photo * 255, 0, 255).astype(np.uint8)
    if rng.random() < 0.7:
        picture = cv2.imdecode(
            cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, int(rng.integers(30, 96))])[1], 0
        )
    off = rng.uniform(0, 0.06)
    patches = np.empty((CELLS * CELLS, 1, SIDE, SIDE), np.float32)
    drift = rng.normal(0, off / 2, 2)
    for k in range(CELLS * CELLS):
        row, col = divmod(k, CELLS)
        corner = np.array([col + 1, row + 1]) + (1 - SPAN) / 2 + drift + rng.normal(0, off / 2, 2)
        ends = corner + np.array([[0, 0], [SPAN, 0], [SPAN, SPAN], [0, SPAN]]) + rng.normal(0, off / 3, (4, 2))
        there = cv2.perspectiveTransform((ends[None] * SCALE).astype(np.float32), lens)[0] - 0.5
        view = cv2.getPerspectiveTransform(there, np.float32([[0, 0], [SIDE, 0], [SIDE, SIDE], [0, SIDE]]) - 0.5)
        patches[k, 0] = cv2.warpPerspective(
            picture, view, (SIDE, SIDE), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE
        )
    return normalize(patches[:, 0])[:, None]
