"""The one way from a sheet's photo to its reading: the page, the command line and the benches all go it. A table's is
`companion.reading.table_photos`, so that who reads a sheet loads no table and none of its games.

A photo is decoded at the size that reading needs, once.
"""

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace

import numpy as np

from companion.reading.sums import agreed
from vision.errors import PhotoError
from vision.pages import pages
from vision.photo import CORES, Photo, open_photo
from vision.sheet.blank import blank_letters
from vision.sheet.letter_fusion import refine_across_photos
from vision.sheet.profile import SheetProfile
from vision.sheet.read import read_sheet
from vision.sheet.reading import SheetReading
from vision.sheet.several import UnreadSheet, read_sheets

KEEPING = ThreadPoolExecutor(2, "keeping")
"""Encodes and writes photos while they are read."""
READING = ThreadPoolExecutor(CORES, "reading")
"""Reads several photos: much of the work on one keeps a single core busy."""


class Eyes:
    """What decodes a photo and reads the sheet on it. Raises PhotoError where it cannot."""

    def pages(self, data: bytes) -> list[bytes]:
        """Each page of a file, as a photo's bytes: most have one."""
        return pages(data)

    def load(self, data: bytes) -> Photo:
        """A photo from a file's bytes, turned as a person sees it."""
        return open_photo(data)

    def read(self, photo: Photo, profile: SheetProfile, grid: np.ndarray | None = None) -> SheetReading:
        """A filled sheet; `grid` as `read_sheet` takes it."""
        return read_sheet(photo, profile, grid)

    def read_all(self, photo: Photo, profile: SheetProfile) -> list[SheetReading | UnreadSheet]:
        """Every filled sheet in a photo, as `read_sheets` has them."""
        return read_sheets(photo, profile)


OWN = Eyes()
"""Decodes and reads in this process."""


@dataclass(frozen=True)
class SeenSheet:
    """What was read from a sheet's photo; `grid` is (4, 2), the grid's corners in the file's pixels."""

    reading: SheetReading
    grid: np.ndarray


@dataclass(frozen=True)
class UnseenSheet:
    """A sheet that shows in a photo beside others and cannot be read: why, and where; `grid` as `SeenSheet` has it."""

    error: PhotoError
    lattice: np.ndarray
    grid: np.ndarray


AnySheet = SeenSheet | UnseenSheet


def see_sheet(
    data: bytes,
    profile: SheetProfile,
    grid: np.ndarray | None = None,
    eyes: Eyes = OWN,
    opened: Callable[[Photo], None] | None = None,
) -> SeenSheet:
    """Read a photo of one filled sheet.

    Args:
        data: the photo's file.
        profile: the sheet's.
        grid: as `read_sheet` takes it.
        eyes: what decodes and reads.
        opened: called with the decoded photo before it is read.

    Raises PhotoError.
    """
    photo = eyes.load(data)
    if opened:
        opened(photo)
    reading = agreed(eyes.read(photo, profile, grid))
    return SeenSheet(reading, photo.full(reading.grid))


def see_all(
    data: bytes, profile: SheetProfile, eyes: Eyes = OWN, opened: Callable[[Photo], None] | None = None
) -> list[AnySheet]:
    """Read every filled sheet in a photo: the top row first, from left to right; `opened` as `see_sheet` takes it.

    Raises PhotoError where none can be read.
    """
    photo = eyes.load(data)
    if opened:
        opened(photo)
    corners = np.array([0, 0, -1, -1]), np.array([0, -1, -1, 0])
    return [
        UnseenSheet(one.error, one.lattice, photo.full(one.lattice[corners]))
        if isinstance(one, UnreadSheet)
        else SeenSheet(agreed(one), photo.full(one.grid))
        for one in eyes.read_all(photo, profile)
    ]


def first_seen(sheets: Sequence[AnySheet]) -> SeenSheet:
    """The first sheet of a photo that was read; there is one."""
    return next(one for one in sheets if isinstance(one, SeenSheet))


def judged_together(readings: Sequence[SheetReading], profile: SheetProfile) -> list[SheetReading]:
    """Readings of one box's sheets as they are all together: what a letter looks like on the others tells whether it
    was traced on this one. Each reading is as it was made of its photo alone."""
    return refine_across_photos(readings, blank_letters(profile))


def see_sheets(
    photos: Sequence[Callable[[], bytes]], profile: SheetProfile
) -> list[list[AnySheet] | PhotoError | OSError]:
    """Read several photos of one box's sheets, each as its bytes come: its sheets, or why it cannot be read.

    Of each photo only small pictures of the letters are kept.
    """

    def seen_or_why(photo: Callable[[], bytes]) -> list[AnySheet] | PhotoError | OSError:
        try:
            return see_all(photo(), profile)
        except (PhotoError, OSError) as error:
            return error

    found = list(READING.map(seen_or_why, photos))
    read = [one.reading for sheets in found if isinstance(sheets, list) for one in sheets if isinstance(one, SeenSheet)]
    again = iter(judged_together(read, profile))
    return [
        [replace(one, reading=next(again)) if isinstance(one, SeenSheet) else one for one in sheets]
        if isinstance(sheets, list)
        else sheets
        for sheets in found
    ]
