"""The state of In the Ruin, checked."""

from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple

from scoring.errors import StateError
from scoring.fields import (
    State,
    an_object,
    count,
    flag,
    items,
    known,
    number,
    one_of,
    players,
    pointer,
    required,
    several_of,
    text,
)
from scoring.grid import Board, Cell, Cells
from scoring.in_the_ruin import middle
from scoring.spelling import letter as capital

SIZE: Final = 11
BOARD: Final = Board(SIZE, SIZE)
MARKS: Final = frozenset(".o#")
PASSAGES: Final = {ord("."): "0", ord("o"): "1", ord("#"): "0"}
WALLS: Final = {ord("."): "0", ord("o"): "0", ord("#"): "1"}

STATE_KEYS: Final = middle.RUIN_GAME | frozenset(
    {"game", "letters", "players", "charge_blocks", "goes_on", "house_rules"}
)
PLAYER_KEYS: Final = middle.RUIN_PLAYER | frozenset(
    {
        "name", "map", "first_map", "first_square", "destinations", "first_destinations",
        "gems", "penalties", "escaped", "goals",
    }
)  # fmt: skip


class Map(NamedTuple):
    """A map at the end of a stage. `key` is its field in the state, `destinations` the cells that still are some."""

    key: str
    passages: Cells
    walls: Cells
    destinations: Cells


class Sheet(NamedTuple):
    """A player's sheet and what lies beside it. `place` points at the player, `given` are the keys that were there.

    `half_time`: only the first stage's map is there yet, as `map` too, and nothing of the end counts.
    """

    place: str
    given: State
    name: str
    map: Map
    half_time: bool
    first_map: Map | None
    first_square: int | None
    gems: int
    penalties: int
    escaped: int | None
    goals: Sequence[tuple[str, str]]


class Table(NamedTuple):
    """`goes_on`: the state says that the game is not over, or shows it by its stage or by cards that lie in the row.

    `first_stage`: the state says that it is that one.
    """

    letters: Mapping[str, Cell]
    sheets: Sequence[Sheet]
    goes_on: bool
    first_stage: bool = False


def read(state: State) -> Table:
    """Check a state of this game. Raises StateError."""
    known(state, STATE_KEYS, "")
    flag(state, "charge_blocks", "")
    letters = _letters(state)
    rows = players(state, PLAYER_KEYS)
    if not middle.RUIN_GAME.isdisjoint(state) or [row for row in rows if not middle.RUIN_PLAYER.isdisjoint(row)]:
        middle.check(state, letters, SIZE)
    said = flag(state, "goes_on", "")
    sheets = [_sheet(row, f"/players/{i}", letters, said) for i, row in enumerate(rows)]
    inside = any(sheet.escaped is None for sheet in sheets)
    goes_on = said or (inside and (state.get("stage") == 1 or bool(state.get("cards"))))
    if not goes_on:
        for sheet in sheets:
            required(sheet.given, "map", sheet.place)
    return Table(letters, sheets, goes_on, state.get("stage") == 1)


def _letters(state: State) -> dict[str, Cell]:
    letters: dict[str, Cell] = {}
    taken: set[Cell] = set()
    for letter, cell in an_object(state.get("letters", {}), "/letters").items():
        if len(letter) != 1 or not letter.isalpha():
            raise StateError(pointer("/letters", letter), "letter", letter)
        if not "A" <= letter <= "Z" and (same := capital(letter)) != letter and same in state["letters"]:
            raise StateError(pointer("/letters", letter), "key-once", same)
        if type(cell) is not list or len(cell) != 2:
            raise StateError(pointer("/letters", letter), "cell", cell, {"most": SIZE - 1})
        r, c = cell
        if type(r) is not int or type(c) is not int or not (0 <= r < SIZE and 0 <= c < SIZE):
            for i, value in enumerate(cell):
                number(value, f"{pointer('/letters', letter)}/{i}", 0, SIZE - 1)
        where = letters[letter] = r, c
        if where in taken:
            raise StateError(pointer("/letters", letter), "own-cell", cell)
        taken.add(where)
    return letters


def _sheet(row: State, place: str, letters: Mapping[str, Cell], goes_on: bool) -> Sheet:
    destinations = _cells(row, "destinations", place, letters)
    first_map = None
    first_destinations = _cells(row, "first_destinations", place, letters)
    if "first_map" in row:
        known_then = "first_destinations" in row
        first_map = _map(row, "first_map", place, first_destinations if known_then else destinations)
    first_square = None
    if "first_square" in row:
        first_square = number(row["first_square"], f"{place}/first_square", 0, SIZE * SIZE)
    half_time = first_map is not None and "map" not in row
    escaped = row.get("escaped") if half_time or goes_on else required(row, "escaped", place)
    if escaped is not None:
        escaped = number(escaped, f"{place}/escaped", 1)
    return Sheet(
        place,
        row,
        text(row, "name", place),
        first_map if first_map is not None and half_time else _map(row, "map", place, destinations),
        half_time,
        first_map,
        first_square,
        count(row, "gems", place),
        count(row, "penalties", place),
        None if half_time else escaped,
        [_goal(goal, f"{place}/goals/{i}", letters) for i, goal in enumerate(items(row, "goals", place))],
    )


def _cells(row: State, key: str, place: str, letters: Mapping[str, Cell]) -> Cells:
    return BOARD.set_of([letters[letter] for letter in several_of(row, key, letters, place)])


def _map(row: State, key: str, place: str, destinations: Cells) -> Map:
    lines = required(row, key, place)
    if type(lines) is not list or len(lines) != SIZE:
        raise StateError(pointer(place, key), "map", lines, {"size": SIZE})
    rows = ".".join([line for line in lines if type(line) is str and len(line) == SIZE])
    if len(rows) != SIZE * BOARD.stride - 1 or not MARKS.issuperset(rows):
        for r, line in enumerate(lines):
            if type(line) is not str or len(line) != SIZE or not MARKS.issuperset(line):
                raise StateError(f"{pointer(place, key)}/{r}", "map-row", line, {"size": SIZE})
    return Map(key, BOARD.read(rows, PASSAGES), BOARD.read(rows, WALLS), destinations)


def _goal(goal: object, place: str, letters: Mapping[str, Cell]) -> tuple[str, str]:
    if type(goal) is not list or len(goal) != 2:
        raise StateError(place, "goal", goal, {"n": 2})
    one, other = goal
    if type(one) is not str or one not in letters or type(other) is not str or other not in letters:
        for i, letter in enumerate(goal):
            one_of(letter, letters, f"{place}/{i}")
    if one == other:
        raise StateError(place, "goal", goal, {"n": 2})
    return one, other
