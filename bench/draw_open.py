"""Draw the open set of photographs in `bench/open`, with their truth: sheets of three prints, tables, tables of cards.

    python -m bench.draw_open [--seed 39]

Nothing in them is anybody else's: prints, hands, tiles, cards and light are drawn by `training/synth`, letters with
the fonts of OpenCV and Pillow. They are the first that the seed gives, none was chosen. `python -m bench.figures` reads
them.
"""

import argparse
import json
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from bench.cards import learnt
from bench.tables import AREAS, laid
from training.synth.decks import drawn_deck
from training.synth.laid_cards import WAYS, Camera, laid_out, photographed
from training.synth.pages import filled_page, page_photo, random_page
from training.synth.table_photo import DrawnTable, Setting
from training.synth.tables import TOPS
from training.synth.tiles import Style
from vision.table.plane import project

OPEN = Path(__file__).resolve().parent / "open"
PRINTS = (4, 3, 3)
"""Filled sheets of each print."""
TABLES = 5
QUALITY = 60
"""Of the JPEGs: all of them together stay below 6 MB."""
DECK = "jewels", "painted"
"""A deck with pictures, as most games have; `bench.cards` has others, and worse ones."""
PIXELS = (1600, 900)


def written(name: str, image: np.ndarray) -> str:
    """Keep a photo; its name."""
    cv2.imwrite(str(OPEN / name), image, [cv2.IMWRITE_JPEG_QUALITY, QUALITY])
    return name


def rounded(points: np.ndarray) -> Any:
    """Coordinates to a tenth of a pixel."""
    return np.round(np.asarray(points, float), 1).tolist()


def sheets(seed: int) -> list[dict[str, Any]]:
    """Three prints, each with a photo of its blank page and some filled in by unlike hands."""
    out = []
    for k, photos in enumerate(PRINTS):
        rng = np.random.default_rng([seed, k])
        page = random_page(rng)
        blank = page_photo(rng, page, page.sheet.image, easy=True)
        name = f"print-{k + 1}"
        filled = []
        for n in range(photos):
            one = filled_page(rng, page)
            photo = page_photo(rng, page, one.image, one.graphite)
            filled.append({
                "photo": written(f"{name}-{n + 1}.jpg", photo.image), "medium": one.medium, "hand": one.hand,
                "map": one.map, "destinations": one.destinations, "gates": one.gates, "ticks": one.ticks,
                "numbers": one.numbers, "lattice": rounded(photo.lattice),
            })  # fmt: skip
        out.append({
            "blank": written(f"{name}.jpg", blank.image), "lattice": rounded(blank.lattice),
            "profile": page.profile(name), "sheets": filled,
        })  # fmt: skip
    return out


def tables(seed: int) -> list[dict[str, Any]]:
    """Tables of 39 tiles, each with another top, style of tiles, light and slant."""
    out = []
    for k in range(TABLES):
        rng = np.random.default_rng([seed, 100 + k])
        top = TOPS[k % len(TOPS)]
        setting = Setting(
            AREAS, top=top, warmth=float(rng.uniform(0, 1)), seed=seed + k, slant=float(rng.uniform(0, 0.45))
        )
        drawn = DrawnTable(setting, Style.varied(rng))
        placed = laid(rng)
        at = project(drawn.to_photo, np.array([[one.x, one.y] for one in placed]))
        near = project(drawn.to_photo, np.array([[one.x + setting.tile / 2, one.y] for one in placed]))
        out.append({
            "photo": written(f"table-{k + 1}.jpg", drawn.photo(placed)), "top": top,
            "profile": setting.profile(f"table-{k + 1}").to_json(),
            "tiles": [
                {"color": one.what, "at": rounded(center), "reach": round(float(np.hypot(*(edge - center))), 1)}
                for one, center, edge in zip(placed, at, near, strict=True)
            ],
        })  # fmt: skip
    return out


def cards(seed: int) -> dict[str, Any]:
    """A deck as photos of it taught it, and tables of it, one for each way in which people lay cards."""
    deck = drawn_deck(seed, *DECK)
    known, _ = learnt(deck, seed)
    known.save(OPEN / "deck.json")
    out = []
    for i, way in enumerate(WAYS):
        rng = np.random.default_rng([seed, 200 + i])
        lying, size = laid_out(rng, deck, way)
        photo = photographed(rng, deck, lying, size, Camera.drawn(rng, size, PIXELS, 0.3))
        out.append({
            "photo": written(f"cards-{i + 1}.jpg", photo), "way": way,
            "cards": [
                {
                    "id": None if one.card is None else one.card.entry["id"], "corners": rounded(one.corners),
                    "visible": round(one.visible, 3), "alike": sorted(one.alike),
                }
                for one in lying
            ],
        })  # fmt: skip
    return {"deck": "deck.json", "tables": out}


def main() -> None:
    """Draw all."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seed", type=int, default=39)
    args = parser.parse_args()
    OPEN.mkdir(exist_ok=True)
    truth = {"seed": args.seed, "prints": sheets(args.seed), "tables": tables(args.seed), "cards": cards(args.seed)}
    (OPEN / "truth.json").write_text(json.dumps(truth, ensure_ascii=False) + "\n", encoding="utf-8")
    print(f"{sum(file.stat().st_size for file in OPEN.iterdir()) / 1e6:.1f} MB")


if __name__ == "__main__":
    main()
