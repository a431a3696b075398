"""Whole games followed: generated ones that the bench measures too, a few of each kind, and lines that are no looks."""

import json
from collections import Counter
from random import Random

import pytest
from standing_log import standing_moves

from bench.referee import judge
from companion.cases.log_words import Log
from referee import Game, follow
from training.synth.games.cases import KINDS

COLORS = ["white", "blue", "green", "red", "black"]
LOOK = {
    "game": "twelve-seekers",
    "rule": 1,
    "order_cards": [2],
    "dungeon": ["red"] * 7
    + ["yellow"] * 7
    + ["green"] * 7
    + ["blue"] * 7
    + ["purple"] * 7
    + ["rainbow"]
    + ["gold"] * 3,
    "seekers_left": [1, 1, 2, 2, 2, 3, 3, 3, 4, 4, 5, 5],
    "players": [
        {"name": "A", "gems": {}, "gold": 0, "seekers": []},
        {"name": "B", "gems": {}, "gold": 0, "seekers": []},
    ],
}


def after(state, player, card, left=0, right=0, **more):
    """The state after a take from one end of the row."""
    row = state["dungeon"]
    what = row[:left] + row[len(row) - right :]
    players = [dict(one) for one in state["players"]]
    mine = players[player]
    mine["gems"] = dict(Counter(mine["gems"]) + Counter(gem for gem in what if gem != "gold"))
    mine["gold"] += what.count("gold")
    mine["seekers"] = [*mine["seekers"], card]
    field = list(state["seekers_left"])
    field.remove(card)
    return {**state, "dungeon": row[left : len(row) - right], "seekers_left": field, "players": players, **more}


def look(time, state, **more):
    return {"time": time, "state": state, "doubtful": [], **more}


def of(lines, kind):
    return [line for line in lines if line["line"] == kind]


@pytest.mark.parametrize("kind", ["seekers-line", "seekers-count", "splendor", "angels"])
def test_generated_games_are_followed(kind):
    figures = Counter()
    for i in range(3):
        judge(KINDS[kind](Random(f"test {kind} {i}")), figures, None)
    assert figures["hits"] >= 0.9 * figures["moves"]
    assert figures["spurious"] <= 0.1 * figures["moves"]
    assert figures["fixed"] >= 0.8 * figures["wrong"]


FIRST = look(1, LOOK)
TOOK = after(LOOK, 0, 3, left=3)


@pytest.mark.parametrize(
    ("second", "who", "what", "place", "breaks"),
    [
        (after(LOOK, 0, 3, left=3), "A", ["red"] * 3, "dungeon.left", []),
        (after(LOOK, 1, 2, right=2), "B", ["gold"] * 2, "dungeon.right", []),
        (after(LOOK, 0, 4, right=4), "A", ["rainbow", "gold", "gold", "gold"], "dungeon.right", []),
        (after(LOOK, 0, 3, left=4), "A", ["red"] * 4, "dungeon.left", ["T7"]),
        (after(LOOK, 0, 3, left=2, right=1), "A", ["red", "red", "gold"], "dungeon.both", ["T7"]),
    ],
)
def test_one_take_is_named_in_its_own_look(second, who, what, place, breaks):
    game = Game()
    game.take(FIRST)
    (move,) = of(game.take(look(2, second)), "move")
    assert (move["who"], move["what"], move["from"], move["breaks"]) == (who, what, place, breaks)
    assert move["legal"] is (not breaks)


def test_a_hand_full_of_gems_is_no_slip():
    half = {**TOOK, "players": LOOK["players"]}
    game = Game()
    game.take(FIRST)
    lines = game.take(look(2, half))
    assert not of(lines, "move")
    assert not of(lines, "slip")
    assert lines[-1]["owed"]
    (move,) = of(game.take(look(3, TOOK)), "move")
    assert (move["n"], move["look"], move["legal"]) == (1, 2, True)


def test_eight_red_gems_are_seven_and_a_doubtful_one_read_again():
    row = list(LOOK["dungeon"])
    row[8] = "red"
    lines = Game().take(look(1, {**LOOK, "dungeon": row}, doubtful=["/dungeon/8"]))
    (fix,) = of(lines, "corrected")
    assert (fix["at"], fix["read"], fix["is"], fix["because"], fix["flagged"]) == (
        "/dungeon/8",
        "red",
        "yellow",
        ["T3"],
        True,
    )
    assert "/dungeon/0" in fix["others"]


def test_a_slip_that_is_put_right_is_mended_and_the_move_is_lawful():
    game = Game()
    game.take(FIRST)
    told = game.take(look(2, after(LOOK, 0, 3, left=4)))
    (slip,) = of(told, "slip")
    assert slip["breaks"] == ["T7"]
    assert any(one["what"] == ["red"] * 3 for one in slip["nearest"])
    lines = game.take(look(3, TOOK))
    assert [line["line"] for line in lines] == ["replaced", "move", "mended", "look"]
    assert lines[1]["legal"] is True
    assert lines[2]["slip"] == slip["id"]


def test_the_wrong_player_has_moved_and_nobody_loses_a_turn():
    game = Game()
    game.take(FIRST)
    game.take(look(2, TOOK))
    again = after(TOOK, 0, 1, right=1)
    lines = game.take(look(3, again))
    assert of(lines, "move")[0]["breaks"] == ["T5"]
    assert lines[-1]["turn_of"] == "B"


def laid(state, player, left=0, right=0):
    """The state after gems were laid by a player who took no card yet."""
    done = after(state, player, 1, left=left, right=right)
    players = [{**one, "seekers": was["seekers"]} for one, was in zip(done["players"], state["players"], strict=True)]
    return {**done, "seekers_left": state["seekers_left"], "players": players}


STOLE = after(TOOK, 1, 2, right=2)
STOLE["players"][0]["gems"] = {"red": 2}
STOLE["players"][1]["gems"] = {"red": 1}


@pytest.mark.parametrize(
    ("looks", "told"),
    [  # turns between two looks, and looks that show a part of a turn: who took how many gems, breaking which rule
        ([STOLE], [("A", 3, []), ("B", 2, ["T11"])]),
        ([laid(TOOK, 1, right=2), after(TOOK, 1, 2, right=2)], [("A", 3, []), ("B", 2, [])]),
        ([TOOK, {**STOLE, "seekers_left": TOOK["seekers_left"],
                 "players": [STOLE["players"][0], {**STOLE["players"][1], "seekers": []}]}, STOLE],
         [("A", 3, []), ("B", 2, ["T11"])]),
        ([TOOK, after(TOOK, 1, 2, left=3), after(TOOK, 1, 2, left=2)], [("A", 3, []), ("B", 2, [])]),
    ],
)  # fmt: skip
def test_a_breach_is_told_though_looks_show_more_or_less_than_its_turn(looks, told):
    game = Game()
    game.take({"header": {"players": ["A", "B"], "start": "A"}})
    told_lines = [line for i, state in enumerate([LOOK, *looks]) for line in game.take(look(i, state))]
    log = [(line["who"], len(line["what"]), line["breaks"]) for line in standing_moves(told_lines)]
    assert log == told


def test_an_undone_move_comes_again_only_if_nothing_else_explains_the_look():
    game = Game()
    game.take(FIRST)
    game.take(look(2, TOOK))
    (undone, closing) = game.take({"time": 3, "undo": True})
    assert (undone["line"], undone["n"], closing["moves"]) == ("undone", 1, [])
    assert len(of(game.take(look(4, TOOK)), "move")) == 1


ROW = [*["red", "blue", "green", "yellow", "purple"] * 7, "rainbow", "gold", "gold", "gold"]
"""Red, blue, green lie at the left end; three gold at the right one."""
FIELD = ["give-one", "swap-one", "anywhere", "three-return-two", "steal-one", 1, 2, 2, 3, 4, 4, 5]


def board(rule, row, mine, theirs, stacks, **more):
    """A state of Twelve Seekers with some advanced cards; `mine`, `theirs`: what A and B have besides their cards."""
    field = list(FIELD)
    for card in (card for stack in stacks for card in stack):
        field.remove(card)
    players = [
        {"name": name, "gold": 0, **things, "seekers": list(stack)}
        for name, things, stack in zip("AB", (mine, theirs), stacks, strict=True)
    ]
    return {
        "game": "twelve-seekers", "rule": rule, "order_cards": [1], "dungeon": row, "seekers_left": field,
        "players": players, **more,
    }  # fmt: skip


@pytest.mark.parametrize(
    ("rule", "empty", "mine", "theirs", "row", "card", "breaks"),
    [  # the whole of a turn: what follows an advanced seeker's take comes after its effect
        (11, {"gems": {}}, {"gems": {"red": 1}}, {"gems": {"green": 1}}, ROW[3:], "give-one", []),
        (18, {"line": []}, {"line": ["blue", "red", "purple"]}, {"line": []}, [*ROW[3:4], "green", *ROW[5:]],
         "swap-one", []),
        (7, {"line": []}, {"line": ["green", "yellow"]}, {"line": []}, [*ROW[:2], *ROW[4:]], "anywhere", []),
        (20, {"valid": {}, "invalid": {}}, {"valid": {"red": 1, "blue": 1}, "invalid": {"green": 1}},
         {"valid": {}, "invalid": {}}, ROW[3:], 3, ["T10"]),
        (1, {"gems": {}}, {"gems": {"red": 1}}, {"gems": {}}, ["green", "blue", *ROW[3:]], "three-return-two", []),
        (18, {"line": []}, {"line": [ROW[1], ROW[0], *ROW[2:4]]}, {"line": []}, ROW[4:], 3, ["T7"]),
    ],
)  # fmt: skip
def test_a_turn_that_lies_there_whole_is_judged_in_its_own_look(rule, empty, mine, theirs, row, card, breaks):
    game = Game()
    game.take({"header": {"players": ["A", "B"], "start": "A", "mode": "advanced"}})
    game.take(look(1, board(rule, ROW, empty, empty, [[], []])))
    lines = game.take(look(2, board(rule, row, mine, theirs, [[card], []])))
    (move,) = of(lines, "move")
    assert (move["seeker"], move["breaks"]) == (card, breaks)
    assert [slip["breaks"] for slip in of(lines, "slip")] == ([breaks] if breaks else [])


@pytest.mark.parametrize(
    ("mine", "theirs", "row"),
    [  # the card lies in the field still
        ({"line": []}, {"line": []}, [*ROW[:2], *ROW[4:]]),
        ({"line": ["red", "blue"]}, {"line": ["green"]}, ROW[3:]),
        ({"line": ["red"]}, {"line": []}, ["green", "blue", *ROW[3:]]),
    ],
)
def test_an_advanced_seekers_gems_may_lie_there_before_its_card_is_taken(mine, theirs, row):
    game = Game()
    game.take({"header": {"players": ["A", "B"], "start": "A", "mode": "advanced"}})
    game.take(look(1, board(7, ROW, {"line": []}, {"line": []}, [[], []])))
    lines = game.take(look(2, board(7, row, mine, theirs, [[], []])))
    assert not of(lines, "move")
    assert not of(lines, "slip")
    assert [(owed["who"], owed["rule"]) for owed in lines[-1]["owed"]] == [("A", "T4")]


def test_two_neighbors_from_the_midst_of_the_row_may_be_in_a_hand():
    game = Game()
    game.take({"header": {"players": ["A", "B"], "start": "A", "mode": "advanced"}})
    game.take(look(1, board(7, ROW, {"line": []}, {"line": []}, [[], []])))
    row = [*ROW[:2], *ROW[4:]]
    lines = game.take(look(2, board(7, row, {"line": []}, {"line": []}, [["anywhere"], []])))
    assert not of(lines, "move")
    assert [(owed["who"], owed["what"]) for owed in lines[-1]["owed"]] == [("A", "gems")]


def test_a_line_was_swapped_before_a_gem_of_it_was_stolen():
    """Rule 18, two turns between two looks: red, blue and green came to the yellow one, which was swapped with red."""
    game = Game()
    game.take({"header": {"players": ["A", "B"], "start": "A", "mode": "advanced"}})
    game.take(look(1, board(18, ROW, {"line": ["yellow"]}, {"line": ["purple", "purple"]}, [[1], [2]])))
    mine, theirs = {"line": ["red", "yellow", "green"]}, {"line": ["purple", "purple", "yellow", "blue"]}
    lines = game.take(look(2, board(18, ROW[4:], mine, theirs, [[1, 3], [2, "steal-one"]])))
    moves = [(move["who"], move["seeker"], move["breaks"]) for move in of(lines, "move")]
    assert moves == [("A", 3, []), ("B", "steal-one", [])]


@pytest.mark.parametrize(("color", "breaks"), [("red", []), ("green", ["T10"])])
def test_the_color_of_a_rounds_first_turn_is_the_one_that_lies_open_after_it(color, breaks):
    game = Game()
    game.take({"header": {"players": ["A", "B"], "start": "A"}})
    mine, theirs = {"valid": {"red": 1}, "invalid": {}}, {"valid": {}, "invalid": {"blue": 1, "green": 1}}
    empty = {"valid": {}, "invalid": {}}
    game.take(look(1, board(19, ROW, empty, empty, [[], []], color_card="red")))
    game.take(look(2, board(19, ROW[1:], mine, empty, [[1], []], color_card="red")))
    game.take(look(3, board(19, ROW[3:], mine, theirs, [[1], [2]], color_card="red")))
    mine = {"valid": {"red": 2}, "invalid": {"yellow": 1, "purple": 1, "blue": 1}}
    (move,) = of(game.take(look(4, board(19, ROW[7:], mine, theirs, [[1, 4], [2]], color_card=color))), "move")
    assert move["breaks"] == breaks


def test_two_doubtful_pieces_may_each_be_what_the_other_one_was_read_as():
    game = Game()
    row = list(LOOK["dungeon"])
    row[3], row[9] = row[9], row[3]
    game.take(look(1, {**LOOK, "dungeon": row}, doubtful=["/dungeon/3", "/dungeon/9"]))
    lines = game.take(look(2, TOOK)) + game.take(look(3, after(TOOK, 1, 2, right=2)))
    assert sorted((fix["at"], fix["is"]) for fix in of(lines, "corrected")) == [
        ("/dungeon/3", "red"),
        ("/dungeon/9", "yellow"),
    ]


def test_a_players_gem_that_the_first_look_reads_wrongly_is_put_right_by_the_next():
    """The companion came to a game in which A had taken three of red, one of which it takes for yellow."""
    first = {**TOOK, "players": [{**TOOK["players"][0], "gems": {"red": 2, "yellow": 1}}, TOOK["players"][1]]}
    lines = follow([look(1, first), *(look(t, TOOK) for t in (2, 3, 4)), look(5, after(TOOK, 1, 2, right=2))])
    assert [(fix["look"], fix["at"], fix["is"]) for fix in of(lines, "corrected")] == [
        (0, "/players/0/gems/yellow", "red")
    ]
    assert [(move["who"], move["breaks"]) for move in standing_moves(lines)] == [("B", [])]


def test_two_sure_pieces_read_wrongly_beside_a_turn_are_put_right():
    game = Game()
    game.take(FIRST)
    row = list(TOOK["dungeon"])
    row[6], row[12] = "blue", "purple"  # a yellow and a green one
    lines = game.take(look(2, {**TOOK, "dungeon": row}))
    assert [(move["who"], move["breaks"]) for move in of(lines, "move")] == [("A", [])]
    lines += game.take(look(3, TOOK))
    assert sorted((fix["at"], fix["is"]) for fix in of(lines, "corrected")) == [
        ("/dungeon/12", LOOK["dungeon"][15]),
        ("/dungeon/6", LOOK["dungeon"][9]),
    ]


def test_what_nothing_explained_lies_there_at_the_end():
    odd = after(after(LOOK, 0, 3, left=3), 1, 2, left=2)
    odd["players"][0]["gems"] = {"red": 1, "green": 2}
    odd["dungeon"] = [*odd["dungeon"][:9], "red", "red", *odd["dungeon"][11:]]
    *_, end = follow([FIRST, look(2, odd)])
    assert end["state"]["players"][0]["gems"] == {"red": 1, "green": 2}


SWAPPED = [*TOOK["dungeon"][5:6], *TOOK["dungeon"][1:5], *TOOK["dungeon"][:1], *TOOK["dungeon"][6:]]


MORE_GOLD = ["gold", *TOOK["dungeon"][1:]]
"""Four of gold, where the box holds three."""
TOKENS = {"game": "splendor", "supply": {**dict.fromkeys(COLORS, 4), "gold": 5}, "market": [], "nobles_left": []}
SIX_RED = {**TOKENS, "players": [{"name": "A", "tokens": {"red": 6}}, {"name": "B", "tokens": {}}]}


@pytest.mark.parametrize(
    ("seen", "typed"),
    [
        *((seen, {**TOOK, "dungeon": row}) for seen in (LOOK, TOOK) for row in (SWAPPED, MORE_GOLD)),
        (None, {**LOOK, "dungeon": ["gold", *LOOK["dungeon"][1:]]}),
        ({**SIX_RED, "players": [{**row, "tokens": {}} for row in SIX_RED["players"]]}, SIX_RED),
        (None, SIX_RED),
    ],
)
def test_a_typed_state_is_never_corrected(seen, typed):
    game = Game()
    if seen is not None:
        game.take(look(1, seen))
    lines = game.take(look(2, typed, by="person"))
    assert not of(lines, "corrected")
    assert [line["by"] for line in of(lines, "move")] == ["person"] * (seen is not None)
    shown = "dungeon" if "dungeon" in typed else "supply"
    assert game.state[shown] == typed[shown]
    assert [row | typed["players"][i] for i, row in enumerate(game.state["players"])] == game.state["players"]


IN_HAND = {**after(LOOK, 1, 3, left=5), "players": [{**LOOK["players"][0]}, {**LOOK["players"][1], "seekers": [3, 2]}]}
IN_HAND["seekers_left"] = [1, 1, 2, 2, 3, 3, 4, 4, 5, 5]
"""B took a seeker of three and, out of turn (T5), one of two; the five gems are in the hand."""
TWO_SEEKERS = {**IN_HAND, "players": [IN_HAND["players"][0], {**IN_HAND["players"][1], "gems": {"red": 5}}]}


def held(**tokens):
    """A's tokens, the rest of the box in the supply, two more players beside."""
    left = {color: n - tokens.get(color, 0) for color, n in {**dict.fromkeys(COLORS, 5), "gold": 5}.items()}
    return {
        **TOKENS,
        "supply": left,
        "players": [{"name": "A", "tokens": tokens}, *({"name": n, "tokens": {}} for n in "BC")],
    }


@pytest.mark.parametrize(
    ("before", "typed", "after_it", "told_then", "told", "mended"),
    [
        (LOOK, IN_HAND, TWO_SEEKERS, [(None, "edit", [])], [("B", "take", []), ("B", "take", ["T5"])], 0),
        (
            held(),
            held(white=1, blue=1, green=1, red=1),
            held(white=1, blue=1, green=1),
            [("A", "tokens", ["S4"])],
            [("A", "tokens", [])],
            1,
        ),
    ],
)
def test_what_is_typed_in_the_midst_of_a_turn_is_a_part_of_it_when_the_next_look_says_so(
    before, typed, after_it, told_then, told, mended
):
    game = Game()
    game.take(look(1, before))
    lines = game.take(look(2, typed, by="person"))
    assert [(line["who"], line["move"], line["breaks"]) for line in of(lines, "move")] == told_then
    lines += game.take(look(3, after_it)) + game.take(look(4, after_it)) + game.end()
    standing = standing_moves(lines)
    assert [(line["who"], line["move"], line["breaks"]) for line in standing] == told
    assert len(of(lines, "mended")) == mended


@pytest.mark.parametrize("line", [7, "tea", None, [], {}, {"time": 3}, {"state": 5}, {"state": {"game": "chess"}}])
def test_a_line_that_is_no_look_is_answered_and_the_game_goes_on(line):
    game = Game()
    game.take(FIRST)
    *_, closing = game.take(line)
    assert closing["line"] == "look"
    assert "error" in closing or isinstance(line, dict)
    assert of(game.take(look(2, TOOK)), "move")


@pytest.mark.parametrize("cards", [1, [1], [{"letter": "O", "cells": 2, "piece": [0, None]}], [{"letter": []}]])
def test_a_map_is_followed_though_a_look_between_had_cards_that_are_none(cards):
    game = Game()
    game.take(look(0, ruin(sheet(*MAP))))
    game.take(look(1, {**ruin(sheet(*MAP)), "cards": cards}))
    lines = game.take(look(2, ruin(sheet((5, 4, "#"))), doubtful=["/players/0/map/5/5"]))
    assert [(fix["at"], fix["is"]) for fix in of(lines, "corrected")] == [("/players/0/map/5/5", "o")]


@pytest.mark.parametrize("choice", [[], {}, None, 3, "z"])
def test_an_answer_that_is_no_choice_is_asked_again(choice):
    game = Game()
    game.take(FIRST)
    game._telling.question = "q1", 0, {"a": None}
    (closing,) = game.take({"answer": {"question": "q1", "choice": choice}})
    assert closing["error"].place == "/answer/choice"


def test_the_end_says_what_lies_there():
    *_, end = follow([{"header": {"players": ["A", "B"], "start": "A"}}, FIRST, look(2, TOOK)])
    assert end["over"] is False
    assert end["state"]["players"][0] == {"name": "A", "gems": {"red": 3}, "gold": 0, "seekers": [3]}
    assert end["state"]["dungeon"] == LOOK["dungeon"][3:]


def card_game(**more):
    """A look of Human Angel Demon."""
    sides = [{"name": name, "open": [], "discards": [], "ready": False} for name in "AB"]
    state = {"game": "human-angel-demon", "short_game": 1, "market": ["H3", "A5", "I2"], "players": sides}
    return {**state, **more}


def test_a_card_taken_and_one_discarded_are_a_turn():
    game = Game()
    game.take({"header": {"players": ["A", "B"], "start": "A"}})
    game.take(look(1, card_game()))
    half = game.take(look(2, card_game(market=["A5", "I2"])))
    assert (of(half, "move"), half[-1]["owed"][0]["rule"]) == ([], "H3")
    sides = [{"name": "A", "open": [], "discards": ["D7"], "ready": False}, card_game()["players"][1]]
    (move,) = of(game.take(look(3, card_game(market=["A5", "I2"], players=sides))), "move")
    assert (move["took"], move["discarded"], move["legal"]) == ("H3", "D7", True)


def angels(market, a=(), b=(), ready=False):
    """A look of Human Angel Demon: what A and B have discarded."""
    sides = [{"name": n, "open": [], "discards": list(d), "ready": ready} for n, d in (("A", a), ("B", b))]
    return card_game(market=market, players=sides)


@pytest.mark.parametrize(
    ("looks", "told"),
    [  # who took what, breaking which rule
        ([angels(["H3"]), angels([], a=["D7"]), angels(["H1", "H2", "H4"], a=["D7"]),
          angels(["H1", "H4"], ["D7"], ["D1"])],
         [("A", "H3", []), ("B", "H2", [])]),  # dealt to the empty market, then taken
        ([angels(["A5", "H3", "D5"]), angels(["A5", "I1"], ["D7"]), angels(["A5"], ["D7"], ["D2"])],
         [("A", "?", []), ("B", "?", [])]),  # H3 or D5 was read as I1: nobody knows which
        ([angels(["H3", "A5", "D5"]), angels(["A5", "D1"], ["D7"]), angels(["A5"], ["D7"], ["D2"])],
         [("A", "H3", []), ("B", "?", [])]),  # D1 is more like D5, and D5 may as well have been D1
        ([angels(["H3", "A5", "D5"]), angels(["H3", "D5"], ["D7"]), angels(["A5", "D5"], ["D7"]),
          angels(["A5", "D5"], ["D7"])], [("A", "H3", [])]),  # A5 was read as the H3 that is gone
    ],
)  # fmt: skip
def test_the_markets_cards_are_named_when_they_are_taken(looks, told):
    game = Game()
    game.take({"header": {"players": ["A", "B"], "start": "A"}})
    told_lines = [line for i, state in enumerate(looks) for line in game.take(look(i, state))]
    log = [(line["who"], line["took"], line["breaks"]) for line in standing_moves(told_lines)]
    assert log == told


def test_what_a_ready_player_discards_is_what_that_player_took():
    game = Game()
    game.take({"header": {"players": ["A", "B"], "start": "A"}})
    game.take(look(0, angels(["H3", "A5", "I2"], ready=True)))
    moves = of(game.take(look(1, angels(["I2"], ["A5"], ["H3"], ready=True))), "move")
    assert [(move["who"], move["took"], move["breaks"]) for move in moves] == [("A", "A5", []), ("B", "H3", [])]


def test_a_card_is_what_its_looks_show_and_the_log_follows():
    game = Game()
    game.take({"header": {"players": ["A", "B"], "start": "A"}})
    game.take(look(0, angels(["H3", "D1", "I2"]), doubtful=["/market/1"]))
    (corrected,) = of(game.take(look(1, angels(["H3", "A5", "I2"]))), "corrected")
    told = game.take(look(2, angels(["H3", "I2"], ["D7"]), doubtful=["/players/0/discards/0"]))
    (move,) = of(told, "move")
    assert (corrected["look"], corrected["at"], corrected["is"]) == (0, "/market/1", "A5")
    assert (move["took"], move["discarded"]) == ("A5", "D7")
    told = game.take(look(3, angels(["H3", "I2"], ["D6"])))
    assert [(move["n"], move["discarded"]) for move in of(told, "move")] == [(1, "D6")]
    assert [line["from"] for line in of(told, "replaced")] == [1]


def test_a_discard_that_lies_in_anothers_new_set_was_gained():
    game = Game()
    game.take({"header": {"players": ["A", "B"], "start": "A"}})
    game.take(look(0, angels(["H3", "A5", "I2"])))
    game.take(look(1, angels(["A5", "I2"], ["D7"])))
    state = angels(["A5", "I2"])
    state["players"][1]["open"] = [["D5", "D6", "D7"]]
    (gain,) = of(game.take(look(2, state)), "move")
    assert (gain["who"], gain["move"], gain["what"], gain["from"], gain["breaks"]) == ("B", "gain", ["D7"], "A", [])
    assert game.take(look(3, state))[-1]["turn_of"] == "B"


def test_one_set_takes_one_of_two_discards_that_are_gone():
    def three(*rows):
        sides = [{"name": n, "open": o, "discards": d, "ready": False} for n, (d, o) in zip("ABC", rows, strict=True)]
        return card_game(market=["H3", "A5"], players=sides)

    game = Game()
    game.take({"header": {"players": ["A", "B", "C"], "start": "C"}})
    game.take(look(0, three((["D1"], []), (["D1"], []), ([], []))))
    told = [game.take(look(n, three(([], []), ([], []), ([], [["D1", "D2", "D3"]])))) for n in (1, 2, 3)]
    assert [lines[-1]["look"] for lines in told] == [1, 2, 3]


def test_a_turn_with_the_next_one_begun_breaks_nothing():
    game = Game()
    game.take({"header": {"players": ["A", "B"], "start": "A"}})
    game.take(look(0, angels(["H3", "A5", "I2"])))
    first, *rest = of(game.take(look(1, angels(["A5"], ["D7"]))), "move")
    assert (first["who"], first["breaks"], rest) == ("A", [], [])


def ruin(rows, row=("A", "B", "C"), discarded=None, **more):
    """A look of In the Ruin, alone: three cards of two cells."""
    cards = [{"letter": letter, "cells": 2, "piece": ["##"]} for letter in row]
    sheet = {"name": "A", "map": rows, "destinations": [], "gates": [], "gems": 0, "penalties": 0, "pawn": [5, 5]}
    letters = {"A": [0, 0], "B": [0, 1], "C": [0, 2], "D": [0, 3]}
    players = [{**sheet, "escaped": None, "goals": [], **more}]
    off = {"discarded": discarded} if discarded is not None else {}
    return {
        "game": "in-the-ruin",
        "letters": letters,
        "round": 1,
        "stage": 1,
        "cards": cards,
        "players": players,
        **off,
    }


def sheet(*cells):
    rows = [["."] * 11 for _ in range(11)]
    for r, c, mark in cells:
        rows[r][c] = mark
    return ["".join(row) for row in rows]


MAP = ((5, 5, "o"), (5, 4, "#"))


@pytest.mark.parametrize(
    ("new", "more", "action", "breaks"),
    [
        (((5, 6, "o"), (5, 7, "o")), {}, "A", []),
        (((6, 5, "#"), (7, 5, "#")), {}, "B", []),
        (((6, 5, "#"),), {"penalties": 1}, "C", []),
        (((0, 0, "#"), (0, 1, "#")), {}, "B", ["R4"]),
        (((5, 6, "o"), (6, 6, "#")), {}, "?", ["R3"]),
        (((5, 6, "o"), (5, 7, "o")), {"pawn": [5, 8]}, "A", ["R7"]),
    ],
)
def test_what_is_drawn_is_the_cards_piece_or_a_wall(new, more, action, breaks):
    game = Game()
    game.take(look(1, ruin(sheet(*MAP))))
    (move,) = of(game.take(look(2, ruin(sheet(*MAP, *new), **more))), "move")
    assert (move["action"], move["breaks"]) == (action, breaks)
    assert sorted(move["what"]) == sorted(mark for _, _, mark in new)


def test_a_known_cell_that_reads_blank_was_read_wrongly():
    game = Game()
    game.take(look(1, ruin(sheet(*MAP))))
    lines = game.take(look(2, ruin(sheet((5, 4, "#"))), doubtful=["/players/0/map/5/5"]))
    (fix,) = of(lines, "corrected")
    assert (fix["at"], fix["is"], fix["because"]) == ("/players/0/map/5/5", "o", ["R2"])
    assert not of(lines, "move")


def told(states, flags=None):
    """The log of looks of one sheet, and what was corrected: who breaks what with which cells, look and pointer."""
    game, log, fixes = Game(), [], []
    for i, state in enumerate(states):
        for line in game.take(look(i, state, doubtful=(flags or {}).get(i, []))):
            log = log[: line["from"] - 1] if line["line"] == "replaced" else log
            log += [(sorted(map(tuple, line.get("cells", []))), line["breaks"])] if line["line"] == "move" else []
            fixes += [(line["look"], line["at"][-3:], line["is"])] if line["line"] == "corrected" else []
    return log, fixes


DREW = (*MAP, (5, 6, "o"), (5, 7, "o"))
CELLS = [(5, 6), (5, 7)]


@pytest.mark.parametrize(
    ("states", "flags", "log", "fixes"),
    [
        # a mark that was none vanishes: before anything was drawn, and beside what was drawn
        ([(*MAP, (4, 4, "#")), MAP, MAP], {}, [], [(1, "4/4", ".")]),
        ([(*DREW, (4, 4, "#")), DREW, DREW], {1: ["/players/0/map/4/4"]}, [(CELLS, [])], [(1, "4/4", ".")]),
        # nor does one that lies beside the piece, as a cell more would: the move is told anew
        ([(*DREW, (4, 5, "#")), DREW, DREW], {}, [(CELLS, [])], [(1, "4/5", ".")]),
        # half of the piece is no slip
        ([(*MAP, (5, 6, "o")), DREW], {}, [(CELLS, [])], []),
        # a first look that erred, in doubt or not
        ([MAP, MAP], {0: ["/players/0/map/5/6"]}, [], [(0, "5/6", ".")]),
    ],
)
def test_a_mark_that_was_none_is_no_move(states, flags, log, fixes):
    first = (*MAP, (5, 6, "#")) if fixes and not fixes[0][0] else MAP
    assert told([ruin(sheet(*marks)) for marks in (first, *states)], flags) == (log, fixes)


def test_two_rounds_between_two_looks_are_two_turns_where_the_cards_are_known():
    later = ruin(sheet(*DREW, (6, 5, "#"), (6, 4, "#")), row="BCD", discarded=["A"]) | {"round": 2}
    log, _ = told([ruin(sheet(*MAP)), later])
    assert [cells for cells, _ in log] == [CELLS, [], [(6, 4), (6, 5)]]


def test_each_round_that_passed_has_its_line_of_cards():
    later = ruin(sheet(*MAP), row="CDE", discarded=["A", "B"]) | {"round": 3}
    game = Game()
    game.take(look(0, ruin(sheet(*MAP), discarded=[])))
    assert [move["row"] for move in of(game.take(look(1, later)), "move")] == [list("BCD"), list("CDE")]


def test_the_rounds_card_stays_it_when_a_claim_takes_it_off_the_row():
    now = ruin(sheet(*DREW), row="BC", discarded=["A"])
    now["cards"][0]["piece"] = ["###"]
    assert told([ruin(sheet(*MAP), discarded=[]), now])[0] == [(CELLS, [])]


def test_a_pawn_goes_on_for_as_many_steps_as_the_rounds_since_it_was_seen_give():
    """Four cells from where it stood: by two cards of two steps, which no look separates, and by one of them."""
    row = (*MAP, *((5, c, "o") for c in range(6, 10)))
    piece = ((4, 5, "o"), (3, 5, "o"))
    one = ruin(sheet(*row, *piece), pawn=[5, 9])
    both = {**ruin(sheet(*row, *piece, (6, 5, "#"), (7, 5, "#")), row="BCD", discarded=["A"], pawn=[5, 9]), "round": 2}
    for last, rules in ((one, ["R7"]), (both, [])):
        log, _ = told([ruin(sheet(*row), discarded=[]), last])
        assert [rule for _, breaks in log for rule in breaks] == rules


def test_half_a_piece_waits_while_others_draw():
    def two(*maps):
        state = ruin(sheet())
        rows = [
            {**state["players"][0], "name": name, "map": sheet(*marks)} for name, marks in zip("AB", maps, strict=True)
        ]
        return {**state, "players": rows}

    half = (*MAP, (5, 6, "o"))
    log, fixes = told([two(MAP, MAP), two(half, MAP), two(half, DREW), two(DREW, DREW)])
    assert (log, fixes) == ([(CELLS, []), (CELLS, [])], [])


@pytest.mark.parametrize(("cell", "breaks"), [([5, 7], []), ([5, 8], ["R7"])])
def test_where_no_look_shows_the_pawn_the_letters_claimed_do(cell, breaks):
    """The first gem tells where the pawn stood, the second one whether it could come there by the cards' steps."""
    marks = (*MAP, (5, 6, "o"), (5, 7, "o"), (5, 8, "o"))
    rows = [sheet(*marks), sheet(*marks, (4, 5, "#"), (3, 5, "#")), sheet(*marks, *((r, 5, "#") for r in range(1, 5)))]
    claims = [("AB", []), ("B", [[5, 5]]), ("", [[5, 5], cell])]
    states = []
    for n, (row, (left, gates)) in enumerate(zip(rows, claims, strict=True)):
        state = ruin(row, row="QRS"[n], destinations=list(left), gates=gates, gems=len(gates), pawn=None)
        states.append({**state, "round": n + 1, "letters": {"A": [5, 5], "B": cell}})
    log, _ = told(states)
    assert [breaks for cells, breaks in log if cells] == [[], breaks]


def igna(laid=None, tokens=(2, 2), sets=((), ())):
    """A look of Igna."""
    players = [{"name": n, "sets": list(map(list, s)), "tokens": t} for n, s, t in zip("AB", sets, tokens, strict=True)]
    return {"game": "igna", "laid": laid, "discard_treasure": [], "discard_igna": [], "players": players}


@pytest.mark.parametrize(
    ("second", "kind", "who", "breaks"),
    [
        (igna("red3", (3, 2)), "turn", "A", []),
        (igna("red3", (2, 2), ((("blue1", "blue2", "blue3"),), ())), "turn", "A", []),
        (igna("red3", (2, 2), ((("blue1", "blue2", "blue4"),), ())), "turn", "A", ["I5"]),
        (igna(None, (3, 2), ((), (("red3", "red3", "red3"),))), "get", "B", []),
    ],
)
def test_igna_turns(second, kind, who, breaks):
    game = Game()
    game.take({"header": {"players": ["A", "B"], "start": "A"}})
    game.take(look(1, igna("red3" if kind == "get" else None)))
    told = [*game.take(look(2, second)), *game.take(look(3, second))]  # a set that is none is seen twice, or misread
    *_, move = of(told, "move")
    assert (move["move"], move["who"], move["breaks"]) == (kind, who, breaks)


def test_of_two_cards_alike_the_doubtful_one_may_be_another():
    game = Game()
    game.take({"header": {"players": ["A", "B"], "start": "A"}})
    game.take(look(0, angels(["A4", "I2", "A4"]), doubtful=["/market/0"]))
    (move,) = of(game.take(look(1, angels(["H4", "A4"], a=["D7"]))), "move")
    assert move["took"] == "I2"


def test_a_ready_players_slip_is_told_when_a_second_look_shows_it():
    game = Game()
    game.take({"header": {"players": ["A", "B"], "start": "A"}})
    game.take(look(0, angels(["H3", "A5", "I2"], a=["D7"], ready=True)))
    shown = angels(["A5", "I2"], a=["D7", "D1"], ready=True)
    assert of(game.take(look(1, shown)), "slip") == []  # the card may have been read wrongly
    (slip,) = of(game.take(look(2, shown)), "slip")
    assert (slip["who"], slip["breaks"]) == ("A", ["H5"])


def told_of(looks, header=None):
    """The log that stands, and all lines told."""
    game = Game()
    game.take({"header": {"players": ["A", "B"], **(header or {"start": "A"})}})
    lines = [line for i, one in enumerate(looks) for line in game.take(look(i, one) if "state" not in one else one)]
    lines += game.end()
    return standing_moves(lines), lines


def test_a_swap_for_a_card_like_the_one_taken_is_asked_about():
    market, shown = angels(["D3", "A5", "I2"], a=["D7"], ready=True), angels(["A5", "I2"], ["D7", "D2"], ready=True)
    _, lines = told_of([market, shown, shown, shown])  # D3 was seen once: it may have been D2
    assert (len(of(lines, "slip")), len(of(lines, "question"))) == (0, 1)
    _, lines = told_of([market, market, shown, shown])
    assert ([slip["breaks"] for slip in of(lines, "slip")], of(lines, "question")) == ([["H5"]], [])


@pytest.mark.parametrize("chosen", ["a", "b"])
def test_what_is_answered_is_what_happened(chosen):
    """Taken was what was discarded (a misread card), or another: as the table says."""
    market, shown = angels(["D3", "A5", "I2"], a=["D7"], ready=True), angels(["A5", "I2"], ["D7", "D2"], ready=True)
    game = Game()
    game.take({"header": {"players": ["A", "B"], "start": "A"}})
    lines = [line for i, one in enumerate([market, shown, shown]) for line in game.take(look(i, one))]
    (question,) = of(lines, "question")
    assert game.asked == question["id"]
    moves = {choice["key"]: choice["move"] for choice in question["choices"]}
    assert sum(choice["sure"] for choice in question["choices"]) == pytest.approx(1, abs=0.02)
    assert len({json.dumps(move, sort_keys=True) for move in moves.values()}) == len(moves)
    lines += game.take({"answer": {"question": question["id"], "choice": chosen}, "time": 8})
    assert lines[-1]["time"] == 8
    assert [line["because"] for line in of(lines, "replaced")] == ["question", "answer"]
    assert game.asked is None
    for n in (3, 4):
        lines += game.take(look(n, shown))
    assert len(of(lines, "question")) == 1
    (move,) = standing_moves(lines + game.end())
    said = moves[chosen]
    assert {key: move[key] for key in said} == said
    assert move["by"] == "person"
    assert bool(of(lines, "slip")) is bool(said["breaks"])


def test_a_discard_misread_once_is_no_slip_of_a_ready_player():
    market = angels(["D3", "A5", "I2"], a=["D7"], ready=True)
    looks = [market, market, *(angels(["A5", "I2"], ["D7", card], ready=True) for card in ("H1", "D3", "D3"))]
    (move,), lines = told_of(looks)
    assert (move["discarded"], move["breaks"], of(lines, "slip")) == ("D3", [], [])
    assert [(one["look"], one["read"], one["is"]) for one in of(lines, "corrected")] == [(2, "H1", "D3")]


def test_of_two_readings_that_differ_neither_is_corrected():
    looks = [angels(["D3", "A5", "I2"]), angels(["D2", "A5"], a=["D7"]), angels(["A5"], a=["D7"], b=["H4"])]
    moves, lines = told_of(looks)
    assert ([move["took"] for move in moves], of(lines, "corrected")) == (["I2", "?"], [])


def test_what_a_covered_player_opened_says_nothing_of_other_cards():
    covered = angels(["A5", "D1"], b=["H4"])
    covered["players"][0] = {"name": "A"}
    opened = card_game(market=["A5"], players=[
        {"name": "A", "open": [["A4", "A4", "A4r"]], "discards": [], "ready": False},
        {"name": "B", "open": [], "discards": ["H4"], "ready": False}])  # fmt: skip
    looks = [angels(["H3", "A5", "I2", "D1"]), covered, opened]
    moves, lines = told_of([{**one} for one in looks])
    assert {move["took"] for move in moves}.isdisjoint({"A4", "A4r"})
    assert of(lines, "slip") == []


def test_whoever_takes_the_first_card_holds_it():
    def hands(a, b):
        state = angels(["A5", "I2"])
        for side, size in zip(state["players"], (a, b), strict=True):
            side["hand_size"] = size
        return state

    first = hands(7, 7) | {"market": ["H3", "A5", "I2"]}
    after = hands(7, 7)
    after["players"][1] |= {"open": [["H1", "H2", "H3"]]}
    moves, lines = told_of([first, hands(7, 8), after, after], {"players": ["A", "B"]})
    assert ([(move["who"], move["breaks"]) for move in moves], of(lines, "slip")) == ([("B", [])], [])


A_RUN, B_RUN = (["red1", "red2", "red3"],), (["red3", "red4", "red5"],)


@pytest.mark.parametrize(
    ("looks", "told"),
    [  # by camera: the treasure offered, the sets of both; who opened or got what, breaking which rule
        ([("red3",), ("red4",), (None,)], []),  # whose turn it was nobody sees
        ([("red3",), ("red3", A_RUN)], [("A", "turn", [])]),
        ([("red3",), (None, A_RUN)], [("A", "get", [])]),
        ([("blue1",), (None, A_RUN, B_RUN)], [("A", "turn", []), ("B", "turn", [])]),
        ([(None, (["red1", "red2", "blue5"],))] * 2, [("A", "turn", ["I5"])]),
    ],
)
def test_igna_by_camera_tells_sets_alone(looks, told):
    game, log = Game(), []
    game.take({"header": {"players": ["A", "B"], "start": "A"}})
    for i, (laid, *sets) in enumerate([(None,), *looks]):
        rows = [{"name": n, "sets": list(one)} for n, one in zip("AB", [*sets, (), ()], strict=False)]
        for line in game.take(look(i, {"game": "igna", "laid": laid, "players": rows})):
            if line["line"] == "replaced":
                del log[line["from"] - 1 :]
            if line["line"] == "move":
                log.append((line["who"], line["move"], line["breaks"]))
                assert ("gets" if line["move"] == "get" else "opens red") in Log("en", "igna").sentence(line)
    assert log == told


def whole(laid=None, tokens=(2, 2), hands=(5, 5), sets=((), ()), gone=(), **more):
    """A look of Igna with hands and discard places in sight."""
    state = igna(laid, tokens, sets) | {"discard_treasure": list(gone), **more}
    return {**state, "players": [{**p, "hand_size": n} for p, n in zip(state["players"], hands, strict=True)]}


RUN = (("blue1", "blue2", "blue3"),)


@pytest.mark.parametrize(
    ("looks", "told"),
    [  # who laid or got which treasure, opening how many sets, breaking which rule
        ([whole("red3", (3, 2), (6, 5))], [("A", "red3", 0, [])]),
        ([whole("red3", hands=(6, 5)), whole("red3", (3, 2), (6, 5))], [("A", "red3", 0, [])]),  # laid, then rested
        ([whole("red4", (3, 3), (6, 6), gone=["red3"])], [("A", "red3", 0, []), ("B", "red4", 0, [])]),
        ([whole("red5", (3, 2), (6, 5)), whole("red4", (3, 3), (6, 6), gone=["red3"])],
         [("A", "red3", 0, []), ("B", "red4", 0, [])]),  # the discard place says what was offered
        ([whole("blue2", hands=(6, 5)), whole(None, (3, 2), (6, 3), ((), RUN))], [("B", "blue2", 1, [])]),
        ([whole("red3", hands=(3, 5), sets=(RUN, ()))], [("A", "red3", 1, [])]),
        ([whole("red3", (2, 3), (5, 6))], [("B", "red3", 0, ["I2"])]),
    ],
)  # fmt: skip
def test_igna_where_hands_are_counted(looks, told):
    game = Game()
    told_lines = [
        one
        for line in [{"header": {"players": ["A", "B"], "start": "A"}}, *map(look, range(9), [whole(), *looks])]
        for one in game.take(line)
    ]
    log = [
        (one["who"], *one["what"], len(one.get("sets", [one.get("set")])), one["breaks"])
        for one in standing_moves(told_lines)
    ]
    assert log == told


CARDS = [{"level": n, "price": {"red": 2, "blue": n}, "points": n, "bonus": color} for n in (1, 2) for color in COLORS]


def tokens(ben=None, emi=None, market=CARDS, cards=(), **more):
    """A look of Splendor; the supply is what two players, Ben and Emi, have left of it."""
    sides = [ben or {}, emi or {}]
    box = dict.fromkeys(COLORS, 4) | {"gold": 5}
    players = [
        {"name": name, "tokens": side, "cards": list(mine), "kept": [], "nobles": []}
        for name, side, mine in zip(("Ben", "Emi"), sides, (cards, ()), strict=True)
    ]
    supply = {color: n - sum(side.get(color, 0) for side in sides) for color, n in box.items()}
    return {
        "game": "splendor", "supply": supply, "market": list(market), "nobles_left": [], "decks": [1, 2],
        "players": players, **more,
    }  # fmt: skip


TEN = {"white": 4, "blue": 3, "green": 3}


@pytest.mark.parametrize(
    ("looks", "told"),
    [  # who did what, breaking which rule; looks in the midst of a turn tell nothing
        ([tokens({"red": 1, "blue": 1, "white": 1})], [("Ben", "tokens", [])]),
        ([tokens({"red": 3})], [("Ben", "tokens", ["S4"])]),
        ([tokens(None, {"red": 2})], [("Emi", "tokens", ["S3"])]),
        ([tokens(TEN), tokens(TEN, {"red": 1, "black": 2})], [("Ben", "tokens", ["S4"]), ("Emi", "tokens", ["S4"])]),
        ([tokens({"red": 2}), tokens({"red": 2, "blue": 1, "white": 1, "green": 1})],
         [("Ben", "tokens", []), ("Ben", "tokens", ["S3"])]),
        ([tokens(None, {"red": 2}), tokens({"white": 2, "blue": 2, "green": 2}, {"red": 2})],
         [("Emi", "tokens", ["S3"]), ("Ben", "tokens", []), ("Ben", "tokens", [])]),
    ],
)  # fmt: skip
def test_splendors_turns(looks, told):
    assert splendors_log([tokens(), *looks])[0] == told


def splendors_log(looks):
    """The log of looks at Splendor, and the slips told on the way."""
    game = Game()
    game.take({"header": {"players": ["Ben", "Emi"], "start": "Ben"}})
    log, slips = [], []
    for i, state in enumerate(looks):
        for line in game.take(look(i, state)):
            if line["line"] == "replaced":
                del log[line["from"] - 1 :]
            if line["line"] == "move":
                log.append((line["who"], line["move"], line["breaks"]))
            if line["line"] == "slip":
                slips.append((line["who"], *line["breaks"]))
    return log, slips


def keeps(state, card, gold, came=()):
    """The state where Ben keeps a card: with or without its gold, with or without another one in its place."""
    ben, emi = state["players"]
    mine = {**ben, "kept": [{"level": card["level"]}], "tokens": {**ben["tokens"], **({"gold": 1} if gold else {})}}
    market = [one for one in state["market"] if one != card] + list(came)
    supply = {**state["supply"], "gold": state["supply"]["gold"] - gold}
    return {**state, "market": market, "supply": supply, "players": [mine, emi]}


FULL = {"white": 4, "blue": 3, "green": 3}
TWO_TAKES = {"red": 2, "blue": 1, "white": 2, "green": 1}
CAME = {"level": 1, "price": {"white": 3}, "points": 0, "bonus": "red"}
KEPT = [keeps(tokens(FULL), CARDS[0], *done) for done in ((True,), (True, [CAME]), (False, [CAME]))]


PAID = tokens({}, {"red": 1, "white": 1, "green": 1}, cards=CARDS[:1])
SWAP = [
    keeps(tokens({"red": 1, "blue": 1}), CARDS[0], False, [CAME]),
    keeps({**PAID, "market": [*PAID["market"], CAME]}, CARDS[5], False, [{**CAME, "level": 2}]),
]
SWAP[1]["market"] = [one for one in SWAP[1]["market"] if one != CARDS[0]]


PRICE = {"red": 2, "blue": 1}
THREE = {"white": 1, "red": 1, "black": 1}
BOUGHT = tokens(None, {}, [*CARDS[1:], CAME])
BOUGHT["players"][1]["cards"] = CARDS[:1]


@pytest.mark.parametrize(
    ("looks", "told", "slips"),
    [
        # twice in a row and both unseen, where one turn would break two rules
        ([tokens(), tokens(TWO_TAKES), tokens(TWO_TAKES, {"red": 1, "blue": 1, "green": 1}),
          tokens(TWO_TAKES, {"red": 2, "blue": 2, "green": 2})],
         [("Ben", "tokens", []), ("Ben", "tokens", ["S3"]), ("Emi", "tokens", []), ("Emi", "tokens", [])],
         [("Ben", "S3")]),
        # two tokens in front of Ben, and then three others: he thought again
        ([tokens(), tokens({"red": 1, "blue": 1}), tokens({"white": 1, "green": 1, "black": 1})],
         [("Ben", "tokens", [])], []),
        # with ten tokens, the gold of a kept card comes and goes back
        ([tokens(FULL), *KEPT], [("Ben", "keep", [])], []),
        # a card kept, and with its gold the one that was kept before bought: two turns that no look separates
        (SWAP, [("Ben", "keep", []), ("Emi", "tokens", []), ("Ben", "buy", [])], []),
        # who moved out of turn put nothing right when the other one has moved: the tokens still lie there
        ([tokens(), tokens(None, THREE), tokens({"black": 2}, THREE), *[tokens({"black": 2}, THREE)] * 2],
         [("Emi", "tokens", ["S3"]), ("Ben", "tokens", ["S4"])], [("Emi", "S3"), ("Ben", "S4")]),
        # a card is in somebody's hand: it was not the one whose turn it is
        ([tokens(None, PRICE), tokens(None, PRICE, CARDS[1:]), BOUGHT], [("Emi", "buy", ["S3"])], []),
        # with ten tokens, some taken and the same given back, where a look showed nothing new
        ([tokens(FULL), tokens(FULL), keeps(tokens(FULL, {"red": 2}), CARDS[0], False, [CAME]),
          keeps(tokens(FULL, {"red": 2, "black": 2}), CARDS[0], False, [CAME])],
         [("Ben", "tokens", []), ("Emi", "tokens", []), ("Ben", "keep", []), ("Emi", "tokens", [])], []),
    ],
)  # fmt: skip
def test_splendors_stories(looks, told, slips):
    assert splendors_log(looks) == (told, slips)


def test_eleven_tokens_that_looked_like_half_a_turn_are_a_slip_when_a_later_look_cannot_be_otherwise():
    figures = Counter()
    judge(KINDS["splendor-slips"](Random("77101 splendor-slips 34")), figures, None)
    assert figures["hits"] == figures["moves"]
    assert figures["told"] == figures["slips"] == 2
    assert not figures["standing"]


STATES = [LOOK, TOOK, after(TOOK, 1, 2, right=2)]
STATES += [after(STATES[2], 1, 4, left=4)]
STATES += [after(STATES[3], 0, 1, right=1)]
"""Four lawful turns, each in a look of its own."""


def standing(lines):
    log = [(line["who"], line["seeker"], len(line["what"]), line["breaks"]) for line in standing_moves(lines)]
    return log


TURNS = [("A", 3, 3, []), ("B", 2, 2, []), ("B", 4, 4, []), ("A", 1, 1, [])]


@pytest.mark.parametrize(
    ("word", "log", "kinds"),
    [
        ({"undo": True, "n": 2}, TURNS, []),  # nothing else explains the looks
        ({"undo": True, "n": 7}, TURNS, []),
        ({"state": LOOK, "look": 1, "by": "person"}, TURNS, ["replaced", *["move"] * 4]),  # both moved after it
        ({"state": after(STATES[3], 0, 1, right=2), "look": 4, "by": "person"}, [*TURNS[:3], ("A", 1, 2, ["T7"])],
         ["replaced", "move"]),  # a gem of the next turn, perhaps: the slip is told when more is known
        ({"state": LOOK, "look": 9, "by": "person"}, TURNS, []),
    ],
)  # fmt: skip
def test_a_word_on_what_was_long_ago_has_everything_after_it_judged_anew(word, log, kinds):
    game = Game()
    game.take({"header": {"players": ["A", "B"], "start": "A"}})
    told = [line for i, state in enumerate(STATES) for line in game.take(look(i, state))]
    assert standing(told) == TURNS
    *new, closing = game.take({"time": 9, **word})
    assert standing([*told, *new]) == log
    assert [line["line"] for line in new] == kinds
    assert closing["moves"] == [n + 1 for n in range(len(log))]
    assert standing(follow(game.lines)) == log


def test_a_line_that_was_rearranged_by_hand_is_a_change_by_nobody():
    """Eleven gems went from one line to the other: to try each way in which they may have lain took for ever."""
    row = ["red", "green", "blue", "purple", "yellow"] * 3
    long, short = ["red", "green", "blue", "purple"] * 4, ["yellow"]

    def look(time, dungeon, ann, bob):
        players = [{"name": "Ann", "line": ann, "gold": 0}, {"name": "Bob", "line": bob, "gold": 0}]
        return {"time": time, "state": {"game": "twelve-seekers", "rule": 7, "dungeon": dungeon, "players": players}}

    after = row[3:], long[:5], [*short, *row[:3], *long[5:]]
    looks = [look(1, row, long, short), *(look(time, *after) for time in (9, 19, 29))]
    told = follow([{"header": {"game": "twelve-seekers", "rule": 7, "players": ["Ann", "Bob"]}}, *looks])
    (line,) = (line for line in told if line["line"] == "move")
    assert (line["who"], line["move"]) == (None, "edit")
    assert Counter(line["what"]) == Counter([*row[:3], *long[5:]])  # each gem once, though it left and came
