"""The demo sheets of training.synth.demo, each drawn once in a test run: pictures are read-only."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np

from training.synth import demo
from training.synth.demo import ENTRANCE, LETTERS, TRACKS, profile

__all__ = ["ENTRANCE", "LETTERS", "TRACKS", "blank_photo", "filled_photo", "profile"]


@cache
def blank_photo(seed: int = 0) -> np.ndarray:
    """See training.synth.demo.blank_photo."""
    photo = demo.blank_photo(seed)
    photo.flags.writeable = False
    return photo


@cache
def _filled(seed: int, player: int) -> tuple[np.ndarray, dict[str, Any]]:
    photo, truth = demo.filled_photo(seed, player)
    photo.flags.writeable = False
    return photo, truth


def filled_photo(seed: int = 0, player: int = 0) -> tuple[np.ndarray, dict[str, Any]]:
    """See training.synth.demo.filled_photo."""
    return _filled(seed, player)
