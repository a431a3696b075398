"""Hands that fill in a sheet: what they hold, how they draw circles, walls, ticks and numbers, and what they rub out.

The truth is kept with every mark. What a person could not name for sure is `ODD` and is not counted.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace

import cv2
import numpy as np

from bench.strangers.press import SIDE, Page
from bench.strangers.strokes import CELL, Color, Paper, Rng, Tool, glyph, resampled, rounded
from vision.sheet.profile import Box, Cell

ODD = "?"
BLACK, BLUE, RED, GREEN = (25, 22, 22), (150, 45, 20), (35, 25, 185), (45, 110, 25)
PURPLE, BROWN, ORANGE, TEAL = (130, 30, 95), (30, 60, 110), (10, 100, 235), (130, 110, 10)
GRAPHITE = (72, 70, 68)


@dataclass(frozen=True)
class Hand:
    """One player's manner: sizes in cells, shares from 0 to 1."""

    tool: Tool
    wall_tool: Tool
    circle: str
    wall: str
    tick: str
    size: float
    wobble: float
    slant: float
    aside: tuple[float, float]

    @property
    def name(self) -> str:
        """In words."""
        walls = "" if self.wall_tool is self.tool else f" by {self.wall_tool.name}"
        return f"{self.circle} circles, {self.wall} walls{walls}"


@dataclass
class Filled:
    """A sheet as somebody filled it in, and the truth of it; `box_ticks` says of each box whether it is ticked."""

    image: np.ndarray
    gloss: np.ndarray
    map: list[str]
    destinations: list[str]
    gates: list[Cell]
    ticks: dict[str, int]
    numbers: list[int | None]
    medium: str
    hand: str
    marks: list[tuple[np.ndarray, float]] = field(default_factory=list)
    """Each tick, traced letter, gate and number, all of which must be legible on a photo: corners, (4, 2) page pixels,
    around it, and per cent of that area that may look as on the blank page."""


def random_tool(rng: Rng) -> Tool:
    """Something to write with."""
    dark: tuple[Color, ...] = (BLACK, BLUE, RED, GREEN, PURPLE, BROWN, TEAL)
    any_color: Color = (*dark, ORANGE)[rng.integers(8)]
    bright: Color = ((60, 240, 250), (190, 90, 255), (90, 245, 110), (60, 165, 255), (250, 200, 60))[rng.integers(5)]
    tools = (
        Tool("crayon", any_color, rng.uniform(0.09, 0.15), rng.uniform(0.75, 0.95), 0.75, True),
        Tool("colored pencil", any_color, rng.uniform(0.04, 0.07), rng.uniform(0.6, 0.85), 0.6),
        Tool("highlighter", bright, rng.uniform(0.14, 0.22), rng.uniform(0.8, 0.98), pressure=0.05),
        Tool("hard pencil", GRAPHITE, rng.uniform(0.03, 0.045), rng.uniform(0.45, 0.65), 0.4, gloss=0.6),
        Tool("soft pencil", GRAPHITE, rng.uniform(0.05, 0.085), rng.uniform(0.75, 0.95), 0.55, gloss=1.0),
        Tool("felt pen", dark[rng.integers(7)], rng.uniform(0.07, 0.12), rng.uniform(0.85, 0.98), pressure=0.08),
        Tool(
            "ballpoint", dark[rng.integers(5)], rng.uniform(0.026, 0.038), rng.uniform(0.8, 0.95), 0.15, pressure=0.35
        ),
        Tool("brush pen", dark[rng.integers(7)], rng.uniform(0.05, 0.14), 0.95, pressure=0.6),
    )
    weights = np.array([1.3, 1.3, 1.0, 1.3, 1.3, 1.2, 1.2, 0.6])
    return tools[int(rng.choice(len(tools), p=weights / weights.sum()))]


def random_hand(rng: Rng) -> Hand:
    """Somebody."""
    tool = random_tool(rng)
    other = random_tool(rng) if rng.random() < 0.2 else tool
    circles = {
        "plain": 3, "tiny": 1, "large": 1, "open": 1.2, "twice": 1.2, "oval": 1, "cornered": 1,
        "squarish": 0.6, "coiled": 0.5,
    }  # fmt: skip
    walls = {
        "scribbled": 2, "solid": 1.2, "hatched": 1.5, "crosshatched": 1, "diagonal": 1.2, "crossed box": 1,
        "cross": 1.2, "dotted": 0.8, "loops": 1, "bars": 0.8, "spiral": 0.6,
    }  # fmt: skip
    broad = max(tool.width, other.width) > 0.12
    if broad:  # they leave no room for detail
        circles = {k: circles[k] for k in ("plain", "large", "open", "oval", "cornered")}
        walls = {k: walls[k] for k in ("scribbled", "solid", "bars", "cross", "hatched")}
    ticks = {"check": 3, "cross": 1.5, "slash": 1, "filled": 1.2, "dot": 0.6, "scribble": 1, "ring": 0.7}
    circle, wall, tick = (
        str(rng.choice(list(w), p=np.array(list(w.values())) / sum(w.values()))) for w in (circles, walls, ticks)
    )
    size = {"tiny": rng.uniform(0.15, 0.2), "large": rng.uniform(0.4, 0.46)}.get(circle, rng.uniform(0.24, 0.38))
    aside = float(rng.normal(0, 0.035)), float(rng.normal(0, 0.035))
    size, wobble, slant = max(size, 1.6 * tool.width), rng.uniform(0.01, 0.05), rng.uniform(-0.4, 0.4)
    return Hand(tool, other, circle, wall, tick, size, wobble, slant, aside)


class Writer:
    """One hand at one page."""

    def __init__(self, rng: Rng, page: Page, hand: Hand) -> None:
        self.rng, self.page, self.hand = rng, page, hand
        self.paper = Paper(rng, page.image)

    def shaken(self, points: np.ndarray, much: float = 1.0) -> np.ndarray:
        """A line as the hand draws it: `points` in cells, the result in pixels of the page."""
        line = resampled(np.asarray(points, float), 0.05)
        n = len(line)
        bends = self.rng.normal(0, self.hand.wobble * much, (2, max(2, n // 7 + 2)))
        return self.page.at(*(line.T + [np.interp(np.linspace(0, 1, n), np.linspace(0, 1, b.size), b) for b in bends]))

    # Passages

    def ring(self, u: float, v: float, r: float, style: str, laps: float = 1.0) -> list[np.ndarray]:
        """A circle's line around (u, v) in cells."""
        rng = self.rng
        start, way = rng.uniform(0, 2 * np.pi), rng.choice([-1.0, 1.0])
        laps = {"open": rng.uniform(0.78, 0.9), "twice": rng.uniform(1.6, 2.1)}.get(
            style, laps + rng.uniform(-0.02, 0.12)
        )
        a = start + way * np.linspace(0, 2 * np.pi * laps, round(40 * laps) + 2)
        rx, ry = (r * rng.uniform(0.62, 0.8), r * 1.1) if style == "oval" else (r * rng.uniform(0.92, 1.06), r)
        grow = 1 + np.linspace(0, rng.uniform(-0.12, 0.12), a.size)
        points = np.stack([rx * grow * np.cos(a), ry * grow * np.sin(a)], 1)
        if style == "cornered":
            n = int(rng.integers(6, 9))
            b = start + np.linspace(0, 2 * np.pi, n + 1)
            points = np.stack([r * np.cos(b), r * np.sin(b)], 1) * rng.uniform(0.9, 1.1, (n + 1, 1))
        elif style == "squarish":
            points = np.sign(points) * np.abs(points / r) ** 0.62 * r
        elif style == "coiled":
            points += 0.1 * r * np.stack([np.cos(9 * a), np.sin(9 * a)], 1)
        turn = self.hand.slant * (style == "oval")
        points = points @ np.array([[np.cos(turn), np.sin(turn)], [-np.sin(turn), np.cos(turn)]])
        return [self.shaken(points + np.array([u, v]))]

    def passage(self, cell: Cell, gate: bool = False) -> None:
        """A circle, or a gate's two, one within the other."""
        r, hand = self.hand.size * self.rng.uniform(0.88, 1.1), self.hand
        u, v = (
            cell[1] + 0.5 + hand.aside[0] + self.rng.normal(0, 0.02),
            cell[0] + 0.5 + hand.aside[1] + self.rng.normal(0, 0.02),
        )
        if gate:
            apart = max(0.13, 1.9 * hand.tool.width + 0.02)
            r = float(np.clip(r, 0.2 + apart, 0.46))
            self.paper.draw(self.ring(u, v, r, "plain"), hand.tool)
            self.paper.draw(self.ring(u, v, r - apart, "plain"), hand.tool)
            return
        lettered = any(one.cell == cell for one in self.page.letters.values())
        style = "plain" if lettered and hand.circle in {"twice", "coiled"} else hand.circle
        if lettered and hand.circle == "tiny":
            r = max(r, 0.24)
        self.paper.draw(self.ring(u, v, r, style), hand.tool)

    # Walls

    def wall(self, cell: Cell) -> None:
        """A wall in this hand's manner."""
        rng, style, tool = self.rng, self.hand.wall, self.hand.wall_tool
        low = np.array([cell[1], cell[0]]) + rng.uniform(0.04, 0.12, 2)
        high = np.array([cell[1], cell[0]]) + 1 - rng.uniform(0.04, 0.12, 2)
        frame = [np.array([low, (high[0], low[1]), high, (low[0], high[1]), low])]
        middle, half = (low + high) / 2, (high - low) / 2
        if style == "scribbled":
            lines = [self.zigzag(low, high, max(0.1, 0.9 * tool.width), rng.uniform(0.1, 0.5))]
        elif style == "solid":
            lines = [self.zigzag(low, high, 0.55 * tool.width, 0.0), self.zigzag(low, high, 0.6 * tool.width, 1.0)]
        elif style in {"hatched", "crosshatched"}:
            gap = max(rng.uniform(0.13, 0.22), 1.8 * tool.width)
            lines = self.hatch(low, high, gap, 1.0) + (
                self.hatch(low, high, gap, -1.0) if style == "crosshatched" else []
            )
        elif style in {"diagonal", "crossed box"}:
            lines = [*frame, np.array([low, high])]
            if style == "crossed box":
                lines += [np.array([(high[0], low[1]), (low[0], high[1])])]
            else:
                lines += [np.array([(low[0], middle[1]), (middle[0], high[1])])]
                lines += [np.array([(middle[0], low[1]), (high[0], middle[1])])]
        elif style == "cross":
            in_, out = middle - half * 0.9, middle + half * 0.9
            lines = [np.array([in_, out]), np.array([(out[0], in_[1]), (in_[0], out[1])])]
        elif style == "dotted":
            lines = []
            for u in np.arange(low[0] + 0.05, high[0], max(0.17, 2 * tool.width)):
                lines += [
                    np.array([(u, v), (u + 0.03, v + 0.03)]) + rng.normal(0, 0.015, 2)
                    for v in np.arange(low[1] + 0.05, high[1], max(0.17, 2 * tool.width))
                ]
        elif style == "loops":
            a = np.linspace(0, rng.integers(6, 10) * 2 * np.pi, 150)
            lines = [
                np.stack(
                    [
                        low[0] + 2 * half[0] * (0.15 + 0.7 * np.linspace(0, 1, 150)) + 0.2 * half[0] * np.cos(a),
                        middle[1] + half[1] * 0.9 * np.sin(a),
                    ],
                    1,
                )
            ]
        elif style == "bars":
            gap = max(0.2, 1.7 * tool.width)
            lines = [np.array([(low[0], v), (high[0], v)]) for v in np.arange(low[1] + 0.05, high[1], gap)]
        else:
            a = np.linspace(0, rng.uniform(4.5, 6) * 2 * np.pi, 150)
            lines = [
                middle + np.linspace(1.0, 0.05, 150)[:, None] * half * np.stack([np.cos(a), np.sin(a)], 1) * 1.05,
                *frame,
            ]
        much = 0.4 if style in {"dotted", "solid"} else 0.8
        self.paper.draw([self.shaken(line, much) for line in lines], tool)

    def zigzag(self, low: np.ndarray, high: np.ndarray, gap: float, lean: float) -> np.ndarray:
        """To and fro over a rectangle."""
        n = max(4, int((high[1] - low[1]) / gap))
        v = np.linspace(low[1], high[1], n)
        u = np.where(np.arange(n) % 2, high[0], low[0]) + self.rng.normal(0, 0.03, n)
        points = np.stack([u, v + lean * gap * np.where(np.arange(n) % 2, -0.5, 0.5)], 1)
        if lean == 1.0:
            points = (points - low)[:, ::-1] / (high - low)[::-1] * (high - low) + low
        return points

    @staticmethod
    def hatch(low: np.ndarray, high: np.ndarray, gap: float, way: float) -> list[np.ndarray]:
        """Slanting lines over a rectangle."""
        (w, h), lines = high - low, []
        for off in np.arange(gap * 0.8 - h, w, gap * 1.3):
            a, b = max(0.0, off), min(w, off + h)
            if b - a > 0.05:
                u, v = np.array([a, b]), np.array([a - off, b - off])
                lines.append(np.stack([low[0] + u, low[1] + (v if way < 0 else h - v)], 1))
        return lines

    # Letters, ticks, numbers, slips

    def trace(self, letter: str) -> np.ndarray:
        """A printed letter traced over, until it shows; the corners around it."""
        strokes, tool = self.page.letters[letter].strokes, self.hand.tool
        every = np.vstack(strokes)
        low, high = every.min(0) - 0.06 * CELL, every.max(0) + 0.06 * CELL
        place = np.s_[max(0, int(low[1])) : int(high[1]) + 1, max(0, int(low[0])) : int(high[0]) + 1]
        before = self.paper.image[place].astype(float)
        for more in range(6):
            wide = tool.no_wider(max(0.04, 0.2 * float(high[1] - low[1]) / CELL))
            shaken = [
                self.shaken((s - self.page.origin) / CELL + self.rng.normal(0, 0.014 + 0.008 * more, 2), 0.8)
                for s in strokes
            ]
            self.paper.draw(shaken, wide)
            changed = np.abs(self.paper.image[place].astype(float) - before).max(-1)
            long = sum(float(np.linalg.norm(np.diff(s, axis=0), axis=1).sum()) for s in strokes)
            if more and (changed > 60 * tool.opacity).sum() > 0.8 * long * wide.width * CELL:
                break
        return corners(low, high)

    def ticked(self, box: Box) -> np.ndarray:
        """A tick in a box of a track; the corners around it."""
        rng, tool, style = self.rng, self.hand.tool, self.hand.tick
        u, v, w, h = box
        tool = tool.no_wider(0.26 * w)
        low, high, middle = np.array([u, v]), np.array([u + w, v + h]), np.array([u + w / 2, v + h / 2])
        size = np.array([w, h])
        lines = {
            "check": [middle + size * np.array([(-0.35, 0.0), (-0.08, 0.36), (0.5, -0.5)])],
            "cross": [middle + 0.38 * size * np.array(ends) for ends in ([(-1, -1), (1, 1)], [(1, -1), (-1, 1)])],
            "slash": [middle + 0.45 * size * np.array([(1, -1), (-1, 1)])],
            "filled": [self.zigzag(low + 0.12 * size, high - 0.12 * size, 0.6 * tool.width, 0.0)],
            "dot": [self.zigzag(middle - 0.2 * size, middle + 0.2 * size, 0.5 * tool.width, 0.0)],
            "scribble": [self.zigzag(low, high, max(0.07, 1.2 * tool.width), 0.8)],
            "ring": self.ring(middle[0], middle[1], 0.64 * float(max(size)), "plain"),
        }[style]  # fmt: skip
        lines = lines if style == "ring" else [self.shaken(s + rng.normal(0, 0.02, 2), 0.5) for s in lines]
        self.paper.draw(lines, tool)
        return corners(self.page.at(u, v), self.page.at(u + w, v + h))

    def number(self, box: Box, value: int) -> np.ndarray:
        """A sum in its box, in digits that anybody reads; the corners around it."""
        rng, tool = self.rng, self.hand.tool
        u, v, w, h = box
        tool = replace(tool.no_wider(0.075), wax=False)
        if tool.name == "highlighter":
            tool = Tool("felt pen", BLUE, 0.06, 0.95)
        text = str(value)
        high = h * rng.uniform(0.5, 0.68)
        step = min(high * 0.75, 0.9 * w / len(text))
        at = np.array([u + w / 2 - step * (len(text) - 1) / 2, v + h * rng.uniform(0.48, 0.56)])
        for k, digit in enumerate(text):
            strokes = [s * (step * 0.68, high) for s in glyph(digit)]
            strokes = [
                np.stack([s[:, 0] - 0.35 * self.hand.slant * s[:, 1], s[:, 1]], 1)
                + at
                + (k * step, 0)
                + rng.normal(0, 0.012, 2)
                for s in strokes
            ]
            self.paper.draw([self.shaken(s, 0.4) for s in strokes], tool)
        return corners(self.page.at(u + 0.1 * w, v + 0.1 * h), self.page.at(u + 0.9 * w, v + 0.9 * h))

    def slip(self, cell: Cell, wall: bool) -> None:
        """A mark that was taken back: rubbed out, with a ghost, or painted over."""
        x, y = self.page.at(cell[1], cell[0]).astype(int)
        edge = round(0.12 * CELL)
        place = np.s_[max(0, y - edge) : y + CELL + edge, max(0, x - edge) : x + CELL + edge]
        before, gloss = self.paper.image[place].copy(), self.paper.gloss[place].copy()
        if wall:
            self.wall(cell)
        else:
            self.passage(cell)
        tool = self.hand.wall_tool if wall else self.hand.tool
        if tool.erasable:
            ghost, left = self.paper.image[place].astype(np.float32), self.rng.uniform(0.06, 0.16)
            smear = cv2.GaussianBlur(ghost, (0, 0), CELL * 0.08)
            self.paper.image[place] = np.round(before * (1 - 2 * left) + left * ghost + left * smear)
            self.paper.gloss[place] = gloss
            return
        fluid = Tool("fluid", (246, 250, 250), self.rng.uniform(0.16, 0.24), 0.97, covers=True, pressure=0.05)
        low = np.array([cell[1], cell[0]]) + 0.1
        self.paper.draw([self.shaken(self.zigzag(low, low + 0.8, 0.1, 0.3))], fluid)

    def odd(self, cell: Cell) -> None:
        """Something that is neither: a question mark, a digit, a stroke, half a scribble."""
        middle = np.array([cell[1] + 0.5, cell[0] + 0.5])
        kind = self.rng.integers(3)
        hook = np.array([(-0.2, -0.2), (-0.1, -0.35), (0.2, -0.3), (0.15, -0.05), (0, 0.05), (0, 0.15)])
        strokes = [
            [rounded(hook), np.array([(0, 0.3), (0.02, 0.32)])],
            [s * (0.35, 0.6) for s in glyph(str(self.rng.integers(1, 10)))],
            [self.zigzag(np.array([-0.4, -0.4]), np.array([0.35, 0.0]), 0.09, 0.3)],
        ][kind]  # fmt: skip
        self.paper.draw([self.shaken(s + middle, 0.5) for s in strokes], self.hand.tool)


def corners(low: np.ndarray, high: np.ndarray) -> np.ndarray:
    """(4, 2) of a rectangle."""
    return np.array([low, (high[0], low[1]), high, (low[0], high[1])])


def drawn_map(rng: Rng, entrance: Cell) -> np.ndarray:
    """A map that grew from the entrance: (11, 11) of `.`, `o` and `#`."""
    out = np.full((SIDE, SIDE), ".")
    out[entrance] = "o"
    for _ in range(rng.integers(12, 52)):
        near = [
            (r, c) for r in range(SIDE) for c in range(SIDE) if out[r, c] == "." and beside(out, r, c, "o") in {1, 2}
        ]
        if near:
            out[near[rng.integers(len(near))]] = "o"
    share = rng.uniform(0.25, 0.9)
    for r, c in np.argwhere(out == ".").tolist():
        if rng.random() < (share if beside(out, r, c, "o") else 0.25 * share):
            out[r, c] = "#"
    return out


def beside(cells: np.ndarray, r: int, c: int, what: str) -> int:
    """How many of a cell's four neighbors are `what`."""
    return sum(
        cells[a, b] == what
        for a, b in ((r - 1, c), (r + 1, c), (r, c - 1), (r, c + 1))
        if 0 <= a < SIDE and 0 <= b < SIDE
    )


def filled_page(rng: Rng, page: Page) -> Filled:
    """A sheet of this print, filled in by somebody."""
    writer, cells = Writer(rng, page, random_hand(rng)), drawn_map(rng, page.entrance)
    letter_at = {one.cell: letter for letter, one in page.letters.items()}
    free = [(r, c) for r, c in np.argwhere(cells == ".").tolist() if (r, c) not in letter_at]
    slips, shy = rng.random() < 0.45, rng.random() < 0.3
    for r, c in rng.permutation(free)[: rng.integers(1, 6)].tolist() if slips and free else []:
        writer.slip((r, c), rng.random() < 0.4)
    marks: list[tuple[np.ndarray, float]] = []
    gates: list[Cell] = []
    destinations: list[str] = []
    for r, c in rng.permutation(np.argwhere(cells != ".")).tolist():
        cell = r, c
        if cell == page.entrance:
            continue
        if cells[cell] == "#":
            writer.wall(cell)
            continue
        gate = cell in letter_at and rng.random() < 0.3
        writer.passage(cell, gate)
        if gate:
            gates.append(cell)
            marks.append((corners(page.at(c, r), page.at(c + 1, r + 1)), 93))
    for cell, letter in letter_at.items():
        if cells[cell] != "#" and cell not in gates and rng.random() < (0.35 if cells[cell] == "o" else 0.12):
            marks.append((writer.trace(letter), 90))
            destinations.append(letter)
    odd = rng.permutation(free)[-int(rng.integers(1, 4)) :].tolist() if shy and len(free) > 10 else []
    for r, c in odd:
        writer.odd((r, c))
        cells[r, c] = ODD
    ticks = {
        track: int(rng.integers(0, len(boxes) + 1)) if rng.random() < 0.85 else 0
        for track, boxes in page.tracks.items()
    }
    marks += [(writer.ticked(box), 94) for track, n in ticks.items() for box in page.tracks[track][:n]]
    numbers: list[int | None] = [None] * len(page.written)
    if rng.random() < 0.75:
        for k, box in enumerate(page.written):
            if rng.random() < 0.85:
                value = int(
                    rng.choice(
                        [rng.integers(0, 10), rng.integers(10, 100), rng.integers(100, 190), -5 * rng.integers(1, 9)],
                        p=[0.2, 0.55, 0.15, 0.1],
                    )
                )
                numbers[k] = value
                marks.append((writer.number(box, value), 94))
    return Filled(
        writer.paper.image, writer.paper.gloss, ["".join(row) for row in cells.tolist()], sorted(destinations),
        sorted(gates), ticks, numbers, writer.hand.tool.name, writer.hand.name, marks,
    )  # fmt: skip
