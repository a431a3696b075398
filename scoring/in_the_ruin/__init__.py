"""In the Ruin: a map drawn on a sheet of 11 × 11 cells.

`table` checks the state, `escape` ranks those who got out, `lines` scores a player's sheet.
"""

from scoring.in_the_ruin.score import QUESTIONS, score
from scoring.in_the_ruin.table import read

__all__ = ["QUESTIONS", "read", "score"]
