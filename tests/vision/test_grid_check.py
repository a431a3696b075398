"""A grid with a row or a column left out is told by its lines, on drawn sheets of known truth."""

from __future__ import annotations

import demo_sheets as demo
import numpy as np
import pytest

from vision.sheet.flatten import SheetMap, flatten
from vision.sheet.grid_check import goes_on


@pytest.mark.parametrize("down", [False, True])
@pytest.mark.parametrize(
    ("first", "last", "told"),
    [
        (0, 11, False),
        (1, 12, True),
        (-1, 10, True),
        (1, 11, True),  # squeezed in between
        (0, 10, True),
    ],
)
def test_lines_go_on_where_a_row_or_a_column_was_left_out(first: float, last: float, told: bool, down: bool) -> None:
    photo, truth = demo.filled_photo(seed=3, player=0)
    u, v = np.meshgrid(np.linspace(first, last, 12), np.arange(12.0))
    found = SheetMap(SheetMap(truth["lattice"])(*((v.T, u.T) if down else (u, v))))
    assert goes_on(flatten(photo, found, 40, 1.0), found, photo.shape) == told


def test_a_photo_that_ends_at_the_grid_shows_nothing_beyond_it() -> None:
    photo, truth = demo.filled_photo(seed=3, player=0)
    x, y = np.floor(np.min(truth["lattice"], axis=(0, 1))).astype(int)
    right, down = np.ceil(np.max(truth["lattice"], axis=(0, 1))).astype(int)
    found = SheetMap(np.asarray(truth["lattice"]) - (x, y))
    cut = photo[y:down, x:right]
    assert not goes_on(flatten(cut, found, 40, 1.0), found, cut.shape)
