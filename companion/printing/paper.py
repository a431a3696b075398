"""A sheet of paper: its frame with title, scale, ruler, code and page number, in mm from its top left corner."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Final

import cv2
import numpy as np
from reportlab.lib.units import mm
from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.cidfonts import UnicodeCIDFont
from reportlab.pdfgen.canvas import Canvas

from companion.games.markers import DICTIONARY
from companion.words.words import Words

Size = tuple[float, float]
PAPERS: Final[Mapping[str, Size]] = {
    "A4": (210.0, 297.0),
    "A3": (297.0, 420.0),
    "Letter": (215.9, 279.4),
}
"""Width and height upright, in mm."""

EDGE: Final = 7.0
"""Blank at every edge: home printers reach no farther."""
HEAD: Final = 7.0
FOOT: Final = 13.0
"""Height of the lines above and below a sheet's content, in mm."""
RULER_MM: Final = 100.0
INCH: Final = 25.4
ADVICE: Final = 11.0
"""Height of the lines that say where prints go, in mm: see `Pen.advice`."""
PALE: Final = 0.82
"""Gray of everything on a mat that is no marker: to be seen by people, not to be taken for a tile."""

UNBROKEN: Final = re.compile(r"(?:[!-~“”·–×]+ *|[^!-~“”·–×])[、。）：」・]*")
"""What stays on one line: a word of letters, or a character of a script without spaces; no line starts with a stop."""

FONTS: Final = {"en": "Helvetica", "ja": "HeiseiKakuGo-W5"}


@dataclass(frozen=True)
class Sheet:
    """One page: what stands in its frame. `area` is left, top, width, height of what is left for its content, in mm."""

    paper: str
    landscape: bool
    title: str
    code: str

    @property
    def size(self) -> tuple[float, float]:
        """Width and height in mm."""
        width, height = PAPERS[self.paper]
        return (height, width) if self.landscape else (width, height)

    @property
    def area(self) -> tuple[float, float, float, float]:
        width, height = self.size
        return EDGE, EDGE + HEAD, width - 2 * EDGE, height - 2 * EDGE - HEAD - FOOT


@dataclass(frozen=True)
class Page:
    """A sheet and what is drawn on it."""

    sheet: Sheet
    draw: Callable[[Pen, Sheet], None]


class Pen:
    """Draws on one page: lengths in mm, x to the right, y down, from the page's top left corner."""

    def __init__(self, canvas: Canvas, size: tuple[float, float], language: str) -> None:
        self._canvas, self._height, self._font = canvas, size[1], FONTS.get(language, FONTS["en"])

    def text(self, x: float, y: float, words: str, size: float = 3.2, align: str = "left", gray: float = 0.0) -> None:
        """A line of text, `size` mm high, standing on y."""
        self._canvas.setFillGray(gray)
        self._canvas.setFont(self._font, size * mm)
        put = {"left": "drawString", "center": "drawCentredString", "right": "drawRightString"}[align]
        getattr(self._canvas, put)(x * mm, self._up(y), words)

    def width(self, words: str, size: float) -> float:
        """How wide a line of text is, in mm."""
        return float(pdfmetrics.stringWidth(words, self._font, size * mm) / mm)

    def wrap(self, words: str, size: float, most: float) -> list[str]:
        """Broken into lines of at most `most` mm: between words, or after any character of a script without spaces."""
        lines = [""]
        for piece in UNBROKEN.findall(words):
            if lines[-1] and self.width((lines[-1] + piece).rstrip(), size) > most:
                lines.append(piece)
            else:
                lines[-1] += piece
        return [line.rstrip() for line in lines]

    def advice(self, sheet: Sheet, words: str) -> None:
        """What to do with the prints: at most three lines on top of a sheet's content."""
        left, top, width, _ = sheet.area
        for i, line in enumerate(self.wrap(words, 2.8, width)[:3]):
            self.text(left, top + 3 + 3.6 * i, line, 2.8, gray=0.25)

    def line(self, *points: tuple[float, float], gray: float = 0.0, width: float = 0.2, dash: bool = False) -> None:
        """A line through these points."""
        self._canvas.setStrokeGray(gray)
        self._canvas.setLineWidth(width * mm)
        self._canvas.setDash(*((1.2 * mm, 1.2 * mm) if dash else ()))
        path = self._canvas.beginPath()
        for i, (x, y) in enumerate(points):
            (path.lineTo if i else path.moveTo)(x * mm, self._up(y))
        self._canvas.drawPath(path)

    def box(self, x: float, y: float, width: float, height: float, gray: float = PALE, dash: bool = False) -> None:
        """The outline of a rectangle."""
        self.line((x, y), (x + width, y), (x + width, y + height), (x, y + height), (x, y), gray=gray, dash=dash)

    def fill(self, loops: Sequence[Sequence[tuple[float, float]]], gray: float = 0.0) -> None:
        """Closed outlines, filled where an odd number of them lies around."""
        path = self._canvas.beginPath()
        for loop in loops:
            for i, (x, y) in enumerate(loop):
                (path.lineTo if i else path.moveTo)(x * mm, self._up(y))
            path.close()
        self._canvas.setFillGray(gray)
        self._canvas.drawPath(path, stroke=0, fill=1, fillMode=0)

    def marker(self, x: float, y: float, side: float, number: int, dictionary: str = DICTIONARY) -> None:
        """A marker's black square with its top left corner at x, y. One outline, so that no seam shows inside."""
        bits = modules(number, dictionary)
        unit = side / len(bits)
        self.fill([[(x + u * unit, y + v * unit) for u, v in loop] for loop in outlines(bits)])

    def _up(self, y: float) -> float:
        return float((self._height - y) * mm)


@cache
def modules(number: int, dictionary: str = DICTIONARY) -> np.ndarray:
    """A marker's modules, (n, n) bool, True where black, its border included."""
    table = cv2.aruco.getPredefinedDictionary(getattr(cv2.aruco, dictionary))
    return cv2.aruco.generateImageMarker(table, number, table.markerSize + 2) < 128


def outlines(bits: np.ndarray) -> list[list[tuple[int, int]]]:
    """The closed borders between black and white, as corners (x, y) in modules; holes are loops of their own."""
    padded = np.pad(bits, 1)
    steps: dict[tuple[int, int], list[tuple[int, int]]] = {}
    for y, x in np.argwhere(padded):
        # Around each black module clockwise; sides between two black ones are left out.
        for (a, b), neighbor in zip(
            (((0, 0), (1, 0)), ((1, 0), (1, 1)), ((1, 1), (0, 1)), ((0, 1), (0, 0))),
            ((y - 1, x), (y, x + 1), (y + 1, x), (y, x - 1)), strict=True,
        ):  # fmt: skip
            if not padded[neighbor]:
                start = (int(x) - 1 + a[0], int(y) - 1 + a[1])
                steps.setdefault(start, []).append((int(x) - 1 + b[0], int(y) - 1 + b[1]))
    loops = []
    while steps:
        start = at = next(iter(steps))
        loop = []
        while True:
            loop.append(at)
            ways = steps[at]
            following = ways.pop()
            if not ways:
                del steps[at]
            at = following
            if at == start:
                break
        loops.append(loop)
    return loops


def code(*parts: object) -> str:
    """A short code of what a print was made from: prints with the same code are alike."""
    return hashlib.sha256(repr(parts).encode()).hexdigest()[:6]


def frame(pen: Pen, sheet: Sheet, page: int, pages: int, words: Words) -> None:
    """Title and code above; below, the ruler with what it is for, the scale and the page's number."""
    width, height = sheet.size
    pen.text(EDGE, EDGE + 4, sheet.title, 4)
    pen.text(width - EDGE, EDGE + 4, sheet.code, 2.6, "right", 0.35)
    y = height - EDGE - FOOT + 3
    _ruler(pen, EDGE, y + 3.2)
    left = EDGE + 4 * INCH + 6
    room = width - EDGE - left
    for i, line in enumerate(pen.wrap(words.say("frame.check"), 2.5, room)[:3]):
        pen.text(left, y + 1.6 + 3.3 * i, line, 2.5, gray=0.25)
    pen.text(width - EDGE, height - EDGE, words.say("frame.page", page=page, pages=pages), 2.6, "right", 0.25)
    pen.text(EDGE, height - EDGE, words.say("frame.scale"), 2.6, gray=0.25)


def _ruler(pen: Pen, x: float, y: float) -> None:
    """100 mm above the line, 4 inches below it."""
    pen.line((x, y), (x + 4 * INCH, y), width=0.15)
    for i in range(int(RULER_MM) + 1):
        pen.line((x + i, y), (x + i, y - (3 if i % 10 == 0 else 2 if i % 5 == 0 else 1.2)), width=0.12)
    for i in range(4 * 8 + 1):
        at = x + i * INCH / 8
        pen.line((at, y), (at, y + (3 if i % 8 == 0 else 1.6 if i % 4 == 0 else 1)), width=0.12)
    for i in range(0, int(RULER_MM), 50):
        pen.text(x + i + 0.4, y - 2.1, f"{i}", 1.9)
    pen.text(x + RULER_MM - 0.4, y - 2.1, "100 mm", 1.9, "right")
    for i in range(1, 4):
        pen.text(x + i * INCH + 0.4, y + 3, f"{i}", 1.9)
    pen.text(x + 4 * INCH - 0.4, y + 3, "4 in", 1.9, "right")


def use_fonts() -> None:
    """Make the fonts known to the PDF's writer. The Japanese one is every viewer's own: nothing is embedded."""
    for name in FONTS.values():
        if name.startswith("Heisei") and name not in pdfmetrics.getRegisteredFontNames():
            pdfmetrics.registerFont(UnicodeCIDFont(name))
