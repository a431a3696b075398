"""Letters that were traced are told by what the pen covers of their print and beside it."""

import cv2
import numpy as np
import pytest

from vision.sheet.outlines import pen_change
from vision.sheet.tracings import LAYERS, traced_over, tracing_layers

BLUE, GRAY, GREEN = (150, 60, 30), (90, 88, 86), (60, 120, 40)
BLACK, TAN, WINE = (30, 30, 30), (70, 110, 140), (60, 40, 110)
NAMES, AT = "ABEKMRSXHT", (20, 44)
TRACED = {1, 4, 6}


def letter(name: str, print_color: tuple[int, int, int]) -> np.ndarray:
    crop = np.full((64, 64, 3), 180, np.uint8)
    for at in (4, 59):
        cv2.line(crop, (at, 0), (at, 63), BLACK, 1)
        cv2.line(crop, (0, at), (63, at), BLACK, 1)
    cv2.putText(crop, name, AT, cv2.FONT_HERSHEY_SIMPLEX, 0.9, print_color, 2, cv2.LINE_AA)
    return cv2.GaussianBlur(crop, (0, 0), 0.6)


def written_on(blank: np.ndarray, name: str, pen: tuple[int, int, int], width: int, traced: bool) -> np.ndarray:
    """A circle around a letter, and the letter traced a little beside its print."""
    out = cv2.circle(blank.copy(), (32, 32), 25, pen, 2, cv2.LINE_AA)
    if traced:
        cv2.putText(out, name, (AT[0] + 1, AT[1] - 1), cv2.FONT_HERSHEY_SIMPLEX, 0.9, pen, width, cv2.LINE_AA)
    return cv2.GaussianBlur(out, (0, 0), 0.8)


@pytest.mark.parametrize("print_color", [BLACK, TAN, WINE], ids=["black print", "tan print", "wine-red print"])
@pytest.mark.parametrize(("pen", "width"), [(BLUE, 4), (GRAY, 4), (GREEN, 5)], ids=["ballpoint", "pencil", "felt pen"])
def test_traced_letters_stand_out_from_their_sisters(
    pen: tuple[int, int, int], width: int, print_color: tuple[int, int, int]
) -> None:
    blanks = np.stack([letter(name, print_color) for name in NAMES])
    crops = np.stack([written_on(b, NAMES[k], pen, width, k in TRACED) for k, b in enumerate(blanks)])
    said = traced_over(tracing_layers(pen_change(crops, blanks), crops, blanks))
    assert set(np.argsort(said)[-len(TRACED) :].tolist()) == TRACED, said.round(1)


def test_on_a_sheet_where_nothing_is_traced_nothing_is_said_to_be() -> None:
    blanks = np.stack([letter(name, GREEN) for name in NAMES])
    crops = np.stack([written_on(b, "", BLUE, 3, False) for b in blanks])
    assert (traced_over(tracing_layers(pen_change(crops, blanks), crops, blanks)) < 0).all()


def test_a_turned_sheet_is_read_alike() -> None:
    blanks = np.stack([letter(name, BLACK) for name in NAMES])
    crops = np.stack([written_on(b, NAMES[k], BLUE, 4, k in TRACED) for k, b in enumerate(blanks)])
    layers = tracing_layers(pen_change(crops, blanks), crops, blanks)
    turned = traced_over(np.ascontiguousarray(np.rot90(layers, 1, (2, 3))))
    assert np.allclose(turned, traced_over(layers), atol=1e-3)


def test_a_sheet_without_letters_asks_nothing() -> None:
    none = np.zeros((0, 64, 64, 3), np.uint8)
    layers = tracing_layers(pen_change(none, none), none, none)
    assert layers.shape == (0, LAYERS, 64, 64)
    assert traced_over(layers).shape == (0,)
