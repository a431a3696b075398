"""Readings of rules that are argued about: which one is taken, and which a state switches.

Each question has readings by name, the usual one first. What that one rests on is its grade: the rulebook says it
(`explicit`, every other reading is a house rule), it follows from what is said elsewhere (`inferred`), or the rulebook
is `silent`. A state's `house_rules` object switches readings: `{"shared-escape": "after-one"}`.
"""

from collections.abc import Mapping
from typing import NamedTuple

from scoring.breakdown import Grade
from scoring.errors import StateError
from scoring.fields import State, an_object, flag, one_of, pointer


class Question(NamedTuple):
    """A question about one game's rules; `readings[0]` is the usual one, graded by what it rests on.

    `source` is the section that says it, or that is nearest where the rulebook is silent. Where a flag of the state
    switches the second reading on by itself, `flag` names it.
    """

    name: str
    readings: tuple[str, ...]
    grade: Grade
    source: str
    flag: str | None = None


Readings = Mapping[str, str]


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
