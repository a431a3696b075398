"""Splendor: points, nobles, limits, ties."""

import pytest

from scoring import StateError, score_state


def cards(*points, bonus="red"):
    return [{"points": n, "bonus": bonus} for n in points]


def answer(*players, **fields):
    rows = [{"name": "ABCD"[i], **player} for i, player in enumerate(players)]
    return score_state({"game": "splendor", "players": rows, **fields})


@pytest.mark.parametrize(
    ("player", "total"),
    [
        ({}, 0),
        ({"cards": cards(1, 0, 3)}, 4),
        ({"cards": cards(1), "nobles": 2}, 7),
        ({"cards": [{"bonus": "white"}]}, 0),
        ({"cards": cards(0, 0, 0, 0), "nobles": [{"red": 4}, {"red": 3}]}, 6),
        ({"tokens": {"white": 5, "gold": 5}, "reserved": 3}, 0),
    ],
)
def test_points(player, total):
    assert answer(player).players[0].total == total


@pytest.mark.parametrize(
    ("one", "other", "winners"),
    [
        (cards(14), cards(3), ()),
        (cards(15), cards(3), ("A",)),
        (cards(15), cards(16), ("B",)),
        (cards(5, 5, 5), cards(10, 5), ("B",)),
        (cards(10, 5), cards(10, 5), ("A", "B")),
        (cards(15, 0), cards(15), ("B",)),
    ],
)
def test_who_wins(one, other, winners):
    assert answer({"cards": one}, {"cards": other}).winners == winners


def test_the_round_is_played_out():
    assert "splendor.round" in [note.key for note in answer({"cards": cards(15)}).notes]
    assert not answer({"cards": cards(15)}, round_over=True).notes


def test_reserved_cards_may_count_by_house_rule():
    tied = ({"cards": cards(15), "reserved": 1}, {"cards": cards(15)})
    assert answer(*tied).winners == ("A", "B")
    assert answer(*tied, house_rules={"fewest-cards": "with-reserved"}).winners == ("B",)
    assert ("fewest-cards", ("B",)) in [(r.question, r.winners) for r in answer(*tied).rulings]


@pytest.mark.parametrize(
    "player",
    [
        {"cards": [{"points": 1}]},
        {"cards": [{"points": 1, "bonus": "gold"}]},
        {"cards": [{"points": -1, "bonus": "red"}]},
        {"cards": [1]},
        {"cards": {}},
        {"tokens": {"red": 8, "blue": 3}},
        {"tokens": {"pink": 1}},
        {"tokens": []},
        {"reserved": 4},
        {"nobles": -1},
        {"nobles": True},
        {"nobles": 1.0},
        {"nobles": [{}]},
        {"nobles": [{"gold": 1}]},
        {"nobles": [{"red": 2}], "cards": cards(0)},
        {"gold": 1},
    ],
)
def test_bad_players(player):
    with pytest.raises(StateError):
        answer(player)
