"""Enroll a blank sheet from one photo: its grid, letters, entrance and tick tracks."""

from collections.abc import Mapping
from dataclasses import dataclass

import cv2
import numpy as np

from calibration.assignment import assign
from vision.errors import PhotoError
from vision.sheet.cells import CELL, classify_cells
from vision.sheet.diagnose import find_readable
from vision.sheet.flatten import FlatSheet, SheetMap, flatten
from vision.sheet.grid import from_corners
from vision.sheet.orientation import upright
from vision.sheet.printed_letters import ALPHABET, NONE, read_letters
from vision.sheet.profile import Cell, SheetProfile
from vision.sheet.tracks import Track, boxes_of, find_tracks, find_written, whole_page

TRACKS = ("gems", "penalties")
"""Names of the tracks in reading order."""


@dataclass(frozen=True)
class EnrolSettings:
    """Lengths in cells unless said."""

    cell: int = 48  # pixels a cell of the flattened sheet
    least_cell: float = 12  # pixels a cell in the photo
    spans: tuple[float, ...] = (0.98, 1.1, 1.22)  # cells shown to the reader of letters, in turn
    small: float = 0.42  # height of letters below which they are looked at from nearer
    least: float = 0.3  # probability among letters from which one is taken at all
    sure: float = 0.9  # below it a letter is doubtful
    patterned: float = 0.6  # share of the cells that carry print, from which print is no sign of a letter
    symbols: float = 0.05  # weight of "no letter" for a cell with print


SETTINGS = EnrolSettings()


@dataclass(frozen=True)
class Enrolment:
    """What was found on a blank sheet.

    Attributes:
        profile: to be saved, once a person has looked at it.
        lattice: (rows + 1, cols + 1, 2) float, crossings in photo pixels, [0, 0] the sheet's top left.
        flat: the sheet from above with its tracks, in color.
        doubtful: letters that a person should look at.
        missing: letters before the last one found that were not found.
        marked: cells that surely hold a mark: the sheet may not be blank.
        page: the whole page from above, in color, as far as the photo shows it.
    """

    profile: SheetProfile
    lattice: np.ndarray
    flat: FlatSheet
    doubtful: tuple[str, ...]
    missing: tuple[str, ...]
    marked: tuple[Cell, ...]
    page: FlatSheet


def enroll(
    image: np.ndarray,
    rows: int = 11,
    cols: int = 11,
    name: str = "sheet",
    letters: Mapping[str, Cell] | None = None,
    grid: np.ndarray | None = None,
) -> Enrolment:
    """Make a profile of a blank sheet's photo.

    Args:
        image: (H, W, 3) BGR uint8.
        letters: what is printed where, by a person who knows; else it is read.
        grid: (4, 2) corners set by a person (top left, top right, bottom right, bottom left), instead of the search.

    Raises PhotoError where no grid is found or the photo is too small.
    """
    lattice = find_readable(image, rows, cols) if grid is None else from_corners(image, grid, rows, cols)
    cell = SheetMap(lattice).cell_pixels
    if cell < SETTINGS.least_cell:
        raise PhotoError("sheet.too-small", cell=round(cell))
    if letters is None:
        lattice, found, confidence = _read(image, lattice, rows, cols)
    else:
        found, confidence = dict(letters), dict.fromkeys(letters, 1.0)
        lattice, _ = upright(image, lattice, SheetProfile(name, rows, cols, found))
    sheet_map = SheetMap(lattice)
    tracks = find_tracks(image, sheet_map)
    flat = _shown(image, sheet_map, tracks)
    profile = SheetProfile(
        name, rows, cols, found,
        _entrance(_ink(flat, rows, cols), set(found.values())),
        {k: boxes_of(t) for k, t in zip(TRACKS, tracks, strict=False)},
        written=find_written(image, sheet_map, tracks),
    )  # fmt: skip
    last = max(map(ALPHABET.find, found), default=-1)
    return Enrolment(
        profile, lattice, flat,
        tuple(k for k in sorted(confidence) if confidence[k] < SETTINGS.sure),
        tuple(k for k in ALPHABET[: last + 1] if k not in found),
        _marked(image, sheet_map, profile),
        whole_page(image, sheet_map),
    )  # fmt: skip


def _marked(image: np.ndarray, sheet_map: SheetMap, profile: SheetProfile) -> tuple[Cell, ...]:
    flat = flatten(image, sheet_map, CELL, 1.0)
    seen = classify_cells(flat.image, flat.cell, flat.origin, profile)
    marks = (seen.probabilities.argmax(-1) > 0) & ~seen.doubtful
    return tuple((int(r), int(c)) for r, c in np.argwhere(marks) if (r, c) != profile.entrance)


def _read(
    image: np.ndarray, lattice: np.ndarray, rows: int, cols: int
) -> tuple[np.ndarray, dict[str, Cell], dict[str, float]]:
    """The turn at which the letters read best, the letters, and how sure each is."""
    best = None
    for turn in range(4):
        turned = np.rot90(lattice, turn)
        if turned.shape[:2] != (rows + 1, cols + 1):
            continue
        flat = flatten(image, SheetMap(turned), SETTINGS.cell, 0.2)
        ink = _ink(flat, rows, cols)
        spans, middle = _letter_crops(flat, ink)
        value = _pairs(_printed_only(read_letters(flat, rows, cols, spans[1:2], middle), ink))[1]
        if best is None or value > best[0]:
            best = value, turned, ink, spans, middle
    assert best is not None
    _, turned, ink, spans, middle = best
    sharp = flatten(image, SheetMap(turned), int(np.clip(SheetMap(turned).cell_pixels, 24, 96)), 0.2)
    seen = _printed_only(read_letters(sharp, rows, cols, spans, middle), ink)
    found = {ALPHABET[k]: divmod(c, cols) for k, c in _pairs(seen)[0]}
    sure = {letter: float(seen[cell][ALPHABET.index(letter)]) for letter, cell in found.items()}
    found = {letter: cell for letter, cell in found.items() if sure[letter] > SETTINGS.least}
    return turned, found, {letter: round(sure[letter], 4) for letter in found}


def _pairs(seen: np.ndarray) -> tuple[list[tuple[int, int]], float]:
    """Letters and their cells, each once, as (class, flat index of the cell), and how well they read together."""
    flat = seen.reshape(-1, NONE + 1)
    # How much better a letter explains a cell than nothing does.
    gain = np.log((flat[:, :NONE].T + 1e-4) / (flat[:, NONE] + 0.03))
    pairs = assign(gain)
    return pairs, float(sum(gain[k, c] for k, c in pairs))


def _printed_only(seen: np.ndarray, ink: np.ndarray) -> np.ndarray:
    """The same probabilities, knowing that the sheet is blank: what stands in a cell was printed there.

    The reader also knows hands, so it takes a ring for a circle; here most of what is printed are letters, and an
    empty cell holds none. Where nearly all cells carry print (a pattern) this tells nothing.
    """
    printed = ink.max(2) > 0
    if printed.mean() > SETTINGS.patterned:
        return seen
    out = seen.copy()
    out[printed, NONE] *= SETTINGS.symbols
    out[~printed, :NONE] = 0
    return out / np.maximum(out.sum(2, keepdims=True), 1e-9)


def _letter_crops(flat: FlatSheet, ink: np.ndarray) -> tuple[tuple[float, ...], tuple[float, float]]:
    """Sides of the crops in which letters are read, and their center within a cell, by the type's size; in cells."""
    height, at = _type_size(flat, ink)
    if 0 < height < SETTINGS.small:
        # Small letters are looked at from nearer, all alike: one sheet is set in one type.
        return tuple(s * max(height, 0.1) / SETTINGS.small for s in SETTINGS.spans), at
    return SETTINGS.spans, (0.5, 0.5)


def _type_size(flat: FlatSheet, ink: np.ndarray) -> tuple[float, tuple[float, float]]:
    """Usual height of what is printed in the cells, and where in the cell its middle lies, in cells; 0 for none."""
    gray = cv2.cvtColor(flat.image, cv2.COLOR_BGR2GRAY) if flat.image.ndim == 3 else flat.image
    inset = round(0.1 * flat.cell)
    heights, middles = [], []
    for row, col in np.argwhere(ink[..., 0] > 0):
        top, left = (round(o + k * flat.cell) for o, k in ((flat.origin[1], row), (flat.origin[0], col)))
        part = gray[top + inset : top + flat.cell - inset, left + inset : left + flat.cell - inset].astype(np.float32)
        dark = 1 - part / max(float(np.percentile(part, 85)), 8) > 0.5 * ink[row, col, 0]
        ys, xs = (np.flatnonzero(dark.any(a)) for a in (1, 0))
        heights.append((ys[-1] - ys[0] + 1) / flat.cell if len(ys) else 0)
        if len(ys):
            middles.append([(v[0] + v[-1] + 1) / 2 / flat.cell + inset / flat.cell for v in (xs, ys)])
    if not middles:
        return 0.0, (0.5, 0.5)
    x, y = np.median(middles, 0)
    return float(np.median(heights)), (float(x), float(y))


def _ink(flat: FlatSheet, rows: int, cols: int) -> np.ndarray:
    """What is printed in the cells: (rows, cols, 2), how dark and which share of the cell; 0 for an empty cell."""
    gray = cv2.cvtColor(flat.image, cv2.COLOR_BGR2GRAY) if flat.image.ndim == 3 else flat.image
    gray = cv2.GaussianBlur(gray, (0, 0), 0.02 * flat.cell).astype(np.float32)
    inset = round(0.09 * flat.cell)
    dark = np.empty((rows, cols))
    share = np.empty((rows, cols))
    for row in range(rows):
        for col in range(cols):
            top, left = (round(o + k * flat.cell) for o, k in ((flat.origin[1], row), (flat.origin[0], col)))
            part = gray[top + inset : top + flat.cell - inset, left + inset : left + flat.cell - inset]
            part = 1 - part / max(float(np.percentile(part, 85)), 8)
            dark[row, col] = np.percentile(part, 99)
            share[row, col] = (part > 0.5 * max(dark[row, col], 0.1)).mean()
    # Blank cells are all alike; print is far darker than they. A few of the darkest cells say how dark.
    least = np.median(dark) + 0.35 * (np.sort(dark.ravel())[-3] - np.median(dark))
    return np.stack([dark, share], 2) * (dark > max(least, 0.08))[..., None]


def _shown(image: np.ndarray, sheet_map: SheetMap, tracks: list[Track]) -> FlatSheet:
    """The grid and its tracks from above, half a cell around."""
    corners = [(0, 0, sheet_map.cols, sheet_map.rows), *(t.bounds for t in tracks)]
    left, top = (min(c[k] for c in corners) - 0.5 for k in (0, 1))
    right, bottom = (max(c[k] for c in corners) + 0.5 for k in (2, 3))
    return flatten(image, sheet_map, SETTINGS.cell, box=(left, top, right - left, bottom - top))


def _entrance(ink: np.ndarray, taken: set[Cell]) -> Cell | None:
    """The cell with a printed symbol that is no letter; else the center, where there is one."""
    rows, cols = ink.shape[:2]
    covered = ink.prod(2)
    for cell in taken:
        covered[cell] = 0
    if covered.max() > 0:
        row, col = divmod(int(covered.argmax()), cols)
        return row, col
    return (rows // 2, cols // 2) if rows % 2 and cols % 2 else None
