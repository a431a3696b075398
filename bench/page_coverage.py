"""How much of the pages' JavaScript the browser tests run, as Chromium counts it: lines of each module.

    python -m bench.page_coverage [--least 0.8] [WORD …]

Words go to pytest; without one all of tests/browser is run. A line is run where its first sign was, in any page of any
test. Blank lines and comments do not count. Exit status 1 where a share of all lines below `--least` was run.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import BrowserContext, CDPSession, Error, Page

ROOT = Path(__file__).resolve().parents[1]
SCRIPTS = {"/static/js/": "templates/static/js/", "/public/": "templates/static/public/"}
"""Where scripts are asked for, and where they lie."""
COMMENTS = ("//", "/*", "*")


def script_of(url: str) -> Path | None:
    """The file that is served at an address; None where it is no script of ours."""
    path = urlsplit(url).path
    there = [ROOT / folder / path.removeprefix(at) for at, folder in SCRIPTS.items() if path.startswith(at)]
    return next((file for file in there if file.suffix == ".js" and file.is_file()), None)


def signs_run(length: int, functions: Sequence[dict[str, Any]]) -> bytearray:
    """Of each sign (UTF-16) of a script 1 where it was run. What lies within a range comes after it, and counts."""
    out = bytearray(length)
    for function in functions:
        for part in function["ranges"]:
            start, end = part["startOffset"], min(part["endOffset"], length)
            out[start:end] = bytes([part["count"] > 0]) * (end - start)
    return out


def lines_of(text: str) -> Iterator[tuple[int, int]]:
    """The number of each line of code, from 1, and where its first sign stands (UTF-16)."""
    at = 0
    for number, line in enumerate(text.splitlines(keepends=True), 1):
        code = line.lstrip()
        if code and not code.startswith(COMMENTS):
            yield number, at + len(line) - len(code)
        at += len(line.encode("utf-16-le")) // 2


class Watched:
    """What pages have run, script by script. Pages tell it before they are closed."""

    def __init__(self) -> None:
        self.run: dict[Path, bytearray] = {}
        self._open: dict[BrowserContext, list[CDPSession]] = {}

    def begin(self, context: BrowserContext, page: Page) -> None:
        """Count what a new page runs from now on."""
        session = context.new_cdp_session(page)
        session.send("Profiler.enable")
        session.send("Profiler.startPreciseCoverage", {"callCount": False, "detailed": True})
        self._open.setdefault(context, []).append(session)

    def end(self, context: BrowserContext) -> None:
        """Take what a browser's pages have run; a page that was killed says nothing."""
        for session in self._open.pop(context, []):
            try:
                said = session.send("Profiler.takePreciseCoverage")
            except Error:
                continue
            for script in said["result"]:
                self.add(script["url"], script["functions"])

    def add(self, url: str, functions: Sequence[dict[str, Any]]) -> None:
        """What was run of the script at an address."""
        file = script_of(url)
        if file is None:
            return
        length = len(file.read_text("utf-8").encode("utf-16-le")) // 2
        now, before = signs_run(length, functions), self.run.get(file, bytearray(length))
        self.run[file] = bytearray(a | b for a, b in zip(now, before, strict=True))

    def counts(self) -> dict[str, tuple[int, int]]:
        """Of each script of ours: how many of its lines were run, and how many there are."""
        out = {}
        for folder in SCRIPTS.values():
            for file in sorted((ROOT / folder).rglob("*.js")):
                places = [at for _, at in lines_of(file.read_text("utf-8"))]
                run = self.run.get(file)
                out[str(file.relative_to(ROOT))] = (sum(run[at] for at in places) if run else 0, len(places))
        return out


def watch(watched: Watched, patch: pytest.MonkeyPatch) -> None:
    """Let every page of every browser tell what it runs."""
    made, closed = BrowserContext.new_page, BrowserContext.close

    def new_page(self: BrowserContext) -> Page:
        page = made(self)
        watched.begin(self, page)
        return page

    def close(self: BrowserContext, **how: Any) -> None:
        watched.end(self)
        closed(self, **how)

    patch.setattr(BrowserContext, "new_page", new_page)
    patch.setattr(BrowserContext, "close", close)


def main() -> int:
    """Run the tests and print. Returns the exit status."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--least", type=float, default=0.0, help="share of all lines that must be run")
    args, words = parser.parse_known_args()
    watched = Watched()
    with pytest.MonkeyPatch.context() as patch:
        watch(watched, patch)
        status = pytest.main(["-p", "no:xdist", *(words or ["tests/browser"])])
    counts = watched.counts()
    for name, (run, of) in sorted(counts.items(), key=lambda one: one[1][0] / max(1, one[1][1])):
        print(f"{run / max(1, of):5.2f}  {run:4d} of {of:4d}  {name}")
    run, of = (sum(column) for column in zip(*counts.values(), strict=True))
    print(f"{run / of:5.2f}  {run} of {of} lines of {len(counts)} scripts")
    return int(status) or int(run / of < args.least)


if __name__ == "__main__":
    sys.exit(main())
