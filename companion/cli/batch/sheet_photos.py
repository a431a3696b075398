"""Reading photos of sheets one by one, and what a person should look at on them."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from companion.cli.seen import photo_answer, photo_lines
from companion.reading.pipeline import SeenSheet, see_all
from companion.words.words import words
from vision.annotate import annotate
from vision.photo import Photo, load_photo, open_photo
from vision.sheet.decisions import TICK_UNSURE
from vision.sheet.flatten import SheetMap, flatten
from vision.sheet.grid import from_corners
from vision.sheet.page import known_page, settled
from vision.sheet.profile import Box, Cell, SheetProfile

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
        sheets = see_all(data, self._profile)
        answer = photo_answer(photo, sheets, self._profile, self._words)
        lines = photo_lines(photo, answer, self._words)
        readings = [one.reading for one in sheets if isinstance(one, SeenSheet)]
        return answer, lines, lambda: annotate(load_photo(data), readings, self._profile)

    def questions(self, line: dict[str, Any], data: bytes) -> list[dict[str, Any]]:
        """The doubtful cells, counts and written numbers, each with its crop (see `PhotoReader`), of every sheet of the
        photo: where it shows several, `sheet` is the number of each from 1. Raises PhotoError."""
        photo, sheets = open_photo(data), sheets_of(line)
        if len(sheets) == 1:
            return self._asked(line, photo)
        return [
            {**asked, "sheet": n, "place": self._words.say("sheet.nth", file=asked["place"], n=n)}
            for n, sheet in enumerate(sheets, 1)
            if "error" not in sheet
            for asked in self._asked(sheet, photo)
        ]

    def _asked(self, sheet: dict[str, Any], photo: Photo) -> list[dict[str, Any]]:
        """What one sheet's public JSON object leaves open."""
        grid = np.array(sheet["grid"]) / photo.scale - 0.5
        sheet_map = SheetMap(from_corners(photo.image, grid, self._profile.rows, self._profile.cols))

        def asked(at: list[Any], place: str, read: Any, confidence: float, box: Box, **more: Any) -> dict[str, Any]:
            crop = flatten(photo.image, sheet_map, CELL, box=box).image
            return {"at": at, "place": place, "read": read, **more, "confidence": confidence, "crop": crop}

        side, out = 1 + 2 * AROUND, []
        for r, c in sheet["doubtful"]:
            letter = self._letters.get((r, c), "")
            place = self._words.say("cell.at", row=r + 1, col=c + 1) + (f" ({letter})" if letter else "")
            choices = LETTER_MARKS if letter else MARKS if self._letters else BARE_MARKS
            sure = min(sheet["confidence"][r][c], 1 - sheet["letter_doubts"].get(letter, 0.0))
            box = (c - AROUND, r - AROUND, side, side)
            out.append(asked([r, c], place, mark(sheet, (r, c), letter), sure, box, choices=choices))
        counts, numbers = doubtful_counts(sheet), doubtful_numbers(sheet)
        page, gray = known_page(self._profile) if counts or numbers else None, photo.image.mean(2).astype(np.uint8)
        profile = settled(gray, sheet_map, page, self._profile)[0] if page else self._profile
        for track in counts:
            place, sure = self._words.term(f"js.ticks.{track}"), 1 - sheet["tick_doubts"][track]
            out.append(asked(["ticks", track], place, sheet["ticks"][track], sure, around(profile.tracks[track])))
        for k in numbers:
            place, read = self._words.say("report.number", n=k + 1), sheet["written"][k]
            box = around(profile.written[k : k + 1])
            out.append(asked(["written", k], place, read["number"], read["confidence"], box))
        return out


def sheets_of(line: dict[str, Any]) -> list[dict[str, Any]]:
    """The public JSON object of each sheet of a photo's; the photo's own where it shows one."""
    sheets: list[dict[str, Any]] = line.get("sheets", [line])
    return sheets


def doubtful_counts(line: dict[str, Any]) -> list[str]:
    """The tracks of a public JSON object whose ticks a person should count."""
    return [track for track, doubt in line.get("tick_doubts", {}).items() if doubt >= TICK_UNSURE]


def doubtful_numbers(line: dict[str, Any]) -> list[int]:
    """Which of its written numbers a person should read."""
    return [k for k, number in enumerate(line.get("written", ())) if number["doubtful"]]


def around(boxes: Sequence[Box]) -> tuple[float, float, float, float]:
    """Left, top, width and height of what a crop of these boxes shows, in cells."""
    at = np.asarray(boxes)
    edge = 0.5 * at[:, 3].max()
    (left, top), (right, bottom) = at[:, :2].min(0) - edge, (at[:, :2] + at[:, 2:]).max(0) + edge
    return left, top, right - left, bottom - top


def mark(line: dict[str, Any], cell: Cell, letter: str) -> str:
    """What was read in a cell, one of `LETTER_MARKS`."""
    kind: str = line["map"][cell[0]][cell[1]]
    if list(cell) in line["gates"]:
        return "o-gate"
    return f"{kind}-traced" if letter in line["destinations"] and kind != "#" else kind


photo_reader = SheetPhotos
