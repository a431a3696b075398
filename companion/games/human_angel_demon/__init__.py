"""Human Angel Demon on the shelf, and its pieces: a hundred cards."""

from companion.cases.shape import NULL, TABLE
from companion.games.entry import Game, Pieces
from scoring.human_angel_demon.sets import ATTRIBUTES, BLACK, RED
from scoring.human_angel_demon.table import HAND, PICTURES

PLAYER = {
    "name": str, "points": int, "open": [[str]], "hand": [str], "discards": [str], "ready": bool, "winning_card": str,
}  # fmt: skip
SHAPE = {
    **TABLE, "advanced": bool, "winner": (NULL, str), "won_by": (NULL, str), "discarder": (NULL, str),
    "short_game": int, "bonus": [str], "item_win": [int], "players": [PLAYER],
}  # fmt: skip
BOX = {"attributes": ATTRIBUTES, "black": BLACK, "red": RED, "hand": HAND, "pictures": PICTURES}

GAME = Game("human-angel-demon", Pieces(SHAPE, BOX), page="live.home")
