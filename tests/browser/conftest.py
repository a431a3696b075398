from __future__ import annotations

import os
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
import waitress
from playwright.sync_api import Browser, Page, sync_playwright

from companion.commands.serve import listen
from companion.web import create_app
from companion.web.eyes import Eyes

sys.path.insert(0, "tests/companion/web")
SIZES = {
    "phone": {
        "viewport": {"width": 390, "height": 844},
        "has_touch": True,
        "is_mobile": True,
        "device_scale_factor": 2,
    },
    "laptop": {"viewport": {"width": 1366, "height": 768}},
}
ARGUMENTS = [
    "--headless=new", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
    "--disable-background-networking", "--disable-component-update", "--disable-sync",
]  # fmt: skip


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=os.environ.get("COMPANION_CHROMIUM") or None, args=ARGUMENTS
        )
        yield browser
        browser.close()


@pytest.fixture(scope="session")
def eyes() -> Eyes:
    """What reads photos."""
    from fake_eyes import FakeEyes  # noqa: PLC0415

    return FakeEyes()


@pytest.fixture
def address(tmp_path: Path, eyes: Eyes) -> Iterator[str]:
    """The real companion, on a free port."""
    listener = listen("127.0.0.1", 0)
    server = waitress.create_server(create_app(tmp_path / "data", eyes=eyes), sockets=[listener], threads=8, ident=None)
    thread = threading.Thread(target=server.run, daemon=True)
    thread.start()
    yield f"http://127.0.0.1:{listener.getsockname()[1]}"
    server.close()


@pytest.fixture(params=SIZES)
def page(browser: Browser, address: str, request: pytest.FixtureRequest) -> Iterator[Page]:
    """A page of the size of a phone, or a laptop. A script error fails the test."""
    context = browser.new_context(locale="en-GB", **SIZES[request.param])
    page = context.new_page()
    errors: list[str] = []
    page.on("pageerror", lambda error: errors.append(str(error)))
    page.on(
        "console", lambda message: errors.append(message.text) if "Content Security Policy" in message.text else None
    )
    yield page
    context.close()
    assert errors == []
