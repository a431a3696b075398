"""The moves that stand in a referee's log."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any


def standing_moves(lines: Iterable[Mapping[str, Any]]) -> list[Mapping[str, Any]]:
    """The `move` lines that stand once all lines are heard: a `replaced` line takes back those from its number on."""
    moves: list[Mapping[str, Any]] = []
    for line in lines:
        if line["line"] == "replaced":
            del moves[line["from"] - 1 :]
        elif line["line"] == "move":
            moves.append(line)
    return moves
