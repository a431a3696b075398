"""The words of a table that is watched, in Japanese and English: the catalogs `table` and `photos`."""

from __future__ import annotations

import gettext
from collections.abc import Mapping
from functools import cache
from typing import Any

from companion.words import TRANSLATIONS, one_line

DOMAINS = ("table", "photos")


def told(language: str, key: str, values: Mapping[str, Any] | None = None) -> str:
    """The sentence of a key in a language, in one line; the key itself where no catalog has it."""
    for catalog in _catalogs(language):
        sentence = catalog.gettext(key)
        if sentence != key:
            try:
                return one_line(sentence.format(**(values or {})))
            except (KeyError, IndexError):
                return one_line(sentence)
    return key


@cache
def _catalogs(language: str) -> tuple[gettext.NullTranslations, ...]:
    return tuple(gettext.translation(domain, TRANSLATIONS, [language]) for domain in DOMAINS)
