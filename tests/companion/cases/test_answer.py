"""The public answer says each reason whole: a note with its place and section, another reading with its totals."""

from __future__ import annotations

from typing import Any

from companion.cases.answer import answer
from companion.words.words import words
from scoring import score_state

SECTION = {"game": "In the Ruin", "section": "Points to watch during the game (p. 5)"}
BLOCK = tuple(f"/players/0/map/{row}/{col}" for row in (0, 1) for col in (0, 1))


def state() -> dict[str, Any]:
    """Passages of a 2×2 block, three in a row, and an entrance that nobody drew."""
    player = {"name": "Aki", "map": ["ooo........", "oo.........", *["..........."] * 9], "escaped": 3}
    return {"game": "in-the-ruin", "letters": {"A": [0, 0]}, "players": [player]}


def test_a_ruling_tells_both_readings_what_each_gives_and_what_it_rests_on() -> None:
    out = answer(score_state(state()), words("en"))
    (total,) = [player["total"] for player in out["players"]]
    assert out["rulings"] == [
        {
            "name": "two-by-two",
            "question": "Are penalty ticks for 2×2 passages charged now?",
            "taken": {"reading": "noted", "text": "No, they may have been marked already; it is only said."},
            "other": {"reading": "charged", "text": "Yes, two ticks for each set."},
            "totals": {"Aki": total - 20},  # two ticks of ten
            "winners": ("Aki",),
            "leading": (),
            "grade": "inferred",
            "source": SECTION,
            "basis": f"It follows from the rules ({SECTION['section']}), which do not say it in so many words.",
        }
    ]


def test_a_note_tells_what_it_rests_on_and_where_that_lies() -> None:
    out = answer(score_state(state()), words("en"))
    details = {note["key"]: note for note in out["note_details"]}
    values = {"name": "Aki", "ticks": 2, "rule": "R5", "cells": 4}
    assert details["ruin.blocks"] == {"key": "ruin.blocks", "values": values, "because": BLOCK, "source": SECTION}
    assert out["notes"] == [words("en").note(note) for note in score_state(state()).notes]
    assert "source" not in {note["key"]: note for note in details_of_eleven_tokens()}["splendor.tokens-many"]


def details_of_eleven_tokens() -> list[dict[str, Any]]:
    player = {"name": "Aki", "cards": [], "tokens": {"red": 11}}
    found = score_state({"game": "splendor", "players": [player, {"name": "Ben", "cards": []}]})
    details: list[dict[str, Any]] = answer(found, words("en"))["note_details"]
    return details
