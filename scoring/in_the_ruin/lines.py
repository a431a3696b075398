"""The lines of one sheet: squares of both stages, gems, routes, honor and penalties."""

from collections.abc import Iterable, Mapping
from functools import lru_cache
from typing import Final

from scoring.breakdown import NOTHING, Line, Value
from scoring.fields import members
from scoring.grid import Cell, Cells, Joined, Rectangle
from scoring.house_rules import Readings
from scoring.in_the_ruin.escape import Escape
from scoring.in_the_ruin.table import BOARD, SIZE, Map, Sheet

GEM: Final = 10
ROUTE: Final = 15
PENALTY: Final = -10
TICKS_A_BLOCK_SET: Final = 2

MOST_KEPT: Final = 5_000
"""Lines that are kept for when they come again."""
SUFFIX: Final = {(r, c): f"/{r}/{c}" for r in range(SIZE) for c in range(SIZE)}


def places(sheet: Sheet, key: str, cells: Iterable[Cell]) -> tuple[str, ...]:
    """Pointers to cells of the map in the field `key`."""
    start = f"{sheet.place}/{key}"
    return tuple([start + SUFFIX[cell] for cell in cells])


def given(sheet: Sheet, key: str) -> tuple[str, ...]:
    """The pointer to a field of the player, if it is there."""
    return (f"{sheet.place}/{key}",) if key in sheet.given else ()


def square(map_: Map, readings: Readings, without: Cells = 0) -> Rectangle:
    """The largest rectangle that counts. `without`: cells that are not to be used."""
    barred = without if readings["walled-destination"] == "inside" else without | (map_.destinations & ~map_.passages)
    if readings["rectangle"] == "mixed":
        return BOARD.largest_rectangle((map_.passages | map_.walls) & ~barred)
    kinds = (BOARD.largest_rectangle(cells & ~barred) for cells in (map_.passages, map_.walls))
    return max(kinds, key=lambda rectangle: rectangle.area)


def squares(sheet: Sheet, readings: Readings) -> list[Line]:
    """One line for each stage; at half-time for the first alone."""
    lines = []
    first_cells = 0
    if sheet.first_map:
        rectangle = square(sheet.first_map, readings)
        if sheet.first_square is None:
            lines.append(_square(f"{sheet.place}/first_map", "ruin.square.first", rectangle))
        if readings["same-cells"] == "apart":
            first_cells = BOARD.set_of(rectangle.cells())
    if sheet.first_square is not None:
        lines.append(
            Line(
                "ruin.square.written", sheet.first_square, given(sheet, "first_square"),
                NOTHING, "in-the-ruin/first-stage",
            )
        )  # fmt: skip
    if not lines:
        lines.append(Line("ruin.square.none", 0, (), NOTHING, "in-the-ruin/first-stage"))
    if sheet.half_time:
        return lines
    second = square(sheet.map, readings, without=first_cells)
    return [*lines, _square(f"{sheet.place}/map", "ruin.square.second", second)]


@lru_cache(maxsize=MOST_KEPT)
def _square(where: str, message: str, found: Rectangle) -> Line:
    """A line that is given again where the same comes again, as those of the tracks and of honor are."""
    source = "in-the-ruin/end" if message == "ruin.square.second" else "in-the-ruin/first-stage"
    values = {"height": found.height, "width": found.width, "area": found.area}
    return Line(message, found.area, tuple([where + SUFFIX[cell] for cell in found.cells()]), values, source)


def gems(sheet: Sheet) -> Line:
    """The gem track."""
    return _track("ruin.gems", sheet.gems, GEM, given(sheet, "gems"), "in-the-ruin/end-1")


@lru_cache(maxsize=MOST_KEPT)
def _track(key: str, n: int, each: int, because: tuple[str, ...], source: str) -> Line:
    return Line(key, each * n, because, {"n": n, "each": each}, source)


def routes(sheet: Sheet, letters: Mapping[str, Cell], explain: bool) -> list[Line]:
    """One line for each goal card; where it is not joined and `explain` is set, with the gap."""
    lines = []
    for where, (one, other) in zip(members(f"{sheet.place}/goals", len(sheet.goals)), sheet.goals, strict=True):
        ends = letters[one], letters[other]
        path = BOARD.shortest_path(sheet.map.passages, *ends)
        because = (where, f"/letters/{one}", f"/letters/{other}", *places(sheet, "map", path or ends))
        if path:
            values: dict[str, Value] = {"from": one, "to": other, "cells": len(path)}
            lines.append(Line("ruin.route.joined", ROUTE, because, values, "in-the-ruin/end-3"))
            continue
        gap = _gap(sheet, ends) if explain else []
        values = {"from": one, "to": other, "missing": len(gap)}
        key = "ruin.route.walled" if gap and BOARD.set_of(gap) & sheet.map.walls else "ruin.route.open"
        lines.append(Line(key, 0, because, values, "in-the-ruin/end-3", places(sheet, "map", gap) if gap else ()))
    return lines


def _gap(sheet: Sheet, ends: tuple[Cell, Cell]) -> list[Cell]:
    """The fewest cells that would have to be passages; walls, which stay for ever, only where nothing else helps."""

    def missing(cell: Cell) -> int:
        bit = BOARD.bit(cell)
        return 0 if bit & sheet.map.passages else SIZE * SIZE if bit & sheet.map.walls else 1

    return [cell for cell in BOARD.cheapest_path(missing, *ends) if missing(cell)]


def honor(sheet: Sheet, escape: Escape, alone: bool) -> Line:
    """The place among those who got out; who plays `alone` is first by a rule of its own. While the game goes on, what
    nobody said yet counts as never."""
    because = (f"{sheet.place}/escaped",) if "escaped" in sheet.given else ()
    return _honor(because, sheet.escaped or 0, escape, alone)


@lru_cache(maxsize=MOST_KEPT)
def _honor(because: tuple[str, ...], when: int, escape: Escape, alone: bool) -> Line:
    if escape.place is None:
        key = "ruin.escape.never" if because else "ruin.escape.open"
        return Line(key, escape.points, because, NOTHING, "in-the-ruin/end-2")
    values: dict[str, Value] = {"round": when, "place": escape.place, "shared": escape.shared}
    key = "ruin.escape.shared" if escape.shared > 1 else "ruin.escape.alone"
    return Line(key, escape.points, because, values, "in-the-ruin/solo" if alone else "in-the-ruin/end-2")


def penalties(sheet: Sheet) -> Line:
    """The penalty track."""
    return _track("ruin.penalties", sheet.penalties, PENALTY, given(sheet, "penalties"), "in-the-ruin/end-2")


def block_sets(sheet: Sheet, readings: Readings) -> list[list[Cell]]:
    """The sets of 2 × 2 passages."""
    joined: Joined = "touching" if readings["touching-blocks"] == "together" else "sharing"
    return BOARD.block_sets(sheet.map.passages, "none" if readings["sharing-blocks"] == "each" else joined)


def charged_blocks(sheet: Sheet, readings: Readings) -> list[Line]:
    """Two penalty ticks for each set of 2 × 2 passages, for those who charge them now."""
    return [
        Line(
            "ruin.blocks.charged", PENALTY * TICKS_A_BLOCK_SET, places(sheet, "map", cells),
            {"ticks": TICKS_A_BLOCK_SET, "cells": len(cells)}, "in-the-ruin/cautions",
        )
        for cells in block_sets(sheet, readings)
    ]  # fmt: skip
