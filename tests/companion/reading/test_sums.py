"""A score row of six numbers: a doubtful one is read so that the row adds up, and stays doubtful."""

from __future__ import annotations

import numpy as np
import pytest

from companion.reading.sums import agreed, likeliest_row
from vision.sheet.reading import SheetReading
from vision.sheet.written import WrittenNumber

TICKS = {"gems": 2, "penalties": 2}


def sure(number: int | None) -> WrittenNumber:
    """A number that anybody can read."""
    return WrittenNumber(number, 0.99)


def open_between(*chances: tuple[int | None, float]) -> WrittenNumber:
    """One that may be several, the likeliest first."""
    return WrittenNumber(*chances[0], dict(chances))


THREE_OR_NINE = open_between((35, 0.66), (39, 0.08))


def row(*boxes: int | WrittenNumber | None) -> list[WrittenNumber]:
    return [box if isinstance(box, WrittenNumber) else sure(box) for box in boxes]


@pytest.mark.parametrize(
    ("boxes", "numbers"),
    [
        # Squares 26 and 39, two gems, two routes, no place; two penalties: 95.
        (row(26, THREE_OR_NINE, 20, 30, 0, 95), (26, 39, 20, 30, 0, 95)),
        (row(26, THREE_OR_NINE, 20, 30, 0, open_between((45, 0.5), (95, 0.3))), (26, 39, 20, 30, 0, 95)),
        (row(26, 39, 20, 30, 0, open_between((9, 0.6), (95, 0.001))), (26, 39, 20, 30, 0, 95)),
        # A player who added wrongly, in plain figures.
        (row(26, 39, 20, 30, 0, 115), (26, 39, 20, 30, 0, 115)),
        (row(26, 39, 20, 30, 0, open_between((115, 0.9), (118, 0.05))), (26, 39, 20, 30, 0, 115)),
        (row(26, 39, 20, 30, 0, open_between((115, 0.9), (95, 1e-9))), (26, 39, 20, 30, 0, 115)),
        # Gems by their ticks, a route's fifteen, what the way out pays, where no total tells.
        (row(26, 39, open_between((70, 0.6), (20, 0.1)), 30, 0, None), (26, 39, 20, 30, 0, None)),
        (row(26, 39, 20, open_between((18, 0.6), (15, 0.1)), 0, None), (26, 39, 20, 15, 0, None)),
        (row(26, 39, 20, 30, open_between((0, 0.5), (-20, 0.3)), 75), (26, 39, 20, 30, -20, 75)),
        (row(26, 39, 20, 30, open_between((16, 0.5), (10, 0.3)), None), (26, 39, 20, 30, 10, None)),
        # Of an area nothing is known beforehand.
        (row(26, THREE_OR_NINE, 20, 30, 0, None), (26, 35, 20, 30, 0, None)),
        (row(*[open_between((None, 0.6), (1, 0.2))] * 6), (None,) * 6),
    ],
)  # fmt: skip
def test_a_row_is_read_so_that_it_adds_up(boxes, numbers):
    read = likeliest_row(boxes, TICKS)
    assert tuple(box.number for box in read) == numbers
    assert [box.doubtful for box in read] == [box.doubtful for box in boxes]


def a_reading(boxes: list[WrittenNumber]) -> SheetReading:
    return SheetReading(np.zeros((2, 2, 2)), ("",), np.ones((1, 1)), (), (), (), TICKS, {}, written=tuple(boxes))


@pytest.mark.parametrize(
    "boxes",
    [
        row(26, 39, 20, 30, 0, 95),
        row(26, THREE_OR_NINE, 20, 95),
        row(),
    ],
)
def test_another_row_and_a_sure_one_stay_as_they_are(boxes):
    reading = a_reading(boxes)
    assert agreed(reading) is reading


def test_a_reading_is_changed_in_its_numbers_alone():
    reading = a_reading(row(26, THREE_OR_NINE, 20, 30, 0, 95))
    read = agreed(reading)
    assert [box.number for box in read.written] == [26, 39, 20, 30, 0, 95]
    assert {name for name, value in vars(read).items() if value is not getattr(reading, name)} == {"written"}
