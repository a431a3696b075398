"""Igna on the shelf, and its pieces: treasure cards in sets of three, and the values of the help card."""

from companion.cases.shape import TABLE
from companion.games.entry import Game, Pieces
from scoring.igna import KINDS, SETS_TO_END

CARD = (str, {"color": str, "number": int, "bonus": bool})
SHAPE = {**TABLE, "points": {**dict.fromkeys(KINDS, int), "bonus": int}, "players": [{"name": str, "sets": [[CARD]]}]}
BOX = {
    "colors": ["red", "yellow", "green", "blue", "purple", "white"],
    "numbers": 7,
    "kinds": list(KINDS),
    "sets_to_end": SETS_TO_END,
}
"""The rulebook names neither the colors nor the highest number: these are offered, others are taken as they come."""

GAME = Game("igna", Pieces(SHAPE, BOX), page="live.home")
