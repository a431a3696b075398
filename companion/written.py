"""JSON texts that have been written before.

A stream of states says the same things over and over. `scoring` often gives the very same line or note again: its
text is found by the object, which takes next to no time. Any other is found by what it says.
"""

from __future__ import annotations

from collections.abc import Hashable

MOST = 20_000


class Written:
    """The texts of lines, notes and choices."""

    def __init__(self) -> None:
        self._texts: dict[Hashable, str] = {}
        self._things: list[object] = []
        self.again: dict[int, str] = {}
        """The texts of objects, by `id`; the objects are held in `_things`, so that no other takes their `id`."""

    def get(self, says: Hashable, thing: object) -> str | None:
        """The text of what says the same as this thing, None if there is none yet."""
        text = self._texts.get(says)
        if text is not None:
            if len(self._things) >= MOST:
                self._things.clear()
                self.again.clear()
            self._things.append(thing)
            self.again[id(thing)] = text
        return text

    def keep(self, says: Hashable, text: str) -> str:
        """Keep a text for whatever says the same. Returns it."""
        if len(self._texts) >= MOST:
            self._texts.clear()
        self._texts[says] = text
        return text
