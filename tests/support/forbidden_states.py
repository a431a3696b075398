"""Table states that the box can show and the rules forbid, or that are not whole: what is said of each, and where.

Each row: the state, the note's key, the rule that it names (an id of docs/referee.md; "" where nothing is broken), the
first place that it points at (None: nowhere), and everybody's totals, reckoned by hand.
"""

R, Y, G, B, P, X = "red", "yellow", "green", "blue", "purple", "rainbow"


def seekers(rule, *players, **fields):
    rows = [{"name": "AB"[i], **player} for i, player in enumerate(players)]
    return {"game": "twelve-seekers", "rule": rule, "players": rows, **fields}


def splendor(*players, **fields):
    rows = [{"name": "ABCD"[i], **player} for i, player in enumerate(players)]
    return {"game": "splendor", "players": rows, **fields}


def bought(**colors):
    return [{"points": 0, "bonus": color} for color, n in colors.items() for _ in range(n)]


HAND = ["D2", "D3", "D4", "A5", "A5", "A5r", "I1", "I1"]
"""A goal: a run, a group and a pair, one card red."""
OPEN = [["H1", "H1", "H1r"]]


def angels(hand=HAND, opened=OPEN, others=(), **fields):
    row = {"name": "A", "points": 4}
    row |= {"hand": list(hand)} if hand is not None else {}
    row |= {"open": [list(cards) for cards in opened]} if opened is not None else {}
    row |= {key: fields.pop(key) for key in ("ready", "discards", "winning_card") if key in fields}
    head = {"game": "human-angel-demon", "winner": "A", "won_by": "take", "short_game": 2}
    return {**head, **fields, "players": [row, {"name": "B", "points": 5, **dict(others)}]}


BY_DISCARD = {"won_by": "discard", "discarder": "B", "winning_card": "D4", "ready": True, "discards": []}
VALUES = {"same": 3, "run": 2, "mixed": 1, "bonus": 1}
SAME, RUN = ["red3"] * 3, ["blue1", "blue2", "blue3"]


def igna(*sets_of_each, **fields):
    rows = [{"name": "ABCD"[i], "sets": [list(cards) for cards in sets]} for i, sets in enumerate(sets_of_each)]
    return {"game": "igna", "points": VALUES, "players": rows, **fields}


EMPTY = "." * 11
LETTERS = {letter: [row, c] for row, letters in ((9, "ABCDEFGHIJK"), (10, "LMNOPQRSTUV"), (8, "WX"))
           for c, letter in enumerate(letters)}  # fmt: skip


def ruin(rows, letters=LETTERS, **player):
    """Rows of a map from the top; the rest is blank, but for the entrance in the middle, a passage."""
    drawn = [row.ljust(11, ".") for row in rows] + [EMPTY] * (11 - len(rows))
    if drawn[5][5] == ".":
        drawn[5] = drawn[5][:5] + "o" + drawn[5][6:]
    fields = {key: player.pop(key) for key in ("stage", "goes_on", "charge_blocks") if key in player}
    row = {"name": "A", "first_square": 1, "escaped": None, **player, "map": drawn}
    return {"game": "in-the-ruin", "letters": letters, "players": [row], **fields}


DOWN = ["." * 5 + "o"] * 5
"""A way from the top edge to the entrance: six passages with it, the largest rectangle 6."""

SEEKERS = [
    # color cards face down, or not typed yet
    (seekers(14, {"gems": {R: 3, B: 1}, "gold": 2, "chips": 1}), "seekers.cards-open", "", "/players/0", [None]),
    (seekers(14, {"gems": {R: 3, B: 1}, "color_cards": [R]}), "seekers.cards-open", "", "/players/0/color_cards",
     [None]),
    (seekers(14, {"gems": {R: 3}, "color_cards": ["?", "?"]}), "seekers.cards-open", "", "/players/0/color_cards",
     [None]),
    (seekers(14, {"gems": {}, "gold": 3}), "seekers.cards-open.alike", "", "/players/0", [None]),
    (seekers(15, {"gems": {R: 2, B: 2}}), "seekers.cards-open", "", "/players/0", [None]),
    (seekers(15, {"gems": {R: 2, B: 2}, "color_cards": []}), "seekers.cards-open", "", "/players/0", [None]),
    (seekers(16, {"line": [R, R]}), "seekers.cards-open", "", "/players/0", [None]),
    (seekers(16, {"line": [R, R, B, B], "color_cards": [R]}), "seekers.cards-open", "", "/players/0/color_cards",
     [None]),
    (seekers(17, {"line": [R, R], "gold": 1}), "seekers.cards-open", "", "/players/0", [None]),
    (seekers(14, {"gems": {R: 3}, "color_cards": [R, B]}, {"gems": {G: 2}}), "seekers.cards-open", "", "/players/1",
     [6, None]),
    (seekers(14, {"gems": {R: 3}, "color_cards": [R, B, G]}), "seekers.cards-many", "", "/players/0/color_cards",
     [None]),
    (seekers(15, {"gems": {R: 3}, "color_cards": [R, B]}), "seekers.cards-many", "", "/players/0/color_cards", [None]),
    # seekers
    (seekers(3, {"gems": {R: 1}, "seekers": [1, 2, 2, 3, 3, 4, 5]}), "seekers.stack", "T4", "/players/0/seekers", [2]),
    (seekers(3, {"gems": {}, "seekers": [5, 5, 5]}), "seekers.powers", "T2", None, [0]),
    (seekers(3, {"gems": {}, "seekers": ["pair", "pair"]}), "seekers.one-card", "T2", None, [0]),
    (seekers(3, {"gems": {}, "seekers": ["pair", "give-one", "two-kinds", 1, 2, 3]}), "seekers.advanced-number", "T6",
     "/players/0/seekers", [0]),
    (seekers(3, {"gems": {R: 1}, "seekers": [3]}, {"gems": {R: 1}, "seekers": [1]}), "seekers.gems-powers", "T17",
     "/players/0/seekers", [2, 2]),
    (seekers(3, {"gems": {R: 4}, "seekers": [3]}, {"gems": {B: 1}, "seekers": [1]}), "seekers.gems-powers", "T17",
     "/players/0/seekers", [8, -1]),
    (seekers(1, {"gems": {R: 7, Y: 7, G: 7, B: 5}}), "seekers.tiles-one", "T16", "/players/0", [7]),
    (seekers(12, {"gems": {R: 7, Y: 7, G: 7, B: 3}}), "seekers.tiles-thrown", "T12", None, [20]),
    # chips without a bonus: they count as they lie there, though the box holds fewer
    (seekers(3, {"gems": {R: 1}, "chips": 42}), "seekers.chips-many", "", "/players/0/chips", [44]),
    # gems in neither place
    (seekers(19, {"valid": {R: 2}, "gems": {B: 3}}), "seekers.neither", "T10", "/players/0/gems/blue", [2]),
    (seekers(20, {"valid": {R: 2}, "invalid": {B: 1}, "gems": {X: 1}, "gold": 1}), "seekers.neither", "T10",
     "/players/0/gems/rainbow", [3]),
    (seekers(20, {"valid": {}, "invalid": {X: 1}}), "seekers.rainbow-invalid", "", "/players/0/invalid/rainbow", [0]),
]  # fmt: skip

SPLENDOR = [
    (splendor({"tokens": {R: 4, "gold": 5, B: 2}}), "splendor.tokens-back", "S8", "/players/0/tokens/red", [0]),
    (splendor({"cards": [{"points": 3, "bonus": R}], "tokens": {R: 5, G: 4, B: 4}}), "splendor.tokens-back", "S8",
     "/players/0/tokens/red", [3]),
    (splendor({}, {"tokens": {R: 4, G: 4, B: 4}}), "splendor.tokens-back", "S8", "/players/1/tokens/red", [0, 0]),
    (splendor({"reserved": 4}), "splendor.kept-back", "S6", "/players/0/reserved", [0]),
    (splendor({"kept": ["?"] * 5}), "splendor.kept-back", "S6", "/players/0/kept", [0]),
    (splendor({"kept": [{"level": 1}, {"bonus": R, "points": 2}, "?", "?"], "reserved": 4}), "splendor.kept-back", "S6",
     "/players/0/kept", [0]),
    (splendor({"cards": bought(red=4, black=3), "nobles": [{R: 4, "black": 4}]}), "splendor.noble-unmet", "S9",
     "/players/0/nobles/0", [3]),
    (splendor({"nobles": [{R: 3, G: 3, B: 3}]}), "splendor.noble-unmet", "S9", "/players/0/nobles/0", [3]),
    (splendor({"cards": bought(red=4, black=4), "nobles": [{R: 4, "black": 4}, {R: 4, G: 4}]}), "splendor.noble-unmet",
     "S9", "/players/0/nobles/1", [6]),
    (splendor({"cards": bought(red=3), "nobles": 1}), "splendor.nobles-cards", "S9", "/players/0/nobles", [3]),
    (splendor({"cards": bought(red=4, black=4)}), "splendor.nobles-unknown", "", "/players/0", [0]),
    (splendor({"cards": bought(red=4, black=4), "nobles": []}, nobles_left=[{R: 4, "black": 4}]), "splendor.noble-due",
     "S9", "/nobles_left/0", [0]),
    (splendor({"tokens": {R: 3}}, {"tokens": {R: 2}}), "splendor.tokens-many", "", "/players/0/tokens/red", [0, 0]),
    (splendor({}, {}, supply={"white": 7}), "splendor.tokens-many", "", "/supply/white", [0, 0]),
    (splendor({}, {}, nobles_left=[{R: 4, color: 4} for color in ("black", G, B, "white")]), "splendor.nobles-many", "",
     None, [0, 0]),
]  # fmt: skip

NO_GOAL = ["D2", "D3", "D4", "A5", "A5", "A6", "I1", "I1"]
ANGELS = [
    # a hand that is no goal: nobody scores
    (angels(HAND[:7]), "had.hand-size", "H10", "/players/0/hand", [4, 5]),
    (angels([*HAND, "H7"]), "had.hand-size", "H10", "/players/0/hand", [4, 5]),
    (angels(NO_GOAL), "had.no-goal", "H10", "/players/0/hand", [4, 5]),
    (angels(["D6", "D7", "D1", "A5", "A5", "A5r", "I1", "I1"]), "had.no-goal", "H10", "/players/0/hand", [4, 5]),
    (angels(["I1", "I2", "I3", "A5", "A5", "A5r", "I1", "I1"], advanced=True), "had.no-goal", "H10", "/players/0/hand",
     [4, 5]),
    # a goal that the rules do not allow: an opened set 1, red cards 1 + 1
    (angels(opened=[]), "had.no-open", "H10", "/players/0/open", [5, 5]),
    (angels(opened=None), "had.open-unknown", "", "/players/0", [5, 5]),
    (angels(**{**BY_DISCARD, "ready": False}), "had.not-ready", "H10", "/players/0/ready", [7, 5]),
    (angels(won_by="discard", discarder="B", winning_card="D4"), "had.not-ready", "H10", "/players/0", [7, 5]),
    # advanced: the set alone, its 1 wants one in every set; B loses it
    (angels(advanced=True, **{**BY_DISCARD, "discards": ["D1"]}), "had.own-discard", "H10", "/players/0/discards/0",
     [5, 4]),
    (angels(advanced=True, **{key: one for key, one in BY_DISCARD.items() if key != "discards"}),
     "had.discards-unknown", "", "/players/0", [5, 4]),
    (angels(**{**BY_DISCARD, "winning_card": "H7"}), "had.winning-card", "", "/players/0/winning_card", [7, 5]),
    # opened groups that are no sets count nothing, nor do their red cards
    (angels(opened=[*OPEN, ["H2", "H3", "H5r"]]), "had.no-set", "H4", "/players/0/open/1/0", [7, 5]),
    (angels(opened=[["H6", "H7", "H1r"]]), "had.no-open", "H10", "/players/0/open", [5, 5]),
    (angels(opened=[*OPEN, ["I1", "I2", "I3"]]), "had.no-set", "H4", "/players/0/open/1/0", [7, 5]),
    (angels(others={"open": [["D6", "D6", "A6"]]}), "had.no-set", "H4", "/players/1/open/0/0", [7, 5]),
    (angels(hand=None, winner=None, won_by=None, others={"open": [["I1", "I1", "I2r"]]}, advanced=True), "had.no-set",
     "H4", "/players/1/open/0/0", [4, 5]),
]  # fmt: skip

IGNA = [
    (igna([["red1", "red2", "red4"]]), "igna.no-set", "I5", "/players/0/sets/0/0", [0]),
    (igna([["red1", "red1", "blue1"], SAME]), "igna.no-set", "I5", "/players/0/sets/0/0", [3]),
    (igna([SAME], [["red1*", "blue2*", "green3*"]]), "igna.no-set", "I5", "/players/1/sets/0/0", [3, 0]),
    (
        igna([SAME, RUN, RUN, ["red1", "red2", "red3"], ["green1", "green1", "green2"]]),
        "igna.no-set",
        "I5",
        "/players/0/sets/4/0",
        [9],
    ),
    (igna([SAME, SAME, RUN, RUN, RUN]), "igna.sets-many", "I10", "/players/0/sets", [12]),
    (igna([SAME] * 4, [RUN] * 4), "igna.ended-twice", "I10", "/players/0/sets", [12, 8]),
    (igna([["red3", "Red3", "RED3"]]), "igna.spellings", "", "/players/0/sets/0/0", [3]),
    (igna([["red3", "ｒｅｄ3", "赤3"]]), "igna.spellings", "", "/players/0/sets/0/0", [3]),
    (igna([["red3", "赤3", "blue3"]]), "igna.no-set", "I5", "/players/0/sets/0/0", [0]),
]

RUIN = [
    # 1 for the first square, 6 for the second, -20 for staying inside
    (ruin(DOWN, gems=1), "ruin.gems-many", "R16", "/players/0/gems", [1 + 6 + 10 - 20]),
    (ruin([*DOWN, "." * 5 + "o", "." * 5 + "o", "." * 5 + "o", "." * 5 + "o", "oooooo"], gems=7), "ruin.gems-many",
     "R16", "/players/0/gems", [1 + 10 + 70 - 20]),
    (ruin(DOWN, gems=25), "ruin.gems-box", "R16", "/players/0/gems", [1 + 6 + 250 - 20]),
    (ruin(DOWN, gems=12), "ruin.ticks-beside.gems", "", "/players/0/gems", [1 + 6 + 120 - 20]),
    (ruin(DOWN, penalties=11), "ruin.ticks-beside.penalties", "", "/players/0/penalties", [1 + 6 - 110 - 20]),
    (ruin(DOWN, goals=[["A", letter] for letter in "BCDEFG"]), "ruin.goals-many", "R8", "/players/0/goals",
     [1 + 6 - 20]),
    (ruin(DOWN, goals=[["A", "B"], ["B", "A"]]), "ruin.goals-twice", "", "/players/0/goals/0", [1 + 6 - 20]),
    (ruin([*DOWN, "." * 5 + "o", EMPTY, EMPTY, EMPTY, EMPTY, "oo"]), "ruin.islands", "R4", "/players/0/map/10/0",
     [1 + 6 - 20]),
    (ruin(["." * 5 + "oo", "." * 5 + "oo", *DOWN[2:]]), "ruin.blocks", "R5", "/players/0/map/0/5", [1 + 6 - 20]),
    (ruin(["." * 5 + "oo", "." * 5 + "oo", *DOWN[2:]], charge_blocks=True, escaped=9), "house-rule", "", None,
     [1 + 6 + 30 - 20]),
    (ruin([*DOWN, "." * 5 + "#"]), "ruin.entrance", "R1", "/players/0/map/5/5", [1 + 6 - 20]),
    (ruin(DOWN, escaped=2, stage=1), "ruin.escaped-early", "R14", "/players/0/escaped", [1 + 6 + 30]),
    (ruin(DOWN, first_square=7), "ruin.square-large", "", "/players/0/first_square", [7 + 6 - 20]),
    (ruin(DOWN, first_square=1, first_map=["#" * 11, *[EMPTY] * 10]), "ruin.first.later", "R2",
     "/players/0/first_map/0/0", [1 + 6 - 20]),
]  # fmt: skip

ALL = [*SEEKERS, *SPLENDOR, *ANGELS, *IGNA, *RUIN]
