"""A number that is far too large is refused in a line of its own; the game goes on."""

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
