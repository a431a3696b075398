"""Draws the pictures that `train_ticks` learns from: tick tracks of any print, ticked by any hand, photographed.

One box is `SCALE` pixels wide in the drawing; a track is drawn with what may stand around it (its name, a frame, a
second row) and art under it, photographed blank, ticked, photographed and cut into patches nearly as
`vision.sheet.ticks` cuts them.
"""

from dataclasses import dataclass

import cv2
import numpy as np

from training.synth import camera, walls
from training.synth.hands import Rng, Stroke, pressed, random_hand, resample, shake
from training.synth.media import Layer, lay, paper_tooth, pressed_harder, random_medium, unlike_medium
from training.synth.print import HERSHEY, hershey_glyph, paint, stamp, symbol
from vision.sheet.ticks import SIDE, SPAN, beside_blank, normalize

SCALE = 40
UNLIKE = 0.45
"""Share of the pens that few take to this game."""
MIRRORED = 0.25
"""Share of the pencilled tracks where graphite mirrors the lamp."""
ART = 0.5
"""Share of the tracks with something printed under them."""
COVERED, UNSEEN = 0.15, 0.5
"""Share of tracks on which a thing lies; how much of a box it hides at least for nobody to see a tick."""


@dataclass(frozen=True)
class Strip:
    """A drawn track: `image` (H, W, 3) float32 BGR, the middles (n, 2) of its boxes in pixels, which are ticked, and
    how much graphite lies where, (H, W) 0 to 1."""

    image: np.ndarray
    middles: np.ndarray
    ticked: np.ndarray
    graphite: np.ndarray


def track(rng: Rng, beside: bool) -> tuple[np.ndarray, np.ndarray]:
    """Patches of one track's boxes, float32, and their (n,) bool truth: as the network that sees the blank page, too,
    sees them, (n, 9, SIDE, SIDE), or as the other one, (n, 2, SIDE, SIDE)."""
    image, middles = _printed(rng)
    blank = _photographed(rng, image.copy(), middles, fine=True)
    strip = _ticked(rng, image, middles)
    if rng.random() < COVERED:
        strip = _covered(rng, strip)
    mirrored = strip.graphite if rng.random() < MIRRORED else None
    seen = _photographed(rng, strip.image, middles, graphite=mirrored)
    if beside:
        both = beside_blank(seen, blank)
        assert both is not None
        return both, strip.ticked
    return normalize(np.stack([cv2.cvtColor(patch, cv2.COLOR_BGR2GRAY) for patch in seen])), strip.ticked


def _printed(rng: Rng) -> tuple[np.ndarray, np.ndarray]:
    """A blank track: its picture and its boxes' middles."""
    n = int(rng.integers(4, 16))
    step = SCALE * rng.choice([1.0, rng.uniform(1.03, 1.35), rng.uniform(1.3, 2)], p=[0.25, 0.6, 0.15])
    rows = 2 if rng.random() < 0.12 else 1
    edge = 1.4 * SCALE
    columns = -(-n // rows)
    width, height = round(2 * edge + (columns - 1) * step), round(2 * edge + (rows - 1) * step)
    middles = np.array([[edge + (k % columns) * step, edge + (k // columns) * step] for k in range(n)])
    paper = rng.uniform(0.75, 1) + rng.normal(0, 0.02, 3)
    if rng.random() < 0.3:
        paper = paper * rng.uniform(0.7, 1, 3)
    image = np.full((height, width, 3), np.clip(paper, 0, 1), np.float32)
    colored = rng.random() < 0.3
    ink = np.clip(rng.uniform(0, 0.65) + rng.normal(0, 0.25 if colored else 0.05, 3), 0, 0.8).astype(np.float32)
    if rng.random() < ART:
        _art(rng, image)
    shape = rng.choice(["square", "circle", "diamond", "rounded"], p=[0.6, 0.2, 0.1, 0.1])
    weight = max(1, round(SCALE * np.exp(rng.uniform(np.log(0.02), np.log(0.12)))))
    tint = paper * rng.uniform(0.75, 1) if rng.random() < 0.15 else None
    _surroundings(rng, image, middles, ink)
    for middle in middles:
        _box(image, middle, shape, ink, weight, tint)
    _content(rng, image, middles, ink)
    if rng.random() < 0.3:  # a column
        image, middles = np.ascontiguousarray(image.transpose(1, 0, 2)), middles[:, ::-1].copy()
    return image, middles


def _art(rng: Rng, image: np.ndarray) -> None:
    """A part of what is printed under a whole page."""
    height, width = image.shape[:2]
    page = np.ones((max(640, height), max(640, width), 3), np.float32)
    paint(rng, page)
    y, x = (int(rng.integers(0, n - m + 1)) for n, m in zip(page.shape, (height, width), strict=False))
    image *= page[y : y + height, x : x + width]


def _box(image, middle, shape, ink, weight, tint) -> None:
    half = SCALE / 2
    corners = {"square": [(-1, -1), (1, -1), (1, 1), (-1, 1)], "diamond": [(0, -1), (1, 0), (0, 1), (-1, 0)]}
    if shape in corners:
        points = np.array(corners[shape]) * half
    elif shape == "circle":
        points = np.stack([np.cos(t := np.linspace(0, 2 * np.pi, 48)), np.sin(t)], 1) * half
    else:
        t = np.linspace(0, 2 * np.pi, 48)
        points = (
            np.stack([np.sign(np.cos(t)) * np.abs(np.cos(t)) ** 0.4, np.sign(np.sin(t)) * np.abs(np.sin(t)) ** 0.4], 1)
            * half
        )
    points = [np.round((points + middle) * 16).astype(np.int32)]
    if tint is not None:
        cv2.fillPoly(image, points, [float(v) for v in tint], cv2.LINE_AA, 4)
    cv2.polylines(image, points, True, ink.tolist(), weight, cv2.LINE_AA, 4)


def _content(rng: Rng, image, middles, ink) -> None:
    """What may be printed inside the boxes: mostly nothing; a dash, a number, a small sign."""
    kind = rng.choice(["none", "dash", "same", "numbers", "some"], p=[0.6, 0.17, 0.1, 0.08, 0.05])
    if kind == "none":
        return
    pale = ink + (1 - ink) * rng.uniform(0, 0.7)
    size = rng.uniform(0.15, 0.6) * SCALE
    face, weight = HERSHEY[rng.integers(len(HERSHEY))], int(rng.integers(2, 6))
    glyph = hershey_glyph(int(face), weight)
    text = str(rng.choice(list("-+x*.1235!?ABGo")))
    seed = int(rng.integers(1 << 30))
    first = int(rng.integers(0, 4))
    place = rng.normal(0, 0.05, 2) * SCALE if rng.random() < 0.7 else rng.uniform(-0.25, 0.25, 2) * SCALE
    icon, long = rng.random() < 0.5, rng.uniform(0.04, 0.2)
    for k, middle in enumerate(middles):
        at = tuple(middle + place)
        if kind == "dash":
            half = np.array([long, 0]) * SCALE
            cv2.line(
                image,
                *(tuple(np.round((np.array(at) + s * half) * 16).astype(int).tolist()) for s in (-1, 1)),
                pale.tolist(),
                max(1, round(0.04 * SCALE)),
                cv2.LINE_AA,
                4,
            )
        elif kind == "numbers":
            stamp(image, glyph(str(k + first)), at, size, pale)
        elif kind == "same" or k % 5 == 4 or k == len(middles) - 1:
            if icon:
                symbol(np.random.default_rng(seed), image, at, size)
            else:
                stamp(image, glyph(text), at, size, pale)


def _surroundings(rng: Rng, image, middles, ink) -> None:
    """A name above or below, a line, a frame, other boxes beyond the track."""
    height, width = image.shape[:2]
    if rng.random() < 0.6:
        words = "".join(rng.choice(list("AEGIMNPRSTYaegimnst"), int(rng.integers(3, 12))))
        size = rng.uniform(0.2, 0.7) * SCALE
        side = -1 if rng.random() < 0.7 else 1
        y = (middles[0] if side < 0 else middles[-1])[1] + side * (
            0.56 * SCALE + size / 2 + rng.uniform(0, 0.2) * SCALE
        )
        label = hershey_glyph(int(HERSHEY[rng.integers(len(HERSHEY))]), int(rng.integers(3, 12)))(words)
        wide = label.shape[1] * size / label.shape[0]
        stamp(image, label, (middles[0][0] - SCALE / 2 + wide / 2 + rng.uniform(-0.1, 2) * SCALE, y), size, ink)
    if rng.random() < 0.25:
        y = round(rng.choice([rng.uniform(0, 0.85 * SCALE), height - rng.uniform(0, 0.85 * SCALE)]))
        cv2.line(image, (0, y), (width, y), ink.tolist(), int(rng.integers(1, 6)))
    if rng.random() < 0.15:
        for _ in range(3):
            at = rng.uniform(0, 1, 2) * (width, height)
            if np.abs(middles - at).max(1).min() > 0.85 * SCALE:
                symbol(rng, image, tuple(at), rng.uniform(0.2, 0.6) * SCALE)


def _ticked(rng: Rng, image: np.ndarray, middles: np.ndarray) -> Strip:
    """Ticks from the first box on, mostly; all by one hand with one pen."""
    n = len(middles)
    box = rng.uniform(0.28, 0.8)  # width of a box in cells of the grid: pens are drawn in true proportion
    kind = rng.choice(["pencil", "mechanical", "ball", "felt", "crayon"], p=[0.38, 0.17, 0.24, 0.18, 0.03])
    hand, medium = random_hand(rng), random_medium(rng, str(kind))
    if rng.random() < UNLIKE:
        medium = unlike_medium(rng)
    ticked = np.arange(n) < rng.integers(0, n + 1)
    if rng.random() < 0.2:
        ticked = rng.random(n) < rng.uniform(0.1, 0.7)
    layer = Layer(medium, image.shape[:2], SCALE / box)
    styles = ["check", "cross", "slash", "backslash", "fill", "fill", "dot", "bar", "ring", "scribble"]
    style = str(rng.choice(styles, p=np.array([5, 3, 2, 0.5, 1.5, 1.5, 1, 0.6, 0.6, 1]) / 16.7))
    size = rng.uniform(0.6, 1.5)
    uneven = rng.uniform(0.03, 0.35)
    if medium.kind == "ball" and style in ("dot", "fill"):
        layer = Layer(pressed_harder(medium, 1.3), image.shape[:2], SCALE / box)
    for k in np.flatnonzero(ticked):
        own = str(rng.choice(styles)) if rng.random() < 0.04 else style
        at = middles[k] + rng.normal(0, 0.08 * SCALE, 2)
        strokes = [np.c_[s[:, :2] * box, s[:, 2]] for s in _mark(rng, hand, own, size * np.exp(rng.normal(0, 0.12)))]
        layer.draw(rng, strokes, tuple(at), float(np.exp(rng.normal(0, uneven))))
    graphite = np.zeros(image.shape[:2], np.float32)
    if layer.ink.any():
        tooth = paper_tooth(rng, image.shape[:2], SCALE / box)
        opacity = layer.opacity(rng, tooth)
        image = lay(image, opacity, layer.medium)
        graphite = opacity * (layer.medium.kind == "pencil")
    return Strip(image, middles, ticked, graphite)


def _covered(rng: Rng, strip: Strip) -> Strip:
    """A pawn, a die or a finger on some of the boxes: a tick that cannot be seen is none."""
    image, hidden = strip.image.copy(), np.zeros(strip.image.shape[:2], np.float32)
    at = strip.middles[rng.integers(len(strip.middles))] + rng.normal(0, 0.6 * SCALE, 2)
    for _ in range(int(rng.integers(1, 4))):
        mask = np.zeros(image.shape[:2], np.uint8)
        axes = tuple(np.round(rng.uniform(0.35, 1.5, 2) * SCALE).astype(int).tolist())
        cv2.ellipse(mask, np.round(at).astype(int).tolist(), axes, rng.uniform(0, 180), 0, 360, 255, -1, cv2.LINE_AA)
        hidden = np.maximum(hidden, mask / np.float32(255))
        at = at + rng.normal(0, 0.8 * SCALE, 2)
    y, x = (v.astype(np.float32) / SCALE for v in np.mgrid[: image.shape[0], : image.shape[1]])
    a, color = rng.uniform(0, 2 * np.pi), rng.uniform(0.02, 0.9) + rng.normal(0, 0.1, 3)
    shade = 1 + rng.uniform(0, 0.5) * np.sin(x * np.cos(a) + y * np.sin(a) + rng.uniform(0, 6))
    thing = np.clip(shade[..., None] * color, 0.01, 1).astype(np.float32)
    image += hidden[..., None] * (thing - image)
    share = cv2.blur(hidden, (SCALE, SCALE))
    gone = np.array([share[round(y), round(x)] >= UNSEEN for x, y in strip.middles])
    return Strip(image, strip.middles, strip.ticked & ~gone, strip.graphite * (1 - hidden))


def _mark(rng: Rng, hand, style: str, size: float) -> list[Stroke]:
    """A tick around (0, 0), in widths of the box."""

    def lines(*strokes) -> list[Stroke]:
        turn = rng.normal(0, 0.12)
        spin = np.array([[np.cos(turn), np.sin(turn)], [-np.sin(turn), np.cos(turn)]])
        stretch = size * np.exp(rng.normal(0, 0.1, 2)) * 0.5
        return [
            pressed(rng, shake(rng, resample(np.array(s, float).reshape(-1, 2) * stretch @ spin, 0.08), 0.02))
            for s in strokes
        ]

    bars = ([-0.9, 0, 0.9, 0], [0, -0.9, 0, 0.9])
    t = np.linspace(0, 1, 40)
    drawn = {
        "check": [
            [-0.8, rng.uniform(-0.3, 0.3), rng.uniform(-0.5, 0.1), 0.7, rng.uniform(0.5, 1.2), rng.uniform(-1.3, -0.6)]
        ],
        "cross": [[-0.8, -0.8, 0.8, 0.8], [0.8, -0.8, -0.8, 0.8]],
        "slash": [[-0.8, 0.8, 0.8, -0.8]],
        "backslash": [[-0.8, -0.8, 0.8, 0.8]],
        "bar": [bars[rng.integers(2)]],
        "dot": [_round(t * rng.uniform(6, 25), rng.uniform(0.1, 0.5) * rng.uniform(0.2, 1, 40))],
        "ring": [_round(t * rng.uniform(5.8, 7) + rng.uniform(0, 6), rng.uniform(0.4, 0.9))],
        "scribble": [np.cumsum(rng.normal(0, 0.5, (int(rng.integers(6, 16)), 2)), 0).clip(-0.9, 0.9)],
    }
    if style in drawn:
        return lines(*drawn[style])
    half = 0.5 * min(size, 1.1)
    return walls.wall(rng, hand, (-half, -half, 2 * half, 2 * half))


def _round(angle: np.ndarray, radius: np.ndarray | float) -> np.ndarray:
    return np.stack([np.cos(angle) * radius, np.sin(angle) * radius], 1)


def _photographed(
    rng: Rng, image: np.ndarray, middles: np.ndarray, fine: bool = False, graphite: np.ndarray | None = None
) -> np.ndarray:
    """(n, SIDE, SIDE, 3) uint8: each box; `fine`: as near as people photograph the blank page."""
    shape = image.shape[:2]
    pixels = float(np.exp(rng.uniform(np.log(18 if fine else 7), np.log(42))))  # of a box in the photo
    shrink = pixels / SCALE
    lit = camera.light(rng, shape, 2 * SCALE)
    linear = np.power(np.clip(image, 0, 1), 2.2, dtype=np.float32) * lit
    if graphite is not None and graphite.any():
        linear = linear + camera.sheen(rng, graphite)[..., None] * lit
    lens = camera.random_camera(rng, shape, shrink)
    photo = camera.develop(rng, lens.see(linear, shrink), 2 * pixels)
    scale = min(1.0, SIDE / SPAN / pixels * 1.25)
    if scale < 1:
        photo = cv2.resize(photo, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    ticks = (np.arange(SIDE) + 0.5) / SIDE - 0.5
    off = rng.choice([0.01, 0.03, 0.07])
    drift = rng.normal(0, off, 2)
    stretch = SPAN * SCALE * np.exp(rng.normal(0, 0.03))
    out = np.empty((len(middles), SIDE, SIDE, 3), np.uint8)
    for k, middle in enumerate(middles):
        at = middle + (drift + rng.normal(0, off, 2)) * SCALE
        x, y = np.meshgrid(at[0] + ticks * stretch, at[1] + ticks * stretch)
        if lens.bend is not None:
            inside = tuple(np.clip(np.round(middle[::-1]).astype(int), 0, np.array(shape) - 1))
            x, y = x - lens.bend[inside][0], y - lens.bend[inside][1]
        p = lens.to_photo
        depth = p[2, 0] * x + p[2, 1] * y + p[2, 2]
        px = (p[0, 0] * x + p[0, 1] * y + p[0, 2]) / depth
        py = (p[1, 0] * x + p[1, 1] * y + p[1, 2]) / depth
        px, py = ((v + 0.5) * scale - 0.5 for v in (px, py))
        out[k] = cv2.remap(
            photo, px.astype(np.float32), py.astype(np.float32), cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE
        )
    return out
