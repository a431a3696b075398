"""Why a profile's picture of the blank sheet is of no use: a key and values, as for photos."""

from __future__ import annotations

from pathlib import Path

import cv2
import demo_sheets as demo
import numpy as np
import pytest

from bench.prints import enrolled
from training.synth.pages import page_photo, random_page
from vision.sheet.blank import BlankError, from_blank_picture, load_blank
from vision.sheet.profile import SheetProfile

LETTERS = demo.profile()["letters"]
OTHER = dict(zip(LETTERS, reversed(LETTERS.values()), strict=True))


def png(picture: np.ndarray) -> bytes:
    return cv2.imencode(".png", picture)[1].tobytes()


@pytest.mark.parametrize(
    ("picture", "letters", "key"),
    [
        (None, LETTERS, "photo.no-file"),
        (b"", LETTERS, "photo.empty"),
        (b"no picture", LETTERS, "photo.no-image"),
        (png(np.full((400, 400, 3), 240, np.uint8)), LETTERS, "sheet.no-grid"),
        (png(demo.blank_photo()), OTHER, "sheet.other"),
    ],
    ids=["gone", "empty", "text", "white", "another sheet"],
)
def test_the_reason_is_a_key_with_its_values(tmp_path: Path, picture: bytes | None, letters: dict, key: str) -> None:
    if picture is not None:
        (tmp_path / "blank.png").write_bytes(picture)
    profile = SheetProfile.from_json({**demo.profile(), "letters": letters, "blank": "blank.png"}, tmp_path)
    for _ in ("read", "kept from before"):
        with pytest.raises(BlankError) as told:
            load_blank(profile)
        assert told.value.reason.key == key
        assert str(tmp_path / "blank.png") in str(told.value)


def test_a_frame_around_faint_lines_is_not_taken_for_the_grid_of_the_blank_sheet(tmp_path: Path) -> None:
    """A bold frame and bricks under pale lines: all 120 cells of both photos of this print were asked about."""
    rng = np.random.default_rng([312, 7])
    page = random_page(rng)
    profile = enrolled(page, page_photo(rng, page, page.sheet.image, easy=True), "framed", tmp_path)
    lattice = from_blank_picture(profile, profile.blank, lambda _image, lattice, _profile: lattice)
    x, y, cell = profile.places["blank"]
    assert lattice is not None
    assert np.abs((lattice[0, 0] + 0.5 - (x, y)) / cell).max() < 0.1
    assert np.abs((lattice[-1, -1] + 0.5 - (x, y)) / cell - (profile.cols, profile.rows)).max() < 0.1
