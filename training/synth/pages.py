"""Whole pages in any manner: grid, title, tracks, boxes for sums, borders and art, filled in by any hand, photographed.

    page = random_page(rng)                 what is printed
    blank = page_photo(rng, page, page.sheet.image, easy=True)
    filled = filled_page(rng, page)         what a player made of it
    photo = page_photo(rng, page, filled.image)

Boxes are [x, y, width, height] in grid units, as in a sheet profile.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import cv2
import numpy as np

from training.synth import camera, hands
from training.synth.hands import Rng, Stroke
from training.synth.media import Layer, called, hard_pencil, lay, paper_tooth, random_medium, unlike_medium
from training.synth.print import HERSHEY, Cell, Sheet, hershey_glyph, paint, pigment, random_blank, stamp, symbol
from training.synth.sheets import BLANK, WALL, fill, random_map
from training.synth.writing import Writer

SIDE = 11
"""Cells in a row of the game's sheet."""
SCALE = 56
"""Pixels a cell of the drawn page."""
ROOM = 4.6
"""Cells drawn around the grid, of which each page keeps a part."""
PHOTO = (1600, 1200)
Box = tuple[float, float, float, float]


@dataclass
class Page:
    """A printed page: its `sheet`, with `ROOM` cells around the grid; where tracks and boxes for sums stand; and how
    many cells of paper there are around the grid: left, top, right, bottom."""

    sheet: Sheet
    tracks: dict[str, list[Box]]
    written: list[Box]
    paper: tuple[float, float, float, float]

    def at(self, x: float, y: float) -> tuple[float, float]:
        """Pixels of grid units."""
        return (x + ROOM) * SCALE, (y + ROOM) * SCALE

    def profile(self, name: str) -> dict[str, Any]:
        """The public JSON of a perfect enrolment, pictures left out."""
        return {
            "name": name,
            "rows": SIDE,
            "cols": SIDE,
            "letters": {letter: list(cell) for cell, letter in self.sheet.letters.items()},
            **({"entrance": list(self.sheet.entrance)} if self.sheet.entrance else {}),
            "tracks": {k: [list(b) for b in v] for k, v in self.tracks.items()},
            "written": [list(b) for b in self.written],
        }


@dataclass
class FilledPage:
    """What a player made of a page: the picture, its `graphite` (H, W), and what is true."""

    image: np.ndarray
    graphite: np.ndarray
    map: list[str]
    destinations: list[str]
    gates: list[Cell]
    ticks: dict[str, int]
    numbers: list[int | None]
    medium: str
    hand: str


@dataclass
class PagePhoto:
    """(H, W, 3) uint8 BGR; `lattice` (12, 12, 2) crossings in its pixels; `tags`: what was hard about it."""

    image: np.ndarray
    lattice: np.ndarray
    tags: dict[str, Any] = field(default_factory=dict)


def random_page(rng: Rng, fonts: list[str] | None = None) -> Page:
    """A page nobody has seen: mostly in color, tracks and boxes anywhere around the grid."""
    while True:
        sheet = random_blank(rng, SIDE, SIDE, SCALE, ROOM, fonts or [], art=bool(rng.random() < 0.75))
        names = list(sheet.letters.values())
        if len(names) >= 10 and len(set(names)) == len(names) and sheet.style != "none":
            break
    paper = rng.uniform(0.5, 1.2, 4)
    tracks: dict[str, list[Box]] = {}
    taken: list[Box] = []
    ink = np.clip(rng.uniform(0, 0.5) + rng.normal(0, 0.12, 3), 0, 0.8).astype(np.float32)
    page = Page(sheet, tracks, [], (0, 0, 0, 0))
    shape = str(rng.choice(["square", "circle", "diamond"], p=[0.6, 0.25, 0.15]))
    size, weight = rng.uniform(0.34, 0.6), int(rng.integers(1, 4))
    sides = rng.permutation(4)
    for k, name in enumerate(("gems", "penalties")):
        boxes = _run(rng, int(sides[k if rng.random() < 0.7 else 0]), int(rng.integers(6, 12)), size, size, taken, 0.12)
        if not boxes:
            continue
        tracks[name] = boxes
        for box in boxes:
            _outline(sheet, page, box, shape, ink, weight)
        x, y = boxes[0][0] + 0.8, boxes[0][1] - 0.24
        _words(rng, sheet, page.at(x, y), 0.22 * SCALE, ink)
    width, height = rng.uniform(0.9, 1.6), rng.uniform(0.6, 0.95)
    count = int(rng.choice([0, 3, 4, 5, 6], p=[0.15, 0.2, 0.25, 0.2, 0.2]))
    boxes = _run(rng, int(sides[2]), count, width, height, taken, 0.25) if count else []
    page.written = boxes
    for box in boxes:
        _outline(sheet, page, box, "square", ink, weight)
    corners = np.array(
        [(x + dx, y + dy) for x, y, w, h in [*taken, (0, 0, SIDE, SIDE)] for dx in (0, w) for dy in (0, h)]
    )
    left, top = np.minimum(corners.min(0), 0)
    right, bottom = np.maximum(corners.max(0) - SIDE, 0)
    around = [-left, -top, right, bottom]
    around = [float(min(ROOM, v + extra)) for v, extra in zip(around, paper, strict=True)]
    if rng.random() < 0.7:
        k = int(rng.choice([1, 3]))
        around[k] = min(ROOM, around[k] + 1.0)
        y = -around[1] + 0.6 if k == 1 else SIDE + around[3] - 0.6
        _words(rng, sheet, page.at(rng.uniform(2, 9), y), rng.uniform(0.35, 0.7) * SCALE, ink, (6, 16))
    page.paper = (around[0], around[1], around[2], around[3])
    if rng.random() < 0.6:
        _border(rng, page)
    sheet.image = np.clip(sheet.image, 0.02, 1)
    return page


def _run(rng: Rng, side: int, count: int, w: float, h: float, taken: list[Box], gap: float) -> list[Box]:
    """`count` boxes in a row or column beside the grid (left, top, right, bottom), clear of what is `taken`."""
    for _ in range(12):
        off = rng.uniform(0.35, 2.3)
        along, across = (h, w) if side % 2 == 0 else (w, h)
        step = along + gap * rng.uniform(0.5, 1.6)
        count = min(count, int((SIDE + 2) / step))
        start = rng.uniform(-0.5, max(-0.4, SIDE + 0.5 - count * step))
        place = -off - across if side < 2 else SIDE + off
        if not -ROOM + 0.4 < place < SIDE + ROOM - across - 0.4:
            continue
        boxes = [
            (place, start + k * step, w, h) if side % 2 == 0 else (start + k * step, place, w, h) for k in range(count)
        ]
        if all(
            abs(a[0] - b[0]) > 0.25 + max(a[2], b[2]) or abs(a[1] - b[1]) > 0.25 + max(a[3], b[3])
            for a in boxes
            for b in taken
        ):
            taken += boxes
            return boxes
    return []


def _outline(sheet: Sheet, page: Page, box: Box, shape: str, ink: np.ndarray, weight: int) -> None:
    x, y, w, h = box
    middle, half = np.array(page.at(x + w / 2, y + h / 2)), np.array([w, h]) * SCALE / 2
    t = np.linspace(0, 2 * np.pi, 48, endpoint=False)
    outline = {
        "square": np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)]),
        "circle": np.stack([np.cos(t), np.sin(t)], 1),
        "diamond": np.array([(0, -1), (1, 0), (0, 1), (-1, 0)]),
    }[shape]
    points = [np.round((outline * half + middle) * 16).astype(np.int32)]
    cv2.polylines(sheet.image, points, True, ink.tolist(), weight, cv2.LINE_AA, 4)


def _words(
    rng: Rng, sheet: Sheet, at: tuple[float, float], size: float, ink: np.ndarray, length: tuple[int, int] = (3, 9)
) -> None:
    """A word printed around a place."""
    word = "".join(rng.choice(list("AEIOUGMNPRSTLKD"), int(rng.integers(*length))))
    face, thick = int(HERSHEY[rng.integers(len(HERSHEY))]), int(rng.integers(3, 9))
    stamp(sheet.image, hershey_glyph(face, thick)(word), at, size, ink)


def _border(rng: Rng, page: Page) -> None:
    """A decorated border along the paper's edge: a band, a row of signs, or both."""
    image, color = page.sheet.image, np.clip(pigment(rng) * rng.uniform(0.3, 1), 0, 1)
    left, top, right, bottom = page.paper
    inset = rng.uniform(0.12, 0.3)
    p, q = page.at(-left + inset, -top + inset), page.at(SIDE + right - inset, SIDE + bottom - inset)
    corners = (round(p[0]), round(p[1])), (round(q[0]), round(q[1]))
    if rng.random() < 0.6:
        cv2.rectangle(image, *corners, color.tolist(), int(rng.integers(2, 14)), cv2.LINE_AA)
    if rng.random() < 0.6:
        kind, step, size = int(rng.integers(8)), rng.uniform(0.35, 1.2) * SCALE, rng.uniform(0.2, 0.4) * SCALE
        seed = int(rng.integers(1 << 30))
        for x in np.arange(p[0], q[0], step):
            for y in (p[1], q[1]):
                symbol(np.random.default_rng(seed), image, (float(x), y), size, kind, color)
        for y in np.arange(p[1], q[1], step):
            for x in (p[0], q[0]):
                symbol(np.random.default_rng(seed), image, (x, float(y)), size, kind, color)


def filled_page(rng: Rng, page: Page, unlike: float = 0.6) -> FilledPage:
    """Fill a page in with one hand and one pen; `unlike`: how often either is one that few have."""
    sheet = Sheet(
        page.sheet.image.copy(), SIDE, SIDE, SCALE, ROOM, page.sheet.letters, page.sheet.letter_lines,
        page.sheet.entrance, page.sheet.style,
    )  # fmt: skip
    kinds = random_map(rng, SIDE, SIDE)
    kinds[rng.random(kinds.shape) < 0.35] = BLANK
    if sheet.entrance is not None:
        kinds[sheet.entrance] = BLANK
    hand, medium = hands.random_hand(rng), random_medium(rng)
    if rng.random() < unlike:
        hand = hands.unlike(rng, hand)
    if rng.random() < unlike:
        medium = unlike_medium(rng)
    elif medium.kind == "pencil" and rng.random() < 0.2:
        medium = hard_pencil(rng, medium)
    filled = fill(rng, sheet, kinds, hand, medium, Writer())
    layer = Layer(medium if medium.width < 0.12 else random_medium(rng, "pencil"), sheet.image.shape[:2], SCALE)
    ticks = {name: int(rng.integers(0, len(boxes) + 1)) for name, boxes in page.tracks.items()}
    style = str(rng.choice(["check", "cross", "slash", "fill"], p=[0.4, 0.3, 0.2, 0.1]))
    for name, boxes in page.tracks.items():
        for x, y, w, h in boxes[: ticks[name]]:
            layer.draw(rng, _tick(rng, style, min(w, h)), page.at(x + w / 2, y + h / 2))
    numbers = [int(rng.integers(1, 90)) if rng.random() < 0.8 else None for _ in page.written]
    for (x, y, w, h), number in zip(page.written, numbers, strict=True):
        if number is not None:
            layer.draw(rng, Writer().number(rng, str(number), rng.uniform(0.5, 0.8) * h), page.at(x + w / 2, y + h / 2))
    tooth = paper_tooth(rng, sheet.image.shape[:2], SCALE)
    opacity = layer.opacity(rng, tooth)
    image = lay(sheet.image, opacity, layer.medium)
    seen = filled.traced & ~filled.unclear & (kinds != WALL)
    letters = {letter for cell, letter in sheet.letters.items() if seen[cell] and not filled.gate[cell]}
    gates = sorted(cell for cell in sheet.letters if filled.gate[cell])  # a gate was a destination before
    graphite = np.maximum(filled.graphite, opacity * (layer.medium.kind == "pencil"))
    shown = ["".join(".o#"[int(k)] if k <= WALL else "?" for k in row) for row in kinds]
    circles = "open" if hand.gap > 0.9 else "tiny" if hand.radius < 0.23 else "large" if hand.radius > 0.43 else "usual"
    return FilledPage(
        image, graphite, shown, sorted(letters), gates, ticks, numbers, called(medium),
        "+".join(sorted(set(hand.wall_styles))[:2]) + f" walls, {circles} circles",
    )  # fmt: skip


def _tick(rng: Rng, style: str, size: float) -> list[Stroke]:
    """A tick around (0, 0) for a box `size` cells wide."""
    shapes = {
        "check": [[-0.4, 0.0], [-0.1, 0.35], [0.5, -0.55]],
        "slash": [[-0.4, 0.4], [0.4, -0.4]],
        "fill": [[-0.4, -0.3], [0.4, -0.2], [-0.4, -0.05], [0.4, 0.05], [-0.4, 0.2], [0.4, 0.3], [-0.3, 0.4]],
    }
    lines = [[[-0.4, -0.4], [0.4, 0.4]], [[0.4, -0.4], [-0.4, 0.4]]] if style == "cross" else [shapes[style]]
    return [
        hands.pressed(rng, hands.resample((np.array(line) + rng.normal(0, 0.05, (len(line), 2))) * size, 0.05))
        for line in lines
    ]


def page_photo(
    rng: Rng, page: Page, image: np.ndarray, graphite: np.ndarray | None = None, easy: bool = False
) -> PagePhoto:
    """Lay a page on a table and photograph it; `easy`: flat, in good light, nearly straight from above."""
    left, top, right, bottom = page.paper
    x0, y0 = (max(0, round(v)) for v in page.at(-left, -top))
    x1, y1 = (round(v) for v in page.at(SIDE + right, SIDE + bottom))
    paper = image[y0:y1, x0:x1]
    shine = graphite[y0:y1, x0:x1] if graphite is not None else np.zeros(paper.shape[:2], np.float32)
    h, w = paper.shape[:2]
    tilt = np.radians(rng.uniform(0, 12) if easy else min(42, abs(rng.normal(0, 22))))
    warp, tags = _bent(rng, (h, w), 0.0 if easy else rng.uniform(0, 1)), {"tilt": round(float(np.degrees(tilt)))}
    lit = camera.light(rng, (h, w), SCALE) if not easy else camera.shade(rng, (h, w)) + 0.2
    linear = cv2.pow(np.clip(paper, 0, 1), 2.2) * lit
    if shine.any() and rng.random() < 0.3:
        linear = linear + camera.sheen(rng, shine)[..., None] * lit
        tags["sheen"] = True
    if warp is not None:
        linear = cv2.remap(linear, *warp, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
        linear *= _slopes(warp)
        tags["bent"] = True
    to_photo, (width, height) = _seen_from(rng, (h, w), tilt, easy)
    scene = np.clip(_table(rng, (height, width)), 0.02, 1) ** 2.2 * float(np.median(lit)) * rng.uniform(0.6, 1.1)
    size = (width, height)
    there = cv2.warpPerspective(np.ones((h, w), np.float32), to_photo, size)
    shadow = cv2.GaussianBlur(cv2.warpAffine(there, np.float32([[1, 0, 6], [0, 1, 9]]), size), (0, 0), 8)
    scene *= 1 - 0.4 * shadow[..., None]
    small = float(np.sqrt(abs(np.linalg.det(to_photo[:2, :2]))))
    soft = cv2.GaussianBlur(linear, (0, 0), max(0.3, 0.35 / max(small, 0.1))) if small < 0.8 else linear
    sheet = cv2.warpPerspective(soft, to_photo, size, flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    scene = (scene * (1 - there[..., None]) + sheet * there[..., None]).astype(np.float32)
    cell = SCALE * small
    photo = camera.develop_plain(rng, scene) if easy else camera.develop(rng, scene, cell)
    v, u = np.mgrid[0 : SIDE + 1, 0 : SIDE + 1].astype(np.float32)
    flat = np.stack([(u + ROOM) * SCALE - x0, (v + ROOM) * SCALE - y0], -1)
    if warp is not None:
        flat = _where(warp, flat)
    lattice = cv2.perspectiveTransform(flat.reshape(1, -1, 2).astype(np.float64), to_photo).reshape(
        SIDE + 1, SIDE + 1, 2
    )
    return PagePhoto(photo, lattice, tags)


def _bent(rng: Rng, shape: tuple[int, int], amount: float) -> tuple[np.ndarray, np.ndarray] | None:
    """Where each pixel of the bent paper's picture lies on the flat one: curl along an edge, a wave, a fold."""
    if amount < 0.35:
        return None
    y, x = np.mgrid[0 : shape[0], 0 : shape[1]].astype(np.float32)
    most = (amount - 0.35) * 0.055 * max(shape)
    a = rng.uniform(0, 2 * np.pi)
    along = ((x - shape[1] / 2) * np.cos(a) + (y - shape[0] / 2) * np.sin(a)) / max(shape)
    if rng.random() < 0.5:
        lift = most * np.abs(along * 2) ** rng.uniform(1.5, 3)
    else:
        lift = most * 0.6 * np.sin(along * rng.uniform(2, 5) + rng.uniform(0, 6))
    if rng.random() < 0.4:
        lift = lift + most * np.maximum(0, 0.8 * (along - rng.uniform(-0.2, 0.2)))
    way = rng.uniform(0, 2 * np.pi)
    return (x + lift * np.cos(way)).astype(np.float32), (y + lift * np.sin(way)).astype(np.float32)


def _slopes(warp: tuple[np.ndarray, np.ndarray]) -> np.ndarray:
    """How the bends are lit: what turns towards the lamp is brighter."""
    h, w = warp[0].shape
    off = warp[0] - np.arange(w, dtype=np.float32) + warp[1] - np.arange(h, dtype=np.float32)[:, None]
    slope = cv2.GaussianBlur(cv2.Sobel(off, cv2.CV_32F, 1, 0, ksize=5) / 64, (0, 0), 5)
    return np.clip(1 + 2.0 * slope, 0.6, 1.3)[..., None]


def _where(warp: tuple[np.ndarray, np.ndarray], flat: np.ndarray) -> np.ndarray:
    """Where points of the flat paper, (…, 2) pixels, come to lie on the bent one's picture."""
    found = flat.copy()
    for _ in range(8):
        x, y = (np.ascontiguousarray(found[..., k]).astype(np.float32) for k in (0, 1))
        there = np.stack(
            [cv2.remap(part, x, y, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE) for part in warp], -1
        )
        found = found + (flat - there)
    return found


def _seen_from(rng: Rng, shape: tuple[int, int], tilt: float, easy: bool) -> tuple[np.ndarray, tuple[int, int]]:
    """The homography from the paper's pixels to the photo's, and the photo's size: a phone tilted about any axis."""
    h, w = shape
    about = rng.uniform(0, 2 * np.pi)
    turn = rng.normal(0, 0.08) if easy or rng.random() < 0.7 else rng.normal(0, 0.2) + rng.integers(4) * np.pi / 2
    far = rng.uniform(1.3, 3) * max(shape)
    corners = np.float64([[0, 0], [w, 0], [w, h], [0, h]]) - (w / 2, h / 2)
    axis = np.array([np.cos(about), np.sin(about)])
    side = np.array([-axis[1], axis[0]])
    u, v = corners @ axis, corners @ side
    depth = far + v * np.sin(tilt)
    seen = (u[:, None] * axis + (v * np.cos(tilt))[:, None] * side) * (far / depth)[:, None]
    seen = seen @ np.array([[np.cos(turn), np.sin(turn)], [-np.sin(turn), np.cos(turn)]])
    low, high = seen.min(0), seen.max(0)
    broad = (high - low)[0] >= (high - low)[1]
    size = PHOTO if broad == (rng.random() < 0.9) else PHOTO[::-1]
    fit = float(np.min(np.array(size) / (high - low))) * (rng.uniform(0.86, 0.95) if easy else rng.uniform(0.66, 0.97))
    room = np.array(size) - (high - low) * fit
    seen = (seen - low) * fit + room * rng.uniform(0.2, 0.8, 2)
    return cv2.getPerspectiveTransform(np.float32(corners + np.array([w / 2, h / 2])), np.float32(seen)), (
        int(size[0]),
        int(size[1]),
    )


def _table(rng: Rng, shape: tuple[int, int]) -> np.ndarray:
    """A table top: wood, cloth, a pattern, or things printed in color."""
    base = rng.uniform(0.05, 0.75) + rng.normal(0, 0.08, 3)
    image = np.ones((*shape, 3), np.float32) * np.clip(base, 0.03, 0.95).astype(np.float32)
    kind = rng.random()
    if kind < 0.4:
        noise = rng.normal(0, 1, (shape[0] // 2, shape[1] // 8)).astype(np.float32)
        image *= 1 + 0.1 * cv2.GaussianBlur(cv2.resize(noise, shape[::-1]), (0, 0), 2)[..., None]
    elif kind < 0.7:
        image *= 1 + 0.06 * rng.standard_normal(shape, np.float32)[..., None]
    else:
        paint(rng, image)
    return image
