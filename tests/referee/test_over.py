"""When a game is over, by what lies on the table: just so, and just not yet."""

import pytest

from referee import Game

CARD = {"level": 3, "price": {"red": 7}, "bonus": "blue"}
SET = ["blue1", "blue2", "blue3"]
MAP = ["." * 11] * 5 + [".....o....."] + ["." * 11] * 5


def splendor(*points, nobles=0):
    rows = [{"name": name, "tokens": {}, "nobles": [], "cards": [{**CARD, "points": p} for p in some], "kept": []}
            for name, some in zip("AB", points, strict=True)]  # fmt: skip
    rows[0]["nobles"] = [{"red": 4, "black": 4}] * nobles
    supply = {"white": 4, "blue": 4, "green": 4, "red": 4, "black": 4, "gold": 5}
    return {"game": "splendor", "supply": supply, "market": [], "nobles_left": [], "decks": [1, 2, 3], "players": rows}


def took(state):
    """The next look: A took three tokens."""
    supply = {**state["supply"], "white": 3, "blue": 3, "green": 3}
    first, *others = state["players"]
    return {**state, "supply": supply, "players": [{**first, "tokens": {"white": 1, "blue": 1, "green": 1}}, *others]}


def igna(*sets):
    rows = [{"name": name, "sets": [SET] * n, "tokens": 2, "hand_size": 5} for name, n in zip("AB", sets, strict=True)]
    points = {"same": 5, "run": 3, "mixed": 2, "bonus": 1}
    return {"game": "igna", "points": points, "laid": None, "players": rows}


def ruin(*escaped):
    rows = [{"name": name, "map": MAP, "gems": 0, "penalties": 0, "goals": [], "escaped": how}
            for name, how in zip("AB", escaped, strict=True)]  # fmt: skip
    return {"game": "in-the-ruin", "round": 2, "stage": 2, "cards": [], "players": rows}


def angels(*points, short_game=1, winner=None):
    rows = [
        {"name": name, "open": [], "discards": [], "ready": False, "points": p}
        for name, p in zip("ABCD"[: len(points)], points, strict=True)
    ]
    return {"game": "human-angel-demon", "market": [], "short_game": short_game, "winner": winner, "players": rows}


def seekers(left, row=("red", "blue"), line=(), took=()):
    rows = [{"name": name, "line": [], "gold": 0, "seekers": []} for name in "AB"]
    rows[0] |= {"line": list(line), "seekers": list(took)}
    return {"game": "twelve-seekers", "rule": 8, "seekers_left": left, "dungeon": list(row), "players": rows}


OVER = {
    "15 points, all turns of the round": ([splendor([5, 5, 5], [])], True),
    "14 points": ([splendor([5, 5, 4], [])], False),
    "15 with a noble's 3": ([splendor([5, 5, 2], [], nobles=1)], True),
    "14 with a noble's 3": ([splendor([5, 5, 1], [], nobles=1)], False),
    "15, and the round goes on": ([splendor([], [5, 5, 5]), took(splendor([], [5, 5, 5]))], False),
    "the fourth set": ([igna(4, 0)], True),
    "three sets each": ([igna(3, 3)], False),
    "both are out": ([ruin(1, 2)], True),
    "one is out": ([ruin(1, None)], False),
    "two players, 24 points": ([angels(24, 0)], True),
    "two players, 23 points": ([angels(23, 23)], False),
    "three players, 18 points": ([angels(0, 18, 0)], True),
    "three players, 17 points": ([angels(17, 17, 0)], False),
    "four players, 12 points": ([angels(0, 0, 0, 12)], True),
    "four players, 11 points": ([angels(11, 11, 11, 11)], False),
    "two players, the sixth short game won": (
        [angels(3, 3, short_game=6), angels(3, 3, short_game=6, winner="A")],
        True,
    ),
    "two players, the sixth short game not won yet": ([angels(3, 3, short_game=6)], False),
    "two players, the fifth short game won": (
        [angels(3, 3, short_game=5), angels(3, 3, short_game=5, winner="A")],
        False,
    ),
    "four players, the seventh short game won": (
        [angels(1, 1, 1, 1, short_game=7), angels(1, 1, 1, 1, short_game=7, winner="A")],
        False,
    ),
    "four players, the eighth short game won": (
        [angels(1, 1, 1, 1, short_game=8), angels(1, 1, 1, 1, short_game=8, winner="A")],
        True,
    ),
    "a seeker is left": ([seekers([3])], False),
    "the last seeker is taken": ([seekers([1]), seekers([], ["blue"], line=["red"], took=[1])], True),
    "none was ever seen, and gems lie there": ([seekers(None)], False),
    "none was ever seen, and no gem is left": ([seekers(None, ())], True),
}


@pytest.mark.parametrize("what", OVER)
def test_a_game_is_over_when_its_rules_say_so(what):
    looks, over = OVER[what]
    game = Game()
    for look in looks:
        assert "error" not in game.take({"state": look})[-1]
    assert game.end()[-1]["over"] is over
