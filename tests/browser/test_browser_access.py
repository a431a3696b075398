"""Who sees little, or has no mouse, is shut out of no page: axe on all of them in both themes, targets for a finger."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from acting import Page as Acting
from demo_sheets import filled_photo
from fake_eyes import FakeEyes, jpeg
from playwright.sync_api import Page, expect
from test_browser_live import SCENE, Served

from companion.games import GAMES
from companion.web.services import services_of

DARK = {"runOnly": ["color-contrast"]}
"""In the other theme only the colors are others, and they are those of every size of page."""
RUN = "(options) => axe.run({ resultTypes: ['violations'], ...options }).then(({ violations }) => violations)"
PHONE = 600
"""Pixels below which a page is a phone's."""
SMALL = """() => {
  const within = (one) => one.closest("label") ?? one;
  const seen = (one) => one.checkVisibility({ visibilityProperty: true }) && !one.matches(".only-read");
  const inText = (one) => one.matches("a") && getComputedStyle(one).display === "inline";
  return [...document.querySelectorAll("a, button, input:not([type=hidden]), select, summary")]
    .filter((one) => seen(one) && !inText(one))
    .map((one) => [one.outerHTML.slice(0, 90), within(one).getBoundingClientRect()])
    .filter(([, { width, height }]) => width < 43.5 || height < 43.5)
    .map(([html, { width, height }]) => `${html} ${width} × ${height}`);
}"""
"""What is smaller than a fingertip; cells of a map and tiles of a picture are drawn, and a touch beside them counts."""
SHELF = (
    "/",
    "/in-the-ruin/",
    "/live/",
    "/live/?game=splendor&way=photo",
    "/evenings/",
    "/guide/",
    "/guide/start",
    "/set-up/splendor?players=3",
    "/decks/",
    "/print",
    "/offline",
)
NARROW = ("/phone", "/pair", "/camera/", "/camera/phone", "/camera/film", "/api/v1/", "/overlay", "/nowhere")
"""Pages of one column, laid out alike on every size: they are looked at on a phone."""
TAPPED = tuple(f"/dispute/{game}" for game in GAMES)


@pytest.fixture
def served(tmp_path: Path) -> Iterator[Served]:
    """All that there is to see: a saved sheet, a play with a photo, a followed table, tapped games, results."""
    served = Served(tmp_path, eyes=FakeEyes())
    served.table.lay({**SCENE, "A": ["red", "gold?"]})
    host = Acting(served.app.test_client())
    play = host.start()
    host.photograph(play, jpeg(filled_photo()[0]))
    host.post(f"/api/evenings/games/{'0' * 16}", {"state": {"game": "splendor", "players": [{"name": "A"}]}})
    ended = {"game": "twelve-seekers", "rule": 1, "goes_on": False, "players": [{"name": "A", "gems": {"red": 3}}]}
    alone = {"game": "in-the-ruin", "goes_on": False, "players": [{"name": "A", "map": ["o" * 11] * 11}]}
    ended["players"].append({"name": "B", "gems": {"red": 1}})
    alone["players"][0] |= {"first_square": 9, "gems": 3, "escaped": 9}
    for game, state in (("1", ended), ("2", alone)):
        host.post(f"/api/evenings/games/{game * 16}", {"state": state, "new": True})
    host.post("/api/people", {"name": "A", "color": 6})
    table = host.post("/api/live/start", {"source": "demo"}).json["table"]
    session = services_of(served.app).tables.session(table)
    session.changes.since(None, 5.0)
    draft = host.post("/api/in-the-ruin/sheets/photo?demo=1").json["id"]
    served.pages = [f"/in-the-ruin/plays/{play}", f"/live/{table}", f"/live/{table}/colors"]
    served.pages += [f"/in-the-ruin/sheets/drafts/{draft}", *(f"/evenings/games/{game * 16}" for game in "12")]
    yield served
    served.close()


def complaints(page: Page) -> list[str]:
    """What is wrong with what a page shows; on a phone in both themes."""
    axe = pytest.importorskip("axe_playwright_python.sync_playwright").Axe()
    if page.evaluate("!window.axe"):
        page.evaluate(axe.axe_script)
    found = page.evaluate(SMALL)
    assert page.viewport_size
    themes = {"light": {}, "dark": DARK} if page.viewport_size["width"] < PHONE else {"light": {}}
    for theme, options in themes.items():
        page.emulate_media(color_scheme=theme)
        for one in page.evaluate(RUN, options):
            found += [f"{theme}: {one['id']}: {node['html'][:200]}" for node in one["nodes"]]
    return found


def test_every_page_is_open_to_everybody(page: Page, served: Served) -> None:
    page.emulate_media(reduced_motion="reduce")
    assert page.viewport_size
    narrow = NARROW if page.viewport_size["width"] < PHONE else ()
    for address in (*SHELF, *narrow, *TAPPED, *served.pages):
        page.goto(served.address + address)
        page.locator("[role=status] + noscript").wait_for(state="detached")
        assert complaints(page) == [], address


@pytest.mark.size("phone")
def test_a_phone_held_sideways_is_open_to_everybody(page: Page, served: Served) -> None:
    page.emulate_media(reduced_motion="reduce")
    page.set_viewport_size({"width": 844, "height": 390})
    page.goto(served.address + served.pages[0])
    expect(page.locator(".tabs")).to_be_visible()
    assert complaints(page) == []


@pytest.mark.size("phone")
def test_a_low_phones_questions_are_open_to_everybody(page: Page, served: Served) -> None:
    page.emulate_media(reduced_motion="reduce")
    page.set_viewport_size({"width": 320, "height": 568})
    page.goto(served.address + served.pages[0])
    page.locator('[data-key="tab-questions"]').click()
    for topic in page.locator(".topic").all():
        topic.click()
        assert complaints(page) == [], topic.inner_text()


def test_what_opens_over_a_page_is_open_to_everybody(page: Page, served: Served) -> None:
    play, table, *_ = served.pages
    page.emulate_media(reduced_motion="reduce")
    page.goto(served.address + table)
    for key in ("more-0", "close", "table-entries", "close", "doubts"):
        page.locator(f'[data-key="{key}"]').first.click()
        assert complaints(page) == [], key
    page.goto(served.address + play)
    for key in ("tab-questions", "tab-points", "tab-photo"):
        if (tab := page.locator(f'[data-key="{key}"]')).is_visible():
            tab.click()
            assert complaints(page) == [], key
    for words in ("Check", "Letters"):
        if words == "Letters" and (tools := page.locator('[data-key="tools"]')).is_visible():
            tools.click()
            assert complaints(page) == []
        page.get_by_role("button", name=words).first.click()
        assert complaints(page) == [], words
        page.keyboard.press("Escape")


def test_a_lit_line_and_what_is_none_or_waits_can_be_read(page: Page, served: Served) -> None:
    page.emulate_media(reduced_motion="reduce")
    for game, *keys in (
        ("twelve-seekers", "gems-red-add", "gems-red-add", "line-0-0"),
        ("human-angel-demon", "tray-open", "card-H1"),
    ):
        page.goto(f"{served.address}/dispute/{game}")
        for key in keys:
            page.locator(f'[data-key="{key}"]').first.click()
        page.evaluate("document.querySelectorAll('.counter-n').forEach((n) => n.removeAttribute('aria-hidden'))")
        assert complaints(page) == [], game


@pytest.mark.size("phone")
def test_a_code_that_finds_no_companion_says_so_in_the_phones_language(page: Page, address: str) -> None:
    page.route("**/api/pair", lambda route: route.abort())
    page.goto(f"{address}/pair#code")
    expect(page.locator("#wait")).to_contain_text("The companion cannot be reached")
