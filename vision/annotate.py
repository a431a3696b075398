"""Draw a sheet's reading over its photo, for checking by eye."""

from collections.abc import Iterable, Sequence

import cv2
import numpy as np

from vision.sheet.flatten import SheetMap
from vision.sheet.profile import Box, SheetProfile
from vision.sheet.reading import SheetReading

GRID, PASSAGE, WALL, DOUBT, TICK = (200, 120, 0), (40, 160, 40), (60, 60, 220), (0, 165, 255), (200, 40, 160)
"""BGR."""
PAPER = (255, 255, 255)
"""BGR: what lies around words, so that they can be read over print and pencil."""

FONT = cv2.FONT_HERSHEY_SIMPLEX
CAPITAL = 22
"""Pixels that the font's capitals stand high at size 1."""
LEAST = 9
"""Pixels that capitals stand high at least."""


def annotate(image: np.ndarray, readings: SheetReading | Sequence[SheetReading], profile: SheetProfile) -> np.ndarray:
    """A copy of the photo, (H, W, 3) BGR, with each sheet's grid, passages, walls, doubtful cells, gates, letters and
    ticks."""
    for reading in [readings] if isinstance(readings, SheetReading) else readings:
        image = _annotated(image, reading, profile)
    return image


def _annotated(image: np.ndarray, reading: SheetReading, profile: SheetProfile) -> np.ndarray:
    pen = _Pen(image, reading.lattice)
    pen.grid()
    doubtful = set(reading.doubtful)
    for row in range(profile.rows):
        for col in range(profile.cols):
            kind = reading.map[row][col]
            if kind == "o":
                pen.ring(row, col, 0.3, PASSAGE)
            elif kind == "#":
                pen.cross(row, col, WALL)
            if (row, col) in reading.gates:
                pen.ring(row, col, 0.42, PASSAGE)
            if (row, col) in doubtful:
                pen.doubt(row, col)
    for letter in reading.destinations:
        pen.letter(letter, *profile.letters[letter])
    for track, boxes in profile.tracks.items():
        for box, p in zip(boxes, reading.ticked.get(track, ()), strict=False):
            pen.box(box, TICK if p >= 0.5 else GRID)
    return pen.image


def annotate_blank(
    image: np.ndarray, lattice: np.ndarray, profile: SheetProfile, doubtful: Iterable[str] = ()
) -> np.ndarray:
    """A copy of a blank sheet's photo, (H, W, 3) BGR, with what its profile says of it.

    Grid, entrance, each letter in the corner of its cell, the tracks by name with their boxes counted; the cells of
    `doubtful` letters are marked. `lattice` is (rows + 1, cols + 1, 2), photo pixels.
    """
    pen = _Pen(image, lattice)
    pen.grid()
    if profile.entrance:
        pen.ring(*profile.entrance, 0.42, PASSAGE)
    for letter in doubtful:
        pen.doubt(*profile.letters[letter])
    for letter, cell in profile.letters.items():
        pen.letter(letter, *cell)
    for (track, boxes), color in zip(profile.tracks.items(), (TICK, WALL), strict=False):
        for number, (x, y, w, h) in enumerate(boxes, 1):
            pen.box((x, y, w, h), color)
            pen.words(str(number), x + w / 2, y + h / 2, 0.45 * h, color)
        if boxes:
            middle = float(np.mean([x + w / 2 for x, _, w, _ in boxes]))
            pen.words(track, middle, max(y + h for _, y, _, h in boxes) + 0.3, 0.25, color)
    return pen.image


class _Pen:
    """Draws on a copy of a photo, `image`, in the sheet's own units: `u` to the right, `v` down, a cell is 1 × 1."""

    def __init__(self, image: np.ndarray, lattice: np.ndarray) -> None:
        self.image = image.copy()
        self.map = SheetMap(lattice)
        self.thick = max(1, round(self.map.cell_pixels / 24))

    def curve(self, u: np.ndarray, v: np.ndarray, color: tuple[int, int, int], width: int) -> None:
        points = np.round(self.map(u, v) * 8).astype(np.int32)
        cv2.polylines(self.image, [points], False, color, width, cv2.LINE_AA, 3)

    def grid(self) -> None:
        rows, cols = self.map.rows, self.map.cols
        for k in range(rows + 1):
            self.curve(np.linspace(0, cols, 60), np.full(60, float(k)), GRID, max(1, self.thick // 2))
        for k in range(cols + 1):
            self.curve(np.full(60, float(k)), np.linspace(0, rows, 60), GRID, max(1, self.thick // 2))

    def ring(self, row: int, col: int, radius: float, color: tuple[int, int, int]) -> None:
        turn = np.linspace(0, 2 * np.pi, 25)
        self.curve(col + 0.5 + radius * np.cos(turn), row + 0.5 + radius * np.sin(turn), color, self.thick)

    def cross(self, row: int, col: int, color: tuple[int, int, int]) -> None:
        there, back = np.array([0.2, 0.8]), np.array([0.8, 0.2])
        self.curve(col + there, row + there, color, self.thick)
        self.curve(col + back, row + there, color, self.thick)

    def doubt(self, row: int, col: int) -> None:
        self.box((col + 0.1, row + 0.1, 0.8, 0.8), DOUBT, 2 * self.thick)

    def box(self, box: Box, color: tuple[int, int, int], width: int | None = None) -> None:
        x, y, w, h = box
        self.curve(np.array([x, x + w, x + w, x, x]), np.array([y, y, y + h, y + h, y]), color, width or self.thick)

    def letter(self, letter: str, row: int, col: int) -> None:
        self.words(letter, col + 0.78, row + 0.75, 0.3, TICK)

    def words(self, text: str, u: float, v: float, height: float, color: tuple[int, int, int]) -> None:
        """Words around a point, upright as the photo is; capitals are `height` cells high, if that can be read."""
        size = max(height * self.map.cell_pixels, LEAST) / CAPITAL
        thick, rim = max(1, round(4 * size)), max(1, round(2 * size))
        width = cv2.getTextSize(text, FONT, size, thick)[0][0]
        x, y = self.map(np.array(u), np.array(v))
        x, y = round(float(x) - width / 2), round(float(y) + CAPITAL * size / 2)
        around = [(x + dx, y + dy) for dx in (-rim, 0, rim) for dy in (-rim, 0, rim)]
        for place, ink in (*((place, PAPER) for place in around), ((x, y), color)):
            cv2.putText(self.image, text, place, FONT, size, ink, thick, cv2.LINE_AA)
