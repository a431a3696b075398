"""The result of reading one photo of a sheet, and how sure each part of it is."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from vision.sheet.decisions import TICKED
from vision.sheet.flatten import corners
from vision.sheet.profile import Cell
from vision.sheet.written import WrittenNumber

if TYPE_CHECKING:
    from vision.sheet.letter_classifier import LetterProbabilities

TROUBLES = ("light", "blur", "tilt", "grid")
"""What may be wrong with a whole photo: too dark, too bright or mirrored; not sharp; seen too much from the side; or
the grid was found where its print is not."""
MISFIT = 0.5
"""Cells by which the grid lies off its print where it is another part of the page, or a row too many."""


@dataclass(frozen=True)
class LetterEvidence:
    """Evidence on one photo's letters, those that no sure wall hides.

    Attributes:
        shown: each letter's cell.
        crops: (n, SIDE, SIDE, 3) uint8, see `vision.sheet.letter_classifier.normalize_crops`.
        kinds: (n, 3) probabilities of its cell being blank, a passage, a wall.
        walled: (n,) bool, the cell is read as a wall, though not surely.
        covered: (n,) bool, something lies on the cell: what still shows of the letter tells only if it is clear.
        by_cells: probabilities by the cell classifier.
        by_letters: probabilities by the letter classifier.
        has_templates: whether the letter classifier was given templates.
        two_toned: the picture is black and white, without shades between.
        unlike: 0 to 1, how unlike print and hand are to what is known best (`cells.CellReadings`).
        outlined: (n,) log odds that a circle is outlined twice, by what the pen covers (`vision.sheet.outlines`); None
            where the blank sheet is unknown.
        traced_over: (n,) log odds that it was traced, by the same (`vision.sheet.tracings`); 0 under what may be a
            wall or a piece; None where the blank sheet is unknown.
        pen_width: cells, of the lines of this sheet's circles; None where the blank sheet is unknown.
    """

    shown: Mapping[str, Cell]
    crops: np.ndarray
    kinds: np.ndarray
    walled: np.ndarray
    covered: np.ndarray
    by_cells: LetterProbabilities
    by_letters: LetterProbabilities
    has_templates: bool = False
    two_toned: bool = False
    unlike: float = 0.0
    outlined: np.ndarray | None = None
    traced_over: np.ndarray | None = None
    pen_width: float | None = None

    @property
    def circled(self) -> np.ndarray:
        """(n,) bool: a circle is drawn around the letter."""
        return (self.kinds[:, 1] > self.kinds[:, 0]) & ~self.walled


@dataclass(frozen=True)
class SheetReading:
    """A map as it stands on the paper, and how sure the reading is.

    Attributes:
        lattice: (rows + 1, cols + 1, 2) float, the crossings of the grid's lines in photo
            pixels [x, y]; [0, 0] is the sheet's top left corner.
        map: rows of `.` blank, `o` passage, `#` wall.
        confidence: (rows, cols) float, 0 to 1: how likely each cell of `map` is right.
        doubtful: the cells that a person should look at.
        destinations: letters traced over by hand that are not gates.
        gates: cells whose circle is outlined a second time.
        ticks: ticks counted in each of the profile's tracks.
        ticked: for each track, how likely each box is ticked.
        seconds: time spent in each stage, in order.
        letters: evidence on the letters, for `vision.sheet.letter_fusion.refine_across_photos`.
        doubtful_cells: `doubtful` without those that are doubtful for their letters only.
        letter_doubts: probability that each letter is misread as traced or not, gate or not; letters under a wall or
            a piece are left out.
        hidden: (rows, cols) float, 0 to 1: how likely something lies on each cell.
        written: what players wrote into the boxes for their own sums.
        rivals: rows of what each cell of `map` is if it is not that; empty where nobody knows.
        misfit: how far off its print the grid lies, in cells, the median; None where nothing on the photo tells.
        troubles: what makes the photo doubtful as a whole, apart from single cells: of `TROUBLES`.
    """

    lattice: np.ndarray
    map: tuple[str, ...]
    confidence: np.ndarray
    doubtful: tuple[Cell, ...]
    destinations: tuple[str, ...]
    gates: tuple[Cell, ...]
    ticks: Mapping[str, int]
    ticked: Mapping[str, tuple[float, ...]]
    seconds: Mapping[str, float] = field(default_factory=dict)
    letters: LetterEvidence | None = None
    doubtful_cells: tuple[Cell, ...] = ()
    letter_doubts: Mapping[str, float] = field(default_factory=dict)
    hidden: np.ndarray | None = None
    written: tuple[WrittenNumber, ...] = ()
    rivals: tuple[str, ...] = ()
    misfit: float | None = None
    troubles: tuple[str, ...] = ()

    @property
    def tick_doubts(self) -> dict[str, float]:
        """How likely each track's count is wrong: by the chance that ticks run so far and end there; where there are
        gaps, or the count leaves a box out that seems ticked, that so many likeliest boxes are ticked and no other."""
        out = {}
        for track, boxes in self.ticked.items():
            count, ends = self.ticks[track], (1.0, *boxes, 0.0)
            likeliest = sorted(boxes, reverse=True)
            each = math.prod((*likeliest[:count], *(1 - p for p in likeliest[count:])))
            left_out = any(p >= TICKED for p in likeliest[count:])
            out[track] = 1 - max(0.0 if left_out else ends[count] - ends[count + 1], each)
        return out

    @property
    def grid(self) -> np.ndarray:
        """(4, 2) float: the grid's corners in the photo: top left, top right, bottom right, bottom left."""
        return corners(self.lattice)

    def letters_json(self) -> dict[str, Any]:
        """The part of the public JSON object that changes where the letters are judged again beside other photos."""
        return {
            "map": list(self.map),
            "destinations": list(self.destinations),
            "gates": [list(c) for c in self.gates],
            "doubtful": [list(c) for c in self.doubtful],
            "letter_doubts": {k: round(p, 4) for k, p in sorted(self.letter_doubts.items())},
        }

    def to_json(self, photo: str) -> dict[str, Any]:
        """The public JSON object for this photo."""
        letters = self.letters_json()
        doubts = {key: letters.pop(key) for key in ("doubtful", "letter_doubts")}
        answer: dict[str, Any] = {
            "photo": photo,
            "grid": [[round(float(x), 2), round(float(y), 2)] for x, y in self.grid],
            **letters,
            "ticks": dict(self.ticks),
            "confidence": [[round(float(p), 4) for p in row] for row in self.confidence],
            **doubts,
            "tick_doubts": {track: round(p, 4) for track, p in self.tick_doubts.items()},
        }
        if self.rivals:
            answer["rivals"] = list(self.rivals)
        if self.misfit is not None:
            answer["misfit"] = round(self.misfit, 3)
        if self.troubles:
            answer["troubles"] = list(self.troubles)
        if self.written:
            answer["written"] = [number.to_json() for number in self.written]
        return answer
