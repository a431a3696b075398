"""The table of Igna: treasure cards in sets of three, each three that lie side by side in a row. The zone `laid` holds
the treasure that is offered: with it the referee follows the turns.
"""

from typing import Any

from common.messages import Message
from companion.games.zones import Kind, Table, whole

SET = 3
LAID = "laid"

CARDS = {
    "treasure": Kind(
        {
            "color": (Message("profile.word"), lambda value: isinstance(value, str) and bool(value)),
            "number": whole(1, 999_999_999),
            "bonus": (Message("profile.flag"), lambda value: isinstance(value, bool)),
        },
        (("color", "number"),),
    ),
}


def state(seen: Table) -> dict[str, Any]:
    """The treasure that is offered. The values on the help card are for people to say."""
    if LAID not in seen.observation.zones:
        return {}
    cards = seen.cards([LAID], "treasure")[-1:]
    if cards:
        seen.saw("/laid", cards)
    return {"laid": _treasure(cards[0].piece.card) if cards else None}


def player(seen: Table, zone: str, place: str) -> dict[str, Any]:
    """A player's sets; cards that make no three yet are left out."""
    sets: list[list[dict[str, Any]]] = []
    parts = seen.parts(zone)
    for cards in seen.card_rows(parts, "treasure"):
        for first in range(0, len(cards) - SET + 1, SET):
            for i, card in enumerate(cards[first : first + SET]):
                seen.saw(f"{place}/sets/{len(sets)}/{i}", [card])
            sets.append([_treasure(card.piece.card) for card in cards[first : first + SET]])
        if len(cards) % SET:
            seen.say("table.no-set", zone=zone, n=len(cards) % SET)
        elif any(n % SET for n in seen.parts_of(cards)):
            seen.say("table.gap", zone=zone)
    return {"sets": sets} if seen.tells("treasure", sets, parts) else {}


def _treasure(card: Any) -> dict[str, Any]:
    out = {"color": card["color"], "number": card["number"]}
    return {**out, "bonus": True} if card.get("bonus") else out
