"""The camera page with a camera that looks at the board, on a phone and on a laptop."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import cv2
import pytest
from drawn_board import ROUND, Lens, picture
from fake_camera import browser_that_sees, film
from playwright.sync_api import Browser, Page, Playwright, Route, expect

LENS = Lens((640, 480), 0.9)


@pytest.fixture(scope="module")
def browser(playwright: Playwright, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browser]:
    """A browser whose camera is shown the board all around."""
    boards = [picture(LENS, at, far, tilt, seed=i) for i, (at, far, tilt) in enumerate(ROUND)]
    path = film(tmp_path_factory.mktemp("camera") / "board.y4m", boards, 1.2)
    with browser_that_sees(playwright, path) as browser:
        yield browser


@pytest.mark.size("phone")
def test_the_own_camera_is_calibrated_as_the_board_is_moved(page: Page, address: str) -> None:
    page.goto(f"{address}/camera/")
    expect(page.locator(".next")).to_have_text("Show the board to the camera.")
    page.get_by_role("button", name="Use this device’s camera").click()
    expect(page.locator(".dot").first).to_be_attached(timeout=30_000)
    save = page.get_by_role("button", name="Save the camera")
    expect(save).to_be_visible(timeout=90_000)
    error = re.search(r"([\d.]+) pixels off", page.locator(".error").inner_text())
    assert error
    assert float(error[1]) < 1
    assert page.locator(".needs .met").count() >= 3
    assert page.evaluate("document.documentElement.scrollWidth <= document.documentElement.clientWidth")
    save.click()
    expect(page.get_by_text("Saved.")).to_be_visible(timeout=20_000)
    page.get_by_role("button", name="Stop the camera").click()
    page.reload()
    expect(page.get_by_role("heading", name="Calibrated cameras")).to_be_visible()
    page.on("dialog", lambda dialog: dialog.accept())
    page.get_by_role("button", name="Delete").first.click()
    expect(page.get_by_role("button", name="Delete")).to_have_count(0)


@pytest.mark.size("laptop")
def test_photos_do_as_well_and_the_bad_one_is_named(page: Page, address: str, tmp_path: Path) -> None:
    paths = []
    for i, (at, far, tilt) in enumerate(ROUND[:3]):
        paths.append(tmp_path / f"board-{i}.jpg")
        cv2.imwrite(str(paths[-1]), picture(LENS, at, far, tilt))
    (tmp_path / "note.jpg").write_text("no photo")
    page.goto(f"{address}/camera/")
    page.locator('input[type="file"]').set_input_files([*map(str, paths), str(tmp_path / "note.jpg")])
    expect(page.get_by_text("3 of 10 pictures")).to_be_visible(timeout=30_000)
    expect(page.get_by_role("alert")).to_contain_text("note.jpg")
    page.get_by_role("button", name="Remove the last picture").click()
    expect(page.get_by_text("2 of 10 pictures")).to_be_visible()


@pytest.mark.size("phone")
def test_photos_chosen_before_the_companion_answered_are_not_lost(page: Page, address: str, tmp_path: Path) -> None:
    path = tmp_path / "board.jpg"
    cv2.imwrite(str(path), picture(LENS, *ROUND[0]))
    held: list[Route] = []

    def hold(route: Route) -> None:
        held.append(route)

    page.route("**/api/camera", hold)
    page.goto(f"{address}/camera/")
    page.locator('input[type="file"]').set_input_files(str(path))
    page.wait_for_timeout(500)
    held[0].continue_()
    expect(page.get_by_text("1 of 10 pictures")).to_be_visible()
    expect(page.get_by_role("alert").filter(visible=True)).to_have_count(0)
