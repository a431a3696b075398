"""Cards in line with known ones and beside them, and what of them is in sight."""

import cv2
import numpy as np
import pytest

from training.synth.cards import DENSE as DRAWN
from training.synth.cards import SIZE_MM, face, lay, table
from vision.cards.columns import beside, gaps, in_line
from vision.cards.compare import Bank
from vision.cards.deck import Deck, Face
from vision.cards.find import CardFinder, beyond_line

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


@pytest.mark.parametrize(
    ("downs", "bare", "asked"),
    [
        ((0, 22, 66, 88), (44,), [44]),  # one between two is not known
        ((0, 22, 44, 110), (66, 88), [66, 88]),
        ((0, 22, 66, 88), (), []),  # the card above shows there itself
        ((0, 22, 44, 66), (44,), []),
        ((0, 22, 55, 77), (38,), []),  # no step of the column's
        ((0, 44), (22,), []),  # nobody knows its step
    ],
)
def test_a_place_of_a_column_where_no_card_is_known_is_asked_about(downs, bare, asked):
    w, h = SIZE_MM
    lying = [np.array([[DENSE, 0, 300], [0, DENSE, 200 + DENSE * down], [0, 0, 1.0]]) for down in downs]
    free = np.full((900, 700), 255, np.uint8)
    for one in lying:
        x, y = one[:2, 2] - DENSE * np.array([w, h]) / 2
        free[int(y) : int(y + DENSE * h), int(x) : int(x + DENSE * w)] = 0
    for down in bare:
        top = int(200 + DENSE * (down - h / 2))
        free[top : top + int(22 * DENSE)] = 255
    upper_ends = [outline.mean(0)[1] for outline in gaps(lying, SIZE_MM, free)]
    assert upper_ends == pytest.approx([200 + DENSE * (down - h / 2 + 11) for down in asked], abs=2)


def _bare(picture: int, number: int) -> np.ndarray:
    """A card of bare ground: a rim, a number, what it gives, one large pip that a column hides."""
    rng, out = np.random.default_rng(picture), face(picture)
    (h, w), rim = out.shape[:2], 3 * DRAWN
    out[rim:-rim, rim:-rim] = rng.integers(40, 200, 3)
    cv2.circle(out, (int(0.8 * w), int(0.12 * h)), 3 * DRAWN, rng.integers(0, 256, 3).tolist(), -1, cv2.LINE_AA)
    pip = rng.uniform([0.3, 0.45], [0.7, 0.8]) * (w, h)
    cv2.circle(out, pip.astype(int).tolist(), 7 * DRAWN, rng.integers(0, 256, 3).tolist(), -1, cv2.LINE_AA)
    for ink, thick in ((250, 14), (30, 7)):
        at = (rim + 10, rim + 80)
        cv2.putText(out, str(number), at, cv2.FONT_HERSHEY_SIMPLEX, 2.4, (ink, ink, ink), thick, cv2.LINE_AA)
    return out


@pytest.mark.parametrize(
    "columns",
    [
        [[(0, 1)], [(1, 2)], [(2, 3)], [(3, 1)], [(4, 1), (4, 2), (4, 3), (4, 1)]],  # of one picture
        [[(p, (k + p) % 3 + 1) for k in range(3)] for p in range(5)],
    ],
)
def test_no_card_of_bare_ground_in_a_column_is_passed_over_or_asked_about_twice(columns):
    faces = {(p, n): _bare(p, n) for p in range(5) for n in (1, 2, 3)}
    known = [Face({"id": f"{p}-{n}"}, SIZE_MM, picture) for (p, n), picture in faces.items()]
    photo = table((800, 1100), 3)
    for col, column in enumerate(columns):
        for k, card in enumerate(column):
            lay(photo, faces[card], (140 + 190 * col, 140 + 22 * DENSE * k), DENSE)
    cards = CardFinder([Deck.learnt("bare", SIZE_MM, known)]).find(photo)
    assert len(cards) == sum(len(column) for column in columns)
    named = [card.entry["id"] for card in cards if card.entry is not None and not card.doubtful]
    assert set(named) >= {f"{p}-{n}" for p, n in (column[-1] for column in columns)}
    assert set(named) <= {f"{p}-{n}" for column in columns for p, n in column}
