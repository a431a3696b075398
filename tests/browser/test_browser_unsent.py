"""What is entered without a line waits on the device: two tabs of one phone, which is killed; none lost, none twice."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager, suppress
from pathlib import Path

from playwright.sync_api import BrowserContext, Error, Page, expect
from test_browser_ruin import open_demo, tab

from companion.cases.store import Store

TAPS = 50
"""Of each of two counters in each of two tabs."""
SETTLED = 3000
"""Milliseconds after which Chromium has written what it said is kept: a crash sooner takes the last taps along."""
TRACKS = ("gems", "penalties")
TAP = "([key, taps]) => { for (; taps > 0; taps--) document.querySelector(key).click(); }"
KEPT = """async (kept) => {
  const { keptEntries } = await import("/static/js/lib/device_store.js");
  const page = `edits ${location.pathname.split("/").at(-1)}`;
  while ((await keptEntries.of(page)).length !== kept) await new Promise((done) => setTimeout(done, 100));
}"""
"""Waits until the device keeps so many entries."""


def enter(page: Page, player: int) -> None:
    """Tap each track's counter up, so many times."""
    page.locator(".rank").nth(player).click()
    tab(page, "questions")
    for track in TRACKS:
        page.evaluate(TAP, [f'[data-key="{track}-plus"]', TAPS])


def test_of_200_entries_in_two_tabs_of_a_killed_phone_none_is_lost_and_none_counts_twice(
    phone: Callable[[], AbstractContextManager[BrowserContext]], address: str, folder: Path
) -> None:
    with phone() as context:
        tabs = [context.new_page(), context.new_page()]
        open_demo(tabs[0], address, own=True)
        tabs[1].goto(tabs[0].url)
        where = tabs[0].url
        names = [tabs[0].locator(".rank").nth(player).get_attribute("data-key") for player in range(2)]
        store, play = Store(folder), where.rsplit("/", 1)[-1]
        before = len(store.edits(play))
        context.route("**/edits", lambda route: route.abort())
        for player, one in enumerate(tabs):
            enter(one, player)
            expect(one.get_by_role("alert")).to_contain_text("It is kept on this device")
            expect(one.locator(".rank-how.open").first).to_have_text("waiting")  # the totals lack what waits
        tabs[1].evaluate(KEPT, 4 * TAPS)
        assert len(store.edits(play)) == before
        tabs[1].wait_for_timeout(SETTLED)
        with suppress(Error):  # nobody is left to answer
            context.new_cdp_session(tabs[0]).send("Browser.crash")
    with phone() as context:
        tabs = [context.new_page(), context.new_page()]
        for one in tabs:  # both find what waits, and send it
            one.goto(where)
        for one in tabs:
            one.evaluate(KEPT, 0)
            expect(one.locator("#play[data-unsent]")).to_have_count(0)
    said = [edit for edit in store.edits(play)[before:] if edit["kind"] == "ticks"]
    for player in names:
        for track in TRACKS:
            counts = [e["count"] for e in said if f"rank-{e['player']}" == player and e["track"] == track]
            assert len(counts) == TAPS
            assert counts == list(range(counts[0], counts[0] + TAPS))
