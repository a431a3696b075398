"""T14 as a table of laws: each ability done wrongly in its own ways is told at its turn, of who did it."""

from random import Random

import pytest
from standing_log import standing_moves

from referee import follow
from training.synth.games.other_seekers import EFFECTS, one_effect

SHEETS = {"counts": 3, "line": 8, "places": 20}
TURN = 5
"""The turn with the advanced seeker."""
CASES = [(card, how, kind) for card, ways in EFFECTS.items() for how in (*ways, None) for kind in SHEETS]


def game(card, how, kind):
    for i in range(60):
        made = one_effect(Random(f"law {card} {how} {kind} {i}"), SHEETS[kind], card, how)
        if made is not None:
            return made
    return None


def told(made):
    looks = [{"time": i, "state": moment.state} for i, moment in enumerate(made.moments)]
    out = follow([{"header": made.header()}, *looks])
    log = standing_moves(out)
    return log, [(line["who"], line["breaks"]) for line in out if line["line"] == "slip"]


@pytest.mark.parametrize(("card", "how", "kind"), CASES)
def test_an_effect_is_judged_at_its_own_turn(card, how, kind):
    made = game(card, how, kind)
    if made is None:
        alike = (card, how) == ("swap-one", "none")  # two gems of one color may have been swapped
        where = {"valid": ("counts", "line"), "end-place": ("counts", "places")}
        assert alike or kind in where[how]
        return
    log, slips = told(made)
    assert [(line["who"], str(line["seeker"])) for line in log] == [(m["who"], str(m["seeker"])) for m in made.moves]
    wrong = [line for line in log if line["breaks"]]
    if how is None:
        assert (wrong, slips) == ([], [])
    else:
        assert [(line["turn"], line["who"], line["breaks"][0]) for line in wrong] == [(TURN, "Mio", "T14")]
        assert [(who, breaks[0]) for who, breaks in slips] == [("Mio", "T14")]
