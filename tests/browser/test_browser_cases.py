"""The dispute page in a real browser, on a phone and on a laptop: taps in, total out, and the ways to hand it on."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from random import Random

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from companion.cases.address import pack
from scoring.samples import sample

ROOT = Path(__file__).parents[2]
PIECES = ".case-editor "
HEADLINES = [
    ({"winner": None}, "So far 5 : 9"),
    (
        {"winner": None, "advanced": True, "open": [["I1", "I1", "I1"], ["I2", "I2", "I2r"], ["I3", "I3", "I3"]]},
        "Aki won the whole game at once. Points: 5 : 9.",
    ),
    ({"winner": None, "short_game": 6}, "Bo wins, 4 points ahead: 9 : 5."),
]
"""A short game of Human Angel Demon before which Aki has 5 points and Bo 9, and what stands above its points."""


def open_case(page: Page, address: str, game: str, state: dict | None = None) -> None:
    page.goto(f"{address}/dispute/{game}" + (f"?s={pack(state)}" if state else ""))
    expect(page.locator("#total, .case-answer .unfinished").first).to_be_attached()


def tap(page: Page, *keys: str) -> None:
    """Tap controls by their `data-key`, one after another."""
    for key in keys:
        page.locator(f'[data-key="{key}"]').click()


def at(page: Page, place: str) -> Locator:
    """The piece at a place of the state."""
    return page.locator(f'{PIECES}[data-place="{place}"]')


def line(page: Page, words: str) -> Locator:
    return page.locator(".points .line", has_text=words).first


def expect_total(page: Page, points: int) -> None:
    expect(page.locator("#total")).to_have_text(f"{points}".replace("-", "−"))
    expect(page.locator(".points.stale")).to_have_count(0)


def pages(pdf: bytes) -> int:
    return len(re.findall(rb"/Type\s*/Page\b(?!s)", pdf))


def seekers(page: Page) -> int:
    tap(page, "rule-8", "supply-red", "supply-red", "supply-rainbow", "supply-blue", "gold-plus")
    expect_total(page, 5)  # red 2, blue with the rainbow 2, gold 1
    line(page, "blue: 2 in a row").click()
    expect(at(page, "/players/0/line/2")).to_have_class(re.compile(r"\blit\b"))
    expect(at(page, "/players/0/line/1")).not_to_have_class(re.compile(r"\blit\b"))
    at(page, "/players/0/line/3").click()
    expect(line(page, "blue: 2 in a row")).to_have_class(re.compile(r"\bcounted\b"))
    tap(page, "choice-rainbow-red")
    expect_total(page, 0)  # red 2, a single blue -3, gold 1
    tap(page, "choice-rainbow-open")
    return 5


def ruin(page: Page) -> int:
    box = page.locator(".board .sheet").bounding_box()
    assert box

    def cell(row: int, col: int) -> tuple[float, float]:
        unit = box["width"] / 12.1
        return box["x"] + unit * (col + 1.05), box["y"] + unit * (row + 1.05)

    page.mouse.move(*cell(2, 2))
    page.mouse.down()
    page.mouse.move(*cell(2, 6), steps=8)
    page.mouse.up()
    expect_total(page, 5 - 20)  # a rectangle of five, never escaped
    corner = page.locator(f'{PIECES}[data-key="cell-4,8"]')
    for mark in ("passage", "blank"):
        if page.evaluate("navigator.maxTouchPoints"):
            page.touchscreen.tap(*cell(4, 8))
        else:
            page.mouse.click(*cell(4, 8))
        expect(corner).to_have_attribute("aria-label", re.compile(mark))
    tap(page, "escape-0-1", "gems-plus")
    expect_total(page, 45)
    line(page, "second stage").click()
    expect(page.locator(f"{PIECES}.sheet .lit")).to_have_count(5)
    page.locator(f'{PIECES}[data-key="cell-2,6"]').focus()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Enter")
    expect_total(page, 46)
    page.keyboard.press("Enter")
    expect_total(page, 45)
    return 45


def demon(page: Page) -> int:
    tap(page, "advanced-game", "winner-0", "tray-open", "card-H1", "card-H1", "card-H1r", "tray-hand")
    tap(page, "attribute-D", "card-D2", "card-D3", "card-D4", "attribute-A", "card-A5", "card-A5")
    expect(page.locator(".unfinished").filter(visible=True)).to_contain_text("Not complete yet: A, hand")
    tap(page, "card-A5r", "attribute-I", "card-I1", "card-I1")
    expect_total(page, 1)
    tap(page, "tray-bonus", "attribute-A", "card-A5")
    expect_total(page, 4)
    line(page, "Bonus check").click()
    expect(at(page, "/players/0/hand/5")).to_have_class(re.compile(r"\blit\b"))
    at(page, "/players/0/open/0/2").click()
    expect(line(page, "Human 1 (red)")).to_have_class(re.compile(r"\bcounted\b"))
    return 4


def splendor(page: Page) -> int:
    tap(page, "points-3", "buy-red", "points-4", "buy-red", "buy-blue", "points-0", "buy-red", "nobles-plus")
    expect_total(page, 14)
    tap(page, "nobles-check", "noble-0-red")
    expect_total(page, 14)
    tap(page, "noble-0-red")
    expect_total(page, 14)  # the noble counts, and a note says which cards it still wants
    expect(page.get_by_role("region", name="Worth knowing")).to_contain_text("noble")
    tap(page, "undo", "token-gold-add")
    expect(page.locator('[data-key="token-gold-add"]')).to_have_attribute("aria-label", re.compile("1"))
    line(page, "Card: red").click()
    expect(at(page, "/players/0/cards/0")).to_have_class(re.compile(r"\blit\b"))
    expect_total(page, 14)
    return 14


def igna(page: Page) -> int:
    values = {kind: page.locator(f'[data-key="value-{kind}"]') for kind in ("same", "run", "mixed", "bonus")}
    if not values["same"].is_visible():
        tap(page, "fold-help-card")  # entered already, for the other size
    for field in values.values():
        field.fill("")
    tap(page, "number-3", "add-red", "add-red", "card-bonus", "add-red")
    expect(line(page, "red")).to_contain_text("?")
    for kind, points in (("same", 3), ("run", 2), ("mixed", 1), ("bonus", 4)):
        values[kind].fill(f"{points}")
    expect_total(page, 7)
    line(page, "onus").click()
    expect(at(page, "/players/0/sets/0/2")).to_have_class(re.compile(r"\blit\b"))
    page.goto(page.url.split("?")[0])
    expect(values["same"]).to_have_value("3")
    tap(page, "number-3", "add-red", "add-red", "card-bonus", "add-red")
    expect_total(page, 7)
    return 7


GAMES: dict[str, Callable[[Page], int]] = {
    "twelve-seekers": seekers,
    "in-the-ruin": ruin,
    "human-angel-demon": demon,
    "splendor": splendor,
    "igna": igna,
}


BOTH_SIZES = ("in-the-ruin", "splendor")
"""Games of which the widest editor and the one with most pieces stand for the others on a laptop."""


@pytest.mark.parametrize(
    "game", [game if game in BOTH_SIZES else pytest.param(game, marks=pytest.mark.size("phone")) for game in GAMES]
)
def test_tapped_in_handed_on_printed_and_scored(
    page: Page, browser: Browser, address: str, tmp_path: Path, game: str
) -> None:
    open_case(page, address, game)
    total = GAMES[game](page)
    assert page.evaluate("document.documentElement.scrollWidth <= document.documentElement.clientWidth")

    tap(page, "link")
    expect(page.get_by_role("img", name="QR code of the link")).to_be_visible()
    link = page.get_by_label("Link to this game").input_value()
    context = browser.new_context(locale="en-GB")
    other = context.new_page()
    other.goto(link)
    expect_total(other, total)
    pdf = other.pdf(prefer_css_page_size=True)
    assert pages(pdf) == 1
    expect(other.locator(".paper-player")).to_have_count(2)
    context.close()

    with page.expect_download() as download:
        tap(page, "json")
    path = tmp_path / "state.json"
    download.value.save_as(path)
    command = [sys.executable, "-m", "companion", "score", str(path), "--json"]
    scored = json.loads(subprocess.run(command, cwd=ROOT, check=True, capture_output=True).stdout)
    assert scored["players"][0]["total"] == total


@pytest.mark.size("phone")
def test_values_of_the_help_card_are_there_on_the_next_page_though_the_line_is_slow(page: Page, address: str) -> None:
    saved = "**/api/dispute/igna/saved"
    value = page.locator('[data-key="value-same"]')
    open_case(page, address, "igna")
    if not value.is_visible():
        tap(page, "fold-help-card")  # entered already, for another test
    page.route(saved, lambda route: None)
    value.fill("8")
    page.goto(f"{address}/dispute/igna?s=")  # at once
    expect(value).to_have_value("8")
    page.unroute(saved)


def seekers_state(**players: dict) -> dict:
    rows = [{"name": name, "gems": {"red": 2}, **fields} for name, fields in players.items()]
    return {"game": "twelve-seekers", "rule": 14, "players": rows}


@pytest.mark.size("laptop")
def test_color_cards_that_are_not_known_leave_the_total_open_and_the_others_points_stand(
    page: Page, address: str
) -> None:
    open_case(page, address, "twelve-seekers", seekers_state(A={"color_cards": ["red", "blue"]}, B={}))
    ranks = page.locator(".rank-total")
    expect(ranks.nth(0)).to_have_text("4")
    expect(ranks.nth(1)).to_have_text("?")
    tap(page, "gems-red-add")
    expect(ranks.nth(0)).to_have_text("6+2")
    expect(page.locator(".notes")).to_contain_text("B: 2 color cards lie face down or were not entered")
    expect(page.locator(".crown")).to_have_count(0)
    tap(page, "rank-1", "color-card-yellow")
    expect(page.locator('[data-key="color-card-red"]')).to_be_disabled()
    tap(page, "color-card-green")
    expect(ranks.nth(1)).to_have_text("0")  # its red gems are of neither color
    expect(page.locator(".winners")).to_have_text("Winner: A")
    tap(page, "color-card-green")
    expect(ranks.nth(1)).to_have_text("?")
    expect(page.locator(".points.stale")).to_have_count(0)


@pytest.mark.size("phone")
def test_gems_of_another_rule_lie_in_neither_place_until_they_are_put_there(page: Page, address: str) -> None:
    cards = {"A": {"color_cards": ["red", "blue"]}, "B": {"color_cards": ["green", "yellow"]}}
    open_case(page, address, "twelve-seekers", seekers_state(**cards))
    tap(page, "rules", "rule-19")
    neither = page.locator(".case-editor").get_by_text("In neither place yet")
    expect(neither).to_be_visible()
    expect(page.locator(".notes")).to_contain_text("A, B: 2 gems lie neither in the valid nor in the invalid place")
    tap(page, "valid-red-add", "invalid-red-add")
    expect(neither).to_have_count(0)
    expect(page.locator(".notes")).not_to_contain_text("A: 2 gems")


def test_a_line_shows_its_pieces_and_covers_nothing(page: Page, address: str) -> None:
    cards = {"A": {"color_cards": ["red", "blue"]}, "B": {"color_cards": ["green", "yellow"]}}
    open_case(page, address, "twelve-seekers", seekers_state(**cards))
    phone = page.evaluate("navigator.maxTouchPoints")
    line(page, "red").click()
    pieces = ".pieces-below .picture-count.lit" if phone else ".case-editor .counter.lit"
    expect(page.locator(pieces)).to_be_in_viewport()
    tap(page, "choice-plus-blue")
    expect_total(page, -4)
    tap(page, "link")
    expect(page.get_by_role("img", name="QR code of the link")).to_be_in_viewport(ratio=0.95)


@pytest.mark.size("phone")
@pytest.mark.parametrize("mark", ["o", "#"])
def test_a_stroke_goes_on_from_what_is_drawn_and_a_tap_wipes(page: Page, address: str, mark: str) -> None:
    open_case(page, address, "in-the-ruin")
    box = page.locator(".board .sheet").bounding_box()
    assert box

    def go(row: int, col: int) -> None:
        unit = box["width"] / 12.1
        page.mouse.move(box["x"] + unit * (col + 1.05), box["y"] + unit * (row + 1.05), steps=6)

    def stroke(*cells: tuple[int, int]) -> None:
        go(*cells[0])
        page.mouse.down()
        for cell in cells[1:]:
            go(*cell)
        page.mouse.up()

    def drawn() -> int:
        word = {"o": "passage", "#": "wall"}[mark]
        return page.locator(f'{PIECES}[data-key^="cell-"][aria-label*="{word}"]').count()

    tap(page, f"tool-{mark}")
    before = drawn()
    stroke((2, 2), (2, 6))
    assert drawn() == before + 5
    stroke((2, 6), (4, 6))  # a branch from the corner
    assert drawn() == before + 7
    stroke((2, 4), (2, 5), (2, 4))
    assert drawn() == before + 7
    stroke((2, 4))
    assert drawn() == before + 6
    tap(page, "tool-.")
    stroke((2, 2), (2, 6))
    assert drawn() == before + 2


@pytest.mark.size("phone")
def test_a_fresh_ruin_has_its_entrance_and_its_order_of_escape(page: Page, address: str) -> None:
    open_case(page, address, "in-the-ruin")
    expect(page.locator(f'{PIECES}[data-key="cell-5,5"]')).to_have_attribute("aria-label", re.compile("passage"))
    expect(page.locator(".notes")).to_contain_text("first")
    expect(page.locator(".notes")).not_to_contain_text("entrance")
    tap(page, "escape-0-1")
    expect_total(page, 31)
    tap(page, "escape-1-1")
    expect_total(page, 11)  # together: each is paid one place lower
    tap(page, "escape-0-never")
    expect_total(page, -19)
    tap(page, "stage-first", "first-blank")
    expect(page.locator(f'{PIECES}[data-key="cell-5,5"]')).to_have_attribute("aria-label", re.compile("passage"))


@pytest.mark.size("laptop")
def test_a_fresh_human_angel_demon_asks_who_goaled(page: Page, address: str) -> None:
    open_case(page, address, "human-angel-demon")
    expect(page.locator(".unfinished").filter(visible=True)).to_contain_text("Say first who reached the goal")
    expect(page.locator(".notes, .winners")).to_have_count(0)
    tap(page, "goaled", "card-H1")
    expect(at(page, "/players/0/hand/0")).to_be_visible()
    tap(page, "remove")
    expect(page.locator(".unfinished").filter(visible=True)).to_contain_text("Say first who reached the goal")
    tap(page, "winner--1")
    expect(page.locator(".notes")).to_contain_text("deck ran out")


@pytest.mark.size("laptop")
def test_what_the_rules_forbid_can_be_tapped_and_is_noted_and_a_winner_is_one_only_so_far(
    page: Page, address: str
) -> None:
    cards = [{"points": 5, "bonus": "red"}] * 3
    state = {"game": "splendor", "players": [{"name": "A", "cards": cards}, {"name": "B", "nobles": 1}]}
    open_case(page, address, "splendor", state)
    tap(page, *["nobles-plus"] * 3, *["reserved-plus"] * 4)
    tap(page, *[f"token-{color}-add" for color in ("red", "blue", "green") for _ in range(4)])
    expect_total(page, 24)
    expect(page.locator(".notes")).to_contain_text("12 tokens")
    expect(page.locator(".notes")).to_contain_text("4 kept cards")
    expect(page.locator(".winners")).to_contain_text("so far")
    tap(page, "round-over")
    expect(page.locator(".winners")).to_have_text("Winner: A")


@pytest.mark.size("laptop")
def test_even_four_full_sheets_print_on_one_page(page: Page, address: str) -> None:
    state = max((sample("in-the-ruin", Random(seed)) for seed in range(60)), key=lambda state: len(json.dumps(state)))
    assert len(state["players"]) == 4
    open_case(page, address, "in-the-ruin", state)
    assert pages(page.pdf(prefer_css_page_size=True)) == 1
    expect(page.locator(".paper-player")).to_have_count(4)


@pytest.mark.size("phone")
def test_a_gem_is_dragged_into_the_line_and_out_of_it(page: Page, address: str) -> None:
    players = [{"name": "A", "line": ["red", "blue", "red"]}]
    open_case(page, address, "twelve-seekers", {"game": "twelve-seekers", "rule": 10, "players": players})
    expect_total(page, 0)
    page.locator('[data-key="supply-red"]').drag_to(at(page, "/players/0/line/0"), target_position={"x": 4, "y": 20})
    expect_total(page, 2)
    page.locator('[data-drag="line:2"]').drag_to(page.locator('[data-key="name"]'))
    expect(page.locator(f"{PIECES}.line-zone .piece")).to_have_count(3)
    expect_total(page, 0)
    at(page, "/players/0/line/0").focus()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Delete")
    expect(page.locator(f"{PIECES}.line-zone .piece")).to_have_count(2)
    page.keyboard.press("Control+z")
    expect(page.locator(f"{PIECES}.line-zone .piece")).to_have_count(3)


@pytest.mark.size("phone")
def test_no_tap_is_lost_however_quick(page: Page, address: str) -> None:
    open_case(
        page, address, "twelve-seekers", {"game": "twelve-seekers", "rule": 3, "players": [{"name": "A", "gems": {}}]}
    )
    for _ in range(6):
        page.locator('[data-key="gems-red-add"]').click(no_wait_after=True)
        page.locator('[data-key="gems-yellow-add"]').click(no_wait_after=True)
    expect_total(page, 24)


@pytest.mark.size("phone")
def test_a_reading_is_a_switch_that_says_what_it_changes(page: Page, address: str) -> None:
    players = [{"name": "A", "line": ["red"] * 4}, {"name": "B", "line": []}]
    open_case(page, address, "twelve-seekers", {"game": "twelve-seekers", "rule": 8, "players": players})
    expect_total(page, 2)
    other = page.locator(".reading-option", has_text="+2 for A")
    other.click()
    expect_total(page, 4)
    expect(page.locator(".notes")).to_contain_text("House rule")
    expect(page.locator(".reading-option", has_text="−2 for A")).to_have_count(1)


@pytest.mark.size("phone")
def test_bad_files_and_addresses_get_one_line_and_nothing_is_lost(page: Page, address: str, tmp_path: Path) -> None:
    page.goto(f"{address}/dispute/splendor?s=nonsense")
    expect(page.get_by_role("alert")).to_contain_text("nonsense")
    tap(page, "points-4", "buy-red")
    expect_total(page, 4)
    bad = tmp_path / "state.json"
    for text, said in (("milk", "JSON"), ('{"game": "chess"}', "chess"), ('{"game": "igna", "players": 1}', "a list")):
        bad.write_text(text)
        page.locator('[data-key="fresh"]').scroll_into_view_if_needed()
        page.locator('[data-key="open"]').set_input_files(bad)
        expect(page.get_by_role("alert")).to_contain_text(said)
        expect(page.get_by_role("alert")).to_be_in_viewport()  # the file was given at the page's other end
        expect_total(page, 4)
    bad.write_text(json.dumps({"game": "igna", "players": [{"name": "Aoi", "sets": [["red1", "red1"]]}]}))
    page.locator('[data-key="open"]').set_input_files(bad)
    page.wait_for_url("**/dispute/igna?s=*")
    expect(page.locator(".unfinished").filter(visible=True)).to_contain_text("Aoi")


ODD = [
    {"game": "twelve-seekers"},
    {"game": "twelve-seekers", "rule": 99, "players": [{"gems": {"red": -3, "pink": 10**9}, "seekers": ["nobody"]}]},
    {"game": "twelve-seekers", "rule": 8, "players": [{"name": "A", "line": ["pink"], "choices": {"plus": ["red"]}}]},
    {
        "game": "in-the-ruin",
        "letters": {"AB": [99]},
        "players": [{"map": ["x"], "escaped": 10**9, "goals": [["Q"], []]}],
    },
    {
        "game": "human-angel-demon",
        "winner": "X",
        "bonus": [""],
        "players": [{"open": [[], ["Z9r"]], "hand": ["H1"] * 90}],
    },
    {"game": "splendor", "players": [{"cards": [{}, {"bonus": "pink"}], "nobles": 10**9, "tokens": {"pink": 3}}]},
    {"game": "igna", "points": {}, "players": [{"sets": [[], ["", {"number": 7}], ["朱200*"]]}]},
]


@pytest.mark.size("phone")
@pytest.mark.parametrize("state", ODD)
def test_odd_states_are_laid_out_all_the_same(page: Page, address: str, state: dict) -> None:
    open_case(page, address, state["game"], state)
    expect(page.locator(".unfinished").filter(visible=True)).to_be_visible()
    if state["game"] == "twelve-seekers":
        tap(page, "rule-7" if page.locator('[data-key="rule-7"]').is_visible() else "rules")
    for key in ("rank-add", "link"):
        tap(page, key)


@pytest.mark.size("phone")
def test_a_reload_keeps_the_case_and_the_shelf_leads_to_it(page: Page, address: str) -> None:
    page.goto(address)
    page.locator("summary", has_text="Splendor").click()
    page.get_by_role("link", name="Enter by hand").locator("visible=true").click()
    tap(page, "points-5", "buy-green", "rank-add")
    page.locator('[data-key="name"]').fill("Chiyo")
    page.wait_for_url("**?s=*")
    page.wait_for_timeout(500)
    page.reload()
    expect(page.locator(".rank", has_text="Chiyo")).to_be_visible()
    expect_total(page, 5)


@pytest.mark.size("laptop")
def test_a_choice_that_no_longer_can_be_made_is_shown_and_taken_back(page: Page, address: str) -> None:
    player = {"name": "A", "gems": {"green": 1, "blue": 2}, "choices": {"plus": "red"}}
    open_case(page, address, "twelve-seekers", {"game": "twelve-seekers", "rule": 13, "players": [player]})
    expect(page.locator('.choice-row.asked [data-key="choice-plus-red"]')).to_have_attribute("aria-pressed", "true")
    tap(page, "choice-plus-open")
    expect_total(page, 2)


@pytest.mark.size("phone")
def test_what_was_marked_goes_with_its_letter_and_comes_back(page: Page, address: str) -> None:
    map_ = ["." * 11] * 5 + [".....o....."] + ["." * 11] * 5
    player = {"name": "A", "map": map_, "destinations": ["A", "B"], "goals": [["A", "B"], ["A", "C"]], "escaped": None}
    letters = {"A": [1, 1], "B": [3, 3], "C": [2, 2]}
    open_case(page, address, "in-the-ruin", {"game": "in-the-ruin", "letters": letters, "players": [player]})
    tap(page, "tool-letter", "letter-B")
    page.locator(f'{PIECES}[data-key="cell-3,3"]').click()
    expect(page.locator(".goal-card")).to_have_text("A–C")
    tap(page, "no-letters")
    expect(page.locator(".goal-card")).to_have_count(0)
    expect_total(page, -19)  # a square of the entrance alone
    tap(page, "undo", "undo")
    expect(page.locator(".goal-card")).to_have_text(["A–B", "A–C"])


@pytest.mark.size("laptop")
def test_the_items_that_win_are_asked_of_whoever_has_opened_three_sets_of_items(page: Page, address: str) -> None:
    items = [["I1", "I1", "I1r"], ["I2", "I2", "I2"], ["I3", "I3", "I3"]]
    state = {"game": "human-angel-demon", "advanced": True, "winner": None, "players": [{"name": "A", "open": items}]}
    open_case(page, address, "human-angel-demon", state)
    expect(page.locator(".winners")).to_have_text("Winner: A")
    tap(page, "fold-item-win", "item-win-2")
    expect(page.locator(".winners")).to_have_text("No winner yet.")
    at(page, "/players/0/open/2/0").click()
    tap(page, "act-remove")
    expect(page.locator('[data-key="fold-item-win"]')).to_have_count(0)


GOAL = {"open": [["H1", "H1", "H1"]], "hand": ["D2", "D3", "D4", "A5", "A5", "A5", "I1", "I1"]}


def goaled(**fields: object) -> dict:
    players = [{"name": "A", **GOAL}, {"name": "B", "points": 4}, {"name": "C"}]
    return {"game": "human-angel-demon", "winner": "A", "players": players, **fields}


@pytest.mark.parametrize("winner", ["winner-1", "winner--1"])
@pytest.mark.size("phone")
def test_a_slip_at_who_goaled_loses_nothing(page: Page, address: str, winner: str) -> None:
    state = goaled(won_by="discard", discarder="B")
    state["players"][0].update(ready=True, winning_card="A5")
    open_case(page, address, "human-angel-demon", state)
    expect_total(page, 1)
    tap(page, winner)
    expect(page.locator('[data-key="hand-clear"]')).to_be_visible()
    page.wait_for_timeout(500)  # the address is written
    page.reload()
    tap(page, "winner-0")
    expect_total(page, 1)
    expect(page.locator('[data-key="discarder-1"]')).to_have_attribute("aria-pressed", "true")
    tap(page, "winner-1", "hand-clear")
    expect(at(page, "/players/0/hand/0")).to_have_count(0)


@pytest.mark.parametrize("fields", [{}, {"won_by": "discard"}, {"won_by": "discard", "discarder": "A"}])
@pytest.mark.size("laptop")
def test_how_it_was_goaled_is_asked_while_it_is_not_said(page: Page, address: str, fields: dict) -> None:
    open_case(page, address, "human-angel-demon", goaled(**fields))
    asked = page.locator(".choice-line.asked")
    expect(asked).to_contain_text("With which card?")
    expect(asked.locator('[aria-pressed="true"]')).to_have_count(0)
    tap(page, "discarder--1")
    expect_total(page, 1)
    expect(asked).to_have_count(0)


@pytest.mark.size("phone")
def test_a_goal_by_discard_is_led_to_its_end(page: Page, address: str) -> None:
    open_case(page, address, "human-angel-demon", goaled(won_by="discard", discarder="B"))
    tap(page, "ready")
    hand = page.locator('[data-tray="hand"].asked')
    expect(hand).to_contain_text("Tap the card with which it was won")
    at(page, "/players/0/hand/3").click()
    tap(page, "act-winning")
    expect_total(page, 1)
    expect(hand).to_have_count(0)


@pytest.mark.size("laptop")
def test_the_values_kept_are_offered_only_where_others_stand(page: Page, address: str) -> None:
    values = {"same": 3, "run": 2, "mixed": 1, "bonus": 4}
    state = {"game": "igna", "points": values, "players": [{"name": "A", "sets": [["red1", "red1", "red1"]]}]}
    open_case(page, address, "igna", state)
    if not page.locator('[data-key="value-same"]').is_visible():
        tap(page, "fold-help-card")
    kept = page.locator('[data-key="use-kept"]')
    for points in (5, 6):
        page.locator('[data-key="value-same"]').fill(f"{points}")
        expect_total(page, points)
        expect(kept).to_have_count(0)
    tap(page, "undo")
    expect(kept).to_be_visible()
    kept.click()
    expect_total(page, 6)


MAP = ["." * 11] * 5 + [".....o....."] + ["." * 11] * 5
NUMBERS = {  # a field: its game, a case, its range
    "value-same": (
        "igna",
        {"points": {"same": 3, "run": 2, "mixed": 1, "bonus": 4}, "players": [{"name": "A", "sets": [["red1"] * 3]}]},
        "0 to 99",
    ),
    "first-square": ("in-the-ruin", {"players": [{"name": "A", "map": MAP, "first_map": MAP}]}, "0 to 121"),
}


@pytest.mark.parametrize("key", NUMBERS)
@pytest.mark.size("phone")
def test_a_number_that_stands_in_its_field_is_the_one_that_counts(page: Page, address: str, key: str) -> None:
    game, state, bounds = NUMBERS[key]
    open_case(page, address, game, {"game": game, **state})
    field = page.locator(f'[data-key="{key}"]')
    if game == "igna" and not field.is_visible():
        tap(page, "fold-help-card")
    if key == "first-square":
        tap(page, "stage-first")
    note = page.locator(".field-note").filter(visible=True)
    field.fill("２１")
    expect(field).to_have_value("21")
    for text in ("-5", "2.5", "１００0", "x", "-"):
        field.fill(text)
        expect(field).to_have_attribute("aria-invalid", "true")
        expect(field).to_have_value(text)
        expect(note).to_have_text(f"A whole number from {bounds}. Until then 21 counts.")
        field.blur()
        expect(field).to_have_value("21")
        expect(note).to_have_text(f"Expected a whole number from {bounds}, got “{text}”.")
        expect(field).to_have_attribute("aria-invalid", "false")
    field.fill("-5")
    tap(page, "undo")
    expect(field).not_to_have_value("-5")
    expect(note).to_contain_text("got “-5”")
    field.fill("7")
    expect(note).to_have_count(0)


@pytest.mark.size("laptop")
@pytest.mark.parametrize(("said", "words"), HEADLINES)
def test_the_headline_names_who_won_and_by_what(page: Page, address: str, said: dict, words: str) -> None:
    state = {
        "game": "human-angel-demon",
        "players": [{"name": "Aki", "points": 5}, {"name": "Bo", "points": 9}],
        **said,
    }
    state["players"][0]["open"] = state.pop("open", [])
    open_case(page, address, "human-angel-demon", state)
    expect(page.locator(".finish h2")).to_have_text(words)


@pytest.mark.size("laptop")
def test_the_next_match_is_the_advanced_game_too(page: Page, address: str) -> None:
    rows = [{"name": "Aki", "points": 24}, {"name": "Bo", "points": 9}]
    state = {"game": "human-angel-demon", "advanced": True, "winner": None, "players": rows}
    open_case(page, address, "human-angel-demon", state)
    tap(page, "new-game")
    expect(page.locator('[aria-label="Points before"] output').first).to_have_text("0")
    expect(page.locator('[data-key="advanced-game"]')).to_be_checked()


MOST_HEAD = 4
"""Lines above the points, at most: a player's sign and a long name."""


def test_eight_long_names_stand_above_their_points_and_are_not_stacked_letter_by_letter(
    page: Page, address: str
) -> None:
    names = [
        "Alexandra-Wilhelmina",
        "Bartholomew Featherstone",
        "さくらこ・ひめかわ・長い名前",
        "卓上の長い名前の遊び手",
        *"EFGH",
    ]
    players = [{"name": name, "gems": {"red": 1} if name in "E" else {}} for name in names]
    open_case(page, address, "twelve-seekers", {"game": "twelve-seekers", "rule": 1, "players": players})
    head = page.locator(".finish thead tr")
    assert head.evaluate("row => row.offsetHeight / parseFloat(getComputedStyle(row).lineHeight)") < MOST_HEAD + 1
    assert page.locator(".finish thead th").last.evaluate("cell => cell.offsetWidth") < 60  # short names stay narrow


@pytest.mark.size("phone")
def test_what_takes_a_seeker_and_what_judges_its_turn_are_called_differently(page: Page, address: str) -> None:
    page.goto(f"{address}/dispute/twelve-seekers")
    for fold in ("seekers", "bonuses"):
        page.locator(f'[data-key="fold-{fold}"]').click()
    pair = ("Power 2: take 2; +2 for one kind", "Turns that may pay +2: Power 2: take 2; +2 for one kind")
    for name in pair:
        expect(page.get_by_role("button", name=name, exact=True)).to_have_count(1)


COUNTS_SOUNDS = """
  window.sounds = 0;
  window.AudioContext = class extends AudioContext { constructor() { super(); window.sounds++; } };
"""


@pytest.mark.size("phone")
def test_who_plays_alone_is_told_the_mark_and_a_sound_is_played_where_it_is_wanted(page: Page, address: str) -> None:
    page.add_init_script(COUNTS_SOUNDS)
    rows = [{"name": "Aki", "map": ["." * 11] * 11, "first_square": 12, "gems": 3, "escaped": 9}]
    open_case(page, address, "in-the-ruin", {"game": "in-the-ruin", "goes_on": False, "players": rows})
    total = int(page.locator("#total").inner_text())
    expect(page.locator(".finish .decided")).to_contain_text(f"300: {300 - total} short of it")
    expect(page.locator(".crown")).to_have_count(0)  # who misses it has not won
    switch = page.locator('[data-key="fanfare"]')
    for pressed, sounds in (("true", 1), ("false", 1), ("true", 2)):
        switch.click()
        expect(switch).to_have_attribute("aria-pressed", pressed)
        assert page.evaluate("sounds") == sounds
    page.reload()
    expect(switch).to_have_attribute("aria-pressed", "true")
