"""Pictures that are kept beside a case: the photo made small, the sheet from above, its letters side by side."""

import secrets
from collections.abc import Mapping, Sequence
from typing import Any

import cv2
import numpy as np

from companion.cases.store import Store
from vision.sheet.flatten import SheetMap, flatten
from vision.sheet.letter_classifier import SPAN, WHITE
from vision.sheet.letter_templates import LetterSample
from vision.sheet.profile import SheetProfile
from vision.sheet.reading import SheetReading

SIDE = 2048
"""Pixels of a kept photo's longer side, at most: what is left of 12 megapixels once they are decoded at half size."""
QUALITY = 88
FLAT_QUALITY = 88
FLAT_CELL = 48
"""Pixels a cell of the flattened sheet that the page shows."""
EDGE = 0.6
"""Cells of paper shown around grid and tracks."""
AROUND = 3.0
"""Cells that tracks may lie off the grid to be shown."""
LETTER_CELL = 96
"""Pixels a cell of the letters' pictures."""
DULL = 95
"""The percentile of a letter's pixels that is its paper."""
BRIGHT = 250
"""As bright is a letter's paper shown."""


def shrink(image: np.ndarray) -> np.ndarray:
    """The photo with at most `SIDE` pixels on its longer side."""
    height, width = image.shape[:2]
    scale = SIDE / max(height, width)
    if scale >= 1:
        return image
    size = (max(1, round(width * scale)), max(1, round(height * scale)))
    return cv2.resize(image, size, interpolation=cv2.INTER_AREA)


def jpeg(image: np.ndarray, quality: int = QUALITY) -> bytes:
    """The picture as JPEG, made anew: nothing of the phone's file comes along."""
    done, data = cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, quality])
    if not done:
        raise ValueError("expected a picture that JPEG can hold")
    return data.tobytes()


def keep(store: Store, image: np.ndarray) -> tuple[str, list[int], float]:
    """Keep a photo made small: its id, its width and height, by how much it is smaller. Raises StoreFull."""
    small = shrink(image)
    return store.save_photo(jpeg(small)), list(small.shape[1::-1]), small.shape[1] / image.shape[1]


def shown_box(profile: SheetProfile) -> tuple[float, float, float, float]:
    """The part of a sheet that the page shows, x, y, width, height in cells: the grid, some paper, the tracks."""
    boxes = [box for track in profile.tracks.values() for box in track]
    left, top = (max(-AROUND, min([0.0, *(box[k] for box in boxes)])) - EDGE for k in (0, 1))
    ends = (profile.cols, profile.rows)
    right, bottom = (
        min(ends[k] + AROUND, max([ends[k], *(box[k] + box[k + 2] for box in boxes)])) + EDGE for k in (0, 1)
    )
    return left, top, right - left, bottom - top


def around(image: np.ndarray, lattice: np.ndarray, profile: SheetProfile) -> tuple[np.ndarray, np.ndarray]:
    """The part of a photo around one of its sheets, and its first pixel's [x, y] there; `lattice` as `SheetMap` takes
    it."""
    left, top, width, height = shown_box(profile)
    frame = SheetMap(lattice).frame([(left, top, width, height)], EDGE)
    low = np.clip(np.floor(frame.min(0)), 0, np.array(image.shape[1::-1]) - 1).astype(int)
    high = np.clip(np.ceil(frame.max(0)), low + 1, image.shape[1::-1]).astype(int)
    return image[low[1] : high[1], low[0] : high[0]], low


def kept_reading(reading: SheetReading, scale: float, profile: SheetProfile, name: str) -> dict[str, Any]:
    """A reading as it is kept. Pixels count from the first pixel's corner.

    Args:
        reading: what was read.
        scale: leads from the photo to the kept one.
        profile: the sheet's.
        name: what the sheet from above is called; the letters' picture likewise (see `view`).
    """
    x, y, width, height = shown_box(profile)
    size = [round(width * FLAT_CELL), round(height * FLAT_CELL)]
    letters = [[letter, *cell] for letter, cell in sorted(profile.letters.items())]
    return {
        **{k: v for k, v in reading.to_json("").items() if k not in ("photo", "grid")},
        "doubtful_cells": [list(c) for c in reading.doubtful_cells],
        "two_toned": reading.letters is not None and reading.letters.two_toned,
        "lattice": lattice_json(reading.lattice, scale),
        "flat": {"cell": FLAT_CELL, "origin": [-x * FLAT_CELL, -y * FLAT_CELL], "size": size},
        "ticked": {track: [round(float(p), 3) for p in row] for track, row in reading.ticked.items()},
        "image": name.format(view="flat"),
        "letter_strip": {"image": name.format(view="letters"), "letters": letters},
    }


def view_name(photo: str, play: str) -> str:
    """How pictures made of a play's photo are called, with the gap `view`: nobody can guess it."""
    return f"{photo}-{{view}}{secrets.token_hex(4)}-{play}"


def views(reading: Mapping[str, Any]) -> tuple[str, str]:
    """The names of the pictures of a kept reading: the sheet from above, its letters."""
    return reading["image"], (reading.get("letter_strip") or {"image": ""})["image"]


def view(image: np.ndarray, reading: Mapping[str, Any], name: str) -> bytes:
    """One of the `views` of a kept reading, made of its kept photo, as JPEG."""
    lattice = np.array(reading["lattice"], np.float64) - 0.5
    if name == reading["image"]:
        flat = reading["flat"]
        corner = [-start / flat["cell"] for start in flat["origin"]]
        box = (corner[0], corner[1], flat["size"][0] / flat["cell"], flat["size"][1] / flat["cell"])
        return jpeg(flatten(image, SheetMap(lattice), flat["cell"], box=box).image, FLAT_QUALITY)
    cells = [(row, col) for _, row, col in reading["letter_strip"]["letters"]]
    return jpeg(letters_view(image, lattice, cells), FLAT_QUALITY)


def letters_view(image: np.ndarray, lattice: np.ndarray, cells: Sequence[tuple[int, int]]) -> np.ndarray:
    """Cells side by side, all equally lit: (side, side · n, 3) uint8, at least one side wide."""
    rim = (SPAN - 1) / 2
    side = round(LETTER_CELL * SPAN)
    out = np.full((side, side * max(1, len(cells)), 3), BRIGHT, np.uint8)
    sheet_map = SheetMap(lattice)
    for k, (row, col) in enumerate(cells):
        box = (col - rim, row - rim, SPAN, SPAN)
        picture = flatten(image, sheet_map, LETTER_CELL, box=box).image
        paper = np.maximum(np.percentile(picture, DULL, axis=(0, 1)), 1)
        out[:, k * side : (k + 1) * side] = np.minimum(picture * (BRIGHT / paper), 255)
    return out


def prints_view(samples: Mapping[str, LetterSample]) -> np.ndarray:
    """The blank sheet's letters side by side, sorted, as bright as in `letters_view`: (side, side · n) uint8."""
    row = np.concatenate([samples[letter].crop for letter in sorted(samples)], 1)
    return np.minimum(row * (BRIGHT / WHITE), 255).astype(np.uint8)


def lattice_json(lattice: np.ndarray, scale: float) -> list[list[list[float]]]:
    """The grid's crossings in the kept photo, for drawing: [x, y] from the corner of its first pixel."""
    points: list[list[list[float]]] = np.round((np.asarray(lattice, np.float64) + 0.5) * scale, 2).tolist()
    return points
