"""The table of Human Angel Demon: opened sets in threes, the hand in a row, discards and bonus checks.

Three cards that lie together in a player's own zone are an opened set: a row of their own, or with a gap beside them;
all other cards there are the hand. Where a pair lies there and all else in threes, two at least, somebody goaled: the
two threes nearest to the pair are of the hand. `A.open`, `A.hand` and `A.discards` say it by the place instead.
The zone `bonus` holds the bonus checks as they were turned over, `market` the cards to take from: with it the referee
follows the turns.
"""

from typing import Any

from companion.games.zones import Kind, Seen, Table, one_of
from scoring.human_angel_demon.sets import CODES
from scoring.human_angel_demon.table import HAND

CARDS = {"card": Kind({"card": one_of(CODES)}, (("card",),))}
SET = 3
APART = 1.5
"""Steps from card to card, or widths of a card, from which a set ends: half a card of table lies between."""
PAIR = 2


def state(seen: Table) -> dict[str, Any]:
    """The bonus checks and the market. Who goaled, and how, is for people to say."""
    here = [zone for zone in ("bonus", "market") if zone in seen.profile.zones]
    lying = {zone: seen.cards([zone], "card") for zone in here}
    return {z: _cards(seen, cards, f"/{z}") for z, cards in lying.items() if seen.tells("card", cards, [z])}


def player(seen: Table, zone: str, place: str) -> dict[str, Any]:
    """A player's cards."""
    rows = seen.card_rows([zone], "card") if zone in seen.profile.zones else []
    opened, hand = _opened_and_hand([group for row in rows for group in _groups(seen, row)])
    if any(len(seen.parts_of(row)) > 1 for row in opened):
        seen.say("table.gap", zone=zone)
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


def _groups(seen: Table, row: list[Seen]) -> list[list[Seen]]:
    """A row's cards by the gaps between them, where three lie together; else the row."""
    sizes = seen.parts_of(row, APART)
    if SET not in sizes:
        return [row]
    starts = [sum(sizes[:i]) for i in range(len(sizes))]
    return [row[start : start + n] for start, n in zip(starts, sizes, strict=True)]


def _opened_and_hand(groups: list[list[Seen]]) -> tuple[list[list[Seen]], list[Seen]]:
    """The opened sets among a player's groups of cards, and all other cards."""
    threes = [i for i, group in enumerate(groups) if len(group) == SET]
    pairs = [i for i, group in enumerate(groups) if len(group) == PAIR]
    if len(pairs) == 1 and len(threes) >= PAIR and len(threes) + 1 == len(groups):
        nearest = sorted(threes, key=lambda i: (abs(i - pairs[0]), i > pairs[0]))
        threes = sorted(nearest[(HAND - PAIR) // SET :])
    hand = [card for i, group in enumerate(groups) if i not in threes for card in group]
    return [groups[i] for i in threes], hand


def _cards(seen: Table, cards: list[Seen], place: str) -> list[str]:
    seen.saw_each(place, cards)
    return [card.piece.card["card"] for card in cards]
