"""A table at rest as it is kept in its history, and the case that such a record makes."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

from common.messages import Message
from companion.cases.case import Case, Doubt
from companion.cases.table import TableState
from companion.games import GAMES
from companion.record import CARD, TILE, Observation, Piece
from vision.table.reading import COLORS, TableReading

if TYPE_CHECKING:
    import numpy as np

Kept = Mapping[str, Any]
READ = "read"
"""What of a record was read otherwise than people said it is: its `tiles` and `cards` as they were read."""
NOTHING_SURE = 4
"""Tiles of an area, all of them in doubt, from which on they are asked about together: is any of them a tile?"""
NO_TILE = ""
"""The choice that a piece is no tile at all."""


def record(
    size: tuple[int, int],
    seen: TableReading,
    said: frozenset[int],
    gone: Iterable[np.ndarray],
    table: TableState,
    read: TableReading | None = None,
) -> dict[str, Any]:
    """A table at rest as JSON: enough to draw it again and to score it again.

    Args:
        size: width and height of the picture in pixels.
        seen: what was read, with people's corrections, and as the course of the game put it right.
        said: indices of the tiles, then cards, of which a person said what they are.
        gone: outlines of what a person said is none.
        table: the state that it makes.
        read: the same pieces before the course of the game put any right; None: it put none right.
    """
    return {
        "size": list(size),
        **pieces(seen, said, read),
        "gone": [outline(polygon) for polygon in gone],
        "zones": {name: outline(polygon) for name, polygon in seen.zones.items()},
        "problems": [[p.key, dict(p.values)] for p in table.problems],
        "state": table.state,
        "places": {place: list(pieces) for place, pieces in table.places.items()},
        "players": list(table.zones),
        "kinds": sorted(table.kinds),
    }


def pieces(seen: TableReading, said: frozenset[int] = frozenset(), read: TableReading | None = None) -> dict[str, Any]:
    """The `tiles` and `cards` of a record, see there; a tile that was put right has `read`, the color that was read."""
    was = [tile.color for tile in (read or seen).tiles]
    return {
        "tiles": [
            {
                "color": t.color,
                "zone": t.zone,
                "row": t.row,
                "col": t.col,
                "polygon": outline(t.polygon),
                "confidence": round(t.confidence, 3),
                "doubtful": t.doubtful,
                "doubt": t.doubt,
                "borders": list(t.borders),
                "said": i in said,
                **({"read": was[i]} if was[i] != t.color else {}),
            }
            for i, t in enumerate(seen.tiles)
        ],
        "cards": [
            {**card.to_json(outline(card.polygon)), "said": i in said}
            for i, card in enumerate(seen.cards, len(seen.tiles))
        ],
    }


def outline(polygon: np.ndarray) -> list[list[float]]:
    """Points (n, 2) for drawing: pixels from the first pixel's corner."""
    return [[round(float(x) + 0.5, 1), round(float(y) + 0.5, 1)] for x, y in polygon]


def table_case(kept: Kept) -> Case:
    """The case of a kept record."""
    places = {place: tuple(f"p{i}" for i in pieces) for place, pieces in kept["places"].items()}
    counts = {piece: place for place, pieces in places.items() for piece in pieces}
    shown = pieces_of(kept)
    game = GAMES[kept["state"]["game"]]
    together = _together(shown)
    doubts = tuple(
        Doubt(piece.id, {}, *_counted(counts.get(piece.id)), alike=together.get(piece.zone, ()))
        if piece.kind == TILE
        else Doubt(piece.id, _nearest(kept, piece.id), counts.get(piece.id))
        for piece in shown
        if piece.doubt is not None and not piece.said and not (piece.kind == TILE and game.chips)
    )
    problems = tuple(
        (Message(key, values), tuple(f"p{i}" for i in values.get("tiles", ())))
        for key, values in kept["problems"]
        if not (key in ("tile.stacked", "tile.box") and values.get("zone") is None)  # a heap of spare tiles
    )
    width, height = kept["size"]
    return Case(kept["state"], places, (Observation(shown, size=(width, height)),), doubts, problems)


def _together(shown: Iterable[Piece]) -> dict[str | None, tuple[str, ...]]:
    """The tiles of each area in which several lie and none is sure: a printed board or a cloth looks like that."""
    areas: dict[str, list[Piece]] = {}
    for piece in shown:
        if piece.kind == TILE and piece.zone is not None:
            areas.setdefault(piece.zone, []).append(piece)
    return {
        zone: tuple(piece.id for piece in tiles)
        for zone, tiles in areas.items()
        if len(tiles) >= NOTHING_SURE
        and all(piece.doubt is not None and piece.doubt.key == "tile.unsure" and not piece.said for piece in tiles)
    }


def pieces_of(kept: Kept) -> tuple[Piece, ...]:
    """The pieces of a record: its tiles, then its cards, each named by its index among all."""
    tiles, cards = kept["tiles"], kept["cards"]
    return (
        *(
            Piece(
                *(f"p{i}", TILE, Message(f"color.{t['color']}"), t["polygon"], t["confidence"], why(t), t["said"]),
                *(t["color"], t["zone"], _place(t), None, t.get("read")),
            )
            for i, t in enumerate(tiles)
        ),
        *(
            Piece(
                *(f"p{i}", CARD, _card(c), c["polygon"], c.get("confidence"), _card_doubt(c), c.get("said", False)),
                *(c["card"], c["zone"], None, c["marker"]),
            )
            for i, c in enumerate(cards, len(tiles))
        ),
    )


def _place(tile: Mapping[str, Any]) -> tuple[int, int] | None:
    row, col = tile.get("row"), tile.get("col")
    return None if row is None or col is None else (row, col)


def why(tile: Mapping[str, Any]) -> Message | None:
    """Why a person should look at a tile of a record; None where nobody needs to."""
    doubt, zone = tile["doubt"], tile["zone"]
    if not tile["doubtful"] or not doubt:
        return None
    own = "tile.border.nobody" if doubt == "tile.border" and zone is None else f"{doubt}.this"
    own = doubt if doubt == "tile.unsure" else own
    return Message(own, {"zone": zone, "zones": tile.get("borders", []), "colors": [tile["color"]]})


def _card_doubt(card: Mapping[str, Any]) -> Message | None:
    unread = card["card"] is None
    return Message("card.unread" if unread else "card.unsure") if card.get("doubtful") else None


def _nearest(kept: Kept, piece: str) -> dict[str, Message]:
    """The cards that a doubtful one may be, by their numbers in the game's own list, and that it is none."""
    card, game = kept["cards"][int(piece[1:]) - len(kept["tiles"])], GAMES[kept["state"]["game"]]
    near = {
        game.number_of(entry): Message("card", {"card": entry, "marker": None}) for entry in card.get("nearest", ())
    }
    return {str(n): words for n, words in near.items() if n is not None} | {NO_TILE: Message("js.live.no-card")}


def _card(card: Mapping[str, Any]) -> Message:
    return Message("card", {"card": card["card"], "marker": card["marker"]})


def _counted(place: str | None) -> tuple[str | None, tuple[Any, ...]]:
    """The place of the state where a tile counts by its color, and the colors that may stand there."""
    if place is None or "/line/" not in place:
        return place, ()
    return place, tuple(color for color in COLORS if color != "gold")
