"""What a table is said to lack before its first turn, and what of it is asked about later anyway."""

from dataclasses import replace

import cv2
import numpy as np
import pytest
from fake_table import reading_of

from companion.games import GAMES
from companion.live.set_up import checks
from scoring.twelve_seekers.table import GEMS, GOLD, IN_THE_BOX
from vision.table.reading import TableReading

BOX = [color for color, n in zip(GEMS, IN_THE_BOX, strict=True) for _ in range(n)] + ["gold"] * GOLD
AREAS = {
    "dungeon": np.array([[0, 0], [640, 0], [640, 58], [0, 58]]),
    "A": np.array([[30, 60], [290, 60], [290, 150], [30, 150]]),
    "B": np.array([[340, 60], [600, 60], [600, 150], [340, 150]]),
}
"""Pixels."""


def told(reading: TableReading, picture: np.ndarray | None) -> list[tuple[str, bool, bool]]:
    return [(m.key, fits, asked) for m, fits, asked in checks(reading, AREAS, GAMES["twelve-seekers"], picture)]


@pytest.mark.parametrize(
    ("doubtful", "burnt", "others"),
    [
        ("", None, []),
        ("blue?", "all", [("set-up.glare", False, True)]),  # under the lamp
        ("blue?", "a corner", [("set-up.glare", False, True)]),
        ("blue?", None, [("set-up.doubtful", False, True)]),  # in a shadow
        ("blue", "all", []),  # burnt out, and known all the same
    ],
)
def test_a_gem_under_glare_is_said_and_need_not_be_put_right_first(
    doubtful: str, burnt: str | None, others: list[tuple[str, bool, bool]]
) -> None:
    first = reading_of({"dungeon": [doubtful or "blue"]}).tiles[0]
    rest = [replace(first, color=color, doubtful=False) for color in BOX]
    rest.pop(BOX.index("blue"))
    picture = np.full((360, 640, 3), 90, np.uint8)
    x, y, wide, high = cv2.boundingRect(np.round(first.polygon).astype(np.int32))
    if burnt:
        part = 1 if burnt == "all" else 3
        picture[y : y + high // part, x : x + wide // part] = 255
    found = told(TableReading((first, *rest), (), {}, ()), picture)
    assert found == [("set-up.tiles", True, False), *others, ("set-up.empty", True, False)]
    without = told(TableReading((first, *rest), (), {}, ()), None)  # no picture is there any more
    assert [key for key, *_ in without] == [key.replace("glare", "doubtful") for key, *_ in found]


def test_missing_gems_are_to_be_put_right_first() -> None:
    reading = reading_of({"dungeon": ["red"], "A": ["blue"]})
    assert told(reading, None) == [("set-up.tiles.missing", False, False), ("set-up.taken", False, False)]
