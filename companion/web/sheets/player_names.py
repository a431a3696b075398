"""Names that nobody has written: "Player 1" is プレイヤー1 for who reads Japanese."""

from __future__ import annotations

import re
from collections.abc import Iterable

from flask_babel import force_locale

from companion.words.catalog import LANGUAGES
from companion.words.web import say

KEY = "player.name"


def in_this_language(names: Iterable[str]) -> list[str]:
    """The names, those given by the page itself in the language of this request. Names that differed still do."""
    said = list(names)
    for i, name in enumerate(said):
        own = next((say(KEY, number=found[1]) for form in _forms() if (found := form.fullmatch(name))), name)
        if own not in said:
            said[i] = own
    return said


def _forms() -> list[re.Pattern[str]]:
    """How a player is called in each language, with the number as a group."""
    gap = "0"
    forms = []
    for language in LANGUAGES:
        with force_locale(language):
            forms.append(re.compile(re.escape(say(KEY, number=gap)).replace(gap, r"([1-9]\d?)")))
    return forms
