"""The words of the camera's calibration outside the page: catalog `camera`."""

from __future__ import annotations

from typing import Any

from companion.words.catalog import catalog


class CameraWords:
    """Called with a key of the catalog and its values, answers the sentence in one language."""

    def __init__(self, language: str) -> None:
        self._catalog = catalog(language, "camera")

    def __call__(self, key: str, **values: Any) -> str:
        return self._catalog.get(key, key).format(**values)
