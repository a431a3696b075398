"""Films, folders of photos and the demo."""

from threading import Event, Thread

import cv2
import numpy as np
import pytest
from fake_capture import noisy, until

from companion.sources import ENDED, SourceError, open_source


def film(path, n=12, fps=12.0):
    writer = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*"MJPG"), fps, (320, 240))
    for i in range(n):
        writer.write(np.full((240, 320, 3), 10 * i, np.uint8))
    writer.release()
    return path


def test_a_film_comes_frame_by_frame_in_its_own_time(tmp_path):
    source = open_source(str(film(tmp_path / "a.avi")))
    source.start()
    frames = [source.next() for _ in range(12)]
    assert [f.number for f in frames] == list(range(1, 13))
    assert [round(f.time, 3) for f in frames[:3]] == [0, 0.083, 0.167]
    assert frames[5].image.mean() == pytest.approx(50, abs=3)
    assert source.next() is None
    assert source.state.kind == ENDED


def test_a_film_is_let_go_of_when_no_thread_reads_it(tmp_path, monkeypatch):
    """OpenCV's reader hangs, now and then, where it is released in the midst of a frame."""
    reading, go_on, events = Event(), Event(), []

    class Slow:
        def __init__(self, *_):
            self.frames = 0

        def get(self, _):
            return 12.0

        def isOpened(self):
            return True

        def read(self):
            self.frames += 1
            if self.frames == 2:
                reading.set()
                go_on.wait(10)
                events.append("read")
            return True, noisy(self.frames)

        def release(self):
            events.append("let go")

    monkeypatch.setattr("companion.sources.files.cv2.VideoCapture", Slow)
    source = open_source(str(film(tmp_path / "a.avi")))
    source.start()
    assert source.next() is not None  # the one that was read at the start
    follower = Thread(target=source.next)
    follower.start()
    assert reading.wait(10)
    closing = Thread(target=source.close)
    closing.start()
    closing.join(0.2)
    go_on.set()
    for thread in (closing, follower):
        thread.join(10)
    assert events == ["read", "let go"]
    assert source.next() is None


@pytest.mark.parametrize("data", [b"", b"this is text", b"\x89PNG\r\n\x1a\n" + b"0" * 64, b"\0" * 4096])
def test_a_file_that_is_no_film_is_said(tmp_path, data):
    path = tmp_path / "film.mp4"
    path.write_bytes(data)
    source = open_source(str(path))
    with pytest.raises(SourceError) as caught:
        source.start()
    assert caught.value.key == "source.no-video"


def test_photos_come_by_name_and_one_that_is_none_is_said(tmp_path):
    for name, level in (("b.png", 80), ("a.jpg", 40), ("d.jpg", 120)):
        cv2.imwrite(str(tmp_path / name), np.full((200, 300, 3), level, np.uint8))
    (tmp_path / "c.jpg").write_bytes(b"no photo")
    (tmp_path / "notes.txt").write_text("x")
    source = open_source(str(tmp_path))
    source.start()
    levels, said = [], []
    while source.state.kind != ENDED:
        frame = source.next()
        if frame is not None:
            assert frame.settled
            levels.append((frame.image.mean().round(), frame.time))
        elif source.state.key:
            said.append(source.state.values["got"])
    assert levels == [(40, 0.0), (80, 1.0), (120, 3.0)]
    assert said == ["c.jpg"]


def test_a_folder_without_photos_is_said(tmp_path):
    source = open_source(str(tmp_path))
    with pytest.raises(SourceError) as caught:
        source.start()
    assert caught.value.key == "source.no-photos"


def test_a_film_can_be_played_at_its_own_pace(tmp_path):
    source = open_source(str(film(tmp_path / "a.avi", 3, 100.0)), paced=True)
    source.start()
    assert source.next(source.next().number, timeout=5.0) is not None
    until(lambda: source.state.kind == ENDED)
    assert source.next().image.mean() == pytest.approx(20, abs=3)
    source.close()
    assert source.next() is None


def test_the_same_noise_never_comes_twice():
    assert not np.array_equal(noisy(1), noisy(2))
