"""Blank sheets of endless layouts: grid, letters, symbols, frames, tints.

A `Print` is drawn by `blank`; letters come from OpenCV's own fonts or, when font files
are given (training does), from those. One cell is `scale` pixels, the grid's corner
lies `margin` cells inside the picture.
"""

from collections.abc import Callable
from dataclasses import dataclass, field

import cv2
import numpy as np

from training.synth.hands import Rng
from training.synth.letters import STROKES, glyph_strokes, skeleton_strokes

Cell = tuple[int, int]
HERSHEY = (cv2.FONT_HERSHEY_SIMPLEX, cv2.FONT_HERSHEY_DUPLEX, cv2.FONT_HERSHEY_COMPLEX, cv2.FONT_HERSHEY_TRIPLEX,
           cv2.FONT_HERSHEY_COMPLEX_SMALL, cv2.FONT_HERSHEY_SCRIPT_COMPLEX)  # fmt: skip
Glyph = Callable[[str], np.ndarray]


@dataclass
class Sheet:
    """A printed sheet: `image` (H, W, 3) float32 BGR 0 to 1 and what stands on it.

    `letter_lines` are the middle lines of each letter's print, in cells from its cell's middle; `style` tells how its
    grid is ruled.
    """

    image: np.ndarray
    rows: int
    cols: int
    scale: int
    margin: float
    letters: dict[Cell, str] = field(default_factory=dict)
    letter_lines: dict[Cell, list[np.ndarray]] = field(default_factory=dict)
    entrance: Cell | None = None
    style: str = "line"

    def middle(self, cell: Cell) -> tuple[float, float]:
        """The cell's middle, in pixels [x, y]."""
        return (cell[1] + 0.5 + self.margin) * self.scale, (cell[0] + 0.5 + self.margin) * self.scale


def hershey_glyph(face: int, thickness: int) -> Glyph:
    """Letters of one of OpenCV's stroke fonts, as (H, W) uint8 masks about 70 pixels high."""

    def draw(text: str) -> np.ndarray:
        mask = np.zeros((160, 100 + 80 * len(text)), np.uint8)
        cv2.putText(
            mask,
            text,
            (40, 115),
            face,
            3.0 if face != cv2.FONT_HERSHEY_COMPLEX_SMALL else 4.0,
            255,
            thickness,
            cv2.LINE_AA,
        )
        return tight(mask)

    return draw


def stroke_glyph(thickness: int) -> Glyph:
    """Our own stroke letters as masks."""

    def draw(text: str) -> np.ndarray:
        mask = np.zeros((140, 60 + 110 * len(text)), np.uint8)
        for i, letter in enumerate(text):
            for s in glyph_strokes(letter, 80) if letter in STROKES else []:
                points = np.round((s + np.array([70 + 100 * i, 70])) * 16).astype(np.int32)
                cv2.polylines(mask, [points], False, 255, thickness, cv2.LINE_AA, 4)
        return tight(mask)

    return draw


def file_glyph(path: str, weight: int) -> Glyph:
    """Letters of a font file (needs OpenCV 5)."""
    face = cv2.FontFace(path)

    def draw(text: str) -> np.ndarray:
        mask = np.zeros((220, 120 + 120 * len(text)), np.uint8)
        cv2.putText(mask, text, (60, 150), (255,), face, 90, weight)
        return tight(mask)

    return draw


def tight(mask: np.ndarray) -> np.ndarray:
    """Cut a mask down to what is printed. Raises ValueError where nothing is."""
    x, y, w, h = cv2.boundingRect(mask)
    if w < 2 or h < 2:
        raise ValueError("expected a printed glyph, got nothing")
    return mask[y : y + h, x : x + w]


def random_glyph(rng: Rng, fonts: list[str]) -> Glyph:
    """A typeface: a font file where there are any, else OpenCV's or our own."""
    if fonts and rng.random() < 0.9:
        glyph = file_glyph(fonts[rng.integers(len(fonts))], int(rng.choice([0, 200, 400, 400, 700, 800])))
    elif rng.random() < 0.6:
        glyph = hershey_glyph(int(rng.choice(HERSHEY)), int(rng.integers(3, 13)))
    else:
        glyph = stroke_glyph(int(rng.integers(3, 18)))
    try:
        masks = [glyph(c) for c in "AOQ"]
        if np.mean([m.mean() for m in masks]) > 12 and not np.array_equal(masks[1].shape, masks[0].shape):
            return glyph
    except (ValueError, cv2.error):
        pass
    return hershey_glyph(cv2.FONT_HERSHEY_SIMPLEX, 5)


def stamp(
    image: np.ndarray, mask: np.ndarray, middle: tuple[float, float], height: float, color: np.ndarray
) -> tuple[float, float, float]:
    """Print a mask `height` pixels high around `middle`. Returns its left, top and the factor from mask to image."""
    f = height / mask.shape[0]
    w = max(2, round(mask.shape[1] * f))
    h = max(2, round(height))
    small = cv2.resize(mask, (w, h), interpolation=cv2.INTER_AREA if f < 1 else cv2.INTER_LINEAR)
    x, y = round(middle[0] - w / 2), round(middle[1] - h / 2)
    x0, y0, x1, y1 = max(x, 0), max(y, 0), min(x + w, image.shape[1]), min(y + h, image.shape[0])
    if x1 > x0 and y1 > y0:
        a = small[y0 - y : y1 - y, x0 - x : x1 - x, None].astype(np.float32) / 255
        image[y0:y1, x0:x1] = image[y0:y1, x0:x1] * (1 - a) + color * a
    return x, y, f


def random_blank(
    rng: Rng, rows: int, cols: int, scale: int, margin: float, fonts: list[str], art: bool = False
) -> Sheet:
    """A sheet that nobody has printed yet; `art`: with colors and pictures under its grid."""
    h, w = round((rows + 2 * margin) * scale), round((cols + 2 * margin) * scale)
    white = np.clip(0.93 + rng.normal(0, 0.04) + rng.normal(0, 0.025, 3), 0.6, 1).astype(np.float32)
    if rng.random() < 0.12:
        white *= np.clip(1 - abs(rng.normal(0, 0.1, 3)), 0.6, 1).astype(np.float32)
    if rng.random() < 0.2:
        white *= np.float32(rng.uniform(0.55, 0.9))
    image = np.empty((h, w, 3), np.float32)
    image[:] = white
    if rng.random() < 0.35:
        fibers = cv2.GaussianBlur(rng.standard_normal((h, w)).astype(np.float32), (0, 0), rng.uniform(0.6, 4))
        image *= 1 + (fibers * (rng.uniform(0.003, 0.02) / max(float(fibers.std()), 1e-6)))[..., None]
    sheet = Sheet(image, rows, cols, scale, margin)
    if rng.random() < 0.25:
        _tint(rng, sheet)
    if art:
        paint(rng, image)
    _surroundings(rng, sheet, fonts)
    _grid(rng, sheet)
    _letters(rng, sheet, fonts)
    _symbols(rng, sheet)
    sheet.image = np.clip(sheet.image, 0.02, 1)
    return sheet


def paint(rng: Rng, image: np.ndarray) -> None:
    """Colors and pictures printed below everything, in place: washes, regions, rays, bricks, stripes, big signs."""
    for kind in rng.choice(len(ART), int(rng.integers(1, 4)), replace=False):
        share = ART[kind](rng, image.shape[:2])
        depth = rng.uniform(0.1, 0.75)
        image *= 1 - np.clip(share, 0, 1)[..., None] * depth * (1 - pigment(rng))


def pigment(rng: Rng) -> np.ndarray:
    """A printed color, BGR, 0 to 1: pale ones more often than deep ones."""
    hsv = np.uint8([[[rng.integers(180), rng.uniform(20, 220), rng.uniform(90, 255)]]])
    return (cv2.cvtColor(hsv, cv2.COLOR_HSV2BGR)[0, 0] / 255).astype(np.float32)


def _wash(rng: Rng, shape: tuple[int, int]) -> np.ndarray:
    """(H, W) 0 to 1: cloudy at one or two scales, or a slope."""
    if rng.random() < 0.35:
        y, x = np.mgrid[0 : shape[0], 0 : shape[1]].astype(np.float32) / max(shape)
        a = rng.uniform(0, 2 * np.pi)
        return 0.5 + (x - 0.5) * np.cos(a) + (y - 0.5) * np.sin(a)
    out = np.zeros(shape, np.float32)
    for knots in rng.choice([3, 6, 14, 40, 90], 2, replace=False):
        small = rng.random((knots, knots), dtype=np.float32)
        out += cv2.resize(small, shape[::-1], interpolation=cv2.INTER_CUBIC) / 2
    return out


def _regions(rng: Rng, shape: tuple[int, int]) -> np.ndarray:
    """Areas with sharp borders, as on a map, by some prints with a dark coast."""
    knots = int(rng.integers(5, 22))
    field = cv2.resize(rng.random((knots, knots), dtype=np.float32), shape[::-1], interpolation=cv2.INTER_CUBIC)
    if rng.random() < 0.4:
        return (np.abs(field - 0.5) < rng.uniform(0.01, 0.05)).astype(np.float32)
    return np.floor(np.clip(field, 0, 1) * rng.integers(2, 5)) / 4


def _rays(rng: Rng, shape: tuple[int, int]) -> np.ndarray:
    """Rays or rings around a middle."""
    y, x = np.mgrid[0 : shape[0], 0 : shape[1]].astype(np.float32)
    at = rng.uniform(0.2, 0.8, 2) * shape
    way = np.arctan2(y - at[0], x - at[1]) * rng.integers(3, 14)
    far = np.hypot(y - at[0], x - at[1]) * (rng.uniform(8, 50) / max(shape))
    wave = np.sin(way if rng.random() < 0.5 else far)
    return (wave > rng.uniform(-0.4, 0.8)).astype(np.float32) if rng.random() < 0.6 else 0.5 + 0.5 * wave


def _courses(rng: Rng, shape: tuple[int, int]) -> np.ndarray:
    """Bricks, tiles or stripes at a step of their own."""
    step, mask = rng.uniform(0.03, 0.15) * max(shape), np.zeros(shape, np.uint8)
    thick, half = int(rng.integers(1, 6)), rng.random() < 0.6
    for i, y in enumerate(np.arange(0, shape[0], step)):
        cv2.line(mask, (0, round(y)), (shape[1], round(y)), 255, thick, cv2.LINE_AA)
        for x in np.arange((i % 2) * half * step, shape[1], step * 2):
            cv2.line(mask, (round(x), round(y)), (round(x), round(y + step)), 255, thick, cv2.LINE_AA)
    if rng.random() < 0.4:
        mask = cv2.warpAffine(
            mask, cv2.getRotationMatrix2D((shape[1] / 2, shape[0] / 2), rng.uniform(0, 90), 1.5), shape[::-1]
        )
    return mask.astype(np.float32) / 255


def _pictures(rng: Rng, shape: tuple[int, int]) -> np.ndarray:
    """Big signs and polygons anywhere, half of them under the grid's cells."""
    canvas = np.zeros((*shape, 3), np.float32)
    for _ in range(int(rng.integers(2, 14))):
        at = (float(rng.uniform(0, shape[1])), float(rng.uniform(0, shape[0])))
        symbol(
            rng, canvas, at, rng.uniform(0.05, 0.45) * max(shape), color=np.ones(3, np.float32) * rng.uniform(0.3, 1)
        )
    return canvas[..., 0]


ART = (_wash, _wash, _regions, _rays, _courses, _pictures)


def _tint(rng: Rng, sheet: Sheet) -> None:
    """Colored or textured cells below everything."""
    s, m = sheet.scale, round(sheet.margin * sheet.scale)
    area = sheet.image[m : m + sheet.rows * s, m : m + sheet.cols * s]
    kind = rng.integers(4)
    if kind == 0:
        area *= np.clip(1 - abs(rng.normal(0, 0.1, 3)), 0.65, 1).astype(np.float32)
    elif kind == 1:
        chosen = rng.random((sheet.rows, sheet.cols)) < rng.uniform(0.05, 0.5)
        pattern = rng.random()
        if pattern < 0.25:
            chosen = np.add.outer(np.arange(sheet.rows), np.arange(sheet.cols)) % 2 == 0
        elif pattern < 0.5:
            chosen = np.indices(chosen.shape)[rng.integers(2)] % 2 == 0
        shade = 1 - chosen.astype(np.float32)[..., None] * abs(rng.normal(0, 0.12, 3)).clip(0, 0.35)
        area *= np.kron(shade, np.ones((s, s, 1))).astype(np.float32)
    else:
        size = rng.uniform(0.05, 0.8) * s if kind == 2 else rng.uniform(0.01, 0.05) * s
        noise = cv2.GaussianBlur(rng.random(area.shape[:2], dtype=np.float32), (0, 0), max(0.6, size))
        noise = (noise - noise.min()) / max(1e-6, float(np.ptp(noise)))
        area *= 1 - rng.uniform(0.04, 0.22) * noise[..., None]


def _grid(rng: Rng, sheet: Sheet) -> None:
    s, m = sheet.scale, sheet.margin * sheet.scale
    gray = float(rng.choice([rng.uniform(0.02, 0.3), rng.uniform(0.3, 0.78)], p=[0.55, 0.45]))
    color = np.full(3, gray) + (rng.normal(0, 0.12, 3) if rng.random() < 0.3 else 0)
    wide = float(np.exp(rng.uniform(np.log(0.9), np.log(7)))) * s / 80
    style = rng.choice(["line", "dots", "dashes", "double", "none"], p=[0.75, 0.06, 0.14, 0.04, 0.01])
    sheet.style = str(style)
    mask = np.zeros(sheet.image.shape[:2], np.uint8)
    for n, length, flip in ((sheet.rows, sheet.cols, False), (sheet.cols, sheet.rows, True)):
        for i in range(n + 1):
            _ruled(mask, m, m + i * s, m + length * s, flip, wide, sheet.style, s)
    alpha = mask.astype(np.float32)[..., None] / 255 * min(1.0, wide)
    outer = np.zeros_like(mask)
    if rng.random() < 0.75:
        bold = max(1, round(wide * rng.uniform(1, 4)))
        rect = np.round(np.array([m, m, m + sheet.cols * s, m + sheet.rows * s])).astype(int)
        cv2.rectangle(outer, (rect[0], rect[1]), (rect[2], rect[3]), 255, bold)
        if rng.random() < 0.3:
            off = bold + round(rng.uniform(0.04, 0.15) * s)
            cv2.rectangle(outer, (rect[0] - off, rect[1] - off), (rect[2] + off, rect[3] + off), 255, max(1, bold // 2))
    sheet.image[:] = sheet.image * (1 - alpha) + np.clip(color, 0, 1).astype(np.float32) * alpha
    a = outer.astype(np.float32)[..., None] / 255
    sheet.image[:] = sheet.image * (1 - a) + np.clip(color * rng.uniform(0.3, 1), 0, 1).astype(np.float32) * a


def _ruled(mask: np.ndarray, start: float, at: float, end: float, flip: bool, wide: float, style: str, s: int) -> None:
    pieces = [(start, end)]
    if style in ("dots", "dashes"):
        step = s * (0.08 if style == "dots" else 0.22)
        pieces = [(a, a + step * 0.5) for a in np.arange(start, end - step * 0.4, step)]
    sides = (-0.03 * s, 0.03 * s) if style == "double" else (0.0,)
    for side in () if style == "none" else sides:
        for a, b in pieces:
            p, q = ((at + side, a), (at + side, b)) if flip else ((a, at + side), (b, at + side))
            cv2.line(
                mask, [round(v * 16) for v in p], [round(v * 16) for v in q], 255, max(1, round(wide)), cv2.LINE_AA, 4
            )


def _letters(rng: Rng, sheet: Sheet, fonts: list[str]) -> None:
    s = sheet.scale
    count = round(sheet.rows * sheet.cols * rng.uniform(0.12, 0.3))
    if rng.random() < 0.06:
        count = 0
    cells = [(int(i), int(j)) for i in range(sheet.rows) for j in range(sheet.cols)]
    cells = [cells[k] for k in rng.permutation(len(cells))]
    sheet.entrance = cells.pop() if rng.random() < 0.85 else None
    glyph = random_glyph(rng, fonts)
    height = float(np.clip(rng.normal(0.4, 0.13), 0.18, 0.8))
    gray = float(rng.choice([rng.uniform(0.02, 0.25), rng.uniform(0.25, 0.62)], p=[0.75, 0.25]))
    color = np.clip(np.full(3, gray) + (rng.normal(0, 0.15, 3) if rng.random() < 0.2 else 0), 0, 0.8).astype(np.float32)
    off = (0.0, 0.0)
    if rng.random() < 0.35:
        reach = max(0.0, 0.45 - height / 2)
        off = (rng.choice([-1, 0, 1]) * reach, rng.choice([-1, 0, 1]) * reach)
    rounds = "OQDGCO" if rng.random() < 0.2 else ""
    names = (rounds + "".join(rng.permutation(list("ABCDEFGHIJKLMNOPQRSTUVWX"))))[:count]
    if rng.random() < 0.07:
        names = "".join(rng.choice(list("0123456789abdegkopqxYZ"), count))
    lines: dict[str, list[np.ndarray]] = {}
    for name, cell in zip(names, cells, strict=False):
        try:
            mask = glyph(name)
        except (ValueError, cv2.error):
            continue
        tall = mask.shape[0] / 70 if name.islower() else 1.0
        mx, my = sheet.middle(cell)
        mx, my = mx + off[0] * s, my + off[1] * s
        high = min(height * s * min(tall, 1.3), 0.85 * s, 0.85 * s * mask.shape[0] / mask.shape[1])
        x, y, f = stamp(sheet.image, mask, (mx, my), high, color)
        if name not in lines:
            lines[name] = skeleton_strokes(
                cv2.copyMakeBorder(
                    cv2.resize(mask, None, fx=0.4, fy=0.4, interpolation=cv2.INTER_AREA),
                    1,
                    1,
                    1,
                    1,
                    cv2.BORDER_CONSTANT,
                )
            )
        cx, cy = sheet.middle(cell)
        strokes = [((p - 1) / 0.4 * f + (x - cx, y - cy)) / s for p in lines[name]]
        if name in STROKES and (rng.random() < 0.5 or not strokes):
            width = mask.shape[1] * f / s
            strokes = [
                (p - 0.5) * (width * 0.88, high / s * 0.9) + ((mx - cx) / s, (my - cy) / s) for p in STROKES[name]
            ]
        if strokes:
            sheet.letters[cell], sheet.letter_lines[cell] = name, strokes


def _symbols(rng: Rng, sheet: Sheet) -> None:
    """The entrance, and small printed pictures in some cells."""
    if sheet.entrance is not None:
        symbol(rng, sheet.image, sheet.middle(sheet.entrance), sheet.scale * rng.uniform(0.45, 0.95))
    if rng.random() < 0.2:
        for _ in range(rng.integers(1, 6)):
            cell = (int(rng.integers(sheet.rows)), int(rng.integers(sheet.cols)))
            if cell not in sheet.letters and cell != sheet.entrance:
                off = rng.uniform(-0.3, 0.3, 2) * sheet.scale
                where = (sheet.middle(cell)[0] + off[0], sheet.middle(cell)[1] + off[1])
                symbol(rng, sheet.image, where, sheet.scale * rng.uniform(0.08, 0.25))


def symbol(
    rng: Rng,
    image: np.ndarray,
    at: tuple[float, float],
    size: float,
    kind: int | None = None,
    color: np.ndarray | None = None,
) -> None:
    """Print a small picture: door, stairs, star, spiral, arrow, house, diamond, ring; in a dark color, or this one."""
    mask = np.zeros((120, 120), np.uint8)
    kind = int(rng.integers(8)) if kind is None else kind
    thick = int(rng.integers(3, 12))
    fill = -1 if rng.random() < 0.5 else thick

    def poly(points) -> None:
        outline = [np.int32(points)]
        if fill == -1:
            cv2.fillPoly(mask, outline, 255, cv2.LINE_AA)
        else:
            cv2.polylines(mask, outline, True, 255, thick, cv2.LINE_AA)

    t = np.linspace(0, 2 * np.pi, 60)
    if kind == 0:
        cv2.ellipse(mask, (60, 45), (32, 35), 0, 180, 360, 255, fill, cv2.LINE_AA)
        cv2.rectangle(mask, (28, 45), (92, 110), 255, fill)
        if fill == -1:
            cv2.rectangle(mask, (40, 55), (80, 110), 120, -1)
    elif kind == 1:
        for k in range(4):
            cv2.rectangle(mask, (15 + 22 * k, 90 - 22 * k), (37 + 22 * k, 110), 255, fill if fill > 0 else -1)
    elif kind == 2:
        r = np.where(np.arange(10) % 2, 22, 55)
        a = np.arange(10) * np.pi / 5 - np.pi / 2
        poly(np.stack([60 + r * np.cos(a), 60 + r * np.sin(a)], -1))
    elif kind == 3:
        r = np.linspace(2, 52, 90)
        a = np.linspace(0, 6 * np.pi, 90)
        cv2.polylines(
            mask, [np.int32(np.stack([60 + r * np.cos(a), 60 + r * np.sin(a)], -1))], False, 255, thick, cv2.LINE_AA
        )
    elif kind == 4:
        poly([[60, 10], [100, 55], [75, 55], [75, 110], [45, 110], [45, 55], [20, 55]])
    elif kind == 5:
        poly([[60, 10], [108, 52], [95, 52], [95, 110], [25, 110], [25, 52], [12, 52]])
    elif kind == 6:
        poly([[60, 8], [100, 60], [60, 112], [20, 60]])
    else:
        poly(np.stack([60 + 50 * np.cos(t), 60 + 50 * np.sin(t)], -1))
    if color is None:
        color = np.clip(
            rng.uniform(0, 0.5) + (rng.normal(0, 0.15, 3) if rng.random() < 0.4 else np.zeros(3)), 0, 0.8
        ).astype(np.float32)
    stamp(image, mask, at, size, color)


def _surroundings(rng: Rng, sheet: Sheet, fonts: list[str]) -> None:
    """What is printed around the grid: frames, boxes, coordinates, text, dark bands, or the table beside the sheet."""
    image, s, m = sheet.image, sheet.scale, sheet.margin * sheet.scale
    h, w = image.shape[:2]
    gw, gh = sheet.cols * s, sheet.rows * s
    ink = np.full(3, rng.uniform(0, 0.5), np.float32)
    if rng.random() < 0.25:
        for _ in range(rng.integers(1, 3)):
            off = rng.uniform(0.12, 0.9) * s
            p, q = (round(m - off), round(m - off)), (round(m + gw + off), round(m + gh + off))
            cv2.rectangle(image, p, q, ink.tolist(), int(rng.integers(1, 12)), cv2.LINE_AA)
    if rng.random() < 0.3:
        side, n = rng.integers(4), int(rng.integers(4, 12))
        size, off = rng.uniform(0.25, 0.8) * s, rng.uniform(0.15, 0.6) * s
        for k in range(n):
            a = m + k * size * 1.15
            b = m - off - size if side < 2 else (m + (gh if side == 2 else gw) + off)
            p = (a, b) if side % 2 == 0 else (b, a)
            cv2.rectangle(
                image,
                (round(p[0]), round(p[1])),
                (round(p[0] + size), round(p[1] + size)),
                ink.tolist(),
                int(rng.integers(1, 4)),
            )
    if rng.random() < 0.2:
        glyph = random_glyph(rng, fonts)
        for k in range(max(sheet.rows, sheet.cols)):
            try:
                number, letter = glyph(str(k + 1)), glyph("ABCDEFGHIJKLMNOP"[k])
            except (ValueError, cv2.error, IndexError):
                continue
            off, size = rng.uniform(0.25, 0.35) * s, 0.3 * s
            stamp(image, number, (m - off, m + (k + 0.5) * s), size, ink)
            stamp(image, letter, (m + (k + 0.5) * s, m - off), size, ink)
    if rng.random() < 0.4:
        for _ in range(rng.integers(1, 5)):
            a, b = rng.uniform(0, w), rng.uniform(0, m * 0.8)
            p = [(a, b), (a, h - b), (b, a), (w - b, a)][rng.integers(4)]
            symbol(rng, image, p, s * rng.uniform(0.2, 0.8))
    if rng.random() < 0.2:
        side, depth = rng.integers(4), round(rng.uniform(0, 0.85) * m)
        table = np.clip(rng.uniform(0.05, 0.7) + rng.normal(0, 0.1, 3), 0.02, 0.9).astype(np.float32)
        band = [image[:depth], image[h - depth :], image[:, :depth], image[:, w - depth :]][side]
        band[:] = table * (1 + 0.1 * rng.normal(0, 1, band.shape[:2])[..., None].astype(np.float32))
