"""Who got out of the ruin in which place, and what that pays.

Rulebook, end of the game, ②: 30 for the first, 10 for the second, nothing after; those who get out in
the same round are each paid as one place lower. Left inside: -20.
"""

from collections.abc import Sequence
from typing import Final, NamedTuple

PAY: Final = {1: 30, 2: 10}
LEFT_INSIDE: Final = -20


class Escape(NamedTuple):
    """A player's way out: the place paid for (None: never got out), with how many it is shared, the points."""

    place: int | None
    shared: int
    points: int


def escapes(rounds: Sequence[int | None], next_place: str) -> list[Escape]:
    """Each player's escape from the rounds of all (None: never).

    `next_place` is the reading of `shared-escape`: after a shared round the next player takes the place
    after all of them (`after-all`) or the place after the one that they share (`after-one`).
    """
    paid: dict[int, Escape] = {}
    place = 1
    for when in sorted({r for r in rounds if r is not None}):
        together = rounds.count(when)
        worth = place if together == 1 else place + 1
        paid[when] = Escape(worth, together, PAY.get(worth, 0))
        place += together if next_place == "after-all" else 1
    return [Escape(None, 1, LEFT_INSIDE) if when is None else paid[when] for when in rounds]
