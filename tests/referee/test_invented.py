"""A tile that the eye invented in the row, more than the box holds: the game goes on as if it were not there."""

from copy import deepcopy
from random import Random

import pytest

from referee import Game
from training.synth.games.seekers import Game as Seekers
from training.synth.games.signs import sign

FIRST = 4


@pytest.mark.parametrize("rule", [1, 8, 17, 20])
@pytest.mark.parametrize("looks", [1, 4, 99], ids=["one look", "four looks", "all looks"])
def test_a_tile_too_many_stops_no_game(rule, looks):
    played = Seekers(Random(f"invented {rule}"), rule, "basic", 0.0)
    game, log, slips = Game(), [], []
    game.take({"header": played.header()})
    tables = [played.state(table) for _, rests, table in played.steps if rests]
    for i, state in enumerate(deepcopy(tables)):
        if FIRST <= i < FIRST + looks and state["dungeon"]:
            state["dungeon"].insert(len(state["dungeon"]) // 2, "yellow")
        for line in game.take({"time": i, "state": state}):
            if line["line"] == "replaced":
                del log[line["from"] - 1 :]
            elif line["line"] == "move":
                log.append(sign(line))
            elif line["line"] == "slip":
                slips.append(line["who"])
    assert log == [(t["who"], "take", str(t["seeker"]), tuple(sorted(t["what"]))) for t in played.turns]
    assert slips == []
