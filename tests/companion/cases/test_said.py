"""What people said of a table is a fold of its log: each device takes back its own, whatever others said since."""

from __future__ import annotations

from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from companion.cases import said
from companion.cases.table import Entries
from companion.log import UNDO, signed

A, B = "a" * 16, "b" * 16
WHAT = [{"key": "undo.table", "values": {"field": {"key": "dispute.field.rule", "values": {}}, "value": 8}}]


def typed(by: str, table: dict[str, Any] | None = None, **players: dict[str, Any]) -> dict[str, Any]:
    event = {"kind": said.SAID, "what": WHAT, "typed": {"table": table or {}, "players": players}}
    return signed([event], by, 0)[0]


def step(kind: str, number: int, by: str) -> dict[str, Any]:
    return signed([{"kind": kind, "edit": number}], by, 0)[0]


def piece(name: str, is_: str) -> dict[str, Any]:
    return {"id": name, "zone": "A", "is_": is_}


def test_a_device_takes_back_its_own_and_leaves_what_the_other_said() -> None:
    events = [{"kind": "begun"}, typed(A, {"rule": 8}), typed(B, A={"name": "Aki"}), typed(A, {"rule": 9})]
    assert said.entries_of(events) == Entries({"rule": 9}, {"A": {"name": "Aki"}})
    assert (said.undoable(events, A), said.undoable(events, B)) == (3, 2)
    events += [step("undo", 3, A), step("undo", 1, A)]
    assert said.entries_of(events) == Entries({}, {"A": {"name": "Aki"}})
    assert (said.undoable(events, A), said.redoable(events, A), said.redoable(events, B)) == (None, 1, None)
    assert said.entries_of([*events, step("redo", 1, A)]) == Entries({"rule": 8}, {"A": {"name": "Aki"}})


def test_nothing_of_an_earlier_game_is_taken_back() -> None:
    new = {"kind": said.ENTRIES, "entries": {"table": {"rule": 8}, "players": {}}}
    events = [{"kind": "begun"}, typed(A, {"rule": 8, "round_over": True}), new]
    assert said.entries_of(events) == Entries({"rule": 8}, {})
    assert (said.undoable(events, A), said.redoable([*events[:2], step(UNDO, 1, A), new], A)) == (None, None)


def test_what_it_was_is_said_in_words() -> None:
    message = said.what([typed(A, {"rule": 8})], 0)
    assert message is not None
    assert [one.values["field"].key for one in message.values["what"]] == ["dispute.field.rule"]
    assert said.what([], None) is None


def test_a_piece_is_found_by_its_id_wherever_it_was_moved() -> None:
    old, new = piece("1", "red"), piece("2", "blue")
    event = {"kind": said.SAID, "what": WHAT, "pieces": {"gone": [old], "new": [new]}}
    moved = {**new, "zone": "B"}
    assert said.pieces_without([event], 0, (moved,)) == (old,)
    assert said.pieces_with([event], 0, (old,)) == (new,)


def test_a_state_of_before_is_as_it_was_seen_once_all_is_taken_back() -> None:
    def put(was: str, made: str) -> dict[str, Any]:
        return {"kind": said.SAID, "what": WHAT, "earlier": {"number": 4, "was": {"s": was}, "made": {"s": made}}}

    events = [put("seen", "one"), put("one", "two")]
    assert said.earlier_of(events) == {4: {"s": "two"}}
    events.append(step("undo", 1, ""))
    assert said.earlier_of(events) == {4: {"s": "one"}}
    events.append(step("undo", 0, ""))
    assert (said.earlier_of(events), said.as_seen(events, 4)) == ({}, {"s": "seen"})


VALUES = st.sampled_from([None, 1, 2])


@given(st.lists(st.tuples(st.sampled_from([A, B]), st.sampled_from(["rule", "chips"]), VALUES)))
def test_when_all_is_taken_back_nothing_is_typed(words) -> None:
    events: list[dict[str, Any]] = [{"kind": "begun"}]
    events += [typed(by, {key: value}) for by, key, value in words]
    for by in (A, B):
        while (number := said.undoable(events, by)) is not None:
            events.append(step(UNDO, number, by))
    assert said.entries_of(events) == Entries()
