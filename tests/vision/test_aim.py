"""What a camera that is held over a sheet is told."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from training.synth import demo
from vision.sheet.aim import aim
from vision.sheet.profile import SheetProfile

PROFILE = SheetProfile.from_json(demo.profile())
PHOTO = demo.filled_photo(7)[0]
HEIGHT, WIDTH = PHOTO.shape[:2]


def far() -> np.ndarray:
    """The sheet small in the middle of the picture."""
    out = np.full_like(PHOTO, 90)
    small = cv2.resize(PHOTO, None, fx=0.42, fy=0.42, interpolation=cv2.INTER_AREA)
    out[400 : 400 + small.shape[0], 500 : 500 + small.shape[1]] = small
    return out


def shadowed() -> np.ndarray:
    """A shadow over the sheet's left half."""
    out = PHOTO.astype(np.float32)
    out[:, : WIDTH // 2] *= 0.35
    return out.astype(np.uint8)


@pytest.mark.parametrize(
    ("picture", "trouble"),
    [
        (PHOTO, None),
        (np.full_like(PHOTO, 120), "none"),
        (np.full_like(PHOTO, 8), "dark"),
        ((PHOTO * 0.25).astype(np.uint8), "dark"),
        (far(), "closer"),
        (shadowed(), "shadow"),
    ],
    ids=["good", "no sheet", "night", "dim", "far", "shadow"],
)
def test_what_is_wrong_is_said(picture: np.ndarray, trouble: str | None) -> None:
    assert aim(picture, PROFILE).trouble == trouble


def test_the_frame_lies_on_the_sheet_whatever_the_pictures_size() -> None:
    small = cv2.resize(PHOTO, (640, 480), interpolation=cv2.INTER_AREA)
    large, reduced = aim(PHOTO, PROFILE).grid, aim(small, PROFILE).grid
    assert large is not None
    assert reduced is not None
    assert np.abs(large - reduced).max() < 0.004
    assert np.all((large > 0) & (large < 1))
