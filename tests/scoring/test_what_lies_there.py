"""What can lie on the table is scored: the rules may forbid it, all other points stand, and a note says so."""

import pytest
from forbidden_states import ALL, BY_DISCARD, HAND, NO_GOAL, angels, bought, igna, seekers, splendor

from companion.words.words import words
from scoring import StateError, score_state

R, Y, G, B, P, X = "red", "yellow", "green", "blue", "purple", "rainbow"


def notes(state, key):
    return [note for note in score_state(state).notes if note.key == key]


def lines(state, player=0):
    return [(line.key, line.points) for line in score_state(state).players[player].lines]


def told(state, key, language="en"):
    (note,) = notes(state, key)
    return words(language).note(note)


@pytest.mark.parametrize(("state", "key", "rule", "place", "totals"), ALL)
def test_what_the_rules_forbid_is_scored_with_a_note_that_names_the_rule_and_the_place(state, key, rule, place, totals):
    answer = score_state(state)
    assert [player.total for player in answer.players] == totals
    found = [note for note in answer.notes if note.key == key]
    assert found
    assert {note.values.get("rule", "") for note in found} == {rule}
    if place is not None:
        assert place in [where for note in found for where in note.because]
    if rule and key not in ("igna.ended-twice",):
        assert all(note.source for note in found)


def test_enough_of_them():
    games = [state["game"] for state, *_ in ALL]
    assert len(games) >= 60
    assert min(games.count(game) for game in set(games)) >= 9
    assert len(set(games)) == 5


# Color cards that nobody knows


def test_what_counts_already_stands_while_color_cards_lie_face_down():
    bonus = {"seeker": "pair", "gems": [R, R]}
    player = {"gems": {R: 3, B: 1}, "gold": 2, "chips": -1, "bonuses": [bonus]}
    assert lines(seekers(14, player)) == [
        ("seekers.gold", 2),
        ("seekers.bonus.pair", 2),
        ("seekers.chips", -1),
        ("seekers.cards-open", None),
    ]


@pytest.mark.parametrize(
    ("rule", "player", "other", "least", "most"),
    [
        # red 3, blue 1: plus red and minus blue is 4, red and any bare color 6, blue and a bare one 2, two bare ones 0
        (14, {"gems": {R: 3, B: 1}}, {}, 0, 6),
        (14, {"gems": {R: 3, B: 1}, "color_cards": [R]}, {}, 4, 6),
        (14, {"gems": {R: 3, B: 1}, "color_cards": [R, "?"]}, {}, 4, 6),
        (14, {"gems": {R: 3, B: 1}, "color_cards": ["?", B]}, {}, 2, 4),
        # red as minus, with blue or a bare color
        (14, {"gems": {R: 3, B: 1}, "color_cards": [R], "choices": {"minus": R}}, {}, -6, -4),
        # red is in the other's hand
        (14, {"gems": {R: 3, B: 1}}, {"color_cards": [R, G]}, 0, 2),
        # the card's color costs 2 each, the best two others earn 1 each
        (15, {"gems": {R: 3, B: 1}, "gold": 1}, {}, 1 + 1 - 6, 1 + 3 + 1),
        # runs of three and of two: 4 and 2
        (16, {"line": [R, R, R, B, B]}, {}, 0, 6),
        (16, {"line": [R, R, R, B, B], "color_cards": [R]}, {}, 4, 6),
        (17, {"line": [R, R, R, B, B], "chips": 2}, {}, 2, 8),
        # the rainbow joins the reds, or makes a pair of blues
        (16, {"line": [R, R, X, B], "color_cards": [R]}, {}, 4, 4),
    ],
)
def test_the_note_says_how_many_points_the_unknown_cards_leave(rule, player, other, least, most):
    field = "line" if rule > 15 else "gems"
    state = seekers(rule, player, {field: [] if rule > 15 else {}, **other})
    note = next(note for note in score_state(state).notes if note.key.startswith("seekers.cards-open"))
    assert (note.values["name"], note.values["least"], note.values["most"]) == ("A", least, most)
    assert note.key == ("seekers.cards-open" if least < most else "seekers.cards-open.alike")


def test_runs_of_a_color_whose_card_is_known_stand_already():
    known = {"line": [R, R, R, B, B, Y], "color_cards": [R]}
    assert lines(seekers(16, known)) == [("seekers.run.length", 4), ("seekers.cards-open", None)]
    assert lines(seekers(17, known)) == [("seekers.run.least", 3), ("seekers.cards-open", None)]
    with_rainbow = {"line": [R, R, X], "color_cards": [R]}
    assert lines(seekers(16, with_rainbow)) == [("seekers.cards-open", None)]  # its color is not chosen yet


def test_the_open_line_says_how_many_cards_are_not_known():
    for cards, n in (([], 2), ([R], 1), (["?", "?"], 2), (["?", R], 1)):
        (player,) = score_state(seekers(14, {"gems": {R: 1}, "color_cards": cards})).players
        (line,) = player.lines
        assert (line.values["n"], line.source) == (n, "twelve-seekers/rule-14")
        assert line.because == (("/players/0/color_cards",) if cards else ("/players/0",))
        assert (dict(player.choices), player.alternatives) == ({}, ())


def test_while_cards_are_not_known_nobody_wins_or_leads():
    known = {"gems": {R: 7}, "color_cards": [R, B], "seekers": [1, 2, 2, 3, 4, 5]}
    answer = score_state(seekers(14, known, {"gems": {}, "seekers": [1, 2, 3, 3, 4, 5]}, goes_on=False))
    assert (answer.winners, answer.leading) == ((), ())
    assert [player.total for player in answer.players] == [14, None]
    assert not [note for note in answer.notes if ".tie" in note.key]


def test_a_choice_that_no_hand_allows_is_refused():
    state = seekers(14, {"gems": {R: 1}, "choices": {"plus": R}}, {"gems": {}, "color_cards": [R, B]})
    with pytest.raises(StateError) as refused:
        score_state(state)
    assert (refused.value.place, refused.value.expected) == ("/players/0/choices", "legal-choice")


def test_the_note_on_unknown_cards_reads_well():
    state = seekers(14, {"gems": {R: 3, B: 1}, "color_cards": [R]})
    assert told(state, "seekers.cards-open") == (
        "A: 1 color card lies face down or was not entered; what it counts is open until the end. "
        "The total will be 4 to 6."
    )
    assert told(state, "seekers.cards-open", "ja") == (
        "A：色指定カード1枚が裏向きか未入力のため、その得点はゲームの終了まで決まりません。合計は4～6VPになります。"
    )


# Unknown is not none


@pytest.mark.parametrize(
    ("one", "other", "winners", "leading"),
    [
        # left out: nobody looked, and what lies there decides
        ({}, {}, ("A",), ()),
        # looked, and none was taken: the game has only begun
        ({"seekers": []}, {"seekers": []}, (), ("A",)),
        ({"seekers": [1, 2, 2, 3, 4, 5]}, {"seekers": []}, (), ("A",)),
        ({"seekers": [1, 2, 2, 3, 4, 5]}, {}, ("A",), ()),
    ],
)
def test_no_seekers_are_other_than_unknown_ones(one, other, winners, leading):
    answer = score_state(seekers(3, {"gems": {R: 1}, **one}, {"gems": {}, **other}))
    assert (answer.winners, answer.leading) == (winners, leading)
    assert ("seekers.goes-on" in [note.key for note in answer.notes]) == bool(leading)


@pytest.mark.parametrize(("nobles", "said"), [(None, True), ([], False), (0, False), (1, False)])
def test_nobles_that_nobody_looked_for_are_said_where_there_could_be_some(nobles, said):
    player = {"cards": bought(red=4, black=4)} | ({} if nobles is None else {"nobles": nobles})
    assert bool(notes(splendor(player), "splendor.nobles-unknown")) == said
    few = {"cards": bought(red=4, black=3)} | ({} if nobles is None else {"nobles": nobles})
    assert not notes(splendor(few), "splendor.nobles-unknown")


# Splendor


@pytest.mark.parametrize(("tokens", "back"), [({R: 10}, None), ({R: 7, "gold": 4}, 1), ({R: 6, G: 4, B: 3}, 3)])
def test_tokens_that_have_to_go_back(tokens, back):
    found = notes(splendor({"tokens": tokens}), "splendor.tokens-back")
    assert [(note.values["n"], note.values["back"]) for note in found] == ([(10 + back, back)] if back else [])


def test_kept_cards_that_have_to_go_back():
    assert [note.values["back"] for note in notes(splendor({"reserved": 5}), "splendor.kept-back")] == [2]
    assert not notes(splendor({"reserved": 3}), "splendor.kept-back")


def test_the_cards_that_a_noble_lacks_are_named():
    state = splendor({"cards": bought(red=4, black=2), "nobles": [{R: 4, "black": 4}]})
    assert told(state, "splendor.noble-unmet") == (
        "A: the noble for red, black (4, 4) counts its 3 points, but cards that it asks for were not seen: black × 2."
    )
    (line,) = [line for line in score_state(state).players[0].lines if line.points]
    assert (line.key, line.points) == ("splendor.noble-for", 3)


def test_a_noble_whose_cards_were_not_seen_takes_no_cards_from_another_by_house_rule():
    """Each card serves one noble only: the one whose cards lie there is served, the other came by cards unseen."""
    nobles = [{R: 4, "black": 4}, {G: 4, B: 4}, {R: 4, G: 4}]
    state = splendor({"cards": bought(red=4, black=4), "nobles": nobles})
    once = score_state({**state, "house_rules": {"noble-cards": "once"}})
    assert once.players[0].total == score_state(state).players[0].total == 9
    assert not [ruling for ruling in score_state(state).rulings if ruling.question == "noble-cards"]


def test_a_noble_that_is_due_names_who_meets_it():
    both = {"cards": bought(red=4, black=4), "nobles": 0}
    state = splendor(both, both, {"cards": bought(red=4)}, nobles_left=[{G: 3, B: 3, R: 3}, {R: 4, "black": 4}, "?"])
    (note,) = notes(state, "splendor.noble-due")
    assert (note.values["names"], note.because) == (("A", "B"), ("/nobles_left/1",))


# Human Angel Demon


def test_a_hand_that_is_no_goal_scores_nothing_at_all():
    state = angels(NO_GOAL, bonus=["H1"], advanced=True, **BY_DISCARD)
    answer = score_state(state)
    assert [[line.key for line in player.lines] for player in answer.players] == [["had.before"], ["had.before"]]
    keys = {note.key for note in answer.notes}
    assert {"had.no-goal", "had.bonus-nobody"} <= keys
    assert not {"had.nobody", "had.ignored.hand"} & keys  # the deck did not run out, and the hand was looked at
    assert not answer.rulings


@pytest.mark.parametrize(
    ("state", "scored", "nobody"),
    [
        (angels(opened=[]), (5, 5), (4, 5)),
        (angels(**{**BY_DISCARD, "ready": False}), (7, 5), (4, 5)),
        (angels(advanced=True, **{**BY_DISCARD, "discards": ["D1"]}), (5, 4), (4, 5)),
    ],
)
def test_a_goal_that_the_rules_forbid_is_scored_and_the_other_reading_offered(state, scored, nobody):
    answer = score_state(state)
    assert tuple(player.total for player in answer.players) == scored
    (ruling,) = [ruling for ruling in answer.rulings if ruling.question == "forbidden-goal"]
    assert (ruling.taken, ruling.other, ruling.totals, ruling.grade) == ("scored", "nobody", nobody, "silent")
    other = score_state({**state, "house_rules": {"forbidden-goal": "nobody"}})
    assert tuple(player.total for player in other.players) == nobody
    assert {note.key for note in answer.notes} & {"had.no-open", "had.not-ready", "had.own-discard"} <= {
        note.key for note in other.notes
    }


def test_a_goal_that_the_rules_allow_leaves_no_question():
    for state in (angels(), angels(**BY_DISCARD), angels(advanced=True, **BY_DISCARD), angels(opened=None)):
        assert "forbidden-goal" not in [ruling.question for ruling in score_state(state).rulings]


def test_every_own_discard_that_would_have_done_is_named():
    """D2-D3 waits on two sides; a card that was taken away again does not block."""
    state = angels(advanced=True, **{**BY_DISCARD, "discards": ["H7", "D4r", "D1"]})
    (note,) = notes(state, "had.own-discard")
    assert (note.values["cards"], note.because) == (
        ("D4r", "D1"), ("/players/0/discards/1", "/players/0/discards/2"),
    )  # fmt: skip
    basic = angels(**{**BY_DISCARD, "discards": ["D1"]})
    assert not notes(basic, "had.own-discard")


def test_an_opened_group_that_is_no_set_counts_for_nothing():
    """Neither its point, nor its red card, nor a bonus check, nor among the three sets of a condition."""
    sets = [["H1", "H1", "H1"], ["D6", "D6", "D6"], ["H4", "H5", "H7r"]]
    state = angels(opened=sets, hand=[*HAND[:5], "A5r", *HAND[6:]], advanced=True, bonus=["H5"])
    assert lines(state) == [
        ("had.before", 4),
        ("had.open", 1),
        ("had.open", 1),
        ("had.no-set", 0),
        ("had.no-condition.three-open", 0),
        ("had.no-bonus", 0),
    ]


def test_item_groups_that_are_no_sets_win_no_game():
    opened = [["I1", "I1", "I1r"], ["I2", "I2", "I2"], ["I3", "I3", "I4"]]
    state = angels(hand=None, winner=None, won_by=None, advanced=True, others={"open": opened})
    answer = score_state(state)
    assert answer.winners == ()
    assert "had.nobody" in [note.key for note in answer.notes]


def test_who_wins_at_once_is_not_told_that_the_deck_ran_out():
    opened = [["I1", "I1", "I1r"], ["I2", "I2", "I2"], ["I3", "I3", "I3"]]
    state = angels(hand=None, winner=None, won_by=None, advanced=True, others={"open": opened})
    answer = score_state(state)
    assert answer.winners == ("B",)
    assert "had.nobody" not in [note.key for note in answer.notes]


# Igna


def test_a_group_that_is_no_set_counts_nothing_and_ends_no_game():
    state = igna([["red3"] * 3] * 3 + [["red1*", "red1", "blue1"]], [])
    answer = score_state(state)
    assert [player.total for player in answer.players] == [9, 0]
    assert (answer.winners, "igna.goes-on" in [note.key for note in answer.notes]) == ((), True)
    assert lines(state)[-1] == ("igna.no-set", 0)
    assert told(state, "igna.no-set") == (
        "A: red 1*, red 1, blue 1 are no valid set (one color and number, a run in one color, or three colors of one "
        "number) and count 0."
    )


def test_without_the_help_cards_values_a_group_that_is_no_set_leaves_the_total_open():
    state = igna([["red1", "red1", "blue1"]])
    del state["points"]
    assert score_state(state).players[0].total is None


def test_spellings_of_one_color_are_one_color():
    state = igna([["red3", "Red3", "赤3"], ["blue1", "blue2", {"color": " ＢＬＵＥ", "number": 3}]])
    assert lines(state) == [("igna.set.same", 3), ("igna.set.run", 2)]
    assert [(note.values["color"], note.values["words"]) for note in notes(state, "igna.spellings")] == [
        ("red", ("red", "Red", "赤")),
        ("blue", ("blue", " ＢＬＵＥ")),
    ]
    assert not notes(igna([["赤3", "赤3", "赤3"]]), "igna.spellings")
    other = igna([["turquoise1", "crimson1", "red1"]])
    assert lines(other) == [("igna.set.mixed", 1)]  # the rulebook names no colors: other words are other colors
