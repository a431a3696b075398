"""Table state to breakdown, for each game: no files, no clock, no printing, no language.

`score_state` is the way in; `scoring.games` is the written list of games.
"""

from scoring.breakdown import Breakdown
from scoring.errors import StateError
from scoring.games import score_state

__all__ = ["Breakdown", "StateError", "score_state"]
