"""Eyes that know the demo photos by heart: for tests of the page, without reading anything.

A photo that is none of them shows no grid, as far as they can tell.
"""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import cv2
import demo_sheets as demo
import numpy as np

from companion.web.running.eyes import Eyes
from vision.errors import PhotoError
from vision.photo import Photo
from vision.sheet.decisions import UNSURE
from vision.sheet.flatten import SheetMap, flatten
from vision.sheet.profile import SheetProfile
from vision.sheet.reading import SheetReading
from vision.sheet.several import UnreadSheet

DOUBTFUL = ((0, 0), (10, 10))
MISREAD = {"K": 0.4, "V": 0.35, "A": 0.1}
"""How likely letters are misread, as these eyes tell it."""
BOX = (-1.0, -1.6, 13.8, 13.2)
PLAYERS = 2


def jpeg(image: np.ndarray) -> bytes:
    return cv2.imencode(".jpg", image)[1].tobytes()


class FakeEyes(Eyes):
    def __init__(self) -> None:
        self.known = [(demo.filled_photo(player=i)) for i in range(PLAYERS)]
        self.blank = demo.blank_photo()

    def load(self, data: bytes) -> Photo:
        if not data:
            raise PhotoError("photo.empty")
        image = cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_COLOR)
        if image is None:
            raise PhotoError("photo.no-image", got="text")
        return Photo(image, 1)

    def read(self, photo: Photo, profile: SheetProfile, grid: Any = None) -> SheetReading:
        image = photo.image
        drawn, truth = min(self.known, key=lambda known: difference(known[0], image))
        if grid is None and difference(drawn, image) > 3:
            raise PhotoError("sheet.no-grid", rows=profile.rows, cols=profile.cols)
        confidence = np.full((11, 11), 0.99)
        for cell in DOUBTFUL:
            confidence[cell] = 0.5
        shown = {letter: cell for letter, cell in profile.letters.items() if truth["map"][cell[0]][cell[1]] != "#"}
        doubts = {letter: MISREAD.get(letter, 0.0) for letter in shown}
        unsure = [shown[letter] for letter, doubt in doubts.items() if doubt > UNSURE]
        return SheetReading(
            truth["lattice"], tuple(truth["map"]), confidence, (*DOUBTFUL, *unsure), tuple(truth["destinations"]),
            tuple(truth["gates"]), truth["ticks"], {k: tuple(map(float, v)) for k, v in truth["ticked"].items()},
            doubtful_cells=DOUBTFUL, letter_doubts=doubts,
        )  # fmt: skip

    def read_all(self, photo: Photo, profile: SheetProfile) -> list[SheetReading | UnreadSheet]:
        return [self.read(photo, profile)]

    def enroll(self, image: np.ndarray, letters: dict[str, Any] | None = None, grid: Any = None) -> Any:
        if grid is None and difference(self.blank, image) > 3:
            raise PhotoError("sheet.no-grid", rows=11, cols=11)
        known = demo.profile()
        profile = SheetProfile.from_json({**known, "letters": letters or known["letters"]})
        lattice = self.known[0][1]["lattice"]
        flat = flatten(image, SheetMap(lattice), 48, box=BOX)
        return SimpleNamespace(
            profile=profile, lattice=lattice, flat=flat,
            doubtful=("Q",), missing=(), marked=(),
        )  # fmt: skip


def difference(one: np.ndarray, other: np.ndarray) -> float:
    small = [cv2.resize(image, (80, 60), interpolation=cv2.INTER_AREA).astype(float) for image in (one, other)]
    return float(np.abs(small[0] - small[1]).mean())
