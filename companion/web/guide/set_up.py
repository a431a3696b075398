"""What lies on the table before the first turn, for each game and number of players."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final

from flask import Blueprint, render_template, request

from companion.games import GAMES
from companion.web.access.roles import for_guests
from companion.web.answers import found
from companion.web.language import request_words
from scoring.human_angel_demon.score import ENOUGH, SHORT_GAMES
from scoring.splendor import LAID_OUT, OF_A_COLOR

bp = Blueprint("set_up", __name__)

ALONE: Final = ".solo"


@dataclass(frozen=True)
class SetUp:
    """For how many a game is set up, and what depends on that: the values of the sentences `set-up.<game>.<n>`."""

    players: tuple[int, ...]
    values: Callable[[int], Mapping[str, int]] = lambda n: {}


SET_UPS: Final[Mapping[str, SetUp]] = {
    "in-the-ruin": SetUp((1, 2, 3, 4), lambda n: {"destinations": 2 * n}),
    "twelve-seekers": SetUp((2,)),
    "human-angel-demon": SetUp((2, 3, 4), lambda n: {"market": n + 1, "games": SHORT_GAMES[n], "mark": ENOUGH[n]}),
    "splendor": SetUp((2, 3, 4), lambda n: {"nobles": n + 1, "tokens": LAID_OUT.get(n, OF_A_COLOR)}),
    "igna": SetUp((2,)),
}


@bp.get("/set-up/<game>")
@for_guests
def page(game: str) -> str:
    """The steps for so many players (`players`)."""
    how = found(SET_UPS.get(game), "problem.no-page")
    asked = request.args.get("players", type=int)
    players = asked if asked in how.players else how.players[0] if len(how.players) == 1 else 2
    return render_template(
        "set_up.html", game=GAMES[game], all_players=how.players, players=players, steps=steps(game, players)
    )


def steps(game: str, players: int) -> list[str]:
    """The sentences, in the language of the request."""
    words, values = request_words(), SET_UPS[game].values(players)
    kind = f"set-up.{game}{ALONE}." if players == 1 else f"set-up.{game}."
    keys = sorted(key for key, _ in words.starting(kind) if key.removeprefix(kind).isdecimal())
    return [words.say(key, **values) for key in keys]
