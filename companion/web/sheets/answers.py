"""Scoring's answer in the page's language, with the places on the sheets that each part lights up."""

from __future__ import annotations

from typing import Any

from companion.cases.sheet import LeftOut, Scored
from companion.games.in_the_ruin.play import Play
from companion.web.language import request_words
from companion.web.language import say as page_says
from companion.web.sheets.marks import marks
from scoring import Breakdown
from scoring.breakdown import Line


def line(scored_line: Line, play: Play, scored: Scored) -> dict[str, Any]:
    """A line of the breakdown."""
    say = request_words()
    return {
        "key": scored_line.key,
        "label": say.line(scored_line),
        "points": scored_line.points,
        "source": say.source(scored_line.source)["section"],
        "marks": marks(scored_line.because, play, scored),
        "gap": marks(scored_line.gap, play, scored)["cells"],
    }


def notes(breakdown: Breakdown, play: Play, scored: Scored) -> list[dict[str, Any]]:
    """The notes beside the breakdown: goal cards that could not be scored, then what scoring notes."""
    say = request_words()
    return [_left_out(card, play) for card in scored.left_out] + [
        {"key": note.key, "text": say.note(note), "marks": marks(note.because, play, scored)}
        for note in breakdown.notes
    ]


def _left_out(card: LeftOut, play: Play) -> dict[str, Any]:
    names = {player.id: player.name for player in play.players}
    letters = page_says("list.comma").join(card.letters)
    text = page_says("ruin.goal-left-out", name=names[card.player], card="–".join(card.card), letters=letters)
    where = {"cells": [], "fields": [[card.player, f"goals/{card.place}"]], "players": [card.player]}
    return {"key": "ruin.goal-left-out", "text": text, "marks": where}


def rulings(breakdown: Breakdown) -> list[dict[str, Any]]:
    """Open questions of the rulebook that matter here, with what the other reading would give."""
    say = request_words()
    names = [player.name for player in breakdown.players]
    return [
        {
            "question": say.question(ruling.question),
            "basis": say.basis(ruling.grade, ruling.source),
            "taken": say.reading(ruling.question, ruling.taken),
            "other": say.reading(ruling.question, ruling.other),
            "totals": [[name, total] for name, total in zip(names, ruling.totals, strict=True)],
        }
        for ruling in breakdown.rulings
    ]
