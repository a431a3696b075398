"""From a checked table to the breakdown: every sheet's lines, who won, what has to be said."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from scoring.breakdown import Breakdown, Note, PlayerScore, Value
from scoring.grid import Cell
from scoring.house_rules import Question, Readings
from scoring.in_the_ruin import lines
from scoring.in_the_ruin.escape import Escape, escapes
from scoring.in_the_ruin.table import BOARD, SIZE, Map, Sheet, Table
from scoring.ranking import best, most_points

QUESTIONS: Final = (
    Question("shared-escape", ("after-all", "after-one")),
    Question("walled-destination", ("outside", "inside")),
    Question("rectangle", ("mixed", "one-kind")),
    Question("same-cells", ("shared", "apart")),
    Question("two-by-two", ("noted", "charged"), flag="charge_blocks"),
    Question("touching-blocks", ("apart", "together")),
)
HAND_LIMIT: Final = 5
MOST_PLAYERS: Final = 4
CENTER: Final = BOARD.bit((SIZE // 2, SIZE // 2))


def score(table: Table, readings: Readings, explain: bool) -> Breakdown:
    """Every player's lines and the winners; gaps of open routes only where `explain` is set."""
    sheets = table.sheets
    ways_out = escapes([sheet.escaped for sheet in sheets], readings["shared-escape"])
    players = tuple(
        PlayerScore(
            sheet.name,
            (
                *lines.squares(sheet, readings),
                lines.gems(sheet),
                *lines.routes(sheet, table.letters, explain),
                lines.honor(sheet, way_out),
                lines.penalties(sheet),
                *(lines.charged_blocks(sheet, readings) if readings["two-by-two"] == "charged" else ()),
            ),
        )
        for sheet, way_out in zip(sheets, ways_out, strict=True)
    )
    notes = [note for sheet in sheets for note in _sheet_notes(sheet, table.letters, readings)]
    notes += _escape_notes(sheets, ways_out, readings)
    if len(sheets) > MOST_PLAYERS:
        notes.append(Note("players.many", {"n": len(sheets), "most": MOST_PLAYERS}))
    winners = best(
        players, [(player.total, sheet.map.passages.bit_count()) for player, sheet in zip(players, sheets, strict=True)]
    )
    if len(most_points(players)) > 1:
        notes.append(Note("ruin.tie" if len(winners) == 1 else "ruin.tie.shared", {"names": winners}))
    return Breakdown("in-the-ruin", players, winners, tuple(notes))


def _escape_notes(sheets: Sequence[Sheet], ways_out: Sequence[Escape], readings: Readings) -> list[Note]:
    key = "ruin.escape.together" if readings["shared-escape"] == "after-all" else "ruin.escape.together-one"
    notes = []
    for when in sorted(
        {sheet.escaped for sheet, way in zip(sheets, ways_out, strict=True) if sheet.escaped and way.shared > 1}
    ):
        together = [i for i, sheet in enumerate(sheets) if sheet.escaped == when]
        values: dict[str, Value] = {
            "round": when,
            "names": tuple(sheets[i].name for i in together),
            "points": ways_out[together[0]].points,
        }
        notes.append(Note(key, values, tuple(f"{sheets[i].place}/escaped" for i in together)))
    return notes


def _sheet_notes(sheet: Sheet, letters: Mapping[str, Cell], readings: Readings) -> list[Note]:
    """What is odd about a sheet, and which rulings it needed."""
    name: dict[str, Value] = {"name": sheet.name}
    values: dict[str, Value]
    notes = _first_stage_notes(sheet, letters, readings)
    walled = sheet.map.destinations & sheet.map.walls
    if walled and readings["walled-destination"] == "outside":
        counted = lines.square(sheet.map, readings).area
        other = lines.square(sheet.map, {**readings, "walled-destination": "inside"}).area
        if other != counted:
            values = {**name, "area": counted, "other": other}
            notes.append(Note("ruin.walled", values, lines.places(sheet, "map", BOARD.list_of(walled))))
    notes += _block_notes(sheet, readings)
    if not sheet.map.passages & CENTER:
        notes.append(Note("ruin.entrance", name, lines.places(sheet, "map", BOARD.list_of(CENTER))))
    if len(sheet.goals) > HAND_LIMIT:
        values = {**name, "n": len(sheet.goals), "most": HAND_LIMIT}
        notes.append(Note("ruin.goals-many", values, (f"{sheet.place}/goals",)))
    if len({frozenset(goal) for goal in sheet.goals}) < len(sheet.goals):
        notes += _twice_notes(sheet)
    return notes


def _block_notes(sheet: Sheet, readings: Readings) -> list[Note]:
    """Sets of 2 × 2 passages that are not charged; of those that are, how many there are where that can be argued."""
    values: dict[str, Value]
    sets = lines.block_sets(sheet, readings)
    if readings["two-by-two"] == "noted":
        values = {"name": sheet.name, "ticks": lines.TICKS_A_BLOCK_SET}
        return [
            Note("ruin.blocks", {**values, "cells": len(cells)}, lines.places(sheet, "map", cells)) for cells in sets
        ]
    if len(sets) > 1 and readings["touching-blocks"] == "apart":
        together = len(lines.block_sets(sheet, {**readings, "touching-blocks": "together"}))
        if together < len(sets):
            values = {"name": sheet.name, "n": len(sets), "other": together}
            cells = [cell for block_set in sets for cell in block_set]
            return [Note("ruin.blocks-touch", values, lines.places(sheet, "map", cells))]
    return []


def _twice_notes(sheet: Sheet) -> list[Note]:
    """Goal cards of the same two letters, in either order, of which there can be one only."""
    held: dict[frozenset[str], list[int]] = {}
    for i, goal in enumerate(sheet.goals):
        held.setdefault(frozenset(goal), []).append(i)
    notes = []
    for cards in held.values():
        if len(cards) > 1:
            one, other = sheet.goals[cards[0]]
            values: dict[str, Value] = {"name": sheet.name, "from": one, "to": other, "n": len(cards)}
            notes.append(Note("ruin.goals-twice", values, tuple(f"{sheet.place}/goals/{i}" for i in cards)))
    return notes


def _first_stage_notes(sheet: Sheet, letters: Mapping[str, Cell], readings: Readings) -> list[Note]:
    name: dict[str, Value] = {"name": sheet.name}
    first = sheet.first_map
    if first is None:
        return [Note("ruin.first.none", name, (sheet.place,))] if sheet.first_square is None else []
    notes = []
    area = lines.square(first, readings).area
    if sheet.first_square not in (None, area):
        values: dict[str, Value] = {**name, "written": sheet.first_square or 0, "area": area}
        notes.append(Note("ruin.first.disagree", values, (f"{sheet.place}/first_square",)))
    if "first_destinations" not in sheet.given and sheet.first_square is None:
        notes += _unknown_destinations(sheet, first, letters, readings)
    changed = (first.passages & ~sheet.map.passages) | (first.walls & ~sheet.map.walls)
    if changed:
        notes.append(Note("ruin.first.later", name, lines.places(sheet, "first_map", BOARD.list_of(changed))))
    return notes


def _unknown_destinations(sheet: Sheet, first: Map, letters: Mapping[str, Cell], readings: Readings) -> list[Note]:
    """A note where the square depends on which walls over letters were destinations at the end of the first stage."""
    in_doubt = BOARD.set_of(letters.values()) & first.walls
    if not in_doubt:
        return []
    least, most = (lines.square(first._replace(destinations=cells), readings).area for cells in (in_doubt, 0))
    if least == most:
        return []
    values: dict[str, Value] = {"name": sheet.name, "least": least, "most": most}
    return [Note("ruin.first.destinations", values, lines.places(sheet, "first_map", BOARD.list_of(in_doubt)))]
