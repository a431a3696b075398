"""What was found stays found while the picture shows the same but for light and noise."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np

from vision.cards.compare import Bank

THUMBNAIL = 320
"""Width in pixels of the copy by which the whole picture is compared."""
NEW_THING = 14.0
"""Grey levels by which a place of that copy changes when something comes or goes."""
OTHER_PRINT, NOISE = 0.35, 2.0
"""How much a card's print changes when another card lies there: in parts of its contrast, and in those of the noise."""


@dataclass(frozen=True)
class FoundCard:
    """A card of a deck that lies in a picture.

    Attributes:
        deck: the deck's name.
        entry: its entry; None for a back.
        corners: (4, 2) in pixels, from the card's own top left.
        confidence: 0 to 1, how likely the name is right.
        doubtful: whether a person should look at it.
        nearest: where it is doubtful, the entries of the two likeliest cards.
    """

    deck: str
    entry: Mapping[str, Any] | None
    corners: np.ndarray
    confidence: float
    doubtful: bool
    nearest: tuple[Mapping[str, Any], ...] = ()


@dataclass(frozen=True)
class Look:
    """How a card looked where it lay: which size of face at which level, millimetres to pixels, the patch (h, w)."""

    bank: Bank
    level: int
    to_pixels: np.ndarray
    patch: np.ndarray

    @classmethod
    def of(cls, image: np.ndarray, bank: Bank, to_pixels: np.ndarray, level: int) -> Look:
        """The look of a card that lies there."""
        return cls(bank, level, to_pixels, _patch(image, bank, to_pixels, level))

    def same(self, image: np.ndarray) -> bool:
        """Whether the very same print is there: its light may be another."""
        now = _patch(image, self.bank, self.to_pixels, self.level)
        apart = cv2.blur(now - self.patch, (3, 3))
        noise = float(np.median(np.abs(now - self.patch)))
        return bool(np.abs(apart).max() < max(OTHER_PRINT, NOISE * noise))


@dataclass(frozen=True)
class Remembered:
    """The cards of the last picture that was searched, how each looked, and the whole as a thumbnail."""

    cards: tuple[FoundCard, ...]
    looks: Sequence[Look]
    whole: np.ndarray

    def still(self, image: np.ndarray) -> bool:
        """Whether a picture shows nothing else."""
        now = thumbnail(image)
        if now.shape != self.whole.shape:
            return False
        apart = np.abs(cv2.blur(now, (3, 3)) - cv2.blur(self.whole, (3, 3)))
        return bool(apart.max() < NEW_THING) and all(look.same(image) for look in self.looks)


def thumbnail(image: np.ndarray) -> np.ndarray:
    """The picture, small, in grey, its light brought to one level: (h, w) float32."""
    scale = THUMBNAIL / image.shape[1]
    small = cv2.cvtColor(cv2.resize(image, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA), cv2.COLOR_BGR2GRAY)
    return np.asarray(small * (100.0 / max(float(small.mean()), 1.0)), np.float32)


def _patch(image: np.ndarray, bank: Bank, to_pixels: np.ndarray, level: int) -> np.ndarray:
    gray = cv2.cvtColor(bank.patch(image, to_pixels, level)[0], cv2.COLOR_BGR2GRAY)
    return np.asarray((gray - gray.mean()) / max(float(gray.std()), 4.0))
