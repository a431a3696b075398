"""Twelve Seekers: gems out of a dungeon, scored by one of twenty rule sheets.

`sheets` holds the twenty sheets as tables over the few `kinds` of rule; `seekers` the seeker cards, `bonuses`
what five of them may pay; `table` checks the state, `choices` takes the best legal choice, `score` puts it together.
"""

from scoring.twelve_seekers.score import QUESTIONS, score
from scoring.twelve_seekers.table import read

__all__ = ["QUESTIONS", "read", "score"]
