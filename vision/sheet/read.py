"""Reading a photographed sheet: find the grid, turn it up, flatten it, judge cells and ticks."""

from __future__ import annotations

import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager

import cv2
import numpy as np

from vision.errors import PhotoError
from vision.sheet import cells
from vision.sheet.blank import blank_looks
from vision.sheet.flatten import SheetMap, flatten
from vision.sheet.goals import GATE, Letters, look_at, with_letters
from vision.sheet.grid import from_corners
from vision.sheet.profile import Cell, SheetProfile
from vision.sheet.reading import SheetReading
from vision.sheet.refusal import check_readable, find_readable
from vision.sheet.ticks import judge_ticks
from vision.sheet.traces import SIDE, Traces, letter_pictures, take_light_off
from vision.sheet.upright import upright

MARGIN = 1.0
"""Cells shown around the grid."""
TICKED, HIDDEN = 0.5, 0.5
NO_PICTURES = np.zeros((0, SIDE, SIDE, 3), np.uint8)

BESIDE = ThreadPoolExecutor(2, "ticks")
"""Judges the tracks beside the cells: OpenCV leaves the interpreter free, and most machines have two cores."""


def read_sheet(image: np.ndarray, profile: SheetProfile, grid: np.ndarray | None = None) -> SheetReading:
    """Read the marks on a sheet.

    Args:
        image: (H, W, 3) BGR photo.
        profile: what is known of the sheet.
        grid: (4, 2) the grid's corners in the photo as a person gave them: the sheet's own top left,
            top right, bottom right, bottom left. Then nothing is searched, the corners are only refined.

    Raises PhotoError where nothing can be read.
    """
    seconds: dict[str, float] = {}
    with _timed("grid", seconds):
        gray = cv2.cvtColor(image, cv2.COLOR_BGR2GRAY)
        if grid is None:
            lattice = find_readable(gray, profile.rows, profile.cols)
        else:
            lattice = from_corners(gray, grid, profile.rows, profile.cols)
            check_readable(lattice, image.shape)
    with _timed("upright", seconds):
        if grid is None:
            lattice, evidence = upright(gray, lattice, profile)
            if evidence.other(profile):
                raise PhotoError("sheet.other", name=profile.name)
    sheet_map = SheetMap(lattice)
    beside = BESIDE.submit(_ticked, gray, sheet_map, profile, seconds)
    with _timed("flatten", seconds):
        flat = flatten(image, sheet_map, cells.CELL, MARGIN)
    with _timed("cells", seconds):
        marks = cells.judge_cells(flat.image, flat.cell, flat.origin, profile)
    with _timed("letters", seconds):
        letters = _letters(image, sheet_map, profile, marks)
    ticked = beside.result()
    doubtful = tuple((int(r), int(c)) for r, c in np.argwhere(marks.doubtful))
    reading = SheetReading(
        lattice=lattice,
        map=marks.map,
        confidence=marks.confidence,
        doubtful=doubtful,
        destinations=(),
        gates=() if profile.letters else _bare_gates(marks),
        ticks={track: sum(p >= TICKED for p in boxes) for track, boxes in ticked.items()},
        ticked=ticked,
        flat=flat.image,
        flat_cell=flat.cell,
        flat_origin=flat.origin,
        seconds=seconds,
        doubtful_cells=doubtful,
    )
    return with_letters(reading, letters) if letters else reading


def _letters(
    image: np.ndarray, sheet_map: SheetMap, profile: SheetProfile, marks: cells.CellReadings
) -> Letters | None:
    """The letters that can be seen, judged; None where the profile knows none."""
    if not profile.letters:
        return None
    shown = {
        letter: (r, c)
        for letter, (r, c) in sorted(profile.letters.items())
        if marks.map[r][c] != "#" and marks.hidden[r, c] < HIDDEN
    }
    at = tuple(np.array(list(shown.values()), int).reshape(-1, 2).T)
    passage = np.array([list(row) for row in marks.map])[at] == "o"
    pictures = take_light_off(letter_pictures(image, sheet_map, list(shown.values()))) if shown else NO_PICTURES
    return look_at(shown, pictures, passage, Traces(marks.traced[at], marks.gate[at]), blank_looks(profile))


def _bare_gates(marks: cells.CellReadings) -> tuple[Cell, ...]:
    """The gates of a sheet whose letters nobody knows: any passage may be one."""
    passage = np.array([list(row) for row in marks.map]) == "o"
    return tuple((int(r), int(c)) for r, c in np.argwhere(passage & (marks.gate >= GATE)))


def _ticked(
    gray: np.ndarray, sheet_map: SheetMap, profile: SheetProfile, seconds: dict[str, float]
) -> dict[str, tuple[float, ...]]:
    with _timed("ticks", seconds):
        return judge_ticks(gray, sheet_map, profile)


@contextmanager
def _timed(stage: str, seconds: dict[str, float]) -> Iterator[None]:
    start = time.perf_counter()
    yield
    seconds[stage] = time.perf_counter() - start
