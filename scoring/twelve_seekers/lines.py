"""From what a choice gives to lines that point at gems.

The same few lines come again and again, and a line never changes: it is made once and given again.
"""

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Final

from scoring.breakdown import Line, Value
from scoring.fields import members
from scoring.house_rules import Readings
from scoring.twelve_seekers import bonuses
from scoring.twelve_seekers.choices import Outcome
from scoring.twelve_seekers.kinds import COLORS, ByVariety, Part
from scoring.twelve_seekers.sheets import SHEETS, AnyKind, clause
from scoring.twelve_seekers.table import GEMS, RAINBOW, Player

COLOR_WORDS: Final = (*COLORS, "rainbow")
IN_A_COUNT: Final = 0
"""Where the rainbow gem lies that is one of a count: at no place of a line."""
SOURCES: Final = {rule: f"twelve-seekers/rule-{rule}" for rule in SHEETS}


def lines(
    kind: AnyKind, player: Player, outcome: Outcome | None, parts: Sequence[Part], rule: int, readings: Readings
) -> list[Line]:
    """Everything that scored for a player: the parts of the sheet's points, gold, bonuses, chips.

    `outcome` is None where the sheet's points are not known yet.
    """
    rainbow = None if outcome is None else outcome.rainbow
    if kind.collects == "line":
        at = -1 if rainbow is None else player.line.index(RAINBOW)
        found = [
            _of_a_run(player.place, rule, at + 1 if part[4] <= at < part[4] + part[3] else 0, part) for part in parts
        ]
    elif parts and parts[0][2] < 0:
        gems = tuple([gem for gem, held in zip(GEMS, player.counts, strict=True) if held])
        found = [_of_all(f"{player.place}/{kind.collects}", gems, part, SOURCES[rule]) for part in parts]
    else:
        found = [_of_a_color(player.place, rule, part[2] == rainbow, part) for part in parts]
    if player.gold:
        found.append(_gold(f"{player.place}/gold", player.gold))
        if isinstance(kind, ByVariety) and readings["gold"] != "no-gem":
            where = (f"{player.place}/gold",)
            values = {"n": player.gold, "at": kind.gem}
            found.append(Line("seekers.gold-as-gem", kind.gem * player.gold, where, values, SOURCES[rule]))
            if readings["gold"] == "color":
                found.append(Line("seekers.gold-as-color", kind.color, where, {"at": kind.color}, SOURCES[rule]))
    if any(player.neither):
        found.append(_neither(f"{player.place}/gems", tuple(player.neither), SOURCES[rule]))
    if player.invalid[RAINBOW] and readings["rainbow-invalid"] == "valid":
        found.append(Line("seekers.rainbow-invalid", 1, (f"{player.place}/invalid/rainbow",), {"n": 1}, SOURCES[rule]))
    found += [bonuses.line(bonus) for bonus in player.bonuses]
    if player.chips:
        found.append(_chips(f"{player.place}/chips", player.chips))
    return found


@lru_cache(maxsize=1000)
def _neither(where: str, counts: tuple[int, ...], source: str) -> Line:
    """Gems that lie in neither place count nothing."""
    held = tuple([f"{where}/{gem}" for gem, n in zip(GEMS, counts, strict=True) if n])
    return Line("seekers.neither", 0, held, {"n": sum(counts)}, source)


@lru_cache(maxsize=1000)
def _gold(where: str, n: int) -> Line:
    """1 VP for each piece of gold."""
    return Line("seekers.gold", n, (where,), {"n": n, "each": 1}, "twelve-seekers/end")


@lru_cache(maxsize=1000)
def _chips(where: str, n: int) -> Line:
    """The score chips, as many VP as they say."""
    return Line("seekers.chips", n, (where,), {"n": n}, "twelve-seekers/advanced")


@lru_cache(maxsize=2000)
def _said(rule: int, part: Part) -> tuple[str, Mapping[str, Value]]:
    """A line's key and gaps: what lies there, and the clause that pays it. Players' lines differ in places only."""
    suffix, rate = clause(rule, part)
    points, key, color, n, at = part
    values: dict[str, Value] = {"color": COLOR_WORDS[color], "n": n, **rate}
    if key in ("seekers.number", "seekers.other-number", "seekers.plus", "seekers.minus", "seekers.rank"):
        values["at"] = at
    if key == "seekers.number":
        values["each"] = points
    return f"{key}.{suffix}" if suffix else key, values


@lru_cache(maxsize=20_000)
def _of_a_color(place: str, rule: int, with_rainbow: bool, part: Part) -> Line:
    """The line of a color: it points at the color's count, and at the rainbow's where that gem is one of them."""
    key, values = _said(rule, part)
    held = [COLORS[part[2]]] if part[3] > with_rainbow else []
    if with_rainbow:
        held.append("rainbow")
        values = {**values, "rainbow": IN_A_COUNT}
    where = f"{place}/{SHEETS[rule].kind.collects}"
    return Line(key, part[0], tuple([f"{where}/{gem}" for gem in held]), values, SOURCES[rule])


@lru_cache(maxsize=20_000)
def _of_a_run(place: str, rule: int, rainbow: int, part: Part) -> Line:
    """The line of a run: it points at its gems. The rainbow gem is that at place `rainbow`, from 1 (0: none)."""
    key, values = _said(rule, part)
    *_, length, start = part
    values = {**values, "from": start + 1}
    if rainbow:
        values = {**values, "rainbow": rainbow}
    return Line(key, part[0], members(f"{place}/line", start + length)[start:], values, SOURCES[rule])


@lru_cache(maxsize=10_000)
def _of_all(where: str, gems: tuple[str, ...], part: Part, source: str) -> Line:
    """The line of all gems of a player together."""
    points, key, _, n, at = part
    values: dict[str, Value] = {"n": n, "at": at}
    if "rainbow" in gems:
        values["rainbow"] = IN_A_COUNT
    return Line(key, points, tuple([f"{where}/{gem}" for gem in gems]), values, source)
