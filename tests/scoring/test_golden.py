"""Two hundred whole answers, kept as data and checked against a second reading of the rulebooks."""

import pytest
from golden import FOLDER, answered, entries
from second_reading import disagreements

from companion.cases.answer import answer
from companion.words.words import words
from scoring import score_state
from scoring.games import NAMES

LEAST = 200
KEPT = [(game, i, entry) for game in NAMES for i, entry in enumerate(entries(game))]


@pytest.mark.parametrize(("game", "i", "entry"), KEPT, ids=[f"{game}-{i}" for game, i, _ in KEPT])
def test_the_whole_answer_is_as_it_was_checked(game, i, entry):
    now = answered(entry["state"])
    for part in ("winners", "leading", "notes", "rulings"):
        assert now[part] == entry["answer"][part]
    for player, kept in zip(now["players"], entry["answer"]["players"], strict=True):
        assert player == kept


@pytest.mark.parametrize(("game", "i", "entry"), KEPT, ids=[f"{game}-{i}" for game, i, _ in KEPT])
def test_the_second_reading_agrees(game, i, entry):
    said = answer(score_state(entry["state"]), words("en"))
    assert disagreements(entry["state"], _plain(said)) == []


def test_there_are_enough_of_each_game_and_each_says_how_it_was_checked():
    assert {file.stem for file in FOLDER.glob("*.json")} == set(NAMES)
    assert len(KEPT) >= LEAST
    assert all(sum(game == name for game, *_ in KEPT) >= 20 for name in NAMES)
    assert all(entry["checked"] in HOW or entry["checked"].startswith("rulebook") for *_, entry in KEPT)


HOW = {
    "totals by hand (tests/support/forbidden_states.py), lines and notes by the second reading, sentences read",
    "totals, lines and notes by the second reading (tests/support), sentences read",
}


def _plain(value):
    """As it comes back from JSON: tuples are lists."""
    if isinstance(value, dict):
        return {key: _plain(one) for key, one in value.items()}
    return [_plain(one) for one in value] if isinstance(value, (list, tuple)) else value


def test_the_second_reading_disagrees_with_an_answer_that_was_changed():
    for game in NAMES:
        state = max((entry["state"] for entry in entries(game)), key=lambda state: len(str(state)))
        said = _plain(answer(score_state(state), words("en")))
        line = next(line for player in said["players"] for line in player["lines"])
        line["points"] = (line["points"] or 0) + 1
        assert disagreements(state, said)
