"""Splendor: slips that only a whole table shows, each with its lawful twin, and of who made it."""

import pytest
from standing_log import standing_moves

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
    log = [(line["who"], line["move"], line["breaks"]) for line in standing_moves(out)]
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


MIXED = [*MARKET[1:], card(2, 9)]
"""Ann's card of level 1 was replaced by one of level 2: three, five and four lie there."""


@pytest.mark.parametrize(
    ("bought", "level", "slips"),
    [
        pytest.param(MARKET[4], 1, [], id="that puts it right"),
        pytest.param(MARKET[4], 2, [], id="its own deck"),
        pytest.param(MARKET[4], 3, [("Ann", "S7")], id="a full level"),
        pytest.param(MARKET[1], 2, [("Ann", "S7")], id="once more"),
    ],
)
def test_a_place_that_was_filled_wrongly_excuses_no_further_one(bought, level, slips):
    before = {"tokens": dict(bought["price"])}
    filled = [one for one in MIXED if one is not bought] + [card(level, 13)]
    after = {"tokens": {}, "cards": [bought]}
    log, told = answers(
        table(Ann=before, Bob=ASIDE, market=MIXED),
        table(Ann=after, Bob=ASIDE, market=filled),
        table(Ann=after, Bob=NEXT, market=filled),
        table(Ann={**after, "tokens": {"white": 1, "blue": 1, "black": 1}}, Bob=NEXT, market=filled),
    )
    assert told == slips
    assert [(who, move) for who, move, _ in log] == [("Ann", "buy"), ("Bob", "tokens"), ("Ann", "tokens")]


def test_of_two_kept_cards_the_one_that_was_seen_goes():
    """Bob kept a card before the first look and another one in sight; he buys this one, then pays for the other one."""
    unseen = card(1, 20, red=1)
    kept, back = [{"level": 1}, {"level": 1}], [{"level": 1}]
    has = {"white": 1, "red": 1, "gold": 1}
    bob = {"tokens": {"red": 1}, "cards": [MARKET[0]], "kept": back}
    takes = ((), ("green",), ("green", "black"), ("green", "black", "blue"))
    ann = [{"tokens": dict.fromkeys(colors, 2)} for colors in takes]
    market = [*MARKET[1:], card(1, 9)]
    gold = {"gold": 4}
    log, told = answers(
        table(Ann=ann[0], Bob={"tokens": {"white": 1, "red": 1}, "kept": back}),
        table(Ann=ann[1], Bob={"tokens": {"white": 1, "red": 1}, "kept": back}),
        table(gold, market, Ann=ann[1], Bob={"tokens": has, "kept": kept}),
        table(gold, market, Ann=ann[2], Bob={"tokens": has, "kept": kept}),
        table({}, market, Ann=ann[2], Bob=bob),
        table({}, market, Ann=ann[3], Bob=bob),
        *[table({}, market, Ann=ann[3], Bob={**bob, "tokens": {}})] * 3,
        table({}, market, Ann=ann[3], Bob={"tokens": {}, "cards": [MARKET[0], unseen], "kept": []}),
    )
    assert told == []
    assert [move for who, move, _ in log if who == "Ann"] == ["tokens"] * 3
    assert [move for who, move, _ in log if who == "Bob"] == ["keep", "buy", "buy"]


COVERED = {"name": "Ann"}


@pytest.mark.parametrize(
    ("market", "ann", "move"),
    [
        pytest.param(MARKET, {"tokens": {"white": 3, "blue": 1, "red": 1}}, "tokens", id="tokens"),
        pytest.param(
            [*MARKET[1:], card(1, 9)], {"tokens": {"white": 2, "gold": 1}, "kept": [{"level": 1}]}, "keep", id="keep"
        ),
        pytest.param([*MARKET[1:], card(1, 9)], {"tokens": {}, "cards": [MARKET[0]]}, "buy", id="buy"),
    ],
)
def test_what_others_lack_is_before_whoever_is_covered(market, ann, move):
    """A hand lies over Ann's things while she moves and Bob after her: nobody moved out of turn."""
    supply = {"gold": 4} if move == "keep" else {}
    moved = table(supply, market, Ann=ann, Bob=NEXT)
    covered = {**moved, "players": [COVERED, moved["players"][1]]}
    bob = {"tokens": {**NEXT["tokens"], "black": 2}}
    log, told = answers(table(Ann=BEFORE, Bob=ASIDE), covered, moved, table(supply, market, Ann=ann, Bob=bob))
    assert told == [("Bob", "S3")]  # his second turn
    assert [(who, kind) for who, kind, _ in log] == [("Ann", move), ("Bob", "tokens"), ("Bob", "tokens")]


def test_a_covered_supply_is_what_nobody_has():
    moved = table(Ann=ASIDE, Bob={})
    covered = {key: value for key, value in moved.items() if key != "supply"}
    log, told = answers(table(), covered, table(Ann=ASIDE, Bob=ASIDE))
    assert (log, told) == ([("Ann", "tokens", []), ("Bob", "tokens", [])], [])


def test_a_turn_seen_with_another_one_goes_on():
    """Nine tokens: the look that shows Ann's turn shows Bob's first token, the next one what else came and went."""
    has = {"white": 3, "blue": 3, "black": 3}
    begun, whole = {**has, "green": 1}, {"white": 4, "blue": 2, "black": 2, "green": 1, "red": 1}
    ann = {"tokens": {"green": 1, "red": 1, "blue": 1}}
    log, told = answers(
        table(Bob={"tokens": has}),
        table(Ann=ann, Bob={"tokens": begun}),
        table(Ann=ann, Bob={"tokens": whole}),
        table(Ann={"tokens": {"green": 2, "red": 2, "blue": 2}}, Bob={"tokens": whole}),
    )
    assert told == []
    assert log == [("Ann", "tokens", []), ("Bob", "tokens", []), ("Ann", "tokens", [])]


RICH = [{**card(3, n), "points": 5} for n in range(4)]
TAKE, FURTHER = {"blue": 1, "green": 1, "red": 1}, {"blue": 2, "green": 2, "red": 2}


@pytest.mark.parametrize(
    ("known", "ann", "bob", "slips"),
    [
        pytest.param(True, 3, 0, [("Ann", "S10")], id="Ann has fifteen, Bob had his turn, and Ann goes on"),
        pytest.param(True, 2, 3, [("Ann", "S10")], id="Bob has fifteen: the round is over at once"),
        pytest.param(True, 2, 2, [], id="nobody has fifteen"),
        pytest.param(False, 3, 0, [], id="who began is not known"),
    ],
)
def test_after_the_last_round_nobody_moves(known, ann, bob, slips):
    def lying(mine, theirs, a, b):
        return table(Ann={"tokens": mine, "cards": [*RICH[:a], *MARKET[:1]]}, Bob={"tokens": theirs, "cards": RICH[:b]})

    out = follow(
        [
            {"header": {"game": "splendor", "players": ["Ann", "Bob"], **({"start": "Ann"} if known else {})}},
            *({"time": i, "state": one} for i, one in enumerate([
                lying({}, {}, ann, bob), lying(TAKE, {}, ann, bob), lying(TAKE, TAKE, ann, bob),
                *[lying(FURTHER, TAKE, ann, bob)] * 3,
            ])),
        ]
    )  # fmt: skip
    assert [(line["who"], line["breaks"][0]) for line in out if line["line"] == "slip"] == slips
    moves = [line["breaks"] for line in out if line["line"] == "move"]
    assert moves == [[], [], ["S10"] if slips else []]


@pytest.mark.parametrize("doubtful", [True, False])
def test_where_the_supply_is_covered_a_doubtful_token_is_read_again(doubtful):
    lay, whole = table(Ann={"tokens": {"white": 1}}), table(Ann={"tokens": {"white": 1}}, Bob=ASIDE)
    odd = table(Ann={"tokens": {"red": 1}})
    del odd["supply"]
    at = ["/players/0/tokens/red"]
    out = follow(
        [
            {"header": {"game": "splendor", "players": ["Ann", "Bob"], "start": "Bob"}},
            {"time": 1, "state": lay},
            {"time": 2, "state": odd, "doubtful": at if doubtful else []},
            *({"time": 3 + n, "state": whole} for n in range(3)),
        ]
    )
    assert [line["at"] for line in out if line["line"] == "corrected"] == at
    assert [line for line in out if line["line"] == "slip"] == []
    assert [(line["who"], line["breaks"]) for line in out if line["line"] == "move"] == [("Bob", [])]
