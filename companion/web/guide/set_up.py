"""What lies on the table before the first turn, for each game and number of players."""

from typing import Final

from flask import Blueprint, render_template, request

from companion.games import GAMES
from companion.games.entry import Start
from companion.web.access.roles import for_guests
from companion.web.answers import found
from companion.web.language import request_words

bp = Blueprint("set_up", __name__)

ALONE: Final = ".solo"


@bp.get("/set-up/<game>")
@for_guests
def page(game: str) -> str:
    """The steps for so many players (`players`)."""
    played = found(GAMES.get(game), "problem.no-page")
    how = found(played.start, "problem.no-page")
    asked = request.args.get("players", type=int)
    players = asked if asked in how.players else how.players[0] if len(how.players) == 1 else 2
    return render_template(
        "set_up.html", game=played, all_players=how.players, players=players, steps=steps(game, how, players)
    )


def steps(game: str, how: Start, players: int) -> list[str]:
    """The sentences, in the language of the request."""
    words, values = request_words(), how.values(players)
    kind = f"set-up.{game}{ALONE}." if players == 1 else f"set-up.{game}."
    keys = sorted(key for key, _ in words.starting(kind) if key.removeprefix(kind).isdecimal())
    return [words.say(key, **values) for key in keys]
