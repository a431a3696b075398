"""How soon everybody sees the same game: from a tap on one device until another's page shows it, end to end.

    python -m bench.together [--taps 40]

Two real browsers (COMPANION_CHROMIUM) look at a followed table, at a game on paper and at a tapped one. One taps, the
other's page is watched as it is drawn. Then the other sleeps while things are tapped, and wakes: how long until it has
caught up.
"""

import argparse
import json
import os
import random
import time
from pathlib import Path

from playwright.sync_api import Page, sync_playwright

from bench.attack import ask, served
from companion.demo import SHEET

TAPPED = "0123456789abcdef"
STATE = {"game": "twelve-seekers", "rule": 1, "players": [{"name": name, "gems": {}} for name in ("Aki", "Ben")]}
REDS = 7
"""Red gems in the box."""
WATCH = """([selector]) => {
  globalThis.seen = [];
  const look = () => {
    const text = document.querySelector(selector)?.textContent;
    if (text !== undefined && text !== globalThis.seen.at(-1)?.[0]) globalThis.seen.push([text, Date.now()]);
  };
  look();
  new MutationObserver(look).observe(document.body, { subtree: true, childList: true, characterData: true });
}"""
"""Notes when what a selector finds is another."""
SLEEP = """(sleeps) => {
  Object.defineProperty(document, "hidden", { configurable: true, get: () => sleeps });
  document.dispatchEvent(new Event("visibilitychange"));
}"""


def seen_after(tapping: Page, other: Page, button: str, shown: str, taps: int) -> list[float]:
    """Seconds from each tap until the other page shows another value than before."""
    other.evaluate(WATCH, [shown])
    took = []
    for _ in range(taps):
        time.sleep(random.uniform(0.3, 1.0))
        known = other.evaluate("globalThis.seen.length")
        begun = tapping.evaluate(
            "(key) => { const at = Date.now(); document.querySelector(key).click(); return at; }", button
        )
        while other.evaluate("globalThis.seen.length") == known:
            time.sleep(0.02)
        took.append((other.evaluate(f"globalThis.seen[{known}][1]") - begun) / 1000)
    return took


def woken(tapping: Page, other: Page, button: str, shown: str, times: int) -> list[float]:
    """Seconds from waking until the page shows what was tapped while it slept."""
    took = []
    for _ in range(times):
        before = other.locator(shown).first.text_content()
        other.evaluate(SLEEP, True)
        time.sleep(0.3)
        for _ in range(3):
            tapping.locator(button).first.click()
        time.sleep(1.0)
        if other.locator(shown).first.text_content() != before:
            raise RuntimeError("it did not sleep")
        begun = other.evaluate(f"() => {{ ({SLEEP})(false); return Date.now(); }}")
        wanted = tapping.locator(shown).first.text_content()
        while other.locator(shown).first.text_content() != wanted:
            time.sleep(0.01)
        took.append(time.time() - begun / 1000)
    return took


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--taps", type=int, default=40)
    taps = parser.parse_args().taps
    with served() as place, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=os.environ.get("COMPANION_CHROMIUM") or None)
        one, other = pages = [browser.new_context(locale="en").new_page() for _ in range(2)]
        table = ask(place, "POST", "/api/live/start", {"source": "demo"})["table"]
        sheet = ask(place, "POST", "/api/in-the-ruin/sheets/profile", _sheet())["sheet"]
        play = ask(place, "POST", "/api/in-the-ruin/plays", {"sheet": sheet})["play"]
        edit = {"kind": "add-player", "player": "1", "name": "Aki"}
        ask(place, "POST", f"/api/in-the-ruin/plays/{play}/edits", edit)
        for what, address, button, shown in (
            ("a table", f"/live/{table}", '[data-key="chips-0-1"]', ".chip-count output"),
            ("a game on paper", f"/in-the-ruin/plays/{play}", '[data-key="gems-plus"]', "#ticks output"),
        ):
            for page in pages:
                page.goto(f"http://{place[0]}:{place[1]}{address}")
                page.wait_for_selector(shown, state="attached", timeout=60_000)
            _print(f"{what}: seen elsewhere", seen_after(one, other, button, shown, taps))
            _print(f"{what}: caught up after sleep", woken(one, other, button, shown, max(3, taps // 8)))
        ask(place, "POST", f"/api/evenings/games/{TAPPED}", {"state": STATE})
        for page in pages:
            page.goto(f"http://{place[0]}:{place[1]}/evenings/games/{TAPPED}")
            page.wait_for_selector("[data-total]", state="attached", timeout=60_000)
        _print(
            "a tapped game: seen elsewhere", seen_after(one, other, '[data-key="gems-red-add"]', "[data-total]", REDS)
        )
        browser.close()


def _sheet() -> object:
    return json.loads(Path(SHEET).read_text("utf-8"))


def _print(what: str, took: list[float]) -> None:
    took = sorted(took)
    middle, slow = (1000 * took[int(len(took) * part)] for part in (0.5, 0.95))
    print(
        f"{what}: {middle:.0f} ms, p95 {slow:.0f} ms, slowest {1000 * took[-1]:.0f} ms ({len(took)} times)", flush=True
    )


if __name__ == "__main__":
    main()
