"""Default player names in the reader's language: "Player 1" is プレイヤー1 in Japanese."""

import re
from collections.abc import Iterable
from functools import cache

from companion.web.language import say
from companion.words.catalog import LANGUAGES
from companion.words.words import words

KEY = "player.name"


def in_this_language(names: Iterable[str]) -> list[str]:
    """The names, those given by the page itself in the language of this request. Names that differed still do."""
    said = list(names)
    for i, name in enumerate(said):
        own = say(KEY, number=number) if (number := _number(name)) else name
        if own not in said:
            said[i] = own
    return said


def same_name(one: str, other: str) -> bool:
    """Whether two names are the same for any reader: "Player 2" and プレイヤー2 are."""
    return one == other or (_number(one) is not None and _number(one) == _number(other))


def _number(name: str) -> str | None:
    """Which number the page gave this player; None where a person wrote the name."""
    return next((found[1] for form in _forms() if (found := form.fullmatch(name))), None)


@cache
def _forms() -> list[re.Pattern[str]]:
    """How a player is called in each language, with the number as a group."""
    gap = "0"
    sentences = (words(language).say(KEY, number=gap) for language in LANGUAGES)
    return [re.compile(re.escape(sentence).replace(gap, r"([1-9]\d?)")) for sentence in sentences]
