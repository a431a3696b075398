"""Rows of tiles as a player sees them, and what the box allows."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from vision.table.inventory import fit_box
from vision.table.reading import COLORS
from vision.table.rows import rows_and_columns

NAMES = (*COLORS, "none")
LAID = {
    "one row": ("abcdef", 0, 1.1),
    "two rows, edge to edge": ("abcd\nefg", 0, 1.0),
    "a gap within a row": ("ab  cd\nef gh", 0, 1.05),
    "rows that begin further right": ("   abc\nde\n  fghij", 0, 1.2),
    "rows laid askew": ("abcdefghijk\nlmnopqrstu\nvwxyz", 7, 1.1),
    "askew the other way": ("abcdefghijk\nlmnopqrstu", -8, 1.1),
    "one tile": ("a", 0, 1.0),
    "a column": ("a\nb\nc\nd", 0, 1.1),
}

INVENTORY = {"red": 7, "yellow": 7, "green": 7, "blue": 7, "purple": 7, "rainbow": 1, "gold": 3}


def places_of(drawing, turn, pitch):
    """What each letter's row and column should be, and where it lies, in tiles."""
    want, places = [], []
    for r, line in enumerate(drawing.split("\n")):
        for c, letter in enumerate(line.replace(" ", "")):
            want.append((r, c))
            places.append((line.index(letter) * pitch, r * max(pitch, 1.0)))
    a = np.deg2rad(turn)
    return want, np.array(places) @ np.array([[np.cos(a), np.sin(a)], [-np.sin(a), np.cos(a)]]) + 3


@pytest.mark.parametrize("name", LAID)
@pytest.mark.parametrize("seed", range(5))
def test_rows_are_read_as_they_lie(name, seed):
    rng = np.random.default_rng(seed)
    want, places = places_of(*LAID[name])
    order = rng.permutation(len(places))
    got = rows_and_columns((places + rng.normal(0, 0.05, places.shape))[order])
    assert [tuple(map(int, cell)) for cell in got[np.argsort(order)]] == want


@pytest.mark.parametrize("turn", [-5, 0, 5])
@pytest.mark.parametrize(
    ("first", "second"), [(range(20), range(19)), (range(15, 20), range(4)), (range(17, 20), range(1))]
)
def test_what_is_left_of_two_rows_in_a_narrow_area_is_two_rows(first, second, turn):
    """A dungeon longer than its place: gems go from the left end of the first row, from the right end of the second."""
    rng = np.random.default_rng(0)
    want = [(row, n) for row, ks in enumerate((first, second)) for n, _ in enumerate(ks)]
    places = np.array([(1.1 * k, 1.3 * row) for row, ks in enumerate((first, second)) for k in ks])
    a = np.deg2rad(turn)
    around = np.array([[np.cos(a), np.sin(a)], [-np.sin(a), np.cos(a)]])
    outline = np.array([(-1, -1), (22, -1), (22, 2.3), (-1, 2.3)]) @ around
    got = rows_and_columns(places @ around + rng.normal(0, 0.04, places.shape), outline)
    assert [tuple(map(int, cell)) for cell in got] == want


def test_no_tiles_have_no_rows():
    assert rows_and_columns(np.zeros((0, 2))).shape == (0, 2)


@given(st.lists(st.tuples(st.floats(0, 30), st.floats(0, 20)), max_size=25))
def test_every_tile_has_a_place_of_its_own(points):
    cells = rows_and_columns(np.array(points, float).reshape(-1, 2))
    assert len({tuple(c) for c in cells.tolist()}) == len(points)
    for row in range(cells[:, 0].max(initial=-1) + 1):
        assert sorted(cells[cells[:, 0] == row, 1].tolist()) == list(range((cells[:, 0] == row).sum()))


def odds(**counts):
    """One row of probabilities a tile: `yellow=8` is eight tiles surely yellow, `yellow_or_gold` 60 to 40."""
    rows = []
    for names, count in counts.items():
        row = np.full(8, 0.001)
        for name, share in zip(names.split("_or_"), (0.6, 0.4) if "_or_" in names else (0.99,), strict=False):
            row[NAMES.index(name)] = share
        rows += [row] * count
    return np.array(rows)


BOX = {
    "as the box holds them": (odds(red=7, rainbow=1, gold=3), {"red": 7, "rainbow": 1, "gold": 3}, 0),
    "an eighth yellow may be gold": (odds(yellow=7, yellow_or_gold=1), {"yellow": 7, "gold": 1}, 1),
    "but not a fourth gold": (odds(yellow=7, gold=3, yellow_or_gold=1), {"yellow": 8, "gold": 3}, 2),
    "two rainbows are doubtful": (odds(rainbow=2), {"rainbow": 2}, 2),
    "a second rainbow may be no tile": (odds(rainbow=1, rainbow_or_none=1), {"rainbow": 1, "none": 1}, 0),
}


@pytest.mark.parametrize("name", BOX)
def test_what_the_box_forbids_is_read_otherwise_or_doubtful(name):
    table, want, doubts = BOX[name]
    color, doubtful = fit_box(table, INVENTORY)
    assert {NAMES[c]: int((color == c).sum()) for c in set(color.tolist())} == want
    assert doubtful.sum() == doubts


@given(st.lists(st.integers(0, 6), max_size=42), st.randoms())
def test_a_reading_that_the_box_allows_stays_as_it_is(colors, random):
    counts = [colors.count(c) for c in range(7)]
    table = np.full((len(colors), 8), 0.01)
    table[np.arange(len(colors)), colors] = 0.9
    color, doubtful = fit_box(table, INVENTORY)
    if all(n <= INVENTORY[COLORS[c]] for c, n in enumerate(counts)):
        assert color.tolist() == colors
        assert not doubtful.any()
    else:
        assert doubtful.any()
