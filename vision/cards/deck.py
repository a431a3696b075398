"""A deck: its cards' faces as they look flat and upright, with names; kept as JSON with a file of pictures beside it."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np


class DeckError(ValueError):
    """A deck or an order that makes no sense, and what was expected."""


@dataclass(frozen=True)
class Face:
    """One card: its public entry, its width and height in millimetres, its picture (h, w, 3) BGR."""

    entry: Mapping[str, Any]
    size_mm: tuple[float, float]
    picture: np.ndarray

    @property
    def back(self) -> bool:
        """Whether this is the back of the deck's cards."""
        return bool(self.entry.get("back", False))


@dataclass(frozen=True)
class Deck:
    """A deck's name, its cards' usual size, all its faces."""

    name: str
    size_mm: tuple[float, float]
    faces: tuple[Face, ...]

    @classmethod
    def learnt(cls, name: str, size_mm: tuple[float, float], faces: Sequence[Face]) -> Deck:
        return cls(name, size_mm, tuple(faces))
