"""What prints a page: its colors, lines, shapes, words and art, and the page itself."""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any

import cv2
import numpy as np

from bench.strangers.strokes import CELL, Color, Rng, fixed, polyline
from vision.sheet.profile import Box, Cell

SIDE = 11
FONTS = (cv2.FONT_HERSHEY_SIMPLEX, cv2.FONT_HERSHEY_DUPLEX, cv2.FONT_HERSHEY_COMPLEX, cv2.FONT_HERSHEY_TRIPLEX)
PAPERS: tuple[Color, ...] = (
    (255, 255, 255), (250, 252, 252), (228, 243, 250), (205, 230, 244), (246, 236, 226), (228, 240, 228),
    (232, 228, 246), (222, 224, 224), (168, 202, 222),
)  # fmt: skip
INKS: tuple[Color, ...] = (
    (20, 20, 20), (60, 60, 60), (110, 40, 20), (30, 60, 120), (30, 90, 40), (110, 30, 90), (40, 30, 150),
    (110, 110, 30), (70, 90, 110),
)  # fmt: skip


@dataclass(frozen=True)
class Printed:
    """A letter in its cell: its strokes in pixels of the page."""

    cell: Cell
    strokes: list[np.ndarray]


@dataclass
class Page:
    """A blank sheet: its picture, where the grid begins (pixels), and what a careful person says of it."""

    image: np.ndarray
    origin: tuple[float, float] = (0.0, 0.0)
    letters: dict[str, Printed] = field(default_factory=dict)
    entrance: Cell = (5, 5)
    tracks: dict[str, list[Box]] = field(default_factory=dict)
    written: list[Box] = field(default_factory=list)

    def at(self, u: float | np.ndarray, v: float | np.ndarray) -> np.ndarray:
        """Pixels of the page, (..., 2), of places in cells of the grid."""
        return np.stack(
            np.broadcast_arrays(self.origin[0] + np.asarray(u) * CELL, self.origin[1] + np.asarray(v) * CELL), -1
        )

    def profile(self, name: str) -> dict[str, Any]:
        """The sheet profile's JSON object, without pictures."""
        return {
            "name": name, "rows": SIDE, "cols": SIDE, "entrance": list(self.entrance),
            "letters": {letter: list(one.cell) for letter, one in self.letters.items()},
            "tracks": {track: [list(box) for box in boxes] for track, boxes in self.tracks.items()},
            "written": [list(box) for box in self.written],
        }  # fmt: skip


def mixed(a: Color, b: Color, share: float) -> Color:
    """`share` of b in a."""
    return tuple(x * (1 - share) + y * share for x, y in zip(a, b, strict=True))  # type: ignore[return-value]


class Press:
    """Lines, shapes, words and art on one page; all places are in cells of its grid."""

    def __init__(self, rng: Rng) -> None:
        self.rng = rng
        self.paper = PAPERS[min(len(PAPERS) - 1, int(rng.exponential(2.2)))]
        picked = rng.permutation(len(INKS))
        self.ink, self.second = INKS[picked[0]], INKS[picked[1]]
        if rng.random() < 0.35:
            self.ink = INKS[0]
        self.tint = mixed(self.paper, tuple(rng.uniform(90, 255, 3)), rng.uniform(0.2, 0.5))
        self.font = FONTS[rng.integers(len(FONTS))]
        self.page = Page(np.zeros((1, 1, 3), np.uint8))

    def pick(self, **weights: float) -> str:
        """One of these, by weight."""
        p = np.array(list(weights.values()))
        return str(self.rng.choice(list(weights), p=p / p.sum()))

    # Shapes

    def line(
        self, points: list[tuple[float, float]] | np.ndarray, color: Color, width: float, style: str = "solid"
    ) -> None:
        """A line of `width` cells: solid, dashed, dotted or double."""
        xy = self.page.at(*np.asarray(points, float).T)
        thick = max(1, round(width * CELL))
        if style == "double":
            way = xy[-1] - xy[0]
            off = np.array([-way[1], way[0]]) / max(1e-6, float(np.hypot(*way))) * (thick + 2.0)
            for side in (-1, 1):
                polyline(self.page.image, xy + side * off, color, max(1, thick // 2))
            return
        if style == "solid":
            polyline(self.page.image, xy, color, thick)
            return
        for a, b in pairwise(xy):
            long = float(np.hypot(*(b - a)))
            n = max(1, round(long / (CELL * (0.2 if style == "dashed" else 0.1))))
            for k in range(n):
                start, end = a + (b - a) * (k + 0.2) / n, a + (b - a) * (k + 0.8) / n
                if style == "dashed":
                    polyline(self.page.image, np.stack([start, end]), color, thick)
                else:
                    middle = fixed((start + end) / 2)
                    cv2.circle(self.page.image, middle.tolist(), max(20, thick * 10), color, -1, cv2.LINE_AA, 4)

    def area(self, points: np.ndarray | list[tuple[float, float]], color: Color, alpha: float = 1.0) -> None:
        """A filled shape, seen through by 1 - alpha."""
        xy = self.page.at(*np.asarray(points, float).T)
        if alpha >= 1:
            cv2.fillPoly(self.page.image, [fixed(xy)], color, cv2.LINE_AA, 4)
            return
        high, wide = self.page.image.shape[:2]
        x0, y0 = np.clip(np.floor(xy.min(0)), 0, (wide - 1, high - 1)).astype(int)
        x1, y1 = np.clip(np.ceil(xy.max(0)) + 1, 1, (wide, high)).astype(int)
        if x1 <= x0 or y1 <= y0:
            return
        part = self.page.image[y0:y1, x0:x1]
        over = part.copy()
        cv2.fillPoly(over, [fixed(xy - (x0, y0))], color, cv2.LINE_AA, 4)
        self.page.image[y0:y1, x0:x1] = cv2.addWeighted(over, alpha, part, 1 - alpha, 0)

    def words(self, text: str, u: float, v: float, height: float, color: Color, bold: float = 0.12) -> None:
        """Words that begin at (u, v), their base line."""
        size = height * CELL / 21
        x, y = self.page.at(u, v).tolist()
        cv2.putText(
            self.page.image,
            text,
            (round(x), round(y)),
            self.font,
            size,
            color,
            max(1, round(height * CELL * bold)),
            cv2.LINE_AA,
        )

    @staticmethod
    def around(u: float, v: float, rx: float, ry: float, corners: int, turn: float = 0.0) -> np.ndarray:
        """A regular shape's corners; a circle has many."""
        a = np.linspace(0, 2 * np.pi, corners, endpoint=False) + turn
        return np.stack([u + rx * np.cos(a), v + ry * np.sin(a)], 1)

    def outline(self, points: np.ndarray, color: Color, width: float, style: str = "solid") -> None:
        """A closed line."""
        self.line(np.vstack([points, points[:1]]), color, width, style)

    @staticmethod
    def box(u: float, v: float, w: float, h: float) -> np.ndarray:
        """A rectangle's corners."""
        return np.array([(u, v), (u + w, v), (u + w, v + h), (u, v + h)])

    # Art

    def art(self, low: np.ndarray, high: np.ndarray, alpha: float, color: Color) -> None:
        """A picture in one color over the area from `low` to `high`."""
        kind = self.pick(hills=1, vines=1, stars=1, arches=1, waves=1, rose=1, cracks=1, blots=1, bricks=1)
        getattr(self, f"_{kind}")(low, high, alpha, color)

    def _hills(self, low: np.ndarray, high: np.ndarray, alpha: float, color: Color) -> None:
        u = np.linspace(low[0], high[0], 40)
        for k in range(4):
            base = low[1] + (high[1] - low[1]) * (0.3 + 0.18 * k)
            v = base + 0.12 * (high[1] - low[1]) * np.sin(u * self.rng.uniform(0.3, 0.9) + self.rng.uniform(0, 6))
            self.area(
                np.vstack([np.stack([u, v], 1), [(high[0], high[1]), (low[0], high[1])]]),
                color,
                alpha * (0.5 + 0.17 * k),
            )

    def _vines(self, low: np.ndarray, high: np.ndarray, alpha: float, color: Color) -> None:
        pale = mixed(self.paper, color, alpha)
        for _ in range(self.rng.integers(3, 8)):
            v = np.linspace(low[1], high[1], 60)
            u = self.rng.uniform(low[0], high[0]) + self.rng.uniform(0.2, 0.8) * np.sin(v * self.rng.uniform(0.5, 1.4))
            self.line(np.stack([u, v], 1), pale, self.rng.uniform(0.03, 0.1))
            for k in range(2, 60, 4):
                self.area(self.around(u[k] + 0.22, v[k], 0.22, 0.1, 10), color, alpha)

    def _stars(self, low: np.ndarray, high: np.ndarray, alpha: float, color: Color) -> None:
        for _ in range(self.rng.integers(40, 160)):
            u, v = self.rng.uniform(low, high)
            r, n = self.rng.uniform(0.04, 0.25), int(self.rng.integers(4, 7))
            points = np.empty((2 * n, 2))
            points[::2], points[1::2] = self.around(u, v, r, r, n), self.around(u, v, r * 0.4, r * 0.4, n, np.pi / n)
            self.area(points, color, alpha)

    def _arches(self, low: np.ndarray, high: np.ndarray, alpha: float, color: Color) -> None:
        wide = self.rng.uniform(1.5, 3.5)
        for u in np.arange(low[0], high[0], wide * 1.2):
            top = self.rng.uniform(low[1], (low[1] + high[1]) / 2)
            arch = self.around(u + wide / 2, top + wide / 2, wide / 2, wide / 2, 30, np.pi)[:16]
            self.area(np.vstack([arch, [(u + wide, high[1]), (u, high[1])]]), color, alpha)
            self.area(
                np.vstack(
                    [
                        (arch - (u, top)) * 0.7 + (u + 0.15 * wide, top + 0.15 * wide),
                        [(u + 0.85 * wide, high[1]), (u + 0.15 * wide, high[1])],
                    ]
                ),
                self.paper,
                alpha,
            )

    def _waves(self, low: np.ndarray, high: np.ndarray, alpha: float, color: Color) -> None:
        u, pale = np.linspace(low[0], high[0], 120), mixed(self.paper, color, alpha)
        many, much = self.rng.uniform(1, 4), self.rng.uniform(0.05, 0.3)
        for v in np.arange(low[1], high[1], self.rng.uniform(0.35, 0.9)):
            self.line(np.stack([u, v + much * np.sin(u * many)], 1), pale, 0.03)

    def _rose(self, low: np.ndarray, high: np.ndarray, alpha: float, color: Color) -> None:
        (u, v), r = (low + high) / 2, float(min(high - low)) * self.rng.uniform(0.3, 0.5)
        for k in range(16):
            a, long = k * np.pi / 8, r * (1.0, 0.45, 0.7, 0.45)[k % 4]
            tip = (u + long * np.cos(a), v + long * np.sin(a))
            side = [(u + 0.12 * r * np.cos(a + s), v + 0.12 * r * np.sin(a + s)) for s in (-0.8, 0.8)]
            self.area([side[0], tip, side[1]], color, 0.6 * alpha)
        self.outline(self.around(u, v, r * 0.8, r * 0.8, 70), mixed(self.paper, color, alpha), 0.05)

    def _cracks(self, low: np.ndarray, high: np.ndarray, alpha: float, color: Color) -> None:
        for _ in range(self.rng.integers(6, 18)):
            way = self.rng.normal(0, 0.45, (25, 2)).cumsum(0) + self.rng.uniform(low, high)
            self.line(np.clip(way, low, high), mixed(self.paper, color, alpha), self.rng.uniform(0.015, 0.05))

    def _blots(self, low: np.ndarray, high: np.ndarray, alpha: float, color: Color) -> None:
        for _ in range(self.rng.integers(5, 14)):
            u, v = self.rng.uniform(low, high)
            shape = self.around(0, 0, 1, 1, 40) * (
                1 + 0.25 * np.sin(np.arange(40)[:, None] * self.rng.integers(1, 4) * 0.31)
            )
            self.area(shape * self.rng.uniform(0.3, 1.8) + (u, v), color, alpha * self.rng.uniform(0.4, 1))

    def _bricks(self, low: np.ndarray, high: np.ndarray, alpha: float, color: Color) -> None:
        high_brick, wide = self.rng.uniform(0.4, 0.8), self.rng.uniform(0.9, 1.6)
        for k, v in enumerate(np.arange(low[1], high[1], high_brick)):
            for u in np.arange(low[0] - wide * (k % 2) / 2, high[0], wide):
                if self.rng.random() < 0.55:
                    self.area(
                        self.box(u + 0.05, v + 0.05, wide - 0.1, high_brick - 0.1),
                        color,
                        alpha * self.rng.uniform(0.5, 1),
                    )
