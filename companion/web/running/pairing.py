"""One-time codes that other devices are let in with: each expires soon, and tries are counted."""

import hashlib
import secrets
import threading
import time
from collections import defaultdict, deque
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

from companion.web.running.devices import Role

CODE_SECONDS = 300
MAX_CODES = 20
TRIES = 10
"""Exchanges tried at most from one address within `TRIES_SECONDS`."""
TRIES_ALL = 60
"""The same from all addresses."""
TRIES_SECONDS = 60
LETTERS = "ABCDEFGHJKMNPQRSTUVWXYZ23456789"
"""What a code that is typed is made of: nothing that is read as something else."""
TYPED = 6
"""Characters of a code that is typed."""
WRONG = 5
"""Wrong codes that may be typed, by anybody, before those that are out are worth nothing."""


@dataclass(frozen=True)
class Code:
    """A code that is out."""

    role: Role  # what the device may do that takes it
    end: float  # when it is over, on the pairing's clock
    home: bool  # whether it is only for a browser of this computer
    by: str = ""  # the address that took it, once it was used


class Pairing:
    """The codes that are out, and the tries that were made. `clock` is in seconds.

    `home_used` is called when a code for this computer was used: the terminal shows another then.
    """

    def __init__(self, clock: Any = time.monotonic) -> None:
        self._clock = clock
        self._lock = threading.Lock()
        self._codes: dict[str, Code] = {}
        self._used: dict[str, Code] = {}
        self._typed: dict[str, str] = {}
        """The codes that are typed, by their digest: the digest of the link's code for which each stands."""
        self._wrong = 0
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

    def typed(self, code: str) -> str:
        """A short code, to be typed, that stands for one that is out: the first of both to be used ends the other."""
        short = "".join(secrets.choice(LETTERS) for _ in range(TYPED))
        with self._lock:
            known = {**self._codes, **self._used}
            self._typed = {one: name for one, name in self._typed.items() if name in known}
            self._typed[digest(short)] = digest(code)
            self._wrong = 0
        return short

    def take(self, code: str, here: bool = False, address: str = "") -> Role | None:
        """What the device at this address may do that brings a code, `here` on this computer; None for a bad one.

        It works once. Only the address that took it may bring it again in its time: a scanner that looks at the link
        before the phone's browser opens it spends nothing.
        """
        with self._lock:
            name = self._name_of(code)
            found = self._codes.get(name) or self._again(name, address)
            if found is None or (found.home and not here):
                return None
            self._used[name] = replace(found, by=address)
            for old in list(self._used)[:-MAX_CODES]:
                del self._used[old]
            self._codes.pop(name, None)
        if found.home:
            self.home_used()
        return found.role if self._clock() < found.end else None

    def taken_by(self, code: str) -> str | None:
        """The address that took a code; None where nobody did, or long ago."""
        with self._lock:
            found = self._used.get(digest(code)) or self._used.get(self._typed.get(_short(code), ""))
        return found.by if found else None

    def _again(self, name: str, address: str) -> Code | None:
        """A code that this address took before."""
        used = self._used.get(name)
        return used if used and address and used.by == address and not used.home else None

    def _name_of(self, code: str) -> str:
        """The digest of a link's code, or of the one for which a typed one stands; typing wrongly is counted."""
        if len("".join(code.split())) > TYPED:
            return digest(code)
        name = self._typed.get(_short(code), "")
        self._wrong += not name
        if self._wrong >= WRONG:
            self._typed.clear()
        return name

    def out(self, name: str) -> bool:
        """Whether the code of this digest still lets somebody in, by its link and as it is typed."""
        found = self._codes.get(name)
        return found is not None and self._clock() < found.end and (found.home or name in self._typed.values())

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


def _short(code: str) -> str:
    """The digest of a code as it is typed, in whatever letters."""
    return digest("".join(code.split()).upper())


def digest(code: str) -> str:
    """What a code is kept as."""
    return hashlib.sha256(code.encode()).hexdigest()
