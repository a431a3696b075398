"""The pieces of a map sheet: cells, letters, tracks, goal cards."""

from companion.cases.shape import ANY_KEY, NULL, TABLE
from companion.games.entry import Pieces
from scoring.in_the_ruin.score import HAND_LIMIT
from scoring.in_the_ruin.table import SIZE

PLAYER = {
    "name": str, "map": [str], "first_map": [str], "first_square": int, "destinations": [str],
    "first_destinations": [str], "gems": int, "penalties": int, "escaped": (NULL, int), "goals": [[str]],
}  # fmt: skip
SHAPE = {**TABLE, "letters": {ANY_KEY: [int]}, "charge_blocks": bool, "players": [PLAYER]}

PIECES = Pieces(SHAPE, {"size": SIZE, "goals": HAND_LIMIT})
