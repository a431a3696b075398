"""Nobody is accused who did not move: where two may have broken the rule, a question is put."""

from collections import Counter

import pytest

from referee import follow

ROW = [
    "green", "gold", "gold", "purple", "red", "blue", "yellow", "yellow", "red", "green", "green", "blue",
    "yellow", "green", "green", "purple", "red", "gold", "green", "rainbow", "purple", "blue", "blue",
    "blue", "green", "blue", "yellow", "yellow", "red", "purple", "purple", "purple", "yellow", "yellow",
    "blue", "purple", "red", "red", "red",
]  # fmt: skip
FIELD = [1, 1, 2, 2, 3, 3, 4, 5, "steal-same", "five-give-most", "swap-one", "two-kinds"]


def look(time, row, mio, ken):
    players = [{"name": name, **zone, "gold": gold, "seekers": stack} for name, (zone, gold, stack) in (mio, ken)]
    left = list(FIELD)
    for player in players:
        for card in player["seekers"]:
            left.remove(card)
    state = {"game": "twelve-seekers", "rule": 6, "order_cards": [1], "dungeon": row, "seekers_left": left}
    return {"time": time, "state": {**state, "players": players}}


def test_a_gem_that_either_may_have_taken_is_asked_for():
    nothing = ({"gems": {}}, 0, [])
    mio = ({"gems": {"blue": 1, "yellow": 1, "red": 1, "purple": 1, "green": 1}}, 2, [4])
    ken = ({"gems": {"red": 3, "purple": 3, "yellow": 1}}, 0, ["two-kinds", "steal-same"])
    short = ({"gems": {"red": 3}}, 0, ["two-kinds"])
    later = (mio[0], 2, [4, "five-give-most"])
    looks = [
        look(1, ROW, ("Mio", nothing), ("Ken", nothing)),
        look(2, ROW[:-3], ("Mio", nothing), ("Ken", short)),
        look(3, ROW[5:-9], ("Mio", mio), ("Ken", ken)),
        *(look(n, ROW[5:-9], ("Mio", later), ("Ken", ken)) for n in range(4, 12)),
    ]
    out = list(follow([{"header": {"game": "twelve-seekers", "players": ["Mio", "Ken"], "mode": "advanced"}}, *looks]))
    slips = [(line["who"], line["breaks"]) for line in out if line["line"] == "slip"]
    asked = [{one["move"]["breaks"] == ["T7"] for one in line["choices"]} for line in out if line["line"] == "question"]
    assert slips == [(None, ["T7"])]
    assert asked == [{True, False}]


def test_gold_that_is_nowhere_stops_nothing():
    nothing, started = ({"gems": {}}, 0, []), ({"gems": {"red": 1}}, 0, [2])
    state = look(1, ROW, ("Mio", nothing), ("Ken", nothing))["state"]
    short = look(2, [ROW[0], *ROW[2:-1]], ("Mio", nothing), ("Ken", started))["state"]
    thrown = [{"time": i, "state": {**one, "rule": 11, "thrown": {}}} for i, one in enumerate((state, short, short))]
    out = list(follow([{"header": {"game": "twelve-seekers", "players": ["Mio", "Ken"]}}, *thrown]))
    assert [line["error"] for line in out if line["line"] == "look" and "error" in line] == []
    assert out[-1]["line"] == "end"


@pytest.mark.parametrize("card", [4, "two-kinds", "steal-same", "five-give-most", "swap-one"])
def test_a_card_beside_a_covered_row_is_a_turn_begun(card):
    """What came off the row nobody sees: no effect was left out, whatever the card."""
    nothing, begun = ({"gems": {}}, 0, []), ({"gems": {}}, 0, [card])
    covered = look(2, ROW, ("Mio", begun), ("Ken", nothing))
    del covered["state"]["dungeon"]
    looks = [look(1, ROW, ("Mio", nothing), ("Ken", nothing)), covered, {**covered, "time": 3}]
    *_, last, _ = follow([{"header": {"game": "twelve-seekers", "players": ["Mio", "Ken"], "mode": "chaos"}}, *looks])
    assert (last["moves"], [(one["who"], one["rule"]) for one in last["owed"]]) == ([], [("Mio", "T7")])


@pytest.mark.parametrize(
    ("cards", "slips"), [([4], [("Ken", "T5")]), ([4, 4], [("Mio", "T4")]), ([4, 5], [("Mio", "T4")])]
)
def test_of_cards_taken_together_nobody_knows_which_counts(cards, slips):
    """The higher power begins the next round (order card 3): Ken took a 3, and begins."""

    def state(n, mine, theirs):
        left = [1, 1, 2, 2, 2, 3, 3, 3, 4, 4, 5, 5]
        for card in (*mine, *theirs):
            left.remove(card)
        row, taken = [gem for gem in ROW if gem != "gold"], []
        for size in (mine[:1], theirs[:1], theirs[1:]):
            taken.append(row[: sum(size)])
            row = row[sum(size) :]
        rows = [("Mio", taken[0], mine), ("Ken", [*taken[1], *taken[2]], theirs)]
        players = [{"name": name, "gems": dict(Counter(gems)), "gold": 0, "seekers": c} for name, gems, c in rows]
        table = {"game": "twelve-seekers", "rule": 6, "order_cards": [3], "dungeon": [*row, *["gold"] * 3]}
        return {"time": n, "state": {**table, "seekers_left": left, "players": players}}

    tables = [
        state(1, [], []),
        state(2, cards, []),
        state(3, cards, [3]),
        *(state(n, cards, [3, 2]) for n in (4, 5, 6)),
    ]
    out = list(follow([{"header": {"game": "twelve-seekers", "players": ["Mio", "Ken"], "start": "Mio"}}, *tables]))
    assert [(line["who"], line["breaks"][0]) for line in out if line["line"] == "slip"] == slips
