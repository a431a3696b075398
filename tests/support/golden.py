"""Whole answers that are kept as data: `tests/scoring/golden/<game>.json`, one entry a table state.

An entry says how it was `checked`. `python tests/support/golden.py` writes the answers of all states anew, for whoever
changes a sentence on purpose: read the difference before keeping it.
"""

import json
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
FOLDER = ROOT / "tests/scoring/golden"


def entries(game):
    """The entries of a game."""
    return json.loads((FOLDER / f"{game}.json").read_text(encoding="utf-8"))


def answered(state):
    """What is answered to a state, in both languages, as an entry holds it; places are one text."""
    from companion.cases.answer import answer  # noqa: PLC0415 -- as a script it finds the project later
    from companion.words.words import words  # noqa: PLC0415
    from scoring import score_state  # noqa: PLC0415

    breakdown = score_state(state)
    both = [json.loads(json.dumps(answer(breakdown, words(language)))) for language in ("en", "ja")]
    return {
        "players": [_player(*players) for players in zip(*(one["players"] for one in both), strict=True)],
        "winners": both[0]["winners"],
        "leading": both[0]["leading"],
        "notes": [
            [note["key"], note["values"], " ".join(note["because"]), *said, note.get("source", {}).get("section", "")]
            for note, *said in zip(both[0]["note_details"], *(one["notes"] for one in both), strict=True)
        ],
        "rulings": [_ruling(*rulings) for rulings in zip(*(one["rulings"] for one in both), strict=True)],
    }


def _player(en, ja):
    lines = [
        [
            *(line["points"], line["key"], line["values"], " ".join(line["because"]), line["label"], other["label"]),
            *(line["source"]["section"], other["source"]["section"]),
            *([" ".join(line["gap"])] if "gap" in line else []),
        ]
        for line, other in zip(en["lines"], ja["lines"], strict=True)
    ]
    best = [[one["total"], one["choices"]] for one in en["alternatives"][:3]]
    return {"name": en["name"], "total": en["total"], "choices": en["choices"], "best": best, "lines": lines}


def _ruling(en, ja):
    then = [en["totals"], en["winners"], en["leading"], en["grade"]]
    said = [[one["question"], one["taken"]["text"], one["other"]["text"], one["basis"]] for one in (en, ja)]
    return [en["name"], en["taken"]["reading"], en["other"]["reading"], then, *said]


def text(found):
    """Entries as JSON text: a line of the file for each line, note and reading."""
    return "[\n" + ",\n".join(_entry(entry) for entry in found) + "\n]\n"


def _entry(entry):
    answer = entry["answer"]
    players = ",\n".join(
        f"   {{{_fields(player, ('name', 'total', 'choices', 'best'))},\n    {_rows('lines', player['lines'], 5)}}}"
        for player in answer["players"]
    )
    return (
        f' {{"checked": {_json(entry["checked"])},\n  "state": {_json(entry["state"])},\n  "answer": {{\n'
        f'   "players": [\n{players}],\n   {_fields(answer, ("winners", "leading"))},\n'
        f"   {_rows('notes', answer['notes'], 4)},\n   {_rows('rulings', answer['rulings'], 4)}}}}}"
    )


def _rows(name, rows, depth):
    pad = "\n" + " " * depth
    return f'"{name}": [{",".join(pad + _json(row) for row in rows)}]'


def _fields(value, keys):
    return ", ".join(f'"{key}": {_json(value[key])}' for key in keys)


def _json(value):
    return json.dumps(value, ensure_ascii=False)


if __name__ == "__main__":
    sys.path[:0] = [str(ROOT)]
    for file in sorted(FOLDER.glob("*.json")):
        kept = entries(file.stem)
        file.write_text(text([{**entry, "answer": answered(entry["state"])} for entry in kept]), encoding="utf-8")
        print(file.relative_to(ROOT), len(kept))
