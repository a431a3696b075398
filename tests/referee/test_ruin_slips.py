"""In the Ruin: what was done wrongly is told once, of whoever did it; what was misread is told of nobody."""

from random import Random

import pytest
from standing_log import standing_moves

from referee import follow
from training.synth.games.cases import KINDS
from training.synth.games.ruin import Sheet

MAP = ((5, 5, "o"), (5, 4, "#"))
DREW = (*MAP, (5, 6, "o"), (5, 7, "o"))
MORE = (*DREW, (6, 5, "#"), (7, 5, "#"))
LONG = (*DREW, (6, 5, "#"), (7, 5, "#"), (8, 5, "#"))
LONG_PIECE = (*DREW, (5, 8, "o"))
TWO, THREE = ["##"], ["###"]
PIECES = dict.fromkeys("ABDEFG", TWO) | {"C": THREE, "H": ["####"]}


def table(row, off, now, *sheets, stage=1):
    """A look: the row from its far end, the cards that went off, the round; each player's marks and what differs."""
    players = []
    for name, (marks, more) in zip("AB", sheets, strict=False):
        rows = [["."] * 11 for _ in range(11)]
        for r, c, mark in marks:
            rows[r][c] = mark
        lay = {"destinations": ["X", "Y"], "gates": [], "gems": 0, "penalties": 2, "pawn": [5, 5], "goals": 2}
        players.append({"name": name, "map": ["".join(line) for line in rows], "escaped": None, **lay, **more})
    cards = [{"letter": letter, "cells": sum(map(len, PIECES[letter])), "piece": PIECES[letter]} for letter in row]
    letters = {"X": [0, 0], "Y": [0, 10]} | {letter: [10, c] for c, letter in enumerate(PIECES)}
    state = {"letters": letters, "round": now, "stage": stage, "cards": cards, "discarded": list(off)}
    return {"game": "in-the-ruin", **state, "players": players}


def told(states, flags=None):
    """The slips of some looks: who, the rules; and the cells of each turn in the final log."""
    slips, log = [], []
    lines = [{"time": n, "state": one, "doubtful": (flags or {}).get(n, [])} for n, one in enumerate(states)]
    for line in follow(lines):
        if line["line"] == "slip":
            slips.append((line["who"], line["breaks"]))
        elif line["line"] == "replaced":
            del log[line["from"] - 1 :]
        elif line["line"] == "move":
            log.append(sorted(map(tuple, line.get("cells", []))))
    return slips, [cells for cells in log if cells]


X = {"destinations": ["Y"], "gates": [[0, 0]], "gems": 1, "pawn": [0, 0]}
"""X was declared by who stood there."""
FAR = (*MAP, (0, 0, "o"), (0, 1, "o"))
OUT = (MAP, {"escaped": 1, "pawn": None})


@pytest.mark.parametrize(
    ("start", "end", "slips"),
    [
        (table("ABC", "", 1, (MAP, {})), table("BCD", "A", 2, (DREW, {})), []),
        (table("ABC", "", 1, (MAP, {})), table("ACD", "B", 2, (DREW, {})), [(None, ["R11"])]),
        (table("ABC", "E", 4, (MAP, {})), table("ACD", "EB", 5, (DREW, {})), [(None, ["R11"])]),
        # with a letter declared two cards go off, in whichever order they are put on the pile
        (table("ABC", "", 1, (FAR, {"pawn": [0, 1]})), table("CDE", "AB", 2, ((*FAR, *DREW), X)), []),
        (table("ABC", "", 1, (FAR, {"pawn": [0, 1]})), table("CDE", "BA", 2, ((*FAR, *DREW), X)), []),
        (table("ABC", "", 1, (FAR, {"pawn": [0, 1]})), table("BCD", "A", 2, ((*FAR, *DREW), X)), [(None, ["R10"])]),
        # one has escaped: a card more goes off for each of them (R12), where nothing was declared
        (table("ABC", "", 9, (MAP, {}), OUT, stage=2), table("CDE", "AB", 10, (DREW, {}), OUT, stage=2), []),
        (
            table("ABC", "", 9, (MAP, {}), OUT, stage=2),
            table("BCD", "A", 10, (DREW, {}), OUT, stage=2),
            [(None, ["R12"])],
        ),
        # the first stage ends when no card lies in the row, not before
        (table("A", "", 9, (MAP, {})), table("CDE", "", 10, (DREW, {}), stage=2), []),
        (table("AB", "", 9, (MAP, {})), table("CDE", "", 10, (DREW, {}), stage=2), [(None, ["R13"])]),
        (table("AB", "", 9, (FAR, {"pawn": [0, 1]})), table("CDE", "", 10, ((*FAR, *DREW), X), stage=2), []),
        (
            table("ABG", "", 9, (FAR, {"pawn": [0, 1]})),
            table("CDE", "", 10, ((*FAR, *DREW), X), stage=2),
            [(None, ["R10"])],
        ),
        (table("A", "BC", 9, (MAP, {})), table("", "BCA", 10, (DREW, {})), [(None, ["R13"])]),
        (table("A", "BC", 9, (MAP, {}), stage=2), table("", "BCA", 10, (DREW, {}), stage=2), []),
        # with one out and a letter declared: its own, one for the letter, one for who has escaped
        (
            table("ABC", "", 9, (FAR, {"pawn": [0, 1]}), OUT, stage=2),
            table("DEF", "ABC", 10, ((*FAR, *DREW), X), OUT, stage=2),
            [],
        ),
        (
            table("ABC", "", 9, (FAR, {"pawn": [0, 1]}), OUT, stage=2),
            table("BCD", "A", 10, ((*FAR, *DREW), X), OUT, stage=2),
            [(None, ["R10"])],
        ),
        (table("ABC", "", 9, OUT, OUT, stage=2), table("DEF", "ABC", 10, OUT, OUT, stage=2), []),
        # the letter of the card that came with X's was not declared: its cell is blank
        (
            table("ABC", "", 1, (FAR, {"pawn": [0, 1]})),
            table("DEF", "ABC", 2, ((*FAR, *DREW), X)),
            [(None, ["R10"])],
        ),
        # the pile was sorted, or lies out of sight
        (table("ABC", "EF", 3, (MAP, {})), table("BCD", "FEA", 4, (DREW, {})), []),
        (table("ABC", "EF", 3, (MAP, {})), table("ACD", "FEB", 4, (DREW, {})), [(None, ["R11"])]),
    ],
)
def test_so_many_cards_go_off_at_a_rounds_end_its_own_one_among_them(start, end, slips):
    assert told([start, end, end])[0] == slips


DECLARED = {"destinations": ["Y"]}


def test_a_wall_that_a_player_left_out_is_no_misread_one():
    """A declares X. B, for whom X is no passage, draws no wall there: R9 of B, told once, and no cell is put right."""
    states = [
        table("ABC", "", 1, (FAR, {"pawn": [0, 1]}), (MAP, {})),
        table("ABC", "", 1, ((*FAR, *DREW), {"pawn": [0, 0]}), (DREW, {})),
        *[table("CDE", "AB", 2, ((*FAR, *DREW), X), (DREW, DECLARED))] * 4,
    ]
    out = list(follow([{"time": n, "state": one} for n, one in enumerate(states)]))
    assert [(line["who"], line["breaks"]) for line in out if line["line"] == "slip"] == [("B", ["R9"])]
    assert [line["at"] for line in out if line["line"] == "corrected"] == []


@pytest.mark.parametrize("begun", [(), ((4, 5, "#"),)])
@pytest.mark.parametrize(
    ("end", "slips"),
    [
        ((X, "CDE", "AB"), []),
        # stands on X and says nothing; says it, and makes no tick
        (({"pawn": [0, 0]}, "BCD", "A"), [("A", ["R8"])]),
        (({**X, "gems": 0}, "CDE", "AB"), [("A", ["R8"])]),
    ],
)
def test_who_stands_on_a_destination_declares_it_though_the_next_turn_has_begun(begun, end, slips):
    """`begun`: half of the next turn is drawn in the look that shows the round's end."""
    last, row, off = end
    states = [
        table("ABC", "", 1, (FAR, {"pawn": [0, 1]})),
        table("ABC", "", 1, ((*FAR, *DREW), {"pawn": [0, 0]})),
        table(row, off, 2, ((*FAR, *DREW, *begun), last)),
    ]
    further = (*FAR, *DREW, (4, 5, "#"), (3, 5, "#")) + (((2, 5, "#"),) if row == "CDE" else ())
    assert told([*states, *[table(row, off, 2, (further, last))] * 3])[0] == slips


@pytest.mark.parametrize(("goals", "slips"), [(1, []), (2, [("A", ["R6"])])])
def test_a_cell_that_came_after_the_piece_is_of_the_same_turn(goals, slips):
    """One cell more beside what is filled, for a goal card (R6)."""
    states = [table("ABC", "", 1, (marks, {})) for marks in (MAP, DREW)]
    states += [table("ABC", "", 1, ((*DREW, (6, 5, "#")), {"goals": goals}))] * 3
    assert told(states) == (slips, [[(5, 6), (5, 7), (6, 5)]])


def test_who_has_escaped_draws_no_further_cell():
    """A mark that a look shows on the sheet of who escaped was misread, and is no part of a turn long ago."""
    states = [table("ABC", "", 9, (MAP, {}), (DREW, {}), stage=2)]
    states += [table("ABC", "", 9, (MAP, {}), (MORE, {"escaped": 9, "pawn": None}), stage=2)] * 2
    odd = table("ABC", "", 9, (MAP, {}), ((*MORE, (5, 3, "#")), {"escaped": 9, "pawn": None}), stage=2)
    assert told([*states, odd, *states[1:], states[-1]]) == ([], [[(6, 5), (7, 5)]])


def test_marks_that_have_gone_were_misread_and_break_nothing():
    """Sheets are never erased: the one that was no mark cannot have been drawn wrongly and put right."""
    odd = [one for one in DREW if one != (5, 7, "o")] + [(5, 7, "#"), (4, 9, "#")]
    states = [table("ABC", "", 1, (marks, {})) for marks in (MAP, odd, DREW, DREW, DREW)]
    assert told(states, {1: ["/players/0/map/5/7"]}) == ([], [[(5, 6), (5, 7)]])


def test_a_tick_rubbed_out_when_the_round_ends_is_told_once():
    rubbed, two = {"penalties": 1}, (*MAP, (4, 5, "#"), (3, 5, "#"))
    states = [
        table("GAB", "", 1, (MAP, {})),
        table("ABC", "G", 2, (two, {})),
        table("ABC", "G", 2, ((*two, *DREW), {})),
        table("BCD", "GA", 3, ((*two, *DREW), rubbed)),
        table("BCD", "GA", 3, ((*two, *MORE), rubbed)),
        *[table("CDE", "GAB", 4, ((*two, *MORE), rubbed))] * 3,
    ]
    assert told(states)[0] == [("A", ["R16"])]


def test_where_somebody_has_escaped_two_rounds_between_two_looks_are_two_turns():
    """A second card goes off in each round (R12): the second round's own card is the third one, of three cells."""
    states = [
        table("ABC", "", 8, (MAP, {}), OUT, stage=2),
        *[table("EFG", "ABCD", 10, (LONG, {}), OUT, stage=2)] * 3,
    ]
    assert told(states) == ([], [[(5, 6), (5, 7)], [(6, 5), (7, 5), (8, 5)]])


def test_an_escape_in_the_first_stage_is_told_though_two_rounds_lie_between_two_looks():
    out = {"escaped": 2, "pawn": None}
    away = {"pawn": [5, 6]}
    states = [table("ABC", "", 1, (DREW, away), (DREW, {}))]
    states += [table("CDE", "AB", 3, ((*MORE, (8, 5, "#"), (9, 5, "#")), out), (MORE, {}))] * 3
    assert ("A", ["R14"]) in told(states)[0]


def test_a_doubtful_mark_beside_a_cell_that_was_not_paid_for_is_no_further_slip():
    cell, other = (6, 5, "#"), (5, 3, "#")
    states = [table("ABC", "", 1, (marks, {})) for marks in (MAP, MAP, (*DREW, cell), (*DREW, cell, other))]
    states += [table("ABC", "", 1, ((*DREW, cell), {}))] * 3
    slips, log = told(states, {3: ["/players/0/map/5/3"]})
    assert (slips, log) == ([("A", ["R6"])], [[(5, 6), (5, 7), (6, 5)]])


def test_a_cell_that_the_first_look_missed_is_no_slip_of_the_first_turn():
    """Nobody paid for a cell more (R6): it lay there when the sheet was set up, for all that one look can say."""
    wall = (4, 5, "#")
    states = [table("ABC", "", 1, (marks, {})) for marks in (MAP, (*MAP, wall, (5, 6, "o")), (*DREW, wall))]
    assert [who for who, _ in told([*states, *states[-1:] * 7])[0] if who] == []


@pytest.mark.parametrize("missed", [False, True])
def test_a_piece_is_of_the_round_that_is_over_though_a_cell_of_it_was_missed(missed):
    """The row has gone on in the look that first shows the piece."""
    seen = tuple(one for one in LONG_PIECE if not missed or one != (5, 7, "o"))
    states = [table("CAB", "", 1, (MAP, {}))] * 2 + [table("ABD", "C", 2, (seen, {}))]
    states += [table("ABD", "C", 2, ((*LONG_PIECE, (6, 5, "#"), (7, 5, "#")), {}))] * 3
    assert told(states) == ([], [[(5, 6), (5, 7), (5, 8)], [(6, 5), (7, 5)]])


def photos(*maps):
    """Photos of one sheet, a round each, without cards; and what is corrected in which of them."""
    looks = []
    for n, marks in enumerate(maps):
        state = table("", "", 1, (marks, {}))
        looks.append({"time": n, "state": {key: state[key] for key in ("game", "letters", "players")}})
    out = list(follow(looks))
    fixed = [(line["look"], line["at"][-3:], line["is"]) for line in out if line["line"] == "corrected"]
    log = []
    for line in out:
        if line["line"] == "replaced":
            del log[line["from"] - 1 :]
        elif line["line"] == "move":
            log.append(sorted(map(tuple, line["cells"])))
    return fixed, log, [line["who"] for line in out if line["line"] == "slip"]


BEGINS = (*MORE, (4, 4, "#"), (3, 4, "#"))
PIECE = ((5, 8, "#"), (5, 9, "#"), (6, 9, "#"))
NEXT = ((4, 3, "o"), (4, 2, "o"))


@pytest.mark.parametrize("cell", PIECE)
def test_a_mark_read_as_the_other_kind_in_its_own_photo_is_put_right_there(cell):
    """Photos before it was drawn show it blank, and were right."""
    r, c, _ = cell
    odd = [(r, c, "o") if one == cell else one for one in PIECE]
    maps = [MAP, DREW, MORE, BEGINS, (*BEGINS, *odd), *[(*BEGINS, *PIECE, *NEXT)] * 3]
    turns = [DREW[2:], MORE[4:], BEGINS[6:], PIECE, NEXT]
    assert photos(*maps) == ([(4, f"{r}/{c}", "#")], [sorted(one[:2] for one in turn) for turn in turns], [])


def test_where_a_mark_was_seen_that_was_none_a_wall_may_be_drawn_next():
    """The circle beside the first piece was nothing: A drew a wall there in the next round, and made the tick."""
    wall = (6, 5, "#")
    states = [
        table("ABC", "", 1, (MAP, {})),
        table("ABC", "", 1, ((*DREW, (6, 5, "o"), (6, 4, "o")), {})),
        *[table("BCD", "A", 2, ((*DREW, wall), {"penalties": 3}))] * 4,
    ]
    assert told(states)[1] == [[(5, 6), (5, 7)], [(6, 5)]]


ISLAND = tuple((0, c, "o") for c in range(4))
BESIDE, LOWER = (4, 5, "#"), (9, 9, "o")


@pytest.mark.parametrize(
    ("looks", "flags", "slips", "turns"),
    [
        # half of a piece that lies beside nothing: not until it is whole, and R4 alone
        ((ISLAND[:3], ISLAND), (), [("A", ["R4"])], [[(0, 0), (0, 1), (0, 2), (0, 3)]]),
        # a cell that was none lies beside the map: R6 would hide R4, if the next look did not show it
        (((*ISLAND, BESIDE), ISLAND), (), [("A", ["R4"])], [[(0, 0), (0, 1), (0, 2), (0, 3)]]),
        # half of a turn, and two doubtful marks that were none
        (((LONG[4], BESIDE, LOWER), LONG[4:]), ("4/5", "9/9"), [], [[(6, 5), (7, 5), (8, 5)]]),
    ],
)
def test_what_half_a_turn_looks_like_is_no_slip_yet(looks, flags, slips, turns):
    base = MAP if slips else DREW
    row = "HAB" if slips else "CAB"
    states = [table(row, "", 1, ((*base, *marks), {})) for marks in ((), (), *looks)]
    states += [states[-1]] * 3
    assert told(states, {2: [f"/players/0/map/{at}" for at in flags]}) == (slips, turns)


def test_the_round_before_the_first_card_that_is_seen_was_one():
    """Which piece it had nobody knows: what was drawn in both is one line, and no slip."""
    states = [table("", "", 1, (MAP, {})), *[table("A", "", 2, (LONG_PIECE, {}))] * 4]
    assert told(states) == ([], [[(5, 6), (5, 7), (5, 8)]])


def test_a_piece_may_lie_beside_a_wall_that_was_declared_since_the_round_before():
    """B's X becomes a wall at the end of the round that no look separates: the next piece joins it."""
    walls = (*DREW, (0, 0, "#"), (0, 1, "#"), (0, 2, "#"))
    states = [
        table("ABC", "", 1, (MAP, {}), (FAR, {"pawn": [0, 1]})),
        *[table("BDE", "AC", 2, (walls, DECLARED), ((*FAR, *DREW), X))] * 4,
    ]
    assert told(states)[0] == []


def test_a_piece_may_lie_beside_a_wall_that_was_declared_before_its_round():
    """The row has gone on in the look that first shows B's wall and the piece beside it."""
    walls = (*DREW, (0, 0, "#"), (0, 1, "#"), (0, 2, "#"))
    states = [table("ABC", "", 1, (DREW[:2], {}), (FAR, {"pawn": [0, 1]}))]
    states += [table("ABC", "", 1, (DREW, {}), ((*FAR, *DREW), {"pawn": [0, 0]}))]
    states += [table("BDE", "AC", 2, (walls, DECLARED), ((*FAR, *DREW), X))] * 4
    assert told(states)[0] == []


def test_a_cell_more_beside_the_map_is_no_way_to_a_piece_that_lies_elsewhere():
    """The goal card is paid for the cell (R6), not for R4."""
    marks = (*MAP, (4, 5, "#"), (0, 0, "#"), (0, 1, "#"))
    states = [table("ABC", "", 1, (MAP, {}))] * 2 + [table("ABC", "", 1, (marks, {"goals": 1}))] * 4
    assert told(states)[0] == [("A", ["R4"])]


def test_a_right_reading_stays_while_others_are_looked_at():
    """A's second photo shows a mark that was none; the third one shows it blank: the next one of A tells."""
    odd = (*DREW, (5, 8, "o"))
    looks = [MAP, odd, DREW, MORE, MORE]
    lines = []
    for n, marks in enumerate(looks):
        state = table("", "", 1, (marks, {}), (marks[:2], {}))
        aya, ben = state["players"]
        kept = {key: state[key] for key in ("game", "letters")}
        lines.append({"time": n, "state": {**kept, "players": [aya, {"name": "B"}]}})
        lines += [{"time": n, "state": {**kept, "players": [{"name": "A"}, ben]}}] * 3
    fixed = [(line["look"], line["at"], line["is"]) for line in follow(lines) if line["line"] == "corrected"]
    assert fixed == [(4, "/players/0/map/5/8", ".")]


@pytest.mark.parametrize(("ticks", "slips"), [(1, []), (2, [("A", ["R3"])])])
def test_on_a_full_map_a_tick_is_all_of_a_turn(ticks, slips):
    full = tuple((r, c, "o" if (r, c) == (5, 5) else "#") for r in range(11) for c in range(11))
    now = (full, {"penalties": 2 + ticks})
    assert told([table("ABC", "", 1, (full, {})), *[table("ABC", "", 1, now)] * 3])[0] == slips


def test_a_square_of_long_ago_is_no_slip_of_who_draws_elsewhere():
    """The truth that games are measured by."""
    sheet = Sheet()
    sheet.map = dict.fromkeys([(0, 0), (0, 1), (1, 0), (1, 1)], "o")
    assert [sheet.square(cells) for cells in ([(5, 5)], [(0, 2)], [(0, 2), (1, 2)])] == [False, False, True]


A_ON_B = (*MAP, (10, 0, "o"), (10, 1, "o"))
"""A's pawn stands on the cell of the letter B, (10, 1), which is no destination yet."""
HERE = {"pawn": [10, 1]}
BEGIN = (
    table("ABC", "", 1, (A_ON_B, HERE), (FAR, {"pawn": [0, 1]})),
    table("ABC", "", 1, ((*A_ON_B, *DREW[2:]), HERE), ((*FAR, *DREW), {"pawn": [0, 0]})),
)
WALLED = (*A_ON_B, *DREW[2:], (0, 0, "#"))
A_SAID = {**HERE, "destinations": ["Y"], "gates": [[10, 1]], "gems": 1}


@pytest.mark.parametrize("seen", [1, 2])
@pytest.mark.parametrize(
    ("row", "off", "mine", "theirs", "slips"),
    [
        ("DEF", "ABC", A_SAID, ((*FAR, *DREW, (10, 1, "#")), {**X, "destinations": ["Y"]}), []),
        (
            "CDE", "AB", {**HERE, "destinations": ["Y", "B"]},
            ((*FAR, *DREW), {**X, "destinations": ["Y", "B"]}), [("A", ["R8"])],
        ),
    ],
    ids=["A says so", "A says nothing"],
)  # fmt: skip
def test_a_letter_that_comes_under_a_pawn_is_declared_at_once(row, off, mine, theirs, slips, seen):
    """B declared X, and the card of the letter B went off the row with A's. `seen`: looks before the round's end."""
    assert told([*BEGIN[:seen], *[table(row, off, 2, (WALLED, mine), theirs)] * 3])[0] == slips


GATED = (*MAP, (0, 0, "o"), (0, 10, "o"))
STRAIGHT = (*MAP, (6, 5, "o"), (7, 5, "o"), (8, 5, "o"))
GATES = {"gates": [[5, 5], [0, 0]]}
CELL = (6, 5, "#")


@pytest.mark.parametrize(
    ("lay", "before", "drawn", "after", "breaks"),
    [
        (GATED, GATES, DREW[2:], {"pawn": [0, 0], "goals": 1}, []),
        (GATED, GATES, DREW[2:], {"pawn": [0, 0]}, ["R6"]),
        (GATED, GATES, (*DREW[2:], CELL), {"goals": 1}, []),
        (GATED, GATES, (*DREW[2:], CELL), {}, ["R6"]),
        (GATED, {**GATES, "goals": 3}, (*DREW[2:], CELL), {"pawn": [0, 0], "goals": 1}, ["R6"]),
        (STRAIGHT, {}, DREW[2:], {"pawn": [7, 5]}, []),
        (STRAIGHT, {}, DREW[2:], {"pawn": [8, 5]}, ["R7"]),
        (STRAIGHT, {"pawn": [7, 5]}, DREW[2:], {"pawn": None, "escaped": 9}, ["R14"]),
        (STRAIGHT, {"pawn": [8, 5]}, DREW[2:], {"pawn": None, "escaped": 9}, ["R7"]),
        (STRAIGHT, {"pawn": None}, DREW[2:], {"escaped": 9}, ["R14"]),
        (MAP, {}, DREW[2:], {"gems": 1}, ["R16"]),
        (MAP, {"gems": 1, "gates": [[5, 5]]}, DREW[2:], {"gems": 0}, ["R16"]),
        (MAP, {}, DREW[2:], {"penalties": 1}, ["R16"]),
        (MAP, {}, (CELL,), {"penalties": 3}, []),
        (MAP, {}, (*DREW[2:], (5, 8, "o"), (4, 5, "#")), {}, ["R3"]),
        (MAP, {}, ((5, 6, "o"), (4, 5, "#"), (3, 5, "#"), (3, 6, "o")), {}, ["R3"]),
        (MAP, {}, ((0, 0, "#"), (0, 1, "#")), {}, ["R4"]),
        ((*MAP, (6, 5, "o")), {}, ((5, 6, "o"), (6, 6, "o")), {}, ["R5"]),
    ],
)
def test_what_a_turn_breaks(lay, before, drawn, after, breaks):
    """Two looks before it: what lies there was seen rightly."""
    start = table("ABC", "", 1, (lay, before))
    end = table("ABC", "", 1, ((*lay, *drawn), before | after))
    slips, log = told([start, start, *[end] * 3])
    assert slips == ([("A", breaks)] if breaks else [])
    assert log == [sorted(cell[:2] for cell in drawn)]


TOO_FAR, TICKED = (STRAIGHT, {"pawn": [8, 5]}), (MAP, {"penalties": 1})


@pytest.mark.parametrize(("lay", "after", "breaks"), [(*TOO_FAR, ["R7"]), (*TICKED, ["R16"]), (GATED, GATES, [])])
def test_a_turn_still_breaks_its_rule_when_a_cell_of_it_is_put_right(lay, after, breaks):
    before = GATES if after is GATES else {}
    odd = (*lay, (5, 6, "o"), (5, 7, "#"))
    states = [table("ABC", "", 1, (lay, before))] * 2 + [table("ABC", "", 1, (odd, before | after))]
    states += [table("ABC", "", 1, ((*lay, *DREW[2:]), before | after))] * 3
    slips, log = told(states, {2: ["/players/0/map/5/7"]})
    assert slips == ([("A", breaks)] if breaks else [])
    assert log == [[(5, 6), (5, 7)]]


@pytest.mark.parametrize(
    ("last", "breaks"),
    [({"gems": 0}, ["R16"]), ({"gems": 2}, ["R8"]), ({"gems": 2, "gates": [[0, 0], [5, 5]]}, ["R8"]), ({}, [])],
)
def test_gem_ticks_at_a_rounds_end(last, breaks):
    """One tick for the letter declared, and none is rubbed out."""
    first = last.get("gems") != 2
    before = X if first else {"pawn": [0, 0]}
    drew = (*FAR, *DREW, (6, 5, "#"), (7, 5, "#")) if first else (*FAR, *DREW)
    states = [table("ABC", "", 1, ((*FAR, *DREW) if first else FAR, before))] * 2
    states += [table("ABC", "", 1, (drew, before))]
    row, off = ("BCD", "A") if first else ("CDE", "AB")
    states += [table(row, off, 2, (drew, {**X, **last}))] * 3
    assert told(states)[0] == ([("A", breaks)] if breaks else [])


def unread(state, *cells):
    """The state, some cells of the first sheet not read."""
    first, *others = state["players"]
    rows = [list(row) for row in first["map"]]
    for r, c in cells:
        rows[r][c] = "?"
    return {**state, "players": [{**first, "map": ["".join(row) for row in rows]}, *others]}


@pytest.mark.parametrize(
    ("look", "cells"),
    [(1, [(5, 4)]), (1, [(5, 7)]), (2, [(5, 6)]), (2, [(6, 5)]), (3, [(5, 5), (7, 5)]), (3, [(6, 5), (7, 5)])],
)
def test_cells_that_were_not_read_are_no_slip(look, cells):
    """Known ones, and new ones, in the midst of a round and at its end: what is corrected was no mark."""
    states = [table("ABC", "", 1, (MAP, {})), table("ABC", "", 1, (DREW, {})), table("BCD", "A", 2, (DREW, {}))]
    states += [table("BCD", "A", 2, (MORE, {}))] * 3
    states[look] = unread(states[look], *cells)
    out = list(follow([{"time": n, "state": one} for n, one in enumerate(states)]))
    assert [line["who"] for line in out if line["line"] == "slip"] == []
    log = [sorted(map(tuple, line["cells"])) for line in standing_moves(out) if line["move"] == "write"]
    assert log == [[(5, 6), (5, 7)], [(6, 5), (7, 5)]]
    assert {(line["look"], line["read"]) for line in out if line["line"] == "corrected"} <= {(look, "?")}


def test_a_cell_that_was_not_read_is_corrected_from_that():
    """The row has gone on in the look that shows half of the piece: the other half is no blank cell misread."""
    states = [table("ABC", "", 1, (MAP, {})), unread(table("BCD", "A", 2, (DREW, {})), (5, 7))]
    out = follow(
        [{"time": n, "state": one} for n, one in enumerate([*states, *[table("BCD", "A", 2, (MORE, {}))] * 3])]
    )
    fixed = [(line["at"], line["read"], line["is"]) for line in out if line["line"] == "corrected"]
    assert fixed == [("/players/0/map/5/7", "?", "o")]


def photo(marks, card=None, **more):
    """A photo of one sheet without the row; `card`: somebody tapped the piece that was drawn."""
    state = table("", "", 1, (marks, more))
    state = {key: state[key] for key in ("game", "letters", "players")}
    return state if card is None else {**state, "cards": [{"cells": sum(map(len, card)), "piece": card}]}


ONE_WALL = (*MAP, (4, 5, "#"))
MIXED = (*MAP, (5, 6, "o"), (4, 5, "#"), (3, 5, "#"), (3, 6, "o"))
ISLE = (*MAP, (0, 0, "#"), (0, 1, "#"))


@pytest.mark.parametrize(
    ("looks", "slips", "turns"),
    [
        ([photo(DREW, TWO), photo(MORE, TWO)], [], [DREW[2:], MORE[4:]]),
        ([photo(DREW, THREE), photo(LONG_PIECE, THREE)], [], [LONG_PIECE[2:]]),  # half of it, in the first one
        ([photo(DREW, THREE), photo((*DREW, (4, 5, "#"), (3, 5, "#")))], ["R3"], [DREW[2:], ((4, 5), (3, 5))]),
        ([photo(ONE_WALL, THREE, penalties=3), photo((*ONE_WALL, *DREW[2:]), TWO, penalties=3)], [],
         [ONE_WALL[2:], DREW[2:]]),
        ([photo(MIXED, TWO)], ["R3"], [MIXED[2:]]),
        ([photo((*DREW, CELL), TWO, goals=1), photo((*DREW, CELL, (7, 5, "#"), (8, 5, "#")), TWO, goals=1)], [],
         [(*DREW[2:], CELL), ((7, 5), (8, 5))]),
        ([photo((*DREW, CELL), TWO), photo((*DREW, CELL, (7, 5, "#"), (8, 5, "#")), TWO)], ["R6"],
         [(*DREW[2:], CELL), ((7, 5), (8, 5))]),
    ],
)  # fmt: skip
def test_a_piece_that_somebody_tapped_is_what_is_drawn(looks, slips, turns):
    out = list(
        follow([{"time": n, "state": one} for n, one in enumerate([*[photo(MAP)] * 2, *looks, *looks[-1:] * 2])])
    )
    assert [(line["who"], line["breaks"]) for line in out if line["line"] == "slip"] == [("A", [one]) for one in slips]
    log = [sorted(map(tuple, line["cells"])) for line in standing_moves(out)]
    assert log == [sorted(cell[:2] for cell in turn) for turn in turns]


@pytest.mark.parametrize("odd", ["o", "#"])
@pytest.mark.parametrize("cells", [((5, 6),), ((4, 4), (6, 6))])
def test_a_doubtful_mark_alone_in_a_photo_was_none(odd, cells):
    marks = (*MAP, *((r, c, odd) for r, c in cells))
    lines = [{"time": n, "state": photo(one)} for n, one in enumerate([MAP, MAP, marks, MAP, MORE])]
    lines[2]["doubtful"] = [f"/players/0/map/{r}/{c}" for r, c in cells]
    out = list(follow(lines))
    assert [line["who"] for line in out if line["line"] == "slip"] == []
    assert sorted(map(tuple, standing_moves(out)[-1]["cells"])) == sorted(cell[:2] for cell in MORE[2:])


def test_a_sheet_is_set_up_in_parts():
    """First its circles, then the walls: nobody's turn (R1)."""
    circles = ((5, 5, "o"), (5, 6, "o"), (4, 6, "o"))
    walls = (*circles, (5, 4, "#"), (4, 4, "#"), (3, 4, "#"))
    drew = (*walls, (6, 5, "o"), (7, 5, "o"))
    states = [table("ABC", "", 1, (marks, {}), (MAP, {})) for marks in (circles, walls, walls, drew, drew, drew)]
    assert told(states) == ([], [[(6, 5), (7, 5)]])


def test_a_sheet_that_is_first_seen_in_the_midst_of_a_game_is_set_up():
    """More circles than two cards' pieces have: walls beside them are a turn."""
    circles = tuple((0, c, "o") for c in range(8))
    walls = ((1, 0, "#"), (2, 0, "#"))
    states = [table("ABC", "", 1, (marks, {}), (MAP, {})) for marks in (circles, circles, (*circles, *walls))]
    assert told([*states, *states[-1:] * 2]) == ([], [[(1, 0), (2, 0)]])


def test_pieces_are_known_from_an_earlier_look_where_a_later_one_shows_letters_alone():
    states = [table("ABC", "", 1, (marks, {})) for marks in (MAP, MAP, *[MIXED] * 3)]
    plain = [{**state, "cards": [{"letter": card["letter"]} for card in state["cards"]]} for state in states]
    assert told([states[0], *plain[1:]])[0] == [("A", ["R3"])]
    assert told(plain)[0] == []


@pytest.mark.parametrize(
    ("place", "marks", "rule"),
    [
        ("cards", ISLE, "R4"),
        ("penalties", (*MAP, CELL), "R3"),
        ("round", MIXED, "R3"),
        ("letters", ISLE, "R4"),
        ("destinations", ISLE, "R4"),
    ],
)
def test_a_rule_is_not_judged_where_no_look_shows_what_it_hangs_on(place, marks, rule):
    """What A draws breaks the rule, as far as the other places tell."""
    states = [table("ABC", "", 1, (MAP, {}), (MAP, {}))] * 2 + [table("ABC", "", 1, (marks, {}), (DREW, {}))]
    states += [table("BCD", "A", 2, (marks, {}), (DREW, {}))] * 3
    assert told(states)[0] == [("A", [rule])]
    kept = []
    for state in states:
        players = [{key: row[key] for key in row if key != place} for row in state["players"]]
        kept.append({key: state[key] for key in state if key != place} | {"players": players})
    assert told(kept)[0] == []


@pytest.mark.parametrize(("places", "slips"), [((), [(None, ["R12"])]), (("escaped",), []), (("stage",), [])])
def test_how_many_cards_go_off_is_judged_where_it_is_known_who_is_out(places, slips):
    lay = table("ABC", "", 9, (MAP, {}), OUT, stage=2)
    states = [lay, lay, *[table("BCD", "A", 10, (DREW, {}), OUT, stage=2)] * 3]
    for state in states:
        state["players"] = [{k: row[k] for k in row if k not in places} for row in state["players"]]
        for place in places:
            state.pop(place, None)
    assert told(states)[0] == slips


def test_who_is_out_stays_out_where_a_look_does_not_say_so():
    states = [table("ABC", "", 9, (MAP, {}), OUT, stage=2)] * 2 + [table("BCD", "A", 10, (DREW, {}), OUT, stage=2)] * 3
    for state in states[2:]:
        state["players"] = [{k: row[k] for k in row if k != "escaped"} for row in state["players"]]
    assert told(states)[0] == [(None, ["R12"])]


@pytest.mark.parametrize("kind", ["ruin", "ruin-cards"])
@pytest.mark.parametrize(
    "place",
    ["escaped", "stage", "round", "cards", "discarded", "letters", "gems", "gates", "goals", "penalties",
     "destinations"],
)  # fmt: skip
def test_no_place_that_looks_leave_out_accuses_anybody(kind, place):
    lines = [line for line in KINDS[kind](Random(f"left out {kind} 0")).shot.lines if isinstance(line, dict)]
    for line in lines:
        if isinstance(line.get("state"), dict):
            state = {key: value for key, value in line["state"].items() if key != place}
            state["players"] = [{key: row[key] for key in row if key != place} for row in state["players"]]
            line["state"] = state
    assert [(one["who"], one["breaks"]) for one in follow(lines) if one["line"] == "slip"] == []


def test_what_no_look_tells_of_the_first_stage_is_handed_on():
    state = table("ABC", "", 1, (MAP, {"first_square": 6, "first_map": ["."] * 11, "first_destinations": ["Q"]}))
    end = list(follow([{"state": state}]))[-1]["state"]["players"][0]
    assert (end["first_square"], end["first_map"], end["first_destinations"]) == (6, ["."] * 11, ["Q"])


def test_how_this_table_reads_the_book_is_handed_on():
    switches = {"charge_blocks": True, "house_rules": {"shared-escape": "after-one"}}
    end = list(follow([{"state": {**table("ABC", "", 1, (MAP, {})), **switches}}]))[-1]["state"]
    assert {key: end[key] for key in switches} == switches


@pytest.mark.parametrize(
    ("card", "marks", "slips"), [(TWO, DREW, []), (["####"], MIXED, [("A", ["R3"])]), (None, MIXED, [])]
)
def test_a_piece_that_was_tapped_before_the_first_turn_is_what_is_drawn_then(card, marks, slips):
    out = list(follow([{"time": n, "state": one} for n, one in enumerate([photo(MAP, card), *[photo(marks)] * 4])]))
    assert [(line["who"], line["breaks"]) for line in out if line["line"] == "slip"] == slips


MISSED = (*DREW[:-1], (5, 7, "#"))
HALF = (*DREW, (0, 1, "#"))
BESIDE = (*DREW, (0, 0, "#"), (0, 1, "#"))
UNDER_WAY = {
    # who had a turn of the first look's round before it nobody knows: none is owed, and no mark is one
    "a mark that the first look missed": (
        [
            table("ABC", "E", 4, (MISSED, {}), (DREW, {})),
            table("BCD", "EA", 5, (DREW, {}), (DREW, {})),
            table("BCD", "EA", 5, (MORE, {}), (DREW, {})),
            table("BCD", "EA", 5, (MORE, {}), (MORE, {})),
            *[table("CDF", "EAB", 6, (MORE, {}), (MORE, {}))] * 3,
        ],
        {0: ["/players/0/map/5/7"]},
        [[(6, 5), (7, 5)], [(6, 5), (7, 5)]],
    ),
    # R9's wall comes to B's sheet when the round ends, and in the same look B has begun to draw beside it
    "half a piece beside a wall that was declared": (
        [
            table("ABC", "E", 4, ((*FAR, *DREW[2:]), {"pawn": [0, 1]}), (DREW, {})),
            table("CDF", "EAB", 5, ((*FAR, *DREW[2:]), X), (BESIDE, {"destinations": ["Y"]})),
            *[
                table(
                    "CDF",
                    "EAB",
                    5,
                    ((*FAR, *DREW[2:]), X),
                    ((*BESIDE, (0, 2, "#"), (0, 3, "#")), {"destinations": ["Y"]}),
                )
            ]
            * 3,
        ],
        {},
        [[(0, 1), (0, 2), (0, 3)]],
    ),
}


@pytest.mark.parametrize("name", UNDER_WAY)
def test_what_a_game_under_way_shows_is_no_slip(name):
    states, flags, drawn = UNDER_WAY[name]
    assert told(states, flags) == ([], drawn)


def test_of_which_of_two_rounds_a_piece_is_is_no_question():
    """A drew before the first round's card went off, or after it: the same cells, either way."""
    first, then = table("ABC", "E", 4, (DREW, {}), (DREW, {})), table("BCD", "EA", 5, (MORE, {}), (DREW, {}))
    out = list(follow([{"time": n, "state": one} for n, one in enumerate([first, *[then] * 4])]))
    assert [line["line"] for line in out if line["line"] in ("question", "slip")] == []
    assert [line["cells"] for line in standing_moves(out) if "cells" in line] == [[[6, 5], [7, 5]]]
