"""Tick tracks: found on blank sheets wherever they are printed, and judged on filled ones."""

from __future__ import annotations

import cv2
import numpy as np
import pytest
from blank_sheets import PLACES, Page, blank_sheet

from vision.sheet.flatten import SheetMap
from vision.sheet.ticks import judge_ticks, place_boxes, together
from vision.sheet.tracks import Track, find_tracks, in_reading_order


@pytest.mark.parametrize(
    ("seed", "place"), [*enumerate(PLACES), *((k, place) for k in (2, 7) for place in ("one line", "columns"))]
)
def test_both_tracks_are_found_wherever_they_are(seed, place):
    sheet = blank_sheet(seed, place=place)
    found = find_tracks(sheet.photo, SheetMap(sheet.lattice))
    assert [len(t.boxes) for t in found] == [len(t) for t in sheet.tracks]
    for track, truth in zip(found, sheet.tracks, strict=True):
        assert np.abs(track.boxes - truth).max() < truth[0, 2] / 4


def test_a_sheet_without_tracks_has_none():
    bare = np.full((900, 1200, 3), 210, np.uint8)
    lattice = np.stack(np.meshgrid(np.arange(12) * 50 + 300, np.arange(12) * 50 + 150), -1)
    assert find_tracks(bare, SheetMap(lattice)) == []


def track_at(x: float, y: float, down: bool = False) -> Track:
    k = np.arange(6) * 0.5
    x, y = (x + 0 * k, y + k) if down else (x + k, y + 0 * k)
    return Track(np.stack([x, y, 0 * k + 0.4, 0 * k + 0.4], 1), 1)


@pytest.mark.parametrize(
    ("first", "second"),
    [
        (track_at(0, -2), track_at(0, -1)),
        (track_at(0, -1), track_at(5, -1.1)),
        (track_at(-2, 1, True), track_at(-1, 0.5, True)),
        (track_at(-2, 0, True), track_at(12, 0, True)),
        (track_at(8, -1), track_at(0, 12)),
    ],
    ids=["above", "beside in a row", "columns beside", "left and right", "above and below"],
)
def test_reading_order(first, second):
    assert in_reading_order([second, first]) == in_reading_order([first, second]) == [first, second]


TICKS = {
    "check": [[(-0.4, 0), (-0.1, 0.35), (0.5, -0.6)]],
    "cross": [[(-0.4, -0.4), (0.4, 0.4)], [(0.4, -0.4), (-0.4, 0.4)]],
    "slash": [[(-0.4, 0.4), (0.4, -0.4)]],
    "scribble": [[(-0.4, 0.3), (-0.2, -0.4), (0, 0.3), (0.2, -0.4), (0.4, 0.3)]],
    "dot": [[(-0.12, 0), (0.12, 0), (0, 0.12), (0, -0.12), (0.12, 0)]],
}


def ticked(counts: tuple[int, int], style: str, darkness: float):
    def marks(rng: np.random.Generator, page: Page, tracks: list[np.ndarray]) -> None:
        for boxes, count in zip(tracks, counts, strict=True):
            for x, y, w, h in boxes[:count]:
                center = np.array([x + w / 2, y + h / 2]) + rng.normal(0, 0.05, 2) * w
                for line in TICKS[style]:
                    page.line(center + (np.array(line) + rng.normal(0, 0.04, (len(line), 2))) * (w, h), 0.045, darkness)

    return marks


@pytest.mark.parametrize(
    ("seed", "style", "darkness", "counts"),
    [(30, "check", 0.8, (3, 1)), (31, "cross", 0.4, (0, 4)), (32, "slash", 0.5, (5, 2)), (33, "scribble", 0.4, (4, 4)),
     (34, "dot", 0.8, (2, 0)), (35, "check", 0.3, (5, 5)), (36, "slash", 0.9, (1, 0)), (37, "cross", 0.8, (0, 0))],
)  # fmt: skip
def test_ticks_are_counted(seed, style, darkness, counts):
    sheet = blank_sheet(seed, marks=ticked(counts, style, darkness))
    gray = cv2.cvtColor(sheet.photo, cv2.COLOR_BGR2GRAY)
    answers = judge_ticks(sheet.photo, gray, SheetMap(sheet.lattice), sheet.profile())
    assert tuple(sum(p > 0.5 for p in answers[k]) for k in ("gems", "penalties")) == counts


@pytest.mark.parametrize("off", [(0.2, 0.1), (-0.25, 0.2), (0.05, -0.25)])
def test_boxes_are_laid_onto_their_outlines(off):
    sheet = blank_sheet(38, place="above")
    boxes = sheet.tracks[0]
    shifted = boxes + np.array([*off, 0, 0])
    placed, _ = place_boxes(sheet.photo, SheetMap(sheet.lattice), [tuple(b) for b in shifted])
    assert np.abs(placed - boxes)[:, :2].max() < 0.15 * boxes[0, 2]


@pytest.mark.parametrize(
    ("alone", "beside", "ticked"),
    [
        ([-2.2, -2.3, -3.0, -0.3, -1.4, -3.2, -4.7], [1.7, 0.7, 1.0, 1.8, 1.4, -2.6, -2.8], "TTTTT.."),
        ([-2.3, -2.0, -1.9, -4.3, -4.8, -5.5], [0.8, 0.5, 1.1, -3.0, -3.2, -3.1], "TTT..."),
        ([8.7, 9.0, 3.4, -2.1, -2.4, -2.8], [1.4, 1.1, 0.5, 0.3, 1.5, 1.3], "TTT..."),
        ([2.0, 2.5, 3.1], [4.5, 1.2, 4.0], "TTT"),
        ([-3.1, -2.8, -4.0], [-4.5, -1.4, -4.1], "..."),
        ([1.2], [-0.4], "T"),
    ],
    ids=[
        "rings around five squares, in soft pencil",
        "rings around three, in felt pen",
        "crayon: the blank page does not part them",
        "all ticked",
        "none ticked",
        "a track of one box",
    ],
)
def test_a_ring_around_a_box_is_a_tick_where_the_blank_page_tells(alone, beside, ticked):
    """To who sees the photo alone a ring is a bolder outline."""
    odds = together(np.array(alone), np.array(beside))
    assert "".join("T" if odd > 0 else "." for odd in odds) == ticked
