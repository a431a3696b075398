"""The shelf: the five games, written down in the order in which they stand there.

Each game introduces itself in a module or package of its own below this one; `GAME` is
its entry. A game without a page yet stands on the shelf all the same and says so.
"""

from collections.abc import Mapping

from companion.games import human_angel_demon, igna, in_the_ruin, splendor, twelve_seekers
from companion.games.entry import Game

SHELF: tuple[Game, ...] = (
    in_the_ruin.GAME,
    twelve_seekers.GAME,
    human_angel_demon.GAME,
    splendor.GAME,
    igna.GAME,
)
BY_SLUG: Mapping[str, Game] = {game.slug: game for game in SHELF}
