"""What is drawn over a photo stands where it was found."""

from __future__ import annotations

import numpy as np
import pytest

from vision.annotate import DOUBT, GRID, PASSAGE, TICK, WALL, annotate_blank
from vision.sheet.profile import SheetProfile

CELL = 40
GRAY = 150
SHEET = SheetProfile(
    "drawn", 4, 5, {"A": (0, 1), "あ": (3, 4)}, (2, 2),
    {"gems": ((0.2, -0.9, 0.4, 0.4),), "penalties": ((5.3, 1.0, 0.4, 0.4), (5.3, 2.0, 0.4, 0.4)), "more": ()},
)  # fmt: skip


def drawn(profile: SheetProfile, doubtful: tuple[str, ...] = (), turn: int = 0) -> np.ndarray:
    """A gray photo of the sheet, lying `turn` quarter turns askew, drawn over."""
    v, u = np.mgrid[0 : profile.rows + 1, 0 : profile.cols + 1].astype(float)
    lattice = 100 + CELL * np.stack([[u, v], [profile.rows - v, u]][turn], -1)
    photo = np.full((400, 420, 3), GRAY, np.uint8)
    out = annotate_blank(photo, lattice, profile, doubtful)
    assert (photo == GRAY).all()
    return out


def seen(picture: np.ndarray, color: tuple[int, int, int], u: float, v: float, w: float, h: float) -> int:
    """Pixels of about a color (thin lines are mixed with what lies below) in a part of the sheet, in cells."""
    x, y = round(100 + CELL * u), round(100 + CELL * v)
    part = picture[max(y, 0) : y + round(h * CELL), max(x, 0) : x + round(w * CELL)].astype(int)
    return int((np.abs(part - color).max(-1) < 70).sum())


WHOLE = (-2, -2, 12, 12)


@pytest.mark.parametrize(
    ("what", "color", "part"),
    [
        ("the grid's lines", GRID, (2.9, 0.2, 0.2, 0.6)),
        ("a letter in the corner of its cell", TICK, (1.5, 0.5, 0.5, 0.5)),
        ("a letter that is none of ours", TICK, (4.5, 3.5, 0.5, 0.5)),
        ("the entrance", PASSAGE, (2, 2, 1, 1)),
        ("a box of the first track", TICK, (0.1, -1, 0.6, 0.2)),
        ("its number", TICK, (0.3, -0.8, 0.2, 0.2)),
        ("its name below it", TICK, (-0.5, -0.4, 1.8, 0.3)),
        ("the last box of the second track", WALL, (5.2, 2.3, 0.6, 0.2)),
        ("the second track's name below it", WALL, (5, 2.5, 1.5, 0.4)),
    ],
)
def test_what_was_found_stands_where_it_is(what, color, part) -> None:
    assert seen(drawn(SHEET), color, *part) > 5, what


def test_doubtful_letters_are_marked_and_no_others() -> None:
    picture = drawn(SHEET, ("A",))
    assert seen(picture, DOUBT, 1, 0, 1, 1) > 50
    assert seen(picture, DOUBT, *WHOLE) == seen(picture, DOUBT, 1, 0, 1, 1)
    assert seen(drawn(SHEET), DOUBT, *WHOLE) == 0


def test_on_a_sheet_that_lies_askew_everything_lies_askew() -> None:
    picture = drawn(SHEET, ("A",), turn=1)
    assert seen(picture, DOUBT, 3, 1, 1, 1) > 50
    assert seen(picture, WALL, 1.2, 5.2, 0.6, 0.6) > 5


def test_a_bare_profile_shows_its_grid_alone() -> None:
    picture = drawn(SheetProfile("bare", 4, 5))
    assert seen(picture, GRID, *WHOLE) > 500
    assert not any(seen(picture, color, *WHOLE) for color in (TICK, WALL, PASSAGE, DOUBT))
