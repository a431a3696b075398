"""Sheets of many layouts, drawn blank or marked, and photographed: what enrolling and reading have to cope with.

Nothing here is shared with the drawings that the networks were trained on but OpenCV's line fonts; the other
font is the one that Pillow carries with it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import cv2
import numpy as np
from PIL import Image, ImageDraw, ImageFont

from vision.sheet.profile import SheetProfile

SCALE = 56
HERSHEY = (cv2.FONT_HERSHEY_SIMPLEX, cv2.FONT_HERSHEY_COMPLEX, cv2.FONT_HERSHEY_TRIPLEX)
PLACES = ("above", "above twice", "below", "left", "right", "left and right", "far right", "above and below", "blocks")
BESIDE = ("right", "left and right", "columns")
"""Places where the list of shapes leaves no room for tracks."""


@dataclass
class Blank:
    """A photographed sheet and the truth about it: the lattice in photo pixels, the rest in grid units."""

    photo: np.ndarray
    lattice: np.ndarray
    letters: dict[str, tuple[int, int]]
    entrance: tuple[int, int]
    tracks: list[np.ndarray]

    def profile(self) -> SheetProfile:
        rows, cols = (n - 1 for n in self.lattice.shape[:2])
        tracks = {k: tuple(map(tuple, t.tolist())) for k, t in zip(("gems", "penalties"), self.tracks, strict=True)}
        return SheetProfile("drawn", rows, cols, self.letters, self.entrance, tracks)


class Page:
    """A page in grid units: the grid's corner is (0, 0)."""

    def __init__(self, left: float, top: float, right: float, bottom: float) -> None:
        self.corner = np.array([left, top])
        self.ink = np.zeros((round((bottom - top) * SCALE), round((right - left) * SCALE)), np.float32)

    def at(self, x: float, y: float) -> tuple[int, int]:
        px, py = (np.array([x, y]) - self.corner) * SCALE * 16
        return round(px), round(py)

    def line(self, points, weight: float, level: float, closed: bool = False) -> None:
        where = np.array([self.at(*p) for p in points], np.int32)
        cv2.polylines(self.ink, [where], closed, level, max(1, round(weight * SCALE)), cv2.LINE_AA, 4)

    def box(self, x, y, w, h, weight: float, level: float, shape: str = "square", fill: float = 0) -> None:
        corners = {"square": [(-1, -1), (1, -1), (1, 1), (-1, 1)], "diamond": [(0, -1), (1, 0), (0, 1), (-1, 0)]}
        t = np.linspace(0, 2 * np.pi, 40, endpoint=False)
        points = corners.get(shape, np.stack([np.cos(t), np.sin(t)], 1))
        points = [(x + w / 2 * (1 + a), y + h / 2 * (1 + b)) for a, b in points]
        if fill:
            cv2.fillPoly(self.ink, [np.array([self.at(*p) for p in points], np.int32)], fill, cv2.LINE_AA, 4)
        self.line(points, weight, level, True)

    def text(
        self, words: str, x: float, y: float, height: float, face: int | None, level: float, weight: float = 0.1
    ) -> None:
        """Words around (x, y); `face` is one of OpenCV's fonts, or None for Pillow's."""
        mask = mask_of(words, face, weight)
        size = height * SCALE / 64
        small = cv2.resize(mask, None, fx=size, fy=size, interpolation=cv2.INTER_AREA).astype(np.float32) / 255 * level
        px, py = (np.array([x, y]) - self.corner) * SCALE - np.array(small.shape[::-1]) / 2
        left, top = max(0, round(px)), max(0, round(py))
        part = self.ink[top : top + small.shape[0], left : left + small.shape[1]]
        np.maximum(part, small[: part.shape[0], : part.shape[1]], out=part)


def mask_of(words: str, face: int | None, weight: float = 0.1) -> np.ndarray:
    """Words as a uint8 mask; capitals are 64 pixels high, little is left around them."""
    if face is None:
        font = ImageFont.load_default(90)
        picture = Image.new("L", (90 * len(words) + 40, 130))
        ImageDraw.Draw(picture).text((20, 100), words, 255, font, anchor="ls", stroke_width=round(weight * 20))
        mask = np.array(picture)
    else:
        mask = np.zeros((160, 90 * len(words) + 60), np.uint8)
        cv2.putText(mask, words, (30, 110), face, 64 / 21, 255, max(1, round(weight * 64)), cv2.LINE_AA)
    x, y, w, h = cv2.boundingRect(mask)
    mask = mask[y : y + h, x : x + w]
    return cv2.resize(mask, None, fx=64 / h, fy=64 / h, interpolation=cv2.INTER_AREA) if len(words) == 1 else mask


def blank_sheet(
    seed: int, rows: int = 11, cols: int = 11, count: int = 24, place: str | None = None, turn: int | None = None,
    marks: Callable[[np.random.Generator, Page, list[np.ndarray]], None] | None = None, corner: float | None = None,
) -> Blank:  # fmt: skip
    """Draw and photograph a sheet of an invented layout; `marks` may draw on it before; `corner`: how high letters
    are that stand in their cells' upper left corners."""
    rng = np.random.default_rng(seed)
    place = place or str(rng.choice(PLACES))
    page = Page(-rng.uniform(2.6, 4), -rng.uniform(3.4, 4.5), cols + rng.uniform(7.5, 10), rows + rng.uniform(2.6, 4))
    face = None if rng.random() < 0.5 else int(rng.choice(HERSHEY))
    level = rng.uniform(0.55, 1)
    letters, entrance = _grid(rng, page, rows, cols, count, face, level, corner)
    tracks = _tracks(rng, page, rows, cols, place, face, level)
    _distractors(rng, page, rows, cols, place, face, level)
    if marks:
        marks(rng, page, tracks)
    photo, lattice = _photographed(rng, page, rows, cols, turn)
    return Blank(photo, lattice, letters, entrance, tracks)


def _grid(
    rng, page: Page, rows: int, cols: int, count: int, face: int | None, level: float, corner: float | None = None
):
    thin, light = rng.uniform(0.015, 0.05), rng.uniform(0.35, 0.9)
    for k in range(rows + 1):
        page.line([(0, k), (cols, k)], thin, light)
    for k in range(cols + 1):
        page.line([(k, 0), (k, rows)], thin, light)
    page.line([(0, 0), (cols, 0), (cols, rows), (0, rows)], rng.choice([thin, 0.07]), 0.9, True)
    cells = [(r, c) for r in range(rows) for c in range(cols)]
    order = rng.permutation(len(cells))
    entrance = cells[order[-1]]
    size = rng.uniform(0.28, 0.62)
    off = rng.uniform(-0.5, 0.5, 2) * (0.8 - size) if rng.random() < 0.3 else np.zeros(2)
    weight = rng.uniform(0.06, 0.2)
    if corner:
        size, off = corner, np.full(2, corner / 2 - 0.4)
    letters = {}
    for name, k in zip("ABCDEFGHIJKLMNOPQRSTUVWXYZ"[:count], order, strict=False):
        row, col = letters[name] = cells[k]
        page.text(name, col + 0.5 + off[0], row + 0.5 + off[1], size, face, level, weight)
    row, col = entrance
    shape = str(rng.choice(["square", "circle", "diamond"]))
    page.box(col + 0.25, row + 0.2, 0.5, 0.6, 0.05, level, shape, rng.choice([0, 0.5, 0.9]))
    if rng.random() < 0.5:
        page.line([(col + 0.5, row + 0.3), (col + 0.5, row + 0.7)], 0.08, level)
    return letters, entrance


def _tracks(rng, page: Page, rows: int, cols: int, place: str, face: int | None, level: float) -> list[np.ndarray]:
    """Two tracks in reading order."""
    size = rng.uniform(0.3, 0.6)
    gap = rng.choice([0, rng.uniform(0.06, 0.4)]) * size
    first, second = (int(n) for n in rng.integers(6, 13, 2))
    shape = str(rng.choice(["square", "square", "circle", "diamond"]))
    gap = gap if shape == "square" else max(gap, 0.1 * size)
    step = size + gap

    def run(x: float, y: float, n: int, down: bool = False, per_row: int = 99) -> np.ndarray:
        k = np.arange(n)
        along, across = (k % per_row) * step, (k // per_row) * step
        return np.stack(
            [x + (across if down else along), y + (along if down else across), 0 * k + size, 0 * k + size], 1
        )

    if place in ("above", "one line", "far right"):
        room = 5.5 if place == "far right" else 0.5 * cols
        first, second = (min(n, int(room / step)) for n in (first, second))
    layouts = {
        "above": [(0, -1.4, first), (first * step + 0.8, -1.4, second)],
        "above twice": [(0.3, -2.3, first), (0.3, -1.1, second)],
        "below": [(0, rows + 0.5, first), (0.4, rows + 1.5, second)],
        "left": [(-2.1, 0.5, first, True), (-1.1, 0.5, second, True)],
        "right": [(cols + 0.6, 0.5, first, True), (cols + 1.6, 0.5, second, True)],
        "left and right": [(-1.4, 0.6, first, True), (cols + 0.7, 1, second, True)],
        "far right": [(cols + 1.2, 6.6, first), (cols + 1.2, 8, second)],
        "above and below": [(1, -1.3, first), (2, rows + 0.7, second)],
        "one line": [(0, -1.4, first), ((first + 0.77) * step, -1.4, second)],
        "columns": [(cols + 1.4, 0.5, 10, False, 2), (cols + 1.4, 1.6 + 5 * step, 10, False, 2)],
        "blocks": [(0.2, -2.2, 12, False, 6), (0.2 + 6.5 * step + 1, -2.2, 12, False, 6)],
    }
    tracks = [run(*layout) for layout in layouts[place]]
    weight, strength = rng.uniform(0.02, 0.05), rng.uniform(0.5, 1)
    inside = rng.choice(["", "", "dash"])
    for k, boxes in enumerate(tracks):
        for x, y, w, h in boxes:
            page.box(x, y, w, h, weight, strength, shape)
            if inside and k:
                page.line([(x + w * 0.4, y + h / 2), (x + w * 0.6, y + h / 2)], 0.03, strength * 0.6)
        if rng.random() < 0.6:
            page.text(("gems", "PEN")[k], boxes[0, 0] + 0.3, boxes[0, 1] - 0.22, 0.26, face, level)
    return tracks


def _distractors(rng, page: Page, rows: int, cols: int, place: str, face: int | None, level: float) -> None:
    page.text("LOST HALLS OF OROO", 5, page.corner[1] + 0.7, 0.7, face, level, 0.16)
    side = rng.uniform(0.95, 1.25)
    for k in range(6):
        x = cols + 1.3 + k * side * 1.15
        if place not in BESIDE and x + side < page.corner[0] + page.ink.shape[1] / SCALE:
            page.box(x, page.corner[1] + 1, side, side, 0.03, 0.8)
            page.text(
                ("I", "II", "goal", "exit", "way", "SUM")[k], x + side / 2, page.corner[1] + 0.8, 0.22, face, level
            )
    if place in BESIDE:
        return
    small = rng.uniform(0.26, 0.4)
    for row in range(5):
        for col in range(3):
            x, y = cols + 1.6 + col * 2.1, 0.2 + row * 1.25
            page.box(x, y, small, small, 0.025, 0.9)
            for dx, dy in [(0, 0), (1, 0), (1, 1), (0, 1)][: int(rng.integers(2, 5))]:
                cell = (x + 0.55 + dx * 0.26, y - 0.1 + dy * 0.26, 0.26, 0.26)
                page.box(*cell, 0.015, 0.6, fill=float(rng.choice([0, 0.5])))
    page.text("o passage  # wall", cols + 3, rows - 0.4, 0.22, face, level)


def _photographed(rng, page: Page, rows: int, cols: int, turn: int | None) -> tuple[np.ndarray, np.ndarray]:
    """The photo, about 1600 pixels wide, and the lattice in it."""
    height, width = page.ink.shape
    turn = int(rng.integers(4)) if turn is None else turn
    angle = turn * np.pi / 2 + rng.normal(0, 0.1)
    frame = np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float64)
    spin = np.array([[np.cos(angle), np.sin(angle)], [-np.sin(angle), np.cos(angle)]])
    seen = (frame - frame.mean(0)) @ spin
    lean = rng.normal(0, 0.12, 2) / max(height, width)
    seen = seen / (1 + seen @ lean)[:, None]
    scale = 1500 / max(np.ptp(seen, axis=0))
    seen = (seen - seen.min(0)) * scale + 50
    size = tuple(np.ceil(seen.max(0) + 50).astype(int).tolist())
    view = cv2.getPerspectiveTransform(frame.astype(np.float32), seen.astype(np.float32))
    ink = cv2.warpPerspective(cv2.GaussianBlur(page.ink, (0, 0), 0.45 / scale), view, size)
    paper = cv2.warpPerspective(np.ones_like(page.ink), view, size)
    table = 0.3 + 0.1 * cv2.resize(rng.random((90, 12), np.float32), size, interpolation=cv2.INTER_CUBIC)
    light = cv2.resize(rng.uniform(0.6, 1, (3, 3)).astype(np.float32), size, interpolation=cv2.INTER_CUBIC)
    scene = (paper * (1 - 0.9 * ink) + (1 - paper) * table) * light * rng.uniform(0.55, 0.9)
    scene = cv2.GaussianBlur(scene, (0, 0), rng.uniform(0.4, 1.1)) + rng.normal(0, 0.008, size[::-1]).astype(np.float32)
    tone = np.array([rng.uniform(0.75, 1), rng.uniform(0.9, 1), 1])
    photo = np.clip(scene[..., None] * tone * 255, 0, 255).astype(np.uint8)
    photo = cv2.imdecode(cv2.imencode(".jpg", photo, [cv2.IMWRITE_JPEG_QUALITY, int(rng.integers(75, 96))])[1], 1)
    v, u = np.mgrid[0 : rows + 1, 0 : cols + 1].astype(np.float64)
    units = (np.stack([u, v], -1) - page.corner) * SCALE
    return photo, cv2.perspectiveTransform(units.reshape(1, -1, 2), view).reshape(rows + 1, cols + 1, 2) - 0.5
