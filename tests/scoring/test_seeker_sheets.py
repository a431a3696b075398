"""Twelve Seekers: the rulebook's example of every rule sheet, the rulings beside them."""

import pytest

from scoring import StateError, score_state

R, Y, G, B, P, X = "red", "yellow", "green", "blue", "purple", "rainbow"


def gems(**counts):
    return dict.fromkeys((R, Y, G, B, P, X), 0) | counts


def line(text):
    """`rrx b` as a gem line; spaces only help the eye."""
    names = {"r": R, "y": Y, "g": G, "b": B, "p": P, "x": X}
    return [names[c] for c in text if c != " "]


def total(rule, player):
    return score_state({"game": "twelve-seekers", "rule": rule, "players": [{"name": "A", **player}]}).players[0].total


EXAMPLES = [
    (1, {"gems": gems(red=7, yellow=5, blue=5, purple=2, green=1)}, 7),
    (2, {"gems": gems(red=4, yellow=3, blue=2, green=3, purple=5)}, 10),
    (3, {"gems": gems(red=2, yellow=4, green=3, blue=3, purple=3)}, 6),
    (4, {"gems": gems(red=5, yellow=3, green=2, blue=4, purple=4)}, 3),
    (5, {"gems": gems(red=4, yellow=3, blue=2, green=3, purple=5)}, -7),
    (6, {"gems": gems(red=3, yellow=3, blue=2, green=3, purple=5), "choices": {"number": 3}}, 12),
    (7, {"line": line("rrr bbxb p yy gggg rr"), "choices": {"rainbow": B}}, 12),
    (11, {"gems": gems(red=3, yellow=2, green=2, purple=4)}, 5),
    (12, {"gems": gems(red=3, yellow=2, green=2, purple=4)}, 7),
    (13, {"gems": gems(red=3, yellow=2, green=2, purple=6), "choices": {"plus": P, "minus": Y}}, 8),
    (14, {"gems": gems(red=3, yellow=2, green=2, purple=6), "color_cards": [B, P], "choices": {"plus": P}}, 12),
    (15, {"gems": gems(red=3, yellow=2, green=2, purple=6), "color_cards": [Y], "choices": {"plus": [P, R]}}, 5),
    (19, {"valid": gems(red=3, blue=2, purple=1, green=1, yellow=2), "invalid": gems(green=2, purple=1, red=2)}, 9),
    (20, {"valid": gems(red=3, blue=4, purple=1, green=1, yellow=2), "invalid": gems(green=2, purple=1, red=2)}, 11),
]


@pytest.mark.parametrize(("rule", "player", "points"), EXAMPLES)
def test_the_rulebooks_examples(rule, player, points):
    assert total(rule, player) == points


@pytest.mark.parametrize(
    ("rule", "text", "points"),
    [
        # the example of rule 7 pays 2, 4, 0, 1, 4 and 1
        (7, "rrr bbbb p yy gggg rr", 12),
        (18, "rrr bbbb p yy gggg rr", 12),
        (7, "rrrrr", 6), (7, "rrrrrr", 9), (7, "rrrrrrr", 12), (7, "rrrrrrrx", 12), (7, "rgrgr", 0),
        (8, "rr y rrr", 4), (8, "r", 0), (8, "rrrrr", 2), (8, "yy", 0), (8, "yyy", 4), (8, "ggg", 0), (8, "gggg", 6),
        (8, "b r b", -6), (8, "bbb", 3), (8, "p r p", 4), (8, "ppp", -3),
        (9, "rrr", 6), (9, "rr", -2), (9, "r", -1), (9, "rrrr", -4), (9, "rrrrrr", -6), (9, "rrr bbb g", 11),
        (10, "rr b rr", 4), (10, "rrr", 0), (10, "rr x", 2), (10, "r x", 2),
    ],
)  # fmt: skip
def test_runs(rule, text, points):
    assert total(rule, {"line": line(text)}) == points


@pytest.mark.parametrize(
    ("rule", "text", "points"),
    [
        (16, "rr", 2), (16, "rrr", 4), (16, "pppp", 6), (16, "ppppp", 8), (16, "rrrrrr", 10), (16, "rrrrrrr", 13),
        (16, "rrrrrrrx", 13), (16, "yyy bb", 0), (16, "rr pp bb", 4), (16, "ppxp", 6),
        (17, "rr", 3), (17, "rrrrr", 3), (17, "rr b rr pp", 9), (17, "r b p", 0), (17, "yy", 0),
    ],
)  # fmt: skip
def test_runs_in_the_colors_of_the_cards(rule, text, points):
    assert total(rule, {"line": line(text), "color_cards": [R, P]}) == points


@pytest.mark.parametrize(
    ("rule", "player", "points"),
    [
        # rule 2 to 5 by number
        *[(2, {"gems": {"red": n}}, (0, 2, 4)[n % 3]) for n in range(8)],
        (2, {"gems": gems(red=7, rainbow=1), "choices": {"rainbow": R}}, 4),
        *[(5, {"gems": {"blue": n}}, 5 if n > 4 else -n) for n in range(8)],
        *[(4, {"gems": {"purple": n}}, 5 if n > 4 else -n) for n in range(8)],
        # rule 6: eight needs seven and the rainbow; a color without gems never scores
        (6, {"gems": gems(red=7, rainbow=1), "choices": {"number": 8}}, 4),
        (6, {"gems": gems(red=7, rainbow=1)}, 4),
        (6, {"gems": {}}, 0),
        (6, {"gems": gems(red=2, yellow=2, green=1, rainbow=1)}, 12),
        # gold is 1 under every rule and no gem anywhere
        (11, {"gems": {"red": 1}, "gold": 3}, 6),
        (12, {"gems": {"red": 2}, "gold": 3}, 4),
        (19, {"valid": {"red": 2}, "gold": 3}, 5),
        # the rainbow must take a color, even where that costs
        (5, {"gems": {"rainbow": 1}}, -1),
        (3, {"gems": {"rainbow": 1}}, 2),
        (1, {"gems": gems(red=3, yellow=3, green=2, rainbow=1)}, 5),
        # the rainbow on a color that is not the most
        (1, {"gems": gems(red=5, yellow=2, green=2, rainbow=1)}, 6),
        # rule 13: no two colors, no points
        (13, {"gems": {"red": 5}}, 0),
        (13, {"gems": {}}, 0),
        (13, {"gems": {"red": 5, "rainbow": 1}}, 8),
        (13, {"gems": {"red": 5, "rainbow": 1}, "choices": {"rainbow": R}}, 0),
        (13, {"gems": {"red": 5, "rainbow": 1}, "choices": {"minus": R}}, -8),
        (13, {"gems": {"red": 2, "blue": 3}, "choices": {"plus": R}}, -2),
        # rules 14 and 15: colors without gems will do
        (14, {"gems": {"red": 4}, "color_cards": [R, B]}, 8),
        (14, {"gems": {"red": 4}, "color_cards": [G, B]}, 0),
        (14, {"gems": {"red": 4}, "color_cards": [R, B], "choices": {"minus": R}}, -8),
        (15, {"gems": {"red": 4}, "color_cards": [B]}, 4),
        (15, {"gems": {"blue": 4, "rainbow": 1}, "color_cards": [B]}, -7),
        (15, {"gems": {"red": 1}, "color_cards": [B], "choices": {"plus": [G, Y]}}, 0),
        # the rainbow in the valid place counts, in the invalid place it is worth nothing
        (19, {"valid": {"red": 2, "rainbow": 1}}, 3),
        (20, {"valid": {"red": 2}, "invalid": {"rainbow": 1}}, 2),
        # chips and bonuses
        (12, {"gems": {}, "chips": -3, "gold": 1}, -2),
        (12, {"gems": {}, "chips": 2, "bonuses": [{"seeker": "pair", "gems": [R, R]}]}, 4),
        # cards where the rule uses none are ignored, even under a rule that chooses colors
        (13, {"gems": {"red": 5, "blue": 1}, "color_cards": [Y, G]}, 8),
    ],
)
def test_rulings(rule, player, points):
    assert total(rule, player) == points


@pytest.mark.parametrize(
    ("seeker", "taken", "held", "paid"),
    [
        ("first-of-kind", [R], [], True),
        ("first-of-kind", [R], [B, R], False),
        ("first-of-kind", ["gold"], [R], True),
        ("first-of-kind", ["gold"], ["gold"], False),
        ("first-of-kind", [X], [X], True),
        ("pair", [R, R], None, True),
        ("pair", ["gold", "gold"], None, True),
        ("pair", [R, X], None, False),
        ("all-different", [R, "gold", X], None, True),
        ("all-different", [R, "gold", R], None, False),
        ("two-kinds", [R, R, R, B], None, True),
        ("two-kinds", [R, R, R, R], None, False),
        ("two-kinds", [R, R, B, X], None, False),
        ("four-kinds", [R, B, "gold", X, R], None, True),
        ("four-kinds", [R, B, G, Y, P], None, True),
        ("four-kinds", [R, B, G, R, R], None, False),
    ],
)
def test_the_five_bonuses(seeker, taken, held, paid):
    bonus = {"seeker": seeker, "gems": taken} | ({} if held is None else {"held": held})
    assert total(12, {"gems": {}, "bonuses": [bonus]}) == (2 if paid else 0)


@pytest.mark.parametrize(
    ("one", "other", "winners"),
    [
        ({"gems": {"red": 2}}, {"gems": {"red": 1}}, ("A",)),
        ({"gems": {}}, {"gems": {}}, ()),
        ({"gems": {}, "seekers": [1, 2, 3, 3, 4, 5]}, {"gems": {}, "seekers": [1, 2, 2, 3, 4, 5]}, ("B",)),
        ({"gems": {}, "seekers": [1, 1, 2, 2, 2, "four-kinds"]}, {"gems": {}, "seekers": [3, 3, 3, 4, 4, 5]}, ("A",)),
        ({"gems": {}, "seekers": [1, 2, 2, 3, 4, 5]}, {"gems": {}, "seekers": [1, 2, 3, 3, 4, 4]}, ("A", "B")),
        # of one stack the other follows: twelve seekers add up to 35
        ({"gems": {}, "seekers": [1, 1, 2, 2, 2, 3]}, {"gems": {}}, ("A",)),
        ({"gems": {}}, {"gems": {}, "seekers": [1, 2, 2, 3, 5, 5]}, ("A",)),
        ({"gems": {}, "seekers": [1, "steal-one", "pair", 2, 2, 3]}, {"gems": {}}, ("A",)),
        # not where no game lays such a stack out
        ({"gems": {}, "seekers": [1, 1, 1, 2, 2, 3]}, {"gems": {}}, ()),
        ({"gems": {}, "seekers": [1, 1, 2, 2, 2, 3, 3]}, {"gems": {}}, ()),
    ],
)
def test_who_wins(one, other, winners):
    state = {"game": "twelve-seekers", "rule": 3, "players": [{"name": "A", **one}, {"name": "B", **other}]}
    answer = score_state(state)
    assert (answer.winners, answer.leading) == (winners, ())


@pytest.mark.parametrize(
    ("one", "other", "leading"),
    [
        ({"gems": {"red": 1}, "seekers": [1]}, {"gems": {}, "seekers": []}, ("A",)),
        ({"gems": {"red": 1}, "seekers": [1, 2, 3, 3, 4, 5]}, {"gems": {"red": 2}, "seekers": [1, 2, 2, 4, 5]}, ("B",)),
        # the seekers decide at the end only
        ({"gems": {}, "seekers": [1, 2]}, {"gems": {}, "seekers": [4]}, ("A", "B")),
    ],
)
def test_nobody_wins_before_the_twelfth_turn(one, other, leading):
    state = {"game": "twelve-seekers", "rule": 3, "players": [{"name": "A", **one}, {"name": "B", **other}]}
    answer = score_state(state)
    assert (answer.winners, answer.leading) == ((), leading)
    assert "seekers.goes-on" in [note.key for note in answer.notes]


@pytest.mark.parametrize("goes_on", [True, False])
def test_nobody_wins_a_game_that_is_said_to_go_on(goes_on):
    rows = [{"name": "A", "gems": {"red": 1}}, {"name": "B", "gems": {}}]
    answer = score_state({"game": "twelve-seekers", "rule": 3, "goes_on": goes_on, "players": rows})
    assert (answer.winners, answer.leading) == (((), ("A",)) if goes_on else (("A",), ()))


@pytest.mark.parametrize(("left", "over"), [(None, True), ([], True), ([5], False), (["?"], False)])
def test_nobody_wins_while_seekers_lie_in_the_field(left, over):
    rows = [{"name": "A", "gems": {"red": 1}}, {"name": "B", "gems": {}}]
    state = {"game": "twelve-seekers", "rule": 3, "players": rows} | ({} if left is None else {"seekers_left": left})
    answer = score_state(state)
    assert (answer.winners, answer.leading) == ((("A",), ()) if over else ((), ("A",)))
    assert ("seekers.field-left" in [n.key for n in answer.notes]) == (not over)


@pytest.mark.parametrize(("more", "key"), [({"seekers_left": [5, "?"]}, "field"), ({}, "short")])
@pytest.mark.parametrize("red", [2, 1])
def test_a_game_that_is_said_to_be_over_early_is_won_by_what_lies_there(more, key, red):
    rows = [{"name": "A", "gems": {"red": red}, "seekers": [3]}, {"name": "B", "gems": {"red": 1}, "seekers": [1]}]
    answer = score_state({"game": "twelve-seekers", "rule": 3, "goes_on": False, "players": rows, **more})
    assert (answer.winners, answer.leading) == (("A",) if red == 2 else ("B",), ())
    assert [n.key for n in answer.notes if n.key.endswith("-ended")] == [f"seekers.{key}-ended"]


@pytest.mark.parametrize(
    ("one", "other", "key", "tally"),
    [
        ([1, 2, 3, 3, 4, 5], [1, 2, 2, 3, 4, 5], "seekers.tie", ("A 18", "B 17")),
        ([1, 1, 2, 2, 2, 3], None, "seekers.tie-rest", ("A 11", "B 24")),
        ([1, 2, 2, 3, 4, 5], [1, 2, 3, 3, 4, 4], "seekers.tie-shared", ("A 17", "B 17")),
    ],
)
def test_a_tie_is_decided_by_numbers_that_are_said(one, other, key, tally):
    rows = [{"name": "A", "gems": {}, "seekers": one}, {"name": "B", "gems": {}}]
    if other:
        rows[1]["seekers"] = other
    (note,) = [n for n in score_state({"game": "twelve-seekers", "rule": 3, "players": rows}).notes if "tie" in n.key]
    assert (note.key, note.values["tally"], note.source) == (key, tally, "twelve-seekers/end")
    assert note.because == tuple(f"/players/{i}/seekers" for i, cards in enumerate((one, other)) if cards)


@pytest.mark.parametrize(
    ("rule", "player", "note"),
    [
        (1, {"gems": {}, "choices": {"rainbow": R}}, "seekers.rainbow-ignored"),
        (1, {"gems": {}, "color_cards": [R]}, "seekers.cards-ignored"),
        (13, {"gems": {"red": 1}}, "seekers.no-pair"),
        (19, {"valid": {}, "invalid": {"rainbow": 1}}, "seekers.rainbow-invalid"),
        (5, {"gems": {"rainbow": 1}}, "seekers.rainbow-costs"),
        (3, {"gems": {"rainbow": 1}}, "seekers.rainbow-alone"),
        (8, {"line": line("rrrrr")}, "seekers.run-once"),
        (9, {"line": line("rrrrrr")}, "seekers.run-of-six"),
        (11, {"gems": {"red": 1}, "gold": 1}, "seekers.gold"),
        (9, {"line": line("rrrr")}, "seekers.run-whole"),
        (10, {"line": line("rrr")}, "seekers.run-whole"),
        (17, {"line": line("rrrr"), "color_cards": [R, B]}, "seekers.run-whole"),
        (15, {"gems": {"red": 2, "blue": 1}, "color_cards": [R]}, "seekers.plus-bare"),
        (1, {"gems": {}, "seekers": [1, 2, 3, 4, 5, 1, 2]}, "seekers.stack"),
        (1, {"gems": {}, "seekers": [1, 1, 1]}, "seekers.powers"),
        (6, {"gems": gems(red=2, yellow=2, green=2, blue=2, purple=2, rainbow=1)}, "seekers.rainbow-costs"),
        (9, {"line": line("rrr b")}, "seekers.singles"),
        (16, {"line": line("rr b rrr"), "color_cards": [R, B]}, "seekers.plus-runs"),
        (17, {"line": line("rr b rr"), "color_cards": [R, B]}, "seekers.plus-runs"),
        (19, {"valid": {}, "color_cards": [R]}, "seekers.cards-drawn"),
        (1, {"gems": {}, "seekers": ["pair", "steal-one", "give-one", 2, 3, 4]}, "seekers.advanced-number"),
        (1, {"gems": {}, "seekers": ["pair", 1, 3, 2, 3, 4]}, "seekers.advanced-number"),
        (1, {"gems": gems(red=7, blue=7, green=7, purple=5)}, "seekers.tiles-one"),
        (12, {"gems": gems(red=7, blue=7, green=7, purple=3)}, "seekers.tiles-thrown"),
    ],
)
def test_notes(rule, player, note):
    answer = score_state({"game": "twelve-seekers", "rule": rule, "players": [{"name": "A", **player}]})
    assert note in [n.key for n in answer.notes]


@pytest.mark.parametrize(
    ("rule", "one", "other", "note"),
    [
        # gems and powers, while nobody has an advanced seeker
        (3, {"gems": {"red": 3}, "seekers": [3]}, {"gems": {"red": 1}, "gold": 1, "seekers": [2]}, None),
        (3, {"gems": {"red": 1}, "seekers": [3]}, {"gems": {"red": 2}, "seekers": [2]}, "gems-powers"),
        (3, {"gems": {"red": 1}, "seekers": [3]}, {"gems": {"red": 2}, "seekers": ["give-one"]}, None),
        (3, {"gems": {"red": 1}, "seekers": [3]}, {"gems": {"red": 2}}, None),
        (11, {"gems": {"red": 2}, "seekers": [3]}, {"gems": {"red": 2}, "seekers": [2]}, None),
        (11, {"gems": {"red": 1}, "seekers": [3]}, {"gems": {"red": 2}, "seekers": [2]}, "gems-powers-thrown"),
        # stacks that are of no game, or not of the same
        (3, {"seekers": ["pair", "steal-one", 2, 3, 4, 5]}, {"seekers": ["anywhere", "give-one", 1, 3, 4, 5]}, None),
        (3, {"seekers": [1, 2, 2, 3, 4, 5]}, {"seekers": ["pair", "give-one", 1, 3, 4, 5]}, "advanced-unlike"),
        (3, {"seekers": ["pair", "give-one", "two-kinds"]}, {"seekers": [1, 2, 3]}, "advanced-unlike"),
        (3, {"seekers": ["pair", "give-one"]}, {"seekers": [1, 2]}, None),
        # 35 of the 39 tiles are taken in a game
        (1, {"gems": gems(red=7, blue=7, green=4)}, {"gems": gems(yellow=7, purple=7, green=3)}, None),
        (1, {"gems": gems(red=7, blue=7, green=4)}, {"gems": gems(yellow=7, purple=7, rainbow=1, green=3)}, "tiles"),
        (12, {"gems": gems(red=7, blue=5)}, {"gems": gems(yellow=7, purple=4), "gold": 3}, None),
        (12, {"gems": gems(red=7, blue=5)}, {"gems": gems(yellow=7, purple=5)}, "tiles-thrown"),
    ],
)  # fmt: skip
def test_what_no_game_gives_is_said(rule, one, other, note):
    rows = [{"name": name, "gems": {}, **player} for name, player in (("A", one), ("B", other))]
    found = {n.key for n in score_state({"game": "twelve-seekers", "rule": rule, "players": rows}).notes}
    beside = {"seekers.goes-on", "seekers.tie", "seekers.tie-unknown", "seekers.tie-rest", "seekers.gold"}
    assert found - beside == ({f"seekers.{note}"} if note else set())


def claim(seeker, *gems, **fields):
    return {"seeker": seeker, "gems": list(gems), **fields}


@pytest.mark.parametrize(
    ("one", "other", "note"),
    [
        ({"bonuses": [claim("pair", R, R)]}, {"bonuses": [claim("pair", B, B)]}, "seekers.one-card"),
        ({"bonuses": [claim("pair", R, R)]}, {"seekers": ["pair"]}, "seekers.one-card"),
        ({"bonuses": [claim("pair", R, R)], "seekers": ["pair"]}, {"seekers": [2]}, None),
        ({"bonuses": [claim("pair", R, R)]}, {"bonuses": [claim("first-of-kind", B, held=[])]}, None),
        ({"bonuses": [claim("pair", R, R), claim("pair", R, R)]}, {}, "seekers.bonus-twice"),
        ({"bonuses": [claim("pair", "gold", "gold")]}, {"gold": 3}, "seekers.bonus-gone"),
        ({"bonuses": [claim("pair", "gold", "gold")], "gold": 1}, {}, "seekers.bonus-gone"),
        ({"bonuses": [claim("pair", "gold", "gold")], "gold": 2}, {"gold": 1}, None),
        ({"bonuses": [claim("first-of-kind", "rainbow", held=[])]}, {"valid": {"rainbow": 1}}, "seekers.bonus-gone"),
        ({"bonuses": [claim("first-of-kind", "rainbow", held=[])], "valid": {"rainbow": 1}}, {}, None),
        ({"bonuses": [claim("first-of-kind", "rainbow", held=[])], "invalid": {"rainbow": 1}}, {}, None),
    ],
)
def test_bonuses_that_can_hardly_be_are_said(one, other, note):
    rows = [{"name": name, "valid": {}, **player} for name, player in (("A", one), ("B", other))]
    notes = {n.key for n in score_state({"game": "twelve-seekers", "rule": 19, "players": rows}).notes}
    notes &= {"seekers.one-card", "seekers.bonus-twice", "seekers.bonus-gone", "seekers.bonus-stranger"}
    assert notes == ({note} if note else set())


@pytest.mark.parametrize(
    ("rule", "player", "house", "usual", "switched"),
    [
        (8, {"line": line("rrrrr")}, {"rule-8-runs": "each-length"}, 2, 4),
        (9, {"line": line("rrrrrr")}, {"rule-9-six": "two-threes"}, -6, 12),
        (9, {"line": line("rrrr")}, {"runs-cut": "cut"}, -4, 5),
        (9, {"line": line("rrrrrrr")}, {"runs-cut": "cut"}, -7, 11),
        (10, {"line": line("rrrr")}, {"runs-cut": "cut"}, 0, 4),
        (10, {"line": line("rrrbb")}, {"runs-cut": "cut"}, 2, 4),
        (17, {"line": line("rrrrb"), "color_cards": [R, B]}, {"runs-cut": "cut"}, 3, 6),
        (13, {"gems": {"red": 4}}, {"rule-13-one-color": "plus-alone"}, 0, 8),
        (13, {"gems": {"red": 4, "rainbow": 1}}, {"rule-13-one-color": "plus-alone"}, 6, 10),
        (13, {"gems": {"red": 4, "rainbow": 1}, "gold": 1}, {"rule-13-one-color": "plus-alone"}, 7, 11),
        (15, {"gems": {"red": 3, "blue": 2}, "color_cards": [R]}, {"rule-15-plus": "held"}, -4, 0),
        (11, {"gems": {"red": 1}, "gold": 2}, {"gold": "gem"}, 5, 3),
        (11, {"gems": {"red": 1}, "gold": 2}, {"gold": "color"}, 5, 7),
        (12, {"gems": {"red": 1}, "gold": 2}, {"gold": "color"}, 2, 3),
        (5, {"gems": {"rainbow": 1}}, {"rainbow-duty": "may"}, -1, 0),
        (3, {"gems": {"purple": 1, "rainbow": 1}}, {"rainbow-color": "held"}, 0, -4),
        (19, {"valid": {}, "invalid": {"rainbow": 1}}, {"rainbow-invalid": "valid"}, 0, 1),
        (9, {"line": line("rrr b y g")}, {"rule-9-singles": "free"}, 3, 6),
        (9, {"line": line("rrr b yy")}, {"rule-9-singles": "free"}, 3, 4),
        (17, {"line": line("rr b rr"), "color_cards": [R, B]}, {"plus-runs": "once-a-color"}, 6, 3),
        (16, {"line": line("rr b rrr bb"), "color_cards": [R, B]}, {"plus-runs": "once-a-color"}, 8, 6),
        (6, {"gems": gems(red=2, yellow=2, green=2, blue=2, purple=2, rainbow=1)}, {"rainbow-duty": "may"}, 16, 20),
    ],
)
def test_house_rules_and_the_rulings_that_name_them(rule, player, house, usual, switched):
    state = {"game": "twelve-seekers", "rule": rule, "players": [{"name": "A", **player}]}
    plain, other = score_state(state), score_state({**state, "house_rules": house})
    assert plain.players[0].total == usual
    assert other.players[0].total == switched
    assert dict(other.house_rules) == house
    ((name, reading),) = house.items()
    assert (name, reading, (switched,)) in [(r.question, r.other, r.totals) for r in plain.rulings]


@pytest.mark.parametrize(
    ("rule", "player", "question"),
    [
        # longer runs earn as much in one piece; of two colors nothing is in doubt
        (7, {"line": line("rrrrrrrx")}, "runs-cut"),
        (18, {"line": line("rrrr")}, "runs-cut"),
        (16, {"line": line("rrrrrrrx"), "color_cards": [R, B]}, "runs-cut"),
        (17, {"line": line("rrrr"), "color_cards": [B, G]}, "runs-cut"),
        (17, {"line": line("rrr"), "color_cards": [R, B]}, "runs-cut"),
        (13, {"gems": {"red": 4, "blue": 1}}, "rule-13-one-color"),
        (13, {"gems": {}}, "rule-13-one-color"),
        (15, {"gems": {"red": 3, "blue": 2, "rainbow": 1}, "color_cards": [R]}, "rule-15-plus"),
    ],
)
def test_what_changes_no_total_is_no_ruling(rule, player, question):
    answer = score_state({"game": "twelve-seekers", "rule": rule, "players": [{"name": "A", **player}]})
    assert question not in [r.question for r in answer.rulings]
    assert not {"seekers.run-whole", "seekers.plus-bare"} & {n.key for n in answer.notes}


def test_a_color_alone_is_the_plus_color_by_house_rule():
    state = {"game": "twelve-seekers", "rule": 13, "house_rules": {"rule-13-one-color": "plus-alone"}}
    (player,) = score_state({**state, "players": [{"name": "A", "gems": {"red": 3}}]}).players
    assert dict(player.choices) == {"plus": R}
    assert [(line.key, line.points) for line in player.lines] == [("seekers.plus", 6)]
    made = {"name": "A", "gems": {"red": 3}, "choices": {"plus": R}}
    assert score_state({**state, "players": [made]}).players[0].total == 6
    with pytest.raises(StateError):
        score_state({**state, "players": [{**made, "choices": {"minus": R}}]})


def test_lines_point_at_the_gems_they_counted():
    state = {
        "game": "twelve-seekers", "rule": 8,
        "players": [{"name": "A", "line": line("rrxb"), "gold": 1, "choices": {"rainbow": B}}],
    }  # fmt: skip
    found = [(at.key, at.points, at.because) for at in score_state(state).players[0].lines]
    assert found == [
        ("seekers.run.least", 2, ("/players/0/line/0", "/players/0/line/1")),
        ("seekers.run.each", 2, ("/players/0/line/2", "/players/0/line/3")),
        ("seekers.gold", 1, ("/players/0/gold",)),
    ]


def test_two_readings_of_one_rule_go_together():
    state = {"game": "twelve-seekers", "rule": 9, "players": [{"name": "A", "line": line("rrrrrr b yyyy")}]}
    house = {"rule-9-six": "two-threes", "rule-9-singles": "free"}
    assert score_state({**state, "house_rules": house}).players[0].total == 12 - 4


def test_a_color_of_the_rainbow_that_leaves_no_pair_is_among_the_alternatives():
    """Rule 13: worst of all, but legal, since a state may say so."""
    row = {"name": "A", "gems": {"red": 3, "rainbow": 1}, "choices": {"rainbow": R}}
    (player,) = score_state({"game": "twelve-seekers", "rule": 13, "players": [row]}).players
    assert player.total == 0
    assert [dict(other.choices) for other in player.alternatives if len(other.choices) == 1] == [{"rainbow": R}]
    assert len(player.alternatives) == 2 * 4 + 1


def test_alternatives_are_every_legal_choice_best_first():
    state = {"game": "twelve-seekers", "rule": 6, "players": [{"name": "A", "gems": gems(red=2, blue=1, rainbow=1)}]}
    (player,) = score_state(state).players
    assert {"rainbow": B, "number": 2} in [
        dict(alternative.choices) for alternative in player.alternatives if alternative.total == 8
    ]
    assert len(player.alternatives) == 5 * 8
    totals = [alternative.total for alternative in player.alternatives]
    assert totals == sorted(totals, reverse=True)
    assert totals[0] == player.total == 8


@pytest.mark.parametrize(
    ("rule", "player"),
    [
        (13, {"gems": {"red": 5}, "choices": {"plus": R}}),
        (13, {"gems": {"red": 5, "blue": 1}, "choices": {"plus": G}}),
        (13, {"gems": {"red": 5, "blue": 1}, "choices": {"plus": R, "minus": R}}),
        (13, {"gems": {"red": 5, "rainbow": 1}, "choices": {"plus": R, "rainbow": R}}),
        (14, {"gems": {"red": 5}, "color_cards": [R, B], "choices": {"plus": G}}),
        (14, {"gems": {"red": 5}, "color_cards": [R, B], "choices": {"plus": R, "minus": R}}),
        (14, {"gems": {"red": 5}, "color_cards": [R, R]}),
        (15, {"gems": {"red": 5}, "color_cards": [R], "choices": {"plus": [R, B]}}),
        (15, {"gems": {"red": 5}, "color_cards": [R], "choices": {"plus": [B, B]}}),
        (15, {"gems": {"red": 5}, "color_cards": [R], "choices": {"plus": B}}),
        (15, {"gems": {"red": 5}, "color_cards": [R], "choices": {"minus": R}}),
        (19, {"valid": {}, "choices": {"rainbow": R}}),
        (1, {"gems": {}, "choices": {"number": 3}}),
        (6, {"gems": {}, "choices": {"number": 9}}),
        (7, {"line": [], "choices": {"plus": R}}),
    ],
)
def test_choices_that_the_rule_forbids(rule, player):
    with pytest.raises(StateError):
        total(rule, player)
