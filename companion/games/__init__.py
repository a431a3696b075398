"""The games: each a folder below this one whose `GAME` is all that it is besides its rules.

Written down in the order in which they stand on the shelf; the rules of each are listed in `scoring.games`.
"""

from collections.abc import Mapping

from companion.games import human_angel_demon, igna, in_the_ruin, splendor, twelve_seekers
from companion.games.entry import Game
from vision.table.profile import TableProfile, TableProfileError

GAMES: Mapping[str, Game] = {
    game.slug: game
    for game in (in_the_ruin.GAME, twelve_seekers.GAME, human_angel_demon.GAME, splendor.GAME, igna.GAME)
}
FIRST = twelve_seekers.GAME
"""The game of a table whose profile names none: the first whose tables were read."""


def table_games() -> list[Game]:
    """The games whose table is read."""
    return [game for game in GAMES.values() if game.table is not None]


def game_of(profile: TableProfile) -> Game:
    """The game that is played on a table. Raises TableProfileError where it is none whose table is read."""
    game = GAMES.get(profile.game) if profile.game else FIRST
    if game is None or game.table is None:
        raise TableProfileError("game", "profile.key", profile.game, keys=[game.slug for game in table_games()])
    return game
