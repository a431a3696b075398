"""Splendor: what one turn is called in the log, each key of its line; lawful turns and breaches side by side."""

import pytest

from referee import follow

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
    log = []
    for one in out:
        if one["line"] == "replaced":
            del log[one["from"] - 1 :]
        elif one["line"] == "move":
            log.append(one)
    assert [one["who"] for one in log] == ["Ann", "Bob"]
    assert [one["who"] for one in out if one["line"] == "slip"] == ["Ann"] * bool(log[0]["breaks"])
    assert log[0]["legal"] is (not log[0]["breaks"])
    assert (log[0]["turn"], log[0]["round"], log[0]["look"]) == (1, 1, 1)
    return log[0]


def tokens(**n):
    return {"tokens": n}


NOTHING = tokens()
CASES = {
    "three colors": (NOTHING, {"ann": tokens(white=1, blue=1, red=1)}, {
        "move": "tokens", "what": ["white", "blue", "red"], "returned": [], "from": "supply", "to": "Ann",
    }, []),
    "two of four": (NOTHING, {"ann": tokens(black=2)}, {"move": "tokens", "what": ["black", "black"]}, []),
    "two of three": (tokens(black=1), {"ann": tokens(black=3)}, {"move": "tokens", "what": ["black", "black"]}, ["S4"]),
    "three of four": (NOTHING, {"ann": tokens(black=3)}, {"move": "tokens", "what": ["black"] * 3}, ["S4"]),
    "four colors": (NOTHING, {"ann": tokens(white=1, blue=1, green=1, red=1)}, {"move": "tokens"}, ["S4"]),
    "two and one": (NOTHING, {"ann": tokens(white=2, blue=1)}, {"move": "tokens"}, ["S4"]),
    "gold": (NOTHING, {"ann": tokens(gold=1)}, {"move": "tokens", "what": ["gold"]}, ["S4"]),
    "gold and another": (NOTHING, {"ann": tokens(gold=1, red=1)}, {"move": "tokens", "what": ["red", "gold"]}, ["S4"]),
    "one only": (NOTHING, {"ann": tokens(white=1)}, {"move": "tokens", "what": ["white"]}, []),
    "ten, and two back": (
        tokens(white=3, blue=3, red=3), {"ann": tokens(white=3, blue=2, red=2, green=1, black=2)},
        {"move": "tokens", "returned": ["blue", "red"]}, ["S4"],
    ),
    "nine, and two back": (
        tokens(white=3, blue=3, red=3), {"ann": tokens(white=2, blue=2, red=4, green=1, black=1)},
        {"move": "tokens", "what": ["green", "red", "black"], "returned": ["white", "blue"]}, [],
    ),
    "twelve": (
        tokens(white=3, blue=3, red=3), {"ann": tokens(white=3, blue=3, red=3, green=3)},
        {"move": "tokens"}, ["S4", "S8"],
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
    "a card with gold": (
        tokens(white=1, gold=2), {"ann": {"cards": [FIRST]}, "market": bought(FIRST)},
        {"move": "buy", "paid": {"white": 1, "gold": 2}}, [],
    ),
    "a card with bonuses": (
        {**tokens(white=1), "cards": OWN}, {"ann": {"cards": [*OWN, FIRST]}, "market": bought(FIRST)},
        {"move": "buy", "paid": {"white": 1}}, [],
    ),
    "a card paid in full in spite of bonuses": (
        {**tokens(white=2, red=1), "cards": OWN}, {"ann": {"cards": [*OWN, FIRST]}, "market": bought(FIRST)},
        {"move": "buy", "paid": {"white": 2, "red": 1}}, ["S5"],
    ),
    "a card for another color": (
        tokens(white=2, black=1), {"ann": {"cards": [FIRST]}, "market": bought(FIRST)},
        {"move": "buy", "paid": {"white": 2, "black": 1}}, ["S5"],
    ),
    "a card and a token": (
        tokens(white=2, red=1), {"ann": {**tokens(blue=1), "cards": [FIRST]}, "market": bought(FIRST)},
        {"move": "buy", "card": FIRST}, ["S3"],
    ),
    "kept": (NOTHING, {"ann": {**tokens(gold=1), "kept": [{"level": 1}]}, "market": bought(FIRST)}, {
        "move": "keep", "card": FIRST, "gold": 1, "returned": [], "from": "market", "to": "Ann.kept", "refill": [NEW],
    }, []),
    "kept from a deck": (NOTHING, {"ann": {**tokens(gold=1), "kept": [{"level": 2}]}}, {
        "move": "keep", "card": {"level": 2}, "from": "deck", "to": "Ann.kept",
    }, []),
    "kept without gold": (NOTHING, {"ann": {"kept": [{"level": 1}]}, "market": bought(FIRST)}, {
        "move": "keep", "gold": 0,
    }, ["S6"]),
    "kept with two gold": (NOTHING, {"ann": {**tokens(gold=2), "kept": [{"level": 1}]}, "market": bought(FIRST)}, {
        "move": "keep", "gold": 2,
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
        "market": bought(FIRST)}, {"move": "keep", "gold": 1, "returned": ["red"]}, [],
    ),
    "kept with eleven": (
        {"tokens": FULL}, {"ann": {"tokens": {**FULL, "gold": 1}, "kept": [{"level": 1}]}, "market": bought(FIRST)},
        {"move": "keep", "gold": 1, "returned": []}, ["S8"],
    ),
    "a kept card bought": (
        {**tokens(white=2, red=1), "kept": [FIRST]}, {"ann": {"cards": [FIRST], "kept": []}},
        {"move": "buy", "card": FIRST, "from": "Ann.kept", "paid": {"white": 2, "red": 1}}, [],
    ),
    "a noble comes": (
        {**tokens(green=1), "cards": OWN[:1]},
        {"ann": {"cards": [*OWN[:1], FREE], "nobles": NOBLES[:1]}, "market": bought(FREE), "nobles": NOBLES[1:]},
        {"move": "buy", "paid": {"green": 1}, "noble": {"white": 1, "blue": 1}}, [],
    ),
    "a noble is left lying": (
        {**tokens(green=1), "cards": OWN[:1]}, {"ann": {"cards": [*OWN[:1], FREE]}, "market": bought(FREE)},
        {"move": "buy", "paid": {"green": 1}}, ["S9"],
    ),
    "a noble who is not met": (
        {**tokens(green=1), "cards": OWN[:1]},
        {"ann": {"cards": [*OWN[:1], FREE], "nobles": NOBLES[1:]}, "market": bought(FREE), "nobles": NOBLES[:1]},
        {"move": "buy", "noble": {"red": 3, "black": 3}}, ["S9"],
    ),
    "both nobles": (
        {**tokens(green=1), "cards": OWN[:1]},
        {"ann": {"cards": [*OWN[:1], FREE], "nobles": NOBLES}, "market": bought(FREE), "nobles": []},
        {"move": "buy"}, ["S9"],
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", CASES)
def test_a_turn_is_called_what_it_is(name):
    before, after, expected, breaks = CASES[name]
    said = line({"ann": before}, after)
    assert said["breaks"] == breaks
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
