"""The table of Human Angel Demon: opened sets in rows of three, the hand in a row, discards and bonus checks.

A row of three cards in a player's own zone is an opened set, all other rows there are the hand. `A.open`, `A.hand`
and `A.discards` say it by the place instead. The zone `bonus` holds the bonus checks as they were turned over, `market`
the cards to take from: with it the referee follows the turns.
"""

from typing import Any

from companion.games.zones import Kind, Seen, Table, one_of
from scoring.human_angel_demon.sets import CODES

CARDS = {"card": Kind({"card": one_of(CODES)}, (("card",),))}
SET = 3


def state(seen: Table) -> dict[str, Any]:
    """The bonus checks and the market. Who goaled, and how, is for people to say."""
    here = [zone for zone in ("bonus", "market") if zone in seen.profile.zones]
    lying = {zone: seen.cards([zone], "card") for zone in here}
    return {z: _cards(seen, cards, f"/{z}") for z, cards in lying.items() if seen.tells("card", cards, [z])}


def player(seen: Table, zone: str, place: str) -> dict[str, Any]:
    """A player's cards."""
    rows = seen.card_rows([zone], "card") if zone in seen.profile.zones else []
    opened = [row for row in rows if len(row) == SET]
    if any(len(seen.parts_of(row)) > 1 for row in opened):
        seen.say("table.gap", zone=zone)
    hand = [card for row in rows if len(row) != SET for card in row]
    for row in seen.card_rows([f"{zone}.open"], "card"):
        whole = len(row) - len(row) % SET
        opened += [row[i : i + SET] for i in range(0, whole, SET)]
        if whole < len(row):
            seen.say("table.no-set", zone=f"{zone}.open", n=len(row) - whole)
        elif any(n % SET for n in seen.parts_of(row)):
            seen.say("table.gap", zone=f"{zone}.open")
    hand += seen.cards([f"{zone}.hand"], "card")
    discards = seen.cards([f"{zone}.discards"], "card")
    out: dict[str, Any] = {}
    known = seen.profile.zones
    if seen.tells("card", opened, [z for z in (zone, f"{zone}.open") if z in known]):
        out["open"] = [_cards(seen, row, f"{place}/open/{i}") for i, row in enumerate(opened)]
    if hand:
        out["hand"] = _cards(seen, hand, f"{place}/hand")
    if seen.tells("card", discards, [z for z in (f"{zone}.discards",) if z in known]):
        out["discards"] = _cards(seen, discards, f"{place}/discards")
    return out


def _cards(seen: Table, cards: list[Seen], place: str) -> list[str]:
    seen.saw_each(place, cards)
    return [card.piece.card["card"] for card in cards]
