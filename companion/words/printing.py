"""The words of what is printed: catalog `print`, and `scoring` for the names of pieces."""

from __future__ import annotations

from typing import Any

from companion.words.catalog import catalog


class PrintWords:
    """Called with a key of the catalogs and its values, answers the sentence. `language` is `en` or `ja`."""

    def __init__(self, language: str) -> None:
        self.language = language
        self._catalog = catalog(language, "print", "scoring")

    def __call__(self, key: str, **values: Any) -> str:
        return self._catalog[key].format(**values) if key in self._catalog else key
