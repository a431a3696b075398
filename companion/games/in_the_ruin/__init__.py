"""In the Ruin: photographed map sheets become a table state, and points find their way back to the sheet.

`edits` is the list of what can happen to a game that is being scored, and folds it into what is known, a `play`.
`companion.cases.sheet` turns that into the public table state, and leads from a scored line back to cells and ticks.
"""

from companion.games.entry import Game, Start
from companion.games.in_the_ruin.due import due
from companion.games.in_the_ruin.told import TOLD
from companion.games.shape import ANY_KEY, NULL, TABLE, middle
from scoring.in_the_ruin.middle import RUIN_GAME, RUIN_PLAYER
from scoring.in_the_ruin.score import HAND_LIMIT
from scoring.in_the_ruin.table import SIZE

ROWS = COLS = SIZE
STAGES = ("first", "end")
TRACKS = ("gems", "penalties")
PIECES = (
    "##", "###", "##/#.", "####", "###/#..", "###/.#.", "##./.##", "#####", "####/#...", "####/.#..", "###./..##",
    "###/#../#..", "###/.#./.#.", "###/#.#", "##./.##/..#", "##./.#./.##", "##./.##/.#.", ".#./###/.#.",
)  # fmt: skip
"""The shapes that a card's piece can have, the smallest first, rows apart by a slash: no square of 2 × 2 is in one."""

PLAYER = {
    "name": str, "map": [str], "first_map": [str], "first_square": int, "destinations": [str],
    "first_destinations": [str], "gems": int, "penalties": int, "escaped": (NULL, int), "goals": [[str]],
    **middle(RUIN_PLAYER),
}  # fmt: skip
SHAPE = {
    **TABLE,
    **middle(RUIN_GAME),
    "letters": {ANY_KEY: [int]},
    "charge_blocks": bool,
    "goes_on": bool,
    "players": [PLAYER],
}

GAME = Game(
    "in-the-ruin",
    SHAPE,
    {"size": SIZE, "goals": HAND_LIMIT},
    followed=frozenset({"players"}),
    start=Start((1, 2, 3, 4), lambda n: {"destinations": 2 * n}),
    rows={
        "square-first": ("ruin.square.first", "ruin.square.written", "ruin.square.none"),
        "square-second": ("ruin.square.second",),
        "gems": ("ruin.gems",),
        "routes": ("ruin.route.",),
        "escape": ("ruin.escape.",),
        "penalties": ("ruin.penalties", "ruin.blocks."),
    },
    mark=300,
    due=due,
    told=TOLD,
)
