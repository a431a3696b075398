"""The page's words: Flask-Babel over the project's catalogs, by key."""

from __future__ import annotations

from typing import Any

from flask import Flask, g, request
from flask_babel import Babel, get_locale

from companion.words.catalog import LANGUAGES, catalog

COOKIE = "language"
ON_THE_PAGE = "js."
"""Keys of the pages' catalog that the page's modules use carry this prefix."""


def init_app(app: Flask) -> None:
    """Give the app its words."""
    Babel(app, locale_selector=chosen)
    app.jinja_env.globals.update(say=say, language=language, languages=LANGUAGES, page_words=page_words)


def chosen() -> str:
    """The language of this request: the cookie's, else the browser's, else English."""
    cookie = request.cookies.get(COOKIE)
    if cookie in LANGUAGES:
        return cookie
    return request.accept_languages.best_match(LANGUAGES) or LANGUAGES[0]


def language() -> str:
    """The language of this request, `en` or `ja`."""
    return str(get_locale())


def say(key: str, **values: Any) -> str:
    """The sentence of a key, its gaps filled. A key without a sentence is shown as it is."""
    sentence = catalog(language()).get(key, key)
    return sentence.format(**values) if values else sentence


def page_words() -> dict[str, str]:
    """The sentences that the page's modules use, by key without the prefix."""
    words: dict[str, str] | None = g.get("page_words")
    if words is None:
        words = {k[len(ON_THE_PAGE) :]: v for k, v in catalog(language()).items() if k.startswith(ON_THE_PAGE)}
        g.page_words = words
    return words
