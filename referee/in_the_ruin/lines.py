"""Write the log lines of In the Ruin: what a player drew, the rules it breaks, cards off the row."""

from collections.abc import Mapping, Sequence, Set
from functools import partial
from typing import Any, Final

from referee.in_the_ruin.actions import SEVERAL, SPECIAL, SPECIAL_UNSEEN, action_of, oddness, only_ticks
from referee.in_the_ruin.game import InTheRuinGame, claimed_walls
from referee.in_the_ruin.maps import in_drawing_order, in_reach, misplaced, way_of_pawn
from referee.in_the_ruin.rounds import begun, broken_by, broken_cards, off_each_round, owes_goals, paid_in, pays
from referee.in_the_ruin.tables import (
    BLANK,
    MIDDLE,
    NOTHING,
    SIZE,
    Cell,
    ExplorationCard,
    Marks,
    Reading,
    Sheet,
    Slot,
    Table,
    declared_since,
    read_over,
    with_marks,
    with_sheet,
)
from referee.in_the_ruin.written import MOST_ROUNDS, Written
from referee.looks import UNKNOWN
from referee.turns import Renewal, Turn

BESIDE: Final = ("R8", "R9", "R14", "R16")
"""Rules that hang on nothing that is drawn."""


def renewal_of(rules: InTheRuinGame, table: Table, read: Reading, ways: Mapping[int, Written]) -> Renewal | None:
    """What these ways to see the sheets make of the looks and turns before."""
    anew = [(p, cell, true, table.sheets[p].last) for p, way in ways.items() for cell, true in way.revised]
    wrong = tuple(one for way in ways.values() for one in way.wrong)
    paid = {p for p in ways if pays(table.sheets[p], read.sheets[p])}
    if not anew and not wrong:
        return None
    fixes = [(look, rules.fix(p, cell, true, look)) for p, cell, true, _ in anew for look in rules.looks[p]]
    judged = {(look.number, fix.at) for look, fix in fixes}
    right = {(look.number, fix.at, fix.true) for look, fix in fixes}
    return Renewal(partial(_drawn_anew, rules, anew, paid), wrong, judged, partial(_oddness, rules), right)


def _drawn_anew(
    rules: InTheRuinGame, anew: Sequence[tuple[int, Cell, str, int]], paid: Set[int], turn: Turn
) -> Turn | None:
    """A turn where cells of sheets are what they turned out to be; None where nothing else was drawn in it.

    `anew` are cells of players, what they are, and the round of the player's last turn, to which a mark that was not
    seen belongs; `paid`: who has a goal card fewer now.
    """
    for p, cell, true, last in anew:
        sheet = turn.table.sheets[p]
        was = sheet.map[cell[0]][cell[1]]
        if was == true or (was == BLANK and sheet.last < last):
            continue
        cards = None if sheet.paid is None else sheet.paid + (p in paid)
        sheet = with_marks(sheet, {cell: true})._replace(paid=cards)
        turn = turn._replace(table=with_sheet(turn.table, p, sheet))
        if turn.who == rules.names[p] and (was == BLANK or list(cell) in turn.fields["cells"]):
            drawn = {(r, c): mark for (r, c), mark in zip(turn.fields["cells"], turn.fields["what"], strict=True)}
            drawn = {one: mark for one, mark in {**drawn, cell: true}.items() if mark != BLANK}
            if not drawn:
                return None
            turn = _judged_anew(rules, turn, p, drawn)
    return rules.judged(turn)


def _oddness(rules: InTheRuinGame, turn: Turn) -> float:
    """What it costs to believe in the marks of a turn by their shape, besides the rules that it breaks."""
    if turn.fields.get("action") == UNKNOWN:
        card = _card_of(rules, turn)
        if "R3" not in turn.breaks:
            return SEVERAL
        return oddness(dict.fromkeys(map(tuple, turn.fields["cells"]), UNKNOWN), card, 0) if card is not None else 0.0
    if turn.fields.get("special") != "cell" or "R6" in turn.breaks:
        return 0.0
    if turn.table.sheets[rules.names.index(turn.who)].goals is not None:
        return 0.0  # a goal card fewer shows it
    return SPECIAL if turn.table.cards or turn.table.card(turn.round) else SPECIAL_UNSEEN


def _card_of(rules: InTheRuinGame, turn: Turn) -> ExplorationCard | None:
    return rules.card(dict(turn.table.shown).get(turn.round)) or turn.table.card(turn.round)


def _judged_anew(rules: InTheRuinGame, turn: Turn, p: int, drawn: Marks) -> Turn:
    """A turn of which other cells were drawn than was thought; its pawn and what it declared stay."""
    sheet, card = turn.table.sheets[p], _card_of(rules, turn)
    if turn.fields["action"] == UNKNOWN and "R3" not in turn.breaks:
        card = None  # several rounds' turns
    walls = [tuple(cell) for cell in turn.fields["walls"]]
    before = with_marks(sheet, dict.fromkeys([*drawn, *walls], BLANK))
    action, special = action_of(drawn, card, int(sheet.ticked or turn.fields["action"] == UNKNOWN))
    breaks = ["R3"] if action is None and card is not None else []
    breaks += misplaced(before.map, sheet.map, drawn, action is None and card is None)
    warp = turn.fields["special"] if turn.fields["special"] == "warp" else None
    start, end = (None if cell is None else (cell[0], cell[1]) for cell in turn.fields["pawn"])
    steps = SIZE * SIZE if card is None else card.steps
    lost = "R7" in turn.breaks and not way_of_pawn(sheet.map, start, end, sheet.gates, steps)[0]
    breaks += ["R6"] if owes_goals(special + (warp is not None), sheet.paid) and not lost else []
    breaks += [rule for rule in turn.breaks if rule in BESIDE or (rule == "R6" and rule not in breaks and not action)]
    breaks += ["R7"] * lost
    cells = in_drawing_order(before.map, drawn)
    marks = [drawn[cell] for cell in cells]
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


def written_turn(
    rules: InTheRuinGame,
    table: Table,
    p: int,
    seen: Sheet | None,
    drawn: Marks,
    slot: Slot,
    walked: int = 0,
    walls: Marks = NOTHING,
) -> Turn:
    """The line of the log for what a player wrote, and what it breaks.

    `seen` is the sheet as the look shows it, None where another turn of the player came after this one. `walked`: steps
    of turns before, that no look separates; `walls` of letters that were declared since then.
    """
    before, card = table.sheets[p], slot.card
    if seen is None:
        seen = before._replace(penalties=before.penalties + (len(drawn) == 1))
    plain = with_marks(before, drawn)
    drawn_walls = claimed_walls(rules, plain, seen)
    action, special = (None, False) if slot.many else action_of(drawn, card, seen.penalties - before.penalties)
    if only_ticks(before.map, drawn, seen.penalties - before.penalties):
        action = "C"
    special = special or (slot.again and len(drawn) == 1)
    cells = in_drawing_order(before.map, drawn)
    gates = [cell for cell in seen.gates if cell not in before.gates]
    declared = declared_since(before, seen)
    mine = seen.gems > before.gems
    breaks = []
    if (slot.again and len(drawn) > 1) or (action is None and card is not None):
        breaks.append("R3")
    breaks += misplaced(with_marks(before, walls).map, plain.map, drawn, action is None and card is None)
    chained = [one for one, cell in rules.letters.items() if cell in gates and one not in before.destinations]
    may_be = [*declared, *(one for one in chained if one not in seen.destinations)] if mine else []
    way, warped, reach = _walked(rules, before, seen, plain.map, slot, may_be, walked)
    if not way:
        breaks.append("R7")
    if way:
        specials = None if walked else special + warped
        breaks += broken_by(before, seen, table.stage, specials, mine, (p, "gates") in rules.shown)
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
        "walls": [list(cell) for cell in drawn_walls],
    }
    sheet = read_over(with_marks(plain, drawn_walls), seen)._replace(
        last=max(slot.round, before.last),
        reach=reach,
        paid=None if walked else paid_in(before, seen, mine),
        ticked=seen.penalties > before.penalties,
        odd=not {"R3", "R4"}.isdisjoint(breaks),
    )
    now = with_sheet(table, p, sheet)._replace(
        turns=table.turns + 1,
        round=table.round if table.cards else max(table.round, slot.round),
        claimed=table.claimed or bool(mine and declared),
    )
    same = (p, "write", slot.round, tuple(cells), tuple(marks))
    legal: Any = UNKNOWN if action is None and not breaks else not breaks
    return Turn(
        rules.names[p], "write", fields, tuple(breaks), now, same, table.turns + 1, slot.round, legal, not breaks
    )


def _walked(
    rules: InTheRuinGame,
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
    gates = [cell for cell in seen.gates if cell not in cells]  # a claim comes after the way
    end = MIDDLE if seen.escaped is not None and before.escaped is None else seen.pawn
    if before.pawn is not None or end is not None or steps is None:
        way, warped = way_of_pawn(map_, before.pawn, end, gates, SIZE * SIZE if steps is None else steps)
        reach = None
    else:
        way, warped, reach = True, False, before.reach and in_reach(map_, before.reach, gates, steps, warps=True)
    if end is None and cells:
        there = frozenset(cells) if reach is None else reach.intersection(cells)
        stands = there or frozenset(cells)
        if walked and steps is not None:  # declared in one of the turns before, perhaps, and gone on since
            stands |= in_reach(map_, stands, seen.gates, steps, warps=True)
        return bool(there), warped, stands
    return way, warped, reach


def _written_cell(cell: Cell | None) -> list[int] | None:
    return None if cell is None else list(cell)


def rows_between(rules: InTheRuinGame, table: Table, read: Reading, rounds: int) -> list[Reading]:
    """The rows as they lay at the end of each round that passed; where letters were declared, the last one only."""
    off = off_each_round(table, read, rounds)
    if off is None:
        return [read]
    gone = [one for group in off for one in group]
    cards = [*(rules.card(one) or ExplorationCard(one, 0, frozenset()) for one in gone), *(read.cards or ())]
    rows = []
    for i in range(1, rounds):
        n = sum(map(len, off[:i]))
        row, discarded = tuple(cards[n : n + len(table.cards)]), (*table.discarded, *gone[:n])
        rows.append(read._replace(cards=row, discarded=discarded, round=table.round + i, stage=table.stage))
    return [*rows, read]


def cards_off(rules: InTheRuinGame, table: Table, read: Reading, letters: set[str]) -> Turn:
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
        start=begun(read),
        shown=(*table.shown[-MOST_ROUNDS:], *(((now, row[0]),) if row else ())),
    )
    breaks = tuple(broken_cards(rules.letters, table, read, off))
    same = ("cards", table.round, tuple(row))
    return Turn(None, "cards", fields, breaks, after, same, table.turns + 1, table.round, not breaks, not breaks)
