"""The page of decks in a real browser: photographed, named, one left out, kept."""

from __future__ import annotations

from pathlib import Path

import pytest
from fake_eyes import jpeg
from playwright.sync_api import Page, expect

from training.synth.cards import SIZE_MM, face, grid, lay


@pytest.mark.size("phone")
def test_a_deck_is_photographed_put_right_and_kept(page: Page, address: str, tmp_path: Path) -> None:
    photo = tmp_path / "cards.jpg"
    drawn = grid([face(1), face(2), face(1)], 2, 3.4)
    lay(drawn, face(4, size_mm=(30, 75)), [side * 3 / 4 for side in drawn.shape[1::-1]], 3.4)
    photo.write_bytes(jpeg(drawn))
    page.goto(f"{address}/decks/?game=splendor")
    expect(page.locator(".deck-order li")).to_have_count(16)
    page.get_by_text("Cards of another size").click()
    page.locator("[name=wide]").fill(f"{SIZE_MM[0]:g}")
    page.locator("[name=high]").fill(f"{SIZE_MM[1]:g}")
    page.locator("#import").set_input_files(photo)
    expect(page.locator("#problem")).to_contain_text("This is no deck")
    page.locator("#file").set_input_files(photo)
    expect(page.locator("#problem")).to_be_hidden()
    cards = page.locator(".deck-small")
    expect(cards).to_have_count(3)
    expect(page.get_by_text("1 more outline was seen and not taken")).to_be_visible()
    page.get_by_label("What is row 2?").select_option(label="Level 3, red")
    expect(cards.nth(2)).to_have_attribute("title", "Level 3, red, 3 VP")
    expect(page.get_by_text("they cannot be told apart")).to_be_visible()
    cards.nth(2).click()
    page.get_by_label("Which card is number 3?").select_option(label="Level 3, red, 5 VP")
    expect(cards.nth(2)).to_have_attribute("title", "Level 3, red, 5 VP")
    page.get_by_role("button", name="Learn this deck").click()
    expect(page.get_by_text("1 (Level 1, white, 0 VP) may be taken for 3 (Level 3, red, 5 VP)")).to_be_visible(
        timeout=30_000
    )
    expect(page.locator(".deck-again")).to_have_count(2)
    expect(page.get_by_text("they cannot be told apart")).to_have_count(0)  # said once
    page.get_by_role("button", name="Leave out card 3").click()
    expect(cards).to_have_count(2)
    expect(page.get_by_text("they cannot be told apart")).to_have_count(0)
    page.reload()
    expect(cards).to_have_count(2)
    expect(page.get_by_text("1 more outline was seen and not taken")).to_be_visible()
    assert page.evaluate("document.documentElement.scrollWidth <= document.documentElement.clientWidth")
    page.get_by_role("button", name="Learn it again").click()
    expect(page.get_by_text("is learnt: every table of this game")).to_be_visible(timeout=30_000)
    expect(page.locator("li", has_text="splendor")).to_contain_text("2 cards")
