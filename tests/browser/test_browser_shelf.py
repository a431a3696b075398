"""The first page: one thing to press, which fits the device; the last game on top."""

import json
import re

import cv2
import numpy as np
import pytest
from playwright.sync_api import Page, Route, expect

PRIMARY = """() => {
  const accent = getComputedStyle(document.documentElement).getPropertyValue("--accent").trim();
  const probe = document.body.appendChild(document.createElement("i"));
  probe.style.background = accent;
  const filled = getComputedStyle(probe).backgroundColor;
  probe.remove();
  return [...document.querySelectorAll("main a, main button")]
    .filter((one) => one.checkVisibility() && getComputedStyle(one).backgroundColor === filled)
    .map((one) => [one.innerText, one.getBoundingClientRect().bottom <= innerHeight]);
}"""
"""What stands out on the page by its color, and whether it lies above the fold."""
SCRIPTS = re.compile(r"/static/js/(page|sources/live/home)\.js")
FOR_THE_DEVICE = {True: "Take a photo", False: "Follow with a camera"}
"""What a device with a touch screen is offered first, and one without."""


@pytest.fixture
def touch(page: Page) -> bool:
    return page.evaluate("matchMedia('(pointer: coarse)').matches")


def test_one_thing_stands_out_and_fits_the_device(page: Page, address: str, touch: bool) -> None:
    page.goto(f"{address}/in-the-ruin/")  # another page first: nothing may be left of it
    page.goto(address)
    found = page.evaluate(PRIMARY)
    (words, above_the_fold), *others = found
    assert words == FOR_THE_DEVICE[touch] or words.startswith("Go on with your game")
    assert above_the_fold
    assert others == []


def test_each_game_offers_its_ways_and_one_game_is_open_at_a_time(page: Page, address: str, touch: bool) -> None:
    page.goto(address)
    for name, hand in (("Igna", "/dispute/igna"), ("Splendor", "/dispute/splendor")):
        page.locator("summary", has_text=name).click()
        game = page.locator("details.game[open]")
        expect(game).to_have_count(1)
        expect(game.get_by_role("link")).to_have_text(["Take a photo", "Follow with a camera", "Enter by hand"])
        expect(game.get_by_role("link", name="Enter by hand")).to_have_attribute("href", hand)
        assert FOR_THE_DEVICE[touch] in [words for words, _ in page.evaluate(PRIMARY)]


@pytest.mark.size("phone")
def test_the_game_begun_last_comes_first(page: Page, address: str) -> None:
    page.goto(f"{address}/dispute/igna")
    page.locator('[data-key="rank-add"]').click()
    page.locator('[data-key="name"]').fill("Chiyo")
    page.wait_for_url("**?s=*")
    expect(page.locator(".rank", has_text="Chiyo")).to_be_visible()
    page.wait_for_timeout(500)
    page.goto(address)
    ((words, above_the_fold),) = page.evaluate(PRIMARY)
    assert above_the_fold
    assert re.fullmatch("Go on with your game\\s+Igna · .*Chiyo.*", words)
    page.get_by_role("link", name="Go on with your game").click()
    page.wait_for_url("**/dispute/igna**")


@pytest.mark.size("phone")
@pytest.mark.parametrize("size", [(320, 568), (844, 390)])
def test_nothing_sticks_out_on_small_screens(page: Page, address: str, size: tuple[int, int]) -> None:
    page.set_viewport_size({"width": size[0], "height": size[1]})
    page.goto(address)
    assert page.evaluate("document.documentElement.scrollWidth <= document.documentElement.clientWidth")


@pytest.mark.size("phone")
def test_the_page_can_be_put_on_the_home_screen(page: Page, address: str) -> None:
    page.goto(address)
    browser = page.context.new_cdp_session(page)
    found = browser.send("Page.getAppManifest")
    assert found["errors"] == []
    manifest = json.loads(found["data"])
    assert manifest["start_url"] == "/"
    assert manifest["display"] == "standalone"
    for icon in (*manifest["icons"], {"src": "/public/icon-180.png", "sizes": "180x180", "type": "image/png"}):
        answer = page.request.get(address + icon["src"])
        assert (answer.status, answer.headers["content-type"].split(";")[0]) == (200, icon["type"])
        if icon["type"] == "image/png":
            height, width = cv2.imdecode(np.frombuffer(answer.body(), np.uint8), 1).shape[:2]
            assert icon["sizes"] == f"{width}x{height}"


@pytest.mark.size("phone")
@pytest.mark.parametrize("way", ["live/?game=splendor", "in-the-ruin/"])
def test_what_is_pressed_before_the_page_can_hear_it_is_not_lost(page: Page, address: str, way: str) -> None:
    held: list[Route] | None = []
    page.route(SCRIPTS, lambda route: held.append(route) if held is not None else route.continue_())
    page.goto(f"{address}/{way}", wait_until="commit")
    begins = page.locator("main [type=submit]")
    expect(begins).not_to_have_count(0)
    for n in range(begins.count()):
        expect(begins.nth(n)).to_be_disabled()
    late, held = held, None
    for one in late:
        one.continue_()
    for n in range(begins.count()):
        expect(begins.nth(n)).to_be_enabled()
