"""In the Ruin: who rests on a destination and has to declare, how many cards go off the row, the end of stage 1."""

from collections.abc import Iterator
from typing import Any

from common.messages import Message
from companion.games.moment import Moment
from scoring.in_the_ruin.middle import STAGES


def due(now: Moment) -> Iterator[Message]:
    """What the round still asks for."""
    letters = now.seen.get("letters") or {}
    for player, row in now.players.items():
        resting = [one for one in row.get("destinations", ()) if letters.get(one) == _pawn(row)]
        if resting:
            yield Message("due.ruin.declare", {"name": now.name(player), "letter": resting[0]})
    round_ = max((move["round"] for move in now.moves if move["move"] == "write"), default=None)
    mine = [move for move in now.moves if move["move"] == "write" and move["round"] == round_]
    claimed = sorted({move["claimed"] for move in mine if move.get("claimed")})
    escaped = sum(row.get("escaped") is not None for row in now.players.values())
    waits = {*now.players} - {move["who"] for move in mine}
    if claimed and not waits and now.seen.get("stage", 1) < STAGES:
        yield Message("due.ruin.cards-off", {"n": len(claimed), "letters": claimed})
    elif escaped and not waits and now.seen.get("stage") == STAGES:
        yield Message("due.ruin.escaped-off", {"n": escaped})
    if now.seen.get("cards") == []:
        yield Message("due.ruin.stage-over" if now.seen.get("stage", 1) < STAGES else "due.ruin.over")
    if round_ is not None and waits and len(waits) < len(now.players):
        yield Message("due.ruin.waits", {"names": [now.name(one) for one in now.players if one in waits]})


def _pawn(row: Any) -> Any:
    """Where the pawn rests; nowhere where that is not known."""
    pawn = row.get("pawn")
    return pawn if isinstance(pawn, list) else ()
