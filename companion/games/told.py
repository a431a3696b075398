"""How a game says what was done in a turn of it, for the log: see `companion.cases.log_words`."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, Protocol

Line = Mapping[str, Any]
UNKNOWN: Final = "?"


class Speaker(Protocol):
    """Says things in one language."""

    def say(self, key: str, /, **values: Any) -> str:
        """A sentence of the catalogs."""

    def term(self, key: str, other: str) -> str:
        """A word of the catalogs, `other` where they have none."""

    def piece(self, piece: Any) -> str:
        """A piece: its color, or what the game calls it."""

    def pieces(self, pieces: Any) -> str:
        """Several pieces, alike ones counted."""

    def join(self, parts: Iterable[Any]) -> str:
        """Things one after the other."""


@dataclass(frozen=True)
class Told:
    """A game's own words for the lines of `referee`. What it does not say the catalogs say by `did.<move>`.

    Attributes:
        did: what a move did; None where the catalogs say it.
        card: a card that is an object; None where it is not known.
        pieces: keys of the catalogs of pieces that are no colors.
        apart: keys of a move that tell ways of doing one turn apart.
        way: which way that is of several, the rest of which may give other points.
    """

    did: Callable[[Line, Speaker], str | None] = lambda move, words: None
    card: Callable[[Line, Speaker], str | None] = lambda card, words: None
    pieces: Mapping[str, str] = field(default_factory=dict)
    apart: tuple[str, ...] = ()
    way: Callable[[Line, Sequence[Line], Speaker], str] = lambda best, ways, words: ""


def given_up(move: Line, words: Speaker) -> str:
    """What went back in a turn, or out of the game."""
    gone = [key for key in ("returned", "thrown") if move.get(key)]
    return "".join(words.say(f"did.{key}", what=words.pieces(move[key])) for key in gone)
