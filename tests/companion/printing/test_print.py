"""The printed pages, looked at as a camera would: the right markers, of the right size, at the right millimetres."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from typing import Any, NamedTuple

import cv2
import numpy as np
import pypdfium2
import pytest

from calibration.board import CORNERS, board
from companion.cases.table import unfit_cards
from companion.games import FIRST, GAMES, table_games
from companion.games.markers import CARD_MARKER_MM, IDS, MODULES, ZONE_MARKER_MM, ZONES
from companion.printing import mats, strip
from companion.printing.board import square_mm
from companion.printing.paper import PAPERS, modules, outlines
from companion.printing.sets import Order, make, profile
from vision.table.profile import DICTIONARIES, TableProfile

TABLES = [game.slug for game in table_games()]
DPI = 130
PER_MM = DPI / 25.4


def print_of(kind: str, game: str = FIRST, *more: str, **rest: Any) -> Order:
    return Order(kind, GAMES[game], *more, **rest)


class Marker(NamedTuple):
    page: int
    corners: np.ndarray
    """(4, 2) in mm."""

    @property
    def side(self) -> float:
        return float(np.mean(np.linalg.norm(self.corners - np.roll(self.corners, 1, axis=0), axis=1)))


def pictures(order: Order) -> Iterator[np.ndarray]:
    """The print's pages as gray pictures of DPI."""
    pdf, pages = make(order)
    document = pypdfium2.PdfDocument(pdf)
    assert len(document) == pages
    for page in document:
        yield page.render(scale=DPI / 72, grayscale=True).to_numpy().squeeze()


def detect(picture: np.ndarray) -> dict[int, np.ndarray]:
    parameters = cv2.aruco.DetectorParameters()
    parameters.cornerRefinementMethod = cv2.aruco.CORNER_REFINE_SUBPIX
    dictionary = cv2.aruco.getPredefinedDictionary(DICTIONARIES["DICT_5X5_250"])
    corners, ids, _ = cv2.aruco.ArucoDetector(dictionary, parameters).detectMarkers(picture)
    if ids is None:
        return {}
    assert len(set(ids.ravel())) == len(ids)
    return {int(i): (c.reshape(4, 2) + 0.5) / PER_MM for i, c in zip(ids.ravel(), corners, strict=True)}


def seen(order: Order) -> dict[int, Marker]:
    """All markers of a print, by id; none is printed twice."""
    out: dict[int, Marker] = {}
    for page, picture in enumerate(pictures(order)):
        found = detect(picture)
        assert not out.keys() & found.keys()
        out |= {number: Marker(page, corners) for number, corners in found.items()}
    return out


@pytest.mark.parametrize(("game", "paper"), [*zip(TABLES, itertools.cycle(PAPERS), strict=False)])
def test_every_card_of_a_game_has_its_sticker(game: str, paper: str) -> None:
    found = seen(print_of("stickers", game, paper))
    assert found.keys() == GAMES[game].stickers.keys()
    assert [marker.side for marker in found.values()] == [pytest.approx(CARD_MARKER_MM, abs=0.4)] * len(found)
    # Every sticker stands upright: its own top left corner is the page's.
    assert all(m.corners[0, 0] < m.corners[2, 0] and m.corners[0, 1] < m.corners[2, 1] for m in found.values())


@pytest.mark.parametrize("language", ["en", "ja"])
def test_corner_cards_are_small_and_their_profile_says_how_small(language: str) -> None:
    order = print_of("corners", "splendor", "A4", ("A", "B", "market"), language=language)
    found = seen(order)
    assert found.keys() == {number for area in order.zones for number in order.game.areas[area]}
    assert [marker.side for marker in found.values()] == [pytest.approx(CARD_MARKER_MM, abs=0.4)] * 12
    for zone in profile(order).zones.values():
        assert (zone.size_mm, zone.marker_mm) == (None, CARD_MARKER_MM)
    assert profile(order) == TableProfile.from_json(profile(order).to_json())


@pytest.mark.parametrize("paper", PAPERS)
def test_a_mat_on_one_sheet_is_as_large_as_its_profile_says(paper: str) -> None:
    order = print_of("mats", paper=paper, zones=("A", "dungeon"), joined=(1, 1))
    found = seen(order)
    for zone in ("A", "dungeon"):
        ids = GAMES[FIRST].areas[zone]
        outer = np.array([found[number].corners[i] for i, number in enumerate(ids)])
        width, height = profile(order).zones[zone].size_mm
        assert np.linalg.norm(outer[1] - outer[0]) == pytest.approx(width, abs=0.3)
        assert np.linalg.norm(outer[3] - outer[0]) == pytest.approx(height, abs=0.3)
        assert [found[number].side for number in ids] == [pytest.approx(ZONE_MARKER_MM, abs=0.3)] * 4
        assert len({found[number].page for number in ids}) == 1


@pytest.mark.parametrize(("paper", "joined"), [("A4", (2, 1)), ("Letter", (3, 2)), ("A3", (1, 2))])
def test_joined_sheets_make_a_mat_as_large_as_its_profile_says(paper: str, joined: tuple[int, int]) -> None:
    """Each sheet shows its part of the mat in the same place, so sheets lie one printed area apart."""
    order = print_of("mats", paper=paper, zones=("B",), joined=joined)
    found = seen(order)
    assert found.keys() == set(ZONES["B"])
    area = mats.mat_size(paper, (1, 1))
    outer = []
    for i, number in enumerate(ZONES["B"]):
        row, column = divmod(found[number].page, joined[0])
        outer.append(found[number].corners[i] + (column * area[0], row * area[1]))
    width, height = profile(order).zones["B"].size_mm
    assert outer[1] - outer[0] == pytest.approx([width, 0], abs=0.3)
    assert outer[3] - outer[0] == pytest.approx([0, height], abs=0.3)


@pytest.mark.parametrize("paper", PAPERS)
def test_the_strip_has_its_zone_and_seven_places(paper: str) -> None:
    order = print_of("strip", paper=paper)
    found = seen(order)
    assert found.keys() == set(ZONES["strip"])
    size = profile(order).zones["strip"].size_mm
    corners = [found[number].corners[i] for i, number in enumerate(ZONES["strip"])]
    assert np.linalg.norm(corners[2] - corners[0]) == pytest.approx(np.hypot(*size), abs=0.3)
    # A row of seven places, between the markers, none beneath another.
    assert len(GAMES[FIRST].tiles) * strip.PITCH < size[0]
    assert size[1] > strip.SLOT + 2 * ZONE_MARKER_MM


@pytest.mark.parametrize("paper", PAPERS)
def test_the_board_shows_all_its_corners_one_square_apart(paper: str) -> None:
    (picture,) = pictures(print_of("board", paper=paper))
    corners, ids, _, _ = cv2.aruco.CharucoDetector(board()).detectBoard(picture)
    assert len(ids) == CORNERS
    where = dict(zip(ids.ravel(), corners.reshape(-1, 2) / PER_MM, strict=True))
    assert np.linalg.norm(where[1] - where[0]) == pytest.approx(square_mm(paper), abs=0.3)
    assert np.linalg.norm(where[CORNERS - 1] - where[0]) == pytest.approx(np.hypot(7, 4) * square_mm(paper), abs=0.5)


def test_no_board_marker_is_taken_for_a_zone_or_a_card() -> None:
    (picture,) = pictures(print_of("board"))
    dictionary = cv2.aruco.getPredefinedDictionary(DICTIONARIES["DICT_5X5_250"])
    assert cv2.aruco.ArucoDetector(dictionary).detectMarkers(picture)[1] is None


@pytest.mark.parametrize(
    "order", [print_of("stickers", "igna", "Letter"), print_of("mats", joined=(1, 1)), print_of("strip")]
)
def test_there_is_a_white_module_around_every_marker(order: Order) -> None:
    for picture in pictures(order):
        for corners in detect(picture).values():
            side = np.linalg.norm(corners[1] - corners[0])
            low, high = corners.min(0) - 1.02 * side / MODULES, corners.max(0) + 1.02 * side / MODULES
            (left, top), (right, bottom) = (np.rint(p * PER_MM).astype(int) for p in (low, high))
            around = picture[top:bottom, left:right]
            edge = np.concatenate([around[0], around[-1], around[:, 0], around[:, -1]])
            assert (edge > 200).all()


@pytest.mark.parametrize("kind", ["stickers", "mats", "board", "strip"])
@pytest.mark.parametrize("paper", PAPERS)
def test_every_sheet_carries_a_ruler_of_100_mm_and_4_inches_with_scale_code_and_page(kind: str, paper: str) -> None:
    order = print_of(kind, paper=paper)
    pdf, pages = make(order)
    document = pypdfium2.PdfDocument(pdf)
    for number, page in enumerate(document, 1):
        width, height = (round(side / 72 * 25.4, 1) for side in page.get_size())
        assert sorted((width, height)) == sorted(PAPERS[paper])
        text = page.get_textpage().get_text_range()
        for words in (order.code, "100 mm", "4 in", "1:1", f"Page {number} of {pages}"):
            assert words in text
        picture = page.render(scale=DPI / 72, grayscale=True).to_numpy().squeeze()
        assert ruler(picture[round((height - 25) * PER_MM) :]) == pytest.approx((100, 101.6), abs=0.3)


def ruler(foot: np.ndarray) -> tuple[float, float]:
    """How far apart the first and last long ticks above and below the ruler's line are, in mm."""
    left = foot[:, : round(120 * PER_MM)] < 140
    line = int(left.sum(1).argmax())
    ends = []
    for rows in (left[line - round(2.6 * PER_MM) : line - 1], left[line + 2 : line + round(2.6 * PER_MM)]):
        long = np.flatnonzero(rows.mean(0) > 0.8)
        ends.append(float(long[-1] - long[0]) / PER_MM)
    return ends[0], ends[1]


@pytest.mark.parametrize("game", TABLES)
@pytest.mark.parametrize("kind", ["mats", "strip", "all"])
def test_the_profile_is_one_that_tables_are_read_with(game: str, kind: str) -> None:
    made = profile(print_of(kind, game))
    assert TableProfile.from_json(made.to_json()) == made
    assert made.zones
    assert (kind == "strip") == (not made.cards)


def test_a_ruler_that_shows_97_makes_the_profile_as_small() -> None:
    width, height = profile(print_of("mats")).zones["A"].size_mm
    assert profile(print_of("mats", ruler=97)).zones["A"].size_mm == pytest.approx(
        (0.97 * width, 0.97 * height), abs=0.06
    )


def test_ids_are_given_once() -> None:
    for game in TABLES:
        numbers = [number for ids in GAMES[game].areas.values() for number in ids] + list(GAMES[game].stickers)
        assert len(numbers) == len(set(numbers))
        assert max(numbers) < IDS
        assert not set(ZONES) & set(GAMES[game].zones)


@pytest.mark.parametrize("game", TABLES)
def test_the_games_table_understands_every_sticker_and_zone(game: str) -> None:
    made = profile(print_of("mats", game))
    assert not unfit_cards(made)
    everywhere = tuple(zone for zone in GAMES[game].areas if zone != "strip")
    assert set(profile(print_of("mats", game, zones=everywhere)).zones) == set(everywhere)
    assert make(print_of("mats", game, zones=everywhere, joined=(1, 1)))[1] == len(everywhere)


@pytest.mark.parametrize("number", range(0, IDS, 7))
def test_a_markers_outline_encloses_just_its_black_modules(number: int) -> None:
    bits = modules(number)
    drawn = np.zeros(bits.shape, bool)
    for loop in outlines(bits):
        inside = np.zeros(bits.shape, bool)
        for (x, y), (u, v) in itertools.pairwise([*loop, loop[0]]):
            if x == u:
                inside[min(y, v) : max(y, v), x:] ^= True
        drawn ^= inside
    assert (drawn == bits).all()


BOXES = {"twelve-seekers": 29 + 5 + 20 + 4, "human-angel-demon": 100, "splendor": 90 + 10}
"""Cards in each box, where the rulebook or the box says."""


@pytest.mark.parametrize("game", BOXES)
def test_the_box_is_complete(game: str) -> None:
    assert len(GAMES[game].stickers) == BOXES[game]


def test_the_same_order_prints_the_same_file() -> None:
    assert make(print_of("mats")) == make(print_of("mats"))
    assert print_of("mats").code != print_of("mats", joined=(1, 1)).code
