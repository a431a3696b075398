"""From what a choice gives to lines that point at gems."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from scoring.breakdown import Line, Value
from scoring.house_rules import Readings
from scoring.twelve_seekers import bonuses
from scoring.twelve_seekers.choices import Outcome
from scoring.twelve_seekers.kinds import COLORS, ByVariety, Part
from scoring.twelve_seekers.sheets import AnyKind
from scoring.twelve_seekers.table import GEMS, RAINBOW, Player

COLOR_WORDS: Final = (*COLORS, "rainbow")


def lines(kind: AnyKind, player: Player, outcome: Outcome, rule: int, readings: Readings) -> list[Line]:
    """Everything that scored for a player."""
    source = f"twelve-seekers/rule-{rule}"
    found = [_line(kind, player, outcome.rainbow, part, source) for part in outcome.parts]
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


def _line(kind: AnyKind, player: Player, rainbow: int | None, part: Part, source: str) -> Line:
    points, key, color, n, at = part
    where = f"{player.place}/{kind.collects}"
    if kind.collects == "line":
        because = tuple([f"{where}/{i}" for i in range(at, at + n)])
        values: Mapping[str, Value] = {"color": COLOR_WORDS[color], "n": n, "from": at + 1}
        return Line(key, points, because, values, source)
    if color < 0:
        because = tuple([f"{where}/{GEMS[gem]}" for gem, held in enumerate(player.counts) if held])
        return Line(key, points, because, {"n": n, "each": at}, source)
    held = player.counts[color]
    because = (f"{where}/{GEMS[color]}",) if held else ()
    if rainbow == color:
        because = (*because, f"{where}/rainbow")
    return Line(key, points, because, {"color": COLORS[color], "n": n, "at": at}, source)
