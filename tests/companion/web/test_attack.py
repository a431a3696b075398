"""Power cuts, broken uploads, pictures made to cost, many listeners: `bench.attack` runs the same at full size."""

from __future__ import annotations

import sys
import threading
from itertools import islice
from pathlib import Path
from typing import Any

import pytest
from acting import Page
from fake_table import FakeTable
from flask import Flask
from test_tables import lay, start

from bench.attack import broken_uploads, killed
from companion.cases import evaluate
from companion.live.picture import LivePicture
from companion.web import news
from companion.web.running.live_tables import MOST_PICTURES
from companion.web.tables import live_picture
from referee import tracker
from scoring import score_state
from vision.decoder import Decoder
from vision.errors import PhotoError

linux = pytest.mark.skipif(sys.platform != "linux", reason="looks at /proc")
PNG = b"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR\x00\x00\x00\xc8\x00\x00\x00\xc8\x08\x02\x00\x00\x00\x22\x3a\x39\xc9"


def test_nothing_that_was_acknowledged_is_lost_when_the_program_is_killed() -> None:
    acknowledged, missing = killed(6)
    assert acknowledged >= 6
    assert missing == []


@linux
def test_broken_uploads_are_refused_and_memory_stays() -> None:
    statuses, grown = broken_uploads(60)
    assert statuses.keys() <= {200, 413, 422}
    assert statuses[422] > 20
    assert grown < 150


@linux
@pytest.mark.parametrize("length", [0x10000000, 0x70000000, 0xFFFFFFFF])
def test_a_png_that_lies_about_its_length_costs_nothing(decoder: Decoder, length: int) -> None:
    with pytest.raises(PhotoError):
        decoder.open(PNG + length.to_bytes(4) + b"IDATxxxxxxxx")
    status = Path(f"/proc/{decoder.process.pid}/status").read_text("ascii")
    peak = next(int(line.split()[1]) for line in status.splitlines() if line.startswith("VmHWM")) / 1024
    assert peak < 300


@pytest.fixture(scope="module")
def decoder() -> Any:
    decoder = Decoder()
    yield decoder
    decoder.close()


class Listeners:
    """So many pages that listen to a table, in two languages, until they have heard what they wait for."""

    def __init__(self, app: Flask, at: str, count: int, wait_for: str) -> None:
        self.app, self.at, self.wait_for = app, at, wait_for
        self.heard: list[str] = []
        self._ready = threading.Barrier(count + 1)
        self._threads = [threading.Thread(target=self._listen, args=(("en", "ja")[n % 2],)) for n in range(count)]
        for thread in self._threads:
            thread.start()
        self._ready.wait(20)

    def _listen(self, language: str) -> None:
        asking = {"Accept-Language": language}
        answer = self.app.test_client().get(f"/api/live/{self.at}/events", buffered=False, headers=asking)
        text, waiting = "", True
        for part in answer.response:
            text += part if isinstance(part, str) else part.decode()
            if waiting and "event: all" in text:
                self._ready.wait(20)
                waiting = False
            if self.wait_for in text:
                break
        answer.close()
        self.heard.append(text)

    def all(self) -> list[str]:
        """What each has heard."""
        for thread in self._threads:
            thread.join(20)
        assert len(self.heard) == len(self._threads)
        assert all(self.wait_for in text for text in self.heard)
        return self.heard


def test_a_change_is_worded_once_for_all_listeners_of_a_language(
    app: Flask, page: Page, table: FakeTable, monkeypatch: pytest.MonkeyPatch
) -> None:
    worded: list[str | None] = []
    inner = news._worded
    monkeypatch.setattr(news, "_worded", lambda said, number: worded.append(number) or inner(said, number))
    at = start(page)
    listeners = Listeners(app, at, 30, '"line":["red","red"]')
    before = len(worded)
    lay(page, at, table, {"A": ["red", "red"], "B": []})
    assert sum("赤" in text for text in listeners.all()) == 15
    # A change is told in a few parts, as they are written down. Without a number: what a page alone can take back.
    assert len([number for number in worded[before:] if number]) < 15


def test_what_lies_there_is_scored_as_often_however_many_listen(
    app: Flask, page: Page, table: FakeTable, monkeypatch: pytest.MonkeyPatch
) -> None:
    scored: list[Any] = []

    def score(state: Any, *how: Any, **more: Any) -> Any:
        scored.append(state)
        return score_state(state, *how, **more)

    for room in (evaluate, tracker):
        monkeypatch.setattr(room, "score_state", score)
    at, counts = start(page), []
    for count, color in ((2, "red"), (2, "green"), (30, "blue")):
        listeners = Listeners(app, at, count, f'"line":["{color}","{color}"]')
        scored.clear()
        lay(page, at, table, {"A": [color, color], "B": []})
        listeners.all()
        taps = Listeners(app, at, count, f'"chips":{len(counts) + 2}')
        page.post(f"/api/live/{at}/entries", {"players": {"A": {"chips": len(counts) + 2}}})
        taps.all()
        counts.append(len(scored))
    assert 0 < counts[2] <= counts[1]


def test_a_picture_that_is_not_there_yet_keeps_no_place(page: Page, monkeypatch: pytest.MonkeyPatch) -> None:
    """A table that waits for its phone: who opens its moving picture and leaves gives the place back."""
    looked = only_picture(monkeypatch, None)
    at = page.post("/api/live/start", {"source": "phone", "game": "twelve-seekers"}).json["table"]
    for _ in range(MOST_PICTURES + 1):
        answer = page.get(f"/live/{at}/picture.mjpg", buffered=False)
        assert answer.status_code == 200
        answer.close()
    answer = page.get(f"/live/{at}/picture.mjpg", buffered=False)
    begun = b"".join(islice(answer.response, 20))  # something is written, so that a viewer's leaving is noticed
    assert begun.startswith(b"--frame\r\nX-Wait")
    assert b"\r\n\r\n" not in begun  # a browser takes what follows for a picture, and shows none that comes
    assert len(looked) == begun.count(b"X-Wait")
    answer.close()


def test_a_picture_that_stays_is_sent_again(page: Page, monkeypatch: pytest.MonkeyPatch) -> None:
    """A frozen camera: its viewers' leaving is noticed too."""
    monkeypatch.setattr(live_picture, "STILL", 0.0)
    only_picture(monkeypatch, (1, b"a picture"))
    answer = page.get(f"/live/{start(page)}/picture.mjpg", buffered=False)
    assert b"".join(islice(answer.response, 6)).count(b"a picture") == 5
    answer.close()


def only_picture(monkeypatch: pytest.MonkeyPatch, picture: tuple[int, bytes] | None) -> list[int]:
    """All that a camera gives; nobody waits for more. Returns after which pictures it was asked for another."""
    asked: list[int] = []

    def newest(_: LivePicture, after: int = 0, __: float = 0.0) -> tuple[int, bytes] | None:
        asked.append(after)
        assert len(asked) < 1000, "nothing is written"
        return picture if picture and picture[0] > after else None

    monkeypatch.setattr(LivePicture, "next", newest)
    return asked
