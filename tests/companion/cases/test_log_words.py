"""What the log says of each line, in English, as people read it; and what a turn may still bring."""

from __future__ import annotations

from typing import Any

import pytest

from companion.cases.log_words import Log

BOX, ONE = "the box holds a fixed number of each color", "one seeker card a turn"
UNSEEN = "changed the table in a way that no turn explains"
PLAYERS = [{"name": "Aki", "total": 3}, {"name": "Ben", "total": None}]
MISREAD = {"line": "corrected", "look": 4, "at": "/players/0/line/2", "read": "red", "is": "blue", "because": ["T3"]}


def edit(who: str | None = "A", *what: str) -> dict[str, Any]:
    return {"who": who, "move": "edit", **({"what": list(what)} if what else {})}


@pytest.fixture
def log() -> Log:
    return Log("en", "twelve-seekers", {"A": "Aki", "B": "Ben"})


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ({"line": "move", "n": 3, **edit("A", "red", "red", "blue")}, "3. Aki changed the table: 2 × red, blue"),
        ({"line": "move", "n": 4, **edit()}, f"4. Aki {UNSEEN}"),
        ({"line": "move", "n": 5, **edit(None, "?")}, "5. Somebody changed the table: unknown"),
        (
            {"line": "move", "n": 3, "breaks": ["T3"], "by": "assumed", **edit("B", "red")},
            f"3. Ben changed the table: red – against the rules: {BOX} (assumed)",
        ),
        ({"line": "slip", "who": "B", "breaks": ["T3", "T4"]}, f"Slip by Ben. The rule: {BOX}, {ONE}"),
        ({"line": "slip", "who": None, "breaks": ["T3"]}, f"A slip; who made it is not known. The rule: {BOX}"),
        ({"line": "mended", "slip": 2}, "Slip 2 has been put right."),
        (MISREAD, f"Look 4, 3rd gem of Aki: read as red, it is blue ({BOX})"),
        ({"line": "replaced", "from": 5}, "From move 5 on it was otherwise:"),
        ({"line": "undone", "n": 2}, "Move 2 is taken back."),
        (
            {
                "line": "question",
                "id": "q1",
                "choices": [{"key": "a", "move": edit("A", "red")}, {"key": "b", "move": edit(None)}],
            },
            f"q1: which of these was it? a) Aki changed the table: red · b) Somebody {UNSEEN}",
        ),
        ({"line": "look", "error": "no state", "owed": []}, "Not a look: no state"),
        ({"line": "look", "owed": []}, ""),
        ({"line": "look", "owed": [{"who": "A", "rule": "T3"}]}, f"Aki is not done yet: {BOX}"),
        ({"line": "end", "state": None, "over": True}, ""),
        ({"line": "end", "state": {}, "over": True, "answer": {"players": PLAYERS}}, "The game is over: Aki 3, Ben ?"),
        ({"line": "end", "state": {}, "over": False, "answer": {"players": PLAYERS[:1]}}, "So far: Aki 3"),
        ({"line": "end", "state": {}, "over": False, "answer": {"error": "!"}}, "The last table cannot be scored: !"),
        ({"line": "of another version"}, ""),
    ],
)
def test_a_line_is_a_sentence(log: Log, line: dict[str, Any], said: str) -> None:
    assert log.sentence(line) == said


def test_a_header_names_the_game_whose_words_follow() -> None:
    log = Log("en")
    assert log.sentence(MISREAD).startswith("Look 4, /players/0/line/2:")  # nobody's name is known yet
    header = {"line": "header", "game": "twelve-seekers", "players": ["A", "B"]}
    assert log.sentence({**header, "rule": 8}) == "Twelve Seekers, rule 8: A, B"
    assert log.sentence(MISREAD).startswith("Look 4, 3rd gem of A:")
    assert Log("en").sentence({**header, "rule": None}) == "Twelve Seekers: A, B"


def test_rules_have_their_ids_where_that_is_asked() -> None:
    slip = {"line": "slip", "who": "B", "breaks": ["T3", "T4"]}
    assert Log("en", "twelve-seekers", ids=True).sentence(slip) == f"Slip by B. The rule: T3 {BOX}, T4 {ONE}"


def test_pieces_of_a_look_that_were_misread_alike_are_one_sentence(log: Log) -> None:
    assert log.corrected([MISREAD, {**MISREAD, "at": "/players/1/line/0"}, {**MISREAD, "look": 5}]) == [
        f"Look 4, 3rd gem of Aki; 1st gem of Ben: read as red, it is blue ({BOX})",
        f"Look 5, 3rd gem of Aki: read as red, it is blue ({BOX})",
    ]


@pytest.mark.parametrize(
    ("turns", "said"),
    [
        ([("A", 0)], [f"{UNSEEN}: ±0"]),
        ([("A", -1)], [f"{UNSEEN}: −1"]),
        ([("A", None)], [UNSEEN]),
        ([("A", 0), ("A", 2)], [f"{UNSEEN}: +2"]),  # one turn, laid where it gives the most
        ([("A", 0), ("B", 2)], [f"A {UNSEEN}: ±0", f"B {UNSEEN}: +2"]),
    ],
)
def test_turns_that_may_be_taken_say_what_they_give(turns: list[tuple[str, int | None]], said: list[str]) -> None:
    assert Log("en", "splendor").legal({**edit(who), "points": points} for who, points in turns) == said


@pytest.mark.parametrize(
    ("name", "value", "said"),
    [
        ("row", 4, "4 open cards of each level"),
        ("keep-deck", True, "A card may be kept from the deck"),
        ("keep-deck", False, "No card is kept from the deck"),
    ],
)
def test_how_the_house_reads_a_rule(name: str, value: object, said: str) -> None:
    assert Log("en", "splendor").house(name, value) == said
