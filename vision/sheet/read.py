"""Read a photographed sheet: detect the grid, resolve its rotation, rectify it, classify cells, letters and ticks."""

from collections.abc import Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor, wait
from dataclasses import dataclass, replace
from typing import Any

import cv2
import numpy as np

from vision import timed
from vision.errors import PhotoError
from vision.photo import Closer, Photo
from vision.sheet import cells
from vision.sheet.blank import NONE, Blank, blank_or_none
from vision.sheet.decisions import TICKED
from vision.sheet.diagnose import check_readable, find_again
from vision.sheet.flatten import SheetMap, flatten
from vision.sheet.grid import Grid, from_corners, refined, rough_grid
from vision.sheet.grid_check import goes_on
from vision.sheet.letter_classifier import LetterProbabilities, crop_letters, normalize_crops
from vision.sheet.letter_fusion import GATE, SURE_WALL, letter_evidence, relative_to_blank, with_letters
from vision.sheet.letter_templates import Template, moved_alike, offset, shifted
from vision.sheet.orientation import Evidence, first_look, upright
from vision.sheet.orientation import is_mirrored as letters_mirrored
from vision.sheet.outlines import outlined_twice, pen_change, pen_cover, stroke_width
from vision.sheet.page import known_page, seen_landmarks, settled
from vision.sheet.profile import Cell, SheetProfile
from vision.sheet.reading import MISFIT, LetterEvidence, SheetReading
from vision.sheet.registration import Registered, Searched, is_mirrored, printed_page, register
from vision.sheet.ticks import judge_ticks
from vision.sheet.tracings import traced_over, tracing_layers
from vision.sheet.trouble import MANY_DOUBTS, whole_troubles
from vision.sheet.two_tones import two_toned
from vision.sheet.written import WrittenNumber, read_numbers


@dataclass(frozen=True)
class ReadSettings:
    """Resolution of the reading, and when a cell counts as covered."""

    margin: float = 1.0  # cells around the grid in the rectified sheet
    close: float = 56  # pixels a cell: a higher resolution gains nothing
    around: float = 2.0  # cells around all that is read in a photo decoded at that: curled paper is off by as much
    hidden: float = 0.5  # threshold of a cell being covered
    bare_circles: int = 8  # at most, without a letter, with which those around letters are compared


SETTINGS = ReadSettings()
LEFT_OUT = 1.0
"""Cells by which a grid is off whose lines go on beyond it: a row or a column was left out."""
THREADS = ThreadPoolExecutor(2, "sheet")
"""Run independent stages in parallel: OpenCV releases the interpreter, and most machines have two cores."""


def read_sheet(image: np.ndarray | Photo, profile: SheetProfile, grid: np.ndarray | None = None) -> SheetReading:
    """Read the marks on a sheet.

    Args:
        image: (H, W, 3) BGR photo, or an opened one: where cells are small it is decoded again at a higher resolution.
        profile: what is known of the sheet.
        grid: (4, 2) the grid's corners in the photo as a person gave them: the sheet's own top left,
            top right, bottom right, bottom left. Then no grid is detected, the corners are only refined.

    Raises PhotoError where nothing can be read.
    """
    seconds: dict[str, float] = {}
    photo = image if isinstance(image, Photo) else Photo(image, 1)
    gray = cv2.cvtColor(photo.image, cv2.COLOR_BGR2GRAY)
    with timed("grid", seconds):
        if grid is None:
            place = placed(gray, profile)
        else:
            place = Place(from_corners(gray, grid, profile.rows, profile.cols), given=True)
    return read_placed(photo, gray, place, profile, seconds)


@dataclass(frozen=True)
class Place:
    """Where a sheet lies in a photo.

    Attributes:
        lattice: (rows + 1, cols + 1, 2) photo pixels; any way up where `turn` is there.
        registered: the enrolled page, where it was found before any line.
        turn: which way up it lies, as `first_look` has it, where only its lines were found; `landmarks` likewise.
        given: a person marked it.
    """

    lattice: np.ndarray
    registered: Registered | None = None
    turn: Future[int | None] | None = None
    landmarks: Future[np.ndarray | None] | None = None
    given: bool = False


def placed(gray: np.ndarray, profile: SheetProfile, again: bool = True) -> Place:
    """Find a sheet in a photo, (H, W) uint8; `again`: by a longer search, and as in a mirror, if the first fails.

    Raises PhotoError where there is none.
    """
    page, searched = printed_page(profile), Searched(gray)
    registered = register(searched, page, profile.rows, profile.cols) if page else None
    if registered is not None:
        return Place(registered.lattice, registered)
    if page and again and is_mirrored(searched, page, profile.rows, profile.cols):
        raise PhotoError("sheet.mirrored")
    rough = _rough_grid(gray, profile, again)
    turn = THREADS.submit(first_look, gray, rough.lattice, profile)
    landmarks = THREADS.submit(_landmarks, rough, profile, turn)
    return Place(refined(gray, rough).lattice, None, turn, landmarks)


def read_placed(
    photo: Photo, gray: np.ndarray, place: Place, profile: SheetProfile, seconds: dict[str, float]
) -> SheetReading:
    """Read the sheet at a place in a photo; `gray` is its picture. Raises PhotoError where nothing can be read."""
    lattice, registered, evidence = place.lattice, place.registered, None
    check_readable(lattice, gray.shape)
    with timed("upright", seconds):
        if place.turn is not None:
            lattice, evidence = _upright(gray, lattice, profile, place.turn.result())
    blank, given, misfit = blank_or_none(profile), place.given, registered.misfit if registered else None
    with timed("closer", seconds):
        closer = _closer(photo, lattice, profile)
    if closer is None:
        seen = place.landmarks
        return read_lattice(photo.image, gray, lattice, profile, blank, evidence, seconds, given, seen, misfit)
    gray, within = cv2.cvtColor(closer.image, cv2.COLOR_BGR2GRAY), closer.within(lattice)
    reading = read_lattice(closer.image, gray, within, profile, blank, evidence, seconds, given, None, misfit)
    return replace(reading, lattice=lattice)


def read_lattice(
    image: np.ndarray,
    gray: np.ndarray,
    lattice: np.ndarray,
    profile: SheetProfile,
    blank: Blank = NONE,
    evidence: Evidence | None = None,
    seconds: dict[str, float] | None = None,
    given: bool = False,
    landmarks: Future[np.ndarray | None] | None = None,
    misfit: float | None = None,
) -> SheetReading:
    """Read the marks on a sheet whose grid has been found.

    Args:
        image: (H, W, 3) BGR photo; `gray`: (H, W), the same.
        lattice: (rows + 1, cols + 1, 2) crossings in photo pixels, [0, 0] the sheet's own top left.
        profile: what is known of the sheet.
        blank: templates from the blank sheet.
        evidence: of the rotation, where the sheet may be another one.
        seconds: collects the time of each stage.
        given: a person marked the grid; otherwise every cell is doubtful where the page around contradicts it.
        landmarks: the blank page's, as `seen_landmarks` finds them, where they are being searched already.
        misfit: how far off the enrolled page the grid lies, where the page was found before the grid.

    Raises PhotoError where none of the sheet's print is found.
    """
    seconds = {} if seconds is None else seconds
    sheet_map = SheetMap(lattice)
    crops = [THREADS.submit(_crop_letters, image, sheet_map, profile, blank)] if profile.letters else []
    beyond = THREADS.submit(_read_beyond_grid, image, gray, sheet_map, profile, seconds, crops, landmarks)
    with timed("flatten", seconds):
        flat = flatten(image, sheet_map, cells.CELL, SETTINGS.margin)
    lines = None if blank.goes_on or misfit is not None else THREADS.submit(goes_on, flat, sheet_map, image.shape)
    with timed("cells", seconds):
        two_tones = two_toned(gray, sheet_map.lattice)
        marks = cells.classify_cells(flat.image, flat.cell, flat.origin, profile, blank.cells, two_tones)
    if evidence and evidence.unseen(profile, float(marks.doubtful.mean())):
        raise PhotoError("sheet.unseen", name=profile.name)
    with timed("letters", seconds):
        letters = None
        if crops:
            cut = crops[0].result()
            circles = _bare_circles(image, sheet_map, profile, marks, blank, cut)
            letters = _letters(cut, circles, profile, marks, blank.traced, two_tones)
    ticked, written, off = beyond.result()
    misfit = off if misfit is None else misfit
    if lines is not None and lines.result():
        misfit = max(misfit or 0.0, LEFT_OUT)
    troubles: tuple[str, ...] = ("grid",) if misfit is not None and misfit > MISFIT else ()
    if not troubles and marks.doubtful.mean() >= MANY_DOUBTS:
        bare = marks.probabilities.argmax(-1) == cells.KINDS.index(".")
        troubles = whole_troubles(gray, lattice, flat, blank.cells, bare)
    misplaced = not given and "grid" in troubles
    doubtful = tuple((int(r), int(c)) for r, c in np.argwhere(marks.doubtful | misplaced))
    reading = SheetReading(
        lattice=lattice,
        map=marks.map,
        confidence=marks.confidence,
        doubtful=doubtful,
        destinations=(),
        gates=() if profile.letters else _gates_without_letters(marks),
        ticks={track: sum(p >= TICKED for p in boxes) for track, boxes in ticked.items()},
        ticked=ticked,
        seconds=seconds,
        doubtful_cells=doubtful,
        hidden=marks.hidden,
        written=written,
        rivals=marks.rivals,
        misfit=misfit,
        troubles=troubles,
    )
    return with_letters(reading, letters) if letters else reading


def _rough_grid(gray: np.ndarray, profile: SheetProfile, again: bool) -> Grid:
    """Detect the grid approximately; `again`: by a second, longer search if the first fails."""
    try:
        return rough_grid(gray, profile.rows, profile.cols)
    except PhotoError as error:
        if not again:
            raise
        return find_again(gray, profile.rows, profile.cols, error)


def _closer(photo: Photo, lattice: np.ndarray, profile: SheetProfile) -> Closer | None:
    """The sheet at a higher resolution, where its cells are small and the photo's file holds more."""
    sheet_map = SheetMap(lattice)
    return photo.closer(sheet_map.frame(profile.boxes, SETTINGS.around), SETTINGS.close / sheet_map.cell_pixels)


def _landmarks(rough: Grid, profile: SheetProfile, turn: Future[int | None]) -> np.ndarray | None:
    """The blank page's landmarks in the photo, located by the rough grid while it is being refined; None where its
    rotation is not known yet."""
    page, quarters = known_page(profile), turn.result()
    if page is None or quarters is None:
        return None
    lattice = (np.rot90(rough.lattice, quarters) + 0.5) * rough.scale - 0.5
    return (seen_landmarks(rough.searched, SheetMap(lattice), page) + 0.5) / rough.scale - 0.5


def _upright(
    gray: np.ndarray, lattice: np.ndarray, profile: SheetProfile, turn: int | None
) -> tuple[np.ndarray, Evidence | None]:
    """The lattice with the sheet's own top first, and the evidence for it; `turn`: in quarters, where known already."""
    if turn is not None:
        return np.rot90(lattice, turn), None
    if letters_mirrored(gray, lattice, profile):
        raise PhotoError("sheet.mirrored")
    lattice, evidence = upright(gray, lattice, profile)
    if evidence.other(profile):
        raise PhotoError("sheet.other", name=profile.name)
    return lattice, evidence


def _read_beyond_grid(
    image: np.ndarray,
    gray: np.ndarray,
    sheet_map: SheetMap,
    profile: SheetProfile,
    seconds: dict[str, float],
    urgent: Sequence[Future[Any]],
    landmarks: Future[np.ndarray | None] | None,
) -> tuple[dict[str, tuple[float, ...]], tuple[WrittenNumber, ...], float | None]:
    """Read what is around the grid, once the `urgent` stages are done: the probabilities of the tracks' boxes being
    ticked; the written numbers; how far off, in cells, the page shows the grid to lie."""
    wait(urgent)
    page, placed, misfit = known_page(profile), tuple(False for _ in profile.written), None
    with timed("page", seconds):
        if page is not None:
            seen = landmarks.result() if landmarks else None
            profile, placed, misfit = settled(gray, sheet_map, page, profile, seen)
    with timed("ticks", seconds):
        ticked = judge_ticks(image, gray, sheet_map, profile, page.ticks if page else None)
    with timed("written", seconds):
        written = read_numbers(image, gray, sheet_map, profile.written, placed, page.numbers if page else None)
    return ticked, written, misfit


@dataclass(frozen=True)
class _Crops:
    """A photo's letters in alphabetical order, and the blank sheet's laid onto them, where it is known.

    Attributes:
        crops: (n, SIDE, SIDE, 3) uint8, normalized; `blanks`: the same of the blank sheet.
        templates: the blank sheet's in gray.
        offsets: (n, 2) pixels to the right and down by which the blank sheet's were moved.
    """

    crops: np.ndarray
    blanks: np.ndarray | None
    templates: list[Template | None]
    offsets: np.ndarray


def _crop_letters(image: np.ndarray, sheet_map: SheetMap, profile: SheetProfile, blank: Blank) -> _Crops:
    """Cut all letters out of a photo, and lay the blank sheet's onto them."""
    letters = dict(sorted(profile.letters.items()))
    crops = normalize_crops(crop_letters(image, sheet_map, list(letters.values())))
    if letters.keys() - blank.crops.keys():
        return _Crops(crops, None, [None] * len(letters), np.zeros((len(letters), 2)))
    templates: list[Template | None] = []
    blanks, offsets = np.empty_like(crops), np.zeros((len(letters), 2))
    for k, (letter, crop) in enumerate(zip(letters, crops, strict=True)):
        sample = blank.letters[letter]
        offsets[k] = off = offset(cv2.cvtColor(crop, cv2.COLOR_BGR2GRAY), sample.crop)
        templates.append((shifted(sample.crop, *off), sample.plain))
        blanks[k] = shifted(blank.crops[letter], *off)
    return _Crops(crops, blanks, templates, offsets)


def _bare_circles(
    image: np.ndarray, sheet_map: SheetMap, profile: SheetProfile, marks: cells.CellReadings, blank: Blank, cut: _Crops
) -> tuple[np.ndarray, np.ndarray]:
    """The surest circles without a letter, (m, SIDE, SIDE, 3) uint8, normalized, and the blank sheet's cells laid onto
    them; none where the blank sheet is not known."""
    free = ~marks.doubtful & (np.array([list(row) for row in marks.map]) == "o")
    sure = [cell for cell in blank.bare if free[cell] and cell != profile.entrance]
    sure = sorted(sure, key=lambda cell: -marks.confidence[cell])[: SETTINGS.bare_circles]
    crops = crop_letters(image, sheet_map, sure)
    if not sure:
        return crops, crops
    return normalize_crops(crops), moved_alike(np.stack([blank.bare[cell] for cell in sure]), cut.offsets)


def _letters(
    cut: _Crops,
    circles: tuple[np.ndarray, np.ndarray],
    profile: SheetProfile,
    marks: cells.CellReadings,
    on_blank: Mapping[str, float],
    two_tones: bool,
) -> LetterEvidence:
    """Classify the visible letters; `cut`: all letters; `circles`: those without one; `on_blank`: `Blank.traced`."""
    wall = np.array([list(row) for row in marks.map]) == "#"
    covered = marks.hidden >= SETTINGS.hidden
    hidden = wall & (covered | (marks.confidence >= SURE_WALL))
    visible = [(k, name) for k, name in enumerate(sorted(profile.letters)) if not hidden[profile.letters[name]]]
    shown, which = {name: profile.letters[name] for _, name in visible}, [k for k, _ in visible]
    at = tuple(np.array(list(shown.values()), int).reshape(-1, 2).T)
    by_cells = LetterProbabilities(relative_to_blank(marks.traced[at], list(shown), on_blank), marks.gate[at])
    crops, templates = cut.crops[which], [cut.templates[k] for k in which]
    kinds, covered = marks.probabilities[at], covered[at]
    letters = letter_evidence(shown, crops, kinds, wall[at], covered, by_cells, templates, marks.unlike)
    letters = replace(letters, two_toned=two_tones)
    return letters if cut.blanks is None else _with_pen(letters, cut.blanks[which], circles)


def _with_pen(letters: LetterEvidence, blanks: np.ndarray, circles: tuple[np.ndarray, np.ndarray]) -> LetterEvidence:
    """What the pen covers tells besides; `blanks`: these letters on the blank sheet, laid onto them."""
    outlined, traced = np.zeros((2, len(blanks)))
    seen = ~letters.covered
    crops, blanks = letters.crops[seen], blanks[seen]
    change = pen_change(crops, blanks)
    cover = pen_cover(change, letters.circled[seen])
    alone = pen_cover(pen_change(*circles, change.pen))
    outlined[letters.circled & seen] = outlined_twice(cover, alone)
    width = stroke_width(alone if len(alone) > 1 else np.concatenate([alone, cover]))
    # A wall hides its letter; it is no sister to be compared with.
    plain = ~letters.walled[seen]
    part = replace(change, cover=change.cover[plain], darker=change.darker[plain])
    traced[seen & ~letters.walled] = traced_over(tracing_layers(part, crops[plain], blanks[plain]))
    return replace(letters, outlined=outlined, traced_over=traced, pen_width=width)


def _gates_without_letters(marks: cells.CellReadings) -> tuple[Cell, ...]:
    """The gates of a sheet whose profile has no letters: any passage may be one."""
    passage = np.array([list(row) for row in marks.map]) == "o"
    return tuple((int(r), int(c)) for r, c in np.argwhere(passage & (marks.gate >= GATE)))
