"""Numbers written into boxes: what the columns spell, and how likely that is."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from vision.sheet.written import NOTHING, SYMBOLS, WrittenNumber, spelling_chance


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


@pytest.mark.parametrize(
    ("number", "confidence", "doubtful"), [(42, 0.99, False), (42, 0.6, True), (None, 0.96, False), (-20, 0.94, True)]
)
def test_the_public_object(number: int | None, confidence: float, doubtful: bool) -> None:
    said = WrittenNumber(number, confidence).to_json()
    assert said == {"number": number, "confidence": confidence, "doubtful": doubtful}


def test_the_classes_are_the_digits_minus_and_nothing() -> None:
    assert NOTHING == len(SYMBOLS) == 11
