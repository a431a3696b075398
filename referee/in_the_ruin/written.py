"""Explain the new marks on one sheet: as turns, or as cells that were read wrongly.

A sheet never loses a mark, so that a known cell that is read otherwise was read wrongly; new marks are the piece on the
round's card, or one wall.
"""

from collections.abc import Iterator, Sequence
from itertools import combinations, islice
from typing import Final, NamedTuple

from referee.in_the_ruin.actions import SEVERAL, SPECIAL, action_of, oddness, only_ticks
from referee.in_the_ruin.game import InTheRuinGame, claimed_walls
from referee.in_the_ruin.maps import around, has_square, is_adrift, is_filled, shapes, spots
from referee.in_the_ruin.rounds import off_each_round
from referee.in_the_ruin.tables import (
    BLANK,
    MARKS,
    MIDDLE,
    NOTHING,
    ONE_WALL,
    PASSAGE,
    SIZE,
    WALL,
    Cell,
    ExplorationCard,
    Marks,
    Reading,
    Sheet,
    Slot,
    Table,
    with_marks,
)
from referee.looks import MISREAD, PARTLY, SLIP, UNKNOWN, Fix, Look

MOST_WRONG: Final = 3
"""Cells of one turn that are read again together, at most."""
MOST_ROUNDS: Final = 3
"""Rounds that no look separates, at most, whose turns are told apart."""
WAYS_A_SHEET: Final = 4
"""Explanations of a look, and of one sheet, that are followed."""
FURTHER_CELL: Final = 0.5
"""It came after the turn seemed to be over."""
SURE: Final = 0.8
"""A new mark that was sure was read wrongly, as its shape alone says; or a doubtful one, as nothing says."""
REVISED: Final = 1.4
"""An earlier look was wrong, though nobody thought so then."""
DRAWN_THERE: Final = 2.0
"""Where a mark was seen that was none, one was drawn next."""
LEFT_BLANK: Final = 0.5
"""The wall of a letter that was declared is not drawn; it breaks R9 when the round ends so."""
MISSED: Final = 0.55
"""The first look missed a mark that it was sure is none: hardly less likely than a slip in the first turn."""
TWO: Final = 2
"""Rounds: the one that is over, and the next."""
SKIPPED: Final = 3.0
"""A player drew nothing in a round."""


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
    left: frozenset[Cell] = frozenset()
    """Cells of declared letters that are left blank."""
    lent: float = 0.0
    """What of the cost is that of a rule that half a turn will break."""


def ways_to_see(
    rules: InTheRuinGame, table: Table, p: int, seen: Sheet, rounds: int | None, look: Look
) -> Iterator[Written]:
    """The likeliest ways to see what is new on a player's sheet; known cells are what they were."""
    sheet = table.sheets[p]
    at = f"{look.read.ats[p]}/map"
    new, changed = new_and_changed(sheet, seen)
    fixes = [Fix(f"{at}/{r}/{c}", is_, sheet.map[r][c]) for (r, c), is_ in changed.items()]
    cost = sum(look.price(*fix) for fix in fixes)
    walls = claimed_walls(rules, sheet, seen, chained=False)
    more_walls = claimed_walls(rules, sheet, seen)
    before = [one for one in rules.looks[p] if one.number < look.number]
    gone = []
    for (r, c), mark in sheet.begun if before else ():
        if seen.map[r][c] != mark:  # what had been begun has gone
            gone.append((before[-1], rules.fix(p, (r, c), seen.map[r][c], before[-1])))
            cost += before[-1].price(*gone[-1][1])
    slots = _slots(rules, table, p, rounds, look.read)
    found = []
    with_walls = new.keys() & walls.keys()
    options = [walls, *([{}] if with_walls and slots else []), *([more_walls] if more_walls != walls else [])]
    drawn_walls = {cell: WALL for cell in walls if new.get(cell) == WALL}
    if drawn_walls != walls and table.start:
        options.append(drawn_walls)
    for taken in options:
        left = walls.keys() - taken.keys() if taken is drawn_walls else frozenset()
        drawn = {cell: mark for cell, mark in new.items() if cell not in taken}
        more = [Fix(f"{at}/{r}/{c}", new.get((r, c), BLANK), WALL) for r, c in taken if new.get((r, c)) != WALL]
        extra = sum(look.price(fix.at, fix.read, fix.true) for fix in more)
        for way in _split(sheet, drawn, slots, seen, look, at, walls=taken if rounds else NOTHING):
            whole = way._replace(
                cost=cost + extra + way.cost + LEFT_BLANK * len(left),
                left=(sheet.left | left).difference(taken),
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
        for fix, (cell, true) in zip(fixes, changed.items(), strict=True):
            others = tuple(one for one in fixes if one is not fix)
            for way in _drawn_now(rules, p, sheet, (cell, true), drawn, slots, seen, look):
                whole = way._replace(cost=cost - look.price(*fix) + extra + way.cost, wrong=(*gone, *way.wrong))
                found.append(whole._replace(fixes=(*others, *more, *way.fixes)))
        # what the first look missed was drawn when the sheet was set up; ticks that have gone it does not explain (R16)
        at_first = not sheet.last and len(before) == 1
        at_first = at_first and seen.gems >= sheet.gems and seen.penalties >= sheet.penalties
        further = any(action_of(drawn, slot.card, 0)[1] for slot in slots[-1:])  # R6: it lay there, or nobody paid
        for cell in drawn if at_first or _missed(sheet, p, before) else ():
            fix = rules.fix(p, cell, drawn[cell], before[-1])
            if fix.read == BLANK and (at_first or sheet.odd or before[-1].flagged(fix.at)):
                rest = {one: mark for one, mark in drawn.items() if one != cell}
                for way in _split(with_marks(sheet, {cell: drawn[cell]}), rest, slots, seen, look, at):
                    found.append(
                        way._replace(
                            cost=cost
                            + extra
                            + way.cost
                            + before[-1].price(*fix)
                            + MISSED * (at_first and not further and not before[-1].flagged(fix.at))
                            + REVISED * (not at_first and not before[-1].flagged(fix.at)),
                            fixes=(*fixes, *more, *way.fixes),
                            revised=((cell, drawn[cell]),),
                            wrong=(*gone, (before[-1], fix)),
                        )
                    )
    found.sort(key=lambda way: way.cost + way.slip)
    yield from found[:WAYS_A_SHEET]
    # where one cell is too few, each of those beside it may have been missed
    yield from islice(filter(_lies_so, found[WAYS_A_SHEET:]), 1)


def _lies_so(way: Written) -> bool:
    """Whether it is a turn of the round that is over, and nothing was read wrongly."""
    return bool(way.drawn) and not (way.drawn[-1][0].late or way.fixes or way.revised or way.partly)


def new_and_changed(sheet: Sheet, seen: Sheet) -> tuple[Marks, Marks]:
    """What a look shows on blank cells of a sheet, and on known ones otherwise than they are."""
    new: Marks = {}
    changed: Marks = {}
    for r, (known, shown) in enumerate(zip(sheet.map, seen.map, strict=True)):
        for c, (was, is_) in enumerate(zip(known, shown, strict=True)) if known != shown else ():
            if was not in (is_, BLANK):
                changed[r, c] = is_
            elif is_ not in (was, UNKNOWN):
                new[r, c] = is_
    return new, changed


def _drawn_now(
    rules: InTheRuinGame,
    p: int,
    sheet: Sheet,
    mark: tuple[Cell, str],
    drawn: Marks,
    slots: Sequence[Slot],
    seen: Sheet,
    look: Look,
) -> Iterator[Written]:
    """A cell that was known as another mark: it was blank when that was seen, and is drawn only now."""
    cell, true = mark
    if true in (BLANK, UNKNOWN):
        return
    earlier, wrong = rules.read_before(p, cell, BLANK, look)
    if earlier >= 2 * MISREAD:
        return
    cost = earlier + DRAWN_THERE + (0.0 if all(one.flagged(bad.at) for one, bad in wrong) else REVISED)
    at = f"{look.read.ats[p]}/map"
    for way in _split(with_marks(sheet, {cell: BLANK}), {**drawn, cell: true}, slots, seen, look, at):
        yield way._replace(cost=way.cost + cost, revised=((cell, BLANK), *way.revised), wrong=wrong)


def _seen_late(
    rules: InTheRuinGame, p: int, sheet: Sheet, way: Written, before: Sequence[Look]
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
    action = action_of(drawn, slot.card, ticks)[0]
    shape = (slot.again and len(drawn) > 1) or (slot.card is not None and action is None)
    alone = is_adrift(sheet.map, drawn, action is None and slot.card is None)
    return Written(cost, ((slot, drawn),), fixes, slip=SLIP * (shape + alone + _makes_square(sheet, drawn)))


def _makes_square(sheet: Sheet, drawn: Marks) -> bool:
    """R5: whether these marks make a square of passages."""
    return PASSAGE in drawn.values() and has_square(with_marks(sheet, drawn).map, drawn)


def _slots(rules: InTheRuinGame, table: Table, p: int, rounds: int | None, read: Reading) -> list[Slot]:
    """The turns that a player may have had since the last look."""
    sheet = table.sheets[p]
    if sheet.escaped is not None:
        return []
    if rounds is None:
        begins = max(table.round, sheet.last + 1)
        return [Slot(begins, read.told or table.card(begins), False)]
    now = table.round + rounds
    gone = {table.round + i: off[0] for i, off in enumerate(off_each_round(table, read, rounds) or ())}
    shown = {n: letter for n, letter in table.shown if letter != UNKNOWN}
    cards = gone | shown  # in whichever order they were put away, a look showed the round's card
    if read.cards:  # where its own card has gone already, the row says another one
        cards.setdefault(now, read.cards[0].letter)
    begun = sheet.last + 1 if sheet.last else min(dict(table.shown), default=now)
    first = max(begun, now - MOST_ROUNDS)
    slots = [
        Slot(n, rules.card(cards.get(n)), n == now, had=n < table.since)
        for n in range(first, now + (bool(read.cards) or not rounds))
    ]
    if first > begun and len(slots) > 1:  # so many are not told apart
        slots[0] = slots[0]._replace(card=None)
    return slots


def ways_at_first(seen: Sheet, look: Look, at: str) -> Iterator[Written]:
    """The first look of a sheet, with one of its doubtful marks read again."""
    cells = [(r, c) for r in range(SIZE) for c in range(SIZE) if look.flagged(f"{at}/{r}/{c}")]
    if PASSAGE not in (middle := seen.map[MIDDLE[0]][MIDDLE[1]]) and any(WALL in row for row in seen.map):  # R1
        fix = Fix(f"{at}/{MIDDLE[0]}/{MIDDLE[1]}", middle, PASSAGE)
        yield Written(-look.price(*fix), (), (fix,), revised=((MIDDLE, PASSAGE),))
    for r, c in cells[:MOST_WRONG]:
        for mark in sorted(MARKS - {seen.map[r][c]}):
            fix = Fix(f"{at}/{r}/{c}", seen.map[r][c], mark)
            if look.named(fix.at, mark):
                yield Written(look.price(*fix), (), (fix,), revised=(((r, c), mark),))


def _split(
    sheet: Sheet,
    drawn: Marks,
    slots: Sequence[Slot],
    seen: Sheet,
    look: Look,
    at: str,
    later: bool = False,
    walls: Marks = NOTHING,
) -> Iterator[Written]:
    """New marks as the turns that may have made them; `later`: turns of this look went before.

    `walls` of declared letters (R9): each may have been there from the second turn on.
    """
    ticks = seen.penalties - sheet.penalties
    pawn = not later and _has_walked(sheet, seen)
    if not slots:
        yield _misread(drawn, {}, look, at)
        if len(drawn) == 1 and ticks <= 0 and sheet.escaped is None:  # R6: one cell more, in a turn that seemed over
            yield Written(FURTHER_CELL, (), revised=tuple(drawn.items()))
        elif drawn:
            yield _turned(sheet, Slot(sheet.last, None, False, True), drawn, ticks, SEVERAL)
        return
    if not drawn and ticks <= 0:
        yield Written(0.0, (), partly=pawn and len(slots) == 1 and slots[0].card is not None and sheet.pawn is not None)
    elif len(slots) > 1 and any(slot.card is None for slot in slots):
        yield from _merged(sheet, drawn, slots, ticks, look, at)
        yield from _one(sheet, drawn, slots[-1], ticks, pawn, look, at)
        return
    elif len(slots) > 1:
        for true, way in _doubted(sheet, drawn, look, at):
            for found in _apart(sheet, true, slots, seen, look, at, walls):
                yield found._replace(cost=found.cost + way.cost, fixes=(*way.fixes, *found.fixes))
        for way in _split(with_marks(sheet, walls), drawn, slots[1:], seen, look, at, walls=walls):
            yield way._replace(cost=way.cost + SKIPPED * (not slots[0].had))
        if len(slots) == TWO and drawn and not any(_inside(drawn, slots[0].card, ticks)):
            yield from _first_misread(sheet, drawn, slots, ticks, pawn, look, at)
        return
    else:
        yield from _one(with_marks(sheet, walls) if slots[0].late else sheet, drawn, slots[0], ticks, pawn, look, at)
    if drawn and len(drawn) <= 2 and ticks <= 0 and not pawn:
        yield _misread(drawn, {}, look, at)


def _has_walked(sheet: Sheet, seen: Sheet) -> bool:
    """Whether the pawn moved, so that all of the turn was drawn; a pawn that no look shows is none that moved."""
    moved = None not in (sheet.pawn, seen.pawn) and sheet.pawn != seen.pawn
    return moved or sheet.escaped != seen.escaped


def _doubted(sheet: Sheet, drawn: Marks, look: Look, at: str) -> Iterator[tuple[Marks, Written]]:
    """New marks as they lie, and with one of the doubtful cells on or beside them read as each other mark."""
    yield drawn, Written(0.0, ())
    near = {one for cell in drawn for one in (cell, *around(cell))}
    cells = [(r, c) for r, c in sorted(near) if look.flagged(f"{at}/{r}/{c}") and not is_filled(sheet.map, (r, c))]
    for cell in cells[:MOST_WRONG]:
        for mark in sorted(MARKS - {drawn.get(cell, BLANK)}):
            true = {one: kind for one, kind in {**drawn, cell: mark}.items() if kind != BLANK}
            yield true, _misread(drawn, true, look, at)


def _apart(
    sheet: Sheet, drawn: Marks, slots: Sequence[Slot], seen: Sheet, look: Look, at: str, walls: Marks
) -> Iterator[Written]:
    """New marks as turns of several rounds, each with its card."""
    ticks = seen.penalties - sheet.penalties
    for cells, mark, action in _inside(drawn, slots[0].card, ticks):
        part = dict.fromkeys(cells, mark)
        rest = {cell: one for cell, one in drawn.items() if cell not in part}
        made = sheet.penalties + (action == "C")
        after = with_marks(sheet, walls | part)._replace(penalties=made, last=slots[0].round)
        joined = any(is_filled(sheet.map, near) for cell in cells for near in around(cell))
        if joined and len(rest) == 1 and ticks <= 0:  # one cell more, rather than the next round's first
            yield Written(SPECIAL, ((slots[0], {**part, **rest}),))
        for way in _split(after, rest, slots[1:], seen, look, at, later=True, walls=walls):
            if joined:
                yield way._replace(drawn=((slots[0], part), *way.drawn))


def _first_misread(
    sheet: Sheet, drawn: Marks, slots: Sequence[Slot], ticks: int, pawn: bool, look: Look, at: str
) -> Iterator[Written]:
    """New marks as the turn of the round that is over, a cell of it misread; perhaps with the next one beside it."""
    for way in _one(sheet, drawn, slots[0], ticks, pawn, look, at):
        if not way.partly:
            yield way
    for cells, mark, action in _inside(drawn, slots[1].card, ticks):
        rest = {cell: one for cell, one in drawn.items() if cell not in cells}
        for way in _one(sheet, rest, slots[0], ticks - (action == "C"), False, look, at) if rest else ():
            if way.drawn and not way.partly:
                yield way._replace(drawn=(*way.drawn, (slots[1], dict.fromkeys(cells, mark))))


def _merged(sheet: Sheet, drawn: Marks, slots: Sequence[Slot], ticks: int, look: Look, at: str) -> Iterator[Written]:
    """The marks of several rounds as one line, since no look shows all their cards; also without a doubtful one. What
    belongs to the last round may still be to come.
    """
    for slot in [one._replace(card=None, many=True) for one in slots[-TWO:]]:
        yield _turned(sheet, slot, drawn, ticks, SEVERAL)
        for cell in drawn if len(drawn) > 1 else ():
            if look.flagged(f"{at}/{cell[0]}/{cell[1]}"):
                rest = {one: mark for one, mark in drawn.items() if one != cell}
                way = _misread(drawn, rest, look, at)
                yield _turned(sheet, slot, rest, ticks, way.cost + SEVERAL, way.fixes)


def _misread(drawn: Marks, true: Marks, look: Look, at: str) -> Written:
    """The reading where other marks are what was drawn."""
    shown = look.state["players"][int(at.split("/")[2])]["map"]
    fixes = [
        Fix(f"{at}/{r}/{c}", shown[r][c], true.get((r, c), BLANK))
        for r, c in sorted(drawn.keys() | true.keys())
        if drawn.get((r, c)) != true.get((r, c))
    ]
    return Written(sum(look.price(*fix) for fix in fixes), (), tuple(fixes))


def _inside(drawn: Marks, card: ExplorationCard | None, ticks: int) -> Iterator[tuple[list[Cell], str, str]]:
    """The ways in which a card's piece, or one wall, lies in marks of several rounds."""
    for mark, action in ((PASSAGE, "A"), (WALL, "B")):
        cells = {cell for cell, one in drawn.items() if one == mark}
        for shape in shapes(card.piece) if card is not None else ():
            first = min(shape)
            for r, c in cells:
                there = {(r + a - first[0], c + b - first[1]) for a, b in shape}
                if there <= cells:
                    yield sorted(there), mark, action
    if ticks > 0:
        for cell, mark in drawn.items():
            if mark == WALL:
                yield [cell], WALL, "C"


def _one(sheet: Sheet, drawn: Marks, slot: Slot, ticks: int, pawn: bool, look: Look, at: str) -> Iterator[Written]:
    """New marks as one turn: as they lie, half of it, or some of them read again."""
    card = slot.card
    if only_ticks(sheet.map, drawn, ticks):
        yield Written(0.0, ((slot, drawn),))
        return
    action, special = action_of(drawn, card, ticks)
    odd = oddness(drawn, card, ticks)
    yield _turned(sheet, slot, drawn, ticks, odd)
    if card is not None and action is not None and not special and not _makes_square(sheet, drawn):
        return
    if card is not None and ticks <= 0 and not pawn:
        yield from _begun(sheet, card, drawn, look, at)
    if card is None:
        yield from _of_no_card(sheet, drawn, slot, ticks, look, at)
        return
    wall = ticks > 0
    for mark, some in ((PASSAGE, card), (WALL, card), (WALL, ONE_WALL)):
        for cells in spots(sheet, some, drawn) if some is not ONE_WALL or wall else ():
            true = dict.fromkeys(cells, mark)
            wrong = [c for c in drawn.keys() | true.keys() if drawn.get(c) != true.get(c)]
            if len(wrong) > MOST_WRONG:
                continue
            if mark == PASSAGE and has_square(with_marks(sheet, true).map, true):
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


def _of_no_card(sheet: Sheet, drawn: Marks, slot: Slot, ticks: int, look: Look, at: str) -> Iterator[Written]:
    """New marks as one turn whose card no look shows, one of them read again: doubtful, alone, or in a square."""
    odd = oddness(drawn, None, ticks)
    known = {cell for cell in drawn if look.flagged(f"{at}/{cell[0]}/{cell[1]}")}
    lone = [cell for cell in drawn if odd and oddness({k: m for k, m in drawn.items() if k != cell}, None, ticks) == 0]
    from_ = drawn or [(r, c) for r in range(SIZE) for c in range(SIZE) if is_filled(sheet.map, (r, c))]
    near = {one for cell in from_ for one in around(cell) if min(one) >= 0 and max(one) < SIZE}
    near = {one for one in near if not is_filled(sheet.map, one) and look.flagged(f"{at}/{one[0]}/{one[1]}")}
    circles = {cell for cell, mark in drawn.items() if mark == PASSAGE}
    square = {cell for cell in circles if has_square(with_marks(sheet, drawn).map, [cell])}
    for cell in sorted({*known, *lone, *near, *square}):
        for mark in sorted(MARKS - {drawn.get(cell, BLANK)}):
            true = {k: m for k, m in {**drawn, cell: mark}.items() if m != BLANK}
            better = oddness(true, None, ticks)
            if true and (cell not in lone or better < odd):
                way = _misread(drawn, true, look, at)
                needless = SURE if better >= odd else 0.0
                yield _turned(sheet, slot, true, ticks, way.cost + better + needless, way.fixes)


def _begun(sheet: Sheet, card: ExplorationCard, drawn: Marks, look: Look, at: str) -> Iterator[Written]:
    """New marks as half of a turn: as they lie, without one of them, perhaps a doubtful one too, or without some that
    are doubtful.
    """
    doubtful = [cell for cell in drawn if look.flagged(f"{at}/{cell[0]}/{cell[1]}")][:MOST_WRONG]
    several = (some for n in range(2, MOST_WRONG + 1) for some in combinations(doubtful, n))
    pairs = ((cell, other) for cell in drawn if cell not in doubtful for other in doubtful)
    for without in ((), *((cell,) for cell in drawn), *several, *pairs):
        rest = {cell: mark for cell, mark in drawn.items() if cell not in without}
        kinds = set(rest.values())
        if not 0 < len(rest) < len(card.piece) or len(kinds) > 1:
            continue
        alone = not without and len(rest) == 1 and kinds == {WALL}  # the tick of C comes after its wall
        if alone or any(rest.keys() <= set(spot) for spot in spots(sheet, card, rest)):
            later = 0.0
        elif any(rest.keys() <= set(spot) for spot in spots(sheet, card, rest, beside=False)):
            later = SLIP  # R4, when it is whole
        else:
            continue
        way = _misread(drawn, rest, look, at)
        cost = way.cost + _reread(way, look) + PARTLY + later
        yield way._replace(cost=cost, partly=True, begun=tuple(sorted(rest.items())), lent=later)


def _reread(way: Written, look: Look) -> float:
    """What it costs besides that a sure reading of a new mark was wrong: the shape alone says so."""
    return 0.0 if all(look.flagged(fix.at) for fix in way.fixes) else SURE
