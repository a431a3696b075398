"""The page's words: Flask-Babel over the project's catalogs, by key."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from flask import Flask, g, request
from flask_babel import Babel, get_locale, get_translations

LANGUAGES = ("en", "ja")
DOMAINS = ("pages", "photos", "sheets", "dispute", "live", "table", "camera", "print", "scoring")
COOKIE = "language"
TRANSLATIONS = Path(__file__).parents[1] / "translations"
ON_THE_PAGE = "js."
"""Keys of the pages' catalog that the page's modules use carry this prefix."""


def init_app(app: Flask) -> None:
    """Give the app its words."""
    # Flask-Babel pairs each domain with a directory of its own.
    app.config["BABEL_DOMAIN"] = ";".join(DOMAINS)
    app.config["BABEL_TRANSLATION_DIRECTORIES"] = ";".join([str(TRANSLATIONS)] * len(DOMAINS))
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
    sentence = get_translations().ugettext(key)
    return sentence.format(**values) if values else sentence


def page_words() -> dict[str, str]:
    """The sentences that the page's modules use, by key without the prefix."""
    words: dict[str, str] | None = g.get("page_words")
    if words is None:
        catalog = get_translations()._catalog
        words = {
            k[len(ON_THE_PAGE) :]: v for k, v in catalog.items() if isinstance(k, str) and k.startswith(ON_THE_PAGE)
        }
        g.page_words = words
    return words
