"""Numbers written into boxes: what the columns spell, and how likely that is."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from vision.sheet.written import NOTHING, SYMBOLS, WrittenNumber, likeliest, spelled_chances, spelling_chance


def brute(columns: np.ndarray, symbols: list[int]) -> float:
    """All ways in which the columns spell the symbols, one by one."""
    total = 0.0
    for way in product(range(columns.shape[1]), repeat=len(columns)):
        kept = [k for k, before in zip(way, (-1, *way[:-1]), strict=True) if k not in (columns.shape[1] - 1, before)]
        total += float(np.prod(columns[np.arange(len(way)), way])) if kept == symbols else 0.0
    return total


@given(st.integers(0, 10_000), st.lists(st.integers(0, 1), max_size=2))
def test_a_chance_is_the_sum_of_all_ways(seed: int, symbols: list[int]) -> None:
    small = np.random.default_rng(seed).dirichlet([1, 1, 1], 4)
    columns = np.zeros((4, NOTHING + 1))
    columns[:, [0, 1, NOTHING]] = small
    assert spelling_chance(columns, symbols) == pytest.approx(brute(small, symbols))


@given(st.integers(0, 10_000))
def test_what_columns_may_spell_has_the_chance_of_each(seed: int) -> None:
    small = np.random.default_rng(seed).dirichlet([1, 1, 1], 4)
    columns = np.zeros((4, NOTHING + 1))
    columns[:, [1, 2, NOTHING]] = small
    told = spelled_chances(columns)
    assert list(told.values()) == sorted(told.values(), reverse=True)
    for number, chance in told.items():
        symbols = [int(digit) for digit in str(number or "")]
        assert chance == pytest.approx(spelling_chance(columns, symbols)), number


def test_what_is_no_number_is_not_among_what_columns_may_spell() -> None:
    columns = np.full((16, NOTHING + 1), 1e-9)
    columns[:, NOTHING] = 1.0
    for column, k in ((2, 10), (8, 10), (12, 4)):
        columns[column, [k, NOTHING]] = 0.9, 0.1
    told = spelled_chances(columns)
    assert set(told) >= {-4, 4, None}
    assert max(told, key=lambda number: told[number]) == -4


@pytest.mark.parametrize(
    ("number", "confidence", "doubtful"), [(42, 0.99, False), (42, 0.6, True), (None, 0.96, False), (-20, 0.94, True)]
)
def test_the_public_object(number: int | None, confidence: float, doubtful: bool) -> None:
    said = WrittenNumber(number, confidence).to_json()
    assert said == {"number": number, "confidence": confidence, "doubtful": doubtful}


def test_the_classes_are_the_digits_minus_and_nothing() -> None:
    assert NOTHING == len(SYMBOLS) == 11


@pytest.mark.parametrize(
    ("views", "together"),
    [
        ([(19, 0.6), (19, 0.3), (15, 0.8)], (19, 0.3)),
        ([(19, 0.2), (19, 0.2), (15, 0.9)], (15, 0.3)),
        ([(7, 0.9), (7, 0.9), (7, 0.9)], (7, 0.9)),
        ([(None, 0.6), (1, 0.4), (None, 0.6)], (None, 0.4)),
    ],
)
def test_views_of_a_box_agree_on_the_number_that_is_likeliest_on_average(
    views: list[tuple[int | None, float]], together: tuple[int | None, float]
) -> None:
    said = likeliest([WrittenNumber(*view) for view in views])
    assert (said.number, said.confidence) == (together[0], pytest.approx(together[1]))


def test_views_of_a_box_share_what_else_may_stand_there() -> None:
    said = likeliest([WrittenNumber(35, 0.6, {35: 0.6, 39: 0.2}), WrittenNumber(39, 0.5, {39: 0.5, 35: 0.1})])
    assert said.chances == {35: pytest.approx(0.35), 39: pytest.approx(0.35)}
