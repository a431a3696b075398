"""Splendor: who still plays in the last round."""

from collections.abc import Iterator, Mapping
from typing import Any

from common.messages import Message
from companion.games.moment import Moment
from scoring.splendor import GOAL, NOBLE


def due(now: Moment) -> Iterator[Message]:
    """Once somebody has reached the goal: who has not had a turn in this round."""
    reached = [player for player, row in now.players.items() if _points(row) >= GOAL]
    if not reached or now.seen.get("round_over") or not now.moves or now.owed:
        return
    turns = {player: now.done(player) for player in now.players}
    left = [now.name(player) for player, n in turns.items() if n < max(turns.values())]
    values = {"name": now.name(reached[0]), "names": left, "goal": GOAL}
    yield Message("due.splendor.last" if left else "due.splendor.over", values)


def _points(row: Mapping[str, Any]) -> int:
    cards, nobles = row.get("cards") or (), row.get("nobles") or 0
    return int(sum(card.get("points", 0) for card in cards)) + NOBLE * (
        nobles if isinstance(nobles, int) else len(nobles)
    )
