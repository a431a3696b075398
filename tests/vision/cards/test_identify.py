"""Sister faces, alike but for small print: told apart by that print alone, and not told apart where it is hidden."""

import cv2
import numpy as np
import pytest

from vision.cards.compare import Bank
from vision.cards.identify import identify, other_print

SIZE_MM = (56.0, 84.0)
DENSE = 4
SHOWN_DENSE = 2.0
"""Pixels per millimetre of the photographs."""
BELOW = slice(round(0.7 * 84 * DENSE), None)


def face(number, *, price="7"):
    """A picture with a number at its top and a price at its bottom."""
    rng = np.random.default_rng(4)
    h, w = (round(side * DENSE) for side in SIZE_MM[::-1])
    out = np.full((h, w, 3), (120, 90, 60), np.uint8)
    for _ in range(30):
        middle = (int(rng.integers(w)), int(rng.integers(h)))
        cv2.circle(out, middle, int(rng.integers(5, 25)), rng.integers(20, 220, 3).tolist(), -1)
    cv2.rectangle(out, (20, 20), (60, 64), (230, 230, 230), -1)
    cv2.putText(out, number, (28, 54), cv2.FONT_HERSHEY_SIMPLEX, 1.1, (20, 20, 20), 3)
    cv2.rectangle(out, (20, h - 64), (60, h - 20), (60, 60, 200), -1)
    cv2.putText(out, price, (28, h - 30), cv2.FONT_HERSHEY_SIMPLEX, 1.1, (240, 240, 240), 3)
    return out


def warmer(picture, by):
    """The same by a camera that mixes colors otherwise, 0 to 1."""
    mix = np.eye(3) + by * np.array([[-0.3, 0.2, 0.0], [0.1, -0.1, 0.1], [0.0, 0.3, 0.1]])
    return np.clip(cv2.transform(picture.astype(np.float32), mix.astype(np.float32)), 0, 255).astype(np.uint8)


def photographed(picture, blur, by=0.5):
    """What a camera sees of a face, at the bank's finest level."""
    h, w = (round(side * SHOWN_DENSE) for side in SIZE_MM[::-1])
    small = cv2.resize(warmer(picture, by), (w, h), interpolation=cv2.INTER_AREA).astype(np.float32)
    small = 0.7 * cv2.GaussianBlur(small, (0, 0), blur) + 12
    return small + np.random.default_rng(1).normal(0, 4, small.shape).astype(np.float32)


def seen_by(bank, patch, seen):
    level = len(bank.levels) - 1
    h, w = bank.shape(level)
    patch = cv2.resize(patch, (w, h), interpolation=cv2.INTER_LINEAR)
    return identify(bank, patch, list(range(len(bank.pictures))), level, cv2.resize(seen, (w, h)), SHOWN_DENSE)


@pytest.mark.parametrize("blur", [0.4, 1.2, 2.0])
@pytest.mark.parametrize("number", ["1", "3", "8"])
def test_a_number_is_told_whatever_the_camera_does_to_color_and_sharpness(number, blur):
    numbers = ["0", "1", "2", "3", "4", "5", "6", "7", "8", "9"]
    bank = Bank([face(one) for one in numbers], SIZE_MM)
    patch = photographed(face(number), blur)
    verdict = seen_by(bank, patch, np.ones(patch.shape[:2], np.float32))
    assert numbers[verdict.faces[0]] == number
    assert all(verdict.logs[1:] < -5)


def priced(number):
    """A picture on which only a tiny number differs."""
    out = face("4", price="1")
    bottom = len(out)
    cv2.rectangle(out, (90, bottom - 40), (116, bottom - 8), (60, 60, 200), -1)
    cv2.putText(out, number, (95, bottom - 15), cv2.FONT_HERSHEY_SIMPLEX, 0.65, (240, 240, 240), 2)
    return out


def test_tiny_numbers_are_read_though_the_camera_sharpened_what_it_had_blurred():
    numbers = list("0123456789")
    bank = Bank([priced(one) for one in numbers], SIZE_MM)
    level = len(bank.levels) - 1
    h, w = bank.shape(level)
    wrong = []
    for dense, blur, much in ((1.2, 1.2, 2.0), (1.0, 0.8, 1.0), (1.0, 1.2, 2.0)):
        for number in numbers:
            size = [round(side * dense) for side in SIZE_MM]
            seen = cv2.resize(warmer(priced(number), 0.5), size, interpolation=cv2.INTER_AREA).astype(np.float32)
            seen = 0.7 * cv2.GaussianBlur(seen, (0, 0), blur) + 12
            seen += np.random.default_rng(int(number)).normal(0, 3, seen.shape)
            seen += much * (seen - cv2.GaussianBlur(seen, (0, 0), 1.5))
            patch = cv2.resize(np.clip(seen, 0, 255).astype(np.float32), (w, h), interpolation=cv2.INTER_LINEAR)
            verdict = identify(bank, patch, list(range(10)), level, np.ones((h, w), np.float32), dense)
            if numbers[verdict.faces[0]] != number:
                wrong.append((dense, blur, number))
    assert len(wrong) <= 12, "17 of the 30 where a camera is only taken to blur"


def framed(picture, blur):
    """A picture in a black frame, as a photo shows it that is not quite sharp."""
    out = picture.copy()
    cv2.rectangle(out, (0, 0), (out.shape[1], out.shape[0]), (10, 10, 14), 2 * 4 * DENSE)
    return cv2.GaussianBlur(out, (0, 0), blur * DENSE)


@pytest.mark.parametrize("number", ["7", "8", "9"])
def test_a_number_is_told_though_its_card_was_learnt_from_a_photo_less_sharp_than_its_sisters(number):
    numbers = ["1", "2", "3", "4", "5", "6", "7", "8", "9"]
    bank = Bank([framed(face(one), 0.4 if one > "6" else 0.1) for one in numbers], SIZE_MM)
    patch = photographed(framed(face(number), 0.1), 0.4)
    verdict = seen_by(bank, patch, np.ones(patch.shape[:2], np.float32))
    assert numbers[verdict.faces[0]] == number
    assert all(verdict.logs[1:] < -5)


@pytest.mark.parametrize("by", [0.0, 0.15, 0.3])
def test_faces_whose_print_is_hidden_are_not_told_apart_by_the_light_in_which_they_were_learnt(by):
    cheap, dear = face("4", price="1"), warmer(face("4", price="9"), by)
    patch = photographed(cheap, 0.8, by=0.0)
    seen = np.ones(patch.shape[:2], np.float32)
    seen[round(0.7 * len(seen)) :] = 0
    for shown in (cheap, dear):
        verdict = seen_by(Bank([cheap, dear], SIZE_MM), photographed(shown, 0.8, by=0.0), seen)
        assert verdict.logs[-1] > -4, "which of them it is nobody sees"


def pips(n, color, sides):
    """A plain card with so many pips of a form."""
    h, w = (round(side * DENSE) for side in SIZE_MM[::-1])
    out = np.full((h, w, 3), (200, 225, 215), np.uint8)
    for k in range(n):
        middle = (round((0.35 + 0.3 * (k % 2)) * w), round((0.2 + 0.13 * (k // 2)) * h))
        cv2.fillConvexPoly(out, cv2.ellipse2Poly(middle, (14, 14), 0, 0, 360, 360 // sides), color)
    return out


PURPLE, GREEN, PINK = (80, 40, 90), (90, 160, 20), (90, 30, 170)


@pytest.mark.parametrize("by", [0.0, 0.5], ids=["same camera", "another camera"])
@pytest.mark.parametrize(
    ("lies", "taken_for", "unlike"),
    [
        pytest.param(pips(6, PURPLE, 6), pips(6, PURPLE, 6), False, id="the card itself"),
        pytest.param(face("3"), face("3"), False, id="a picture"),
        pytest.param(face("3"), face("8"), False, id="a sister: only a number differs"),
        pytest.param(pips(6, PINK, 3), pips(8, PURPLE, 6), True, id="eight pips for six of another suit"),
        pytest.param(pips(2, GREEN, 5), pips(8, PURPLE, 6), True, id="eight pips for two of another suit"),
    ],
)
def test_what_lies_there_is_of_other_print_or_not(lies, taken_for, unlike, by):
    bank = Bank([taken_for], SIZE_MM)
    patch = cv2.resize(photographed(lies, 0.6, by), bank.shape(1)[::-1], interpolation=cv2.INTER_AREA)
    share = other_print(bank, patch, 0, 1, np.ones(patch.shape[:2], np.float32))
    assert share > 0.6 if unlike else share < 0.3
