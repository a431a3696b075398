"""Load the catalogs: one JSON object a language and topic, from a sentence's key to the sentence.

A language is a folder beside this file with `language.json`: its name, and how its plurals and ordinal numbers are
formed. What only one game says stands in that game's folder, `companion/games/<game>/words.<language>.json`. A sentence
that a language lacks is said in English.
"""

import json
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from scoring.games import NAMES

FOLDER = Path(__file__).parent
GAMES = FOLDER.parent / "games"
FALLBACK = "en"


def languages() -> tuple[str, ...]:
    """The codes of all languages, the one that others fall back to first."""
    found = {path.parent.name for path in FOLDER.glob("*/language.json")}
    return (FALLBACK, *sorted(found - {FALLBACK}))


LANGUAGES = languages()


def topics(language: str) -> Iterator[Path]:
    """The files of a language; a game without words yet shows its keys."""
    yield from sorted((FOLDER / language).glob("*.json"))
    yield from (path for game in NAMES if (path := own_words(language, game)).exists())


def own_words(language: str, game: str) -> Path:
    """The file of what only this game says."""
    return GAMES / game.replace("-", "_") / f"words.{language}.json"


@cache
def catalog(language: str) -> dict[str, str]:
    """Everything that can be said in a language, by key: in its own words, else in those of the fallback."""
    return {**own_catalog(FALLBACK), **own_catalog(language)}


def lacking(language: str) -> frozenset[str]:
    """The keys of the sentences that a language lacks."""
    return frozenset(own_catalog(FALLBACK).keys() - own_catalog(language).keys())


@cache
def own_catalog(language: str) -> dict[str, str]:
    """The sentences that a language has itself, by key. Raises ValueError where two files have the same key."""
    merged: dict[str, str] = {}
    for path in topics(language):
        sentences = json.loads(path.read_text("utf-8"))
        if twice := merged.keys() & sentences.keys():
            raise ValueError(f"{path}: keys that another topic has already: {', '.join(sorted(twice))}")
        merged |= sentences
    return merged
