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
from scoring.twelve_seekers.sheets import AnyKind
from scoring.twelve_seekers.table import GEMS, RAINBOW, Player

COLOR_WORDS: Final = (*COLORS, "rainbow")


def lines(kind: AnyKind, player: Player, outcome: Outcome, rule: int, readings: Readings) -> list[Line]:
    """Everything that scored for a player."""
    source = f"twelve-seekers/rule-{rule}"
    parts = kind.parts(gems_with(kind, player, outcome.rainbow), outcome.extra)
    if kind.collects == "line":
        found = [_run(player.place, part, source) for part in parts]
    else:
        found = [_count(kind, player, outcome.rainbow, part, source) for part in parts]
    if player.gold:
        gold = (f"{player.place}/gold",)
        found.append(Line("seekers.gold", player.gold, gold, {"n": player.gold}, "twelve-seekers/end"))
        if isinstance(kind, ByVariety) and readings["gold"] == "gem":
            values = {"n": player.gold, "at": kind.gem}
            found.append(Line("seekers.gold-as-gem", kind.gem * player.gold, gold, values, source))
    if player.invalid[RAINBOW] and readings["rainbow-invalid"] == "valid":
        found.append(Line("seekers.rainbow-invalid", 1, (f"{player.place}/invalid/rainbow",), {"n": 1}, source))
    found += [bonuses.line(bonus) for bonus in player.bonuses]
    if player.chips:
        values = {"n": player.chips}
        found.append(Line("seekers.chips", player.chips, (f"{player.place}/chips",), values, "twelve-seekers/advanced"))
    return found


def _run(place: str, part: Part, source: str) -> Line:
    points, key, color, length, start = part
    because = tuple([f"{place}/line/{i}" for i in range(start, start + length)])
    return Line(key, points, because, {"color": COLOR_WORDS[color], "n": length, "from": start + 1}, source)


def _count(kind: AnyKind, player: Player, rainbow: int | None, part: Part, source: str) -> Line:
    color = part[2]
    if color < 0:
        held = tuple([gem for gem, n in zip(GEMS, player.counts, strict=True) if n])
    elif rainbow == color:
        held = (GEMS[color], "rainbow") if player.counts[color] else ("rainbow",)
    else:
        held = (GEMS[color],) if player.counts[color] else ()
    return _counted(f"{player.place}/{kind.collects}", held, part, source)


@lru_cache(maxsize=10_000)
def _counted(where: str, held: tuple[str, ...], part: Part, source: str) -> Line:
    """The same few numbers come again and again, and a line never changes."""
    points, key, color, n, at = part
    values: Mapping[str, Value] = {"n": n, "at": at} if color < 0 else {"color": COLORS[color], "n": n, "at": at}
    return Line(key, points, tuple([f"{where}/{gem}" for gem in held]), values, source)
