"""What is legal now, and the points that each would give, as a player would say it."""

import pytest

from companion.cases.log_words import Log
from referee import Game

ROW = [
    "yellow", "purple", "red", "rainbow", "blue", "red", "green", "green", "yellow", "blue", "gold", "purple", "red",
    "green", "blue", "red", "green",
]  # fmt: skip
CARDS = {
    "had": ["H1", "H2", "H2", "A3r"],
    "hand": ["H3", "H4", "A1", "A2", "I1", "I2", "D5"],
}


def had(market=(), winner=None, **player):
    rows = [{"name": "A", "open": [], "discards": [], "ready": False, **player}, {"name": "B", "open": []}]
    won = {"winner": winner, "won_by": "self"} if winner else {}
    return {"game": "human-angel-demon", "market": market or CARDS["had"], "players": rows, **won}


def igna(laid=None, **player):
    points = {"same": 5, "run": 3, "mixed": 2, "bonus": 1}
    rows = [{"name": "A", "sets": [], "tokens": 2, **player}, {"name": "B", "sets": [], "tokens": 2}]
    return {"game": "igna", "points": points, "laid": laid, "players": rows}


def ruin(*marks, cards=("##",), **player):
    rows = [["."] * 11 for _ in range(11)]
    for r, c, mark in ((5, 5, "o"), *marks):
        rows[r][c] = mark
    sheet = {"map": ["".join(row) for row in rows], "gems": 0, "penalties": 0, "goals": [], "escaped": None, **player}
    row = [{"letter": name, "cells": len(piece), "piece": [piece]} for name, piece in zip("OP", cards, strict=False)]
    return {"game": "in-the-ruin", "cards": row, "round": 1, "stage": 1, "players": [{"name": "A", **sheet}]}


def seekers(taken):
    """A table after each of two takes with power 5, or before."""
    mine, theirs = ROW[:5] if taken else [], ROW[-5:] if taken == 2 else []
    players = [
        {"name": name, "line": line, "gold": 0, "seekers": [5] if line else []}
        for name, line in (("A", mine), ("B", theirs))
    ]
    left = [1, 1, 2, 2, 2, 3, 3, 3, 4, 4, *[5] * (2 - taken)]
    return {
        "game": "twelve-seekers", "rule": 18, "order_cards": [1], "seekers_left": left, "players": players,
        "dungeon": ROW[len(mine) : len(ROW) - len(theirs)],
    }  # fmt: skip


def told(*states, start=None):
    game = Game()
    if start:
        game.take({"header": {"start": start}})
    for state in states:
        game.take({"state": state})
    return game.legal()


@pytest.mark.parametrize(
    ("state", "start", "sentences"),
    [
        (
            had(),
            "A",
            ["takes H1, then opens a set or discards", "takes H2, then opens a set or discards",
             "takes A3r, then opens a set or discards"],
        ),
        (had(ready=True), "A", [f"takes {card}, discards {card}: ±0" for card in ("H1", "H2", "A3r")]),
        (had(), None, []),
        (
            had(["?", "H1", "?"]),
            "A",
            ["takes H1, then opens a set or discards"],
        ),
        (
            had(ready=True, hand=CARDS["hand"]),
            "A",
            [f"takes {card}, discards {card}: ±0" for card in ("H1", "H2", "A3r")],
        ),
        (
            igna(),
            "A",
            ["opens a set of one color and number: +5", "opens a set of one color in a row: +3",
             "opens a set of three colors, one number: +2", "lays a treasure open, then rests or opens sets: ±0"],
        ),
        (
            igna(laid="red3"),
            "A",
            ["A opens a set of one color and number: +5", "A opens a set of one color in a row: +3",
             "A opens a set of three colors, one number: +2", "B gets red3 with two cards of the hand: ±0"],
        ),
        (igna(sets=[["red1"] * 3] * 4), "A", []),
        (ruin(), None, ["draws 2 passages: +2", "draws 2 walls: +2", "draws one wall and a penalty tick: −9"]),
        (ruin(escaped=2), None, []),
        (ruin(cards=("",)), None, []),
        (ruin(cards=()), None, []),
        (
            ruin(cards=("##", "###")),
            None,
            ["draws 2 passages: +2", "draws 2 walls: +2", "draws one wall and a penalty tick: −9"],
        ),
    ],
)  # fmt: skip
def test_what_is_legal_is_said_with_its_points(state, start, sentences):
    assert Log("en", state["game"]).legal(told(state, start=start)) == sentences


def test_tokens_in_place_of_a_treasure_need_three_of_them():
    found = [{line["way"]: line for line in told(igna(tokens=n), start="A")} for n in (2, None, 3)]
    assert found[2].keys() - found[0].keys() == {"pay"}
    assert found[1].keys() == found[0].keys()
    assert (found[2]["pay"]["laid"], found[2]["pay"]["paid"]) == (None, 3)
    assert [line["laid"] for way, line in found[2].items() if way != "pay"] == ["?"] * 4


@pytest.mark.parametrize("who", ["A", "B"])
def test_each_of_the_others_may_get_the_treasure_offered(who):
    gets = [line["who"] for line in told(igna(laid="red3"), start=who) if line["move"] == "get"]
    assert gets == ["B" if who == "A" else "A"]


def test_nothing_is_legal_of_a_turn_that_nobody_knows_whose_it_is():
    assert told(igna()) == []
    assert told(had(), had(CARDS["had"][1:], winner="A"), start="A") == []


def test_a_set_is_offered_where_the_hand_is_shown():
    opened = {tuple(line["opened"]) for line in told(had(hand=CARDS["hand"]), start="A") if "opened" in line}
    assert opened == {("A1", "A2", "A3r"), ("H2", "H3", "H4")}
    assert not any("opened" in line for line in told(had(hand=[*CARDS["hand"][:6], "?"]), start="A"))


def test_who_has_drawn_in_this_round_draws_no_more():
    """B has: A alone is asked."""
    first, then = ruin((5, 4, "#")), ruin((5, 4, "#"))
    drawn = ruin((5, 4, "#"), (5, 6, "o"), (5, 7, "o"))["players"][0]
    first["players"] += [{**first["players"][0], "name": "B"}]
    then["players"] += [{**drawn, "name": "B"}]
    assert {line["who"] for line in told(first)} == {"A", "B"}
    assert {line["who"] for line in told(first, then)} == {"A"}


def test_a_piece_is_drawn_where_it_is_lawful():
    """Not over what is drawn, beside what is drawn, and no square of passages."""
    state = ruin((5, 6, "o"), (6, 5, "o"))
    cells = {frozenset(map(tuple, line["cells"])) for line in told(state) if line["action"] == "A"}
    assert cells
    assert not any((6, 6) in one for one in cells)
    assert all({(r + a, c + b) for r, c in one for a, b in ((0, 1), (1, 0), (0, -1), (-1, 0))} &
               {(5, 5), (5, 6), (6, 5)} for one in cells)  # fmt: skip
    walls = {frozenset(map(tuple, line["cells"])) for line in told(state) if line["action"] == "B"}
    assert any((6, 6) in one for one in walls)


def test_rule_18s_swaps_are_among_the_legal_turns_as_many_as_the_power_allows():
    found = told(*map(seekers, range(3)), start="A")
    most = {n: max(line.get("swaps") or 0 for line in found if line["seeker"] == n) for n in (1, 2, 3, 4)}
    assert most == {1: 2, 2: 1, 3: 1, 4: 0}
    best = Log("en", "twelve-seekers").legal(found)[0]
    assert "of neighbors: +" in best


@pytest.mark.parametrize("language", ["en", "ja"])
def test_every_way_has_its_words(language):
    states = (igna(tokens=3), igna(laid="red3"), had(), had(ready=True), ruin())
    for state in states:
        said = Log(language, state["game"]).legal(told(state, start="A"))
        assert all("{" not in words and "did." not in words for words in said)


def first_take(turned):
    """The first take of a game, laid in the dungeon's order or turned around."""
    states = [seekers(0), seekers(1)]
    if turned:
        states[1]["players"][0]["line"].reverse()
    return states


@pytest.mark.parametrize(
    ("house", "turned", "breaks"),
    [
        ({}, True, []),
        ({"first-order": "strict"}, True, ["T9"]),
        ({"first-order": "strict"}, False, []),
        ({"first-order": 3, "row-closes": False}, True, []),
    ],
)
def test_a_house_that_reads_the_first_order_strictly(house, turned, breaks):
    game = Game()
    game.take({"header": {"start": "A", "house": house}})
    told = [line for state in first_take(turned) for line in game.take({"state": state})]
    assert [line["breaks"] for line in told if line["line"] == "move"] == [breaks]
    assert game.house.keys() == {"first-order", "gold-moves"}


CARD = {"level": 1, "points": 0}
BUY = {**CARD, "bonus": "red", "price": {"red": 1}}


def splendor(supply, mine, *, market=(BUY,), bought=(), kept=(), decks=(1,)):
    counts = {"white": 4, "blue": 4, "green": 4, "red": 4, "black": 4, "gold": 5} | supply
    rows = [
        {"name": "A", "tokens": mine, "cards": list(bought), "nobles": [], "kept": list(kept)},
        {"name": "B", "tokens": {}, "cards": [], "nobles": [], "kept": []},
    ]
    return {
        "game": "splendor", "supply": counts, "market": list(market), "nobles_left": [], "decks": list(decks),
        "players": rows,
    }  # fmt: skip


@pytest.mark.parametrize(
    ("switch", "before", "after", "rule"),
    [
        (
            "gold-choice",
            splendor({"red": 3, "gold": 4}, {"red": 1, "gold": 1}),
            splendor({"red": 3}, {"red": 1}, market=(), bought=(BUY,), decks=()),
            "S5",
        ),
        (
            "keep-deck",
            splendor({}, {}),
            splendor({"gold": 4}, {"gold": 1}, kept=({"level": 1},)),
            "S6",
        ),
    ],
)
def test_a_house_that_reads_splendors_silent_places_strictly(switch, before, after, rule):
    for strict in (False, True):
        game = Game()
        game.take({"header": {"start": "A", "house": {switch: not strict}}})
        told = [line for state in (before, after) for line in game.take({"state": state})] + game.end()
        moves = [line for line in told if line["line"] == "move" and line["who"] == "A"]
        assert [rule in line["breaks"] for line in moves] == [strict], moves
