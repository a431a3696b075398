"""Edits fold into a play, a play into a state, lines lead back to the sheets."""

from __future__ import annotations

from contextlib import nullcontext, suppress
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.cases.sheet import play_case, play_state
from companion.games.in_the_ruin.edits import BY_A_PERSON, EditError, apply, can_be_undone, check, fold
from companion.log import HOST, redoable, undoable
from scoring import score_state

LETTERS = {"A": (0, 0), "B": (0, 3), "C": (10, 10)}
BLANK = ["." * 11] * 11
LINE = ["oooo.......", *BLANK[1:]]


def reading(rows: list[str], **more: Any) -> dict[str, Any]:
    found = {"map": rows, "doubtful": [], "destinations": [], "gates": [], "ticks": {"gems": 0, "penalties": 0}}
    return {"kind": "read", "player": "p", "stage": "end", "photo": "x", "size": [1, 1], "reading": {**found, **more}}


PLAYER = {"kind": "add-player", "player": "p", "name": "Aya"}


def cell(row: int, col: int, value: str | None) -> dict[str, Any]:
    return {"kind": "cell", "player": "p", "stage": "end", "row": row, "col": col, "value": value}


def said(kind: str, **more: Any) -> dict[str, Any]:
    return {"kind": kind, "player": "p"} | more


def judged(*letters: list[Any]) -> dict[str, Any]:
    return said("letters", stage="end", letters=list(letters))


def sums(*numbers: int | None, doubtful: int | None = None) -> dict[str, Any]:
    return {"written": [{"number": n, "confidence": 0.99, "doubtful": i == doubtful} for i, n in enumerate(numbers)]}


CASES = [
    ("the first square is the one written down", [reading(LINE, **sums(21, 4, 0, 0, 0, 5))], {"first_square": 21}),
    (
        "a person's goes before it",
        [reading(LINE, **sums(21, 4, 0, 0, 0, 5)), said("first-square", cells=20)],
        {"first_square": 20},
    ),
    ("a photo is read", [reading(LINE)], {"map": LINE}),
    ("a correction goes before the photo", [reading(BLANK), cell(0, 1, "o")], {"map": [".o.........", *BLANK[1:]]}),
    ("also before a later photo", [cell(0, 0, "#"), reading(LINE)], {"map": ["#ooo.......", *BLANK[1:]]}),
    ("taken back, the photo counts", [reading(LINE), cell(0, 0, "#"), cell(0, 0, None)], {"map": LINE}),
    ("ticks are read", [reading(LINE, ticks={"gems": 3, "penalties": 1})], {"gems": 3, "penalties": 1}),
    ("counted by a person", [reading(LINE), said("ticks", track="gems", count=5)], {"gems": 5}),
    ("destinations are read", [reading(LINE, destinations=["A", "B"])], {"destinations": ["A", "B"]}),
    (
        "destinations are corrected",
        [
            reading(LINE, destinations=["A", "B"]),
            said("destination", stage="end", letter="A", on=False),
            said("destination", stage="end", letter="C", on=True),
        ],
        {"destinations": ["B", "C"]},
    ),
    (
        "letters are judged",
        [reading(LINE, destinations=["A", "B"]), judged(["A", 0, 0, "gate"], ["B", 0, 3, "plain"])],
        {"destinations": []},
    ),
    (
        "a judged letter is tapped once more",
        [reading(LINE), judged(["A", 0, 0, "traced"]), said("destination", stage="end", letter="A", on=False)],
        {"destinations": []},
    ),
    ("goals", [reading(LINE), said("goals", goals=[["A", "B"]])], {"goals": [["A", "B"]]}),
    ("escape", [reading(LINE), said("escaped", round=9)], {"escaped": 9}),
    ("never escaped", [reading(LINE), said("escaped", round=None)], {"escaped": None}),
    ("undone", [reading(LINE), cell(0, 0, "#"), {"kind": "undo", "edit": 2}], {"map": LINE}),
]


@pytest.mark.parametrize(("edits", "expected"), [case[1:] for case in CASES], ids=[case[0] for case in CASES])
def test_edits_make_the_state(edits: list[dict], expected: dict) -> None:
    state = play_state(fold("s", [PLAYER, *edits]), LETTERS).state
    assert state is not None
    assert {key: state["players"][0][key] for key in expected} == expected


def test_without_a_sheet_there_is_no_state() -> None:
    assert play_state(fold("s", [PLAYER]), LETTERS).state is None


UNSURE = 0.25
DOUBTS = {"letter_doubts": {"A": 0.4, "B": 0.1, "C": 0.0}}
TRACED_A = judged(["A", 0, 0, "traced"])
STRIP = {"letter_strip": {"image": "x", "letters": [["A", 9, 9], ["B", 0, 3], ["C", 10, 10]]}}


@pytest.mark.parametrize(
    ("edits", "asked", "doubts"),
    [
        ([], "", {}),
        ([reading(LINE)], "", {}),  # kept by an older version
        ([reading(LINE, **DOUBTS)], "A", {"A": 0.4, "B": 0.1, "C": 0}),
        ([reading(LINE, **DOUBTS), judged(["A", 0, 0, "traced"])], "", {"B": 0.1, "C": 0}),
        ([reading(LINE, **DOUBTS), said("destination", stage="end", letter="A", on=True)], "", {"B": 0.1, "C": 0}),
        ([reading(LINE, **DOUBTS), said("gate", stage="end", row=0, col=0, on=False)], "", {"B": 0.1, "C": 0}),
        ([reading(LINE, **DOUBTS), cell(0, 0, "#")], "", {"B": 0.1, "C": 0}),  # nobody traces under a wall
        # Not seen: under a wall that is none, or in another cell of the saved sheet at that time.
        ([reading(LINE, letter_doubts={"B": 0.1, "C": 0})], "A", {"B": 0.1, "C": 0}),
        ([reading(LINE, **DOUBTS, **STRIP)], "A", {"B": 0.1, "C": 0}),
        # Another photo: what it says is what was said, or was read before, or is new.
        ([reading(LINE, **DOUBTS), TRACED_A, reading(LINE, **DOUBTS, destinations=["A"])], "", None),
        ([reading(LINE, **DOUBTS), TRACED_A, reading(LINE, **DOUBTS)], "", None),
        ([reading(LINE, **DOUBTS), TRACED_A, reading(LINE, **DOUBTS, gates=[[0, 0]])], "A", None),
        (
            [reading(LINE, **DOUBTS), judged(["A", 0, 0, "plain"]), reading(["#oo........", *BLANK[1:]], **DOUBTS,
             destinations=["A"])],
            "", None,
        ),
        (
            [reading(LINE, **DOUBTS), TRACED_A, reading(LINE, **DOUBTS, gates=[[0, 0]]),
             said("destination", stage="end", letter="A", on=False)],
            "", None,
        ),
    ],
)  # fmt: skip
def test_letters_are_asked_about_that_may_be_misread(edits: list[dict], asked: str, doubts: dict | None) -> None:
    sheet = fold("s", [PLAYER, *edits]).players[0].sheets["end"]
    assert sheet.letters_to_ask(LETTERS, UNSURE) == list(asked)
    assert sheet.letter_doubts(LETTERS) == ({"B": 0.1, "C": 0} if doubts is None else doubts)


@pytest.mark.parametrize(
    ("edits", "destinations", "gates"),
    [
        ([judged(["A", 0, 0, "gate"])], [], [(0, 0)]),
        ([judged(["A", 0, 0, "gate"]), cell(0, 0, "#")], [], []),
        ([judged(["A", 0, 0, "gate"]), judged(["A", 0, 0, "traced"])], ["A"], []),
        ([judged(["A", 0, 0, "gate"]), said("destination", stage="end", letter="A", on=True)], ["A"], []),
        ([said("destination", stage="end", letter="A", on=True), judged(["A", 0, 0, "plain"])], [], []),
        ([judged(["A", 0, 0, "traced"]), said("gate", stage="end", row=0, col=0, on=True)], [], [(0, 0)]),
        ([said("gate", stage="end", row=5, col=5, on=True)], [], []),  # no passage
    ],
)
def test_a_letter_is_what_was_said_last(edits: list[dict], destinations: list[str], gates: list[tuple]) -> None:
    sheet = fold("s", [PLAYER, reading(LINE), *edits]).players[0].sheets["end"]
    assert (sheet.destination_letters(), sheet.gate_cells()) == (destinations, gates)


SHORTER = ["ooo........", *BLANK[1:]]


def first(rows: list[str], **more: Any) -> dict[str, Any]:
    return {**reading(rows, **more), "stage": "first"}


def counted(count: int) -> dict[str, Any]:
    return said("ticks", track="gems", count=count)


def gems(count: int, stage: str = "end", **more: Any) -> dict[str, Any]:
    return {**reading(LINE, ticks={"gems": count, "penalties": 0}), "stage": stage, **more}


OTHER = {**PLAYER, "player": "q", "name": "Kei"}
MOVED = {"kind": "move-photo", "player": "p", "stage": "end", "to": "q", "to_stage": "end"}


@pytest.mark.parametrize(
    ("edits", "count", "asked"),
    [
        ([gems(3), counted(5)], 5, None),
        ([counted(5), gems(3)], 5, None),
        ([gems(3), counted(5), gems(3)], 5, None),  # the same sheet once more
        ([gems(3), counted(5), gems(5)], 5, None),
        ([gems(3), counted(5), gems(8)], 5, 8),  # more were ticked since: nobody is counted short without a word
        ([gems(3), counted(5), gems(8), counted(5)], 5, None),
        ([gems(3, "first"), counted(5), gems(8)], 8, None),  # what was said of the first stage is not of the end
        ([gems(3, "first"), counted(5), said("by-hand", stage="end")], 5, None),
        ([counted(5), gems(3, "first")], 5, None),
        ([OTHER, gems(3), counted(5), MOVED, gems(2)], 2, None),  # counted on somebody else's sheet, which has moved
        ([OTHER, gems(3, player="q"), said("ticks", player="q", track="gems", count=5), gems(9), MOVED], 5, None),
        ([gems(3), counted(5), said("drop-photo", stage="end"), gems(2)], 2, None),
        # Counted before there is a sheet: of the first that becomes known, and counted anew there.
        ([counted(5), counted(6)], 6, None),
        ([counted(5), gems(3, "first"), counted(4)], 4, None),
        ([counted(5), said("by-hand", stage="first"), counted(4)], 4, None),
        ([counted(5), gems(3, "first"), gems(8)], 8, None),
        ([counted(5), gems(3), gems(8)], 5, 8),
        ([OTHER, counted(5), gems(3, player="q"), {**MOVED, "player": "q", "to": "p"}], 5, None),
    ],
)
def test_counted_ticks_are_those_of_a_sheet(edits: list[dict], count: int, asked: int | None) -> None:
    play = fold("s", [PLAYER, *edits])
    assert play.players[0].tick_count("gems") == count
    problems = [one for one, _ in play_case(play, LETTERS).problems]
    told = [one.values["read"] for one in problems if one.key == "ruin.ticked.gems"]
    assert told == ([] if asked is None else [asked])


@pytest.mark.parametrize(
    ("edits", "told"),
    [
        ([gems(3, "first"), counted(9), gems(4)], [(9, 4)]),
        ([gems(3, "first"), counted(9), gems(9)], []),
        ([gems(3, "first"), counted(9), gems(4), counted(9)], []),
        ([gems(3, "first"), counted(9), gems(4), counted(4)], []),
        ([gems(4), gems(3, "first")], []),
        ([gems(3, "first"), counted(9), said("by-hand", stage="end")], []),  # where nobody counts anew 9 stay
    ],
)
def test_ticks_only_grow(edits: list[dict], told: list[tuple[int, int]]) -> None:
    problems = [one for one, _ in play_case(fold("s", [PLAYER, *edits]), LETTERS).problems]
    asked = [(one.values["said"], one.values["n"]) for one in problems if one.key == "ruin.fewer-ticks.gems"]
    assert asked == told


@pytest.mark.parametrize(
    ("edits", "told"),
    [
        ([reading(LINE), reading(LINE) | {"player": "q"}], ["end"]),
        ([reading(BLANK), reading(BLANK) | {"player": "q"}], []),
        ([reading(LINE), first(LINE) | {"player": "q"}], []),
        ([reading(LINE), reading(SHORTER) | {"player": "q"}], []),
        ([reading(LINE, doubtful_cells=[[0, 3]]), reading(SHORTER) | {"player": "q"}], ["end"]),
        ([reading(LINE), reading(SHORTER) | {"player": "q"}, cell(0, 3, ".")], ["end"]),
        ([reading(LINE, changed=[]), reading(LINE, changed=[]) | {"player": "q"}], []),  # seen at once by a camera
    ],
)
def test_one_sheet_photographed_for_two_players_is_told(edits: list[dict], told: list[str]) -> None:
    problems = play_case(fold("s", [PLAYER, OTHER, *edits]), LETTERS).problems
    assert [one.values["stage"].key for one, _ in problems] == [f"js.stage.{stage}" for stage in told]


@pytest.mark.parametrize(
    ("edits", "on_first", "on_end"),
    [
        ([first(BLANK), reading(LINE)], [], []),  # what is blank may become anything
        ([first(LINE), reading(BLANK)], [], [(0, 0), (0, 1), (0, 2), (0, 3)]),
        ([first(LINE), reading(["oo.........", *BLANK[1:]]), cell(0, 2, ".")], [(0, 2)], [(0, 3)]),
        ([first(LINE), reading(["oo.........", *BLANK[1:]]), cell(0, 2, "o")], [], [(0, 3)]),
        ([first(LINE), reading(SHORTER), cell(0, 3, "."), {**cell(0, 3, "."), "stage": "first"}], [], []),
        ([first(LINE), reading(SHORTER), cell(0, 3, "."), {**cell(0, 3, "o"), "stage": "first"}], [], []),
    ],
)  # fmt: skip
def test_photos_that_contradict_each_other_are_asked_about_once(
    edits: list[dict], on_first: list, on_end: list
) -> None:
    assert fold("s", [PLAYER, *edits]).players[0].contradictions() == {"first": on_first, "end": on_end}


@pytest.mark.parametrize(
    ("edits", "asked"),
    [
        ([first(BLANK, destinations=["A", "B"]), reading(["#..........", *BLANK[1:]])], ["A"]),
        ([first(BLANK, destinations=["A"]), reading(["#..........", *BLANK[1:]]), judged(["A", 0, 0, "plain"])], []),
        ([first(BLANK, destinations=["A"]), reading(["#..........", *BLANK[1:]]), judged(["A", 0, 0, "traced"])], []),
        ([first(BLANK, destinations=["A"]), reading(LINE)], []),
        ([first(BLANK, destinations=["A"])], []),
        ([reading(["#..........", *BLANK[1:]])], []),
    ],
)
def test_a_destination_that_was_walled_over_is_asked_about(edits: list[dict], asked: list[str]) -> None:
    play = fold("s", [PLAYER, *edits])
    assert play.players[0].walled_over(LETTERS) == asked


@pytest.mark.parametrize(
    ("letters", "field"),
    [
        ([], "letters"),
        ("A", "letters"),
        ([["A", 0, 0]], "letters"),
        ([["Z", 0, 0, "plain"]], "letters"),
        ([["A", 0, 1, "plain"]], "letters"),
        ([["A", False, 0, "plain"]], "letters"),
        ([["A", 0.0, 0, "plain"]], "letters"),
        ([["A", 0, 0, "wall"]], "letters"),
        ([["A", 0, 0, "plain"], ["A", 0, 0, "gate"]], "letters"),
        ([["A", 0, 0, "plain"]] * 4, "letters"),
    ],
)
def test_what_is_no_judgement_of_letters_is_refused(letters: Any, field: str) -> None:
    with pytest.raises(EditError) as refused:
        check(fold("s", [PLAYER, reading(LINE)]), said("letters", stage="end", letters=letters), LETTERS)
    assert refused.value.values.get("field", field) == field


def test_photos_and_undos_are_not_undone() -> None:
    edits = [PLAYER, reading(LINE), cell(0, 0, "#")]
    assert undoable(edits, HOST, can_be_undone) == 2
    back = [*edits, {"kind": "undo", "edit": 2}]
    assert (
        undoable(back, HOST, can_be_undone),
        redoable(edits, HOST, can_be_undone),
        redoable(back, HOST, can_be_undone),
    ) == (0, None, 2)
    again = [*back, {"kind": "redo", "edit": 2}]
    assert (undoable(again, HOST, can_be_undone), redoable(again, HOST, can_be_undone)) == (2, None)
    assert fold("s", again).players[0].sheets["end"].map() == fold("s", edits).players[0].sheets["end"].map()
    assert redoable([*back, cell(1, 1, "o")], HOST, can_be_undone) is None


def test_an_edit_of_a_player_who_is_gone_does_nothing() -> None:
    play = fold("s", [PLAYER, {"kind": "remove-player", "player": "p"}, cell(0, 0, "o")])
    assert play.players == []


def test_a_joined_goal_leads_back_to_its_path_in_order() -> None:
    play = fold("s", [PLAYER, reading(LINE), {"kind": "goals", "player": "p", "goals": [["A", "B"]]}])
    scored = play_state(play, LETTERS)
    route = next(line for line in score_state(scored.state).players[0].lines if line.key == "ruin.route.joined")
    case = play_case(play, LETTERS)
    assert [place for place in route.because if "/map/" in place] == [f"/players/0/map/0/{col}" for col in range(4)]
    assert case.places["/players/0/map"] == ("0.end",)
    assert case.places["/players/0/goals/0"] == ("0.goals.0",)
    assert "/players/0/goals/0" in route.because


def test_a_goal_that_is_not_joined_leads_to_the_gap() -> None:
    rows = ["oo.o.......", *BLANK[1:]]
    play = fold("s", [PLAYER, reading(rows), {"kind": "goals", "player": "p", "goals": [["A", "B"]]}])
    scored = play_state(play, LETTERS)
    route = next(line for line in score_state(scored.state).players[0].lines if line.gap)
    assert list(route.gap) == ["/players/0/map/0/2"]


@pytest.mark.parametrize(
    ("held", "scored", "left_out", "joined"),
    [
        ([], [], [], []),
        (["AB"], ["AB"], [], [0]),
        (["AX"], [], [(0, "X")], []),
        (["XY"], [], [(0, "XY")], []),
        (["AX", "AB", "BC"], ["AB", "BC"], [(0, "X")], [1]),
        (["BC", "YA", "AB"], ["BC", "AB"], [(1, "Y")], [2]),
        (["YA", "XY", "AB"], ["AB"], [(0, "Y"), (1, "XY")], [2]),
    ],
)
def test_a_goal_card_with_a_letter_that_is_gone_does_not_stop_the_rest(
    held: list[str], scored: list[str], left_out: list[tuple[int, str]], joined: list[int]
) -> None:
    other = [{**edit, "player": "q"} for edit in ({**PLAYER, "name": "Kei"}, reading(LINE))]
    waiting = [{**edit, "player": "r"} for edit in ({**PLAYER, "name": "Mio"}, said("goals", goals=[["A", "X"]]))]
    play = fold("s", [PLAYER, reading(LINE), said("goals", goals=[list(card) for card in held]), *other, *waiting])
    table = play_state(play, LETTERS)
    assert table.state is not None
    assert table.state["players"][0]["goals"] == [list(card) for card in scored]
    assert [(one.player, one.place, "".join(one.letters)) for one in table.left_out] == [
        ("p", place, letters) for place, letters in left_out
    ]
    found = score_state(table.state)
    assert found.players[0].total - found.players[1].total == 15 * len(joined)
    routes = [line for line in found.players[0].lines if line.key == "ruin.route.joined"]
    places = play_case(play, LETTERS).places
    lit = [piece for line in routes for place in line.because for piece in places.get(place, ()) if "/goals/" in place]
    assert lit == [f"0.goals.{place}" for place in joined]  # of the cards that the player holds


@pytest.mark.parametrize(
    ("goals", "taken"),
    [
        ([["A", "X"], ["A", "B"]], True),
        ([["X", "C"]], True),
        ([["Y", "A"]], False),
        ([["A", "A"]], False),
        ([[], 3], False),
    ],
)
def test_a_card_whose_letter_is_gone_does_not_keep_others_from_being_entered(goals: list, taken: bool) -> None:
    play = fold("s", [PLAYER, reading(LINE), said("goals", goals=[["A", "X"]])])
    with nullcontext() if taken else pytest.raises(EditError):
        check(play, said("goals", goals=goals), LETTERS)


SOMETIMES_RIGHT = st.sampled_from(
    [
        "p",
        "end",
        "first",
        "o",
        "#",
        "A",
        "gems",
        "Kei",
        None,
        True,
        False,
        0,
        3,
        10,
        11,
        99,
        -1,
        2.0,
        [],
        {},
        [["A", "B"]],
        [["A", 0, 0, "gate"]],
    ]
)
FIELD_NAMES = (
    "player", "stage", "row", "col", "value", "on", "letter", "track", "count", "round", "cells", "goals", "name",
    "letters",
)  # fmt: skip
anything = st.fixed_dictionaries(
    {"kind": st.sampled_from([*BY_A_PERSON, "read", "undo", "", 3])},
    optional=dict.fromkeys(FIELD_NAMES, SOMETIMES_RIGHT),
)


@given(st.lists(anything, max_size=5))
def test_any_edit_is_taken_or_refused_and_the_state_can_always_be_scored(edits: list[dict]) -> None:
    play = fold("s", [PLAYER, reading(LINE)])
    for edit in edits:
        with suppress(EditError):
            apply(play, check(play, edit, LETTERS))
    state = play_state(play, LETTERS).state
    assert state is None or isinstance(score_state(state).players[0].total, int)


@given(st.lists(st.tuples(st.integers(0, 10), st.integers(0, 10), st.sampled_from(".o#")), max_size=20))
def test_what_a_person_said_stays_whatever_photo_comes(judged: list[tuple[int, int, str]]) -> None:
    edits = [PLAYER, reading(LINE), *(cell(*one) for one in judged)]
    for later in (BLANK, ["#" * 11] * 11):
        state = play_state(fold("s", [*edits, reading(later)]), LETTERS).state
        assert state is not None
        for (row, col), value in {(r, c): v for r, c, v in judged}.items():
            assert state["players"][0]["map"][row][col] == value


@pytest.mark.parametrize(
    ("written", "told"),
    [
        (sums(21, 4, 0, 0, 0, 5), []),  # all as counted: 21 + 4 - 20
        (sums(21, 6, 0, 0, 0, 5), [("row.in-the-ruin.square-second", 6, 4)]),
        (sums(21, 4, 10, 0, 0, 15), [("row.in-the-ruin.gems", 10, 0), ("ruin.total", 15, 5)]),
        (sums(21, 4, 0, 15, 0, 5), [("row.in-the-ruin.routes", 15, 0)]),
        (sums(21, 6, 0, 0, 0, 5, doubtful=1), []),  # what is not surely read accuses nobody
        (sums(21, None, 0, None, 0, 5), []),
        (sums(6, 30), []),  # boxes of another print: nobody knows what for
    ],
)
def test_sums_that_were_written_down_are_held_against_what_is_counted(
    written: dict[str, Any], told: list[tuple[str, int, int]]
) -> None:
    edits = [PLAYER, reading(LINE, **written), said("goals", goals=[]), said("escaped", round=None)]
    problems = [message for message, _ in play_case(fold("sheet", edits), LETTERS).problems]
    assert [(m.values["what"].key, m.values["wrote"], m.values["n"]) for m in problems] == told


def seen(marks: dict[tuple[int, int], str], doubtful: list, traced: tuple = (), doubts: dict | None = None) -> dict:
    """A photo of a blank map but for some cells, with its letters A and B."""
    rows = ["".join(marks.get((r, c), ".") for c in range(11)) for r in range(11)]
    letters = {"destinations": list(traced), "letter_doubts": {"A": 0.0, "B": 0.0} | (doubts or {})}
    return reading(rows, doubtful=doubtful, doubtful_cells=doubtful, **letters)


@pytest.mark.parametrize(
    ("before", "now", "cells", "letters"),
    [
        pytest.param(({(0, 0): "o"}, []), ({(0, 0): "o"}, [[0, 0]]), [], [], id="the first is sure, and alike"),
        pytest.param(({(0, 0): "o"}, [[0, 0]]), ({(0, 0): "o"}, [[0, 0]]), [(0, 0)], [], id="neither is sure"),
        pytest.param(({(0, 0): "#"}, []), ({(0, 0): "o"}, [[0, 0]]), [(0, 0)], [], id="the first is sure of another"),
        pytest.param(({}, []), ({(0, 0): "o"}, []), [(0, 0)], [], id="both are sure, of different things"),
        pytest.param(({}, [[0, 0]]), ({(0, 0): "o"}, []), [], [], id="the second is sure"),
        pytest.param(({}, [], ("A",)), ({}, [], ("A",), {"A": 0.4}), [], [], id="a letter, traced in both"),
        pytest.param(({}, []), ({}, [], ("A",), {"A": 0.4}), [], ["A"], id="a letter, traced in one"),
        pytest.param(({}, [], ("A",)), ({}, []), [], ["A"], id="a letter, surely traced and surely not"),
    ],
)
def test_a_second_photo_of_the_sheet_as_it_lies_settles_what_both_show_alike(before, now, cells, letters) -> None:
    edits = [PLAYER, seen(*before), seen(*now)]
    once_more = fold("sheet", [*edits[:2], edits[2] | {"once_more": True}]).players[0].sheets["end"]
    assert (once_more.doubtful(), once_more.letters_to_ask({"A": (5, 5), "B": (6, 6)}, 0.18)) == (cells, letters)
    assert fold("sheet", edits).players[0].sheets["end"].doubtful() == [tuple(cell) for cell in now[1]]


BOXES = {"ticks": {"gems": 1}, "ticked": {"gems": [0.99, 0.4, 0.01]}, "tick_doubts": {"gems": 0.4}}
SURE = {"ticks": {"gems": 1}, "ticked": {"gems": [1.0, 0.0, 0.0]}, "tick_doubts": {"gems": 0.0}}
GAP = {"ticks": {"gems": 2}, "ticked": {"gems": [1.0, 0.0, 1.0]}, "tick_doubts": {"gems": 1.0}}
COUNTED = {"kind": "ticks", "player": "p", "track": "gems", "count": 2}


@pytest.mark.parametrize(
    ("edits", "asked"),
    [
        ([reading(LINE)], {}),  # kept by an older version
        ([reading(LINE, **SURE)], {}),
        ([reading(LINE, **BOXES)], {"0.end.gems": ("/players/0/gems", (1, 2))}),
        ([reading(LINE, **GAP)], {"0.end.gems": ("/players/0/gems", (2, 3))}),
        ([reading(LINE, **BOXES), COUNTED], {}),
    ],
    ids=["older", "sure", "a box in doubt", "a gap", "counted by a person"],
)
def test_a_number_of_ticks_is_asked_where_boxes_are_in_doubt(edits: list[dict], asked: dict) -> None:
    doubts = play_case(fold("s", [PLAYER, *edits]), LETTERS).doubts
    assert {doubt.piece: (doubt.place, doubt.values) for doubt in doubts} == asked


DIM = ["###.o......", *BLANK[1:]]
"""Three walls, a blank cell and a passage in a row, all of them doubtful, the surest last."""


@pytest.mark.parametrize(
    ("name", "rivals", "together"),
    [
        ("three may be walls or passages", "ooo#.", {"#o": [(0, 0), (0, 1), (0, 2)]}),
        ("two of each pair are asked one by one", "oo.#.", {}),
        ("what is read and what it may be make one pair", "oo.##", {"#o": [(0, 0), (0, 1), (0, 4)]}),
        ("an older reading says no rivals", None, {}),
    ],
)
def test_cells_that_may_be_the_same_two_kinds_are_one_question(
    name: str, rivals: str | None, together: dict[str, list[tuple[int, int]]]
) -> None:
    more = {} if rivals is None else {"rivals": [rivals + "......", *BLANK[1:]]}
    asked = [[0, col] for col in range(5)]
    seen = reading(DIM, doubtful_cells=asked, **more)
    sheet = fold("s", [PLAYER, seen]).players[0].sheets["end"]
    assert sheet.alike() == together, name
    answered = [[row, col, "o"] for cells in together.values() for row, col in cells]
    if answered:
        told = fold("s", [PLAYER, seen, {**cell(0, 0, "o"), "kind": "cells", "cells": answered}]).players[0]
        assert [told.sheets["end"].map_at((row, col)) for row, col, _ in answered] == ["o"] * len(answered)
        assert told.sheets["end"].alike() == {}


@pytest.mark.parametrize(
    ("name", "answers", "left"),
    [
        ("two answers are few", "##", [2, 3, 4, 5]),
        ("after three that confirm, surer ones are believed", "###", [5, 6]),
        ("one that corrects, and none is", "#o#", [3, 4, 5]),
        ("walls that are confirmed say nothing of passages", "###", [5, 6]),
    ],
)
def test_after_answers_that_confirm_the_rest_of_a_dim_photo_is_believed(
    name: str, answers: str, left: list[int]
) -> None:
    rows = ["#####o#....", *BLANK[1:]] if len(answers) == 3 and "o" not in answers else ["#####o.....", *BLANK[1:]]
    sure = [[0.6, 0.7, 0.8, 0.85, 0.9, 0.9, 0.55, *[1.0] * 4], *[[1.0] * 11] * 10]
    asked = [[0, col] for col in range(7) if rows[0][col] != "."]
    said = [cell(0, col, value) for col, value in enumerate(answers)]
    sheet = fold("s", [PLAYER, reading(rows, doubtful_cells=asked, confidence=sure), *said]).players[0].sheets["end"]
    assert [col for _, col in sheet.doubtful()] == left, name


def test_a_cell_that_something_lies_on_is_not_believed() -> None:
    sure = [[0.6, 0.7, 0.8, 0.999, *[1.0] * 7], *[[1.0] * 11] * 10]
    seen = reading(["####.......", *BLANK[1:]], doubtful_cells=[[0, col] for col in range(4)], confidence=sure)
    sheet = fold("s", [PLAYER, seen, *(cell(0, col, "#") for col in range(3))]).players[0].sheets["end"]
    assert sheet.doubtful() == [(0, 3)]
