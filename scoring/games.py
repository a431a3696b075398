"""The written list of games, and the one way into each of them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final, NamedTuple, Protocol

from scoring import human_angel_demon, igna, in_the_ruin, splendor, twelve_seekers
from scoring.breakdown import Breakdown, Note, Ruling
from scoring.errors import StateError
from scoring.fields import State, an_object, one_of, required
from scoring.house_rules import Question, Readings, switched, usual


class Read(Protocol):
    """Checks a state and takes it over into the game's own table. Raises StateError."""

    def __call__(self, state: State, /) -> Any: ...


class Score(Protocol):
    """Scores a checked table under some readings; `explain` asks for what costs time (alternatives, gaps)."""

    def __call__(self, table: Any, readings: Readings, /, explain: bool) -> Breakdown: ...


class Game(NamedTuple):
    """A game: how its state is checked and scored, and which questions its rulebook leaves open.

    `usual` are the usual readings, `switches` the keys of a state that may change them.
    """

    read: Read
    score: Score
    questions: tuple[Question, ...]
    usual: Readings
    switches: frozenset[str]


def _game(read: Read, score: Score, questions: tuple[Question, ...]) -> Game:
    flags = {question.flag for question in questions if question.flag}
    return Game(read, score, questions, usual(questions), frozenset(("house_rules", *flags)))


GAMES: Final[Mapping[str, Game]] = {
    "twelve-seekers": _game(twelve_seekers.read, twelve_seekers.score, twelve_seekers.QUESTIONS),
    "in-the-ruin": _game(in_the_ruin.read, in_the_ruin.score, in_the_ruin.QUESTIONS),
    "human-angel-demon": _game(human_angel_demon.read, human_angel_demon.score, human_angel_demon.QUESTIONS),
    "splendor": _game(splendor.read, splendor.score, splendor.QUESTIONS),
    "igna": _game(igna.read, igna.score, igna.QUESTIONS),
}


def score_state(state: object, explain: bool = True) -> Breakdown:
    """The breakdown of a table state (the JSON object, parsed).

    Without `explain` there are no alternatives, rulings and gaps: totals, lines, winners and notes are the same.
    Raises StateError.
    """
    fields = an_object(state, "")
    game = GAMES[one_of(required(fields, "game", ""), GAMES, "/game")]
    house_rules = {} if fields.keys().isdisjoint(game.switches) else switched(fields, game.questions)
    readings: Readings = {**game.usual, **house_rules} if house_rules else game.usual
    table = game.read(fields)
    breakdown = game.score(table, readings, explain=explain)
    if house_rules:
        switches = tuple(Note("house-rule", {"question": q, "reading": r}) for q, r in house_rules.items())
        breakdown = breakdown._replace(house_rules=house_rules, notes=(*switches, *breakdown.notes))
    if explain:
        breakdown = breakdown._replace(rulings=_rulings(game, table, readings, breakdown))
    return breakdown


def _rulings(game: Game, table: Any, readings: Readings, taken: Breakdown) -> tuple[Ruling, ...]:
    """What each other reading would give, where that is something else."""
    rulings = []
    totals = [player.total for player in taken.players]
    for question in game.questions:
        for reading in question.readings:
            if reading == readings[question.name]:
                continue
            try:
                other = game.score(table, {**readings, question.name: reading}, explain=False)
            except StateError:
                continue  # a choice that the state makes is not legal under that reading: it has no total
            others = tuple(player.total for player in other.players)
            if list(others) != totals or other.winners != taken.winners:
                rulings.append(Ruling(question.name, readings[question.name], reading, others, other.winners))
    return tuple(rulings)
