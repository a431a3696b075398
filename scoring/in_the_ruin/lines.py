"""The lines of one sheet: squares of both stages, gems, routes, honor and penalties."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final

from scoring.breakdown import NOTHING, Line, Value
from scoring.grid import Cell, Cells, Joined, Rectangle
from scoring.house_rules import Readings
from scoring.in_the_ruin.escape import Escape
from scoring.in_the_ruin.table import BOARD, SIZE, Map, Sheet

GEM: Final = 10
ROUTE: Final = 15
PENALTY: Final = -10
TICKS_A_BLOCK_SET: Final = 2

ALL_CELLS: Final = BOARD.set_of((r, c) for r in range(SIZE) for c in range(SIZE))
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
    """One line for each stage."""
    lines = []
    first_cells = 0
    if sheet.first_map:
        rectangle = square(sheet.first_map, readings)
        if sheet.first_square is None:
            lines.append(_square(sheet, "first_map", "ruin.square.first", rectangle))
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
    second = square(sheet.map, readings, without=first_cells)
    return [*lines, _square(sheet, "map", "ruin.square.second", second)]


def _square(sheet: Sheet, key: str, message: str, found: Rectangle) -> Line:
    source = "in-the-ruin/first-stage" if key == "first_map" else "in-the-ruin/end"
    values = {"height": found.height, "width": found.width, "area": found.area}
    return Line(message, found.area, places(sheet, key, found.cells()), values, source)


def gems(sheet: Sheet) -> Line:
    """The gem track."""
    values = {"n": sheet.gems, "each": GEM}
    return Line("ruin.gems", GEM * sheet.gems, given(sheet, "gems"), values, "in-the-ruin/end-1")


def routes(sheet: Sheet, letters: Mapping[str, Cell], explain: bool) -> list[Line]:
    """One line for each goal card; where it is not joined and `explain` is set, with the gap."""
    lines = []
    for i, (one, other) in enumerate(sheet.goals):
        card = (f"{sheet.place}/goals/{i}", f"/letters/{one}", f"/letters/{other}")
        ends = letters[one], letters[other]
        path = BOARD.shortest_path(sheet.map.passages, *ends)
        values: dict[str, Value] = {"from": one, "to": other, "cells": len(path)}
        if path:
            because = (*card, *places(sheet, "map", path))
            lines.append(Line("ruin.route.joined", ROUTE, because, values, "in-the-ruin/end-3"))
            continue
        gap = _gap(sheet, ends) if explain else []
        values = {"from": one, "to": other, "missing": len(gap)}
        key = "ruin.route.open"
        if BOARD.set_of(gap) & sheet.map.walls:
            key = "ruin.route.walled"
        because = (*card, *places(sheet, "map", ends))
        lines.append(Line(key, 0, because, values, "in-the-ruin/end-3", places(sheet, "map", gap)))
    return lines


def _gap(sheet: Sheet, ends: tuple[Cell, Cell]) -> list[Cell]:
    """The fewest cells that would have to be passages; walls, which stay for ever, only where nothing else helps."""

    def missing(cell: Cell) -> int:
        bit = BOARD.bit(cell)
        return 0 if bit & sheet.map.passages else SIZE * SIZE if bit & sheet.map.walls else 1

    return [cell for cell in BOARD.cheapest_path(missing, *ends) if missing(cell)]


def honor(sheet: Sheet, escape: Escape, alone: bool) -> Line:
    """The place among those who got out; who plays `alone` is first by a rule of its own."""
    because = (f"{sheet.place}/escaped",)
    if escape.place is None:
        return Line("ruin.escape.never", escape.points, because, NOTHING, "in-the-ruin/end-2")
    values: dict[str, Value] = {"round": sheet.escaped or 0, "place": escape.place, "shared": escape.shared}
    key = "ruin.escape.shared" if escape.shared > 1 else "ruin.escape.alone"
    return Line(key, escape.points, because, values, "in-the-ruin/solo" if alone else "in-the-ruin/end-2")


def penalties(sheet: Sheet) -> Line:
    """The penalty track."""
    values = {"n": sheet.penalties, "each": PENALTY}
    return Line("ruin.penalties", PENALTY * sheet.penalties, given(sheet, "penalties"), values, "in-the-ruin/end-2")


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
