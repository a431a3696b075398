"""What letters look like where nobody traced them: crops aligned and pooled."""

import cv2
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from vision.sheet.letter_classifier import SIDE, WHITE
from vision.sheet.letter_templates import (
    MAX_POOLED,
    LetterSample,
    median_image,
    moved_alike,
    offset,
    plainness,
    pooled_median,
    shifted,
    templates_from_others,
)


def letter(text: str = "R", x: float = 0, y: float = 0, thick: int = 2, circle: bool = False) -> np.ndarray:
    out = np.full((SIDE, SIDE), WHITE, np.uint8)
    at = (round((22 + x) * 16), round((41 + y) * 16))
    cv2.putText(out, text, (at[0] // 16, at[1] // 16), cv2.FONT_HERSHEY_SIMPLEX, 0.9, 40, 2, cv2.LINE_AA)
    out = cv2.erode(out, np.ones((thick - 1, thick - 1), np.uint8))
    if circle:
        cv2.circle(out, (32, 31), 20, 90, 2, cv2.LINE_AA)
    return cv2.GaussianBlur(out, (0, 0), 1)


def test_cells_without_a_letter_move_as_most_letters_do() -> None:
    pictures = np.stack([letter(), letter("K")])
    moved = moved_alike(pictures, np.array([(2, 1), (2, 1), (-6, 7)]))
    assert [offset(after, before) for after, before in zip(moved, pictures, strict=True)] == [(2, 1), (2, 1)]
    assert not len(moved_alike(pictures[:0], np.zeros((2, 2))))


@given(st.lists(st.integers(0, 255), min_size=1, max_size=9).filter(lambda v: len(v) % 2))
def test_the_median_image_is_the_median(values: list[int]) -> None:
    pictures = [np.full((2, 3), v, np.uint8) for v in values]
    assert (median_image(pictures) == np.median(values)).all()


@pytest.mark.parametrize(("x", "y"), [(0, 0), (3, 0), (0, -2), (-3, 3), (1.5, 0.5), (-0.4, 0.7), (6, 0), (-2, 7)])
def test_how_far_two_crops_are_offset(x: float, y: float) -> None:
    one = letter()
    assert offset(shifted(one, x, y), one) == pytest.approx((x, y), abs=0.25)


def test_what_single_hands_have_added_falls_out() -> None:
    hands = [letter(), letter(thick=7), letter(circle=True), letter(), letter(circle=True, thick=6)]
    picture, sure = pooled_median(hands, [0.9, 0.1, 0.85, 0.95, 0.05], [10] * 5)
    assert sure == pytest.approx(0.9)
    assert np.abs(picture.astype(int) - letter()).max() < 3


@pytest.mark.parametrize(("circled", "left"), [((True, True, False), False), ((True, True, True), True)])
def test_a_circle_is_part_of_a_print_only_where_all_have_one(circled: tuple[bool, ...], left: bool) -> None:
    plain = plainness(np.full(3, 0.05), np.array(circled))
    picture, _ = pooled_median([letter(circle=c) for c in circled], plain.tolist(), [10, 10, 5])
    assert (picture == letter(circle=left)).all()


def test_of_plain_pictures_the_sharper_count() -> None:
    blurred = cv2.GaussianBlur(letter(), (0, 0), 4)
    picture, _ = pooled_median(
        [blurred] * 20 + [letter()] * MAX_POOLED, [0.99] * 20 + [0.95] * MAX_POOLED, [5] * 20 + [50] * MAX_POOLED
    )
    assert np.abs(picture.astype(int) - letter()).max() < 3


def test_where_all_are_traced_the_least_traced_is_taken_and_said_so() -> None:
    picture, sure = pooled_median([letter(thick=6), letter(thick=4)], [0.1, 0.2], [10, 10])
    assert (picture == letter(thick=4)).all()
    assert sure == pytest.approx(0.2)


def test_each_photo_is_shown_what_its_letters_look_like_on_the_others() -> None:
    photos = [
        {"A": LetterSample(letter("A"), 0.9), "R": LetterSample(letter("R", thick=6), 0.1)},
        {"A": LetterSample(letter("A", thick=6), 0.2), "R": LetterSample(letter("R", x=3), 0.9)},
        {"R": LetterSample(letter("R", y=-2), 0.95), "Z": LetterSample(letter("Z"), 0.9)},
    ]
    known = templates_from_others(photos)
    assert [set(k) for k in known] == [{"A", "R"}, {"A", "R"}, {"R"}]
    assert [k["R"][1] for k in known] == pytest.approx([0.95, 0.95, 0.9], abs=0.06)
    # They lie as on the photo that they are held against.
    assert offset(known[1]["R"][0], letter("R", x=3)) == pytest.approx((0, 0), abs=0.4)
    assert offset(known[2]["R"][0], letter("R", y=-2)) == pytest.approx((0, 0), abs=0.4)
    assert np.abs(known[1]["A"][0].astype(int) - letter("A")).mean() < 4


@pytest.mark.parametrize(
    "photos", [[], [{}], [{"A": LetterSample(letter(), 0.9)}], [{}, {"A": LetterSample(letter(), 0.9)}]]
)
def test_what_no_other_photo_shows_is_not_known(photos: list) -> None:
    assert templates_from_others(photos) == [{} for _ in photos]
