"""A camera that fails in every way: it is said, the last frame stays, and it is taken up again."""

import time

import pytest
from fake_capture import QUICK, FakeCamera, is_lost, is_running, noisy, until

from companion.sources.capture_thread import MOST_GIVEN_UP
from companion.sources.frame import ENDED, LOST, OPENING, RUNNING
from companion.sources.watchdog import Patience, Watchdog


@pytest.fixture
def camera():
    return FakeCamera()


@pytest.fixture
def source(camera):
    made = camera.source()
    yield made
    made.close()
    camera.block.set()


@pytest.mark.parametrize(
    ("fault", "said"),
    [
        ("frozen", {"source.frozen"}),
        ("none", {"source.broken"}),
        ("empty", {"source.broken"}),
        ("raises", {"source.broken"}),
        ("gone", {"source.broken"}),
        ("blocks", {"source.silent"}),
    ],
)
def test_a_lost_camera_is_said_and_taken_up_again(camera, source, fault, said):
    source.start()
    until(lambda: source.next() is not None)
    before = source.next()
    camera.fault = fault
    until(lambda: is_lost(source))
    assert source.state.key in said
    camera.fault = ""
    until(lambda: is_running(source))
    after = source.next(before.number)
    assert after.number > before.number
    assert after.time > before.time
    assert camera.opened >= (1 if fault == "frozen" else 2)


def test_only_the_newest_frame_waits(camera, source):
    source.start()
    until(lambda: camera.number > 10)
    frame = source.next(0)
    assert frame.number >= 5
    assert source.next(frame.number + 1000, timeout=0.02) is None


def test_a_picture_that_stands_still_gives_no_frames(camera, source):
    source.start()
    until(lambda: source.next() is not None)
    camera.fault = "frozen"
    until(lambda: is_lost(source) and source.state.key == "source.frozen")  # a slow machine falls silent first
    last = source.next()
    opened = camera.opened
    until(lambda: camera.opened > opened + 1)
    assert source.next().number == last.number
    assert is_lost(source)


def test_a_device_that_hangs_for_ever_is_not_opened_without_end(camera, source):
    source.start()
    until(lambda: source.next() is not None)
    camera.fault = "blocks"
    until(lambda: camera.opened >= 4)
    time.sleep(3 * QUICK.reopening)
    assert is_lost(source)
    assert camera.opened <= MOST_GIVEN_UP + 1


def test_a_camera_that_is_not_there_is_said_at_once(camera, source):
    camera.fault = "gone"
    source.start()
    until(lambda: is_lost(source))
    assert source.next(timeout=0.01) is None
    camera.fault = ""
    until(lambda: is_running(source))


def test_another_size_is_said_and_gone_on_with(camera, source):
    source.start()
    until(lambda: source.next() is not None)
    camera.size = (80, 60)
    until(lambda: source.next().image.shape == (60, 80, 3))
    until(lambda: is_running(source))


def test_a_closed_source_gives_nothing(source):
    source.start()
    until(lambda: source.next() is not None)
    source.close()
    source.close()
    assert source.next(timeout=0.01) is None
    assert source.state.kind == ENDED


A, B = noisy(1), noisy(2)
SMALL = noisy(3, (32, 24))
P = Patience()


@pytest.mark.parametrize(
    ("frames", "at", "kind", "key"),
    [
        ([], 5.0, OPENING, ""),
        ([], 10.5, LOST, "source.silent"),
        ([(1.0, A)], 1.1, RUNNING, ""),
        ([(1.0, A)], 2.6, LOST, "source.silent"),
        ([(1.0, A), (1.9, B)], 2.6, RUNNING, ""),
        ([(1.0, A), (2.0, A), (2.4, A)], 2.6, LOST, "source.frozen"),
        ([(1.0, A), (2.0, B), (2.4, B)], 2.6, RUNNING, ""),
        ([(1.0, A), (1.1, SMALL)], 1.2, LOST, "source.size"),
        ([(1.0, A), (1.1, SMALL), (1.2, SMALL)], 1.3, RUNNING, ""),
    ],
)
def test_the_watchdog_judges_by_what_came_and_when(frames, at, kind, key):
    dog = Watchdog("camera", P, 0.0)
    for when, image in frames:
        dog.saw(image, when)
    state = dog.state(at)
    assert (state.kind, state.key) == (kind, key)


def test_a_frozen_picture_is_lost_until_it_changes():
    dog = Watchdog("camera", P, 0.0)
    dog.saw(A, 0.0)
    dog.saw(A, 1.4)
    assert dog.state(1.6).key == "source.frozen"
    assert not dog.saw(A, 1.7)
    assert dog.state(1.7).kind == LOST
    assert dog.saw(B, 1.8)
    assert dog.state(1.8).kind == RUNNING


def test_the_real_patience_is_what_was_promised():
    assert P.silent < 2.0
    assert P.frozen < 2.0
    assert P.reopening + P.backoff < 5.0
