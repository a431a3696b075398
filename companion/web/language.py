"""The language of a request, and the page's words in it."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from flask import Flask, g, request

from companion.words.catalog import LANGUAGES
from companion.words.words import Words, words
from vision.errors import InputError, why

COOKIE = "language"
ON_THE_PAGE = "js."
"""Keys that only the page's modules use carry this prefix, which they leave out."""


def init_app(app: Flask) -> None:
    """Give the app its words."""
    app.jinja_env.globals.update(say=say, language=language, languages=LANGUAGES, page_words=page_words)


def language() -> str:
    """The language of this request, `en` or `ja`: the cookie's, else the browser's, else English."""
    if "language" not in g:
        cookie = request.cookies.get(COOKIE)
        best = request.accept_languages.best_match(LANGUAGES)
        g.language = cookie if cookie in LANGUAGES else best or LANGUAGES[0]
    return str(g.language)


def request_words() -> Words:
    """All sentences in the language of this request."""
    return words(language())


def say(key: str, /, **values: Any) -> str:
    """The sentence of a key in the language of this request, its gaps filled."""
    return request_words().say(key, **values)


def unusable(error: InputError | OSError) -> str:
    """Why a saved file cannot be used, in the language of this request."""
    return request_words().told(why(error) if isinstance(error, OSError) else error)


def date(seconds: float) -> str:
    """A moment, in seconds since 1970, by this computer's clock: day and time as both languages write them."""
    return f"{datetime.fromtimestamp(seconds):%Y-%m-%d %H:%M}"


def page_words() -> dict[str, str]:
    """The sentences that the page's modules use, by key without the prefix."""
    found = request_words().starting(ON_THE_PAGE, "area.", "part.", "need.", "list.")
    return {key.removeprefix(ON_THE_PAGE): text for key, text in found}
