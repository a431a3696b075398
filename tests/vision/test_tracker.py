"""Sheets under a camera: each rests by itself, hands hold it, marks stay."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
import pytest

from training.synth import demo
from vision.sheet import tracker as tracker_module
from vision.sheet.flatten import SheetMap
from vision.sheet.profile import SheetProfile
from vision.sheet.read import read_lattice
from vision.sheet.tracker import SheetState, SheetTracker, find_sheet

PROFILE = SheetProfile.from_json(demo.profile())
WIDTH = 1000
CELLS = [(2, 4), (6, 6), (8, 1)]


@pytest.fixture(scope="module")
def blank() -> np.ndarray:
    photo = demo.blank_photo(0)
    return cv2.resize(photo, None, fx=WIDTH / photo.shape[1], fy=WIDTH / photo.shape[1], interpolation=cv2.INTER_AREA)


@pytest.fixture(scope="module")
def drawn(blank: np.ndarray) -> np.ndarray:
    return circled(blank, CELLS)


def arm(image: np.ndarray, at: float) -> np.ndarray:
    """A forearm from the lower border onto the sheet; `at`: where, in parts of the width."""
    out, (h, w) = image.copy(), image.shape[:2]
    points = np.array([[at * w, 0.45 * h], [(at + 0.07) * w, 0.45 * h], [(at + 0.12) * w, h], [(at - 0.02) * w, h]])
    cv2.fillPoly(out, [points.astype(np.int32)], (110, 140, 190))
    return out


def play(tracker: SheetTracker, *scenes: tuple[np.ndarray, float], start: float = 0.0) -> list[SheetState]:
    """Show each picture for so many seconds, 10 frames a second."""
    states, time = [], start
    for image, seconds in scenes:
        for _ in range(round(seconds * 10)):
            states += tracker.take(image, time)
            time += 0.1
    return states


def marks(state: SheetState) -> list[tuple[int, int]]:
    return [
        (r, c)
        for r, row in enumerate(state.reading.map)
        for c, kind in enumerate(row)
        if kind != "." and (r, c) != PROFILE.entrance
    ]


def test_a_drawing_counts_when_the_arm_is_gone(blank: np.ndarray, drawn: np.ndarray) -> None:
    tracker = SheetTracker(PROFILE, ["A"])
    first = play(tracker, (blank, 0.6))
    assert [marks(s) for s in first] == [[]]
    held = play(tracker, (arm(blank, 0.4), 0.2), (arm(drawn, 0.45), 1.0), start=1.0)
    assert held == []
    (then,) = play(tracker, (drawn, 0.6), start=3.0)
    assert marks(then) == CELLS
    assert set(then.changed) == set(CELLS)
    assert then.time == pytest.approx(3.3, abs=0.11)
    assert then.reading.destinations == ()


def test_an_arm_in_the_first_look_hides_nothing_for_long_though_others_come_and_go(drawn: np.ndarray) -> None:
    """No picture of the sheet without that arm stays for the four seconds after which what lies there was put down."""
    tracker = SheetTracker(PROFILE, ["A"])
    (first,) = play(tracker, (arm(drawn, 0.5), 0.6))
    assert set(marks(first)) < set(CELLS)
    rounds = play(tracker, *[(drawn, 2.0), (arm(drawn, 0.75), 0.3)] * 3, (drawn, 0.6), start=1.0)
    assert [marks(state) for state in rounds] == [CELLS]


@pytest.mark.parametrize(
    "change",
    [
        pytest.param(lambda image: np.uint8(image * np.linspace(0.55, 1, image.shape[1])[None, :, None]), id="shadow"),
        pytest.param(lambda image: np.uint8(np.clip(image * 1.12, 0, 255)), id="a lamp is switched on"),
        pytest.param(
            lambda image: cv2.warpAffine(
                image, cv2.getRotationMatrix2D((500, 400), 5, 0.97), image.shape[1::-1], borderMode=cv2.BORDER_REPLICATE
            ),
            id="the sheet is pushed and turned",
        ),
    ],
)
def test_marks_stay(drawn: np.ndarray, change) -> None:
    tracker = SheetTracker(PROFILE, ["A"])
    (first,) = play(tracker, (drawn, 0.6))
    later = play(tracker, (change(drawn), 1.5), start=1.0)
    assert marks(first) == CELLS
    assert all(marks(s) == CELLS for s in later)
    assert [marks(s) for s in tracker.states] == [CELLS]


def laid(image: np.ndarray, angle: float, shift: tuple[int, int]) -> np.ndarray:
    """The picture turned by so many degrees and shifted by so many pixels."""
    turn = cv2.getRotationMatrix2D((500, 400), angle, 0.95)
    turn[:, 2] += shift
    return cv2.warpAffine(image, turn, image.shape[1::-1], borderMode=cv2.BORDER_REPLICATE)


@pytest.mark.parametrize(
    ("angle", "shift"), [(0, (6, -5)), (3, (14, 9)), (-8, (30, -20))], ids=["bumped", "pushed", "lifted and laid back"]
)
def test_a_sheet_that_lies_elsewhere_then_is_read_there(blank, drawn, angle: float, shift: tuple[int, int]) -> None:
    tracker = SheetTracker(PROFILE, ["A"])
    play(tracker, (blank, 0.6))
    away = np.full_like(blank, 110)
    later = play(tracker, (away, 0.8), (laid(drawn, angle, shift), 2.0), start=1.0)
    assert [marks(state) for state in later] == [CELLS]


def test_a_traced_letter_stays_known_under_a_wall(blank: np.ndarray) -> None:
    lattice = find_sheet(blank, PROFILE)
    assert lattice is not None
    letter, (row, col) = "K", PROFILE.letters["K"]
    to_photo = SheetMap(lattice)
    corner = np.array([(0.06, 0.06), (0.94, 0.06), (0.94, 0.94), (0.06, 0.94)])
    wall = np.round(to_photo(col + corner[:, 0], row + corner[:, 1])).astype(np.int32)
    traced, walled = blank.copy(), blank.copy()
    inside = cv2.fillPoly(np.zeros(blank.shape[:2], np.uint8), [wall], 255) > 0
    dark = blank.min(2) < 120
    strokes = cv2.dilate((inside & dark).astype(np.uint8), np.ones((4, 4), np.uint8)) > 0
    traced[strokes] = (60, 50, 50)
    walled[inside] = (70, 66, 64)
    tracker = SheetTracker(PROFILE, ["A"])
    states = play(tracker, (blank, 0.6), (arm(blank, 0.4), 0.3), (traced, 0.8), (arm(traced, 0.4), 0.3), (walled, 0.8))
    assert [letter in state.reading.destinations for state in states] == [False, True, True]
    assert states[-1].reading.map[row][col] == "#"


def test_a_hand_over_one_sheet_holds_only_that_one(blank: np.ndarray, drawn: np.ndarray) -> None:
    tracker = SheetTracker(PROFILE, ["left", "right"])
    first = play(tracker, (np.hstack([blank, blank]), 0.6))
    assert sorted(s.player for s in first) == ["left", "right"]
    then = play(tracker, (np.hstack([arm(blank, 0.4), drawn]), 0.8), start=1.0)
    assert [(s.player, marks(s)) for s in then] == [("right", CELLS)]


def circled(image: np.ndarray, cells: list[tuple[int, int]]) -> np.ndarray:
    """The sheet with circles in those cells."""
    lattice = find_sheet(image, PROFILE)
    assert lattice is not None
    to_photo, out, turn = SheetMap(lattice), image.copy(), np.linspace(0, 2.1 * np.pi, 40)
    for row, col in cells:
        ring = to_photo(col + 0.5 + 0.36 * np.cos(turn), row + 0.5 + 0.36 * np.sin(turn))
        cv2.polylines(out, [np.round(ring * 8).astype(np.int32)], False, (70, 65, 60), 2, cv2.LINE_AA, 3)
    return out


MORE = [(1, 1), (3, 8), (6, 8), (9, 5)]


@pytest.mark.parametrize(
    ("then", "now"),
    [
        pytest.param((CELLS, MORE), (MORE, CELLS), id="changed places"),
        pytest.param((CELLS, []), ([], CELLS), id="changed places with a blank one"),
        pytest.param((CELLS, MORE), (MORE, [*CELLS, (5, 2)]), id="changed places and drawn on"),
        pytest.param((CELLS, []), (CELLS, CELLS), id="the same was drawn on the other"),
    ],
)
def test_a_map_stays_its_players_wherever_it_lies(blank: np.ndarray, then, now) -> None:
    tracker = SheetTracker(PROFILE, ["A", "B"])
    before, after = (np.hstack([circled(blank, cells) for cells in sheets]) for sheets in (then, now))
    play(tracker, (before, 0.8))
    away = np.full_like(before, 110)
    later = play(tracker, (away, 0.5), (after, 1.5), start=1.0)
    swapped = now[0] == then[1]
    assert [marks(s) for s in tracker.states] == [sorted(cells) for cells in (now[::-1] if swapped else now)]
    assert all(marks(s) in [sorted(cells) for cells in (*then, *now)] for s in later)


@pytest.mark.parametrize("shift", [-12, 12])
def test_sheets_one_above_the_other_are_told_from_above(blank: np.ndarray, drawn: np.ndarray, shift: int) -> None:
    tracker = SheetTracker(PROFILE, ["upper", "lower"])
    states = play(tracker, (np.vstack([np.roll(drawn, shift, axis=1), blank]), 0.6))
    assert {state.player: marks(state) for state in states} == {"upper": CELLS, "lower": []}


def test_a_sheet_that_was_taken_for_another_players_is_the_right_ones_from_then_on(blank, drawn) -> None:
    tracker = SheetTracker(PROFILE, ["A"])
    assert [s.player for s in play(tracker, (blank, 0.6))] == ["A"]
    tracker.exchange("A", "B")
    assert [(s.player, marks(s)) for s in play(tracker, (drawn, 0.6), start=1.0)] == [("B", CELLS)]


@pytest.mark.parametrize(
    "way",
    [
        pytest.param(lambda k: (0.4 * k, -0.2 * k), id="a stand that gives"),
        pytest.param(lambda k: (1.2 * np.sin(4.1 * k), 1.1 * np.cos(3 * k)), id="a hand that holds it"),
    ],
)
def test_a_camera_that_moves_a_little_lets_sheets_rest(drawn, way) -> None:
    tracker = SheetTracker(PROFILE, ["A"])
    scenes = []
    for k in range(20):
        to = np.array([[1, 0, way(k)[0]], [0, 1, way(k)[1]]], float)
        scenes.append((cv2.warpAffine(drawn, to, drawn.shape[1::-1], borderMode=cv2.BORDER_REPLICATE), 0.1))
    assert [marks(s) for s in play(tracker, *scenes)] == [CELLS]


def test_a_box_is_ticked_only_where_it_is_surely_so(blank, monkeypatch) -> None:
    seen = iter([0.6, 0.7, 0.97, 0.55])

    def read(*args):
        reading = read_lattice(*args)
        boxes = (next(seen), *reading.ticked["gems"][1:])
        return replace(reading, ticked={**reading.ticked, "gems": boxes})

    monkeypatch.setattr(tracker_module, "read_lattice", read)
    monkeypatch.setattr(tracker_module, "_is_blank", lambda *args: False)
    tracker, ticks, doubts = SheetTracker(PROFILE, ["A"]), [], []
    for k in range(4):
        play(tracker, (blank, 0.6), (arm(blank, 0.4), 0.2), start=k)
        ticks.append(tracker.states[0].reading.ticks["gems"])
        doubts.append(tracker.states[0].reading.tick_doubts["gems"])
    assert ticks == [0, 0, 1, 1]
    assert doubts == [pytest.approx(p, abs=0.02) for p in (0.6, 0.7, 0.03, 0.45)]


@pytest.mark.parametrize(
    ("change", "players", "why"),
    [
        (lambda image: image // 12, ["A"], "photo.dark"),
        (lambda image: np.full_like(image, 120), ["A"], "photo.flat"),
        (lambda image: cv2.GaussianBlur(image, (0, 0), 12), ["A"], "sheet.blurred"),
        (lambda image: image[:300, :300], ["A"], "sheet.no-grid"),
        (lambda image: image[:, ::-1].copy(), ["A"], "sheet.mirrored"),
        (lambda image: image, ["A", "B"], "sheet.fewer"),
    ],
)
def test_why_no_sheet_is_read_is_known_until_it_is(blank, change, players, why) -> None:
    tracker = SheetTracker(PROFILE, players)
    assert play(tracker, (change(blank), 0.6)) == []
    assert tracker.problem is not None
    assert tracker.problem.key == why
    assert len(play(tracker, (np.hstack([blank] * len(players)), 1.5), start=1.0)) == len(players)
    assert tracker.problem is None


def moved(image: np.ndarray, by: float) -> np.ndarray:
    """The picture of a camera that moved by so many pixels."""
    to = np.array([[1, 0, by], [0, 1, 0.3 * by]], float)
    return cv2.warpAffine(image, to, image.shape[1::-1], borderMode=cv2.BORDER_REPLICATE)


def noisy(image: np.ndarray, level: float) -> np.ndarray:
    """The picture with so many levels of noise, the same each time."""
    return np.clip(image + np.random.default_rng(1).normal(0, level, image.shape), 0, 255).astype(np.uint8)


@pytest.mark.parametrize(
    ("before", "mean"),
    [
        pytest.param(lambda image: image // 2 * 2, True, id="the same place"),
        pytest.param(lambda image: noisy(image, 5), True, id="the same place, noisy"),
        pytest.param(lambda image: moved(image, 1.5), False, id="moved a little"),
        pytest.param(lambda image: moved(image, 3.5), False, id="moved a little more"),
        pytest.param(lambda image: cv2.resize(image, None, fx=0.8, fy=0.8), False, id="another size"),
    ],
)
def test_only_frames_of_one_place_are_averaged(drawn, monkeypatch, before, mean) -> None:
    read = []

    def kept(image, *args):
        read.append(image)
        return read_lattice(image, *args)

    monkeypatch.setattr(tracker_module, "read_lattice", kept)
    tracker = SheetTracker(PROFILE, ["A"])
    (state,) = play(tracker, (drawn, 0.1), (before(drawn), 0.2), (drawn, 0.5))
    assert marks(state) == CELLS
    assert (np.abs(read[0].astype(int) - drawn).max() > 0) == mean


def test_frames_from_before_the_dark_are_forgotten(blank, drawn) -> None:
    tracker = SheetTracker(PROFILE, ["A"])
    play(tracker, (blank, 0.6), (arm(blank, 0.4), 0.2), (blank, 0.2))
    (state,) = play(tracker, (blank // 12, 0.1), (drawn, 0.6), start=1.0)
    assert marks(state) == CELLS
    assert state.time == pytest.approx(1.4, abs=0.11)


def test_a_sheet_without_letters_is_followed(blank, drawn) -> None:
    tracker = SheetTracker(replace(PROFILE, letters={}), ["A"])
    assert [marks(s) for s in play(tracker, (blank, 0.6), (arm(blank, 0.4), 0.2), (drawn, 0.6))] == [[], CELLS]


def test_a_sheet_that_is_not_seen_is_left_out(blank: np.ndarray) -> None:
    tracker = SheetTracker(PROFILE, ["A"])
    assert play(tracker, (np.full_like(blank, 120), 0.6)) == []
    assert tracker.states == ()


def of_size(image: np.ndarray, scale: float, turns: int = 0) -> np.ndarray:
    """The picture as a JPEG of another size brings it, turned by quarters."""
    small = cv2.resize(np.rot90(image, turns), None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    data = cv2.imencode(".jpg", small, [cv2.IMWRITE_JPEG_QUALITY, 85])[1]
    return cv2.imdecode(data, cv2.IMREAD_COLOR)


@pytest.mark.parametrize(
    ("first", "then", "turns"),
    [(0.67, 1.0, 0), (1.0, 0.8, 0), (1.0, 1.0, 1), (0.67, 1.0, 2), (1.0, 0.75, 3)],
    ids=["small first", "smaller then", "a quarter", "large and upside down", "smaller and a quarter"],
)
@pytest.mark.parametrize("seconds", [0.1, 0.8], ids=["before anything is read", "after"])
def test_frames_of_another_size_begin_anew_and_each_sheet_stays_its_players(
    blank: np.ndarray, drawn: np.ndarray, first: float, then: float, turns: int, seconds: float
) -> None:
    other = circled(blank, [(1, 1), (1, 2), (9, 9), (3, 8)])
    before, after = np.hstack([drawn, blank]), np.hstack([drawn, other])
    tracker = SheetTracker(PROFILE, ["left", "right"])
    known = play(tracker, (of_size(before, first), seconds))
    assert {state.player for state in known} == ({"left", "right"} if seconds > 0.5 else set())
    turned = turns if seconds > 0.5 else 0  # nobody can tell sheets apart that were never read
    play(tracker, (of_size(after, then, turned), 2.5), start=1.0)
    assert tracker.problem is None
    assert [(state.player, marks(state)) for state in tracker.states] == [
        ("left", CELLS),
        ("right", [(1, 1), (1, 2), (3, 8), (9, 9)]),
    ]
    width = of_size(after, then, turned).shape[1]
    assert all(0 < state.reading.grid.min() < state.reading.grid[:, 0].max() < width for state in tracker.states)


def test_zones_are_drawn_on_the_first_frame_and_grow_with_later_ones(blank: np.ndarray, drawn: np.ndarray) -> None:
    height, width = (0.67 * np.array(blank.shape[:2])).astype(int)
    half = np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float32)
    zones = {"right": half + np.float32([width, 0]), "left": half}
    tracker = SheetTracker(PROFILE, ["right", "left"], zones)
    both = np.hstack([blank, drawn])
    play(tracker, (of_size(both, 0.67), 0.1))
    play(tracker, (both, 1.2), start=1.0)
    assert [(state.player, marks(state)) for state in tracker.states] == [("right", CELLS), ("left", [])]


def told(tracker: SheetTracker) -> tuple[str, object, str] | None:
    """The problem: its key, which sheet, and why."""
    problem = tracker.problem
    return problem and (problem.key, problem.values.get("number"), getattr(problem.values.get("why"), "key", ""))


def test_a_sheet_that_stays_unread_is_told_with_the_reason(blank: np.ndarray, drawn: np.ndarray) -> None:
    tracker = SheetTracker(PROFILE, ["left", "right"])
    play(tracker, (np.hstack([blank, drawn]), 0.8))
    gone = np.hstack([blank, np.full_like(blank, 120)])
    play(tracker, (gone, 8.0), start=1.0)
    assert told(tracker) is None
    play(tracker, (gone, 4.0), start=9.0)
    assert told(tracker) == ("sheet.unread", 2, "sheet.lost")
    play(tracker, (np.hstack([blank, drawn]), 3.0), start=13.0)
    assert told(tracker) is None


def test_a_sheet_over_which_something_always_moves_is_told_until_it_was_read(blank: np.ndarray) -> None:
    tracker, time = SheetTracker(PROFILE, ["A"]), 0.0
    tracker.take(blank, time)
    for i in range(60):
        time += 0.2
        tracker.take(arm(blank, 0.35 + 0.1 * (i % 2)), time)
    assert told(tracker) == ("sheet.unread", 1, "sheet.moving")
    play(tracker, (blank, 1.0), start=time + 0.2)
    assert told(tracker) is None
    for i in range(60):
        tracker.take(arm(blank, 0.35 + 0.1 * (i % 2)), time + 1.4 + 0.2 * i)
    assert told(tracker) is None  # somebody draws
