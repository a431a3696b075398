"""Letters and digits as strokes, and what leaves a mark on paper: shared by prints and hands.

Pages are (H, W, 3) uint8 BGR; places are pixels [x, y] of the page, the center of the first one is 0, 0.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import cv2
import numpy as np

Rng = np.random.Generator
Color = tuple[float, float, float]
"""BGR, 0 to 255."""
CELL = 88
"""Pixels of a page's raster to a cell of its grid."""
SHIFT = 4
"""Bits of OpenCV's fractions of a pixel."""

GLYPHS = {
    "A": "0,8 4,0 8,8; 1.5,5.2 6.5,5.2",
    "B": "0,8 0,0; ~0,0 5,0 7,.6 7,3.2 5,3.8 0,3.8; ~0,3.8 5.5,3.8 8,4.4 8,7.4 5.5,8 0,8",
    "C": "~8,1.6 6.5,0 2,0 0,2 0,6 2,8 6.5,8 8,6.4",
    "D": "0,0 0,8; ~0,0 4,0 8,.8 8,7.2 4,8 0,8",
    "E": "7,0 0,0 0,8 7,8; 0,4 5.5,4",
    "F": "7,0 0,0 0,8; 0,4 5.5,4",
    "G": "~8,1.6 6.5,0 2,0 0,2 0,6 2,8 6.5,8 8,6.4 8,4.8; 4.8,4.6 8,4.6",
    "H": "0,0 0,8; 8,0 8,8; 0,4 8,4",
    "I": "4,0 4,8; 2.5,0 5.5,0; 2.5,8 5.5,8",
    "J": "~6,0 6,4 6,8 3.5,8.4 1,8 1,6",
    "K": "0,0 0,8; 7.5,0 0,4.6; 2.6,3.2 8,8",
    "L": "0,0 0,8 7,8",
    "M": "0,8 0,0 4,5 8,0 8,8",
    "N": "0,8 0,0 8,8 8,0",
    "O": "~4,0 1,0 0,2 0,6 1,8 4,8 7,8 8,6 8,2 7,0 4,0",
    "P": "0,8 0,0; ~0,0 5.5,0 8,.6 8,3.8 5.5,4.4 0,4.4",
    "Q": "~4,0 1,0 0,2 0,6 1,8 4,8 7,8 8,6 8,2 7,0 4,0; 5,5.4 8.2,8.6",
    "R": "0,8 0,0; ~0,0 5.5,0 8,.6 8,3.8 5.5,4.4 0,4.4; 4,4.4 8,8",
    "S": "~7.6,1.4 6,0 2,0 .3,.8 .3,3.2 3,4 5.5,4.3 8,5 8,7.4 6,8 2,8 0,6.6",
    "T": "0,0 8,0; 4,0 4,8",
    "U": "~0,0 0,4 0,7 1.5,8 6.5,8 8,7 8,4 8,0",
    "V": "0,0 4,8 8,0",
    "W": "0,0 2,8 4,2 6,8 8,0",
    "X": "0,0 8,8; 8,0 0,8",
    "0": "~4,0 1.5,0 .6,2 .6,6 1.5,8 4,8 6.5,8 7.4,6 7.4,2 6.5,0 4,0",
    "1": "2,2 4.5,0 4.5,8",
    "2": "~.8,2 1.5,0 4,-.2 7,0 7.2,3 5,5 .6,8; .6,8 7.6,8",
    "3": "~.8,1.2 2,0 5,-.2 7.2,1 6.6,3.4 3.4,3.9; ~3.4,3.9 7,4.2 7.6,7 5,8.4 2,8.2 .6,6.8",
    "4": "5.4,0 .4,5.6 7.8,5.6; 5.6,3 5.6,8.4",
    "5": "7,0 1.6,0 1.2,3.6; ~1.2,3.6 4,2.8 7.4,3.6 7.4,7 5,8.3 2,8.2 .6,7",
    "6": "~6.4,.2 3,1 .8,4 .8,7 2,8.3 5,8.4 7.4,7.4 7.2,4.6 4,4 1.4,5",
    "7": "0.6,0 7.4,0 3,8.2",
    "8": "~4,4 1.2,3.2 1,.6 4,-.2 7,.6 6.6,3.2 4,4 .8,5 .6,7.8 4,8.5 7.4,7.8 7.2,5 4,4",
    "9": "~7,3.4 4,4.6 1,4 .8,.8 4,-.4 7,.4 7.2,3.4 6.6,6 4.6,8.4",
    "-": "1.5,4.2 6.5,4.2",
}
"""Strokes on a square of 8 × 8; those that begin with ~ are rounded."""


def rounded(points: np.ndarray, times: int = 3) -> np.ndarray:
    """Corners cut again and again; both ends stay."""
    for _ in range(times):
        near, far = 0.75 * points[:-1] + 0.25 * points[1:], 0.25 * points[:-1] + 0.75 * points[1:]
        points = np.vstack([points[:1], np.stack([near, far], 1).reshape(-1, 2), points[-1:]])
    return points


def glyph(letter: str) -> list[np.ndarray]:
    """The strokes of a letter or digit, each (n, 2), in a box of 1 × 1 with its middle at 0, 0."""
    out = []
    for stroke in GLYPHS[letter].split(";"):
        text = stroke.strip()
        points = np.array([[float(v) for v in at.split(",")] for at in text.lstrip("~").split()])
        out.append((rounded(points) if text.startswith("~") else points) / 8 - 0.5)
    return out


def fixed(points: np.ndarray) -> np.ndarray:
    """Points as OpenCV draws them with `SHIFT`."""
    return np.round(np.asarray(points, float) * (1 << SHIFT)).astype(np.int32)


def polyline(image: np.ndarray, points: np.ndarray, color: Color | float, thick: int, closed: bool = False) -> None:
    """A line through points, smooth at its edges."""
    bgr = color if isinstance(color, tuple) else (color,) * 3
    cv2.polylines(image, [fixed(points)], closed, bgr, max(1, thick), cv2.LINE_AA, SHIFT)


def resampled(points: np.ndarray, step: float) -> np.ndarray:
    """The same line in even steps."""
    lengths = np.concatenate([[0.0], np.linalg.norm(np.diff(points, axis=0), axis=1).cumsum()])
    at = np.linspace(0, lengths[-1], max(2, int(lengths[-1] / step) + 1))
    return np.stack([np.interp(at, lengths, points[:, k]) for k in (0, 1)], 1)


def noise(rng: Rng, shape: tuple[int, ...], coarse: float) -> np.ndarray:
    """Even noise from 0 to 1 whose grains are about `coarse` pixels wide, float32."""
    small = [max(2, round(n / coarse)) for n in shape[:2]]
    grains = rng.random((*small, *shape[2:]), np.float32)
    return cv2.resize(grains, (shape[1], shape[0]), interpolation=cv2.INTER_CUBIC).clip(0, 1)


@dataclass(frozen=True)
class Tool:
    """What a hand holds: its color, width in cells, how much of the paper it hides, and how rough and glossy it is."""

    name: str
    color: Color
    width: float
    opacity: float
    rough: float = 0.0
    wax: bool = False
    gloss: float = 0.0
    covers: bool = False
    pressure: float = 0.2

    @property
    def erasable(self) -> bool:
        """A pencil of some kind."""
        return "pencil" in self.name

    def no_wider(self, width: float) -> Tool:
        """Its edge or its tip, for what is small."""
        return replace(self, width=min(self.width, width))


class Paper:
    """A page under the pen: `image`, and `gloss`, (H, W) float32, how much of each place mirrors like graphite."""

    def __init__(self, rng: Rng, image: np.ndarray) -> None:
        self.rng, self.image = rng, image.copy()
        self.gloss = np.zeros(image.shape[:2], np.float32)
        self.tooth, self.wax = noise(rng, image.shape[:2], 2.0), noise(rng, image.shape[:2], 4.5)

    def draw(self, strokes: list[np.ndarray], tool: Tool, light: float = 1.0) -> None:
        """Lines, each (n, 2), in one go: where they cross each other they are not darker."""
        thick = max(2.0, tool.width * CELL)
        lines = [resampled(np.asarray(s, float), thick / 2) for s in strokes if len(s) > 1]
        if not lines:
            return
        high, wide = self.image.shape[:2]
        low = np.clip(np.min([s.min(0) for s in lines], 0) - thick - 2, 0, (wide - 1, high - 1)).astype(int)
        top = np.clip(np.max([s.max(0) for s in lines], 0) + thick + 3, 1, (wide, high)).astype(int)
        if (top <= low).any():
            return
        mask = np.zeros((top[1] - low[1], top[0] - low[0]), np.uint8)
        for line in lines:
            at = fixed(line - low)
            press = 1 - tool.pressure * noise(self.rng, (1, len(line)), 6)[0]
            for k in range(len(at) - 1):
                width = max(1, round(thick * (0.75 + 0.25 * press[k])))
                cv2.line(mask, at[k].tolist(), at[k + 1].tolist(), float(255 * press[k]), width, cv2.LINE_AA, SHIFT)
        place = np.s_[low[1] : top[1], low[0] : top[0]]
        cover = mask.astype(np.float32) / 255
        if tool.rough:
            grain = (self.wax if tool.wax else self.tooth)[place]
            cover *= np.clip((cover + 0.35 - tool.rough * grain) / (0.25 if tool.wax else 0.5), 0, 1)
        self.laid(place, cover * tool.opacity * light, tool)

    def laid(self, place: tuple[slice, slice], cover: np.ndarray, tool: Tool) -> None:
        """Color over a part of the page: fluid hides what is below, all else lets it through."""
        under, ink = self.image[place].astype(np.float32), np.array(tool.color, np.float32)
        a = cover[..., None]
        part = under * (1 - a) + ink * a if tool.covers else under * (1 - a * (1 - ink / 255))
        self.image[place] = np.round(part)
        self.gloss[place] = (
            self.gloss[place] * (1 - cover) if tool.covers else np.maximum(self.gloss[place], cover * tool.gloss)
        )
