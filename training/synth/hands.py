"""What a hand draws into a cell: circles, fillings, letters traced over, odd marks.

Points are [x, y] in cells. A drawing is a list of strokes, a stroke an (N, 3) array of
x, y and pressure (about 1). A `Hand` is one person's habits; each mark strays from them.
"""

from dataclasses import dataclass, replace

import numpy as np

Stroke = np.ndarray
Rng = np.random.Generator
TAU = 2 * np.pi
BROAD, SPOTS = 0.1, 0.4
"""Cells from which a pen is broad: it leaves no room for a second outline close to the first; the share of its inner
ones that run into a spot."""
WITHIN = (0.25, 0.6)
"""Radius of a second outline well inside the first, in parts of it."""


@dataclass(frozen=True)
class Hand:
    """One person's habits. Lengths in cells, angles in radians."""

    radius: float
    aspect: float
    lean: float
    wobble: float
    corners: float
    stray: float
    gap: float
    overlap: float
    twice: float
    tail: float
    wall_styles: tuple[str, ...]
    hatch_angle: float
    hatch_spacing: float
    hatch_inset: float
    care: float
    gate_radius: float
    gate_style: str
    trace_passes: float
    trace_stray: float
    uneven: float = 0.1
    point: float = 0.0
    opening: float = 0.0


def random_hand(rng: Rng) -> Hand:
    """A person nobody has met."""
    styles = ["zigzag", "lines", "cross", "knot", "spiral", "solid", "edge", "loops", "dense"]
    weights = np.array([3, 2, 2, 3, 1, 1.5, 1, 1.5, 1.5])
    chosen = rng.choice(styles, rng.integers(1, 5), replace=False, p=weights / weights.sum())
    return Hand(
        radius=float(np.clip(rng.normal(*((0.38, 0.07), (0.25, 0.05))[rng.choice(2, p=[0.7, 0.3])]), 0.15, 0.54)),
        uneven=float(rng.choice([0.06, 0.1, 0.2])),
        aspect=float(np.exp(rng.normal(0, rng.choice([0.1, 0.25])))),
        lean=rng.uniform(0, TAU),
        point=float(rng.choice([0, 0, 0.12, 0.25])),
        wobble=float(rng.choice([0.01, 0.03, 0.06])) * rng.uniform(0.5, 1.5),
        corners=float(rng.choice([0, 0, 0, 0.05, 0.1, 0.25])),
        stray=rng.uniform(0.01, rng.choice([0.09, 0.16])),
        gap=float(rng.choice([0, 0.1, 0.35])),
        overlap=rng.uniform(0, 0.7),
        twice=float(rng.choice([0, 0, 0, 0, 0, 0.08, 0.6])),
        tail=float(rng.choice([0, 0.05, 0.25])),
        wall_styles=tuple(str(s) for s in chosen),
        hatch_angle=rng.uniform(0, np.pi),
        hatch_spacing=float(np.exp(rng.uniform(np.log(0.04), np.log(0.19)))),
        hatch_inset=rng.uniform(-0.06, 0.12),
        care=rng.uniform(0.3, 1.6),
        gate_radius=rng.uniform(*((0.6, 0.88), (0.9, 1.08), (1.1, 1.32))[rng.choice(3, p=[0.45, 0.3, 0.25])]),
        gate_style=str(rng.choice(["ring", "thick", "spiral"], p=[0.75, 0.15, 0.1])),
        trace_passes=rng.uniform(1, 3),
        trace_stray=rng.uniform(0.003, 0.03),
    )  # fmt: skip


def neat(rng: Rng, hand: Hand) -> Hand:
    """The same person with a steady hand, or with a stencil: circles as even as print."""
    return replace(
        hand,
        radius=max(hand.radius, rng.uniform(0.26, 0.42)),
        aspect=float(np.exp(rng.normal(0, 0.04))),
        wobble=rng.uniform(0, 0.006),
        corners=0.0,
        gap=0.0,
        tail=0.0,
        point=0.0,
        uneven=rng.uniform(0, 0.06),
        care=rng.uniform(0, 0.15),
    )


def unlike(rng: Rng, hand: Hand) -> Hand:
    """The same person with habits that few have: walls of a few lines, circles tiny, large, open or doubled, the second
    outline of a gate a small ring in the middle of the first."""
    walls = str(rng.choice(["outline", "crossed", "stripes", "kept"], p=[0.3, 0.2, 0.25, 0.25]))
    circles = str(rng.choice(["tiny", "large", "open", "twice", "kept"], p=[0.2, 0.2, 0.25, 0.05, 0.3]))
    hand = hand if walls == "kept" else replace(hand, wall_styles=(walls,), hatch_inset=rng.uniform(0, 0.14))
    changes = {
        "tiny": {"radius": rng.uniform(0.13, 0.22), "stray": rng.uniform(0.02, 0.1)},
        "large": {"radius": rng.uniform(0.44, 0.53), "stray": rng.uniform(0.01, 0.05)},
        "open": {"gap": 0.95, "opening": rng.uniform(0.1, 0.32)},
        "twice": {"twice": 0.9},
        "kept": {},
    }
    within = {"gate_radius": rng.uniform(*WITHIN), "gate_style": "ring"} if rng.random() < 0.35 else {}
    return replace(hand, **changes[circles], **within)


def pressed(rng: Rng, points: np.ndarray, uneven: float = 0.2, taper: float = 0.3) -> Stroke:
    """Give a line its pressure: slow swells along it, lighter where the pen lands and lifts."""
    n = len(points)
    t = np.linspace(0, 1, n)
    swell = 1 + uneven * np.sin(TAU * (rng.uniform(0.5, 3) * t + rng.random())) * rng.uniform(0.3, 1)
    ends = 1 - taper * rng.random() * np.exp(-t * 12) - taper * rng.random() * np.exp((t - 1) * 12)
    return np.column_stack([points, np.clip(swell * ends * rng.normal(1, 0.06), 0.15, 1.6)])


def shake(rng: Rng, points: np.ndarray, amount: float) -> np.ndarray:
    """A hand's tremor: smooth noise of about `amount` cells."""
    n = len(points)
    knots = max(3, n // 4)
    at = np.linspace(0, knots - 1, n)
    return points + np.stack([np.interp(at, np.arange(knots), rng.normal(0, amount, knots)) for _ in range(2)], -1)


def ring(rng: Rng, hand: Hand, radius: float, turns: float, center: tuple[float, float] = (0.0, 0.0)) -> np.ndarray:
    """A closed line around a center, (N, 2): a wobbly, cornered, pointed, drifting circle of `turns` turns."""
    n = max(14, int(34 * turns))
    t = np.linspace(0, TAU * turns, n)
    shape = np.ones(n)
    for k in (2, 3, 4, 5):
        shape += hand.wobble / (k - 1) * rng.normal() * np.cos(k * t + rng.uniform(0, TAU))
    if hand.corners:
        k = rng.integers(3, 9)
        shape *= 1 - hand.corners * 0.5 * np.abs(np.sin(k * t / 2 + rng.random() * TAU)) ** 1.5 + hand.corners * 0.2
    if hand.point:
        aside = (t - rng.uniform(0, TAU) + np.pi) % TAU - np.pi
        shape += hand.point * rng.uniform(0, 1) * np.exp(-((aside / rng.uniform(0.3, 0.8)) ** 2))
    drift = 1 + rng.normal(0, 0.04) * (t / TAU - turns / 2)
    aspect = np.clip(hand.aspect * np.exp(rng.normal(0, hand.uneven / 2)), 0.5, 2)
    start = rng.uniform(0, TAU) if rng.random() < 0.3 else rng.normal(-1.6, 0.5)
    way = rng.choice([-1, 1], p=[0.7, 0.3])
    a = start + way * t
    x, y = radius * shape * drift * np.cos(a) * np.sqrt(aspect), radius * shape * drift * np.sin(a) / np.sqrt(aspect)
    c, s = np.cos(hand.lean), np.sin(hand.lean)
    return np.stack([center[0] + c * x - s * y, center[1] + s * x + c * y], -1)


def passage(rng: Rng, hand: Hand) -> tuple[list[Stroke], tuple[float, float], float]:
    """A circle around (0, 0). Returns its strokes, its center and its radius."""
    radius = float(np.clip(hand.radius * np.exp(rng.normal(0, hand.uneven)), 0.15, 0.56))
    center = (rng.normal(0, hand.stray), rng.normal(0, hand.stray))
    turns = 1 + abs(rng.normal(0, 0.12)) * hand.overlap * 2
    if rng.random() < hand.gap:
        turns = 1 - rng.uniform(0.02, 0.25) * (hand.opening == 0) - hand.opening * rng.uniform(0.6, 1.2)
    if rng.random() < hand.twice:
        turns = rng.uniform(1.7, 2.2)
        drift = ring(rng, hand, radius, turns, center)
        return [pressed(rng, shake(rng, drift, 0.008))], center, radius
    line = shake(rng, ring(rng, hand, radius, turns, center), 0.006 * hand.care)
    if rng.random() < hand.tail:
        out = line[-1] + (line[-1] - line[-3]) * rng.uniform(1, 4) + rng.normal(0, 0.05, 2)
        line = np.vstack([line, out])
    if rng.random() < 0.06 * (hand.care > 0.2):
        cut = rng.integers(8, len(line) - 5)
        return [pressed(rng, line[:cut]), pressed(rng, line[cut - 1 :] + rng.normal(0, 0.02, 2))], center, radius
    care = min(1.0, hand.care * 3)
    return [pressed(rng, line, 0.2 * care, 0.3 * care)], center, radius


def gate(rng: Rng, hand: Hand) -> list[Stroke]:
    """A circle that is outlined a second time."""
    strokes, center, radius = passage(rng, hand)
    factor = hand.gate_radius * np.exp(rng.normal(0, 0.09))
    if radius * factor > 0.56:
        factor = 1 / factor
    away = 0.2 * radius * rng.random()
    off = (center[0] + rng.normal(0, away), center[1] + rng.normal(0, away))
    if hand.gate_style == "thick":
        for _ in range(rng.integers(2, 4)):
            again = ring(rng, hand, radius * rng.normal(1, 0.05), rng.uniform(1, 1.5), center)
            strokes.append(pressed(rng, again) * (1, 1, rng.uniform(1, 1.3)))
    elif hand.gate_style == "spiral":
        line = ring(rng, hand, 1, rng.uniform(1.9, 2.6))
        t = np.linspace(0, 1, len(line))[:, None]
        strokes = [pressed(rng, np.array(center) + line * radius * (1 + (min(factor, 0.85) - 1) * t))]
    else:
        if 0.93 < factor < 1.07:
            off = (off[0] + rng.normal(0, 0.04), off[1] + rng.normal(0, 0.04))
        again = shake(rng, ring(rng, hand, radius * factor, 1 + abs(rng.normal(0, 0.1)), off), 0.006)
        strokes.append(pressed(rng, again) * (1, 1, rng.uniform(0.9, 1.3)))
        if rng.random() < 0.1:
            strokes.append(pressed(rng, ring(rng, hand, radius * factor * rng.normal(1, 0.03), 1, off)))
    return strokes


def target(rng: Rng, hand: Hand, width: float) -> list[Stroke]:
    """A circle and a second one around the same middle, the outer one with room for both in a pen of that width."""
    apart = max(rng.uniform(0.1, 0.2), rng.uniform(1.5, 2.2) * width)
    outer = float(np.clip(hand.radius * rng.uniform(0.88, 1.1), min(0.2 + apart, 0.5), 0.5))
    spot = width >= BROAD and rng.random() < SPOTS
    inner = rng.uniform(0.02, 0.6 * width) if spot else max(outer - apart, 0.03)
    middle, even = rng.normal(0, 0.04, 2), replace(hand, corners=hand.corners * 0.3)
    out = []
    for r, at in ((outer, middle), (inner, middle + rng.normal(0, 0.02, 2))):
        line = ring(rng, even, r, rng.uniform(0.98, 1.15), tuple(at))
        out.append(pressed(rng, shake(rng, line, min(0.008, 0.3 * r))))
    return out


def traced(rng: Rng, hand: Hand, strokes: list[np.ndarray]) -> list[Stroke]:
    """A letter written over its print: `strokes` are the print's own lines, in place, (N, 2) each."""
    out = []
    for _ in range(max(1, round(rng.normal(hand.trace_passes, 0.5)))):
        shift = rng.normal(0, hand.trace_stray, 2)
        grow = 1 + rng.normal(0, hand.trace_stray * 2)
        middle = np.mean([s.mean(0) for s in strokes], 0)
        for s in strokes:
            line = resample((s - middle) * grow + middle + shift, 0.05)
            out.append(pressed(rng, shake(rng, line, hand.trace_stray * 0.6), 0.15) * (1, 1, rng.uniform(0.9, 1.3)))
    return out


def resample(points: np.ndarray, step: float) -> np.ndarray:
    """The same line with a point every `step` cells."""
    length = np.concatenate([[0], np.cumsum(np.linalg.norm(np.diff(points, axis=0), axis=1))])
    at = np.linspace(0, length[-1], max(2, int(length[-1] / step) + 1))
    return np.stack([np.interp(at, length, points[:, k]) for k in (0, 1)], -1)


def stray_line(rng: Rng) -> list[Stroke]:
    """A line or a dot that means nothing, in or near the cell around (0, 0)."""
    at = rng.uniform(-0.5, 0.5, 2)
    if rng.random() < 0.4:
        return [pressed(rng, at + rng.normal(0, 0.012, (3, 2)))]
    reach = rng.normal(0, 0.35, 2)
    return [pressed(rng, shake(rng, np.linspace(at, at + reach, 6), 0.02)) * (1, 1, rng.uniform(0.4, 1))]


def _line(*points: float) -> np.ndarray:
    return np.array(points, float).reshape(-1, 2)


def _arc(*shape: float) -> np.ndarray:
    """Center x, y, radii, first and last angle in radians."""
    cx, cy, rx, ry, start, end = shape
    t = np.linspace(start, end, 14)
    return np.stack([cx + rx * np.cos(t), cy + ry * np.sin(t)], -1)


def odd_mark(rng: Rng) -> list[Stroke]:
    """A mark that is neither circle nor filling: a cross, a tick, a digit, a question mark, a plus."""
    shapes = [
        [_line(-1, -1, 1, 1), _line(1, -1, -1, 1)], [_line(-1, 0, 1, 0), _line(0, -1, 0, 1)],
        [_line(-0.9, 0, -0.3, 0.9, 1, -1)], [_line(-0.4, -0.6, 0, -1, 0, 1)],
        [np.vstack([_arc(0, -0.4, 0.6, 0.6, -3, 0.6), _line(-0.6, 1, 0.7, 1)])],
        [np.vstack([_arc(0, -0.5, 0.6, 0.5, -2.6, 1.5), _arc(0, 0.5, 0.6, 0.5, -1.5, 2.6)])],
        [_line(0.3, 1, 0.3, -1, -0.7, 0.4, 0.9, 0.4)], [_line(-0.6, -1, 0.7, -1, -0.1, 1)],
        [np.vstack([_arc(0, -0.45, 0.5, 0.5, -3, 1.5), _line(0, 0.5)]), _line(0, 0.9, 0.02, 1)],
        [_line(-1, -0.9, 0.9, -0.9, 0, 1, -1, -0.9)], [_line(-1, 0.1, 1, -0.1)], [_line(-1, 1, 1, -1)],
    ]  # fmt: skip
    size = rng.uniform(0.2, 0.42) * np.array([rng.uniform(0.7, 1.2), 1])
    turn = rng.normal(0, 0.15)
    spin = np.array([[np.cos(turn), np.sin(turn)], [-np.sin(turn), np.cos(turn)]])
    off = rng.normal(0, 0.05, 2)
    shape = shapes[rng.integers(len(shapes))]
    return [pressed(rng, shake(rng, resample(s * size, 0.06) @ spin + off, 0.012)) for s in shape]
