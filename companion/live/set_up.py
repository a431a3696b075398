"""Look over a table before its game begins: are all pieces there, are the players' places empty?"""

from collections import Counter
from collections.abc import Mapping

import cv2
import numpy as np

from companion.games.entry import Game
from companion.games.set_up import Check, Laid
from vision.table.reading import TableReading


def checks(reading: TableReading, areas: Mapping[str, np.ndarray], game: Game) -> list[Check]:
    """What a table with these areas, (4, 2) pixels each, shows before the first turn, as far as its game says."""
    places = [name for name in areas if name != game.middle]
    if game.table is None or game.table.set_up is None or not places:
        return []
    outlines = {name: area.astype(np.float32) for name, area in areas.items()}

    def where(polygon: np.ndarray) -> str | None:
        at = tuple(map(float, np.asarray(polygon, np.float64).mean(0)))
        return next((name for name, area in outlines.items() if cv2.pointPolygonTest(area, at, False) >= 0), None)

    tiles = [(where(tile.polygon), tile) for tile in reading.tiles]
    cards = [(where(card.polygon), card.card.get("kind", "")) for card in reading.cards if card.card]
    laid = Laid(
        Counter(tile.color for name, tile in tiles if name == game.middle),
        Counter(kind for name, kind in cards if name not in places),
        sum(tile.doubtful for name, tile in tiles if name == game.middle),
        len(places),
        sum(name in places and tile.color in game.tiles for name, tile in tiles)
        + sum(name in places and kind in game.grows for name, kind in cards),
    )
    return [*game.table.set_up(laid)]
