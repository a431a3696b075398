"""Follow map sheets of In the Ruin under a camera, and build their table state."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from companion.cases.sheet import read_marks, sheet_player, sheet_state
from vision.json_file import NotJsonError, read_json
from vision.sheet.profile import SheetProfile
from vision.sheet.tracker import SheetState, SheetTracker
from vision.table.profile import TableProfileError

GAME = "in-the-ruin"
MOST = 4
"""Players."""
KEYS = ("name", "game", "sheet", "players", "zones")


@dataclass(frozen=True)
class MapTable:
    """A table with pencilled sheets: `players` from left to right, or each in a zone, (n, 2) pixels of the source."""

    name: str
    sheet: SheetProfile
    players: tuple[str, ...]
    zones: Mapping[str, np.ndarray] = field(default_factory=dict)

    @classmethod
    def load(cls, path: Path) -> MapTable | None:
        """From a table profile that names a sheet; None where it is another game's.

        Raises TableProfileError, vision.sheet.profile.ProfileError and OSError.
        """
        try:
            data = read_json(path)
        except NotJsonError as error:
            raise TableProfileError("", "profile.json", error) from None
        if not isinstance(data, dict) or data.get("game") != GAME:
            return None
        for key in data:
            if key not in KEYS:
                raise TableProfileError(str(key), "profile.key", key, keys=KEYS)
        if not isinstance(data.get("sheet"), str) or not data["sheet"] or "\0" in data["sheet"]:
            raise TableProfileError("sheet", "profile.sheet-file", data.get("sheet"))
        zones = data.get("zones") or {}
        if not isinstance(zones, dict):
            raise TableProfileError("zones", "profile.player-zones", zones)
        outlines = {player: _polygon(zone, f"zones/{player}") for player, zone in zones.items()}
        players = data.get("players", list(zones))
        if (
            not isinstance(players, list)
            or not 1 <= len(players) <= MOST
            or not all(isinstance(p, str) and p for p in players)
            or len(set(players)) < len(players)
        ):
            raise TableProfileError("players", "profile.players", players, most=MOST)
        if zones and set(zones) != set(players):
            raise TableProfileError("zones", "profile.zone-each", sorted(zones))
        sheet = SheetProfile.load(path.parent / data["sheet"])
        return cls(str(data.get("name") or path.stem), sheet, tuple(players), outlines)

    def tracker(self, scale: float = 1.0) -> SheetTracker:
        """What follows these sheets in frames that are `scale` times smaller than the source's pictures."""
        return SheetTracker(self.sheet, self.players, {k: v / scale for k, v in self.zones.items()})

    def state(self, sheets: Sequence[SheetState]) -> dict[str, Any]:
        """The public table state of the sheets that have been seen; no camera sees an escape or goal cards."""
        players = [sheet_player(one.player, read_marks(one.reading), ticks=one.reading.ticks) for one in sheets]
        return sheet_state(dict(sorted(self.sheet.letters.items())), players)


def _polygon(zone: object, place: str) -> np.ndarray:
    points = zone.get("polygon") if isinstance(zone, dict) else None
    if not isinstance(points, list) or len(points) < len("abc"):
        raise TableProfileError(f"{place}/polygon", "profile.polygon", points)
    for point in points:
        if not isinstance(point, list) or [type(v) in (int, float) for v in point] != [True, True]:
            raise TableProfileError(f"{place}/polygon", "profile.point", point)
    return np.array(points, np.float32)


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
