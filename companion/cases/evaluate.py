"""What a table state is worth: scored once, answered once in each language, whoever asks and however often.

What is missing or wrong is said in words that name player and field, and half an entry stops nobody: who is complete
is scored as if the others were not there.
"""

import json
import re
from collections.abc import Mapping, Sequence
from typing import Any, Final

from companion.cases.answer import answer
from companion.cases.kept import Kept
from companion.games import GAMES
from companion.words.words import Words, words
from scoring import Breakdown, StateError, score_state
from scoring.errors import MISSING
from scoring.games import rules_of

State = Mapping[str, Any]
PLAYER: Final = re.compile(r"/players/(\d+)")
MOST_STATES: Final = 128
"""States whose breakdowns and answers are kept."""

_scored: Kept[str, Breakdown | StateError] = Kept(MOST_STATES)
_staked: Kept[tuple[str, str, str], list[int] | None] = Kept(8 * MOST_STATES)
_answered: Kept[tuple[str, str], dict[str, Any]] = Kept(2 * MOST_STATES)


def scored(state: State) -> Breakdown | StateError:
    """The breakdown of a state, or what is missing or wrong in it."""
    return _scored.get(_text(state), lambda: _score(state))


def totals(state: State) -> list[int | None]:
    """Each player's points; None for all of them while the state does not score."""
    found = scored(state)
    if isinstance(found, StateError):
        return [None] * len(state.get("players", ()))
    return [player.total for player in found.players]


def evaluate(state: State, language: str) -> dict[str, Any]:
    """A state's `answer` as on the command line, with the `rows` of the game's score sheet; or its `problem`, while it
    is not complete or not legal. Where a hand is secret until the end, `hands` has the total that each one would give;
    `mark` is what who plays alone has to reach.

    Beside a problem stand, in `so_far`, the `players` who are complete, scored as if the others were not there
    (None for the others), and what is waited for (`waiting`, in words). Nobody wins then. The value is shared with
    everybody who asks for it: it must not be changed.
    """
    return _answered.get((_text(state), language), lambda: _evaluated(state, language))


def stake(state: State, place: str, values: Sequence[Any]) -> list[int] | None:
    """By how many points a player's total changes, at least and at most, if another value stands at a place.

    Args:
        state: a table state.
        place: a place of a player, as a JSON pointer; the character of a string counts as a place below it.
        values: what may stand there, the present value among them.

    Returns None where the place is no player's, nothing else may stand there, or the state does not score.
    """
    if (player := PLAYER.match(place)) is None or not values:
        return None
    asked = (_text(state), place, _text(values))
    return _staked.get(asked, lambda: _stake(state, int(player[1]), place[1:].split("/"), values))


def problem(error: StateError, state: object, language: str) -> dict[str, Any]:
    """What a state lacks: its place as a JSON pointer, the `places` where it is several together, those of which one is
    too many (`alike`), and one line."""
    several = places(error)
    shown = {"place": error.place, **({"places": several} if len(several) > 1 else {})}
    if isinstance(alike := error.values.get("alike"), tuple):
        shown["alike"] = [str(place) for place in alike]
    asked = f"dispute.ask{PLAYER.sub('', error.place).replace('/', '.')}"
    if error.got is MISSING and asked in words(language):
        player = PLAYER.match(error.place)
        return {**shown, "message": words(language).say(asked, name=_name(state, int(player[1])) if player else "")}
    named = StateError(place_in_words(error.place, state, language), error.expected, error.got, error.values)
    return {**shown, "message": words(language).error(named)}


def places(error: StateError) -> list[str]:
    """Where a state is wrong: one place, or those that are wrong together."""
    together = error.values.get("places")
    return [str(place) for place in together] if isinstance(together, tuple) else [error.place]


def place_in_words(place: str, state: object, language: str) -> str:
    """A JSON pointer as a person would say it: `/players/0/hand/3` is `A, hand, no. 4`."""
    if not place:
        return ""
    said = words(language)
    steps = [step.replace("~1", "/").replace("~0", "~") for step in place[1:].split("/")]
    parts = []
    if steps[0] == "players" and len(steps) > 1:
        parts.append(_name(state, int(steps[1])) or said.say("dispute.place.player", number=int(steps[1]) + 1))
        steps = steps[2:]
    for step in steps:
        if step.isdecimal():
            parts.append(said.say("dispute.place.number", number=int(step) + 1))
            break
        parts.append(said.term(key) if (key := f"dispute.field.{step}") in said else step)
    return said.term("list.comma").join(parts)


def questions(game: str, language: str) -> list[dict[str, Any]]:
    """The questions about a game's rules with their readings, the usual one first, and what that rests on."""
    texts = words(language)
    return [
        {
            "name": question.name,
            "text": texts.question(question.name),
            "flag": question.flag,
            "grade": question.grade,
            "basis": texts.basis(question.grade, question.source),
            "readings": [{"reading": r, "text": texts.reading(question.name, r)} for r in question.readings],
        }
        for question in rules_of(game).questions
    ]


def _text(value: State | Sequence[Any]) -> str:
    return json.dumps(value)


def _score(state: State) -> Breakdown | StateError:
    try:
        return score_state(state)
    except StateError as error:
        return error.with_traceback(None)


def _stake(state: State, player: int, steps: list[str], values: Sequence[Any]) -> list[int] | None:
    now = totals(state)[player]
    if now is None:
        return None
    others = []
    for value in values:
        try:
            total = score_state(_replaced(state, steps, value), explain=False).players[player].total
        except (StateError, LookupError):
            continue  # a value that cannot stand there changes nothing, nor does a place that only an older record has
        others += [] if total is None else [total - now]
    return [min(others), max(others)] if others else None


def _replaced(value: Any, steps: list[str], new: Any) -> Any:
    """A copy of a JSON value with something else at the place to which the steps lead."""
    if not steps:
        return new
    step, rest = steps[0], steps[1:]
    if isinstance(value, Mapping):
        return {**value, step: _replaced(value[step], rest, new)}
    i = int(step)
    if isinstance(value, str):
        return value[:i] + new + value[i + 1 :]
    return [*value[:i], _replaced(value[i], rest, new), *value[i + 1 :]]


def _evaluated(state: State, language: str) -> dict[str, Any]:
    found = scored(state)
    if isinstance(found, StateError):
        return {"problem": problem(found, state, language), "so_far": _so_far(state, found, language)}
    return {
        "answer": answer(found, words(language)),
        "rows": rows(found, language),
        "mark": _mark(found),
        **_hidden(state, found, words(language)),
    }


def won(found: Breakdown) -> tuple[str, ...]:
    """Who has won: nobody who plays alone and misses the mark."""
    mark = _mark(found)
    return () if mark and (found.players[0].total or 0) < mark else found.winners


def _mark(found: Breakdown) -> int | None:
    return GAMES[found.game].mark if len(found.players) == 1 else None


def _hidden(state: State, found: Breakdown, said: Words) -> dict[str, Any]:
    """In `hands`, each player's total with every hand that is secret, the highest first; nothing where none is."""
    possible = GAMES[found.game].hands
    if possible is None or all(player.total is not None for player in found.players):
        return {}
    out: list[list[dict[str, Any]]] = [[] for _ in found.players]
    for i, row, cards in possible(state):
        one = {**state, "players": [row if k == i else other for k, other in enumerate(state["players"])]}
        scored = _score(one)
        total = None if isinstance(scored, StateError) else scored.players[i].total
        if total is not None:
            named = said.term("list.comma").join(said.term(f"color.{card}") for card in cards)
            out[i].append({"cards": named, "total": total})
    return {"hands": [sorted(each, key=lambda hand: -hand["total"]) for each in out]}


def rows(found: Breakdown, language: str) -> list[dict[str, Any]]:
    """The score sheet of a game: each row's `label` and everybody's `points` in it, None where they are unknown."""
    said = words(language)
    return [
        {"label": said.term(f"row.{found.game}.{row}"), "points": points}
        for row, points in points_by_row(found).items()
    ]


def points_by_row(found: Breakdown) -> dict[str, list[int | None]]:
    """Everybody's points in each row of the game's score sheet, None where they are unknown."""
    game = GAMES[found.game]
    return {
        row: [
            None if None in points else sum(point for point in points if point is not None)
            for points in ([line.points for line in one.lines if game.row(line.key) == row] for one in found.players)
        ]
        for row in game.rows
    }


def _so_far(state: State, error: StateError, language: str) -> dict[str, Any]:
    rows = state.get("players", [])
    left = list(range(len(rows)))
    waiting = []
    found: Breakdown | StateError = error
    while isinstance(found, StateError):
        out = {left[int(player[1])] for place in places(found) if (player := PLAYER.match(place))}
        waiting.append(place_in_words(_moved(found.place, left), state, language))
        if not out or len(left) == len(out):
            return {"players": [None] * len(rows), "waiting": waiting}
        left = [i for i in left if i not in out]
        found = scored({**state, "players": [rows[i] for i in left]})
    complete = dict(zip(left, answer(found, words(language))["players"], strict=True))
    for line in (line for player in complete.values() for line in player["lines"]):
        line.update({key: [_moved(place, left) for place in line[key]] for key in ("because", "gap") if key in line})
    return {"players": [complete.get(i) for i in range(len(rows))], "waiting": waiting}


def _moved(place: str, left: list[int]) -> str:
    """A place in a state of which only these players are left, as a place of the whole state."""
    return PLAYER.sub(lambda found: f"/players/{left[int(found[1])]}", place, count=1)


def _name(state: object, i: int) -> str:
    """What a player is called; nothing where a state has no such player, or none with a name."""
    match state:
        case {"players": [*rows]} if i < len(rows):
            name = rows[i].get("name") if isinstance(rows[i], dict) else None
            return name if isinstance(name, str) and name.strip() else ""
    return ""
