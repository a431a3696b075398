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
    doubtful: tuple[str, ...]  # colors of those tiles in the middle that are hard to read, a light's glare apart
    glaring: tuple[str, ...]  # of those on which a light glares
    players: int  # how many have a place
    taken: int  # tiles, and cards of which players have some, in the players' places
    rows: int = 1  # in which the tiles of the middle lie


class Check(NamedTuple):
    """A sentence about what lies there, and whether it is as it should be.

    `asked`: whether what does not fit is asked about during the game, so that it need not be put right before.
    """

    message: Message
    fits: bool
    asked: bool = False


SetUp = Callable[[Laid], Iterator[Check]]


def empty(laid: Laid) -> Check:
    """Whether nothing lies in the players' places yet."""
    if laid.taken:
        return Check(Message("set-up.taken", {"n": laid.taken}), False)
    return Check(Message("set-up.empty", {"n": laid.players}), True)
