"""From a checked table to the breakdown: the sheet's points, gold, bonuses, chips, and who won."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from scoring.breakdown import Alternative, Breakdown, Line, Note, PlayerScore
from scoring.house_rules import Question, Readings
from scoring.ranking import most_points
from scoring.twelve_seekers.choices import Outcome, best, every
from scoring.twelve_seekers.lines import lines
from scoring.twelve_seekers.notes import player_notes, run_notes, table_notes
from scoring.twelve_seekers.seekers import POWER
from scoring.twelve_seekers.sheets import SHEETS, AnyKind
from scoring.twelve_seekers.table import Player, Table

QUESTIONS: Final = (
    Question("rainbow-color", ("any", "held")),
    Question("rainbow-duty", ("must", "may")),
    Question("rainbow-invalid", ("worthless", "valid")),
    Question("gold", ("no-gem", "gem", "color")),
    Question("rule-8-runs", ("once", "each-length")),
    Question("rule-9-six", ("not-three", "two-threes")),
    Question("runs-cut", ("whole", "cut")),
    Question("rule-13-one-color", ("no-pair", "plus-alone")),
    Question("rule-15-plus", ("any", "held")),
)

RUNS_IN_DOUBT: Final = frozenset((8, 9, 10, 17))
"""Rules under which a run could be read as several, to another total."""


def score(table: Table, readings: Readings, explain: bool) -> Breakdown:
    """Every player's lines and the winners; `alternatives` only where `explain` is set."""
    sheet = SHEETS[table.rule]
    kind = sheet.kind
    for (question, reading), other in sheet.readings.items():
        if readings[question] == reading:
            kind = other
    players: list[PlayerScore] = []
    notes: list[Note] = []
    for player in table.players:
        outcome = best(kind, player, readings)
        found = tuple(lines(kind, player, outcome, table.rule, readings))
        others = _alternatives(kind, player, found, outcome, readings) if explain else ()
        players.append(PlayerScore(player.name, found, outcome.named(kind), others))
        notes += player_notes(kind, player, outcome, readings)
        if table.rule in RUNS_IN_DOUBT:
            notes += run_notes(table.rule, kind, player, outcome, readings)
    notes += table_notes(table.players, bool(kind.cards))
    winners = _winners(players, table.players, notes)
    return Breakdown("twelve-seekers", tuple(players), winners, tuple(notes))


def _alternatives(
    kind: AnyKind, player: Player, found: Sequence[Line], outcome: Outcome, readings: Readings
) -> tuple[Alternative, ...]:
    """Every legal choice with the total it gives; whatever is no choice (gold, chips) stays as it was found."""
    rest = sum(line.points or 0 for line in found) - outcome.points
    named = ((other.named(kind), other.points + rest) for other in every(kind, player, readings))
    return tuple(Alternative(choices, total) for choices, total in named if choices)


def _winners(scores: Sequence[PlayerScore], players: Sequence[Player], notes: list[Note]) -> tuple[str, ...]:
    """Most points, then the smaller sum of the powers of the seekers taken, then all of them."""
    top = most_points(scores)
    names = tuple([players[i].name for i in top])
    if len(top) == 1:
        return names
    missing = tuple(players[i].name for i in top if not players[i].seekers)
    if missing:
        notes.append(Note("seekers.tie-unknown", {"names": names, "missing": missing}))
        return ()
    sums = {i: sum(POWER[card] for card in players[i].seekers) for i in top}
    winners = tuple(players[i].name for i in top if sums[i] == min(sums.values()))
    notes.append(Note("seekers.tie" if len(winners) == 1 else "seekers.tie-shared", {"names": winners}))
    return winners
