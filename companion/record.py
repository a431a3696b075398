"""What is known of a table or a sheet before any rule is asked: what was observed, and what a person says of it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from common.messages import Message

Point = Sequence[float]
"""x, y in pixels of a shown picture, from the corner of its first pixel."""
TILE, CARD = "tile", "card"


@dataclass(frozen=True)
class Piece:
    """Something that was seen, scanned or typed."""

    id: str  # its name within the case
    kind: str  # TILE, CARD, `cell`, `letter` or `tick`
    label: Message  # what it was taken for
    polygon: Sequence[Point] = ()  # its outline; empty where a picture's lattice tells it, or nobody saw it
    confidence: float | None = None  # 0 to 1, how likely it is what it was taken for; None where that is unknown
    doubt: Message | None = None  # why a person should look at it; None where nobody needs to
    said: bool = False  # whether a person said what it is
    what: str | Mapping[str, Any] | None = None  # a tile's color, a card as its profile or deck names it; None: unknown
    zone: str | None = None  # the area of the table where it lies; None outside every area
    at: tuple[int, int] | None = None  # its row and column there; None: where its outline is, else after those before
    marker: int | None = None  # the number on its sticker
    read: str | None = None  # the color that was read of a tile, where the course of the game shows that it has another

    @property
    def color(self) -> str:
        """What a tile shows."""
        return str(self.what)

    @property
    def card(self) -> Mapping[str, Any]:
        """What a card is; empty where that is unknown."""
        return self.what if isinstance(self.what, Mapping) else {}


@dataclass(frozen=True)
class Observation:
    """What was observed at one moment. A picture is only one way to it."""

    pieces: tuple[Piece, ...]
    zones: Mapping[str, Sequence[Point]] = field(default_factory=dict)
    """The areas of a table that were in sight, each with its outline; empty where there is no picture."""
    problems: tuple[Message, ...] = ()  # what a person should know
    id: str = "table"  # its name within the case
    size: tuple[int, int] | None = None  # the picture's width and height in pixels; None where there is none
    lattice: Sequence[Sequence[Point]] | None = None  # of a sheet: (rows + 1) × (cols + 1) crossings of its grid


What = str | Mapping[str, Any] | None
"""What a person says that a piece is: a tile's color, a card's entry; None: that there is none."""


class Said(NamedTuple):
    """What a person says that the piece at a point (pixels) is; `card`: whether it is a card."""

    at: tuple[float, float]
    is_: What
    card: bool = False
