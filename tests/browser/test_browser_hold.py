"""A phone that is held over one sheet after the other: each becomes the next player's, without a tap."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator

import numpy as np
import pytest
from demo_sheets import filled_photo
from fake_camera import browser_that_sees, film
from playwright.sync_api import Browser, Page, Playwright, expect

from training.synth import demo

GAME = "/api/in-the-ruin"
SHEETS = 4


def ask(page: Page, address: str, body: object = None) -> dict:
    """What a page's module would ask."""
    script = """async ([address, body]) => {
      const headers = { "Content-Type": "application/json", "X-Companion": "1" };
      return (await fetch(address, { method: "POST", headers, body })).json();
    }"""
    return page.evaluate(script, [address, json.dumps(body or {})])


@pytest.fixture(scope="module")
def browser(playwright: Playwright, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browser]:
    """A browser whose camera sees one sheet, nothing, the next, nothing, and so on."""
    sheets = [filled_photo(7, player)[0] for player in range(SHEETS)]
    nothing = np.full_like(sheets[0], 120)
    frames = [frame for sheet in sheets for frame in (sheet, nothing)]
    path = film(tmp_path_factory.mktemp("camera") / "hold.y4m", frames, 2.0)
    with browser_that_sees(playwright, path) as browser:
        yield browser


@pytest.mark.size("phone")
def test_four_sheets_in_a_row_become_four_players_sheets_without_a_tap(page: Page, address: str) -> None:
    page.goto(address)
    sheet = ask(page, f"{GAME}/sheets/profile", demo.profile())["sheet"]
    play = ask(page, f"{GAME}/plays", {"sheet": sheet})["play"]
    for n in range(SHEETS):
        body = {"kind": "add-player", "player": f"{n}" * 16, "name": f"Player {n + 1}"}
        ask(page, f"{GAME}/plays/{play}/edits", body)
    page.goto(f"{address}/in-the-ruin/plays/{play}/hold")
    expect(page.locator(".seen .found").first).to_be_visible(timeout=60_000)
    expect(page.locator("[data-state]")).to_have_attribute("data-state", "done", timeout=120_000)
    expect(page.get_by_text(re.compile("All sheets are there"))).to_be_visible()
    players = page.request.get(f"{address}{GAME}/plays/{play}").json()["players"]
    read = sorted(player["sheets"]["end"]["map"] for player in players)
    assert read == sorted(list(truth["map"]) for _, truth in (filled_photo(7, player) for player in range(SHEETS)))
