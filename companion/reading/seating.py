"""Where players may sit around the middle of a table on which nobody has a piece yet.

Lengths are in the units of `areas`.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

import numpy as np


@dataclass(frozen=True)
class Room:
    """How places lie about the middle."""

    gap: float = 0.4  # from the middle to a place
    least: float = 1.6  # a place is that wide and high at least
    enough: float = 4.0  # one that is wider and higher is no better
    deep: float = 9.0  # a place reaches that far from the middle at most


ROOM: Final = Room()

NEAR, LEFT, FAR, RIGHT = range(4)
"""Sides of the middle as quarter turns clockwise: how a player there is turned, seen from the picture's near side."""


class Seat(NamedTuple):
    """A side of the middle, and which of so many parts of it, from the picture's left or top."""

    side: int
    part: int = 0
    parts: int = 1


ARRANGEMENTS: Final[dict[int, tuple[tuple[Seat, ...], ...]]] = {
    2: (
        (Seat(NEAR), Seat(FAR)),
        (Seat(NEAR, 0, 2), Seat(NEAR, 1, 2)),
        (Seat(LEFT), Seat(RIGHT)),
        (Seat(FAR, 0, 2), Seat(FAR, 1, 2)),
    ),
    3: (
        (Seat(NEAR), Seat(LEFT), Seat(RIGHT)),
        (Seat(NEAR), Seat(LEFT), Seat(FAR)),
        (Seat(NEAR), Seat(FAR), Seat(RIGHT)),
        (Seat(NEAR, 0, 2), Seat(FAR), Seat(NEAR, 1, 2)),
        (Seat(NEAR), Seat(FAR, 0, 2), Seat(FAR, 1, 2)),
        (Seat(NEAR, 0, 3), Seat(NEAR, 1, 3), Seat(NEAR, 2, 3)),
    ),
    4: (
        (Seat(NEAR), Seat(LEFT), Seat(FAR), Seat(RIGHT)),
        (Seat(NEAR, 0, 2), Seat(FAR, 0, 2), Seat(FAR, 1, 2), Seat(NEAR, 1, 2)),
    ),
}
"""By how many play: who sits where, clockwise from the near side; what is usual first."""


class Place(NamedTuple):
    """A player's place: its box, and by how many quarter turns clockwise the player is turned."""

    box: np.ndarray
    quarter: int


def seatings(middle: np.ndarray, bounds: np.ndarray, players: int) -> list[list[Place]]:
    """Ways for so many players to sit around the middle for which there is room, the roomiest first.

    Args:
        middle: left, top, right, bottom of what is nobody's, (4,).
        bounds: the same of the picture.
    """
    ways = [[Place(_box(seat, middle, bounds), seat.side) for seat in seats] for seats in ARRANGEMENTS.get(players, ())]
    with_room = [(_room(way), way) for way in ways if _room(way) >= ROOM.least]
    return [way for _, way in sorted(with_room, key=lambda one: -one[0])]


def _room(places: Sequence[Place]) -> float:
    """The shorter side of the narrowest place, as far as more of it is of use."""
    return min(ROOM.enough, *(float((place.box[2:] - place.box[:2]).min()) for place in places))


def _box(seat: Seat, middle: np.ndarray, bounds: np.ndarray) -> np.ndarray:
    left, top, right, bottom = bounds
    if seat.side == NEAR:
        top, bottom = middle[3] + ROOM.gap, min(bottom, middle[3] + ROOM.deep)
    elif seat.side == FAR:
        top, bottom = max(top, middle[1] - ROOM.deep), middle[1] - ROOM.gap
    else:
        top, bottom = max(top, middle[1]), min(bottom, middle[3])
        if seat.side == LEFT:
            left, right = max(left, middle[0] - ROOM.deep), middle[0] - ROOM.gap
        else:
            left, right = middle[2] + ROOM.gap, min(right, middle[2] + ROOM.deep)
    box = np.array([left, top, right, bottom])
    if seat.parts > 1:
        wide = (right - left + ROOM.gap) / seat.parts
        box[0] = left + seat.part * wide
        box[2] = box[0] + wide - ROOM.gap
    return box
