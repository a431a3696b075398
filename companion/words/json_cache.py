"""JSON texts that have been written before.

A stream of states says the same things over and over. `scoring` often gives the very same line or note again: its
text is found by the object, which takes next to no time. Any other is found by what it says.
"""

from collections.abc import Hashable

MOST = 20_000
NEVER = (None, "")
"""What has not been written yet."""


class Written:
    """The texts of lines, notes and choices, each with the object that it was first written for."""

    def __init__(self) -> None:
        self.texts: dict[Hashable, tuple[object, str]] = {}
        """By what the things say."""
        self.again: dict[int, str] = {}
        """The texts of objects that came again, by `id`. `texts` holds the objects: no other can take their `id`."""

    def keep(self, says: Hashable, thing: object, text: str) -> str:
        """Keep the text of a thing, for what says the same. Returns it."""
        if len(self.texts) >= MOST:
            self.texts.clear()
            self.again.clear()
        self.texts[says] = (thing, text)
        return text
