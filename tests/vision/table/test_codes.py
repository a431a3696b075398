"""Squares in pictures, and which markers they are: every dictionary, every turn, in perspective, damaged."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from vision.table.codes import identify
from vision.table.profile import DICTIONARIES

SQUARES = {
    "upright": [[40, 40], [110, 40], [110, 110], [40, 110]],
    "turned": [[75, 20], [130, 75], [75, 130], [20, 75]],
    "in perspective": [[50, 40], [110, 30], [125, 115], [30, 100]],
}


def picture(dictionary, marker, square, black=30, white=220, flip=()):
    """A marker of a dictionary, drawn where its corners shall lie; `flip`: its cells that are painted over."""
    book = cv2.aruco.getPredefinedDictionary(DICTIONARIES[dictionary])
    cells = cv2.aruco.generateImageMarker(book, marker, book.markerSize + 2)
    for cell in flip:
        cells[cell] = 255 - cells[cell]
    flat = np.pad(cv2.resize(cells, None, fx=10, fy=10, interpolation=cv2.INTER_NEAREST), 10, constant_values=255)
    n = len(flat) - 10.5
    h = cv2.getPerspectiveTransform(np.float32([[9.5, 9.5], [n, 9.5], [n, n], [9.5, n]]), np.float32(square))
    drawn = cv2.warpPerspective(flat, h, (150, 150), flags=cv2.INTER_AREA, borderValue=255)
    return (black + drawn / 255 * (white - black)).astype(np.uint8)


@pytest.mark.parametrize("square", SQUARES)
@pytest.mark.parametrize(
    "dictionary", ["DICT_4X4_50", "DICT_5X5_250", "DICT_6X6_250", "DICT_7X7_1000", "DICT_ARUCO_ORIGINAL"]
)
def test_a_marker_is_told_whichever_corner_comes_first(dictionary, square):
    corners = np.float32(SQUARES[square])
    for marker in (0, 17, 49):
        image = picture(dictionary, marker, corners)
        for first in range(4):
            ((told, outline),) = identify(image, np.roll(corners, first, 0)[None], dictionary)
            assert told == marker
            assert (outline == corners).all()


CASES = {
    "as it is": ({}, True),
    "pale": ({"black": 120, "white": 170}, True),
    "one cell wrong, which the dictionary corrects": ({"flip": [(3, 3)]}, True),
    "three cells wrong": ({"flip": [(1, 1), (3, 3), (5, 2)]}, False),
    "a border that is not black": ({"flip": [(0, k) for k in range(1, 6)]}, False),
    "hardly any contrast": ({"black": 120, "white": 126}, False),
}


@pytest.mark.parametrize("name", CASES)
def test_what_is_told_of_damaged_markers(name):
    how, told = CASES[name]
    square = np.float32([SQUARES["upright"]])
    found = identify(picture("DICT_5X5_250", 23, square[0], **how), square, "DICT_5X5_250")
    assert [marker for marker, _ in found] == ([23] if told else [])


def test_no_square_and_bare_squares_are_no_markers():
    gray = np.full((100, 100), 90, np.uint8)
    assert identify(gray, np.zeros((0, 4, 2), np.float32), "DICT_5X5_250") == []
    assert identify(gray, np.float32([SQUARES["upright"]]), "DICT_5X5_250") == []


def test_dictionaries_have_the_numbers_that_opencv_gives_them() -> None:
    assert {getattr(cv2.aruco, name, number) == number for name, number in DICTIONARIES.items()} == {True}
    assert {name for name in dir(cv2.aruco) if name.startswith("DICT_")} <= DICTIONARIES.keys()
