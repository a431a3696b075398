"""Cameras by name, where the system tells it."""

from __future__ import annotations

from companion.sources.camera_names import camera_names


def test_cameras_are_named_by_the_number_that_opens_them(tmp_path):
    for folder, name in (("video0", "Webcam HD\n"), ("video2", "会議カメラ\n"), ("video-odd", "no number")):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "name").write_text(name, "utf-8")
    (tmp_path / "video3").mkdir()
    assert camera_names(tmp_path) == {0: "Webcam HD", 2: "会議カメラ"}
    assert camera_names(tmp_path / "nothing") == {}
