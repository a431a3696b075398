"""Human Angel Demon: whose slip it was, and what is nobody's: cards that were not read, places that no look shows."""

from random import Random

import pytest
from standing_log import standing_moves

from referee import Game, follow
from training.synth.games.cases import KINDS

THREE = ["A", "B", "C"]
NONE = ((), (), ())


def look(time, market, rows=NONE, hands=(7, 7, 7), ready=(), doubtful=(), opened=NONE, **more):
    """A look: the market, what each has discarded, the cards of each hand, who is ready, whose sets lie open."""
    sides = [
        {"name": name, "open": list(sets), "discards": list(row), "ready": name in ready, "hand_size": hand}
        for name, row, hand, sets in zip(THREE, rows, hands, opened, strict=True)
    ]
    state = {"game": "human-angel-demon", "short_game": 1, "market": list(market), "players": sides, **more}
    return {"time": time, "state": state, "doubtful": list(doubtful)}


def without(place, seen, who=THREE):
    """A look that does not show a place, or one of some players'."""
    state = {key: value for key, value in seen["state"].items() if key != place}
    rows = [{key: row[key] for key in row if key != place or row["name"] not in who} for row in state["players"]]
    return {**seen, "state": {**state, "players": rows}}


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
        pytest.param(
            [look(0, MARKET, (("D7",), ("I1",), ())), look(1, TAKEN, (("D7",), ("I1",), ("H6",))),
             look(2, GONE, (("D7", "A6"), ("I1",), ("H6",)))],
            "A", [("C", "H3", []), ("A", "A5", [])], [],
            id="A began, but two had had their turn when the first look was taken: it is C's"),
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


RUN = [["H1", "H2", "H3"]]
A_OPENED, B_TOO = (RUN, (), ()), (RUN, [["A5", "A6", "A7"]], ())
D7, D7_H6 = ((), ("D7",), ()), ((), ("D7",), ("H6",))


@pytest.mark.parametrize(
    ("looks", "slips", "mended"),
    [
        pytest.param([look(1, TAKEN, opened=A_OPENED), look(2, GONE, D7, opened=A_OPENED)], [], [], id="drew two"),
        pytest.param(
            [look(1, TAKEN, hands=(8, 7, 7), opened=A_OPENED), look(2, GONE, D7, (8, 7, 7), opened=A_OPENED)],
            [("A", ["H8"])], [], id="drew three"),
        pytest.param(
            [look(1, TAKEN, hands=(6, 7, 7), opened=A_OPENED), look(2, GONE, D7, (6, 7, 7), opened=A_OPENED)],
            [("A", ["H8"])], [], id="drew one"),
        pytest.param(
            [look(1, TAKEN, hands=(8, 7, 7), opened=A_OPENED), look(2, TAKEN, opened=A_OPENED),
             look(3, GONE, D7, opened=A_OPENED)],
            [], [], id="drew three, and gave one back at once"),
        pytest.param(
            [look(1, TAKEN, hands=(8, 7, 7), opened=A_OPENED), look(2, GONE, D7, (8, 7, 7), opened=A_OPENED),
             look(3, GONE, D7, opened=A_OPENED), look(4, LEFT, D7_H6, opened=A_OPENED)],
            [("A", ["H8"])], ["s1"], id="gave it back when the next one had moved"),
        pytest.param(
            [look(1, TAKEN, hands=(6, 7, 7), opened=A_OPENED), look(2, GONE, hands=(6, 6, 7), opened=B_TOO),
             look(3, LEFT, ((), (), ("D7",)), (6, 6, 7), opened=B_TOO),
             look(4, LEFT, ((), (), ("D7",)), opened=B_TOO)],
            [("A", ["H8"]), ("B", ["H8"])], ["s1", "s2"], id="two players drew one, and then the other"),
    ],
)  # fmt: skip
def test_who_opens_a_set_draws_two_cards(looks, slips, mended):
    out = list(follow([{"header": {"players": THREE, "start": "A"}}, look(0, MARKET), *looks, looks[-1]]))
    assert [(line["who"], line["breaks"]) for line in out if line["line"] == "slip"] == slips
    assert sorted(line["slip"] for line in out if line["line"] == "mended") == mended


UNCOUNTED = (None, None, None)


@pytest.mark.parametrize("before", [UNCOUNTED, (7, None, 7), (None, 7, None)])
@pytest.mark.parametrize(("drew", "slips"), [(7, []), (8, [("B", ["H8"])])])
def test_hands_that_were_not_counted_held_seven_cards(before, drew, slips):
    opened = ((), [["A5", "A6", "A7"]], ())
    hands = (7, drew, 7)
    looks = [look(0, MARKET, hands=before), look(1, TAKEN, (("I4",), (), ()), before),
             look(2, GONE, (("I4",), (), ()), hands, opened=opened),
             look(3, LEFT, (("I4",), (), ("I1",)), hands, opened=opened)]  # fmt: skip
    assert told(looks)[1] == slips


@pytest.mark.parametrize(
    ("looks", "log"),
    [
        pytest.param(
            [look(0, ["H3", "?", "I2", "D1"]), look(1, ["H3", "I2", "D1"], (("H6",), (), ())),
             look(2, ["I2", "D1"], (("H6",), ("?",), ()))],
            [("A", "?", []), ("B", "H3", [])], id="one in the market, one discarded"),
        pytest.param(
            [look(0, ["?", "A5", "I2", "D1"], ready=("A",)), look(1, TAKEN, (("D7",), (), ()), ready=("A",)),
             look(2, GONE, (("D7",), ("H6",), ()), ready=("A",))],
            [("A", "D7", []), ("B", "A5", [])], id="what a ready player took"),
        pytest.param(
            [look(0, MARKET, ready=("A",)), look(1, TAKEN, (("?",), (), ()), ready=("A",)),
             look(2, GONE, (("?",), ("H6",), ()), ready=("A",))],
            [("A", "H3", []), ("B", "A5", [])], id="what a ready player discarded"),
        pytest.param(
            [look(0, ["?", "?", "I2", "D1"], ready=("B",)), look(1, ["I2", "D1"], (("D7",), ("?",), ()), ready=("B",)),
             look(2, ["D1"], (("D7",), ("?",), ("H6",)), ready=("B",))],
            [("A", "?", []), ("B", "?", []), ("C", "I2", [])], id="two are gone, and neither was read"),
        pytest.param(
            [look(0, MARKET), look(1, TAKEN, opened=([["H1", "?", "H3"]], (), ())),
             look(2, GONE, D7, opened=([["H1", "?", "H3"]], (), ()))],
            [("A", "H3", []), ("B", "A5", [])], id="one of a set"),
        pytest.param(
            [look(0, MARKET), look(1, TAKEN, opened=([["H1", "D2", "H3"]], (), ())),
             look(2, GONE, D7, opened=([["H1", "?", "H3"]], (), ()))],
            [("A", "H3", ["H4"]), ("B", "A5", [])], id="one of a set that is none, in a later look"),
    ],
)  # fmt: skip
def test_a_card_that_was_not_read_is_no_slip(looks, log):
    moves, slips = told([*looks, looks[-1]])
    assert moves == log
    assert slips == [(who, breaks) for who, _, breaks in log if breaks]


@pytest.mark.parametrize("cards", [["H1", "H3"], ["H3", "H1", "H2", "H4"], ["H3", "H1", "D2"]])
def test_a_set_is_three_cards_that_go_together(cards):
    opened, hands = ([cards], (), ()), (10 - len(cards), 7, 7)
    looks = [look(1, TAKEN, hands=hands, opened=opened), *[look(n, GONE, D7, hands, opened=opened) for n in (2, 3)]]
    assert told([look(0, MARKET), *looks]) == ([("A", "H3", ["H4"]), ("B", "A5", [])], [("A", ["H4"])])


def test_what_a_card_may_be_names_cards_alone():
    """Odds may hold anything."""
    seen = look(0, MARKET)
    seen |= {"doubtful": ["/market/0"], "odds": {"/market/0": {"?": 0.5, "X9": 0.4, "H3": 0.1}}}
    assert told([seen, look(1, TAKEN, (*D7[1:], ())), look(2, GONE, (("D7",), ("I1",), ()))])[1] == []


GOAL = ["A5", "A6", "A7", "D1", "D1", "D1", "I2", "I2"]
READY = ("A",)


def goal(hand=GOAL, opened=A_OPENED, shown=True, **more):
    """A goals with a card of the market."""
    won = look(1, TAKEN, hands=(8, 7, 7), opened=opened, winner="A", won_by="self", **more)
    won["state"]["players"][0] |= {"hand": hand} if hand else {}
    won["state"]["players"] = won["state"]["players"][not shown :]
    return [look(0, MARKET, opened=opened), won, won]


def by_discard(own=(), winning="A5", ready=READY, laid=True, advanced=True, discarder="C"):
    """After B's turn C discards A5, and A goals with it; `laid`: a look shows it lie there."""
    before = look(-1, ["I3", *MARKET], (own, (), ()), ready=ready, opened=A_OPENED)
    first = look(0, MARKET, (own, ("I4",), ()), ready=ready, opened=A_OPENED)
    lies = [look(1, TAKEN, (own, ("I4",), ("A5",)), ready=ready, opened=A_OPENED)] * laid
    more = {"winner": "A", "won_by": "discard", "discarder": discarder, "advanced": advanced}
    won = look(2, TAKEN, (own, ("I4",), ()), (8, 7, 7), ready, opened=A_OPENED, **more)
    won["state"]["players"][0] |= {"hand": GOAL, "winning_card": winning}
    return [before, first, *lies, won, won]


@pytest.mark.parametrize(
    ("looks", "start", "slips"),
    [
        pytest.param(goal(), "A", [], id="two sets and a pair"),
        pytest.param(goal(opened=NONE), "A", ["H10"], id="no set lies open"),
        pytest.param(goal([*GOAL[:7], "D7"]), "A", ["H10"], id="no pair"),
        pytest.param(goal([*GOAL, "I2r"]), "A", ["H10"], id="nine cards"),
        pytest.param(goal(GOAL[1:]), "A", [], id="seven of the eight are in sight"),
        pytest.param(goal(["?", "H7", *GOAL[2:]]), "A", [], id="one was not read"),
        pytest.param(goal(None), "A", [], id="the hand is not shown"),
        pytest.param(goal(shown=False), "A", [], id="nothing of the winner is in sight"),
        pytest.param([look(-1, ["I3", *MARKET]), *goal()], "A", ["H7"], id="out of turn, after opening a set"),
        *(
            pytest.param(by_discard(laid=laid, **more), None, slips, id=f"by discard, {where}: {what}")
            for laid, where in ((True, "seen"), (False, "laid between two looks"))
            for what, more, slips in (
                ("lawful", {}, []),
                ("not ready", {"ready": ()}, ["H10"]),
                ("an own discard would have done", {"own": ("D4", "A5r")}, ["H10"]),
                ("an own discard would have done, basic game", {"own": ("D4", "A5r"), "advanced": False}, []),
                ("no own discard would have", {"own": ("D4", "A4")}, []),
                ("an own discard was not read", {"own": ("D4", "?")}, []),
                ("which card won is not known", {"own": ("A5r",), "winning": None}, []),
                ("the card that won is not in the hand", {"own": ("A5r",), "winning": "H7"}, []),
            )
        ),
        pytest.param(by_discard(discarder=None), None, [], id="by discard: nobody says whose"),
        pytest.param(by_discard(discarder="B"), None, [], id="by discard: of who discarded nothing"),
    ],
)  # fmt: skip
def test_a_goal_needs_eight_cards_and_an_open_set(looks, start, slips):
    assert told(looks, start)[1] == [("A", [rule]) for rule in slips]


SET = [["D7", "D6", "D5"]]


def gained(by="C", ready=(), sets=SET, lay=("D7",), row=()):
    """A discards, `by` opens a set, and the discard is gone."""
    opened = tuple(sets if name == by else () for name in THREE)
    return [
        look(0, MARKET, ready=ready),
        look(1, TAKEN, (lay, (), ()), ready=ready),
        look(2, TAKEN, (row, (), ()), ready=ready, opened=opened),
        look(3, GONE, (row, ("H1",), ()), ready=ready, opened=opened),
    ]


@pytest.mark.parametrize("unseen", [None, "discards", "open"])
@pytest.mark.parametrize(
    ("looks", "who", "breaks"),
    [
        pytest.param(gained(), "C", [], id="another's discard, for a set"),
        pytest.param(gained(ready=("C",)), "C", ["H5"], id="C was ready"),
        pytest.param(gained(sets=[["D7", "D6", "H5"]]), "C", ["H4"], id="it is no set"),
    ],
)
def test_a_discard_is_gained_for_a_set(looks, who, breaks, unseen):
    """`unseen`: what the look in which it is gone does not show."""
    seen = [*looks[:2], without(unseen, looks[2], ["A"] if unseen == "discards" else ["C"]), *looks[3:]]
    log, slips = told([*seen, looks[-1]])
    assert (who, None, breaks) in log
    assert slips == ([(who, breaks)] if breaks else [])


@pytest.mark.parametrize(
    ("looks", "who", "breaks"),
    [
        pytest.param(gained("A"), "A", ["H6"], id="the own one"),
        pytest.param(
            [look(0, MARKET, (("D7", "I1"), (), ())),
             *[look(n, MARKET, (("I1",), (), ()), opened=((), (), SET)) for n in (1, 2)]],
            "C", ["H6"], id="not the last one"),
    ],
)  # fmt: skip
def test_only_anothers_discard_just_laid_may_be_gained(looks, who, breaks):
    assert told([*looks, looks[-1]])[1] == [(who, breaks)]


@pytest.mark.parametrize("more", [["A1"], ["A1", "A2"], ["A1", "A2", "A3", "H3"]])
def test_cards_that_the_eye_invented_in_the_market_stop_nothing(more):
    looks = [look(0, MARKET), look(1, [*TAKEN, *more], (("D7",), (), ())), look(2, GONE, (("D7",), ("H6",), ())),
             look(3, LEFT, (("D7",), ("H6",), ("I1",)))]  # fmt: skip
    log, slips = told(looks)
    assert [who for who, *_ in log] == ["A", "B", "C"]
    assert slips == []


def test_the_game_begins_when_the_market_is_in_sight():
    looks = [without("market", look(n, MARKET)) for n in (0, 1)]
    looks += [look(2, GONE, (("D7",), ("H6",), ())), look(3, LEFT, (("D7",), ("H6",), ("I1",)))]
    assert told(looks, "C") == ([("C", "I2", [])], [])


ANEW = ["I1", "I3", "A3", "A2"]
RICH = (("H6", "A1"), ("D7", "D2"), ("I1",))


@pytest.mark.parametrize(
    ("looks", "start", "starts"),
    [
        pytest.param([goal()[1], look(2, ANEW)], "A", "B", id="somebody goaled"),
        pytest.param([goal()[1], look(2, ANEW, opened=A_OPENED), look(3, ANEW)], "A", "B", id="still being cleared"),
        pytest.param([look(1, MARKET, RICH), look(2, ANEW)], "B", "C", id="the deck was used up"),
        pytest.param([goal()[1], look(2, ANEW, short_game=2)], "A", "B", id="they are counted"),
        pytest.param([goal()[1], look(2, ANEW, short_game=3)], "A", "C", id="one of them nobody saw"),
    ],
)
def test_a_new_short_game_is_begun_by_the_next_player(looks, start, starts):
    """Nobody counts the short games, in all of them but the last two."""
    first, number = looks[0]["state"], looks[-1]["state"]["short_game"]
    before = look(
        0, MARKET, [row["discards"] for row in first["players"]], opened=[row["open"] for row in first["players"]]
    )
    rows = [("D4",) if name == starts else () for name in THREE]
    out = list(follow([{"header": {"players": THREE, "start": start}}, before, *looks,
                       *[look(9, ANEW[1:], rows, short_game=number)] * 2]))  # fmt: skip
    moves = standing_moves(out)
    assert [line["move"] for line in moves][-2:] == ["deal", "turn"]
    assert (moves[-1]["who"], moves[-1]["took"], moves[-1]["breaks"]) == (starts, "I1", [])
    assert [line for line in out if line["line"] == "slip"] == []


@pytest.mark.parametrize("rows", [(("H6", "A1"), ("D7",), ()), RICH])
def test_rows_that_an_arm_covers_are_no_new_short_game(rows):
    """So few may be out of sight; more of them were not collected while others' still lie there."""
    shown = [*rows[:2], ()] if rows is RICH else NONE
    looks = [look(0, MARKET, rows), look(1, TAKEN, shown), look(2, TAKEN, rows), look(3, GONE, rows)]
    assert "deal" not in [line["move"] for line in follow(looks) if line["line"] == "move"]


SEVEN = (("D7", "D6", "D5"), ("D2", "D3"), ("H1", "H4"))


def test_what_a_person_typed_is_not_waited_out():
    """Seven discards are nobody's turns. They stand in their own look."""
    typed = {**look(1, MARKET, SEVEN), "by": "person"}
    assert told([look(0, MARKET), typed]) == ([(None, None, [])], [])
    assert told([look(0, MARKET), {**typed, "by": "camera"}]) == ([], [])


def test_more_cards_at_once_than_turns_lie_between_two_looks_are_nobodys():
    assert told([look(0, MARKET), *[look(n, MARKET, SEVEN) for n in (1, 2, 3)]]) == ([(None, None, [])], [])


@pytest.mark.parametrize(("place", "told_of"), [(None, ["H7"]), ("discards", []), ("open", []), ("ready", ["H7"])])
def test_a_rule_is_not_judged_where_no_look_shows_what_it_hangs_on(place, told_of):
    """B takes a card out of turn. Who has had a turn is not known of whom no look ever shows discards or sets."""
    looks = [look(0, MARKET), look(1, TAKEN, ((), ("D7",), ())), look(2, GONE, ((), ("D7",), ("I1",)))]
    seen = [without(place, one, ["A", "C"] if n else ["A"]) for n, one in enumerate(looks)]
    assert told([*seen, *seen[-1:] * 2])[1] == [("B", [rule]) for rule in told_of]


@pytest.mark.parametrize("kind", ["angels", "other-angels"])
@pytest.mark.parametrize("place", ["short_game", "hand_size", "open", "discards"])
def test_no_place_that_looks_leave_out_accuses_anybody(kind, place):
    lines = [line for line in KINDS[kind](Random(f"left out {kind}")).shot.lines if isinstance(line, dict)]
    all_, some = (
        list(follow(seen))
        for seen in (lines, [without(place, line) if isinstance(line.get("state"), dict) else line for line in lines])
    )
    assert [line["who"] for line in some if line["line"] == "slip"] == []
    if place != "discards":  # there a card that is gone is all that a turn leaves, and some are more than turns
        assert len(standing_moves(some)) == len(standing_moves(all_))
