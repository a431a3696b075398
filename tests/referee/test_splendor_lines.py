"""Splendor: what one turn is called in the log, each key of its line; lawful turns and breaches side by side."""

import json
from collections import Counter

import pytest
from standing_log import standing_moves

from referee import Game, follow

FIVE = ("white", "blue", "green", "red", "black")
HOUSE = {"keep-deck": False, "fewer-tokens": False, "gold-choice": False}


def card(level, bonus, points=0, **price):
    return {"level": level, "price": price, "points": points, "bonus": bonus}


FIRST = card(1, "white", white=2, red=1)
FREE = card(1, "blue", green=1)
MARKET = [
    FIRST, FREE, card(1, "green", black=3), card(1, "red", blue=4),
    *(card(2, color, 2, white=5) for color in ("white", "blue", "green", "red")),
    *(card(3, color, 4, black=7) for color in ("white", "blue", "green", "red")),
]  # fmt: skip
NEW = card(1, "black", 1, red=4)
NOBLES = [{"white": 1, "blue": 1}, {"red": 3, "black": 3}]
OWN = [card(1, color, green=3) for color in ("white", "red", "red")]
FULL = {"white": 3, "blue": 2, "red": 3, "black": 2}


def table(ann, bob=None, market=MARKET, nobles=NOBLES, decks=(1, 2, 3), short=()):
    """The supply holds the rest of 4 of each color (but `short`: those that nobody has any more) and 5 gold."""
    left = dict.fromkeys(FIVE, 4) | {"gold": 5} | dict(short)
    rows = []
    for name, side in (("Ann", ann), ("Bob", bob or {})):
        row = {"name": name, "tokens": {}, "cards": [], "nobles": [], "kept": [], **side}
        for color, n in row["tokens"].items():
            left[color] -= n
        rows.append(row)
    return {
        "game": "splendor", "supply": left, "market": list(market), "nobles_left": list(nobles), "decks": list(decks),
        "players": rows,
    }  # fmt: skip


def bought(one, new=NEW):
    return [card for card in MARKET if card is not one] + [new]


def line(before, after, house=None):
    """The first line of the log, once Bob has moved too; and the slips."""
    bob = {"tokens": {"green": 1, "blue": 1, "white": 1}}
    tables = [table(**before), table(**after), table(**{**after, "bob": bob})]
    header = {"game": "splendor", "players": ["Ann", "Bob"], "start": "Ann", **({"house": house} if house else {})}
    out = follow([{"header": header}, *({"time": i, "state": one} for i, one in enumerate([*tables, tables[-1]]))])
    log = standing_moves(out)
    assert [one["who"] for one in log] == ["Ann", "Bob"]
    assert [one["who"] for one in out if one["line"] == "slip"] == ["Ann"] * bool(log[0]["breaks"])
    assert log[0]["legal"] is (not log[0]["breaks"])
    assert (log[0]["turn"], log[0]["round"], log[0]["look"]) == (1, 1, 1)
    return log[0]


def hiding(state, *places):
    """The same, where no camera sees some things of the middle or of the players."""
    rows = [{key: value for key, value in row.items() if key not in places} for row in state["players"]]
    return {**{key: value for key, value in state.items() if key not in places}, "players": rows}


def tokens(**n):
    return {"tokens": n}


NOTHING = tokens()
MOSTLY = {
    "tokens": {"from": "supply", "to": "Ann", "returned": []},
    "buy": {"from": "market"},
    "keep": {"from": "market", "to": "Ann.kept", "returned": [], "gold": 1},
}
"""What the line of a move says where its case says nothing else."""
CASES = {
    "three colors": (NOTHING, {"ann": tokens(white=1, blue=1, red=1)}, {
        "move": "tokens", "what": ["white", "blue", "red"], "returned": [], "from": "supply", "to": "Ann",
    }, []),
    "two of four": (NOTHING, {"ann": tokens(black=2)}, {"move": "tokens", "what": ["black", "black"]}, []),
    "two of three": (tokens(black=1), {"ann": tokens(black=3)}, {"move": "tokens", "what": ["black", "black"]}, ["S4"]),
    "three of four": (NOTHING, {"ann": tokens(black=3)}, {"move": "tokens", "what": ["black"] * 3}, ["S4"]),
    "four colors": (NOTHING, {"ann": tokens(white=1, blue=1, green=1, red=1)}, {
        "move": "tokens", "what": ["white", "blue", "green", "red"],
    }, ["S4"]),
    "two and one": (NOTHING, {"ann": tokens(white=2, blue=1)}, {
        "move": "tokens", "what": ["white", "white", "blue"],
    }, ["S4"]),
    "gold": (NOTHING, {"ann": tokens(gold=1)}, {"move": "tokens", "what": ["gold"]}, ["S4"]),
    "gold and another": (NOTHING, {"ann": tokens(gold=1, red=1)}, {"move": "tokens", "what": ["red", "gold"]}, ["S4"]),
    "one only": (NOTHING, {"ann": tokens(white=1)}, {"move": "tokens", "what": ["white"]}, []),
    "ten, and two back": (
        tokens(white=3, blue=3, red=3), {"ann": tokens(white=3, blue=2, red=2, green=1, black=2)},
        {"move": "tokens", "what": ["green", "black", "black"], "returned": ["blue", "red"]}, ["S4"],
    ),
    "nine, and two back": (
        tokens(white=3, blue=3, red=3), {"ann": tokens(white=2, blue=2, red=4, green=1, black=1)},
        {"move": "tokens", "what": ["green", "red", "black"], "returned": ["white", "blue"]}, [],
    ),
    "twelve": (
        tokens(white=3, blue=3, red=3), {"ann": tokens(white=3, blue=3, red=3, green=3)},
        {"move": "tokens", "what": ["green", "green", "green"]}, ["S4", "S8"],
    ),
    "eleven": (tokens(white=3, blue=3, red=3), {"ann": tokens(white=3, blue=3, red=3, green=2)}, {
        "move": "tokens", "what": ["green", "green"], "returned": [],
    }, ["S8"]),
    "a card": (tokens(white=2, red=1, blue=1), {"ann": {**tokens(blue=1), "cards": [FIRST]}, "market": bought(FIRST)}, {
        "move": "buy", "card": FIRST, "from": "market", "paid": {"white": 2, "red": 1}, "refill": [NEW],
    }, []),
    "a card and no other one comes": (
        tokens(white=2, red=1),
        {"ann": {**tokens(), "cards": [FIRST]}, "market": [one for one in MARKET if one is not FIRST], "decks": (2, 3)},
        {"move": "buy", "card": FIRST, "paid": {"white": 2, "red": 1}, "refill": []}, [],
    ),
    "a card, and one back of twelve that lay there": (
        tokens(white=3, blue=3, red=3, green=3),
        {"ann": {**tokens(white=3, blue=2, red=3, green=2), "cards": [FREE]}, "market": bought(FREE)},
        {"move": "buy", "card": FREE, "paid": {"green": 1}, "returned": ["blue"]}, [],
    ),
    "a card and two tokens back of twelve": (
        tokens(white=3, blue=3, red=3, green=3),
        {"ann": {**tokens(white=3, blue=1, red=3, green=2), "cards": [FREE]}, "market": bought(FREE)},
        {"move": "buy", "card": FREE}, ["S5"],
    ),
    "a card with gold": (
        tokens(white=1, gold=2), {"ann": {"cards": [FIRST]}, "market": bought(FIRST)},
        {"move": "buy", "card": FIRST, "paid": {"white": 1, "gold": 2}}, [],
    ),
    "a card with bonuses": (
        {**tokens(white=1), "cards": OWN}, {"ann": {"cards": [*OWN, FIRST]}, "market": bought(FIRST)},
        {"move": "buy", "card": FIRST, "paid": {"white": 1}}, [],
    ),
    "a card paid in full in spite of bonuses": (
        {**tokens(white=2, red=1), "cards": OWN}, {"ann": {"cards": [*OWN, FIRST]}, "market": bought(FIRST)},
        {"move": "buy", "card": FIRST, "paid": {"white": 2, "red": 1}}, ["S5"],
    ),
    "a card for another color": (
        tokens(white=2, black=1), {"ann": {"cards": [FIRST]}, "market": bought(FIRST)},
        {"move": "buy", "card": FIRST, "paid": {"white": 2, "black": 1}}, ["S5"],
    ),
    "a card and a token": (
        tokens(white=2, red=1), {"ann": {**tokens(blue=1), "cards": [FIRST]}, "market": bought(FIRST)},
        {"move": "buy", "card": FIRST}, ["S3"],
    ),
    "kept": (NOTHING, {"ann": {**tokens(gold=1), "kept": [{"level": 1}]}, "market": bought(FIRST)}, {
        "move": "keep", "card": FIRST, "gold": 1, "returned": [], "from": "market", "to": "Ann.kept", "refill": [NEW],
    }, []),
    "kept from a deck": (NOTHING, {"ann": {**tokens(gold=1), "kept": [{"level": 2}]}}, {
        "move": "keep", "card": {"level": 2}, "from": "deck",
    }, []),
    "kept without gold": (NOTHING, {"ann": {"kept": [{"level": 1}]}, "market": bought(FIRST)}, {
        "move": "keep", "card": FIRST, "gold": 0,
    }, ["S6"]),
    "kept with two gold": (NOTHING, {"ann": {**tokens(gold=2), "kept": [{"level": 1}]}, "market": bought(FIRST)}, {
        "move": "keep", "card": FIRST, "gold": 2,
    }, ["S6"]),
    "kept with another token": (
        NOTHING, {"ann": {**tokens(gold=1, red=1), "kept": [{"level": 1}]}, "market": bought(FIRST)},
        {"move": "keep", "card": FIRST}, ["S3"],
    ),
    "a third one kept": (
        {"kept": [{"level": 2}, {"level": 3}]},
        {"ann": {**tokens(gold=1), "kept": [{"level": 2}, {"level": 3}, {"level": 1}]}, "market": bought(FIRST)},
        {"move": "keep", "card": FIRST}, [],
    ),
    "a fourth one kept": (
        {"kept": [{"level": 2}] * 3},
        {"ann": {**tokens(gold=1), "kept": [*[{"level": 2}] * 3, {"level": 1}]}, "market": bought(FIRST)},
        {"move": "keep", "card": FIRST}, ["S6"],
    ),
    "kept with ten": (
        {"tokens": FULL}, {"ann": {"tokens": {**FULL, "red": 2, "gold": 1}, "kept": [{"level": 1}]},
        "market": bought(FIRST)}, {"move": "keep", "card": FIRST, "returned": ["red"]}, [],
    ),
    "kept with eleven": (
        {"tokens": FULL}, {"ann": {"tokens": {**FULL, "gold": 1}, "kept": [{"level": 1}]}, "market": bought(FIRST)},
        {"move": "keep", "card": FIRST}, ["S8"],
    ),
    "a kept card bought": (
        {**tokens(white=2, red=1), "kept": [FIRST]}, {"ann": {"cards": [FIRST], "kept": []}},
        {"move": "buy", "card": FIRST, "from": "Ann.kept", "paid": {"white": 2, "red": 1}}, [],
    ),
    "a noble comes": (
        {**tokens(green=1), "cards": OWN[:1]},
        {"ann": {"cards": [*OWN[:1], FREE], "nobles": NOBLES[:1]}, "market": bought(FREE), "nobles": NOBLES[1:]},
        {"move": "buy", "card": FREE, "paid": {"green": 1}, "noble": {"white": 1, "blue": 1}}, [],
    ),
    "a noble is left lying": (
        {**tokens(green=1), "cards": OWN[:1]}, {"ann": {"cards": [*OWN[:1], FREE]}, "market": bought(FREE)},
        {"move": "buy", "card": FREE, "paid": {"green": 1}, "noble": None}, ["S9"],
    ),
    "a noble who is not met": (
        {**tokens(green=1), "cards": OWN[:1]},
        {"ann": {"cards": [*OWN[:1], FREE], "nobles": NOBLES[1:]}, "market": bought(FREE), "nobles": NOBLES[:1]},
        {"move": "buy", "card": FREE, "paid": {"green": 1}, "noble": {"red": 3, "black": 3}}, ["S9"],
    ),
    "both nobles": (
        {**tokens(green=1), "cards": OWN[:1]},
        {"ann": {"cards": [*OWN[:1], FREE], "nobles": NOBLES}, "market": bought(FREE), "nobles": []},
        {"move": "buy", "card": FREE, "paid": {"green": 1}, "noble": {"red": 3, "black": 3}}, ["S9"],
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", CASES)
def test_a_turn_is_called_what_it_is(name):
    before, after, expected, breaks = CASES[name]
    said = line({"ann": before}, after)
    assert said["breaks"] == breaks
    expected = {**MOSTLY[expected["move"]], **expected}
    assert {key: said.get(key) for key in expected} == expected


@pytest.mark.parametrize(
    ("name", "breaks"),
    [
        ("one only", ["S4"]), ("three colors", []), ("two of four", []), ("kept", []), ("kept from a deck", ["S6"]),
        ("a card", []), ("a card with gold", []),
    ],
)  # fmt: skip
def test_a_strict_house(name, breaks):
    before, after, *_ = CASES[name]
    assert line({"ann": before}, after, HOUSE)["breaks"] == breaks


def test_a_strict_house_wants_no_gold_for_a_token_that_is_there():
    before = tokens(white=2, red=1, gold=1)
    after = {"ann": {**tokens(red=1), "cards": [FIRST]}, "market": bought(FIRST)}
    assert [line({"ann": before}, after, house)["breaks"] for house in (None, HOUSE)] == [[], ["S5"]]


def answers(*tables, header=None):
    head = {"game": "splendor", "players": ["Ann", "Bob"], "start": "Ann", **(header or {})}
    return list(follow([{"header": head}, *({"time": i, "state": one} for i, one in enumerate(tables))]))


def by_face(state):
    """A state whose cards lie in any order."""
    rows = [
        {
            **row,
            "kept": [one["level"] for one in row["kept"]],
            **{key: sorted(map(written, row[key])) for key in ("cards", "nobles")},
        }
        for row in state["players"]
    ]
    middle = {key: sorted(map(written, state[key])) for key in ("market", "nobles_left")}
    return {**state, **middle, "players": rows}


def written(piece):
    return json.dumps(piece, sort_keys=True)


@pytest.mark.parametrize("name", [name for name, (*_, breaks) in CASES.items() if "S4" not in breaks])
def test_the_last_state_is_the_table(name):
    before, after, *_ = CASES[name]
    last = table(**{**after, "bob": {"tokens": {"green": 1, "blue": 1, "white": 1}}})
    end = answers(table(before), table(**after), last, last)[-1]
    assert end["over"] is False
    expected = {**last, "players": [{**row, "reserved": len(row["kept"])} for row in last["players"]]}
    for row in expected["players"]:
        row["tokens"] = {color: n for color, n in row["tokens"].items() if n}
    assert by_face(end["state"]) == by_face(expected)


HALVES = {
    "a token in a hand": (NOTHING, {"ann": NOTHING, "short": {"red": 3}}, "S4"),
    "two in a hand": (NOTHING, {"ann": NOTHING, "short": {"red": 3, "blue": 3}}, "S4"),
    "gold, and no card yet": (NOTHING, {"ann": tokens(gold=1)}, "S4"),
    "a card in a hand": (NOTHING, {"ann": NOTHING, "market": MARKET[1:]}, "S3"),
    "a card that is not paid for": (
        tokens(white=2, red=1), {"ann": {**tokens(white=2, red=1), "cards": [FIRST]}, "market": bought(FIRST)}, "S5",
    ),
    "paid, and no card yet": (tokens(white=2, red=1), {"ann": NOTHING}, "S5"),
    "an empty place": (tokens(white=2, red=1), {"ann": {"cards": [FIRST]}, "market": MARKET[1:]}, "S7"),
    "kept, and no gold yet": (NOTHING, {"ann": {"kept": [{"level": 1}]}, "market": bought(FIRST)}, "S6"),
    "twelve": (tokens(white=3, blue=3, red=3), {"ann": tokens(white=3, blue=3, red=4, green=1, black=1)}, "S8"),
    "a noble is due": (
        {**tokens(green=1), "cards": OWN[:1]}, {"ann": {"cards": [*OWN[:1], FREE]}, "market": bought(FREE)}, "S9",
    ),
    "a kept card in a hand": (
        {**tokens(white=2, red=1), "kept": [FIRST]}, {"ann": {**tokens(white=2, red=1), "kept": []}}, "S5",
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", HALVES)
def test_half_a_turn_is_owed(name):
    before, half, rule = HALVES[name]
    out = answers(table(before), table(**half), table(**half))
    out = out[: 1 + max(i for i, one in enumerate(out) if one["line"] == "look")]  # what stands when no look comes
    assert [one for one in out if one["line"] in ("move", "slip", "corrected", "question")] == []
    looks = [one for one in out if one["line"] == "look"]
    assert [[(owed["who"], owed["rule"]) for owed in look["owed"]] for look in looks] == [[], *[[("Ann", rule)]] * 2]
    assert [look["turn_of"] for look in looks] == ["Ann"] * 3


BAD = {
    "/supply": {"supply": [4, 4]},
    "/supply/pink": {"supply": {"pink": 1}},
    "/supply/red": {"supply": {"red": -1}},
    "/market": {"market": {"red": 1}},
    "/market/0": {"market": ["red"]},
    "/market/1/bonus": {"market": [FIRST, {**FREE, "bonus": "gold"}]},
    "/market/0/price": {"market": [{**FIRST, "price": 3}]},
    "/market/0/price/gold": {"market": [{**FIRST, "price": {"gold": 1}}]},
    "/nobles_left": {"nobles_left": 3},
    "/nobles_left/0/gold": {"nobles_left": [{"gold": 3}]},
    "/decks": {"decks": 3},
    "/players": {"players": {"name": "Ann"}},
    "/players/0": {"players": ["Ann"]},
    "/players/0/name": {"players": [{"name": "Zoe"}]},
    "/players/0/tokens/red": {"players": [{"name": "Ann", "tokens": {"red": "two"}}]},
    "/players/0/cards": {"players": [{"name": "Ann", "cards": 2}]},
    "/players/0/cards/0/price/red": {"players": [{"name": "Ann", "cards": [{**FIRST, "price": {"red": -1}}]}]},
    "/players/1/kept/0": {"players": [{"name": "Ann"}, {"name": "Bob", "kept": [3]}]},
    "/players/1/nobles/0/pink": {"players": [{"name": "Ann"}, {"name": "Bob", "nobles": [{"pink": 3}]}]},
}


@pytest.mark.parametrize("place", BAD)
def test_a_look_that_is_none_is_named_by_its_place(place):
    out = answers(table(NOTHING), {**table(NOTHING), **BAD[place]}, table(tokens(white=1, blue=1, red=1)))
    assert [one["error"].place for one in out if "error" in one] == [place]
    assert [one["who"] for one in out if one["line"] == "move"] == ["Ann"]


@pytest.mark.parametrize(
    "hidden", ["supply", "market", "nobles_left", "decks", "tokens", "cards", "kept", "nobles", "one noble"]
)
def test_what_is_not_read_is_as_before(hidden):
    """A place is unknown in the look that shows Bob's turn; Ann's before it and after it are followed."""
    ann = {**tokens(white=1, blue=1, red=1), "cards": OWN[:1], "kept": [FREE]}
    states = [
        table({**ann, "tokens": {}}),
        table(ann),
        table(ann, tokens(green=1, blue=1, red=1)),
        table({**ann, "tokens": {**ann["tokens"], "green": 1, "black": 1, "white": 2}}, tokens(green=1, blue=1, red=1)),
    ]
    odd = states[2]
    if hidden in odd:
        odd[hidden] = "?"
    elif hidden == "one noble":
        odd["nobles_left"] = ["?", *odd["nobles_left"][1:]]
    else:
        odd["players"][0][hidden] = "?"
    out = answers(*states, states[-1])
    log = [(one["who"], one["move"], one["breaks"]) for one in standing_moves(out)]
    assert log == [("Ann", "tokens", []), ("Bob", "tokens", []), ("Ann", "tokens", [])]
    assert [one for one in out if one["line"] in ("slip", "corrected") or "error" in one] == []


@pytest.mark.parametrize(
    ("side", "supply", "kinds"),
    [
        # 10 ways to take three colors, 5 pairs, 12 cards of the market to keep, what can be paid
        ({}, {}, {"tokens": 15, "keep": 12}),
        ({"kept": [{"level": 2}] * 2}, {}, {"tokens": 15, "keep": 12}),
        ({"kept": [{"level": 2}] * 3}, {}, {"tokens": 15}),
        ({"tokens": {"white": 2, "red": 1}}, {}, {"tokens": 13, "keep": 12, "buy": 1}),
        ({"tokens": {"green": 1}, "cards": OWN, "kept": [FIRST]}, {}, {"tokens": 14, "keep": 12, "buy": 1}),
        ({"tokens": {"green": 1, "white": 1}, "cards": OWN, "kept": [FIRST]}, {}, {"tokens": 13, "keep": 12, "buy": 2}),
        ({}, {"white": 3, "blue": 0, "green": 0}, {"tokens": 3, "keep": 12}),
        ({}, {"white": 1, "blue": 0, "green": 0, "red": 0}, {"tokens": 2, "keep": 12}),
    ],
)
def test_what_is_legal_now(side, supply, kinds):
    game = Game()
    game.take({"header": {"game": "splendor", "players": ["Ann", "Bob"], "start": "Ann"}})
    lying = table(side)
    lying["supply"] |= supply
    if supply:  # the others have the rest
        lying["players"][1]["tokens"] = {color: 4 - n for color, n in supply.items() if n < 4}
    game.take({"time": 0, "state": lying})
    assert Counter(one["move"] for one in game.legal()) == kinds


@pytest.mark.parametrize("flagged", [True, False])
@pytest.mark.parametrize(
    ("at", "true", "read", "others"),
    [
        ("/supply", "red", "green", ["/players/1/tokens/green"]),
        ("/supply", "black", "gold", []),
        ("/players/0/tokens", "red", "green", ["/supply/green", "/players/1/tokens/green"]),
        ("/players/0/tokens", "white", "gold", ["/supply/gold"]),
        ("/players/1/tokens", "green", "red", ["/supply/red", "/players/0/tokens/red"]),
    ],
)
def test_a_token_more_than_there_are_is_read_again(at, true, read, others, flagged):
    bob = tokens(green=2)
    if (at, true, flagged) == ("/players/0/tokens", "red", False):
        return  # she may have taken the green one, and one of the supply's was read wrongly
    moved = table(tokens(white=1, blue=1, red=1), bob)
    wrong = json.loads(json.dumps(moved))
    counts = wrong["supply"] if at == "/supply" else wrong["players"][int(at.split("/")[2])]["tokens"]
    counts[true] -= 1
    counts[read] = counts.get(read, 0) + 1
    here = f"{at}/{read}"
    head = {"header": {"game": "splendor", "players": ["Ann", "Bob"], "start": "Ann"}}
    looks = [{"state": table(NOTHING, bob)}, {"state": wrong, "doubtful": [here] if flagged else []}, {"state": moved}]
    out = follow([head, *({"time": i, **one} for i, one in enumerate(looks))])
    assert [one for one in out if one["line"] == "corrected"] == [
        {"line": "corrected", "look": 1, "at": here, "read": read, "is": true, "because": ["S2"], "others": others,
         "flagged": flagged}
    ]  # fmt: skip
    assert [one["what"] for one in out if one["line"] == "move"] == [["white", "blue", "red"]]
    assert [one for one in out if one["line"] == "slip"] == []


@pytest.mark.parametrize(
    ("took", "nearest"),
    [
        (
            {"white": 1, "blue": 1, "green": 1, "red": 1},
            [(["white", "blue", "green"], 1), (["white", "blue", "red"], 1), (["white", "green", "red"], 1)],
        ),
        ({"black": 3}, [(["black", "black"], 1)]),
        (
            {"white": 2, "blue": 1},
            [(["white", "white"], 1), (["white", "blue", "green"], 2), (["white", "blue", "red"], 2)],
        ),
    ],
)
def test_a_slip_names_the_nearest_lawful_turns(took, nearest):
    out = answers(table(NOTHING), *[table({"tokens": took})] * 4)
    (slip,) = [one for one in out if one["line"] == "slip"]
    found = [(one["what"], one["differs"]) for one in slip["nearest"]]
    assert found[: len(nearest)] == nearest
    assert {(one["who"], one["move"], *one["returned"]) for one in slip["nearest"]} == {("Ann", "tokens")}
    assert (slip["look"], slip["breaks"], slip["move"]["what"]) == (
        1,
        ["S4"],
        [c for c, n in took.items() for _ in range(n)],
    )


TAKEN = [
    {"white": 1, "blue": 1, "green": 1}, {"red": 2}, {"black": 1, "red": 1, "blue": 1},
    {"white": 1, "green": 1, "black": 1},
]  # fmt: skip


@pytest.mark.parametrize("seen", [(4,), (1, 4), (2, 4), (3, 4), (1, 2, 3, 4), (2, 3, 4), (1, 3, 4)])
@pytest.mark.parametrize("n", [3, 4])
def test_turns_that_no_look_separates(seen, n):
    """Each player's tokens of several turns: whoever moved once or twice, nobody broke a rule."""
    names = ["Ann", "Bob", "Cyd", "Dan"][:n]

    def lying(turns):
        rows = [{"name": name, "cards": [], "nobles": [], "kept": [], "tokens": {}} for name in names]
        for i, took in enumerate(TAKEN[:turns]):
            tokens_of = rows[i % n]["tokens"]
            for color, k in took.items():
                tokens_of[color] = tokens_of.get(color, 0) + k
        each = {3: 5, 4: 7}[n]
        left = {color: each - sum(row["tokens"].get(color, 0) for row in rows) for color in FIVE}
        return {**table(NOTHING), "supply": {**left, "gold": 5}, "players": rows}

    header = {"header": {"game": "splendor", "players": names, "start": "Ann"}}
    out = follow([header, *({"time": i, "state": lying(i)} for i in (0, *seen, 4))])
    log = standing_moves(out)
    assert [one["breaks"] for one in log] == [[]] * 4
    assert [one["who"] for one in log] == [names[i % n] for i in range(4)]
    whole = Counter(color for one in log for color in one["what"])
    assert whole == sum((Counter(one) for one in TAKEN), Counter())
    if n == 4 or {1, 3} & {*seen}:
        assert [Counter(one["what"]) for one in log] == [Counter(one) for one in TAKEN]


def test_who_can_do_nothing_passes():
    """No tokens but gold are left, three cards are kept, and none can be paid."""
    ann, short = {"kept": [{"level": 3}] * 3}, dict.fromkeys(FIVE, 2)
    bob = {"tokens": dict(short)}
    paid = {"tokens": {**bob["tokens"], "white": 0, "red": 1}, "cards": [FIRST]}
    after = table(ann, paid, bought(FIRST), short=short)
    out = answers(table(ann, bob, short=short), after, after)
    moves = [(one["who"], one["move"], one["breaks"]) for one in out if one["line"] == "move"]
    assert moves == [("Ann", "pass", []), ("Bob", "buy", [])]
    assert [one for one in out if one["line"] == "slip"] == []


IN_HAND = {
    "gold and a card of the market": (
        [{"ann": tokens(gold=1), "market": bought(FIRST)}],
        [("Ann", "keep", FIRST, "market", [])],
    ),
    "gold and a blind card": ([{"ann": tokens(gold=1)}], [("Ann", "keep", {"level": "?"}, "deck", [])]),
    "two cards": (
        [
            {"ann": tokens(gold=1), "market": bought(FIRST)},
            {"ann": tokens(gold=1), "bob": tokens(gold=1), "market": bought(FIRST)},
        ],
        [("Ann", "keep", FIRST, "market", []), ("Bob", "keep", {"level": "?"}, "deck", [])],
    ),
    "a card that was kept is bought": (
        [
            {"ann": tokens(gold=1), "market": bought(FREE)},
            {"ann": tokens(gold=1), "bob": tokens(white=2), "market": bought(FREE)},
            {"ann": {**tokens(), "cards": [FREE]}, "bob": tokens(white=2), "market": bought(FREE)},
        ],
        [
            ("Ann", "keep", FREE, "market", []), ("Bob", "tokens", None, "supply", []),
            ("Ann", "buy", FREE, "Ann.kept", []),
        ],
    ),
    "gold among other tokens": ([{"ann": tokens(gold=1, red=1)}], [("Ann", "tokens", None, "supply", ["S4"])]),
}  # fmt: skip


@pytest.mark.parametrize("name", IN_HAND)
def test_cards_are_kept_in_the_hand(name):
    """No look ever shows a kept card: gold says that one was kept, and the market which."""
    after, expected = IN_HAND[name]
    states = [hiding(table(**one), "kept") for one in [{"ann": NOTHING}, *after]]
    out = answers(*states, states[-1], states[-1])
    log = [(one["who"], one["move"], one.get("card"), one["from"], one["breaks"]) for one in standing_moves(out)]
    assert log == expected
    assert [one["breaks"] for one in out if one["line"] == "slip"] == [one[-1] for one in expected if one[-1]]


@pytest.mark.parametrize(
    ("ann", "gold"), [(tokens(white=2, blue=2, green=2, red=2, black=2), 5), (tokens(white=1), 0)], ids=["ten", "none"]
)
def test_a_card_is_kept_in_the_hand_without_gold(ann, gold):
    """Ann has ten tokens, or no gold lies there: the market alone says that a card was kept."""
    bob = tokens(white=1, blue=1, red=1)
    states = [table(ann), table(ann, market=bought(FIRST)), table(ann, bob, market=bought(FIRST))]
    for one in states:
        one["supply"]["gold"] = gold
    hidden = [hiding(one, "kept") for one in (*states, states[-1], states[-1])]
    out = answers(*hidden)
    log = [(one["who"], one["move"], one.get("card"), one["breaks"]) for one in standing_moves(out)]
    assert log == [("Ann", "keep", FIRST, []), ("Bob", "tokens", None, [])]
    assert [one for one in out if one["line"] == "slip"] == []


@pytest.mark.parametrize("name", [name for name, (*_, breaks) in CASES.items() if not breaks])
def test_a_lawful_turn_is_the_same_with_the_supply_beside_the_picture(name):
    """What nobody has lies in the supply."""
    before, after, fields, _ = CASES[name]
    bob = {"tokens": {"green": 1, "blue": 1, "white": 1}}
    states = [hiding(table(**one), "supply") for one in ({"ann": before}, after, {**after, "bob": bob})]
    out = answers(*states, states[-1])
    log = standing_moves(out)
    assert [one["who"] for one in log] == ["Ann", "Bob"]
    assert {key: log[0].get(key) for key in fields} == fields
    assert [one for one in out if one["line"] == "slip"] == []


def test_of_whom_no_look_shows_the_tokens_nobody_is_told_to_have_taken_or_paid_wrongly():
    """Ann takes tokens twice and buys, Bob takes twice: lawful, and only the supply and the cards are in sight."""
    sides = [
        (NOTHING, NOTHING),
        (tokens(white=1, blue=1, red=1), NOTHING),
        (tokens(white=1, blue=1, red=1), tokens(black=2)),
        (tokens(white=2, blue=1, red=1, green=1, black=1), tokens(black=2)),
        (tokens(white=2, blue=1, red=1, green=1, black=1), tokens(black=2, white=1, green=1, red=1)),
        ({**tokens(blue=1, green=1, black=1), "cards": [FIRST]}, tokens(black=2, white=1, green=1, red=1)),
    ]
    tables = [table(ann, bob, market=bought(FIRST) if "cards" in ann else MARKET) for ann, bob in sides]
    states = [hiding(one, "tokens") for one in tables]
    out = answers(*states, states[-1], states[-1])
    assert [(one["who"], one["breaks"]) for one in out if one["line"] == "slip"] == []


BANK = {  # name: lines of looks as Ann, Bob, doubtful; the log; readings put right
    "a doubtful token of Ann's and a sure one of Bob's": (
        [
            (tokens(gold=1), NOTHING, ()),
            (tokens(blue=1), tokens(red=2, black=1), ["/players/0/tokens/blue"]),
            *[(tokens(gold=1), tokens(red=1, green=1, black=1), ())] * 3,
        ],
        [("Bob", ["black", "green", "red"])],
        {("/players/0/tokens/blue", "gold"), ("/players/1/tokens/red", "green")},
    ),
    "more of a color than there are, where the supply holds other tokens than before": (
        [
            (tokens(black=3, white=1), tokens(black=1), ()),
            (tokens(black=3, white=1, red=1, blue=1, green=1), tokens(black=1), ()),
            (
                tokens(black=4, red=1, blue=1, green=1),
                tokens(black=1, white=1, green=1, red=1),
                ["/players/0/tokens/black"],
            ),
            *[(tokens(black=3, white=1, red=1, blue=1, green=1), tokens(black=1, white=1, green=1, red=1), ())] * 3,
        ],
        [("Ann", ["blue", "green", "red"]), ("Bob", ["green", "red", "white"])],
        {("/players/0/tokens/black", "white")},
    ),
}


@pytest.mark.parametrize("name", BANK)
def test_without_the_supply_what_was_misread_is_no_slip(name):
    looks, turns, right = BANK[name]
    header = {"game": "splendor", "players": ["Ann", "Bob"], "start": turns[0][0]}
    states = [(hiding(table(ann, bob), "supply"), flagged) for ann, bob, flagged in looks]
    lines = [{"time": i, "state": one, "doubtful": [*flagged]} for i, (one, flagged) in enumerate(states)]
    out = follow([{"header": header}, *lines])
    assert [(one["who"], sorted(one["what"])) for one in standing_moves(out)] == turns
    assert [line for line in out if line["line"] == "slip"] == []
    assert {(line["at"], line["is"]) for line in out if line["line"] == "corrected"} == right


def test_without_the_supply_what_lies_there_after_a_change_by_nobody_is_what_nobody_has():
    """No turn explains the tokens that both have then; four white ones lie there again, of which Ann takes two."""
    sides = [
        (NOTHING, NOTHING), (tokens(white=2), NOTHING), (tokens(white=2), tokens(black=2)),
        *[(tokens(green=1), tokens(green=1, blue=1, red=2))] * 3,
        *[(tokens(green=1, white=2), tokens(green=1, blue=1, red=2))] * 3,
        *[(tokens(green=1, white=2), tokens(green=1, blue=1, red=2, black=2))] * 3,
    ]  # fmt: skip
    states = [hiding(table(ann, bob), "supply") for ann, bob in sides]
    header = {"game": "splendor", "players": ["Ann", "Bob"], "start": "Ann"}
    out = follow([{"header": header}, *({"time": i, "state": one} for i, one in enumerate(states))])
    log = [(one["who"], one["move"], one["what"]) for one in standing_moves(out)]
    assert [line for line in log if line[0] is not None] == [
        ("Ann", "tokens", ["white", "white"]), ("Bob", "tokens", ["black", "black"]),
        ("Ann", "tokens", ["white", "white"]), ("Bob", "tokens", ["black", "black"]),
    ]  # fmt: skip
    assert [line for line in out if line["line"] == "slip"] == []
    assert standing_moves(out)[-1]["state"]["supply"] == {
        "white": 2, "blue": 3, "green": 2, "red": 2, "black": 2, "gold": 5,
    }  # fmt: skip


BACK = {"level": 1}
OTHER = card(1, "red", blue=4)
RICH = {"tokens": {"green": 1, "blue": 3}, "cards": OWN}
HOLDS = {"tokens": {"green": 1, "blue": 3, "gold": 1}, "cards": OWN, "kept": [BACK]}
GREEN_PAID = {"tokens": {"blue": 3, "gold": 1}, "cards": [*OWN, FREE]}
BLUE_PAID = {"tokens": {"green": 1}, "cards": [*OWN, OTHER]}
WITH_RED = {**HOLDS, "tokens": {**HOLDS["tokens"], "red": 1}}
KEPT_TOGETHER = {  # name: what Ann and Bob have in the looks after that in which both kept a card; whose was which
    "nobody has bought one": ([], [BACK, BACK]),
    "Ann bought the one": ([(GREEN_PAID, HOLDS)], [FREE, OTHER]),
    "Ann bought the other one": ([(BLUE_PAID, HOLDS)], [OTHER, FREE]),
    "Bob bought the one": ([(WITH_RED, HOLDS), (WITH_RED, GREEN_PAID)], [OTHER, FREE]),
}


@pytest.mark.parametrize("name", KEPT_TOGETHER)
def test_of_cards_kept_in_one_look_nobody_knows_whose_is_which_until_one_is_bought(name):
    later, faces = KEPT_TOGETHER[name]
    market = [*(one for one in MARKET if one not in (FREE, OTHER)), NEW, card(1, "white", blue=3)]
    held = [table(*sides, market, NOBLES[1:], short={"green": 2, "blue": 6}) for sides in [(HOLDS, HOLDS)] * 3 + later]
    looks = [table(RICH, RICH, nobles=NOBLES[1:], short={"green": 2, "blue": 6}), *held, held[-1]]
    header = {"game": "splendor", "players": ["Ann", "Bob"], "start": "Ann"}
    out = follow([{"header": header}, *({"time": i, "state": one} for i, one in enumerate(looks))])
    first = [one for one in out if one["line"] == "move"][:2]
    assert [(one["who"], one["card"], one["state"]["players"][p]["kept"]) for p, one in enumerate(first)] == [
        ("Ann", BACK, [BACK]), ("Bob", BACK, [BACK]),
    ]  # fmt: skip
    assert [one["card"] for one in standing_moves(out) if one["move"] == "keep"] == faces
    assert [one for one in out if one["line"] in ("question", "slip")] == []
