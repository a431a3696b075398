"""Load what the print looks like before anyone wrote on it, from the profile's picture of the blank sheet."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import TypeVar

import cv2
import numpy as np

from common.messages import InputError, why
from vision.errors import PhotoError
from vision.photo import load_photo
from vision.sheet.cells import CELL, blank_input, seem_traced
from vision.sheet.flatten import SheetMap, crossings, flatten
from vision.sheet.grid import find_grid
from vision.sheet.grid_check import goes_on
from vision.sheet.letter_classifier import crop_letters, normalize_crops
from vision.sheet.letter_templates import LetterSample
from vision.sheet.orientation import Evidence, upright
from vision.sheet.profile import PICTURES, Cell, Place, SheetProfile


@dataclass(frozen=True)
class Blank:
    """Templates from the blank sheet.

    Attributes:
        letters: its letters as samples for templates; none where the profile has no picture.
        crops: the same in color, (SIDE, SIDE, 3) uint8 each, see `vision.sheet.letter_classifier.normalize_crops`.
        bare: such crops of the cells without a letter.
        cells: the whole grid as `vision.sheet.cells.classify_cells` takes it.
        traced: the cell classifier's probability of each letter being traced though nobody wrote there.
        goes_on: whether lines of this print continue beyond the grid.
    """

    letters: Mapping[str, LetterSample] = field(default_factory=dict)
    crops: Mapping[str, np.ndarray] = field(default_factory=dict)
    bare: Mapping[Cell, np.ndarray] = field(default_factory=dict)
    cells: np.ndarray | None = None
    traced: Mapping[str, float] = field(default_factory=dict)
    goes_on: bool = False


NONE = Blank()
STRAY = 0.25
"""Cells by which lines of the blank picture may lie off the place that the profile tells: others are no grid's."""


class BlankError(InputError):
    """The blank sheet's picture, `path`, cannot be used, and why."""

    def __init__(self, path: Path, reason: PhotoError) -> None:
        self.path, self.reason = path, reason
        super().__init__("file.of", file=path, why=reason)


def blank_letters(profile: SheetProfile) -> Mapping[str, LetterSample]:
    """The letters on the blank sheet; none where the profile has no picture of it, or one that cannot be used."""
    return blank_or_none(profile).letters


def blank_or_none(profile: SheetProfile) -> Blank:
    """As `load_blank`, but `NONE` where the picture cannot be used."""
    try:
        return load_blank(profile)
    except BlankError:
        return NONE


def load_blank(profile: SheetProfile) -> Blank:
    """The blank sheet, `NONE` where the profile has no letters or no picture of it.

    Raises BlankError where the picture cannot be read or does not show this sheet.
    """
    return NONE if not profile.letters else from_blank_picture(profile, profile.blank, measure_blank) or NONE


Measured = TypeVar("Measured")


def from_blank_picture(
    profile: SheetProfile, picture: str | None, measure: Callable[[np.ndarray, np.ndarray, SheetProfile], Measured]
) -> Measured | None:
    """Locate the grid in a picture of the blank sheet and measure something there; None where the profile names none.

    Args:
        profile: the sheet; where it does not say where in the picture the grid lies, that is looked for.
        picture: the file's name, in the profile's folder.
        measure: takes the picture, (H, W, 3) BGR, the lattice found in it, and the profile; its result is cached.

    Raises BlankError where the picture cannot be read or does not show this sheet.
    """
    if picture is None or profile.folder is None:
        return None
    path = profile.folder / picture
    try:
        content = path.read_bytes()
    except OSError as error:
        raise BlankError(path, PhotoError("photo.no-file", reason=why(error))) from None
    measured, problem = _cached(content, picture, measure, profile)
    if problem:
        raise BlankError(path, problem)
    return measured


@lru_cache(maxsize=16)
def _cached(
    content: bytes,
    name: str,
    measure: Callable[[np.ndarray, np.ndarray, SheetProfile], Measured],
    profile: SheetProfile,
) -> tuple[Measured | None, PhotoError | None]:
    """What was measured in the content of a picture of that name, or what is wrong with it; by content, since a print
    that is drawn into another folder, or replaced within the clock's tick, is what it shows."""
    try:
        image = _picture(content)
        place = next((profile.places.get(kind) for kind in PICTURES if getattr(profile, kind) == name), None)
        if place and name == profile.page:
            return measure(image, straight(place, profile), profile), None
        lattice, evidence = _lines_of(image, place, profile)
    except PhotoError as error:
        return None, PhotoError(
            error.key, **error.values
        )  # a new one: the cached error must not keep the picture alive
    if evidence and evidence.other(profile):
        return None, PhotoError("sheet.other", name=profile.name)
    if evidence and evidence.unseen(profile):
        if not place:
            return None, PhotoError("sheet.unseen", name=profile.name)
        lattice = straight(place, profile)  # letters that no network reads were told by a person
    return measure(image, lattice, profile), None


@lru_cache(maxsize=1)
def _picture(content: bytes) -> np.ndarray:
    """The last picture that was decoded: the page is measured twice, for where it lies and for what is beside its
    grid."""
    return load_photo(content)


def _lines_of(image: np.ndarray, place: Place | None, profile: SheetProfile) -> tuple[np.ndarray, Evidence | None]:
    """The lattice on a picture's printed lines, since letters are laid on letters by it, and the evidence for its turn;
    at the place that the profile tells where no lines are found there: others are a frame's, or art's, but where more
    letters are in their places by them."""
    try:
        lattice, evidence = upright(image, find_grid(image, profile.rows, profile.cols).lattice, profile)
    except PhotoError:
        if place is None:
            raise
        return straight(place, profile), None
    if place is None or np.abs(lattice - (told := straight(place, profile))).max() <= STRAY * place[2]:
        return lattice, evidence
    read = upright(image, told, profile)[1].read if profile.letters else 0
    return (told, None) if evidence.read <= read or evidence.other(profile) else (lattice, evidence)


def straight(place: Place, profile: SheetProfile) -> np.ndarray:
    """The lattice of a flattened picture: (rows + 1, cols + 1, 2) pixels."""
    x, y, cell = place
    return np.array([x, y]) + crossings(profile.rows, profile.cols) * cell - 0.5


def measure_blank(image: np.ndarray, lattice: np.ndarray, profile: SheetProfile) -> Blank:
    """Take templates from a photo (H, W, 3) BGR of the blank sheet; `lattice` as `SheetMap` takes it."""
    sheet_map, letters = SheetMap(lattice), sorted(profile.letters.items())
    taken = set(profile.letters.values())
    bare = [cell for cell in np.ndindex(sheet_map.rows, sheet_map.cols) if cell not in taken]
    crops = normalize_crops(crop_letters(image, sheet_map, [cell for _, cell in letters] + bare))
    crops, others = crops[: len(letters)], crops[len(letters) :]
    grays = (cv2.cvtColor(crop, cv2.COLOR_BGR2GRAY) for crop in crops)
    flat = flatten(image, sheet_map, CELL)
    grid = flat.image, flat.cell, flat.origin
    traced = seem_traced(*grid, profile)
    return Blank(
        {letter: LetterSample(gray, 1.0) for (letter, _), gray in zip(letters, grays, strict=True)},
        {letter: crop for (letter, _), crop in zip(letters, crops, strict=True)},
        dict(zip(bare, others, strict=True)),
        blank_input(*grid, sheet_map.rows, sheet_map.cols),
        {letter: float(traced[cell]) for letter, cell in letters},
        goes_on(flat, sheet_map, image.shape),
    )
