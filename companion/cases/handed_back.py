"""A case that was laid out by tapping goes back to where it came from: what differs becomes people's words there."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from companion.cases.sheet import DESTINATIONS, PLACES, play_state
from companion.games.in_the_ruin import TRACKS
from companion.games.in_the_ruin.edits import TO_NEW
from companion.games.in_the_ruin.play import Cell, Play, Player, Sheet
from companion.log import REDO, UNDO

Edit = dict[str, Any]
State = Mapping[str, Any]


@dataclass(frozen=True)
class Words:
    """What people say of a table.

    Attributes:
        tiles: colors of tiles, by the JSON pointer of the place where they count.
        table: keys of the state with other values than before; None where one is gone.
        players: the same of players, by zone.
    """

    tiles: Mapping[str, str] = field(default_factory=dict)
    table: Mapping[str, Any] = field(default_factory=dict)
    players: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)


def moved_on(before: State, after: State, now: State) -> str | None:
    """Where a table has become something else while its state `before` was tapped to be `after`, as a JSON pointer.

    None where what was tapped is as it was. All states have as many players.
    """
    rows = zip(before["players"], after["players"], now["players"], strict=True)
    parts = [("", before, after, now), *((f"/players/{i}", *row) for i, row in enumerate(rows))]
    for place, one, tapped, there in parts:
        for key, value in _changed(one, tapped).items():
            if key != "players" and there.get(key) not in (one.get(key), value):
                return f"{place}/{key}"
    return None


def laid_on(state: State, before: State, after: State) -> dict[str, Any]:
    """A table's state with what was tapped between `before` and `after`. All have as many players."""
    rows = zip(before["players"], after["players"], state["players"], strict=True)
    players = [_with(there, _changed(one, tapped)) for one, tapped, there in rows]
    return {**_with(state, _changed(before, after)), "players": players}


def table_words(before: State, after: State, zones: Sequence[str], places: Mapping[str, Any]) -> Words:
    """What turns a table's state into another one of as many players.

    Args:
        before: the state from which tapping began.
        after: the state as it was tapped.
        zones: the players' zones, in the order of the states' players.
        places: the places of the state that are seen.
    """
    tiles: dict[str, str] = {}
    players: dict[str, dict[str, Any]] = {}
    for i, (zone, old, new) in enumerate(zip(zones, before["players"], after["players"], strict=True)):
        players[zone] = _changed(old, new)
        line = players[zone].get("line")
        if line is not None and len(line) == len(old.get("line", ())):
            of_tiles = {f"/players/{i}/line/{k}": color for k, color in enumerate(line) if color != old["line"][k]}
            if of_tiles.keys() <= places.keys():
                tiles |= of_tiles
                del players[zone]["line"]
    table = _changed(before, after)
    table.pop("players", None)
    return Words(tiles, table, {zone: changed for zone, changed in players.items() if changed})


def sheet_edits(play: Play, letters: Mapping[str, Cell], after: State, new_id: Iterator[str]) -> list[Edit]:
    """The edits that turn a play, as it was when tapping began, into a tapped state; `new_id` gives ids for players
    who were not there."""
    made = play_state(play, letters)
    left = {player.id: player for player in play.players if player.id in made.ids}
    rows = list(after["players"])
    of_row: list[Player | None] = [next((p for p in left.values() if p.name == row.get("name")), None) for row in rows]
    free = [player for player in left.values() if player not in of_row]
    edits: list[Edit] = []
    for i, row in enumerate(rows):
        player = of_row[i] or (free.pop(0) if free else None)
        if player is None:
            player = Player(next(new_id), str(row.get("name", "")))
            edits.append({"kind": "add-player", "player": player.id, "name": player.name})
        edits += [{"player": player.id, **edit} for edit in _player_edits(player, row, letters)]
    edits += [{"kind": "remove-player", "player": player.id} for player in free]
    asked = {**after.get("house_rules", {}), **({"two-by-two": "charged"} if after.get("charge_blocks") else {})}
    for name in {**play.house_rules, **asked}:
        if asked.get(name) != play.house_rules.get(name):
            edits.append({"kind": "house-rule", "name": name, "reading": asked.get(name)})
    return edits


def edits_moved(edits: Sequence[Edit], since: int) -> set[tuple[str, str]]:
    """The sheets, as player and stage, in whose place others came since an edit: what was tapped is not of those."""
    out: set[tuple[str, str]] = set()
    for edit in edits[since:]:
        one = edits[edit["edit"]] if edit["kind"] in (UNDO, REDO) else edit
        if one["kind"] in ("move-photo", TO_NEW, "drop-photo"):
            out.add((one["player"], one["stage"]))
        if one["kind"] in ("move-photo", TO_NEW):
            out.add((one["to"], one["to_stage"]))
        if one["kind"] == "stage-over":
            out |= {(player, "first") for player in {e["player"] for e in edits if "player" in e}}
    return out


def still_to_say(
    edits: Sequence[Edit], before: Play, now: Play, after: Play, moved: Collection[tuple[str, str]]
) -> tuple[list[Edit], Edit | None]:
    """Those of the edits that are not so already, and the first about what others changed meanwhile, if any.

    Args:
        edits: what was tapped, of players that the plays have.
        before: the play when tapping began.
        now: the play as it is.
        after: the play as it is with the edits.
        moved: sheets that others are in the place of now, as player and stage.
    """
    said = []
    for edit in edits:
        there = _where(now, edit)
        sheet = (edit.get("player", ""), edit.get("stage", there[0] if edit["kind"] == "ticks" and there else ""))
        if sheet in moved:
            return [], edit
        if there != _where(after, edit):
            if there != _where(before, edit):
                return [], edit
            said.append(edit)
    return said, None


def _where(play: Play, edit: Edit) -> Any:
    """What a play has at the place of which an edit tells. None where its player is not there."""
    kind = edit["kind"]
    if kind == "house-rule":
        return play.house_rules.get(edit["name"])
    player = play.player(edit["player"])
    if player is None or kind in ("add-player", "remove-player"):
        return player
    if "stage" in edit:
        sheet = player.sheets[edit["stage"]]
        if kind == "cell":
            return sheet.map_at((edit["row"], edit["col"]))
        return sheet.known if kind == "by-hand" else edit["letter"] in sheet.destination_letters()
    if kind == "ticks":
        return player.last_stage, player.tick_count(edit["track"])
    return {
        "rename": player.name,
        "escaped": (player.escaped, player.escaped_known),
        "first-square": player.square_known,
        "goals": (player.goals, player.goals_known),
    }[kind]


def _with(state: State, changed: State) -> dict[str, Any]:
    return {key: value for key, value in {**state, **changed}.items() if value is not None or key not in changed}


def _changed(before: State, after: State) -> dict[str, Any]:
    keys = dict.fromkeys((*before, *after))
    return {key: after.get(key) for key in keys if before.get(key) != after.get(key)}


def _player_edits(player: Player, row: State, letters: Mapping[str, Cell]) -> Iterator[Edit]:
    if row.get("name", player.name) != player.name:
        yield {"kind": "rename", "name": row["name"]}
    for track in TRACKS:
        if row.get(track, 0) != player.tick_count(track):
            yield {"kind": "ticks", "track": track, "count": row.get(track, 0)}
    if row.get("escaped") != player.escaped:
        yield {"kind": "escaped", "round": row.get("escaped")}
    if row.get("first_square") != player.square_known:
        yield {"kind": "first-square", "cells": row.get("first_square")}
    scored = [list(card) for card in player.goals if set(card) <= letters.keys()]
    if row.get("goals", []) != scored:
        gone = [list(card) for card in player.goals if not set(card) <= letters.keys()]
        yield {"kind": "goals", "goals": [*row.get("goals", []), *gone]}
    for stage, rows in PLACES.items():
        if rows in row:
            asked = row.get(DESTINATIONS[rows], row.get("destinations", []))
            for edit in _sheet_edits(player.sheets[stage], row[rows], asked, letters):
                yield {"stage": stage, **edit}


def _sheet_edits(
    sheet: Sheet, rows: Sequence[str], destinations: Sequence[str], letters: Mapping[str, Cell]
) -> Iterator[Edit]:
    if not sheet.known:
        yield {"kind": "by-hand"}
    for r, (old, new) in enumerate(zip(sheet.map(), rows, strict=False)):
        for c, (was, now) in enumerate(zip(old, new, strict=False)):
            if was != now:
                yield {"kind": "cell", "row": r, "col": c, "value": now}
    known = set(sheet.destination_letters())
    for letter in sorted(known.symmetric_difference(destinations) & letters.keys()):
        yield {"kind": "destination", "letter": letter, "on": letter in destinations}
