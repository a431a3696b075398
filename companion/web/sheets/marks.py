"""From the places of the state that a line counted back to the sheets: which cells, which ticks."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from companion.cases.sheet import Scored
from companion.games.in_the_ruin.play import Play

MAPS = {"map": "end", "first_map": "first"}


def marks(pointers: Iterable[str], play: Play, scored: Scored) -> dict[str, Any]:
    """What the page lights up for these JSON pointers.

    Returns:
        cells: [player id, stage, row, col] of each cell, in the pointers' order, once each;
        fields: [player id, field] of what no cell shows (gems, penalties, escaped, a goal card as goals/0,
            which counts the cards that the player holds);
        players: the ids of all players that the pointers name.
    """
    cells: dict[tuple[str, str, int, int], None] = {}
    fields: dict[tuple[str, str], None] = {}
    players: dict[str, None] = {}
    state: Mapping[str, Any] = scored.state or {}
    for pointer in pointers:
        parts = pointer.split("/")[1:]
        if parts[:1] == ["players"]:
            players[scored.ids[int(parts[1])]] = None
        match parts:
            case ["players", index, ("map" | "first_map") as name, row, *col]:
                player = scored.ids[int(index)]
                columns = [int(col[0])] if col else range(len(state["players"][int(index)][name][int(row)]))
                for column in columns:
                    cells[player, _stage(play, player, name), int(row), column] = None
            case ["players", index, "goals", place]:
                fields[scored.ids[int(index)], f"goals/{scored.cards[int(index)][int(place)]}"] = None
            case ["players", index, *path] if path:
                fields[scored.ids[int(index)], "/".join(path)] = None
            case _:
                pass  # the letters stand on the map anyway, and the game as a whole is nothing to light up
    return {"cells": [list(c) for c in cells], "fields": [list(f) for f in fields], "players": list(players)}


def _stage(play: Play, player_id: str, name: str) -> str:
    """The sheet that a map of the state was taken from."""
    player = play.player(player_id)
    if name == "map" and player and player.last_stage:
        return player.last_stage
    return MAPS[name]
