"""The blank sheet's whole page: what is printed around the grid tells how the paper bends where no grid line does.

Boxes beside the grid are found by landmarks, patches of print that resemble nothing near them: curled paper may lie two
cells off at the page's edge, and most of what is printed there, boxes in a row, looks alike.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np

from vision.ranks import median
from vision.sheet.blank import BlankError, from_blank_picture
from vision.sheet.flatten import SheetMap, flatten
from vision.sheet.patches import even, found_in, like_elsewhere, patch_at
from vision.sheet.profile import Box, SheetProfile
from vision.sheet.ticks import BlankBoxes, measure_boxes, place_boxes
from vision.sheet.written import box_pictures


@dataclass(frozen=True)
class LandmarkSettings:
    """How landmarks are chosen on the blank page and found on a photo. Lengths in cells unless said."""

    cell: int = 14  # pixels a cell of the pictures that are compared
    patch: float = 1.6  # width of a landmark
    reach: float = 1.6  # how far it may lie from where the grid alone would have it
    beside: float = 1.6  # how far beyond the boxes, and what lies between them and the grid, landmarks are of use
    plain: float = 4.0  # gray levels of deviation below which a patch shows no print
    alike: float = 0.75  # correlation with another place within reach above which a patch is no landmark
    like: float = 0.55  # correlation from which one is believed
    close: float = 0.3  # how far most lie from where the grid would have them: there they are looked for first
    surely: float = 0.8  # correlation from which one found there is not looked for farther off
    near: int = 10  # landmarks that say where another lies
    strays: tuple[float, ...] = (0.8, 0.4, 0.2)  # how far one may lie from where those near it say, round by round
    tells: float = 3.5  # how near to a box landmarks tell where it lies
    enough: int = 3  # landmarks that do
    lies: float = 0.1  # how far a track's boxes may be off without being asked whether they show better there
    better: float = 1.1  # times the outline that a track must show where the print has it
    beyond: float = 3.0  # how far from the grid landmarks tell whether it is the grid
    seen: float = 0.5  # share of them that must be found to tell
    few: int = 5  # landmarks that must be found to tell
    apart: float = 0.5  # how much farther out one lies than another from which both tell how the paper bends


SETTINGS = LandmarkSettings()


@dataclass(frozen=True)
class Landmarks:
    """Patches of print that resemble nothing near them.

    Attributes:
        places: (n, 2) their middles in grid units.
        patches: (n, side, side) float32, light and paper taken off: OpenCV compares them sooner than whole numbers.
        box: the part of the page that they were taken from.
        ticks: the boxes of tracks; `numbers`: (n, 32, 64, 3) uint8, those for numbers.
    """

    places: np.ndarray
    patches: np.ndarray
    box: Box
    ticks: BlankBoxes | None = None
    numbers: np.ndarray | None = None


def load_page(profile: SheetProfile) -> Landmarks | None:
    """The landmarks of the profile's page; None where it names none. Raises BlankError for a picture of no use."""
    return from_blank_picture(profile, profile.page, _landmarks) if profile.boxes else None


def known_page(profile: SheetProfile) -> Landmarks | None:
    """As `load_page`; None where the profile has no page of use."""
    try:
        return load_page(profile)
    except BlankError:
        return None


def _landmarks(image: np.ndarray, lattice: np.ndarray, profile: SheetProfile) -> Landmarks:
    gray, sheet_map = cv2.cvtColor(image, cv2.COLOR_BGR2GRAY), SheetMap(lattice)
    return replace(
        find_landmarks(gray, sheet_map, profile.boxes),
        ticks=measure_boxes(image, sheet_map, profile.tracks),
        numbers=box_pictures(image, sheet_map, profile.written) if profile.written else None,
    )


def settled(
    gray: np.ndarray, sheet_map: SheetMap, page: Landmarks, profile: SheetProfile, seen: np.ndarray | None = None
) -> tuple[SheetProfile, tuple[bool, ...], float | None]:
    """The profile with its tracks' and numbers' boxes where this photo shows them; whether print told so, by number;
    and how far off the grid what is printed around it says that it lies, see `offsets`.

    Args:
        gray: (H, W) uint8 photo.
        sheet_map: where its grid lies.
        page: the blank page's landmarks.
        profile: the sheet, as it was enrolled.
        seen: where the photo shows the landmarks, if `seen_landmarks` has been asked already.
    """
    boxes = profile.boxes
    if not boxes:
        return profile, (), None
    seen = seen_landmarks(gray, sheet_map, page) if seen is None else seen
    off, told, misfit = offsets(seen, sheet_map, page, boxes)
    shape = page.ticks.shape if page.ticks else None
    moved = iter((x + dx, y + dy, w, h) for (x, y, w, h), (dx, dy) in zip(boxes, off.tolist(), strict=True))
    tracks = {}
    for name, track in profile.tracks.items():
        there = tuple(next(moved) for _ in track)
        if not track or np.abs(np.subtract(track, there)).max() < SETTINGS.lies:
            tracks[name] = track
            continue
        # A box's own outline has the last word.
        shown = [place_boxes(gray, sheet_map, place, shape)[1] for place in (track, there)]
        tracks[name] = there if shown[1] > SETTINGS.better * shown[0] else track
    numbers = tuple(told.tolist()[len(boxes) - len(profile.written) :])
    return replace(profile, tracks=tracks, written=tuple(moved)), numbers, misfit


def find_landmarks(page: np.ndarray, sheet_map: SheetMap, boxes: Sequence[Box]) -> Landmarks:
    """The landmarks of a blank page around boxes beside the grid, and between them and the grid.

    Args:
        page: (H, W) uint8.
        sheet_map: where its grid lies.
        boxes: at least one, in grid units.
    """
    rows, cols, cell = sheet_map.rows, sheet_map.cols, SETTINGS.cell
    points = np.array([(px, py) for x, y, w, h in boxes for px in (x, x + w) for py in (y, y + h)], np.float32)
    inside = SETTINGS.patch / 2 + SETTINGS.reach
    left, top = np.floor(np.minimum(points.min(0), 0) - SETTINGS.beside - inside).tolist()
    right, bottom = np.ceil(np.maximum(points.max(0), (cols, rows)) + SETTINGS.beside + inside).tolist()
    box = (left, top, right - left, bottom - top)
    known = even(flatten(page, sheet_map, cell, box=box).image, cell)
    corners = np.array([(0, 0), (cols, 0), (0, rows), (cols, rows)], np.float32)
    hull = cv2.convexHull(np.concatenate([points, corners]))
    half, reach, own = round(SETTINGS.patch * cell / 2), round(SETTINGS.reach * cell), cell // 4
    places, patches = [], []
    for v in np.arange(top + inside, bottom - inside):
        for u in np.arange(left + inside, right - inside):
            beyond = max(-u, u - cols, -v, v - rows) > 0
            if not beyond or cv2.pointPolygonTest(hull, (float(u), float(v)), True) < -SETTINGS.beside:
                continue
            x, y = _pixel((u, v), box, cell)
            patch, room = patch_at(known, x, y, half), patch_at(known, x, y, half + reach)
            if patch is None or room is None or patch.std() < SETTINGS.plain:
                continue
            if like_elsewhere(room, patch, own) <= SETTINGS.alike:
                places.append((u, v))
                patches.append(patch)
    return Landmarks(np.array(places).reshape(-1, 2), np.array(patches, np.float32), box)


def seen_landmarks(gray: np.ndarray, sheet_map: SheetMap, page: Landmarks) -> np.ndarray:
    """Where in a photo, (H, W) uint8, the landmarks lie: (n, 2) pixels, nan where one is not seen. A grid whose
    crossings are a little off will do."""
    seen = even(flatten(gray, sheet_map, SETTINGS.cell, box=page.box).image, SETTINGS.cell).astype(np.float32)
    found = [
        _found(seen, _pixel(place, page.box, SETTINGS.cell), patch)
        for place, patch in zip(page.places, page.patches, strict=True)
    ]
    here, out = [k for k, off in enumerate(found) if off is not None], np.full(page.places.shape, np.nan)
    out[here] = sheet_map(*(page.places[here] + np.array([found[k] for k in here]).reshape(-1, 2)).T)
    return out


def offsets(
    seen: np.ndarray, sheet_map: SheetMap, page: Landmarks, boxes: Sequence[Box]
) -> tuple[np.ndarray, np.ndarray, float | None]:
    """How far boxes beside the grid lie from where the grid alone would have them: (n, 2) cells, right and down;
    whether landmarks near each tell so, (n,) bool; and how far off, in cells, those near the grid say that it lies:
    the median, None where too few are seen. Paper that bends takes them away the more the farther out they are, a
    grid that lies wrong as much at its edge: the less of both counts.

    `seen`: where the landmarks are, as `seen_landmarks` has them.
    """
    rows, cols = sheet_map.rows, sheet_map.cols
    here = np.isfinite(seen).all(1)
    places = page.places[here]
    off = sheet_map.units(seen[here]) - places
    middle = np.array([cols, rows]) / 2
    near = np.all(np.abs(page.places - middle) < middle + SETTINGS.beyond, axis=1)
    away = np.minimum(*(np.abs(way).max(1) for way in (off, _at_edge(places, off, rows, cols))))[near[here]]
    misfit = float(median(away)) if len(away) >= max(SETTINGS.few, SETTINGS.seen * near.sum()) else None
    u, v = np.meshgrid(np.arange(cols + 1.0), np.arange(rows + 1.0))
    rim = (u % cols == 0) | (v % rows == 0)
    edge = np.stack([u[rim], v[rim]], 1)

    def said(at: np.ndarray, others: bool = False, flat: bool = False) -> np.ndarray:
        known, moved = np.concatenate([places, edge]), np.concatenate([off, 0 * edge])
        return _said(known, moved, at, SETTINGS.near, others, flat)

    # At first strays tilt every plane; but where landmarks are few, most of those near lie in the grid.
    stays = np.minimum(*(np.abs(said(places, True, flat) - off).max(1) for flat in (True, False))) < SETTINGS.strays[0]
    for stray in SETTINGS.strays[1:]:
        places, off = places[stays], off[stays]
        stays = np.abs(said(places, True) - off).max(1) < stray
    places, off = places[stays], off[stays]
    middles = np.array([(x + w / 2, y + h / 2) for x, y, w, h in boxes])
    apart = np.linalg.norm(middles[:, None] - places[None], axis=2)
    return said(middles), (apart < SETTINGS.tells).sum(1) >= SETTINGS.enough, misfit


def _at_edge(places: np.ndarray, off: np.ndarray, rows: int, cols: int) -> np.ndarray:
    """How far off the landmarks would lie, (n, 2), did the paper not bend beyond the grid: `off`, less by what it grows
    on that side of the grid from its edge to each of `places`, (n, 2)."""
    out = off.copy()
    beyond = np.stack([-places[:, 0], places[:, 0] - cols, -places[:, 1], places[:, 1] - rows], 1)
    side, far = beyond.argmax(1), beyond.max(1)
    for one in range(4):
        which = np.flatnonzero(side == one)
        i, j = np.triu_indices(len(which), 1)
        apart = far[which][j] - far[which][i]
        pairs = np.abs(apart) >= SETTINGS.apart
        if len(which) >= SETTINGS.few and pairs.any():
            grows = (off[which][j] - off[which][i])[pairs] / apart[pairs, None]
            out[which] -= median(grows, 0) * far[which, None]
    return out


def _pixel(place: Sequence[float] | np.ndarray, box: Box, cell: int) -> tuple[int, int]:
    return round((float(place[0]) - box[0]) * cell), round((float(place[1]) - box[1]) * cell)


def _found(seen: np.ndarray, at: tuple[int, int], patch: np.ndarray) -> tuple[float, float] | None:
    """How far a landmark lies from where the grid would have it, in cells; None where it is not seen."""
    for far, least in ((SETTINGS.close, SETTINGS.surely), (SETTINGS.reach, SETTINGS.like)):
        reach = round(far * SETTINGS.cell)
        room = patch_at(seen, *at, len(patch) // 2 + reach)
        if room is None:
            return None
        if there := found_in(room, patch, least):
            return (there[0] - reach) / SETTINGS.cell, (there[1] - reach) / SETTINGS.cell
    return None


def _said(
    known: np.ndarray, moved: np.ndarray, at: np.ndarray, near: int, others: bool = False, flat: bool = False
) -> np.ndarray:
    """(m, 2): how far off places lie by what is known nearest them: the plane through it, or, `flat`, its middle.

    Args:
        known: (n, 2) places; `moved`: (n, 2) how far each lies off.
        at: (m, 2) places asked for; with `others` they are the first of the known, and do not count for themselves.
        near: how many of the known count.
    """
    way = known[None] - at[:, None]
    far = np.einsum("abk,abk->ab", way, way)
    if others:
        far[np.arange(len(at)), np.arange(len(at))] = np.inf
    nearest = np.argsort(far, 1)[:, :near]
    off = moved[nearest]
    if flat:
        return np.asarray(median(off, 1))
    rows = np.arange(len(at))[:, None]
    terms = np.concatenate([np.ones((*nearest.shape, 1)), way[rows, nearest]], 2)
    weighed = terms / (0.1 + far[rows, nearest])[..., None]
    # A little is held against slopes, so that landmarks in one line do not tilt the plane.
    normal = weighed.swapaxes(1, 2) @ terms + np.diag([0.0, 0.3, 0.3])
    return np.asarray(np.linalg.solve(normal, weighed.swapaxes(1, 2) @ off)[:, 0])
