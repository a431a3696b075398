"""What has to be said beside the points: rulings that mattered, and what is odd."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from scoring.breakdown import Note, Value
from scoring.house_rules import Readings
from scoring.twelve_seekers.choices import Outcome, gems_with, has_rainbow
from scoring.twelve_seekers.kinds import COLORLESS, COLORS, ByRun, ByVariety, PlusMinus
from scoring.twelve_seekers.seekers import ADVANCED, BASIC, POWER
from scoring.twelve_seekers.sheets import AnyKind
from scoring.twelve_seekers.table import RAINBOW, Player

STACK = 6
PLAYERS = 2
CHIPS = 40
"""All score chips of the box: twenty of 1 VP and ten of 2."""


def player_notes(kind: AnyKind, player: Player, outcome: Outcome, readings: Readings) -> Iterator[Note]:
    """What is to be said of one player."""
    name = {"name": player.name}
    if has_rainbow(kind, player):
        yield from _rainbow_notes(kind, player, outcome)
    elif "rainbow" in player.made:
        yield Note("seekers.rainbow-ignored", name, (f"{player.place}/choices/rainbow",))
    if player.invalid[RAINBOW] and readings["rainbow-invalid"] == "worthless":
        yield Note("seekers.rainbow-invalid", name, (f"{player.place}/invalid/rainbow",))
    if player.cards and not kind.cards:
        yield Note("seekers.cards-ignored", name, (f"{player.place}/color_cards",))
    if isinstance(kind, PlusMinus) and not outcome.extra:
        yield Note("seekers.no-pair", name, (f"{player.place}/gems",))
    if isinstance(kind, ByVariety) and player.gold and readings["gold"] == "no-gem":
        yield Note("seekers.gold", name, (f"{player.place}/gold",))
    if abs(player.chips) > CHIPS:
        yield Note("seekers.chips-many", {**name, "most": CHIPS}, (f"{player.place}/chips",))
    if player.bonuses or len(player.seekers) > STACK:
        yield from _seeker_notes(player)


def run_notes(rule: int, kind: AnyKind, player: Player, outcome: Outcome, readings: Readings) -> Iterator[Note]:
    """Runs whose length is an open question under rules 8 and 9."""
    for _, key, color, length, start in kind.parts(gems_with(kind, player, outcome.rainbow), outcome.extra):
        if key != "seekers.run":
            continue
        place = tuple(f"{player.place}/line/{i}" for i in range(start, start + length))
        values = {"name": player.name, "color": COLORS[color], "n": length}
        if rule == 8 and readings["rule-8-runs"] == "once" and length >= 2 * LEAST_IN_RULE_8.get(color, 9):
            yield Note("seekers.run-once", values, place)
        if rule == 9 and readings["rule-9-six"] == "not-three" and length == 6:
            yield Note("seekers.run-of-six", values, place)


LEAST_IN_RULE_8 = {0: 2, 1: 3, 2: 4}
"""Red, yellow and green are paid for a run of at least so many."""


def _rainbow_notes(kind: AnyKind, player: Player, outcome: Outcome) -> Iterator[Note]:
    if outcome.rainbow is None or outcome.rainbow == COLORLESS:
        return
    place = (f"{player.place}/{kind.collects}",)
    values = {"name": player.name, "color": COLORS[outcome.rainbow]}
    if not player.counts[outcome.rainbow]:
        yield Note("seekers.rainbow-alone", values, place)
    if not outcome.extra or isinstance(kind, ByRun):
        without = kind.points(gems_with(kind, player, COLORLESS), outcome.extra)
        if without > outcome.points:
            yield Note("seekers.rainbow-costs", {**values, "n": without - outcome.points}, place)


def _seeker_notes(player: Player) -> Iterator[Note]:
    name = {"name": player.name}
    if len(player.seekers) > STACK:
        values: dict[str, Value] = {**name, "n": len(player.seekers), "most": STACK}
        yield Note("seekers.stack", values, (f"{player.place}/seekers",))
    for bonus in player.bonuses:
        if player.seekers and bonus.seeker not in player.seekers:
            yield Note("seekers.bonus-stranger", {**name, "seeker": bonus.seeker}, (bonus.place,))
    if len(player.bonuses) > 1 and (twice := _doubles([bonus.seeker for bonus in player.bonuses])):
        yield Note("seekers.bonus-twice", {**name, "seekers": twice}, (f"{player.place}/bonuses",))


def table_notes(players: Sequence[Player], uses_cards: bool) -> Iterator[Note]:
    """What is to be said of all players together."""
    if len(players) > PLAYERS:
        yield Note("players.many", {"n": len(players), "most": PLAYERS}, ("/players",))
    cards = [card for player in players for card in player.seekers]
    if cards:
        powers = [POWER[card] for card in cards]
        if many := tuple([p for p, most in BASIC.items() if powers.count(p) > most]):
            yield Note("seekers.powers", {"powers": many})
        if doubles := _doubles([card for card in cards if card in ADVANCED]):
            yield Note("seekers.one-card", {"seekers": doubles})
    if uses_cards and (shared := _doubles([COLORS[card] for player in players for card in player.cards])):
        yield Note("seekers.cards-shared", {"colors": shared})


def _doubles(words: Sequence[str]) -> tuple[str, ...]:
    """The words that come more than once."""
    once: set[str] = set()
    again: set[str] = set()
    for word in words:
        (again if word in once else once).add(word)
    return tuple(sorted(again))
