"""In the Ruin: photographed map sheets become a table state, and points find their way back to the sheet.

`edits` is the list of what can happen to a game that is being scored, `play` folds it into
what is known, `state` turns that into the public table state, `evidence` leads from a scored
line back to cells and ticks.
"""

from companion.games.entry import Game
from companion.games.in_the_ruin.pieces import PIECES

GAME = Game("in-the-ruin", PIECES, page="ruin.home")
ROWS = COLS = 11
STAGES = ("first", "end")
