"""What was found stays found while the picture shows the same but for light and noise."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np

from vision.cards.compare import Bank


@dataclass(frozen=True)
class StillSettings:
    """When a card that was seen counts as lying there untouched."""

    thumbnail: int = 320  # width in pixels of the copy by which the whole picture is compared
    new_thing: float = 14.0  # grey levels by which a place of that copy changes when something comes or goes
    most_changed: float = 0.3  # share of that copy above which all is seen anew
    around: int = 9  # how far around a change something new may lie, in that copy's pixels
    least_contrast: float = 4.0  # grey levels: the least that a card is taken to vary
    other_print: float = 0.35  # how much a card's print changes when another card lies there, in parts of its contrast
    noise: float = 2.0  # the same in parts of the noise


SETTINGS = StillSettings()


@dataclass(frozen=True)
class FoundCard:
    """A card of a deck that lies in a picture.

    Attributes:
        deck: the deck's name.
        entry: its entry; None for a back.
        corners: (4, 2) in pixels, from the card's own top left.
        confidence: 0 to 1, how likely the name is right.
        doubtful: whether a person should look at it.
        nearest: where it is doubtful, the entries of the likeliest cards, up to four.
    """

    deck: str
    entry: Mapping[str, Any] | None
    corners: np.ndarray
    confidence: float
    doubtful: bool
    nearest: tuple[Mapping[str, Any], ...] = ()


@dataclass(frozen=True)
class Look:
    """How a card looked where it lay: pixels of its face to the picture's (3, 3), the patch (h, w) uint8."""

    to_picture: np.ndarray
    patch: np.ndarray

    @classmethod
    def of(cls, gray: np.ndarray, bank: Bank, to_pixels: np.ndarray, level: int) -> Look:
        """The look of a card that lies there; `to_pixels` takes millimetres to pixels of the grey picture."""
        to_picture = to_pixels @ np.linalg.inv(bank.face_to_px(level))
        return cls(to_picture, _patch(gray, to_picture, bank.shape(level)))

    def same(self, gray: np.ndarray) -> bool:
        """Whether the very same print is there: its light may be another."""
        now = _patch(gray, self.to_picture, self.patch.shape)
        (was, contrast), (level, strength) = (cv2.meanStdDev(p) for p in (self.patch, now))
        gain = float(strength[0, 0]) / max(float(contrast[0, 0]), SETTINGS.least_contrast)
        expected = cv2.convertScaleAbs(self.patch, alpha=gain, beta=float(level[0, 0] - gain * was[0, 0]))
        noise = float(cv2.absdiff(now, expected).mean())
        apart = cv2.absdiff(cv2.blur(now, (3, 3)), cv2.blur(expected, (3, 3)))
        return bool(
            apart.max()
            < max(SETTINGS.other_print * max(float(strength[0, 0]), SETTINGS.least_contrast), SETTINGS.noise * noise)
        )


@dataclass(frozen=True)
class Remembered:
    """The cards of the last picture that was searched, how each looked, and the whole as a thumbnail."""

    cards: tuple[FoundCard, ...]
    looks: Sequence[Look]
    whole: np.ndarray

    def still(self, gray: np.ndarray) -> bool:
        """Whether a grey picture (H, W) uint8 shows nothing else."""
        changed = self.changed(gray)
        return changed is not None and not changed.any() and all(look.same(gray) for look in self.looks)

    def changed(self, gray: np.ndarray) -> np.ndarray | None:
        """(h, w) uint8, the copy's size: 255 where a grey picture shows something else; None where it all does."""
        now = thumbnail(gray)
        if now.shape != self.whole.shape:
            return None
        apart = np.abs(cv2.blur(now, (3, 3)) - cv2.blur(self.whole, (3, 3)))
        mask = np.where(apart < SETTINGS.new_thing, 0, 255).astype(np.uint8)
        if cv2.countNonZero(mask) > SETTINGS.most_changed * mask.size:
            return None
        return cv2.dilate(mask, np.ones((SETTINGS.around, SETTINGS.around), np.uint8))


def thumbnail(gray: np.ndarray) -> np.ndarray:
    """A grey picture, small, its light brought to one level: (h, w) float32."""
    scale = SETTINGS.thumbnail / gray.shape[1]
    small = cv2.resize(gray, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    return np.asarray(small * (100.0 / max(float(small.mean()), 1.0)), np.float32)


def _patch(gray: np.ndarray, to_picture: np.ndarray, shape: Sequence[int]) -> np.ndarray:
    how = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    size = (shape[1], shape[0])
    return np.asarray(cv2.warpPerspective(gray, to_picture, size, flags=how, borderMode=cv2.BORDER_REPLICATE))
