"""A number that is far too large is refused in a line of its own; the game goes on. What is long ago is forgotten."""

import json
from pathlib import Path

import pytest

from referee import Game
from scoring import StateError
from tests.referee.test_tidying import LOOKS


def numbers(value, at=()):
    """The places of all whole numbers of a state."""
    if type(value) is int:
        yield at
    for key, one in value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ():
        yield from numbers(one, (*at, key))


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
    for at in numbers(last["state"]):
        *_, closing = game.take({"time": 9, "state": changed(last["state"], at, new)})
        assert isinstance(closing["error"], StateError)
        assert closing["error"].place == "/" + "/".join(map(str, at))
    assert "error" not in game.take(last)[-1]


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
