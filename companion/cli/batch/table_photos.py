"""Reading photos of a table one by one, and what a person should look at on them."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from companion.cli.seen import seen_lines
from companion.reading.table_photos import see_table
from companion.reading.tables import table_reader
from companion.words.words import words
from vision.photo import open_photo
from vision.table.annotate import annotate_table
from vision.table.palette import Palette
from vision.table.profile import TableProfile
from vision.table.reading import COLORS

CROP = 140
"""Pixels of a crop's side."""
AROUND = 2.4
"""A crop's width in widths of its tile."""


class TablePhotos:
    """Reads photos of one table (`companion.cli.batch.job.PhotoReader`). Raises as TableProfile and Palette do."""

    def __init__(self, profile: str, language: str) -> None:
        self._profile, self._language = TableProfile.load(Path(profile)), language
        self._palette = Palette.load(Path(self._profile.palette)) if self._profile.palette else None

    def read(self, photo: str, data: bytes) -> tuple[dict[str, Any], list[str], Callable[[], np.ndarray]]:
        """The public JSON object, lines for people, what draws the reading over the photo. Raises PhotoError."""
        seen = see_table(data, self._profile, lambda shrunk: table_reader(shrunk, self._palette))
        said = seen.table.problems
        answer = {
            "photo": photo,
            **seen.reading.to_json(scale=seen.photo.scale),
            "state": seen.table.state,
            "problems": [{"key": p.key, **p.values} for p in said],
        }
        if seen.areas:
            answer["areas"] = {name: {"polygon": zone.polygon} for name, zone in seen.areas.items()}
        lines = [photo, *seen_lines(self._language, seen.reading, said)]
        return answer, lines, lambda: annotate_table(seen.photo.image, seen.reading)

    def questions(self, line: dict[str, Any], data: bytes) -> list[dict[str, Any]]:
        """The doubtful tiles, each with its crop (see `PhotoReader`). Raises PhotoError."""
        photo, say = open_photo(data), words(self._language)
        out = []
        for number in line["doubtful"]:
            tile = line["tiles"][number]
            out.append({
                "at": tile["center"],
                "place": say.area(tile["zone"]),
                "read": tile["color"],
                "choices": (*COLORS, "none"),
                "confidence": tile["confidence"],
                "crop": _crop(photo.image, np.array(tile["polygon"]) / photo.scale),
            })  # fmt: skip
        return out


def _crop(image: np.ndarray, polygon: np.ndarray) -> np.ndarray:
    """(CROP, CROP, 3) BGR: the tile and what lies around it."""
    middle, half = polygon.mean(0), max(2.0, AROUND * float(np.ptp(polygon, 0).max()) / 2)
    part = cv2.getRectSubPix(image, (2 * round(half), 2 * round(half)), tuple(middle.tolist()))
    return cv2.resize(part, (CROP, CROP), interpolation=cv2.INTER_AREA)


photo_reader = TablePhotos
