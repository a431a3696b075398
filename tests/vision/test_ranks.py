"""Medians and quantiles are NumPy's."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from vision.ranks import median, quantile

VALUES = st.lists(st.floats(-9, 9, width=32), min_size=1, max_size=40)


@given(VALUES, st.floats(0, 1))
def test_a_quantile_is_that_of_numpy(values: list[float], share: float) -> None:
    both = np.array([values, values[::-1]])
    assert quantile(both, share) == pytest.approx(np.quantile(both, share, 1), abs=1e-9)


@given(VALUES, st.sampled_from(["f4", "f8", "u1"]), st.sampled_from([None, 0, 1, -1]))
def test_a_median_is_that_of_numpy_to_the_last_bit(values: list[float], kind: str, axis: int | None) -> None:
    both = np.array([values, np.square(values)]).astype(kind)
    found, expected = median(both, axis), np.median(both, axis)
    assert np.array_equal(found, expected)
    assert found.dtype == expected.dtype
