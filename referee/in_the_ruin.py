"""In the Ruin between two looks: what was drawn, walked and declared (R1 to R16 of the referee's rules).

A sheet never loses a mark, so that a known cell that is read otherwise was read wrongly; new marks are the piece on the
round's card, or one wall.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache, lru_cache, partial
from typing import Any, Final, NamedTuple

from referee.looks import FURTHER, MISREAD, NEVER, PARTLY, SLIP, UNKNOWN, Fit, Fix, Look, player_rows
from referee.turns import Explanation, Owed, Renewal, Start, Turn, house_of
from scoring.errors import StateError

SIZE: Final = 11
BLANK: Final = "."
PASSAGE: Final = "o"
WALL: Final = "#"
MARKS: Final = frozenset((BLANK, PASSAGE, WALL))
MOST_CELLS: Final = 6
"""Cells of a piece, at most, where no look shows the cards: more new ones were drawn in several rounds."""
MIDDLE: Final = (SIZE // 2, SIZE // 2)
MOST_WRONG: Final = 3
"""Cells of one turn that are read again together, at most."""
MOST_ROUNDS: Final = 3
"""Rounds that no look separates, at most, whose turns are told apart."""
WAYS: Final = 6
WAYS_A_SHEET: Final = 4
"""Explanations of a look, and of one sheet, that are followed."""
LOOKS: Final = 4
"""Looks of a sheet that are remembered: what more of them showed was not read wrongly."""
SPECIAL: Final = 1.5
SPECIAL_UNSEEN: Final = 2.2
"""One cell more was drawn (R6): where the card says what a piece is, and where no look shows it."""
FURTHER_CELL: Final = 0.5
"""It came after the turn seemed to be over."""
SEVERAL: Final = 2.5
"""Marks that are no single turn, where no look shows the cards."""
SURE: Final = 0.8
"""A new mark that was sure was read wrongly, as its shape alone says; or a doubtful one, as nothing says."""
REVISED: Final = 1.4
"""An earlier look was wrong, though nobody thought so then."""
SKIPPED: Final = 3.0
"""A player drew nothing in a round."""
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
    """A player's sheet. `last` is the round of its last turn, `reach` where the pawn may stand if no look shows it,
    `begun` the marks of half a turn.
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


UNSEEN: Final = Sheet((BLANK * SIZE,) * SIZE)
"""A sheet that no look has shown."""


class Table(NamedTuple):
    """A table; `claimed`: whether a letter was declared in this round, `shown`: the last rounds with their cards,
    `told`: a round and the card that somebody said lay there, where no look shows the row.
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
    """A turn that a player may have had: its round and card; `late`: of a round that began since, `again`: a second."""

    round: int
    card: ExplorationCard | None
    late: bool
    again: bool = False


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


class InTheRuin:
    """In the Ruin between given players, or alone."""

    amends = True
    counted = False
    together = True

    def __init__(self, header: Mapping[str, Any], look: Look) -> None:
        self.names: Sequence[str] = header["players"]
        self.house = house_of(header, {})
        self.extra: dict[str, Any] = {}
        self.players: dict[str, dict[str, Any]] = {}
        self.pieces: dict[str, Any] = {}
        self.letters: dict[str, Cell] = {}
        self.looks: list[deque[Look]] = [deque(maxlen=LOOKS) for _ in self.names]

    def header(self) -> dict[str, Any]:
        """What the header line says of the game."""
        return {"rule": None, "start": None, "order": None, "mode": None, "house": self.house}

    def read(self, look: Look) -> Reading:
        """The look's state in the game's own form. Raises StateError where it is none."""
        state = look.state
        sheets: list[Sheet | None] = [None] * len(self.names)
        ats = [""] * len(self.names)
        for p, at, row in player_rows(state, self.names):
            name = self.names[p]
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
        cards = state.get("cards")
        told = None
        if isinstance(cards, list) and len(cards) == 1 and isinstance(cards[0], dict) and "letter" not in cards[0]:
            told, cards = _card(cards[0], "/cards/0"), None
        for card in cards if isinstance(cards, list) else ():
            if isinstance(card, dict):
                self.pieces[str(card.get("letter"))] = card
        for p, sheet in enumerate(sheets):
            if sheet is not None:
                self.looks[p].append(look)
        discarded = state.get("discarded")
        return Reading(
            tuple(sheets),
            tuple(ats),
            tuple(_card(card, f"/cards/{i}") for i, card in enumerate(cards)) if isinstance(cards, list) else None,
            tuple(map(str, discarded)) if isinstance(discarded, list) else None,
            state["round"] if type(state.get("round")) is int else None,
            state["stage"] if type(state.get("stage")) is int else None,
            told,
        )

    def start(self, look: Look) -> Iterator[Start]:
        """What may lie there when the first look shows this."""
        read: Reading = look.read
        cards, now = read.cards or (), read.round or 1
        shown = ((now, cards[0].letter),) if cards else ()
        table = Table(
            tuple(sheet or UNSEEN for sheet in read.sheets),
            cards,
            read.discarded or (),
            now,
            read.stage or 1,
            shown=shown,
            told=None if read.told is None else (now, read.told),
        )
        yield Start(0.0, table)
        for p, sheet in enumerate(read.sheets):
            for way in _first(sheet, look, f"{read.ats[p]}/map") if sheet is not None else ():
                yield Start(way.cost, _with_sheet(table, p, _with_marks(table.sheets[p], dict(way.revised))), way.fixes)

    def card(self, letter: str | None) -> ExplorationCard | None:
        """The card of a letter, as a look has shown it."""
        known = self.pieces.get(letter or "")
        return None if known is None else _card(known, "/cards")

    def read_before(self, p: int, cell: Cell, true: str, look: Look) -> tuple[float, tuple[tuple[Look, Fix], ...]]:
        """What it costs to believe that a known cell is `true`, as a look shows it, and which looks were wrong then."""
        cost, wrong = 0.0, []
        for before in self.looks[p]:
            if before is not look and before.read.sheets[p].map[cell[0]][cell[1]] not in (true, UNKNOWN):
                fix = self.fix(p, cell, true, before)
                cost += before.price(*fix)
                wrong.append((before, fix))
        return cost or NEVER, tuple(wrong)

    def fix(self, p: int, cell: Cell, true: str, look: Look) -> Fix:
        """What a look would show wrongly if a cell is `true`."""
        r, c = cell
        return Fix(f"{look.read.ats[p]}/map/{r}/{c}", look.read.sheets[p].map[r][c], true)

    def renewal(self, table: Table, ways: Mapping[int, Written]) -> Renewal | None:
        """What these ways to see the sheets make of the looks and turns before."""
        anew = [(p, cell, true, table.sheets[p].last) for p, way in ways.items() for cell, true in way.revised]
        wrong = tuple(one for way in ways.values() for one in way.wrong)
        judged = {
            (look.number, self.fix(p, cell, true, look).at) for p, cell, true, _ in anew for look in self.looks[p]
        }
        return Renewal(partial(_drawn_anew, self, anew), wrong, judged, _oddness) if anew or wrong else None

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
        return _explained(self, table, look)

    def finish(self, table: Table, look: Look) -> Explanation | None:
        """A sheet that is half drawn says nothing more."""
        return None

    def key(self, table: Table) -> Any:
        """Everything that lies there."""
        return table

    def alike(self, one: Turn, other: Turn) -> Turn | None:
        """Turns that differ are told apart."""
        return None

    def between(self, before: Table, turn: Turn, look: Look) -> Fit | None:
        """Marks of a turn that had been begun may be drawn already or not; all others are as they were."""
        mine = self.names.index(turn.who) if turn.who is not None else None
        if mine is None:
            return None
        gems = [table.sheets[mine].gems for table in (before, turn.table)]
        seen = look.read.sheets[mine]
        if seen is not None and seen.gems not in gems:  # more than half a turn: a gem ends one
            return Fit(2 * SLIP)
        if (
            turn.fields.get("action") == UNKNOWN and "R3" not in turn.breaks
        ):  # turns that no look separates: this one does
            return Fit(2 * SLIP)
        cost, fixes = 0.0, []
        for p, seen in enumerate(look.read.sheets):
            for r, shown in enumerate(seen.map if seen is not None else ()):
                was, now = before.sheets[p].map[r], turn.table.sheets[p].map[r]
                for c, is_ in enumerate(shown) if shown != now else ():
                    at = f"{look.read.ats[p]}/map/{r}/{c}"
                    if is_ in (was[c], now[c]):
                        continue
                    if p != mine and (is_ == BLANK and not self._there(p, (r, c), look)):
                        continue
                    if p != mine and ((r, c), is_) in before.sheets[p].begun:
                        continue
                    cost += look.price(at, is_, now[c])
                    fixes.append(Fix(at, is_, now[c]))
        return Fit(cost, tuple(fixes))

    def _there(self, p: int, cell: Cell, look: Look) -> bool:
        """Whether a look before this one showed a mark there: else it was drawn since."""
        looks = (one.read.sheets[p] for one in self.looks[p] if one.number < look.number)
        return any(seen is not None and seen.map[cell[0]][cell[1]] != BLANK for seen in looks)

    def nearest(self, before: Table, turn: Turn) -> list[dict[str, Any]]:
        """A piece fits in too many places to name the nearest."""
        return []

    def legal(self, table: Table) -> Iterator[Turn]:
        """What each player who has not had this round's turn may draw (R3 to R5), without steps and special actions."""
        card = table.cards[0] if table.cards else table.card(table.due)  # where it is not known nothing is listed
        for p, sheet in enumerate(table.sheets if card is not None else ()):
            if sheet.last >= table.due or sheet.escaped is not None or self.over(table):
                continue
            for action, mark, piece in (("A", PASSAGE, card), ("B", WALL, card), ("C", WALL, ONE_WALL)):
                for cells in _spots(sheet, piece):
                    marks = dict.fromkeys(cells, mark)
                    seen = sheet._replace(penalties=sheet.penalties + (action == "C"))
                    turn = _turn(self, table, p, seen, marks, Slot(table.due, card, False))
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


@cache
def _shapes(cells: frozenset[Cell]) -> set[frozenset[Cell]]:
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


def _spots(sheet: Sheet, card: ExplorationCard | None, near: Iterable[Cell] = ()) -> Iterator[list[Cell]]:
    """The blank cells that a card's piece may cover, beside what is filled (R4), with some of the cells `near`."""
    if card is None or not card.piece:
        return
    places, (filled, rim) = _places(card.piece), _filled_and_rim(sheet.map)
    wanted = set(near)
    on = {place for cell in wanted for place in places[cell]} if wanted else None
    for place in places[None] if on is None else sorted(on):
        if filled.isdisjoint(place) and not rim.isdisjoint(place):
            yield list(place)


@lru_cache(maxsize=256)
def _places(piece: frozenset[Cell]) -> dict[Cell | None, tuple[tuple[Cell, ...], ...]]:
    """Where a piece fits on a map, each place as its cells in order: all of them (None), and those on each cell."""
    found = []
    for shape in _shapes(piece):
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
    return filled, frozenset(at for cell in filled for at in _around(cell)) - filled


def _fits(cells: Iterable[Cell], piece: frozenset[Cell]) -> bool:
    some = list(cells)
    if len(some) != len(piece) or not some:
        return False
    top, left = min(r for r, _ in some), min(c for _, c in some)
    return frozenset((r - top, c - left) for r, c in some) in _shapes(piece)


class Written(NamedTuple):
    """One way to see what is new on a sheet: turns as cells with their marks and card, readings put right."""

    cost: float
    drawn: tuple[tuple[Slot, Marks], ...]
    fixes: tuple[Fix, ...] = ()
    partly: bool = False
    revised: tuple[tuple[Cell, str], ...] = ()
    """Known cells that were read wrongly before."""
    wrong: tuple[tuple[Look, Fix], ...] = ()
    """The readings of looks before that were wrong."""
    begun: tuple[tuple[Cell, str], ...] = ()
    """Marks that are half of a turn."""
    slip: float = 0.0
    """What the rules that it breaks will cost."""


def _explained(rules: InTheRuin, table: Table, look: Look) -> list[Explanation]:
    """The turns of all players whose sheets are seen, and the cards that went off the row."""
    read: Reading = look.read
    rounds = _rounds(table, read)
    ways: list[tuple[float, tuple[tuple[int, Written], ...], tuple[Fix, ...]]] = [(0.0, (), ())]
    for p, seen in enumerate(read.sheets):
        if seen is None:
            continue
        if _being_set_up(table, p):
            found = [Written(0.0, ()), *_first(seen, look, f"{read.ats[p]}/map")]
        else:
            found = list(_ways(rules, table, p, seen, rounds, look))
        ways = [(cost + way.cost, (*ps, (p, way)), fixes + way.fixes) for cost, ps, fixes in ways for way in found]
        ways = sorted(ways, key=lambda one: one[0] + sum(way.slip for _, way in one[1]))[:WAYS]
    return [_told(rules, table, look, rounds, dict(some), fixes, cost) for cost, some, fixes in ways]


def _being_set_up(table: Table, p: int) -> bool:
    """Whether what is drawn on a sheet belongs to no turn yet (R1): no wall is there, and no more than its circles."""
    sheet = table.sheets[p]
    circles = MOST_CELLS * (2 if len(table.sheets) == 1 else 1)
    marks = "".join(sheet.map)
    return not sheet.last and WALL not in marks and marks.count(PASSAGE) <= circles


def _rounds(table: Table, read: Reading) -> int | None:
    """How many rounds later the look is; None where it shows no cards."""
    if read.cards is None:
        return None
    if read.round is not None and table.cards:
        return max(read.round - table.round, 0)  # within a round cards only go off
    return int(bool(table.cards) and [c.letter for c in read.cards] != [c.letter for c in table.cards])


def _told(
    rules: InTheRuin,
    table: Table,
    look: Look,
    rounds: int | None,
    ways: Mapping[int, Written],
    fixes: tuple[Fix, ...],
    cost: float,
) -> Explanation:
    """What the players wrote, in the order of the rounds, as an explanation."""
    read: Reading = look.read
    turns: list[Turn] = []
    letters_before = {one for sheet in table.sheets for one in sheet.destinations}
    now = table
    for p, way in ways.items():
        sheet, seen = now.sheets[p], read.sheets[p]
        if sheet == UNSEEN and seen is not None:  # its first photo: what was drawn before is not known
            sheet = seen._replace(last=now.round + (rounds or 0) - (not read.cards))
        elif _being_set_up(now, p) and seen is not None:
            sheet = seen._replace(last=0, reach=frozenset({MIDDLE}))
        now = _with_sheet(now, p, _with_marks(sheet, dict(way.revised))._replace(begun=way.begun))
    if read.told is not None:
        begins = [max(now.round, now.sheets[p].last + 1) for p in ways]
        now = now._replace(told=(max(begins, default=now.due), read.told))
    row = [card.letter for card in read.cards or ()]
    ahead = rounds is not None and (rounds > 0 or bool(row and not table.cards))
    owed = [Owed(rules.names[p], "marks", "R3") for p, way in ways.items() if way.partly]
    walked = dict.fromkeys(ways, 0)
    rows = _rows(rules, table, read, rounds or 0) if ahead else []
    for begun in range(len(rows) + 1):
        if begun:
            turns.append(_cards_off(now, rows[begun - 1], letters_before))
            now = turns[-1].table
        for p, way in ways.items():
            seen = read.sheets[p]
            for i, (slot, marks) in enumerate(way.drawn):
                late = len(rows) if slot.late else min(max(slot.round - table.round, 0), max(len(rows) - 1, 0))
                if seen is not None and late == begun:
                    last = i == len(way.drawn) - 1
                    turn = _turn(rules, now, p, seen if last else None, marks, slot, last, walked[p])
                    walked[p] += slot.card.steps if slot.card is not None else SIZE * SIZE
                    cost += SLIP + FURTHER * (len(turn.breaks) - 1) if turn.breaks else 0.0
                    turns.append(turn)
                    now = turn.table
    for p, seen in enumerate(read.sheets):
        if seen is not None and p in ways and not ways[p].drawn and not ways[p].partly:
            sheet = _with_marks(now.sheets[p], _claimed_walls(rules, now.sheets[p], seen))
            now = _with_sheet(now, p, _read_over(sheet, seen))
    if not ahead and now.claimed and len(now.wrote) == len(now.sheets):
        owed.append(Owed(None, "cards off the row", "R10"))
    held = any(way.partly for way in ways.values())
    settled = None if turns or now == table else now
    return Explanation(cost, tuple(turns), fixes, tuple(owed), held, table=settled, renewal=rules.renewal(table, ways))


def _drawn_anew(rules: InTheRuin, anew: Sequence[tuple[int, Cell, str, int]], turn: Turn) -> Turn | None:
    """A turn where cells of sheets are what they turned out to be; None where nothing else was drawn in it.

    `anew` are cells of players, what they are, and the round of the player's last turn, to which a mark that was not
    seen belongs.
    """
    for p, cell, true, last in anew:
        sheet = turn.table.sheets[p]
        was = sheet.map[cell[0]][cell[1]]
        if was == true or (was == BLANK and sheet.last < last):
            continue
        sheet = _with_marks(sheet, {cell: true})
        turn = turn._replace(table=_with_sheet(turn.table, p, sheet))
        mine = turn.who == rules.names[p] and turn.move == "write"
        if mine and (list(cell) in turn.fields["cells"] or (was == BLANK and turn.round == last)):
            drawn = {(r, c): mark for (r, c), mark in zip(turn.fields["cells"], turn.fields["what"], strict=True)}
            drawn = {one: mark for one, mark in {**drawn, cell: true}.items() if mark != BLANK}
            if not drawn:
                return None
            turn = _judged_anew(rules, turn, p, drawn)
    return turn


def _oddness(turn: Turn) -> float:
    """What it costs to believe in the marks of a turn that breaks no rule, by their shape."""
    if turn.fields.get("action") == UNKNOWN and "R3" not in turn.breaks:
        return SEVERAL
    if turn.fields.get("special") != "cell":
        return 0.0
    return SPECIAL if turn.table.cards or turn.table.card(turn.round) else SPECIAL_UNSEEN


def _judged_anew(rules: InTheRuin, turn: Turn, p: int, drawn: Marks) -> Turn:
    """A turn of which other cells were drawn than was thought; its pawn and what it declared stay."""
    sheet, card = (
        turn.table.sheets[p],
        rules.card(dict(turn.table.shown).get(turn.round)) or turn.table.card(turn.round),
    )
    if turn.fields["action"] == UNKNOWN and "R3" not in turn.breaks:
        card = None  # several rounds' turns
    walls = [tuple(cell) for cell in turn.fields["walls"]]
    before = _with_marks(sheet, dict.fromkeys([*drawn, *walls], BLANK))
    action, special = _action(drawn, card, int(turn.fields["action"] in ("C", UNKNOWN)))
    breaks = ["R3"] if action is None and card is not None else []
    breaks += _misplaced(before.map, sheet.map, drawn)
    start, end = (None if cell is None else (cell[0], cell[1]) for cell in turn.fields["pawn"])
    steps = SIZE * SIZE if card is None else card.steps
    if "R7" in turn.breaks and not _way(sheet.map, start, end, sheet.gates, steps)[0]:
        breaks.append("R7")
    cells = _in_drawing_order(before.map, drawn)
    marks = [drawn[cell] for cell in cells]
    warp = turn.fields["special"] if turn.fields["special"] == "warp" else None
    fields = {
        **turn.fields,
        "action": action or UNKNOWN,
        "cells": [list(cell) for cell in cells],
        "as": marks[0],
        "what": marks,
        "special": "cell" if special else warp,
    }
    same = (*turn.same[:3], tuple(cells), tuple(marks))
    legal: Any = UNKNOWN if action is None and not breaks else not breaks
    return turn._replace(fields=fields, breaks=tuple(breaks), same=same, legal=legal)


def _misplaced(before: Sequence[str], after: Sequence[str], drawn: Marks) -> list[str]:
    """R4 and R5, where marks break them."""
    beside = any(_filled(before, at) for cell in drawn for at in _around(cell))
    return ([] if beside or not drawn else ["R4"]) + (["R5"] if _square(after, drawn) else [])


def _with_sheet(table: Table, p: int, sheet: Sheet) -> Table:
    return table._replace(sheets=(*table.sheets[:p], sheet, *table.sheets[p + 1 :]))


def _with_marks(sheet: Sheet, marks: Mapping[Cell, str]) -> Sheet:
    if not marks:
        return sheet
    rows = [list(row) for row in sheet.map]
    for (r, c), mark in marks.items():
        rows[r][c] = mark
    return sheet._replace(map=tuple("".join(row) for row in rows))


def _read_over(sheet: Sheet, seen: Sheet) -> Sheet:
    """What is read anew in every look, beside the marks."""
    return seen._replace(map=sheet.map, last=sheet.last, reach=sheet.reach)


def _declared(sheet: Sheet, seen: Sheet) -> list[str]:
    return [one for one in sheet.destinations if one not in seen.destinations]


def _claimed_walls(rules: InTheRuin, sheet: Sheet, seen: Sheet, chained: bool = True) -> Marks:
    """R9: the walls that what was declared since makes of blank cells.

    `chained`: also those of letters that came and were declared between two looks, where a wall is seen.
    """
    declared = _declared(sheet, seen)
    cells = {cell for one in declared if (cell := rules.letters.get(one))}
    if chained and declared:
        new = (cell for one, cell in rules.letters.items() if one not in (*sheet.destinations, *seen.destinations))
        cells |= {cell for cell in new if seen.map[cell[0]][cell[1]] == WALL}
    return {cell: WALL for cell in cells if sheet.map[cell[0]][cell[1]] == BLANK and cell not in seen.gates}


def _ways(rules: InTheRuin, table: Table, p: int, seen: Sheet, rounds: int | None, look: Look) -> Iterator[Written]:  # noqa: PLR0912 -- marks in many ways
    """The likeliest ways to see what is new on a player's sheet; known cells are what they were."""
    sheet = table.sheets[p]
    at = f"{look.read.ats[p]}/map"
    cost = 0.0
    fixes: list[Fix] = []
    new: Marks = {}
    walls = _claimed_walls(rules, sheet, seen, chained=False)
    more_walls = _claimed_walls(rules, sheet, seen)
    changed: Marks = {}
    for r, (known, shown) in enumerate(zip(sheet.map, seen.map, strict=True)):
        if known == shown:
            continue
        for c, (was, is_) in enumerate(zip(known, shown, strict=True)):
            if was == is_:
                continue
            if was == BLANK:
                if is_ != UNKNOWN:
                    new[r, c] = is_
            else:
                here = f"{at}/{r}/{c}"
                cost += look.price(here, is_, was)
                fixes.append(Fix(here, is_, was))
                changed[r, c] = is_
    before = [one for one in rules.looks[p] if one is not look]
    gone = []
    for (r, c), mark in sheet.begun if before else ():
        if seen.map[r][c] != mark:  # what had been begun has gone
            gone.append((before[-1], rules.fix(p, (r, c), seen.map[r][c], before[-1])))
            cost += before[-1].price(*gone[-1][1])
    slots = _slots(rules, table, p, rounds, look.read)
    found = []
    with_walls = new.keys() & walls.keys()
    options = [walls, *([{}] if with_walls and slots else []), *([more_walls] if more_walls != walls else [])]
    for taken in options:
        drawn = {cell: mark for cell, mark in new.items() if cell not in taken}
        more = [Fix(f"{at}/{r}/{c}", new.get((r, c), BLANK), WALL) for r, c in taken if new.get((r, c)) != WALL]
        extra = sum(look.price(fix.at, fix.read, fix.true) for fix in more)
        for way in _split(sheet, drawn, slots, seen, look, at):
            whole = way._replace(
                cost=cost + extra + way.cost,
                fixes=(*fixes, *more, *way.fixes),
                wrong=(*gone, *_seen_late(rules, p, sheet, way, before)),
            )
            found.append(whole)
            for fix, (cell, true) in zip(fixes, changed.items(), strict=True):
                earlier, wrong = rules.read_before(p, cell, true, look)
                if true != UNKNOWN and earlier < 2 * MISREAD:
                    found.append(
                        whole._replace(
                            cost=whole.cost
                            - look.price(*fix)
                            + earlier
                            + (0.0 if all(one.flagged(bad.at) for one, bad in wrong) else REVISED),
                            fixes=tuple(one for one in whole.fixes if one is not fix),
                            revised=(*whole.revised, (cell, true)),
                            wrong=(*whole.wrong, *wrong),
                        )
                    )
        for cell in drawn if _missed(sheet, p, before) else ():
            fix = rules.fix(p, cell, drawn[cell], before[-1])
            if fix.read == BLANK and before[-1].flagged(fix.at):
                rest = {one: mark for one, mark in drawn.items() if one != cell}
                for way in _split(_with_marks(sheet, {cell: drawn[cell]}), rest, slots, seen, look, at):
                    found.append(
                        way._replace(
                            cost=cost + extra + way.cost + before[-1].price(*fix),
                            fixes=(*fixes, *more, *way.fixes),
                            revised=((cell, drawn[cell]),),
                            wrong=(*gone, (before[-1], fix)),
                        )
                    )
    found.sort(key=lambda way: way.cost + way.slip)
    yield from found[:WAYS_A_SHEET]


def _seen_late(
    rules: InTheRuin, p: int, sheet: Sheet, way: Written, before: Sequence[Look]
) -> Iterator[tuple[Look, Fix]]:
    """Doubtful blank cells of the last look, where half of a turn was seen that is whole now: they were drawn then."""
    begun, marks = dict(sheet.begun), way.drawn[0][1] if way.drawn else {}
    for cell in marks if begun and begun.items() <= marks.items() and before else ():
        fix = rules.fix(p, cell, marks[cell], before[-1])
        if fix.read == BLANK and before[-1].flagged(fix.at):
            yield before[-1], fix


def _missed(sheet: Sheet, p: int, before: Sequence[Look]) -> bool:
    """Whether the last look of a sheet was the first one after its last turn: a doubtful cell may belong to that."""
    if not sheet.last or sheet.begun or not before:
        return False
    blank = ["".join(one.read.sheets[p].map).count(BLANK) for one in before[-2:]]
    return len(blank) < 2 or blank[1] < blank[0]


def _turned(
    sheet: Sheet, slot: Slot, drawn: Marks, ticks: int, cost: float = 0.0, fixes: tuple[Fix, ...] = ()
) -> Written:
    """Marks as one turn, with what it will cost that they break rules."""
    shape = (slot.again and len(drawn) > 1) or (slot.card is not None and _action(drawn, slot.card, ticks)[0] is None)
    alone = not any(_filled(sheet.map, at) for cell in drawn for at in _around(cell))
    square = PASSAGE in drawn.values() and _square(_with_marks(sheet, drawn).map, drawn)
    return Written(cost, ((slot, drawn),), fixes, slip=SLIP * (shape + alone + square))


def _slots(rules: InTheRuin, table: Table, p: int, rounds: int | None, read: Reading) -> list[Slot]:
    """The turns that a player may have had since the last look."""
    sheet = table.sheets[p]
    if sheet.escaped is not None:
        return []
    if rounds is None:
        begins = max(table.round, sheet.last + 1)
        return [Slot(begins, read.told or table.card(begins), False)]
    now = table.round + rounds
    cards = dict(table.shown)
    off = list(read.discarded or ())[len(table.discarded) :]
    if len(off) == rounds:  # nothing was claimed: each round's own card went off
        cards |= {table.round + i: letter for i, letter in enumerate(off)}
    if read.cards:  # where its own card has gone already, the row says another one
        cards.setdefault(now, read.cards[0].letter)
    begun = sheet.last + 1 if sheet.last else min((n for n in cards), default=now)
    return [Slot(n, rules.card(cards.get(n)), n == now) for n in range(max(begun, now - MOST_ROUNDS), now + 1)]


def _first(seen: Sheet, look: Look, at: str) -> Iterator[Written]:
    """The first look of a sheet, with one of its doubtful marks read again."""
    cells = [(r, c) for r in range(SIZE) for c in range(SIZE) if look.flagged(f"{at}/{r}/{c}")]
    if PASSAGE not in (middle := seen.map[MIDDLE[0]][MIDDLE[1]]) and any(WALL in row for row in seen.map):  # R1
        fix = Fix(f"{at}/{MIDDLE[0]}/{MIDDLE[1]}", middle, PASSAGE)
        yield Written(-look.price(*fix), (), (fix,), revised=((MIDDLE, PASSAGE),))
    for r, c in cells[:MOST_WRONG]:
        for mark in MARKS - {seen.map[r][c]}:
            fix = Fix(f"{at}/{r}/{c}", seen.map[r][c], mark)
            if look.named(fix.at, mark):
                yield Written(look.price(*fix), (), (fix,), revised=(((r, c), mark),))


def _split(
    sheet: Sheet, drawn: Marks, slots: Sequence[Slot], seen: Sheet, look: Look, at: str, later: bool = False
) -> Iterator[Written]:
    """New marks as the turns that may have made them; `later`: turns of this look went before."""
    ticks = seen.penalties - sheet.penalties
    pawn = not later and (seen.pawn != sheet.pawn or seen.escaped != sheet.escaped)
    if not slots:
        yield _misread(drawn, {}, look, at)
        if drawn:
            yield _turned(sheet, Slot(sheet.last, None, False, True), drawn, ticks, SEVERAL)
        if len(drawn) == 1 and ticks <= 0:  # R6: one cell more, in the turn that seemed to be over
            yield Written(FURTHER_CELL, (), revised=tuple(drawn.items()))
        return
    if not drawn and ticks <= 0:
        yield Written(0.0, (), partly=pawn and len(slots) == 1 and slots[0].card is not None and sheet.pawn is not None)
    elif len(slots) > 1 and any(slot.card is None for slot in slots):
        yield from _merged(sheet, drawn, slots[-1], ticks, look, at)
        yield from _one(sheet, drawn, slots[-1], ticks, pawn, look, at)
        return
    elif len(slots) > 1:
        for true, way in _doubted(sheet, drawn, look, at):
            for found in _apart(sheet, true, slots, seen, look, at):
                yield found._replace(cost=found.cost + way.cost, fixes=(*way.fixes, *found.fixes))
        for way in _split(sheet, drawn, slots[1:], seen, look, at):
            yield way._replace(cost=way.cost + SKIPPED)
        return
    else:
        yield from _one(sheet, drawn, slots[0], ticks, pawn, look, at)
    if drawn and len(drawn) <= 2 and ticks <= 0 and not pawn:
        yield _misread(drawn, {}, look, at)


def _doubted(sheet: Sheet, drawn: Marks, look: Look, at: str) -> Iterator[tuple[Marks, Written]]:
    """New marks as they lie, and with one of the doubtful cells on or beside them read as each other mark."""
    yield drawn, Written(0.0, ())
    near = {one for cell in drawn for one in (cell, *_around(cell))}
    cells = [(r, c) for r, c in sorted(near) if look.flagged(f"{at}/{r}/{c}") and not _filled(sheet.map, (r, c))]
    for cell in cells[:MOST_WRONG]:
        for mark in MARKS - {drawn.get(cell, BLANK)}:
            true = {one: kind for one, kind in {**drawn, cell: mark}.items() if kind != BLANK}
            yield true, _misread(drawn, true, look, at)


def _apart(sheet: Sheet, drawn: Marks, slots: Sequence[Slot], seen: Sheet, look: Look, at: str) -> Iterator[Written]:
    """New marks as turns of several rounds, each with its card."""
    ticks = seen.penalties - sheet.penalties
    for cells, mark, action in _inside(drawn, slots[0].card, ticks):
        part = dict.fromkeys(cells, mark)
        rest = {cell: one for cell, one in drawn.items() if cell not in part}
        after = _with_marks(sheet, part)._replace(penalties=sheet.penalties + (action == "C"), last=slots[0].round)
        joined = any(_filled(sheet.map, near) for cell in cells for near in _around(cell))
        if joined and len(rest) == 1 and ticks <= 0:  # one cell more, rather than the next round's first
            yield Written(SPECIAL, ((slots[0], {**part, **rest}),))
        for way in _split(after, rest, slots[1:], seen, look, at, later=True):
            if joined and len(way.drawn) <= len(slots) - 1:
                yield way._replace(drawn=((slots[0], part), *way.drawn))


def _merged(sheet: Sheet, drawn: Marks, slot: Slot, ticks: int, look: Look, at: str) -> Iterator[Written]:
    """The marks of several rounds as one line, since no look shows all their cards; also without a doubtful one."""
    slot = slot._replace(card=None)
    yield _turned(sheet, slot, drawn, ticks, SEVERAL)
    for cell in drawn if len(drawn) > 1 else ():
        if look.flagged(f"{at}/{cell[0]}/{cell[1]}"):
            rest = {one: mark for one, mark in drawn.items() if one != cell}
            way = _misread(drawn, rest, look, at)
            yield _turned(sheet, slot, rest, ticks, way.cost + SEVERAL, way.fixes)


def _misread(drawn: Marks, true: Marks, look: Look, at: str) -> Written:
    """The reading where other marks are what was drawn."""
    fixes = [
        Fix(f"{at}/{r}/{c}", drawn.get((r, c), BLANK), true.get((r, c), BLANK))
        for r, c in sorted(drawn.keys() | true.keys())
        if drawn.get((r, c)) != true.get((r, c))
    ]
    return Written(sum(look.price(*fix) for fix in fixes), (), tuple(fixes))


def _inside(drawn: Marks, card: ExplorationCard | None, ticks: int) -> Iterator[tuple[list[Cell], str, str]]:
    """The ways in which a card's piece, or one wall, lies in marks of several rounds."""
    for mark, action in ((PASSAGE, "A"), (WALL, "B")):
        cells = {cell for cell, one in drawn.items() if one == mark}
        for shape in _shapes(card.piece) if card is not None and card.piece else ():
            first = min(shape)
            for r, c in cells:
                there = {(r + a - first[0], c + b - first[1]) for a, b in shape}
                if there <= cells:
                    yield sorted(there), mark, action
    if ticks > 0:
        for cell, mark in drawn.items():
            if mark == WALL:
                yield [cell], WALL, "C"


def _one(sheet: Sheet, drawn: Marks, slot: Slot, ticks: int, pawn: bool, look: Look, at: str) -> Iterator[Written]:  # noqa: PLR0912 -- marks in many ways
    """New marks as one turn: as they lie, half of it, or some of them read again."""
    card = slot.card
    action, special = _action(drawn, card, ticks)
    odd = _odd(drawn, card, ticks)
    piece = len(card.piece) if card is not None else 0
    yield _turned(sheet, slot, drawn, ticks, odd)
    if card is not None and action is not None and not special:
        return
    fewer = len(drawn) < piece and len(set(drawn.values())) == 1 and ticks <= 0
    alone = fewer and set(drawn.values()) == {WALL} and len(drawn) == 1  # the tick of C comes after its wall
    if fewer and not pawn and (alone or any(drawn.keys() <= set(cells) for cells in _spots(sheet, card, drawn))):
        yield Written(PARTLY, (), partly=True, begun=tuple(sorted(drawn.items())))
    for cell in drawn if card is not None and ticks <= 0 and not pawn and 1 < len(drawn) <= piece + 1 else ():
        rest = {one: mark for one, mark in drawn.items() if one != cell}
        if (
            len(rest) < piece
            and len(set(rest.values())) == 1
            and any(rest.keys() <= set(c) for c in _spots(sheet, card, rest))
        ):
            way = _misread(drawn, rest, look, at)
            yield way._replace(
                cost=way.cost + _reread(way, look) + PARTLY, partly=True, begun=tuple(sorted(rest.items()))
            )
    known = {cell for cell in drawn if look.flagged(f"{at}/{cell[0]}/{cell[1]}")}
    if card is None:
        lone = [cell for cell in drawn if odd and _odd({k: m for k, m in drawn.items() if k != cell}, card, ticks) == 0]
        from_ = drawn or [(r, c) for r in range(SIZE) for c in range(SIZE) if _filled(sheet.map, (r, c))]
        near = {one for cell in from_ for one in _around(cell) if min(one) >= 0 and max(one) < SIZE}
        near = {one for one in near if not _filled(sheet.map, one) and look.flagged(f"{at}/{one[0]}/{one[1]}")}
        circles = {cell for cell, mark in drawn.items() if mark == PASSAGE}
        square = {cell for cell in circles if _square(_with_marks(sheet, drawn).map, [cell])}
        for cell in sorted({*known, *lone, *near, *square}):
            for mark in MARKS - {drawn.get(cell, BLANK)}:
                true = {k: m for k, m in {**drawn, cell: mark}.items() if m != BLANK}
                better = _odd(true, card, ticks)
                if true and (cell not in lone or better < odd):
                    way = _misread(drawn, true, look, at)
                    needless = SURE if better >= odd else 0.0
                    yield _turned(sheet, slot, true, ticks, way.cost + better + needless, way.fixes)
        return
    wall = ticks > 0
    for mark, some in ((PASSAGE, card), (WALL, card), (WALL, ONE_WALL)):
        for cells in _spots(sheet, some, drawn) if some is not ONE_WALL or wall else ():
            true = dict.fromkeys(cells, mark)
            wrong = [c for c in drawn.keys() | true.keys() if drawn.get(c) != true.get(c)]
            if len(wrong) > MOST_WRONG:
                continue
            if mark == PASSAGE and _square(_with_marks(sheet, true).map, true):
                continue
            way = _misread(drawn, true, look, at)
            alike = (
                len(wrong) == 1 < len(true) - 1 and drawn.keys() == true.keys()
            )  # all of a piece but one are of one kind
            sure = 0.0 if alike else _reread(way, look)
            yield _turned(sheet, slot, true, ticks, way.cost + sure, way.fixes)
            for cell in wrong if len(wrong) > 1 else ():
                if cell in drawn and cell not in true:
                    more = {**true, cell: drawn[cell]}
                    way = _misread(drawn, more, look, at)
                    yield _turned(sheet, slot, more, ticks, way.cost + _reread(way, look) + SPECIAL, way.fixes)


def _reread(way: Written, look: Look) -> float:
    """What it costs besides that a sure reading of a new mark was wrong: the shape alone says so."""
    return 0.0 if all(look.flagged(fix.at) for fix in way.fixes) else SURE


def _odd(drawn: Marks, card: ExplorationCard | None, ticks: int) -> float:
    """What it costs to believe that marks are one turn, by their shape alone; slips are priced later."""
    action, special = _action(drawn, card, ticks)
    if action is None:
        return 0.0 if card is not None and drawn else SEVERAL
    if card is not None:
        return SPECIAL if special else 0.0
    return SPECIAL_UNSEEN if special or (len(drawn) == 1 and ticks <= 0) else 0.0


def _action(drawn: Marks, card: ExplorationCard | None, ticks: int) -> tuple[str | None, bool]:
    """A, B or C of R3, and whether there is one cell more by R6; None where it is none of them."""
    some = _plain(drawn, card, ticks)
    if some is not None:
        return some, False
    for extra in drawn if len(drawn) > 1 else ():
        some = _plain({cell: one for cell, one in drawn.items() if cell != extra}, card, ticks)
        if some is not None:
            return some, True
    return None, False


def _plain(drawn: Marks, card: ExplorationCard | None, ticks: int) -> str | None:
    marks = set(drawn.values())
    if marks == {WALL} and len(drawn) == 1 and ticks > 0:
        return "C"
    if len(marks) != 1:
        return None
    fits = len(drawn) <= MOST_CELLS and _hangs_together(drawn) if card is None else _fits(drawn, card.piece)
    return ("A" if marks == {PASSAGE} else "B") if fits else None


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
    seen: Sheet | None,
    drawn: Marks,
    slot: Slot,
    last: bool = True,
    walked: int = 0,
) -> Turn:
    """The line of the log for what a player wrote, and what it breaks.

    `seen` is the sheet as the look shows it, None where another turn of the player came after this one; `last`: whether
    none did. `walked`: steps of turns before, that no look separates.
    """
    before, card = table.sheets[p], slot.card
    if seen is None:
        wall = len(drawn) == 1 and set(drawn.values()) == {WALL} and (card is None or len(card.piece) > 1)
        seen = before._replace(penalties=before.penalties + wall, pawn=None if last else before.pawn)
    plain = _with_marks(before, drawn)
    walls = _claimed_walls(rules, plain, seen)
    action, special = _action(drawn, card, seen.penalties - before.penalties)
    special = special or (slot.again and len(drawn) == 1)
    cells = _in_drawing_order(before.map, drawn)
    gates = [cell for cell in seen.gates if cell not in before.gates]
    declared = _declared(before, seen)
    mine = seen.gems > before.gems
    breaks = []
    if (slot.again and len(drawn) > 1) or (action is None and card is not None):
        breaks.append("R3")
    breaks += _misplaced(before.map, plain.map, drawn)
    way, warped, reach = _walked(rules, before, seen, plain.map, slot, declared if mine else [], walked)
    if not way:
        breaks.append("R7")
    marks = [drawn[cell] for cell in cells]
    fields = {
        "action": action or UNKNOWN,
        "cells": [list(cell) for cell in cells],
        "as": marks[0] if marks else None,
        "what": marks,
        "special": "cell" if special else "warp" if warped else None,
        "pawn": [_written_cell(before.pawn), _written_cell(seen.pawn)],
        "claimed": declared[0] if mine and declared else None,
        "gates": [list(cell) for cell in gates],
        "walls": [list(cell) for cell in walls],
    }
    sheet = _read_over(_with_marks(plain, walls), seen)._replace(last=max(slot.round, before.last), reach=reach)
    now = _with_sheet(table, p, sheet)._replace(
        turns=table.turns + 1,
        round=table.round if table.cards else max(table.round, slot.round),
        claimed=table.claimed or bool(mine and declared),
    )
    same = (p, "write", slot.round, tuple(cells), tuple(marks))
    legal: Any = UNKNOWN if action is None and not breaks else not breaks
    return Turn(rules.names[p], "write", fields, tuple(breaks), now, same, table.turns + 1, slot.round, legal)


def _walked(
    rules: InTheRuin,
    before: Sheet,
    seen: Sheet,
    map_: Sequence[str],
    slot: Slot,
    claimed: Sequence[str],
    walked: int,
) -> tuple[bool, bool, frozenset[Cell] | None]:
    """R7: whether the pawn could go where it stands, whether it had to warp, and where it may stand if nobody says.

    Where no look shows the pawn, it stood on the letter that its player claimed.
    """
    steps = slot.card.steps + walked if slot.card is not None else None
    cells = [cell for one in claimed if (cell := rules.letters.get(one)) in seen.gates]
    gates = [cell for cell in seen.gates if cell not in cells or cell in before.gates]  # a claim comes after the way
    out = seen.escaped is not None and before.escaped is None and before.pawn is not None
    end = MIDDLE if out else seen.pawn
    if before.pawn is not None or end is not None or steps is None:
        way, warped = _way(map_, before.pawn, end, gates, SIZE * SIZE if steps is None else steps)
        reach = None
    else:
        way, warped, reach = True, False, before.reach and _reach(map_, before.reach, gates, steps, warps=True)
    if end is None and cells:
        there = frozenset(cells) if reach is None else reach.intersection(cells)
        return bool(there), warped, there or frozenset(cells)
    return way, warped, reach


_SIDES: Final = ((0, 1), (1, 0), (0, -1), (-1, 0))


def _around(cell: Cell) -> list[Cell]:
    return [(cell[0] + a, cell[1] + b) for a, b in _SIDES]


def _written_cell(cell: Cell | None) -> list[int] | None:
    return None if cell is None else list(cell)


def _filled(map_: Sequence[str], cell: Cell) -> bool:
    r, c = cell
    return 0 <= r < SIZE and 0 <= c < SIZE and map_[r][c] != BLANK


def _square(map_: Sequence[str], cells: Iterable[Cell]) -> bool:
    """Whether some of the cells lie in a 2×2 square of circles."""
    return any(
        all(map_[top + a][left + b] == PASSAGE for a in (0, 1) for b in (0, 1))
        for r, c in cells
        for top in (r - 1, r)
        for left in (c - 1, c)
        if 0 <= top < SIZE - 1 and 0 <= left < SIZE - 1
    )


def _reach(
    map_: Sequence[str], start: Iterable[Cell], gates: Sequence[Cell], steps: int, warps: bool
) -> frozenset[Cell]:
    """The cells that a pawn can come to (R7), by one warp from gate to gate at most."""
    rim = {(cell, False) for cell in start}
    reached = set(rim)
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
        if not rim:
            break
    return frozenset(cell for cell, _ in reached)


def _way(
    map_: Sequence[str], start: Cell | None, end: Cell | None, gates: Sequence[Cell], steps: int
) -> tuple[bool, bool]:
    """Whether the pawn can go from here to there (R7), and whether it has to warp for it."""
    if start is None or end is None or start == end:
        return True, False
    if end in _reach(map_, [start], gates, steps, warps=False):
        return True, False
    return end in _reach(map_, [start], gates, steps, warps=True), True


def _rows(rules: InTheRuin, table: Table, read: Reading, rounds: int) -> list[Reading]:
    """The rows as they lay at the end of each round that passed; where letters were declared, the last one only."""
    off = list(read.discarded or ())[len(table.discarded) :]
    if len(off) != rounds or read.discarded is None or read.discarded[: len(table.discarded)] != table.discarded:
        return [read]
    cards = [*(rules.card(one) or ExplorationCard(one, 0, frozenset()) for one in off), *(read.cards or ())]
    return [
        *(
            read._replace(
                cards=tuple(cards[i : i + len(table.cards)]),
                discarded=(*table.discarded, *off[:i]),
                round=table.round + i,
                stage=table.stage,
            )
            for i in range(1, rounds)
        ),
        read,
    ]


def _cards_off(table: Table, read: Reading, letters: set[str]) -> Turn:
    """R10, R11: cards went off the row, and others came."""
    cards = read.cards or ()
    before = [card.letter for card in table.cards]
    row = [card.letter for card in cards]
    again = read.stage is not None and read.stage > table.stage  # the cards that went off come again
    if not again and read.discarded is not None and read.discarded[: len(table.discarded)] == table.discarded:
        off = list(read.discarded[len(table.discarded) :])
    else:
        off = [letter for letter in before if again or letter not in row]
    now_open = [one for sheet in read.sheets if sheet is not None for one in sheet.destinations]
    new = [letter for letter in dict.fromkeys(now_open) if letter not in letters]
    fields = {"off": off, "new": new, "row": row}
    now = read.round if read.round is not None else table.round + bool(before)
    after = table._replace(
        cards=cards,
        discarded=read.discarded if read.discarded is not None else (*table.discarded, *off),
        round=now,
        stage=read.stage or table.stage,
        turns=table.turns + 1,
        claimed=False,
        shown=(*table.shown[-MOST_ROUNDS:], *(((now, row[0]),) if row else ())),
    )
    return Turn(None, "cards", fields, (), after, ("cards", table.round, tuple(row)), table.turns + 1, table.round)
