"""The words of a table that is watched, in Japanese and English: the catalogs `table` and `photos`."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from typing import Any

from companion.words.catalog import catalog
from companion.words.scoring import one_line, words

DOMAINS = ("table", "photos", "print")
ZONE, ZONES, COLORS = ("zone", "other"), "zones", "colors"
"""Values that name a zone (None: beside them all), several, and colors of tiles, one for each tile."""


def told(language: str, key: str, values: Mapping[str, Any] | None = None) -> str:
    """The sentence of a key in a language, in one line; the key itself where no catalog has it."""
    values = values or {}

    def of(one: str) -> str:
        return catalog(language, *DOMAINS).get(one, one)

    def zone(name: str | None) -> str:
        return of("watch.loose") if name is None else of("watch.dungeon") if name == "dungeon" else name

    sentence = one_or_many(key, values, of)
    if sentence == key:
        return key
    try:
        return one_line(sentence.format(**spoken(values, language, zone, of)))
    except (KeyError, IndexError):
        return one_line(sentence)


def one_or_many(key: str, values: Mapping[str, Any], of: Callable[[str], str]) -> str:
    """The sentence of a key, or the one for a single thing (`key.one`) where there is one and `n` is 1."""
    one = f"{key}.one"
    return sentence if values.get("n") == 1 and (sentence := of(one)) != one else of(key)


def spoken(
    values: Mapping[str, Any], language: str, zone: Callable[[str | None], str], of: Callable[[str], str]
) -> dict[str, Any]:
    """A problem's values as they stand in a sentence: zones by their names, colors in words and counted."""
    out = dict(values)
    for name in ZONE:
        if name in values and not isinstance(values[name], list):
            out[name] = zone(values[name])
    if isinstance(values.get(ZONES), list):
        out[ZONES] = of("list.and").join(zone(name) for name in values[ZONES])
    if isinstance(values.get(COLORS), list):
        say = words(language)
        counted = Counter(values[COLORS]).items()
        out[COLORS] = say.term("list.comma").join(
            say.term(f"color.{color}") + (f" × {n}" if n > 1 else "") for color, n in counted
        )
    return out
