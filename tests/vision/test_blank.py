"""Why a profile's picture of the blank sheet is of no use: a key and values, as for photos."""

from __future__ import annotations

from pathlib import Path

import cv2
import demo_sheets as demo
import numpy as np
import pytest

from vision.errors import REASONS
from vision.sheet.blank import BlankError, load_blank
from vision.sheet.profile import SheetProfile

LETTERS = demo.profile()["letters"]
OTHER = dict(zip(LETTERS, reversed(LETTERS.values()), strict=True))


def png(picture: np.ndarray) -> bytes:
    return cv2.imencode(".png", picture)[1].tobytes()


@pytest.mark.parametrize(
    ("picture", "letters", "key", "said"),
    [
        (None, LETTERS, "photo.no-file", "No such file"),
        (b"", LETTERS, "photo.empty", "the file is empty"),
        (b"no picture", LETTERS, "photo.no-image", "not a photo"),
        (png(np.full((400, 400, 3), 240, np.uint8)), LETTERS, "sheet.no-grid", "no grid"),
        (png(demo.blank_photo()), OTHER, "sheet.other", "another sheet"),
    ],
    ids=["gone", "empty", "text", "white", "another sheet"],
)
def test_the_reason_is_a_key_with_its_values(
    tmp_path: Path, picture: bytes | None, letters: dict, key: str, said: str
) -> None:
    if picture is not None:
        (tmp_path / "blank.png").write_bytes(picture)
    profile = SheetProfile.from_json({**demo.profile(), "letters": letters, "blank": "blank.png"}, tmp_path)
    for _ in ("read", "kept from before"):
        with pytest.raises(BlankError) as told:
            load_blank(profile)
        assert told.value.key == key
        assert str(told.value) == f"{tmp_path / 'blank.png'}: {REASONS[key].format(**told.value.values)}"
        assert said in str(told.value)
