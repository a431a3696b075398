"""Tables of In the Ruin: sheets, cards, and what a state is read as."""

from collections.abc import Mapping
from typing import Any, Final, NamedTuple

from referee.looks import UNKNOWN
from scoring.errors import StateError

SIZE: Final = 11
BLANK: Final = "."
PASSAGE: Final = "o"
WALL: Final = "#"
MARKS: Final = frozenset((BLANK, PASSAGE, WALL))
MOST_CELLS: Final = 6
"""Cells of a piece, at most, where no look shows the cards: more new ones were drawn in several rounds."""
MIDDLE: Final = (SIZE // 2, SIZE // 2)
Cell = tuple[int, int]
Marks = dict[Cell, str]
NOTHING: Final[Marks] = {}


class ExplorationCard(NamedTuple):
    """A card of the row: its letter, its number, the cells of its piece."""

    letter: str
    steps: int
    piece: frozenset[Cell]


ONE_WALL: Final = ExplorationCard(UNKNOWN, 0, frozenset({(0, 0)}))
"""The piece of action C (R3)."""


class Sheet(NamedTuple):
    """A player's sheet. `last` is the round of its last turn, `reach` where the pawn may stand if no look shows it,
    `begun` the marks of half a turn, `goals` how many goal cards its player has, None where nobody counted them,
    `paid`: how many the last turn paid, if it had a special action, `ticked`: it made a tick; `left`: cells of
    letters that were declared and that the player left blank (R9). `odd`: what the last turn drew broke a rule.
    """

    map: tuple[str, ...]
    destinations: tuple[str, ...] = ()
    gates: tuple[Cell, ...] = ()
    gems: int = 0
    penalties: int = 0
    pawn: Cell | None = None
    escaped: int | None = None
    last: int = 0
    reach: frozenset[Cell] | None = None
    begun: tuple[tuple[Cell, str], ...] = ()
    goals: int | None = None
    paid: int | None = None
    ticked: bool = False
    left: frozenset[Cell] = frozenset()
    odd: bool = False


UNSEEN: Final = Sheet((BLANK * SIZE,) * SIZE)
"""A sheet that no look has shown."""


class Table(NamedTuple):
    """A table; `claimed`: whether a letter was declared in this round, `shown`: the last rounds with their cards,
    `told`: a round and the card that somebody said lay there, where no look shows the row. `start`: the sheets as they
    lay when this round began, empty where no look showed that. `since`: the first round that looks show from its
    beginning.
    """

    sheets: tuple[Sheet, ...]
    cards: tuple[ExplorationCard, ...] = ()
    discarded: tuple[str, ...] = ()
    round: int = 1
    stage: int = 1
    turns: int = 0
    claimed: bool = False
    shown: tuple[tuple[int, str], ...] = ()
    told: tuple[int, ExplorationCard] | None = None
    start: tuple[Sheet, ...] = ()
    since: int = 1

    @property
    def wrote(self) -> frozenset[int]:
        """The players who have had this round's turn."""
        return frozenset(p for p, sheet in enumerate(self.sheets) if sheet.last >= self.round or sheet.escaped)

    @property
    def due(self) -> int:
        """The round of the next turn: this one, until all have had theirs."""
        return self.round + (not self.cards and len(self.wrote) == len(self.sheets))

    def card(self, round_: int) -> ExplorationCard | None:
        """The card that was told of a round."""
        return self.told[1] if self.told is not None and self.told[0] == round_ else None


class Slot(NamedTuple):
    """A turn that a player may have had: its round and card; `late`: of a round that began since, `again`: a second,
    `had`: perhaps it was had before the first look, `many`: those of rounds before with it.
    """

    round: int
    card: ExplorationCard | None
    late: bool
    again: bool = False
    had: bool = False
    many: bool = False


class Reading(NamedTuple):
    """A state as read, None where something is not in it; `ats` are the players' pointers.

    `told` is a card without a letter: nobody saw the row, somebody said which piece was drawn.
    """

    sheets: tuple[Sheet | None, ...]
    ats: tuple[str, ...]
    cards: tuple[ExplorationCard, ...] | None
    discarded: tuple[str, ...] | None
    round: int | None
    stage: int | None
    told: ExplorationCard | None = None


def is_cell(value: object) -> bool:
    return isinstance(value, list) and len(value) == 2 and all(type(n) is int and 0 <= n < SIZE for n in value)


def read_sheet(row: Mapping[str, Any], at: str) -> Sheet:
    lines = row["map"]
    if not isinstance(lines, list) or len(lines) != SIZE:
        raise StateError(f"{at}/map", "map", lines, {"size": SIZE})
    for r, line in enumerate(lines):
        if not isinstance(line, str) or len(line) != SIZE or not (MARKS | {UNKNOWN}).issuperset(line):
            raise StateError(f"{at}/map/{r}", "map-row", line, {"size": SIZE})
    gates, pawn, letters = row.get("gates"), row.get("pawn"), row.get("destinations")
    numbers = [row.get(key, 0) if type(row.get(key, 0)) is int else 0 for key in ("gems", "penalties")]
    return Sheet(
        tuple(lines),
        tuple(map(str, letters)) if isinstance(letters, list) else (),
        tuple((one[0], one[1]) for one in gates if is_cell(one)) if isinstance(gates, list) else (),
        numbers[0],
        numbers[1],
        (pawn[0], pawn[1]) if isinstance(pawn, list) and is_cell(pawn) else None,
        row["escaped"] if type(row.get("escaped")) is int else None,
        goals=_goals(row.get("goals")),
    )


def _goals(value: object) -> int | None:
    """How many goal cards a player has; None where nobody counted them: a camera sees none, and lists none."""
    return len(value) or None if isinstance(value, list) else value if type(value) is int else None


def read_card(value: object, at: str) -> ExplorationCard:
    if not isinstance(value, dict):
        raise StateError(at, "object", value)
    piece = value.get("piece")
    cells = frozenset(
        (r, c)
        for r, row in enumerate(piece if isinstance(piece, list) else ())
        for c, mark in enumerate(row if isinstance(row, str) else "")
        if mark == WALL
    )
    steps = value.get("cells")
    return ExplorationCard(str(value.get("letter", UNKNOWN)), steps if type(steps) is int else len(cells), cells)


def with_sheet(table: Table, p: int, sheet: Sheet) -> Table:
    return table._replace(sheets=(*table.sheets[:p], sheet, *table.sheets[p + 1 :]))


def with_marks(sheet: Sheet, marks: Mapping[Cell, str]) -> Sheet:
    if not marks:
        return sheet
    rows = [list(row) for row in sheet.map]
    for (r, c), mark in marks.items():
        rows[r][c] = mark
    return sheet._replace(map=tuple("".join(row) for row in rows))


def read_over(sheet: Sheet, seen: Sheet) -> Sheet:
    """What is read anew in every look, beside the marks."""
    kept = {key: getattr(sheet, key) for key in ("map", "last", "reach", "paid", "ticked", "left")}
    return seen._replace(**kept)


def declared_since(sheet: Sheet, seen: Sheet) -> list[str]:
    return [one for one in sheet.destinations if one not in seen.destinations]
