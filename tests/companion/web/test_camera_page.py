"""The camera page: pictures in, guidance and profile out; nothing of it is lost on bad input."""

from __future__ import annotations

import json
from pathlib import Path

import cv2
import numpy as np
import pytest
from acting import SENT_BY_THE_PAGE, Page
from drawn_board import Lens, picture, pictures
from flask import Flask

from calibration.camera import CameraProfile
from companion.cli.main import main
from companion.web.services import services_of

LENS = Lens((800, 600), 0.9)


def jpeg(image: np.ndarray) -> bytes:
    return cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, 92])[1].tobytes()


@pytest.fixture(scope="module")
def boards() -> list[bytes]:
    return [jpeg(image) for image in pictures(LENS)]


def send(page: Page, name: str, data: bytes, live: bool = False) -> dict:
    answer = page.send(f"/api/camera/{name}/picture{'?live=1' if live else ''}", data)
    assert answer.status_code == 200, answer.json
    return answer.json


def begin(page: Page) -> str:
    return page.post("/api/camera", {}).json["id"]


def test_photos_lead_to_a_saved_camera(page: Page, app: Flask, boards: list[bytes]) -> None:
    name = begin(page)
    states = [send(page, name, board) for board in boards]
    assert all(state["taken"] for state in states)
    assert [state["views"] for state in states] == list(range(1, len(boards) + 1))
    assert [bool(state["can_save"]) for state in states[:6]] == [False] * 5 + [True]
    assert states[0]["next"] == "far"
    assert states[-1]["next"] is None
    assert states[-1]["error"] < 0.4
    saved = page.post(f"/api/camera/{name}/save", {"name": "Küche 1"})
    assert saved.status_code == 200
    answer = page.get(saved.json["address"])
    profile = CameraProfile.from_json(answer.json)
    assert profile.name == "Küche 1"
    assert profile.matrix[0, 0] == pytest.approx(LENS.matrix[0, 0], rel=0.01)
    assert "Küche 1" in page.get("/camera/").get_data(as_text=True)
    assert page.client.delete(f"/api/cameras/{saved.json['file']}", headers=SENT_BY_THE_PAGE).status_code == 200
    assert page.get(saved.json["address"]).status_code == 404


def test_a_live_picture_is_taken_once_the_board_is_held_still(page: Page, boards: list[bytes]) -> None:
    name = begin(page)
    moving = jpeg(picture(LENS, (0.02, 0), 8.6))
    assert not send(page, name, moving, live=True)["taken"]
    assert not send(page, name, boards[0], live=True)["taken"]
    state = send(page, name, boards[0], live=True)
    assert state["taken"]
    assert len(state["seen"]["points"]) == 40
    again = send(page, name, boards[0], live=True)
    assert not again["taken"]
    assert again["refused"]["key"] == "board.same"
    assert again["views"] == 1


def test_what_does_not_help_is_refused_in_words_and_the_rest_stays(page: Page, boards: list[bytes]) -> None:
    name = begin(page)
    send(page, name, boards[0])
    empty = send(page, name, jpeg(np.full((600, 800, 3), 130, np.uint8)))
    turned = send(page, name, jpeg(cv2.rotate(picture(LENS), cv2.ROTATE_90_CLOCKWISE)))
    assert (empty["refused"]["key"], turned["refused"]["key"]) == ("board.none", "board.size")
    assert "600 × 800" in turned["refused"]["message"]
    assert page.send(f"/api/camera/{name}/picture", b"GIF89a").status_code == 422
    assert page.post(f"/api/camera/{name}/save", {"name": "x"}).status_code == 422
    assert page.post(f"/api/camera/{name}/save", {"name": " "}).status_code == 400
    assert page.post(f"/api/camera/{name}/save", {}).status_code == 400
    state = page.post(f"/api/camera/{name}/undo", {}).json
    assert state["views"] == 0
    assert page.post(f"/api/camera/{name}/undo", {}).json["views"] == 0


@pytest.mark.parametrize("name", ["0" * 16, "nothing", "..", "A" * 16])
def test_a_calibration_that_is_over_says_so(page: Page, name: str, boards: list[bytes]) -> None:
    assert page.post(f"/api/camera/{name}/undo", {}).status_code == 404
    assert page.send(f"/api/camera/{name}/picture", boards[0]).status_code == 404


def test_only_the_newest_calibrations_are_kept(page: Page) -> None:
    names = [begin(page) for _ in range(9)]
    assert page.post(f"/api/camera/{names[0]}/undo", {}).status_code == 404
    assert page.post(f"/api/camera/{names[-1]}/undo", {}).status_code == 200


def test_a_broken_profile_is_shown_as_such(page: Page, app: Flask) -> None:
    folder = services_of(app).store.folder / "cameras"
    folder.mkdir()
    (folder / "old.json").write_text('{"size": 3}')
    assert "size" in page.get("/camera/").get_data(as_text=True)


def test_the_command_makes_the_same_of_photos(
    tmp_path: Path, boards: list[bytes], capsys: pytest.CaptureFixture[str]
) -> None:
    paths = [tmp_path / f"{i}.jpg" for i in range(len(boards))]
    for path, board in zip(paths, boards, strict=True):
        path.write_bytes(board)
    out = tmp_path / "camera.json"
    assert main(["calibrate", "camera", *map(str, paths), "--out", str(out), "--lang", "ja"]) == 0
    said = capsys.readouterr()
    assert not said.err
    assert CameraProfile.load(out).matrix[0, 0] == pytest.approx(LENS.matrix[0, 0], rel=0.01)
    missing = str(tmp_path / "none.jpg")
    paths[1].write_bytes(b"no photo")
    assert main(["calibrate", "camera", missing, *map(str, paths)]) == 1
    said = capsys.readouterr()
    assert CameraProfile.from_json(json.loads(said.out)).views >= 10
    assert [line.split(":")[0] for line in said.err.splitlines()] == [missing, str(paths[1])]
    assert main(["calibrate", "camera", str(paths[0]), "--out", str(out)]) == 2
    assert capsys.readouterr().err.count("\n") == 1
    assert main(["calibrate", "camera", *map(str, paths), "--out", "/no/such/folder/c.json"]) == 2
    assert "Traceback" not in capsys.readouterr().err
