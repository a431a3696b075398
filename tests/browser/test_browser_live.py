"""The live table in a real browser, on a phone and on a laptop: a table that the test lays."""

from __future__ import annotations

import json
import re
import threading
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from acting import Page as Acting
from fake_table import PROFILE, FakeTable
from playwright.sync_api import Locator, Page, expect
from werkzeug.serving import make_server

from common.messages import Message
from companion.web import create_app
from companion.web.running.eyes import Eyes
from companion.web.running.table_eyes import TableEyes
from companion.web.services import services_of
from vision.table.profile import TableProfile, Zone
from vision.table.reading import Card

SCENE = {"A": ["red", "red", "blue"], "B": ["green", "yellow", "yellow", "yellow"]}
PICTURE = re.compile(r"/picture\.mjpg|/frame\.jpg")


class Served:
    """The companion with a table that the test lays."""

    def __init__(
        self, folder: Path, profile: TableProfile = PROFILE, eyes: Eyes | None = None, table: TableEyes | None = None
    ) -> None:
        self.table = table or FakeTable(profile)
        self.app = create_app(folder, eyes=eyes, table_eyes=self.table)
        self.server = make_server("127.0.0.1", 0, self.app, threaded=True)
        self.address = f"http://127.0.0.1:{self.server.server_port}"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def close(self) -> None:
        services_of(self.app).tables.stop()
        self.server.shutdown()


@pytest.fixture
def served(tmp_path: Path) -> Iterator[Served]:
    served = Served(tmp_path)
    yield served
    served.close()


@pytest.fixture
def table(served: Served) -> FakeTable:
    return served.table


def open_table(page: Page, served: Served, scene: Any = SCENE) -> None:
    """From the shelf to a table that has come to rest."""
    served.table.lay(scene)
    page.goto(served.address)
    page.get_by_text("Watch a demo").click()
    page.locator(".demos").get_by_role("link", name="Twelve Seekers").click()
    tiles = sum(len(row) for row in scene.values())
    expect(page.locator(".piece-shape")).to_have_count(tiles)
    expect(page.locator(".live-img")).to_have_js_property("naturalWidth", 640)


def total(page: Page, name: str) -> Locator:
    return page.locator(f'[data-total="{name}"]')


def points(page: Page, name: str) -> int:
    return int(total(page, name).inner_text().replace("−", "-"))


def shown(n: int) -> str:
    """A number as the page writes it."""
    return f"{n}".replace("-", "−")


def fits(page: Page) -> bool:
    return page.evaluate("document.documentElement.scrollWidth <= document.documentElement.clientWidth")


def test_the_score_moves_with_the_table_and_lines_sum_to_it(page: Page, served: Served, table: FakeTable) -> None:
    open_table(page, served)
    assert fits(page)
    before = points(page, "A")
    table.lay({**SCENE, "A": ["red"] * 5})
    expect(total(page, "A")).not_to_have_text(shown(before))
    lines = page.locator("#player-0 .line-points").all_inner_texts()
    assert sum(int(text.replace("−", "-")) for text in lines) == points(page, "A")
    moved = page.locator(".rank").first.locator(".moved")
    assert int(moved.inner_text().replace("−", "-")) == points(page, "A") - before


def test_a_line_lights_its_tiles_and_a_tile_its_lines(page: Page, served: Served) -> None:
    open_table(page, served)
    line = page.locator("#player-0 .line").first
    line.click()
    expect(line).to_have_attribute("aria-pressed", "true")
    expect(page.locator(".piece-shape.lit")).to_have_count(2)
    line.click()
    expect(page.locator(".piece-shape.lit")).to_have_count(0)
    page.set_viewport_size({**page.viewport_size, "height": 600})
    page.locator(".piece-shape").nth(2).click()
    expect(page.locator(".line.counted")).to_have_count(1)
    expect(page.locator(".line.counted")).to_contain_text("blue")
    expect(page.locator(".tile-bar")).to_contain_text("blue, A")
    for key in ("tile-red", "tile-none"):
        expect(page.locator(f'[data-key="{key}"]')).to_be_in_viewport(ratio=0.9)


@pytest.mark.size("phone")
def test_a_doubtful_tile_is_confirmed_by_a_tap(page: Page, served: Served) -> None:
    open_table(page, served, {"A": ["red", "red?", "yellow?"], "B": []})
    page.get_by_role("button", name="2 pieces to check").click()
    expect(page.locator(".tile-bar")).to_contain_text("Which color is this?")
    page.locator(".tile-bar").get_by_role("button", name="red", exact=True).click()
    # The next one is asked at once.
    expect(page.locator(".piece-shape.doubtful")).to_have_count(1)
    expect(page.locator(".tile-bar")).to_contain_text("Which color is this?")
    page.locator(".tile-bar").get_by_role("button", name="gold", exact=True).click()
    expect(page.locator(".piece-shape.doubtful")).to_have_count(0)
    expect(page.locator(".doubts")).to_have_count(0)
    expect(page.locator("#player-0")).to_contain_text("Gold: 1")


@pytest.mark.size("phone")
@pytest.mark.parametrize(
    ("answer", "left", "asked"), [("Yes, as seen", 4, 0), ("No, none", 0, 0), ("One by one", 4, 4)]
)
def test_an_area_of_which_nothing_is_sure_is_one_question(
    page: Page, served: Served, answer: str, left: int, asked: int
) -> None:
    open_table(page, served, {"A": ["red?", "red?", "yellow?", "blue?"], "B": ["green"]})
    page.get_by_role("button", name="1 piece to check").click()
    expect(page.locator(".tile-bar")).to_contain_text("Are these 4 tiles?")
    expect(page.locator(".tile-bar")).to_contain_text("red 2, yellow 1, blue 1")
    page.locator(".tile-bar").get_by_role("button", name=answer).click()
    expect(page.locator(".piece-shape")).to_have_count(left + 1)
    expect(page.locator(".piece-shape.doubtful")).to_have_count(asked)
    if asked:
        expect(page.locator(".tile-bar")).to_contain_text("Which color is this?")
    else:
        expect(page.locator(".doubts")).to_have_count(0)


@pytest.mark.size("phone")
def test_what_was_touched_stays_touched_while_other_tiles_move(page: Page, served: Served, table: FakeTable) -> None:
    open_table(page, served)
    line = page.locator("#player-0 .line", has_text="blue").first
    words = line.locator(".line-words span").first.inner_text()
    line.click()
    table.lay({**SCENE, "A": ["red", "red", "blue", "green"]})
    expect(page.locator(".piece-shape")).to_have_count(8)
    expect(page.locator("#player-0 .line.on .line-words span").first).to_have_text(words)
    page.locator(".piece-shape").first.click()
    expect(page.locator(".tile-bar")).to_contain_text("red, A")
    table.lay({**SCENE, "B": ["green"]})
    expect(page.locator(".piece-shape")).to_have_count(4)
    expect(page.locator(".tile-bar")).to_contain_text("red, A")
    table.lay({"A": [], "B": ["green"]})
    expect(page.locator(".piece-shape")).to_have_count(1)
    expect(page.locator(".tile-bar")).to_have_count(0)


@pytest.mark.size("laptop")
def test_two_players_do_not_get_one_name(page: Page, served: Served) -> None:
    open_table(page, served)
    page.locator('[data-key="more-1"]').click()
    page.locator('dialog [data-key="name"]').fill("A")
    page.locator('dialog [data-key="name"]').blur()
    expect(page.locator("dialog").get_by_role("alert")).to_contain_text("Another player is called A already")
    expect(page.locator('dialog [data-key="name"]')).to_have_value("B")


@pytest.mark.size("phone")
def test_what_is_no_tile_goes_and_comes_back(page: Page, served: Served) -> None:
    open_table(page, served)
    page.locator(".piece-shape").nth(0).click()
    page.get_by_role("button", name="This is no tile").click()
    expect(page.locator(".piece-shape")).to_have_count(6)
    page.locator(".gone").click()
    page.locator(".tile-bar").get_by_role("button", name="red", exact=True).click()
    expect(page.locator(".piece-shape")).to_have_count(7)


@pytest.mark.size("phone")
def test_waiting_and_a_lost_camera_are_said_and_the_score_stays(page: Page, served: Served, table: FakeTable) -> None:
    open_table(page, served)
    before = points(page, "A")
    table.hand()
    expect(page.locator(".banner.waiting")).to_have_text(re.compile("Something is moving *The last score stays"))
    table.lose("source.frozen")
    expect(page.get_by_role("alert")).to_contain_text("The last score stays.")
    expect(page.get_by_role("alert")).to_contain_text("camera 0")
    assert points(page, "A") == before
    table.find()
    table.lay({**SCENE, "A": ["red"] * 6})
    expect(page.locator(".banner.resting")).to_be_visible()
    expect(total(page, "A")).not_to_have_text(shown(before))


@pytest.mark.size("laptop")
def test_every_state_can_be_looked_at_again(page: Page, served: Served, table: FakeTable) -> None:
    open_table(page, served)
    before = points(page, "A")
    table.lay({**SCENE, "A": ["red"] * 5})
    expect(page.locator(".piece-shape")).to_have_count(9)
    after = points(page, "A")
    page.get_by_role("button", name="One state earlier").click()
    expect(page.locator(".banner.past")).to_be_visible()
    expect(page.locator(".piece-shape")).to_have_count(7)
    expect(total(page, "A")).to_have_text(shown(before))
    expect(page.locator(".live-img")).to_have_attribute("src", re.compile("/photos/"))
    table.lay({**SCENE, "A": ["red"] * 4})
    expect(page.locator(".slider output")).to_contain_text("State 1 of 3")
    expect(page.locator(".piece-shape")).to_have_count(7)
    page.get_by_role("button", name="Back to now").click()
    expect(page.locator(".piece-shape")).to_have_count(8)
    assert points(page, "A") != after or before != after
    expect(page.locator(".curve")).to_have_count(2)


@pytest.mark.size("phone")
def test_what_cannot_be_seen_is_entered_beside_the_player(page: Page, served: Served) -> None:
    open_table(page, served, {"A": ["red", "rainbow"], "B": ["blue"]})
    before = points(page, "B")
    page.get_by_role("button", name="B: one chip point more").click()
    expect(total(page, "B")).to_have_text(shown(before + 1))
    page.locator('[data-key="more-0"]').click()
    dialog = page.get_by_role("dialog")
    expect(dialog.locator(".switch").first).to_have_attribute("aria-pressed", "true")
    best = points(page, "A")
    worse = dialog.locator(".switch", has=page.locator(".difference.down")).first
    by = int(worse.locator(".difference").inner_text().replace("−", "-"))
    worse.click()
    expect(total(page, "A")).to_have_text(shown(best + by))
    dialog.get_by_role("combobox", name="Name").fill("Aki")
    dialog.get_by_role("combobox", name="Name").press("Tab")
    expect(total(page, "Aki")).to_be_visible()
    dialog.get_by_role("button", name="Take back: choices").click()
    expect(total(page, "Aki")).to_have_text(shown(best))
    page.keyboard.press("Escape")
    page.reload()
    expect(total(page, "Aki")).to_have_text(shown(best))


@pytest.mark.size("laptop")
def test_a_name_half_typed_stays_while_the_table_settles_anew(page: Page, served: Served) -> None:
    open_table(page, served, {"A": ["red"], "B": ["blue"]})
    page.locator('[data-key="more-0"]').click()
    name = page.get_by_role("dialog").get_by_role("combobox", name="Name")
    name.fill("Ak")
    before = points(page, "A")
    served.table.lay({"A": ["red", "rainbow"], "B": ["blue"]})
    expect(total(page, "A")).not_to_have_text(shown(before))
    name.press_sequentially("i")
    name.press("Tab")
    expect(total(page, "Aki")).to_be_visible()


@pytest.mark.size("phone")
def test_another_rule_counts_anew_and_the_game_goes_on_by_tapping(page: Page, served: Served) -> None:
    open_table(page, served, {**SCENE, "dungeon": ["red"] * 5})  # with A's, all that the box has
    page.locator('[data-key="table-entries"]').click()
    page.get_by_role("dialog").locator('[data-key="rule-1"]').click()
    expect(page.locator('[data-key="table-entries"]')).to_contain_text("Rule 1")
    page.keyboard.press("Escape")
    before = points(page, "A")
    page.get_by_role("button", name="Open for tapping").click()
    expect(page.locator(".rank-total").first).to_have_text(shown(before))
    page.locator('[data-key="gems-red-add"]').click()  # one of the dungeon's
    expect(total(page, "A")).not_to_have_text(shown(before))
    expect(page.locator(".unfinished, .asked")).to_have_count(0)
    gone_on = points(page, "A")

    def kept() -> bool:
        return "/evenings/games/" in page.request.get(f"{served.address}/evenings/").text()

    page.wait_for_timeout(500)
    assert not kept()  # it is the table's game
    page.locator('[data-key="back-to-photo"]').click()
    page.wait_for_url(re.compile(r"/live/\w+$"))
    expect(total(page, "A")).to_have_text(shown(gone_on))
    assert not kept()
    page.go_back()
    expect(page).to_have_url(re.compile(r"/live/"))  # not to the case, which is the table's now


def begin_area(page: Page, served: Served) -> None:
    """A table without areas, and an area for A begun."""
    served.table.lay(SCENE)
    page.goto(f"{served.address}/live/")
    page.locator("[name=layout]").select_option("drawn")
    page.get_by_role("button", name="Follow the table").click()
    page.locator('[data-key="zones"]').click()
    page.locator('[data-key="zone-A"]').click()


def test_areas_are_dragged_on_the_picture_and_saved(page: Page, served: Served) -> None:
    begin_area(page, served)
    handle = page.locator(".zone-handle").nth(2)
    handle.scroll_into_view_if_needed()
    box = handle.bounding_box()
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x + 40, y + 30, steps=4)
    page.mouse.up()
    page.get_by_role("button", name="Save the areas").click()
    expect(page.locator(".zone-overlay")).to_have_count(0)
    saved = TableProfile.load(next((services_of(served.app).store.tables).glob("*.json")))
    polygon = saved.zones["A"].polygon
    frame = page.locator(".frame").bounding_box()
    assert polygon[2][0] - polygon[1][0] == pytest.approx(40 * 640 / frame["width"], abs=3)
    assert polygon[2][1] - polygon[3][1] == pytest.approx(30 * 360 / frame["height"], abs=3)


@pytest.mark.size("phone")
def test_no_area_is_drawn_before_the_picture_in_which_it_lies(page: Page, served: Served) -> None:
    served.table.lay(SCENE)
    served.table.hand()  # a table at rest tells its size without a picture
    page.route(PICTURE, lambda route: route.abort())
    page.goto(f"{served.address}/live/")
    page.locator("[name=layout]").select_option("drawn")
    page.get_by_role("button", name="Follow the table").click()
    expect(page.locator(".banner.waiting")).not_to_contain_text("stays")  # there is none yet
    page.locator('[data-key="zones"]').click()
    expect(page.locator('[data-key="zone-A"]')).to_be_disabled()
    page.unroute(PICTURE)
    page.locator('[data-key="zone-A"]').click()
    expect(page.locator(".zone-overlay")).to_have_attribute("viewBox", "0 0 640 360")


@pytest.mark.size("laptop")
def test_an_area_keeps_its_shape_at_the_edge(page: Page, served: Served) -> None:
    begin_area(page, served)
    body = page.locator(".zone-body").first
    body.scroll_into_view_if_needed()
    before = body.bounding_box()
    x, y = before["x"] + before["width"] / 2, before["y"] + before["height"] / 2
    page.mouse.move(x, y)
    page.mouse.down()
    for step in (-400, 0):
        page.mouse.move(x + step, y, steps=5)
    page.mouse.up()
    after = body.bounding_box()
    assert after["width"] == pytest.approx(before["width"], abs=2)
    assert after["height"] == pytest.approx(before["height"], abs=2)


@pytest.mark.size("laptop")
def test_from_a_chair_and_with_four_players(page: Page, tmp_path: Path) -> None:
    zones = {name: Zone((4 * i, 4 * i + 1, 4 * i + 2, 4 * i + 3), (300, 150)) for i, name in enumerate("ABCD")}
    served = Served(tmp_path / "four", TableProfile("demo", rule=8, zones=zones))
    try:
        open_table(page, served, {"A": ["red"], "B": ["blue", "blue"], "C": ["gold"], "D": ["green"]})
        assert fits(page)
        size = "parseFloat(getComputedStyle(document.querySelector('.rank-total')).fontSize)"
        before = page.evaluate(size)
        page.get_by_role("button", name="Big letters").click()
        expect(page.locator("html")).to_have_class(re.compile("from-a-chair"))
        assert page.evaluate(size) > 1.4 * before
        assert fits(page)
        expect(page.locator(".rank")).to_have_count(4)
        page.keyboard.press("Escape")
        expect(page.locator("html")).not_to_have_class(re.compile("from-a-chair"))
    finally:
        served.close()


@pytest.mark.size("phone")
def test_a_page_without_events_asks_and_one_without_a_companion_says_so(page: Page, served: Served) -> None:
    streams = services_of(served.app).tables.streams
    while streams.acquire(blocking=False):
        pass
    open_table(page, served)
    before = points(page, "A")
    served.table.lay({**SCENE, "A": ["red"] * 5})
    expect(total(page, "A")).not_to_have_text(shown(before))
    page.context.set_offline(True)
    expect(page.get_by_role("alert")).to_contain_text("does not answer")
    page.context.set_offline(False)
    expect(page.locator(".banner.resting")).to_be_visible()


@pytest.mark.size("laptop")
@pytest.mark.parametrize("rule", [3, 11])
def test_undo_and_redo_stand_in_one_row(page: Page, tmp_path: Path, rule: int) -> None:
    served = Served(tmp_path / "ruled", replace(PROFILE, rule=rule))
    open_table(page, served)
    split = []
    tops = "['undo', 'redo'].map((key) => document.querySelector(`[data-key=${key}]`).getBoundingClientRect().y)"
    for width in range(400, 1400, 23):
        page.set_viewport_size({"width": width, "height": 768})
        undo, redo = page.evaluate(tops)
        if undo != redo:
            split.append(width)
    served.close()
    assert not split


@pytest.mark.size("phone")
def test_only_what_was_taken_back_is_said_to_be(page: Page, served: Served) -> None:
    open_table(page, served)
    page.locator('[data-key="chips-0-1"]').click()
    undo = page.locator('[data-key="undo"]')
    expect(undo).to_be_enabled()
    page.route("**/undo", lambda route: route.abort())
    undo.click()
    expect(page.get_by_role("alert")).to_contain_text("cannot be reached")
    expect(page.locator(".toast")).to_have_count(0)
    page.unroute("**/undo")
    undo.click()
    expect(page.locator(".toast")).to_contain_text("Taken back")


@pytest.mark.size("phone")
def test_stopped_and_followed_again_on_all_devices(page: Page, served: Served) -> None:
    open_table(page, served)
    other = page.context.new_page()
    other.goto(page.url)
    page.get_by_role("button", name="Stop").click()
    late = page.context.new_page()
    late.goto(page.url)
    for one in (page, other, late):
        expect(one.locator(".banner.calm")).to_contain_text("no longer followed")
    page.get_by_role("button", name="Follow it again").click()
    for one in (page, other, late):
        expect(one.locator(".banner.resting")).to_be_visible()
        expect(one.locator(".piece-shape")).to_have_count(7)


@pytest.mark.size("phone")
def test_a_companion_that_was_started_anew_offers_to_go_on(page: Page, served: Served) -> None:
    streams = services_of(served.app).tables.streams
    while streams.acquire(blocking=False):
        pass
    open_table(page, served)
    before = points(page, "A")
    # The page is away while the table is stopped: it comes back to a companion that follows nothing.
    page.context.set_offline(True)
    expect(page.get_by_role("alert")).to_contain_text("does not answer", timeout=15_000)
    page.locator('[data-key="chips-0-1"]').click()
    services_of(served.app).tables.stop()
    page.context.set_offline(False)
    again = page.get_by_role("button", name="Follow it again")
    expect(again).to_be_visible(timeout=15_000)
    assert points(page, "A") == before
    page.wait_for_timeout(3500)  # what was entered meanwhile was sent, and refused
    again.click()
    expect(total(page, "A")).to_have_text(shown(before + 1))


SLOW = """const quick = window.fetch;
window.fetch = async (...all) => {
  if (`${all[0]}`.endsWith("/entries")) await new Promise((done) => setTimeout(done, 150));
  return quick(...all);
};"""


@pytest.mark.size("phone")
def test_fast_taps_on_chips_all_count(page: Page, served: Served) -> None:
    page.add_init_script(SLOW)
    open_table(page, served)
    before = points(page, "B")
    page.get_by_role("button", name="B: one chip point less").evaluate("button => button.click()")
    for _ in range(5):
        page.get_by_role("button", name="B: one chip point more").evaluate("button => button.click()")
    expect(page.locator("#player-1 .chip-count output")).to_have_text("4")
    expect(total(page, "B")).to_have_text(shown(before + 4))
    page.reload()
    expect(page.locator("#player-1 .chip-count output")).to_have_text("4")


@pytest.mark.size("phone")
def test_a_key_stays_under_the_finger_while_lines_come_and_go(page: Page, served: Served) -> None:
    open_table(page, served)
    page.get_by_role("button", name="A: one chip point more").scroll_into_view_if_needed()
    lines = page.locator("#player-0 .line").count()
    key = """document.querySelector('[data-key="chips-0-1"]')"""  # looked up anew: it may be drawn anew meanwhile
    at = page.evaluate(
        f"""() => {{
            {key}.dispatchEvent(new PointerEvent("pointerdown", {{ bubbles: true }}));
            const {{ y }} = {key}.getBoundingClientRect();
            {key}.click();
            return y;
        }}"""
    )
    expect(page.locator("#player-0 .line")).to_have_count(lines + 1)
    assert abs(page.evaluate(f"{key}.getBoundingClientRect().y") - at) < 2


@pytest.mark.size("phone")
def test_tiles_on_a_border_are_said_once_lit_and_checked(page: Page, served: Served) -> None:
    open_table(page, served, {"A": ["red", "red|", "green|"], "B": ["blue"]})
    note = page.locator(".note-tiles")
    expect(note).to_have_count(1)
    expect(note).to_contain_text("2 tiles lie on the border of A: red, green")
    note.click()
    expect(page.locator(".piece-shape.lit")).to_have_count(2)
    note.click()
    expect(page.locator(".piece-shape.lit")).to_have_count(0)
    page.get_by_role("button", name="2 pieces to check").click()
    expect(page.locator(".tile-bar")).to_contain_text("on the border of A; it counts for A")
    page.locator(".tile-bar").get_by_role("button", name="red", exact=True).click()
    expect(note).to_contain_text("1 tile lies on the border of A: green")


@pytest.mark.size("phone")
def test_a_finger_need_not_hit_the_tile_itself(page: Page, served: Served) -> None:
    open_table(page, served)
    last = page.locator(".piece-shape").nth(2).locator(".shape").bounding_box()
    middle = last["y"] + last["height"] / 2
    page.mouse.click(last["x"] + last["width"] + 12, middle)
    expect(page.locator(".tile-bar")).to_contain_text("blue, A")
    page.mouse.click(last["x"] + last["width"] + 40, middle)
    expect(page.locator(".tile-bar")).to_have_count(0)


@pytest.mark.size("laptop")
def test_a_table_without_a_rule_asks_for_it(page: Page, tmp_path: Path) -> None:
    served = Served(tmp_path / "none", TableProfile("demo", zones=PROFILE.zones))
    try:
        open_table(page, served, {"A": ["red", "red", "red"], "B": ["blue"]})
        expect(page.locator(".lack")).to_contain_text("Which rule sheet is in play?")
        page.locator('[data-key="choose-rule"]').click()
        dialog = page.get_by_role("dialog")
        expect(dialog.locator(".rule-key")).to_have_count(20)
        expect(dialog.locator('.rule-key[aria-pressed="true"]')).to_have_count(0)
        dialog.locator('[data-key="rule-8"]').click()
        expect(dialog.locator('.rule-key[aria-pressed="true"]')).to_have_text("8")
        page.keyboard.press("Escape")
        expect(page.locator(".lack")).to_have_count(0)
        expect(total(page, "A")).to_have_text("2")
    finally:
        served.close()


@pytest.mark.size("phone")
def test_a_table_without_areas_asks_for_them_and_learns_no_colors(page: Page, served: Served) -> None:
    served.table.lay({"A": ["red"]})
    page.goto(f"{served.address}/live/")
    page.locator("[name=layout]").select_option("drawn")
    page.get_by_role("button", name="Follow the table").click()
    expect(page.locator(".lack")).to_contain_text("No long row of gems is found yet")
    expect(page.locator('[data-key="colors"]')).to_have_count(0)
    page.locator('[data-key="draw-areas"]').click()
    expect(page.locator(".zones-bar")).to_be_visible()
    expect(page.locator(".lack")).to_have_count(0)
    page.locator('[data-key="white"]').click()
    page.locator(".zone-overlay").click(position={"x": 250, "y": 200})
    expect(page.locator('[data-key="white-forget"]')).to_be_visible()
    page.goto(f"{page.url}/colors")
    expect(page.locator(".message[role=status]")).to_contain_text("printed area")
    expect(page.locator("#look")).to_be_disabled()


@pytest.mark.size("laptop")
def test_the_game_of_the_shelf_is_the_game_that_starts(page: Page, served: Served) -> None:
    tables = services_of(served.app).tables
    tables.save(TableProfile.from_json({"name": "evening", "rule": 8, "zones": {}}))
    page.goto(served.address)
    page.locator("summary", has_text="Splendor").click()
    page.get_by_role("link", name="Follow with a camera").click()
    expect(page.locator("#as-saved")).to_have_js_property("hidden", True)
    page.locator("[name=layout]").select_option("drawn")
    page.get_by_role("button", name="Follow the table").click()
    page.get_by_role("region", name="Set up the table").get_by_role("button", name="2", exact=True).click()
    expect(page.locator('[data-key="draw-areas"]')).to_be_visible()
    assert tables.now.profile.game == "splendor"
    page.goto(f"{served.address}/live/")
    page.locator("[name=game]").select_option("splendor")
    expect(page.locator("#as-saved")).to_have_js_property("hidden", True)
    page.locator("[name=game]").select_option("twelve-seekers")
    expect(page.locator("#as-saved")).to_have_js_property("hidden", False)


@pytest.mark.parametrize("language", ["English", "日本語"])
def test_with_a_saved_table_the_key_that_begins_is_in_sight(page: Page, served: Served, language: str) -> None:
    tables = services_of(served.app).tables
    tables.save(TableProfile.from_json({"name": "evening", "rule": 8, "zones": {}}))
    page.goto(f"{served.address}/live/?game=twelve-seekers")
    if (switch := page.get_by_role("button", name=language)).count():
        switch.click()
    expect(page.locator("html")).to_have_attribute("lang", "en" if language == "English" else "ja")
    expect(page.locator("[name=profile]")).to_be_visible()
    expect(page.locator("#start .main-action")).to_be_in_viewport(ratio=1)
    assert fits(page)


@pytest.mark.size("phone")
@pytest.mark.parametrize(("chosen", "rule"), [(None, 8), ("3", 3), ("", None)])
def test_a_saved_table_comes_with_its_rule_sheet_and_another_can_be_chosen(
    page: Page, served: Served, chosen: str | None, rule: int | None
) -> None:
    tables = services_of(served.app).tables
    tables.save(TableProfile.from_json({"name": "evening", "rule": 8, "zones": {}}))
    page.goto(f"{served.address}/live/?game=twelve-seekers")
    expect(page.locator("[name=layout]")).to_have_value("saved")
    field = page.locator("[name=rule]")
    expect(field).to_have_value("8")
    if chosen is not None:
        field.select_option(chosen)
    page.get_by_role("button", name="Follow the table").click()
    expect(page).to_have_url(re.compile(r"/live/[0-9a-f]{16}"))
    assert tables.now.profile.rule == rule


@pytest.mark.size("phone")
def test_a_photo_of_a_table_is_one_screen_away(page: Page, served: Served, tmp_path: Path) -> None:
    page.goto(f"{served.address}/live/?game=splendor&way=photo")
    expect(page.get_by_role("button", name="Open its page")).to_be_in_viewport(ratio=1)
    page.locator("[name=layout]").select_option("mats")
    page.locator("summary", has_text="A, B, C, D").click()
    page.locator(".zone-box:visible", has_text="D").first.click()
    expect(page.locator("#mats")).to_have_text("A, B, C, A4")
    layout = tmp_path / "layout.json"
    layout.write_text('{"name": "Ours", "game": "splendor", "zones": {}}')
    page.locator("[data-take]").set_input_files(layout)
    expect(page.locator("#as-saved")).to_have_js_property("hidden", False)
    page.get_by_role("button", name="Open its page").click()
    page.wait_for_url(re.compile(r"/live/[0-9a-f]{16}$"))
    expect(page.get_by_role("button", name="Take a photo")).to_be_visible()


@pytest.mark.size("laptop")
def test_each_photo_that_another_device_takes_is_shown(page: Page, served: Served) -> None:
    layout = {"name": "evening", "rule": 8, "zones": {"A": {"markers": [0, 1, 2, 3]}, "B": {"markers": [4, 5, 6, 7]}}}
    (services_of(served.app).store.tables / "evening.json").write_text(json.dumps(layout))
    phone = Acting(served.app.test_client())
    at = phone.post("/api/live/start", {"source": "photos", "profile": "evening"}).json["table"]
    page.goto(f"{served.address}/live/{at}")
    for red in (1, 2):
        served.table.lay({"A": ["red"] * red, "B": []})
        told = phone.send(f"/api/live/{at}/photos", served.table.photo()).json
        expect(page.locator(".piece-shape")).to_have_count(red)
        expect(page.locator(".live-img")).to_have_attribute("src", f"/photos/{told['rows'][-1]['photo']}.jpg")


@pytest.mark.size("phone")
def test_a_table_by_photos_stops_no_followed_one_and_is_there_again_with_its_points(
    page: Page, served: Served, table: FakeTable
) -> None:
    open_table(page, served)
    before = points(page, "A")
    layout = {"name": "photos", "rule": 8, "zones": {"A": {"markers": [0, 1, 2, 3]}, "B": {"markers": [4, 5, 6, 7]}}}
    (services_of(served.app).store.tables / "photos.json").write_text(json.dumps(layout))
    phone = Acting(served.app.test_client())
    at = phone.post("/api/live/start", {"source": "photos", "profile": "photos"}).json["table"]
    table.lay({"A": ["red"] * 6, "B": []})
    brought = {"name": "table.jpg", "mimeType": "image/jpeg", "buffer": table.photo()}
    second = page.context.new_page()
    second.goto(f"{served.address}/live/{at}")
    second.locator("#files").set_input_files(brought)
    expect(second.locator(".piece-shape")).to_have_count(6)
    photographed = points(second, "A")
    expect(page.locator(".piece-shape")).to_have_count(6)  # the followed one has seen it, too
    assert points(page, "A") == photographed != before

    services_of(served.app).tables.stop(at)
    second.reload()
    expect(total(second, "A")).to_have_text(shown(photographed))
    expect(second.get_by_text("The score as the last photo shows the table")).to_be_visible()
    expect(second.get_by_role("button", name="Follow it again")).to_have_count(0)
    table.lay({"A": ["red"] * 2, "B": []})
    second.locator("#files").set_input_files(brought | {"buffer": table.photo()})
    expect(second.locator(".piece-shape")).to_have_count(2)


@pytest.mark.size("phone")
def test_a_table_forgotten_elsewhere_says_so(page: Page, served: Served) -> None:
    open_table(page, served)
    other = page.context.new_page()
    other.on("dialog", lambda dialog: dialog.accept())
    other.goto(f"{served.address}/live/")
    other.locator("[data-forget]").click()
    expect(other.locator("[data-forget]")).to_have_count(0)
    expect(page.locator(".gone-table")).to_contain_text("This table was deleted")
    page.get_by_role("link", name="To the live tables").click()
    expect(page.get_by_role("button", name="Follow the table")).to_be_visible()


@pytest.mark.size("laptop")
def test_another_game_breaks_the_chart_and_clears_the_picture(page: Page, served: Served, table: FakeTable) -> None:
    open_table(page, served)
    before = points(page, "A")
    table.hand()
    table.begin_anew()
    expect(page.locator(".banner.waiting")).to_contain_text("A new game begins")
    expect(page.locator(".overlay > g").first).to_have_css("opacity", "0")
    assert points(page, "A") == before
    table.lay({"A": ["red"], "B": []})
    expect(page.locator(".piece-shape")).to_have_count(1)
    expect(page.locator(".chart .break")).to_have_count(1)
    expect(page.locator(".moved")).to_have_count(0)
    expect(page.locator(".overlay > g").first).to_have_css("opacity", "1")
    page.goto(f"{page.url}?row=0")  # as the list of evenings leads to the game before
    expect(page.locator(".banner")).to_contain_text("Looking back")
    assert points(page, "A") == before


@pytest.mark.parametrize("high", [768, 950])
def test_nothing_covers_how_it_went(page: Page, served: Served, high: int) -> None:
    if page.viewport_size["width"] < 900:
        pytest.skip("on a phone the picture is meant to stay")
    page.set_viewport_size({"width": 1366, "height": high})
    open_table(page, served, {"A": ["red", "blue", "green", "yellow", "purple", "red"], "B": ["blue"] * 5})
    page.evaluate("scrollTo(0, document.documentElement.scrollHeight)")
    seen = """selector => { const box = document.querySelector(selector).getBoundingClientRect();
        return Boolean(document.elementFromPoint(box.x + box.width / 2, box.y + 4)?.closest(".history")); }"""
    assert page.evaluate(seen, ".history h2")
    assert page.evaluate(seen, ".history .chart")


@pytest.mark.size("phone")
def test_japanese(page: Page, served: Served) -> None:
    open_table(page, served)
    page.get_by_role("button", name="日本語").click()
    expect(page.locator(".banner")).to_contain_text("テーブルは静止しています")
    expect(page.locator(".piece-shape").first).to_have_attribute("aria-label", "Aの赤")
    assert fits(page)


@pytest.mark.size("laptop")
def test_the_demo_itself_plays(page: Page, address: str) -> None:
    """The companion as it is started: drawn table, cameraless, read by the networks. Slow machines may take a while."""
    if page.viewport_size["width"] < 900:
        pytest.skip("once is enough")
    page.goto(address)
    page.get_by_text("Watch a demo").click()
    page.locator(".demos").get_by_role("link", name="Twelve Seekers").click()
    expect(page.locator(".rank-total").first).to_be_visible(timeout=90_000)
    assert page.locator(".piece-shape").count() > 12
    shown = page.locator(".slider output").inner_text()
    expect(page.locator(".slider output")).not_to_have_text(shown, timeout=90_000)
    page.get_by_role("button", name="Stop").click()
    expect(page.locator(".banner.calm")).to_be_visible()


@pytest.mark.size("phone")
def test_areas_are_proposed_from_the_cards_and_taken_with_one_tap(page: Page, tmp_path: Path) -> None:
    market = {"kind": "development", "bonus": "red"}
    cards = [face(150 + 40 * k, 50 + 60 * (3 - n), **market, level=n) for n in (1, 2, 3) for k in range(4)]
    mine, hers = face(60, 320, **market, level=1, points=1), face(500, 320, **market, level=2, points=2)
    served = Served(tmp_path, TableProfile("mine", "splendor"))
    try:
        served.table.lay({}, cards, [Message("card.coarse", {"n": 31, "least": 45})])
        page.goto(f"{served.address}/live/?game=splendor")
        page.locator("[name=layout]").select_option("drawn")
        page.get_by_role("button", name="Follow the table").click()
        expect(page.locator('[data-key="draw-areas"]')).to_have_count(0)
        expect(page.locator(".set-up")).to_contain_text("Market found. How many play?")  # and nothing is guessed
        page.locator('[data-key="play-2"]').click()
        expect(page.locator(".set-up")).to_contain_text("Are these the areas? Market, A, B")
        expect(page.locator(".set-up .checks .fits")).to_have_count(2)  # twelve cards, empty places
        page.locator('[data-key="change-areas"]').click()
        page.locator('[data-key="zones-cancel"]').click()
        expect(page.locator(".lack").first).to_contain_text("cards are only 31 pixels wide, 45 are needed: bring")
        served.table.lay({}, [*cards, mine, hers])
        page.reload()
        expect(page.locator(".set-up")).to_contain_text("Are these the areas? Market, A, B")
        expect(page.locator(".zone.proposed")).to_have_count(3)
        expect(page.locator(".rank")).to_have_count(0)  # nothing counts by a proposal
        assert fits(page)
        page.locator('[data-key="change-areas"]').click()
        expect(page.locator(".zone-shape")).to_have_count(3)
        page.locator('[data-key="name-B"]').select_option("C")
        expect(page.locator('.zone-shape[data-zone="C"]')).to_have_count(1)
        page.locator('[data-key="propose-2"]').click()
        page.locator('[data-key="zones-cancel"]').click()
        with page.expect_response("**/zones"):
            page.locator('[data-key="take-areas"]').click()
        [profile] = services_of(served.app).tables.profiles()
        assert sorted(profile["zones"]) == ["A", "B", "market"]
    finally:
        served.close()


def face(x: float, y: float, **card: Any) -> Card:
    """A card known by its face."""
    return Card(None, card, None, np.array([[-18, -25], [18, -25], [18, 25], [-18, 25]]) + np.array([x, y]))
