"""Search the turns of all players of In the Ruin that explain the new marks, in the order of the rounds."""

from collections.abc import Mapping
from typing import Final

from referee.in_the_ruin.actions import SPECIAL
from referee.in_the_ruin.game import InTheRuinGame, claimed_walls
from referee.in_the_ruin.lines import cards_off, renewal_of, rows_between, written_turn
from referee.in_the_ruin.maps import way_of_pawn
from referee.in_the_ruin.rounds import broken_sheets, escapes_early
from referee.in_the_ruin.tables import (
    MIDDLE,
    MOST_CELLS,
    NOTHING,
    PASSAGE,
    SIZE,
    UNSEEN,
    WALL,
    Reading,
    Sheet,
    Table,
    read_over,
    with_marks,
    with_sheet,
)
from referee.in_the_ruin.written import Written, new_and_changed, ways_at_first, ways_to_see
from referee.looks import Fix, Look, breach
from referee.turns import Explanation, Owed, Renewal, Turn

WAYS: Final = 6
LATE: Final = 5.0
"""The row went on before a player's turn of that round was seen."""
PAID_FOR_NOTHING: Final = 3.0
"""A goal card is gone, and no special action is seen."""


def explained(rules: InTheRuinGame, table: Table, look: Look) -> list[Explanation]:
    """The turns of all players whose sheets are seen, and the cards that went off the row."""
    read = look.read = _with_ticks(table, look)
    rounds = _rounds(table, read)
    ways: list[tuple[float, tuple[tuple[int, Written], ...], tuple[Fix, ...]]] = [(0.0, (), ())]
    for p, seen in enumerate(read.sheets):
        if seen is None:
            continue
        if _being_set_up(table, p):
            found = [Written(0.0, ()), *ways_at_first(seen, look, f"{read.ats[p]}/map")]
        else:
            found = list(ways_to_see(rules, table, p, seen, rounds, look))
        ways = [(cost + way.cost, (*ps, (p, way)), fixes + way.fixes) for cost, ps, fixes in ways for way in found]
        ways = sorted(ways, key=lambda one: one[0] + sum(way.slip for _, way in one[1]))[:WAYS]
    return [_told(rules, table, look, rounds, dict(some), fixes, cost) for cost, some, fixes in ways]


def _with_ticks(table: Table, look: Look) -> Reading:
    """The reading with penalties as they were where the look shows none of a sheet, and one more for one wall alone."""
    read: Reading = look.read
    sheets = list(read.sheets)
    for p in look.memo.get("ticks covered", ()):
        seen, lay = read.sheets[p], table.sheets[p]
        if seen is not None:
            drawn, _ = new_and_changed(lay, seen)
            sheets[p] = seen._replace(penalties=lay.penalties + ([*drawn.values()] == [WALL]))
    return read._replace(sheets=tuple(sheets))


def _stays(table: Table, p: int, seen: Sheet | None) -> bool:
    """Whether a pawn stands where a look before showed it after the turn of the round that is over."""
    return seen is not None and table.sheets[p].last >= table.round and table.sheets[p].pawn == seen.pawn is not None


def _goes_too_far(rules: InTheRuinGame, table: Table, p: int, seen: Sheet) -> bool:
    """R7: whether the pawn of who has had a turn in this round stands where that could not bring it."""
    before, card = table.sheets[p], rules.card(dict(table.shown).get(table.round))
    if card is None or before.last < table.round:
        return False
    return not way_of_pawn(seen.map, before.pawn, seen.pawn, seen.gates, card.steps)[0]


def _payment(before: Sheet, turn: Turn, after: Sheet) -> float:
    """What the goal cards say of a special action (R6): a card fewer shows one, and one unpaid is a slip, not rare."""
    if before.goals is None or after.goals is None:
        return 0.0
    if turn.fields["special"] is None:
        return PAID_FOR_NOTHING if (after.paid or 0) > 0 else 0.0
    return -SPECIAL if turn.fields["special"] == "cell" else 0.0


def believed(rules: InTheRuinGame, table: Table, read: Reading, ways: Mapping[int, Written]) -> Reading:
    """The reading with the marks of the sheets as they are believed, walls of declared letters among them."""
    sheets = list(read.sheets)
    for p in ways:
        seen = read.sheets[p]
        if seen is not None:
            lies = with_marks(table.sheets[p], claimed_walls(rules, table.sheets[p], seen))
            sheets[p] = seen._replace(map=lies.map)
    return read._replace(sheets=tuple(sheets))


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
    if read.round is not None and (table.cards or read.cards):
        return max(read.round - table.round, 0)  # within a round cards only go off
    return int(bool(table.cards) and [c.letter for c in read.cards] != [c.letter for c in table.cards])


def _told(  # noqa: PLR0912, PLR0915 -- sheets, rounds, cards
    rules: InTheRuinGame,
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
        now = with_sheet(now, p, with_marks(sheet, dict(way.revised))._replace(begun=way.begun, left=way.left))
    if read.told is not None:
        begins = [max(now.round, now.sheets[p].last + 1) for p in ways]
        now = now._replace(told=(max(begins, default=now.due), read.told))
    if read.cards is None and read.stage is not None:
        now = now._replace(stage=read.stage)
    row = [card.letter for card in read.cards or ()]
    ahead = rounds is not None and (rounds > 0 or bool(row and not table.cards))
    owed = [Owed(rules.names[p], "marks", "R3") for p, way in ways.items() if way.partly]
    walked = dict.fromkeys(ways, 0)
    rows = rows_between(rules, table, read, rounds or 0) if ahead else []
    late: Renewal | None = None
    gone_on = {p for p, way in ways.items() if any(slot.late for slot, _ in way.drawn)}
    gone_on -= {p for p in gone_on if _stays(table, p, read.sheets[p])}
    for begun in range(len(rows) + 1):
        if begun:
            turns.append(cards_off(rules, now, rows[begun - 1], letters_before))
            known = bool(table.start) and now.round >= now.since
            cost += breach(turns[-1].breaks) + LATE * len(ways.keys() - now.wrote if known else ())
            late = broken_sheets(rules, now, believed(rules, now, read, ways), gone_on) if len(rows) == 1 else None
            now = turns[-1].table
        for p, way in ways.items():
            seen = read.sheets[p]
            for i, (slot, marks) in enumerate(way.drawn):
                after = len(rows) if slot.late else min(max(slot.round - table.round, 0), max(len(rows) - 1, 0))
                if seen is not None and after == begun:
                    last = i == len(way.drawn) - 1
                    since = walked[p] or (begun and slot.late)
                    walls = claimed_walls(rules, now.sheets[p], seen) if since else NOTHING
                    turn = written_turn(rules, now, p, seen if last else None, marks, slot, walked[p], walls)
                    cost += breach(turn.breaks)
                    cost += _payment(now.sheets[p], turn, turn.table.sheets[p]) if last and not walked[p] else 0.0
                    walked[p] += slot.card.steps if slot.card is not None else SIZE * SIZE
                    turns.append(turn)
                    now = turn.table
    for p, seen in enumerate(read.sheets):
        if seen is None or ways[p].drawn:
            continue
        walls = claimed_walls(rules, now.sheets[p], seen)
        if table.sheets[p] != UNSEEN:  # it belongs to a turn that is told already: gone back over, that breaks a rule
            cost += breach(("R14",)) * escapes_early(now.sheets[p], seen, now.stage)
            cost += breach(("R7",)) * (not rows and not ways[p].partly and _goes_too_far(rules, now, p, seen))
        if not ways[p].partly:
            now = with_sheet(now, p, read_over(with_marks(now.sheets[p], walls), seen))
        elif rows:  # what is half drawn may lie beside them (R4)
            drawn = {(r, c): mark for (r, c), mark in walls.items() if seen.map[r][c] == mark}
            now = with_sheet(now, p, with_marks(now.sheets[p], drawn))
    if turns:  # what was ticked and declared besides lies there too, for the next look
        turns[-1] = turns[-1]._replace(table=now)
    if not ahead and now.claimed and len(now.wrote) == len(now.sheets):
        owed.append(Owed(None, "cards off the row", "R10"))
    held, lent = any(way.partly for way in ways.values()), sum(way.lent for way in ways.values())
    settled = None if turns or now == table else now
    renewal = renewal_of(rules, table, read, ways)
    if late is not None:  # lines of the round that is over, told before or in this look
        again = [late.turn(turn) or turn for turn in turns]
        cost += sum(breach(now.breaks) - breach(turn.breaks) for turn, now in zip(turns, again, strict=True))
        turns = again
        renewal = late if renewal is None else late.after(renewal)
    turns = [*map(rules.judged, turns)]
    return Explanation(cost, tuple(turns), fixes, tuple(owed), held, table=settled, lent=lent, renewal=renewal)
