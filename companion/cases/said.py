"""What people said of a followed table, as a fold of its log: typed values, pieces, states of before.

An event of kind SAID has `what` was said, in words, and what it changes: `typed` values of the table and by player's
zone, `pieces` (those of which nothing is said any more, and the new ones), an `earlier` state (its number, its record
as it `was` and as it was `made`).
"""

from collections.abc import Mapping, Sequence
from typing import Any, Final

from common.messages import Message
from companion import log
from companion.cases.table import Entries

SAID: Final = "said"
ENTRIES: Final = "entries"
"""All that is typed, anew: another game begins, or a version that kept no single words wrote it."""
AGAIN: Final = "again"
"""A film is followed from its beginning: what was said of its pieces counts no more."""
BOUNDS: Final = (ENTRIES, AGAIN, "profile")
"""What was said before these is not taken back any more."""
NAMES = ("name", "winner", "discarder")
"""Typed texts that people read as they are; others stand for something."""

Events = Sequence[log.Event]
Pieces = tuple[Mapping[str, Any], ...]
Rows = dict[str, dict[str, Any]]
"""What is typed of players, by zone."""


def entries_of(events: Events) -> Entries:
    """What is typed."""
    table, rows = _copied(Entries())
    for event in log.standing(events):
        if event["kind"] == ENTRIES:
            table, rows = _copied(Entries(**event["entries"]))
        elif event["kind"] == SAID and "typed" in event:
            _lay(table, rows, **event["typed"])
    return _whole(table, rows)


def earlier_of(events: Events) -> dict[int, Mapping[str, Any]]:
    """The records of states of before as people said they are, by number."""
    said = log.standing(events[_since(events, (ENTRIES, AGAIN)) :])
    return {event["earlier"]["number"]: event["earlier"]["made"] for event in said if "earlier" in event}


def as_seen(events: Events, number: int) -> Mapping[str, Any]:
    """The record of a state of before as it was when nobody had said anything of it."""
    since = events[_since(events, (ENTRIES, AGAIN)) :]
    found = (event["earlier"] for event in since if "earlier" in event)
    was: Mapping[str, Any] = next(one["was"] for one in found if one["number"] == number)
    return was


def pieces_without(events: Events, number: int, pieces: Pieces) -> Pieces:
    """What is said of pieces once an event is taken back."""
    return _exchanged(events[number], "new", "gone", pieces)


def pieces_with(events: Events, number: int, pieces: Pieces) -> Pieces:
    """What is said of pieces once an event counts again."""
    return _exchanged(events[number], "gone", "new", pieces)


def _exchanged(event: log.Event, out: str, back: str, pieces: Pieces) -> Pieces:
    change = event.get("pieces", {out: (), back: ()})
    gone = {one["id"] for one in change[out]}
    return (*(one for one in pieces if one["id"] not in gone), *change[back])


def undoable(events: Events, by: str) -> int | None:
    """The number of what a device said last and has not taken back; None where there is nothing."""
    return _within(events, log.undoable(events, by, _by_a_person))


def redoable(events: Events, by: str) -> int | None:
    """The number of what a device took back last, unless it said something since."""
    return _within(events, log.redoable(events, by, _by_a_person))


def what(events: Events, number: int | None) -> Message | None:
    """What was said with an event, in words."""
    if number is None:
        return None
    return Message("undo.what", {"what": tuple(Message.from_json(one) for one in events[number]["what"])})


def _by_a_person(event: log.Event) -> bool:
    return bool(event["kind"] == SAID)


def _within(events: Events, number: int | None) -> int | None:
    return number if number is not None and number >= _since(events, BOUNDS) else None


def _since(events: Events, bounds: Sequence[str]) -> int:
    """The number of the first event after the last of these bounds."""
    return next((n + 1 for n in reversed(range(len(events))) if events[n]["kind"] in bounds), 0)


def typed(old: Entries, table: Mapping[str, Any], players: Mapping[str, Mapping[str, Any]]) -> Entries:
    """What is typed with some values more, of the table and by player's zone; None takes a value back."""
    now, rows = _copied(old)
    _lay(now, rows, table, players)
    return _whole(now, rows)


def typed_what(
    table: Mapping[str, Any], players: Mapping[str, Mapping[str, Any]], entries: Entries
) -> tuple[Message, ...]:
    """What was typed, in words; `entries` have the players' names."""
    said = [_field("table", key, value) for key, value in table.items()]
    for zone, values in players.items():
        name = str(entries.players.get(zone, {}).get("name", zone))
        said += [_field("player", key, value, name=name) for key, value in values.items()]
    return tuple(said)


def _field(of: str, key: str, value: Any, **more: Any) -> Message:
    field = Message(f"dispute.field.{key}")
    shown = key in NAMES or type(value) is int
    kind = ".none" if value is None else "" if shown else ".other"
    return Message(f"undo.{of}{kind}", {"field": field, "value": value, **more})


def _copied(entries: Entries) -> tuple[dict[str, Any], Rows]:
    return dict(entries.table), {zone: dict(values) for zone, values in entries.players.items()}


def _lay(now: dict[str, Any], rows: Rows, table: Mapping[str, Any], players: Mapping[str, Mapping[str, Any]]) -> None:
    """Lay values over those of the table and of players, in place: a log may have thousands."""
    now |= table
    for zone, values in players.items():
        rows.setdefault(zone, {}).update(values)


def _whole(table: Mapping[str, Any], rows: Rows) -> Entries:
    """Without what was taken back."""
    kept = {zone: _known(values) for zone, values in rows.items()}
    return Entries(_known(table), {zone: values for zone, values in kept.items() if values})


def _known(values: Mapping[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in values.items() if value is not None}
