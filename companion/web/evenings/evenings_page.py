"""Evenings on the page: all games with players, points and winners, who wins at what, and an evening as a file."""

import re
import time
from collections.abc import Iterator
from dataclasses import asdict
from datetime import datetime
from math import isfinite
from typing import Any

from flask import Blueprint, Response, jsonify, redirect, render_template, request, url_for
from werkzeug.wrappers import Response as AnyResponse

from common.file_kind import is_marked, kind_of
from common.messages import Message
from companion.cases import address
from companion.cases.evenings import Played, Standing, Tap
from companion.cases.journal import GAME as TABLES
from companion.cases.journal import Journal
from companion.cases.people import COLORS, MOST_NAME
from companion.cases.results import IMPORTED, Listed, RowOfSheet, Which
from companion.cases.sheet import play_state
from companion.cases.store import ID
from companion.cases.tapped import TAPPED
from companion.games import GAMES
from companion.live.change_log import TABLE, News
from companion.live.session import GOES_ON, left_unfinished
from companion.log import ONCE, REDO, UNDO
from companion.web.access.access_control import asking
from companion.web.access.roles import for_guests, for_hosts, for_players
from companion.web.answers import as_json_file, compressed, found
from companion.web.cases.case_page import kept_case, next_game, own_steps, shared_case, state_of_text
from companion.web.language import date
from companion.web.news import event_stream
from companion.web.problems import Problem
from companion.web.request_json import json_body, once_of
from companion.web.services import services
from companion.web.sheet_profiles import load_sheet
from companion.web.sheets import plays

bp = Blueprint("evenings", __name__)

DAY = re.compile(r"\d{4}-\d{2}-\d{2}")
MOST_IN_FILE = 200
"""Games of an evening that are taken in at most."""
MOST_PLAYERS, LONGEST_NAME = 20, 100
"""Of a game that is taken in: players, and characters of a name."""
ONE_DAY = 24 * 3600.0
"""Seconds by which the clock of the computer that wrote a file may be ahead of this one's."""
MOST_LISTED = 100
"""Games on one page, the last ones."""
MOST_PAIRS = 12
"""Pairs of players that are compared, those who met most often."""
MOST_NAMES, MOST_TOGETHER, MOST_LINES, LONGEST_LINE = 24, 8, 4, 60
"""People who can be asked for, those asked for together, lines of a picture, and games of a line: the last ones."""
PHOTO, LIVE = "photo", "live"


@bp.get("/evenings/")
@for_guests
def page() -> Response:
    """The last games, or those before a time, evening by evening; who wins at what, of all games."""
    before = request.args.get("before", type=float)
    results = services().results
    if before is None:
        results.take(others())
    listed, more = results.listed(MOST_LISTED, before)
    days: dict[str, list[dict[str, Any]]] = {}
    for one in reversed(listed):
        days.setdefault(one.day, []).append(_row(one))
    tables = results.by_rule(*days) if days else {}
    evenings = [{"day": day, "games": days[day], "rules": _rules(tables.get(day, {}), 2)} for day in reversed(days)]
    every = before is None and any(one.complete for one in listed)
    which = _which()
    course = results.course(which) if every and which.game else {}
    html = render_template(
        "evenings.html",
        evenings=evenings,
        more=more,
        before=before,
        every=every,
        which=which,
        games=list(GAMES),
        names=results.names()[:MOST_NAMES] if every else [],
        rules=_rules(results.by_rule(of=which).get("", {}), 1) if every else [],
        standings=results.standings(which) if every else [],
        rows=_by_row(which) if every else [],
        pairs=results.pairs(which)[:MOST_PAIRS] if every else [],
        course=_drawn(course),
        people=services().tables.people.colors(),
    )
    return compressed(Response(html))


def _which() -> Which:
    """The games that the address asks for: of one game, of some people."""
    game, names = request.args.get("game"), request.args.getlist("with")
    return Which(game if game in GAMES else None, tuple(names[:MOST_TOGETHER]))


def _drawn(course: dict[str, list[tuple[float, int]]]) -> list[dict[str, Any]]:
    """Lines of a picture, 100 wide and 40 high: the points, game after game, of those who played most often."""
    most = [(name, line[-LONGEST_LINE:]) for name, line in sorted(course.items(), key=_often)[:MOST_LINES]]
    points = [total for _, line in most for _, total in line]
    times = [begun for _, line in most for begun, _ in line]
    if len(set(times)) < 2:
        return []
    low, high, first, last = min(0, *points), max(*points, 1), min(times), max(times)
    at = [
        [
            (round(100 * (begun - first) / (last - first), 1), round(40 * (high - n) / (high - low), 1))
            for begun, n in line
        ]
        for _, line in most
    ]
    return [{"name": name, "points": line, "low": low, "high": high} for (name, _), line in zip(most, at, strict=True)]


def _often(one: tuple[str, list[tuple[float, int]]]) -> int:
    return -len(one[1])


def _by_row(which: Which) -> list[tuple[str, list[RowOfSheet]]]:
    """The rows of each game's score sheet, in the sheet's order."""
    found: dict[str, dict[str, RowOfSheet]] = {}
    for one in services().results.by_row(which):
        found.setdefault(one.game, {})[one.name] = one
    return [(slug, [rows[name] for name in GAMES[slug].rows if name in rows]) for slug, rows in found.items()]


@bp.get("/api/evenings/best")
@for_guests
def own_best() -> Response:
    """The most that somebody of this `name` had alone at a `game`, `before` this one (`but`) began, in seconds."""
    asked = request.args
    game, name, before = asked.get("game", ""), asked.get("name"), asked.get("before", type=float)
    if game not in GAMES or not name or before is None or not isfinite(before):
        raise Problem("problem.request")
    results = services().results
    results.take(others())
    best = results.own_best(game, name, before, asked.get("but"))
    return jsonify(best and {"points": best[0], "date": date(best[1])})


@bp.post("/api/people")
@for_players
def choose_color() -> Response:
    """The `color` of whoever has this `name`, from now on and in every game; null: any. Everybody hears of it."""
    body = json_body()
    name, color = body.get("name"), body.get("color")
    if not isinstance(name, str) or not 0 < len(name) <= MOST_NAME or not name.isprintable():
        raise Problem("problem.request")
    if color is not None and (type(color) is not int or not 0 <= color < COLORS):
        raise Problem("problem.request")
    services().tables.people.choose(name, color)
    return _told()


@bp.delete("/api/people")
@for_hosts
def forget_person() -> Response:
    """Forget a name and its color; games stay as they are."""
    services().tables.people.forget(request.args.get("name", ""))
    return _told()


def _told() -> Response:
    services().news.all_changed()
    for session in services().tables.open:
        session.changes.add(TABLE)
    return jsonify({})


@bp.get("/evenings/games/<game_id>")
@for_guests
def game(game_id: str) -> AnyResponse:
    """A tapped game as it was left."""
    played = found(services().evenings.game(game_id), "problem.no-play")
    return redirect(url_for("dispute.page", game=played.game, s=address.pack(played.state), kept=played.id))


@bp.post("/api/evenings/games/<game_id>")
@for_players
def keep(game_id: str) -> Response:
    """What a device taps: the `state`, tapped on the one that `was`, and the `match` that its short game belongs to; or
    `kind`, `undo` or `redo`. Changes of one `stroke` are one thing said; a `new` game is kept from now on.

    With `last`, the game that the page showed before, it is not kept where another device has begun the next one
    already: the answer is where that is (`next`). A game that was deleted stays so, but for `again`.
    """
    body = json_body()
    match, last, stroke, once = (once_of(body.get(key)) for key in ("match", "last", "stroke", ONCE))
    step, was, evenings = body.get("kind"), body.get("was"), services().evenings
    if not _is_id(game_id):
        raise Problem("problem.request")
    if step in (UNDO, REDO):
        tap = Tap(once=once, kind=step)
    else:
        wanted = (body.get("again") is True or "was" not in body) and evenings.game(game_id) is None
        state, before = state_of_text(body.get("state")), None if was is None else state_of_text(was)
        tap = Tap(state, before, wanted or body.get("new") is True, match, last, stroke, once)
    played = evenings.tap(game_id, asking(), tap)
    if played is None and (there := next_game(tap.last or "")):
        return jsonify({"next": there})
    match = found(played, "problem.no-play").match
    evenings.carry_on(game_id, match)
    for one in {game_id, tap.last or game_id, *(short.id for short in evenings.of_match(match or ""))}:
        services().news.changed(one)
    return jsonify(kept_case(game_id))


@bp.get("/api/evenings/games/<game_id>")
@for_guests
def shared(game_id: str) -> Response:
    """A tapped game as it is kept now, for this device."""
    return jsonify(found(kept_case(game_id), "problem.no-play"))


@bp.get("/api/evenings/games/<game_id>/events")
@for_guests
def events(game_id: str) -> Response:
    """A tapped game anew whenever it has changed: server-sent events."""
    found(shared_case(game_id), "problem.no-play")
    news = services().news

    def told(changed: News) -> Iterator[tuple[str, Any]]:
        if (changed.everything or changed.table) and (kept := shared_case(game_id)):
            yield "all", kept

    def own(changed: News) -> Iterator[tuple[str, Any]]:
        if (changed.everything or changed.table) and (known := own_steps(game_id)):
            yield "steps", known

    return event_stream(news.of(game_id), news.epoch, told, own, game_id)


@bp.delete("/api/evenings/games/<game_id>")
@for_hosts
def forget(game_id: str) -> Response:
    services().evenings.forget(game_id)
    services().news.gone(game_id)
    return jsonify({})


@bp.delete("/api/evenings/<day>")
@for_hosts
def forget_evening(day: str) -> Response:
    """Delete the tapped games of an evening; what was photographed or followed stays."""
    games = [one.id for one in services().evenings.of_day(day)] if _is_day(day) else []
    imported = services().results.imported(day)
    found(games or imported)
    services().evenings.forget(*games)
    services().results.forget(*imported)
    for one in games:
        services().news.gone(one)
    return jsonify({})


@bp.get("/evenings/<day>.json")
@for_guests
def export(day: str) -> Response:
    """An evening as a file, to be taken in elsewhere."""
    found(_is_day(day) or None)
    there = [*services().evenings.of_day(day), *(one for one in others() if one.evening == day)]
    games = sorted(found(there or None), key=lambda one: one.begun)
    kept = [{"id": g.id, "begun": g.begun, "match": g.match, "state": g.state} for g in games if g.state]
    return as_json_file("evening", {"day": day, "games": kept}, f"evening-{day}.json")


@bp.post("/api/evenings/import")
@for_hosts
def take_in() -> Response:
    """Take in an evening's file: all its games, or none. Those that are here already stay as they are."""
    body = json_body(otherwise="evenings.problem.file")
    games = body.get("games")
    if (other := kind_of(body)) not in (None, "evening"):
        raise Problem("evenings.problem.kind", got=Message(f"file-kind.{other}"))
    if not is_marked("evening", body) or not isinstance(games, list):
        raise Problem("evenings.problem.file")
    if len(games) > MOST_IN_FILE:
        raise Problem("evenings.problem.many", most=MOST_IN_FILE)
    known = {game.id for game in (*services().evenings.games(), *others())}
    new = [_taken_in(one) for one in games]
    if len({one.id for one in new}) < len(new):
        raise Problem("evenings.problem.twice")
    fresh = [one for one in new if one.id not in known]
    services().evenings.keep_all(fresh)
    return jsonify({"taken": len(fresh), "known": len(new) - len(fresh)})


def _taken_in(one: Any) -> Played:
    if not isinstance(one, dict) or not _is_id(one.get("id")):
        raise Problem("evenings.problem.file")
    begun, match = one.get("begun"), one.get("match")
    if (
        isinstance(begun, bool)
        or not isinstance(begun, int | float)
        or not 0 <= begun < 2**33
        or not (match is None or _is_id(match))
    ):
        raise Problem("evenings.problem.file")
    if begun > time.time() + ONE_DAY:
        raise Problem("evenings.problem.future", date=date(begun))
    state = state_of_text(one.get("state"))
    players = state.get("players", [])
    if len(players) > MOST_PLAYERS or any(len(str(row.get("name", ""))) > LONGEST_NAME for row in players):
        raise Problem("evenings.problem.players", most=MOST_PLAYERS, longest=LONGEST_NAME)
    return Played(one["id"], TAPPED, float(begun), state["game"], state, match)


def _is_id(value: Any) -> bool:
    return isinstance(value, str) and ID.fullmatch(value) is not None


def _is_day(day: str) -> bool:
    try:
        return bool(DAY.fullmatch(day)) and bool(datetime.fromisoformat(day))
    except ValueError:
        return False


def others() -> Iterator[Played]:
    """Every game that was photographed or followed."""
    store = services().store
    for row in store.plays(plays.GAME):
        play = plays.opened_of(row).play()
        if not play.demo:
            state = play_state(play, load_sheet(row["sheet"]).letters).state
            yield Played(row["id"], PHOTO, row["started"], plays.GAME, state)
    for row in store.plays(TABLES):
        journal = Journal(store, row["id"])
        session = services().tables.session(row["id"])
        goes_on = session.goes_on if session else left_unfinished(journal)
        games = list(journal.games()) if journal.begun.get("source") != "demo" else []
        for one in games:
            state = {**one.state, GOES_ON: True} if goes_on and one is games[-1] else one.state
            yield Played(one.id, LIVE, one.begun, state["game"], state, at=(row["id"], one.row.number))


def _rules(tables: dict[tuple[str, int | None], list[Standing]], least: int) -> list[dict[str, Any]]:
    """Who wins at which game and rule sheet, of those played at least so often."""
    return [
        {"game": game, "rule": rule, "rows": rows}
        for (game, rule), rows in tables.items()
        if max(row.played for row in rows) >= least
    ]


def _link(game: Listed) -> str | None:
    """Where a game is shown; None where only its points are known."""
    if game.source == IMPORTED:
        return None
    if game.source == PHOTO:
        return url_for("ruin.page", play_id=game.id)
    if game.at is not None:
        table, row = game.at
        return url_for("live.page", table=table, row=row)
    return url_for("evenings.game", game_id=game.id)


def _away(game: Listed) -> tuple[str, str]:
    """The address by which a game is deleted, and the key of the question before; with a table go all its games."""
    if game.source == IMPORTED:
        return url_for("evenings_elsewhere.forget", id=game.id), "evenings.forget-sure"
    if game.source == PHOTO:
        return url_for("ruin.forget", play_id=game.id), "forget-sure"
    if game.at is not None:
        return url_for("live.forget", table=game.at[0]), "live.forget-sure"
    return url_for("evenings.forget", game_id=game.id), "evenings.forget-sure"


def _row(game: Listed) -> dict[str, Any]:
    """A game as the list shows it."""
    away, sure = _away(game)
    return {**asdict(game), "link": _link(game), "date": date(game.begun), "away": away, "sure": sure}
