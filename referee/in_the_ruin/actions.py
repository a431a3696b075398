"""Classify new marks on a map by their shape: a card's piece, one wall, one cell more (R3, R6)."""

from collections.abc import Sequence
from typing import Final

from referee.in_the_ruin.maps import hangs_together, is_piece
from referee.in_the_ruin.tables import BLANK, MOST_CELLS, PASSAGE, WALL, ExplorationCard, Marks

SPECIAL: Final = 1.5
SPECIAL_UNSEEN: Final = 2.2
"""One cell more was drawn (R6): where the card says what a piece is, and where no look shows it."""
NO_TICK_DUE: Final = 3.0
"""A tick beside a piece that is drawn whole; two of them are due where a square was noticed late (R5)."""
NO_PIECE: Final = 0.6
"""Each cell more or less than the card's piece has, where the marks are none of what R3 allows."""
SEVERAL: Final = 2.5
"""Marks that are no single turn, where no look shows the cards."""


def oddness(drawn: Marks, card: ExplorationCard | None, ticks: int) -> float:
    """What it costs to believe that marks are one turn, by their shape alone; slips are priced later."""
    action, special = action_of(drawn, card, ticks)
    if action is None:
        return NO_PIECE * abs(len(drawn) - len(card.piece)) if card is not None and drawn else SEVERAL
    if card is not None:
        return SPECIAL * special + NO_TICK_DUE * (ticks == 1 and action != "C")
    return SPECIAL_UNSEEN if special or (len(drawn) == 1 and ticks <= 0) else 0.0


def action_of(drawn: Marks, card: ExplorationCard | None, ticks: int) -> tuple[str | None, bool]:
    """A, B or C of R3, and whether there is one cell more by R6; None where it is none of them."""
    some = _plain(drawn, card, ticks)
    if some is not None:
        return some, False
    for extra in drawn if len(drawn) > 1 else ():
        some = _plain({cell: one for cell, one in drawn.items() if cell != extra}, card, ticks)
        if some is not None:
            return some, True
    return None, False


def only_ticks(map_: Sequence[str], drawn: Marks, ticks: int) -> bool:
    """R3: whether a tick is all of a turn, since no cell of the map is blank any more."""
    return not drawn and ticks == 1 and not any(BLANK in row for row in map_)


def _plain(drawn: Marks, card: ExplorationCard | None, ticks: int) -> str | None:
    marks = set(drawn.values())
    if marks == {WALL} and len(drawn) == 1 and ticks > 0:
        return "C"
    if len(marks) != 1:
        return None
    fits = len(drawn) <= MOST_CELLS and hangs_together(drawn) if card is None else is_piece(drawn, card.piece)
    return ("A" if marks == {PASSAGE} else "B") if fits else None
