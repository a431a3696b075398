"""Draw the training set of the letter classifier: the letters of a sheet, and nothing but them.

    python -m training.draw_traces OUT.npz --prints 400 --seed 1 --fonts FONTS.txt

Letters of one sheet share print, hand, pen, light, blur and file; each is drawn alone on its tile, so a sheet takes
some tens of milliseconds. Several sheets are drawn of each print, the first without a mark: what the letters look like
on the others tells the judge what was added. Writes

- `crops` (M, 64, 64, 3) uint8, normalized, 180 is white paper,
- `labels` (M, 3) uint8: traced, gate (1: drawn, 2: hidden, 3: drawn so that nobody sees it), and 1 in a circle, 2 under
  a wall, 5 in a circle without a letter,
- `inks` (M, 16, 16, 3) uint8: where the tracing lies, a single circle, a doubled one,
- `starts` (N + 1): where each sheet begins, every `SHEETS` of which are of one print, the same letters in one order.
"""

import argparse
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path

import cv2
import numpy as np

from training.synth import hands, walls
from training.synth.camera import blur, develop
from training.synth.hands import Hand, Rng, random_hand
from training.synth.letters import STROKES, skeleton_strokes
from training.synth.media import Layer, Medium, hard_pencil, paper_tooth, pressed_harder, random_medium, unlike_medium
from training.synth.print import HERSHEY, Glyph, file_glyph, hershey_glyph, paint, stroke_glyph
from vision.sheet.letter_classifier import SIDE, SPAN, normalize_crops

SCALE, TILE = 80, 132
"""Pixels of a cell as drawn, and of its tile."""
SHEETS = 5
"""Of one print, the unmarked one included."""
VISIBLE, CONTRAST = 0.007, 0.16
"""Mean change of the cell and of where the pen went, 0 to 1, below which nobody sees that its letter was traced."""
TINY = 0.23
"""Cells: a circle that is smaller is a habit."""
SEEN, BESIDE = 0.1, 0.25
"""Ink above which a line is seen; the share of a second outline that lies beside the first where two are seen."""
SHEEN, STEEPEST, HARD = 0.3, 72.0, 0.2
"""Share of pencilled sheets whose graphite mirrors the lamp; degrees by which paper may be turned away; share of hard
pencils."""
CARES = (0.55, 0.25, 0.2)
"""Shares of photos taken well, calmly and roughly (`Care`)."""
ART = 0.35
"""Share of the prints with something printed under the grid."""
TARGETS = 0.45
"""Share of hands whose gates look like targets, a small ring far within a large one."""
FRAMED, ON_DISC, HOLLOW = 0.12, 0.07, 0.1
"""Shares of prints with a frame around each letter, a dark disc under it, only its outline."""
LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
Face = dict[str, tuple[np.ndarray, list[np.ndarray]]]


def faces(fonts: list[str], rng: Rng, count: int) -> list[Face]:
    """Typefaces: for each letter its mask and the middle lines of its print, in pixels of the mask."""
    out: list[Face] = []
    while len(out) < count:
        if fonts and rng.random() < 0.9:
            glyph = file_glyph(fonts[rng.integers(len(fonts))], int(rng.choice([0, 200, 400, 400, 700, 700, 800])))
        elif rng.random() < 0.5:
            glyph = hershey_glyph(int(rng.choice(HERSHEY)), int(rng.integers(3, 13)))
        else:
            glyph = stroke_glyph(int(rng.integers(3, 20)))
        face = _face(glyph)
        if face:
            out.append(face)
    return out


def _face(glyph: Glyph) -> Face:
    face: Face = {}
    for letter in LETTERS:
        try:
            mask = glyph(letter)
        except (ValueError, cv2.error):
            continue
        small = cv2.resize(mask, None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA)
        lines = skeleton_strokes(cv2.copyMakeBorder(small, 1, 1, 1, 1, cv2.BORDER_CONSTANT))
        if lines and mask.mean() > 12 and mask.shape[0] > 20 and 0.05 < mask.shape[1] / mask.shape[0] < 2:
            face[letter] = mask, [(p - 1) * 2 for p in lines]
    shapes = {m.shape for m, _ in face.values()}
    return face if len(face) > 20 and len(shapes) > 6 else {}


@dataclass(frozen=True)
class Print:
    """How a sheet is printed. Lengths in cells, colors BGR 0 to 1; what is not there is 0.

    Attributes:
        frame: half the side of the square around each letter.
        disc: the radius of the dark disc under it, on which it is as light as paper.
        hollow: the width of its outline, where only that is printed.
    """

    face: Face
    height: float
    ink: np.ndarray
    off: tuple[float, float]
    paper: np.ndarray
    line: np.ndarray
    line_width: float
    dashed: bool
    bold_share: float
    soft: float
    frame: float
    disc: float
    hollow: float


def random_print(rng: Rng, faces: list[Face]) -> Print:
    """A sheet's print: its typeface, its paper, its lines."""
    height = float(np.clip(rng.normal(0.34, 0.08), 0.2, 0.65))
    gray = float(rng.choice([rng.uniform(0.02, 0.3), rng.uniform(0.3, 0.65)], p=[0.5, 0.5]))
    tinge = rng.normal(0, 0.15, 3) if rng.random() < 0.3 else rng.normal(0, 0.01, 3)
    reach = max(0.0, 0.42 - height / 2)
    place = rng.random()
    off = (0.0, 0.0)
    if place < 0.2:
        off = rng.choice([-1, 0, 1]) * reach, rng.choice([-1, 0, 1]) * reach
    elif place < 0.4:
        off = rng.uniform(-reach, reach), rng.uniform(-reach, reach)
    paper = np.clip(0.93 + rng.normal(0, 0.04) + rng.normal(0, 0.025, 3), 0.6, 1)
    line = np.clip(float(rng.choice([rng.uniform(0.02, 0.3), rng.uniform(0.3, 0.8)])) + rng.normal(0, 0.02, 3), 0, 0.9)
    return Print(
        face=faces[rng.integers(len(faces))],
        height=height,
        ink=np.clip(gray + tinge, 0, 0.8).astype(np.float32),
        off=off,
        paper=paper.astype(np.float32),
        line=line.astype(np.float32),
        line_width=float(np.exp(rng.uniform(np.log(0.008), np.log(0.07)))),
        dashed=rng.random() < 0.08,
        bold_share=float(rng.choice([0.0, 0.3])),
        soft=float(rng.uniform(0, 0.012)),
        frame=rng.uniform(max(0.22, height * 0.6), 0.44) if rng.random() < FRAMED else 0.0,
        disc=height * rng.uniform(0.62, 0.9) if rng.random() < ON_DISC else 0.0,
        hollow=rng.uniform(0.01, 0.03) if rng.random() < HOLLOW else 0.0,
    )


def _printed(rng: Rng, style: Print, letter: str) -> tuple[np.ndarray, list[np.ndarray]]:
    """One cell's tile (TILE, TILE, 3), printed, and the lines of its letter, if it has one, in cells from the cell's
    middle."""
    tile = np.empty((TILE, TILE, 3), np.float32)
    tile[:] = style.paper
    a, b = TILE / 2 - SCALE / 2, TILE / 2 + SCALE / 2
    for at, flip in ((a, False), (b, False), (a, True), (b, True)):
        bold = rng.random() < style.bold_share
        wide = max(1, round(style.line_width * SCALE * (rng.uniform(1.5, 4) if bold else 1)))
        pieces = [(0, TILE)]
        if style.dashed:
            step = SCALE * 0.16
            pieces = [(p, p + step * 0.5) for p in np.arange(0, TILE, step)]
        for p, q in pieces:
            ends = [(p, at), (q, at)] if not flip else [(at, p), (at, q)]
            cv2.line(tile, *[[round(v * 16) for v in e] for e in ends], style.line.tolist(), wide, cv2.LINE_AA, 4)
    if not letter:
        return tile, []
    mask, lines = style.face[letter]
    high = min(style.height * SCALE, 0.85 * SCALE * mask.shape[0] / mask.shape[1])
    f = high / mask.shape[0]
    mx, my = (TILE / 2 + o * SCALE for o in style.off)
    x, y = mx - mask.shape[1] * f / 2, my - high / 2
    if f < 0.7:
        mask = cv2.GaussianBlur(mask, (0, 0), 0.4 / f)
    ink = cv2.warpAffine(mask, np.float32([[f, 0, x], [0, f, y]]), (TILE, TILE), flags=cv2.INTER_LINEAR)
    if style.hollow:
        reach = 2 * round(style.hollow * SCALE) + 1
        ink = cv2.dilate(ink, np.ones((reach, reach), np.uint8)) - ink
    middle, fixed = [round(v * 16) for v in (mx, my)], (cv2.LINE_AA, 4)
    if style.frame:
        a, b = ([round((v + way * style.frame * SCALE) * 16) for v in (TILE / 2, TILE / 2)] for way in (-1, 1))
        cv2.rectangle(tile, a, b, style.line.tolist(), max(1, round(style.line_width * SCALE)), *fixed)
    color = style.ink
    if style.disc:
        cv2.circle(tile, middle, round(style.disc * SCALE * 16), style.ink.tolist(), -1, *fixed)
        color = style.paper
    ink = ink[..., None].astype(np.float32) / 255
    tile = tile * (1 - ink) + color * ink
    strokes = [(p * f + (x - TILE / 2, y - TILE / 2)) / SCALE for p in lines]
    if letter in STROKES and rng.random() < 0.4:
        width = mask.shape[1] * f / SCALE
        strokes = [(p - 0.5) * (width * 0.88, high / SCALE * 0.9) + style.off for p in STROKES[letter]]
    return tile, strokes


def _under(rng: Rng, sheet: np.ndarray, n: int) -> None:
    """Parts of what is printed under a page, below each of a strip's n tiles."""
    page = np.ones((8 * TILE, 8 * TILE, 3), np.float32)
    paint(rng, page)
    for k in range(n):
        y, x = rng.integers(0, 7 * TILE, 2)
        sheet[:, k * TILE : (k + 1) * TILE] *= page[y : y + TILE, x : x + TILE]


@dataclass(frozen=True)
class Manner:
    """What sheets are drawn like.

    Attributes:
        style: draws a print, of the typefaces that there are.
        plain_gates: shares of circles around letters that nobody traced which are outlined twice, one for each sheet.
        targets: share of hands whose gates look like targets.
        unlike: share of hands, and of pens, that few have.
        broad: share of pens as broad as a crayon.
        bright: share of pens that are highlighters.
        within: share of gates in a broad pen that are two circles around one middle, the outer one with room for both.
        bare: cells without a letter beside those with one, all of them in circles.
    """

    style: Callable[[Rng, list[Face]], Print] = random_print
    plain_gates: tuple[float, ...] = (0.0, 0.0, 0.0, 0.08)
    targets: float = TARGETS
    unlike: float = 0.35
    broad: float = 0.45
    bright: float = 0.0
    within: float = 0.0
    bare: int = 0


@dataclass(frozen=True)
class Writer:
    """One person with a pen on one sheet: how evenly it is pressed, and how much it covers the print (0 to 1); `alone`:
    how circles without a letter are drawn."""

    hand: Hand
    alone: Hand
    pen: Medium
    tracer: Medium
    uneven: float
    cover: float
    shine: float


def random_writer(rng: Rng, manner: Manner) -> Writer:
    """Anybody with anything."""
    near, far = ((0.6, 0.88), (0.85, 1.15), (1.1, 1.4))[rng.choice(3, p=[0.35, 0.3, 0.35])]
    hand = replace(
        random_hand(rng),
        gate_radius=float(rng.uniform(near, far)),
        gate_style=str(rng.choice(["ring", "thick", "spiral"], p=[0.9, 0.05, 0.05])),
        trace_passes=float(rng.choice([1.0, rng.uniform(1, 3)])),
        trace_stray=float(np.exp(rng.uniform(np.log(0.015), np.log(0.07)))),
        stray=float(rng.choice([rng.uniform(0.01, 0.09), rng.uniform(0.08, 0.16)], p=[0.8, 0.2])),
    )
    if hand.twice:
        hand = replace(hand, twice=0.05 if rng.random() < 0.3 else 0.0)
    pen = random_medium(rng)
    if pen.kind == "felt" and rng.random() < 0.7:  # a circle so thick that it looks like two
        pen = replace(pen, width=float(rng.uniform(0.08, 0.2)))
    if rng.random() < manner.unlike:
        hand = hands.unlike(rng, hand)
    if rng.random() < manner.unlike:
        pen = unlike_medium(rng)
    if rng.random() < manner.targets:
        ring = {"gate_style": "ring", "gate_radius": rng.uniform(0.2, 0.62), "radius": rng.uniform(0.34, 0.53)}
        hand = replace(hand, **ring)
    if rng.random() < manner.broad:
        pen = replace(pen, width=rng.uniform(0.07, 0.2))
    bright = bool(manner.bright) and rng.random() < manner.bright
    if bright:
        pen = random_medium(rng, "highlighter")
        if rng.random() < 0.7:  # a hole is left in most
            hand = replace(hand, radius=max(hand.radius, rng.uniform(1.0, 1.8) * pen.width))
    hard = pen.kind == "pencil" and rng.random() < HARD
    if hard:
        pen = hard_pencil(rng, pen)
    opaque = pen.kind == "pencil" and not hard and rng.random() < 0.65
    if opaque:  # graphite mirrors light: on black print it is paler than the print
        lead = rng.uniform(0.25, 0.65) + rng.normal(0, 0.01, 3)
        pen = replace(pen, color=tuple(lead.tolist()), opacity=float(rng.uniform(0.7, 0.97)), multiplies=False)
    tracer = pressed_harder(pen, rng.uniform(0.9, 1.4), rng.uniform(0.95, 1.25))
    if rng.random() < 0.1:
        tracer = random_medium(rng)
    elif bright and rng.random() < 0.6:  # by the edge of its tip
        tracer = replace(tracer, width=min(tracer.width, rng.uniform(0.03, 0.1)))
    graphite = pen.kind in ("pencil", "crayon")
    wet = float(rng.choice([0.0, rng.uniform(0, 0.6)], p=[0.8, 0.2]))
    return Writer(
        hand, hand, pen, tracer,
        uneven=float(rng.choice([0.05, 0.15, 0.3, 0.45])),
        cover=1.0 if opaque else rng.random() if graphite else wet,
        shine=float(rng.choice([0.0, rng.uniform(0, 0.3)])) if graphite and not opaque else 0.0,
    )  # fmt: skip


def _around(rng: Rng, writer: Writer, reach: float) -> Writer:
    """The writer, who mostly draws circles around letters, `reach` cells from their middle, and not across them."""
    if rng.random() < (0.7 if writer.hand.radius < TINY else 0.25):
        return writer
    least = min(reach * rng.uniform(0.95, 1.3), 0.5)
    return replace(writer, hand=replace(writer.hand, radius=max(writer.hand.radius, least)))


def _inked(sheet: np.ndarray, opacity: np.ndarray, medium: Medium, writer: Writer) -> np.ndarray:
    """Ink on print: it darkens as a glaze and covers as a paint, in the writer's proportion."""
    out = np.empty_like(sheet)
    for c, color in enumerate(np.clip(medium.color, 0, 1).tolist()):
        keep = 1 - opacity * ((1 - writer.cover) * (1 - color) + writer.cover)
        out[..., c] = sheet[..., c] * keep + opacity * (writer.cover * (color + writer.shine))
    return out


def draw_sheets(
    rng: Rng,
    faces: list[Face],
    count: int,
    manner: Manner | None = None,
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """The same letters of several sheets of one print, each with its own hand and camera; the first is clean.

    Returns crops (count, n, SIDE, SIDE, 3), labels (count, n, 3) and inks (count, n, 16, 16, 3), all uint8.
    """
    n = int(rng.integers(6, 21))
    manner = manner or Manner()
    style = manner.style(rng, faces)
    names = list(style.face)
    names = [names[k] for k in rng.permutation(len(names))[:n]]
    names = names + [""] * manner.bare
    n = len(names)
    tiles, lines = zip(*[_printed(rng, style, c) for c in names], strict=True)
    sheet = np.concatenate(tiles, 1)
    if rng.random() < ART:
        _under(rng, sheet, n)
    if style.soft * SCALE > 0.4:
        sheet = cv2.GaussianBlur(sheet, (0, 0), style.soft * SCALE)
    if rng.random() < 0.2:
        sheet *= 1 - rng.uniform(0.02, 0.15) * paper_tooth(rng, sheet.shape[:2], SCALE)[..., None]
    reach = max(float(np.hypot(*np.ptp(np.vstack(strokes), 0))) / 2 for strokes in lines if strokes)
    writer = _around(rng, random_writer(rng, manner), reach) if rng.random() < 0.2 else None
    parts = []
    for k in range(count):
        if k:
            hand = writer or _around(rng, random_writer(rng, manner), reach)
            marked, labels, inks, graphite = _written(rng, sheet.copy(), lines, hand, manner)
        else:
            marked, labels, inks = sheet, np.zeros((n, 3), np.uint8), np.zeros((n, TILE, TILE, 3), np.float32)
            graphite = None
        care = (GOOD, CALM, ROUGH)[rng.choice(3, p=CARES)] if k else CLEAN if rng.random() < 0.5 else GOOD
        crops, places = photographed(rng, np.clip(marked, 0.02, 1), n, care, graphite)
        parts.append((crops, labels, _seen_inks(inks, places)))
    crops, labels, inks = (np.stack(p) for p in zip(*parts, strict=True))
    return crops, labels, inks


def _written(
    rng: Rng, sheet: np.ndarray, lines: tuple[list[np.ndarray], ...], writer: Writer, manner: Manner
) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray | None]:
    """A printed sheet written on, its labels (n, 3), its inks (n, TILE, TILE, 3), and how much graphite lies where, if
    any does: (TILE, n · TILE), 0 to 1. `lines` are those of the print."""
    n, bare = len(lines), np.array([not strokes for strokes in lines])
    wall = rng.random(n) < rng.choice([0, 0.12])
    passage = (rng.random(n) < rng.choice([0.2, 0.5, 0.8])) & ~wall
    traced = rng.random(n) < rng.choice([0.0, 0.15, 0.4, 0.6], p=[0.07, 0.25, 0.4, 0.28])
    traced &= ~wall
    gate = passage & (rng.random(n) < np.where(traced, rng.choice([0.15, 0.4, 0.7]), rng.choice(manner.plain_gates)))
    wall, passage, traced, gate = wall & ~bare, passage | bare, traced & ~bare, gate & ~bare
    tooth = paper_tooth(rng, sheet.shape[:2], SCALE)
    _ghosts(rng, sheet, tooth, writer, n)
    force = lambda: float(np.exp(rng.normal(0, writer.uneven)))  # noqa: E731
    circles, traces = (_strip(m, sheet.shape[:2]) for m in (writer.pen, writer.tracer))
    around = _pool(rng, writer, force)
    inks = np.zeros((n, TILE, TILE, 3), np.float32)
    as_one = np.zeros(n, bool)
    for k in range(n):
        layer, tracer = _part(circles, k), _part(traces, k)
        _neighbors(rng, layer.ink, around)
        middle = (TILE / 2, TILE / 2)
        if passage[k]:
            alone = writer.alone if bare[k] else writer.hand
            ring = _gate(rng, writer, manner.within) if gate[k] else hands.passage(rng, alone)[0]
            before = layer.ink.copy()
            layer.draw(rng, ring, middle, force())
            inks[k, ..., 2 if gate[k] else 1] = layer.ink - before
            as_one[k] = gate[k] and len(ring) > 1 and _as_one(rng, ring, writer.pen)
        if wall[k]:
            layer.draw(rng, walls.wall(rng, writer.hand, (-0.5, -0.5, 1, 1)), middle, force())
        if rng.random() < 0.02:
            layer.draw(rng, hands.stray_line(rng), middle, force())
        if traced[k]:
            tracer.draw(rng, hands.traced(rng, writer.hand, lines[k]), middle, force())
            inks[k, ..., 0] = tracer.ink
    graphite = np.zeros(sheet.shape[:2], np.float32)
    for layer in (circles, traces) if rng.random() < 0.5 else (traces, circles):
        before = sheet
        if layer.ink.any():
            opacity = layer.opacity(rng, tooth)
            sheet = _inked(sheet, opacity, layer.medium, writer)
            if layer.medium.kind == "pencil":
                graphite = np.maximum(graphite, opacity)
        if layer is traces:
            change = np.abs(sheet - before).mean(2)
            change = change.reshape(TILE, n, TILE).sum((0, 2))
            went = inks[..., 0].clip(0, 1).sum((1, 2))
            unclear = traced & ((change < VISIBLE * SCALE**2) | (change < CONTRAST * went))
    labels = np.stack([traced + 2 * unclear, gate + 2 * as_one, passage + 2 * wall + 4 * bare], -1).astype(np.uint8)
    labels[_things(rng, sheet, n), :2] = 2
    return sheet, labels, inks, graphite if graphite.any() else None


def _gate(rng: Rng, writer: Writer, within: float) -> list[np.ndarray]:
    """A circle outlined a second time: as `hands.gate` does, or almost on the first one, or far beside it; in a broad
    pen, `within` of them as `hands.target` does."""
    hand = writer.hand
    if within and writer.pen.width >= hands.BROAD and rng.random() < within:
        return hands.target(rng, hand, writer.pen.width)
    kind = rng.random()
    if kind < 0.6 or hand.gate_radius < hands.WITHIN[1]:
        return hands.gate(rng, hand)
    strokes, center, radius = hands.passage(rng, hand)
    if kind < 0.8:
        again, away = rng.normal(1, 0.05), rng.normal(0, 0.025, 2)
    else:
        again, away = rng.uniform(0.75, 1.3), rng.normal(0, 0.5 * radius, 2)
    ring = hands.ring(
        rng, hand, radius * again, 1 + abs(rng.normal(0, 0.1)), (center[0] + away[0], center[1] + away[1])
    )
    return [*strokes, hands.pressed(rng, hands.shake(rng, ring, 0.006)) * (1, 1, rng.uniform(0.9, 1.3))]


def _as_one(rng: Rng, ring: list[np.ndarray], pen: Medium) -> bool:
    """Whether a circle's second outline lies on its first all along, so that nobody tells them from one line."""
    once, twice = (Layer(pen, (TILE, TILE), SCALE) for _ in range(2))
    once.draw(rng, ring[:1], (TILE / 2, TILE / 2))
    twice.draw(rng, ring[1:], (TILE / 2, TILE / 2))
    again = twice.ink > SEEN
    return bool((again & (once.ink <= SEEN)).sum() < BESIDE * again.sum())


def _seen_inks(inks: np.ndarray, places: list[np.ndarray]) -> np.ndarray:
    """The inks of the tiles as they lie in the crops, (n, 16, 16, 3) uint8; `places` lead from crop to tile."""
    out = np.empty((len(inks), SIDE // 4, SIDE // 4, 3), np.uint8)
    for k, (ink, m) in enumerate(zip(inks, places, strict=True)):
        coarse = np.column_stack([m[:, :2] * 4, m[:, :2] @ (1.5, 1.5) + m[:, 2]])
        soft = cv2.blur(np.minimum(ink, 1), (5, 5))
        flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
        out[k] = cv2.warpAffine(soft, coarse, out.shape[1:3], flags=flags) * 255
    return out


def _things(rng: Rng, sheet: np.ndarray, n: int) -> np.ndarray:
    """A pawn or a die on a few of the tiles, in place. Returns (n,) bool: nobody sees the letter."""
    hidden = np.zeros(n, bool)
    for k in np.nonzero(rng.random(n) < rng.choice([0, 0.08]))[0]:
        a, reach = rng.uniform(0, 2 * np.pi), rng.uniform(0.1, 0.85) * SCALE
        hidden[k] = reach < 0.45 * SCALE
        at = (k * TILE + TILE / 2 + reach * np.cos(a), TILE / 2 + reach * np.sin(a))
        axes = (rng.uniform(0.15, 0.4, 2) * SCALE).astype(int).tolist()
        part = np.ascontiguousarray(sheet[:, k * TILE : (k + 1) * TILE])
        middle = (round(at[0] - k * TILE), round(at[1]))
        cv2.ellipse(part, middle, axes, rng.uniform(0, 180), 0, 360, rng.random(3).tolist(), -1, cv2.LINE_AA)
        sheet[:, k * TILE : (k + 1) * TILE] = part
    return hidden


def _strip(medium: Medium, shape: tuple[int, int]) -> Layer:
    return Layer(medium, shape, SCALE)


def _part(strip: Layer, k: int) -> Layer:
    """The tile k of a strip as a layer of its own that draws into the strip."""
    part = Layer.__new__(Layer)
    part.medium, part.scale, part.pool = strip.medium, SCALE, strip.pool[:, :TILE]
    part.ink = strip.ink[:, k * TILE : (k + 1) * TILE]
    return part


def _pool(rng: Rng, writer: Writer, force) -> list[np.ndarray]:
    """Marks for the neighbors' cells: some circles and walls, as ink."""
    out = []
    for k in range(5):
        layer = Layer(writer.pen, (TILE, TILE), SCALE)
        strokes = hands.passage(rng, writer.hand)[0] if k < 2 else walls.wall(rng, writer.hand, (-0.5, -0.5, 1, 1))
        layer.draw(rng, strokes, (TILE / 2, TILE / 2), force())
        out.append(layer.ink)
    return out


def _neighbors(rng: Rng, ink: np.ndarray, pool: list[np.ndarray]) -> None:
    """What reaches into a cell from the four beside it."""
    for dy, dx in ((-1, 0), (1, 0), (0, -1), (0, 1)):
        if rng.random() < 0.35:
            continue
        mark = pool[rng.integers(len(pool))]
        if rng.random() < 0.5:
            mark = mark[:, ::-1]
        sy, sx = dy * SCALE, dx * SCALE
        to = (slice(max(sy, 0), TILE + min(sy, 0)), slice(max(sx, 0), TILE + min(sx, 0)))
        of = (slice(max(-sy, 0), TILE + min(-sy, 0)), slice(max(-sx, 0), TILE + min(-sx, 0)))
        np.maximum(ink[to], mark[of], out=ink[to])


def _ghosts(rng: Rng, sheet: np.ndarray, tooth: np.ndarray, writer: Writer, n: int) -> None:
    """What an eraser leaves: faint rings, hatches and traced lines, gray smudges. In place."""
    share = rng.choice([0, 0.06, 0.2], p=[0.6, 0.25, 0.15])
    if not share:
        return
    layer = _strip(replace(writer.pen, kind="pencil", builds=True, opacity=0.7), sheet.shape[:2])
    for k in np.nonzero(rng.random(n) < share)[0]:
        strokes = hands.passage(rng, writer.hand)[0]
        if rng.random() < 0.3:
            strokes = walls.wall(rng, writer.hand, (-0.5, -0.5, 1, 1))
        _part(layer, int(k)).draw(rng, strokes, (TILE / 2, TILE / 2), rng.uniform(0.03, 0.25))
        if rng.random() < 0.5:
            spot = np.zeros((TILE, TILE), np.float32)
            at = (TILE / 2 + rng.normal(0, 0.1 * SCALE, 2)).astype(int).tolist()
            axes = (rng.uniform(0.2, 0.55, 2) * SCALE).astype(int).tolist()
            cv2.ellipse(spot, at, axes, rng.uniform(0, 180), 0, 360, rng.uniform(0.02, 0.2), -1)
            spot = cv2.GaussianBlur(spot, (0, 0), rng.uniform(0.02, 0.12) * SCALE)
            part = sheet[:, k * TILE : (k + 1) * TILE]
            part += spot[..., None] * (0.4 - part)
    a = layer.opacity(rng, tooth * 0.3)[..., None]
    sheet += a * (np.minimum(sheet, 0.4) - sheet)


@dataclass(frozen=True)
class Care:
    """With how much care a photo is taken. Shares of photos 0 to 1, lengths in cells, bounds of what is drawn by lot.

    Were all as rough as the roughest, then nothing could be learnt from what a letter looks like on other photos.
    `sharpened`: the share of cameras that work on edges, the least and the most that they add.
    """

    shadows: float
    veil: float
    uneven: tuple[float, ...]
    soft: float
    swell: tuple[float, ...]
    blur: tuple[float, ...]
    astray: tuple[float, ...]
    sharpened: tuple[float, float, float] = (0.25, 0.2, 0.8)


CLEAN = Care(0, 0, (0.0,), 0.012, (0.0,), (0.01,), (0.004, 0.008))
"""As many good photos together, or a blank sheet's."""
GOOD = Care(
    0.35, 0.2, (0.02, 0.06), 0.006, (0, 0, 0, 0.012, 0.03), (0.04, 0.08, 0.2), (0.004, 0.008, 0.016), (0.8, 0.3, 1.6)
)
"""As today's phones do: sharp, and the edges worked on."""
CALM = Care(0.35, 0.06, (0.03, 0.12), 0.015, (0, 0, 0, 0.015, 0.04), (0.1, 0.25, 0.45), (0.006, 0.012, 0.025))
ROUGH = Care(0.35, 0.2, (0.05, 0.2), 0.02, (0, 0, 0.03, 0.07), (0.35, 0.6, 1.0), (0.008, 0.02, 0.04))


def photographed(
    rng: Rng, sheet: np.ndarray, n: int, care: Care, graphite: np.ndarray | None = None
) -> tuple[np.ndarray, list[np.ndarray]]:
    """Photograph n tiles (TILE, n · TILE, 3) at once and cut the letters out again: (n, SIDE, SIDE, 3) uint8.

    With it for each letter the (2, 3) map from pixels of the crop to pixels of the tile. `graphite` (TILE, n · TILE)
    may mirror the lamp.
    """
    source = float(np.clip(np.exp(rng.normal(np.log(58), 0.27)), 24, 100))
    tilt = np.radians(min(abs(rng.normal(0, 22)), 48))
    about = rng.uniform(0, np.pi)
    turn = rng.uniform(0, 2 * np.pi) if rng.random() < 0.5 else rng.normal(0, 0.15) + rng.integers(4) * np.pi / 2
    lit = _light(rng, n, care)
    linear = cv2.pow(sheet, 2.2) * lit
    if rng.random() < 0.4:  # a lens' flare: black is never quite black, and has a color
        linear = linear + float(rng.uniform(0, 0.08)) * np.exp(rng.normal(0, 0.3, 3)).astype(np.float32)
    if rng.random() < care.veil:
        linear = linear + _veil(rng, n) * lit
    if graphite is not None and rng.random() < SHEEN:
        linear = linear + _sheen(rng, graphite, n)[..., None] * lit
    if source < 0.9 * SCALE:
        f = max(source * 1.2, 12) / SCALE
        tile = round(TILE * f)
        linear = cv2.resize(linear, (tile * n, tile), interpolation=cv2.INTER_AREA)
    else:
        tile = TILE
    patch = int(np.ceil(source * (SPAN + 0.16) * 1.42)) + 2
    patch += patch % 2
    ways = []
    photo = np.empty((patch, patch * n, 3), np.float32)
    sharp, swell = rng.uniform(0.0, care.soft), float(rng.choice(care.swell)) * rng.random()
    place = rng.random(n)
    away = rng.normal(0, 0.12)
    slants = _slants(rng, place, tilt) if care is not CLEAN else np.full(n, tilt)
    for k in range(n):
        cell = source * np.exp(away * (place[k] - 0.5))
        a, b = _turned(about + rng.normal(0, 0.03)), _turned(turn)
        way = b @ a.T @ np.diag([1, np.cos(slants[k])]) @ a * (cell / np.sqrt(np.cos(tilt)) * 0.93)
        # From pixels of the tile to pixels of its patch.
        m = way * (TILE / tile / SCALE)
        full = np.column_stack([m, (patch - 1) / 2 + rng.uniform(-0.5, 0.5, 2) - m @ np.full(2, (tile - 1) / 2)])
        part = linear[:, k * tile : (k + 1) * tile]
        seen = cv2.warpAffine(part, full, (patch, patch), borderMode=cv2.BORDER_REPLICATE)
        soft = source * (sharp + swell * place[k])
        photo[:, k * patch : (k + 1) * patch] = cv2.GaussianBlur(seen, (0, 0), soft) if soft > 0.3 else seen
        ways.append(full)
    blurred = source * float(rng.choice(care.blur))
    photo = develop(rng, photo, blurred) if care is ROUGH else _developed(rng, photo, blurred, care)
    return _cut(rng, photo, ways, tile, source, float(rng.choice(care.astray)))


def _developed(rng: Rng, scene: np.ndarray, cell: float, care: Care) -> np.ndarray:
    """As `develop`, by a camera that changes little: plain tones, little noise, edges worked on as `care` says."""
    warm = rng.normal(0, 0.12)
    photo = scene * np.exp(np.float32([-warm, rng.normal(0, 0.02), warm * 0.8]))
    photo *= float(np.clip(np.exp(rng.normal(-0.35, 0.3)), 0.2, 1.1)) / max(np.percentile(photo[::4, ::4, 1], 90), 1e-3)
    photo = blur(rng, photo, cell * float(np.exp(rng.uniform(np.log(0.02), np.log(0.12)))))
    noise = float(np.exp(rng.uniform(np.log(0.001), np.log(0.025))))
    grain = rng.standard_normal(photo.shape, np.float32)
    photo = cv2.pow(
        np.clip(photo + grain * noise * cv2.sqrt(np.clip(photo, 0, 1) + 0.03), 0, 1), 1 / rng.uniform(2, 2.4)
    )
    photo = np.round(photo * 255).astype(np.uint8)
    share, *bounds = care.sharpened
    if rng.random() < share:
        amount = rng.uniform(*bounds)
        photo = cv2.addWeighted(photo, 1 + amount, cv2.GaussianBlur(photo, (0, 0), rng.uniform(0.6, 1.5)), -amount, 0)
    quality = int(rng.uniform(70, 98))
    return cv2.imdecode(cv2.imencode(".jpg", photo, [cv2.IMWRITE_JPEG_QUALITY, quality])[1], cv2.IMREAD_COLOR)


def _cut(
    rng: Rng, photo: np.ndarray, ways: list[np.ndarray], tile: int, source: float, err: float
) -> tuple[np.ndarray, list[np.ndarray]]:
    """Cut the letters out of their patches as the reader would, a lattice's small errors (`err` cells) included.

    `ways` lead from pixels of the tiles, `tile` a side by now, to pixels of the patches.
    """
    out = np.empty((len(ways), SIDE, SIDE, 3), np.uint8)
    drift = rng.normal(0, err, 2)
    step, half, far, patch = SPAN / SIDE * SCALE * tile / TILE, np.full(2, (SIDE - 1) / 2), TILE / tile, len(photo)
    places = []
    for k, full in enumerate(ways):
        at = (tile - 1) / 2 + (drift + rng.normal(0, err, 2)) * tile / TILE * SCALE
        bend = (np.eye(2) + rng.normal(0, err * 0.7, (2, 2))) * step
        back = full[:, :2] @ bend
        places.append(np.column_stack([bend * far, (at + 0.5 - bend @ half) * far - 0.5]))
        where = np.column_stack([back, full[:, :2] @ at + full[:, 2] - back @ half])
        part = np.ascontiguousarray(photo[:, k * patch : (k + 1) * patch])
        if source * SPAN / SIDE > 1.5:
            part = cv2.resize(part, None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA)
            where = where * 0.5 - [[0, 0, 0.25]]
        flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
        out[k] = cv2.warpAffine(part, where, (SIDE, SIDE), flags=flags, borderMode=cv2.BORDER_REPLICATE)
    return normalize_crops(out), places


def _slants(rng: Rng, place: np.ndarray, tilt: float) -> np.ndarray:
    """(n,) how far each letter's paper is turned away from the camera, in radians: flat, folded once, or in waves."""
    kind, most = rng.random(), np.radians(STEEPEST)
    if kind < 0.55:
        return np.full(len(place), tilt)
    if kind < 0.8:
        more = np.where(place > rng.uniform(0.2, 0.8), rng.uniform(-0.9, 0.9), 0)
    else:
        more = rng.uniform(0.2, 0.8) * np.sin(2 * np.pi * (rng.uniform(0.3, 1.5) * place + rng.random()))
    return np.clip(np.abs(tilt + more), 0, most)


def _sheen(rng: Rng, graphite: np.ndarray, n: int) -> np.ndarray:
    """(TILE, n · TILE) light that graphite mirrors, on some letters more than on others."""
    share = np.clip(rng.normal(0.4, 0.5, n), 0, 1).astype(np.float32) if rng.random() < 0.7 else np.ones(n, np.float32)
    strength, bend = rng.uniform(0.1, 1.0), rng.uniform(0.7, 2)
    return np.repeat(share, TILE)[None] * cv2.pow(graphite, bend) * np.float32(strength)


def _turned(angle: float) -> np.ndarray:
    c, s = np.cos(angle), np.sin(angle)
    return np.array([[c, -s], [s, c]])


def _light(rng: Rng, n: int, care: Care) -> np.ndarray:
    """(TILE, n · TILE, 1) light: brighter here and darker there, with shadows' edges across some letters."""
    lit = np.ones((TILE, n * TILE), np.float32)
    uneven, shadows = rng.choice(care.uneven), rng.random() < care.shadows
    depth = rng.uniform(0.2, 0.75) if rng.random() < 0.75 else rng.uniform(0.75, 0.95)
    soft = float(np.exp(rng.uniform(np.log(0.02), np.log(0.4)))) * SCALE
    y, x = np.mgrid[0:TILE, 0:TILE].astype(np.float32) / TILE - 0.5
    for k in range(n):
        a = rng.uniform(0, 2 * np.pi)
        part = lit[:, k * TILE : (k + 1) * TILE]
        part *= np.exp(rng.normal(0, uneven)) * (1 + rng.normal(0, 0.08) * (x * np.cos(a) + y * np.sin(a)))
        if shadows:
            if rng.random() < 0.3:
                side = (x * np.cos(a) + y * np.sin(a) + rng.uniform(-0.4, 0.4)) * TILE
                part *= 1 - depth / (1 + np.exp(-side / (soft * 0.4)))
            elif rng.random() < 0.4:
                part *= 1 - depth
    return lit[..., None]


def _veil(rng: Rng, n: int) -> np.ndarray:
    """(TILE, n · TILE, 1) light that the paper mirrors: it makes ink pale, here more and there less."""
    most = rng.uniform(0.05, 0.5) * np.clip(rng.normal(0.2, 0.5, n), 0, 1)
    color = np.exp(rng.normal(0, 0.25) * np.array([-1, 0, 0.8])).astype(np.float32)
    return np.repeat(most.astype(np.float32), TILE)[None, :, None] * np.ones((TILE, 1, 1), np.float32) * color


def main() -> None:
    """Draw and write."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("out", type=Path)
    parser.add_argument("--prints", type=int, default=400, help=f"of each {SHEETS} sheets")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--faces", type=int, default=80)
    parser.add_argument("--fonts", type=Path, help="a text file with a font file a line")
    args = parser.parse_args()
    cv2.setNumThreads(1)
    fonts = [f for f in args.fonts.read_text().split("\n") if f] if args.fonts else []
    rng = np.random.default_rng([args.seed, 7])
    chosen = faces(fonts, rng, args.faces)
    began = time.monotonic()
    parts = []
    for i in range(args.prints):
        drawn = draw_sheets(np.random.default_rng([args.seed, 1, i]), chosen, SHEETS)
        parts += zip(*drawn, strict=True)
        if i % 100 == 99:
            print(f"{len(parts)} sheets, {(time.monotonic() - began) / len(parts):.3f} s a sheet", flush=True)
    starts = np.cumsum([0] + [len(p[0]) for p in parts])
    crops, labels, inks = (np.concatenate(p) for p in zip(*parts, strict=True))
    with open(f"{args.out}.part", "wb") as file:
        np.savez(file, crops=crops, labels=labels, inks=inks, starts=starts)
    Path(f"{args.out}.part").rename(args.out)


if __name__ == "__main__":
    main()
