"""Circles that are outlined twice are told by what the pen covers, whatever is printed under them."""

import cv2
import numpy as np
import pytest

from vision.sheet.letter_classifier import SPAN
from vision.sheet.outlines import outlined_twice, pen_change, pen_cover, stroke_width

BLUE, ORANGE, GRAY = (150, 60, 30), (30, 110, 220), (90, 88, 86)
BLACK, GREEN = (30, 30, 30), (60, 120, 40)


def letter(name: str, print_color: tuple[int, int, int]) -> np.ndarray:
    crop = np.full((64, 64, 3), 180, np.uint8)
    cv2.putText(crop, name, (20, 44), cv2.FONT_HERSHEY_SIMPLEX, 0.9, print_color, 2, cv2.LINE_AA)
    return crop


def ringed(crop: np.ndarray, radii: tuple[int, ...], pen: tuple[int, int, int], width: int) -> np.ndarray:
    out = crop.copy()
    for radius in radii:
        cv2.circle(out, (32, 32), radius, pen, width, cv2.LINE_AA)
    return cv2.GaussianBlur(out, (0, 0), 0.8)


def doubled(
    marked: np.ndarray, blanks: np.ndarray, alone: tuple[int, ...], pen: tuple[int, int, int], width: int
) -> np.ndarray:
    """Log odds that circles are outlined twice, beside three without a letter of such radii."""
    change, bare = pen_change(marked, blanks), np.stack([letter("", BLACK)] * 3)
    circles = pen_change(np.stack([ringed(b, alone, pen, width) for b in bare]), bare, change.pen)
    return outlined_twice(pen_cover(change), pen_cover(circles))


@pytest.mark.parametrize("print_color", [BLACK, GREEN], ids=["black print", "green print"])
@pytest.mark.parametrize(
    ("pen", "width", "outer", "inner"),
    [(BLUE, 2, 24, 15), (GRAY, 2, 22, 13), (BLUE, 5, 26, 12), (ORANGE, 6, 27, 10)],
    ids=["ballpoint", "pencil", "felt pen", "crayon"],
)
def test_two_circles_around_a_letter_are_told_from_one(
    pen: tuple[int, int, int], width: int, outer: int, inner: int, print_color: tuple[int, int, int]
) -> None:
    names = "ABEKMRSX"
    blanks = np.stack([letter(name, print_color) for name in names])
    gates = [k in {1, 4, 6} for k in range(len(names))]
    marked = [
        ringed(blank, (outer, inner) if gate else (outer,), pen, width)
        for blank, gate in zip(blanks, gates, strict=True)
    ]
    assert (doubled(np.stack(marked), blanks, (outer,), pen, width) > 0).tolist() == gates


def test_a_letter_that_was_traced_is_no_second_circle() -> None:
    blanks = np.stack([letter(name, GREEN) for name in "ABEKMRSX"])
    traced = [
        cv2.putText(ringed(blank, (25,), BLUE, 3), name, (20, 44), cv2.FONT_HERSHEY_SIMPLEX, 0.9, BLUE, 4, cv2.LINE_AA)
        for name, blank in zip("ABEKMRSX", blanks, strict=True)
    ]
    assert (doubled(np.stack(traced), blanks, (25,), BLUE, 3) < 0).mean() >= 0.75


@pytest.mark.parametrize("pen", [BLUE, ORANGE], ids=["blue", "orange"])
def test_a_second_circle_that_has_run_into_a_spot_is_one(pen: tuple[int, int, int]) -> None:
    names = "IXLTFKVY"
    blanks = np.stack([letter(name, BLACK) for name in names])
    marked = [ringed(blank, (26,), pen, 8) for blank in blanks]
    for k in (0, 3):
        cv2.circle(marked[k], (31, 33), 7, pen, -1, cv2.LINE_AA)
        marked[k] = np.minimum(marked[k], cv2.GaussianBlur(blanks[k], (0, 0), 0.8))
    said = doubled(np.stack(marked), blanks, (23,), pen, 8)
    assert sorted(np.argsort(said)[-2:].tolist()) == [0, 3]
    assert (said[[0, 3]] > 0).all()


def test_the_pen_covers_its_lines_and_nothing_else() -> None:
    blanks = np.stack([letter("X", BLACK)] * 3)
    cover, told, printed = np.moveaxis(
        pen_cover(pen_change(np.stack([ringed(b, (24,), BLUE, 4) for b in blanks]), blanks)), 1, 0
    )
    assert cover[:, 16, 28].min() > 0.6, "the circle's line"
    assert abs(cover[:, 6, 26]).max() < 0.2, "bare paper beside it"
    assert printed[:, 16, 15].min() > 0.5, "the letter"
    assert told[:, 16, 15].max() < told[:, 3, 3].min(), "a dark pen on dark print shows little"


@pytest.mark.parametrize("pen", [BLUE, ORANGE, GRAY], ids=["blue", "orange", "gray"])
@pytest.mark.parametrize("width", [3, 7, 11])
def test_how_broad_the_pen_is_shows_on_circles(pen: tuple[int, int, int], width: int) -> None:
    blanks = np.stack([letter("", BLACK)] * 3)
    cover = pen_cover(pen_change(np.stack([ringed(b, (16,), pen, width) for b in blanks]), blanks))
    # OpenCV's line is one pixel broader, and blurred.
    assert stroke_width(cover) == pytest.approx((width + 2) * SPAN / 64, abs=0.02)


def test_where_no_line_is_the_pen_may_be_of_any_width() -> None:
    assert stroke_width(np.zeros((2, 3, 32, 32), np.float32)) is None
    assert stroke_width(np.zeros((0, 3, 32, 32), np.float32)) is None


def test_a_sheet_without_circles_asks_nothing() -> None:
    none = np.zeros((0, 3, 32, 32), np.float32)
    assert outlined_twice(none, none).shape == (0,)
