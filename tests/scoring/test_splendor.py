"""Splendor: points, nobles, limits, ties."""

import pytest

from scoring import StateError, score_state


def cards(*points, bonus="red"):
    return [{"points": n, "bonus": bonus} for n in points]


def answer(*players, **fields):
    rows = [{"name": "ABCDE"[i], **player} for i, player in enumerate(players)]
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
    """Once the round is over; before that the same are only ahead."""
    over = answer({"cards": one}, {"cards": other}, round_over=True)
    still_open = answer({"cards": one}, {"cards": other})
    assert (over.winners, over.leading) == (winners, ())
    assert (still_open.winners, still_open.leading) == ((), winners)


def test_the_round_is_played_out():
    assert "splendor.round" in [note.key for note in answer({"cards": cards(15)}).notes]
    assert not answer({"cards": cards(5, 5, 5)}, round_over=True).notes


@pytest.mark.parametrize(
    ("one", "other", "reading"),
    [
        ({"cards": cards(15), "reserved": 1}, {"cards": cards(15)}, "with-reserved"),
        ({"cards": cards(9, 3), "nobles": 1}, {"cards": cards(9, 6)}, "with-nobles"),
    ],
)
def test_reserved_cards_or_nobles_may_count_by_house_rule(one, other, reading):
    for over in (True, False):
        usual = answer(one, other, round_over=over)
        house = answer(one, other, round_over=over, house_rules={"fewest-cards": reading})
        assert usual.winners + usual.leading == ("A", "B")
        assert house.winners + house.leading == ("B",)
        told = {r.other: (r.winners, r.leading, r.grade) for r in usual.rulings if r.question == "fewest-cards"}
        assert told == {reading: (house.winners, house.leading, "silent")}


def test_a_tie_says_the_cards_that_decide_it():
    tied = ({"cards": cards(15, 0), "reserved": 2}, {"cards": cards(15)}, {"cards": cards(3)})
    (note,) = [note for note in answer(*tied, round_over=True).notes if "tie" in note.key]
    assert (note.key, note.values["names"], note.values["tally"]) == ("splendor.tie", ("B",), ("A 2", "B 1"))
    assert (note.because, note.source) == (("/players/0/cards", "/players/1/cards"), "splendor/goal")
    assert "splendor.tie-so-far" in [note.key for note in answer(*tied).notes]


FOURS = [{"bonus": color} for color in ("red", "black", "green") for _ in range(4)]
EVERY = [{"bonus": color} for color in ("white", "blue", "green", "red", "black") for _ in range(4)]
TWO_NOBLES = [{"red": 4, "black": 4}, {"red": 4, "green": 4}]


@pytest.mark.parametrize(
    ("bought", "nobles", "usual", "once"),
    [
        (FOURS, TWO_NOBLES, 6, 3),
        (FOURS, TWO_NOBLES[:1], 3, 3),
        (FOURS * 2, TWO_NOBLES, 6, 6),
        # the best two of three; and of eleven, more than the box holds, as many as the cards serve
        (FOURS, [{"red": 4}, {"red": 2}, {"red": 2}], 9, 6),
        (cards(0, 0, 0), [{"red": 1}] * 11, 33, 9),
        (FOURS, 2, 6, 6),
    ],
)
def test_cards_may_serve_one_noble_only_by_house_rule(bought, nobles, usual, once):
    player = {"cards": bought, "nobles": nobles}
    plain, other = answer(player), answer(player, house_rules={"noble-cards": "once"})
    assert (plain.players[0].total, other.players[0].total) == (usual, once)
    assert (("noble-cards", (once,)) in [(r.question, r.totals) for r in plain.rulings]) == (usual != once)
    assert ("splendor.nobles-share" in [note.key for note in plain.notes]) == (usual != once)
    assert [line.key for line in other.players[0].lines].count("splendor.noble-unserved") == (usual - once) // 3


@pytest.mark.parametrize(
    ("players", "note"),
    [
        ([{"tokens": {"gold": 5}}], None),
        ([{"tokens": {"gold": 6}}], "splendor.gold-many"),
        ([{"tokens": {"gold": 3}}, {"tokens": {"gold": 3}}], "splendor.gold-many"),
        ([{"tokens": {"red": 7}}], None),
        ([{"tokens": {"red": 8}}], "splendor.tokens-many"),
        ([{"tokens": {"red": 2, "blue": 4}}, {"tokens": {"red": 2}}], None),
        ([{"tokens": {"red": 2}}, {"tokens": {"red": 3}}], "splendor.tokens-many"),
        ([{"tokens": {"red": 3}}, {"tokens": {"red": 2}}, {}], None),
        ([{"tokens": {"red": 3}}, {"tokens": {"red": 3}}, {}], "splendor.tokens-many"),
        ([{"tokens": {"red": 4}}, {"tokens": {"red": 3}}, {}, {}], None),
        ([{"tokens": {"red": 4}}, {"tokens": {"red": 4}}, {}, {}], "splendor.tokens-many"),
        ([{}] * 4, None),
        ([{}] * 5, "players.many"),
        ([{"cards": EVERY, "nobles": 2}, {"cards": EVERY, "nobles": 1}], None),
        ([{"cards": EVERY, "nobles": 2}, {"cards": EVERY, "nobles": 2}], "splendor.nobles-many"),
        ([{"cards": EVERY, "nobles": 10}], None),
        ([{"cards": EVERY, "nobles": 11}], "splendor.nobles-box"),
        # nobles that no cards have brought
        ([{"nobles": 1}], "splendor.nobles-cards"),
        ([{"cards": FOURS[:8], "nobles": 1}], None),
        ([{"cards": FOURS[:8], "nobles": 2}], "splendor.nobles-cards"),
        ([{"cards": [*FOURS[:3], *FOURS[4:7], *FOURS[8:11]], "nobles": 1}], None),
        ([{"cards": FOURS[:7], "nobles": 1}], "splendor.nobles-cards"),
        ([{"cards": cards(5)}], None),
        ([{"cards": cards(6)}], "splendor.card-points"),
        ([{"cards": FOURS, "nobles": TWO_NOBLES[:1]}], None),
        ([{"cards": FOURS, "nobles": [{"red": 3, "green": 3, "black": 3, "blue": 0}]}], None),
        ([{"cards": FOURS, "nobles": [{"red": 4}]}], "splendor.noble-unknown"),
        ([{"cards": FOURS, "nobles": TWO_NOBLES[:1]}, {"cards": FOURS, "nobles": TWO_NOBLES[1:]}], None),
        (
            [{"cards": FOURS, "nobles": [noble]} for noble in (TWO_NOBLES[0], {"black": 4, "white": 0, "red": 4})],
            "splendor.noble-twice",
        ),
    ],
)
def test_what_the_box_does_not_hold_is_said(players, note):
    notes = {found.key for found in answer(*players).notes} - {"splendor.goes-on", "splendor.round"}
    assert notes == ({note} if note else set())


ALL_LAID_OUT = {**dict.fromkeys(("white", "blue", "green", "red", "black"), 4), "gold": 5}


@pytest.mark.parametrize(
    ("supply", "tokens", "notes"),
    [
        (ALL_LAID_OUT, {}, []),
        (ALL_LAID_OUT | {"red": 2, "gold": 4}, {"red": 2, "gold": 1}, []),
        (ALL_LAID_OUT | {"red": 2}, {"red": 1}, [("splendor.tokens-missing", "red", 3)]),
        (ALL_LAID_OUT | {"red": 2}, {"red": 3}, [("splendor.tokens-many", "red", 5)]),
        (ALL_LAID_OUT | {"gold": 3}, {"gold": 1}, [("splendor.tokens-missing", "gold", 4)]),
    ],
)
def test_tokens_of_players_and_supply_are_those_laid_out(supply, tokens, notes):
    """Two players: four of each color, five gold."""
    found = answer({"tokens": tokens}, {}, supply=supply).notes
    assert [(n.key, n.values["color"], n.values["n"]) for n in found if "tokens" in n.key] == notes


def test_lines_tell_cards_and_nobles_apart():
    player = {"cards": [*FOURS, {"points": 2, "bonus": "blue"}], "nobles": TWO_NOBLES[:1]}
    lines = [(line.key, dict(line.values)) for line in answer(player).players[0].lines]
    assert lines == [
        ("splendor.card", {"color": "blue", "n": 2}),
        ("splendor.plain", {"n": 12}),
        ("splendor.noble-for", {"colors": ("red", "black"), "numbers": (4, 4)}),
    ]


@pytest.mark.parametrize(
    "player",
    [
        {"cards": [{"points": 1}]},
        {"cards": [{"points": 1, "bonus": "gold"}]},
        {"cards": [{"points": -1, "bonus": "red"}]},
        {"cards": [1]},
        {"cards": {}},
        {"tokens": {"red": 38, "blue": 3}},
        {"tokens": {"pink": 1}},
        {"tokens": []},
        {"reserved": 91},
        {"nobles": -1},
        {"nobles": True},
        {"nobles": 1.0},
        {"nobles": [{}]},
        {"nobles": [{"gold": 1}]},
        {"nobles": [{"red": 19}], "cards": cards(0)},
        {"gold": 1},
    ],
)
def test_bad_players(player):
    with pytest.raises(StateError):
        answer(player)
