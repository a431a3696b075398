"""Server-sent events: what changes is told to the pages as it does, and who was away hears what it missed."""

import json
import time
from collections.abc import Callable, Hashable, Iterable, Iterator
from typing import Any

from flask import Response, current_app, request

from companion.live.change_log import Changes, News
from companion.web.access.access_control import stays
from companion.web.answers import streamed
from companion.web.language import language
from companion.web.services import services

PING = 10.0
"""Seconds of silence after which a page hears that the line still stands."""
RETRY = 1000
"""Milliseconds after which a page that lost the line tries again."""

TICK = 0.15
"""Seconds from one message to the next, at least: what changes within them is told at once. All pages hear at the same
ticks, so that what they hear is the same and is worded once."""

Told = Callable[[News], Iterable[tuple[str, Any]]]
"""Turns what changed into events: a name and its JSON."""


def event_stream(
    changes: Changes,
    epoch: str,
    told: Told,
    own: Told | None = None,
    alike: Hashable = None,
    listening: Callable[[], None] = lambda: None,
) -> Response:
    """Events for as long as the page listens or something may still change.

    Args:
        changes: what is counted.
        epoch: tells this count from others.
        told: called in the language of who asked; what it says is kept for others of that language.
        own: what only this page is told, beforehand.
        alike: tells those apart to whom it is told differently.
        listening: called each time that the page waits again.

    Raises Problem where no place is left among the lasting connections: the page asks now and then instead.
    """
    heard = _heard(epoch, request.headers.get("Last-Event-ID") or request.args.get("after", ""))
    tables = services().tables
    here_still, spoken = stays(), language()
    app, environ = current_app._get_current_object(), dict(request.environ)  # type: ignore[attr-defined]

    def worded(news: News, of: Told, number: str | None) -> list[str]:
        with app.app_context(), app.request_context(environ):  # the words are those of who asked
            return _worded(of(news), number)

    def messages() -> Iterator[str]:
        number = heard
        yield f"retry: {RETRY}\n\n"
        while True:
            listening()
            news = changes.since(number, PING)
            key = (epoch, alike, spoken, number, news.number)
            name = event_id(epoch, news.number)
            said = []
            if here_still():
                said = tables.said.get(key, lambda news=news, name=name: worded(news, told, name))  # type: ignore[misc]
            if said and own is not None:
                yield from worded(news, own, None)
            yield from said
            number = news.number
            if changes.closed or not here_still():
                yield "event: end\ndata: {}\n\n"
                return
            if not said:
                yield ": still here\n\n"
            time.sleep(TICK - time.monotonic() % TICK)

    return streamed(messages(), tables.streams, "text/event-stream")


def _worded(said: Iterable[tuple[str, Any]], number: str | None) -> list[str]:
    """What is new as server-sent events, in the language of this request."""
    said = list(said)
    # Only the last message of a batch carries the number: whoever loses the line before hears all again.
    ids = [""] * (len(said) - 1) + ["" if number is None else f"id: {number}\n"]
    return [
        f"{name}event: {event}\ndata: {json.dumps(data, ensure_ascii=False, separators=(',', ':'))}\n\n"
        for name, (event, data) in zip(ids, said, strict=False)
    ]


def event_id(epoch: str, number: int) -> str:
    """A change's name on the line."""
    return f"{epoch}-{number}"


def _heard(epoch: str, said: str) -> int | None:
    """Up to which change a page has heard; None where it heard another count, or says nothing that we said."""
    of, _, number = said.rpartition("-")
    return int(number) if of == epoch and number.isdecimal() and len(number) < 16 else None
