"""Load the catalogs: one JSON object a language and topic, from a sentence's key to the sentence."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path

LANGUAGES = ("en", "ja")
FOLDER = Path(__file__).parent


@cache
def catalog(language: str, *topics: str) -> dict[str, str]:
    """The sentences of these topics (all where none is named), by key; the first topic that has a key counts."""
    merged: dict[str, str] = {}
    for topic in topics or sorted(path.stem for path in (FOLDER / language).glob("*.json")):
        merged = json.loads((FOLDER / language / f"{topic}.json").read_text("utf-8")) | merged
    return merged
