"""Clearing the table, in any order and over any number of looks, is no move and takes no points."""

from copy import deepcopy
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from standing_log import standing_moves

from referee import Game, follow
from scoring import StateError, score_state
from training.synth.games import angels, igna, laid_out, other_seekers, ruin, splendor
from training.synth.games.cases import KINDS

LAST = 5
"""Looks before the table is cleared."""


def at_rest(name):
    """The last tables of a game, nobody in the midst of a turn."""
    rng = Random(f"tidying {name}")
    if name.startswith("twelve-seekers"):
        game = other_seekers.Seekers(rng, int(name.rsplit(" ", 1)[1]), "basic")
        states = [moment.state for moment in game.moments if moment.rests]
    elif name == "splendor":
        game = splendor.Game(rng, 3)
        states = [game.state(table) for _, rests, _, table in game.steps if rests]
    elif name == "human-angel-demon":
        game = angels.Game(rng, 3)
        game.market.pop()  # the card that the goal takes
        game._wins(0, game._nine())
        states = [state for _, rests, _, state in game.steps if rests]
    elif name == "igna":
        game = igna.Game(rng, 3, False, 0.0)
        states = [step.state for step in game.steps if step.rests]
    else:
        game = ruin.Game(rng, 2, "table", 0.0)
        states = [step.state for step in game.steps if step.rests]
    return [{"header": game.header()}, *({"time": i, "state": state} for i, state in enumerate(states[-LAST:]))]


GAMES = ["twelve-seekers 8", "twelve-seekers 3", "twelve-seekers 12", "twelve-seekers 14", "twelve-seekers 20"]
GAMES += ["splendor", "human-angel-demon", "igna", "in-the-ruin"]
LOOKS = {name: at_rest(name) for name in GAMES}
WITHOUT = {name: follow(lines) for name, lines in LOOKS.items()}


def log(lines):
    found = [(line["who"], line["move"], line["breaks"]) for line in standing_moves(lines)]
    return found


def end(lines):
    """Whether it is over, and the totals."""
    try:
        return lines[-1]["over"], [player.total for player in score_state(lines[-1]["state"]).players]
    except StateError as error:  # some sheets cannot be scored yet, whether the table is cleared or not
        return lines[-1]["over"], str(error)


@pytest.mark.parametrize("name", GAMES)
@given(seed=st.integers(0, 10**6))
@settings(max_examples=8, deadline=None)
def test_what_was_scored_before_stands(name, seed):
    lines = LOOKS[name]
    out = follow([*lines, *laid_out.cleared(Random(seed), lines[-1]["state"])])
    assert log(out) == log(WITHOUT[name])
    assert [line for line in out if line["line"] in ("slip", "question")] == [
        line for line in WITHOUT[name] if line["line"] in ("slip", "question")
    ]
    assert end(out) == end(WITHOUT[name])


def test_an_empty_table_that_is_seen_for_long_stays_cleared():
    lines = LOOKS["twelve-seekers 8"]
    empty = deepcopy(laid_out.cleared(Random(1), lines[-1]["state"])[-1])
    out = follow([*lines, *[{**empty, "time": 50 + i} for i in range(12)]])
    assert log(out) == log(WITHOUT["twelve-seekers 8"])
    assert out[-1] == WITHOUT["twelve-seekers 8"][-1]


def test_who_lays_the_pieces_out_again_goes_on():
    """Something stood in the way; the game had not ended."""
    lines = LOOKS["twelve-seekers 8"]
    *before, last = lines
    covered = {**deepcopy(before[-1]["state"]), "dungeon": []}
    for player in covered["players"]:
        player.update(line=[], gold=0)
    game = Game()
    out = [one for line in [*before, {"time": 9, "state": covered}, last] for one in game.take(line)] + game.end()
    assert log(out) == log(WITHOUT["twelve-seekers 8"])


def test_a_hand_full_of_gems_is_no_clearing():
    """The last turn is begun: as many gems as the power are out of sight, and owed."""
    lines = LOOKS["twelve-seekers 8"][:-1]
    state = deepcopy(lines[-1]["state"])
    state["dungeon"] = state["dungeon"][1:]
    out = follow([*lines, {"time": 9, "state": state}])
    assert [line["owed"] for line in out if line["line"] == "look"][-1] != []


@pytest.mark.parametrize(
    ("game", "winner", "totals"),
    [("795000 other-angels-sure-slips 0", "Rin", [0, 1, 0, 0]), ("795000 other-angels-sure-slips 4", "Kai", [9, 0])],
)
def test_nobody_wins_by_tidying_up(game, winner, totals):
    """A goal with another's discard, and against a rule, stays one, with its slip, when all is cleared right after."""
    out = follow(KINDS["other-angels-sure-slips"](Random(game)).shot.lines)
    assert log(out)[-1] == (winner, "goal", ["H10"])
    assert end(out)[1] == totals
