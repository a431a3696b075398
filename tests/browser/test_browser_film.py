"""A device films the table: pictures reach the companion, a lost line is said and taken up again."""

from __future__ import annotations

import re
from collections.abc import Iterator

import numpy as np
import pytest
from fake_camera import browser_that_sees, film
from playwright.sync_api import Browser, Page, Playwright, expect


@pytest.fixture(scope="module")
def browser(playwright: Playwright, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browser]:
    """A browser with a camera that sees something move."""
    rng = np.random.default_rng(4)
    frames = [rng.integers(40, 220, (12, 16, 3), np.uint8).repeat(40, 0).repeat(40, 1) for _ in range(3)]
    path = film(tmp_path_factory.mktemp("camera") / "table.y4m", frames, 0.4)
    with browser_that_sees(playwright, path) as browser:
        yield browser


def ask(page: Page, address: str, body: str = "{}") -> dict:
    """What a page's module would ask."""
    script = """async ([address, body]) => {
      const headers = { "Content-Type": "application/json", "X-Companion": "1" };
      return (await fetch(address, { method: "POST", headers, body })).json();
    }"""
    return page.evaluate(script, [address, body])


def state(page: Page) -> object:
    return page.locator("[data-state]")


@pytest.mark.size("phone")
def test_it_sends_says_when_the_line_is_lost_and_goes_on_by_itself(page: Page, address: str) -> None:
    page.goto(f"{address}/camera/film")
    page.get_by_role("button", name="Start filming").click()
    expect(state(page)).to_have_attribute("data-state", "no-table", timeout=30_000)
    expect(state(page)).to_contain_text("no table waits")
    expect(page.get_by_role("link", name="Follow a table")).to_have_attribute(
        "href", "/live/"
    )  # this device is the host
    table = ask(page, "/api/live/start", '{"source": "phone", "name": "evening", "game": "twelve-seekers"}')["table"]
    expect(state(page)).to_have_attribute("data-state", "sending", timeout=30_000)
    expect(state(page)).to_contain_text(re.compile(r"[1-9]\.\d pictures a second"), timeout=30_000)
    script = """async (address) => {
      const picture = await createImageBitmap(await (await fetch(address)).blob());
      return [picture.width, picture.height];
    }"""
    assert page.evaluate(script, f"/live/{table}/frame.jpg") == [640, 480]
    page.route("**/api/live/push", lambda route: route.abort())
    expect(state(page)).to_have_attribute("data-state", "gone", timeout=30_000)
    page.unroute("**/api/live/push")
    expect(state(page)).to_have_attribute("data-state", "sending", timeout=30_000)
    page.evaluate("document.querySelector('video').srcObject.getVideoTracks()[0].dispatchEvent(new Event('ended'))")
    expect(state(page)).to_have_attribute("data-state", "sending", timeout=30_000)
    assert page.evaluate("document.documentElement.scrollWidth <= document.documentElement.clientWidth")
    page.get_by_role("button", name="Stop").click()
    expect(page.get_by_role("button", name="Start filming")).to_be_visible()
    expect(state(page)).to_have_count(0)
    ask(page, f"/api/live/{table}/stop")


def test_without_a_camera_it_says_what_to_do(page: Page, address: str) -> None:
    page.add_init_script(
        "navigator.mediaDevices.getUserMedia = () => Promise.reject(new DOMException('no', 'NotAllowedError'));"
    )
    page.goto(f"{address}/camera/film")
    page.get_by_role("button", name="Start filming").click()
    expect(page.get_by_role("alert")).to_contain_text("may not use the camera")


@pytest.mark.size("phone")
def test_a_page_that_waits_for_its_first_picture_has_loaded(page: Page, address: str) -> None:
    page.goto(address)
    play = ask(page, "/api/in-the-ruin/demo-camera")["play"]
    ask(page, f"/api/in-the-ruin/plays/{play}/camera", '{"source": "phone", "sheets": 1}')
    page.goto(f"{address}/in-the-ruin/plays/{play}", wait_until="load", timeout=10_000)
    expect(page.locator(".live-img")).to_have_attribute("src", re.compile("picture.mjpg"))


@pytest.mark.size("phone")
def test_who_draws_under_a_camera_is_told_that_nobody_reads_any_more(page: Page, address: str) -> None:
    page.goto(address)
    play = ask(page, "/api/in-the-ruin/demo-camera")["play"]
    page.goto(f"{address}/in-the-ruin/plays/{play}")
    camera = page.locator(".view.live")
    expect(camera).to_be_visible()
    page.route(f"**/api/in-the-ruin/plays/{play}*/**", lambda route: route.abort())
    page.evaluate(
        "dispatchEvent(new Event('pagehide')); dispatchEvent(new Event('pageshow'))"
    )  # the line is taken anew
    expect(camera.get_by_role("alert")).to_contain_text("does not answer")
    page.unroute_all()
    expect(camera.get_by_role("alert")).to_have_count(0)
    other = page.context.new_page()
    other.goto(address)
    after = ask(other, "/api/in-the-ruin/demo-camera")["play"]  # as after a new start: it is not followed any more
    page.evaluate("dispatchEvent(new Event('pagehide')); dispatchEvent(new Event('pageshow'))")
    expect(page.get_by_role("alert").filter(has_text="no longer followed")).to_be_visible()
    page.request.delete(f"{address}/api/in-the-ruin/plays/{after}/camera", headers={"X-Companion": "1"})
