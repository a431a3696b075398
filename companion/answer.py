"""The public answer to a table state, as JSON: the breakdown with its words."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from companion.words import Words
from scoring.breakdown import Alternative, Breakdown, Choice, Line, Note, PlayerScore, Ruling


def answer(breakdown: Breakdown, words: Words, explain: bool = True) -> dict[str, Any]:
    """One JSON object. Without `explain` it keeps to totals, lines, choices, winners and notes."""
    out: dict[str, Any] = {
        "game": breakdown.game,
        "players": [_player(player, words, explain) for player in breakdown.players],
        "winners": breakdown.winners,
        "notes": [words.note(note) for note in breakdown.notes],
    }
    if breakdown.house_rules:
        out["house_rules"] = dict(breakdown.house_rules)
    if explain:
        out["note_details"] = [_note(note) for note in breakdown.notes]
        names = [player.name for player in breakdown.players]
        out["rulings"] = [_ruling(ruling, names, words) for ruling in breakdown.rulings]
    return out


def _player(player: PlayerScore, words: Words, explain: bool) -> dict[str, Any]:
    if not explain:
        lines = [
            {"label": words.say(line.key, line.values), "points": line.points, "because": line.because}
            for line in player.lines
        ]
        return {"name": player.name, "total": player.total, "lines": lines, "choices": dict(player.choices)}
    return {
        "name": player.name,
        "total": player.total,
        "lines": [_line(line, words) for line in player.lines],
        "choices": dict(player.choices),
        "alternatives": [_alternative(alternative, words) for alternative in player.alternatives],
    }


def _line(line: Line, words: Words) -> dict[str, Any]:
    out = {
        "label": words.line(line),
        "points": line.points,
        "because": line.because,
        "key": line.key,
        "values": dict(line.values),
        "source": words.source(line.source),
    }
    return {**out, "gap": line.gap} if line.gap else out


def _alternative(alternative: Alternative, words: Words) -> dict[str, Any]:
    choices: Mapping[str, Choice] = alternative.choices
    return {"choices": dict(choices), "label": words.choices(choices), "total": alternative.total}


def _note(note: Note) -> dict[str, Any]:
    return {"key": note.key, "values": dict(note.values), "because": note.because}


def _ruling(ruling: Ruling, names: list[str], words: Words) -> dict[str, Any]:
    return {
        "name": ruling.question,
        "question": words.question(ruling.question),
        "taken": {"reading": ruling.taken, "text": words.reading(ruling.question, ruling.taken)},
        "other": {"reading": ruling.other, "text": words.reading(ruling.question, ruling.other)},
        "totals": dict(zip(names, ruling.totals, strict=True)),
        "winners": ruling.winners,
    }
