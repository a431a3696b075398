"""Splendor: slips that only a whole table shows, each with its lawful twin, and of who made it."""

import pytest

from referee import follow

FIVE = ("white", "blue", "green", "red", "black")


def card(level, n, bonus="white", **price):
    return {"level": level, "price": price or {FIVE[n % 5]: level + 1 + n // 5}, "points": 0, "bonus": bonus}


MARKET = [card(level, n) for level in (1, 2, 3) for n in range(4)]


def table(supply=(), market=MARKET, **players):
    tokens = {"Ann": {}, "Bob": {}}
    rows = []
    for name in tokens:
        here = players.get(name, {})
        rows.append({"name": name, "cards": [], "nobles": [], "tokens": {}, "kept": [], **here})
    left = dict.fromkeys(FIVE, 4) | {"gold": 5}
    for row in rows:
        for color, n in row["tokens"].items():
            left[color] -= n
    return {
        "game": "splendor",
        "supply": left | dict(supply),
        "market": list(market),
        "nobles_left": [],
        "decks": [1, 2, 3],
        "players": rows,
    }


def answers(*tables):
    out = follow(
        [{"header": {"game": "splendor", "players": ["Ann", "Bob"], "start": "Ann"}}]
        + [{"time": i, "state": one} for i, one in enumerate(tables)]
    )
    log = []
    for line in out:
        if line["line"] == "replaced":
            del log[line["from"] - 1 :]
        elif line["line"] == "move":
            log.append((line["who"], line["move"], line["breaks"]))
    return log, [(line["who"], line["breaks"][0]) for line in out if line["line"] == "slip"]


PAID = {"tokens": {}, "cards": [MARKET[0]]}
BEFORE = {"tokens": {"white": 2}}
ASIDE = {"tokens": {"blue": 1, "green": 1, "red": 1}}
NEXT = {"tokens": {"blue": 2, "green": 2, "red": 2}}


@pytest.mark.parametrize(("level", "slips"), [(1, []), (2, [("Ann", "S7")]), (3, [("Ann", "S7")])])
def test_an_empty_place_is_filled_from_its_own_deck(level, slips):
    filled = [*MARKET[1:], card(level, 9)]
    log, told = answers(
        table(Ann=BEFORE, Bob=ASIDE),
        table(Ann=PAID, Bob=ASIDE, market=filled),
        table(Ann=PAID, Bob=NEXT, market=filled),
        table(Ann={**PAID, "tokens": {"white": 1, "blue": 1, "black": 1}}, Bob=NEXT, market=filled),
    )
    assert told == slips
    assert log == [
        ("Ann", "buy", ["S7"] if slips else []),
        ("Bob", "tokens", []),
        ("Ann", "tokens", []),
    ]


@pytest.mark.parametrize(
    ("ann", "bob", "slips"),
    [
        ({"white": 1, "blue": 1, "green": 1}, {"red": 3}, []),
        ({"red": 1}, {"red": 2}, [("Ann", "S3")]),
        ({"white": 1, "blue": 1, "green": 1, "red": 1}, {"red": 2}, [("Ann", "S3")]),
    ],
)
def test_tokens_come_from_the_supply_alone(ann, bob, slips):
    end = {**bob, "white": 1, "blue": 1, "black": 1}
    log, told = answers(
        table(Bob={"tokens": {"red": 3}}),
        table(Ann={"tokens": ann}, Bob={"tokens": bob}),
        table(Ann={"tokens": ann}, Bob={"tokens": end}),
        table(Ann={"tokens": {**ann, "black": 1, "green": ann.get("green", 0) + 1}}, Bob={"tokens": end}),
    )
    assert told == slips
    assert [(who, bool(breaks)) for who, _, breaks in log][:2] == [("Ann", bool(slips)), ("Bob", False)]


KEPT = {"tokens": {"gold": 1}, "kept": [{"level": 1}]}
GOLD = {"gold": 4}


@pytest.mark.parametrize(
    ("after", "slips"),
    [
        pytest.param([table(GOLD, MARKET[1:], Ann=KEPT)], [], id="the card comes after the gold"),
        pytest.param([table(GOLD, Ann={"tokens": {"gold": 1}}, Bob=ASIDE)], [("Ann", "S4")], id="no card comes"),
    ],
)
def test_gold_is_taken_with_a_card_to_keep(after, slips):
    _, told = answers(table(), table(GOLD, Ann={"tokens": {"gold": 1}}), *after)
    assert told == slips


def test_whoever_took_the_token_is_told_not_who_lost_it():
    ann, bob = {"tokens": {"white": 1, "blue": 1, "red": 1}}, {"red": 1}
    turn = {"tokens": {**bob, "white": 1, "blue": 1, "black": 1}}
    further = {"tokens": {"white": 2, "blue": 2, "red": 1, "green": 1}}
    log, told = answers(
        table(Bob={"tokens": {"red": 2}}),
        table(Ann=ann, Bob={"tokens": bob}),
        table(Ann=ann, Bob=turn),
        table(Ann=further, Bob=turn),
    )
    assert log == [("Ann", "tokens", ["S3", "S2"]), ("Bob", "tokens", []), ("Ann", "tokens", [])]
    assert told == [("Ann", "S3")]
