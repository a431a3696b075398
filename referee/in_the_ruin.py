"""In the Ruin between two looks: what was drawn, walked and declared (R1 to R16 of the referee's rules).

A sheet never loses a mark, so that a known cell that is read otherwise was read wrongly; new marks are the piece on the
round's card, or one wall.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import combinations
from typing import Any, Final, NamedTuple

from referee.looks import FURTHER, MISREAD, SLIP, UNKNOWN, Fit, Fix, Look
from referee.turns import Explanation, Owed, Start, Turn, house_of
from scoring.errors import MISSING, StateError

SIZE: Final = 11
BLANK: Final = "."
PASSAGE: Final = "o"
WALL: Final = "#"
MARKS: Final = frozenset((BLANK, PASSAGE, WALL))
MOST_CELLS: Final = 6
"""Cells of a piece, at most, where no look shows the cards: more new ones were drawn in several rounds."""
DOUBTED: Final = 4
"""Doubtful cells that are turned over together, at most."""
LAST_STAGE: Final = 2
KEPT: Final = ("letters", "charge_blocks", "house_rules")
SHEET_KEPT: Final = ("first_map", "first_square", "first_destinations")
"""Keys that the referee hands on as they are."""

Cell = tuple[int, int]
Marks = dict[Cell, str]


class ExplorationCard(NamedTuple):
    """A card of the row: its letter, its number, the cells of its piece."""

    letter: str
    steps: int
    piece: frozenset[Cell]


ONE_WALL: Final = ExplorationCard(UNKNOWN, 0, frozenset({(0, 0)}))
"""The piece of action C (R3)."""


class Sheet(NamedTuple):
    """A player's sheet. `goals` as the state writes them."""

    map: tuple[str, ...]
    destinations: tuple[str, ...] = ()
    gates: tuple[Cell, ...] = ()
    gems: int = 0
    penalties: int = 0
    pawn: Cell | None = None
    escaped: int | None = None


UNSEEN: Final = Sheet((BLANK * SIZE,) * SIZE)
"""A sheet that no look has shown."""


class Table(NamedTuple):
    """A table; `wrote` are the players who have had this round's turn, `claimed` whether a letter was declared."""

    sheets: tuple[Sheet, ...]
    cards: tuple[ExplorationCard, ...] = ()
    discarded: tuple[str, ...] = ()
    round: int = 1
    stage: int = 1
    turns: int = 0
    wrote: frozenset[int] = frozenset()
    claimed: bool = False


class Reading(NamedTuple):
    """A state as read, None where something is not in it; `ats` are the players' pointers."""

    sheets: tuple[Sheet | None, ...]
    ats: tuple[str, ...]
    cards: tuple[ExplorationCard, ...] | None
    discarded: tuple[str, ...] | None
    round: int | None
    stage: int | None


class InTheRuin:
    """In the Ruin between given players, or alone."""

    amends = False
    counted = False

    def __init__(self, header: Mapping[str, Any], look: Look) -> None:
        self.names: Sequence[str] = header["players"]
        self.house = house_of(header, {})
        self.extra: dict[str, Any] = {}
        self.players: dict[str, dict[str, Any]] = {}
        self.pieces: dict[str, Any] = {}
        self.letters: dict[str, Cell] = {}

    def header(self) -> dict[str, Any]:
        """What the header line says of the game."""
        return {"rule": None, "start": None, "order": None, "mode": None, "house": self.house}

    def read(self, look: Look) -> Reading:
        """The look's state in the game's own form. Raises StateError where it is none."""
        state = look.state
        rows = state.get("players", [])
        if not isinstance(rows, list):
            raise StateError("/players", "list", rows)
        sheets: list[Sheet | None] = [None] * len(self.names)
        ats = [""] * len(self.names)
        for i, row in enumerate(rows):
            at = f"/players/{i}"
            if not isinstance(row, dict):
                raise StateError(at, "object", row)
            name = row.get("name")
            if not isinstance(name, str) or name not in self.names:
                got = MISSING if name is None else name
                raise StateError(f"{at}/name", "one-of", got, {"words": tuple(self.names)})
            p = self.names.index(name)
            ats[p] = at
            if "map" in row:
                sheets[p] = _sheet(row, at)
            self.players[name] = {key: row[key] for key in SHEET_KEPT if key in row}
            if isinstance(row.get("goals"), list):  # how many there are says nothing that scores
                self.players[name]["goals"] = row["goals"]
        self.extra.update({key: state[key] for key in KEPT if key in state})
        letters = state.get("letters")
        if isinstance(letters, dict):
            self.letters = {one: (cell[0], cell[1]) for one, cell in letters.items() if _is_cell(cell)}
        for card in state.get("cards", ()) if isinstance(state.get("cards"), list) else ():
            if isinstance(card, dict):
                self.pieces[str(card.get("letter"))] = card
        cards = state.get("cards")
        discarded = state.get("discarded")
        return Reading(
            tuple(sheets),
            tuple(ats),
            tuple(_card(card, f"/cards/{i}") for i, card in enumerate(cards)) if isinstance(cards, list) else None,
            tuple(map(str, discarded)) if isinstance(discarded, list) else None,
            state["round"] if type(state.get("round")) is int else None,
            state["stage"] if type(state.get("stage")) is int else None,
        )

    def start(self, look: Look) -> Iterator[Start]:
        """What may lie there when the first look shows this."""
        read: Reading = look.read
        sheets = tuple(sheet or UNSEEN for sheet in read.sheets)
        yield Start(0.0, Table(sheets, read.cards or (), read.discarded or (), read.round or 1, read.stage or 1))

    def turn_of(self, table: Table) -> str | None:
        """Who alone has not had this round's turn; None where several have not, or all have."""
        if self.over(table):
            return None
        left = [p for p, sheet in enumerate(table.sheets) if p not in table.wrote and sheet.escaped is None]
        return self.names[left[0]] if len(left) == 1 else None

    def over(self, table: Table) -> bool:
        """R15."""
        if all(sheet.escaped is not None for sheet in table.sheets):
            return True
        return table.stage >= LAST_STAGE and not table.cards and not table.wrote and table.turns > 0

    def explain(self, table: Table, look: Look, wide: bool) -> Iterable[Explanation]:
        """How this table may have become what the look shows."""
        return [_explained(self, table, look)]

    def finish(self, table: Table, look: Look) -> Explanation | None:
        """A sheet that is half drawn says nothing more."""
        return None

    def key(self, table: Table) -> Any:
        """Everything that lies there."""
        return table

    def between(self, before: Table, turn: Turn, look: Look) -> Fit | None:
        """What was found in a look that shows a part of this turn stays."""
        return None

    def nearest(self, before: Table, turn: Turn) -> list[dict[str, Any]]:
        """A piece fits in too many places to name the nearest."""
        return []

    def legal(self, table: Table) -> Iterator[Turn]:
        """What each player who has not had this round's turn may draw (R3 to R5), without steps and special actions."""
        card = table.cards[0] if table.cards else None  # where no look shows the cards nothing is listed
        for p, sheet in enumerate(table.sheets if card is not None else ()):
            if p in table.wrote or sheet.escaped is not None or self.over(table):
                continue
            for action, mark, piece in (("A", PASSAGE, card), ("B", WALL, card), ("C", WALL, ONE_WALL)):
                for cells in _spots(sheet, piece):
                    marks = dict.fromkeys(cells, mark)
                    turn = _turn(self, table, p, _marked(sheet, action, marks), marks, [], [], action, card)
                    if not turn.breaks:
                        yield turn

    def because(self, table: Table, look: Look, fix: Fix) -> tuple[list[str], list[str]]:
        """R2 for what was drawn before, R3 for a new mark."""
        return ["R2" if fix.true != BLANK and fix.read == BLANK else "R3" if fix.read != BLANK else "R2"], []

    def state(self, table: Table) -> dict[str, Any]:
        """The table in the form of the looks."""
        players = []
        for name, sheet in zip(self.names, table.sheets, strict=True):
            players.append(
                {
                    "name": name,
                    "map": list(sheet.map),
                    "destinations": list(sheet.destinations),
                    "gates": [list(cell) for cell in sheet.gates],
                    "gems": sheet.gems,
                    "penalties": sheet.penalties,
                    "pawn": None if sheet.pawn is None else list(sheet.pawn),
                    "escaped": sheet.escaped,
                    **self.players.get(name, {}),
                }
            )
        return {
            "game": "in-the-ruin",
            **self.extra,
            "round": table.round,
            "stage": table.stage,
            "cards": [self.pieces.get(card.letter, {"letter": card.letter}) for card in table.cards],
            "discarded": list(table.discarded),
            "players": players,
        }


def _is_cell(value: object) -> bool:
    return isinstance(value, list) and len(value) == 2 and all(type(n) is int and 0 <= n < SIZE for n in value)


def _sheet(row: Mapping[str, Any], at: str) -> Sheet:
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
        tuple((one[0], one[1]) for one in gates if _is_cell(one)) if isinstance(gates, list) else (),
        numbers[0],
        numbers[1],
        (pawn[0], pawn[1]) if isinstance(pawn, list) and _is_cell(pawn) else None,
        row["escaped"] if type(row.get("escaped")) is int else None,
    )


def _card(value: object, at: str) -> ExplorationCard:
    if not isinstance(value, dict):
        raise StateError(at, "object", value)
    piece = value.get("piece")
    cells = frozenset(
        (r, c)
        for r, row in enumerate(piece if isinstance(piece, list) else ())
        for c, mark in enumerate(row)
        if mark == WALL
    )
    steps = value.get("cells")
    return ExplorationCard(str(value.get("letter", UNKNOWN)), steps if type(steps) is int else len(cells), cells)


def _shapes(cells: Iterable[Cell]) -> set[frozenset[Cell]]:
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


def _spots(sheet: Sheet, card: ExplorationCard | None) -> Iterator[list[Cell]]:
    """The blank cells that a card's piece may cover, beside what is filled (R4)."""
    rim = {
        (r, c)
        for r in range(SIZE)
        for c in range(SIZE)
        if not _filled(sheet.map, (r, c)) and any(_filled(sheet.map, at) for at in _around((r, c)))
    }
    for shape in _shapes(card.piece) if card is not None and card.piece else ():
        high, wide = (1 + max(cell[k] for cell in shape) for k in (0, 1))
        for top in range(SIZE - high + 1):
            for left in range(SIZE - wide + 1):
                cells = sorted((top + r, left + c) for r, c in shape)
                if not rim.isdisjoint(cells) and not any(_filled(sheet.map, cell) for cell in cells):
                    yield cells


def _marked(sheet: Sheet, action: str, marks: Marks) -> Sheet:
    """The sheet with new marks, and the tick that a wall of one's own costs."""
    rows = [list(row) for row in sheet.map]
    for (r, c), mark in marks.items():
        rows[r][c] = mark
    return sheet._replace(map=tuple("".join(row) for row in rows), penalties=sheet.penalties + (action == "C"))


def _fits(cells: Iterable[Cell], piece: frozenset[Cell]) -> bool:
    some = list(cells)
    if len(some) != len(piece) or not some:
        return False
    top, left = min(r for r, _ in some), min(c for _, c in some)
    return frozenset((r - top, c - left) for r, c in some) in _shapes(piece)


def _explained(rules: InTheRuin, table: Table, look: Look) -> Explanation:
    """The turns of all players whose sheets are seen, then the cards that went off the row."""
    read: Reading = look.read
    cost = 0.0
    fixes: list[Fix] = []
    turns: list[Turn] = []
    owed: list[Owed] = []
    now = table
    letters_before = {one for sheet in table.sheets for one in sheet.destinations}
    for p, seen in enumerate(read.sheets):
        if seen is None:
            continue
        if now.sheets[p] == UNSEEN and not now.cards:  # its first photo: what was drawn before is not known
            now = now._replace(sheets=(*now.sheets[:p], seen, *now.sheets[p + 1 :]))
            continue
        more, turn, partly = _written(rules, now, p, seen, read.ats[p], look, fixes)
        cost += more
        if partly is not None:
            owed.append(partly)
        elif turn is not None:
            turns.append(turn)
            now = turn.table
        else:
            sheets = (*now.sheets[:p], _same_map(now.sheets[p], seen), *now.sheets[p + 1 :])
            now = now._replace(sheets=sheets)
    if read.cards is not None and [c.letter for c in read.cards] != [c.letter for c in now.cards]:
        turns.append(_cards_off(now, read, letters_before))
        now = turns[-1].table
    elif now.claimed and len(now.wrote) == len(now.sheets):
        owed.append(Owed(None, "cards off the row", "R10"))
    held = bool(owed) and not turns and any(one.who for one in owed)
    settled = None if turns or now == table else now
    return Explanation(cost, tuple(turns), tuple(fixes), tuple(owed), held, None, settled)


def _same_map(sheet: Sheet, seen: Sheet) -> Sheet:
    return seen._replace(map=sheet.map)


def _written(
    rules: InTheRuin, table: Table, p: int, seen: Sheet, at: str, look: Look, fixes: list[Fix]
) -> tuple[float, Turn | None, Owed | None]:
    """What one player wrote, as a turn or the part of one; known cells are what they were."""
    sheet = table.sheets[p]
    cost = 0.0
    new: Marks = {}
    doubted: list[Cell] = []
    for r in range(SIZE):
        for c in range(SIZE):
            was, is_ = sheet.map[r][c], seen.map[r][c]
            here = f"{at}/map/{r}/{c}"
            if was == BLANK:
                if is_ not in (BLANK, UNKNOWN):
                    new[r, c] = is_
                if look.flagged(here):
                    doubted.append((r, c))
            elif was != is_:
                cost += look.price(here, is_, was)
                fixes.append(Fix(here, is_, was))
    card = table.cards[0] if table.cards else None
    declared = [one for one in sheet.destinations if one not in seen.destinations]
    walls = [cell for one in declared if (cell := rules.letters.get(one)) in new and new[cell] == WALL]
    drawn = {cell: mark for cell, mark in new.items() if cell not in walls}
    more, drawn, put_right = _doubts(sheet, drawn, doubted, card, seen, at, look)
    cost += more
    fixes += put_right
    if not drawn and seen.pawn == sheet.pawn and not declared and seen.penalties <= sheet.penalties:
        return cost, None, None
    if not drawn and not walls and p in table.wrote:
        return cost, None, None
    if not drawn and seen.penalties == sheet.penalties and not declared:
        return cost, None, Owed(rules.names[p], "marks", "R3")
    action = _action(drawn, card, seen.penalties - sheet.penalties)
    fewer = card is not None and len(drawn) < len(card.piece) and len(set(drawn.values())) == 1
    if action is None and fewer and not declared and seen.pawn == sheet.pawn:
        return cost, None, Owed(rules.names[p], "marks", "R3")
    turn = _turn(rules, table, p, seen, drawn, walls, declared, action or UNKNOWN, card)
    return cost + (SLIP + FURTHER * (len(turn.breaks) - 1) if turn.breaks else 0.0), turn, None


def _doubts(
    sheet: Sheet, drawn: Marks, doubted: list[Cell], card: ExplorationCard | None, seen: Sheet, at: str, look: Look
) -> tuple[float, Marks, list[Fix]]:
    """New marks read again, doubtful cells only, so that they are what the card's piece or one wall allows."""
    if card is None or _action(drawn, card, seen.penalties - sheet.penalties) is not None or not doubted:
        return 0.0, drawn, []
    best: tuple[float, Marks, list[Fix]] = (MISREAD, drawn, [])
    marks = set(drawn.values()) or {PASSAGE, WALL}
    for n in range(1, DOUBTED + 1):
        for some in combinations(doubted, n):
            for mark in marks:
                other = {cell: one for cell, one in drawn.items() if cell not in some}
                other.update({cell: mark for cell in some if cell not in drawn or drawn[cell] != mark})
                if _action(other, card, seen.penalties - sheet.penalties) is None:
                    continue
                put_right = [
                    Fix(f"{at}/map/{r}/{c}", drawn.get((r, c), BLANK), other.get((r, c), BLANK)) for r, c in some
                ]
                cost = sum(look.price(fix.at, fix.read, fix.true) for fix in put_right)
                if cost < best[0]:
                    best = (cost, other, put_right)
    return best if best[2] else (0.0, drawn, [])


def _action(drawn: Marks, card: ExplorationCard | None, ticks: int) -> str | None:
    """A, B or C of R3, with one cell more by R6; None where it is none of them."""
    marks = set(drawn.values())
    if marks == {WALL} and len(drawn) == 1 and ticks > 0:
        return "C"
    if card is None or not drawn:
        return _action_of_any(drawn, marks) if drawn else None
    for mark, action in ((PASSAGE, "A"), (WALL, "B")):
        cells = [cell for cell, one in drawn.items() if one == mark]
        if len(marks) == 1 and _fits(cells, card.piece):
            return action
    for extra in drawn:
        rest = {cell: one for cell, one in drawn.items() if cell != extra}
        if len(set(rest.values())) == 1 and _fits(rest, card.piece):
            return "A" if next(iter(rest.values())) == PASSAGE else "B"
    if ticks > 0 and len(drawn) == 2 and WALL in marks:
        return "C"
    return None


def _action_of_any(drawn: Marks, marks: set[str]) -> str | None:
    """The same where no look shows the cards: any piece is taken for the card's."""
    one = len(marks) == 1 and len(drawn) <= MOST_CELLS and _hangs_together(drawn)
    return ("A" if marks == {PASSAGE} else "B") if one else None


def _hangs_together(cells: Iterable[Cell]) -> bool:
    left = set(cells)
    reach = [left.pop()]
    while reach:
        near = left.intersection(_around(reach.pop()))
        left -= near
        reach += near
    return not left


def _in_drawing_order(rows: Sequence[str], drawn: Mapping[Cell, str]) -> list[Cell]:
    """New cells from what was filled before outwards; those beside nothing come last."""
    left, order = sorted(drawn), []
    while left:
        near = (c for c in left if any(_filled(rows, at) or at in order for at in _around(c)))
        cell = next(near, left[0])
        left.remove(cell)
        order.append(cell)
    return order


def _turn(
    rules: InTheRuin,
    table: Table,
    p: int,
    seen: Sheet,
    drawn: Marks,
    walls: list[Cell],
    declared: list[str],
    action: str,
    card: ExplorationCard | None,
) -> Turn:
    """The line of the log for what a player wrote, and what it breaks."""
    before = table.sheets[p]
    rows = [list(row) for row in before.map]
    for (r, c), mark in drawn.items():
        rows[r][c] = mark
    after = tuple("".join(row) for row in rows)
    for r, c in walls:
        rows[r][c] = WALL
    cells = _in_drawing_order(before.map, drawn)
    expected = 1 if action == "C" else len(card.piece) if card is not None else len(cells)
    special = "cell" if len(cells) == expected + 1 and action != UNKNOWN else None
    gates = [cell for cell in seen.gates if cell not in before.gates]
    steps = card.steps if card is not None else SIZE * SIZE
    way, warped = _way(after, before.pawn, seen.pawn, (*before.gates, *gates), steps)
    breaks = []
    several = action == UNKNOWN and card is None  # rounds that no look separates
    if action == UNKNOWN and drawn and not several:
        breaks.append("R3")
    if drawn and not any(_filled(before.map, at) for cell in cells for at in _around(cell)):
        breaks.append("R4")
    if _blocks(after) - _blocks(before.map):
        breaks.append("R5")
    if not way:
        breaks.append("R7")
    mine = seen.gems > before.gems
    marks = [drawn[cell] for cell in cells]
    fields = {
        "action": action,
        "cells": [list(cell) for cell in cells],
        "as": marks[0] if marks else None,
        "what": marks,
        "special": special or ("warp" if warped else None),
        "pawn": [_written_cell(before.pawn), _written_cell(seen.pawn)],
        "claimed": declared[0] if mine and declared else None,
        "gates": [list(cell) for cell in gates],
        "walls": [list(cell) for cell in walls],
    }
    if card is None and p in table.wrote:
        table = table._replace(round=table.round + 1, wrote=frozenset())
    sheet = seen._replace(map=tuple("".join(row) for row in rows))
    sheets = (*table.sheets[:p], sheet, *table.sheets[p + 1 :])
    now = table._replace(
        sheets=sheets,
        turns=table.turns + 1,
        wrote=table.wrote | {p},
        claimed=table.claimed or bool(mine and declared),
    )
    same = (p, "write", table.round, tuple(cells), tuple(marks))
    legal: Any = UNKNOWN if several and not breaks else not breaks
    return Turn(rules.names[p], "write", fields, tuple(breaks), now, same, table.turns + 1, table.round, legal)


_SIDES: Final = ((0, 1), (1, 0), (0, -1), (-1, 0))


def _around(cell: Cell) -> list[Cell]:
    return [(cell[0] + a, cell[1] + b) for a, b in _SIDES]


def _written_cell(cell: Cell | None) -> list[int] | None:
    return None if cell is None else list(cell)


def _filled(map_: Sequence[str], cell: Cell) -> bool:
    r, c = cell
    return 0 <= r < SIZE and 0 <= c < SIZE and map_[r][c] != BLANK


def _blocks(map_: Sequence[str]) -> set[Cell]:
    """The 2×2 squares of circles, by their top left cell."""
    return {
        (r, c)
        for r in range(SIZE - 1)
        for c in range(SIZE - 1)
        if all(map_[r + a][c + b] == PASSAGE for a in (0, 1) for b in (0, 1))
    }


def _way(
    map_: Sequence[str], start: Cell | None, end: Cell | None, gates: Sequence[Cell], steps: int
) -> tuple[bool, bool]:
    """Whether the pawn can go from here to there (R7), and whether it has to warp for it."""
    if start is None or end is None or start == end:
        return True, False
    for warps in (False, True):
        reached = {(start, False)}
        rim = reached
        for _ in range(steps):
            further = set()
            for (r, c), used in rim:
                for cell in _around((r, c)):
                    if 0 <= cell[0] < SIZE and 0 <= cell[1] < SIZE and map_[cell[0]][cell[1]] == PASSAGE:
                        further.add((cell, used))
                if warps and not used and (r, c) in gates:
                    further |= {(gate, True) for gate in gates}
            rim = further - reached
            reached |= rim
        if any(cell == end for cell, _ in reached):
            return True, warps
    return False, False


def _cards_off(table: Table, read: Reading, letters: set[str]) -> Turn:
    """R10, R11: cards went off the row, and others came."""
    cards = read.cards or ()
    before = [card.letter for card in table.cards]
    row = [card.letter for card in cards]
    if read.discarded is not None and read.discarded[: len(table.discarded)] == table.discarded:
        off = list(read.discarded[len(table.discarded) :])
    else:
        off = [letter for letter in before if letter not in row]
    now_open = [one for sheet in table.sheets for one in sheet.destinations]
    new = [letter for letter in dict.fromkeys(now_open) if letter not in letters]
    fields = {"off": off, "new": new, "row": row}
    discarded = read.discarded if read.discarded is not None else (*table.discarded, *off)
    after = table._replace(
        cards=cards,
        discarded=discarded,
        round=read.round if read.round is not None else table.round + 1,
        stage=read.stage or table.stage,
        turns=table.turns + 1,
        wrote=frozenset(),
        claimed=False,
    )
    return Turn(None, "cards", fields, (), after, ("cards", table.round, tuple(off)), table.turns + 1, table.round)
