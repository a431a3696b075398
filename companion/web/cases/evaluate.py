"""Scoring's answer to a case on the dispute page; what is missing or wrong in words that name player and field."""

from __future__ import annotations

import re
from typing import Any, Final

from companion.cases.answer import answer
from companion.words.scoring import words
from companion.words.web import language, say
from scoring import StateError, score_state
from scoring.errors import MISSING
from scoring.games import GAMES

PLAYER: Final = re.compile(r"/players/(\d+)")


def judge(state: dict[str, Any]) -> dict[str, Any]:
    """`answer`, as on the command line; or `problem`, while the case is not complete or not legal.

    Beside a problem stand, in `so_far`, the `players` who are complete, scored as if the others were not there
    (None for the others), and what is waited for (`waiting`, in words). Nobody wins then.
    """
    try:
        breakdown = score_state(state)
    except StateError as error:
        return {"problem": problem(error, state), "so_far": _so_far(state, error)}
    return {"answer": answer(breakdown, words(language()))}


def _so_far(state: dict[str, Any], error: StateError) -> dict[str, Any]:
    rows = state.get("players", [])
    left = list(range(len(rows)))
    waiting = []
    while True:
        player = PLAYER.match(error.place)
        out = left[int(player[1])] if player else None
        waiting.append(place_in_words(_moved(error.place, left), state))
        if out is None or len(left) == 1:
            return {"players": [None] * len(rows), "waiting": waiting}
        left.remove(out)
        try:
            breakdown = score_state({**state, "players": [rows[i] for i in left]})
        except StateError as another:
            error = another
        else:
            break
    scored = dict(zip(left, answer(breakdown, words(language()))["players"], strict=True))
    for line in (line for player in scored.values() for line in player["lines"]):
        line.update({key: [_moved(place, left) for place in line[key]] for key in ("because", "gap") if key in line})
    return {"players": [scored.get(i) for i in range(len(rows))], "waiting": waiting}


def _moved(place: str, left: list[int]) -> str:
    """A place in a state of which only these players are left, as a place of the whole state."""
    return PLAYER.sub(lambda found: f"/players/{left[int(found[1])]}", place, count=1)


def problem(error: StateError, state: object = None) -> dict[str, str]:
    """What a state lacks: its place as a JSON pointer, and one line."""
    if error.got is MISSING and (asked := say(key := f"dispute.ask{error.place.replace('/', '.')}")) != key:
        return {"place": error.place, "message": asked}
    named = StateError(place_in_words(error.place, state), error.expected, error.got, error.values)
    return {"place": error.place, "message": words(language()).error(named)}


def place_in_words(place: str, state: object) -> str:
    """A JSON pointer as a person would say it: `/players/0/hand/3` is `A, hand`."""
    if not place:
        return ""
    steps = [step.replace("~1", "/").replace("~0", "~") for step in place[1:].split("/")]
    parts = []
    if steps[0] == "players" and len(steps) > 1:
        parts.append(_name(state, int(steps[1])))
        steps = steps[2:]
    for step in steps:
        if step.isdecimal():
            parts.append(say("dispute.place.number", number=int(step) + 1))
            break
        parts.append(_field(step))
    return say("dispute.place.comma").join(parts)


def questions(game: str) -> list[dict[str, Any]]:
    """The open questions of a game's rulebook with their readings, the usual one first."""
    texts = words(language())
    return [
        {
            "name": question.name,
            "text": texts.question(question.name),
            "flag": question.flag,
            "readings": [{"reading": r, "text": texts.reading(question.name, r)} for r in question.readings],
        }
        for question in GAMES[game].questions
    ]


def _name(state: object, i: int) -> str:
    try:
        name = state["players"][i]["name"]  # type: ignore[index]
    except (KeyError, IndexError, TypeError):
        name = ""
    return name if isinstance(name, str) and name.strip() else say("dispute.place.player", number=i + 1)


def _field(name: str) -> str:
    key = f"dispute.field.{name}"
    words_for_it = say(key)
    return name if words_for_it == key else words_for_it
