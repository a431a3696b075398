"""The language of a request, and the page's words in it."""

import hashlib
import json
from collections.abc import Callable, Iterable
from datetime import datetime
from typing import Any

from flask import Flask, g, request, url_for

from common.messages import InputError, why
from companion.words.catalog import LANGUAGES
from companion.words.words import Words, words

COOKIE = "language"
ON_THE_PAGE = "js."
"""Keys that only the page's modules use carry this prefix, which they leave out."""
SHARED = ("area", "part", "need", "list", "language")
"""Topics that the page's modules share with what the companion itself says."""
EVERY_PAGE = ("offline", "list", "language", "too-big")
"""Topics that every page needs."""


def init_app(app: Flask) -> None:
    """Give the app its words."""
    app.jinja_env.globals.update(say=say, language=language, languages=LANGUAGES, words_address=words_address)
    app.jinja_env.globals.update(name_of=lambda code: words(code).term("language.name"))


def language() -> str:
    """The language of this request, by its code: the cookie's, else the browser's, else English."""
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


def saved_files(files: Iterable[str], shown: Callable[[str], dict[str, Any]]) -> list[dict[str, Any]]:
    """Saved files as a page lists them, each as it is `shown`; one that cannot be used says so."""

    def row(file: str) -> dict[str, Any]:
        try:
            return {"file": file, "broken": None, **shown(file)}
        except (InputError, OSError) as error:
            reason = why(error) if isinstance(error, OSError) else error
            return {"file": file, "name": file, "broken": request_words().told(reason)}

    return [row(file) for file in files]


def date(seconds: float) -> str:
    """A moment, in seconds since 1970, by this computer's clock: day and time as both languages write them."""
    return f"{datetime.fromtimestamp(seconds):%Y-%m-%d %H:%M}"


def page_words(language: str, topics: Iterable[str]) -> dict[str, str]:
    """The sentences of a page's modules, by key without `js.`: a page's template names its topics, how keys begin."""
    here = [topic if topic in SHARED else ON_THE_PAGE + topic for topic in (*EVERY_PAGE, *topics)]
    return {key.removeprefix(ON_THE_PAGE): text for key, text in words(language).starting(*here)}


def words_address(topics: Iterable[str] = ()) -> str:
    """Where a page finds its words in the language of this request: another address once they change."""
    mine = json.dumps(page_words(language(), topics), sort_keys=True)
    version = hashlib.sha256(mine.encode()).hexdigest()[:12]
    return url_for("pages.words", language=language(), version=version, topics="+".join(topics) or "none")
