"""In the Ruin under a camera: a play's sheets are followed while they are drawn on; each state counts as a photo."""

import threading
from collections.abc import Mapping
from functools import partial
from typing import Any

import numpy as np

from companion.cases.store import Store
from companion.games.in_the_ruin.edits import TO_NEW
from companion.live.map_session import MapSession
from companion.live.maps import MapTable
from companion.reading import pictures
from companion.web.running.play_news import PlayNews
from companion.web.running.table_eyes import TableEyes
from vision.sheet.profile import SheetProfile
from vision.sheet.tracker import SheetState

UNSEEN = 900.0
"""Seconds after which sheets that nobody looks at are not followed any more."""


class LiveMaps:
    """At most one play's sheets are followed at a time: following others stops it. Thread-safe."""

    def __init__(self, store: Store, eyes: TableEyes, news: PlayNews) -> None:
        self._store, self._eyes, self._news = store, eyes, news
        self._lock = threading.Lock()
        self.now: MapSession | None = None

    def session(self, play: str) -> MapSession | None:
        """That play's session, while it is followed or until another is."""
        now = self.now
        return now if now is not None and now.play == play else None

    def start(self, play: str, profile: SheetProfile, players: list[str], spec: str, files: bool) -> None:
        """Follow the sheets of these players (ids), from left to right. Raises SourceError."""
        table = MapTable(profile.name, profile, tuple(players))
        source = self._eyes.source(spec, files)

        def settled(state: SheetState, image: np.ndarray) -> None:
            self._store.add_edit(play, _edit(self._store, play, profile, state, image))

        with self._lock:
            if self.now is not None:
                self.now.stop()
            self.now = MapSession(
                play, players, source, table.tracker, settled, partial(self._news.changed, play), UNSEEN
            )
            self.now.start()

    def told(self, play: str, edit: Mapping[str, Any]) -> None:
        """A person said, or took back, this edit: sheets that change places are the other player's from now on."""
        ends = edit["kind"] in ("move-photo", TO_NEW) and edit["stage"] == edit["to_stage"] == "end"
        if ends and (session := self.session(play)):
            session.exchange(edit["player"], edit["to"])

    def stop(self, play: str) -> None:
        """Stop following this play's sheets."""
        with self._lock:
            if self.now is not None and self.now.play == play:
                self.now.stop()


def _edit(store: Store, play: str, profile: SheetProfile, state: SheetState, image: np.ndarray) -> dict[str, Any]:
    """A sheet at rest as what a photo of it gives, with the cells that are new."""
    kept, size, scale = pictures.keep(store, image)
    reading = pictures.kept_reading(state.reading, scale, profile, pictures.view_name(kept, play))
    reading["changed"] = [list(cell) for cell in state.changed]
    return {"kind": "read", "player": state.player, "stage": "end", "reading": reading, "photo": kept, "size": size}
