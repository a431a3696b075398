"""Tidying up: pieces go back into the box from everywhere, in any order and over any number of looks. It is no move.

A look in which pieces only left the table, more of them than hands may hold, is tidying up. Nothing is written for it,
and what had been seen before stays what the game came to.
"""

from collections import Counter
from collections.abc import Mapping
from typing import Any, Final

from referee.looks import UNKNOWN

ANY: Final = 1000
"""However many pieces of a place may be out of sight in the midst of the game."""
MOST_CAME: Final = 2
"""So many pieces may have been read wrongly while others were taken away."""
BEGUN: Final = 3.0
"""Somebody clears the table though the rules do not say that the game is over."""
OVER: Final = 0.2
"""The same where they do."""
GOES_ON: Final = 0.1
"""One look more of a table that is being cleared."""
WRONG: Final = 4.0
"""A piece that was read wrongly meanwhile."""

FACE_DOWN: Final = "kept"

Places = Mapping[str, int]
"""Places by their keys, the middle's and each player's: how many pieces of one may be in hands."""


def cost(before: Mapping[str, Any], shown: Mapping[str, Any], hands: Places, over: bool, begun: bool) -> float | None:
    """What it costs to believe that a table is being cleared; None where it is not.

    `before` and `shown` are tables in the form of the looks. `over`: the game is; `begun`: it was being cleared before.
    """
    gone, came = _gone(before, shown, hands)
    if not gone:
        return None
    players = {who for who, _ in gone if who is not None}
    held = all(n <= hands[key] for (_, key), n in gone.items()) and len(players) <= 1
    if came > MOST_CAME or (held and not (over and not came) and not (begun and not came)):
        return None
    return (GOES_ON if begun else OVER if over else BEGUN) + WRONG * came


def only_gone(before: Mapping[str, Any], shown: Mapping[str, Any], hands: Places) -> bool:
    """Whether pieces left the table that no turn takes off it, and none came to another place."""
    gone, came = _gone(before, shown, hands)
    return not came and any(hands[key] < ANY for _, key in gone)


def nothing_came(before: Mapping[str, Any], shown: Mapping[str, Any], hands: Places) -> bool:
    """Whether no piece came to any place."""
    return not _gone(before, shown, hands)[1]


def _gone(
    before: Mapping[str, Any], shown: Mapping[str, Any], hands: Places
) -> tuple[Counter[tuple[str | None, str]], int]:
    """How many pieces left which place of whom, and how many came to any."""
    gone: Counter[tuple[str | None, str]] = Counter()
    came = int(shown.get("winner") not in (None, before.get("winner")))  # nobody wins by tidying up
    rows = {row.get("name"): row for row in before.get("players", ())}
    pairs: list[tuple[str | None, Mapping[str, Any], Mapping[str, Any]]] = [(None, before, shown)]
    for row in shown.get("players", ()):
        if isinstance(row, dict) and row.get("name") in rows:
            pairs.append((row["name"], rows[row["name"]], row))
    for who, lay, lies in pairs:
        for key in hands:
            if key in lay and key in lies and lay[key] != lies[key]:
                was, is_ = (_things(_backs(value) if key == FACE_DOWN else value) for value in (lay[key], lies[key]))
                if was is not None and is_ is not None:
                    came += sum((is_ - was).values())
                    if less := sum((was - is_).values()):
                        gone[who, key] = less
    return gone, came


def _backs(value: object) -> object:
    """Cards that lie face down, by their backs; what is known of their faces no look shows."""
    cards = value if isinstance(value, list) else None
    return value if cards is None else [card.get("level") if isinstance(card, dict) else card for card in cards]


def _things(value: object) -> Counter[object] | None:
    """The pieces at a place; None where it was not read."""
    if value == UNKNOWN:
        return None
    if value is None or type(value) is bool:
        return Counter()
    if type(value) is int:
        return Counter({"": max(value, 0)})
    if isinstance(value, dict):
        return None if UNKNOWN in value.values() else Counter({key: n for key, n in value.items() if type(n) is int})
    return Counter(map(_piece, value)) if isinstance(value, list) else Counter([value])


def _piece(one: object) -> object:
    """A piece as what can be counted: a card is what is printed on it, in whatever order that is written."""
    if isinstance(one, dict):
        return frozenset([(key, _piece(value)) for key, value in one.items()])
    return tuple(map(_piece, one)) if isinstance(one, list) else one
