"""Card tables in a real browser: how to lay is drawn first; how many play and which card was misread is asked."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from fake_table import FakeTable
from playwright.sync_api import Page, expect
from test_browser_access import complaints
from test_browser_live import Served

from companion.web.services import services_of
from vision.table.profile import TableProfile, Zone
from vision.table.reading import Card

NEAR, FAR = (60, 230), (60, 40)
AREAS = {"A": (20, 200, 620, 340), "B": (20, 10, 620, 150)}
PROFILE = TableProfile(
    "titles",
    "human-angel-demon",
    zones={
        name: Zone(None, None, ((left, top), (right, top), (right, bottom), (left, bottom)))
        for name, (left, top, right, bottom) in AREAS.items()
    },
)


def row(at: tuple[int, int], codes: str, zone: str | None = None) -> list[Card]:
    """Cards side by side; `_`: half a card of table."""
    (x, y), out = at, []
    for code in codes.split():
        if code != "_":
            corners = np.array([[x, y], [x + 34, y], [x + 34, y + 48], [x, y + 48]], float)
            out.append(Card(None, {"kind": "card", "card": code}, zone, corners))
        x += 20 if code == "_" else 38
    return out


@pytest.fixture
def served(tmp_path: Path) -> Iterator[Served]:
    served = Served(tmp_path, table=FakeTable())
    yield served
    served.close()


def test_before_the_first_photo_the_page_draws_how_to_lay_and_asks_how_many_play(
    page: Page, served: Served, tmp_path: Path
) -> None:
    served.table.lay({}, [*row(NEAR, "H1 H1 H1 _ A1 A2 A3"), *row(FAR, "D2 D2 D2")])
    (tmp_path / "table.jpg").write_bytes(served.table.photo())
    page.goto(f"{served.address}/live/?game=human-angel-demon&way=photo")
    page.locator("#start button[type=submit]").click()
    expect(page.locator(".how-laid")).to_contain_text("opened set")
    expect(page.locator(".how-laid rect")).to_have_count(14)
    expect(page.locator(".set-up")).to_contain_text("How many play?")
    assert page.evaluate("document.documentElement.scrollWidth <= document.documentElement.clientWidth")
    page.locator('[data-key="play-2"]').click()
    expect(page.locator(".set-up")).to_have_count(0)
    page.locator("#files").set_input_files(tmp_path / "table.jpg")
    expect(page.locator(".set-up")).to_contain_text("Are these the areas? A, B")
    expect(page.locator(".how-laid")).to_have_count(0)
    assert complaints(page) == []


def test_of_a_fourth_card_the_page_asks_which_one_was_misread(page: Page, served: Served) -> None:
    services_of(served.app).tables.start("0", PROFILE, None, True)
    cards = [*row(NEAR, "I3 I3 I3 _ H1 I3", "A"), *row(FAR, "D2 D2 D2", "B")]
    served.table.lay({"A": [], "B": []}, cards)
    table = services_of(served.app).tables.now
    assert table is not None
    page.goto(f"{served.address}/live/{table.table}")
    asked = page.locator(".contradiction")
    expect(asked).to_contain_text("which one?")
    expect(asked.locator(".crop")).to_have_count(4)
    assert page.evaluate("document.documentElement.scrollWidth <= document.documentElement.clientWidth")
    assert complaints(page) == []
    asked.locator(".crop").nth(3).click()
    page.get_by_label("Other card").select_option(label="Item 2, black")
    expect(asked).to_have_count(0)


def test_cards_that_are_all_right_are_not_asked_about_again(page: Page, served: Served) -> None:
    services_of(served.app).tables.start("0", PROFILE, None, True)
    served.table.lay({"A": [], "B": []}, row(NEAR, "H1 H1 D3", "A"))
    table = services_of(served.app).tables.now
    assert table is not None
    page.goto(f"{served.address}/live/{table.table}")
    expect(page.locator(".contradiction .crop")).to_have_count(3)
    page.get_by_role("button", name="They are all right").click()
    expect(page.locator(".contradiction")).to_have_count(0)
