"""Twelve Seekers: where a turn ends and the next one begins, what was put back, and who left out what."""

import pytest
from standing_log import standing_moves
from test_seekers_lines import COUNTS, ROW, state

from referee import follow

ADVANCED = [1, 1, 2, 2, 3, 3, 4, 5, "steal-one", "give-one", "both-ends-one", "five-return-two"]
CHAOS = [
    "steal-one", "first-of-kind", "three-return-two", "pair", "steal-same", "anywhere", "both-ends-one",
    "five-return-two", "all-different", "swap-one", "both-ends-two", "four-kinds",
]  # fmt: skip
ENDS = ["red", *ROW[1:-1], "red"]
GREEN = ["green", "gold", "green", "green", *ROW[4:7], *ROW[8:], "rainbow"]
MIO = {"gems": ["red", "blue"], "seekers": [2]}
FIVE = {"gems": ["green", "red", "yellow", "purple"], "gold": 1}
MOST = {"gems": ["red", "blue", "green", "red", "yellow"], "gold": 1}
# name: field, order card, looks as row, Mio, Ken; turns as who, seeker, gems; slips
CASES = {
    "Ken takes from both ends; Mio is not seen to have taken from the other end instead": (ADVANCED, 1, [
        (ENDS, {}, {}),
        (ENDS[:-1], {"gems": ["red"], "seekers": [1]}, {}),
        (ENDS[1:-2], {"gems": ["red"], "seekers": [1]}, {"gems": ["red", "yellow"], "seekers": [2]}),
        (ENDS[3:-2], {"gems": ["red", "blue"], "gold": 1, "seekers": [1, 2]},
         {"gems": ["red", "yellow"], "seekers": [2]}),
    ], [("Mio", 1, ["red"]), ("Ken", 2, ["red", "yellow"]), ("Mio", 2, ["blue", "gold"])], [("Ken", "T7")]),
    "Mio takes three from one end, Ken steals the rainbow; nothing of it was put back": (CHAOS, 1, [
        (GREEN, {}, {}),
        (GREEN[3:-1], {"gems": ["green", "green", "rainbow"], "gold": 1, "seekers": ["both-ends-two"]}, {}),
        (GREEN[4:-1], {"gems": ["green", "green"], "gold": 1, "seekers": ["both-ends-two"]},
         {"gems": ["green", "rainbow"], "seekers": ["steal-one"]}),
        (GREEN[6:-1], {"gems": ["green", "green", "red", "yellow"], "gold": 1, "seekers": ["both-ends-two", "pair"]},
         {"gems": ["green", "rainbow"], "seekers": ["steal-one"]}),
    ], [("Mio", "both-ends-two", ["gold", "green", "green", "rainbow"]), ("Ken", "steal-one", ["green"]),
        ("Mio", "pair", ["red", "yellow"])], [("Mio", "T14"), ("Ken", "T14")]),
    "Ken takes two cards and puts all back": (ADVANCED, 2, [
        (ROW, {}, {}),
        (ROW[2:], MIO, {}),
        (ROW[5:], MIO, {"gems": ["green", "red"], "gold": 1, "seekers": [3, 2]}),
        (ROW[2:], MIO, {}),
        (ROW[5:], MIO, {"gems": ["green", "red"], "gold": 1, "seekers": [3]}),
        (ROW[6:], MIO, {"gems": ["green", "red", "yellow"], "gold": 1, "seekers": [3, 1]}),
    ], [("Mio", 2, ["blue", "red"]), ("Ken", 3, ["gold", "green", "red"]), ("Ken", 1, ["yellow"])], [("Ken", "T4")]),
    "Ken takes one too few, then the next card before the next gems": (ADVANCED, 2, [
        (ROW, {}, {}),
        (ROW[2:], MIO, {}),
        (ROW[2:-1], MIO, {"gems": ["blue"], "seekers": [2]}),
        (ROW[2:-1], MIO, {"gems": ["blue"], "seekers": [2, "both-ends-one"]}),
        (ROW[3:-2], MIO, {"gems": ["blue", "yellow"], "gold": 1, "seekers": [2, "both-ends-one"]}),
    ], [("Mio", 2, ["blue", "red"]), ("Ken", 2, ["blue"]), ("Ken", "both-ends-one", ["gold", "yellow"])],
        [("Ken", "T7")]),
    "Ken gives nothing back; the next card takes others": (ADVANCED, 2, [
        (ROW, {}, {}),
        (ROW[2:], MIO, {}),
        (ROW[7:], MIO, {**FIVE, "seekers": ["five-return-two"]}),
        (ROW[7:], MIO, {**FIVE, "seekers": ["five-return-two", 3]}),
        (ROW[10:], MIO, {"gems": [*FIVE["gems"], *ROW[7:10]], "gold": 1, "seekers": ["five-return-two", 3]}),
        (ROW[11:], {"gems": ["red", "blue", "blue"], "seekers": [2, 1]},
         {"gems": [*FIVE["gems"], *ROW[7:10]], "gold": 1, "seekers": ["five-return-two", 3]}),
    ], [("Mio", 2, ["blue", "red"]), ("Ken", "five-return-two", ["gold", "green", "purple", "red", "yellow"]),
        ("Ken", 3, ["green", "rainbow", "yellow"]), ("Mio", 1, ["blue"])], [("Ken", "T14")]),
    "two turns and the next card in one look, gems out of the midst of the row among them": (CHAOS, 1, [
        (ROW, {}, {}),
        (ROW[1:], {"gems": ["red"], "seekers": ["first-of-kind"]}, {}),
        (ROW[1:-3], {"gems": ["red"], "seekers": ["first-of-kind"]},
         {"gems": ["yellow", "blue"], "gold": 1, "seekers": ["all-different"]}),
        ([*ROW[6:9], *ROW[11:-3]], {**MOST, "seekers": ["first-of-kind", "four-kinds", "pair"]},
         {"gems": ["yellow", "blue", "green", "blue"], "gold": 1, "seekers": ["all-different", "anywhere"]}),
        ([*ROW[8:9], *ROW[11:-3]],
         {"gems": [*MOST["gems"], "purple", "rainbow"], "gold": 1, "seekers": ["first-of-kind", "four-kinds", "pair"]},
         {"gems": ["yellow", "blue", "green", "blue"], "gold": 1, "seekers": ["all-different", "anywhere"]}),
    ], [("Mio", "first-of-kind", ["red"]), ("Ken", "all-different", ["blue", "gold", "yellow"]),
        ("Mio", "four-kinds", ["blue", "gold", "green", "red", "yellow"]), ("Ken", "anywhere", ["blue", "green"]),
        ("Mio", "pair", ["purple", "rainbow"])], []),
    "Mio moves twice, all of it lay there before Ken moved": (CHAOS, 4, [
        (ROW, {}, {}),
        (ROW[1:], {"gems": ["red"], "seekers": ["first-of-kind"]}, {}),
        (ROW[3:], {"gems": ["red"], "seekers": ["first-of-kind"]}, {"gems": ["blue"], "gold": 1, "seekers": ["pair"]}),
        (["red", "green", *ROW[8:]], {"gems": ["red", "yellow", "purple", "rainbow"], "seekers": [
            "first-of-kind", "five-return-two"]}, {"gems": ["blue"], "gold": 1, "seekers": ["pair"]}),
        (ROW[9:], {"gems": ["red", "yellow", "purple", "rainbow", "red", "green", "yellow"], "seekers": [
            "first-of-kind", "five-return-two", "all-different"]}, {"gems": ["blue"], "gold": 1, "seekers": ["pair"]}),
        (ROW[9:-5], {"gems": ["red", "yellow", "purple", "rainbow", "red", "green", "yellow"], "seekers": [
            "first-of-kind", "five-return-two", "all-different"]},
         {"gems": ["blue", "blue", "yellow", "green", "red"], "gold": 2, "seekers": ["pair", "four-kinds"]}),
    ], [("Mio", "first-of-kind", ["red"]), ("Ken", "pair", ["blue", "gold"]),
        ("Mio", "five-return-two", ["green", "purple", "rainbow", "red", "yellow"]),
        ("Mio", "all-different", ["green", "red", "yellow"]),
        ("Ken", "four-kinds", ["blue", "gold", "green", "red", "yellow"])], [("Mio", "T5")]),
    "Ken takes three off one end and one off the other, then Mio lawfully": (CHAOS, 1, [
        (ROW, {}, {}),
        (ROW[1:], {"gems": ["red"], "seekers": ["first-of-kind"]}, {}),
        (ROW[2:-3], {"gems": ["red"], "seekers": ["first-of-kind"]},
         {"gems": ["blue", "blue", "yellow"], "gold": 1, "seekers": ["both-ends-two"]}),
        (ROW[2:-5], {"gems": ["red", "green", "red"], "seekers": ["first-of-kind", "pair"]},
         {"gems": ["blue", "blue", "yellow"], "gold": 1, "seekers": ["both-ends-two"]}),
    ], [("Mio", "first-of-kind", ["red"]), ("Ken", "both-ends-two", ["blue", "blue", "gold", "yellow"]),
        ("Mio", "pair", ["green", "red"])], [("Ken", "T14")]),
    "Mio sends back one of two; it is no take of two that did nothing": (CHAOS, 1, [
        (ROW, {}, {}),
        ([ROW[0], *ROW[3:]], {"gems": ["blue"], "gold": 1, "seekers": ["three-return-two"]}, {}),
        ([ROW[0], *ROW[3:-2]], {"gems": ["blue"], "gold": 1, "seekers": ["three-return-two"]},
         {"gems": ["yellow", "blue"], "seekers": ["pair"]}),
        (ROW[3:-2], {"gems": ["blue", "red"], "gold": 1, "seekers": ["three-return-two", "first-of-kind"]},
         {"gems": ["yellow", "blue"], "seekers": ["pair"]}),
    ], [("Mio", "three-return-two", ["blue", "gold", "red"]), ("Ken", "pair", ["blue", "yellow"]),
        ("Mio", "first-of-kind", ["red"])], [("Mio", "T14")]),
}  # fmt: skip


@pytest.mark.parametrize("name", CASES)
def test_turns_are_told_apart(name):
    field, order, looks, turns, slips = CASES[name]
    states = [state(COUNTS, row, mio, ken, field, order_cards=[order]) for row, mio, ken in looks]
    mode = "chaos" if field is CHAOS else "advanced"
    header = {"game": "twelve-seekers", "players": ["Mio", "Ken"], "mode": mode, "start": "Mio"}
    lines = [{"time": i, "state": one} for i, one in enumerate([*states, states[-1], states[-1]])]
    out = follow([{"header": header}, *lines])
    log = [(line["who"], line["seeker"], sorted(line["what"])) for line in standing_moves(out)]
    assert log == turns
    assert [(line["who"], line["breaks"][0]) for line in out if line["line"] == "slip"] == slips


def test_of_two_who_may_have_left_an_effect_out_nobody_is_told():
    """Mio was to steal, Ken to give: one blue gem has gone from Ken to Mio, and each may have left out the other."""
    mio = {"gems": ["red", "blue"], "seekers": [2]}
    ken = {"gems": ["blue", "yellow", "green"], "seekers": [3]}
    one = {"gems": ["red", "blue", "purple"], "seekers": [2, "steal-one"]}
    row = [*ROW[:2], "purple", *ROW[3:-3], "green", "yellow", "blue"]
    given = {"gems": [*ken["gems"][1:], *row[3:6]], "seekers": [3, "give-one"]}
    then = {**one, "gems": [*one["gems"], "blue"]}
    looks = [
        (row, {}, {}), (row[2:], mio, {}), (row[2:-3], mio, ken), (row[3:-3], one, ken), (row[6:-3], then, given),
        (row[7:-3], {"gems": [*then["gems"], row[6]], "seekers": [2, "steal-one", 1]}, given),
    ]  # fmt: skip
    states = [state(COUNTS, row, mio, ken, ADVANCED, order_cards=[1]) for row, mio, ken in looks]
    header = {"game": "twelve-seekers", "players": ["Mio", "Ken"], "mode": "advanced", "start": "Mio"}
    lines = [{"time": i, "state": one} for i, one in enumerate([*states, *states[-1:] * 6])]
    slips = [line for line in follow([{"header": header}, *lines]) if line["line"] == "slip"]
    assert [(line["who"], line["breaks"]) for line in slips] == [(None, ["T14"])]
