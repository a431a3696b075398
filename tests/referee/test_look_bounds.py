"""A number that is far too large is refused in a line of its own; the game goes on. What is long ago is forgotten."""

import json
from pathlib import Path

import pytest

from referee import Game
from scoring import StateError
from tests.referee.test_tidying import LOOKS


def places(value, first_ones=None, at=()):
    """All places of a state and what stands there; of each list so many of the `first_ones`, or all."""
    items = value.items() if isinstance(value, dict) else ()
    for key, one in enumerate(value[:first_ones]) if isinstance(value, list) else items:
        yield (*at, key), one
        yield from places(one, first_ones, (*at, key))


def changed(value, at, new):
    if not at:
        return new
    copy = dict(value) if isinstance(value, dict) else list(value)
    copy[at[0]] = changed(value[at[0]], at[1:], new)
    return copy


@pytest.mark.parametrize("name", ["twelve-seekers 8", "splendor", "igna", "in-the-ruin", "human-angel-demon"])
@pytest.mark.parametrize("new", [2**40, -(2**40), 2**63])
def test_each_number_of_a_look_has_bounds(name, new):
    header, first, *_, last = LOOKS[name]
    game = Game()
    game.take(header)
    game.take(first)
    for at in [at for at, one in places(last["state"]) if type(one) is int]:
        *_, closing = game.take({"time": 9, "state": changed(last["state"], at, new)})
        assert isinstance(closing["error"], StateError)
        assert closing["error"].place == "/" + "/".join(map(str, at))
    assert "error" not in game.take(last)[-1]


ODD = ("x", -1, {}, [], None, 2.5, True, ["x"], {"x": 1})


@pytest.mark.parametrize("name", LOOKS)
def test_whatever_stands_in_a_look_is_read_or_refused_at_its_place_and_the_game_goes_on(name):
    header, first, *_, last = LOOKS[name]
    game = Game()
    game.take(header)
    game.take(first)
    for at, _ in places(last["state"], 1):
        place = "/" + "/".join(map(str, at))
        for odd in ODD:
            *_, closing = game.take({"time": 9, "state": changed(last["state"], at, odd)})
            if error := closing.get("error"):
                assert error.place.startswith(place.rsplit("/", 1)[0]), (place, odd)
    assert "error" not in game.take(last)[-1]


REFUSED = [
    ("twelve-seekers 8", ("dungeon",), "x", "", "list"),
    ("twelve-seekers 8", ("dungeon",), ["x"], "/0", "one-of"),
    ("twelve-seekers 8", ("seekers_left",), ["x"], "/0", "seeker"),
    ("twelve-seekers 8", ("players",), 2, "", "list"),
    ("twelve-seekers 8", ("players", 0), 2, "", "object"),
    ("twelve-seekers 8", ("players", 0, "name"), "Zoe", "", "one-of"),
    ("twelve-seekers 8", ("players", 0, "line"), {}, "", "list"),
    ("twelve-seekers 8", ("players", 0, "line", 0), "pink", "", "one-of"),
    ("twelve-seekers 8", ("players", 0, "gold"), "x", "", "number"),
    ("twelve-seekers 8", ("players", 0, "seekers"), ["x"], "/0", "seeker"),
    ("twelve-seekers 20", ("players", 0, "invalid"), [], "", "object"),
    ("twelve-seekers 20", ("players", 0, "invalid"), {"x": 1}, "/x", "one-of"),
    ("twelve-seekers 20", ("players", 0, "valid", "green"), 2.5, "", "number"),
    ("splendor", ("supply",), "x", "", "object"),
    ("splendor", ("supply",), {"x": 1}, "/x", "one-of"),
    ("splendor", ("supply", "white"), "x", "", "number"),
    ("splendor", ("market",), {}, "", "list"),
    ("splendor", ("market",), ["x"], "/0", "object"),
    ("splendor", ("market", 0, "price"), "x", "", "object"),
    ("splendor", ("market", 0, "price", "white"), None, "", "number"),
    ("splendor", ("market", 0, "bonus"), "gold", "", "one-of"),
    ("splendor", ("nobles_left",), ["x"], "/0", "object"),
    ("splendor", ("nobles_left", 0), {"x": 1}, "/x", "one-of"),
    ("igna", ("players", 0, "sets"), "x", "", "list"),
    ("igna", ("players", 0, "sets"), ["x"], "/0", "list"),
    ("igna", ("discard_treasure", 0), 2, "", "igna-card"),
    ("in-the-ruin", ("players", 0, "map"), [], "", "map"),
    ("in-the-ruin", ("players", 0, "map", 0), "x", "", "map-row"),
    ("in-the-ruin", ("players", 0, "map", 0), "...........o", "", "map-row"),
    ("in-the-ruin", ("players", 0, "map", 0), "x..........", "", "map-row"),
    ("in-the-ruin", ("cards",), ["x"], "/0", "object"),
]


@pytest.mark.parametrize(("name", "at", "odd", "where", "expected"), REFUSED)
def test_what_is_no_piece_is_refused_with_what_was_expected_there(name, at, odd, where, expected):
    header, first, *_, last = LOOKS[name]
    game = Game()
    game.take(header)
    game.take(first)
    *_, closing = game.take({"time": 9, "state": changed(last["state"], at, odd)})
    assert (closing["error"].place, closing["error"].expected) == ("/" + "/".join(map(str, at)) + where, expected)
    assert closing["time"] == 9


REFUSED_LINES = [
    ([7], "", "object"),
    ([{"header": 7}], "/header", "object"),
    ([{"time": 3}], "/state", "field"),
    ([{"state": 7}], "/state", "object"),
    ([{"state": {}}], "/game", "one-of"),
    ([{"state": {"game": "chess"}}], "/game", "one-of"),
    ([{"state": {"game": "splendor"}}], "/players", "players"),
    ([{"state": {"game": "splendor", "players": [{"name": "A"}, {"name": "A"}]}}], "/players", "own-name"),
    ([{"header": {"players": "AB"}}, {"state": {"game": "splendor"}}], "/players", "players"),
    ([{"answer": {"question": "q1", "choice": "a"}}], "/answer/question", "one-of"),
    ([{"state": {"game": "splendor", "players": [{"name": "A"}]}}, {"header": {}}], "/header", "object"),
    ([{"state": {"game": "splendor", "players": [{"name": "A"}]}}, {"undo": True, "n": 1}], "/n", "number-between"),
    ([{"state": {}, "by": "person", "look": 4}], "/look", "number-between"),
]


@pytest.mark.parametrize(("lines", "place", "expected"), REFUSED_LINES)
def test_a_line_that_is_none_says_what_was_expected_there(lines, place, expected):
    game = Game()
    *_, closing = [out for line in lines for out in game.take(line)]
    assert (closing["line"], closing["error"].place, closing["error"].expected) == ("look", place, expected)


def test_of_a_game_of_which_nothing_was_seen_nothing_is_said():
    game = Game()
    assert game.end() == [{"line": "end", "state": None, "over": False}]
    assert (game.state, game.best, game.begins, game.house, game.legal()) == (None, None, {}, {}, [])
    (closing,) = game.take({"undo": True, "time": 4})
    assert (closing["line"], closing["time"], "error" in closing) == ("look", 4, False)


@pytest.mark.parametrize(
    ("at", "most"), [(("market",), 12), (("players", 0, "hand"), 20), (("players", 0, "discards"), 100)]
)
def test_a_row_of_more_cards_than_any_table_has_is_refused(at, most):
    header, first, *_, last = LOOKS["human-angel-demon"]
    game = Game()
    game.take(header)
    game.take(first)
    *_, closing = game.take({"time": 9, "state": changed(last["state"], at, ["A1"] * (most + 1))})
    assert (closing["error"].place, closing["error"].got) == ("/" + "/".join(map(str, at)), most + 1)
    assert "error" not in game.take(last)[-1]


@pytest.mark.parametrize("kind", ["seekers-chaos", "splendor", "igna", "ruin", "other-angels-slips"])
def test_how_looks_came_about_is_forgotten_when_they_are_long_ago(kind):
    file = Path(__file__).parent / "games" / f"{kind}-1.jsonl"
    *lines, _ = (json.loads(line) for line in file.read_text(encoding="utf-8").splitlines())
    game = Game()
    for line in lines:
        game.take(line)
    kept = [bool(look.explained) for look in game._telling.looks]
    assert len(kept) > 5
    assert any(kept[-5:])
    assert not any(kept[:-5])
