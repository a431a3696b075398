"""Numbers have bounds where they are read: 2^40 at any place of any file is refused, in a line and at no cost."""

from __future__ import annotations

import copy
import json
import tracemalloc
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from calibration.camera import CameraProfile
from calibration.decks import Order
from common.messages import MisfitError
from companion import demo
from companion.words.words import words
from vision.cards.deck import _checked
from vision.sheet.profile import SheetProfile
from vision.table.profile import TableProfile

CARD = {"id": "1", "kind": "development", "points": 1, "cost": {"white": 2, "more": [3]}, "size_mm": [63, 88]}
FORMATS: dict[str, tuple[Callable[[Any], Any], dict[str, Any]]] = {
    "sheet": (SheetProfile.from_json, json.loads(demo.SHEET.read_text("utf-8"))),
    "table": (
        TableProfile.from_json,
        {
            "name": "ours", "game": "twelve-seekers", "rule": 1, "tile_mm": 22.0, "white": [200, 200, 200],
            "picture": 1280,
            "zones": {
                "A": {"markers": [1, 2, 3, 4], "size_mm": [200, 100], "marker_mm": 30},
                "B": {"polygon": [[0, 0], [10, 0], [10, 10.5]]},
            },
            "cards": {"7": CARD},
        },
    ),
    "camera": (
        CameraProfile.from_json,
        {
            "name": "c", "size": [1280, 720], "matrix": [[900, 0, 640], [0, 900, 360], [0, 0, 1]],
            "distortion": [0.1, -0.1, 0, 0, 0], "error": 0.3, "views": 12, "coverage": 0.8,
        },
    ),
    "order": (
        Order.from_json,
        {"deck": "d", "size_mm": [63, 88], "photos": [{"photo": "a.jpg", "rows": 1, "cols": 1, "cards": [CARD]}]},
    ),
    "deck": (
        lambda data: _checked(data, "deck.json"),
        {"deck": "d", "size_mm": [63, 88], "cards": [CARD], "pictures": "deck.npz"},
    ),
}  # fmt: skip
LARGE = (2**40, -(2**40), 1e300, float("inf"), float("nan"))


def numbers(value: Any, place: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """The places of all numbers in a JSON value."""
    if isinstance(value, dict | list):
        for key, one in value.items() if isinstance(value, dict) else enumerate(value):
            yield from numbers(one, (*place, key))
    elif isinstance(value, int | float) and not isinstance(value, bool):
        yield place


CASES = [(name, place) for name, (_, good) in FORMATS.items() for place in numbers(good)]


@pytest.mark.parametrize("name", FORMATS)
def test_the_file_as_it_is_is_read(name: str) -> None:
    read, good = FORMATS[name]
    assert read(good)
    assert sum(one == name for one, _ in CASES) > 4


def test_a_number_that_is_far_too_large_is_refused_wherever_it_stands() -> None:
    taken = []
    for name, place in CASES:
        for number in LARGE:
            read, good = FORMATS[name]
            odd = copy.deepcopy(good)
            inner: Any = odd
            for key in place[:-1]:
                inner = inner[key]
            inner[place[-1]] = number
            tracemalloc.start()
            said = refusal(read, odd)
            peak = tracemalloc.get_traced_memory()[1]
            tracemalloc.stop()
            assert peak < 10 * 1024 * 1024
            if said is None or "\n" in said:
                taken.append((name, place, number, said))
    assert not taken


def refusal(read: Callable[[Any], Any], data: Any) -> str | None:
    """The line that is said of a file; None where it is read."""
    try:
        read(data)
    except MisfitError as error:
        return words("en").told(error)
    return None


def test_a_file_of_more_than_its_limit_is_not_read(tmp_path: Path) -> None:
    path = tmp_path / "sheet.json"
    path.write_bytes(b" " * (3 * 1024 * 1024))
    with pytest.raises(MisfitError) as said:
        SheetProfile.load(path)
    assert "2 MB" in words("en").told(said.value)
