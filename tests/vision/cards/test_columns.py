"""Cards in line with one that is known."""

import numpy as np
import pytest

from training.synth.cards import SIZE_MM, face, lay, table
from vision.cards.columns import in_line
from vision.cards.compare import Bank

FACES = [face(11), face(12), face(13)]
DENSE = 2.0
KNOWN = np.array([[DENSE, 0, 400], [0, DENSE, 450], [0, 0, 1.0]])


@pytest.mark.parametrize(
    ("up", "shown", "offered"),
    [
        (25, 25, True),  # the card above it, of which its upper end is in sight
        (-25, 25, True),  # the card that lies on it
        (50, 25, True),  # two further up: one between them is not known yet
        (25, 0, False),  # that card is known already
        (None, 25, False),  # it lies alone
    ],
)
def test_a_column_goes_on_where_the_upper_end_of_a_card_is_in_sight(up, shown, offered):
    photo, free = table((900, 800), 3), np.full((900, 800), 255, np.uint8)
    cards = [] if up is None else [(FACES[1], 450 - up * DENSE)]
    for card, y in sorted([*cards, (FACES[0], 450)], key=lambda one: one[1]):
        lay(photo, card, (400, y), DENSE)
    w, h = (round(side * DENSE / 2) for side in SIZE_MM)
    in_sight = 50 if up is not None and up < 0 else 2 * h
    free[450 - h - (0 if shown else 50) : 450 - h + in_sight, 400 - w : 400 + w] = 0
    places = [(at[0, 2] / at[2, 2], at[1, 2] / at[2, 2]) for at in in_line(Bank(FACES, SIZE_MM), photo, KNOWN, free)]
    there = [place for place in places if up is not None and np.hypot(place[0] - 400, place[1] - 450 + up * DENSE) < 5]
    assert bool(there) == offered
    assert offered or not places
