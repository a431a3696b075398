"""Where nobody touched the table, what was read before stays; what is not made out any more is said."""

from __future__ import annotations

import numpy as np
import pytest

from companion.live.temporal_filter import steadied
from vision.table.reading import Card, TableReading


def face(name, x, confidence=0.999, doubtful=False):
    corners = np.array([[0, 0], [60, 0], [60, 90], [0, 90]]) + np.array([x, 0])
    return Card(None, {"id": name}, "A", corners, "deck", confidence, doubtful)


def sticker(marker, x):
    return Card(marker, None, "A", np.array([[0, 0], [20, 0], [20, 20], [0, 20]]) + np.array([x, 0]))


def reading(*cards):
    return TableReading((), cards, {}, ())


SUN, MOON = face("sun", 0), face("moon", 100)
DOUBTED = face("sun", 0, 0.6, True)


@pytest.mark.parametrize(
    ("last", "new", "touched", "names", "gone"),
    [
        ((SUN, MOON), (SUN, MOON), (), ["moon", "sun"], None),
        ((SUN, MOON), (MOON,), (), ["moon", "sun"], 1),
        ((SUN, MOON), (), (), ["moon", "sun"], 2),
        ((SUN, MOON), (MOON,), (0,), ["moon"], None),
        ((SUN, MOON), (face("star", 4, 0.7, True), MOON), (), ["moon", "sun"], None),
        ((SUN, MOON), (face("star", 4), MOON), (0,), ["moon", "star"], None),
        ((DOUBTED,), (face("star", 0),), (), ["star"], None),
        ((sticker(41, 0), sticker(42, 100)), (sticker(42, 100),), (), ["41", "42"], 1),
        ((sticker(41, 0),), (face("sun", 0),), (), ["41", "sun"], 1),
    ],
)  # fmt: skip
def test_cards_that_nobody_touched_stay(last, new, touched, names, gone):
    got = steadied(reading(*new), reading(*last), lambda polygon: int(polygon[0][0]) not in touched)
    assert sorted(card.name for card in got.cards) == names
    assert [(p.key, p.values["n"]) for p in got.problems] == ([("card.kept", gone)] if gone else [])
