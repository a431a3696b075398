"""Who may not do a thing does not see it: of all that guests and players can press, nothing is refused."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from acting import Page as Acting
from demo_sheets import filled_photo
from fake_eyes import FakeEyes, jpeg
from playwright.sync_api import Browser, Page
from test_browser_live import SCENE, Served

from companion.web.access import access_control
from companion.web.running.devices import Role
from companion.web.running.network import Reach
from companion.web.services import services_of

PRESS_ALL = """async () => {
  const pressed = new Set();
  const kinds = new Map();
  const name = (one) => one.dataset.key || one.id || one.name || one.textContent.trim();
  const stays = ["print", "json", "csv", "case", "big", "image", "start"];
  const asks = ({ form, type }) => type === "submit" && form?.getAttribute("method") === "get"; // another page answers
  const leads = (one) => one.dataset.language || one.form?.dataset.begin || one.type === "file" || asks(one);
  const can = (one) => one.checkVisibility() && !one.matches(":disabled") && !leads(one) && !stays.includes(name(one));
  const kind = (one) => name(one).replaceAll(/\\d+/g, "#"); // of 121 cells of a map, three
  const fresh = (one) => !pressed.has(name(one)) && (kinds.get(kind(one)) ?? 0) < 3;
  const all = () => [...document.querySelectorAll("button, input, select, summary")];
  const free = () => all().find((one) => fresh(one) && can(one));
  for (let one = free(); one; one = free()) {
    pressed.add(name(one));
    kinds.set(kind(one), (kinds.get(kind(one)) ?? 0) + 1);
    one.click();
    one.dispatchEvent(new Event("change", { bubbles: true }));
    await new Promise((done) => setTimeout(done, 15));
    document.querySelector("dialog[open]")?.close();
  }
  return [...pressed];
}"""
"""Presses everything on a page that does not lead away from it, and three of each kind whose names differ in numbers
alone; the names of what was pressed."""


@pytest.fixture
def opened(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Served]:
    """A play with a sheet and a table that is followed, open to a network; nobody sits at this computer."""
    served = Served(tmp_path, eyes=FakeEyes())
    served.table.lay({**SCENE, "A": ["red", "gold?"]})
    host = Acting(served.app.test_client())
    play, tapped = host.start(), "0123456789abcdef"
    host.photograph(play, jpeg(filled_photo()[0]))
    host.post(f"/api/evenings/games/{tapped}", {"state": {"game": "splendor", "players": [{"name": "A"}]}})
    table = host.post("/api/live/start", {"source": "demo"}).json["table"]
    served.pages = ["/", "/in-the-ruin/", f"/in-the-ruin/plays/{play}", "/dispute/splendor", "/evenings/", "/live/"]
    served.pages += [f"/live/{table}", "/phone", f"/evenings/games/{tapped}"]
    services_of(served.app).network.reach = Reach(lan=True)
    monkeypatch.setattr(access_control, "HERE", frozenset())
    yield served
    served.close()


@pytest.mark.parametrize("role", [Role.GUEST, Role.PLAYER])
@pytest.mark.size("phone")
def test_nothing_that_can_be_pressed_is_refused(page: Page, browser: Browser, opened: Served, role: Role) -> None:
    refused: list[str] = []
    page.on("response", lambda answer: refused.append(answer.url) if answer.status == 403 else None)
    page.on("dialog", lambda dialog: dialog.accept())
    page.goto(f"{opened.address}/pair#{services_of(opened.app).pairing.new_code(role)}")
    page.wait_for_url("**/live/*")
    pressed = {}
    for address in opened.pages:
        page.goto(opened.address + address)
        page.locator("main noscript").wait_for(state="detached")
        pressed[address] = page.evaluate(PRESS_ALL)
        links = page.locator("a:visible").evaluate_all("all => all.map((one) => one.href)")
        for link in {link for link in links if link.startswith(opened.address)}:
            answer = page.request.get(link, max_redirects=0)
            if answer.status == 403:
                refused.append(link)
    assert refused == []
    assert any("rank" in name for name in pressed[opened.pages[2]])
