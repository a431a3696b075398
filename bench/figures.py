"""README's figures from photographs that everybody has: what this computer reaches on the open set in `bench/open`.

    python -m bench.figures [--write]

Ten sheets of three prints (each enrolled from the photo of its blank page), five tables of tiles, five tables of cards,
drawn by `bench.draw_open`. Prints a table beside what docs/figures.md holds, and says in how many figures this
computer differs from the one that those were measured on, and in which. `--write` puts this computer's figures there,
with the date, the processor and the command.
"""

from __future__ import annotations

import argparse
import json
import platform
import re
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable
from datetime import date
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import cv2
import numpy as np

from bench import cards, prints
from bench.bounds import counted
from training.synth.laid_cards import Lying
from training.synth.pages import FilledPage, PagePhoto
from vision.cards.deck import Deck
from vision.cards.find import CardFinder
from vision.errors import PhotoError
from vision.photo import open_photo
from vision.sheet.flatten import SheetMap, flatten
from vision.sheet.profile import SheetProfile
from vision.sheet.read import read_sheet
from vision.sheet.tracks import whole_page
from vision.table.profile import TableProfile
from vision.table.read import TableReader

OPEN = Path(__file__).resolve().parent / "open"
FIGURES = OPEN.parents[1] / "docs/figures.md"
BEGIN, END = "<!-- open set -->", "<!-- end of the open set -->"
"""Between these lines the figures stand in docs/figures.md."""
COMMAND = "python -m bench.figures"
SPEED = "processor seconds a photo: a sheet; a table; a table of cards"
"""Of the figures the one that no two computers have in common."""


def photo(name: str) -> np.ndarray:
    """A photo of the set, opened as every photo is."""
    return open_photo((OPEN / name).read_bytes()).image


def truth() -> dict[str, Any]:
    """What is true of all photos."""
    told: dict[str, Any] = json.loads((OPEN / "truth.json").read_text(encoding="utf-8"))
    return told


def enrolled(data: dict[str, Any], folder: Path) -> SheetProfile:
    """The profile of a print with the pictures of its blank page."""
    image, sheet_map = photo(data["blank"]), SheetMap(np.array(data["lattice"], np.float32))
    pictures = {"blank": flatten(image, sheet_map, prints.FLAT), "page": whole_page(image, sheet_map)}
    name = data["profile"]["name"]
    for kind, flat in pictures.items():
        cv2.imwrite(str(folder / f"{name}-{kind}.png"), flat.image)
    profile = data["profile"] | {kind: f"{name}-{kind}.png" for kind in pictures}
    return SheetProfile.from_json(profile | {"places": {k: list(f.place) for k, f in pictures.items()}}, folder)


def sheets(told: dict[str, Any]) -> tuple[Counter[str], float]:
    """Counts over all sheets, as `bench.prints` has them, and seconds a sheet."""
    sums, seconds = Counter[str](), []
    with tempfile.TemporaryDirectory() as folder:
        for data in told["prints"]:
            profile = enrolled(data, Path(folder))
            for one in data["sheets"]:
                image = photo(one["photo"])
                numbers = {k: one[k] for k in ("map", "destinations", "ticks", "numbers", "medium", "hand")}
                filled = FilledPage(image, image, gates=[(r, c) for r, c in one["gates"]], **numbers)
                began = time.process_time()
                try:
                    reading = read_sheet(image, profile)
                except PhotoError:
                    sums += prints.unread(filled)
                else:
                    sums += prints.judged(filled, PagePhoto(image, np.array(one["lattice"])), profile, reading)
                seconds.append(time.process_time() - began)
    return sums, float(np.median(seconds))


def tables(told: dict[str, Any]) -> tuple[Counter[str], float]:
    """Tiles, those missed, surely invented, surely of a wrong color, asked about; seconds a table."""
    sums, seconds = Counter[str](), []
    for data in told["tables"]:
        image = photo(data["photo"])
        began = time.process_time()
        reading = TableReader(TableProfile.from_json(data["profile"])).read(image)
        seconds.append(time.process_time() - began)
        free = dict(enumerate(data["tiles"]))
        sums["tiles"] += len(free)
        for tile in reading.tiles:
            sums["asked"] += tile.doubtful
            apart = {i: float(np.hypot(*(np.array(one["at"]) - tile.center))) for i, one in free.items()}
            near = min(apart, key=apart.__getitem__, default=-1)
            if near < 0 or apart[near] > free[near]["reach"]:
                sums["invented"] += not tile.doubtful
            else:
                sums["wrong"] += free.pop(near)["color"] != tile.color and not tile.doubtful
        sums["missed"] += len(free)
    return sums, float(np.median(seconds))


def card_tables(told: dict[str, Any]) -> tuple[cards.Figures, float]:
    """Figures over all tables of cards, as `bench.cards` has them, and seconds a table."""
    finder = CardFinder([Deck.load(OPEN / told["cards"]["deck"])])
    sums, seconds = cards.Figures(), []
    for data in told["cards"]["tables"]:
        lying = [
            SimpleNamespace(
                card=one["id"] and SimpleNamespace(entry={"id": one["id"]}),
                corners=np.array(one["corners"]),
                visible=one["visible"],
                alike=one["alike"],
            )
            for one in data["cards"]
        ]
        image = photo(data["photo"])
        began = time.process_time()
        found = finder.find(image)
        seconds.append(time.process_time() - began)
        sums.add(cards.judged(cast("list[Lying]", lying), found))
    return sums, float(np.median(seconds))


def measured() -> dict[str, str]:
    """What this computer reaches, each figure by what it is of."""
    told = truth()
    read, sheet_seconds = sheets(told)
    tiles, table_seconds = tables(told)
    laid, card_seconds = card_tables(told)
    of = read["photos"]
    tiles_wrong = counted(tiles["missed"] + tiles["invented"] + tiles["wrong"], tiles["tiles"])
    return {
        "sheets read; maps without a mistake": f"{read['read']} of {of}; {read['exact']} of {of}",
        "cells right": f"{read['cells']} of {read['counted']}",
        "cells wrong and not flagged; flagged": f"{counted(read['silent'], read['counted'])}; {read['flagged']}",
        "tick counts right; gates all right; traced letters all right": "; ".join(
            f"{read[key]} of {of}" for key in ("ticks", "gates", "destinations")
        ),
        "written numbers right": f"{read['written']} of {read['numbers']}",
        "tiles found": f"{tiles['tiles'] - tiles['missed']} of {tiles['tiles']}",
        "tiles wrong, missed or invented and not flagged; flagged": f"{tiles_wrong}; {tiles['asked']}",
        "cards found and named": f"{laid.right} of {laid.asked}",
        "cards wrong and not flagged; flagged": f"{counted(laid.silent, laid.every)}; {laid.flagged}",
        "foreign cards left unnamed": f"{laid.refused} of {laid.strange}",
        SPEED: f"{sheet_seconds:.2f}; {table_seconds:.2f}; {card_seconds:.2f}",
    }  # fmt: skip


def kept(text: str) -> dict[str, str]:
    """The figures that stand in docs/figures.md, the speed among them."""
    block = text.partition(BEGIN)[2].partition(END)[0]
    return dict(re.findall(r"^\| (.+?) \| (.+?) \|$", block, re.MULTILINE)[1:])


def different(here: dict[str, str], there: dict[str, str]) -> list[str]:
    """The figures that differ, but for the speed."""
    return [name for name in here if name != SPEED and here[name] != there.get(name)]


def furthest(here: dict[str, str], there: dict[str, str]) -> float:
    """The largest difference of two counts, in parts of what is counted."""
    apart = [0.0]
    for name in different(here, there):
        pairs = zip(*(re.findall(r"(\d+) of (\d+)", figures.get(name, "")) for figures in (here, there)), strict=False)
        apart += [abs(int(n) - int(other)) / max(1, int(of)) for (n, of), (other, _) in pairs]
    return max(apart)


def section(figures: dict[str, str]) -> str:
    """The figures as they stand in docs/figures.md."""
    rows = "".join(f"| {name} | {figure} |\n" for name, figure in figures.items())
    where = f"{date.today().isoformat()}, {processor()}, `{COMMAND}`"
    return f"{BEGIN}\n| the open set ({where}) | reached |\n|---|---|\n{rows}{END}"


def processor() -> str:
    """This computer's processor in a few words."""
    try:
        found = re.search(r"^model name\s*: (.+)$", Path("/proc/cpuinfo").read_text("utf-8"), re.MULTILINE)
    except OSError:
        found = None
    return found[1] if found else platform.processor() or platform.machine()


def main(say: Callable[[str], None] = print) -> int:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--write", action="store_true", help="put them into docs/figures.md")
    args = parser.parse_args()
    here, text = measured(), FIGURES.read_text(encoding="utf-8")
    there = kept(text)
    say(f"| {processor()} | here | docs/figures.md |\n|---|---|---|")
    for name, figure in here.items():
        say(f"| {name} | {figure} | {there.get(name, '–')} |")
    if odd := different(here, there):
        say(
            f"\n{len(odd)} of {len(here) - 1} figures differ, by {furthest(here, there):.3f} at most: {', '.join(odd)}."
        )
    else:
        say("\nAll figures are those of docs/figures.md.")
    if args.write:
        block = re.compile(f"{re.escape(BEGIN)}.*{re.escape(END)}", re.DOTALL)
        FIGURES.write_text(block.sub(lambda _: section(here), text), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
