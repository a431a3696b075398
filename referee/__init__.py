"""Follow a game by successive table states: its moves, the rules they break, pieces that were misread.

Pure: looks in, lines out (`Game.take`, or `follow` for a whole game); no clock, no files, no printing, no language.
"""

from referee.tracker import Game, follow

__all__ = ["Game", "follow"]
