"""Numbered log of changes at a table, so that a page that reconnects gets what it missed."""

import threading
from collections import deque
from dataclasses import dataclass
from itertools import islice

KEPT = 1000
"""Changes that are remembered: a page that was away for longer gets everything anew."""
TABLE, STATUS = "table", "status"


@dataclass(frozen=True)
class News:
    """What changed since a number."""

    number: int  # up to which change this tells
    everything: bool = False  # whether more changed than is remembered
    table: bool = False  # whether the table as it is shown changed (state, reading, answer, entries)
    status: bool = False  # whether what the camera does changed
    rows: tuple[int, ...] = ()  # history rows that are new or changed, in order


class Changes:
    """Counts changes; anyone may wait for the next one. Thread-safe."""

    def __init__(self) -> None:
        self._told = threading.Condition()
        self.number = 0
        """The latest change."""
        self._kept: deque[tuple[int, str | int]] = deque(maxlen=KEPT)
        self.closed = False

    def add(self, *what: str | int) -> None:
        """Note that these changed: TABLE, STATUS, or a history row's number."""
        with self._told:
            for one in what:
                self.number += 1
                self._kept.append((self.number, one))
            self._told.notify_all()

    def close(self) -> None:
        """Nothing more will change: nobody needs to wait any longer."""
        with self._told:
            self.closed = True
            self._told.notify_all()

    def since(self, number: int | None, seconds: float = 0.0) -> News:
        """What changed after that number (None: nothing is known yet), waiting up to `seconds` for the first change."""
        with self._told:
            if number is None:
                return News(self.number, everything=True)
            if number == self.number and not self.closed:
                self._told.wait_for(lambda: self.closed or self.number != number, seconds)
            oldest = self._kept[0][0] if self._kept else self.number + 1
            if number > self.number or number < oldest - 1:
                return News(self.number, everything=True)
            new = [what for _, what in islice(self._kept, number + 1 - oldest, None)]
        rows = tuple(dict.fromkeys(what for what in new if isinstance(what, int)))
        return News(self.number, False, TABLE in new, STATUS in new, rows)
