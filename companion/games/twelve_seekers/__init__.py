"""Twelve Seekers on the shelf, and its pieces: gems, gold, seeker cards, color cards."""

from companion.cases.shape import ANY_KEY, TABLE
from companion.games.entry import Game, Pieces
from scoring.twelve_seekers.bonuses import PAYING
from scoring.twelve_seekers.kinds import COLORS
from scoring.twelve_seekers.seekers import ADVANCED, BASIC
from scoring.twelve_seekers.sheets import SHEETS
from scoring.twelve_seekers.table import GOLD, OF_A_COLOR

COUNTS = {ANY_KEY: int}
PLAYER = {
    "name": str, "gems": COUNTS, "line": [str], "valid": COUNTS, "invalid": COUNTS, "gold": int, "chips": int,
    "seekers": [(int, str)], "bonuses": [{"seeker": str, "gems": [str], "held": [str]}], "color_cards": [str],
    "choices": {"rainbow": str, "number": int, "plus": ([str], str), "minus": str},
}  # fmt: skip
BOX = {
    "colors": list(COLORS),
    "of_a_color": OF_A_COLOR,
    "rainbow": 1,
    "gold": GOLD,
    "basic": BASIC,
    "advanced": ADVANCED,
    "paying": list(PAYING),
    "rules": [{"rule": rule, "collects": s.kind.collects, "cards": s.kind.cards} for rule, s in SHEETS.items()],
}

GAME = Game("twelve-seekers", Pieces({**TABLE, "rule": int, "players": [PLAYER]}, BOX), page="live.home", demo=True)
