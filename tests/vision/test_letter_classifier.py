"""Letters traced over and circles outlined twice are found, each letter compared with its peers."""

import threading
from functools import cache
from pathlib import Path

import cv2
import numpy as np
import pytest
from demo_sheets import filled_photo

from vision.network import Network
from vision.sheet.flatten import SheetMap
from vision.sheet.letter_classifier import (
    ENSEMBLE,
    SIDE,
    SPAN,
    UNLIKE,
    WHITE,
    classify_letters,
    crop_letters,
    network_input,
    normalize_crops,
)
from vision.sheet.profile import SheetProfile
from vision.sheet.tracing_features import FEATURES

TRAINED = Path(__file__).parents[2] / "training" / "networks"
DEMOS = [(seed, player) for seed in range(3) for player in range(4)]
SURE = 1.0
"""Log odds: nearer to even, processors whose whole numbers differ by a step may decide either way."""


@cache
def demo(seed: int, player: int) -> tuple[np.ndarray, SheetMap, dict, dict[str, tuple[int, int]]]:
    """Photo, its map, its truth, and the letters that no wall covers."""
    photo, truth = filled_photo(seed, player)
    letters = SheetProfile.from_json(truth["profile"]).letters
    shown = {k: (r, c) for k, (r, c) in letters.items() if truth["map"][r][c] != "#"}
    return photo, SheetMap(truth["lattice"]), truth, shown


def cut(photo: np.ndarray, sheet_map: SheetMap, shown: dict[str, tuple[int, int]]) -> np.ndarray:
    return normalize_crops(crop_letters(photo, sheet_map, list(shown.values())))


def answers(seed: int, player: int) -> tuple[set[str], set[tuple[int, int]]]:
    photo, sheet_map, _, shown = demo(seed, player)
    seen = classify_letters(cut(photo, sheet_map, shown))
    gates = {c for c, p in zip(shown.values(), seen.gate, strict=True) if p > 0.5}
    return {k for (k, c), p in zip(shown.items(), seen.traced, strict=True) if p > 0.5 and c not in gates}, gates


def test_gates_and_traced_letters_of_the_demos() -> None:
    missed = [d for d in DEMOS if answers(*d) != (set(demo(*d)[2]["destinations"]), set(demo(*d)[2]["gates"]))]
    assert len(missed) <= 2


@pytest.mark.parametrize("count", [0, 1, 2, 7])
def test_any_number_of_letters(count: int) -> None:
    photo, sheet_map, _, shown = demo(0, 0)
    seen = classify_letters(cut(photo, sheet_map, shown)[:count])
    assert seen.traced.shape == seen.gate.shape == (count,)
    assert all(0 <= p <= 1 for p in [*seen.traced, *seen.gate])


def test_the_order_of_the_letters_does_not_matter() -> None:
    photo, sheet_map, _, shown = demo(1, 0)
    there, back = (classify_letters(cut(photo, sheet_map, shown)[::way]) for way in (1, -1))
    assert there.traced == pytest.approx(back.traced[::-1], abs=0.15)
    assert there.gate == pytest.approx(back.gate[::-1], abs=0.15)


@pytest.mark.parametrize("scale", [0.75, 2.0, 3.0])
def test_a_picture_does_not_depend_on_the_size_of_the_photo(scale: float) -> None:
    photo, sheet_map, _, shown = demo(0, 0)
    size = cv2.resize(photo, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA if scale < 1 else cv2.INTER_CUBIC)
    lattice = (sheet_map.lattice + 0.5) * scale - 0.5
    some = list(shown.values())[:5]
    one, other = crop_letters(photo, sheet_map, some), crop_letters(size, SheetMap(lattice), some)
    assert np.abs(one.astype(float) - other).mean() < 5


def test_a_picture_shows_its_cell() -> None:
    photo = np.full((900, 900, 3), 255, np.uint8)
    v, u = np.mgrid[0:6, 0:6] * 100.0 + 100
    cv2.circle(photo, (350, 250), 20, (0, 0, 0), -1)
    picture = crop_letters(photo, SheetMap(np.stack([u, v], -1)), [(1, 2)])[0]
    y, x = np.nonzero(picture[..., 0] < 128)
    assert (x.mean(), y.mean()) == pytest.approx((SIDE / 2 - 0.5, SIDE / 2 - 0.5), abs=0.5)
    assert np.ptp(x) == pytest.approx(40 / 100 / SPAN * SIDE, abs=2)


@pytest.mark.parametrize("cell", [40.0, 100.0, 300.0])
def test_a_letter_outside_the_photo_shows_what_is_at_its_edge(cell: float) -> None:
    photo = np.full((300, 300, 3), 200, np.uint8)
    v, u = np.mgrid[0:6, 0:6] * cell + 290
    assert (crop_letters(photo, SheetMap(np.stack([u, v], -1)), [(4, 4)]) == 200).all()


@pytest.mark.parametrize("light", [0.5, 0.7, 1.0])
def test_light_and_shadow_are_normalized(light: float) -> None:
    crops = np.full((2, SIDE, SIDE, 3), (200, 220, 240), np.uint8)
    cv2.putText(crops[0], "R", (20, 44), cv2.FONT_HERSHEY_SIMPLEX, 1, (40, 40, 40), 2)
    dim = (crops * np.where(np.arange(SIDE) < 32, light, 1)[:, None]).astype(np.uint8)
    even = normalize_crops(dim)
    assert np.abs(even[1, :, :18].astype(int) - WHITE).max() <= 12
    assert np.abs(even[1, :, 46:].astype(int) - WHITE).max() <= 12
    assert even[0].min() < 0.4 * WHITE


def test_a_strip_lays_letters_side_by_side() -> None:
    crops = np.zeros((3, SIDE, SIDE, 3), np.uint8)
    crops[1] = WHITE
    known, rest = np.full((3, SIDE, SIDE), WHITE, np.uint8), np.zeros((3, SIDE, SIDE), np.float32)
    known[2], rest[0] = 0, 0.25
    strip = network_input(crops, known, rest)
    assert strip.shape == (5, SIDE, 3 * SIDE)
    means = strip.reshape(5, SIDE, 3, SIDE).mean((1, 3))
    table = [[1, 0, 1], [1, 0, 1], [1, 0, 1], [0, 0, 1], [0.5, 0, 0]]
    assert means == pytest.approx(np.array(table), abs=1e-6)


@pytest.mark.parametrize("network", [*ENSEMBLE, UNLIKE], ids=lambda network: network.path.name)
def test_in_whole_numbers_a_network_decides_as_it_was_trained(network: Network) -> None:
    trained = cv2.dnn.readNetFromONNX(str(TRAINED / network.path.name))
    sure, other = 0, []
    for seed, player in DEMOS:
        photo, sheet_map, _, shown = demo(seed, player)
        crops = cut(photo, sheet_map, shown)
        n = len(crops)
        known, rest = np.full((n, SIDE, SIDE), WHITE, np.uint8), np.zeros((n, SIDE, SIDE), np.float32)
        seen = (network_input(crops, known, rest)[None], np.zeros((1, FEATURES, 1, n), np.float32))
        for blob, name in zip(seen, ("letters", "cues"), strict=True):
            trained.setInput(blob, name)
        was = trained.forward()
        now = network(*seen)
        assert now.shape == was.shape == (1, 2, 1, n)
        clear = np.abs(was) > SURE
        sure += clear.sum()
        other += [(seed, player, *place) for place in np.argwhere(clear & ((now > 0) != (was > 0)))]
    assert sure > 400
    assert other == []


def test_two_threads_read_as_one() -> None:
    alone = [answers(0, p) for p in (0, 1)]
    together: dict[int, list] = {0: [], 1: []}

    def read(player: int) -> None:
        for _ in range(4):
            together[player].append(answers(0, player))

    threads = [threading.Thread(target=read, args=(p,)) for p in (0, 1)]
    for t in threads:
        t.start()
    for t in threads:
        t.join()
    assert all(found == alone[p] for p in (0, 1) for found in together[p])


def test_the_weights_are_small() -> None:
    assert all(network.path.stat().st_size < 1_100_000 for network in (*ENSEMBLE, UNLIKE))
