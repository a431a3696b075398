"""The second scorer agrees: on random states of every game, totals and winners are the same."""

from random import Random

import pytest
from oracle import judge

from bench.states import GAMES
from scoring import score_state

STATES = {"twelve-seekers": 1500, "in-the-ruin": 60, "human-angel-demon": 300, "splendor": 200, "igna": 200}


@pytest.mark.parametrize("game", GAMES)
def test_totals_and_winners_agree(game):
    rng = Random(f"oracle {game}")
    for _ in range(STATES[game]):
        state = GAMES[game](rng)
        breakdown = score_state(state, explain=False)
        totals, winners = judge(state)
        assert [player.total for player in breakdown.players] == totals, state
        assert set(breakdown.winners) == winners, state
