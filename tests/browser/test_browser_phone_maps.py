"""A phone films the sheets through its page: phone and file give the same game."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator

import pytest
from fake_camera import browser_that_sees, film
from playwright.sync_api import Browser, Page, Playwright, expect

from training.synth import demo, demo_maps

STAGES = (2, 3)
"""What of the demo's game stands on each player's sheet."""


@pytest.fixture(scope="module")
def browser(playwright: Playwright, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browser]:
    """A browser whose camera hangs over two sheets; a hand comes over one of them now and then."""
    lying = demo_maps.lying(STAGES)
    path = tmp_path_factory.mktemp("camera") / "maps.y4m"
    frames = [lying, demo_maps._with_hand(lying, 0, 1.0), lying, lying, lying]
    with browser_that_sees(playwright, film(path, frames, 0.8)) as browser:
        yield browser


def ask(page: Page, address: str, body: object) -> dict:
    """What a page's module would ask."""
    script = """async ([address, body]) => {
      const headers = { "Content-Type": "application/json", "X-Companion": "1" };
      return (await fetch(address, { method: "POST", headers, body })).json();
    }"""
    return page.evaluate(script, [address, json.dumps(body)])


@pytest.mark.size("phone")
def test_sheets_that_a_phone_films_from_its_first_small_picture_on_are_read(page: Page, address: str) -> None:
    page.goto(address)
    game = "/api/in-the-ruin"
    sheet = ask(page, f"{game}/sheets/profile", demo.profile())["sheet"]
    play = ask(page, f"{game}/plays", {"sheet": sheet})["play"]
    ask(page, f"{game}/plays/{play}/camera", {"source": "phone", "sheets": 2})
    page.goto(f"{address}/camera/film")
    page.get_by_role("button", name="Start filming").click()
    expect(page.locator("[data-state]")).to_have_attribute("data-state", "sending", timeout=30_000)
    drawn = [demo_maps.states(player)[stage] for player, stage in enumerate(STAGES)]
    until = time.monotonic() + 120
    maps: list[dict] = []
    # On a busy computer the first frames that are read may be blurred ones: those that follow put them right.
    while time.monotonic() < until and [one["map"] for one in maps] != [list(one.map) for one in drawn]:
        page.wait_for_timeout(500)
        view = page.request.get(f"{address}{game}/plays/{play}").json()
        maps = [player["sheets"]["end"] for player in view["players"]]
    assert [one["map"] for one in maps] == [list(one.map) for one in drawn]
    assert [one["destinations"] for one in maps] == [list(one.destinations) for one in drawn]
    assert [one["ticks"] for one in maps] == [dict(one.ticks) for one in drawn]
    page.goto(f"{address}/in-the-ruin/plays/{play}")
    expect(page.locator(".view.live")).to_be_visible()
    expect(page.locator(".view.live").get_by_role("alert")).to_have_count(0)
    page.request.delete(f"{address}{game}/plays/{play}/camera", headers={"X-Companion": "1"})
