"""The pages in both languages, and the words behind them."""

from __future__ import annotations

import gzip
import re
from pathlib import Path
from urllib.parse import urljoin

import pytest
from acting import Page
from fake_table import ROW, FakeTable
from flask import Flask

from companion.cases.evenings import Played
from companion.cases.tapped import TAPPED
from companion.games import GAMES
from companion.web.evenings.evenings_page import MOST_LISTED
from companion.web.pages import art
from companion.web.services import services_of
from companion.words.catalog import LANGUAGES, catalog

ROOT = Path(__file__).parents[3]


def used_keys() -> set[str]:
    """Keys written out in templates, modules and Python; those that are put together end in a dash or a dot."""
    keys = set()
    for path in (*ROOT.glob("templates/pages/**/*.html"), *ROOT.glob("companion/web/*.py")):
        keys |= set(re.findall(r"""(?:say\(|Problem\(|answer\(|: )\s*["']([a-z][\w.-]+)["']""", path.read_text()))
    for path in (*ROOT.glob("templates/static/js/**/*.js"), *ROOT.glob("companion/games/*/*.js")):
        game = path.parent.name.replace("_", "-")
        for own, key in re.findall(r"""(context\.)?say\(\s*["'`]([a-z][\w.-]+)["'`]""", path.read_text()):
            keys.add(f"js.dispute.{game}.{key}" if own else f"js.{key}")
    return keys


def test_every_key_that_is_used_has_words() -> None:
    words = catalog("en").keys()
    files = (".json", ".jpg", ".npz", ".html")
    dotted = {key for key in used_keys() if "." in key and not key.endswith((".", "-", *files))}
    assert len(dotted) > 50
    assert {key for key in dotted if key not in words and key.removeprefix("js.") not in words} == set()


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("address", ["/", "/in-the-ruin/", "/in-the-ruin/sheets/new", "/phone", "/pair"])
def test_pages_answer_in_the_browsers_language(page: Page, address: str, language: str) -> None:
    text = page.get(address, headers={"Accept-Language": language}).get_data(as_text=True)
    assert f'<html lang="{language}"' in text
    assert not re.search(r">\s*(?:shelf|ruin|sheet|phone|pair|problem|site|game)\.[a-z-]+\s*<", text)


def test_the_language_is_remembered(page: Page) -> None:
    page.post("/api/language", {"language": "ja"})
    text = page.get("/", headers={"Accept-Language": "en"}).get_data(as_text=True)
    assert '<html lang="ja"' in text


@pytest.mark.parametrize("language", ["de", None, 3, ["ja"]])
def test_another_language_is_refused(page: Page, language: object) -> None:
    assert page.post("/api/language", {"language": language}).status_code == 400


def test_errors_come_in_the_pages_language(page: Page) -> None:
    page.post("/api/language", {"language": "ja"})
    message = page.get("/api/in-the-ruin/plays/nothing").json["error"]["message"]
    assert message == catalog("ja")["problem.no-play"]


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_shelf_holds_every_game_with_its_name_its_picture_and_a_way_in(page: Page, language: str) -> None:
    text = page.get("/", headers={"Accept-Language": language}).get_data(as_text=True)
    for game in GAMES.values():
        assert catalog(language)[f"game.{game.slug}"] in text
        assert catalog(language)[f"shelf.{game.slug}"] in text
        assert art(game.slug) in text
        assert (f'href="/dispute/{game.slug}"' if game.table else 'href="/in-the-ruin/"') in text


LOADED = re.compile(r"""(?:src|href|from|import)[=(\s]*["'`]([^"'`]+\.(?:css|js|svg))["'`]""")


LINE = len("HTTP/1.1 200 OK\r\n") + len("Server: companion\r\nDate: Sun, 29 Nov 2026 02:00:27 GMT\r\n\r\n")
"""Bytes before an answer's body that the tests' client does not show."""


def a_play(page: Page, photos: list[bytes]) -> str:
    """Two players of In the Ruin, photographed."""
    play = page.start()
    for photo in photos:
        assert page.photograph(play, photo).status_code == 200
    return f"/in-the-ruin/plays/{play}"


def a_table(page: Page, app: Flask, table: FakeTable) -> str:
    """A followed table of Twelve Seekers at rest, all gems taken."""
    table.lay({"A": ROW + ROW[:5], "B": ROW + ROW[:4]})
    started = page.post("/api/live/start", {"source": "demo"}).json["table"]
    session = services_of(app).tables.session(started)
    assert session
    for _ in range(100):
        if session.settled:
            break
        session.changes.since(None, 0.2)
    return f"/live/{started}"


def many_evenings(app: Flask) -> str:
    """More games than a page lists, of four people with long names."""
    names = [
        f"{first}・ヴァレンティーノヴィッチ"
        for first in ("アレクサンドラ", "バルトロマイオス", "クリストファー", "ドロテーア")
    ]
    players = [{"name": name, "cards": [], "nobles": 0} for name in names]
    state = {"game": "splendor", "round_over": True, "players": players}
    day = 86400.0
    games = [Played(f"{n:016x}", TAPPED, 1.7e9 + n * day, "splendor", state) for n in range(MOST_LISTED + 1)]
    services_of(app).evenings.keep_all(games)
    return "/evenings/"


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(
    ("address", "most"),
    [
        *(("/", 20), ("/live/", 150), ("a play", 150), ("a table", 150), ("many evenings", 150)),
        *((f"/dispute/{game}", 150) for game in GAMES),
    ],
)
def test_a_page_is_light(
    page: Page, app: Flask, table: FakeTable, photos: list[bytes], address: str, most: int, language: str
) -> None:
    """Kilobytes of a page with all that it loads but photos, as they come over the line, headers too."""
    game = "twelve-seekers" if address == "a table" else address.rsplit("/", maxsplit=1)[-1]
    if address == "a play":
        address = a_play(page, photos)
    elif address == "a table":
        address = a_table(page, app, table)
    elif address == "many evenings":
        address = many_evenings(app)
    weights: dict[str, int] = {}
    open_ones = {address}
    while open_ones:
        one = open_ones.pop()
        answer = page.get(one, headers={"Accept-Encoding": "gzip", "Accept-Language": language})
        assert answer.status_code == 200, one
        weights[one] = len(answer.data) + LINE + sum(len(name) + len(value) + 4 for name, value in answer.headers)
        text = gzip.decompress(answer.data).decode() if answer.content_encoding else answer.get_data(as_text=True)
        named = {urljoin(one, name).replace("${given.game}", game) for name in LOADED.findall(text)}
        open_ones |= named - weights.keys()
    assert len(weights) > 3
    assert sum(weights.values()) < most * 1000, weights


@pytest.mark.parametrize("name", ["js/page.js", "js/lib/dom.js", "css/play.css"])
def test_remarks_stay_at_home_and_every_other_line_keeps_its_place(page: Page, name: str) -> None:
    answer = page.get(f"/static/{name}", headers={"Accept-Encoding": "gzip"})
    sent = gzip.decompress(answer.data).decode().split("\n")
    lines = (ROOT / "templates/static" / name).read_text("utf-8").split("\n")
    gone = [line for line, there in zip(lines, sent, strict=True) if line != there]
    assert [line for line in gone if not line.lstrip().startswith(("//", "/*", "*"))] == []
    assert not any(line.startswith(("//", "/*")) for line in sent)
    assert gone or name.endswith(".css")


@pytest.mark.parametrize("encoding", ["gzip", "identity"])
def test_what_a_browser_kept_is_not_sent_again(page: Page, encoding: str) -> None:
    wanted = {"Accept-Encoding": encoding}
    first = page.get("/static/css/shelf.css", headers=wanted)
    again = page.get("/static/css/shelf.css", headers={**wanted, "If-None-Match": first.headers["ETag"]})
    assert (first.status_code, again.status_code, again.data) == (200, 304, b"")
    assert first.headers["ETag"].startswith("W/") == (encoding == "gzip")
    assert all("Accept-Encoding" in one.headers["Vary"] for one in (first, again))
