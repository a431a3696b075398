"""Fireflies: a player's cards lie face up in the player's area."""

from __future__ import annotations

from typing import Any

from companion.games.entry import Game, TableRules
from companion.games.shape import TABLE
from companion.games.zones import Kind, Table, one_of, whole
from scoring.fireflies import COLORS, NUMBERS


def state(seen: Table) -> dict[str, Any]:
    """Nothing lies in the middle."""
    return {}


def player(seen: Table, zone: str, place: str) -> dict[str, Any]:
    """A player's cards, in the order in which they lie."""
    cards = seen.cards(seen.parts(zone), "firefly")
    for i, card in enumerate(cards):
        seen.saw(f"{place}/cards/{i}", [card])
    return {"cards": [f"{card.piece.card['color']}{card.piece.card['number']}" for card in cards]}


KINDS = {"firefly": Kind({"color": one_of(COLORS), "number": whole(1, NUMBERS)}, (("color", "number"),))}

GAME = Game(
    "fireflies",
    shape={**TABLE, "players": [{"name": str, "cards": [str]}]},
    box={"colors": list(COLORS), "numbers": NUMBERS},
    table=TableRules(state, player, KINDS),
    deck=tuple(
        {"kind": "firefly", "color": color, "number": number} for color in COLORS for number in range(1, NUMBERS + 1)
    ),
)
