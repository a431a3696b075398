"""In the Ruin from one photo a round: what was drawn in each, by whom, and what broke a rule."""

import pytest

from companion.cases.log_words import Log
from companion.cases.sheet_game import play_log, sheet_log
from referee import follow

START = ((5, 5, "o"), (5, 6, "#"))
ADDED = [{"kind": "add-player", "player": one, "name": one.upper()} for one in "ab"]
PIECE = ((4, 5, "o"), (3, 5, "o"))
WALL = (6, 5, "#")
APART = ((9, 9, "o"), (9, 10, "o"))
MUCH = tuple((8, col, "#") for col in range(11))


def read(player, *marks, penalties=0, stage="end", start=START):
    rows = [["."] * 11 for _ in range(11)]
    for row, col, mark in (*start, *marks):
        rows[row][col] = mark
    reading = {
        "map": ["".join(row) for row in rows], "doubtful": [], "gates": [], "destinations": ["A"],
        "ticks": {"gems": 0, "penalties": penalties}, "confidence": 1.0,
    }  # fmt: skip
    return {"kind": "read", "player": player, "stage": stage, "photo": "p", "size": [9, 9], "reading": reading}


def cell(row, col, value, player="a"):
    return {"kind": "cell", "player": player, "stage": "end", "row": row, "col": col, "value": value}


def log(*edits):
    return sheet_log("sheet", [*ADDED, *edits], {"A": (0, 0)})


@pytest.mark.parametrize(
    ("edits", "sentences"),
    [
        ([read("a")], []),
        ([read("a"), read("a", *PIECE)], ["1. a draws 2 passages"]),
        (
            [read("a"), read("b"), read("a", *PIECE), read("b", WALL, penalties=1), read("a", *PIECE, (2, 5, "#"))],
            ["1. a draws 2 passages", "2. b draws one wall and a penalty tick", "3. a draws 1 wall"],
        ),
        (
            [read("a"), read("a", *APART)],
            ["1. a draws 2 passages – against the rules: beside what was filled before"],
        ),
        (
            [read("a"), read("a", (4, 5, "o"), (4, 4, "o"), (5, 4, "o"))],
            ["1. a draws 3 passages – against the rules: no square of 2×2 passages"],
        ),
        ([read("a"), read("a", *PIECE, *MUCH)], ["1. a draws 13 cells"]),
        ([read("a"), read("b", *PIECE)], []),  # its first photo: what was drawn before is not known
        ([read("a"), read("a", *PIECE), cell(3, 5, ".")], ["1. a draws 1 passage"]),
        ([read("a"), read("a", *PIECE), cell(3, 5, "."), {"kind": "undo", "edit": 4}], ["1. a draws 2 passages"]),
    ],
)  # fmt: skip
def test_each_photo_tells_what_was_drawn_since_the_last_one(edits, sentences):
    assert [Log("en", "in-the-ruin").sentence(move) for move in log(*edits).moves] == sentences


NONE = {"kind": "no-move", "n": None}


@pytest.mark.parametrize(
    ("edits", "cells"),
    [
        ([read("a"), read("a", *PIECE), NONE], []),
        ([read("a"), read("a", *PIECE), NONE, {"kind": "undo", "edit": 4}], [2]),
        (
            [read("a"), read("a", *PIECE), read("a", *PIECE, WALL), {**NONE, "n": 2}],
            [3],
        ),  # then its mark was part of the first
    ],
)
def test_a_move_that_was_none_is_taken_back(edits, cells):
    assert [len(move["cells"]) for move in log(*edits).moves] == cells


BLANK = ((5, 5, "o"),)
CIRCLES, WALLS = (*BLANK, (5, 4, "o")), ((5, 6, "#"), (6, 6, "#"))


@pytest.mark.parametrize(
    "sheets",
    [
        (BLANK, (*CIRCLES, *WALLS), (*CIRCLES, *WALLS, *PIECE)),
        (BLANK, CIRCLES, (*CIRCLES, *WALLS), (*CIRCLES, *WALLS, *PIECE)),
        (CIRCLES, (*CIRCLES, *WALLS), (*CIRCLES, *WALLS, *PIECE)),
    ],
)
def test_a_sheet_is_set_up_before_the_first_turn(sheets):
    made = log(*(read("a", start=sheet) for sheet in sheets))
    assert [Log("en", "in-the-ruin").sentence(move) for move in made.moves] == ["1. a draws 2 passages"]


def card(round_, piece):
    return {"kind": "piece", "round": round_, "piece": piece}


LONG = (*PIECE, (3, 4, "o"), (3, 3, "o"))
ONE_WALL = "draws one wall and a penalty tick: −9"
ROW = tuple((5, c, "o") for c in range(2, 6))  # set up: the gate is three steps from the entrance


def claimed(edit):
    made = edit["reading"] | {"ticks": {"gems": 1, "penalties": 0}, "gates": [[5, 2]], "destinations": []}
    return {**edit, "reading": made}


@pytest.mark.parametrize(
    ("edits", "breaks"),
    [
        ([read("a"), read("a", *PIECE), card(1, "##")], [[]]),
        ([card(1, "##"), read("a"), read("a", *PIECE)], [[]]),
        ([read("a"), read("a", *PIECE, (3, 4, "o")), card(1, "###")], [["R3"]]),
        ([read("a"), read("a", *PIECE, (3, 4, "o")), card(1, "###"), card(1, "##/#.")], [[]]),
        ([read("a"), read("a", *PIECE, (3, 4, "o")), card(1, "###"), card(1, None)], [[]]),
        ([read("a"), read("a", *PIECE, (3, 4, "o")), card(1, "###"), {"kind": "undo", "edit": 4}], [[]]),
        # of each round its own card, of both players the same one
        ([read("a"), read("b"), read("a", *PIECE), read("b", *LONG), card(1, "##")], [[], ["R3"]]),
        ([read("a"), read("a", *PIECE), read("a", *PIECE, (2, 5, "#"), (1, 5, "o")), card(2, "##")], [[], ["R3"]]),
        ([read("a", start=BLANK), read("a", start=(*ROW, *WALLS)), claimed(read("a", *PIECE, start=(*ROW, *WALLS))),
          card(1, "##")], [["R7"]]),
        ([read("a", start=BLANK), read("a", start=(*ROW, *WALLS)),
          claimed(read("a", *PIECE, (3, 4, "o"), start=(*ROW, *WALLS))), card(1, "##/#.")], [[]]),
    ],
)  # fmt: skip
def test_turns_are_judged_by_the_piece_that_people_say_was_drawn(edits, breaks):
    letters = {"A": (5, 2)}
    assert [move["breaks"] for move in sheet_log("sheet", [*ADDED, *edits], letters).moves] == breaks


@pytest.mark.parametrize(
    ("edits", "legal"),
    [
        ([read("a")], []),
        ([read("a"), card(1, "###")], ["draws 3 passages: +3", "draws 3 walls: +3", ONE_WALL]),
        ([read("a"), read("a", *PIECE), card(1, "##")], []),
        ([read("a"), read("b"), read("a", *PIECE), card(1, "##")],
         ["draws 2 passages: +2", "draws 2 walls: +2", ONE_WALL]),
    ],
)  # fmt: skip
def test_what_is_legal_is_told_before_a_round_is_drawn(edits, legal):
    assert Log("en", "in-the-ruin").legal(log(*edits).last.legal) == legal


def test_half_of_a_piece_is_owed():
    made = log(read("a"), read("a", *PIECE), card(1, "###"))
    assert (made.moves, [owed["who"] for owed in made.last.owed]) == ([], ["a"])


def test_a_turn_of_which_nothing_was_seen_is_told_as_that():
    move = {"line": "move", "n": 3, "who": "a", "move": "write", "action": "?", "cells": [], "what": []}
    assert Log("en", "in-the-ruin").sentence(move) == "3. a draws nothing that was seen"


def test_what_lies_between_several_rounds_is_no_slip():
    made = log(read("a"), read("a", *PIECE, *MUCH))
    assert ([move["legal"] for move in made.moves], made.slips) == (["?"], [])


def test_a_mark_that_vanished_was_read_wrongly():
    made = log(read("a", *PIECE), read("a", PIECE[0]), read("a", *PIECE))
    assert not made.moves
    assert [(fix["at"], fix["read"], fix["is"]) for fix in made.last.corrected] == [("/players/0/map/3/5", ".", "o")]
    (said,) = Log("en", "in-the-ruin", {"p": "Aki"}).corrected(
        [*made.last.corrected, {**made.last.corrected[0], "at": "/players/0/map/3/6"}]
    )
    assert "map of Aki: row 4 columns 6–7: read as blank, it is passage" in said


def test_a_mark_that_stays_away_was_none_and_the_move_is_told_anew():
    """One look too many showed it: it is put right there, in the log too, and in no look since."""
    beside = (*PIECE, (3, 6, "#"))
    made = log(read("a"), read("a", *beside), read("a", *PIECE), read("a", *PIECE))
    assert [Log("en", "in-the-ruin").sentence(move) for move in made.moves] == ["1. a draws 2 passages"]
    lines = follow(made.game.lines)
    fixes = [(line["look"], line["at"], line["read"], line["is"]) for line in lines if line["line"] == "corrected"]
    assert fixes == [(1, "/players/0/map/3/6", "#", ".")]


def test_a_move_lights_its_cells_and_the_game_is_read_again():
    made = log(read("a"), read("a", *PIECE))
    assert set(made.lit()[0][1].now) >= {"/players/0/map/4/5", "/players/0/map/3/5"}
    moves = [line for line in follow(made.game.lines) if line["line"] == "move"]
    assert [move["cells"] for move in moves] == [made.moves[0]["cells"]]


def test_a_play_is_followed_once_after_each_edit_whoever_asks() -> None:
    edits, letters = [*ADDED], {"A": (0, 0)}
    log = play_log("0123", "sheet", edits, letters)
    assert play_log("0123", "sheet", [*edits], {**letters}) is log
    assert play_log("4567", "sheet", edits, letters) is not log
    assert play_log("0123", "sheet", edits, {"A": (0, 1)}) is not log
    assert play_log("0123", "sheet", [*edits, {"kind": "undo", "edit": 0}], letters) is not log
