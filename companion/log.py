"""An event log: what people said and devices saw, in order, only ever added to. What stands is a fold of it.

An event is a JSON object with a `kind`. Undoing is an event too, and belongs to the device that said what it takes
back: `{"kind": "undo", "edit": its number}`. Events that were said as one thing name the first of them (`WITH`), and
are taken back with it.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final, TypeVar

Event = Mapping[str, Any]
E = TypeVar("E", bound=Mapping[str, Any])
Counts = Callable[[Event], bool]
"""Whether an event is one that people can take back."""
UNDO: Final = "undo"
REDO: Final = "redo"
EDIT: Final = "edit"
"""The number of the event that an undoing takes back, or makes count again."""
BY: Final = "by"
"""Which device an event came from."""
HOST: Final = ""
"""The computer itself, and events of versions that did not tell."""
WITH: Final = "with"
"""The number of the event with which this one was said: both are taken back as one."""
MOST_EVENTS: Final = 5000
"""Events of a play or of a tapped game, at most: nobody says more in one."""
ONCE: Final = "once"
"""The id that a device gave to what it said: said again, because no answer came back, it counts once."""


def signed(events: Sequence[E], by: str, first: int) -> list[dict[str, Any]]:
    """Events of a device, the `first` of which gets this number; several are one thing said."""
    own = {BY: by} if by != HOST else {}
    return [{**event, **own, **({WITH: first} if i else {})} for i, event in enumerate(events)]


def heard(events: Sequence[E], once: str | None) -> E | None:
    """What a device said under this id; None where it has none, or nothing of it was heard."""
    return next((event for event in events if once and event.get(ONCE) == once), None)


def undone(events: Sequence[Event]) -> set[int]:
    """The numbers of the events that do not count."""
    out: set[int] = set()
    for event in events:
        if event["kind"] == UNDO:
            out.add(event[EDIT])
        elif event["kind"] == REDO:
            out.discard(event[EDIT])
    return out | {number for number, event in enumerate(events) if event.get(WITH) in out}


def standing(events: Sequence[E]) -> list[E]:
    """The events that count: none that was taken back, and no undoing."""
    return [event for _, event in numbered(events)]


def numbered(events: Sequence[E]) -> list[tuple[int, E]]:
    """The same with their numbers."""
    gone = undone(events)
    return [(n, event) for n, event in enumerate(events) if n not in gone and event["kind"] not in (UNDO, REDO)]


def undoable(events: Sequence[Event], by: str, counts: Counts) -> int | None:
    """The number of the last event that this device said and has not taken back."""
    gone = undone(events)
    return next((n for n in reversed(range(len(events))) if n not in gone and _said(events[n], by, counts)), None)


def redoable(events: Sequence[Event], by: str, counts: Counts) -> int | None:
    """The number of the event that this device took back last, unless it said another since."""
    gone = undone(events)
    for event in reversed(events):
        if _said(event, by, counts):
            return None
        if event["kind"] == UNDO and event[EDIT] in gone and event.get(BY, HOST) == by:
            return int(event[EDIT])
    return None


def _said(event: Event, by: str, counts: Counts) -> bool:
    return WITH not in event and event.get(BY, HOST) == by and counts(event)
