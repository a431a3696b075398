"""Cells of an In the Ruin map: where a piece fits, what hangs together, where a pawn can go."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache, lru_cache
from typing import Final

from referee.in_the_ruin.tables import BLANK, PASSAGE, SIZE, Cell, ExplorationCard, Marks, Sheet


@cache
def shapes(cells: frozenset[Cell]) -> set[frozenset[Cell]]:
    """A piece in all its eight positions, at the top left."""
    found = set()
    some = list(cells)
    for flip in (1, -1):
        for turn in range(4):
            one = [(r, flip * c) for r, c in some]
            for _ in range(turn):
                one = [(c, -r) for r, c in one]
            top, left = min(r for r, _ in one), min(c for _, c in one)
            found.add(frozenset((r - top, c - left) for r, c in one))
    return found


def spots(sheet: Sheet, card: ExplorationCard, near: Iterable[Cell] = (), beside: bool = True) -> Iterator[list[Cell]]:
    """The blank cells that a card's piece may cover, `beside` what is filled (R4), with some of the cells `near`."""
    places, (filled, rim) = _places(card.piece), _filled_and_rim(sheet.map)
    wanted = set(near)
    on = {place for cell in wanted for place in places[cell]} if wanted else None
    for place in places[None] if on is None else sorted(on):
        if filled.isdisjoint(place) and not (beside and rim.isdisjoint(place)):
            yield list(place)


@lru_cache(maxsize=256)
def _places(piece: frozenset[Cell]) -> dict[Cell | None, tuple[tuple[Cell, ...], ...]]:
    """Where a piece fits on a map, each place as its cells in order: all of them (None), and those on each cell."""
    found = []
    for shape in shapes(piece):
        high, wide = (1 + max(cell[k] for cell in shape) for k in (0, 1))
        for top in range(SIZE - high + 1):
            for left in range(SIZE - wide + 1):
                found.append(tuple(sorted((top + r, left + c) for r, c in shape)))
    cells = [(r, c) for r in range(SIZE) for c in range(SIZE)]
    return {None: tuple(found), **{cell: tuple(place for place in found if cell in place) for cell in cells}}


@lru_cache(maxsize=1024)
def _filled_and_rim(map_: tuple[str, ...]) -> tuple[frozenset[Cell], frozenset[Cell]]:
    """The filled cells of a map, and the blank ones beside them."""
    filled = frozenset((r, c) for r, row in enumerate(map_) for c, mark in enumerate(row) if mark != BLANK)
    return filled, frozenset(at for cell in filled for at in around(cell)) - filled


def is_piece(cells: Iterable[Cell], piece: frozenset[Cell]) -> bool:
    some = list(cells)
    if len(some) != len(piece):
        return False
    top, left = min(r for r, _ in some), min(c for _, c in some)
    return frozenset((r - top, c - left) for r, c in some) in shapes(piece)


def misplaced(before: Sequence[str], after: Sequence[str], drawn: Marks, several: bool) -> list[str]:
    """R4 and R5, where marks break them; `several`: they are those of several turns."""
    return (["R4"] if is_adrift(before, drawn, several) else []) + (["R5"] if has_square(after, drawn) else [])


def is_adrift(before: Sequence[str], drawn: Iterable[Cell], several: bool) -> bool:
    """Whether a part of the cells hangs on nothing that was filled before (R4); of `several` turns: whether all do."""
    left = set(drawn)
    reach = [cell for cell in left if any(is_filled(before, at) for at in around(cell))]
    if several:
        return bool(left) and not reach
    left.difference_update(reach)
    while reach:
        near = left.intersection(around(reach.pop()))
        left -= near
        reach += near
    return bool(left)


def hangs_together(cells: Iterable[Cell]) -> bool:
    left = set(cells)
    reach = [left.pop()]
    while reach:
        near = left.intersection(around(reach.pop()))
        left -= near
        reach += near
    return not left


def in_drawing_order(rows: Sequence[str], drawn: Mapping[Cell, str]) -> list[Cell]:
    """New cells from what was filled before outwards; those beside nothing come last."""
    left, order = sorted(drawn), []
    while left:
        near = (c for c in left if any(is_filled(rows, at) or at in order for at in around(c)))
        cell = next(near, left[0])
        left.remove(cell)
        order.append(cell)
    return order


_SIDES: Final = ((0, 1), (1, 0), (0, -1), (-1, 0))


def around(cell: Cell) -> list[Cell]:
    return [(cell[0] + a, cell[1] + b) for a, b in _SIDES]


def is_filled(map_: Sequence[str], cell: Cell) -> bool:
    r, c = cell
    return 0 <= r < SIZE and 0 <= c < SIZE and map_[r][c] != BLANK


def has_square(map_: Sequence[str], cells: Iterable[Cell]) -> bool:
    """Whether some of the cells lie in a 2×2 square of circles."""
    return any(
        all(map_[top + a][left + b] == PASSAGE for a in (0, 1) for b in (0, 1))
        for r, c in cells
        for top in (r - 1, r)
        for left in (c - 1, c)
        if 0 <= top < SIZE - 1 and 0 <= left < SIZE - 1
    )


def in_reach(
    map_: Sequence[str], start: Iterable[Cell], gates: Sequence[Cell], steps: int, warps: bool
) -> frozenset[Cell]:
    """The cells that a pawn can come to (R7), by one warp from gate to gate at most."""
    rim = {(cell, False) for cell in start}
    reached = set(rim)
    for _ in range(steps):
        further = set()
        for (r, c), used in rim:
            for cell in around((r, c)):
                if 0 <= cell[0] < SIZE and 0 <= cell[1] < SIZE and map_[cell[0]][cell[1]] == PASSAGE:
                    further.add((cell, used))
            if warps and not used and (r, c) in gates:
                further |= {(gate, True) for gate in gates}
        rim = further - reached
        reached |= rim
        if not rim:
            break
    return frozenset(cell for cell, _ in reached)


def way_of_pawn(
    map_: Sequence[str], start: Cell | None, end: Cell | None, gates: Sequence[Cell], steps: int
) -> tuple[bool, bool]:
    """Whether the pawn can go from here to there (R7), and whether it has to warp for it."""
    if start is None or end is None or start == end:
        return True, False
    if end in in_reach(map_, [start], gates, steps, warps=False):
        return True, False
    warps = end in in_reach(map_, [start], gates, steps, warps=True)
    return warps, warps
