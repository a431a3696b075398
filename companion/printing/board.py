"""The ChArUco board on paper."""

import numpy as np

from calibration.board import COLS, DICTIONARY, MARKER, ROWS, board
from companion.printing.paper import Page, Pen, Sheet
from companion.words.words import Words


def square_mm(paper: str) -> float:
    """Side of the board's squares, in whole mm."""
    _, _, width, height = Sheet(paper, True, "", "").area
    return float(min(width // COLS, height // ROWS))


def pages(paper: str, code: str, words: Words) -> list[Page]:
    """The one sheet."""
    title = words.say("board.title", cols=COLS, rows=ROWS, mm=f"{square_mm(paper):g}")
    return [Page(Sheet(paper, True, title, code), _draw)]


def _draw(pen: Pen, sheet: Sheet) -> None:
    left, top, width, height = sheet.area
    side = square_mm(sheet.paper)
    x, y = left + (width - COLS * side) / 2, top + (height - ROWS * side) / 2
    corners, ids = np.asarray(board().getObjPoints()), np.asarray(board().getIds()).ravel()
    places = {(int(c[0, 0]), int(c[0, 1])): int(i) for c, i in zip(corners, ids, strict=True)}
    inset = (1 - MARKER) / 2 * side
    for row in range(ROWS):
        for column in range(COLS):
            u, v = x + column * side, y + row * side
            if (column, row) in places:
                pen.marker(u + inset, v + inset, MARKER * side, places[column, row], DICTIONARY)
            else:
                pen.fill([[(u, v), (u + side, v), (u + side, v + side), (u, v + side)]])
