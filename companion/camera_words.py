"""The words of the camera's calibration outside the page: catalog `camera`."""

from __future__ import annotations

import gettext
from typing import Any

from companion.words import TRANSLATIONS


class CameraWords:
    """Called with a key of the catalog and its values, answers the sentence in one language."""

    def __init__(self, language: str) -> None:
        self._catalog = gettext.translation("camera", TRANSLATIONS, [language])

    def __call__(self, key: str, **values: Any) -> str:
        return self._catalog.gettext(key).format(**values)
