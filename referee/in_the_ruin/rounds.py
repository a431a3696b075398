"""What a round's end shows that was done wrongly: declaring, ticks, gates and walls, goal cards, cards off the row.

All that is judged here is only written down: it is told when a further look shows the same.
"""

from collections.abc import Iterator, Mapping, Set
from typing import Final

from referee.in_the_ruin.game import InTheRuinGame
from referee.in_the_ruin.maps import is_filled
from referee.in_the_ruin.tables import BLANK, PASSAGE, WALL, Cell, Reading, Sheet, Table
from referee.turns import Renewal, Turn

DRAWN: Final = frozenset(("R3", "R4", "R5", "R6"))
"""Rules that hang on what is drawn alone, which may turn out to have been misread."""
HAND: Final = 5
"""Goal cards that a player has at most."""


def broken_by(
    before: Sheet, seen: Sheet, stage: int, specials: int | None, claims: bool, gates_seen: bool
) -> list[str]:
    """What a player's turn breaks besides its marks and its way: goal cards for special actions, ticks, the escape.

    `specials`: how many there were, None where they are those of several turns.
    """
    breaks = ["R6"] if specials is not None and owes_goals(specials, paid_in(before, seen, claims)) else []
    if escapes_early(before, seen, stage):
        breaks.append("R14")
    unearned = gates_seen and seen.gems > len(seen.gates) and before.gems <= len(before.gates)
    if seen.penalties < before.penalties or seen.gems < before.gems or unearned:
        breaks.append("R16")
    return breaks


def escapes_early(before: Sheet, seen: Sheet, stage: int) -> bool:
    """R14: whether a player has left in the first stage."""
    return stage == 1 and seen.escaped is not None and before.escaped is None


def pays(before: Sheet, seen: Sheet | None) -> bool:
    """Whether a player has a goal card fewer than before."""
    return seen is not None and before.goals is not None and seen.goals is not None and seen.goals < before.goals


def paid_in(before: Sheet, seen: Sheet, claims: bool) -> int | None:
    """How many goal cards a turn with a special action paid; None where nobody counted them."""
    if before.goals is None or seen.goals is None:
        return None
    return before.goals + (claims and before.goals - 1 < HAND) - seen.goals


def owes_goals(specials: int, paid: int | None) -> bool:
    """R6: whether so many special actions were not paid for, or more than one was."""
    return paid is not None and ((specials > 0 and paid < 1) or (specials > 1 and paid > 1))


def off_each_round(table: Table, read: Reading, rounds: int) -> list[list[str]] | None:
    """The cards that went off in each round that passed, its own one first; None where that is not known.

    Known is how many go off where no letter was declared: its own card, and one for each who has escaped (R12).
    """
    off = list(read.discarded or ())[len(table.discarded) :]
    if not rounds or read.discarded is None or read.discarded[: len(table.discarded)] != table.discarded:
        return None
    out = [sum(one is not None and one.escaped is not None for one in sheets) for sheets in (table.sheets, read.sheets)]
    many = 1 + (out[0] if table.stage > 1 else 0)
    groups = [off[i : i + many] for i in range(0, len(off), many)]
    known = out[0] == out[1] and len(groups) == rounds and (len(groups[-1]) == many or not read.cards)
    return groups if known else None


def broken_cards(letters: Mapping[str, Cell], table: Table, read: Reading, off: list[str]) -> list[str]:
    """R10 to R13: which cards went off the row at a round's end, and whether its stage was over."""
    if not table.start or read.round != table.round + 1:
        return []
    declared = declared_in(table, read)
    if read.stage is not None and read.stage > table.stage:
        row = [card.letter for card in table.cards]
        ended = len(row) <= _most_off(letters, table, read, row, declared)
        return [] if ended else ["R10" if declared else "R13"]
    if not read.cards or read.discarded is None:
        return ["R13"] if not read.cards and table.stage == 1 and read.stage == 1 else []
    out = sum(sheet.escaped is not None for sheet in table.sheets) if table.stage > 1 else 0
    right = 1 + len(declared) + out <= len(off) <= _most_off(letters, table, read, off, declared) + out
    if right and table.cards[0].letter in off:
        return []
    return ["R11" if table.cards[0].letter not in off else "R12" if out and not declared else "R10"]


def _most_off(letters: Mapping[str, Cell], table: Table, read: Reading, off: list[str], declared: set[str]) -> int:
    """How many of these cards may have gone off, without those for who has escaped: letters that came with them may
    have been declared at once. Where one was, its cell is filled on all sheets (R9)."""
    here = [sheet for sheet in read.sheets if sheet is not None and sheet.escaped is None]
    known = {one for sheet in (*table.start, *here) for one in sheet.destinations}
    new = [letters.get(one) for one in off[1:] if one not in known] if declared else []
    return 1 + len(declared) + sum(one is None or all(is_filled(sheet.map, one) for sheet in here) for one in new)


def declared_in(table: Table, read: Reading) -> set[str]:
    """The letters that were declared in the round that is over."""
    sheets = [{*sheet.destinations} for sheet in table.start if sheet.escaped is None]
    before = set.intersection(*sheets) if sheets else set()
    here = [sheet for sheet in read.sheets if sheet is not None and sheet.escaped is None]
    return {one for one in before if here and any(one not in sheet.destinations for sheet in here)}


def broken_sheets(rules: InTheRuinGame, table: Table, read: Reading, gone_on: Set[int]) -> Renewal | None:
    """R8, R9, R16: the turns of this round whose players did not declare, tick, or draw what was declared.

    Of who has `gone_on` to the next round in the same look nobody knows more than where the pawn stood before.
    """
    if not table.start or read.round != table.round + 1:
        return None
    declared = declared_in(table, read)
    wrong = {}
    for p, sheet in enumerate(read.sheets):
        wrote = table.sheets[p]
        if sheet is None or sheet.escaped is not None or wrote.escaped is not None:
            continue
        if p in gone_on:
            if wrote.last >= table.round and _stands_there(rules.letters, table.start[p], sheet, wrote.pawn):
                wrong[rules.names[p]] = ["R8"]
        else:
            breaks = [*_broken_sheet(rules.letters, table.start[p], sheet, declared)]
            breaks += ["R16"] * (sheet.penalties < wrote.penalties or sheet.gems < wrote.gems)
            if breaks:
                wrong[rules.names[p]] = breaks[:1]
    if not wrong:
        return None

    def judged(turn: Turn) -> Turn:
        more = wrong.get(turn.who or "", ()) if turn.move == "write" and turn.round == table.round else ()
        if not more or not DRAWN.issuperset(turn.breaks):
            return turn
        return rules.judged(turn._replace(breaks=(*turn.breaks, *more), legal=False, plain=False))

    return Renewal(judged, (), frozenset())


def _stands_there(letters: Mapping[str, Cell], start: Sheet, sheet: Sheet, pawn: Cell | None) -> bool:
    """R8: whether the pawn came to a letter in this round that is a destination still."""
    there = [one for one in sheet.destinations if pawn is not None and letters.get(one) == pawn]
    return any(start.pawn != pawn or one not in start.destinations for one in there)


def _broken_sheet(letters: Mapping[str, Cell], start: Sheet, sheet: Sheet, declared: set[str]) -> Iterator[str]:
    """What one sheet shows after a round in which these letters were declared."""
    ticks = sheet.gems - start.gems
    if _stands_there(letters, start, sheet, sheet.pawn):
        yield "R8"
    if sheet.pawn is not None:
        mine = [one for one in declared if letters.get(one) == sheet.pawn]
        if (mine and not ticks) or (ticks > 0 and sheet.pawn not in sheet.gates):
            yield "R8"
    if ticks > 1:
        yield "R8"
    for one in declared:
        cell = letters.get(one)
        if cell is None:
            continue
        mark = sheet.map[cell[0]][cell[1]]
        if one in sheet.destinations:
            yield "R16"
        elif mark == BLANK or (mark == PASSAGE and cell not in sheet.gates) or (mark == WALL and cell in sheet.gates):
            yield "R9"


def begun(read: Reading, at_first: bool = False) -> tuple[Sheet, ...]:
    """The sheets as a round begins, where the look shows all of them; `at_first`: unless they are still set up."""
    sheets = tuple(sheet for sheet in read.sheets if sheet is not None)
    known = len(sheets) == len(read.sheets) and bool(read.cards)
    return sheets if known and (not at_first or all(sheet.destinations for sheet in sheets)) else ()
