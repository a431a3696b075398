"""Round chips by color: six colors, nothing where there are none, doubt where it is dark or not round."""

import cv2
import numpy as np
import pytest

from training.synth.cards import face, lay, table
from vision.table.chips import find_chips
from vision.table.plane import Plane
from vision.table.white_balance import Balance, card_white

SIDE = 48.0
"""Pixels of a chip."""
COLORS = {
    "white": (235, 235, 235), "blue": (170, 80, 30), "green": (70, 130, 30), "red": (40, 40, 190),
    "black": (45, 40, 40), "gold": (50, 190, 235),
}  # fmt: skip
PLANE = Plane(np.diag([1 / SIDE, 1 / SIDE, 1.0]), (1200 / SIDE, 900 / SIDE))


def laid(photo, at, bgr, side=SIDE):
    """A chip with a darker rim and a pale middle, as they are printed."""
    for part, tone in ((0.5, np.array(bgr) * 0.75), (0.42, np.array(bgr)), (0.2, np.array(bgr) * 0.6 + 90)):
        cv2.circle(photo, at, round(part * side), tone.tolist(), -1, cv2.LINE_AA)


def found(photo, light=(1.0, 1.0, 1.0), covered=()):
    lit = np.clip(photo * np.array(light), 0, 255).astype(np.uint8)
    lit = cv2.GaussianBlur(lit, (0, 0), 0.7)
    return find_chips(lit, PLANE, COLORS, Balance(np.array(light) * 245), covered)


@pytest.mark.parametrize("light", [(1.0, 1.0, 1.0), (0.6, 0.8, 1.0), (0.5, 0.5, 0.5)])
def test_six_colors_are_told_beside_one_another_in_any_light(light):
    photo = table()
    names = [*COLORS, "white", "black"]
    for i, name in enumerate(names):
        laid(photo, (200 + 52 * i, 300 + 90 * (i % 2)), COLORS[name])
    chips = sorted(found(photo, light), key=lambda chip: chip.center[0])
    assert [chip.color for chip in chips] == names
    assert np.abs(np.array([chip.center for chip in chips])[:, 0] - (200 + 52 * np.arange(len(names)))).max() < 4


@pytest.mark.parametrize("what", ["bare", "cards", "rectangles", "large"])
def test_nothing_is_invented_where_no_chips_lie(what):
    photo, covered = table(), []
    for i in range(4):
        at = (200 + 230 * i, 400)
        if what == "cards":
            covered.append(lay(photo, face(i, i), at, 1.7, 0.3 * i))
        elif what == "rectangles":
            cv2.rectangle(photo, (at[0] - 24, at[1] - 24), (at[0] + 24, at[1] + 24), COLORS["red"], -1)
        elif what == "large":
            cv2.circle(photo, at, 48, COLORS["blue"], -1, cv2.LINE_AA)
    assert [chip.color for chip in found(photo, covered=covered) if chip.confidence > 0.9] == []


def test_a_chip_of_no_color_of_the_game_is_in_doubt():
    photo = table()
    laid(photo, (300, 300), (200, 60, 200))
    assert all(chip.confidence < 0.9 for chip in found(photo))


def test_white_is_told_by_what_is_printed_white_on_cards():
    photo = table()
    corners = lay(photo, face(1, 7), (400, 400), 1.7)
    lit = np.clip(photo * np.array([0.5, 0.7, 0.9]), 0, 255).astype(np.uint8)
    plain, warm = card_white(photo, [corners]), card_white(lit, [corners])
    assert np.abs(warm / plain - [0.5, 0.7, 0.9]).max() < 0.06
    assert card_white(photo, []) is None
