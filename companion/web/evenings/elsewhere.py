"""All games at once as a file, for other programs; and plays that another program kept, taken in."""

import csv
import io
import re
import time
import unicodedata
from collections.abc import Sequence
from dataclasses import asdict
from datetime import datetime
from hashlib import sha256
from typing import Any

from flask import Blueprint, Response, jsonify, request

from companion.cases.people import MOST_NAME
from companion.cases.results import Listed, PlayElsewhere
from companion.games import GAMES
from companion.web.access.roles import for_guests, for_hosts
from companion.web.answers import as_file, as_json_file
from companion.web.evenings.evenings_page import others
from companion.web.language import date
from companion.web.problems import Problem
from companion.web.request_json import json_body
from companion.web.services import services
from companion.words.catalog import LANGUAGES
from companion.words.words import words

bp = Blueprint("evenings_elsewhere", __name__)

MOST_AT_ONCE = 200
"""Plays of one request; the page sends a file in several."""
MOST_SEATS = 20
ONE_DAY = 24 * 3600.0
"""Seconds by which the clock of the device that wrote a play may be ahead of this one's."""
FARTHEST = 10**6
"""Points that a play may have at most, above or below none."""
EVERY = 10**9
"""More games than there are."""
COLUMNS = ("date", "game", "rule", "short_game", "source", "id", "player", "points", "won")
BYTE_ORDER_MARK = "\ufeff"  # without it a spreadsheet takes Japanese names for something else
SUM = re.compile(r"\s*[-−+]?\d+(\s*[-−+]\s*\d+)*\s*")


@bp.get("/evenings/all.json")
@for_guests
def all_as_json() -> Response:
    """Every game: players, points, winners, and its state where it is one of ours."""
    states = {one.id: one.state for one in (*services().evenings.games(), *others())}
    shown = [{**asdict(one), "state": states.get(one.id)} for one in _all()]
    return as_json_file("evenings", {"games": shown}, "evenings.json")


@bp.get("/evenings/all.csv")
@for_guests
def all_as_csv() -> Response:
    """Every game as a table, a line a player."""
    out = io.StringIO()
    table = csv.writer(out)
    table.writerow(COLUMNS)
    for one in _all():
        head = (date(one.begun), one.game, one.rule, one.short_game, one.source, one.id)
        table.writerows((*head, _cell(name), total, int(name in one.winners)) for name, total in one.players)
    return as_file(BYTE_ORDER_MARK + out.getvalue(), "text/csv", "evenings.csv")


def _all() -> list[Listed]:
    """Every game as it stands now, the newest first."""
    services().results.take(others())
    return services().results.listed(EVERY)[0]


def _cell(name: str) -> str:
    """A name that no spreadsheet takes for a formula."""
    return f"'{name}" if name.startswith(("=", "+", "-", "@")) else name


@bp.post("/api/evenings/plays")
@for_hosts
def take_in() -> Response:
    """Take in plays as the page reads them from an export of BG Stats, all or none: those of our games.

    Each has an `id`, a `date`, the `game`'s name and `players` with `name`, `score` and `winner`. Answers how many were
    `taken`, were `known` already, and are of `other` games.
    """
    plays = json_body().get("plays")
    if not isinstance(plays, list) or len(plays) > MOST_AT_ONCE:
        raise Problem("evenings.problem.plays")
    slugs = _slugs()
    read = [_play(one, slugs) for one in plays]
    ours = [one for one in read if one is not None]
    taken = services().results.take_in(ours)
    return jsonify({"taken": taken, "known": len(ours) - taken, "other": len(read) - len(ours)})


@bp.delete("/api/evenings/plays")
@for_hosts
def forget() -> Response:
    """Delete a play that came from another program."""
    services().results.forget(request.args.get("id", ""))
    return jsonify({})


def _slugs() -> dict[str, str]:
    """Our games by their names in every language, written alike."""
    names = {_alike(words(code).term(f"game.{slug}")): slug for slug in GAMES for code in LANGUAGES}
    return {**names, **{_alike(slug): slug for slug in GAMES}}


def _alike(name: str) -> str:
    return "".join(one for one in unicodedata.normalize("NFKC", name).casefold() if one.isalnum())


def _play(one: Any, slugs: dict[str, str]) -> PlayElsewhere | None:
    """None where it is of another game. Raises Problem."""
    if not isinstance(one, dict) or not all(isinstance(one.get(key), str) for key in ("id", "date", "game")):
        raise Problem("evenings.problem.plays")
    players = one.get("players")
    if not isinstance(players, list) or not 0 < len(players) <= MOST_SEATS:
        raise Problem("evenings.problem.plays")
    seats = tuple(_seat(row) for row in players)
    try:
        begun = datetime.fromisoformat(one["date"]).timestamp()
    except (ValueError, OverflowError, OSError):
        raise Problem("evenings.problem.plays") from None
    if begun > time.time() + ONE_DAY:
        raise Problem("evenings.problem.future", date=date(begun))
    slug = slugs.get(_alike(one["game"]))
    key = sha256(f"bg-stats {one['id']}".encode()).hexdigest()[:16]
    return None if slug is None else PlayElsewhere(key, begun, slug, seats)


def _seat(row: Any) -> tuple[str, int | None, bool]:
    if not isinstance(row, dict) or not isinstance(row.get("name"), str) or type(row.get("winner")) is not bool:
        raise Problem("evenings.problem.plays")
    return row["name"].strip()[:MOST_NAME], _points(row.get("score")), row["winner"]


def _points(score: Any) -> int | None:
    """Points as BG Stats writes them: a number, or a sum as it was entered; None for anything else."""
    text = str(score) if isinstance(score, int | str) and not isinstance(score, bool) else ""
    if len(text) > MOST_NAME or not SUM.fullmatch(text):
        return None
    terms: Sequence[str] = re.findall(r"[-+]?\d+", text.replace("−", "-").replace(" ", ""))
    total = sum(map(int, terms))
    return total if abs(total) <= FARTHEST else None
