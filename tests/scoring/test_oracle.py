"""The second scorer agrees: on random states of every game, totals and winners are the same."""

from random import Random

import pytest
from forbidden_states import ALL as FORBIDDEN
from oracle import judge

from scoring import score_state
from scoring.samples import sample

STATES = {"twelve-seekers": 1500, "in-the-ruin": 60, "human-angel-demon": 300, "splendor": 200, "igna": 200}


HOUSE_RULES = {
    "twelve-seekers": ({"rule-9-singles": "free"}, {"plus-runs": "once-a-color"}),
    "in-the-ruin": ({"sharing-blocks": "each"},),
    "human-angel-demon": ({"instant-win": "red-in-sets"},),
    "splendor": ({"fewest-cards": "with-nobles"},),
    "igna": (),
}
FIELD = [1, 1, 2, 2, 2, 3, 3, 3, 4, 4, 5, 5]


def agrees(state):
    breakdown = score_state(state, explain=False)
    totals, winners, leading = judge(state)
    assert [player.total for player in breakdown.players] == totals, state
    assert (set(breakdown.winners), set(breakdown.leading)) == (winners, leading), state


@pytest.mark.parametrize("game", STATES)
def test_totals_and_winners_agree(game):
    rng = Random(f"oracle {game}")
    for _ in range(STATES[game]):
        state = sample(game, rng)
        agrees(state)
        for house in HOUSE_RULES[game]:
            agrees({**state, "house_rules": house})


def test_ties_of_twelve_seekers_agree():
    """Stacks of a real deal, whole, in part or unknown, under equal points."""
    rng = Random("ties")
    for _ in range(300):
        deal = rng.sample(FIELD, 12)
        stacks = [stack[: rng.choice([0, 6, 6, 6, 5, 1])] for stack in (deal[:6], deal[6:])]
        known = [{"seekers": stack} if stack or rng.random() < 0.2 else {} for stack in stacks]
        rows = [{"name": name, "gems": {}, **seekers} for name, seekers in zip("AB", known, strict=True)]
        agrees({"game": "twelve-seekers", "rule": 3, "players": rows})


@pytest.mark.parametrize(("state", "key", "rule", "place", "totals"), FORBIDDEN)
def test_what_the_rules_forbid_agrees(state, key, rule, place, totals):
    assert judge(state)[0] == totals
    agrees(state)


def test_instant_wins_agree():
    """Three opened sets of Items, red ones in the sets, in the hand or nowhere."""
    rng = Random("items")
    for _ in range(200):
        pictures = rng.sample([1, 2, 3, 4], 4)
        opened = [[f"I{n}", f"I{n}r" if rng.random() < 0.2 else f"I{n}", f"I{n}"] for n in pictures[:3]]
        row = {"name": "A", "open": opened, "hand": ["I4r"] if pictures[3] == 4 and rng.random() < 0.6 else []}
        state = {"game": "human-angel-demon", "advanced": True, "winner": None, "players": [row, {"name": "B"}]}
        for more in ({}, {"item_win": [rng.randint(1, 4)]}, {"house_rules": {"instant-win": "red-in-sets"}}):
            agrees({**state, **more})
