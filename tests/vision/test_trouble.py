"""What is said of a photo as a whole where much of it is doubtful."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from training.synth import demo
from vision.sheet.blank import blank_or_none
from vision.sheet.cells import CELL
from vision.sheet.flatten import SheetMap, flatten
from vision.sheet.profile import SheetProfile
from vision.sheet.read import read_sheet
from vision.sheet.trouble import whole_troubles


def shadowed(photo: np.ndarray) -> np.ndarray:
    out = photo.astype(np.float32)
    out[:, : photo.shape[1] // 2] *= 0.35
    return out.astype(np.uint8)


def burnt(photo: np.ndarray) -> np.ndarray:
    return np.clip(photo.astype(np.float32) * 1.6, 0, 255).astype(np.uint8)


@pytest.fixture
def profile(tmp_path: Path) -> SheetProfile:
    (tmp_path / "blank.png").write_bytes(cv2.imencode(".png", demo.blank_photo())[1].tobytes())
    return SheetProfile.from_json(demo.profile() | {"blank": "blank.png"}, tmp_path)


def aside(clear: np.ndarray, lattice: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The same seen far more from the side."""
    h, w = clear.shape[:2]
    outline = np.array([[0, 0], [w, 0], [w, h], [0, h]], np.float32)
    moved = np.array([[w * 0.25, h * 0.2], [w * 0.75, h * 0.2], [w, h], [0, h]], np.float32)
    warp = cv2.getPerspectiveTransform(outline, moved)
    there = cv2.perspectiveTransform(lattice.reshape(1, -1, 2), warp.astype(np.float64)).reshape(lattice.shape)
    return cv2.warpPerspective(clear, warp, (w, h)), there


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (lambda photo, lattice: (photo, lattice), set()),
        (lambda photo, lattice: ((photo * 0.25).astype(np.uint8), lattice), {"light"}),
        (lambda photo, lattice: (shadowed(photo), lattice), {"light"}),
        (lambda photo, lattice: (burnt(photo), lattice), {"light"}),
        (lambda photo, lattice: (cv2.GaussianBlur(photo, (0, 0), 3.5), lattice), {"blur"}),
        (aside, {"tilt"}),
    ],
    ids=["good", "dim", "shadow", "burnt", "blurred", "from the side"],
)
def test_what_is_wrong_with_a_photo_as_a_whole(
    change: Callable[..., Any], said: set[str], profile: SheetProfile
) -> None:
    clear, truth = demo.filled_photo(7)
    photo, lattice = change(clear, truth["lattice"])
    bare = np.array([list(row) for row in truth["map"]]) == "."
    flat = flatten(photo, SheetMap(lattice), CELL, 1.0)
    gray = cv2.cvtColor(photo, cv2.COLOR_BGR2GRAY)
    assert said <= set(whole_troubles(gray, lattice, flat, blank_or_none(profile).cells, bare))
    if not said:
        assert not whole_troubles(gray, lattice, flat, blank_or_none(profile).cells, bare)


def test_a_photo_that_is_read_surely_is_in_no_trouble_whatever_its_light(profile: SheetProfile) -> None:
    clear, _ = demo.filled_photo(7)
    assert read_sheet((clear * 0.3).astype(np.uint8), profile).troubles == ()


def test_a_blurred_photo_is_said_to_be_so_where_much_is_doubtful(
    profile: SheetProfile, monkeypatch: pytest.MonkeyPatch
) -> None:
    clear, _ = demo.filled_photo(7)
    monkeypatch.setattr("vision.sheet.read.MANY_DOUBTS", 0.0)
    assert "blur" in read_sheet(cv2.GaussianBlur(clear, (0, 0), 4.0), profile).troubles
    assert read_sheet(clear, profile).troubles == ()
