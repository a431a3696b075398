"""From what a choice gives to lines that point at gems.

The same few lines come again and again, and a line never changes: it is made once and given again.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import Final

from scoring.breakdown import Line, Value
from scoring.house_rules import Readings
from scoring.twelve_seekers import bonuses
from scoring.twelve_seekers.choices import Outcome
from scoring.twelve_seekers.kinds import COLORS, ByVariety, Part
from scoring.twelve_seekers.sheets import SHEETS, AnyKind
from scoring.twelve_seekers.table import GEMS, RAINBOW, Player

COLOR_WORDS: Final = (*COLORS, "rainbow")
SOURCES: Final = {rule: f"twelve-seekers/rule-{rule}" for rule in SHEETS}


def lines(kind: AnyKind, player: Player, outcome: Outcome, rule: int, readings: Readings) -> list[Line]:
    """Everything that scored for a player."""
    parts = kind.parts(outcome.gems, outcome.extra)
    if kind.collects == "line":
        found = [_run(player.place, part, SOURCES[rule]) for part in parts]
    elif parts and parts[0][2] < 0:
        gems = tuple([gem for gem, held in zip(GEMS, player.counts, strict=True) if held])
        found = [_of_all(f"{player.place}/{kind.collects}", gems, part, SOURCES[rule]) for part in parts]
    else:
        known = _of_a_color(player.place, rule, False)
        found = [known[part] for part in parts]
        if outcome.rainbow is not None:
            joined = _of_a_color(player.place, rule, True)
            found = [joined[part] if part[2] == outcome.rainbow else known[part] for part in parts]
    if player.gold:
        found.append(_each_one(f"{player.place}/gold", "seekers.gold", player.gold, "twelve-seekers/end"))
        if isinstance(kind, ByVariety) and readings["gold"] != "no-gem":
            where = (f"{player.place}/gold",)
            values = {"n": player.gold, "at": kind.gem}
            found.append(Line("seekers.gold-as-gem", kind.gem * player.gold, where, values, SOURCES[rule]))
            if readings["gold"] == "color":
                found.append(Line("seekers.gold-as-color", kind.color, where, {"at": kind.color}, SOURCES[rule]))
    if player.invalid[RAINBOW] and readings["rainbow-invalid"] == "valid":
        found.append(Line("seekers.rainbow-invalid", 1, (f"{player.place}/invalid/rainbow",), {"n": 1}, SOURCES[rule]))
    found += [bonuses.line(bonus) for bonus in player.bonuses]
    if player.chips:
        found.append(_each_one(f"{player.place}/chips", "seekers.chips", player.chips, "twelve-seekers/advanced"))
    return found


@lru_cache(maxsize=1000)
def _each_one(where: str, key: str, n: int, source: str) -> Line:
    """1 VP for each of what lies there."""
    return Line(key, n, (where,), {"n": n}, source)


def _run(place: str, part: Part, source: str) -> Line:
    points, key, color, length, start = part
    because = tuple([f"{place}/line/{i}" for i in range(start, start + length)])
    return Line(key, points, because, {"color": COLOR_WORDS[color], "n": length, "from": start + 1}, source)


class OfAColor(dict[Part, Line]):
    """The lines that a rule gives for one color of a player, by part. Each is made when it is first looked up."""

    def __init__(self, where: str, source: str, with_rainbow: bool) -> None:
        self.where, self.source, self.with_rainbow = where, source, with_rainbow

    def __missing__(self, part: Part) -> Line:
        points, key, color, n, at = part
        held = [COLORS[color]] if n > self.with_rainbow else []
        if self.with_rainbow:
            held.append("rainbow")
        values: Mapping[str, Value] = {"color": COLORS[color], "n": n, "at": at}
        because = tuple([f"{self.where}/{gem}" for gem in held])
        self[part] = line = Line(key, points, because, values, self.source)
        return line


@lru_cache(maxsize=200)
def _of_a_color(place: str, rule: int, with_rainbow: bool) -> OfAColor:
    """The lines of a player under a rule, without or with the rainbow among the gems."""
    return OfAColor(f"{place}/{SHEETS[rule].kind.collects}", SOURCES[rule], with_rainbow)


@lru_cache(maxsize=10_000)
def _of_all(where: str, gems: tuple[str, ...], part: Part, source: str) -> Line:
    """The line of all gems of a player together."""
    points, key, _, n, at = part
    return Line(key, points, tuple([f"{where}/{gem}" for gem in gems]), {"n": n, "at": at}, source)
