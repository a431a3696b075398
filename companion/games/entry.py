"""What a game says of itself to the rest of the companion."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from companion.cases.shape import Shape


@dataclass(frozen=True)
class Pieces:
    """What the dispute page needs to lay out a game's pieces.

    Attributes:
        shape: the keys of a table state and the types of their values.
        box: what lies in the box and how much of it, as JSON for the page's module of this game.
    """

    shape: Shape
    box: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Game:
    """A game's place on the shelf. Its name stands in the catalogs, as `game.<slug>`.

    Attributes:
        slug: the name in addresses and table states.
        pieces: what it is entered with by tapping.
        page: the endpoint of the page that reads its photos or follows its table; None while there is none.
        demo: whether a demo table plays it.
    """

    slug: str
    pieces: Pieces
    page: str | None = None
    demo: bool = False
