"""In the Ruin: sheets drawn as a player sees them."""

import pytest

from scoring import StateError, score_state


def drawn(*rows, at=0):
    """A map: the given rows from row `at` on, cells left out are blank."""
    lines = ["." * 11] * at + [row.replace(" ", "").ljust(11, ".") for row in rows]
    return lines + ["." * 11] * (11 - len(lines))


BLANK = drawn()
CROSS = drawn(".....o", ".....o", ".....o", ".....o", ".....o", ".....o")


def player(name="A", **fields):
    return {"name": name, "map": BLANK, "escaped": None, "first_square": 0, **fields}


def answer(*players, letters=None, **fields):
    return score_state({"game": "in-the-ruin", "letters": letters or {}, "players": [*players], **fields})


def points(breakdown, key, i=0):
    return [line.points for line in breakdown.players[i].lines if line.key.startswith(key)]


def test_the_rulebooks_sheet_with_its_misprint_corrected():
    """40 + 45 + 21 + 66 + 20: the rulebook prints 191."""
    chain = [[0, 0], [0, 10], [5, 0], [5, 10]]
    letters = dict(zip("ABCD", chain, strict=True))
    filled = drawn(*["ooooooooooo"] + ["o#########o"] * 4 + ["ooooooooooo"])
    breakdown = answer(
        player(map=filled, first_square=21, gems=4, penalties=1, escaped=9, goals=[["A", "B"], ["B", "C"], ["C", "D"]]),
        player("B", escaped=10),
        letters=letters,
    )
    assert [line.points for line in breakdown.players[0].lines] == [21, 66, 40, 15, 15, 15, 30, -10]
    assert breakdown.players[0].total == 192


@pytest.mark.parametrize(
    ("rows", "destinations", "area"),
    [
        (BLANK, [], 0),
        (drawn("o"), [], 1),
        (drawn("oo#", "o#o", ".oo"), [], 6),
        (drawn("oo.", ".oo", "..o"), [], 2),
        (["ooooooooooo"] * 11, [], 121),
        (["#" * 11] * 3 + ["." * 11] * 8, [], 33),
        # a destination that is walled over stays outside, one on a passage counts
        (drawn("###", "###"), ["A"], 4),
        (drawn("o##", "###"), ["A"], 6),
        (drawn("###", "###"), [], 6),
        (drawn("...", "###", "###"), ["A"], 6),
    ],
)
def test_square(rows, destinations, area):
    breakdown = answer(player(map=rows, destinations=destinations), letters={"A": [0, 0]})
    assert points(breakdown, "ruin.square.second") == [area]


@pytest.mark.parametrize(
    ("fields", "first", "note"),
    [
        ({"first_square": 21}, 21, None),
        ({}, 0, "ruin.first.none"),
        ({"first_map": drawn("oo", "##")}, 4, None),
        ({"first_map": drawn("oo", "##"), "first_square": 4}, 4, None),
        ({"first_map": drawn("oo", "##"), "first_square": 7}, 7, "ruin.first.disagree"),
        ({"first_map": drawn("oo", "##"), "first_destinations": ["A"]}, 2, None),
        ({"first_map": drawn("oo", "##"), "destinations": ["A"]}, 2, "ruin.first.destinations"),
        # the written square counts, whatever the walls were
        ({"first_map": drawn("oo", "##"), "destinations": ["A"], "first_square": 4}, 4, "ruin.first.disagree"),
        ({"first_map": drawn("oo", "##"), "destinations": ["A"], "first_square": 2}, 2, None),
        ({"first_map": drawn("oo", "##"), "first_destinations": []}, 4, None),
        ({"first_map": drawn("oo", "o#")}, 4, "ruin.first.later"),
    ],
)
def test_first_stage(fields, first, note):
    letters = {"A": [1, 0]} if "destinations" in fields or "first_destinations" in fields else {}
    given = {"name": "A", "map": drawn("oo", "##", "oo"), "escaped": None, **fields}
    breakdown = answer(given, letters=letters)
    assert breakdown.players[0].lines[0].points == first
    about_the_first = [n.key for n in breakdown.notes if n.key.startswith("ruin.first")]
    assert about_the_first == ([note] if note else [])


@pytest.mark.parametrize(
    ("rounds", "paid"),
    [
        ([5], [30]),
        ([None], [-20]),
        ([5, 6, 7], [30, 10, 0]),
        ([7, 6, None], [10, 30, -20]),
        ([5, 5, 6], [10, 10, 0]),
        ([5, 5, 5, 6], [10, 10, 10, 0]),
        ([5, 6, 6], [30, 0, 0]),
        ([5, 5, 6, 6], [10, 10, 0, 0]),
        ([5, 6, 7, 7], [30, 10, 0, 0]),
        ([None, None], [-20, -20]),
        ([9, None, None], [30, -20, -20]),
    ],
)
def test_escape(rounds, paid):
    breakdown = answer(*[player("ABCD"[i], escaped=when) for i, when in enumerate(rounds)])
    assert [points(breakdown, "ruin.escape", i)[0] for i in range(len(rounds))] == paid


@pytest.mark.parametrize(
    ("rows", "points_", "gap"),
    [
        (drawn("ooo"), 15, []),
        (drawn("o.o"), 0, [(0, 1)]),
        (drawn("o#o"), 0, [(1, 0), (1, 1), (1, 2)]),
        (drawn("o#o", "#.#"), 0, [(0, 1)]),
        (drawn("o.o", "ooo"), 15, []),
        (drawn("oo."), 0, [(0, 2)]),
        (drawn("..."), 0, [(0, 0), (0, 1), (0, 2)]),
        (drawn(".o."), 0, [(0, 0), (0, 2)]),
    ],
)
def test_routes_and_where_they_break(rows, points_, gap):
    breakdown = answer(player(map=rows, goals=[["A", "B"]]), letters={"A": [0, 0], "B": [0, 2]})
    (line,) = [line for line in breakdown.players[0].lines if line.key.startswith("ruin.route")]
    assert line.points == points_
    assert sorted(line.gap) == [f"/players/0/map/{r}/{c}" for r, c in gap]


def test_a_route_shows_its_cells_in_order():
    breakdown = answer(player(map=drawn("o.o", "ooo"), goals=[["A", "B"]]), letters={"A": [0, 0], "B": [0, 2]})
    (line,) = [line for line in breakdown.players[0].lines if line.key == "ruin.route.joined"]
    cells = [place for place in line.because if "/map/" in place]
    assert cells == [f"/players/0/map/{r}/{c}" for r, c in [(0, 0), (1, 0), (1, 1), (1, 2), (0, 2)]]


@pytest.mark.parametrize(
    ("rows", "sets"),
    [
        (drawn("oo", "oo"), 1),
        (drawn("ooo", "ooo"), 1),
        (drawn("oo", "oo", "oo"), 1),
        (drawn("oo..", "oooo", "..oo"), 2),
        (drawn("oo.", "ooo", ".oo"), 1),
        (drawn("oooo", "oooo"), 1),
        (drawn("oo.oo", "oo.oo"), 2),
        (drawn("oo", "o#"), 0),
        (drawn("." * 9 + "oo", "." * 9 + "oo", "oo", "oo"), 2),
    ],
)
def test_two_by_two(rows, sets):
    noted = answer(player(map=rows))
    charged = answer(player(map=rows), charge_blocks=True)
    assert len([n for n in noted.notes if n.key == "ruin.blocks"]) == sets
    assert points(charged, "ruin.blocks") == [-20] * sets
    assert charged.players[0].total == noted.players[0].total - 20 * sets
    assert dict(charged.house_rules) == {"two-by-two": "charged"}


@pytest.mark.parametrize(
    ("rows", "apart", "together"),
    [
        (drawn("oo..", "oooo", "..oo"), 2, 1),
        (drawn("oo..", "oo..", "..oo", "..oo"), 2, 2),
        (drawn("oo.oo", "oo.oo"), 2, 2),
        (drawn("oooo", "oooo"), 1, 1),
        (drawn("oo...", "oooo.", "..ooo", "...oo"), 2, 1),
        # the end of a row and the start of the next are no neighbors
        (drawn("." * 9 + "oo", "." * 9 + "oo", "oo", "oo"), 2, 2),
    ],
)
def test_blocks_that_lie_side_by_side_may_be_one_set_by_house_rule(rows, apart, together):
    state = {"charge_blocks": True}
    plain = answer(player(map=rows), **state)
    other = answer(player(map=rows), **state, house_rules={"touching-blocks": "together"})
    assert points(plain, "ruin.blocks") == [-20] * apart
    assert points(other, "ruin.blocks") == [-20] * together
    assert ("touching-blocks" in [r.question for r in plain.rulings]) == (apart != together)
    assert ("ruin.blocks-touch" in [n.key for n in plain.notes]) == (apart != together)
    noted = answer(player(map=rows))
    assert "touching-blocks" not in [r.question for r in noted.rulings]
    noted = answer(player(map=rows), house_rules={"touching-blocks": "together"})
    assert len([n for n in noted.notes if n.key == "ruin.blocks"]) == together


@pytest.mark.parametrize(
    ("rows", "sets", "each"),
    [
        (drawn("oo", "oo"), 1, 1),
        (drawn("ooo", "ooo"), 1, 2),
        (drawn("ooo", "ooo", "ooo"), 1, 4),
        (drawn("oo.", "ooo", ".oo"), 1, 2),
        (drawn("oo..", "oooo", "..oo"), 2, 2),
    ],
)
def test_each_single_block_may_be_charged_by_house_rule(rows, sets, each):
    plain = answer(player(map=rows), charge_blocks=True)
    other = answer(player(map=rows), charge_blocks=True, house_rules={"sharing-blocks": "each"})
    assert points(plain, "ruin.blocks") == [-20] * sets
    assert points(other, "ruin.blocks") == [-20] * each
    assert ("sharing-blocks" in [r.question for r in plain.rulings]) == (sets != each)
    assert ("ruin.blocks-share" in [n.key for n in plain.notes]) == (sets != each)


ALL_LETTERS = {chr(ord("A") + i): [i // 10, i % 10] for i in range(24)}
"""A to J on the first row, K to T on the second, U to X on the third."""
ROWS = [".....o....."] * 6


@pytest.mark.parametrize(
    ("fields", "letters", "note"),
    [
        # a gem is got on a passage with a letter, each letter once
        ({"gems": 24, "map": ["ooooooooooo"] * 11}, ALL_LETTERS, None),
        ({"gems": 25, "map": ["ooooooooooo"] * 11}, ALL_LETTERS, "ruin.gems-box"),
        ({"gems": 3, "map": drawn(*ROWS)}, ALL_LETTERS, "ruin.gems-many"),
        ({"gems": 2, "map": drawn(*ROWS)}, ALL_LETTERS, None),
        ({"gems": 2, "map": drawn(*ROWS), "destinations": ["F"]}, ALL_LETTERS, "ruin.gems-many"),
        ({"gems": 5, "map": drawn(*ROWS)}, {}, None),
        ({"gems": 6, "map": drawn(*ROWS)}, {}, "ruin.gems-many"),
        ({"gems": 2, "map": drawn(*ROWS), "gates": [[0, 5]]}, ALL_LETTERS, "ruin.gems-many"),
        # a written square is a rectangle, and not larger than any of the last map
        ({"first_square": 6, "map": drawn(*ROWS)}, {}, None),
        ({"first_square": 8, "map": drawn(*ROWS)}, {}, "ruin.square-large"),
        ({"first_square": 65, "map": ["ooooooooooo"] * 11}, {}, "ruin.square-shape"),
        ({"first_square": 110, "map": ["ooooooooooo"] * 11}, {}, None),
        # what is written lies beside what is filled; only a claimed wall may stand alone
        ({"map": drawn("o", *["." * 11] * 4, ".....o")}, {}, "ruin.islands"),
        ({"map": drawn("#o", *["." * 11] * 4, ".....o")}, {}, None),
        ({"map": drawn("#o", *["." * 11] * 4, ".....o")}, ALL_LETTERS, None),
        ({"map": drawn("o#", *["." * 11] * 4, ".....o", "....##")}, ALL_LETTERS, None),
        ({"map": [*drawn(".....o", at=5)[:9], "....#o.....", "." * 11]}, ALL_LETTERS, "ruin.islands"),
    ],
)
def test_what_no_game_gives_is_said(fields, letters, note):
    notes = answer(player(**fields), letters=letters).notes
    usual = {"ruin.entrance", "ruin.blocks", "ruin.ticks-beside.gems"}
    assert {n.key for n in notes} - usual == ({note} if note else set())
    assert {n.source for n in notes if n.key == "ruin.entrance"} <= {"in-the-ruin/set-up"}
    assert all(n.source for n in notes)


@pytest.mark.parametrize(
    ("players", "differ"),
    [
        ([{"destinations": ["A"]}, {"destinations": ["A"]}], None),
        ([{"destinations": ["A", "B"]}, {"destinations": ["B", "A"]}], None),
        ([{"destinations": ["A"]}, {"destinations": ["B"]}], ("A", "B")),
        ([{"destinations": ["A"]}, {}], None),
        # whoever has escaped claims and sees nothing more
        ([{"destinations": ["A"]}, {"destinations": ["B"], "escaped": 5}], None),
        ([{"destinations": ["A"]}, {"destinations": ["B"], "escaped": 5}, {"destinations": []}], ("A", "C")),
        ([{"first_destinations": ["A"], "escaped": 5}, {"first_destinations": ["B"]}], ("A", "B")),
        # nobody sees whether a letter under a wall was traced
        ([{"destinations": ["A"]}, {"destinations": [], "map": drawn("#")}], None),
        ([{"destinations": ["A", "B"]}, {"destinations": [], "map": drawn("#")}], ("A", "B")),
        ([{"destinations": ["B"]}, {"destinations": ["A", "B"], "map": drawn("#")}], ("A", "B")),
        ([{"first_destinations": ["B"], "first_map": drawn(".#")}, {"first_destinations": []}], ("A", "B")),
        ([{"first_destinations": ["B"]}, {"first_destinations": [], "first_map": drawn(".#")}], None),
    ],
)
def test_destinations_are_everybodys(players, differ):
    sheets = [player("ABC"[i], **fields) for i, fields in enumerate(players)]
    notes = answer(*sheets, letters={"A": [0, 0], "B": [0, 1]}).notes
    names = [n.values["names"] for n in notes if n.key.startswith("ruin.destinations-differ")]
    assert names == ([differ] if differ else [])


@pytest.mark.parametrize(
    ("fields", "escaped", "over"),
    [
        ({}, None, True),
        ({"stage": 1}, None, False),
        ({"stage": 2}, None, True),
        ({"stage": 2, "cards": ["?"]}, None, False),
        ({"stage": 2, "cards": []}, None, True),
        ({"stage": 2, "cards": ["?"]}, 9, True),
        ({"goes_on": True}, None, False),
        ({"goes_on": True, "stage": 2}, 9, False),
    ],
)
def test_nobody_wins_while_cards_lie_in_the_row(fields, escaped, over):
    """Over in the second stage, with an empty row or everybody out."""
    breakdown = answer(player(gems=1, map=CROSS, escaped=escaped), player("B", escaped=escaped), **fields)
    assert (breakdown.winners, breakdown.leading) == ((("A",), ()) if over else ((), ("A",)))
    assert ("ruin.goes-on" in [n.key for n in breakdown.notes]) == (not over)


def test_a_tie_says_the_passages_that_decide_it():
    breakdown = answer(player(map=drawn("#.o")), player("B", map=drawn("o.o.o")))
    (note,) = [note for note in breakdown.notes if "tie" in note.key]
    assert (note.key, note.values["names"], note.values["tally"]) == ("ruin.tie", ("B",), ("A 1", "B 3"))
    assert note.because == ("/players/0/map/0/2", *(f"/players/1/map/0/{c}" for c in (0, 2, 4)))
    assert note.source == "in-the-ruin/end"


@pytest.mark.parametrize(("n", "source"), [(1, "in-the-ruin/solo"), (2, "in-the-ruin/end-2")])
def test_who_plays_alone_escapes_by_a_rule_of_its_own(n, source):
    breakdown = answer(*[player(name, escaped=5 + i) for i, name in enumerate("AB"[:n])])
    (line,) = [line for line in breakdown.players[0].lines if line.key.startswith("ruin.escape")]
    assert (line.points, line.source) == (30, source)


@pytest.mark.parametrize(
    ("goals", "twice"),
    [
        ([["A", "B"], ["A", "C"]], []),
        ([["A", "B"], ["B", "A"]], [2]),
        ([["A", "B"], ["B", "A"], ["A", "C"], ["C", "A"], ["A", "B"]], [3, 2]),
    ],
)
def test_a_goal_card_held_twice_is_said(goals, twice):
    letters = {"A": [0, 0], "B": [0, 1], "C": [0, 2]}
    notes = answer(player(goals=goals), letters=letters).notes
    assert [n.values["n"] for n in notes if n.key == "ruin.goals-twice"] == twice


@pytest.mark.parametrize(
    ("one", "other", "winners"),
    [
        ({"gems": 1}, {}, ("A",)),
        ({"map": drawn("o")}, {"map": drawn("#")}, ("A",)),
        ({"map": drawn("#.o")}, {"map": drawn("o.o.o")}, ("B",)),
        ({}, {}, ("A", "B")),
    ],
)
def test_who_wins(one, other, winners):
    assert answer(player(**one), player("B", **other)).winners == winners


@pytest.mark.parametrize(
    ("players", "house", "usual", "switched"),
    [
        ([{"escaped": 5}, {"escaped": 5}, {"escaped": 6}], {"shared-escape": "after-one"}, [10, 10, 0], [10, 10, 10]),
        ([{"map": drawn("###"), "destinations": ["A"]}], {"walled-destination": "inside"}, [-18], [-17]),
        ([{"map": drawn("o#")}], {"rectangle": "one-kind"}, [-18], [-19]),
        ([{"map": drawn("oo"), "first_map": drawn("oo"), "first_square": 2}], {"same-cells": "apart"}, [-16], [-18]),
        ([{"map": drawn("oo", "oo")}], {"two-by-two": "charged"}, [-16], [-36]),
    ],
)
def test_house_rules(players, house, usual, switched):
    sheets = [player("ABC"[i], **fields) for i, fields in enumerate(players)]
    plain = answer(*sheets, letters={"A": [0, 0]})
    other = answer(*sheets, letters={"A": [0, 0]}, house_rules=house)
    assert [p.total for p in plain.players] == usual
    assert [p.total for p in other.players] == switched
    assert (*house, tuple(switched)) in [(r.question, r.totals) for r in plain.rulings]


@pytest.mark.parametrize(
    ("fields", "lines"),
    [
        ({}, [("ruin.square.first", 4)]),
        ({"gems": 3, "penalties": 2, "escaped": 9, "goals": [["A", "B"]]}, [("ruin.square.first", 4)]),
        ({"first_square": 6}, [("ruin.square.written", 6)]),
        ({"destinations": ["A"]}, [("ruin.square.first", 4)]),
        ({"first_map": drawn("##", "##"), "first_destinations": ["A"]}, [("ruin.square.first", 2)]),
        ({"first_map": drawn("##", "##"), "destinations": ["A"]}, [("ruin.square.first", 2)]),
    ],
)
@pytest.mark.parametrize("state", [{"goes_on": True}, {"stage": 1}])
@pytest.mark.parametrize("charged", [False, True])
def test_at_half_time_the_first_square_counts_alone(fields, lines, state, charged):
    half = {"name": "A", "first_map": drawn("oo", "oo"), **fields}
    whole = player("B", escaped=9)
    breakdown = answer(half, whole, letters={"A": [0, 0], "B": [5, 5]}, charge_blocks=charged, **state)
    assert [(line.key, line.points) for line in breakdown.players[0].lines] == lines
    assert all(place.startswith("/players/0/first_") for line in breakdown.players[0].lines for place in line.because)
    assert points(breakdown, "ruin.escape", 1) == [30]
    assert (breakdown.winners, breakdown.leading) == ((), ("B",))


@pytest.mark.parametrize("fields", [{}, {"goes_on": False}, {"stage": 2}, {"stage": 2, "cards": []}])
def test_a_game_that_is_over_needs_the_map_at_its_end(fields):
    with pytest.raises(StateError) as raised:
        answer(player(), {"name": "B", "first_map": CROSS}, **fields)
    assert (raised.value.place, raised.value.expected) == ("/players/1/map", "field")


@pytest.mark.parametrize(
    "fields",
    [
        {"map": BLANK[:10]},
        {"map": ["." * 10, *BLANK[1:]]},
        {"map": ["x" * 11, *BLANK[1:]]},
        {"map": "." * 121},
        {"escaped": 0},
        {"escaped": "never"},
        {"gems": -1},
        {"gems": 3.0},
        {"penalties": True},
        {"destinations": ["Z"]},
        {"destinations": ["A", "A"]},
        {"goals": [["A"]]},
        {"goals": [["A", "A"]]},
        {"goals": [["A", "Z"]]},
        {"goals": ["AB"]},
        {"first_square": 122},
        {"first_map": None},
        {"first_map": BLANK[:3]},
        {"color": "red"},
        {"name": ""},
    ],
)
def test_bad_sheets(fields):
    with pytest.raises(StateError):
        answer(player(**fields), letters={"A": [0, 0], "B": [0, 1]})


@pytest.mark.parametrize(
    "letters", [{"A": [11, 0]}, {"A": [0]}, {"A": [0, 0], "B": [0, 0]}, {"AB": [0, 0]}, {"A": "00"}, []]
)
def test_bad_letters(letters):
    with pytest.raises(StateError):
        score_state({"game": "in-the-ruin", "letters": letters, "players": [player()]})
