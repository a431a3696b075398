"""Human Angel Demon: who has taken a card out of turn, and what a ready player cannot have taken."""

import pytest
from standing_log import standing_moves

from referee import Game, follow

THREE = ["A", "B", "C"]


def look(time, market, rows=((), (), ()), hands=(7, 7, 7), ready=(), doubtful=()):
    """A look: the market, what each has discarded, the cards of each hand, who is ready."""
    sides = [
        {"name": name, "open": [], "discards": list(row), "ready": name in ready, "hand_size": hand}
        for name, row, hand in zip(THREE, rows, hands, strict=True)
    ]
    state = {"game": "human-angel-demon", "short_game": 1, "market": list(market), "players": sides}
    return {"time": time, "state": state, "doubtful": list(doubtful)}


def told(looks, start="A"):
    """The log, who took what and which rule was broken; the slips."""
    header = {"game": "human-angel-demon", "players": THREE, **({"start": start} if start else {})}
    out = list(follow([{"header": header}, *looks]))
    log = [(line["who"], line.get("took"), line["breaks"]) for line in standing_moves(out)]
    return log, [(line["who"], line["breaks"]) for line in out if line["line"] == "slip"]


MARKET = ["H3", "A5", "I2", "D1"]
TAKEN, GONE, LEFT = MARKET[1:], MARKET[2:], MARKET[3:]


@pytest.mark.parametrize(
    ("looks", "start", "log", "slips"),
    [
        pytest.param(
            [look(0, MARKET), look(1, TAKEN, hands=(7, 8, 7)), look(2, TAKEN, ((), ("D7",), ())),
             look(3, GONE, ((), ("D7",), ("I1",))), look(4, LEFT, (("H6",), ("D7",), ("I1",)))],
            "A", [("B", "H3", ["H7"]), ("C", "A5", []), ("A", "I2", [])], [("B", ["H7"])],
            id="B, whose turn it is not, has eight cards in the hand"),
        pytest.param(
            [look(0, MARKET), look(1, TAKEN, hands=(8, 7, 7)), look(2, TAKEN, (("D7",), (), ())),
             look(3, GONE, (("D7",), ("I1",), ())), look(4, LEFT, (("D7",), ("I1",), ("H6",)))],
            "A", [("A", "H3", []), ("B", "A5", []), ("C", "I2", [])], [],
            id="A, whose turn it is, has eight: lawful"),
        pytest.param(
            [look(0, MARKET), look(1, TAKEN, hands=(7, 8, 7)), look(2, TAKEN, hands=(7, 8, 7)),
             look(3, TAKEN, ((), ("D7",), ())), look(4, GONE, ((), ("D7",), ("I1",))),
             look(5, LEFT, (("H6",), ("D7",), ("I1",)))],
            "A", [("B", "H3", ["H7"]), ("C", "A5", []), ("A", "I2", [])], [("B", ["H7"])],
            id="it is one slip, however many looks show it half done"),
        pytest.param(
            [look(0, MARKET), look(1, TAKEN, hands=(8, 7, 7)), look(2, GONE, ((), ("D7",), ()), (8, 7, 7)),
             look(3, LEFT, ((), ("D7",), ("I1",)), (8, 7, 7)), look(4, (), (("H6",), ("D7",), ("I1",)), (8, 7, 7))],
            None, [("A", "H3", ["H3"]), ("B", "A5", []), ("C", "I2", []), ("A", "D1", [])], [("A", ["H3"])],
            id="nobody said who begins: A has, and did nothing with the card"),
    ],
)  # fmt: skip
def test_the_hands_tell_who_has_begun(looks, start, log, slips):
    assert told(looks, start) == (log, slips)


BOTH = ("A", "B", "C")


@pytest.mark.parametrize(
    ("looks", "slips"),
    [
        pytest.param(
            [look(0, MARKET, ready=BOTH), look(1, GONE, (("A5",), ("D7",), ()), ready=BOTH),
             look(2, LEFT, (("A5",), ("D7",), ("I2",)), ready=BOTH)],
            [("B", ["H5"])], id="two cards are gone, A's is known: B swapped the other one"),
        pytest.param(
            [look(0, MARKET, ready=("B",)), look(1, GONE, (("I1",), ("D7",), ()), ready=("B",)),
             look(2, LEFT, (("I1",), ("D7",), ("H6",)), ready=("B",))],
            [("B", ["H5"])], id="either of the two cards may be B's, and neither was discarded"),
        pytest.param(
            [look(0, MARKET, ready=("B",)), look(1, GONE, (("I1",), ("A5",), ()), ready=("B",)),
             look(2, LEFT, (("I1",), ("A5",), ("H6",)), ready=("B",))],
            [], id="B discarded one of the two: lawful"),
        pytest.param(
            [look(0, MARKET, ready=("B",)), look(1, GONE, (("I1",), ("A6",), ()), ready=("B",),
             doubtful=["/players/1/discards/0"]),
             look(2, LEFT, (("I1",), ("A5",), ("H6",)), ready=("B",))],
            [], id="one of the two, read wrongly at first: lawful"),
        pytest.param(
            [look(0, ["H2", "H2", "D3"], ready=("A",), doubtful=["/market/0"]),
             *(look(n, ["H2", "D3"], (("D5r",), (), ()), ready=("A",)) for n in (1, 2, 3))],
            [], id="two alike, one of them doubtful: that one is what A took and discarded"),
    ],
)  # fmt: skip
def test_a_ready_player_discards_one_of_the_cards_that_are_gone(looks, slips):
    assert told(looks)[1] == slips


def test_which_of_two_cards_was_read_wrongly_nobody_knows():
    """One of A7 and D7 is gone, the other one is read as neither, and then it is gone too: no reading is put right."""
    rows = [(("H6",), (), ()), (("H6",), ("I3",), ()), (("H6",), ("I3",), ("H1",))]
    markets = [["A7", "D7"], ["A4r"], []]
    looks = [look(0, ["A7", "D7", "I1"])] + [look(n + 1, markets[n], rows[n]) for n in range(3)]
    out = follow([{"header": {"game": "human-angel-demon", "players": THREE, "start": "A"}}, *looks])
    assert [(line["look"], line["is"]) for line in out if line["line"] == "corrected"] == []


def test_turns_are_followed_by_the_market_alone():
    """Nobody's discards are in sight. Cards that no look has shown are counted for each story, not for all together."""
    market = ["H3", "A5", "I2", "D1", "H1", "A2", "D7", "I4"]
    game = Game()
    game.take({"header": {"game": "human-angel-demon", "players": THREE, "start": "A"}})
    for n in range(len(market) + 1):
        seen = look(n, market[n:])
        for row in seen["state"]["players"]:
            del row["discards"]
        out = game.take(seen)
    lines = [*out, *game.end()]
    assert [one for one in lines if one["line"] == "slip"] == []
    table = game.best.table
    assert table.turns == len(market)
    assert len(table.cards) < 100
