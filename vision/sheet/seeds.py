"""First guesses where a grid may lie: clusters of equal white quadrilaterals, and big frames.

A blank cell of a printed grid is a white quadrilateral between dark lines, and so is
a cell with a letter or a small circle in it (the outline is what counts). Such cells repeat
at a step equal to their own size, which little else in a photo does. Where lines are too faint to
close the cells, the outline of the whole grid still gives a guess; `lines` judges them all.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import cv2
import numpy as np


@dataclass(frozen=True)
class SeedSettings:
    """In parts of the searched picture's longer side, of a cell, or of full contrast."""

    line: float = 0.013  # thicker than any line
    least_cell: float = 0.008
    most_cell: float = 0.2
    least_fill: float = 0.80  # of a quadrilateral's area by its contour
    neighbor: float = 0.28  # how far from its place a neighbor may lie, in cells
    least_cluster: int = 4


SETTINGS = SeedSettings()


def line_mask(gray: np.ndarray, contrast: float, settings: SeedSettings = SETTINGS) -> np.ndarray:
    """Thin dark lines, whatever the light around them: (H, W) uint8, 255 where dark."""
    size = max(5, int(settings.line * max(gray.shape)) | 1)
    paper = cv2.morphologyEx(gray, cv2.MORPH_CLOSE, np.ones((size, size), np.uint8))
    return cv2.compare(gray, cv2.convertScaleAbs(paper, alpha=1 - contrast), cv2.CMP_LT)


def quadrilaterals(mask: np.ndarray, settings: SeedSettings = SETTINGS) -> np.ndarray:
    """White regions with four corners between dark lines: (n, 4, 2) float, clockwise."""
    side = max(mask.shape)
    least, most = (settings.least_cell * side) ** 2, (settings.most_cell * side) ** 2
    contours, hierarchy = cv2.findContours(mask, cv2.RETR_CCOMP, cv2.CHAIN_APPROX_SIMPLE)
    found = []
    if hierarchy is not None:
        for index in np.flatnonzero(hierarchy[0, :, 3] >= 0):
            contour = contours[index]
            if len(contour) < 4:
                continue
            area = cv2.contourArea(contour)
            if not least <= area <= most:
                continue
            quad = _quad(contour, area, settings)
            if quad is not None:
                found.append(quad)
    return np.array(found, np.float64).reshape(-1, 4, 2)


def _quad(contour: np.ndarray, area: float, settings: SeedSettings) -> np.ndarray | None:
    hull = cv2.convexHull(contour)
    hull_area = cv2.contourArea(hull)
    if area < settings.least_fill * hull_area:
        return None
    around = cv2.arcLength(hull, True)
    for epsilon in (0.05, 0.08, 0.11):
        corners = cv2.approxPolyDP(hull, epsilon * around, True)
        if len(corners) <= 4:
            break
    if len(corners) != 4 or cv2.contourArea(corners) < settings.least_fill * hull_area:
        return None
    quad = _clockwise(corners[:, 0].astype(np.float64))
    lengths = np.hypot(*(np.roll(quad, -1, 0) - quad).T)
    return quad if lengths.min() > 0.3 * lengths.max() else None


@dataclass(frozen=True)
class Seed:
    """A guess: `homography` takes grid coordinates of an unknown origin to pixels; `cells` (n, 2) are
    the columns and rows, so counted, of the quadrilaterals that support it."""

    homography: np.ndarray
    cells: np.ndarray


def clusters(quads: np.ndarray, settings: SeedSettings = SETTINGS) -> Iterator[Seed]:
    """Groups of quadrilaterals that lie side by side as a grid's cells do, the largest first."""
    n = len(quads)
    if n < settings.least_cluster:
        return
    center = quads.mean(1)
    # Two edge vectors a quadrilateral; which is "right" is settled when neighbors are linked.
    across = (quads[:, 1] - quads[:, 0] + quads[:, 2] - quads[:, 3]) / 2
    down = (quads[:, 3] - quads[:, 0] + quads[:, 2] - quads[:, 1]) / 2
    size = np.sqrt(np.abs(across[:, 0] * down[:, 1] - across[:, 1] * down[:, 0]))
    free = np.ones(n, bool)
    seeds = []
    for start in np.argsort(-_company(center, across, down, size, settings)):
        if not free[start]:
            continue
        members = _grow(int(start), center, across, down, size, free, settings)
        free[list(members)] = False
        if len(members) >= settings.least_cluster:
            seed = _fit(members, quads)
            if seed is not None:
                seeds.append(seed)
    seeds.sort(key=lambda s: -len(s.cells))
    yield from seeds


def _company(center, across, down, size, settings) -> np.ndarray:
    """How many of its eight neighbors' places are taken by quadrilaterals of like size."""
    count = np.zeros(len(center))
    for i, j in ((1, 0), (-1, 0), (0, 1), (0, -1), (1, 1), (-1, -1), (1, -1), (-1, 1)):
        place = center + 1.06 * (i * across + j * down)
        far = np.linalg.norm(place[:, None] - center[None], axis=2)
        alike = np.abs(np.log(size[:, None] / size[None])) < 0.35
        count += (alike & (far < settings.neighbor * size[:, None])).any(1)
    return count


def _grow(start, center, across, down, size, free, settings) -> dict[int, tuple[int, int]]:
    """Link quadrilaterals side by side, step by step, each with its column and row."""
    places: dict[int, tuple[int, int]] = {start: (0, 0)}
    taken = {(0, 0)}
    axes = {start: (across[start], down[start])}
    todo = [start]
    steps = [(1, 0), (-1, 0), (0, 1), (0, -1), (1, 1), (-1, -1), (1, -1), (-1, 1), (2, 0), (-2, 0), (0, 2), (0, -2)]
    while todo:
        here = todo.pop(0)
        a, d = axes[here]
        for i, j in steps:
            cell = places[here][0] + i, places[here][1] + j
            if cell in taken:
                continue
            place = center[here] + 1.05 * (i * a + j * d)
            reach = settings.neighbor * (1 if max(abs(i), abs(j)) == 1 else 1.3)
            far = np.hypot(*(center - place).T)
            near = int(np.argmin(np.where(free, far, np.inf)))
            if far[near] > reach * size[here] or near in places or abs(np.log(size[near] / size[here])) > 0.4:
                continue
            turned = _same_way(a, d, across[near], down[near])
            if turned is None:
                continue
            places[near] = cell
            taken.add(cell)
            axes[near] = turned
            todo.append(near)
    return places


def _same_way(a, d, across, down):
    """The neighbor's edge vectors, named as ours are: of its four turns the one that agrees."""
    for p, q in ((across, down), (-down, across), (-across, -down), (down, -across)):
        if np.hypot(*(p - a)) < 0.45 * np.hypot(*a) and np.hypot(*(q - d)) < 0.45 * np.hypot(*d):
            return p, q
    return None


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
    return Seed(plane, np.unique(np.floor(cells), axis=0))


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


def frames(mask: np.ndarray, most: int = 6) -> Iterator[np.ndarray]:
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
            if quad is None or cv2.contourArea(quad.astype(np.float32)) < least or len(shown) >= most:
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
