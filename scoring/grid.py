"""Shapes on a grid of cells: filled rectangles, joined cells, 2 × 2 blocks.

A cell is (row, column), 0-based from the top left. A set of cells is one integer, a bit for each cell
(`Board` knows which), so that a whole map is one AND, one shift away from its neighbors.
"""

import heapq
from collections.abc import Callable, Iterable
from functools import lru_cache
from typing import Literal, NamedTuple

Cell = tuple[int, int]
Cells = int
"""A set of cells of a board, one bit each."""
Joined = Literal["sharing", "touching", "none"]
"""Which 2 × 2 blocks are one set."""


class Rectangle(NamedTuple):
    """Sides along the grid; all 0 where nothing is filled."""

    top: int
    left: int
    height: int
    width: int

    @property
    def area(self) -> int:
        """In cells."""
        return self.height * self.width

    def cells(self) -> list[Cell]:
        """All cells, row by row."""
        return [(self.top + r, self.left + c) for r in range(self.height) for c in range(self.width)]


class Board:
    """A grid's size. Rows lie one after another in an integer, an empty column between them, the top left highest."""

    def __init__(self, rows: int, cols: int) -> None:
        self.rows, self.cols = rows, cols
        self.stride = cols + 1
        """From a cell to the one below it, in bits."""
        self._bits = {(r, c): self.bit((r, c)) for r in range(rows) for c in range(cols)}
        """The bit of each cell."""
        self._cells = {bit.bit_length(): cell for cell, bit in self._bits.items()}
        """The cell of each bit, by the bit's length."""

    def read(self, rows: str, marks: dict[int, str]) -> Cells:
        """The cells that `marks` (a table for `str.translate`) turns into `1`, all others into `0`.

        `rows` stand one after another, an empty cell between them.
        """
        return int(rows.translate(marks), 2)

    def bit(self, cell: Cell) -> Cells:
        """The set of this one cell."""
        return 1 << (self.rows * self.stride - 2 - cell[0] * self.stride - cell[1])

    def set_of(self, cells: Iterable[Cell]) -> Cells:
        """The set of these cells."""
        bits, by_cell = 0, self._bits
        for cell in cells:
            bits |= by_cell[cell]
        return bits

    def list_of(self, cells: Cells) -> list[Cell]:
        """The cells in reading order."""
        found = []
        by_bit = self._cells
        while cells:
            top = cells.bit_length()
            found.append(by_bit[top])
            cells ^= 1 << (top - 1)
        return found

    def around(self, cells: Cells) -> Cells:
        """The cells and those above, left, right and below them; it may leave the board, so keep what is on it."""
        return cells | cells << 1 | cells >> 1 | cells << self.stride | cells >> self.stride

    @lru_cache(maxsize=1000)  # noqa: B019 -- boards are few and never go away
    def largest_rectangle(self, filled: Cells) -> Rectangle:
        """The largest rectangle of filled cells; of several, the topmost, then the flattest.

        For each height the widest one. `tall` are the cells from which so many filled ones go down, `wide` those
        of them from which so many go right as well: the top left corners of rectangles.
        """
        best, most = (0, 0, 0, 0), 0
        tall = filled
        for height in range(1, self.rows + 1):
            tall &= filled << self.stride * (height - 1)
            if not tall:
                break
            width = -(-most // height) or 1  # narrower ones are smaller than the best so far
            wide = tall
            for right in range(1, width):
                wide &= tall << right
            if not wide:
                continue
            while wider := wide & tall << width:
                wide = wider
                width += 1
            top, left = self._cells[wide.bit_length()]
            if height * width > most or (height * width == most and top < best[0]):
                best, most = (top, left, height, width), height * width
        return Rectangle(*best)

    def shortest_path(self, passages: Cells, start: Cell, end: Cell) -> list[Cell]:
        """A shortest way over the passages, side by side, both ends included; empty where they are not joined."""
        goal, reached = self._bits[end], self._bits[start] & passages
        if not goal & passages:
            return []
        layers = [reached]
        while not layers[-1] & goal:
            layer = self.around(layers[-1]) & passages & ~reached
            if not layer:
                return []
            reached |= layer
            layers.append(layer)
        path = [goal]
        for layer in layers[-2::-1]:
            back = self.around(path[-1]) & layer
            path.append(1 << (back.bit_length() - 1))
        return [self._cells[cell.bit_length()] for cell in reversed(path)]

    def cheapest_path(self, cost: Callable[[Cell], int], start: Cell, end: Cell) -> list[Cell]:
        """A way from start to end, side by side, with the least sum of its cells' costs, then the fewest cells."""
        ways: list[tuple[int, int, tuple[Cell, ...]]] = [(cost(start), 1, (start,))]
        done: set[Cell] = set()
        while True:
            spent, steps, way = heapq.heappop(ways)
            r, c = way[-1]
            if way[-1] == end:
                return list(way)
            if way[-1] in done:
                continue
            done.add(way[-1])
            for near in ((r - 1, c), (r, c - 1), (r, c + 1), (r + 1, c)):
                if 0 <= near[0] < self.rows and 0 <= near[1] < self.cols and near not in done:
                    heapq.heappush(ways, (spent + cost(near), steps + 1, (*way, near)))

    def block_sets(self, cells: Cells, joined: Joined = "sharing") -> list[list[Cell]]:
        """The 2 × 2 blocks within the cells, in sets: blocks that share a cell are one set.

        Where `touching` ones are joined, so are blocks that only lie side by side; where `none` are, each block is a
        set. Each set is its cells in reading order; the sets stand in reading order of their first block.
        """
        corners = cells & cells << 1 & cells << self.stride & cells << (self.stride + 1)
        if joined == "none":
            return [self.list_of(self._blocks(self.bit(corner))) for corner in self.list_of(corners)]
        touching = joined == "touching"
        left = self._blocks(corners) if touching else corners
        sets = []
        while left:
            group = self.spread(1 << (left.bit_length() - 1), left, self.around if touching else self._about)
            left &= ~group
            sets.append(self.list_of(group if touching else self._blocks(group)))
        return sets

    def spread(self, start: Cells, cells: Cells, near: Callable[[Cells], Cells] | None = None) -> Cells:
        """Those of the cells that hang together with some of them, `start`: side by side, or by what is `near`."""
        down = self.stride
        while True:
            grown = near(start) if near else start | start << 1 | start >> 1 | start << down | start >> down
            grown &= cells
            if grown == start:
                return start
            start = grown

    def _blocks(self, corners: Cells) -> Cells:
        """All cells of the 2 × 2 blocks with these top left corners."""
        return corners | corners >> 1 | corners >> self.stride | corners >> (self.stride + 1)

    def _about(self, cells: Cells) -> Cells:
        """The cells and the eight around each; it may leave the board."""
        sideways = cells | cells << 1 | cells >> 1
        return sideways | sideways << self.stride | sideways >> self.stride
