"""A game followed from look to look: moves, slips and the rules that they break, readings that cannot be.

Pure: looks in, lines out (`Game.take`, or `follow` for a whole game); no clock, no files, no printing, no language.
"""

from referee.tracker import GAMES, Game, follow

__all__ = ["GAMES", "Game", "follow"]
