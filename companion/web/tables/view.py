"""A table as the live page shows it, in the page's language."""

from collections.abc import Mapping
from dataclasses import asdict
from typing import Any, Final

import numpy as np

from common.messages import Message
from companion.cases.case import case_view
from companion.cases.game_log import Followed, GameLog, look_line
from companion.cases.journal import Journal, Row
from companion.cases.log_words import Log
from companion.cases.replay import judged, log_of, rows_of_game
from companion.cases.said import redoable, undoable, what
from companion.cases.table import Entries
from companion.cases.table_evidence import table_case
from companion.games import GAMES, game_of
from companion.games.entry import Game
from companion.games.moment import Moment
from companion.live.following import STOPPED
from companion.live.session import GOES_ON, NEW_GAME, RESTING, UNKEPT, TableSession, left_unfinished
from companion.live.set_up import checks
from companion.live.settled import Settled
from companion.sources import OPENING, SourceState
from companion.sources.photos import NO_PHOTO
from companion.sources.push import WAITING
from companion.web.access.access_control import asking
from companion.web.language import language, request_words, say
from companion.web.running.table_eyes import PHOTOS
from companion.web.services import services
from referee.looks import UNKNOWN
from scoring.twelve_seekers.middle import ORDER_CARDS
from vision.table.profile import TableProfile


def all_of(session: TableSession, own: bool = True) -> dict[str, Any]:
    """Everything that a page shows: table, status, history; also what this device can take back of its `own`."""
    return {
        "table": (table_view if own else shared_view)(session),
        "status": status_view(session.status, session.journal),
        "rows": [asdict(row) for row in session.journal.rows()],
    }


def past(journal: Journal) -> dict[str, Any]:
    """A table that is not followed any more: its last state, its history."""
    last = journal.whole()
    profile = journal.begun.get("profile", {})
    log = log_of(journal)
    return {
        "table": {
            "settled": _last_of(journal),
            "entries": _entries(journal.entries),
            "zones": sorted(profile.get("zones", {})),
            "game": game_view(log, last, log.last) if last else None,
            "people": services().everybody(),
        },
        "status": status_view(STOPPED, journal),
        "rows": [asdict(row) for row in journal.rows()],
    }


def _last_of(journal: Journal) -> dict[str, Any] | None:
    """The last state of the history, with its answer."""
    row, last = journal.row(), journal.whole()
    if row is None or last is None:
        return None
    _mark_unfinished(journal, last, None)
    return {**_seen(last), "number": row.number, "at": row.at}


def table_view(session: TableSession) -> dict[str, Any]:
    """What lies on the table now, what it is worth, and what this device can take back."""
    return {**shared_view(session), **steps(session)}


def steps(session: TableSession) -> dict[str, str | None]:
    """What a step of this device back or forward would take back or say again, in words; None where there is none."""
    events, by = [*session.journal.events], asking()
    found = {"undo": what(events, undoable(events, by)), "redo": what(events, redoable(events, by))}
    return {name: None if said is None else request_words().told(said) for name, said in found.items()}


def shared_view(session: TableSession) -> dict[str, Any]:
    """What all devices show of a table: made once, however many listen."""
    with session.still():  # points and log are of one moment
        now = session.epoch, language(), session.changes.number
        shared = services().tables.views.get(now, lambda: _table_view(session))
    return {**shared, "people": services().everybody()}


def _table_view(session: TableSession) -> dict[str, Any]:
    settled = session.settled
    return {
        "settled": _unread(session) if settled is None else settled_view(settled, session.goes_on),
        "entries": _entries(session.entries),
        "zones": list(session.profile.zones),
        "profile": zones_view(session.profile, session.scale, None if settled is None else settled.size[0]),
        "proposed": areas_view(proposed_areas(session)),
        "faces": bool(session.profile.decks),
        "play": session.seats[0],
        "asks_players": asks_players(session),
        "set_up": set_up_view(session),
        "white": session.profile.white is not None,
        "game": None if settled is None else game_view(session.log, settled.body, settled.game),
    }


def _unread(session: TableSession) -> dict[str, Any] | None:
    """What is shown before anything was seen: a photographed table lies as its last photo shows it."""
    return _last_of(session.journal) if _by_photos(session.journal) and not session.begins_anew else None


def _by_photos(journal: Journal) -> bool:
    """Whether a table is shown by single photos, of any moment of its game."""
    return bool(journal.begun.get("source") == PHOTOS)


MOST_LEGAL: Final = 12
"""Legal turns that the page shows, those with the most points."""


def game_view(log: GameLog, kept: Mapping[str, Any], told: Followed | None) -> dict[str, Any]:
    """The log of the game in words: moves, whose turn it is, what is still to be done, slips and the open question.

    Args:
        log: the game.
        kept: the record of its last state.
        told: what that state told of the game.
    """
    told = told or Followed(kept["state"])
    names = names_of(kept)
    texts = Log(language(), (log.game.state or {}).get("game"), names)
    over = kept["state"].get(GOES_ON) is False
    turn, question = None if over else told.turn_of, log.question
    return {
        "moves": [
            {
                "n": move["n"],
                "legal": move["legal"],
                "at": move["time"],
                "words": texts.sentence(move),
                "before": lit.before,
                "after": lit.after,
                "now": lit.now,
            }
            for move, lit in log.lit()
        ],
        "turn_of": None if turn is None else names.get(turn, turn),
        "owed": [texts.owed(one) for one in told.owed if one["who"] is not None],
        "begins": {} if over else {name: None if of == UNKNOWN else of for name, of in log.game.begins.items()},
        "orders": ORDER_CARDS,
        "seats": [[zone, names.get(zone, zone)] for zone in log.zones],
        "due": [] if over else due(log, told, names),
        "legal": [] if over else texts.legal(told.legal)[:MOST_LEGAL],
        "slips": [texts.sentence(slip) for slip in log.slips],
        "corrected": texts.corrected(told.corrected),
        "over": log.cleared and not log.over_asked and kept["state"].get(GOES_ON, GOES_ON in _typed(kept)),
        "house": [
            {"name": name, "value": value, "words": texts.house(name, value)} for name, value in log.game.house.items()
        ],
        "question": question
        and {
            "id": question["id"],
            "choices": [{"key": choice["key"], "words": texts.choice(choice)} for choice in question["choices"]],
        },
    }


def due(log: GameLog, told: Followed, names: Mapping[str, str]) -> list[str]:
    """What the game's rules ask for now: see `companion.games.moment`. Of a look that is held back, unless half a turn
    explains it, nothing counts here either: what is said is of the record that the points are of."""
    looks = [line["state"] for line in log.game.lines if "state" in line]
    game = GAMES.get(looks[-1].get("game", "")) if looks else None
    if game is None or game.due is None or log.cleared or not looks[-1]["players"]:
        return []
    lies = look_line(told.state, log.zones, None)["state"] if told.unexplained else looks[-1]
    owed = frozenset((one["who"], one["rule"]) for one in told.owed)
    now = Moment(lies, log.moves, told.turn_of, owed, names)
    return [request_words().told(message) for message in game.due(now)]


def _typed(kept: Mapping[str, Any]) -> tuple[str, ...]:
    """What people type of the table in this game."""
    game = GAMES.get(kept["state"].get("game", ""))
    return () if game is None else game.typed.table or ()


def names_of(kept: Mapping[str, Any]) -> dict[str, str]:
    """What people call the players, by zone."""
    rows = kept["state"].get("players", [])
    return {zone: str(row.get("name", zone)) for zone, row in zip(kept["players"], rows, strict=False)}


def _entries(entries: Entries) -> dict[str, Any]:
    return {"table": dict(entries.table), "players": {zone: dict(row) for zone, row in entries.players.items()}}


def settled_view(settled: Settled, goes_on: bool) -> dict[str, Any]:
    """A table at rest, with its answer. While its game `goes_on` nobody has won."""
    body = {**settled.body, "state": {**settled.body["state"], GOES_ON: True}} if goes_on else settled.body
    return {**_seen(body), "number": settled.number, "at": settled.at, "first": settled.first}


def kept_view(journal: Journal, number: int) -> dict[str, Any] | None:
    """A settled state of the history, with its answer; `game`: the log of an earlier game than the last one.

    Nobody has won in one after which the game went on.
    """
    whole, row, after = journal.whole(number), journal.row(number), journal.row(number + 1)
    if whole is None or row is None:
        return None
    _mark_unfinished(journal, whole, after)
    seen = {**_seen(whole), "number": number, "at": row.at, "photo": row.photo}
    if any(later.first for later in journal.rows() if later.number > number) and (
        rows := rows_of_game(journal, number)
    ):
        log, _ = judged(rows)
        seen["game"] = game_view(log, rows[max(rows)], log.last)
    return seen


def _mark_unfinished(journal: Journal, whole: dict[str, Any], after: Row | None) -> None:
    """Nobody has won in a state after which its game went on, or was broken off."""
    went_on = left_unfinished(journal) if after is None else not after.first
    if went_on and GOES_ON in _typed(whole):
        whole["state"][GOES_ON] = True


def status_view(status: SourceState, journal: Journal) -> dict[str, Any]:
    """What the camera does, in words; where there is none, that the points are a photo's: nobody stops following it."""
    photos = _by_photos(journal)
    if photos and status.kind in (OPENING, STOPPED.kind):
        status = SourceState(RESTING) if journal.row() else SourceState(OPENING, NO_PHOTO)
    return {
        "phase": status.kind,
        "new": status.key == NEW_GAME,
        "unkept": status.key == UNKEPT,
        "words": say(f"live.phase.{'photographed' if photos and status.kind == RESTING else status.kind}"),
        "why": told(status.key, status.values) if status.key else "",
        "waits": status.key == WAITING,
    }


def zones_view(profile: TableProfile, scale: float, width: int | None) -> dict[str, Any]:
    """How each zone is bounded: `markers`, or the polygon for drawing on a picture of that width."""
    out: dict[str, Any] = {}
    if profile.picture and width:
        scale = profile.picture / width
    for name, zone in profile.zones.items():
        if zone.polygon:
            out[name] = {"polygon": [[x / scale + 0.5, y / scale + 0.5] for x, y in zone.polygon]}
        else:
            out[name] = {"markers": list(zone.markers or ())}
    return out


def asks_players(session: TableSession) -> bool:
    """Whether people have to say how many play before areas are proposed: there are none yet."""
    return not session.profile.zones and session.seats[0] is None and len(game_of(session.profile).players) > 1


def proposed_areas(session: TableSession) -> Mapping[str, np.ndarray]:
    """The areas that are proposed; the middle alone while nobody has said how many play."""
    areas = session.proposed().areas
    if not asks_players(session):
        return areas
    return {name: area for name, area in areas.items() if name == game_of(session.profile).middle}


def set_up_view(session: TableSession) -> dict[str, Any] | None:
    """Before there are areas: whether all lies there, how many play, in how many ways they may sit.

    A photo may be of a game's midst or of its end: what belongs there before the first turn is not missed.
    """
    settled, ways, areas = session.settled, session.proposed().ways, proposed_areas(session)
    if settled is None or not areas or session.profile.zones:
        return None
    players, seating = session.seats
    found = (
        []
        if _by_photos(session.journal)
        else checks(settled.reading, areas, game_of(session.profile), _picture_of(session, settled.size))
    )
    return {
        "checks": [
            {"words": request_words().told(message), "fits": fits, "asked": asked} for message, fits, asked in found
        ],
        "players": players,
        "seating": seating,
        "ways": ways,
    }


def _picture_of(session: TableSession, size: tuple[int, int]) -> np.ndarray | None:
    """The newest frame, if a table at rest of this width and height was read in one as large."""
    frame = session.frame
    return frame if frame is not None and frame.shape[1::-1] == tuple(size) else None


def areas_view(areas: Mapping[str, np.ndarray]) -> dict[str, Any]:
    """Areas that the companion proposes, for drawing on the picture."""
    return {name: {"polygon": (corners + 0.5).round(1).tolist()} for name, corners in areas.items()}


def told(key: str, values: Mapping[str, Any] | None = None, names: Mapping[str, str] | None = None) -> str:
    """The sentence of a key that came from elsewhere; a general one where the catalogs do not have it.

    `names`: what people call the players, by zone.
    """

    if key not in request_words():
        return say("live.problem.other", what=key)
    return say(key, **{name: _called(value, names or {}) for name, value in (values or {}).items()})


def _called(value: Any, names: Mapping[str, str]) -> Any:
    """A zone, or a part of one (`A.valid`), by its player's name; anything else as it is."""
    if isinstance(value, list):
        return [_called(one, names) for one in value]
    zone, dot, part = value.partition(".") if isinstance(value, str) else ("", "", "")
    return names[zone] + dot + part if zone in names else value


def _seen(kept: Mapping[str, Any]) -> dict[str, Any]:
    """A kept state with the words and the answer of this language."""
    names = names_of(kept)
    game = GAMES[kept["state"]["game"]]

    def said(message: Message | None) -> str:
        if message is None:
            return ""
        if message.key == "card":
            return card_words(**message.values, game=game)
        return told(message.key, message.values, names)

    return {
        "gone": [[[round(x), round(y)] for x, y in polygon] for polygon in kept.get("gone", ())],
        "coarse": [told(key, values, names) for key, values in kept["problems"] if key.endswith(".coarse")],
        "zones": kept["zones"],
        "players": kept["players"],
        "case": case_view(table_case(kept), language(), said),
        "waits": _waits(kept),
    }


def _waits(kept: Mapping[str, Any]) -> dict[str, Any] | None:
    """What is waited for where the points are of an earlier moment, `at`, than the picture; None where they are not."""
    game = kept.get("game") or {}
    if not game.get("held"):
        return None
    texts = Log(language(), kept["state"]["game"], names_of(kept))
    owed = [texts.owed(one) for one in game.get("owed", ()) if one["who"] is not None]
    return {"at": game.get("as_of"), "for": owed or [say("live.waits.unexplained")], "unexplained": not owed}


def card_words(card: Mapping[str, Any] | None, marker: int | None, game: Game) -> str:
    """What a card is, in a few words."""
    if card is not None:
        return game.card_words(card, say)
    return say("live.card.nameless") if marker is None else say("live.card.unknown", marker=marker)
