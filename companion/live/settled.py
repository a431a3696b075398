"""A table at rest: what was seen on it, what the course of the game makes of it, and what it is worth."""

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
    """A table at rest.

    Attributes:
        number: its number in the history; None while it is not written down.
        at: when, seconds since 1970.
        size: width and height of the frame in pixels.
        reading: what was seen, with people's corrections.
        said: indices of the tiles, then cards, of which a person said what they are.
        table: the state, and where it was seen.
        totals: points by player's zone; None where the state does not score.
        game: what the referee made of it: moves, slips, questions.
        body: all of it as it is kept, as JSON.
        first: whether another game began with it.
    """

    number: int | None
    at: float
    size: tuple[int, int]
    reading: TableReading
    said: frozenset[int]
    table: TableState
    totals: Mapping[str, int | None]
    game: Followed
    body: Mapping[str, Any]
    first: bool = False

    def lies_as(self, other: Self) -> bool:
        """Whether its pieces lie in the picture where the other's do: they belong on the same photo."""
        now, was = (
            [tile.polygon for tile in one.reading.tiles] + [card.polygon for card in one.reading.cards]
            for one in (self, other)
        )
        moved = [np.abs(a.mean(0) - b.mean(0)).max() for a, b in zip(was, now, strict=False)]
        return len(was) == len(now) and max(moved, default=0.0) <= ELSEWHERE * self.size[0]
