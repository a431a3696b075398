"""What it costs to believe that a piece was read wrongly, by what the look itself says of it."""

import math

import pytest

from referee.looks import DOUBTFUL, EXACT, MISREAD, NEVER, NO_FIT, NOT_NAMED, UNREAD, Look, bag_fit, row_fit, together

AT = "/players/0/line/2"
NAMES = ("red", "blue", "green", "?")


def look(**said):
    row = {"name": "Ann", "line": ["red", "red", "red", "blue"]}
    return Look(3, {"state": {"players": [row, {"name": "Bob"}]}, **said})


PRICES = {
    "sure": ({}, MISREAD),
    "doubtful": ({"doubtful": [AT]}, DOUBTFUL),
    "another is doubtful": ({"doubtful": ["/players/0/line/3"]}, MISREAD),
    "a person said it": ({"doubtful": [AT], "said": [AT]}, NEVER),
    "a person said the whole line": ({"doubtful": [AT], "said": ["/players/0/line"]}, NEVER),
    "a person typed the look": ({"doubtful": [AT], "by": "person"}, NEVER),
    "half as likely": ({"odds": {AT: {"red": 0.6, "blue": 0.3}}}, math.log(2)),
    "as likely": ({"odds": {AT: {"red": 0.5, "blue": 0.5}}}, 0.1),
    "hardly likely": ({"odds": {AT: {"red": 0.99, "blue": 0.0001}}}, NOT_NAMED),
    "not among the likely ones": ({"odds": {AT: {"red": 0.5, "green": 0.5}}}, NOT_NAMED),
    "the likelier of two pieces": (
        {"odds": {AT: [{"red": 0.9, "green": 0.1}, {"red": 0.6, "blue": 0.3}]}},
        math.log(2),
    ),
    "one of two of which nothing is said": ({"odds": {AT: [{"red": 0.9, "green": 0.1}, None]}}, DOUBTFUL),
    "odds of no piece": ({"odds": {AT: []}}, DOUBTFUL),
    "odds that are none": ({"odds": {AT: {"red": 0.6, "blue": "much"}}}, DOUBTFUL),
    "odds of nothing, doubtful": ({"odds": {AT: 0.3}, "doubtful": [AT]}, DOUBTFUL),
    "odds of nothing": ({"odds": {AT: 0.3}}, MISREAD),
}


@pytest.mark.parametrize("name", PRICES)
def test_what_a_wrong_reading_costs(name):
    said, cost = PRICES[name]
    assert look(**said).price(AT, "red", "blue") == pytest.approx(cost)
    assert look(**said).price(AT, "?", "blue") == UNREAD


@pytest.mark.parametrize(
    ("said", "flagged", "unsure", "named"),
    [
        ({}, False, 0, True),
        ({"doubtful": [AT]}, True, 1, True),
        ({"odds": {AT: {"red": 0.6, "blue": 0.4}}, "doubtful": [AT, "/players/0/line/3"]}, True, 2, True),
        ({"odds": {AT: {"red": 0.6, "green": 0.4}}}, True, 1, False),
        ({"odds": {AT: [{"red": 1.0}, {"blue": 0.4}]}}, True, 1, True),
        ({"doubtful": [AT], "said": [AT]}, False, 1, True),
        ({"doubtful": AT, "odds": [AT], "said": AT}, False, 0, True),
        ({"doubtful": [3, AT]}, True, 1, True),
    ],
)
def test_what_a_look_says_of_a_piece(said, flagged, unsure, named):
    one = look(**said)
    assert (one.flagged(AT), one.unsure, one.named(AT, "blue")) == (flagged, unsure, named)
    assert [one.whose(at) for at in (AT, "/players/1/gold", "/dungeon/3")] == ["Ann", "Bob", None]
    assert [one.shows(who) for who in ("Ann", "Bob", "Zoe", None)] == [True, False, False, True]


@pytest.mark.parametrize(
    ("read", "true", "doubtful", "cost", "wrong"),
    [
        ((0, 1, 2), (0, 1, 2), (), 0.0, []),
        ((0, 1), (0, 1, 2), (), NO_FIT.cost, []),
        ((0, 1, 2), (0, 2, 2), (), MISREAD, [1]),
        ((0, 1, 2), (0, 2, 2), (1,), DOUBTFUL, [1]),
        ((0, 1, 2), (1, 2, 0), (1,), 2 * MISREAD + DOUBTFUL, [0, 1, 2]),
        ((0,) * 4, (1,) * 4, (), NO_FIT.cost, []),
        ((0,) * 4, (1,) * 4, (0,), 3 * MISREAD + DOUBTFUL, [0, 1, 2, 3]),
        ((3, 3, 3, 3, 3), (0, 1, 2, 0, 1), (), 5 * UNREAD, [0, 1, 2, 3, 4]),
    ],
)
def test_what_a_row_costs(read, true, doubtful, cost, wrong):
    fit = row_fit(look(doubtful=[f"/dungeon/{i}" for i in doubtful]), "/dungeon", read, true, NAMES)
    assert fit.cost == pytest.approx(cost)
    assert [(fix.at, fix.read, fix.true) for fix in fit.fixes] == [
        (f"/dungeon/{i}", NAMES[read[i]], NAMES[true[i]]) for i in wrong
    ]
    assert (fit == EXACT) is (read == true)


@pytest.mark.parametrize(
    ("read", "true", "odds", "cost", "wrong"),
    [
        ((1, 2, 0), (1, 2, 0), {}, 0.0, []),
        ((2, 0, 0), (1, 1, 0), {}, MISREAD, [("red", "blue")]),
        ((2, 0, 0), (0, 2, 0), {}, 2 * MISREAD, [("red", "blue"), ("red", "blue")]),
        ((2, 0, 0), (1, 0, 0), {}, NO_FIT.cost, []),
        ((4, 0, 0), (0, 4, 0), {}, 4 * MISREAD, [("red", "blue")] * 4),
        ((5, 0, 0), (0, 5, 0), {}, NO_FIT.cost, []),
        (  # the blue one was green, by its odds; then red and the unknown one are left
            (1, 1, 0, 0), (0, 0, 1, 1), {"/gems/blue": {"blue": 0.5, "green": 0.5}}, MISREAD + 0.1,
            [("red", "?"), ("blue", "green")],
        ),
    ],
)  # fmt: skip
def test_what_counted_pieces_cost(read, true, odds, cost, wrong):
    ats = [f"/gems/{name}" for name in NAMES]
    fit = bag_fit(look(odds=odds), ats, read, true, NAMES)
    assert fit.cost == pytest.approx(cost)
    assert [(fix.read, fix.true) for fix in fit.fixes] == wrong
    assert all(fix.at == f"/gems/{fix.read}" for fix in fit.fixes)


def test_what_two_places_cost_together():
    one, other = (row_fit(look(), at, (0, 1), (1, 1), NAMES) for at in ("/dungeon", "/line"))
    both = together(one, EXACT, other)
    assert (both.cost, [fix.at for fix in both.fixes]) == (2 * MISREAD, ["/dungeon/0", "/line/0"])
    assert together(EXACT, EXACT) == EXACT
