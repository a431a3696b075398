"""From a checked table to the breakdown: the sheet's points, gold, bonuses, chips, and who won."""

from collections.abc import Sequence
from typing import Final

from scoring.breakdown import Alternative, Breakdown, Line, Note, PlayerScore, Value
from scoring.house_rules import Question, Readings
from scoring.ranking import most_points
from scoring.twelve_seekers import open_cards
from scoring.twelve_seekers.choices import Outcome, best, every
from scoring.twelve_seekers.lines import SOURCES, lines
from scoring.twelve_seekers.notes import PLAYERS, player_notes, run_notes, table_notes
from scoring.twelve_seekers.seekers import ALL_POWERS, BASIC, POWER, STACK
from scoring.twelve_seekers.sheets import SHEETS, AnyKind
from scoring.twelve_seekers.table import Player, Table

QUESTIONS: Final = (
    Question("rainbow-color", ("any", "held"), "inferred", "twelve-seekers/end"),
    Question("rainbow-duty", ("must", "may"), "explicit", "twelve-seekers/end"),
    Question("rainbow-invalid", ("worthless", "valid"), "inferred", "twelve-seekers/places"),
    Question("gold", ("no-gem", "gem", "color"), "inferred", "twelve-seekers/end"),
    Question("rule-8-runs", ("once", "each-length"), "inferred", "twelve-seekers/rule-8"),
    Question("rule-9-six", ("not-three", "two-threes"), "explicit", "twelve-seekers/rule-9"),
    Question("rule-9-singles", ("charged", "free"), "silent", "twelve-seekers/rule-9"),
    Question("runs-cut", ("whole", "cut"), "inferred", "twelve-seekers/lines"),
    Question("rule-13-one-color", ("no-pair", "plus-alone"), "inferred", "twelve-seekers/rule-13"),
    Question("rule-15-plus", ("any", "held"), "inferred", "twelve-seekers/rule-15"),
    Question("plus-runs", ("each", "once-a-color"), "silent", "twelve-seekers/rules-16-17"),
)

RUNS_IN_DOUBT: Final = frozenset((8, 9, 10, 16, 17))
"""Rules under which what a run is worth could be read otherwise, to another total."""


def score(table: Table, readings: Readings, explain: bool) -> Breakdown:
    """Every player's lines and the winners; `alternatives` only where `explain` is set."""
    sheet = SHEETS[table.rule]
    kind = sheet.kind
    for (question, reading), change in sheet.readings.items():
        if readings[question] == reading:
            kind = change(kind)
    players: list[PlayerScore] = []
    notes: list[Note] = []
    for player in table.players:
        if player.unknown:
            parts = open_cards.parts_so_far(kind, player)
            so_far = lines(kind, player, None, parts, table.rule, readings)
            source = SOURCES[table.rule]
            notes += open_cards.notes(kind, player, table, so_far, readings, source)
            players.append(PlayerScore(player.name, (*so_far, open_cards.open_line(player, source))))
            notes += player_notes(kind, player, None, table.rule, readings)
            continue
        outcome = best(kind, player, readings)
        parts = kind.parts(outcome.gems, outcome.extra)
        found = tuple(lines(kind, player, outcome, parts, table.rule, readings))
        others = _alternatives(kind, player, found, outcome, readings) if explain else ()
        players.append(PlayerScore(player.name, found, outcome.named(kind), others))
        notes += player_notes(kind, player, outcome, table.rule, readings)
        if table.rule in RUNS_IN_DOUBT:
            notes += run_notes(table.rule, player, parts, readings)
    notes += table_notes(table, bool(kind.cards))
    winners, leading = _winners(players, table, notes)
    return Breakdown("twelve-seekers", tuple(players), winners, leading, tuple(notes))


def _alternatives(
    kind: AnyKind, player: Player, found: Sequence[Line], outcome: Outcome, readings: Readings
) -> tuple[Alternative, ...]:
    """Every legal choice with the total it gives; whatever is no choice (gold, chips) stays as it was found."""
    rest = sum(line.points or 0 for line in found) - outcome.points
    named = ((other.named(kind), other.points + rest) for other in every(kind, player, readings))
    return tuple(Alternative(choices, total) for choices, total in named if choices)


def _winners(scores: Sequence[PlayerScore], table: Table, notes: list[Note]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Who has won, and who is ahead while the state says that the game goes on: by a stack that is not full, the field.

    Where it says that the game is over, what lies there counts, though seekers are left.
    Most points, then the smaller sum of the powers of the seekers taken, then all of them.
    """
    players = table.players
    top = most_points(scores)
    names = tuple([players[i].name for i in top])
    short = [player for player in players if player.looked and len(player.seekers) < STACK]
    ended = table.goes_on is False
    if table.left:
        left: dict[str, Value] = {"n": len(table.left)}
        key = "seekers.field-ended" if ended else "seekers.field-left"
        notes.append(Note(key, left, ("/seekers_left",), "twelve-seekers/end"))
    elif short:
        values: dict[str, Value] = {"names": tuple(player.name for player in short), "most": STACK, "n": len(short)}
        where = tuple(f"{player.place}/seekers" for player in short)
        notes.append(Note("seekers.short-ended" if ended else "seekers.goes-on", values, where, "twelve-seekers/end"))
    elif table.goes_on:
        notes.append(Note("seekers.open", source="twelve-seekers/end"))
    if not top:
        return (), ()  # the points of somebody are not known
    if not ended and (table.left or short or table.goes_on):
        return (), names
    if len(top) == 1:
        return names, ()
    tied = [players[i] for i in top]
    missing = [player for player in tied if not player.looked]
    sums = {player.name: sum([POWER[card] for card in player.seekers]) for player in tied if player.looked}
    where = tuple(f"{player.place}/seekers" for player in tied if player.looked)
    derived = len(missing) == 1 and len(players) == len(tied) == PLAYERS and _is_of_a_game(tied)
    if missing and not derived:
        gone = tuple(player.name for player in missing)
        notes.append(Note("seekers.tie-unknown", {"names": names, "missing": gone}, where, "twelve-seekers/end"))
        return (), ()
    if derived:
        sums[missing[0].name] = ALL_POWERS - sum(sums.values())
    winners = tuple(name for name in names if sums[name] == min(sums.values()))
    key = "seekers.tie-rest" if derived else "seekers.tie" if len(winners) == 1 else "seekers.tie-shared"
    values = {"names": winners, "tally": tuple(f"{name} {sums[name]}" for name in names)}
    if derived:
        values |= {"missing": missing[0].name, "all": ALL_POWERS}
    notes.append(Note(key, values, where, "twelve-seekers/end"))
    return winners, ()


def _is_of_a_game(players: Sequence[Player]) -> bool:
    """Whether a game can hold the seekers that are known: no more of a power than it lays out, six at most."""
    powers = [POWER[card] for player in players for card in player.seekers]
    return len(powers) == STACK and all(powers.count(power) <= most for power, most in BASIC.items())
