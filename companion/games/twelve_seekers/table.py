"""The table of Twelve Seekers: gems in the players' zones, seeker cards, color cards, the rule sheet in play."""

from collections import Counter
from collections.abc import Iterator
from typing import Any

from common.messages import Message
from companion.games.set_up import Check, Laid, empty
from companion.games.zones import LOOSE, Kind, Seen, Table, one_of, whole
from scoring.twelve_seekers.kinds import COLORS
from scoring.twelve_seekers.seekers import ADVANCED
from scoring.twelve_seekers.sheets import SHEETS
from scoring.twelve_seekers.table import GEMS, GOLD, IN_THE_BOX

VALID, INVALID = "valid", "invalid"

CARDS = {
    "seeker": Kind({"power": whole(1, 5), "seeker": one_of(ADVANCED)}, (("power",), ("seeker",))),
    "color": Kind({"color": one_of(COLORS)}, (("color",),)),
    "rule": Kind({"rule": whole(1, len(SHEETS))}, (("rule",),)),
    "order": Kind({"order": whole(1, 4)}, ((),)),
}


DUNGEON = "dungeon"
ROW = {**dict(zip(GEMS, IN_THE_BOX, strict=True)), "gold": GOLD}
"""The tiles of the dungeon before the first turn."""
FIELD = 12
"""Seeker cards that lie open then."""


def set_up(laid: Laid) -> Iterator[Check]:
    """All tiles in the dungeon and how they are read, twelve seekers where they are known, nothing before players."""
    there = Counter({color: laid.tiles[color] for color in ROW})
    missing, more = Counter(ROW) - there, there - Counter(ROW)
    if not missing and not more:
        yield Check(Message("set-up.tiles", {"n": there.total()}), True)
    if missing:
        yield Check(Message("set-up.tiles.missing", {"n": missing.total(), "colors": [*missing.elements()]}), False)
    if more:
        yield Check(Message("set-up.tiles.more", {"colors": [*more.elements()]}), False)
    if laid.rows > 1:
        yield Check(Message("set-up.rows", {"n": laid.rows}), True)
    for key, colors in (("set-up.glare", laid.glaring), ("set-up.doubtful", laid.doubtful)):
        if colors:
            yield Check(Message(key, {"n": len(colors), "colors": [*colors]}), False, asked=True)
    if n := laid.cards["seeker"]:
        yield Check(Message("set-up.seekers", {"n": n, "of": FIELD}), n == FIELD)
    yield empty(laid)


def state(seen: Table) -> dict[str, Any]:
    """The rule in play, and what lies before nobody: the dungeon, the seekers that are left, the order card.

    What is not in sight is unknown, and left out.
    """
    out = _rule(seen)
    if DUNGEON in seen.observation.zones:
        row = seen.tiles([DUNGEON])
        if seen.tells(LOOSE, row, [DUNGEON]):
            out["dungeon"] = [one.piece.color for one in row]
            seen.saw_each("/dungeon", row)
    for key, kind in (("seekers_left", "seeker"), ("order_cards", "order")):
        here = [card for card in seen.cards(kind=kind) if card.piece.zone in (None, DUNGEON)]
        cards = [card for card in here if card.piece.card.keys() - {"kind"}]
        if cards:
            out[key] = [_value(card) for card in cards]
            seen.saw_each(f"/{key}", cards)
    return out


def _rule(seen: Table) -> dict[str, Any]:
    """The rule: of the sheet that was laid down, else the profile's."""
    sheets = seen.cards(kind="rule")
    rules = {card.piece.card["rule"] for card in sheets}
    if len(rules) == 1:
        seen.saw("/rule", sheets)
        return {"rule": rules.pop()}
    if rules and "rule" not in seen.typed:
        seen.say("table.rules", rules=", ".join(map(str, sorted(rules))))
        return {}
    return {} if seen.profile.rule is None else {"rule": seen.profile.rule}


def player(seen: Table, zone: str, place: str) -> dict[str, Any]:
    """What lies in front of a player."""
    parts = seen.parts(zone)
    tiles = seen.tiles(parts)
    gems = [one for one in tiles if one.piece.color in GEMS]
    out: dict[str, Any] = {}
    collects = _collects(seen)
    if collects == "line":
        out["line"] = [gem.piece.color for gem in gems]
        seen.saw_each(f"{place}/line", gems)
    elif collects == "gems":
        out["gems"] = _counts(seen, gems, f"{place}/gems")
    else:
        for part in (VALID, INVALID):
            area = f"{zone}.{part}"
            if area in seen.observation.zones or area not in seen.profile.zones:
                out[part] = _counts(seen, [gem for gem in gems if gem.piece.zone == area], f"{place}/{part}")
        if beside := [gem for gem in gems if gem.piece.zone == zone]:
            out["gems"] = _counts(seen, beside, f"{place}/gems")
        if not any(f"{zone}.{part}" in seen.profile.zones for part in (VALID, INVALID)):
            seen.say("table.neither", zone=zone)
    gold = [one for one in tiles if one.piece.color == "gold"]
    if gold:
        out["gold"] = len(gold)
        seen.saw(f"{place}/gold", gold)
    taken, colors = (seen.cards(parts, kind) for kind in ("seeker", "color"))
    if seen.tells("seeker", taken, parts):
        out["seekers"] = [_value(card) for card in taken]
        seen.saw_each(f"{place}/seekers", taken)
    if colors:  # they lie face down until the end: none in sight is not none
        out["color_cards"] = [_value(card) for card in colors]
        seen.saw_each(f"{place}/color_cards", colors)
    return out


def _collects(seen: Table) -> str:
    """What the rule counts: `gems`, `line` or `valid`. A line says the most where no rule is known yet."""
    rules = {card.piece.card["rule"] for card in seen.cards(kind="rule")} or {seen.profile.rule}
    rule = seen.typed.get("rule", rules.pop() if len(rules) == 1 else None)
    return SHEETS[rule].kind.collects if type(rule) is int and rule in SHEETS else "line"


def _counts(seen: Table, gems: list[Seen], place: str) -> dict[str, int]:
    counts = {}
    for color in GEMS:
        here = [gem for gem in gems if gem.piece.color == color]
        if here:
            counts[color] = len(here)
            seen.saw(f"{place}/{color}", here)
    return counts


def _value(card: Seen) -> Any:
    said = card.piece.card
    return next(said[key] for key in ("power", "seeker", "color", "order") if key in said)
