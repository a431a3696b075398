"""Who plays here is known by name and color from one evening to the next."""

from __future__ import annotations

from pathlib import Path

import pytest

from companion.cases.people import MOST_PEOPLE, People
from companion.cases.store import Store


@pytest.fixture
def store(tmp_path: Path) -> Store:
    return Store(tmp_path / "data")


def test_a_color_that_was_chosen_stays_and_the_newest_name_is_first(store: Store) -> None:
    people = People(store)
    people.met("Aki", "Ben")
    people.choose("Aki", 3)
    people.met("Aki", "Cho")
    assert people.colors() == {"Cho": None, "Ben": None, "Aki": 3}
    assert list(people.colors()) == ["Cho", "Ben", "Aki"]
    people.choose("Aki", 5)
    people.choose("Ben", None)
    assert people.colors() == {"Cho": None, "Ben": None, "Aki": 5}
    people.forget("Aki")
    assert people.colors() == {"Cho": None, "Ben": None}
    assert People(store).colors() == people.colors()  # they are kept where the next start finds them


def test_the_oldest_names_go_where_there_are_too_many(store: Store) -> None:
    people = People(store)
    names = [f"P{n}" for n in range(MOST_PEOPLE + 2)]
    people.met(*names)
    assert list(people.colors()) == names[:1:-1]
    people.choose("late", 1)
    assert list(people.colors()) == ["late", *names[:2:-1]]
