"""Look over a table before its game begins: are all pieces there, are the players' places empty?"""

from collections import Counter
from collections.abc import Mapping, Sequence

import cv2
import numpy as np

from companion.games.entry import Game
from companion.games.set_up import Check, Laid
from vision.table.reading import TableReading, Tile
from vision.table.rows import rows_and_columns

WHITE = 240
"""Level of a pixel's darkest channel from which on a light has burnt it out."""
GLARE = 0.08
"""Share of a tile that is burnt out where a light glares on it."""


def checks(
    reading: TableReading, areas: Mapping[str, np.ndarray], game: Game, picture: np.ndarray | None = None
) -> list[Check]:
    """What a table with these areas, (4, 2) pixels each, shows before the first turn, as far as its game says.

    `picture`: (H, W, 3) BGR, of which this is the reading; without it nothing is said of glare.
    """
    places = [name for name in areas if name != game.middle]
    if game.table is None or game.table.set_up is None or not places:
        return []
    outlines = {name: area.astype(np.float32) for name, area in areas.items()}

    def where(polygon: np.ndarray) -> str | None:
        at = tuple(map(float, np.asarray(polygon, np.float64).mean(0)))
        return next((name for name, area in outlines.items() if cv2.pointPolygonTest(area, at, False) >= 0), None)

    tiles = [(where(tile.polygon), tile) for tile in reading.tiles]
    cards = [(where(card.polygon), card.card.get("kind", "")) for card in reading.cards if card.card]
    doubtful = [tile for name, tile in tiles if name == game.middle and tile.doubtful]
    glaring = {id(tile) for tile in doubtful if picture is not None and _glares(picture, tile)}
    laid = Laid(
        Counter(tile.color for name, tile in tiles if name == game.middle),
        Counter(kind for name, kind in cards if name not in places),
        tuple(tile.color for tile in doubtful if id(tile) not in glaring),
        tuple(tile.color for tile in doubtful if id(tile) in glaring),
        len(places),
        sum(name in places and tile.color in game.tiles for name, tile in tiles)
        + sum(name in places and kind in game.grows for name, kind in cards),
        _rows([tile.polygon for name, tile in tiles if name == game.middle], areas.get(game.middle)),
    )
    return [*game.table.set_up(laid)]


def _rows(polygons: Sequence[np.ndarray], area: np.ndarray | None) -> int:
    """In how many rows tiles lie, as they are read in an area that has no size; a column is a row that is turned."""
    if not polygons or area is None:
        return 1
    along, down = area[1] - area[0], area[3] - area[0]
    tile = float(np.median([np.linalg.norm(one - np.roll(one, 1, 0), axis=1).min() for one in polygons]))
    frame = np.stack([along / np.linalg.norm(along), down / np.linalg.norm(down)]) / tile
    places = np.array([one.mean(0) for one in polygons])
    rows, columns = rows_and_columns(places @ frame.T, area @ frame.T).max(0) + 1
    return int(rows) if columns > 1 else 1


def _glares(picture: np.ndarray, tile: Tile) -> bool:
    """Whether a light has burnt out a part of this tile."""
    x, y, wide, high = cv2.boundingRect(np.round(tile.polygon).astype(np.int32))
    part = picture[max(y, 0) : y + high, max(x, 0) : x + wide]
    if not part.size:
        return False
    inside = np.zeros(part.shape[:2], np.uint8)
    cv2.fillPoly(inside, [np.round(tile.polygon - (max(x, 0), max(y, 0))).astype(np.int32)], 1)
    return bool((part.min(2)[inside > 0] >= WHITE).mean() >= GLARE) if inside.any() else False
