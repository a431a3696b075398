"""What has to be said beside the points: rulings that mattered, and what is odd."""

from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Final

from scoring.breakdown import Note, Value
from scoring.house_rules import Readings
from scoring.twelve_seekers.choices import Outcome, gems_with
from scoring.twelve_seekers.kinds import COLORLESS, COLORS, NUMBERS, ByNumber, ByRun, ByVariety, Extra, Part, TwoPlus
from scoring.twelve_seekers.seekers import ALL_POWERS, BASIC, GAMES, POWER, STACK
from scoring.twelve_seekers.sheets import AnyKind
from scoring.twelve_seekers.table import GEMS, RAINBOW, Player, Table

PLAYERS: Final = 2
BASICS: Final = tuple(BASIC.items())
EVERY_GAME: Final = (1 << len(GAMES)) - 1
"""The basic, the advanced and the chaos game, one bit each."""
CHIPS: Final = 40
"""All score chips of the box: twenty of 1 VP and ten of 2."""
CARDS_ARE_DRAWN: Final = 19
"""The rule whose color cards are the deck of the rounds."""
ONE_IS_THROWN: Final = frozenset((11, 12, 13))
"""The rules under which every turn throws away a gem of a color."""
MOST_TILES: Final = 25
"""In front of one player: 24 by the six highest powers, and one that the opponent handed over (`give-one`, which
is the third seeker of power 3)."""


def player_notes(kind: AnyKind, player: Player, outcome: Outcome | None, rule: int, readings: Readings) -> list[Note]:
    """What is to be said of one player; `outcome` is None where color cards are not known."""
    place, name = player.place, player.name
    notes: list[Note] = []
    if outcome is None:
        pass
    elif outcome.rainbow is not None:
        if outcome.rainbow != COLORLESS:
            notes += _rainbow_notes(kind, player, outcome)
    elif "rainbow" in player.made:
        notes.append(_note("seekers.rainbow-ignored", f"{place}/choices/rainbow", name))
    if player.invalid[RAINBOW] and readings["rainbow-invalid"] == "worthless":
        notes.append(_note("seekers.rainbow-invalid", f"{place}/invalid/rainbow", name))
    if any(player.neither):
        values: dict[str, Value] = {"name": name, "n": sum(player.neither), "rule": "T10"}
        where = tuple([f"{place}/gems/{gem}" for gem, n in zip(GEMS, player.neither, strict=True) if n])
        notes.append(Note("seekers.neither", values, where, f"twelve-seekers/rule-{rule}"))
    if player.shown and not kind.cards:
        key = "seekers.cards-drawn" if rule == CARDS_ARE_DRAWN else "seekers.cards-ignored"
        notes.append(_note(key, f"{place}/color_cards", name))
    if outcome is not None and "plus" in kind.chosen:
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


def run_notes(rule: int, player: Player, parts: Sequence[Part], readings: Readings) -> Iterator[Note]:
    """Runs that could be read as several, to another total, under rules 8, 9, 10 and 17; single gems under rule 9."""
    longer = LONGER_THAN.get(rule, 9)
    if rule in COSTS_SINGLES and readings["rule-9-singles"] == "charged":
        single = tuple([f"{player.place}/line/{part[4]}" for part in parts if part[1] == "seekers.single"])
        if single:
            yield Note("seekers.singles", {"name": player.name, "n": len(single)}, single, "twelve-seekers/rule-9")
    if rule in PAYS_PLUS_RUNS and readings["plus-runs"] == "each":
        yield from _several_runs(player, parts)
    for _, key, color, length, start in parts:
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


def _several_runs(player: Player, parts: Sequence[Part]) -> Iterator[Note]:
    """Plus colors with more than one run that pays, each of which counts."""
    by_color: dict[int, list[Part]] = {}
    for part in parts:
        if part[0]:
            by_color.setdefault(part[2], []).append(part)
    for color, runs in by_color.items():
        if len(runs) > 1:
            values: dict[str, Value] = {"name": player.name, "color": COLORS[color], "n": len(runs)}
            place = tuple([f"{player.place}/line/{start + i}" for *_, length, start in runs for i in range(length)])
            yield Note("seekers.plus-runs", values, place, "twelve-seekers/rules-16-17")


COSTS_SINGLES = frozenset((9,))
PAYS_PLUS_RUNS = frozenset((16, 17))
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
    if not outcome.extra or isinstance(kind, (ByRun, ByNumber)):
        chosen: Sequence[Extra] = (outcome.extra,)
        if isinstance(kind, ByNumber) and "number" not in player.made:
            chosen = NUMBERS
        without = max(kind.points(gems_with(kind, player, COLORLESS), chosen))
        if without > outcome.points:
            values: dict[str, Value] = {"name": player.name, "color": color, "n": without - outcome.points}
            yield Note("seekers.rainbow-costs", values, (place,))


def _seeker_notes(player: Player) -> Iterator[Note]:
    """What is odd about a player's seekers."""
    if len(player.seekers) > STACK:
        values: dict[str, Value] = {"name": player.name, "n": len(player.seekers), "most": STACK, "rule": "T4"}
        yield Note("seekers.stack", values, (f"{player.place}/seekers",), "twelve-seekers/course")
    for bonus in player.bonuses:
        if player.seekers and bonus.seeker not in player.seekers:
            yield _note("seekers.bonus-stranger", bonus.place, player.name, "seeker", bonus.seeker)
    if len(player.bonuses) > 1 and (twice := _doubles([bonus.seeker for bonus in player.bonuses])):
        yield _note("seekers.bonus-twice", f"{player.place}/bonuses", player.name, "seekers", twice)
    if player.bonuses and (gone := _gone(player)):
        yield _note("seekers.bonus-gone", f"{player.place}/bonuses", player.name, "kinds", gone)


def _gone(player: Player) -> tuple[str, ...]:
    """Gold and the rainbow where a bonus took more of them than the player has; colors are discarded more often."""
    held = ("gold", player.gold), ("rainbow", player.counts[RAINBOW] + player.invalid[RAINBOW])
    return tuple([kind for kind, n in held if sum([bonus.gems.count(kind) for bonus in player.bonuses]) > n])


def table_notes(table: Table, uses_cards: bool) -> list[Note]:
    """What is to be said of all players together."""
    players = table.players
    notes = _tile_notes(table)
    if len(players) > PLAYERS:
        notes.append(Note("players.many", {"n": len(players), "most": PLAYERS}, ("/players",)))
    cards: list[int | str] = []
    claimed: list[int | str] = []
    for player in players:
        cards += player.seekers
        if player.bonuses:
            claimed += {bonus.seeker for bonus in player.bonuses}.difference(player.seekers)
    if cards:
        powers = list(map(POWER.__getitem__, cards))
        if many := tuple([power for power, most in BASICS if powers.count(power) > most]):
            notes.append(_of_all("seekers.powers", "powers", many, "T2", "twelve-seekers/chaos"))
        notes += _stack_notes(table)
    if cards or claimed:
        cards += claimed
        if len(set(cards)) < len(cards) and (doubles := _doubles([card for card in cards if type(card) is str])):
            notes.append(_of_all("seekers.one-card", "seekers", doubles, "T2", "twelve-seekers/contents"))
    if uses_cards and (shared := _doubles([COLORS[card] for player in players for card in player.cards])):
        notes.append(_of_all("seekers.cards-shared", "colors", shared, "", "twelve-seekers/contents"))
    return notes


def _stack_notes(table: Table) -> list[Note]:
    """Stacks that no game gives: not none, two or six advanced seekers of six; gems that do not fit the powers."""
    notes: list[Note] = []
    games, only_basic = EVERY_GAME, len(table.players) == PLAYERS
    for player in table.players:
        advanced = list(map(type, player.seekers)).count(str)
        fits = _games(len(player.seekers) - advanced, advanced)
        if not fits:
            values: dict[str, Value] = {"name": player.name, "n": advanced, "rule": "T6"}
            where = (f"{player.place}/seekers",)
            notes.append(Note("seekers.advanced-number", values, where, "twelve-seekers/advanced-game"))
        games &= fits or EVERY_GAME
        only_basic = only_basic and not advanced and bool(player.seekers)
    if not games:
        names = tuple([p.name for p in table.players if p.seekers])
        notes.append(_of_all("seekers.advanced-unlike", "names", names, "T6", "twelve-seekers/advanced-game"))
    if only_basic:
        for player in table.players:
            notes += _gems_and_powers(player, table.rule)
    return notes


@lru_cache(maxsize=200)
def _games(basic: int, advanced: int) -> int:
    """The games in which a player can have taken so many seekers of either kind (bits, as `GAMES`)."""
    if basic + advanced > STACK:
        return EVERY_GAME  # too many of them, which is said by itself
    return sum(1 << i for i, most in enumerate(GAMES) if basic <= most[0] and advanced <= most[1])


def _gems_and_powers(player: Player, rule: int) -> Iterator[Note]:
    """Where a player who took basic seekers only has another number of tiles than their powers give."""
    if len(player.seekers) > STACK:
        return
    n = _tiles(player)
    power = sum([POWER[card] for card in player.seekers])
    least = power - len(player.seekers) if rule in ONE_IS_THROWN else power
    if not least <= n <= power:
        key = "seekers.gems-powers-thrown" if rule in ONE_IS_THROWN else "seekers.gems-powers"
        values: dict[str, Value] = {"name": player.name, "n": n, "power": power, "least": least, "rule": "T17"}
        yield Note(key, values, (f"{player.place}/seekers",), "twelve-seekers/turn")


def _tiles(player: Player) -> int:
    return sum(player.counts) + sum(player.invalid) + sum(player.neither) + player.gold


def _tile_notes(table: Table) -> list[Note]:
    """More tiles than twelve turns take, or six."""
    notes: list[Note] = []
    in_all = 0
    values: dict[str, Value]
    for player in table.players:
        n = _tiles(player)
        in_all += n
        if n > MOST_TILES:
            values = {"name": player.name, "n": n, "most": MOST_TILES, "rule": "T16"}
            notes.append(Note("seekers.tiles-one", values, (player.place,), "twelve-seekers/turn"))
    if in_all > ALL_POWERS:
        values = {"n": in_all, "most": ALL_POWERS, "rule": "T16"}
        notes.append(Note("seekers.tiles", values, source="twelve-seekers/turn"))
    if in_all > ALL_POWERS - PLAYERS * STACK and table.rule in ONE_IS_THROWN:
        most = ALL_POWERS - PLAYERS * STACK
        colored = sum([sum(player.counts[:RAINBOW]) for player in table.players])
        if colored > most:
            values = {"n": colored, "most": most, "rule": "T12"}
            notes.append(Note("seekers.tiles-thrown", values, source=f"twelve-seekers/rule-{table.rule}"))
    return notes


@lru_cache(maxsize=10_000)
def _of_all(key: str, gap: str, value: Value, rule: str, source: str) -> Note:
    """A note on all players together, the same one where the same is to be said again."""
    return Note(key, {gap: value, "rule": rule} if rule else {gap: value}, (), source)


def _doubles(words: Sequence[str]) -> tuple[str, ...]:
    """The words that come more than once."""
    once = set(words)
    if len(once) == len(words):
        return ()
    return tuple(sorted([word for word in once if words.count(word) > 1]))
