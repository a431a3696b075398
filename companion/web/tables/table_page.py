"""A live table's page: what it shows, as it changes; its photos; stop, go on, forget."""

from collections.abc import Iterator
from dataclasses import asdict
from functools import partial
from typing import Any

from flask import Blueprint, Response, jsonify, redirect, render_template, request, url_for
from werkzeug.wrappers import Response as AnyResponse

from companion.cases import address
from companion.cases.evaluate import questions
from companion.cases.journal import DEMO, GAME
from companion.cases.replay import judged, rows_of_game
from companion.cases.table_evidence import READ
from companion.games import FIRST, GAMES
from companion.live.earlier import reading_of
from companion.live.session import TableSession
from companion.reading import pictures
from companion.reading.misread import table_misread
from companion.sources.photos import PhotoSource
from companion.web.access.roles import for_guests, for_hosts, for_players
from companion.web.answers import as_file, compressed, found
from companion.web.cases.case_page import fields
from companion.web.language import language, request_words, say
from companion.web.news import event_id, event_stream
from companion.web.photos import turn
from companion.web.problems import Problem
from companion.web.request_body import brought_files
from companion.web.request_json import json_body
from companion.web.running.live_tables import photo_source
from companion.web.running.table_eyes import PHOTOS
from companion.web.services import services
from companion.web.tables import view
from companion.web.tables.opened import (
    READING,
    followed,
    refuse_to_stop_unasked,
    session_of,
    state_of_table,
    table_of,
    taken_up,
)
from vision.photo import Photo
from vision.table.profile import TableProfile

bp = Blueprint("live", __name__)


@bp.get("/live/<table>")
@for_guests
def page(table: str) -> Response:
    session, journal = table_of(table)
    game = GAMES[journal.begun["profile"].get("game", FIRST)]
    demo, photos = (journal.begun.get("source") == source for source in (DEMO, PHOTOS))
    given = {
        "table": table,
        "name": say("live.demo-name") if demo else journal.begun["profile"]["name"],
        "game": game.slug,
        "title": say(f"game.{game.slug}"),
        "running": session is not None or photos,
        "id": event_id(session.epoch, session.changes.number) if session else None,
        "view": view.all_of(session) if session else view.past(journal),
        "box": game.box,
        "questions": questions(game.slug, language()),
        "terms": dict(request_words().starting("color.", *game.terms)),
        "fields": fields(game),
        "typed": asdict(game.typed),
        "colors": list(game.colors),
        "learns": bool(game.tiles),
        "cards": [game.card_words(card, say) for card in game.deck],
        "areas": game.mats,
        "players": list(game.players),
        "zones": len(journal.begun["profile"].get("zones", {})),
        "lay": game.groups,
        "demo": demo,
        "photos": photos,
    }
    return compressed(Response(render_template("live/table.html", given=given, game=game.slug)))


@bp.get("/api/live/<table>")
@for_guests
def show(table: str) -> Response:
    """Everything at once, for a page without events."""
    session, journal = table_of(table)
    if session is not None:
        session.looked_at()
    return jsonify(view.all_of(session) if session else view.past(journal))


@bp.get("/api/live/<table>/events")
@for_guests
def events(table: str) -> Response:
    """What changes, as it does: server-sent events. A page that was away hears what it missed."""
    session = followed(table)

    def own(news: Any) -> Iterator[tuple[str, Any]]:
        if news.everything or news.table:
            yield "steps", view.steps(session)

    told = partial(_news, session)
    return event_stream(session.changes, session.epoch, told, own, listening=session.looked_at)


def _news(session: TableSession, news: Any) -> Iterator[tuple[str, Any]]:
    if news.everything:
        yield "all", view.all_of(session, own=False)
        return
    if news.table:
        yield "table", view.shared_view(session)
    for number in news.rows:
        if (row := session.journal.row(number)) is not None:
            yield "row", asdict(row)
    if news.status:
        yield "status", view.status_view(session.status, session.journal)


@bp.get("/api/live/<table>/rows/<int:number>")
@for_guests
def row(table: str, number: int) -> Response:
    """A settled state of the history."""
    _, journal = table_of(table)
    return jsonify(found(view.kept_view(journal, number)))


@bp.get("/live/<table>/game.jsonl")
@for_guests
def game_lines(table: str) -> Response:
    """The game as JSON lines that `referee` reads again: the last one, or that of a row of the table's history."""
    session, journal = table_of(table)
    row = request.args.get("row", type=int)
    rows = rows_of_game(journal, row)
    log = judged(rows)[0] if session is None or row is not None else session.log
    names = view.names_of(rows[max(rows)]) if rows else {}
    return as_file(log.to_lines(names), "application/jsonl", "game.jsonl")


@bp.get("/live/<table>/case")
@for_guests
def case(table: str) -> AnyResponse:
    """The state as a case on the dispute page: as it is, or a row of the history."""
    number = request.args.get("row", type=int)
    state = found(state_of_table(table, number), "live.problem.nothing-yet")
    back, code = url_for("live.page", table=table, row=number), address.pack(state)
    case = {"game": state["game"], "s": code, "from": back, "was": code}
    return redirect(url_for("dispute.page", **case))


@bp.get("/live/<table>/misread.zip")
@for_guests
def misread(table: str) -> Response:
    """A table at rest as a case for tests and benches: photo, reading, what people said it shows, profile.

    `row`: that state of the history, else the last; also of a table that is not followed any more.
    """
    session, journal = table_of(table)
    number = request.args.get("row", type=int)
    unkept = number is None and session is not None and (session.settled is None or session.settled.number is None)
    row = found(None if unkept else journal.row(number), "live.problem.nothing-yet")
    kept = found(journal.whole(row.number) if row.photo else None, "live.problem.nothing-yet")
    photo = (services().store.photos / f"{row.photo}.jpg").read_bytes()
    read = reading_of({**kept, **kept.get(READ, {})})
    profile = TableProfile.from_json(journal.begun["profile"]).shrunk(kept.get("scale", 1.0))
    return Response(
        table_misread(photo, read, reading_of(kept), profile, kept["size"][0]).to_zip(), mimetype="application/zip"
    )


@bp.post("/api/live/<table>/photos")
@for_players
def photograph(table: str) -> Response:
    """Photos of the table as it lies, to be read in order; everything that the page shows, once they are."""
    session = session_of(table)
    source = photo_source(session)
    if source is None:
        raise Problem("live.problem.no-photos", 409)
    brought = brought_files()
    with turn():
        photos = [services().eyes.load(data) for data in brought]
        if not all(services().tables.eyes.shows(session.profile, photo.image) for photo in photos):
            raise Problem("live.problem.elsewhere", 422)
    services().tables.photographed(table)
    numbers = [_photographed(session, source, photo) for photo in photos]
    if not source.wait(numbers[-1], READING):
        raise Problem("problem.busy", 503)
    return jsonify(view.all_of(session))


def _photographed(session: TableSession, source: PhotoSource, photo: Photo) -> int:
    """Keep a photo, then have it read. Returns its number."""
    kept = pictures.shrink(photo.image)
    session.journal.photographed(pictures.jpeg(kept), photo.scale * photo.image.shape[1] / kept.shape[1])
    return source.put(photo)


@bp.post("/api/live/<table>/open")
@for_players
def take_up(table: str) -> Response:
    """A photographed table is looked at again: what is asked and proposed about it is there from now on."""
    return jsonify(view.table_view(session_of(table)))


@bp.post("/api/live/<table>/again")
@for_hosts
def again(table: str) -> Response:
    """Go on with a table that was followed before."""
    _, journal = table_of(table)
    refuse_to_stop_unasked(journal.begun.get("source"), table, json_body())
    taken_up(table)
    return jsonify({})


@bp.post("/api/live/<table>/stop")
@for_hosts
def stop(table: str) -> Response:
    """Stop following; the history stays."""
    table_of(table)
    services().tables.stop(table)
    return jsonify({})


@bp.delete("/api/live/<table>")
@for_hosts
def forget(table: str) -> Response:
    """Forget a table with its history and pictures, also one that cannot be read."""
    found((services().store.play(table) or {}).get("game") == GAME, "live.problem.no-table")
    services().tables.forget(table)
    return jsonify({})


@bp.post("/api/live/<table>/new-game")
@for_hosts
def new_game(table: str) -> Response:
    """Another game begins: nothing of the last one counts in it but the players' names, the rule and the areas."""
    session = session_of(table)
    session.new_game()
    return jsonify(view.table_view(session))
