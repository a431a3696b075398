"""Igna: sets, the values of the help card, the end at four sets."""

import pytest

from scoring import StateError, score_state

POINTS = {"same": 3, "run": 2, "mixed": 1, "bonus": 1}
SAME, RUN, MIXED = ["red3"] * 3, ["red1", "red2", "red3"], ["red1", "blue1", "green1"]


def answer(*sets_of_each, points=POINTS):
    rows = [{"name": "ABCD"[i], "sets": sets} for i, sets in enumerate(sets_of_each)]
    return score_state({"game": "igna", "players": rows} | ({} if points is None else {"points": points}))


@pytest.mark.parametrize(
    ("sets", "points", "total"),
    [
        ([SAME], POINTS, 3),
        ([RUN], POINTS, 2),
        ([["red3", "red1", "red2"]], POINTS, 2),
        ([MIXED], POINTS, 1),
        ([["red3", "red3*", "red3*"]], POINTS, 5),
        ([[{"color": "red", "number": 3, "bonus": True}, "red3", {"color": "red", "number": 3}]], POINTS, 4),
        ([SAME, RUN, MIXED], POINTS, 6),
        ([], POINTS, 0),
        ([], None, None),
        ([SAME], None, None),
        ([SAME], {"run": 1}, None),
        ([RUN], {"run": 1}, 1),
        ([["red3*", "red3", "red3"]], {"same": 4}, 4),
        ([], {}, 0),
    ],
)
def test_points(sets, points, total):
    (player,) = answer(sets, points=points).players
    assert player.total == total
    assert (None in [line.points for line in player.lines]) == (total is None)


@pytest.mark.parametrize(
    ("sets", "each", "once"),
    [
        ([["red3", "red3*", "red3*"]], 5, 4),
        ([["red3*", "red3*", "red3*"], ["red1*", "red2", "red3"]], 9, 7),
        ([["red3", "red3", "red3*"], ["red1*", "red2", "red3"]], 7, 7),
    ],
)
def test_bonus_may_count_once_a_set_by_house_rule(sets, each, once):
    state = {"game": "igna", "points": POINTS, "players": [{"name": "A", "sets": sets}]}
    plain, other = score_state(state), score_state({**state, "house_rules": {"bonus-cards": "once-a-set"}})
    assert (plain.players[0].total, other.players[0].total) == (each, once)
    assert [(r.question, r.totals) for r in plain.rulings] == [("bonus-cards", (once,))] * (each != once)
    assert ("igna.bonus-each" in [note.key for note in plain.notes]) == (each != once)


@pytest.mark.parametrize(
    ("one", "other", "winners"),
    [
        ([SAME] * 3, [SAME], ()),
        ([MIXED] * 4, [], ("A",)),
        ([MIXED] * 4, [SAME] * 3, ("B",)),
        ([MIXED] * 3 + [SAME], [SAME] * 2, ("A", "B")),
    ],
)
def test_who_wins(one, other, winners):
    assert answer(one, other).winners == winners


@pytest.mark.parametrize(
    ("points", "left"),
    [(POINTS, None), ({"same": 3}, ("run", "mixed")), ({"same": 3, "run": 2}, ("mixed",)), ({}, None), (None, None)],
)
def test_values_of_the_help_card_that_are_left_to_enter_are_said(points, left):
    notes = [note.values["sets"] for note in answer([SAME], points=points).notes if note.key == "igna.values-left"]
    assert notes == ([left] if left else [])


def test_four_sets_before_two_players_are_said():
    """The game ends with the first who has them."""
    assert "igna.ended-twice" in [note.key for note in answer([SAME] * 4, [MIXED] * 4).notes]
    assert "igna.ended-twice" not in [note.key for note in answer([SAME] * 4, [MIXED] * 3).notes]


def test_nobody_wins_where_a_value_is_unknown():
    assert answer([SAME] * 4, [RUN], points={"same": 3}).winners == ()


@pytest.mark.parametrize(
    "cards",
    [
        ["red1", "red2"],
        ["red0", "red0", "red0"],
        ["red", "red", "red"],
        ["red1**", "red1", "red1"],
        [{"color": "red"}, "red1", "red1"],
        [{"color": "red", "number": 1, "star": True}, "red1", "red1"],
        [{"color": "red", "number": 1, "bonus": 1}, "red1", "red1"],
        [{"color": "red", "number": 1.0}, "red1", "red1"],
        [1, 1, 1],
        "red1",
    ],
)
def test_bad_sets(cards):
    with pytest.raises(StateError):
        answer([cards])


@pytest.mark.parametrize("points", [{"same": -1}, {"same": "3"}, {"pair": 1}, [], None])
def test_bad_points(points):
    with pytest.raises(StateError):
        score_state({"game": "igna", "points": points, "players": [{"name": "A"}]})
