"""What has no shape, or is more than the box holds, is refused with the place and what was expected there."""

import pytest
from bad_states import NO_SETS, STATES, R, X, demon, ruin, seekers, splendor

from scoring import StateError, score_state
from scoring.fields import NO_LIMIT

FAR = 2**40


@pytest.mark.parametrize(("state", "place", "expected"), STATES)
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
