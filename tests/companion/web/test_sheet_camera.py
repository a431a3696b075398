"""Sheets of In the Ruin under a camera, on the page: a play grows as its maps are drawn."""

from __future__ import annotations

import time
from collections.abc import Iterator

import cv2
import numpy as np
import pytest
from acting import GAME, Page
from fake_eyes import jpeg
from flask import Flask

from companion.sources import ENDED, RUNNING, Frame, PushSource, SourceError, SourceState
from companion.web.running.live_maps import LiveMaps
from companion.web.services import services_of
from training.synth import demo_maps

FPS = 10


class Scenes:
    """Pictures that a camera sees, so many frames each; the next when it is asked for."""

    name, scale = "scenes", 1.0

    def __init__(self, scenes: list[tuple[np.ndarray, int]]) -> None:
        self._frames = [image for image, count in scenes for _ in range(count)]
        self._number = 0

    def start(self) -> None: ...

    def close(self) -> None:
        self._frames = []

    def next(self, after: int = 0, timeout: float = 1.0) -> Frame | None:
        if self._number >= len(self._frames):
            return None
        self._number += 1
        return Frame(self._number, (self._number - 1) / FPS, self._frames[self._number - 1])

    @property
    def state(self) -> SourceState:
        return SourceState(RUNNING if self._number < len(self._frames) else ENDED)


@pytest.fixture(scope="module")
def scenes() -> list[tuple[np.ndarray, int]]:
    blank, drawn = demo_maps.lying((0, 0)), demo_maps.lying((1, 0))
    return [(blank, 6), (demo_maps._with_hand(drawn, 0, 1.0), 3), (drawn, 6)]


@pytest.fixture
def filmed(app: Flask, scenes: list[tuple[np.ndarray, int]], monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    maps = services_of(app).maps

    def source(spec: str, files: bool) -> Scenes:
        if spec == "7":
            raise SourceError("source.no-camera", got=7)
        return Scenes(scenes)

    monkeypatch.setattr(maps._eyes, "source", source)
    yield
    if maps.now is not None:
        maps.now.stop()


def ended(page: Page, play: str) -> dict:
    """The play once the film is over."""
    until = time.monotonic() + 60
    while time.monotonic() < until:
        view = page.view(play)
        if "ended" in view["camera"]["words"]:
            return view
        time.sleep(0.05)
    raise AssertionError("the film does not end")


@pytest.mark.usefixtures("filmed")
def test_each_state_counts_as_a_photo_and_what_was_said_stays(page: Page) -> None:
    play = page.start()
    first = "first"
    page.tell(play, kind="add-player", player=first, name="Ann")
    page.tell(play, kind="by-hand", player=first, stage="end")
    page.tell(play, kind="cell", player=first, stage="end", row=0, col=0, value="o")
    assert page.post(f"{GAME}/plays/{play}/camera", {"source": "0", "sheets": 2}).status_code == 200
    view = ended(page, play)
    ann, other = view["players"]
    assert ann["name"] == "Ann"
    drawn = [list(row) for row in demo_maps.states(0)[1].map]
    drawn[0][0] = "o"
    assert ann["sheets"]["end"]["map"] == ["".join(row) for row in drawn]
    marked = {(r, c) for r, row in enumerate(demo_maps.states(0)[1].map) for c, kind in enumerate(row) if kind != "."}
    assert {tuple(cell) for cell in ann["sheets"]["end"]["changed"]} == marked - {demo_maps.ENTRANCE}
    assert other["sheets"]["end"]["map"] == list(demo_maps.states(1)[0].map)
    assert ann["sheets"]["end"]["destinations"] == list(demo_maps.states(0)[1].destinations)
    assert len(view["case"]["answer"]["players"]) == 2
    assert page.get(f"/in-the-ruin/plays/{play}/picture.mjpg", buffered=False).mimetype == "multipart/x-mixed-replace"
    stopped = page.client.delete(f"{GAME}/plays/{play}/camera", headers={"X-Companion": "1"})
    assert stopped.status_code == 200
    assert not stopped.json["camera"]["running"]
    assert page.get(f"/in-the-ruin/plays/{play}/picture.mjpg").status_code == 404


@pytest.mark.parametrize(("seen", "sheets", "problem"), [
    (("lit",), 2, ""),
    (("lit",), 3, "2 of 3 sheets are seen"),
    (("dark",), 2, "too dark"),
    (("dark", "lit"), 2, ""),
])  # fmt: skip
def test_why_sheets_are_not_read_is_said(
    page: Page, app: Flask, monkeypatch: pytest.MonkeyPatch, seen: tuple[str, ...], sheets: int, problem: str
) -> None:
    pictures = {"lit": demo_maps.lying((0, 0)), "dark": np.zeros_like(demo_maps.lying((0, 0)))}
    maps = services_of(app).maps
    monkeypatch.setattr(maps._eyes, "source", lambda spec, files: Scenes([(pictures[one], 6) for one in seen]))
    play = page.start()
    page.post(f"{GAME}/plays/{play}/camera", {"source": "0", "sheets": sheets})
    told = ended(page, play)["camera"]["problem"]
    assert problem in told if problem else not told
    maps.stop(play)


@pytest.mark.usefixtures("filmed")
def test_the_demo_makes_a_play_and_its_sheet_once(page: Page) -> None:
    plays = [page.post(f"{GAME}/demo-camera").json["play"] for _ in range(2)]
    views = [page.view(play) for play in plays]
    assert views[0]["sheet"]["file"] == views[1]["sheet"]["file"]
    assert all(view["demo"] and len(view["players"]) == 2 for view in views)
    assert [view["camera"] is None for view in views] == [True, False]


@pytest.mark.usefixtures("filmed")
@pytest.mark.parametrize(
    ("body", "status", "said"),
    [
        ({"source": "7", "sheets": 1}, 409, "camera 7 cannot be opened"),
        ({"source": "0", "sheets": 5}, 400, ""),
        ({"source": "0", "sheets": True}, 400, ""),
        ({"sheets": 1}, 400, ""),
    ],
)
def test_what_cannot_be_followed_is_said(page: Page, body: dict, status: int, said: str) -> None:
    play = page.start()
    answer = page.post(f"{GAME}/plays/{play}/camera", body)
    assert answer.status_code == status
    assert said in answer.json["error"]["message"]


def test_pictures_that_grow_after_the_first_one_give_each_player_the_own_sheet(
    page: Page, app: Flask, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A phone's first picture is small: what the sheets need, only the answer to it says."""
    clock = Ticking()
    maps, lying = services_of(app).maps, demo_maps.lying((2, 3))
    source = PushSource(clock=clock)
    monkeypatch.setattr(maps._eyes, "source", lambda spec, files: source)
    play = page.start()
    page.post(f"{GAME}/plays/{play}/camera", {"source": "phone", "sheets": 2})
    side = 1280
    for _ in range(12):
        scale = min(1.0, side / lying.shape[1])
        picture = cv2.resize(lying, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
        answer = page.send("/api/live/push", jpeg(picture)).json
        side = answer["side"]
        taken(maps, answer["frame"])
        clock.now += 0.2
    shown = page.view(play)["players"]
    assert [one["sheets"]["end"]["map"] for one in shown] == [
        list(demo_maps.states(player)[stage].map) for player, stage in enumerate((2, 3))
    ]
    maps.stop(play)


class Ticking:
    """A clock that a test moves on."""

    now = 0.0

    def __call__(self) -> float:
        return self.now


def taken(maps: LiveMaps, number: int) -> None:
    """Wait until the session has worked on this frame."""
    until = time.monotonic() + 60
    while maps.now is not None and maps.now.taken < number and time.monotonic() < until:
        time.sleep(0.02)
