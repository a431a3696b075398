"""Load the catalogs: one JSON object a language and topic, from a sentence's key to the sentence."""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import cache
from pathlib import Path

LANGUAGES = ("en", "ja")
FOLDER = Path(__file__).parent


def topics(language: str) -> Iterator[Path]:
    """The files of a language."""
    return iter(sorted((FOLDER / language).glob("*.json")))


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
