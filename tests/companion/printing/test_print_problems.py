"""Stickers beside mats: a table where one of both was printed at a wrong scale says so, and no other table does."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from companion.games import FIRST, GAMES
from companion.games.markers import CARD_MARKER_MM
from companion.printing.sets import Order, profile
from companion.reading.print_scale import problems
from companion.reading.tables import read_state
from vision.table.profile import TableProfile
from vision.table.reading import Card, TableReading

PIXELS = 1.8
"""A millimetre."""


def table(scale: float, cards: int) -> tuple[TableReading, TableProfile]:
    """Mats printed at a scale, with stickers of full size on them."""
    made = profile(Order("mats", GAMES[FIRST]))
    width, height = (scale * PIXELS * side for side in made.zones["A"].size_mm)
    outline = np.array([[100, 100], [100 + width, 100], [100 + width, 100 + height], [100, 100 + height]])
    square = CARD_MARKER_MM * PIXELS * np.array([(0, 0), (1, 0), (1, 1), (0, 1)])
    seen = [
        Card(number, made.cards[number], "A", square + np.array([150 + 60 * i, 200]))
        for i, number in enumerate(list(made.cards)[:cards])
    ]
    return TableReading((), tuple(seen), {"A": outline}), made


@pytest.mark.parametrize(
    ("scale", "said"), [(1.0, None), (0.985, None), (0.94, "94"), (1.06, "106"), (0.97, "97"), (1.02, None)]
)
def test_a_wrong_scale_is_said_with_how_wrong_it_is(scale: float, said: str | None) -> None:
    found = problems(*table(scale, 5), GAMES[FIRST])
    assert [problem.values["percent"] for problem in found] == ([said] if said else [])


def test_the_state_of_the_table_says_it() -> None:
    assert "scale.stickers" in [problem.key for problem in read_state(*table(0.94, 5)).problems]


def test_too_few_stickers_say_nothing() -> None:
    assert not problems(*table(0.8, 3), GAMES[FIRST])


def test_a_table_with_other_markers_says_nothing() -> None:
    reading, made = table(0.8, 5)
    zone = replace(made.zones["A"], markers=(200, 201, 202, 203))
    assert not problems(reading, replace(made, zones={"A": zone}), GAMES[FIRST])
    assert not problems(reading, replace(made, cards={40: {"kind": "seeker", "power": 1}}), GAMES[FIRST])
