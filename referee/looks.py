"""One observed table state (a look), and the cost of assuming that a piece in it was misread.

Costs are negative logarithms of likelihoods: what happens once in e³ looks costs 3. They are added up over pieces,
turns and looks, and the explanation with the smallest sum is believed.
"""

import math
from collections.abc import Iterator, Mapping, Sequence
from itertools import permutations
from operator import ne
from typing import Any, Final, NamedTuple

from scoring.errors import MISSING, StateError

MISREAD: Final = 5.0
"""A piece that was not doubtful was read wrongly."""
SLIP: Final = 5.5
"""A turn breaks one rule. A little more than one wrong reading, less than two."""
FURTHER: Final = 3.0
"""The turn breaks one rule more."""
PARTLY: Final = 0.3
"""A part of a turn, where a whole one explains the look as well."""
DOUBTFUL: Final = 1.1
"""A doubtful piece without odds was read wrongly."""
NOT_NAMED: Final = 3.0
"""The odds of a doubtful piece do not name its true value."""
NEVER: Final = 60.0
"""A person's word is wrong."""
UNREAD: Final = 0.1
"""The piece was not read (`"?"`)."""
TOO_DEAR: Final = 18.0
"""What costs more is no explanation."""
MOST_SURE: Final = int(TOO_DEAR / MISREAD)
"""So many pieces of a row that were neither doubtful nor unread may have been read wrongly."""
WAITING: Final = 10.5
"""A look that no turn explains is waited out."""
EDITED: Final = 13.0
"""Somebody changed the table outside any turn."""
FAR: Final = 1000.0
"""Nothing of that kind explains the look."""

UNKNOWN: Final = "?"


class Fix(NamedTuple):
    """A reading that cannot be: the pointer into its look, what was read, what the piece is."""

    at: str
    read: Any
    true: Any


class Fit(NamedTuple):
    """How well a reading shows what is believed: the cost, and the readings that have to be corrected."""

    cost: float
    fixes: tuple[Fix, ...] = ()


EXACT: Final = Fit(0.0)
NO_FIT: Final = Fit(FAR)


class Look:
    """One look. `read` is the game's own form of the state, `memo` what the game has worked out about it, `explained`
    how each table may have become it: forgotten when the look is long ago.

    `least` is what it costs to believe in, whatever happened: it shows more of a kind of piece than there are.
    `unsure`: how many places are doubtful.
    """

    def __init__(self, number: int, line: Mapping[str, Any]) -> None:
        self.number = number
        self.time = line.get("time", UNKNOWN)
        self.state: Mapping[str, Any] = line["state"]
        self.typed = line.get("by") == "person"
        doubtful, odds, said = line.get("doubtful"), line.get("odds"), line.get("said")
        self.said = frozenset(at for at in said if isinstance(at, str)) if isinstance(said, list) else frozenset()
        self.doubtful = frozenset(at for at in doubtful if isinstance(at, str)) if isinstance(doubtful, list) else ()
        self.odds: Mapping[str, Any] = odds if isinstance(odds, dict) else {}
        self.unsure = len({*self.doubtful, *self.odds})
        self.read: Any = None
        self.memo: dict[Any, Any] = {}
        self.explained: dict[Any, Any] = {}
        self.least = 0.0

    def shows(self, who: str | None) -> bool:
        """Whether anything of a player is in it; without a name the table is meant, which every look shows."""
        rows = self.state.get("players")
        rows = rows if isinstance(rows, list) else []
        return who is None or any(isinstance(row, dict) and row.get("name") == who and len(row) > 1 for row in rows)

    def whose(self, at: str) -> str | None:
        """Whose things a place belongs to, None for the middle."""
        place, _, n = at[1:].partition("/")
        row = self.state["players"][int(n.split("/")[0])] if place == "players" else {}
        return row.get("name")

    def certain(self, at: str) -> bool:
        """Whether a person said what lies there: of this piece, or of a list that it is in."""
        return self.typed or any(at == one or at.startswith(f"{one}/") for one in self.said)

    def flagged(self, at: str) -> bool:
        """Whether the piece was doubtful."""
        return (at in self.doubtful or at in self.odds) and not self.certain(at)

    def named(self, at: str, true: str) -> bool:
        """Whether the odds name this value, or nothing is said of the doubtful piece."""
        odds = self.odds.get(at)
        ways = odds if isinstance(odds, list) else [odds]
        return any(not isinstance(one, dict) or true in one for one in ways)

    def price(self, at: str, read: str, true: str) -> float:
        """What it costs that the piece at this pointer, which was read as `read`, is `true`."""
        if read == UNKNOWN:
            return UNREAD
        if self.certain(at):
            return NEVER
        odds = self.odds.get(at)
        if not isinstance(odds, (dict, list)):
            return DOUBTFUL if at in self.doubtful else MISREAD
        return min((_price(one, read, true) for one in ([odds] if isinstance(odds, dict) else odds)), default=DOUBTFUL)


def list_at(fields: Mapping[str, Any], key: str, at: str) -> list[Any] | None:
    """A list of a state, None where it is not known. Raises StateError for something else."""
    value = fields.get(key, UNKNOWN)
    if value == UNKNOWN or value is None:
        return None
    if not isinstance(value, list):
        raise StateError(f"{at}/{key}", "list", value)
    return value


def player_rows(state: Mapping[str, Any], names: Sequence[str]) -> Iterator[tuple[int, str, Mapping[str, Any]]]:
    """Each player that a state tells of: which of the `names`, the pointer, the row. Raises StateError for others."""
    for i, row in enumerate(list_at(state, "players", "") or []):
        at = f"/players/{i}"
        if not isinstance(row, dict):
            raise StateError(at, "object", row)
        name = row.get("name")
        if name not in names:
            raise StateError(f"{at}/name", "one-of", MISSING if name is None else name, {"words": tuple(names)})
        yield names.index(name), at, row


def _price(odds: object, read: str, true: str) -> float:
    if not isinstance(odds, dict):
        return DOUBTFUL
    try:
        named, most = float(odds.get(true, 0)), float(odds.get(read, 1))
    except (TypeError, ValueError):
        return DOUBTFUL
    if not named > 0:
        return NOT_NAMED
    return min(max(math.log(max(most, 0.01) / named), 0.1), NOT_NAMED)


def breach(breaks: Sequence[str]) -> float:
    """What it costs that a turn breaks these rules."""
    return SLIP + FURTHER * (len(breaks) - 1) if breaks else 0.0


def row_fit(look: Look, at: str, read: Sequence[int], true: Sequence[int], names: Sequence[str]) -> Fit:
    """A row of pieces in its order. Another number of pieces is no fit."""
    if read == true:
        return EXACT
    if len(read) != len(true):
        return NO_FIT
    odd = sum(map(ne, read, true)) - look.unsure
    if odd > MOST_SURE and odd - read.count(names.index(UNKNOWN)) > MOST_SURE:
        return NO_FIT
    cost = 0.0
    fixes = []
    for i, (was, is_) in enumerate(zip(read, true, strict=True)):
        if was != is_:
            here = f"{at}/{i}"
            cost += look.price(here, names[was], names[is_])
            fixes.append(Fix(here, names[was], names[is_]))
            if cost > TOO_DEAR:
                return NO_FIT
    return Fit(cost, tuple(fixes))


def bag_fit(look: Look, ats: Sequence[str], read: Sequence[int], true: Sequence[int], names: Sequence[str]) -> Fit:
    """Pieces that are only counted; `ats` are the pointers of the counts. Another number of pieces is no fit."""
    if read == true:
        return EXACT
    over: list[int] = []
    under: list[int] = []
    for i, (was, is_) in enumerate(zip(read, true, strict=True)):
        if was > is_:
            over += [i] * (was - is_)
        elif was < is_:
            under += [i] * (is_ - was)
    if len(over) != len(under) or len(over) > 4:
        return NO_FIT
    best = NO_FIT
    for order in set(permutations(under)) if len(set(over)) > 1 and len(set(under)) > 1 else (under,):
        pairs = list(zip(over, order, strict=True))
        cost = sum(look.price(ats[was], names[was], names[is_]) for was, is_ in pairs)
        if cost < best.cost:
            best = Fit(cost, tuple(Fix(ats[was], names[was], names[is_]) for was, is_ in pairs))
    return best


def together(*fits: Fit) -> Fit:
    """Several fits as one."""
    cost = 0.0
    fixes: tuple[Fix, ...] = ()
    for one in fits:
        cost += one.cost
        if one.fixes:
            fixes += one.fixes
    return Fit(cost, fixes) if cost or fixes else EXACT
