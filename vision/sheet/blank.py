"""The blank sheet's own picture, where the profile has one: what the print looks like before anyone wrote on it."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import TypeVar

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
    return NONE if not profile.letters else seen_in(profile, profile.blank, seen_blank) or NONE


Seen = TypeVar("Seen")


def seen_in(
    profile: SheetProfile, picture: str | None, take: Callable[[np.ndarray, np.ndarray, SheetProfile], Seen]
) -> Seen | None:
    """What is taken from a picture of the blank sheet; None where the profile names none.

    Args:
        profile: the sheet; it does not say where in the picture the grid lies.
        picture: the file's name, in the profile's folder.
        take: makes something of the picture, (H, W, 3) BGR, the lattice found in it, and the profile.

    Raises BlankError where the picture cannot be read or does not show this sheet.
    """
    if picture is None or profile.folder is None:
        return None
    path = profile.folder / picture
    try:
        stamp = path.stat().st_mtime_ns
    except OSError as error:
        raise BlankError(path, PhotoError("photo.no-file", reason=why(error))) from None
    seen, problem = _kept(path, stamp, take, profile)
    if problem:
        raise BlankError(path, problem)
    return seen


@lru_cache(maxsize=16)
def _kept(
    path: Path, _stamp: int, take: Callable[[np.ndarray, np.ndarray, SheetProfile], Seen], profile: SheetProfile
) -> tuple[Seen | None, PhotoError | None]:
    """What is taken, and what is wrong with the picture; kept, since every photo of the sheet asks for it."""
    try:
        image = load_photo(path.read_bytes())
        lattice, evidence = upright(image, find_grid(image, profile.rows, profile.cols).lattice, profile)
    except PhotoError as error:
        return None, PhotoError(error.key, **error.values)  # a new one: what is kept must not keep the picture too
    except OSError as error:
        return None, PhotoError("photo.no-file", reason=why(error))
    if evidence.other(profile):
        return None, PhotoError("sheet.other", name=profile.name)
    if evidence.unseen(profile):
        return None, PhotoError("sheet.unseen", name=profile.name)
    return take(image, lattice, profile), None


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
