"""Readings of open questions: which one is taken, and which a state switches.

A question is asked where a rulebook is silent. Each has readings by name, the usual one first. A state's
`house_rules` object switches readings: `{"shared-escape": "next-place"}`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from scoring.errors import StateError
from scoring.fields import State, an_object, flag, one_of, pointer


class Question(NamedTuple):
    """An open question of one game; `readings[0]` is the usual one.

    Where a flag of the state switches the second reading on by itself, `flag` names it.
    """

    name: str
    readings: tuple[str, ...]
    flag: str | None = None


Readings = Mapping[str, str]


def usual(questions: tuple[Question, ...]) -> dict[str, str]:
    """Each question's usual reading."""
    return {question.name: question.readings[0] for question in questions}


def switched(state: State, questions: tuple[Question, ...]) -> dict[str, str]:
    """The readings that the state switches away from the usual ones. Raises StateError.

    What `house_rules` says goes before a flag.
    """
    chosen = {q.name: q.readings[1] for q in questions if q.flag and flag(state, q.flag, "")}
    if "house_rules" in state:
        by_name = {question.name: question.readings for question in questions}
        for name, reading in an_object(state["house_rules"], "/house_rules").items():
            place = pointer("/house_rules", name)
            if name not in by_name:
                raise StateError(place, "house-rule", name, {"names": tuple(by_name)})
            chosen[name] = one_of(reading, by_name[name], place)
    return {q.name: chosen[q.name] for q in questions if chosen.get(q.name, q.readings[0]) != q.readings[0]}
