"""What has to be said beside the points: rulings that mattered, and what is odd."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache

from scoring.breakdown import Note, Value
from scoring.house_rules import Readings
from scoring.twelve_seekers.choices import Outcome, gems_with
from scoring.twelve_seekers.kinds import COLORLESS, COLORS, ByRun, ByVariety, TwoPlus
from scoring.twelve_seekers.seekers import BASIC, POWER
from scoring.twelve_seekers.sheets import AnyKind
from scoring.twelve_seekers.table import RAINBOW, Player

STACK = 6
PLAYERS = 2
BASICS = tuple(BASIC.items())
CHIPS = 40
"""All score chips of the box: twenty of 1 VP and ten of 2."""


def player_notes(kind: AnyKind, player: Player, outcome: Outcome, readings: Readings) -> list[Note]:
    """What is to be said of one player."""
    place, name = player.place, player.name
    notes: list[Note] = []
    if outcome.rainbow is not None:
        if outcome.rainbow != COLORLESS:
            notes += _rainbow_notes(kind, player, outcome)
    elif "rainbow" in player.made:
        notes.append(_note("seekers.rainbow-ignored", f"{place}/choices/rainbow", name))
    if player.invalid[RAINBOW] and readings["rainbow-invalid"] == "worthless":
        notes.append(_note("seekers.rainbow-invalid", f"{place}/invalid/rainbow", name))
    if player.cards and not kind.cards:
        notes.append(_note("seekers.cards-ignored", f"{place}/color_cards", name))
    if kind.two_colors:
        notes += _pair_notes(kind, player, outcome)
    if player.gold and isinstance(kind, ByVariety) and readings["gold"] == "no-gem":
        notes.append(_note("seekers.gold", f"{place}/gold", name))
    if abs(player.chips) > CHIPS:
        notes.append(_note("seekers.chips-many", f"{place}/chips", name, "most", CHIPS))
    if player.bonuses or len(player.seekers) > STACK:
        notes += _seeker_notes(player)
    return notes


@lru_cache(maxsize=10_000)
def _note(key: str, place: str, name: str, gap: str = "", value: Value = "") -> Note:
    """A note on one player, with one more gap or none. Where the same is to be said again it is the same note."""
    values: dict[str, Value] = {"name": name, gap: value} if gap else {"name": name}
    return Note(key, values, (place,))


def _pair_notes(kind: AnyKind, player: Player, outcome: Outcome) -> Iterator[Note]:
    """Where there are no two colors to choose, or where there would be none if plus colors needed gems."""
    if not outcome.extra:
        yield _note("seekers.no-pair", f"{player.place}/gems", player.name)
    elif isinstance(kind, TwoPlus):
        others = [n for color, n in enumerate(outcome.gems) if n and color not in player.cards]
        if len(others) < len(outcome.extra) - 1:
            yield _note("seekers.plus-bare", f"{player.place}/gems", player.name)


def run_notes(rule: int, kind: AnyKind, player: Player, outcome: Outcome, readings: Readings) -> Iterator[Note]:
    """Runs that could be read as several, to another total, under rules 8, 9, 10 and 17."""
    longer = LONGER_THAN.get(rule, 9)
    for _, key, color, length, start in kind.parts(outcome.gems, outcome.extra):
        if key != "seekers.run":
            continue
        doubt = ""
        if rule == 8:
            if readings["rule-8-runs"] == "once" and length >= 2 * LEAST_IN_RULE_8.get(color, 9):
                doubt = "seekers.run-once"
        elif rule == 9 and length == 6:
            if readings["rule-9-six"] == "not-three" and readings["runs-cut"] == "whole":
                doubt = "seekers.run-of-six"
        elif length > longer and readings["runs-cut"] == "whole":
            doubt = "seekers.run-whole"
        if doubt:
            place = tuple(f"{player.place}/line/{i}" for i in range(start, start + length))
            yield Note(doubt, {"name": player.name, "color": COLORS[color], "n": length}, place)


LONGER_THAN = {9: 3, 10: 2, 17: 3}
"""Runs longer than that would earn more in pieces."""
LEAST_IN_RULE_8 = {0: 2, 1: 3, 2: 4}
"""Red, yellow and green are paid for a run of at least so many."""


def _rainbow_notes(kind: AnyKind, player: Player, outcome: Outcome) -> Iterator[Note]:
    """Where the rainbow's color is one that the player has no gem of, or where the rainbow costs points."""
    assert outcome.rainbow is not None
    place, color = f"{player.place}/{kind.collects}", COLORS[outcome.rainbow]
    if not player.counts[outcome.rainbow]:
        yield _note("seekers.rainbow-alone", place, player.name, "color", color)
    if not outcome.extra or isinstance(kind, ByRun):
        (without,) = kind.points(gems_with(kind, player, COLORLESS), (outcome.extra,))
        if without > outcome.points:
            values: dict[str, Value] = {"name": player.name, "color": color, "n": without - outcome.points}
            yield Note("seekers.rainbow-costs", values, (place,))


def _seeker_notes(player: Player) -> Iterator[Note]:
    """What is odd about a player's seekers."""
    if len(player.seekers) > STACK:
        values: dict[str, Value] = {"name": player.name, "n": len(player.seekers), "most": STACK}
        yield Note("seekers.stack", values, (f"{player.place}/seekers",))
    for bonus in player.bonuses:
        if player.seekers and bonus.seeker not in player.seekers:
            yield _note("seekers.bonus-stranger", bonus.place, player.name, "seeker", bonus.seeker)
    if len(player.bonuses) > 1 and (twice := _doubles([bonus.seeker for bonus in player.bonuses])):
        yield _note("seekers.bonus-twice", f"{player.place}/bonuses", player.name, "seekers", twice)
    if player.bonuses and (gone := _gone(player)):
        yield _note("seekers.bonus-gone", f"{player.place}/bonuses", player.name, "kinds", gone)


def _gone(player: Player) -> tuple[str, ...]:
    """Gold and the rainbow where a bonus took more of them than the player has; colors are discarded more often."""
    taken = [gem for bonus in player.bonuses for gem in bonus.gems]
    held = {"gold": player.gold, "rainbow": player.counts[RAINBOW] + player.invalid[RAINBOW]}
    return tuple([kind for kind, n in held.items() if taken.count(kind) > n])


def table_notes(players: Sequence[Player], uses_cards: bool) -> list[Note]:
    """What is to be said of all players together."""
    notes = []
    if len(players) > PLAYERS:
        notes.append(Note("players.many", {"n": len(players), "most": PLAYERS}, ("/players",)))
    cards: list[int | str] = []
    claimed: list[int | str] = []
    for player in players:
        cards += player.seekers
        if player.bonuses:
            claimed += {bonus.seeker for bonus in player.bonuses}.difference(player.seekers)
    if cards:
        powers = [POWER[card] for card in cards]
        if many := tuple([power for power, most in BASICS if powers.count(power) > most]):
            notes.append(_of_all("seekers.powers", "powers", many))
    if cards or claimed:
        cards += claimed
        if doubles := _doubles([card for card in cards if type(card) is str]):
            notes.append(_of_all("seekers.one-card", "seekers", doubles))
    if uses_cards and (shared := _doubles([COLORS[card] for player in players for card in player.cards])):
        notes.append(_of_all("seekers.cards-shared", "colors", shared))
    return notes


@lru_cache(maxsize=10_000)
def _of_all(key: str, gap: str, value: Value) -> Note:
    """A note on all players together, the same one where the same is to be said again."""
    return Note(key, {gap: value})


def _doubles(words: Sequence[str]) -> tuple[str, ...]:
    """The words that come more than once."""
    once = set(words)
    if len(once) == len(words):
        return ()
    return tuple(sorted([word for word in once if words.count(word) > 1]))
