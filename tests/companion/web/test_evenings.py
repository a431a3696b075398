"""Evenings: what was tapped is kept and listed, an evening goes out as a file and comes in again."""

from __future__ import annotations

import re
import time
from collections import Counter
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from acting import GAME, Page

from companion.cases import evenings
from companion.cases.evaluate import scored
from companion.cases.evenings import Evenings, Played, Tap
from companion.cases.results import Results
from companion.cases.store import Store
from companion.cases.tapped import steps
from companion.web import create_app
from companion.web.evenings.evenings_page import LONGEST_LINE, LONGEST_NAME, MOST_LISTED, MOST_PLAYERS
from scoring import Breakdown

ONE, OTHER, MATCH = "1" * 16, "2" * 16, "a" * 16
NOON = 1_700_049_600.0


def seekers(a: int, b: int, rule: int = 1) -> dict[str, Any]:
    rows = [{"name": "Aki", "gems": {"red": a}}, {"name": "Ben", "gems": {"red": b}}]
    return {"game": "twelve-seekers", "rule": rule, "players": rows}


def keep(page: Page, game: str, state: Any, **more: Any) -> int:
    return page.post(f"/api/evenings/games/{game}", {"state": state, **more}).status_code


def test_a_tapped_game_is_kept_as_it_is_now_and_opened_again(page: Page) -> None:
    assert keep(page, ONE, seekers(1, 0)) == 200
    assert keep(page, ONE, seekers(3, 1)) == 200
    listed = page.get("/evenings/").text
    assert listed.count("Twelve Seekers") == 5  # the game, what deletes it, what to show, who wins at it, and by what
    assert "Winner: Aki" in listed
    opened = page.get(f"/evenings/games/{ONE}", follow_redirects=True)
    assert '"red":3' in opened.text
    assert f"kept={ONE}" in opened.request.url
    fresh = page.get("/dispute/twelve-seekers").text
    assert f"/evenings/games/{ONE}" in fresh
    assert page.client.delete(f"/api/evenings/games/{ONE}", headers={"X-Companion": "1"}).status_code == 200
    assert page.get(f"/evenings/games/{ONE}").status_code == 404


def tap(page: Page, state: Any, was: Any, **more: Any) -> dict[str, Any]:
    """As a page says it: the first change of a game says that it is new."""
    said = {"state": state, "was": was, "new": was is None, **more}
    answer: dict[str, Any] = page.post(f"/api/evenings/games/{ONE}", said).json
    return answer


def test_what_two_devices_tapped_on_the_same_state_is_put_together(page: Page) -> None:
    address = f"/api/evenings/games/{ONE}"
    assert page.get(address).status_code == page.get(f"{address}/events").status_code == 404
    assert tap(page, seekers(1, 0), None)["state"] == seekers(1, 0)
    assert tap(page, seekers(2, 0), seekers(1, 0))["state"] == seekers(2, 0)
    late = tap(page, seekers(1, 3), seekers(1, 0))
    assert late == page.get(address).json
    assert (late["state"], late["number"], late["next"]) == (seekers(2, 3), 3, None)


def test_what_comes_a_second_time_counts_once(page: Page) -> None:
    tap(page, seekers(1, 0), None, once="a" * 16)
    for _ in range(2):
        tap(page, seekers(2, 0), seekers(1, 0), once="b" * 16)
        tap(page, seekers(2, 1), seekers(2, 0), once="c" * 16)
    assert tap(page, seekers(9, 9), None, once="a" * 16)["state"] == seekers(2, 1)  # the answer was lost
    assert page.get(f"/api/evenings/games/{ONE}").json["number"] == 3


def test_a_page_that_still_shows_a_deleted_game_does_not_bring_it_back_unless_it_is_wanted(page: Page) -> None:
    address, was = f"/api/evenings/games/{ONE}", seekers(1, 0)
    tap(page, was, None)
    page.client.delete(address, headers={"X-Companion": "1"})
    assert page.post(address, {"state": seekers(2, 0), "was": was}).status_code == 404
    assert page.post(address, {"kind": "undo"}).status_code == 404
    wanted = tap(page, seekers(2, 0), was, again=True)
    assert (wanted["state"], wanted["steps"]) == (seekers(2, 0), {"undo": [0, "gems"], "redo": None})
    assert tap(page, seekers(1, 5), was, again=True)["state"] == seekers(2, 5)  # another device wanted it too


def test_each_device_takes_back_what_it_tapped_and_a_restart_forgets_nothing(tmp_path: Path) -> None:
    evenings = Evenings(Store(tmp_path))
    states = seekers(1, 0), seekers(2, 0), seekers(2, 1), seekers(3, 1)
    for by, (was, now) in zip(("phone", "laptop", "phone"), pairwise(states), strict=True):
        evenings.tap(ONE, by, Tap(now, was, new=by == "phone" and now == states[1]))
    anew = Evenings(Store(tmp_path))

    def step(by: str, kind: str) -> Any:
        played = anew.tap(ONE, by, Tap(kind=kind))
        assert played is not None
        return played.state

    def known(by: str) -> dict[str, Any]:
        there = anew.with_log(ONE)
        assert there is not None
        played, log = there
        return steps(log, played.state or {}, by)

    assert known("laptop") == {"undo": [1, "gems"], "redo": None}
    assert known("tablet") == {"undo": None, "redo": None}
    assert step("tablet", "undo") == seekers(3, 1)
    assert step("laptop", "undo") == seekers(3, 0)
    assert step("phone", "undo") == seekers(2, 0)
    assert step("phone", "undo") == seekers(1, 0)
    assert known("phone") == {"undo": None, "redo": [0, "gems"]}
    assert step("laptop", "redo") == seekers(1, 1)
    assert [step("phone", "redo") for _ in range(3)] == [seekers(2, 1), seekers(3, 1), seekers(3, 1)]


def test_a_games_log_has_an_end_and_says_so(page: Page, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("companion.cases.evenings.MOST_EVENTS", 3)
    address, states = f"/api/evenings/games/{ONE}", [seekers(n, 0) for n in range(5)]
    tap(page, states[0], None)
    for was, now in pairwise(states[:3]):
        tap(page, now, was)
    for body in ({"state": states[3], "was": states[2]}, {"kind": "undo"}):
        refused = page.post(address, body)
        assert (refused.status_code, refused.json["error"]["key"]) == (507, "problem.full")
    assert page.get(address).json["state"] == states[2]


def test_changes_of_one_stroke_are_taken_back_together(page: Page) -> None:
    stroke = "5" * 16
    tap(page, seekers(1, 0), None)
    for n in (1, 2, 3):
        tap(page, seekers(1 + n, 0), seekers(n, 0), stroke=stroke)
    tap(page, seekers(4, 1), seekers(4, 0), stroke="6" * 16)
    undone = [page.post(f"/api/evenings/games/{ONE}", {"kind": "undo"}).json for _ in range(2)]
    assert [one["state"] for one in undone] == [seekers(4, 0), seekers(1, 0)]
    assert undone[1]["steps"] == {"undo": None, "redo": [0, "gems"]}
    assert page.post(f"/api/evenings/games/{ONE}", {"kind": "redo"}).json["state"] == seekers(4, 0)


def test_what_is_typed_on_after_a_stroke_was_taken_back_is_said_anew(page: Page) -> None:
    tap(page, seekers(1, 0), None)
    tap(page, seekers(2, 0), seekers(1, 0), stroke="5" * 16)
    page.post(f"/api/evenings/games/{ONE}", {"kind": "undo"})
    typed = tap(page, seekers(3, 0), seekers(1, 0), stroke="5" * 16)
    assert typed["steps"] == {"undo": [0, "gems"], "redo": None}


def test_a_log_that_an_older_program_did_not_go_on_with_is_no_hindrance(tmp_path: Path) -> None:
    evenings = Evenings(Store(tmp_path))
    evenings.tap(ONE, "phone", Tap(seekers(2, 0), seekers(1, 0), new=True))
    without = {**seekers(5, 0), "players": []}
    evenings.keep(ONE, without)  # as a program does that knows of no log
    there = evenings.with_log(ONE)
    assert there is not None
    assert steps(there[1], without, "phone") == {"undo": None, "redo": None}
    undone, tapped = (evenings.tap(ONE, "phone", one) for one in (Tap(kind="undo"), Tap(seekers(6, 0), without)))
    assert [one and one.state for one in (undone, tapped)] == [without, seekers(6, 0)]


def test_a_photographed_game_is_no_tapped_one(tmp_path: Path) -> None:
    store = Store(tmp_path)
    play = store.start_play("in-the-ruin", "")
    evenings = Evenings(store)
    assert evenings.tap(play, "phone", Tap(seekers(2, 0), seekers(1, 0), new=True)) is None
    evenings.forget(play)
    assert [one["id"] for one in store.plays("in-the-ruin")] == [play]
    assert store.edits(play) == []


def test_what_is_taken_back_in_a_short_game_goes_on_into_the_next(page: Page) -> None:
    first = short_game(1, 0)
    corrected = {**first, "players": [{**first["players"][0], "points": 3}, first["players"][1]]}
    keep(page, ONE, first, match=MATCH)
    keep(page, OTHER, short_game(2, 1), match=MATCH)

    def points() -> Any:
        return page.get(f"/api/evenings/games/{OTHER}").json["state"]["players"][0]["points"]

    tap(page, corrected, first, match=MATCH)
    assert points() == 4
    page.post(f"/api/evenings/games/{ONE}", {"kind": "undo"})
    assert points() == 1


def test_a_short_game_says_where_the_next_one_of_its_match_is(page: Page) -> None:
    for game in (ONE, OTHER):
        keep(page, game, seekers(1, 0), match=MATCH)
    nexts = [page.get(f"/api/evenings/games/{game}").json["next"] for game in (ONE, OTHER)]
    assert nexts == [f"/evenings/games/{OTHER}", None]


def test_a_new_game_begun_on_two_devices_is_one_game(page: Page) -> None:
    def begin(game: str, last: str | None = ONE, **more: Any) -> Any:
        state = {"state": seekers(0, 0), "was": None, "new": True, "once": game, "last": last, **more}
        answer = page.post(f"/api/evenings/games/{game}", state).json
        return "kept" if "state" in answer else answer["next"]

    keep(page, ONE, seekers(1, 0))
    keep(page, "4" * 16, seekers(2, 0))
    third = "3" * 16
    assert begin(OTHER) == begin(OTHER) == "kept"  # the answer to the first may have been lost
    assert begin(third) == begin(third, match=MATCH) == f"/evenings/games/{OTHER}"
    assert page.get(f"/api/evenings/games/{ONE}").json["next"] == f"/evenings/games/{OTHER}"
    assert page.get(f"/api/evenings/games/{third}").status_code == 404
    assert begin(third, None) == begin("5" * 16, "4" * 16) == "kept"  # entered already; after another game
    page.client.delete(f"/api/evenings/games/{OTHER}", headers={"X-Companion": "1"})
    assert begin("6" * 16) == "kept"
    assert keep(page, ONE, seekers(1, 0), last="x") == 400


def test_a_game_of_an_earlier_evening_leads_to_no_other(page: Page, monkeypatch: pytest.MonkeyPatch) -> None:
    keep(page, ONE, seekers(1, 0))
    keep(page, OTHER, seekers(0, 0), last=ONE)
    monkeypatch.setattr("companion.cases.evenings.ONE_EVENING", 0.0)
    assert page.get(f"/api/evenings/games/{ONE}").json["next"] is None
    assert keep(page, "3" * 16, seekers(0, 0), last=ONE) == 200
    assert page.get(f"/evenings/games/{'3' * 16}").status_code == 302


def short_game(n: int, points: int, titles: tuple[str, ...] = ("H1",) * 3) -> dict[str, Any]:
    """A short game that Aki won with an opened set, and a bonus check that hits a pair in the hand."""
    hand = ["D2", "D3", "D4", "A5", "A5", "A5", "I1", "I1"]
    rows = [{"name": "Aki", "points": points, "open": [[*titles]], "hand": hand}, {"name": "Ben", "points": 0}]
    game = {"game": "human-angel-demon", "short_game": n, "winner": "Aki", "won_by": "take", "players": rows}
    return game


THIRD = "3" * 16


@pytest.mark.parametrize(
    ("corrected", "points"),
    [
        (short_game(1, 0) | {"bonus": ["I2"]}, [0, 1, 2]),
        (short_game(1, 0) | {"bonus": ["I1"]}, [0, 3, 4]),
        (short_game(1, 0, ("H1", "H1")), [0, 1, 2]),  # half way through a correction
        (short_game(5, 0) | {"bonus": ["I1"]}, [0, 1, 2]),  # no earlier short game
    ],
)
def test_a_correction_of_a_short_game_counts_in_those_after_it(
    page: Page, corrected: dict[str, Any], points: list[int]
) -> None:
    for game, n in ((ONE, 1), (OTHER, 2), (THIRD, 3)):
        keep(page, game, short_game(n, n - 1), match=MATCH)
    keep(page, OTHER, short_game(2, 1) | {"players": short_game(2, 1)["players"][::-1]}, match=MATCH)
    keep(page, ONE, corrected, match=MATCH)
    states = [page.get(f"/api/evenings/games/{game}").json["state"] for game in (ONE, OTHER, THIRD)]
    assert [row["points"] for state in states for row in state["players"] if row["name"] == "Aki"] == points


def test_only_the_last_short_game_of_a_match_waits_for_a_winner(page: Page) -> None:
    for n, game in enumerate((ONE, OTHER, THIRD), 1):
        keep(page, game, short_game(n, n - 1), match=MATCH)
    assert page.get("/evenings/").text.count("no winner yet") == 1


def test_who_comes_in_is_led_to_the_tapped_game_that_was_begun_last(page: Page) -> None:
    assert "Go on with what is played now" not in page.get("/").text
    keep(page, ONE, seekers(1, 0))
    assert f"/evenings/games/{ONE}" in page.get("/").text


def test_half_a_game_is_listed_and_stops_nobody(page: Page) -> None:
    keep(page, ONE, {"game": "twelve-seekers", "players": [{"name": "Aki"}]})
    keep(page, OTHER, {"game": "human-angel-demon", "short_game": 2, "players": []}, match=MATCH)
    listed = page.get("/evenings/").text
    assert listed.count("not complete") == 2
    assert "short game 2" in listed


@pytest.mark.parametrize(
    ("game", "body", "status"),
    [
        (ONE, {"state": {"game": "chess"}}, 422),
        (ONE, {"state": None}, 422),
        (ONE, {"state": seekers(1, 1), "match": "x"}, 400),
        ("../x", {"state": seekers(1, 1)}, 404),
        ("0" * 15, {"state": seekers(1, 1)}, 400),
    ],
)
def test_what_is_no_game_is_not_kept(page: Page, game: str, body: dict[str, Any], status: int) -> None:
    assert page.post(f"/api/evenings/games/{game}", body).status_code == status
    assert "No game yet" in page.get("/evenings/").text


def test_an_evening_goes_out_as_a_file_and_comes_in_once(page: Page, tmp_path: Path) -> None:
    keep(page, ONE, seekers(3, 1))
    keep(page, OTHER, {"game": "igna", "players": [{"name": "Aki", "sets": [["red3", "red3", "red3"]]}]}, match=MATCH)
    address = page.get("/evenings/").text.split('href="/evenings/2')[1].split('"')[0]
    file = page.get(f"/evenings/2{address}").json
    other = Page(create_app(tmp_path / "other").test_client())
    assert other.post("/api/evenings/import", file).json == {"taken": 2, "known": 0}
    assert other.post("/api/evenings/import", file).json == {"taken": 0, "known": 2}
    assert other.get(f"/evenings/2{address}").json == file


@pytest.mark.parametrize(
    ("body", "said"),
    [
        ({}, "something else"),
        ([], "something else"),
        ({"kind": "table-companion-evening", "version": 1, "games": [{}]}, "something else"),
        ({"kind": "table-companion-evening", "version": 2, "games": []}, "something else"),
        ({"kind": "x", "version": 1, "games": []}, "something else"),
        ({"kind": "table-companion-sheet", "version": 1, "name": "x"}, "this is a sheet profile"),
        ({"kind": "table-companion-evenings", "version": 1, "games": []}, "this is the file of many evenings"),
    ],
)
def test_a_file_that_is_no_evening_is_refused_in_one_line_and_nothing_is_taken(
    page: Page, body: Any, said: str
) -> None:
    refused = page.post("/api/evenings/import", body)
    assert refused.status_code == 400
    assert "file of an evening was expected" in refused.json["error"]["message"]
    assert said in refused.json["error"]["message"]
    good = {"id": ONE, "begun": NOON, "match": None, "state": seekers(1, 0)}
    mixed = {"kind": "table-companion-evening", "version": 1, "games": [good, {**good, "id": OTHER, "state": {}}]}
    assert page.post("/api/evenings/import", mixed).status_code == 422
    assert "No game yet" in page.get("/evenings/").text


def evening(*games: dict[str, Any]) -> dict[str, Any]:
    return {"kind": "table-companion-evening", "version": 1, "games": list(games)}


def tapped(number: int, **more: Any) -> dict[str, Any]:
    return {"id": f"{number:016x}", "begun": NOON + number, "match": None, "state": seekers(1, 0), **more}


@pytest.mark.parametrize(
    ("odd", "said"),
    [
        (tapped(2, begun=time.time() + 2 * 86400), "in the future"),
        (tapped(1), "one game twice"),
        (tapped(2, state={**seekers(1, 0), "players": [{"name": "x" * (LONGEST_NAME + 1)}]}), "characters"),
        (tapped(2, state={**seekers(1, 0), "players": [{"name": f"{i}"} for i in range(MOST_PLAYERS + 1)]}), "players"),
        (tapped(2, begun=2**40), "file of an evening"),
        (tapped(2, begun=True), "file of an evening"),
    ],
)
def test_one_odd_game_in_a_file_and_none_of_it_is_taken(page: Page, odd: dict[str, Any], said: str) -> None:
    refused = page.post("/api/evenings/import", evening(tapped(1), odd))
    assert refused.status_code == 400
    assert said in refused.json["error"]["message"]
    assert "No game yet" in page.get("/evenings/").text


def test_a_file_that_does_not_fit_in_any_more_leaves_nothing_behind(
    page: Page, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(evenings, "MOST_GAMES", 3)
    assert page.post("/api/evenings/import", evening(tapped(1))).status_code == 200
    assert page.post("/api/evenings/import", evening(*map(tapped, (2, 3, 4)))).status_code == 507
    assert page.get("/evenings/").text.count("Winner: Aki") == 1
    assert keep(page, ONE, seekers(0, 1)) == 200  # there is still room for a game of one's own


def test_an_evening_is_deleted_with_one_choice_and_the_others_stay(page: Page) -> None:
    page.post("/api/evenings/import", evening(tapped(1), tapped(2), tapped(3, begun=NOON - 5 * 86400)))
    sent = {"X-Companion": "1"}
    assert page.client.delete("/api/evenings/2023-11-15", headers=sent).status_code == 200
    listed = page.get("/evenings/").text
    assert "2023-11-15" not in listed
    assert listed.count("Winner: Aki") == 1
    for day in ("2023-11-15", "yesterday", "%27"):
        assert page.client.delete(f"/api/evenings/{day}", headers=sent).status_code == 404


def test_what_was_deleted_is_in_no_file_of_the_database(page: Page, tmp_path: Path) -> None:
    keep(page, ONE, {"game": "twelve-seekers", "players": [{"name": "Zaphod"}]})
    page.post("/api/people", {"name": "Zaphod", "color": 1})
    held = [path for path in (tmp_path / "data").glob("companion.sqlite3*") if b"Zaphod" in path.read_bytes()]
    assert held
    page.client.delete(f"/api/evenings/games/{ONE}", headers={"X-Companion": "1"})
    page.client.delete("/api/people?name=Zaphod", headers={"X-Companion": "1"})
    assert not [path for path in held if b"Zaphod" in path.read_bytes()]


def test_what_is_tapped_in_another_game_is_never_written_over_one(page: Page) -> None:
    tap(page, seekers(1, 0), None)
    assert tap(page, {"game": "igna", "players": []}, seekers(1, 0))["state"] == seekers(1, 0)
    assert page.get(f"/api/evenings/games/{ONE}").json["state"] == seekers(1, 0)


def test_photographed_games_stand_among_the_others_and_the_next_begins_with_the_same_players(
    page: Page,
) -> None:
    play = page.start()
    page.tell(play, kind="add-player", player="aki", name="Aki")
    page.tell(play, kind="by-hand", player="aki", stage="end")
    listed = page.get("/evenings/").text
    assert f"/in-the-ruin/plays/{play}" in listed
    assert f'data-forget="{GAME}/plays/{play}"' in listed
    sheet = page.view(play)["sheet"]["file"]
    after = page.post(f"{GAME}/plays", {"sheet": sheet, "players": play}).json["play"]
    view = page.view(after)
    assert [one["name"] for one in view["players"]] == ["Aki"]
    assert (view["case"]["state"], view["steps"]["undo"]) == (None, None)
    assert page.post(f"{GAME}/plays", {"sheet": sheet, "players": play}).json["play"] == after  # from another device
    assert page.post(f"{GAME}/plays", {"sheet": sheet, "players": after}).json["play"] not in (play, after)
    assert page.post(f"{GAME}/plays", {"sheet": sheet}).json["play"] not in (play, after)


def shelf(tmp_path: Path, games: list[Played]) -> Results:
    """The results of these games, which were tapped."""
    store = Store(tmp_path / "data")
    kept = Evenings(store)
    results = Results(store, kept)
    kept.keep_all(games)
    results.take([])
    return results


def played(n: int, state: dict[str, Any], begun: float = NOON) -> Played:
    return Played(f"{n:016x}", "tapped", begun, state["game"], state)


def over(a: int, b: int, rule: int = 1) -> dict[str, Any]:
    return {**seekers(a, b, rule), "goes_on": False}


def test_an_evening_goes_on_past_midnight(tmp_path: Path) -> None:
    games = [played(hours, seekers(1, 0), NOON + hours * 3600) for hours in range(48)]
    listed, _ = shelf(tmp_path, games).listed(100)
    days = Counter(one.day for one in listed)
    assert max(days.values()) == 24
    assert all(one.day == game.evening for one, game in zip(listed, reversed(games), strict=True))


def test_statistics_tell_who_wins_under_which_rule(tmp_path: Path) -> None:
    unfinished = {"game": "twelve-seekers", "players": [{"name": "Aki"}]}
    states = [over(3, 1), over(2, 1, 2), over(0, 1, 2), unfinished]
    results = shelf(tmp_path, [played(n, state) for n, state in enumerate(states)])
    assert [(one.name, one.played, one.won) for one in results.standings()] == [("Aki", 3, 2), ("Ben", 3, 1)]
    assert [*results.by_rule()[""]] == [("twelve-seekers", 1), ("twelve-seekers", 2)]
    assert [(one.one, one.other, one.games, one.one_won, one.other_won) for one in results.pairs()] == [
        ("Aki", "Ben", 3, 2, 1)
    ]


@pytest.mark.parametrize(("first_square", "won"), [(48, 0), (49, 1)])
def test_who_plays_alone_has_won_who_reaches_the_mark_of_300(tmp_path: Path, first_square: int, won: int) -> None:
    sheet = {"map": ["o" * 11] * 11, "first_square": first_square, "gems": 10, "escaped": 9}
    state = {"game": "in-the-ruin", "goes_on": False, "players": [{"name": "Aki", **sheet}]}
    found = scored(state)
    assert isinstance(found, Breakdown)
    assert (found.players[0].total or 0) == 299 + won
    results = shelf(tmp_path, [played(1, state)])
    (listed,), _ = results.listed(9)
    assert (listed.over, len(listed.winners)) == (True, won)
    assert [(one.played, one.won) for one in results.standings()] == [(1, won)]


def alone(first_square: int, name: str = "Aki", over: bool = True) -> dict[str, Any]:
    """A game of In the Ruin for one, 251 points besides the first stage's square."""
    sheet = {"map": ["o" * 11] * 11, "first_square": first_square, "gems": 10, "escaped": 9}
    return {"game": "in-the-ruin", "goes_on": not over, "players": [{"name": name, **sheet}]}


@pytest.mark.parametrize(
    ("game", "name", "before", "but", "best"),
    [
        ("in-the-ruin", "Aki", NOON + 600, None, 281),  # not Ben's 291, not the later 286, not one that goes on
        ("in-the-ruin", "Aki", NOON + 600, f"{1:016x}", 261),  # the game that is looked at itself
        ("in-the-ruin", "Aki", NOON + 60, None, 261),  # of two that began before, the first only
        ("in-the-ruin", "Aki", NOON + 1e6, None, 286),
        ("in-the-ruin", "Ben", NOON + 600, None, 291),
        ("in-the-ruin", "Cem", NOON + 600, None, None),
        ("igna", "Aki", NOON + 600, None, None),
    ],
)
def test_ones_own_best_is_of_games_alone_before_this_one(
    tmp_path: Path, game: str, name: str, before: float, but: str | None, best: int | None
) -> None:
    two = alone(40)
    two["players"].append({**two["players"][0], "name": "Ben", "escaped": 8})
    states = [alone(10), alone(30), alone(40, "Ben"), two, alone(40, over=False)]
    games = [played(n, state, NOON + 60 * n) for n, state in enumerate(states)]
    results = shelf(tmp_path, [*games, played(9, alone(35), NOON + 900)])
    found = results.own_best(game, name, before, but)
    assert (found and found[0]) == best


def test_ones_own_best_is_answered_with_its_day(page: Page) -> None:
    keep(page, ONE, alone(30), new=True)
    asked = "/api/evenings/best?game=in-the-ruin&name=Aki"
    answer = page.get(f"{asked}&before={time.time() + 60}").json
    assert answer["points"] == 281
    assert answer["date"]
    assert page.get(f"{asked}&before={time.time() + 60}&but={ONE}").json is None
    for bad in (asked, f"{asked}&before=nan", "/api/evenings/best?game=chess&name=Aki&before=1"):
        assert page.get(bad).status_code == 400


def test_lines_tell_what_winners_had_more_of(tmp_path: Path) -> None:
    state = over(0, 0)
    state["players"][0] |= {"gems": {"red": 5}, "chips": 1}
    state["players"][1] |= {"gems": {}, "chips": 2}
    results = shelf(tmp_path, [played(1, state), played(2, {**state, "goes_on": True})])
    found = {one.name: (one.games, one.winners, one.others) for one in results.by_row()}
    ends = scored(state)
    assert ends.winners == ("Aki",)
    assert found["chips"] == (1, 1, 2)  # a game that goes on has no winner yet
    assert found["gems"] == (1, ends.players[0].total - 1, ends.players[1].total - 2)


def test_games_are_listed_in_pages_and_none_is_left_out_or_listed_twice(tmp_path: Path) -> None:
    games = [played(n, over(1, 0), NOON + 60 * (n // 3)) for n in range(100)]  # three began at each moment
    results, seen, before = shelf(tmp_path, games), [], None
    while True:
        listed, before = results.listed(10, before)
        seen += [one.id for one in listed]
        if before is None:
            break
    assert sorted(seen) == sorted(one.id for one in games)


def test_a_result_is_that_of_the_game_as_it_is_now(tmp_path: Path) -> None:
    store = Store(tmp_path / "data")
    kept = Evenings(store)
    results = Results(store, kept)
    for red, winner in ((0, "Ben"), (3, "Aki")):
        kept.keep(ONE, over(red, 1))
        results.take([])
        assert [one.winners for one in results.listed(10)[0]] == [(winner,)]
    kept.forget(ONE)
    results.take([])
    assert results.listed(10) == ([], None)
    assert store.run("SELECT id FROM seats UNION ALL SELECT id FROM rows_of_seats") == []


def test_what_was_photographed_or_followed_is_listed_while_it_is_there(tmp_path: Path) -> None:
    results = shelf(tmp_path, [played(1, over(1, 0))])
    results.take([Played("f" * 16, "photo", NOON, "twelve-seekers", over(2, 0))])
    assert {one.source for one in results.listed(10)[0]} == {"tapped", "photo"}
    results.take([])
    assert {one.source for one in results.listed(10)[0]} == {"tapped"}


def test_earlier_games_stand_on_a_page_of_their_own(page: Page) -> None:
    for n in range(MOST_LISTED + 1):
        assert keep(page, f"{n:016x}", over(1, 0)) == 200
    first = page.get("/evenings/").text
    assert "Gems" in first  # statistics by line
    assert "Head to head" in first
    [earlier] = re.findall(r"/evenings/\?before=[^\"]+", first)
    last = page.get(earlier).text
    assert last.count("/evenings/games/") - last.count("/api/evenings/games/") == 1
    assert "Head to head" not in last


def three_games(page: Page) -> None:
    """Aki wins two of three games, two with Ben and one with Cem."""
    cem = over(1, 3)
    cem["players"][1]["name"] = "Cem"
    for n, state in enumerate((over(3, 1), over(1, 2), cem)):
        keep(page, f"{n:016x}", state)


@pytest.mark.parametrize(
    ("asked", "said", "unsaid"),
    [
        ("", {"Aki – Ben", "Aki – Cem"}, set()),
        ("?with=Ben", {"Aki – Ben"}, {"Aki – Cem"}),
        ("?with=Ben&with=Cem", {"No finished game is like that."}, {"Aki – Ben"}),
        ("?game=splendor", {"No finished game is like that."}, {"Aki – Ben"}),
        ("?game=twelve-seekers", {"Aki – Ben", "Points, game after game"}, set()),
        ("?game=nonsense", {"Aki – Ben"}, {"Points, game after game"}),
    ],
)
def test_statistics_are_those_of_the_games_and_people_asked_for(
    page: Page, asked: str, said: set[str], unsaid: set[str]
) -> None:
    three_games(page)
    shown = page.get(f"/evenings/{asked}").text
    assert {words for words in said | unsaid if words in shown} == said


def test_all_games_go_out_as_a_table_and_as_json(page: Page) -> None:
    three_games(page)
    keep(page, "f" * 16, {**over(1, 0), "players": [{"name": "=1+1"}, {"name": "Ben"}]})
    told = page.get("/evenings/all.json").json
    assert told["kind"] == "table-companion-evenings"
    assert {one["id"]: one["state"]["players"][1]["name"] for one in told["games"]}[f"{2:016x}"] == "Cem"
    head, *lines = page.get("/evenings/all.csv").text.splitlines()
    assert head.endswith("date,game,rule,short_game,source,id,player,points,won")
    assert len(lines) == 8
    assert sum(line.endswith(",1") for line in lines if ",Cem," in line) == 1
    assert not any(",=" in line for line in lines)


def test_a_picture_of_many_games_is_that_of_the_last(page: Page) -> None:
    taken = [play(f"{n}", date=f"{1990 + n // 12}-{1 + n % 12:02}-01 20:00:00") for n in range(100)]
    page.post("/api/evenings/plays", {"plays": taken})
    shown = page.get("/evenings/?game=splendor").text
    lines = re.findall(r'points="([^"]+)"', shown)
    assert [len(line.split()) for line in lines] == [LONGEST_LINE] * 2  # Cem's points are not known


def play(uuid: str, game: str = "宝石の煌めき", date: str = "2024-05-01 20:15:00", **more: Any) -> dict[str, Any]:
    """As the page reads it from an export of BG Stats."""
    rows = [
        {"name": "Aki", "score": "15", "winner": True},
        {"name": "Ben", "score": "10+3", "winner": False},
        {"name": "Cem", "score": "", "winner": False},
    ]
    return {"id": uuid, "date": date, "game": game, "players": rows, **more}


def test_plays_of_bg_stats_are_taken_once_and_counted(page: Page) -> None:
    plays = {"plays": [play("one"), play("two", "Splendor"), play("three", "Chess")]}
    assert page.post("/api/evenings/plays", plays).json == {"taken": 2, "known": 0, "other": 1}
    assert page.post("/api/evenings/plays", plays).json == {"taken": 0, "known": 2, "other": 1}
    shown = page.get("/evenings/").text
    assert shown.count("from another program") == 2
    assert "Ben&nbsp;13" in shown
    assert "Cem&nbsp;–" in shown
    [evening] = set(re.findall(r"/api/evenings/(\d{4}-\d\d-\d\d)", shown))
    assert page.client.delete(f"/api/evenings/{evening}", headers={"X-Companion": "1"}).status_code == 200
    assert "from another program" not in page.get("/evenings/").text


@pytest.mark.parametrize(
    "bad",
    [
        {"date": "yesterday"},
        {"date": "2900-01-01 00:00:00"},
        {"players": []},
        {"players": [{"name": "Aki", "winner": "yes"}]},
        {"players": [{"name": "A", "winner": True}] * 21},
        {"id": 7},
    ],
)
def test_plays_that_are_none_are_refused_with_all_that_came_with_them(page: Page, bad: dict[str, Any]) -> None:
    answer = page.post("/api/evenings/plays", {"plays": [play("one"), play("two", **bad)]})
    assert answer.status_code == 400
    assert "nothing" in answer.json["error"]["message"]
    assert "from another program" not in page.get("/evenings/").text
