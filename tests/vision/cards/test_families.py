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
    """A picture with a frame of squares, the same for all cards."""
    frame = np.kron(np.indices((24, 18)).sum(0) % 2 * 200 + 20, np.ones((12, 12)))[..., None].repeat(3, 2)
    frame = cv2.resize(frame.astype(np.uint8), picture.shape[1::-1], interpolation=cv2.INTER_NEAREST)
    h, _w = picture.shape[:2]
    edge = cells * h // 11
    frame[edge:-edge, edge:-edge] = picture[edge:-edge, edge:-edge]
    return frame


def test_a_frame_that_all_cards_have_makes_no_family():
    pictures = [face(*drawn) for drawn in ((3, 1), (5, 1), (3, 4), (8, None), (9, None))]
    told = family_of_each(Bank([small(framed(picture, 1)) for picture in pictures], SIZE_MM))[0]
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


def ornamented(number, dots, color=(70, 140, 60)):
    """Squares all over, a box with a number, three dots of the card's own kind."""
    out = np.full((264, 189, 3), color, np.uint8)
    for x, y in np.ndindex(9, 13):
        cv2.rectangle(
            out,
            (x * 21 + 4, y * 20 + 3),
            (x * 21 + 15, y * 20 + 14),
            (40, 40, 120) if (x + y) % 2 else (20, 20, 20),
            -1,
        )
    cv2.rectangle(out, (120, 10), (180, 70), (90, 90, 90), -1)
    cv2.putText(out, str(number), (132, 60), cv2.FONT_HERSHEY_SIMPLEX, 1.8, (240, 240, 240), 4)
    for x, y in dots:
        cv2.circle(out, (x, y), 13, (60, 200, 230), -1)
    return out


KINDS = {
    "a": [(60, 60), (40, 100), (80, 200)],
    "b": [(120, 120), (150, 160), (60, 90)],
    "c": [(30, 230), (100, 150), (60, 30)],
}


def test_what_all_cards_of_a_deck_show_is_their_picture_where_little_else_is_on_them():
    first = {f"{n}": ornamented(n, KINDS["a" if n < 4 else "b"]) for n in range(1, 7)}
    other = {f"{n}": of_another_camera(ornamented(n, KINDS["c"])) for n in range(7, 10)}
    assert told([first, other]) == {frozenset([*first, *other])}


def lined(number, color):
    """Thin lines of one hue on black, a white rim, a number: most of the card is the same in each hue."""
    out = np.full((264, 189, 3), 230, np.uint8)
    out[10:-10, 10:-10] = 12
    for k in range(9):
        cv2.line(out, (12, 20 + 26 * k), (176, 12 + (k * 97) % 230), color, 2, cv2.LINE_AA)
        cv2.ellipse(out, (95, 20 + 27 * k), (70, 30), 40 * k, 0, 200, color, 2, cv2.LINE_AA)
    cv2.putText(out, str(number), (140, 45), cv2.FONT_HERSHEY_SIMPLEX, 1.0, (240, 240, 240), 3)
    return out


def test_thin_lines_of_two_hues_are_two_families_though_each_photo_has_its_own_light():
    first = {f"yellow{n}": lined(n, (30, 160, 170)) for n in range(1, 5)}
    other = {f"blue{n}": (lined(n, (170, 60, 60)) * np.array([1.0, 0.95, 0.9])).astype(np.uint8) for n in range(5, 9)}
    assert told([first, other]) == {frozenset(cards) for cards in (first, other)}
