"""In the Ruin: what was done wrongly is told once, of whoever did it; what was misread is told of nobody."""

import pytest

from referee import follow
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


def test_a_square_of_long_ago_is_no_slip_of_who_draws_elsewhere():
    """The truth that games are measured by."""
    sheet = Sheet()
    sheet.map = dict.fromkeys([(0, 0), (0, 1), (1, 0), (1, 1)], "o")
    assert [sheet.square(cells) for cells in ([(5, 5)], [(0, 2)], [(0, 2), (1, 2)])] == [False, False, True]
