"""Cards in line with known ones and beside them, and what of them is in sight."""

import numpy as np
import pytest

from training.synth.cards import SIZE_MM, face, lay, table
from vision.cards.columns import beside, in_line
from vision.cards.compare import Bank
from vision.cards.find import beyond_line

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


@pytest.mark.parametrize(
    ("aside", "turn", "light", "offered"),
    [
        ((75, 0), 0, 1.0, True),  # the next column
        ((75, 0), 0, 0.3, True),  # in the shade
        ((-80, -40), 0, 1.0, True),
        ((75, 0), 90, 1.0, False),  # across: people lay their own cards alike
        ((180, 0), 0, 1.0, False),  # far from all that are known
        (None, 0, 1.0, False),
    ],
)
def test_beside_known_cards_others_are_looked_for_that_lie_alike(aside, turn, light, offered):
    photo, free = table((900, 1200), 3), np.full((900, 1200), 255, np.uint8)
    lay(photo, FACES[0], (500, 450), DENSE)
    at = None if aside is None else (500 + aside[0] * DENSE, 450 + aside[1] * DENSE)
    if at is not None:
        lay(photo, FACES[1], at, DENSE, np.deg2rad(turn))
        x, y = (int(place - 100) for place in at)
        photo[y : y + 200, x : x + 200] = photo[y : y + 200, x : x + 200] * light
    w, h = (round(side * DENSE / 2) for side in SIZE_MM)
    free[450 - h : 450 + h, 500 - w : 500 + w] = 0
    known = np.array([[DENSE, 0, 500], [0, DENSE, 450], [0, 0, 1.0]])
    to_mm = np.diag([1 / DENSE, 1 / DENSE, 1.0])
    places = [
        (to[0, 2] / to[2, 2], to[1, 2] / to[2, 2]) for to in beside(Bank(FACES, SIZE_MM), photo, to_mm, [known], free)
    ]
    there = [place for place in places if at is not None and np.hypot(place[0] - at[0], place[1] - at[1]) < 5]
    assert bool(there) == offered


@pytest.mark.parametrize(
    ("covered", "hidden"),
    [
        (np.s_[3:, :], np.s_[3:, :]),  # a column: the next card begins there
        (np.s_[:, 2:], np.s_[:, 2:]),  # a fan
        (np.s_[:6, :], np.s_[:6, :]),
        (np.s_[4:7, 3:5], None),  # a token on it
        (np.s_[:0], None),
    ],
)
def test_beyond_a_card_that_covers_it_nothing_is_in_sight_though_rims_agree(covered, hidden):
    bank = Bank(FACES, SIZE_MM)
    rim = np.ones(bank.grid, bool)
    rim[1:-1, 1:-1] = False
    like, beyond = np.full(bank.grid, 0.95), np.zeros(bank.grid, bool)
    like[covered] = 0.05
    like[rim] = 0.95  # of the card that covers it, or one beside
    if hidden is not None:
        beyond[hidden] = True
    found = beyond_line(bank, like.ravel(), np.ones(like.size, bool)).reshape(bank.grid)
    if hidden is None:
        assert not found.any()
    else:
        inner = np.s_[1:-1, 1:-1]
        assert (found[inner] == beyond[inner]).all()
