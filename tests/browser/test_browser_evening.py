"""An evening at the table: from a new game to the final table in few taps, the same game on every device."""

from __future__ import annotations

import csv
import json
import re
from pathlib import Path
from secrets import token_hex
from urllib.parse import parse_qs, urlsplit

import cv2
import demo_sheets as demo
import numpy as np
import pytest
from playwright.sync_api import Browser, Page, Route, expect
from test_browser_ruin import CUT, send

MOST_RUIN = 16
MOST_SHORT_GAME = 31
"""Taps from a new game to its final table: two players of In the Ruin; a short game of Human Angel Demon."""


class Taps:
    """Taps controls by their selector, and counts."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.n = 0

    def __call__(self, *selectors: str) -> None:
        for selector in selectors:
            self.page.locator(selector).first.click()
            self.n += 1

    def keys(self, *keys: str) -> None:
        self(*(f'[data-key="{key}"]' for key in keys))


def begin_ruin(page: Page, address: str) -> None:
    """A saved sheet, and the game's home."""
    page.goto(f"{address}/in-the-ruin/")
    page.get_by_role("link", name="Try the demo sheet").first.click()
    page.get_by_role("button", name="Save and read a filled sheet").click(timeout=60_000)
    expect(page.locator("#total")).to_be_visible(timeout=60_000)
    page.goto(f"{address}/in-the-ruin/")


@pytest.mark.size("phone")
def test_two_players_of_in_the_ruin_from_a_new_game_to_the_final_table(
    page: Page, address: str, tmp_path: Path
) -> None:
    begin_ruin(page, address)
    taps = Taps(page)
    taps("#start")
    photos = [tmp_path / f"{player}.jpg" for player in range(2)]
    for player, photo in enumerate(photos):
        cv2.imwrite(str(photo), demo.filled_photo(player=player)[0])
    page.locator("#files").set_input_files(photos)
    taps.n += 1  # choosing photos
    expect(page.locator(".rank")).to_have_count(3, timeout=60_000)
    expect(page.locator(".upload")).to_have_count(0, timeout=60_000)
    for player in range(2):
        taps(f".rank >> nth={player}")
        taps.keys("tab-questions", *(f"letter-{letter}" for letter in "ACBD"[2 * player : 2 * player + 2]))
        page.locator('[data-key="first-square"]').fill("12")
        taps.n += 1
        page.locator('[data-key="first-square"]').press("Enter")
    expect(page.locator(".crown")).to_have_count(0)
    taps(".escape-row >> nth=0 >> .key >> nth=0", ".escape-row >> nth=1 >> .key >> nth=1")
    expect(page.locator(".finish h2")).to_contain_text("wins")  # the result opens by itself
    expect(page.locator(".finish h2")).to_be_in_viewport(ratio=1)
    expect(page.locator(".finish .decided")).to_be_in_viewport(ratio=1)
    expect(page.locator('.finish [data-key="new-game"]')).to_be_in_viewport(ratio=1)
    expect(page.locator(".map")).to_be_hidden()
    assert taps.n <= MOST_RUIN
    table = page.locator(".finish .score-table")
    expect(table.locator("tfoot")).to_be_in_viewport(ratio=1)
    sums = [
        sum(int(cell.replace("−", "-")) for cell in table.locator(f"tbody td:nth-child({column})").all_inner_texts())
        for column in (2, 3)
    ]
    assert [int(total.replace("−", "-")) for total in table.locator("tfoot td").all_inner_texts()] == sums
    with page.expect_download() as saved:
        page.locator('[data-key="image"]').click()
    picture = cv2.imread(str(saved.value.path()))
    assert saved.value.suggested_filename == "in-the-ruin.png"
    assert min(picture.shape[:2]) > 400
    assert np.ptp(picture) > 150
    totals = table.locator("tfoot td").all_inner_texts()
    with page.expect_download() as saved:
        page.locator('[data-key="csv"]').click()
    rows = list(csv.reader(saved.value.path().read_text("utf-8-sig").splitlines()))
    assert [len(row) for row in rows] == [3] * len(rows)
    assert rows[-1][1:] == [total.replace("−", "-") for total in totals]
    taps.keys("new-game")
    expect(page.locator(".rank")).to_have_count(3)
    expect(page.locator(".finish")).to_have_count(0)


ONE_LATE_ANSWER = """() => {
    const send = window.fetch;
    window.fetch = async (...asked) => {
        window.fetch = send;
        const answer = await send(...asked);
        await new Promise((on) => setTimeout(on, 300));
        return answer;
    };
}"""


@pytest.mark.size("phone")
def test_a_short_game_and_the_next_one_with_a_single_tap(page: Page, address: str) -> None:
    page.goto(f"{address}/dispute/human-angel-demon")
    taps = Taps(page)
    taps.keys("advanced-game", "winner-1")
    expect(page.locator(".rank.on")).to_contain_text("B")  # whose hand it is
    page.evaluate(ONE_LATE_ANSWER)  # who is tapped before it is known what was taken back is shown all the same
    taps.keys("undo", "winner-0")
    expect(page.locator(".rank.on")).to_contain_text("A")
    taps.n -= 2
    taps.keys("tray-open", "card-H1", "card-H1", "card-H1r", "tray-hand")
    taps.keys("attribute-D", "card-D2", "card-D3", "card-D4", "attribute-A", "card-A5", "card-A5", "card-A5r")
    taps.keys("attribute-I", "card-I1", "card-I1", "tray-bonus", "attribute-A", "card-A5")
    expect(page.locator("#total")).to_have_text("4")
    assert taps.n <= MOST_SHORT_GAME
    low = "card => (card.scrollIntoView({ block: 'end' }), card.click())"
    page.locator('[data-place="/players/0/hand/1"]').first.evaluate(low)
    expect(page.locator('[data-key="act-remove"]')).to_be_in_viewport()
    other = page.context.new_page()
    other.goto(page.url)
    taps.n = 0
    taps.keys("next-short-game")
    assert taps.n == 1
    next_game = other.locator('a[data-key="next-short-game"]')  # begun already: nobody begins it twice
    expect(next_game).to_have_attribute("href", re.compile("/evenings/games/"))
    other.close()
    expect(page.locator('[aria-label="Short game no."] output').first).to_have_text("2")
    expect(page.locator('[aria-label="Points before"] output').first).to_have_text("4")
    expect(page.locator("[data-total]")).to_have_text(["4", "0"])  # those of the match, until this one is counted
    expect(page.locator(".laid-set, .tray-cards .piece")).to_have_count(0)
    page.goto(f"{address}/evenings/")
    expect(page.get_by_text("short game 1").first).to_be_visible()


@pytest.mark.size("phone")
def test_who_begins_is_said_with_one_tap_and_known_in_the_next_short_games(page: Page, address: str) -> None:
    players = [{"name": name, "points": 0, "open": []} for name in ("Aki", "Bo", "Chie")]
    state = {"game": "human-angel-demon", "short_game": 2, "players": players}
    game = token_hex(8)
    send(page, f"{address}/api/evenings/games/{game}", {"state": state, "new": True})
    page.goto(f"{address}/evenings/games/{game}")
    begins = page.get_by_role("group", name="Who begins this short game?").locator('[aria-pressed="true"]')
    expect(begins).to_have_count(0)  # nobody has said it
    page.locator('[data-key="begins-0"]').click()
    expect(begins).to_have_text("Aki")
    for name in ("Bo", "Chie"):
        page.locator('[data-key="winner--1"]').click()
        page.locator('[data-key="next-short-game"]').click()
        expect(begins).to_have_text(name)
    page.locator('[data-key="winner--1"]').click()
    expect(page.locator("#total")).to_have_text("0")  # it is no part of the points


ENDED = {
    "splendor": ({"round_over": True}, {"cards": [{"points": 5, "bonus": "red"}] * 3, "nobles": 0}),
    "human-angel-demon": ({"short_game": 6, "winner": None}, {"points": 8, "open": []}),
    "twelve-seekers": ({"rule": 1, "goes_on": False}, {"gems": {"red": 3}}),
}
"""Games that are over, and what one player has; the other has nothing."""


@pytest.mark.parametrize("game", ENDED)
def test_a_game_that_is_over_opens_with_its_result_on_top(page: Page, address: str, game: str) -> None:
    said, has = ENDED[game]
    none = {key: 0 if type(value) is int else type(value)() for key, value in has.items()}
    state = {"game": game, **said, "players": [{"name": "Mika", **has}, {"name": "Jun", **none}]}
    kept = token_hex(8)
    send(page, f"{address}/api/evenings/games/{kept}", {"state": state, "new": True})
    page.goto(f"{address}/evenings/games/{kept}")
    expect(page.locator(".finish h2")).to_contain_text("Mika wins")
    expect(page.locator(".finish h2")).to_be_in_viewport(ratio=1)
    expect(page.locator('[data-key="to-result"]')).to_have_count(0)
    assert page.evaluate("scrollY") == 0


@pytest.mark.size("phone")
def test_what_decided_is_something_that_the_winner_has(page: Page, address: str) -> None:
    sets = [["H3", "H4", "H5"], ["I2", "I2", "I2r"]]
    hand = ["A1", "A2r", "A3", "D6", "D6", "D6r", "H7", "H7"]
    hana = {"name": "Hana", "ready": True, "points": 4, "open": sets, "hand": hand, "winning_card": "H7"}
    state = {
        **{"game": "human-angel-demon", "advanced": True, "short_game": 6, "bonus": ["H3", "A7"]},
        **{"winner": "Hana", "won_by": "discard", "discarder": "Ken"},
        "players": [hana, {"name": "Ken", "points": 9, "open": [["D1", "D2", "D3"]]}],
    }
    kept = token_hex(8)
    send(page, f"{address}/api/evenings/games/{kept}", {"state": state, "new": True})
    page.goto(f"{address}/evenings/games/{kept}")
    # The discarder's loss parted them most: of Hana's points it is none.
    expect(page.locator(".finish .decided")).to_contain_text("2 of Hana's 8 points")


@pytest.mark.parametrize("wide", [0, 320])
def test_who_has_won_is_in_sight_where_the_last_thing_was_tapped(page: Page, address: str, wide: int) -> None:
    if wide:
        page.set_viewport_size({"width": wide, "height": 568})
    cards = [{"points": 5, "bonus": "red"}] * 3
    people = ("Mika", "Jun", "Ken", "Aki")
    players = [{"name": name, "cards": cards[n > 0 :], "nobles": 0} for n, name in enumerate(people)]
    kept = token_hex(8)
    body = {"state": {"game": "splendor", "players": players}, "new": True}
    send(page, f"{address}/api/evenings/games/{kept}", body)
    page.goto(f"{address}/evenings/games/{kept}")
    expect(page.locator("[data-total]").first).to_have_text("15")
    assert [name for name in page.locator(".rank-name").evaluate_all(CUT) if wide] == []
    page.locator('[data-key="round-over"]').click()
    told = page.locator('[data-key="to-result"]')
    expect(told).to_contain_text("Mika wins")
    expect(told).to_be_in_viewport(ratio=1)
    told.click()
    expect(page.locator(".finish h2")).to_be_in_viewport(ratio=1)
    expect(told).to_be_in_viewport(ratio=1)
    page.locator('[data-key="round-over"]').click()  # it was not over
    expect(told).to_have_count(0)


@pytest.mark.size("phone")
def test_a_tapped_game_is_so_far_until_somebody_says_that_all_is_there(page: Page, address: str) -> None:
    page.goto(f"{address}/dispute/twelve-seekers")
    page.locator(".counter-add").first.click()
    expect(page.locator(".winners")).to_contain_text("so far")
    expect(page.locator(".crown, .finish")).to_have_count(0)
    page.locator('[data-key="over"]').click()
    expect(page.locator(".finish h2")).to_contain_text("wins")
    expect(page.locator(".ranking .crown")).to_have_count(1)
    page.locator('[data-key="undo"]').click()
    expect(page.locator(".crown, .finish")).to_have_count(0)


@pytest.mark.size("phone")
def test_who_plays_alone_sees_the_mark_and_their_own_best(page: Page, address: str) -> None:
    name = f"Solo {token_hex(3)}"
    for first, said in [
        (10, "first game alone"),
        (30, "A new best of your own, by 20: until now 261"),
        (20, "Your own best so far: 281"),
        (30, "As many as your own best so far"),
    ]:
        sheet = {"map": ["o" * 11] * 11, "first_square": first, "gems": 10, "escaped": 9}
        state = {"game": "in-the-ruin", "goes_on": False, "players": [{"name": name, **sheet}]}
        game = token_hex(8)
        send(page, f"{address}/api/evenings/games/{game}", {"state": state, "was": None, "new": True})
        page.goto(f"{address}/evenings/games/{game}")
        expect(page.locator(".finish h2")).to_contain_text(f"{251 + first}")
        expect(page.locator(".finish .decided")).to_contain_text(f"The mark for one player is 300: {49 - first} short")
        expect(page.locator(".finish .own-best")).to_contain_text(said)


@pytest.mark.size("phone")
def test_an_earlier_evenings_game_is_handed_to_bg_stats_with_its_date(page: Page, address: str) -> None:
    players = [{"name": name, "gems": {"red": n}} for n, name in enumerate("AB", 2)]
    state = {"game": "twelve-seekers", "rule": 1, "players": players}
    game = {"id": "0123456789abcdef", "begun": 1700000000, "match": None, "state": state}
    evening = {"kind": "table-companion-evening", "version": 1, "games": [game]}
    page.goto(f"{address}/evenings/")
    file = {"name": "evening.json", "mimeType": "application/json", "buffer": json.dumps(evening).encode()}
    page.locator("#import").set_input_files(file)
    page.locator(f'a[href*="{game["id"]}"]').click()
    link = page.locator('[data-key="bg-stats"]').get_attribute("href")
    play = json.loads(parse_qs(urlsplit(link).query)["data"][0])
    assert play["playDate"].startswith("2023-11-14 ")
    assert play["game"] == {
        "name": "Twelve Seekers", "sourceGameId": "twelve-seekers", "highestWins": True, "noPoints": False
    }  # fmt: skip
    check_form(play)
    assert "durationMin" not in play  # nobody knows how long it took
    assert play["players"] == [
        {"name": "A", "sourcePlayerId": "A", "score": 2, "rank": 2, "winner": False, "startPlayer": False},
        {"name": "B", "sourcePlayerId": "B", "score": 3, "rank": 1, "winner": True, "startPlayer": False},
    ]


FORM = {
    "play": (
        {"sourceName": str, "sourcePlayId": str, "playDate": str, "game": dict, "players": list},
        {"durationMin": int, "location": str, "board": str, "comments": str},
    ),
    "game": (
        {"name": str, "sourceGameId": str},
        {"bggId": int, "highestWins": bool, "noPoints": bool},
    ),
    "player": (
        {"name": str, "sourcePlayerId": str, "startPlayer": bool, "winner": bool},
        {"score": int, "rank": int, "role": str, "team": str},
    ),
}
"""What must and what may stand in a play, each with its type: the fields of the page below, as programs that name it
send them; of each player `startPlayer` and `winner`, without which the app for Android reads nothing (github.com/
lindsaykwardell/clocktracker, pull request 299: "No value for startPlayer"). `playDate` is the end, in UTC.

https://www.bgstatsapp.com/support/push-plays-to-bg-stats-from-other-apps-or-websites/
"""


def check_form(play: dict) -> None:
    """A play as BG Stats takes it."""
    parts = [("play", play), ("game", play["game"]), *(("player", one) for one in play["players"])]
    for name, part in parts:
        must, may = FORM[name]
        assert must.keys() <= part.keys() <= must.keys() | may.keys()
        assert [key for key, value in part.items() if type(value) is not (must | may)[key]] == []
    assert re.fullmatch(r"\d{4}-\d\d-\d\d \d\d:\d\d:\d\d", play["playDate"])


UTC = "new Date().toISOString().slice(0, 19).replace('T', ' ')"


@pytest.mark.size("phone")
def test_a_game_that_ended_on_this_page_is_handed_on_with_its_length_and_places(page: Page, address: str) -> None:
    page.clock.install()
    page.goto(f"{address}/dispute/twelve-seekers")
    page.locator(".counter-add").first.click()
    expect(page.locator(".winners")).to_contain_text("so far")
    page.clock.fast_forward(47 * 60 * 1000)
    began = page.evaluate(UTC)
    page.locator('[data-key="over"]').click()
    link = page.locator('[data-key="bg-stats"]').get_attribute("href")
    play = json.loads(parse_qs(urlsplit(link).query)["data"][0])
    check_form(play)
    assert play["durationMin"] == 47
    assert began <= play["playDate"] <= page.evaluate(UTC)
    assert [(one["rank"], one["winner"]) for one in play["players"]] == [(1, True), (2, False)]


@pytest.mark.size("phone")
def test_a_place_is_typed_once_and_goes_to_bg_stats_with_later_games_too(page: Page, address: str) -> None:
    players = [{"name": name, "gems": {"red": n}} for n, name in enumerate("AB", 2)]
    state = {"game": "twelve-seekers", "rule": 1, "players": players}
    then = [{"id": token_hex(8), "begun": begun, "match": None, "state": state} for begun in (1700000000, 1710000000)]
    file = {"kind": "table-companion-evening", "version": 1, "games": then}
    send(page, f"{address}/api/evenings/import", file)

    def place(game: str) -> str | None:
        page.goto(f"{address}/evenings/games/{game}")
        link = page.locator('[data-key="bg-stats"]').get_attribute("href")
        play = json.loads(parse_qs(urlsplit(link).query)["data"][0])
        check_form(play)
        location: str | None = play.get("location")
        return location

    earlier, later = (game["id"] for game in then)
    assert place(later) is None
    page.locator('[data-key="where"]').click()
    page.locator('[data-key="place"]').fill("Café 札幌")
    expect(page.locator('[data-key="where"]')).to_have_text("Where: Café 札幌")
    expect(page.locator('[data-key="bg-stats"]')).to_have_attribute("href", re.compile("location"))
    tonight = token_hex(8)
    send(page, f"{address}/api/evenings/games/{tonight}", {"state": {**state, "goes_on": False}, "new": True})
    assert [place(game) for game in (earlier, later, tonight)] == [None, "Café 札幌", "Café 札幌"]
    page.locator('[data-key="where"]').click()
    page.locator('[data-key="place"]').fill("")
    assert [place(game) for game in (later, tonight)] == ["Café 札幌", None]


@pytest.mark.size("phone")
def test_who_began_a_match_is_handed_on(page: Page, address: str) -> None:
    players = [{"name": name, "points": points, "open": []} for name, points in (("Aki", 5), ("Bo", 9))]
    state = {"game": "human-angel-demon", "short_game": 6, "start": "Bo", "winner": None, "players": players}
    game = token_hex(8)
    send(page, f"{address}/api/evenings/games/{game}", {"state": state, "new": True})
    page.goto(f"{address}/evenings/games/{game}")
    link = page.locator('[data-key="bg-stats"]').get_attribute("href")
    play = json.loads(parse_qs(urlsplit(link).query)["data"][0])
    check_form(play)
    assert [one["startPlayer"] for one in play["players"]] == [False, True]


@pytest.mark.size("phone")
def test_eight_long_japanese_names_fit_into_the_link_to_bg_stats(page: Page, address: str) -> None:
    names = [chr(0x5C71 + k) * 40 for k in range(8)]
    players = [{"name": name, "sets": [[f"red{k}"] * 3] if k < 7 else []} for k, name in enumerate(names, 1)]
    players[7]["sets"] = [["blue1"] * 3, ["blue2"] * 3, ["blue3"] * 3, ["blue4"] * 3]
    state = {"game": "igna", "points": {"same": 3}, "players": players}
    page.goto(f"{address}/dispute/igna")
    file = {"name": "state.json", "mimeType": "application/json", "buffer": json.dumps(state).encode()}
    page.locator('[data-key="open"]').set_input_files(file)
    link = page.locator('[data-key="bg-stats"]').get_attribute("href")
    assert len(link) < 8000
    check_form(json.loads(parse_qs(urlsplit(link).query)["data"][0]))
    assert [one["name"] for one in json.loads(parse_qs(urlsplit(link).query)["data"][0])["players"]] == names


@pytest.mark.size("phone")
def test_a_card_whose_answer_was_lost_is_there_once(page: Page, address: str, browser: Browser) -> None:
    page.goto(f"{address}/dispute/human-angel-demon")
    Taps(page).keys("tray-open", "card-H1")
    expect(page).to_have_url(re.compile("kept="))
    context = browser.new_context(locale="en-GB", service_workers="block")
    other = context.new_page()
    other.goto(page.url)

    def lost(route: Route) -> None:
        route.fetch()
        context.set_offline(True)
        route.abort()

    other.route("**/api/evenings/games/*", lost, times=1)
    Taps(other).keys("tray-open", "card-H2")
    expect(page.locator(".laid-set .piece")).to_have_count(2)
    Taps(page).keys("tray-open", "card-H3")
    context.set_offline(False)
    for device in (page, other):
        expect(device.locator(".laid-set .piece")).to_have_count(3)
    context.close()


@pytest.mark.size("phone")
def test_a_card_whose_answer_went_with_the_companion_is_there_once(page: Page, address: str) -> None:
    page.goto(f"{address}/dispute/human-angel-demon")
    Taps(page).keys("tray-open", "card-H1")
    expect(page).to_have_url(re.compile("kept="))

    asked: list[str] = []

    def killed(route: Route) -> None:
        """What it kept stays; it ends before it answers."""
        asked.append(route.request.url)
        answer = route.fetch()
        if len(asked) == 1:
            route.abort()
        else:
            route.fulfill(response=answer)

    page.route("**/api/evenings/games/*", killed)
    Taps(page).keys("tray-open", "card-H2")
    Taps(page).keys("tray-open", "card-H3")
    while len(asked) < 3:  # lost, said once more, the next
        page.wait_for_timeout(100)
    expect(page.locator(".laid-set .piece")).to_have_count(3)


@pytest.mark.size("phone")
def test_what_found_no_room_is_not_said_to_be_lost_once_it_is_kept(page: Page, address: str) -> None:
    page.goto(f"{address}/dispute/human-angel-demon")
    full = {"error": {"key": "problem.disk-full", "message": "The disk is full."}}
    page.route("**/api/evenings/games/*", lambda route: route.fulfill(status=507, json=full))
    Taps(page).keys("tray-open", "card-H1")
    expect(page.get_by_role("alert")).to_have_text("The disk is full.")
    page.unroute("**/api/evenings/games/*")
    expect(page.get_by_role("alert")).to_have_count(0)
    page.reload()
    expect(page.locator(".laid-set .piece")).to_have_count(1)


@pytest.mark.size("phone")
def test_a_card_whose_answer_comes_after_the_news_of_anothers_is_there_once(
    page: Page, address: str, browser: Browser
) -> None:
    page.goto(f"{address}/dispute/human-angel-demon")
    Taps(page).keys("tray-open", "card-H1")
    expect(page).to_have_url(re.compile("kept="))
    with browser.new_context(locale="en-GB", service_workers="block") as context:
        other = context.new_page()
        other.goto(page.url)
        expect(other.locator(".laid-set .piece")).to_have_count(1)

        def late(route: Route) -> None:
            answer = route.fetch()
            Taps(page).keys("tray-open", "card-H3")
            expect(page.locator(".laid-set .piece")).to_have_count(3)
            other.wait_for_timeout(1500)  # the news comes within a tick
            route.fulfill(response=answer)

        other.route("**/api/evenings/games/*", late, times=1)
        Taps(other).keys("tray-open", "card-H2")
        for device in (other, page):
            expect(device.locator(".laid-set .piece")).to_have_count(3)
        other.wait_for_timeout(1000)
        for device in (other, page):
            expect(device.locator(".laid-set .piece")).to_have_count(3)


def kept(page: Page) -> str:
    """The id of the game on a page; its address follows what is tapped after a while."""
    expect(page).to_have_url(re.compile("kept="))
    return page.url.rpartition("kept=")[2]


def at_an_ended_game(page: Page, address: str, browser: Browser) -> Page:
    """A tapped game that is over, and a page of another device on which it is shown."""
    page.goto(f"{address}/dispute/twelve-seekers")
    Taps(page).keys("gems-red-add", "over")
    expect(page).to_have_url(re.compile("kept="))
    other = browser.new_context(locale="en-GB", service_workers="block").new_page()
    other.goto(page.url)
    expect(other.locator('[data-key="new-game"]')).to_be_visible()
    return other


def muted(route: Route) -> None:
    """Nothing is heard of other devices; what this one enters arrives."""
    route.abort() if route.request.method == "GET" else route.continue_()


@pytest.mark.size("phone")
@pytest.mark.parametrize("seen", [True, False])
def test_a_new_game_pressed_on_two_devices_is_one_game(page: Page, address: str, browser: Browser, seen: bool) -> None:
    other = at_an_ended_game(page, address, browser)
    context = other.context
    if not seen:  # pressed before the news of the other's game came
        context.route("**/api/evenings/games/**", muted)
        other.reload()
    Taps(page).keys("new-game", "gems-blue-add")
    expect(page.locator('[data-place="/players/0/gems/blue"]').first).to_contain_text("1")
    begun = kept(page)
    if seen:
        expect(other.locator('a[data-key="new-game"]')).to_have_attribute("href", re.compile("/evenings/games/"))
    Taps(other).keys("new-game")
    expect(other).to_have_url(re.compile(begun))
    context.unroute_all()
    expect(other.locator('[data-place="/players/0/gems/blue"]').first).to_contain_text("1")
    Taps(other).keys("gems-blue-add")
    expect(page.locator('[data-place="/players/0/gems/blue"]').first).to_contain_text("2")
    page.goto(f"{address}/evenings/")
    assert page.locator(f'a[href*="{begun}"]').count() == 1
    context.close()


@pytest.mark.size("phone")
def test_what_was_entered_in_a_new_game_without_a_line_is_not_lost_to_anothers(
    page: Page, address: str, browser: Browser
) -> None:
    other = at_an_ended_game(page, address, browser)
    context = other.context
    context.set_offline(True)
    Taps(other).keys("new-game", "gems-red-add", "gems-red-add")
    with page.expect_response("**/api/evenings/games/*"):
        Taps(page).keys("new-game")
    own = kept(other)
    with other.expect_response(lambda answer: answer.url.endswith(own) and "number" in answer.json()):
        context.set_offline(False)
    expect(other.locator('[data-place="/players/0/gems/red"]').first).to_contain_text("2")
    context.close()


@pytest.mark.size("phone")
def test_a_game_that_was_deleted_is_said_to_be_so_and_comes_back_only_where_it_is_wanted(
    page: Page, address: str, browser: Browser
) -> None:
    page.goto(f"{address}/dispute/twelve-seekers")
    Taps(page).keys("gems-red-add")
    game = kept(page)
    with browser.new_context(locale="ja-JP") as context:
        other = context.new_page()
        other.goto(page.url)
        asked = f"{address}/api/evenings/games/{game}"
        page.context.request.delete(asked, headers={"X-Companion": "1"})
        expect(page.get_by_role("alert")).to_contain_text("This game was deleted.")
        expect(other.get_by_role("alert")).to_contain_text("このゲームは削除されました。")
        red = '[data-place="/players/0/gems/red"]'
        for device in (page, other):
            Taps(device).keys("gems-red-add")
            expect(device.locator(red)).to_contain_text("2")
            expect(device.get_by_role("alert")).to_be_visible()
        assert page.context.request.get(asked).status == 404
        Taps(page).keys("keep-again")
        expect(page.get_by_role("alert")).to_have_count(0)
        Taps(page).keys("gems-blue-add")
        Taps(other).keys("keep-again")
        for device in (page, other):
            expect(device.locator('[data-place="/players/0/gems/blue"]')).to_contain_text("1")
            expect(device.locator(red)).to_contain_text("2")
            expect(device.get_by_role("alert")).to_have_count(0)
        page.context.request.delete(asked, headers={"X-Companion": "1"})
        page.reload()  # as one who opens the page's address later
        expect(page.get_by_role("alert")).to_contain_text("This game was deleted.")
        context.set_offline(True)
        Taps(other).keys("gems-green-add")
        context.set_offline(False)
        expect(other.get_by_role("alert").filter(has_text="このゲームは削除されました。")).to_be_visible()
        expect(other.locator('[data-place="/players/0/gems/green"]')).to_contain_text("1")


@pytest.mark.size("phone")
def test_a_game_begun_without_a_line_is_kept_after_the_page_was_opened_anew(page: Page, address: str) -> None:
    page.route("**/api/evenings/games/*", lambda route: route.abort())
    page.goto(f"{address}/dispute/twelve-seekers")
    Taps(page).keys("gems-red-add")
    expect(page).to_have_url(re.compile("kept="))
    page.unroute("**/api/evenings/games/*")
    page.reload()
    game = parse_qs(urlsplit(page.url).query)["kept"][0]
    page.wait_for_function("async (at) => (await fetch(at)).ok", arg=f"/api/evenings/games/{game}")
    expect(page.get_by_role("alert")).to_have_count(0)


MOST_TABS = 120
"""Steps of the keyboard from one key of a page to any other."""


def reach(page: Page, *keys: str, press: str = "Enter") -> None:
    """Go to each with Tab and press it: whoever has no mouse sees where they are, and gets everywhere."""
    for key in keys:
        for _ in range(MOST_TABS):
            page.keyboard.press("Tab")
            at, seen = page.evaluate(
                """() => [document.activeElement.dataset.key ?? document.activeElement.id,
                          getComputedStyle(document.activeElement).outlineStyle !== 'none'
                            || document.activeElement.matches('body, .only-read')]"""
            )
            assert seen, (at, page.evaluate("document.activeElement.outerHTML"))
            if at == key:
                break
        else:
            raise AssertionError(f"{key} is out of reach")
        page.keyboard.press(press)


@pytest.mark.size("laptop")
def test_the_keyboard_alone_plays_a_game_to_its_end_and_begins_the_next(page: Page, address: str) -> None:
    page.goto(f"{address}/dispute/twelve-seekers")
    reach(page, "rule-1", "rank-add", "name")
    page.keyboard.type("Chie")
    reach(page, "color", press="ArrowDown")
    expect(page.locator(".rank.on")).to_have_class(re.compile("player-3"))
    reach(page, "gems-red-add", "rank-1", "gems-blue-add", "gems-blue-add", "gems-blue-less", "gems-blue-add", "over")
    expect(page.locator(".finish h2")).to_contain_text("B wins")
    reach(page, "undo", "over", "new-game")
    expect(page.locator(".finish")).to_have_count(0)
    expect(page.locator(".rank.player-3")).to_contain_text("Chie")
    page.goto(f"{address}/dispute/splendor")
    reach(page, "name")
    page.keyboard.press("Control+A")
    page.keyboard.type("Chie")
    expect(page.locator(".rank.on")).to_have_class(re.compile("player-3"))
    reach(page, "round-over", press="Space")
    over = page.locator('[data-key="round-over"]')
    for keys, on in (("Control+z", False), ("Control+y", True), ("Control+Z", False), ("Control+Shift+Z", True)):
        page.keyboard.press(keys)
        expect(over).to_be_checked(checked=on)
    reach(page, "buy-red", "/players/0/cards/0", "act-remove")
    expect(page.locator(".player-card button:focus")).to_have_count(1)  # nobody is thrown back to the page's top


@pytest.mark.size("laptop")
def test_a_color_goes_with_the_player_who_is_renamed_and_is_not_kept_for_the_seat(page: Page, address: str) -> None:
    page.goto(f"{address}/dispute/igna")
    page.locator('[data-key="color"]').select_option("7")
    expect(page.locator(".rank.on")).to_have_class(re.compile("player-7"))
    page.locator('[data-key="name"]').press("Control+A")
    with page.expect_response(f"{address}/api/people"):
        page.keyboard.type("Dora")
        page.keyboard.press("Tab")
    expect(page.locator(".rank.on")).to_have_class(re.compile("player-7"))
    expect(page.locator(".rank.on")).to_contain_text("Dora")
    page.goto(f"{address}/dispute/splendor")
    expect(page.locator(".rank.player-7")).to_have_count(0)
    page.locator('[data-key="name"]').fill("Dora")
    expect(page.locator(".rank.on")).to_have_class(re.compile("player-7"))


@pytest.mark.size("laptop")
def test_two_devices_see_one_game_and_a_photo_moves_to_its_place(page: Page, address: str, browser: Browser) -> None:
    begin_ruin(page, address)
    page.locator(".list a").first.click()
    context = browser.new_context(locale="ja-JP")
    other = context.new_page()
    other.goto(page.url)
    page.locator(".escape-row >> nth=0 >> .key >> nth=0").click()
    expect(other.locator(".escape-row >> nth=0 >> .key.on")).to_have_count(1)
    expect(other.locator(".toast")).to_have_count(0)
    other.locator('[data-key="undo"]').click()
    expect(other.locator(".toast")).to_contain_text("取り消しました")
    expect(page.locator(".escape-row .key.on")).to_have_count(0)
    move = page.locator(".photo-menu select").first
    move.select_option(label="Player 1: First stage")
    expect(page.locator(".toast")).to_contain_text("now Player 1’s (First stage)")
    expect(page.locator(".segment.on .dot")).to_have_count(1)
    expect(page.locator(".segment.on")).to_contain_text("First stage")
    page.locator('[data-key^="drop-"]').first.click()
    expect(page.locator(".photo-thumb")).to_have_count(1)
    page.locator('[data-key="undo"]').click()
    expect(page.locator(".photo-thumb")).to_have_count(2)
    page.locator(".photo-menu select").first.select_option(label="New player: First stage")
    expect(page.locator(".toast")).to_contain_text(re.compile(r"now Player \d’s \(First stage"))
    expect(page.locator(".rank")).to_have_count(4)
    page.locator('[data-key="undo"]').click()
    expect(page.locator(".toast")).to_contain_text("Taken back: the photo")
    expect(page.locator(".rank")).to_have_count(3)
    context.close()


@pytest.mark.size("laptop")
def test_a_tapped_game_is_one_game_on_every_device(page: Page, address: str, browser: Browser) -> None:
    page.goto(f"{address}/dispute/twelve-seekers")
    Taps(page).keys("rule-3", "gems-red-add")
    expect(page).to_have_url(re.compile("kept="))
    context = browser.new_context(locale="en-GB")
    other = context.new_page()
    other.goto(f"{address}/dispute/twelve-seekers?{page.url.split('&')[-1]}")  # as it is opened to send what waits
    expect(other.locator("[data-total]")).to_have_text(["2", "0"])
    expect(other.locator(".last-case")).to_have_count(0)
    other.goto(address)
    other.get_by_role("link", name="Go on with your game").click()

    def stands(*totals: str) -> None:
        for device in (page, other):
            expect(device.locator("[data-total]")).to_have_text(totals)

    stands("2", "0")
    Taps(other).keys("rank-1", "gems-green-add")
    stands("2", "1")
    powers = other.locator("summary", has_text="Seekers taken")
    powers.click()
    context.set_offline(True)
    Taps(other).keys("gems-green-add", "seeker-1")
    expect(other.locator("[role=alert]")).to_be_visible()
    page.locator("summary", has_text="Seekers taken").click()
    # The same player's gems and seekers; the companion hears of them before it hears of what waits there.
    with page.expect_response(
        lambda answer: "/games/" in answer.url and '"blue":1' in (answer.request.post_data or "")
    ):
        Taps(page).keys("gems-red-add", "rank-1", "seeker-2", "gems-blue-add")
    context.set_offline(False)
    stands("4", "1")
    expect(powers).to_contain_text("power 3")
    Taps(page).keys("undo", "undo")  # what came last from this computer, which is one device on all its pages
    stands("4", "0")
    expect(powers).to_contain_text("power 2")
    Taps(page).keys("undo")
    Taps(other).keys("undo", "undo", "undo")
    stands("2", "0")
    other.reload()
    stands("2", "0")
    Taps(other).keys("over")
    expect(page.locator(".finish")).to_be_visible()
    Taps(page).keys("new-game")
    begun = other.locator('a[data-key="new-game"]')  # begun already: nobody begins it twice
    expect(begun).to_have_text("On to the next game")
    begun.click()
    Taps(other).keys("gems-red-add")
    expect(page.locator(".counter-n").first).to_have_text("1")
    context.close()
