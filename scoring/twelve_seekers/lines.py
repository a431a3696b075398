"""From what a choice gives to lines that point at gems."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import Final

from scoring.breakdown import Line, Value
from scoring.house_rules import Readings
from scoring.twelve_seekers import bonuses
from scoring.twelve_seekers.choices import Outcome, gems_with
from scoring.twelve_seekers.kinds import COLORS, ByVariety, Part
from scoring.twelve_seekers.sheets import SHEETS, AnyKind
from scoring.twelve_seekers.table import GEMS, RAINBOW, Player

COLOR_WORDS: Final = (*COLORS, "rainbow")
SOURCES: Final = {rule: f"twelve-seekers/rule-{rule}" for rule in SHEETS}


def lines(kind: AnyKind, player: Player, outcome: Outcome, rule: int, readings: Readings) -> list[Line]:
    """Everything that scored for a player."""
    source = SOURCES[rule]
    parts = kind.parts(gems_with(kind, player, outcome.rainbow), outcome.extra)
    if kind.collects == "line":
        found = [_run(player.place, part, source) for part in parts]
    else:
        where = f"{player.place}/{kind.collects}"
        if parts and parts[0][2] < 0:
            found = [_of_all(where, player, part, source) for part in parts]
        else:
            found = [_of_a_color(where, part, part[2] == outcome.rainbow, source) for part in parts]
    if player.gold:
        found.append(_each_one(f"{player.place}/gold", "seekers.gold", player.gold, "twelve-seekers/end"))
        if isinstance(kind, ByVariety) and readings["gold"] == "gem":
            values = {"n": player.gold, "at": kind.gem}
            found.append(Line("seekers.gold-as-gem", kind.gem * player.gold, (f"{player.place}/gold",), values, source))
    if player.invalid[RAINBOW] and readings["rainbow-invalid"] == "valid":
        found.append(Line("seekers.rainbow-invalid", 1, (f"{player.place}/invalid/rainbow",), {"n": 1}, source))
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


@lru_cache(maxsize=10_000)
def _of_a_color(where: str, part: Part, with_rainbow: bool, source: str) -> Line:
    """The same few numbers come again and again, and a line never changes."""
    points, key, color, n, at = part
    held = [COLORS[color]] if n > with_rainbow else []
    if with_rainbow:
        held.append("rainbow")
    values: Mapping[str, Value] = {"color": COLORS[color], "n": n, "at": at}
    return Line(key, points, tuple([f"{where}/{gem}" for gem in held]), values, source)


def _of_all(where: str, player: Player, part: Part, source: str) -> Line:
    points, key, _, n, at = part
    because = tuple([f"{where}/{gem}" for gem, held in zip(GEMS, player.counts, strict=True) if held])
    return Line(key, points, because, {"n": n, "at": at}, source)
