"""Find the enrolled page in a photo by what is printed on it, before any line is looked for.

Features of a reduced picture (SIFT, then ORB) give a homography; patches of the blank page then tell, one by one, how
far off it is where the paper curls, and whether this is the page at all. Lines only refine what comes out.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache, partial
from threading import Lock

import cv2
import numpy as np

from vision.ranks import median
from vision.sheet.blank import BlankError, from_blank_picture
from vision.sheet.flatten import SheetMap, cell_pixels, crossings, flatten, projected
from vision.sheet.grid import followed, shrunk
from vision.sheet.patches import even, like_elsewhere, likenesses, patch_at, peaks
from vision.sheet.profile import Box, SheetProfile


@dataclass(frozen=True)
class RegistrationSettings:
    """Lengths in cells unless said."""

    beyond: float = 4.0  # of the page around the grid that is compared
    cell: int = 14  # pixels a cell of the pictures in which patches are compared
    patch: float = 1.6  # width of a patch
    plain: float = 4.0  # gray levels of deviation below which a patch shows no print
    passes: tuple[tuple[float, int], ...] = ((0.6, 7), (0.6, 7), (0.3, 14))
    """How far off a patch is looked for, pass by pass, and pixels a cell of the pictures: what may lie far off is
    looked for in coarser ones, in a tenth of the time."""
    like: float = 0.5  # correlation from which one is believed
    around: float = 1.35  # how far around a patch of the page its like is looked for
    own: float = 0.45  # and how near it lies itself
    alike: float = 0.7  # correlation up to which nothing there is like it
    few: int = 5  # patches of that kind from which they alone tell whether this is the page, and where
    near: float = 0.15  # how far one may lie from where the others say
    ratio: float = 0.8  # distance of a feature's best match by that of its second, at most
    least_matches: int = 7  # features that agree on a homography
    least_cut: int = 10  # and for a page of which only a part is seen
    apart: float = 0.006  # of the photo's longer side: how far features that agree may lie off
    apart_loose: float = 0.015  # the same where all that was found is taken together
    begun: float = 0.1  # share of the patches that must agree at first
    least_seen: int = 16  # and so many of them
    sure: float = 0.28  # share from which the patches alone tell how far off lines lie
    within: float = 0.03  # and share of the patches on the grid: it may be covered
    quarter: float = 0.1  # share that must agree in each quarter of the page then: half a page bends as it likes
    plain_lines: float = 0.35  # how much of the grid must be seen printed then to end the search (`vision.sheet.grid`)
    plain_patches: float = 0.75  # or the share of the patches: some prints' lines are fainter than their pictures
    together: float = 0.36  # that, and the share of the patches, added up, to believe what is found at last
    lines: float = 0.45  # how much of it must be seen where patches tell nothing
    inside: float = 0.6  # share of the grid that must lie in the photo
    inside_cut: float = 0.1  # and for one that is cut off by the photo's edge
    apart_lines: float = 0.25  # how far off the lines are from which the patches are believed instead
    many: float = 0.7  # share of the patches that agree from which they are believed sooner
    apart_from_many: float = 0.08  # how far off the lines are then
    at_one: float = 0.15  # how far off nine tenths of the crossings are at most to end the search
    same: float = 0.1  # how far from one another two ways to find features may have the page to end it too
    nearly_all: float = 0.9  # share from which they are believed crossing by crossing
    apart_from_all: float = 0.15  # how far off a crossing of the lines is then: patches lie 0.11 off at most
    side: int = 4  # lines of each side that are held against the `beside` next ones
    beside: int = 5
    bent: float = 0.5  # how far from where these lay them they may lie without being laid anew
    gain: float = 0.1  # how much more of lines and patches must agree to believe it then


SETTINGS = RegistrationSettings()


@dataclass(frozen=True)
class Detector:
    """A way to find features: `side` pixels of the reduced photo's longer side, `cell` pixels a cell of the page."""

    make: Callable[[], cv2.Feature2D]
    norm: int
    side: int
    cell: int


def _sift(count: int) -> cv2.Feature2D:
    return cv2.SIFT_create(count, contrastThreshold=0.02)  # type: ignore[attr-defined]


def _orb() -> cv2.Feature2D:
    return cv2.ORB_create(2000, 1.3, 5, fastThreshold=8)  # type: ignore[attr-defined]


DETECTORS = (
    Detector(partial(_sift, 600), cv2.NORM_L2, 400, 12),
    Detector(_orb, cv2.NORM_HAMMING, 1000, 30),
    Detector(partial(_sift, 800), cv2.NORM_L2, 800, 20),
)
"""Tried in turn until one finds the page."""


@dataclass(frozen=True)
class Features:
    """Places, (n, 2), and what each looks like, (n, k)."""

    places: np.ndarray
    looks: np.ndarray


@dataclass(frozen=True)
class PrintedPage:
    """What is known of the blank page.

    Attributes:
        flats: (H, W) uint8 from above, the light taken off, by pixels a cell.
        box: the part of the page that it shows.
        places: (n, 2) middles of the patches that show print, in grid units.
        telling: (n,) bool, which of them resemble nothing within a cell's step: they tell one column from the next.
        features: for each of `DETECTORS`, made when first asked for, places in grid units.
        mirrored: those of the page as a mirror shows it, in the mirror's grid units.
    """

    flats: Mapping[int, np.ndarray]
    box: Box
    places: np.ndarray
    telling: np.ndarray
    features: Callable[[int], Features | None]
    mirrored: Callable[[int], Features | None]


class Searched:
    """A photo, (H, W) uint8, in which the page is looked for; features are found once each."""

    def __init__(self, gray: np.ndarray) -> None:
        self.gray = gray
        self._found: dict[int, Features | None] = {}

    def features(self, which: int) -> Features | None:
        """What one of `DETECTORS` finds, places in pixels."""
        if which not in self._found:
            detector = DETECTORS[which]
            scale = min(1.0, detector.side / max(self.gray.shape))
            seen = _detected(detector, shrunk(self.gray, scale))
            self._found[which] = seen and Features((seen.places + 0.5) / scale - 0.5, seen.looks)
        return self._found[which]


@dataclass(frozen=True)
class Matches:
    """Features of a photo that look like some of the page: `here` (n, 2) photo pixels, `there` (n, 2) grid units."""

    here: np.ndarray
    there: np.ndarray

    def beside(self, outlines: Sequence[np.ndarray]) -> Matches:
        """Those that lie in none of these outlines, (n, 2) photo pixels each."""
        hulls = [cv2.convexHull(outline.astype(np.float32)) for outline in outlines]
        points = self.here.tolist()
        out = np.array([all(cv2.pointPolygonTest(hull, p, False) < 0 for hull in hulls) for p in points], bool)
        return Matches(self.here[out], self.there[out])

    def shown(self, shape: tuple[int, ...], rows: int, cols: int, least: int) -> np.ndarray | None:
        """About where they show the page, (rows + 1, cols + 1, 2), much of which may be cut off by the edge of the
        photo of that shape; None where fewer than `least` agree."""
        homography = _homography(self, shape, least)
        lattice = None if homography is None else projected(homography, rows, cols)
        return lattice if lattice is not None and _plausible(lattice, shape, SETTINGS.inside_cut) else None


@dataclass(frozen=True)
class Registered:
    """Where the page lies.

    Attributes:
        lattice: (rows + 1, cols + 1, 2) photo pixels.
        seen: share of its telling patches that agree; 0 where only its features and lines tell.
        sure: all over the page.
        apart: how far from there the lines of the grid lie, by crossing, in cells; None where they tell nothing.
        matches: all over the photo, those that were found first.
    """

    lattice: np.ndarray
    seen: float
    sure: bool = False
    apart: np.ndarray | None = None
    matches: Matches | None = None

    @property
    def misfit(self) -> float:
        """How far off the lines are, in cells, the median."""
        return 0.0 if self.apart is None else float(median(self.apart))

    @property
    def at_one(self) -> bool:
        """Whether patches and lines say the same nearly everywhere: a page found with a corner astray bends there, and
        its lines do not."""
        return self.sure and self.apart is not None and float(np.quantile(self.apart, 0.9)) <= SETTINGS.at_one


def printed_page(profile: SheetProfile) -> PrintedPage | None:
    """The profile's page; None where it names none of use."""
    try:
        return from_blank_picture(profile, profile.page, measure_page)
    except BlankError:
        return None


def measure_page(image: np.ndarray, lattice: np.ndarray, profile: SheetProfile) -> PrintedPage:
    """Take the print from a picture, (H, W, 3) BGR, of the blank page; `lattice` as `SheetMap` takes it."""
    gray, sheet_map = cv2.cvtColor(image, cv2.COLOR_BGR2GRAY), SheetMap(lattice)
    box = _shown(gray.shape, sheet_map)
    flat = _even(gray, sheet_map, box, SETTINGS.cell)
    half = SETTINGS.patch / 2
    u, v = np.meshgrid(
        np.arange(box[0] + half, box[0] + box[2] - half), np.arange(box[1] + half, box[1] + box[3] - half)
    )
    places = np.stack([u.ravel(), v.ravel()], 1)
    printed = [
        patch is not None and float(patch.std()) >= SETTINGS.plain for patch in _patches(flat, box, places, half)
    ]

    @lru_cache(maxsize=2 * len(DETECTORS))
    def features(which: int, mirrored: bool = False) -> Features | None:
        detector = DETECTORS[which]
        seen = flatten(gray, sheet_map, detector.cell, box=box).image
        found = _detected(detector, cv2.flip(seen, 1) if mirrored else seen)
        left = sheet_map.cols - box[0] - box[2] if mirrored else box[0]
        return found and Features((found.places + 0.5) / detector.cell + np.array([left, box[1]]), found.looks)

    places = places[np.array(printed, bool)]
    telling = _telling(flat, box, places)
    flats = {cell: _even(gray, sheet_map, box, cell) for cell in {SETTINGS.cell, *(c for _, c in SETTINGS.passes)}}
    return PrintedPage(flats, box, places, telling, features, partial(features, mirrored=True))


def _telling(flat: np.ndarray, box: Box, places: np.ndarray) -> np.ndarray:
    """Which patches resemble nothing around them, `SETTINGS.around` cells wide: (n,) bool."""
    half, around = SETTINGS.patch / 2, SETTINGS.around
    own = round(SETTINGS.own * SETTINGS.cell)
    out = np.zeros(len(places), bool)
    rooms, known = (_patches(flat, box, places, reach) for reach in (half + around, half))
    for k, (room, patch) in enumerate(zip(rooms, known, strict=True)):
        if room is not None and patch is not None:
            out[k] = like_elsewhere(room, patch, own) <= SETTINGS.alike
    return out


def register(photo: np.ndarray | Searched, page: PrintedPage, rows: int, cols: int) -> Registered | None:
    """Where the page lies in a photo, (H, W) uint8, its lines followed; None where it is not found."""
    searched = photo if isinstance(photo, Searched) else Searched(photo)
    gray, best, most, tried = searched.gray, None, (False, 0.0), list[Matches]()
    for which in range(len(DETECTORS) + 1):
        if which < len(DETECTORS):
            matches = _matches(searched.features(which), page.features(which), which)
            tried += [matches] if matches else []
            homography = _homography(matches, gray.shape)
        else:
            homography = _homography(_pooled(tried), gray.shape, loose=True)
        lattice = None if homography is None else projected(homography, rows, cols)
        if lattice is None or not _plausible(lattice, gray.shape):
            continue
        found, printed = _by_lines(gray, settled(gray, lattice, page) or Registered(lattice, 0.0))
        value = found.at_one, printed + found.seen
        if value > most and (found.seen or printed >= SETTINGS.lines):
            again, best, most = best, found, value
        else:
            again = best
        shown = printed >= SETTINGS.plain_lines or found.seen >= SETTINGS.plain_patches
        if found.at_one and (shown or (again and again.at_one and _same(again.lattice, found.lattice))):
            break
    if best:
        best, agreed = _sides_anew(gray, best, most[1], page)
        most = best.at_one, agreed
    return replace(best, matches=tried[0]) if best and (best.sure or most[1] >= SETTINGS.together) else None


def _sides_anew(gray: np.ndarray, found: Registered, value: float, page: PrintedPage) -> tuple[Registered, float]:
    """The lattice with each side that bends far away from its middle laid anew as the middle has it, where lines and
    patches agree with that more than the share `value` that they do now; and that share. In a grid that looks the same
    cell by cell, both follow a side that lies one off."""
    for turn in range(4):
        lattice = _side_anew(found.lattice, turn)
        if lattice is None or not _plausible(lattice, gray.shape):
            continue
        anew, printed = _by_lines(gray, settled(gray, lattice, page) or Registered(lattice, 0.0))
        if printed + anew.seen > value + SETTINGS.gain:
            found, value = anew, printed + anew.seen
    return found, value


def _side_anew(lattice: np.ndarray, turn: int) -> np.ndarray | None:
    """The lattice with its upper lines, once it is turned by so many quarters, where those beside them lay them in
    perspective; None where they do lie there, or where there are too few."""
    turned = np.rot90(lattice, turn)
    units = crossings(turned.shape[0] - 1, turned.shape[1] - 1)
    outer, inner = slice(SETTINGS.side), slice(SETTINGS.side, SETTINGS.side + SETTINGS.beside)
    if len(turned) < inner.stop:
        return None
    homography, _ = cv2.findHomography(units[inner].reshape(-1, 2), turned[inner].reshape(-1, 2), 0)
    if homography is None:
        return None
    seen = cv2.perspectiveTransform(turned[outer].reshape(1, -1, 2), np.linalg.inv(homography))
    if np.abs(seen.reshape(units[outer].shape) - units[outer]).max() <= SETTINGS.bent:
        return None
    laid = cv2.perspectiveTransform(units[outer].reshape(1, -1, 2), homography).reshape(units[outer].shape)
    return np.rot90(np.concatenate([laid, turned[SETTINGS.side :]]), -turn)


def _same(one: np.ndarray, other: np.ndarray) -> bool:
    """Whether two lattices lie in the same place."""
    return bool(np.abs(one - other).max() < SETTINGS.same * cell_pixels(one))


def is_mirrored(searched: Searched, page: PrintedPage, rows: int, cols: int) -> bool:
    """Whether a photo shows the page as in a mirror: the flipped photo is searched where its features look like it."""
    shape = searched.gray.shape
    for which in range(len(DETECTORS)):
        matches = _matches(searched.features(which), page.mirrored(which), which)
        homography = _homography(matches, shape)
        if homography is not None and _plausible(projected(homography, rows, cols), shape):
            found = register(cv2.flip(searched.gray, 1), page, rows, cols)
            return found is not None and found.sure
    return False


def register_cut(gray: np.ndarray, page: PrintedPage, rows: int, cols: int) -> np.ndarray | None:
    """About where the page lies in a photo, (rows + 1, cols + 1, 2), where much of it may be cut off by the photo's
    edge; None where it is not found."""
    searched = Searched(gray)
    seen = (_matches(searched.features(which), page.features(which), which) for which in range(len(DETECTORS)))
    parts = (matches.shown(gray.shape, rows, cols, SETTINGS.least_cut) for matches in seen if matches)
    return next((lattice for lattice in parts if lattice is not None), None)


def _by_lines(gray: np.ndarray, found: Registered) -> tuple[Registered, float]:
    """The lattice moved onto the lines, where these do not contradict the patches; and how much of it is seen
    printed."""
    lattice, printed = followed(gray, found.lattice)
    if not _plausible(lattice, gray.shape) or (found.sure and printed <= 0):
        return found, 0.0
    printed = max(0.0, printed)
    if not found.sure:
        return replace(found, lattice=lattice), printed
    apart = np.abs(lattice - found.lattice).max(2) / cell_pixels(found.lattice)
    misfit = float(median(apart))
    limit = SETTINGS.apart_from_many if found.seen >= SETTINGS.many else SETTINGS.apart_lines
    strays = apart > (SETTINGS.apart_from_all if found.seen >= SETTINGS.nearly_all else np.inf)
    by_patches = strays | (misfit > limit)
    lattice = np.where(by_patches[..., None], found.lattice, lattice)
    return replace(found, lattice=lattice, apart=apart), printed


def settled(gray: np.ndarray, lattice: np.ndarray, page: PrintedPage) -> Registered | None:
    """A lattice known to less than a cell moved to where the page's patches lie; None where too few of them agree."""
    rows, cols = lattice.shape[0] - 1, lattice.shape[1] - 1
    units = crossings(rows, cols).reshape(-1, 2)
    middle = np.array([cols, rows]) / 2
    for reach, cell in SETTINGS.passes:
        sheet_map = SheetMap(lattice)
        which, off = _found(_even(gray, sheet_map, page.box, cell), page, reach, cell)
        if len(which) < SETTINGS.least_seen:
            return None
        places = page.places[which]
        bend, agree = _bend(places, off, middle)
        share, count = agree.sum() / max(1, len(page.places)), int(agree.sum())
        if share < SETTINGS.begun or count < SETTINGS.least_seen:
            return None
        quarters = _quarters(places[agree], middle) / np.maximum(1, _quarters(page.places, middle))
        lattice = sheet_map(*(units + bend(units)).T).reshape(rows + 1, cols + 1, 2)
        if not _plausible(lattice, gray.shape):
            return None
    everywhere = bool(quarters.min() >= SETTINGS.quarter)
    enough = page.telling.sum() >= SETTINGS.few
    seen = float(page.telling[which[agree]].sum() / page.telling.sum() if enough else share)
    inside = np.all((page.places > 0) & (page.places < 2 * middle), axis=1)
    everywhere &= bool(inside[which[agree]].sum() >= SETTINGS.within * inside.sum())
    return Registered(lattice, seen if everywhere else 0.0, everywhere and seen >= SETTINGS.sure)


def _shown(shape: tuple[int, ...], sheet_map: SheetMap) -> Box:
    """The part of the page, in grid units, that its picture of that shape shows."""
    h, w = shape[:2]
    edge = np.array(
        [(x * w, y * h) for x, y in ((0, 0), (1, 0), (1, 1), (0, 1), (0.5, 0), (0.5, 1), (0, 0.5), (1, 0.5))]
    )
    units = sheet_map.units(edge)
    lo = np.maximum(np.ceil(units.min(0)), -SETTINGS.beyond)
    hi = np.minimum(np.floor(units.max(0)), np.array([sheet_map.cols, sheet_map.rows]) + SETTINGS.beyond)
    return float(lo[0]), float(lo[1]), float(hi[0] - lo[0]), float(hi[1] - lo[1])


ONE_AT_A_TIME = Lock()
"""Features are found on all cores, and take 30 MB meanwhile."""


def _detected(detector: Detector, gray: np.ndarray) -> Features | None:
    with ONE_AT_A_TIME:
        points, looks = detector.make().detectAndCompute(gray, None)
    if looks is None or len(points) < SETTINGS.least_matches:
        return None
    return Features(np.array([p.pt for p in points]), looks)


def _matches(seen: Features | None, known: Features | None, which: int) -> Matches | None:
    """What looks alike in the photo and on the page, both seen by one of `DETECTORS`."""
    if known is None or seen is None:
        return None
    pairs = cv2.BFMatcher(DETECTORS[which].norm).knnMatch(seen.looks, known.looks, k=2)
    good = [best for best, *rest in pairs if rest and best.distance < SETTINGS.ratio * rest[0].distance]
    return Matches(
        seen.places[[m.queryIdx for m in good]].reshape(-1, 2), known.places[[m.trainIdx for m in good]].reshape(-1, 2)
    )


def _pooled(several: Sequence[Matches]) -> Matches | None:
    """All that any detector found."""
    if not several:
        return None
    return Matches(np.concatenate([m.here for m in several]), np.concatenate([m.there for m in several]))


def _homography(
    matches: Matches | None, shape: tuple[int, ...], least: int = SETTINGS.least_matches, loose: bool = False
) -> np.ndarray | None:
    """From grid units to the photo's pixels, as most of the matches have it, and so many at least; `loose`: on paper
    that bends and among many wrong ones, where few agree closely."""
    if matches is None or len(matches.here) < least:
        return None
    apart = (SETTINGS.apart_loose if loose else SETTINGS.apart) * max(shape)
    method, tries = (cv2.RANSAC, 6000) if loose else (cv2.USAC_MAGSAC, 2000)
    found, agree = cv2.findHomography(matches.there, matches.here, method, apart, maxIters=tries, confidence=0.999)
    return found if found is not None and int(agree.sum()) >= least else None


def _plausible(lattice: np.ndarray, shape: tuple[int, ...], inside: float = SETTINGS.inside) -> bool:
    """Not mirrored nor folded over, such a share in the photo, cells of some pixels and not too unequal."""
    if not np.all(np.isfinite(lattice)) or np.abs(lattice).max() > 4 * max(shape):
        return False
    if np.all((lattice > 0) & (lattice < (shape[1], shape[0])), axis=-1).mean() < inside:
        return False
    right, down = np.diff(lattice, axis=1)[:-1], np.diff(lattice, axis=0)[:, :-1]
    area = right[..., 0] * down[..., 1] - right[..., 1] * down[..., 0]
    return bool(area.min() > 16 and area.max() < 20 * area.min() and cell_pixels(lattice) > 6)


def _patches(flat: np.ndarray, box: Box, places: np.ndarray, half: float) -> list[np.ndarray | None]:
    """The squares of 2 `half` cells around places; None where one does not lie in the picture."""
    pixels = np.round((places - box[:2]) * SETTINGS.cell).astype(int).tolist()
    return [patch_at(flat, x, y, round(half * SETTINGS.cell)) for x, y in pixels]


def _even(gray: np.ndarray, sheet_map: SheetMap, box: Box, cell: int) -> np.ndarray:
    """A part of the page from above, the light taken off: (H, W) uint8."""
    return even(flatten(gray, sheet_map, cell, box=box).image, cell)


def _found(flat: np.ndarray, page: PrintedPage, reach: float, cell: int) -> tuple[np.ndarray, np.ndarray]:
    """Which of the page's patches are seen, (m,), and how far off each lies: (m, 2) cells, right and down; `cell`:
    pixels a cell of the picture."""
    half, far, known = round(SETTINGS.patch / 2 * cell), round(reach * cell), page.flats[cell]
    middles = np.round((page.places - page.box[:2]) * cell).astype(int)
    inside = np.all((middles >= half + far) & (middles + half + far <= known.shape[::-1]), axis=1)
    here = np.flatnonzero(inside)
    which, off = peaks(likenesses(flat, known, middles[here] - half, 2 * half, far), SETTINGS.like)
    return here[which], off / cell


def _quarters(places: np.ndarray, middle: np.ndarray) -> np.ndarray:
    """How many places lie in each quarter of the page: (4,)."""
    right, low = (places > middle).T
    return np.bincount(right + 2 * low, minlength=4)


def _bend(
    places: np.ndarray, off: np.ndarray, middle: np.ndarray
) -> tuple[Callable[[np.ndarray], np.ndarray], np.ndarray]:
    """A smooth field, cubic along both ways, close to most of the offsets; and which of these agree, (n,) bool."""

    def terms(at: np.ndarray) -> np.ndarray:
        x, y = ((at - middle) / middle).T
        return np.stack([x**i * y**j for i in range(4) for j in range(4 - i)], 1)

    every = terms(places)
    stiff = np.diag([0.02 * (i + j) ** 2 for i in range(4) for j in range(4 - i)]) + 1e-6 * np.eye(every.shape[1])
    moved = median(off, 0) + np.zeros_like(off)
    found = np.zeros((every.shape[1], 2))
    for width in (0.5, 0.3, 0.15, 0.1, 0.1):
        trust = 1 / (1 + (((off - moved) / width) ** 2).sum(1)) ** 2
        found = np.linalg.solve((every * trust[:, None]).T @ every + stiff, (every * trust[:, None]).T @ off)
        moved = every @ found
    return lambda at: terms(at) @ found, np.abs(off - moved).max(1) < SETTINGS.near
