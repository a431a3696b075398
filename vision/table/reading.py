"""The reading of one picture of a table: every stage's result, in one frozen value."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from common.messages import Message

if TYPE_CHECKING:
    import numpy as np

SAID = ("tile.stacked", "tile.box", "tile.border")
"""The doubts that a person is told of beside the tile; that a color is not certain the tile says itself."""
COLORS = ("red", "yellow", "green", "blue", "purple", "rainbow", "gold")


@dataclass(frozen=True)
class Tile:
    """A gem tile.

    Attributes:
        color: one of COLORS.
        zone: the zone's name; None outside every zone.
        row, col: from 0, from the zone's top left as its player sees it; None outside every zone.
        center: (2,) in pixels of the picture.
        polygon: (n, 2) its outline in pixels of the picture.
        confidence: 0 to 1, how likely it is a tile of this color.
        doubtful: whether a person should look at it; `doubt` says why, as a message key.
        borders: the zones whose border it lies on.
    """

    color: str
    zone: str | None
    row: int | None
    col: int | None
    center: np.ndarray
    polygon: np.ndarray
    confidence: float
    doubtful: bool = False
    doubt: str = ""
    borders: tuple[str, ...] = ()


@dataclass(frozen=True)
class Card:
    """A card, known by its sticker or by its face.

    Attributes:
        marker: the sticker's id; None where the card was known by its face.
        card: what the profile says of the sticker, or the deck's entry; None where it is unknown.
        zone: the zone's name; None outside every zone.
        polygon: (4, 2) pixels, from its own top left: the sticker's printed black square, or the card's corners.
        deck: the name of the deck whose face it shows.
        confidence: 0 to 1, how likely it is that card; stickers are certain.
        doubtful: whether a person should look at it.
        nearest: entries of the cards that it may be where that is in doubt, the likeliest first.
    """

    marker: int | None
    card: Mapping[str, Any] | None
    zone: str | None
    polygon: np.ndarray
    deck: str | None = None
    confidence: float = 1.0
    doubtful: bool = False
    nearest: tuple[Mapping[str, Any], ...] = ()

    @property
    def name(self) -> str:
        """The sticker's number or the card's id, as people are told of it."""
        return str(self.marker) if self.marker is not None else str((self.card or {}).get("id", "?"))

    def to_json(self, polygon: list[list[float]]) -> dict[str, Any]:
        """The public JSON object; `polygon` as it is to stand there."""
        out: dict[str, Any] = {
            "marker": self.marker,
            "card": None if self.card is None else dict(self.card),
            "zone": self.zone,
            "polygon": polygon,
        }
        if self.marker is None:
            out |= {"deck": self.deck, "confidence": round(self.confidence, 4), "doubtful": self.doubtful}
            if self.nearest:
                out["nearest"] = [dict(entry) for entry in self.nearest]
        return out


def tile_problems(tiles: Sequence[Tile]) -> tuple[Message, ...]:
    """What is wrong with where tiles lie or how many there are: one problem a kind and zone (or zones, on a border).

    Values: `zone` where they are counted, or for `tile.border` the `zones` on whose border they lie; `n`; their
    `colors`; and `tiles`, their indices.
    """
    alike: dict[tuple[str, Any], list[int]] = {}
    for i, tile in enumerate(tiles):
        if tile.doubt in SAID:
            alike.setdefault((tile.doubt, tile.borders if tile.doubt == "tile.border" else tile.zone), []).append(i)
    return tuple(
        Message(
            key,
            {
                **({"zones": list(where)} if key == "tile.border" else {"zone": where}),
                "n": len(mine),
                "colors": [tiles[i].color for i in mine],
                "tiles": mine,
            },
        )
        for (key, where), mine in sorted(alike.items(), key=lambda one: SAID.index(one[0][0]))
    )


@dataclass(frozen=True)
class TableReading:
    """A picture of a table, read.

    Attributes:
        tiles, cards: what lies there.
        zones: outlines, (n, 2) in pixels, of the zones that were located.
        problems: markers hidden, zones that overlap, tiles on a border …
        seconds: each stage's time.
    """

    tiles: tuple[Tile, ...]
    cards: tuple[Card, ...]
    zones: Mapping[str, np.ndarray]
    problems: tuple[Message, ...] = ()
    seconds: Mapping[str, float] = field(default_factory=dict)

    @property
    def doubtful(self) -> tuple[int, ...]:
        """Indices into `tiles` that a person should check."""
        return tuple(i for i, tile in enumerate(self.tiles) if tile.doubtful)

    def to_json(self, shift: float = 0.5, scale: float = 1.0) -> dict[str, Any]:
        """`tiles`, `cards` and `doubtful` of the public JSON object.

        Pixels there count from the first pixel's corner (`shift`), and are the file's (`scale` of them a pixel).
        """

        def points(p: np.ndarray) -> list[list[float]]:
            return [[round(float((x + shift) * scale), 2) for x in point] for point in p]

        tiles = [
            {"color": t.color, "zone": t.zone, "row": t.row, "col": t.col, "center": points(t.center[None])[0],
             "polygon": points(t.polygon), "confidence": round(t.confidence, 4)}
            for t in self.tiles
        ]  # fmt: skip
        cards = [card.to_json(points(card.polygon)) for card in self.cards]
        return {"tiles": tiles, "cards": cards, "doubtful": list(self.doubtful)}
