"""What has no shape, or is more than the box holds, is refused with the place and what was expected there."""

import pytest
from bad_states import STATES, demon, igna, ruin, seekers, splendor

from scoring import StateError, score_state
from scoring.fields import NO_LIMIT

NO_SETS = {"game": "igna", "players": [{"name": "A"}]}
R, B, X = "red", "blue", "rainbow"
FAR = 2**40


def line(rule=7, **player):
    return {"game": "twelve-seekers", "rule": rule, "players": [{"name": "A", "line": [], **player}]}


MIDDLE = [
    # twelve seekers: the row, the field, the order cards, the color of the round, what is out of the game
    (seekers() | {"dungeon": ["pink"]}, "/dungeon/0", "one-of"),
    (seekers() | {"dungeon": "red"}, "/dungeon", "list"),
    (seekers() | {"dungeon": [X, X]}, "/dungeon", "in-the-box"),
    (seekers(gems={R: 7}) | {"dungeon": [R]}, "/dungeon", "in-the-box"),
    (seekers(gold=3) | {"dungeon": ["gold"]}, "/dungeon", "in-the-box"),
    (seekers(gems={R: 6}) | {"dungeon": [R], "thrown": {R: 1}}, "/dungeon", "in-the-box"),
    (seekers() | {"thrown": {"gold": 1}}, "/thrown/gold", "known-key"),
    (seekers() | {"thrown": {R: 8}}, "/thrown/red", "number-between"),
    (seekers() | {"thrown": {R: -1}}, "/thrown/red", "number-between"),
    (seekers() | {"seekers_left": [6]}, "/seekers_left/0", "one-of"),
    (seekers() | {"seekers_left": [1, 0]}, "/seekers_left/1", "one-of"),
    (seekers() | {"seekers_left": [True]}, "/seekers_left/0", "one-of"),
    (seekers() | {"seekers_left": ["nobody"]}, "/seekers_left/0", "one-of"),
    (seekers() | {"order_cards": [0]}, "/order_cards/0", "one-of"),
    (seekers() | {"order_cards": [4, 5]}, "/order_cards/1", "one-of"),
    (seekers() | {"color_card": X}, "/color_card", "one-of"),
    (seekers() | {"color_card": "gold"}, "/color_card", "one-of"),
    # splendor: the supply, the open cards, the nobles there, the decks, the kept cards
    (splendor() | {"supply": {"red": 8}}, "/supply/red", "number-between"),
    (splendor() | {"supply": {"gold": 6}}, "/supply/gold", "number-between"),
    (splendor() | {"supply": {"pink": 1}}, "/supply/pink", "known-key"),
    (splendor() | {"market": [{"level": 4}]}, "/market/0/level", "number-between"),
    (splendor() | {"market": ["?", {"level": 0}]}, "/market/1/level", "number-between"),
    (splendor() | {"market": [{"points": 6}]}, "/market/0/points", "number-between"),
    (splendor() | {"market": [{"bonus": "gold"}]}, "/market/0/bonus", "one-of"),
    (splendor() | {"market": [{"price": {"red": 15}}]}, "/market/0/price/red", "number-between"),
    (splendor() | {"market": [{"price": {"gold": 1}}]}, "/market/0/price/gold", "known-key"),
    (splendor() | {"market": [{"cost": {}}]}, "/market/0/cost", "known-key"),
    (splendor() | {"market": [1]}, "/market/0", "object"),
    (splendor() | {"nobles_left": [{"gold": 1}]}, "/nobles_left/0/gold", "known-key"),
    (splendor() | {"nobles_left": [{"red": 15}]}, "/nobles_left/0/red", "number-between"),
    (splendor() | {"decks": [4]}, "/decks/0", "one-of"),
    (splendor() | {"decks": [1, 2, 3, 0]}, "/decks/3", "one-of"),
    (splendor(kept=[{"level": 5}]), "/players/0/kept/0/level", "number-between"),
    (splendor(kept=["?"], reserved=2), "/players/0/kept", "number-between"),
    (splendor(kept=["?"] * 91), "/players/0/kept", "number-between"),
    (splendor(kept="?"), "/players/0/kept", "list"),
    # human angel demon: the market, the deck, the hands
    (demon({"market": ["H8"]}), "/market/0", "had-card"),
    (demon({"market": ["?", "K1"]}), "/market/1", "had-card"),
    (demon({"deck": 101}), "/deck", "number-between"),
    (demon(hand_size=101), "/players/0/hand_size", "number-between"),
    (demon(hand_size=-1), "/players/0/hand_size", "number-between"),
    # igna: what was thrown away, what is offered, tokens, hands, adventurers
    (NO_SETS | {"discard_treasure": ["3red"]}, "/discard_treasure/0", "igna-card"),
    (NO_SETS | {"discard_igna": 1}, "/discard_igna", "list"),
    (NO_SETS | {"laid": "red"}, "/laid", "igna-card"),
    (NO_SETS | {"players": [{"name": "A", "tokens": 201}]}, "/players/0/tokens", "number-between"),
    (NO_SETS | {"players": [{"name": "A", "hand_size": 201}]}, "/players/0/hand_size", "number-between"),
    (NO_SETS | {"players": [{"name": "A", "adventurer": "up"}]}, "/players/0/adventurer", "one-of"),
    # in the ruin: the round, the stage, the row of cards, the deck, gates, pawns
    (ruin() | {"round": 0}, "/round", "number"),
    (ruin() | {"stage": 3}, "/stage", "number-between"),
    (ruin() | {"stage": 0}, "/stage", "number-between"),
    (ruin() | {"cards": [{"cells": 9}]}, "/cards/0/cells", "number-between"),
    (ruin() | {"cards": ["?", {"cells": 0}]}, "/cards/1/cells", "number-between"),
    (ruin() | {"cards": [{"piece": ["#.", "o"]}]}, "/cards/0/piece/1", "one-of"),
    (ruin() | {"cards": [{"name": "A"}]}, "/cards/0/name", "known-key"),
    (ruin() | {"cards": ["A"]}, "/cards/0", "object"),
    (ruin() | {"discarded": ["Z"]}, "/discarded/0", "one-of"),
    (ruin() | {"deck": 101}, "/deck", "number-between"),
    (ruin(gates=[[0, 11]]), "/players/0/gates/0/1", "number-between"),
    (ruin(gates=[[0]]), "/players/0/gates/0", "cell"),
    (ruin(gates=["A"]), "/players/0/gates/0", "cell"),
    (ruin(pawn=[11, 0]), "/players/0/pawn/0", "number-between"),
    (ruin(pawn="A"), "/players/0/pawn", "cell"),
    (ruin(first_square=122), "/players/0/first_square", "number-between"),
    (ruin() | {"letters": {"A": [0, 0], "Ａ": [0, 1]}}, "/letters/Ａ", "key-once"),
    (ruin(map=["." * 12, "." * 10, *["." * 11] * 9]), "/players/0/map/0", "map-row"),
    (ruin(map=["." * 11] * 10 + [".........?."]), "/players/0/map/10", "map-row"),
    (seekers() | {"order_cards": [5]}, "/order_cards/0", "one-of"),
]  # fmt: skip

PLAYERS = [
    (line(line=["gold"]), "/players/0/line/0", "one-of"),
    (line(rule=1, gems={}), "/players/0/line", "known-key"),
    (line(seekers=[0]), "/players/0/seekers/0", "seeker"),
    (line(seekers=["nobody"]), "/players/0/seekers/0", "seeker"),
    (seekers(gold=4), "/players/0/gold", "number-between"),
    (seekers(gems={X: 2}), "/players/0/gems/rainbow", "number-between"),
    (seekers(choices={"number": 3}), "/players/0/choices/number", "choice"),
    (seekers(rule=6, choices={"number": 9}), "/players/0/choices/number", "number-between"),
    (seekers(rule=6, choices={"number": 0}), "/players/0/choices/number", "number-between"),
    (seekers(rule=13, gems={R: 1, B: 1}, choices={"plus": R, "minus": R}), "/players/0/choices", "legal-choice"),
    (seekers(rule=15, gems={}, color_cards=[R], choices={"plus": R}), "/players/0/choices/plus", "two-colors"),
    (seekers(rule=15, gems={}, color_cards=[R], choices={"plus": [B, B]}), "/players/0/choices/plus", "two-colors"),
    (seekers(rule=15, gems={}, color_cards=[R], choices={"plus": [R, B]}), "/players/0/choices", "legal-choice"),
    (seekers(bonuses=[{"seeker": "give-one", "gems": []}]), "/players/0/bonuses/0/seeker", "one-of"),
    (seekers(bonuses=[{"seeker": "pair", "gems": [R]}]), "/players/0/bonuses/0/gems", "bonus-gems"),
    (seekers(bonuses=[{"seeker": "pair", "gems": [X, X]}]), "/players/0/bonuses/0/gems", "in-the-box"),
    (seekers(bonuses=[{"seeker": "two-kinds", "gems": ["gold"] * 4}]), "/players/0/bonuses/0/gems", "in-the-box"),
    (seekers(bonuses=[{"seeker": "pair"}]), "/players/0/bonuses/0/gems", "field"),
    (seekers(bonuses=[{"seeker": "first-of-kind", "gems": [R]}]), "/players/0/bonuses/0/held", "field"),
    (seekers(bonuses=[{"seeker": "pair", "gems": [R, B], "held": []}]), "/players/0/bonuses/0/held", "held-only-there"),
    (demon({"winner": None, "won_by": "stolen"}), "/won_by", "one-of"),
    (demon({"discarder": "C", "won_by": "discard"}), "/discarder", "one-of"),
    (demon({"discarder": "A", "won_by": "discard"}, winning_card="D4"), "/discarder", "discarder"),
    (demon({"bonus": ["I5"]}), "/bonus/0", "had-card"),
    (demon({"item_win": [5]}), "/item_win/0", "number-between"),
    (splendor() | {"round_over": 1}, "/round_over", "flag"),
    (splendor(cards=[{"bonus": R, "level": 4}]), "/players/0/cards/0/level", "number-between"),
    (splendor(cards=[{"bonus": R, "cost": 1}]), "/players/0/cards/0/cost", "known-key"),
    (splendor(cards=[{"points": 1}]), "/players/0/cards/0/bonus", "field"),
    (igna(points={"all": 1}), "/points/all", "known-key"),
    (igna([{"color": R, "number": 0}] * 3), "/players/0/sets/0/0/number", "number"),
    (igna([{"color": R, "number": 1, "bonus": 1}] * 3), "/players/0/sets/0/0/bonus", "flag"),
    (igna([{"color": R, "number": 1, "size": 1}] * 3), "/players/0/sets/0/0/size", "known-key"),
]  # fmt: skip


@pytest.mark.parametrize(("state", "place", "expected"), [*STATES, *MIDDLE, *PLAYERS])
def test_it_is_refused_with_the_place_and_what_was_expected(state, place, expected):
    with pytest.raises(StateError) as refused:
        score_state(state)
    assert (refused.value.place, refused.value.expected) == (place, expected)


UNKNOWN = [
    seekers() | {"dungeon": [R, "?", X], "seekers_left": [5, "pair", "?"], "order_cards": [1, 4], "color_card": "?",
                 "thrown": {R: 6}},
    seekers() | {"color_card": None, "dungeon": []},
    splendor(kept=["?", {"level": 3, "price": "?"}]) | {
        "supply": {"red": 7, "gold": 5}, "nobles_left": ["?", {"red": 4, "blue": 4}], "decks": [1, 3, "?"],
        "market": ["?", {"level": "?"}, {"level": 1, "points": 5, "bonus": "red", "price": {"red": 14}}]},
    demon({"market": ["H1r", "?"], "deck": 100}, hand_size="?"),
    NO_SETS | {"discard_treasure": ["red1", "?"], "discard_igna": ["?"], "laid": "?",
              "players": [{"name": "A", "tokens": 200, "hand_size": "?", "adventurer": "open"}]},
    NO_SETS | {"laid": None},
    ruin(gates=[[10, 10], "?"], pawn=[0, 10]) | {
        "round": 1, "stage": 2, "discarded": ["A", "?"], "deck": 100,
        "cards": ["?", {"letter": "A", "cells": 8, "piece": ["#.", ".#"]}, {"cells": 1}]},
    ruin(pawn="?") | {"round": "?", "stage": "?", "deck": "?"},
    ruin(pawn=None),
]  # fmt: skip


@pytest.mark.parametrize("state", UNKNOWN)
def test_what_lies_in_the_middle_may_be_unknown_and_scores_nothing(state):
    plain = {key: value for key, value in state.items() if key not in MIDDLE_KEYS}
    plain["players"] = [{key: v for key, v in row.items() if key not in MIDDLE_KEYS} for row in state["players"]]
    assert [one.total for one in score_state(state).players] == [one.total for one in score_state(plain).players]


MIDDLE_KEYS = {
    "dungeon", "seekers_left", "order_cards", "color_card", "thrown", "supply", "market", "nobles_left", "decks",
    "kept", "deck", "hand_size", "discard_treasure", "discard_igna", "laid", "adventurer", "round", "stage",
    "discarded", "gates", "pawn",
}  # fmt: skip

BOUNDED = [
    (ruin(), "penalties"), (ruin(), "escaped"), (splendor(), "nobles"), (seekers(), "chips"), (demon(), "points"),
]  # fmt: skip


@pytest.mark.parametrize(("state", "key"), BOUNDED)
@pytest.mark.parametrize(("n", "taken"), [(NO_LIMIT, True), (NO_LIMIT + 1, False), (FAR, False)])
def test_a_number_that_no_rule_bounds_is_bounded_all_the_same(state, key, n, taken):
    row = {**state["players"][0], key: n}
    state = {**state, "players": [row, *state["players"][1:]]}
    if taken:
        assert score_state(state).players
        return
    with pytest.raises(StateError) as refused:
        score_state(state)
    assert refused.value.place == f"/players/0/{key}"


@pytest.mark.parametrize(("filled", "area"), [(["#"], 1), (["o", "o"], 2), (["o#", "o#"], 4), (["##.", ".##"], 2)])
def test_the_largest_rectangle_is_as_large_as_it_looks(filled, area):
    rows = [row.ljust(11, ".") for row in filled] + ["." * 11] * (11 - len(filled))
    square = next(line for line in score_state(ruin(map=rows)).players[0].lines if line.key == "ruin.square.second")
    assert (square.points, len(square.because)) == (area, area)


def test_colors_in_letters_of_full_width_are_answered_at_the_place_where_they_stand():
    state = {"game": "twelve-seekers", "rule": 3, "players": [{"name": "A", "gems": {"ＲＥＤ": 2, "blue": 1}}]}
    (player,) = score_state(state).players
    assert [(line.points, line.because) for line in player.lines] == [
        (4, ("/players/0/gems/ＲＥＤ",)),
        (-1, ("/players/0/gems/blue",)),
    ]


def test_a_noble_names_the_colors_that_it_asks_for_and_no_others():
    needs = {"red": 4, "blue": 0, "green": 4}
    lines = score_state(splendor(nobles=[needs])).players[0].lines
    assert [dict(line.values) for line in lines] == [{"colors": ("red", "green"), "numbers": (4, 4)}]
