"""Medians and quantiles as NumPy has them, in a fraction of its time for few values, and without all that it loads."""

from collections.abc import Sequence

import numpy as np


def median(values: np.ndarray | Sequence[float], axis: int | None = None) -> np.ndarray:
    """As `np.median` of values that are all numbers."""
    rising = np.sort(values, axis)
    count = rising.shape[-1 if axis is None else axis]
    middle = np.arange((count - 1) // 2, count // 2 + 1)
    return np.asarray(rising.take(middle, axis).mean(axis))


def quantile(values: np.ndarray, share: float) -> np.ndarray:
    """As `np.quantile` along the last axis."""
    rising = np.sort(values, -1)
    below, between = divmod(share * (values.shape[-1] - 1), 1)
    less, more = rising[..., int(below)], rising[..., int(below + (between > 0))]
    return np.asarray(less + (more - less) * between)
