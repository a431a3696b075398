"""Color palette: reference pictures of the user's own tiles, from a calibration.

Pictures are kept, not numbers, so that a palette outlives the network that looks at it.
"""

from __future__ import annotations

import base64
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from common.file_kind import marked, unmarked
from common.json_file import read_profile
from common.messages import MisfitError
from vision.foreign import picture
from vision.table.classifier import FEATURES, WINDOW, features_of
from vision.table.reading import COLORS

MOST = 8
"""Pictures of a color at most."""
LONGEST = 30_000
"""Characters in which a picture is written at most."""


class PaletteError(MisfitError):
    """A palette's file that cannot be used. `file` is its name."""

    KEY = "misfit.palette"


@dataclass(frozen=True)
class Palette:
    """Each color's pictures, (32, 32, 3) BGR uint8, white paper at `white.WHITE`."""

    tiles: Mapping[str, Sequence[np.ndarray]]

    def known(self) -> np.ndarray:
        """(7, 32): each color's mean features, NaN where it has no picture."""
        out = np.full((len(COLORS), FEATURES), np.nan, np.float32)
        for i, color in enumerate(COLORS):
            if self.tiles.get(color):
                out[i] = features_of(np.stack(self.tiles[color])).mean(0)
        return out

    @classmethod
    def load(cls, path: Path) -> Palette:
        """Read a palette. Raises PaletteError and OSError."""
        data = read_profile(path, PaletteError, file=path.name)
        data = unmarked("palette", data, PaletteError, file=path.name)
        if not isinstance(data, dict) or not isinstance(data.get("tiles"), dict):
            raise PaletteError("", "palette.tiles", data, file=path.name)
        tiles: dict[str, list[np.ndarray]] = {}
        for color, pictures in data["tiles"].items():
            if color not in COLORS or not isinstance(pictures, list):
                raise PaletteError("tiles", "profile.key", color, keys=COLORS, file=path.name)
            tiles[color] = [_picture(text, path) for text in pictures[:MOST]]
        return cls(tiles)

    def to_json(self) -> dict[str, Any]:
        """The palette's JSON object."""

        def text(tile: np.ndarray) -> str:
            return base64.b64encode(cv2.imencode(".png", tile)[1].tobytes()).decode("ascii")

        tiles = {c: [text(p) for p in pictures] for c, pictures in self.tiles.items()}
        return marked("palette", {"tiles": tiles})


def _picture(text: Any, path: Path) -> np.ndarray:
    try:
        data = base64.b64decode(text if len(text) < LONGEST else "", validate=True)
        tile: np.ndarray | None = picture(data, WINDOW * WINDOW)
    except (TypeError, ValueError):
        tile = None
    if tile is None or tile.shape != (WINDOW, WINDOW, 3):
        raise PaletteError("tiles", "palette.picture", text, n=WINDOW, file=path.name)
    return tile
