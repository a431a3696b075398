"""Human Angel Demon: short games of collecting sets, a match of several.

`sets` knows cards, sets and the goal form, `table` checks the state, `conditions` what red cards pay in
the advanced game, `score` puts the winner's points, the discarder's loss and the match together.
"""

from scoring.human_angel_demon.score import QUESTIONS, score
from scoring.human_angel_demon.table import read

__all__ = ["QUESTIONS", "read", "score"]
