"""Reading photos of sheets one by one, and what a person should look at on them."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from companion.cases.pipeline import see_sheet
from companion.cli.sheet import for_people, sheet_answer
from companion.words.words import words
from vision.annotate import annotate
from vision.photo import load_photo, open_photo
from vision.sheet.flatten import SheetMap, flatten
from vision.sheet.grid import from_corners
from vision.sheet.profile import Cell, SheetProfile

CELL = 56
"""Pixels a cell of a crop."""
AROUND = 0.75
"""Cells that a crop shows around its own."""
MARKS = (".", "o", "#")
BARE_MARKS = (".", "o", "o-gate", "#")
LETTER_MARKS = (".", ".-traced", "o", "o-traced", "o-gate", "#")
"""What may stand in a cell: blank, passage, wall; traced over where it has a letter; a gate, also where letters are
not known."""


class SheetPhotos:
    """Reads photos of one profile's sheets (`companion.cli.batch.job.PhotoReader`). Raises as SheetProfile does."""

    def __init__(self, profile: str, language: str) -> None:
        self._profile, self._words = SheetProfile.load(Path(profile)), words(language)
        self._letters = {cell: letter for letter, cell in self._profile.letters.items()}

    def read(self, photo: str, data: bytes) -> tuple[dict[str, Any], list[str], Callable[[], np.ndarray]]:
        """The public JSON object, lines for people, what draws the reading over the photo. Raises PhotoError."""
        seen = see_sheet(data, self._profile)
        answer = sheet_answer(photo, seen)
        lines = [for_people(photo, answer, self._words)]
        return answer, lines, lambda: annotate(load_photo(data), seen.reading, self._profile)

    def questions(self, line: dict[str, Any], data: bytes) -> list[dict[str, Any]]:
        """The doubtful cells, each with its crop (see `PhotoReader`). Raises PhotoError."""
        cells = [(r, c) for r, c in line["doubtful"]]
        out = []
        for (r, c), crop in zip(cells, self._crops(data, np.array(line["grid"]), cells), strict=True):
            letter = self._letters.get((r, c), "")
            out.append({
                "at": [r, c],
                "place": self._words.say("cell.at", row=r + 1, col=c + 1) + (f" ({letter})" if letter else ""),
                "read": mark(line, (r, c), letter),
                "choices": LETTER_MARKS if letter else MARKS if self._letters else BARE_MARKS,
                "confidence": min(line["confidence"][r][c], 1 - line["letter_doubts"].get(letter, 0.0)),
                "crop": crop,
            })  # fmt: skip
        return out

    def _crops(self, data: bytes, grid: np.ndarray, cells: list[Cell]) -> list[np.ndarray]:
        """(h, w, 3) BGR of each cell with `AROUND` around it."""
        photo = open_photo(data)
        lattice = from_corners(photo.image, grid / photo.scale - 0.5, self._profile.rows, self._profile.cols)
        side = 1 + 2 * AROUND
        return [
            flatten(photo.image, SheetMap(lattice), CELL, box=(c - AROUND, r - AROUND, side, side)).image
            for r, c in cells
        ]


def mark(line: dict[str, Any], cell: Cell, letter: str) -> str:
    """What was read in a cell, one of `LETTER_MARKS`."""
    kind: str = line["map"][cell[0]][cell[1]]
    if list(cell) in line["gates"]:
        return "o-gate"
    return f"{kind}-traced" if letter in line["destinations"] and kind != "#" else kind


photo_reader = SheetPhotos
