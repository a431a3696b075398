"""In the Ruin on the page: its home, a play and everything that is done to it."""

import hashlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from flask import Blueprint, Response, jsonify, redirect, render_template, request, url_for
from werkzeug.wrappers import Response as AnyResponse

from common.messages import InputError, OddError
from companion.cases import address
from companion.cases.evaluate import scored
from companion.cases.handed_back import edits_moved, sheet_edits, still_to_say
from companion.cases.sheet import edit_message, play_state
from companion.cases.sheet_game import play_log
from companion.cases.store import ID, new_id
from companion.demo import FILLED
from companion.games import GAMES
from companion.games.in_the_ruin import STAGES
from companion.games.in_the_ruin.edits import (
    BY_A_PHOTO,
    MAX_PLAYERS,
    REPLACES,
    apply,
    can_be_undone,
    check,
    fold,
)
from companion.games.in_the_ruin.play import Play
from companion.live.change_log import News
from companion.log import MOST_EVENTS, ONCE, REDO, UNDO, heard, redoable, undoable
from companion.reading import pictures
from companion.reading.misread import sheet_misread
from companion.sources.camera_names import camera_names
from companion.web import photos
from companion.web.access.access_control import asking, clicked, here
from companion.web.access.roles import for_guests, for_hosts, for_players
from companion.web.answers import as_file, compressed, found
from companion.web.cases.case_page import state_of
from companion.web.language import date, request_words, say
from companion.web.news import event_id, event_stream
from companion.web.problems import Problem
from companion.web.request_body import brought_file
from companion.web.request_json import json_body, once_of
from companion.web.services import services
from companion.web.sheet_profiles import load_sheet, sheet_list
from companion.web.sheets.play_view import play_view, steps
from companion.web.sheets.player_names import in_this_language, same_name
from companion.web.sheets.reading import expecting, judged_beside, read_corners, read_file
from scoring import StateError
from vision.sheet.blank import blank_letters
from vision.sheet.profile import SheetProfile
from vision.sheet.reading import SheetReading

bp = Blueprint("ruin", __name__)
GAME = "in-the-ruin"
STEPS = {UNDO: undoable, REDO: redoable}
"""Which edit is taken back, or said again."""
MOST_LISTED = 20
"""Games on one page, the newest or those before a time."""
MOST_NAMED = 3
"""Plays named at most where a sheet cannot be deleted because of them."""


@bp.get(f"/{GAME}/")
@for_guests
def home() -> str:
    """Sheets, and the last plays or those before a time."""
    film = "film" in request.args and clicked()
    before = request.args.get("before", type=float)
    rows = services().store.plays(GAME)
    earlier = [row for row in rows if before is None or row["started"] < before]
    listed = earlier[:MOST_LISTED]
    return render_template(
        "ruin/home.html",
        sheets=sheet_list(),
        plays=[_listed(row) for row in listed],
        latest=rows[0]["sheet"] if rows else None,
        more=listed[-1]["started"] if len(earlier) > MOST_LISTED else None,
        before=before,
        film=film,
        game=GAMES[GAME],
    )


@bp.get(f"/{GAME}/plays/<play_id>")
@for_guests
def page(play_id: str) -> Response:
    news = services().news
    heard = event_id(news.epoch, news.of(play_id).number)
    opened = opened_play(play_id)
    shown = opened.view()
    expecting(services().eyes, load_sheet(opened.sheet))
    html = render_template(
        "ruin/play.html", play_id=play_id, heard=heard, view=shown, names=camera_names(), here=here()
    )
    return compressed(Response(html))


@bp.get(f"/{GAME}/sheets/<name>-letters.jpg")
@for_guests
def prints(name: str) -> Response:
    """The letters of a saved sheet side by side, sorted, as they are printed: where its blank sheet is known."""
    looks = found(blank_letters(load_sheet(name)) if name in services().store.sheet_names() else None)
    picture = pictures.prints_view(looks)
    return Response(pictures.jpeg(picture, pictures.FLAT_QUALITY), mimetype="image/jpeg")


@bp.post(f"/api/{GAME}/plays")
@for_players
def start() -> Response:
    """A new play with a saved sheet, empty but for the players of another one where that is named."""
    body = json_body()
    sheet, before = body.get("sheet"), body.get("players")
    if not isinstance(sheet, str) or sheet not in services().store.sheet_names():
        raise Problem("problem.sheet")
    names = [player.name for player in opened_play(str(before)).play().players] if before is not None else []
    newest = opened_of(services().store.plays(GAME)[0]) if names else None
    if newest and newest.id != before and _begins_with(names, newest.edits):
        return jsonify({"play": newest.id})  # another device has begun it already
    play_id = services().store.start_play(GAME, sheet)
    opened = Opened(play_id, sheet, [])
    opened.add(*({"kind": "add-player", "player": new_id(), "name": name, BY_A_PHOTO: True} for name in names))
    if body.get("demo") is True:
        _fill_demo(play_id, sheet)
    return jsonify({"play": play_id})


@bp.get(f"/api/{GAME}/plays/<play_id>")
@for_guests
def show(play_id: str) -> Response:
    """A play as the page shows it."""
    return jsonify(opened_play(play_id).view())


@bp.get(f"/api/{GAME}/plays/<play_id>/events")
@for_guests
def events(play_id: str) -> Response:
    """The play anew whenever it has changed: server-sent events."""
    opened_play(play_id)
    news = services().news

    def now(changed: News) -> Opened | None:
        """The play, looked up once for all who hear of this change."""
        there = (changed.everything or changed.table) and services().store.play(play_id)
        return news.opened.get((play_id, changed.number), lambda: opened_play(play_id)) if there else None

    def told(changed: News) -> Iterator[tuple[str, Any]]:
        if opened := now(changed):
            yield "all", opened.shared()

    def own(changed: News) -> Iterator[tuple[str, Any]]:
        if opened := now(changed):
            yield "steps", opened.steps()

    return event_stream(news.of(play_id), news.epoch, told, own, play_id)


@bp.delete(f"/api/{GAME}/plays/<play_id>")
@for_hosts
def forget(play_id: str) -> Response:
    """Forget a play and its photos, also one that cannot be read."""
    found((services().store.play(play_id) or {}).get("game") == GAME, "problem.no-play")
    services().maps.stop(play_id)
    services().store.delete_play(play_id)
    services().news.gone(play_id)
    return jsonify({})


@bp.delete(f"/api/{GAME}/sheets/<name>")
@for_hosts
def forget_sheet(name: str) -> Response:
    """Forget a saved sheet. One that plays still count with stays: without it they could not be opened any more."""
    sheet = found(next((sheet for sheet in sheet_list() if sheet["file"] == name and sheet["deletable"]), None))
    used = [_named(_listed(row, False)) for row in services().store.plays(GAME) if row["sheet"] == name]
    if used:
        more = [say("ruin.more-games", n=len(used) - MOST_NAMED)] if len(used) > MOST_NAMED else []
        games = say("list.comma").join([*used[:MOST_NAMED], *more])
        raise Problem("problem.sheet-used", 409, name=sheet["name"], games=games)
    services().store.forget_sheet(name)
    return jsonify({})


@bp.post(f"/api/{GAME}/plays/<play_id>/edits")
@for_players
def edit(play_id: str) -> Response:
    """What a person says: one edit, kept and scored; `undo` takes this device's last one back, `redo` says it again."""
    opened = opened_play(play_id)
    body = json_body()
    once = _once(body.pop(ONCE, None))
    if opened.heard(once):
        return jsonify(opened.view())
    if len(opened.edits) >= MOST_EVENTS:
        raise Problem("problem.full", 507)
    if body.get("kind") in STEPS:
        number = STEPS[body["kind"]](opened.edits, asking(), can_be_undone)
        if number is not None:
            opened.add({"kind": body["kind"], "edit": number, **once})
            services().maps.told(play_id, opened.edits[number])
    else:
        opened.add({**check(opened.play(), body, load_sheet(opened.sheet).letters, same_name), **once})
        services().maps.told(play_id, body)
        if body["kind"] == "rename":
            services().tables.people.met(body["name"].strip())
    return jsonify(opened.view())


@bp.post(f"/api/{GAME}/plays/<play_id>/photos")
@for_players
def photo(play_id: str) -> Response:
    """A photo of a player's sheet; the player `new` is made for it. Further sheets in it are those of the players after
    that one who have none yet, and of new ones.

    With `once_more` nothing was drawn since its last photo: both are held against each other.
    """
    opened = opened_play(play_id)
    play = opened.play()
    stage, player = request.args.get("stage", "end"), request.args.get("player", "new")
    once = _once(request.args.get(ONCE))
    if heard := opened.heard(once):
        return jsonify({"player": heard.get("player"), "view": opened.view()})
    if stage not in STAGES:
        raise Problem("problem.request")
    if player != "new" and play.player(player) is None:
        raise Problem("problem.no-player", 409)
    data = brought_file()
    sent = hashlib.sha256(data).hexdigest()
    if (there := _owner(play, sent)) is not None:
        raise Problem("problem.same-photo", 409, name=there[0], stage=say(f"js.stage.{there[1]}"))
    profile = load_sheet(opened.sheet)
    with photos.turn():
        ((made, reading), *others), covers = read_file(play_id, data, profile)
    opened = opened_play(play_id)  # with what others said while the photo was read
    now = opened.play()
    lack = len(others) + (player == "new") - len(_without_sheet(now, player, stage))
    if others and len(now.players) + lack > MAX_PLAYERS:
        raise Problem("edit.players", most=MAX_PLAYERS)
    if player == "new":
        player = _pending(now) or new_player(opened, now)
    once_more = {"once_more": True} if request.args.get("once_more") else {}
    opened.add_photo(player, stage, {**made, **once_more, **once, "sent": sent}, reading, profile)
    for one, read in others:
        now = opened.play()
        whose = next(iter(_without_sheet(now, player, stage)), None) or new_player(opened, now)
        opened.add_photo(whose, stage, {**one, "sent": sent}, read, profile)
    message = {"message": say("ruin.covers", n=len(covers), pages=covers)} if covers else {}
    return jsonify({"player": player, "view": opened.view(), **message})


@bp.post(f"/api/{GAME}/plays/<play_id>/corners")
@for_players
def corners(play_id: str) -> Response:
    """The grid's corners, shown by a person on a photo that could not be read, or was read askew."""
    opened = opened_play(play_id)
    body = json_body()
    player, stage, kept = opened.play().player(str(body.get("player"))), body.get("stage"), str(body.get("photo"))
    if player is None or stage not in STAGES:
        raise Problem("problem.no-player", 409)
    sheet = player.sheets[stage]
    known = {sheet.photo, sheet.failed["photo"] if sheet.failed else None} - {None}
    found(kept in known and ID.fullmatch(kept))
    grid = photos.corners_of(body.get("corners"))
    profile = load_sheet(opened.sheet)
    with photos.turn():
        made, reading = read_corners(play_id, kept, profile, grid)
    opened.add_photo(player.id, stage, made, reading, profile)
    return jsonify(opened.view())


@bp.get(f"/{GAME}/plays/<play_id>/case")
@for_guests
def case(play_id: str) -> AnyResponse:
    """The play's state as a case on the dispute page, which can hand it back."""
    opened = opened_play(play_id)
    state = found(play_state(opened.play(), load_sheet(opened.sheet).letters).state, "live.problem.nothing-yet")
    back = url_for("ruin.page", play_id=play_id)
    case: dict[str, Any] = {"game": GAME, "s": address.pack(state), "from": back, "was": len(opened.edits)}
    return redirect(url_for("dispute.page", **case))


@bp.get(f"/{GAME}/plays/<play_id>/game.jsonl")
@for_guests
def game_lines(play_id: str) -> Response:
    """The sheets as JSON lines that `referee` reads again."""
    opened = opened_play(play_id)
    log = play_log(opened.id, opened.sheet, opened.edits, load_sheet(opened.sheet).letters)
    names = {player.id: player.name for player in opened.play().players}
    return as_file(log.to_lines(names), "application/jsonl", "game.jsonl")


@bp.get(f"/{GAME}/plays/<play_id>/<player>/<stage>.zip")
@for_guests
def misread(play_id: str, player: str, stage: str) -> Response:
    """A sheet as a case for tests and benches: photo, reading, what people said it shows, profile."""
    opened = opened_play(play_id)
    whose = found(opened.play().player(player))
    sheet = found(whose.sheets.get(stage))
    reading, photo = found(sheet.reading), services().store.photos / f"{found(sheet.photo)}.jpg"
    ticks = {track: whose.tick_count(track) for track in reading["ticks"]}
    ticks = ticks if stage == whose.last_stage else reading["ticks"]
    made = sheet_misread(sheet, ticks, photo.read_bytes(), load_sheet(opened.sheet))
    return Response(made.to_zip(), mimetype="application/zip")


@bp.post(f"/api/{GAME}/plays/<play_id>/case")
@for_players
def hand_back(play_id: str) -> Response:
    """A tapped state comes back: what differs from the play as it was then becomes edits, all of them or none.

    `was`: how many edits the play had; addresses of older versions do not tell, they are held against the play of now.
    """
    opened, body = opened_play(play_id), json_body()
    letters, play, was = load_sheet(opened.sheet).letters, opened.play(), str(body.get("was", len(opened.edits)))
    if not was.isdecimal() or not was.isascii() or len(was) > len(str(MOST_EVENTS)):
        raise Problem("problem.request")
    then, after = _folded(opened.sheet, opened.edits[: int(was)]), opened.play()
    tapped = sheet_edits(then, letters, state_of(body, GAME), iter(new_id, ""))
    tapped = [one for one in tapped if one["kind"] != "remove-player" or play.player(one["player"])]
    for one in tapped:
        apply(after, check(after, one, letters, same_name))
    edits, refused = still_to_say(tapped, then, play, after, edits_moved(opened.edits, int(was)))
    if refused is not None:
        whose = then.player(refused.get("player", ""))
        what = request_words().told(edit_message(refused, whose.name if whose else ""))
        raise Problem("ruin.problem.moved-on", 409, what=what)
    if len(opened.edits) + len(edits) > MOST_EVENTS:
        raise Problem("problem.full", 507)
    opened.add(*edits)
    return jsonify(opened.view())


@dataclass
class Opened:
    """A play that a request works with: its id, its sheet profile's name, what happened to it, when it began (s)."""

    id: str
    sheet: str
    edits: list[dict[str, Any]]
    started: float = 0.0

    def add(self, *edits: dict[str, Any]) -> None:
        """Add edits of who asks, all or none and one thing said; they are on disk when this returns, and everybody
        hears of them."""
        self.edits += services().store.add_edits(self.id, edits, asking())
        services().news.changed(self.id)

    def add_photo(
        self, player: str, stage: str, made: dict[str, Any], reading: SheetReading | None, profile: SheetProfile
    ) -> None:
        """Add what a photo gave, its letters judged beside the others'. Where the sheet had a reading before, undoing
        brings it back."""
        play = self.play()
        whose = play.player(player)
        replaces = reading is not None and whose is not None and whose.sheets[stage].reading is not None
        made = {**made, **({REPLACES: True} if replaces else {}), "player": player, "stage": stage}
        again = [made] if reading is None else judged_beside(play, made, reading, (player, stage), profile)
        self.add(*again)

    def heard(self, once: Mapping[str, Any]) -> dict[str, Any] | None:
        """The edit that was said under this id; None where it is new."""
        return heard(self.edits, once.get(ONCE))

    def play(self) -> Play:
        """The play as it is known, in the language of this request."""
        return _folded(self.sheet, self.edits)

    def view(self) -> dict[str, Any]:
        """Everything that the page of the play shows, in the language of this request."""
        return {**self.shared(), "steps": self.steps()}

    def shared(self) -> dict[str, Any]:
        """What of it all devices show."""
        view = play_view(self.id, self.sheet, self.play(), self.edits)
        return {**view, "started": self.started, "people": services().everybody()}

    def steps(self) -> dict[str, str | None]:
        """What this device can undo and redo."""
        return steps(self.play(), self.edits, asking())


def _begins_with(names: list[str], edits: list[dict[str, Any]]) -> bool:
    first = [edit.get("name", "") for edit in edits[: len(names)]]
    return len(first) == len(names) and all(map(same_name, names, first))


def _once(said: Any) -> dict[str, str]:
    once = once_of(said)
    return {ONCE: once} if once else {}


def _owner(play: Play, sent: str) -> tuple[str, str] | None:
    """Whose sheet the photo of this digest shows already, as name and stage; None where it is new."""
    sheets = ((player.name, stage, sheet) for player in play.players for stage, sheet in player.sheets.items())
    return next(((name, stage) for name, stage, sheet in sheets if sheet.sent == sent), None)


def _without_sheet(play: Play, player: str, stage: str) -> list[str]:
    """The players after one who have neither sheet nor photo of a stage yet; none after one who is new."""
    ids = [one.id for one in play.players]
    after = play.players[ids.index(player) + 1 :] if player in ids else []
    bare = [(one.id, one.sheets[stage]) for one in after]
    return [whose for whose, sheet in bare if not sheet.known and sheet.failed is None]


def _pending(play: Play) -> str | None:
    """The player of whom there is only a photo that could not be read: the next new player's photo is theirs."""
    waiting = [
        player.id
        for player in play.players
        if player.last_stage is None
        and any(sheet.failed for sheet in player.sheets.values())
        and not (player.goals_known or player.escaped_known)
    ]
    return waiting[-1] if waiting else None


def _fill_demo(play_id: str, sheet: str) -> None:
    """A play of the demo: filled sheets of two players, read like any photo."""
    opened, profile = Opened(play_id, sheet, []), load_sheet(sheet)
    opened.add({"kind": "demo"})
    for file in FILLED:
        with photos.turn():
            ((made, reading), *_), _ = read_file(play_id, file.read_bytes(), profile)
        opened.add_photo(new_player(opened, opened.play()), "end", made, reading, profile)


def new_player(opened: Opened, play: Play) -> str:
    """Add a player who came with a photo; returns the id."""
    names = {p.name for p in play.players}
    name = next(n for i in range(1, 100) if (n := say("player.name", number=i)) not in names)
    body = {"kind": "add-player", "player": new_id(), "name": name}
    opened.add({**check(play, body, {}, same_name), BY_A_PHOTO: True})
    return body["player"]


def opened_play(play_id: str) -> Opened:
    """A play by its id. Raises Problem where there is none."""
    row = services().store.play(play_id)
    return opened_of(found(row if row and row["game"] == GAME else None, "problem.no-play"))


def opened_of(row: Mapping[str, Any]) -> Opened:
    """The play of a row of the store."""
    return Opened(row["id"], row["sheet"], services().store.edits(row["id"]), row["started"])


def _listed(row: dict[str, Any], points: bool = True) -> dict[str, Any]:
    """A play as the page lists it, with its points where they are wanted."""
    listed = {**row, "date": date(row["started"]), "players": [], "totals": [], "demo": False}
    try:
        play = _folded(row["sheet"], services().store.edits(row["id"]))
    except OddError as error:
        return {**listed, "odd": request_words().told(error)}
    totals = _totals(play, row["sheet"]) if points else []
    return {**listed, "players": [one.name for one in play.players], "demo": play.demo, "totals": totals}


def _totals(play: Play, sheet: str) -> list[tuple[str, int | None]]:
    """Everybody's points as they stand, None where there are none yet; nothing where none can be counted."""
    try:
        state = play_state(play, load_sheet(sheet).letters).state
    except (Problem, InputError, OSError):
        return []
    found = None if state is None else scored(state)
    if found is None or isinstance(found, StateError):
        return []
    totals = {one.name: one.total for one in found.players}
    return [(player.name, totals.get(player.name)) for player in play.players]


def _named(play: dict[str, Any]) -> str:
    """A play as a sentence names it: who plays, and since when."""
    names = say("list.comma").join(play["players"]) or say("ruin.no-players")
    return say("ruin.named-game", names=names, date=play["date"])


def _folded(sheet: str, edits: list[dict[str, Any]]) -> Play:
    """A play as it is known, in the language of this request."""
    play = fold(sheet, edits)
    for player, name in zip(play.players, in_this_language(p.name for p in play.players), strict=True):
        player.name = name
    return play
