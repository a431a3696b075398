"""Photo in, correction, score out: on a phone and on a laptop, in a real browser."""

from __future__ import annotations

import base64
import json
import re
from pathlib import Path

import cv2
import demo_sheets as demo
import numpy as np
import pytest
from PIL import Image, ImageDraw
from playwright.sync_api import Page, Route, expect

from companion.cases.store import Store

ESCAPED_FIRST = ".escape-row:first-of-type .key >> nth=0"
"""The key that says of the first player: escaped first."""

SHEETS: dict[str, str] = {}
"""The demo's sheet at each address, once it is enrolled."""


@pytest.fixture
def photos(tmp_path: Path) -> list[Path]:
    paths = [tmp_path / f"sheet-{player}.jpg" for player in range(2)]
    for player, path in enumerate(paths):
        cv2.imwrite(str(path), demo.filled_photo(player=player)[0])
    return paths


def send(page: Page, address: str, data: object = None) -> dict:
    headers = {"Content-Type": "application/json", "X-Companion": "1"}
    answer = page.request.post(address, data=json.dumps(data or {}), headers=headers)
    assert answer.ok, answer.text()
    return answer.json()


def open_demo(page: Page, address: str, own: bool = False) -> None:
    """A scored demo sheet, made by the pages' requests (the first test goes their way); `own`: no other test's."""
    api = f"{address}/api/in-the-ruin"
    sheet = None if own else SHEETS.get(address)
    if sheet is None:
        draft = send(page, f"{api}/sheets/photo?demo=1")
        sheet = send(page, f"{api}/sheets/drafts/{draft['id']}/save")["sheet"]
    if not own:
        SHEETS[address] = sheet
    play = send(page, f"{api}/plays", {"sheet": sheet, "demo": True})["play"]
    page.goto(f"{address}/in-the-ruin/plays/{play}")
    expect(page.locator("#total")).to_be_visible(timeout=60_000)


def total(page: Page) -> int:
    return int(page.locator("#total").inner_text().replace("−", "-"))


def expect_total(page: Page, points: int) -> None:
    expect(page.locator("#total")).to_have_text(f"{points}".replace("-", "−"))


def tab(page: Page, name: str) -> None:
    """On a phone, show a tab below the map; on a laptop all stand side by side."""
    key = page.locator(f'[data-key="tab-{name}"]')
    if key.is_visible():
        key.click()


def topic(page: Page, name: str) -> None:
    """On a low phone, or with many players, show one kind of question; elsewhere all stand there."""
    key = page.locator(f'[data-key="topic-{name}"]')
    if key.is_visible():
        key.click()


def unfold(page: Page, name: str) -> None:
    """On a phone, open what is folded so that its screen is one."""
    key = page.locator(f'[data-key="fold-{name}"]')
    if key.count():
        key.click()


def tool(page: Page, key: str) -> None:
    """What can be done to the shown sheet; a phone has it behind one button."""
    tab(page, "photo")
    menu = page.locator('[data-key="tools"]')
    if menu.is_visible():
        menu.click()
    page.locator(f'[data-key="{key}"]').click()


def cell(page: Page, row: int, col: int) -> object:
    return page.locator(f'[data-key="cell-{row},{col}"]')


def fits(page: Page) -> bool:
    """Whether nothing sticks out sideways."""
    return page.evaluate("document.documentElement.scrollWidth <= document.documentElement.clientWidth")


def test_demo_sheet_to_the_score(page: Page, address: str) -> None:
    page.goto(f"{address}/in-the-ruin/")
    page.get_by_role("link", name="Try the demo sheet").click()
    expect(page.get_by_text("24 letters")).to_be_visible(timeout=60_000)
    page.get_by_role("button", name="Save and read a filled sheet").click()
    expect(page.locator("#total")).to_be_visible(timeout=60_000)
    assert fits(page)
    lines = page.locator(".points .line-points").all_inner_texts()
    assert sum(int(points.replace("−", "-")) for points in lines) == total(page)
    expect(page.locator(".rank")).to_have_count(3)  # two players, and the button for another


@pytest.mark.size("phone")
def test_a_filled_sheet_is_tried_before_the_blank_one_is_saved(page: Page, address: str, photos: list[Path]) -> None:
    blank = photos[0].with_name("blank.jpg")
    cv2.imwrite(str(blank), demo.blank_photo())
    page.goto(f"{address}/in-the-ruin/sheets/new")
    page.locator("#file").set_input_files(blank)
    expect(page.get_by_text("24 letters")).to_be_visible(timeout=60_000)
    page.locator("#try").set_input_files(photos[0])
    told = page.locator("section.card", has_text="Try it on a filled sheet").locator(".facts")
    expect(told).to_have_text(re.compile("would be asked about|read surely"), timeout=60_000)
    assert fits(page)
    page.get_by_role("button", name="Save and start a game").click()
    expect(page).to_have_url(re.compile("/plays/"))


def test_a_line_lights_its_cells_and_a_cell_its_lines(page: Page, address: str) -> None:
    open_demo(page, address)
    square = page.locator(".points .line", has_text="Square bonus, second stage")
    points = int(square.locator(".line-points").inner_text())
    square.click()
    expect(page.locator(".view.flat .lit")).to_have_count(points)
    expect(square).to_have_attribute("aria-pressed", "true")
    view = page.evaluate("() => JSON.parse(document.getElementById('view').textContent)")
    *_, row, col = view["case"]["answer"]["players"][0]["lines"][1]["because"][0].split("/")
    words = cell(page, row, col).get_attribute("aria-label")
    cell(page, row, col).click()
    expect(square).to_have_class(re.compile(r"\bcounted\b"))
    expect(page.locator(".cell-bar")).to_contain_text("Square bonus, second stage")
    page.wait_for_function(  # its keys lie under nothing
        """() => { const { x, y, width, height } = document.querySelector(".cell-keys").getBoundingClientRect();
                   return document.elementFromPoint(x + width / 2, y + height / 2)?.closest(".cell-keys"); }"""
    )
    expect(cell(page, row, col)).to_have_attribute("aria-label", words)  # a tap looks, it changes nothing


def test_a_photo_a_correction_and_the_score(page: Page, address: str, photos: list[Path]) -> None:
    open_demo(page, address)
    expect(page.locator(".rank")).to_have_count(3)
    page.locator("#files").set_input_files(photos[0])
    expect(page.locator(".rank.on")).to_contain_text("Player 3", timeout=60_000)
    before = total(page)
    words = cell(page, 6, 9).get_attribute("aria-label")
    cell(page, 6, 9).click()
    page.locator('[data-key="value-passage"]').click()
    expect(cell(page, 6, 9)).not_to_have_attribute("aria-label", words)
    expect(cell(page, 6, 9)).to_have_attribute("aria-label", "Row 7, column 10, letter P, passage, entered by you")
    tab(page, "questions")
    topic(page, "first")
    page.get_by_role("button", name="Gems: one more").click()
    expect_total(page, before + 10)
    page.reload()
    expect(page.locator(".rank")).to_have_count(4)
    expect(cell(page, 6, 9)).to_have_attribute("aria-label", re.compile("entered by you"))  # still the same player
    page.locator(".rank:not(.on):not(.more)").first.click()
    expect(cell(page, 6, 9)).not_to_have_attribute("aria-label", re.compile("entered"))  # another's is untouched


def test_goals_escape_and_first_square_in_a_few_taps(page: Page, address: str) -> None:
    open_demo(page, address)
    before = total(page)
    tab(page, "questions")
    page.locator(ESCAPED_FIRST).click()
    expect_total(page, before + 50)
    page.locator('[data-key="first-square"]').fill("21")
    page.locator('[data-key="first-square"]').press("Enter")
    expect_total(page, before + 71)
    tab(page, "questions")
    keys = page.locator('[data-key="letter-A"]').bounding_box()
    page.locator('[data-key="letter-A"]').click()
    page.locator('[data-key="letter-C"]').click()
    expect(page.locator(".chip")).to_have_count(1)
    expect(page.locator(".points .line", has_text="A")).not_to_have_count(0)
    page.wait_for_function(  # keys stay under the finger
        "([x, y]) => document.elementFromPoint(x, y)?.closest('[data-key]')?.dataset.key === 'letter-A'",
        arg=[keys["x"] + keys["width"] / 2, keys["y"] + keys["height"] / 2],
    )
    page.get_by_role("button", name="Remove the card A–C").click()
    expect(page.locator(".chip")).to_have_count(0)


@pytest.mark.size("laptop")
def test_a_bad_photo_or_camera_gets_its_message_and_nothing_is_lost(page: Page, address: str, tmp_path: Path) -> None:
    open_demo(page, address)
    before = total(page) + 50  # from never to first
    tab(page, "questions")
    page.locator(ESCAPED_FIRST).click()
    expect_total(page, before)
    bad = tmp_path / "notes.jpg"
    for text, said in (("milk, bread", "JPEG, PNG, WebP or HEIC"), ("x" * (33 << 20), "at most 32 MB")):
        bad.write_text(text)
        page.locator("#files").set_input_files(bad)
        expect(page.get_by_role("alert")).to_contain_text(said)
        expect_total(page, before)
        page.get_by_role("button", name="Dismiss").click()
        expect(page.get_by_role("alert")).to_have_count(0)
    page.locator('[data-key="source-kind"]').select_option("file")
    page.locator('[data-key="source-file"]').fill(str(bad))
    page.locator('[data-key="follow-start"]').click()
    expect(page.get_by_role("alert")).to_contain_text("this is no video that can be read")


def seed_doubts(page: Page, folder: Path, cells: list[list[int]], each: dict[int, float], **more: object) -> list[str]:
    """Let the last photo's reading doubt these cells, and letters by their place among the seen ones; the letters.

    `more`: what else it says.
    """
    store, play = Store(folder), page.url.rsplit("/", 1)[-1]
    edit = next(edit for edit in reversed(store.edits(play)) if edit["kind"] == "read")
    letters = sorted(edit["reading"]["letter_doubts"])
    doubts = {letter: each.get(k, each.get(-1, 0.0)) for k, letter in enumerate(letters)}
    store.add_edit(
        play, {**edit, "reading": {**edit["reading"], "doubtful_cells": cells, "letter_doubts": doubts, **more}}
    )
    page.reload()
    ids = page.evaluate("() => JSON.parse(document.getElementById('view').textContent).players.map((p) => p.id)")
    page.locator(f'[data-key="rank-{edit["player"]}"]').click()
    assert edit["player"] in ids
    return letters


def square(page: Page) -> list[list[int]]:
    """The cells of the last player's second square: whatever is read there moves points."""
    players = page.evaluate("() => JSON.parse(document.getElementById('view').textContent).case.answer.players")
    line = next(line for line in players[-1]["lines"] if line["key"] == "ruin.square.second")
    return [[int(n) for n in place.split("/")[-2:]] for place in line["because"]]


@pytest.mark.size("phone")
def test_doubtful_cells_and_letters_are_asked_one_by_one(page: Page, address: str, folder: Path) -> None:
    open_demo(page, address)
    first, second, *_ = seed_doubts(page, folder, [[0, 1], *square(page)[:2]], {0: 0.4, 1: 0.3})
    tab(page, "questions")
    expect(page.locator(".doubt-bar")).to_have_text(re.compile("To check: 4"))
    assert is_one_screen(page)
    expect(page.locator(".idle")).to_contain_text("1 unclear, but no points hang on it")
    page.get_by_role("button", name="Check", exact=True).click()
    for _ in range(2):  # Enter keeps what was read
        expect(page.get_by_role("heading", name="What is in this cell?")).to_be_visible()
        page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name=f"Was the letter {first} traced over by hand?")).to_be_visible()
    assert fits(page)
    was = page.locator(".answer.on").inner_text()
    page.locator(".answer:not(.on)").first.click()
    expect(page.get_by_role("heading", name=f"Was the letter {second} traced over by hand?")).to_be_visible()
    page.get_by_role("button", name="Later").click()
    expect(page.locator("dialog")).to_have_count(0)
    expect(page.locator(".doubt-bar")).to_have_text(re.compile("To check: 1"))
    tool(page, "letters")
    expect(page.locator(f'[data-key="tile-{first}"]')).not_to_contain_text(was)
    expect(page.locator(f'[data-key="tile-{second}"].asked')).to_have_count(1)


@pytest.mark.size("phone")
def test_each_question_stands_with_the_points_that_hang_on_it_and_one_cause_is_one_question(
    page: Page, address: str, folder: Path
) -> None:
    open_demo(page, address)
    heavy, *_ = square(page)
    seed_doubts(page, folder, [heavy, [0, 1]], {})
    tab(page, "questions")
    row = page.locator(".question-row")
    expect(row).to_have_count(1)  # nothing hangs on the other
    expect(row).to_have_text(re.compile(rf"Row {heavy[0] + 1}, column {heavy[1] + 1}: .*−\d+"))
    expect(page.locator(".doubt-bar small")).to_have_text(re.compile(r"1 can change the points, by up to \d+"))
    row.click()
    expect(page.locator("dialog .quiet").first).to_have_text("1 / 1")
    page.keyboard.press("Escape")
    many = [heavy, *([r, c] for r in range(4) for c in range(4))]
    seed_doubts(page, folder, many, {})
    expect(page.locator(".doubt-bar")).to_have_text([re.compile("To check")])  # nothing says that the grid is off
    seed_doubts(page, folder, many, {}, troubles=["blur", "tilt"])
    words = [re.compile("not sharp"), re.compile("from the side"), re.compile("To check")]
    expect(page.locator(".doubt-bar")).to_have_text(words)
    seed_doubts(page, folder, many, {}, troubles=["grid"])
    expect(page.locator(".doubt-bar")).to_have_text([re.compile("perhaps the grid is off")])
    seed_doubts(page, folder, many, {}, troubles=["grid"], by_corners=True)
    expect(page.locator(".doubt-bar")).to_have_text([re.compile("corners stand as they were shown")])
    page.get_by_role("button", name="Show all questions").click()
    expect(page.locator(".doubt-bar").last).to_have_text(re.compile("To check"))


@pytest.mark.size("phone")
def test_cells_of_one_look_are_asked_about_once_or_one_by_one(page: Page, address: str, folder: Path) -> None:
    open_demo(page, address)
    letters = page.evaluate(
        "() => Object.values(JSON.parse(document.getElementById('view').textContent).sheet.letters)"
    )
    cells = [at for at in square(page) if at not in letters][:4]  # a letter laid bare would be asked about next
    read = page.evaluate("() => JSON.parse(document.getElementById('view').textContent).players.at(-1).sheets.end.map")
    rivals = [line.translate(str.maketrans("o#", "#o")) for line in read]
    seed_doubts(page, folder, cells, {}, rivals=rivals)
    tab(page, "questions")
    expect(page.locator(".doubt-bar")).to_have_text(re.compile("To check: 1"))
    row = page.locator(".question-row")
    expect(row).to_have_text(re.compile(r"4 cells alike: wall or passage\?"))
    row.click()
    pictures = page.locator(".alike-cell")
    expect(pictures).to_have_count(4)
    assert fits(page)
    was = pictures.first.get_attribute("aria-label")
    pictures.first.click()  # a tap changes one of them, another changes it back
    expect(pictures.first).not_to_have_attribute("aria-label", was)
    pictures.first.click()
    expect(pictures.first).to_have_attribute("aria-label", was)
    page.get_by_role("button", name="All are passages").click()
    expect(page.locator("dialog")).to_have_count(0)
    expect(page.locator("#play")).not_to_have_attribute("data-unsent", "")
    expect(page.locator(".doubt-bar")).to_have_count(0)
    tab(page, "photo")
    for at in cells:
        expect(cell(page, *at)).to_have_attribute("aria-label", re.compile("passage"))
    page.locator('[data-key="undo"]').click()  # one thing said is one taken back
    walls = [at for at in cells if read[at[0]][at[1]] == "#"]
    for at in walls:
        expect(cell(page, *at)).to_have_attribute("aria-label", re.compile("wall"))
    assert walls
    tab(page, "questions")
    row.click()
    page.get_by_role("button", name="Ask one by one").click()
    expect(page.get_by_role("heading", name="What is in this cell?")).to_be_visible()
    expect(page.locator("dialog .quiet").first).to_have_text("2 / 5")


@pytest.mark.size("phone")
def test_a_number_of_ticks_in_doubt_is_asked_with_its_boxes(page: Page, address: str, folder: Path) -> None:
    open_demo(page, address)
    boxes = [0.99, 0.4, *[0.0] * 8]
    doubt = {"ticks": {"gems": 1, "penalties": 0}, "ticked": {"gems": boxes}, "tick_doubts": {"gems": 0.4}}
    seed_doubts(page, folder, [], {}, **doubt)
    tab(page, "questions")
    row = page.locator(".question-row")
    expect(row).to_have_text([re.compile(r"How many gems are ticked\?.*10")])
    row.click()
    expect(page.locator("dialog .answer.on")).to_have_text("1")
    assert fits(page)
    with page.expect_response("**/edits"):
        page.locator('[data-key="answer-2"]').click()
    expect(page.locator("dialog")).to_have_count(0)
    expect(row).to_have_count(0)
    view = page.request.get(f"{address}/api/in-the-ruin/plays/{page.url.rsplit('/', 1)[-1]}").json()
    assert view["players"][-1]["ticks"]["gems"] == 2


@pytest.mark.size("phone")
@pytest.mark.parametrize(("two_toned", "words"), [(False, "hardly shows"), (True, "black and white")])
def test_where_letters_hardly_show_they_are_compared_and_cells_still_asked_about(
    page: Page, address: str, folder: Path, two_toned: bool, words: str
) -> None:
    open_demo(page, address)
    seed_doubts(page, folder, square(page)[:1], {-1: 0.2}, two_toned=two_toned)
    tab(page, "photo")
    expect(page.locator(".doubt-bar")).to_have_text([re.compile("To check: 1"), re.compile(words)])
    page.get_by_role("button", name="Compare").click()
    page.get_by_role("button", name="These are right").click()
    expect(page.locator("dialog")).to_have_count(0)
    expect(page.locator(".doubt-bar")).to_have_text([re.compile("To check: 1")])
    assert page.evaluate("() => document.activeElement.dataset.key") == "tools"


@pytest.mark.size("laptop")
@pytest.mark.parametrize("answered", ["before", "after"])
def test_answers_stay_with_the_sheet_that_was_asked_about(
    page: Page, address: str, folder: Path, photos: list[Path], answered: str
) -> None:
    open_demo(page, address)
    row, col = square(page)[0]
    seed_doubts(page, folder, [[row, col]], {})
    player = page.locator(".rank.on").get_attribute("data-key")
    sent: list[Route] = []
    page.route("**/photos?**", lambda route: sent.append(route))  # noqa: PLW0108 - playwright asks for its code
    page.locator("#files").set_input_files(photos[0])
    page.get_by_role("button", name="Check", exact=True).click()
    expect(page.locator('[data-key="answer-blank"]')).to_be_visible()
    while not sent:
        page.wait_for_timeout(50)
    taken = sent[0].fetch()
    expect(page.locator(".rank")).to_have_count(4, timeout=60_000)  # the news come first, the photo's own answer later
    if answered == "before":
        sent[0].fulfill(response=taken)
        expect(page.locator(".upload")).to_have_count(0)
    page.locator('[data-key="answer-blank"]').click()
    expect(page.locator("dialog")).to_have_count(0)
    if answered == "after":
        sent[0].fulfill(response=taken)
        expect(page.locator(".upload")).to_have_count(0)
    expect(page.locator(".rank.on")).to_have_attribute("data-key", player)
    expect(cell(page, row, col)).to_have_attribute("aria-label", re.compile("blank, entered by you"))


@pytest.mark.size("phone")
def test_letters_are_compared_side_by_side_and_said_in_one_go(page: Page, address: str) -> None:
    open_demo(page, address)
    tool(page, "letters")
    tiles = page.locator(".letter-tile")
    shown = tiles.count()
    assert shown > 10
    assert page.locator(".letter-picture").count() == 2 * shown  # as photographed, as printed
    tile = page.locator(".letter-tile:not(.traced):not(.gate)").first
    letter = tile.get_attribute("data-key").removeprefix("tile-")
    tile.click()
    expect(page.locator(f'[data-key="tile-{letter}"]')).to_contain_text("traced")
    assert fits(page)
    page.get_by_role("button", name="These are right").click()
    expect(page.locator("dialog")).to_have_count(0)
    words = page.locator(f'.view.flat [aria-label*="letter {letter},"]')
    expect(words).to_have_attribute("aria-label", re.compile("destination"))
    expect(page.locator("#play[data-unsent]")).to_have_count(0)  # all are sent
    page.reload()
    expect(words).to_have_attribute("aria-label", re.compile("destination"))
    page.get_by_role("button", name="Undo: ").click()  # that these are right
    page.get_by_role("button", name="Undo: ").click()  # the tap
    expect(words).not_to_have_attribute("aria-label", re.compile("destination"))
    page.get_by_role("button", name="Redo: ").click()
    expect(words).to_have_attribute("aria-label", re.compile("destination"))


@pytest.mark.size("laptop")
def test_the_language_switch(page: Page, address: str) -> None:
    page.goto(address)
    page.get_by_role("button", name="日本語").click()
    expect(page.locator("html")).to_have_attribute("lang", "ja")
    page.goto(f"{address}/in-the-ruin/")
    expect(page.get_by_role("heading", name="インザルーイン")).to_be_visible()


@pytest.mark.size("phone")
def test_letters_and_tracks_are_corrected_while_enrolling(
    page: Page, address: str, photos: list[Path], tmp_path: Path
) -> None:
    blank = tmp_path / "blank.jpg"
    cv2.imwrite(str(blank), demo.blank_photo())
    page.goto(f"{address}/in-the-ruin/sheets/new")
    page.locator("#file").set_input_files(photos[0])
    expect(page.get_by_text("There seem to be marks")).to_be_visible(timeout=60_000)
    assert fits(page)
    page.locator("#other").set_input_files(blank)
    expect(page.get_by_text("There seem to be marks")).to_have_count(0, timeout=60_000)
    expect(page.get_by_text("24 letters")).to_be_visible(timeout=60_000)
    assert fits(page)
    cell(page, 10, 10).click()
    page.locator('[data-key="key-Z"]').click()
    expect(page.get_by_text("25 letters")).to_be_visible()
    cell(page, 10, 9).click()
    page.locator('[data-key="key-Z"]').click()
    expect(page.locator(".toast")).to_contain_text("Z is moved here from row 11, column 11")
    where = "() => document.querySelector('.track-name.gems').getBoundingClientRect().x"
    before = page.evaluate(where)
    page.get_by_role("button", name="Swap the two tracks").click()
    page.wait_for_function(f"x => Math.abs(({where})() - x) > 5", arg=before)
    page.reload()
    expect(page.get_by_text("25 letters")).to_be_visible()


@pytest.mark.size("laptop")
def test_a_saved_sheet_is_corrected_renamed_and_deleted(page: Page, address: str) -> None:
    open_demo(page, address, own=True)
    name = f"Sheet of {page.viewport_size['width']}"
    for button, typed in (("Correct the sheet Demo sheet", name), (f"Correct the sheet {name}", None)):
        page.goto(f"{address}/in-the-ruin/")
        assert fits(page)
        page.get_by_role("button", name=button).first.click()
        expect(page.get_by_role("heading", name="Correct a sheet")).to_be_visible(timeout=60_000)
        assert fits(page)
        if typed is None:
            expect(page.get_by_text("25 letters")).to_be_visible()
            break
        cell(page, 10, 10).click()
        page.locator('[data-key="key-Z"]').click()
        expect(page.get_by_text("25 letters")).to_be_visible()
        page.get_by_label("Name of this sheet").fill(typed)
        page.get_by_role("button", name="Save the corrections").click()
        expect(page.get_by_role("heading", name="Known sheets")).to_be_visible()
    page.goto(f"{address}/in-the-ruin/")
    asked: list[str] = []
    page.on("dialog", lambda dialog: (asked.append(dialog.message), dialog.accept()))
    delete = page.get_by_role("button", name=f"Delete the sheet {name}")
    delete.click()
    expect(page.get_by_role("alert")).to_contain_text("Player 1, Player 2")
    page.locator("[data-forget]").first.click()  # the play of this test, the newest
    expect(page.get_by_role("alert")).to_have_count(0)
    delete.click()
    expect(delete).to_have_count(0)
    assert name in asked[0]
    assert len(asked) == 3


@pytest.mark.size("laptop")
def test_several_photos_at_once_make_a_player_each(page: Page, address: str, photos: list[Path]) -> None:
    open_demo(page, address)
    page.locator("#files").set_input_files(photos)
    expect(page.locator(".rank")).to_have_count(5, timeout=60_000)
    expect(page.locator(".upload")).to_have_count(0)


def seed_written(page: Page, folder: Path) -> None:
    """Let a player have written 99 into each box of the sheet."""
    store, play = Store(folder), page.url.rsplit("/", 1)[-1]
    read = next(edit for edit in store.edits(play) if edit["kind"] == "read")
    wrote = {"number": 99, "confidence": 1.0, "doubtful": False}
    store.add_edit(play, {**read, "reading": {**read["reading"], "written": [wrote] * 6}})
    page.reload()


@pytest.mark.size("laptop")
def test_the_paper_says_what_the_page_says_of_the_photos(page: Page, address: str, folder: Path) -> None:
    open_demo(page, address, own=True)
    seed_written(page, folder)
    note = page.locator(".notes .note-text", has_text="Player 1 wrote 99").first
    expect(note).to_be_visible()
    page.evaluate("dispatchEvent(new Event('beforeprint'))")
    expect(page.locator(".paper-notes li").first).to_have_text(note.inner_text())


@pytest.mark.size("laptop")
def test_photos_can_be_dropped_and_pasted(page: Page, address: str, photos: list[Path]) -> None:
    open_demo(page, address)
    for count, kind, photo in ((4, "drop", photos[0]), (5, "paste", photos[1])):
        page.evaluate(
            """([text, kind]) => {
                const bytes = Uint8Array.from(atob(text), (c) => c.charCodeAt(0));
                const carried = new DataTransfer();
                carried.items.add(new File([bytes], "sheet.jpg", { type: "image/jpeg" }));
                const event = kind === "drop"
                    ? new DragEvent("drop", { dataTransfer: carried, bubbles: true, cancelable: true })
                    : new ClipboardEvent("paste", { clipboardData: carried, bubbles: true });
                document.body.dispatchEvent(event);
            }""",
            [base64.b64encode(photo.read_bytes()).decode(), kind],
        )
        expect(page.locator(".rank")).to_have_count(count, timeout=60_000)


@pytest.mark.size("phone")
def test_what_is_entered_without_a_connection_or_room_is_sent_later(
    page: Page, address: str, photos: list[Path]
) -> None:
    open_demo(page, address)
    before = total(page)
    page.context.set_offline(True)
    tab(page, "questions")
    page.locator(ESCAPED_FIRST).click()
    expect(page.get_by_role("alert")).to_contain_text("kept on this device")
    expect(page.locator(ESCAPED_FIRST)).to_have_attribute("aria-pressed", "true")
    page.context.set_offline(False)
    expect_total(page, before + 50)
    expect(page.get_by_role("alert")).to_have_count(0)
    full = {"error": {"key": "problem.disk-full", "message": "The disk is full."}}
    page.route("**/photos?**", lambda route: route.fulfill(status=507, json=full))
    page.locator("#files").set_input_files(photos[0])
    expect(page.locator(".upload[role=alert]")).to_contain_text("The disk is full.")
    expect(page.locator(".upload")).to_contain_text("Try again")
    page.unroute("**/photos?**")
    page.route("**/photos?**", lambda route: route.abort())
    expect(page.locator(".upload[role=alert]")).to_contain_text("cannot be reached")
    page.reload()  # the photo is kept on the device
    expect(page.locator(".upload[role=alert]")).to_contain_text(photos[0].name)
    page.unroute("**/photos?**")
    expect(page.locator(".rank")).to_have_count(4, timeout=60_000)
    expect(page.locator(".upload")).to_have_count(0)


@pytest.mark.size("phone")
def test_whoever_is_done_sees_for_whom_the_result_waits(page: Page, address: str) -> None:
    open_demo(page, address)
    api = page.url.replace("/in-the-ruin/", "/api/in-the-ruin/")
    first, second = [player["id"] for player in page.request.get(api).json()["players"]]
    for player in (first, second):
        send(page, f"{api}/edits", {"kind": "escaped", "player": player, "round": None})
        send(page, f"{api}/edits", {"kind": "first-square", "player": player, "cells": 12})
    send(page, f"{api}/edits", {"kind": "goals", "player": first, "goals": []})
    todo = page.locator(".todo-chip")
    expect(todo).to_have_text(["Player 2"])
    todo.click()
    expect(page.locator(".rank.on")).to_contain_text("Player 2")
    expect(todo).to_have_text(["Goal cards"])
    send(page, f"{api}/edits", {"kind": "goals", "player": second, "goals": []})
    expect(todo).to_have_text(["Result"])
    expect(page.locator(".finish h2")).to_be_in_viewport(ratio=1)  # it opens by itself
    expect(page.locator(".map")).to_be_hidden()
    assert is_one_screen(page)
    assert page.evaluate(OUTSIDE) == []


def lose_an_answer(page: Page, addresses: str) -> None:
    """The next request there comes in, but nobody hears so: the line went meanwhile."""

    def lost(route: Route) -> None:
        route.fetch()
        route.abort()

    page.route(addresses, lost, times=1)


@pytest.mark.size("phone")
def test_what_the_companion_took_counts_once_though_its_answer_was_lost(
    page: Page, address: str, photos: list[Path]
) -> None:
    open_demo(page, address)
    before = total(page) + 50
    tab(page, "questions")
    page.locator(ESCAPED_FIRST).click()
    page.get_by_role("button", name="Gems: one more").click()
    expect_total(page, before + 10)
    lose_an_answer(page, "**/edits")
    page.locator('[data-key="undo"]').click()
    expect(page.get_by_role("alert")).to_contain_text("kept on this device")
    expect(page.get_by_role("alert")).to_have_count(0)
    expect_total(page, before)
    players = page.locator(".rank").count()
    lose_an_answer(page, "**/photos?**")
    page.locator("#files").set_input_files(photos[0])
    expect(page.get_by_role("alert")).to_contain_text(photos[0].name, timeout=60_000)
    expect(page.get_by_role("alert")).to_have_count(0)
    lose_an_answer(page, "**/edits")
    page.locator('[data-key="rank-add"]').click()
    expect(page.get_by_role("alert")).to_contain_text("kept on this device")
    expect(page.get_by_role("alert")).to_have_count(0)
    expect(page.locator(".rank")).to_have_count(players + 2)


@pytest.mark.size("phone")
def test_corners_shown_by_a_person_are_read(page: Page, address: str) -> None:
    open_demo(page, address)
    tool(page, "grid-wrong")
    corner = page.locator('[data-key="corner-0"]')
    corner.focus()
    corner.press("ArrowRight")
    page.get_by_role("button", name="Read with these corners").click()
    expect(page.locator(".panes")).to_be_visible(timeout=60_000)


@pytest.mark.size("phone")
def test_a_photo_without_a_sheet_goes_with_who_joined_by_it(page: Page, address: str, tmp_path: Path) -> None:
    open_demo(page, address)
    count = page.locator(".rank").count()
    bare = tmp_path / "bare.jpg"
    cv2.imwrite(str(bare), np.full((900, 1200, 3), 150, np.uint8))
    tab(page, "photo")
    page.locator("#place-new-first").set_input_files(bare)
    expect(page.locator(".uploads .spinner")).to_be_in_viewport()
    expect(page.locator(".failed strong")).to_be_in_viewport(timeout=60_000)
    expect(page.locator(".refused", has_text="First stage")).to_have_count(1)
    page.locator('[data-key="leave"]').click()
    expect(page.locator(".rank")).to_have_count(count)


@pytest.mark.size("phone")
def test_what_a_photo_sent_from_its_tab_asks_comes_into_sight(page: Page, address: str, tmp_path: Path) -> None:
    photo, truth = np.array(demo.filled_photo()[0]), demo.filled_photo()[1]
    for col in (3, 4):  # blank cells beside the largest square
        corners = truth["lattice"][4:6, col : col + 2].reshape(4, 2)
        at = (0.4 * corners.mean(0) + 0.6 * corners).astype(int).tolist()
        for one, other in ((0, 3), (1, 2)):
            cv2.line(photo, at[one], at[other], (70, 70, 70), 2, cv2.LINE_AA)
    cv2.imwrite(str(tmp_path / "crossed.jpg"), photo)
    open_demo(page, address)
    tab(page, "photo")
    page.locator("#place-new-end").set_input_files(tmp_path / "crossed.jpg")
    expect(page.locator(".rank.on")).to_contain_text("Player 3", timeout=60_000)
    expect(page.locator(".doubt-bar").first).to_be_in_viewport()
    expect(page.get_by_role("button", name="Check")).to_be_in_viewport()


@pytest.mark.size("laptop")
def test_the_keyboard_reaches_every_cell(page: Page, address: str) -> None:
    open_demo(page, address)
    cell(page, 0, 0).focus()
    for key in ("ArrowRight", "ArrowDown", "ArrowDown"):
        page.keyboard.press(key)
    expect(cell(page, 2, 1)).to_be_focused()
    words = cell(page, 2, 1).get_attribute("aria-label")
    page.keyboard.press("Enter")
    expect(page.locator(".cell-key.on").first).to_be_focused()
    page.locator(".cell-key:not(.on)").first.press("Enter")
    expect(cell(page, 2, 1)).not_to_have_attribute("aria-label", words)
    expect(page.locator(".cell-key.on").first).to_be_focused()


def test_touch_targets_are_large_enough(page: Page, address: str) -> None:
    open_demo(page, address)
    small = page.evaluate(
        """() => [...document.querySelectorAll("button, a, label.button, .field, summary")]
            .filter((e) => e.offsetParent !== null)
            .map((e) => [e.textContent.trim() || e.dataset.key, e.getBoundingClientRect()])
            .filter(([, box]) => box.height < 43.5 || box.width < 43.5)
            .map(([name, box]) => `${name} ${box.width} × ${box.height}`)"""
    )
    assert small == []


@pytest.mark.size("phone")
def test_a_move_of_the_log_is_taken_back_and_said_again(page: Page, address: str, folder: Path):
    """Four marks more in a second photo are a move; a person says that it was none, and steps back from that."""
    open_demo(page, address, own=True)
    store, play = Store(folder), page.url.rsplit("/", 1)[-1]
    read = next(edit for edit in store.edits(play) if edit["kind"] == "read")
    rows = [list(row) for row in read["reading"]["map"]]
    blank = [(r, c) for r in range(11) for c in range(10) if rows[r][c] == rows[r][c + 1] == "."]
    r, c = blank[0]
    rows[r][c] = rows[r][c + 1] = "#"
    store.add_edit(
        play, {**read, "reading": {**read["reading"], "map": ["".join(row) for row in rows], "doubtful": []}}
    )
    page.reload()
    log = page.locator(".log")
    expect(log.locator(".moves li")).to_have_count(1)
    log.get_by_role("button", name="Take the last move back").click()
    expect(log.locator(".moves li")).to_have_count(0)
    page.get_by_role("button", name="Undo").first.click()
    expect(log.locator(".moves li")).to_have_count(1)
    log.get_by_text("Which piece did the card have?").click()
    expect(log.locator("output")).to_have_text("1")
    log.get_by_role("button", name="Piece 1: 2 cells").click()
    expect(log.get_by_role("button", name="Piece 1: 2 cells")).to_have_attribute("aria-pressed", "true")
    expect(log.locator(".moves li")).to_have_count(1)
    log.get_by_text("What can be done now").click()
    expect(log.get_by_text("draws one wall and a penalty tick: −")).to_be_visible()


@pytest.mark.size("phone")
def test_at_half_time_the_first_square_stands_alone(page: Page, address: str) -> None:
    open_demo(page, address)
    api = page.url.replace("/in-the-ruin/", "/api/in-the-ruin/")
    player = page.request.get(api).json()["players"][0]["id"]
    tab(page, "photo")
    page.locator('[data-key="stage-first"]').click()
    tab(page, "points")
    move = {"kind": "move-photo", "player": player, "stage": "end", "to": player, "to_stage": "first"}
    send(page, f"{api}/edits", move)
    line = page.locator(".points .line")
    expect(line).to_have_count(1)
    expect(line).to_contain_text("Square bonus, first stage")
    expect(page.locator(".points .tag.warn")).to_have_text("half-time: the first square alone")
    expect_total(page, int(line.locator(".line-points").inner_text()))
    expect(page.locator("#escape .ask")).to_have_text("Not entered yet, counted as never: Player 2")
    square = total(page)
    unfold(page, "share")
    page.get_by_role("button", name="Open for tapping").click()
    expect(page.locator('[data-key="stage-first"]')).to_have_attribute("aria-pressed", "true")
    page.locator('[data-key="stage-end"]').click()
    page.locator('[data-key="end-copy"]').click()
    line = page.locator(".points .line", has_text="Square bonus, second stage")
    expect(line.locator(".line-points")).to_have_text(f"+{square}")


@pytest.mark.size("phone")
@pytest.mark.parametrize(
    ("language", "exchanged", "moved"),
    [
        (
            "English",
            "The photos have changed places: Player 2 (End of game) and Player 1 (End of game).",
            "The photo is now Player 2’s (First stage).",
        ),
        (
            "日本語",
            "プレイヤー2（ゲーム\u200b終了時）とプレイヤー1（ゲーム\u200b終了時）の写真を入れ替えました。",
            "写真をプレイヤー2（前半\u200b終了時）に移しました。",
        ),
    ],
)
def test_of_photos_that_change_places_both_players_are_named(
    page: Page, address: str, language: str, exchanged: str, moved: str
) -> None:
    open_demo(page, address, own=True)
    speak(page, language)
    expect(page.locator("#total")).to_be_visible()
    read = "() => JSON.parse(document.getElementById('view').textContent).players.map(({ id }) => id)"
    first, second = page.evaluate(read)

    def move(of: str, to: str) -> None:
        tab(page, "photo")
        places = page.locator(f'[data-key="move-{of}-end"]')
        if not places.is_visible():
            unfold(page, "player")
        places.select_option(to)

    move(first, f"{second} end")
    expect(page.locator(".toast")).to_contain_text(exchanged)
    move(second, f"{second} first")
    expect(page.locator(".toast")).to_contain_text(moved)


@pytest.mark.size("laptop")
def test_a_file_of_two_pages_gives_two_players(page: Page, address: str, photos: list[Path], tmp_path: Path) -> None:
    open_demo(page, address, own=True)
    sheet = page.evaluate("() => JSON.parse(document.getElementById('view').textContent).sheet.file")
    page.goto(f"{address}/in-the-ruin/plays/{send(page, f'{address}/api/in-the-ruin/plays', {'sheet': sheet})['play']}")
    first, second = [Image.open(photo) for photo in photos]
    cover = Image.new("RGB", first.size, "white")
    ImageDraw.Draw(cover).text((first.size[0] // 8, first.size[1] // 8), "Our games, 2025", "black", font_size=90)
    cover.save(tmp_path / "scan.pdf", save_all=True, append_images=[first, second])
    page.locator('input[type="file"]').first.set_input_files(tmp_path / "scan.pdf")
    expect(page.locator(".rank:not(.more)")).to_have_count(2, timeout=60_000)
    for k in range(2):
        page.locator(".rank:not(.more)").nth(k).click()
        expect(page.locator("#total")).to_be_visible()
    told = page.locator(".upload.calm", has_text="Page 1 of the file shows no sheet")  # nothing went wrong
    expect(told).to_have_attribute("role", "status")
    told.get_by_role("button").click()
    expect(page.locator(".upload")).to_have_count(0)


def is_one_screen(page: Page) -> bool:
    """Whether nothing has to be scrolled to."""
    return page.evaluate("document.documentElement.scrollHeight <= innerHeight")


OUTSIDE = """() => [...document.querySelectorAll("button, a, label.button, input:not([type=file]), select, summary")]
  .filter((one) => one.checkVisibility())
  .map((one) => [one.textContent || one.dataset.key, one.getBoundingClientRect()])
  .filter(([, { left, right }]) => left < 0 || right > innerWidth)
  .map(([name]) => name)"""
"""What can be pressed and lies beside the screen, in a row that nobody sees to go on."""
LANGUAGES = ["English", "日本語"]
SCREENS = {"photo": ".map", "questions": "#escape", "points": ".points"}
"""What each of a phone's three screens shows."""
TOPICS = {"first": ["#first", "#ticks"], "escape": ["#escape"], "goals": ["#goals"]}
"""The questions of which a low screen shows one at a time, with what belongs to each."""


@pytest.mark.size("phone")
def test_a_phone_has_three_screens_and_the_map_opens_over_the_points_where_a_line_is_touched(
    page: Page, address: str
) -> None:
    open_demo(page, address)
    for name, shown in SCREENS.items():
        page.locator(f'[data-key="tab-{name}"]').click()
        for place in SCREENS.values():
            expect(page.locator(place)).to_be_visible(visible=place == shown)
        assert is_one_screen(page), name
        assert page.evaluate(OUTSIDE) == [], name
    tab(page, "photo")
    page.locator('[data-key="tools"]').click()
    expect(page.locator(".tools .button")).to_have_count(6)
    assert page.evaluate(OUTSIDE) == []
    page.locator('[data-key="marks"]').click()
    expect(page.locator(".tools")).to_have_count(0)
    tab(page, "points")
    for last in ("#total", '[data-key="tab-points"]'):  # all the points on one screen
        expect(page.locator(last)).to_be_in_viewport(ratio=1)
    line = page.locator(".points .line", has_text="Square bonus, second stage")
    line.click()
    expect(page.locator(".map .lit").first).to_be_in_viewport(ratio=1)
    expect(line).to_be_in_viewport(ratio=1)
    line.click()
    expect(page.locator(".map")).to_be_hidden()


@pytest.mark.size("phone")
@pytest.mark.parametrize("screen", SCREENS)
def test_on_a_phone_held_sideways_the_whole_map_stands_beside_each_screen(
    page: Page, address: str, screen: str
) -> None:
    page.set_viewport_size({"width": 844, "height": 390})
    open_demo(page, address)
    page.locator(f'[data-key="tab-{screen}"]').click()
    for row in range(11):
        expect(cell(page, row, 5)).to_be_in_viewport(ratio=1)
    assert page.locator(".rank.on").evaluate("(rank) => rank.getBoundingClientRect().top") < 10
    assert fits(page)
    assert page.evaluate(OUTSIDE) == []
    assert page.evaluate("document.documentElement.scrollHeight") < 2 * 390  # one swipe, not two


@pytest.mark.size("phone")
@pytest.mark.parametrize(("wide", "high"), [(390, 844), (320, 568)])
def test_four_players_fit_a_phones_width_with_its_screens_within_reach(
    page: Page, address: str, folder: Path, wide: int, high: int
) -> None:
    page.set_viewport_size({"width": wide, "height": high})
    open_demo(page, address, own=True)
    seed_doubts(page, folder, square(page)[:2], {})
    span = page.locator(".rank [data-total][title]")
    expect(span).to_have_count(1)  # from so many to so many points
    for n in (3, 4):
        page.locator('[data-key="rank-add"]').click()
        expect(page.locator(".rank:not(.more)")).to_have_count(n)
    page.locator(".rank").first.click()
    assert span.evaluate("(one) => one.scrollWidth <= one.clientWidth")
    for name in ("photo", "questions", "points"):
        tab(page, name)
        assert fits(page), name
        assert is_one_screen(page), name
        expect(page.locator(".tabs")).to_be_in_viewport(ratio=1)
    for language in LANGUAGES[::-1]:
        speak(page, language)
        page.locator('[data-key="tab-photo"]').click()
        expect(page.locator(".photo-next .main-action").first).to_be_in_viewport(ratio=1)
        for player in range(4):
            page.locator(".rank").nth(player).click()
            assert is_one_screen(page), (language, player)
    page.set_viewport_size({"width": 844, "height": 390})
    add, guide = (page.locator(one).bounding_box() for one in ('[data-key="rank-add"]', '.head a[href="/guide/"]'))
    assert add
    assert guide
    assert add["x"] + add["width"] <= guide["x"]


@pytest.mark.size("phone")
@pytest.mark.parametrize(("wide", "high"), [(320, 568), (375, 667)])
def test_on_a_low_phone_photos_and_each_question_are_one_screen(
    page: Page, address: str, folder: Path, wide: int, high: int
) -> None:
    page.set_viewport_size({"width": wide, "height": high})
    open_demo(page, address, own=True)
    seed_doubts(page, folder, square(page)[:2], {})
    for language in LANGUAGES:
        speak(page, language)
        for player, first in enumerate(("goals", "check")):
            page.locator(".rank").nth(player).click()
            tab(page, "photo")
            expect(page.locator(".photo-next .main-action").first).to_be_in_viewport(ratio=1)
            assert is_one_screen(page), language
            tab(page, "questions")
            topic = page.locator(f'[data-key="topic-{first}"]')
            expect(topic).to_have_attribute("aria-pressed", "true")  # what is open
            expect(page.locator(".doubt-bar")).to_be_visible(visible=first == "check")
            assert is_one_screen(page), language
            for topic, places in TOPICS.items():
                page.locator(f'[data-key="topic-{topic}"]').click()
                for place in ("#goals", "#escape", "#first", "#ticks"):
                    expect(page.locator(place)).to_be_visible(visible=place in places)
                assert is_one_screen(page), (language, topic)
                assert page.evaluate(OUTSIDE) == [], (language, topic)
        tab(page, "points")
        page.locator(".todo-chip", has_text="Escape" if language == "English" else "脱出").click()
        expect(page.locator("#escape")).to_be_in_viewport(ratio=1)


@pytest.mark.size("phone")
@pytest.mark.parametrize(("wide", "high"), [(320, 568), (375, 667), (390, 844)])
def test_points_and_all_that_is_to_be_said_of_them_are_one_screen(
    page: Page, address: str, folder: Path, wide: int, high: int
) -> None:
    open_written(page, address, folder, (wide, high))
    for language in LANGUAGES:
        speak(page, language)
        for player in range(2):
            page.locator(".rank").nth(player).click()
            tab(page, "points")
            expect(page.locator("#total")).to_be_in_viewport(ratio=1)
            assert is_one_screen(page), language
            assert page.locator(".side summary").evaluate_all(CUT) == [], language
        notes = page.locator('[data-key="fold-notes"]')
        count = int(re.sub(r"\D", "", notes.inner_text()))
        expect(notes.locator("svg")).to_be_visible()  # something is wrong with what was seen
        notes.click()
        expect(page.locator(".notes li:visible")).to_have_count(count)
        expect(page.locator(".notes .note-text.warn").first).to_contain_text("99")


CUT = """(all) => all.filter((one) => one.scrollWidth > one.clientWidth || one.scrollHeight > one.clientHeight + 1)
  .map((one) => one.textContent)"""
"""What of these does not stand in its place whole."""


def speak(page: Page, language: str) -> None:
    switch = page.get_by_role("button", name=language)
    if switch.count():
        switch.click()
    expect(page.locator("html")).to_have_attribute("lang", "en" if language == "English" else "ja")


def open_written(page: Page, address: str, folder: Path, size: tuple[int, int]) -> None:
    """A demo of its own in whose boxes 99 stands, on a phone of that size."""
    page.set_viewport_size({"width": size[0], "height": size[1]})
    open_demo(page, address, own=True)
    seed_written(page, folder)


@pytest.mark.size("phone")
@pytest.mark.parametrize("language", LANGUAGES)
def test_on_a_small_phone_no_name_of_four_players_and_no_column_of_the_result_is_cut_off(
    page: Page, address: str, folder: Path, language: str
) -> None:
    open_written(page, address, folder, (320, 568))
    speak(page, language)
    for player in range(2):
        page.locator(".rank").nth(player).click()
        tab(page, "questions")
        for letter in ("DK", "GR")[player]:
            page.locator(f'[data-key="letter-{letter}"]').click()
        page.locator('[data-key="topic-first"]').click()
        page.locator('[data-key="first-square"]').fill("12")
        page.locator('[data-key="first-square"]').press("Enter")
    page.locator('[data-key="topic-escape"]').click()
    for player in range(2):
        page.locator(".escape-row").nth(player).locator(".key").nth(player).click()
    expect(page.locator(".finish .score-table")).to_be_visible()
    assert page.locator(".finish .score-table").evaluate_all(CUT) == []
    expect(page.locator(".finish tfoot")).to_be_in_viewport(ratio=1)
    assert page.evaluate(OUTSIDE) == []
    page.set_viewport_size({"width": 390, "height": 844})
    assert is_one_screen(page)
    page.set_viewport_size({"width": 320, "height": 568})
    tab(page, "photo")
    chip, words = (page.locator(one).bounding_box() for one in (".todo-chip.done", ".todo-row > p"))
    assert chip
    assert words
    assert chip["x"] + chip["width"] <= words["x"]  # one stands beside the other
    for n in (3, 4):
        page.locator('[data-key="rank-add"]').click()
        expect(page.locator(".rank:not(.more)")).to_have_count(n)
    tab(page, "photo")
    assert page.locator(".photo-name, .photo-thumb span, .rank-name > span").evaluate_all(CUT) == []
    thumb = page.locator(".photo-thumb span").first
    assert thumb.evaluate(LINES) <= 2


@pytest.mark.size("phone")
@pytest.mark.parametrize("language", LANGUAGES)
def test_a_refused_photo_and_the_ways_out_are_one_screen(
    page: Page, address: str, photos: list[Path], language: str
) -> None:
    open_demo(page, address, own=True)
    speak(page, language)
    cv2.imwrite(str(photos[0]), np.full((600, 800, 3), 128, np.uint8))
    page.locator("#place-new-end").set_input_files(photos[0])
    expect(page.locator(".failed .button.main-action")).to_be_visible(timeout=60_000)
    assert is_one_screen(page)
    assert page.evaluate(OUTSIDE) == []
    assert page.locator(".photo-thumb span").last.evaluate(LINES) <= 2


@pytest.mark.parametrize(
    ("wide", "high"),
    [
        pytest.param(wide, high, marks=pytest.mark.size(size))
        for size, sides in {"phone": [(390, 568), (320, 568), (844, 390), (667, 375)], "laptop": [(1366, 768)]}.items()
        for wide, high in sides
    ],
)
def test_corners_that_were_shown_are_read_with_a_key_in_sight(page: Page, address: str, wide: int, high: int) -> None:
    page.set_viewport_size({"width": wide, "height": high})
    open_demo(page, address)
    tab(page, "photo")
    tool(page, "grid-wrong")
    corners = page.locator(".corners-pane .handle")
    for i in range(4):
        expect(corners.nth(i)).to_be_in_viewport(ratio=0.99)
    page.wait_for_function(
        """() => { const key = document.querySelector('[data-key="corners-read"]');
                   const { x, y, width, height } = key.getBoundingClientRect();
                   return key.contains(document.elementFromPoint(x + width / 2, y + height - 4)); }"""
    )
    assert page.evaluate(OUTSIDE) == []


LINES = """(one) => {
  const text = document.createRange();
  text.selectNodeContents(one);
  return new Set([...text.getClientRects()].map(({ top }) => top)).size;
}"""
"""In how many lines a text stands."""


@pytest.mark.size("phone")
@pytest.mark.parametrize(("wide", "high"), [(390, 844), (320, 568), (844, 390)])
def test_all_that_is_still_open_stands_within_a_phones_width(page: Page, address: str, wide: int, high: int) -> None:
    page.set_viewport_size({"width": wide, "height": high})
    open_demo(page, address)
    page.locator('[data-key="rank-add"]').click()  # a player of whom everything is open
    chips = page.locator(".todo-chip")
    expect(chips).to_have_count(4)
    for language in LANGUAGES:
        speak(page, language)
        page.locator(".rank").nth(2).click()
        for name in SCREENS:
            page.locator(f'[data-key="tab-{name}"]').click()
            boxes = chips.evaluate_all(
                """(all) => all.filter((one) => one.checkVisibility())
                  .map((one) => { const { left, right, height } = one.getBoundingClientRect();
                    return [one.textContent, left >= 0 && right <= innerWidth, height >= 44,
                            one.scrollWidth <= one.clientWidth]; })"""
            )
            assert boxes, name
            assert [box for box in boxes if not all(box)] == [], name
            assert page.evaluate(OUTSIDE) == [], name
            assert high < 844 or is_one_screen(page), name
        page.locator('[data-key="tab-points"]').click()
    goals = page.locator(".todo-chip", has_text="目標カード")
    assert goals.evaluate(LINES) == 1  # no word in two
