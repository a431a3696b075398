"""What a game says of itself to the rest of the companion."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Game:
    """A game's place on the shelf. Its name stands in the catalogs, as `game.<slug>`.

    Attributes:
        slug: the name in addresses and table states.
        page: the endpoint of its page; None while there is none.
    """

    slug: str
    page: str | None = None
