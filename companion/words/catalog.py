"""Load the catalogs: one JSON object a language and topic, from a sentence's key to the sentence.

What only one game says stands in its own folder, `companion/games/<game>/words.<language>.json`.
"""

import json
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from scoring.games import NAMES

LANGUAGES = ("en", "ja")
FOLDER = Path(__file__).parent


def topics(language: str) -> Iterator[Path]:
    """The files of a language; a game without words yet shows its keys."""
    yield from sorted((FOLDER / language).glob("*.json"))
    yield from (path for game in NAMES if (path := own_words(language, game)).exists())


def own_words(language: str, game: str) -> Path:
    """The file of what only this game says."""
    return FOLDER.parent / "games" / game.replace("-", "_") / f"words.{language}.json"


@cache
def catalog(language: str) -> dict[str, str]:
    """All sentences of a language, by key. Raises ValueError where two files have the same key."""
    merged: dict[str, str] = {}
    for path in topics(language):
        sentences = json.loads(path.read_text("utf-8"))
        if twice := merged.keys() & sentences.keys():
            raise ValueError(f"{path}: keys that another topic has already: {', '.join(sorted(twice))}")
        merged |= sentences
    return merged
