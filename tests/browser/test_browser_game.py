"""A game on the live page: its log, its moves on the table then and now, the whole of it as a film, and put right."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from fake_table import GAME, game_scenes
from playwright.sync_api import Page, expect
from test_browser_access import complaints
from test_browser_live import Served, fits, open_table

SCENES = game_scenes()


@pytest.fixture
def served(tmp_path: Path) -> Iterator[Served]:
    served = Served(tmp_path, GAME)
    yield served
    served.close()


@pytest.fixture
def played(page: Page, served: Served) -> Page:
    """A page on which three moves were made."""
    open_table(page, served, SCENES[0])
    for n, scene in enumerate(SCENES[1:], 1):
        served.table.lay(scene)
        expect(page.locator(".log .moves li")).to_have_count(n)
    return page


@pytest.mark.size("phone")
def test_a_line_of_the_log_lights_its_pieces_then_and_now(played: Page) -> None:
    lit = played.locator(".piece-shape.lit")
    played.locator('[data-key="log-move-1"]').click()
    expect(played.locator(".banner.past")).to_be_visible()
    expect(lit).to_have_count(2)
    expect(played.locator(".log li.on")).to_have_attribute("data-n", "1")
    expect(played.locator(".log li.later")).to_have_count(2)
    assert complaints(played) == []  # what comes later can be read
    after = lit.first.get_attribute("aria-label")
    played.locator('[data-key="film-back"]').click()
    expect(lit.first).not_to_have_attribute("aria-label", after)
    expect(lit).to_have_count(2)  # where they lay before, in the dungeon
    played.get_by_role("button", name="Back to now").click()
    expect(lit.first).to_have_attribute("aria-label", after)
    expect(lit).to_have_count(2)
    assert fits(played)


@pytest.mark.size("laptop")
def test_the_game_plays_as_a_film_to_its_end_and_stays_when_the_table_is_left(played: Page) -> None:
    played.locator('[data-key="play"]').click()
    expect(played.locator(".film-words")).to_have_text(re.compile("^1. A"))
    expect(played.locator(".film-words")).to_have_text(re.compile("^2. B"))
    played.locator('[data-key="film-play"]').click()
    expect(played.locator(".log li.on")).to_have_attribute("data-n", "2")
    expect(played.locator(".piece-shape.lit")).to_have_count(3)
    played.get_by_role("button", name="Back to now").click()
    played.get_by_role("button", name="Stop").click()
    expect(played.locator(".banner.calm")).to_be_visible()
    played.reload()
    expect(played.locator(".log .moves li")).to_have_count(3)
    expect(played.get_by_role("link", name=re.compile("Save the game as a file"))).to_be_visible()
    played.locator('[data-key="log-move-2"]').click()
    expect(played.locator(".piece-shape.lit")).to_have_count(3)


@pytest.mark.size("phone")
def test_a_piece_of_long_ago_is_put_right_and_the_log_changes(played: Page) -> None:
    first = played.locator(".log .moves li").last
    expect(first).to_contain_text("yellow, purple")
    played.locator('[data-key="log-move-1"]').click()
    lit = played.locator(".piece-shape.lit")
    expect(lit).to_have_count(2)
    after = lit.first.get_attribute("aria-label")
    played.locator('[data-key="film-back"]').click()
    expect(played.locator(".slider output")).to_contain_text("State 1")
    expect(lit.first).not_to_have_attribute("aria-label", after)  # where it lay before, in the dungeon
    lit.first.click()
    played.locator('[data-key="tile-green"]').click()
    expect(first).to_contain_text("green, purple")
    expect(played.locator('.piece-shape[aria-label^="green"]')).to_have_count(4)
    played.get_by_role("button", name="Back to now").click()
    played.locator('[data-key="undo"]').click()
    expect(first).to_contain_text("yellow, purple")
