"""Read all sheets in one photo: after one is found, the rest is searched where something there looks like another.

Most photos show one sheet: what asks whether there is another must cost next to nothing.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice, product

import cv2
import numpy as np

from vision.errors import PhotoError
from vision.photo import Photo
from vision.ranks import median
from vision.sheet import grid_candidates
from vision.sheet.diagnose import cut_edge
from vision.sheet.flatten import SheetMap, cell_pixels, of_one_sheet, projected
from vision.sheet.grid import shrunk
from vision.sheet.orientation import first_look
from vision.sheet.profile import Box, SheetProfile
from vision.sheet.read import Place, placed, read_placed
from vision.sheet.reading import SheetReading
from vision.sheet.registration import Matches, printed_page, register_cut


@dataclass(frozen=True)
class SeveralSettings:
    """Lengths in cells of the sheet found first unless said."""

    rim: float = 0.3  # around a found grid that belongs to it
    room: float = 1.6  # radius of a free disc from which a part of another sheet has room
    beside: int = 7  # features of the page beside the sheets found that agree on where another one lies
    coarse: int = 160  # pixels of the longer side of the picture in which room is looked for
    side: int = 800  # pixels of the longer side of the picture in which cells are looked for
    contrast: float = 0.045  # of a line against its surroundings
    cells: int = 12  # that lie side by side and look like those of another grid
    drawn: float = 0.97  # share of an outline along which lines run
    across: int = 3  # and so many each way
    lost: int = 1  # of a cut grid's rows at its edge that marks may hide
    smaller: float = 0.45  # how small and how large the cells of another sheet may be, in the first one's
    larger: float = 1.8


SETTINGS = SeveralSettings()
MOST_SHEETS = 4
STRANGE = ("sheet.other", "sheet.unseen")
"""What is found beside a sheet and is none of this profile."""


@dataclass(frozen=True)
class UnreadSheet:
    """A sheet that is seen and cannot be read: why, and where it lies, (rows + 1, cols + 1, 2) photo pixels."""

    error: PhotoError
    lattice: np.ndarray


@dataclass(frozen=True)
class Lines:
    """What a small picture of the rest of a photo shows of other grids.

    Attributes:
        mask: (h, w) uint8, its dark lines.
        scale: how many of its pixels one of the photo's is wide.
        seeds: white cells that lie side by side as a grid's do.
    """

    mask: np.ndarray
    scale: float
    seeds: tuple[grid_candidates.Seed, ...]


def read_sheets(image: np.ndarray | Photo, profile: SheetProfile) -> list[SheetReading | UnreadSheet]:
    """Read every sheet in a photo, `MOST_SHEETS` at most: the top row first, from left to right.

    Args:
        image: as `read_sheet` takes it.
        profile: what is known of the sheets.

    Raises PhotoError where none can be read.
    """
    photo = image if isinstance(image, Photo) else Photo(image, 1)
    gray = cv2.cvtColor(photo.image, cv2.COLOR_BGR2GRAY)
    place = placed(gray, profile)
    found = [_read(photo, gray, place, profile)]
    first = place.registered
    rest = gray
    while len(found) < MOST_SHEETS:
        if not _room(gray.shape, found):
            break
        rest = _covered(rest, found[-1].lattice)
        lines = _lines(rest, cell_pixels(found[0].lattice))
        shown = _shows_more(rest.shape, lines, first.matches if first else None, found, profile)
        more = (_next(photo, gray, rest, profile, found) if shown else None) or _cut_off(rest, lines, found, profile)
        if more is None:
            break
        found.append(more)
    told = [one for one in found if not (isinstance(one, UnreadSheet) and one.error.key in STRANGE)]
    if not profile.letters and printed_page(profile) is None:
        told = _alike(told)
    if not any(isinstance(one, SheetReading) for one in told):
        raise next(one.error for one in found if isinstance(one, UnreadSheet))
    return in_order(told)


def _alike(found: Sequence[SheetReading | UnreadSheet]) -> list[SheetReading | UnreadSheet]:
    """Grids of which nothing but the lines is known, without those far smaller than the largest one: the puzzles of a
    newspaper are no sheets."""
    sizes = [cell_pixels(one.lattice) for one in found]
    least = SETTINGS.smaller * max(sizes, default=0.0)
    return [one for one, size in zip(found, sizes, strict=True) if size >= least]


def in_order(found: Sequence[SheetReading | UnreadSheet]) -> list[SheetReading | UnreadSheet]:
    """Sheets of one photo from left to right, those that lie above others first."""
    rows: list[list[SheetReading | UnreadSheet]] = []
    for one in sorted(found, key=lambda one: float(one.lattice[..., 1].mean())):
        if not rows or one.lattice[..., 1].mean() > rows[-1][0].lattice[..., 1].max():
            rows.append([])
        rows[-1].append(one)
    return [one for row in rows for one in sorted(row, key=lambda one: float(one.lattice[..., 0].mean()))]


def _read(photo: Photo, gray: np.ndarray, place: Place, profile: SheetProfile) -> SheetReading | UnreadSheet:
    seconds: dict[str, float] = {}
    try:
        return read_placed(photo, gray, place, profile, seconds)
    except PhotoError as error:
        return UnreadSheet(error, place.lattice)


def _next(
    photo: Photo,
    gray: np.ndarray,
    rest: np.ndarray,
    profile: SheetProfile,
    found: Sequence[SheetReading | UnreadSheet],
) -> SheetReading | UnreadSheet | None:
    """One more sheet in the rest of a photo; where none is found whole, one of which the print shows a part."""
    why = PhotoError("sheet.no-grid", rows=profile.rows, cols=profile.cols)
    try:
        place = placed(rest, profile, again=False)
        if not any(of_one_sheet(place.lattice, one.lattice) for one in found):
            return _read(photo, gray, place, profile)
    except PhotoError as error:
        why = error
    page = printed_page(profile)
    if page is None:
        return None
    for one in found:
        rest = _covered(rest, one.lattice, page.box)
    cut = register_cut(rest, page, profile.rows, profile.cols)
    if cut is None or any(of_one_sheet(cut, one.lattice) for one in found):
        return None
    return UnreadSheet(cut_edge(cut, gray.shape) or why, cut)


def _room(shape: tuple[int, ...], found: Sequence[SheetReading | UnreadSheet]) -> bool:
    """Whether a part of another sheet has room beside those found."""
    scale = SETTINGS.coarse / max(shape)
    free = np.full((round(shape[0] * scale), round(shape[1] * scale)), 255, np.uint8)
    for one in found:
        frame = SheetMap(one.lattice).frame(around=SETTINGS.rim)
        cv2.fillConvexPoly(free, np.round(frame * scale).astype(np.int32), 0)
    radius = cv2.distanceTransform(cv2.copyMakeBorder(free, 1, 1, 1, 1, cv2.BORDER_CONSTANT), cv2.DIST_L2, 3).max()
    return float(radius) >= SETTINGS.room * scale * min(cell_pixels(one.lattice) for one in found)


def _covered(gray: np.ndarray, lattice: np.ndarray, *beside: Box) -> np.ndarray:
    """The picture with a found grid, and boxes around it, painted over."""
    out = gray.copy()
    frame = SheetMap(lattice).frame(beside, SETTINGS.rim)
    cv2.fillConvexPoly(out, np.round(frame).astype(np.int32), float(median(gray[::8, ::8])))
    return out


def _shows_more(
    shape: tuple[int, ...],
    lines: Lines,
    matches: Matches | None,
    found: Sequence[SheetReading | UnreadSheet],
    profile: SheetProfile,
) -> bool:
    """Whether another sheet seems to lie in the rest of a photo, by features of the page where they are known, else by
    lines."""
    page = printed_page(profile)
    if matches is None or page is None:
        return bool(lines.seeds) or _outline_beside(lines, [one.lattice for one in found])
    beside = matches.beside([SheetMap(one.lattice).frame([page.box], SETTINGS.rim) for one in found])
    return beside.shown(shape, profile.rows, profile.cols, SETTINGS.beside) is not None


def _lines(rest: np.ndarray, cell: float) -> Lines:
    """What lines show of another grid whose cells are about `cell` pixels wide."""
    scale = min(1.0, SETTINGS.side / max(rest.shape))
    mask = grid_candidates.line_mask(cv2.GaussianBlur(shrunk(rest, scale), (3, 3), 0), SETTINGS.contrast)
    return Lines(mask, scale, tuple(_seeds(mask, cell * scale)))


def _outline_beside(lines: Lines, found: Sequence[np.ndarray]) -> bool:
    """Whether lines in the rest of a photo make an outline of four corners of about a found grid's size."""
    side, cell = len(found[0]) - 1, cell_pixels(found[0]) * lines.scale
    middles = [tuple((lattice.mean((0, 1)) * lines.scale).tolist()) for lattice in found]
    for frame in grid_candidates.frames(lines.mask):
        outline = frame.astype(np.float32)
        size = float(np.sqrt(cv2.contourArea(outline))) / (side * cell)
        apart = all(cv2.pointPolygonTest(outline, middle, False) < 0 for middle in middles)
        if apart and SETTINGS.smaller <= size <= SETTINGS.larger and _drawn(lines.mask, frame) >= SETTINGS.drawn:
            return True
    return False


def _seeds(mask: np.ndarray, cell: float) -> Iterator[grid_candidates.Seed]:
    """White cells side by side between lines, such as a grid whose cells are `cell` pixels wide may have."""
    for seed in islice(grid_candidates.clusters(grid_candidates.quadrilaterals(mask)), 3):
        middle = seed.cells.mean(0)
        ends = (middle + np.array([[0, 0], [1, 0], [0, 1]]))[None]
        here, right, down = cv2.perspectiveTransform(ends, seed.homography)[0]
        size = float(np.sqrt(abs(np.linalg.det(np.array([right - here, down - here]))))) / cell
        across = np.ptp(seed.cells, axis=0).min() + 1
        if (
            SETTINGS.smaller <= size <= SETTINGS.larger
            and len(seed.cells) >= SETTINGS.cells
            and across >= SETTINGS.across
        ):
            yield seed


def _cut_off(
    rest: np.ndarray, lines: Lines, found: Sequence[SheetReading | UnreadSheet], profile: SheetProfile
) -> UnreadSheet | None:
    """A sheet of which the photo's edge leaves only a part, found by its cells and by the letters in them."""
    for seed in lines.seeds if profile.letters else ():
        for small in _continued(seed, profile.rows, profile.cols):
            lattice = (small + 0.5) / lines.scale - 0.5
            error = cut_edge(lattice, rest.shape)
            if error is None or any(of_one_sheet(lattice, one.lattice) for one in found):
                continue
            turn = first_look(rest, lattice, profile)
            if turn is not None:
                return UnreadSheet(error, np.rot90(lattice, turn))
    return None


def _continued(seed: grid_candidates.Seed, rows: int, cols: int) -> Iterator[np.ndarray]:
    """The lattices, (rows + 1, cols + 1, 2), of which some cells may be a part: they end where the cells end on one
    side of each way, or a cell further or less."""
    low, high, most = seed.cells.min(0), seed.cells.max(0) + 1, np.array([cols, rows])
    off = (-SETTINGS.lost, 0, SETTINGS.lost)
    lefts, tops = (sorted({end + k for end in ends for k in off}) for ends in zip(low, high - most, strict=True))
    for left, top in product(lefts, tops):
        yield projected(seed.homography, rows, cols, left, top)


def _drawn(mask: np.ndarray, frame: np.ndarray) -> float:
    """Share of a frame's edges, (4, 2), along which lines of the mask run."""
    steps = np.linspace(0, 1, 40, endpoint=False)[:, None, None]
    points = (frame + steps * (np.roll(frame, -1, 0) - frame)).reshape(-1, 2)
    x, y = np.clip(np.round(points).astype(int), 0, np.array(mask.shape[::-1]) - 1).T
    return float((cv2.dilate(mask, np.ones((5, 5), np.uint8))[y, x] > 0).mean())
