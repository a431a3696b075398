"""Places are weighed by those around them: a question among doubts, sure among tiles, wherever the table lies."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from vision.table.neighbors import REACH, among_neighbors

CASES = {
    "alone, it stays": ([0.95], 0, 0.95),
    "one more among tiles is a tile": ([0.7, *[0.99] * 20], 0, 0.85),
    "the best of a printed board is asked about": ([0.95, *[0.4] * 20], 0, 0.5),
    "and the rest of it is nothing": ([0.95, *[0.4] * 20], 5, 0.1),
}


@pytest.mark.parametrize("name", CASES)
def test_a_place_is_weighed_by_the_places_around_it(name):
    given_, which, expected = CASES[name]
    places = np.stack([np.arange(len(given_)) * 1.1 % 5, np.arange(len(given_)) // 5], 1)
    told = among_neighbors(places, np.array(given_))[which, 0]
    assert (
        told == pytest.approx(expected, abs=0.02)
        if name.startswith("alone")
        else (told > expected) == (expected > given_[which])
    )


def test_a_board_far_away_tells_nothing():
    places = np.concatenate([[[0.0, 0.0]], [[6 * REACH + i % 6, i // 6] for i in range(30)]])
    told = among_neighbors(places, np.array([0.95, *[0.4] * 30]))[:, 0]
    assert told[0] == pytest.approx(0.95, abs=0.005)
    assert (told[1:] < 0.4).all()


@given(st.lists(st.tuples(st.floats(0, 40), st.floats(0, 30), st.floats(0, 1)), max_size=25), st.floats(-50, 50))
def test_order_and_frame_do_not_matter_and_a_likelier_place_stays_likelier(given_, shift):
    data = np.array(given_).reshape(-1, 3)
    told = among_neighbors(data[:, :2], data[:, 2])
    assert ((told >= 0) & (told <= 1)).all()
    assert (told[:, 1] >= told[:, 0] - 1e-9).all()
    assert among_neighbors(data[::-1, :2] + shift, data[::-1, 2]) == pytest.approx(told[::-1], abs=1e-6)
    if len(data):
        here = np.repeat(data[:1, :2], len(data), 0)
        together = among_neighbors(here, data[:, 2])[:, 0]
        assert (np.diff(together[np.argsort(data[:, 2])]) >= -1e-9).all()


def test_no_places_are_no_places():
    assert among_neighbors(np.zeros((0, 2)), np.zeros(0)).shape == (0, 2)
