"""What lies on a table, and the state that it makes, game by game."""

import numpy as np
import pytest

from companion.cases.table import Entries, unfit_cards
from companion.games import GAMES, game_of, table_games
from companion.reading.tables import read_state
from scoring import score_state
from vision.table.profile import TableProfile, TableProfileError
from vision.table.reading import Card, TableReading, Tile

SQUARE = np.array([[-8.0, -8], [8, -8], [8, 8], [-8, 8]])


def profile(game="twelve-seekers", zones=("dungeon", "A", "B"), cards=None, rule=None):
    outline = {"polygon": [[0, 0], [400, 0], [400, 300], [0, 300]]}
    data = {"name": "t", "game": game, "zones": dict.fromkeys(zones, outline), "cards": cards or {}}
    return TableProfile.from_json(data if rule is None else {**data, "rule": rule})


def tiles(lying):
    """Tiles of `{zone: "red blue / green"}`: rows by slashes. None is no zone."""
    out = []
    for zone, rows in lying.items():
        for r, row in enumerate(rows.split("/")):
            for c, color in enumerate(row.split()):
                at = np.array([20.0 * c, 20.0 * r])
                out.append(
                    Tile(color, zone, None if zone is None else r, None if zone is None else c, at, at + SQUARE, 0.9)
                )
    return tuple(out)


def cards(known, lying, outline=None):
    """Cards of `{zone: "40 41 _ 42"}`: marker ids, rows by slashes, `_` where none is seen."""
    out = []
    for zone, rows in lying.items():
        for r, row in enumerate(rows.split("/")):
            for c, marker in enumerate(row.split()):
                at = np.array([70.0 * c, 100.0 * r + 3 * (c % 2)])
                if marker != "_":
                    out.append(Card(int(marker), known.get(int(marker)), zone, at + SQUARE))
    return tuple(out)


def state(profile_, tiles_=(), cards_=(), entries=None, zones=None):
    return read_state(TableReading(tuple(tiles_), tuple(cards_), zones or {}), profile_, entries)


# Twelve Seekers


def test_a_line_is_read_row_by_row():
    made = state(profile(rule=7), tiles({"A": "red red / blue", "B": "green", "dungeon": "purple", None: "yellow"}))
    assert made.state == {
        "game": "twelve-seekers",
        "rule": 7,
        "players": [{"name": "A", "line": ["red", "red", "blue"]}, {"name": "B", "line": ["green"]}],
    }
    assert made.places["/players/0/line/2"] == (2,)
    assert made.places["/players/1/line/0"] == (3,)
    assert made.zones == ("A", "B")


def test_counts_and_gold():
    made = state(profile(rule=1), tiles({"A": "red gold red rainbow", "B": "gold"}))
    assert made.state["players"] == [
        {"name": "A", "gems": {"red": 2, "rainbow": 1}, "gold": 1},
        {"name": "B", "gems": {}, "gold": 1},
    ]
    assert made.places["/players/0/gems/red"] == (0, 2)
    assert made.places["/players/0/gold"] == (1,)


def test_valid_and_invalid_places_are_parts_of_a_player():
    zones = ("dungeon", "A", "A.valid", "A.invalid", "B.valid", "B.invalid")
    lying = tiles({"A.valid": "red blue", "A.invalid": "green", "A": "gold purple"})
    made = state(profile(zones=zones, rule=19), lying, zones=dict.fromkeys(zones, SQUARE))
    a, b = made.state["players"]
    assert (a["valid"], a["invalid"], a["gold"]) == ({"red": 1, "blue": 1}, {"green": 1}, 1)
    assert a["gems"] == {"purple": 1}  # in neither place: nothing, and a note of scoring
    assert (b["name"], b["valid"], b["invalid"]) == ("B", {}, {})
    assert [note.key for note in score_state(made.state).notes] == ["seekers.neither"]
    hidden = state(profile(zones=zones, rule=19), lying, zones=dict.fromkeys(zones[:-1], SQUARE))
    assert "invalid" not in hidden.state["players"][1]  # not in sight is not none
    line = state(profile(zones=zones, rule=8), tiles({"A.valid": "red", "A": "blue"}))
    assert line.state["players"][0]["line"] == ["blue", "red"]


@pytest.mark.parametrize("rule", [19, 20])
def test_gems_lie_in_neither_place_where_none_is_drawn(rule):
    made = state(profile(zones=("A", "B"), rule=rule), tiles({"A": "red blue"}), zones=dict.fromkeys("AB", SQUARE))
    assert made.state["players"][0] == {"name": "A", "valid": {}, "invalid": {}, "gems": {"red": 1, "blue": 1}}
    assert [p.key for p in made.problems] == ["table.neither"] * 2
    assert [player.total for player in score_state(made.state).players] == [0, 0]


CARDS = {
    40: {"kind": "seeker", "power": 3}, 41: {"kind": "seeker", "seeker": "pair"}, 42: {"kind": "color", "color": "red"},
    43: {"kind": "color", "color": "blue"}, 44: {"kind": "rule", "rule": 14}, 45: {"kind": "rule", "rule": 8},
    46: {"kind": "order", "order": 1},
}  # fmt: skip


def seekers_profile(**more):
    return profile(cards={str(marker): card for marker, card in CARDS.items()}, **more)


def test_cards_of_a_player():
    lying, zones = cards(CARDS, {"A": "42 40 43 / 41 46", None: "44 99"}), dict.fromkeys(("A", "B"), SQUARE)
    made = state(seekers_profile(rule=7), tiles({"A": "red"}), lying, zones=zones)
    a = made.state["players"][0]
    assert made.state["rule"] == 14
    assert a["gems"] == {"red": 1}
    assert a["seekers"] == [3, "pair"]
    assert a["color_cards"] == ["red", "blue"]
    assert made.state["players"][1]["seekers"] == []
    assert made.places["/players/0/seekers/1"] == (4,)
    assert made.places["/rule"] == (6,)


def test_two_rule_sheets_are_a_question():
    made = state(seekers_profile(rule=7), (), cards(CARDS, {None: "44 45"}))
    assert "rule" not in made.state
    assert made.problems[0].key == "table.rules"
    typed = state(seekers_profile(), (), cards(CARDS, {None: "44 45"}), Entries({"rule": 8}))
    assert typed.state["rule"] == 8
    assert not typed.problems
    assert typed.state["players"][0]["line"] == []


def test_what_was_typed_lies_over_what_was_seen():
    entries = Entries(
        {"house_rules": {}}, {"A": {"name": "Ann", "chips": 2, "seekers": [5], "choices": {"rainbow": "red"}}}
    )
    made = state(seekers_profile(rule=8), tiles({"A": "red rainbow"}), cards(CARDS, {"A": "40"}), entries)
    a = made.state["players"][0]
    assert (a["name"], a["chips"], a["seekers"]) == ("Ann", 2, [5])
    assert a["line"] == ["red", "rainbow"]
    assert "/players/0/seekers/0" not in made.places
    assert "/players/0/line/1" in made.places
    assert score_state(made.state).players[0].name == "Ann"


def test_every_place_that_a_score_names_was_seen():
    made = state(profile(rule=8), tiles({"A": "red red red blue gold", "B": "green green green"}))
    for player in score_state(made.state).players:
        for line in player.lines:
            assert all(place in made.places for place in line.because)


# Cards only


def test_opened_sets_lie_in_threes():
    known = {
        40 + i: {"kind": "card", "card": code}
        for i, code in enumerate(["H1", "H1r", "H1", "D2", "A5", "I1", "I2", "I3"])
    }
    game = profile("human-angel-demon", ("A", "B", "bonus", "market"), {str(m): c for m, c in known.items()})
    made = state(game, (), cards(known, {"A": "40 41 42 / 43 44", "bonus": "45 46", "market": "47"}))
    assert made.state["players"] == [{"name": "A", "open": [["H1", "H1r", "H1"]], "hand": ["D2", "A5"]}, {"name": "B"}]
    assert made.state["bonus"] == ["I1", "I2"]
    assert made.state["market"] == ["I3"]
    assert made.places["/players/0/open/0/1"] == (1,)
    assert "winner" not in made.state
    parts = profile("human-angel-demon", ("A.open", "A.hand", "A.discards"), {str(m): c for m, c in known.items()})
    made = state(parts, (), cards(known, {"A.open": "40 41 42 43", "A.hand": "44 45 46", "A.discards": "47"}))
    assert made.state["players"] == [
        {"name": "A", "open": [["H1", "H1r", "H1"]], "hand": ["A5", "I1", "I2"], "discards": ["I3"]}
    ]
    assert made.problems[0].key == "table.no-set"


def test_what_lies_in_the_middle_of_splendor_and_igna():
    price = {"red": 2, "blue": 1}
    known = {
        40: {"kind": "development", "level": 1, "points": 1, "bonus": "red", "price": price},
        41: {"kind": "development", "bonus": "blue"}, 42: {"kind": "noble", "needs": {"red": 4}},
    }  # fmt: skip
    game = profile("splendor", ("A", "B", "market"), {str(m): c for m, c in known.items()})
    zones = {"market": SQUARE, "laid": SQUARE}
    made = state(game, (), cards(known, {"A": "41", "market": "40 42"}), zones=zones)
    assert made.state["market"] == [{"level": 1, "price": price, "points": 1, "bonus": "red"}]
    assert made.state["nobles_left"] == [{"red": 4}]
    assert [row["name"] for row in made.state["players"]] == ["A", "B"]
    assert {"/market/0", "/nobles_left/0"} <= made.places.keys()
    known = {n: {"kind": "treasure", "color": "red", "number": n - 39} for n in range(40, 44)}
    game = profile("igna", ("A", "B", "laid"), {str(m): c for m, c in known.items()})
    made = state(game, (), cards(known, {"A": "40 41 42", "laid": "43"}), zones=zones)
    assert made.state["laid"] == {"color": "red", "number": 4}
    assert state(game, (), cards(known, {"A": "40 41 42", "laid": ""}), zones=zones).state["laid"] is None
    assert "laid" not in state(game, (), cards(known, {"A": "40 41 42"})).state  # hidden, not empty


def test_bought_cards_nobles_and_reserved_ones():
    known = {
        40: {"kind": "development", "level": 1, "points": 1, "bonus": "red"},
        41: {"kind": "development", "bonus": "blue"}, 42: {"kind": "noble", "needs": {"red": 1}},
    }  # fmt: skip
    game = profile("splendor", ("A", "A.reserved", "B"), {str(m): c for m, c in known.items()})
    made = state(
        game, (), cards(known, {"A": "40 42", "A.reserved": "41"}), Entries({}, {"A": {"tokens": {"white": 1}}})
    )
    assert made.state["players"][0] == {
        "name": "A", "cards": [{"level": 1, "points": 1, "bonus": "red"}], "nobles": [{"red": 1}], "reserved": 1,
        "kept": [{"points": 0, "bonus": "blue"}], "tokens": {"white": 1},
    }  # fmt: skip
    assert made.state["players"][1] == {"name": "B", "cards": []}
    assert [p.total for p in score_state(made.state).players] == [4, 0]


def test_tokens_count_for_whose_area_they_lie_in_and_the_supply_is_what_is_left():
    game, here = profile("splendor", ("A", "B")), {"A": SQUARE, "B": SQUARE}
    held = {"A": "white white gold", "B": "red red red red"}
    made = state(game, tiles({**held, None: "white blue green black gold"}), zones=here)
    assert [row["tokens"] for row in made.state["players"]] == [{"white": 2, "gold": 1}, {"red": 4}]
    assert made.state["supply"] == {"white": 2, "blue": 4, "green": 4, "red": 0, "black": 4, "gold": 4}
    assert made.places["/players/0/tokens/white"] == (0, 1)
    assert made.problems == ()
    said = Entries({}, {"A": {"tokens": {"white": 1}}})  # what else lies there was no token
    corrected = state(game, tiles({**held, None: "white blue green black gold"}), entries=said, zones=here)
    assert corrected.state["supply"] == {"white": 3, "blue": 4, "green": 4, "red": 0, "black": 4, "gold": 5}


@pytest.mark.parametrize(
    ("lying", "said"),
    [
        ({"A": "red", None: "white green red black gold"}, "table.tokens"),  # nobody holds the blue ones
        ({"A": "red red red red red", None: "white blue green black gold"}, "table.tokens"),  # four are in play
    ],
)
def test_tokens_that_do_not_add_up_are_said(lying, said):
    made = state(profile("splendor", ("A", "B")), tiles(lying), zones={"A": SQUARE, "B": SQUARE})
    assert said in [p.key for p in made.problems]
    assert "supply" not in made.state
    score_state(made.state)


def test_more_tokens_than_may_be_held_are_seen_and_noted():
    lying = tiles({"A": "red white blue green " * 3})
    made = state(profile("splendor", ("A", "B")), lying, zones={"A": SQUARE, "B": SQUARE})
    assert made.state["players"][0]["tokens"] == {"white": 3, "blue": 3, "green": 3, "red": 3}
    notes = [(note.key, note.values.get("n")) for note in score_state(made.state).notes]
    assert ("splendor.tokens-back", 12) in notes


def test_without_a_token_in_sight_nobody_is_said_to_hold_none():
    made = state(profile("splendor", ("A", "B")), zones={"A": SQUARE, "B": SQUARE})
    assert "supply" not in made.state
    assert all("tokens" not in row for row in made.state["players"])


def test_treasures_lie_in_threes():
    known = {40 + i: {"kind": "treasure", "color": "red", "number": i + 1, "bonus": i == 2} for i in range(5)}
    game = profile("igna", ("A",), {str(m): c for m, c in known.items()})
    made = state(game, (), cards(known, {"A": "40 41 42 43 / 44"}))
    assert made.state["players"][0]["sets"] == [
        [{"color": "red", "number": 1}, {"color": "red", "number": 2}, {"color": "red", "number": 3, "bonus": True}]
    ]
    assert [p.values["n"] for p in made.problems] == [1, 1]
    points = Entries({"points": {"same": 3, "run": 2, "mixed": 1, "bonus": 1}})
    assert score_state(state(game, (), cards(known, {"A": "40 41 42"}), points).state).players[0].total == 3


@pytest.mark.parametrize(("rows", "opened", "hand"), [
    ("40 41 42 / 43 44 45 46 47 48 49 50", ["012"], "34567890"),
    ("40 41 42 _ 43 44 45 / 46 47 48 49 50 51 52 53", ["012", "345"], "67890123"),  # side by side
    ("40 41 42 _ 43 44 45 _ 46 47 48", ["012", "345", "678"], ""),  # three sets, nothing else is shown
    ("40 41 42 / 43 44 45 / 46 47", [], "01234567"),  # goaled: the hand as set, set and pair
    ("40 41 42 _ 43 44 45 _ 46 47", [], "01234567"),
    ("40 41 42 / 43 44 45 _ 46 47 48 _ 49 50", ["012"], "34567890"),
    ("40 41 42 _ 43 44 45 / 46 47 48 / 49 50 51 / 52 53", ["012", "345"], "67890123"),
    ("40 41 42 43 44 _ 45 46", [], "0123456"),  # a hand, laid as it came
    ("40 41 42 / 43 44", ["012"], "34"),
])  # fmt: skip
def test_opened_sets_are_told_from_the_hand_by_gaps_and_a_goal_by_its_eight_cards(rows, opened, hand):
    known = {40 + i: {"kind": "card", "card": "HAD"[i // 5 % 3] + str(i % 5 + 1)} for i in range(14)}
    laid = cards(known, {"A": rows})
    made = state(profile("human-angel-demon", ("A",), {str(m): c for m, c in known.items()}), (), laid)
    (row,) = made.state["players"]

    def numbered(codes):
        return "".join(str(("HAD".index(code[0]) * 5 + int(code[1]) - 1) % 10) for code in codes)

    assert [numbered(one) for one in row.get("open", [])] == opened
    assert numbered(row.get("hand", [])) == hand


@pytest.mark.parametrize(("game", "zone", "row", "told"), [
    ("igna", "A", "40 41 42", None),
    ("igna", "A", "40 41 42 _ 43 44 45", None),  # sets laid apart
    ("igna", "A", "40 41 42 _ _ 43 44 45", None),
    ("igna", "A", "40 41 _ 42", "table.gap"),
    ("igna", "A", "40 _ 41 42 _ 43 44 45 _ 46 47 48", "table.gap"),
    ("igna", "A", "40 _ 41 42 43 44", "table.no-set"),
    ("human-angel-demon", "A", "40 41 42", None),
    ("human-angel-demon", "A", "40 41 _ 42", "table.gap"),  # perhaps a hand of four
    ("human-angel-demon", "A", "40 41 _ 42 43", None),
    ("human-angel-demon", "A.open", "40 41 42 _ 43 44 45", None),
    ("human-angel-demon", "A.open", "40 _ 41 42", "table.gap"),
])  # fmt: skip
def test_room_for_a_card_that_was_not_seen_is_told(game, zone, row, told):
    card = {
        "igna": {"kind": "treasure", "color": "red", "number": 2},
        "human-angel-demon": {"kind": "card", "card": "H1"},
    }
    known = dict.fromkeys(range(40, 49), card[game])
    laid = cards(known, {zone: row})
    made = state(profile(game, (zone,), {str(m): c for m, c in known.items()}), (), laid)
    assert [p.key for p in made.problems] == [told] * bool(told)


def test_rows_are_a_players_own():
    """A player who sits across the table sees the rows turned round."""
    known = {40 + i: {"kind": "treasure", "color": "red", "number": i + 1} for i in range(3)}
    game = profile("igna", ("A",), {str(m): c for m, c in known.items()})
    turned = {"A": np.array([[400.0, 300], [0, 300], [0, 0], [400, 0]])}
    made = state(game, (), cards(known, {"A": "40 41 42"}), zones=turned)
    assert [card["number"] for card in made.state["players"][0]["sets"][0]] == [3, 2, 1]


# Unknown is not none

PLAYERS = ("A", "A.open", "A.discards", "A.hand", "A.reserved", "B")
ONE_SEEN = [
    ("twelve-seekers", {"kind": "seeker", "power": 3}, {"/players/0/seekers", "/players/1/seekers"}),
    ("twelve-seekers", {"kind": "color", "color": "red"}, set()),  # the others' lie face down
    ("twelve-seekers", {"kind": "order", "order": 1}, set()),
    ("splendor", {"kind": "development", "bonus": "blue"}, {"/market"}),
    ("splendor", {"kind": "noble", "needs": {"red": 4}}, set()),
    ("human-angel-demon", {"kind": "card", "card": "H1"}, {
        "/market", "/bonus", "/players/0/open", "/players/0/discards", "/players/1/open",
    }),
    ("igna", {"kind": "treasure", "color": "red", "number": 3}, {"/players/0/sets", "/players/1/sets"}),
]  # fmt: skip


def empty_lists(made):
    rows = [("", made.state), *((f"/players/{i}", row) for i, row in enumerate(made.state["players"]))]
    found = {f"{at}/{key}" for at, row in rows for key, value in row.items() if value in ([], {}) and key != "players"}
    return {at for at in found if not at.endswith(("/line", "/cards"))}  # what a score is built on is always there


@pytest.mark.parametrize("game", [game.slug for game in table_games()])
def test_where_no_piece_was_ever_seen_nothing_is_said_to_be_none(game):
    known = {str(marker): card for marker, card in GAMES[game].stickers.items()}
    zones = (*GAMES[game].common, *PLAYERS)
    made = state(profile(game, zones, known, 8), zones=dict.fromkeys(zones, SQUARE))
    assert empty_lists(made) == set()
    assert made.kinds == frozenset()


@pytest.mark.parametrize(("game", "card", "none"), ONE_SEEN)
def test_after_one_of_a_kind_was_seen_others_are_known_to_have_none(game, card, none):
    """Seen in a picture before, or in the same one; and where an area is out of sight nothing is known of it."""
    zones = dict.fromkeys((*GAMES[game].common, *PLAYERS), SQUARE)
    seen = profile(game, zones, {"40": card}, 8)
    before = state(seen, (), cards({40: card}, {"A.hand": "40"}), zones=zones)
    assert before.kinds == {card["kind"]}
    after = read_state(TableReading((), (), zones), seen, kinds=before.kinds)
    assert empty_lists(after) == none
    assert after.kinds == before.kinds
    assert empty_lists(read_state(TableReading((), (), {}), seen, kinds=before.kinds)) == set()


def test_a_doubtful_card_says_nothing_of_the_others():
    card = {"kind": "seeker", "power": 3}
    ghost = Card(None, card, "A", SQUARE, "seekers", 0.6, True)
    made = read_state(TableReading((), (ghost,), {"A": SQUARE, "B": SQUARE}), profile(rule=8))
    assert [row.get("seekers") for row in made.state["players"]] == [[3], None]


# Profiles


@pytest.mark.parametrize("game", [game.slug for game in table_games()])
def test_what_is_printed_makes_sense(game):
    assert not unfit_cards(profile(game, cards={str(marker): card for marker, card in GAMES[game].stickers.items()}))


@pytest.mark.parametrize("game", ["chess", "in-the-ruin"])
def test_a_game_without_a_table_is_said(game):
    with pytest.raises(TableProfileError) as caught:
        game_of(profile(game))
    assert caught.value.place == "game"


@pytest.mark.parametrize(
    ("game", "card", "place"),
    [
        ("twelve-seekers", {"kind": "card"}, "cards/40/kind"),
        ("twelve-seekers", {"kind": "noble"}, "cards/40/kind"),
        ("twelve-seekers", {}, "cards/40/kind"),
        ("twelve-seekers", {"kind": ["seeker"]}, "cards/40/kind"),
        ("twelve-seekers", {"kind": "seeker"}, "cards/40"),
        ("twelve-seekers", {"kind": "seeker", "power": 6}, "cards/40/power"),
        ("twelve-seekers", {"kind": "seeker", "seeker": "wizard"}, "cards/40/seeker"),
        ("twelve-seekers", {"kind": "rule", "rule": True}, "cards/40/rule"),
        ("twelve-seekers", {"kind": "rule", "rule": 3, "sheet": 3}, "cards/40/sheet"),
        ("human-angel-demon", {"kind": "card", "card": "H9"}, "cards/40/card"),
        ("splendor", {"kind": "development", "points": 1}, "cards/40"),
        ("splendor", {"kind": "noble", "needs": {"gold": 1}}, "cards/40/needs"),
        ("igna", {"kind": "treasure", "color": "red"}, "cards/40"),
    ],
)
def test_a_card_that_makes_no_sense_is_said_and_nothing_else_stops(game, card, place):
    odd = profile(game, cards={"40": card, "41": next(iter(GAMES[game].stickers.values()))})
    assert {marker: mistake.place for marker, mistake in unfit_cards(odd).items()} == {40: place}
    here = tuple(Card(m, odd.cards[m], "A", np.add(SQUARE, (30.0 * m, 50))) for m in (40, 41))
    made = read_state(TableReading((), here, {}), odd)
    said = [p.values for p in made.problems if p.key == "card.unfit"]
    assert [(one["cards"], one["why"]["values"]["place"]) for one in said] == [([40], place)]
    assert 0 not in [i for pieces in made.places.values() for i in pieces]


def test_cards_known_by_their_faces_lie_in_rows_as_high_as_they_are():
    face = np.array([[-25.0, -37], [25, -37], [25, 37], [-25, 37]])
    values = [[("red", 2)] * 3, [("blue", 3), ("blue", 4), ("blue", 5)]]
    here = [
        Card(
            None, {"id": "?", "kind": "treasure", "color": color, "number": number}, "A", np.add(face, [60 + 55 * i, y])
        )
        for y, row in zip((60 + np.array([0, 4, -3]), 145 + np.array([2, 0, 5])), values, strict=True)
        for i, ((color, number), y) in enumerate(zip(row, y, strict=True))
    ]
    made = read_state(TableReading((), tuple(here), {}), profile("igna", ("A",)))
    sets = made.state["players"][0]["sets"]
    assert [[(card["color"], card["number"]) for card in one] for one in sets] == values
    assert made.problems == ()
