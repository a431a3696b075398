"""Nobody is accused who did not move: where two may have broken the rule, a question is put."""

import json
from collections import Counter
from pathlib import Path
from types import SimpleNamespace

import pytest
from standing_log import standing_moves

from referee import follow
from referee.in_the_ruin.rounds import broken_sheets
from referee.in_the_ruin.tables import UNSEEN, Reading, Table

ROW = [
    "green", "gold", "gold", "purple", "red", "blue", "yellow", "yellow", "red", "green", "green", "blue",
    "yellow", "green", "green", "purple", "red", "gold", "green", "rainbow", "purple", "blue", "blue",
    "blue", "green", "blue", "yellow", "yellow", "red", "purple", "purple", "purple", "yellow", "yellow",
    "blue", "purple", "red", "red", "red",
]  # fmt: skip
FIELD = [1, 1, 2, 2, 3, 3, 4, 5, "steal-same", "five-give-most", "swap-one", "two-kinds", "both-ends-one"]


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


def test_who_broke_one_rule_or_another_is_named():
    """Both gems came from one end though the seeker takes one from each, or it was one too many: Ken took them."""
    row = [*ROW[:1], "red", *ROW[2:-2], "green", "gold"]
    row[10] = "red"
    nothing, ken = ({"gems": {}}, 0, []), ({"gems": {"green": 1}}, 1, ["both-ends-one"])
    mio = ({"gems": {"green": 1, "red": 1, "purple": 1}}, 1, ["two-kinds"])
    later = ({"gems": {"green": 1, "red": 2, "purple": 1, "blue": 1}}, 1, ["two-kinds", 2])
    looks = [
        look(1, row, ("Mio", nothing), ("Ken", nothing)),
        look(2, row[4:], ("Mio", mio), ("Ken", nothing)),
        look(3, row[4:-2], ("Mio", mio), ("Ken", ken)),
        *(look(n, row[6:-2], ("Mio", later), ("Ken", ken)) for n in range(4, 8)),
    ]
    header = {"game": "twelve-seekers", "players": ["Mio", "Ken"], "mode": "advanced", "start": "Mio"}
    slips = [line for line in follow([{"header": header}, *looks]) if line["line"] == "slip"]
    assert [(line["who"], line["breaks"]) for line in slips] == [("Ken", ["T14"])]


def test_a_gem_that_nobody_saw_move_did_not_go_there_and_back():
    """Mio leaves out what the seeker steals, then moves again: two slips, not a gem stolen and brought back."""
    nothing, ken = ({"gems": {}}, 0, []), ({"gems": {"blue": 1, "yellow": 1}}, 0, [2])
    five = {"gems": {"green": 1, "purple": 1, "red": 1}}
    same = {"green": 1, "purple": 1, "red": 2, "yellow": 1}
    looks = [
        look(1, ROW, ("Mio", nothing), ("Ken", nothing)),
        look(2, ROW[5:], ("Mio", (five, 2, [5])), ("Ken", nothing)),
        look(3, ROW[7:], ("Mio", (five, 2, [5])), ("Ken", ken)),
        look(4, ROW[9:], ("Mio", ({"gems": same}, 2, [5, "steal-same"])), ("Ken", ken)),
        *(
            look(n, ROW[10:], ("Mio", ({"gems": {**same, "green": 2}}, 2, [5, "steal-same", 1])), ("Ken", ken))
            for n in (5, 6, 7)
        ),
    ]
    out = list(follow([{"header": {"game": "twelve-seekers", "players": ["Mio", "Ken"], "start": "Mio"}}, *looks]))
    assert [(line["who"], line["breaks"]) for line in out if line["line"] == "slip"] == [
        ("Mio", ["T14"]),
        ("Mio", ["T5"]),
    ]


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


@pytest.mark.parametrize("covered", [(), (2,), (2, 3)])
def test_a_treasure_that_lay_among_the_igna_cards_from_the_first_look_is_nobodys(covered):
    file = Path(__file__).parent / "games" / "igna-1.jsonl"
    header, *looks, _ = (json.loads(line) for line in file.read_text(encoding="utf-8").splitlines())
    for n, line in enumerate(looks):
        line["state"]["discard_igna"].insert(0, "red1")
        if n in covered:
            del line["state"]["discard_igna"]
    assert [line["who"] for line in follow([header, *looks]) if line["line"] == "slip" and "I7" in line["breaks"]] == []


def drawn(marks, **more):
    """A look of In the Ruin, alone: the start, and a passage or more beside it."""
    rows = [["."] * 11 for _ in range(11)]
    for r, c, mark in ((5, 5, "o"), (5, 4, "#"), *marks):
        rows[r][c] = mark
    cards = [{"letter": letter, "cells": 2, "piece": ["##"]} for letter in "ABC"]
    sheet = {"name": "A", "map": ["".join(row) for row in rows], "pawn": [5, 5], **more}
    return {"game": "in-the-ruin", "round": 1, "stage": 1, "cards": cards, "players": [sheet]}


@pytest.mark.parametrize(
    "written", [{"gems": 1, "gates": [[5, 5]]}, {"penalties": 2}, {"gems": 1, "gates": [[5, 5]], "penalties": 1}]
)
@pytest.mark.parametrize("left_out", [True, False])
def test_ticks_that_a_look_leaves_out_were_not_rubbed_out(written, left_out):
    """Those that it shows as none were (R16)."""
    later = {} if left_out else {"gems": 0, "penalties": 0}
    states = [drawn((), **written), *[drawn(((5, 6, "o"), (5, 7, "o")), **later)] * 3]
    out = follow([{"time": n, "state": state} for n, state in enumerate(states)])
    slips = [(line["who"], line["breaks"]) for line in out if line["line"] == "slip"]
    assert slips == ([] if left_out else [("A", ["R16"])])


@pytest.mark.parametrize(
    ("pawn", "gems", "judged"), [((0, 0), 1, False), ((0, 1), 1, True), (None, 1, False), ((0, 0), 0, True)]
)
def test_of_a_pawn_that_no_look_shows_nobody_knows_where_it_declared(pawn, gems, judged):
    """R8: a tick for a letter goes with a pawn that stands on its gate."""
    lay = UNSEEN._replace(destinations=("A",), pawn=(5, 5))
    shown = lay._replace(destinations=(), pawn=pawn, gems=gems, gates=((0, 0),), map=("o" + "." * 10, *UNSEEN.map[1:]))
    rules = SimpleNamespace(names=["A"], letters={"A": (0, 0)})
    read = Reading((shown,), ("",), (), (), 2, 1)
    table = Table((shown._replace(gems=0),), start=(lay,), round=1)
    assert (broken_sheets(rules, table, read, set()) is not None) == judged


def test_of_two_discards_alike_the_one_that_went_is_gone():
    """D4 lay first and last; the first one was taken out, and the others moved up."""
    row = ["D4", "H1", "A2", "I3", "D7", "H6", "A5", "I1", "D4"]

    def state(discards, opened=()):
        sides = [("A", discards, []), ("B", [], [list(one) for one in opened])]
        players = [{"name": name, "discards": lie, "open": sets, "ready": False} for name, lie, sets in sides]
        return {"game": "human-angel-demon", "short_game": 1, "market": ["H3", "A7", "I2"], "players": players}

    looks = [state(row), *[state(row[1:], [["D4", "D4", "D4r"]])] * 3]
    out = list(follow([{"time": n, "state": one} for n, one in enumerate(looks)]))
    gains = [(line["who"], line["what"], line["breaks"]) for line in out if line["line"] == "move"]
    assert gains == [("B", ["D4"], ["H6"])]
    assert [line for line in out if line["line"] == "corrected"] == []


def covered(market, discards, sets=()):
    """A look of Human Angel Demon: what A and B have discarded, and B opened; C's things are covered."""
    sides = [("A", discards[0], []), ("B", discards[1], [list(one) for one in sets])]
    players = [{"name": name, "discards": lie, "open": opened, "ready": False} for name, lie, opened in sides]
    return {"game": "human-angel-demon", "short_game": 1, "market": market, "players": [*players, {"name": "C"}]}


DEALT = ["H3", "A5", "I2", "D1"]


@pytest.mark.parametrize("start", ["A", None])
@pytest.mark.parametrize(
    ("looks", "log"),
    [
        # C gained A's discard: B's set is B's turn
        ([covered(DEALT, ([], [])), covered(DEALT[1:], (["D7"], [])), covered(DEALT[1:], ([], [])),
          covered(DEALT[2:], ([], []), [["A5", "A6", "A7"]])],
         [("A", "turn"), ("C", "gain"), ("B", "turn")]),
        # C's turn lay between two looks
        ([covered(DEALT, ([], [])), covered(DEALT[1:], (["D7"], [])), covered(DEALT[2:], (["D7"], ["I1"])),
          covered([], (["D7", "H1"], ["I1"]))],
         [("A", "turn"), ("B", "turn"), ("C", "turn"), ("A", "turn")]),
    ],
)  # fmt: skip
def test_what_a_covered_player_did_is_no_slip_of_the_others(looks, log, start):
    header = {"players": list("ABC"), **({"start": start} if start else {})}
    lines = [{"header": header}, *({"time": n, "state": one} for n, one in enumerate([*looks, looks[-1], looks[-1]]))]
    out = list(follow(lines))
    kept = [(line["who"], line["move"]) for line in standing_moves(out)]
    assert [line["who"] for line in out if line["line"] == "slip"] == []
    assert kept == log


def test_a_covered_player_may_have_begun():
    """It is not known who begins: C took a card before A did."""
    looks = [covered(DEALT, ([], [])), *[covered(DEALT[2:], (["D7"], []))] * 2, covered(DEALT[3:], (["D7"], ["I1"]))]
    header = {"header": {"players": list("ABC")}}
    out = list(follow([header, *({"time": n, "state": one} for n, one in enumerate([*looks, looks[-1]]))]))
    assert [line["who"] for line in out if line["line"] == "slip"] == []
