"""The public answer to a table state, as JSON: the breakdown with its words."""

import json
from collections.abc import Mapping
from typing import Any

from companion.words.json_cache import NEVER
from companion.words.words import Words
from scoring.breakdown import Alternative, Breakdown, Choice, Line, Note, PlayerScore, Ruling

MOST_COMPARED = 4
"""A line that points at more places is found by the object only: comparing it would take as long as writing it."""

encode = json.JSONEncoder(ensure_ascii=False).encode
quoted = json.encoder.encode_basestring
"""A text as JSON."""


def answer(breakdown: Breakdown, words: Words) -> dict[str, Any]:
    """The whole answer, to be printed as one JSON object."""
    out: dict[str, Any] = {
        "game": breakdown.game,
        "players": [_player(player, words) for player in breakdown.players],
        "winners": breakdown.winners,
        "leading": breakdown.leading,
        "notes": [words.note(note) for note in breakdown.notes],
    }
    if breakdown.house_rules:
        out["house_rules"] = dict(breakdown.house_rules)
    out["note_details"] = [_note(note, words) for note in breakdown.notes]
    names = [player.name for player in breakdown.players]
    out["rulings"] = [_ruling(ruling, names, words) for ruling in breakdown.rulings]
    return out


def short_answer(breakdown: Breakdown, words: Words) -> str:
    """The answer without explanations (`key`, `source`, alternatives, rulings, …), as JSON text.

    Many states are answered one after another, and most of their lines have been said before:
    those are taken as text from `words.written`.
    """
    players = ", ".join([_short_player(player, words) for player in breakdown.players])
    winners, leading = ", ".join(map(quoted, breakdown.winners)), ", ".join(map(quoted, breakdown.leading))
    again = words.written.again
    notes = ", ".join([again.get(id(note)) or _short_note(note, words) for note in breakdown.notes])
    house_rules = f', "house_rules": {encode(dict(breakdown.house_rules))}' if breakdown.house_rules else ""
    rest = f'"winners": [{winners}], "leading": [{leading}], "notes": [{notes}]{house_rules}'
    return f'{{"game": "{breakdown.game}", "players": [{players}], {rest}}}'


def _short_player(player: PlayerScore, words: Words) -> str:
    total = player.total
    again = words.written.again
    lines = ", ".join([again.get(id(line)) or _short_line(line, words) for line in player.lines])
    choices = _short_choices(player.choices, words) if player.choices else "{}"
    return (
        f'{{"name": {quoted(player.name)}, "total": {"null" if total is None else total}, '
        f'"lines": [{lines}], "choices": {choices}}}'
    )


def _short_line(line: Line, words: Words) -> str:
    key, points, because, values, source, _ = line
    says = (key, points, because, source, *values.values()) if len(because) <= MOST_COMPARED else id(line)
    written = words.written
    first, text = written.texts.get(says, NEVER)
    if first is line:
        written.again[id(line)] = text
    return text or written.keep(says, line, _written_line(line, words))


def _written_line(line: Line, words: Words) -> str:
    points = "null" if line.points is None else line.points
    because = ", ".join(map(quoted, line.because))
    return f'{{"label": {quoted(words.line(line))}, "points": {points}, "because": [{because}]}}'


def _short_note(note: Note, words: Words) -> str:
    says = ("note", note.key, *note.values.values())
    written = words.written
    first, text = written.texts.get(says, NEVER)
    if first is note:
        written.again[id(note)] = text
    return text or written.keep(says, note, quoted(words.note(note)))


def _short_choices(choices: Mapping[str, Choice], words: Words) -> str:
    says = tuple(choices.items())
    _, text = words.written.texts.get(says, NEVER)
    return text or words.written.keep(says, choices, encode(choices))


def _player(player: PlayerScore, words: Words) -> dict[str, Any]:
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


def _note(note: Note, words: Words) -> dict[str, Any]:
    out = {"key": note.key, "values": dict(note.values), "because": note.because}
    return {**out, "source": words.source(note.source)} if note.source else out


def _ruling(ruling: Ruling, names: list[str], words: Words) -> dict[str, Any]:
    return {
        "name": ruling.question,
        "question": words.question(ruling.question),
        "taken": {"reading": ruling.taken, "text": words.reading(ruling.question, ruling.taken)},
        "other": {"reading": ruling.other, "text": words.reading(ruling.question, ruling.other)},
        "totals": dict(zip(names, ruling.totals, strict=True)),
        "winners": ruling.winners,
        "leading": ruling.leading,
        "grade": ruling.grade,
        "source": words.source(ruling.source),
        "basis": words.basis(ruling.grade, ruling.source),
    }
