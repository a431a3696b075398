"""Stickers on photos that are out of focus or shaken are found, and none where none lie."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from training.synth.table_photo import Area, DrawnTable, Placed, Setting
from vision.table.markers import find_markers

IDS = frozenset(range(40, 208))
LAID = (40, 57, 90, 123, 150, 171, 188, 204)
MODULES = 7
"""Fields along a sticker's side."""


@pytest.fixture(scope="module")
def table() -> DrawnTable:
    setting = Setting({"A": Area(20, 20, 720, 250)}, size=(760, 290), marker=28.0, top="wood", slant=0.2)
    return DrawnTable(setting, pixels=(1600, 1200))


def laid(table: DrawnTable, stickers: tuple[int, ...]) -> np.ndarray:
    return table.photo([Placed(one, 80 + 82 * i, 140, 3 * (i % 3)) for i, one in enumerate(stickers)], noise=4)


def out_of_focus(picture: np.ndarray, reach: float) -> np.ndarray:
    return cv2.GaussianBlur(picture, (0, 0), reach)


def shaken(picture: np.ndarray, reach: float) -> np.ndarray:
    way = round(3 * reach)
    return cv2.filter2D(picture, -1, np.eye(way, dtype=np.float32) / way)


@pytest.mark.parametrize("stickers", [LAID, ()])
@pytest.mark.parametrize("spoilt", [out_of_focus, shaken])
def test_stickers_in_a_blurred_photo(table: DrawnTable, spoilt, stickers: tuple[int, ...]) -> None:
    module = 17.5 / MODULES * 1600 / table.setting.size[0]
    picture = (spoilt(laid(table, stickers), 0.45 * module) * 0.7).astype(np.uint8)
    found = find_markers(cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY), "DICT_5X5_250", IDS)
    assert found.outlines.keys() - set(range(4)) == set(stickers)
    assert not found.twice
