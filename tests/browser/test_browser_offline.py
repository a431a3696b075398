"""No line, in a real browser: the page says so and what waits, and comes back by itself with all of it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from conftest import SIZES
from playwright.sync_api import Browser, Page, expect
from test_browser_access import complaints
from test_browser_live import Served, open_table


@pytest.fixture
def served(tmp_path: Path) -> Iterator[Served]:
    served = Served(tmp_path)
    yield served
    served.close()


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    """A phone's page that may keep what it shows without a line."""
    context = browser.new_context(locale="en-GB", reduced_motion="reduce", **SIZES["phone"])
    yield context.new_page()
    context.close()


def test_without_a_line_the_page_says_what_waits_and_comes_back_with_it(page: Page, served: Served) -> None:
    open_table(page, served)
    page.evaluate("() => navigator.serviceWorker.ready")
    expect(page.locator("#player-0 output").first).to_have_text("0")
    page.context.set_offline(True)
    more = page.locator('[data-key="chips-0-1"]')
    more.click()
    more.click()
    expect(page.locator("#player-0 output").first).to_have_text("2")
    expect(page.locator(".live-banner")).to_contain_text("Not saved yet: 2")
    expect(page.locator(".rank-total.stale")).to_have_count(2)  # nobody takes them for the points
    at = page.url
    page.reload()
    expect(page.locator("h1")).to_have_text("The companion does not answer")
    expect(page.locator("#waiting")).to_contain_text("2 entries, 0 photos")
    assert complaints(page) == []
    page.context.set_offline(False)
    expect(page.locator("#player-0 output").first).to_have_text("2")  # by itself
    expect(page.locator(".rank-total.stale")).to_have_count(0)
    assert page.url == at
    page.context.set_offline(True)
    more.click()
    expect(page.locator(".live-banner")).to_contain_text("Not saved yet: 1")
    page.goto(served.address)  # the page that would send it is left
    page.context.set_offline(False)
    expect(page.locator(".shelf")).to_be_visible()
    waits = page.locator("#waiting")
    expect(waits).to_contain_text("1 entry, 0 photos")
    assert complaints(page) == []
    waits.get_by_role("link", name="Open the game").click()
    expect(page.locator("#player-0 output").first).to_have_text("3")
    expect(page.locator(".rank-total.stale")).to_have_count(0)
    page.goto(served.address)
    expect(waits).to_be_hidden()
    kept = page.evaluate(
        "async () => (await (await caches.open('shell')).keys()).map(({url}) => new URL(url).pathname)"
    )
    assert not [one for one in kept if one.startswith(("/live", "/api", "/photos"))]  # no names, no points
