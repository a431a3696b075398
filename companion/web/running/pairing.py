"""One-time codes that other devices are let in with: each expires soon, and tries are counted."""

import hashlib
import secrets
import threading
import time
from collections import defaultdict, deque
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from companion.web.running.devices import Role

CODE_SECONDS = 300
MAX_CODES = 20
TRIES = 10
"""Exchanges tried at most from one address within `TRIES_SECONDS`."""
TRIES_ALL = 60
"""The same from all addresses."""
TRIES_SECONDS = 60


@dataclass(frozen=True)
class Code:
    """A code that is out."""

    role: Role  # what the device may do that takes it
    end: float  # when it is over, on the pairing's clock
    home: bool  # whether it is only for a browser of this computer


class Pairing:
    """The codes that are out, and the tries that were made. `clock` is in seconds.

    `home_used` is called when a code for this computer was used: the terminal shows another then.
    """

    def __init__(self, clock: Any = time.monotonic) -> None:
        self._clock = clock
        self._lock = threading.Lock()
        self._codes: dict[str, Code] = {}
        self._tries: defaultdict[str, deque[float]] = defaultdict(deque)
        self.home_used: Callable[[], None] = lambda: None

    def new_code(self, role: Role = Role.PLAYER, home: bool = False) -> str:
        """A code for one device; the oldest go where too many are out. One for this computer has no end."""
        code = secrets.token_urlsafe(16)
        end = float("inf") if home else self._clock() + CODE_SECONDS
        with self._lock:
            self._codes[digest(code)] = Code(role, end, home)
            for old in [name for name, one in self._codes.items() if not one.home][:-MAX_CODES]:
                del self._codes[old]
        return code

    def take(self, code: str, here: bool = False) -> Role | None:
        """What the device may do that brings a code, `here` on this computer; None for a bad one. It works once."""
        with self._lock:
            found = self._codes.get(digest(code))
            if found is None or (found.home and not here):
                return None
            del self._codes[digest(code)]
        if found.home:
            self.home_used()
        return found.role if self._clock() < found.end else None

    def out(self, name: str) -> bool:
        """Whether the code of this digest still lets somebody in."""
        found = self._codes.get(name)
        return found is not None and self._clock() < found.end

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


def digest(code: str) -> str:
    """What a code is kept as."""
    return hashlib.sha256(code.encode()).hexdigest()
