"""The games: each a folder below this one whose `GAME` is all that it is besides its rules.

Written down in the order in which they stand on the shelf; the rules of each are listed in `scoring.games`.
"""

from collections.abc import Iterator, Mapping
from importlib import import_module

from companion.games.entry import Game
from vision.table.profile import TableProfile, TableProfileError

SLUGS = ("in-the-ruin", "twelve-seekers", "human-angel-demon", "splendor", "igna")


class _Games(Mapping[str, Game]):
    """Each game by its slug, loaded when it is first asked for: who reads a sheet waits for no other game's rules."""

    def __getitem__(self, slug: str) -> Game:
        if slug not in SLUGS:
            raise KeyError(slug)
        game: Game = import_module(f"companion.games.{slug.replace('-', '_')}").GAME
        return game

    def __iter__(self) -> Iterator[str]:
        return iter(SLUGS)

    def __len__(self) -> int:
        return len(SLUGS)


GAMES: Mapping[str, Game] = _Games()
FIRST = "twelve-seekers"
"""The game of a table whose profile names none: the first whose tables were read."""


def table_games() -> list[Game]:
    """The games whose table is read."""
    return [game for game in GAMES.values() if game.table is not None]


def game_of(profile: TableProfile) -> Game:
    """The game that is played on a table. Raises TableProfileError where it is none whose table is read."""
    game = GAMES.get(profile.game or FIRST)
    if game is None or game.table is None:
        raise TableProfileError("game", "profile.key", profile.game, keys=[game.slug for game in table_games()])
    return game
