"""Judging the tick tracks: first each track is laid onto its printed outlines, then each box is judged.

Beyond the grid no line tells how the paper bends, so the boxes' places are off by some tenths of a cell until
their own outlines are found. Two small networks (`training/TICKS.md`) then judge each box: one sees it in gray beside
what an empty box of its track looks like, one in color beside the same box on the blank page.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache

import cv2
import numpy as np

from vision.network import Network, sigmoid
from vision.ranks import median
from vision.sheet.beside_blank import added, ink, laid_on
from vision.sheet.flatten import SheetMap, cut_part, flatten
from vision.sheet.profile import Box, SheetProfile

SIDE = 32
"""Pixels of a patch."""
SPAN = 1.5
"""Widths of the box that a patch shows."""


@dataclass(frozen=True)
class TickSettings:
    """Lengths in cells of the grid unless said."""

    box: int = 20  # pixels a box in the picture that is searched for outlines
    reach: float = 0.36  # how far off a box may lie
    slack: float = 0.012  # cost of moving a pixel against the neighboring box, squared
    pull: float = 0.15  # cost of lying `reach` off
    squares: float = 1.2  # how much likelier squares are than other shapes
    soft: float = 0.06  # darkness at which a line counts half
    prefix: float = 0.995  # how likely ticks run from the first box on without a gap
    say_blank: float = 0.5  # weight of the network that sees the blank page in the mean of log odds
    parted: float = 2.0  # its log odds between a track's ticked boxes and the rest from which it alone is heard
    parted_about: tuple[float, float] = (-0.8, -0.5)  # the rest lie below the one, ticked boxes above the other
    parted_gain: float = 1.5  # factor of its log odds then: it is too modest about what it parts
    surest: float = 9.0  # log odds of a box at most


SETTINGS = TickSettings()


@dataclass(frozen=True)
class BlankBoxes:
    """What the blank page shows of the boxes.

    Attributes:
        shape: that of their outlines.
        patches: by track, as `box_patches` cuts them.
    """

    shape: str
    patches: Mapping[str, np.ndarray]


def measure_boxes(image: np.ndarray, sheet_map: SheetMap, tracks: Mapping[str, Sequence[Box]]) -> BlankBoxes | None:
    """The boxes of the blank page, (H, W, 3) BGR; None where it has none."""
    gray = cv2.cvtColor(image, cv2.COLOR_BGR2GRAY)
    around = {name: _Around(gray, sheet_map, boxes) for name, boxes in tracks.items() if boxes}
    if not around:
        return None
    shape = _shape(list(around.values()))
    return BlankBoxes(shape, {k: box_patches(image, sheet_map, one.placed(shape)[0]) for k, one in around.items()})


def judge_ticks(
    image: np.ndarray,
    gray: np.ndarray,
    sheet_map: SheetMap,
    profile: SheetProfile,
    blank: BlankBoxes | None = None,
) -> dict[str, tuple[float, ...]]:
    """How likely each box of each of the profile's tracks is ticked, 0 to 1.

    Args:
        image: (H, W, 3) BGR photo of a filled sheet; `gray`: (H, W), the same.
        sheet_map: where its grid lies, turned the right way up.
        blank: the boxes of the blank page; None: an empty box looks as this photo's palest ones.
    """
    around = {name: _Around(gray, sheet_map, boxes) for name, boxes in profile.tracks.items() if boxes}
    shape = blank.shape if blank else _shape(list(around.values()))
    known = blank.patches if blank else {}
    patches = {name: box_patches(image, sheet_map, track.placed(shape)[0]) for name, track in around.items()}
    odds = {name: _log_odds(NETWORK, normalize(_gray(boxes))) for name, boxes in patches.items()}
    for name in odds.keys() & known.keys():
        beside = beside_blank(patches[name], known[name])
        if beside is not None:
            odds[name] = together(odds[name], _log_odds(BESIDE, beside))
    ticked = {name: _in_line(sigmoid(of_track)) for name, of_track in odds.items()}
    return {name: tuple(float(p) for p in ticked.get(name, ())) for name in profile.tracks}


def together(alone: np.ndarray, beside: np.ndarray) -> np.ndarray:
    """The log odds that each box of a track is ticked, (n,), by those of the network that sees the photo alone and of
    the one that sees the blank page, too: their mean, or the latter's where it parts the boxes clearly.

    To the first one a ring drawn around a box is a bolder outline, of which it is sure.
    """
    rising = np.sort(beside)
    apart = np.diff(rising)
    if len(apart):
        at = int(apart.argmax())
        low, high = SETTINGS.parted_about
        if apart[at] >= SETTINGS.parted and rising[at] < low and rising[at + 1] > high:
            return SETTINGS.parted_gain * beside
    return alone + SETTINGS.say_blank * (beside - alone)


def _log_odds(network: Network, boxes: np.ndarray) -> np.ndarray:
    """(n,) the log odds that each box is ticked."""
    return np.clip(network(boxes).ravel().astype(np.float64), -SETTINGS.surest, SETTINGS.surest)


def place_boxes(
    image: np.ndarray, sheet_map: SheetMap, boxes: Sequence[Box], shape: str | None = None
) -> tuple[np.ndarray, float]:
    """The boxes of one track moved onto their printed outlines, (n, 4) [x, y, w, h] in grid units, and how much outline
    they show there: about 0 for none, 0.2 to 0.6 for boxes. `shape` as `judge_ticks` takes it."""
    around = _Around(image, sheet_map, boxes)
    return around.placed(shape or _shape([around]))


class _Around:
    """The surroundings of one track's boxes, in which their outlines are looked for."""

    def __init__(self, image: np.ndarray, sheet_map: SheetMap, boxes: Sequence[Box]) -> None:
        self.at = np.asarray(boxes, np.float64)
        size = median(self.at[:, 2:], 0)
        self.cell = cell = int(np.clip(SETTINGS.box / size.mean(), 8, 160))
        edge = SETTINGS.reach + size.max()
        lo, hi = self.at[:, :2].min(0) - edge, (self.at[:, :2] + self.at[:, 2:]).max(0) + edge
        flat = flatten(image, sheet_map, cell, box=(*lo, *(hi - lo)))
        self.lines = _lines(flat.image, cell * size.mean())
        self.center = (self.at[:, :2] + self.at[:, 2:] / 2 - lo) * cell - 0.5
        self.reach = round(SETTINGS.reach * cell)
        self.size: list[int] = np.round(size * cell).astype(int).tolist()

    def likeness(self) -> dict[str, float]:
        """How well each shape fits all boxes if they move as one, seen at half the size."""
        half = cv2.resize(self.lines, None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA)
        size = [v // 2 for v in self.size]
        return {s: _Field(_answer(half, s, *size), self.center / 2 - 0.25, self.reach // 2).together for s in SHAPES}

    def placed(self, shape: str) -> tuple[np.ndarray, float]:
        """The boxes on their outlines, (n, 4), and how much outline each shows, on average."""
        field = _Field(_answer(self.lines, shape, *self.size), self.center, self.reach)
        best, moved = _settle(field)
        out = self.at.copy()
        out[:, :2] += moved / self.cell
        return out, best / len(out)


def _shape(tracks: Sequence[_Around]) -> str:
    """The shape of a sheet's boxes: the tracks of one sheet are printed alike, and crosses in a row of squares look
    like a row of diamonds between them."""
    likeness = [track.likeness() for track in tracks]
    total = {s: sum(one[s] for one in likeness) for s in SHAPES}
    total["square"] *= SETTINGS.squares
    return max(total, key=lambda s: total[s]) if tracks else "square"


def box_patches(image: np.ndarray, sheet_map: SheetMap, boxes: np.ndarray) -> np.ndarray:
    """(n, SIDE, SIDE, 3) uint8, each showing `SPAN` times a box of one track, the box in the middle."""
    size = median(boxes[:, 2:], 0) * SPAN
    cell = int(np.clip(1.25 * SIDE / size.mean(), 8, 200))
    edge = size.max()
    lo, hi = boxes[:, :2].min(0) - edge, (boxes[:, :2] + boxes[:, 2:]).max(0) + edge
    flat = flatten(image, sheet_map, cell, box=(*lo, *(hi - lo)))
    step = size * flat.cell / SIDE
    out = np.empty((len(boxes), SIDE, SIDE, 3), np.uint8)
    for k, (x, y, w, h) in enumerate(boxes):
        first = (np.array([x + w / 2, y + h / 2]) - size / 2 - lo) * flat.cell
        out[k] = cut_part(flat.image, first, step, (SIDE, SIDE))
    return out


def normalize(patches: np.ndarray) -> np.ndarray:
    """What the network that sees no blank page sees of one track, of (n, SIDE, SIDE) uint8: (n, 2, SIDE, SIDE) float32,
    each box's ink and an empty box's.

    Ink is measured against the paper of its own patch, and is 1 for the darkest print usual in the track.
    """
    gray = patches.astype(np.float32)
    flat = np.sort(gray.reshape(len(gray), -1), 1)
    paper = np.maximum(flat[:, int(0.9 * flat.shape[1]), None, None], 4)
    ink = np.clip(1 - gray / paper, 0, 1)
    usual = float(median(1 - flat[:, int(0.03 * flat.shape[1])] / paper[:, 0, 0]))
    ink = np.minimum(ink / max(usual, 0.08), 2)
    empty = np.sort(ink, 0)[int(0.2 * (len(ink) - 1))]
    return np.stack([ink, np.broadcast_to(empty, ink.shape)], 1).astype(np.float32)


def beside_blank(patches: np.ndarray, blank: np.ndarray) -> np.ndarray | None:
    """What the network that sees the blank page sees of one track, of (n, SIDE, SIDE, 3) uint8 each: (n, 9, SIDE, SIDE)
    float32, each box's ink in three colors, that of the same box on the blank page, and what the photo shows beyond it;
    None where boxes differ."""
    if len(patches) != len(blank):
        return None
    blank = laid_on(patches, blank)
    return np.concatenate([ink(patches), ink(blank), added(patches, blank)], 1).astype(np.float32)


def _gray(patches: np.ndarray) -> np.ndarray:
    """(n, SIDE, SIDE) of (n, SIDE, SIDE, 3)."""
    return np.stack([cv2.cvtColor(patch, cv2.COLOR_BGR2GRAY) for patch in patches])


NETWORK = Network("ticks")
BESIDE = Network("ticks_blank")


def _in_line(ticked: np.ndarray) -> np.ndarray:
    """The same probabilities, knowing that ticks are made from the first box on, mostly without gaps."""
    p = np.clip(ticked, 1e-4, 1 - 1e-4)
    yes, no = np.log(p), np.log(1 - p)
    counts = np.r_[0, np.cumsum(yes)] + np.r_[np.cumsum(no[::-1])[::-1], 0]  # so many from the first on
    n = len(p)
    likelihood = np.exp(counts)
    share = SETTINGS.prefix * likelihood.sum() / (n + 1)
    # All other patterns together are as likely as chance makes them: (1/2)^n each.
    other = (1 - SETTINGS.prefix) * 0.5**n
    of_prefix = share / (share + other)
    reverse = np.cumsum(likelihood[::-1])[::-1] / likelihood.sum()
    return of_prefix * reverse[1:] + (1 - of_prefix) * p


def _lines(image: np.ndarray, box: float) -> np.ndarray:
    """Thin dark lines, strong and faint ones nearly alike: (H, W) float32, 0 to 1."""
    gray = image if image.ndim == 2 else cv2.cvtColor(image, cv2.COLOR_BGR2GRAY)
    gray = cv2.GaussianBlur(gray, (0, 0), 0.8).astype(np.float32)
    wide = round(0.2 * box) * 2 + 1
    around = cv2.blur(gray, (wide, wide))
    dark = np.clip(1 - gray / np.maximum(around, 4), 0, None)
    return dark / (dark + SETTINGS.soft)


SHAPES = {
    "square": np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)]),
    "circle": np.stack([np.cos(np.arange(40) * np.pi / 20), np.sin(np.arange(40) * np.pi / 20)], 1),
    "diamond": np.array([(0, -1), (1, 0), (0, 1), (-1, 0)]),
}


def _answer(lines: np.ndarray, shape: str, width: int, height: int) -> np.ndarray:
    """How much outline of this shape lies around each pixel, less what lies beside it: (H, W) float32, 1 at most."""
    return cv2.filter2D(lines, cv2.CV_32F, _outline(shape, width, height), borderType=cv2.BORDER_CONSTANT)


@cache
def _outline(shape: str, width: int, height: int) -> np.ndarray:
    h, w = (int(1.5 * v) | 1 for v in (height, width))
    ring = np.zeros((h, w), np.float32)
    points = SHAPES[shape] * (width / 2, height / 2) + (w // 2, h // 2)
    cv2.polylines(ring, [np.round(points * 16).astype(np.int32)], True, 1.0, 1, cv2.LINE_AA, 4)
    ring = np.asarray(cv2.GaussianBlur(ring, (0, 0), 0.9))
    beside = 1 - ring / ring.max()
    return ring / ring.sum() - beside / beside.sum()


class _Field:
    """How much outline lies around each box's place: `near` (n, side, side) float32, shifts up to `reach` pixels."""

    def __init__(self, seen: np.ndarray, center: np.ndarray, reach: int) -> None:
        self.center, self.reach = center, reach
        self.places = np.round(center).astype(int)
        ends = [2 * center[a] - center[b] for a, b in ((0, 1), (-1, -2))] if len(center) > 1 else []
        pad = 2 * reach + int(max([0, *(np.abs(e - np.clip(e, 0, seen.shape[1::-1])).max() for e in ends)])) + 1
        padded = cv2.copyMakeBorder(seen, pad, pad, pad, pad, cv2.BORDER_CONSTANT, value=0)
        self.near = np.stack([self._window(padded, p, pad) for p in self.places])
        # An outline beyond the ends of the track says that all is shifted by a box.
        for end, beyond in zip((0, -1), ends, strict=False):
            if np.abs(center - beyond).max(1).min() > 2:
                self.near[end] -= np.maximum(self._window(padded, np.round(beyond).astype(int), pad), 0)
        self.together = float(self.near.sum(0).max())

    def _window(self, padded: np.ndarray, at: np.ndarray, pad: int) -> np.ndarray:
        x, y = at + pad - self.reach
        return padded[y : y + 2 * self.reach + 1, x : x + 2 * self.reach + 1]


MOVES = (-2, -1, 0, 1, 2)
"""Pixels that a box may move against its neighbor, each way."""


def _settle(field: _Field) -> tuple[float, np.ndarray]:
    """The shift of each box that shows most outline, neighbors moving nearly alike: total, (n, 2) pixels."""
    reach, center = field.reach, field.center
    offset = np.arange(-reach, reach + 1, dtype=np.float32) / reach
    score = field.near - np.float32(SETTINGS.pull) * (offset[:, None] ** 2 + offset[None] ** 2)
    # Where boxes lie apart, as from one row of a block to the next, they are freer to move.
    gaps = np.maximum(1, np.linalg.norm(np.diff(center, axis=0), axis=1) / (1.3 * SETTINGS.box))
    best = [score[0]]
    for near, gap in zip(score[1:], gaps, strict=True):
        best.append(near + _spread(_spread(best[-1], SETTINGS.slack / gap).T, SETTINGS.slack / gap).T)
    place = np.array(np.unravel_index(int(best[-1].argmax()), best[-1].shape))
    path = [place]
    for before, gap in zip(best[-2::-1], gaps[::-1], strict=True):
        top, left = np.maximum(place - MOVES[-1], 0)
        part = before[top : place[0] + MOVES[-1] + 1, left : place[1] + MOVES[-1] + 1]
        y, x = (np.arange(n) + o - p for n, o, p in zip(part.shape, (top, left), place, strict=True))
        value = part - SETTINGS.slack / gap * (y[:, None] ** 2 + x[None] ** 2)
        place = np.array([top, left]) + np.unravel_index(int(value.argmax()), part.shape)
        path.append(place)
    shifts = np.array(path[::-1])[:, ::-1] - reach
    return float(best[-1].max()), shifts + field.places - center


def _spread(best: np.ndarray, slack: float) -> np.ndarray:
    """The best value within a move along the rows."""
    out = best.copy()
    for move in range(1, MOVES[-1] + 1):
        less = best - slack * move**2
        np.maximum(out[move:], less[:-move], out=out[move:])
        np.maximum(out[:-move], less[move:], out=out[:-move])
    return out
