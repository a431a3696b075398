"""Who comes in, and what it sees then: of all that guests and players can press, nothing is refused."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from acting import Page as Acting
from demo_sheets import filled_photo
from fake_eyes import FakeEyes, jpeg
from playwright.sync_api import Browser, Page, expect
from test_browser_live import SCENE, Served

from companion.web.access import access_control
from companion.web.running.devices import Role
from companion.web.running.network import Reach
from companion.web.running.pairing import WRONG
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


@pytest.fixture
def door(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Served]:
    """Nothing is played; it is open to a network, and nobody sits at this computer."""
    served = Served(tmp_path)
    services_of(served.app).network.reach = Reach(lan=True)
    monkeypatch.setattr(access_control, "HERE", frozenset())
    yield served
    served.close()


def type_code(page: Page, code: str) -> None:
    page.locator("[name=code]").fill(code)
    page.get_by_role("button", name="Join").click()


@pytest.mark.size("phone")
def test_six_characters_typed_at_the_same_address_let_a_phone_in_once(page: Page, door: Served) -> None:
    pairing = services_of(door.app).pairing
    code = pairing.new_code(Role.GUEST)
    short = pairing.typed(code)
    page.goto(door.address)
    page.get_by_role("link", name="Type the code").click()
    expect(page.get_by_text("type its six characters here")).to_be_visible()
    type_code(page, f"{short[:3].lower()} {short[3:]}")
    page.wait_for_url(f"{door.address}/")
    expect(page.locator(".shelf")).to_be_visible()
    page.context.clear_cookies()
    page.goto(f"{door.address}/pair")
    pairing._used = {name: replace(used, by="another") for name, used in pairing._used.items()}
    type_code(page, short)
    expect(page.locator("#wait")).to_contain_text("Another device used this code")
    short = pairing.typed(pairing.new_code(Role.GUEST))
    for _ in range(WRONG):
        type_code(page, "WRONG2")
        expect(page.locator("#wait")).to_contain_text("not right or has expired")
        expect(page.locator("[name=code]")).to_be_focused()
        page.locator("#wait").evaluate("(told) => (told.textContent = '')")
    type_code(page, short)  # so many tries, and it is worth nothing
    expect(page.locator("#wait")).to_contain_text("not right or has expired")
    short = pairing.typed(pairing.new_code(Role.GUEST))
    type_code(page, short)
    page.wait_for_url(f"{door.address}/")


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
