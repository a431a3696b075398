"""The camera's calibration, with boards seen by cameras that are known."""

from __future__ import annotations

import json
from pathlib import Path

import cv2
import numpy as np
import pytest
from drawn_board import Lens, picture, pictures

from calibration.camera import (
    CameraError,
    CameraProfile,
    CameraProfileError,
    View,
    check,
    coverage,
    look,
    missing,
    needs,
    solve,
)

LENSES = {
    "phone": Lens((960, 720), 0.9),
    "wide": Lens((960, 540), 0.7, (0.0, 0.02), (-0.3, 0.1, 0, 0, 0)),
    "pincushion": Lens((800, 600), 1.1, (-0.02, 0.01), (0.1, -0.1, 0.002, 0, 0)),
}


@pytest.fixture(scope="module")
def views() -> dict[str, list[View]]:
    return {name: [look(image) for image in pictures(lens)] for name, lens in LENSES.items()}


@pytest.fixture(scope="module")
def profile(views: dict[str, list[View]]) -> CameraProfile:
    return solve(views["phone"], "kitchen")


def straightened(profile: CameraProfile, points: np.ndarray, size: tuple[int, int]) -> np.ndarray:
    """(n, 2) pixels of a picture of this size, where `undistort` puts them."""
    matrix = profile.matrix_for(size)
    return cv2.undistortPoints(points.reshape(-1, 1, 2), matrix, profile.distortion, P=matrix).reshape(-1, 2)


@pytest.mark.parametrize("name", LENSES)
def test_a_known_camera_is_found(name: str, views: dict[str, list[View]]) -> None:
    lens, found = LENSES[name], solve(views[name])
    width, height = lens.size
    assert found.error < 0.4
    assert np.diag(found.matrix)[:2] == pytest.approx(np.diag(lens.matrix)[:2], rel=0.01)
    assert found.matrix[:2, 2] == pytest.approx(lens.matrix[:2, 2], abs=0.006 * width)
    # What counts: a straight line becomes straight. Pixels all over the picture, where each lens puts them.
    at = np.stack(np.meshgrid(np.linspace(0, width - 1, 7), np.linspace(0, height - 1, 5)), 2).reshape(-1, 1, 2)
    true = cv2.undistortPoints(at, lens.matrix, np.array(lens.distortion), P=lens.matrix).reshape(-1, 2)
    ours = straightened(found, at, lens.size)
    straight = cv2.findHomography(ours, true)[0]
    off = cv2.perspectiveTransform(ours.reshape(-1, 1, 2), straight).reshape(-1, 2) - true
    assert np.linalg.norm(off, axis=1).max() < 0.002 * width


def test_a_round_as_the_guidance_asks_for_is_enough(views: dict[str, list[View]]) -> None:
    round_ = views["phone"]
    for i, view in enumerate(round_):
        check(view, round_[:i])
    assert missing(round_) == ()
    assert missing([]) == tuple(need.key for need in needs([]))
    assert len(missing(round_[:5])) > len(missing(round_[:9])) > 0


WAYS = [
    ((24, 0, 0), "tilt-right"),
    ((-24, 0, 0), "tilt-left"),
    ((0, 24, 0), "tilt-bottom"),
    ((0, -24, 0), "tilt-top"),
    ((24, 0, 180), "tilt-right"),
]


@pytest.mark.parametrize(("tilt", "key"), WAYS)
def test_a_tilt_is_told_by_the_side_that_is_nearer(tilt: tuple[float, float, float], key: str) -> None:
    met = {need.key for need in needs([look(picture(LENSES["phone"], far=11, tilt=tilt))]) if need.met}
    assert {k for k in met if k.startswith("tilt")} == {key}


@pytest.mark.parametrize(("far", "met"), [(8.6, {"near"}), (11.5, set()), (17, {"far"})])
def test_distance_is_told_by_how_much_the_board_fills(far: float, met: set[str]) -> None:
    lens = LENSES["phone"]
    assert {n.key for n in needs([look(picture(lens, far=far))]) if n.met and n.key in ("near", "far")} == met


def test_corners_of_the_picture_are_covered_one_by_one() -> None:
    view = look(picture(LENSES["phone"], (-0.28, -0.25), 15))
    met = {need.key for need in needs([view]) if need.met and need.key.startswith("cell")}
    assert "cell-top-left" in met
    assert not {key for key in met if "right" in key or "bottom" in key}
    assert coverage([view]).sum() == len(view.ids)


def refused(image: np.ndarray) -> str:
    with pytest.raises(CameraError) as error:
        look(image)
    assert "{" not in str(error.value)
    return error.value.key


def test_bad_pictures_are_refused_with_the_reason() -> None:
    lens = LENSES["phone"]
    good = picture(lens)
    assert refused(np.full((720, 960), 120, np.uint8)) == "board.none"
    assert refused(np.random.default_rng(1).integers(0, 255, (480, 640, 3), np.uint8)) == "board.none"
    assert refused(picture(lens, blur=(4, 4))) == "board.blurred"
    assert refused(picture(lens, blur=(3.5, 0.7))) == "board.blurred"
    covered = good.copy()
    covered[:, 380:] = 90
    assert refused(covered) == "board.few"
    turned = look(cv2.rotate(good, cv2.ROTATE_90_CLOCKWISE))
    for view, key in ((look(picture(lens, seed=5)), "board.same"), (turned, "board.size")):
        with pytest.raises(CameraError) as error:
            check(view, [look(good)])
        assert error.value.key == key


def test_color_and_gray_pictures_are_alike() -> None:
    gray = picture(LENSES["phone"])
    a, b = look(gray), look(cv2.cvtColor(gray, cv2.COLOR_GRAY2BGR))
    assert a.apart(b) < 1e-5


def test_too_few_pictures_and_pictures_of_two_cameras_are_refused(views: dict[str, list[View]]) -> None:
    with pytest.raises(CameraError, match=r"camera\.too-few"):
        solve(views["phone"][:2])
    rng = np.random.default_rng(2)
    nonsense = [View(v.size, v.ids[:9], rng.permutation(v.points)[:9], v.tilt, v.fills) for v in views["phone"][:6]]
    with pytest.raises(CameraError):
        solve(nonsense)


def test_a_picture_that_does_not_fit_is_left_out(views: dict[str, list[View]]) -> None:
    good = views["phone"]
    bent = View(good[3].size, good[3].ids, good[3].points + np.sin(good[3].points / 40) * 6, good[3].tilt, 0.3)
    found = solve([*good, bent.__class__(bent.size, bent.ids, bent.points.astype(np.float32), bent.tilt, bent.fills)])
    assert found.views == len(good)
    assert found.error < 0.4


def test_undistorted_the_board_is_straight(profile: CameraProfile) -> None:
    image = picture(LENSES["phone"], (0.2, 0.15), 12, (10, 5, 0))
    before, after = look(image), look(profile.undistort(image))
    ideal = [cv2.findHomography(np.float32([divmod(int(i), 8) for i in v.ids]), v.points) for v in (before, after)]
    off = []
    for view, (flat, _) in zip((before, after), ideal, strict=True):
        places = np.float32([[divmod(int(i), 8)] for i in view.ids])
        off.append(np.abs(cv2.perspectiveTransform(places, flat).reshape(-1, 2) - view.points).max())
    assert off[1] < 0.5 * off[0]
    assert straightened(profile, before.points, before.size) == pytest.approx(after.points, abs=0.5)


def test_a_profile_serves_pictures_of_another_size_and_the_same_shape(profile: CameraProfile) -> None:
    points = np.array([[10.0, 20.0], [900.0, 700.0]])
    double = straightened(profile, points * 2 + 0.5, (1920, 1440))
    assert double == pytest.approx(straightened(profile, points, (960, 720)) * 2 + 0.5, abs=1e-3)
    with pytest.raises(CameraError, match="720"):
        profile.maps((1280, 720))


def test_a_profile_comes_back_from_disk(profile: CameraProfile, tmp_path: Path) -> None:
    profile.save(tmp_path / "camera.json")
    again = CameraProfile.load(tmp_path / "camera.json")
    assert again.to_json() == profile.to_json()
    assert (again.name, again.size) == ("kitchen", (960, 720))


BAD = [
    ("[]", ""), ("{", ""), ("9" * 5000, ""), ("{}", "size"), ({"zoom": 1}, "zoom"), ({"name": 3}, "name"),
    ({"name": "\ud800"}, "name"), ({"\ud800": 1}, r'"\ud800"'), ({"size": "\ud800"}, "size"),
    ({"size": [0, 5]}, "size"), ({"size": "big"}, "size"), ({"matrix": [[1, 2], [3]]}, "matrix"),
    ({"matrix": [[0, 0, 0]] * 3}, "matrix"),
    ({"distortion": [0, 0, 0, 0, None]}, "distortion"), ({"distortion": [True] * 5}, "distortion"),
    ({"error": "small"}, "error"), ({"views": -1}, "views"),
]  # fmt: skip


@pytest.mark.parametrize(("change", "place"), BAD)
def test_a_file_that_is_no_profile_is_refused_where_it_is_wrong(
    change: object, place: str, profile: CameraProfile, tmp_path: Path
) -> None:
    text = change if isinstance(change, str) else json.dumps({**profile.to_json(), **change})
    path = tmp_path / "camera.json"
    path.write_text(text)
    with pytest.raises(CameraProfileError) as error:
        CameraProfile.load(path)
    assert error.value.place == place
    assert "\n" not in str(error.value)
    assert str(error.value).encode()
