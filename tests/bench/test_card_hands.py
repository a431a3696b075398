"""`bench.card_hands` says of a hand that it is wrong in silence."""

from collections import Counter

import numpy as np
import pytest

from bench.card_hands import Table, _answered, _shown, figures, hand_of
from training.synth.laid_cards import Lying
from vision.table.reading import Card, TableReading

ENTRIES = [
    {"kind": "development", "level": 1, "points": 1, "bonus": "red"},
    {"kind": "development", "level": 2, "points": 2, "bonus": "red"},
    {"kind": "noble", "needs": {"red": 4, "black": 4}},
]
"""What lies there: two cards of a column, a noble beside."""
PLACES = [(0, 0), (0, 29), (100, 0)]


def outline(x, y, high=88):
    return np.array([[x, y], [x + 63, y], [x + 63, y + high], [x, y + high]], np.float64)


TABLE = Table(np.zeros(0))
for at, entry in zip(PLACES, ENTRIES, strict=True):
    TABLE.lying.append(Lying(np.zeros((1, 1, 3), np.uint8), at, 0.0, corners=outline(*at)))
    TABLE.entries.append(entry)
    TABLE.owners.append("A")


@pytest.mark.parametrize(
    ("polygon", "card"),
    [(outline(1, 1), 0), (outline(0, 30), 1), (outline(0, 0, 29), 0), (outline(102, 3), 2), (outline(400, 400), None)],
)
def test_a_person_sees_which_card_is_asked_about(polygon, card):
    assert _shown(TABLE, polygon) == card


@pytest.mark.parametrize(
    ("read", "asked", "right"),
    [
        ({0: 0, 1: 1, 2: 2}, (), True),
        ({0: 0, 1: 1}, (), False),  # the noble is not seen, and nobody is asked
        ({0: 1, 1: 1, 2: 2}, (), False),  # two points for one, and nobody is asked
        ({0: 1, 1: 1, 2: 2}, (0,), True),  # the same, and the card is asked about
        ({0: 1, 1: 1, 2: 2}, (1,), False),  # another one is
        ({0: None, 1: 1, 2: 2}, (0,), True),
    ],
)
def test_a_hand_is_right_only_if_its_points_are_once_what_was_asked_is_answered(read, asked, right):
    cards = tuple(
        Card(None, None if truth is None else ENTRIES[truth], "A", outline(*PLACES[k]), doubtful=k in asked)
        for k, truth in read.items()
    )
    reading, _ = _answered(TABLE, TableReading((), cards, {}), set(asked), [])
    hand = hand_of(TABLE, "A", [card.card for card in reading.cards if card.card is not None], len(asked))
    assert hand.right == right
    assert figures([hand])["right"] == right
    assert Counter(hand.true) == Counter({("red", 1): 1, ("red", 2): 1, ("noble", ("black", 4), ("red", 4)): 1})
