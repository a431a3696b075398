"""Splendor on the shelf, and its pieces: bought cards, nobles, tokens."""

from companion.cases.shape import ANY_KEY, TABLE
from companion.games.entry import Game, Pieces
from scoring.splendor import COLORS, GOAL, RESERVE_LIMIT, TOKEN_LIMIT, TOKENS

COUNTS = {ANY_KEY: int}
PLAYER = {
    "name": str, "cards": [{"points": int, "bonus": str}], "nobles": (int, [COUNTS]), "tokens": COUNTS, "reserved": int,
}  # fmt: skip
BOX = {
    "colors": list(COLORS),
    "tokens": list(TOKENS),
    "token_limit": TOKEN_LIMIT,
    "reserve_limit": RESERVE_LIMIT,
    "goal": GOAL,
    "most_points": 5,
    "most_players": 4,
}

GAME = Game("splendor", Pieces({**TABLE, "round_over": bool, "players": [PLAYER]}, BOX), page="live.home")
