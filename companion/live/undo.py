"""What people said of a followed table, in steps that can be taken back and said again."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

from common.messages import Message
from companion.cases.replay import Kept
from companion.cases.table import Entries
from companion.live.corrections import Correction

NAMES = ("name", "winner", "discarder")
"""Typed texts that people read as they are; others stand for something."""
MOST_STEPS = 100
"""Steps that can be taken back, at most."""


class Said(NamedTuple):
    """All that people have said: what they typed, and said of the table's pieces, and of earlier states, by number."""

    entries: Entries
    pieces: tuple[Correction, ...]
    earlier: Mapping[int, Kept]


@dataclass(frozen=True)
class Step:
    """Something that people said: what it was, and all that held before and after."""

    what: tuple[Message, ...]
    before: Said
    after: Said


class Steps:
    """What people said last, and what of it they took back."""

    def __init__(self) -> None:
        self._said: list[Step] = []
        self._taken_back: list[Step] = []

    def add(self, step: Step) -> None:
        """They said something more: what was taken back cannot be said again."""
        self._said = [*self._said[-MOST_STEPS + 1 :], step]
        self._taken_back = []

    def forget(self) -> None:
        """Nothing of it can be taken back any more."""
        self._said, self._taken_back = [], []

    @property
    def undoable(self) -> tuple[Message, ...] | None:
        """What people said last; None where there is nothing to take back."""
        return self._said[-1].what if self._said else None

    @property
    def redoable(self) -> tuple[Message, ...] | None:
        """What was taken back last; None where there is nothing to say again."""
        return self._taken_back[-1].what if self._taken_back else None

    def undo(self, hold: Callable[[Said], None]) -> None:
        """Take back what was said last, if anything: `hold` makes what was said before it hold again, or raises."""
        if self._said:
            hold(self._said[-1].before)
            self._taken_back.append(self._said.pop())

    def redo(self, hold: Callable[[Said], None]) -> None:
        """Say again what was taken back last, if anything."""
        if self._taken_back:
            hold(self._taken_back[-1].after)
            self._said.append(self._taken_back.pop())


def typed(old: Entries, table: Mapping[str, Any], players: Mapping[str, Mapping[str, Any]]) -> Entries:
    """What is typed with some values more, of the table and by player's zone; None takes a value back."""
    rows = {zone: dict(values) for zone, values in old.players.items()}
    for zone, values in players.items():
        rows[zone] = _laid(rows.get(zone, {}), values)
    return Entries(_laid(old.table, table), {zone: values for zone, values in rows.items() if values})


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


def _laid(old: Mapping[str, Any], new: Mapping[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in {**old, **new}.items() if value is not None}
