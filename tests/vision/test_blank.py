"""Why a profile's picture of the blank sheet is of no use: a key and values, as for photos."""

from __future__ import annotations

from pathlib import Path

import cv2
import demo_sheets as demo
import numpy as np
import pytest

from vision.sheet.blank import BlankError, load_blank
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
