"""Detect stillness by comparing small copies of frames over time.

Light is not motion: a lamp that flickers, a camera that corrects its exposure or its white balance change all of a
picture, or all of a row, by one factor, which is taken out before anything is compared. Noise is measured, not assumed.
"""

from dataclasses import dataclass

import cv2
import numpy as np

from vision.camera_motion import beyond, camera_motion

WIDTH = 320
"""Pixels to which a frame is reduced: a tile of 22 mm on a table of 1 m is 7 of them wide."""


@dataclass(frozen=True)
class Limits:
    """When pixels differ."""

    least: float = 9.0  # levels (of 255) by which two pixels differ at least
    noise: float = 7.0  # the same, in standard deviations of the camera's noise
    spot: int = 5  # pixels of a patch that moved: less is a camera's hiccup
    flicker: float = 0.12  # share by which the light of one row may stray from the picture's


LIMITS = Limits()


class Rest:
    """Watches frames, one after the other. Times are seconds of the source's clock."""

    def __init__(self) -> None:
        self._anchor: np.ndarray | None = None
        self._since = 0.0
        self.small: np.ndarray | None = None
        """The last frame made small."""
        self.noise = 1.0
        """The camera's noise, in levels of a small picture: one standard deviation."""
        self._frames = 0
        self.stretch = 0
        """Counts the stretches of stillness."""

    def see(self, image: np.ndarray, time: float) -> float:
        """A frame, (H, W, 3) BGR. Returns for how many seconds nothing has moved."""
        small = reduced(image)
        if self._anchor is None or self._anchor.shape != small.shape:
            self._begin(small, time)
            return 0.0
        if self.small is not None and self.small.shape == small.shape:
            self._learn_noise(small, self.small)
        self.small = small
        if self._moved(self._anchor, small) or time < self._since:
            self._begin(small, time)
        return time - self._since

    @property
    def level(self) -> float:
        """Levels by which a pixel differs that is not the same."""
        return max(LIMITS.least, LIMITS.noise * self.noise)

    def _begin(self, small: np.ndarray, time: float) -> None:
        self._anchor = self.small = small
        self._since = time
        self.stretch += 1

    def _moved(self, then: np.ndarray, now: np.ndarray) -> bool:
        level = self.level
        if cv2.countNonZero(over(cv2.absdiff(then, now), level)) < LIMITS.spot:
            return False
        then = matched(then, now)
        if not _differs(over(cv2.absdiff(then, now), level)):
            return False
        motion = camera_motion(then, now)
        return motion is None or _differs(over(beyond(then, now, motion), level))

    def _learn_noise(self, small: np.ndarray, last: np.ndarray) -> None:
        """Most of a picture does not move: the middle of all differences is noise."""
        far = cv2.absdiff(small[::3, ::3], last[::3, ::3])
        # A whole number would be too rough: the mean of the lower half stands for the middle.
        low = np.sort(far, axis=None)[: far.size // 2]
        noise = 2.2 * float(low.mean())
        self._frames += 1
        self.noise += max(0.1, 1 / self._frames) * (max(noise, 0.3) - self.noise)


def _differs(mask: np.ndarray) -> bool:
    """Whether differences are wider than a pixel."""
    return cv2.countNonZero(cv2.erode(mask, np.ones((2, 2), np.uint8))) >= 2


def reduced(image: np.ndarray) -> np.ndarray:
    """(h, 320, 3) uint8: a frame made small."""
    h, w = image.shape[:2]
    size = (WIDTH, max(8, round(h * WIDTH / w)))
    return cv2.resize(image, size, interpolation=cv2.INTER_AREA)


def over(far: np.ndarray, level: float) -> np.ndarray:
    """(h, w) uint8, 0 or 255: where any of the colors is above a level."""
    b, g, r = cv2.split(far)
    return cv2.threshold(cv2.max(cv2.max(b, g), r), level, 255, cv2.THRESH_BINARY)[1]


def matched(then: np.ndarray, now: np.ndarray) -> np.ndarray:
    """`then` in the light of `now`: one factor a color for all of the picture, a small one for each row."""
    a, b = then[::4, ::4].astype(np.float32) + 2, now[::4, ::4].astype(np.float32) + 2
    gain = np.median((b / a).reshape(-1, 3), 0)
    gray = cv2.transform(then, gain.reshape(1, 3) / 3)[:, ::4].astype(np.float32)
    rows = np.median((cv2.transform(now, np.full((1, 3), 1 / 3))[:, ::4] + np.float32(8)) / (gray + 8), 1)
    rows = cv2.GaussianBlur(rows.reshape(-1, 1), (1, 9), 0).clip(1 - LIMITS.flicker, 1 + LIMITS.flicker)
    factors = np.broadcast_to((rows * gain.reshape(1, 3))[:, None].astype(np.float32), then.shape)
    return cv2.multiply(then, np.ascontiguousarray(factors), dtype=cv2.CV_8U)
