"""The cells of a drawn sheet are read, or flagged."""

import threading
from dataclasses import replace
from functools import cache
from pathlib import Path

import cv2
import numpy as np
import pytest
from demo_sheets import blank_photo, filled_photo

from vision.sheet import cells, print_evidence
from vision.sheet.cells import CellReadings, classify_cells
from vision.sheet.flatten import FlatSheet, SheetMap, flatten
from vision.sheet.grid import find_grid
from vision.sheet.illumination import darkness
from vision.sheet.profile import SheetProfile

TRAINED = Path(__file__).parents[2] / "training" / "networks"
DEMOS = [(seed, player) for seed in range(2) for player in range(4)]
FEW_DOUBTS = 8
"""Cells of a drawn sheet that may be asked about: four are, with room for processors that round otherwise."""
SURE = 1.0
"""By how much the likeliest kind leads, in log odds: where it is less, processors may decide either way."""


@cache
def demo(seed: int, player: int, cell: int = 40) -> tuple[FlatSheet, dict, SheetProfile]:
    photo, truth = filled_photo(seed, player)
    return flatten(photo, SheetMap(truth["lattice"]), cell), truth, SheetProfile.from_json(truth["profile"])


@cache
def blank_flat() -> tuple[FlatSheet, SheetProfile]:
    photo, truth = blank_photo(), filled_photo(0, 0)[1]
    lattice = find_grid(photo, 11, 11).lattice
    return flatten(photo, SheetMap(lattice), 40), SheetProfile.from_json(truth["profile"])


def blank_demo() -> np.ndarray:
    flat, _ = blank_flat()
    return cells.blank_input(flat.image, flat.cell, flat.origin, 11, 11)


def classified(flat: FlatSheet, profile: SheetProfile) -> CellReadings:
    return classify_cells(flat.image, flat.cell, flat.origin, profile)


def wrong(read: CellReadings, rows: list[str]) -> list[tuple[int, int]]:
    return [(i, j) for i, row in enumerate(rows) for j, kind in enumerate(row) if read.map[i][j] != kind]


@pytest.mark.parametrize(
    ("kinds", "hidden", "read"),
    [
        ((0.05, 0.07, 0.88), 0.99, "o"),  # a pawn's head, dark as a filling
        ((0.01, 0.01, 0.98), 0.99, "#"),  # beside which hatching shows plainly
        ((0.05, 0.07, 0.88), 0.1, "#"),  # an unsure wall under nothing
        ((0.75, 0.05, 0.2), 0.99, "."),
        ((0.2, 0.75, 0.05), 0.99, "o"),
    ],
)
def test_under_a_piece_an_unsure_wall_is_a_passage(kinds, hidden, read):
    logits = np.full((1, 1, 8), -5.0)
    logits[..., :3], logits[..., cells.HIDDEN] = np.log(kinds), np.log(hidden / (1 - hidden))
    nothing = cells.ImageDefects(np.zeros((1, 1), bool), np.zeros((1, 1)), np.zeros((1, 1), bool))
    profile = replace(demo(0, 0)[2], entrance=None)
    found = cells._readings(logits[..., :3], logits, 0.95, profile, nothing)
    assert found.map == (read,)
    assert found.confidence[0, 0] == pytest.approx(max(kinds))
    assert found.doubtful[0, 0] == (hidden > 0.5 or max(kinds) < 0.95)


@pytest.mark.parametrize(
    ("walls", "doubtful"),
    [
        ([0.999] * 9, 0),
        ([0.96] * 9, 0),  # each as sure as is asked
        ([0.96] * 8 + [0.7], 0),  # one odd mark says nothing of the others
        ([0.96] * 7 + [0.8, 0.7], 9),  # marks that look alike are misread alike
        ([0.96] * 4 + [0.999] * 3 + [0.8, 0.7], 6),
    ],
)
def test_marks_of_which_many_are_doubtful_are_all_doubtful(walls: list[float], doubtful: int) -> None:
    kinds, confidence = np.zeros((4, 4), int), np.full((4, 4), 0.97)  # bare paper is no mark
    kinds.flat[: len(walls)], confidence.flat[: len(walls)] = cells.KINDS.index("#"), walls
    unsure = confidence < cells.SETTINGS.sure_with_blank
    assert (unsure | cells.shared_doubts(kinds, confidence, unsure)).sum() == max(doubtful, unsure.sum())


@pytest.mark.parametrize(("seed", "player"), DEMOS)
def test_no_cell_of_the_demo_is_silently_wrong(seed: int, player: int) -> None:
    flat, truth, profile = demo(seed, player)
    read = classified(flat, profile)
    assert [c for c in wrong(read, truth["map"]) if not read.doubtful[c]] == []
    assert read.doubtful.sum() <= FEW_DOUBTS


@pytest.mark.parametrize(
    ("lines", "burnt_away", "asked"),
    [(0, (255, 255, 255), True), (4, (255, 255, 255), True), (4, (225, 255, 255), True), (4, (225, 225, 255), False)],
    ids=["all of the cell", "inside its lines", "under a warm lamp", "red alone"],
)
def test_a_cell_that_is_white_inside_its_lines_may_have_lost_its_mark(
    lines: int, burnt_away: tuple[int, int, int], asked: bool
) -> None:
    flat, truth, profile = demo(0, 0)
    burnt = next(
        (i, j) for i in range(11) for j in range(11) if truth["map"][i][j] == "o" and (i, j) != profile.entrance
    )
    image = flat.image.copy()
    x, y, cell = *map(round, flat.origin), flat.cell
    top, left = y + burnt[0] * cell + lines, x + burnt[1] * cell + lines
    image[top : top + cell - 2 * lines, left : left + cell - 2 * lines] = burnt_away
    read = classify_cells(image, cell, flat.origin, profile)
    assert (read.map[burnt[0]][burnt[1]], bool(read.doubtful[burnt])) == (".", asked)


def test_what_lies_on_a_cell_may_reach_to_the_next(monkeypatch) -> None:
    flat, _, profile = demo(0, 0)
    seen = np.zeros((1, 8, 11, 11), np.float32)
    seen[0, 0], seen[0, 3:] = 9, -9  # bare cells on which nothing lies
    seen[0, 5, [2, 3, 8], 2] = 3, -0.8, -0.8  # a piece on the third row's, perhaps on the fourth's and the ninth's
    monkeypatch.setattr(cells, "NETWORK", lambda _: seen)
    assert np.argwhere(classified(flat, profile).doubtful).tolist() == [[2, 2], [3, 2]]


@pytest.mark.parametrize(("setting", "kind"), [("noisy", "#"), ("very_noisy", ".")])
def test_where_the_camera_is_noisy_only_sure_cells_are_not_asked_about(monkeypatch, setting: str, kind: str) -> None:
    flat, _, profile = demo(0, 0)
    grain = np.random.default_rng(5).normal(0, 9, flat.image.shape)
    dark = np.clip(flat.image * 0.12 + grain, 0, 255).astype(np.uint8)

    def read(noisy: float) -> CellReadings:
        monkeypatch.setattr(cells, "SETTINGS", replace(cells.SETTINGS, shared=np.inf, **{setting: noisy}))
        return classify_cells(dark, flat.cell, flat.origin, profile, blank_demo())

    always, never = read(0.06), read(np.inf)
    kinds = np.array([list(row) for row in never.map]) == kind
    unsure = kinds & (never.confidence < cells.SETTINGS.sure_in_noise)
    assert np.array_equal(always.doubtful, never.doubtful | unsure)
    assert (unsure & ~never.doubtful).any()


@pytest.mark.parametrize(
    ("alone", "beside", "second", "read", "asked"),
    [
        pytest.param(0.999, 0.1, 0.1, ".", True, id="two see a wall"),
        pytest.param(0.999, 0.1, 0.999, ".", False, id="one of three sees a wall"),
        pytest.param(0.999, 0.999, 0.001, ".", False, id="the third is not asked where two are sure"),
        pytest.param(0.002, 0.999, 0.5, ".", True, id="two contradict each other"),
        pytest.param(0.02, 0.01, 0.5, "#", False, id="both see a wall"),
    ],
)
def test_beside_the_blank_sheet_a_cell_is_sure_where_judges_agree(
    monkeypatch, alone: float, beside: float, second: float, read: str, asked: bool
) -> None:
    def seen(blank: float) -> np.ndarray:
        logits = np.full((1, 8, 11, 11), -9, np.float32)
        logits[0, 0] = 9
        logits[0, :3, 4, 4] = np.log([blank, 1e-6, 1 - blank])
        return logits

    flat, profile = blank_flat()
    known = blank_demo()
    monkeypatch.setattr(cells, "NETWORK", lambda _: seen(alone))
    monkeypatch.setattr(cells, "BESIDE", lambda _: seen(beside))
    monkeypatch.setattr(cells, "SECOND", lambda _: seen(second))
    monkeypatch.setattr(cells, "correct_logits", lambda logits, *_: logits)
    found = classify_cells(flat.image, flat.cell, flat.origin, profile, known)
    assert (found.map[4][4], np.argwhere(found.doubtful).tolist()) == (read, [[4, 4]] * asked)


@pytest.mark.parametrize(
    ("paper", "wall", "beside", "asked"),
    [(40, 35, 40, True), (40, 16, 40, False), (200, 176, 200, False), (40, 35, 200, False)],
    ids=["blots in the dark", "a wall in the dark", "pale scribble in the light", "a shadow of two cells"],
)
def test_in_deep_shadow_a_wall_hardly_darker_than_the_paper_is_asked_about(
    monkeypatch, paper: int, wall: int, beside: int, asked: bool
) -> None:
    seen = np.full((1, 8, 11, 11), -9, np.float32)
    seen[0, 0], seen[0, 0, 4, 4], seen[0, 2, 4, 4] = 9, -9, 9  # bare but for one wall
    monkeypatch.setattr(cells, "NETWORK", lambda _: seen)
    image = np.full((500, 500, 3), beside, np.uint8)
    image[170:250, 170:250] = paper  # two cells wide
    image[190:230, 190:230] = wall
    read = classify_cells(image, 40, (30, 30), SheetProfile("dark", 11, 11))
    assert (read.map[4][4], bool(read.doubtful[4, 4])) == ("#", asked)


def test_gates_and_traced_letters_of_the_demos() -> None:
    missed = []
    for seed, player in DEMOS:
        flat, truth, profile = demo(seed, player)
        read = classified(flat, profile)
        gates = {(i, j) for i in range(11) for j in range(11) if read.gate[i, j] > 0.5}
        traced = {k for k, c in profile.letters.items() if read.traced[c] > 0.5 and read.map[c[0]][c[1]] != "#"}
        if gates != set(truth["gates"]) or traced - {k for k, c in profile.letters.items() if c in gates} != set(
            truth["destinations"]
        ):
            missed.append((seed, player))
    assert len(missed) <= 1


def test_what_a_reading_promises() -> None:
    flat, _, profile = demo(0, 0)
    read = classified(flat, profile)
    assert read.probabilities.shape == (11, 11, 3)
    assert read.probabilities.sum(-1) == pytest.approx(np.ones((11, 11)), abs=1e-5)
    assert read.confidence == pytest.approx(read.probabilities.max(-1))
    for name in ("confidence", "traced", "gate", "hidden", "letter"):
        values = getattr(read, name)
        assert values.shape == (11, 11)
        assert 0 <= values.min() <= values.max() <= 1
    assert read.map[5][5] == "o"
    assert not read.doubtful[5, 5]


def test_letters_and_entrance_may_be_unknown() -> None:
    flat, truth, profile = demo(0, 1)
    bare = classify_cells(flat.image, flat.cell, flat.origin, SheetProfile("bare", 11, 11))
    assert len(wrong(bare, truth["map"])) <= 1
    found = {c for c in profile.letters.values() if bare.letter[c] > 0.5}
    assert len(found) >= 15


@pytest.mark.parametrize("cell", [32, 48, 90])
def test_other_sizes_of_cells_read_alike(cell: int) -> None:
    flat, truth, profile = demo(0, 0, cell)
    assert len(wrong(classified(flat, profile), truth["map"])) <= 1


def test_a_part_of_the_sheet_is_a_smaller_sheet() -> None:
    flat, truth, _ = demo(0, 0)
    part = classify_cells(flat.image[40:520, 40:520], 40, (40, 40), SheetProfile("part", 9, 9))
    assert len(part.map) == len(part.map[0]) == 9
    assert (
        sum(part.map[i][j] != truth["map"][i + 1][j + 1] for i in range(9) for j in range(9) if (i, j) != (4, 4)) <= 1
    )


GRAY = (70, 60, 60)


def token(image: np.ndarray, x: int, y: int) -> None:
    cv2.circle(image, (x, y), 26, (40, 40, 190), -1, cv2.LINE_AA)


def cross(image: np.ndarray, x: int, y: int) -> None:
    cv2.line(image, (x - 12, y - 12), (x + 12, y + 12), GRAY, 2, cv2.LINE_AA)
    cv2.line(image, (x - 12, y + 12), (x + 12, y - 12), GRAY, 2, cv2.LINE_AA)


def tick(image: np.ndarray, x: int, y: int) -> None:
    cv2.polylines(image, [np.int32([[x - 12, y], [x - 4, y + 10], [x + 12, y - 12]])], False, GRAY, 2, cv2.LINE_AA)


@pytest.mark.parametrize("mark", [token, cross, tick])
def test_what_is_no_map_mark_is_doubtful(mark) -> None:
    flat, truth, profile = demo(0, 0)
    spots = [
        (i, j)
        for i in range(11)
        for j in range(11)
        if truth["map"][i][j] == "." and (i, j) not in profile.letters.values()
    ]
    flagged = 0
    for i, j in spots[:12:2]:
        image = flat.image.copy()
        mark(image, 40 * j + 60, 40 * i + 60)
        flagged += bool(classify_cells(image, 40, flat.origin, profile).doubtful[i, j])
    assert flagged >= 5


@pytest.mark.parametrize(("rows", "cols"), [(11, 11), (9, 10)])
def test_in_whole_numbers_the_network_decides_as_it_was_trained(rows: int, cols: int) -> None:
    trained = cv2.dnn.readNetFromONNX(str(TRAINED / cells.NETWORK.path.name))
    for seed, player in DEMOS:
        flat, _, _ = demo(seed, player)
        sheet = darkness(cells._framed(flat.image, 40, flat.origin, rows, cols))[None]
        trained.setInput(sheet)
        was = trained.forward()
        now = cells.NETWORK(sheet)
        assert now.shape == was.shape == (1, 8, rows, cols)
        kinds = len(cells.KINDS)
        ordered = np.sort(was[0, :kinds], 0)
        clear = ordered[-1] - ordered[-2] > SURE
        assert clear.sum() > 0.8 * rows * cols
        assert np.array_equal(now[0, :kinds].argmax(0)[clear], was[0, :kinds].argmax(0)[clear])


def test_two_threads_read_as_one() -> None:
    alone = [classified(*demo(0, p)[::2]).probabilities for p in (0, 1)]
    together: dict[int, np.ndarray] = {}

    def read(player: int) -> None:
        for _ in range(5):
            together[player] = classified(*demo(0, player)[::2]).probabilities

    threads = [threading.Thread(target=read, args=(p,)) for p in (0, 1)]
    for t in threads:
        t.start()
    for t in threads:
        t.join()
    assert all(np.array_equal(together[p], alone[p]) for p in (0, 1))


@pytest.mark.parametrize(("seed", "player"), DEMOS[:4])
def test_beside_the_blank_sheet_no_cell_is_lost_and_bare_cells_are_sure(seed: int, player: int) -> None:
    flat, truth, profile = demo(seed, player)
    read = classify_cells(flat.image, flat.cell, flat.origin, profile, blank_demo())
    assert all(read.doubtful[cell] for cell in wrong(read, truth["map"]))
    bare = np.array([list(row) for row in truth["map"]]) == "."
    assert (read.doubtful & bare).sum() <= 1


def test_beside_the_blank_sheet_gates_are_told_at_least_as_well() -> None:
    wrong_gates = {False: 0, True: 0}
    for seed, player in DEMOS:
        flat, truth, profile = demo(seed, player)
        gates = {tuple(cell) for cell in truth["gates"]}
        for beside in wrong_gates:
            read = classify_cells(flat.image, flat.cell, flat.origin, profile, blank_demo() if beside else None)
            letters = [cell for cell in profile.letters.values() if read.map[cell[0]][cell[1]] == "o"]
            wrong_gates[beside] += sum((read.gate[cell] > 0.5) != (cell in gates) for cell in letters)
    assert wrong_gates[True] <= wrong_gates[False]


def test_nothing_was_drawn_on_a_blank_sheet_beside_itself() -> None:
    flat, profile = blank_flat()
    read = classify_cells(flat.image, flat.cell, flat.origin, profile, blank_demo())
    assert set("".join(read.map).replace("o", "", 1)) == {"."}
    assert not read.doubtful.any()


def with_faint_half(flat: FlatSheet, left: float) -> FlatSheet:
    """The sheet with the marks of its right half `left` times as dark, as where graphite mirrors the lamp."""
    paper = np.maximum(blank_flat()[0].image.astype(np.float32), 1)
    share = np.where(np.arange(paper.shape[1]) > 0.45 * paper.shape[1], left, 1)[None, :, None]
    return replace(flat, image=(paper * (1 - share * (1 - np.minimum(flat.image / paper, 1)))).astype(np.uint8))


def test_strokes_far_fainter_than_elsewhere_are_seen_beside_the_blank_sheet() -> None:
    alone = beside = silent = 0
    for seed, player in DEMOS[:4]:
        flat, truth, profile = demo(seed, player)
        seen = with_faint_half(flat, 0.2)
        alone += len(wrong(classified(seen, profile), truth["map"]))
        read = classify_cells(seen.image, seen.cell, seen.origin, profile, blank_demo())
        beside += len(wrong(read, truth["map"]))
        silent += sum(not read.doubtful[cell] for cell in wrong(read, truth["map"]))
    assert beside < 0.5 * alone
    assert silent <= 2


def test_the_weights_are_small() -> None:
    assert cells.NETWORK.path.stat().st_size + print_evidence.PATH.stat().st_size < 2_000_000
