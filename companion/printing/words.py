"""The words of what is printed: catalog `print`, and `scoring` for the names of pieces."""

from __future__ import annotations

import gettext
from typing import Any

from companion.words import TRANSLATIONS


class PrintWords:
    """Called with a key of the catalogs and its values, answers the sentence. `language` is `en` or `ja`."""

    def __init__(self, language: str) -> None:
        self.language = language
        self._catalogs = [gettext.translation(domain, TRANSLATIONS, [language]) for domain in ("print", "scoring")]

    def __call__(self, key: str, **values: Any) -> str:
        for catalog in self._catalogs:
            sentence = catalog.gettext(key)
            if sentence != key:
                return sentence.format(**values)
        return key
