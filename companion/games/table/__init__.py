"""What lies on a table, as the table state of the game in play, with the way back from each place to what was seen there.

(Agreed between the live page and whoever fills it in: `TableState`, `Entries` and the signature of `table_state`.)
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from vision.table.profile import TableProfile
from vision.table.reading import Problem, TableReading


@dataclass(frozen=True)
class Entries:
    """What people typed because no camera can see it. It is laid over what was seen: a typed value counts.

    Attributes:
        table: keys of the state itself: `rule`, `house_rules`, `round_over`, …
        players: keys of a player, by the player's zone: `name`, `chips`, `choices`, `bonuses`, `seekers`, …
    """

    table: Mapping[str, Any] = field(default_factory=dict)
    players: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)


@dataclass(frozen=True)
class TableState:
    """A table state and where each of its places was seen.

    Attributes:
        state: the public table state.
        places: JSON pointers into the state, each with the pieces that stand for it: an index below
            `len(reading.tiles)` is that tile, above it (less that length) that card. What was typed has no pieces.
        zones: the players' zones, in the order of the state's players.
        problems: what a person should know of how the state came about, as message keys.
    """

    state: dict[str, Any]
    places: Mapping[str, tuple[int, ...]]
    zones: tuple[str, ...] = ()
    problems: tuple[Problem, ...] = ()


def table_state(reading: TableReading, profile: TableProfile, entries: Entries | None = None) -> TableState:
    """The state that a reading shows, with what people typed laid over it."""
    raise NotImplementedError
