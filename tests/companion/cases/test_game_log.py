"""A followed game: each take of the demo's game is named, and a piece that was misread is put right."""

import json
from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest

from companion.cases.game_log import GameLog, put_right, said_places
from companion.cases.log_words import Log
from companion.cases.moved import lies_otherwise
from companion.cases.table import Entries, TableState
from referee import follow
from scoring import score_state
from training.synth import demo_game as game
from vision.table.reading import TableReading, Tile

STATES = list(game.states())
CARDS = game.GAME.stickers


def look(lying, **players):
    """What a camera gives of a table; `players`: what differs from it."""
    rows = [
        {
            "name": name,
            "line": list(lying.lines[name]),
            "gold": lying.gold[name],
            "seekers": [CARDS[marker]["power"] for marker in lying.seekers[name]],
            **players.get(name, {}),
        }
        for name in ("A", "B")
    ]
    left = [CARDS[marker]["power"] for marker in lying.stock]
    return {
        "game": "twelve-seekers", "rule": game.RULE, "order_cards": [game.ORDER],
        "dungeon": list(lying.dungeon), "seekers_left": left, "players": rows,
    }  # fmt: skip


def taken(take, before):
    gems = before.dungeon[: take.power] if take.end == "left" else before.dungeon[-take.power :]
    return take.player, f"dungeon.{take.end}", list(gems)


def test_every_take_is_named():
    log = GameLog(("A", "B"))
    said = [log.look(look(lying), time=float(i)) for i, lying in enumerate(STATES)]
    assert not said[0].moves
    assert [len(one.moves) for one in said[1:]] == [1] * len(game.TAKES)
    named = [(move["who"], move["from"], move["what"]) for one in said for move in one.moves]
    assert named == [taken(*both) for both in zip(game.TAKES, STATES, strict=False)]
    assert not [slip for one in said for slip in one.slips]
    assert [one.turn_of for one in said[1:-1]] == [take.player for take in game.TAKES[1:]]
    assert log.moves == [move for one in said for move in one.moves]


def test_what_people_say_of_the_first_table_is_no_move():
    log = GameLog(("A", "B"))
    true = look(STATES[0])
    log.look({**true, "dungeon": ["gold" if i == 3 else color for i, color in enumerate(true["dungeon"])]})
    said = log.look(true, said=["/dungeon/3"], again=True)
    assert not said.moves
    assert not log.slips
    assert len(log.kept()["looks"]) == 1
    assert log.kept()["begins"]
    log.begin_row()
    assert len(log.look(look(STATES[1])).moves) == 1
    assert not log.slips


def test_every_take_was_among_the_legal_ones_with_the_points_that_it_gave():
    log = GameLog(("A", "B"))
    said = [log.look(look(lying)) for lying in STATES]
    for before, after in pairwise(said[1:]):
        (move,) = after.moves
        who = "AB".index(move["who"])
        totals = [score_state(dict(one.state)).players[who].total for one in (before, after)]
        keys = ("who", "seeker", "what", "from", "to")
        (points,) = [one["points"] for one in before.legal if all(one[key] == move[key] for key in keys)]
        assert points == totals[1] - totals[0]
        assert [one["points"] for one in before.legal] == sorted((one["points"] for one in before.legal), reverse=True)
    assert not said[-1].legal


@pytest.mark.parametrize("flagged", [True, False])
def test_a_misread_gem_is_put_right_by_the_box_and_the_last_state(flagged):
    log = GameLog(("A", "B"))
    for lying in STATES[:4]:
        log.look(look(lying))
    lying = STATES[4]
    line = list(lying.lines["A"])
    i = line.index("yellow")
    line[i] = "purple"
    said = log.look(look(lying, A={"line": line}), [f"/players/0/line/{i}"] if flagged else [])
    later = [log.look(look(lying)) for lying in STATES[5:8]]
    assert said.state["players"][0]["line"] == list(lying.lines["A"])
    assert [(fix["at"], fix["is"]) for one in (said, *later) for fix in one.corrected] == [
        (f"/players/0/line/{i}", "yellow")
    ]
    assert not [slip for one in (said, *later) for slip in one.slips]


def test_an_answer_about_one_piece_leaves_the_others_put_right():
    """B's gem stays what the course of the game shows it to be, whatever a person says of A's."""
    log = GameLog(("A", "B"))
    for lying in STATES[:5]:
        log.look(look(lying))
    line = list(STATES[5].lines["B"])
    odd = line.index(next(color for color in line if color not in ("gold", "rainbow")))
    line[odd] = next(color for color in ("red", "blue") if color != line[odd])
    seen = look(STATES[5], B={"line": line})
    first = log.look(seen, ["/players/1/line/0", "/players/0/line/0"])
    assert first.state["players"][1]["line"] == list(STATES[5].lines["B"])
    for said in (["/players/0/line/0"], ["/players/0/line/0", "/players/0/line/1"]):
        again = log.look(seen, ["/players/1/line/0"], said=said, again=True)
        assert again.state["players"][1]["line"] == list(STATES[5].lines["B"])
        assert [fix["at"] for fix in again.misread] == [f"/players/1/line/{odd}"]
        assert log.moves == [move for move in log.moves if not move["breaks"]]
    typed = log.look(seen, said=[f"/players/1/line/{odd}"], again=True)
    assert typed.state["players"][1]["line"] == line  # what is said of it itself is not put right


def test_half_a_turn_is_held_back_and_says_of_when_the_table_is_that_counts():
    log = GameLog(("A", "B"))
    log.look(look(STATES[0]), time=1.0)
    whole = log.look(look(STATES[1]), time=2.0)
    assert (whole.held, whole.as_of) == (False, None)
    after = look(STATES[2])
    rows = [
        {**row, "line": before["line"]}
        for row, before in zip(after["players"], look(STATES[1])["players"], strict=True)
    ]
    half = log.look({**after, "players": rows}, time=3.0)  # the gems are in a hand
    assert (half.held, half.as_of) == (True, 2.0)
    assert lies_otherwise(after, half.state)
    done = log.look(after, time=4.0)
    assert (done.held, done.as_of) == (False, None)
    assert not lies_otherwise(after, done.state)


def test_players_keep_the_names_that_people_gave_them():
    log = GameLog(("A", "B"))
    renamed = {"A": {"name": "Aki"}, "B": {"name": "Ben"}}
    log.look(look(STATES[0], **renamed))
    said = log.look(look(STATES[1], **renamed))
    assert [row["name"] for row in said.state["players"]] == ["Aki", "Ben"]
    assert [move["who"] for move in said.moves] == ["A"]
    assert score_state(dict(said.state)).players[0].name == "Aki"


def test_a_game_that_no_referee_knows_is_left_as_it_is():
    state = {"game": "no-such-game", "players": []}
    assert GameLog(()).look(state).state is state


def test_a_table_without_its_middle_is_not_judged():
    log = GameLog(("A", "B"))
    for lying in STATES[:3]:
        state = look(lying)
        del state["dungeon"]
        said = log.look(state)
        assert said.state is state
        assert (said.moves, said.slips, said.corrected, said.questions) == ((), (), (), ())


def without_cards(state, **more):
    """The same table where no seeker cards are in sight."""
    players = [{key: value for key, value in row.items() if key != "seekers"} for row in state["players"]]
    return {key: value for key, value in state.items() if key != "seekers_left"} | {"players": players} | more


ROW = [
    "yellow",
    "purple",
    "red",
    "rainbow",
    "blue",
    "red",
    "green",
    "green",
    "yellow",
    "purple",
    "gold",
    "blue",
    "blue",
    "yellow",
]
FEW = [("A", "right", 2), ("B", "right", 2), ("A", "left", 3), ("B", "right", 1), ("A", "right", 1), ("B", "left", 2)]


def with_few_gems():
    """States of a game that began with fewer gems than the box holds, and its takes."""
    row, lines, gold = list(ROW), {"A": [], "B": []}, {"A": 0, "B": 0}
    states, takes = [], []
    for who, end, n in [("A", "left", 0), *FEW]:
        gems = row[:n] if end == "left" else row[len(row) - n :]
        row = row[n:] if end == "left" else row[: len(row) - n]
        lines[who] = lines[who] + [gem for gem in gems if gem != "gold"]
        gold[who] += gems.count("gold")
        rows = [{"name": name, "line": lines[name], **({"gold": gold[name]} if gold[name] else {})} for name in "AB"]
        states.append({"game": "twelve-seekers", "rule": 7, "dungeon": row, "players": rows})
        takes.append((who, f"dungeon.{end}", gems))
    return states, takes[1:]


@pytest.mark.parametrize("tiles", ["all", "some"])
def test_where_no_cards_are_in_sight_the_gems_taken_tell_the_turns(tiles):
    states, takes = with_few_gems()
    if tiles == "all":
        states = [without_cards(look(lying)) for lying in STATES]
        takes = [taken(*both) for both in zip(game.TAKES, STATES, strict=False)]
    log = GameLog(("A", "B"))
    said = [log.look(state, time=float(i)) for i, state in enumerate(states)]
    assert [(move["who"], move["from"], move["what"]) for move in log.moves] == takes
    assert [len(one.moves) for one in said[1:]] == [1] * len(takes)
    assert not [line for one in said for line in (*one.slips, *one.owed, *one.questions, *one.corrected)]
    assert all("seekers" not in row for one in said for row in one.state["players"])


def test_without_cards_a_gem_read_as_gold_once_is_put_right_by_the_last_look():
    states, _ = with_few_gems()
    first, second = states[4]["players"]
    seen = {**states[4], "players": [{**first, "line": ["blue", *first["line"][2:]], "gold": 1}, second]}
    log = GameLog(("A", "B"))
    said = [log.look(state) for state in (*states[:4], seen, *states[4:])]
    assert said[4].state["players"][0]["line"] == first["line"]
    assert [(fix["at"], fix["read"], fix["is"]) for fix in said[4].corrected] == [("/players/0/gold", "gold", "yellow")]
    assert not [slip for one in said for slip in one.slips]


def test_the_tile_that_was_read_wrongly_gets_its_color():
    square = np.zeros((4, 2))
    tiles = [Tile(color, "A", 0, i, square[0], square, 0.9) for i, color in enumerate(("gold", "red", "gold"))]
    tiles[2] = replace(tiles[2], confidence=0.4, doubtful=True)
    line = {"line": "corrected", "look": 3, "at": "/players/0/gold", "read": "gold", "is": "yellow"}
    table = TableState({}, {"/players/0/gold": (0, 2)})
    reading = TableReading(tuple(tiles), (), {})
    now = put_right(reading, table, [line])
    assert [tile.color for tile in now.tiles] == ["gold", "red", "yellow"]
    assert put_right(reading, table, [{**line, "read": "blue"}]) == reading


@pytest.mark.parametrize(
    ("ways", "language", "said"),
    [  # where it is laid is said only where that matters
        ([(3, "left", False), (3, "right", True)], "en", "takes seeker 1 and red from the left: +3"),
        ([(-1, "right", True), (-3, "left", False)], "ja", "シーカー1を取り、左端から赤を取る（逆順で列の右端へ）：−1"),
        ([(0, "left", False), (-2, "right", False)], "en", "takes seeker 1 and red from the left, to the left end: ±0"),
        ([(None, "left", False)], "en", "takes seeker 1 and red from the left"),
    ],
)
def test_what_is_legal_is_said_with_its_points(ways, language, said):
    take = {"who": "A", "move": "take", "seeker": 1, "what": ["red"], "from": "dungeon.left"}
    lines = [{**take, "to": {"end": end, "turned": turned}, "points": points} for points, end, turned in ways]
    assert Log(language, "twelve-seekers").legal(lines) == [said]


def test_of_ways_to_swap_the_one_that_gives_the_most_is_said_with_the_fewest_swaps():
    take = {"who": "A", "move": "take", "seeker": 1, "what": ["red"], "from": "dungeon.left"}
    take["to"] = {"end": "left", "turned": False}
    lines = [{**take, "swaps": swaps, "points": points} for swaps, points in ((2, 4), (1, 4), (0, 1))]
    (said,) = Log("en", "twelve-seekers").legal(lines)
    assert said == "takes seeker 1 and red from the left, to the left end, 1 swap of neighbors: +4"


@pytest.mark.parametrize(
    ("pieces", "typed", "said"),
    [  # a place counts as said where that was said of each of its pieces
        ((), Entries(), []),
        ((0,), Entries(), []),
        ((0, 1), Entries(), ["/dungeon"]),
        ((2,), Entries(table={"rule": 3, "round": 1}), ["/players/1/gold", "/rule"]),
        ((), Entries(players={"B": {"name": "Ben", "gold": 2}, "C": {"gold": 1}}), ["/players/1/gold"]),
    ],
)
def test_what_people_said_lies_there_is_known_by_its_place(pieces, typed, said):
    places = {"/dungeon": (0, 1), "/players/1/gold": (2,), "/players/0/line": ()}
    table = TableState({"rule": 3, "dungeon": ["red", "red"]}, places, ("A", "B"))
    assert said_places(table, pieces, typed) == said


def test_cards_that_lie_open_tell_the_turns_of_human_angel_demon():
    """No camera sees a hand or the deck."""
    opened = [["A4", "A5", "A6"]]
    looks = [
        (["H3", "A5", "I2"], [], [], [], None),
        (["A5", "I2"], ["D7"], [], [], ("A", "H3", "D7")),
        (["I2"], ["D7"], opened, [], ("B", "A5", None)),
        (["H2", "A1"], ["D7", "H1"], opened, [], ("A", "I2", "H1")),
        (["H2", "A1"], ["D7", "H1"], opened, [], None),
    ]
    log = GameLog(("A", "B"))
    for market, first, sets, second, expected in looks:
        rows = [{"name": "A", "open": [], "discards": first}, {"name": "B", "open": sets, "discards": second}]
        said = log.look({"game": "human-angel-demon", "market": market, "players": rows})
        told = [(move["who"], move["took"], move.get("discarded")) for move in said.moves]
        assert told == ([expected] if expected else [])
        assert not said.slips


def test_the_game_as_a_file_is_read_again_and_any_move_can_be_taken_back():
    log = GameLog(("A", "B"))
    for i, lying in enumerate(STATES):
        log.look(look(lying), time=float(i))
    moves = list(log.moves)
    log.undo(look(STATES[-1]), 2)
    assert log.moves == moves  # nothing else explains the looks
    again = follow([json.loads(line) for line in log.to_lines({}).splitlines()])
    keys = ("n", "who", "seeker", "what", "from", "breaks")
    assert [[line[key] for key in keys] for line in again if line["line"] == "move"] == [
        [move[key] for key in keys] for move in moves
    ]


def igna(laid, *sets):
    """An Igna table under a camera: sets and the treasure that is offered; tokens and hands unseen."""
    players = [{"name": name, "sets": [list(one) for one in own]} for name, own in zip("ABC", sets, strict=True)]
    return {"game": "igna", "laid": laid, "players": players}


RED, GREEN, BLUE = ("red1", "red1", "red1"), ("green2", "green3", "green4"), ("blue5", "red5", "green5")


NO_SET = ("red1", "red2", "blue5")


@pytest.mark.parametrize(
    ("looks", "told", "breaks"),
    [
        ([igna("red1", (), (), ()), igna("red1", [RED], (), ())], [("A", "turn")], []),
        # what is offered and put away again leaves nothing behind: nobody knows whose turn it was
        ([igna(None, (), (), ()), igna("red2", [RED], (), ()), igna("red3", [RED], (), ())], [("A", "turn")], []),
        (
            [igna(None, (), (), ()), igna("red2", [RED], (), ()), igna("red4", [RED, GREEN], (), ())],
            [("A", "turn"), ("A", "turn")],
            [],
        ),
        (
            [igna("red1", [RED], (), ()), igna("blue5", [RED], [GREEN], ()), igna(None, [RED], [GREEN], [BLUE])],
            [("B", "turn"), ("C", "get")],
            [],
        ),
        # one look may have misread a card; when the next shows the same, the set is none
        ([igna("red1", (), (), ()), igna("red1", [NO_SET], (), ())], [("A", "turn")], []),
        ([igna("red1", (), (), ()), *[igna("red1", [NO_SET], (), ())] * 2], [("A", "turn")], [["I5"]]),
    ],
)
def test_igna_is_followed_by_the_sets_that_are_opened(looks, told, breaks):
    log = GameLog(("A", "B", "C"))
    for one in looks:
        log.look(one)
    assert [(move["who"], move["move"]) for move in log.moves] == told
    assert [slip["breaks"] for slip in log.slips] == breaks


def test_splendor_without_prices_judges_no_payment():
    """Cards known by face alone, tokens by color: what a card costs is not in sight."""

    def state(supply, tokens, market, mine):
        card = {"level": 1, "points": 0}
        players = [
            {
                "name": "A",
                "tokens": tokens,
                "cards": [{**card, "bonus": one} for one in mine],
                "nobles": [],
                "kept": [],
            },
            {"name": "B", "tokens": {}, "cards": [], "nobles": [], "kept": []},
        ]
        return {
            "game": "splendor", "supply": supply, "market": [{**card, "bonus": one} for one in market],
            "nobles_left": [], "players": players,
        }  # fmt: skip

    def less(**taken):
        return {color: n - taken.get(color, 0) for color, n in
                {"white": 4, "blue": 4, "green": 4, "red": 4, "black": 4, "gold": 5}.items()}  # fmt: skip

    log = GameLog(("A", "B"))
    three = {"white": 1, "blue": 1, "red": 1}
    log.look(state(less(), {}, ["red", "blue"], []))
    log.look(state(less(**three), three, ["red", "blue"], []))
    assert [(move["who"], move["move"], move["legal"]) for move in log.moves] == [("A", "tokens", True)]
    assert not any(line["move"] == "buy" for line in log.last.legal)


def test_a_table_that_is_cleared_is_no_move_and_said_to_be_cleared():
    log = GameLog(("A", "B"))
    for lying in STATES[:7]:
        log.look(look(lying))
        assert not log.cleared
    moves, state = list(log.moves), log.last.state
    for left in (9, 3, 0):
        here = look(STATES[6])
        rows = [{**row, "line": row["line"][:left], "seekers": [], "gold": 0} for row in here["players"]]
        told = log.look({**here, "dungeon": here["dungeon"][:left], "seekers_left": [], "players": rows})
        assert (log.moves, told.slips) == (moves, ())
        assert [row["line"] for row in told.state["players"]] == [row["line"] for row in state["players"]]
    assert log.cleared
    log.look(look(STATES[7]))
    assert not log.cleared
    assert len(log.moves) == len(moves) + 1
