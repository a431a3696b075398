"""Igna: what is somebody's slip, and whose, with hands and tokens counted and by the sets alone."""

import pytest
from standing_log import standing_moves

from referee import follow

NAMES = ("Aya", "Ben", "Emi", "Dan")


def look(time, laid, gone, cards, *sides, sets=None, doubtful=(), **more):
    """A look: the treasure offered, treasures put away, so many Igna cards played, each one's (tokens, hand).

    `sets`: those that lie open, by player; what else differs of Aya's things.
    """
    players = [
        {"name": name, "sets": (sets or {}).get(name, []), "tokens": tokens, "hand_size": hand}
        for name, (tokens, hand) in zip(NAMES, sides, strict=False)
    ]
    players[0] |= more
    played = ["?"] * cards if isinstance(cards, int) else cards
    state = {"game": "igna", "laid": laid, "players": players, "discard_treasure": gone, "discard_igna": played}
    return {"time": time, "state": state, "doubtful": list(doubtful)}


def sets_alone(time, laid=None, sets=None, without=None, **more):
    """A look of a camera that sees the sets and the treasure offered; `without`: whose things it does not show."""
    players = [{"name": name, "sets": (sets or {}).get(name, [])} for name in NAMES[:3] if name != without]
    return {"time": time, "state": {"game": "igna", "laid": laid, "players": players, **more}}


def told(looks, start="Aya"):
    """The log: who did what, with which treasure, and what it breaks; the slips; what was corrected."""
    players = [row["name"] for row in looks[0]["state"]["players"]]
    out = list(follow([{"header": {"game": "igna", "players": players, "start": start}}, *looks]))
    log = [(line["who"], line["move"], *line["what"], line["breaks"]) for line in standing_moves(out)]
    slips = [(line["who"], *line["breaks"]) for line in out if line["line"] == "slip"]
    return log, slips, [(line["look"], line["is"]) for line in out if line["line"] == "corrected"]


ALL = (3, 6), (3, 6), (3, 6)
OUT_OF_TURN = [
    look(0, None, [], 0, *ALL, (3, 6)),
    look(1, "red5", [], 2, *ALL, (3, 6)),  # whoever it was drew two, laid one and played two for another
    look(2, "blue2", ["red5"], 2, (3, 6), (3, 6), (4, 7), (3, 6)),
    look(3, "green1", ["red5", "blue2"], 2, (3, 6), (3, 6), (4, 7), (4, 7)),
    look(4, "blue5", ["red5", "blue2", "green1"], 2, (4, 7), (3, 6), (4, 7), (4, 7)),
]


@pytest.mark.parametrize(
    ("looks", "slips", "log"),
    [
        pytest.param(
            [
                look(0, None, [], 0, *ALL),
                look(1, "blue1", [], 2, *ALL),
                look(2, "red2", ["blue1"], 2, (3, 6), (4, 9), (3, 6)),
                look(3, "green4", ["blue1", "red2"], 2, (3, 6), (4, 9), (4, 7)),
                look(4, "blue5", ["blue1", "red2", "green4"], 2, (4, 7), (4, 9), (4, 7)),
            ],
            [("Ben", ["I2"])],
            [("Aya", "blue1"), ("Ben", "red2"), ("Emi", "green4"), ("Aya", "blue5")],
            id="one drew twice after another's Igna cards had been seen to do nothing to the hand",
        ),
        pytest.param(
            [
                look(0, None, [], 0, *ALL),
                look(1, "blue1", [], 2, (3, 6), (3, 8), (3, 6)),
                look(2, "red2", ["blue1"], 2, (3, 6), (4, 7), (3, 6)),
                look(3, "green4", ["blue1", "red2"], 2, (3, 6), (4, 7), (4, 7)),
            ],
            [],
            [("Aya", "blue1"), ("Ben", "red2"), ("Emi", "green4")],
            id="the next player has drawn already",
        ),
        pytest.param(
            OUT_OF_TURN,
            [(None, ["I2"])],
            [None, ("Emi", "blue2"), ("Dan", "green1"), ("Aya", "blue5")],
            id="one of two came out of turn: the first one, or the one after",
        ),
        pytest.param(
            [
                look(0, "blue1", ["red5"], 0, (4, 7), (4, 7), (3, 6)),
                look(1, "red2", ["red5", "blue1"], 0, (4, 7), (4, 7), (4, 7)),
                look(2, "green4", ["red5", "blue1", "red2"], 0, (5, 8), (4, 7), (4, 7)),
            ],
            [],
            [("Emi", "red2"), ("Aya", "green4")],
            id="Aya began, but two had had their turn when the first look was taken: it is Emi's",
        ),
    ],
)
def test_whose_slip_it_was(looks, slips, log):
    lines = list(
        follow(
            [
                {
                    "header": {
                        "game": "igna",
                        "players": list(NAMES[: len(looks[0]["state"]["players"])]),
                        "start": "Aya",
                    }
                },
                *looks,
            ]
        )
    )
    assert [(line["who"], line["breaks"]) for line in lines if line["line"] == "slip"] == slips
    told = [(line["who"], line["laid"]) for line in standing_moves(lines)]
    assert len(told) == len(log)
    assert all(now == kept for now, kept in zip(told, log, strict=True) if kept is not None)


AGAIN = (3, 6)
RUN = ["red1", "red2", "red3"]


@pytest.mark.parametrize(
    ("laid", "aya", "sets", "move", "breaks"),
    [
        pytest.param("red5", (4, 7), [], ("red5",), [], id="laid one and rested"),
        pytest.param(None, (1, 8), [], (), [], id="paid three tokens"),
        pytest.param(None, (4, 8), [], (), ["I3"], id="laid nothing and paid nothing"),
        pytest.param("red5", (3, 4), [RUN], ("red5",), [], id="opened a set"),
        pytest.param("red5", (4, 4), [RUN], ("red5",), ["I6"], id="opened a set and took a token"),
        pytest.param("red5", (4, 9), [], ("red5",), ["I2"], id="drew twice"),
        pytest.param("red5", (3, 4), [["red1", "?", "red4"]], ("red5",), [], id="one of the set was not read"),
        pytest.param("red5", (3, 4), [["red1", "red2", "red4"]], ("red5",), ["I5"], id="what was opened is no set"),
    ],
)
def test_what_a_turn_breaks(laid, aya, sets, move, breaks):
    """Ben's turn comes after it, and Emi's."""
    gone = [laid] if laid else []
    mine = {"sets": {"Aya": sets}}
    looks = [look(0, None, [], 0, *ALL), look(1, laid, [], 0, aya, AGAIN, AGAIN, **mine),
             look(2, "blue2", gone, 0, aya, (4, 7), AGAIN, **mine),
             look(3, "blue4", [*gone, "blue2"], 0, aya, (4, 7), (4, 7), **mine)]  # fmt: skip
    log, slips, fixed = told(looks)
    assert log == [("Aya", "turn", *move, breaks), ("Ben", "turn", "blue2", []), ("Emi", "turn", "blue4", [])]
    assert slips == [("Aya", rule) for rule in breaks]
    assert fixed == []


@pytest.mark.parametrize(
    ("tokens", "cards", "breaks"),
    [(4, RUN, []), (3, RUN, ["I4"]), (4, ["red1", "red1", "red1"], [])],
)
def test_who_is_robbed_of_a_treasure_gets_a_token(tokens, cards, breaks):
    sets = {"sets": {"Emi": [cards]}}
    looks = [look(0, None, [], 0, *ALL), look(1, "red1", [], 0, (3, 7), AGAIN, AGAIN),
             look(2, None, [], 0, (tokens, 7), AGAIN, (3, 4), **sets),
             *[look(n, "blue2", [], 0, (tokens, 7), (4, 7), (3, 4), **sets) for n in (3, 4)]]  # fmt: skip
    log, slips, _ = told(looks)
    assert log == [("Emi", "get", "red1", breaks), ("Ben", "turn", "blue2", [])]
    assert slips == [("Emi", rule) for rule in breaks]


def test_who_offered_a_treasure_out_of_order_is_named_not_who_got_it():
    """It is Aya's turn, Emi lays red 1, and Ben gets it."""
    sets = {"sets": {"Ben": [RUN]}}
    looks = [look(0, None, [], 0, *ALL), look(1, "red1", [], 0, AGAIN, AGAIN, (3, 7)),
             look(2, None, [], 0, AGAIN, (3, 4), (4, 7), **sets),
             *[look(n, "blue2", [], 0, (4, 7), (3, 4), (4, 7), **sets) for n in (3, 4)]]  # fmt: skip
    log, slips, _ = told(looks)
    assert log == [("Ben", "get", "red1", ["I2"]), ("Aya", "turn", "blue2", [])]
    assert slips == [("Emi", "I2")]


@pytest.mark.parametrize(
    ("seen", "doubtful", "corrected"),
    [
        (["red6"], [], [(1, "red5")]),
        (["red6", "red5"], [1], [(1, "red5")]),
        (["red5", "red6"], [2], [(2, "red5")]),
        (["red6", "red5", "red6"], [1, 3], [(1, "red5"), (3, "red5")]),
        (["red5", "red5"], [], []),
    ],
)
def test_what_the_treasure_offered_was_the_discard_place_tells(seen, doubtful, corrected):
    looks = [look(0, None, [], 0, *ALL)]
    for n, card in enumerate(seen, 1):
        looks.append(look(n, card, [], 0, (4, 7), AGAIN, AGAIN, doubtful=["/laid"] * (n in doubtful)))
    looks.append(look(len(seen) + 1, "blue2", ["red5"], 0, (4, 7), (4, 7), AGAIN))
    log, slips, fixed = told(looks)
    assert log == [("Aya", "turn", "red5", []), ("Ben", "turn", "blue2", [])]
    assert slips == []
    assert sorted(fixed) == corrected


WON = {"sets": {"Emi": [RUN] * 4}}


@pytest.mark.parametrize(
    ("looks", "slips"),
    [
        pytest.param(
            [look(0, None, [], 0, *ALL, adventurer="open"),
             *[look(n, "red5", [], 0, (4, 7), AGAIN, AGAIN, adventurer="down") for n in (1, 2)]],
            [("Aya", "I9")], id="the adventurer acts again"),
        pytest.param(
            [look(0, None, [], 0, *ALL, adventurer="down"),
             *[look(n, "red5", [], 0, (4, 7), AGAIN, AGAIN, adventurer="open") for n in (1, 2)]],
            [], id="the adventurer acts"),
        pytest.param(
            [look(0, None, [], 0, *ALL, **WON), *[look(n, "red5", [], 0, (4, 7), AGAIN, AGAIN, **WON) for n in (1, 2)]],
            [("Aya", "I10")], id="a turn after the fourth set"),
        pytest.param(
            [look(0, None, [], 0, *ALL, adventurer="open", **WON),
             *[look(n, "red5", [], 0, (4, 7), AGAIN, AGAIN, adventurer="down", **WON) for n in (1, 2)]],
            [("Aya", "I9", "I10")], id="both"),
        pytest.param(
            [look(0, "red4", [], 0, *ALL), look(1, "red5", [], ["red4"], (4, 7), AGAIN, AGAIN),
             look(2, "blue2", ["red5"], ["red4"], (4, 7), (4, 7), AGAIN)],
            [("Aya", "I7")], id="a treasure is put to the Igna cards"),
    ],
)  # fmt: skip
def test_what_lies_there_besides(looks, slips):
    assert told(looks)[1] == slips


SAME = ["blue1", "blue1", "blue1"]


@pytest.mark.parametrize(
    ("looks", "log"),
    [
        ([sets_alone(0), sets_alone(1, sets={"Aya": [RUN]})], [("Aya", "turn", [])]),
        ([sets_alone(0, discard_treasure=[]), sets_alone(1, sets={"Aya": [RUN]}, discard_treasure=["red5"])],
         [("Aya", "turn", [])]),
        ([sets_alone(0), sets_alone(1, sets={"Ben": [RUN]}, without="Aya"),
          sets_alone(2, sets={"Ben": [RUN], "Aya": [SAME]})], [("Ben", "turn", []), ("Aya", "turn", [])]),
        ([sets_alone(0), sets_alone(1, "red1"), sets_alone(2, sets={"Ben": [RUN]})], [("Ben", "get", "red1", [])]),
        ([sets_alone(0), sets_alone(1, "red1"), sets_alone(2, "red1", sets={"Ben": [RUN]})], [("Ben", "turn", [])]),
        ([sets_alone(0, {"color": "red", "number": 1}),
          sets_alone(1, sets={"Ben": [["red1", {"color": "red", "number": 2, "bonus": True}, "red3"]]})],
         [("Ben", "get", "red1", [])]),
    ],
)  # fmt: skip
def test_where_the_sets_alone_are_in_sight(looks, log):
    assert told([*looks, looks[-1]]) == (log, [], [])


@pytest.mark.parametrize(
    ("cards", "is_set"),
    [
        (["red1*", "red1", "red1"], True),
        (["red3", "red1", "red2"], True),
        (["red1", "blue1", "green1"], True),
        (["red1", "?", "green4"], True),
        (["red1", "blue1", "red1"], False),
        (["red4", "red5", "red1"], False),
        (["red1", "red2", "blue3"], False),
        (["red1", "red2"], False),
        (["red1", "red1", "red1", "red1"], False),
        (["star", "red1", "red1"], False),
    ],
)
def test_a_set_is_three_cards_that_go_together(cards, is_set):
    looks = [sets_alone(0), *[sets_alone(n, sets={"Ben": [cards]}) for n in (1, 2, 3)]]
    breaks = [] if is_set else ["I5"]
    assert told(looks) == ([("Ben", "turn", breaks)], [("Ben", "I5")] * (not is_set), [])


NO_SET = ["red4", "red5", "red1"]
FIRST, LAST = "/players/1/sets/0/0", "/players/1/sets/0/2"


@pytest.mark.parametrize(
    ("shown", "log", "slips", "corrected"),
    [
        pytest.param([(NO_SET, ())], ["I5"], [None], [], id="shown once: a card may have been read wrongly"),
        pytest.param([(NO_SET, ())] * 2, ["I5"], ["Ben"], [], id="shown twice"),
        pytest.param([(NO_SET, (LAST,))], [], [], [], id="shown once, a card in doubt"),
        pytest.param([(NO_SET, (FIRST, LAST))] * 2, [], [], [], id="each look doubts two of the cards"),
        pytest.param([(NO_SET, (FIRST,)), (NO_SET, ())], ["I5"], ["Ben"], [], id="one look doubts a card"),
        pytest.param(
            [(NO_SET, ()), (["red4", "red5", "red3"], ())], [], [], [(1, "red3")], id="the second look shows a set"
        ),
        pytest.param(
            [(["blue4", "red5", "red1"], (FIRST, LAST)), (["red4", "red5", "red3"], ())],
            [], [], [(1, "red4"), (1, "red3")], id="two cards in doubt, then a set",
        ),
    ],
)  # fmt: skip
def test_a_set_that_is_none_is_told_when_no_card_may_have_been_read_wrongly(shown, log, slips, corrected):
    looks = [sets_alone(0)]
    for n, (cards, doubtful) in enumerate(shown, 1):
        looks.append({**sets_alone(n, sets={"Ben": [cards]}), "doubtful": list(doubtful)})
    moves, said, fixed = told(looks)
    assert moves == [("Ben", "turn", log)]
    assert said == [(who, "I5") for who in slips]
    assert fixed == corrected


@pytest.mark.parametrize(
    ("looks", "log", "slips"),
    [
        pytest.param(
            [look(0, None, [], 0, *ALL), look(1, None, ["red1"], ["charm"], (4, 6), AGAIN, AGAIN),
             look(2, None, ["red1", "blue2"], ["charm"], (4, 6), (4, 7), AGAIN)],
            [("Aya", "red1"), ("Ben", "blue2")], [], id="a card gives a token to who plays it"),
        pytest.param(
            [look(0, None, [], 0, *ALL), look(1, None, ["red1"], ["thief"], AGAIN, (2, 6), AGAIN),
             look(2, None, ["red1", "blue2"], ["thief"], AGAIN, (3, 7), AGAIN)],
            [("Aya", "red1"), ("Ben", "blue2")], [], id="a card takes one from somebody else"),
        pytest.param(
            [look(0, None, [], 0, *ALL), look(1, None, ["red1"], 2, AGAIN, AGAIN, AGAIN),
             look(2, None, ["red1", "blue2"], 2, AGAIN, AGAIN, (4, 7))],
            [("Aya", "red1"), ("Emi", "blue2")], [(None, "I2")], id="two cards exchanged: Aya's turn, or Ben's"),
        pytest.param(
            [look(0, None, [], 0, *ALL), look(1, None, ["red1"], 0, (4, 7), AGAIN, AGAIN),
             look(2, None, ["red1", "blue2"], 0, (4, 7), AGAIN, (4, 7))],
            [("Aya", "red1"), ("Emi", "blue2")], [("Emi", "I2")], id="Aya's turn left a trace"),
    ],
)  # fmt: skip
def test_whose_turn_it_was_where_cards_did_something(looks, log, slips):
    moves, said, _ = told([*looks, {**looks[-1], "time": 9}])
    assert [move[:1] + move[2:3] for move in moves] == log
    assert said == slips


@pytest.mark.parametrize("card", [{"color": "red"}, {"number": 3}, 5, ["red1"]])
def test_what_is_no_treasure_is_refused_at_its_place(card):
    errors = [line["error"].place for line in follow([sets_alone(0, card)]) if "error" in line]
    assert errors == ["/laid"]
