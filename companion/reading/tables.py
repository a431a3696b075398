"""A picture of a table as an observation."""

from collections.abc import Collection

import numpy as np

from common.messages import Message
from companion.cases.table import Entries, TableState, table_state
from companion.games import game_of
from companion.reading import print_scale
from companion.record import CARD, TILE, Observation, Piece, Point
from vision.table.palette import Palette
from vision.table.profile import TableProfile
from vision.table.read import TableReader
from vision.table.reading import Card, TableReading, Tile


def table_reader(profile: TableProfile, palette: Palette | None = None) -> TableReader:
    """What reads pictures of a table on which this game's tiles lie.

    Raises TableProfileError (no such game), PaletteError or OSError (the profile's palette cannot be used).
    """
    game = game_of(profile)
    return TableReader(profile, palette, game.tiles, game.chips)


def observation(reading: TableReading, profile: TableProfile, said: Collection[int] = ()) -> Observation:
    """What a reading of a table shows: its tiles, then its cards.

    Args:
        said: indices of those of which a person said what they are.

    Raises TableProfileError: no such game.
    """
    tiles = [_tile(i, tile, i in said) for i, tile in enumerate(reading.tiles)]
    cards = [_card(i, card, i in said) for i, card in enumerate(reading.cards, len(tiles))]
    problems = (*reading.problems, *print_scale.problems(reading, profile, game_of(profile)))
    zones = {name: outline(polygon) for name, polygon in reading.zones.items()}
    return Observation((*tiles, *cards), zones, tuple(Message(one.key, one.values) for one in problems))


def read_state(
    reading: TableReading, profile: TableProfile, entries: Entries | None = None, kinds: frozenset[str] = frozenset()
) -> TableState:
    """The state that a reading shows, see `table_state`. Raises TableProfileError: no such game."""
    return table_state(observation(reading, profile), profile, entries, kinds)


def outline(polygon: np.ndarray) -> list[Point]:
    """Points (n, 2) for drawing: pixels from the first pixel's corner."""
    return [(float(x) + 0.5, float(y) + 0.5) for x, y in polygon]


def _tile(i: int, tile: Tile, said: bool) -> Piece:
    at = None if tile.row is None or tile.col is None else (tile.row, tile.col)
    doubt = Message(tile.doubt or "tile.unsure") if tile.doubtful else None
    label, polygon = Message(f"color.{tile.color}"), outline(tile.polygon)
    return Piece(f"p{i}", TILE, label, polygon, tile.confidence, doubt, said, tile.color, tile.zone, at)


def _card(i: int, card: Card, said: bool) -> Piece:
    doubt = Message("card.unread" if card.card is None else "card.unsure") if card.doubtful else None
    label = Message("card", {"card": card.card, "marker": card.marker})
    where = card.zone, None, card.marker
    return Piece(f"p{i}", CARD, label, outline(card.polygon), card.confidence, doubt, said, card.card, *where)
