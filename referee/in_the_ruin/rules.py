"""Legal turns of In the Ruin, and what may be seen after them."""

from collections.abc import Iterable, Iterator
from typing import Any, Final

from referee.in_the_ruin.actions import only_ticks
from referee.in_the_ruin.game import InTheRuinGame
from referee.in_the_ruin.lines import written_turn
from referee.in_the_ruin.maps import spots
from referee.in_the_ruin.rounds import begun
from referee.in_the_ruin.search import explained
from referee.in_the_ruin.tables import (
    BLANK,
    NOTHING,
    ONE_WALL,
    PASSAGE,
    UNSEEN,
    WALL,
    Cell,
    Reading,
    Slot,
    Table,
    with_marks,
    with_sheet,
)
from referee.in_the_ruin.written import ways_at_first
from referee.looks import SLIP, UNKNOWN, Fit, Fix, Look
from referee.tidying import ANY
from referee.turns import Explanation, Start, Turn

LAST_STAGE: Final = 2
HANDS: Final = {"pawn": 2, "cards": ANY, "discarded": ANY, "gates": 1, "goals": 2}
"""Things of each place that may be gone in the midst of the game; a pawn's are its row and column."""


class InTheRuin(InTheRuinGame):
    """In the Ruin between given players, or alone."""

    hands = HANDS
    amends = True
    together = True
    lasting = True

    def start(self, look: Look) -> Iterator[Start]:
        """What may lie there when the first look shows this."""
        read: Reading = look.read
        cards, now = read.cards or (), read.round or 1
        shown = ((now, cards[0].letter if cards else UNKNOWN),)
        table = Table(
            tuple(sheet or UNSEEN for sheet in read.sheets),
            cards,
            read.discarded or (),
            now,
            read.stage or 1,
            shown=shown,
            told=None if read.told is None else (now, read.told),
            start=begun(read, at_first=True),
            since=now + (now > 1),
        )
        yield Start(0.0, table)
        for p, sheet in enumerate(read.sheets):
            for way in ways_at_first(sheet, look, f"{read.ats[p]}/map") if sheet is not None else ():
                yield Start(way.cost, with_sheet(table, p, with_marks(table.sheets[p], dict(way.revised))), way.fixes)

    def expected(self, table: Table) -> int | None:
        """Who alone has not had this round's turn; None where several have not, or all have."""
        left = [p for p in range(len(table.sheets)) if p not in table.wrote]
        return left[0] if len(left) == 1 else None

    def over(self, table: Table) -> bool:
        """R15."""
        if all(sheet.escaped is not None for sheet in table.sheets):
            return True
        return table.stage >= LAST_STAGE and not table.cards and not table.wrote and table.turns > 0

    def explain(self, table: Table, look: Look, wide: bool) -> Iterable[Explanation]:
        """How this table may have become what the look shows."""
        return explained(self, table, look)

    def finish(self, table: Table, look: Look) -> Explanation | None:
        """A sheet that is half drawn says nothing more."""
        return None

    def key(self, table: Table) -> Any:
        """Everything that lies there."""
        return table

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

    def legal(self, table: Table) -> Iterator[Turn]:
        """What each player who has not had this round's turn may draw (R3 to R5), without steps and special actions."""
        card = self.card(table.cards[0].letter) if table.cards else table.card(table.due)
        if card is None:
            return
        for p, sheet in enumerate(table.sheets):
            if sheet.last >= table.due or sheet.escaped is not None:
                continue
            for action, mark, piece in (("A", PASSAGE, card), ("B", WALL, card), ("C", WALL, ONE_WALL)):
                for cells in spots(sheet, piece):
                    marks = dict.fromkeys(cells, mark)
                    seen = sheet._replace(penalties=sheet.penalties + (action == "C"))
                    turn = written_turn(self, table, p, seen, marks, Slot(table.due, card, False))
                    if not turn.breaks:
                        yield turn
            if only_ticks(sheet.map, NOTHING, 1):
                seen = sheet._replace(penalties=sheet.penalties + 1)
                yield written_turn(self, table, p, seen, NOTHING, Slot(table.due, card, False))

    def because(self, table: Table, look: Look, fix: Fix) -> tuple[list[str], list[str]]:
        """R2 for what was drawn before, R3 for a new mark."""
        return ["R2" if fix.read == BLANK else "R3"], []
