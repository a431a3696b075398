"""Table states that must be refused: the text, the place that the complaint names, what it expects (its key)."""

import json


def state(players, **fields):
    return {"game": "twelve-seekers", "rule": 1, "players": players, **fields}


def seekers(rule=1, **player):
    return state([{"name": "A", **({"gems": {}} if rule < 7 else {}), **player}], rule=rule)


def ruin(**player):
    blank = {"name": "A", "map": ["." * 11] * 11, "escaped": None}
    letters = {"A": [0, 0], "B": [0, 1]}
    return {"game": "in-the-ruin", "letters": letters, "players": [{**blank, **player}]}


def demon(fields=(), **player):
    a = {"name": "A", "open": [["H1", "H1", "H1"]], "hand": ["D2", "D3", "D4", "A5", "A5", "A5r", "I1", "I1"]}
    head = {"game": "human-angel-demon", "winner": "A", "won_by": "take"}
    return {**head, **dict(fields), "players": [{**a, **player}, {"name": "B"}]}


def splendor(**player):
    return {"game": "splendor", "players": [{"name": "A", **player}]}


def igna(cards=(), **fields):
    return {"game": "igna", "players": [{"name": "A", "sets": [list(cards)]}], **fields}


BY_DISCARD = {"won_by": "discard", "discarder": "B"}.items()
EXCESS = state([{"name": "A", "gems": {"red": 4}}, {"name": "B", "gems": {"red": 4}}])

STATES = [
    # the whole
    ([], "", "object"),
    (None, "", "object"),
    ({}, "/game", "field"),
    ({"game": "go"}, "/game", "one-of"),
    ({"game": ["igna"]}, "/game", "one-of"),
    ({"game": "igna"}, "/players", "field"),
    ({"game": "igna", "players": []}, "/players", "players"),
    ({"game": "igna", "players": {}}, "/players", "players"),
    ({"game": "igna", "players": [[]]}, "/players/0", "object"),
    ({"game": "igna", "players": [{}]}, "/players/0/name", "field"),
    ({"game": "igna", "players": [{"name": 3}]}, "/players/0/name", "text"),
    ({"game": "igna", "players": [{"name": " "}]}, "/players/0/name", "text"),
    ({"game": "igna", "players": [{"name": "A"}, {"name": "A"}]}, "/players/1/name", "own-name"),
    ({"game": "igna", "players": [{"name": "A"}], "wins": 1}, "/wins", "known-key"),
    (seekers() | {"house_rules": []}, "/house_rules", "object"),
    (seekers() | {"house_rules": {"luck": "yes"}}, "/house_rules/luck", "house-rule"),
    (seekers() | {"house_rules": {"gold": "yes"}}, "/house_rules/gold", "one-of"),
    # twelve seekers
    (state([], rule=1), "/players", "players"),
    (seekers() | {"rule": 21}, "/rule", "number-between"),
    (seekers() | {"rule": 0}, "/rule", "number-between"),
    (seekers() | {"rule": 1.0}, "/rule", "number-between"),
    (seekers() | {"rule": True}, "/rule", "number-between"),
    (seekers() | {"rule": "1"}, "/rule", "number-between"),
    ({"game": "twelve-seekers", "players": []}, "/rule", "field"),
    (state([{"name": "A"}]), "/players/0/gems", "field"),
    (state([{"name": "A"}], rule=7), "/players/0/line", "field"),
    (state([{"name": "A", "invalid": {}}], rule=19), "/players/0/valid", "field"),
    (seekers(line=[]), "/players/0/line", "known-key"),
    (seekers(7, line=[], gems={}), "/players/0/gems", "known-key"),
    (seekers(gems=[]), "/players/0/gems", "object"),
    (seekers(gems={"pink": 1}), "/players/0/gems/pink", "one-of"),
    (seekers(gems={"gold": 1}), "/players/0/gems/gold", "one-of"),
    (seekers(gems={"red": 8}), "/players/0/gems/red", "number-between"),
    (seekers(gems={"red": -1}), "/players/0/gems/red", "number-between"),
    (seekers(gems={"red": 3.0}), "/players/0/gems/red", "number-between"),
    (seekers(gems={"red": True}), "/players/0/gems/red", "number-between"),
    (seekers(gems={"rainbow": 2}), "/players/0/gems/rainbow", "number-between"),
    (seekers(gems={"a/b": 1}), "/players/0/gems/a~1b", "one-of"),
    (EXCESS, "/players", "in-the-box-together"),
    (seekers(7, line="red"), "/players/0/line", "list"),
    (seekers(7, line=["gold"]), "/players/0/line/0", "one-of"),
    (seekers(7, line=[["red"]]), "/players/0/line/0", "one-of"),
    (seekers(7, line=["red"] * 8), "/players/0/line", "in-the-box"),
    (seekers(7, line=["rainbow"] * 2), "/players/0/line", "in-the-box"),
    (seekers(19, valid={"red": 4}, invalid={"red": 4}), "/players/0/valid/red", "in-the-box"),
    (seekers(gold=4), "/players/0/gold", "number-between"),
    (seekers(gold=None), "/players/0/gold", "number-between"),
    (state([{"name": n, "gems": {}, "gold": 2} for n in "AB"]), "/players", "in-the-box-together"),
    (seekers(seekers=[6]), "/players/0/seekers/0", "seeker"),
    (seekers(seekers=["thief"]), "/players/0/seekers/0", "seeker"),
    (seekers(seekers=[True]), "/players/0/seekers/0", "seeker"),
    (seekers(seekers=3), "/players/0/seekers", "list"),
    (seekers(chips=1.5), "/players/0/chips", "whole"),
    (seekers(chips=10**4000), "/players/0/chips", "number-between"),
    (seekers(chips=-(10**9) - 1), "/players/0/chips", "number-between"),
    (seekers(bonuses={}), "/players/0/bonuses", "list"),
    (seekers(bonuses=[{"seeker": "steal-one", "gems": ["red"]}]), "/players/0/bonuses/0/seeker", "one-of"),
    (seekers(bonuses=[{"seeker": "pair", "gems": ["red"]}]), "/players/0/bonuses/0/gems", "bonus-gems"),
    (seekers(bonuses=[{"seeker": "pair"}]), "/players/0/bonuses/0/gems", "field"),
    (seekers(bonuses=[{"seeker": "pair", "gems": ["rainbow"] * 2}]), "/players/0/bonuses/0/gems", "in-the-box"),
    (seekers(bonuses=[{"seeker": "first-of-kind", "gems": ["red"]}]), "/players/0/bonuses/0/held", "field"),
    (
        seekers(bonuses=[{"seeker": "pair", "gems": ["red"] * 2, "held": []}]),
        "/players/0/bonuses/0/held",
        "held-only-there",
    ),
    (seekers(color_cards=["pink"]), "/players/0/color_cards/0", "one-of"),
    (seekers(16, line=[], color_cards=["red", "red"]), "/players/0/color_cards", "color-cards"),
    (seekers(choices=[]), "/players/0/choices", "object"),
    (seekers(choices={"luck": 1}), "/players/0/choices/luck", "choice"),
    (seekers(choices={"number": 1}), "/players/0/choices/number", "choice"),
    (seekers(choices={"rainbow": "gold"}), "/players/0/choices/rainbow", "one-of"),
    (seekers(20, valid={}, choices={"rainbow": "red"}), "/players/0/choices/rainbow", "choice"),
    (seekers(6, choices={"number": 0}), "/players/0/choices/number", "number-between"),
    (
        state([{"name": "A", "gems": {"red": 1}, "choices": {"plus": "red"}}], rule=13),
        "/players/0/choices",
        "legal-choice",
    ),
    (
        state([{"name": "A", "gems": {}, "color_cards": ["red"], "choices": {"plus": "red"}}], rule=15),
        "/players/0/choices/plus",
        "two-colors",
    ),
    # in the ruin
    (ruin(map=["." * 11] * 10), "/players/0/map", "map"),
    (ruin(map=["." * 12] * 11), "/players/0/map/0", "map-row"),
    (ruin(map=["O" * 11] * 11), "/players/0/map/0", "map-row"),
    (ruin(gems=1.0), "/players/0/gems", "number"),
    (ruin(gems=10**9 + 1), "/players/0/gems", "number-at-most"),
    (ruin(escaped=0), "/players/0/escaped", "number"),
    (ruin(first_square=-1), "/players/0/first_square", "number-between"),
    (ruin(goals=[["A", "B", "A"]]), "/players/0/goals/0", "goal"),
    (ruin(goals=[["A", "C"]]), "/players/0/goals/0/1", "one-of"),
    (ruin(destinations=["A", "A"]), "/players/0/destinations/1", "not-twice"),
    (ruin() | {"letters": {"A": [0]}}, "/letters/A", "cell"),
    (ruin() | {"letters": {"A": [0, 11]}}, "/letters/A/1", "number-between"),
    (ruin() | {"letters": {"A": [0, 0], "B": [0, 0]}}, "/letters/B", "own-cell"),
    (ruin() | {"letters": {"AB": [0, 0]}}, "/letters/AB", "letter"),
    (ruin() | {"charge_blocks": 1}, "/charge_blocks", "flag"),
    # human angel demon
    (demon(hand=["H1"] * 8), "/players/0/hand/0", "had-box"),
    (demon(hand=["H8"]), "/players/0/hand/0", "had-card"),
    (demon(hand=["D2"]), "/players/0/hand", "goal-form"),
    (demon(open=[["H1", "H2"]]), "/players/0/open/0", "big-set"),
    (demon({"winner": "C"}), "/winner", "one-of"),
    (demon({"won_by": None}), "/won_by", "one-of"),
    (demon({"discarder": "B"}), "/discarder", "no-discarder"),
    (demon({"won_by": "discard"}, ready=True, winning_card="D2"), "/discarder", "discarder"),
    (demon(BY_DISCARD, ready=True), "/players/0/winning_card", "field"),
    (demon({"item_win": [1, 1]}), "/item_win/1", "not-twice"),
    # splendor
    (splendor(cards=[{"bonus": "gold"}]), "/players/0/cards/0/bonus", "one-of"),
    (splendor(nobles="2"), "/players/0/nobles", "nobles"),
    (splendor(nobles=10**4000), "/players/0/nobles", "number-at-most"),
    (splendor(nobles=[{}]), "/players/0/nobles/0", "noble"),
    (splendor(nobles=[{"red": 19}]), "/players/0/nobles/0/red", "number-between"),
    (splendor(tokens={"red": 41}), "/players/0/tokens", "tokens"),
    (splendor(tokens={"pink": 1}), "/players/0/tokens/pink", "known-key"),
    (splendor(reserved=91), "/players/0/reserved", "number-between"),
    # igna
    (igna(["red1", "red2"]), "/players/0/sets/0", "igna-set"),
    (igna(["red1", "red1", "3red"]), "/players/0/sets/0/2", "igna-card"),
    (igna(points={"same": -1}), "/points/same", "number"),
]  # fmt: skip

TEXTS = [
    (b"", "", "json-end"),
    (b"{", "", "json-end"),
    (b"{]", "", "json"),
    (b"points: 3", "", "json"),
    (b'{"game": "igna"} {}', "", "json"),
    (b"\xff\xfe{}", "", "utf-8"),
    (b"\xef\xbb\xbf{}", "", "no-byte-order-mark"),
    (b'{"game": "igna", "game": "igna"}', "", "key-once"),
    (b'{"game": NaN}', "", "finite"),
    (b'{"game": -Infinity}', "", "finite"),
    (b"[" * 100_000, "", "shallow"),
    (b'{"a":' * 100_000, "", "shallow"),
    (b'{"rule": ' + b"9" * 5000 + b"}", "", "short-numbers"),
    (b'{"game": 1e999}', "/game", "one-of"),
]

ALL = TEXTS + [(json.dumps(value).encode(), place, key) for value, place, key in STATES]
