"""The blank sheet's own picture, where the profile has one: what the print looks like before anyone wrote on it."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path

import cv2
import numpy as np

from vision.errors import InputError, PhotoError, why
from vision.photo import load_photo
from vision.sheet.cells import CELL, blank_input, judge_cells
from vision.sheet.flatten import SheetMap, flatten
from vision.sheet.grid import find_grid
from vision.sheet.grid_check import goes_on
from vision.sheet.letter_classifier import letter_pictures, take_light_off
from vision.sheet.letter_templates import Look
from vision.sheet.orientation import upright
from vision.sheet.profile import SheetProfile


@dataclass(frozen=True)
class Blank:
    """What the print looks like.

    Attributes:
        looks: its letters; none where nothing is known.
        cells: the whole grid as `vision.sheet.cells.judge_cells` takes it.
        traced: how likely the judge of cells, who knows no print, holds each letter traced though nobody wrote there.
        goes_on: whether lines of this print go on beyond the grid.
    """

    looks: Mapping[str, Look] = field(default_factory=dict)
    cells: np.ndarray | None = None
    traced: Mapping[str, float] = field(default_factory=dict)
    goes_on: bool = False


NONE = Blank()


class BlankError(InputError):
    """The blank sheet's picture, `path`, is of no use, and why."""

    def __init__(self, path: Path, reason: PhotoError) -> None:
        self.path, self.reason = path, reason
        super().__init__("file.of", file=path, why=reason)


def blank_looks(profile: SheetProfile) -> Mapping[str, Look]:
    """How the letters look on the blank sheet; none where the profile has no picture of it, or one of no use."""
    return known_blank(profile).looks


def known_blank(profile: SheetProfile) -> Blank:
    """The blank sheet, `NONE` where the profile has no picture of it, or one of no use."""
    try:
        return load_blank(profile)
    except BlankError:
        return NONE


def load_blank(profile: SheetProfile) -> Blank:
    """As `known_blank`. Raises BlankError where the picture cannot be read or does not show this sheet."""
    if profile.blank is None or profile.folder is None or not profile.letters:
        return NONE
    path = profile.folder / profile.blank
    try:
        stamp = path.stat().st_mtime_ns
    except OSError as error:
        raise BlankError(path, PhotoError("photo.no-file", reason=why(error))) from None
    letters = tuple(sorted(profile.letters.items()))
    blank, problem = _blank(path, stamp, profile.name, profile.rows, profile.cols, letters)
    if problem:
        raise BlankError(path, problem)
    return blank


@lru_cache(maxsize=8)
def _blank(
    path: Path, _stamp: int, name: str, rows: int, cols: int, letters: tuple[tuple[str, tuple[int, int]], ...]
) -> tuple[Blank, PhotoError | None]:
    """The blank sheet, and what is wrong with the picture; kept, since every photo of the sheet asks for them."""
    profile = SheetProfile(name, rows, cols, dict(letters))
    try:
        image = load_photo(path.read_bytes())
        # The profile does not say where in the picture the grid lies.
        lattice, evidence = upright(image, find_grid(image, rows, cols).lattice, profile)
    except PhotoError as error:
        return NONE, PhotoError(error.key, **error.values)  # a new one: what is kept must not keep the picture too
    except OSError as error:
        return NONE, PhotoError("photo.no-file", reason=why(error))
    if evidence.other(profile):
        return NONE, PhotoError("sheet.other", name=name)
    if evidence.unseen(profile):
        return NONE, PhotoError("sheet.unseen", name=name)
    return seen_blank(image, lattice, profile), None


def seen_blank(image: np.ndarray, lattice: np.ndarray, profile: SheetProfile) -> Blank:
    """The print as a photo (H, W, 3) BGR of the blank sheet shows it; `lattice` as `SheetMap` takes it."""
    sheet_map, letters = SheetMap(lattice), sorted(profile.letters.items())
    crops = take_light_off(letter_pictures(image, sheet_map, [cell for _, cell in letters]))
    grays = (cv2.cvtColor(crop, cv2.COLOR_BGR2GRAY) for crop in crops)
    flat = flatten(image, sheet_map, CELL)
    seen = flat.image, flat.cell, flat.origin
    traced = judge_cells(*seen, profile).traced
    return Blank(
        {letter: Look(gray, 1.0) for (letter, _), gray in zip(letters, grays, strict=True)},
        blank_input(*seen, sheet_map.rows, sheet_map.cols),
        {letter: float(traced[cell]) for letter, cell in letters},
        goes_on(flat, sheet_map, image.shape),
    )
