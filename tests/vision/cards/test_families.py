"""Which faces of a deck show one picture: the deck itself tells, however its cards were cut out and lit."""

from __future__ import annotations

import cv2
import numpy as np

from training.synth.cards import SIZE_MM, face
from vision.cards.compare import Bank
from vision.cards.families import families, family_of_each


def small(picture):
    return cv2.resize(picture, None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA)


def in_another_hue(picture):
    return (picture * np.array([0.9, 0.7, 0.55])).astype(np.uint8)


FACES = [small(face(*drawn)) for drawn in ((3, 1), (5, 1), (3, 4), (3, 7), (5, 2), (8, None))]


def test_cards_of_one_picture_that_differ_in_a_digit_are_a_family():
    assert family_of_each(Bank(FACES, SIZE_MM)).tolist() == [[0, 1, 0, 0, 1, 5]] * 2


def test_a_card_cut_aside_and_in_another_light_is_of_its_family_and_says_by_how_much():
    shifted = np.roll(FACES[2], (9, -12), (0, 1))
    lit = np.clip(shifted * np.linspace(0.6, 0.9, shifted.shape[1])[None, :, None], 0, 255).astype(np.uint8)
    (one, *others) = families(Bank([FACES[0], lit, FACES[1]], SIZE_MM))
    assert sorted(one.faces) == [0, 1]
    assert [family.faces for family in others] == [(2,)]
    moved = dict(zip(one.faces, one.to_card, strict=True))
    aside = (np.linalg.inv(moved[0]) if one.faces[0] == 1 else moved[1])[:2, 2]
    assert np.abs(aside - np.array([-12, 9]) / 3).max() < 0.5  # three pixels a millimetre


def test_one_picture_in_two_hues_is_two_families_of_one_kin():
    hues = [*FACES[:1], *FACES[2:4], *map(in_another_hue, (FACES[0], FACES[3]))]
    assert family_of_each(Bank(hues, SIZE_MM)).tolist() == [[0, 0, 0, 3, 3], [0] * 5]


def framed(picture, cells):
    """A picture with a broad frame of squares, the same for all cards."""
    frame = np.kron(np.indices((24, 18)).sum(0) % 2 * 200 + 20, np.ones((12, 12)))[..., None].repeat(3, 2)
    frame = cv2.resize(frame.astype(np.uint8), picture.shape[1::-1], interpolation=cv2.INTER_NEAREST)
    h, _w = picture.shape[:2]
    edge = cells * h // 11
    frame[edge:-edge, edge:-edge] = picture[edge:-edge, edge:-edge]
    return frame


def test_a_frame_that_all_cards_have_makes_no_family():
    pictures = [face(*drawn) for drawn in ((3, 1), (5, 1), (3, 4), (8, None), (9, None))]
    told = family_of_each(Bank([small(framed(picture, 2)) for picture in pictures], SIZE_MM))[0]
    assert told.tolist() == [0, 1, 0, 3, 4]


def of_another_camera(picture):
    """The same in stronger colors and another tone: another photo of the deck."""
    part = picture.astype(np.float32) * np.array([0.55, 1.0, 1.05])
    gray = part.mean(2, keepdims=True)
    return np.clip(gray + 1.5 * (part - gray), 0, 255).astype(np.uint8)


NUMBERED = {n: small(face(3, n)) for n in range(1, 10)}


def told(photos):
    """Families of what is in each photo, by what was put there."""
    names = [(photo, name) for photo, cards in enumerate(photos) for name in cards]
    bank = Bank([picture for cards in photos for picture in cards.values()], SIZE_MM)
    return {
        frozenset(names[k][1] for k in family.faces) for family in families(bank, [photo for photo, _ in names])
    }  # fmt: skip


def test_a_card_of_a_picture_that_lies_alone_in_another_photo_is_of_its_family():
    first = {f"{n}": NUMBERED[n] for n in (1, 2, 3)} | {"other": FACES[1]}
    other = {"4": of_another_camera(NUMBERED[4]), "alone": of_another_camera(FACES[5])}
    assert told([first, other]) == {frozenset("1234"), frozenset({"other"}), frozenset({"alone"})}


def test_hues_that_two_photos_show_are_paired_by_what_the_tone_of_one_does_to_both():
    first = {f"plain{n}": NUMBERED[n] for n in (1, 2)} | {f"dull{n}": in_another_hue(NUMBERED[n]) for n in (1, 2)}
    other = {"plain3": of_another_camera(NUMBERED[3]), "dull3": of_another_camera(in_another_hue(NUMBERED[3]))}
    assert told([first, other]) == {frozenset(f"{hue}{n}" for n in (1, 2, 3)) for hue in ("plain", "dull")}


def test_cards_of_the_same_print_are_of_two_hues_whatever_the_tone_of_their_photos():
    first = {f"plain{n}": NUMBERED[n] for n in (1, 2, 7)}
    other = {f"dull{n}": in_another_hue(in_another_hue(NUMBERED[n])) for n in (1, 2, 7)}
    assert told([first, other]) == {frozenset(cards) for cards in (first, other)}
