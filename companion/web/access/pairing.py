"""Pair a phone: a one-time code that expires soon is exchanged for a cookie.

The code stands in the link's fragment, which browsers send to nobody; the pairing page
takes it from there and posts it.
"""

from __future__ import annotations

import hashlib
import secrets
import threading
import time
from collections import defaultdict, deque
from typing import Any

from flask import Blueprint, Response, jsonify, render_template, request

from companion.web.access.access_control import let_in
from companion.web.problems import Problem
from companion.web.request_json import json_body
from companion.web.services import services

CODE_SECONDS = 300
MAX_CODES = 20
TRIES, TRIES_ALL, TRIES_SECONDS = 10, 60, 60
"""Exchanges tried at most from one address, and from all, within so many seconds."""

FILM = "film"
TARGETS = {FILM: "/camera/film"}
"""Where a link may lead once the device is in; else to the shelf."""

bp = Blueprint("pairing", __name__)


class Pairing:
    """The codes that are out, and the tries that were made. `clock` is in seconds."""

    def __init__(self, clock: Any = time.monotonic) -> None:
        self._clock = clock
        self._lock = threading.Lock()
        self._codes: dict[str, float] = {}
        self._tries: defaultdict[str, deque[float]] = defaultdict(deque)

    def new_code(self) -> str:
        """A code for one device; the oldest go where too many are out."""
        code = secrets.token_urlsafe(16)
        with self._lock:
            self._codes[_digest(code)] = self._clock() + CODE_SECONDS
            while len(self._codes) > MAX_CODES:
                del self._codes[next(iter(self._codes))]
        return code

    def take(self, code: str) -> bool:
        """Whether the code is good; it never is again."""
        with self._lock:
            end = self._codes.pop(_digest(code), None)
        return end is not None and self._clock() < end

    def may_try(self, address: str) -> bool:
        """Count a try from this address; False where there were too many."""
        now = self._clock()
        with self._lock:
            for tries in self._tries.values():
                while tries and tries[0] <= now - TRIES_SECONDS:
                    tries.popleft()
            for gone in [a for a, tries in self._tries.items() if not tries]:
                del self._tries[gone]
            if len(self._tries[address]) >= TRIES or sum(map(len, self._tries.values())) >= TRIES_ALL:
                return False
            self._tries[address].append(now)
            return True


def _digest(code: str) -> str:
    return hashlib.sha256(code.encode()).hexdigest()


@bp.get("/pair")
def page() -> str:
    """The pairing page: reads the code off its own address."""
    return render_template("pair.html")


@bp.post("/api/pair")
def exchange() -> Response:
    """A code for a cookie."""
    if not services().pairing.may_try(request.remote_addr or ""):
        raise Problem("problem.too-often", 429)
    body = json_body()
    code, to = body.get("code"), body.get("to")
    if not isinstance(code, str) or not services().pairing.take(code):
        raise Problem("problem.code", 403)
    response = jsonify({"to": TARGETS.get(to, "/") if isinstance(to, str) else "/"})
    let_in(response, secrets.token_hex(8))
    return response
