"""Follow map sheets of In the Ruin under a camera, and build their table state."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Self

import numpy as np

from companion.cases.sheet import read_marks, sheet_player, sheet_state, unclaimed
from vision.sheet.profile import SheetProfile
from vision.sheet.tracker import SheetState, SheetTracker
from vision.table.profile import MOST_SHEETS, TableProfile, TableProfileError

GAME = "in-the-ruin"


@dataclass(frozen=True)
class MapTable:
    """A table with pencilled sheets: `players` from left to right, or each in a zone, (n, 2) pixels of the source."""

    name: str
    sheet: SheetProfile
    players: tuple[str, ...]
    zones: Mapping[str, np.ndarray] = field(default_factory=dict)

    @classmethod
    def of(cls, profile: TableProfile) -> Self:
        """The sheets of a table's profile. Raises TableProfileError, vision.sheet.profile.ProfileError, OSError."""
        if profile.sheet is None:
            raise TableProfileError("sheet", "profile.sheet-file", None)
        players = profile.players or tuple(profile.zones)
        if not 1 <= len(players) <= MOST_SHEETS:
            raise TableProfileError("players", "profile.players", list(players), most=MOST_SHEETS)
        if profile.zones and set(profile.zones) != set(players):
            raise TableProfileError("zones", "profile.zone-each", sorted(profile.zones))
        zones = {}
        for player, zone in profile.zones.items():
            if zone.polygon is None:
                raise TableProfileError(f"zones/{player}/polygon", "profile.polygon", None)
            zones[player] = np.array(zone.polygon, np.float32)
        return cls(profile.name, SheetProfile.load(Path(profile.sheet)), players, zones)

    def tracker(self, scale: float = 1.0) -> SheetTracker:
        """What follows these sheets in frames that are `scale` times smaller than the source's pictures."""
        return SheetTracker(self.sheet, self.players, {k: v / scale for k, v in self.zones.items()})

    def state(self, sheets: Sequence[SheetState], among: Sequence[SheetState] = ()) -> dict[str, Any]:
        """The public table state of the sheets that have been seen; no camera sees an escape or goal cards.

        `among`: all sheets, where these are some of them: a letter claimed on one is no destination on any.
        """
        letters = dict(sorted(self.sheet.letters.items()))
        gates = {cell for one in (*sheets, *among) for cell in one.reading.gates}
        marks = [unclaimed(read_marks(one.reading), letters, gates) for one in sheets]
        players = [sheet_player(one.player, m, ticks=one.reading.ticks) for one, m in zip(sheets, marks, strict=True)]
        return sheet_state(letters, players)

    def look(self, changed: Sequence[SheetState], among: Sequence[SheetState]) -> tuple[dict[str, Any], list[str]]:
        """What the referee is shown of those sheets that have just come to rest, and the doubtful places of it."""
        state, doubtful = self.state(changed, among), []
        rows: list[dict[str, Any]] = [{"name": player} for player in self.players]
        for row, one in zip(state["players"], changed, strict=True):
            i = self.players.index(one.player)
            rows[i] |= row | {"gates": [list(cell) for cell in one.reading.gates]}
            doubtful += [f"/players/{i}/map/{r}/{c}" for r, c in one.reading.doubtful_cells]
        return {**state, "players": rows}, doubtful

    def believed(self, state: Mapping[str, Any], game: Mapping[str, Any]) -> dict[str, Any]:
        """The sheets of a `state` with the marks that the referee believes to stand on them."""
        maps = {row["name"]: row["map"] for row in game["players"]}
        return {**state, "players": [{**row, "map": maps[row["name"]]} for row in state["players"]]}


def told_state(sheet: SheetState) -> str:
    """One line for people: whose, its map's marks, letters, ticks."""
    reading = sheet.reading
    marks = "".join(reading.map)
    ticks = " ".join(f"{track} {count}" for track, count in reading.ticks.items())
    letters = "".join(reading.destinations)
    return f"  {sheet.player}: ○ {marks.count('o')}  ■ {marks.count('#')}  {letters}  ◎ {len(reading.gates)}  {ticks}"


def public(sheets: Sequence[SheetState], changed: Sequence[SheetState], scale: float) -> list[dict[str, Any]]:
    """The sheets' public JSON objects; only those that came to rest just now have `changed` cells."""
    now = {sheet.player for sheet in changed}
    return [
        sheet.to_json(scale) if sheet.player in now else {**sheet.to_json(scale), "changed": []} for sheet in sheets
    ]
