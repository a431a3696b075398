"""What a person said is named in words before it is taken back: of a sheet, and of a followed table."""

from __future__ import annotations

from typing import Any

import pytest

from companion.cases.said import typed_what
from companion.cases.sheet import edit_message
from companion.cases.table import Entries
from companion.words.words import words

HELD = [["A", "B"], ["C"]]
AT = {"row": 2, "col": 4}


@pytest.mark.parametrize(
    ("edit", "said"),
    [
        ({"kind": "add-player"}, "player Aki joins"),
        ({"kind": "rename"}, "the name Aki"),
        ({"kind": "cell", **AT, "value": "#"}, "Aki: row 3, column 5 is wall"),
        ({"kind": "cell", **AT, "value": None}, "Aki: row 3, column 5 as on the photo"),
        ({"kind": "cells", "cells": [[2, 4, "#"]]}, "Aki: 1 cell put right together"),
        ({"kind": "cells", "cells": [[2, 4, "#"], [2, 5, "#"]]}, "Aki: 2 cells put right together"),
        ({"kind": "gate", **AT, "on": True}, "Aki: a gate in row 3, column 5"),
        ({"kind": "gate", **AT, "on": False}, "Aki: no gate in row 3, column 5"),
        ({"kind": "destination", "letter": "C", "on": True}, "Aki: C is a destination"),
        ({"kind": "destination", "letter": "C", "on": False}, "Aki: C is no destination"),
        ({"kind": "charge-blocks", "on": False}, "2×2 passages are not charged"),
        ({"kind": "ticks", "track": "gems", "count": 1}, "Aki: 1 gem ticked"),
        ({"kind": "ticks", "track": "penalties", "count": 3}, "Aki: 3 penalties ticked"),
        ({"kind": "escaped", "round": 2}, "Aki: escaped as no. 2"),
        ({"kind": "escaped", "round": None}, "Aki: never escaped"),
        ({"kind": "first-square", "cells": 9}, "Aki: first stage’s square of 9"),
        ({"kind": "first-square", "cells": None}, "Aki: first stage’s square as on the sheet"),
        ({"kind": "goals", "goals": [*HELD, ["D", "E"]]}, "Aki: goal card D–E"),
        ({"kind": "goals", "goals": [["C"]]}, "Aki: goal card A–B removed"),
        ({"kind": "goals", "goals": []}, "Aki: goal cards A–B, C removed"),
        ({"kind": "goals", "goals": [["C"], ["A", "B"]]}, "Aki: goal cards C, A–B"),  # in another order
        ({"kind": "letters", "letters": [["A", 0, 0], ["B", 1, 1]]}, "Aki: letters A, B"),
        ({"kind": "read", "stage": "end", "sent": "x"}, "Aki: the new photo “End of game”"),
        ({"kind": "read", "stage": "first"}, "Aki: the corners on the photo “First stage”"),
        ({"kind": "move-photo", "stage": "first"}, "Aki: the photo “First stage” is moved"),
        ({"kind": "drop-photo", "stage": "end"}, "Aki: the photo “End of game” is thrown away"),
        ({"kind": "photo-to-new-player", "stage": "end"}, "the photo “End of game” is moved to a new player, Aki"),
        ({"kind": "piece", "piece": "L", "round": 3}, "the card’s piece in round 3"),
        ({"kind": "piece", "piece": None, "round": 3}, "no card is told of round 3"),
        ({"kind": "no-move", "n": 4}, "move 4 was none"),
        ({"kind": "no-move", "n": None}, "the last move was none"),
    ],
)
def test_an_edit_of_a_sheet_is_named(edit: dict[str, Any], said: str) -> None:
    message = edit_message(edit, "Aki", HELD)
    assert words("en").say(message.key, **message.values) == said


@pytest.mark.parametrize("reading", [None, "yes", "no"])
def test_another_reading_of_a_rule_is_named_with_its_question(reading: str | None) -> None:
    message = edit_message({"kind": "house-rule", "name": "wall-beside-passage", "reading": reading}, "Aki")
    assert message.key == "undo.house-rule" + ".none" * (reading is None)
    assert message.values["question"].key == "question.wall-beside-passage"
    said = message.values["reading"]
    assert (said and said.key) == (reading and f"reading.wall-beside-passage.{reading}")


@pytest.mark.parametrize(
    ("table", "players", "said"),
    [
        ({"rule": 8}, {}, ["rule sheet: 8"]),
        ({"rule": None}, {}, ["rule sheet taken back"]),
        ({"round_over": True}, {}, ["the end of the round changed"]),
        ({}, {"A": {"name": "Aki"}}, ["Aki, name: Aki"]),
        ({}, {"A": {"chips": 2}, "B": {"chips": None}}, ["Aki, chips: 2", "B, chips taken back"]),
        ({"rule": 8}, {"B": {"kept": ["x"]}}, ["rule sheet: 8", "B, kept cards changed"]),
    ],
)
def test_what_was_typed_is_named(table: dict[str, Any], players: dict[str, dict[str, Any]], said: list[str]) -> None:
    messages = typed_what(table, players, Entries({}, {"A": {"name": "Aki"}}))
    assert [words("en").say(message.key, **message.values) for message in messages] == said
