"""A game followed with nothing printed, in a real browser: areas drawn on the picture, seekers without stickers."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest
from fake_table import GAME, PACE, ZONES, FakeTable, game_scenes
from playwright.sync_api import Locator, Page, expect
from test_browser_access import complaints
from test_browser_live import Served, fits, total

from companion.live.settle_detector import Follower
from companion.web.services import services_of
from scoring import score_state
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


def draw(page: Page, name: str) -> None:
    """Draw an area by dragging its corners to where it lies."""
    page.locator(f'[data-key="zone-{name}"]').click()
    left, top, right, bottom = ZONES[name]
    for corner, (x, y) in enumerate([(left, top), (right, top), (right, bottom), (left, bottom)]):
        shape = page.locator(f'.zone-shape[data-zone="{name}"]')
        for _ in range(4):  # what stands above the picture may grow meanwhile
            drag(page, shape.locator(".zone-handle").nth(corner), x, y)
            lies = shape.locator(".zone-body").get_attribute("points").split()[corner].split(",")
            if np.hypot(float(lies[0]) - x, float(lies[1]) - y) < 6:
                break


def drag(page: Page, handle: Locator, x: float, y: float) -> None:
    """Drag a handle to a point of the picture."""
    handle.scroll_into_view_if_needed()
    box, frame = handle.bounding_box(), page.locator(".zone-overlay").bounding_box()
    page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    page.mouse.down()
    page.mouse.move(frame["x"] + x * frame["width"] / 640, frame["y"] + y * frame["height"] / 360, steps=3)
    page.mouse.up()


def lies_there(n: int) -> list[str]:
    """Everybody's points after so many takes, as the rules count what lies there."""
    rows = [
        {"name": name, "line": [gem for gem in SCENES[n][name] if gem != "gold"], "gold": SCENES[n][name].count("gold")}
        for name in "AB"
    ]
    found = score_state({"game": "twelve-seekers", "rule": 8, "players": rows})
    return [f"{player.total}".replace("-", "−") for player in found.players]


def test_a_game_with_drawn_areas_and_no_stickers_is_followed_to_its_end(page: Page, served: Served) -> None:
    served.table.lay(SCENES[0])
    page.goto(f"{served.address}/live/")
    page.locator("[name=layout]").select_option("drawn")
    page.locator("[name=rule]").select_option("8")
    page.get_by_role("button", name="Follow the table").click()
    for name in AREAS:
        draw(page, name)
    page.get_by_role("button", name="Save the areas").click()
    expect(page.locator(".zone-overlay")).to_have_count(0)
    session = services_of(served.app).tables.now
    assert session is not None
    assert session.profile.cards  # the layout knows stickers; none lies here
    for n, scene in enumerate(SCENES):
        served.table.lay(scene)
        expect(page.locator(".log .moves li")).to_have_count(n)
        for name, points in zip("AB", lies_there(n), strict=True):
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
