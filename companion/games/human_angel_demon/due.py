"""Human Angel Demon: which short game of the match it is, and what the market asks for."""

from collections.abc import Iterator

from common.messages import Message
from companion.games.moment import Moment
from scoring.human_angel_demon.score import SHORT_GAMES


def due(now: Moment) -> Iterator[Message]:
    """The empty market is filled again; then the number of the short game."""
    n, number, market = len(now.players), now.seen.get("short_game"), now.seen.get("market")
    if market == [] and not now.owed:
        yield Message("due.had.market", {"n": n + 1})
    if isinstance(number, int) and n in SHORT_GAMES:
        yield Message("due.had.short-game", {"n": number, "of": SHORT_GAMES[n]})
