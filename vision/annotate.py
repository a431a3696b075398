"""What was read, drawn over the photo: for a person who wants to see with the program's eyes."""

from __future__ import annotations

import cv2
import numpy as np

from vision.sheet.flatten import SheetMap
from vision.sheet.profile import SheetProfile
from vision.sheet.reading import SheetReading

GRID, PASSAGE, WALL, DOUBT, TICK = (200, 120, 0), (40, 160, 40), (60, 60, 220), (0, 165, 255), (200, 40, 160)
"""BGR."""


def annotate(image: np.ndarray, reading: SheetReading, profile: SheetProfile) -> np.ndarray:
    """A copy of the photo, (H, W, 3) BGR, with grid, passages, walls, doubtful cells, gates, letters and ticks."""
    out = image.copy()
    sheet_map = SheetMap(reading.lattice)
    thick = max(1, round(sheet_map.cell_pixels / 24))

    def curve(u: np.ndarray, v: np.ndarray, color: tuple[int, int, int], width: int = thick) -> None:
        cv2.polylines(out, [np.round(sheet_map(u, v) * 8).astype(np.int32)], False, color, width, cv2.LINE_AA, 3)

    for k in range(profile.rows + 1):
        curve(np.linspace(0, profile.cols, 60), np.full(60, float(k)), GRID, max(1, thick // 2))
    for k in range(profile.cols + 1):
        curve(np.full(60, float(k)), np.linspace(0, profile.rows, 60), GRID, max(1, thick // 2))
    turn = np.linspace(0, 2 * np.pi, 25)
    square = np.array([[0.1, 0.1], [0.9, 0.1], [0.9, 0.9], [0.1, 0.9], [0.1, 0.1]])
    doubtful = set(reading.doubtful)
    for row in range(profile.rows):
        for col in range(profile.cols):
            kind = reading.map[row][col]
            if kind == "o":
                curve(col + 0.5 + 0.3 * np.cos(turn), row + 0.5 + 0.3 * np.sin(turn), PASSAGE)
            elif kind == "#":
                curve(col + np.array([0.2, 0.8]), row + np.array([0.2, 0.8]), WALL)
                curve(col + np.array([0.8, 0.2]), row + np.array([0.2, 0.8]), WALL)
            if (row, col) in reading.gates:
                curve(col + 0.5 + 0.42 * np.cos(turn), row + 0.5 + 0.42 * np.sin(turn), PASSAGE)
            if (row, col) in doubtful:
                curve(col + square[:, 0], row + square[:, 1], DOUBT, 2 * thick)
    for letter in reading.destinations:
        row, col = profile.letters[letter]
        x, y = sheet_map(np.array(col + 0.62), np.array(row + 0.95))
        cv2.putText(
            out,
            letter,
            (int(x), int(y)),
            cv2.FONT_HERSHEY_SIMPLEX,
            sheet_map.cell_pixels / 60,
            TICK,
            thick,
            cv2.LINE_AA,
        )
    for track, boxes in profile.tracks.items():
        for (x, y, w, h), p in zip(boxes, reading.ticked.get(track, ()), strict=False):
            color = TICK if p >= 0.5 else GRID
            curve(np.array([x, x + w, x + w, x, x]), np.array([y, y, y + h, y + h, y]), color)
    return out
