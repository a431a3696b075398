"""A play of In the Ruin as the page shows it: the case, and beside it what its editors work with."""

from collections.abc import Mapping, Sequence
from typing import Any

from flask import url_for

from common.messages import Message
from companion.cases.case import case_view
from companion.cases.evaluate import questions
from companion.cases.game_log import GameLog
from companion.cases.sheet import edit_message, play_case
from companion.cases.sheet_game import play_log, round_due, told_pieces
from companion.games.in_the_ruin import COLS, PIECES, ROWS, TRACKS
from companion.games.in_the_ruin.edits import TO_NEW, can_be_undone
from companion.games.in_the_ruin.play import Play, Player, Sheet
from companion.log import WITH, redoable, standing, undoable
from companion.sources.push import WAITING
from companion.web.language import language, request_words, say
from companion.web.services import services
from companion.web.sheet_profiles import load_sheet
from companion.web.tables.view import game_view
from vision.sheet.blank import blank_letters
from vision.sheet.decisions import UNSURE
from vision.sheet.profile import SheetProfile

MISREAD = 1.0
"""So many letters are misread by all likelihood: then a person had better look at all of them."""


def play_view(play_id: str, sheet: str, play: Play, edits: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """What the page of a play shows to everybody, in the page's language; `sheet` names a profile.

    The number of the play's `edits` tells which of two views is the newer one.
    """
    profile = load_sheet(sheet)
    printed = sorted(blank_letters(profile))
    log, pieces = play_log(play_id, sheet, edits, profile.letters), told_pieces(standing(edits))
    by_itself = any(move.get("action") != "?" for move in log.moves)  # not where sheets are photographed at the end
    shown = by_itself or bool(pieces) or services().maps.session(play_id) is not None
    return {
        "id": play_id,
        "number": len(edits),
        "camera": _camera(play_id),
        "sheet": {
            **profile.to_json(),
            "letters": {letter: list(cell) for letter, cell in profile.letters.items()},
            "entrance": list(profile.entrance) if profile.entrance else [ROWS // 2, COLS // 2],
            "file": sheet,
            "prints": {"url": url_for("ruin.prints", name=sheet), "order": printed} if printed else None,
        },
        "players": [_player(player, profile) for player in play.players],
        "demo": play.demo,
        "questions": questions("in-the-ruin", language()),
        "game": _game(log, play, pieces) if shown else None,
        "case": case_view(play_case(play, profile.letters), language(), request_words().told),
    }


def _game(log: GameLog, play: Play, pieces: Mapping[int, str]) -> dict[str, Any] | None:
    """The log in words; None before the first sheet.

    With it the cards' `pieces`: all that there can be, those that people said, by round, and which round is `due`.
    """
    if log.last is None:
        return None
    names = {player.id: player.name for player in play.players}
    rows = [{"name": names[one]} for one in log.zones]
    view = game_view(log, {"state": {"players": rows}, "players": log.zones}, log.last)
    for shown, move in zip(view["moves"], log.moves, strict=True):
        shown["round"] = move["round"]
    return {**view, "pieces": {"all": PIECES, "told": pieces, "due": round_due(log)}}


def steps(play: Play, edits: Sequence[Mapping[str, Any]], by: str) -> dict[str, str | None]:
    """What a step back or forward of the device `by` would take back or say again, in words; None: nothing."""
    undo, redo = (find(edits, by, can_be_undone) for find in (undoable, redoable))
    return {"undo": _step(undo, edits, play), "redo": _step(redo, edits, play)}


def _step(number: int | None, edits: Sequence[Mapping[str, Any]], play: Play) -> str | None:
    if number is None:
        return None
    together = [n for n in range(number, len(edits)) if n == number or edits[n].get(WITH) == number]
    what = [_what(n, edits, play) for n in together if can_be_undone(edits[n])]
    return request_words().told(what[0] if len(what) == 1 else Message("undo.what", {"what": what}))


def _what(number: int, edits: Sequence[Mapping[str, Any]], play: Play) -> Message:
    """What a person said with an edit."""
    edit = edits[number]
    names = {e["player"]: e["name"] for e in edits if e["kind"] == "add-player"}
    names |= {e["to"]: e["name"] for e in edits if e["kind"] == TO_NEW} | {p.id: p.name for p in play.players}
    name = edit.get("name") or names.get(edit.get("player"), "")
    held = [e["goals"] for e in standing(edits[:number]) if e["kind"] == "goals" and e["player"] == edit.get("player")]
    return edit_message(edit, name, *held[-1:])


def _camera(play_id: str) -> dict[str, Any] | None:
    """How it is with the camera that follows the play's sheets, in words; None where none has."""
    session = services().maps.session(play_id)
    if session is None:
        return None
    state, problem = session.state, session.problem
    return {
        "running": session.running,
        "words": say(f"ruin.camera.{state.kind if session.running else 'stopped'}"),
        "why": say(state.key, **state.values) if state.key else "",
        "waits": state.key == WAITING,
        "problem": say(problem.key, **problem.values) if problem and session.running else "",
        "picture": {what: url_for(f"sheet_camera.{what}", play_id=play_id) for what in ("moving", "still")},
    }


def _player(player: Player, profile: SheetProfile) -> dict[str, Any]:
    return {
        "id": player.id,
        "name": player.name,
        "sheets": {stage: _sheet(sheet, profile) for stage, sheet in player.sheets.items()},
        "disagree": {stage: [list(c) for c in cells] for stage, cells in player.contradictions().items()},
        "walled_over": player.walled_over(profile.letters),
        "ticks": {track: player.tick_count(track) for track in TRACKS},
        "goals": [list(pair) for pair in player.goals],
        "goals_known": player.goals_known,
        "escaped": player.escaped,
        "escaped_known": player.escaped_known,
        "first_square": player.square_known,
        "so_far": player.last_stage is not None and not player.sheets["end"].known,
    }


def _sheet(sheet: Sheet, profile: SheetProfile) -> dict[str, Any]:
    reading = sheet.reading or {}
    doubts = sheet.letter_doubts(profile.letters)
    failed = sheet.failed and {
        "photo": sheet.failed["photo"],
        "size": sheet.failed["size"],
        "message": say(sheet.failed["key"], **sheet.failed["values"]),
    }
    return {
        "known": sheet.known,
        "photo": sheet.photo,
        "size": list(sheet.size),
        "lattice": reading.get("lattice"),
        "flat": {**reading["flat"], "image": reading["image"]} if reading else None,
        "map": sheet.map(),
        "read": reading.get("map"),
        "doubtful": [list(c) for c in sheet.doubtful()],
        "alike": sheet.alike(),
        "doubtful_letters": sheet.letters_to_ask(profile.letters, UNSURE),
        "letters_hard": sum(doubts.values()) >= MISREAD,
        "letter_strip": reading.get("letter_strip"),
        "two_toned": reading.get("two_toned", False),
        "changed": reading.get("changed", []),
        "said": [list(c) for c in sorted(sheet.cells)],
        "gates": [list(c) for c in sheet.gate_cells()],
        "destinations": sheet.destination_letters(),
        "ticks": reading.get("ticks"),
        "doubtful_ticks": sheet.doubtful_ticks(),
        "troubles": sheet.troubles(),
        "by_corners": reading.get("by_corners", False),
        "failed": failed,
    }
