"""Which pieces a move moved, by the places of two states; and how many a state shows."""

from __future__ import annotations

from typing import Any

import pytest

from companion.cases.moved import Lit, carried, lies_otherwise, lit_places, moved, pieces

SHOWN = [
    ("nothing", {}, 0),
    ("tiles in a line", {"players": [{"name": "A", "line": ["red", "blue"]}]}, 2),
    ("counts by kind", {"supply": {"black": 3, "white": 2}}, 5),
    ("a number that counts nothing", {"rule": 7, "players": [{"name": "A", "chips": 4}]}, 0),
    (
        "cards of several words are one each",
        {"dungeon": [{"level": 1, "color": "red"}, {"level": 2, "color": "blue"}]},
        2,
    ),
    ("rows within rows", {"players": [{"name": "A", "open": [["a", "b", "c"], ["d"]]}]}, 4),
    ("two players", {"players": [{"name": "A", "line": ["red"]}, {"name": "B", "line": ["red"]}]}, 2),
]


@pytest.mark.parametrize(("what", "state", "n"), SHOWN, ids=[one[0] for one in SHOWN])
def test_pieces_are_what_stands_in_lists_and_what_counts_by_kind(what: str, state: dict[str, Any], n: int) -> None:
    assert pieces(state) == n


def table(*lines: list[str], **more: Any) -> dict[str, Any]:
    return {"players": [{"name": name, "line": line} for name, line in zip("AB", lines, strict=False)], **more}


# before, after, places that were left, places that were come to, and what stayed
MOVES: list[tuple[str, Any, Any, list[str], list[str], dict[str, str]]] = [
    ("nothing", table(["red"]), table(["red"]), [], [], {"/players/0/line/0": "/players/0/line/0"}),
    (
        "a tile is laid",
        table(["red"]),
        table(["red", "blue"]),
        [],
        ["/players/0/line/1"],
        {"/players/0/line/0": "/players/0/line/0"},
    ),
    (
        "a tile goes, those after it move up",
        table(["red", "blue"]),
        table(["blue"]),
        ["/players/0/line/0"],
        [],
        {"/players/0/line/1": "/players/0/line/0"},
    ),
    (
        "from a player to another",
        table(["red"], []),
        table([], ["red"]),
        ["/players/0/line/0"],
        ["/players/1/line/0"],
        {},
    ),
    (
        "more of a count",
        {"supply": {"black": 2}},
        {"supply": {"black": 3}},
        [],
        ["/supply/black"],
        {"/supply/black": "/supply/black"},
    ),
    (
        "less of a count",
        {"supply": {"black": 3}},
        {"supply": {"black": 1}},
        ["/supply/black"],
        [],
        {"/supply/black": "/supply/black"},
    ),
    ("the last of a count", {"supply": {"black": 1}}, {"supply": {}}, ["/supply/black"], [], {}),
    ("a key with a word", {"rule": "a"}, {"rule": "b"}, ["/rule"], ["/rule"], {}),
    (
        "a cell of a map",
        {"map": ["..", ".."]},
        {"map": ["..", "o."]},
        ["/map/1/0"],
        ["/map/1/0"],
        {
            "/map/0/0": "/map/0/0",
            "/map/0/1": "/map/0/1",
            "/map/1/1": "/map/1/1",
        },
    ),
]


@pytest.mark.parametrize(("what", "before", "after", "left", "came", "stayed"), MOVES, ids=[one[0] for one in MOVES])
def test_a_move_is_told_by_the_places_that_it_left_and_came_to(
    what: str, before: Any, after: Any, left: list[str], came: list[str], stayed: dict[str, str]
) -> None:
    found = moved(before, after)
    names = {place: place for place in found.stayed if place.endswith("/name")}
    assert (found.left, found.came) == (left, came)
    assert {was: now for was, now in found.stayed.items() if was not in names} == stayed


def test_what_was_seen_of_a_piece_goes_along_where_others_are_taken_out_before_it() -> None:
    seen = {"/players/0/line/0": "t0", "/players/0/line/1": "t1"}
    before = table(["red", "blue"])
    assert carried(seen, before, before) == seen
    assert carried(seen, before, table(["blue"])) == {"/players/0/line/0": "t1"}
    assert carried(seen, before, table(["red", "gray"])) == seen  # another color at its place is the same piece
    assert carried(seen, before, table(["gray", "red", "blue"])) == {
        "/players/0/line/1": "t0", "/players/0/line/2": "t1",
    }  # fmt: skip


SEEN = [
    ("the same", {"dungeon": ["a", "b"]}, {"dungeon": ["a", "b"]}, False),
    ("a row of the dungeon in another order", {"dungeon": ["b", "a"]}, {"dungeon": ["a", "b"]}, True),
    ("cards of a hand in another order", {"hand": ["b", "a"]}, {"hand": ["a", "b"]}, False),
    ("a card more", {"hand": ["a"]}, {"hand": ["a", "b"]}, True),
    ("a count of none", {"supply": {"black": 0, "white": 1}}, {"supply": {"white": 1}}, False),
    ("another count", {"supply": {"white": 2}}, {"supply": {"white": 1}}, True),
    ("what is not seen says nothing", {}, {"hand": ["a"]}, False),
    ("a player's line", {"players": [{}, {"line": ["red"]}]}, {"players": [{}, {"line": ["blue"]}]}, True),
    ("players alike", {"players": [{"line": ["red"]}]}, {"players": [{"line": ["red"], "chips": 2}]}, False),
]


@pytest.mark.parametrize(("what", "seen", "believed", "wanted"), SEEN, ids=[one[0] for one in SEEN])
def test_what_is_seen_contradicts_what_is_believed_where_it_says_something(
    what: str, seen: dict[str, Any], believed: dict[str, Any], wanted: bool
) -> None:
    assert lies_otherwise(seen, believed) is wanted


def line(k: int) -> str:
    return f"/players/0/line/{k}"


def test_the_pieces_of_each_move_are_found_before_it_after_it_and_now() -> None:
    states = [table(["red"]), table(["red", "blue"]), table(["blue"])]
    assert lit_places(table([]), states, [0, 1, 2]) == [
        Lit((), (line(0),), ()),
        Lit((), (line(1),), (line(0),)),
        Lit((line(0),), (), ()),
    ]


def test_moves_that_one_look_shows_are_seen_in_the_state_before_and_after_that_look() -> None:
    states = [table(["red"]), table(["red", "blue"]), table(["gray", "red", "blue"])]
    assert lit_places(table([]), states, [0, 0, 0]) == [
        Lit((), (line(1),), (line(1),)),
        Lit((), (line(2),), (line(2),)),
        Lit((), (line(0),), (line(0),)),
    ]
    assert lit_places(table([]), states, [0, 0, 1])[1] == Lit((), (line(1),), (line(2),))
    gone = [table(["blue"]), table([])]
    assert lit_places(table(["red", "blue"]), gone, [0, 0])[1] == Lit((line(1),), (), ())
