"""Twelve Seekers: what the rule sheet asks for at the end of a turn, and before one."""

from collections.abc import Iterator, Mapping
from typing import Any, Final

from common.messages import Message
from companion.games.moment import Line, Moment
from referee.twelve_seekers.plans import SWAPS
from referee.twelve_seekers.tables import COLOR_RULE, SWAP_RULE, TURNS
from scoring.twelve_seekers.kinds import COLORS
from scoring.twelve_seekers.seekers import POWER

ROUNDS: Final = TURNS // 2
OWN_COLOR_RULE: Final = 20
"""One's own color is valid; by COLOR_RULE the color of the round's card, and one's own in the last round."""


def due(now: Moment) -> Iterator[Message]:
    """What is still to be done, then what comes before the next turn."""
    rule = now.seen.get("rule")
    for player in sorted(player for player, of in now.owed if of == "T12" and player is not None):
        if colors := _fewest(now.players[player].get("gems", {})):
            key = "due.seekers.discard" if len(colors) == 1 else "due.seekers.discard.one-of"
            yield Message(key, {"name": now.name(player), "colors": colors})
    if now.owed:
        return
    if rule == SWAP_RULE and now.moves and (left := _swaps_left(now.moves[-1])):
        yield Message("due.seekers.swaps", {"name": now.name(now.moves[-1]["who"]), "n": left})
    done = sorted(now.done(player) for player in now.players)
    if done[0] >= ROUNDS:
        return
    last_round = done[0] == ROUNDS - 1
    if rule == COLOR_RULE and not last_round and done[0] == done[-1]:
        yield Message("due.seekers.card", {"n": done[0] + 1})
    if rule == OWN_COLOR_RULE or (rule == COLOR_RULE and last_round):
        key = "due.seekers.color.any" if now.turn is None else "due.seekers.color"
        yield Message(key, {"name": now.name(now.turn or "")})
    if now.moves:
        yield Message("due.seekers.round", {"n": done[0] + 1, "of": ROUNDS})


def _fewest(gems: Mapping[str, int]) -> list[str]:
    """The colors of which there are the fewest gems, at least one; gold and rainbow are no colors."""
    least = min((gems[color] for color in COLORS if gems.get(color)), default=0)
    return [color for color in COLORS if least and gems.get(color) == least]


def _swaps_left(move: Line) -> int:
    """How many swaps whoever moved may still do."""
    if move["move"] != "take" or move["who"] is None:
        return 0
    return max(0, SWAPS.get(_power(move), 0) - (move.get("swaps") or 0))


def _power(move: Line) -> int:
    """The power of the card that was taken; where no card is in sight, as many as the gems."""
    card: Any = move["seeker"]
    return card if type(card) is int else POWER.get(card, len(move["what"])) if type(card) is str else len(move["what"])
