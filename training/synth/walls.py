"""How a hand fills a cell in: hatching, knots, spirals, solid, over one box or many cells at once.

Boxes are x, y, width, height in cells; strokes as in `hands`.
"""

from itertools import pairwise

import numpy as np

from training.synth.hands import TAU, Hand, Rng, Stroke, pressed, resample, ring, shake

Box = tuple[float, float, float, float]


def wall(rng: Rng, hand: Hand, box: Box, style: str | None = None) -> list[Stroke]:
    """Fill a box in one of the hand's styles."""
    style = style or str(rng.choice(hand.wall_styles))
    inset = hand.hatch_inset + rng.normal(0, 0.03)
    if rng.random() < 0.06:
        inset += rng.uniform(0, 0.1)
    x, y, w, h = box
    box = (x + inset + rng.normal(0, 0.02), y + inset + rng.normal(0, 0.02), w - 2 * inset, h - 2 * inset)
    spacing = hand.hatch_spacing * np.exp(rng.normal(0, 0.12))
    angle = hand.hatch_angle + rng.normal(0, 0.12)
    if rng.random() < 0.08:
        angle = rng.uniform(0, np.pi)
    if style == "loops":
        return loops(rng, box, spacing)
    if style == "spiral":
        return spiral(rng, hand, box, spacing)
    if style == "knot":
        return knot(rng, box, spacing)
    if style in SPARSE:
        return SPARSE[style](rng, hand, box)
    lifted = style == "lines" or (style in ("cross", "edge") and rng.random() < 0.4)
    narrow = {"dense": 0.07, "solid": 0.025}.get(style, spacing)
    strokes = hatch(rng, hand, box, angle, min(spacing, narrow), lifted)
    if style in ("cross", "solid") or (style == "dense" and rng.random() < 0.5):
        second = angle + np.pi / 2 + rng.normal(0, 0.25) if style == "cross" else angle + rng.uniform(0.3, 2.5)
        strokes += hatch(rng, hand, box, second, min(spacing, narrow), lifted)
    return edge(rng, box) + strokes if style == "edge" else strokes


def outlined(rng: Rng, hand: Hand, box: Box) -> list[Stroke]:
    """The box's outline with a few diagonals, one by one."""
    angle = hand.hatch_angle + rng.normal(0, 0.1)
    return edge(rng, box) + hatch(rng, hand, box, angle, rng.uniform(0.2, 0.45), lifted=True)


def crossed(rng: Rng, hand: Hand, box: Box) -> list[Stroke]:
    """Two diagonals from corner to corner, by some hands within an outline."""
    x, y, w, h = box
    ends = np.array([[x, y], [x + w, y + h], [x + w, y], [x, y + h]]) + rng.normal(0, 0.04, (4, 2))
    lines = [pressed(rng, bow(rng, ends[k], ends[k + 1], 0.03), 0.15, 0.3) for k in (0, 2)]
    return lines + (edge(rng, box) if hand.care < 0.7 else [])


def striped(rng: Rng, hand: Hand, box: Box) -> list[Stroke]:
    """A few wide apart parallel lines."""
    return hatch(rng, hand, box, hand.hatch_angle + rng.normal(0, 0.08), rng.uniform(0.17, 0.3), lifted=True)


SPARSE = {"outline": outlined, "crossed": crossed, "stripes": striped}
"""Fillings that leave most of the paper bare: a sheet's walls all look so, or none does."""


def hatch(rng: Rng, hand: Hand, box: Box, angle: float, spacing: float, lifted: bool) -> list[Stroke]:
    """Parallel lines across the box, one by one or as one zigzag; their ends stray by the hand's care."""
    x, y, w, h = box
    middle = np.array([x + w / 2, y + h / 2])
    along, across = np.array([np.cos(angle), np.sin(angle)]), np.array([-np.sin(angle), np.cos(angle)])
    reach = abs(across[0]) * w / 2 + abs(across[1]) * h / 2
    rungs = []
    at = -reach + spacing * rng.uniform(0.2, 0.8)
    while at < reach:
        ends = _clip(middle + across * at, along, box)
        if ends is not None:
            rungs.append([p + rng.normal(0, 0.025 * hand.care, 2) for p in ends])
        at += spacing * np.clip(rng.normal(1, 0.2 * hand.care), 0.3, 2)
    if not rungs:
        rungs = [[middle - along * w / 2, middle + along * w / 2]]
    if lifted:
        return [pressed(rng, bow(rng, r[0], r[1], 0.02), 0.15, 0.5) for r in rungs]
    line = [p for i, r in enumerate(rungs) for p in (r if i % 2 == 0 else r[::-1])]
    out, run = [], max(2, 2 * rng.integers(2, 12))
    for i in range(0, len(line) - 1, run):
        part = line[i : i + run + 1]
        bent = np.vstack([bow(rng, a, b, 0.015) for a, b in pairwise(part)])
        out.append(pressed(rng, bent, 0.25, 0.2))
    return out


def _clip(through: np.ndarray, way: np.ndarray, box: Box) -> tuple[np.ndarray, np.ndarray] | None:
    x, y, w, h = box
    near, far = -1e9, 1e9
    for k, (lo, hi) in enumerate(((x, x + w), (y, y + h))):
        if abs(way[k]) < 1e-6:
            if not lo <= through[k] <= hi:
                return None
            continue
        a, b = sorted(((lo - through[k]) / way[k], (hi - through[k]) / way[k]))
        near, far = max(near, a), min(far, b)
    return (through + way * near, through + way * far) if far - near > 0.03 else None


def bow(rng: Rng, a: np.ndarray, b: np.ndarray, amount: float) -> np.ndarray:
    """A nearly straight line from a to b, (N, 2)."""
    a, b = np.asarray(a), np.asarray(b)
    n = max(3, int(np.linalg.norm(b - a) / 0.14))
    t = np.linspace(0, 1, n)[:, None]
    side = np.array([a[1] - b[1], b[0] - a[0]])
    return a + (b - a) * t + side * np.sin(np.pi * t) * rng.normal(0, amount)


def edge(rng: Rng, box: Box) -> list[Stroke]:
    """The box's outline."""
    x, y, w, h = box
    around = np.array([[x, y], [x + w, y], [x + w, y + h], [x, y + h], [x, y]], float)
    return [pressed(rng, shake(rng, resample(around + rng.normal(0, 0.02, (5, 2)), 0.1), 0.01))]


def loops(rng: Rng, box: Box, spacing: float) -> list[Stroke]:
    """A coil of loops that wanders over the box, row by row."""
    x, y, w, h = box
    size = float(np.clip(spacing * 2, 0.1, 0.28))
    lanes = max(1, round(h / (size * rng.uniform(1.0, 1.6))))
    out = []
    for i in range(lanes):
        t = np.arange(0, w / (spacing * 0.9), 0.09)
        lane = y + h * (i + 0.5) / lanes
        px = x + spacing * 0.9 * t + size * 0.7 * np.cos(TAU * t)
        py = lane + h / lanes * 0.6 * np.sin(TAU * t) + rng.normal(0, 0.01, len(t))
        out.append(pressed(rng, shake(rng, np.stack([np.clip(px, x - 0.04, x + w + 0.04), py], -1), 0.015)))
    return out


def spiral(rng: Rng, hand: Hand, box: Box, spacing: float) -> list[Stroke]:
    """A spiral from the middle outwards in each unit of the box."""
    x, y, w, h = box
    out = []
    for i in range(max(1, round(h))):
        for j in range(max(1, round(w))):
            r = min(w / max(1, round(w)), h / max(1, round(h))) / 2
            turns = max(3.2, r / max(spacing, 0.05))
            line = ring(rng, hand, r, turns)
            line *= np.linspace(0.05, 1, len(line))[:, None] * rng.uniform(0.95, 1.15)
            out.append(pressed(rng, shake(rng, line + np.array([x + r + 2 * r * j, y + r + 2 * r * i]), 0.01)))
            if spacing > 0.11:
                out += knot(rng, (x + 2 * r * j, y + 2 * r * i, 2 * r, 2 * r), spacing)
    return out


def knot(rng: Rng, box: Box, spacing: float) -> list[Stroke]:
    """Scribbled loops without order; round, so that corners stay white."""
    x, y, w, h = box
    out = []
    for i in range(max(1, round(h))):
        for j in range(max(1, round(w))):
            cw, ch = w / max(1, round(w)), h / max(1, round(h))
            n = int(np.clip(1.1 / spacing, 7, 26) * rng.uniform(0.8, 1.2))
            a = np.cumsum(rng.choice([-1, 1], p=[0.2, 0.8]) * rng.uniform(1.2, 3.4, n)) + rng.uniform(0, TAU)
            r = np.sqrt(rng.uniform(0.15, 1, n)) * rng.uniform(0.42, 0.54)
            if rng.random() < 0.4:
                r *= np.clip(1 / np.maximum(np.abs(np.cos(a)), np.abs(np.sin(a))), 1, 1.3)
            p = np.stack([x + cw * (j + 0.5 + r * np.cos(a)), y + ch * (i + 0.5 + r * np.sin(a))], -1)
            t, fine = np.arange(n), np.arange(0, n - 1, 0.14)
            line = np.stack([_round(p[:, k], t, fine) for k in (0, 1)], -1)
            out.append(pressed(rng, line, 0.3, 0.2))
    return out


def _round(values: np.ndarray, t: np.ndarray, at: np.ndarray) -> np.ndarray:
    """Catmull-Rom through the values."""
    padded = np.concatenate([values[:1], values, values[-1:], values[-1:]])
    i = np.clip(at.astype(int), 0, len(values) - 2)
    f = at - i
    a, b, c, d = (padded[i + k] for k in range(4))
    return 0.5 * (2 * b + (c - a) * f + (2 * a - 5 * b + 4 * c - d) * f**2 + (3 * b - a - 3 * c + d) * f**3)
