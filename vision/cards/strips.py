"""Strips of cards that stick out below cards that are known: columns and fans, by their straight edges."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

import cv2
import numpy as np


@dataclass(frozen=True)
class StripsSettings:
    """Which edges below a card belong to a strip of another one."""

    step: float = 1.0  # millimetres between the places at which a picture is looked up
    narrowest: float = 7.0  # millimetres of the narrowest strip that is looked for
    widest: float = 0.8  # the widest strip, in parts of the card's length
    margin: float = 12.0  # millimetres by which a strip may lie to the side of the card above it
    across: int = 12  # places across a card at which its edge is looked for; in the median of them it must show
    steep: float = 14.0
    """Grey levels, of the channel that shows it best, by which a strip's end differs from what lies beyond."""
    side: float = 5.0  # the same for its sides, of which one may lie on a like card's
    clear_end: float = 40.0  # the same for an end that is a card's whatever is printed on it
    clear_side: float = 30.0  # the same for such a strip's sides
    clear_mm: float = 12.0  # depth of such a strip, in millimetres
    most: int = 3  # edges that are tried below one card
    unclaimed: float = 0.5  # share of each line across a strip in which no known card is in sight
    same: float = 4.0  # millimetres between two edges that are one
    soft: float = 0.6  # blur of the picture, in millimetres of the table
    corner: float = 4.0  # millimetres along a whole card's sides from its corners where they are not looked at
    beside: float = 1.0  # how far on both sides of them colors are compared
    whole_step: float = 2.0  # between the places at which a whole card is looked for, millimetres
    whole_turns: tuple[float, ...] = (-9.0, -6.0, -3.0, 0.0, 3.0, 6.0, 9.0)  # degrees
    nearer: tuple[tuple[float, float], ...] = ((1.0, 1.5), (0.5, 0.75))  # millimetres and degrees of the steps after
    most_whole: int = 5  # places that are looked at more closely
    side_points: int = 24  # places along a side at which a card's edge is looked for where it would be in sight
    in_sight: float = 0.5  # share of a side that must be
    around: tuple[float, float] = (1.5, 2.5)  # how far within and beyond it colors are compared, millimetres


SETTINGS = StripsSettings()
SLOPES = np.linspace(-0.25, 0.25, 31)
"""Tangents of the angles by which it may be turned against that card."""


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
        return cv2.GaussianBlur(self._image, (0, 0), max(0.5, SETTINGS.soft * self._dense))

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
        x = np.linspace(-width / 2 + 4, width / 2 - 4, SETTINGS.across)
        y = length / 2 + np.arange(-2 * SETTINGS.same, SETTINGS.widest * length + 2 * SETTINGS.same, SETTINGS.step)
        bare = self._look(free, to_pixels, x, y, cv2.INTER_NEAREST) > 0
        first = int(2 * SETTINGS.same / SETTINGS.step)
        if bare[first + 2 : first + int(SETTINGS.narrowest / SETTINGS.step)].mean() < SETTINGS.unclaimed:
            return
        slopes = self._look(self._soft, to_pixels, x, y, cv2.INTER_LINEAR)
        slopes = slopes[2:] - slopes[:-2]
        rows = np.arange(len(slopes))[None, :, None] + np.round(SLOPES[:, None, None] * x / SETTINGS.step).astype(int)
        at = np.clip(rows, 0, len(slopes) - 1), np.arange(SETTINGS.across)[None, None]
        # The median of each line, (3, angles, rows); numpy's own takes five times as long.
        line = np.sort(np.ascontiguousarray(slopes.transpose(2, 0, 1))[:, at[0], at[1]])
        shown = np.abs((line[..., (SETTINGS.across - 1) // 2] + line[..., SETTINGS.across // 2]) / 2).max(0)
        best, angle = shown.max(0), shown.argmax(0)
        near = int(SETTINGS.same / SETTINGS.step)
        peaks = [
            i
            for i in range(first + int(SETTINGS.narrowest / SETTINGS.step), len(best) - near)
            if best[i] > SETTINGS.steep and best[i] == best[max(0, i - near) : i + near + 1].max()
        ]
        for i in sorted(sorted(peaks, key=lambda i: -best[i])[: SETTINGS.most]):
            if bare[first + 2 : i - near].mean(1).min() < SETTINGS.unclaimed:
                continue
            end, slope = float(y[i + 1]), float(SLOPES[angle[i]])
            c, s = np.cos(np.arctan(slope)), np.sin(np.arctan(slope))
            turned = np.array([[c, -s, 0], [s, c, end], [0, 0, 1]])
            aside, side = self._sides(to_pixels @ turned, width, slope, end - length / 2)
            # A gap between two cards ends where the other begins, too, but has no sides.
            if side < (SETTINGS.side if bare[i + 3 : i + 3 + near].mean() > 0.5 else SETTINGS.clear_side):
                continue
            middle = np.array([c * aside, end + s * aside]) - length / 2 * np.array([-s, c])
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
                best[i] > SETTINGS.clear_end and side > SETTINGS.clear_side and depth > SETTINGS.clear_mm,
            )

    def whole(
        self, to_pixels: np.ndarray, size_mm: tuple[float, float], outline: np.ndarray
    ) -> tuple[np.ndarray, float]:
        """Where a whole card seems to lie of which an outline shows a part: (3, 3) millimetres from its middle to
        pixels; and by how many grey levels its faintest side differs from what is beside it.

        Args:
            to_pixels: (3, 3) from the middle of a card near there, to which it lies straight or across.
            size_mm: its width and height.
            outline: (n, 2) in pixels; its middle lies within the card.
        """
        best: tuple[np.ndarray, float] = np.eye(3), -1.0
        for quarter in range(2):
            frame = to_pixels @ _turned(quarter)
            x, y, down = np.linalg.inv(frame) @ (*outline.mean(0), 1.0)
            (w, h), step = np.array(size_mm) / 2 - SETTINGS.corner, SETTINGS.whole_step
            turns = np.deg2rad(SETTINGS.whole_turns)
            poses = _grid(np.arange(-w, w + 1, step) + x / down, np.arange(-h, h + 1, step) + y / down, turns)
            clear = self._faintest(frame, poses, size_mm, step)
            for first in np.argsort(-clear, kind="stable")[: SETTINGS.most_whole]:
                at = poses[first]
                for mm, degrees in SETTINGS.nearer:
                    steps = np.array([-1.0, 0.0, 1.0])
                    near = at + _grid(mm * steps, mm * steps, np.deg2rad(degrees) * steps)
                    clear = self._faintest(frame, near, size_mm, SETTINGS.beside)
                    at = near[int(clear.argmax())]
                if clear.max() > best[1]:
                    moved = cv2.getRotationMatrix2D((0, 0), -np.rad2deg(float(at[2])), 1)
                    moved[:, 2] = at[:2]
                    best = frame @ np.vstack([moved, [0, 0, 1]]), float(clear.max())
        return best

    def in_sight(self, to_pixels: np.ndarray, size_mm: tuple[float, float], free: np.ndarray) -> float:
        """By how many grey levels the faintest side of a card that would lie so differs from what is beside it, of
        those of which enough would be in sight; infinite where none would.

        Arguments as those of `whole`; `free` (H, W) uint8 is 0 where other cards are in sight.
        """
        (w, h), out = np.array(size_mm) / 2, [np.inf]
        along = np.linspace(-1, 1, SETTINGS.side_points)
        off = np.array([sign * mm for sign in (-1, 1) for mm in SETTINGS.around])
        for quarter in range(4):
            half, long = (h, w) if quarter % 2 == 0 else (w, h)
            x, y = np.meshgrid(along * (long - SETTINGS.corner), half + off)
            frame = to_pixels @ _turned(quarter)
            open_ = self._colors(cv2.merge([free] * 3), frame, x, y, cv2.BORDER_CONSTANT)[..., 0].min(0) > 0
            if open_.mean() < SETTINGS.in_sight:
                continue
            inner, beyond = self._colors(self._soft, frame, x, y).reshape(2, len(SETTINGS.around), -1, 3)
            apart = np.abs(inner[:, None] - beyond[None]).max((0, 1, 3))
            out.append(float(np.median(apart[open_])))
        return min(out)

    def _faintest(
        self, to_pixels: np.ndarray, poses: np.ndarray, size_mm: tuple[float, float], beside: float
    ) -> np.ndarray:
        """(n,) how clear the faintest side is of a card that lies so, (n, 3): place in millimetres and turn."""
        w, h = np.array(size_mm) / 2
        along = np.linspace(-1, 1, SETTINGS.across)
        x, y, ends = along * (w - SETTINGS.corner), along * (h - SETTINGS.corner), np.ones_like(along)
        sides = np.array([[x, -h * ends], [w * ends, y], [x, h * ends], [-w * ends, y]]).transpose(0, 2, 1)
        outward = beside * np.array([[[0, -1]], [[1, 0]], [[0, 1]], [[-1, 0]]])
        at = np.stack([sides + outward, sides - outward]).reshape(-1, 2).T
        c, s = np.cos(poses[:, 2:]), np.sin(poses[:, 2:])
        u, v = c * at[0] - s * at[1] + poses[:, :1], s * at[0] + c * at[1] + poses[:, 1:2]
        colors = self._colors(self._soft, to_pixels, u, v).reshape(len(poses), 2, 4, SETTINGS.across, 3)
        apart = np.sort(colors[:, 0] - colors[:, 1], axis=2)
        middle = (apart[:, :, (SETTINGS.across - 1) // 2] + apart[:, :, SETTINGS.across // 2]) / 2
        return np.asarray(np.abs(middle).max(2).min(1))

    @staticmethod
    def _colors(
        picture: np.ndarray, to_pixels: np.ndarray, u: np.ndarray, v: np.ndarray, beyond: int = cv2.BORDER_REPLICATE
    ) -> np.ndarray:
        """(n, m, 3) float32: the picture at millimetres u, v, (n, m) each; OpenCV looks up 32,766 rows at once."""
        down = to_pixels[2, 0] * u + to_pixels[2, 1] * v + to_pixels[2, 2]
        x, y = (((row[0] * u + row[1] * v + row[2]) / down).astype(np.float32) for row in (to_pixels[0], to_pixels[1]))
        parts = range(0, len(x), 1 << 14)
        looked = [
            cv2.remap(picture, x[i : i + (1 << 14)], y[i : i + (1 << 14)], cv2.INTER_LINEAR, borderMode=beyond)
            for i in parts
        ]  # fmt: skip
        return np.concatenate(looked).astype(np.float32)

    def _sides(self, to_pixels: np.ndarray, width: float, slope: float, depth: float) -> tuple[float, float]:
        """How far to the side a strip lies, in millimetres along its end, and how clearly its weaker side shows.

        `to_pixels` (3, 3): from the middle of its end, towards which y grows; it begins `depth` millimetres before, at
        a card that is turned against it by the tangent `slope`.
        """
        reach = int(SETTINGS.margin / SETTINGS.step)
        shown = []
        for middle in (-width / 2, width / 2):
            x = middle + SETTINGS.step * np.arange(-reach - 2, reach + 3)
            y = np.linspace(min(2.0 - depth - slope * middle, -4.0), -2.0, 8)
            slopes = self._look(self._soft, to_pixels, x, y, cv2.INTER_LINEAR)
            slopes = slopes[:, 2:] - slopes[:, :-2]
            # Both near the card and far from it: between them may be a gap.
            steep = np.min([np.abs(np.median(part, axis=0)).max(1) for part in (slopes[:4], slopes[4:])], axis=0)
            shown.append(np.maximum(np.maximum(steep[:-2], steep[2:]), steep[1:-1]))
        left, right = shown
        k = int((left + right).argmax())
        return float((k - reach) * SETTINGS.step), float(max(min(left[k], right[k]), 0.0))

    @staticmethod
    def _look(picture: np.ndarray, to_pixels: np.ndarray, x: np.ndarray, y: np.ndarray, how: int) -> np.ndarray:
        """(rows, columns[, 3]) float32: the picture at millimetres x, y."""
        grid = np.stack([*np.meshgrid(x, y), np.ones((len(y), len(x)))], -1) @ to_pixels.T
        at = (grid[..., :2] / grid[..., 2:]).astype(np.float32)
        u, v = np.ascontiguousarray(at[..., 0]), np.ascontiguousarray(at[..., 1])
        return np.asarray(cv2.remap(picture, u, v, how, borderMode=cv2.BORDER_REPLICATE), np.float32)


def _grid(x: np.ndarray, y: np.ndarray, turns: np.ndarray) -> np.ndarray:
    """(n, 3): each place with each turn."""
    return np.stack(np.meshgrid(x, y, turns, indexing="ij"), -1).reshape(-1, 3)


def _turned(quarter: int) -> np.ndarray:
    """(3, 3): by so many quarters of a turn."""
    c, s = ((1, 0), (0, 1), (-1, 0), (0, -1))[quarter]
    return np.array([[c, -s, 0], [s, c, 0], [0, 0, 1]], np.float64)
