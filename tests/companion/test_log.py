"""The event log: undoing belongs to the device, what was said as one is taken back as one, nothing is ever lost."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.log import HOST, numbered, redoable, signed, standing, undoable, undone

SEEN = {"kind": "seen"}


def said(what: str, by: str = HOST, **more: Any) -> dict[str, Any]:
    return {"kind": "said", "what": what, **({"by": by} if by else {}), **more}


def step(kind: str, n: int, by: str = HOST) -> dict[str, Any]:
    return {"kind": kind, "edit": n, **({"by": by} if by else {})}


def by_a_person(event: Any) -> bool:
    return bool(event["kind"] == "said")


A, B = "a" * 16, "b" * 16
TOGETHER = signed([{"kind": "said", "what": "x"}, {"kind": "said", "what": "y"}], A, 1)


@pytest.mark.parametrize(
    ("events", "stands", "undo", "redo"),
    [
        ([], "", (None, None), (None, None)),
        ([said("x", A)], "x", (0, None), (None, None)),
        ([said("x", A), said("y", B)], "xy", (0, 1), (None, None)),
        ([said("x", A), said("y", B), step("undo", 0, A)], "y", (None, 1), (0, None)),
        ([said("x", A), step("undo", 0, A), step("redo", 0, A)], "x", (0, None), (None, None)),
        ([said("x", A), step("undo", 0, A), said("y", A)], "y", (2, None), (None, None)),
        ([said("x", A), step("undo", 0, A), said("y", B)], "y", (None, 2), (0, None)),
        ([SEEN, *TOGETHER], "xy", (1, None), (None, None)),
        ([SEEN, *TOGETHER, said("z", B)], "xyz", (1, 3), (None, None)),
        ([SEEN, *TOGETHER, step("undo", 1, A)], "", (None, None), (1, None)),
        ([SEEN, *TOGETHER, step("undo", 1, A), step("redo", 1, A)], "xy", (1, None), (None, None)),
    ],
)
def test_what_stands_and_what_each_device_can_take_back(events, stands, undo, redo) -> None:
    assert "".join(event["what"] for event in standing(events) if "what" in event) == stands
    assert tuple(undoable(events, by, by_a_person) for by in (A, B)) == undo
    assert tuple(redoable(events, by, by_a_person) for by in (A, B)) == redo


@given(st.lists(st.tuples(st.sampled_from(["say", "say two", "undo", "redo"]), st.sampled_from([A, B, HOST]))))
def test_undoing_takes_back_the_devices_own_last_word_and_redoing_says_it_again(deeds) -> None:
    events: list[dict[str, Any]] = []
    for deed, by in deeds:
        before = numbered(events)
        if deed.startswith("say"):
            events += signed([{"kind": "said"}] * (2 if deed == "say two" else 1), by, len(events))
            continue
        n = (undoable if deed == "undo" else redoable)(events, by, by_a_person)
        if n is None:
            continue
        assert events[n].get("by", HOST) == by
        events.append(step(deed, n, by))
        back = (redoable if deed == "undo" else undoable)(events, by, by_a_person)
        assert back == n
        assert numbered([*events, step("redo" if deed == "undo" else "undo", n, by)]) == before
    assert {n for n, _ in numbered(events)}.isdisjoint(undone(events))
