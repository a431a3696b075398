"""A deck that was enrolled is asked whether it knows its own cards; where it does not, the pair is named."""

from __future__ import annotations

import cv2
import pytest

from calibration.deck_check import not_told_apart
from training.synth.cards import SIZE_MM, face
from vision.cards.deck import Deck, Face


def deck(*pictures, points=None, blur=0.0):
    return Deck.learnt("drawn", SIZE_MM, [
        Face({"id": str(i), "points": i if points is None else points[i]}, SIZE_MM,
             cv2.GaussianBlur(picture, (0, 0), blur) if blur else picture)
        for i, picture in enumerate(pictures)
    ])  # fmt: skip


DIGITS = [face(3, digit) for digit in (1, 2, 7)]


@pytest.mark.parametrize(
    ("learnt", "unsure"),
    [
        (lambda: deck(face(1), face(2), *DIGITS), set()),
        (lambda: deck(face(1), face(2), face(1)), {(0, 2)}),  # twice the same picture, which counts otherwise
        (lambda: deck(face(1), face(2), face(1), points=[4, 5, 4]), set()),  # and which counts the same
    ],
    ids=["clear", "same picture", "same points"],
)
def test_the_pair_that_cannot_be_told_apart_is_named(learnt, unsure):
    assert {(one.card, one.other) for one in not_told_apart(learnt())} == unsure


def test_photographed_from_too_far_away_the_cards_that_differ_in_a_digit_are_named_and_no_other():
    unsure = not_told_apart(deck(*DIGITS, face(5), blur=24))
    assert unsure
    assert {card for pair in unsure for card in pair} <= {0, 1, 2}


def test_only_the_cards_asked_for_are_tried():
    assert not_told_apart(deck(face(1), face(2), face(1)), only=[1]) == []
