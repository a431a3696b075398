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


NO_SETS = {"game": "igna", "players": [{"name": "A"}]}
R, B, X = "red", "blue", "rainbow"


def line(rule=7, **player):
    return {"game": "twelve-seekers", "rule": rule, "players": [{"name": "A", "line": [], **player}]}


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
    (seekers(gems={"red": 3.0}), "/players/0/gems/red", "number-between"),
    (seekers(gems={"rainbow": 2}), "/players/0/gems/rainbow", "number-between"),
    (seekers(gems={"a/b": 1}), "/players/0/gems/a~1b", "one-of"),
    (EXCESS, "/players", "in-the-box-together"),
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
    (demon({"start": "C"}), "/start", "one-of"),
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
    # what lies in the middle, and the rest of what a player has
    # twelve seekers: the row, the field, the order cards, the color of the round, what is out of the game
    (seekers() | {"dungeon": ["pink"]}, "/dungeon/0", "one-of"),
    (seekers() | {"dungeon": "red"}, "/dungeon", "list"),
    (seekers() | {"dungeon": [X, X]}, "/dungeon", "in-the-box"),
    (seekers(gems={R: 7}) | {"dungeon": [R]}, "/dungeon", "in-the-box"),
    (seekers(gold=3) | {"dungeon": ["gold"]}, "/dungeon", "in-the-box"),
    (seekers(gems={R: 6}) | {"dungeon": [R], "thrown": {R: 1}}, "/dungeon", "in-the-box"),
    (seekers() | {"thrown": {"gold": 1}}, "/thrown/gold", "known-key"),
    (seekers() | {"thrown": {R: 8}}, "/thrown/red", "number-between"),
    (seekers() | {"thrown": {R: -1}}, "/thrown/red", "number-between"),
    (seekers() | {"seekers_left": [6]}, "/seekers_left/0", "one-of"),
    (seekers() | {"seekers_left": [1, 0]}, "/seekers_left/1", "one-of"),
    (seekers() | {"seekers_left": [True]}, "/seekers_left/0", "one-of"),
    (seekers() | {"seekers_left": ["nobody"]}, "/seekers_left/0", "one-of"),
    (seekers() | {"order_cards": [0]}, "/order_cards/0", "one-of"),
    (seekers() | {"order_cards": [4, 5]}, "/order_cards/1", "one-of"),
    (seekers() | {"color_card": X}, "/color_card", "one-of"),
    (seekers() | {"color_card": "gold"}, "/color_card", "one-of"),
    # splendor: the supply, the open cards, the nobles there, the decks, the kept cards
    (splendor() | {"supply": {"red": 8}}, "/supply/red", "number-between"),
    (splendor() | {"supply": {"gold": 6}}, "/supply/gold", "number-between"),
    (splendor() | {"supply": {"pink": 1}}, "/supply/pink", "known-key"),
    (splendor() | {"market": [{"level": 4}]}, "/market/0/level", "number-between"),
    (splendor() | {"market": ["?", {"level": 0}]}, "/market/1/level", "number-between"),
    (splendor() | {"market": [{"points": 6}]}, "/market/0/points", "number-between"),
    (splendor() | {"market": [{"bonus": "gold"}]}, "/market/0/bonus", "one-of"),
    (splendor() | {"market": [{"price": {"red": 15}}]}, "/market/0/price/red", "number-between"),
    (splendor() | {"market": [{"price": {"gold": 1}}]}, "/market/0/price/gold", "known-key"),
    (splendor() | {"market": [{"cost": {}}]}, "/market/0/cost", "known-key"),
    (splendor() | {"market": [1]}, "/market/0", "object"),
    (splendor() | {"nobles_left": [{"gold": 1}]}, "/nobles_left/0/gold", "known-key"),
    (splendor() | {"nobles_left": [{"red": 15}]}, "/nobles_left/0/red", "number-between"),
    (splendor() | {"decks": [4]}, "/decks/0", "one-of"),
    (splendor() | {"decks": [1, 2, 3, 0]}, "/decks/3", "one-of"),
    (splendor(kept=[{"level": 5}]), "/players/0/kept/0/level", "number-between"),
    (splendor(kept=["?"], reserved=2), "/players/0/kept", "number-between"),
    (splendor(kept=["?"] * 91), "/players/0/kept", "number-between"),
    (splendor(kept="?"), "/players/0/kept", "list"),
    # human angel demon: the market, the deck, the hands
    (demon({"market": ["H8"]}), "/market/0", "had-card"),
    (demon({"market": ["?", "K1"]}), "/market/1", "had-card"),
    (demon({"deck": 101}), "/deck", "number-between"),
    (demon(hand_size=101), "/players/0/hand_size", "number-between"),
    (demon(hand_size=-1), "/players/0/hand_size", "number-between"),
    # igna: what was thrown away, what is offered, tokens, hands, adventurers
    (NO_SETS | {"discard_treasure": ["3red"]}, "/discard_treasure/0", "igna-card"),
    (NO_SETS | {"discard_igna": 1}, "/discard_igna", "list"),
    (NO_SETS | {"laid": "red"}, "/laid", "igna-card"),
    (NO_SETS | {"players": [{"name": "A", "tokens": 201}]}, "/players/0/tokens", "number-between"),
    (NO_SETS | {"players": [{"name": "A", "hand_size": 201}]}, "/players/0/hand_size", "number-between"),
    (NO_SETS | {"players": [{"name": "A", "adventurer": "up"}]}, "/players/0/adventurer", "one-of"),
    # in the ruin: the round, the stage, the row of cards, the deck, gates, pawns
    (ruin() | {"round": 0}, "/round", "number"),
    (ruin() | {"stage": 3}, "/stage", "number-between"),
    (ruin() | {"stage": 0}, "/stage", "number-between"),
    (ruin() | {"cards": [{"cells": 9}]}, "/cards/0/cells", "number-between"),
    (ruin() | {"cards": ["?", {"cells": 0}]}, "/cards/1/cells", "number-between"),
    (ruin() | {"cards": [{"piece": ["#.", "o"]}]}, "/cards/0/piece/1", "one-of"),
    (ruin() | {"cards": [{"name": "A"}]}, "/cards/0/name", "known-key"),
    (ruin() | {"cards": ["A"]}, "/cards/0", "object"),
    (ruin() | {"discarded": ["Z"]}, "/discarded/0", "one-of"),
    (ruin() | {"deck": 101}, "/deck", "number-between"),
    (ruin(gates=[[0, 11]]), "/players/0/gates/0/1", "number-between"),
    (ruin(gates=[[0]]), "/players/0/gates/0", "cell"),
    (ruin(gates=["A"]), "/players/0/gates/0", "cell"),
    (ruin(pawn=[11, 0]), "/players/0/pawn/0", "number-between"),
    (ruin(pawn="A"), "/players/0/pawn", "cell"),
    (ruin(first_square=122), "/players/0/first_square", "number-between"),
    (ruin() | {"letters": {"A": [0, 0], "Ａ": [0, 1]}}, "/letters/Ａ", "key-once"),
    (ruin(map=["." * 12, "." * 10, *["." * 11] * 9]), "/players/0/map/0", "map-row"),
    (ruin(map=["." * 11] * 10 + [".........?."]), "/players/0/map/10", "map-row"),
    (seekers() | {"order_cards": [5]}, "/order_cards/0", "one-of"),
    (line(seekers=[0]), "/players/0/seekers/0", "seeker"),
    (line(seekers=["nobody"]), "/players/0/seekers/0", "seeker"),
    (seekers(choices={"number": 3}), "/players/0/choices/number", "choice"),
    (seekers(rule=6, choices={"number": 9}), "/players/0/choices/number", "number-between"),
    (seekers(rule=13, gems={R: 1, B: 1}, choices={"plus": R, "minus": R}), "/players/0/choices", "legal-choice"),
    (seekers(rule=15, gems={}, color_cards=[R], choices={"plus": [B, B]}), "/players/0/choices/plus", "two-colors"),
    (seekers(rule=15, gems={}, color_cards=[R], choices={"plus": [R, B]}), "/players/0/choices", "legal-choice"),
    (seekers(bonuses=[{"seeker": "give-one", "gems": []}]), "/players/0/bonuses/0/seeker", "one-of"),
    (seekers(bonuses=[{"seeker": "two-kinds", "gems": ["gold"] * 4}]), "/players/0/bonuses/0/gems", "in-the-box"),
    (seekers(bonuses=[{"seeker": "pair", "gems": [R, B], "held": []}]), "/players/0/bonuses/0/held", "held-only-there"),
    (demon({"winner": None, "won_by": "stolen"}), "/won_by", "one-of"),
    (demon({"discarder": "C", "won_by": "discard"}), "/discarder", "one-of"),
    (demon({"discarder": "A", "won_by": "discard"}, winning_card="D4"), "/discarder", "discarder"),
    (demon({"bonus": ["I5"]}), "/bonus/0", "had-card"),
    (demon({"item_win": [5]}), "/item_win/0", "number-between"),
    (splendor() | {"round_over": 1}, "/round_over", "flag"),
    (splendor(cards=[{"bonus": R, "level": 4}]), "/players/0/cards/0/level", "number-between"),
    (splendor(cards=[{"bonus": R, "cost": 1}]), "/players/0/cards/0/cost", "known-key"),
    (splendor(cards=[{"points": 1}]), "/players/0/cards/0/bonus", "field"),
    (igna(points={"all": 1}), "/points/all", "known-key"),
    (igna([{"color": R, "number": 0}] * 3), "/players/0/sets/0/0/number", "number"),
    (igna([{"color": R, "number": 1, "bonus": 1}] * 3), "/players/0/sets/0/0/bonus", "flag"),
    (igna([{"color": R, "number": 1, "size": 1}] * 3), "/players/0/sets/0/0/size", "known-key"),
]  # fmt: skip

NUMBERS = [
    (lambda n: seekers() | {"rule": n}, "/rule", "number-between"),
    (lambda n: seekers(gems={R: n}), "/players/0/gems/red", "number-between"),
    (lambda n: seekers(gold=n), "/players/0/gold", "number-between"),
    (lambda n: seekers(19, valid={R: n}), "/players/0/valid/red", "number-between"),
    (lambda n: ruin(gems=n), "/players/0/gems", "number"),
    (lambda n: ruin(penalties=n), "/players/0/penalties", "number"),
    (lambda n: ruin(first_square=n), "/players/0/first_square", "number-between"),
    (lambda n: ruin() | {"round": n}, "/round", "number"),
    (lambda n: demon({"short_game": n}), "/short_game", "number"),
    (lambda n: demon(points=n), "/players/0/points", "number"),
    (lambda n: demon({"deck": n}), "/deck", "number-between"),
    (lambda n: splendor(reserved=n), "/players/0/reserved", "number-between"),
    (lambda n: splendor(tokens={R: n}), "/players/0/tokens/red", "number"),
    (lambda n: splendor(cards=[{"bonus": R, "points": n}]), "/players/0/cards/0/points", "number"),
    (lambda n: splendor() | {"supply": {R: n}}, "/supply/red", "number-between"),
    (lambda n: igna(points={"run": n}), "/points/run", "number"),
]
NO_NUMBERS = (1.5, True, "1", [], {}, -1)
LISTS = [
    (lambda v: line(line=v), "/players/0/line", "list"),
    (lambda v: seekers(seekers=v), "/players/0/seekers", "list"),
    (lambda v: ruin(map=v), "/players/0/map", "map"),
    (lambda v: ruin(goals=v), "/players/0/goals", "list"),
    (lambda v: demon(open=v), "/players/0/open", "list"),
    (lambda v: demon(hand=v), "/players/0/hand", "list"),
    (lambda v: splendor(cards=v), "/players/0/cards", "list"),
    (lambda v: splendor() | {"market": v}, "/market", "list"),
    (lambda v: {"game": "igna", "players": [{"name": "A", "sets": v}]}, "/players/0/sets", "list"),
]
NO_LISTS = (1, "red", {}, False)
STATES += [(make(n), place, key) for make, place, key in NUMBERS for n in NO_NUMBERS]
STATES += [(make(v), place, key) for make, place, key in LISTS for v in NO_LISTS]

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
    (b'{"kind": "table-companion-deck", "game": "igna"}', "", "state-file"),
]

ALL = TEXTS + [(json.dumps(value).encode(), place, key) for value, place, key in STATES]
