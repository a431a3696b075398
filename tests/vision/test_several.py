"""Several sheets in one photo: each is read or named, and one sheet alone is one."""

import cv2
import numpy as np
import pytest

from bench.several import enrolled, told
from training.synth.arrangements import ARRANGEMENTS, arranged
from vision.errors import PhotoError
from vision.sheet.flatten import cell_pixels
from vision.sheet.profile import SheetProfile
from vision.sheet.several import UnreadSheet, read_sheets

READ = "read, 0 wrong"


@pytest.fixture(scope="module")
def profile(tmp_path_factory: pytest.TempPathFactory) -> SheetProfile:
    return enrolled(tmp_path_factory.mktemp("sheet"))


@pytest.mark.parametrize(
    ("name", "became"),
    [
        ("two-and-one", [READ, READ, READ]),
        ("smaller", [READ, READ]),
        ("upside-down", [READ, READ]),
        ("cut-left", ["named (sheet.cut-left)", READ]),
        ("cut-right", [READ, "named (sheet.cut-right)"]),
        ("one-aside", [READ]),
    ],
)
def test_each_sheet_of_a_photo_is_read_or_named(profile: SheetProfile, name: str, became: list[str]) -> None:
    photo, truths = arranged(0, name)
    found = read_sheets(photo, profile)
    assert told(found, truths) == became
    assert len(found) == len(ARRANGEMENTS[name])
    for one, truth in zip(found, truths, strict=True):  # the top row first, from left to right
        assert np.linalg.norm((one.lattice - truth["lattice"]).mean((0, 1))) < cell_pixels(truth["lattice"])


@pytest.mark.parametrize(
    ("name", "became"),
    [
        ("beside", [READ, READ]),
        ("cut-left", ["named (sheet.cut-left)", READ]),
        ("cut-right", [READ, "named (sheet.cut-right)"]),
        ("cut-below", [READ, "named (sheet.cut-bottom)"]),
    ],
)
def test_without_the_page_s_print_lines_and_letters_tell_of_another_sheet(
    profile: SheetProfile, name: str, became: list[str]
) -> None:
    lines = SheetProfile.from_json({**profile.to_json(), "blank": None, "page": None})
    photo, truths = arranged(0, name)
    found = read_sheets(photo, lines)
    assert told(found, truths) == became
    for one, truth in zip(found, truths, strict=True):  # the way up, too
        assert np.linalg.norm((one.lattice - truth["lattice"]).mean((0, 1))) < cell_pixels(truth["lattice"])
        assert np.linalg.norm(one.lattice[0, 0] - truth["lattice"][0, 0]) < cell_pixels(truth["lattice"])


def test_a_photo_in_which_no_sheet_can_be_read_says_why(profile: SheetProfile) -> None:
    photo, (left, right) = arranged(0, "beside")
    for truth in (left, right):
        corners = truth["lattice"][[0, 0, -1, -1], [0, -1, -1, 0]]
        page = corners.mean(0) + (corners - corners.mean(0)) * 1.8  # its title, too: by that alone a page may be found
        cv2.fillConvexPoly(photo, cv2.convexHull(page.astype(np.int32)), (40, 60, 80))
    with pytest.raises(PhotoError) as raised:
        read_sheets(photo, profile)
    assert raised.value.key.startswith(("sheet.", "photo."))


@pytest.mark.parametrize("name", ["one", "beside"])
def test_a_mirrored_photo_is_named_as_such(profile: SheetProfile, name: str) -> None:
    photo = np.ascontiguousarray(arranged(0, name)[0][:, ::-1])
    with pytest.raises(PhotoError) as raised:
        read_sheets(photo, profile)
    assert raised.value.key == "sheet.mirrored"


def test_a_cut_sheet_tells_about_where_it_lies(profile: SheetProfile) -> None:
    photo, truths = arranged(1, "cut-below")
    (cut,) = [one for one in read_sheets(photo, profile) if isinstance(one, UnreadSheet)]
    assert np.abs(cut.lattice - truths[1]["lattice"])[:4].max() < 20  # pixels, of the rows in sight


@pytest.mark.parametrize(("small", "sheets"), [(38, 1), (60, 2)])
def test_of_grids_without_print_those_far_smaller_are_no_sheets(small: int, sheets: int) -> None:
    photo = np.full((1000, 1600, 3), 225, np.uint8)
    for left, top, cell in ((40, 120, small), (750, 100, 85)):
        for k in range(10):
            for one, other in (((k, 0), (k, 9)), ((0, k), (9, k))):
                ends = [(left + cell * x, top + cell * y) for x, y in (one, other)]
                cv2.line(photo, *ends, (40, 40, 40), 2 + 3 * (k % 3 == 0))
    found = read_sheets(photo, SheetProfile.from_json({"name": "grid", "rows": 9, "cols": 9}))
    assert [round(cell_pixels(one.lattice)) for one in found] == [small, 85][-sheets:]
