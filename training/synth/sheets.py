"""A filled sheet with its truth: any layout, any hand, any pen."""

from dataclasses import dataclass

import cv2
import numpy as np

from training.synth import hands, walls
from training.synth.hands import Hand, Rng, Stroke, random_hand
from training.synth.media import (
    Layer,
    Medium,
    called,
    hard_pencil,
    lay,
    paper_tooth,
    pressed_harder,
    random_medium,
    unlike_medium,
)
from training.synth.print import Cell, Sheet, random_blank
from training.synth.writing import Writer

BLANK, PASSAGE, WALL, ODD = 0, 1, 2, 3
NEAT = 0.1
"""Share of the hands that draw circles as even as print."""
HARD = 0.25
"""Share of the pencils that are hard."""
VISIBLE = 0.006
"""Mean change of a cell, 0 to 1, below which nobody sees that a letter was traced."""


@dataclass
class Filled:
    """A filled sheet and what is true of each cell, arrays of (rows, cols).

    Attributes:
        sheet: the printed sheet; its `image` now carries the marks.
        kinds: 0 blank, 1 passage, 2 wall, 3 a mark that is none of these.
        letter, traced, gate, ghost: bool.
        unclear: bool, traced so that nobody could see it.
        hidden: 0 to 1, the share of the cell that something lying on the sheet hides.
        graphite: (H, W) float32, 0 to 1, how much graphite lies on the sheet's picture: it mirrors lamps.
        blank: (H, W, 3) float32, the sheet's picture before anyone drew on it.
        medium: what it was filled in with.
    """

    sheet: Sheet
    kinds: np.ndarray
    letter: np.ndarray
    traced: np.ndarray
    unclear: np.ndarray
    gate: np.ndarray
    ghost: np.ndarray
    hidden: np.ndarray
    graphite: np.ndarray
    blank: np.ndarray
    medium: str


def random_map(rng: Rng, rows: int, cols: int) -> np.ndarray:
    """(rows, cols) of 0, 1, 2: scattered, or grown in patches as in play."""
    share = rng.dirichlet([1.3, 1.3, 1.3])
    if rng.random() < 0.06:
        share = np.array([1.0, 0, 0])
    if rng.random() < 0.4:
        return rng.choice(3, (rows, cols), p=share)
    fields = np.stack(
        [
            cv2.GaussianBlur(rng.normal(0, 1, (rows, cols)).astype(np.float32), (0, 0), rng.uniform(0.5, 1.2))
            for _ in range(3)
        ]
    )
    fields = fields / fields.std((1, 2), keepdims=True) + np.log(share + 1e-3)[:, None, None]
    return fields.argmax(0)


def few_marks(rng: Rng, rows: int, cols: int) -> np.ndarray:
    """(rows, cols) of 0, 1, 2: one to five circles and fillings, mostly circles."""
    kinds = np.zeros((rows, cols), int)
    at = rng.choice(kinds.size, rng.integers(1, 6), replace=False)
    kinds.flat[at] = np.where(rng.random(len(at)) < rng.choice([0.0, 0.3, 0.8]), WALL, PASSAGE)
    return kinds


def random_filled(
    rng: Rng,
    rows: int = 8,
    cols: int = 8,
    scale: int = 64,
    margin: float = 1.1,
    fonts: list[str] | None = None,
    writer: Writer | None = None,
    begun: float = 0.0,
    unlike: float = 0.0,
) -> Filled:
    """Draw a sheet, fill it in; `writer`: who writes numbers into cells, which no rule asks for.

    `begun`: the share of sheets whose game has only begun, with one to five marks.
    `unlike`: the share of sheets with art under the grid; of as many the hand, and the pen, are ones that few have.
    """
    print_, hand_, pen_ = (rng.random(3) < unlike).tolist() if unlike else (False, False, False)
    sheet = random_blank(rng, rows, cols, scale, margin, fonts or [], print_)
    few = rng.random() < begun
    kinds = few_marks(rng, rows, cols) if few else random_map(rng, rows, cols)
    if sheet.entrance is not None and rng.random() < 0.7:
        kinds[sheet.entrance] = BLANK
    if not few and rng.random() < 0.4:
        kinds[rng.random(kinds.shape) < rng.choice([0.02, 0.12, 0.3])] = ODD
    hand, medium = random_hand(rng), random_medium(rng)
    if rng.random() < NEAT:
        hand = hands.neat(rng, hand)
    if medium.kind == "pencil" and rng.random() < HARD:
        medium = hard_pencil(rng, medium)
    if hand_:
        hand = hands.unlike(rng, hand)
    if pen_:
        medium = unlike_medium(rng)
    if walls.SPARSE.keys() & set(hand.wall_styles):
        kinds[kinds == ODD] = BLANK  # a cross among crosses is a wall
    return fill(rng, sheet, kinds, hand, medium, writer or Writer())


def fill(rng: Rng, sheet: Sheet, kinds: np.ndarray, hand: Hand, medium: Medium, writer: Writer) -> Filled:
    """Draw `kinds` onto the sheet with this hand and this pen, and things that happen beside."""
    shape = sheet.image.shape[:2]
    letter = np.zeros(kinds.shape, bool)
    for cell in sheet.letters:
        letter[cell] = True
    gate = (kinds == PASSAGE) & (
        rng.random(kinds.shape) < np.where(letter, rng.choice([0.15, 0.5]), rng.choice([0.0, 0.04, 0.2]))
    )
    traced = letter & (rng.random(kinds.shape) < rng.choice([0.1, 0.35, 0.55]))
    traced |= letter & gate & (rng.random(kinds.shape) < 0.8)
    traced &= (kinds != WALL) | (rng.random(kinds.shape) < 0.1)
    ghost = rng.random(kinds.shape) < rng.choice([0, 0.04, 0.15])
    wall_medium = medium
    if rng.random() < 0.12:
        wall_medium = random_medium(rng)
    elif rng.random() < 0.35:
        wall_medium = pressed_harder(medium, rng.uniform(0.8, 1.5), rng.uniform(0.7, 1.2))
    trace_medium = (
        random_medium(rng)
        if rng.random() < 0.08
        else pressed_harder(medium, rng.uniform(0.9, 1.3), rng.uniform(1, 1.2))
    )

    blank = sheet.image.copy()
    _ghosts(rng, sheet, hand, medium, ghost, kinds)
    layers = [Layer(m, shape, sheet.scale) for m in (medium, wall_medium, trace_medium)]
    uneven = rng.choice([0.05, 0.15, 0.3])
    force = lambda: float(np.exp(rng.normal(0, uneven)))  # noqa: E731
    _walls(rng, layers[1], sheet, hand, kinds, force)
    numbers = rng.choice([0.3, 1.0])
    for i, j in zip(*np.nonzero((kinds == PASSAGE) | (kinds == ODD)), strict=True):
        cell = (int(i), int(j))
        if kinds[cell] == ODD:
            strokes = _note(rng, writer) if rng.random() < numbers else hands.odd_mark(rng)
        else:
            strokes = hands.gate(rng, hand) if gate[cell] else hands.passage(rng, hand)[0]
        layers[0].draw(rng, strokes, sheet.middle(cell), force())
    for cell, lines in sheet.letter_lines.items():
        if traced[cell]:
            layers[2].draw(rng, hands.traced(rng, hand, lines), sheet.middle(cell), max(0.9, force()))
    if rng.random() < 0.3:
        for _ in range(rng.integers(1, 8)):
            at = (int(rng.integers(kinds.shape[0])), int(rng.integers(kinds.shape[1])))
            layers[0].draw(rng, hands.stray_line(rng), sheet.middle(at), force())
    tooth = paper_tooth(rng, shape, sheet.scale)
    before = sheet.image
    graphite = np.zeros(shape, np.float32)
    for layer in layers:
        before = sheet.image
        opacity = layer.opacity(rng, tooth) if layer.ink.any() else graphite * 0
        sheet.image = lay(sheet.image, opacity, layer.medium)
        graphite = np.maximum(graphite, opacity * (layer.medium.kind == "pencil"))
    unclear = traced & (cell_means(np.abs(sheet.image - before).mean(2), sheet) < VISIBLE)
    _smears(rng, sheet, medium)
    hidden = np.zeros(kinds.shape, np.float32)
    return Filled(sheet, kinds, letter, traced, unclear, gate, ghost, hidden, graphite, blank, called(medium))


def _note(rng: Rng, writer: Writer) -> list[Stroke]:
    """A number written large into a cell, or some small ones about it; a lone nought would be a circle."""
    if rng.random() < 0.65:
        text = str(rng.integers(1, 10) if rng.random() < 0.8 else rng.integers(10, 40))
        strokes = writer.number(rng, text, rng.uniform(0.4, 0.85) / len(text) ** 0.4)
        off = np.append(rng.normal(0, 0.05, 2), 0)
        return [s + off for s in strokes]
    small = []
    for _ in range(rng.integers(1, 5)):
        at = (*rng.uniform(-0.32, 0.32, 2), 0)
        small += [s + np.array(at) for s in writer.number(rng, str(rng.integers(1, 10)), rng.uniform(0.14, 0.32))]
    return small


def _walls(rng: Rng, layer: Layer, sheet: Sheet, hand: Hand, kinds: np.ndarray, force) -> None:
    """Walls cell by cell; some hands fill neighbors in one go."""
    left = kinds == WALL
    joins = rng.random() < 0.2
    for i, j in zip(*np.nonzero(left), strict=True):
        if not left[i, j]:
            continue
        h = w = 1
        if joins and rng.random() < 0.6:
            while j + w < kinds.shape[1] and left[i, j + w] and w < 5:
                w += 1
            if w == 1:
                while i + h < kinds.shape[0] and left[i + h, j] and h < 5:
                    h += 1
        left[i : i + h, j : j + w] = False
        layer.draw(rng, walls.wall(rng, hand, (-0.5, -0.5, w, h)), sheet.middle((int(i), int(j))), force())


def _ghosts(rng: Rng, sheet: Sheet, hand: Hand, medium: Medium, ghost: np.ndarray, kinds: np.ndarray) -> None:
    """What an eraser leaves: a faint ring or hatch, a gray smudge; it means nothing."""
    if not ghost.any():
        return
    gray = tuple(np.full(3, rng.uniform(0.3, 0.5)))
    faint = Medium("pencil", medium.width, gray, 0.7, rng.uniform(0.2, 0.9), True, 0, rng.uniform(0.005, 0.05), True)
    layer = Layer(faint, sheet.image.shape[:2], sheet.scale)
    strength = 0.75 if medium.kind != "pencil" else medium.opacity
    smudge = np.zeros(sheet.image.shape[:2], np.float32)
    for i, j in zip(*np.nonzero(ghost), strict=True):
        cell = (int(i), int(j))
        as_wall = rng.random() < 0.55
        strokes = walls.wall(rng, hand, (-0.5, -0.5, 1, 1)) if as_wall else hands.passage(rng, hand)[0]
        layer.draw(rng, strokes, sheet.middle(cell), strength * rng.uniform(0.03, 0.26))
        if rng.random() < 0.7:
            _smudge(rng, spot := np.zeros_like(smudge), sheet, cell, as_wall)
            smudge = np.maximum(smudge, spot)
    smudge = cv2.GaussianBlur(smudge, (0, 0), rng.uniform(0.02, 0.12) * sheet.scale)
    tooth = paper_tooth(rng, smudge.shape, sheet.scale)
    rubbed = layer.opacity(rng, tooth * rng.uniform(0, 0.4)) * rng.uniform(0.7, 1)
    length = int(rng.integers(1, max(2, int(0.25 * sheet.scale))))
    if length > 3 and rng.random() < 0.6:
        rubbed = 0.5 * rubbed + 0.5 * cv2.filter2D(rubbed, -1, _streak(length, rng.uniform(0, 180)))
    sheet.image = lay(sheet.image, np.minimum(rubbed + smudge, 1), faint)


def _smudge(rng: Rng, spot: np.ndarray, sheet: Sheet, cell: Cell, as_wall: bool) -> None:
    """A gray patch where graphite was rubbed: as wide as the filling was, or any oval."""
    x, y = (np.array(sheet.middle(cell)) + rng.normal(0, 0.06 * sheet.scale, 2)).astype(int).tolist()
    shade = float(rng.choice([rng.uniform(0.01, 0.1), rng.uniform(0.05, 0.24)]))
    if as_wall and rng.random() < 0.7:
        w, h = (rng.uniform(0.38, 0.56, 2) * sheet.scale).astype(int).tolist()
        cv2.rectangle(spot, (x - w, y - h), (x + w, y + h), shade, -1)
    else:
        axes = (rng.uniform(0.2, 0.6, 2) * sheet.scale).astype(int).tolist()
        cv2.ellipse(spot, (x, y), axes, rng.uniform(0, 180), 0, 360, shade, -1)


def _streak(length: int, degrees: float) -> np.ndarray:
    kernel = np.zeros((length, length), np.float32)
    c, r = (length - 1) / 2, length / 2
    dx, dy = r * np.cos(np.radians(degrees)), r * np.sin(np.radians(degrees))
    cv2.line(kernel, (round(c - dx), round(c - dy)), (round(c + dx), round(c + dy)), 1.0, 1, cv2.LINE_8)
    return kernel / max(kernel.sum(), 1e-6)


def _smears(rng: Rng, sheet: Sheet, medium: Medium) -> None:
    """A hand dragged over graphite, crumbs, faint folds."""
    if medium.kind == "pencil" and rng.random() < 0.3:
        length = int(rng.uniform(0.2, 1.2) * sheet.scale)
        dragged = cv2.filter2D(sheet.image, -1, _streak(length, rng.uniform(0, 180)), borderType=cv2.BORDER_REPLICATE)
        where = cv2.GaussianBlur(rng.random((9, 9), dtype=np.float32), (0, 0), 1.2)
        where = cv2.resize(where, sheet.image.shape[1::-1], interpolation=cv2.INTER_CUBIC)[..., None]
        a = np.clip((where - 0.5) * 4, 0, 1) * rng.uniform(0.05, 0.3)
        sheet.image = sheet.image * (1 - a) + np.minimum(dragged, sheet.image) * a
    if rng.random() < 0.15:
        for _ in range(rng.integers(2, 25)):
            p = (rng.random(2) * sheet.image.shape[1::-1]).astype(int)
            gray = float(rng.uniform(0.1, 0.95))
            cv2.ellipse(
                sheet.image,
                p.tolist(),
                rng.integers(1, 5, 2).tolist(),
                rng.uniform(0, 180),
                0,
                360,
                (gray, gray, gray),
                -1,
                cv2.LINE_AA,
            )


def cell_means(values: np.ndarray, sheet: Sheet) -> np.ndarray:
    """(rows, cols): the mean over each cell of what is given for each pixel, (H, W)."""
    m, s = round(sheet.margin * sheet.scale), sheet.scale
    inner = values[m : m + sheet.rows * s, m : m + sheet.cols * s]
    return inner.reshape(sheet.rows, s, sheet.cols, s).mean((1, 3))
