"""First guesses where a grid may lie: clusters of equal white quadrilaterals, and big frames.

A blank cell of a printed grid is a white quadrilateral between dark lines, and so is
a cell with a letter or a small circle in it (the outline is what counts). Such cells repeat
at a step equal to their own size, which little else in a photo does. Where lines are too faint to
close the cells, the outline of the whole grid still gives a guess; `lines` judges them all.
"""

from collections.abc import Iterator
from dataclasses import dataclass

import cv2
import numpy as np


@dataclass(frozen=True)
class SeedSettings:
    """In parts of the searched picture's longer side, of a cell, or of full contrast."""

    line: float = 0.013  # thicker than any line
    least_cell: float = 0.01
    most_cell: float = 0.2
    least_fill: float = 0.80  # of a quadrilateral's area by its contour
    dark: float = 0.65  # of the brightness that parts paper from table best: darker than that is no paper
    spared: float = 0.5  # share of what is dark: where more lies on paper, leaving out the rest spares little
    neighbor: float = 0.28  # how far from its place a neighbor may lie, in cells
    least_cluster: int = 4
    most_frames: int = 6  # that are shown of one picture


SETTINGS = SeedSettings()


def line_mask(gray: np.ndarray, contrast: float) -> np.ndarray:
    """Thin dark lines, whatever the light around them: (H, W) uint8, 255 where dark."""
    return _darker(gray, _paper(gray), contrast)


def bright_line_mask(gray: np.ndarray, contrast: float) -> np.ndarray | None:
    """What `line_mask` gives, less what lies on a table darker than paper; None where that leaves out too little."""
    paper = _paper(gray)
    mask = _darker(gray, paper, contrast)
    level, _ = cv2.threshold(paper[::8, ::8].copy(), 0, 255, cv2.THRESH_BINARY | cv2.THRESH_OTSU)
    bright = cv2.bitwise_and(mask, cv2.compare(paper, SETTINGS.dark * level, cv2.CMP_GT))  # type: ignore[call-overload]
    return bright if cv2.countNonZero(bright) < SETTINGS.spared * cv2.countNonZero(mask) else None


def _paper(gray: np.ndarray) -> np.ndarray:
    """The picture without its thin dark lines."""
    size = max(5, int(SETTINGS.line * max(gray.shape)) | 1)
    return cv2.morphologyEx(gray, cv2.MORPH_CLOSE, np.ones((size, size), np.uint8))


def _darker(gray: np.ndarray, paper: np.ndarray, contrast: float) -> np.ndarray:
    return cv2.compare(gray, cv2.convertScaleAbs(paper, alpha=1 - contrast), cv2.CMP_LT)


def quadrilaterals(mask: np.ndarray) -> np.ndarray:
    """White regions with four corners between dark lines: (n, 4, 2) float, clockwise."""
    side = max(mask.shape)
    least, most = (SETTINGS.least_cell * side) ** 2, (SETTINGS.most_cell * side) ** 2
    # A white region is a hole in what is dark. Most are far too small (a wooden table has thousands): they go first.
    outlines, within = cv2.findContours(mask, cv2.RETR_CCOMP, cv2.CHAIN_APPROX_SIMPLE)
    holes: list[int] = np.flatnonzero(within[0, :, 3] >= 0).tolist() if outlines else []
    if not len(holes):
        return np.empty((0, 4, 2))
    outlines = [outlines[k] for k in holes]
    starts = np.cumsum([0, *map(len, outlines)])[:-1]
    points = np.concatenate(outlines)[:, 0]
    width, height = (np.maximum.reduceat(points, starts) - np.minimum.reduceat(points, starts)).T
    fits = (width * height >= least) & (width * height < 5 * most) & (width < 5 * height) & (height < 5 * width)
    found = []
    for contour in (outlines[k] for k in np.flatnonzero(fits)):
        inside = cv2.contourArea(contour)
        if least <= inside <= most:
            corners = _four_of(contour, inside)
            if corners is not None:
                found.append(corners)
    quads = np.array(found, np.float64).reshape(-1, 4, 2)
    edges = np.roll(quads, -1, 1) - quads
    lengths = np.hypot(edges[..., 0], edges[..., 1])
    turned = edges[:, 0, 0] * edges[:, 1, 1] - edges[:, 0, 1] * edges[:, 1, 0] < 0
    quads[turned] = quads[turned, ::-1]
    return quads[lengths.min(1) > 0.3 * lengths.max(1)] if len(quads) else quads


def _four_of(contour: np.ndarray, inside: float) -> np.ndarray | None:
    """The four corners of an outline that has four, (4, 1, 2)."""
    hull = cv2.convexHull(contour)
    area = cv2.contourArea(hull)
    if inside < SETTINGS.least_fill * area:
        return None
    around = cv2.arcLength(hull, True)
    for epsilon in (0.05, 0.08, 0.11):
        corners = cv2.approxPolyDP(hull, epsilon * around, True)
        if len(corners) == 4:
            return corners if cv2.contourArea(corners) >= SETTINGS.least_fill * area else None
        if len(corners) < 4:
            break
    return None


@dataclass(frozen=True)
class Seed:
    """A guess: `homography` takes grid coordinates of an unknown origin to pixels; `cells` (n, 2) are
    the columns and rows, so counted, of the quadrilaterals that support it."""

    homography: np.ndarray
    cells: np.ndarray


def clusters(quads: np.ndarray) -> Iterator[Seed]:
    """Groups of quadrilaterals that lie side by side as a grid's cells do, the largest first."""
    n = len(quads)
    if n < SETTINGS.least_cluster:
        return
    links = _links(quads)
    free = np.ones(n, bool)
    groups = []
    for start in np.argsort(-(links.near >= 0).sum(1)):
        if not free[start]:
            continue
        members = _grow(int(start), links, free)
        free[list(members)] = False
        if len(members) >= SETTINGS.least_cluster:
            groups.append(members)
    for members in sorted(groups, key=len, reverse=True):
        seed = _fit(members, quads)
        if seed is not None:
            yield seed


STEPS = [(i, j) for i in (-1, 0, 1) for j in (-1, 0, 1) if i or j] + [(2, 0), (-2, 0), (0, 2), (0, -2)]
STEP_INDEX = {step: k for k, step in enumerate(STEPS)}
TURNS = ((1, 0, 0, 1), (0, -1, 1, 0), (-1, 0, 0, -1), (0, 1, -1, 0))
"""A quarter turn's new axes by the old ones: (across by across, across by down, down by across, down by down)."""


@dataclass(frozen=True)
class _Links:
    """For each quadrilateral and each of STEPS along its own edges: its neighbor there (-1: none), and by how
    many quarter turns the neighbor's edges are named differently."""

    near: np.ndarray
    turn: np.ndarray


def _links(quads: np.ndarray) -> _Links:
    center = quads.mean(1)
    across = (quads[:, 1] - quads[:, 0] + quads[:, 2] - quads[:, 3]) / 2
    down = (quads[:, 3] - quads[:, 0] + quads[:, 2] - quads[:, 1]) / 2
    size = np.sqrt(np.abs(across[:, 0] * down[:, 1] - across[:, 1] * down[:, 0]))
    steps = np.array(STEPS, np.float64)
    # 1.05: the printed line between two cells belongs to neither.
    place = (center[:, None] + 1.05 * (steps[:, :1] * across[:, None] + steps[:, 1:] * down[:, None])).reshape(-1, 2)
    far = (place[:, :1] - center[:, 0]) ** 2 + (place[:, 1:] - center[:, 1]) ** 2
    near = far.argmin(1)
    far = np.sqrt(far[np.arange(len(far)), near]).reshape(len(quads), -1)
    near = near.reshape(far.shape)
    reach = SETTINGS.neighbor * np.where(np.abs(steps).max(1) > 1, 1.3, 1.0)
    good = far < reach * size[:, None]
    good &= np.abs(np.log(size[near] / size[:, None])) < 0.4
    turn = np.full(near.shape, -1)
    for k, (aa, ad, da, dd) in enumerate(TURNS):
        off_a = np.linalg.norm(aa * across[near] + ad * down[near] - across[:, None], axis=2)
        off_d = np.linalg.norm(da * across[near] + dd * down[near] - down[:, None], axis=2)
        agrees = (off_a < 0.45 * np.linalg.norm(across, axis=1)[:, None]) & (
            off_d < 0.45 * np.linalg.norm(down, axis=1)[:, None]
        )
        turn[agrees & (turn < 0)] = k
    return _Links(np.where(good & (turn >= 0), near, -1), turn)


def _grow(start: int, links: _Links, free: np.ndarray) -> dict[int, tuple[int, int]]:
    """Link quadrilaterals side by side, step by step, each with its column and row."""
    places = {start: (0, 0)}
    turned = {start: 0}
    taken = {(0, 0)}
    todo = [start]
    for here in todo:
        aa, ad, da, dd = TURNS[turned[here]]
        column, row = places[here]
        for i, j in STEPS:
            cell = column + i, row + j
            step = STEP_INDEX[i * aa + j * da, i * ad + j * dd]
            near = int(links.near[here, step])
            if near < 0 or cell in taken or near in places or not free[near]:
                continue
            places[near] = cell
            turned[near] = (turned[here] + int(links.turn[here, step])) % 4
            taken.add(cell)
            todo.append(near)
    return places


def _fit(members: dict[int, tuple[int, int]], quads: np.ndarray) -> Seed | None:
    """A plane through the linked cells, then through every quadrilateral that lies where it has a cell."""
    centers = quads.mean(1)
    cells = np.array(list(members.values()), np.float64) + 0.5
    plane = _plane(cells, centers[list(members)])
    for _ in range(4):
        if plane is None:
            return None
        units = cv2.perspectiveTransform(quads.reshape(1, -1, 2), np.linalg.inv(plane)).reshape(-1, 4, 2)
        middle = units.mean(1)
        cell = np.floor(middle)
        fits = np.abs(units - (cell[:, None] + _UNIT_SQUARES)).max((2, 3)).min(0) < 0.3
        if fits.sum() < 4:
            return None
        before = cells
        cells = cell[fits] + 0.5
        plane = _plane(cells, centers[fits])
        if len(before) == len(cells) and np.array_equal(before, cells):
            break
    if plane is None or np.ptp(cells[:, 0]) == 0 or np.ptp(cells[:, 1]) == 0:
        return None
    return Seed(plane, np.array(sorted(set(map(tuple, np.floor(cells))))))


_UNIT_SQUARES = np.array([np.roll([[0, 0], [1, 0], [1, 1], [0, 1]], k, 0) for k in range(4)], np.float64)[:, None]


def _plane(cells: np.ndarray, centers: np.ndarray) -> np.ndarray | None:
    """Cells to pixels: a homography where they spread enough to tell one, an affine map where not."""
    spread = min(np.ptp(cells[:, 0]), np.ptp(cells[:, 1]))
    step = np.sqrt(np.prod(np.ptp(centers, axis=0) + 1) / np.prod(np.ptp(cells, axis=0) + 1))
    if spread >= 3 and len(cells) >= 9:
        plane, _ = cv2.findHomography(cells, centers, cv2.RANSAC, 0.2 * step)
        return plane
    affine, _ = cv2.estimateAffine2D(cells, centers, method=cv2.RANSAC, ransacReprojThreshold=0.25 * step)
    return None if affine is None else np.vstack([affine, [0, 0, 1]])


def frames(mask: np.ndarray) -> Iterator[np.ndarray]:
    """Outlines of four corners around big connected drawings: (4, 2) float each, the largest first."""
    contours, _ = cv2.findContours(mask, cv2.RETR_LIST, cv2.CHAIN_APPROX_SIMPLE)
    least = 0.03 * mask.size
    hulls = []
    for contour in contours:
        if len(contour) > 7:
            _, _, width, height = cv2.boundingRect(contour)
            if width * height > least:
                hulls.append(cv2.convexHull(contour))
    hulls.sort(key=lambda hull: -cv2.contourArea(hull))
    shown: list[np.ndarray] = []
    for hull in hulls:
        for quad in (_four_corners(hull), _four_long_edges(hull)):
            if quad is None or cv2.contourArea(quad.astype(np.float32)) < least or len(shown) >= SETTINGS.most_frames:
                continue
            if any(np.abs(quad - np.roll(q, k, 0)).max() < 4 for q in shown for k in range(4)):
                continue
            shown.append(quad)
            yield quad


def _four_corners(hull: np.ndarray) -> np.ndarray | None:
    for epsilon in (0.02, 0.04, 0.07, 0.1):
        corners = cv2.approxPolyDP(hull, epsilon * cv2.arcLength(hull, True), True)
        if len(corners) <= 4:
            break
    if len(corners) != 4 or cv2.contourArea(corners) < 0.8 * cv2.contourArea(hull):
        return None
    return _clockwise(corners[:, 0].astype(np.float64))


def _four_long_edges(hull: np.ndarray) -> np.ndarray | None:
    """The corners of the hull's four longest edges, as if nothing stuck out between them: a pawn on the border does."""
    corners = _clockwise(cv2.approxPolyDP(hull, 0.012 * cv2.arcLength(hull, True), True)[:, 0].astype(np.float64))
    if len(corners) < 5:
        return None
    edges = np.roll(corners, -1, 0) - corners
    longest = np.sort(np.argsort(-np.hypot(*edges.T))[:4])
    out = []
    for here, there in zip(longest, np.roll(longest, -1), strict=True):
        across = edges[here][0] * edges[there][1] - edges[here][1] * edges[there][0]
        if across < 0.3 * np.hypot(*edges[here]) * np.hypot(*edges[there]):
            return None
        gap = corners[there] - corners[here]
        out.append(corners[here] + edges[here] * (gap[0] * edges[there][1] - gap[1] * edges[there][0]) / across)
    return np.roll(np.array(out), 1, 0)


def _clockwise(quad: np.ndarray) -> np.ndarray:
    """The same corners, clockwise as seen (y points down)."""
    x, y = quad.T
    return quad[::-1] if np.sum(x * np.roll(y, -1) - y * np.roll(x, -1)) < 0 else quad
