"""Fireflies in every way in which a game is played; run by `test_sixth_game` in a copy that knows the game."""

from __future__ import annotations

import json
import os
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from random import Random

import numpy as np
import pytest
from acting import Page
from fake_table import ZONES, FakeTable
from flask import Flask
from playwright.sync_api import expect, sync_playwright
from werkzeug.serving import make_server

from companion.cases.address import pack, read, unpack
from companion.cli.main import main
from companion.games import GAMES
from companion.printing.sets import Order, profile
from companion.reading.tables import read_state
from companion.web import create_app
from companion.web.services import services_of
from scoring import StateError, score_state
from scoring.samples import sample
from vision.table.reading import Card, TableReading

STATE = {
    "game": "fireflies",
    "players": [{"name": "A", "cards": ["red3", "red4", "blue9"]}, {"name": "B", "cards": ["green1", "green2"]}],
}
TOTALS = [-2, 3]
PATIENCE = 60.0
"""Seconds."""
TABLE = profile(Order("mats", GAMES["fireflies"], zones=("A", "B")))
MARKERS = {f"{card['color']}{card['number']}": number for number, card in TABLE.cards.items()}
SIDE = 12.0
"""Pixels, half a sticker's side."""


def laid() -> tuple[Card, ...]:
    """The state's cards, each row from left to right in its player's area."""
    out = []
    for player in STATE["players"]:
        left, top, *_ = ZONES[player["name"]]
        for i, code in enumerate(player["cards"]):
            middle = np.array([left + 40 + 60 * i, top + 40])
            corners = middle + SIDE * np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)])
            out.append(Card(MARKERS[code], TABLE.cards[MARKERS[code]], player["name"], corners))
    return tuple(out)


@pytest.fixture
def table() -> FakeTable:
    return FakeTable(TABLE)


@pytest.fixture
def app(tmp_path: Path, table: FakeTable) -> Iterator[Flask]:
    app = create_app(tmp_path / "data", table_eyes=table)
    yield app
    services_of(app).tables.stop()


@pytest.fixture
def page(app: Flask) -> Iterator[Page]:
    with app.test_client() as client:
        yield Page(client)


@pytest.mark.parametrize(
    ("language", "said"), [("en", "red: 2 fireflies together"), ("ja", "青：1匹だけの9が飛んでいく")]
)
def test_the_command_line_scores_it(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], language: str, said: str
) -> None:
    path = tmp_path / "state.json"
    path.write_text(json.dumps(STATE))
    assert main(["score", str(path), "--lang", language]) == 0
    assert said in capsys.readouterr().out
    assert main(["score", str(path), "--json"]) == 0
    assert [player["total"] for player in json.loads(capsys.readouterr().out)["players"]] == TOTALS


def test_a_card_that_two_hold_is_refused() -> None:
    with pytest.raises(StateError) as refused:
        score_state({**STATE, "players": [{"name": name, "cards": ["red3"]} for name in "AB"]})
    assert refused.value.place == "/players/1/cards/0"


@pytest.mark.parametrize("seed", range(40))
def test_laws(seed: int) -> None:
    state = sample("fireflies", Random(seed))
    totals = {player.name: player.total for player in score_state(state).players}
    turned = {**state, "players": [{**row, "cards": row["cards"][::-1]} for row in state["players"][::-1]]}
    assert {player.name: player.total for player in score_state(turned).players} == totals
    assert read(unpack(pack(state))) == state


@pytest.mark.parametrize("language", ["en", "ja"])
def test_it_is_tapped(page: Page, language: str) -> None:
    html = page.get("/dispute/fireflies", headers={"Accept-Language": language}).get_data(as_text=True)
    assert 'id="given"' in html
    editor = page.get("/games/fireflies/editor.js")
    assert editor.status_code == 200
    assert "export default" in editor.get_data(as_text=True)
    answer = page.post("/api/dispute/score", STATE).json["answer"]
    assert [player["total"] for player in answer["players"]] == TOTALS
    assert answer["winners"] == ["B"]
    assert 'href="/dispute/fireflies"' in page.get("/").get_data(as_text=True)


@pytest.mark.browser
def test_its_editor_draws_what_is_tapped_in_a_browser(app: Flask) -> None:
    server = make_server("127.0.0.1", 0, app, threaded=True)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=os.environ.get("COMPANION_CHROMIUM") or None)
        shown = browser.new_page(locale="en-GB")
        shown.goto(f"http://127.0.0.1:{server.server_port}/dispute/fireflies")
        for card in STATE["players"][0]["cards"]:
            shown.locator(f'[data-key="{card}"]').click()
        expect(shown.locator("#total")).to_have_text(f"{TOTALS[0]}".replace("-", "−"), timeout=PATIENCE * 1000)
        browser.close()
    server.shutdown()


def test_a_table_that_was_seen_becomes_its_state() -> None:
    made = read_state(TableReading((), laid(), {}), TABLE)
    assert made.state == STATE
    assert made.places["/players/1/cards/0"] == (3,)
    assert [player.total for player in score_state(made.state).players] == TOTALS


def test_a_table_is_followed(page: Page, table: FakeTable) -> None:
    table.lay({"A": [], "B": []}, laid())
    at = page.post("/api/live/start", {"source": "demo"}).json["table"]
    assert page.get(f"/live/{at}").status_code == 200
    end = time.monotonic() + PATIENCE
    while (
        not (settled := page.get(f"/api/live/{at}").json["table"]["settled"])
        or not settled["case"]["evidence"][0]["pieces"]
    ):
        assert time.monotonic() < end
        time.sleep(0.02)
    assert settled["case"]["state"] == STATE
    assert [player["total"] for player in settled["case"]["answer"]["players"]] == TOTALS
    assert settled["case"]["evidence"][0]["pieces"][0]["label"] == "red 3"


def test_stickers_and_mats_are_printed(tmp_path: Path) -> None:
    pdf, made = tmp_path / "a.pdf", tmp_path / "a.json"
    assert main(["print", "all", "--game", "fireflies", "--out", str(pdf), "--profile", str(made)]) == 0
    assert pdf.read_bytes().startswith(b"%PDF")
    assert len(json.loads(made.read_text())["cards"]) == 36
