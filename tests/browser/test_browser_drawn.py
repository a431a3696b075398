"""A game followed with nothing printed, in a real browser: areas drawn on the picture, seekers without stickers."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest
from fake_table import GAME, HIGH, PACE, WIDE, ZONES, FakeTable, Scene, game_scenes
from playwright.sync_api import Locator, Page, expect
from test_browser_access import complaints
from test_browser_live import Served, face, fits, total
from test_browser_receivers import SPOKEN

from companion.demo import FILM
from companion.live.settle_detector import Follower
from companion.sources import Frame, Source, SourceState
from companion.sources.files import VideoFile
from companion.web.running.table_eyes import TableEyes
from companion.web.services import services_of
from scoring import score_state
from training.synth import demo_game
from vision.table.profile import TableProfile
from vision.table.reading import TableReading

SCENES = game_scenes()
AREAS = ("dungeon", "A", "B")


class Drawn:
    """Reads a scene by the areas that are drawn on the picture, whatever the scene says."""

    def __init__(self, table: FakeTable, profile: TableProfile) -> None:
        self.table, self.profile = table, profile

    def read(self, image: np.ndarray) -> TableReading:
        seen = self.table.read(image)
        drawn = {name: np.array(zone.polygon, np.float32) for name, zone in self.profile.zones.items() if zone.polygon}
        tiles, count = [], dict.fromkeys(drawn, 0)
        for tile in seen.tiles:
            at = tuple(map(float, tile.center))
            zone = next((name for name, p in drawn.items() if cv2.pointPolygonTest(p, at, False) > 0), None)
            place = (None, None) if zone is None else (0, count[zone])
            tiles.append(replace(tile, zone=zone, row=place[0], col=place[1]))
            if zone is not None:
                count[zone] += 1
        return TableReading(tuple(tiles), (), {name: p.astype(float) for name, p in drawn.items()}, ())


class DrawnTable(FakeTable):
    """A table on which nothing is printed."""

    def follower(self, profile: TableProfile) -> Follower:
        return Follower(Drawn(self, profile), PACE)


@pytest.fixture
def served(tmp_path: Path) -> Iterator[Served]:
    served = Served(tmp_path, GAME, table=DrawnTable(GAME))
    yield served
    served.close()


def draw(page: Page, name: str, area: tuple[float, float, float, float]) -> None:
    """Draw an area, left, top, right and bottom in parts of the picture, by dragging its corners to where it lies."""
    page.locator(f'[data-key="zone-{name}"]').click()
    left, top, right, bottom = area
    wide, high = map(float, page.locator(".zone-overlay").get_attribute("viewBox").split()[2:])
    shape = page.locator(f'.zone-shape[data-zone="{name}"]')
    for _ in range(4):  # a corner that crosses a side pushes all of it on, and what stands above the picture may grow
        for corner, (x, y) in enumerate([(left, top), (right, top), (right, bottom), (left, bottom)]):
            lies = shape.locator(".zone-body").get_attribute("points").split()[corner].split(",")
            if np.hypot(float(lies[0]) - x * wide, float(lies[1]) - y * high) > wide / 100:
                drag(page, shape.locator(".zone-handle").nth(corner), x, y)


def drag(page: Page, handle: Locator, x: float, y: float) -> None:
    """Drag a handle to a point of the picture."""
    handle.scroll_into_view_if_needed()
    box, frame = handle.bounding_box(), page.locator(".zone-overlay").bounding_box()
    page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    page.mouse.down()
    page.mouse.move(frame["x"] + x * frame["width"], frame["y"] + y * frame["height"], steps=3)
    page.mouse.up()


def lies_there(scene: Scene) -> list[str]:
    """Everybody's points as the rules count what lies there."""
    rows = [
        {"name": name, "line": [gem for gem in scene[name] if gem != "gold"], "gold": scene[name].count("gold")}
        for name in "AB"
    ]
    found = score_state({"game": "twelve-seekers", "rule": 8, "players": rows})
    return [f"{player.total}".replace("-", "−") for player in found.players]


TOPS = "(all) => all.map((one) => one.getBoundingClientRect().top)"


@pytest.mark.size("phone")
def test_a_game_with_drawn_areas_and_no_stickers_is_followed_to_its_end(page: Page, served: Served) -> None:
    page.add_init_script(SPOKEN)
    served.table.lay(SCENES[0])
    page.goto(f"{served.address}/live/")
    page.locator("[name=layout]").select_option("drawn")
    page.locator("[name=rule]").select_option("8")
    page.get_by_role("button", name="Follow the table").click()
    page.locator('[data-key="change-areas"]').click()
    for name in AREAS:
        page.locator(f".zones-bar .chip:has([data-key='name-{name}']) .chip-close").click()
    for name in AREAS:
        left, top, right, bottom = ZONES[name]
        draw(page, name, (left / WIDE, top / HIGH, right / WIDE, bottom / HIGH))
    page.get_by_role("button", name="Save the areas").click()
    expect(page.locator(".zone-overlay")).to_have_count(0)
    session = services_of(served.app).tables.now
    assert session is not None
    assert session.profile.cards  # the layout knows stickers; none lies here
    for n, scene in enumerate(SCENES):
        served.table.lay(scene)
        expect(page.locator(".log .moves li")).to_have_count(n)
        for name, points in zip("AB", lies_there(scene), strict=True):
            expect(total(page, name)).to_have_text(points)
        expect(page.locator(".banner")).to_contain_text("this is the score")
    assert "field" not in page.locator(".live-notes").inner_text()  # of seekers nobody has seen one
    half = {**SCENES[3], "dungeon": SCENES[3]["dungeon"][:-1]}
    served.table.lay(half)  # a gem is in somebody's hand
    expect(page.locator(".banner.waiting")).to_contain_text("The points are those of")
    expect(page.locator('[data-key="to-points"]')).to_be_visible()
    assert fits(page)
    assert complaints(page) == []
    served.table.lay({**half, "B": [*half["B"], SCENES[3]["dungeon"][-1]]})
    expect(page.locator(".log .moves li")).to_have_count(4)
    expect(page.locator(".banner")).to_contain_text("this is the score")
    expect(page.locator(".slip")).to_have_count(0)
    page.locator('[data-key="voice"]').click()
    page.locator('[data-key="over"]').click()
    expect(page.locator(".finish h2")).to_contain_text("wins")
    assert page.locator(".finish h2").inner_text() in page.evaluate("spoken.at(-1)[1]")
    again = page.locator('.finish [data-key="new-game"]')
    for part in (page.locator(".finish h2"), again):  # above the fold, by itself
        expect(part).to_be_in_viewport(ratio=1)
    page.reload()
    expect(page.locator(".finish h2")).to_be_in_viewport(ratio=1)
    assert page.evaluate("scrollY") == 0
    finish, *others = page.locator(".finish, .live-left, .live-right").evaluate_all(TOPS)
    assert finish < min(others)  # on top of all else, however long that is
    again.click()  # one tap: nobody asks whether a game that is over may end
    expect(page.locator(".finish")).to_have_count(0)
    expect(page.locator(".log .moves li")).to_have_count(0)


class FilmOnceDrawn:
    """The demo's film, as fast as it is followed; its first frame stands still until it `plays`: see Source."""

    name, scale = "film", 1.0

    def __init__(self) -> None:
        self.plays = threading.Event()
        self._film, self._number = VideoFile(FILM), 0
        self._shown: np.ndarray | None = None

    def start(self) -> None:
        self._film.start()

    def next(self, after: int = 0, timeout: float = 1.0) -> Frame | None:
        if self._shown is None or self.plays.is_set():
            frame = self._film.next()
            if frame is None:
                return None
            self._shown = frame.image
        else:
            time.sleep(0.05)
        self._number += 1
        return Frame(self._number, self._number / self._film.fps, self._shown)

    @property
    def state(self) -> SourceState:
        return self._film.state

    def close(self) -> None:
        self._film.close()


class FilmedTable(TableEyes):
    """Real eyes, before which one film is played."""

    def __init__(self) -> None:
        self.film = FilmOnceDrawn()

    def source(self, spec: str, files: bool) -> Source:
        return self.film


@pytest.fixture
def filmed(tmp_path: Path) -> Iterator[tuple[str, FilmOnceDrawn]]:
    eyes = FilmedTable()
    served = Served(tmp_path, table=eyes)
    yield served.address, eyes.film
    served.close()


@pytest.mark.size("laptop")
def test_a_film_with_areas_drawn_on_the_page_is_read_to_its_end(page: Page, filmed: tuple[str, FilmOnceDrawn]) -> None:
    address, film = filmed
    page.goto(f"{address}/live/?game=twelve-seekers")
    page.locator("[name=rule]").select_option(f"{demo_game.RULE}")
    page.get_by_role("button", name="Follow the table").click()
    page.locator('[data-key="change-areas"], [data-key="zones"]').first.click()
    for close in page.locator(".zones-bar .chip-close").all():
        close.click()
    wide, high = demo_game.SIZE
    for name, area in demo_game.AREAS.items():
        draw(page, name, (area.x / wide, area.y / high, (area.x + area.width) / wide, (area.y + area.height) / high))
    page.get_by_role("button", name="Save the areas").click()
    expect(page.locator(".zone-overlay")).to_have_count(0)
    expect(page.locator(".banner")).to_contain_text("this is the score", timeout=30_000)
    film.plays.set()
    expect(page.locator(".log .moves li")).to_have_count(len(demo_game.TAKES), timeout=120_000)
    *_, last = demo_game.states()
    rows = [{"name": name, "line": list(line), "gold": last.gold[name]} for name, line in last.lines.items()]
    found = score_state({"game": "twelve-seekers", "rule": demo_game.RULE, "players": rows})
    for player in found.players:
        expect(total(page, player.name)).to_have_text(f"{player.total}")
    page.get_by_role("button", name="The game is over").click()
    expect(page.locator(".finish h2")).to_contain_text(f"{found.winners[0]} wins")
    expect(page.locator(".slip")).to_have_count(0)


class Hand:
    """Counts what a person taps."""

    def __init__(self) -> None:
        self.taps = 0

    def tap(self, what: Locator) -> None:
        self.taps += 1
        what.click()


def test_from_the_first_page_to_a_followed_game_in_ten_taps(page: Page, served: Served) -> None:
    served.table.lay({"dungeon": SCENES[0]["dungeon"]})
    hand = Hand()
    page.goto(served.address)
    hand.tap(page.locator(".shelf summary", has_text="Twelve Seekers"))
    hand.tap(page.locator('a.camera[href*="twelve-seekers"]'))
    page.locator("[name=rule]").select_option("8")
    hand.taps += 2  # a select opens, and one of its lines is chosen
    hand.tap(page.get_by_role("button", name="Follow the table"))
    card = page.locator(".set-up")
    expect(card).to_contain_text("Are these the areas? Dungeon, A, B")
    expect(card.locator(".lacks")).to_contain_text(
        "gems are not seen in the dungeon: "
    )  # the test's row is a short one
    expect(page.locator('[data-key="take-areas"]')).to_have_text("Begin anyway")
    expect(card.locator(".main-action")).to_have_text("Begin anyway")  # the one large key, whatever is missing
    expect(page.locator(".zone.proposed")).to_have_count(3)
    assert fits(page)
    for seat, name in (("A", "Mika"), ("B", "Jun")):
        hand.tap(page.locator(f'[data-key="seat-{seat}"]'))
        page.keyboard.type(name)
    expect(page.locator(".zone.proposed text")).to_have_text(["Dungeon?", "Mika", "Jun"])
    hand.tap(page.locator('[data-key="take-areas"]'))
    expect(page.locator(".rank")).to_have_count(2)
    expect(card).to_have_count(0)
    expect(page.locator(".rank").first).to_contain_text("Mika")
    assert hand.taps <= 10
    session = services_of(served.app).tables.now
    assert session is not None
    assert [*session.profile.zones] == ["dungeon", "A", "B"]
    assert complaints(page) == []
    expect(page.locator(".banner")).to_contain_text("this is the score")  # of the table as it lay when it began
    begun = total(page, "Mika").inner_text()
    turns_later = {"dungeon": SCENES[0]["dungeon"][:6], "A": ["green"] * 5, "B": ["purple"] * 4}
    served.table.lay(turns_later)
    count = page.get_by_role("button", name="Count what lies here")
    expect(count).to_be_visible()
    expect(total(page, "Mika")).to_have_text(begun)  # held back until a person says so
    assert fits(page)
    count.click()
    expect(count).to_have_count(0)
    for name, points in zip(("Mika", "Jun"), lies_there(turns_later), strict=True):
        expect(total(page, name)).to_have_text(points)
    expect(page.locator(".banner")).to_contain_text("this is the score")
    page.get_by_role("button", name="Undo: the table counts as it lies").first.click()
    expect(count).to_be_visible()
    expect(total(page, "Mika")).to_have_text(begun)


@pytest.mark.size("phone")
def test_what_is_no_row_is_not_called_a_dungeon(page: Page, served: Served) -> None:
    served.table.lay(dict.fromkeys("ABCD", ("red", "blue", "green", "yellow", "purple")))
    page.goto(f"{served.address}/live/?game=twelve-seekers")
    page.get_by_role("button", name="Follow the table").click()
    expect(page.locator('[data-key="draw-areas"]')).to_be_visible()
    expect(page.locator(".lack")).to_contain_text("Lay all gems in one row")
    expect(page.locator(".set-up")).to_have_count(0)


SPLENDOR = {
    "English": ["Splendor", "Follow the table", "12 of 12 cards lie open"],
    "日本語": ["宝石の煌めき", "読み取りを始める", "場のカード12枚のうち12枚が見えます"],
}


@pytest.mark.size("phone")
@pytest.mark.parametrize("language", SPLENDOR)
def test_from_the_first_page_to_splendor_with_a_known_deck_in_ten_taps(
    page: Page, tmp_path: Path, language: str
) -> None:
    game, follow, there = SPLENDOR[language]
    card = {"kind": "development", "bonus": "red"}
    market = [face(220 + 45 * k, 120 + 60 * (3 - n), **card, level=n) for n in (1, 2, 3) for k in range(4)]
    served = Served(tmp_path / "splendor", TableProfile("mine", "splendor"))
    try:
        served.table.lay({}, market)
        hand = Hand()
        page.goto(served.address)
        if (switch := page.get_by_role("button", name=language)).count():
            hand.tap(switch)
        hand.tap(page.locator(".shelf summary", has_text=game))
        hand.tap(page.locator('a.camera[href*="splendor"]'))
        hand.tap(page.get_by_role("button", name=follow))
        hand.tap(page.locator('[data-key="play-2"]'))
        expect(page.locator(".set-up .fits").first).to_contain_text(there)
        assert fits(page)
        for seat, name in (("A", "Mika"), ("B", "Jun")):
            hand.tap(page.locator(f'[data-key="seat-{seat}"]'))
            page.keyboard.type(name)
        with page.expect_response("**/entries"):
            hand.tap(page.locator('[data-key="take-areas"]'))
        session = services_of(served.app).tables.now
        assert session is not None
        assert [*session.profile.zones] == ["market", "A", "B"]
        assert session.entries.players["B"]["name"] == "Jun"
        assert hand.taps <= 10
    finally:
        served.close()
