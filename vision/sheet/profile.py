"""What is known of a sheet before its photo is read: the sheet profile.

The public JSON format: coordinates are grid units, (0, 0) the grid's top left corner,
x to the right, y down, one cell is 1 × 1; things beside the grid lie below 0 or beyond
the last row or column.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from common.file_kind import unmarked
from common.json_file import read_profile, whole
from common.messages import MisfitError

Box = tuple[float, float, float, float]
"""x, y, width, height in grid units."""
Cell = tuple[int, int]
"""row, column; 0-based from the top left."""


class ProfileError(MisfitError):
    """A sheet profile that cannot be used."""

    KEY = "misfit.sheet-profile"


KEYS = ("name", "rows", "cols", "letters", "entrance", "tracks", "written", "blank", "page", "places")
PICTURES = ("blank", "page")
Place = tuple[float, float, float]
"""Where the grid lies in a flattened picture: x, y of its top left corner, pixels of a cell."""


@dataclass(frozen=True)
class SheetProfile:
    """A sheet as it comes from the box. `name`, `rows` and `cols` suffice; the rest is optional.

    `blank` and `page` are files' names as the JSON has them, `folder` where the JSON lay: the names start there.
    `places` says where in these pictures the grid lies, so that nobody needs to look for it there.
    `written` are the printed boxes for the players' own sums, in reading order.
    """

    name: str
    rows: int
    cols: int
    letters: Mapping[str, Cell] = field(default_factory=dict, hash=False)
    entrance: Cell | None = None
    tracks: Mapping[str, tuple[Box, ...]] = field(default_factory=dict, hash=False)
    blank: str | None = None
    folder: Path | None = field(default=None, compare=False)
    written: tuple[Box, ...] = ()
    page: str | None = None
    places: Mapping[str, Place] = field(default_factory=dict, hash=False)

    @classmethod
    def from_json(cls, data: Any, folder: Path | None = None) -> SheetProfile:
        """Check and take over a profile's JSON object. Raises ProfileError."""
        data = unmarked("sheet", data, ProfileError)
        if not isinstance(data, dict):
            raise ProfileError("", "profile.object", data)
        for key in data:
            if key not in KEYS:
                raise ProfileError(str(key), "profile.key", key, keys=KEYS)
        name = data.get("name")
        if not isinstance(name, str) or not name:
            raise ProfileError("name", "profile.text", name)
        _whole(name, "name")
        rows, cols = (_count(data.get(k), k) for k in ("rows", "cols"))
        letters_in = data.get("letters") or {}
        if not isinstance(letters_in, dict):
            raise ProfileError("letters", "profile.letters", letters_in)
        letters: dict[str, Cell] = {}
        for letter, cell in letters_in.items():
            _whole(letter, f"letters/{letter}")
            letters[letter] = _cell(cell, f"letters/{letter}", rows, cols)
            if list(letters.values()).count(letters[letter]) > 1:
                raise ProfileError(f"letters/{letter}", "profile.own-cell", cell)
        entrance = data.get("entrance")
        tracks_in = data.get("tracks") or {}
        if not isinstance(tracks_in, dict):
            raise ProfileError("tracks", "profile.tracks", tracks_in)
        tracks = {}
        for track, boxes in tracks_in.items():
            _whole(track, f"tracks/{track}")
            if not isinstance(boxes, list):
                raise ProfileError(f"tracks/{track}", "profile.boxes", boxes)
            tracks[track] = tuple(_box(b, f"tracks/{track}/{i}") for i, b in enumerate(boxes))
        written = data.get("written") or []
        if not isinstance(written, list):
            raise ProfileError("written", "profile.boxes", written)
        return cls(
            name, rows, cols, letters,
            None if entrance is None else _cell(entrance, "entrance", rows, cols),
            tracks, _file(data.get("blank"), "blank"), folder,
            tuple(_box(b, f"written/{i}") for i, b in enumerate(written)), _file(data.get("page"), "page"),
            _places(data.get("places") or {}),
        )  # fmt: skip

    @property
    def boxes(self) -> tuple[Box, ...]:
        """All boxes beside the grid: those of the tracks, one track after the other, then those for written numbers."""
        return tuple(box for group in (*self.tracks.values(), self.written) for box in group)

    @classmethod
    def load(cls, path: Path) -> SheetProfile:
        """Read a profile from disk. Raises ProfileError (also for a file that is none) and OSError."""
        return cls.from_json(read_profile(path, ProfileError), path.parent)

    def to_json(self) -> dict[str, Any]:
        """The public JSON object; what is unknown is left out."""
        known = {
            "name": self.name,
            "rows": self.rows,
            "cols": self.cols,
            "letters": {k: list(v) for k, v in sorted(self.letters.items())},
            "entrance": self.entrance and list(self.entrance),
            "tracks": {k: [[round(x, 4) for x in b] for b in v] for k, v in self.tracks.items()},
            "written": [[round(x, 4) for x in b] for b in self.written],
            "blank": self.blank,
            "page": self.page,
            "places": {k: [round(x, 4) for x in at] for k, at in self.places.items()},
        }
        return {key: value for key, value in known.items() if value not in (None, {}, [])}


def _places(places: object) -> dict[str, Place]:
    if not isinstance(places, dict):
        raise ProfileError("places", "profile.object", places)
    out: dict[str, Place] = {}
    for picture, at in places.items():
        numbers = isinstance(at, list) and len(at) == 3 and all(type(v) in (int, float) for v in at)
        if picture not in PICTURES or not numbers or not (max(map(abs, at)) < 30_000 and at[2] >= 1):
            raise ProfileError(f"places/{picture}", "profile.place", at)
        out[picture] = at[0], at[1], at[2]
    return out


def _file(name: object, place: str) -> str | None:
    if name is not None and (not isinstance(name, str) or "\0" in name):
        raise ProfileError(place, "profile.file", name)
    _whole(name, place)
    return name


def _whole(text: str | None, place: str) -> None:
    if not whole(text):
        raise ProfileError(place, "profile.whole", text)


def _count(value: object, place: str) -> int:
    if type(value) is not int or not 2 <= value <= 40:
        raise ProfileError(place, "profile.count", value, least=2, most=40)
    return value


def _cell(value: object, place: str, rows: int, cols: int) -> Cell:
    if (
        not isinstance(value, list)
        or len(value) != 2
        or any(type(v) is not int for v in value)
        or not (0 <= value[0] < rows and 0 <= value[1] < cols)
    ):
        raise ProfileError(place, "profile.cell", value, rows=rows, cols=cols)
    return value[0], value[1]


def _box(value: object, place: str) -> Box:
    if (
        not isinstance(value, list)
        or len(value) != 4
        or not all(type(v) in (int, float) and abs(v) <= 1000 for v in value)
        or not (value[2] > 0 and value[3] > 0)
    ):
        raise ProfileError(place, "profile.box", value)
    x, y, w, h = value
    return x, y, w, h
