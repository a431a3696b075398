"""What people tapped in a game, as events of its log: each says where the state changed, what was there and what is.

The state itself is kept beside its log, from which every state before can be had again.
"""

from collections.abc import Mapping, Sequence
from typing import Any, Final

from companion.cases.merge import merged
from companion.log import EDIT, UNDO, WITH, Event, numbered, redoable, undoable

TAPPED: Final = "tapped"
STROKE: Final = "stroke"
"""The id of changes that are one thing said: a name, letter after letter."""

State = Mapping[str, Any]


def change(events: Sequence[Event], before: State, after: State, stroke: str | None) -> dict[str, Any]:
    """The event that makes of the state `before` the one `after`."""
    first = next((n for n, one in numbered(events) if stroke and one.get(STROKE) == stroke), None)
    joins: dict[str, Any] = {} if first is None else {WITH: first}
    return {"kind": TAPPED, **_between(before, after), **({STROKE: stroke} if stroke else {}), **joins}


def step(events: Sequence[Event], state: State, by: str, kind: str) -> tuple[dict[str, Any], State] | None:
    """The event with which a device takes back what it tapped last (UNDO), or taps it again (REDO), and the state then.

    None where there is nothing.
    """
    number = _number(events, by, kind)
    if number is None:
        return None
    states, after = _states(events, state), state
    if not states:
        return None
    own = [n for n, event in enumerate(events) if n == number or event.get(WITH) == number]
    for n in reversed(own) if kind == UNDO else own:
        was, now = (n + 1, n) if kind == UNDO else (n, n + 1)
        after = merged(states[was], states[now], after)
    return {"kind": kind, EDIT: number, **_between(state, after)}, after


def steps(events: Sequence[Event], state: State, by: str) -> dict[str, Any]:
    """What a device can take back (`undo`) and tap again (`redo`): the player, by number, or null, and the field."""
    found = {kind: _number(events, by, kind) for kind in ("undo", "redo")}
    states = _states(events, state) if any(number is not None for number in found.values()) else []
    return {kind: _field(states[n], states[n + 1]) if states and n is not None else None for kind, n in found.items()}


def _number(events: Sequence[Event], by: str, kind: str) -> int | None:
    return (undoable if kind == UNDO else redoable)(events, by, lambda event: bool(event["kind"] == TAPPED))


def _states(events: Sequence[Event], state: State) -> list[Any]:
    """The states before each event, and the last one; none where the log is not of this state, which an older program
    has changed since."""
    states: list[Any] = [state]
    try:
        for event in reversed(events):
            states.append(_put(states[-1], event["at"], event["was"]) if "at" in event else states[-1])
    except (LookupError, TypeError, AttributeError):
        return []
    return states[::-1]


def _between(before: Any, after: Any) -> dict[str, Any]:
    """The one place at which two states differ, as keys from the outside in; nothing where they are the same."""
    if before == after:
        return {}
    at: list[str | int] = []
    while len(keys := _differing(before, after)) == 1:
        at.append(keys[0])
        before, after = before[keys[0]], after[keys[0]]
    return {"at": at, "was": before, "now": after}


def _differing(one: Any, other: Any) -> list[Any]:
    """The keys at which two values of one shape differ."""
    if isinstance(one, dict) and isinstance(other, dict) and one.keys() == other.keys():
        return [key for key in one if one[key] != other[key]]
    if isinstance(one, list) and isinstance(other, list) and len(one) == len(other):
        return [i for i, (a, b) in enumerate(zip(one, other, strict=True)) if a != b]
    return []


def _put(value: Any, at: Sequence[Any], new: Any) -> Any:
    if not at:
        return new
    out = value.copy()
    out[at[0]] = _put(value[at[0]], at[1:], new)
    return out


def _field(one: Any, other: Any) -> list[Any] | None:
    """Where two states differ first: the player or None, and the field."""
    rows, others = one.get("players", []), other.get("players", [])
    if len(rows) != len(others):
        return [None, "players"]
    player = next(iter(_differing(rows, others)), None)
    a, b = (one, other) if player is None else (rows[player], others[player])
    return next(([player, key] for key in {**a, **b} if a.get(key) != b.get(key)), None)
