"""Human Angel Demon: goals, red cards and their conditions, the end of a match."""

import pytest

from scoring import StateError, score_state
from scoring.human_angel_demon.conditions import Seen, paid
from scoring.human_angel_demon.sets import TITLES, Card, goal_forms

HAND = ["D2", "D3", "D4", "A5", "A5", "A5r", "I1", "I1"]


def game(*others, advanced=False, hand=HAND, opened=(("H1", "H1", "H1r"),), points=0, winner="A", **fields):
    row = {"name": "A", "points": points, "open": [list(cards) for cards in opened]}
    if hand:
        row["hand"] = list(hand)
    extra = {key: fields.pop(key) for key in ("ready", "discards", "winning_card") if key in fields}
    rows = others or ({"name": "B"},)
    how = {"won_by": "take"} if winner else {}
    head = {"game": "human-angel-demon", "advanced": advanced, "winner": winner, "short_game": 1, **how, **fields}
    return score_state({**head, "players": [row | extra, *rows]})


def total(*args, **fields):
    return game(*args, **fields).players[0].total


@pytest.mark.parametrize(
    ("fields", "points"),
    [
        ({}, 1 + 2),
        ({"points": 5}, 5 + 1 + 2),
        ({"bonus": ["A5", "D1"]}, 3 + 3),
        ({"bonus": ["D1", "A5"]}, 3),
        ({"bonus": ["I1r", "H1"]}, 3 + 2 + 3),
        ({"opened": [("H1", "H1", "H1r"), ("A1", "A2", "A3r")]}, 2 + 3),
        ({"winner": None, "hand": None, "points": 4, "bonus": ["A5"]}, 4),
    ],
)
def test_basic_points(fields, points):
    assert total(**fields) == points


RUNS = ["D2", "D3", "D4", "D4", "D5", "D6", "H3", "H3"]


@pytest.mark.parametrize(
    ("opened", "hand", "red", "paid"),
    [
        # 1 and 7: a 1, a 7 or an Item in every set
        ([("H1", "H2", "H3")], ["D5", "D6", "D7r", "A1", "A1", "A1", "I1", "I1"], "D7r", 2),
        ([("H2", "H2", "H2")], ["D5", "D6", "D7r", "A1", "A1", "A1", "I1", "I1"], "D7r", 0),
        ([("H1", "H2", "H3")], ["D5", "D6", "D7r", "A1", "A1", "A1", "A2", "A2"], "D7r", 0),
        # 2 and 6: none of those in any set
        ([("H4", "H4", "H4")], ["D2r", "D3", "D4", "D4", "D5", "D6", "H3", "H3"], "D2r", 2),
        ([("I4", "I4", "I4")], ["D2r", "D3", "D4", "D4", "D5", "D6", "H3", "H3"], "D2r", 0),
        # 3 and 5: three sets open
        ([("H2r", "H3r", "H4")], RUNS, "H3r", 0),
        ([("H2", "H3r", "H4"), ("A2", "A2", "A2"), ("A3", "A3", "A3")], RUNS, "H3r", 2),
        # 4: one attribute and Items only
        ([("D3", "D4r", "D5")], ["D2", "D3", "D4", "D4", "D5", "D6", "I3", "I3"], "D4r", 5),
        ([("D3", "D4r", "D5")], RUNS, "D4r", 0),
        # an Item: always
        ([("I2", "I2r", "I2")], RUNS, "I2r", 1),
    ],
)
def test_conditions_of_red_cards(opened, hand, red, paid):
    lines = game(advanced=True, opened=opened, hand=hand).players[0].lines
    assert [line.points for line in lines if line.values.get("card") == red] == [paid]


def test_a_red_item_that_carries_the_win_is_no_point():
    state = {"advanced": True, "opened": [("I2", "I2r", "I2")], "hand": RUNS}
    assert total(**state) == 2
    assert total(**state, item_win=[2]) == 1
    assert total(**state, item_win=[3]) == 2


def hands(titles, left, most=4):
    """Every hand of `left` cards of these titles."""
    if not titles:
        yield from [[]] if left == 0 else []
        return
    for n in range(min(most, left) + 1):
        for rest in hands(titles[1:], left - n, most):
            yield [titles[0]] * n + rest


def seen(form):
    """What conditions look at where nothing is open."""
    return Seen([[Card("", title, title, False) for title in titles] for titles in form], [])


@pytest.mark.parametrize("other", ["H1", "H4", "I1"])
def test_how_a_hand_is_seen_never_matters(other):
    """Some hands are goal forms in two ways, 33366645 for one. No red card's condition tells them apart."""
    several = 0
    for hand in hands([*(f"D{n}" for n in range(1, 8)), other], 8):
        forms = goal_forms(hand)
        several += len(forms) > 1
        pays = {tuple(paid(title, seen(form), ())[:3] for title in TITLES) for form in forms}
        assert len(pays) <= 1, hand
    assert several


@pytest.mark.parametrize(
    ("advanced", "points", "left"), [(True, 9, 6), (True, 2, 0), (True, 0, 0), (False, 9, 9)]
)  # the winner wins 3: a set, and 1 + 1 bonus
def test_the_discarder_loses(advanced, points, left):
    other = {"name": "B", "points": points}
    breakdown = game(
        other, advanced=advanced, hand=RUNS, opened=[("H4", "H4", "H4")], won_by="discard", discarder="B",
        ready=True, winning_card="H3", bonus=["H3r", "I1"],
    )  # fmt: skip
    assert [p.total for p in breakdown.players] == [3, left]


@pytest.mark.parametrize(
    ("players", "short_game", "points", "winners"),
    [
        (2, 1, (5, 3), ()), (2, 5, (23, 0), ()), (2, 1, (24, 3), ("A",)), (2, 1, (3, 24), ("B",)),
        (2, 6, (5, 3), ("A",)), (2, 6, (3, 5), ("B",)), (2, 6, (5, 5), ("A", "B")), (2, 7, (5, 3), ("A",)),
        (3, 5, (17, 3, 3), ()), (3, 1, (18, 3, 3), ("A",)), (3, 6, (5, 5, 1), ("A", "B")),
        (4, 7, (11, 3, 3, 3), ()), (4, 1, (12, 3, 3, 3), ("A",)), (4, 8, (1, 2, 3, 4), ("D",)),
        (1, 9, (30,), ()),
    ],
)  # fmt: skip
def test_the_end_of_a_match(players, short_game, points, winners):
    rows = [{"name": "ABCD"[i], "points": n} for i, n in enumerate(points)][:players]
    state = {"game": "human-angel-demon", "winner": None, "short_game": short_game, "players": rows}
    assert score_state(state).winners == winners


ITEMS = [["I1", "I1", "I1"], ["I2", "I2r", "I2"], ["I3", "I3", "I3"]]


@pytest.mark.parametrize(
    ("advanced", "opened", "item_win", "wins"),
    [
        (True, ITEMS, None, True),
        (True, ITEMS, [2], True),
        (True, ITEMS, [1], False),
        (True, ITEMS[:2], None, False),
        (True, [*ITEMS[:2], ["H1", "H1", "H1"]], None, False),
        (True, [["I1", "I1", "I1"], ["I2", "I2", "I2"], ["I3", "I3", "I3"]], None, False),
        (False, ITEMS, None, False),
    ],
)
def test_instant_win(advanced, opened, item_win, wins):
    rows = [{"name": "A", "points": 3}, {"name": "B", "open": opened}]
    state = {"game": "human-angel-demon", "advanced": advanced, "winner": None, "short_game": 2, "players": rows}
    breakdown = score_state(state | ({"item_win": item_win} if item_win else {}))
    assert breakdown.winners == (("B",) if wins else ())
    doubtful = [note.because for note in breakdown.notes if note.key == "had.item-win-other"]
    assert doubtful == ([("/players/1/open/1/1",)] if wins and not item_win else [])


def test_the_winners_red_items_are_in_doubt_once():
    rows = [{"name": "A", "hand": [*HAND[:6], "D7", "D7"], "open": ITEMS}, {"name": "B"}]
    state = {"game": "human-angel-demon", "advanced": True, "winner": "A", "won_by": "take", "players": rows}
    breakdown = score_state(state)
    assert breakdown.winners == ("A",)
    assert [note.key for note in breakdown.notes] == ["had.item-win", "had.instant"]


BLACK_ITEMS = [["I1", "I1", "I1"], ["I2", "I2", "I2"], ["I3", "I3", "I3"]]


@pytest.mark.parametrize(
    ("opened", "hand", "item_win", "usual", "in_sets", "no_red"),
    [
        (ITEMS, [], [], True, True, True),
        (BLACK_ITEMS, [], [], False, False, True),
        (BLACK_ITEMS, ["I4r"], [], True, False, True),
        (BLACK_ITEMS, ["I4r"], [1], False, False, True),
        (ITEMS[:2], ["I4r"], [], False, False, False),
    ],
)
def test_where_the_red_item_of_the_instant_win_must_be(opened, hand, item_win, usual, in_sets, no_red):
    """The line of 0 says who wins at once, or why not; the other readings name the winners."""
    rows = [{"name": "A"}, {"name": "B", "open": opened, "hand": hand}]
    state = {"game": "human-angel-demon", "advanced": True, "winner": None, "item_win": item_win, "players": rows}
    plain = score_state(state)
    assert plain.winners == (("B",) if usual else ())
    lines = [(line.key, line.points) for line in plain.players[1].lines[1:]]
    assert lines == ([("had.instant-win" if usual else "had.no-instant-win", 0)] if len(opened) == 3 else [])
    wins = {"red-in-sets": in_sets, "no-red": no_red}
    named = {r.other: r.winners for r in plain.rulings if r.question == "instant-win"}
    assert named == {reading: ("B",) if win else () for reading, win in wins.items() if win != usual}
    for reading, win in wins.items():
        other = score_state({**state, "house_rules": {"instant-win": reading}})
        assert other.winners == (("B",) if win else ())


@pytest.mark.parametrize(
    ("discards", "advanced", "allowed"),
    [
        ([], True, True),
        (["H3r"], False, True),
        (["H4"], True, True),
        # 3-4-5 with a pair waiting: the hand without H3 takes H3 only
        (["H3r"], True, False),
    ],
)
def test_own_discards(discards, advanced, allowed):
    fields = {
        "advanced": advanced, "hand": RUNS, "won_by": "discard", "discarder": "B", "ready": True,
        "winning_card": "H3", "discards": discards,
    }  # fmt: skip
    assert ("had.own-discard" not in [note.key for note in game(**fields).notes]) == allowed


def test_another_card_that_would_do_blocks_as_well():
    """Seven cards that wait on two sides: D2-D3 takes D1 and D4."""
    hand = ["D2", "D3", "D4", "A5", "A5", "A5r", "I1", "I1"]
    fields = {"advanced": True, "won_by": "discard", "discarder": "B", "ready": True, "winning_card": "D4"}
    for discards, blocks in ([], False), (["D1r"], True):
        notes = [note.key for note in game(hand=hand, discards=discards, **fields).notes]
        assert ("had.own-discard" in notes) == blocks


@pytest.mark.parametrize(
    "fields",
    [
        {"hand": HAND[:6]},
        {"hand": ["H8", *HAND[1:]]},
        {"opened": [("H1", "H1")]},
        {"opened": [("H1r", "H1", "H1r")]},
        {"opened": [("A5", "A5", "A5")]},
        {"bonus": ["A5r"]},
        {"winner": "C"},
        {"won_by": "luck"},
        {"won_by": "discard", "discarder": "A", "winning_card": "D2", "ready": True},
        {"won_by": "discard", "winning_card": "D2", "ready": True},
        {"won_by": "discard", "discarder": "B", "ready": True},
        {"discarder": "B"},
        {"short_game": 0},
        {"points": -1},
        {"item_win": [5]},
        {"item_win": 1},
        {"bonus": "A5"},
        {"ready": 1},
    ],
)
def test_bad_tables(fields):
    with pytest.raises(StateError):
        game(**fields)


def test_of_several_cards_too_many_the_first_is_named():
    """In the state's order, whatever the order in which Python keeps a set."""
    with pytest.raises(StateError) as refused:
        game({"name": "B", "discards": ["H1r", "A5r", "I1r", "I1r"]})
    assert (refused.value.place, refused.value.got) == ("/players/1/discards/0", "H1r")
