"""One settled state of a table: its reading, the table state, its points, what the referee says of it."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Self

import numpy as np

from companion.cases.game_log import Followed
from companion.cases.table import TableState
from vision.table.reading import TableReading

ELSEWHERE = 0.005
"""Widths of a photo by which its pieces lie elsewhere than on the one before."""


@dataclass(frozen=True)
class Settled:
    """A table at rest."""

    number: int | None  # its number in the history; None while it is not written down
    at: float  # when, seconds since 1970
    size: tuple[int, int]  # width and height of the frame in pixels
    reading: TableReading  # what was seen, with people's corrections
    said: frozenset[int]  # indices of the tiles, then cards, of which a person said what they are
    table: TableState  # the state, and where it was seen
    totals: Mapping[str, int | None]  # points by player's zone; None where the state does not score
    game: Followed  # what the referee made of it: moves, slips, questions
    body: Mapping[str, Any]  # all of it as it is kept, as JSON
    first: bool = False  # whether another game began with it

    def lies_as(self, other: Self) -> bool:
        """Whether its pieces lie in the picture where the other's do: they belong on the same photo."""
        now, was = (
            [tile.polygon for tile in one.reading.tiles] + [card.polygon for card in one.reading.cards]
            for one in (self, other)
        )
        moved = [np.abs(a.mean(0) - b.mean(0)).max() for a, b in zip(was, now, strict=False)]
        return len(was) == len(now) and max(moved, default=0.0) <= ELSEWHERE * self.size[0]
