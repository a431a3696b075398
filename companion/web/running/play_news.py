"""Who looks at a play hears of its changes."""

import secrets
from typing import Any

from companion.cases.kept import Kept
from companion.live.change_log import TABLE, Changes

MOST_OPENED = 8


class PlayNews:
    """The changes of each play that somebody looks at. Thread-safe."""

    def __init__(self) -> None:
        self.epoch = secrets.token_hex(4)
        """Tells this run of the companion from others: numbers of changes begin anew with each."""
        self._of: dict[str, Changes] = {}
        self.opened: Kept[tuple[str, int], Any] = Kept(MOST_OPENED)
        """Plays as they are looked up for those who hear of a change, by its number."""

    def of(self, play: str) -> Changes:
        """The changes of a play from now on."""
        return self._of.setdefault(play, Changes())

    def changed(self, play: str) -> None:
        """Tell everybody who looks at a play that it is another now."""
        if changes := self._of.get(play):
            changes.add(TABLE)

    def all_changed(self) -> None:
        """Tell everybody who looks at any play."""
        for changes in list(self._of.values()):
            changes.add(TABLE)

    def gone(self, play: str) -> None:
        """The play was forgotten: nobody needs to listen any longer."""
        if changes := self._of.pop(play, None):
            changes.close()
