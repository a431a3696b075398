"""The table of Splendor: bought cards and nobles in the players' zones, reserved cards in `A.reserved`, those that lie
open, and the nobles that are left, in `market`.
"""

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any

from common.messages import Message
from companion.games.set_up import Check, Laid, empty
from companion.games.zones import LOOSE, Kind, Table, one_of, players_of, whole
from scoring.splendor import COLORS, GOLD, LAID_OUT, MOST_PLAYERS, OF_A_COLOR, TOKENS

RESERVED = "reserved"
MARKET = "market"
OPEN = 12
"""Cards that lie open before the first turn."""


def _needs(value: Any) -> bool:
    return isinstance(value, dict) and bool(value) and all(
        color in COLORS and type(n) is int and 0 < n < 10 for color, n in value.items()
    )  # fmt: skip


CARDS = {
    "development": Kind(
        {
            "points": whole(0, 9),
            "bonus": one_of(COLORS),
            "level": whole(1, 3),
            "price": (Message("profile.needs"), _needs),
        },
        (("bonus",),),
    ),
    "noble": Kind({"needs": (Message("profile.needs"), _needs)}, (("needs",),)),
}


def set_up(laid: Laid) -> Iterator[Check]:
    """Twelve open cards, a noble more than players where nobles are known, nothing before the players."""
    cards, nobles, expected = laid.cards["development"], laid.cards["noble"], laid.players + 1
    yield Check(Message("set-up.cards", {"n": cards, "of": OPEN}), cards == OPEN)
    if nobles:
        yield Check(Message("set-up.nobles", {"n": nobles, "of": expected}), nobles == expected)
    yield empty(laid)


def state(seen: Table) -> dict[str, Any]:
    """The open cards, the nobles that are left, the supply. Whether the round is over is for people to say."""
    if MARKET not in seen.observation.zones:
        return _supply(seen)
    cards, nobles = (seen.cards([MARKET], kind) for kind in ("development", "noble"))
    for key, here in (("market", cards), ("nobles_left", nobles)):
        seen.saw_each(f"/{key}", here)
    out: dict[str, Any] = {}
    if seen.tells("development", cards, [MARKET]):
        out["market"] = [_face(card.piece.card) for card in cards]
    if nobles:
        out["nobles_left"] = [dict(noble.piece.card["needs"]) for noble in nobles]
    return {**out, **_supply(seen)}


def _supply(seen: Table) -> dict[str, Any]:
    """The tokens that are left: what the players do not hold, where that fits the piles that lie there.

    Tokens of the supply lie in piles, of which a camera sees the color and not the height.
    """
    players = players_of(seen.profile, (MARKET,))
    located = all(zone in seen.observation.zones for zone in players)
    if LOOSE not in seen.kinds or not located or not 2 <= len(players) <= MOST_PLAYERS:
        return {}
    each = LAID_OUT.get(len(players), OF_A_COLOR)
    held = Counter[str]()
    for zone in players:
        typed = seen.typed_by_zone.get(zone, {}).get("tokens")
        held.update([one.piece.color for one in seen.tiles(seen.parts(zone))] if typed is None else typed)
    left = {color: (GOLD if color == "gold" else each) - held[color] for color in TOKENS}
    piles = seen.tiles([None, MARKET])
    lying = {one.piece.color for one in piles}
    wrong = [color for color in TOKENS if left[color] < 0 or (piles and (left[color] > 0) != (color in lying))]
    if wrong:
        seen.say("table.tokens", colors=wrong)
        return {}
    seen.saw("/supply", piles)
    return {"supply": left}


def _face(card: Mapping[str, Any]) -> dict[str, Any]:
    """A card as the state writes it; what is not known of it is left out."""
    known = {key: card[key] for key in ("level", "price") if key in card}
    return {**known, "points": card.get("points", 0), "bonus": card["bonus"]}


def player(seen: Table, zone: str, place: str) -> dict[str, Any]:
    """A player's cards, nobles and tokens."""
    reserved = f"{zone}.{RESERVED}"
    parts = [part for part in seen.parts(zone) if part != reserved]
    bought = seen.cards(parts, "development")
    out: dict[str, Any] = {"cards": [_face(card.piece.card) for card in bought]}
    seen.saw_each(f"{place}/cards", bought)
    nobles = seen.cards(parts, "noble")
    if nobles:
        out["nobles"] = [dict(noble.piece.card["needs"]) for noble in nobles]
        seen.saw_each(f"{place}/nobles", nobles)
    tokens = seen.tiles(parts)
    if seen.tells(LOOSE, tokens, parts):
        count = Counter(one.piece.color for one in tokens)
        out["tokens"] = {color: count[color] for color in TOKENS if count[color]}
        for color in out["tokens"]:
            seen.saw(f"{place}/tokens/{color}", [one for one in tokens if one.piece.color == color])
    kept = seen.cards([reserved], "development") if reserved in seen.profile.zones else []
    if kept:
        out["reserved"], out["kept"] = len(kept), [_face(card.piece.card) for card in kept]
        seen.saw(f"{place}/reserved", kept)
    return out
