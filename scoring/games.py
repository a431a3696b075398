"""The written list of games, and the one way into each of them."""

from collections.abc import Callable
from functools import cache
from importlib import import_module
from typing import Any, Final, NamedTuple

from scoring.breakdown import Breakdown, Note, Ruling
from scoring.errors import StateError
from scoring.fields import State, an_object, word
from scoring.house_rules import Question, Readings, switched
from scoring.spelling import SPELL, Respelled

Read = Callable[[State], Any]
"""Checks a state and takes it over into the game's own table. Raises StateError."""
Score = Callable[[Any, Readings, bool], Breakdown]
"""Scores a checked table under some readings; the flag asks for what costs time (alternatives, gaps)."""


class Game(NamedTuple):
    """A game: how its state is checked and scored, and which questions about its rules are argued about.

    `usual` are the usual readings, `switches` the keys of a state that may change them, None where a
    question has no key of its own.
    """

    read: Read
    score: Score
    questions: tuple[Question, ...]
    usual: Readings
    switches: frozenset[str | None]


NAMES: Final = ("twelve-seekers", "in-the-ruin", "human-angel-demon", "splendor", "igna")


@cache
def rules_of(name: str) -> Game:
    """A game, one of `NAMES`; its module, which is named like it, is loaded when it is first asked for."""
    module = import_module(f"scoring.{name.replace('-', '_')}")
    questions: tuple[Question, ...] = module.QUESTIONS
    usual = {question.name: question.readings[0] for question in questions}
    switches = frozenset(("house_rules", *(question.flag for question in questions)))
    return Game(module.read, module.score, questions, usual, switches)


def score_state(state: object, explain: bool = True) -> Breakdown:
    """The breakdown of a table state (the JSON object, parsed).

    Without `explain` there are no alternatives, rulings and gaps: totals, lines, winners and notes are the same.
    Raises StateError.
    """
    fields = an_object(state, "")
    game = rules_of(word(fields, "game", NAMES, ""))
    house_rules = {} if fields.keys().isdisjoint(game.switches) else switched(fields, game.questions)
    readings: Readings = {**game.usual, **house_rules} if house_rules else game.usual
    table, respelled = _read(game, fields)
    breakdown = game.score(table, readings, explain)
    if house_rules:
        switches = tuple(Note("house-rule", {"question": q, "reading": r}) for q, r in house_rules.items())
        breakdown = breakdown._replace(house_rules=house_rules, notes=(*switches, *breakdown.notes))
    if explain:
        breakdown = breakdown._replace(rulings=_rulings(game, table, readings, breakdown))
    return respelled.answered(breakdown) if respelled else breakdown


def _read(game: Game, fields: State) -> tuple[Any, Respelled | None]:
    """The table of a state; where it cannot be read as it is written, of the state with its words written anew."""
    try:
        return game.read(fields), None
    except StateError:
        spell = SPELL.get(fields["game"])
        respelled = Respelled(fields, spell) if spell else None
        if respelled is None or not respelled.changed:
            raise
    try:
        return game.read(respelled.state), respelled
    except StateError as error:
        raise StateError(respelled.back(error.place), error.expected, error.got, error.values) from None


def _rulings(game: Game, table: Any, readings: Readings, taken: Breakdown) -> tuple[Ruling, ...]:
    """What each other reading would give, where that is something else."""
    rulings = []
    totals = [player.total for player in taken.players]
    for question in game.questions:
        for reading in question.readings:
            if reading == readings[question.name]:
                continue
            try:
                other = game.score(table, {**readings, question.name: reading}, False)
            except StateError:
                continue  # a choice that the state makes is not legal under that reading: it has no total
            others = tuple(player.total for player in other.players)
            if list(others) != totals or (other.winners, other.leading) != (taken.winners, taken.leading):
                rulings.append(
                    Ruling(
                        question.name, readings[question.name], reading, others, other.winners, other.leading,
                        question.grade, question.source,
                    )
                )  # fmt: skip
    return tuple(rulings)
