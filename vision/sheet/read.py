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
from vision.sheet.flatten import SheetMap, flatten
from vision.sheet.grid import from_corners
from vision.sheet.profile import Cell, SheetProfile
from vision.sheet.reading import SheetReading
from vision.sheet.refusal import check_readable, find_readable
from vision.sheet.ticks import judge_ticks
from vision.sheet.traces import judge_letters
from vision.sheet.upright import upright

MARGIN = 1.0
"""Cells shown around the grid."""
TRACED, GATE, TICKED, HIDDEN = 0.5, 0.5, 0.5, 0.5
UNSURE = 0.1
"""A letter whose chance to be traced, or a gate, lies so near to one half makes its cell doubtful."""
LEAST = 1e-4
"""No judge is surer than that."""

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
        destinations, gates, unsure = _goals(image, sheet_map, profile, marks)
    ticked = beside.result()
    return SheetReading(
        lattice=lattice,
        map=marks.map,
        confidence=marks.confidence,
        doubtful=tuple(sorted({(int(r), int(c)) for r, c in np.argwhere(marks.doubtful)}.union(unsure))),
        destinations=destinations,
        gates=gates,
        ticks={track: sum(p >= TICKED for p in boxes) for track, boxes in ticked.items()},
        ticked=ticked,
        flat=flat.image,
        flat_cell=flat.cell,
        flat_origin=flat.origin,
        seconds=seconds,
    )


def _goals(
    image: np.ndarray, sheet_map: SheetMap, profile: SheetProfile, marks: cells.CellReadings
) -> tuple[tuple[str, ...], tuple[Cell, ...], tuple[Cell, ...]]:
    """Destinations, gates, and the cells of letters that may be either way.

    Destinations are letters traced over that nobody has claimed, gates claimed ones that are passages. A letter under
    a wall is neither, nor is one that something lies on. Where the profile knows no letters, any passage may be a gate.
    """
    if not profile.letters:
        passage = np.array([list(row) for row in marks.map]) == "o"
        return (), tuple((int(r), int(c)) for r, c in np.argwhere(passage & (marks.gate >= GATE))), ()
    shown = {
        letter: (r, c)
        for letter, (r, c) in sorted(profile.letters.items())
        if marks.map[r][c] != "#" and marks.hidden[r, c] < HIDDEN
    }
    seen = judge_letters(image, sheet_map, list(shown.values()))
    destinations, gates, unsure = [], [], []
    for (letter, (r, c)), one, other in zip(shown.items(), seen.traced, seen.gate, strict=True):
        traced = _agreed(one, marks.traced[r, c])
        gate = _agreed(other, marks.gate[r, c]) if marks.map[r][c] == "o" else 0.0
        if gate >= GATE:
            gates.append((r, c))
        elif traced >= TRACED:
            destinations.append(letter)
        if abs(gate - GATE) < UNSURE or (abs(traced - TRACED) < UNSURE and gate < GATE):
            unsure.append((r, c))
    return tuple(destinations), tuple(sorted(gates)), tuple(unsure)


def _agreed(one: float, other: float) -> float:
    """What two judges of the same mark hold likely together: the mean of their log odds, as a probability."""
    odds = [max(p, LEAST) / max(1 - p, LEAST) for p in (one, other)]
    return float(1 - 1 / (1 + (odds[0] * odds[1]) ** 0.5))


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
