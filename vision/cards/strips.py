"""Strips of cards that stick out below cards that are known: columns and fans, by their straight edges."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

import cv2
import numpy as np

STEP = 1.0
"""Millimetres between the places at which a picture is looked up."""
NARROWEST, WIDEST = 7.0, 0.8
"""Millimetres of the narrowest strip that is looked for; the widest in parts of the card's length."""
MARGIN = 7.0
"""Millimetres by which a strip may lie to the side of the card above it."""
SLOPES = np.linspace(-0.1, 0.1, 13)
"""Tangents of the angles by which it may be turned against that card."""
ACROSS = 12
"""Places across a card at which its edge is looked for; in the median of them it must show."""
STEEP = 14.0
"""Grey levels, of the channel that shows it best, by which a strip's end differs from what lies beyond."""
SIDE = 5.0
"""The same for its sides, of which one may lie on a like card's."""
CLEAR_END, CLEAR_SIDE, CLEAR_MM = 40.0, 30.0, 12.0
"""The same, and millimetres of depth, for something that has a card's edges whatever is printed on it."""
MOST = 3
"""Edges that are tried below one card."""
UNCLAIMED = 0.5
"""Share of each line across a strip in which no known card is in sight."""
SAME = 4.0
"""Millimetres between two edges that are one."""
SOFT = 0.6
"""Blur of the picture, in millimetres of the table."""


@dataclass(frozen=True)
class Strip:
    """What sticks out below a card.

    Attributes:
        to_pixels: (3, 3) millimetres from the middle of the card whose strip it is, if it is one, to pixels.
        outline: (4, 2) the strip's corners in pixels.
        towards: (2,) where in that card's own frame the strip lies; `inner` millimetres from its middle it begins.
        clear: whether its end and both sides show so clearly that it is something with a card's edges.
    """

    to_pixels: np.ndarray
    outline: np.ndarray
    towards: np.ndarray
    inner: float
    clear: bool

    def holds(self, middles: np.ndarray) -> np.ndarray:
        """(n,) bool: which places of the card, (n, 2 or more) in millimetres from its middle, lie in the strip."""
        return np.asarray(middles[:, :2] @ self.towards > self.inner)


class Edges:
    """A picture, (H, W, 3) BGR, in which strips are looked for. `dense`: its pixels per millimetre."""

    def __init__(self, image: np.ndarray, dense: float) -> None:
        self._image, self._dense = image, dense

    @cached_property
    def _soft(self) -> np.ndarray:
        return cv2.GaussianBlur(self._image, (0, 0), max(0.5, SOFT * self._dense))

    def beyond(
        self, to_pixels: np.ndarray, size_mm: tuple[float, float], quarter: int, free: np.ndarray
    ) -> Iterator[Strip]:
        """What may stick out beyond one side of a card, the shortest first: strips lie on longer ones.

        Args:
            to_pixels: (3, 3) millimetres from the card's middle to pixels.
            size_mm: its width and height.
            quarter: 0 for its lower side, 1 to 3 for those that follow clockwise.
            free: (H, W) uint8, 0 where cards are in sight.
        """
        turn = _turned(quarter)
        width, length = size_mm if quarter % 2 == 0 else size_mm[::-1]
        to_pixels = to_pixels @ turn
        x = np.linspace(-width / 2 + 4, width / 2 - 4, ACROSS)
        y = length / 2 + np.arange(-2 * SAME, WIDEST * length + 2 * SAME, STEP)
        bare = self._look(free, to_pixels, x, y, cv2.INTER_NEAREST) > 0
        first = int(2 * SAME / STEP)
        if bare[first + 2 : first + int(NARROWEST / STEP)].mean() < UNCLAIMED:
            return
        slopes = self._look(self._soft, to_pixels, x, y, cv2.INTER_LINEAR)
        slopes = slopes[2:] - slopes[:-2]
        rows = np.arange(len(slopes))[None, :, None] + np.round(SLOPES[:, None, None] * x / STEP).astype(int)
        at = np.clip(rows, 0, len(slopes) - 1), np.arange(ACROSS)[None, None]
        shown = np.abs(np.median(slopes[at], axis=2)).max(2)
        best, angle = shown.max(0), shown.argmax(0)
        near = int(SAME / STEP)
        peaks = [
            i
            for i in range(first + int(NARROWEST / STEP), len(best) - near)
            if best[i] > STEEP and best[i] == best[max(0, i - near) : i + near + 1].max()
        ]
        for i in sorted(sorted(peaks, key=lambda i: -best[i])[:MOST]):
            if bare[first + 2 : i - near].mean(1).min() < UNCLAIMED:
                continue
            end, slope = float(y[i + 1]), float(SLOPES[angle[i]])
            aside, side = self._sides(to_pixels, width, length / 2 + 2, end - 2)
            # A gap between two cards ends where the other begins, too, but has no sides.
            if side < (SIDE if bare[i + 3 : i + 3 + near].mean() > 0.5 else CLEAR_SIDE):
                continue
            c, s = np.cos(np.arctan(slope)), np.sin(np.arctan(slope))
            middle = np.array([aside, end + slope * aside]) - length / 2 * np.array([-s, c])
            pose = np.array([[c, -s, middle[0]], [s, c, middle[1]], [0, 0, 1]])
            depth = end - length / 2
            corners = np.array([[-1, 0, 1], [1, 0, 1], [1, -1, 1], [-1, -1, 1]]) * (width / 2, depth, 1)
            corners[:, 1] += length / 2
            outline = corners @ (to_pixels @ pose).T
            yield Strip(
                to_pixels @ pose @ turn.T,
                outline[:, :2] / outline[:, 2:],
                turn[:2, :2] @ (0, 1),
                length / 2 - depth,
                best[i] > CLEAR_END and side > CLEAR_SIDE and depth > CLEAR_MM,
            )

    def _sides(self, to_pixels: np.ndarray, width: float, top: float, bottom: float) -> tuple[float, float]:
        """How far to the side a strip lies, in millimetres, and how clearly its weaker side shows."""
        x = np.arange(-width / 2 - MARGIN - 2, width / 2 + MARGIN + 2.5, STEP)
        y = np.linspace(top, bottom, 8)
        slopes = self._look(self._soft, to_pixels, x, y, cv2.INTER_LINEAR)
        slopes = slopes[:, 2:] - slopes[:, :-2]
        # Both near the card and far from it: between them may be a gap.
        shown = np.min([np.abs(np.median(part, axis=0)).max(1) for part in (slopes[:4], slopes[4:])], axis=0)
        shown = np.maximum(np.maximum(shown[:-2], shown[2:]), shown[1:-1])
        reach = int(MARGIN / STEP)
        left, right = shown[: 2 * reach + 1], shown[-2 * reach - 1 :]
        both = left + right
        k = int(both.argmax())
        return float((k - reach) * STEP), float(max(min(left[k], right[k]), 0.0))

    @staticmethod
    def _look(picture: np.ndarray, to_pixels: np.ndarray, x: np.ndarray, y: np.ndarray, how: int) -> np.ndarray:
        """(rows, columns[, 3]) float32: the picture at millimetres x, y."""
        grid = np.stack([*np.meshgrid(x, y), np.ones((len(y), len(x)))], -1) @ to_pixels.T
        at = (grid[..., :2] / grid[..., 2:]).astype(np.float32)
        u, v = np.ascontiguousarray(at[..., 0]), np.ascontiguousarray(at[..., 1])
        return np.asarray(cv2.remap(picture, u, v, how, borderMode=cv2.BORDER_REPLICATE), np.float32)


def _turned(quarter: int) -> np.ndarray:
    """(3, 3): by so many quarters of a turn."""
    c, s = ((1, 0), (0, 1), (-1, 0), (0, -1))[quarter]
    return np.array([[c, -s, 0], [s, c, 0], [0, 0, 1]], np.float64)
