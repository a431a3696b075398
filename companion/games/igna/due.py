"""Igna: how many cards are drawn, and what may be paid instead of laying a treasure."""

from collections.abc import Iterator

from common.messages import Message
from companion.games.moment import Moment
from referee.igna.tables import FEW, MANY, PRICE, drawn


def due(now: Moment) -> Iterator[Message]:
    """The beginning of a turn, as far as the hand is known."""
    if now.turn is None or now.owed:
        return
    row = now.players[now.turn]
    hand, tokens = row.get("hand_size"), row.get("tokens")
    name = now.name(now.turn)
    if not isinstance(hand, int):
        yield Message("due.igna.draw", {"name": name, "few": FEW, "many": MANY})
    elif hand >= MANY:
        yield Message("due.igna.draw.none", {"name": name, "many": MANY})
    else:
        yield Message("due.igna.draw.n", {"name": name, "n": drawn(hand)})
    pays = not isinstance(tokens, int) or tokens >= PRICE
    yield Message("due.igna.lay" if pays else "due.igna.lay-only", {"n": PRICE})
