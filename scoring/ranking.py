"""Who wins: most points, then whatever a game's rulebook names, as one sort key."""

from collections.abc import Sequence
from typing import Any

from scoring.breakdown import PlayerScore


def best(players: Sequence[PlayerScore], keys: Sequence[Any]) -> tuple[str, ...]:
    """The names of all players whose key is the highest, in the state's order."""
    top = max(keys)
    return tuple([player.name for player, key in zip(players, keys, strict=True) if key == top])


def most_points(players: Sequence[PlayerScore]) -> list[int]:
    """The places (indices) of the players who share the most points; empty where a total is unknown."""
    totals = [player.total for player in players]
    if None in totals:
        return []
    top = max(totals)  # type: ignore[type-var]
    return [i for i, total in enumerate(totals) if total == top]
