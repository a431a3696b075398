"""Power cuts, broken uploads, pictures made to cost, many listeners: `bench.attack` runs the same at full size."""

from __future__ import annotations

import sys
import threading
from itertools import islice
from pathlib import Path
from typing import Any

import pytest
from acting import Page
from fake_eyes import FakeEyes
from fake_table import FakeTable
from flask import Flask
from test_tables import lay, start, until

from bench.attack import broken_uploads, killed
from companion.web import create_app, news
from companion.web.running.live_tables import MOST_PICTURES
from companion.web.services import services_of
from companion.web.tables import live_picture
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


def test_a_change_is_worded_once_for_all_listeners_of_a_language(
    app: Flask, page: Page, table: FakeTable, monkeypatch: pytest.MonkeyPatch
) -> None:
    worded: list[str | None] = []
    inner = news._worded
    monkeypatch.setattr(news, "_worded", lambda said, number: worded.append(number) or inner(said, number))
    at = start(page)
    heard: list[str] = []
    ready = threading.Barrier(31)

    def listen(language: str) -> None:
        asking = {"Accept-Language": language}
        answer = app.test_client().get(f"/api/live/{at}/events", buffered=False, headers=asking)
        text, waiting = "", True
        for part in answer.response:
            text += part if isinstance(part, str) else part.decode()
            if waiting and "event: all" in text:
                ready.wait(20)
                waiting = False
            if '"line":["red","red"]' in text:
                break
        answer.close()
        heard.append(text)

    threads = [threading.Thread(target=listen, args=(one,)) for one in ("en", "ja") * 15]
    for thread in threads:
        thread.start()
    ready.wait(20)
    before = len(worded)
    lay(page, at, table, {"A": ["red", "red"], "B": []})
    for thread in threads:
        thread.join(20)
    assert len(heard) == 30
    assert all('"line":["red","red"]' in text for text in heard)
    assert sum("赤" in text for text in heard) == 15
    # A change is told in a few parts, as they are written down. Without a number: what a page alone can take back.
    assert len([number for number in worded[before:] if number]) < 15


def test_a_picture_that_is_not_there_yet_keeps_no_place(
    tmp_path: Path, eyes: FakeEyes, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A table that waits for its phone: who opens its moving picture and leaves gives the place back."""
    monkeypatch.setattr(live_picture, "PATIENCE", 0.05)
    app = create_app(tmp_path / "data", eyes=eyes)
    page = Page(app.test_client())
    at = page.post("/api/live/start", {"source": "phone", "game": "twelve-seekers"}).json["table"]
    until(lambda: page.get(f"/api/live/{at}").json["status"]["waits"])  # the page shows the way to the phone's code
    for _ in range(MOST_PICTURES + 1):
        answer = page.get(f"/live/{at}/picture.mjpg", buffered=False)
        assert answer.status_code == 200
        answer.close()
    answer = page.get(f"/live/{at}/picture.mjpg", buffered=False)
    begun = b"".join(islice(answer.response, 20))  # something is written, so that a viewer's leaving is noticed
    assert begun.startswith(b"--frame\r\nX-Wait")
    assert b"\r\n\r\n" not in begun  # a browser takes what follows for a picture, and shows none that comes
    answer.close()
    services_of(app).tables.stop()
