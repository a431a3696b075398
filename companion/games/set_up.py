"""What lies on a table before its game begins, for a game to compare with what belongs there."""

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import NamedTuple

from common.messages import Message


@dataclass(frozen=True)
class Laid:
    """Pieces before the first turn: tiles by color and cards by kind in the middle, the rest by their number."""

    tiles: Counter[str]
    cards: Counter[str]
    doubtful: int  # tiles in the middle that are hard to read
    players: int  # how many have a place
    taken: int  # tiles, and cards of which players have some, in the players' places


class Check(NamedTuple):
    """A sentence about what lies there, and whether it is as it should be."""

    message: Message
    fits: bool


SetUp = Callable[[Laid], Iterator[Check]]


def empty(laid: Laid) -> Check:
    """Whether nothing lies in the players' places yet."""
    if laid.taken:
        return Check(Message("set-up.taken", {"n": laid.taken}), False)
    return Check(Message("set-up.empty", {"n": laid.players}), True)
