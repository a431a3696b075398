"""How often the circles around letters are outlined, seen in what the pen covers and not in how dark the cell is.

The blank sheet is taken off color by color: the pen's color is the sheet's own, so that each pixel tells how far it is
covered by that pen, and how well this can be told there: a dark pen on dark print shows nothing. What then remains of
a gate are two lines, whatever is printed under them. A small network (`vision/weights/outlines.onnx`,
`training/OUTLINES.md`) counts them, each circle beside the sheet's others and beside those without a letter, which are
single: where all are thick, none is doubled for that, and a broad pen's second circle may be a spot.
"""

from dataclasses import dataclass

import cv2
import numpy as np

from vision.network import Network
from vision.ranks import median
from vision.sheet.letter_classifier import SPAN

SIDE = 32
"""Pixels of what the network sees of a letter; the crops have twice as many."""
WHITE = 180
"""Gray level of blank paper in a normalized crop."""
NETWORK = Network("outlines")
TURNS = 4
"""The network looks at each circle from all four sides."""


@dataclass(frozen=True)
class OutlineSettings:
    """How the pen's color and its cover are measured. Lengths in pixels of a crop; light on paper is 1."""

    coarse: int = 16  # pixels to a side of the picture in which light is estimated
    closing: int = 9  # of these: removes marks before the light is estimated
    darkest: float = 0.05  # light of print that counts as no darker
    lights: tuple[float, float] = (0.2, 3.0)  # of the photo's light beside the blank sheet's
    edge: int = 6  # pixels at a crop's edge in which neighbors' marks reach in
    bare: float = 0.8  # share of the paper's light from which a pixel is bare
    boldest: float = 0.96  # quantile of bare pixels' darkness from which they are the pen's stroke
    palest: float = 0.05  # least darkness of a stroke
    few: int = 50  # bare pixels below which the pen's color is unknown
    usual: float = 0.4  # light of such a pen
    soft: float = 0.6  # blur against print that is a little off its place
    unsure: float = 0.05  # of the pen's contrast on paper: how little contrast tells nothing
    inked: tuple[float, float] = (0.25, 0.75)  # cover from which a line begins, and from which it is whole
    least_ink: int = 30  # pixels covered by a circle whose line is measured


SETTINGS = OutlineSettings()


@dataclass(frozen=True)
class PenChange:
    """What a pen changed on one sheet's letters, n pictures of h × w pixels, float32.

    Attributes:
        cover: (n, 3, h, w). The first layer is how far each place is covered, 0 to 1; the second how well that can be
            told, 1 as on bare paper; the third how dark the print is.
        darker: (n, h, w, 3) by how much of the paper's light each color is darker than the print.
        pen: (3,) light of the sheet's pen on white paper.
    """

    cover: np.ndarray
    darker: np.ndarray
    pen: np.ndarray


def pen_change(crops: np.ndarray, blanks: np.ndarray, pen: np.ndarray | None = None) -> PenChange:
    """What the pen changed on one sheet's letters; its color is told by all of them.

    Args:
        crops: (n, 64, 64, 3) uint8, normalized (`letter_classifier.normalize_crops`).
        blanks: the same of the blank sheet, laid onto them.
        pen: its color, where that is known (`PenChange.pen`).
    """
    if not len(crops):
        usual = np.full(3, SETTINGS.usual, np.float32) if pen is None else pen
        return PenChange(np.zeros((0, 3, *crops.shape[1:3]), np.float32), np.zeros(crops.shape, np.float32), usual)
    seen, known = _light(crops, blanks)
    pen = _pen_color(seen, known) if pen is None else pen
    seen, known = (np.stack([cv2.GaussianBlur(p, (0, 0), SETTINGS.soft) for p in parts]) for parts in (seen, known))
    paper = np.quantile(known.reshape(len(known), -1, 3), 0.85, axis=1)[:, None, None]
    whole = ((paper * (1 - pen)) ** 2).sum(-1)
    contrast = known - pen * paper
    power = (contrast**2).sum(-1)
    change = known - seen
    cover = (change * contrast).sum(-1) / (power + SETTINGS.unsure * whole)
    layers = np.clip(cover, -0.5, 1.5), np.clip(power / whole, 0, 1.5), 1 - np.clip(known / paper, 0, 1).min(-1)
    return PenChange(np.stack(layers, 1).astype(np.float32), (change / paper).astype(np.float32), pen)


def pen_cover(change: PenChange, which: np.ndarray | slice = slice(None)) -> np.ndarray:
    """What the pen covers of those letters that are wanted: `PenChange.cover`, (n, 3, SIDE, SIDE) float32."""
    parts = [[cv2.resize(x, (SIDE, SIDE), interpolation=cv2.INTER_AREA) for x in one] for one in change.cover[which]]
    return np.array(parts, np.float32).reshape(-1, 3, SIDE, SIDE)


def outlined_twice(cover: np.ndarray, bare: np.ndarray) -> np.ndarray:
    """(n,) log odds that circles are outlined a second time, of `pen_cover`; all of one sheet.

    Args:
        cover: of the circles around letters.
        bare: of circles without a letter, which are single; where there is none, the others stand for them.
    """
    if not len(cover):
        return np.zeros(0)
    turned = np.concatenate([np.rot90(cover, k, (2, 3)) for k in range(TURNS)])
    said = NETWORK(turned, bare if len(bare) else turned)
    return np.asarray(said.reshape(TURNS, len(cover), -1)[..., 0].mean(0), np.float64)


def stroke_width(cover: np.ndarray) -> float | None:
    """How broad the pen is, in cells, by what it covers of circles (`pen_cover`): a line's area beside that of its two
    edges, the median of them; None where there is no line."""
    widths, fine, reach = [], 2 * SIDE, np.s_[SETTINGS.edge : -SETTINGS.edge]
    for layer in cover[:, 0]:
        ink = cv2.resize(layer, (fine, fine), interpolation=cv2.INTER_CUBIC)[reach, reach]
        ink = np.clip((ink - SETTINGS.inked[0]) / (SETTINGS.inked[1] - SETTINGS.inked[0]), 0, 1)
        edges = np.hypot(np.diff(ink, axis=0)[:, :-1], np.diff(ink, axis=1)[:-1]).sum()
        if ink.sum() >= SETTINGS.least_ink:
            widths.append(2 * ink.sum() / max(edges, 1) * SPAN / fine)
    return float(median(np.array(widths))) if widths else None


def _light(crops: np.ndarray, blanks: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Photo and blank sheet as (n, h, w, 3) float32 shares of the paper's light, in the light of this photo."""
    seen = crops.astype(np.float32) / WHITE
    known = np.clip(blanks.astype(np.float32) / WHITE, SETTINGS.darkest, 1.3)
    side, window = crops.shape[1], np.ones((SETTINGS.closing,) * 2, np.uint8)
    lights = []
    for part, blank in zip(seen, known, strict=True):
        coarse = cv2.resize(np.clip(part / blank, 0.02, 3), (SETTINGS.coarse,) * 2, interpolation=cv2.INTER_AREA)
        near = cv2.blur(cv2.morphologyEx(coarse, cv2.MORPH_CLOSE, window), (5, 5), borderType=cv2.BORDER_REPLICATE)
        lights.append(np.clip(cv2.resize(near, (side, side)), *SETTINGS.lights))
    return np.clip(seen / np.stack(lights), 0, 1.3), known


def _pen_color(seen: np.ndarray, known: np.ndarray) -> np.ndarray:
    """(3,) light of this sheet's pen on white paper: the darkest of what was added to bare paper."""
    inner = slice(SETTINGS.edge, -SETTINGS.edge)
    seen, known = seen[:, inner, inner], known[:, inner, inner]
    light = known.min(-1)
    bare = light > SETTINGS.bare * np.quantile(light, 0.8, axis=(1, 2), keepdims=True)
    if bare.sum() < SETTINGS.few:
        return np.full(3, SETTINGS.usual, np.float32)
    share = np.clip(seen / known, 0, 1.3)
    dark = np.stack([cv2.GaussianBlur(one, (0, 0), 0.7) for one in 1 - share.min(-1)])
    bold = bare & (dark >= max(float(np.quantile(dark[bare], SETTINGS.boldest)), SETTINGS.palest))
    return np.asarray(median(share[bold], 0) if bold.any() else np.full(3, SETTINGS.usual), np.float32)
