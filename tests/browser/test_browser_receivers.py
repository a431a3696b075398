"""What hears the points as they change: the overlay of a stream, and the browser's voice."""

from __future__ import annotations

import pytest
from fake_table import FakeTable
from playwright.sync_api import Page, expect
from test_browser_live import SCENE, Served, open_table, points, served, shown, table, total  # noqa: F401 - fixtures

OTHER = {**SCENE, "A": ["red"] * 5}
SPOKEN = "window.spoken = []; speechSynthesis.speak = (said) => spoken.push([said.lang, said.text]);"


@pytest.mark.size("laptop")
def test_the_overlay_shows_the_points_as_they_change(page: Page, served: Served, table: FakeTable) -> None:  # noqa: F811
    open_table(page, served)
    overlay = page.context.new_page()
    overlay.goto(f"{served.address}/overlay")
    row = overlay.locator("#scores li")
    expect(row).to_have_count(2)
    before = total(page, "A").inner_text()
    expect(row.nth(0).locator("b")).to_have_text(before)
    table.lay(OTHER)
    expect(total(page, "A")).not_to_have_text(before)
    expect(row.nth(0).locator("b")).to_have_text(shown(points(page, "A")))


@pytest.mark.size("laptop")
def test_the_voice_says_the_points_once_it_is_switched_on(page: Page, served: Served, table: FakeTable) -> None:  # noqa: F811
    page.add_init_script(SPOKEN)
    open_table(page, served)
    before = total(page, "A").inner_text()
    table.lay(OTHER)
    expect(total(page, "A")).not_to_have_text(before)
    assert page.evaluate("spoken") == []
    page.locator('[data-key="voice"]').click()
    table.lay(SCENE)
    page.wait_for_function("() => spoken.length > 1")
    language, said = page.evaluate("spoken.at(-1)")
    assert language == "en"
    assert f"A: {shown(points(page, 'A'))}." in said
    ahead, behind = sorted("AB", key=lambda name: -int(points(page, name)))
    assert (f"{ahead} leads." in said) == (points(page, ahead) != points(page, behind))
