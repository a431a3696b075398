"""Random legal table states of every game, for laws and benches: each game's `sample`."""

from importlib import import_module
from random import Random
from typing import Any

from scoring.games import NAMES

State = dict[str, Any]


def sample(game: str, rng: Random) -> State:
    """A state of a game: what `sample` makes in its module, or in the module `samples` of its package."""
    home = f"scoring.{game.replace('-', '_')}"
    package = hasattr(import_module(home), "__path__")
    state: State = import_module(f"{home}.samples" if package else home).sample(rng)
    return state


def any_state(rng: Random) -> State:
    """A state of any game."""
    return sample(rng.choice(NAMES), rng)
