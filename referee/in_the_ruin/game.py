"""A game of In the Ruin: what its looks showed, and what stays in its states."""

from collections import deque
from collections.abc import Mapping, Sequence
from typing import Any, Final

from referee.in_the_ruin.tables import (
    BLANK,
    WALL,
    Cell,
    ExplorationCard,
    Marks,
    Reading,
    Sheet,
    Table,
    declared_since,
    is_cell,
    read_card,
    read_sheet,
)
from referee.looks import NEVER, UNKNOWN, Fix, Look, player_rows
from referee.turns import Rules, Turn, house_of

LOOKS: Final = 4
"""Looks of a sheet that are remembered: what more of them showed was not read wrongly."""
KEPT: Final = ("letters", "charge_blocks", "house_rules")
SHEET_KEPT: Final = ("first_map", "first_square", "first_destinations")
"""Keys that the referee hands on as they are."""
WRITTEN: Final = ("destinations", "gates", "gems", "penalties", "escaped")
"""What stays on a sheet: left out of a look it is as it was."""
CLAIMS: Final = ("R8", "R9", "R10")
"""Rules about what is declared."""
MIDDLE: Final = ("cards", "round", "stage", "letters")
HANG: Final = {
    "cards": ("R4", "R6"),
    "round": ("R3", "R6"),
    "stage": ("R10", "R11", "R12", "R13", "R14"),
    "letters": ("R3", "R4", "R6", *CLAIMS),
    "destinations": ("R3", "R4", "R6", "R12", *CLAIMS),
    "gates": ("R7", *CLAIMS),
    "gems": CLAIMS,
    "penalties": ("R3", "R6"),
    "escaped": ("R10", "R12"),
}
"""Rules that nobody judges while no look has shown this, in the middle or on a sheet."""


class InTheRuinGame(Rules):
    """What the looks of a game between given players showed, or of one alone."""

    def __init__(self, header: Mapping[str, Any], look: Look) -> None:
        self.names: Sequence[str] = header["players"]
        self.house = house_of(header, {})
        self.extra: dict[str, Any] = {}
        self.players: dict[str, dict[str, Any]] = {}
        self.written: dict[str, dict[str, Any]] = {}
        self.pieces: dict[str, Any] = {}
        self.letters: dict[str, Cell] = {}
        self.gates: set[Cell] = set()
        """Those that any sheet has shown."""
        self.looks: list[deque[Look]] = [deque(maxlen=LOOKS) for _ in self.names]
        self.shown: set[tuple[int | None, str]] = set()
        """Whose places looks have shown, None: the middle's."""

    def header(self) -> dict[str, Any]:
        """What the header line says of the game."""
        return {**super().header(), "start": None}

    def read(self, look: Look) -> Reading:
        """The look's state in the game's own form. Raises StateError where it is none."""
        state = look.state
        sheets: list[Sheet | None] = [None] * len(self.names)
        ats = [""] * len(self.names)
        for p, at, row in player_rows(state, self.names):
            name = self.names[p]
            ats[p] = at
            self.shown.update((p, key) for key in row)
            if "map" in row:
                written = self.written[name] = self.written.get(name, {}) | {k: row[k] for k in WRITTEN if k in row}
                sheets[p] = read_sheet({**row, **written}, at)
                if "penalties" in written and "penalties" not in row:
                    look.memo.setdefault("ticks covered", set()).add(p)
            if "map" in row or name not in self.players:  # else the sheet has been taken away
                self.players[name] = {key: row[key] for key in SHEET_KEPT if key in row}
            if isinstance(row.get("goals"), list):  # how many there are says nothing that scores
                self.players[name]["goals"] = row["goals"]
        self.extra.update({key: state[key] for key in KEPT if key in state})
        letters = state.get("letters")
        if isinstance(letters, dict):
            self.letters = {one: (cell[0], cell[1]) for one, cell in letters.items() if is_cell(cell)}
        cards = state.get("cards")
        told = None
        if isinstance(cards, list) and len(cards) == 1 and isinstance(cards[0], dict) and "letter" not in cards[0]:
            told, cards = read_card(cards[0], "/cards/0"), None  # a person's word, where no row lies in sight
        alone = sum(sheet is not None for sheet in sheets) < 2  # a photo, when its turn was over
        self.shown.update((None, key) for key in (*state, *["cards"] * alone, *["round"] * (cards is None)))
        for card in cards if isinstance(cards, list) else ():
            if isinstance(card, dict):
                letter = str(card.get("letter"))
                self.pieces[letter] = {**self.pieces.get(letter, {}), **card}
        discarded = state.get("discarded")
        reading = Reading(
            tuple(sheets),
            tuple(ats),
            tuple(read_card(card, f"/cards/{i}") for i, card in enumerate(cards)) if isinstance(cards, list) else None,
            tuple(map(str, discarded)) if isinstance(discarded, list) else None,
            state["round"] if type(state.get("round")) is int else None,
            state["stage"] if type(state.get("stage")) is int else None,
            told,
        )
        for p, sheet in enumerate(sheets):
            if sheet is not None:
                self.looks[p].append(look)
                self.gates.update(sheet.gates)
        return reading

    def judged(self, turn: Turn) -> Turn:
        """A turn without the breaches that hang on places which no look has shown."""
        if not turn.breaks:
            return turn
        who = range(len(self.names)) if turn.who is None else (self.names.index(turn.who),)
        places = [(key, [None] if key in MIDDLE else who) for key in HANG]
        unseen = [key for key, whose in places if any((p, key) not in self.shown for p in whose)]
        return turn.without({rule for key in unseen for rule in HANG[key]})

    def card(self, letter: str | None) -> ExplorationCard | None:
        """The card of a letter, as looks have shown it; None where its piece was in none."""
        card = read_card(self.pieces.get(letter or "", {}), "/cards")
        return card if card.piece else None

    def read_before(self, p: int, cell: Cell, true: str, look: Look) -> tuple[float, tuple[tuple[Look, Fix], ...]]:
        """What it costs to believe that a known cell is `true`, as a look shows it, and which looks were wrong then."""
        cost, wrong, drawn = 0.0, [], true == BLANK
        for before in self.looks[p]:
            shown = before.read.sheets[p].map[cell[0]][cell[1]]
            drawn = drawn or shown != BLANK  # looks before it was drawn were right
            if drawn and before.number < look.number and shown not in (true, UNKNOWN):
                fix = self.fix(p, cell, true, before)
                cost += before.price(*fix)
                wrong.append((before, fix))
        return cost or NEVER, tuple(wrong)

    def fix(self, p: int, cell: Cell, true: str, look: Look) -> Fix:
        """What a look would show wrongly if a cell is `true`."""
        r, c = cell
        return Fix(f"{look.read.ats[p]}/map/{r}/{c}", look.read.sheets[p].map[r][c], true)

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


def claimed_walls(rules: InTheRuinGame, sheet: Sheet, seen: Sheet, chained: bool = True) -> Marks:
    """R9: the walls that what was declared since makes of blank cells, and those left out before where they are seen.

    `chained`: also those of letters that came and were declared between two looks, where a wall is seen.
    """
    declared = declared_since(sheet, seen)
    cells = {cell for one in declared if (cell := rules.letters.get(one))}
    if chained:  # the look before may have shown the first of them
        new = {cell for one, cell in rules.letters.items() if one not in (*sheet.destinations, *seen.destinations)}
        new = new if declared else new & rules.gates
        cells |= {cell for cell in new if seen.map[cell[0]][cell[1]] == WALL}
    cells = (cells - sheet.left) | {(r, c) for r, c in sheet.left if seen.map[r][c] == WALL}
    return {cell: WALL for cell in cells if sheet.map[cell[0]][cell[1]] == BLANK and cell not in seen.gates}
