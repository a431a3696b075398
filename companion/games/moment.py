"""A followed game at one moment, for a game to say what its rules ask for now."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from common.messages import Message

Line = Mapping[str, Any]


@dataclass(frozen=True)
class Moment:
    """What lies there, what was done, and whose turn it is. Players are named as in the log: by their zones.

    Attributes:
        seen: the state that the last look showed, in the midst of a turn too.
        moves: the moves that stand, as `referee` writes them.
        turn: whose turn it is; None where that is not known.
        owed: who still has to do something in the turn that is half done, and by which rule; None: no one player.
        names: what people call the players.
    """

    seen: Mapping[str, Any]
    moves: Sequence[Line] = ()
    turn: str | None = None
    owed: frozenset[tuple[str | None, str]] = frozenset()
    names: Mapping[str, str] | None = None

    @property
    def players(self) -> dict[str, Mapping[str, Any]]:
        """What each player has."""
        return {row["name"]: row for row in self.seen["players"]}

    def name(self, player: str) -> str:
        """What people call a player."""
        return (self.names or {}).get(player, player)

    def done(self, player: str) -> int:
        """How many turns a player has had."""
        return sum(move["who"] == player for move in self.moves)


Due = Callable[[Moment], Iterator[Message]]
"""What the rules ask for at a moment, most pressing first."""
