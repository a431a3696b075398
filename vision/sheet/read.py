"""Reading a photographed sheet: find the grid, turn it up, flatten it, judge cells and ticks."""

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
from vision.sheet.blank import NONE, Blank, known_blank
from vision.sheet.diagnose import check_readable, find_again
from vision.sheet.flatten import SheetMap, flatten
from vision.sheet.grid import Grid, from_corners, refined, rough_grid
from vision.sheet.grid_check import goes_on
from vision.sheet.letter_classifier import Traces, letter_pictures, take_light_off
from vision.sheet.letter_fusion import GATE, SURE_WALL, beyond_print, look_at, with_letters
from vision.sheet.letter_templates import Look, laid
from vision.sheet.orientation import Evidence, first_look, upright
from vision.sheet.page import known_page, seen_landmarks, settled
from vision.sheet.profile import Cell, SheetProfile
from vision.sheet.reading import TICKED, Letters, SheetReading
from vision.sheet.ticks import judge_ticks
from vision.sheet.two_tones import two_toned
from vision.sheet.written import WrittenNumber, read_numbers


@dataclass(frozen=True)
class ReadSettings:
    """How closely a sheet is looked at, and when a cell counts as covered."""

    margin: float = 1.0  # cells shown around the grid
    close: float = 56  # pixels a cell from which a larger picture tells no more of it
    around: float = 2.0  # cells that it shows around all that is read: paper that curls is off by as much
    hidden: float = 0.5  # probability from which a cell counts as covered


SETTINGS = ReadSettings()
BESIDE = ThreadPoolExecutor(2, "beside")
"""Does what need not wait for the rest: OpenCV leaves the interpreter free, and most machines have two cores."""


def read_sheet(image: np.ndarray | Photo, profile: SheetProfile, grid: np.ndarray | None = None) -> SheetReading:
    """Read the marks on a sheet.

    Args:
        image: (H, W, 3) BGR photo, or one that was opened, of which small cells are decoded once more, larger.
        profile: what is known of the sheet.
        grid: (4, 2) the grid's corners in the photo as a person gave them: the sheet's own top left,
            top right, bottom right, bottom left. Then nothing is searched, the corners are only refined.

    Raises PhotoError where nothing can be read.
    """
    seconds: dict[str, float] = {}
    photo = image if isinstance(image, Photo) else Photo(image, 1)
    image = photo.image
    with timed("grid", seconds):
        gray = cv2.cvtColor(image, cv2.COLOR_BGR2GRAY)
        if grid is None:
            rough = _rough(gray, profile)
            turn = BESIDE.submit(first_look, gray, rough.lattice, profile)
            landmarks = BESIDE.submit(_landmarks, rough, profile, turn)
            lattice = refined(gray, rough).lattice
        else:
            lattice = from_corners(gray, grid, profile.rows, profile.cols)
        check_readable(lattice, image.shape)
    evidence = None
    with timed("upright", seconds):
        if grid is None:
            lattice, evidence = _upright(gray, lattice, profile, turn.result())
    blank, given = known_blank(profile), grid is not None
    with timed("closer", seconds):
        closer = _closer(photo, lattice, profile)
    if closer is None:
        return read_lattice(
            image, gray, lattice, profile, blank, evidence, seconds, given, None if given else landmarks
        )
    gray, within = cv2.cvtColor(closer.image, cv2.COLOR_BGR2GRAY), closer.within(lattice)
    reading = read_lattice(closer.image, gray, within, profile, blank, evidence, seconds, given)
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
) -> SheetReading:
    """Read the marks on a sheet whose grid has been found.

    Args:
        image: (H, W, 3) BGR photo; `gray`: (H, W), the same.
        lattice: (rows + 1, cols + 1, 2) crossings in photo pixels, [0, 0] the sheet's own top left.
        profile: what is known of the sheet.
        blank: how its print looks where nobody wrote on it.
        evidence: what told which way is up, where the sheet may be another one.
        seconds: takes up the time of each stage.
        given: a person said where the grid lies; else every cell is doubtful where the page around it contradicts.
        landmarks: the blank page's, as `seen_landmarks` finds them, where they are being looked for already.

    Raises PhotoError where nothing of the sheet's print is seen.
    """
    seconds = {} if seconds is None else seconds
    sheet_map = SheetMap(lattice)
    cut = [BESIDE.submit(_cut_letters, image, sheet_map, profile, blank.looks)] if profile.letters else []
    beside = BESIDE.submit(_beside_cells, gray, sheet_map, profile, seconds, cut, landmarks)
    with timed("flatten", seconds):
        flat = flatten(image, sheet_map, cells.CELL, SETTINGS.margin)
    lines = None if blank.goes_on else BESIDE.submit(goes_on, flat, sheet_map, image.shape)
    with timed("cells", seconds):
        two_tones = two_toned(gray, sheet_map.lattice)
        marks = cells.judge_cells(flat.image, flat.cell, flat.origin, profile, blank.cells, two_tones)
    if evidence and evidence.unseen(profile, float(marks.doubtful.mean())):
        raise PhotoError("sheet.unseen", name=profile.name)
    with timed("letters", seconds):
        letters = _letters(*cut[0].result(), profile, marks, blank.traced, two_tones) if cut else None
    ticked, written, elsewhere = beside.result()
    left_out = lines is not None and lines.result()
    misplaced = not given and (elsewhere or left_out)
    doubtful = tuple((int(r), int(c)) for r, c in np.argwhere(marks.doubtful | misplaced))
    reading = SheetReading(
        lattice=lattice,
        map=marks.map,
        confidence=marks.confidence,
        doubtful=doubtful,
        destinations=(),
        gates=() if profile.letters else _bare_gates(marks),
        ticks={track: sum(p >= TICKED for p in boxes) for track, boxes in ticked.items()},
        ticked=ticked,
        seconds=seconds,
        doubtful_cells=doubtful,
        hidden=marks.hidden,
        written=written,
    )
    return with_letters(reading, letters) if letters else reading


def _rough(gray: np.ndarray, profile: SheetProfile) -> Grid:
    """The grid as it is found at first sight, else by a second, longer search."""
    try:
        return rough_grid(gray, profile.rows, profile.cols)
    except PhotoError as error:
        return find_again(gray, profile.rows, profile.cols, error)


def _closer(photo: Photo, lattice: np.ndarray, profile: SheetProfile) -> Closer | None:
    """The sheet in a larger picture, where its cells are small and the photo's file holds more."""
    sheet_map = SheetMap(lattice)
    return photo.closer(sheet_map.frame(profile.boxes, SETTINGS.around), SETTINGS.close / sheet_map.cell_pixels)


def _landmarks(rough: Grid, profile: SheetProfile, turn: Future[int | None]) -> np.ndarray | None:
    """The blank page's landmarks in the photo, found by the rough grid where that was searched while it is refined;
    None where no first look turned it."""
    page, quarters = known_page(profile), turn.result()
    if page is None or quarters is None:
        return None
    lattice = (np.rot90(rough.lattice, quarters) + 0.5) * rough.scale - 0.5
    return (seen_landmarks(rough.searched, SheetMap(lattice), page) + 0.5) / rough.scale - 0.5


def _upright(
    gray: np.ndarray, lattice: np.ndarray, profile: SheetProfile, turn: int | None
) -> tuple[np.ndarray, Evidence | None]:
    """The lattice with the sheet's own top first, and what tells; `turn`: in quarters, where a first look sufficed."""
    if turn is not None:
        return np.rot90(lattice, turn), None
    lattice, evidence = upright(gray, lattice, profile)
    if evidence.other(profile):
        raise PhotoError("sheet.other", name=profile.name)
    return lattice, evidence


def _beside_cells(
    gray: np.ndarray,
    sheet_map: SheetMap,
    profile: SheetProfile,
    seconds: dict[str, float],
    first: Sequence[Future[Any]],
    landmarks: Future[np.ndarray | None] | None,
) -> tuple[dict[str, tuple[float, ...]], tuple[WrittenNumber, ...], bool]:
    """What goes on beside cells and letters, after what they wait for: how likely the tracks' boxes are ticked; the
    written numbers; whether the page around the grid says that it lies elsewhere."""
    wait(first)
    page, placed, elsewhere = known_page(profile), tuple(False for _ in profile.written), False
    with timed("page", seconds):
        if page is not None:
            seen = landmarks.result() if landmarks else None
            profile, placed, elsewhere = settled(gray, sheet_map, page, profile, seen)
    with timed("ticks", seconds):
        ticked = judge_ticks(gray, sheet_map, profile, page.shape if page else None)
    with timed("written", seconds):
        written = read_numbers(gray, sheet_map, profile.written, placed)
    return ticked, written, elsewhere


Prints = list[tuple[np.ndarray, float] | None]


def _cut_letters(
    image: np.ndarray, sheet_map: SheetMap, profile: SheetProfile, blank: Mapping[str, Look]
) -> tuple[np.ndarray, Prints]:
    """All letters' pictures, in the order of the alphabet, and the prints as `judge_letters` takes them."""
    letters = dict(sorted(profile.letters.items()))
    pictures = take_light_off(letter_pictures(image, sheet_map, list(letters.values())))
    gray = (cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY) for picture in pictures)
    return pictures, [laid(one, blank[k]) if k in blank else None for k, one in zip(letters, gray, strict=True)]


def _letters(
    pictures: np.ndarray,
    prints: Prints,
    profile: SheetProfile,
    marks: cells.CellReadings,
    printed: Mapping[str, float],
    two_tones: bool,
) -> Letters:
    """The letters that can be seen, judged; `pictures`, `prints`: of all; `printed`: `Blank.traced`."""
    wall = np.array([list(row) for row in marks.map]) == "#"
    hidden = (marks.hidden >= SETTINGS.hidden) | (wall & (marks.confidence >= SURE_WALL))
    seen = [(k, name) for k, name in enumerate(sorted(profile.letters)) if not hidden[profile.letters[name]]]
    shown, which = {name: profile.letters[name] for _, name in seen}, [k for k, _ in seen]
    at = tuple(np.array(list(shown.values()), int).reshape(-1, 2).T)
    others = Traces(beyond_print(marks.traced[at], list(shown), printed), marks.gate[at])
    known = [prints[k] for k in which]
    letters = look_at(shown, pictures[which], marks.probabilities[at], wall[at], others, known)
    return replace(letters, two_toned=two_tones)


def _bare_gates(marks: cells.CellReadings) -> tuple[Cell, ...]:
    """The gates of a sheet whose letters nobody knows: any passage may be one."""
    passage = np.array([list(row) for row in marks.map]) == "o"
    return tuple((int(r), int(c)) for r, c in np.argwhere(passage & (marks.gate >= GATE)))
