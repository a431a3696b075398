from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, suppress
from pathlib import Path

import pytest
from playwright.sync_api import Browser, BrowserContext, Error, Page, Playwright, expect, sync_playwright

ROOT = Path(__file__).parents[2]
SIZES = {
    "phone": {
        "viewport": {"width": 390, "height": 844},
        "has_touch": True,
        "is_mobile": True,
    },
    "laptop": {"viewport": {"width": 1366, "height": 768}},
}
expect.set_options(timeout=15_000)
ARGUMENTS = [
    "--headless=new", "--no-sandbox", "--disable-gpu", "--in-process-gpu", "--disable-quic", "--no-first-run",
    "--disable-background-networking", "--disable-component-update", "--disable-sync",
]  # fmt: skip


@pytest.fixture(scope="session")
def playwright() -> Iterator[Playwright]:
    """One for all tests of a process: a second one beside it would not start."""
    with sync_playwright() as playwright:
        yield playwright


@pytest.fixture(scope="session")
def browser(playwright: Playwright) -> Iterator[Browser]:
    browser = playwright.chromium.launch(executable_path=os.environ.get("COMPANION_CHROMIUM") or None, args=ARGUMENTS)
    yield browser
    browser.close()


@pytest.fixture(scope="session")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The companion's data folder."""
    return tmp_path_factory.mktemp("companion")


@pytest.fixture(scope="session")
def address(folder: Path) -> Iterator[str]:
    """The real companion, on a free port, with a data folder of its own. What it has read it does not read again."""
    arguments = ["serve", "--no-browser", "--port", "0", "--data", str(folder)]
    command = [sys.executable, "-u", "-m", "companion_that_remembers", *arguments]
    paths = {"PYTHONPATH": os.pathsep.join([str(ROOT / "tests" / "support"), os.environ.get("PYTHONPATH", "")])}
    with subprocess.Popen(
        command, cwd=ROOT, stdout=subprocess.PIPE, text=True, encoding="utf-8", env={**os.environ, **paths}
    ) as process:
        line = process.stdout.readline() if process.stdout else ""
        found = re.search(r"http://127\.0\.0\.1:\d+", line)
        assert found, line
        yield found[0]
        process.terminate()
    log = folder / "companion.log"
    assert "Traceback" not in log.read_text("utf-8"), log.read_text("utf-8")


@pytest.fixture
def phone(playwright: Playwright, tmp_path: Path) -> Callable[[], AbstractContextManager[BrowserContext]]:
    """Opens a phone's browser whose storage outlives it: killed, and opened again."""

    @contextmanager
    def opened() -> Iterator[BrowserContext]:
        context = playwright.chromium.launch_persistent_context(
            str(tmp_path / "phone"),
            executable_path=os.environ.get("COMPANION_CHROMIUM") or None,
            args=ARGUMENTS,
            locale="en-GB",
            reduced_motion="reduce",
            service_workers="block",
            **SIZES["phone"],
        )
        yield context
        with suppress(Error):  # it was killed
            context.close()

    return opened


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """`@pytest.mark.size("phone")`: what does not depend on the size is tried on one."""

    def wanted(item: pytest.Item) -> bool:
        marker = item.get_closest_marker("size")
        return marker is None or item.callspec.params["page"] in marker.args

    items[:] = [item for item in items if wanted(item)]


@pytest.fixture(params=SIZES)
def page(browser: Browser, request: pytest.FixtureRequest) -> Iterator[Page]:
    """A page of the size of a phone, or a laptop. A script error or a broken security policy fails the test.

    No service worker: some Chromiums let a request past the route of a test where a page has one.
    """
    context = browser.new_context(
        locale="en-GB", reduced_motion="reduce", service_workers="block", **SIZES[request.param]
    )
    page = context.new_page()
    errors: list[str] = []
    page.on("pageerror", lambda error: errors.append(str(error)))
    page.on("console", lambda said: errors.append(said.text) if "Content Security Policy" in said.text else None)
    yield page
    page.unroute_all(behavior="ignoreErrors")  # a held request is not awaited
    context.close()
    assert errors == []
