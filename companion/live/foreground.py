"""Detect foreground over the settled table: hands above all, but also a cup that was put down.

Whether a part of the picture that changed is a thing that came shows on its outline, not on its colors: gloves and
sleeves have any. A camera that was knocked shows the same picture shifted, which is seen and taken out first.
"""

from collections.abc import Callable
from dataclasses import dataclass

import cv2
import numpy as np

from companion.live.stillness import matched, over


@dataclass(frozen=True)
class ForegroundSettings:
    """When something new on the table is a hand, and when it may be forgotten."""

    outline: float = 0.12  # share of a region's outline that must be new for a thing to have come
    more: float = 1.2  # how many times more of it must be new than gone
    smallest: int = 6  # pixels of the small picture: what is smaller is no region
    same: float = 0.6  # overlap (intersection over union) from which a region is the one that was there before
    remembered: float = 60.0  # seconds for which a thing is remembered that is not seen
    farthest: float = 24.0  # pixels of the small picture by which a camera may have been knocked
    better: float = 0.6  # a shift must leave less than that share of the differences


SETTINGS = ForegroundSettings()


@dataclass(frozen=True)
class Thing:
    """Something that was not there: `mask` (h, w) bool in the small picture, whether it reaches in from the border,
    and for how many seconds it has lain there just like that."""

    mask: np.ndarray
    border: bool
    age: float


@dataclass
class _Known:
    mask: np.ndarray
    look: np.ndarray
    since: float
    seen: float


class Scene:
    """Remembers how the table lay settled, and what came to lie there since."""

    def __init__(self) -> None:
        self._settled: np.ndarray | None = None
        self._known: list[_Known] = []

    def settle(self, small: np.ndarray) -> None:
        """The table lies like that, settled."""
        self._settled = small
        self._known = []

    def things(self, small: np.ndarray, level: float, noise: float, time: float) -> list[Thing]:
        """What came; `level` and `noise` as Rest has them."""
        if self._settled is None or self._settled.shape != small.shape:
            return []
        then, mask = self._changed(small, level)
        n, labels, stats, _ = cv2.connectedComponentsWithStats(mask, connectivity=8)
        h, w = mask.shape
        steep_then, steep_now = steepness(then), steepness(small)
        out = []
        for i in range(1, n):
            x, y, wide, high, area = stats[i]
            if area < SETTINGS.smallest:
                continue
            region = labels == i
            if _has_come(region, steep_then, steep_now, 2 * noise + 4):
                border = bool(x <= 1 or y <= 1 or x + wide >= w - 1 or y + high >= h - 1)
                out.append(Thing(region, border, time - self._since(region, small, level, time)))
        self._known = [known for known in self._known if time - known.seen < SETTINGS.remembered]
        return out

    def unchanged(self, small: np.ndarray, level: float, scale: float) -> Callable[[np.ndarray], bool]:
        """Whether the picture inside outlines, (n, 2) pixels of a frame, is unchanged since it settled.

        `scale`: pixels of the small picture for one of the frame.
        """
        if self._settled is None or self._settled.shape != small.shape:
            return lambda outline: False
        far = over(cv2.absdiff(matched(self._settled, small), small), level)

        def same(outline: np.ndarray) -> bool:
            inside = np.zeros(far.shape, np.uint8)
            cv2.fillPoly(inside, [np.round(np.asarray(outline) * scale).astype(np.int32)], 255)
            return cv2.countNonZero(cv2.bitwise_and(inside, far)) == 0

        return same

    def _changed(self, small: np.ndarray, level: float) -> tuple[np.ndarray, np.ndarray]:
        """The settled picture, in the light and from the place of now, and where it differs (h, w) uint8."""
        assert self._settled is not None
        then = matched(self._settled, small)
        mask = _mask(then, small, level)
        differences = cv2.countNonZero(mask)
        if differences > 0.01 * mask.size:
            moved = _shifted(then, small)
            if moved is not None:
                shifted, strip = moved
                again = _mask(shifted, small, level) & strip
                if cv2.countNonZero(again) < SETTINGS.better * differences:
                    return shifted, again
        return then, mask

    def _since(self, region: np.ndarray, small: np.ndarray, level: float, time: float) -> float:
        """Since when a region has looked just like that."""
        for known in self._known:
            both = np.count_nonzero(region & known.mask)
            if both > SETTINGS.same * np.count_nonzero(region | known.mask):
                far = cv2.absdiff(small[region & known.mask], known.look[region & known.mask])
                if float(far.mean()) < 0.6 * level:
                    known.seen = time
                    return known.since
        self._known.append(_Known(region, small, time, time))
        return time


def steepness(small: np.ndarray) -> np.ndarray:
    """(h, w): how steep a small picture is, in levels a pixel, in whichever color it is steepest."""
    x, y = (cv2.Sobel(small, cv2.CV_16S, *way) for way in ((1, 0), (0, 1)))
    b, g, r = cv2.split(cv2.magnitude(x.astype(np.float32), y.astype(np.float32)) / 4)
    return cv2.max(cv2.max(b, g), r)


def _mask(then: np.ndarray, now: np.ndarray, level: float) -> np.ndarray:
    mask = over(cv2.absdiff(then, now), level)
    mask = cv2.morphologyEx(mask, cv2.MORPH_CLOSE, np.ones((5, 5), np.uint8))
    return cv2.morphologyEx(mask, cv2.MORPH_OPEN, np.ones((2, 2), np.uint8))


def _shifted(then: np.ndarray, now: np.ndarray) -> tuple[np.ndarray, np.ndarray] | None:
    """`then` as a shifted camera sees it, and where that can be told, (h, w) uint8; None: it was not shifted."""
    a, b = (cv2.cvtColor(one, cv2.COLOR_BGR2GRAY).astype(np.float32) for one in (then, now))
    h, w = a.shape
    (dx, dy), _ = cv2.phaseCorrelate(a, b, cv2.createHanningWindow((w, h), cv2.CV_32F))
    if not 0.2 < float(np.hypot(dx, dy)) < SETTINGS.farthest:
        return None
    to = np.asarray([[1, 0, dx], [0, 1, dy]], np.float32)
    shifted = cv2.warpAffine(then, to, (w, h), borderMode=cv2.BORDER_REPLICATE)
    strip = cv2.warpAffine(np.full((h, w), 255, np.uint8), to, (w, h))
    return shifted, cv2.erode(strip, np.ones((3, 3), np.uint8), borderValue=0)


def _has_come(region: np.ndarray, then: np.ndarray, now: np.ndarray, least: float) -> bool:
    """Whether something came: along a region's outline there are more edges that are new than edges that are gone.

    A shadow's outline has neither; where a thing went away the edges are gone; where all was shifted, as many are new.
    """
    mask = region.astype(np.uint8)
    ring = cv2.dilate(mask, np.ones((3, 3), np.uint8)) - cv2.erode(mask, np.ones((3, 3), np.uint8), borderValue=1)
    edge = ring.astype(bool)
    if not edge.any():
        return True
    was, is_ = then[edge], now[edge]
    came, went = float((is_ > was + least).mean()), float((was > is_ + least).mean())
    return came > SETTINGS.outline and came > SETTINGS.more * went
