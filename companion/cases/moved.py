"""Which pieces a move moved: the places of two states of a table that differ, as JSON pointers."""

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from difflib import SequenceMatcher
from typing import Any, NamedTuple

from scoring.fields import pointer

IN_ORDER = ("line", "dungeon", "discards", "bonus")
"""Lists in which it counts in what order the pieces lie."""
BY_PLACE = ("players", "map")
"""Lists whose items stay where they are: another item at a place is a change of it, not one that came between."""


@dataclass
class Moved:
    """What lies otherwise after a move."""

    left: list[str] = field(default_factory=list)  # places of the state before, of what lies there no more
    came: list[str] = field(default_factory=list)  # places of the state after, of what lay elsewhere
    stayed: dict[str, str] = field(default_factory=dict)  # the place after, by that before, of what it left alone


class Lit(NamedTuple):
    """Places of a move's pieces: in the state of the look before it, in that of its own look, and in the last one."""

    before: tuple[str, ...]
    after: tuple[str, ...]
    now: tuple[str, ...]


def pieces(value: object) -> int:
    """How many pieces a state shows: what stands in lists, and counts by kind."""
    if isinstance(value, list):
        rows = [one for one in value if isinstance(one, list) or (isinstance(one, dict) and "name" in one)]
        return sum(map(pieces, rows)) + len(value) - len(rows)
    if isinstance(value, dict):
        counts = [n for n in value.values() if type(n) is int]
        inner = sum(pieces(one) for one in value.values() if isinstance(one, (list, dict)))
        return inner + (sum(counts) if len(counts) == len(value) else 0)
    return 0


def moved(before: object, after: object) -> Moved:
    """What lies otherwise in two states of one table."""
    found = Moved()
    _compare(before, after, "", "", found)
    return found


def lies_otherwise(seen: Mapping[str, Any], believed: Mapping[str, Any]) -> bool:
    """Whether what is seen of a table is not what is believed of it. What is not seen at all says nothing."""
    for key, value in seen.items():
        if key == "players":
            if any(lies_otherwise(row, own) for row, own in zip(value, believed.get(key, ()), strict=False)):
                return True
        elif _lying(key, value) != _lying(key, believed.get(key)):
            return True
    return False


def _lying(key: str, value: Any) -> Any:
    """A value without what says nothing: the order of a list of cards, counts of none."""
    if isinstance(value, dict):
        return {name: one for name, one in value.items() if one != 0}
    if isinstance(value, list) and key not in IN_ORDER:
        return sorted(json.dumps(one, sort_keys=True) for one in value)
    return value or None


def carried(places: Mapping[str, Any], before: object, after: object) -> dict[str, Any]:
    """What was seen at each place of a state, by the places of another state of the table.

    A piece that the referee takes out of a row has none there, and those after it move up.
    """
    if before == after:
        return dict(places)
    step = moved(before, after)
    to = step.stayed | ({place: place for place in step.left} if step.left == step.came else {})
    return {to[place]: seen for place, seen in places.items() if place in to}


def lit_places(start: object, states: Sequence[object], looks: Sequence[int]) -> list[Lit]:
    """The places of every move's pieces.

    Args:
        start: the state before the first move.
        states: that after each move.
        looks: the look that showed each move. A look that shows several moves shows the state after the last of them.
    """
    steps = [moved(a, b) for a, b in zip([start, *states], states, strict=False)]
    found = []
    for n, step in enumerate(steps):
        before, after = step.left, step.came
        for k in range(n - 1, -1, -1):
            if looks[k] != looks[n]:
                break
            back = {now: was for was, now in steps[k].stayed.items()}
            before = _carried(before, back)
        shown = next((k for k in range(n + 1, len(steps)) if looks[k] != looks[n]), len(steps))
        for later in steps[n + 1 : shown]:
            after = _carried(after, later.stayed)
        now = after
        for later in steps[shown:]:
            now = _carried(now, later.stayed)
        found.append(Lit(tuple(before), tuple(after), tuple(now)))
    return found


def _carried(places: Iterable[str], to: Mapping[str, str]) -> list[str]:
    return [to[place] for place in places if place in to]


def _compare(before: Any, after: Any, was: str, is_: str, found: Moved) -> None:
    if isinstance(before, dict) and isinstance(after, dict):
        for key in [*before, *(key for key in after if key not in before)]:
            _compare(before.get(key), after.get(key), pointer(was, key), pointer(is_, key), found)
    elif isinstance(before, list) and isinstance(after, list):
        if was.rpartition("/")[2] in BY_PLACE and len(before) == len(after):
            for i, (one, other) in enumerate(zip(before, after, strict=True)):
                _compare(_cells(one, was), _cells(other, was), pointer(was, i), pointer(is_, i), found)
        else:
            _aligned(before, after, was, is_, found)
    else:
        _leaf(before, after, was, is_, found)


def _cells(row: Any, place: str) -> Any:
    """A map's row as its cells."""
    return dict(enumerate(row)) if place.endswith("/map") and isinstance(row, str) else row


def _aligned(before: list[Any], after: list[Any], was: str, is_: str, found: Moved) -> None:
    """A row of pieces: those that came between or went leave the others what they are."""
    rows = [[json.dumps(one, sort_keys=True, ensure_ascii=False) for one in row] for row in (before, after)]
    for kind, a, b, c, d in SequenceMatcher(None, rows[0], rows[1], autojunk=False).get_opcodes():
        if kind == "equal":
            for i, k in zip(range(a, b), range(c, d), strict=True):
                _same(before[i], pointer(was, i), pointer(is_, k), found)
        else:
            found.left += [place for i in range(a, b) for place in _leaves(before[i], pointer(was, i))]
            found.came += [place for k in range(c, d) for place in _leaves(after[k], pointer(is_, k))]


def _leaf(before: Any, after: Any, was: str, is_: str, found: Moved) -> None:
    if before == after:
        _same(before, was, is_, found)
        return
    counts = type(before) in (int, type(None)) and type(after) in (int, type(None))
    less = counts and (after or 0) < (before or 0)
    if not (counts and not less):
        found.left += _leaves(before, was)
    if not less:
        found.came += _leaves(after, is_)
    if counts and before and after:
        found.stayed[was] = is_


def _same(value: Any, was: str, is_: str, found: Moved) -> None:
    for old, new in zip(_leaves(value, was), _leaves(value, is_), strict=True):
        found.stayed[old] = new


def _leaves(value: Any, place: str) -> list[str]:
    """The places of a value's pieces: rows within rows are taken apart, a card is one piece."""
    if isinstance(value, list):
        return [leaf for i, one in enumerate(value) for leaf in _leaves(one, pointer(place, i))]
    return [] if value is None else [place]
