"""From a checked table to the breakdown: every sheet's lines, who won, what has to be said."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from scoring.breakdown import Breakdown, Line, Note, PlayerScore, Value
from scoring.grid import Cell, Cells
from scoring.house_rules import Question, Readings
from scoring.in_the_ruin import lines
from scoring.in_the_ruin.escape import Escape, escapes
from scoring.in_the_ruin.table import BOARD, SIZE, Map, Sheet, Table
from scoring.ranking import best, most_points

FIRST_STAGE: Final = "in-the-ruin/first-stage"
STEP_1_2: Final = "in-the-ruin/step-1-2"
STEP_2: Final = "in-the-ruin/step-2"
"""Sections of the rulebook."""
QUESTIONS: Final = (
    Question("shared-escape", ("after-all", "after-one"), "silent", "in-the-ruin/end-2"),
    Question("walled-destination", ("outside", "inside"), "explicit", FIRST_STAGE),
    Question("rectangle", ("mixed", "one-kind"), "inferred", FIRST_STAGE),
    Question("same-cells", ("shared", "apart"), "inferred", "in-the-ruin/end"),
    Question("two-by-two", ("noted", "charged"), "inferred", "in-the-ruin/cautions", flag="charge_blocks"),
    Question("touching-blocks", ("apart", "together"), "silent", "in-the-ruin/cautions"),
    Question("sharing-blocks", ("one-set", "each"), "inferred", "in-the-ruin/cautions"),
)
HAND_LIMIT: Final = 5
TRACK: Final = 10
"""Boxes of a track; further ticks stand beside it."""
MOST_PLAYERS: Final = 4
LETTERS: Final = 24
"""On a sheet: one for each exploration card."""
AREAS: Final = frozenset(height * width for height in range(SIZE + 1) for width in range(SIZE + 1))
"""Of all rectangles on the map, none included, in cells."""
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
                *(() if sheet.half_time else _end_lines(table, sheet, way_out, readings, explain)),
            ),
        )
        for sheet, way_out in zip(sheets, ways_out, strict=True)
    )
    lettered = BOARD.set_of(table.letters.values())
    notes = [note for sheet in sheets for note in _sheet_notes(sheet, table.letters, lettered, readings)]
    if table.first_stage and (early := [sheet for sheet in sheets if sheet.escaped is not None]):
        names: dict[str, Value] = {"names": tuple(sheet.name for sheet in early), "rule": "R14"}
        notes.append(Note("ruin.escaped-early", names, tuple(f"{s.place}/escaped" for s in early), STEP_1_2))
    notes += _escape_notes(sheets, ways_out, readings)
    notes += _destination_notes(sheets, table.letters)
    if len(sheets) > MOST_PLAYERS:
        notes.append(Note("players.many", {"n": len(sheets), "most": MOST_PLAYERS}))
    winners = best(
        players, [(player.total, sheet.map.passages.bit_count()) for player, sheet in zip(players, sheets, strict=True)]
    )
    if not table.goes_on and len(top := most_points(players)) > 1:
        notes.append(_tie([sheets[i] for i in top], winners))
    if table.goes_on:
        notes.append(Note("ruin.goes-on", source="in-the-ruin/end"))
        return Breakdown("in-the-ruin", players, (), winners, tuple(notes))
    return Breakdown("in-the-ruin", players, winners, (), tuple(notes))


def _end_lines(table: Table, sheet: Sheet, way_out: Escape, readings: Readings, explain: bool) -> Iterator[Line]:
    """What a sheet gets at the end beside its squares."""
    yield lines.gems(sheet)
    yield from lines.routes(sheet, table.letters, explain)
    yield lines.honor(sheet, way_out, alone=len(table.sheets) == 1)
    yield lines.penalties(sheet)
    if readings["two-by-two"] == "charged":
        yield from lines.charged_blocks(sheet, readings)


def _tie(tied: Sequence[Sheet], winners: tuple[str, ...]) -> Note:
    """How many passages each of those with equal points has, and who wins with the most."""
    tally = tuple(f"{sheet.name} {sheet.map.passages.bit_count()}" for sheet in tied)
    where = tuple(place for sheet in tied for place in lines.places(sheet, "map", BOARD.list_of(sheet.map.passages)))
    key = "ruin.tie" if len(winners) == 1 else "ruin.tie.shared"
    return Note(key, {"names": winners, "tally": tally}, where, "in-the-ruin/end")


def _destination_notes(sheets: Sequence[Sheet], letters: Mapping[str, Cell]) -> Iterator[Note]:
    """Destinations are declared and claimed for everybody: those who have not escaped all have the same.

    A letter under somebody's wall is left out where it is not named there: nobody can see whether it was traced.
    """
    for key, note, drawn in (
        (
            "destinations",
            "ruin.destinations-differ",
            [(s, s.map) for s in sheets if s.escaped is None and not s.half_time],
        ),
        ("first_destinations", "ruin.destinations-differ.first", [(s, s.first_map) for s in sheets]),
    ):
        told = [(sheet, map_) for sheet, map_ in drawn if key in sheet.given]
        cells = [BOARD.set_of([letters[letter] for letter in sheet.given[key]]) for sheet, _ in told]
        if len(set(cells)) < 2:
            continue
        hidden = 0
        for (_, map_), own in zip(told, cells, strict=True):
            hidden |= map_.walls & ~own if map_ else 0
        if len({own & ~hidden for own in cells}) > 1:
            names: dict[str, Value] = {"names": tuple(sheet.name for sheet, _ in told), "rule": "R16"}
            yield Note(note, names, tuple(f"{sheet.place}/{key}" for sheet, _ in told), STEP_2)


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
        notes.append(Note(key, values, tuple(f"{sheets[i].place}/escaped" for i in together), "in-the-ruin/end-2"))
    return notes


def _sheet_notes(sheet: Sheet, letters: Mapping[str, Cell], lettered: Cells, readings: Readings) -> list[Note]:
    """What is odd about a sheet, and which rulings it needed; `lettered` are the cells of the letters."""
    notes = _first_stage_notes(sheet, letters, readings)
    if not sheet.half_time:
        notes += _map_notes(sheet, lettered, readings)
    if len(sheet.goals) > HAND_LIMIT:
        values: dict[str, Value] = {"name": sheet.name, "n": len(sheet.goals), "most": HAND_LIMIT, "rule": "R8"}
        notes.append(Note("ruin.goals-many", values, (f"{sheet.place}/goals",), STEP_2))
    if len({frozenset(goal) for goal in sheet.goals}) < len(sheet.goals):
        notes += _twice_notes(sheet)
    return notes


def _map_notes(sheet: Sheet, lettered: Cells, readings: Readings) -> list[Note]:
    """What is odd about the map at the end and the tracks beside it."""
    name: dict[str, Value] = {"name": sheet.name}
    values: dict[str, Value]
    notes = []
    walled = sheet.map.destinations & sheet.map.walls
    if walled and readings["walled-destination"] == "outside":
        counted = lines.square(sheet.map, readings).area
        other = lines.square(sheet.map, {**readings, "walled-destination": "inside"}).area
        if other != counted:
            values = {**name, "area": counted, "other": other}
            notes.append(Note("ruin.walled", values, lines.places(sheet, "map", BOARD.list_of(walled)), FIRST_STAGE))
    notes += _block_notes(sheet, readings)
    notes += _gem_notes(sheet, lettered)
    for track, n in (("gems", sheet.gems), ("penalties", sheet.penalties)):
        if n > TRACK:
            values = {**name, "n": n, "most": TRACK, "beside": n - TRACK}
            notes.append(Note(f"ruin.ticks-beside.{track}", values, lines.given(sheet, track), "in-the-ruin/cautions"))
    notes += _island_notes(sheet, lettered)
    if not sheet.map.passages & CENTER:
        where = lines.places(sheet, "map", BOARD.list_of(CENTER))
        notes.append(Note("ruin.entrance", {**name, "rule": "R1"}, where, "in-the-ruin/set-up"))
    return notes


def _block_notes(sheet: Sheet, readings: Readings) -> list[Note]:
    """Sets of 2 × 2 passages that are not charged; of those that are, how many there are where that can be argued."""
    values: dict[str, Value]
    sets = lines.block_sets(sheet, readings)
    if readings["two-by-two"] == "noted":
        values = {"name": sheet.name, "ticks": lines.TICKS_A_BLOCK_SET, "rule": "R5"}
        cautions = "in-the-ruin/cautions"
        return [
            Note("ruin.blocks", {**values, "cells": len(cells)}, lines.places(sheet, "map", cells), cautions)
            for cells in sets
        ]
    notes = []
    if readings["touching-blocks"] == "apart" and readings["sharing-blocks"] == "one-set":
        where = lines.places(sheet, "map", [cell for block_set in sets for cell in block_set])
        touching, each = {"touching-blocks": "together"}, {"sharing-blocks": "each"}
        for otherwise, key in ((touching, "ruin.blocks-touch"), (each, "ruin.blocks-share")):
            other = len(lines.block_sets(sheet, {**readings, **otherwise}))
            if other != len(sets):
                values = {"name": sheet.name, "n": len(sets), "other": other}
                notes.append(Note(key, values, where, "in-the-ruin/cautions"))
    return notes


def _gem_notes(sheet: Sheet, letters: Cells) -> list[Note]:
    """More gems than there can be gates of this player: each was got on a passage with a letter, each letter once.

    `letters` are their cells. Letters that the state does not name may stand on any passage that no named one is on.
    """
    if not sheet.gems:
        return []
    lettered = letters & sheet.map.passages
    named = (lettered & ~sheet.map.destinations).bit_count()
    unnamed = (sheet.map.passages & ~lettered & ~CENTER).bit_count()
    most = named + min(max(0, LETTERS - letters.bit_count()), unnamed)
    if "gates" in sheet.given:
        most = min(most, len(sheet.given["gates"]))
    if sheet.gems <= most:
        return []
    values: dict[str, Value] = {"name": sheet.name, "n": sheet.gems, "most": most, "rule": "R16"}
    if sheet.gems > LETTERS:
        return [Note("ruin.gems-box", values | {"all": LETTERS}, lines.given(sheet, "gems"), STEP_2)]
    return [Note("ruin.gems-many", values, lines.given(sheet, "gems"), STEP_2)]


def _island_notes(sheet: Sheet, letters: Cells) -> list[Note]:
    """Cells that nothing can have led to: whatever is written lies beside what is filled.

    Only a wall that came where a destination was claimed may stand alone, and what was written beside it.
    """
    filled = sheet.map.passages | sheet.map.walls
    rest = filled & ~BOARD.spread(filled & CENTER, filled)
    claimed = sheet.map.walls & letters if letters.bit_count() >= LETTERS else sheet.map.walls
    alone = rest & ~BOARD.spread(rest & claimed, rest)
    if not alone or not filled & CENTER:
        return []
    cells = BOARD.list_of(alone)
    values: dict[str, Value] = {"name": sheet.name, "n": len(cells), "rule": "R4"}
    return [Note("ruin.islands", values, lines.places(sheet, "map", cells), "in-the-ruin/writing")]


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
        if sheet.first_square is None:
            return [Note("ruin.first.none", name, (sheet.place,), FIRST_STAGE)]
        return _written_square_notes(sheet, sheet.first_square, readings)
    notes = []
    area = lines.square(first, readings).area
    if sheet.first_square not in (None, area):
        values: dict[str, Value] = {**name, "written": sheet.first_square or 0, "area": area}
        notes.append(Note("ruin.first.disagree", values, (f"{sheet.place}/first_square",), FIRST_STAGE))
    if "first_destinations" not in sheet.given and sheet.first_square is None:
        notes += _unknown_destinations(sheet, first, letters, readings)
    changed = (first.passages & ~sheet.map.passages) | (first.walls & ~sheet.map.walls)
    if changed:
        where = lines.places(sheet, "first_map", BOARD.list_of(changed))
        notes.append(Note("ruin.first.later", {**name, "rule": "R2"}, where, "in-the-ruin/writing"))
    return notes


def _written_square_notes(sheet: Sheet, written: int, readings: Readings) -> list[Note]:
    """A written square that no rectangle has, or that is larger than any rectangle of what is filled at the end."""
    if written in AREAS and written <= lines.square(sheet.map, readings).area:
        return []
    name: dict[str, Value] = {"name": sheet.name, "written": written}
    where = (f"{sheet.place}/first_square",)
    if written not in AREAS:
        return [Note("ruin.square-shape", name | {"size": SIZE}, where, FIRST_STAGE)]
    most = BOARD.largest_rectangle(sheet.map.passages | sheet.map.walls).area
    if written > most:
        return [Note("ruin.square-large", name | {"area": most}, where, FIRST_STAGE)]
    return []


def _unknown_destinations(sheet: Sheet, first: Map, letters: Mapping[str, Cell], readings: Readings) -> list[Note]:
    """A note where the square depends on which walls over letters were destinations at the end of the first stage."""
    in_doubt = BOARD.set_of(letters.values()) & first.walls
    if not in_doubt:
        return []
    least, most = (lines.square(first._replace(destinations=cells), readings).area for cells in (in_doubt, 0))
    if least == most:
        return []
    values: dict[str, Value] = {"name": sheet.name, "least": least, "most": most}
    where = lines.places(sheet, "first_map", BOARD.list_of(in_doubt))
    return [Note("ruin.first.destinations", values, where, FIRST_STAGE)]
