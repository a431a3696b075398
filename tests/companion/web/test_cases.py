"""The dispute page's routes: states out of addresses and files, answers, links, the help card that is kept."""

from __future__ import annotations

import json
import re
import zlib
from base64 import urlsafe_b64encode
from contextlib import nullcontext
from io import BytesIO
from random import Random
from typing import Any

import pytest
from acting import SENT_BY_THE_PAGE, Page
from flask import Flask
from hypothesis import given
from hypothesis import strategies as st

from companion.cases.address import MOST, AddressError, pack, read, unpack
from companion.cases.answer import answer
from companion.games import GAMES
from companion.games.shape import fit
from companion.web.running.network import Reach
from companion.web.services import services_of
from companion.words.words import words
from scoring import StateError, score_state
from scoring.samples import any_state

IGNA = {"game": "igna", "points": {"same": 3}, "players": [{"name": "A", "sets": [["red3", "red3", "red3*"]]}]}
SPLENDOR = {"game": "splendor", "players": [{"name": "A", "cards": [{"points": 2, "bonus": "red"}]}]}


def deflated(text: bytes) -> str:
    packer = zlib.compressobj(9, zlib.DEFLATED, -15)
    return urlsafe_b64encode(packer.compress(text) + packer.flush()).decode().rstrip("=")


def send(page: Page, address: str, text: str | bytes) -> object:
    return page.client.post(address, data=text, headers=SENT_BY_THE_PAGE)


@pytest.mark.parametrize("seed", range(150))
def test_every_legal_state_goes_through_the_address_unchanged(seed: int) -> None:
    state = any_state(Random(seed))
    assert read(unpack(pack(state))) == state


@pytest.mark.parametrize("check", [score_state, lambda state: read(unpack(pack(state)))], ids=["score", "page"])
@pytest.mark.parametrize(("chips", "taken"), [(10**8, True), (-(10**9), True), (10**9 + 1, False)])
def test_the_page_takes_the_numbers_that_scoring_takes(check: Any, chips: int, taken: bool) -> None:
    state = {"game": "twelve-seekers", "rule": 1, "players": [{"name": "A", "gems": {}, "chips": chips}]}
    with nullcontext() if taken else pytest.raises(StateError):
        check(state)


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=6),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4),
    max_leaves=12,
)


@given(JSON, st.sampled_from([*GAMES]))
def test_whatever_comes_fits_or_is_refused(value: object, game: str) -> None:
    try:
        fit(value, GAMES[game].shape)
    except StateError:
        return
    assert isinstance(value, dict)


@given(st.text(alphabet="AZaz09-_+/=. é", max_size=40))
def test_any_address_unpacks_or_is_refused(code: str) -> None:
    try:
        text = unpack(code)
    except AddressError as error:
        text = str(error.values["got"]).encode()
    assert len(text) <= MOST


BAD_ADDRESSES = [
    ("x", "x"),
    ("not a case!", "not a case!"),
    (pack(SPLENDOR)[:-6], pack(SPLENDOR)[:12]),
    (deflated(b"[1, 2"), "JSON"),
    (deflated(b'{"game": "chess"}'), "chess"),
    (deflated(b'{"game": "splendor", "players": 3}'), "players: expected a list"),
    (deflated(b'{"game": "splendor", "players": [], "players": []}'), "players"),
    (deflated(b" " * (MOST * 40)), "whole game"),
]


@pytest.mark.parametrize(("code", "said"), BAD_ADDRESSES)
def test_a_broken_address_opens_an_empty_case_and_says_what_came(page: Page, code: str, said: str) -> None:
    response = page.get("/dispute/splendor", query_string={"s": code}, headers={"Accept-Language": "en"})
    assert response.status_code == 200
    case = given_case(response.get_data(as_text=True))
    assert case["state"] is None
    assert said in case["message"]
    assert "\n" not in case["message"]


def given_case(html: str) -> dict:
    return json.loads(html.split('id="given">', 1)[1].split("</script>", 1)[0])


def test_a_link_opens_the_case_and_another_games_link_finds_its_page(page: Page) -> None:
    code = pack(SPLENDOR)
    assert given_case(page.get(f"/dispute/splendor?s={code}").get_data(as_text=True))["state"] == SPLENDOR
    response = page.get(f"/dispute/igna?s={code}")
    assert response.status_code == 302
    assert response.headers["Location"] == f"/dispute/splendor?s={code}"
    assert page.get("/dispute/chess").status_code == 404


def test_the_answer_is_that_of_the_command_line(page: Page) -> None:
    rng = Random(9)
    for _ in range(20):
        state = any_state(rng)
        expected = json.loads(json.dumps(answer(score_state(state), words("en"))))
        assert page.post("/api/dispute/score", state).json["answer"] == expected


UNFINISHED = [
    ({"game": "twelve-seekers", "rule": 7, "players": [{"name": "Aoi"}]}, "/players/0/line", "Aoi, gem line: "),
    (
        {"game": "human-angel-demon", "winner": "B", "won_by": "take", "players": [{"name": "B", "hand": ["H1"]}]},
        "/players/0/hand",
        "B, hand: ",
    ),
    ({**IGNA, "players": [{"name": "C", "sets": [["red3"]]}]}, "/players/0/sets/0", "C, sets, no. 1: "),
    ({**SPLENDOR, "players": [{"name": ""}]}, "/players/0/name", "player 1, name: "),
]


@pytest.mark.parametrize(("state", "place", "begins"), UNFINISHED)
def test_what_is_missing_is_said_with_player_and_field(page: Page, state: dict, place: str, begins: str) -> None:
    problem = page.post("/api/dispute/score", state).json["problem"]
    assert problem["place"] == place
    assert problem["message"].startswith(begins)


def test_who_goaled_is_asked_in_words_of_its_own(page: Page) -> None:
    state = {"game": "human-angel-demon", "players": [{"name": "A", "open": []}, {"name": "B", "open": []}]}
    body = page.post("/api/dispute/score", state).json
    assert body["problem"] == {
        "place": "/winner",
        "message": "Say first who reached the goal, or “Nobody” if the deck ran out.",
    }
    assert body["so_far"] == {"players": [None, None], "waiting": ["who reached the goal"]}


@pytest.mark.parametrize(
    ("rule", "held", "where", "told"),
    [
        (
            1,
            ({"gems": {"red": 5}}, {"gems": {}}, {"gems": {"red": 4}}),
            "gems/red",
            "7 red gems {}; Aki 5, Chie 4), got 9",
        ),
        (7, ({"line": ["red"] * 7}, {"line": []}, {"line": ["red"]}), "line", "7 red gems {}; Aki 7, Chie 1), got 8"),
        (
            1,
            ({"gems": {}, "gold": 2}, {"gems": {}}, {"gems": {}, "gold": 2}),
            "gold",
            "3 gold gems {}; Aki 2, Chie 2), got 4",
        ),
    ],
)
def test_too_many_of_a_color_is_nobodys_and_says_who_has_how_many(
    page: Page, rule: int, held: tuple[dict, ...], where: str, told: str
) -> None:
    players = [{"name": name, **row} for name, row in zip(("Aki", "Ben", "Chie"), held, strict=True)]
    for rows, seats in ((players, (0, 2)), (players[::-1], (0, 2))):
        body = page.post("/api/dispute/score", {"game": "twelve-seekers", "rule": rule, "players": rows}).json
        assert body["problem"]["places"] == [f"/players/{seat}/{where}" for seat in seats]
        who = told if rows is players else re.sub(r"(\w+ \d), (\w+ \d)\)", r"\2, \1)", told)
        begins = "players: expected at most "
        assert body["problem"]["message"] == begins + who.format("among all players (there are no more in the box")
        assert [bool(one) for one in body["so_far"]["players"]] == [False, True, False]


def value_at(state: Any, place: str) -> Any:
    """What stands at a place; of a map's cell its row, of what is left out nothing."""
    for step in re.sub(r"(map/\d+)/\d+$", r"\1", place).split("/")[1:]:
        state = state[int(step)] if isinstance(state, list) else state.get(step)
    return state


@pytest.mark.parametrize("seed", range(80))
def test_players_who_are_complete_are_scored_without_the_others(page: Page, seed: int) -> None:
    rng = Random(seed)
    state = any_state(rng)
    players = state["players"]
    missing = sorted(rng.sample(range(len(players)), rng.randint(1, len(players))))
    kept = [i for i in range(len(players)) if i not in missing]
    rest = {**state, "players": [players[i] for i in kept]}
    open_state = {**state, "players": [{**row, "name": ""} if i in missing else row for i, row in enumerate(players)]}
    body = page.post("/api/dispute/score", open_state).json
    try:
        expected = answer(score_state(rest), words("en"))["players"]
    except StateError:
        assert body["so_far"]["players"] == [None] * len(players)
        return
    assert body["so_far"]["waiting"] == [f"player {i + 1}, name" for i in missing]
    found = body["so_far"]["players"]
    assert [i for i, player in enumerate(found) if player] == kept
    for player, alone in zip((found[i] for i in kept), expected, strict=True):
        assert (player["name"], player["total"]) == (alone["name"], alone["total"])
        for line, other in zip(player["lines"], alone["lines"], strict=True):
            assert line["label"] == other["label"]
            for place, was in zip(line["because"], other["because"], strict=True):
                assert value_at(open_state, place) == value_at(rest, was)


BAD_FILES = [
    ("milk, bread", 422, "JSON"),
    ('{"game": "splendor", "players": [', 422, "JSON"),
    ("[]", 422, "object"),
    ('{"players": []}', 422, "game"),
    ('{"game": "splendor", "players": [{"name": "A", "cards": {}}]}', 422, "player 1, cards: expected a list"),
    ('{"game": "splendor", "players": [{"name": "A", "reserved": 1e3}]}', 422, "whole number"),
    ('{"game": "splendor", "players": [{"name": "A", "reserved": 9999999999999999}]}', 422, "whole number"),
    ('{"game": "splendor", "colour": 1}', 422, "colour"),
    (r'{"game": "splendor", "\ud800": 1}', 422, r"\ud800"),
    (b"\xff\xfe", 422, "UTF-8"),
    (" " * (MOST + 1), 413, "64 KB"),
]


@pytest.mark.parametrize(("text", "status", "said"), BAD_FILES)
def test_a_file_that_is_no_state_gets_one_line(page: Page, text: str | bytes, status: int, said: str) -> None:
    for address in ("/api/dispute/read", "/api/dispute/score"):
        response = send(page, address, text)
        message = response.json["error"]["message"]
        assert response.status_code == status
        assert said in message
        assert "\n" not in message


@pytest.mark.parametrize("name", ["C", "森", "\U0001f0a1", "\ud83c", "\\ud83c"])
def test_a_file_is_read_whether_or_not_it_scores_yet(page: Page, name: str) -> None:
    state = {**IGNA, "players": [{"name": name, "sets": [["red3"]]}]}
    body = send(page, "/api/dispute/read", json.dumps(state)).json
    assert body["state"] == state
    assert given_case(page.get(body["address"]).get_data(as_text=True))["state"] == state


def test_a_link_names_this_computer_as_other_devices_see_it(app: Flask, page: Page) -> None:
    code = pack(SPLENDOR)
    closed = page.post("/api/dispute/splendor/link", {"code": code}).json
    assert closed["link"] == f"http://localhost/dispute/splendor?s={code}"
    assert closed["qr"].startswith("<svg")
    assert closed["lan"] is False
    services_of(app).network.reach = Reach(address="192.0.2.7:8137")
    assert page.post("/api/dispute/splendor/link", {"code": code}).json["link"].startswith("http://192.0.2.7:8137/")
    assert page.post("/api/dispute/splendor/link", {"code": "A" * 4000}).json["qr"] is None
    for bad in ({"code": "a b"}, {"code": 3}, {}):
        assert page.post("/api/dispute/splendor/link", bad).status_code == 400


def test_the_help_card_is_entered_once_and_kept(page: Page) -> None:
    assert given_case(page.get("/dispute/igna").get_data(as_text=True))["kept"] == {"points": None}
    values = {"same": 3, "run": 2, "mixed": 1, "bonus": 1}
    assert page.post("/api/dispute/igna/saved", values).status_code == 200
    assert given_case(page.get("/dispute/igna").get_data(as_text=True))["kept"] == {"points": values}
    for bad in ({"same": -1}, {"same": 100}, {"same": True}, {"pairs": 1}, {"same": "3"}):
        assert page.post("/api/dispute/igna/saved", bad).status_code == 400
    assert given_case(page.get("/dispute/igna").get_data(as_text=True))["kept"] == {"points": values}


def test_a_broken_help_card_is_as_none(app: Flask, page: Page) -> None:
    path = services_of(app).store.folder / "igna-help-card.json"
    for text in ("{", '{"same": 1e9}', "[]", '{"same": -3}'):
        path.write_text(text)
        assert given_case(page.get("/dispute/igna").get_data(as_text=True))["kept"] == {"points": None}


def test_saved_sheets_lend_their_letters(page: Page) -> None:
    assert given_case(page.get("/dispute/in-the-ruin").get_data(as_text=True))["kept"]["sheets"] == []
    page.enroll_demo()
    kept = given_case(page.get("/dispute/in-the-ruin").get_data(as_text=True))["kept"]
    assert len(kept["sheets"][0]["letters"]) == len(kept["demo"]) == 24


def test_nothing_is_scored_for_a_foreign_page(page: Page) -> None:
    assert page.client.post("/api/dispute/score", json=SPLENDOR).status_code == 403
    foreign = {**SENT_BY_THE_PAGE, "Origin": "http://evil.example"}
    assert page.client.post("/api/dispute/score", json=SPLENDOR, headers=foreign).status_code == 403


@pytest.mark.parametrize("language", ["en", "ja"])
@pytest.mark.parametrize("game", GAMES)
def test_every_game_has_its_page_its_module_and_its_words(app: Flask, page: Page, game: str, language: str) -> None:
    html = page.get(f"/dispute/{game}", headers={"Accept-Language": language}).get_data(as_text=True)
    case = given_case(html)
    assert case["box"]
    assert case["terms"]
    assert all(question["text"] != f"question.{question['name']}" for question in case["questions"])
    assert page.get(f"/games/{game}/editor.js").status_code == 200


@pytest.mark.parametrize("route", ["score", "read"])
def test_a_body_that_does_not_say_its_length_is_read_no_further_than_a_state_is_long(page: Page, route: str) -> None:
    body = BytesIO(b'{"a":[' + b'{"":{}},' * 1_000_000 + b"1]}")
    answer = page.client.post(
        f"/api/dispute/{route}",
        input_stream=body,
        headers={"X-Companion": "1", "Transfer-Encoding": "chunked"},
        environ_overrides={"wsgi.input_terminated": True},
    )
    assert (answer.status_code, answer.json["error"]["key"]) == (413, "dispute.problem.too-big")
    assert body.tell() <= 2 * MOST
