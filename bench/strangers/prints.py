"""Prints of map sheets: paper, art, grid, letters, tracks and boxes in every manner, no two alike.

A page is laid out in cells around the grid: strips on its four sides hold title, tracks, boxes and goals.
"""

from __future__ import annotations

from collections.abc import Callable

import cv2
import numpy as np

from bench.strangers.press import INKS, SIDE, Page, Press, Printed, mixed
from bench.strangers.strokes import CELL, Rng, glyph, noise

LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWX"
TITLES = "LOST HALLS", "Mole & Mason", "The Sunken Stair", "UNDERWAYS", "Kobold's Map"


class Printer(Press):
    """Lays out and prints one page."""

    def layout(self) -> dict[str, tuple[str, float, float]]:
        """Each strip's side, how far it begins beyond the grid, how deep it is; and a page of that size, with paper."""
        rng = self.rng
        deep = {"gems": 1.3, "penalties": 1.3, "written": 2.0}
        deep |= {"title": rng.uniform(1.2, 2.0)} if rng.random() < 0.8 else {}
        deep |= {"goals": rng.uniform(2.5, 5.5)} if rng.random() < 0.6 else {}
        far = {side: rng.uniform(0.25, 0.9) for side in "TBLR"}
        strips: dict[str, tuple[str, float, float]] = {}
        for name in rng.permutation(list(deep)).tolist():
            side = str(rng.choice(list("TBLR"), p=[0.3, 0.3, 0.2, 0.2]))
            side = str(rng.choice(["T", "B"])) if name == "title" else side
            if name == "penalties" and rng.random() < 0.6 and "gems" in strips:
                side = strips["gems"][0]
            strips[name] = side, far[side], deep[name]
            far[side] += deep[name] + rng.uniform(0.0, 0.3)
        rim = {side: far[side] + rng.uniform(0.3, 1.0) for side in far}
        wide, high = (round((SIDE + rim[a] + rim[b]) * CELL) for a, b in ("LR", "TB"))
        image = np.empty((high, wide, 3), np.float32)
        image[:] = self.paper
        speckles = rng.random() < 0.3
        image += (noise(rng, (high, wide, 1), 3.0) - 0.5)[..., None] * (14 if speckles else 4)
        self.page = Page(image.clip(0, 255).astype(np.uint8), (round(rim["L"] * CELL), round(rim["T"] * CELL)))
        self.low, self.high = np.array([-rim["L"], -rim["T"]]), np.array([SIDE + rim["R"], SIDE + rim["B"]])
        return strips

    def strip(self, side: str, far: float, deep: float) -> tuple[Callable[[float, float], tuple[float, float]], bool]:
        """From (along, across) to (u, v) of a strip, and whether it runs upright."""
        places: dict[str, Callable[[float, float], tuple[float, float]]] = {
            "T": lambda a, c: (a, c - far - deep), "B": lambda a, c: (a, c + SIDE + far),
            "L": lambda a, c: (c - far - deep, a), "R": lambda a, c: (c + SIDE + far, a),
        }  # fmt: skip
        return places[side], side in "LR"

    def tints(self) -> None:
        """Colors of the cells."""
        kind = self.pick(none=4, chequer=2, rows=1, columns=0.7, mosaic=1, rings=1, whole=1, zones=1)
        strong = self.rng.uniform(0.25, 0.9)
        ways = self.rng.uniform(-1, 1, 2)
        patches = self.rng.random((SIDE, SIDE))
        for r in range(SIDE):
            for c in range(SIDE):
                share = {
                    "none": 0.0, "chequer": float((r + c) % 2), "rows": float(r % 2), "columns": float(c % 2),
                    "mosaic": float(patches[r, c]), "rings": max(abs(r - 5), abs(c - 5)) / 5, "whole": 1.0,
                    "zones": float(ways @ (r - 5, c - 5) > 0),
                }[kind]  # fmt: skip
                if share:
                    self.area(self.box(c, r, 1, 1), self.tint, min(0.99, strong * share))

    def grid(self) -> None:
        """Lines and a border."""
        rng = self.rng
        style = self.pick(solid=4, dashed=1.4, dotted=1.2, double=0.8, gaps=1.0, crosses=0.5)
        pale = rng.uniform(0.3, 0.6) if rng.random() < 0.4 else rng.uniform(0.6, 1.0)
        color = mixed(self.paper, self.ink if rng.random() < 0.7 else self.second, pale)
        width = rng.choice([0.012, 0.02, 0.03, 0.05], p=[0.3, 0.35, 0.25, 0.1])
        for k in range(SIDE + 1):
            if style == "gaps":
                break
            wobble = 0.012 * np.sin(np.linspace(0, 9, 45) + k) if rng.random() < 0.3 else np.zeros(45)
            along = np.linspace(0, SIDE, 45)
            ends = np.s_[:] if style == "solid" else np.s_[::44]
            if style == "crosses":
                for j in range(SIDE + 1):
                    self.line([(j - 0.13, k), (j + 0.13, k)], color, width + 0.01)
                    self.line([(j, k - 0.13), (j, k + 0.13)], color, width + 0.01)
                continue
            self.line(np.stack([along, k + wobble], 1)[ends], color, width, style)
            self.line(np.stack([k + wobble, along], 1)[ends], color, width, style)
        if style == "gaps":
            for r in range(SIDE):
                for c in range(SIDE):
                    self.outline(self.box(c + 0.05, r + 0.05, 0.9, 0.9), color, width)
        border = self.pick(none=3, single=2.5, double=1.2, rounded=1, dotted=0.6, knots=0.7, thick=1)
        off = 0.0 if border == "single" else rng.uniform(0.08, 0.22)
        frame = self.box(-off, -off, SIDE + 2 * off, SIDE + 2 * off)
        if border in {"single", "double", "thick", "dotted"}:
            self.outline(
                frame,
                self.ink,
                {"thick": 0.12}.get(border, 0.035),
                {"double": "double", "dotted": "dotted"}.get(border, "solid"),
            )
        elif border == "rounded":
            a = np.linspace(0, np.pi / 2, 8)
            low, high = 0.2, SIDE - 0.2
            middles = enumerate(((high, high), (low, high), (low, low), (high, low)))
            turns = [a + k * np.pi / 2 for k in range(4)]
            curves = [np.stack([u + 0.4 * np.cos(turns[k]), v + 0.4 * np.sin(turns[k])], 1) for k, (u, v) in middles]
            self.outline(np.vstack(curves), self.second, 0.05)
        elif border == "knots":
            for at in np.arange(-0.18, SIDE + 0.2, 0.28).tolist():
                for u, v in ((at, -0.18), (at, SIDE + 0.18), (-0.18, at), (SIDE + 0.18, at)):
                    self.outline(self.around(u, v, 0.1, 0.1, 4), self.second, 0.02)

    def letters(self) -> None:
        """Letters on cells, each anywhere in its cell."""
        rng = self.rng
        if rng.random() < 0.3:
            self.page.entrance = (int(rng.integers(3, 8)), int(rng.integers(3, 8)))
        cells = [(r, c) for r in range(SIDE) for c in range(SIDE) if (r, c) != self.page.entrance]
        size = rng.uniform(0.26, 0.6)
        wide = size * rng.uniform(0.6, 0.95)
        slant = rng.choice([0.0, 0.0, 0.2, -0.1])
        room = 0.5 - max(size, wide) / 2 - 0.08
        place = rng.uniform(-room, room, 2) if rng.random() < 0.6 else np.zeros(2)
        thick = size * rng.uniform(0.07, 0.17)
        style = self.pick(plain=4, font=2.5, hollow=1, disk=0.8, framed=0.6, tinted=1, serif=1)
        color = self.ink if rng.random() < 0.6 else self.second
        if style == "tinted":
            color = mixed(self.paper, color, 0.75)
        while sum(self.paper) - sum(color) < 210:
            color = mixed(color, INKS[0], 0.2)
        for letter, k in zip(LETTERS, rng.permutation(len(cells)).tolist()[: len(LETTERS)], strict=False):
            r, c = cells[k]
            u, v = c + 0.5 + place[0], r + 0.5 + place[1]
            if style == "disk":
                self.area(self.around(u, v, size * 0.72, size * 0.72, 40), mixed(self.paper, color, 0.75))
            elif style == "framed":
                self.outline(
                    self.box(u - size * 0.68, v - size * 0.68, size * 1.36, size * 1.36),
                    mixed(self.paper, color, 0.6),
                    0.02,
                )
            shape = [
                np.stack([u + s[:, 0] * wide - slant * s[:, 1] * size, v + s[:, 1] * size], 1) for s in glyph(letter)
            ]
            if style == "font":
                text, _ = cv2.getTextSize(letter, self.font, 1, 1)
                scale = size * CELL / text[1]
                x, y = self.page.at(u, v).tolist()
                cv2.putText(
                    self.page.image,
                    letter,
                    (round(x - text[0] * scale / 2), round(y + size * CELL / 2)),
                    self.font,
                    scale,
                    color,
                    max(1, round(thick * CELL)),
                    cv2.LINE_AA,
                )
                shape = [(s - (u, v)) * (text[0] * 0.82 / text[1] * size / wide, 1) + (u, v) for s in shape]
            else:
                inked = self.paper if style == "disk" else color
                for s in shape:
                    self.line(s, inked, thick)
                    for end in s[[0, -1]] if style == "serif" else ():
                        self.line([(end[0] - 0.12 * size, end[1]), (end[0] + 0.12 * size, end[1])], inked, thick * 0.6)
                for s in shape if style == "hollow" else ():
                    self.line(s, self.paper, thick * 0.4)
            self.page.letters[letter] = Printed((r, c), [self.page.at(*s.T) for s in shape])

    def entrance(self) -> None:
        """What stands where everybody begins."""
        color = self.ink
        r, c = self.page.entrance
        kind = self.pick(stairs=1, door=1, arrow=1, disk=1, word=0.7)
        if kind == "stairs":
            for k in range(4):
                self.area(self.box(c + 0.15 + 0.17 * k, r + 0.68 - 0.14 * k, 0.17, 0.14 * k + 0.14), color)
        elif kind == "door":
            self.area(
                np.vstack(
                    [
                        self.around(c + 0.5, r + 0.4, 0.25, 0.25, 30, np.pi)[:16],
                        [(c + 0.75, r + 0.85), (c + 0.25, r + 0.85)],
                    ]
                ),
                self.second,
            )
        elif kind == "arrow":
            self.area([(c + 0.5, r + 0.15), (c + 0.82, r + 0.55), (c + 0.18, r + 0.55)], color)
            self.area(self.box(c + 0.4, r + 0.5, 0.2, 0.35), color)
        elif kind == "disk":
            self.area(self.around(c + 0.5, r + 0.5, 0.36, 0.36, 40), self.second, 0.7)
        else:
            self.words("IN", c + 0.2, r + 0.65, 0.32, color)

    def track(self, name: str, side: str, far: float, deep: float) -> None:
        """Boxes to tick, of any shape, along one side, in one row or two."""
        rng, (place, upright) = self.rng, self.strip(side, far, deep)
        count, rows = int(rng.integers(6, 13)), 2 if rng.random() < 0.15 else 1
        per = -(-count // rows)
        big = 0.42 if rows == 2 else rng.uniform(0.5, 0.78)
        pitch = min(big + rng.uniform(0.08, 0.35), (SIDE - 1.5) / per)
        big = min(big, pitch - 0.06)
        start = (
            rng.uniform(1.2, max(1.2, SIDE - 0.1 - per * pitch))
            if not upright
            else rng.uniform(0.6, max(0.6, SIDE - 0.1 - per * pitch))
        )
        shape = self.pick(box=3, circle=1.5, hexagon=1, diamond=0.8, drop=0.6, shield=0.6)
        color = self.ink if rng.random() < 0.6 else self.second
        fill = mixed(self.paper, color, rng.uniform(0.08, 0.3)) if rng.random() < 0.35 else None
        inside = self.pick(none=3, number=1.2, icon=0.8)
        if rng.random() < 0.2:
            self.line(
                [place(start + big / 2, 0.45 + big / 2), place(start + big / 2 + pitch * (per - 1), 0.45 + big / 2)],
                color,
                0.03,
            )
        boxes = []
        for k in range(count):
            along, across = start + pitch * (k % per), 0.42 + (k // per) * 0.46
            u, v = place(along, across)
            middle = u + big / 2, v + big / 2
            r = big / 2
            belly = self.around(middle[0], v + 1.24 * r, 0.76 * r, 0.76 * r, 24, -0.6)[:20]
            points = {
                "box": self.box(u, v, big, big), "circle": self.around(*middle, r, r, 40),
                "hexagon": self.around(*middle, r, r, 6), "diamond": self.around(*middle, r, r, 4),
                "drop": np.vstack([[(middle[0], v)], belly]),
                "shield": np.array([(0, 0), (1, 0), (1, 0.55), (0.5, 1), (0, 0.55)]) * big + np.array([u, v]),
            }[shape]  # fmt: skip
            self.area(points, fill or self.paper)
            pale = mixed(fill or self.paper, color, 0.35)
            if inside == "number":
                self.words(
                    str(k + 1),
                    middle[0] - 0.12 * big * len(str(k + 1)) * 1.6,
                    middle[1] + 0.2 * big,
                    0.36 * big,
                    pale,
                    0.09,
                )
            elif inside == "icon":
                self.area(self.around(*middle, 0.22 * big, 0.22 * big, 5, k * 0.0), pale)
            self.outline(points, color, 0.025)
            low, high = points.min(0), points.max(0)
            boxes.append((float(low[0]), float(low[1]), float(high[0] - low[0]), float(high[1] - low[1])))
        self.page.tracks[name] = boxes
        self.words(
            {"gems": "GEMS", "penalties": "TRAPS"}[name] if rng.random() < 0.6 else name[:4],
            *place(start, 0.32) if not upright else place(start - 0.12, 0.1),
            0.22,
            color,
        )

    def numbers(self, side: str, far: float, deep: float) -> None:
        """Boxes for sums, some with art or an icon within."""
        rng, (place, upright) = self.rng, self.strip(side, far, deep)
        count = int(rng.integers(5, 8))
        wide, high = rng.uniform(1.0, 1.35), rng.uniform(0.75, 1.05)
        pitch = (high if upright else wide) + rng.uniform(0.08, 0.3)
        start = rng.uniform(0.1, max(0.1, SIDE - 0.1 - count * pitch))
        color, art = self.ink if rng.random() < 0.6 else self.second, self.pick(none=3, wash=1, icon=1.2, picture=0.8)
        label = ("I", "II", "gem", "goal", "all", "out", "SUM")
        for k in range(count):
            u, v = place(start + k * pitch, 0.5 if not upright else 0.3)
            low, size = np.array([u, v]), np.array([wide, high])
            self.area(self.box(u, v, wide, high), self.tint if art == "wash" else self.paper, 0.9)
            if art == "picture":
                for _ in range(5):
                    at = rng.uniform(low + 0.2, low + size - 0.2)
                    self.area(self.around(at[0], at[1], 0.16, 0.12, int(rng.integers(3, 9))), self.second, 0.12)
            elif art == "icon":
                self.area(
                    self.around(u + 0.16, v + 0.16, 0.1, 0.1, int(rng.integers(3, 9))),
                    mixed(self.paper, self.second, 0.5),
                )
            self.outline(self.box(u, v, wide, high), color, 0.03, self.pick(solid=4, dashed=0.6) if k == 0 else "solid")
            if not upright:
                self.words(label[k], u + 0.1, v - 0.12, 0.2, color)
            self.page.written.append((float(u), float(v), float(wide), float(high)))

    def goals(self, side: str, far: float, deep: float) -> None:
        """Small pictures of goals: shapes of cells, and lines of small words."""
        rng, (place, _) = self.rng, self.strip(side, far, deep)
        for along in np.arange(0.2, SIDE - 1.0, rng.uniform(1.1, 2.0)):
            for across in np.arange(0.3, deep - 0.7, 1.1):
                u, v = place(float(along), float(across))
                for k in range(rng.integers(2, 6)):
                    at = self.box(u + 0.18 * (k % 3), v + 0.18 * (k // 3), 0.18, 0.18)
                    if rng.random() < 0.5:
                        self.area(at, self.second)
                    self.outline(at, self.ink, 0.02)
                self.words(str(rng.integers(2, 15)), u + 0.1, v + 0.65, 0.16, self.ink)

    def print(self) -> Page:
        """The whole page."""
        rng = self.rng
        strips = self.layout()
        if rng.random() < 0.45:
            self.art(self.low, self.high, rng.uniform(0.06, 0.2), self.second)
        if rng.random() < 0.4:
            self.art(np.zeros(2), np.full(2, float(SIDE)), rng.uniform(0.05, 0.16), self.second)
        self.tints()
        self.grid()
        self.letters()
        self.entrance()
        for name in ("gems", "penalties"):
            self.track(name, *strips[name])
        self.numbers(*strips["written"])
        if "goals" in strips:
            self.goals(*strips["goals"])
        if "title" in strips:
            place, _ = self.strip(*strips["title"])
            self.words(
                str(rng.choice(TITLES)),
                *place(rng.uniform(0, 4), 0.85),
                rng.uniform(0.4, 0.65),
                self.ink,
            )
        if rng.random() < 0.4:
            for off in (0.15, 0.3)[: rng.integers(1, 3)]:
                self.outline(self.box(*(self.low + off), *(self.high - self.low - 2 * off)), self.second, 0.03)
        return self.page


def random_page(rng: Rng) -> Page:
    """A print that nobody has drawn before."""
    return Printer(rng).print()
