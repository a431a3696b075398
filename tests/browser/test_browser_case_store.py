"""What stands on the dispute page belongs to the case as it is: names, points without a connection, other cases."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect
from test_browser_cases import open_case, tap

GAME = "twelve-seekers"


def seekers(**gems: int) -> dict:
    """Rule 3 gives a point a gem."""
    return {"game": GAME, "rule": 3, "players": [{"name": "A", "gems": gems}, {"name": "B", "gems": {}}]}


@pytest.mark.size("laptop")
def test_a_name_on_the_way_to_another_takes_nobodys_part(page: Page, address: str) -> None:
    players = [{"name": name, "points": 9, "open": []} for name in "ABC"]
    state = {"game": "human-angel-demon", "advanced": False, "winner": None, "players": players}
    open_case(page, address, "human-angel-demon", state)
    tap(page, "winner-0", "rank-2")
    page.locator('[data-key="name"]').fill("")
    page.locator('[data-key="name"]').press_sequentially("Aki")  # "A" on the way
    expect(page.locator('[data-key="winner-0"]')).to_have_attribute("aria-pressed", "true")
    expect(page.locator('[data-key="winner-0"]')).to_have_text("A")
    expect(page.locator('[data-key="winner-2"]')).to_have_text("Aki")
    page.locator('[data-key="name"]').fill("B")
    page.locator('[data-key="name"]').blur()
    expect(page.get_by_role("alert")).to_contain_text("Another player is called B already")
    expect(page.locator('[data-key="name"]')).not_to_have_value("B")


@pytest.mark.size("phone")
def test_what_this_device_can_take_back_stays_known_where_the_page_is_closed(page: Page, address: str) -> None:
    open_case(page, address, "splendor", {"game": "splendor", "players": [{"name": "A"}, {"name": "B"}]})
    undo, redo = (page.locator(f'[data-key="{key}"]').first for key in ("undo", "redo"))
    red = page.locator('[data-place="/players/0/tokens/red"] .counter-n')
    tap(page, "token-red-add", "token-red-add", "reserved-plus")
    undo.click()
    expect(red).to_have_text("2")
    page.wait_for_url("**kept=*")
    there = page.url
    page.goto("about:blank")
    page.goto(there)
    expect(red).to_have_text("2")
    expect(redo).to_be_enabled()
    expect(undo).to_have_attribute("aria-label", re.compile("tokens"))
    redo.click()
    undo.click()
    undo.click()
    expect(red).to_have_text("1")
    undo.click()
    expect(red).to_have_text("0")
    expect(undo).to_be_disabled()


@pytest.mark.size("laptop")
@pytest.mark.parametrize(
    ("typed", "shown", "name"),
    [("", "—", "A"), ("   ", "—", "A"), ("　", "—", "A"), ("Aki ", "Aki", "Aki"), (" Aki Ito", "Aki Ito", "Aki Ito")],
)
def test_a_name_of_blanks_is_none_and_blanks_around_one_are_no_part_of_it(
    page: Page, address: str, typed: str, shown: str, name: str
) -> None:
    open_case(page, address, GAME, {**seekers(), "players": [{"name": "Chie", "gems": {}}, {"name": "B", "gems": {}}]})
    field, ranked = page.locator('[data-key="name"]'), page.locator(".case-top .rank-name").first
    field.fill("")
    field.press_sequentially(typed)
    expect(ranked).to_have_text(re.compile(f"^\\W*{shown}$"))
    field.press("Tab")
    expect(ranked).to_have_text(re.compile(f"^\\W*{name}$"))
    expect(field).to_have_value(name)
    expect(page.locator(".unfinished")).to_have_count(0)
    page.locator('[data-key="undo"]').first.click()
    expect(field).to_have_value("Chie")


@pytest.mark.size("laptop")
def test_a_name_of_blanks_in_a_file_is_shown_as_none(page: Page, address: str) -> None:
    open_case(page, address, GAME, {**seekers(), "players": [{"name": "  ", "gems": {}}]})
    expect(page.locator(".case-top .rank-name").first).to_contain_text("—")


@pytest.mark.size("phone")
def test_points_from_before_the_connection_was_lost_are_not_shown_as_current(page: Page, address: str) -> None:
    open_case(page, address, GAME, seekers(red=3))
    expect(page.locator(".ranking .crown")).to_have_count(1)
    page.route("**/api/dispute/score", lambda route: route.abort())
    tap(page, "gems-blue-add")
    expect(page.get_by_role("alert")).to_be_visible()
    expect(page.locator(".points.stale")).to_have_count(1)
    expect(page.locator(".crown, .winners")).to_have_count(0)
    page.evaluate("() => dispatchEvent(new Event('beforeprint'))")
    expect(page.locator(".paper-winner, .paper-notes")).to_have_count(0)
    page.unroute("**/api/dispute/score")
    expect(page.locator(".ranking .crown")).to_have_count(1, timeout=10_000)


@pytest.mark.size("laptop")
def test_another_case_shows_nothing_of_the_one_before_and_leaves_it_as_it_was(
    page: Page, address: str, tmp_path: Path
) -> None:
    open_case(page, address, GAME, seekers(red=3))
    tap(page, "gems-red-add")
    expect(page).to_have_url(re.compile("kept="))
    kept = page.url.rpartition("kept=")[2]
    other = tmp_path / "other.json"
    other.write_text(json.dumps(seekers(red=5)))
    page.locator('input[type="file"]').set_input_files(other)
    expect(page.locator('[data-place="/players/0/gems/red"]').first).to_contain_text("5")
    expect(page.locator(".moved")).to_have_count(0)
    expect(page).not_to_have_url(re.compile("kept="))  # nobody has changed it: it is no game of this evening
    page.goto(f"{address}/evenings/games/{kept}")
    expect(page.locator('[data-place="/players/0/gems/red"]').first).to_contain_text("4")


@pytest.mark.size("phone")
def test_who_leaves_at_once_finds_every_tap_again(page: Page, address: str) -> None:
    open_case(page, address, GAME, seekers())
    for _ in range(6):
        page.locator('[data-key="gems-red-add"]').click(no_wait_after=True)
    page.reload()
    expect(page.locator('[data-place="/players/0/gems/red"]').first).to_contain_text("6")


@pytest.mark.size("phone")
def test_the_chosen_player_stays_in_sight(page: Page, address: str) -> None:
    open_case(page, address, GAME, seekers())
    for _ in range(5):
        tap(page, "rank-add")
    chosen = page.locator(".case-top .rank.on")
    expect(chosen).to_contain_text("G")
    expect(chosen).to_be_in_viewport(ratio=1)


@pytest.mark.size("phone")
def test_what_could_not_be_kept_is_kept_when_the_companion_is_back(page: Page, address: str) -> None:
    open_case(page, address, GAME, seekers(red=3))
    page.route("**/api/evenings/games/*", lambda route: route.abort())
    with page.expect_event("requestfailed", lambda request: "/api/evenings/games/" in request.url):
        tap(page, "gems-red-add")
    page.unroute("**/api/evenings/games/*")
    with page.expect_response("**/api/evenings/games/*", timeout=15_000) as kept:
        pass
    assert kept.value.request.post_data_json["state"]["players"][0]["gems"]["red"] == 4
