"""A play of In the Ruin as the page shows it: sheets with their readings, lines with their places, ranking."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from flask import url_for

from companion.cases.case import Message, case_view, in_words
from companion.cases.evaluate import problem, questions, scored
from companion.cases.sheet import Scored, edit_message, play_case, play_state
from companion.games.in_the_ruin import COLS, ROWS
from companion.games.in_the_ruin.edits import REDO, UNDO, redoable, undoable
from companion.games.in_the_ruin.play import Play, Player, Sheet
from companion.web.language import language, request_words, say
from companion.web.sheets import answers
from companion.web.sheets.profiles import load_sheet
from scoring import Breakdown, StateError
from vision.sheet.blank import blank_looks
from vision.sheet.letter_fusion import UNSURE
from vision.sheet.profile import SheetProfile

MISREAD = 1.0
"""So many letters are misread by all likelihood: then a person had better look at all of them."""


def play_view(play_id: str, sheet: str, play: Play, edits: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """Everything that the page of a play shows, in the page's language; `sheet` names its profile."""
    profile = load_sheet(sheet)
    printed = sorted(blank_looks(profile))
    made = play_state(play, profile.letters)
    breakdown, message = _score(made)
    return {
        "id": play_id,
        "sheet": {
            **profile.to_json(),
            "letters": {letter: list(cell) for letter, cell in profile.letters.items()},
            "entrance": list(profile.entrance) if profile.entrance else [ROWS // 2, COLS // 2],
            "file": sheet,
            "prints": {"url": url_for("ruin.prints", name=sheet), "order": printed} if printed else None,
        },
        "players": [_player(player, profile, play, made, breakdown) for player in play.players],
        "ranking": _ranking(play, made, breakdown),
        "notes": answers.notes(breakdown, play, made) if breakdown else [],
        "rulings": answers.rulings(breakdown) if breakdown else [],
        "problem": message,
        "charge_blocks": play.charge_blocks,
        "demo": play.demo,
        "questions": questions("in-the-ruin", language()),
        "terms": dict(request_words().starting("choice.")),
        "state": made.state,
        "case": case_view(play_case(play, profile.letters), language(), in_words(say), play_id)
        | {"undo": _step(UNDO, undoable(edits), edits, play), "redo": _step(REDO, redoable(edits), edits, play)},
    }


def _step(kind: str, number: int | None, edits: Sequence[Mapping[str, Any]], play: Play) -> dict[str, str] | None:
    """What a step back or forward would take back or say again, in words; None where there is none."""
    if number is None:
        return None
    edit = edits[number]
    names = {e["player"]: e["name"] for e in edits if e["kind"] == "add-player"} | {p.id: p.name for p in play.players}
    what = edit_message(edit, edit.get("name") or names.get(edit.get("player"), ""))
    return {"label": in_words(say)(Message(kind, {"what": what}))}


def _score(made: Scored) -> tuple[Breakdown | None, str | None]:
    if made.state is None:
        return None, None
    found = scored(made.state)
    if isinstance(found, StateError):
        return None, problem(found, made.state, language())["message"]
    return found, None


def _player(
    player: Player, profile: SheetProfile, play: Play, made: Scored, breakdown: Breakdown | None
) -> dict[str, Any]:
    at = made.ids.index(player.id) if breakdown and player.id in made.ids else None
    score = breakdown.players[at] if breakdown and at is not None else None
    return {
        "id": player.id,
        "name": player.name,
        "sheets": {stage: _sheet(sheet, profile) for stage, sheet in player.sheets.items()},
        "disagree": {stage: [list(c) for c in cells] for stage, cells in player.contradictions().items()},
        "walled_over": player.walled_over(profile.letters),
        "ticks": {track: player.tick_count(track) for track in ("gems", "penalties")},
        "goals": [list(pair) for pair in player.goals],
        "goals_known": player.goals_known,
        "escaped": player.escaped,
        "escaped_known": player.escaped_known,
        "first_square": player.first_square,
        "so_far": player.id in made.so_far,
        "total": score.total if score else None,
        "lines": [answers.line(line, play, made) for line in score.lines] if score else [],
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
        "confidence": reading.get("confidence"),
        "map": sheet.map(),
        "read": reading.get("map"),
        "doubtful": [list(c) for c in sheet.doubtful()],
        "doubtful_letters": sheet.letters_to_ask(profile.letters, UNSURE),
        "letters_hard": sum(doubts.values()) >= MISREAD,
        "letter_strip": reading.get("letter_strip"),
        "said": [list(c) for c in sorted(sheet.cells)],
        "gates": [list(c) for c in sheet.gate_cells()],
        "destinations": sheet.destination_letters(),
        "ticks": reading.get("ticks"),
        "failed": failed,
    }


def _ranking(play: Play, made: Scored, breakdown: Breakdown | None) -> list[dict[str, Any]]:
    """Who stands where: the scored ones by points, then those without a sheet."""
    if breakdown is None:
        return [{"id": p.id, "name": p.name, "total": None, "place": None, "winner": False} for p in play.players]
    rows: list[dict[str, Any]] = [
        {"id": i, "name": s.name, "total": s.total, "winner": s.name in breakdown.winners}
        for i, s in zip(made.ids, breakdown.players, strict=True)
    ]
    rows.sort(key=lambda row: (-(row["total"] or 0), not row["winner"]))
    for row in rows:
        better = [r for r in rows if (r["total"], r["winner"]) > (row["total"], row["winner"])]
        row["place"] = len(better) + 1
    waiting = [p for p in play.players if p.id not in made.ids]
    return rows + [{"id": p.id, "name": p.name, "total": None, "place": None, "winner": False} for p in waiting]
