"""Pictures that a device sends for the table."""

from __future__ import annotations

import cv2
import numpy as np
import pytest
from acting import Page
from flask import Flask

from calibration.camera import CameraProfile
from companion.sources import PushSource
from companion.sources.undistorted import Straightened
from companion.web.running.network import Reach, SecurePage
from companion.web.services import services_of

PICTURE = cv2.imencode(".jpg", np.kron(np.eye(8, dtype=np.uint8)[..., None], np.full((60, 80, 3), 200, np.uint8)))[
    1
].tobytes()


@pytest.fixture
def table() -> None:
    """None laid by a test: the companion opens its own source, to which a device sends."""


def start(page: Page) -> str:
    answer = page.post("/api/live/start", {"source": "phone", "name": "evening", "game": "twelve-seekers"})
    assert answer.status_code == 200, answer.json
    return answer.json["table"]


def test_pictures_reach_the_table_that_waits_for_a_phone(page: Page, app: Flask) -> None:
    table = start(page)
    try:
        source = services_of(app).tables.now.source
        assert isinstance(source, PushSource)
        assert page.send("/api/live/push", PICTURE).json == {"frame": 1, "side": 1280}
        assert page.send("/api/live/push", PICTURE).json == {"frame": 2, "side": 1280}
        frame = source.next(1, 1.0)
        assert frame is not None
        assert frame.image.shape == (480, 640, 3)
    finally:
        page.post(f"/api/live/{table}/stop", {})
    assert page.send("/api/live/push", PICTURE).status_code == 409


def test_the_computers_page_says_that_no_table_waits_for_a_phone(page: Page) -> None:
    said = "No table waits for a phone yet"
    assert said in page.get("/camera/phone").text
    table = start(page)
    try:
        assert said not in page.get("/camera/phone").text
    finally:
        page.post(f"/api/live/{table}/stop", {})
    assert said in page.get("/camera/phone").text


@pytest.mark.parametrize(
    ("data", "status"), [(b"", 422), (b"GIF89a", 422), (PICTURE[:200], 422), (b"x" * 3_000_000, 413)]
)
def test_what_is_no_picture_is_refused_and_the_next_one_taken(page: Page, data: bytes, status: int) -> None:
    table = start(page)
    try:
        answer = page.send("/api/live/push", data)
        assert answer.status_code == status
        assert status != 413 or "at most 2 MB" in answer.json["error"]["message"]
        assert page.send("/api/live/push", PICTURE).status_code == 200
    finally:
        page.post(f"/api/live/{table}/stop", {})


def test_without_a_table_it_says_so(page: Page) -> None:
    answer = page.send("/api/live/push", PICTURE)
    assert answer.status_code == 409
    assert answer.json["error"]["key"] == "push.problem.no-table"


@pytest.mark.parametrize("language", ["en", "ja"])
@pytest.mark.parametrize("address", ["/camera/", "/camera/phone", "/camera/film"])
def test_pages_answer_in_the_browsers_language(page: Page, address: str, language: str) -> None:
    text = page.get(address, headers={"Accept-Language": language}).get_data(as_text=True)
    assert f'<html lang="{language}"' in text
    assert ">push." not in text
    assert ">camera." not in text


def test_the_page_for_phones_needs_an_open_network(page: Page, app: Flask) -> None:
    assert "data-network" in page.get("/camera/phone").get_data(as_text=True)
    assert page.post("/api/camera/phone/code", {}).status_code == 409
    assert page.get("/camera/table-companion.crt").status_code == 404
    services_of(app).network.reach = Reach(secure=SecurePage("192.168.1.20:8437", b"", "AB CD"))
    text = page.get("/camera/phone").get_data(as_text=True)
    assert "AB CD" in text
    assert "192.168.1.20:8437" in text


def test_a_calibrated_camera_straightens_what_comes(page: Page, app: Flask) -> None:
    lens = CameraProfile(
        "lens", (640, 480), np.array([[560, 0, 320], [0, 560, 240], [0, 0, 1.0]]), np.array([-0.3, 0, 0, 0, 0]), 0.3
    )
    folder = services_of(app).store.folder / "cameras"
    folder.mkdir()
    lens.save(folder / "lens.json")
    assert 'value="lens"' in page.get("/live/").get_data(as_text=True)
    answer = page.post("/api/live/start", {"source": "phone", "game": "twelve-seekers", "camera": "lens"})
    table = answer.json["table"]
    try:
        assert page.send("/api/live/push", PICTURE).status_code == 200
        frame = services_of(app).tables.now.source.next(0, 1.0)
        bent = cv2.imdecode(np.frombuffer(PICTURE, np.uint8), cv2.IMREAD_COLOR)
        assert np.abs(frame.image.astype(int) - lens.undistort(bent)).mean() < 1
        assert np.abs(frame.image.astype(int) - bent).mean() > 5
        page.post(f"/api/live/{table}/stop", {})
        assert page.post(f"/api/live/{table}/again", {}).status_code == 200
        assert services_of(app).tables.now.source.camera.to_json() == lens.to_json()
    finally:
        page.post(f"/api/live/{table}/stop", {})


def test_another_shape_passes_as_it_is(page: Page) -> None:
    lens = CameraProfile(
        "lens", (1920, 1080), np.array([[1500, 0, 960], [0, 1500, 540], [0, 0, 1.0]]), np.array([-0.3, 0, 0, 0, 0]), 0.3
    )
    source = PushSource()
    source.put(PICTURE)
    straight = Straightened(source, lens).next(0, 1.0)
    plain = source.next(0, 1.0)
    assert straight is not None
    assert plain is not None
    assert (straight.image == plain.image).all()


@pytest.mark.parametrize(("camera", "status"), [("none-such", 409), ("../key", 404), (3, 400)])
def test_a_camera_that_is_not_there_is_refused(page: Page, camera: object, status: int) -> None:
    body = {"source": "phone", "game": "twelve-seekers", "camera": camera}
    assert page.post("/api/live/start", body).status_code == status
