"""Takes the documentation's pictures: the real pages in a headless browser, in English and Japanese.

    python docs/pictures.py [--only sheet live …]

Needs the packages of requirements-dev.txt and a Chromium (`COMPANION_CHROMIUM`, or playwright's own). The companion
runs with an empty data folder of its own; the games are the demos and the cases written out below.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from playwright.sync_api import Browser, Page, sync_playwright

HERE = Path(__file__).parent
LANGUAGES = {"en": "en-GB", "ja": "ja-JP"}
LAPTOP = {"viewport": {"width": 1366, "height": 768}}
PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True, "device_scale_factor": 2}
QUALITY = 82
"""Of the JPEG files."""
PATIENCE = 90_000
"""Milliseconds that a page may take until it shows what is waited for."""
SETTLING = 3000
"""Milliseconds until pictures are loaded and nothing fades in any more."""

SETS = [["H3", "H4", "H5"], ["I2", "I2", "I2r"]]
HAND = ["A1", "A2r", "A3", "D6", "D6", "D6r", "H7", "H7"]
CARDS = [{"points": 5, "bonus": "red"}, {"points": 4, "bonus": "blue"}, {"points": 3, "bonus": "green"}]
CASES = {
    "human-angel-demon": {
        "advanced": True, "winner": "Hana", "won_by": "discard", "discarder": "Ken",
        "short_game": 3, "bonus": ["H3", "A7"],
        "players": [
            {"name": "Hana", "ready": True, "points": 4, "open": SETS, "hand": HAND, "winning_card": "H7"},
            {"name": "Ken", "points": 9, "open": [["D1", "D2", "D3"]]},
        ],
    },
    "splendor": {
        "round_over": True,
        "players": [
            {"name": "Hana", "cards": CARDS, "nobles": 1},
            {"name": "Ken", "cards": [*CARDS, {"points": 0, "bonus": "white"}], "nobles": 1},
        ],
    },
    "igna": {
        "points": {"same": 6, "run": 4, "mixed": 2, "bonus": 1},
        "players": [
            {"name": "Hana", "sets": [["red3", "red3", "red3*"], ["blue1", "blue2", "blue3"]]},
            {"name": "Ken", "sets": [["red5", "green5", "blue5"]]},
        ],
    },
}  # fmt: skip


def shelf(page: Page, address: str) -> None:
    """All games."""
    page.goto(address)
    page.wait_for_load_state("networkidle")


def sheet(page: Page, address: str) -> None:
    """The demo's map sheet, read and scored, with the line of the second square lit."""
    page.goto(f"{address}/in-the-ruin/")
    page.locator('a[href*="demo"]').first.click()
    with page.expect_response(re.compile(r"-flat\w*-\w+\.jpg"), timeout=PATIENCE):
        page.locator("button.main-action:visible:not([disabled])").last.click(timeout=PATIENCE)
    page.locator("#total").wait_for(timeout=PATIENCE)
    page.locator(".points .line").nth(1).click()
    page.locator(".view .lit").first.wait_for()
    page.evaluate("scrollTo(0, 0)")


def screen(name: str) -> Callable[[Page, str], None]:
    """One of a phone's three screens of a game with the demo's sheets, as a player walks through them."""

    def opened(page: Page, address: str) -> None:
        sheet(page, address)
        page.locator(f'[data-key="tab-{name}"]').click()

    return opened


def result(page: Page, address: str) -> None:
    """The result that opens by itself when a player has entered the last thing."""
    sheet(page, address)
    for player in range(2):
        page.locator(".rank").nth(player).click()
        page.locator('[data-key="tab-questions"]').click()
        for letter in ("DK", "GR")[player]:
            page.locator(f'[data-key="letter-{letter}"]').click()
        page.locator('[data-key="first-square"]').fill("12")
        page.locator('[data-key="first-square"]').press("Enter")
    for player in range(2):
        page.locator(".escape-row").nth(player).locator(".key").nth(player).click()
    page.locator(".finish h2").wait_for(timeout=PATIENCE)


def live(page: Page, address: str) -> None:
    """The demo table with a line lit."""
    page.goto(f"{address}/")
    page.locator(".demos > summary").click()
    page.locator('a[href*="live/?demo"]').first.click()
    if (start := page.locator('[data-key="demo-start"]')).count():
        start.click()
    page.wait_for_function("() => document.querySelectorAll('.piece-shape').length > 8", timeout=PATIENCE)
    page.locator(".breakdown .line, .points .line").first.click(timeout=PATIENCE)


def case(game: str) -> Callable[[Page, str], None]:
    """A tapped case, opened from its file."""

    def opened(page: Page, address: str) -> None:
        page.goto(f"{address}/dispute/{game}")
        state = {"name": "state.json", "mimeType": "application/json"}
        text = json.dumps({"game": game, **CASES[game]}).encode()
        with page.expect_navigation():  # a file is a case of its own
            page.locator('[data-key="open"]').set_input_files({**state, "buffer": text})
        page.locator("#total").wait_for(timeout=PATIENCE)
        page.evaluate("scrollTo(0, 0)")

    return opened


PICTURES: dict[str, tuple[dict, Callable[[Page, str], None]]] = {
    "shelf": (LAPTOP, shelf),
    "sheet": (LAPTOP, sheet),
    "phone": (PHONE, sheet),
    "phone-photos": (PHONE, screen("photo")),
    "phone-questions": (PHONE, screen("questions")),
    "phone-result": (PHONE, result),
    "live": (LAPTOP, live),
    **{game: (LAPTOP, case(game)) for game in CASES},
}


def main() -> None:
    """Take them all, or those named."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", nargs="*", choices=PICTURES, default=list(PICTURES))
    names = parser.parse_args().only
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=os.environ.get("COMPANION_CHROMIUM") or None)
        for name in names:
            for language in LANGUAGES:
                with companion() as address:
                    take(browser, address, name, language)
        browser.close()


@contextmanager
def companion() -> Iterator[str]:
    """The address of a companion that knows nothing yet."""
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, "-u", "-m", "companion", "serve", "--no-browser", "--port", "0", "--data", folder]
        with subprocess.Popen(command, cwd=HERE.parent, stdout=subprocess.PIPE, text=True, encoding="utf-8") as server:
            said = server.stdout.readline() if server.stdout else ""
            try:
                yield re.findall(r"http://127\.0\.0\.1:\d+", said)[0]
            finally:
                server.terminate()


def take(browser: Browser, address: str, name: str, language: str) -> None:
    """One picture in one language."""
    size, open_page = PICTURES[name]
    context = browser.new_context(locale=LANGUAGES[language], color_scheme="light", **size)
    page = context.new_page()
    open_page(page, address)
    page.wait_for_timeout(SETTLING)
    path = HERE / "pictures" / language / f"{name}.jpg"
    path.parent.mkdir(parents=True, exist_ok=True)
    page.screenshot(path=path, type="jpeg", quality=QUALITY)
    context.close()
    print(path.relative_to(HERE.parent))


if __name__ == "__main__":
    main()
