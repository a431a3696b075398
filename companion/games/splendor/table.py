"""The table of Splendor: bought cards and nobles in the players' zones, reserved cards in `A.reserved`."""

from __future__ import annotations

from typing import Any

from companion.games.zones import Kind, Table, one_of, whole
from scoring.splendor import COLORS
from vision.errors import Message

RESERVED = "reserved"


def _needs(value: Any) -> bool:
    return isinstance(value, dict) and bool(value) and all(
        color in COLORS and type(n) is int and 0 < n < 10 for color, n in value.items()
    )  # fmt: skip


CARDS = {
    "development": Kind({"points": whole(0, 9), "bonus": one_of(COLORS), "level": whole(1, 3)}, (("bonus",),)),
    "noble": Kind({"needs": (Message("profile.needs"), _needs)}, (("needs",),)),
}


def state(seen: Table) -> dict[str, Any]:
    """Whether the round is over is for people to say."""
    return {}


def player(seen: Table, zone: str, place: str) -> dict[str, Any]:
    """A player's cards and nobles; tokens are for people to count."""
    reserved = f"{zone}.{RESERVED}"
    parts = [part for part in seen.parts(zone) if part != reserved]
    bought = seen.cards(parts, "development")
    out: dict[str, Any] = {
        "cards": [{"points": c.piece.card.get("points", 0), "bonus": c.piece.card["bonus"]} for c in bought]
    }
    for i, card in enumerate(bought):
        seen.saw(f"{place}/cards/{i}", [card])
    nobles = seen.cards(parts, "noble")
    if nobles:
        out["nobles"] = [dict(noble.piece.card["needs"]) for noble in nobles]
        for i, noble in enumerate(nobles):
            seen.saw(f"{place}/nobles/{i}", [noble])
    kept = seen.cards([reserved], "development") if reserved in seen.profile.zones else []
    if kept:
        out["reserved"] = len(kept)
        seen.saw(f"{place}/reserved", kept)
    return out
